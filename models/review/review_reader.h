// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/review/review_questions.h"
#include "sql/session/session.h"
#include "sql/types/health.h"
#include "sql/types/review.h"
#include "sql/types/target.h"

#include <QList>
#include <optional>

namespace idemdesk::models {

/// How a question stands, what needs a person first.
enum class ReviewStand { Gap, Open, Settled, NotApplicable };
QString reviewStandName(ReviewStand stand); ///< "gap", as --json writes it
QString reviewStandLabel(ReviewStand stand); ///< "Gap", to be read
QString reviewStandSign(ReviewStand stand); ///< "✗", "?", "✓", "–"
ReviewStand standOf(sql::ReviewVerdict verdict);

/// One question about one table, with what the console found and what a person signed. Texts may hold names from the
/// database.
struct ReviewItem {
    const ReviewQuestion *question = nullptr;
    ReviewStand stand = ReviewStand::Open;
    std::optional<sql::HealthLevel> level; ///< what the console found; nothing: only a person knows
    QString seen; ///< the same as sentences
    bool notRead = false; ///< what the console would look at could not be read
    std::optional<sql::ReviewAnswer> answer; ///< the newest that was signed
    bool otherTable = false; ///< it was signed of another table that had this name
    bool changed = false; ///< that, or the console finds otherwise than when it was signed: its own word stands

    /// It is signed as settled although the console finds a gap.
    bool against() const
    {
        return byPerson() && stand == ReviewStand::Settled
            && (level == sql::HealthLevel::Problem || level == sql::HealthLevel::Advice);
    }
    bool byPerson() const { return answer.has_value() && !changed; } ///< the signed word stands
    QString found() const; ///< as it is signed: "good: …"; empty where only a person knows
};

struct ReviewReport {
    QString target; ///< the profile's name
    QString registeredName; ///< empty: not registered
    QString title;
    QString place; ///< its name in the database
    QString table; ///< the same, quoted, as answers name it
    QString server; ///< "database as user"
    sql::Timestamp at; ///< by the server's clock
    QList<ReviewItem> items; ///< by topic
    std::optional<sql::Error> noAnswers; ///< why no signed answer could be read

    qsizetype count(ReviewStand stand) const;
    qsizetype notRead() const; ///< questions whose facts could not be read
    const ReviewItem *item(const QString &question) const; ///< null: it is not asked of this table
};

/// Asks the questions of the review checklists about one table: from the health report, and from the answers that were
/// signed in this database. Reads only. Only a lost or cancelled connection is an error.
sql::Result<ReviewReport> readReviewReport(
    sql::Session &session, const sql::Target &target, const QString &registeredName);

/// The answer as it is to be signed, with an id of its own.
sql::ReviewSigning reviewSigning(
    const ReviewReport &report, const ReviewItem &item, sql::ReviewVerdict verdict, const QString &note);

} // namespace idemdesk::models
