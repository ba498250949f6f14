// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/local/private_database.h"

#include "sql/types/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Makes the file where it is not there, and sees to it that only its owner may read it; SQLite gives the files that it
/// makes beside it the same mode. Empty, or why it failed.
QString makePrivate(const QString &path)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
    const int handle = ::open(
        QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, kOwnerOnly);
    if (handle < 0) {
        return errno == ELOOP ? Tr::tr("A link stands there, and links are not followed.") : qt_error_string(errno);
    }
    struct stat info {
    };
    const bool good = ::fstat(handle, &info) == 0 && S_ISREG(info.st_mode) && ::fchmod(handle, kOwnerOnly) == 0;
    const QString why = good ? QString() : S_ISREG(info.st_mode) ? qt_error_string(errno) : Tr::tr("It is not a file.");
    ::close(handle);
    return why;
}

Error fileError(const QString &what, const QString &why)
{
    return makeError(ErrorKind::File, what, why,
        Tr::tr("See whether the file may be written and the disk has room. If it is damaged, move it away; a new one "
               "is made."));
}

bool executed(QSqlQuery *query, const QVariantList &values)
{
    for (const QVariant &value : values) {
        query->addBindValue(value);
    }
    return query->exec();
}

} // namespace

QString PrivateDatabase::pathOf(const QString &fileName)
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u'/' + fileName;
}

PrivateDatabase::PrivateDatabase(QString connection)
    : m_connection(std::move(connection))
{
}

PrivateDatabase::~PrivateDatabase()
{
    QSqlDatabase::database(m_connection, false).close();
    QSqlDatabase::removeDatabase(m_connection);
}

Result<std::unique_ptr<PrivateDatabase>> PrivateDatabase::open(
    const QString &path, const QString &cannotOpen, const QStringList &statements)
{
    static std::atomic<quint64> number { 0 };
    if (const QString why = makePrivate(path); !why.isEmpty()) {
        return fileError(cannotOpen, Tr::tr("%1: %2").arg(QDir::toNativeSeparators(path), why));
    }
    std::unique_ptr<PrivateDatabase> opened(new PrivateDatabase(u"idemdesk-local-%1"_s.arg(++number)));
    QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, opened->m_connection);
    database.setDatabaseName(path);
    database.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=2000"_s); // milliseconds
    if (!database.open()) {
        return opened->failure(cannotOpen, database.lastError());
    }
    QSqlQuery query(database);
    for (const QString &statement : statements) {
        if (!query.exec(statement)) {
            return opened->failure(cannotOpen, query.lastError());
        }
    }
    return opened;
}

Error PrivateDatabase::failure(const QString &what, const QSqlError &cause) const
{
    const QSqlDatabase database = QSqlDatabase::database(m_connection, false);
    Error error = fileError(what, QDir::toNativeSeparators(database.databaseName()));
    error.detail = cause.text();
    return error;
}

Result<void> PrivateDatabase::each(const QString &what, const QString &sql, const QVariantList &values,
    const std::function<bool(const QSqlQuery &)> &onRow) const
{
    QSqlQuery query = prepared(sql);
    if (!executed(&query, values)) {
        return failure(what, query.lastError());
    }
    while (query.next()) {
        if (!onRow(query)) {
            return {};
        }
    }
    return query.lastError().isValid() ? Result<void>(failure(what, query.lastError())) : Result<void>();
}

QSqlQuery PrivateDatabase::prepared(const QString &sql) const
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.setForwardOnly(true);
    query.prepare(sql); // a failure shows when it is run
    return query;
}

Result<qint64> PrivateDatabase::run(const QString &what, QSqlQuery *statement, const QVariantList &values) const
{
    return executed(statement, values) ? Result<qint64>(statement->numRowsAffected())
                                       : Result<qint64>(failure(what, statement->lastError()));
}

Result<qint64> PrivateDatabase::run(const QString &what, const QString &sql, const QVariantList &values) const
{
    QSqlQuery query = prepared(sql);
    return run(what, &query, values);
}

Result<void> PrivateDatabase::inTransaction(const QString &what, const std::function<Result<void>()> &work) const
{
    QSqlDatabase database = QSqlDatabase::database(m_connection, false);
    if (!database.transaction()) {
        return failure(what, database.lastError());
    }
    auto done = work();
    if (done && !database.commit()) {
        done = failure(what, database.lastError());
    }
    if (!done) {
        database.rollback();
    }
    return done;
}

} // namespace idemdesk::sql
