// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/overview.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// The whole target at a glance, with bounded counts.
Result<TargetSummary> readSummary(Session &session, const Target &target, qint64 cap);

} // namespace idemdesk::sql
