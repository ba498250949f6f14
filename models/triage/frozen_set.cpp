// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/triage/frozen_set.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(idemdesk::models::FrozenSet)
};

const sql::EffectResult *resultOf(const sql::TriageFacts &facts, const QString &type)
{
    for (const sql::EffectResult &result : facts.effects) {
        if (result.type == type) {
            return &result;
        }
    }
    return nullptr;
}

bool fits(const sql::CompiledRule &rule, const sql::TriageFacts &facts, sql::ActionVerb verb)
{
    const sql::Cell status = facts.record.role(sql::Role::Status);
    if (rule.verb != verb || !rule.from.contains(facts.record.state)
        || (!rule.status.isEmpty() && !rule.status.contains(status.null ? u"null"_s : status.text))) {
        return false;
    }
    if (!rule.forbidsEffect.isEmpty()) {
        const sql::EffectResult *forbidden = resultOf(facts, rule.forbidsEffect);
        if (forbidden == nullptr || !forbidden->error.isEmpty() || !forbidden->rows.isEmpty()) {
            return false;
        }
    }
    if (!rule.needsEffect.isEmpty()) {
        const sql::EffectResult *needed = resultOf(facts, rule.needsEffect);
        return needed != nullptr && needed->error.isEmpty() && needed->rows.size() == 1 && !needed->rows.first().id.null;
    }
    return true;
}

/// Recovery is for what is stale; the other verbs ask for no staleness (exact reading 4).
bool mayBeRecovered(const sql::TriageFacts &facts)
{
    const bool unfinished = facts.record.state == sql::KeyState::Pending || facts.record.state == sql::KeyState::InProgress;
    return !unfinished || facts.record.stale.value_or(false);
}

sql::FrozenRow rowFor(const sql::TriageFacts &facts, const sql::CompiledTarget &compiled, int rule)
{
    sql::FrozenRow row { facts.record.identity, facts.guard, rule, {}, {} };
    const QString &needed = compiled.rules.at(rule).needsEffect;
    if (!needed.isEmpty()) {
        row.effectType = needed;
        row.effectId = resultOf(facts, needed)->rows.first().id;
    }
    return row;
}

class Freezer
{
public:
    Freezer(const sql::Target &target, const sql::CompiledTarget &compiled)
        : m_target(target)
        , m_compiled(compiled)
    {
    }

    void recover(const sql::TriageFacts &facts)
    {
        const TriageJudgement judgement = judge(m_target, facts, m_compiled);
        if (!judgement.bulk || judgement.rule < 0) {
            m_set.skipped.append({ facts.record, judgement.cls, judgement.reasons.isEmpty() ? QString() : judgement.reasons.constLast() });
            return;
        }
        sql::FrozenRow row { facts.record.identity, facts.guard, judgement.rule, judgement.effectId, judgement.effectType };
        take(facts, row, judgement.cls);
    }

    void byRule(const sql::TriageFacts &facts, sql::ActionVerb verb)
    {
        if (facts.rowLocked != sql::Known::No) {
            m_set.skipped.append({ facts.record, TriageClass::Running, Tr::tr("A session holds the row, or whether one does cannot be read.") });
            return;
        }
        for (qsizetype i = 0; i < m_compiled.rules.size(); ++i) {
            if (fits(m_compiled.rules.at(i), facts, verb)) {
                take(facts, rowFor(facts, m_compiled, static_cast<int>(i)), std::nullopt);
                return;
            }
        }
        m_set.skipped.append({ facts.record, TriageClass::NeedsReview, Tr::tr("The profile has no rule for a key in this state.") });
    }

    void chosen(const sql::TriageFacts &facts, sql::ActionVerb verb, const std::optional<sql::KeyState> &to)
    {
        const TriageJudgement judgement = judge(m_target, facts, m_compiled);
        if (judgement.cls == TriageClass::Running) {
            m_set.skipped.append({ facts.record, judgement.cls, judgement.reasons.value(0) });
            return;
        }
        for (qsizetype i = 0; i < m_compiled.rules.size(); ++i) {
            const sql::CompiledRule &rule = m_compiled.rules.at(i);
            if (rule.to == to && fits(rule, facts, verb) && (verb != sql::ActionVerb::Recover || mayBeRecovered(facts))) {
                take(facts, rowFor(facts, m_compiled, static_cast<int>(i)), judgement.cls);
                return;
            }
        }
        m_set.skipped.append({ facts.record, judgement.cls, Tr::tr("The profile has no rule that brings this key there.") });
    }

    FrozenSet take()
    {
        m_set.groups = m_groups.values();
        std::stable_sort(m_set.groups.begin(), m_set.groups.end(), [](const FrozenGroup &a, const FrozenGroup &b) {
            return a.rows != b.rows ? a.rows > b.rows : a.scope < b.scope;
        });
        return std::move(m_set);
    }

private:
    void take(const sql::TriageFacts &facts, const sql::FrozenRow &row, const std::optional<TriageClass> &cls)
    {
        const auto &to = m_compiled.rules.at(row.rule).to;
        const QString state = to ? sql::stateName(*to) : u"absent"_s;
        FrozenGroup &group = m_groups[scopeText(facts.record.scope) + QChar(0) + state + QChar(0) + (cls ? triageClassName(*cls) : QString())];
        group.scope = scopeText(facts.record.scope);
        group.cls = cls;
        group.to = state;
        ++group.rows;
        m_set.rows.append(row);
        m_set.records.append(facts.record);
    }

    const sql::Target &m_target;
    const sql::CompiledTarget &m_compiled;
    FrozenSet m_set;
    QHash<QString, FrozenGroup> m_groups;
};

} // namespace

FrozenSet freeze(const sql::Target &target, const sql::CompiledTarget &compiled, const sql::TriagePage &page, sql::ActionVerb verb)
{
    Freezer freezer(target, compiled);
    for (const sql::TriageFacts &facts : page.rows) {
        if (verb == sql::ActionVerb::Recover) {
            freezer.recover(facts);
        } else {
            freezer.byRule(facts, verb);
        }
    }
    return freezer.take();
}

FrozenSet freezeOne(const sql::Target &target, const sql::CompiledTarget &compiled, const sql::TriageFacts &facts, sql::ActionVerb verb,
    const std::optional<sql::KeyState> &to)
{
    Freezer freezer(target, compiled);
    freezer.chosen(facts, verb, to);
    return freezer.take();
}

QList<std::optional<sql::KeyState>> choicesFor(const sql::Target &target, const sql::CompiledTarget &compiled, const sql::TriageFacts &facts,
    sql::ActionVerb verb)
{
    QList<std::optional<sql::KeyState>> choices;
    if (judge(target, facts, compiled).cls == TriageClass::Running || (verb == sql::ActionVerb::Recover && !mayBeRecovered(facts))) {
        return choices;
    }
    for (const sql::CompiledRule &rule : compiled.rules) {
        if (fits(rule, facts, verb) && !choices.contains(rule.to)) {
            choices.append(rule.to);
        }
    }
    return choices;
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
