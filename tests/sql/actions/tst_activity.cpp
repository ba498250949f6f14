// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/activity/activity_gateway.h"
#include "sql/activity/key_locks.h"
#include "tests/support/registered_table.h"

#include <QRegularExpression>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using Kind = sql::SignalOutcome::Kind;

/// Who is at work on a table, and stopping one of them: never without its row in the trail, never another session than
/// was seen.
class ActivityTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    RegisteredTable m_table;

    sql::ActivityReport report(sql::Session &session)
    {
        const auto report = sql::readActivity(session, { m_table.target });
        if (!report) {
            qFatal("%s", qPrintable(report.error().line() + report.error().detail));
        }
        return *report;
    }

    std::optional<sql::BackendActivity> seen(sql::Session &session, int pid)
    {
        const sql::ActivityReport all = report(session);
        const auto found = std::find_if(
            all.backends.cbegin(), all.backends.cend(), [pid](const auto &backend) { return backend.pid == pid; });
        return found == all.backends.cend() ? std::nullopt : std::optional(*found);
    }

    static sql::SignalRequest request(const sql::BackendActivity &backend,
        sql::SignalVerb verb = sql::SignalVerb::Cancel, const QString &reason = u"blocks the claims"_s)
    {
        return { ConsoleFixture::newId(), verb, backend, reason, u"T-7"_s };
    }

    sql::Cells identityOf(const QString &key)
    {
        const QString tenant = m_fixture->root().value(u"SELECT tenant FROM app.k WHERE key = '"_s + key + u"'"_s);
        return { sql::Cell::of(tenant), sql::Cell::of(key) };
    }

    QStringList locksOn(sql::Session &session, const sql::Target &target, const QString &key)
    {
        const auto read = sql::readKeyLocks(session, target, identityOf(key));
        if (!read || !read->notRead.isEmpty()) {
            return { read ? read->notRead.join(u' ') : read.error().line() + read.error().detail };
        }
        QStringList told;
        for (const sql::KeyLock &lock : read->locks) {
            told += u"%1 %2 %3"_s.arg(lock.what == sql::KeyLock::What::Row ? u"row"_s : u"advisory"_s,
                lock.granted ? u"held"_s : u"awaited"_s, QString::number(lock.pid));
        }
        return told;
    }

    QString trail()
    {
        return m_fixture->root().value(
            u"SELECT string_agg(what || ' ' || COALESCE(facts ->> 'outcome', facts ->> 'verb'), ', ' ORDER BY seq) FROM idemdesk.audit WHERE what LIKE 'signal%'"_s);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_fixture->fresh([this] {
            QVERIFY(
                m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO op, adm, service; GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA "
                         u"app TO service; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm; "
                         "GRANT pg_read_all_stats, pg_signal_backend TO op; REVOKE pg_signal_backend FROM op2"_s)
                    .ok());
            m_table = registerTable(*m_fixture);
        });
    }

    void whoWaitsForWhom()
    {
        const auto holder = m_fixture->as(u"service"_s);
        const auto waiter = m_fixture->as(u"service"_s);
        QVERIFY(holder->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
        waiter->send(u"UPDATE app.k SET attempts = attempts WHERE key = 'k001'"_s);
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Control);
        QTRY_VERIFY(
            seen(*session, waiter->pid()) && seen(*session, waiter->pid())->blockedBy == QList<int> { holder->pid() });
        QVERIFY(seen(*session, holder->pid())->blockedBy.isEmpty());
        const sql::ActivityReport all = report(*session);
        QVERIFY(all.complete && all.watched.since.micros != 0);
        QVERIFY(all.deadlocks >= 0);
        holder->run(u"ROLLBACK"_s);
        QVERIFY(waiter->take().ok());
    }

    void advisoryLocksAreShown_data()
    {
        QTest::addColumn<QString>("number"); // as the service gives it
        QTest::addColumn<QString>("shown");
        QTest::newRow("a small number") << "42"
                                        << "42";
        QTest::newRow("a negative one, as hashtext makes it") << "-7"
                                                              << "-7";
        QTest::newRow("one of 64 bits") << "-9223372036854775807"
                                        << "-9223372036854775807";
        QTest::newRow("two of 32 bits") << "7, -12"
                                        << "7, -12";
    }
    void advisoryLocksAreShown()
    {
        QFETCH(QString, number);
        QFETCH(QString, shown);
        const auto holder = m_fixture->as(u"service"_s);
        const auto waiter = m_fixture->as(u"service"_s);
        const QString take = u"SELECT pg_advisory_xact_lock("_s + number + u')';
        QVERIFY(holder->run(u"BEGIN; "_s + take).ok());
        waiter->send(take);
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Control);
        QTRY_VERIFY(
            seen(*session, waiter->pid()) && seen(*session, waiter->pid())->blockedBy == QList<int> { holder->pid() });
        for (const bool granted : { true, false }) {
            const auto locks = seen(*session, (granted ? holder : waiter)->pid())->locks;
            QCOMPARE(locks.size(), 1);
            QCOMPARE(locks.constFirst().type, u"advisory"_s);
            QCOMPARE(locks.constFirst().mode, u"ExclusiveLock"_s);
            QCOMPARE(locks.constFirst().object, shown);
            QCOMPARE(locks.constFirst().granted, granted);
        }
        holder->run(u"ROLLBACK"_s);
        QVERIFY(waiter->take().ok());
        QTRY_VERIFY(!seen(*session, holder->pid())); // no lock, no place in the list
    }

    void whoHoldsAKey()
    {
        const auto holder = m_fixture->as(u"service"_s);
        const auto waiter = m_fixture->as(u"service"_s);
        QVERIFY(holder
                    ->run(u"BEGIN; SELECT 1 FROM app.k WHERE key IN ('k001', 'k002') FOR UPDATE; "
                          "SELECT pg_advisory_xact_lock(hashtext('k002'))"_s)
                    .ok());
        waiter->send(u"UPDATE app.k SET attempts = attempts WHERE key = 'k001'"_s);
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Background);
        sql::Target target = m_table.target;
        target.profile.advisoryLock = u"pg_catalog.hashtext(t.key)"_s;
        QTRY_COMPARE(locksOn(*session, target, u"k001"_s),
            (QStringList { u"row held %1"_s.arg(holder->pid()), u"row awaited %1"_s.arg(waiter->pid()) }));
        // Of what it holds beside, nobody waits for it; and only there is the lock of the key.
        QCOMPARE(locksOn(*session, target, u"k002"_s),
            (QStringList { u"row held %1"_s.arg(holder->pid()), u"advisory held %1"_s.arg(holder->pid()) }));
        QCOMPARE(locksOn(*session, target, u"k003"_s), QStringList());
        holder->run(u"ROLLBACK"_s);
        QVERIFY(waiter->take().ok());
        QCOMPARE(locksOn(*session, target, u"k001"_s), QStringList());
    }

    void sharersOfARowAreNamed()
    {
        const auto one = m_fixture->as(u"service"_s);
        const auto two = m_fixture->as(u"service"_s);
        for (const auto &sharer : { one.get(), two.get() }) {
            QVERIFY(sharer->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR SHARE"_s).ok());
        }
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Background);
        const auto locks = sql::readKeyLocks(*session, m_table.target, identityOf(u"k001"_s));
        QVERIFY(locks.ok());
        QSet<int> holders;
        for (const sql::KeyLock &lock : locks->locks) {
            QVERIFY(lock.granted);
            holders += lock.pid;
        }
        QCOMPARE(holders, (QSet<int> { one->pid(), two->pid() }));
        one->run(u"ROLLBACK"_s);
        two->run(u"ROLLBACK"_s);
    }

    void whatCannotBeLookedAtIsSaid()
    {
        const auto holder = m_fixture->as(u"service"_s);
        QVERIFY(holder
                    ->run(u"BEGIN; SELECT pg_advisory_xact_lock(77); SELECT 1 FROM app.k WHERE key = 'k001' FOR "
                          "UPDATE"_s)
                    .ok());
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Background);
        sql::Target target = m_table.target;
        target.profile.advisoryLock = u"t.key::int8"_s; // no number; asked for where anybody has such a lock
        const auto locks = sql::readKeyLocks(*session, target, identityOf(u"k001"_s));
        QVERIFY(locks.ok());
        QCOMPARE(locks->locks.size(), 1);
        QCOMPARE(locks->locks.constFirst().pid, holder->pid());
        QCOMPARE(locks->notRead.size(), 1);
        QVERIFY(locks->notRead.constFirst().contains(u"advisory lock could not be read"_s));
        holder->run(u"ROLLBACK"_s);
    }

    void aDeadlockIsCounted()
    {
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Control);
        const qint64 before = report(*session).deadlocks;
        const auto one = m_fixture->as(u"boss"_s);
        const auto two = m_fixture->as(u"boss"_s);
        one->run(u"SET deadlock_timeout = '50ms'; BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        two->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k002' FOR UPDATE"_s);
        one->send(u"SELECT 1 FROM app.k WHERE key = 'k002' FOR UPDATE"_s);
        two->send(u"SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        const QStringList states { one->take().state, two->take().state };
        QVERIFY(states.contains(u"40P01"_s));
        one->run(u"ROLLBACK"_s);
        two->run(u"ROLLBACK"_s);
        QTRY_VERIFY_WITH_TIMEOUT(report(*session).deadlocks > before, 60'000); // the server's counters come late
    }

    void cancelsAStatement()
    {
        const auto worker = m_fixture->as(u"service"_s);
        worker->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        worker->send(u"SELECT pg_sleep(60)"_s);
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
        QTRY_VERIFY(seen(*session, worker->pid()) && seen(*session, worker->pid())->state == u"active");
        const auto outcome = sql::signalBackend(*session, request(*seen(*session, worker->pid())));
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : qPrintable(outcome.error().line() + outcome.error().detail));
        QCOMPARE(outcome->kind, Kind::Sent);
        QCOMPARE(worker->take().state, u"57014"_s);
        QCOMPARE(trail(), u"signal cancel, signal_end sent"_s);
        QCOMPARE(
            m_fixture->root().value(u"SELECT seen ->> 'query' FROM idemdesk.signal_note"_s), u"SELECT pg_sleep(60)"_s);
        QCOMPARE(m_fixture->root().value(
                     u"SELECT who || ' ' || (facts ->> 'reason') FROM idemdesk.audit WHERE what = 'signal'"_s),
            u"op blocks the claims"_s);
        const auto op = m_fixture->as(u"op"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    void endsASession()
    {
        const auto worker = m_fixture->as(u"service"_s);
        worker->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
        const auto backend = seen(*session, worker->pid());
        QVERIFY(backend);
        QCOMPARE(sql::signalBackend(*session, request(*backend, sql::SignalVerb::Terminate))->kind, Kind::Sent);
        QTRY_VERIFY(!seen(*session, worker->pid()));
        // Once more: it is gone, nothing is sent, and the trail says so.
        QCOMPARE(sql::signalBackend(*session, request(*backend, sql::SignalVerb::Terminate))->kind, Kind::Gone);
        QCOMPARE(trail(), u"signal terminate, signal_end sent, signal terminate, signal_end gone"_s);
    }

    void neverAnotherSessionThanWasSeen()
    {
        const auto worker = m_fixture->as(u"service"_s);
        worker->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
        sql::BackendActivity backend = *seen(*session, worker->pid());
        backend.backendStart->micros -= 1'000'000; // an earlier session had this pid
        QCOMPARE(sql::signalBackend(*session, request(backend, sql::SignalVerb::Terminate))->kind, Kind::Gone);
        backend = *seen(*session, worker->pid());
        backend.user = u"somebody"_s;
        QCOMPARE(sql::signalBackend(*session, request(backend, sql::SignalVerb::Terminate))->kind, Kind::Gone);
        QVERIFY(worker->run(u"COMMIT"_s).ok());
    }

    void whatMayNotBe_data()
    {
        QTest::addColumn<QString>("login");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("state"); // of the error; empty: refused, and written down
        QTest::newRow("without the right to signal") << "op2"
                                                     << "why"
                                                     << "";
        QTest::newRow("a viewer") << "viewer"
                                  << "why"
                                  << "42501";
        QTest::newRow("no member of anything") << "service"
                                               << "why"
                                               << "42501";
        QTest::newRow("a superuser, whom no rule holds") << "boss"
                                                         << "why"
                                                         << "ID003";
        QTest::newRow("without a reason") << "op"
                                          << " "
                                          << "ID005";
    }
    void whatMayNotBe()
    {
        QFETCH(QString, login);
        QFETCH(QString, reason);
        QFETCH(QString, state);
        const auto worker = m_fixture->as(u"boss"_s);
        worker->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        auto looking = openSession(*m_fixture, u"op"_s, sql::LaneKind::Control);
        const auto backend = seen(*looking, worker->pid());
        QVERIFY(backend);
        auto session = openSession(*m_fixture, login, sql::LaneKind::Write);
        const auto outcome = sql::signalBackend(*session, request(*backend, sql::SignalVerb::Cancel, reason));
        if (state.isEmpty()) {
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : qPrintable(outcome.error().line() + outcome.error().detail));
            QCOMPARE(outcome->kind, Kind::Refused);
            QVERIFY(outcome->refusal.todo.contains(u"pg_signal_backend"_s));
            QCOMPARE(trail(), u"signal cancel, signal_end refused"_s);
        } else {
            QVERIFY(!outcome.ok());
            QCOMPARE(outcome.error().sqlState, state);
            QVERIFY(outcome.error().what.startsWith(u"Nothing was sent"_s));
            QCOMPARE(trail(), QString());
        }
        QVERIFY(worker->run(u"COMMIT"_s).ok());
    }

    void sharedLoginsMayNot()
    {
        QVERIFY(m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.set_shared_login('op', true)"_s).ok());
        const auto worker = m_fixture->as(u"service"_s);
        worker->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
        const auto outcome = sql::signalBackend(*session, request(*seen(*session, worker->pid())));
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().sqlState, u"ID003"_s);
        QVERIFY(worker->run(u"COMMIT"_s).ok());
    }

    void withoutTheTrailNothingIsSent()
    {
        const auto worker = m_fixture->as(u"service"_s);
        worker->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
        const auto backend = seen(*session, worker->pid());
        QVERIFY(m_fixture->root().run(u"CREATE RULE nothing AS ON INSERT TO idemdesk.audit DO INSTEAD NOTHING"_s).ok());
        QVERIFY(!sql::signalBackend(*session, request(*backend, sql::SignalVerb::Terminate)).ok());
        QVERIFY(worker->run(u"COMMIT"_s).ok());
    }
};

QTEST_GUILESS_MAIN(ActivityTest)
#include "tst_activity.moc"
