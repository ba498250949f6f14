// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cluster/server_account.h"

#include <QFile>

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

ServerAccount serverAccount()
{
    if (geteuid() != 0) {
        const passwd *self = getpwuid(geteuid());
        return { geteuid(), getegid(), self != nullptr ? QByteArray(self->pw_name) : QByteArray("postgres") };
    }
    for (const char *name : { "postgres", "nobody" }) {
        if (const passwd *entry = getpwnam(name)) {
            return { entry->pw_uid, entry->pw_gid, QByteArray(entry->pw_name) };
        }
    }
    return {};
}

void become(const ServerAccount &account, int signalWithParent)
{
    if (geteuid() == 0 && account.user != 0) {
        if (setgroups(0, nullptr) != 0 || setgid(account.group) != 0 || setuid(account.user) != 0) {
            _exit(126);
        }
    }
    umask(077);
    if (signalWithParent != 0) {
        prctl(PR_SET_PDEATHSIG, signalWithParent); // after setuid, which clears it
    }
}

QProcessEnvironment cleanEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QStringList names = environment.keys();
    for (const QString &name : names) {
        if (name.startsWith(u"PG"_s)) {
            environment.remove(name);
        }
    }
    return environment;
}

bool processRuns(qint64 pid)
{
    QFile file(u"/proc/%1/stat"_s.arg(pid));
    if (!file.open(QIODevice::ReadOnly)) {
        return false;
    }
    // "pid (name) state …": the name may hold anything, so the state is looked for from the end.
    const QByteArray line = file.readAll();
    return !line.mid(line.lastIndexOf(')') + 1).trimmed().startsWith('Z');
}

} // namespace idemdesk::app
