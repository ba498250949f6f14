// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

#include <optional>

namespace idemdesk::sql {

// What runbooks ask of a database and no other gateway tells. All of it reads only.

/// Advisory locks of this database, of whoever takes them.
struct AdvisoryLocks {
    int held = 0;
    int waiting = 0; ///< sessions that queue at one
};
Result<AdvisoryLocks> readAdvisoryLocks(Session &session);

/// Sessions of this database that ended without a word, as the server counts them, and since when it is up.
struct CrashSigns {
    qint64 abandoned = 0; ///< their client went away
    qint64 fatal = 0; ///< ended by an error
    qint64 killed = 0; ///< by a person
    std::optional<Timestamp> countedSince; ///< nothing: since the server's counters began
    Timestamp serverStarted;

    /// Those that nobody meant to end.
    qint64 lost() const { return abandoned + fatal; }
};
Result<CrashSigns> readCrashSigns(Session &session);

/// How a queue is worked off.
struct QueueState {
    std::optional<Timestamp> oldestWaiting; ///< when it was made; nothing: none waits
    std::optional<Timestamp> newestDone; ///< nothing: none was finished, or the profile names no such time
    bool doneKnown = false; ///< the profile names when a message was finished
    Timestamp now;
    QString note; ///< a sentence on rows that could not be read; else empty
};
/// Messages that wait are pending, or failed and to be tried again. Needs the role created_at.
Result<QueueState> readQueueState(Session &session, const Target &target);

/// What a server keeps for its standbys, and what it waits for.
struct StandbySetup {
    bool standby = false; ///< this server is one
    bool replayPaused = false; ///< only where it is
    int slotCount = 0;
    QStringList idleSlots; ///< names of those that nobody reads from
    qint64 keptBytes = 0; ///< of the log, for the idle one that is furthest behind
    qint64 behindBytes = 0; ///< of the log that the slowest standby of this server has yet to replay
    bool waitsForSync = false; ///< commits wait for a standby
    int syncThere = 0; ///< such standbys that stream
    bool hidden = false; ///< this login may not see what the standbys do
};
Result<StandbySetup> readStandbySetup(Session &session);

} // namespace idemdesk::sql
