// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"
#include "sql/types/provider.h"
#include "sql/types/story.h"

namespace idemdesk::sql {

/// A fact that may be unreadable, which never counts as "no" (traps 9).
enum class Known { No, Yes, Unreadable };

/// The facts about one stale key, read in one read-only snapshot. The rules that judge them are in models/triage.
struct TriageFacts {
    KeyRecord record;
    Cells guard; ///< by profile.guard, read together with the record
    Known rowLocked = Known::No; ///< xmax joined to pg_locks (traps 11)
    QString lockedBy; ///< pid and application of the holder, where readable
    Known ownerAlive = Known::No; ///< `owner` names a live backend by pid or application_name
    QString ownerSession; ///< which
    Known heartbeatFresh = Known::No; ///< Unreadable where the profile has no heartbeat
    Known leaseRuns = Known::No; ///< its lease ends in the future, or it is in progress and not stale
    Known advisoryHeld = Known::No; ///< Unreadable where the profile names no advisory lock
    QList<EffectResult> effects;
    int policy = -1; ///< index into profile.policies of the first that matches, -1: none
    std::optional<qint64> maxAttempts; ///< of that policy, for this row
    std::optional<qint64> attempts;
    bool expired = false;
    std::optional<Timestamp> staleSince;
    ProviderWords provider {}; ///< what people recorded of the provider's statements
    bool providerUnread = false; ///< that may not be read, or could not
    std::optional<ProviderRow> providerNow {}; ///< what the row tells of its effect now; nothing: it was not read
};

struct TriagePage {
    QList<TriageFacts> rows;
    bool more = false;
    Timestamp now;
    QStringList notes {}; ///< what could not be read, and what that means
    int unreadable = 0; ///< rows that could not be read
    bool partly = false; ///< not every row could be looked at, so that what is not here may still be there
};

/// What a purge would do, counted without changing anything.
struct PurgeGroup {
    Cells scope;
    KeyState state = KeyState::Unknown;
    qint64 rows = 0;
    std::optional<Timestamp> oldest; ///< when the first of them became due by the purge rules
    std::optional<Timestamp> newest; ///< and the last
    std::optional<Timestamp> youngest; ///< of the rows, when each was completed, changed or made
    bool wholeScope = false; ///< nothing else would be left of this scope
};

struct PurgePlan {
    Timestamp cutoff; ///< frozen; the server's clock
    QList<KeyState> states;
    std::optional<QList<Cells>> scopes; ///< nothing: all
    QList<PurgeGroup> groups;
    qint64 rows = 0;
    qint64 bytes = 0; ///< estimated from the average row
    qint64 walBytes = 0; ///< estimated
    qint64 seconds = 0; ///< estimated at the default throttle
    bool images = true; ///< undo images will be kept
    QList<KeyRecord> sample;
    QStringList
        warnings; ///< whole sentences: retention against windows, old in-progress rows, scopes that lose all rows
    QStringList triggers; ///< definitions of what will fire
    int unfinished = 0; ///< keys past their expiry that a purge leaves, because nobody finished them
};

/// A partition of a target and what is in it.
struct PartitionFacts {
    QString name; ///< quoted, qualified
    QString bounds;
    qint64 rows = 0;
    qint64 purgeable = 0;
    qint64 bytes = 0;
    bool onlyPurgeable = false;
    QString script; ///< DETACH … for its owner to run
};

} // namespace idemdesk::sql
