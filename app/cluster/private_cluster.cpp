// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cluster/private_cluster.h"

#include "app/cluster/server_account.h"
#include "app/cluster/tied_process.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QThread>

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Error;
using sql::ErrorKind;
using sql::Result;

namespace {

constexpr int kOldestServer = 14;

Error stopped()
{
    return makeError(ErrorKind::Cancelled, QCoreApplication::translate("PrivateCluster", "Stopped on request."));
}

Error failure(const QString &what, const QString &why, const QString &todo)
{
    return makeError(ErrorKind::File, what, why, todo);
}

/// Folder of the newest server that a Debian package installed, or of the one in PATH.
QString installedFolder()
{
    for (int version = 30; version >= kOldestServer; --version) {
        const QString folder = u"/usr/lib/postgresql/"_s + QString::number(version) + u"/bin"_s;
        if (QFileInfo(folder + u"/initdb"_s).isExecutable()) {
            return folder;
        }
    }
    const QString found = QStandardPaths::findExecutable(u"initdb"_s);
    return found.isEmpty() ? QString() : QFileInfo(found).absolutePath();
}

} // namespace

PrivateCluster::PrivateCluster(QString folder)
    : m_folder(std::move(folder))
{
}

QString PrivateCluster::defaultFolder(const QString &name)
{
    if (const QString wanted = qEnvironmentVariable("IDEMDESK_CLUSTERS"); !wanted.isEmpty()) {
        return QDir(wanted).absoluteFilePath(name);
    }
    if (geteuid() == 0) {
        return u"/var/tmp/idemdesk-root-"_s + name; // root's own cache folder is closed to the server's account
    }
    const QString cache
        = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + u"/idemdesk/"_s + name;
    if (QFile::encodeName(cache + u"/.s.PGSQL.5432"_s).size() < 100) {
        return cache;
    }
    return u"/var/tmp/idemdesk-"_s + QString::number(geteuid()) + u'-' + name;
}

QString PrivateCluster::binaryFolder()
{
    // Whoever names a folder means that server and no other: where it holds none, making the cluster fails and says so.
    const QString wanted = qEnvironmentVariable("IDEMDESK_PG_BIN");
    return wanted.isEmpty() ? installedFolder() : wanted;
}

QString PrivateCluster::program(const QString &name)
{
    const QString own = binaryFolder() + u'/' + name;
    // A server that was fetched as a package may come without clients; those of any version do. The server itself must
    // be the one that is wanted, or a test of one version would pass on another.
    if (QFileInfo(own).isExecutable() || name == u"initdb" || name == u"postgres" || name == u"pg_ctl") {
        return own;
    }
    const QString installed = installedFolder() + u'/' + name;
    const QString found = QFileInfo(installed).isExecutable() ? installed : QStandardPaths::findExecutable(name);
    return found.isEmpty() ? own : found;
}

QString PrivateCluster::superuser() const
{
    return QString::fromLocal8Bit(serverAccount().name);
}

QString PrivateCluster::conninfo(const QString &database) const
{
    return u"host="_s + m_folder + (m_port == 5432 ? QString() : u" port="_s + QString::number(m_port)) + u" dbname="_s
        + database + u" user="_s + superuser();
}

bool PrivateCluster::initialised() const
{
    return QFileInfo::exists(dataFolder() + u"/PG_VERSION"_s);
}

bool PrivateCluster::ofAnotherServer() const
{
    QFile made(dataFolder() + u"/PG_VERSION"_s);
    if (!made.open(QIODevice::ReadOnly)) {
        return false;
    }
    const auto here = run(u"postgres"_s, { u"--version"_s }, 10'000, {}); // "postgres (PostgreSQL) 15.18 (…)"
    const QString major = QString::fromLatin1(made.readAll().trimmed());
    static const QRegularExpression number(u" ([0-9]+)"_s);
    const auto found = here ? number.match(*here) : QRegularExpressionMatch();
    return found.hasMatch() && found.captured(1) != major;
}

Result<void> PrivateCluster::prepareFolder() const
{
    const ServerAccount account = serverAccount();
    if (account.user == 0) {
        return failure(QCoreApplication::translate("PrivateCluster", "The private database cannot be made."),
            QCoreApplication::translate("PrivateCluster",
                "PostgreSQL refuses to run as root, and this system has neither an account “postgres” nor “nobody”."),
            QCoreApplication::translate("PrivateCluster", "Run the console as an ordinary user."));
    }
    const QByteArray path = QFile::encodeName(m_folder);
    if (path.size() + 16 > 107) {
        return failure(QCoreApplication::translate("PrivateCluster", "The private database cannot be made."),
            QCoreApplication::translate("PrivateCluster", "The path %1 is too long for a Unix socket.").arg(m_folder),
            QCoreApplication::translate("PrivateCluster", "Choose a shorter folder."));
    }
    if (!QDir().mkpath(QFileInfo(m_folder).path())) {
        return failure(QCoreApplication::translate("PrivateCluster", "The private database cannot be made."),
            QCoreApplication::translate("PrivateCluster", "The folder %1 cannot be made.").arg(m_folder),
            QCoreApplication::translate("PrivateCluster", "Check its parent's rights and the free space."));
    }
    if (mkdir(path.constData(), 0700) != 0 && errno != EEXIST) {
        return failure(QCoreApplication::translate("PrivateCluster", "The private database cannot be made."),
            QString::fromLocal8Bit(strerror(errno)), m_folder);
    }
    struct stat info {
    };
    // A folder in /var/tmp that somebody else made first must not be trusted, nor a link.
    if (lstat(path.constData(), &info) != 0 || !S_ISDIR(info.st_mode)
        || (info.st_uid != account.user && info.st_uid != geteuid())) {
        return failure(QCoreApplication::translate("PrivateCluster", "The private database cannot be made."),
            QCoreApplication::translate("PrivateCluster", "%1 belongs to another account.").arg(m_folder),
            QCoreApplication::translate("PrivateCluster", "Remove it or choose another folder."));
    }
    if (geteuid() == 0 && chown(path.constData(), account.user, account.group) != 0) {
        return failure(QCoreApplication::translate("PrivateCluster", "The private database cannot be made."),
            QString::fromLocal8Bit(strerror(errno)), m_folder);
    }
    chmod(path.constData(), 0700);
    return {};
}

Result<QString> PrivateCluster::run(
    const QString &program, const QStringList &arguments, int timeoutMs, const std::stop_token &stop) const
{
    QFile file(m_folder + u'/' + program + u".out"_s); // the account's own, which writes it
    file.remove();
    const auto ended = runTied({ PrivateCluster::program(program), arguments, cleanEnvironment().toStringList(),
                                   file.fileName(), [account = serverAccount()] { become(account, SIGINT); } },
        timeoutMs, stop);
    const QString output = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    file.remove();
    if (!ended) {
        return ended.error();
    }
    if (*ended == TiedEnd::Stopped) {
        return stopped();
    }
    if (*ended != TiedEnd::Succeeded) {
        QStringList why { output.trimmed() };
        if (*ended == TiedEnd::TookTooLong) {
            why.prepend(QCoreApplication::translate("PrivateCluster", "It did not end in time."));
        }
        return failure(QCoreApplication::translate("PrivateCluster", "%1 failed.").arg(program),
            why.join(u'\n').trimmed(),
            QCoreApplication::translate(
                "PrivateCluster", "Check the free space and that PostgreSQL 14 or later is installed."));
    }
    return output;
}

Result<void> PrivateCluster::runInitdb(const QString &dataFolder, const std::stop_token &stop) const
{
    TRY(run(u"initdb"_s,
        { u"--pgdata="_s + dataFolder, u"--auth=trust"_s, u"--encoding=UTF8"_s, u"--locale=C.UTF-8"_s,
            u"--username="_s + superuser(), u"--no-sync"_s },
        120'000, stop));
    return {};
}

Result<void> PrivateCluster::initialise(const QStringList &settings, const std::stop_token &stop, const DataMaker &make)
{
    if (!QFileInfo(binaryFolder() + u"/initdb"_s).isExecutable()) {
        return failure(QCoreApplication::translate("PrivateCluster", "The private database cannot be made."),
            QCoreApplication::translate("PrivateCluster", "No PostgreSQL server from version 14 up is installed."),
            QCoreApplication::translate("PrivateCluster", "Install the package postgresql."));
    }
    if (const auto prepared = prepareFolder(); !prepared) {
        return prepared;
    }
    // Under another name until it is whole: a folder that was left half made must not be taken for a cluster.
    const QString making = dataFolder() + u".making"_s;
    QDir(making).removeRecursively();
    QDir(dataFolder()).removeRecursively();
    const auto made = make ? make(making) : runInitdb(making, stop);
    if (!made) {
        QDir(making).removeRecursively();
        return made.error();
    }
    if (const auto configured = configure(making, settings); !configured) {
        return configured;
    }
    if (!QDir().rename(making, dataFolder())) {
        return failure(QCoreApplication::translate("PrivateCluster", "The private database cannot be made."),
            QCoreApplication::translate("PrivateCluster", "%1 cannot be renamed.").arg(making),
            QCoreApplication::translate("PrivateCluster", "Check the rights of %1.").arg(m_folder));
    }
    return {};
}

Result<void> PrivateCluster::cloneAsStandby(const PrivateCluster &primary, const QStringList &settings)
{
    if (const auto prepared = prepareFolder(); !prepared) {
        return prepared;
    }
    // By the server's own functions: pg_basebackup refuses a server that is newer than itself, and not each server
    // comes with its own.
    QFile version(primary.dataFolder() + u"/PG_VERSION"_s);
    const bool old = version.open(QIODevice::ReadOnly) && version.readAll().trimmed().toInt() < 15;
    // A file that goes while the others are copied is no harm: replay begins before the copy did.
    const QString copy = u"\\! cp -R -p '%1' '%2'; rm -rf '%2'/postmaster.* '%2'/pg_wal/* '%2'/pg_replslot/*; "
                         "touch '%2'/standby.signal"_s.arg(primary.dataFolder(), dataFolder());
    const QString label = u"\\o '"_s + dataFolder() + u"/backup_label'"_s;
    const QString begin
        = old ? u"SELECT pg_start_backup('standby', true, false)"_s : u"SELECT pg_backup_start('standby', true)"_s;
    const QString end = old ? u"SELECT labelfile FROM pg_stop_backup(false, false)"_s
                            : u"SELECT labelfile FROM pg_backup_stop(false)"_s;
    TRY(run(u"psql"_s,
        { u"-XqAt"_s, u"-v"_s, u"ON_ERROR_STOP=1"_s, u"-d"_s, primary.conninfo(u"postgres"_s), u"-c"_s, begin, u"-c"_s,
            copy, u"-c"_s, label, u"-c"_s, end },
        120'000, {}));
    QStringList lines = settings;
    lines += u"primary_conninfo = '%1'"_s.arg(primary.conninfo(u"postgres"_s));
    return configure(dataFolder(), lines);
}

Result<void> PrivateCluster::configure(const QString &dataFolder, const QStringList &settings) const
{
    QFile conf(dataFolder + u"/postgresql.conf"_s);
    if (!conf.open(QIODevice::Append)) {
        return failure(QCoreApplication::translate("PrivateCluster", "The private database cannot be configured."),
            conf.errorString(), conf.fileName());
    }
    QStringList lines { u"listen_addresses = ''"_s, u"unix_socket_directories = '%1'"_s.arg(m_folder),
        u"unix_socket_permissions = 0700"_s, u"port = %1"_s.arg(m_port), u"timezone = 'UTC'"_s,
        u"log_timezone = 'UTC'"_s, u"lc_messages = 'C'"_s };
    lines += settings;
    conf.write('\n' + lines.join(u'\n').toUtf8() + '\n');
    return {};
}

PrivateCluster::Postmaster PrivateCluster::postmaster() const
{
    QFile file(dataFolder() + u"/postmaster.pid"_s);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArrayList lines = file.readAll().split('\n');
    const qint64 pid = lines.first().trimmed().toLongLong();
    if (pid <= 0 || !processRuns(pid)) {
        return {};
    }
    // After a power cut the number may be another program's. A server works in its data folder.
    const QString works = QFile::symLinkTarget(u"/proc/%1/cwd"_s.arg(pid));
    if (!works.isEmpty() && QFileInfo(works).canonicalFilePath() != QFileInfo(dataFolder()).canonicalFilePath()) {
        return {};
    }
    return { pid, lines.value(7).trimmed() };
}

qint64 PrivateCluster::postmasterPid() const
{
    return postmaster().pid;
}

bool PrivateCluster::running() const
{
    return postmasterPid() != 0;
}

/// A server that ends with this thread, whose child it therefore is.
Result<void> PrivateCluster::launchTied()
{
    TRY(startTied({ binaryFolder() + u"/postgres"_s, { u"-D"_s, dataFolder() }, cleanEnvironment().toStringList(),
        logFile(), [account = serverAccount()] { become(account, SIGINT); } }));
    return {};
}

/// A server that outlives this process and its terminal. By pg_ctl, since QProcess::startDetached() takes no account to
/// run as: it leaves a child process modifier out.
Result<void> PrivateCluster::launchDetached() const
{
    TRY(run(u"pg_ctl"_s,
        { u"start"_s, u"--no-wait"_s, u"--silent"_s, u"--pgdata="_s + dataFolder(), u"--log="_s + logFile() }, 20'000,
        {}));
    return {};
}

Result<void> PrivateCluster::start(bool tied, int timeoutMs, const std::stop_token &stop)
{
    const QDeadlineTimer deadline(timeoutMs);
    bool launched = false;
    QDeadlineTimer sign(QDeadlineTimer::Forever); // of life, from a server that was launched
    while (!deadline.hasExpired() && !sign.hasExpired()) {
        const Postmaster server = postmaster();
        if (server.status == "ready") {
            return {};
        }
        if (server.pid != 0) {
            sign.setRemainingTime(-1);
        } else if (!launched) {
            // A crash leaves the socket's lock file behind; PostgreSQL removes a stale one itself.
            TRY(tied ? launchTied() : launchDetached());
            launched = true;
            sign.setRemainingTime(5'000);
        } else if (sign.isForever()) {
            break; // it came and went
        }
        QThread::msleep(10);
        // One that was launched is waited for until it has a number by which it can be stopped.
        if (stop.stop_requested() && !(launched && server.pid == 0)) {
            return stopped();
        }
    }
    collectEnded();
    if (stop.stop_requested()) {
        return stopped();
    }
    QFile log(logFile());
    const QString tail = log.open(QIODevice::ReadOnly) ? QString::fromUtf8(log.readAll().right(2000)) : QString();
    return failure(QCoreApplication::translate("PrivateCluster", "The private database did not start."), tail,
        QCoreApplication::translate("PrivateCluster", "Look into %1.").arg(logFile()));
}

Result<void> PrivateCluster::stop(int timeoutMs)
{
    const qint64 pid = postmasterPid();
    if (pid == 0) {
        return {};
    }
    kill(static_cast<pid_t>(pid), SIGINT);
    const QDeadlineTimer deadline(timeoutMs);
    // Its pid file goes shortly before the process does.
    while (processRuns(pid)) {
        if (deadline.hasExpired()) {
            return failure(QCoreApplication::translate("PrivateCluster", "The private database did not stop."),
                QCoreApplication::translate("PrivateCluster", "Its process %1 still runs.").arg(pid),
                QCoreApplication::translate("PrivateCluster", "Look into %1.").arg(logFile()));
        }
        QThread::msleep(20);
    }
    collectTied(pid, 5'000);
    return {};
}

Result<void> PrivateCluster::destroy()
{
    if (const auto stopped = stop(); !stopped) {
        return stopped;
    }
    QDir(m_folder).removeRecursively();
    return {};
}

} // namespace idemdesk::app
