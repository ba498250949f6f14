// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/review/review_report.h"

#include "models/format/time_format.h"
#include "models/report/report_file.h"
#include "models/report/report_page.h"
#include "sql/review/review_gateway.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString reviewRowHtml(const ReviewItem &item)
{
    QStringList answer;
    if (!item.seen.isEmpty()) {
        answer += reportText(Tr::tr("Found: %1").arg(item.seen));
    }
    if (item.answer) {
        answer += reportText(reviewSignature(item), 5'000);
    }
    if (answer.isEmpty()) {
        answer += reportText(Tr::tr("Unanswered"));
    }
    return reportRow({ reviewStandSign(item.stand) + u' ' + reportText(reviewStandLabel(item.stand)),
        reportText(item.question->text()), answer.join(u"<br>"_s),
        reportText(QString::fromUtf8(item.question->source)) });
}

QJsonObject jsonOfItem(const ReviewItem &item)
{
    const auto text = [](const QString &value) { return value.isEmpty() ? QJsonValue() : QJsonValue(value); };
    QJsonValue given;
    if (item.answer) {
        given = QJsonObject { { u"verdict"_s, sql::reviewVerdictName(item.answer->said.verdict) },
            { u"note"_s, item.answer->said.note }, { u"who"_s, item.answer->who },
            { u"at"_s, item.answer->at.toRfc3339() }, { u"seq"_s, item.answer->seq },
            { u"asked"_s, item.answer->said.asked }, { u"found"_s, text(item.answer->said.found) },
            { u"holds"_s, !item.changed } };
    }
    return { { u"id"_s, item.question->name() }, { u"topic"_s, reviewTopicTitle(item.question->topic) },
        { u"question"_s, item.question->text() }, { u"source"_s, QString::fromUtf8(item.question->source) },
        { u"stand"_s, reviewStandName(item.stand) },
        { u"found"_s, item.level ? QJsonValue(sql::healthLevelName(*item.level)) : QJsonValue() },
        { u"seen"_s, text(item.seen) }, { u"not_read"_s, item.notRead }, { u"signed"_s, given } };
}

} // namespace

QString reviewSummary(const ReviewReport &report)
{
    const qsizetype against = std::count_if(
        report.items.cbegin(), report.items.cend(), [](const ReviewItem &item) { return item.against(); });
    const qsizetype apart = report.count(ReviewStand::NotApplicable);
    return Tr::tr("%n settled,", nullptr, int(report.count(ReviewStand::Settled))) + u' '
        + (apart > 0 ? Tr::tr("%n do(es) not apply,", nullptr, int(apart)) + u' ' : QString())
        + Tr::tr("%n gap(s),", nullptr, int(report.count(ReviewStand::Gap))) + u' '
        + Tr::tr("%n open.", nullptr, int(report.count(ReviewStand::Open)))
        + (against > 0 ? u' ' + Tr::tr("%n settled against what the console finds.", nullptr, int(against))
                       : QString());
}

QString reviewSignature(const ReviewItem &item)
{
    if (!item.answer) {
        return {};
    }
    const sql::ReviewAnswer &answer = *item.answer;
    const QString said = Tr::tr("%1, signed by %2 at %3 (UTC): “%4”", "verdict, login, time, note")
                             .arg(reviewStandLabel(standOf(answer.said.verdict)), answer.who,
                                 TimeFormat().text(answer.at), answer.said.note);
    if (item.against()) {
        return said + u' ' + Tr::tr("The console still finds a gap.");
    }
    return item.otherTable ? said + u' ' + Tr::tr("That was of another table of this name, so sign it anew.")
        : item.changed     ? said + u' ' + Tr::tr("Since then the console finds something else, so sign it anew.")
                           : said;
}

QString reviewHtml(const ReviewReport &report)
{
    QString body = u"<h1>%1</h1>"_s.arg(reportText(Tr::tr("Review: %1").arg(report.title)))
        + (report.place.isEmpty() ? QString() : reportParagraph(report.place))
        + reportParagraph(
            Tr::tr("Read from %1 at %2 (UTC, the server's clock).").arg(report.server, TimeFormat().text(report.at)))
        + reportParagraph(reviewSummary(report));
    if (report.noAnswers) {
        body += reportParagraph(report.noAnswers->line());
    }
    for (qsizetype i = 0; i < report.items.size();) {
        const ReviewTopic topic = report.items.at(i).question->topic;
        QStringList rows;
        for (; i < report.items.size() && report.items.at(i).question->topic == topic; ++i) {
            rows += reviewRowHtml(report.items.at(i));
        }
        body += reportHeading(reviewTopicTitle(topic))
            + reportTable({ QString(), Tr::tr("Question"), Tr::tr("Answer"), Tr::tr("Source") }, rows);
    }
    return reportPage(Tr::tr("Review: %1").arg(report.title),
        body + reportHeading(Tr::tr("About this page"))
            + reportParagraph(Tr::tr("✓ settled, ✗ a gap, ? open, – does not apply."))
            + reportParagraph(Tr::tr("What was found was read from the catalogue and from rows. What was signed is a "
                                     "row of the audit log, which “idemdeskctl audit verify” checks."))
            + reportParagraph(Tr::tr("Made with Idemdesk %1.").arg(QCoreApplication::applicationVersion())));
}

QJsonObject reviewJson(const ReviewReport &report)
{
    QJsonArray questions;
    for (const ReviewItem &item : report.items) {
        questions.append(jsonOfItem(item));
    }
    return { { u"target"_s, report.target }, { u"title"_s, report.title }, { u"table"_s, report.table },
        { u"registered_as"_s, report.registeredName.isEmpty() ? QJsonValue() : QJsonValue(report.registeredName) },
        { u"server"_s, report.server }, { u"at"_s, report.at.toRfc3339() },
        { u"answers_read"_s, !report.noAnswers.has_value() }, { u"gaps"_s, report.count(ReviewStand::Gap) },
        { u"settled"_s, report.count(ReviewStand::Settled) },
        { u"not_applicable"_s, report.count(ReviewStand::NotApplicable) },
        { u"open"_s, report.count(ReviewStand::Open) }, { u"questions"_s, questions } };
}

sql::Result<QString> writeReview(const ReviewReport &report, const QString &path)
{
    return writeReport(path, Tr::tr("Review: %1").arg(report.title), reviewHtml(report), reviewJson(report));
}

} // namespace idemdesk::models
