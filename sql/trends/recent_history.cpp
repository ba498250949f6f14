// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/recent_history.h"

#include "sql/session/server_clock.h"
#include "sql/trends/sampled_fold.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_metrics.h"
#include "sql/trends/withheld_metrics.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kDayHours = 25; // the one that is still filling, too
constexpr qint64 kHoursOfDay = 24;
constexpr int kMostScopes = 20; // with a series of their own; the rest is one

// $1 names and $2 metrics as JSON lists, $3 since, $4 until, $5 a bucket in seconds, $6 how many seconds of each day
// are wanted. %1 the scope, %2 the resolutions. One line a series, with its buckets in one text.
const QString kSeries = uR"(
WITH wanted AS (SELECT x.name FROM pg_catalog.jsonb_array_elements_text($1::pg_catalog.jsonb) AS x (name)),
rolled AS (
    SELECT s.target, pg_catalog.max(s.bucket_start) + pg_catalog.make_interval(hours => 1) AS until
      FROM idemdesk.sample_seen s
     WHERE s.resolution = 'hour' AND s.metric = 'size' AND s.target = ANY (ARRAY(SELECT w.name FROM wanted w))
       AND s.bucket_start >= $3::pg_catalog.timestamptz
     GROUP BY 1),
points AS (
    SELECT s.target, s.metric, %1 AS scope,
           (pg_catalog.date_part('epoch', s.bucket_start - $3::pg_catalog.timestamptz)
              / $5::pg_catalog.float8)::pg_catalog.numeric AS place,
           s.value * s.samples AS amount, s.highest, s.samples
      FROM idemdesk.sample_seen s LEFT JOIN rolled r ON r.target = s.target
     WHERE s.target = ANY (ARRAY(SELECT w.name FROM wanted w))
       AND s.metric = ANY (ARRAY(SELECT m FROM pg_catalog.jsonb_array_elements_text($2::pg_catalog.jsonb) m))
       AND s.bucket_start >= $3::pg_catalog.timestamptz AND s.bucket_start < $4::pg_catalog.timestamptz
       AND pg_catalog.date_part('epoch', s.bucket_start - $3::pg_catalog.timestamptz)::pg_catalog.int8 % 86400
           < $6::pg_catalog.int8
       AND %2),
sums AS (
    SELECT p.target, p.metric, p.scope, pg_catalog.floor(p.place) AS b, pg_catalog.sum(p.amount) AS amount,
           pg_catalog.max(p.highest) AS highest, pg_catalog.sum(p.samples) AS samples
      FROM points p GROUP BY 1, 2, 3, 4)
SELECT x.target, x.metric, x.scope,
       pg_catalog.string_agg(x.b || ' ' || x.amount || ' ' || x.highest || ' ' || x.samples, ',')
  FROM sums x GROUP BY 1, 2, 3)"_s;

const QString kMinuteSamples = u"s.resolution = 'minute'"_s;
// Hours where they are there, and the minutes that were not put together yet.
const QString kRecentHoursThenMinutes
    = u"(s.resolution = 'hour' OR s.resolution = 'minute' AND s.bucket_start >= COALESCE(r.until, '-infinity'))"_s;

struct Span {
    Timestamp since;
    qsizetype buckets = 0;
    qint64 seconds = kHour; ///< of a bucket
    qint64 ofEachDay = kDay; ///< in seconds from the time of `since` on
    bool byScope = false;

    Timestamp until() const { return { Timestamp::Kind::Finite, since.micros + buckets * seconds * kMicros }; }
};

struct Point {
    QString scope;
    qsizetype bucket = 0;
    double amount = 0;
    double highest = 0;
    double samples = 0;
};
/// By table and metric.
using Points = QMap<QString, QMap<QString, QList<Point>>>;

QString jsonList(const QStringList &texts)
{
    return QString::fromUtf8(QJsonDocument(QJsonArray::fromStringList(texts)).toJson(QJsonDocument::Compact));
}

Result<Points> readPoints(Session &session, const QStringList &names, const QStringList &metrics, const Span &span,
    const QString &resolutions)
{
    Statement statement;
    statement.bind(jsonList(names));
    statement.bind(jsonList(metrics + QStringList { u"size"_s, u"hidden"_s, u"unreadable"_s }));
    statement.bind(span.since.toRfc3339());
    statement.bind(span.until().toRfc3339());
    statement.bind(QString::number(span.seconds));
    statement.bind(QString::number(span.ofEachDay));
    statement.sql = kSeries.arg(span.byScope ? u"s.scope"_s : u"''::pg_catalog.text"_s, resolutions);
    Points points;
    TRY(session.each(statement, [&](const Row &row) {
        QList<Point> &series = points[row.text(0)][row.text(1)];
        const QString scope = row.text(2);
        const QString list = row.text(3);
        for (const QStringView text : QStringView(list).split(u',', Qt::SkipEmptyParts)) {
            const QList<QStringView> parts = text.split(u' ');
            series.append({ scope, qsizetype(parts.value(0).toDouble()), parts.value(1).toDouble(),
                parts.value(2).toDouble(), parts.value(3).toDouble() });
        }
        return true;
    }));
    return points;
}

/// The series of one metric over a span, from the points of its table.
QList<TrendSeries> seriesOf(const QMap<QString, QList<Point>> &table, const TrendMetric &metric, const Span &span)
{
    SampledFold fold(span.buckets, span.byScope, kMostScopes);
    for (const Point &point : table.value(u"size"_s)) {
        fold.taken(point.bucket, point.samples);
    }
    for (const Point &point : isToldByRows(metric.id) ? table.value(u"hidden"_s) : QList<Point>()) {
        fold.taken(point.bucket, -point.samples);
    }
    for (const Point &point : table.value(metric.id)) {
        fold.add(point.bucket, point.scope, point.amount, point.highest);
    }
    return fold.series(metric, span.seconds);
}

bool anyOf(const HistoryValues &values)
{
    return std::any_of(values.cbegin(), values.cend(), [](const auto &value) { return value.has_value(); });
}

/// The three spans of all tables.
struct Spans {
    Span day;
    Span hour;
    Span before;
    Points ofDay;
    Points ofHour;
    Points ofBefore;
    QMap<QString, QStringList> withheld; ///< metrics that this login is not shown, by table
};

TableHistory historyOf(const HistorySource &source, const Spans &spans)
{
    TableHistory history;
    history.hourBegan = spans.hour.since;
    const auto &day = spans.ofDay.value(source.registeredName);
    history.partly = day.contains(u"unreadable"_s) || day.contains(u"hidden"_s);
    const QStringList withheld = spans.withheld.value(source.registeredName);
    const QList<TrendMetric> metrics = trendMetrics(source.target);
    for (const TrendMetric &metric : metrics) {
        if (!metric.available(TrendSource::Samples)) {
            continue;
        }
        if (withheld.contains(metric.id)) { // zeros would say that nothing was there
            history.missing.insert(metric.id, Tr::tr("This login may not read the whole table."));
            continue;
        }
        if (dayMetrics().contains(metric.id)) {
            const QList<TrendSeries> series = seriesOf(day, metric, spans.day);
            const HistoryValues values = series.isEmpty() ? HistoryValues() : series.constFirst().values;
            if (anyOf(values)) {
                history.day.insert(metric.id, values);
            } else {
                history.missing.insert(metric.id, Tr::tr("No sample of the last day tells it."));
            }
        }
        if (comparedMetrics().contains(metric.id)) {
            const QList<TrendSeries> now = seriesOf(spans.ofHour.value(source.registeredName), metric, spans.hour);
            const QList<TrendSeries> then = seriesOf(spans.ofBefore.value(source.registeredName), metric, spans.before);
            history.scopes += comparedScopes(metric.id, now, then, history.hourBegan);
        }
    }
    return history;
}

} // namespace

QStringList dayMetrics()
{
    return { u"stale"_s, u"oldest_stale"_s, u"failures_retryable"_s, u"failures_final"_s, u"backlog"_s, u"retries"_s };
}

QStringList comparedMetrics()
{
    return { u"failures_final"_s, u"failures_retryable"_s, u"stale"_s, u"retries"_s, u"backlog"_s, u"claims"_s };
}

Timestamp comparedHour(const Timestamp &now)
{
    constexpr qint64 slot = TableHistory::kSlotSeconds * kMicros;
    return { Timestamp::Kind::Finite, now.micros / slot * slot - TableHistory::kSlots * slot };
}

QList<ScopeHistory> comparedScopes(
    const QString &metric, const QList<TrendSeries> &now, const QList<TrendSeries> &then, const Timestamp &hourBegan)
{
    QList<ScopeHistory> scopes;
    for (const TrendSeries &series : now) {
        const auto same = std::find_if(then.cbegin(), then.cend(),
            [&series](const TrendSeries &one) { return one.other == series.other && one.scope == series.scope; });
        // A scope that those days did not know had nothing then, as far as there were samples.
        HistoryValues hours = same != then.cend() ? same->values : HistoryValues();
        if (hours.isEmpty() && !then.isEmpty()) {
            hours = then.constFirst().values;
            for (auto &value : hours) {
                value = value ? std::optional(0.0) : std::nullopt;
            }
        }
        scopes.append({ metric, series.scope, series.other, series.values, hourOfEachDay(hours, hourBegan) });
    }
    return scopes;
}

HistoryValues hourOfEachDay(const HistoryValues &hours, const Timestamp &began)
{
    // The hour lies across two of the clock's, unless it begins with one.
    const double second = double(began.micros % (kHour * kMicros)) / double(kHour * kMicros);
    HistoryValues days;
    for (int day = 1; day <= TableHistory::kDays; ++day) {
        const qsizetype at = (TableHistory::kDays - day) * kHoursOfDay;
        const auto first = hours.value(at);
        const auto next = second > 0 ? hours.value(at + 1) : std::optional(0.0);
        days += first && next ? std::optional(*first + (*next - *first) * second) : std::nullopt;
    }
    return days;
}

Result<QMap<QString, TableHistory>> readRecentHistory(Session &session, const QList<HistorySource> &sources)
{
    QStringList names;
    for (const HistorySource &source : sources) {
        names += source.registeredName;
    }
    TRY(const auto now, serverNow(session));
    constexpr qint64 hour = kHour * kMicros;
    Spans spans;
    spans.day.buckets = kDayHours;
    spans.day.since = { Timestamp::Kind::Finite, now.micros / hour * hour - (kDayHours - 1) * hour };
    spans.hour.since = comparedHour(now);
    spans.hour.buckets = TableHistory::kSlots;
    spans.hour.seconds = TableHistory::kSlotSeconds;
    spans.hour.byScope = true;
    spans.before.since
        = { Timestamp::Kind::Finite, spans.hour.since.micros / hour * hour - TableHistory::kDays * kHoursOfDay * hour };
    spans.before.buckets = TableHistory::kDays * kHoursOfDay;
    spans.before.ofEachDay = 2 * kHour;
    spans.before.byScope = true;
    TRY(spans.withheld, withheldMetrics(session, names, dayMetrics() + comparedMetrics()));
    TRY(spans.ofDay, readPoints(session, names, dayMetrics(), spans.day, kRecentHoursThenMinutes));
    TRY(spans.ofHour, readPoints(session, names, comparedMetrics(), spans.hour, kMinuteSamples));
    TRY(spans.ofBefore, readPoints(session, names, comparedMetrics(), spans.before, kRecentHoursThenMinutes));
    QMap<QString, TableHistory> histories;
    for (const HistorySource &source : sources) {
        histories.insert(source.registeredName, historyOf(source, spans));
    }
    return histories;
}

} // namespace idemdesk::sql
