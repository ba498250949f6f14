// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/regions/replication_link.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kVersionWithErrors = 150000;
constexpr int kVersionWithRowFilters = 150000;
constexpr int kVersionWithConflicts = 180000;

// %1: further conditions, %2: errors, %3: conflicts
const QString kSubscriptions = uR"(
SELECT s.subname, COALESCE(s.subslotname::pg_catalog.text, ''), s.subenabled,
       EXISTS (SELECT FROM pg_catalog.pg_stat_subscription w WHERE w.subid = s.oid AND w.pid IS NOT NULL),
       pg_catalog.bool_or(r.srsubstate NOT IN ('r', 's')), %2,
       pg_catalog.array_to_string(s.subpublications, E'\n'), pg_catalog.count(r.srrelid),
       (SELECT pg_catalog.floor(EXTRACT(epoch FROM pg_catalog.now() - pg_catalog.max(w.last_msg_receipt_time)))
          FROM pg_catalog.pg_stat_subscription w WHERE w.subid = s.oid AND w.pid IS NOT NULL)::pg_catalog.int8, %3
  FROM pg_catalog.pg_subscription s
  LEFT JOIN pg_catalog.pg_subscription_rel r ON r.srsubid = s.oid
 WHERE s.subdbid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()) %1
 GROUP BY s.oid, s.subname, s.subslotname, s.subenabled, s.subpublications
 ORDER BY s.subname)"_s;
// A partitioned table is replicated by its partitions, or as its root.
const QString kOfTable
    = u"AND (r.srrelid = %1 OR r.srrelid IN (SELECT p.relid FROM pg_catalog.pg_partition_tree(%1) p))"_s;
const QString kErrors
    = u"(SELECT e.apply_error_count + e.sync_error_count FROM pg_catalog.pg_stat_subscription_stats e "
      "WHERE e.subid = s.oid)"_s;
// Each version counts more kinds; "confl_insert_exists=3" a line.
const QString kConflicts
    = u"(SELECT COALESCE(pg_catalog.string_agg(j.key || '=' || j.value, E'\\n' ORDER BY j.key), '') "
      "FROM pg_catalog.pg_stat_subscription_stats e, pg_catalog.jsonb_each_text(pg_catalog.to_jsonb(e)) j "
      "WHERE e.subid = s.oid AND pg_catalog.starts_with(j.key, 'confl_') AND j.value <> '0')"_s;

const QString kSlots = uR"(
SELECT s.slot_name, s.active,
       pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), s.confirmed_flush_lsn)::pg_catalog.int8,
       pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), s.restart_lsn)::pg_catalog.int8,
       COALESCE(s.wal_status = 'lost', false),
       (SELECT EXTRACT(epoch FROM COALESCE(r.replay_lag, r.flush_lag, r.write_lag))
          FROM pg_catalog.pg_stat_replication r WHERE r.pid = s.active_pid),
       EXISTS (SELECT FROM pg_catalog.pg_stat_replication r WHERE r.pid = s.active_pid AND r.state IS NOT NULL)
  FROM pg_catalog.pg_replication_slots s
 WHERE s.slot_type = 'logical' AND s.database = pg_catalog.current_database()
 ORDER BY s.slot_name)"_s;

const QString kPublications = uR"(
SELECT p.pubname, p.puballtables,
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_publication_tables t WHERE t.pubname = p.pubname),
       pg_catalog.concat_ws(E'\n', CASE WHEN p.pubinsert THEN 'insert' END, CASE WHEN p.pubupdate THEN 'update' END,
           CASE WHEN p.pubdelete THEN 'delete' END, CASE WHEN p.pubtruncate THEN 'truncate' END),
       %1
  FROM pg_catalog.pg_publication p
 ORDER BY p.pubname)"_s;
const QString kRowFilters = u"EXISTS (SELECT FROM pg_catalog.pg_publication_tables t WHERE t.pubname = p.pubname AND "
                            "t.rowfilter IS NOT NULL)"_s;

std::optional<qint64> numberIn(const Row &row, int column)
{
    return row.isNull(column) ? std::nullopt : std::optional(row.integer(column));
}

QStringList linesIn(const Row &row, int column)
{
    return row.text(column).split(u'\n', Qt::SkipEmptyParts);
}

std::optional<QList<Subscription::Conflict>> conflictsIn(const Row &row, int column)
{
    if (row.isNull(column)) {
        return std::nullopt;
    }
    QList<Subscription::Conflict> conflicts;
    for (const QString &line : linesIn(row, column)) {
        conflicts.append(
            { line.section(u'=', 0, 0).mid(QLatin1StringView("confl_").size()), line.section(u'=', 1).toLongLong() });
    }
    return conflicts;
}

/// condition: on s and r, with its values bound in the statement.
Result<QList<Subscription>> subscriptionsWhere(Session &session, Statement statement, const QString &condition)
{
    const int version = session.facts().versionNumber;
    statement.sql = kSubscriptions.arg(condition, version >= kVersionWithErrors ? kErrors : u"NULL::pg_catalog.int8"_s,
        version >= kVersionWithConflicts ? kConflicts : u"NULL::pg_catalog.text"_s);
    QList<Subscription> found;
    TRY(session.each(statement, [&found](const Row &row) {
        found.append({ row.text(0), row.text(1), row.truth(2), row.truth(3), row.truth(4), numberIn(row, 5),
            linesIn(row, 6), int(row.integer(7)), numberIn(row, 8), conflictsIn(row, 9) });
        return true;
    }));
    return found;
}

Result<QList<Publication>> readPublications(Session &session)
{
    const bool filters = session.facts().versionNumber >= kVersionWithRowFilters;
    QList<Publication> found;
    TRY(session.each({ kPublications.arg(filters ? kRowFilters : u"false"_s), {} }, [&found](const Row &row) {
        found.append({ row.text(0), row.truth(1), int(row.integer(2)), linesIn(row, 3), row.truth(4) });
        return true;
    }));
    return found;
}

} // namespace

Result<QList<Subscription>> readSubscriptions(Session &session, quint32 relation)
{
    Statement statement;
    const QString oid = statement.bind(QString::number(relation)) + u"::pg_catalog.oid"_s;
    return subscriptionsWhere(session, statement, kOfTable.arg(oid));
}

Result<QList<LogicalSlot>> readLogicalSlots(Session &session)
{
    QList<LogicalSlot> found;
    if (session.facts().standby) {
        return found; // it publishes nothing
    }
    TRY(session.each({ kSlots, {} }, [&found](const Row &row) {
        found.append({ row.text(0), row.truth(1), row.integer(2), row.integer(3), row.truth(4),
            row.isNull(5) ? std::nullopt : std::optional(row.text(5).toDouble()), row.truth(6) });
        return true;
    }));
    return found;
}

Result<ReplicationSide> readReplication(Session &session)
{
    ReplicationSide side;
    side.version = session.facts().versionNumber;
    side.standby = session.facts().standby;
    if (!side.standby) {
        TRY(side.publications, readPublications(session));
        TRY(side.subscriptions, subscriptionsWhere(session, {}, {}));
        TRY(side.slots_, readLogicalSlots(session));
    }
    return side;
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

QString enableSubscriptionSql(const QString &subscription)
{
    return u"ALTER SUBSCRIPTION %1 ENABLE;"_s.arg(quoteIdentifier(subscription));
}

QString dropSlotSql(const QString &slot)
{
    return u"SELECT pg_drop_replication_slot(%1);"_s.arg(quoteLiteral(slot));
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
