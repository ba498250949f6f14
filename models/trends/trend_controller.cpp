// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/trend_controller.h"

#include "models/async.h"
#include "models/trends/trend_table_model.h"
#include "models/trends/trend_words.h"
#include "sql/lanes/database.h"
#include "sql/trends/trend_gateway.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kDeadlineMs = 120'000; // one pass over ten million rows on a busy server
constexpr qint64 kFittingBuckets = 400;

struct Both {
    sql::TrendAnswer answer;
    std::optional<sql::TrendAnswer> previous;
};

sql::Result<Both> readBoth(sql::Session &session, const sql::Target &target, const sql::TrendRequest &request, bool compare)
{
    const auto answer = sql::readTrend(session, target, request);
    if (!answer) {
        return answer.error();
    }
    Both both { *answer, std::nullopt };
    if (compare && !answer->buckets.isEmpty() && (!answer->metric.gauge || request.source == sql::TrendSource::Samples)) {
        sql::TrendRequest before = request;
        const sql::Timestamp first = answer->buckets.constFirst();
        before.until = first;
        before.since = sql::Timestamp { first.kind, first.micros - (answer->end.micros - first.micros) };
        const auto previous = sql::readTrend(session, target, before);
        if (!previous) {
            return previous.error();
        }
        both.previous = *previous;
    }
    return both;
}

} // namespace

TrendController::TrendController(QObject *parent)
    : QObject(parent)
    , m_table(new TrendTableModel(this))
{
}

TrendController::~TrendController() = default;

void TrendController::setDatabase(sql::Database *database)
{
    if (m_database == database) {
        return;
    }
    m_database = database;
    setTarget({});
}

void TrendController::setTarget(const TargetEntry &entry)
{
    m_target = entry;
    ++m_ticket;
    m_busy = false;
    m_error.reset();
    m_answer.reset();
    m_previous.reset();
    m_table->clear();
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
    refresh();
}

void TrendController::choose(const TrendChoice &choice)
{
    if (choice == m_choice && !m_error) {
        return;
    }
    m_choice = choice;
    refresh();
}

QString TrendController::bucketFor(qint64 seconds)
{
    constexpr std::pair<qint64, const char16_t *> kLengths[] = { { 60, u"1m" }, { 300, u"5m" }, { 900, u"15m" }, { 3'600, u"1h" }, { 21'600, u"6h" },
        { 86'400, u"1d" } };
    for (const auto &[length, name] : kLengths) {
        if (seconds / length <= kFittingBuckets) {
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
    if (m_database == nullptr || m_target.target.relation.oid == 0) {
        return;
    }
    m_busy = true;
    const quint64 ticket = ++m_ticket;
    auto future = m_database->run(sql::LaneKind::Background, { u"trends"_s, kDeadlineMs, true },
        [target = m_target.target, request = request(), compare = m_choice.compare](sql::Session &session) { return readBoth(session, target, request, compare); });
    whenDone(future, this, [this, ticket](const sql::Result<Both> &result) {
        if (ticket != m_ticket) {
            return;
        }
        m_busy = false;
        m_error.reset();
        if (result) {
            m_answer = result->answer;
            m_previous = result->previous;
            m_table->setAnswer(*m_answer, m_previous);
        } else {
            m_error = result.error();
            m_answer.reset();
            m_previous.reset();
            m_table->clear();
        }
        emit changed();
    });
    emit changed();
}

void TrendController::cancel()
{
    if (m_busy && m_database != nullptr) {
        m_database->cancel(u"trends"_s);
    }
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
    return trendFilter(m_answer->metric, m_answer->buckets.at(bucket), to, labels, one ? m_answer->series.at(series).scope : sql::Cells());
}

} // namespace idemdesk::models

#include "moc_trend_controller.cpp"
