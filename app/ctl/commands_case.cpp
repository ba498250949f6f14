// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/actions/action_journal.h"
#include "models/casefile/case_reader.h"
#include "models/casefile/case_report.h"
#include "models/complaint/complaint.h"
#include "models/connection/target_finder.h"
#include "models/keys/private_file.h"
#include "sql/local/local_conflicts.h"
#include "sql/types/tr.h"

#include <QFileInfo>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostCaseKeys = 50;

using Scope = QMap<QString, QString>;

/// A session and the intents to be judged.
struct Intents {
    std::unique_ptr<sql::Session> session;
    QList<models::CaseSubject> subjects;
    QList<models::TargetProblem> notRead; ///< tables that may tell more of them
};

/// The rows of the keys in one table.
sql::Result<Intents> intentsOfTarget(const Context &context, const Scope &scope)
{
    auto opened = openTarget(context);
    if (!opened) {
        return opened.error();
    }
    Intents intents;
    for (const QString &key : context.positional()) {
        intents.subjects.append({ opened->target, opened->registered ? opened->registered->name : QString(), key, scope });
    }
    intents.session = std::move(opened->session);
    return intents;
}

bool isInScope(const sql::Target &target, const sql::KeyRecord &record, const Scope &scope)
{
    Scope missing = scope;
    const QList<sql::LabelledExpression> &parts = target.profile.scope;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const auto wanted = missing.constFind(parts.at(i).label);
        const sql::Cell part = record.scope.value(i);
        if (wanted != missing.cend() && (part.null || part.text != *wanted)) {
            return false;
        }
        missing.remove(parts.at(i).label);
    }
    return missing.isEmpty();
}

/// The rows of the keys in every table that is here: requests, and the messages that came and went for them.
sql::Result<Intents> intentsOfAllTargets(const Context &context, const Scope &scope)
{
    auto connected = context.connect();
    if (!connected) {
        return connected.error();
    }
    Intents intents;
    intents.session = std::move(*connected);
    const auto found = models::findTargets(*intents.session, {});
    if (!found) {
        return found.error();
    }
    QList<sql::Target> targets;
    for (const models::TargetEntry &entry : found->targets) {
        targets += entry.target;
    }
    intents.notRead = found->problems;
    QStringList notes;
    QSet<QString> unread;
    for (const QString &key : context.positional()) {
        models::ComplaintQuestion question;
        question.key = key;
        const auto answer = models::searchComplaint(*intents.session, targets, question);
        if (!answer) {
            return answer.error();
        }
        const qsizetype before = intents.subjects.size();
        for (const models::Candidate &candidate : answer->candidates) {
            const models::TargetEntry &entry = found->targets.at(candidate.target);
            if (isInScope(entry.target, candidate.record, scope)) {
                intents.subjects += models::caseSubject(entry.target, entry.registration ? entry.registration->name : QString(), candidate.record);
            }
        }
        for (const models::TargetProblem &problem : answer->notRead) {
            if (!unread.contains(problem.profileName)) {
                unread.insert(problem.profileName);
                intents.notRead += problem;
            }
        }
        if (intents.subjects.size() == before && (!intents.notRead.isEmpty() || answer->searched == 0)) {
            note(answer->searched == 0 ? Tr::tr("No table could be searched for the key “%1”, so nothing is known of it.").arg(key)
                                       : Tr::tr("The key “%1” is not in the tables that could be read; in the others it may be.").arg(key));
            intents.subjects.clear();
            return intents;
        }
        if (intents.subjects.size() == before) {
            return sql::makeError(sql::ErrorKind::Other, Tr::tr("There is no key “%1” in the tables that could be searched, or none in this scope.").arg(key), answer->notes.join(u' '),
                Tr::tr("It may have been purged; the trail of purges and the logs may still tell of it."));
        }
        notes += answer->notes;
    }
    notes.removeDuplicates();
    for (const QString &text : std::as_const(notes)) {
        note(text);
    }
    return intents;
}

Exit runCase(const Context &context)
{
    const QString path = context.value(u"output"_s);
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix != u"html" && suffix != u"pdf" && suffix != u"json") {
        return fail(usageError(Tr::tr("A case file is HTML, PDF or JSON."), Tr::tr("Name a file that ends so with -o.")));
    }
    if (QFileInfo::exists(path)) {
        return fail(usageError(Tr::tr("The file %1 is there already.").arg(path), Tr::tr("Choose another name; nothing is overwritten.")));
    }
    Scope scope;
    const QStringList parts = context.value(u"scope"_s).split(u',', Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        const qsizetype equals = part.indexOf(u'=');
        if (equals < 1) {
            return fail(usageError(Tr::tr("“%1” is no part of a scope.").arg(part), Tr::tr("Write --scope LABEL=VALUE,LABEL=VALUE.")));
        }
        scope.insert(part.left(equals), part.mid(equals + 1));
    }
    const auto intents = context.has(u"target"_s) ? intentsOfTarget(context, scope) : intentsOfAllTargets(context, scope);
    if (!intents) {
        return fail(intents.error());
    }
    if (intents->subjects.isEmpty()) { // said above
        noteNotRead(intents->notRead);
        return Exit::Unknown;
    }
    const sql::LocalPlace here { sql::LocalConflicts::defaultPath(), models::ActionJournal::serverOf(intents->session->facts()) };
    auto file = models::readCase(*intents->session, intents->subjects, here);
    if (!file) {
        return fail(file.error());
    }
    file->complaint = context.value(u"complaint"_s);
    file->notRead = models::problemTexts(intents->notRead);
    const QByteArray json = models::caseJson(*file);
    const auto written = models::writePrivateFile(
        path,
        [&](QIODevice &out) -> sql::Result<qint64> {
            const bool done = suffix == u"pdf" ? models::writeCasePdf(*file, json, &out)
                : suffix == u"html"            ? out.write(models::caseHtml(*file, json).toUtf8()) > 0
                                               : out.write(json) == json.size();
            return done ? sql::Result<qint64>(1)
                        : sql::Result<qint64>(models::fileError(path, out.errorString(), false));
        },
        models::FileThere::Refuse);
    if (!written) {
        return fail(written.error());
    }
    note(file->verdict.sentence);
    note(Tr::tr("Written to %1.").arg(path));
    noteNotRead(intents->notRead);
    return intents->notRead.isEmpty() ? Exit::Done : Exit::Unknown;
}

} // namespace

Command caseCommand()
{
    return { .name = u"case"_s,
        .synopsis = u"KEY…"_s,
        .summary = Tr::tr("a case file about one or several keys: verdict, story and evidence, as HTML, PDF or JSON"),
        .about = Tr::tr(
            "Writes a case file about one key, or about several that are judged together, looked for in every table or in "
            "the one that --target names: the verdict with its rules, the story, what differs between their requests and "
            "those that were refused, effects, conflicts, the record and what was done to it, with the state of the trail. "
            "The name decides the form: .html, .pdf or .json. Without -o the verdict is printed; “-o -” writes the JSON "
            "form on standard output, and so does --json.\n\n"
            "Columns that the profile's masking names are left out, and so is what reads them: roles, parts of the scope "
            "and effects. Requests are compared up to 1 MiB each and ten pairs; what was not compared stands there, too."),
        .arguments = { { u"KEY"_s, Tr::tr("The whole key; several are judged together."), 1, kMostCaseKeys, {} } },
        .options = connectOptions() + targetOptions()
            + QList { jsonOption(),
                Option::text(u"scope"_s, Tr::tr("LABEL=VALUE,…"),
                    Tr::tr("The key's scope, part by part; parts left out match any.")),
                Option::text(u"complaint"_s, Tr::tr("TEXT"), Tr::tr("What was complained about, for the file.")),
                outputOption(Tr::tr("A new file that ends in .html, .pdf or .json; “-” is standard output.")) },
        .examples = { { Tr::tr("Was the customer charged twice?"), u"case ord-1017"_s },
            { Tr::tr("The same for two keys, as a file for the customer's case:"),
                u"case ord-1017 ord-1018 --complaint 'charged twice' -o case.pdf"_s } },
        .run = runCase };
}

} // namespace idemdesk::app
