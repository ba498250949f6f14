// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a connection: what wins, what fails and how it says so, how long it may take.
#include "tests/sql/driver/driver_fixture.h"
#include "tests/support/fault_proxy.h"

#include <QElapsedTimer>
#include <QFile>

#include <libpq-fe.h>
#include <thread>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using tests::FaultProxy;

class DriverOpenTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_cluster = std::make_unique<tests::TestCluster>(); }
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void openFailures_data();
    void openFailures();
    void openObeysDeadlineAndCut();
    void overridesWin();
    void passwordIsNotPrinted();

private:
    QString user() const { return m_cluster->cluster().superuser(); }
    std::unique_ptr<tests::TestCluster> m_cluster;
};

void DriverOpenTest::openFailures_data()
{
    QTest::addColumn<QString>("conninfo");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("says");
    const QString host = u"host="_s + m_cluster->cluster().folder();
    QTest::newRow("no such database") << host + u" user=%1 dbname=nothere"_s.arg(user()) << u"3D000"_s << u"nothere"_s;
    QTest::newRow("no such role") << host + u" user=nobody_here dbname=postgres"_s << u"28000"_s << u"nobody_here"_s;
    QTest::newRow("no such socket") << u"host=/nowhere"_s << QString() << u"/nowhere"_s;
    QTest::newRow("not a conninfo") << u"nosuchkey=1"_s << QString() << u"nosuchkey"_s;
    QTest::newRow("no such service") << u"service=nothere_at_all"_s << QString() << u"nothere_at_all"_s;
    QTest::newRow("NUL") << host + QChar(0) << QString() << u"NUL"_s;
    QTest::newRow("hostile name") << host + u" user=%1 dbname=a\u202Eb"_s.arg(user()) << u"3D000"_s << u"a\\u202Eb"_s;
}

void DriverOpenTest::openFailures()
{
    QFETCH(QString, conninfo);
    QFETCH(QString, state);
    QFETCH(QString, says);
    sql::PgDriver driver;
    QVERIFY(!driver.openConninfo(conninfo, u"canary-secret"_s, {}, QDeadlineTimer(5000)));
    QVERIFY(!driver.isOpen() && driver.isOpenError() && !driver.alive());
    const sql::PgFailure failure = driver.lastFailure();
    QCOMPARE(failure.sqlState, state);
    QVERIFY2(failure.message.contains(says), qPrintable(failure.message));
    QVERIFY2(
        !failure.message.contains(u".c:"_s) && !failure.message.contains(u"28000:"_s), qPrintable(failure.message));
    QVERIFY(!failure.message.contains(u"canary-secret"_s));
    QVERIFY(failure.connectionLost);
    QCOMPARE(driver.lastError().type(), QSqlError::ConnectionError);
}

void DriverOpenTest::openObeysDeadlineAndCut()
{
    FaultProxy proxy(m_cluster->cluster().folder());
    proxy.setStalled(true);
    sql::PgDriver driver;
    QElapsedTimer timer;
    timer.start();
    QVERIFY(!driver.openConninfo(proxy.conninfo(user()), {}, {}, QDeadlineTimer(300)));
    QVERIFY2(timer.elapsed() >= 299, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(driver.lastFailure().message.contains(u"in time"_s));
    proxy.setStalled(false); // the client given up above is taken now, so that only the next one can be waiting
    QTRY_VERIFY(proxy.accepted() == 1 && proxy.open() == 0);
    proxy.setStalled(true);
    const auto interrupter = driver.interrupter();
    bool waited = false;
    std::thread helper([&] {
        const QDeadlineTimer limit(20'000);
        while (!waited && !limit.hasExpired()) {
            waited = proxy.clientWaits();
            std::this_thread::yield();
        }
        interrupter->cut();
    });
    // A deadline that never comes: nothing but the cut can end this.
    QVERIFY(!driver.openConninfo(proxy.conninfo(user()), {}, {}, QDeadlineTimer(QDeadlineTimer::Forever)));
    helper.join();
    QVERIFY(waited);
    proxy.setStalled(false);
    QVERIFY(driver.openConninfo(proxy.conninfo(user()), {}, {}, QDeadlineTimer(30'000)));
    proxy.setRefusing(true);
    QVERIFY(!driver.openConninfo(proxy.conninfo(user()), {}, {}, QDeadlineTimer(30'000)));
    proxy.setRefusing(false);
    QVERIFY(driver.openConninfo(proxy.conninfo(user()), {}, {}, QDeadlineTimer(30'000)));
}

void DriverOpenTest::overridesWin()
{
    sql::PgDriver driver;
    const QString uri = u"postgresql://%1@/postgres?host=%2&application_name=first"_s.arg(
        user(), QString::fromLatin1(m_cluster->cluster().folder().toUtf8().toPercentEncoding()));
    QVERIFY2(driver.openConninfo(uri, {},
                 { { "application_name", "second" }, { "dbname", "template1" }, { "options", "-c work_mem=77kB" } },
                 QDeadlineTimer(5000)),
        qPrintable(driver.lastFailure().message));
    const auto status = [&](const char *name) { return QByteArray(PQparameterStatus(driver.connection(), name)); };
    QCOMPARE(status("application_name"), QByteArray("second"));
    QCOMPARE(status("client_encoding"), QByteArray("UTF8"));
    QCOMPARE(QByteArray(PQdb(driver.connection())), QByteArray("template1"));
    QVERIFY(driver.tls().isEmpty());
    QVERIFY(driver.backendPid() > 0);
}

void DriverOpenTest::passwordIsNotPrinted()
{
    m_cluster->psql(u"postgres"_s, u"DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'right'"_s);
    const QString hba = m_cluster->cluster().dataFolder() + u"/pg_hba.conf"_s;
    QFile file(hba);
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray before = file.readAll();
    file.seek(0);
    file.write("local all locked scram-sha-256\n" + before);
    file.close();
    m_cluster->psql(u"postgres"_s, u"SELECT pg_reload_conf()"_s);
    sql::PgDriver driver;
    const auto opens = [&](const QString &password) {
        return driver.openConninfo(m_cluster->conninfoAs(u"locked"_s), password, {}, QDeadlineTimer(5000));
    };
    QTRY_VERIFY(!opens(u"canary-secret"_s)); // the reload takes a moment
    QCOMPARE(driver.lastFailure().sqlState, u"28P01"_s);
    QVERIFY(!driver.lastFailure().message.contains(u"canary"_s));
    QVERIFY(!driver.lastError().text().contains(u"canary"_s));
    QVERIFY(opens(u"right"_s));
    QVERIFY(!opens({})); // none given: libpq says so
    QVERIFY(driver.lastFailure().message.contains(u"no password"_s));
}

QTEST_GUILESS_MAIN(DriverOpenTest)
#include "tst_driver_open.moc"
