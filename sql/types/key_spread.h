// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"
#include "sql/types/profile.h"
#include "sql/types/timestamp.h"

#include <array>

namespace idemdesk::sql {

/// Rows of one place of a spread, and how many of them need a person. Fractions where they are reckoned from a sample.
struct SpreadCount {
    double rows = 0;
    double failed = 0;
    double stuck = 0;

    friend bool operator==(const SpreadCount &, const SpreadCount &) = default;
};

/// The ages at which a spread parts its rows, in seconds: below the first, between two, and from the last on.
inline constexpr std::array<qint64, 5> kSpreadAges { kHour, 6 * kHour, kDay, 7 * kDay, 30 * kDay };

/// One scope's rows by age.
struct SpreadScope {
    Cells scope; ///< by profile.scope
    bool other = false; ///< all the scopes that have no line of their own
    std::array<SpreadCount, kSpreadAges.size() + 1> ages;
    double rows = 0;
};

/// How the rows of a filter lie over time, and over the scopes by their age.
struct KeySpread {
    Role by = Role::CreatedAt; ///< the time that was looked at
    Timestamp now;
    Timestamp since; ///< of the first bucket
    qint64 bucketSeconds = 0;
    QList<SpreadCount> buckets; ///< the last one holds the newest row, or now
    QList<SpreadScope> scopes; ///< most rows first, the others last
    qint64 looked = 0; ///< rows that were read
    double share = 1; ///< of the table that was looked at; 1: every row that matches was counted
    bool newestCounted = false; ///< beside a sample, the rows of the first age were counted one by one
    bool stuckKnown = true; ///< the profile says when a key is stuck; else stuck is 0 everywhere
    double undated = 0; ///< rows without such a time: they stand in no place
    QStringList notes; ///< what could not be read, and what that means

    bool exact() const { return share >= 1; }
    /// The rows of an age, by its place in kSpreadAges, are counted and not reckoned.
    bool exactAt(int age) const { return exact() || (newestCounted && age == 0); }
    double rows() const { return double(looked) / share; }
};

} // namespace idemdesk::sql
