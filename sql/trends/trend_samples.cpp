// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/trend_samples.h"

#include "sql/trends/sampled_fold.h"
#include "sql/trends/trend_buckets.h"
#include "sql/trends/trend_metrics.h"
#include "sql/trends/trend_records.h"
#include "sql/trends/withheld_metrics.h"
#include "sql/types/tr.h"

#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// $1 name, $2 metric, $3 since, $4 until; %1 the bucket in seconds, %2 the resolutions, %3 the scope. One line a scope,
// with its buckets in one text: a row for each point would take three times as long to fetch. Putting scopes together
// is left to the client, too.
const QString kValues = uR"(
SELECT x.s, pg_catalog.string_agg(x.b::pg_catalog.text || ' ' || x.v::pg_catalog.text || ' ' ||
                                  x.h::pg_catalog.text || ' ' || x.n::pg_catalog.text, ',')
  FROM (SELECT %1 AS b, %3 AS s, pg_catalog.sum(s.value * s.samples) AS v, pg_catalog.max(s.highest) AS h,
               pg_catalog.sum(s.samples) AS n
          FROM idemdesk.sample_seen s
         WHERE s.target = $1::pg_catalog.text AND s.metric = $2::pg_catalog.text AND %2
           AND s.bucket_start >= $3::pg_catalog.timestamptz AND s.bucket_start < $4::pg_catalog.timestamptz
         GROUP BY 1, 2) x
 GROUP BY 1)"_s;

// Hours where they are there, and minutes that were not rolled up yet.
const QString kHoursThenMinutes = uR"((s.resolution = 'hour' OR s.resolution = 'minute'
           AND s.bucket_start >= COALESCE((SELECT pg_catalog.max(h.bucket_start) FROM idemdesk.sample_seen h
                WHERE h.resolution = 'hour' AND h.target = $1::pg_catalog.text AND h.metric = 'size')
              + pg_catalog.make_interval(hours => 1), '-infinity')))"_s;

Error samplesNeedConsole(Error error)
{
    if (error.sqlState == u"42P01" || error.sqlState == u"3F000" || error.sqlState == u"42501") {
        error.what = Tr::tr("There are no samples to read.");
        error.why = error.sqlState == u"42501" ? Tr::tr("This login is not a member of idemdesk_viewer.")
                                               : Tr::tr("The console schema is not installed in this database.");
        error.todo = Tr::tr("Show the trend from rows, or ask an administrator.");
    }
    return error;
}

/// Folds the samples of one metric: each of its points is handed on as scope, bucket, sum, highest and how many.
class SampleReader
{
public:
    struct Point {
        qsizetype bucket = -1;
        double sum = 0;
        double highest = 0;
        double samples = 0;
    };
    using Taker = std::function<void(const QString &scope, const Point &point)>;

    SampleReader(Session &session, const TrendRequest &request, const TrendBuckets &buckets, qint64 bucketSeconds)
        : m_session(session)
        , m_request(request)
        , m_buckets(buckets)
        , m_resolutions(bucketSeconds < kHour ? u"s.resolution = 'minute'"_s : kHoursThenMinutes)
    {
    }

    Result<void> each(const QString &metric, bool byScope, const Taker &take) const
    {
        Statement statement;
        statement.bind(m_request.registeredName);
        statement.bind(metric);
        statement.bind(m_buckets.starts().constFirst().toRfc3339());
        statement.bind(m_buckets.end().toRfc3339());
        const QString bucket = u"pg_catalog.date_part('epoch', "_s + m_buckets.bucketSql(statement, u"s.bucket_start"_s)
            + u")::pg_catalog.int8"_s; // EXTRACT counts in numeric
        statement.sql = kValues.arg(bucket, m_resolutions, byScope ? u"s.scope"_s : u"''::pg_catalog.text"_s);
        TRY_OR(samplesNeedConsole, m_session.each(statement, [&](const Row &row) {
            const QString scope = row.text(0);
            const QString points = row.text(1);
            for (const QStringView point : QStringView(points).split(u',', Qt::SkipEmptyParts)) {
                const QList<QStringView> parts = point.split(u' ');
                const Timestamp at { Timestamp::Kind::Finite, parts.value(0).toLongLong() * kMicros };
                take(scope,
                    { m_buckets.indexOf(at), parts.value(1).toDouble(), parts.value(2).toDouble(),
                        parts.value(3).toDouble() });
            }
            return true;
        }));
        return {};
    }

private:
    Session &m_session;
    const TrendRequest &m_request;
    const TrendBuckets &m_buckets;
    QString m_resolutions;
};

/// How many minutes were sampled in which not every row told.
struct DoubtfulMinutes {
    double hidden = 0; ///< row security hid rows
    double unreadable = 0; ///< rows could not be read
};

void addNotes(const TrendMetric &metric, const DoubtfulMinutes &doubtful, double samples, TrendAnswer *answer)
{
    answer->partly = doubtful.hidden > 0 || doubtful.unreadable > 0;
    if (doubtful.hidden > 0) {
        answer->notes += hiddenMinutesNote(doubtful.hidden);
    }
    if (doubtful.unreadable > 0) {
        answer->notes
            += Tr::tr("In %n sampled minute(s) some rows could not be read, so there may be more than is shown.",
                nullptr, int(doubtful.unreadable));
    }
    const double whole = double(answer->end.micros - answer->buckets.constFirst().micros) / 60e6;
    answer->notes += metric.gauge ? Tr::tr("From samples.") : Tr::tr("Reckoned from the minutes that were sampled.");
    answer->notes += Tr::tr("Samples were taken in %L1 of %L2 minutes; where there was none, there is a gap.")
                         .arg(qint64(samples))
                         .arg(qint64(std::ceil(whole)));
}

/// What a login is not shown has no line: zeros would say that nothing was there.
Result<void> demandShown(Session &session, const TrendMetric &metric, const TrendRequest &request)
{
    TRY_OR(samplesNeedConsole, const auto withheld, withheldMetrics(session, request.registeredName, { metric.id }));
    if (withheld.isEmpty()) {
        return {};
    }
    return makeError(ErrorKind::Privilege, Tr::tr("The samples of “%1” are not shown to this login.").arg(metric.id),
        Tr::tr("It may not read every row and column of the table."),
        Tr::tr("Connect with a login that may, or ask an administrator."));
}

} // namespace

Result<TrendAnswer> readSampledTrend(Session &session, const TrendMetric &metric, const TrendRequest &request)
{
    if (!metric.available(TrendSource::Samples) || request.registeredName.isEmpty()) {
        return makeError(ErrorKind::NotSaid, Tr::tr("Samples cannot tell “%1”.").arg(metric.id),
            request.registeredName.isEmpty() ? Tr::tr("The target is not registered, so no sample is taken of it.")
                                             : metric.unsampled);
    }
    TRY(const auto buckets, TrendBuckets::read(session, request));
    TrendAnswer answer = buckets.emptyAnswer(metric, TrendSource::Samples);
    if (answer.buckets.isEmpty()) {
        return answer;
    }
    if (isRecordedMetric(metric.id)) {
        TRY_OR(samplesNeedConsole, readRecorded(session, request, buckets, &answer));
        return answer;
    }
    TRY(demandShown(session, metric, request));
    const qint64 bucketSeconds = durationSeconds(request.bucket).value_or(kHour);
    SampledFold fold(answer.buckets.size(), request.byScope, request.top);
    const SampleReader samples(session, request, buckets, bucketSeconds);
    // Each sample stores the table's size, once: that tells how many there were; less those to which rows were hidden.
    using Point = SampleReader::Point;
    // A look at the cache stores its memory once as well.
    TRY(samples.each(isSampledFromCache(metric.id) ? u"cache_memory"_s : u"size"_s, false,
        [&](const QString &, const Point &point) { fold.taken(point.bucket, point.samples); }));
    DoubtfulMinutes doubtful;
    if (isToldByRows(metric.id)) {
        TRY(samples.each(u"hidden"_s, false, [&](const QString &, const Point &point) {
            doubtful.hidden += point.samples;
            fold.taken(point.bucket, -point.samples);
        }));
        TRY(samples.each(u"unreadable"_s, false,
            [&](const QString &, const Point &point) { doubtful.unreadable += point.samples; }));
    }
    TRY(samples.each(metric.id, request.byScope,
        [&](const QString &scope, const Point &point) { fold.add(point.bucket, scope, point.sum, point.highest); }));
    answer.series = fold.series(metric, bucketSeconds);
    addNotes(metric, doubtful, fold.samples(), &answer);
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
