// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_cluster.h"

#include "tests/support/private_home.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStorageInfo>
#include <QUuid>

#include <atomic>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

void insist(bool condition, const QString &message)
{
    if (!condition) {
        qFatal("%s", qPrintable(message));
    }
}

QString freshFolder()
{
    privateHome(); // whatever notes something of the cluster that is made there
    constexpr qint64 kRoom = qint64(8) << 30; // bytes; four programs side by side were seen to take half of it
    const QStorageInfo memory(u"/dev/shm"_s);
    const bool roomy = memory.rootPath() == u"/dev/shm"_s && !memory.isReadOnly() && memory.bytesAvailable() >= kRoom;
    return (roomy ? u"/dev/shm/idt-"_s : u"/tmp/idt-"_s) + QUuid::createUuid().toString(QUuid::Id128).left(10);
}

TestCluster::TestCluster(const QStringList &settings, const ClusterTemplate &content)
    : m_cluster(freshFolder())
{
    static std::atomic_flag copied = ATOMIC_FLAG_INIT;
    if (copied.test_and_set()) {
        begin(settings, {});
        content.fill(*this);
    } else {
        begin(settings, [&content](const QString &dataFolder) { return content.copyTo(dataFolder); });
    }
}

TestCluster::TestCluster(Made)
    : m_cluster(freshFolder())
{
    begin({}, {});
}

void TestCluster::begin(const QStringList &settings, const app::PrivateCluster::DataMaker &make)
{
    // Tests lose nothing by a power cut; everything else stays as a server has it.
    QStringList lines { u"fsync = off"_s, u"synchronous_commit = on"_s, u"full_page_writes = off"_s,
        u"max_connections = 60"_s, u"shared_buffers = '64MB'"_s, u"autovacuum = off"_s,
        // A statement that nobody waits for any more must not fill the memory in which the cluster lies.
        u"temp_file_limit = '4GB'"_s };
    lines += settings;
    const auto made = m_cluster.initialise(lines, {}, make);
    insist(made.ok(), made.ok() ? QString() : made.error().line());
    const auto started = m_cluster.start(true);
    insist(started.ok(), started.ok() ? QString() : started.error().line());
}

TestCluster::TestCluster(const Tls &tls, const QStringList &settings)
    : m_cluster(freshFolder())
{
    m_cluster.setPort(tls.port);
    const auto made = m_cluster.initialise(
        QStringList { u"fsync = off"_s, u"listen_addresses = '127.0.0.1'"_s, u"ssl = on"_s } + settings);
    insist(made.ok(), made.ok() ? QString() : made.error().line());
    // The server insists on a key that only its own account may read.
    const struct {
        const char16_t *name;
        const QByteArray &content;
    } files[] = { { u"/server.crt", tls.certificate }, { u"/server.key", tls.key } };
    for (const auto &[name, content] : files) {
        QFile file(m_cluster.dataFolder() + QString::fromUtf16(name));
        insist(file.open(QIODevice::WriteOnly) && file.write(content) == content.size(), u"certificate not written"_s);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        struct stat info {
        };
        stat(QFile::encodeName(m_cluster.dataFolder()).constData(), &info);
        insist(chown(QFile::encodeName(file.fileName()).constData(), info.st_uid, info.st_gid) == 0, u"chown"_s);
    }
    const auto started = m_cluster.start(true);
    insist(started.ok(), started.ok() ? QString() : started.error().line());
}

TestCluster::TestCluster(TestCluster &primary, bool notReady, const QStringList &settings)
    : m_cluster(freshFolder())
{
    QStringList lines = settings;
    lines += notReady ? u"hot_standby = off"_s : u"hot_standby = on"_s;
    const auto made = m_cluster.cloneAsStandby(primary.m_cluster, lines);
    insist(made.ok(), made.ok() ? QString() : made.error().line());
    const auto started = m_cluster.start(true, notReady ? 1'000 : 60'000);
    insist(started.ok() != notReady,
        started.ok() ? u"a standby that should not take connections does"_s : started.error().line());
}

TestCluster::~TestCluster()
{
    const auto gone = m_cluster.destroy();
    if (!gone) {
        qCritical("%s", qPrintable(gone.error().line()));
    }
}

QString TestCluster::conninfo(const QString &database) const
{
    return m_cluster.conninfo(database);
}

QString TestCluster::conninfoAs(const QString &user, const QString &database) const
{
    return u"host=%1 dbname=%2 user=%3"_s.arg(m_cluster.folder(), database, user);
}

QString TestCluster::createDatabase(const QString &name, const QString &options)
{
    psql(u"postgres"_s, u"CREATE DATABASE \"%1\" %2"_s.arg(name, options));
    return conninfo(name);
}

QString TestCluster::runPsql(const QStringList &arguments, const QByteArray &input)
{
    QProcess process;
    process.start(app::PrivateCluster::program(u"psql"_s),
        QStringList { u"-X"_s, u"-q"_s, u"-A"_s, u"-t"_s, u"-v"_s, u"ON_ERROR_STOP=1"_s } + arguments);
    process.write(input);
    process.closeWriteChannel();
    insist(process.waitForFinished(600'000), u"psql did not finish"_s);
    const QString errors = QString::fromUtf8(process.readAllStandardError());
    insist(process.exitCode() == 0, u"psql: "_s + errors + u'\n' + QString::fromUtf8(input.left(2000)));
    QString output = QString::fromUtf8(process.readAllStandardOutput());
    if (output.endsWith(u'\n')) {
        output.chop(1);
    }
    return output;
}

QString TestCluster::psql(const QString &database, const QString &sql)
{
    return runPsql({ u"-d"_s, conninfo(database), u"-f"_s, u"-"_s }, sql.toUtf8());
}

void TestCluster::psqlFile(const QString &database, const QString &file)
{
    runPsql({ u"-d"_s, conninfo(database), u"-f"_s, QStringLiteral(IDEMDESK_SOURCE_DIR) + u'/' + file }, {});
}

int TestCluster::majorVersion(const QString &folder)
{
    QProcess process;
    process.start(folder + u"/postgres"_s, { u"--version"_s });
    process.waitForFinished(10'000);
    const auto match = QRegularExpression(u"\\) (\\d+)"_s).match(QString::fromUtf8(process.readAllStandardOutput()));
    return match.captured(1).toInt();
}

QStringList TestCluster::logKinds()
{
    // A server that does not know a destination does not start.
    return majorVersion() < 15 ? QStringList { u"csv"_s, u"log"_s } : QStringList { u"csv"_s, u"json"_s, u"log"_s };
}

QStringList TestCluster::logSettings()
{
    const QString destinations = logKinds().contains(u"json"_s) ? u"csvlog,jsonlog,stderr"_s : u"csvlog,stderr"_s;
    return { u"logging_collector = on"_s, u"log_destination = '%1'"_s.arg(destinations), u"log_directory = 'log'"_s,
        u"log_filename = 'server.log'"_s, u"log_file_mode = 0644"_s };
}

} // namespace idemdesk::tests
