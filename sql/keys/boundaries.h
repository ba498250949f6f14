// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/key_page.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// One pass over the order that keeps a cursor every `step` rows.
Result<Boundaries> readBoundaries(Session &session, const Target &target, const Filter &filter, const OrderLabel &order,
    qint64 step, std::optional<Timestamp> now);

/// The place in a time order just before `time`. "" is the default order of the empty filter.
Result<Cursor> cursorAtTime(const Target &target, const OrderLabel &order, const Timestamp &time);

} // namespace idemdesk::sql
