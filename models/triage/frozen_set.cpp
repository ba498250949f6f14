// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/frozen_set.h"

#include "models/format/display_text.h"
#include "models/triage/provider_says.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

const sql::EffectResult *resultOf(const sql::TriageFacts &facts, const QString &type)
{
    for (const sql::EffectResult &result : facts.effects) {
        if (result.type == type) {
            return &result;
        }
    }
    return nullptr;
}

bool isFor(const sql::CompiledRule &rule, const sql::TriageFacts &facts, sql::ActionVerb verb)
{
    const sql::Cell status = facts.record.role(sql::Role::Status);
    return rule.verb == verb && rule.from.contains(facts.record.state)
        && (rule.status.isEmpty() || rule.status.contains(status.null ? u"null"_s : status.text));
}

/// What keeps a row from being freed on the word that no effect of it is known: the server looks for all that would
/// prove one, whoever asks, and says the same.
QString freeingHindrance(const sql::CompiledRule &rule, const sql::TriageFacts &facts)
{
    const bool frees = rule.needsEffect.isEmpty() && rule.to != sql::KeyState::Succeeded
        && (rule.verb == sql::ActionVerb::Recover || rule.verb == sql::ActionVerb::Requeue);
    const bool again = rule.to != sql::KeyState::Succeeded && rule.to != sql::KeyState::FailedFinal;
    if (again && facts.providerUnread) {
        return Tr::tr("It may run a second time: what was recorded of the provider's statements may not be read.");
    }
    if (const QString word = again ? whyNotAgain(facts) : QString(); !word.isEmpty()) {
        return Tr::tr("It would run a second time. %1").arg(word);
    }
    for (const sql::EffectResult &effect : facts.effects) {
        if (!frees || !effect.proves) {
            continue;
        }
        const QString type = displayText(effect.type);
        if (!effect.rows.isEmpty()) {
            return Tr::tr("“%1” exists, so the work was done.").arg(type);
        }
        if (effect.blocks) {
            return Tr::tr("Finding no “%1” proves nothing. %2").arg(type, displayText(effect.error));
        }
    }
    return {};
}

/// Why a rule that is for rows like this one may not act on this one; empty where it may.
QString hindrance(const sql::CompiledRule &rule, const sql::TriageFacts &facts)
{
    if (rule.verb == sql::ActionVerb::Recover) {
        // Recovery is for what is stale; the other verbs ask for no staleness, but for a lease that is over
        // (exact reading 4).
        const bool unfinished
            = facts.record.state == sql::KeyState::Pending || facts.record.state == sql::KeyState::InProgress;
        if (unfinished && !facts.record.stale.value_or(false)) {
            return facts.record.stale ? Tr::tr("The key is not stuck; whoever claimed it may still be working.")
                                      : Tr::tr("The profile cannot say whether this key is stuck.");
        }
    } else if (!rule.live && facts.leaseRuns != sql::Known::No) {
        return facts.leaseRuns == sql::Known::Yes
            ? Tr::tr("Its lease still runs; whoever holds it may still be working.")
            : Tr::tr("Whether its lease still runs could not be read.");
    }
    if (!rule.forbidsEffect.isEmpty()) {
        const sql::EffectResult *forbidden = resultOf(facts, rule.forbidsEffect);
        const QString type = displayText(rule.forbidsEffect);
        if (forbidden == nullptr || !forbidden->error.isEmpty()) {
            return Tr::tr("Whether “%1” exists, which forbids it, is not known.").arg(type);
        }
        if (!forbidden->rows.isEmpty()) {
            return Tr::tr("“%1” exists, which forbids it.").arg(type);
        }
    }
    if (!rule.needsEffect.isEmpty()) {
        const sql::EffectResult *needed = resultOf(facts, rule.needsEffect);
        const QString type = displayText(rule.needsEffect);
        if (needed == nullptr || !needed->error.isEmpty()) {
            return Tr::tr("Whether “%1” exists, which it needs, is not known.").arg(type);
        }
        if (needed->rows.size() != 1 || needed->rows.first().id.null) {
            return needed->rows.size() > 1 ? Tr::tr("Several “%1” exist, and it needs one.").arg(type)
                : needed->rows.isEmpty()   ? Tr::tr("No “%1” exists, which it needs.").arg(type)
                                           : Tr::tr("“%1” exists without an id yet, and it needs one.").arg(type);
        }
    }
    return freeingHindrance(rule, facts);
}

bool fits(const sql::CompiledRule &rule, const sql::TriageFacts &facts, sql::ActionVerb verb)
{
    return isFor(rule, facts, verb) && hindrance(rule, facts).isEmpty();
}

/// clear: that no effect was found is why the row may be freed. The empty id says so, and the server looks again.
sql::FrozenRow rowFor(const sql::TriageFacts &facts, const sql::CompiledTarget &compiled, int rule, bool clear)
{
    sql::FrozenRow row { facts.record.identity, facts.guard, rule, {}, {} };
    const QString &needed = compiled.rules.at(rule).needsEffect;
    if (!needed.isEmpty()) {
        row.effectType = needed;
        row.effectId = resultOf(facts, needed)->rows.first().id;
    } else if (clear) {
        row.effectId = sql::Cell::of(u""_s);
    }
    return row;
}

void recover(FrozenSetBuilder &set, const sql::Target &target, const sql::CompiledTarget &compiled,
    const sql::TriageFacts &facts)
{
    const TriageJudgement judgement = judgeTriage(target, facts, compiled);
    if (judgement.bulk && judgement.rule >= 0) {
        set.take(facts, judgement.rule, judgement.cls);
    } else {
        set.leave(facts, judgement.cls, judgement.reasons.isEmpty() ? QString() : judgement.reasons.constLast());
    }
}

void byRule(FrozenSetBuilder &set, const sql::CompiledTarget &compiled, const sql::TriageFacts &facts,
    sql::ActionVerb verb, const std::optional<NewState> &to)
{
    if (facts.rowLocked != sql::Known::No) {
        set.leave(facts, TriageClass::Running, Tr::tr("A session holds the row, or whether one does cannot be read."));
        return;
    }
    QString why;
    for (qsizetype i = 0; i < compiled.rules.size(); ++i) {
        const sql::CompiledRule &rule = compiled.rules.at(i);
        if (!isFor(rule, facts, verb) || (to && rule.to != *to)) {
            continue;
        }
        const QString hindered = hindrance(rule, facts);
        if (hindered.isEmpty()) {
            set.take(facts, static_cast<int>(i), std::nullopt);
            return;
        }
        why = why.isEmpty() ? hindered : why;
    }
    const TriageClass cls = facts.leaseRuns == sql::Known::Yes ? TriageClass::Running : TriageClass::NeedsReview;
    set.leave(facts, why.isEmpty() ? TriageClass::NeedsReview : cls,
        why.isEmpty() ? Tr::tr("The profile has no rule for a key in this state.") : why);
}

/// Name of the state that the rule leads to.
QString resultOfRule(const sql::CompiledTarget &compiled, int rule)
{
    const auto &to = compiled.rules.at(rule).to;
    return to ? sql::stateName(*to) : u"absent"_s;
}

QString groupName(const QString &scope, const std::optional<TriageClass> &cls, const QString &to)
{
    return scope + QChar(0) + to + QChar(0) + (cls ? triageClassName(*cls) : QString());
}

/// Most rows first.
void sortGroups(QList<FrozenGroup> *groups)
{
    std::stable_sort(groups->begin(), groups->end(), [](const FrozenGroup &a, const FrozenGroup &b) {
        return a.rows != b.rows ? a.rows > b.rows : a.scope < b.scope;
    });
}

} // namespace

FrozenSet freeze(const sql::Target &target, const sql::CompiledTarget &compiled, const sql::TriagePage &page,
    sql::ActionVerb verb, const std::optional<NewState> &to)
{
    FrozenSetBuilder set(compiled, page.rows.size());
    for (const sql::TriageFacts &facts : page.rows) {
        if (verb == sql::ActionVerb::Recover) {
            recover(set, target, compiled, facts);
        } else {
            byRule(set, compiled, facts, verb, to);
        }
    }
    return set.finish();
}

FrozenSet freezeOne(const sql::Target &target, const sql::CompiledTarget &compiled, const sql::TriageFacts &facts,
    sql::ActionVerb verb, const std::optional<sql::KeyState> &to)
{
    FrozenSetBuilder set(compiled, 1);
    const TriageJudgement judgement = judgeTriage(target, facts, compiled);
    if (judgement.cls == TriageClass::Running) {
        set.leave(facts, judgement.cls, judgement.reasons.value(0));
        return set.finish();
    }
    QString why;
    for (qsizetype i = 0; i < compiled.rules.size(); ++i) {
        const sql::CompiledRule &rule = compiled.rules.at(i);
        if (rule.to != to || !isFor(rule, facts, verb)) {
            continue;
        }
        const QString hindered = hindrance(rule, facts);
        if (hindered.isEmpty()) {
            set.take(facts, static_cast<int>(i), judgement.cls);
            return set.finish();
        }
        why = why.isEmpty() ? hindered : why;
    }
    if (why.isEmpty()) {
        why = verb == sql::ActionVerb::Recover && facts.record.state == sql::KeyState::Succeeded
            ? Tr::tr("It has succeeded already; recover takes pending and in_progress keys.")
            : facts.record.state == sql::KeyState::Unknown
            ? Tr::tr("The profile does not know the state of this row; no action touches it.")
            : Tr::tr("The profile has no rule that brings this key there.");
    }
    set.leave(facts, judgement.cls, why);
    return set.finish();
}

void FrozenSetBuilder::take(const sql::TriageFacts &facts, int rule, const std::optional<TriageClass> &cls)
{
    // Keys of one scope come one after the other: thousands of them need their group's name made only once.
    if (m_last < 0 || m_lastRule != rule || m_lastClass != cls || m_lastScope != facts.record.scope) {
        const QString state = resultOfRule(m_compiled, rule);
        const QString scope = scopeText(facts.record.scope);
        const QString name = groupName(scope, cls, state);
        m_last = m_places.value(name, m_groups.size());
        if (m_last == m_groups.size()) {
            m_places.insert(name, m_last);
            m_groups.append({ scope, cls, state });
        }
        m_lastScope = facts.record.scope;
        m_lastRule = rule;
        m_lastClass = cls;
    }
    ++m_groups[m_last].rows;
    m_set.rows.append(rowFor(facts, m_compiled, rule,
        m_compiled.rules.at(rule).verb == sql::ActionVerb::Recover
            && (cls == TriageClass::SafeToRetry || cls == TriageClass::Abandoned)));
    const sql::KeyRecord &record = facts.record;
    m_set.keys.append({ record.scope, record.key, record.state, record.stale.value_or(false),
        record.role(sql::Role::Fingerprint), cls });
}

void FrozenSetBuilder::leave(const sql::TriageFacts &facts, TriageClass cls, const QString &why)
{
    m_set.skipped.append({ facts.record, cls, why });
}

FrozenSet FrozenSetBuilder::finish()
{
    m_set.groups = m_groups;
    sortGroups(&m_set.groups);
    return std::move(m_set);
}

QList<std::optional<sql::KeyState>> choicesFor(
    const sql::Target &target, const sql::CompiledTarget &compiled, const sql::TriageFacts &facts, sql::ActionVerb verb)
{
    QList<std::optional<sql::KeyState>> choices;
    if (judgeTriage(target, facts, compiled).cls == TriageClass::Running) {
        return choices;
    }
    for (const sql::CompiledRule &rule : compiled.rules) {
        if (fits(rule, facts, verb) && !choices.contains(rule.to)) {
            choices.append(rule.to);
        }
    }
    return choices;
}

void leaveOut(FrozenSet *set, const sql::CompiledTarget &compiled, const std::function<QString(const FrozenKey &)> &why)
{
    FrozenSet rest;
    rest.skipped = set->skipped;
    rest.groups = set->groups;
    QHash<QString, qsizetype> places;
    for (qsizetype i = 0; i < rest.groups.size(); ++i) {
        const FrozenGroup &group = rest.groups.at(i);
        places.insert(groupName(group.scope, group.cls, group.to), i);
    }
    for (qsizetype i = 0; i < set->rows.size(); ++i) {
        const FrozenKey &key = set->keys.at(i);
        const QString reason = why(key);
        if (reason.isEmpty()) {
            rest.rows.append(set->rows.at(i));
            rest.keys.append(key);
            continue;
        }
        sql::KeyRecord record;
        record.identity = set->rows.at(i).identity;
        record.scope = key.scope;
        record.key = key.key;
        record.state = key.state;
        record.stale = key.stuck;
        rest.skipped.append({ record, TriageClass::NeedsReview, reason });
        const QString to = resultOfRule(compiled, set->rows.at(i).rule);
        --rest.groups[places.value(groupName(scopeText(key.scope), key.cls, to))].rows;
    }
    rest.groups.removeIf([](const FrozenGroup &group) { return group.rows == 0; });
    sortGroups(&rest.groups);
    *set = rest;
}

QList<StateFlow> flowsOf(const FrozenSet &set, const sql::CompiledTarget &compiled)
{
    QList<StateFlow> flows;
    for (qsizetype i = 0; i < set.rows.size(); ++i) {
        const sql::KeyState from = set.keys.at(i).state;
        const auto &to = compiled.rules.at(set.rows.at(i).rule).to;
        const auto same = [&](const StateFlow &flow) { return flow.from == from && flow.to == to; };
        auto flow = std::find_if(flows.begin(), flows.end(), same);
        if (flow == flows.end()) {
            flow = flows.insert(flows.end(), { from, to, 0, set.keys.at(i).stuck });
        }
        ++flow->rows;
    }
    std::stable_sort(
        flows.begin(), flows.end(), [](const StateFlow &a, const StateFlow &b) { return a.rows > b.rows; });
    return flows;
}

QString scopeText(const sql::Cells &scope)
{
    QStringList parts;
    for (const sql::Cell &cell : scope) {
        parts += cell.null ? u"–"_s : cell.text;
    }
    return parts.isEmpty() ? u"–"_s : parts.join(u" / "_s);
}

} // namespace idemdesk::models
