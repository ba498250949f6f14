// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/bench.h"

#include <memory>

namespace idemdesk::tests {
class TestCluster;
}

namespace idemdesk::bench {

/// SQL that fills app.idempotency_request: rows as a function of their number, 20 skewed scopes (37 % to 0.1 %),
/// statuses 1/93/3/3 %, in the order of creation. The schema must be there.
QString largeTableSql(qint64 rows);
/// SQL that makes and fills many.idempotency_request, of the same columns, indexes and order, with this many scopes.
QString manyScopesSql(qint64 rows, qint64 scopes);
/// Lines for postgresql.conf of a server that holds them in memory.
QStringList largeTableSettings();

/// Ends the program with the message unless the condition holds: a bench cannot go on without it.
void demand(bool condition, const QString &message);

/// The server of a bench with its large tables. Arguments: number of rows (10,000,000); the conninfo of a server that
/// holds them already, with those settings and just so many rows, so that loading is spared.
class LargeServer
{
public:
    LargeServer(Report &report, const QStringList &arguments);
    ~LargeServer();
    LargeServer(const LargeServer &) = delete;
    LargeServer &operator=(const LargeServer &) = delete;

    qint64 rows() const { return m_rows; }
    qint64 manyScopes() const; ///< scopes of many.idempotency_request
    QString conninfo() const { return m_conninfo; }

private:
    qint64 m_rows = 10'000'000;
    QString m_conninfo;
    std::unique_ptr<tests::TestCluster> m_cluster;
};

} // namespace idemdesk::bench
