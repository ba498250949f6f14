// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/cache_reader.h"
#include "sql/cache/redis_session.h"
#include "tests/support/redis_fixture.h"
#include "tests/support/test_cluster.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <functional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using namespace idemdesk::tests;

namespace {

/// Something on a Unix socket that answers what it likes: what is in its script, each time it is asked, and from the
/// end of that on its last line for ever.
class FalseRedis
{
public:
    struct Script {
        QByteArrayList answers;
        bool repeats = false; ///< sends the last one again and again, asked or not
        bool closes = false; ///< after the last one
        int dripMs = 0; ///< one byte at a time, with so much time between
    };
    FalseRedis(const QString &path, const Script &script)
        : m_script(script)
        , m_listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_un address {};
        address.sun_family = AF_UNIX;
        const QByteArray name = QFile::encodeName(path);
        std::copy(name.cbegin(), name.cend(), address.sun_path);
        auto *generic = static_cast<sockaddr *>(static_cast<void *>(&address));
        insist(::bind(m_listener, generic, sizeof(address)) == 0 && ::listen(m_listener, 5) == 0, u"no socket"_s);
        m_thread = std::thread([this] { serve(); });
    }
    ~FalseRedis()
    {
        m_stop = true;
        m_thread.join();
        ::close(m_listener);
    }
    Q_DISABLE_COPY_MOVE(FalseRedis)

private:
    bool waitFor(int descriptor, short what, int milliseconds) const
    {
        pollfd waited { descriptor, what, 0 };
        for (int left = milliseconds; !m_stop && left > 0; left -= 20) {
            if (::poll(&waited, 1, std::min(left, 20)) > 0) {
                return true;
            }
        }
        return false;
    }
    bool write(int client, const QByteArray &bytes) const
    {
        for (qsizetype from = 0; from < bytes.size();) {
            if (!waitFor(client, POLLOUT, 60'000)) {
                return false;
            }
            const qsizetype size = m_script.dripMs > 0 ? 1 : bytes.size() - from;
            const ssize_t sent
                = ::send(client, bytes.constData() + from, static_cast<std::size_t>(size), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent < 0 && errno != EAGAIN) {
                return false;
            }
            from += std::max<ssize_t>(sent, 0);
            if (m_script.dripMs > 0) {
                waitFor(m_listener, 0, m_script.dripMs);
            }
        }
        return true;
    }
    void serve()
    {
        while (waitFor(m_listener, POLLIN, 60'000)) {
            const int client = ::accept(m_listener, nullptr, nullptr);
            char asked[65'536];
            for (qsizetype at = 0; waitFor(client, POLLIN, 60'000); ++at) {
                if (::recv(client, asked, sizeof(asked), 0) <= 0) {
                    break;
                }
                const QByteArray &answer = m_script.answers.at(std::min(at, m_script.answers.size() - 1));
                const bool last = at + 1 >= m_script.answers.size();
                bool sent = write(client, answer);
                while (sent && last && m_script.repeats && !m_stop) {
                    sent = write(client, answer);
                }
                if (!sent || (last && m_script.closes)) {
                    break;
                }
            }
            ::close(client);
        }
    }

    const Script m_script;
    const int m_listener;
    std::atomic_bool m_stop = false;
    std::thread m_thread;
};

const QByteArray kHello = "+OK\r\n$21\r\nredis_version:7.0.15\n\r\n"; // to CLIENT SETNAME and INFO

qint64 memoryKiB()
{
    QFile status(u"/proc/self/status"_s);
    insist(status.open(QIODevice::ReadOnly), u"no /proc"_s);
    const QByteArray text = status.readAll();
    const qsizetype at = text.indexOf("VmHWM:");
    return text.mid(at + 6, text.indexOf("kB", at) - at - 6).trimmed().toLongLong();
}

} // namespace

/// A Redis as it is, and as it should not be: whatever it sends ends in one plain error, within its time and memory.
class RedisSessionTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<RedisFixture> m_redis;
    std::unique_ptr<QTemporaryDir> m_folder;

    static RedisSession::Options quick()
    {
        RedisSession::Options options;
        options.connectTimeoutMs = 1'500;
        options.answerTimeoutMs = 1'500;
        options.mostReplyBytes = 1'000'000;
        return options;
    }
    Result<std::unique_ptr<RedisSession>> open(const QString &url, const RedisSession::Options &options = quick())
    {
        TRY(const auto address, cacheAddress(url));
        return RedisSession::open(address, options);
    }
    QString falseSocket() const { return m_folder->filePath(u"f.sock"_s); }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_redis = std::make_unique<RedisFixture>();
    }
    void cleanupTestCase() { m_redis.reset(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_redis->clear();
    }

    void entriesAreRead()
    {
        m_redis->run("SET a:1 processing PX 60000\nSET a:2 \"\"\nLPUSH a:3 x\nSET b:1 other\n");
        m_redis->ask({ "SET", "a:4", QByteArray(5'000, 'x') });
        m_redis->run("SET a:5 \"\\xff\\xfe\"\n");
        const auto cache = open(m_redis->url());
        QVERIFY2(cache.ok(), cache ? "" : qPrintable(cache.error().line()));
        const auto entries = readEntries(**cache, { "a:1", "a:2", "a:3", "a:4", "a:5", "a:6" }, 1'000);
        QVERIFY2(entries.ok(), entries ? "" : qPrintable(entries.error().line()));
        QCOMPARE(entries->size(), 6);
        QCOMPARE(entries->at(0).value, u"processing"_s);
        QVERIFY(entries->at(0).ttlMs && *entries->at(0).ttlMs > 50'000 && *entries->at(0).ttlMs <= 60'000);
        QVERIFY(entries->at(1).present() && entries->at(1).read && entries->at(1).value.isEmpty());
        QVERIFY(!entries->at(1).ttlMs);
        QCOMPARE(entries->at(2).kind, CacheEntry::Kind::Other);
        QCOMPARE(entries->at(2).type, u"list"_s);
        QCOMPARE(entries->at(3).bytes, 5'000);
        QVERIFY(entries->at(3).present() && !entries->at(3).read);
        QVERIFY(entries->at(4).present() && !entries->at(4).read); // no UTF-8
        QVERIFY(!entries->at(5).present());
        const auto scan = scanCache(**cache, "a:*", 100);
        QVERIFY(scan.ok() && scan->whole);
        QCOMPARE(scan->names.size(), 5);
    }

    void aScanIsBoundedAndTellsSo()
    {
        QByteArray commands;
        for (int i = 0; i < 3'000; ++i) {
            commands += "SET k:" + QByteArray::number(i) + " x\n";
        }
        m_redis->run(commands);
        const auto cache = open(m_redis->url());
        const auto some = scanCache(**cache, "k:*", 1'000);
        QVERIFY(some.ok() && !some->whole);
        QCOMPARE(some->names.size(), 1'000);
        const auto all = scanCache(**cache, "k:*", 10'000);
        QVERIFY(all.ok() && all->whole);
        QCOMPARE(QSet<QByteArray>(all->names.cbegin(), all->names.cend()).size(), 3'000);
        const auto facts = (*cache)->facts();
        QVERIFY(facts.ok());
        QCOMPARE(facts->keys, std::optional<qint64>(3'000));
        QCOMPARE(facts->role, u"master"_s);
        QVERIFY(facts->usedMemory.value_or(0) > 0 && !facts->version.isEmpty());
    }

    /// A replica that never got its primary's data answers like one that has all.
    void aReplicaWithoutItsPrimarySaysSo()
    {
        const RedisFixture replica({ u"replicaof 127.0.0.1 1"_s }); // where nothing listens
        const auto cache = open(replica.url());
        QVERIFY2(cache.ok(), cache ? "" : qPrintable(cache.error().line()));
        const auto facts = (*cache)->facts();
        QVERIFY(facts.ok());
        QCOMPARE(facts->role, u"slave"_s);
        QVERIFY2(facts->behind.contains(u"without a link"_s), qPrintable(facts->behind));
        QVERIFY((*open(m_redis->url()))->facts()->behind.isEmpty());
    }

    void anotherDatabaseIsAnother()
    {
        m_redis->run("SELECT 2\nSET a:1 two\n");
        QVERIFY(!(*readEntries(**open(m_redis->url()), { "a:1" }, 10)).constFirst().present());
        const auto cache = open(m_redis->url() + u"?db=2"_s);
        QCOMPARE(readEntries(**cache, { "a:1" }, 10)->constFirst().value, u"two"_s);
        QCOMPARE((*cache)->facts()->keys, std::optional<qint64>(1));
        const auto none = open(m_redis->url() + u"?db=99"_s);
        QVERIFY(!none && none.error().why.contains(u"range"));
    }

    void whoMayNotIsToldSo()
    {
        m_redis->run("ACL SETUSER reader on >secret ~a:* +scan +get +pttl +type +strlen +exists +select\n"
                     "ACL SETUSER blind on >secret -@all +get\nSET a:1 x\nSET b:1 y\n");
        auto options = quick();
        options.password = u"secret"_s;
        const auto reader = open(m_redis->url() + u"?user=reader"_s, options);
        QVERIFY2(reader.ok(), reader ? "" : qPrintable(reader.error().line())); // though it may not ask INFO
        QCOMPARE(readEntries(**reader, { "a:1" }, 10)->constFirst().value, u"x"_s);
        const auto facts = (*reader)->facts();
        QVERIFY(facts.ok() && !facts->keys && !facts->usedMemory && !facts->hitRatio());
        const auto foreign = readEntries(**reader, { "b:1" }, 10);
        QVERIFY(!foreign);
        QCOMPARE(foreign.error().kind, ErrorKind::Privilege);
        const auto blind = open(m_redis->url() + u"?user=blind"_s, options);
        const auto scan = scanCache(**blind, "a:*", 10);
        QVERIFY(!scan);
        QCOMPARE(scan.error().kind, ErrorKind::Privilege);
        options.password = u"wrong"_s;
        const auto wrong = open(m_redis->url() + u"?user=reader"_s, options);
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().kind, ErrorKind::Authentication);
        QVERIFY(!wrong.error().line().contains(u"wrong ")); // the password is not repeated
        m_redis->run("ACL DELUSER reader blind\n");
    }

    void tlsChecksWhoAnswers()
    {
        TestCertificates certificates(m_folder->path());
        const int port = freePort();
        const RedisFixture redis(
            {}, RedisFixture::Tls { port, certificates.serverFor(u"localhost"_s, 10), certificates.authorityFile() });
        redis.ask({ "SET", "a:1", "processing" });
        const auto pair = certificates.serverFor(u"client"_s, 10);
        for (const auto &[name, content] :
            { std::pair(u"client.crt"_s, pair.certificate), std::pair(u"client.key"_s, pair.key) }) {
            QFile file(m_folder->filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        }
        const QString client = u"&sslcert="_s + m_folder->filePath(u"client.crt"_s) + u"&sslkey="_s
            + m_folder->filePath(u"client.key"_s);
        const auto url = [&](const QString &host, const QString &authority, const QString &more) {
            return u"rediss://%1:%2/0?sslrootcert=%3%4"_s.arg(host, QString::number(port), authority, more);
        };
        const auto cache = open(url(u"localhost"_s, certificates.authorityFile(), client));
        QVERIFY2(cache.ok(), cache ? "" : qPrintable(cache.error().line()));
        QCOMPARE(readEntries(**cache, { "a:1" }, 100)->constFirst().value, u"processing"_s);
        const QStringList refused { url(u"localhost"_s, certificates.otherAuthorityFile(), client),
            url(u"127.0.0.1"_s, certificates.authorityFile(), client), u"rediss://localhost:%1/0"_s.arg(port) };
        for (const QString &one : refused) {
            const auto other = open(one);
            QVERIFY2(!other, qPrintable(one));
            QCOMPARE(other.error().kind, ErrorKind::Tls);
        }
        const auto anonymous = open(url(u"localhost"_s, certificates.authorityFile(), {}));
        QVERIFY(!anonymous);
        const auto plain = open(u"redis://localhost:%1/0"_s.arg(port)); // it waits for TLS
        QVERIFY(!plain);
    }

    void aPasswordGoesToNobodyElse()
    {
        auto options = quick();
        options.password = u"secret"_s;
        const auto cache = open(u"redis://localhost:%1/0"_s.arg(freePort()), options);
        QVERIFY(!cache);
        QCOMPARE(cache.error().kind, ErrorKind::Tls);
        options.unverifiedPassword = true;
        const auto allowed = open(u"redis://localhost:%1/0"_s.arg(freePort()), options);
        QVERIFY(!allowed);
        QCOMPARE(allowed.error().kind, ErrorKind::Unreachable);
    }

    void whatIsNotThereIsTold()
    {
        for (const QString &url : { u"unix:///nowhere/redis.sock"_s, u"redis://no.such.host.invalid/0"_s,
                 u"unix:///"_s + QString(200, u'x') }) {
            const auto cache = open(url);
            QVERIFY2(!cache, qPrintable(url));
            QVERIFY2(cache.error().kind == ErrorKind::Unreachable || cache.error().kind == ErrorKind::Timeout,
                qPrintable(cache.error().line()));
        }
    }

    void whateverItSendsEndsInOneError_data()
    {
        QTest::addColumn<QByteArrayList>("answers");
        QTest::addColumn<bool>("repeats");
        QTest::addColumn<bool>("closes");
        QTest::addColumn<int>("dripMs");
        QTest::addColumn<ErrorKind>("kind");
        const auto row = [](const char *name, const QByteArrayList &answers, ErrorKind kind, bool repeats = false,
                             bool closes = false,
                             int dripMs = 0) { QTest::newRow(name) << answers << repeats << closes << dripMs << kind; };
        row("silence", { "" }, ErrorKind::Timeout);
        row("silence in the middle", { kHello, "" }, ErrorKind::Timeout);
        row("it closes", { "" }, ErrorKind::ConnectionLost, false, true);
        row("it closes in the middle", { kHello, "*2\r\n$1\r\n0\r\n*1\r\n" }, ErrorKind::ConnectionLost, false, true);
        row("no more clients", { "-ERR max number of clients reached\r\n" }, ErrorKind::TooManyConnections, false,
            true);
        row("a web server", { "HTTP/1.1 400 Bad Request\r\n\r\n" }, ErrorKind::Protocol);
        row("a gigabyte is announced", { kHello, "$1000000000\r\n" }, ErrorKind::Timeout);
        row("a gigabyte comes", { kHello, QByteArray("$1000000000\r\n") + QByteArray(60'000, 'x') },
            ErrorKind::Protocol, true);
        row("a line without an end", { kHello, QByteArray(60'000, 'x').prepend('+') }, ErrorKind::Protocol, true);
        row("a billion items", { kHello, "*1000000000\r\n" }, ErrorKind::Protocol);
        row("a million small items", { kHello, "*2\r\n$1\r\n0\r\n*1000000\r\n$0\r\n\r\n" }, ErrorKind::Protocol, true);
        row("lists in lists", { kHello, QByteArray("*1\r\n").repeated(100'000) }, ErrorKind::Protocol);
        row("lists in lists in lists", { kHello, "*1\r\n*1\r\n*1\r\n$1\r\nx\r\n" }, ErrorKind::Protocol);
        row("another protocol's number", { kHello, ",1.5\r\n" }, ErrorKind::Protocol);
        row("another protocol's truth", { kHello, "*2\r\n#t\r\n#f\r\n" }, ErrorKind::Protocol);
        row("a number for a list", { kHello, ":1\r\n" }, ErrorKind::Protocol);
        row("a cursor that is a list", { kHello, "*2\r\n*0\r\n*0\r\n" }, ErrorKind::Protocol);
        row("names that are numbers", { kHello, "*2\r\n$1\r\n0\r\n*1\r\n:1\r\n" }, ErrorKind::Protocol);
        row("a negative length", { kHello, "$-5\r\n" }, ErrorKind::Protocol);
        row("a byte at a time", { kHello, QByteArray(5'000, 'x').prepend("+") }, ErrorKind::Timeout, false, false, 5);
        row("it still loads", { "-LOADING Redis is loading the dataset in memory\r\n-LOADING\r\n" },
            ErrorKind::ServerStarting);
        row("a node of a cluster", { "+OK\r\n$20\r\nredis_mode:cluster\r\n\r\n" }, ErrorKind::Refused);
    }
    void whateverItSendsEndsInOneError()
    {
        QFETCH(QByteArrayList, answers);
        QFETCH(bool, repeats);
        QFETCH(bool, closes);
        QFETCH(int, dripMs);
        QFETCH(ErrorKind, kind);
        const FalseRedis redis(falseSocket(), { answers, repeats, closes, dripMs });
        const qint64 before = memoryKiB();
        QElapsedTimer timer;
        timer.start();
        Error error;
        {
            const auto cache = open(u"unix://"_s + falseSocket());
            if (!cache) {
                error = cache.error();
            } else {
                const auto scan = scanCache(**cache, "a:*", 10);
                QVERIFY(!scan);
                error = scan.error();
                QCOMPARE(scanCache(**cache, "a:*", 10).error().line(), error.line()); // and stays so, at once
            }
        }
        QVERIFY2(error.kind == kind, qPrintable(QString::number(int(error.kind)) + u' ' + error.line()));
        QVERIFY(!error.what.isEmpty());
        QVERIFY2(timer.elapsed() < 8'000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY2(memoryKiB() - before < 40'000, qPrintable(QString::number(memoryKiB() - before)));
    }

    void aCursorThatNeverEndsIsLeft()
    {
        const FalseRedis redis(falseSocket(), { { kHello, "*2\r\n$1\r\n7\r\n*1\r\n$3\r\na:1\r\n" } });
        const auto cache = open(u"unix://"_s + falseSocket());
        const auto scan = scanCache(**cache, "a:*", 10);
        QVERIFY2(scan.ok(), scan ? "" : qPrintable(scan.error().line()));
        QVERIFY(!scan->whole);
        QCOMPARE(scan->names.size(), 1);
    }

    void aServerThatStandsStillIsLeft()
    {
        const auto cache = open(m_redis->url());
        QVERIFY(cache.ok());
        m_redis->pause();
        const auto scan = scanCache(**cache, "a:*", 10);
        const auto another = open(m_redis->url());
        m_redis->go();
        QCOMPARE(scan.error().kind, ErrorKind::Timeout);
        QCOMPARE(another.error().kind, ErrorKind::Timeout);
    }

    void whoeverIsAskedToStopDoes()
    {
        const FalseRedis redis(falseSocket(), { { kHello, "" } });
        auto options = quick();
        options.answerTimeoutMs = 60'000;
        QElapsedTimer timer;
        timer.start();
        options.stop = [&timer] { return timer.elapsed() > 300; };
        const auto cache = open(u"unix://"_s + falseSocket(), options);
        const auto scan = scanCache(**cache, "a:*", 10);
        QVERIFY(!scan);
        QCOMPARE(scan.error().kind, ErrorKind::Cancelled);
        QVERIFY(timer.elapsed() < 5'000);
    }

    void onlyReadingAndOneReleaseAreEverSaid()
    {
        QByteArrayList said;
        for (const RedisCommand &command : { RedisCommand::auth("u", "p"), RedisCommand::select(1),
                 RedisCommand::setName("n"), RedisCommand::info("s"), RedisCommand::scan("0", "*", 1),
                 RedisCommand::get("k"), RedisCommand::pttl("k"), RedisCommand::type("k"), RedisCommand::strLen("k"),
                 RedisCommand::exists("k"), RedisCommand::release("k", "v", 1) }) {
            said += command.bytes().split('\n').at(2).trimmed();
        }
        QCOMPARE(said.size(), qsizetype(kEnumCount<RedisVerb>));
        QCOMPARE(said,
            QByteArrayList(
                { "AUTH", "SELECT", "CLIENT", "INFO", "SCAN", "GET", "PTTL", "TYPE", "STRLEN", "EXISTS", "EVAL" }));
        // The script is one constant, whatever name and value hold.
        const QByteArray script = RedisCommand::release("k", "v", 1).bytes().split('$').at(2);
        QCOMPARE(
            RedisCommand::release("'] redis.call('FLUSHALL') --", "return 1", -1).bytes().split('$').at(2), script);
        // What stands in a name is no command of its own.
        QCOMPARE(RedisCommand::get("a\r\nFLUSHALL\r\n").bytes(),
            QByteArray("*2\r\n$3\r\nGET\r\n$13\r\na\r\nFLUSHALL\r\n\r\n"));
    }
};

QTEST_GUILESS_MAIN(RedisSessionTest)
#include "tst_redis_session.moc"
