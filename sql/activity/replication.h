// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <QString>
#include <optional>

namespace idemdesk::sql {

/// How far standbys are behind, or this server where it is one.
struct ReplicationLag {
    bool standby = false; ///< this server is one
    int standbys = 0; ///< that stream from this server
    bool hidden = false; ///< this login may not see how far they are
    std::optional<double> seconds; ///< the one that is furthest behind; nothing: not known, or there is none
    std::optional<qint64> bytes; ///< of the log that this standby has received and not replayed yet
    bool paused = false; ///< this standby was told to stop replaying
};

/// Reads only.
Result<ReplicationLag> readReplicationLag(Session &session);

/// One sentence about a server that is a standby, with how far it is behind; empty where it is none. What could not be
/// read is said.
QString standbyNote(Session &session);

/// Where a standby reads from, as "host:port"; empty where it reads from nowhere, or this login may not see it.
QString primaryOf(Session &session);

} // namespace idemdesk::sql
