// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "sql/cache/cache_comparison.h"

#include <QJsonValue>

namespace idemdesk::app {

/// What the cache has of one row. Nothing: it was not asked for, or the profile names none.
using CacheAnswer = std::optional<sql::Result<sql::CachedRow>>;

/// The cache that the command line names, opened once. What fails there is said on standard error, and takes nothing
/// away from what the table says.
class ShownCache
{
public:
    ShownCache(const Context &context, const sql::Target &target);

    CacheAnswer read(sql::Session &session, const sql::Target &target, const sql::KeyRecord &record);
    bool unknown() const { return m_unknown; } ///< of some row it could not be said

private:
    std::optional<sql::Result<std::unique_ptr<sql::RedisSession>>> m_opened;
    bool m_unknown = false;
};

/// The "cache" of a key's document.
QJsonValue cachedRowJson(const CacheAnswer &answer);
void printCachedRow(const CacheAnswer &answer);

} // namespace idemdesk::app
