// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fault_proxy.h"

#include "tests/support/unix_socket.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QUuid>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <deque>
#include <fcntl.h>
#include <list>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t queueLimit = size_t(4) * 1024 * 1024; // beyond it the sender has to wait, as on a real wire

int unblocked(int descriptor)
{
    if (descriptor >= 0) {
        ::fcntl(descriptor, F_SETFL, O_NONBLOCK); // NOLINT(*-vararg): there is no other way
    }
    return descriptor;
}

} // namespace

class FaultProxy::Private
{
public:
    struct Chunk {
        Clock::time_point due;
        QByteArray bytes;
    };

    /// Bytes on their way in one direction.
    struct Wire {
        int from = -1;
        int to = -1;
        std::deque<Chunk> chunks;
        size_t waiting = 0;
        bool ended = false; ///< the sender closed
    };

    struct Pair {
        Wire toServer;
        Wire toClient;
        qint64 left = -1; ///< bytes to the client before the cut
        bool dead = false;
    };

    void run();
    void acceptOne();
    void readFrom(Wire &wire, bool replacing);
    void writeTo(Pair &pair, Wire &wire, std::atomic<qint64> &counter);
    int timeoutMs() const;
    void watch(std::vector<pollfd> &entries) const;
    void wake() const
    {
        const quint64 one = 1;
        [[maybe_unused]] const ssize_t written = ::write(waker, &one, sizeof one);
    }
    static void closePair(Pair &pair)
    {
        ::close(pair.toServer.from);
        ::close(pair.toServer.to);
    }
    QByteArray path() const { return QFile::encodeName(folder + u"/.s.PGSQL.5432"_s); }

    QString folder;
    QByteArray upstream;
    mutable std::mutex mutex; // guards everything below
    std::list<Pair> pairs;
    int listener = -1;
    int delayMs = 0;
    bool stalled = false;
    qint64 cutBytes = -1;
    QByteArray from; ///< replaced by `to` on the way to the client
    QByteArray to;
    bool quit = false;
    int waker = -1;
    std::atomic<int> accepted = 0;
    std::atomic<int> open = 0;
    std::atomic<qint64> toClient = 0;
    std::atomic<qint64> toServer = 0;
    std::thread thread;
};

void FaultProxy::Private::acceptOne()
{
    const int client = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client < 0) {
        return;
    }
    ++accepted;
    const int server = unblocked(connectAt(upstream));
    if (server < 0) {
        ::close(client);
        return;
    }
    Pair pair;
    pair.toServer.from = pair.toClient.to = client;
    pair.toServer.to = pair.toClient.from = server;
    pair.left = cutBytes;
    pairs.push_back(std::move(pair));
}

void FaultProxy::Private::readFrom(Wire &wire, bool replacing)
{
    std::array<char, 65536> buffer {};
    while (!wire.ended && wire.waiting < queueLimit) {
        const ssize_t size = ::read(wire.from, buffer.data(), buffer.size());
        if (size > 0) {
            QByteArray bytes(buffer.data(), qsizetype(size));
            if (replacing && !from.isEmpty()) {
                bytes.replace(from, to);
            }
            wire.chunks.push_back({ Clock::now() + std::chrono::milliseconds(delayMs), bytes });
            wire.waiting += size_t(size);
        } else if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        } else {
            wire.ended = true;
        }
    }
}

void FaultProxy::Private::writeTo(Pair &pair, Wire &wire, std::atomic<qint64> &counter)
{
    const bool counted = &wire == &pair.toClient;
    while (!wire.chunks.empty() && wire.chunks.front().due <= Clock::now()) {
        QByteArray &bytes = wire.chunks.front().bytes;
        qsizetype allowed = bytes.size();
        if (counted && pair.left >= 0) {
            allowed = qsizetype(std::min<qint64>(allowed, pair.left));
        }
        // Counted before they are sent: a client that has its bytes must find them in the count.
        counter += allowed;
        const ssize_t size = allowed == 0 ? 0 : ::send(wire.to, bytes.constData(), size_t(allowed), MSG_NOSIGNAL);
        counter -= allowed - std::max<ssize_t>(size, 0);
        if (size < 0) {
            pair.dead = pair.dead || (errno != EAGAIN && errno != EINTR);
            return;
        }
        wire.waiting -= size_t(size);
        if (counted && pair.left >= 0) {
            pair.left -= size;
            if (pair.left == 0) {
                pair.dead = true;
                return;
            }
        }
        bytes.remove(0, size);
        if (bytes.isEmpty()) {
            wire.chunks.pop_front();
        }
    }
    if (wire.ended && wire.chunks.empty()) {
        pair.dead = true;
    }
}

int FaultProxy::Private::timeoutMs() const
{
    if (stalled) {
        return -1;
    }
    Clock::time_point next = Clock::time_point::max();
    for (const Pair &pair : pairs) {
        for (const Wire *wire : { &pair.toServer, &pair.toClient }) {
            if (!wire->chunks.empty()) {
                next = std::min(next, wire->chunks.front().due);
            }
        }
    }
    if (next == Clock::time_point::max()) {
        return -1;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    return int(std::max<qint64>(left, 0));
}

void FaultProxy::Private::watch(std::vector<pollfd> &entries) const
{
    entries.clear();
    entries.push_back({ waker, POLLIN, 0 });
    if (stalled) {
        return;
    }
    if (listener >= 0) {
        entries.push_back({ listener, POLLIN, 0 });
    }
    for (const Pair &pair : pairs) {
        for (const Wire *wire : { &pair.toServer, &pair.toClient }) {
            if (!wire->ended && wire->waiting < queueLimit) {
                entries.push_back({ wire->from, POLLIN, 0 });
            }
            if (!wire->chunks.empty() && wire->chunks.front().due <= Clock::now()) {
                entries.push_back({ wire->to, POLLOUT, 0 });
            }
        }
    }
}

void FaultProxy::Private::run()
{
    std::vector<pollfd> entries;
    for (;;) {
        int timeout = 0;
        {
            const std::lock_guard lock(mutex);
            watch(entries);
            timeout = timeoutMs();
            if (timeout == 0) {
                timeout = 1; // a full socket: POLLOUT wakes earlier
            }
        }
        ::poll(entries.data(), entries.size(), timeout);
        const std::lock_guard lock(mutex);
        if ((entries.front().revents & POLLIN) != 0) {
            quint64 count = 0;
            [[maybe_unused]] const ssize_t size = ::read(waker, &count, sizeof count);
        }
        if (quit) {
            return;
        }
        if (stalled) {
            continue;
        }
        if (listener >= 0) {
            acceptOne();
        }
        for (Pair &pair : pairs) {
            readFrom(pair.toServer, false);
            readFrom(pair.toClient, true);
            writeTo(pair, pair.toServer, toServer);
            if (!pair.dead) {
                writeTo(pair, pair.toClient, toClient);
            }
            if (pair.dead) {
                closePair(pair);
            }
        }
        pairs.remove_if([](const Pair &pair) { return pair.dead; });
        open = int(pairs.size());
    }
}

FaultProxy::FaultProxy(const QString &upstreamFolder, int upstreamPort)
    : d(std::make_unique<Private>())
{
    d->folder = u"/tmp/idp-"_s + QUuid::createUuid().toString(QUuid::Id128).left(10);
    d->upstream = QFile::encodeName(upstreamFolder + u"/.s.PGSQL."_s + QString::number(upstreamPort));
    if (!QDir().mkpath(d->folder)) {
        qFatal("The fault proxy's folder cannot be made.");
    }
    d->waker = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    d->listener = unblocked(listenAt(d->path()));
    d->thread = std::thread([this] { d->run(); });
}

FaultProxy::~FaultProxy()
{
    {
        const std::lock_guard lock(d->mutex);
        d->quit = true;
    }
    d->wake();
    d->thread.join();
    for (Private::Pair &pair : d->pairs) {
        Private::closePair(pair);
    }
    if (d->listener >= 0) {
        ::close(d->listener);
    }
    ::close(d->waker);
    QDir(d->folder).removeRecursively();
}

QString FaultProxy::folder() const
{
    return d->folder;
}

QString FaultProxy::conninfo(const QString &user, const QString &database) const
{
    return u"host=%1 port=%2 dbname=%3 user=%4"_s.arg(d->folder, QString::number(port()), database, user);
}

void FaultProxy::setDelay(int milliseconds)
{
    const std::lock_guard lock(d->mutex);
    d->delayMs = milliseconds;
}

void FaultProxy::setStalled(bool stalled)
{
    {
        const std::lock_guard lock(d->mutex);
        d->stalled = stalled;
    }
    d->wake();
}

void FaultProxy::setRefusing(bool refusing)
{
    {
        const std::lock_guard lock(d->mutex);
        if (refusing && d->listener >= 0) {
            ::close(d->listener); // the file stays: a dead socket refuses
            d->listener = -1;
        } else if (!refusing && d->listener < 0) {
            d->listener = unblocked(listenAt(d->path()));
        }
    }
    d->wake();
}

void FaultProxy::cutAfter(qint64 bytes)
{
    const std::lock_guard lock(d->mutex);
    d->cutBytes = bytes;
    for (Private::Pair &pair : d->pairs) {
        pair.left = bytes;
    }
}

void FaultProxy::replace(const QByteArray &from, const QByteArray &to)
{
    const std::lock_guard lock(d->mutex);
    d->from = from;
    d->to = to.size() == from.size() ? to : from;
}

void FaultProxy::cutAll()
{
    const std::lock_guard lock(d->mutex);
    for (Private::Pair &pair : d->pairs) {
        Private::closePair(pair);
    }
    d->pairs.clear();
    d->open = 0;
    d->wake();
}

int FaultProxy::accepted() const
{
    return d->accepted;
}

int FaultProxy::open() const
{
    return d->open;
}

qint64 FaultProxy::bytesToClient() const
{
    return d->toClient;
}

qint64 FaultProxy::bytesWaiting() const
{
    const std::lock_guard lock(d->mutex);
    qint64 sum = 0;
    for (const Private::Pair &pair : d->pairs) {
        int unread = 0;
        ::ioctl(pair.toServer.from, FIONREAD, &unread); // NOLINT(*-vararg): there is no other way
        sum += unread;
    }
    return sum;
}

bool FaultProxy::clientWaits() const
{
    const std::lock_guard lock(d->mutex);
    pollfd entry { d->listener, POLLIN, 0 };
    return d->listener >= 0 && ::poll(&entry, 1, 0) == 1;
}

qint64 FaultProxy::bytesToServer() const
{
    return d->toServer;
}

} // namespace idemdesk::tests
