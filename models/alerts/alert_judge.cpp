// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_judge.h"

#include "sql/trends/minute_series.h"
#include "sql/trends/trend_metrics.h"
#include "sql/types/tr.h"

#include <algorithm>
#include <cstdlib>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

using sql::AlertForm;
using sql::AlertRule;
using sql::AlertState;
using sql::AlertStatus;
using sql::MinuteSet;

namespace {

constexpr qint64 kFresh = 600; ///< seconds; a large table is sampled every few minutes only
constexpr int kLeastBase = 30; ///< minutes to compare a rise with

/// One metric over the minutes that are known of it.
class Line
{
public:
    Line(const MinuteSet &set, const QString &metric)
    {
        const auto values = set.values.value(metric);
        const auto reported = set.reportedSince.constFind(metric);
        if (!isRecorded(metric)) {
            for (const qint64 minute : set.sampled) {
                if (set.hidden.contains(minute) && sql::isToldByRows(metric)) {
                    continue; // what was shown was counted by nobody
                }
                if (sql::isSeenOrNot(metric) && !values.contains(minute)) {
                    continue;
                }
                m_points.append({ minute, values.value(minute) });
            }
        } else if (reported != set.reportedSince.constEnd()) {
            const qint64 now = set.now.micros / sql::kMicros;
            if (sql::reportedMetric(metric).timed) {
                for (auto it = values.cbegin(); it != values.cend(); ++it) {
                    m_points.append({ it.key(), it.value() });
                }
            } else { // silence since the first report means that nothing happened
                for (qint64 minute = std::max(*reported, now - 2 * sql::kDay) / 60 * 60; minute <= now; minute += 60) {
                    m_points.append({ minute, values.value(minute) });
                }
            }
        }
    }

    static bool isRecorded(const QString &metric) { return !sql::reportedMetric(metric).kinds.isEmpty(); }

    bool empty() const { return m_points.isEmpty(); }
    qint64 newest() const { return m_points.isEmpty() ? 0 : m_points.constLast().first; }
    const QList<std::pair<qint64, double>> &points() const { return m_points; }

    /// Sum and number of minutes in [from, to).
    std::pair<double, int> in(qint64 from, qint64 to) const
    {
        double sum = 0;
        int count = 0;
        for (const auto &[minute, value] : m_points) {
            if (minute >= from && minute < to) {
                sum += value;
                ++count;
            }
        }
        return { sum, count };
    }

private:
    QList<std::pair<qint64, double>> m_points;
};

sql::Timestamp timeOf(qint64 seconds)
{
    return { sql::Timestamp::Kind::Finite, seconds * sql::kMicros };
}

/// When the oldest one went over the limit, by its age. A sample says only in which minute it was taken, so each tells
/// up to a minute too early; the latest of what those of the same one tell is nearest, and hardly moves any more.
qint64 overSinceByAge(const QList<std::pair<qint64, double>> &points, double limit)
{
    constexpr qint64 kSampleMinute = 60; // seconds
    const auto told
        = [limit](const std::pair<qint64, double> &point) { return point.first - qint64(point.second - limit); };
    const qint64 newest = told(points.constLast());
    qint64 since = newest;
    for (auto point = points.crbegin();
         point != points.crend() && point->second > limit && std::abs(told(*point) - newest) < kSampleMinute; ++point) {
        since = std::max(since, told(*point));
    }
    return since;
}

void above(const Line &line, qint64 now, AlertStatus *status)
{
    const auto &points = line.points();
    status->value = points.constLast().second;
    qint64 since = -1;
    for (qsizetype i = points.size() - 1; i >= 0 && points.at(i).second > status->rule.limit; --i) {
        since = points.at(i).first;
    }
    if (since < 0) {
        status->state = AlertState::Quiet;
        return;
    }
    // How long it has lasted is the value itself, whatever was sampled of it.
    const QString &metric = status->rule.metric;
    if (metric == u"lock_wait" || metric == u"oldest_stale" || metric == u"oldest_backlog") {
        since = std::min(since, overSinceByAge(points, status->rule.limit));
    }
    status->since = timeOf(since);
    status->state = now - since >= status->rule.seconds ? AlertState::Firing : AlertState::Pending;
}

/// What happens is told by the minute, so an amount of it is of the whole span; what is there, is of one moment.
bool isFlow(const QString &metric)
{
    return metric != u"stale" && metric != u"backlog" && metric != u"in_progress" && metric != u"expired"
        && metric != u"dead" && metric != u"rows" && metric != u"size" && metric != u"lock_waits"
        && metric != u"standby_lag" && metric != u"slot_log" && metric != u"cache_memory"
        && metric != u"cache_ttl_judged" && metric != u"cache_ttl_off" && metric != u"cache_crowded";
}

void rising(const Line &line, qint64 now, AlertStatus *status)
{
    const qint64 from = now - status->rule.seconds;
    const auto [sum, count] = line.in(from, now + 60);
    const auto [baseSum, baseCount] = line.in(from - sql::kDay, from);
    if (count == 0 || baseCount < kLeastBase) {
        status->why = Tr::tr("It compares with the day before, of which %1 of at least %2 minutes are known.")
                          .arg(baseCount)
                          .arg(kLeastBase);
        return;
    }
    const double mean = sum / count;
    const double base = baseSum / baseCount;
    const double amount = isFlow(status->rule.metric) ? mean * double(status->rule.seconds) / 60 : mean;
    status->value = base > 0 ? mean / base : std::optional<double>();
    const bool fires = amount >= status->rule.least && mean > base * status->rule.limit;
    status->state = fires ? AlertState::Firing : AlertState::Quiet;
    if (fires) {
        status->since = timeOf(from);
    }
}

void summed(const Line &line, const Line *over, qint64 now, AlertStatus *status)
{
    const AlertRule &rule = status->rule;
    const qint64 from = now - rule.seconds;
    const auto [sum, count] = line.in(from, now + 60);
    double value = sum;
    if (over != nullptr) {
        const auto [base, known] = over->in(from, now + 60);
        if (count == 0 || known == 0) {
            status->why = Tr::tr("There is nothing to compare it with in the span.");
            return;
        }
        const double amount = isFlow(rule.metric) ? sum : sum / count;
        const bool few = amount < rule.least || amount <= 0;
        if (base > 0) {
            value = sum / base;
            status->value = value;
        } else if (!few) {
            // More than any share: they happened, and nothing that they could be a part of.
            status->state = AlertState::Firing;
            status->since = timeOf(from);
            status->why = Tr::tr("%L1 in the span, and nothing that they would be a share of.").arg(qint64(amount));
            return;
        }
        if (few) {
            status->state = AlertState::Quiet;
            if (base > 0 && value > rule.limit) {
                status->why = Tr::tr("%L1 % of too few: %L2, and it counts from %L3 on.")
                                  .arg(value * 100, 0, 'f', 1)
                                  .arg(qint64(amount))
                                  .arg(qint64(rule.least));
            }
            return;
        }
    }
    status->value = value;
    status->state = value > status->rule.limit ? AlertState::Firing : AlertState::Quiet;
    if (status->state == AlertState::Firing) {
        status->since = timeOf(from);
    }
}

} // namespace

namespace {

/// Is the newest sample one for which row security hid rows of what the rule looks at?
bool isHiddenNow(const sql::AlertRule &rule, const MinuteSet &minutes)
{
    const bool rows = sql::isToldByRows(rule.metric) || (!rule.over.isEmpty() && sql::isToldByRows(rule.over));
    return rows && !minutes.sampled.isEmpty() && minutes.hidden.contains(minutes.sampled.constLast());
}

/// Was the newest sample taken without seeing what the rule looks at?
bool isUnseenNow(const sql::AlertRule &rule, const Line &line, const MinuteSet &minutes)
{
    // A cache is looked at after the table, and may be a minute later.
    return sql::isSeenOrNot(rule.metric) && !sql::isSampledFromCache(rule.metric) && !minutes.sampled.isEmpty()
        && line.newest() < minutes.sampled.constLast();
}

/// The metric of a rule that this login is not shown; empty where there is none.
QString withheldMetric(const sql::AlertRule &rule, const MinuteSet &minutes)
{
    return minutes.withheld.contains(rule.metric) ? rule.metric
        : minutes.withheld.contains(rule.over)    ? rule.over
                                                  : QString();
}

/// Why nothing is known of a metric.
QString neverSeen(const QString &metric)
{
    return Line::isRecorded(metric)       ? Tr::tr("No service reports it with idemdesk.record_event().")
        : sql::isSampledFromCache(metric) ? Tr::tr("No sample was taken of the cache. The page Cache switches that on.")
                                          : Tr::tr("No sample was taken of the table yet.");
}

/// How many rows could not be read when it was last looked, within the rule's span.
int unreadableRows(const sql::AlertRule &rule, const MinuteSet &minutes)
{
    if (!sql::isToldByRows(rule.metric) || minutes.sampled.isEmpty()) {
        return 0;
    }
    const qint64 newest = minutes.sampled.constLast();
    const qint64 from = rule.form == AlertForm::Above ? newest : newest - rule.seconds;
    const auto last = minutes.unreadable.isEmpty() ? minutes.unreadable.cend() : std::prev(minutes.unreadable.cend());
    return last == minutes.unreadable.cend() || last.key() < from ? 0 : int(std::min(*last, 1e9));
}

} // namespace

AlertStatus alertStatus(const sql::AlertRule &rule, const MinuteSet &minutes)
{
    AlertStatus status;
    status.rule = rule;
    if (isHiddenNow(rule, minutes)) {
        status.why = Tr::tr("Row security hides rows of this table from the role that counts them.");
        return status;
    }
    if (const QString withheld = withheldMetric(rule, minutes); !withheld.isEmpty()) {
        status.why = Tr::tr("This login may not read the whole table, so “%1” is not shown to it.").arg(withheld);
        return status;
    }
    const Line line(minutes, rule.metric);
    if (isUnseenNow(rule, line, minutes)) {
        status.why
            = Tr::tr("The newest sample did not see it. Give the role that samples pg_read_all_stats, or wait while a "
                     "standby catches up.");
        return status;
    }
    const qint64 now = minutes.now.micros / sql::kMicros;
    if (line.empty()) {
        status.why = neverSeen(rule.metric);
        return status;
    }
    if ((!Line::isRecorded(rule.metric) || sql::reportedMetric(rule.metric).timed) && now - line.newest() > kFresh) {
        status.why = Line::isRecorded(rule.metric) ? Tr::tr("No service has timed it for ten minutes.")
                                                   : Tr::tr("The newest sample is older than ten minutes.");
        return status;
    }
    switch (rule.form) {
    case AlertForm::Above:
        above(line, now, &status);
        break;
    case AlertForm::Rising:
        rising(line, now, &status);
        break;
    case AlertForm::Sum:
        summed(line, nullptr, now, &status);
        break;
    case AlertForm::Share: {
        const Line over(minutes, rule.over);
        if (over.empty()) {
            status.why = Tr::tr("There is nothing to compare it with yet.");
            break;
        }
        summed(line, &over, now, &status);
        break;
    }
    }
    // Over its limit it stays, however many more there may be; below it nobody knows.
    const int unreadable = unreadableRows(rule, minutes);
    if (status.state == AlertState::Quiet && unreadable > 0) {
        status.state = AlertState::Unknown;
        status.why = Tr::tr(
            "%n row(s) of the table cannot be read, so it may be more than what was counted.", nullptr, unreadable);
    }
    return status;
}

} // namespace idemdesk::models
