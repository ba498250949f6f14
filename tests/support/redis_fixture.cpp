// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_fixture.h"

#include "tests/support/test_cluster.h"
#include "tests/support/unix_socket.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QUuid>

#include <csignal>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

namespace {

void writeFile(const QString &path, const QByteArray &text)
{
    QFile file(path);
    insist(file.open(QIODevice::WriteOnly) && file.write(text) == text.size(), u"cannot write "_s + path);
}

/// Nobody's account where this is root, as for the other servers of the tests; else nothing.
const passwd *unprivileged()
{
    if (::geteuid() != 0) {
        return nullptr;
    }
    const passwd *entry = ::getpwnam("nobody");
    insist(entry != nullptr, u"no account nobody"_s);
    return entry;
}

QByteArray runCli(const QStringList &arguments, const QByteArray &input)
{
    QProcess process;
    process.start(u"redis-cli"_s, arguments);
    process.write(input);
    process.closeWriteChannel();
    insist(process.waitForFinished(60'000) && process.exitCode() == 0,
        u"redis-cli: "_s + QString::fromUtf8(process.readAllStandardError()));
    const QByteArray output = process.readAllStandardOutput();
    return output.endsWith('\n') ? output.chopped(1) : output;
}

} // namespace

RedisFixture::RedisFixture(const QStringList &settings, const std::optional<Tls> &tls)
    : m_folder(QDir::tempPath() + u"/idr-"_s + QUuid::createUuid().toString(QUuid::Id128).left(10))
{
    insist(QDir().mkpath(m_folder), u"cannot make "_s + m_folder);
    writeFiles(settings, tls);
    start();
}

void RedisFixture::writeFiles(const QStringList &settings, const std::optional<Tls> &tls)
{
    QStringList lines { u"port 0"_s, u"unixsocket "_s + socket(), u"unixsocketperm 777"_s, u"save \"\""_s,
        u"appendonly no"_s, u"daemonize no"_s, u"logfile \"\""_s, u"dir "_s + m_folder };
    if (tls) {
        writeFile(m_folder + u"/server.crt"_s, tls->server.certificate);
        writeFile(m_folder + u"/server.key"_s, tls->server.key);
        QFile authorities(tls->authorities);
        writeFile(m_folder + u"/ca.crt"_s,
            !tls->authorities.isEmpty() && authorities.open(QIODevice::ReadOnly) ? authorities.readAll()
                                                                                 : tls->server.certificate);
        lines += { u"bind 127.0.0.1"_s, u"tls-port "_s + QString::number(tls->port),
            u"tls-cert-file "_s + m_folder + u"/server.crt"_s, u"tls-key-file "_s + m_folder + u"/server.key"_s,
            u"tls-ca-cert-file "_s + m_folder + u"/ca.crt"_s,
            u"tls-auth-clients "_s + (tls->authorities.isEmpty() ? u"no"_s : u"yes"_s) };
    }
    writeFile(m_folder + u"/redis.conf"_s, (lines + settings).join(u'\n').toUtf8() + '\n');
    if (const passwd *account = unprivileged()) {
        const QStringList files = QDir(m_folder).entryList(QDir::Files);
        for (const QString &name : files + QStringList { u"."_s }) {
            insist(
                ::chown(QFile::encodeName(m_folder + u'/' + name).constData(), account->pw_uid, account->pw_gid) == 0,
                u"cannot chown"_s);
        }
    }
}

void RedisFixture::start()
{
    const passwd *account = unprivileged();
    const uid_t user = account != nullptr ? account->pw_uid : 0;
    const gid_t group = account != nullptr ? account->pw_gid : 0;
    m_process.setChildProcessModifier([user, group] {
        if (user != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(group) != 0 || ::setuid(user) != 0)) {
            ::_exit(126);
        }
        ::prctl(PR_SET_PDEATHSIG, SIGKILL); // after setuid, which clears it
    });
    m_process.setWorkingDirectory(m_folder);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(u"redis-server"_s, { m_folder + u"/redis.conf"_s });
    insist(m_process.waitForStarted(), m_process.errorString());
    const QDeadlineTimer deadline(20'000);
    for (int descriptor = -1; descriptor < 0;) {
        descriptor = connectAt(QFile::encodeName(socket()));
        if (descriptor >= 0) {
            ::close(descriptor);
            break;
        }
        m_process.waitForFinished(10); // notices an end; else gives it a moment
        insist(m_process.state() == QProcess::Running && !deadline.hasExpired(),
            u"Redis did not start: "_s + QString::fromUtf8(m_process.readAll()));
    }
}

RedisFixture::~RedisFixture()
{
    kill();
    QDir(m_folder).removeRecursively();
}

QByteArray RedisFixture::ask(const QByteArrayList &words) const
{
    QStringList arguments { u"-s"_s, socket() };
    for (const QByteArray &word : words) {
        arguments += QString::fromUtf8(word);
    }
    return runCli(arguments, {});
}

void RedisFixture::run(const QByteArray &commands) const
{
    const QByteArray answers = runCli({ u"-s"_s, socket() }, commands);
    insist(!answers.contains("ERR"), u"redis-cli: "_s + QString::fromUtf8(answers.left(1'000)));
}

void RedisFixture::pause() const
{
    ::kill(pid_t(pid()), SIGSTOP);
}

void RedisFixture::go() const
{
    ::kill(pid_t(pid()), SIGCONT);
}

void RedisFixture::kill()
{
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill(); // by its process id; it keeps nothing, and may be stopped
        m_process.waitForFinished(10'000);
    }
}

} // namespace idemdesk::tests
