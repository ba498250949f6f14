// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_record.h"
#include "sql/types/retry.h"

namespace idemdesk::sql {

/// One raw column of a row.
struct ColumnValue {
    QString name;
    QString type; ///< as format_type prints it
    Cell value; ///< partial where it is larger than the limit asked
};

/// What the profile's effect query found for a key.
struct EffectRow {
    QString type;
    bool proves = false;
    Cell id;
    Cell at; ///< timestamptz text in UTC, may be NULL
    Cell state;
};

struct EffectResult {
    QString type;
    bool proves = false;
    QList<EffectRow> rows;
    /// Not empty: the evidence could not be read, not all of it, or it cannot be known; each means needs review.
    QString error;
    bool unproven = false; ///< nothing was found, and this query never found anything here
    bool unlinked = false; ///< nothing was found, and that says nothing: a column that the query looks by is NULL, …
    bool noLink = false; ///< such a column is NULL, and nothing else is against it
    bool blocks = false; ///< nothing was found, and on that the server frees no row: it could not know
    bool checking = false; ///< nothing was found; whether that says something is still being asked
};

/// Everything known of one row.
struct KeyDetail {
    KeyRecord record; ///< with every role, also the large ones (in part)
    QList<ColumnValue> columns; ///< every raw column, in the table's order
    QList<EffectResult> effects;
    Timestamp now;
    std::optional<Timestamp> staleSince; ///< of a stale row whose rule goes by a time
    RetryAnswers retry; ///< what happens if the client retries at `now`
    int rowsOfIntent = 1; ///< rows that share this scope and key (partitions); 1 normally
};

} // namespace idemdesk::sql
