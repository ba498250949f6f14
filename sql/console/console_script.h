// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace idemdesk::sql {

/// What leads a schema from the version before to this one: a file of upgrades/, `002_what_it_brings.sql`.
struct ConsoleUpgrade {
    int version = 0;
    QString name;
    QString sql;
};

/// What a program installs: the schema as it is today, and the upgrades that lead each older one to the same.
struct ConsoleSchema {
    QString whole; ///< the files of schema/, one for each subject, in their order
    QList<ConsoleUpgrade> upgrades;
    /// The first release is version 1; each upgrade makes the next.
    int version() const { return upgrades.isEmpty() ? 1 : upgrades.constLast().version; }
};

/// The schema of this program.
const ConsoleSchema &consoleSchema();

/// A text of sql/console by its file name ("prepare.sql").
QString consoleText(const QString &file);

/// The statements of a script, split at the semicolons outside of quotes, dollar quotes and comments; without comments
/// alone.
QStringList scriptStatements(const QString &script);

/// The body of each function by its name without the schema. What the catalogue has in pg_proc.prosrc must be the same.
QMap<QString, QString> consoleFunctionBodies(const ConsoleSchema &schema = consoleSchema());

/// The body of the function that each runner owns (idemdesk._run_…): it is made per owner of tables, after the
/// installation.
QString trampolineBody(const ConsoleSchema &schema = consoleSchema());

} // namespace idemdesk::sql
