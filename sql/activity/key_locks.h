// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/key_lock.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// SQL: whether l, a row of pg_locks, is the advisory lock that the profile's expression names for the row t. A number
/// is that of pg_advisory_lock(bigint), whose halves pg_locks shows apart; an array of two that of
/// pg_advisory_lock(int, int).
QString isAdvisoryLock(const QString &expression);

/// Who holds or awaits the row of this identity and, where the profile names one, the advisory lock of its key
/// (`advisory_lock`, DESIGN 3; seeds 000 4.1 and 001 13). At most 100 of each. Fails only where the connection does.
Result<KeyLocks> readKeyLocks(Session &session, const Target &target, const Cells &identity);

} // namespace idemdesk::sql
