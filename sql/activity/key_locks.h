// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/key_lock.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// Who holds or awaits the row of this identity and, where the profile names one, the advisory lock of its key
/// (`advisory_lock`, DESIGN 3; seeds 000 4.1 and 001 13). At most 100 of each. Fails only where the connection does.
Result<KeyLocks> readKeyLocks(Session &session, const Target &target, const Cells &identity);

} // namespace idemdesk::sql
