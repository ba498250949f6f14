// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <memory>

namespace idemdesk::sql {

/// One answer of a Redis.
struct RedisReply {
    enum class Kind { Nil, Text, Status, Number, List, Failure };
    Kind kind = Kind::Nil;
    QByteArray text; ///< of a Text, a Status or a Failure; hostile
    qint64 number = 0;
    QList<RedisReply> items;

    bool failed() const { return kind == Kind::Failure; }
    /// A failure of this kind, as WRONGTYPE or NOPERM.
    bool failedWith(QByteArrayView code) const { return failed() && text.startsWith(code); }
};

/// Takes a Redis' answers out of the bytes that come, with hiredis. Whatever a server sends, it holds no more than the
/// limits: an answer of more bytes, more items or more levels ends the reading.
class RedisReplyReader
{
public:
    explicit RedisReplyReader(qint64 mostBytes);
    ~RedisReplyReader();
    RedisReplyReader(const RedisReplyReader &) = delete;
    RedisReplyReader &operator=(const RedisReplyReader &) = delete;

    enum class Taken {
        Reply,
        More, ///< bytes are missing
        TooLarge, ///< beyond the limits
        Garbled ///< this is no Redis
    };
    void feed(const QByteArray &bytes);
    /// The next answer. After TooLarge and Garbled nothing more can be read.
    Taken take(RedisReply *reply);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace idemdesk::sql
