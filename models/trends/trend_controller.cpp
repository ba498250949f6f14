// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/trend_controller.h"

#include "models/alerts/alert_model.h"
#include "models/alerts/alert_rules.h"
#include "models/trends/trend_merge.h"
#include "models/trends/trend_table_model.h"
#include "models/trends/trend_words.h"
#include "sql/lanes/database.h"
#include "sql/local/local_samples.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_metrics.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kTrendDeadlineMs = 120'000; // one pass over ten million rows on a busy server
constexpr int kWholeMs = 600'000; // keys change after their bucket is closed: so often everything is counted again
constexpr qint64 kFittingBuckets = 400;
constexpr qint64 kHourlySeconds = 14 * 86'400; // of a longer range a day's rhythm is a sawtooth, not a shape
constexpr qint64 kDaySeconds = 86'400;
constexpr qint64 kMinuteSeconds = 60;
constexpr qint64 kNewestSeconds = 600; // an older sample does not tell how it is now
constexpr int kEveryScope = 10'000;

/// From the database, or from this computer where the samples of a table that is not registered are wanted.
sql::Result<sql::TrendAnswer> readOne(
    sql::Session &session, const sql::Target &target, const sql::TrendRequest &request, const sql::LocalPlace &place)
{
    if (request.source == sql::TrendSource::Rows || !request.registeredName.isEmpty() || !place.kept()) {
        return sql::readTrend(session, target, request);
    }
    const auto metrics = sql::trendMetrics(target);
    const auto metric = std::find_if(
        metrics.cbegin(), metrics.cend(), [&request](const sql::TrendMetric &one) { return one.id == request.metric; });
    const bool elsewhere
        = sql::isRecordedMetric(request.metric) || request.metric == u"deadlocks" || request.metric == u"rollbacks";
    if (metric == metrics.cend() || !metric->available(sql::TrendSource::Samples) || elsewhere) {
        return sql::readTrend(session, target, request); // which says why not: these are kept in the database alone
    }
    TRY(const auto samples, sql::LocalSamples::open(place));
    return samples->trend(session, target.profile.name, *metric, request);
}

/// What happened in a day is no mean of its hours: only a level has a lowest and a highest one.
bool mayHaveBand(const sql::TrendAnswer &answer, const QString &bucket)
{
    return answer.source == sql::TrendSource::Samples && answer.metric.gauge && !answer.buckets.isEmpty()
        && sql::durationSeconds(bucket).value_or(0) > sql::kHour;
}

/// A level's open bucket is how it is now, and not the mean of what there is so far.
sql::Result<TrendReading> withNow(sql::Session &session, const sql::Target &target, const sql::TrendRequest &request,
    const sql::LocalPlace &place, const sql::TrendAnswer &answer)
{
    const bool level = answer.source == sql::TrendSource::Samples && answer.metric.gauge && answer.lastOpen
        && !answer.buckets.isEmpty() && sql::durationSeconds(request.bucket).value_or(0) > kMinuteSeconds;
    TrendReading reading;
    reading.answer = answer;
    if (!level) {
        return reading;
    }
    sql::TrendRequest minutes = request;
    minutes.bucket = u"1m"_s;
    minutes.since = sql::Timestamp { answer.end.kind, answer.end.micros - kNewestSeconds * sql::kMicros };
    minutes.until = answer.end;
    minutes.top = kEveryScope; // which of them stand apart is decided by the whole range
    TRY(const auto newest, readOne(session, target, minutes, place));
    reading.answer = withNewestSample(answer, newest);
    reading.sampledAt = newestSample(newest);
    return reading;
}

sql::Result<TrendReading> readAll(sql::Session &session, const sql::Target &target, const sql::TrendRequest &request,
    const sql::LocalPlace &place, bool compare)
{
    TRY(const auto read, readOne(session, target, request, place));
    TRY(auto reading, withNow(session, target, request, place, read));
    const sql::TrendAnswer &answer = reading.answer;
    if (compare && !answer.buckets.isEmpty() && (!answer.metric.gauge || request.source == sql::TrendSource::Samples)) {
        sql::TrendRequest before = request;
        const sql::Timestamp first = answer.buckets.constFirst();
        before.until = first;
        before.since = sql::Timestamp { first.kind, first.micros - (answer.end.micros - first.micros) };
        TRY(reading.previous, readOne(session, target, before, place));
    }
    if (mayHaveBand(answer, request.bucket)) {
        sql::TrendRequest hours = request;
        hours.bucket = u"1h"_s;
        hours.since = answer.buckets.constFirst();
        hours.until = answer.end;
        // A range of too many hours has no band: its line is what was asked for.
        if (auto hourly = readOne(session, target, hours, place)) {
            reading.hours = *hourly;
        }
    }
    return reading;
}

} // namespace

TrendController::TrendController(QObject *parent)
    : QObject(parent)
    , m_table(new TrendTableModel(this))
{
    connect(&m_reading, &Request::changed, this, &TrendController::changed);
}

TrendController::~TrendController() = default;

void TrendController::setDatabase(sql::Database *database)
{
    if (m_reading.setDatabase(database)) {
        m_scopeColors.clear();
        setTarget({});
    }
}

void TrendController::setTarget(const TargetEntry &entry)
{
    m_target = entry;
    m_reading.drop();
    m_reading.clearError();
    forget();
    m_metrics = entry.target.relation.oid != 0 ? sql::trendMetrics(entry.target) : QList<sql::TrendMetric>();
    emit changed();
    refresh();
}

void TrendController::setTimeFormat(const TimeFormat &format)
{
    if (m_format == format) {
        return;
    }
    m_format = format;
    m_table->setTimeFormat(format);
    read(true);
}

void TrendController::setEvents(const QList<TrendEvent> &events)
{
    const auto same = [](const TrendEvent &a, const TrendEvent &b) { return a.at == b.at && a.text == b.text; };
    if (!std::equal(events.cbegin(), events.cend(), m_events.cbegin(), m_events.cend(), same)) {
        m_events = events;
        emit changed();
    }
}

void TrendController::choose(const TrendChoice &choice)
{
    if (choice == m_choice && !error()) {
        return;
    }
    m_choice = choice;
    read(true);
}

QString TrendController::bucketFor(qint64 seconds)
{
    constexpr std::pair<qint64, const char16_t *> kLengths[]
        = { { 60, u"1m" }, { 300, u"5m" }, { 900, u"15m" }, { 3'600, u"1h" }, { kDaySeconds, u"1d" } };
    for (const auto &[length, name] : kLengths) {
        if (seconds / length <= kFittingBuckets && (length >= kDaySeconds || seconds <= kHourlySeconds)) {
            return QString::fromUtf16(name);
        }
    }
    return u"1w"_s;
}

QString TrendController::bucket() const
{
    if (!m_choice.bucket.isEmpty()) {
        return m_choice.bucket;
    }
    constexpr qint64 kMicros = 1'000'000;
    const bool own = m_choice.since && m_choice.until;
    return bucketFor(own ? (m_choice.until->micros - m_choice.since->micros) / kMicros : m_choice.spanSeconds);
}

sql::TrendRequest TrendController::request() const
{
    sql::TrendRequest request;
    request.metric = m_choice.metric;
    request.source = m_choice.source;
    request.registeredName = m_target.registration ? m_target.registration->name : QString();
    request.bucket = bucket();
    request.since = m_choice.since;
    request.until = m_choice.until;
    request.spanSeconds = m_choice.spanSeconds;
    request.zone = QString::fromLatin1(m_format.zone().id());
    request.byScope = m_choice.byScope && !m_choice.compare;
    return request;
}

void TrendController::refresh()
{
    read(false);
}

void TrendController::read(bool whole)
{
    if (m_reading.database() == nullptr || m_target.target.relation.oid == 0) {
        return;
    }
    sql::TrendRequest wanted = request();
    const bool upToNow = !wanted.since && !wanted.until && !m_choice.compare;
    const bool mayJoin = !whole && upToNow && m_answer && !m_wholeUntil.hasExpired();
    const auto from = mayJoin ? mergeFrom(*m_answer) : std::nullopt;
    if (from) {
        wanted.since = from;
    }
    m_reading.ask(
        { sql::LaneKind::Background, kTrendDeadlineMs },
        [target = m_target.target, wanted, place = m_place, compare = m_choice.compare](
            sql::Session &session) { return readAll(session, target, wanted, place, compare); },
        [this, part = from.has_value()](const sql::Result<TrendReading> &result) {
            if (!result) {
                forget();
            } else if (part) {
                acceptPart(result->answer);
            } else {
                m_wholeUntil.setRemainingTime(kWholeMs);
                accept(*result);
            }
        });
}

void TrendController::acceptPart(const sql::TrendAnswer &part)
{
    const auto joined = m_answer ? mergedTrend(*m_answer, part, m_choice.spanSeconds) : std::nullopt;
    if (joined) {
        accept({ *joined, std::nullopt, std::nullopt, std::nullopt });
    } else {
        read(true);
    }
}

void TrendController::forget()
{
    m_answer.reset();
    m_previous.reset();
    m_hours.reset();
    m_sampledAt.reset();
    m_table->clear();
}

void TrendController::accept(const TrendReading &reading)
{
    m_answer = reading.answer;
    m_previous = reading.previous;
    m_hours = reading.hours;
    m_sampledAt = reading.sampledAt;
    m_colors = m_scopeColors.of(m_target.target.profile.name, *m_answer);
    m_table->setAnswer(*m_answer, m_previous);
}

void TrendController::cancel()
{
    m_reading.cancel();
}

QList<TrendLimit> TrendController::limits() const
{
    QList<TrendLimit> limits;
    const auto rules = m_target.target.relation.oid != 0 ? alertRules(m_target.target)
                                                         : sql::Result<QList<sql::AlertRule>>(QList<sql::AlertRule>());
    for (const sql::AlertRule &rule : rules ? *rules : QList<sql::AlertRule>()) {
        if (rule.metric == m_choice.metric && rule.form == sql::AlertForm::Above) {
            limits.append({ rule.limit, tr("Alert: %1").arg(alertLimitText(rule)) });
        }
    }
    return limits;
}

QString TrendController::filterAt(qsizetype bucket, qsizetype series) const
{
    if (!m_answer || bucket < 0 || bucket >= m_answer->buckets.size()) {
        return {};
    }
    QStringList labels;
    for (const sql::LabelledExpression &part : m_target.target.profile.scope) {
        labels += part.label;
    }
    const bool one = series >= 0 && series < m_answer->series.size() && !m_answer->series.at(series).other;
    const sql::Timestamp to = bucket + 1 < m_answer->buckets.size() ? m_answer->buckets.at(bucket + 1) : m_answer->end;
    return trendFilter(m_answer->metric, m_answer->buckets.at(bucket), to, labels,
        one ? m_answer->series.at(series).scope : sql::Cells());
}

} // namespace idemdesk::models

#include "moc_trend_controller.cpp"
