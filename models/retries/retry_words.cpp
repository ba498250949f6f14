// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/retries/retry_words.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::RetryOutcome;
using sql::TargetKind;

constexpr qsizetype kRetryReasonChars = 300;

bool isWork(TargetKind kind)
{
    return kind == TargetKind::Lease || kind == TargetKind::Job;
}

/// What a claim does, without a point at its end: of a request, of a message, and of work that workers take.
QString requestWords(RetryOutcome outcome)
{
    switch (outcome) {
    case RetryOutcome::Replay:
        return Tr::tr("A retry now gets the stored answer; nothing runs again");
    case RetryOutcome::Wait:
        return Tr::tr("A retry now has to wait");
    case RetryOutcome::TakesOver:
        return Tr::tr("A retry now takes the key over and runs the work");
    case RetryOutcome::Conflict:
        break;
    case RetryOutcome::Refused:
        return Tr::tr("A retry now is refused; nothing runs");
    case RetryOutcome::RunsAgain:
        return Tr::tr("A retry now runs the work again, as if the key were new");
    }
    return Tr::tr("A retry now is refused as a conflict");
}

/// The same of one that a cache does not keep away.
QString reachingWords(RetryOutcome outcome)
{
    switch (outcome) {
    case RetryOutcome::Replay:
        return Tr::tr("One that reaches the table gets the stored answer; nothing runs again");
    case RetryOutcome::Wait:
        return Tr::tr("One that reaches the table has to wait");
    case RetryOutcome::TakesOver:
        return Tr::tr("One that reaches the table takes the key over and runs the work");
    case RetryOutcome::Conflict:
        break;
    case RetryOutcome::Refused:
        return Tr::tr("One that reaches the table is refused; nothing runs");
    case RetryOutcome::RunsAgain:
        return Tr::tr("One that reaches the table runs the work again, as if the key were new");
    }
    return Tr::tr("One that reaches the table is refused as a conflict");
}

QString cacheSentence(const CacheBefore &cache, const sql::Timestamp &now, const TimeFormat &times)
{
    const QString words = cache.does == CacheBefore::Does::Answers
        ? Tr::tr("The cache answers a retry with “%1”").arg(cache.answer)
        : cache.forNothing ? Tr::tr("A retry is held off by the cache for nothing")
                           : Tr::tr("A retry is held off by the cache");
    return cache.until
        ? Tr::tr("%1 until %2, %3.").arg(words, times.text(*cache.until), TimeFormat::age(*cache.until, now))
        : Tr::tr("%1, without an end.").arg(words);
}

QString messageWords(RetryOutcome outcome)
{
    switch (outcome) {
    case RetryOutcome::Replay:
        return Tr::tr("The same message sent again now is skipped; nothing runs again");
    case RetryOutcome::Wait:
        return Tr::tr("The same message sent again now is skipped; the stored one still waits");
    case RetryOutcome::TakesOver:
        return Tr::tr("The same message sent again now is worked on");
    case RetryOutcome::Conflict:
        break;
    case RetryOutcome::Refused:
        return Tr::tr("The same message sent again now is skipped; it is not worked on");
    case RetryOutcome::RunsAgain:
        return Tr::tr("The same message sent again now counts as a new one");
    }
    return Tr::tr("The same message sent again now is refused as a conflict");
}

QString workWords(RetryOutcome outcome)
{
    switch (outcome) {
    case RetryOutcome::Replay:
        return Tr::tr("A worker that asks now passes over it, for it is done");
    case RetryOutcome::Wait:
        return Tr::tr("A worker that asks now does not get it");
    case RetryOutcome::TakesOver:
        return Tr::tr("A worker that asks now gets it and runs the work");
    case RetryOutcome::Conflict:
        break;
    case RetryOutcome::Refused:
        return Tr::tr("A worker that asks now passes over it for good");
    case RetryOutcome::RunsAgain:
        return Tr::tr("A worker that asks now runs the work again");
    }
    return Tr::tr("A worker that asks now is refused as a conflict");
}

QString otherWords(RetryOutcome outcome, bool message)
{
    switch (outcome) {
    case RetryOutcome::Replay:
        return message ? Tr::tr("Another message with this id is skipped, too")
                       : Tr::tr("Another request with this key gets the same stored answer");
    case RetryOutcome::Wait:
        return message ? Tr::tr("Another message with this id is skipped, too")
                       : Tr::tr("Another request with this key has to wait");
    case RetryOutcome::TakesOver:
        return message ? Tr::tr("Another message with this id is worked on")
                       : Tr::tr("Another request with this key takes it over and runs");
    case RetryOutcome::Conflict:
        return message ? Tr::tr("Another message with this id is refused as a conflict")
                       : Tr::tr("Another request with this key is refused as a conflict");
    case RetryOutcome::Refused:
        return message ? Tr::tr("Another message with this id is skipped, too")
                       : Tr::tr("Another request with this key is refused");
    case RetryOutcome::RunsAgain:
        break;
    }
    return message ? Tr::tr("Another message with this id counts as a new one")
                   : Tr::tr("Another request with this key runs as if the key were new");
}

/// ends: the wait ends what is said. Another message is skipped however long the stored one waits.
/// " until 14:32:05, in 3 min", " (P4029, HTTP 409)" and the point.
QString ended(
    const QString &words, const sql::RetryAnswer &answer, bool ends, const sql::Timestamp &now, const TimeFormat &times)
{
    QString text = words;
    if (ends && answer.outcome == RetryOutcome::Wait && answer.until) {
        text = !answer.until->finite() ? Tr::tr("%1, without an end").arg(words)
            : *answer.until > now
            ? Tr::tr("%1 until %2, %3").arg(words, times.text(*answer.until), TimeFormat::age(*answer.until, now))
            : Tr::tr("%1; its time was %2").arg(words, times.text(*answer.until));
    }
    QStringList codes;
    if (!answer.sqlState.isEmpty()) {
        codes += answer.sqlState;
    }
    if (answer.http) {
        codes += Tr::tr("HTTP %1").arg(*answer.http);
    }
    return text + (codes.isEmpty() ? u"."_s : u" ("_s + codes.join(u", "_s) + u")."_s);
}

bool sameAnswer(const sql::RetryAnswer &a, const sql::RetryAnswer &b)
{
    return a.outcome == b.outcome && a.rule == b.rule;
}

} // namespace

QString sameRetrySentence(
    const sql::RetryAnswer &answer, TargetKind kind, const sql::Timestamp &now, const TimeFormat &times)
{
    if (!answer.outcome) {
        return isWork(kind) ? Tr::tr("What a worker gets that asks now cannot be known.")
                            : Tr::tr("What a retry does now cannot be known.");
    }
    const bool early = answer.unfinished && answer.outcome == RetryOutcome::Replay && kind == TargetKind::Request;
    const QString words = early       ? Tr::tr("A retry now is answered though the work has not ended; nothing runs")
        : kind == TargetKind::Request ? requestWords(*answer.outcome)
        : isWork(kind)                ? workWords(*answer.outcome)
                                      : messageWords(*answer.outcome);
    return ended(words, answer, true, now, times);
}

QString otherRetrySentence(
    const sql::RetryAnswer &answer, TargetKind kind, const sql::Timestamp &now, const TimeFormat &times)
{
    const bool message = kind == TargetKind::Inbox || kind == TargetKind::Outbox;
    return answer.outcome ? ended(otherWords(*answer.outcome, message), answer, !message, now, times)
        : message         ? Tr::tr("What another message with this id does cannot be known.")
                          : Tr::tr("What another request with this key does cannot be known.");
}

QString retrySummary(
    const sql::RetryAnswers &answers, TargetKind kind, const sql::Timestamp &now, const TimeFormat &times)
{
    const QString same = sameRetrySentence(answers.same, kind, now, times);
    // Work has no request that could differ, and where nothing is known one sentence says it.
    if (isWork(kind) || retryUnknown(answers)) {
        return same;
    }
    return sameAnswer(answers.same, answers.other) && answers.same.outcome == RetryOutcome::Replay
            && kind == TargetKind::Request
        ? same + u' ' + Tr::tr("So does another request with this key: nothing is compared.")
        : same + u' ' + otherRetrySentence(answers.other, kind, now, times);
}

QString retrySummary(const CacheBefore &cache, const sql::RetryAnswers &answers, TargetKind kind,
    const sql::Timestamp &now, const TimeFormat &times)
{
    if (cache.does == CacheBefore::Does::Nothing) {
        return retrySummary(answers, kind, now, times);
    }
    const QString first = cacheSentence(cache, now, times);
    if (kind != TargetKind::Request || !answers.same.outcome) {
        return first + u' ' + retrySummary(answers, kind, now, times);
    }
    return first + u' ' + ended(reachingWords(*answers.same.outcome), answers.same, true, now, times);
}

QStringList retryReasons(const sql::RetryAnswers &answers)
{
    QStringList reasons;
    for (const sql::RetryAnswer *answer : { &answers.same, &answers.other }) {
        const QString &text = answer->outcome ? answer->reason : answer->unknown;
        if (const QString reason = displayText(text, kRetryReasonChars);
            !reason.isEmpty() && !reasons.contains(reason)) {
            reasons += reason;
        }
    }
    if (retryRuns(answers) && answers.attemptsSpent()) {
        reasons += Tr::tr("It had %1 attempts; the profile's limit is %2. No rule says that a claim stops there.")
                       .arg(*answers.attempts)
                       .arg(*answers.maxAttempts);
    }
    if (answers.expired && answers.same.outcome && answers.same.outcome != RetryOutcome::RunsAgain) {
        reasons += Tr::tr("Its retention is over: after a purge the same request runs as a new one.");
    }
    return reasons;
}

bool retryRuns(const sql::RetryAnswers &answers)
{
    return answers.same.outcome == RetryOutcome::TakesOver || answers.same.outcome == RetryOutcome::RunsAgain;
}

bool retryUnknown(const sql::RetryAnswers &answers)
{
    return !answers.same.outcome && !answers.other.outcome;
}

} // namespace idemdesk::models
