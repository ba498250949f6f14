// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/frozen_set.h"
#include "sql/actions/action_gateway.h"
#include "sql/types/filter.h"

#include <optional>

namespace idemdesk::models {

/// Keys that one action takes (DESIGN 2); further ones are told, and wait for the next.
inline constexpr int kMostActionKeys = 100'000;
/// Many a commit comes seconds after a lease: a recovery of many keys may leave those alone that are stuck for less.
inline constexpr qint64 kGraceMicros = 60 * sql::kMicros;

/// What a recovery, requeue or reclassification of all keys that match a filter would do in one database.
struct ChangePlan {
    FrozenSet set;
    bool more = false; ///< further keys match
    bool partly = false; ///< not all could be looked at: "none" is then no answer
    QStringList notes; ///< what could not be read, in sentences
};

/// Which keys, and what becomes of them.
struct ChangeChoice {
    sql::ActionVerb verb = sql::ActionVerb::Recover;
    sql::Filter filter;
    std::optional<NewState> to; ///< only by rules that lead there; nothing: by the evidence, else by the first rule
    qint64 graceMicros = 0; ///< a recovery leaves keys alone that are stuck for less
};

/// Reads and judges the keys, on a lane's thread. It changes nothing. compiled: of the registration.
sql::Result<ChangePlan> planChange(
    sql::Session &session, const sql::Target &target, const sql::CompiledTarget &compiled, const ChangeChoice &choice);

/// Stuck for so little that its worker may be finishing. now: the server's.
bool stuckForAMoment(const sql::TriageFacts &facts, const sql::Timestamp &now, qint64 graceMicros = kGraceMicros);

/// The profile says how this verb goes; of a recovery the evidence of each key does.
bool hasRuleFor(const sql::CompiledTarget &compiled, sql::ActionVerb verb);

/// States that the profile's purge rules let go.
QList<sql::KeyState> purgeableStates(const sql::Profile &profile);

/// A new action with an id of its own, by the rules as they are registered now. The caller says its rows or its purge.
sql::ActionRequest newAction(
    const sql::RegisteredTarget &registered, sql::ActionVerb verb, const QString &reason, const QString &ticket);

} // namespace idemdesk::models
