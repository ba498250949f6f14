// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/redis_command.h"

#include <hiredis/hiredis.h>

#include <vector>

namespace idemdesk::sql {

namespace {

constexpr EnumNames<EnumName<RedisVerb>> kRedisWords({
    { RedisVerb::Auth, u"AUTH" },
    { RedisVerb::Select, u"SELECT" },
    { RedisVerb::ClientSetName, u"CLIENT SETNAME" },
    { RedisVerb::Info, u"INFO" },
    { RedisVerb::Scan, u"SCAN" },
    { RedisVerb::Get, u"GET" },
    { RedisVerb::Pttl, u"PTTL" },
    { RedisVerb::Type, u"TYPE" },
    { RedisVerb::StrLen, u"STRLEN" },
    { RedisVerb::Exists, u"EXISTS" },
    { RedisVerb::Eval, u"EVAL" },
});

// Redis runs a script as one step. Time to live only falls: one that has more of it than was seen was written again,
// with the same value by another retry.
constexpr auto kReleaseScript = R"(local now = redis.pcall('GET', KEYS[1])
if now == false then return 'gone' end
if now ~= ARGV[1] then return 'changed' end
local ttl = redis.call('PTTL', KEYS[1])
local seen = tonumber(ARGV[2])
if ttl > seen or (ttl < 0) ~= (seen < 0) then return 'changed' end
redis.call('DEL', KEYS[1])
return 'deleted')";

} // namespace

RedisCommand::RedisCommand(RedisVerb verb, QByteArrayList arguments)
    : m_verb(verb)
    , m_arguments(std::move(arguments))
{
}

RedisCommand RedisCommand::auth(const QByteArray &user, const QByteArray &password)
{
    return { RedisVerb::Auth, user.isEmpty() ? QByteArrayList { password } : QByteArrayList { user, password } };
}

RedisCommand RedisCommand::select(int database)
{
    return { RedisVerb::Select, { QByteArray::number(database) } };
}

RedisCommand RedisCommand::setName(const QByteArray &name)
{
    return { RedisVerb::ClientSetName, { name } };
}

RedisCommand RedisCommand::info(const QByteArray &section)
{
    return { RedisVerb::Info, { section } };
}

RedisCommand RedisCommand::scan(const QByteArray &cursor, const QByteArray &pattern, int count)
{
    return { RedisVerb::Scan, { cursor, "MATCH", pattern, "COUNT", QByteArray::number(count) } };
}

RedisCommand RedisCommand::get(const QByteArray &name)
{
    return { RedisVerb::Get, { name } };
}

RedisCommand RedisCommand::pttl(const QByteArray &name)
{
    return { RedisVerb::Pttl, { name } };
}

RedisCommand RedisCommand::type(const QByteArray &name)
{
    return { RedisVerb::Type, { name } };
}

RedisCommand RedisCommand::strLen(const QByteArray &name)
{
    return { RedisVerb::StrLen, { name } };
}

RedisCommand RedisCommand::exists(const QByteArray &name)
{
    return { RedisVerb::Exists, { name } };
}

RedisCommand RedisCommand::release(const QByteArray &name, const QByteArray &value, qint64 ttlMs)
{
    return { RedisVerb::Eval, { kReleaseScript, "1", name, value, QByteArray::number(ttlMs) } };
}

QByteArray RedisCommand::bytes() const
{
    const QByteArrayList words = kRedisWords.nameOf(m_verb).toLatin1().split(' ') + m_arguments;
    std::vector<const char *> texts;
    std::vector<std::size_t> sizes;
    for (const QByteArray &word : words) {
        texts.push_back(word.constData());
        sizes.push_back(static_cast<std::size_t>(word.size()));
    }
    char *formatted = nullptr;
    const auto size = redisFormatCommandArgv(&formatted, int(texts.size()), texts.data(), sizes.data());
    Q_CHECK_PTR(formatted); // it fails for want of memory alone
    const QByteArray bytes(formatted, static_cast<qsizetype>(size));
    redisFreeCommand(formatted);
    return bytes;
}

} // namespace idemdesk::sql
