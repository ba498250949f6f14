// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "sql/types/action.h"

namespace idemdesk::app {

/// What another person decides on: an action with the target that it is about, where that is still registered.
struct Decision {
    sql::ActionRecord action;
    std::optional<sql::RegisteredTarget> target;

    QJsonObject plan() const;
    /// What the server runs for this verb, as it was compiled.
    QJsonValue compiled() const;
};

Decision decisionOn(const sql::ActionRecord &action, const QList<sql::RegisteredTarget> &targets);
/// The action with its plan, its limit and, under --verbose, what the server runs.
QJsonObject decisionJson(const Decision &decision);
void printDecision(const Decision &decision);

} // namespace idemdesk::app
