// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_driver.h"

#include <QSqlError>
#include <libpq-fe.h>
#include <memory>

namespace idemdesk::sql {

struct PgResultFree {
    void operator()(PGresult *result) const { PQclear(result); }
};
using PgResultPtr = std::unique_ptr<PGresult, PgResultFree>;

/// All fields of an error or notice, escaped.
PgFailure failureOf(const PGresult *result);

/// The same, with the position as a character of the statement also where the server counts bytes (SQL_ASCII).
PgFailure failureInStatement(const PGresult *result, const PGconn *connection, const QByteArray &sql);

/// What libpq itself says about the connection, escaped.
PgFailure failureOf(const PGconn *connection);

/// Why opening failed: as above, with the SQLSTATE taken out of the verbose message that PQconnectPoll left.
PgFailure connectFailureOf(const PGconn *connection);

/// A refusal by this driver: the server did not see the statement, or was not let finish it.
PgFailure refusal(const QString &message);

/// The server's answer cannot be that of one statement.
PgFailure outOfOrder();

/// The failure for a connection that is gone already.
PgFailure connectionGone();

QSqlError sqlErrorOf(const PgFailure &failure, QSqlError::ErrorType type);

} // namespace idemdesk::sql
