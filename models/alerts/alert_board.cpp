// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_board.h"

#include "models/alerts/alert_judge.h"
#include "sql/trends/trend_metrics.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

bool sameQuestion(const sql::AlertRule &a, const sql::AlertRule &b)
{
    return a.id == b.id && a.metric == b.metric && a.over == b.over && a.form == b.form && a.limit == b.limit
        && a.seconds == b.seconds && a.least == b.least;
}

bool asksTheSame(const AlertSource &source, const sql::AlertRule &rule)
{
    return std::any_of(source.rules.cbegin(), source.rules.cend(),
        [&rule](const sql::AlertRule &other) { return sameQuestion(rule, other); });
}

/// The first table's minutes with what the reports are divided by put together over the tables that ask the
/// same.
sql::MinuteSet together(const QList<AlertSource> &sources, qsizetype first, const sql::AlertRule &rule)
{
    sql::MinuteSet set = sources.at(first).minutes;
    if (rule.over.isEmpty() || sql::isRecordedMetric(rule.over)) {
        return set;
    }
    for (qsizetype i = first + 1; i < sources.size(); ++i) {
        if (!asksTheSame(sources.at(i), rule)) {
            continue;
        }
        const QMap<qint64, double> values = sources.at(i).minutes.values.value(rule.over);
        for (auto minute = values.cbegin(); minute != values.cend(); ++minute) {
            set.values[rule.over][minute.key()] += *minute;
        }
        set.sampled += sources.at(i).minutes.sampled;
        // What one of the tables does not tell is not known of them together.
        set.hidden += sources.at(i).minutes.hidden;
        set.withheld += sources.at(i).minutes.withheld;
        const QMap<qint64, double> &unreadable = sources.at(i).minutes.unreadable;
        for (auto minute = unreadable.cbegin(); minute != unreadable.cend(); ++minute) {
            set.unreadable[minute.key()] += *minute;
        }
    }
    std::sort(set.sampled.begin(), set.sampled.end());
    set.sampled.erase(std::unique(set.sampled.begin(), set.sampled.end()), set.sampled.end());
    return set;
}

} // namespace

QList<JudgedAlert> judgedTogether(const QList<AlertSource> &sources)
{
    QList<JudgedAlert> alerts;
    for (qsizetype i = 0; i < sources.size(); ++i) {
        for (const sql::AlertRule &rule : sources.at(i).rules) {
            if (!sql::isRecordedMetric(rule.metric)) {
                alerts.append({ i, false, alertStatus(rule, sources.at(i).minutes) });
                continue;
            }
            const bool before = std::any_of(sources.cbegin(), sources.cbegin() + i,
                [&rule](const AlertSource &other) { return asksTheSame(other, rule); });
            if (!before) {
                alerts.append({ i, true, alertStatus(rule, together(sources, i, rule)) });
            }
        }
    }
    return alerts;
}

} // namespace idemdesk::models
