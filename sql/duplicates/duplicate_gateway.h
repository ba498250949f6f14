// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/duplicate.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// Intents that look as if they had been carried out more than once, for each reason the profile provides for. One pass
/// over the keys that began in the span for each of them; cancellable. What fails for one reason only is a note. Reads
/// only.
Result<DuplicateAnswer> findDuplicates(Session &session, const Target &target, const DuplicateRequest &request);

} // namespace idemdesk::sql
