// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::models {

/// A word of a command that is to be pasted into a shell: "ord-17" as it is, 'two words' in quotes.
QString shellWord(const QString &text);

} // namespace idemdesk::models
