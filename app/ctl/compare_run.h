// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "models/regions/region_compare.h"
#include "sql/types/action.h"
#include "sql/types/connection_group.h"

namespace idemdesk::app {

/// What one side has registered for the table; without `registered` it is good for reading only.
struct SideTarget {
    std::optional<sql::RegisteredTarget> registered;
    sql::CompiledTarget compiled;
};

/// --group, --between, --target, --json, --filter and --settle.
QList<Option> compareOptions();
/// The two members that --between names, or all there are.
sql::Result<std::array<sql::GroupMember, 2>> sidesOf(const Context &context, const sql::ConnectionGroup &group);
/// Compares the table of --target in both, with progress on stderr. opened: takes what each side has registered; may be
/// null. Runs the event loop.
sql::Result<models::CompareOutcome> compared(
    const Context &context, const std::array<sql::GroupMember, 2> &members, std::array<SideTarget, 2> *opened);

} // namespace idemdesk::app
