// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_history.h"

#include "sql/lanes/database.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_samples.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

sql::Result<sql::TrendAnswer> readOne(
    sql::Session &session, const sql::Target &target, const QString &registeredName, const QString &id)
{
    const QList<sql::TrendMetric> metrics = sql::trendMetrics(target);
    const auto metric
        = std::find_if(metrics.cbegin(), metrics.cend(), [&id](const sql::TrendMetric &one) { return one.id == id; });
    sql::TrendRequest request;
    request.metric = id;
    request.source = sql::TrendSource::Samples;
    request.registeredName = registeredName;
    request.bucket = u"15m"_s;
    return sql::readSampledTrend(session, metric == metrics.cend() ? sql::TrendMetric() : *metric, request);
}

} // namespace

sql::TrendAnswer hitRatio(const sql::TrendAnswer &lookups, const sql::TrendAnswer &misses)
{
    sql::TrendAnswer answer = lookups;
    answer.metric = { u"cache_hit_ratio"_s, Tr::tr("Cache hits"),
        Tr::tr("Look-ups of all clients that Redis answered from what it holds."), sql::TrendUnit::Ratio, true };
    answer.series.clear();
    if (lookups.series.isEmpty()) {
        return answer;
    }
    sql::TrendSeries series;
    const auto &all = lookups.series.constFirst().values;
    for (qsizetype i = 0; i < all.size(); ++i) {
        const auto missed
            = misses.series.isEmpty() ? std::optional<double>(0) : misses.series.constFirst().values.value(i);
        series.values += all.at(i) && missed && *all.at(i) > 0
            ? std::optional(std::clamp(1 - *missed / *all.at(i), 0.0, 1.0))
            : std::nullopt;
    }
    answer.series = { series };
    return answer;
}

CacheHistory::CacheHistory(QObject *parent)
    : QObject(parent)
{
    connect(&m_reading, &Request::changed, this, &CacheHistory::changed);
}

void CacheHistory::setDatabase(sql::Database *database)
{
    if (m_reading.setDatabase(database)) {
        m_answer.reset();
        emit changed();
    }
}

void CacheHistory::setTarget(const sql::Target &target, const QString &registeredName)
{
    if (registeredName != m_registeredName || target.relation.sql != m_target.relation.sql) {
        m_reading.drop();
        m_reading.clearError();
        m_answer.reset();
        emit changed();
    }
    m_target = target;
    m_registeredName = registeredName;
}

void CacheHistory::read()
{
    if (m_registeredName.isEmpty() || !m_target.profile.cache) {
        return;
    }
    const auto job
        = [target = m_target, name = m_registeredName](sql::Session &session) -> sql::Result<sql::TrendAnswer> {
        TRY(const auto lookups, readOne(session, target, name, u"cache_lookups"_s));
        TRY(const auto misses, readOne(session, target, name, u"cache_misses"_s));
        return hitRatio(lookups, misses);
    };
    m_reading.ask({}, job, [this](const sql::Result<sql::TrendAnswer> &answer) {
        if (answer) {
            m_answer = *answer;
        }
    });
}

} // namespace idemdesk::models

#include "moc_cache_history.cpp"
