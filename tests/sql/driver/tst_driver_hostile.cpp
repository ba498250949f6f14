// SPDX-License-Identifier: GPL-3.0-or-later
// The driver against servers that no PostgreSQL would be: every call ends, with an error, in little memory.
#include "tests/sql/driver/driver_fixture.h"
#include "tests/support/unix_socket.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QtEndian>
#include <QUuid>

#include <array>
#include <condition_variable>
#include <mutex>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using tests::Link;

namespace {

QByteArray int32(qint32 value)
{
    QByteArray bytes(4, '\0');
    qToBigEndian(value, bytes.data());
    return bytes;
}

/// A protocol message: type, length, body.
QByteArray message(char type, const QByteArray &body)
{
    return QByteArray(1, type) + int32(qint32(body.size() + 4)) + body;
}

QByteArray text(const char *value)
{
    return QByteArray(value) + '\0';
}

/// Takes one connection, lets it in, and answers whatever is asked with `once`, then `endless` until the peer leaves.
class HostileServer
{
public:
    HostileServer(QByteArray once, QByteArray endless, bool closes)
        : m_folder(u"/tmp/idh-"_s + QUuid::createUuid().toString(QUuid::Id128).left(10))
        , m_once(std::move(once))
        , m_endless(std::move(endless))
        , m_closes(closes)
    {
        QDir().mkpath(m_folder);
        m_listener = tests::listenAt(QFile::encodeName(m_folder + u"/.s.PGSQL.5432"_s)); // NOLINT: after its folder
        m_thread = std::thread([this] { serve(); });
    }
    ~HostileServer()
    {
        ::shutdown(m_listener, SHUT_RDWR);
        m_thread.join();
        ::close(m_listener);
        QDir(m_folder).removeRecursively();
    }
    HostileServer(const HostileServer &) = delete;
    HostileServer &operator=(const HostileServer &) = delete;
    QString conninfo() const { return u"host=%1 port=5432 user=x dbname=x"_s.arg(m_folder); }

private:
    static bool send(int peer, const QByteArray &bytes)
    {
        qsizetype done = 0;
        while (done < bytes.size()) {
            const ssize_t size = ::send(peer, bytes.constData() + done, size_t(bytes.size() - done), MSG_NOSIGNAL);
            if (size <= 0) {
                return false;
            }
            done += size;
        }
        return true;
    }
    void serve() const
    {
        const int peer = ::accept(m_listener, nullptr, nullptr);
        if (peer < 0) {
            return;
        }
        std::array<char, 65536> buffer {};
        if (::read(peer, buffer.data(), buffer.size()) > 0
            && send(peer,
                message('R', int32(0)) + message('S', text("server_encoding") + text("UTF8"))
                    + message('S', text("client_encoding") + text("UTF8")) + message('K', int32(1) + int32(2))
                    + message('Z', "I"))
            && ::read(peer, buffer.data(), buffer.size()) > 0 && send(peer, m_once)) {
            while (!m_endless.isEmpty() && send(peer, m_endless)) { }
            while (!m_closes && m_endless.isEmpty() && ::read(peer, buffer.data(), buffer.size()) > 0) { }
        }
        ::close(peer);
    }

    QString m_folder;
    QByteArray m_once;
    QByteArray m_endless;
    bool m_closes;
    int m_listener = -1;
    std::thread m_thread;
};

/// Cuts the connection if the test has not ended it in time, as a lane's deadline does.
class Deadline
{
public:
    Deadline(const std::shared_ptr<sql::PgInterrupter> &interrupter, int milliseconds)
        : m_thread([this, interrupter, milliseconds] {
            std::unique_lock lock(m_mutex);
            if (!m_done.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return m_over; })) {
                interrupter->cut();
            }
        })
    {
    }
    ~Deadline()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_over = true;
        }
        m_done.notify_all();
        m_thread.join();
    }
    Deadline(const Deadline &) = delete;
    Deadline &operator=(const Deadline &) = delete;

private:
    std::mutex m_mutex;
    std::condition_variable m_done;
    bool m_over = false;
    std::thread m_thread;
};

qint64 residentMiB()
{
    QFile file(u"/proc/self/statm"_s);
    return file.open(QIODevice::ReadOnly)
        ? file.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE) / 1048576
        : -1;
}

} // namespace

class DriverHostileTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void answers_data();
    void answers();
};

void DriverHostileTest::answers_data()
{
    QTest::addColumn<QByteArray>("once");
    QTest::addColumn<QByteArray>("endless");
    QTest::addColumn<bool>("closes");
    QTest::addColumn<bool>("needsCut"); // a server may talk for ever; only the deadline ends that
    const QByteArray begun = message('1', {}) + message('2', {});
    const QByteArray copyIn = message('G', QByteArray("\0\0\0", 3));
    const QByteArray copyOut = message('H', QByteArray("\0\0\0", 3));
    const QByteArray copyBoth = message('W', QByteArray("\0\0\0", 3));
    const QByteArray done = message('C', text("SELECT 1"));
    const QByteArray ready = message('Z', "I");
    const QByteArray description = message('T',
        QByteArray("\0\1", 2) + text("c") + int32(0) + QByteArray("\0\0", 2) + int32(25) + QByteArray("\xff\xff", 2)
            + int32(-1) + QByteArray("\0\0", 2));
    const QByteArray notice = message('N',
        "SNOTICE" + QByteArray(1, '\0') + "C00000" + QByteArray(1, '\0') + "M" + QByteArray(2000, 'n')
            + QByteArray(2, '\0'));
    const auto row = [](const char *name, const QByteArray &once, const QByteArray &endless = {}, bool closes = false,
                         bool needsCut = false) { QTest::newRow(name) << once << endless << closes << needsCut; };
    row("COPY in, again and again", begun, copyIn);
    row("COPY in and an error, again and again", begun,
        copyIn
            + message(
                'E', "SERROR" + QByteArray(1, '\0') + "C57014" + QByteArray(1, '\0') + "Mno" + QByteArray(2, '\0')));
    row("COPY out without end", begun + copyOut, message('d', QByteArray(8000, 'x')));
    row("COPY out, again and again", begun, copyOut + message('d', "x") + message('c', {}));
    row("COPY both", begun + copyBoth, message('d', QByteArray(8000, 'x')));
    row("notices without end", begun, notice, false, true);
    row("an unknown message", begun + message('?', "what"), {}, true);
    row("garbage", QByteArray(100'000, '\xfe'), {}, true);
    row("a length below zero", begun + QByteArray("T\xff\xff\xff\xff", 5), {}, true);
    row("a length of 2 GB", begun + QByteArray("D\x7f\xff\xff\xff", 5), {}, true);
    row("ready without an answer", begun + ready);
    row("done twice", begun + description + done + done + ready);
    row("a row without a description", begun + message('D', QByteArray("\0\1", 2) + int32(1) + "x") + done + ready);
    row("a row that lies about its columns",
        begun + description + message('D', QByteArray("\0\5", 2) + int32(1) + "x") + done + ready);
    row("a value longer than its row",
        begun + description + message('D', QByteArray("\0\1", 2) + int32(1000) + "x") + done + ready);
    row("closed in a message", begun + description.left(10), {}, true);
    row("closed after the rows", begun + description + message('D', QByteArray("\0\1", 2) + int32(1) + "x"), {}, true);
    row("silence", {}, {}, false, true);
}

void DriverHostileTest::answers()
{
    QFETCH(QByteArray, once);
    QFETCH(QByteArray, endless);
    QFETCH(bool, closes);
    QFETCH(bool, needsCut);
    const qint64 before = residentMiB();
    for (const bool enveloped : { false, true }) {
        for (const bool forwardOnly : { false, true }) {
            const HostileServer server(once, endless, closes);
            Link link = Link::ours(server.conninfo());
            if (enveloped) {
                link.driver().setEnvelope({ { u"BEGIN"_s }, u"COMMIT"_s });
            }
            QElapsedTimer timer;
            timer.start();
            // Some answers break a pipeline off in its middle and leave it waiting: there the deadline may end it, too.
            const Deadline deadline(link.driver().interrupter(), needsCut || enveloped ? 500 : 20'000);
            QSqlQuery query = link.query(forwardOnly);
            query.prepare(u"SELECT 1"_s);
            const bool executed = query.exec();
            while (executed && query.next()) { }
            QVERIFY(query.lastError().isValid());
            QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
            QVERIFY(link.driver().takeNotices().size() <= 1000);
        }
    }
    QVERIFY2(residentMiB() - before < 64, qPrintable(QString::number(residentMiB() - before)));
}

QTEST_GUILESS_MAIN(DriverHostileTest)
#include "tst_driver_hostile.moc"
