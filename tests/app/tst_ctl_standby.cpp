// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/console_fixture.h"
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// A primary with the console, and a real standby of it: reads say how old they may be, actions go to the primary.
class CtlStandbyTest final : public QObject
{
    Q_OBJECT

    static constexpr int kDone = 0;
    static constexpr int kFailed = 1;
    static constexpr int kRefused = 3;
    static constexpr int kSkipped = 4;

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<TestCluster> m_standby;
    std::unique_ptr<QTemporaryDir> m_home;

    QString onStandby() const { return m_standby->conninfoAs(u"op"_s, m_fixture->database()); }
    QString onPrimary() const { return m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database()); }
    /// Both hosts in one conninfo.
    QString either(const QString &attributes) const
    {
        const auto host = [](const QString &conninfo) { return conninfo.section(u' ', 0, 0).section(u'=', 1); };
        return QString(onStandby()).replace(host(onStandby()), host(onStandby()) + u',' + host(onPrimary()))
            + u" target_session_attrs="_s + attributes;
    }
    ProgramRun ctl(QStringList arguments, const QString &conninfo) const
    {
        arguments += { u"--connect"_s, conninfo };
        return runProgram(QStringLiteral(IDEMDESKCTL), arguments, { privateEnvironment(m_home->path()) });
    }
    QString value(const QString &sql) const { return m_fixture->root().value(sql); }
    void replayed() const
    {
        const QString position = value(u"SELECT pg_current_wal_lsn()"_s);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_standby->psql(u"postgres"_s, u"SELECT pg_last_wal_replay_lsn() >= '%1'::pg_lsn"_s.arg(position)), u"t"_s,
            30'000);
    }
    QStringList keysQuestion() const
    {
        return { u"keys"_s, u"--target"_s, u"k2"_s, u"--json"_s, u"--limit"_s, u"3"_s };
    }
    /// "level: title" of what the health report says of replication.
    static QStringList replicationIn(const ProgramRun &run)
    {
        QStringList lines;
        for (const QJsonValue &item : run.items()) {
            if (item[u"id"_s].toString() == u"replication") {
                lines += item[u"level"_s].toString() + u": "_s + item[u"title"_s].toString();
            }
        }
        return lines;
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>(QStringList { u"max_replication_slots = 5"_s });
        m_fixture->fresh();
        m_fixture->cluster().psql(m_fixture->database(),
            u"GRANT USAGE ON SCHEMA app TO adm, op; GRANT SELECT ON app.k, app.eff TO adm, op; "
            // A query that never finds anything proves nothing: a key that succeeded has its effect.
            "INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0001'"_s);
        registerTable(*m_fixture);
        m_standby = std::make_unique<TestCluster>(m_fixture->cluster(), false, QStringList());
        m_home = std::make_unique<QTemporaryDir>();
        replayed();
    }
    void cleanupTestCase()
    {
        m_standby.reset();
        m_fixture.reset();
    }
    void init() { replayed(); }

    void whatAStandbyShowsSaysHowOldItIs()
    {
        const ProgramRun run = ctl(keysQuestion(), either(u"prefer-standby"_s));
        QCOMPARE(run.status, kDone);
        QCOMPARE(run.items().size(), 3);
        QVERIFY2(run.err.contains(u"This is a standby, "_s), run.said().constData());
        QVERIFY2(
            run.json().value(u"notes"_s).toArray().last().toString().contains(u"standby"_s), run.said().constData());
        QVERIFY(run.json().value(u"complete"_s).toBool());
        QVERIFY(!ctl(keysQuestion(), onPrimary()).err.contains(u"standby"_s));
    }

    void pausedReplayIsSaidWithWhatIsMissing()
    {
        m_standby->psql(u"postgres"_s, u"SELECT pg_wal_replay_pause()"_s);
        QTRY_COMPARE(m_standby->psql(u"postgres"_s, u"SELECT pg_get_wal_replay_pause_state()"_s), u"paused"_s);
        QVERIFY(m_fixture->root().run(u"CREATE TABLE public.later AS SELECT generate_series(1, 1000) AS n"_s).ok());
        QTRY_VERIFY_WITH_TIMEOUT(
            m_standby->psql(u"postgres"_s, u"SELECT pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()"_s) == u"t",
            30'000);
        const ProgramRun run = ctl(keysQuestion(), onStandby());
        const ProgramRun check = ctl({ u"check"_s, u"--target"_s, u"k2"_s, u"--json"_s }, onStandby());
        m_standby->psql(u"postgres"_s, u"SELECT pg_wal_replay_resume()"_s);
        QVERIFY2(run.err.contains(u" bytes behind"_s) && run.err.contains(u"Its replay is paused."_s),
            run.err.toUtf8().constData());
        QCOMPARE(check.status, kFailed);
        QCOMPARE(replicationIn(check), QStringList { u"problem: The standby does not replay"_s });
        replayed();
        QVERIFY(m_fixture->root().run(u"DROP TABLE public.later"_s).ok());
    }

    void anActionGoesToThePrimary()
    {
        const QString stuck = u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s;
        const QString before = value(stuck);
        const ProgramRun run
            = ctl({ u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"a standby was asked"_s, u"--json"_s },
                either(u"prefer-standby"_s));
        QVERIFY2(value(u"SELECT count(*) FROM idemdesk.action WHERE reason = 'a standby was asked'"_s) == u"1",
            run.said().constData());
        QCOMPARE(run.status, kSkipped); // some are left, for want of evidence
        const int done = run.json().value(u"counts"_s)[u"done"_s].toInt();
        QVERIFY2(done > 0 && value(stuck).toInt() == before.toInt() - done, run.said().constData());
    }

    void anActionOnAStandbyIsRefused()
    {
        const QStringList recover { u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"no primary"_s };
        const ProgramRun run = ctl(recover, onStandby());
        QVERIFY2(run.status == kRefused, run.said().constData());
        QVERIFY2(run.err.contains(u"This server is a standby"_s), run.said().constData());
        QVERIFY2(run.err.contains(u"this login may not see"_s), run.said().constData());
        QVERIFY(m_fixture->root().run(u"GRANT pg_read_all_stats TO op"_s).ok());
        replayed();
        const ProgramRun named = ctl(recover, onStandby());
        QVERIFY(m_fixture->root().run(u"REVOKE pg_read_all_stats FROM op"_s).ok());
        QCOMPARE(named.status, kRefused);
        QVERIFY2(named.err.contains(m_fixture->cluster().cluster().folder()), named.said().constData());
        QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action WHERE reason = 'no primary'"_s), u"0"_s);
        // What only reads is not refused there.
        QVERIFY(ctl({ u"actions"_s }, onStandby()).status != kRefused);
    }

    /// What is not there yet passes for nowhere, in whatever asks.
    void whateverLooksSaysThatItLooksAtAStandby_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("complaint") << QStringList { u"complaint"_s, u"--key"_s, u"nowhere"_s };
        QTest::newRow("find") << QStringList { u"find"_s, u"nowhere"_s };
        QTest::newRow("scopes") << QStringList { u"scopes"_s, u"--target"_s, u"k2"_s };
        QTest::newRow("counts") << QStringList { u"targets"_s, u"--counts"_s };
        QTest::newRow("duplicates") << QStringList { u"duplicates"_s, u"--target"_s, u"k2"_s };
    }
    void whateverLooksSaysThatItLooksAtAStandby()
    {
        QFETCH(QStringList, words);
        const ProgramRun run = ctl(words, onStandby());
        QVERIFY2(run.err.count(u"This is a standby, "_s) == 1, run.said().constData());
        QVERIFY(!ctl(words, onPrimary()).err.contains(u"standby"_s));
    }

    void aMemberThatIsAStandbyIsNamed()
    {
        QFile file(m_home->filePath(u"group.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QJsonArray members { QJsonObject { { u"label"_s, u"first"_s }, { u"conninfo"_s, onPrimary() } },
            QJsonObject { { u"label"_s, u"copy"_s }, { u"conninfo"_s, onStandby() } } };
        file.write(QJsonDocument(QJsonObject { { u"idemdesk_group"_s, 1 }, { u"name"_s, u"k"_s },
                                     { u"kind"_s, u"replicas"_s }, { u"members"_s, members } })
                       .toJson());
        file.close();
        const ProgramRun run = runProgram(QStringLiteral(IDEMDESKCTL),
            { u"keys"_s, u"--group"_s, file.fileName(), u"--target"_s, u"k2"_s, u"--json"_s },
            { privateEnvironment(m_home->path()) });
        QCOMPARE(run.status, kDone);
        QVERIFY2(run.err.contains(u"copy: This is a standby, "_s), run.said().constData());
        QVERIFY(!run.err.contains(u"first: "_s));
    }

    /// Who registers a table with a part elsewhere is told where its rows lie; the function itself refuses.
    void aPartOnAnotherServerIsRefusedByItsName()
    {
        QVERIFY(
            m_fixture->root()
                .run(u"CREATE EXTENSION postgres_fdw; CREATE SERVER branch FOREIGN DATA WRAPPER postgres_fdw OPTIONS "
                     "(host 'branch.example', port '5433', dbname 'pay'); SET ROLE app_owner; CREATE TABLE app.split "
                     "(LIKE app.k) PARTITION BY LIST (tenant); CREATE TABLE app.split_here PARTITION OF app.split FOR "
                     "VALUES IN ('t0'); RESET ROLE; CREATE FOREIGN TABLE app.split_far PARTITION OF app.split FOR "
                     "VALUES IN ('t1') SERVER branch OPTIONS (schema_name 'old', table_name 'keys'); ALTER FOREIGN "
                     "TABLE app.split_far OWNER TO app_owner; GRANT SELECT ON app.split TO adm"_s)
                .ok());
        const QString compiled = ConsoleFixture::compiled().replace(uR"(\"k\")"_s, uR"(\"split\")"_s);
        const QString answer = m_fixture->registerTarget(compiled, u"{}"_s, ConsoleFixture::profile(), u"split"_s);
        QVERIFY2(answer.contains(u"branch (dbname pay, host branch.example, port 5433), in its table old.keys."_s),
            answer.toUtf8().constData());
        QCOMPARE(value(u"SELECT count(*) FROM idemdesk.target WHERE name = 'split'"_s), u"0"_s);
        QVERIFY(m_fixture->root().run(u"DROP TABLE app.split; DROP EXTENSION postgres_fdw CASCADE"_s).ok());
    }

    void aLagIsSampledByWhoMaySeeIt()
    {
        const QString sampled = u"SELECT count(*) FROM idemdesk.sample WHERE metric = 'standby_lag'"_s;
        const auto op = m_fixture->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k2')"_s).toInt() > 0);
        QCOMPARE(value(sampled), u"1"_s);
        QVERIFY(m_fixture->root()
                    .run(u"REVOKE pg_read_all_stats FROM idemdesk_owner; DELETE FROM idemdesk.sample; "
                         "DELETE FROM idemdesk.sample_run"_s)
                    .ok());
        const bool again = op->value(u"SELECT idemdesk.take_sample('k2')"_s).toInt() > 0;
        QVERIFY(m_fixture->root().run(u"GRANT pg_read_all_stats TO idemdesk_owner"_s).ok());
        QVERIFY(again);
        QCOMPARE(value(sampled), u"0"_s);
    }

    void aSlotThatNobodyReadsIsInTheReport()
    {
        QVERIFY(m_fixture->root().run(u"SELECT pg_create_physical_replication_slot('left_over', true)"_s).ok());
        const ProgramRun run = ctl({ u"check"_s, u"--target"_s, u"k2"_s, u"--json"_s }, onPrimary());
        QVERIFY(m_fixture->root().run(u"SELECT pg_drop_replication_slot('left_over')"_s).ok());
        const QStringList found = replicationIn(run);
        QVERIFY2(found.contains(u"advice: Nobody reads from a replication slot"_s), run.said().constData());
        // How far the standby is behind, this login may not see, and that is no good news.
        QVERIFY2(found.contains(u"unknown: Replication keeps up"_s), run.said().constData());
    }
};

QTEST_GUILESS_MAIN(CtlStandbyTest)
#include "tst_ctl_standby.moc"
