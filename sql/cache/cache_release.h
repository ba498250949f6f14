// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/cache/redis_session.h"
#include "sql/session/session.h"
#include "sql/types/cache.h"

namespace idemdesk::sql {

/// Deletes one entry of the cache that claims what is not so. First the server looks at the row, decides, and writes
/// the request to the trail (idemdesk.open_release); then the cache compares and deletes in one step; then what came of
/// it is written (idemdesk.close_release). Needs a session that may write, whose login is an operator, and a cache that
/// is a primary. An error means that nothing was deleted, but for ConnectionLost after the deletion: its text says what
/// is known.
Result<ReleaseAnswer> releaseClaim(Session &session, RedisSession &cache, const ReleaseRequest &request);

/// Whether this is the id of such a release, as far as this login may see them.
bool isRelease(Session &session, const QString &id);

} // namespace idemdesk::sql
