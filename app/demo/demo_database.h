// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QString>
#include <functional>

namespace idemdesk::app {

/// What the demo's cluster holds: roles, tables and their history in one database.
class DemoDatabase
{
public:
    /// folder: of a running cluster; superuser: the role that initdb made.
    DemoDatabase(QString folder, QString superuser);

    /// For the console and for the services: ordinary roles both.
    QString consoleConninfo() const { return conninfo(QStringLiteral("demo"), QStringLiteral("demo_operator")); }
    QString serviceConninfo() const { return conninfo(QStringLiteral("demo"), QStringLiteral("demo_service")); }

    /// Whether a whole load of this version is there, and younger than maximumAgeHours.
    bool loaded(int maximumAgeHours) const;
    /// Makes the database anew; what was in it is gone.
    sql::Result<void> load(const std::function<void(const QString &)> &progress) const;

private:
    QString conninfo(const QString &database, const QString &role) const;

    QString m_folder;
    QString m_superuser;
};

} // namespace idemdesk::app
