// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/console_fixture.h"
#include "tests/support/program_run.h"
#include "tests/support/redis_fixture.h"
#include "tests/support/registered_table.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

/// What `idemdeskctl metrics` writes, from real rows, samples and reports, and the files for monitoring that use it.
class CtlMetricsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_fixture->fresh();
        m_fixture->root().run(u"GRANT idemdesk_reporter TO service"_s);
    }

    /// Every name in the rules and the dashboard is one that is written, and what is written is valid.
    void theFilesForMonitoringUseWhatIsWritten()
    {
        registerAll();
        report(everything());
        waitForALock();
        const RedisFixture redis;
        const QByteArray text = ctl({ u"metrics"_s, u"--cache"_s, redis.url() }).out;
        QTemporaryDir folder;
        const QString path = folder.filePath(u"idempotency.prom"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        const ProgramRun run
            = runProgram(u"/usr/bin/python3"_s, { QStringLiteral(CHECK_MONITORING), path, QStringLiteral(MONITORING) });
        QVERIFY2(run.status == 0, (run.said() + text).constData());
    }

    /// A purge of the console's own rows takes nothing from a counter.
    void countersOnlyGrow()
    {
        registerAll();
        report(everything());
        QCOMPARE(sampled(), 0);
        const QMap<QString, double> before = countersOf(metrics());
        QVERIFY2(before.value(u"idempotency_duplicates_served_total"_s) == 3
                && before.value(u"idempotency_dedup_latency_seconds_count{source=\"database\"}"_s) == 2
                && before.value(u"idempotency_claims_total{target=\"k2\"}"_s) == 2,
            qPrintable(QStringList(before.keys()).join(u'\n')));
        // What is asked of one table is of that one.
        const QByteArray one = ctl({ u"metrics"_s, u"--target"_s, u"sent"_s }).out;
        QVERIFY2(one.contains("{target=\"sent\"}") && !one.contains("{target=\"k2\"}"), one.constData());
        m_fixture->root().run(u"UPDATE idemdesk.event_now SET bucket_start = bucket_start - interval '1 hour'"_s);
        QCOMPARE(m_fixture->as(u"op"_s)->state(u"SELECT idemdesk.maintain()"_s), QString());
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.event_now"_s), u"0"_s);
        QCOMPARE(countersOf(metrics()), before);
        m_fixture->root().run(u"DELETE FROM idemdesk.event; DELETE FROM idemdesk.sample; DELETE FROM app.k"_s);
        QCOMPARE(countersOf(metrics()), before);
        report({ u"'replay', 'a', 4"_s });
        QMap<QString, double> after = before;
        after[u"idempotency_duplicates_served_total"_s] += 4;
        QCOMPARE(countersOf(metrics()), after);
    }

    /// Which side of 150 ms a duration lies on is told exactly.
    void latencyIsAHistogram()
    {
        registerAll();
        report({ u"'check', 'a', 97, 149.9"_s, u"'check', 'b', 2, 150"_s, u"'check', 'b', 1, 150.1"_s,
            u"'cache_hit', 'a', 1, 0"_s, u"'check', 'a', 1, 'Infinity'"_s, u"'check', 'a', 1, -5"_s });
        const QByteArray text = metrics();
        const QByteArray bucket = "idempotency_dedup_latency_seconds_bucket{source=\"database\",le=\"";
        QVERIFY2(text.contains(bucket + "0.1\"} 0\n") && text.contains(bucket + "0.15\"} 99\n")
                && text.contains(bucket + "0.25\"} 100\n") && text.contains(bucket + "+Inf\"} 100\n"),
            text.constData());
        QVERIFY2(text.contains("idempotency_dedup_latency_seconds_bucket{source=\"cache\",le=\"0.001\"} 1\n"),
            text.constData());
        // Without a report there is no number, and no zero either.
        QVERIFY2(text.contains("# idempotency_outbox_replays_total is absent: no service calls "
                               "idemdesk.record_event('outbox_replay').\n"),
            text.constData());
    }

    /// Whoever may report may not fill every scrape with names.
    void kindsAreBounded()
    {
        registerAll();
        const auto service = m_fixture->as(u"service"_s);
        QCOMPARE(service->state(u"SELECT idemdesk.record_event('kind ' || i || '\"', repeat('s', 5000)) FROM "
                                "generate_series(1, 1000) i"_s),
            QString());
        m_fixture->root().run(u"UPDATE idemdesk.event_now SET bucket_start = bucket_start - interval '1 hour'"_s);
        QCOMPARE(m_fixture->as(u"op"_s)->state(u"SELECT idemdesk.maintain()"_s), QString());
        report({ u"'kind 5000', 's'"_s, u"'replay', 's'"_s });
        const QByteArray text = metrics();
        QVERIFY2(text.count("idempotency_events_total{") == 201,
            QByteArray::number(text.count("events_total{")).constData());
        QVERIFY2(text.contains("idempotency_events_total{kind=\"-\"} 801\n"), text.constData());
        QVERIFY2(text.contains("idempotency_duplicates_served_total 1\n"), text.constData()); // what is known stays so
        QCOMPARE(m_fixture->root().value(u"SELECT max(length(scope)) FROM idemdesk.event_seen"_s), u"200"_s);
    }

    void aLockWaitIsObservedBySamples()
    {
        registerAll();
        QVERIFY(metrics().contains("# pg_lock_wait_seconds is absent: no sample has seen a session that waits"));
        waitForALock();
        const QByteArray text = metrics();
        QVERIFY2(text.contains("# TYPE pg_lock_wait_seconds histogram\n")
                && text.contains("pg_lock_wait_seconds_bucket{target=\"k2\",le=\"+Inf\"} 1\n")
                && text.contains("pg_lock_wait_seconds_count{target=\"k2\"} 1\n"),
            text.constData());
    }

    void aCacheIsComparedWhereItIsNamed()
    {
        registerAll();
        RedisFixture redis;
        redis.run("SET k:t1:k010 processing\nSET k:t1:none processing EX 100\n");
        ProgramRun run = ctl({ u"metrics"_s, u"--cache"_s, redis.url() });
        for (const char *line : { "idempotency_cache_entries{target=\"cached\"} 2\n",
                 "idempotency_cache_findings{target=\"cached\",kind=\"behind\"} 1\n",
                 "idempotency_cache_findings{target=\"cached\",kind=\"without_row\"} 1\n",
                 "idempotency_cache_findings{target=\"cached\",kind=\"never_expires\"} 1\n",
                 "idempotency_cache_looked_at_whole{target=\"cached\"} 1\n",
                 "# TYPE idempotency_cache_server_hits_total counter\n" }) {
            QVERIFY2(run.out.contains(line), run.said().constData());
        }
        QVERIFY2(!run.out.contains("idempotency_cache_entries{target=\"k2\"}"), run.out.constData());
        // Once the server has been asked, its ratio stands where no service reports one.
        run = ctl({ u"metrics"_s, u"--cache"_s, redis.url() });
        QVERIFY2(run.out.contains("\nidempotency_cache_hit_ratio 0."), run.out.constData());
        report({ u"'cache_hit', 'a'"_s });
        run = ctl({ u"metrics"_s, u"--cache"_s, redis.url() });
        QVERIFY2(run.out.contains("\nidempotency_cache_hit_ratio 1\n"), run.out.constData());
        redis.kill();
        run = ctl({ u"metrics"_s, u"--cache"_s, redis.url() });
        QCOMPARE(run.status, 5); // and all else is written
        QVERIFY2(run.out.contains("idempotency_table_readable{target=\"cached\"} 1\n")
                && !run.out.contains("idempotency_cache_findings{") && run.err.contains(u"cached: "),
            run.said().constData());
    }

private:
    /// app.k as requests and, with what waits in it, as messages. Two keys began, were retried and changed in the last
    /// whole minute, and as many in this one: a sample sees two, whichever minute it falls into.
    void registerAll()
    {
        m_fixture->forgetBare();
        const auto done = m_fixture->root().run(
            u"ALTER TABLE app.k ADD COLUMN IF NOT EXISTS made timestamptz; UPDATE app.k SET made = now() - interval '1 "
            "day', updated_at = now() - interval '1 day', attempts = 1;"
            "UPDATE app.k SET made = m, updated_at = m, attempts = 3 FROM (VALUES "
            "('k001', date_trunc('minute', now()) - interval '1 second'), ('k002', date_trunc('minute', now()) - "
            "interval '2 seconds'), ('k003', date_trunc('minute', now())), ('k004', date_trunc('minute', now()))) x "
            "(k, "
            "m) WHERE key = k;"
            "UPDATE app.k SET status = 'failed' WHERE key = 'k010'; UPDATE app.k SET status = 'dead' WHERE key = "
            "'k011';"
            "GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, "
            "idemdesk_runner_app_owner"_s);
        QVERIFY2(done.ok(), qPrintable(done.message));
        const QByteArray roles
            = R"("roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until",
            "updated_at": "t.updated_at", "expires_at": "t.expires_at", "result_id": "t.result", "created_at": "t.made"})";
        registerTable(*m_fixture, "{" + roles + "}");
        registerTable(*m_fixture, "{\"kind\": \"outbox\", " + roles + "}", u"sent"_s);
        registerTable(*m_fixture,
            R"({"cache": {"key": "k:{tenant}:{key}", "ttl": "300s", "values": {"processing": "in_progress"}}, )" + roles
                + "}",
            u"cached"_s);
    }

    static QStringList everything()
    {
        return { u"'check', 'a', 1, 3.2"_s, u"'check', 'b', 1, 180"_s, u"'replay', 'a', 3"_s, u"'violation', 'a'"_s,
            u"'conflict', 'a'"_s, u"'outbox_replay', 'a', 2"_s, u"'cache_hit', 'a', 1, 0.4"_s,
            u"'cache_miss', 'a', 1, 51"_s, u"'of their own', 'a'"_s };
    }

    void report(const QStringList &calls)
    {
        const auto service = m_fixture->as(u"service"_s);
        for (const QString &call : calls) {
            QCOMPARE(service->state(u"SELECT idemdesk.record_event("_s + call + u')'), QString());
        }
    }

    /// A sample while one session waits for another's row.
    void waitForALock()
    {
        const auto holder = m_fixture->as(u"boss"_s);
        const auto waiter = m_fixture->as(u"boss"_s);
        const QString update = u"UPDATE app.k SET attempts = attempts WHERE key = 'k001'"_s;
        QVERIFY(holder->run(u"BEGIN; "_s + update).ok());
        waiter->send(update);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->root().value(u"SELECT count(*) FROM pg_locks WHERE NOT granted"_s), u"1"_s, 20'000);
        QCOMPARE(sampled(), 0);
        QVERIFY(holder->run(u"ROLLBACK"_s).ok());
        QVERIFY(waiter->take().ok());
    }

    int sampled() { return ctl({ u"sample"_s }).status; }

    QByteArray metrics() { return ctl({ u"metrics"_s }).out; }

    ProgramRun ctl(const QStringList &arguments)
    {
        ProgramCall call;
        call.environment = privateEnvironment(m_home.path());
        return runProgram(QStringLiteral(IDEMDESKCTL),
            QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database()) } + arguments,
            call);
    }

    /// The samples of counters and histograms by their names and labels; not those that the server counts by itself.
    static QMap<QString, double> countersOf(const QByteArray &text)
    {
        QMap<QString, double> values;
        const QList<QByteArray> lines = text.split('\n');
        for (const QByteArray &line : lines) {
            const QByteArray name = line.left(line.lastIndexOf(' '));
            if (line.startsWith("idempotency_") && (name.contains("_total") || name.contains("_latency_"))) {
                values.insert(QString::fromUtf8(name), line.mid(name.size() + 1).toDouble());
            }
        }
        return values;
    }

    std::unique_ptr<ConsoleFixture> m_fixture;
    QTemporaryDir m_home;
};

QTEST_GUILESS_MAIN(CtlMetricsTest)
#include "tst_ctl_metrics.moc"
