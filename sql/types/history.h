// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"
#include "sql/types/timestamp.h"

#include <QList>
#include <QMap>
#include <optional>

namespace idemdesk::sql {

/// Values of buckets that follow each other; nothing is a gap, never a zero.
using HistoryValues = QList<std::optional<double>>;

/// One metric of one scope: its last hour beside the same hour of the days before.
struct ScopeHistory {
    QString metric;
    Cells scope; ///< by the profile's scope; empty where all rows are one
    bool other = false; ///< all scopes beyond the largest together
    HistoryValues hour; ///< twelve times five minutes, all of them full
    HistoryValues before; ///< the whole hour on each of the last seven days, yesterday first
};

/// What is known of one table of the last day.
struct TableHistory {
    static constexpr int kSlots = 12;
    static constexpr qint64 kSlotSeconds = 300;
    static constexpr int kDays = 7;

    Timestamp hourBegan; ///< of ScopeHistory::hour
    QMap<QString, HistoryValues> day; ///< by metric: hours, all scopes together; the last one is still filling
    QList<ScopeHistory> scopes;
    QMap<QString, QString> missing; ///< by metric: why nothing is known of it. Neither here nor there: it has none
    QString notCompared; ///< why `scopes` could not be read; empty where they were, or where there are none
    bool partly = false; ///< not every row could be looked at
};

} // namespace idemdesk::sql
