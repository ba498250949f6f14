// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/action_gateway.h"
#include "sql/actions/triage_reader.h"
#include "sql/console/console_schema.h"
#include "tests/support/registered_table.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using sql::ErrorKind;

/// What goes wrong with a server in the middle of an action: each ends in plain words, with nothing half done, and goes
/// on afterwards.
class ActionFaultsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();

    void batchThatFailsChangesNothing_data();
    void batchThatFailsChangesNothing();
    void tableLockedByAMigrationIsWaitedForShortly();
    void otherDefaultIsolationDoesNotMatter();
    void changedProfileStopsAnAction();
    void targetTakenOutStopsAnAction();
    void standbyIsReadAndNotWritten();

private:
    sql::ActionRequest recovery();
    QString value(const QString &sql) { return m_fixture->root().value(sql); }

    std::unique_ptr<ConsoleFixture> m_fixture;
    RegisteredTable m_first; ///< as each row begins
    RegisteredTable m_table;
    std::unique_ptr<sql::Session> m_op;
};

void ActionFaultsTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void ActionFaultsTest::cleanupTestCase()
{
    m_op.reset();
    m_fixture.reset();
}

void ActionFaultsTest::init()
{
    m_op.reset();
    m_fixture->fresh([this] {
        m_fixture->cluster().psql(
            m_fixture->database(), u"GRANT USAGE ON SCHEMA app TO adm; GRANT SELECT ON app.k, app.eff TO adm, op"_s);
        m_first = registerTable(*m_fixture);
    });
    m_table = m_first;
    m_op = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
}

sql::ActionRequest ActionFaultsTest::recovery()
{
    sql::ActionRequest request;
    request.id = ConsoleFixture::newId();
    request.target = u"k2"_s;
    request.reason = u"because"_s;
    request.profileSha = m_table.registered.profileSha;
    const auto page = sql::readTriage(*m_op, m_table.target, {}, true, 100);
    for (const sql::TriageFacts &facts : page.ok() ? page->rows : QList<sql::TriageFacts>()) {
        request.rows.append({ facts.record.identity, facts.guard, 0, {}, {} });
    }
    return request;
}

void ActionFaultsTest::batchThatFailsChangesNothing_data()
{
    QTest::addColumn<QString>("trigger");
    QTest::addColumn<ErrorKind>("kind");
    // What concerns the server and not one row ends the batch; what a trigger only raises as such would stop its row
    // alone.
    QTest::newRow("disk full")
        << u"IF NEW.key = 'k030' THEN COPY (SELECT repeat('x', 100000)) TO '/dev/full'; END IF;"_s
        << ErrorKind::DiskFull;
    QTest::newRow("statement timeout") << u"IF NEW.key = 'k030' THEN PERFORM pg_sleep(60); END IF;"_s
                                       << ErrorKind::Timeout;
    QTest::newRow("backend ended by an administrator")
        << u"IF NEW.key = 'k030' THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); END IF;"_s
        << ErrorKind::ConnectionLost;
}

void ActionFaultsTest::batchThatFailsChangesNothing()
{
    QFETCH(QString, trigger);
    QFETCH(ErrorKind, kind);
    // The trigger is there when the table is registered, and does nothing until it is switched on.
    m_fixture->cluster().psql(m_fixture->database(),
        u"CREATE TABLE app.switched_on (); CREATE FUNCTION app.fails() RETURNS trigger LANGUAGE plpgsql SECURITY "
        u"DEFINER AS $$ BEGIN "
        "IF EXISTS (SELECT FROM app.switched_on) THEN "_s
            + trigger
            + u" END IF; RETURN NEW; END $$; CREATE TRIGGER fails BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.fails()"_s);
    m_table = registerTable(*m_fixture);
    const auto action = sql::openAction(*m_op, recovery());
    QVERIFY2(action.ok(), qPrintable(action.ok() ? QString() : action.error().line()));
    m_fixture->cluster().psql(m_fixture->database(), u"INSERT INTO app.switched_on DEFAULT VALUES"_s);
    const QString trail = value(u"SELECT count(*) FROM idemdesk.audit"_s);
    const auto batch = sql::runBatch(*m_op, *action, 1, 100);
    QVERIFY(!batch.ok());
    QVERIFY2(batch.error().kind == kind, qPrintable(batch.error().line() + batch.error().sqlState));
    QVERIFY(!batch.error().what.isEmpty() && !batch.error().why.isEmpty());
    QTRY_COMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"0"_s);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.audit"_s), trail);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action_item"_s), u"0"_s);
    m_fixture->cluster().psql(m_fixture->database(), u"DELETE FROM app.switched_on"_s);
    m_op = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
    const auto again = sql::runBatch(*m_op, *action, 1, 100);
    QVERIFY2(again.ok(), qPrintable(again.ok() ? QString() : again.error().line()));
    QCOMPARE(again->counts.value(u"done"_s), 50);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
}

void ActionFaultsTest::tableLockedByAMigrationIsWaitedForShortly()
{
    const auto action = sql::openAction(*m_op, recovery());
    QVERIFY(action.ok());
    const auto migration = m_fixture->as(m_fixture->superuser());
    QVERIFY(migration->run(u"BEGIN"_s).ok());
    QVERIFY(migration->run(u"LOCK TABLE app.k IN ACCESS EXCLUSIVE MODE"_s).ok());
    const auto batch = sql::runBatch(*m_op, *action, 1, 100);
    // The table cannot be reached at all: each row is "locked", or the batch says so as a whole; nothing is changed
    // either way.
    QVERIFY(!batch.ok() || !batch->counts.contains(u"done"_s));
    QVERIFY(migration->run(u"COMMIT"_s).ok());
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"0"_s);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
}

void ActionFaultsTest::otherDefaultIsolationDoesNotMatter()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"ALTER DATABASE %1 SET default_transaction_isolation = 'repeatable read'"_s.arg(m_fixture->database()));
    m_op = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
    const auto action = sql::openAction(*m_op, recovery());
    QVERIFY2(action.ok(), qPrintable(action.ok() ? QString() : action.error().line()));
    const auto batch = sql::runBatch(*m_op, *action, 1, 100);
    QVERIFY2(batch.ok(), qPrintable(batch.ok() ? QString() : batch.error().line()));
    QCOMPARE(batch->counts.value(u"done"_s), 50);
}

void ActionFaultsTest::changedProfileStopsAnAction()
{
    const auto action = sql::openAction(*m_op, recovery());
    QVERIFY(action.ok());
    registerTable(*m_fixture, R"({"title": "changed"})");
    const auto batch = sql::runBatch(*m_op, *action, 1, 100);
    QVERIFY(!batch.ok());
    QCOMPARE(batch.error().kind, ErrorKind::Refused);
    QCOMPARE(batch.error().sqlState, u"ID006"_s);
    const auto stale = sql::openAction(*m_op, recovery()); // planned with the old one
    QVERIFY(!stale.ok());
    QCOMPARE(stale.error().sqlState, u"ID006"_s);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"0"_s);
}

void ActionFaultsTest::targetTakenOutStopsAnAction()
{
    const auto action = sql::openAction(*m_op, recovery());
    QVERIFY(action.ok());
    const auto removed = m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k2')"_s);
    const auto batch = sql::runBatch(*m_op, *action, 1, 100);
    // Either it may not be taken out under an open action, or the action stops; never half of both.
    QVERIFY(removed.ok() ? !batch.ok() : batch.ok());
    if (!batch.ok()) {
        QCOMPARE(batch.error().kind, ErrorKind::Refused);
        QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"0"_s);
    }
}

void ActionFaultsTest::standbyIsReadAndNotWritten()
{
    const auto action = sql::openAction(*m_op, recovery());
    QVERIFY(action.ok());
    TestCluster standby(m_fixture->cluster(), false, {});
    sql::ConnectionSettings settings;
    settings.conninfo = standby.conninfoAs(u"op"_s, m_fixture->database());
    sql::Session::Options options;
    options.lane = sql::LaneKind::Write;
    options.readOnly = false;
    std::unique_ptr<sql::Session> there;
    const auto caughtUp = [&] {
        auto session = sql::Session::open(settings, options);
        if (!session) {
            return false;
        }
        there = std::move(*session);
        const auto found = sql::readAction(*there, action->id);
        return found.ok() && found->has_value();
    };
    QTRY_VERIFY_WITH_TIMEOUT(caughtUp(), 30'000);
    QVERIFY(there->facts().standby);
    // Triage, plan and trail are for reading, also there.
    const auto page = sql::readTriage(*there, m_table.target, {}, true, 100);
    QVERIFY2(page.ok(), qPrintable(page.ok() ? QString() : page.error().line()));
    QCOMPARE(page->rows.size(), 50);
    QVERIFY(sql::planPurge(*there, m_table.target, { sql::KeyState::Succeeded }, std::nullopt, std::nullopt).ok());
    // As after a failover under the write lane: refused in plain words.
    const auto batch = sql::runBatch(*there, *action, 1, 100);
    QVERIFY(!batch.ok());
    QVERIFY2(batch.error().kind == ErrorKind::ReadOnly, qPrintable(batch.error().line() + batch.error().sqlState));
    QVERIFY(!batch.error().todo.isEmpty());
    // Promoted, it takes the action on where the old primary left it.
    const auto root = std::make_unique<Connection>(standby.conninfoAs(m_fixture->superuser(), m_fixture->database()));
    QVERIFY(root->run(u"SELECT pg_promote()"_s).ok());
    const auto writable = [&] {
        auto session = sql::Session::open(settings, options);
        if (session.ok()) {
            there = std::move(*session);
        }
        return session.ok() && !there->facts().standby;
    };
    QTRY_VERIFY_WITH_TIMEOUT(writable(), 30'000);
    const auto after = sql::runBatch(*there, *action, 1, 100);
    QVERIFY2(after.ok(), qPrintable(after.ok() ? QString() : after.error().line() + after.error().detail));
    QCOMPARE(after->counts.value(u"done"_s), 50);
}

QTEST_GUILESS_MAIN(ActionFaultsTest)
#include "tst_action_faults.moc"
