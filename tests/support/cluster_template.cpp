// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cluster_template.h"

#include "app/cluster/private_cluster.h"
#include "tests/support/test_cluster.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QProcess>

#include <unistd.h>

#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

namespace {

sql::Error failure(const QString &what, const QString &why)
{
    return sql::makeError(sql::ErrorKind::File, what, why);
}

/// With owners and rights: only the server's account may own what a server reads.
sql::Result<void> copyFolder(const QString &from, const QString &to)
{
    QProcess copy;
    copy.start(u"cp"_s, { u"-a"_s, u"--"_s, from, to });
    if (!copy.waitForFinished(120'000) || copy.exitStatus() != QProcess::NormalExit || copy.exitCode() != 0) {
        return failure(u"%1 was not copied."_s.arg(from), QString::fromUtf8(copy.readAllStandardError()));
    }
    return {};
}

} // namespace

ClusterTemplate::ClusterTemplate(QString name, std::function<void(TestCluster &)> fill, QByteArray madeOf)
    : m_name(std::move(name))
    , m_fill(std::move(fill))
    , m_madeOf(std::move(madeOf))
{
}

void ClusterTemplate::fill(TestCluster &cluster) const
{
    if (m_fill) {
        m_fill(cluster);
    }
}

/// Of the server and of all that is filled in.
QByteArray ClusterTemplate::stamp() const
{
    const QFileInfo server(app::PrivateCluster::binaryFolder() + u"/postgres"_s);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QFile::encodeName(server.canonicalFilePath()));
    hash.addData(
        QByteArray::number(server.size()) + ' ' + QByteArray::number(server.lastModified().toMSecsSinceEpoch()));
    hash.addData(m_madeOf);
    return hash.result().toHex();
}

sql::Result<void> ClusterTemplate::make(const QString &folder) const
{
    QDir(folder).removeRecursively();
    if (!QDir().mkpath(folder)) {
        return failure(u"%1 cannot be made."_s.arg(folder), {});
    }
    TestCluster cluster(TestCluster::Made::ByInitdb);
    fill(cluster);
    TRY(cluster.cluster().stop());
    TRY(copyFolder(cluster.cluster().dataFolder(), folder + u"/data"_s));
    QFile done(folder + u"/made_of"_s); // last: what is half made has none
    if (!done.open(QIODevice::WriteOnly) || done.write(stamp()) < 0) {
        return failure(u"%1 cannot be written."_s.arg(done.fileName()), done.errorString());
    }
    return {};
}

sql::Result<void> ClusterTemplate::copyTo(const QString &dataFolder) const
{
    // Servers of several versions, and root beside an ordinary user, keep one each.
    const QByteArray server = QCryptographicHash::hash(
        QFile::encodeName(app::PrivateCluster::binaryFolder()) + QByteArray::number(geteuid()),
        QCryptographicHash::Sha256);
    const QString base = QStringLiteral(IDEMDESK_BUILD_DIR) + u"/tests/clusters"_s;
    const QString folder = base + u'/' + m_name + u'-' + QString::fromLatin1(server.toHex().left(8));
    QDir().mkpath(base);
    QLockFile lock(folder + u".lock"_s);
    if (!lock.tryLock(300'000)) {
        return failure(u"%1 is locked."_s.arg(folder), {});
    }
    QFile done(folder + u"/made_of"_s);
    if (!done.open(QIODevice::ReadOnly) || done.readAll() != stamp()) {
        TRY(make(folder));
    }
    return copyFolder(folder + u"/data"_s, dataFolder);
}

} // namespace idemdesk::tests
