// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test_cluster.h"

#include <QProcess>
#include <QStringList>

namespace idemdesk::tests {

/// A real PgBouncer in transaction mode on a Unix socket in front of a TestCluster, run as the cluster's account and
/// gone with this object. Failures end the test program with a message.
class PgBouncerFixture
{
public:
    /// poolSize: server connections per user and database; 1 makes every client share the same one.
    explicit PgBouncerFixture(TestCluster &cluster, int poolSize = 1, const QStringList &users = {});
    ~PgBouncerFixture();
    PgBouncerFixture(const PgBouncerFixture &) = delete;
    PgBouncerFixture &operator=(const PgBouncerFixture &) = delete;

    QString folder() const { return m_folder; }
    static constexpr int port() { return 6432; }
    /// libpq conninfo for a database of the cluster through the pooler; user: the cluster's superuser if empty.
    QString conninfo(const QString &database = QStringLiteral("postgres"), const QString &user = {}) const;
    QString log() const;

private:
    void writeSettings(TestCluster &cluster, int poolSize, const QStringList &users) const;
    QString m_folder;
    QString m_superuser;
    QProcess m_process;
};

} // namespace idemdesk::tests
