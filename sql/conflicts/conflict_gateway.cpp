// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/conflicts/conflict_gateway.h"

#include "sql/json/json_texts.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

Error conflictsNeedConsole(Error error)
{
    if (error.sqlState == u"42P01" || error.sqlState == u"3F000" || error.sqlState == u"42883") {
        error.what = Tr::tr("Conflicts are not kept in this database.");
        error.why = Tr::tr("The console schema is not installed here, or is an older one.");
        error.todo = Tr::tr("Install or upgrade it; until then imports are kept on this computer.");
    }
    return error;
}

QJsonValue cleanTextOrNull(const QString &text)
{
    QString clean = text;
    clean.remove(QChar(0)); // jsonb takes no NUL
    return clean.isEmpty() ? QJsonValue() : QJsonValue(clean);
}

} // namespace

Result<bool> keepsConflicts(Session &session)
{
    TRY(const auto row, session.one({ u"SELECT pg_catalog.to_regclass('idemdesk.conflict_seen') IS NOT NULL"_s, {} }));
    return row.constFirst().text == u"t";
}

Result<bool> mayReadConflicts(Session &session)
{
    TRY(const auto row,
        session.one({ u"SELECT COALESCE(pg_catalog.has_table_privilege(pg_catalog.to_regclass("
                      "'idemdesk.conflict_seen'), 'SELECT'), false)"_s,
            {} }));
    return row.constFirst().text == u"t";
}

Result<ConflictSight> conflictSight(Session &session)
{
    TRY_OR(conflictsNeedConsole, const auto row,
        session.one(
            { u"SELECT idemdesk.reads_everything(), EXISTS (SELECT FROM idemdesk.readable_targets() t)"_s, {} }));
    return row.at(0).text == u"t" ? ConflictSight::Everything
        : row.at(1).text == u"t"  ? ConflictSight::Part
                                  : ConflictSight::Nothing;
}

Result<ConflictPage> readConflicts(Session &session, const ConflictFilter &filter)
{
    Statement statement;
    QStringList where { u"true"_s };
    if (filter.since) {
        where += u"c.last_at >= "_s + statement.bind(filter.since->toRfc3339()) + u"::pg_catalog.timestamptz"_s;
    }
    if (!filter.key.isEmpty()) {
        where += u"c.key = "_s + statement.bind(filter.key) + u"::pg_catalog.text"_s;
    }
    if (!filter.attribute.isEmpty()) {
        where += u"EXISTS (SELECT FROM pg_catalog.jsonb_each_text(c.attributes) a WHERE a.value = "_s
            + statement.bind(filter.attribute) + u"::pg_catalog.text)"_s;
    }
    // Written out, so that the index without replays is taken.
    where += filter.kind.isEmpty() ? u"c.kind <> 'replay'"_s
                                   : u"c.kind = "_s + statement.bind(filter.kind) + u"::pg_catalog.text"_s;
    if (filter.after) {
        // Newest first, and of one moment in the order of ids.
        const QString at = statement.bind(filter.after->lastAt.toRfc3339()) + u"::pg_catalog.timestamptz"_s;
        const QString id
            = u"pg_catalog.decode("_s + statement.bind(QString::fromLatin1(filter.after->id.toHex())) + u", 'hex')"_s;
        where += u"(c.last_at < %1 OR c.last_at = %1 AND c.id > %2)"_s.arg(at, id);
    }
    statement.sql
        = u"SELECT pg_catalog.encode(c.id, 'hex'), c.kind, c.source, c.target, c.scope, c.key, c.key_hash, "
          u"c.existing_hash, c.incoming_hash, c.incoming_payload, c.caller, "
          "c.first_at, c.last_at, c.n, c.message, c.detail, c.file, c.attributes FROM idemdesk.conflict_seen c WHERE "_s
        + where.join(u" AND "_s) + u" ORDER BY c.last_at DESC, c.id LIMIT "_s + QString::number(filter.limit + 1);
    ConflictPage page;
    const auto read = session.each(statement, [&](const Row &row) {
        if (page.rows.size() == filter.limit) {
            page.more = true;
            return true;
        }
        ConflictRecord record;
        record.id = QByteArray::fromHex(row.text(0).toLatin1());
        record.kind = row.text(1);
        record.fromLog = row.text(2) == u"log";
        record.target = row.text(3);
        record.scope = row.text(4);
        record.key = row.isNull(5) ? std::nullopt : std::optional(row.text(5));
        record.keyHash = row.text(6);
        record.existingHash = row.text(7);
        record.incomingHash = row.text(8);
        record.incomingPayload = row.text(9);
        record.caller = row.text(10);
        record.firstAt = Timestamp::parse(row.text(11)).value_or(Timestamp());
        record.lastAt = Timestamp::parse(row.text(12)).value_or(Timestamp());
        record.count = row.integer(13);
        record.message = row.text(14);
        record.detail = row.text(15);
        record.file = row.text(16);
        record.attributes = textsOfJson(row.text(17).toUtf8());
        page.rows += record;
        return true;
    });
    return read ? Result<ConflictPage>(page) : Result<ConflictPage>(conflictsNeedConsole(read.error()));
}

Result<qint64> storeConflicts(Session &session, const QString &file, const QList<ConflictRecord> &records)
{
    QJsonArray rows;
    for (const ConflictRecord &record : records) {
        rows.append(QJsonObject { { u"id"_s, QString::fromLatin1(record.id.toHex()) }, { u"kind"_s, record.kind },
            { u"target"_s, cleanTextOrNull(record.target) }, { u"scope"_s, cleanTextOrNull(record.scope) },
            { u"key"_s, record.key ? cleanTextOrNull(*record.key) : QJsonValue() },
            { u"key_hash"_s, cleanTextOrNull(record.keyHash) },
            { u"existing_hash"_s, cleanTextOrNull(record.existingHash) },
            { u"incoming_hash"_s, cleanTextOrNull(record.incomingHash) },
            { u"caller"_s, cleanTextOrNull(record.caller) },
            { u"at"_s, record.lastAt.micros != 0 ? QJsonValue(record.lastAt.toRfc3339()) : QJsonValue() },
            { u"message"_s, cleanTextOrNull(record.message) }, { u"detail"_s, cleanTextOrNull(record.detail) },
            { u"attributes"_s, jsonOfTexts(record.attributes) } });
    }
    Statement statement { u"SELECT idemdesk.import_conflicts($1::pg_catalog.text, $2::pg_catalog.jsonb)"_s, {} };
    statement.bind(file);
    statement.bind(QString::fromUtf8(QJsonDocument(rows).toJson(QJsonDocument::Compact)));
    const auto row = session.one(statement);
    return row ? Result<qint64>(row->constFirst().text.toLongLong())
               : Result<qint64>(conflictsNeedConsole(row.error()));
}

} // namespace idemdesk::sql
