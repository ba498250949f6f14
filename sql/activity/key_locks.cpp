// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/activity/key_locks.h"

#include "sql/keys/detail_reader.h"
#include "sql/keys/render.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QString kThisDatabase
    = u"(SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database())"_s;

// Who changed or locked the row last, and did not end yet. A row that several share has the number of a group in xmax,
// which may be that of a transaction somewhere else: whoever holds a row also holds a lock on its table. Members are
// asked for only of a group that the server still knows. Who waits for a row stands in line with a lock on the tuple;
// only the first of them has it.
const QString kRowLocks = uR"(SELECT true AS granted, l.pid, l.mode, NULL::pg_catalog.text AS advisory
    FROM pg_catalog.pg_locks AS l
    WHERE l.locktype = 'transactionid' AND l.granted AND CASE
            WHEN l.transactionid = t.xmax THEN true
            WHEN t.xmax::pg_catalog.text <> '0' AND pg_catalog.mxid_age(t.xmax) > 0
                AND t.xmax::pg_catalog.text::pg_catalog.int8 >= (
                    SELECT c.oldest_multi_xid::pg_catalog.text::pg_catalog.int8
                    FROM pg_catalog.pg_control_checkpoint() AS c)
            THEN EXISTS (SELECT FROM pg_catalog.pg_get_multixact_members(t.xmax) AS m WHERE m.xid = l.transactionid)
            ELSE false END AND EXISTS (
        SELECT FROM pg_catalog.pg_locks AS r WHERE r.locktype = 'relation' AND r.relation = t.tableoid AND r.granted
            AND r.virtualtransaction = l.virtualtransaction)
    UNION ALL
    SELECT false, l.pid, l.mode, NULL FROM pg_catalog.pg_locks AS l
    WHERE l.locktype = 'tuple' AND l.relation = t.tableoid AND l.database = )"_s
    + kThisDatabase + u" AND pg_catalog.concat('(', l.page, ',', l.tuple, ')')::pg_catalog.tid = t.ctid"_s;

QString advisoryLocks(const QString &expression)
{
    return u"SELECT l.granted, l.pid, l.mode, pg_catalog.btrim(pg_catalog.to_jsonb("_s + expression
        + u")::pg_catalog.text, '[]') AS advisory FROM pg_catalog.pg_locks AS l WHERE "_s + isAdvisoryLock(expression);
}

Result<QList<KeyLock>> readLocks(
    Session &session, const Target &target, const Cells &identity, KeyLock::What what, const QString &locks)
{
    Render render(target);
    const QString sql = u"SELECT k.granted, k.pid, k.mode, k.advisory, a.usename, a.application_name, "
                        "a.xact_start::pg_catalog.text"_s
        + render.from() + u" CROSS JOIN LATERAL ("_s + locks
        + u") AS k LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = k.pid WHERE "_s
        + identityCondition(render, identity)
        + u" AND k.pid IS DISTINCT FROM pg_catalog.pg_backend_pid() ORDER BY k.granted DESC, a.xact_start, k.pid "
          "LIMIT 100"_s;
    QList<KeyLock> found;
    TRY(session.each(render.finish(sql, {}), [&found, what](const Row &row) {
        KeyLock lock;
        lock.what = what;
        lock.granted = row.text(0) == u"t";
        lock.pid = row.isNull(1) ? 0 : int(row.integer(1));
        lock.mode = row.text(2);
        lock.advisory = row.text(3);
        lock.user = row.text(4);
        lock.application = row.text(5);
        lock.since = row.isNull(6) ? std::nullopt : Timestamp::parse(row.text(6));
        found.append(lock);
        return true;
    }));
    return found;
}

bool endsReading(const Error &error)
{
    return error.kind == ErrorKind::ConnectionLost || error.kind == ErrorKind::Cancelled
        || error.kind == ErrorKind::Superseded;
}

} // namespace

QString isAdvisoryLock(const QString &expression)
{
    const QString given = u"pg_catalog.to_jsonb("_s + expression + u')';
    return u"(l.locktype = 'advisory' AND l.database = "_s + kThisDatabase
        + u" AND (l.objsubid, l.classid, l.objid) = (SELECT g.parts, (g.high & 4294967295)::pg_catalog.oid, "
          "(g.low & 4294967295)::pg_catalog.oid FROM (SELECT CASE WHEN pg_catalog.jsonb_typeof(x.given) = 'array' "
          "THEN 2 ELSE 1 END AS parts, CASE WHEN pg_catalog.jsonb_typeof(x.given) = 'array' "
          "THEN (x.given ->> 0)::pg_catalog.int8 ELSE (x.given #>> '{}')::pg_catalog.int8 >> 32 END AS high, "
          "CASE WHEN pg_catalog.jsonb_typeof(x.given) = 'array' THEN (x.given ->> 1)::pg_catalog.int8 "
          "ELSE (x.given #>> '{}')::pg_catalog.int8 END AS low FROM (SELECT "_s
        + given + u" AS given) AS x) AS g))"_s;
}

Result<KeyLocks> readKeyLocks(Session &session, const Target &target, const Cells &identity)
{
    KeyLocks out;
    // The rows of a view or a foreign table are locked somewhere else.
    if (target.relation.isView() || target.relation.kind == u'f') {
        out.notRead.append(Tr::tr("Who locks a row of a view or of a foreign table cannot be seen here."));
    } else {
        const auto rows = readLocks(session, target, identity, KeyLock::What::Row, kRowLocks);
        if (!rows && endsReading(rows.error())) {
            return rows.error();
        }
        if (rows) {
            out.locks += *rows;
        } else {
            out.notRead.append(Tr::tr("Who locks the row could not be read: %1").arg(rows.error().line()));
        }
    }
    if (!target.profile.advisoryLock.isEmpty()) {
        const auto held
            = readLocks(session, target, identity, KeyLock::What::Advisory, advisoryLocks(target.profile.advisoryLock));
        if (!held && endsReading(held.error())) {
            return held.error();
        }
        if (held) {
            out.locks += *held;
        } else {
            out.notRead.append(
                Tr::tr("Who holds the key's advisory lock could not be read: %1").arg(held.error().line()));
        }
    }
    return out;
}

} // namespace idemdesk::sql
