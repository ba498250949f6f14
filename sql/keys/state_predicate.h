// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"

#include <optional>

namespace idemdesk::sql {

// Conditions over t that say in which state a row is. Each may be NULL for a row, which means that it does not hold:
// wrap it in holds() or fails() where NULL must not spread.

/// "(condition) IS TRUE" and "(condition) IS NOT TRUE".
QString holds(const QString &condition);
QString fails(const QString &condition);

/// Rows whose canonical state is one of these. A plain status column is compared as it is, so that its index serves.
/// Rows that are known to be unreadable (Target::readable) are unknown; where Target::trial is given, one that is not
/// known yet is an error.
QString stateIn(Render &render, const QList<KeyState> &states);

/// Rows with one of these raw statuses; labels the type does not have match nothing.
QString rawStatusIn(Render &render, const QStringList &raw);

/// One rule of "stale" or "purge": its states, and `by` past `after`, and `when` (exact readings 1 to 3).
QString ruleCondition(Render &render, const TimeRule &rule);

/// Any rule of "stale"; nothing where the profile cannot say.
std::optional<QString> staleCondition(Render &render);
/// The time from which the staleness of a row counts: the earliest `by` of the rules that hold for it.
QString staleSince(Render &render);

/// Everything that a rule of "retry" asks of the row, but for the payload.
QString retryCondition(Render &render, const RetryRule &rule);
/// max_attempts of the first policy that matches the row, NULL where there is none.
QString attemptsLimit(Render &render);

/// Past its retention; nothing without the role.
std::optional<QString> expiredCondition(Render &render);

/// The state of a row by its status cell as the server printed it.
KeyState stateOf(const Target &target, const Cell &status);

} // namespace idemdesk::sql
