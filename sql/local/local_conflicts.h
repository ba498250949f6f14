// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/conflict.h"
#include "sql/types/local_place.h"
#include "sql/types/result.h"

#include <memory>

namespace idemdesk::sql {

class PrivateDatabase;

/// Conflicts imported where the database has no console schema, kept in a file of this user (SQLite through Qt SQL), at
/// most a million. Open it on the thread that uses it.
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
    LocalConflicts(QString server, std::unique_ptr<PrivateDatabase> database);

    QString m_server;
    std::unique_ptr<PrivateDatabase> m_database;
};

} // namespace idemdesk::sql
