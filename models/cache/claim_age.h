// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"
#include "sql/types/profile.h"

#include <optional>

namespace idemdesk::models {

// A service claims a key in the cache first, and makes or changes its row a moment later: until that is committed the
// row of a claim that is right looks finished, or as if it were not there. So a claim is left alone for its first
// minute.

/// For how long a claim has been there by now, in milliseconds: by what is left of the profile's "ttl", so at least
/// that long if it was written with that. Nothing: it cannot be told. The entry never expires, or later than the
/// profile says, or was written with less; or the profile names no time; or there is no row that it could be held
/// against.
std::optional<qint64> leastAgeMs(const sql::CacheSpec &spec, const sql::CachedEntry &seen);

/// Why a claim may not be released yet; nothing where it may. ageless: a person said that it may where its age cannot
/// be told.
std::optional<sql::Error> tooYoungToRelease(
    const sql::CacheSpec &spec, const sql::CachedEntry &seen, bool ageless = false);

} // namespace idemdesk::models
