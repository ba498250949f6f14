// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/key_page.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// Rows that match: exact up to `cap`, else AtLeast cap. cap 0 counts to the end, however long it takes.
Result<RowCount> countRows(
    Session &session, const Target &target, const Filter &filter, qint64 cap, std::optional<Timestamp> now);

/// What the filter would cost, from EXPLAIN without running it.
Result<FilterCost> filterCost(Session &session, const Target &target, const Filter &filter, const OrderLabel &order);

} // namespace idemdesk::sql
