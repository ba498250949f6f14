// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_board.h"

#include "models/alerts/alert_judge.h"
#include "sql/trends/trend_metrics.h"
#include "sql/types/tr.h"

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

/// Rules that tell of one cause; the first of them that fires tells it for the others.
const QList<QStringList> kOneCause { { u"stale_old"_s, u"stale_rising"_s } };

/// One alert a cause: keys that are stuck for long and get more are one trouble of one table.
void tellOnce(QList<JudgedAlert> *alerts)
{
    const auto firing = [&](qsizetype source, const QString &id) {
        const auto found = std::find_if(alerts->cbegin(), alerts->cend(),
            [&](const JudgedAlert &alert) { return alert.source == source && alert.status.rule.id == id; });
        return found != alerts->cend() && found->status.state == sql::AlertState::Firing ? &*found : nullptr;
    };
    for (const QStringList &cause : kOneCause) {
        for (JudgedAlert &alert : *alerts) {
            const qsizetype place = cause.indexOf(alert.status.rule.id);
            for (qsizetype i = 0; i < place && alert.status.state == sql::AlertState::Firing; ++i) {
                if (const JudgedAlert *teller = firing(alert.source, cause.at(i))) {
                    alert.status.state = sql::AlertState::Pending;
                    alert.status.why
                        = Tr::tr("It is over its limit. “%1” tells it already.").arg(teller->status.rule.title);
                }
            }
        }
    }
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
    tellOnce(&alerts);
    return alerts;
}

} // namespace idemdesk::models
