// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <optional>

namespace idemdesk::sql {

/// How far standbys are behind, or this server where it is one.
struct ReplicationLag {
    bool standby = false; ///< this server is one
    int standbys = 0; ///< that stream from this server
    bool hidden = false; ///< this login may not see how far they are
    std::optional<double> seconds; ///< the one that is furthest behind; nothing: not known, or there is none
};

/// Reads only.
Result<ReplicationLag> readReplicationLag(Session &session);

} // namespace idemdesk::sql
