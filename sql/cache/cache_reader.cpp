// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/cache_reader.h"

#include "sql/types/tr.h"

#include <QSet>
#include <chrono>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kLookedAtOnce = 1'000; // names a SCAN looks at: below a millisecond of the server's one thread
constexpr int kMostScans = 5'000; // so five million names, whichever match
constexpr qsizetype kMostNameBytes = 4'096;

qint64 millisecondsNow()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Error oddAnswer()
{
    return makeError(ErrorKind::Protocol, Tr::tr("The cache gave an answer that no Redis gives."), {},
        Tr::tr("Look whether this is the right server."));
}

bool isScanAnswer(const RedisReply &reply)
{
    const auto isName = [](const RedisReply &item) { return item.kind == RedisReply::Kind::Text; };
    return reply.kind == RedisReply::Kind::List && reply.items.size() == 2
        && reply.items.at(0).kind == RedisReply::Kind::Text && reply.items.at(1).kind == RedisReply::Kind::List
        && std::all_of(reply.items.at(1).items.cbegin(), reply.items.at(1).items.cend(), isName);
}

/// The length and the time to live of an entry, as STRLEN and PTTL told them.
Result<CacheEntry> measuredEntry(const QByteArray &name, const RedisReply &length, const RedisReply &ttl)
{
    CacheEntry entry;
    entry.name = name;
    entry.atMs = millisecondsNow();
    if (ttl.failed() || (length.failed() && !length.failedWith("WRONGTYPE"))) {
        return cacheRefusal(ttl.failed() ? ttl : length);
    }
    if (ttl.kind != RedisReply::Kind::Number || (!length.failed() && length.kind != RedisReply::Kind::Number)) {
        return oddAnswer();
    }
    constexpr qint64 kGone = -2;
    if (ttl.number == kGone) {
        return entry;
    }
    entry.kind = length.failed() ? CacheEntry::Kind::Other : CacheEntry::Kind::Text;
    entry.bytes = length.failed() ? 0 : length.number;
    if (ttl.number >= 0) {
        entry.ttlMs = ttl.number;
    }
    return entry;
}

/// It expired, or was deleted, while it was asked for.
CacheEntry goneMeanwhile(const CacheEntry &entry)
{
    CacheEntry gone;
    gone.name = entry.name;
    gone.atMs = entry.atMs;
    return gone;
}

/// The value of a text, or the type of anything else.
Result<void> fillEntry(CacheEntry *entry, const RedisReply &reply)
{
    if (reply.failedWith("WRONGTYPE")) { // it became something else meanwhile
        entry->kind = CacheEntry::Kind::Other;
        return {};
    }
    if (reply.failed()) {
        return cacheRefusal(reply);
    }
    if (entry->kind == CacheEntry::Kind::Other) {
        entry->type = QString::fromUtf8(reply.text);
        *entry = reply.text == "none" ? goneMeanwhile(*entry) : *entry;
        return {};
    }
    if (reply.kind == RedisReply::Kind::Nil) {
        *entry = goneMeanwhile(*entry);
        return {};
    }
    if (reply.kind != RedisReply::Kind::Text) {
        return oddAnswer();
    }
    entry->value = QString::fromUtf8(reply.text);
    entry->read = entry->value.toUtf8() == reply.text;
    entry->bytes = reply.text.size();
    entry->value = entry->read ? entry->value : QString();
    return {};
}

} // namespace

Result<CacheScan> scanCache(RedisSession &cache, const QByteArray &pattern, qsizetype most)
{
    CacheScan scan;
    QSet<QByteArray> seen;
    QByteArray cursor = "0";
    for (int scans = 0; scans < kMostScans && scan.names.size() < most; ++scans) {
        TRY(const auto reply, cache.one(RedisCommand::scan(cursor, pattern, kLookedAtOnce)));
        if (!isScanAnswer(reply)) {
            return oddAnswer();
        }
        for (const RedisReply &name : reply.items.at(1).items) {
            if (name.text.size() > kMostNameBytes) {
                ++scan.tooLong;
            } else if (scan.names.size() < most && !seen.contains(name.text)) {
                seen.insert(name.text);
                scan.names += name.text;
            }
        }
        cursor = reply.items.at(0).text;
        if (cursor == "0") {
            scan.whole = scan.names.size() < most;
            return scan;
        }
    }
    return scan;
}

Result<QList<CacheEntry>> readEntries(RedisSession &cache, const QList<QByteArray> &names, qint64 mostBytes)
{
    constexpr qsizetype kAtOnce = 256;
    QList<CacheEntry> entries;
    for (qsizetype from = 0; from < names.size(); from += kAtOnce) {
        const QList<QByteArray> some = names.mid(from, kAtOnce);
        QList<RedisCommand> commands;
        for (const QByteArray &name : some) {
            commands += { RedisCommand::strLen(name), RedisCommand::pttl(name) };
        }
        TRY(const auto measures, cache.run(commands));
        commands.clear();
        QList<qsizetype> asked;
        for (qsizetype i = 0; i < some.size(); ++i) {
            TRY(const auto entry, measuredEntry(some.at(i), measures.at(2 * i), measures.at(2 * i + 1)));
            const bool text = entry.kind == CacheEntry::Kind::Text;
            if (text ? entry.bytes <= mostBytes : entry.present()) {
                commands += text ? RedisCommand::get(entry.name) : RedisCommand::type(entry.name);
                asked += entries.size();
            }
            entries += entry;
        }
        TRY(const auto contents, cache.run(commands));
        for (qsizetype i = 0; i < asked.size(); ++i) {
            TRY(fillEntry(&entries[asked.at(i)], contents.at(i)));
        }
    }
    return entries;
}

} // namespace idemdesk::sql
