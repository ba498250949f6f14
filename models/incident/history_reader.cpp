// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/incident/history_reader.h"

#include "sql/local/local_samples.h"
#include "sql/trends/recent_history.h"
#include "sql/trends/trend_gateway.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::Result;
using sql::TableHistory;
using sql::TrendAnswer;
using sql::TrendMetric;

constexpr double kFewRows = 300'000; ///< counted in well under a second
constexpr qint64 kWeek = 7 * sql::kDay;

/// Of these, rows tell the past; of a number of what is there they know only the present.
bool rowsTell(const TrendMetric &metric)
{
    return metric.available() && !metric.gauge;
}

/// The reading as a whole is over; any other error is of one table alone.
bool lost(const sql::Error &error)
{
    switch (error.kind) {
    case sql::ErrorKind::ConnectionLost:
    case sql::ErrorKind::Cancelled:
    case sql::ErrorKind::Superseded:
    case sql::ErrorKind::Timeout:
        return true;
    default:
        return false;
    }
}

bool anyOf(const sql::HistoryValues &values)
{
    return std::any_of(values.cbegin(), values.cend(), [](const auto &value) { return value.has_value(); });
}

sql::HistoryValues firstOf(const TrendAnswer &answer)
{
    return answer.series.isEmpty() ? sql::HistoryValues() : answer.series.constFirst().values;
}

sql::TrendRequest lastDay(const QString &metric)
{
    sql::TrendRequest request;
    request.metric = metric;
    return request;
}

/// One table that no database samples.
class TableReader
{
public:
    TableReader(sql::Session &session, const TargetEntry &entry, const sql::LocalPlace &place)
        : m_session(session)
        , m_target(entry.target)
        , m_place(place)
    {
    }

    Result<TableHistory> read()
    {
        const QList<TrendMetric> metrics = sql::trendMetrics(m_target);
        for (const TrendMetric &metric : metrics) {
            if (sql::dayMetrics().contains(metric.id)) {
                TRY(readDay(metric));
            }
            if (sql::comparedMetrics().contains(metric.id) && m_place.kept()
                && metric.available(sql::TrendSource::Samples)) {
                TRY(compare(metric));
            }
        }
        return m_history;
    }

private:
    Result<TrendAnswer> sampled(const TrendMetric &metric, const sql::TrendRequest &request)
    {
        TRY(const auto samples, sql::LocalSamples::open(m_place));
        return samples->trend(m_session, m_target.profile.name, metric, request);
    }

    Result<void> readDay(const TrendMetric &metric)
    {
        const bool samples = m_place.kept() && metric.available(sql::TrendSource::Samples);
        QString why = tooLarge();
        if (samples) {
            TRY(keep(metric, sampled(metric, lastDay(metric.id)), &why));
        }
        if (!m_history.day.contains(metric.id) && rowsTell(metric) && few()) {
            TRY(keep(metric, sql::readTrend(m_session, m_target, lastDay(metric.id)), &why));
        }
        if (!m_history.day.contains(metric.id) && (samples || rowsTell(metric))) {
            m_history.missing.insert(metric.id, why);
        }
        return {};
    }

    Result<void> keep(const TrendMetric &metric, const Result<TrendAnswer> &answer, QString *why)
    {
        if (!answer) {
            *why = answer.error().what;
            return lost(answer.error()) ? Result<void>(answer.error()) : Result<void>();
        }
        if (const sql::HistoryValues values = firstOf(*answer); anyOf(values)) {
            m_history.day.insert(metric.id, values);
            m_history.partly = m_history.partly || answer->partly;
        }
        return {};
    }

    /// The last hour in slots of five minutes, and that hour on the days before.
    Result<void> compare(const TrendMetric &metric)
    {
        sql::TrendRequest hour = lastDay(metric.id);
        hour.bucket = u"5m"_s;
        hour.spanSeconds = sql::kHour + TableHistory::kSlotSeconds; // the newest slot is not over
        hour.byScope = true;
        auto now = sampled(metric, hour);
        if (!now) {
            return leaveOut(now.error());
        }
        const auto first = std::find(now->buckets.cbegin(), now->buckets.cend(), sql::comparedHour(now->now));
        if (now->series.isEmpty() || first == now->buckets.cend()) {
            return {};
        }
        for (sql::TrendSeries &series : now->series) {
            series.values = series.values.mid(first - now->buckets.cbegin(), TableHistory::kSlots);
        }
        m_history.hourBegan = sql::comparedHour(now->now);
        constexpr qint64 clockHour = sql::kHour * sql::kMicros;
        sql::TrendRequest before = hour;
        before.bucket = u"1h"_s;
        before.since = sql::Timestamp { sql::Timestamp::Kind::Finite,
            m_history.hourBegan.micros / clockHour * clockHour - kWeek * sql::kMicros };
        const auto then = sampled(metric, before);
        if (!then) {
            return leaveOut(then.error());
        }
        m_history.scopes += sql::comparedScopes(metric.id, now->series, then->series, m_history.hourBegan);
        return {};
    }

    /// One metric that cannot be compared; the rest goes on.
    Result<void> leaveOut(const sql::Error &error)
    {
        m_history.notCompared = error.what;
        return lost(error) ? Result<void>(error) : Result<void>();
    }

    bool few() const { return m_target.relation.estimatedRows >= 0 && m_target.relation.estimatedRows <= kFewRows; }
    QString tooLarge() const
    {
        return few() ? Tr::tr("Nothing of the last day tells it.")
                     : Tr::tr("No sample of it yet, and the table is too large to count each time.");
    }

    sql::Session &m_session;
    const sql::Target &m_target;
    const sql::LocalPlace &m_place;
    TableHistory m_history;
};

/// Of the whole database, as services report them.
Result<void> readConflicts(sql::Session &session, const TargetEntry &entry, IncidentReading *reading)
{
    sql::TrendRequest day = lastDay(u"conflicts"_s);
    day.source = sql::TrendSource::Samples;
    day.registeredName = entry.registration->name;
    sql::TrendRequest hour = day;
    hour.bucket = u"5m"_s;
    hour.spanSeconds = sql::kHour;
    const auto hours = sql::readTrend(session, entry.target, day);
    const auto minutes = hours ? sql::readTrend(session, entry.target, hour) : hours;
    if (!minutes) {
        reading->noConflicts = minutes.error().what;
        return lost(minutes.error()) ? Result<void>(minutes.error()) : Result<void>();
    }
    reading->conflicts = firstOf(*hours);
    const sql::HistoryValues values = firstOf(*minutes);
    double sum = 0;
    for (const auto &value : values.mid(std::max<qsizetype>(0, values.size() - TableHistory::kSlots))) {
        sum += value.value_or(0);
    }
    if (anyOf(values)) {
        reading->conflictsLastHour = sum;
    } else if (hours->series.isEmpty() || !anyOf(reading->conflicts)) {
        reading->noConflicts = Tr::tr("No service reports reused keys here (record_conflict).");
    } else {
        reading->conflictsLastHour = 0;
    }
    return {};
}

} // namespace

Result<IncidentReading> readIncident(
    sql::Session &session, const QList<TargetEntry> &targets, const sql::LocalPlace &place)
{
    IncidentReading reading;
    QList<sql::HistorySource> sources;
    reading.noConflicts = Tr::tr("No table is registered, so no service reports here.");
    for (const TargetEntry &entry : targets) {
        if (entry.registration) {
            sources.append({ entry.registration->name, entry.target });
        }
    }
    const auto sampled = sources.isEmpty() ? Result<QMap<QString, TableHistory>>(QMap<QString, TableHistory>())
                                           : sql::readRecentHistory(session, sources);
    if (!sampled && lost(sampled.error())) {
        return sampled.error();
    }
    bool asked = false;
    for (const TargetEntry &entry : targets) {
        const QString name = entry.target.profile.name;
        if (entry.registration && sampled) {
            reading.histories.insert(name, sampled->value(entry.registration->name));
        } else {
            TRY(auto history, TableReader(session, entry, place).read());
            if (entry.registration) { // its samples are in the database, and could not be read there
                history.notCompared = sampled.error().what;
            }
            reading.histories.insert(name, history);
        }
        if (entry.registration && !asked) {
            asked = true;
            reading.noConflicts.clear();
            TRY(readConflicts(session, entry, &reading));
        }
    }
    const auto lag = sql::readReplicationLag(session);
    if (!lag && lost(lag.error())) {
        return lag.error();
    }
    reading.replication = lag ? std::optional(*lag) : std::nullopt;
    reading.noReplication = lag ? QString() : lag.error().what;
    return reading;
}

} // namespace idemdesk::models
