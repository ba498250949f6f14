// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/line/command.h"
#include "sql/types/result.h"

#include <QHash>

namespace idemdesk::app {

/// What a person wrote, read by the table of commands.
struct CommandLine {
    const Command *command = nullptr;
    bool help = false; ///< what was asked is how to call it
    QHash<QString, QStringList> values; ///< by the option's name; a flag has an empty text
    QStringList positional;
};

/// Reads all that stands after the program's name. Options stand before or after the command; "--" ends them. Every
/// value is checked by what its option takes. The error says what is wrong and, where a word is close, which was meant.
/// An empty line has neither command nor error.
sql::Result<CommandLine> readCommandLine(const QList<Command> &commands, const QStringList &arguments);

/// The one of this name, or nullptr.
const Command *commandNamed(const QList<Command> &commands, const QString &name);
/// "Did you mean …?", or nothing where no word is near.
QString didYouMean(const QString &written, const QStringList &known);

} // namespace idemdesk::app
