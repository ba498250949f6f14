// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QString>

namespace idemdesk::app {

class DemoConsole;
class DemoPlan;

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
    /// Numbers of a load's steps in their plan.
    struct Steps {
        int shop = 0;
        int others = 0;
        int console = 0;
        int othersRegistered = 0;
        int shopRegistered = 0;
    };
    static Steps addSteps(DemoPlan &plan);
    /// Makes the database anew; what was in it is gone. The shop, half of the work, is made on a second thread.
    sql::Result<void> load(DemoPlan &plan, const Steps &steps) const;

private:
    sql::Result<void> makeDatabase() const;
    sql::Result<void> makeShop(DemoPlan &plan, const Steps &steps) const;
    /// Once the console is there.
    sql::Result<void> registerShop(DemoPlan &plan, const Steps &steps) const;
    /// All but the shop.
    sql::Result<void> makeOthers(DemoPlan &plan, const Steps &steps) const;
    sql::Result<void> installConsole(DemoPlan &plan, const Steps &steps) const;
    sql::Result<void> registerOthers(DemoPlan &plan, const Steps &steps) const;
    DemoConsole console() const;
    QString conninfo(const QString &database, const QString &role) const;

    QString m_folder;
    QString m_superuser;
};

} // namespace idemdesk::app
