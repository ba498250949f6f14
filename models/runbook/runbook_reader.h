// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/target_problem.h"
#include "models/runbook/runbook_table.h"
#include "sql/session/session.h"
#include "sql/types/action.h"
#include "sql/types/target.h"

namespace idemdesk::models {

/// Which answer of a question holds, the one that needs a person first. Unknown: it could not be read. Nothing: there
/// is nothing here that the question could be about, which is not a good answer either.
enum class RunbookAnswer { Trouble, Unknown, Fine, Nothing };
QString runbookAnswerName(RunbookAnswer answer); ///< "trouble", as --json writes it
QString runbookAnswerSign(RunbookAnswer answer); ///< "▲", "?", "✓", "–"
QString runbookAnswerWord(RunbookAnswer answer); ///< the same, to be read aloud

/// A table that runbooks look at.
struct RunbookSubject {
    sql::Target target;
    QString registeredName; ///< empty: not registered
    sql::CompiledTarget compiled; ///< of the registration, else empty

    /// As commands name it.
    const QString &name() const { return registeredName.isEmpty() ? target.profile.name : registeredName; }
};

/// What was seen of one table, or of the database. Texts may hold names from the database.
struct RunbookSighting {
    QString target; ///< the profile's name; empty: of the database
    QString title; ///< of the table
    QString place = {}; ///< its name in the database, with which the title ends; empty: it does not
    RunbookAnswer answer = RunbookAnswer::Unknown;
    QString seen; ///< a sentence
    QString why = {}; ///< the end of it, where several sightings may end alike
    QString said = {}; ///< the answer in words, where it is neither of the step's two
    qint64 count = -1; ///< the rows meant; -1: it is no count
    bool all = false; ///< these are all that the question could be about
    QString filter; ///< the keys meant, where the step names no others
    QString command; ///< that fits better than the step's own
    QString action; ///< id of the action it is about
    std::optional<sql::ActionVerb> verb; ///< that fits better than the step's own
};

/// What was seen, without its end.
QString runbookSeenBrief(const RunbookSighting &sighting);
/// The table as people know it, without its name in the database.
QString runbookTableName(const RunbookSighting &sighting);

struct RunbookStepResult {
    const RunbookStep *step = nullptr;
    RunbookAnswer answer = RunbookAnswer::Unknown;
    QList<RunbookSighting> sightings; ///< those that need a person first

    QString text() const; ///< the answer in words
    qint64 total(RunbookAnswer of) const; ///< rows of all sightings with this answer; -1: they are no counts
    qsizetype tables(RunbookAnswer of) const; ///< that have this answer
    /// The sightings to be shown: tables of which the same is said, and nothing is to be done, are one line.
    QList<RunbookSighting> shown() const;
    /// What was seen that answers it: the first of the sightings; null where there is none.
    const RunbookSighting *leading() const { return sightings.isEmpty() ? nullptr : &sightings.constFirst(); }
};

/// What to do now, and where.
struct RunbookNext {
    QString text;
    QString command; ///< ready to be pasted into a shell; empty: none helps
    QString page; ///< a page of the window, or a tab; empty: none
    QString target;
    QString filter; ///< of keys; the metric for the page Trends
    QString action; ///< for the page Audit
    sql::ActionVerb verb = sql::ActionVerb::Recover; ///< for the page Recovery
};

struct RunbookReport {
    const Runbook *book = nullptr;
    sql::Timestamp at; ///< by the server's clock
    QString server; ///< "database on host:port as user"
    QList<RunbookStepResult> steps;
    QList<RunbookNext> next; ///< never empty
    QList<TargetProblem> notRead;

    qsizetype count(RunbookAnswer answer) const;
    /// What holds now, in one line: "573 keys are stuck in 11 tables; no live worker found". Safe to show.
    QString headline() const;
    /// The step that says so first: the one way to act starts there. Null: no answer needs a person.
    const RunbookStepResult *first() const;
    /// No question could be answered at all, or none of those about tables: then nothing is known to be well.
    bool nothingLookedAt() const;
    /// Something could not be read.
    bool partly() const;
};

/// Answers the questions of one runbook from what is there now. Reads only. What could not be read is an answer of its
/// own; only a lost or cancelled connection is an error. problems: tables that could not be read.
sql::Result<RunbookReport> readRunbook(sql::Session &session, const Runbook &book,
    const QList<RunbookSubject> &subjects, const QList<TargetProblem> &problems);

/// Where a step leads to for one sighting.
RunbookNext runbookLink(const RunbookStep &step, const RunbookSighting *sighting);

} // namespace idemdesk::models
