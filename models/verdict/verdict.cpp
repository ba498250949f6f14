// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/verdict/verdict.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <QMap>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::KeyState;

/// What one intent came to.
enum class Outcome { Done, DoneSeveral, Nothing, Unfinished, Missing };

class VerdictJudge
{
public:
    explicit VerdictJudge(const VerdictFacts &facts)
        : m_facts(facts)
    {
    }

    Verdict run()
    {
        if (m_facts.intents.isEmpty()) {
            rule(FactSign::No, u"no-intent"_s, Tr::tr("No matching request was found."));
            settle(SettledBy::Search,
                Tr::tr("Search other scopes and tables, the purges in the audit log, and the services' logs of that "
                       "time."));
            m_verdict.sentence = Tr::tr("No matching request was found, so the complaint stays open.");
            return m_verdict;
        }
        QSet<QString> seen;
        QSet<QString> seenOfDone;
        for (const IntentFacts &intent : m_facts.intents) {
            const Outcome outcome = outcomeOf(intent);
            ++m_count[int(outcome)];
            m_mostOfOne = std::max(m_mostOfOne, leastEffects(intent));
            m_verdict.effects += furtherEffects(intent, seen);
            if (outcome == Outcome::Done) {
                m_doneEffects += furtherEffects(intent, seenOfDone);
                m_replays = intent.replays ? std::optional(m_replays.value_or(0) + *intent.replays) : m_replays;
            }
        }
        decide();
        if (m_facts.conflictsElsewhere > 0) {
            rule(FactSign::Yes, u"conflict-elsewhere"_s,
                Tr::tr("The same key was refused in another scope or table (%n times). That was another request.",
                    nullptr, int(std::min<qint64>(m_facts.conflictsElsewhere, 1'000'000))));
        }
        sayOtherCharges();
        limitByScope();
        sayMembers();
        return m_verdict;
    }

private:
    void rule(FactSign sign, const QString &id, const QString &sentence)
    {
        m_verdict.rules.append({ id, sentence, sign });
    }
    void settle(SettledBy by, const QString &sentence)
    {
        if (!openSentences(m_verdict).contains(sentence)) {
            m_verdict.open.append({ by, sentence });
        }
    }
    void atMost(Certainty certainty) { m_verdict.certainty = std::min(m_verdict.certainty, certainty); }
    int count(Outcome outcome) const { return m_count[int(outcome)]; }

    static QString nameOf(const IntentFacts &intent) { return displayText(intent.label, 200); }

    /// Effects seen for certain: of several types that prove, one command shows each of them.
    static qint64 leastEffects(const IntentFacts &intent)
    {
        qint64 most = 0;
        for (const EffectFact &effect : intent.effects) {
            most = effect.proves && effect.readable ? std::max(most, effect.count) : most;
        }
        return most;
    }

    Outcome outcomeOf(const IntentFacts &intent)
    {
        const QString name = nameOf(intent);
        const qint64 seen = leastEffects(intent);
        const auto proves = [](const EffectFact &effect) { return effect.proves; };
        const bool declared = std::any_of(intent.effects.begin(), intent.effects.end(), proves);
        const bool readable = std::all_of(
            intent.effects.begin(), intent.effects.end(), [](const EffectFact &e) { return !e.proves || e.readable; });
        const bool all = std::all_of(intent.effects.begin(), intent.effects.end(),
            [](const EffectFact &e) { return !e.proves || (e.readable && e.count > 0); });
        if (intent.external) {
            m_external = true;
            m_provider = m_provider || intent.provider;
        }
        if (seen > 1) {
            rule(FactSign::Yes, u"several-effects"_s,
                Tr::tr("%1 has %2 effects of one type.").arg(name, QString::number(seen)));
            return Outcome::DoneSeveral;
        }
        if (intent.state == KeyState::InProgress || intent.state == KeyState::Pending) {
            sayUnfinished(intent, name, seen);
            return Outcome::Unfinished;
        }
        if (intent.state == KeyState::Succeeded && !intent.answer.isEmpty()) {
            m_answers.insert(intent.answer, name);
            m_charges.append({ name, intent.charge });
        }
        if (!declared) {
            rule(FactSign::Unknown, u"no-effect-declared"_s,
                Tr::tr("The profile of %1 declares no effect that proves what happened.").arg(name));
            settle(SettledBy::Hand, Tr::tr("Declare the effect in the profile, or look for it by hand."));
            return Outcome::Missing;
        }
        if (!readable) {
            sayUnreadable(intent, name);
            return Outcome::Missing;
        }
        return outcomeOfReadable(intent, name, seen, all);
    }

    /// Every effect that proves it was looked for where it would stand.
    static bool evidenceWasRead(const IntentFacts &intent)
    {
        int proving = 0;
        for (const EffectFact &effect : intent.effects) {
            proving += effect.proves ? 1 : 0;
            if (effect.proves && !effect.readable) {
                return false;
            }
        }
        return proving > 0;
    }

    /// Somebody is at it still, or nobody is any more and it waits for a person.
    void sayUnfinished(const IntentFacts &intent, const QString &name, qint64 seen)
    {
        if (!intent.stuck) {
            m_allStuck = false;
            rule(FactSign::Unknown, u"in-progress"_s,
                Tr::tr("%1 is in progress: a worker may still finish it.").arg(name));
            settle(SettledBy::Hand, Tr::tr("Wait until it is finished."));
        } else {
            m_stuckSeconds = std::max(m_stuckSeconds, intent.stuckSeconds);
            rule(FactSign::No, u"stuck"_s,
                intent.stuckSeconds
                    ? Tr::tr("%1 is stuck: its lease ended %2 ago.").arg(name, durationText(*intent.stuckSeconds))
                    : Tr::tr("%1 is stuck: its lease ended.").arg(name));
            settle(SettledBy::Recovery,
                evidenceWasRead(intent) ? Tr::tr("Recover it: the evidence shows how it must end.")
                                        : Tr::tr("Decide it by hand in Recovery: the evidence does not settle it."));
        }
        if (seen > 0) {
            rule(FactSign::Yes, u"effect-before-end"_s, Tr::tr("The effect of %1 is there already.").arg(name));
        }
    }

    /// Evidence that was not read, or that was and says nothing.
    void sayUnreadable(const IntentFacts &intent, const QString &name)
    {
        QString doubt;
        for (const EffectFact &effect : intent.effects) {
            doubt = doubt.isEmpty() && effect.proves && !effect.readable ? effect.doubt : doubt;
        }
        if (doubt.isEmpty()) {
            rule(FactSign::Unknown, u"effect-unreadable"_s,
                Tr::tr("An effect of %1 could not be read; there may be one.").arg(name));
            settle(SettledBy::Hand, Tr::tr("Read the effect with a role that may."));
            return;
        }
        rule(FactSign::Unknown, u"effect-unreadable"_s,
            Tr::tr("Finding no effect of %1 proves nothing. %2").arg(name, doubt));
        settle(SettledBy::Hand, Tr::tr("Look for the effect by hand."));
    }

    Outcome outcomeOfReadable(const IntentFacts &intent, const QString &name, qint64 seen, bool all)
    {
        switch (intent.state) {
        case KeyState::Succeeded:
            if (all) {
                rule(FactSign::Yes, u"succeeded-with-effect"_s, Tr::tr("%1 succeeded and has one effect.").arg(name));
                return Outcome::Done;
            }
            rule(FactSign::No, u"succeeded-without-effect"_s,
                Tr::tr("%1 is marked as succeeded, but not every effect that proves it is there.").arg(name));
            settle(SettledBy::Hand, Tr::tr("Find out whether the effect was removed, or never made."));
            return Outcome::Missing;
        case KeyState::FailedFinal:
        case KeyState::FailedRetryable:
            if (seen > 0) {
                rule(FactSign::No, u"failed-with-effect"_s,
                    Tr::tr("%1 is marked as failed, but an effect of it is there.").arg(name));
                settle(SettledBy::Hand, Tr::tr("Find out why the row and its effect disagree."));
                m_contradiction = true;
                return Outcome::Done;
            }
            rule(FactSign::Yes, u"failed-without-effect"_s, Tr::tr("%1 failed and has no effect.").arg(name));
            m_retryable = m_retryable || intent.state == KeyState::FailedRetryable;
            return Outcome::Nothing;
        case KeyState::Pending:
        case KeyState::InProgress:
        case KeyState::Unknown:
            break;
        }
        rule(FactSign::Unknown, u"state-unknown"_s,
            Tr::tr("The state of %1 is not mapped to any that the console knows.").arg(name));
        settle(SettledBy::Hand, Tr::tr("Map its status in the profile."));
        return Outcome::Missing;
    }

    /// Effects of it that no intent before it had, too: several intents may have led to one. seen: by type and number.
    static qint64 furtherEffects(const IntentFacts &intent, QSet<QString> &seen)
    {
        qint64 most = 0;
        for (const EffectFact &effect : intent.effects) {
            if (!effect.proves || !effect.readable) {
                continue;
            }
            qint64 further
                = effect.ids.contains(QString()) ? effect.count : std::max<qint64>(0, effect.count - effect.ids.size());
            for (const QString &id : effect.ids) {
                const QString name = effect.type + u'/' + id;
                if (!id.isEmpty() && !seen.contains(name)) {
                    seen.insert(name);
                    ++further;
                }
            }
            most = std::max(most, further);
        }
        return most;
    }

    void decide();
    void decideSeveral();
    void decideByAnswers();
    bool differentMatters() const;
    void sayOtherCharges();
    void decideSingle();
    void limitByScope();
    void sayMembers();
    bool sayMember(const MemberFact &member);
    void decideUnfinished();
    QString replaysInWords() const;
    qint64 conflicts() const
    {
        qint64 sum = 0;
        for (const IntentFacts &intent : m_facts.intents) {
            sum += intent.conflicts.value_or(0);
        }
        return sum;
    }

    const VerdictFacts &m_facts;
    Verdict m_verdict;
    int m_count[5] = {};
    bool m_contradiction = false;
    bool m_retryable = false;
    bool m_external = false;
    bool m_provider = false;
    bool m_allStuck = true; ///< of what is not finished
    std::optional<qint64> m_stuckSeconds; ///< of what is stuck for the longest
    QMap<QString, QString>
        m_answers; ///< different ones of intents that succeeded by their own word, with one intent's name
    QList<std::pair<QString, StoredCharge>> m_charges; ///< of the same, by name
    qint64 m_mostOfOne = 0; ///< of one intent
    qint64 m_doneEffects = 0; ///< of the intents that are done
    std::optional<qint64> m_replays; ///< of those done; nothing: none is recorded
};

void VerdictJudge::decide()
{
    m_verdict.certainty = Certainty::Proven;
    const bool shared = count(Outcome::Done) > 1 && m_doneEffects == 1;
    if (count(Outcome::DoneSeveral) > 0) {
        m_verdict.kind = VerdictKind::SeveralEffects;
        m_verdict.sentence = Tr::tr("One request had more than one effect: %1 were seen.").arg(m_mostOfOne);
    } else if (count(Outcome::Done) > 1 && !shared) {
        decideSeveral();
    } else if (count(Outcome::Unfinished) > 0) {
        decideUnfinished();
    } else if (count(Outcome::Missing) > 0 && m_answers.size() > 1) {
        decideByAnswers();
    } else if (count(Outcome::Missing) > 0) {
        m_verdict.kind = VerdictKind::EvidenceMissing;
        m_verdict.sentence = Tr::tr("Evidence is missing, so what happened is not known.");
        atMost(Certainty::Open);
    } else if (shared) {
        m_verdict.kind = VerdictKind::OneEffect;
        rule(FactSign::Yes, u"effect-shared"_s, Tr::tr("The requests led to one and the same effect."));
        m_verdict.sentence
            = Tr::tr("%1 requests led to one and the same effect: it happened once.").arg(count(Outcome::Done));
    } else {
        decideSingle();
    }
    if (m_contradiction) {
        atMost(Certainty::Likely);
    }
}

/// What is in progress may end by itself; what is stuck does not.
void VerdictJudge::decideUnfinished()
{
    atMost(Certainty::Open);
    if (m_allStuck) {
        m_verdict.kind = VerdictKind::Stuck;
        m_verdict.sentence
            = m_stuckSeconds ? Tr::tr("Stuck for %1").arg(durationText(*m_stuckSeconds)) : Tr::tr("Stuck");
        m_verdict.sentence += m_verdict.effects == 0
            ? Tr::tr(", outcome unknown.")
            : Tr::tr("; %n effect(s) are there already.", nullptr, int(std::min<qint64>(m_verdict.effects, 1'000'000)));
        return;
    }
    m_verdict.kind = VerdictKind::Unfinished;
    m_verdict.sentence = m_verdict.effects > 0 ? Tr::tr("%n effect(s) are there, and work is still in progress.",
                             nullptr, int(std::min<qint64>(m_verdict.effects, 1'000'000)))
                                               : Tr::tr("In progress: the outcome is not known yet.");
}

/// Several intents were done, and more than one effect is there.
void VerdictJudge::decideSeveral()
{
    m_verdict.kind = VerdictKind::SeveralIntents;
    const bool twice = m_facts.alike && count(Outcome::Done) == 2 && m_doneEffects == 2;
    m_verdict.sentence = twice ? Tr::tr("Same request under two keys: carried out twice.")
                               : Tr::tr("%1 requests had %2 effects.").arg(count(Outcome::Done)).arg(m_doneEffects);
    if (m_facts.alike) {
        rule(FactSign::Yes, u"intents-alike"_s, Tr::tr("Same request under different keys."));
        m_verdict.sentence
            += twice ? QString() : u' ' + Tr::tr("Same request, different keys: carried out more than once.");
    } else {
        if (m_facts.fingerprintsDiffer) {
            rule(FactSign::No, u"fingerprints-differ"_s,
                Tr::tr("Their stored fingerprints differ, so these requests were not the same."));
        }
        m_verdict.sentence += u' ' + Tr::tr("Only a person can say whether they were meant as one.");
        settle(SettledBy::Hand, Tr::tr("Ask whether one or several commands were meant."));
        atMost(Certainty::Likely);
    }
    if (count(Outcome::Unfinished) + count(Outcome::Missing) > 0) {
        m_verdict.sentence += u' ' + Tr::tr("What became of the rest is not known.");
        atMost(Certainty::Likely);
    }
}

/// No effect was found, or none is declared, but what the services stored as their answers speaks.
void VerdictJudge::decideByAnswers()
{
    QStringList shown;
    for (auto it = m_answers.cbegin(); it != m_answers.cend() && shown.size() < 3; ++it) {
        shown += displayText(it.key(), 80);
    }
    const QString list = shown.join(u"; "_s) + (m_answers.size() > shown.size() ? u"; …"_s : QString());
    rule(FactSign::No, u"answers-differ"_s,
        Tr::tr("The stored answers of the requests name different results: %1.").arg(list));
    settle(SettledBy::Hand,
        Tr::tr("Look for these results where they are kept: at the provider, or in another database."));
    if (differentMatters()) {
        m_verdict.kind = VerdictKind::EvidenceMissing;
        m_verdict.sentence = Tr::tr("%1 requests are marked as succeeded, of different customers or amounts: %2.")
                                 .arg(m_answers.size())
                                 .arg(list)
            + u' ' + Tr::tr("They look like different purchases; no declared effect proves it.");
        atMost(Certainty::Open);
        return;
    }
    m_verdict.kind = VerdictKind::SeveralIntents;
    m_verdict.sentence = Tr::tr("%1 requests are marked as succeeded, each with a result of its own: %2.")
                             .arg(m_answers.size())
                             .arg(list)
        + u' ' + Tr::tr("It looks as if it was done more than once; no declared effect proves it.");
    if (const QString repeated = repeatedCharge(m_charges); !repeated.isEmpty()) {
        rule(FactSign::Yes, u"two-charges"_s, repeated);
        settle(SettledBy::Hand, Tr::tr("Ask whether the customer meant to pay once or twice."));
    }
    atMost(Certainty::Likely);
}

/// Each of them tells of another customer or amount than all others.
bool VerdictJudge::differentMatters() const
{
    for (qsizetype i = 0; i < m_charges.size(); ++i) {
        for (qsizetype j = i + 1; j < m_charges.size(); ++j) {
            if (!m_charges.at(i).second.differs(m_charges.at(j).second)) {
                return false;
            }
        }
    }
    return true;
}

/// What was not asked about, and may well be the same purchase.
void VerdictJudge::sayOtherCharges()
{
    if (m_facts.otherCharges.isEmpty()) {
        return;
    }
    QStringList names;
    for (const QString &key : m_facts.otherCharges) {
        names += displayText(key, 100);
    }
    rule(FactSign::No, u"other-charges"_s,
        Tr::tr("Other keys hold a charge of the same customer and amount within an hour: %1.")
            .arg(names.join(u", "_s)));
    settle(SettledBy::Search, Tr::tr("Get one verdict of these keys together: it may have been done more than once."));
    atMost(Certainty::Likely);
}

/// At most one intent was done, and all could be read.
void VerdictJudge::decideSingle()
{
    const bool done = count(Outcome::Done) == 1;
    if (const qint64 refused = conflicts(); refused > 0) {
        rule(FactSign::Yes, u"conflict-refused"_s,
            Tr::tr("The key came again with another request, which was refused (%n times).", nullptr,
                int(std::min<qint64>(refused, 1'000'000))));
        m_verdict.kind = VerdictKind::ConflictRefused;
        m_verdict.sentence = done ? Tr::tr("The key was used again for another request. The second was refused; only "
                                           "the first took effect.")
                                  : Tr::tr("The key was used again for another request. That one was refused and did "
                                           "nothing, and the first had no effect either.");
    } else if (done) {
        m_verdict.kind = VerdictKind::OneEffect;
        m_verdict.sentence = Tr::tr("There was one effect.") + u' ' + replaysInWords();
    } else {
        m_verdict.kind = VerdictKind::NothingDone;
        m_verdict.sentence = Tr::tr("It failed, and nothing was done.");
    }
    if (m_retryable) {
        rule(FactSign::Unknown, u"may-be-retried"_s, Tr::tr("A failed request may be tried again."));
        m_verdict.sentence += u' ' + Tr::tr("It may still be tried again.");
        atMost(Certainty::Likely);
    }
    const bool conflictsKnown = std::all_of(m_facts.intents.begin(), m_facts.intents.end(),
        [](const IntentFacts &intent) { return intent.conflicts.has_value(); });
    if (!conflictsKnown) {
        rule(FactSign::Unknown, u"conflicts-not-recorded"_s, Tr::tr("Refused reuses of the key are not recorded."));
        settle(SettledBy::Logs, Tr::tr("Import the services' or the server's log of that time."));
    }
}

/// What lies outside of the rows at hand.
void VerdictJudge::limitByScope()
{
    const bool claimsAll
        = m_verdict.kind != VerdictKind::SeveralEffects && m_verdict.kind != VerdictKind::SeveralIntents;
    if (claimsAll && !m_facts.searchedAll) {
        rule(FactSign::Unknown, u"not-all-searched"_s,
            Tr::tr("Not every scope and table was searched for further requests."));
        settle(SettledBy::Search, Tr::tr("Search all scopes and tables for the same business reference."));
        atMost(Certainty::Likely);
    }
    if (claimsAll && m_facts.purged != sql::Known::No) {
        rule(FactSign::Unknown, u"history-purged"_s,
            m_facts.purged == sql::Known::Yes ? Tr::tr("Rows of that time were purged.")
                                              : Tr::tr("Whether rows of that time were purged is not known."));
        settle(SettledBy::Trail, Tr::tr("Check the audit log and archives for purges."));
        atMost(Certainty::Likely);
    }
    bool stated = false;
    for (const IntentFacts &intent : m_facts.intents) {
        for (const QString &statement : intent.statements) {
            rule(FactSign::Unknown, u"provider-statement"_s, Tr::tr("Provider's statement: %1").arg(statement));
            stated = true;
        }
    }
    if (m_external) {
        rule(FactSign::Unknown, u"effect-external"_s,
            Tr::tr("The effect happens outside this database, which keeps only a note of it."));
        settle(m_provider ? SettledBy::Provider : SettledBy::Hand,
            stated ? Tr::tr("See whether the provider's statement is about this request.")
                : m_provider
                ? Tr::tr("Compare with the provider's own record.")
                : Tr::tr("Compare with the provider's own record by hand: the profile names no provider."));
        atMost(Certainty::Likely);
    }
}

/// What one other member holds. True where that speaks for a second effect.
bool VerdictJudge::sayMember(const MemberFact &member)
{
    const QString label = displayText(member.label, 60);
    const auto keys = [](const QStringList &hostile) {
        QStringList names;
        for (const QString &key : hostile) {
            names += displayText(key, 100);
        }
        return names.join(u", "_s);
    };
    const auto many = [](qint64 count) { return int(std::min<qint64>(count, 1'000'000)); };
    if (!member.otherResults.isEmpty()) {
        rule(FactSign::Yes, u"member-other-result"_s,
            Tr::tr("%1 carried out the same key with another result: %2.").arg(label, keys(member.otherResults)));
    }
    if (!member.otherCharges.isEmpty()) {
        rule(FactSign::Yes, u"member-other-charge"_s,
            Tr::tr("%1 holds another charge of the same customer and amount within an hour: %2.")
                .arg(label, keys(member.otherCharges)));
    }
    if (member.same > 0) {
        rule(FactSign::Yes, u"member-same"_s,
            Tr::tr("%1 holds the same with the same result (%n match(es)).", nullptr, many(member.same)).arg(label));
    }
    if (member.apart > 0) {
        rule(FactSign::Unknown, u"member-apart"_s,
            Tr::tr("%1 holds %n further match(es), which this verdict leaves out.", nullptr, many(member.apart))
                .arg(label));
        settle(SettledBy::Hand, Tr::tr("Look at the matches in %1, too.").arg(label));
        atMost(Certainty::Likely);
    }
    if (!member.searched) {
        rule(FactSign::Unknown, u"member-not-searched"_s,
            member.why.isEmpty()
                ? Tr::tr("%1 was not searched.").arg(label)
                : Tr::tr("%1 was not searched, or not whole: %2").arg(label, displayText(member.why, 400)));
    } else if (member.same + member.apart == 0 && member.otherResults.isEmpty() && member.otherCharges.isEmpty()) {
        rule(FactSign::Yes, u"member-no-match"_s, Tr::tr("%1 was searched for the same, without a match.").arg(label));
    }
    return !member.otherResults.isEmpty() || !member.otherCharges.isEmpty();
}

/// The rows are one member's: what another one holds, or was not asked for, is no part of "once" or "nothing".
void VerdictJudge::sayMembers()
{
    if (m_facts.member.isEmpty()) {
        return;
    }
    QStringList further;
    QStringList unseen;
    for (const MemberFact &member : m_facts.elsewhere) {
        const QString label = displayText(member.label, 60);
        further += sayMember(member) ? QStringList { label } : QStringList();
        unseen += member.searched ? QStringList() : QStringList { label };
    }
    m_verdict.sentence = Tr::tr("In %1: %2", "a member of a group, the verdict on its rows")
                             .arg(displayText(m_facts.member, 60), m_verdict.sentence);
    const bool several = m_verdict.kind == VerdictKind::SeveralEffects || m_verdict.kind == VerdictKind::SeveralIntents;
    const bool settled = m_verdict.kind == VerdictKind::OneEffect || m_verdict.kind == VerdictKind::NothingDone
        || m_verdict.kind == VerdictKind::ConflictRefused;
    if (!further.isEmpty()) {
        m_verdict.sentence
            += u' ' + Tr::tr("With %1 it looks as if it was done more than once.").arg(further.join(u", "_s));
        settle(SettledBy::Hand, Tr::tr("Get a verdict in %1 as well.").arg(further.join(u", "_s)));
        m_verdict.kind = several ? m_verdict.kind : VerdictKind::SeveralIntents;
        atMost(Certainty::Likely);
    } else if (!unseen.isEmpty() && !several) {
        m_verdict.sentence += u' ' + Tr::tr("What %1 holds is not known.").arg(unseen.join(u", "_s));
        m_verdict.kind = settled ? VerdictKind::EvidenceMissing : m_verdict.kind;
        atMost(Certainty::Open);
    }
    if (!unseen.isEmpty()) {
        settle(SettledBy::Search, Tr::tr("Search again once %1 can be searched.").arg(unseen.join(u", "_s)));
    }
}

QString VerdictJudge::replaysInWords() const
{
    if (!m_replays) {
        return Tr::tr("How often it was replayed is not recorded.");
    }
    return *m_replays == 0 ? Tr::tr("It was not replayed.")
                           : Tr::tr("As far as imported logs tell, it was replayed %n times.", nullptr,
                               int(std::min<qint64>(*m_replays, 1'000'000)));
}

} // namespace

Verdict verdictOf(const VerdictFacts &facts)
{
    return VerdictJudge(facts).run();
}

} // namespace idemdesk::models
