// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/password_thief.h"

#include "tests/support/test_cluster.h"

#include <QString>
#include <QtEndian>

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

namespace {

constexpr quint32 kSslRequest = 80877103;
constexpr quint32 kGssRequest = 80877104;
constexpr int kSliceMs = 50; // how often a wait looks whether the test has ended

QByteArray authentication(quint32 method, const QByteArray &rest)
{
    QByteArray message("R");
    const quint32 header[] { qToBigEndian(quint32(8 + rest.size())), qToBigEndian(method) };
    message.append(static_cast<const char *>(static_cast<const void *>(header)), sizeof header);
    return message + rest;
}

QByteArray questionOf(PasswordThief::Asks asks)
{
    switch (asks) {
    case PasswordThief::Asks::ClearText:
        return authentication(3, {});
    case PasswordThief::Asks::Md5:
        return authentication(5, "salt");
    case PasswordThief::Asks::Scram:
        break;
    }
    return authentication(10, QByteArray("SCRAM-SHA-256\0\0", 15));
}

} // namespace

class PasswordThief::Private
{
public:
    explicit Private(Asks asks)
        : m_question(questionOf(asks))
    {
        m_listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof(address);
        auto *generic = static_cast<sockaddr *>(static_cast<void *>(&address)); // as the sockets' interface wants it
        insist(m_listener >= 0 && bind(m_listener, generic, length) == 0 && listen(m_listener, 8) == 0
                && getsockname(m_listener, generic, &length) == 0,
            u"the thief cannot listen"_s);
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this] { work(); });
    }

    ~Private()
    {
        m_ended = true;
        m_thread.join();
        close(m_listener);
    }

    QByteArray loot() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_loot;
    }

    int m_port = 0;
    std::atomic_int m_asked = 0;

private:
    bool waitFor(int handle) const
    {
        while (!m_ended) {
            pollfd entry { handle, POLLIN, 0 };
            if (poll(&entry, 1, kSliceMs) > 0) {
                return true;
            }
        }
        return false;
    }

    QByteArray receive(int handle) const
    {
        std::array<char, 4096> buffer {};
        const ssize_t size = waitFor(handle) ? read(handle, buffer.data(), buffer.size()) : -1;
        return size > 0 ? QByteArray(buffer.data(), size) : QByteArray();
    }

    static void send(int handle, const QByteArray &bytes)
    {
        static_cast<void>(::send(handle, bytes.constData(), size_t(bytes.size()), MSG_NOSIGNAL));
    }

    void work()
    {
        while (waitFor(m_listener)) {
            const int handle = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (handle >= 0) {
                rob(handle);
                close(handle);
            }
        }
    }

    void rob(int handle)
    {
        for (;;) {
            const QByteArray start = receive(handle);
            if (start.size() < 8) {
                return;
            }
            const quint32 code = qFromBigEndian<quint32>(start.constData() + 4);
            if (code != kSslRequest && code != kGssRequest) {
                break;
            }
            send(handle, "N");
        }
        ++m_asked;
        send(handle, m_question);
        const QByteArray answer
            = receive(handle); // what libpq sends in answer comes in one piece, and then the thief is gone
        const std::scoped_lock lock(m_mutex);
        m_loot += answer;
    }

    const QByteArray m_question;
    int m_listener = -1;
    std::atomic_bool m_ended = false;
    mutable std::mutex m_mutex;
    QByteArray m_loot;
    std::thread m_thread;
};

PasswordThief::PasswordThief(Asks asks)
    : d(std::make_unique<Private>(asks))
{
}

PasswordThief::~PasswordThief() = default;

int PasswordThief::port() const
{
    return d->m_port;
}

int PasswordThief::asked() const
{
    return d->m_asked;
}

QByteArray PasswordThief::loot() const
{
    return d->loot();
}

} // namespace idemdesk::tests
