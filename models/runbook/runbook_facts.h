// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runbook/runbook_reader.h"
#include "models/triage/triage_rules.h"
#include "sql/types/activity.h"
#include "sql/types/conflict.h"

#include <QHash>
#include <QSet>
#include <optional>

namespace idemdesk::models {

/// Reads the facts that runbooks ask for; what several questions need is read once. Lives as long as one reading.
class RunbookFacts
{
public:
    /// someNotRead: there are tables that could not be read, so that who works on them is not seen.
    RunbookFacts(
        sql::Session &session, const QList<RunbookSubject> &subjects, bool someNotRead, const sql::Timestamp &now)
        : m_session(session)
        , m_subjects(subjects)
        , m_someNotRead(someNotRead)
        , m_now(now)
    {
    }

    /// A fact of the database.
    sql::Result<RunbookSighting> ofDatabase(const RunbookStep &step);
    /// A fact of one table.
    sql::Result<RunbookSighting> ofTable(const RunbookStep &step, const RunbookSubject &subject);

private:
    using Sighted = sql::Result<RunbookSighting>;

    /// Keys that are stuck, judged.
    struct Stuck {
        QList<sql::TriageFacts> rows;
        QList<TriageJudgement> judgements;
        bool more = false;
        bool partly = false;
        QStringList notes;
    };
    /// Reuse of keys in the last hour.
    struct Reuse {
        QList<sql::ConflictRecord> records;
        bool more = false;
        bool whole = false; ///< this login may see all of it
    };

    Sighted sessionsWait();
    Sighted longTransactions();
    Sighted deadlocks();
    Sighted advisoryWaits();
    Sighted loggedConflicts(const QString &kind);
    Sighted crashes();
    Sighted keyReuse();
    Sighted oneCaller();
    Sighted purgesOpen();
    Sighted purgesIncomplete();
    Sighted purgeUndoable();
    Sighted standbyLag();
    Sighted replayPaused();
    Sighted idleSlots();
    Sighted syncStandby();
    Sighted standbyConflicts();

    Sighted rows(const RunbookSubject &subject, const QString &filter);
    Sighted health(const RunbookSubject &subject, const QString &question);
    Sighted alert(const RunbookSubject &subject, const QString &rule);
    Sighted stuckOfClass(const RunbookSubject &subject, const QStringList &classes);
    Sighted stuckExternal(const RunbookSubject &subject);
    Sighted scopeRetries(const RunbookSubject &subject);
    Sighted doubles(const RunbookSubject &subject);
    Sighted queueOld(const RunbookSubject &subject);
    Sighted queueSilent(const RunbookSubject &subject);

    Sighted nobody(const QString &seen) const;
    QString leftText(const sql::ActionRecord &purge) const;
    QString titleOf(const QString &registered) const; ///< safe to show: as people know the table of this name
    const sql::Result<sql::ActivityReport> &activity();
    const sql::Result<Reuse> &reuse();
    const sql::Result<Stuck> &stuck(const RunbookSubject &subject);
    sql::Result<Stuck> readStuck(const RunbookSubject &subject);
    sql::Result<Reuse> readReuse();
    sql::Result<QList<sql::ActionRecord>> purgesOfTheWeek();
    /// The newest undo of a purge that was not declined, nor cancelled; nothing where there is none.
    sql::Result<std::optional<sql::ActionRecord>> undoOf(const sql::ActionRecord &purge);
    sql::Timestamp before(qint64 seconds) const;

    sql::Session &m_session;
    const QList<RunbookSubject> &m_subjects;
    QSet<QString> m_toldOfAll; ///< rules of the whole database that a table told
    const bool m_someNotRead;
    const sql::Timestamp m_now;
    std::optional<sql::Result<sql::ActivityReport>> m_activity;
    std::optional<sql::Result<Reuse>> m_reuse;
    QHash<QString, sql::Result<Stuck>> m_stuck; ///< by the table's name
};

/// A sighting with its answer.
RunbookSighting sighted(RunbookAnswer answer, const QString &seen);

} // namespace idemdesk::models
