// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/sample_schedule.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_samples.h"
#include "sql/trends/trend_snapshot.h"
#include "tests/support/console_fixture.h"
#include "tests/support/registered_table.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// Series from samples, over samples whose numbers are known.
class SampledTrendsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_fixture = std::make_unique<ConsoleFixture>(); }
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void cleanup() { m_session.reset(); }

    void gaugeIsTheMeanOfItsSamples();
    void ageIsTheHighest();
    void flowIsReckonedFromTheSampledMinutes();
    void hoursAndFreshMinutesMakeOneSeries();
    void sampleOfTheTableIsItsSnapshot();
    void scopesBeyondTheLargestAreOne();
    void whatServicesReport();
    void whatTheTrailTells();
    void saysWhyThereIsNone_data();
    void saysWhyThereIsNone();
    void theScriptHasTheSettingsOfPgCron();

private:
    void put(const QString &resolution, const QString &at, const QString &metric, const QString &scope, double value,
        int samples = 1);
    sql::Result<sql::TrendAnswer> read(
        const QString &metric, const QString &bucket, bool byScope = false, const QString &name = u"k2"_s);
    static QString values(const sql::TrendSeries &series);

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<sql::Session> m_session;
    RegisteredTable m_table;
};

/// What goes into the server's settings is among the lines to copy, and does no harm where all of them are run.
void SampledTrendsTest::theScriptHasTheSettingsOfPgCron()
{
    QVERIFY(m_fixture->root().run(u"GRANT pg_read_all_settings TO op"_s).ok());
    auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
    const auto schedule = sql::readSampleSchedule(*session);
    QVERIFY(m_fixture->root().run(u"REVOKE pg_read_all_settings FROM op"_s).ok()); // roles outlive the database
    QVERIFY(schedule.ok());
    QCOMPARE(schedule->state, sql::SampleSchedule::State::NoExtension);
    QVERIFY2(!schedule->why.contains(u"shared_preload"_s), qPrintable(schedule->why));
    QCOMPARE(schedule->script.section(u'\n', 0, 2),
        u"-- shared_preload_libraries = 'pg_cron'\n-- cron.database_name = '%1'\nCREATE EXTENSION pg_cron;"_s.arg(
            m_fixture->database()));
}

void SampledTrendsTest::init()
{
    m_fixture->fresh([this] {
        QVERIFY(m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm"_s)
                    .ok());
        m_table = registerTable(*m_fixture);
    });
    m_session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Background);
    QVERIFY(m_fixture->root()
                .run(u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_span('sample_minute', 'day', '2026-03-02 "
                     u"00:00+00'), "
                     "idemdesk._ensure_span('sample_hour', 'month', '2026-03-02 00:00+00'); RESET ROLE"_s)
                .ok());
}

void SampledTrendsTest::put(const QString &resolution, const QString &at, const QString &metric, const QString &scope,
    double value, int samples)
{
    const auto done
        = m_fixture->root().run(u"INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, "
                                u"lowest, highest, samples) VALUES ($1, $2::timestamptz, 'k2', $3, $4, "
                                "$5::float8, $5::float8 - 1, $5::float8 + 1, $6::bigint)"_s,
            { resolution, u"2026-03-02 "_s + at + u"+00"_s, metric, scope, QString::number(value),
                QString::number(samples) });
    QVERIFY2(done.ok(), qPrintable(done.value()));
    // As a sampler does: each sample has the table's size, once.
    QVERIFY(m_fixture->root()
                .run(u"INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, lowest, "
                     u"highest, samples) VALUES ($1, $2::timestamptz, 'k2', 'size', '[]', 8192, 8192, 8192, "
                     "$3::bigint) ON CONFLICT DO NOTHING"_s,
                    { resolution, u"2026-03-02 "_s + at + u"+00"_s, QString::number(samples) })
                .ok());
}

sql::Result<sql::TrendAnswer> SampledTrendsTest::read(
    const QString &metric, const QString &bucket, bool byScope, const QString &name)
{
    sql::TrendRequest request;
    request.metric = metric;
    request.source = sql::TrendSource::Samples;
    request.registeredName = name;
    request.bucket = bucket;
    request.byScope = byScope;
    request.since = sql::Timestamp::parse(u"2026-03-02 10:00:00+00"_s);
    request.until = sql::Timestamp::parse(u"2026-03-02 13:00:00+00"_s);
    return sql::readTrend(*m_session, m_table.target, request);
}

QString SampledTrendsTest::values(const sql::TrendSeries &series)
{
    QStringList texts;
    for (const auto &value : series.values) {
        texts += value ? QString::number(*value) : u"-"_s;
    }
    return texts.join(u' ');
}

void SampledTrendsTest::gaugeIsTheMeanOfItsSamples()
{
    put(u"minute"_s, u"10:00"_s, u"stale"_s, u"[\"a\"]"_s, 4);
    put(u"minute"_s, u"10:10"_s, u"stale"_s, u"[\"a\"]"_s, 6);
    put(u"minute"_s, u"10:10"_s, u"stale"_s, u"[\"b\"]"_s, 10); // at 10:00 there was no key of b: 0
    put(u"minute"_s, u"12:10"_s, u"size"_s, u"[]"_s,
        8'192); // sampled, as the table's size in each sample tells, and nothing stale
    const auto all = read(u"stale"_s, u"1h"_s);
    QVERIFY2(all.ok(), qPrintable(all.ok() ? QString() : all.error().line() + all.error().detail));
    QCOMPARE(all->series.size(), 1);
    QCOMPARE(values(all->series.first()), u"10 - 0"_s); // (4 + 16) / 2; nobody sampled at eleven
    QVERIFY2(all->notes.join(u' ').contains(u"in 3 of 180 minutes"_s), qPrintable(all->notes.join(u' ')));
    QCOMPARE(all->source, sql::TrendSource::Samples);
    const auto scopes = read(u"stale"_s, u"1h"_s, true);
    QVERIFY(scopes.ok());
    QCOMPARE(scopes->series.size(), 2);
    QCOMPARE(values(scopes->series.at(0)), u"5 - 0"_s);
    QCOMPARE(scopes->series.at(0).scope.first().text, u"a"_s);
    QCOMPARE(values(scopes->series.at(1)), u"5 - 0"_s);
    const auto minutes = read(u"stale"_s, u"5m"_s);
    QVERIFY(minutes.ok());
    QVERIFY2(values(minutes->series.first()).startsWith(u"4 - 16 - -"_s), qPrintable(values(minutes->series.first())));
}

void SampledTrendsTest::ageIsTheHighest()
{
    put(u"minute"_s, u"10:00"_s, u"oldest_stale"_s, u"[\"a\"]"_s, 100);
    put(u"minute"_s, u"10:01"_s, u"oldest_stale"_s, u"[\"b\"]"_s, 300);
    const auto answer = read(u"oldest_stale"_s, u"1h"_s);
    QVERIFY(answer.ok());
    QCOMPARE(values(answer->series.first()), u"301 - -"_s);
}

void SampledTrendsTest::flowIsReckonedFromTheSampledMinutes()
{
    put(u"minute"_s, u"10:00"_s, u"retries"_s, u"[\"a\"]"_s, 2);
    put(u"minute"_s, u"10:30"_s, u"retries"_s, u"[\"a\"]"_s, 4);
    put(u"minute"_s, u"11:30"_s, u"size"_s, u"[]"_s, 8'192);
    const auto answer = read(u"failures_final"_s, u"1h"_s);
    QVERIFY2(answer.ok(), qPrintable(answer.ok() ? QString() : answer.error().line()));
    QCOMPARE(values(answer->series.first()), u"0 0 -"_s);
    const auto retries = read(u"completions"_s, u"1h"_s);
    QVERIFY(retries.ok());
    put(u"minute"_s, u"10:00"_s, u"completions"_s, u"[\"a\"]"_s, 2);
    put(u"minute"_s, u"10:30"_s, u"completions"_s, u"[\"a\"]"_s, 4);
    QCOMPARE(values(read(u"completions"_s, u"1h"_s)->series.first()), u"180 0 -"_s); // three a minute
}

void SampledTrendsTest::hoursAndFreshMinutesMakeOneSeries()
{
    put(u"hour"_s, u"10:00"_s, u"stale"_s, u"[\"a\"]"_s, 7, 60);
    put(u"minute"_s, u"10:59"_s, u"stale"_s, u"[\"a\"]"_s, 1'000); // is in the hour already
    put(u"minute"_s, u"11:00"_s, u"stale"_s, u"[\"a\"]"_s, 3);
    put(u"minute"_s, u"11:01"_s, u"stale"_s, u"[\"a\"]"_s, 5);
    const auto answer = read(u"stale"_s, u"1h"_s);
    QVERIFY(answer.ok());
    QCOMPARE(values(answer->series.first()), u"7 4 -"_s);
}

void SampledTrendsTest::sampleOfTheTableIsItsSnapshot()
{
    const auto write = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
    const auto stored = sql::takeSample(*write, u"k2"_s);
    QVERIFY2(stored.ok(), qPrintable(stored.ok() ? QString() : stored.error().line() + stored.error().detail));
    QVERIFY(*stored > 10);
    QCOMPARE(m_fixture->root().value(u"SELECT sum(value) FROM idemdesk.sample WHERE metric = 'stale'"_s),
        m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE status = 'processing' AND locked_until < now()"_s));
    QCOMPARE(
        m_fixture->root().value(u"SELECT count(*) FROM idemdesk.sample WHERE metric = 'oldest_stale' AND value > 0"_s)
            != u"0",
        true);
}

void SampledTrendsTest::scopesBeyondTheLargestAreOne()
{
    QVERIFY(
        m_fixture->root()
            .run(
                u"INSERT INTO app.k (tenant, key, status, locked_until, attempts) SELECT 'user ' || i, 'x', 'processing', now() - i * interval '1 s', 1 FROM generate_series(1, 300) i"_s)
            .ok());
    const QString all
        = m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE status = 'processing' AND locked_until < now()"_s);
    const auto write = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
    QVERIFY(sql::takeSample(*write, u"k2"_s).ok());
    QCOMPARE(m_fixture->root().value(
                 u"SELECT count(DISTINCT scope) || ' ' || sum(value) FROM idemdesk.sample WHERE metric = 'stale'"_s),
        u"101 "_s + all);
    QVERIFY(m_fixture->root().value(u"SELECT max(value) >= 300 FROM idemdesk.sample WHERE metric = 'oldest_stale'"_s)
        == u"t");
    sql::TrendRequest request;
    request.metric = u"stale"_s;
    request.source = sql::TrendSource::Samples;
    request.registeredName = u"k2"_s;
    request.bucket = u"1m"_s;
    request.spanSeconds = 300;
    request.byScope = true;
    request.top = 3;
    const auto answer = sql::readTrend(*m_session, m_table.target, request);
    QVERIFY(answer.ok());
    QCOMPARE(answer->series.size(), 4);
    QVERIFY(answer->series.constLast().other);
    const auto values = sql::readSnapshot(*m_session, m_table.target);
    QVERIFY(values.ok());
    QCOMPARE(std::count_if(values->begin(), values->end(),
                 [](const sql::SnapshotValue &value) { return value.metric == u"stale"; }),
        101);
}

void SampledTrendsTest::whatServicesReport()
{
    const auto none = read(u"replays"_s, u"1h"_s);
    QVERIFY2(none.ok(), qPrintable(none.ok() ? QString() : none.error().line() + none.error().detail));
    QCOMPARE(values(none->series.first()), u"- - -"_s); // nobody reports: not a zero
    QVERIFY2(none->notes.join(u' ').contains(u"record_event('replay')"_s), qPrintable(none->notes.join(u' ')));
    QVERIFY(
        m_fixture->root()
            .run(
                u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_span('event', 'day', '2026-03-02 00:00+00'); RESET "
                u"ROLE; "
                "INSERT INTO idemdesk.event (bucket_start, kind, scope, slot, n, timed, milliseconds, longest) VALUES "
                "('2026-03-02 11:00+00', 'replay', 'a', 1, 2, 0, 0, NULL), ('2026-03-02 11:59+00', 'replay', 'b', 2, "
                "5, 0, 0, NULL), "
                "('2026-03-02 10:00+00', 'check', '', 1, 4, 2, 30, 20), ('2026-03-02 10:01+00', 'check', '', 1, 1, 1, "
                "60, 60), "
                "('2026-03-02 12:01+00', 'cache_hit', '', 1, 3, 0, 0, NULL), ('2026-03-02 12:02+00', 'cache_miss', '', 1, 1, 0, 0, NULL)"_s)
            .ok());
    const auto replays = read(u"replays"_s, u"1h"_s);
    QVERIFY(replays.ok());
    QCOMPARE(values(replays->series.first()), u"- 7 0"_s);
    const auto scopes = read(u"replays"_s, u"1h"_s, true);
    QVERIFY(scopes.ok());
    QCOMPARE(scopes->series.size(), 2);
    QCOMPARE(scopes->series.first().scope.first().text, u"b"_s);
    QCOMPARE(values(scopes->series.first()), u"- 5 0"_s);
    const auto checks = read(u"check_time"_s, u"1h"_s);
    QVERIFY(checks.ok());
    QCOMPARE(values(checks->series.first()), u"0.03 - -"_s); // 90 ms over three that were timed
    const auto hits = read(u"cache_hit_ratio"_s, u"1h"_s);
    QVERIFY(hits.ok());
    QCOMPARE(values(hits->series.first()), u"- - 0.75"_s);
    // Bins of minutes, slots and scopes are added: 98 of 3 ms, one of 40 and one of 200, whoever reported them.
    const auto binned = m_fixture->root().run(
        u"INSERT INTO idemdesk.event (bucket_start, kind, scope, slot, n, timed, milliseconds, bins) VALUES "
        "('2026-03-02 11:00+00', 'check', 'a', 1, 48, 48, 144, '{\"3\": 48}'), "
        "('2026-03-02 11:20+00', 'check', 'b', 2, 51, 51, 190, '{\"3\": 50, \"40\": 1}'), "
        "('2026-03-02 11:20+00', 'check', 'a', 3, 1, 1, 200, '{\"200\": 1}')"_s);
    QVERIFY2(binned.ok(), qPrintable(binned.message));
    const auto at = [&](const QString &metric, bool byScope = false) {
        const auto answer = read(metric, u"1h"_s, byScope);
        return answer ? values(answer->series.first()) : answer.error().line();
    };
    QCOMPARE(at(u"check_time_p50"_s), u"- 0.00295 -"_s);
    QCOMPARE(at(u"check_time_p95"_s), u"- 0.00295 -"_s);
    QCOMPARE(at(u"check_time_p99"_s), u"- 0.0395 -"_s);
    QCOMPARE(at(u"check_time_p99"_s, true), u"- 0.195 -"_s); // of scope a, which is the slowest
    QCOMPARE(at(u"cache_time_p99"_s), u"- - -"_s); // nobody timed it
}

void SampledTrendsTest::whatTheTrailTells()
{
    auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(
        m_fixture->open(*op, id, u"recover"_s, m_fixture->frozen(u"status = 'processing' AND locked_until < now()"_s))
            .ok());
    const int done = QJsonDocument::fromJson(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1).toUtf8())
                         .object()
                         .value(u"done"_s)
                         .toInt();
    QVERIFY(done > 0);
    sql::TrendRequest request;
    request.metric = u"recoveries"_s;
    request.source = sql::TrendSource::Samples;
    request.registeredName = u"k"_s;
    request.bucket = u"1h"_s;
    const auto answer = sql::readTrend(*m_session, m_table.target, request);
    QVERIFY2(answer.ok(), qPrintable(answer.ok() ? QString() : answer.error().line() + answer.error().detail));
    QCOMPARE(answer->series.size(), 1);
    QCOMPARE(answer->series.first().values.last().value_or(-1), double(done));
    QVERIFY(!answer->series.first().values.first()); // before it was registered
    request.metric = u"purged"_s;
    const auto purged = sql::readTrend(*m_session, m_table.target, request);
    QVERIFY(purged.ok());
    QCOMPARE(purged->series.first().values.last().value_or(-1), 0.0);
}

void SampledTrendsTest::saysWhyThereIsNone_data()
{
    QTest::addColumn<QString>("metric");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("why");
    QTest::newRow("a share") << u"retry_ratio"_s << u"k2"_s << u"counts and ages"_s;
    QTest::newRow("not registered") << u"stale"_s << QString() << u"not registered"_s;
}

void SampledTrendsTest::saysWhyThereIsNone()
{
    QFETCH(QString, metric);
    QFETCH(QString, name);
    QFETCH(QString, why);
    const auto answer = read(metric, u"1h"_s, false, name);
    QVERIFY(!answer.ok());
    QVERIFY2(answer.error().why.contains(why), qPrintable(answer.error().line()));
}

QTEST_GUILESS_MAIN(SampledTrendsTest)
#include "tst_sampled_trends.moc"
