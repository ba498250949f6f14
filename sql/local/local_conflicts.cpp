// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/local/local_conflicts.h"

#include "sql/json/json_texts.h"
#include "sql/local/private_database.h"
#include "sql/types/tr.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kMost = 1'000'000;
constexpr int kMostText = 4'000; ///< characters of a message or detail

const QString kImportedTable
    = u"CREATE TABLE IF NOT EXISTS conflict (server TEXT NOT NULL, id BLOB NOT NULL, kind TEXT, target TEXT, "
      "scope TEXT, key TEXT, key_hash TEXT, existing_hash TEXT, incoming_hash TEXT, caller TEXT, at INTEGER NOT NULL, "
      "message TEXT, detail TEXT, file TEXT, attributes TEXT, PRIMARY KEY (server, id)) WITHOUT ROWID"_s;
const QString kImportedIndex
    = u"CREATE INDEX IF NOT EXISTS conflict_by_class_and_time ON conflict (server, (kind = 'replay'), at DESC, id)"_s;

ConflictRecord recordOf(const QSqlQuery &row)
{
    ConflictRecord record;
    record.id = row.value(0).toByteArray();
    record.kind = row.value(1).toString();
    record.fromLog = true;
    record.target = row.value(2).toString();
    record.scope = row.value(3).toString();
    record.key = row.value(4).isNull() ? std::nullopt : std::optional(row.value(4).toString());
    record.keyHash = row.value(5).toString();
    record.existingHash = row.value(6).toString();
    record.incomingHash = row.value(7).toString();
    record.caller = row.value(8).toString();
    record.lastAt = { Timestamp::Kind::Finite, row.value(9).toLongLong() };
    record.firstAt = record.lastAt;
    record.message = row.value(10).toString();
    record.detail = row.value(11).toString();
    record.file = row.value(12).toString();
    record.attributes = textsOfJson(row.value(13).toByteArray());
    return record;
}

/// A file of before has no column for them.
Result<void> addAttributes(const PrivateDatabase &database)
{
    const QString what = Tr::tr("The conflicts kept on this computer cannot be opened.");
    bool there = false;
    TRY(database.each(what, u"SELECT 1 FROM pragma_table_info('conflict') WHERE name = 'attributes'"_s, {},
        [&there](const QSqlQuery &) { return !(there = true); }));
    if (!there) {
        TRY(database.run(what, u"ALTER TABLE conflict ADD COLUMN attributes TEXT"_s, {}));
    }
    return {};
}

} // namespace

QString LocalConflicts::defaultPath()
{
    return PrivateDatabase::pathOf(u"conflicts.sqlite"_s);
}

LocalConflicts::LocalConflicts(QString server, std::unique_ptr<PrivateDatabase> database)
    : m_server(std::move(server))
    , m_database(std::move(database))
{
}

LocalConflicts::~LocalConflicts() = default;

Result<std::unique_ptr<LocalConflicts>> LocalConflicts::open(const LocalPlace &place)
{
    TRY(auto database,
        PrivateDatabase::open(place.file, Tr::tr("The conflicts kept on this computer cannot be opened."),
            { u"PRAGMA journal_mode = WAL"_s, kImportedTable, kImportedIndex }));
    TRY(addAttributes(*database));
    return std::unique_ptr<LocalConflicts>(new LocalConflicts(place.server, std::move(database)));
}

Result<qint64> LocalConflicts::store(const QString &file, const QList<ConflictRecord> &records)
{
    const QString what = Tr::tr("What the log told could not be kept on this computer.");
    qint64 stored = 0;
    TRY(m_database->inTransaction(what, [&]() -> Result<void> {
        QSqlQuery insert = m_database->prepared(
            u"INSERT OR IGNORE INTO conflict (server, id, kind, target, scope, key, key_hash, existing_hash, "
            "incoming_hash, caller, at, message, detail, file, attributes) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"_s);
        for (const ConflictRecord &record : records) {
            TRY(const qint64 rows,
                m_database->run(what, &insert,
                    { m_server, record.id, record.kind, record.target, record.scope,
                        record.key ? QVariant(*record.key) : QVariant(), record.keyHash, record.existingHash,
                        record.incomingHash, record.caller, record.lastAt.micros, record.message.left(kMostText),
                        record.detail.left(kMostText), file,
                        QString::fromUtf8(
                            QJsonDocument(jsonOfTexts(record.attributes)).toJson(QJsonDocument::Compact)) }));
            stored += rows;
        }
        // Replays are many where a service works well: they must not push out conflicts.
        for (const bool replay : { false, true }) {
            TRY(m_database->run(what,
                u"DELETE FROM conflict WHERE server = ? AND id IN (SELECT id FROM conflict WHERE server = ? "
                "AND (kind = 'replay') = ? ORDER BY at DESC LIMIT -1 OFFSET ?)"_s,
                { m_server, m_server, replay, kMost }));
        }
        return {};
    }));
    return stored;
}

Result<ConflictPage> LocalConflicts::page(const ConflictFilter &filter)
{
    QStringList where { u"server = ?"_s };
    QVariantList binds { m_server };
    const auto add = [&](const QString &condition, const QVariantList &values) {
        where += condition;
        binds += values;
    };
    if (filter.since) {
        add(u"at >= ?"_s, { filter.since->micros });
    }
    if (!filter.key.isEmpty()) {
        add(u"key = ?"_s, { filter.key });
    }
    if (!filter.attribute.isEmpty()) {
        add(u"EXISTS (SELECT 1 FROM json_each(attributes) a WHERE a.value = ?)"_s, { filter.attribute });
    }
    add(u"(kind = 'replay') = ?"_s, { filter.kind == kReplayKind });
    if (!filter.kind.isEmpty()) {
        add(u"kind = ?"_s, { filter.kind });
    }
    if (filter.after) {
        add(u"(at < ? OR at = ? AND id > ?)"_s,
            { filter.after->lastAt.micros, filter.after->lastAt.micros, filter.after->id });
    }
    ConflictPage page;
    TRY(m_database->each(Tr::tr("The conflicts kept on this computer cannot be read."),
        u"SELECT id, kind, target, scope, key, key_hash, existing_hash, incoming_hash, caller, at, message, detail, "
        "file, attributes FROM conflict WHERE "_s
            + where.join(u" AND "_s) + u" ORDER BY at DESC, id LIMIT "_s + QString::number(filter.limit + 1),
        binds, [&](const QSqlQuery &row) {
            page.more = page.rows.size() == filter.limit;
            if (!page.more) {
                page.rows += recordOf(row);
            }
            return !page.more;
        }));
    return page;
}

} // namespace idemdesk::sql
