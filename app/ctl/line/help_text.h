// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/line/command.h"

namespace idemdesk::app {

/// Lines of at most `width` characters, broken between words; each after the first begins with `indent` blanks.
QString wrapped(const QString &text, int width, int indent = 0);

/// The list of commands.
QString usageText(const QList<Command> &commands, int width);
/// One command: how to call it, what it does, its options, two examples.
QString helpText(const Command &command, int width);
/// "With undo, resume: ", or nothing where the option always goes.
QString goesWithText(const Option &option);
/// What the exit statuses mean, one line each.
QStringList exitStatusLines();

} // namespace idemdesk::app
