// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overview/glance.h"

#include "sql/lanes/database.h"
#include "sql/local/local_samples.h"
#include "sql/trends/trend_gateway.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kGlanceDeadlineMs = 10'000;
constexpr double kFewRows = 300'000; ///< counted in well under a second

bool some(const sql::TrendAnswer &answer)
{
    return std::any_of(answer.series.cbegin(), answer.series.cend(), [](const sql::TrendSeries &series) {
        return std::any_of(
            series.values.cbegin(), series.values.cend(), [](const auto &value) { return value.has_value(); });
    });
}

sql::Result<sql::TrendAnswer> sampled(sql::Session &session, const TargetEntry &entry, const sql::TrendMetric &metric,
    sql::TrendRequest request, const sql::LocalPlace &place)
{
    request.source = sql::TrendSource::Samples;
    if (entry.registration) {
        request.registeredName = entry.registration->name;
        return sql::readTrend(session, entry.target, request);
    }
    TRY(const auto samples, sql::LocalSamples::open(place));
    return samples->trend(session, entry.target.profile.name, metric, request);
}

sql::Result<QList<Glance::Line>> readLines(
    sql::Session &session, const TargetEntry &entry, const sql::LocalPlace &place)
{
    QList<Glance::Line> lines;
    const auto metrics = sql::trendMetrics(entry.target);
    for (const char16_t *id : { u"stale", u"retries" }) {
        const auto found = std::find_if(metrics.cbegin(), metrics.cend(),
            [id](const sql::TrendMetric &metric) { return metric.id == QStringView(id); });
        Glance::Line line { *found, std::nullopt, {} };
        sql::TrendRequest request;
        request.metric = line.metric.id;
        request.bucket = u"1h"_s; // of which samples are kept for long
        if (line.metric.available(sql::TrendSource::Samples) && (entry.registration || place.kept())) {
            const auto answer = sampled(session, entry, line.metric, request, place);
            if (answer && some(*answer)) {
                line.answer = *answer;
            } else if (!answer && answer.error().kind == sql::ErrorKind::ConnectionLost) {
                return answer.error();
            }
        }
        const bool countable
            = line.metric.available() && !line.metric.gauge && entry.target.relation.estimatedRows <= kFewRows;
        if (!line.answer && countable) {
            const auto answer = sql::readTrend(session, entry.target, request);
            if (answer && some(*answer)) {
                line.answer = *answer;
            }
        }
        if (!line.answer) {
            line.why = !line.metric.available(sql::TrendSource::Samples) && !line.metric.available()
                ? line.metric.missing
                : Glance::tr("No sample yet; one is taken each minute while the console is open.");
        }
        lines += line;
    }
    return lines;
}

} // namespace

Glance::Glance(QObject *parent)
    : QObject(parent)
{
}

Glance::~Glance() = default;

void Glance::setDatabase(sql::Database *database)
{
    if (m_reading.setDatabase(database)) {
        setTarget({});
    }
}

void Glance::setTarget(const TargetEntry &entry)
{
    m_reading.drop();
    m_target = entry;
    m_name = entry.target.profile.name;
    m_lines.clear();
    emit changed();
    refresh();
}

void Glance::refresh()
{
    if (m_target.target.relation.oid == 0) {
        return;
    }
    m_reading.ask(
        { sql::LaneKind::Background, kGlanceDeadlineMs },
        [entry = m_target, place = m_place](sql::Session &session) { return readLines(session, entry, place); },
        [this](const sql::Result<QList<Line>> &lines) {
            if (lines) { // what cannot be read is said by the table above
                m_lines = *lines;
                emit changed();
            }
        });
}

} // namespace idemdesk::models

#include "moc_glance.cpp"
