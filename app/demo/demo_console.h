// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QString>

namespace idemdesk::app {

/// The logins under which the demo's console is set up and shown.
struct DemoLogins {
    QString superuser; ///< conninfo of the role that initdb made
    QString admin; ///< of demo_admin, who registers targets
    QString person; ///< of demo_operator, who looks and acts
};

/// Installs the console schema in the demo's database, gives its logins their roles, registers every shipped profile whose table
/// is there, with the grants that registration asks of a table's owner, and leaves a first few actions in the trail. Blocks.
sql::Result<void> installDemoConsole(const DemoLogins &logins);

} // namespace idemdesk::app
