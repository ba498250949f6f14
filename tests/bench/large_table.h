// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace idemdesk::bench {

/// SQL that fills app.idempotency_request: rows as a function of their number, 12 skewed scopes, 1/93/3/3 % statuses, in
/// the order of creation. The schema must be there.
QString largeTableSql(qint64 rows);
/// Lines for postgresql.conf of a server that holds it in memory.
QStringList largeTableSettings();

} // namespace idemdesk::bench
