// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/triage.h"

namespace idemdesk::models {

/// What the facts make of a stale key; the first that holds, in this order, but what cannot be read never counts as
/// "no".
enum class TriageClass { Running, EffectHappened, SafeToRetry, Abandoned, NeedsReview };
QString triageClassName(TriageClass cls); ///< "running", … as --json writes it

/// A class with what led to it and the recovery proposed.
struct TriageJudgement {
    TriageClass cls = TriageClass::NeedsReview;
    QStringList reasons; ///< whole sentences from the facts; safe to show
    QString brief; ///< what decided it, in few words; empty: the last reason does. Safe to show
    int rule = -1; ///< index into CompiledTarget::rules of the proposed recovery, -1: none
    std::optional<sql::KeyState> proposed; ///< of that rule; nothing with a rule: the row is deleted
    sql::Cell effectId; ///< what the rule's needs_effect binds, else NULL
    QString effectType;
    bool bulk = false; ///< may be part of a bulk action
};

/// Judges one key. Pure: the facts are those of one snapshot, and the server compares them again before it changes
/// anything.
TriageJudgement judgeTriage(
    const sql::Target &target, const sql::TriageFacts &facts, const sql::CompiledTarget &compiled);

} // namespace idemdesk::models
