// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/regions/replication_link.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// A partitioned table is replicated by its partitions, or as its root.
const QString kSubscriptions = uR"(
SELECT s.subname, COALESCE(s.subslotname::pg_catalog.text, ''), s.subenabled,
       EXISTS (SELECT FROM pg_catalog.pg_stat_subscription w WHERE w.subid = s.oid AND w.pid IS NOT NULL),
       pg_catalog.bool_or(r.srsubstate NOT IN ('r', 's')), %2
  FROM pg_catalog.pg_subscription s
  JOIN pg_catalog.pg_subscription_rel r ON r.srsubid = s.oid
 WHERE s.subdbid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
   AND (r.srrelid = %1 OR r.srrelid IN (SELECT p.relid FROM pg_catalog.pg_partition_tree(%1) p))
 GROUP BY s.oid, s.subname, s.subslotname, s.subenabled
 ORDER BY s.subname)"_s;
const QString kErrors
    = u"(SELECT e.apply_error_count + e.sync_error_count FROM pg_catalog.pg_stat_subscription_stats e "
      "WHERE e.subid = s.oid)"_s;
constexpr int kVersionWithErrors = 150000;

} // namespace

Result<QList<Subscription>> readSubscriptions(Session &session, quint32 relation)
{
    Statement statement;
    const QString oid = statement.bind(QString::number(relation)) + u"::pg_catalog.oid"_s;
    const bool tellsErrors = session.facts().versionNumber >= kVersionWithErrors;
    statement.sql = kSubscriptions.arg(oid, tellsErrors ? kErrors : u"NULL::pg_catalog.int8"_s);
    QList<Subscription> found;
    TRY(session.each(statement, [&found](const Row &row) {
        found.append({ row.text(0), row.text(1), row.truth(2), row.truth(3), row.truth(4),
            row.isNull(5) ? std::nullopt : std::optional(row.integer(5)) });
        return true;
    }));
    return found;
}

Result<QList<LogicalSlot>> readLogicalSlots(Session &session)
{
    QList<LogicalSlot> found;
    if (session.facts().standby) {
        return found; // it publishes nothing
    }
    TRY(session.each(
        { u"SELECT s.slot_name, s.active, pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), "
          "s.confirmed_flush_lsn)::pg_catalog.int8 FROM pg_catalog.pg_replication_slots s WHERE s.slot_type = "
          "'logical' AND s.database = pg_catalog.current_database() ORDER BY s.slot_name"_s,
            {} },
        [&found](const Row &row) {
            found.append({ row.text(0), row.truth(1), row.integer(2) });
            return true;
        }));
    return found;
}

Result<std::optional<QString>> logPosition(Session &session)
{
    if (session.facts().standby) {
        return std::optional<QString>();
    }
    TRY(const auto row, session.one({ u"SELECT pg_catalog.pg_current_wal_lsn()"_s, {} }));
    return std::optional(row.constFirst().text);
}

Result<bool> hasPassed(Session &session, const QString &slot, const QString &position)
{
    Statement statement;
    const QString name = statement.bind(slot);
    const QString lsn = statement.bind(position);
    statement.sql = u"SELECT COALESCE((SELECT s.confirmed_flush_lsn >= %2::pg_catalog.pg_lsn FROM "
                    "pg_catalog.pg_replication_slots s WHERE s.slot_name = %1::pg_catalog.name AND s.database = "
                    "pg_catalog.current_database()), false)"_s.arg(name, lsn);
    TRY(const auto row, session.one(statement));
    return row.constFirst().text == u"t";
}

Result<QList<HeldSlot>> readHeldSlots(Session &session)
{
    QList<HeldSlot> found;
    TRY(session.each(
        { u"SELECT s.slot_name, s.slot_type = 'logical', s.active, COALESCE(s.wal_status = 'lost', false), "
          "COALESCE(pg_catalog.pg_wal_lsn_diff(CASE WHEN pg_catalog.pg_is_in_recovery() THEN "
          "pg_catalog.pg_last_wal_replay_lsn() ELSE pg_catalog.pg_current_wal_lsn() END, s.restart_lsn), 0)"
          "::pg_catalog.int8 FROM pg_catalog.pg_replication_slots s WHERE NOT s.temporary AND (s.database IS NULL OR "
          "s.database = pg_catalog.current_database()) ORDER BY s.slot_name"_s,
            {} },
        [&found](const Row &row) {
            found.append({ row.text(0), row.truth(1), row.truth(2), row.truth(3), row.integer(4) });
            return true;
        }));
    return found;
}

} // namespace idemdesk::sql
