// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QByteArray>
#include <QString>
#include <stop_token>

namespace idemdesk::app {

/// The Redis in front of the demo's keys: a private redis-server on a Unix socket in the demo's folder, in memory
/// alone. Every function is synchronous.
class DemoCache
{
public:
    /// folder: of the demo, there already. conninfo: of its database.
    DemoCache(QString folder, QString conninfo);

    static bool installed(); ///< redis-server is; without it the demo has no cache
    static QString key(); ///< how a row's entry is called, as a profile says it
    static QString ttl();

    /// Starts what does not run, and fills it anew from the keys as they are. tied: it ends with the thread that calls.
    sql::Result<void> start(bool tied, const std::stop_token &stop) const;
    /// By its process id; waits. Not running is a success.
    sql::Result<void> stop() const;
    bool running() const { return pid() != 0; }
    qint64 pid() const; ///< from its own file, 0 where it does not run
    QString url() const; ///< as --cache takes it

private:
    sql::Result<void> launch(bool tied) const;
    sql::Result<void> await(const std::stop_token &stop) const;
    sql::Result<void> fill() const;
    sql::Result<void> send(const QByteArray &commands, qsizetype answers) const;
    QString socket() const { return m_folder + QStringLiteral("/redis.sock"); }
    QString pidFile() const { return m_folder + QStringLiteral("/redis.pid"); }
    QString logFile() const { return m_folder + QStringLiteral("/redis.log"); }

    QString m_folder;
    QString m_conninfo;
};

} // namespace idemdesk::app
