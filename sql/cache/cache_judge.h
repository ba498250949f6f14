// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"
#include "sql/types/profile.h"

namespace idemdesk::sql {

/// An entry and the rows that it stands for.
struct CachedPair {
    CacheEntry entry;
    QList<KeyRecord> rows;
};

/// Says by the profile what is amiss between entries and their rows.
class CacheJudge
{
public:
    /// startMs: the entries' clock when the database's said `now`. rowsHidden: "no row" may mean one that is not seen.
    CacheJudge(const CacheSpec &spec, const Timestamp &now, qint64 startMs, bool rowsHidden);

    QList<CacheFindingKind> judge(const CachedPair &pair) const;
    /// What its value stands for; nothing where the profile does not say.
    std::optional<KeyState> stateOf(const CacheEntry &entry) const;
    /// When it expires, by the database's clock.
    std::optional<Timestamp> expiryOf(const CacheEntry &entry) const;
    /// The most that it can have lived for when it was written; nothing where its row does not tell.
    std::optional<qint64> writtenTtlMs(const CachedPair &pair) const;
    /// It was written with less than the baseline. Only a row that says when it was made or claimed tells that: any
    /// other change of the row, such as a recovery, comes after its claim.
    bool shortLived(const CachedPair &pair) const;
    std::optional<qint64> baselineMs() const { return m_baselineMs; }
    /// Counts what expires in each minute, and marks the crowded ones.
    QList<CacheMinute> minutesOf(const QList<CacheEntry> &entries) const;
    /// Counts what expires in spans of one width, from `now` on.
    CacheSpread spreadOf(const QList<CacheEntry> &entries) const;

private:
    void judgeState(const CachedPair &pair, QList<CacheFindingKind> *found) const;
    void judgeTtl(const CachedPair &pair, QList<CacheFindingKind> *found) const;
    qint64 longestMs() const; ///< that the service gives an entry

    const CacheSpec m_spec;
    const Timestamp m_now;
    const qint64 m_startMs;
    const bool m_rowsHidden;
    std::optional<qint64> m_baselineMs;
};

} // namespace idemdesk::sql
