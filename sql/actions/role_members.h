// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/console_role.h"
#include "sql/types/result.h"

namespace idemdesk::sql {

class Session;

Result<ConsoleMembers> readConsoleMembers(Session &session);
/// Gives a login one of the console's roles, or takes it. The server decides who may.
Result<void> changeMembership(Session &session, bool grant, ConsoleRole role, const QString &login);

} // namespace idemdesk::sql
