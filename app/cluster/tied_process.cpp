// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cluster/tied_process.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QThread>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace idemdesk::app {

using sql::ErrorKind;
using sql::Result;

namespace {

/// Children that nobody took note of yet.
struct Children {
    std::mutex guard;
    std::vector<pid_t> pids;
};

Children &children()
{
    static Children all;
    return all;
}

std::vector<QByteArray> encoded(const QStringList &texts)
{
    std::vector<QByteArray> bytes;
    for (const QString &text : texts) {
        bytes.push_back(QFile::encodeName(text));
    }
    return bytes;
}

std::vector<char *> pointers(std::vector<QByteArray> &bytes)
{
    std::vector<char *> list;
    for (QByteArray &text : bytes) {
        list.push_back(text.data());
    }
    list.push_back(nullptr);
    return list;
}

/// Whether it ended, and now nothing is left of it.
bool collected(pid_t pid)
{
    int status = 0;
    const pid_t got = waitpid(pid, &status, WNOHANG);
    return got == pid || (got < 0 && errno == ECHILD);
}

/// In the child: becomes the program. Ends it with the reason in `report` where that does not work.
[[noreturn]] void becomeProgram(
    const char *output, const std::vector<char *> &arguments, const std::vector<char *> &environment, int report)
{
    const int input = open("/dev/null", O_RDONLY);
    const int log = open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (input >= 0 && log >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0
        && dup2(log, STDERR_FILENO) >= 0 && chdir("/") == 0) {
        if (input > STDERR_FILENO) {
            close(input);
        }
        if (log > STDERR_FILENO) {
            close(log);
        }
        execve(arguments.front(), arguments.data(), environment.data());
    }
    const int code = errno;
    [[maybe_unused]] const ssize_t written = write(report, &code, sizeof code);
    _exit(127);
}

/// fork and exec of startTied(); whoever calls takes note of its end.
Result<pid_t> launch(const TiedProgram &wanted)
{
    // Everything the child needs is made before it: another thread may hold the allocator's lock at the fork.
    std::vector<QByteArray> arguments = encoded(QStringList(wanted.program) + wanted.arguments);
    std::vector<QByteArray> environment = encoded(wanted.environment);
    const std::vector<char *> argumentList = pointers(arguments);
    const std::vector<char *> environmentList = pointers(environment);
    const QByteArray output = QFile::encodeName(wanted.output);
    const auto failed = [&wanted](int code) {
        return sql::makeError(ErrorKind::File,
            QCoreApplication::translate("PrivateCluster", "%1 could not be started.").arg(wanted.program),
            QString::fromLocal8Bit(std::strerror(code)),
            QCoreApplication::translate("PrivateCluster", "Check that PostgreSQL is installed and may be run."));
    };
    int report[2] = { -1, -1 };
    if (pipe2(report, O_CLOEXEC) != 0) {
        return failed(errno);
    }
    // Whoever started this process may have left the signal ignored; then nobody learns how a child ended.
    struct sigaction left {
    };
    if (sigaction(SIGCHLD, nullptr, &left) == 0 && left.sa_handler == SIG_IGN) {
        std::signal(SIGCHLD, SIG_DFL);
    }
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        wanted.inChild();
        if (getppid() != parent) {
            _exit(0); // it went before it could be tied to
        }
        becomeProgram(output.constData(), argumentList, environmentList, report[1]);
    }
    const int forkError = errno;
    close(report[1]);
    int code = 0;
    ssize_t got = 0;
    if (pid > 0) {
        do { // ends without a word once the program runs
            got = read(report[0], &code, sizeof code);
        } while (got < 0 && errno == EINTR);
    }
    close(report[0]);
    if (pid < 0) {
        return failed(forkError);
    }
    if (got == sizeof code) {
        waitpid(pid, nullptr, 0);
        return failed(code);
    }
    return pid;
}

/// Waits for a child of launch() until the deadline, or until it is to stop; its status once it ended.
std::optional<int> endOf(pid_t pid, const QDeadlineTimer &deadline, const std::stop_token &stop)
{
    for (;;) {
        int status = 0;
        const pid_t got = waitpid(pid, &status, WNOHANG);
        if (got == pid) {
            return status;
        }
        if ((got < 0 && errno != EINTR) || deadline.hasExpired() || stop.stop_requested()) {
            return std::nullopt;
        }
        QThread::msleep(5);
    }
}

} // namespace

Result<qint64> startTied(const TiedProgram &wanted)
{
    const auto pid = launch(wanted);
    if (!pid) {
        return pid.error();
    }
    const std::lock_guard lock(children().guard);
    children().pids.push_back(*pid);
    return qint64(*pid);
}

Result<TiedEnd> runTied(const TiedProgram &wanted, int timeoutMs, const std::stop_token &stop)
{
    const auto pid = launch(wanted);
    if (!pid) {
        return pid.error();
    }
    if (const auto status = endOf(*pid, QDeadlineTimer(timeoutMs), stop)) {
        return WIFEXITED(*status) && WEXITSTATUS(*status) == 0 ? TiedEnd::Succeeded : TiedEnd::Failed;
    }
    const bool asked = stop.stop_requested();
    kill(*pid, SIGTERM); // initdb then removes what it made
    if (!endOf(*pid, QDeadlineTimer(5'000), {})) {
        kill(*pid, SIGKILL);
        waitpid(*pid, nullptr, 0);
    }
    return asked ? TiedEnd::Stopped : TiedEnd::TookTooLong;
}

bool collectTied(qint64 pid, int timeoutMs)
{
    const QDeadlineTimer deadline(timeoutMs);
    for (;;) {
        {
            const std::lock_guard lock(children().guard);
            const auto found = std::find(children().pids.begin(), children().pids.end(), static_cast<pid_t>(pid));
            if (found == children().pids.end()) {
                return true;
            }
            if (collected(*found)) {
                children().pids.erase(found);
                return true;
            }
        }
        if (deadline.hasExpired()) {
            return false;
        }
        QThread::msleep(10);
    }
}

void collectEnded()
{
    const std::lock_guard lock(children().guard);
    std::erase_if(children().pids, collected);
}

} // namespace idemdesk::app
