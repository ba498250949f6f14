// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRandomGenerator>
#include <QtGlobal>

namespace idemdesk::models {

/// How many rows the next batch takes and how long to wait before it: batches aim at 100 ms each, shrink by half at once where
/// they take over 250 ms, and grow by a fifth at most (DESIGN 4; reliability 2.3).
class BatchPace
{
public:
    static constexpr int kLeast = 100;
    static constexpr int kMost = 10'000;
    static constexpr qint64 kGoalMicros = 100'000;
    static constexpr qint64 kCeilingMicros = 250'000;

    explicit BatchPace(int first = 1'000)
        : m_rows(qBound(kLeast, first, kMost))
    {
    }

    int rows() const { return m_rows; }

    /// After a batch that worked.
    void took(qint64 micros)
    {
        m_lastMicros = micros;
        if (micros > kCeilingMicros) {
            m_rows = qMax(kLeast, m_rows / 2);
        } else if (micros > 0) {
            const double wanted = double(m_rows) * double(kGoalMicros) / double(micros);
            m_rows = int(qBound(double(kLeast), qMin(wanted, m_rows * 1.2), double(m_most)));
        }
    }

    /// After a batch that ran into a time limit: smaller for the rest of the run.
    void timedOut()
    {
        m_rows = qMax(kLeast, m_rows / 2);
        m_most = m_rows;
    }

    /// Stays small while a sign of the server's health cannot be read.
    void keepSmall() { m_most = qMin(m_most, 1'000); }

    /// Milliseconds between batches: as long as the last one took, and 50 to 250 more.
    int pauseMs() const { return int(m_lastMicros / 1'000) + 50 + QRandomGenerator::global()->bounded(200); }

private:
    int m_rows;
    int m_most = kMost;
    qint64 m_lastMicros = 0;
};

} // namespace idemdesk::models
