// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/detect/role_guess.h"

namespace idemdesk::sql {

/// All that was guessed of one table.
struct Guess {
    KeyGuess key;
    RoleGuess roles;
    StatusGuess status;
    TargetKind kind = TargetKind::Request;
};

/// Writes the guess down as a complete profile: states, stale rules, guard, actions, purge, orders.
Profile makeProfile(const TableEvidence &table, const Guess &guess);

} // namespace idemdesk::sql
