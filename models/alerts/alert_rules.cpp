// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_rules.h"

#include "sql/trends/trend_gateway.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

using sql::AlertForm;
using sql::AlertRule;

namespace {

sql::Error bad(qsizetype at, const QString &member, const QString &expected)
{
    sql::Error error;
    error.kind = sql::ErrorKind::Usage;
    error.where = u"$.alerts[%1]"_s.arg(at) + (member.isEmpty() ? QString() : u'.' + member);
    error.what = Tr::tr("The alert at %1 cannot be used.").arg(error.where);
    error.why = expected;
    error.todo = Tr::tr("Fix “alerts” in the profile.");
    return error;
}

/// Puts what the profile says over a rule.
void put(const sql::AlertSpec &spec, AlertRule *rule)
{
    rule->custom = true;
    const std::pair<const QString &, QString *> texts[] { { spec.title, &rule->title }, { spec.metric, &rule->metric },
        { spec.over, &rule->over } };
    for (const auto &[text, member] : texts) {
        if (!text.isEmpty()) {
            *member = text;
        }
    }
    if (spec.form) {
        rule->form = *spec.form;
        rule->limit = spec.limit.toDouble();
    }
    if (!spec.least.isEmpty()) {
        rule->least = spec.least.toDouble();
    }
    if (!spec.span.isEmpty()) {
        rule->seconds = sql::durationSeconds(spec.span).value_or(rule->seconds);
    }
}

sql::Result<QList<AlertRule>> withProfile(const sql::Profile &profile)
{
    QList<AlertRule> rules = defaultAlertRules();
    for (qsizetype i = 0; i < profile.alerts.size(); ++i) {
        const sql::AlertSpec &spec = profile.alerts.at(i);
        const auto known
            = std::find_if(rules.begin(), rules.end(), [&spec](const AlertRule &rule) { return rule.id == spec.id; });
        if (spec.off) {
            if (known == rules.end()) {
                return bad(i, u"id"_s, Tr::tr("There is no alert “%1” to switch off.").arg(spec.id));
            }
            rules.erase(known);
            continue;
        }
        AlertRule rule;
        if (known != rules.end()) {
            rule = *known;
        } else {
            rule.id = spec.id;
            rule.title = spec.id;
        }
        put(spec, &rule);
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

QList<AlertRule> defaultAlertRules()
{
    return {
        { u"lock_wait"_s, Tr::tr("Lock waits"), u"lock_wait"_s, AlertForm::Above, 2, 60 },
        { u"stale_rising"_s, Tr::tr("Stuck keys are rising"), u"stale"_s, AlertForm::Rising, 2, 900, 10 },
        { u"stale_old"_s, Tr::tr("Oldest stuck key over its limit"), u"oldest_stale"_s, AlertForm::Above, 3'600, 300 },
        { u"duplicates"_s, Tr::tr("Sudden spike of retries"), u"retries"_s, AlertForm::Rising, 3, 900, 20 },
        { u"conflicts"_s, Tr::tr("Many keys are used again with other data"), u"conflicts"_s, AlertForm::Sum, 10,
            3'600 },
        { u"violations"_s, Tr::tr("Unique violations beyond 0.01 % of the claims"), u"violations"_s, AlertForm::Share,
            0.0001, 3'600, 1, u"claims"_s },
        { u"backlog_old"_s, Tr::tr("The backlog is not being worked off"), u"oldest_backlog"_s, AlertForm::Above, 300,
            300 },
        { u"growth"_s, Tr::tr("The table grows beyond its retention"), u"expired"_s, AlertForm::Share, 0.3, 3'600,
            1'000, u"rows"_s },
        { u"check_time"_s, Tr::tr("One look-up in a hundred takes over 150 ms in the database"), u"check_time_p99"_s,
            AlertForm::Above, 0.15, 300 },
        { u"cache_time"_s, Tr::tr("One look-up in a hundred takes over 50 ms in the cache"), u"cache_time_p99"_s,
            AlertForm::Above, 0.05, 300 },
        { u"cache_misses"_s, Tr::tr("Over half of the look-ups find nothing in Redis"), u"cache_misses"_s,
            AlertForm::Share, 0.5, 3'600, 100, u"cache_lookups"_s },
        { u"cache_ttl"_s, Tr::tr("Cached entries live off their baseline"), u"cache_ttl_off"_s, AlertForm::Share, 0.1,
            3'600, 10, u"cache_ttl_judged"_s },
        { u"cache_crowd"_s, Tr::tr("Many cached entries expire in the same minute"), u"cache_crowded"_s,
            AlertForm::Above, 1'000, 120 },
        { u"standby_lag"_s, Tr::tr("A standby or subscriber is over a minute behind"), u"standby_lag"_s,
            AlertForm::Above, 60, 300 },
        { u"slot_log"_s, Tr::tr("A replication slot keeps over 1 GiB of the log"), u"slot_log"_s, AlertForm::Above,
            1'073'741'824, 300 },
    };
}

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
                sql::Error error = bad(0, {}, Tr::tr("Metric “%1” is unavailable.").arg(metric));
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
