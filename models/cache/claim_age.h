// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"
#include "sql/types/profile.h"

#include <optional>

namespace idemdesk::models {

// A service claims a key in the cache first, and makes or changes its row a moment later: until that is committed the
// row of a claim that is right looks finished, or as if it were not there. So a claim is left alone for its first
// minute.

/// For how long it is at least there by now, in milliseconds, if it was not written again: by what is left of the
/// profile's "ttl". Nothing: it cannot be told. The entry never expires, or later than the profile says, or the profile
/// names no time.
std::optional<qint64> leastAgeMs(const sql::CacheSpec &spec, const sql::CacheEntry &entry);

/// Why a claim may not be released yet; nothing where it may. ageless: a person said that it may where its age cannot
/// be told.
std::optional<sql::Error> tooYoungToRelease(
    const sql::CacheSpec &spec, const sql::CacheEntry &entry, bool ageless = false);

} // namespace idemdesk::models
