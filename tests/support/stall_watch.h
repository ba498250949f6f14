// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QObject>
#include <QTimer>
#include <algorithm>

namespace idemdesk::tests {

/// Measures the longest time the event loop of this thread did not turn while this lives: a 1 ms timer notes the gaps
/// between its own ticks, less the time in which this thread was ready but other processes had the processor (the
/// kernel's run delay, /proc/thread-self/schedstat). So a busy machine does not count as a stall, but waiting does.
class StallWatch final : public QObject
{
public:
    StallWatch()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_delay = runDelayMicros();
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
        const qint64 delay = runDelayMicros();
        m_longest = std::max(m_longest, m_clock.nsecsElapsed() / 1000 - (delay - m_delay));
        m_clock.restart();
        m_delay = delay;
    }

    static qint64 runDelayMicros()
    {
        QFile file(QStringLiteral("/proc/thread-self/schedstat"));
        if (!file.open(QIODevice::ReadOnly)) {
            return 0;
        }
        return file.readAll().split(' ').value(1).toLongLong() / 1000;
    }

    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_delay = 0; ///< at the last look, microseconds
    qint64 m_longest = 0; ///< microseconds
};

} // namespace idemdesk::tests
