// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pgbouncer_fixture.h"

#include "tests/support/unix_socket.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QUuid>

#include <csignal>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

namespace {

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    insist(file.open(QIODevice::WriteOnly) && file.write(text) == text.size(), u"cannot write "_s + path);
}

bool answers(const QByteArray &path)
{
    const int descriptor = connectAt(path);
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    return descriptor >= 0;
}

} // namespace

void PgBouncerFixture::writeSettings(TestCluster &cluster, int poolSize, const QStringList &users) const
{
    const QString host = cluster.cluster().folder();
    QByteArray accounts;
    for (const QString &user : QStringList(m_superuser) + users) {
        accounts += "\"" + user.toUtf8() + "\" \"\"\n";
    }
    write(m_folder + u"/users.txt"_s, accounts);
    write(m_folder + u"/pgbouncer.ini"_s,
        u"[databases]\n* = host=%1 port=5432\n"
        "[pgbouncer]\nlisten_addr =\nlisten_port = %2\nunix_socket_dir = %3\nauth_type = trust\nauth_file = "
        "%3/users.txt\n"
        "pool_mode = transaction\ndefault_pool_size = %4\nmax_client_conn = 100\nlogfile = %3/pgbouncer.log\n"
        "syslog = 0\nserver_reset_query_always = 0\n"_s
            .arg(host, QString::number(port()), m_folder, QString::number(poolSize))
            .toUtf8());
}

PgBouncerFixture::PgBouncerFixture(TestCluster &cluster, int poolSize, const QStringList &users)
    : m_folder(u"/tmp/idb-"_s + QUuid::createUuid().toString(QUuid::Id128).left(10))
    , m_superuser(cluster.cluster().superuser())
{
    insist(QDir().mkpath(m_folder), u"cannot make "_s + m_folder);
    writeSettings(cluster, poolSize, users);
    uid_t user = 0;
    gid_t group = 0;
    if (::geteuid()
        == 0) { // PgBouncer refuses root as PostgreSQL does; the cluster's superuser is named as its account
        const passwd *entry = ::getpwnam(m_superuser.toLocal8Bit().constData());
        insist(entry != nullptr, u"no account "_s + m_superuser);
        user = entry->pw_uid;
        group = entry->pw_gid;
        for (const QString &name : { u""_s, u"/users.txt"_s, u"/pgbouncer.ini"_s }) {
            insist(::chown(QFile::encodeName(m_folder + name).constData(), user, group) == 0, u"cannot chown"_s);
        }
    }
    m_process.setChildProcessModifier([user, group] {
        if (user != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(group) != 0 || ::setuid(user) != 0)) {
            ::_exit(126);
        }
        ::prctl(PR_SET_PDEATHSIG, SIGTERM); // after setuid, which clears it
    });
    m_process.setWorkingDirectory(m_folder);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    const QString program = u"/usr/sbin/pgbouncer"_s;
    m_process.start(program, { u"-q"_s, m_folder + u"/pgbouncer.ini"_s });
    insist(m_process.waitForStarted(), m_process.errorString());
    const QByteArray socket = QFile::encodeName(m_folder + u"/.s.PGSQL."_s + QString::number(port()));
    const QDeadlineTimer deadline(20'000);
    while (!answers(socket)) {
        m_process.waitForFinished(10); // notices an end; else gives it a moment
        insist(m_process.state() == QProcess::Running && !deadline.hasExpired(),
            u"PgBouncer did not start: "_s + QString::fromUtf8(m_process.readAll()) + log());
    }
}

PgBouncerFixture::~PgBouncerFixture()
{
    m_process.terminate(); // by its process id: an immediate shutdown
    if (!m_process.waitForFinished(10'000)) {
        m_process.kill();
        m_process.waitForFinished(10'000);
    }
    QDir(m_folder).removeRecursively();
}

QString PgBouncerFixture::conninfo(const QString &database, const QString &user) const
{
    return u"host=%1 port=%2 dbname=%3 user=%4"_s.arg(
        m_folder, QString::number(port()), database, user.isEmpty() ? m_superuser : user);
}

QString PgBouncerFixture::log() const
{
    QFile file(m_folder + u"/pgbouncer.log"_s);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace idemdesk::tests
