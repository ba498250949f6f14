// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/conflict.h"

namespace idemdesk::models {

/// "Key used again", "Unique violation", …
QString conflictKindLabel(const QString &kind);

/// One sentence about what happened and how sure that is.
QString conflictSentence(const sql::ConflictRecord &record);

} // namespace idemdesk::models
