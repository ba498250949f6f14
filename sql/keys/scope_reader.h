// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/overview.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// Scopes in their own order with bounded counts by state, a page after `after` (empty: from the beginning).
Result<ScopePage> readScopes(Session &session, const Target &target, const Cells &after, int limit, qint64 cap);

} // namespace idemdesk::sql
