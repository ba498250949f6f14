// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/retries/causes.h"

#include "models/filter/filter_parser.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// A rule that lets a key that failed for good be tried again.
const sql::ActionRule *ruleBack(const QList<sql::ActionRule> &rules)
{
    for (const sql::ActionRule &rule : rules) {
        const bool back = rule.to == sql::KeyState::FailedRetryable || rule.to == sql::KeyState::Pending;
        if (back && !rule.deletes && rule.from.contains(sql::KeyState::FailedFinal)) {
            return &rule;
        }
    }
    return nullptr;
}

/// The longest part of a message that stands in it as it is.
QString literalPart(const QString &cause)
{
    QString longest;
    const QStringList parts = cause.split(u'#');
    for (const QString &part : parts) {
        longest = part.trimmed().size() > longest.size() ? part.trimmed() : longest;
    }
    return longest;
}

QString retryWord(sql::RetryOutcome outcome)
{
    switch (outcome) {
    case sql::RetryOutcome::Replay:
        return Tr::tr("gets what is stored");
    case sql::RetryOutcome::Wait:
        return Tr::tr("has to wait");
    case sql::RetryOutcome::Conflict:
        return Tr::tr("conflict");
    case sql::RetryOutcome::Refused:
        return Tr::tr("refused");
    case sql::RetryOutcome::TakesOver:
    case sql::RetryOutcome::RunsAgain:
        break;
    }
    return Tr::tr("runs again");
}

} // namespace

QString causeText(const sql::CauseGroup &group)
{
    return group.cause.isEmpty() ? Tr::tr("(the row does not say)") : group.cause;
}

std::optional<ErrorCode> causeMeaning(const sql::CauseGroup &group)
{
    return group.coded ? errorCodeOf(group.cause) : std::nullopt;
}

QString causeFilter(const sql::CauseGroup &group, bool finalOnly)
{
    constexpr qsizetype kFewest = 4; // characters: less would find anything
    const QString states = finalOnly ? u"state:failed_final"_s : u"state:failed_final,failed_retryable"_s;
    const QString part = group.coded ? group.cause : literalPart(group.cause);
    if (part.isEmpty() || (!group.coded && part.size() < kFewest)) {
        return {};
    }
    return states + (group.coded ? u" error:"_s : u" error:~"_s) + quoteFilterValue(part);
}

CauseOffer causeOffer(const sql::CauseGroup &group, const sql::Profile &profile, bool registered)
{
    const auto meaning = causeMeaning(group);
    if (!meaning || meaning->cls != FailureClass::Passing || meaning->byName || group.final == 0) {
        return {};
    }
    if (!registered) {
        return { {}, {}, Tr::tr("The table is not registered, so that nothing can be changed from here.") };
    }
    if (const sql::ActionRule *rule = ruleBack(profile.reclassify)) {
        return { sql::ActionVerb::Reclassify, rule->to, {} };
    }
    if (const sql::ActionRule *rule = ruleBack(profile.requeue)) {
        return { sql::ActionVerb::Requeue, rule->to, {} };
    }
    return { {}, {},
        Tr::tr("No rule of the profile brings keys back that failed for good. It lacks one in “reclassify”.") };
}

QList<CauseRetry> causeRetries(const sql::CauseGroup &group)
{
    QList<CauseRetry> retries;
    const auto add = [&retries](const QString &word, qint64 rows) {
        const auto same = std::find_if(
            retries.begin(), retries.end(), [&word](const CauseRetry &retry) { return retry.word == word; });
        if (same != retries.end()) {
            same->rows += rows;
        } else if (rows > 0) {
            retries.append({ word, rows });
        }
    };
    qint64 known = 0;
    for (auto it = group.retries.cbegin(); it != group.retries.cend(); ++it) {
        add(retryWord(it.key()), it.value());
        known += it.value();
    }
    add(Tr::tr("not known"), group.rows() - known);
    std::stable_sort(
        retries.begin(), retries.end(), [](const CauseRetry &a, const CauseRetry &b) { return a.rows > b.rows; });
    return retries;
}

QString causeRetryText(const sql::CauseGroup &group)
{
    const QList<CauseRetry> retries = causeRetries(group);
    if (retries.size() == 1) {
        return retries.first().word;
    }
    QStringList parts;
    for (const CauseRetry &retry : retries) {
        parts += Tr::tr("%1 %2").arg(retry.word, countText(retry.rows));
    }
    return parts.join(u", "_s);
}

QString causesBound(const sql::CausePage &page)
{
    const QString rows = countText(page.lookedAt);
    return page.lookedAt == 0 ? Tr::tr("No failed key was found.")
        : !page.bounded       ? Tr::tr("All %1 failed keys were looked at.").arg(rows)
        : page.newest         ? Tr::tr("Of the %1 newest failed keys; there are more.").arg(rows)
                              : Tr::tr("Of %1 failed keys, not the newest; there are more.").arg(rows);
}

} // namespace idemdesk::models
