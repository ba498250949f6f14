// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/duplicate.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// Intents that look repeated under different keys: same fingerprint, or same result. One pass over the keys that began in the span, for
/// each of the two; cancellable. Reads only.
Result<DuplicateAnswer> findDuplicates(Session &session, const Target &target, const DuplicateRequest &request);

} // namespace idemdesk::sql
