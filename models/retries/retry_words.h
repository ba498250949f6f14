// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/retry.h"

#include <QStringList>
#include <optional>

namespace idemdesk::models {

/// "A retry now gets the stored answer; nothing runs again (HTTP 201)." One sentence for the same request sent again.
QString sameRetrySentence(
    const sql::RetryAnswer &answer, sql::TargetKind kind, const sql::Timestamp &now, const TimeFormat &times);
/// And one for another request under the same key.
QString otherRetrySentence(
    const sql::RetryAnswer &answer, sql::TargetKind kind, const sql::Timestamp &now, const TimeFormat &times);

/// Both in one line, the second only where it differs from the first.
QString retrySummary(
    const sql::RetryAnswers &answers, sql::TargetKind kind, const sql::Timestamp &now, const TimeFormat &times);

/// What a cache in front of the table does to a retry before the table is asked.
struct CacheBefore {
    enum class Does { Nothing, HoldsOff, Answers };
    Does does = Does::Nothing;
    bool forNothing = false; ///< it holds off although the row is finished
    QString answer; ///< of Answers: what it says, safe to show
    std::optional<sql::Timestamp> until; ///< nothing: without an end
};

/// The same behind a cache: first what that does, then what happens to one that reaches the table.
QString retrySummary(const CacheBefore &cache, const sql::RetryAnswers &answers, sql::TargetKind kind,
    const sql::Timestamp &now, const TimeFormat &times);

/// Why, a sentence each: the rules' reasons, what the profile's limit of attempts means here, and what a purge changes.
QStringList retryReasons(const sql::RetryAnswers &answers);

/// The same request sent again runs its work: what happened already happens once more then.
bool retryRuns(const sql::RetryAnswers &answers);

/// Nothing is known of either.
bool retryUnknown(const sql::RetryAnswers &answers);

} // namespace idemdesk::models
