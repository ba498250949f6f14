// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/help/made_tables.h"

#include "models/alerts/alert_model.h"
#include "models/alerts/alert_rules.h"
#include "models/retries/error_codes.h"
#include "models/runbook/runbook_table.h"
#include "sql/trends/trend_gateway.h"
#include "sql/types/tr.h"

#include <QStringList>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString markdownRow(const QStringList &cells)
{
    QStringList escaped = cells;
    for (QString &cell : escaped) {
        cell.replace(u"|"_s, u"\\|"_s);
    }
    return u"| "_s + escaped.join(u" | "_s) + u" |\n"_s;
}

QString runbookTable()
{
    QString text = markdownRow({ Tr::tr("Name"), Tr::tr("Runbook"), Tr::tr("Open it when"), Tr::tr("Document") })
        + u"|---|---|---|---|\n"_s;
    for (const Runbook &book : runbooks()) {
        text += markdownRow({ u'`' + QString::fromLatin1(book.name) + u'`', runbookText(book.title),
            runbookText(book.symptom), QString::fromUtf8(book.source) });
    }
    return text;
}

QString alertTable()
{
    const QList<sql::TrendMetric> metrics = sql::trendMetrics(sql::Target());
    QString text = markdownRow({ Tr::tr("Rule"), Tr::tr("What is wrong"), Tr::tr("Metric"), Tr::tr("Fires") })
        + u"|---|---|---|---|\n"_s;
    for (sql::AlertRule rule : defaultAlertRules()) {
        const auto metric = std::find_if(
            metrics.cbegin(), metrics.cend(), [&rule](const sql::TrendMetric &one) { return one.id == rule.metric; });
        if (metric != metrics.cend()) {
            rule.unit = metric->unit;
        }
        const QString over = rule.over.isEmpty() ? rule.metric : Tr::tr("%1 of %2").arg(rule.metric, rule.over);
        text += markdownRow({ u'`' + rule.id + u'`', rule.title, over, alertLimitText(rule) });
    }
    return text;
}

QString metricTable()
{
    QString text = markdownRow({ Tr::tr("Metric"), Tr::tr("Meaning"), Tr::tr("Unit") }) + u"|---|---|---|\n"_s;
    const QList<sql::TrendMetric> metrics = sql::trendMetrics(sql::Target());
    for (const sql::TrendMetric &metric : metrics) {
        text += markdownRow({ u'`' + metric.id + u'`', metric.help, sql::trendUnitName(metric.unit) });
    }
    return text;
}

QString errorCodeTable()
{
    QString text = markdownRow({ Tr::tr("Code"), Tr::tr("Class"), Tr::tr("Meaning"), Tr::tr("What to do") })
        + u"|---|---|---|---|\n"_s;
    for (const ErrorCode &code : errorCodes()) {
        const QString name = code.name.isEmpty() ? QString() : u" `"_s + code.name + u'`';
        const QString all = code.code.size() == 2 ? Tr::tr("`%1`, all others").arg(code.code) : u'`' + code.code + u'`';
        text += markdownRow({ all + name, failureClassLabel(code.cls), code.meaning, code.advice });
    }
    return text;
}

} // namespace idemdesk::models
