// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/console/console_script.h"
#include "sql/session/session.h"
#include "sql/types/action.h"

#include <optional>

namespace idemdesk::sql {

// The console's own schema (DESIGN 4). Everything runs on the calling thread through one Session.

/// The version that this program installs.
int newestConsoleVersion();

/// What is installed, what this login may do, and the health of the guard: findings of the server, and each function
/// whose body differs from the one this program would install. No schema is no error: installedVersion is 0.
Result<ConsoleStatus> readConsoleStatus(Session &session, const ConsoleSchema &schema = consoleSchema());

/// Why this program leaves an installed schema alone, whatever it is asked for: it cannot read it, a pre-release made
/// it, or a newer program did.
std::optional<Error> consoleRefusal(const ConsoleStatus &status);

/// The script that brings a database from `installed` (0: nothing) to this program's version, for a DBA to read and
/// run.
QString consoleScript(int installed);

/// Installs or upgrades in one transaction; gives the version now installed. The newest version is left alone. Refuses
/// what consoleRefusal() names, and to upgrade a schema whose guard is not whole. The session must not be read-only,
/// and its login needs CREATEROLE and CREATE on the database.
Result<int> installConsole(Session &session, const ConsoleSchema &schema = consoleSchema());

/// Whether the console's tables are others than those that were installed, as after a dump was restored; false where
/// there are none, or where this login may not look.
Result<bool> consoleIsRestored(Session &session);

/// Puts back functions and triggers of the installed version that somebody changed, in one transaction, and writes to
/// the trail what was found; gives the functions' names. What it cannot put back (grants, members, owners, other
/// tables) makes it refuse.
Result<QStringList> repairConsole(Session &session);

/// Removes the console from this database. The trail (audit, action, items) stays unless `auditToo`:
/// its schema gets another name (idemdesk_trail_ and the time), so that the console can be installed again. Roles
/// belong to the cluster and stay.
Result<void> uninstallConsole(Session &session, bool auditToo);

} // namespace idemdesk::sql
