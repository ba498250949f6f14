// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QString>
#include <QStringList>
#include <memory>

namespace idemdesk::sql {
class Session;
}

namespace idemdesk::app {

/// The logins under which the demo's console is set up and shown.
struct DemoLogins {
    QString superuser; ///< conninfo of the role that initdb made
    QString admin; ///< of demo_admin, who registers targets
    QString person; ///< of demo_operator, who looks and acts
    bool cached = false; ///< a Redis may stand in front of the database (DemoCache)
};

/// The console's schema in the demo's database. Every function blocks; all on one thread, in the order of their
/// declaration.
class DemoConsole
{
public:
    explicit DemoConsole(DemoLogins logins);
    ~DemoConsole();

    /// The schema, and the roles of the demo's logins.
    sql::Result<void> install();
    /// Registers every shipped profile whose table is there, with the grants that registration asks of a table's owner,
    /// and takes a first sample of each. schemas: made since the last call.
    sql::Result<void> registerTables(const QStringList &schemas);
    /// A first few actions in the trail, a month of samples made up from the first ones, and the log of a service.
    sql::Result<void> addPast();

private:
    DemoLogins m_logins;
    std::unique_ptr<sql::Session> m_owner;
    std::unique_ptr<sql::Session> m_admin;
    std::unique_ptr<sql::Session> m_person;
};

} // namespace idemdesk::app
