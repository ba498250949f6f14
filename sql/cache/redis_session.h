// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/cache/redis_command.h"
#include "sql/cache/redis_reply.h"
#include "sql/cache/redis_socket.h"
#include "sql/types/cache.h"

#include <QList>
#include <optional>

namespace idemdesk::sql {

/// One open connection to a Redis, to say what RedisCommand can say. Lives on one thread and blocks it, within limits:
/// a server that is slow, silent, hostile or no Redis ends in an error, after which nothing more can be asked.
class RedisSession
{
public:
    struct Options {
        QString password; ///< empty: none
        bool unverifiedPassword = false; ///< the person's word: it may go over a network without TLS
        int connectTimeoutMs = 5'000;
        int answerTimeoutMs = 5'000; ///< of each bounded batch
        qint64 mostReplyBytes = qint64(4) * 1024 * 1024; ///< of one answer
        StopAsked stop;
    };

    static Result<std::unique_ptr<RedisSession>> open(const CacheAddress &address, const Options &options);

    /// The answers to these, in their order; sent in batches. A command that the server refuses is an answer, too.
    Result<QList<RedisReply>> run(const QList<RedisCommand> &commands);
    /// The answer to one; a refusal is an error.
    Result<RedisReply> one(const RedisCommand &command);
    /// What it says of itself now. Whoever may not ask gets empty facts.
    Result<CacheFacts> facts();
    /// Success where it says now that it is a primary. What a replica deletes is still with its primary, whatever the
    /// replica answers; one that does not say what it is, is refused as well.
    Result<void> requirePrimary();
    const CacheAddress &address() const { return m_address; }
    bool stopAsked() const { return m_options.stop && m_options.stop(); }

private:
    RedisSession(CacheAddress address, Options options);
    Result<void> introduce();
    Result<void> runBatch(const QList<RedisCommand> &commands, QList<RedisReply> *replies);

    const CacheAddress m_address;
    const Options m_options;
    std::unique_ptr<RedisSocket> m_socket; ///< nothing once it failed
    RedisReplyReader m_reader;
    std::optional<Error> m_failed; ///< why nothing more can be asked
};

/// Whether this answer to info("replication") is that of a primary.
bool saysPrimary(const RedisReply &replication);

/// A refusal of the server as an error.
Error cacheRefusal(const RedisReply &reply);

} // namespace idemdesk::sql
