// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_rules.h"

#include "sql/trends/trend_gateway.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

using sql::AlertForm;
using sql::AlertRule;

namespace {

constexpr qint64 kLongest = 7 * sql::kDay;

QList<AlertRule> defaults()
{
    return {
        { u"lock_wait"_s, Tr::tr("Somebody waits for a lock"), u"lock_wait"_s, AlertForm::Above, 2, 60 },
        { u"stale_rising"_s, Tr::tr("Stale keys are rising"), u"stale"_s, AlertForm::Rising, 2, 900, 10 },
        { u"stale_old"_s, Tr::tr("A key has been stale for long"), u"oldest_stale"_s, AlertForm::Above, 3'600, 300 },
        { u"duplicates"_s, Tr::tr("Sudden spike of retries"), u"retries"_s, AlertForm::Rising, 3, 900, 20 },
        { u"conflicts"_s, Tr::tr("Many keys are used again with other data"), u"conflicts"_s, AlertForm::Sum, 10, 3'600 },
        { u"violations"_s, Tr::tr("Unique violations beyond 0.01 % of the claims"), u"violations"_s, AlertForm::Share, 0.0001, 3'600, 1, u"claims"_s },
        { u"backlog_old"_s, Tr::tr("The backlog is not being worked off"), u"oldest_backlog"_s, AlertForm::Above, 300, 300 },
        { u"growth"_s, Tr::tr("The table grows beyond its retention"), u"expired"_s, AlertForm::Share, 0.3, 3'600, 1'000, u"rows"_s },
        { u"check_time"_s, Tr::tr("Looking a key up takes over 150 ms"), u"check_time"_s, AlertForm::Above, 0.15, 300 },
    };
}

sql::Error bad(qsizetype at, const QString &member, const QString &expected)
{
    sql::Error error;
    error.kind = sql::ErrorKind::Usage;
    error.where = u"$.alerts[%1]"_s.arg(at) + (member.isEmpty() ? QString() : u'.' + member);
    error.what = Tr::tr("The alert at %1 cannot be used.").arg(error.where);
    error.why = expected;
    error.todo = Tr::tr("Mend “alerts” in the profile.");
    return error;
}

std::optional<AlertForm> formNamed(const QString &name)
{
    const std::pair<QString, AlertForm> forms[] = { { u"above"_s, AlertForm::Above }, { u"rising"_s, AlertForm::Rising }, { u"sum"_s, AlertForm::Sum },
        { u"share"_s, AlertForm::Share } };
    for (const auto &[text, form] : forms) {
        if (text == name) {
            return form;
        }
    }
    return std::nullopt;
}

/// Puts what one entry of "alerts" says over a rule.
sql::Result<void> put(const QJsonObject &entry, qsizetype at, AlertRule *rule)
{
    rule->custom = true;
    for (auto it = entry.begin(); it != entry.end(); ++it) {
        const QString name = it.key();
        if (name == u"id") {
            continue;
        }
        if (name == u"metric" || name == u"over" || name == u"title") {
            if (!it->isString() || it->toString().isEmpty()) {
                return bad(at, name, Tr::tr("A text was expected."));
            }
            (name == u"metric" ? rule->metric : name == u"over" ? rule->over : rule->title) = it->toString();
        } else if (const auto form = formNamed(name)) {
            if (!it->isDouble() || it->toDouble() < 0) {
                return bad(at, name, Tr::tr("A number of 0 or more was expected."));
            }
            rule->form = *form;
            rule->limit = it->toDouble();
        } else if (name == u"least") {
            if (!it->isDouble()) {
                return bad(at, name, Tr::tr("A number was expected."));
            }
            rule->least = it->toDouble();
        } else if (name == u"for") {
            const auto seconds = sql::durationSeconds(it->toString());
            if (!seconds || *seconds < 0 || *seconds > kLongest) {
                return bad(at, name, Tr::tr("A duration of at most a week, such as “5m”, was expected."));
            }
            rule->seconds = *seconds;
        } else if (name != u"off" && !name.startsWith(u"x_")) {
            return bad(at, name, Tr::tr("There is no such member."));
        }
    }
    return {};
}

sql::Result<QList<AlertRule>> withProfile(const sql::Profile &profile)
{
    QList<AlertRule> rules = defaults();
    const QByteArray json = profile.extra.value(u"alerts"_s);
    if (json.isEmpty() || json == "null") {
        return rules;
    }
    const QJsonDocument document = QJsonDocument::fromJson(json);
    if (!document.isArray()) {
        sql::Error error = bad(0, {}, Tr::tr("A list was expected."));
        error.where = u"$.alerts"_s;
        return error;
    }
    const QJsonArray entries = document.array();
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const QJsonObject entry = entries.at(i).toObject();
        const QString id = entry.value(u"id"_s).toString();
        if (id.isEmpty()) {
            return bad(i, u"id"_s, Tr::tr("Each alert needs a name of its own."));
        }
        const auto known = std::find_if(rules.begin(), rules.end(), [&id](const AlertRule &rule) { return rule.id == id; });
        if (entry.value(u"off"_s).toBool()) {
            if (known == rules.end()) {
                return bad(i, u"id"_s, Tr::tr("There is no alert “%1” to switch off.").arg(id));
            }
            rules.erase(known);
            continue;
        }
        AlertRule rule;
        if (known != rules.end()) {
            rule = *known;
        } else {
            rule.id = id;
            rule.title = id;
        }
        if (const auto done = put(entry, i, &rule); !done) {
            return done.error();
        }
        if (rule.metric.isEmpty() || (rule.form == AlertForm::Share && rule.over.isEmpty())) {
            return bad(i, rule.metric.isEmpty() ? u"metric"_s : u"over"_s, Tr::tr("The name of a metric is missing."));
        }
        if (known != rules.end()) {
            *known = rule;
        } else {
            rules += rule;
        }
    }
    return rules;
}

} // namespace

sql::Result<QList<AlertRule>> alertRules(const sql::Target &target)
{
    const auto all = withProfile(target.profile);
    if (!all) {
        return all;
    }
    QMap<QString, bool> sampled;
    QMap<QString, sql::TrendUnit> units;
    const auto metrics = sql::trendMetrics(target);
    for (const sql::TrendMetric &metric : metrics) {
        sampled.insert(metric.id, metric.available(sql::TrendSource::Samples));
        units.insert(metric.id, metric.unit);
    }
    sampled.insert(u"rows"_s, true);
    QList<AlertRule> rules;
    for (const AlertRule &rule : *all) {
        for (const QString &metric : { rule.metric, rule.over }) {
            if (rule.custom && !metric.isEmpty() && !sampled.contains(metric)) {
                sql::Error error = bad(0, {}, Tr::tr("“%1” is no metric.").arg(metric));
                error.where = u"$.alerts"_s;
                error.what = Tr::tr("The alert “%1” cannot be used.").arg(rule.id);
                return error;
            }
        }
        const bool there = sampled.value(rule.metric) && (rule.over.isEmpty() || sampled.value(rule.over));
        if (there) {
            rules += rule;
            rules.last().unit = units.value(rule.metric);
        }
    }
    return rules;
}

QStringList alertMetrics(const QList<AlertRule> &rules)
{
    QStringList metrics;
    for (const AlertRule &rule : rules) {
        metrics += rule.metric;
        if (!rule.over.isEmpty()) {
            metrics += rule.over;
        }
    }
    metrics.removeDuplicates();
    return metrics;
}

qint64 alertSpan(const QList<AlertRule> &rules)
{
    qint64 span = 0;
    for (const AlertRule &rule : rules) {
        // What is over its limit may have been so for long; a day back is enough to say since when.
        span = std::max(span, rule.seconds + sql::kDay);
    }
    return span;
}

} // namespace idemdesk::models
