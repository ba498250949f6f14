// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_runner.h"
#include "models/purge/purge_figures.h"

#include "sql/actions/triage_reader.h"
#include "sql/lanes/database.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/registered_table.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;
using Stage = ActionRunner::Stage;

namespace {

constexpr int kRows = 3'000; // finished keys past their retention

} // namespace

/// Actions run to their end, are paused, cancelled, taken over and cut off in the middle, on a real server through a
/// network that breaks. However it goes, each row is changed once at most and the trail is whole.
class ActionRunnerTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();

    void anOutageSaysNothingOfTheTimeLeft();
    void purgeRunsToItsEnd();
    void pausesAndResumes();
    void cancelsWithinASecond();
    void cancelBreaksABatchThatHangs();
    void oneRowThatNeverEndsIsPassedBy();
    void otherOperatorTakesOver();
    void lostAnswersAreFoundOut_data();
    void lostAnswersAreFoundOut();
    void lostServerIsWaitedFor();
    void refusedActionOpensNothing();
    void journalThatCannotBeWrittenStopsTheAction();
    void journalNamesWhatIsOpen();
    void holdsOffWhileSomebodyWaits();
    void undoRuns();

private:
    sql::ActionRequest purgeRequest();
    ActionRunner *makeRunner(const QString &login = u"op"_s);
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    /// Each batch takes this long, so that there is time to interfere. The first call registers the table with the
    /// trigger that does it, for a new one would stop the purge.
    void slowDown(double seconds);
    QString journal() const { return m_folder.filePath(u"actions.json"_s); }

    QTemporaryDir m_folder;
    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<FaultProxy> m_proxy;
    RegisteredTable m_first; ///< as each row begins
    RegisteredTable m_table;
    std::vector<std::unique_ptr<sql::Database>> m_databases;
    std::vector<std::unique_ptr<ActionRunner>> m_runners;
};

void ActionRunnerTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
    m_proxy = std::make_unique<FaultProxy>(m_fixture->cluster().cluster().folder());
}

void ActionRunnerTest::cleanupTestCase()
{
    m_proxy.reset();
    m_fixture.reset();
}

void ActionRunnerTest::init()
{
    m_fixture->fresh([this] {
        m_fixture->cluster().psql(m_fixture->database(),
            u"GRANT USAGE ON SCHEMA app TO adm; GRANT SELECT ON app.k, app.eff TO adm, op, op2; DELETE FROM app.k "
            u"WHERE "
            u"key LIKE 'd%';"
            "INSERT INTO app.k (tenant, key, status, expires_at) SELECT 't' || i % 3, 'd' || i, 'succeeded', now() - "
            "interval '1 minute' * i "
            "FROM generate_series(1, %1) i; CREATE INDEX ON app.k (expires_at)"_s.arg(kRows));
        m_first = registerTable(*m_fixture);
    });
    m_table = m_first;
}

void ActionRunnerTest::cleanup()
{
    m_runners.clear();
    m_databases.clear();
    m_proxy->setStalled(false);
    m_proxy->setRefusing(false);
    m_proxy->cutAfter(-1);
    QFile::remove(journal());
}

sql::ActionRequest ActionRunnerTest::purgeRequest()
{
    const auto session = openSession(*m_fixture, u"op"_s);
    const auto plan = sql::planPurge(
        *session, m_table.target, { sql::KeyState::Succeeded, sql::KeyState::FailedFinal }, std::nullopt, std::nullopt);
    sql::ActionRequest request;
    request.id = ConsoleFixture::newId();
    request.target = u"k2"_s;
    request.verb = sql::ActionVerb::Purge;
    request.reason = u"because"_s;
    request.profileSha = m_table.registered.profileSha;
    request.purge = plan.ok() ? *plan : sql::PurgePlan();
    return request;
}

void ActionRunnerTest::slowDown(double seconds)
{
    if (value(u"SELECT to_regclass('app.slow') IS NULL"_s) == u"t") {
        m_fixture->cluster().psql(m_fixture->database(),
            u"SET ROLE app_owner; CREATE TABLE app.slow (seconds double precision); GRANT SELECT ON app.slow TO "
            u"idemdesk_runner_app_owner;"
            "CREATE FUNCTION app.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(s.seconds) FROM "
            "app.slow s; RETURN NULL; END $$;"
            "CREATE TRIGGER slow BEFORE DELETE ON app.k FOR EACH STATEMENT EXECUTE FUNCTION app.slow()"_s);
        m_table = registerTable(*m_fixture);
    }
    // The batch that is under way ends first.
    m_fixture->cluster().psql(m_fixture->database(),
        u"BEGIN; LOCK TABLE app.k; DELETE FROM app.slow; INSERT INTO app.slow SELECT %1 WHERE %1 > 0; COMMIT"_s.arg(
            seconds));
}

ActionRunner *ActionRunnerTest::makeRunner(const QString &login)
{
    sql::ConnectionSettings settings;
    settings.conninfo = m_proxy->conninfo(login, m_fixture->database());
    m_databases.push_back(std::make_unique<sql::Database>(settings));
    m_databases.back()->open();
    m_runners.push_back(std::make_unique<ActionRunner>(m_databases.back().get(), journal()));
    m_runners.back()->setThrottled(false);
    return m_runners.back().get();
}

/// 1,000 rows each 100 ms, then two hours without a server: the rest is still done at 10,000 a second.
void ActionRunnerTest::anOutageSaysNothingOfTheTimeLeft()
{
    ProgressRate rate;
    rate.start(0);
    qint64 now = 0;
    for (int i = 0; i < 5; ++i) {
        rate.add(1'000, now += 100);
    }
    QVERIFY(!rate.settled(now)); // half a second tells nothing
    for (int i = 0; i < 20; ++i) {
        rate.add(1'000, now += 100);
    }
    QVERIFY(rate.settled(now));
    QCOMPARE(qRound(rate.perSecond(now)), 10'000);
    rate.stand(now);
    now += 7'200'000;
    QCOMPARE(qRound(rate.perSecond(now)), 10'000);
    rate.go(now);
    rate.add(1'000, now += 100);
    QCOMPARE(qRound(rate.perSecond(now)), 10'000);
    // What was slow at first is forgotten, and a server that is held off from is not.
    for (int i = 0; i < 400; ++i) {
        rate.add(2'000, now += 100);
    }
    QCOMPARE(qRound(rate.perSecond(now)), 20'000);
    QVERIFY(rate.perSecond(now + 30'000) < 11'000);
}

void ActionRunnerTest::purgeRunsToItsEnd()
{
    ActionRunner *runner = makeRunner();
    QSignalSpy ended(runner, &ActionRunner::ended);
    runner->start(purgeRequest());
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 30'000);
    QCOMPARE(runner->stage(), Stage::Ended);
    QCOMPARE(runner->action().state, sql::ActionState::Finished);
    QCOMPARE(runner->action().counts.value(u"purged"_s), kRows);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s), u"0"_s);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
    QVERIFY(ActionJournal(journal()).entries().isEmpty());
    QVERIFY(runner->rowsPerSecond() > 0);
}

void ActionRunnerTest::pausesAndResumes()
{
    slowDown(0.3);
    ActionRunner *runner = makeRunner();
    runner->start(purgeRequest());
    QTRY_VERIFY_WITH_TIMEOUT(runner->action().lastBatch >= 1, 10'000);
    runner->pause();
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Paused, 10'000);
    slowDown(0);
    const QString state = value(u"SELECT state FROM idemdesk.action"_s);
    QCOMPARE(state, u"paused"_s);
    const QString left = value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s);
    QCOMPARE(left.toLongLong(), kRows - runner->action().counts.value(u"purged"_s));
    QVERIFY(left != u"0");
    QVERIFY(!runner->active());
    runner->resume();
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Ended, 30'000);
    QCOMPARE(runner->action().counts.value(u"purged"_s), kRows);
    QCOMPARE(
        value(u"SELECT string_agg(what, ',' ORDER BY seq) FROM idemdesk.audit WHERE what IN ('pause', 'resume')"_s),
        u"pause,resume"_s);
}

void ActionRunnerTest::cancelsWithinASecond()
{
    slowDown(0.3);
    ActionRunner *runner = makeRunner();
    runner->start(purgeRequest());
    QTRY_VERIFY_WITH_TIMEOUT(runner->action().lastBatch >= 1, 10'000);
    runner->cancel();
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Ended, 5'000);
    QCOMPARE(runner->action().state, sql::ActionState::Cancelled);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s).toLongLong(),
        kRows - runner->action().counts.value(u"purged"_s));
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
}

void ActionRunnerTest::cancelBreaksABatchThatHangs()
{
    slowDown(60); // the batch would take a minute
    ActionRunner *runner = makeRunner();
    runner->start(purgeRequest());
    QTRY_VERIFY_WITH_TIMEOUT(
        value(u"SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"_s) == u"1", 10'000);
    runner->cancel();
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Ended, 5'000);
    QCOMPARE(runner->action().state, sql::ActionState::Cancelled);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s).toInt(), kRows);
}

/// A row whose code hangs costs the time that a batch has, four times, and its neighbours nothing.
void ActionRunnerTest::oneRowThatNeverEndsIsPassedBy()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"DELETE FROM app.k WHERE key LIKE 'd%' AND key NOT IN ('d1', 'd2', 'd3', 'd4', 'd5'); SET ROLE app_owner; "
        "CREATE FUNCTION app.hangs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF session_user = 'op' THEN PERFORM "
        "pg_sleep(1000); END IF; RETURN OLD; END $$; CREATE TRIGGER hangs BEFORE DELETE ON app.k FOR EACH ROW WHEN "
        "(OLD.key = 'd3') EXECUTE FUNCTION app.hangs()"_s);
    m_table = registerTable(*m_fixture);
    ActionRunner *runner = makeRunner();
    runner->setBatchDeadline(1'500);
    runner->start(purgeRequest());
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Ended, 60'000);
    QCOMPARE(runner->action().state, sql::ActionState::Finished);
    QCOMPARE(value(u"SELECT string_agg(key, ' ') FROM app.k WHERE key LIKE 'd%'"_s), u"d3"_s);
    QCOMPARE(
        value(u"SELECT string_agg(outcome || ' ' || identity[2], ', ') FROM idemdesk.action_item"_s), u"broke d3"_s);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
}

void ActionRunnerTest::otherOperatorTakesOver()
{
    slowDown(0.3);
    ActionRunner *first = makeRunner();
    const sql::ActionRequest request = purgeRequest();
    first->start(request);
    QTRY_VERIFY_WITH_TIMEOUT(first->action().lastBatch >= 1, 10'000);
    // This console goes without a word.
    m_runners.clear();
    m_databases.clear();
    slowDown(0);
    QCOMPARE(value(u"SELECT state FROM idemdesk.action"_s), u"running"_s);
    QCOMPARE(ActionJournal(journal()).entries().size(), 1);
    QCOMPARE(ActionJournal(journal()).entries().first().id, request.id);
    ActionRunner *second = makeRunner(u"op2"_s);
    const auto session = openSession(*m_fixture, u"op2"_s);
    const auto found = sql::readAction(*session, request.id);
    QVERIFY(found.ok() && found->has_value());
    second->takeOver(**found);
    QTRY_COMPARE_WITH_TIMEOUT(second->stage(), Stage::Ended, 30'000);
    QCOMPARE(second->action().counts.value(u"purged"_s), kRows);
    QCOMPARE(value(u"SELECT string_agg(DISTINCT who, ',' ORDER BY who) FROM idemdesk.audit WHERE what = 'batch'"_s),
        u"op,op2"_s);
}

void ActionRunnerTest::lostAnswersAreFoundOut_data()
{
    QTest::addColumn<int>("bytes");
    // From the answer to open_action to somewhere in the batches: also just before and after a COMMIT's answer.
    for (const int bytes : { 0, 1, 200, 600, 1'000, 1'700, 2'600, 4'000 }) {
        QTest::addRow("cut after %d bytes", bytes) << bytes;
    }
}

void ActionRunnerTest::lostAnswersAreFoundOut()
{
    QFETCH(int, bytes);
    ActionRunner *runner = makeRunner();
    QTRY_COMPARE(m_databases.back()->state(), sql::LinkState::Connected);
    int stagesFinding = 0;
    connect(runner, &ActionRunner::changed, this, [&] { stagesFinding += runner->stage() == Stage::Finding ? 1 : 0; });
    const sql::ActionRequest request = purgeRequest();
    runner->start(request);
    m_proxy->cutAfter(bytes);
    QTRY_VERIFY_WITH_TIMEOUT(stagesFinding > 0 || runner->stage() == Stage::Ended, 20'000);
    m_proxy->cutAfter(-1);
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Ended, 60'000);
    QCOMPARE(runner->action().state, sql::ActionState::Finished);
    QCOMPARE(runner->action().counts.value(u"purged"_s), kRows);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s), u"0"_s);
    QCOMPARE(value(u"SELECT sum(cardinality(identities)) FROM idemdesk.quarantine"_s).toInt(), kRows);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"1"_s);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
    QVERIFY(ActionJournal(journal()).entries().isEmpty());
}

void ActionRunnerTest::lostServerIsWaitedFor()
{
    slowDown(0.3);
    ActionRunner *runner = makeRunner();
    runner->start(purgeRequest());
    QTRY_VERIFY_WITH_TIMEOUT(runner->action().lastBatch >= 1, 10'000);
    m_proxy->setRefusing(true);
    m_proxy->cutAll();
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Finding, 10'000);
    slowDown(0);
    QVERIFY(runner->active());
    m_proxy->setRefusing(false);
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Ended, 60'000);
    QCOMPARE(runner->action().counts.value(u"purged"_s), kRows);
}

void ActionRunnerTest::refusedActionOpensNothing()
{
    ActionRunner *runner = makeRunner();
    sql::ActionRequest request = purgeRequest();
    request.reason = u"  "_s;
    runner->start(request);
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Stopped, 10'000);
    QVERIFY(runner->error().has_value());
    QCOMPARE(runner->error()->kind, sql::ErrorKind::Refused);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
    QVERIFY(ActionJournal(journal()).entries().isEmpty());
}

void ActionRunnerTest::journalThatCannotBeWrittenStopsTheAction()
{
    sql::ConnectionSettings settings;
    settings.conninfo = m_proxy->conninfo(u"op"_s, m_fixture->database());
    sql::Database database(settings);
    database.open();
    ActionRunner runner(&database, u"/dev/full/no/such/folder/actions.json"_s);
    runner.start(purgeRequest());
    QCOMPARE(runner.stage(), Stage::Stopped);
    QVERIFY(runner.error().has_value());
    QCOMPARE(runner.error()->kind, sql::ErrorKind::File);
    QTRY_COMPARE(database.state(), sql::LinkState::Connected);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
}

void ActionRunnerTest::journalNamesWhatIsOpen()
{
    ActionJournal journal(m_folder.filePath(u"j.json"_s));
    QVERIFY(journal.add({ u"1"_s, u"demo on x"_s, u"k2"_s, sql::ActionVerb::Purge, 7, QDateTime::currentDateTimeUtc() })
                .ok());
    QVERIFY(journal.add({ u"2"_s, u"demo on x"_s, u"k2"_s, sql::ActionVerb::Undo, 1, QDateTime::currentDateTimeUtc() })
                .ok());
    QVERIFY(journal.add({ u"1"_s, u"demo on y"_s, u"k2"_s, sql::ActionVerb::Purge, 7, QDateTime::currentDateTimeUtc() })
                .ok());
    const ActionJournal again(m_folder.filePath(u"j.json"_s));
    QCOMPARE(again.entries().size(), 2);
    QCOMPARE(again.entries().at(1).server, u"demo on y"_s);
    QCOMPARE(again.entries().at(0).verb, sql::ActionVerb::Undo);
    QCOMPARE(QFile::permissions(m_folder.filePath(u"j.json"_s))
            & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
        QFile::Permissions());
    QVERIFY(journal.remove(u"2"_s).ok());
    QVERIFY(journal.remove(u"none"_s).ok());
    QCOMPARE(ActionJournal(m_folder.filePath(u"j.json"_s)).entries().size(), 1);
    QFile broken(m_folder.filePath(u"broken.json"_s));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("{\"actions\": [3, null, {\"id\": 5}");
    broken.close();
    QVERIFY(ActionJournal(broken.fileName()).entries().isEmpty());
}

void ActionRunnerTest::holdsOffWhileSomebodyWaits()
{
    const auto reader = m_fixture->as(m_fixture->superuser());
    const auto waiter = m_fixture->as(m_fixture->superuser());
    QVERIFY(reader->run(u"BEGIN"_s).ok());
    QVERIFY(reader->run(u"LOCK TABLE app.k IN SHARE UPDATE EXCLUSIVE MODE"_s).ok()); // as vacuum does
    ActionRunner *runner = makeRunner();
    runner->setThrottled(true);
    runner->start(purgeRequest());
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Holding, 10'000);
    QVERIFY(!runner->holdReasons().isEmpty());
    QCOMPARE(runner->action().lastBatch, 0);
    // In figures: what it waits for is marked, the rest is as it is.
    const QList<PurgeFigure> figures = purgeFigures(*runner);
    QCOMPARE(figures.size(), 4);
    QVERIFY(figures.at(3).holdsOff && !figures.at(2).holdsOff);
    QCOMPARE(figures.at(3).note, u"Waits for vacuum"_s);
    QCOMPARE(figures.at(3).figure, u"0"_s); // nobody waits for a lock
    QVERIFY(reader->run(u"COMMIT"_s).ok());
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Ended, 30'000);
    QCOMPARE(runner->action().counts.value(u"purged"_s), kRows);
}

void ActionRunnerTest::undoRuns()
{
    ActionRunner *runner = makeRunner();
    const sql::ActionRequest request = purgeRequest();
    const QString before = value(u"SELECT md5(string_agg(t::text, '|' ORDER BY key)) FROM app.k t"_s);
    runner->start(request);
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), Stage::Ended, 30'000);
    ActionRunner *undo = makeRunner(u"op2"_s);
    undo->startUndo(ConsoleFixture::newId(), request.id, u"too early"_s, {}, sql::ActionVerb::Purge);
    QTRY_COMPARE_WITH_TIMEOUT(undo->stage(), Stage::Ended, 30'000);
    QCOMPARE(undo->action().counts.value(u"done"_s), kRows);
    QCOMPARE(value(u"SELECT md5(string_agg(t::text, '|' ORDER BY key)) FROM app.k t"_s), before);
}

QTEST_GUILESS_MAIN(ActionRunnerTest)
#include "tst_action_runner.moc"
