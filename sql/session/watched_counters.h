// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/activity.h"
#include "sql/types/connection.h"

namespace idemdesk::sql {

/// What pg_stat_database says of one database: since whenever its counters began.
struct DatabaseCounters {
    qint64 deadlocks = 0;
    qint64 rollbacks = 0;
    qint64 standbyConflicts = 0;
    /// When they were last set back, where the server says, and when it started: after a crash they begin at nothing,
    /// and stats_reset is empty. Microseconds since 1970, the same in every session.
    QString setBackAt;
};

/// The program's own count begins with its first session on a database, and so must the server's: from then on,
/// differences of both tell what others did. What an earlier run of the program rolled back lies before.
bool countersWatched(const ServerFacts &facts);
void watchCounters(const ServerFacts &facts, const DatabaseCounters &counters);

/// One more transaction of this program's own was rolled back there: a profile that does not fit, a page that was given
/// up, a look that is taken back. The server counts them among everybody's, up to a minute later.
void noteOwnRollback(const ServerFacts &facts);

/// What happened since the watch began; counters that were set back, or lost in a crash, begin it anew.
WatchedCounters watchedCounters(const ServerFacts &facts, const DatabaseCounters &counters, const Timestamp &now);

} // namespace idemdesk::sql
