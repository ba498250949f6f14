// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/console_fixture.h"

#include <QTest>

using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

/// Samples and reported events in the console's schema, driven by bare SQL.
class SamplesTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_console;

private slots:
    void initTestCase() { m_console = std::make_unique<ConsoleFixture>(); }
    void init() { m_console->fresh(); }
    void cleanupTestCase() { m_console.reset(); }

    void aSampleIsWhatTheTableHolds()
    {
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QCOMPARE(
            m_console->root().value(
                u"SELECT string_agg(metric || '=' || v, ',' ORDER BY metric) FROM (SELECT metric, sum(value) v FROM "
                "idemdesk.sample WHERE metric IN ('in_progress', 'stale', 'succeeded') GROUP BY 1) x"_s),
            m_console->root().value(
                u"SELECT format('in_progress=%s,stale=%s,succeeded=%s', count(*) FILTER (WHERE status = 'processing'), "
                "count(*) FILTER (WHERE status = 'processing' AND locked_until < now()), count(*) FILTER (WHERE status = 'succeeded')) FROM app.k"_s));
        QCOMPARE(
            m_console->root().value(
                u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red' AND code <> 'superuser'"_s),
            u"0"_s);
    }

    void aSampleKnowsTheTablesSizeAndWhoWaits()
    {
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QCOMPARE(
            m_console->root().value(
                u"SELECT value::bigint = pg_total_relation_size('app.k') FROM idemdesk.sample WHERE metric = 'size'"_s),
            u"t"_s);
        QCOMPARE(m_console->root().value(u"SELECT value FROM idemdesk.sample WHERE metric = 'lock_waits'"_s), u"0"_s);
        QCOMPARE(m_console->root().value(u"SELECT value FROM idemdesk.sample WHERE metric = 'standby_lag'"_s), u"0"_s);
    }

    void theLogThatASlotKeepsIsCounted()
    {
        Connection &root = m_console->root();
        root.run(u"SELECT pg_create_physical_replication_slot('left_over', true)"_s);
        root.run(u"CREATE TABLE public.written AS SELECT generate_series(1, 10000)"_s);
        const auto op = m_console->as(u"op"_s);
        const bool sampled = op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0;
        root.run(u"DROP TABLE public.written; SELECT pg_drop_replication_slot('left_over')"_s);
        QVERIFY(sampled);
        QVERIFY(root.value(u"SELECT value FROM idemdesk.sample WHERE metric = 'slot_log'"_s).toDouble() > 100'000);
    }

    void whoWaitsForARowOfTheTableIsCounted()
    {
        const auto one = m_console->as(u"boss"_s);
        const auto two = m_console->as(u"boss"_s);
        one->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        two->send(u"SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
        Connection &root = m_console->root();
        QTRY_COMPARE(
            root.value(u"SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = "_s + QString::number(two->pid())),
            u"1"_s);
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QCOMPARE(root.value(u"SELECT value FROM idemdesk.sample WHERE metric = 'lock_waits'"_s), u"1"_s);
        QVERIFY(root.value(u"SELECT value FROM idemdesk.sample WHERE metric = 'lock_wait'"_s).toDouble() > 0);
        one->run(u"ROLLBACK"_s);
        QVERIFY(two->take().ok());
    }

    void countersAreWhatHappenedSince_data()
    {
        QTest::addColumn<QString>("before"); // what was seen of the counter, and when
        QTest::addColumn<QString>("stored");
        QTest::newRow("the first look tells nothing") << QString() << "none";
        QTest::newRow("a minute ago") << "now() - interval '1 minute', -7"
                                      << "7";
        QTest::newRow("four minutes ago, so a quarter each minute") << "now() - interval '4 minutes', -8"
                                                                    << "2";
        QTest::newRow("it went back: counted from nothing") << "now() - interval '1 minute', 1e9"
                                                            << "0";
        QTest::newRow("a day ago: nobody knows when it happened") << "now() - interval '1 day', -7"
                                                                  << "none";
    }
    void countersAreWhatHappenedSince()
    {
        QFETCH(QString, before);
        QFETCH(QString, stored);
        Connection &root = m_console->root();
        if (!before.isEmpty()) {
            QVERIFY(
                root.run(
                        u"INSERT INTO idemdesk.counter_seen (relation, target, metric, at, value) SELECT "
                        u"'app.k'::regclass, 'k', 'deadlocks', "
                        u"date_trunc('minute', x.at), "
                        "CASE WHEN x.v < 0 THEN d.deadlocks + x.v ELSE x.v END FROM (VALUES (%1)) x (at, v), pg_stat_database d WHERE d.datname = current_database()"_s
                            .arg(before))
                    .ok());
        }
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QCOMPARE(
            root.value(
                u"SELECT COALESCE((SELECT round(value::numeric, 1)::float8::text FROM idemdesk.sample WHERE metric = 'deadlocks'), 'none')"_s),
            stored);
        QCOMPARE(root.value(u"SELECT count(*) FROM idemdesk.counter_seen WHERE metric = 'deadlocks' AND value = 0"_s),
            u"1"_s);
    }

    void ofTwoSamplersAtOnceOneIsKept()
    {
        const auto one = m_console->as(u"op"_s);
        const auto two = m_console->as(u"op2"_s);
        one->run(u"BEGIN"_s);
        const int first = one->value(u"SELECT idemdesk.take_sample('k')"_s).toInt();
        two->send(u"SELECT idemdesk.take_sample('k')"_s);
        one->run(u"COMMIT"_s);
        const int second = two->take().value().toInt();
        QVERIFY(first > 0);
        // Only where the minute turned in between did both sample.
        QCOMPARE(second == 0, m_console->root().value(u"SELECT count(*) FROM idemdesk.sample_run"_s) == u"1");
        QCOMPARE(m_console->root().value(u"SELECT count(*) FROM idemdesk.sample"_s).toInt(), first + second);
    }

    void hoursAndDaysComeOfMinutesAndOldMinutesGo()
    {
        Connection &root = m_console->root();
        root.run(u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_span('sample_minute', 'day', d) FROM (SELECT "
                 u"date_trunc('day', now(), 'UTC') - interval '6 days') x (d); "
                 "INSERT INTO idemdesk.sample SELECT 'minute', date_trunc('day', now(), 'UTC') - interval '6 days' + i "
                 "* interval '1 minute', 'k', 'stale', '[]', i, i, i, 1 "
                 "FROM generate_series(0, 119) i; RESET ROLE"_s);
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.maintain()"_s).startsWith(u"{sample_minute_"_s));
        const QString all
            = u"SELECT string_agg(concat_ws(' ', resolution, value, lowest, highest, samples), ',' ORDER BY samples, value) FROM idemdesk.sample"_s;
        QCOMPARE(root.value(all), u"hour 29.5 0 59 60,hour 89.5 60 119 60,day 59.5 0 119 120"_s);
        QCOMPARE(op->value(u"SELECT idemdesk.maintain()"_s), u"{}"_s);
        QCOMPARE(root.value(all), u"hour 29.5 0 59 60,hour 89.5 60 119 60,day 59.5 0 119 120"_s);
    }

    void eventsAreCountedAndNeverRaise()
    {
        Connection &root = m_console->root();
        root.run(u"GRANT idemdesk_reporter TO service"_s);
        const auto service = m_console->as(u"service"_s);
        for (const QString &call : { u"'replay', 's', 2, 5"_s, u"'replay', 's', 1, 'NaN'"_s, u"'replay', 's', -7"_s,
                 u"NULL"_s, u"'replay', 's', 1, 9"_s, u"'', 's'"_s, u"'replay', 's', 9223372036854775807"_s }) {
            QCOMPARE(service->state(u"SELECT idemdesk.record_event("_s + call + u')'), QString());
        }
        QCOMPARE(
            root.value(
                u"SELECT concat_ws(' ', sum(n), sum(timed), sum(milliseconds), max(longest)) FROM idemdesk.event_seen"_s),
            u"1000000004 3 14 9"_s); // one call counts for so many at most
        QCOMPARE(service->state(u"SELECT * FROM idemdesk.event"_s), u"42501"_s);
        QCOMPARE(service->state(u"SELECT idemdesk.take_sample('k')"_s), u"42501"_s);
    }

    /// Each duration is within 5 % of its bin's middle, and a limit of two digits is a bound.
    void durationsFallIntoBinsOfTwoDigits()
    {
        Connection &root = m_console->root();
        QCOMPARE(root.value(u"SELECT string_agg(idemdesk._latency_bin(v)::text, ' ' ORDER BY n) FROM unnest(ARRAY[0, "
                            "0.0005, 0.001, 0.15, 1, 9.91, 10, 10.1, 49.9, 50, 50.1, 99.5, 150, 150.1, 1e9]::float8[]) "
                            "WITH ORDINALITY x (v, n)"_s),
            u"0.001 0.001 0.001 0.15 1 10 10 11 50 50 51 100 150 160 1000000000"_s);
        QCOMPARE(
            root.value(u"SELECT count(*) FROM (SELECT v, idemdesk._latency_bin(v) AS bin FROM (SELECT "
                       "power(10::float8, i / 97.0 - 2) AS v FROM generate_series(0, 1000) i) x) y WHERE v > bin OR "
                       "bin > v * 1.1"_s),
            u"0"_s);
        QCOMPARE(
            root.value(u"SELECT idemdesk._latency_bin(NULL) IS NULL AND "
                       "idemdesk._merged_bins('{\"3\": 1, \"50\": 2}', '{\"50\": 5}') = '{\"3\": 1, \"50\": 7}'"_s),
            u"t"_s);
    }

    void aTargetThatIsNotThereIsRefused()
    {
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.take_sample('nothing')"_s), u"ID005"_s);
        QCOMPARE(op->state(u"SELECT idemdesk._store_samples('k', 'app.k'::regclass, now(), '[]')"_s), u"42501"_s);
    }
};

QTEST_GUILESS_MAIN(SamplesTest)
#include "tst_samples.moc"
