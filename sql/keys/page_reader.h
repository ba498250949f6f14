// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/keyset.h"
#include "sql/keys/predicate.h"
#include "sql/keys/row_mapper.h"

namespace idemdesk::sql {

/// One statement of a page: a segment of the order from a cursor on.
struct SegmentRequest {
    ResolvedFilter filter;
    ResolvedOrder order;
    Segment segment = Segment::All;
    Cursor from;
    bool backward = false;
    qint64 limit = 0; ///< rows to fetch; 0: all
    qint64 skip = 0;
    std::optional<Timestamp> now;
};

/// `SELECT columns FROM … WHERE … ORDER BY … LIMIT …` of a segment. Where the identity is not known to be unique, rows
/// that tie with the last one come along.
Result<Statement> segmentStatement(Render &render, const QString &selectList, const SegmentRequest &request);

/// Rows of a page whose plain reading failed on a role's expression: reads the identities, then column by column, and
/// marks the cells that fail. `filtered` is the target that finds the rows: it may read around those on which the filter itself fails.
Result<QList<KeyRecord>> salvageRows(
    Session &session, const Target &target, const Target &filtered, const SegmentRequest &request, const Timestamp &now);

} // namespace idemdesk::sql
