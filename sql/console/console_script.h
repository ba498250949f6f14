// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace idemdesk::sql {

/// One numbered migration: its file is `001_tables.sql`.
struct Migration {
    int version = 0;
    QString name;
    QString sql;
};

/// All migrations this program brings, in their order.
QList<Migration> consoleMigrations();

/// A text of sql/console by its file name ("prepare.sql").
QString consoleText(const QString &file);

/// The statements of a script, split at the semicolons outside of quotes, dollar quotes and comments; without comments alone.
QStringList scriptStatements(const QString &script);

/// The body of each function as the newest migration that makes it says, by the function's name without its schema. What the
/// catalogue has in pg_proc.prosrc must be the same.
QMap<QString, QString> consoleFunctionBodies();

} // namespace idemdesk::sql
