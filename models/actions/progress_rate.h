// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QList>

namespace idemdesk::models {

/// Rows a second over the last half minute of work, pauses between batches and holding off included. While the server cannot be
/// asked the clock stands: an outage says nothing of how long the rest takes.
class ProgressRate
{
public:
    static constexpr qint64 kWindowMs = 30'000;
    static constexpr qint64 kLeastMs = 2'000; ///< less tells no time left
    static constexpr int kLeastBatches = 3;

    /// Begins anew.
    void start()
    {
        m_batches.clear();
        m_before = 0;
        m_clock.start();
        m_batches.append({ 0, 0 });
    }

    /// An outage or a pause begins; go() ends it.
    void stand()
    {
        if (m_clock.isValid()) {
            m_before += m_clock.elapsed();
            m_clock.invalidate();
        }
    }

    void go()
    {
        if (m_batches.isEmpty()) {
            start();
        } else if (!m_clock.isValid()) {
            m_clock.start();
        }
    }

    /// A batch of so many rows is through.
    void add(qint64 rows)
    {
        go();
        m_batches.append({ now(), rows });
        while (m_batches.size() > kLeastBatches + 1 && m_batches.constLast().at - m_batches.at(1).at >= kWindowMs) {
            m_batches.removeFirst();
        }
    }

    double perSecond() const
    {
        qint64 rows = 0;
        for (qsizetype i = 1; i < m_batches.size(); ++i) {
            rows += m_batches.at(i).rows;
        }
        const qint64 ms = m_batches.isEmpty() ? 0 : now() - m_batches.constFirst().at;
        return ms > 0 ? double(rows) * 1'000.0 / double(ms) : 0.0;
    }

    /// Enough was seen to tell from it how long the rest takes.
    bool settled() const { return m_batches.size() > kLeastBatches && now() - m_batches.constFirst().at >= kLeastMs; }

private:
    struct Batch {
        qint64 at; ///< milliseconds of work when it was through
        qint64 rows;
    };

    qint64 now() const { return m_before + (m_clock.isValid() ? m_clock.elapsed() : 0); }

    QList<Batch> m_batches; ///< the first marks the window's beginning; its rows do not count
    QElapsedTimer m_clock;
    qint64 m_before = 0;
};

} // namespace idemdesk::models
