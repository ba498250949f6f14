// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "sql/actions/action_gateway.h"

#include <functional>
#include <optional>

namespace idemdesk::app {

/// What a command found to do, which it showed.
struct PlannedAction {
    std::optional<sql::ActionRequest> request = {}; ///< nothing: there is nothing to do, or it could not be told
    Exit exit = Exit::Done; ///< without a request how it ends; else how it ends where all went well
    std::optional<sql::ActionRecord> undone = {}; ///< instead of a request: it is to be taken back
    bool freesCached = false; ///< it frees keys of a table with a cache, whose entries may still hold retries off
};
using PlanAction = std::function<PlannedAction(const Context &)>;

/// --group and what goes with it, of commands that act.
QList<Option> groupActionOptions();

/// Asks a person on the terminal after saying what is to be done (sums; empty: it was said); --yes answers beforehand.
/// Refused without a "yes". todo: how to go on then.
sql::Result<void> confirmedOverGroup(const Context &context, const QString &sums, const QString &todo = {});

/// Plans an action in each member of --group, shows the plans, asks once, and runs them at the same time: each by the
/// member's own rights, limits and trail, with one reason, one ticket and one id that all of them record. A member that
/// fails leaves the others as they are. With --dry-run it ends with the plans. takenBack: the id of the action over the
/// group that is undone, if one is.
Exit runGroupAction(const Context &context, const PlanAction &plan, const QString &takenBack = {});

} // namespace idemdesk::app
