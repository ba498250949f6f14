// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test_certificates.h"

#include <QByteArrayList>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::tests {

/// A real Redis on a Unix socket in a folder of its own, in memory alone, run as an unprivileged account and gone with
/// this object. Failures end the test program with a message.
class RedisFixture
{
public:
    /// Also listens on 127.0.0.1 with this certificate.
    struct Tls {
        int port = 0;
        TestCertificates::Pair server;
        QString authorities; ///< of clients' certificates; empty: none is asked for
    };
    /// settings: further lines of redis.conf.
    explicit RedisFixture(const QStringList &settings = {}, const std::optional<Tls> &tls = {});
    ~RedisFixture();
    RedisFixture(const RedisFixture &) = delete;
    RedisFixture &operator=(const RedisFixture &) = delete;

    QString socket() const { return m_folder + QStringLiteral("/redis.sock"); }
    /// What --cache takes.
    QString url() const { return QStringLiteral("unix://") + socket(); }
    /// What one command answers, as redis-cli prints it.
    QByteArray ask(const QByteArrayList &words) const;
    /// Runs commands, one a line, as redis-cli reads them from a pipe.
    void run(const QByteArray &commands) const;
    /// Empties it.
    void clear() const { ask({ "FLUSHALL" }); }
    qint64 pid() const { return m_process.processId(); }
    void pause() const; ///< SIGSTOP
    void go() const; ///< SIGCONT
    void kill(); ///< at once

private:
    void writeFiles(const QStringList &settings, const std::optional<Tls> &tls);
    void start();

    QString m_folder;
    QProcess m_process;
};

} // namespace idemdesk::tests
