// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "models/actions/decision.h"

namespace idemdesk::app {

/// The action with its plan, its limit and, under --verbose, what the server runs.
QJsonObject decisionJson(const models::Decision &decision);
void printDecision(const models::Decision &decision);

} // namespace idemdesk::app
