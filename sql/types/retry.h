// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"
#include "sql/types/timestamp.h"

#include <optional>

namespace idemdesk::sql {

/// What the table's own claim does now with a row, by the profile's rules.
struct RetryAnswer {
    std::optional<RetryOutcome> outcome; ///< nothing: it cannot be known
    QString unknown; ///< why it cannot be known: whole sentences
    std::optional<Timestamp> until; ///< of a wait
    QString sqlState; ///< that the claim raises, or empty
    std::optional<int> http;
    QString reason; ///< the rule's sentence; hostile where the profile is
    qsizetype rule = -1; ///< index in the profile's "retry"
    bool unfinished = false; ///< the row's work has not ended, so that no result is stored yet
};

/// The answer to the same request sent again, and to another one under the same key.
struct RetryAnswers {
    RetryAnswer same;
    RetryAnswer other;
    bool expired = false; ///< its retention is over, so that a purge may delete it
    std::optional<qint64> attempts;
    std::optional<qint64> maxAttempts; ///< of the row's policy

    bool attemptsSpent() const { return attempts && maxAttempts && *attempts >= *maxAttempts; }
};

} // namespace idemdesk::sql
