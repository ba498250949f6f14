// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/cache/redis_session.h"

namespace idemdesk::sql {

/// The names that a look through the cache found.
struct CacheScan {
    QList<QByteArray> names; ///< each once
    bool whole = false; ///< to the end: every name that was there all the time
    qint64 tooLong = 0; ///< names that were left out for their length
};

/// Looks for names that match, until there are `most` of them; SCAN walks without holding the server up. A cache of
/// which most names do not match is left after a while.
Result<CacheScan> scanCache(RedisSession &cache, const QByteArray &pattern, qsizetype most);

/// What is under these names, in their order; pipelined. A value is read where it has at most `mostBytes`: its length
/// is asked first.
Result<QList<CacheEntry>> readEntries(RedisSession &cache, const QList<QByteArray> &names, qint64 mostBytes);

} // namespace idemdesk::sql
