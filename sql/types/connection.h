// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/enum_table.h"
#include "sql/types/timestamp.h"

#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

enum class Environment { Unmarked, Development, Test, Staging, Production };
QString environmentName(Environment environment); ///< as it is remembered: "production"
std::optional<Environment> environmentFromName(const QString &name);

/// Where to connect. conninfo is libpq's key=value form, a URI, or "service=name"; it never holds a password.
struct ConnectionSettings {
    QString name; ///< as the person calls it; may be empty
    QString conninfo;
    QString password; ///< for this session only, never written anywhere by this value's users
    Environment environment = Environment::Unmarked;
    bool readOnly = false; ///< no action is offered on this connection
    /// The person's word for this very connection: a password may go to a server that nothing verified.
    bool unverifiedPassword = false;
};

/// Each lane is one thread with one connection (DESIGN 2).
enum class LaneKind { Read, Background, Write, Control };

/// What one session learned about its server right after connecting.
struct ServerFacts {
    QString database;
    QString user; ///< session_user
    QString host; ///< as libpq connected: host name, address or socket folder
    QString port;
    QString serverAddress; ///< inet_server_addr(), empty on a Unix socket or where the server hides it
    QString versionText; ///< "15.20 (Debian …)"
    int versionNumber = 0; ///< 150020
    QString encoding; ///< server_encoding, such as UTF8 or SQL_ASCII
    QString timeZone; ///< the server's own TimeZone setting, before this session changed it
    QString tls; ///< "TLSv1.3, TLS_AES_256_GCM_SHA384", or empty without TLS
    bool unixSocket = false;
    bool serverVerified = false; ///< a local socket, TLS with verify-full, or a login bound to its TLS channel
    bool standby = false;
    bool superuser = false;
    bool pooled = false; ///< behind a transaction pooler (traps 10): no session state is kept
    int backendPid = 0; ///< pg_backend_pid() at connect; changes per transaction where pooled
    Timestamp serverNow; ///< clock_timestamp() at connect
    qint64 clockSkewMicros = 0; ///< server minus local, halfway through the round trip
    QStringList warnings; ///< whole sentences a person should see (password file ignored, SQL_ASCII, …)
};

/// What the window shows about a lane or the whole set.
enum class LinkState { Disconnected, Connecting, Connected, Reconnecting, Failed };

} // namespace idemdesk::sql
