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

/// The console's schema in the demo's database. Every function blocks; all of one object on one thread, in the order of
/// their declaration.
class DemoConsole
{
public:
    explicit DemoConsole(DemoLogins logins);
    ~DemoConsole();

    /// The schema, the roles of the demo's logins, and the role that runs what tables make it run. Once; by whichever
    /// object.
    sql::Result<void> install();
    /// The partitions that the samples and reports of the past need, before two objects fill them.
    sql::Result<void> makeSpans();
    /// Registers every shipped profile whose table is in these schemas, with the grants that registration asks of a
    /// table's owner, and takes a first sample of each. Another object may register other schemas at the same time.
    sql::Result<void> registerTables(const QStringList &schemas);
    /// A month of samples of these tables, made up from the first ones.
    sql::Result<void> addSamples(const QStringList &schemas);
    /// Of the shop: a first few actions in the trail, what its services reported, and the log of one.
    sql::Result<void> addPast();

private:
    DemoLogins m_logins;
    std::unique_ptr<sql::Session> m_owner;
    std::unique_ptr<sql::Session> m_admin;
    std::unique_ptr<sql::Session> m_person;
};

} // namespace idemdesk::app
