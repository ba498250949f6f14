// SPDX-License-Identifier: GPL-3.0-or-later
// What every controller relies on: one answer, of the newest question, and none that nobody waits for.
#include "models/request/request.h"
#include "sql/lanes/database.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <atomic>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

constexpr int kLong = 20'000;

/// A statement that runs until it is cancelled.
sql::Result<int> sleepLong(sql::Session &session)
{
    const auto row = session.one({ u"SELECT pg_sleep(600)"_s, {} });
    return row ? sql::Result<int>(0) : sql::Result<int>(row.error());
}

sql::Result<int> answerFast(sql::Session &, int value)
{
    return value;
}

} // namespace

class RequestTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<tests::TestCluster>();
    }

    void init()
    {
        sql::ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo();
        m_database = std::make_unique<sql::Database>(settings);
        m_database->open();
        QTRY_COMPARE_WITH_TIMEOUT(m_database->state(), sql::LinkState::Connected, kLong);
    }

    void cleanup() { m_database.reset(); }
    void cleanupTestCase() { m_cluster.reset(); }

    void withoutADatabaseNothingIsAsked()
    {
        Request request(u"test"_s);
        QSignalSpy changed(&request, &Request::changed);
        QVERIFY(!request.ask(
            {}, [](sql::Session &) { return sql::Result<int>(1); }, [](const sql::Result<int> &) {}));
        QVERIFY(!request.busy() && !request.error() && changed.isEmpty());
    }

    void theNewestWins()
    {
        Request request(u"test"_s);
        request.setDatabase(m_database.get());
        QList<int> answers;
        const auto accept = [&](const sql::Result<int> &answer) { answers += answer ? *answer : -1; };
        request.ask({}, sleepLong, accept);
        QVERIFY(request.busy());
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), u"1"_s, kLong);
        request.ask(
            {}, [](sql::Session &session) { return answerFast(session, 2); }, accept);
        request.ask(
            {}, [](sql::Session &session) { return answerFast(session, 3); }, accept);
        QTRY_VERIFY_WITH_TIMEOUT(!request.busy(), kLong);
        QCOMPARE(answers, QList<int> { 3 });
        QVERIFY(!request.error());
        QCOMPARE(sleeping(), u"0"_s); // the older ones were ended at the server, too
    }

    void anOlderAnswerOfAnotherLaneIsDropped()
    {
        Request request(u"test"_s);
        request.setDatabase(m_database.get());
        QList<int> answers;
        const auto accept = [&](const sql::Result<int> &answer) { answers += answer ? *answer : -1; };
        const auto go = std::make_shared<std::atomic_bool>(false);
        request.ask(
            { sql::LaneKind::Background },
            [go](sql::Session &) {
                while (!*go) {
                    QThread::yieldCurrentThread();
                }
                return sql::Result<int>(1);
            },
            accept);
        request.ask(
            { sql::LaneKind::Read }, [](sql::Session &session) { return answerFast(session, 2); }, accept);
        QTRY_VERIFY_WITH_TIMEOUT(!request.busy(), kLong);
        *go = true;
        Request after(u"after"_s); // on the lane of the older one, so answered after it
        after.setDatabase(m_database.get());
        after.ask(
            { sql::LaneKind::Background }, [](sql::Session &session) { return answerFast(session, 4); }, accept);
        QTRY_VERIFY_WITH_TIMEOUT(!after.busy(), kLong);
        QCOMPARE(answers, (QList<int> { 2, 4 }));
    }

    void requestsOfOneNameDoNotDisturbEachOther()
    {
        Request one(u"same"_s);
        Request other(u"same"_s);
        QList<int> answers;
        const auto accept = [&](const sql::Result<int> &answer) { answers += answer ? *answer : -1; };
        for (Request *request : { &one, &other }) {
            request->setDatabase(m_database.get());
        }
        one.ask({}, sleepLong, accept);
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), u"1"_s, kLong);
        other.ask(
            { sql::LaneKind::Read }, [](sql::Session &session) { return answerFast(session, 2); }, accept);
        QTRY_VERIFY_WITH_TIMEOUT(!other.busy(), kLong);
        other.cancel();
        other.drop();
        QVERIFY(one.busy());
        QCOMPARE(answers, QList<int> { 2 });
    }

    void cancellingAnswersSo()
    {
        Request request(u"test"_s);
        request.setDatabase(m_database.get());
        std::optional<sql::ErrorKind> kind;
        request.ask({}, sleepLong, [&](const sql::Result<int> &answer) { kind = answer.error().kind; });
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), u"1"_s, kLong);
        request.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!request.busy(), kLong);
        QCOMPARE(kind, std::optional(sql::ErrorKind::Cancelled));
        QVERIFY(request.error() && request.error()->kind == sql::ErrorKind::Cancelled);
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), u"0"_s, kLong);
    }

    void droppingAnswersNobody()
    {
        Request request(u"test"_s);
        request.setDatabase(m_database.get());
        int answers = 0;
        request.ask({}, sleepLong, [&](const sql::Result<int> &) { ++answers; });
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), u"1"_s, kLong);
        QSignalSpy changed(&request, &Request::changed);
        request.drop();
        QVERIFY(!request.busy());
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), u"0"_s, kLong);
        QVERIFY(answers == 0 && !request.error() && changed.isEmpty());
    }

    void anErrorStaysUntilTheNextAnswer()
    {
        Request request(u"test"_s);
        request.setDatabase(m_database.get());
        bool known = false; // when the answer is handed over, the request tells the same already
        const auto fails = [](sql::Session &session) {
            const auto row = session.one({ u"SELECT * FROM no_such_table"_s, {} });
            return row ? sql::Result<int>(0) : sql::Result<int>(row.error());
        };
        request.ask(
            {}, fails, [&](const sql::Result<int> &) { known = request.error().has_value() && !request.busy(); });
        QTRY_VERIFY_WITH_TIMEOUT(!request.busy(), kLong);
        QVERIFY(known);
        QCOMPARE(request.error()->kind, sql::ErrorKind::MissingObject);
        request.ask(
            {}, [](sql::Session &session) { return answerFast(session, 1); }, [](const sql::Result<int> &) {});
        QVERIFY(request.error()); // a banner does not flicker while the next one is on its way
        QTRY_VERIFY_WITH_TIMEOUT(!request.busy(), kLong);
        QVERIFY(!request.error());
    }

    void noAnswerComesWhileStillAsking()
    {
        Request request(u"test"_s);
        int answers = 0;
        request.follow(readyFuture(sql::Result<int>(1)), {}, [&](const sql::Result<int> &) { ++answers; });
        QVERIFY(request.busy()); // the fastest of answers waits until who asked has come to its end
        QCOMPARE(answers, 0);
        QTRY_COMPARE_WITH_TIMEOUT(answers, 1, kLong);
        QVERIFY(!request.busy());
    }

    void whatWasWrongBeforeAskingIsAnErrorToo()
    {
        Request request(u"test"_s);
        QSignalSpy changed(&request, &Request::changed);
        sql::Error error;
        error.what = u"no filter"_s;
        request.fail(error);
        QCOMPARE(request.error()->what, u"no filter"_s);
        QCOMPARE(changed.size(), 1);
        request.clearError();
        QVERIFY(!request.error());
    }

    void anotherDatabaseDropsWhatIsUnderWay()
    {
        Request request(u"test"_s);
        QVERIFY(request.setDatabase(m_database.get()));
        QVERIFY(!request.setDatabase(m_database.get()));
        int answers = 0;
        request.ask({}, sleepLong, [&](const sql::Result<int> &) { ++answers; });
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), u"1"_s, kLong);
        QVERIFY(request.setDatabase(nullptr));
        QVERIFY(!request.busy());
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), u"0"_s, kLong);
        QCOMPARE(answers, 0);
    }

    void aDatabaseThatGoesIsAnAnswer()
    {
        Request request(u"test"_s);
        request.setDatabase(m_database.get());
        int answers = 0;
        request.ask({}, sleepLong, [&](const sql::Result<int> &answer) { answers += answer ? 10 : 1; });
        QTRY_COMPARE_WITH_TIMEOUT(sleeping(), u"1"_s, kLong);
        m_database.reset();
        QTRY_COMPARE_WITH_TIMEOUT(answers, 1, kLong);
        QVERIFY(!request.busy() && request.error() && request.database() == nullptr);
        request.cancel(); // there is nobody left to tell
        request.drop();
    }

    void whoHearsTheAnswerMayEndIt()
    {
        auto request = std::make_unique<Request>(u"test"_s);
        request->setDatabase(m_database.get());
        request->ask(
            {}, [](sql::Session &session) { return answerFast(session, 1); },
            [&](const sql::Result<int> &) { request.reset(); });
        QTRY_VERIFY_WITH_TIMEOUT(request == nullptr, kLong);
    }

    void backgroundWorkIsStopped()
    {
        int stopped = 0;
        QPromise<sql::Result<int>> first;
        QPromise<sql::Result<int>> second;
        QPromise<sql::Result<int>> third;
        for (QPromise<sql::Result<int>> *promise : { &first, &second, &third }) {
            promise->start();
        }
        {
            Request request(u"test"_s);
            QList<int> answers;
            const auto accept = [&](const sql::Result<int> &answer) { answers += answer ? *answer : -1; };
            request.follow(
                first.future(), [&] { stopped += 1; }, accept);
            request.follow(
                second.future(), [&] { stopped += 10; }, accept);
            QCOMPARE(stopped, 1); // the older one only
            first.addResult(1);
            first.finish();
            QVERIFY(request.busy() && answers.isEmpty());
            second.addResult(2);
            second.finish();
            QTRY_COMPARE(answers, QList<int> { 2 });
            request.follow(
                third.future(), [&] { stopped += 100; }, accept);
        }
        QCOMPARE(stopped, 101); // with its request
    }

private:
    QString sleeping()
    {
        return m_cluster->psql(u"postgres"_s,
            u"SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()"_s);
    }

    std::unique_ptr<tests::TestCluster> m_cluster;
    std::unique_ptr<sql::Database> m_database;
};

QTEST_GUILESS_MAIN(RequestTest)

#include "tst_request.moc"
