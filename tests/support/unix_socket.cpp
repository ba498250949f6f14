// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/unix_socket.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace idemdesk::tests {

namespace {

sockaddr_un addressOf(const QByteArray &path)
{
    sockaddr_un address {};
    address.sun_family = AF_UNIX;
    if (size_t(path.size()) >= sizeof address.sun_path) {
        qFatal("The socket path %s is too long.", path.constData());
    }
    std::memcpy(address.sun_path, path.constData(), size_t(path.size()));
    return address;
}

const sockaddr *generic(const sockaddr_un &address)
{
    return reinterpret_cast<const sockaddr *>(&address); // NOLINT: the sockets API is so
}

} // namespace

int listenAt(const QByteArray &path)
{
    ::unlink(path.constData());
    const sockaddr_un address = addressOf(path);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(descriptor, generic(address), sizeof address) != 0 || ::listen(descriptor, 64) != 0) {
        qFatal("No socket at %s: %s", path.constData(), std::strerror(errno));
    }
    return descriptor;
}

int connectAt(const QByteArray &path)
{
    const sockaddr_un address = addressOf(path);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(descriptor, generic(address), sizeof address) == 0) {
        return descriptor;
    }
    ::close(descriptor);
    return -1;
}

} // namespace idemdesk::tests
