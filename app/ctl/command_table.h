// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/line/command.h"

namespace idemdesk::app {

/// Every command, in the order in which help lists them. A new one is written beside the code that runs it and named
/// here.
const QList<Command> &commandTable();

/// How wide help is written: the terminal's width, but no wider than is well read.
int helpWidth();

} // namespace idemdesk::app
