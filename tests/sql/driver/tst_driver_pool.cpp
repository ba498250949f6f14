// SPDX-License-Identifier: GPL-3.0-or-later
// The driver behind a real PgBouncer in transaction mode, with an application on the same server connection.
#include "tests/sql/driver/driver_fixture.h"
#include "tests/support/pgbouncer_fixture.h"

#include <thread>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using tests::Link;

class DriverPoolTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void everythingWorksInAnEnvelope();
    void errorsAreTruthful_data();
    void errorsAreTruthful();
    void explicitTransaction();
    void applicationKeepsItsSettings();
    void cancelGoesToThePooler();

private:
    Link console() const;
    QStringList settings() const;
    std::unique_ptr<tests::TestCluster> m_cluster;
    std::unique_ptr<tests::PgBouncerFixture> m_pooler;
};

void DriverPoolTest::initTestCase()
{
    m_cluster = std::make_unique<tests::TestCluster>();
    m_pooler = std::make_unique<tests::PgBouncerFixture>(*m_cluster, 1); // one server connection for everybody
    m_cluster->psql(u"postgres"_s,
        u"CREATE TABLE stock (id int PRIMARY KEY, n int UNIQUE DEFERRABLE INITIALLY DEFERRED);"
        "INSERT INTO stock SELECT g, g FROM generate_series(1, 200) g"_s);
}

Link DriverPoolTest::console() const
{
    Link link = Link::ours(m_pooler->conninfo(), { { "application_name", "idemdesk" } });
    const QStringList local { u"SET LOCAL search_path = pg_catalog"_s, u"SET LOCAL statement_timeout = '7s'"_s,
        u"SET LOCAL lock_timeout = '500ms'"_s };
    link.driver().setEnvelope(
        { QStringList(u"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"_s) + local, u"COMMIT"_s });
    link.driver().setBegin(u"BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"_s, local);
    return link;
}

/// What an application on the same pool sees.
QStringList DriverPoolTest::settings() const
{
    const Link application = Link::ours(m_pooler->conninfo());
    QStringList seen;
    for (const QString &name : { u"search_path"_s, u"statement_timeout"_s, u"lock_timeout"_s,
             u"default_transaction_read_only"_s, u"default_transaction_isolation"_s, u"TimeZone"_s }) {
        seen.append(application.ask(u"SELECT current_setting($1)"_s, { name }));
    }
    return seen;
}

void DriverPoolTest::everythingWorksInAnEnvelope()
{
    Link link = console();
    QVERIFY(
        link.driver().backendPid() != link.ask(u"SELECT pg_backend_pid()"_s).toInt()); // made up: how a pooler shows
    QCOMPARE(link.ask(u"SHOW statement_timeout"_s), u"7s"_s);
    QCOMPARE(link.ask(u"SHOW search_path"_s, {}, true), u"pg_catalog"_s);
    QCOMPARE(link.ask(u"SELECT $1::int + $2::int"_s, { 2, 3 }), u"5"_s);
    for (const bool forwardOnly : { false, true }) {
        QSqlQuery query = link.query(forwardOnly);
        QVERIFY(query.exec(u"SELECT id, n FROM public.stock ORDER BY id"_s));
        int rows = 0;
        while (query.next()) {
            QCOMPARE(query.value(0).toInt(), ++rows);
        }
        QVERIFY(!query.lastError().isValid());
        QCOMPARE(rows, 200);
        QVERIFY(!link.driver().inTransaction());
    }
    QSqlQuery update = link.query();
    QVERIFY(update.exec(u"UPDATE public.stock SET n = n WHERE id <= 10"_s));
    QCOMPARE(update.numRowsAffected(), 10);
    QStringList names;
    QVERIFY(link.driver().describe(u"SELECT id FROM public.stock WHERE n = $1"_s, nullptr, nullptr, &names));
    QCOMPARE(names, QStringList { u"id"_s });
    QVERIFY(!link.driver().describe(u"SELECT id FROM stock"_s, nullptr, nullptr, nullptr)); // not on the search path
    QCOMPARE(link.driver().lastFailure().sqlState, u"42P01"_s);
    QCOMPARE(link.ask(u"SELECT 1"_s), u"1"_s);
}

void DriverPoolTest::errorsAreTruthful_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("state");
    QTest::newRow("syntax") << u"SELEKT 1"_s << u"42601"_s;
    QTest::newRow("two commands") << u"SELECT 1; SELECT 2"_s << u"42601"_s;
    QTest::newRow("first row") << u"SELECT 1/0"_s << u"22012"_s;
    QTest::newRow("after 150 rows") << u"SELECT 1 / (151 - id) FROM public.stock ORDER BY id"_s << u"22012"_s;
    QTest::newRow("at COMMIT, behind all rows")
        << u"UPDATE public.stock SET n = 1 WHERE id = 2 RETURNING id"_s << u"23505"_s;
    QTest::newRow("at COMMIT, without rows") << u"UPDATE public.stock SET n = 1 WHERE id = 2"_s << u"23505"_s;
    QTest::newRow("only white space") << u" "_s << QString();
}

void DriverPoolTest::errorsAreTruthful()
{
    QFETCH(QString, sql);
    QFETCH(QString, state);
    Link link = console();
    for (const bool forwardOnly : { false, true }) {
        QSqlQuery query = link.query(forwardOnly);
        query.prepare(sql);
        if (query.exec()) {
            while (query.next()) { }
        }
        QVERIFY(query.lastError().isValid());
        QCOMPARE(query.lastError().nativeErrorCode(), state);
        QVERIFY(!link.driver().inTransaction());
        QCOMPARE(link.ask(u"SELECT n FROM public.stock WHERE id = 2"_s), u"2"_s);
    }
    link.driver().setEnvelope({ { u"BEGIN"_s, u"SET LOCAL no_such_setting = 1"_s }, u"COMMIT"_s });
    QVERIFY(link.ask(sql).startsWith(u"error 42704"_s));
    QVERIFY(!link.driver().inTransaction());
}

void DriverPoolTest::explicitTransaction()
{
    Link link = console();
    QVERIFY(link.driver().beginTransaction());
    QCOMPARE(link.ask(u"SHOW transaction_read_only"_s), u"on"_s);
    QCOMPARE(link.ask(u"SHOW lock_timeout"_s), u"500ms"_s);
    const QString pid = link.ask(u"SELECT pg_backend_pid()"_s);
    QCOMPARE(link.ask(u"SELECT pg_backend_pid()"_s), pid);
    QVERIFY(link.ask(u"UPDATE public.stock SET n = 0"_s).startsWith(u"error 25006"_s));
    QVERIFY(!link.driver().commitTransaction());
    QVERIFY(!link.driver().inTransaction());
    QCOMPARE(link.ask(u"SHOW transaction_read_only"_s), u"off"_s);
    link.driver().setBegin({}, {}); // then a transaction opens as the envelope does
    QVERIFY(link.driver().beginTransaction());
    QCOMPARE(link.ask(u"SHOW statement_timeout"_s), u"7s"_s);
    QVERIFY(link.driver().commitTransaction());
}

void DriverPoolTest::applicationKeepsItsSettings()
{
    const QStringList before = settings();
    {
        Link link = console();
        for (int i = 0; i < 20; ++i) {
            QCOMPARE(link.ask(u"SHOW search_path"_s), u"pg_catalog"_s);
            QVERIFY(link.ask(u"SELECT 1/0"_s).startsWith(u"error"_s));
            QVERIFY(link.driver().beginTransaction());
            QCOMPARE(link.ask(u"SHOW statement_timeout"_s), u"7s"_s);
            QVERIFY(i % 2 == 0 ? link.driver().commitTransaction() : link.driver().rollbackTransaction());
            QCOMPARE(settings(), before);
        }
    }
    QCOMPARE(settings(), before);
    // The counter-proof: a session SET would have reached the application.
    {
        const Link careless = Link::ours(m_pooler->conninfo());
        QVERIFY(careless.ask(u"SET statement_timeout = '9s'"_s).isEmpty());
    }
    QVERIFY(settings() != before);
    QVERIFY(Link::ours(m_pooler->conninfo()).ask(u"RESET statement_timeout"_s).isEmpty());
    QCOMPARE(settings(), before);
}

void DriverPoolTest::cancelGoesToThePooler()
{
    Link link = console();
    const auto interrupter = link.driver().interrupter();
    tests::TestCluster *cluster = m_cluster.get();
    bool asked = false;
    std::thread helper([&] {
        const QString sleeping = u"SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"_s;
        while (cluster->psql(u"postgres"_s, sleeping) != u"1"_s) { }
        asked = interrupter->requestCancel(nullptr);
    });
    const QString answer = link.ask(u"SELECT pg_sleep(5)"_s);
    helper.join();
    QVERIFY(asked);
    QVERIFY2(answer.startsWith(u"error 57014"_s), qPrintable(answer));
    QCOMPARE(link.ask(u"SELECT 1"_s), u"1"_s);
}

QTEST_GUILESS_MAIN(DriverPoolTest)
#include "tst_driver_pool.moc"
