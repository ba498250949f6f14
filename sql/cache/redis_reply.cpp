// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/redis_reply.h"

#include <hiredis/hiredis.h>

#include <vector>

namespace idemdesk::sql {

namespace {

constexpr std::size_t kMostItems = 100'000; // of a list; SCAN is asked for a thousand
constexpr int kMostLevels = 2; // SCAN: a cursor, and a list of names

/// An answer while it is read: its items come later, each by itself.
struct ReplyNode {
    RedisReply reply;
    std::vector<ReplyNode *> items;
    int level = 0;

    ~ReplyNode()
    {
        for (const ReplyNode *item : items) {
            delete item;
        }
    }
    /// Takes the answer out, with all its items.
    RedisReply taken()
    {
        for (ReplyNode *item : items) {
            reply.items += item != nullptr ? item->taken() : RedisReply();
        }
        return std::move(reply);
    }
};

/// Puts an answer where it belongs. hiredis asks for a list before it asks for its items.
ReplyNode *placedNode(const redisReadTask *task, RedisReply::Kind kind)
{
    auto *parent = task->parent != nullptr ? static_cast<ReplyNode *>(task->parent->obj) : nullptr;
    auto *node = new ReplyNode;
    node->reply.kind = kind;
    if (parent != nullptr) {
        node->level = parent->level + 1;
        ReplyNode *&place = parent->items.at(static_cast<std::size_t>(task->idx));
        delete place;
        place = node;
    }
    return node;
}

bool *largeFlag(const redisReadTask *task)
{
    return static_cast<bool *>(task->privdata);
}

/// What hiredis calls for each part of an answer. Its types changed from 0.14 to 1.2, so that most are left to the
/// compiler; what 1.2 has besides is of a protocol that nobody asked for, and must not be left to its default.
template <typename Functions> Functions replyFunctions()
{
    Functions functions {};
    functions.createString = [](const redisReadTask *task, char *text, std::size_t length) -> void * {
        ReplyNode *node = placedNode(task,
            task->type == REDIS_REPLY_ERROR        ? RedisReply::Kind::Failure
                : task->type == REDIS_REPLY_STATUS ? RedisReply::Kind::Status
                                                   : RedisReply::Kind::Text);
        node->reply.text = QByteArray(text, static_cast<qsizetype>(length));
        return node;
    };
    functions.createArray = [](const redisReadTask *task, auto items) -> void * {
        const auto *parent = task->parent != nullptr ? static_cast<const ReplyNode *>(task->parent->obj) : nullptr;
        if (static_cast<std::size_t>(items) > kMostItems || (parent != nullptr && parent->level + 1 >= kMostLevels)) {
            *largeFlag(task) = true;
            return nullptr;
        }
        ReplyNode *node = placedNode(task, RedisReply::Kind::List);
        node->items.resize(static_cast<std::size_t>(items));
        return node;
    };
    functions.createInteger = [](const redisReadTask *task, long long number) -> void * {
        ReplyNode *node = placedNode(task, RedisReply::Kind::Number);
        node->reply.number = number;
        return node;
    };
    functions.createNil = [](const redisReadTask *task) -> void * { return placedNode(task, RedisReply::Kind::Nil); };
    if constexpr (requires { functions.createDouble; }) {
        functions.createDouble = [](const redisReadTask *, double, char *, std::size_t) -> void * { return nullptr; };
        functions.createBool = [](const redisReadTask *, int) -> void * { return nullptr; };
    }
    functions.freeObject = [](void *node) { delete static_cast<ReplyNode *>(node); };
    return functions;
}

} // namespace

class RedisReplyReader::Private
{
public:
    explicit Private(qint64 most)
        : mostBytes(most)
        , reader(redisReaderCreateWithFunctions(&functions))
    {
        Q_CHECK_PTR(reader);
        reader->privdata = &large;
    }
    ~Private() { redisReaderFree(reader); }
    Q_DISABLE_COPY_MOVE(Private)

    redisReplyObjectFunctions functions = replyFunctions<redisReplyObjectFunctions>();
    const qint64 mostBytes;
    redisReader *reader;
    qint64 unread = 0; ///< bytes that came since the last whole answer
    bool large = false;
};

RedisReplyReader::RedisReplyReader(qint64 mostBytes)
    : d(std::make_unique<Private>(mostBytes))
{
}

RedisReplyReader::~RedisReplyReader() = default;

void RedisReplyReader::feed(const QByteArray &bytes)
{
    redisReaderFeed(d->reader, bytes.constData(), static_cast<std::size_t>(bytes.size()));
    d->unread += bytes.size();
}

RedisReplyReader::Taken RedisReplyReader::take(RedisReply *reply)
{
    void *object = nullptr;
    if (redisReaderGetReply(d->reader, &object) != REDIS_OK) {
        return d->large ? Taken::TooLarge : Taken::Garbled;
    }
    if (object == nullptr) {
        return d->unread > d->mostBytes ? Taken::TooLarge : Taken::More;
    }
    const std::unique_ptr<ReplyNode> node(static_cast<ReplyNode *>(object));
    *reply = node->taken();
    d->unread = static_cast<qint64>(d->reader->len - d->reader->pos);
    return Taken::Reply;
}

} // namespace idemdesk::sql
