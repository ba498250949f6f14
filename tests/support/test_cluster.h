// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cluster/private_cluster.h"
#include "tests/support/cluster_template.h"

#include <QStringList>
#include <memory>

namespace idemdesk::tests {

/// Ends the test program with this message where the condition does not hold.
void insist(bool condition, const QString &message);

/// The path of a folder that is not there yet, for a cluster: in memory where there is room, since most tests copy a
/// database for each row, and a disk's writes took a third of their time; else in /tmp.
QString freshFolder();

/// A real PostgreSQL of this test alone, started in the constructor and gone with it (also if the test is killed).
/// Failures end the test program with a message: nothing can be tested without it. Needs a QCoreApplication.
class TestCluster
{
public:
    /// settings: further lines for postgresql.conf. The first of a program is a copy of the template; others are made
    /// by initdb and filled like it, since two servers have two system identifiers.
    explicit TestCluster(
        const QStringList &settings = {}, const ClusterTemplate &content = ClusterTemplate(QStringLiteral("bare")));
    /// What a template is made of.
    enum class Made { ByInitdb };
    explicit TestCluster(Made);
    /// One that also listens on 127.0.0.1 at this port, with this certificate (PEM files, readable by the server).
    struct Tls {
        int port = 0;
        QByteArray certificate;
        QByteArray key;
    };
    TestCluster(const Tls &tls, const QStringList &settings);
    /// A standby that follows `primary`. notReady: it refuses connections with 57P03 and never becomes ready.
    TestCluster(TestCluster &primary, bool notReady, const QStringList &settings);
    ~TestCluster();
    TestCluster(const TestCluster &) = delete;
    TestCluster &operator=(const TestCluster &) = delete;

    app::PrivateCluster &cluster() { return m_cluster; }
    QString conninfo(const QString &database = QStringLiteral("postgres")) const;
    /// conninfo as another role (trust: no password).
    QString conninfoAs(const QString &user, const QString &database = QStringLiteral("postgres")) const;
    /// CREATE DATABASE; options such as "ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'".
    QString createDatabase(const QString &name, const QString &options = {});
    /// Runs SQL through psql with ON_ERROR_STOP; gives its unaligned, tuples-only output without the last line feed.
    QString psql(const QString &database, const QString &sql);
    /// Runs a file below the source folder: "sql/demo/seed_000.sql".
    void psqlFile(const QString &database, const QString &file);

    /// Major version of the server in this folder, 0 where there is none; without a folder: of the one the tests use.
    static int majorVersion(const QString &folder = app::PrivateCluster::binaryFolder());
    /// The kinds of log this server can write, by the ends of their files: csv, log, and from 15 on json.
    static QStringList logKinds();
    /// Settings with which it writes all of them, as log/server.<kind>.
    static QStringList logSettings();

private:
    void begin(const QStringList &settings, const app::PrivateCluster::DataMaker &make);
    QString runPsql(const QStringList &arguments, const QByteArray &input);
    app::PrivateCluster m_cluster;
};

} // namespace idemdesk::tests
