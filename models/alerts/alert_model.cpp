// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_model.h"

#include "models/format/quantities.h"
#include "models/table/item_role.h"
#include "models/trends/trend_words.h"
#include "sql/trends/minute_series.h"
#include "sql/trends/trend_metrics.h"
#include "sql/types/health.h"

#include <QHash>
#include <QLocale>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

using sql::AlertForm;
using sql::AlertState;

namespace {

QString inUnit(const sql::AlertRule &rule, double value)
{
    sql::TrendMetric metric;
    metric.unit = rule.unit;
    return trendValueText(metric, value);
}

QString factorText(double factor)
{
    return QLocale().toString(factor, 'g', 3);
}

QString shareText(double share)
{
    return AlertModel::tr("%1 %").arg(
        share >= 1 ? QLocale().toString(share * 100, 'f', 0) : QLocale().toString(share * 100, 'g', 3));
}

/// The highest of each hour, for whoever does not see the line.
double highestOfDay(const sql::HistoryValues &day)
{
    double highest = 0;
    for (const auto &value : day) {
        highest = std::max(highest, value.value_or(0));
    }
    return highest;
}

QString alertDayText(const AlertEntry &entry)
{
    return entry.day.isEmpty()
        ? QString()
        : AlertModel::tr("Highest: %1", "of the last day").arg(inUnit(entry.status.rule, highestOfDay(entry.day)));
}

sql::HealthLevel levelOf(AlertState state)
{
    switch (state) {
    case AlertState::Firing:
        return sql::HealthLevel::Problem;
    case AlertState::Pending:
        return sql::HealthLevel::Advice;
    case AlertState::Unknown:
        return sql::HealthLevel::Unknown;
    case AlertState::Quiet:
        break;
    }
    return sql::HealthLevel::Good;
}

} // namespace

QString alertStateLabel(AlertState state)
{
    switch (state) {
    case AlertState::Firing:
        return AlertModel::tr("Firing");
    case AlertState::Pending:
        return AlertModel::tr("Over its limit");
    case AlertState::Unknown:
        return AlertModel::tr("Not known");
    case AlertState::Quiet:
        break;
    }
    return AlertModel::tr("Quiet");
}

QString alertValueText(const sql::AlertStatus &status)
{
    if (!status.value) {
        return u"–"_s;
    }
    switch (status.rule.form) {
    case AlertForm::Rising:
        return AlertModel::tr("%1 times the day before").arg(factorText(*status.value));
    case AlertForm::Share:
        return shareText(*status.value);
    case AlertForm::Above:
    case AlertForm::Sum:
        break;
    }
    return inUnit(status.rule, *status.value);
}

QString alertLimitText(const sql::AlertRule &rule)
{
    const QString span = durationText(rule.seconds);
    switch (rule.form) {
    case AlertForm::Rising:
        return AlertModel::tr("over %1 times, in %2").arg(factorText(rule.limit), span);
    case AlertForm::Share:
        return AlertModel::tr("over %1, in %2").arg(shareText(rule.limit), span);
    case AlertForm::Sum:
        return AlertModel::tr("over %1, in %2").arg(inUnit(rule, rule.limit), span);
    case AlertForm::Above:
        break;
    }
    return AlertModel::tr("over %1, for %2").arg(inUnit(rule, rule.limit), span);
}

sql::HistoryValues alertDay(const sql::AlertRule &rule, const sql::MinuteSet &minutes)
{
    constexpr int kDayHours = 24;
    const qint64 end = minutes.now.micros / sql::kMicros / 3'600 * 3'600 + 3'600;
    const QMap<qint64, double> values = minutes.values.value(rule.metric);
    if (minutes.withheld.contains(rule.metric)) {
        return {};
    }
    const bool oldest = rule.metric.startsWith(u"oldest") || rule.metric == u"lock_wait";
    sql::HistoryValues day(kDayHours);
    QList<int> counts(kDayHours, 0);
    bool any = false;
    const auto add = [&](qint64 minute, double value) {
        const qint64 hour = kDayHours - 1 - (end - 1 - minute) / 3'600;
        if (minute >= end || hour < 0 || hour >= kDayHours) {
            return;
        }
        std::optional<double> &of = day[hour];
        const int known = counts[hour]++;
        of = !of ? value : oldest ? std::max(*of, value) : (*of * known + value) / (known + 1);
        any = true;
    };
    if (sql::isRecordedMetric(rule.metric)) {
        for (auto minute = values.cbegin(); minute != values.cend(); ++minute) {
            add(minute.key(), *minute);
        }
    } else {
        for (const qint64 minute : minutes.sampled) {
            const bool seen = values.contains(minute) || !sql::isSeenOrNot(rule.metric);
            if (seen && !(minutes.hidden.contains(minute) && sql::isToldByRows(rule.metric))) {
                add(minute, values.value(minute));
            }
        }
    }
    const QMap<qint64, double> hours = minutes.hours.value(rule.metric);
    for (int hour = 0; hour < kDayHours; ++hour) {
        const auto whole = hours.constFind(end - (kDayHours - hour) * 3'600);
        if (!day.at(hour) && whole != hours.constEnd()) { // its minutes are not there
            day[hour] = *whole;
            any = true;
        }
    }
    return any ? day : sql::HistoryValues();
}

int alertGrade(const sql::AlertStatus &status)
{
    const double limit = status.rule.limit > 0 ? status.rule.limit : 1;
    const double times = status.value.value_or(0) / limit;
    return times < 2 ? 0 : int(std::floor(std::log2(times)));
}

QString AlertEntry::table() const
{
    return place.isEmpty() ? title : u"%1 (%2)"_s.arg(title, place);
}

bool AlertEntry::beyond() const
{
    return status.state == AlertState::Firing || status.state == AlertState::Pending;
}

void keepSince(const QList<AlertEntry> &before, QList<AlertEntry> *entries)
{
    constexpr qint64 kSampleMicros = 60 * sql::kMicros; // what a sample may be early by
    for (AlertEntry &entry : *entries) {
        const auto then = std::find_if(before.cbegin(), before.cend(), [&entry](const AlertEntry &old) {
            return old.target == entry.target && old.status.rule.id == entry.status.rule.id && old.beyond()
                && old.status.since && old.status.rule.limit == entry.status.rule.limit
                && old.status.rule.form == entry.status.rule.form && old.status.rule.metric == entry.status.rule.metric;
        });
        if (then != before.cend() && entry.beyond() && entry.status.since
            && entry.status.since->micros > then->status.since->micros - kSampleMicros) {
            entry.status.since = then->status.since;
        }
    }
}

AlertGroup AlertEntry::group() const
{
    switch (status.state) {
    case AlertState::Firing:
        return acknowledged ? AlertGroup::Acknowledged : AlertGroup::Firing;
    case AlertState::Pending:
        return acknowledged ? AlertGroup::Acknowledged : AlertGroup::OverLimit;
    case AlertState::Unknown:
        return AlertGroup::Unknown;
    case AlertState::Quiet:
        break;
    }
    return AlertGroup::Quiet;
}

QString alertFilter(const sql::AlertRule &rule)
{
    static const QHash<QString, QString> filters { { u"stale"_s, u"state:stuck"_s },
        { u"oldest_stale"_s, u"state:stuck"_s }, { u"backlog"_s, u"state:pending,failed_retryable"_s },
        { u"oldest_backlog"_s, u"state:pending,failed_retryable"_s }, { u"expired"_s, u"expires<now"_s },
        { u"retries"_s, u"attempts>1"_s }, { u"retried_keys"_s, u"attempts>1"_s },
        { u"failures_final"_s, u"state:failed_final"_s }, { u"failures_retryable"_s, u"state:failed_retryable"_s } };
    return filters.value(rule.metric);
}

AlertModel::AlertModel(QObject *parent)
    : RowModel(parent)
{
}

void AlertModel::setEntries(const QList<Entry> &entries)
{
    QList<Entry> sorted = entries;
    // In each group the one that is furthest over its limit first.
    const auto rank = [](const Entry &entry) {
        const double limit = entry.status.rule.limit > 0 ? entry.status.rule.limit : 1;
        return std::pair(entry.group(), -entry.status.value.value_or(0) / limit);
    };
    std::stable_sort(
        sorted.begin(), sorted.end(), [&rank](const Entry &a, const Entry &b) { return rank(a) < rank(b); });
    updateRows(sorted, [](const Entry &a, const Entry &b) {
        return a.target == b.target && a.status.rule.id == b.status.rule.id && a.group() == b.group();
    });
}

std::span<const AlertModel::ColumnSpec> AlertModel::columns()
{
    using Model = AlertModel;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("State"); },
            .text = [](const Model &, const Entry &entry) { return alertStateLabel(entry.status.state); } },
        { .title = [] { return tr("Table"); }, .text = [](const Model &, const Entry &entry) { return entry.title; } },
        { .title = [] { return tr("Rule"); },
            .text = [](const Model &, const Entry &entry) { return entry.status.rule.title; } },
        { .title = [] { return tr("Now"); },
            .text =
                [](const Model &, const Entry &entry) {
                    return entry.status.why.isEmpty() ? alertValueText(entry.status) : entry.status.why;
                } },
        { .title = [] { return tr("Limit"); },
            .text = [](const Model &, const Entry &entry) { return alertLimitText(entry.status.rule); } },
        { .title = [] { return tr("Last 24 hours (dashed: limit)"); },
            .text = [](const Model &, const Entry &entry) { return alertDayText(entry); } },
        { .title = [] { return tr("Since"); },
            .text =
                [](const Model &model, const Entry &entry) {
                    return entry.status.since ? model.timeFormat().text(*entry.status.since) : QString();
                },
            .time = true },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QString AlertModel::acknowledgedText(const SavedAcknowledgement &by) const
{
    const auto at = sql::Timestamp::fromDateTime(QDateTime::fromString(by.at, Qt::ISODate));
    const QString who = tr("Acknowledged by %1, %2").arg(by.by, timeFormat().text(at).left(16));
    return by.note.isEmpty() ? who : tr("%1: %2").arg(who, by.note);
}

/// From when on the day is known, where it is not known as a whole: nothing seen before is not that nothing was.
QString AlertModel::unsampledText(const Entry &entry) const
{
    const auto first
        = std::find_if(entry.day.cbegin(), entry.day.cend(), [](const auto &value) { return value.has_value(); });
    if (first == entry.day.cbegin() || first == entry.day.cend()) {
        return {};
    }
    constexpr qint64 kHourMicros = 3'600 * sql::kMicros;
    const qint64 since = entry.judged.micros / kHourMicros - (entry.day.cend() - first - 1);
    const QString at = timeFormat().text({ sql::Timestamp::Kind::Finite, since * kHourMicros });
    const QString &metric = entry.status.rule.metric;
    return (sql::isRecordedMetric(metric) ? tr("nothing reported before %1")
            : sql::isSeenOrNot(metric)    ? tr("not seen before %1")
                                          : tr("no samples before %1"))
        .arg(at.mid(11, 5));
}

QVariant AlertModel::itemData(const Entry &entry, int column, int role) const
{
    if (role == LevelRole) {
        return int(levelOf(entry.status.state));
    }
    if (column == Day && role == DayRole) {
        return QVariant::fromValue(entry.day);
    }
    // The limit, as a part of the line's height: only where both are of the same kind.
    const double highest = column == Day && role == ShareRole ? highestOfDay(entry.day) : 0;
    if (highest > 0 && entry.status.rule.form == AlertForm::Above) {
        return entry.status.rule.limit / highest;
    }
    if (role != DetailRole) {
        return {};
    }
    switch (column) {
    case Table:
        return displayText(entry.place);
    case Day:
        return unsampledText(entry);
    case What:
        return displayText(entry.table());
    case Value:
        return entry.acknowledged ? displayText(acknowledgedText(*entry.acknowledged))
                                  : tr("Limit: %1").arg(alertLimitText(entry.status.rule));
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_alert_model.cpp"
