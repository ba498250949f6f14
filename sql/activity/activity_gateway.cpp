// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/activity/activity_gateway.h"

#include "sql/session/watched_counters.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// Sessions that hold or await a lock on one of the relations (or its partitions) or an advisory lock, and those they
// wait for. The columns a plain role may not see come as NULL or "<insufficient privilege>" (traps 9). An advisory lock
// was taken by one bigint, whose halves pg_locks shows apart, or by two integers (objsubid 2).
const QString kActivitySql = QStringLiteral(R"sql(
WITH RECURSIVE wanted AS (
    SELECT r.oid FROM pg_catalog.unnest($1::pg_catalog.oid[]) AS r(oid)
    UNION
    SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i JOIN wanted AS w ON w.oid = i.inhparent
), held AS (
    SELECT l.pid,
        pg_catalog.json_agg(pg_catalog.json_build_array(l.locktype, l.mode, l.granted,
            CASE WHEN l.locktype <> 'advisory' THEN l.relation::pg_catalog.regclass::pg_catalog.text
                WHEN l.objsubid = 1 THEN ((l.classid::pg_catalog.int8 << 32)
                    | l.objid::pg_catalog.int8)::pg_catalog.text
                ELSE pg_catalog.concat_ws(', ', l.classid::pg_catalog.int8::pg_catalog.bit(32)::pg_catalog.int4,
                    l.objid::pg_catalog.int8::pg_catalog.bit(32)::pg_catalog.int4) END)
            ORDER BY l.granted DESC, l.locktype, l.relation, l.classid, l.objid, l.mode) AS locks
    FROM pg_catalog.pg_locks AS l LEFT JOIN wanted AS w ON w.oid = l.relation
    WHERE (l.locktype = 'advisory' OR (l.locktype IN ('relation', 'tuple') AND w.oid IS NOT NULL))
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
    h.locks::pg_catalog.text,
    pg_catalog.array_to_string(pg_catalog.pg_blocking_pids(a.pid), ','),
    pg_catalog.clock_timestamp()::pg_catalog.text, a.backend_start::pg_catalog.text
FROM involved AS i
JOIN pg_catalog.pg_stat_activity AS a ON a.pid = i.pid
LEFT JOIN held AS h ON h.pid = a.pid
WHERE a.pid <> pg_catalog.pg_backend_pid() AND COALESCE(a.application_name, '') NOT LIKE 'idemdesk %'
ORDER BY a.xact_start NULLS LAST, a.pid)sql");

QList<SessionLock> locksOf(const QString &json)
{
    QList<SessionLock> locks;
    for (const QJsonValue lock : QJsonDocument::fromJson(json.toUtf8()).array()) {
        locks.append({ lock[0].toString(), lock[1].toString(), lock[3].toString(), lock[2].toBool() });
    }
    return locks;
}

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
        backend.locks = locksOf(row.text(9));
        const QStringList blockers = row.text(10).split(u',', Qt::SkipEmptyParts);
        for (const QString &pid : blockers) {
            backend.blockedBy += pid.toInt();
        }
        backend.backendStart = row.isNull(12) ? std::nullopt : Timestamp::parse(row.text(12));
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
    TRY(const auto facts,
        session.one(
            { u"SELECT pg_catalog.clock_timestamp()::pg_catalog.text, d.deadlocks, d.xact_rollback, d.conflicts, "
              "d.stats_reset::pg_catalog.text, pg_catalog.concat_ws(' ', (EXTRACT(epoch FROM d.stats_reset) * "
              "1000000)::pg_catalog.int8, (EXTRACT(epoch FROM pg_catalog.pg_postmaster_start_time()) * "
              "1000000)::pg_catalog.int8) FROM pg_catalog.pg_stat_database d "
              "WHERE d.datname = pg_catalog.current_database()"_s,
                {} }));
    if (report.backends.isEmpty()) {
        report.now = Timestamp::parse(facts.first().text).value_or(Timestamp());
    }
    report.deadlocks = facts.at(1).text.toLongLong();
    report.rollbacks = facts.at(2).text.toLongLong();
    report.standbyConflicts = facts.at(3).text.toLongLong();
    report.countedSince = facts.at(4).null ? std::nullopt : Timestamp::parse(facts.at(4).text);
    report.watched = watchedCounters(
        session.facts(), { report.deadlocks, report.rollbacks, report.standbyConflicts, facts.at(5).text }, report.now);
    return report;
}

namespace {

/// The person's own right decides: only a member of pg_signal_backend, or of the session's role, may do it.
Result<SignalOutcome> send(Session &session, const SignalRequest &request)
{
    Statement statement;
    statement.bind(QString::number(request.backend.pid));
    statement.bind(request.backend.backendStart ? Cell::of(request.backend.backendStart->toRfc3339()) : Cell());
    statement.bind(request.backend.user);
    statement.sql
        = u"SELECT pg_catalog.%1(a.pid) FROM pg_catalog.pg_stat_activity a WHERE a.pid = $1::pg_catalog.int4 "
          "AND (a.backend_start IS NULL OR a.backend_start = COALESCE($2::pg_catalog.timestamptz, a.backend_start)) "
          "AND COALESCE(a.usename::pg_catalog.text, '') = $3::pg_catalog.text"_s.arg(
              request.verb == SignalVerb::Cancel ? u"pg_cancel_backend"_s : u"pg_terminate_backend"_s);
    const auto rows = session.all(statement);
    SignalOutcome outcome;
    if (!rows) {
        if (rows.error().kind != ErrorKind::Privilege) {
            return rows.error();
        }
        outcome.kind = SignalOutcome::Kind::Refused;
        outcome.refusal = rows.error();
        outcome.refusal.what
            = Tr::tr("The server did not let this login stop the session %1.").arg(request.backend.pid);
        outcome.refusal.why = Tr::tr("It belongs to another role.");
        outcome.refusal.todo = Tr::tr("Ask an administrator for membership in pg_signal_backend, or let one of the "
                                      "session's own role do it. Sessions of superusers need a superuser.");
    } else if (rows->isEmpty() || rows->constFirst().constFirst().text != u"t") {
        outcome.kind = SignalOutcome::Kind::Gone;
    }
    return outcome;
}

} // namespace

Result<SignalOutcome> signalBackend(Session &session, const SignalRequest &request)
{
    const BackendActivity &backend = request.backend;
    const auto quoted = [](const QString &text) { return text.left(1'000); };
    const QJsonObject seen { { u"user"_s, quoted(backend.user) }, { u"application"_s, quoted(backend.application) },
        { u"client"_s, backend.client }, { u"state"_s, backend.state }, { u"query"_s, quoted(backend.query) } };
    Statement open;
    open.bind(request.id);
    open.bind(QString::number(backend.pid));
    open.bind(backend.backendStart ? Cell::of(backend.backendStart->toRfc3339()) : Cell());
    open.bind(signalVerbName(request.verb));
    open.bind(request.reason);
    open.bind(request.ticket);
    open.bind(QString::fromUtf8(QJsonDocument(seen).toJson(QJsonDocument::Compact)));
    open.sql = u"SELECT idemdesk.open_signal($1::pg_catalog.uuid, $2::pg_catalog.int4, $3::pg_catalog.timestamptz, "
               "$4::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.text, $7::pg_catalog.jsonb)"_s;
    if (const auto opened = session.one(open); !opened) {
        Error error = opened.error();
        error.what = Tr::tr("Nothing was sent: the audit log could not be written.");
        if (error.sqlState == u"42883" || error.sqlState == u"3F000") {
            error.why = Tr::tr("The console schema is not installed in this database, or is an older one.");
            error.todo = Tr::tr("Install or upgrade it; without the audit log the console changes nothing.");
        }
        return error;
    }
    const auto sent = send(session, request);
    Statement close;
    close.bind(request.id);
    const SignalOutcome::Kind kind = sent ? sent->kind : SignalOutcome::Kind::Refused;
    close.bind(signalOutcomeName(kind));
    close.bind(sent ? sent->refusal.detail : sent.error().detail);
    close.sql = u"SELECT idemdesk.close_signal($1::pg_catalog.uuid, $2::pg_catalog.text, $3::pg_catalog.text)"_s;
    const auto closed = session.one(close);
    if (!sent) {
        return sent.error();
    }
    if (!closed) {
        Error error = closed.error();
        error.what = Tr::tr("The signal was sent, but what came of it could not be written to the audit log.");
        error.todo = Tr::tr("The request itself is in the audit log.");
        return error;
    }
    return sent;
}

Result<quint32> relationOid(Session &session, const QString &relation)
{
    Statement statement { u"SELECT COALESCE(pg_catalog.to_regclass($1)::pg_catalog.oid, 0)"_s, {} };
    statement.bind(relation);
    TRY(const auto row, session.one(statement));
    return row.first().text.toUInt();
}

} // namespace idemdesk::sql
