// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "sql/types/connection_group.h"

namespace idemdesk::app {

/// --group and what belongs to it: for commands that look into several databases.
Option groupOption();
/// The group that --group names.
sql::Result<sql::ConnectionGroup> groupOf(const Context &context);
/// Where a member leads, with what the command line says of passwords.
sql::ConnectionSettings memberSettings(const Context &context, const sql::GroupMember &member);

} // namespace idemdesk::app
