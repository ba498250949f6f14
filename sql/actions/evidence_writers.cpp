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

/// The tables that this transaction holds a lock on are those that its statement was about, with all their partitions. The
/// target itself is left out: who works on the key's own row is asked of that row.
const QString kReadTables = uR"(
WITH RECURSIVE held AS (
    SELECT l.relation AS oid FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_class c ON c.oid = l.relation
     WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation' AND c.relkind IN ('r', 'p', 'f') AND c.oid >= 16384
       AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
    UNION SELECT i.inhrelid FROM held h JOIN pg_catalog.pg_inherits i ON i.inhparent = h.oid),
own AS (
    SELECT $1::pg_catalog.oid AS oid
    UNION SELECT i.inhrelid FROM own o JOIN pg_catalog.pg_inherits i ON i.inhparent = o.oid)
SELECT h.oid::pg_catalog.text FROM held h WHERE h.oid NOT IN (SELECT o.oid FROM own o))"_s;

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

} // namespace

Result<void> EvidenceWriters::watch(const QString &effectSql)
{
    m_tables.clear();
    if (const auto begun = m_session.begin(); !begun) {
        return begun.error();
    }
    Render render(m_target);
    const auto tried = m_session.all(render.finish(
        u"SELECT 1"_s + render.from() + u" CROSS JOIN LATERAL ("_s + effectSql + u") AS x WHERE false"_s, {}));
    Statement statement { kReadTables, {} };
    statement.bind(QString::number(m_target.relation.oid));
    const auto read = tried ? m_session.all(statement) : Result<QList<Cells>>(QList<Cells>());
    if (tried && read) {
        static_cast<void>(m_session.commit()); // it only read
    } else {
        m_session.rollback();
    }
    if (!read) {
        return read.error();
    }
    // A query that cannot be run fails again where it is read, and says why there.
    for (const Cells &row : *read) {
        m_tables += row.constFirst().text;
    }
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
        const auto rows = m_session.all(statement);
        if (!rows) {
            return rows.error();
        }
        const Cells *lasting = nullptr;
        bool worthWaiting = false;
        for (const Cells &row : *rows) {
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
        const QString who = lasting->at(1).text
            + (lasting->at(3).null ? QString() : u", "_s + lasting->at(3).text);
        const auto since = lasting->at(4).null ? std::nullopt : Timestamp::parse(lasting->at(4).text);
        return since ? Tr::tr("It cannot be known yet: a transaction writes to %1 since %3 (process %2).")
                           .arg(table, who, since->toRfc3339())
                     : Tr::tr("It cannot be known yet: a transaction writes to %1 (process %2).").arg(table, who);
    }
}

} // namespace idemdesk::sql
