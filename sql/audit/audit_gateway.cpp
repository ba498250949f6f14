// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/audit/audit_gateway.h"

#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

AuditRow auditRow(const Row &row)
{
    AuditRow audit;
    audit.seq = row.integer(0);
    audit.at = Timestamp::parse(row.text(1)).value_or(Timestamp());
    audit.who = row.text(2);
    audit.role = row.text(3);
    audit.pid = static_cast<int>(row.integer(4));
    audit.address = row.text(5);
    audit.application = row.text(6);
    audit.action = row.text(7);
    audit.batch = static_cast<int>(row.integer(8));
    audit.what = row.text(9);
    audit.target = row.text(10);
    audit.factsJson = row.text(11).toUtf8();
    audit.hash = row.text(12);
    audit.previousHash = row.text(13);
    audit.itemsSha = row.text(14);
    return audit;
}

} // namespace

Result<QList<AuditRow>> readAudit(Session &session, const AuditFilter &filter)
{
    Statement statement {
        u"SELECT a.seq, a.at, a.who, a.role, a.pid, a.address, a.application, a.action, a.batch, a.what, a.target, "
        u"a.facts, "
        "pg_catalog.encode(a.hash, 'hex'), pg_catalog.encode(a.prev_hash, 'hex'), pg_catalog.encode(a.items_sha, "
        "'hex') FROM idemdesk.audit AS a WHERE true"_s,
        {}
    };
    const auto narrow = [&](bool wanted, const QString &condition, const QString &value, const QString &type) {
        if (wanted) {
            const QString place = statement.bind(value);
            statement.sql += u" AND "_s + condition + place + u"::pg_catalog."_s + type;
        }
    };
    narrow(!filter.person.isEmpty(), u"a.who = "_s, filter.person, u"text"_s);
    narrow(!filter.target.isEmpty(), u"a.target = "_s, filter.target, u"text"_s);
    narrow(!filter.action.isEmpty(), u"a.action = "_s, filter.action, u"uuid"_s);
    narrow(!filter.release.isEmpty(), u"a.what IN ('release', 'release_end') AND a.facts ->> 'id' = "_s, filter.release,
        u"text"_s);
    if (!filter.group.isEmpty()) {
        statement.sql
            += u" AND a.action IN (SELECT c.id FROM idemdesk.action AS c WHERE c.plan -> 'group' ->> 'id' = "_s
            + statement.bind(filter.group) + u"::pg_catalog.text)"_s;
    }
    narrow(!filter.what.isEmpty(), u"a.what = "_s, filter.what, u"text"_s);
    narrow(filter.since.has_value(), u"a.at >= "_s, filter.since.value_or(Timestamp()).toRfc3339(), u"timestamptz"_s);
    narrow(filter.until.has_value(), u"a.at < "_s, filter.until.value_or(Timestamp()).toRfc3339(), u"timestamptz"_s);
    narrow(filter.withinSeconds > 0, u"a.at >= pg_catalog.now() - pg_catalog.make_interval(secs => 1) * "_s,
        QString::number(filter.withinSeconds), u"int8"_s);
    if (!filter.text.isEmpty()) {
        // A batch says nothing of why; its action does.
        const QString wanted = u"pg_catalog.lower("_s + statement.bind(filter.text) + u"::pg_catalog.text))"_s;
        statement.sql
            += u" AND (pg_catalog.strpos(pg_catalog.lower(pg_catalog.concat_ws(E'\n', a.facts ->> 'reason', a.facts "
               "->> 'ticket', a.facts ->> 'note')), "_s
            + wanted
            + u" > 0 OR a.action IN (SELECT c.id FROM idemdesk.action AS c WHERE pg_catalog.strpos("
              "pg_catalog.lower(pg_catalog.concat_ws(E'\n', c.reason, c.ticket)), "_s
            + wanted + u" > 0))"_s;
    }
    narrow(filter.before > 0, u"a.seq < "_s, QString::number(filter.before), u"int8"_s);
    const QString limit = statement.bind(QString::number(filter.limit));
    statement.sql += u" ORDER BY a.seq DESC LIMIT "_s + limit + u"::pg_catalog.int8"_s;
    QList<AuditRow> rows;
    TRY(failed(Tr::tr("The audit log could not be read."), session.each(statement, [&rows](const Row &row) {
        rows.append(auditRow(row));
        return true;
    })));
    return rows;
}

Result<AuditVerdict> verifyAudit(Session &session, qint64 from)
{
    Statement statement {
        u"SELECT v.intact, v.checked, v.head_seq, v.head_hash, v.findings FROM idemdesk.verify_audit("_s, {}
    };
    statement.sql += statement.bind(QString::number(from)) + u"::pg_catalog.int8) AS v"_s;
    TRY(const auto row, failed(Tr::tr("The audit log could not be verified."), session.one(statement)));
    AuditVerdict verdict;
    verdict.intact = row.at(0).text == u"t"_s;
    verdict.checked = row.at(1).text.toLongLong();
    verdict.headSeq = row.at(2).text.toLongLong();
    verdict.headHash = row.at(3).text;
    const QJsonArray findings = QJsonDocument::fromJson(row.at(4).text.toUtf8()).array();
    for (const QJsonValue &finding : findings) {
        verdict.problems.append({ finding[u"part"_s].toString() == u"chain", finding[u"seq"_s].toInteger(),
            finding[u"problem"_s].toString() });
    }
    return verdict;
}

Result<AuditAnchor> readAnchor(Session &session)
{
    TRY(const auto row,
        failed(Tr::tr("The newest row of the audit log could not be read."),
            session.one({ u"SELECT a.system_id, a.database_oid, a.database_name, a.seq, a.hash, a.at "
                          "FROM idemdesk.audit_anchor() AS a"_s,
                {} })));
    AuditAnchor anchor;
    anchor.systemId = row.at(0).text;
    anchor.databaseOid = row.at(1).text.toUInt();
    anchor.database = row.at(2).text;
    anchor.seq = row.at(3).text.toLongLong();
    anchor.hash = row.at(4).text;
    anchor.at = Timestamp::parse(row.at(5).text).value_or(Timestamp());
    return anchor;
}

Result<QString> readHashAt(Session &session, qint64 seq)
{
    Statement statement { u"SELECT idemdesk.audit_hash_at("_s, {} };
    statement.sql += statement.bind(QString::number(seq)) + u"::pg_catalog.int8)"_s;
    TRY(const auto row, failed(Tr::tr("A row of the audit log could not be read."), session.one(statement)));
    return row.constFirst().text;
}

Result<qint64> readLastSeq(Session &session)
{
    const Statement statement { u"SELECT coalesce(pg_catalog.max(a.seq), 0) FROM idemdesk.audit AS a"_s, {} };
    TRY(const auto row, failed(Tr::tr("The last row of the audit log could not be read."), session.one(statement)));
    return row.constFirst().text.toLongLong();
}

} // namespace idemdesk::sql
