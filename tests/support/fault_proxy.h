// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <memory>

namespace idemdesk::tests {

/// A network between client and server, with its faults: listens on a Unix socket of its own (.s.PGSQL.5432 in
/// folder()) and forwards to a server's Unix socket, in its own thread. Every call may be made at any time and works on
/// the connections that are open as well.
class FaultProxy
{
public:
    /// upstreamFolder holds the server's .s.PGSQL.<port>.
    explicit FaultProxy(const QString &upstreamFolder, int upstreamPort = 5432);
    ~FaultProxy();
    FaultProxy(const FaultProxy &) = delete;
    FaultProxy &operator=(const FaultProxy &) = delete;

    QString folder() const;
    static constexpr int port() { return 5432; }
    QString conninfo(const QString &user, const QString &database = QStringLiteral("postgres")) const;

    /// Every byte arrives this much later, in each direction; throughput stays.
    void setDelay(int milliseconds);
    /// A silent peer: connections stay open, new ones are taken by the system, nothing is forwarded or answered.
    void setStalled(bool stalled);
    /// New connections are refused (ECONNREFUSED).
    void setRefusing(bool refusing);
    /// Each open and new connection is closed after it passed this many more bytes to the client; below 0: never.
    void cutAfter(qint64 bytes);
    /// What the server says, with each `from` turned into `to`, which must be as long; nothing where `from` is empty.
    void replace(const QByteArray &from, const QByteArray &to);
    /// Closes all connections at once.
    void cutAll();

    int accepted() const; ///< connections taken so far
    int open() const; ///< connections open now
    qint64 bytesToClient() const;
    qint64 bytesToServer() const;
    /// While stalled: bytes that clients have sent and nobody read, and whether a client waits to be accepted.
    qint64 bytesWaiting() const;
    bool clientWaits() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace idemdesk::tests
