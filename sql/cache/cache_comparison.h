// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/cache/redis_session.h"
#include "sql/session/session.h"
#include "sql/types/cache.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// How much of both sides is looked at.
struct CacheRequest {
    qsizetype mostEntries = 10'000;
    int mostRows = 1'000; ///< in progress, and as many recent ones
    int settleMs = 2'000; ///< what disagrees is looked at again after so long
    qsizetype mostFindings = 1'000; ///< of each kind that are kept
};

/// Looks at a sample of the cache and of the table, which profile.cache connects; Error where that is missing. Row and
/// entry are read at different moments: what disagrees is looked at again, and told only where the entry was the same
/// before and after its row was read. Runs on the calling thread and reads only.
Result<CacheReport> compareCache(
    Session &session, RedisSession &cache, const Target &target, const CacheRequest &request);

/// How the entry of a row is called; empty: a part of its scope is NULL, and how a service writes that is not known.
Result<QByteArray> cacheNameOf(const Target &target, const KeyRecord &record);
/// The entries of these names, in their order, each value cut at mostBytes, with the rows that they may stand for. A
/// name that cannot be one of this table's is a usage error.
Result<QList<CachedEntry>> readCachedEntries(
    Session &session, RedisSession &cache, const Target &target, const QList<QByteArray> &names, qint64 mostBytes);

/// The entry of one row, its value cut at mostBytes; a finding for each thing that is amiss with it, after a second
/// look as in compareCache().
struct CachedRow {
    QByteArray name; ///< empty: a part of the scope is NULL, so it is not known
    CacheEntry entry;
    std::optional<KeyState> cached;
    QList<CacheFindingKind> findings;
};
Result<CachedRow> readCachedRow(
    Session &session, RedisSession &cache, const Target &target, const KeyRecord &record, qint64 mostBytes);

} // namespace idemdesk::sql
