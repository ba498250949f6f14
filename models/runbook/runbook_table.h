// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"
#include "sql/types/health.h"
#include "sql/types/profile.h"

#include <QString>
#include <optional>
#include <span>

namespace idemdesk::models {

/// What is looked at to answer a question of a runbook. Each is read by one function of runbook_facts.cpp.
enum class RunbookFact {
    SessionsWait, ///< of each other, on the tables
    LongTransactions, ///< that hold a lock on the tables
    Deadlocks, ///< as the server counts them
    AdvisoryWaits, ///< sessions that queue at an advisory lock
    LoggedConflicts, ///< argument: their kind; in the last day
    Crashes, ///< sessions that ended without a word
    Rows, ///< argument: a filter; trouble where it matches any
    Health, ///< argument: the id of a question of the health report
    Alert, ///< argument: the id of an alert rule
    StuckOfClass, ///< argument: names of triage classes
    StuckExternal, ///< whose effect happens outside of the database
    ScopeRetries, ///< whether one scope has most of them
    Doubles, ///< requests of the last hour that look carried out more than once
    KeyReuse, ///< in the last hour
    OneCaller, ///< that causes most of it
    QueueOld, ///< the oldest message waits for long
    QueueSilent, ///< messages wait, and none was finished for a while
    PurgesOpen, ///< that are paused
    PurgesIncomplete, ///< of the last week, that left rows
    PurgeUndoable, ///< the newest of the last week
    StandbyLag,
    ReplayPaused,
    IdleSlots, ///< of standbys that are gone
    SyncStandby, ///< that commits wait for
    StandbyConflicts
};

/// Whether a fact is of the database, or of each table.
bool isOfDatabase(RunbookFact fact);

/// Which tables a runbook is about.
enum class RunbookTables { Any, Queues, Outboxes };
bool isAbout(RunbookTables tables, sql::TargetKind kind);

/// Where a step leads to. filter: of keys, or the metric of the page Trends.
struct RunbookLink {
    const char *page = ""; ///< a page of the window, or "alerts" and "duplicates", which are tabs
    const char *filter = "";
    sql::ActionVerb verb = sql::ActionVerb::Recover; ///< for the page Recovery
};

/// One question, with its answers and what follows from the bad one. Texts are to be translated in context "Runbook".
struct RunbookStep {
    const char *id;
    const char *question;
    RunbookFact fact;
    const char *argument;
    const char *trouble; ///< the answer that needs a person
    const char *fine; ///< the other one
    RunbookLink link;
    const char *todo; ///< one sentence
    /// {target} and {filter} stand for the table and the keys meant; empty: the fact names one, or none helps.
    const char *command;
    bool actWhenFine = false; ///< what is to be done follows from the good answer
    bool choosesSome = false; ///< what is to be done names some of many: void where all are meant
};

struct Runbook {
    const char *name; ///< as it is typed: "deadlock"
    const char *title;
    const char *symptom; ///< when to open it
    const char *source; ///< the document and section it realises, or what it adds to them
    RunbookTables tables;
    std::span<const RunbookStep> steps;
    const char *otherwise; ///< what to do where no answer needs a person
};

/// All there are, in the order in which they are listed.
std::span<const Runbook> runbooks();
const Runbook *runbook(const QString &name); ///< null: there is none of this name
QString runbookText(const char *text); ///< translated
/// What holds of tables where a step's answer needs a person, as a headline begins: "Keys and effects disagree". Empty:
/// the step is about the database, and says so itself.
QString runbookHolds(const RunbookStep &step);

/// Where an alert on this metric leads; empty: to none. Messages of an outbox have a runbook of their own.
QString runbookForMetric(const QString &metric, std::optional<sql::TargetKind> kind);
/// Where a finding that is no good one leads; empty: to none.
QString runbookForFinding(const sql::HealthFinding &finding);

} // namespace idemdesk::models
