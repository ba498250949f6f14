// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"
#include "sql/session/session.h"
#include "sql/types/trend.h"

namespace idemdesk::sql {

inline constexpr int kMostBuckets = 2000; // points of one series

/// Where the buckets of a request begin. Days and weeks are those of the zone, so one may have 23 or 25 hours; shorter
/// buckets are all of one length, counted from the midnight before the range.
class TrendBuckets
{
public:
    static Result<TrendBuckets> read(Session &session, const TrendRequest &request);

    const QList<Timestamp> &starts() const { return m_starts; }
    const Timestamp &end() const { return m_end; }
    const Timestamp &now() const { return m_now; }
    /// The range goes up to now or beyond, so its last bucket is still filling.
    bool lastOpen() const { return m_now <= m_end; }

    /// SQL of the bucket that a timestamptz lies in.
    QString bucketOf(Render &render, const QString &time) const;
    /// The same with its values bound to a statement of one's own.
    QString bucketSql(Statement &statement, const QString &time) const;
    /// The place of a time; -1 before the first bucket.
    qsizetype indexOf(const Timestamp &time) const;
    /// An answer of these buckets, without any series yet.
    TrendAnswer emptyAnswer(const TrendMetric &metric, TrendSource source) const;

private:
    QList<Timestamp> m_starts;
    Timestamp m_end;
    Timestamp m_now;
    QString m_unit; ///< "day" or "week", else empty
    QString m_zone;
    qint64 m_seconds = 0;
};

} // namespace idemdesk::sql
