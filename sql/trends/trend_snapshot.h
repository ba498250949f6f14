// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/trends/latency_sketch.h"
#include "sql/types/target.h"
#include "sql/types/trend.h"

namespace idemdesk::sql {

/// One number of how a target is now.
struct SnapshotValue {
    QString metric; ///< as --metric names it; "state_succeeded" and its like; "retry_count"; "lock_wait"
    Cells scope; ///< by the profile's scope; empty: of the whole table
    bool other = false; ///< all scopes beyond the hundred largest together
    double value = 0; ///< in the metric's unit; lock_wait in seconds
};

/// Everything a sample would take, in one pass over the table, and how long the longest session has waited for a lock
/// on it. What happened is of the last whole minute. Where row security hides rows from this login, no row is counted
/// and "hidden" is 1; "unreadable" is how many rows could not be read, where there are any. Reads only.
Result<QList<SnapshotValue>> readSnapshot(Session &session, const Target &target);

/// What services reported by record_event(), by kind, since the console's schema is there: what only grows, whatever
/// goes of the rows. "-" is of kinds beyond the first 200. Empty where there is none.
struct EventTotal {
    QString kind;
    double count = 0;
    double timed = 0;
    double milliseconds = 0;
    LatencySketch latency = {};
};
Result<QList<EventTotal>> readEventTotals(Session &session);

/// What the trail and the server have counted: rows recovered and purged of each registered target, and the deadlocks
/// and rolled-back transactions of the database. Without the console schema there are no actions.
struct ActionTotal {
    QString target;
    qint64 recovered = 0;
    qint64 purged = 0;
};
/// What samples counted of a registered target since the console's schema is there.
struct SampledTotal {
    QString target;
    QString metric; ///< "claims", …; "lock_wait", by bound; "lock_wait_sum" in seconds
    double bound = 0; ///< of "lock_wait": seconds; infinity for those beyond all bounds
    double value = 0;
};
struct CounterTotals {
    QList<ActionTotal> actions;
    qint64 deadlocks = 0;
    qint64 rollbacks = 0;
    QList<SampledTotal> sampled = {};
};
Result<CounterTotals> readCounterTotals(Session &session);

} // namespace idemdesk::sql
