// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"

namespace idemdesk::app {

/// `keys --group`: one page over all members of a group, each row with the member that holds it.
Exit runGroupKeys(const Context &context);

} // namespace idemdesk::app
