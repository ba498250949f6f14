// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/keyset.h"
#include "sql/keys/predicate.h"
#include "sql/keys/row_mapper.h"
#include "sql/session/session.h"
#include "sql/types/key_page.h"

namespace idemdesk::sql {

// Runs on the calling thread through one Session and reads only. SQL is rendered from the bound profile: expressions
// come from the profile, names are quoted, values are bound.

/// One page in keyset order. No row is lost or repeated between pages, whatever NULLs, ties and infinities there are.
Result<KeyPage> readPage(Session &session, const Target &target, const PageRequest &request);

/// The statement readPage sends first, for "Copy as SQL", EXPLAIN and the bench.
Result<Statement> pageStatement(const Target &target, const PageRequest &request);

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

/// What of a page could be read cell by cell.
struct SalvagedRows {
    QList<KeyRecord> rows;
    QList<bool> broken; ///< by rows: an expression fails on it
    bool gaveUp = false; ///< too many did; the rest was not tried, and counts as broken
};

/// Rows of a page whose plain reading failed on a role's expression: reads the identities, then column by column, and
/// marks the cells that fail. `filtered` is the target that finds the rows: it may read around those on which the
/// filter itself fails.
Result<SalvagedRows> salvageRows(Session &session, const Target &target, const Target &filtered,
    const SegmentRequest &request, const Timestamp &now);

} // namespace idemdesk::sql
