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

} // namespace

Exit runCase(const QStringList &arguments)
{
    Context context(u"case KEY…"_s);
    context.addConnectOption();
    context.addTargetOption();
    context.parser().addOption({ u"scope"_s, Tr::tr("The key's scope, part by part; parts left out match any."), Tr::tr("LABEL=VALUE,…") });
    context.parser().addOption({ u"complaint"_s, Tr::tr("What was complained about, for the file."), Tr::tr("TEXT") });
    context.parser().addOption({ QStringList { u"o"_s, u"output"_s }, Tr::tr("A new file that ends in .html, .pdf or .json."), Tr::tr("FILE") });
    context.parser().addPositionalArgument(u"KEY"_s, Tr::tr("The whole key; several are judged together."));
    if (const auto exit = context.parse(arguments, 1, kMostCaseKeys)) {
        return *exit;
    }
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

} // namespace idemdesk::app
