// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/cache/redis_session.h"
#include "sql/session/session.h"
#include "sql/types/cache.h"

#include <optional>

namespace idemdesk::sql {

/// Deletes one entry of the cache that claims what is not so. First the server looks at the row, decides, and writes
/// the request to the trail (idemdesk.open_release); then the cache compares and deletes in one step; then what came of
/// it is written (idemdesk.close_release). Needs a session that may write, whose login is an operator, and a cache that
/// is a primary. An error means that nothing was deleted, but for ConnectionLost after the deletion: its text says what
/// is known.
Result<ReleaseAnswer> releaseClaim(Session &session, RedisSession &cache, const ReleaseRequest &request);

/// A release as the console has it.
struct SeenRelease {
    QString entry; ///< its name in the cache; hostile
    QString requestedBy;
    QString requestedAt; ///< RFC 3339, UTC
    QString reason;
    QString outcome; ///< as releaseOutcomeName(); empty: nobody said
};
/// The release of this id; nothing where there is none, as far as this login may see them.
std::optional<SeenRelease> seenRelease(Session &session, const QString &id);

} // namespace idemdesk::sql
