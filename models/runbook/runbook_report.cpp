// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runbook/runbook_report.h"

#include "models/format/time_format.h"
#include "models/report/report_file.h"
#include "models/report/report_page.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString stepHtml(const RunbookStepResult &result)
{
    QStringList seen;
    for (const RunbookSighting &sighting : result.shown()) {
        const QString of = sighting.title.isEmpty() ? QString() : u"<b>%1</b>: "_s.arg(reportText(sighting.title));
        seen += runbookAnswerSign(sighting.answer) + u' ' + of + reportText(sighting.seen);
    }
    return reportRow({ runbookAnswerSign(result.answer), reportText(runbookText(result.step->question)),
        u"<b>%1</b><br>%2"_s.arg(reportText(result.text()), seen.join(u"<br>"_s)) });
}

QString nextHtml(const RunbookReport &report)
{
    QString html = reportHeading(Tr::tr("What to do now")) + u"<ol>"_s;
    for (const RunbookNext &next : report.next) {
        html += u"<li>%1%2</li>"_s.arg(reportText(next.text),
            next.command.isEmpty() ? QString() : u"<br><code>%1</code>"_s.arg(reportText(next.command)));
    }
    return html + u"</ol>"_s;
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonObject jsonOfStep(const RunbookStepResult &result)
{
    QJsonArray seen;
    for (const RunbookSighting &sighting : result.sightings) {
        seen.append(QJsonObject { { u"target"_s, textOrNull(sighting.target) },
            { u"answer"_s, runbookAnswerName(sighting.answer) }, { u"seen"_s, sighting.seen },
            { u"action"_s, textOrNull(sighting.action) } });
    }
    return { { u"id"_s, QString::fromLatin1(result.step->id) }, { u"question"_s, runbookText(result.step->question) },
        { u"answer"_s, runbookAnswerName(result.answer) }, { u"text"_s, result.text() }, { u"seen"_s, seen } };
}

} // namespace

QString runbookHtml(const RunbookReport &report)
{
    const Runbook &book = *report.book;
    QStringList steps;
    for (const RunbookStepResult &result : report.steps) {
        steps += stepHtml(result);
    }
    QStringList notRead;
    for (const QString &text : problemTexts(report.notRead)) {
        notRead += reportParagraph(text);
    }
    const QString title = runbookText(book.title);
    return reportPage(Tr::tr("Runbook: %1").arg(title),
        u"<h1>%1</h1>"_s.arg(reportText(title)) + reportParagraph(runbookText(book.symptom))
            + reportParagraph(Tr::tr("Read from %1 at %2 (UTC, the server's clock).")
                                  .arg(report.server, TimeFormat().text(report.at)))
            + reportHeading(Tr::tr("Questions and answers"))
            + reportTable({ QString(), Tr::tr("Question"), Tr::tr("Answer, and what was seen") }, steps)
            + nextHtml(report)
            + (notRead.isEmpty() ? QString()
                                 : reportHeading(Tr::tr("Tables that could not be read")) + notRead.join(QString()))
            + reportHeading(Tr::tr("About this page"))
            + reportParagraph(Tr::tr("✓ fine, ▲ needs a person, ? could not be read, – does not apply."))
            + reportParagraph(Tr::tr("Made with Idemdesk %1.").arg(QCoreApplication::applicationVersion())));
}

QJsonObject runbookJson(const RunbookReport &report)
{
    QJsonArray steps;
    for (const RunbookStepResult &result : report.steps) {
        steps.append(jsonOfStep(result));
    }
    QJsonArray next;
    for (const RunbookNext &one : report.next) {
        next.append(QJsonObject { { u"text"_s, one.text }, { u"command"_s, textOrNull(one.command) },
            { u"target"_s, textOrNull(one.target) } });
    }
    return { { u"name"_s, QString::fromLatin1(report.book->name) }, { u"title"_s, runbookText(report.book->title) },
        { u"symptom"_s, runbookText(report.book->symptom) }, { u"server"_s, report.server },
        { u"at"_s, report.at.toRfc3339() }, { u"steps"_s, steps }, { u"next_steps"_s, next } };
}

sql::Result<QString> writeRunbook(const RunbookReport &report, const QString &path)
{
    return writeReport(
        path, Tr::tr("Runbook: %1").arg(runbookText(report.book->title)), runbookHtml(report), runbookJson(report));
}

} // namespace idemdesk::models
