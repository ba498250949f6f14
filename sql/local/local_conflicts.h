// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/local/local_samples.h"
#include "sql/types/conflict.h"

namespace idemdesk::sql {

/// Conflicts imported where the database has no console schema, kept in a file of this user (SQLite through Qt SQL), at most a million.
/// Open it on the thread that uses it.
class LocalConflicts
{
public:
    /// The file of this user, in the application's data folder.
    static QString defaultPath();

    static Result<std::unique_ptr<LocalConflicts>> open(const LocalPlace &place);
    ~LocalConflicts();
    LocalConflicts(const LocalConflicts &) = delete;
    LocalConflicts &operator=(const LocalConflicts &) = delete;

    /// As storeConflicts() and readConflicts() do, without a trail.
    Result<qint64> store(const QString &file, const QList<ConflictRecord> &records);
    Result<ConflictPage> page(const ConflictFilter &filter);

private:
    LocalConflicts(QString server, QString connection);
    Error failure(const QString &what, const QSqlError &cause) const;

    QString m_server;
    QString m_connection;
};

} // namespace idemdesk::sql
