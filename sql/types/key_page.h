// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/filter.h"
#include "sql/types/key_record.h"

#include <QList>

namespace idemdesk::sql {

/// A place between rows of one order: just after (or, paging back, just before) this row.
struct Cursor {
    Cell orderValue;
    Cells identity; ///< empty: before every row that has orderValue; the beginning (or, paging back, the end) if that
                    ///< is NULL
    bool atEdge() const { return identity.isEmpty() && orderValue.null; }
    friend bool operator==(const Cursor &, const Cursor &) = default;

    /// An opaque text for `--after`, and back; nothing where the text is not such a cursor.
    QString toText() const;
    static std::optional<Cursor> fromText(const QString &text);
};

/// Which order a page follows. "" is the default order: where the filter bounds a time that an index serves, by that
/// time; else the first of profile.orders that an index serves, else the identity. A leading "-" turns it.
using OrderLabel = QString;

struct PageRequest {
    Filter filter;
    OrderLabel order;
    Cursor from;
    bool backward = false; ///< rows before `from`; they still come in the order's own direction
    int limit = 200;
    qint64 skip = 0; ///< rows to pass over after `from`: for jumps between page boundaries
    std::optional<Timestamp> now; ///< $now frozen by an earlier page; nothing takes the server's
    bool salvage = false; ///< a role's expression fails on some rows: read role by role, mark the bad cells
};

struct KeyPage {
    QList<KeyRecord> rows;
    bool more = false; ///< rows follow in the direction asked
    Timestamp now; ///< $now used
    QString order; ///< label used, "identity" for the identity
    qint64 tookMicros = 0; ///< request sent to last row mapped, on the lane
    QStringList notes; ///< sentences to show: rows hidden by row security, prefix search used, …
};

/// How many rows match. Shown as "10,000+" where atLeast, "about 9.8 M" where estimated.
struct RowCount {
    enum class Kind { Unknown, Exact, AtLeast, Estimated };
    Kind kind = Kind::Unknown;
    qint64 rows = 0;
};

/// What running a filter would cost, asked before it runs.
struct FilterCost {
    bool indexServes = false;
    double estimatedRows = 0; ///< rows the plan reads
    bool slow = false; ///< no index, and the table is large: warn first
    QString plan; ///< EXPLAIN text, for Details
};

/// The first row of every n-th page, for far jumps.
struct Boundaries {
    qint64 step = 0; ///< rows between two boundaries
    QList<Cursor> cursors; ///< cursors[i] stands just before row (i + 1) * step
    qint64 rows = 0; ///< rows counted by the scan
};

} // namespace idemdesk::sql
