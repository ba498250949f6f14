// SPDX-License-Identifier: GPL-3.0-or-later
// The driver on a bad network, under cancel, cut and shutdown; notifications.
#include "tests/sql/driver/driver_fixture.h"
#include "tests/support/fault_proxy.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTimer>

#include <thread>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using tests::FaultProxy;
using tests::Link;

class DriverFaultsTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_cluster = std::make_unique<tests::TestCluster>(); }
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void cutInMidPageIsAnError();
    void everyCutPointIsAnError();
    void commitCutIsNeverSuccess();
    void stalledStatementIsCutAtOnce();
    void cutAfterCloseDoesNothing();
    void cancelFromAnotherThread_data();
    void cancelFromAnotherThread();
    void killedBackendIsTold();
    void deathWhileIdleIsNoticed();
    void notifications();
    void copyIsDrainedOrCut();
    void bigValuesBothWays();
    void resultOutlivesItsConnection();

private:
    QString user() const { return m_cluster->cluster().superuser(); }
    std::unique_ptr<tests::TestCluster> m_cluster;
};

void DriverFaultsTest::cutInMidPageIsAnError()
{
    FaultProxy proxy(m_cluster->cluster().folder());
    Link link = Link::ours(proxy.conninfo(user()));
    QSqlQuery query = link.query(true);
    QVERIFY(query.exec(
        u"SELECT g, repeat('x', 1000), pg_sleep(CASE WHEN g = 150 THEN 1 ELSE 0 END) FROM generate_series(1, 200) g"_s));
    int rows = 0;
    while (query.next()) {
        if (++rows == 100) {
            proxy.cutAll();
        }
    }
    QVERIFY(rows >= 100 && rows < 200);
    QVERIFY(query.lastError().isValid());
    QCOMPARE(query.lastError().type(), QSqlError::ConnectionError);
    QVERIFY(link.driver().lastFailure().connectionLost);
    QVERIFY(!link.driver().alive());
    QVERIFY(link.ask(u"SELECT 1"_s).startsWith(u"error : "_s));
    QVERIFY(link.driver().lastFailure().connectionLost);
    QVERIFY(!link.driver().beginTransaction());
    QVERIFY(!link.driver().describe(u"SELECT 1"_s, nullptr, nullptr, nullptr));
}

/// Wherever the answer breaks off, with or without an envelope, it is never taken for a whole one.
void DriverFaultsTest::everyCutPointIsAnError()
{
    FaultProxy proxy(m_cluster->cluster().folder());
    for (const bool enveloped : { false, true }) {
        const auto run = [&](Link &link, qint64 *bytes) {
            if (enveloped) {
                link.driver().setEnvelope({ { u"BEGIN"_s, u"SET LOCAL lock_timeout = '1s'"_s }, u"COMMIT"_s });
            }
            const qint64 before = proxy.bytesToClient();
            QSqlQuery query = link.query(true);
            bool good = query.exec(u"SELECT g FROM generate_series(1, 5) g"_s);
            int rows = 0;
            while (good && query.next()) {
                ++rows;
            }
            good = good && !query.lastError().isValid();
            *bytes = proxy.bytesToClient() - before;
            return good && rows == 5;
        };
        qint64 whole = 0;
        {
            Link link = Link::ours(proxy.conninfo(user()));
            QVERIFY(run(link, &whole));
        }
        QVERIFY(whole > 50);
        for (qint64 bytes = 1; bytes < whole; bytes += 3) {
            Link link = Link::ours(proxy.conninfo(user()));
            proxy.cutAfter(bytes);
            qint64 ignored = 0;
            QVERIFY2(!run(link, &ignored), qPrintable(QString::number(bytes)));
            QVERIFY(link.driver().lastFailure().connectionLost);
            proxy.cutAfter(-1);
        }
    }
}

void DriverFaultsTest::commitCutIsNeverSuccess()
{
    FaultProxy proxy(m_cluster->cluster().folder());
    // ParseComplete, BindComplete and NoData have 5 bytes each, CommandComplete 12: 'C', a length, "COMMIT", a NUL.
    for (const auto &[bytes, success] : { std::pair<qint64, bool> { 1, false }, { 26, false }, { 27, true } }) {
        Link link = Link::ours(proxy.conninfo(user()));
        QVERIFY(link.driver().beginTransaction());
        proxy.cutAfter(bytes);
        QCOMPARE(link.driver().commitTransaction(), success);
        QCOMPARE(link.driver().lastError().type(), success ? QSqlError::NoError : QSqlError::ConnectionError);
        proxy.cutAfter(-1);
    }
}

void DriverFaultsTest::stalledStatementIsCutAtOnce()
{
    FaultProxy proxy(m_cluster->cluster().folder());
    Link link = Link::ours(proxy.conninfo(user()));
    proxy.setStalled(true);
    const auto interrupter = link.driver().interrupter();
    bool sent = false;
    std::thread helper([&] {
        const QDeadlineTimer limit(20'000);
        while (!sent && !limit.hasExpired()) {
            sent = proxy.bytesWaiting() > 0;
            std::this_thread::yield();
        }
        interrupter->cut();
    });
    // Nothing but the cut can end this: the proxy stays silent, and the statement has no deadline.
    const QString answer = link.ask(u"SELECT 1"_s);
    helper.join();
    QVERIFY(sent);
    QVERIFY(answer.startsWith(u"error : "_s));
    QVERIFY(link.driver().lastFailure().connectionLost);
}

void DriverFaultsTest::cutAfterCloseDoesNothing()
{
    std::shared_ptr<sql::PgInterrupter> interrupter;
    {
        Link first = Link::ours(m_cluster->conninfo());
        interrupter = first.driver().interrupter();
    }
    const Link second = Link::ours(m_cluster->conninfo()); // most likely on the same descriptor
    interrupter->cut();
    QString reason;
    QVERIFY(!interrupter->requestCancel(&reason));
    QVERIFY(!reason.isEmpty());
    QCOMPARE(second.ask(u"SELECT 1"_s), u"1"_s);
}

void DriverFaultsTest::cancelFromAnotherThread_data()
{
    QTest::addColumn<bool>("forwardOnly");
    QTest::addColumn<bool>("enveloped");
    QTest::newRow("buffered") << false << false;
    QTest::newRow("row by row") << true << false;
    QTest::newRow("in an envelope") << true << true;
}

void DriverFaultsTest::cancelFromAnotherThread()
{
    QFETCH(bool, forwardOnly);
    QFETCH(bool, enveloped);
    Link link = Link::ours(m_cluster->conninfo());
    if (enveloped) {
        link.driver().setEnvelope({ { u"BEGIN READ ONLY"_s }, u"COMMIT"_s });
    }
    const auto interrupter = link.driver().interrupter();
    bool asked = false;
    QString reason;
    tests::TestCluster *cluster = m_cluster.get();
    std::thread helper([&] {
        const QString sleeping = u"SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"_s;
        while (cluster->psql(u"postgres"_s, sleeping) != u"1"_s) { }
        asked = interrupter->requestCancel(&reason);
    });
    const QString answer = link.ask(u"SELECT pg_sleep(60)"_s, {}, forwardOnly);
    helper.join();
    QVERIFY2(asked, qPrintable(reason));
    QVERIFY2(answer.startsWith(u"error 57014"_s), qPrintable(answer));
    QVERIFY(!link.driver().inTransaction());
    QCOMPARE(link.ask(u"SELECT 'usable'"_s), u"usable"_s);
}

void DriverFaultsTest::killedBackendIsTold()
{
    Link link = Link::ours(m_cluster->conninfo());
    const QString answer = link.ask(u"SELECT pg_terminate_backend(pg_backend_pid())"_s);
    QVERIFY2(answer.startsWith(u"error 57P01"_s), qPrintable(answer));
    QVERIFY(link.driver().lastFailure().connectionLost);
    QVERIFY(!link.driver().alive());
}

void DriverFaultsTest::deathWhileIdleIsNoticed()
{
    Link link = Link::ours(m_cluster->conninfo());
    QSignalSpy died(&link.driver(), &sql::PgDriver::connectionDied);
    m_cluster->psql(u"postgres"_s, u"SELECT pg_terminate_backend(%1)"_s.arg(link.driver().backendPid()));
    QTRY_COMPARE(died.size(), 1);
    QVERIFY(!link.driver().alive());
    QCOMPARE(link.driver().lastFailure().sqlState, u"57P01"_s);
    QVERIFY(link.ask(u"SELECT 1"_s).startsWith(u"error"_s));
    QCOMPARE(died.size(), 1);
}

void DriverFaultsTest::notifications()
{
    Link link = Link::ours(m_cluster->conninfo());
    sql::PgDriver &driver = link.driver();
    QList<QStringList> seen;
    connect(&driver, &QSqlDriver::notification, this,
        [&](const QString &name, QSqlDriver::NotificationSource source, const QVariant &payload) {
            seen.append({ name, source == QSqlDriver::SelfSource ? u"self"_s : u"other"_s, payload.toString() });
        });
    const QString channel = u"odd.\"name\" ü"_s;
    QVERIFY(driver.subscribeToNotification(channel));
    QVERIFY(!driver.subscribeToNotification(channel));
    QCOMPARE(driver.subscribedToNotifications(), QStringList { channel });
    m_cluster->psql(u"postgres"_s, u"SELECT pg_notify('odd.\"name\" ü', 'from afar')"_s);
    QTRY_COMPARE(seen.size(), 1);
    QCOMPARE(seen.takeFirst(), QStringList({ channel, u"other"_s, u"from afar"_s }));
    QVERIFY(link.ask(u"SELECT pg_notify($1, 'own')"_s, { channel }).isEmpty());
    QTRY_COMPARE(seen.size(), 1);
    QCOMPARE(seen.takeFirst(), QStringList({ channel, u"self"_s, u"own"_s }));
    QVERIFY(driver.unsubscribeFromNotification(channel));
    QVERIFY(!driver.unsubscribeFromNotification(channel));
    QVERIFY(driver.subscribedToNotifications().isEmpty());
    // While rows are still being read, the watcher leaves them alone.
    QVERIFY(driver.subscribeToNotification(u"busy"_s));
    QSqlQuery query = link.query(true);
    QVERIFY(query.exec(u"SELECT generate_series(1, 5000)"_s) && query.next());
    m_cluster->psql(u"postgres"_s, u"SELECT pg_notify('busy', 'x')"_s);
    bool turned = false;
    QTimer timer;
    timer.setSingleShot(true);
    connect(&timer, &QTimer::timeout, this, [&] { turned = true; });
    timer.start(10);
    QTRY_VERIFY(turned); // the event loop ran with the socket readable
    int rows = 1;
    while (query.next()) {
        ++rows;
    }
    QCOMPARE(rows, 5000);
    QTRY_COMPARE(seen.size(), 1);
    // A hostile answer to LISTEN behind a pooler never happens: it is refused before.
    driver.setEnvelope({ { u"BEGIN"_s }, u"COMMIT"_s });
    QVERIFY(!driver.subscribeToNotification(u"pooled"_s));
}

void DriverFaultsTest::copyIsDrainedOrCut()
{
    {
        Link link = Link::ours(m_cluster->conninfo()); // little: read away, the connection stays
        QVERIFY(
            link.ask(u"COPY (SELECT repeat('x', 1000) FROM generate_series(1, 1000)) TO STDOUT"_s).contains(u"COPY"_s));
        QCOMPARE(link.ask(u"SELECT 1"_s), u"1"_s);
    }
    {
        Link link = Link::ours(m_cluster->conninfo()); // endless: the connection is given up
        QElapsedTimer timer;
        timer.start();
        QVERIFY(link.ask(u"COPY (SELECT repeat('x', 1000) FROM (SELECT generate_series(1, 100000000)) g) TO STDOUT"_s)
                    .contains(u"COPY"_s));
        QVERIFY(timer.elapsed() < 5000);
        QVERIFY(!link.driver().alive());
        QVERIFY(link.driver().lastFailure().connectionLost);
    }
    {
        Link link = Link::ours(m_cluster->conninfo()); // in a pipeline libpq cannot end it
        link.driver().setEnvelope({ { u"BEGIN"_s }, u"COMMIT"_s });
        QVERIFY(link.ask(u"COPY (SELECT 1) TO STDOUT"_s).contains(u"COPY"_s));
        QVERIFY(link.driver().lastFailure().connectionLost || link.ask(u"SELECT 1"_s) == u"1"_s);
    }
}

void DriverFaultsTest::bigValuesBothWays()
{
    FaultProxy proxy(m_cluster->cluster().folder());
    Link link = Link::ours(proxy.conninfo(user()));
    const QString big(20'000'000, u'k');
    QCOMPARE(link.ask(u"SELECT $1::text"_s, { big }).size(), big.size());
    link.driver().setEnvelope({ { u"BEGIN"_s }, u"COMMIT"_s });
    QCOMPARE(link.ask(u"SELECT $1::text || repeat('y', 10000000)"_s, { big }).size(), big.size() + 10'000'000);
}

void DriverFaultsTest::resultOutlivesItsConnection()
{
    Link link = Link::ours(m_cluster->conninfo());
    QSqlQuery query = link.query(true);
    QVERIFY(query.exec(u"SELECT generate_series(1, 100000)"_s) && query.next());
    link.driver().close();
    while (query.next()) { }
    QVERIFY(query.lastError().isValid());
    QVERIFY(link.driver().openConninfo(m_cluster->conninfo(), {}, {}, QDeadlineTimer(5000)));
    QCOMPARE(link.ask(u"SELECT 1"_s), u"1"_s);
}

QTEST_GUILESS_MAIN(DriverFaultsTest)
#include "tst_driver_faults.moc"
