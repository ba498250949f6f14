// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QString>

namespace idemdesk::sql {

/// Where a Redis is. It never holds a password.
struct CacheAddress {
    static constexpr int kPort = 6379;

    bool tls = false; ///< its certificate is always checked
    QString host; ///< empty: a Unix socket
    int port = kPort;
    QString socket; ///< its path
    QString user; ///< of its ACL; empty: the one called default
    int database = 0;
    QString authorities; ///< PEM file of those that may have signed the certificate; empty: the system's
    QString certificate; ///< PEM files of this client, where the server asks for them
    QString key;

    /// A local socket, or TLS: a password reaches nobody else.
    bool verified() const { return tls || host.isEmpty(); }
    /// As people know it: "rediss://console@cache.example:6380/2".
    QString text() const;
};

/// Reads redis://user@host:port/2, rediss:// (TLS) or unix:///path?db=2. Behind the question mark may stand user, db,
/// and with TLS sslrootcert, sslcert and sslkey, as in a conninfo. One with a password is refused, and never repeated.
Result<CacheAddress> cacheAddress(const QString &url);

} // namespace idemdesk::sql
