// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/line/command_line.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/opened_target.h"
#include "models/format/display_text.h"
#include "models/review/review_report.h"
#include "sql/review/review_gateway.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kAnswerIndent = 4;
constexpr int kReviewChars = 10'000;

QStringList questionNames()
{
    QStringList names;
    for (const models::ReviewQuestion &question : models::reviewQuestions()) {
        names += question.name();
    }
    return names;
}

QStringList verdictNames()
{
    QStringList names;
    for (const sql::ReviewVerdict verdict : sql::kAllOf<sql::ReviewVerdict>) {
        names += sql::reviewVerdictName(verdict);
    }
    return names;
}

QStringList standNames()
{
    QStringList names;
    for (const models::ReviewStand stand : sql::kAllOf<models::ReviewStand>) {
        names += models::reviewStandName(stand);
    }
    return names;
}

void printAnswer(const QString &text)
{
    const QString shown = wrapped(models::displayText(text, kReviewChars), lineWidth() - kAnswerIndent);
    print(
        QString(kAnswerIndent, u' ') + QString(shown).replace(u"\n"_s, u"\n"_s + QString(kAnswerIndent, u' ')) + u'\n');
}

/// only: names of what is listed; empty: all. The summary is of all.
void printReview(const models::ReviewReport &report, const QStringList &only)
{
    print(models::displayText(report.title) + u'\n' + models::reviewSummary(report) + u'\n');
    std::optional<models::ReviewTopic> topic;
    for (const models::ReviewItem &item : report.items) {
        if (!only.isEmpty() && !only.contains(models::reviewStandName(item.stand))) {
            continue;
        }
        if (topic != item.question->topic) {
            topic = item.question->topic;
            print(u'\n' + models::reviewTopicTitle(*topic) + u'\n');
        }
        print(wrapped(u"%1 %2  (%3)"_s.arg(
                          models::reviewStandSign(item.stand), item.question->text(), item.question->name()),
                  lineWidth(), 2)
            + u'\n');
        if (!item.seen.isEmpty()) {
            printAnswer(item.seen);
        }
        if (item.answer) {
            printAnswer(models::reviewSignature(item));
        }
    }
}

QJsonObject listedJson(const models::ReviewReport &report, const QStringList &only)
{
    QJsonObject json = models::reviewJson(report);
    QJsonArray listed;
    const QJsonArray questions = json.value(u"questions"_s).toArray();
    for (const QJsonValue &question : questions) {
        if (only.isEmpty() || only.contains(question[u"stand"_s].toString())) {
            listed.append(question);
        }
    }
    json.insert(u"questions"_s, listed);
    return json;
}

sql::Result<qint64> signOnce(const Context &context, const sql::ReviewSigning &signing)
{
    TRY(const auto session, context.connect(sql::LaneKind::Write));
    return sql::signReview(*session, signing);
}

Exit signAnswer(const Context &context)
{
    const models::ReviewQuestion *question = models::reviewQuestion(context.positional().value(1));
    const auto verdict = sql::reviewVerdict(context.value(u"verdict"_s));
    const QString note = context.value(u"note"_s).trimmed();
    if (context.positional().size() < 2) {
        return misused(
            Tr::tr("The question's name is missing."), Tr::tr("“idemdeskctl review” shows each name in brackets."));
    }
    if (context.has(u"output"_s) || context.has(u"only"_s)) {
        return misused(Tr::tr("%1 goes with “review”, not with “review sign”.")
                           .arg(context.has(u"output"_s) ? u"-o"_s : u"--only"_s),
            Tr::tr("Leave it out."));
    }
    if (question == nullptr) {
        return misused(Tr::tr("There is no question “%1”.").arg(context.positional().value(1)),
            didYouMean(context.positional().value(1), questionNames()));
    }
    if (!verdict) {
        return misused(Tr::tr("An answer needs a verdict."), Tr::tr("Give one with --verdict."));
    }
    if (note.toUcs4().size() > sql::kMostReviewText) {
        return misused(Tr::tr("The note is too long: %1 characters.").arg(note.toUcs4().size()),
            Tr::tr("It may have at most %1.").arg(sql::kMostReviewText));
    }
    if (note.isEmpty()) {
        return misused(Tr::tr("An answer needs a note."), Tr::tr("Say with --note how it is, and how you know."));
    }
    TRY_OR(fail, const auto opened, openTarget(context));
    TRY_OR(fail, const auto report,
        models::readReviewReport(
            *opened.session, opened.target, opened.registered ? opened.registered->name : QString()));
    const models::ReviewItem *item = report.item(question->name());
    if (item == nullptr) {
        return misused(Tr::tr("“%1” is not asked of this table.").arg(question->name()),
            Tr::tr("“idemdeskctl review” lists what is asked."));
    }
    const sql::ReviewSigning signing = models::reviewSigning(report, *item, *verdict, note);
    auto signedRow = signOnce(context, signing);
    if (!signedRow && sql::answerLost(signedRow.error())) {
        signedRow = signOnce(context, signing); // by the same id, so that it is signed once
    }
    if (!signedRow && sql::answerLost(signedRow.error())) {
        sql::Error error = signedRow.error(); // another run is another answer
        error.todo = Tr::tr("Look with “idemdeskctl review” whether it is there, before you sign again.");
        return fail(error);
    }
    TRY_OR(fail, const qint64 seq, signedRow);
    if (context.json()) {
        printJson({ { u"id"_s, signing.id }, { u"target"_s, report.target }, { u"question"_s, signing.question },
            { u"verdict"_s, sql::reviewVerdictName(signing.verdict) }, { u"seq"_s, seq } });
    } else {
        print(Tr::tr("Signed: row %1 of the audit log.").arg(seq) + u'\n');
    }
    return Exit::Done;
}

Exit runReview(const Context &context)
{
    if (!context.positional().isEmpty()) {
        return signAnswer(context);
    }
    TRY_OR(fail, const auto path, reportPath(context));
    TRY_OR(fail, const auto opened, openTarget(context));
    TRY_OR(fail, const auto report,
        models::readReviewReport(
            *opened.session, opened.target, opened.registered ? opened.registered->name : QString()));
    const QStringList only = context.values(u"only"_s);
    if (context.json()) {
        printJson(listedJson(report, only));
    } else {
        printReview(report, only);
    }
    if (!path.isEmpty()) {
        TRY_OR(fail, models::writeReview(report, path));
        note(Tr::tr("Written to %1.").arg(path));
    }
    if (!context.json() && report.count(models::ReviewStand::Open) > 0) {
        note(Tr::tr("Answer one with: idemdeskctl review sign NAME --verdict … --note …"));
    }
    if (report.noAnswers) {
        note(report.noAnswers->line());
    }
    if (const int notRead = int(report.notRead()); notRead > 0) {
        note(Tr::tr("%n question(s) could not be looked into.", nullptr, notRead));
    }
    return report.noAnswers || report.notRead() > 0 ? Exit::Unknown : Exit::Done;
}

} // namespace

Command reviewCommand()
{
    return { .name = u"review"_s,
        .synopsis = u"[sign QUESTION]"_s,
        .summary = Tr::tr("the review checklist of one table: what the console finds, and what people signed"),
        .about = Tr::tr("Asks the questions of a design review about one table. What the catalogue and the rows answer "
                        "is filled in. What only a person knows is open until somebody signs an answer.\n\n“sign” "
                        "answers one question by its name, with a verdict and a note. The answer is a row of the audit "
                        "log, with the login and the time; everyone who may look reads it. The newest answer stands, "
                        "until the console finds something "
                        "else than when it was signed.\n\n✓ means settled, ✗ a gap, ? open, – that it does not apply. "
                        "Exit status 5 where something could not be read; "
                        "gaps do not change it.\n\nWith -o it is written to a new file as "
                        "well, whose name ends in .html, .pdf or .json."),
        .arguments = { { u"sign"_s, Tr::tr("Sign an answer."), 0, 1, { u"sign"_s } },
            { u"QUESTION"_s, Tr::tr("The question's name, such as key_source."), 0, 1, {} } },
        .options = connectOptions() + targetOptions()
            + QList { jsonOption(),
                outputOption(Tr::tr("Write it to this new file as well, which ends in .html, .pdf or .json.")),
                Option::word(u"only"_s, standNames(), Tr::tr("List only these questions; a file of -o holds all."))
                    .manyTimes(),
                Option::word(u"verdict"_s, verdictNames(), Tr::tr("What the answer comes to.")).with({ u"sign"_s }),
                Option::text(u"note"_s, u"TEXT"_s, Tr::tr("How it is, and how you know.")).with({ u"sign"_s }) },
        .examples = { { Tr::tr("How a table stands:"), u"review --target app.idempotency_request"_s },
            { Tr::tr("What is left to do:"), u"review --target app.idempotency_request --only gap --only open"_s },
            { Tr::tr("Answer a question:"),
                u"review sign key_source --target app.idempotency_request --verdict settled "
                "--note 'the client makes a UUID'"_s } },
        .run = runReview,
        .watched = { QString() },
        .tables = false };
}

} // namespace idemdesk::app
