// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/trend_samples.h"

#include "sql/trends/sampled_fold.h"
#include "sql/trends/trend_buckets.h"
#include "sql/trends/trend_metrics.h"
#include "sql/trends/trend_records.h"
#include "sql/types/tr.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// $1 name, $2 metric, $3 since, $4 until; %1 the bucket in seconds, %2 the resolutions, %3 the scope. One line a scope, with its buckets
// in one text: a row for each point would take three times as long to fetch. Putting scopes together is left to the client, too.
const QString kValues = QStringLiteral(
    "SELECT x.s, pg_catalog.string_agg(x.b::pg_catalog.text || ' ' || x.v::pg_catalog.text || ' ' || x.h::pg_catalog.text || ' ' || x.n::pg_catalog.text, ',') FROM "
    "(SELECT %1 AS b, %3 AS s, pg_catalog.sum(s.value * s.samples) AS v, pg_catalog.max(s.highest) AS h, pg_catalog.sum(s.samples) AS n FROM idemdesk.sample_seen s "
    "WHERE s.target = $1::pg_catalog.text AND s.metric = $2::pg_catalog.text AND %2 "
    "AND s.bucket_start >= $3::pg_catalog.timestamptz AND s.bucket_start < $4::pg_catalog.timestamptz GROUP BY 1, 2) x GROUP BY 1");

Error samplesNeedConsole(Error error)
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
        return filled ? Result<TrendAnswer>(answer) : Result<TrendAnswer>(samplesNeedConsole(filled.error()));
    }
    const qint64 bucketSeconds = durationSeconds(request.bucket).value_or(kHour);
    SampledFold fold(answer.buckets.size(), request.byScope, request.top);
    // Each sample stores the table's size, once: that tells how many there were; less those to which rows were hidden.
    double hidden = 0;
    double unreadable = 0;
    QStringList wantedOnes { u"size"_s };
    if (isToldByRows(metric.id)) {
        wantedOnes += { u"hidden"_s, u"unreadable"_s };
    }
    wantedOnes += metric.id;
    for (qsizetype i = 0; i < wantedOnes.size(); ++i) {
        const QString &wanted = wantedOnes.at(i);
        const bool counting = i == 0;
        const bool doubt = !counting && i + 1 < wantedOnes.size();
        Statement statement;
        statement.bind(request.registeredName);
        statement.bind(wanted);
        statement.bind(answer.buckets.constFirst().toRfc3339());
        statement.bind(answer.end.toRfc3339());
        // Hours where they are there, and minutes that were not rolled up yet.
        const QString resolutions = bucketSeconds < kHour
            ? u"s.resolution = 'minute'"_s
            : u"(s.resolution = 'hour' OR s.resolution = 'minute' AND s.bucket_start >= COALESCE((SELECT pg_catalog.max(h.bucket_start) FROM idemdesk.sample_seen h "
              "WHERE h.resolution = 'hour' AND h.target = $1::pg_catalog.text AND h.metric = 'size') + pg_catalog.make_interval(hours => 1), '-infinity'))"_s;
        const QString bucket = u"pg_catalog.date_part('epoch', "_s + buckets->bucketSql(statement, u"s.bucket_start"_s) + u")::pg_catalog.int8"_s; // EXTRACT counts in numeric
        statement.sql = kValues.arg(bucket, resolutions, request.byScope && !counting && !doubt ? u"s.scope"_s : u"''::pg_catalog.text"_s);
        const auto read = session.each(statement, [&](const Row &row) {
            const QString scope = row.text(0);
            const QString points = row.text(1);
            for (const QStringView point : QStringView(points).split(u',', Qt::SkipEmptyParts)) {
                const QList<QStringView> parts = point.split(u' ');
                const qsizetype at = buckets->indexOf(Timestamp { Timestamp::Kind::Finite, parts.value(0).toLongLong() * kMicros });
                if (counting) {
                    fold.taken(at, parts.value(3).toDouble());
                } else if (doubt) {
                    const double samples = parts.value(3).toDouble();
                    (wanted == u"hidden" ? hidden : unreadable) += samples;
                    fold.taken(at, wanted == u"hidden" ? -samples : 0);
                } else {
                    fold.add(at, scope, parts.value(1).toDouble(), parts.value(2).toDouble());
                }
            }
            return true;
        });
        if (!read) {
            return samplesNeedConsole(read.error());
        }
    }
    answer.series = fold.series(metric, bucketSeconds);
    answer.partly = hidden > 0 || unreadable > 0;
    if (hidden > 0) {
        answer.notes += hiddenMinutesNote(hidden);
    }
    if (unreadable > 0) {
        answer.notes += Tr::tr("In %n sampled minute(s) some rows could not be read, so there may be more than is shown.", nullptr, int(unreadable));
    }
    const double whole = double(answer.end.micros - answer.buckets.constFirst().micros) / 60e6;
    answer.notes += metric.gauge ? Tr::tr("From samples.") : Tr::tr("Reckoned from the minutes that were sampled.");
    answer.notes += Tr::tr("Samples were taken in %L1 of %L2 minutes; where there was none, there is a gap.")
                        .arg(qint64(fold.samples()))
                        .arg(qint64(std::ceil(whole)));
    return answer;
}

Result<qint64> takeSample(Session &session, const QString &registeredName)
{
    Statement statement { u"SELECT idemdesk.take_sample($1::pg_catalog.text)"_s, {} };
    statement.bind(registeredName);
    const auto row = session.one(statement);
    return row ? Result<qint64>(row->constFirst().text.toLongLong()) : Result<qint64>(samplesNeedConsole(row.error()));
}

} // namespace idemdesk::sql
