// SPDX-License-Identifier: GPL-3.0-or-later
// Transactions tell the truth; statements are described without being run.
#include "tests/sql/driver/driver_fixture.h"

using namespace Qt::StringLiterals;
using namespace idemdesk;
using tests::Link;

class DriverTransactionsTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_cluster = std::make_unique<tests::TestCluster>(); }
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void transactionTruth();
    void beginSendsAlong();
    void deferredConstraintFailsTheStatement();
    void describes_data();
    void describes();

private:
    std::unique_ptr<tests::TestCluster> m_cluster;
};

void DriverTransactionsTest::transactionTruth()
{
    Link link = Link::ours(m_cluster->conninfo());
    sql::PgDriver &driver = link.driver();
    QVERIFY(!driver.commitTransaction());
    QVERIFY(driver.lastError().text().contains(u"No transaction"_s));
    QVERIFY(!driver.rollbackTransaction());
    QVERIFY(driver.beginTransaction());
    QVERIFY(driver.inTransaction());
    QVERIFY(!driver.beginTransaction());
    QVERIFY(driver.inTransaction());
    QVERIFY(driver.commitTransaction());
    QVERIFY(!driver.inTransaction());

    QVERIFY(driver.beginTransaction());
    QVERIFY(link.ask(u"SELECT 1/0"_s).startsWith(u"error 22012"_s));
    QVERIFY(driver.inTransaction());
    QVERIFY(!driver.commitTransaction());
    QVERIFY(driver.lastError().text().contains(u"not committed"_s));
    QVERIFY(!driver.inTransaction());

    for (const QString &commit : { u"COMMIT"_s, u" /* a /* b */ c */ -- d\n end"_s, u"commit work"_s }) {
        QVERIFY(driver.beginTransaction());
        QVERIFY(link.ask(u"SELECT 1/0"_s).startsWith(u"error 22012"_s));
        QSqlQuery query = link.query();
        QVERIFY2(!query.exec(commit), qPrintable(commit));
        QVERIFY(!driver.inTransaction());
    }
    QVERIFY(driver.beginTransaction());
    QVERIFY(link.ask(u"SELECT 1/0"_s).startsWith(u"error 22012"_s));
    QSqlQuery rollback = link.query();
    QVERIFY(rollback.exec(u"/* asked for */ ROLLBACK"_s));

    // While rows of a statement inside are being read, the transaction is still known to be open.
    QVERIFY(driver.beginTransaction());
    QSqlQuery rows = link.query(true);
    QVERIFY(rows.exec(u"SELECT generate_series(1, 100)"_s) && rows.next());
    QVERIFY(driver.inTransaction());
    QVERIFY(!driver.beginTransaction());
    QVERIFY(driver.rollbackTransaction());
}

void DriverTransactionsTest::beginSendsAlong()
{
    Link link = Link::ours(m_cluster->conninfo());
    sql::PgDriver &driver = link.driver();
    driver.setBegin(u"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"_s,
        { u"SET LOCAL statement_timeout = '7s'"_s, u"SET LOCAL search_path = pg_catalog"_s });
    QVERIFY(driver.beginTransaction());
    QCOMPARE(link.ask(u"SHOW statement_timeout"_s), u"7s"_s);
    QCOMPARE(link.ask(u"SHOW search_path"_s), u"pg_catalog"_s);
    QCOMPARE(link.ask(u"SHOW transaction_read_only"_s), u"on"_s);
    QCOMPARE(link.ask(u"SHOW transaction_isolation"_s), u"repeatable read"_s);
    QVERIFY(driver.commitTransaction());
    QCOMPARE(link.ask(u"SHOW statement_timeout"_s), u"0"_s);
    driver.setBegin(u"BEGIN"_s, { u"SET LOCAL no_such_setting = 1"_s, u"SET LOCAL lock_timeout = 1"_s });
    QVERIFY(!driver.beginTransaction());
    QCOMPARE(driver.lastFailure().sqlState, u"42704"_s);
    QVERIFY(!driver.inTransaction());
    QCOMPARE(link.ask(u"SELECT 1"_s), u"1"_s);
}

void DriverTransactionsTest::deferredConstraintFailsTheStatement()
{
    m_cluster->psql(u"postgres"_s,
        u"DROP TABLE IF EXISTS late; CREATE TABLE late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO late VALUES (1)"_s);
    const Link link = Link::ours(m_cluster->conninfo());
    QVERIFY(link.ask(u"INSERT INTO late VALUES (1)"_s).startsWith(u"error 23505"_s));
    QSqlQuery query = link.query(true);
    QVERIFY(query.exec(u"INSERT INTO late VALUES (1) RETURNING id"_s));
    QVERIFY(query.next());
    QVERIFY(!query.next());
    QCOMPARE(query.lastError().nativeErrorCode(), u"23505"_s);
    QCOMPARE(link.ask(u"SELECT count(*) FROM late"_s), u"1"_s);
}

void DriverTransactionsTest::describes_data()
{
    QTest::addColumn<bool>("enveloped");
    QTest::newRow("plain") << false;
    QTest::newRow("in an envelope") << true;
}

void DriverTransactionsTest::describes()
{
    QFETCH(bool, enveloped);
    Link link = Link::ours(m_cluster->conninfo());
    if (enveloped) {
        link.driver().setEnvelope({ { u"BEGIN READ ONLY"_s, u"SET LOCAL search_path = pg_catalog"_s }, u"COMMIT"_s });
    }
    QList<quint32> parameters;
    QList<quint32> columns;
    QStringList names;
    QVERIFY(link.driver().describe(
        u"SELECT $1::uuid AS id, count(*) AS n FROM pg_class WHERE relname = $2"_s, &parameters, &columns, &names));
    QCOMPARE(parameters, QList<quint32>({ 2950, 19 }));
    QCOMPARE(columns, QList<quint32>({ 2950, 20 }));
    QCOMPARE(names, QStringList({ u"id"_s, u"n"_s }));
    QVERIFY(!link.driver().inTransaction());
    QVERIFY(!link.driver().describe(u"SELECT nothere FROM pg_class"_s, &parameters, nullptr, nullptr));
    QCOMPARE(link.driver().lastFailure().sqlState, u"42703"_s);
    QCOMPARE(link.driver().lastFailure().statementPosition, 8);
    QVERIFY(!link.driver().inTransaction());
    QVERIFY(!link.driver().describe(u"SELECT 1; SELECT 2"_s, nullptr, nullptr, nullptr));
    QVERIFY(!link.driver().describe(u"SELECT 1"_s + QChar(0), nullptr, nullptr, nullptr));
    QVERIFY(link.driver().describe(u"DELETE FROM pg_temp_none.x"_s, nullptr, nullptr, nullptr) == false);
    QVERIFY(link.driver().beginTransaction());
    QVERIFY(link.driver().describe(u"SELECT 1"_s, nullptr, nullptr, nullptr));
    QVERIFY(link.driver().inTransaction());
    QVERIFY(link.driver().commitTransaction());
}

QTEST_GUILESS_MAIN(DriverTransactionsTest)
#include "tst_driver_transactions.moc"
