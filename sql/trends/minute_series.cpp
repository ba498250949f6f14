// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/minute_series.h"

#include "sql/trends/latency_sketch.h"
#include "sql/trends/trend_metrics.h"
#include "sql/trends/withheld_metrics.h"
#include "sql/types/profile.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// $1 target, $2 metrics, $3 seconds back. A line without a metric says that the minute was sampled: the table that is
/// registered now, not another one that had its name. The fourth column is true of what is said of a whole hour.
const QString kMinutes = uR"(
SELECT EXTRACT(epoch FROM r.bucket_start)::pg_catalog.int8 AS at, NULL::pg_catalog.text AS metric,
       0::pg_catalog.float8 AS v, false AS hourly
  FROM idemdesk.sample_run r JOIN idemdesk.known_tables() k ON k.name = r.target AND r.relation IN (0, k.relation)
 WHERE r.target = $1::pg_catalog.text
   AND r.bucket_start > pg_catalog.now() - pg_catalog.make_interval(secs => $3::pg_catalog.float8)
UNION ALL
SELECT EXTRACT(epoch FROM s.bucket_start)::pg_catalog.int8, s.metric,
       CASE WHEN s.metric LIKE 'oldest%' OR s.metric = 'lock_wait' THEN pg_catalog.max(s.value)
            ELSE pg_catalog.sum(s.value) END, false
  FROM idemdesk.sample_seen s
 WHERE s.resolution = 'minute' AND s.target = $1::pg_catalog.text AND s.metric = ANY ($2::pg_catalog.text[])
   AND s.bucket_start > pg_catalog.now() - pg_catalog.make_interval(secs => $3::pg_catalog.float8)
 GROUP BY 1, 2
UNION ALL
SELECT EXTRACT(epoch FROM s.bucket_start)::pg_catalog.int8, s.metric,
       CASE WHEN s.metric LIKE 'oldest%' OR s.metric = 'lock_wait' THEN pg_catalog.max(s.highest)
            ELSE pg_catalog.sum(s.value) END, true
  FROM idemdesk.sample_seen s
 WHERE s.resolution = 'hour' AND s.target = $1::pg_catalog.text
   AND s.metric = ANY ($2::pg_catalog.text[] || 'size'::pg_catalog.text)
   AND s.bucket_start > pg_catalog.now() - pg_catalog.make_interval(secs => $3::pg_catalog.float8)
 GROUP BY 1, 2 ORDER BY 1)"_s;

/// Puts what is said of whole hours where the metrics asked for want it; each sample has a size, or it is no sample.
void addHours(const QStringList &metrics, const MinuteSet &hours, MinuteSet *set)
{
    const QList<qint64> sampled = hours.values.value(u"size"_s).keys();
    for (const QString &metric : metrics) {
        const QMap<qint64, double> values = hours.values.value(metric);
        const bool told = !isRecordedMetric(metric) && !set->withheld.contains(metric);
        for (const qint64 hour : told ? sampled : QList<qint64>()) {
            const bool hidden = hours.hidden.contains(hour) && isToldByRows(metric);
            if (!hidden && (values.contains(hour) || !isSeenOrNot(metric))) {
                set->hours[metric].insert(hour, values.value(hour));
            }
        }
    }
}

Result<void> readEvents(Session &session, const QString &metric, qint64 seconds, MinuteSet *set)
{
    const ReportedMetric reported = reportedMetric(metric);
    const bool ratio = metric == u"cache_hit_ratio"; // of what was counted, timed or not
    const QString timed = reported.timed && !ratio ? u" AND e.timed > 0"_s : QString();
    const QString kinds = u'{' + reported.kinds.join(u',') + u'}';
    Statement first {
        u"SELECT EXTRACT(epoch FROM pg_catalog.min(e.bucket_start))::pg_catalog.int8 FROM idemdesk.event_seen e "
        "WHERE e.kind = ANY ($1::pg_catalog.text[])"_s
            + timed,
        {}
    };
    first.bind(kinds);
    TRY(const auto began, session.one(first));
    if (began.constFirst().null) {
        return {};
    }
    set->reportedSince.insert(metric, began.constFirst().text.toLongLong());
    Statement statement;
    statement.bind(kinds);
    statement.bind(QString::number(seconds));
    // The time of a minute in which nobody timed anything is no zero: such minutes are left out.
    statement.sql = u"SELECT EXTRACT(epoch FROM e.bucket_start)::pg_catalog.int8, "_s
        + (reported.fraction > 0 ? u"e.bins::pg_catalog.text"_s
                : ratio          ? u"pg_catalog.sum(e.n) FILTER (WHERE e.kind = 'cache_hit')::pg_catalog.float8 / "
                          "NULLIF(pg_catalog.sum(e.n), 0)::pg_catalog.float8"_s
                : reported.timed ? u"pg_catalog.sum(e.milliseconds) / NULLIF(pg_catalog.sum(e.timed), 0) / 1000"_s
                                 : u"pg_catalog.sum(e.n)"_s)
        + u" FROM idemdesk.event_seen e WHERE e.kind = ANY ($1::pg_catalog.text[]) AND e.bucket_start > "
          "pg_catalog.now() - pg_catalog.make_interval(secs => $2::pg_catalog.float8)"_s
        + (reported.fraction > 0 ? u" AND e.timed > 0"_s : u" GROUP BY 1"_s);
    QMap<qint64, LatencySketch> sketches;
    TRY(session.each(statement, [&](const Row &row) {
        if (reported.fraction > 0) {
            sketches[row.integer(0)].addJson(row.text(1));
        } else if (!row.isNull(1)) {
            set->values[metric].insert(row.integer(0), row.text(1).toDouble());
        }
        return true;
    }));
    for (auto sketch = sketches.cbegin(); sketch != sketches.cend(); ++sketch) {
        if (const auto value = sketch->percentile(reported.fraction)) {
            set->values[metric].insert(sketch.key(), *value / 1'000);
        }
    }
    return {};
}

} // namespace

bool isSeenOrNot(const QString &metric)
{
    return metric == u"standby_lag" || metric == u"slot_log" || isSampledFromCache(metric);
}

void addMinute(const QStringList &metrics, qint64 minute, const QString &metric, double value, MinuteSet *set)
{
    if (metric == u"hidden") {
        set->hidden += minute;
    } else if (metric == u"unreadable") {
        set->unreadable.insert(minute, value);
    }
    if (metrics.contains(u"rows"_s) && stateFromName(metric)) {
        set->values[u"rows"_s][minute] += value;
    }
    if (metrics.contains(metric)) {
        set->values[metric].insert(minute, value);
    }
}

Result<MinuteSet> readMinutes(
    Session &session, const QString &registeredName, const QStringList &metrics, qint64 seconds)
{
    MinuteSet set;
    QStringList sampled;
    for (const QString &metric : metrics) {
        if (isRecordedMetric(metric)) {
            TRY(readEvents(session, metric, seconds, &set));
        } else if (metric == u"rows") {
            for (const KeyState state : kAllStates) {
                sampled += stateName(state);
            }
        } else {
            sampled += metric;
        }
    }
    sampled += { u"hidden"_s, u"unreadable"_s };
    sampled.removeDuplicates();
    TRY(const auto withheld, withheldMetrics(session, registeredName, sampled));
    set.withheld = QSet<QString>(withheld.cbegin(), withheld.cend());
    Statement statement;
    statement.bind(registeredName);
    statement.bind(u'{' + sampled.join(u',') + u'}');
    statement.bind(QString::number(seconds));
    statement.sql = kMinutes;
    MinuteSet hours;
    const QStringList hourly = metrics + QStringList { u"size"_s };
    TRY(session.each(statement, [&](const Row &row) {
        if (row.isNull(1)) {
            set.sampled += row.integer(0);
        } else if (row.truth(3)) {
            addMinute(hourly, row.integer(0), row.text(1), row.text(2).toDouble(), &hours);
        } else {
            addMinute(metrics, row.integer(0), row.text(1), row.text(2).toDouble(), &set);
        }
        return true;
    }));
    addHours(metrics, hours, &set);
    TRY(const auto now, session.one({ u"SELECT pg_catalog.clock_timestamp()"_s, {} }));
    set.now = Timestamp::parse(now.constFirst().text).value_or(Timestamp());
    return set;
}

} // namespace idemdesk::sql
