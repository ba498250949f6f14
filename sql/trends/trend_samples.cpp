// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/trend_samples.h"

#include "sql/trends/series_set.h"
#include "sql/trends/trend_buckets.h"
#include "sql/trends/trend_metrics.h"
#include "sql/trends/trend_records.h"

#include <QCoreApplication>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(Trends)
};

constexpr qint64 kHour = 3'600;

// $1 name, $2 metric, $3 since, $4 until; %1 the bucket, %2 the resolutions. A scope that had no row at a sample counted 0 then, so
// its mean is over all samples of the span (n), not over those that have it. Each sample stores the table's size, so that tells how
// many there were; looking at every metric for it would take five times the whole budget.
const QString kSeries = QStringLiteral(R"sql(WITH s AS MATERIALIZED (
    SELECT s.resolution, s.bucket_start, s.metric, s.scope, s.value, s.highest, s.samples FROM idemdesk.sample s
     WHERE s.target = $1::pg_catalog.text AND s.metric IN ($2::pg_catalog.text, 'size') AND %2
       AND s.bucket_start >= $3::pg_catalog.timestamptz AND s.bucket_start < $4::pg_catalog.timestamptz
), spans AS (
    SELECT %1 AS b, pg_catalog.sum(x.n) AS n
      FROM (SELECT s.bucket_start, pg_catalog.max(s.samples) AS n FROM s GROUP BY 1) x CROSS JOIN LATERAL (SELECT x.bucket_start) AS s GROUP BY 1
), g AS (
    SELECT %1 AS b, %3 AS s, pg_catalog.sum(s.value * s.samples) AS v, pg_catalog.max(s.highest) AS h FROM s WHERE s.metric = $2::pg_catalog.text GROUP BY 1, 2
), top AS (SELECT g.s FROM g WHERE g.s <> '-' GROUP BY g.s ORDER BY pg_catalog.sum(g.v) DESC, g.s LIMIT %4)
SELECT (EXTRACT(epoch FROM p.b) * 1000000)::pg_catalog.int8, top.s, pg_catalog.sum(g.v) / p.n, pg_catalog.max(g.h), p.n, pg_catalog.bool_or(g.s IS NOT NULL)
  FROM spans p LEFT JOIN g ON g.b = p.b LEFT JOIN top ON top.s = g.s GROUP BY p.b, top.s, p.n)sql");

Error needsConsole(Error error)
{
    if (error.sqlState == u"42P01" || error.sqlState == u"3F000" || error.sqlState == u"42501") {
        error.what = Tr::tr("There are no samples to read.");
        error.why = error.sqlState == u"42501" ? Tr::tr("This login is no member of idemdesk_viewer.") : Tr::tr("The console schema is not installed in this database.");
        error.todo = Tr::tr("Show the trend from rows, or ask an administrator.");
    }
    return error;
}

} // namespace

Result<TrendAnswer> readSampledTrend(Session &session, const TrendMetric &metric, const TrendRequest &request)
{
    if (!metric.available(TrendSource::Samples) || request.registeredName.isEmpty()) {
        Error error;
        error.kind = ErrorKind::Usage;
        error.what = Tr::tr("Samples cannot tell “%1”.").arg(metric.id);
        error.why = request.registeredName.isEmpty() ? Tr::tr("The target is not registered, so no sample is taken of it.") : metric.unsampled;
        return error;
    }
    const auto buckets = TrendBuckets::read(session, request);
    if (!buckets) {
        return buckets.error();
    }
    TrendAnswer answer;
    answer.metric = metric;
    answer.source = TrendSource::Samples;
    answer.buckets = buckets->starts();
    answer.end = buckets->end();
    answer.now = buckets->now();
    answer.lastOpen = buckets->lastOpen();
    if (answer.buckets.isEmpty()) {
        return answer;
    }
    if (isRecordedMetric(metric.id)) {
        const auto filled = readRecorded(session, request, *buckets, &answer);
        return filled ? Result<TrendAnswer>(answer) : Result<TrendAnswer>(needsConsole(filled.error()));
    }
    const qint64 bucketSeconds = durationSeconds(request.bucket).value_or(kHour);
    Statement statement;
    statement.bind(request.registeredName);
    statement.bind(metric.id);
    statement.bind(answer.buckets.constFirst().toRfc3339());
    statement.bind(answer.end.toRfc3339());
    // Hours where they are there, and minutes that were not rolled up yet.
    const QString resolutions = bucketSeconds < kHour
        ? u"s.resolution = 'minute'"_s
        : u"(s.resolution = 'hour' OR s.resolution = 'minute' AND s.bucket_start >= COALESCE(GREATEST("
          "(SELECT pg_catalog.max(h.bucket_start) FROM idemdesk.sample h WHERE h.resolution = 'hour' AND h.target = $1::pg_catalog.text AND h.metric = 'size'), "
          "(SELECT pg_catalog.max(h.bucket_start) FROM idemdesk.sample h WHERE h.resolution = 'hour' AND h.target = $1::pg_catalog.text AND h.metric = $2::pg_catalog.text)) "
          "+ pg_catalog.make_interval(hours => 1), '-infinity'))"_s;
    const QString bucket = buckets->bucketSql(statement, u"s.bucket_start"_s);
    const QString scope = request.byScope ? u"s.scope"_s : u"''::pg_catalog.text"_s;
    statement.sql = kSeries.arg(bucket, resolutions, scope, QString::number(qMax(1, request.top)));
    SeriesSet set(answer.buckets.size());
    QList<bool> known(answer.buckets.size(), false);
    double minutes = 0;
    qsizetype lastSeen = -1;
    const bool age = metric.unit == TrendUnit::Seconds;
    const auto read = session.each(statement, [&](const Row &row) {
        const qsizetype at = buckets->indexOf(Timestamp { Timestamp::Kind::Finite, row.integer(0) }); // a number: ten thousand texts take long to read
        if (at < 0) {
            return true;
        }
        known[at] = true;
        if (at != lastSeen) {
            minutes += row.text(4).toDouble();
            lastSeen = at;
        }
        const bool some = row.text(5) == u"t";
        const double mean = row.text(2).toDouble();
        const double value = age ? row.text(3).toDouble() : metric.gauge ? mean : mean * double(bucketSeconds) / 60;
        if (some) {
            const Cell named = row.cell(1);
            set.put(at, named.text == u"-" ? Cell() : named, value); // a sample keeps the largest scopes apart, and the others as one
        }
        return true;
    });
    if (!read) {
        return needsConsole(read.error());
    }
    answer.series = set.take(known);
    const double whole = double(answer.end.micros - answer.buckets.constFirst().micros) / 60e6;
    answer.notes += metric.gauge ? Tr::tr("From samples.") : Tr::tr("Reckoned from the minutes that were sampled.");
    answer.notes += Tr::tr("Samples were taken in %1 of %2 minutes; where there was none, there is a gap.")
                        .arg(qint64(minutes))
                        .arg(qint64(std::ceil(whole)));
    return answer;
}

Result<qint64> takeSample(Session &session, const QString &registeredName)
{
    Statement statement { u"SELECT idemdesk.take_sample($1::pg_catalog.text)"_s, {} };
    statement.bind(registeredName);
    const auto row = session.one(statement);
    return row ? Result<qint64>(row->constFirst().text.toLongLong()) : Result<qint64>(needsConsole(row.error()));
}

} // namespace idemdesk::sql
