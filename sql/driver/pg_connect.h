// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_failure.h"
#include "sql/driver/pg_interrupter.h"

#include <QDeadlineTimer>
#include <QList>

namespace idemdesk::sql {

/// Opens a connection within the deadline (libpq resolves host names with a blocking call before it starts to count).
/// conninfo is expanded as dbname, later settings win, an empty password is not given. The interrupter can stop it and
/// is armed with the new connection. Null with the failure.
PGconn *connectTo(const QByteArray &conninfo, const QByteArray &password,
    const QList<std::pair<QByteArray, QByteArray>> &overrides, const QDeadlineTimer &deadline,
    PgSocketInterrupter &interrupter, PgFailure *failure);

} // namespace idemdesk::sql
