// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/order.h"
#include "sql/keys/render.h"

namespace idemdesk::sql {

/// Rows of an order come in one or two segments: those with a value and those where it is NULL.
enum class Segment { All, Values, Nulls };

/// The segments of the order in reading direction.
QList<Segment> segmentsOf(const ResolvedOrder &order, bool backward);

/// The segment the cursor stands in, and so the first to read; where it stands at the edge, the first of them.
qsizetype firstSegment(const QList<Segment> &segments, const Cursor &cursor);

/// The condition for the rows of this segment that follow the cursor in reading direction; "true" where all do. A
/// cursor in another segment does not restrict this one.
QString afterCursor(Render &render, const ResolvedOrder &order, Segment segment, const Cursor &cursor, bool backward);

/// "ORDER BY …" without the words, in reading direction.
QString sortList(const ResolvedOrder &order, Segment segment, bool backward);

} // namespace idemdesk::sql
