// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"

namespace idemdesk::app {

// `targets`, `targets add`, `targets check` and `targets remove`.

Exit listTargets(const Context &context);
Exit addTarget(const Context &context, const QString &nameOrFile);
Exit checkTarget(const Context &context, const QString &nameOrFile);
Exit removeTarget(const Context &context, const QString &name);

} // namespace idemdesk::app
