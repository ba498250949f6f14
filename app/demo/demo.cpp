// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"

#include "app/cluster/private_cluster.h"
#include "app/demo/demo_database.h"
#include "app/demo/workload.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QThread>

#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Error;
using sql::ErrorKind;
using sql::Result;

namespace {

/// Older history would show an idle system with nothing fresh in it.
constexpr int kMaximumAgeHours = 12;

/// The running image itself, even where its file was replaced or may not be read by the server's account.
const QLatin1StringView kSelf = "/proc/self/exe"_L1;

/// Holds off a second start or stop of the same demo while one is under way.
class StartLock
{
public:
    explicit StartLock(const QString &folder)
    {
        QDir().mkpath(QFileInfo(folder).path());
        m_file = open(QFile::encodeName(folder + u".lock"_s).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        while (m_file >= 0 && flock(m_file, LOCK_EX) != 0 && errno == EINTR) { }
    }
    ~StartLock()
    {
        if (m_file >= 0) {
            ::close(m_file);
        }
    }
    StartLock(const StartLock &) = delete;
    StartLock &operator=(const StartLock &) = delete;

private:
    int m_file = -1;
};

Error workloadFailure(const QString &why, const QString &log)
{
    Error error;
    error.kind = ErrorKind::Other;
    error.what = QCoreApplication::translate("Demo", "The demo's services did not start or stop.");
    error.why = why;
    error.todo = QCoreApplication::translate("Demo", "Look into %1.").arg(log);
    return error;
}

/// Takes note of the end of tied services: they are children of this process.
void collectWorkloads()
{
    if (QCoreApplication::instance() == nullptr) {
        return;
    }
    const auto children = QCoreApplication::instance()->findChildren<QProcess *>(QString(), Qt::FindDirectChildrenOnly);
    for (QProcess *child : children) {
        if (child->program() == kSelf && (child->state() == QProcess::NotRunning || child->waitForFinished(1'000))) {
            delete child;
        }
    }
}

} // namespace

Demo::Demo(QString folder)
    : m_folder(std::move(folder))
{
}

QString Demo::defaultFolder()
{
    return PrivateCluster::defaultFolder(u"demo"_s);
}

DemoStatus demoStatus()
{
    return Demo().status();
}

DemoStatus Demo::status() const
{
    const PrivateCluster cluster(m_folder);
    DemoStatus status;
    status.folder = m_folder;
    status.serverPid = cluster.postmasterPid();
    status.running = status.serverPid != 0;
    if (status.running) {
        const DemoDatabase database(m_folder, cluster.superuser());
        status.loaded = database.loaded(24 * 365 * 10);
        status.conninfo = database.consoleConninfo();
        status.workloadPid = workloadPid(m_folder);
        status.workload = status.workloadPid != 0;
    }
    return status;
}

Result<DemoStatus> Demo::start(const Options &options)
{
    const StartLock lock(m_folder);
    const auto say = [&options](const QString &text) {
        if (options.progress) {
            options.progress(text);
        }
    };
    PrivateCluster cluster(m_folder);
    const bool ran = cluster.running();
    if (!cluster.initialised()) {
        say(QCoreApplication::translate("Demo", "Making a private PostgreSQL cluster in %1.").arg(m_folder));
        // What is lost with a power cut is made again in seconds.
        const auto made = cluster.initialise({ u"fsync = off"_s, u"full_page_writes = off"_s, u"synchronous_commit = off"_s,
            u"max_connections = 60"_s, u"shared_buffers = '96MB'"_s, u"max_wal_size = '512MB'"_s, u"track_io_timing = on"_s });
        if (!made) {
            return made.error();
        }
    }
    if (!ran) {
        say(QCoreApplication::translate("Demo", "Starting the private PostgreSQL server."));
    }
    if (const auto started = cluster.start(options.life == Life::Tied); !started) {
        return started.error();
    }
    const DemoDatabase database(m_folder, cluster.superuser());
    // Somebody may be looking at a demo that ran before: it keeps its rows, unless there are none.
    if (!database.loaded(ran ? 24 * 365 * 10 : kMaximumAgeHours)) {
        if (const auto loaded = database.load(options.progress); !loaded) {
            return loaded.error();
        }
    }
    if (options.workload && workloadPid(m_folder) == 0) {
        say(QCoreApplication::translate("Demo", "Starting the services that work on the tables."));
        if (const auto started = startWorkload(options.life); !started) {
            return started.error();
        }
    }
    return status();
}

Result<void> Demo::startWorkload(Life life) const
{
    const QString log = m_folder + u"/workload.log"_s;
    const bool tied = life == Life::Tied;
    const QStringList arguments { QString::fromLatin1(kWorkloadWord), m_folder,
        tied ? QString::number(getpid()) : QString::number(0) };
    const QString program = kSelf;
    if (tied) {
        auto *child = new QProcess(QCoreApplication::instance());
        child->setWorkingDirectory(u"/"_s);
        child->setStandardInputFile(QProcess::nullDevice());
        child->setStandardOutputFile(QProcess::nullDevice());
        child->setProcessChannelMode(QProcess::MergedChannels);
        child->start(program, arguments);
        if (!child->waitForStarted(10'000)) {
            return workloadFailure(child->errorString(), log);
        }
    } else {
        QProcess process;
        process.setWorkingDirectory(u"/"_s);
        process.setStandardInputFile(QProcess::nullDevice());
        process.setStandardOutputFile(QProcess::nullDevice());
        process.setStandardErrorFile(QProcess::nullDevice());
        process.setProgram(program);
        process.setArguments(arguments);
        process.setChildProcessModifier([] { setsid(); }); // it outlives the terminal
        if (!process.startDetached()) {
            return workloadFailure(process.errorString(), log);
        }
    }
    const QDeadlineTimer deadline(15'000);
    while (workloadPid(m_folder) == 0) {
        if (deadline.hasExpired()) {
            return workloadFailure(QCoreApplication::translate("Demo", "Their process did not report."), log);
        }
        QThread::msleep(20);
    }
    return {};
}

Result<void> Demo::stopWorkload() const
{
    const qint64 pid = workloadPid(m_folder);
    if (pid == 0) {
        collectWorkloads(); // it may have ended by itself
        return {};
    }
    kill(static_cast<pid_t>(pid), SIGTERM);
    const QDeadlineTimer gentle(8'000);
    const QDeadlineTimer last(12'000);
    bool forced = false;
    while (workloadPid(m_folder) == pid) {
        if (last.hasExpired()) {
            return workloadFailure(QCoreApplication::translate("Demo", "Their process %1 still runs.").arg(pid),
                m_folder + u"/workload.log"_s);
        }
        if (gentle.hasExpired() && !forced) {
            kill(static_cast<pid_t>(pid), SIGKILL);
            forced = true;
        }
        QThread::msleep(20);
    }
    collectWorkloads();
    return {};
}

Result<void> Demo::stop()
{
    const StartLock lock(m_folder);
    if (const auto stopped = stopWorkload(); !stopped) {
        return stopped;
    }
    return PrivateCluster(m_folder).stop();
}

Result<void> Demo::destroy()
{
    if (const auto stopped = stop(); !stopped) {
        return stopped;
    }
    const auto gone = PrivateCluster(m_folder).destroy();
    QFile::remove(m_folder + u".lock"_s);
    return gone;
}

} // namespace idemdesk::app
