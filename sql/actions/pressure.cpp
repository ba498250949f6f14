// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/action_gateway.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// Locks are readable by everybody; what a session does and how far a standby is behind are not (traps 9). Vacuum, and
// what else takes ShareUpdateExclusiveLock, works on the same pages as the batches do.
const QString kPressureSql = QStringLiteral(R"sql(
WITH RECURSIVE wanted AS (
    SELECT t.relation AS oid FROM idemdesk.action AS a JOIN idemdesk.target AS t ON t.name = a.target
     WHERE a.id = $1::pg_catalog.uuid
    UNION
    SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i JOIN wanted AS w ON w.oid = i.inhparent
), locks AS MATERIALIZED (
    SELECT l.pid, l.locktype, l.relation, l.mode, l.granted FROM pg_catalog.pg_locks AS l
)
SELECT (SELECT pg_catalog.count(DISTINCT l.pid) FROM locks AS l
         WHERE NOT l.granted AND l.relation IN (SELECT w.oid FROM wanted AS w)),
    EXISTS (SELECT FROM locks AS l WHERE l.granted AND l.mode = 'ShareUpdateExclusiveLock' AND l.locktype = 'relation'
        AND l.relation IN (SELECT w.oid FROM wanted AS w)),
    (SELECT pg_catalog.max(pg_catalog.date_part('epoch', r.replay_lag)) FROM pg_catalog.pg_stat_replication AS r),
    (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_replication AS r WHERE r.state IS NULL))sql");

/// Replay lag from which a purge waits, in seconds (reliability 2.3).
constexpr double kMostLag = 1.5;

} // namespace

Result<Pressure> readPressure(Session &session, const QString &action)
{
    Statement statement { kPressureSql, {} };
    statement.bind(action);
    TRY(const auto row, session.one(statement));
    Pressure pressure;
    if (const int waiting = row.at(0).text.toInt(); waiting > 0) {
        pressure.lockWaits = waiting;
        pressure.hold = true;
        pressure.reasons += Tr::tr("%n session(s) wait for a lock on the table.", nullptr, waiting);
    }
    if (row.at(1).text == u"t") {
        pressure.vacuum = true;
        pressure.hold = true;
        pressure.reasons += Tr::tr("Vacuum, or an index build, works on the table.");
    }
    if (!row.at(2).null) {
        pressure.lagSeconds = row.at(2).text.toDouble();
    }
    if (const double lag = row.at(2).text.toDouble(); lag > kMostLag) {
        pressure.lagHolds = true;
        pressure.hold = true;
        pressure.reasons += Tr::tr("A standby is %1 s behind.").arg(lag, 0, 'f', 1);
    }
    if (row.at(3).text.toInt() > 0) {
        pressure.unreadable = true;
        pressure.reasons
            += Tr::tr("How far the standbys are behind may not be read with this login, so the batches stay small. "
                      "A member of pg_monitor sees it.");
    }
    return pressure;
}

} // namespace idemdesk::sql
