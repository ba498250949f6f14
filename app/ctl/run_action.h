// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "models/actions/action_runner.h"

namespace idemdesk::app {

/// Runs an action to its end with progress on stderr; Ctrl-C cancels it, a second one leaves at once. Runs the event
/// loop.
Exit runAction(const Context &context, const std::function<void(models::ActionRunner &)> &begin);

QJsonObject jsonOf(const sql::ActionRecord &action);

} // namespace idemdesk::app
