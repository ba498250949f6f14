// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/partition_change.h"

#include "sql/lanes/database.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/registered_table.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

/// A partition is detached on a real server, while others use the table and through a network that breaks.
class PartitionChangeTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();

    void tableInUseIsWaitedFor();
    void tableInUseForGoodIsLeftAlone();
    void lostAnswersAreFoundOut_data();
    void lostAnswersAreFoundOut();
    void approvedOneGoesOn();
    void refusedOneIsToldAtOnce();

private:
    void detach(const QString &reason = u"too old"_s);
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    QString journal() const { return m_folder.filePath(u"actions.json"_s); }

    QTemporaryDir m_folder;
    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<FaultProxy> m_proxy;
    RegisteredTable m_table;
    std::unique_ptr<sql::Database> m_database;
    std::unique_ptr<PartitionChange> m_change;
    std::optional<sql::Result<sql::ActionRecord>> m_ended;
};

void PartitionChangeTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
    m_proxy = std::make_unique<FaultProxy>(m_fixture->cluster().cluster().folder());
}

void PartitionChangeTest::cleanupTestCase()
{
    m_proxy.reset();
    m_fixture.reset();
}

/// app.p with one partition of seven finished rows; the runner is a member of its owner.
void PartitionChangeTest::init()
{
    m_fixture->fresh();
    m_fixture->cluster().psql(m_fixture->database(),
        u"SET ROLE app_owner; CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key, "
        "expires_at)) PARTITION BY RANGE (expires_at);"
        "CREATE TABLE app.p_old PARTITION OF app.p FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');"
        "INSERT INTO app.p (tenant, key, status, expires_at) SELECT 't', 'o' || i, 'succeeded', '2020-06-01' FROM "
        "generate_series(1, 7) i;"
        "GRANT SELECT, UPDATE (status, locked_until, updated_at, result), DELETE, INSERT ON app.p TO "
        "idemdesk_runner_app_owner; GRANT SELECT ON app.p, app.p_old TO op, adm, idemdesk_runner_app_owner;"
        "GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON app.eff TO adm;"
        "RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner"_s);
    m_table
        = registerTable(*m_fixture, R"({"relation": "app.p", "identity": ["tenant", "key", "expires_at"]})", u"p"_s);
    sql::ConnectionSettings settings;
    settings.conninfo = m_proxy->conninfo(u"op"_s, m_fixture->database());
    m_database = std::make_unique<sql::Database>(settings);
    m_database->open();
    QTRY_COMPARE(m_database->state(), sql::LinkState::Connected);
    m_ended.reset();
    m_change = std::make_unique<PartitionChange>(m_database.get(), journal());
    connect(m_change.get(), &PartitionChange::ended, this,
        [this](const sql::Result<sql::ActionRecord> &result) { m_ended = result; });
}

void PartitionChangeTest::cleanup()
{
    m_change.reset();
    m_database.reset();
    m_proxy->cutAfter(-1);
    m_fixture->cluster().psql(m_fixture->database(), u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s);
    QFile::remove(journal());
}

void PartitionChangeTest::detach(const QString &reason)
{
    sql::PartitionRequest request;
    request.verb = sql::ActionVerb::Detach;
    request.target = u"p"_s;
    request.partition = u"\"app\".\"p_old\""_s;
    request.cutoff = *sql::Timestamp::parse(value(u"SELECT now()"_s));
    request.reason = reason;
    m_change->start(request);
}

void PartitionChangeTest::tableInUseIsWaitedFor()
{
    const auto reader = m_fixture->as(u"op2"_s);
    m_fixture->cluster().psql(
        m_fixture->database(), u"GRANT USAGE ON SCHEMA app TO op2; GRANT SELECT ON app.p TO op2"_s);
    QVERIFY(reader->run(u"BEGIN"_s).ok());
    QCOMPARE(reader->value(u"SELECT count(*) FROM app.p"_s), u"7"_s);
    detach();
    QTRY_VERIFY_WITH_TIMEOUT(m_change->wait().has_value(), 60'000);
    QVERIFY2(m_change->wait()->detail.contains(u"op2 (process "_s), qPrintable(m_change->wait()->detail));
    QVERIFY(!m_ended);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
    QVERIFY(reader->run(u"COMMIT"_s).ok());
    QTRY_VERIFY_WITH_TIMEOUT(m_ended.has_value(), 60'000);
    QVERIFY2(m_ended->ok(), qPrintable(m_ended->ok() ? QString() : m_ended->error().line()));
    QCOMPARE((*m_ended)->state, sql::ActionState::Finished);
    QCOMPARE(value(u"SELECT count(*) FROM app.p"_s), u"0"_s);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
    QVERIFY(ActionJournal(journal()).entries().isEmpty());
}

void PartitionChangeTest::tableInUseForGoodIsLeftAlone()
{
    const auto reader = m_fixture->as(u"op2"_s);
    m_fixture->cluster().psql(
        m_fixture->database(), u"GRANT USAGE ON SCHEMA app TO op2; GRANT SELECT ON app.p TO op2"_s);
    QVERIFY(reader->run(u"BEGIN"_s).ok());
    QCOMPARE(reader->value(u"SELECT count(*) FROM app.p"_s), u"7"_s);
    detach();
    QTRY_VERIFY_WITH_TIMEOUT(m_ended.has_value(), 120'000);
    QVERIFY(!m_ended->ok());
    QCOMPARE(m_ended->error().kind, sql::ErrorKind::LockTimeout);
    QVERIFY2(m_ended->error().detail.contains(u"op2 (process "_s), qPrintable(m_ended->error().detail));
    QVERIFY(reader->run(u"COMMIT"_s).ok());
    QCOMPARE(value(u"SELECT count(*) FROM app.p"_s), u"7"_s);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
    QVERIFY(ActionJournal(journal()).entries().isEmpty());
}

void PartitionChangeTest::lostAnswersAreFoundOut_data()
{
    QTest::addColumn<int>("bytes");
    for (const int bytes : { 0, 1, 60, 200, 500, 1'000, 1'500 }) {
        QTest::addRow("cut after %d bytes", bytes) << bytes;
    }
}

void PartitionChangeTest::lostAnswersAreFoundOut()
{
    QFETCH(int, bytes);
    const int before = m_proxy->accepted();
    detach();
    m_proxy->cutAfter(bytes);
    QTRY_VERIFY_WITH_TIMEOUT(m_ended.has_value() || m_proxy->accepted() > before, 60'000); // it was cut, and asks
    m_proxy->cutAfter(-1);
    QTRY_VERIFY_WITH_TIMEOUT(m_ended.has_value(), 120'000);
    QVERIFY2(m_ended->ok(), qPrintable(m_ended->ok() ? QString() : m_ended->error().line()));
    QCOMPARE((*m_ended)->state, sql::ActionState::Finished);
    QCOMPARE(value(u"SELECT count(*) FROM app.p"_s), u"0"_s);
    QCOMPARE(value(u"SELECT string_agg(verb || ' ' || state, ',') FROM idemdesk.action"_s), u"detach finished"_s);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
    QVERIFY(ActionJournal(journal()).entries().isEmpty());
}

/// It waits for another person, and is then done under the id that was approved, with its reason and cutoff.
void PartitionChangeTest::approvedOneGoesOn()
{
    const QString limited = m_fixture->registerTarget(value(u"SELECT compiled FROM idemdesk.target WHERE name = 'p'"_s),
        u"{\"approval_above\": 3}"_s, value(u"SELECT profile FROM idemdesk.target WHERE name = 'p'"_s), u"p"_s);
    QVERIFY2(limited.contains(u"\"registered\": true"_s), qPrintable(limited));
    detach();
    QTRY_VERIFY_WITH_TIMEOUT(m_ended.has_value(), 60'000);
    QVERIFY2(m_ended->ok(), qPrintable(m_ended->ok() ? QString() : m_ended->error().line()));
    QCOMPARE((*m_ended)->state, sql::ActionState::Requested);
    const QString id = (*m_ended)->id;
    QVERIFY(m_fixture->as(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { id }).ok());
    m_ended.reset();
    detach(u"another reason"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_ended.has_value(), 60'000);
    QVERIFY2(m_ended->ok(), qPrintable(m_ended->ok() ? QString() : m_ended->error().line()));
    QCOMPARE((*m_ended)->id, id);
    QCOMPARE((*m_ended)->state, sql::ActionState::Finished);
    QCOMPARE((*m_ended)->reason, u"too old"_s);
}

void PartitionChangeTest::refusedOneIsToldAtOnce()
{
    int waits = 0;
    connect(m_change.get(), &PartitionChange::changed, this, [&] { waits += m_change->wait() ? 1 : 0; });
    detach(u"  "_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_ended.has_value(), 60'000);
    QVERIFY(!m_ended->ok());
    QCOMPARE(m_ended->error().kind, sql::ErrorKind::Refused);
    QCOMPARE(waits, 0);
    QCOMPARE(value(u"SELECT count(*) FROM app.p"_s), u"7"_s);
    QVERIFY(ActionJournal(journal()).entries().isEmpty());
}

QTEST_GUILESS_MAIN(PartitionChangeTest)
#include "tst_partition_change.moc"
