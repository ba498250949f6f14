// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/order.h"
#include "sql/session/session.h"

namespace idemdesk::sql {

/// What rows are sorted by: the value of the page's order, or the columns of the identity.
using SortValues = Cells;

/// The sort values of a row in this order.
SortValues sortValues(const ResolvedOrder &order, const KeyRecord &record);

/// The place of each of these among all of them, in the order's own direction and by the server's own comparison; equal
/// ones share a place. For rows of several servers that must be put into one order: how texts compare is known to
/// servers alone.
Result<QList<qint64>> rankValues(Session &session, const ResolvedOrder &order, const QList<SortValues> &values);

} // namespace idemdesk::sql
