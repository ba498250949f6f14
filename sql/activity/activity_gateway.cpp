// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/activity/activity_gateway.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// Sessions that hold or await a lock on one of the relations (or its partitions), and those they wait for. The columns
// a plain role may not see come as NULL or "<insufficient privilege>" (traps 9).
const QString kActivitySql = QStringLiteral(R"sql(
WITH RECURSIVE wanted AS (
    SELECT r.oid FROM pg_catalog.unnest($1::pg_catalog.oid[]) AS r(oid)
    UNION
    SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i JOIN wanted AS w ON w.oid = i.inhparent
), held AS (
    SELECT l.pid,
        pg_catalog.array_agg(l.mode || ' on ' || l.relation::pg_catalog.regclass::pg_catalog.text
            || CASE WHEN l.granted THEN ' (granted)' ELSE ' (waiting)' END
            ORDER BY l.granted DESC, l.relation) AS locks
    FROM pg_catalog.pg_locks AS l JOIN wanted AS w ON w.oid = l.relation
    WHERE l.locktype IN ('relation', 'tuple')
        AND l.database = (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database())
    GROUP BY l.pid
), involved AS (
    SELECT h.pid FROM held AS h
    UNION
    SELECT b.pid FROM held AS h CROSS JOIN LATERAL pg_catalog.unnest(pg_catalog.pg_blocking_pids(h.pid)) AS b(pid)
)
SELECT a.pid, a.usename, a.application_name,
    COALESCE(pg_catalog.host(a.client_addr), CASE WHEN a.client_port = -1 THEN 'local socket' END),
    a.state, a.wait_event_type || ': ' || a.wait_event, pg_catalog.left(a.query, 1000),
    a.xact_start::pg_catalog.text, a.query_start::pg_catalog.text,
    pg_catalog.array_to_string(COALESCE(h.locks, '{}'), E'\n'),
    pg_catalog.array_to_string(pg_catalog.pg_blocking_pids(a.pid), ','),
    pg_catalog.clock_timestamp()::pg_catalog.text
FROM involved AS i
JOIN pg_catalog.pg_stat_activity AS a ON a.pid = i.pid
LEFT JOIN held AS h ON h.pid = a.pid
WHERE a.pid <> pg_catalog.pg_backend_pid() AND COALESCE(a.application_name, '') NOT LIKE 'idemdesk %'
ORDER BY a.xact_start NULLS LAST, a.pid)sql");

} // namespace

Result<ActivityReport> readActivity(Session &session, const QList<Target> &targets)
{
    QStringList oids;
    for (const Target &target : targets) {
        oids += QString::number(target.relation.oid);
    }
    Statement statement { kActivitySql, {} };
    statement.bind(u'{' + oids.join(u',') + u'}');
    ActivityReport report;
    const auto read = session.each(statement, [&report](const Row &row) {
        BackendActivity backend;
        backend.pid = static_cast<int>(row.integer(0));
        backend.user = row.text(1);
        backend.application = row.text(2);
        backend.client = row.text(3);
        backend.state = row.text(4);
        backend.waitEvent = row.text(5);
        backend.query = row.text(6);
        backend.transactionStart = row.isNull(7) ? std::nullopt : Timestamp::parse(row.text(7));
        backend.queryStart = row.isNull(8) ? std::nullopt : Timestamp::parse(row.text(8));
        backend.locks = row.text(9).split(u'\n', Qt::SkipEmptyParts);
        const QStringList blockers = row.text(10).split(u',', Qt::SkipEmptyParts);
        for (const QString &pid : blockers) {
            backend.blockedBy += pid.toInt();
        }
        report.complete = report.complete && !row.isNull(4);
        report.now = Timestamp::parse(row.text(11)).value_or(Timestamp());
        report.backends.append(std::move(backend));
        return true;
    });
    if (!read) {
        Error error = read.error();
        error.what = QCoreApplication::translate("Activity", "The sessions on the tables could not be read.");
        return error;
    }
    if (report.backends.isEmpty()) {
        const auto now = session.one({ u"SELECT pg_catalog.clock_timestamp()::pg_catalog.text"_s, {} });
        if (!now) {
            return now.error();
        }
        report.now = Timestamp::parse(now->first().text).value_or(Timestamp());
    }
    return report;
}

Result<quint32> relationOid(Session &session, const QString &relation)
{
    Statement statement { u"SELECT COALESCE(pg_catalog.to_regclass($1)::pg_catalog.oid, 0)"_s, {} };
    statement.bind(relation);
    const auto row = session.one(statement);
    if (!row) {
        return row.error();
    }
    return row->first().text.toUInt();
}

} // namespace idemdesk::sql
