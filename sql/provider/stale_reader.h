// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/provider/provider_target.h"

#include <QHash>

namespace idemdesk::sql {

/// Whether a rule of the profile may call a row of this state stale. What has ended waits for nobody.
bool mayBeStale(const Profile &profile, KeyState state);

/// Whether the profile calls these rows stale at `now`, by their identities as cellsToJson writes them. Meant for the
/// few rows of a slim target of which people ask. A row of which it cannot be told is not in it: no rule, no index that
/// finds the row, a rule that fails on it or may not be read. Errors: ConnectionLost, Cancelled, Superseded, Timeout.
Result<QHash<QString, bool>> readStale(
    Session &session, const ProviderTarget &target, const QList<Cells> &identities, const Timestamp &now);

} // namespace idemdesk::sql
