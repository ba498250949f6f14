// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QList>
#include <QObject>
#include <QTimer>
#include <algorithm>
#include <dlfcn.h>
#include <poll.h>
#include <unistd.h>

namespace idemdesk::tests {

/// Measures the longest time the event loop of the main thread did not turn while this lives: a 1 ms timer notes the
/// gaps between its own ticks. Three things do not count, as no program is to blame for them:
/// - time in which this thread was ready but other processes had the processor (the kernel's run delay,
///   /proc/thread-self/schedstat);
/// - time that a virtual machine's host took from a processor ("steal" in /proc/stat): it ends any sleep late, as those
///   of QTest::qWait;
/// - time by which the event loop's own idle poll() came back later than it had asked for.
/// Anything else that waits counts.
class StallWatch final : public QObject
{
public:
    StallWatch()
    {
        watchIdlePoll();
        m_timer.setTimerType(Qt::PreciseTimer);
        m_excused = excusedMicros();
        m_stolen = stolenMicros();
        m_clock.start();
        connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
        m_timer.start(1);
    }

    /// Milliseconds.
    qint64 longest()
    {
        look();
        return m_longest / 1000;
    }

private:
    void look()
    {
        const qint64 excused = excusedMicros();
        const QList<qint64> stolen = stolenMicros();
        qint64 taken = 0; // this thread may have been on any processor
        for (qsizetype i = 0; i < std::min(stolen.size(), m_stolen.size()); ++i) {
            taken = std::max(taken, stolen.at(i) - m_stolen.at(i));
        }
        m_longest = std::max(m_longest, m_clock.nsecsElapsed() / 1000 - (excused - m_excused) - taken);
        m_clock.restart();
        m_excused = excused;
        m_stolen = stolen;
    }

    static qint64 excusedMicros() { return runDelayMicros() + s_wokenLate; }

    static qint64 runDelayMicros()
    {
        QFile file(QStringLiteral("/proc/thread-self/schedstat"));
        if (!file.open(QIODevice::ReadOnly)) {
            return 0;
        }
        return file.readAll().split(' ').value(1).toLongLong() / 1000;
    }

    /// Of each processor. The kernel counts in clock ticks, and before it wakes who slept meanwhile.
    static QList<qint64> stolenMicros()
    {
        static const qint64 tick = 1'000'000 / sysconf(_SC_CLK_TCK);
        QList<qint64> all;
        QFile file(QStringLiteral("/proc/stat"));
        if (!file.open(QIODevice::ReadOnly)) {
            return all;
        }
        // The sum of all comes first, then a line for each: "cpu0 user nice system idle iowait irq softirq steal …".
        file.readLine();
        for (QByteArray line = file.readLine(); line.startsWith("cpu"); line = file.readLine()) {
            all.append(line.split(' ').value(8).toLongLong() * tick);
        }
        return all;
    }

    /// GLib, which Qt's event loop runs on where it is there, lets its poll() be replaced; pollfd and GPollFD are one.
    static void watchIdlePoll()
    {
        using Poll = int (*)(pollfd *, unsigned, int);
        using SetPoll = void (*)(void *, Poll);
        if (const auto setPoll = reinterpret_cast<SetPoll>(dlsym(RTLD_DEFAULT, "g_main_context_set_poll_func"))) {
            setPoll(nullptr, [](pollfd *descriptors, unsigned count, int timeout) {
                const qint64 delay = timeout > 0 ? runDelayMicros() : 0;
                QElapsedTimer clock;
                clock.start();
                const int ready = ::poll(descriptors, count, timeout);
                if (timeout > 0) {
                    const qint64 waited = clock.nsecsElapsed() / 1000 - (runDelayMicros() - delay);
                    s_wokenLate += std::max<qint64>(0, waited - qint64(timeout) * 1000);
                }
                return ready;
            });
        }
    }

    inline static qint64 s_wokenLate = 0; ///< microseconds, of the main thread

    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_excused = 0; ///< at the last look, microseconds
    QList<qint64> m_stolen; ///< likewise, of each processor
    qint64 m_longest = 0; ///< microseconds
};

} // namespace idemdesk::tests
