// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/lanes/database.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/pgbouncer_fixture.h"
#include "tests/support/stall_watch.h"
#include "tests/support/test_cluster.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QThreadStorage>
#include <csignal>

using namespace idemdesk::sql;
using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 kStallBudgetMs = 50;

Result<QList<Cells>> ask(Session &session, const QString &sql)
{
    return session.all({ sql, {} });
}

} // namespace

class LanesTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;

    std::unique_ptr<Database> connected(const QString &conninfo = {})
    {
        ConnectionSettings settings;
        settings.conninfo = conninfo.isEmpty() ? m_cluster->conninfo() : conninfo;
        auto database = std::make_unique<Database>(settings);
        database->open();
        [&] { QTRY_COMPARE_WITH_TIMEOUT(int(database->state()), int(LinkState::Connected), 10'000); }();
        return database;
    }
    static auto query(
        Database &database, const QString &sql, RequestOptions options = {}, LaneKind lane = LaneKind::Read)
    {
        return database.run(lane, options, [sql](Session &session) { return ask(session, sql); });
    }
    QString activeCount(const QString &needle)
    {
        return m_cluster->psql(u"postgres"_s,
            u"SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%"_s + needle
                + u"%' AND pid <> pg_backend_pid()"_s);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>(QStringList { u"max_connections = 20"_s });
        m_cluster->psql(u"postgres"_s,
            u"CREATE ROLE clerk LOGIN; CREATE ROLE scarce LOGIN CONNECTION LIMIT 1; CREATE ROLE "
            "tight LOGIN CONNECTION LIMIT 3"_s);
    }
    void cleanupTestCase() { m_cluster.reset(); }

    void answersArriveThroughTheFuture()
    {
        const auto database = connected();
        const auto future = query(*database, u"SELECT 41 + 1"_s);
        QTRY_VERIFY(future.isFinished());
        QVERIFY(future.result().ok());
        QCOMPARE(future.result()->first().first().text, u"42"_s);
    }

    void newestRequestOfAViewWins()
    {
        const auto database = connected();
        const RequestOptions options { u"keys"_s, 30'000, true };
        const auto first = query(*database, u"SELECT pg_catalog.pg_sleep(20), 'superseded one'"_s, options);
        QTRY_COMPARE(activeCount(u"superseded one"_s), u"1"_s);
        const auto second = query(*database, u"SELECT 'waiting'"_s, options);
        const auto third = query(*database, u"SELECT 'newest'"_s, options);
        QTRY_VERIFY_WITH_TIMEOUT(third.isFinished(), 5'000);
        QVERIFY(third.result().ok());
        QCOMPARE(third.result()->first().first().text, u"newest"_s);
        QVERIFY(first.isFinished() && second.isFinished());
        QCOMPARE(first.result().error().kind, ErrorKind::Superseded);
        QCOMPARE(second.result().error().kind, ErrorKind::Superseded);
        QCOMPARE(activeCount(u"superseded one"_s), u"0"_s); // ended on the server, too
        QCOMPARE(database->state(), LinkState::Connected); // and without losing the connection
    }

    void otherViewsAreLeftAlone()
    {
        const auto database = connected();
        const auto first = query(*database, u"SELECT 1 FROM pg_catalog.pg_sleep(0.3)"_s, { u"a"_s, 30'000, true });
        const auto second = query(*database, u"SELECT 2"_s, { u"b"_s, 30'000, true });
        QTRY_VERIFY(second.isFinished());
        QVERIFY(first.result().ok());
        QVERIFY(second.result().ok());
    }

    void cancelStopsOnTheServer()
    {
        const auto database = connected();
        const auto future
            = query(*database, u"SELECT pg_catalog.pg_sleep(20), 'cancel me'"_s, { u"view"_s, 30'000, true });
        QTRY_COMPARE(activeCount(u"cancel me"_s), u"1"_s);
        database->cancel(u"view"_s);
        QTRY_VERIFY_WITH_TIMEOUT(future.isFinished(), 3'000);
        QCOMPARE(future.result().error().kind, ErrorKind::Cancelled);
        QCOMPARE(activeCount(u"cancel me"_s), u"0"_s);
    }

    void cancelGoesThroughThePooler()
    {
        const PgBouncerFixture pooler(*m_cluster, 4);
        const auto database = connected(pooler.conninfo());
        QVERIFY(database->facts().pooled);
        const auto future
            = query(*database, u"SELECT pg_catalog.pg_sleep(20), 'pooled one'"_s, { u"view"_s, 30'000, true });
        QTRY_COMPARE(activeCount(u"pooled one"_s), u"1"_s);
        database->cancel(u"view"_s);
        QTRY_VERIFY_WITH_TIMEOUT(future.isFinished(), 4'000);
        QCOMPARE(future.result().error().kind, ErrorKind::Cancelled);
        QTRY_COMPARE(activeCount(u"pooled one"_s), u"0"_s);
        const auto next = query(*database, u"SELECT 1"_s);
        QTRY_VERIFY(next.isFinished());
        QVERIFY(next.result().ok());
    }

    /// A cancel that comes too late for its request must not hit the next one, however often it is tried.
    void lateCancelsHitNobody()
    {
        const auto database = connected();
        int failures = 0;
        for (int round = 0; round < 200; ++round) {
            const auto shortLived = query(*database, u"SELECT 1"_s, { u"short"_s, 30'000, true });
            const auto innocent = query(*database, u"SELECT pg_catalog.count(*) FROM pg_catalog.pg_class"_s, {});
            database->cancel(u"short"_s);
            QTRY_VERIFY(shortLived.isFinished() && innocent.isFinished());
            failures += innocent.result().ok() ? 0 : 1;
        }
        QCOMPARE(failures, 0);
    }

    /// On a busy machine a lane's thread may take longer to end than its lane first waits. What the lane then asks must
    /// still be there.
    void aThreadThatEndsLateIsWaitedFor()
    {
        /// Goes at the very end of its thread.
        struct SlowToGo {
            ~SlowToGo() { QThread::msleep(400); }
        };
        static QThreadStorage<SlowToGo *> storage;
        for (int round = 0; round < 3; ++round) {
            auto database = connected();
            const auto marked = database->run(LaneKind::Read, {}, [](Session &session) {
                storage.setLocalData(new SlowToGo);
                return ask(session, u"SELECT 1"_s);
            });
            QTRY_VERIFY(marked.isFinished());
            QElapsedTimer clock;
            clock.start();
            database.reset();
            QVERIFY(clock.elapsed() >= 400);
        }
        QTRY_COMPARE(activeCount(u"SELECT 1"_s), u"0"_s);
    }

    void deadlineEndsARequestOfAStoppedBackend()
    {
        const auto database = connected();
        StallWatch watch;
        const auto pidOf = query(*database, u"SELECT pg_catalog.pg_backend_pid()"_s);
        QTRY_VERIFY(pidOf.isFinished());
        const auto pid = static_cast<pid_t>(pidOf.result()->first().first().text.toInt());
        QCOMPARE(::kill(pid, SIGSTOP), 0);
        const auto stuck = query(*database, u"SELECT 1"_s, { {}, 700, true });
        QTRY_VERIFY_WITH_TIMEOUT(stuck.isFinished(), 6'000);
        QCOMPARE(stuck.result().error().kind, ErrorKind::Timeout);
        ::kill(pid, SIGCONT);
        // The window recovers by itself, on a fresh connection.
        QTRY_COMPARE_WITH_TIMEOUT(int(database->state()), int(LinkState::Connected), 10'000);
        const auto again = query(*database, u"SELECT 2"_s);
        QTRY_VERIFY_WITH_TIMEOUT(again.isFinished(), 5'000);
        QVERIFY(again.result().ok());
        QVERIFY2(watch.longest() <= kStallBudgetMs, qPrintable(QString::number(watch.longest()) + u" ms"_s));
    }

    void silentProxyIsCutAndRecoveredFrom()
    {
        FaultProxy proxy(m_cluster->cluster().folder());
        const auto database = connected(proxy.conninfo(m_cluster->cluster().superuser()));
        StallWatch watch;
        proxy.setStalled(true);
        const auto stuck = query(*database, u"SELECT 1"_s, { {}, 500, true });
        QTRY_VERIFY_WITH_TIMEOUT(stuck.isFinished(), 6'000);
        QCOMPARE(stuck.result().error().kind, ErrorKind::Timeout);
        proxy.setStalled(false);
        database->reconnectNow();
        QTRY_COMPARE_WITH_TIMEOUT(int(database->state()), int(LinkState::Connected), 20'000);
        const auto again = query(*database, u"SELECT 2"_s);
        QTRY_VERIFY_WITH_TIMEOUT(again.isFinished(), 5'000);
        QVERIFY(again.result().ok());
        QVERIFY2(watch.longest() <= kStallBudgetMs, qPrintable(QString::number(watch.longest()) + u" ms"_s));
    }

    void serverRestartIsVisibleAndMended()
    {
        TestCluster own;
        ConnectionSettings settings;
        settings.conninfo = own.conninfo();
        Database database(settings);
        database.open();
        QTRY_COMPARE(int(database.state()), int(LinkState::Connected));
        QVERIFY(own.cluster().stop().ok());
        const auto lost = query(database, u"SELECT 1"_s, { {}, 2'000, true });
        QTRY_COMPARE_WITH_TIMEOUT(int(database.state()), int(LinkState::Reconnecting), 5'000);
        QTRY_VERIFY_WITH_TIMEOUT(lost.isFinished(), 5'000);
        QVERIFY(!lost.result().ok());
        QVERIFY(database.linkError().has_value());
        QVERIFY(own.cluster().start(true).ok());
        QTRY_COMPARE_WITH_TIMEOUT(int(database.state()), int(LinkState::Connected), 20'000);
        const auto again = query(database, u"SELECT 2"_s);
        QTRY_VERIFY(again.isFinished());
        QVERIFY(again.result().ok());
    }

    /// A read whose connection was killed between two requests runs again by itself; a write never does.
    void readsRetryOnceWritesNever()
    {
        const auto database = connected();
        for (const LaneKind lane : { LaneKind::Read, LaneKind::Write }) {
            const auto pid = query(*database, u"SELECT pg_catalog.pg_backend_pid()"_s, {}, lane);
            QTRY_VERIFY(pid.isFinished());
            m_cluster->psql(
                u"postgres"_s, u"SELECT pg_terminate_backend("_s + pid.result()->first().first().text + u", 5000)"_s);
            const auto next = query(*database, u"SELECT 7"_s, {}, lane);
            QTRY_VERIFY_WITH_TIMEOUT(next.isFinished(), 10'000);
            QCOMPARE(next.result().ok(), lane == LaneKind::Read);
            if (lane == LaneKind::Write) {
                QCOMPARE(next.result().error().kind, ErrorKind::ConnectionLost);
            }
        }
    }

    void tooFewSlotsShareOneConnection()
    {
        const auto database = connected(m_cluster->conninfoAs(u"scarce"_s));
        const auto counted = query(*database, u"SELECT 'background'"_s, {}, LaneKind::Background);
        QTRY_VERIFY_WITH_TIMEOUT(counted.isFinished(), 5'000);
        QVERIFY(counted.result().ok());
        QVERIFY(database->singleConnection());
        // Cancelling works there as well.
        const auto slow
            = query(*database, u"SELECT pg_catalog.pg_sleep(20)"_s, { u"slow"_s, 30'000, true }, LaneKind::Background);
        QTRY_COMPARE(activeCount(u"pg_sleep(20)"_s), u"1"_s);
        database->cancel(u"slow"_s);
        QTRY_VERIFY_WITH_TIMEOUT(slow.isFinished(), 4'000);
        QCOMPARE(slow.result().error().kind, ErrorKind::Cancelled);
    }

    /// What may take for ever has a connection of its own, and is cancelled there.
    void longWorkKeepsNobodyWaiting()
    {
        const auto database = connected();
        const auto endless = query(*database, u"SELECT pg_catalog.pg_sleep(60), 'the long one'"_s,
            { u"endless"_s, 0, false }, LaneKind::Background);
        QTRY_COMPARE(activeCount(u"the long one"_s), u"1"_s);
        const auto other = query(*database, u"SELECT 'soon'"_s, { u"soon"_s, 20'000, true }, LaneKind::Background);
        QTRY_VERIFY_WITH_TIMEOUT(other.isFinished(), 20'000);
        QVERIFY(other.result().ok());
        QVERIFY(!endless.isFinished());
        database->cancel(u"endless"_s);
        QTRY_VERIFY_WITH_TIMEOUT(endless.isFinished(), 20'000);
        QCOMPARE(endless.result().error().kind, ErrorKind::Cancelled);
        QCOMPARE(activeCount(u"the long one"_s), u"0"_s);
        QVERIFY(!database->singleConnection());
    }

    /// Without a slot for it, it is one more in the background; the person's own reading does not wait for it.
    void longWorkWithoutASlotWaitsInTheBackground()
    {
        const auto database = connected(m_cluster->conninfoAs(u"tight"_s)); // read, control, background
        const RequestOptions usual { u"usual"_s, 20'000, true };
        const auto first = query(*database, u"SELECT 1"_s, usual, LaneKind::Background);
        QTRY_VERIFY_WITH_TIMEOUT(first.isFinished() && first.result().ok(), 10'000);
        const auto endless = query(*database, u"SELECT pg_catalog.pg_sleep(60), 'the tight one'"_s,
            { u"endless"_s, 0, false }, LaneKind::Background);
        QTRY_COMPARE_WITH_TIMEOUT(activeCount(u"the tight one"_s), u"1"_s, 10'000);
        QCOMPARE(m_cluster->psql(u"postgres"_s,
                     u"SELECT application_name FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%the "
                     "tight one%' AND pid <> pg_backend_pid()"_s),
            u"idemdesk background"_s);
        const auto read = query(*database, u"SELECT 2"_s, { u"page"_s, 20'000, true });
        QTRY_VERIFY_WITH_TIMEOUT(read.isFinished() && read.result().ok(), 5'000);
        QVERIFY(!endless.isFinished());
        database->cancel(u"endless"_s);
        QTRY_VERIFY_WITH_TIMEOUT(endless.isFinished(), 20'000);
    }

    void firstConnectFailureIsSaidAtOnce()
    {
        ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo(u"absent"_s);
        Database database(settings);
        const auto asked = query(database, u"SELECT 1"_s);
        QTRY_VERIFY(asked.isFinished());
        QCOMPARE(asked.result().error().kind, ErrorKind::NoDatabase);
        QCOMPARE(database.state(), LinkState::Failed);
    }

    void closingWhileBusyIsQuickAndLeavesNothing()
    {
        auto database = connected();
        const auto slow = query(*database, u"SELECT pg_catalog.pg_sleep(60), 'left behind'"_s, { {}, 0, true });
        QTRY_COMPARE(activeCount(u"left behind"_s), u"1"_s);
        QElapsedTimer clock;
        clock.start();
        database.reset();
        QVERIFY(clock.elapsed() < 3'000);
        QVERIFY(slow.isFinished());
        // The server looks for a gone client every 2 s (client_connection_check_interval).
        QTRY_COMPARE_WITH_TIMEOUT(activeCount(u"left behind"_s), u"0"_s, 8'000);
    }

    void jobsLeaveNoTransactionOpen()
    {
        const auto database = connected();
        const auto careless = database->run(LaneKind::Read, {}, [](Session &session) -> Result<int> {
            if (const auto begun = session.begin(); !begun) {
                return begun.error();
            }
            return 1;
        });
        QTRY_VERIFY(careless.isFinished());
        const auto next = query(*database, u"SELECT 1"_s);
        QTRY_VERIFY(next.isFinished());
        QCOMPARE(m_cluster->psql(
                     u"postgres"_s, u"SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"_s),
            u"0"_s);
    }
};

QTEST_GUILESS_MAIN(LanesTest)
#include "tst_lanes.moc"
