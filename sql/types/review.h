// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/enum_table.h"
#include "sql/types/timestamp.h"

#include <QString>
#include <optional>

namespace idemdesk::sql {

/// What a person says of a question of the review checklists (seeds 001 §18, 003 §30).
enum class ReviewVerdict { Settled, Gap, NotApplicable };
QString reviewVerdictName(ReviewVerdict verdict); ///< "not_applicable", as the trail and --json say it
std::optional<ReviewVerdict> reviewVerdict(const QString &name);

/// Characters that the audit log takes of a note, or of any other text of an answer.
inline constexpr qsizetype kMostReviewText = 4'000;

/// An answer that is to be signed. Texts are the person's and the program's own.
struct ReviewSigning {
    QString id; ///< a UUID; the same answer is signed once, however often it is asked for
    QString table; ///< "schema"."table", quoted
    QString target; ///< the name it is registered under; empty: it is not
    QString question; ///< its id: "key_source"
    ReviewVerdict verdict = ReviewVerdict::Settled;
    QString note; ///< how it is, and how the person knows
    QString asked; ///< the question as it was read
    QString found; ///< what the console found of it then; empty: nothing
};

/// A signed answer. Who and when are the server's word; what it says may hold any text.
struct ReviewAnswer {
    ReviewSigning said;
    quint32 relation = 0; ///< oid of the table that had the name then
    qint64 seq = 0; ///< its row of the audit log
    QString who; ///< the login
    Timestamp at;
};

} // namespace idemdesk::sql
