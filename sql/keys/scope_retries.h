// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// How often the keys of a scope were tried: what a store of keys kept from happening twice.
struct ScopeRetries {
    Cells scope; ///< by the profile's scope
    qint64 first = 0; ///< keys with one attempt
    qint64 retried = 0; ///< keys with more
    qint64 most = 0; ///< attempts of the key with most
};

/// One pass over the table; the scopes with most retried keys first, at most `limit`. Needs the role attempts.
Result<QList<ScopeRetries>> readScopeRetries(Session &session, const Target &target, int limit);

} // namespace idemdesk::sql
