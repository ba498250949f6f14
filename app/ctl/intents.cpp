// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/intents.h"

#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/actions/action_journal.h"
#include "models/actions/action_words.h"
#include "models/complaint/complaint.h"
#include "models/connection/target_finder.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/format/shell_word.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/compile.h"
#include "sql/actions/triage_reader.h"
#include "sql/local/local_conflicts.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// The rows of the keys in one table.
sql::Result<Intents> inOneTable(const Context &context, const QStringList &keys)
{
    TRY(auto opened, openTarget(context));
    Intents intents;
    const QString name = opened.registered ? opened.registered->name : QString();
    TRY(const auto choice, rowChoice(context, opened.target));
    for (const QString &key : keys) {
        if (choice.scope.isEmpty()) {
            intents.subjects.append({ opened.target, name, key, {} });
            continue;
        }
        TRY(const auto rows, rowsOf(*opened.session, opened.target, key, choice));
        if (const QStringList unseen = rows.isEmpty()
                ? notLookedAt(*opened.session, opened.target, opened.target.profile.key.sql)
                : QStringList();
            !unseen.isEmpty()) {
            note(Tr::tr("No key “%1” was found in what could be looked at; not all could.").arg(key));
            note(unseen.join(u' '));
            intents.subjects.clear();
            return intents;
        }
        if (rows.isEmpty()) {
            intents.absent = noKeyIn(opened, key, choice);
            intents.subjects.clear();
            return intents;
        }
        for (const sql::KeyRecord &record : rows) {
            intents.subjects += models::caseSubject(opened.target, name, record);
        }
    }
    intents.tables = { { opened.target, name, opened.compiled } };
    intents.session = std::move(opened.session);
    return intents;
}

bool isInScope(const sql::Target &target, const sql::KeyRecord &record, const WantedScope &scope)
{
    WantedScope missing = scope;
    const QList<sql::LabelledExpression> &parts = target.profile.scope;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const auto wanted = missing.constFind(parts.at(i).label);
        const sql::Cell part = record.scope.value(i);
        if (wanted != missing.cend() && (wanted->has_value() ? part.null || part.text != **wanted : !part.null)) {
            return false;
        }
        missing.remove(parts.at(i).label);
    }
    return missing.isEmpty();
}

/// Adds the rows of one key to the intents. False where there are none: then that is known, or some table could not be
/// looked at, which is said.
sql::Result<bool> addRows(const QString &key, const QList<sql::Target> &targets, const WantedScope &scope,
    QSet<QString> *unread, Intents *intents)
{
    models::ComplaintQuestion question;
    question.key = key;
    TRY(const auto answer, models::searchComplaint(*intents->session, targets, question));
    const qsizetype before = intents->subjects.size();
    for (const models::Candidate &candidate : answer.candidates) {
        const IntentTable &table = intents->tables.at(candidate.target);
        if (isInScope(table.target, candidate.record, scope)) {
            intents->subjects += models::caseSubject(table.target, table.registeredName, candidate.record);
        }
    }
    for (const models::TargetProblem &problem : answer.notRead) {
        if (!unread->contains(problem.profileName)) {
            unread->insert(problem.profileName);
            intents->notRead += problem;
        }
    }
    intents->notes += answer.notes;
    if (intents->subjects.size() > before) {
        return true;
    }
    if (!intents->notRead.isEmpty() || answer.searched == 0) {
        note(answer.searched == 0
                ? Tr::tr("No table could be searched for the key “%1”, so nothing is known of it.").arg(key)
                : Tr::tr("The key “%1” is not in the tables that could be read; in the others it may be.").arg(key));
        for (const QString &sentence : answer.gone ? answer.notes : QStringList()) {
            note(sentence);
        }
        return false;
    }
    intents->absent = sql::makeError(sql::ErrorKind::Other,
        Tr::tr("There is no key “%1” in the tables that could be searched, or none in this scope.").arg(key),
        answer.notes.join(u' '),
        answer.gone ? QString()
                    : Tr::tr("It may have been purged; the audit log and the services' logs may still tell of it."));
    return false;
}

} // namespace

sql::Result<Intents> intentsOf(const Context &context, const QStringList &keys)
{
    if (context.has(u"target"_s)) {
        return inOneTable(context, keys);
    }
    TRY(const auto scope, wantedScope(context));
    TRY(auto connected, context.connect());
    Intents intents;
    intents.session = std::move(connected);
    TRY(const auto found, models::findTargets(*intents.session, {}));
    QList<sql::Target> targets;
    for (const models::TargetEntry &entry : found.targets + found.archives) {
        targets += entry.target;
        intents.tables.append(
            { entry.target, entry.registration ? entry.registration->name : QString(), entry.compiled });
    }
    intents.notRead = found.problems;
    QSet<QString> unread;
    for (const QString &key : keys) {
        TRY(const auto there, addRows(key, targets, scope, &unread, &intents));
        if (!there) {
            intents.subjects.clear();
            return intents;
        }
    }
    intents.notes.removeDuplicates();
    return intents;
}

const IntentTable *tableOf(const Intents &intents, const models::CaseRow &row)
{
    for (const IntentTable &table : intents.tables) {
        if (table.target.profile.name == row.target.profile.name
            && table.target.relation.oid == row.target.relation.oid) {
            return &table;
        }
    }
    return nullptr;
}

sql::Result<QList<RowDoubt>> doubtsOf(Intents &intents, const models::CaseFile &file)
{
    QList<RowDoubt> doubts;
    for (qsizetype i = 0; i < file.rows.size(); ++i) {
        const models::CaseRow &row = file.rows.at(i);
        if (!row.detail.record.stale.value_or(false)) {
            continue;
        }
        const IntentTable *table = tableOf(intents, row);
        sql::CompiledTarget compiled = table != nullptr ? table->compiled : sql::CompiledTarget();
        if (compiled.json.isEmpty()) {
            TRY(compiled, sql::compileTarget(*intents.session, row.target));
        }
        TRY(const auto page, sql::readTriageOf(*intents.session, row.target, { row.detail.record.identity }));
        intents.notes += page.notes;
        for (const sql::TriageFacts &facts : page.rows) {
            doubts.append({ i, models::judgeTriage(row.target, facts, compiled) });
        }
    }
    intents.notes.removeDuplicates();
    return doubts;
}

QJsonObject jsonOf(const RowDoubt &doubt)
{
    const models::TriageJudgement &judgement = doubt.judgement;
    return { { u"class"_s, models::triageClassName(judgement.cls) },
        { u"proposed"_s,
            judgement.rule < 0       ? QJsonValue()
                : judgement.proposed ? QJsonValue(sql::stateName(*judgement.proposed))
                                     : QJsonValue(u"absent"_s) },
        { u"bulk"_s, judgement.bulk }, { u"reasons"_s, QJsonArray::fromStringList(judgement.reasons) } };
}

QString nextCommand(const IntentTable &table, const models::CaseRow &row, const models::TriageJudgement *judgement)
{
    const QString key = models::shellWord(row.key);
    const QString target = u" --target "_s
        + models::shellWord(table.registeredName.isEmpty() ? table.target.profile.name : table.registeredName);
    const QString filter = u" --filter "_s + models::shellWord(u"key:"_s + models::quoteFilterValue(row.key));
    if (judgement != nullptr && judgement->bulk && judgement->rule >= 0 && !table.registeredName.isEmpty()) {
        return u"idemdeskctl recover"_s + target + filter + u" --dry-run"_s;
    }
    if (judgement != nullptr) {
        return u"idemdeskctl triage"_s + target + filter;
    }
    return u"idemdeskctl show"_s + (row.key.startsWith(u'-') ? target + u" -- "_s + key : u' ' + key + target);
}

Exit failCase(const sql::Error &error)
{
    return error.kind == sql::ErrorKind::Other && error.sqlState.isEmpty() ? failAbsent(error) : fail(error);
}

Exit noteUnseen(const Intents &intents)
{
    for (const QString &text : intents.notes) {
        note(text);
    }
    noteNotRead(intents.notRead);
    return intents.notRead.isEmpty() ? Exit::Done : Exit::Unknown;
}

void printVerdict(const models::CaseFile &file)
{
    print(Tr::tr("%1: %2").arg(models::certaintyName(file.verdict.certainty), file.verdict.sentence) + u'\n');
    for (const models::VerdictRule &rule : file.verdict.rules) {
        print(u"  "_s + models::factSign(rule.sign) + u' ' + models::displayText(rule.sentence, 10'000) + u'\n');
    }
    for (const QString &text : models::openSentences(file.verdict)) {
        print(Tr::tr("To be certain: %1").arg(models::displayText(text, 10'000)) + u'\n');
    }
}

void printDoubts(const models::CaseFile &file, const QList<RowDoubt> &doubts)
{
    for (const RowDoubt &doubt : doubts) {
        const models::CaseRow &row = file.rows.at(doubt.row);
        print(
            Tr::tr("Stuck: %1 in %2. %3. %4")
                .arg(models::displayText(models::intentName(file, row)),
                    models::displayText(row.target.profile.shownTitle()), models::triageClassLabel(doubt.judgement.cls),
                    models::displayText(doubt.judgement.reasons.join(u' '), 10'000))
            + u'\n');
    }
}

sql::LocalPlace localConflicts(const sql::Session &session)
{
    return { sql::LocalConflicts::defaultPath(), models::ActionJournal::serverOf(session.facts()) };
}

} // namespace idemdesk::app
