// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QRandomGenerator>
#include <QtGlobal>

#include <algorithm>
#include <optional>

namespace idemdesk::models {

/// How many rows the next batch takes and how long to wait before it: batches aim at 100 ms each, shrink by half where
/// they take over 250 ms, and grow by a fifth at most (DESIGN 4; reliability 2.3). A server under load takes long for
/// every batch, however few its rows are: where smaller batches make each row dearer, the size goes back up, or an
/// action would come to a crawl.
class BatchPace
{
public:
    static constexpr int kLeast = 100;
    static constexpr int kMost = 10'000;
    static constexpr qint64 kGoalMicros = 100'000;
    static constexpr qint64 kCeilingMicros = 250'000;
    static constexpr double kDearer = 1.4; ///< a row of smaller batches costs so much more: shrinking does not help
    static constexpr int kHeldBatches = 30; ///< then so many keep about their size, before shrinking is tried again

    explicit BatchPace(int first = 1'000)
        : m_rows(qBound(kLeast, first, kMost))
    {
    }

    int rows() const { return m_rows; }

    /// After a batch that worked.
    void took(qint64 micros)
    {
        m_lastMicros = micros;
        if (micros <= 0) {
            return;
        }
        m_perRow.append(double(micros) / m_rows);
        m_perRow = m_perRow.mid(qMax<qsizetype>(0, m_perRow.size() - kRemembered));
        if (m_held > 0 && --m_held == 0) {
            m_floor = kLeast;
        }
        // One slow batch of three is chance.
        const double usual = m_perRow.size() < 3 ? m_perRow.constLast() : median(m_perRow.mid(m_perRow.size() - 3));
        const double expected = usual * m_rows;
        const double wanted = expected > double(kCeilingMicros)
            ? m_rows / 2.0
            : qMin(double(m_rows) * double(kGoalMicros) / expected, m_rows * 1.2);
        settle(int(qBound(double(qMin(m_floor, m_most)), wanted, double(m_most))), usual);
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
    /// Where the size shrank and what a row cost before.
    struct Larger {
        int rows = 0;
        double perRow = 0;
    };
    static constexpr qsizetype kRemembered = 5;
    static constexpr double kClearlySmaller = 0.6; ///< of the larger size: only then are the two compared
    static constexpr double kAlike = 1.2; ///< a row costs so much more at most: shrinking did what it should

    static double median(QList<double> values)
    {
        std::sort(values.begin(), values.end());
        return values.at(values.size() / 2);
    }

    /// Takes the next size, unless the batches of the present one tell that a larger one was better.
    void settle(int next, double usual)
    {
        const bool smaller = m_larger && m_rows <= kClearlySmaller * m_larger->rows;
        m_smaller = smaller ? m_smaller + 1 : 0;
        if (m_larger && next >= m_larger->rows) {
            m_larger.reset();
        } else if (m_larger && m_smaller >= 3) {
            const double now = median(m_perRow);
            if (now > kDearer * m_larger->perRow) {
                next = qMin(m_larger->rows, m_most);
                m_floor = qMax(kLeast, next * 7 / 10);
                m_held = kHeldBatches;
                m_larger.reset();
                m_perRow.clear();
            } else if (now < kAlike * m_larger->perRow) {
                m_larger = Larger { m_rows, now };
            }
        } else if (!m_larger && next < m_rows) {
            m_larger = Larger { m_rows, usual };
        } else if (m_larger && !smaller && next <= kClearlySmaller * m_larger->rows) {
            m_perRow.clear(); // from here on the smaller size speaks for itself
        }
        m_rows = next;
    }

    int m_rows;
    int m_most = kMost;
    int m_floor = kLeast;
    int m_held = 0; ///< batches for which the floor is higher
    int m_smaller = 0; ///< batches since the size is clearly smaller
    QList<double> m_perRow; ///< microseconds, of the last batches
    std::optional<Larger> m_larger;
    qint64 m_lastMicros = 0;
};

} // namespace idemdesk::models
