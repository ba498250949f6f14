// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_page.h"

namespace idemdesk::sql {

/// One scope's keys by state.
struct ScopeCounts {
    Cells scope; ///< by profile.scope
    QMap<KeyState, RowCount> states;
    RowCount stale; ///< Unknown where the profile cannot say
    RowCount expired;
    std::optional<Timestamp> oldestStale; ///< the time its staleness is counted from
};

struct ScopePage {
    QList<ScopeCounts> scopes;
    bool more = false;
    Cells next; ///< scope to continue after
    Timestamp now;
    qint64 tookMicros = 0;
    QStringList notes; ///< what could not be read, and what that means
    bool partly = false; ///< not every row could be looked at, so that the counts may be too small
};

/// One target at a glance.
struct TargetSummary {
    RowCount rows;
    qint64 bytes = -1;
    QMap<KeyState, RowCount> states;
    RowCount stale;
    std::optional<Timestamp> oldestStale;
    RowCount expired;
    Timestamp now;
    qint64 tookMicros = 0;
    QStringList notes; ///< what could not be read, and what that means
};

} // namespace idemdesk::sql
