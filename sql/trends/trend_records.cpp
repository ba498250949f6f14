// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/trend_records.h"

#include "sql/trends/latency_sketch.h"
#include "sql/trends/series_set.h"
#include "sql/trends/trend_metrics.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

struct RecordSource {
    QStringList kinds; ///< of events; empty: the trail
    QString value; ///< the aggregate over e or b; NULL is a gap
    QString from;
    bool zeros = true; ///< nothing reported in a bucket means none happened
    double fraction = 0; ///< which percentile of the durations it is; 0: none
};

RecordSource sourceOf(const QString &id)
{
    const QString events = u"idemdesk.event_seen e WHERE e.kind = ANY ($1::pg_catalog.text[])"_s;
    if (id == u"recoveries" || id == u"purged") {
        const QString outcome = id == u"recoveries" ? u"done"_s : u"purged"_s;
        const QString verb = id == u"recoveries" ? u"recover"_s : u"purge"_s;
        return { {}, u"pg_catalog.sum((b.result -> 'counts' ->> '%1')::pg_catalog.int8)"_s.arg(outcome),
            u"idemdesk.action_batch b JOIN idemdesk.action a ON a.id = b.action WHERE a.target = $1::pg_catalog.text "
            "AND a.verb = '%1'"_s.arg(verb),
            true };
    }
    const ReportedMetric reported = reportedMetric(id);
    if (reported.fraction > 0) {
        return { reported.kinds, {}, events, false, reported.fraction };
    }
    if (id == u"check_time") {
        return { reported.kinds, u"pg_catalog.sum(e.milliseconds) / NULLIF(pg_catalog.sum(e.timed), 0) / 1000"_s,
            events, false };
    }
    if (id == u"cache_hit_ratio") {
        return { reported.kinds,
            u"pg_catalog.sum(e.n) FILTER (WHERE e.kind = 'cache_hit')::pg_catalog.float8 / "
            "NULLIF(pg_catalog.sum(e.n), 0)::pg_catalog.float8"_s,
            events, false };
    }
    return { reported.kinds, u"pg_catalog.sum(e.n)"_s, events, true };
}

/// Value and number of each bucket and scope: "SELECT … AS b, … AS s, … AS v, … AS n". Of a percentile v is the bound
/// of its bin: bins of minutes and scopes are added, which is exact.
QString groupsSql(const RecordSource &source, const QString &bucket, const QString &scope, const QString &span)
{
    if (source.fraction <= 0) {
        return u"SELECT "_s + bucket + u" AS b, "_s + scope + u" AS s, ("_s + source.value
            + u")::pg_catalog.float8 AS v, pg_catalog.count(*) AS n FROM "_s + source.from + span + u" GROUP BY 1, 2"_s;
    }
    const QString bins = u"SELECT "_s + bucket + u" AS b, "_s + scope
        + u" AS s, k.key::pg_catalog.numeric AS bound, pg_catalog.sum(k.value::pg_catalog.numeric) AS n FROM "_s
        + QString(source.from)
              .replace(u" e WHERE "_s, u" e CROSS JOIN LATERAL pg_catalog.jsonb_each_text(e.bins) k WHERE "_s)
        + span + u" GROUP BY 1, 2, 3"_s;
    return u"SELECT c.b, c.s, (pg_catalog.min(c.bound) FILTER (WHERE c.upto >= c.total * "_s
        + QString::number(source.fraction)
        + u"::pg_catalog.numeric))::pg_catalog.float8 AS v, pg_catalog.max(c.total) AS n "
          "FROM (SELECT h.*, pg_catalog.sum(h.n) OVER (PARTITION BY h.b, h.s ORDER BY h.bound) AS upto, "
          "pg_catalog.sum(h.n) OVER (PARTITION BY h.b, h.s) AS total FROM ("_s
        + bins + u") h) c GROUP BY 1, 2"_s;
}

/// What the statement gives, in the metric's unit.
double recordedValue(const RecordSource &source, double given)
{
    return source.fraction > 0 ? LatencySketch::middle(given) / 1'000 : given;
}

} // namespace

Result<void> readRecorded(
    Session &session, const TrendRequest &request, const TrendBuckets &buckets, TrendAnswer *answer)
{
    const RecordSource source = sourceOf(request.metric);
    const bool trail = source.kinds.isEmpty();
    Statement statement;
    statement.bind(trail ? request.registeredName : u'{' + source.kinds.join(u',') + u'}');
    const QString since = statement.bind(answer->buckets.constFirst().toRfc3339()) + u"::pg_catalog.timestamptz"_s;
    const QString until = statement.bind(answer->end.toRfc3339()) + u"::pg_catalog.timestamptz"_s;
    const QString at = trail ? u"b.at"_s : u"e.bucket_start"_s;
    const QString scope = request.byScope && !trail ? u"pg_catalog.json_build_array(e.scope)::pg_catalog.text"_s
                                                    : u"''::pg_catalog.text"_s;
    const QString bucket = buckets.bucketSql(statement, at);
    // Shares and means of the scopes beyond the top cannot be put together from theirs, so only sums have an "other".
    const QString span = u" AND "_s + at + u" >= "_s + since + u" AND "_s + at + u" < "_s + until;
    statement.sql = u"WITH g AS ("_s + groupsSql(source, bucket, scope, span)
        + u"), top AS (SELECT g.s FROM g GROUP BY g.s ORDER BY pg_catalog."_s
        + (source.zeros ? u"sum(g.v)"_s : u"sum(g.n)"_s) + u" DESC NULLS LAST, g.s LIMIT "_s
        + QString::number(qMax(1, request.top)) + u") SELECT g.b, top.s, pg_catalog.sum(g.v) FROM g "_s
        + (source.zeros ? u"LEFT "_s : QString()) + u"JOIN top ON top.s = g.s GROUP BY 1, 2"_s;
    SeriesSet set(answer->buckets.size());
    TRY(session.each(statement, [&](const Row &row) {
        set.put(buckets.indexOf(Timestamp::parse(row.text(0)).value_or(Timestamp())), row.cell(1),
            row.isNull(2) ? std::nullopt : std::optional(recordedValue(source, row.text(2).toDouble())));
        return true;
    }));
    // From the first thing ever noted on, silence means that nothing happened.
    Statement first;
    first.bind(trail ? request.registeredName : u'{' + source.kinds.join(u',') + u'}');
    first.sql = trail
        ? u"SELECT pg_catalog.min(t.registered_at) FROM idemdesk.target t WHERE t.name = $1::pg_catalog.text"_s
        : u"SELECT pg_catalog.min(e.bucket_start) FROM idemdesk.event_seen e WHERE e.kind = ANY "
          "($1::pg_catalog.text[])"_s;
    TRY(const auto row, session.one(first));
    const auto began = row.constFirst().null ? std::nullopt : Timestamp::parse(row.constFirst().text);
    QList<bool> known(answer->buckets.size(), false);
    for (qsizetype i = 0; source.zeros && began && i < known.size(); ++i) {
        const Timestamp end = i + 1 < known.size() ? answer->buckets.at(i + 1) : answer->end;
        known[i] = began->micros < end.micros;
    }
    answer->series = set.take(known);
    if (trail) {
        answer->notes += Tr::tr("From the console's audit log, since the table was registered.");
    } else if (!began) {
        answer->notes += Tr::tr("No service has reported it. Services do by calling idemdesk.record_event('%1'), as a "
                                "member of idemdesk_reporter.")
                             .arg(source.kinds.constFirst());
    } else {
        answer->notes += Tr::tr("As services report it, for the whole database.");
        if (source.fraction > 0) {
            answer->notes += Tr::tr("Durations are kept in bins of two digits: the values are right within 5 %.");
        }
    }
    return {};
}

} // namespace idemdesk::sql
