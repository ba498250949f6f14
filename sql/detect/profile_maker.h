// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/detect/status_guess.h"

namespace idemdesk::sql {

/// All that was guessed of one table.
struct Guess {
    KeyGuess key;
    RoleGuess roles;
    StatusGuess status;
    TargetKind kind = TargetKind::Request;
    bool expiryIsLease = false; ///< while the work runs, the expiry ends soon: it is the lease
    bool staleAssumed = false; ///< how long work may take is an assumption
    QString cascades; ///< a table whose rows a delete here would delete or change; then none is proposed
    bool payloadKept = false; ///< a row holds what was sent: deleting it would lose that
};

/// What the sampled rows and the foreign keys say beside the roles.
void weigh(const TableEvidence &table, Guess *guess);

/// Writes the guess down as a complete profile: states, stale rules, guard, actions, purge, orders.
Profile makeProfile(const TableEvidence &table, const Guess &guess);

} // namespace idemdesk::sql
