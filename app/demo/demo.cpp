// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"

#include "app/cluster/private_cluster.h"
#include "app/cluster/tied_process.h"
#include "app/demo/demo_cache.h"
#include "app/demo/demo_database.h"
#include "app/demo/demo_plan.h"
#include "app/demo/demo_statement.h"
#include "app/demo/workload.h"
#include "models/keys/private_file.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
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

constexpr int kAnyAge = 24 * 365 * 10;

/// Holds off a second start or stop of the same demo while one is under way.
class StartLock
{
public:
    explicit StartLock(const QString &folder, const std::stop_token &stop = {})
    {
        QDir().mkpath(QFileInfo(folder).path());
        m_file
            = open(QFile::encodeName(folder + u".lock"_s).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        // Asked again and again, not waited for: who waits must be able to give up.
        while (m_file >= 0 && flock(m_file, LOCK_EX | LOCK_NB) != 0 && (errno == EINTR || errno == EWOULDBLOCK)
            && !stop.stop_requested()) {
            QThread::msleep(20);
        }
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

Error cancelled()
{
    return sql::makeError(ErrorKind::Cancelled, QCoreApplication::translate("Demo", "The demo was not made."),
        QCoreApplication::translate("Demo", "It was stopped on request."));
}

Error workloadFailure(const QString &why, const QString &log)
{
    return makeError(ErrorKind::Other,
        QCoreApplication::translate("Demo", "The demo's services did not start or stop."), why,
        QCoreApplication::translate("Demo", "Look into %1.").arg(log));
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
        status.loaded = database.loaded(kAnyAge);
        status.conninfo = database.consoleConninfo();
        status.workloadPid = workloadPid(m_folder);
        status.workload = status.workloadPid != 0;
        const DemoCache cache(m_folder, {});
        status.cache = cache.running() ? cache.url() : QString();
        status.statement = QFile::exists(statementFile()) ? statementFile() : QString();
    }
    return status;
}

Result<DemoStatus> Demo::start(const Options &options)
{
    const StartLock lock(m_folder, options.stop);
    if (options.stop.stop_requested()) {
        return cancelled();
    }
    PrivateCluster cluster(m_folder);
    if (cluster.running() && !DemoDatabase(m_folder, cluster.superuser()).loaded(kAnyAge)) {
        // Left behind by a start that was killed, or of another version: there is nothing in it to look at.
        TRY(stopWorkload());
        TRY(cluster.stop());
    }
    const bool ran = cluster.running();
    DemoPlan plan(options.progress);
    auto started = startHere(options, plan);
    if (!started && !ran) {
        const bool whole = cluster.running() && DemoDatabase(m_folder, cluster.superuser()).loaded(kAnyAge);
        static_cast<void>(stopWorkload());
        static_cast<void>(DemoCache(m_folder, {}).stop());
        static_cast<void>(cluster.stop());
        if (!whole) {
            QDir(cluster.dataFolder()).removeRecursively(); // what is half made takes room for nothing
        }
    }
    if (!started && options.stop.stop_requested()) {
        return cancelled(); // whatever the stop broke first
    }
    return started;
}

Result<DemoStatus> Demo::startHere(const Options &options, DemoPlan &plan) const
{
    PrivateCluster cluster(m_folder);
    const bool ran = cluster.running();
    const bool tied = options.life == Life::Tied;
    // After an upgrade of the system another server is here: the demo's rows are made again in seconds.
    const bool fresh = !cluster.initialised() || (!ran && cluster.ofAnotherServer());
    if (fresh) {
        const int made
            = plan.add(QCoreApplication::translate("Demo", "Making a private PostgreSQL cluster in %1.").arg(m_folder));
        plan.begin(made);
        // What is lost with a power cut is made again in seconds. Nobody follows this server: its log need not hold the
        // rows of tables made in the same transaction.
        TRY(cluster.initialise(
            { u"fsync = off"_s, u"full_page_writes = off"_s, u"synchronous_commit = off"_s, u"wal_level = minimal"_s,
                u"max_wal_senders = 0"_s, u"jit = off"_s, u"max_connections = 60"_s, u"shared_buffers = '128MB'"_s,
                u"max_wal_size = '512MB'"_s, u"track_io_timing = on"_s },
            options.stop));
        plan.end(made);
    }
    if (!ran) {
        const int server = plan.add(QCoreApplication::translate("Demo", "Starting the private PostgreSQL server."));
        plan.begin(server);
        TRY(cluster.start(tied, 60'000, options.stop));
        plan.end(server);
    }
    // Whatever waits for the server then waits no longer. It is this start's own server, unless there is nothing to
    // wait for.
    const std::stop_callback ending(options.stop, [ran, pid = static_cast<pid_t>(cluster.postmasterPid())] {
        if (!ran && pid > 0) {
            kill(pid, SIGINT);
        }
    });
    const DemoDatabase database(m_folder, cluster.superuser());
    // Somebody may be looking at a demo that ran before: it keeps its rows.
    const bool load = !ran && (fresh || !database.loaded(kMaximumAgeHours));
    std::optional<DemoDatabase::Steps> steps;
    if (load) {
        steps = DemoDatabase::addSteps(plan);
    }
    const int beside = addBeside(plan);
    const bool work = options.workload && workloadPid(m_folder) == 0;
    const int services
        = work ? plan.add(QCoreApplication::translate("Demo", "Starting the services that work on the tables.")) : 0;
    if (load) {
        TRY(database.load(plan, *steps));
    }
    TRY(makeBeside(options, database.consoleConninfo(), plan, beside));
    if (work) {
        plan.begin(services);
        TRY(startWorkload(options.life, options.stop));
        plan.end(services);
    }
    if (options.stop.stop_requested()) {
        return cancelled();
    }
    DemoStatus now = status();
    now.startedHere = !ran;
    return now;
}

int Demo::addBeside(DemoPlan &plan)
{
    return plan.add(DemoCache::installed()
            ? QCoreApplication::translate("Demo", "Starting the Redis in front of the keys; writing a provider's file.")
            : QCoreApplication::translate(
                "Demo", "Writing a provider's file. There is no cache to look at: redis-server is not installed."));
}

/// What stands beside the database: a cache in front of it, and the word of a provider behind it.
Result<void> Demo::makeBeside(const Options &options, const QString &conninfo, DemoPlan &plan, int step) const
{
    plan.begin(step);
    const DemoCache cache(m_folder, conninfo);
    if (DemoCache::installed() && !cache.running()) {
        TRY(cache.start(options.life == Life::Tied, options.stop));
    }
    TRY(const auto statement, demoStatement(conninfo));
    TRY(models::writePrivateFile(statementFile(), statement));
    plan.end(step);
    return {};
}

Result<void> Demo::startWorkload(Life life, const std::stop_token &stop) const
{
    const QString log = m_folder + u"/workload.log"_s;
    const bool tied = life == Life::Tied;
    const QStringList arguments { QString::fromLatin1(kWorkloadWord), m_folder,
        tied ? QString::number(getpid()) : QString::number(0) };
    const QString program = kSelf;
    qint64 pid = 0;
    if (tied) {
        const auto child = startTied({ program, arguments, QProcessEnvironment::systemEnvironment().toStringList(),
            u"/dev/null"_s, [] {} }); // it ties itself, after its change of account
        if (!child) {
            return child.error();
        }
        pid = *child;
    } else {
        QProcess process;
        process.setWorkingDirectory(u"/"_s);
        process.setStandardInputFile(QProcess::nullDevice());
        process.setStandardOutputFile(QProcess::nullDevice());
        process.setStandardErrorFile(QProcess::nullDevice());
        process.setProgram(program);
        process.setArguments(arguments);
        process.setChildProcessModifier([] { setsid(); }); // it outlives the terminal
        if (!process.startDetached(&pid)) {
            return workloadFailure(process.errorString(), log);
        }
    }
    const QDeadlineTimer deadline(15'000);
    while (workloadPid(m_folder) == 0) {
        if (deadline.hasExpired() || stop.stop_requested()) {
            if (pid > 0) {
                kill(static_cast<pid_t>(pid), SIGKILL);
            } // before it says who it is, nobody could stop it later
            collectTied(pid, 1'000);
            return workloadFailure(QCoreApplication::translate("Demo", "Their process did not report."), log);
        }
        QThread::msleep(10);
    }
    return {};
}

Result<void> Demo::stopWorkload() const
{
    const qint64 pid = workloadPid(m_folder);
    if (pid == 0) {
        collectEnded(); // it may have ended by itself
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
    collectTied(pid, 1'000);
    return {};
}

Result<void> Demo::stop()
{
    const StartLock lock(m_folder);
    if (const auto stopped = stopWorkload(); !stopped) {
        return stopped;
    }
    const auto cache = DemoCache(m_folder, {}).stop();
    const auto cluster = PrivateCluster(m_folder).stop(); // whatever became of the cache
    return cache ? cluster : cache;
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
