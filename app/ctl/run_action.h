// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "models/actions/action_runner.h"

namespace idemdesk::app {

/// Runs an action to its end with progress on stderr; Ctrl-C cancels it, a second one leaves at once. Runs the event
/// loop.
Exit runAction(const Context &context, const std::function<void(models::ActionRunner &)> &begin);

/// Where one of several actions of a command runs.
struct ActionPlace {
    sql::ConnectionSettings settings;
    QString member; ///< the label of the member of a group, said before each line; empty: there is only one
    QJsonObject *document = nullptr; ///< takes what would be printed for programs; null: it is printed
};
/// The same there.
Exit runAction(
    const Context &context, const ActionPlace &place, const std::function<void(models::ActionRunner &)> &begin);

QJsonObject jsonOf(const sql::ActionRecord &action);

} // namespace idemdesk::app
