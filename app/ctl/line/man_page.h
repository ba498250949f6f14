// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/line/command.h"

namespace idemdesk::app {

/// idemdeskctl(1) in roff: every command with its options and examples, from the table; then filter text, metrics, exit
/// statuses, environment and files.
QString manPage(const QList<Command> &commands);

} // namespace idemdesk::app
