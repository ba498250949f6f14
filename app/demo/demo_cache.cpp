// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_cache.h"

#include "app/cluster/server_account.h"
#include "app/cluster/tied_process.h"
#include "app/demo/demo_link.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QProcess>
#include <QStandardPaths>
#include <QThread>

#include <csignal>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Result;

namespace {

constexpr int kCacheStartMs = 10'000;
constexpr int kCacheAnswerMs = 10'000;

sql::Error cacheFailure(const QString &why, const QString &log)
{
    return sql::makeError(sql::ErrorKind::Other,
        QCoreApplication::translate("Demo", "The demo's Redis did not start or stop."), why,
        QCoreApplication::translate("Demo", "Look into %1.").arg(log));
}

QString serverProgram()
{
    return QStandardPaths::findExecutable(u"redis-server"_s);
}

/// A command as Redis' protocol writes it.
void addCommand(QByteArray *out, const QByteArrayList &words)
{
    *out += '*' + QByteArray::number(words.size()) + "\r\n";
    for (const QByteArray &word : words) {
        *out += '$' + QByteArray::number(word.size()) + "\r\n" + word + "\r\n";
    }
}

} // namespace

DemoCache::DemoCache(QString folder, QString conninfo)
    : m_folder(std::move(folder))
    , m_conninfo(std::move(conninfo))
{
}

bool DemoCache::installed()
{
    return !serverProgram().isEmpty();
}

QString DemoCache::key()
{
    return u"idempotency:{scope}:{key}"_s;
}

QString DemoCache::ttl()
{
    return u"24h"_s;
}

QString DemoCache::url() const
{
    return u"unix://"_s + socket();
}

qint64 DemoCache::pid() const
{
    QFile file(pidFile());
    const qint64 pid = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toLongLong() : 0;
    if (pid <= 0 || !processRuns(pid)) {
        return 0;
    }
    // After a power cut the number may be another program's. This one works in the demo's folder.
    const QString works = QFile::symLinkTarget(u"/proc/%1/cwd"_s.arg(pid));
    const bool ours
        = works.isEmpty() || QFileInfo(works).canonicalFilePath() == QFileInfo(m_folder).canonicalFilePath();
    return ours ? pid : 0;
}

Result<void> DemoCache::launch(bool tied) const
{
    // No TCP, nothing on the disk, and a limit that a demo never meets.
    const QStringList arguments { u"--port"_s, u"0"_s, u"--unixsocket"_s, socket(), u"--unixsocketperm"_s, u"700"_s,
        u"--dir"_s, m_folder, u"--pidfile"_s, pidFile(), u"--logfile"_s, logFile(), u"--save"_s, QString(),
        u"--appendonly"_s, u"no"_s, u"--maxmemory"_s, u"64mb"_s, u"--daemonize"_s, tied ? u"no"_s : u"yes"_s };
    const ServerAccount account = serverAccount();
    if (tied) {
        TRY(startTied({ serverProgram(), arguments, cleanEnvironment().toStringList(), u"/dev/null"_s,
            [account] { become(account, SIGTERM); } }));
        return {};
    }
    QProcess process;
    process.setWorkingDirectory(u"/"_s);
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    process.setChildProcessModifier([account] { become(account, 0); });
    process.start(serverProgram(), arguments);
    return process.waitForFinished(kCacheStartMs) && process.exitCode() == 0
        ? Result<void>()
        : Result<void>(cacheFailure(process.errorString(), logFile()));
}

Result<void> DemoCache::await(const std::stop_token &stop) const
{
    const QDeadlineTimer deadline(kCacheStartMs);
    for (;;) {
        QLocalSocket probe;
        probe.connectToServer(socket());
        if (pid() != 0 && probe.waitForConnected(1'000)) {
            return {};
        }
        if (stop.stop_requested()) {
            return sql::makeError(
                sql::ErrorKind::Cancelled, QCoreApplication::translate("Demo", "The demo was not made."));
        }
        if (deadline.hasExpired()) {
            QFile log(logFile());
            return cacheFailure(
                log.open(QIODevice::ReadOnly) ? QString::fromUtf8(log.readAll().right(1'000)) : QString(), logFile());
        }
        QThread::msleep(10);
    }
}

Result<void> DemoCache::start(bool tied, const std::stop_token &stop) const
{
    if (!running()) {
        QFile::remove(socket());
        TRY(launch(tied));
        TRY(await(stop));
    }
    return fill();
}

Result<void> DemoCache::fill() const
{
    DemoLink link;
    TRY(link.open(m_conninfo, "idemdesk demo"));
    TRY(const auto entries, link.run(demoScript(u"cache_entries"_s)));
    QByteArray commands;
    qsizetype answers = 1;
    addCommand(&commands, { "FLUSHALL" });
    for (const auto &entry : entries) {
        const QByteArray name = entry.at(0);
        if (entry.at(1) == "hash") {
            addCommand(&commands, { "HSET", name, "status", entry.at(2) });
        } else {
            addCommand(&commands, { "SET", name, entry.at(2) });
        }
        ++answers;
        if (!entry.at(3).isNull()) {
            addCommand(&commands, { "PEXPIRE", name, entry.at(3) });
            ++answers;
        }
    }
    // Some were asked for and some were not there, so that there is a ratio to look at.
    for (qsizetype i = 0; i < entries.size() / 4; ++i) {
        addCommand(&commands, { "EXISTS", i % 6 == 0 ? QByteArray("idempotency:none:") : entries.at(i).at(0) });
        ++answers;
    }
    return send(commands, answers);
}

/// Each answer is one line: what is sent here gets no other.
Result<void> DemoCache::send(const QByteArray &commands, qsizetype answers) const
{
    QLocalSocket redis;
    redis.connectToServer(socket());
    if (!redis.waitForConnected(kCacheAnswerMs)) {
        return cacheFailure(redis.errorString(), logFile());
    }
    redis.write(commands);
    const QDeadlineTimer deadline(kCacheAnswerMs);
    QByteArray line;
    for (qsizetype seen = 0; seen < answers;) {
        if (redis.bytesToWrite() > 0) {
            redis.waitForBytesWritten(100);
        }
        if (!redis.canReadLine() && !redis.waitForReadyRead(100) && deadline.hasExpired()) {
            return cacheFailure(redis.errorString(), logFile());
        }
        while (redis.canReadLine()) {
            line = redis.readLine();
            if (line.startsWith('-')) {
                return cacheFailure(QString::fromUtf8(line).trimmed(), logFile());
            }
            ++seen;
        }
    }
    return {};
}

Result<void> DemoCache::stop() const
{
    const qint64 running = pid();
    if (running == 0) {
        return {};
    }
    kill(static_cast<pid_t>(running), SIGTERM);
    const QDeadlineTimer deadline(kCacheStartMs);
    while (processRuns(running)) {
        if (deadline.hasExpired()) {
            return cacheFailure(
                QCoreApplication::translate("Demo", "Its process %1 still runs.").arg(running), logFile());
        }
        QThread::msleep(10);
    }
    collectTied(running, 5'000);
    return {};
}

} // namespace idemdesk::app
