// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/enum_table.h"
#include "sql/types/error.h"
#include "sql/types/key_record.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// What a Redis says of itself. What it does not say, or does not tell this user, is nothing.
struct CacheFacts {
    QString version;
    QString run; ///< another one after each start of the server
    QString role; ///< "master", "slave"
    QString behind; ///< why it may lack entries that are there, in a sentence; empty: nothing says so
    std::optional<qint64> keys; ///< of this database
    std::optional<qint64> hits; ///< of the whole server since its start, as the next three
    std::optional<qint64> misses;
    std::optional<qint64> expired;
    std::optional<qint64> evicted;
    std::optional<qint64> usedMemory; ///< bytes
    std::optional<qint64> mostMemory; ///< bytes; 0: no limit
    QString policy; ///< what it does at that limit: "noeviction"

    /// Nothing where nobody asked it yet.
    std::optional<double> hitRatio() const
    {
        return hits && misses && *hits + *misses > 0 ? std::optional(double(*hits) / (double(*hits) + double(*misses)))
                                                     : std::nullopt;
    }
};

/// What the cache has under one name.
struct CacheEntry {
    enum class Kind {
        Absent,
        Text, ///< a value as services write it
        Other ///< a list, a hash and so on: no service of this kind wrote it
    };
    QByteArray name;
    Kind kind = Kind::Absent;
    QString type; ///< of an Other: "hash"
    QString value; ///< of a Text; hostile, and empty where it was not read
    bool read = false; ///< the value was read: it is no larger than was asked for, and is UTF-8
    qint64 bytes = 0; ///< of a Text
    std::optional<qint64> ttlMs; ///< nothing: it never expires, or is absent
    qint64 atMs = 0; ///< when it was read, on the reader's own clock

    bool present() const { return kind != Kind::Absent; }
    /// Whether nobody changed it meanwhile.
    bool sameContent(const CacheEntry &other) const
    {
        return kind == other.kind && type == other.type && bytes == other.bytes && value == other.value;
    }
};

/// How an entry of the cache and the table disagree; the gravest first.
enum class CacheFindingKind {
    Ahead, ///< the cache answers with an end that the row does not have
    SeveralRows, ///< one entry answers for several rows
    Behind, ///< cached as under way though the row is finished: retries wait for nothing
    WithoutRow, ///< cached, and the table has no such row
    WrongType, ///< it is no text
    UnknownValue, ///< the profile does not say what the value means
    NotCached, ///< the row is in progress and has no entry: the next retry goes to the database
    NeverExpires,
    TtlLong, ///< its time to live is above the baseline
    TtlShort ///< it was written with less than the baseline
};
/// As --json names it: "without_row".
QString cacheFindingName(CacheFindingKind kind);
std::optional<CacheFindingKind> cacheFindingFromName(const QString &name);

struct CacheFinding {
    CacheFindingKind kind = CacheFindingKind::Ahead;
    CacheEntry entry;
    QList<KeyRecord> rows; ///< that the entry stands for; empty: none
    Cells scope; ///< of the row, or as the entry's name says
    Cell key;
    std::optional<KeyState> cached; ///< what the entry's value stands for
    std::optional<qint64> writtenTtlMs; ///< of a TtlShort: what it had at most when it was written
    bool shortLived = false; ///< it was written with less than the baseline, whatever this finding tells
};

/// What came of a cached claim that was to be released.
enum class ReleaseOutcome {
    Deleted,
    Changed, ///< another value stands there by now, or it was written again: nothing was deleted
    Gone, ///< it was not there any more
    Refused, ///< by the cache
    Unknown ///< no answer came: whether it was deleted is not known
};
/// As the trail and --json name it: "deleted".
QString releaseOutcomeName(ReleaseOutcome outcome);

/// A claim that holds retries off, as it was seen.
struct ReleaseRequest {
    QString id; ///< a UUID; asking again with it does nothing twice
    QString target; ///< its registered name
    CacheEntry entry;
    QString reason;
    QString ticket; ///< may be empty
};

/// What came of it.
struct ReleaseAnswer {
    ReleaseOutcome outcome = ReleaseOutcome::Unknown;
    QList<KeyState> rows; ///< of the entry, as the server read them; empty: it has none
    Error why; ///< of Refused and Unknown
};

/// An entry with what it claims and the states of all rows that its name may stand for.
struct CachedEntry {
    CacheEntry entry;
    std::optional<KeyState> cached;
    QList<KeyState> rows; ///< empty: none
    bool shortLived = false; ///< it was written with less than the baseline: what is left tells no age
};

/// Entries that expire in one minute by the database's clock.
struct CacheMinute {
    Timestamp from;
    qint64 entries = 0;
    bool crowded = false; ///< far more than its share: their retries reach the database together
};

/// How many entries expire in which span of time. Together these are all that were looked at.
struct CacheSpread {
    qint64 widthSeconds = 0; ///< of each span; 0: there is none
    QList<qint64> entries; ///< by span; the first begins at the report's now
    qint64 later = 0; ///< behind the last span, which ends where few are left
    qint64 never = 0; ///< have no end
};

/// A cache and a table side by side: what was looked at, and what disagrees.
struct CacheReport {
    CacheFacts facts; ///< from before anything else was read, which counts as hits and misses itself
    qint64 entries = 0; ///< that were found by their names and looked at
    bool wholeCache = false; ///< these were all
    qint64 inProgress = 0; ///< rows in progress that were looked at
    bool allInProgress = false;
    qint64 recent = 0; ///< further rows
    QString recentOrder; ///< by which these are the last
    QMap<CacheFindingKind, qint64> counts; ///< of all findings
    QList<CacheFinding> findings; ///< the gravest first; at most so many of each kind as were asked for
    qint64 settled = 0; ///< disagreed first, and no longer did
    qint64 ttlChecked = 0; ///< entries of rows whose time to live could be judged by the row's own times
    std::optional<qint64> baselineSeconds;
    QList<CacheMinute> minutes; ///< in their order
    CacheSpread spread;
    QStringList notes; ///< what could not be looked at; empty: nothing
    Timestamp now; ///< the database's clock at the beginning

    bool complete() const { return wholeCache && allInProgress && notes.isEmpty(); }
};

} // namespace idemdesk::sql
