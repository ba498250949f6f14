// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/evidence_writers.h"

#include "sql/keys/render.h"
#include "sql/types/timestamp.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// How long a writer is waited for, and how often is looked.
constexpr int kWriterLooks = 12;
const QString kNap = u"SELECT pg_catalog.pg_sleep(0.025)"_s;

/// The tables that this transaction holds a lock on are those that its statement was about, with all their partitions.
/// The target itself is left out: who works on the key's own row is asked of that row.
const QString kReadTables = uR"(
WITH RECURSIVE held AS (
    SELECT l.relation AS oid FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_class c ON c.oid = l.relation
     WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation' AND c.relkind IN ('r', 'p', 'f')
         AND c.oid >= 16384
       AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
    UNION SELECT i.inhrelid FROM held h JOIN pg_catalog.pg_inherits i ON i.inhparent = h.oid),
own AS (
    SELECT $1::pg_catalog.oid AS oid
    UNION SELECT i.inhrelid FROM own o JOIN pg_catalog.pg_inherits i ON i.inhparent = o.oid)
SELECT h.oid::pg_catalog.text FROM held h WHERE h.oid NOT IN (SELECT o.oid FROM own o))"_s;

/// What a query reads beside the row that it is asked about: whether it is the keys' own table (or a part of it), and
/// which kind. What this statement itself reads is not the query's doing.
const QString kWriterSources = uR"(
WITH RECURSIVE own AS (
    SELECT $1::pg_catalog.oid AS oid
    UNION SELECT i.inhrelid FROM own o JOIN pg_catalog.pg_inherits i ON i.inhparent = o.oid),
above AS (
    SELECT $1::pg_catalog.oid AS oid
    UNION SELECT i.inhparent FROM above a JOIN pg_catalog.pg_inherits i ON i.inhrelid = a.oid)
SELECT c.oid IN (SELECT o.oid FROM own o) OR c.oid IN (SELECT a.oid FROM above a),
       CASE WHEN c.oid < 16384 THEN 'c' ELSE c.relkind::pg_catalog.text END, c.relname
  FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_class c ON c.oid = l.relation
 WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation'
   AND (c.relkind IN ('m', 'S') OR c.relkind IN ('r', 'p', 'f') AND c.oid >= 16384
        OR c.relkind = 'v' AND c.oid < 16384)
   AND l.database IN (0, (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()))
   AND c.oid <> ALL (ARRAY['pg_catalog.pg_locks', 'pg_catalog.pg_class', 'pg_catalog.pg_database',
                           'pg_catalog.pg_inherits']::pg_catalog.regclass[])
 ORDER BY 1 DESC, c.relname COLLATE "C")"_s;

/// What the functions behind a query read. A function takes no lock before it runs, so its body's words tell, and
/// those of each function and view that it names; rather too many than one too few. Where the walk begins: functions
/// and operators that the query names, what stands in views and policies of the relations that this transaction holds a
/// lock on, casts, and checks of domains, which no text names. The target itself is left out, as above.
const QString kBehind = uR"(
WITH RECURSIVE made (oid, name, body) AS MATERIALIZED (
    SELECT p.oid, pg_catalog.lower(p.proname::pg_catalog.text),
           CASE WHEN l.lanname IN ('internal', 'c') THEN '' ELSE pg_catalog.lower(p.prosrc) END
      FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
      JOIN pg_catalog.pg_language l ON l.oid = p.prolang
     WHERE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'idemdesk')),
kept (oid, name) AS MATERIALIZED (
    SELECT c.oid, pg_catalog.lower(c.relname::pg_catalog.text)
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND c.oid >= 16384 AND n.nspname <> 'idemdesk'
       AND EXISTS (SELECT FROM made)),
held (oid) AS (
    SELECT l.relation FROM pg_catalog.pg_locks l
     WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation' AND l.relation >= 16384
       AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())),
code (classid, objid) AS (
    SELECT 'pg_catalog.pg_rewrite'::pg_catalog.regclass, w.oid
      FROM pg_catalog.pg_rewrite w JOIN held h ON h.oid = w.ev_class
     WHERE w.ev_type = '1'
    UNION ALL SELECT 'pg_catalog.pg_policy'::pg_catalog.regclass, y.oid
      FROM pg_catalog.pg_policy y JOIN held h ON h.oid = y.polrelid
    UNION ALL SELECT 'pg_catalog.pg_constraint'::pg_catalog.regclass, k.oid FROM pg_catalog.pg_constraint k
     WHERE k.contypid >= 16384),
reached (kind, oid) AS (
    (SELECT 'f', m.oid FROM made m
      WHERE pg_catalog.strpos($1::pg_catalog.text, m.name) > 0
        AND $1::pg_catalog.text ~ ('\m' || pg_catalog.regexp_replace(m.name, '(\W)', '\', 'g') || '\M')
     UNION SELECT 'f', o.oprcode::pg_catalog.oid FROM pg_catalog.pg_operator o
      WHERE o.oid >= 16384 AND pg_catalog.strpos($1::pg_catalog.text, o.oprname::pg_catalog.text) > 0
     UNION SELECT 'f', c.castfunc FROM pg_catalog.pg_cast c WHERE c.castfunc >= 16384
     UNION SELECT 'f', COALESCE(o.oprcode::pg_catalog.oid, d.refobjid)
       FROM code c JOIN pg_catalog.pg_depend d ON d.classid = c.classid AND d.objid = c.objid
       LEFT JOIN pg_catalog.pg_operator o
              ON o.oid = d.refobjid AND d.refclassid = 'pg_catalog.pg_operator'::pg_catalog.regclass
      WHERE d.refclassid IN ('pg_catalog.pg_proc'::pg_catalog.regclass, 'pg_catalog.pg_operator'::pg_catalog.regclass))
    UNION
    SELECT n.kind, n.oid FROM reached r CROSS JOIN LATERAL (
        SELECT 'f' AS kind, m.oid FROM made b JOIN made m ON m.oid <> b.oid AND pg_catalog.strpos(b.body, m.name) > 0
           AND b.body ~ ('\m' || pg_catalog.regexp_replace(m.name, '(\W)', '\', 'g') || '\M')
         WHERE r.kind = 'f' AND b.oid = r.oid
        UNION ALL
        SELECT 'r', k.oid FROM made b JOIN kept k ON pg_catalog.strpos(b.body, k.name) > 0
           AND b.body ~ ('\m' || pg_catalog.regexp_replace(k.name, '(\W)', '\', 'g') || '\M')
         WHERE r.kind = 'f' AND b.oid = r.oid
        UNION ALL
        SELECT CASE d.refclassid WHEN 'pg_catalog.pg_class'::pg_catalog.regclass THEN 'r' ELSE 'f' END,
               COALESCE(o.oprcode::pg_catalog.oid, d.refobjid)
          FROM pg_catalog.pg_depend d
          LEFT JOIN pg_catalog.pg_operator o
                 ON o.oid = d.refobjid AND d.refclassid = 'pg_catalog.pg_operator'::pg_catalog.regclass
         WHERE (r.kind = 'f' AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = r.oid
                OR r.kind = 'r' AND d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
                   AND d.objid IN (SELECT w.oid FROM pg_catalog.pg_rewrite w
                                    WHERE w.ev_class = r.oid AND w.ev_type = '1'))
           AND d.refclassid IN ('pg_catalog.pg_class'::pg_catalog.regclass, 'pg_catalog.pg_proc'::pg_catalog.regclass,
                                'pg_catalog.pg_operator'::pg_catalog.regclass)) n),
part (oid) AS (
    SELECT r.oid FROM reached r WHERE r.kind = 'r' UNION
    SELECT i.inhrelid FROM part p JOIN pg_catalog.pg_inherits i ON i.inhparent = p.oid),
own (oid) AS (
    SELECT $2::pg_catalog.oid
    UNION SELECT i.inhrelid FROM own o JOIN pg_catalog.pg_inherits i ON i.inhparent = o.oid)
SELECT c.oid::pg_catalog.text, c.relkind::pg_catalog.text, c.relname
  FROM part p JOIN pg_catalog.pg_class c ON c.oid = p.oid
 WHERE c.relkind IN ('r', 'p', 'f', 'm') AND c.oid >= 16384 AND c.oid NOT IN (SELECT o.oid FROM own o)
 ORDER BY c.relname COLLATE "C")"_s;

/// Compiling such a statement would take seconds; running it takes milliseconds.
const QString kNoCompiling = u"SELECT pg_catalog.set_config('jit', 'off', true)"_s;

/// A prepared transaction has no process, and holds its locks all the same.
const QString kWriters = uR"(
SELECT l.virtualtransaction, l.pid::pg_catalog.text, c.relname,
       (SELECT NULLIF(s.application_name, '') FROM pg_catalog.pg_stat_activity s WHERE s.pid = l.pid),
       (SELECT s.xact_start FROM pg_catalog.pg_stat_activity s WHERE s.pid = l.pid)
  FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_class c ON c.oid = l.relation
 WHERE l.locktype = 'relation' AND l.granted AND l.mode = 'RowExclusiveLock'
   AND l.relation = ANY ($1::pg_catalog.oid[]) AND l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid()
   AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
 ORDER BY 5, 1)"_s;

/// Why a source of this kind says nothing of this moment: a materialized view, a foreign table.
QString staleSource(const QString &kind, const QString &name)
{
    return kind == u"m"
        ? Tr::tr("It cannot be known: %1 shows what was there when it was refreshed.").arg(name)
        : Tr::tr("It cannot be known: %1 lies elsewhere, and who writes there is not seen from here.").arg(name);
}

} // namespace

Result<void> EvidenceWriters::lookBehind(const QString &effectSql)
{
    if (const auto set = m_session.all({ kNoCompiling, {} }); !set) {
        return set.error();
    }
    Statement statement { kBehind, {} };
    statement.bind(effectSql.toLower());
    statement.bind(QString::number(m_target.relation.oid));
    TRY(const auto rows, m_session.all(statement));
    QStringList tables;
    for (const Cells &row : rows) {
        const QString &kind = row.at(1).text;
        if (kind != u"m") {
            tables += row.at(0).text;
        }
        if (m_unsteady.isEmpty() && (kind == u"m" || kind == u"f")) {
            m_unsteady = staleSource(kind, row.at(2).text);
        }
    }
    m_behind = tables;
    return {};
}

/// The query over a row that is made up, so that whatever else of the keys' own table is locked, the query reads.
Result<void> EvidenceWriters::lookAtSources(const QString &effectSql)
{
    m_rereads.clear();
    m_unsteady.clear();
    m_behind.reset();
    TRY(m_session.begin());
    Render render(m_target);
    const auto tried = m_session.all(render.finish(u"SELECT 1 FROM pg_catalog.unnest(ARRAY[NULL::"_s
            + m_target.relation.sql + u"]) AS t CROSS JOIN LATERAL ("_s + effectSql + u") AS x WHERE false"_s,
        {}));
    Statement statement { kWriterSources, {} };
    statement.bind(QString::number(m_target.relation.oid));
    const auto read = tried ? m_session.all(statement) : Result<QList<Cells>>(QList<Cells>());
    const auto behind = tried && read ? lookBehind(effectSql) : Result<void>();
    m_session.rollback(); // it only read
    if (!tried) {
        // A place in the table (t.ctid, t.tableoid) is nothing that a made-up row has; any other fault shows where it
        // is read.
        m_rereads = tried.error().sqlState == u"42703"
            ? Tr::tr("It cannot be known: what the query reads beside the row could not be told.")
            : QString();
        return tried.error().kind == ErrorKind::ConnectionLost || tried.error().kind == ErrorKind::Cancelled
            ? Result<void>(tried.error())
            : Result<void>();
    }
    if (!read || !behind) {
        return read ? behind.error() : read.error();
    }
    for (const Cells &row : *read) {
        const QString &name = row.at(2).text;
        const QString &kind = row.at(1).text;
        if (row.at(0).text == u"t") {
            m_rereads = Tr::tr(
                "It cannot be known: the query reads %1 again, the table of the keys, which changes meanwhile.")
                            .arg(name);
        } else if (kind == u"m" || kind == u"f") {
            m_unsteady = staleSource(kind, name);
        } else if (kind == u"S" || kind == u"c") {
            m_unsteady = Tr::tr("It cannot be known: what %1 shows changes while it is read.").arg(name);
        }
    }
    return {};
}

Result<void> EvidenceWriters::watch(const QString &effectSql)
{
    m_tables.clear();
    if (const auto looked = lookAtSources(effectSql); !looked) {
        return looked;
    }
    TRY(m_session.begin());
    Render render(m_target);
    const auto tried = m_session.all(render.finish(
        u"SELECT 1"_s + render.from() + u" CROSS JOIN LATERAL ("_s + effectSql + u") AS x WHERE false"_s, {}));
    Statement statement { kReadTables, {} };
    statement.bind(QString::number(m_target.relation.oid));
    const auto read = tried ? m_session.all(statement) : Result<QList<Cells>>(QList<Cells>());
    const auto behind = tried && read && !m_behind ? lookBehind(effectSql) : Result<void>();
    if (tried && read && behind) {
        static_cast<void>(m_session.commit()); // it only read
    } else {
        m_session.rollback();
    }
    if (!read || !behind) {
        return read ? behind.error() : read.error();
    }
    // A query that cannot be run fails again where it is read, and says why there.
    m_tables = m_behind.value_or(QStringList());
    for (const Cells &row : *read) {
        m_tables += row.constFirst().text;
    }
    m_tables.removeDuplicates();
    return {};
}

Result<QString> EvidenceWriters::stillWriting()
{
    if (m_tables.isEmpty()) {
        return QString();
    }
    if (m_session.facts().standby) {
        return Tr::tr("It cannot be known here: this is a standby, which does not see who writes on the primary.");
    }
    Statement statement { kWriters, {} };
    statement.bind(arrayLiteral(m_tables));
    QSet<QString> first;
    for (int look = 0;; ++look) {
        TRY(const auto rows, m_session.all(statement));
        const Cells *lasting = nullptr;
        bool worthWaiting = false;
        for (const Cells &row : rows) {
            const QString &transaction = row.at(0).text;
            if (look == 0) {
                first += transaction;
            }
            if (first.contains(transaction)) { // who came later wrote nothing before the first look
                lasting = lasting == nullptr ? &row : lasting;
                worthWaiting = worthWaiting || !m_lasting.contains(transaction);
            }
        }
        if (lasting == nullptr) {
            return QString();
        }
        if (worthWaiting && look < kWriterLooks) {
            if (const auto slept = m_session.all({ kNap, {} }); !slept) {
                return slept.error();
            }
            continue;
        }
        m_lasting += first;
        const QString table = lasting->at(2).text;
        if (lasting->at(1).null) {
            return Tr::tr("It cannot be known yet: a prepared transaction writes to %1.").arg(table);
        }
        const QString who = lasting->at(1).text + (lasting->at(3).null ? QString() : u", "_s + lasting->at(3).text);
        const auto since = lasting->at(4).null ? std::nullopt : Timestamp::parse(lasting->at(4).text);
        return since ? Tr::tr("It cannot be known yet: a transaction writes to %1 since %3 (process %2).")
                           .arg(table, who, since->toRfc3339())
                     : Tr::tr("It cannot be known yet: a transaction writes to %1 (process %2).").arg(table, who);
    }
}

} // namespace idemdesk::sql
