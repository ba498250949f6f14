// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/cache/cache_address.h"

#include <QByteArray>
#include <QDeadlineTimer>
#include <functional>
#include <memory>

class QIODevice;

namespace idemdesk::sql {

/// Whether what is under way shall end; asked a few times a second, on the thread that works.
using StopAsked = std::function<bool()>;

/// The bytes between us and a Redis: TCP, TLS or a Unix socket. Lives on one thread, which has Qt's events, and blocks
/// it; never beyond a deadline, and not long after it is asked to stop. Holds back no more than a few hundred kB.
class RedisSocket
{
public:
    static Result<std::unique_ptr<RedisSocket>> open(
        const CacheAddress &address, const QDeadlineTimer &deadline, StopAsked stop);
    ~RedisSocket();
    RedisSocket(const RedisSocket &) = delete;
    RedisSocket &operator=(const RedisSocket &) = delete;

    Result<void> send(const QByteArray &bytes, const QDeadlineTimer &deadline);
    /// What came; at least one byte.
    Result<QByteArray> receive(const QDeadlineTimer &deadline);

private:
    RedisSocket(CacheAddress address, StopAsked stop);
    Result<void> openLocal(const QDeadlineTimer &deadline);
    Result<void> openTcp(const QDeadlineTimer &deadline);
    Result<void> openTls(int descriptor, const QDeadlineTimer &deadline);
    /// Success as soon as `step` is: it waits at most so many milliseconds.
    Result<void> until(const std::function<bool(int)> &step, const QDeadlineTimer &deadline) const;
    bool isUp() const;
    Error lost() const;

    const CacheAddress m_address;
    const StopAsked m_stop;
    std::unique_ptr<QIODevice> m_device;
};

/// The cache did not answer in time.
Error cacheTooSlow();

} // namespace idemdesk::sql
