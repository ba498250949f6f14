// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace idemdesk::tests {

/// Real certificates made with the openssl program in a folder: two authorities, and server certificates signed by the
/// first. Failures end the test program.
class TestCertificates
{
public:
    explicit TestCertificates(const QString &folder);

    QString authorityFile() const { return m_folder + QStringLiteral("/ca.crt"); }
    QString otherAuthorityFile() const { return m_folder + QStringLiteral("/other.crt"); }
    /// A pair for this host name, valid from now for `days` (negative: expired so many days ago).
    struct Pair {
        QByteArray certificate;
        QByteArray key;
    };
    Pair serverFor(const QString &hostName, int days);

private:
    void openssl(const QStringList &arguments);
    void run(const QString &program, const QStringList &arguments);
    QString m_folder;
};

/// A TCP port of 127.0.0.1 that was free a moment ago.
int freePort();

} // namespace idemdesk::tests
