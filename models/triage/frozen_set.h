// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/triage_rules.h"

#include <QHash>
#include <functional>

namespace idemdesk::models {

/// A key that an action would leave alone, and why.
struct SkippedKey {
    sql::KeyRecord record;
    TriageClass cls = TriageClass::NeedsReview;
    QString why; ///< a sentence
};

/// How many keys of a scope and class go to which state.
struct FrozenGroup {
    QString scope; ///< its parts joined by " / "
    std::optional<TriageClass> cls; ///< of a recovery
    QString to; ///< canonical state name, or "absent"
    qint64 rows = 0;
};

/// How many keys go from one state to another; nothing: they are deleted.
struct StateFlow {
    sql::KeyState from = sql::KeyState::InProgress;
    std::optional<sql::KeyState> to;
    qint64 rows = 0;
    bool stuck = false; ///< before

    bool operator==(const StateFlow &) const = default;
};

/// What a person is told of one row. There are thousands: no more than that is kept.
struct FrozenKey {
    sql::Cells scope;
    sql::Cell key;
    sql::KeyState state = sql::KeyState::Unknown; ///< before
    bool stuck = false; ///< before
    sql::Cell fingerprint; ///< NULL: the profile has none, or the row
    std::optional<TriageClass> cls; ///< of a recovery
};

/// The keys that an action would change, as they were seen, and those it would leave.
struct FrozenSet {
    QList<sql::FrozenRow> rows;
    QList<FrozenKey> keys; ///< by rows
    QList<SkippedKey> skipped;
    QList<FrozenGroup> groups; ///< most rows first
};

/// What becomes of which state, most keys first. compiled: of the rules that the rows name.
QList<StateFlow> flowsOf(const FrozenSet &set, const sql::CompiledTarget &compiled);

/// Takes keys out of the set: those for which `why` gives a sentence need review for that reason. compiled: of the
/// rules that the rows name.
void leaveOut(
    FrozenSet *set, const sql::CompiledTarget &compiled, const std::function<QString(const FrozenKey &)> &why);

/// Puts a frozen set together, key by key.
class FrozenSetBuilder
{
public:
    /// rows: how many there will be at most.
    FrozenSetBuilder(const sql::CompiledTarget &compiled, qsizetype rows)
        : m_compiled(compiled)
    {
        m_set.rows.reserve(rows);
        m_set.keys.reserve(rows);
    }

    /// By this rule, with the one effect that it needs, where it needs one.
    void take(const sql::TriageFacts &facts, int rule, const std::optional<TriageClass> &cls);
    void leave(const sql::TriageFacts &facts, TriageClass cls, const QString &why);
    FrozenSet finish();

private:
    const sql::CompiledTarget &m_compiled;
    FrozenSet m_set;
    QList<FrozenGroup> m_groups;
    QHash<QString, qsizetype> m_places; ///< of groups, by scope, state and class
    qsizetype m_last = -1; ///< the group that the last row went to
    sql::Cells m_lastScope;
    int m_lastRule = -1;
    std::optional<TriageClass> m_lastClass;
};

/// The state a rule leads to; nothing means that it deletes the row.
using NewState = std::optional<sql::KeyState>;

/// A recovery of what may go in bulk, each by the rule its judgement proposes; or a requeue or reclassification by the
/// first rule of that verb that fits the row, and that leads to `to` where that is given. Rows under a running lease
/// are left to their holder, unless the rule says that they may be taken.
FrozenSet freeze(const sql::Target &target, const sql::CompiledTarget &compiled, const sql::TriagePage &page,
    sql::ActionVerb verb, const std::optional<NewState> &to = std::nullopt);

/// One key, by a person's own choice of its new state (nothing: delete it). Chosen rules still ask for their effects,
/// and a key that is running is left alone.
FrozenSet freezeOne(const sql::Target &target, const sql::CompiledTarget &compiled, const sql::TriageFacts &facts,
    sql::ActionVerb verb, const std::optional<sql::KeyState> &to);

/// The states to which a person may bring this one key, by the rules that fit it; nothing in the list stands for a
/// delete.
QList<std::optional<sql::KeyState>> choicesFor(const sql::Target &target, const sql::CompiledTarget &compiled,
    const sql::TriageFacts &facts, sql::ActionVerb verb);

/// "tenant-1 / create_order"; "–" where the target has no scope.
QString scopeText(const sql::Cells &scope);

} // namespace idemdesk::models
