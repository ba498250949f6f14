// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariantList>
#include <functional>
#include <memory>

namespace idemdesk::sql {

/// A SQLite database of this user on this computer, open as long as this lives. Only its owner may read the file; a
/// link in its place is not followed.
class PrivateDatabase
{
public:
    /// Where the application's data of this user lies, with this file's name.
    static QString pathOf(const QString &fileName);
    /// Opens the file, made where it is not there, and runs statements that make what is missing in it. cannotOpen: the
    /// sentence for a failure.
    static Result<std::unique_ptr<PrivateDatabase>> open(
        const QString &path, const QString &cannotOpen, const QStringList &statements);
    ~PrivateDatabase();
    PrivateDatabase(const PrivateDatabase &) = delete;
    PrivateDatabase &operator=(const PrivateDatabase &) = delete;

    // "what" is the sentence for a failure: what had been set out to do.

    /// Runs a query, its values in place of the "?", and hands each row on; false from onRow stops reading.
    Result<void> each(const QString &what, const QString &sql, const QVariantList &values,
        const std::function<bool(const QSqlQuery &)> &onRow) const;
    /// A statement to be run several times.
    QSqlQuery prepared(const QString &sql) const;
    /// Runs what is prepared: how many rows it changed.
    Result<qint64> run(const QString &what, QSqlQuery *statement, const QVariantList &values) const;
    Result<qint64> run(const QString &what, const QString &sql, const QVariantList &values) const;
    /// All of the work, or nothing of it.
    Result<void> inTransaction(const QString &what, const std::function<Result<void>()> &work) const;

private:
    explicit PrivateDatabase(QString connection);
    Error failure(const QString &what, const QSqlError &cause) const;

    QString m_connection; ///< name of the QSqlDatabase
};

} // namespace idemdesk::sql
