// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/trend.h"

#include <QHash>

namespace idemdesk::sql {

/// Places values by bucket and scope, and gives the series with the largest first.
class SeriesSet
{
public:
    explicit SeriesSet(qsizetype buckets);

    /// scope: its parts as a JSON list; empty: all keys; NULL: all scopes beyond the largest.
    void put(qsizetype bucket, const Cell &scope, std::optional<double> value);
    /// Of a scope without a value in the bucket `first` nothing is known before its first value, or before the bucket
    /// in which a row of it was found, whatever take() says of all. found: by scope as put() takes it, below 0 before
    /// all buckets. True where a line begins after `first`.
    bool beginLate(qsizetype first, const QHash<QString, qsizetype> &found);
    /// Some scope has no value in the first bucket that is known.
    bool someBeginLate(qsizetype first) const;
    /// Counts are known to be 0 where there was no row; only from `first` on.
    QList<TrendSeries> take(bool zeros, qsizetype first);
    /// The same where `known` says of each bucket whether anything is known of it.
    QList<TrendSeries> take(const QList<bool> &known);
    qsizetype firstSeen() const;

private:
    TrendSeries &seriesOf(const Cell &scope);
    QList<TrendSeries> sorted();

    qsizetype m_buckets;
    QList<TrendSeries> m_series;
    QHash<QString, qsizetype> m_index;
    QList<qsizetype> m_begins; ///< by series
};

} // namespace idemdesk::sql
