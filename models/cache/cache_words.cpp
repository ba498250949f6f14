// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_words.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/format/time_format.h"
#include "models/keys/key_cells.h"
#include "sql/types/tr.h"

#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString percentText(double ratio)
{
    return QLocale().toString(ratio * 100, 'f', 1) + u" %"_s;
}

} // namespace

QString cacheFindingText(sql::CacheFindingKind kind)
{
    switch (kind) {
    case sql::CacheFindingKind::Ahead:
        return Tr::tr("Cache and row disagree");
    case sql::CacheFindingKind::SeveralRows:
        return Tr::tr("One entry, several keys");
    case sql::CacheFindingKind::Behind:
        return Tr::tr("Held off, though finished");
    case sql::CacheFindingKind::WithoutRow:
        return Tr::tr("Cached without a row");
    case sql::CacheFindingKind::WrongType:
        return Tr::tr("Unreadable entry");
    case sql::CacheFindingKind::UnknownValue:
        return Tr::tr("Unknown value");
    case sql::CacheFindingKind::NotCached:
        return Tr::tr("In progress, not cached");
    case sql::CacheFindingKind::NeverExpires:
        return Tr::tr("Never expires");
    case sql::CacheFindingKind::TtlLong:
        return Tr::tr("Lives too long");
    case sql::CacheFindingKind::TtlShort:
        return Tr::tr("Expires too early");
    }
    return {};
}

sql::HealthLevel cacheFindingLevel(sql::CacheFindingKind kind)
{
    switch (kind) {
    case sql::CacheFindingKind::Ahead:
    case sql::CacheFindingKind::SeveralRows:
    case sql::CacheFindingKind::WithoutRow:
        return sql::HealthLevel::Problem;
    case sql::CacheFindingKind::Behind:
    case sql::CacheFindingKind::NeverExpires:
        return sql::HealthLevel::Advice;
    case sql::CacheFindingKind::WrongType:
    case sql::CacheFindingKind::UnknownValue:
    case sql::CacheFindingKind::NotCached:
    case sql::CacheFindingKind::TtlLong:
    case sql::CacheFindingKind::TtlShort:
        break;
    }
    return sql::HealthLevel::Nothing;
}

QString cacheFindingMeaning(sql::CacheFindingKind kind)
{
    switch (kind) {
    case sql::CacheFindingKind::Ahead:
        return Tr::tr("A retry gets an answer that the table does not have.");
    case sql::CacheFindingKind::SeveralRows:
        return Tr::tr("A retry of one key gets the answer of another.");
    case sql::CacheFindingKind::Behind:
        return Tr::tr("Retries are held off until the entry expires.");
    case sql::CacheFindingKind::WithoutRow:
        return Tr::tr("Retries are held off or answered, though the table knows nothing.");
    case sql::CacheFindingKind::WrongType:
        return Tr::tr("The service cannot read it: something else wrote there.");
    case sql::CacheFindingKind::UnknownValue:
        return Tr::tr("The profile does not say what it means.");
    case sql::CacheFindingKind::NotCached:
        return Tr::tr("The next retry goes to the database.");
    case sql::CacheFindingKind::NeverExpires:
        return Tr::tr("It stays until somebody deletes it.");
    case sql::CacheFindingKind::TtlLong:
        return Tr::tr("More than 15 % above the baseline.");
    case sql::CacheFindingKind::TtlShort:
        return Tr::tr("More than 15 % below the baseline.");
    }
    return {};
}

QString cacheRowsText(const QList<sql::KeyRecord> &rows)
{
    QStringList states;
    for (const sql::KeyRecord &row : rows) {
        states += displayText(recordStateText(row));
    }
    return states.isEmpty() ? Tr::tr("none", "no row") : states.join(u", "_s);
}

QString cacheValueText(const sql::CacheEntry &entry)
{
    switch (entry.kind) {
    case sql::CacheEntry::Kind::Absent:
        return u"–"_s;
    case sql::CacheEntry::Kind::Other:
        return entry.type.isEmpty() ? Tr::tr("no text") : Tr::tr("a %1").arg(entry.type);
    case sql::CacheEntry::Kind::Text:
        break;
    }
    return entry.read ? entry.value : Tr::tr("%1, not read").arg(bytesText(entry.bytes));
}

QString cacheTtlText(const sql::CacheEntry &entry)
{
    if (!entry.present()) {
        return u"–"_s;
    }
    return entry.ttlMs ? durationText(*entry.ttlMs / 1'000) : Tr::tr("for ever");
}

bool isWrongClaim(const sql::CacheEntry &entry, std::optional<sql::KeyState> cached, const QList<sql::KeyState> &rows)
{
    const auto finished = [](sql::KeyState state) {
        return state != sql::KeyState::Pending && state != sql::KeyState::InProgress && state != sql::KeyState::Unknown;
    };
    return entry.present() && entry.read && (cached == sql::KeyState::InProgress || cached == sql::KeyState::Pending)
        && std::all_of(rows.cbegin(), rows.cend(), finished);
}

QList<sql::KeyState> statesOf(const QList<sql::KeyRecord> &rows)
{
    QList<sql::KeyState> states;
    for (const sql::KeyRecord &row : rows) {
        states += row.state;
    }
    return states;
}

QString releaseText(const sql::ReleaseAnswer &answer)
{
    switch (answer.outcome) {
    case sql::ReleaseOutcome::Deleted:
        return Tr::tr("The claim was deleted from the cache. The next retry goes to the database.");
    case sql::ReleaseOutcome::Changed:
        return Tr::tr("The entry was changed since it was seen, so it was not deleted. Look at the key again.");
    case sql::ReleaseOutcome::Gone:
        return Tr::tr("The entry was gone already; nothing was deleted.");
    case sql::ReleaseOutcome::Refused:
    case sql::ReleaseOutcome::Unknown:
        return answer.why.line();
    }
    return {};
}

QStringList cacheLookedAt(const sql::CacheReport &report)
{
    QStringList lines;
    const QString entries = Tr::tr("%Ln entry(ies) of this table", nullptr, int(report.entries));
    if (report.wholeCache) {
        lines += Tr::tr("Looked at in the cache: %1. These are all.").arg(entries);
    } else if (report.facts.keys) {
        lines += Tr::tr("Looked at in the cache: %1, of %2 keys there. There are more.")
                     .arg(entries, countText(*report.facts.keys));
    } else {
        lines += Tr::tr("Looked at in the cache: %1. There are more.").arg(entries);
    }
    const QString working = Tr::tr("%Ln row(s) in progress", nullptr, int(report.inProgress));
    const QString recent = Tr::tr("%Ln row(s) by %1", nullptr, int(report.recent)).arg(report.recentOrder);
    lines += report.allInProgress
        ? Tr::tr("Looked at in the table: %1, which are all; and %2.").arg(working, recent)
        : Tr::tr("Looked at in the table: %1, and there are more; and %2.").arg(working, recent);
    return lines;
}

QString cacheVerdict(const sql::CacheReport &report)
{
    QStringList sentences;
    if (report.counts.isEmpty()) {
        sentences += report.complete() ? Tr::tr("Cache and table agree.")
                                       : Tr::tr("Nothing disagrees in what was looked at; not all was.");
    }
    if (report.settled > 0) {
        sentences += Tr::tr("%Ln more changed while it was looked at.", nullptr, int(report.settled));
    }
    return sentences.join(u' ');
}

QString cacheSummary(const sql::CacheReport &report)
{
    const QString verdict = cacheVerdict(report);
    if (report.counts.isEmpty()) {
        return verdict;
    }
    QStringList parts;
    for (auto it = report.counts.cbegin(); it != report.counts.cend(); ++it) {
        parts += cacheFindingText(it.key()) + u": "_s + countText(it.value());
    }
    return parts.join(u"; "_s) + u'.' + (verdict.isEmpty() ? QString() : u' ' + verdict);
}

QString crowdedMinuteText(const sql::CacheMinute &minute, const TimeFormat &format)
{
    return Tr::tr("%Ln entry(ies) expire in the minute from %1. Their retries reach the database together.", nullptr,
        int(minute.entries))
        .arg(format.text(minute.from));
}

QStringList cacheServerTexts(const sql::CacheFacts &facts)
{
    QStringList lines;
    if (const auto ratio = facts.hitRatio()) {
        lines += Tr::tr("Hit ratio of the whole server since its start: %1 of %2 look-ups.")
                     .arg(percentText(*ratio), countText(*facts.hits + *facts.misses));
    } else {
        lines += Tr::tr("The hit ratio is not known.");
    }
    if (facts.usedMemory) {
        const QString used = bytesText(*facts.usedMemory);
        lines += facts.mostMemory.value_or(0) > 0
            ? Tr::tr("Memory: %1 of %2; when full: %3.").arg(used, bytesText(*facts.mostMemory), facts.policy)
            : Tr::tr("Memory: %1, without a limit.").arg(used);
    }
    if (facts.evicted.value_or(0) > 0) {
        lines += Tr::tr("Entries that were thrown out for want of memory: %1.").arg(countText(*facts.evicted));
    }
    return lines;
}

QStringList cacheTtlTexts(const sql::CacheReport &report)
{
    QStringList lines;
    for (const sql::CacheMinute &minute : report.minutes) {
        if (minute.crowded) {
            lines += crowdedMinuteText(minute, TimeFormat());
        }
    }
    if (report.baselineSeconds) {
        lines += Tr::tr("Baseline of the time to live: %1. %Ln entry(ies) could be judged by their row's times.",
            nullptr, int(report.ttlChecked))
                     .arg(durationText(*report.baselineSeconds));
    } else {
        lines += Tr::tr("The profile says no “ttl”, so that times to live were not judged.");
    }
    return lines;
}

} // namespace idemdesk::models
