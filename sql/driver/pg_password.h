// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <utility>

namespace idemdesk::sql {

/// How a connection is to be opened, so that its password goes to the right server only.
struct PgPasswordCare {
    bool serverVerified = false; ///< a local socket, or libpq makes sure of the server before it sends anything secret
    bool withheld = false; ///< there is a password, and it stays here
    QByteArray conninfo; ///< to be opened instead of the text that was given
    QList<std::pair<QByteArray, QByteArray>> overrides; ///< to be given last
};

/// A password, wherever it comes from (typed, keychain, password file, service file, environment), goes out over a
/// local socket, after TLS with sslmode=verify-full, or with channel_binding=require. To any other server only where
/// `anywhere` says so, and there not in clear text where libpq can refuse that (16 or newer), unless the text sets
/// require_auth itself. Asks libpq what the settings come to; nobody is contacted.
PgPasswordCare careForPassword(const QByteArray &conninfo, const QByteArray &password, bool anywhere);

} // namespace idemdesk::sql
