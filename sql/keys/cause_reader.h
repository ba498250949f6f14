// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/cause.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

inline constexpr qint64 kCauseRows = 20'000; ///< failed rows that are looked at, unless asked for otherwise

/// Failed rows, at most so many, grouped by what they say of their failure. Where more rows failed, these are the
/// newest if the planner finds them without sorting a huge table; else any.
Result<CausePage> readCauses(Session &session, const Target &target, qint64 most = kCauseRows);

} // namespace idemdesk::sql
