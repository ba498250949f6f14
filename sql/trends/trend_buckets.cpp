// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/trend_buckets.h"

#include "sql/types/timestamp.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// $1 since or NULL, $2 span in seconds, $3 until or NULL (the future is never shown), $4 zone, $5 unit or length in
// seconds. One bucket more than allowed is read, to see that there are too many.
const QString kRange = QStringLiteral(R"sql(WITH range AS (
    SELECT u.until, COALESCE($1::pg_catalog.timestamptz,
                             u.until - pg_catalog.make_interval(secs => $2::pg_catalog.float8)) AS since
    FROM (SELECT LEAST($3::pg_catalog.timestamptz, pg_catalog.now()) AS until) u
))sql");
const QString kCalendar = QStringLiteral(R"sql(, starts AS (
    SELECT s AT TIME ZONE $4::pg_catalog.text AS at FROM range r CROSS JOIN LATERAL pg_catalog.generate_series(
        pg_catalog.date_trunc($5::pg_catalog.text, r.since AT TIME ZONE $4::pg_catalog.text),
        r.until AT TIME ZONE $4::pg_catalog.text, ('1 ' || $5::pg_catalog.text)::pg_catalog.interval) s
))sql");
const QString kEqual = QStringLiteral(R"sql(, starts AS (
    SELECT s AS at FROM range r
    CROSS JOIN LATERAL (SELECT pg_catalog.make_interval(secs => $5::pg_catalog.float8) AS step) i
    CROSS JOIN LATERAL pg_catalog.generate_series(pg_catalog.date_bin(i.step, r.since,
        pg_catalog.date_trunc('day', r.since, $4::pg_catalog.text)), r.until, i.step) s
))sql");
const QString kList
    = QStringLiteral(R"sql( SELECT s.at, r.until, pg_catalog.now() FROM range r LEFT JOIN starts s ON s.at < r.until
    ORDER BY s.at LIMIT )sql");

Error usage(const QString &what, const QString &todo)
{
    return makeError(ErrorKind::Usage, what, {}, todo);
}

} // namespace

Result<TrendBuckets> TrendBuckets::read(Session &session, const TrendRequest &request)
{
    const auto seconds = durationSeconds(request.bucket);
    const bool calendar = seconds && (*seconds == kDay || *seconds == 7 * kDay);
    if (!seconds || *seconds <= 0 || (!calendar && (*seconds > kDay || kDay % *seconds != 0))) {
        return usage(Tr::tr("“%1” is not a length of a bucket.").arg(request.bucket),
            Tr::tr("Use a length that divides a day, such as 5m, 1h or 6h; or 1d or 1w."));
    }
    TrendBuckets buckets;
    buckets.m_zone = request.zone;
    buckets.m_seconds = *seconds;
    if (calendar) {
        buckets.m_unit = *seconds == kDay ? u"day"_s : u"week"_s;
    }
    Statement statement { kRange + (calendar ? kCalendar : kEqual) + kList + QString::number(kMostBuckets + 1), {} };
    statement.bind(request.since ? Cell::of(request.since->toRfc3339()) : Cell());
    statement.bind(QString::number(request.spanSeconds));
    statement.bind(request.until ? Cell::of(request.until->toRfc3339()) : Cell());
    statement.bind(request.zone);
    statement.bind(calendar ? buckets.m_unit : QString::number(*seconds));
    bool first = true;
    TRY(session.each(statement, [&](const Row &row) {
        if (!row.isNull(0)) {
            // Short buckets are all of one length: reading two thousand texts of times would take longer than the whole
            // query.
            const bool next = !calendar && !buckets.m_starts.isEmpty();
            buckets.m_starts.append(next
                    ? Timestamp { Timestamp::Kind::Finite, buckets.m_starts.constLast().micros + *seconds * 1'000'000 }
                    : Timestamp::parse(row.text(0)).value_or(Timestamp()));
        }
        if (first) {
            buckets.m_end = Timestamp::parse(row.text(1)).value_or(Timestamp());
            buckets.m_now = Timestamp::parse(row.text(2)).value_or(Timestamp());
            first = false;
        }
        return true;
    }));
    if (buckets.m_starts.size() > kMostBuckets) {
        return usage(Tr::tr("The range has more than %1 buckets of %2.").arg(kMostBuckets).arg(request.bucket),
            Tr::tr("Use longer buckets or a shorter range."));
    }
    return buckets;
}

QString TrendBuckets::bucketOf(Render &render, const QString &time) const
{
    if (!m_unit.isEmpty()) {
        return u"pg_catalog.date_trunc("_s + render.bindText(m_unit) + u", "_s + time + u", "_s
            + render.bindText(m_zone) + u')';
    }
    return u"pg_catalog.date_bin("_s + render.bind(QString::number(m_seconds) + u" seconds"_s, u"pg_catalog.interval"_s)
        + u", "_s + time + u", "_s + render.bind(m_starts.first().toRfc3339(), u"pg_catalog.timestamptz"_s) + u')';
}

QString TrendBuckets::bucketSql(Statement &statement, const QString &time) const
{
    if (!m_unit.isEmpty()) {
        return u"pg_catalog.date_trunc("_s + statement.bind(m_unit) + u"::pg_catalog.text, "_s + time + u", "_s
            + statement.bind(m_zone) + u"::pg_catalog.text)"_s;
    }
    return u"pg_catalog.date_bin("_s + statement.bind(QString::number(m_seconds) + u" seconds"_s)
        + u"::pg_catalog.interval, "_s + time + u", "_s + statement.bind(m_starts.first().toRfc3339())
        + u"::pg_catalog.timestamptz)"_s;
}

qsizetype TrendBuckets::indexOf(const Timestamp &time) const
{
    return std::upper_bound(m_starts.begin(), m_starts.end(), time) - m_starts.begin() - 1;
}

TrendAnswer TrendBuckets::emptyAnswer(const TrendMetric &metric, TrendSource source) const
{
    TrendAnswer answer;
    answer.metric = metric;
    answer.source = source;
    answer.buckets = m_starts;
    answer.end = m_end;
    answer.now = m_now;
    answer.lastOpen = lastOpen();
    return answer;
}

} // namespace idemdesk::sql
