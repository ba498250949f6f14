// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/drill/drill_report.h"

#include "models/format/labels.h"
#include "models/format/time_format.h"
#include "models/report/report_file.h"
#include "models/report/report_page.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QString drillSummary(const DrillReport &report)
{
    const QString text = Tr::tr("%n passed,", nullptr, int(report.count(DrillVerdict::Passed))) + u' '
        + Tr::tr("%n failed,", nullptr, int(report.count(DrillVerdict::Failed))) + u' '
        + Tr::tr("%n do(es) not apply.", nullptr, int(report.count(DrillVerdict::NotApplicable)));
    return report.stopped ? text + u' ' + Tr::tr("It was stopped before all were run.") : text;
}

QString drillHtml(const DrillReport &report)
{
    QStringList rows;
    for (const DrillResult &result : report.results) {
        rows += reportRow({ drillVerdictSign(result.verdict) + u' ' + reportText(drillVerdictLabel(result.verdict)),
            reportText(drillText(result.test->title)), reportText(drillText(result.test->expects)),
            reportText(result.seen), reportText(QString::fromUtf8(result.test->source)) });
    }
    QString left;
    for (const QString &line : report.left) {
        left += reportParagraph(line);
    }
    const QString title = Tr::tr("Drill: %1").arg(report.title);
    return reportPage(title,
        u"<h1>%1</h1>"_s.arg(reportText(title))
            + reportParagraph(
                Tr::tr("Run on %1 (%2) at %3 (UTC, the server's clock).")
                    .arg(report.server, environmentLabel(report.environment), TimeFormat().text(report.at)))
            + reportParagraph(drillSummary(report))
            + reportTable({ QString(), Tr::tr("Test"), Tr::tr("Expected"), Tr::tr("Seen"), Tr::tr("Source") }, rows)
            + (left.isEmpty() ? QString() : reportHeading(Tr::tr("What could not be taken away")) + left)
            + reportHeading(Tr::tr("About this page"))
            + reportParagraph(Tr::tr("Each test ran the service's own statements, as the profile names them."))
            + reportParagraph(Tr::tr("Made with Idemdesk %1.").arg(QCoreApplication::applicationVersion())));
}

QJsonObject drillJson(const DrillReport &report)
{
    QJsonArray tests;
    for (const DrillResult &result : report.results) {
        tests.append(QJsonObject { { u"id"_s, QString::fromLatin1(result.test->name) },
            { u"title"_s, drillText(result.test->title) }, { u"expects"_s, drillText(result.test->expects) },
            { u"source"_s, QString::fromUtf8(result.test->source) }, { u"verdict"_s, drillVerdictName(result.verdict) },
            { u"seen"_s, result.seen } });
    }
    return { { u"target"_s, report.target }, { u"title"_s, report.title }, { u"server"_s, report.server },
        { u"environment"_s, sql::environmentName(report.environment) }, { u"run"_s, report.run },
        { u"at"_s, report.at.toRfc3339() }, { u"tests"_s, tests },
        { u"left"_s, QJsonArray::fromStringList(report.left) }, { u"stopped"_s, report.stopped },
        { u"passed"_s, report.count(DrillVerdict::Passed) }, { u"failed"_s, report.count(DrillVerdict::Failed) },
        { u"not_applicable"_s, report.count(DrillVerdict::NotApplicable) } };
}

QList<std::pair<QString, QString>> drillStatements(const sql::DrillSpec &spec)
{
    QList<std::pair<QString, QString>> all;
    const auto add = [&all](const QString &what, const QString &sql) {
        if (!sql.isEmpty()) {
            all.append({ what, sql });
        }
    };
    add(Tr::tr("To claim the key"), spec.claim);
    for (const QString &sql : spec.perform) {
        add(Tr::tr("To do the work"), sql);
    }
    add(Tr::tr("To count the effects"), spec.effects);
    add(Tr::tr("To let the key expire"), spec.expire);
    for (const QString &sql : spec.cleanup) {
        add(Tr::tr("To take it away again"), sql);
    }
    return all;
}

sql::Result<QString> writeDrill(const DrillReport &report, const QString &path)
{
    return writeReport(path, Tr::tr("Drill: %1").arg(report.title), drillHtml(report), drillJson(report));
}

} // namespace idemdesk::models
