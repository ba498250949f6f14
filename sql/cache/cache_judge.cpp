// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/cache_judge.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr double kDrift = 0.15; // of the baseline (seed 000, 5)
constexpr qint64 kGraceMs = 1'000; // between the clocks of two servers, and the reading of both
constexpr qint64 kMsOfMinute = 60'000;
constexpr qint64 kMicrosOfMs = 1'000;
constexpr qint64 kCrowd = 100; // fewer do not hurt a database
constexpr double kCrowdedShares = 3;

constexpr qsizetype kMostSpans = 24;
constexpr qint64 kFarMedians = 10; // what lives longer than so many usual times would press all others into one span
constexpr qint64 kSecondsOfDay = 86'400;

/// A width that people count in, so that kMostSpans of it reach over these milliseconds.
qint64 spanSeconds(qint64 ms)
{
    const qint64 least = ms / (kMostSpans * 1'000) + 1;
    for (const qint64 width :
        { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1'800, 3'600, 7'200, 10'800, 21'600, 43'200 }) {
        if (width >= least) {
            return width;
        }
    }
    return (least + kSecondsOfDay - 1) / kSecondsOfDay * kSecondsOfDay;
}

bool underWay(KeyState state)
{
    return state == KeyState::Pending || state == KeyState::InProgress;
}

/// When the row began: an entry of it can hardly be older.
std::optional<Timestamp> beginOf(const KeyRecord &row)
{
    std::optional<Timestamp> begin;
    for (const Role role : { Role::CreatedAt, Role::ClaimedAt, Role::UpdatedAt, Role::CompletedAt }) {
        const auto at = row.time(role);
        if (at && at->finite() && (!begin || *at < *begin)) {
            begin = at;
        }
    }
    return begin;
}

bool ofOneKey(const QList<KeyRecord> &rows)
{
    return std::all_of(rows.cbegin(), rows.cend(), [&rows](const KeyRecord &row) {
        return row.scope == rows.constFirst().scope && row.key == rows.constFirst().key;
    });
}

} // namespace

CacheJudge::CacheJudge(const CacheSpec &spec, const Timestamp &now, qint64 startMs, bool rowsHidden)
    : m_spec(spec)
    , m_now(now)
    , m_startMs(startMs)
    , m_rowsHidden(rowsHidden)
{
    if (const auto seconds = durationSeconds(spec.ttl)) {
        m_baselineMs = *seconds * 1'000;
    }
}

std::optional<KeyState> CacheJudge::stateOf(const CacheEntry &entry) const
{
    if (entry.kind != CacheEntry::Kind::Text) {
        return std::nullopt;
    }
    return entry.read ? m_spec.stateOf(entry.value) : m_spec.otherValues;
}

std::optional<Timestamp> CacheJudge::expiryOf(const CacheEntry &entry) const
{
    if (!entry.ttlMs) {
        return std::nullopt;
    }
    Timestamp at = m_now;
    qint64 ms = 0;
    // A server may say anything of a time.
    if (__builtin_add_overflow(entry.atMs - m_startMs, *entry.ttlMs, &ms)
        || __builtin_mul_overflow(ms, kMicrosOfMs, &ms) || __builtin_add_overflow(at.micros, ms, &at.micros)) {
        return std::nullopt;
    }
    return at;
}

std::optional<qint64> CacheJudge::writtenTtlMs(const CachedPair &pair) const
{
    const auto begin = pair.rows.size() == 1 ? beginOf(pair.rows.constFirst()) : std::nullopt;
    const auto end = expiryOf(pair.entry);
    return begin && end ? std::optional((end->micros - begin->micros) / kMicrosOfMs) : std::nullopt;
}

bool CacheJudge::shortLived(const CachedPair &pair) const
{
    const auto begins = [](const KeyRecord &row) {
        const auto made = row.time(Role::CreatedAt);
        const auto claimed = row.time(Role::ClaimedAt);
        return (made && made->finite()) || (claimed && claimed->finite());
    };
    return std::any_of(pair.rows.cbegin(), pair.rows.cend(), begins)
        && judge(pair).contains(CacheFindingKind::TtlShort);
}

qint64 CacheJudge::longestMs() const
{
    return qint64(double(*m_baselineMs) * (1 + m_spec.jitter.toDouble() / 100));
}

QList<CacheFindingKind> CacheJudge::judge(const CachedPair &pair) const
{
    QList<CacheFindingKind> found;
    const auto inProgress = [](const KeyRecord &row) { return row.state == KeyState::InProgress; };
    if (!pair.entry.present()) {
        if (std::any_of(pair.rows.cbegin(), pair.rows.cend(), inProgress)) {
            found += CacheFindingKind::NotCached;
        }
        return found;
    }
    if (pair.rows.isEmpty() && !m_rowsHidden) {
        found += CacheFindingKind::WithoutRow;
    } else if (!pair.rows.isEmpty() && !ofOneKey(pair.rows)) {
        found += CacheFindingKind::SeveralRows;
    }
    if (pair.entry.kind == CacheEntry::Kind::Other) {
        found += CacheFindingKind::WrongType;
    } else {
        judgeState(pair, &found);
    }
    judgeTtl(pair, &found);
    return found;
}

void CacheJudge::judgeState(const CachedPair &pair, QList<CacheFindingKind> *found) const
{
    if (m_spec.values.isEmpty() && !m_spec.otherValues) {
        return;
    }
    const auto cached = stateOf(pair.entry);
    if (!cached) {
        found->append(CacheFindingKind::UnknownValue);
        return;
    }
    const auto agrees = [cached](const KeyRecord &row) {
        return row.state == *cached || row.state == KeyState::Unknown || (underWay(row.state) && underWay(*cached));
    };
    if (!pair.rows.isEmpty() && std::none_of(pair.rows.cbegin(), pair.rows.cend(), agrees)) {
        found->append(underWay(*cached) ? CacheFindingKind::Behind : CacheFindingKind::Ahead);
    }
}

/// Only what no rewriting of the entry explains: one that is written again has its whole time before it, but never more
/// than that; and one that was written with too little cannot have been there before its row.
void CacheJudge::judgeTtl(const CachedPair &pair, QList<CacheFindingKind> *found) const
{
    if (!pair.entry.ttlMs) {
        found->append(CacheFindingKind::NeverExpires);
        return;
    }
    if (!m_baselineMs) {
        return;
    }
    const auto written = writtenTtlMs(pair);
    if (double(*pair.entry.ttlMs) > double(longestMs()) * (1 + kDrift) + kGraceMs) {
        found->append(CacheFindingKind::TtlLong);
    } else if (written && double(*written) < double(*m_baselineMs) * (1 - kDrift) - kGraceMs) {
        found->append(CacheFindingKind::TtlShort);
    }
}

QList<CacheMinute> CacheJudge::minutesOf(const QList<CacheEntry> &entries) const
{
    QMap<qint64, qint64> counts;
    qint64 total = 0;
    for (const CacheEntry &entry : entries) {
        if (const auto at = expiryOf(entry)) {
            ++counts[at->micros / (kMsOfMinute * kMicrosOfMs)];
            ++total;
        }
    }
    if (counts.isEmpty()) {
        return {};
    }
    const qint64 span
        = m_baselineMs ? (longestMs() + kMsOfMinute - 1) / kMsOfMinute : counts.lastKey() - counts.firstKey() + 1;
    QList<CacheMinute> minutes;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        CacheMinute minute;
        minute.from.micros = it.key() * kMsOfMinute * kMicrosOfMs;
        minute.entries = it.value();
        minute.crowded = it.value() >= kCrowd && double(it.value()) > kCrowdedShares * double(total) / double(span);
        minutes += minute;
    }
    return minutes;
}

CacheSpread CacheJudge::spreadOf(const QList<CacheEntry> &entries) const
{
    CacheSpread spread;
    QList<qint64> left; // milliseconds that each still has
    for (const CacheEntry &entry : entries) {
        const auto at = expiryOf(entry);
        if (at) {
            left += std::max<qint64>(0, (at->micros - m_now.micros) / kMicrosOfMs);
        } else {
            ++(entry.ttlMs ? spread.later : spread.never);
        }
    }
    if (left.isEmpty()) {
        return spread;
    }
    std::sort(left.begin(), left.end());
    const qint64 median = left.at((left.size() - 1) / 2);
    qint64 far = 0;
    if (__builtin_mul_overflow(median, kFarMedians, &far)) {
        far = left.constLast();
    }
    far = std::max(far, m_baselineMs ? longestMs() : 0);
    const auto end = std::upper_bound(left.cbegin(), left.cend(), far);
    spread.later += left.cend() - end;
    const qint64 longest = *(end - 1);
    spread.widthSeconds = spanSeconds(longest);
    spread.entries.resize(qsizetype(longest / (spread.widthSeconds * 1'000)) + 1);
    for (auto it = left.cbegin(); it != end; ++it) {
        ++spread.entries[qsizetype(*it / (spread.widthSeconds * 1'000))];
    }
    return spread;
}

} // namespace idemdesk::sql
