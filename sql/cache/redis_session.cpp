// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/redis_session.h"

#include "sql/types/tr.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kCommandsAtOnce = 256;
constexpr qsizetype kMostRefusalBytes = 500; // of a server's message that is shown

Error tooLargeAnswer()
{
    return makeError(ErrorKind::Protocol, Tr::tr("The cache sent more than was asked for."),
        Tr::tr("An answer was beyond the limits for its size or its depth."),
        Tr::tr("Look whether this is the right server."));
}

Error noRedis()
{
    return makeError(ErrorKind::Protocol, Tr::tr("What answers there is no Redis."),
        Tr::tr("Its answer is not in Redis' protocol."), Tr::tr("Look at the address, and whether it needs TLS."));
}

/// "name:value" lines, as INFO has them.
QHash<QByteArray, QByteArray> infoLines(const RedisReply &reply)
{
    QHash<QByteArray, QByteArray> lines;
    for (const QByteArray &line : reply.text.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0) {
            lines.insert(line.left(colon), line.mid(colon + 1).trimmed());
        }
    }
    return lines;
}

std::optional<qint64> infoNumber(const QHash<QByteArray, QByteArray> &lines, const QByteArray &name)
{
    bool whole = false;
    const qint64 number = lines.value(name).toLongLong(&whole);
    return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

/// "keys=12,expires=3,avg_ttl=0"; a database without keys has no such line.
qint64 keysIn(const QByteArray &line)
{
    return line.startsWith("keys=") ? line.mid(5, line.indexOf(',') - 5).toLongLong() : 0;
}

/// A replica without its primary, or one that is loading, answers for what it has so far.
QString whyBehind(const QHash<QByteArray, QByteArray> &replication, const QHash<QByteArray, QByteArray> &persistence)
{
    if (persistence.value("loading") == "1" || persistence.value("async_loading") == "1") {
        return Tr::tr("The cache is loading its data, so entries may be there that were not seen.");
    }
    if (replication.value("role") != "slave") {
        return {};
    }
    if (replication.value("master_sync_in_progress") == "1") {
        return Tr::tr("The cache is a replica that is still copying, so entries may be there that were not seen.");
    }
    return replication.value("master_link_status") == "up"
        ? QString()
        : Tr::tr("The cache is a replica without a link to its primary, so entries may be there that were not seen.");
}

} // namespace

Error cacheRefusal(const RedisReply &reply)
{
    const QString said = QString::fromUtf8(reply.text.left(kMostRefusalBytes));
    Error error = makeError(ErrorKind::Other, Tr::tr("The cache refused what was asked."), said);
    if (reply.failedWith("NOPERM")) {
        error.kind = ErrorKind::Privilege;
        error.todo = Tr::tr("Its user needs SCAN, GET, PTTL, TYPE, STRLEN and EXISTS on these keys.");
    } else if (reply.failedWith("NOAUTH") || reply.failedWith("WRONGPASS") || reply.text.contains("AUTH")) {
        error.kind = ErrorKind::Authentication;
        error.what = Tr::tr("The cache did not accept user and password.");
        error.todo = Tr::tr("Look at the user in the address, and at the password.");
    } else if (reply.failedWith("LOADING") || reply.failedWith("MASTERDOWN")) {
        error.kind = ErrorKind::ServerStarting;
        error.todo = Tr::tr("Try again when it has loaded its data.");
    } else if (reply.text.contains("max number of clients")) {
        error.kind = ErrorKind::TooManyConnections;
    } else if (reply.failedWith("MOVED") || reply.failedWith("ASK") || reply.failedWith("CLUSTERDOWN")) {
        error.kind = ErrorKind::Refused;
        error.todo = Tr::tr("This is one node of a cluster, which is not supported yet.");
    }
    return error;
}

RedisSession::RedisSession(CacheAddress address, Options options)
    : m_address(std::move(address))
    , m_options(std::move(options))
    , m_reader(m_options.mostReplyBytes)
{
}

Result<std::unique_ptr<RedisSession>> RedisSession::open(const CacheAddress &address, const Options &options)
{
    if (!options.password.isEmpty() && !address.verified() && !options.unverifiedPassword) {
        return makeError(ErrorKind::Tls, Tr::tr("The password was not sent to the cache."),
            Tr::tr("Without TLS anybody on the way could read it, or answer instead."),
            Tr::tr("Use rediss:// or a local socket. In the terminal --unverified-password allows it."));
    }
    std::unique_ptr<RedisSession> session(new RedisSession(address, options));
    const QDeadlineTimer deadline(options.connectTimeoutMs);
    TRY(session->m_socket, RedisSocket::open(address, deadline, options.stop));
    TRY(session->introduce());
    return session;
}

Result<void> RedisSession::introduce()
{
    if (!m_options.password.isEmpty() || !m_address.user.isEmpty()) {
        TRY(one(RedisCommand::auth(m_address.user.toUtf8(), m_options.password.toUtf8())));
    }
    if (m_address.database != 0) {
        TRY(one(RedisCommand::select(m_address.database)));
    }
    // Who may not give itself a name, or not ask what the server is, goes on without.
    TRY(const auto replies, run({ RedisCommand::setName("idemdesk"), RedisCommand::info("server") }));
    for (const RedisReply &reply : replies) {
        if (reply.failed() && !reply.failedWith("NOPERM") && !reply.failedWith("ERR unknown")) {
            return cacheRefusal(reply);
        }
    }
    if (infoLines(replies.constLast()).value("redis_mode") == "cluster") {
        return makeError(ErrorKind::Refused, Tr::tr("The cache is one node of a cluster."),
            Tr::tr("It holds a part of the keys; the others would seem to be missing."),
            Tr::tr("Clusters are not supported yet."));
    }
    return {};
}

Result<QList<RedisReply>> RedisSession::run(const QList<RedisCommand> &commands)
{
    if (m_failed) {
        return *m_failed;
    }
    QList<RedisReply> replies;
    for (qsizetype from = 0; from < commands.size(); from += kCommandsAtOnce) {
        if (const auto done = runBatch(commands.mid(from, kCommandsAtOnce), &replies); !done) {
            m_failed = done.error(); // what comes now would answer something else
            m_socket.reset();
            return done.error();
        }
    }
    return replies;
}

Result<void> RedisSession::runBatch(const QList<RedisCommand> &commands, QList<RedisReply> *replies)
{
    const QDeadlineTimer deadline(m_options.answerTimeoutMs);
    QByteArray bytes;
    for (const RedisCommand &command : commands) {
        bytes += command.bytes();
    }
    const auto sent = m_socket->send(bytes, deadline);
    if (!sent && sent.error().kind != ErrorKind::ConnectionLost) {
        return sent;
    }
    // A server that closes the connection may have said why.
    for (qsizetype awaited = commands.size(); awaited > 0;) {
        RedisReply reply;
        switch (m_reader.take(&reply)) {
        case RedisReplyReader::Taken::Reply:
            replies->append(std::move(reply));
            --awaited;
            break;
        case RedisReplyReader::Taken::TooLarge:
            return tooLargeAnswer();
        case RedisReplyReader::Taken::Garbled:
            return noRedis();
        case RedisReplyReader::Taken::More: {
            const auto came = m_socket->receive(deadline);
            const bool refused = awaited < commands.size() && replies->constLast().failed();
            if (!came && refused && came.error().kind == ErrorKind::ConnectionLost) {
                return cacheRefusal(replies->constLast());
            }
            TRY(came);
            m_reader.feed(*came);
            break;
        }
        }
    }
    return {};
}

Result<RedisReply> RedisSession::one(const RedisCommand &command)
{
    TRY(const auto replies, run({ command }));
    if (replies.constFirst().failed()) {
        return cacheRefusal(replies.constFirst());
    }
    return replies.constFirst();
}

Result<CacheFacts> RedisSession::facts()
{
    TRY(const auto replies,
        run({ RedisCommand::info("server"), RedisCommand::info("memory"), RedisCommand::info("stats"),
            RedisCommand::info("keyspace"), RedisCommand::info("replication"), RedisCommand::info("persistence") }));
    CacheFacts facts;
    const auto server = infoLines(replies.at(0));
    const auto memory = infoLines(replies.at(1));
    const auto stats = infoLines(replies.at(2));
    facts.version = QString::fromUtf8(server.value("redis_version"));
    facts.run = QString::fromUtf8(server.value("run_id"));
    const auto replication = infoLines(replies.at(4));
    facts.role = QString::fromUtf8(replication.value("role"));
    facts.behind = whyBehind(replication, infoLines(replies.at(5)));
    if (!replies.at(3).failed()) {
        facts.keys = keysIn(infoLines(replies.at(3)).value("db" + QByteArray::number(m_address.database)));
    }
    facts.hits = infoNumber(stats, "keyspace_hits");
    facts.misses = infoNumber(stats, "keyspace_misses");
    facts.expired = infoNumber(stats, "expired_keys");
    facts.evicted = infoNumber(stats, "evicted_keys");
    facts.usedMemory = infoNumber(memory, "used_memory");
    facts.mostMemory = infoNumber(memory, "maxmemory");
    facts.policy = QString::fromUtf8(memory.value("maxmemory_policy"));
    return facts;
}

bool saysPrimary(const RedisReply &replication)
{
    return infoLines(replication).value("role") == "master";
}

Result<void> RedisSession::requirePrimary()
{
    TRY(const auto replies, run({ RedisCommand::info("replication") }));
    const RedisReply &reply = replies.constFirst();
    if (saysPrimary(reply)) {
        return {};
    }
    const auto lines = infoLines(reply);
    if (lines.value("role") != "slave") {
        return makeError(ErrorKind::Privilege, Tr::tr("Whether this Redis is a primary is not known."),
            Tr::tr("Its user may not ask: INFO says nothing of it."),
            Tr::tr("Allow INFO to that user, and connect to the primary."));
    }
    constexpr qsizetype kMostHostBytes = 200;
    const QString primary = QString::fromUtf8(
        lines.value("master_host").left(kMostHostBytes) + ':' + lines.value("master_port").left(kMostHostBytes));
    return makeError(ErrorKind::Refused, Tr::tr("This Redis is a replica."),
        Tr::tr("Its primary would keep what is deleted here."),
        Tr::tr("Connect to the primary, which it says is %1.").arg(primary));
}

} // namespace idemdesk::sql
