// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runbook/runbook_reader.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/format/shell_word.h"
#include "models/runbook/runbook_facts.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using A = RunbookAnswer;

/// What ends the whole reading, not one question.
bool endsTheReading(const sql::Error &error)
{
    return error.kind == sql::ErrorKind::ConnectionLost || error.kind == sql::ErrorKind::Cancelled
        || error.kind == sql::ErrorKind::Superseded;
}

RunbookSighting about(const RunbookSubject &subject, RunbookSighting sighting)
{
    sighting.target = subject.target.profile.name;
    sighting.title = targetLabel(subject.target.profile);
    sighting.place = targetPlace(subject.target.profile);
    return sighting;
}

RunbookSighting notReadOf(const TargetProblem &problem)
{
    RunbookSighting sighting = sighted(A::Unknown, problem.error.line());
    sighting.target = problem.profileName;
    sighting.title = problem.profileName;
    return sighting;
}

/// What a table says; where it could not be read, that is its answer.
sql::Result<RunbookSighting> orNotRead(const sql::Result<RunbookSighting> &read)
{
    if (read || endsTheReading(read.error())) {
        return read;
    }
    return sighted(A::Unknown,
        read.error().kind == sql::ErrorKind::NotSaid ? read.error().line()
                                                     : Tr::tr("Could not be read: %1").arg(read.error().line()));
}

/// The commands of a step for one sighting, with what it is about put in.
QString commandFor(const RunbookStep &step, const RunbookSighting &sighting, const QList<RunbookSubject> &subjects)
{
    QString command = sighting.command.isEmpty() ? QString::fromLatin1(step.command) : sighting.command;
    const auto subject = std::find_if(subjects.cbegin(), subjects.cend(),
        [&sighting](const RunbookSubject &one) { return one.target.profile.name == sighting.target; });
    // Both at once: a name may hold what looks like the other one.
    QString filled;
    for (qsizetype i = 0; i < command.size();) {
        const QStringView rest = QStringView(command).mid(i);
        if (rest.startsWith(u"{target}")) {
            filled += shellWord(subject != subjects.cend() ? subject->name() : sighting.target);
            i += 8;
        } else if (rest.startsWith(u"{filter}")) {
            filled += shellWord(sighting.filter);
            i += 8;
        } else {
            filled += command.at(i++);
        }
    }
    return filled;
}

bool acts(const RunbookStepResult &result, const RunbookSighting &sighting)
{
    return sighting.answer == (result.step->actWhenFine ? A::Fine : A::Trouble);
}

/// "Start with these" where there are no others.
bool isVoid(const RunbookStepResult &result)
{
    return result.step->choosesSome
        && std::all_of(result.sightings.cbegin(), result.sightings.cend(),
            [&result](const RunbookSighting &sighting) { return !acts(result, sighting) || sighting.all; });
}

void addNext(RunbookReport *report, const QList<RunbookSubject> &subjects)
{
    for (const RunbookStepResult &result : std::as_const(report->steps)) {
        if (isVoid(result)) {
            continue;
        }
        QStringList said;
        for (const RunbookSighting &sighting : result.sightings) {
            if (!acts(result, sighting)) {
                continue;
            }
            RunbookNext next = runbookLink(*result.step, &sighting);
            next.command = commandFor(*result.step, sighting, subjects);
            if (!said.contains(next.command)) {
                said += next.command;
                report->next += next;
            }
        }
    }
    if (report->count(A::Trouble) == 0 || report->next.isEmpty()) {
        RunbookNext rest;
        rest.text = report->count(A::Trouble) > 0
            ? Tr::tr("Nothing more can be done from here. See the answers that need a person.")
            : report->nothingLookedAt()
            ? Tr::tr("No such table was looked at, so nothing is known of its keys. See what is missing.")
            : report->partly()
            ? Tr::tr("Nothing that was looked at needs a person. See at each question mark what is missing.")
            : runbookText(report->book->otherwise);
        report->next += rest;
    }
}

} // namespace

namespace {

/// "Unknown for 1 of 2 tables."; tables that the question is not about do not count.
QString unknownAnswerText(const RunbookStepResult &result)
{
    const auto asked = int(
        result.tables(A::Trouble) + result.tables(A::Unknown) + result.tables(A::Fine)); // beside the database's own
    return asked > 1
        ? Tr::tr("Unknown for %1 of %n table(s).", nullptr, asked).arg(countText(result.tables(A::Unknown)))
        : Tr::tr("Unknown.");
}

} // namespace

QString runbookAnswerName(RunbookAnswer answer)
{
    switch (answer) {
    case A::Trouble:
        return u"trouble"_s;
    case A::Unknown:
        return u"unknown"_s;
    case A::Fine:
        return u"fine"_s;
    case A::Nothing:
        break;
    }
    return u"nothing"_s;
}

QString runbookAnswerSign(RunbookAnswer answer)
{
    switch (answer) {
    case A::Trouble:
        return u"▲"_s;
    case A::Unknown:
        return u"?"_s;
    case A::Fine:
        return u"✓"_s;
    case A::Nothing:
        break;
    }
    return u"–"_s;
}

QString runbookAnswerWord(RunbookAnswer answer)
{
    switch (answer) {
    case A::Trouble:
        return Tr::tr("Needs a person");
    case A::Unknown:
        return Tr::tr("Not known");
    case A::Fine:
        return Tr::tr("Fine");
    case A::Nothing:
        break;
    }
    return Tr::tr("Does not apply");
}

QString runbookSeenBrief(const RunbookSighting &sighting)
{
    return sighting.why.isEmpty() ? sighting.seen : sighting.seen.chopped(sighting.why.size()).trimmed();
}

QString runbookTableName(const RunbookSighting &sighting)
{
    const QString tail = u" – "_s + sighting.place;
    return !sighting.place.isEmpty() && sighting.title.endsWith(tail) ? sighting.title.chopped(tail.size())
                                                                      : sighting.title;
}

QString RunbookStepResult::text() const
{
    if (leading() != nullptr && !leading()->said.isEmpty()) {
        return leading()->said;
    }
    switch (answer) {
    case A::Trouble:
        return runbookText(step->trouble);
    case A::Unknown:
        return unknownAnswerText(*this);
    case A::Fine:
        return runbookText(step->fine);
    case A::Nothing:
        break;
    }
    return Tr::tr("Does not apply.");
}

qint64 RunbookStepResult::total(RunbookAnswer of) const
{
    qint64 sum = -1;
    for (const RunbookSighting &sighting : sightings) {
        if (sighting.answer == of) {
            if (sighting.count < 0) {
                return -1;
            }
            sum = std::max<qint64>(sum, 0) + sighting.count;
        }
    }
    return sum;
}

qsizetype RunbookStepResult::tables(RunbookAnswer of) const
{
    return std::count_if(sightings.cbegin(), sightings.cend(),
        [of](const RunbookSighting &sighting) { return sighting.answer == of && !sighting.target.isEmpty(); });
}

QList<RunbookSighting> RunbookStepResult::shown() const
{
    QList<RunbookSighting> shown;
    QHash<QString, QStringList> titles; // by what is said
    const auto joins = [](const RunbookSighting &sighting) {
        return sighting.answer != A::Trouble && !sighting.title.isEmpty() && sighting.action.isEmpty();
    };
    const auto saying
        = [](const RunbookSighting &sighting) { return runbookAnswerName(sighting.answer) + u':' + sighting.seen; };
    for (const RunbookSighting &sighting : sightings) {
        if (!joins(sighting)) {
            shown += sighting;
            continue;
        }
        QStringList &alike = titles[saying(sighting)];
        if (alike.isEmpty()) {
            shown += sighting;
        }
        alike += sighting.title;
    }
    for (RunbookSighting &sighting : shown) {
        if (joins(sighting)) {
            const QStringList alike = titles.value(saying(sighting));
            sighting.title = alike.join(u", "_s);
            sighting.place = alike.size() > 1 ? QString() : sighting.place; // of the one alone
        }
    }
    return shown;
}

qsizetype RunbookReport::count(RunbookAnswer answer) const
{
    return std::count_if(
        steps.cbegin(), steps.cend(), [answer](const RunbookStepResult &result) { return result.answer == answer; });
}

bool RunbookReport::nothingLookedAt() const
{
    const auto told
        = [](const RunbookStepResult &result) { return result.answer == A::Trouble || result.answer == A::Fine; };
    const auto ofTables = [](const RunbookStepResult &result) { return !isOfDatabase(result.step->fact); };
    const bool asksTables = std::any_of(steps.cbegin(), steps.cend(), ofTables);
    const bool toldOfTables = std::any_of(steps.cbegin(), steps.cend(),
        [&](const RunbookStepResult &result) { return ofTables(result) && told(result); });
    return count(A::Trouble) == 0 && (asksTables ? !toldOfTables : count(A::Fine) == 0);
}

const RunbookStepResult *RunbookReport::first() const
{
    const auto found = std::find_if(
        steps.cbegin(), steps.cend(), [](const RunbookStepResult &result) { return result.answer == A::Trouble; });
    return found == steps.cend() ? nullptr : &*found;
}

namespace {

/// What a bad answer says by itself, without its question.
QString holdsText(const RunbookStepResult &result)
{
    const qint64 total = result.total(A::Trouble);
    const auto tables = int(result.tables(A::Trouble));
    const bool stuck = result.step->fact == RunbookFact::Rows && QByteArrayView(result.step->argument) == "state:stale";
    if (stuck && total > 0) {
        const QString keys = Tr::tr("%Ln key(s) stuck", nullptr, int(total));
        return tables > 1 ? Tr::tr("%1 in %n table(s)", nullptr, tables).arg(keys)
                          : Tr::tr("%1 in %2").arg(keys, displayText(runbookTableName(*result.leading())));
    }
    if (isOfDatabase(result.step->fact)) {
        QString seen = displayText(result.leading()->seen, 200);
        return seen.endsWith(u'.') ? seen.chopped(1) : seen;
    }
    // "Keys and effects disagree in 2 tables".
    const QString holds = runbookHolds(*result.step);
    const QString where = tables > 1
        ? Tr::tr("%1 in %n table(s)", nullptr, tables).arg(holds)
        : Tr::tr("%1: %2", "an answer, of which table").arg(holds, displayText(runbookTableName(*result.leading())));
    const auto unknown = int(result.tables(A::Unknown));
    return unknown > 0 ? Tr::tr("%1; unknown in %n table(s)", "an answer", unknown).arg(where) : where;
}

} // namespace

QString RunbookReport::headline() const
{
    const RunbookStepResult *leads = first();
    if (leads == nullptr) {
        return next.isEmpty() ? QString() : next.constFirst().text;
    }
    QString text = holdsText(*leads);
    const bool gone = std::any_of(steps.cbegin(), steps.cend(), [](const RunbookStepResult &result) {
        return QByteArrayView(result.step->id) == "worker_gone" && result.answer == A::Trouble;
    });
    return gone ? Tr::tr("%1; no live worker found", "keys are stuck").arg(text) : text;
}

bool RunbookReport::partly() const
{
    const auto unknown = [](const RunbookSighting &sighting) { return sighting.answer == A::Unknown; };
    return !notRead.isEmpty() || std::any_of(steps.cbegin(), steps.cend(), [&unknown](const RunbookStepResult &result) {
        return std::any_of(result.sightings.cbegin(), result.sightings.cend(), unknown);
    });
}

RunbookNext runbookLink(const RunbookStep &step, const RunbookSighting *sighting)
{
    RunbookNext next;
    next.text = runbookText(step.todo);
    next.page = QString::fromLatin1(step.link.page);
    next.filter = QString::fromLatin1(step.link.filter);
    next.verb = sighting != nullptr && sighting->verb ? *sighting->verb : step.link.verb;
    if (sighting != nullptr) {
        next.target = sighting->target;
        next.action = sighting->action;
        next.filter = next.filter.isEmpty() ? sighting->filter : next.filter;
    }
    return next;
}

sql::Result<RunbookReport> readRunbook(sql::Session &session, const Runbook &book,
    const QList<RunbookSubject> &subjects, const QList<TargetProblem> &problems)
{
    RunbookReport report;
    report.book = &book;
    report.notRead = problems;
    TRY(report.at, sql::serverNow(session));
    const sql::ServerFacts &facts = session.facts();
    report.server = Tr::tr("%1 as %2", "database, login").arg(facts.database, facts.user);
    RunbookFacts reader(session, subjects, !problems.isEmpty(), report.at);
    for (const RunbookStep &step : book.steps) {
        RunbookStepResult result;
        result.step = &step;
        if (isOfDatabase(step.fact)) {
            TRY(const auto sighting, orNotRead(reader.ofDatabase(step)));
            result.sightings += sighting;
        } else {
            for (const RunbookSubject &subject : subjects) {
                if (isAbout(book.tables, subject.target.profile.kind)) {
                    TRY(const auto sighting, orNotRead(reader.ofTable(step, subject)));
                    result.sightings += about(subject, sighting);
                }
            }
            for (const TargetProblem &problem : problems) {
                result.sightings += notReadOf(problem);
            }
        }
        if (session.cancelled()) {
            return sql::makeError(sql::ErrorKind::Cancelled, Tr::tr("The runbook was cancelled."));
        }
        if (result.sightings.isEmpty()) {
            result.sightings += sighted(A::Nothing, Tr::tr("No such table is known here."));
        }
        std::stable_sort(result.sightings.begin(), result.sightings.end(),
            [](const RunbookSighting &a, const RunbookSighting &b) { return a.answer < b.answer; });
        result.answer = result.sightings.constFirst().answer;
        report.steps += result;
    }
    addNext(&report, subjects);
    return report;
}

} // namespace idemdesk::models
