// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"
#include "sql/types/timestamp.h"

#include <QList>
#include <QString>
#include <optional>

namespace idemdesk::sql {

/// One lock of a session: on a target, on a row of it that another waits for, or an advisory one.
struct SessionLock {
    QString type; ///< as pg_locks has it: "relation", "tuple" or "advisory"
    QString mode; ///< "RowExclusiveLock"
    QString object; ///< the table; of an advisory lock its number, or "7, 12" where it was taken by two
    bool granted = true; ///< false: it is waited for
};

/// One session that holds or awaits a lock on a target, or an advisory lock in this database.
struct BackendActivity {
    int pid = 0;
    QString user;
    QString application;
    QString client;
    QString state; ///< empty where the server hides it (traps 9)
    QString waitEvent;
    QString query; ///< first 1,000 characters, or "<insufficient privilege>"
    std::optional<Timestamp> backendStart; ///< with the pid it names one session, even after the pid was used again
    std::optional<Timestamp> transactionStart;
    std::optional<Timestamp> queryStart;
    QList<SessionLock> locks; ///< those granted first
    QList<int> blockedBy;
};

/// What happened in the whole database since this program began to look at it.
struct WatchedCounters {
    qint64 deadlocks = 0;
    qint64 othersRolledBack = 0; ///< transactions, without this program's own
    qint64 standbyConflicts = 0;
    Timestamp since;
};

struct ActivityReport {
    QList<BackendActivity> backends;
    Timestamp now;
    bool complete = true; ///< false: some sessions' facts are hidden from this user
    // Of the whole database, since its counters began (pg_stat_database).
    qint64 deadlocks = 0;
    qint64 rollbacks = 0;
    qint64 standbyConflicts = 0; ///< statements that a standby cancelled
    std::optional<Timestamp> countedSince; ///< when they were set back; nothing: the server does not say
    WatchedCounters watched;
};

/// What is sent to another session: the end of its statement, or of the session.
enum class SignalVerb { Cancel, Terminate };
QString signalVerbName(SignalVerb verb); ///< "cancel"

struct SignalRequest {
    QString id; ///< uuid made by the client
    SignalVerb verb = SignalVerb::Cancel;
    BackendActivity backend; ///< as the person saw it
    QString reason;
    QString ticket;
};

struct SignalOutcome {
    enum class Kind { Sent, Gone, Refused };
    Kind kind = Kind::Sent;
    Error refusal; ///< of Refused: what the server said
};
QString signalOutcomeName(SignalOutcome::Kind kind); ///< "gone"

} // namespace idemdesk::sql
