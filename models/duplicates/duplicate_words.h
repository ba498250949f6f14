// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/duplicate.h"

namespace idemdesk::models {

/// "Same result", "Several effects", …
QString duplicateReasonLabel(sql::DuplicateReason reason);

/// Why these keys look like one intent, and what their states make of it, in whole sentences. Safe to show on one line.
QString duplicateWhy(const sql::DuplicateGroup &group);

/// The group's scope as one text, "–" for NULL; "all" where scopes were searched together and the table has some.
QString duplicateScope(const sql::DuplicateGroup &group);

} // namespace idemdesk::models
