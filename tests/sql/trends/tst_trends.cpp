// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_snapshot.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QTest>
#include <cmath>

using namespace idemdesk::sql;
using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

/// Series against a second SQL that shares nothing with the first: states and columns written out by hand, buckets by
/// comparison instead of by rounding.
class TrendsTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;

    QString psql(const QString &sql) { return m_cluster->psql(u"shop"_s, sql); }

    Target bound(const QString &profile)
    {
        const auto target = bindTarget(*m_session, shippedProfile(profile).value_or(Profile()));
        if (!target) {
            qFatal("%s", qPrintable(target.error().line() + target.error().detail));
        }
        return *target;
    }

    static TrendRequest request(const QString &metric, const QString &bucket, const char *since, const char *until)
    {
        TrendRequest request;
        request.metric = metric;
        request.bucket = bucket;
        request.since = Timestamp::parse(QString::fromLatin1(since));
        request.until = Timestamp::parse(QString::fromLatin1(until));
        return request;
    }

    static QString valuesOf(const TrendSeries &series)
    {
        QStringList texts;
        for (const auto &value : series.values) {
            texts += value ? QString::number(*value, 'f', 3) : u"-"_s;
        }
        return texts.join(u' ');
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>();
        m_cluster->createDatabase(u"shop"_s);
        for (int seed = 0; seed < 4; ++seed) {
            m_cluster->psqlFile(u"shop"_s, u"sql/demo/schema_00%1.sql"_s.arg(seed));
        }
        ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo(u"shop"_s);
        auto session = Session::open(settings, {});
        QVERIFY2(session.ok(), session ? "" : qPrintable(session.error().line()));
        m_session = std::move(*session);
        psql(
            u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            u"attempt_count, "
            "  locked_until, claimed_at, created_at, updated_at, expires_at) "
            "SELECT 'scope ' || (i * i) % 11, 'k' || i, 'h', "
            "  (ARRAY['processing', 'succeeded', 'succeeded', 'failed_retryable', 'failed_final'])[1 + i % "
            "5]::app.idempotency_status, "
            "  1 + (i * 7) % 4, CASE WHEN i % 5 = 0 THEN now() + ((i % 3) - 1) * interval '1 hour' END, at, at, at + i "
            "* interval '1 second', "
            "  at + interval '30 days' "
            "FROM generate_series(1, 400) AS i CROSS JOIN LATERAL (SELECT timestamptz '2026-03-01 00:07:11+00' + i * "
            "interval '17 min') x (at); "
            "INSERT INTO app.outbox_event (outbox_id, idempotency_scope, idempotency_key, aggregate_type, "
            "aggregate_id, event_type, payload, "
            "  status, attempt_count, created_at, published_at) "
            "SELECT gen_random_uuid(), 'scope 1', 'k' || i, 'order', gen_random_uuid(), 'type ' || i % 3, '{}', "
            "  CASE WHEN i % 4 = 0 THEN 'pending' ELSE 'published' END, i % 3, at, CASE WHEN i % 4 <> 0 THEN at + i * "
            "interval '1.5 second' END "
            "FROM generate_series(1, 300) AS i CROSS JOIN LATERAL (SELECT timestamptz '2026-03-01 00:07:11+00' + i * interval '23 min') x (at)"_s);
    }
    void cleanupTestCase()
    {
        m_session.reset();
        m_cluster.reset();
    }

    void seriesAreThoseOfASecondSql_data()
    {
        QTest::addColumn<QString>("profile");
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("where");
        const QString request = u"app.idempotency_request"_s;
        const QString outbox = u"app.outbox_event"_s;
        const auto row = [](const char *name, const QString &profile, const char *metric, const char *value,
                             const QString &table, const char *time, const char *where) {
            QTest::newRow(name) << profile << QString::fromLatin1(metric) << QString::fromLatin1(value) << table
                                << QString::fromLatin1(time) << QString::fromLatin1(where);
        };
        const QString command = u"plpgsql-request"_s;
        const QString event = u"plpgsql-outbox"_s;
        row("request claims", command, "claims", "count(r.*)", request, "created_at", "true");
        row("request retries", command, "retries", "coalesce(sum(r.attempt_count) - count(r.*), 0)", request,
            "created_at", "true");
        row("request retried keys", command, "retried_keys", "count(r.*)", request, "created_at", "attempt_count > 1");
        row("request retry ratio", command, "retry_ratio", "avg(r.attempt_count - 1)", request, "created_at", "true");
        row("request completions", command, "completions", "count(r.*)", request, "updated_at", "status = 'succeeded'");
        row("request final failures", command, "failures_final", "count(r.*)", request, "updated_at",
            "status = 'failed_final'");
        row("request retryable failures", command, "failures_retryable", "count(r.*)", request, "updated_at",
            "status = 'failed_retryable'");
        row("outbox claims", event, "claims", "count(r.*)", outbox, "created_at", "true");
        row("outbox retries", event, "retries", "coalesce(sum(greatest(r.attempt_count - 1, 0)), 0)", outbox,
            "created_at", "true");
        row("outbox completions", event, "completions", "count(r.*)", outbox, "published_at", "status = 'published'");
        row("outbox median", event, "time_to_complete_p50",
            "percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM r.published_at - r.created_at))", outbox,
            "published_at", "status = 'published'");
        row("outbox p99", event, "time_to_complete_p99",
            "percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM r.published_at - r.created_at))", outbox,
            "published_at", "status = 'published'");
    }
    void seriesAreThoseOfASecondSql()
    {
        QFETCH(QString, profile);
        QFETCH(QString, metric);
        QFETCH(QString, value);
        QFETCH(QString, table);
        QFETCH(QString, time);
        QFETCH(QString, where);
        const auto answer = readTrend(
            *m_session, bound(profile), request(metric, u"1h"_s, "2026-03-02 00:00:00+00", "2026-03-05 00:00:00+00"));
        QVERIFY2(answer.ok(), answer ? "" : qPrintable(answer.error().line() + answer.error().detail));
        const QString other = psql(
            u"SELECT string_agg(coalesce(to_char(v, 'FM999990.000'), '-'), ' ' ORDER BY b) FROM (SELECT b, "_s + value
            + u" AS v "
              "FROM generate_series(timestamptz '2026-03-02 00:00:00+00', '2026-03-04 23:00:00+00', '1 hour') b LEFT JOIN "_s
            + table + u" r ON r."_s + time + u" >= b AND r."_s + time + u" < b + interval '1 hour' AND ("_s + where
            + u") GROUP BY b) x"_s);

        QCOMPARE(answer->series.size(), 1);
        QCOMPARE(answer->buckets.size(), 72);
        QVERIFY(!answer->lastOpen);
        // Two sums of doubles may differ behind the third digit.
        const QStringList mine = valuesOf(answer->series.first()).split(u' ');
        const QStringList theirs = other.split(u' ');
        QCOMPARE(mine.size(), theirs.size());
        for (qsizetype i = 0; i < mine.size(); ++i) {
            QCOMPARE(mine.at(i) == u"-", theirs.at(i) == u"-");
            QVERIFY2(std::abs(mine.at(i).toDouble() - theirs.at(i).toDouble()) < 0.0015,
                qPrintable(mine.at(i) + u" is not "_s + theirs.at(i)));
        }
    }

    void scopesBeyondTheTopAreOther()
    {
        TrendRequest wanted = request(u"claims"_s, u"1w"_s, "2026-03-02 00:00:00+00", "2026-03-04 00:00:00+00");
        wanted.byScope = true;
        wanted.top = 3;
        const auto answer = readTrend(*m_session, bound(u"plpgsql-request"_s), wanted);
        QVERIFY(answer.ok());
        QStringList shown;
        for (const TrendSeries &series : answer->series) {
            shown += (series.other ? u"other"_s : series.scope.first().text) + u'='
                + QString::number(series.values.first().value_or(-1));
        }
        const QString top = psql(u"WITH g AS (SELECT idempotency_scope s, count(*) n FROM app.idempotency_request "
                                 "WHERE created_at >= '2026-03-02 00:00:00+00' AND created_at < '2026-03-04 "
                                 "00:00:00+00' GROUP BY 1), r AS (SELECT *, row_number() "
                                 "OVER (ORDER BY n DESC, s) k FROM g) SELECT string_agg(x, ',' ORDER BY k) FROM "
                                 "(SELECT s || '=' || n AS x, k FROM r WHERE k <= 3 "
                                 "UNION ALL SELECT 'other=' || sum(n), 9 FROM r WHERE k > 3) y"_s);
        QCOMPARE(shown.join(u','), top);
    }

    void aDayOfSummerTimeHasItsOwnLength()
    {
        TrendRequest wanted = request(u"claims"_s, u"1d"_s, "2026-03-28 12:00:00+00", "2026-03-31 00:00:00+00");
        wanted.zone = u"Europe/Berlin"_s;
        const auto days = readTrend(*m_session, bound(u"plpgsql-request"_s), wanted);
        QVERIFY(days.ok());
        QStringList starts;
        for (const Timestamp &start : days->buckets) {
            starts += start.toRfc3339().left(16);
        }
        QCOMPARE(starts.join(u' '), u"2026-03-27T23:00 2026-03-28T23:00 2026-03-29T22:00 2026-03-30T22:00"_s);
        wanted.bucket = u"1h"_s;
        wanted.since = Timestamp::parse(u"2026-03-28 23:00:00+00"_s);
        wanted.until = Timestamp::parse(u"2026-03-29 22:00:00+00"_s);
        const auto hours = readTrend(*m_session, bound(u"plpgsql-request"_s), wanted);
        QVERIFY(hours.ok());
        QCOMPARE(hours->buckets.size(), 23);
    }

    void beforeTheFirstRowIsAGapAndAfterItAreZeros()
    {
        const auto answer = readTrend(*m_session, bound(u"plpgsql-request"_s),
            request(u"claims"_s, u"1d"_s, "2026-02-27 00:00:00+00", "2026-03-08 00:00:00+00"));
        QVERIFY(answer.ok());
        const QStringList values = valuesOf(answer->series.first()).split(u' ');
        QCOMPARE(values.mid(0, 3).join(u' '), u"- - 84.000"_s);
        QCOMPARE(values.last(), u"0.000"_s);
        QCOMPARE(answer->notes.size(), 2);
    }

    void beforeItsOldestRowAScopeIsAGap_data()
    {
        QTest::addColumn<bool>("indexed");
        QTest::newRow("rows near the start, by an index") << true;
        QTest::newRow("the first rows of the table") << false;
    }
    void beforeItsOldestRowAScopeIsAGap()
    {
        QFETCH(bool, indexed);
        psql(indexed ? u"CREATE INDEX trend_times ON app.idempotency_request (created_at)"_s : u"SELECT 1"_s);
        const auto clean = qScopeGuard([this] {
            psql(u"DROP INDEX IF EXISTS app.trend_times; DELETE FROM app.idempotency_request WHERE "
                 "idempotency_scope IN ('purged', 'quiet')"_s);
        });
        psql(u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
             "claimed_at, created_at, updated_at, expires_at) SELECT s, 'late' || d, 'h', 'succeeded', at, at, at, "
             "at + interval '30 days' FROM (VALUES ('purged', 5), ('purged', 7), ('quiet', 1), ('quiet', 7)) x (s, d) "
             "CROSS JOIN LATERAL (SELECT timestamptz '2026-03-01 05:00:00+00' + (d - 1) * interval '1 day') y (at)"_s);
        TrendRequest wanted = request(u"claims"_s, u"1d"_s, "2026-03-04 00:00:00+00", "2026-03-09 00:00:00+00");
        wanted.byScope = true;
        wanted.top = 50;
        const auto answer = readTrend(*m_session, bound(u"plpgsql-request"_s), wanted);
        QVERIFY2(answer.ok(), answer ? "" : qPrintable(answer.error().line() + answer.error().detail));
        QHash<QString, QString> values;
        for (const TrendSeries &series : answer->series) {
            values.insert(series.scope.first().text, valuesOf(series));
        }
        QCOMPARE(values.value(u"purged"_s), u"- 1.000 0.000 1.000 0.000"_s);
        QCOMPARE(values.value(u"quiet"_s), u"0.000 0.000 0.000 1.000 0.000"_s); // it has an older row
        QCOMPARE(answer->notes.filter(u"scope's oldest row"_s).size(), 1);
        // Of what only some rows count for: they do not tell when the scope began, its other rows do.
        psql(u"UPDATE app.idempotency_request SET status = 'failed_final', updated_at = created_at WHERE "
             "idempotency_scope IN ('purged', 'quiet') AND idempotency_key = 'late7'"_s);
        wanted.metric = u"failures_final"_s;
        const auto failures = readTrend(*m_session, bound(u"plpgsql-request"_s), wanted);
        QVERIFY(failures.ok());
        for (const TrendSeries &series : failures->series) {
            values.insert(series.scope.value(0).text, valuesOf(series));
        }
        QCOMPARE(values.value(u"purged"_s), u"- 0.000 0.000 1.000 0.000"_s);
        QCOMPARE(values.value(u"quiet"_s), u"0.000 0.000 0.000 1.000 0.000"_s);
    }

    void theFutureIsNeitherShownNorCounted()
    {
        psql(u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
             u"created_at, expires_at) VALUES "
             "('late', 'now', 'h', 'succeeded', now() - interval '1 second', 'infinity'), "
             "('late', 'future', 'h', 'succeeded', now() + interval '2 hours', 'infinity')"_s);
        TrendRequest wanted = request(u"claims"_s, u"1h"_s, "2026-02-27 00:00:00+00", "2100-01-01 00:00:00+00");
        wanted.since.reset();
        wanted.spanSeconds = 7200;
        const auto answer = readTrend(*m_session, bound(u"plpgsql-request"_s), wanted);
        psql(u"DELETE FROM app.idempotency_request WHERE idempotency_scope = 'late'"_s);
        QVERIFY(answer.ok());
        QVERIFY(answer->lastOpen);
        QCOMPARE(answer->end, answer->now);
        double sum = 0;
        for (const auto &value : answer->series.first().values) {
            sum += value.value_or(0);
        }
        QCOMPARE(sum, 1.0);
    }

    void gaugesKnowOnlyThePresent_data()
    {
        QTest::addColumn<QString>("profile");
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QString>("sql");
        QTest::newRow("stale")
            << u"plpgsql-request"_s << u"stale"_s
            << u"SELECT count(*) FROM app.idempotency_request WHERE status = 'processing' AND locked_until < now()"_s;
        QTest::newRow("in progress") << u"plpgsql-request"_s << u"in_progress"_s
                                     << u"SELECT count(*) FROM app.idempotency_request WHERE status = 'processing'"_s;
        QTest::newRow("backlog") << u"plpgsql-outbox"_s << u"backlog"_s
                                 << u"SELECT count(*) FROM app.outbox_event WHERE status = 'pending'"_s;
        QTest::newRow("oldest")
            << u"plpgsql-outbox"_s << u"oldest_backlog"_s
            << u"SELECT extract(epoch FROM now() - min(created_at)) FROM app.outbox_event WHERE status = 'pending'"_s;
    }
    void gaugesKnowOnlyThePresent()
    {
        QFETCH(QString, profile);
        QFETCH(QString, metric);
        QFETCH(QString, sql);
        TrendRequest wanted;
        wanted.metric = metric;
        const auto answer = readTrend(*m_session, bound(profile), wanted);
        QVERIFY2(answer.ok(), answer ? "" : qPrintable(answer.error().line() + answer.error().detail));
        const auto &values = answer->series.first().values;
        for (qsizetype i = 0; i + 1 < values.size(); ++i) {
            QVERIFY(!values.at(i));
        }
        QVERIFY(values.last());
        QVERIFY(std::abs(*values.last() - psql(sql).toDouble()) < 30);
        QVERIFY(*values.last() > 0);
    }

    void everyShippedProfileAnswersOrSaysWhatIsMissing_data()
    {
        QTest::addColumn<QString>("name");
        for (const Profile &profile : shippedProfiles()) {
            QTest::newRow(qPrintable(profile.name)) << profile.name;
        }
    }
    void everyShippedProfileAnswersOrSaysWhatIsMissing()
    {
        QFETCH(QString, name);
        const Target target = bound(name);
        const auto metrics = trendMetrics(target);
        QVERIFY(metrics.size() >= 16);
        for (const TrendMetric &metric : metrics) {
            TrendRequest wanted;
            wanted.metric = metric.id;
            wanted.byScope = true;
            const auto answer = readTrend(*m_session, target, wanted);
            QVERIFY2(answer.ok() == metric.available(),
                qPrintable(metric.id + u": "_s + (answer ? QString() : answer.error().line() + answer.error().detail)));
            QVERIFY(answer.ok() || answer.error().kind == ErrorKind::NotSaid);
        }
    }

    void wrongRequestsAreRefused_data()
    {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QString>("bucket");
        QTest::addColumn<qint64>("span");
        QTest::newRow("no such metric") << u"claims; DROP TABLE x"_s << u"1h"_s << qint64(3600);
        QTest::newRow("does not divide a day") << u"claims"_s << u"7h"_s << qint64(3600);
        QTest::newRow("not a length") << u"claims"_s << u"hour"_s << qint64(3600);
        QTest::newRow("nothing") << u"claims"_s << u"0s"_s << qint64(3600);
        QTest::newRow("too many points") << u"claims"_s << u"1m"_s << qint64(2 * 86'400);
    }
    void wrongRequestsAreRefused()
    {
        QFETCH(QString, metric);
        QFETCH(QString, bucket);
        QFETCH(qint64, span);
        TrendRequest wanted;
        wanted.metric = metric;
        wanted.bucket = bucket;
        wanted.spanSeconds = span;
        const auto answer = readTrend(*m_session, bound(u"plpgsql-request"_s), wanted);
        QVERIFY(!answer.ok());
        QCOMPARE(answer.error().kind, ErrorKind::Usage);
    }

    void anEmptyRangeIsNoError()
    {
        const auto answer = readTrend(*m_session, bound(u"plpgsql-request"_s),
            request(u"claims"_s, u"1h"_s, "2026-03-05 00:00:00+00", "2026-03-04 00:00:00+00"));
        QVERIFY(answer.ok());
        QVERIFY(answer->buckets.isEmpty());
        QVERIFY(answer->series.isEmpty());
    }

    void snapshotOfEachShippedTable_data()
    {
        QTest::addColumn<QString>("name");
        for (const Profile &profile : shippedProfiles()) {
            QTest::newRow(qPrintable(profile.name)) << profile.name;
        }
    }

    void snapshotOfEachShippedTable()
    {
        QFETCH(QString, name);
        const Target target = bound(name);
        const auto values = readSnapshot(*m_session, target);
        QVERIFY2(values.ok(), qPrintable(values.ok() ? QString() : values.error().line() + values.error().detail));
        double rows = 0;
        bool size = false;
        for (const SnapshotValue &value : *values) {
            rows += value.metric.startsWith(u"state_") ? value.value : 0;
            size = size
                || (value.metric == u"size" && value.value >= 0); // a partitioned table without partitions has none
        }
        QVERIFY(size);
        QCOMPARE(QString::number(rows), psql(u"SELECT count(*) FROM "_s + target.profile.relation));
    }

    void snapshotSaysWhatASecondSqlSays()
    {
        const auto values = readSnapshot(*m_session, bound(u"plpgsql-request"_s));
        QVERIFY(values.ok());
        const auto sum = [&values](const QString &metric) {
            double total = 0;
            for (const SnapshotValue &value : *values) {
                total += value.metric == metric ? value.value : 0;
            }
            return QString::number(total);
        };
        QCOMPARE(sum(u"stale"_s),
            psql(
                u"SELECT count(*) FROM app.idempotency_request WHERE status = 'processing' AND locked_until < now()"_s));
        QCOMPARE(sum(u"retry_count"_s), psql(u"SELECT sum(attempt_count - 1) FROM app.idempotency_request"_s));
        QCOMPARE(sum(u"state_failed_final"_s),
            psql(u"SELECT count(*) FROM app.idempotency_request WHERE status = 'failed_final'"_s));
        QCOMPARE(sum(u"claims"_s), u"0"_s); // none in the last minute
        QCOMPARE(sum(u"size"_s), psql(u"SELECT pg_total_relation_size('app.idempotency_request')"_s));
    }
};

QTEST_GUILESS_MAIN(TrendsTest)
#include "tst_trends.moc"
