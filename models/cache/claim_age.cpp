// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/claim_age.h"

#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <algorithm>
#include <chrono>

namespace idemdesk::models {

namespace {

constexpr qint64 kGraceOfClaimMs = 60'000; // as a recovery has it: many a commit comes seconds after its claim

/// What is left of its time by now; the clock is that of CacheEntry::atMs.
qint64 ttlByNow(const sql::CacheEntry &entry)
{
    const auto now
        = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
    return *entry.ttlMs - std::max<qint64>(0, now.count() - entry.atMs);
}

/// The age of one that was written with the profile's "ttl".
std::optional<qint64> ageByTtlMs(const sql::CacheSpec &spec, const sql::CacheEntry &entry)
{
    const auto seconds = sql::durationSeconds(spec.ttl);
    if (!seconds || !entry.ttlMs) {
        return std::nullopt;
    }
    const qint64 written = *seconds * 1'000;
    const auto longest = qint64(double(written) * (1 + spec.jitter.toDouble() / 100));
    constexpr qint64 kSlackMs = 1'000; // a time that is read back is never longer, but for rounding
    if (*entry.ttlMs > longest + kSlackMs) {
        return std::nullopt; // it was written for longer than the profile says
    }
    return std::max<qint64>(0, written - ttlByNow(entry));
}

} // namespace

std::optional<qint64> leastAgeMs(const sql::CacheSpec &spec, const sql::CachedEntry &seen)
{
    // A claim that the service writes with less looks older than it is.
    return seen.rows.isEmpty() || seen.shortLived ? std::nullopt : ageByTtlMs(spec, seen.entry);
}

std::optional<sql::Error> tooYoungToRelease(const sql::CacheSpec &spec, const sql::CachedEntry &seen, bool ageless)
{
    const auto age = ageByTtlMs(spec, seen.entry); // what looks young may be young, whatever else is known
    if (!leastAgeMs(spec, seen) && !ageless && !(age && *age < kGraceOfClaimMs)) {
        return sql::makeError(sql::ErrorKind::Refused, Tr::tr("How old this claim is cannot be told."),
            Tr::tr("A claim that was just made is right, though its row is not there yet."),
            Tr::tr("Look whether somebody works on the key. Then “release” takes it with --any-age."));
    }
    if (age && *age < kGraceOfClaimMs) {
        return sql::makeError(sql::ErrorKind::Refused, Tr::tr("This claim may be under a minute old."),
            Tr::tr("Its row may not be committed yet, so that it only looks finished or missing."),
            Tr::tr("Try it again in %1.").arg(durationText((kGraceOfClaimMs - *age) / 1'000 + 1)));
    }
    return std::nullopt;
}

} // namespace idemdesk::models
