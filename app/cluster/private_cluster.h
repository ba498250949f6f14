// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <stop_token>

namespace idemdesk::app {

/// A PostgreSQL cluster that belongs to this user alone: initdb, Unix socket only, no TCP, trust on that socket,
/// C.UTF-8. PostgreSQL refuses to run as root: there everything runs as an unprivileged account (traps 25).
class PrivateCluster
{
public:
    /// folder holds data/, the socket and the log; it is made 0700 if it does not exist. Its path must be short:
    /// a socket path may have at most 107 bytes.
    explicit PrivateCluster(QString folder);

    /// Another port than 5432, for a cluster that must listen on loopback as well (TLS works on TCP alone). Before
    /// initialise().
    void setPort(int port) { m_port = port; }
    /// A copy of a running cluster, set up to follow it as a standby; instead of initialise().
    sql::Result<void> cloneAsStandby(const PrivateCluster &primary, const QStringList &settings);

    /// Where a demo cluster of this user may live: in the environment's IDEMDESK_CLUSTERS, else in the cache folder,
    /// for root under /var/tmp.
    static QString defaultFolder(const QString &name);

    bool initialised() const;
    /// Its data were made by another major version than binaryFolder()'s, which cannot start on them.
    bool ofAnotherServer() const;
    /// initdb; data ofAnotherServer() are removed before. `settings` are lines for postgresql.conf. Where it fails, is
    /// stopped or killed, initialised() stays false. `make` makes the data folder where it is not initdb's.
    using DataMaker = std::function<sql::Result<void>(const QString &dataFolder)>;
    sql::Result<void> initialise(
        const QStringList &settings, const std::stop_token &stop = {}, const DataMaker &make = {});
    /// Starts the server and waits until it takes connections, at most timeoutMs. Running already is a success; one
    /// that is on its way out is waited for first. tied: the server dies with the thread that calls this, however it
    /// ends. Asked to stop, it gives ErrorKind::Cancelled, and the server may be there: stop() it.
    sql::Result<void> start(bool tied, int timeoutMs = 60'000, const std::stop_token &stop = {});
    /// Fast shutdown by its process id; waits. Not running is a success.
    sql::Result<void> stop(int timeoutMs = 30'000);
    bool running() const;
    qint64 postmasterPid() const; ///< from postmaster.pid, 0 where it does not run
    /// Stops it and removes the folder.
    sql::Result<void> destroy();

    QString folder() const { return m_folder; }
    QString dataFolder() const { return m_folder + QStringLiteral("/data"); }
    QString logFile() const { return m_folder + QStringLiteral("/server.log"); }
    QString superuser() const; ///< the role initdb made
    /// libpq conninfo for a database of it.
    QString conninfo(const QString &database) const;
    /// Folder with initdb and postgres: the environment's IDEMDESK_PG_BIN, else of the newest PostgreSQL from 14 up;
    /// empty where none is installed.
    static QString binaryFolder();
    /// Path of a program of that server; a client that it comes without (psql) is another installed version's.
    static QString program(const QString &name);

private:
    /// What the server's own file says: pid 0 where it does not run; status "starting", "ready", "stopping" …
    struct Postmaster {
        qint64 pid = 0;
        QByteArray status = {};
    };
    Postmaster postmaster() const;
    sql::Result<QString> run(
        const QString &program, const QStringList &arguments, int timeoutMs, const std::stop_token &stop) const;
    sql::Result<void> prepareFolder() const;
    sql::Result<void> runInitdb(const QString &dataFolder, const std::stop_token &stop) const;
    sql::Result<void> launchTied();
    sql::Result<void> launchDetached() const;
    sql::Result<void> configure(const QString &dataFolder, const QStringList &settings) const;

    QString m_folder;
    int m_port = 5432;
};

} // namespace idemdesk::app
