// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/line/command.h"

namespace idemdesk::app {

/// A script that completes commands, their words, options and options' words; for bash, zsh or fish.
/// Anything else gives an empty text.
QString completionScript(const QString &shell, const QList<Command> &commands);

} // namespace idemdesk::app
