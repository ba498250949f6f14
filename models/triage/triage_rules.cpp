// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/triage_rules.h"

#include "models/format/display_text.h"
#include "models/keys/story_model.h"
#include "models/triage/provider_says.h"
#include "sql/types/tr.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::KeyState;
using sql::Known;
using sql::Role;

class TriageJudge
{
public:
    TriageJudge(const sql::Target &target, const sql::TriageFacts &facts, const sql::CompiledTarget &compiled)
        : m_profile(target.profile)
        , m_facts(facts)
        , m_compiled(compiled)
    {
    }

    TriageJudgement run()
    {
        if (!recoverable()) {
            return m_judgement;
        }
        if (running()) {
            m_judgement.cls = TriageClass::Running;
            return m_judgement;
        }
        const bool livenessRead = readLiveness();
        const bool evidenceRead = readEvidence();
        readProvider();
        const bool word = m_word == Verdict::Happened || (m_word == Verdict::DidNotHappen && !m_noLinkProves);
        if (m_noLinkProves && m_word == Verdict::DidNotHappen) {
            because(Tr::tr("The server frees no key whose effect cannot be looked for here."));
        }
        if (!livenessRead || !evidenceRead || (m_noLink && !word) || m_several
            || (m_foundProving > 0 && m_foundProving < m_proving) || m_word == Verdict::Unclear) {
            return m_judgement;
        }
        if (m_proving > 0 && m_foundProving == m_proving) {
            proposeSucceeded();
        } else if (m_word == Verdict::Outdated) {
            because(Tr::tr("What the provider did since is not known."));
        } else if (m_word == Verdict::Happened && m_missingProof) {
            because(Tr::tr("It happened there, and its effect is not booked here; a person has to settle it."));
        } else if (m_word == Verdict::Happened) {
            proposeByProvider();
        } else if (m_facts.expired) {
            proposeAbandoned();
        } else {
            proposeRetry();
        }
        return m_judgement;
    }

private:
    using Verdict = ProviderSays::Verdict;

    void because(const QString &sentence) { m_judgement.reasons.append(sentence); }

    /// The provider's word decides: that an effect which proves nothing could not be looked for no longer matters, and
    /// reads as if it did. Of one that proves something it stays: a charge that was made books no order here.
    void settledByProvider()
    {
        m_judgement.brief = m_brief;
        if (m_noLinkProves && m_judgement.cls == TriageClass::EffectHappened) {
            return;
        }
        for (const QString &sentence : std::as_const(m_notLookedFor)) {
            m_judgement.reasons.removeOne(sentence);
        }
    }

    /// Whether a recovery can be about this row at all (exact readings 4 and 7).
    bool recoverable()
    {
        const sql::KeyRecord &record = m_facts.record;
        if (record.key.failed() || record.role(Role::Status).failed() || record.state == KeyState::Unknown) {
            because(Tr::tr("The profile does not know the state of this row; no action touches it."));
            return false;
        }
        if (record.state == KeyState::Succeeded) {
            because(Tr::tr("The key has succeeded; there is nothing to recover."));
            return false;
        }
        const bool unfinished = record.state == KeyState::Pending || record.state == KeyState::InProgress;
        if (unfinished && !record.stale.has_value()) {
            because(Tr::tr("The profile cannot say whether this key is stuck."));
            return false;
        }
        if (unfinished && !*record.stale) {
            because(Tr::tr("The key is not stuck; whoever claimed it may still be working."));
            return false;
        }
        return true;
    }

    bool running()
    {
        const qsizetype before = m_judgement.reasons.size();
        if (m_facts.rowLocked == Known::Yes) {
            because(m_facts.lockedBy.isEmpty() ? Tr::tr("A session holds a lock on the row.")
                                               : Tr::tr("The row is locked by %1.").arg(displayText(m_facts.lockedBy)));
        }
        if (m_facts.ownerAlive == Known::Yes) {
            because(m_facts.ownerSession.isEmpty()
                    ? Tr::tr("Its owner is connected to the database.")
                    : Tr::tr("Its owner is connected to the database as %1.").arg(displayText(m_facts.ownerSession)));
        }
        if (m_facts.heartbeatFresh == Known::Yes) {
            because(Tr::tr("Its heartbeat is fresh."));
        }
        if (m_facts.advisoryHeld == Known::Yes) {
            because(Tr::tr("The advisory lock of the key is held."));
        }
        return m_judgement.reasons.size() > before;
    }

    /// False where a sign of life that this target has could not be read. A target without heartbeat, advisory lock or
    /// owner says nothing by not having one.
    bool readLiveness()
    {
        const qsizetype before = m_judgement.reasons.size();
        if (m_facts.rowLocked == Known::Unreadable) {
            because(Tr::tr("Whether the row is locked could not be read."));
        }
        if (m_profile.has(Role::Owner) && !m_facts.record.role(Role::Owner).null
            && m_facts.ownerAlive == Known::Unreadable) {
            because(Tr::tr("Whether its owner is still connected could not be read."));
        }
        if (m_profile.has(Role::HeartbeatAt) && m_facts.heartbeatFresh == Known::Unreadable) {
            because(Tr::tr("Its heartbeat could not be read."));
        }
        if (!m_profile.advisoryLock.isEmpty() && m_facts.advisoryHeld == Known::Unreadable) {
            because(Tr::tr("Whether the advisory lock of the key is held could not be read."));
        }
        return m_judgement.reasons.size() == before;
    }

    /// Each is somebody's word, so it is named with who said so.
    void readProvider()
    {
        const ProviderSays says = whatProviderSays(m_facts, m_anyFound);
        m_judgement.reasons += says.reasons;
        m_word = says.verdict;
        m_brief = says.brief;
    }

    const sql::EffectResult *resultOf(const QString &type) const
    {
        for (const sql::EffectResult &result : m_facts.effects) {
            if (result.type == type) {
                return &result;
            }
        }
        return nullptr;
    }

    /// Weighs each effect that the profile declares; one without an answer is unreadable, not absent.
    bool readEvidence()
    {
        bool readable = true;
        for (const sql::EffectSpec &spec : m_profile.effects) {
            m_proving += spec.proves ? 1 : 0;
            const sql::EffectResult *result = resultOf(spec.type);
            const QString type = displayText(spec.type);
            if (result == nullptr || !result->error.isEmpty()) {
                const bool noLink = result != nullptr && result->noLink;
                m_noLink = m_noLink || noLink; // it says nothing, which is no word against the provider's
                m_noLinkProves = m_noLinkProves || (noLink && spec.proves);
                readable = readable && noLink;
                because(result == nullptr ? Tr::tr("The evidence for “%1” was not read.").arg(type)
                        : result->unlinked
                        ? Tr::tr("Finding no “%1” proves nothing. %2").arg(type, displayText(result->error))
                        : Tr::tr("The evidence for “%1” could not be read: %2").arg(type, displayText(result->error)));
                if (noLink) {
                    m_notLookedFor += m_judgement.reasons.constLast();
                }
                continue;
            }
            if (result->rows.isEmpty()) {
                m_missingProof = m_missingProof || spec.proves;
                if (spec.proves) {
                    because(Tr::tr("No “%1” exists for this key.").arg(type));
                }
                continue;
            }
            m_anyFound = true;
            weigh(spec, *result, type);
        }
        if (readable && m_foundProving > 0 && m_foundProving < m_proving) {
            because(Tr::tr("Only a part of the effects that prove success exists."));
        }
        return readable;
    }

    void weigh(const sql::EffectSpec &spec, const sql::EffectResult &result, const QString &type)
    {
        if (result.rows.size() > 1) {
            m_several = m_several || spec.proves;
            because(Tr::tr("Several “%1” exist for this key: %2.").arg(type, QString::number(result.rows.size())));
            return;
        }
        const sql::Cell &id = result.rows.first().id;
        const QString name = id.null ? Tr::tr("(without an id yet)") : displayText(id.text);
        because(spec.proves ? Tr::tr("“%1” %2 exists and proves the effect.").arg(type, name)
                            : Tr::tr("“%1” %2 exists, which does not prove the effect.").arg(type, name));
        m_foundProving += spec.proves ? 1 : 0;
    }

    bool applies(const sql::CompiledRule &rule) const
    {
        if (rule.verb != sql::ActionVerb::Recover || !rule.from.contains(m_facts.record.state)) {
            return false;
        }
        const sql::Cell status = m_facts.record.role(Role::Status);
        if (!rule.status.isEmpty() && !rule.status.contains(status.null ? u"null"_s : status.text)) {
            return false;
        }
        if (rule.forbidsEffect.isEmpty()) {
            return true;
        }
        const sql::EffectResult *forbidden = resultOf(rule.forbidsEffect);
        return forbidden != nullptr && forbidden->error.isEmpty() && forbidden->rows.isEmpty();
    }

    /// The first rule to this state (nothing: a delete) that may act on the row.
    int ruleTo(std::optional<KeyState> to, bool needsEffect) const
    {
        for (qsizetype i = 0; i < m_compiled.rules.size(); ++i) {
            const sql::CompiledRule &rule = m_compiled.rules.at(i);
            if (rule.to == to && rule.needsEffect.isEmpty() != needsEffect && applies(rule)
                && (!needsEffect || bindable(rule.needsEffect))) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }

    /// A rule binds one proving row with an id that was read whole.
    bool bindable(const QString &type) const
    {
        const sql::EffectResult *result = resultOf(type);
        if (result == nullptr || !result->proves || result->rows.size() != 1) {
            return false;
        }
        const sql::Cell &id = result->rows.first().id;
        return !id.null && !id.failed() && !id.partial();
    }

    void propose(TriageClass cls, int rule, bool bulk)
    {
        const sql::CompiledRule &chosen = m_compiled.rules.at(rule);
        m_judgement.cls = cls;
        m_judgement.rule = rule;
        m_judgement.proposed = chosen.to;
        m_judgement.bulk = bulk;
        if (!chosen.needsEffect.isEmpty()) {
            m_judgement.effectType = chosen.needsEffect;
            m_judgement.effectId = resultOf(chosen.needsEffect)->rows.first().id;
        }
    }

    void proposeSucceeded()
    {
        const int rule = ruleTo(KeyState::Succeeded, true);
        if (rule < 0) {
            because(Tr::tr("The effect happened, but the profile has no rule that records it as succeeded."));
            return;
        }
        propose(TriageClass::EffectHappened, rule, true);
    }

    /// Never in bulk: no query proves it, so each key is one decision.
    void proposeByProvider()
    {
        const int rule = ruleTo(KeyState::Succeeded, false);
        if (rule < 0) {
            because(Tr::tr("The effect happened, but the profile has no rule that records it as succeeded without an "
                           "effect in this database."));
            return;
        }
        propose(TriageClass::EffectHappened, rule, false);
        settledByProvider();
    }

    bool local() const
    {
        return m_facts.policy >= 0 && m_facts.policy < m_profile.policies.size()
            && m_profile.policies.at(m_facts.policy).effect == "local"_L1;
    }

    /// Why the profile says that work of this scope may be done again, or empty. Its word stands in for
    /// evidence that is not declared; evidence that is declared was read, and found nothing.
    QString safeToRepeat() const
    {
        return m_facts.policy >= 0 && m_facts.policy < m_profile.policies.size()
            ? m_profile.policies.at(m_facts.policy).safeToRepeat
            : QString();
    }

    /// What only a person can weigh: without these, nothing says that the effect did not happen somewhere.
    bool provesNothingHappened()
    {
        if (m_word == Verdict::DidNotHappen) {
            return !m_anyFound;
        }
        bool clear = true;
        if (!local()) {
            because(m_facts.policy < 0 ? Tr::tr("No policy says where the effect of this scope happens.")
                                       : Tr::tr("The effect happens outside the database."));
            clear = false;
        }
        if (m_proving == 0) {
            because(m_profile.effects.isEmpty()
                    ? Tr::tr("The profile has no evidence query, so nothing shows whether the effect happened.")
                    : Tr::tr("No query of the profile proves the effect, so finding nothing shows nothing."));
            clear = false;
        }
        for (const sql::EffectResult &result : m_facts.effects) {
            if (result.proves && result.unproven) {
                because(effectDoubt(result));
                clear = false;
            }
        }
        return clear && !m_anyFound;
    }

    void proposeAbandoned()
    {
        because(Tr::tr("The key is past its expiry; no client may retry it."));
        const bool nothingHappened = provesNothingHappened();
        const int rule = ruleTo(KeyState::FailedFinal, false);
        if (rule < 0) {
            because(Tr::tr("The profile has no rule that ends this key as failed for good."));
            return;
        }
        if (m_anyFound) {
            return;
        }
        propose(TriageClass::Abandoned, rule, nothingHappened && m_word == Verdict::Nothing);
    }

    bool attemptsLeft()
    {
        const bool limited = m_facts.policy >= 0 && m_facts.policy < m_profile.policies.size()
            && !m_profile.policies.at(m_facts.policy).maxAttempts.isEmpty();
        if (!limited && !m_facts.maxAttempts) {
            return true;
        }
        if (!m_facts.maxAttempts || !m_facts.attempts) {
            because(Tr::tr("Whether attempts are left could not be read."));
            return false;
        }
        if (*m_facts.attempts >= *m_facts.maxAttempts) {
            because(
                Tr::tr("It was tried %1 times, and %2 are allowed.").arg(*m_facts.attempts).arg(*m_facts.maxAttempts));
            return false;
        }
        return true;
    }

    void proposeRetry()
    {
        const QString repeatable = safeToRepeat();
        if (!attemptsLeft() || (repeatable.isEmpty() && !provesNothingHappened())) {
            return;
        }
        int rule = ruleTo(KeyState::FailedRetryable, false);
        if (rule < 0 && m_facts.record.state != KeyState::Pending) {
            rule = ruleTo(KeyState::Pending, false);
        }
        if (rule < 0) {
            rule = ruleTo(std::nullopt, false);
        }
        if (rule < 0) {
            because(Tr::tr("The profile has no rule that frees this key for a retry."));
            return;
        }
        const bool byProvider = repeatable.isEmpty() && m_word == Verdict::DidNotHappen;
        if (!byProvider) {
            because(repeatable.isEmpty()
                    ? Tr::tr("The effect is local to the database and left nothing behind.")
                    : Tr::tr("The profile says that it may be done again: %1").arg(displayText(repeatable)));
        }
        propose(TriageClass::SafeToRetry, rule, !byProvider);
        if (byProvider) {
            settledByProvider();
        }
    }

    const sql::Profile &m_profile;
    const sql::TriageFacts &m_facts;
    const sql::CompiledTarget &m_compiled;
    TriageJudgement m_judgement;
    int m_proving = 0;
    int m_foundProving = 0;
    bool m_anyFound = false;
    bool m_several = false;
    bool m_noLinkProves = false; ///< and that effect would prove it
    bool m_noLink = false; ///< an effect cannot be looked for, as a column that leads to it is empty
    bool m_missingProof = false; ///< a query that proves the effect looked for it and found none
    QStringList m_notLookedFor; ///< reasons that say so
    Verdict m_word = Verdict::Nothing;
    QString m_brief; ///< of that word
};

} // namespace

QString triageClassName(TriageClass cls)
{
    switch (cls) {
    case TriageClass::Running:
        return u"running"_s;
    case TriageClass::EffectHappened:
        return u"effect_happened"_s;
    case TriageClass::SafeToRetry:
        return u"safe_to_retry"_s;
    case TriageClass::Abandoned:
        return u"abandoned"_s;
    case TriageClass::NeedsReview:
        break;
    }
    return u"needs_review"_s;
}

TriageJudgement judgeTriage(
    const sql::Target &target, const sql::TriageFacts &facts, const sql::CompiledTarget &compiled)
{
    return TriageJudge(target, facts, compiled).run();
}

} // namespace idemdesk::models
