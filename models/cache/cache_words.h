// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"
#include "sql/types/health.h"
#include "sql/types/result.h"

namespace idemdesk::models {

class TimeFormat;

/// What is amiss, in a few words: "Cached without a row".
QString cacheFindingText(sql::CacheFindingKind kind);
/// What it means for the next retry, in one sentence.
QString cacheFindingMeaning(sql::CacheFindingKind kind);
/// Problem: customers get a wrong answer, or one of another key. Advice: retries wait for nothing. Nothing: it only
/// needs a look, or none.
sql::HealthLevel cacheFindingLevel(sql::CacheFindingKind kind);
/// In which states the rows are that an entry stands for: "In progress, Succeeded", "none". Safe to show.
QString cacheRowsText(const QList<sql::KeyRecord> &rows);
/// What an entry holds: its value, hostile as it is; its size where that was not read; its type where it is no text;
/// "–" where there is none.
QString cacheValueText(const sql::CacheEntry &entry);
/// "4 min 10 s", "for ever", "–" of an entry that is not there.
QString cacheTtlText(const sql::CacheEntry &entry);

/// Whether an entry holds retries off although its row is finished or not there, so that it may be released.
bool isWrongClaim(const sql::CacheEntry &entry, std::optional<sql::KeyState> cached, const QList<sql::KeyState> &rows);
QList<sql::KeyState> statesOf(const QList<sql::KeyRecord> &rows);
/// What came of a release, in a sentence; of one that was refused, or of which nothing is known, what its error says.
QString releaseText(const sql::ReleaseAnswer &answer);

/// How much of both sides was looked at: one sentence a line.
QStringList cacheLookedAt(const sql::CacheReport &report);
/// How many findings there are of each kind, or that there are none in what was looked at.
QString cacheSummary(const sql::CacheReport &report);
/// The same where the numbers of each kind stand elsewhere: only what those do not say; may be empty.
QString cacheVerdict(const sql::CacheReport &report);
/// Of a crowded minute: how many expire in it, and what comes of that. One sentence or two.
QString crowdedMinuteText(const sql::CacheMinute &minute, const TimeFormat &format);
/// What the server says of itself: hit ratio, memory. One sentence a line.
QStringList cacheServerTexts(const sql::CacheFacts &facts);
/// What the times to live are like: crowded minutes, how many could be judged. One sentence a line.
QStringList cacheTtlTexts(const sql::CacheReport &report);

} // namespace idemdesk::models
