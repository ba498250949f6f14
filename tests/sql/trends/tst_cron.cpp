// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/sample_schedule.h"
#include "tests/support/registered_table.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using State = sql::SampleSchedule::State;

/// Sampling by the real pg_cron, set up from the console.
class CronTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;

    sql::SampleSchedule schedule(const QString &login)
    {
        auto session = openSession(*m_fixture, login, sql::LaneKind::Write);
        const auto read = sql::readSampleSchedule(*session);
        if (!read) {
            qFatal("%s", qPrintable(read.error().line() + read.error().detail));
        }
        return *read;
    }
    QString trail()
    {
        return m_fixture->root().value(
            u"SELECT COALESCE(string_agg(what, ' ' ORDER BY seq), '') FROM idemdesk.audit WHERE what LIKE '%schedule'"_s);
    }

private slots:
    void initTestCase()
    {
        // The database that the second fresh() makes is the one whose jobs pg_cron runs.
        m_fixture = std::make_unique<ConsoleFixture>(QStringList { u"shared_preload_libraries = 'pg_cron'"_s,
            u"cron.use_background_workers = on"_s, u"cron.database_name = 'd2'"_s });
        m_fixture->fresh();
        QCOMPARE(m_fixture->database(), u"d2"_s);
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void saysWhatIsInTheWay()
    {
        const sql::SampleSchedule none = schedule(u"op"_s);
        QCOMPARE(none.state, State::NoExtension);
        QVERIFY(none.script.startsWith(u"CREATE EXTENSION pg_cron"_s));
        QVERIFY(m_fixture->root().run(u"CREATE EXTENSION pg_cron; REVOKE USAGE ON SCHEMA cron FROM PUBLIC"_s).ok());
        const sql::SampleSchedule refused = schedule(u"op"_s);
        QCOMPARE(refused.state, State::NotAllowed);
        QVERIFY(m_fixture->root().run(refused.script).ok()); // what it says is what is missing
        QCOMPARE(schedule(u"op"_s).state, State::Off);
    }

    void takesSamplesByItselfUntilItIsEnded()
    {
        auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
        const auto on = sql::setSampleSchedule(*session, true);
        QVERIFY2(on.ok(), on.ok() ? "" : qPrintable(on.error().line() + on.error().detail));
        QCOMPARE(schedule(u"op"_s).state, State::On);
        QVERIFY(sql::setSampleSchedule(*session, true).ok()); // once more changes nothing
        QCOMPARE(m_fixture->root().value(
                     u"SELECT string_agg(jobname || ' ' || username, ', ' ORDER BY jobname) FROM cron.job"_s),
            u"idemdesk maintain op, idemdesk sample op"_s);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_fixture->root().value(u"SELECT count(*) FROM idemdesk.sample WHERE metric = 'stale'"_s).toInt() > 0,
            150'000);
        QCOMPARE(m_fixture->root().value(u"SELECT taken_by FROM idemdesk.sample_run LIMIT 1"_s), u"op"_s);
        QVERIFY(sql::setSampleSchedule(*session, false).ok());
        QCOMPARE(schedule(u"op"_s).state, State::Off);
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM cron.job"_s), u"0"_s);
        QCOMPARE(trail(), u"schedule schedule unschedule"_s);
    }

    void nothingIsSetUpWithoutItsRowInTheTrail()
    {
        QVERIFY(m_fixture->root().run(u"GRANT USAGE ON SCHEMA cron TO viewer"_s).ok());
        auto viewer = openSession(*m_fixture, u"viewer"_s, sql::LaneKind::Write);
        const auto refused = sql::setSampleSchedule(*viewer, true);
        QVERIFY(!refused.ok());
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM cron.job"_s), u"0"_s);
    }

    void inAnotherDatabaseItGivesTheScript()
    {
        m_fixture->fresh(ConsoleFixture::Former::Kept); // where pg_cron goes on
        QCOMPARE(schedule(u"op"_s).state, State::NoExtension); // it may not see more
        QVERIFY(m_fixture->root().run(u"GRANT pg_read_all_settings TO op"_s).ok());
        const sql::SampleSchedule elsewhere = schedule(u"op"_s);
        QCOMPARE(elsewhere.state, State::Elsewhere);
        QVERIFY(
            elsewhere.script.contains(u"schedule_in_database"_s) && elsewhere.script.contains(m_fixture->database()));
        Connection jobs(m_fixture->cluster().conninfoAs(m_fixture->superuser(), u"d2"_s));
        QVERIFY2(jobs.run(elsewhere.script).ok(), qPrintable(jobs.run(elsewhere.script).message));
        QCOMPARE(jobs.value(u"SELECT string_agg(database, ',') FROM cron.job"_s),
            m_fixture->database() + u',' + m_fixture->database());
    }
};

QTEST_GUILESS_MAIN(CronTest)
#include "tst_cron.moc"
