// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/provider_says.h"

#include "models/format/display_text.h"
#include "models/provider/exact_amount.h"
#include "models/provider/provider_words.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::ProviderWord;
using sql::Role;
using sql::Timestamp;

std::optional<Timestamp> latestOf(const std::initializer_list<std::optional<Timestamp>> &times)
{
    return *std::max_element(times.begin(), times.end());
}

bool laterThan(const std::optional<Timestamp> &time, const std::optional<Timestamp> &limit)
{
    return time && limit && *limit < *time;
}

/// Digits count, not how many of them are zeros at the end.
bool amountUnchanged(const sql::Cell &now, const QString &then)
{
    const QString text = now.null ? QString() : now.text;
    return text == then || (exactAmount(text) && exactAmount(text) == exactAmount(then));
}

/// Compares what was said with the row as it is now.
class WordAge
{
public:
    WordAge(const sql::KeyRecord &record, const sql::ProviderRow &now)
        : m_now(now)
        , m_created(record.time(Role::CreatedAt))
        , m_claimed(record.time(Role::ClaimedAt))
        , m_attempted(latestOf({ m_created, m_claimed ? m_claimed : record.time(Role::UpdatedAt), now.at }))
        , m_touched(
              latestOf({ m_created, m_claimed, record.time(Role::UpdatedAt), record.time(Role::HeartbeatAt), now.at }))
    {
    }

    /// Why it says nothing of the request as it is now, in a sentence; empty: it does.
    QString fault(const sql::ProviderEvidence &word) const
    {
        if (m_now.reference.null || m_now.reference.text != word.reference) {
            return Tr::tr("The key has another reference now, so that says nothing of it.");
        }
        const QString currency = m_now.currency.null ? QString() : m_now.currency.text.trimmed().toUpper();
        if (!amountUnchanged(m_now.amount, word.amount) || currency != word.currency) {
            return Tr::tr("The key has another amount now than was compared, so that says nothing of it.");
        }
        if (older(word)) {
            return Tr::tr("The statement of “%1” is older than the last attempt, so it says nothing of that.")
                .arg(displayText(word.provider));
        }
        if (word.says == ProviderWord::NotInStatement && beganBefore(word)) {
            return Tr::tr("The statement of “%1” begins after the request, so it says nothing of it.")
                .arg(displayText(word.provider));
        }
        return {};
    }

private:
    bool older(const sql::ProviderEvidence &word) const
    {
        if (laterThan(m_touched, word.knownSince)) {
            return true;
        }
        switch (word.says) {
        case ProviderWord::NotInStatement: // the call may have been made as late as the row was touched
            return laterThan(m_touched, word.to);
        case ProviderWord::DidNotHappen:
            return !word.lineAt || laterThan(m_attempted, word.lineAt);
        case ProviderWord::Happened: // of an earlier attempt it happened all the same; not of an earlier request
            return laterThan(m_created, word.lineAt);
        case ProviderWord::Twice:
        case ProviderWord::AmountDiffers:
        case ProviderWord::CurrencyDiffers:
        case ProviderWord::OnlyProvider:
        case ProviderWord::Contradictory:
            break;
        }
        return false;
    }

    bool beganBefore(const sql::ProviderEvidence &word) const
    {
        const auto asked = m_now.at ? m_now.at : m_created;
        return !asked || laterThan(word.from, asked) || laterThan(word.from, m_claimed);
    }

    const sql::ProviderRow &m_now;
    const std::optional<Timestamp> m_created;
    const std::optional<Timestamp> m_claimed;
    const std::optional<Timestamp> m_attempted; ///< the last attempt began no later, as far as the row tells
    const std::optional<Timestamp> m_touched; ///< the last sign that somebody was at it
};

/// Everything that words are compared with could be read.
bool comparable(const sql::TriageFacts &facts)
{
    const auto &now = facts.providerNow;
    const auto failed = [&facts](Role role) { return facts.record.role(role).failed(); };
    return now && !now->reference.failed() && !now->amount.failed() && !now->currency.failed()
        && !failed(Role::CreatedAt) && !failed(Role::ClaimedAt) && !failed(Role::UpdatedAt)
        && !failed(Role::HeartbeatAt);
}

/// The words of one key, weighed one after the other.
class WordScale
{
public:
    void add(const sql::ProviderEvidence &word, bool outdated)
    {
        const bool didNot = word.says == ProviderWord::DidNotHappen || word.says == ProviderWord::NotInStatement;
        const bool happened = word.says == ProviderWord::Happened;
        m_wrong = m_wrong || (!outdated && !(didNot || happened));
        m_everHappened = m_everHappened || !didNot;
        m_happened = m_happened || (happened && !outdated);
        m_didNot = m_didNot || (didNot && !outdated);
        m_outdated = m_outdated || outdated;
    }

    bool wrong() const { return m_wrong; }
    /// That it happened once counts against a retry, whatever came later; that it once did not counts for nothing.
    bool disagree(bool effectFound) const { return m_didNot && (m_everHappened || effectFound); }

    ProviderSays::Verdict verdict() const
    {
        using Verdict = ProviderSays::Verdict;
        return m_happened ? Verdict::Happened
            : m_didNot    ? Verdict::DidNotHappen
            : m_outdated  ? Verdict::Outdated
                          : Verdict::Nothing;
    }

private:
    bool m_wrong = false;
    bool m_everHappened = false;
    bool m_happened = false;
    bool m_didNot = false;
    bool m_outdated = false;
};

} // namespace

QString whyNotAgain(const sql::TriageFacts &facts)
{
    const auto &now = facts.providerNow;
    for (const sql::ProviderEvidence &word : facts.provider.words) {
        const bool happened = word.says != ProviderWord::DidNotHappen && word.says != ProviderWord::NotInStatement;
        const bool ofAnother
            = now && !now->reference.failed() && (now->reference.null || now->reference.text != word.reference);
        if (happened && !ofAnother) {
            return evidenceText(word);
        }
    }
    return {};
}

ProviderSays whatProviderSays(const sql::TriageFacts &facts, bool effectFound, bool masked)
{
    ProviderSays says;
    const auto unclear = [&says](const QString &why) {
        says.reasons += why;
        says.verdict = ProviderSays::Verdict::Unclear;
        return says;
    };
    if (facts.providerUnread) {
        return unclear(Tr::tr("What was recorded of the provider's statements may not be read by this login."));
    }
    if (facts.provider.words.isEmpty()) {
        return says;
    }
    const bool compared = comparable(facts);
    WordScale scale;
    for (const sql::ProviderEvidence &word : facts.provider.words) {
        const QString fault = compared ? WordAge(facts.record, *facts.providerNow).fault(word) : QString();
        says.reasons += (evidenceText(word, masked) + u' ' + fault).trimmed();
        says.brief = fault.isEmpty() ? evidenceBrief(word) : says.brief;
        scale.add(word, !fault.isEmpty());
    }
    if (facts.provider.more) {
        return unclear(Tr::tr("More was recorded of it than is looked at here; a person has to read it."));
    }
    if (!compared) {
        return unclear(Tr::tr("Whether that is about this request could not be read."));
    }
    if (scale.wrong()) {
        return unclear(Tr::tr("What the provider did is not what was asked for; a person has to settle it."));
    }
    if (scale.disagree(effectFound)) {
        return unclear(Tr::tr("These do not agree; a person has to find out which is right."));
    }
    says.verdict = scale.verdict();
    return says;
}

} // namespace idemdesk::models
