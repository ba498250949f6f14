// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/cache/redis_session.h"
#include "sql/session/session.h"
#include "sql/types/cache.h"
#include "sql/types/profile.h"

namespace idemdesk::sql {

/// How the cache in front of a table is at one moment.
struct CacheSample {
    CacheFacts before; ///< of the look itself, which counts as hits and misses
    CacheFacts after;
    qint64 judged = 0; ///< entries whose time to live was compared with its baseline
    qint64 off = 0; ///< of these, how many never expire or live too long
    qint64 crowded = 0; ///< entries that expire in the fullest crowded minute; 0 where none is crowded
};

/// Looks at the cache alone, at no more than `most` entries: its values are not read. Runs on the calling thread.
Result<CacheSample> readCacheSample(RedisSession &cache, const Profile &profile, qsizetype most = 2'000);

/// Keeps a sample with those of a registered table (idemdesk.take_cache_sample); gives how many numbers were stored, 0
/// where this minute was taken. The session must not be read-only, and its login an operator.
Result<qint64> storeCacheSample(Session &session, const QString &registeredName, const CacheSample &sample);

} // namespace idemdesk::sql
