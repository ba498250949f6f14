// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/trend_gateway.h"

#include "sql/keys/resolve.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/type_facts.h"
#include "sql/trends/series_set.h"
#include "sql/trends/trend_buckets.h"
#include "sql/trends/trend_metrics.h"
#include "sql/trends/trend_samples.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kRowsForBegins = 20'000; ///< on each side of the range's start

/// A scope as one text, its parts apart even where they contain anything.
QString scopeText(const Target &target)
{
    QStringList parts;
    const QList<ScopePart> all = partsOf(target);
    for (const ScopePart &part : all) {
        parts += u"("_s + part.sql + u")::pg_catalog.text"_s;
    }
    return u"pg_catalog.json_build_array("_s + parts.join(u", "_s) + u")::pg_catalog.text"_s;
}

/// bucket, scope (NULL: other), value. The scopes with most rows come first; ties by name.
QString seriesSql(Render &render, const TrendFormula &formula, const TrendBuckets &buckets, const TrendRequest &request)
{
    const Target &target = render.target();
    QStringList where;
    QString bucket = u"NULL::pg_catalog.timestamptz"_s;
    if (formula.time) {
        const Expression time = target.profile.role(*formula.time);
        bucket = buckets.bucketOf(render, timestamptzSql(time));
        where += compareTime(
            time, u">="_s, render.bind(buckets.starts().first().toRfc3339(), u"pg_catalog.timestamptz"_s));
        where += compareTime(time, u"<"_s, render.bind(buckets.end().toRfc3339(), u"pg_catalog.timestamptz"_s));
    }
    if (!formula.condition.isEmpty()) {
        where += formula.condition;
    }
    const bool whole = !request.byScope || target.profile.scope.isEmpty();
    const QString scope = whole ? u"''::pg_catalog.text"_s : scopeText(target);
    const QString rows = render.from() + (where.isEmpty() ? QString() : u" WHERE "_s + where.join(u" AND "_s));
    const QString top = u"top AS (SELECT s FROM g GROUP BY s ORDER BY pg_catalog.sum(n) DESC, s LIMIT "_s
        + QString::number(qMax(1, request.top)) + u") "_s;
    const QString joined = u"FROM g LEFT JOIN top ON top.s = g.s GROUP BY g.b, top.s"_s;
    if (!formula.sample.isEmpty()) {
        // A percentile of several scopes cannot be made of theirs: the values themselves are kept until the end.
        const QString value = formula.fraction > 0
            ? u"pg_catalog.percentile_cont("_s + QString::number(formula.fraction) + u") WITHIN GROUP (ORDER BY g.v)"_s
            : u"pg_catalog.max(g.v)"_s;
        return u"WITH g AS MATERIALIZED (SELECT "_s + bucket + u" AS b, "_s + scope
            + u" AS s, 1 AS n, EXTRACT(epoch FROM "_s + formula.sample + u")::pg_catalog.float8 AS v"_s + rows
            + u"), "_s + top + u"SELECT (EXTRACT(epoch FROM g.b) * 1000000)::pg_catalog.int8, top.s, "_s + value + u' '
            + joined;
    }
    const QString denominator = formula.denominator.isEmpty() ? u"0"_s : formula.denominator;
    return u"WITH g AS MATERIALIZED (SELECT b, s, pg_catalog.count(*) AS n, pg_catalog.sum(v) AS v, pg_catalog.sum(d) "
           "AS d FROM (SELECT "_s
        + bucket + u" AS b, "_s + scope + u" AS s, "_s + formula.numerator + u" AS v, "_s + denominator + u" AS d"_s
        + rows + u") x GROUP BY b, s), "_s + top
        + u"SELECT (EXTRACT(epoch FROM g.b) * 1000000)::pg_catalog.int8, top.s, "_s
        + (formula.denominator.isEmpty()
                ? u"pg_catalog.sum(g.v)"_s
                : u"pg_catalog.sum(g.v)::pg_catalog.float8 / pg_catalog.sum(g.d)::pg_catalog.float8"_s)
        + u' ' + joined;
}

/// Is there a row from before the range? Where not, nothing is known of the time before the first row.
Result<bool> hasOlder(Session &session, const Target &target, Role time, const TrendBuckets &buckets)
{
    Render render(target);
    const QString before = render.bind(buckets.starts().first().toRfc3339(), u"pg_catalog.timestamptz"_s);
    const QString sql = u"SELECT EXISTS (SELECT 1"_s + render.from() + u" WHERE "_s
        + compareTime(target.profile.role(time), u"<"_s, before) + u')';
    TRY(const auto row, session.one(render.finish(sql, buckets.now())));
    return row.first().text == u"t";
}

/// When each scope began, as far as rows near the start of the range tell: those before it and those after it where an
/// index walks them, else those that the table holds first. Never more than some thousands: no pass over the table.
QString beginsSql(Render &render, const Expression &time, const TrendBuckets &buckets)
{
    const QString at = timestamptzSql(time);
    const QString rows = u"SELECT "_s + scopeText(render.target()) + u" AS s, "_s + at + u" AS at"_s + render.from();
    const QString limit = u" LIMIT "_s + QString::number(kRowsForBegins);
    const QString end = render.bind(buckets.end().toRfc3339(), u"pg_catalog.timestamptz"_s);
    const ColumnFacts *column = plainColumnFacts(render.target(), time);
    QString near = rows + limit;
    if (column != nullptr && indexLeads(render.target().relation, column->name, false)) {
        const QString start = render.bind(buckets.starts().first().toRfc3339(), u"pg_catalog.timestamptz"_s);
        const QString order = u" ORDER BY t."_s + quoteIdentifier(column->name);
        near = u"("_s + rows + u" WHERE "_s + compareTime(time, u"<"_s, start) + order + u" DESC"_s + limit
            + u") UNION ALL ("_s + rows + u" WHERE "_s + compareTime(time, u">="_s, start) + u" AND "_s
            + compareTime(time, u"<"_s, end) + order + limit + u')';
    }
    return u"SELECT s, (EXTRACT(epoch FROM pg_catalog.min(at)) * 1000000)::pg_catalog.int8 FROM ("_s + near
        + u") x WHERE at < "_s + end + u" GROUP BY s"_s;
}

/// Rows that were purged are no zero: of a scope nothing is known before the oldest of its rows that is found.
Result<void> beginAtOldest(Session &session, const Target &target, Role time, const TrendBuckets &buckets,
    qsizetype first, SeriesSet *set, TrendAnswer *answer)
{
    Render render(target);
    QHash<QString, qsizetype> found;
    TRY_OR(render.located,
        session.each(
            render.finish(beginsSql(render, target.profile.role(time), buckets), buckets.now()), [&](const Row &row) {
                found.insert(row.text(0), buckets.indexOf({ Timestamp::Kind::Finite, row.integer(1) }));
                return true;
            }));
    if (set->beginLate(first, found)) {
        answer->notes
            += Tr::tr("A line begins at its scope's oldest row found; before it, rows were purged or none yet.");
    }
    return {};
}

Result<void> fill(Session &session, const Target &target, const TrendRequest &request, const TrendBuckets &buckets,
    TrendAnswer *answer)
{
    Render render(target);
    const TrendFormula formula = trendFormula(render, request.metric);
    const qsizetype last = buckets.starts().size() - 1;
    if (last < 0 || (formula.metric.gauge && !buckets.lastOpen())) {
        return {}; // an empty range, or a past that the rows cannot tell
    }
    SeriesSet set(last + 1);
    TRY_OR(render.located,
        session.each(render.finish(seriesSql(render, formula, buckets, request), buckets.now()), [&](const Row &row) {
            const auto at
                = row.isNull(0) ? std::nullopt : std::optional(Timestamp { Timestamp::Kind::Finite, row.integer(0) });
            set.put(formula.time && at ? buckets.indexOf(*at) : last, row.cell(1),
                row.isNull(2) ? std::nullopt : std::optional<double>(row.text(2).toDouble()));
            return true;
        }));
    const bool zeros = formula.denominator.isEmpty() && formula.sample.isEmpty();
    qsizetype first = formula.metric.gauge ? last : 0;
    if (formula.time && zeros) {
        TRY(const auto older, hasOlder(session, target, *formula.time, buckets));
        first = older ? 0 : set.firstSeen();
        if (!older && first > 0 && first <= last) {
            answer->notes
                += Tr::tr("The table has no row from before the first one shown; what was before is not known.");
        }
    }
    const bool scopes = request.byScope && !target.profile.scope.isEmpty();
    if (formula.time && zeros && scopes && set.someBeginLate(first)) {
        TRY(beginAtOldest(session, target, *formula.time, buckets, first, &set, answer));
    }
    answer->series = set.take(zeros, first);
    return {};
}

} // namespace

QList<TrendMetric> trendMetrics(const Target &target)
{
    QList<TrendMetric> metrics;
    const QStringList ids = trendMetricIds();
    for (const QString &id : ids) {
        Render render(target);
        metrics += trendFormula(render, id).metric;
    }
    return metrics;
}

static Result<TrendAnswer> readTrendOnce(Session &session, const Target &target, const TrendRequest &request)
{
    if (!trendMetricIds().contains(request.metric)) {
        return makeError(ErrorKind::Usage, Tr::tr("Metric “%1” is unavailable.").arg(request.metric), {},
            Tr::tr("The metrics are: %1.").arg(trendMetricIds().join(u", "_s)));
    }
    Render render(target);
    const TrendFormula formula = trendFormula(render, request.metric);
    if (request.source == TrendSource::Samples) {
        return readSampledTrend(session, formula.metric, request);
    }
    if (!formula.metric.available()) {
        return makeError(ErrorKind::NotSaid, Tr::tr("The rows of this target cannot tell “%1”.").arg(request.metric),
            formula.metric.missing,
            formula.metric.available(TrendSource::Samples) ? Tr::tr("Samples tell it: choose them as the source.")
                                                           : QString());
    }
    TRY(const auto buckets, TrendBuckets::read(session, request));
    TrendAnswer answer = buckets.emptyAnswer(formula.metric, TrendSource::Rows);
    answer.notes = formula.notes;
    answer.notes += formula.metric.gauge ? Tr::tr("Rows tell only how it is now; its past would be told by samples.")
                                         : Tr::tr("Counts current rows only; purged or overwritten rows are missing.");
    TRY(fill(session, target, request, buckets, &answer));
    return answer;
}

Result<TrendAnswer> readTrend(Session &session, const Target &target, const TrendRequest &request)
{
    QString note;
    auto answer = readAround(session, target, false, &note,
        [&](const Target &readable) { return readTrendOnce(session, readable, request); });
    if (answer && !note.isEmpty()) {
        answer->notes += note;
        answer->partly = true;
    }
    if (answer && request.source == TrendSource::Rows && target.relation.rowSecurity && isToldByRows(request.metric)) {
        answer->notes += rowsHiddenNote();
        answer->partly = true;
    }
    return answer;
}

} // namespace idemdesk::sql
