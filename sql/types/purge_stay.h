// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"

namespace idemdesk::sql {

/// Rows of one scope that a purge leaves, by why. Fractions where they are reckoned from a sample.
struct StayingScope {
    Cells scope;
    double kept = 0; ///< finished, and within their retention
    double unfinished = 0; ///< pending or in progress, however old
    double others = 0; ///< in a state that the purge does not take

    double rows() const { return kept + unfinished + others; }
};

/// What a purge that runs took of a scope so far.
struct PurgedScope {
    Cells scope;
    qint64 rows = 0;
};

struct PurgeStay {
    QList<StayingScope> scopes; ///< most rows first, not all of them where there are very many
    StayingScope rest; ///< the rows of those that are not named, together
    double share = 1; ///< of the table that was looked at; 1: every row

    bool exact() const { return share >= 1; }
    bool cut() const { return rest.rows() > 0; }
};

} // namespace idemdesk::sql
