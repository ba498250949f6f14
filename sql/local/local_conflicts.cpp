// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/local/local_conflicts.h"

#include "sql/local/private_database.h"
#include "sql/types/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QStandardPaths>
#include <atomic>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kMost = 1'000'000;

} // namespace

QString LocalConflicts::defaultPath() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/conflicts.sqlite"_s; }

LocalConflicts::LocalConflicts(QString server, QString connection)
    : m_server(std::move(server))
    , m_connection(std::move(connection))
{
}

LocalConflicts::~LocalConflicts()
{
    QSqlDatabase::database(m_connection, false).close();
    QSqlDatabase::removeDatabase(m_connection);
}

Error LocalConflicts::failure(const QString &what, const QSqlError &cause) const
{
    Error error;
    error.kind = ErrorKind::File;
    error.what = what;
    error.why = QDir::toNativeSeparators(QSqlDatabase::database(m_connection, false).databaseName());
    error.detail = cause.text();
    error.todo = Tr::tr("See whether the file may be written and the disk has room. If it is damaged, move it away; a new one is made.");
    return error;
}

Result<std::unique_ptr<LocalConflicts>> LocalConflicts::open(const LocalPlace &place)
{
    static std::atomic<quint64> number { 0 };
    const QString name = u"idemdesk-conflicts-%1"_s.arg(++number);
    std::unique_ptr<LocalConflicts> conflicts(new LocalConflicts(place.server, name));
    if (const QString why = makePrivateDatabase(place.file); !why.isEmpty()) {
        return makeError(ErrorKind::File, Tr::tr("The conflicts kept on this computer cannot be opened."),
            Tr::tr("%1: %2").arg(QDir::toNativeSeparators(place.file), why),
            Tr::tr("See whether the file may be written and the disk has room. If it is damaged, move it away; a new "
                   "one is made."));
    }
    QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, name);
    database.setDatabaseName(place.file);
    database.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=2000"_s);
    const QString what = Tr::tr("The conflicts kept on this computer cannot be opened.");
    if (!database.open()) {
        const Error error = conflicts->failure(what, database.lastError());
        database = {};
        return error;
    }
    QSqlQuery query(database);
    for (const char16_t *statement : { u"PRAGMA journal_mode = WAL",
             u"CREATE TABLE IF NOT EXISTS conflict (server TEXT NOT NULL, id BLOB NOT NULL, kind TEXT, target TEXT, scope TEXT, key TEXT, key_hash TEXT, existing_hash TEXT, incoming_hash TEXT, "
             u"caller TEXT, at INTEGER NOT NULL, message TEXT, detail TEXT, file TEXT, PRIMARY KEY (server, id)) WITHOUT ROWID",
             u"CREATE INDEX IF NOT EXISTS conflict_by_class_and_time ON conflict (server, (kind = 'replay'), at DESC, id)" }) {
        if (!query.exec(QString::fromUtf16(statement))) {
            return conflicts->failure(what, query.lastError());
        }
    }
    return conflicts;
}

Result<qint64> LocalConflicts::store(const QString &file, const QList<ConflictRecord> &records)
{
    QSqlDatabase database = QSqlDatabase::database(m_connection, false);
    const QString what = Tr::tr("What the log told could not be kept on this computer.");
    if (!database.transaction()) {
        return failure(what, database.lastError());
    }
    QSqlQuery query(database);
    query.prepare(u"INSERT OR IGNORE INTO conflict (server, id, kind, target, scope, key, key_hash, existing_hash, incoming_hash, caller, at, message, detail, file) "
                  "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"_s);
    qint64 stored = 0;
    for (const ConflictRecord &record : records) {
        const QVariant values[] = { m_server, record.id, record.kind, record.target, record.scope, record.key ? QVariant(*record.key) : QVariant(), record.keyHash, record.existingHash,
            record.incomingHash, record.caller, record.lastAt.micros, record.message.left(4'000), record.detail.left(4'000), file };
        for (const QVariant &value : values) {
            query.addBindValue(value);
        }
        if (!query.exec()) {
            const Error error = failure(what, query.lastError());
            database.rollback();
            return error;
        }
        stored += query.numRowsAffected();
    }
    // Replays are many where a service works well: they must not push out conflicts.
    for (const bool replay : { false, true }) {
        query.prepare(u"DELETE FROM conflict WHERE server = ? AND id IN (SELECT id FROM conflict WHERE server = ? AND (kind = 'replay') = ? ORDER BY at DESC LIMIT -1 OFFSET ?)"_s);
        for (const QVariant &value : { QVariant(m_server), QVariant(m_server), QVariant(replay), QVariant(kMost) }) {
            query.addBindValue(value);
        }
        if (!query.exec()) {
            const Error error = failure(what, query.lastError());
            database.rollback();
            return error;
        }
    }
    if (!database.commit()) {
        const Error error = failure(what, database.lastError());
        database.rollback();
        return error;
    }
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
    add(u"(kind = 'replay') = ?"_s, { filter.kind == kReplayKind });
    if (!filter.kind.isEmpty()) {
        add(u"kind = ?"_s, { filter.kind });
    }
    if (filter.after) {
        add(u"(at < ? OR at = ? AND id > ?)"_s, { filter.after->lastAt.micros, filter.after->lastAt.micros, filter.after->id });
    }
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.setForwardOnly(true);
    query.prepare(u"SELECT id, kind, target, scope, key, key_hash, existing_hash, incoming_hash, caller, at, message, detail, file FROM conflict WHERE "_s + where.join(u" AND "_s)
        + u" ORDER BY at DESC, id LIMIT "_s + QString::number(filter.limit + 1));
    for (const QVariant &value : std::as_const(binds)) {
        query.addBindValue(value);
    }
    if (!query.exec()) {
        return failure(Tr::tr("The conflicts kept on this computer cannot be read."), query.lastError());
    }
    ConflictPage page;
    while (query.next()) {
        if (page.rows.size() == filter.limit) {
            page.more = true;
            break;
        }
        ConflictRecord record;
        record.id = query.value(0).toByteArray();
        record.kind = query.value(1).toString();
        record.fromLog = true;
        record.target = query.value(2).toString();
        record.scope = query.value(3).toString();
        record.key = query.value(4).isNull() ? std::nullopt : std::optional(query.value(4).toString());
        record.keyHash = query.value(5).toString();
        record.existingHash = query.value(6).toString();
        record.incomingHash = query.value(7).toString();
        record.caller = query.value(8).toString();
        record.lastAt = { Timestamp::Kind::Finite, query.value(9).toLongLong() };
        record.firstAt = record.lastAt;
        record.message = query.value(10).toString();
        record.detail = query.value(11).toString();
        record.file = query.value(12).toString();
        page.rows += record;
    }
    return page;
}

} // namespace idemdesk::sql
