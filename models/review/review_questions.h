// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <span>

namespace idemdesk::models {

enum class ReviewTopic { Command, Payload, OneCommit, Business, Response, Retention, Messages, Operations };
QString reviewTopicTitle(ReviewTopic topic);

/// One question of the review checklists. Texts are to be translated in context "Review".
struct ReviewQuestion {
    const char *id; ///< as it is signed: stays the same from version to version
    ReviewTopic topic;
    const char *question;
    const char *source; ///< the documents and sections that ask it
    /// Ids of the health report's findings that answer it, parted by spaces; empty: only a person knows.
    const char *checks = "";
    bool ofMessages = false; ///< asked of inboxes, outboxes and jobs only
    bool partly = false; ///< the findings show a gap, and never that all is well: a person says the rest

    QString name() const { return QString::fromLatin1(id); }
    QString text() const; ///< translated
    QStringList findings() const;
};

/// All there are, by topic.
std::span<const ReviewQuestion> reviewQuestions();
const ReviewQuestion *reviewQuestion(const QString &id); ///< null: there is none of this id

} // namespace idemdesk::models
