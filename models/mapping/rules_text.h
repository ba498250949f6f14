// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"
#include "sql/types/result.h"

namespace idemdesk::models {

/// When a profile calls a key stuck, what may be purged, what actions do and what they compare first: as one JSON
/// object, written as profiles are.
QString rulesText(const sql::Profile &profile);

/// The profile with the rules of this text in place of its own; a part that is not there is taken out. An error says
/// what is wrong where. Nothing is run.
sql::Result<sql::Profile> withRules(const sql::Profile &profile, const QString &text);

/// The same in sentences, one a rule; what has no rule is said, too.
QStringList ruleSentences(const sql::Profile &profile);

} // namespace idemdesk::models
