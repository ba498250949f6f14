// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/review/review_questions.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using enum ReviewTopic;

constexpr auto kQuestions = std::to_array<ReviewQuestion>({
    { "command", Command, QT_TRANSLATE_NOOP("Review", "Is it clear which command one key stands for?"), "003 §30" },
    { "key_source", Command, QT_TRANSLATE_NOOP("Review", "Is it settled who makes the key?"), "003 §30" },
    { "scope", Command, QT_TRANSLATE_NOOP("Review", "Is it settled within which scope a key is unique?"),
        "001 §18, 003 §30", "unique_key" },
    { "key_stable", Command, QT_TRANSLATE_NOOP("Review", "Does a caller keep its key over all its retries?"),
        "001 §18, 003 §30" },
    { "key_transport", Command, QT_TRANSLATE_NOOP("Review", "Does the key stay the same whichever attempt carries it?"),
        "003 §30" },

    { "fingerprint", Payload, QT_TRANSLATE_NOOP("Review", "Is the request's fingerprint stored, and compared?"),
        "001 §18, 003 §30", "fingerprint", false, true },
    { "mismatch", Payload, QT_TRANSLATE_NOOP("Review", "Is a key refused when it comes with another payload?"),
        "003 §30" },
    { "canonical", Payload,
        QT_TRANSLATE_NOOP("Review", "Is a request always written the same way before it is hashed?"), "003 §30" },

    { "one_winner", OneCommit, QT_TRANSLATE_NOOP("Review", "Does a unique key let one request win?"), "001 §18",
        "unique_key" },
    { "claim", OneCommit, QT_TRANSLATE_NOOP("Review", "Does one statement insert the key, or see that it is there?"),
        "001 §18" },
    { "row_lock", OneCommit,
        QT_TRANSLATE_NOOP("Review", "Is the row locked where its state decides what is done next?"), "001 §18" },
    { "advisory", OneCommit, QT_TRANSLATE_NOOP("Review", "Are advisory locks used only where no constraint can do it?"),
        "001 §18" },
    { "one_commit", OneCommit, QT_TRANSLATE_NOOP("Review", "Do key, effect, audit row and message commit together?"),
        "001 §18, 003 §30" },
    { "recovery", OneCommit,
        QT_TRANSLATE_NOOP("Review", "Where they do not commit together, is it known how to repair them?"), "003 §30" },
    { "crash", OneCommit, QT_TRANSLATE_NOOP("Review", "Do keys and effects still match after a crash?"), "003 §30",
        "atomic crash" },

    { "natural", Business,
        QT_TRANSLATE_NOOP("Review", "Is it said which fact of the business must not be there twice?"), "003 §30" },
    { "business_unique", Business,
        QT_TRANSLATE_NOOP("Review", "Does the database itself refuse that fact a second time?"), "001 §18, 003 §30",
        "business_unique" },
    { "new_key", Business, QT_TRANSLATE_NOOP("Review", "Is nothing done twice when a caller sends a new key?"),
        "003 §30" },

    { "replay", Response, QT_TRANSLATE_NOOP("Review", "Does a retry of a succeeded key get the same result?"),
        "001 §18" },
    { "response", Response,
        QT_TRANSLATE_NOOP("Review", "Is it settled what a retry receives: result, reference or status?"), "003 §30" },
    { "states", Response, QT_TRANSLATE_NOOP("Review", "Can you tell active, stuck, retryable and final keys apart?"),
        "001 §18", "states stale_rule" },
    { "final_errors", Response, QT_TRANSLATE_NOOP("Review", "Are lasting errors kept as the answer?"), "003 §30" },
    { "passing_errors", Response,
        QT_TRANSLATE_NOOP("Review", "Are deadlocks and other passing errors never kept as final?"), "001 §18, 003 §30",
        "retryable_final" },

    { "horizon", Retention, QT_TRANSLATE_NOOP("Review", "Are keys kept as long as a retry may come?"),
        "001 §18, 003 §30", "retention dedup" },
    { "after_expiry", Retention,
        QT_TRANSLATE_NOOP("Review", "Is it settled what becomes of a retry after its key expired?"), "003 §30" },
    { "compliance", Retention, QT_TRANSLATE_NOOP("Review", "Does this fit the rules on keeping records?"), "003 §30" },
    { "growth", Retention, QT_TRANSLATE_NOOP("Review", "Is the table's growth bounded?"), "003 §30",
        "purge_rule vacuum", false, true },

    { "message_key", Messages, QT_TRANSLATE_NOOP("Review", "Is it settled by what a message is known again?"),
        "003 §30", "", true },
    { "ack", Messages, QT_TRANSLATE_NOOP("Review", "Is a message recorded before it is acknowledged?"), "003 §30", "",
        true },
    { "message_commit", Messages, QT_TRANSLATE_NOOP("Review", "Are a message's record and its effect one transaction?"),
        "003 §30", "", true },
    { "reprocess", Messages, QT_TRANSLATE_NOOP("Review", "Can old messages be played again without harm?"), "003 §30",
        "", true },
    { "publish", Messages, QT_TRANSLATE_NOOP("Review", "Does it do no harm to publish an outbox row twice?"), "001 §18",
        "", true },

    { "see_stuck", Operations, QT_TRANSLATE_NOOP("Review", "Can stuck keys be seen?"), "001 §18, 003 §30",
        "stale_rule index_stale" },
    { "runbook", Operations, QT_TRANSLATE_NOOP("Review", "Does who is on call know the runbook for stuck keys?"),
        "001 §18, 003 §30" },
    { "reconcile", Operations,
        QT_TRANSLATE_NOOP("Review", "Is it settled how unclear outcomes elsewhere are found out?"), "003 §30" },
    { "metrics", Operations,
        QT_TRANSLATE_NOOP("Review", "Do metrics show replays, conflicts, stuck keys and failures?"), "001 §18, 003 §30",
        "metrics" },
});

} // namespace

QString reviewTopicTitle(ReviewTopic topic)
{
    const auto say = [](const char *text) { return QCoreApplication::translate("Review", text); };
    switch (topic) {
    case Command:
        return say(QT_TRANSLATE_NOOP("Review", "The command and its key"));
    case Payload:
        return say(QT_TRANSLATE_NOOP("Review", "The payload"));
    case OneCommit:
        return say(QT_TRANSLATE_NOOP("Review", "One winner, and one commit"));
    case Business:
        return say(QT_TRANSLATE_NOOP("Review", "The facts of the business"));
    case Response:
        return say(QT_TRANSLATE_NOOP("Review", "What a retry receives"));
    case Retention:
        return say(QT_TRANSLATE_NOOP("Review", "How long keys are kept"));
    case Messages:
        return say(QT_TRANSLATE_NOOP("Review", "Messages"));
    case Operations:
        break;
    }
    return say(QT_TRANSLATE_NOOP("Review", "Operations"));
}

QString ReviewQuestion::text() const
{
    return QCoreApplication::translate("Review", question);
}

QStringList ReviewQuestion::findings() const
{
    return QString::fromLatin1(checks).split(u' ', Qt::SkipEmptyParts);
}

std::span<const ReviewQuestion> reviewQuestions()
{
    return kQuestions;
}

const ReviewQuestion *reviewQuestion(const QString &id)
{
    const auto found = std::find_if(kQuestions.begin(), kQuestions.end(),
        [&id](const ReviewQuestion &question) { return id == QLatin1StringView(question.id); });
    return found != kQuestions.end() ? &*found : nullptr;
}

} // namespace idemdesk::models
