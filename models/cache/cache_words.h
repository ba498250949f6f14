// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"
#include "sql/types/result.h"

namespace idemdesk::models {

/// What is amiss, in a few words: "Cached without a row".
QString cacheFindingText(sql::CacheFindingKind kind);
/// What it means for the next retry, in one sentence.
QString cacheFindingMeaning(sql::CacheFindingKind kind);
/// What an entry holds: its value, hostile as it is; its size where that was not read; its type where it is no text;
/// "–" where there is none.
QString cacheValueText(const sql::CacheEntry &entry);
/// "4 min 10 s", "for ever", "–" of an entry that is not there.
QString cacheTtlText(const sql::CacheEntry &entry);

/// How much of both sides was looked at: one sentence a line.
QStringList cacheLookedAt(const sql::CacheReport &report);
/// How many findings there are of each kind, or that there are none in what was looked at.
QString cacheSummary(const sql::CacheReport &report);
/// What the server says of itself: hit ratio, memory. One sentence a line.
QStringList cacheServerTexts(const sql::CacheFacts &facts);
/// What the times to live are like: crowded minutes, how many could be judged. One sentence a line.
QStringList cacheTtlTexts(const sql::CacheReport &report);

} // namespace idemdesk::models
