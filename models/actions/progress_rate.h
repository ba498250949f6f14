// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <optional>

namespace idemdesk::models {

/// Rows a second over the last half minute of work, pauses between batches and holding off included. While the server
/// cannot be asked the clock stands: an outage says nothing of how long the rest takes. Every call gives the time, in
/// milliseconds.
class ProgressRate
{
public:
    static constexpr qint64 kWindowMs = 30'000;
    static constexpr qint64 kLeastMs = 2'000; ///< less tells no time left
    static constexpr int kLeastBatches = 3;

    /// Begins anew.
    void start(qint64 now)
    {
        m_worked = 0;
        m_since = now;
        m_batches = { { 0, 0 } };
    }

    /// An outage or a pause begins; go() ends it.
    void stand(qint64 now)
    {
        m_worked = worked(now);
        m_since.reset();
    }

    void go(qint64 now)
    {
        if (m_batches.isEmpty()) {
            start(now);
        } else if (!m_since) {
            m_since = now;
        }
    }

    /// A batch of so many rows is through.
    void add(qint64 rows, qint64 now)
    {
        go(now);
        m_batches.append({ worked(now), rows });
        while (m_batches.size() > kLeastBatches + 1 && m_batches.constLast().at - m_batches.at(1).at >= kWindowMs) {
            m_batches.removeFirst();
        }
    }

    double perSecond(qint64 now) const
    {
        qint64 rows = 0;
        for (qsizetype i = 1; i < m_batches.size(); ++i) {
            rows += m_batches.at(i).rows;
        }
        const qint64 ms = seen(now);
        return ms > 0 ? double(rows) * 1'000.0 / double(ms) : 0.0;
    }

    /// Enough was seen to tell from it how long the rest takes.
    bool settled(qint64 now) const { return m_batches.size() > kLeastBatches && seen(now) >= kLeastMs; }

private:
    struct Batch {
        qint64 at; ///< milliseconds of work when it was through
        qint64 rows;
    };

    qint64 worked(qint64 now) const { return m_worked + (m_since ? now - *m_since : 0); }
    qint64 seen(qint64 now) const { return m_batches.isEmpty() ? 0 : worked(now) - m_batches.constFirst().at; }

    QList<Batch> m_batches; ///< the first marks the window's beginning; its rows do not count
    std::optional<qint64> m_since; ///< nothing: the clock stands
    qint64 m_worked = 0;
};

} // namespace idemdesk::models
