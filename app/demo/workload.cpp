// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/workload.h"

#include "app/demo/demo.h"
#include "app/demo/demo_database.h"
#include "app/demo/services.h"

#include <QFile>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

extern char **environ; // NOLINT(readability-redundant-declaration): not declared by every unistd.h

namespace idemdesk::app {

namespace {

QByteArray lockFile(const QString &folder)
{
    return QFile::encodeName(folder + u"/workload.lock"_s);
}

/// Everything the services do is done as the cluster's own account, never as root.
bool becomeOwnerOf(const QString &folder)
{
    struct stat info {
    };
    if (lstat(QFile::encodeName(folder).constData(), &info) != 0 || !S_ISDIR(info.st_mode)) {
        return false;
    }
    if (geteuid() != 0) {
        return info.st_uid == geteuid();
    }
    return info.st_uid != 0 && setgroups(0, nullptr) == 0 && setgid(info.st_gid) == 0 && setuid(info.st_uid) == 0;
}

/// Settings meant for the person's own servers must not reach the demo's.
void forgetPostgresEnvironment()
{
    QByteArrayList names;
    for (char **entry = environ; *entry != nullptr; ++entry) {
        if (std::strncmp(*entry, "PG", 2) == 0) {
            names += QByteArray(*entry).split('=').first();
        }
    }
    for (const QByteArray &name : std::as_const(names)) {
        unsetenv(name.constData());
    }
}

/// Takes the lock that says who works here, for as long as the process lives.
bool takeLock(const QString &folder)
{
    const int file = open(lockFile(folder).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    struct flock whole {
    };
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return file >= 0 && fcntl(file, F_SETLK, &whole) == 0;
}

int workUntilTold(const QString &folder)
{
    sigset_t endings;
    sigemptyset(&endings);
    sigaddset(&endings, SIGTERM);
    sigaddset(&endings, SIGINT);
    sigaddset(&endings, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &endings, nullptr); // before the threads: they inherit it

    const DemoDatabase database(folder, QString());
    Services services(database.serviceConninfo(), database.consoleConninfo());
    services.start();
    const timespec second { 1, 0 };
    // A server that is gone for good ends its services too.
    while (sigtimedwait(&endings, nullptr, &second) < 0 && services.secondsWithoutServer() < 8) { }
    services.stop();
    return 0;
}

} // namespace

qint64 workloadPid(const QString &folder)
{
    const int file = open(lockFile(folder).constData(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) {
        return 0;
    }
    struct flock whole {
    };
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    const bool asked = fcntl(file, F_GETLK, &whole) == 0;
    ::close(file);
    return asked && whole.l_type != F_UNLCK ? whole.l_pid : 0;
}

std::optional<int> runDemoWorkload(int argc, char **argv)
{
    if (argc != 4 || std::strcmp(argv[1], kWorkloadWord) != 0) {
        return std::nullopt;
    }
    const QString folder = QFile::decodeName(argv[2]);
    const auto parent = static_cast<pid_t>(std::strtol(argv[3], nullptr, 10));
    umask(077);
    if (!becomeOwnerOf(folder)) {
        return 1;
    }
    const QByteArray log = QFile::encodeName(folder + u"/workload.log"_s);
    if (std::freopen(log.constData(), "w", stderr) == nullptr) {
        return 1;
    }
    prctl(PR_SET_NAME, "idemdesk-demo");
    if (parent != 0) {
        // After the change of account, which would clear it; and the parent may be gone already.
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) {
            return 0;
        }
    }
    forgetPostgresEnvironment();
    if (!takeLock(folder)) {
        return 1; // somebody works here already
    }
    return workUntilTold(folder);
}

} // namespace idemdesk::app
