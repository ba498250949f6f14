// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/connection/target_finder.h"
#include "models/format/display_text.h"
#include "models/runbook/runbook_report.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kRunbookIndent = 3;
constexpr int kWholeText = 100'000;

QStringList runbookNames()
{
    QStringList names;
    for (const models::Runbook &book : models::runbooks()) {
        names += QString::fromLatin1(book.name);
    }
    return names;
}

Exit listRunbooks(const Context &context)
{
    QJsonArray items;
    QList<QStringList> rows;
    for (const models::Runbook &book : models::runbooks()) {
        const QString name = QString::fromLatin1(book.name);
        const QString title = models::runbookText(book.title);
        const QString symptom = models::runbookText(book.symptom);
        items.append(QJsonObject { { u"name"_s, name }, { u"title"_s, title }, { u"symptom"_s, symptom },
            { u"source"_s, QString::fromUtf8(book.source) } });
        rows += QStringList { name, title, symptom };
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() } });
    } else {
        print(table({ Tr::tr("NAME"), Tr::tr("RUNBOOK"), Tr::tr("WHEN") }, rows, true));
    }
    return Exit::Done;
}

/// A line with its sign before it, broken between words where the terminal is narrower.
void printIndented(const QString &text, int indent)
{
    QString shown = models::displayText(text, kWholeText);
    const int width = lineWidth();
    if (indent + shown.size() > width) {
        shown = wrapped(shown, width - indent).replace(u"\n"_s, u"\n"_s + QString(indent, u' '));
    }
    print(QString(indent, u' ') + shown + u'\n');
}

/// The tables that something is said of. Of many that the question is not about only how many, unless --verbose is
/// given.
QString titleOf(const models::RunbookStepResult &result, const models::RunbookSighting &shown)
{
    constexpr qsizetype kFew = 2;
    const auto tables = std::count_if(
        result.sightings.cbegin(), result.sightings.cend(), [&shown](const models::RunbookSighting &sighting) {
            return sighting.answer == shown.answer && sighting.seen == shown.seen && !sighting.title.isEmpty();
        });
    return shown.answer == models::RunbookAnswer::Nothing && tables > kFew && !outputStyle().verbose
        ? Tr::tr("%n table(s)", nullptr, int(tables))
        : shown.title;
}

void printStep(int number, const models::RunbookStepResult &result)
{
    print(u"%1. %2\n"_s.arg(number).arg(models::runbookText(result.step->question)));
    printIndented(models::runbookAnswerSign(result.answer) + u' ' + result.text(), kRunbookIndent);
    const QList<models::RunbookSighting> shown = result.shown();
    for (const models::RunbookSighting &sighting : shown) {
        const QString title = titleOf(result, sighting);
        const QString of = title.isEmpty() ? QString() : title + u": "_s;
        const QString sign = shown.size() > 1 ? models::runbookAnswerSign(sighting.answer) + u' ' : QString();
        printIndented(sign + of + sighting.seen, 2 * kRunbookIndent);
    }
}

/// Steps that are taken with the same commands.
struct NextGroup {
    QStringList texts;
    QStringList commands;
};

/// One command stands once, under all that it is for; and one step once, with its command for each table.
QList<NextGroup> grouped(const QList<models::RunbookNext> &steps)
{
    const auto place = [](QList<NextGroup> &groups, auto NextGroup::*by, const QStringList &value) -> NextGroup & {
        const auto same = std::find_if(
            groups.begin(), groups.end(), [&](const NextGroup &one) { return !value.isEmpty() && one.*by == value; });
        if (same != groups.end()) {
            return *same;
        }
        groups.append(NextGroup());
        groups.last().*by = value;
        return groups.last();
    };
    QList<NextGroup> commands;
    for (const models::RunbookNext &step : steps) {
        const QStringList command = step.command.isEmpty() ? QStringList() : QStringList { step.command };
        place(commands, &NextGroup::commands, command).texts += step.text;
    }
    QList<NextGroup> groups;
    for (const NextGroup &one : std::as_const(commands)) {
        place(groups, &NextGroup::texts, one.texts).commands += one.commands;
    }
    return groups;
}

void printRunbook(const models::RunbookReport &report)
{
    print(models::runbookText(report.book->title) + u'\n' + models::runbookText(report.book->symptom) + u"\n\n"_s);
    int number = 0;
    for (const models::RunbookStepResult &result : report.steps) {
        printStep(++number, result);
    }
    print(u'\n' + Tr::tr("What to do now:") + u'\n');
    for (const NextGroup &group : grouped(report.next)) {
        for (const QString &text : group.texts) {
            printIndented(u"- "_s + text, 0);
        }
        for (const QString &command : group.commands) {
            print(u"  "_s + models::displayText(command, kWholeText) + u'\n');
        }
    }
}

/// The tables that runbooks look at: all that are known here, or the one that --target names.
struct RunbookTablesFound {
    std::unique_ptr<sql::Session> session;
    QList<models::RunbookSubject> subjects;
    QList<models::TargetProblem> problems;
};

sql::Result<RunbookTablesFound> runbookTables(const Context &context)
{
    RunbookTablesFound tables;
    if (context.has(u"target"_s)) {
        TRY(auto opened, openTarget(context));
        tables.session = std::move(opened.session);
        const bool registered = opened.registered.has_value();
        tables.subjects = { { opened.target, registered ? opened.registered->name : QString(),
            registered ? opened.compiled : sql::CompiledTarget() } };
        return tables;
    }
    TRY(tables.session, context.connect(sql::LaneKind::Background));
    TRY(const auto found, models::findTargets(*tables.session, {}));
    tables.problems = found.problems;
    for (const models::TargetEntry &entry : found.targets) {
        tables.subjects.append(
            { entry.target, entry.registration ? entry.registration->name : QString(), entry.compiled });
    }
    return tables;
}

Exit runRunbook(const Context &context)
{
    if (context.positional().isEmpty()) {
        return listRunbooks(context);
    }
    const models::Runbook *book = models::runbook(context.positional().constFirst());
    Q_ASSERT(book != nullptr); // the command line was checked
    TRY_OR(fail, const auto path, reportPath(context));
    TRY_OR(fail, const auto tables, runbookTables(context));
    TRY_OR(fail, const auto report, models::readRunbook(*tables.session, *book, tables.subjects, tables.problems));
    if (context.json()) {
        QJsonObject document = models::runbookJson(report);
        document.insert(u"not_read"_s, app::jsonOf(report.notRead));
        printJson(document);
    } else {
        printRunbook(report);
    }
    if (!path.isEmpty()) {
        TRY_OR(fail, models::writeRunbook(report, path));
        note(Tr::tr("Written to %1.").arg(path));
    }
    noteNotRead(report.notRead);
    if (report.nothingLookedAt()) {
        note(Tr::tr("Cannot be known: no such table was looked at."));
        return Exit::Unknown;
    }
    QStringList unanswered;
    for (qsizetype i = 0; i < report.steps.size(); ++i) {
        if (report.steps.at(i).answer == models::RunbookAnswer::Unknown) {
            unanswered += QString::number(i + 1);
        }
    }
    if (!unanswered.isEmpty()) {
        note(Tr::tr("%n question(s) could not be answered: %1.", nullptr, int(unanswered.size()))
                 .arg(unanswered.join(u", "_s)));
    }
    return report.partly() ? Exit::Unknown : Exit::Done;
}

} // namespace

Command runbookCommand()
{
    return { .name = u"runbook"_s,
        .synopsis = u"[NAME]"_s,
        .summary = Tr::tr("what to look at in an incident, answered from what is there now"),
        .about = Tr::tr("Without a name it lists the runbooks. With one it answers the questions of that runbook from "
                        "the tables, the sessions, the samples and the audit log as they are now, says what was seen, "
                        "and ends with what to do. Nothing is changed.\n\n✓ means fine, ▲ that it needs a person, ? "
                        "that it could not be read, – that there is nothing here it could be about; --verbose names "
                        "such tables. Exit status 5 "
                        "where a question could not be answered, or none.\n\nWith -o it is written to a new file as "
                        "well, whose name ends in .html, .pdf or .json."),
        .arguments = { { u"NAME"_s, Tr::tr("Which runbook."), 0, 1, runbookNames() } },
        .options = connectOptions() + targetOptions(TargetScope::Every)
            + QList { jsonOption(),
                outputOption(Tr::tr("Write it to this new file as well, which ends in .html, .pdf or .json.")) },
        .examples = { { Tr::tr("After a service crashed:"), u"runbook orphaned-keys"_s },
            { Tr::tr("The same as a page to print:"), u"runbook orphaned-keys -o orphaned.pdf"_s } },
        .run = runRunbook,
        .watched = runbookNames(),
        .tables = false };
}

} // namespace idemdesk::app
