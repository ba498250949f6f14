// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_certificates.h"

#include <QFile>
#include <QProcess>
#include <QStringList>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("%s cannot be read", qPrintable(path));
    }
    return file.readAll();
}

} // namespace

TestCertificates::TestCertificates(const QString &folder)
    : m_folder(folder)
{
    for (const QString &name : { u"ca"_s, u"other"_s }) {
        openssl({ u"req"_s, u"-x509"_s, u"-newkey"_s, u"ec"_s, u"-pkeyopt"_s, u"ec_paramgen_curve:prime256v1"_s,
            u"-nodes"_s, u"-keyout"_s, name + u".key"_s, u"-out"_s, name + u".crt"_s, u"-days"_s, u"30"_s, u"-subj"_s,
            u"/CN=idemdesk test "_s + name });
    }
}

TestCertificates::Pair TestCertificates::serverFor(const QString &hostName, int days)
{
    openssl({ u"req"_s, u"-newkey"_s, u"ec"_s, u"-pkeyopt"_s, u"ec_paramgen_curve:prime256v1"_s, u"-nodes"_s,
        u"-keyout"_s, u"server.key"_s, u"-out"_s, u"server.csr"_s, u"-subj"_s, u"/CN="_s + hostName });
    // No option of openssl makes an expired one everywhere: 3.5 refuses an end before its start, and 3.0 does not know
    // -not_before. So its clock is set back.
    const QStringList signing { u"x509"_s, u"-req"_s, u"-in"_s, u"server.csr"_s, u"-CA"_s, u"ca.crt"_s, u"-CAkey"_s,
        u"ca.key"_s, u"-CAcreateserial"_s, u"-out"_s, u"server.crt"_s, u"-days"_s };
    if (days < 0) {
        run(u"faketime"_s,
            QStringList { u"-f"_s, QString::number(days - 1) + u'd', u"openssl"_s } + signing + QStringList { u"1"_s });
    } else {
        openssl(signing + QStringList { QString::number(days) });
    }
    return { contentOf(m_folder + u"/server.crt"_s), contentOf(m_folder + u"/server.key"_s) };
}

void TestCertificates::openssl(const QStringList &arguments)
{
    run(u"openssl"_s, arguments);
}

void TestCertificates::run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setWorkingDirectory(m_folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(60'000) || process.exitCode() != 0) {
        qFatal("%s: %s", qPrintable(program), process.readAll().constData());
    }
}

int freePort()
{
    const int handle = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    auto *generic = static_cast<sockaddr *>(static_cast<void *>(&address)); // as the sockets' interface wants it
    if (handle < 0 || bind(handle, generic, length) != 0 || getsockname(handle, generic, &length) != 0) {
        qFatal("no free port");
    }
    close(handle);
    return ntohs(address.sin_port);
}

} // namespace idemdesk::tests
