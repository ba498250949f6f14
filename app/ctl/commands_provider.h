// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"

namespace idemdesk::app {

/// The options of `provider FILE`.
QList<Option> statementOptions();

/// `provider FILE`: compares a provider's statement with the keys, and records what was found where that is asked for.
Exit runStatement(const Context &context);

} // namespace idemdesk::app
