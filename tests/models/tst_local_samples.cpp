// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/sampler.h"
#include "models/trends/trend_controller.h"
#include "sql/lanes/database.h"
#include "sql/local/local_samples.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_samples.h"
#include "tests/support/registered_table.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

namespace {

constexpr qint64 kBase = 1'772'445'600; // 2026-03-02 10:00 UTC

sql::SnapshotValue number(const QString &metric, const QString &scope, double value)
{
    sql::SnapshotValue one;
    one.metric = metric;
    if (scope == u"-") {
        one.other = true;
    } else if (!scope.isEmpty()) {
        one.scope = { sql::Cell::of(scope) };
    }
    one.value = value;
    return one;
}

} // namespace

/// Samples kept on this computer: they say what the server's would, and survive what may happen to a file.
class LocalSamplesTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    RegisteredTable m_table;
    std::unique_ptr<sql::Session> m_session;
    std::unique_ptr<QTemporaryDir> m_folder;

    sql::LocalPlace place(const QString &server = u"shop on here"_s) const
    {
        return { m_folder->filePath(u"data/samples.sqlite"_s), server };
    }

    static sql::TrendRequest request(const QString &metric, const QString &bucket, bool byScope)
    {
        sql::TrendRequest request;
        request.metric = metric;
        request.source = sql::TrendSource::Samples;
        request.bucket = bucket;
        request.byScope = byScope;
        request.top = 2;
        request.since = sql::Timestamp { sql::Timestamp::Kind::Finite, kBase * 1'000'000 };
        request.until = sql::Timestamp { sql::Timestamp::Kind::Finite, (kBase + 3 * 3'600) * 1'000'000 };
        return request;
    }

    sql::TrendMetric metric(const QString &id) const
    {
        for (const sql::TrendMetric &one : sql::trendMetrics(m_table.target)) {
            if (one.id == id) {
                return one;
            }
        }
        return {};
    }

    static QString textOf(const sql::TrendAnswer &answer)
    {
        QStringList lines;
        for (const sql::TrendSeries &series : answer.series) {
            QStringList values { series.other ? u"other"_s
                    : series.scope.isEmpty()  ? u"all"_s
                                              : series.scope.first().text };
            for (const auto &value : series.values) {
                values += value ? QString::number(*value, 'g', 8) : u"-"_s;
            }
            lines += values.join(u' ');
        }
        lines.sort();
        return lines.join(u'\n');
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
        m_folder = std::make_unique<QTemporaryDir>();
        m_fixture->fresh();
        QVERIFY(m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm"_s)
                    .ok());
        m_table = registerTable(*m_fixture);
        m_session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Background);
    }
    void cleanup() { m_session.reset(); }

    void saysWhatTheServersSamplesSay_data()
    {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QString>("bucket");
        QTest::addColumn<bool>("byScope");
        for (const char *name : { "stale", "oldest_stale", "deadlocks" }) {
            for (const char *bucket : { "5m", "1h", "1d" }) {
                for (const bool byScope : { false, true }) {
                    QTest::addRow("%s each %s%s", name, bucket, byScope ? " by scope" : "")
                        << QString::fromLatin1(name) << QString::fromLatin1(bucket) << byScope;
                }
            }
        }
    }
    void saysWhatTheServersSamplesSay()
    {
        QFETCH(QString, metric);
        QFETCH(QString, bucket);
        QFETCH(bool, byScope);
        auto samples = sql::LocalSamples::open(place());
        QVERIFY2(samples.ok(), samples.ok() ? "" : qPrintable(samples.error().line() + samples.error().detail));
        QVERIFY(
            m_fixture->root()
                .run(
                    u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_span('sample_minute', 'day', '2026-03-02 00:00+00'); RESET ROLE"_s)
                .ok());
        QString sql;
        for (int minute = 0; minute < 150; minute += minute % 7 == 0 ? 2 : 1) { // some minutes were not sampled
            QList<sql::SnapshotValue> values;
            for (const char *scope : { "a", "b", "c", "-" }) {
                if ((minute + scope[0]) % 5 != 0) { // and in some a scope had no row
                    values += number(metric, QString::fromLatin1(scope), (minute * 7 + scope[0]) % 23);
                }
            }
            values += number(u"state_succeeded"_s, u"a"_s, 1);
            sql::SnapshotValue size = number(u"size"_s, {}, 8'192); // as each sample has it, once
            values += size;
            const auto stored = (*samples)->store(u"k2"_s, kBase + minute * 60, values);
            QVERIFY(stored.ok() && *stored == values.size());
            for (const sql::SnapshotValue &value : values) {
                const QString scope = value.other ? u"-"_s
                    : value.scope.isEmpty()       ? u"[]"_s
                                                  : u"[\"%1\"]"_s.arg(value.scope.first().text);
                sql += u"INSERT INTO idemdesk.sample (resolution, bucket_start, target, metric, scope, value, lowest, highest, samples) VALUES ('minute', to_timestamp(%1), 'k2', '%2', '%3', %4, %4, %4, 1);"_s
                           .arg(kBase + minute * 60)
                           .arg(value.metric.startsWith(u"state_") ? value.metric.mid(6) : value.metric, scope)
                           .arg(value.value);
            }
        }
        QVERIFY(m_fixture->root().run(sql).ok());
        sql::TrendRequest wanted = request(metric, bucket, byScope);
        const auto local = (*samples)->trend(*m_session, u"k2"_s, this->metric(metric), wanted);
        QVERIFY2(local.ok(), local.ok() ? "" : qPrintable(local.error().line() + local.error().detail));
        wanted.registeredName = u"k2"_s;
        const auto served = sql::readSampledTrend(*m_session, this->metric(metric), wanted);
        QVERIFY(served.ok());
        QCOMPARE(textOf(*local), textOf(*served));
        QVERIFY(local->series.size() == (byScope ? 3 : 1));
    }

    /// Where a bucket holds many hours, how far a level went within it is read, too; of what happens there is no such.
    void aLevelByTheDayHasItsHours_data()
    {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QString>("bucket");
        QTest::addColumn<bool>("hours");
        QTest::newRow("a level by the day") << u"stale"_s << u"1d"_s << true;
        QTest::newRow("a level by a quarter of a day") << u"stale"_s << u"6h"_s << true;
        QTest::newRow("a level by the hour") << u"stale"_s << u"1h"_s << false;
    }
    void aLevelByTheDayHasItsHours()
    {
        QFETCH(QString, metric);
        QFETCH(QString, bucket);
        QFETCH(bool, hours);
        constexpr qint64 kMidnight = kBase - 10 * 3'600;
        auto samples = sql::LocalSamples::open(place());
        for (int hour = 0; hour < 72; ++hour) {
            QVERIFY((*samples)->store(u"k2"_s, kMidnight + hour * 3'600, { number(u"stale"_s, {}, hour) }).ok());
        }
        sql::ConnectionSettings settings;
        settings.conninfo = m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database());
        sql::Database database(settings);
        database.open();
        TrendController trends;
        trends.setDatabase(&database);
        trends.setLocalPlace(place());
        TrendChoice choice;
        choice.metric = metric;
        choice.source = sql::TrendSource::Samples;
        choice.bucket = bucket;
        choice.since = sql::Timestamp { sql::Timestamp::Kind::Finite, kMidnight * 1'000'000 };
        choice.until = sql::Timestamp { sql::Timestamp::Kind::Finite, (kMidnight + 72 * 3'600) * 1'000'000 };
        TargetEntry entry;
        entry.target = m_table.target;
        trends.choose(choice);
        trends.setTarget(entry);
        QTRY_VERIFY2_WITH_TIMEOUT(
            trends.answer() && !trends.busy(), trends.error() ? qPrintable(trends.error()->line()) : "", 20'000);
        QCOMPARE(trends.hours().has_value(), hours);
        if (bucket == u"1d" && hours) {
            TrendPicture picture = trendPicture(*trends.answer(), nullptr, false, {});
            addBands(&picture, *trends.answer(), *trends.hours());
            QCOMPARE(picture.lines.at(0).runs.at(0).at(1).y(), 35.5); // the mean of 24 to 47
            QCOMPARE(bandAt(picture.lines.at(0), picture.lines.at(0).runs.at(0).at(1).x()),
                std::optional(std::pair(24.0, 47.0)));
        }
        trends.setDatabase(nullptr);
    }

    void ofOneMinuteOneSampleIsKept()
    {
        auto one = sql::LocalSamples::open(place());
        auto two = sql::LocalSamples::open(place()); // another console
        QCOMPARE(*(*one)->store(u"k2"_s, kBase, { number(u"stale"_s, u"a"_s, 4) }), 1);
        QCOMPARE(*(*two)->store(u"k2"_s, kBase, { number(u"stale"_s, u"a"_s, 9) }), 0);
        const auto answer = (*two)->trend(*m_session, u"k2"_s, metric(u"stale"_s), request(u"stale"_s, u"1h"_s, false));
        QCOMPARE(answer->series.first().values.first().value_or(-1), 4.0);
        // Another server's and another table's samples are others.
        auto elsewhere = sql::LocalSamples::open(place(u"shop on there"_s));
        QCOMPARE(*(*elsewhere)->store(u"k2"_s, kBase, { number(u"stale"_s, u"a"_s, 9) }), 1);
        QCOMPARE(*(*one)->store(u"k3"_s, kBase, { number(u"stale"_s, u"a"_s, 9) }), 1);
        QCOMPARE(textOf(*(*one)->trend(*m_session, u"k2"_s, metric(u"stale"_s), request(u"stale"_s, u"1h"_s, false))),
            u"all 4 - -"_s);
        QCOMPARE(QFile::permissions(place().file)
                & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
            QFile::Permissions());
    }

    void oldMinutesBecomeHours()
    {
        auto samples = sql::LocalSamples::open(place());
        for (int minute = 0; minute < 60; ++minute) {
            QVERIFY((*samples)->store(u"k2"_s, kBase + minute * 60, { number(u"stale"_s, u"a"_s, minute) }).ok());
        }
        QVERIFY((*samples)
                    ->store(u"k2"_s, kBase + 20 * 86'400, { number(u"stale"_s, u"a"_s, 1) })
                    .ok()); // twenty days later
        const auto hours
            = (*samples)->trend(*m_session, u"k2"_s, metric(u"stale"_s), request(u"stale"_s, u"1h"_s, false));
        QCOMPARE(textOf(*hours), u"all 29.5 - -"_s);
        const auto minutes = (*samples)->minutes(u"k2"_s, { u"stale"_s, u"rows"_s }, 30 * 86'400,
            sql::Timestamp { sql::Timestamp::Kind::Finite, (kBase + 20 * 86'400) * 1'000'000 });
        QCOMPARE(minutes->values.value(u"stale"_s).size(), 1);
    }

    void aBrokenFileSaysSo()
    {
        QVERIFY(QDir().mkpath(QFileInfo(place().file).absolutePath()));
        QFile file(place().file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(4096, 'x'));
        file.close();
        const auto broken = sql::LocalSamples::open(place());
        QVERIFY(!broken.ok());
        QCOMPARE(broken.error().kind, sql::ErrorKind::File);
        QVERIFY(!broken.error().todo.isEmpty());
        const auto nowhere = sql::LocalSamples::open({ u"/proc/nowhere/samples.sqlite"_s, u"x"_s });
        QVERIFY(!nowhere.ok());
    }

    /// A table that nobody registered is sampled for this computer, and the trends page shows it.
    void anOpenConsoleSamplesForItself()
    {
        sql::ConnectionSettings settings;
        settings.conninfo = m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database());
        sql::Database database(settings);
        database.open();
        Sampler sampler;
        sampler.setDatabase(&database);
        QSignalSpy sampled(&sampler, &Sampler::sampled);
        sampler.setLocalTargets({ m_table.target }, place());
        QTRY_COMPARE_WITH_TIMEOUT(sampled.size(), 1, 20'000);
        QCOMPARE(sampled.at(0).at(0).toString(), u"k2"_s);
        QVERIFY(sampled.at(0).at(1).toLongLong() > 5);
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.sample_run"_s), u"0"_s);
        TrendController trends;
        trends.setDatabase(&database);
        trends.setLocalPlace(place());
        TrendChoice choice;
        choice.metric = u"stale"_s;
        choice.source = sql::TrendSource::Samples;
        choice.spanSeconds = 3'600;
        TargetEntry entry;
        entry.target = m_table.target;
        trends.choose(choice);
        trends.setTarget(entry);
        QTRY_VERIFY_WITH_TIMEOUT(trends.answer() && !trends.busy(), 20'000);
        double newest = -1; // the minute may have turned since
        for (const auto &value : trends.answer()->series.first().values) {
            newest = value.value_or(newest);
        }
        QCOMPARE(QString::number(newest),
            m_fixture->root().value(
                u"SELECT count(*) FROM app.k WHERE status = 'processing' AND locked_until < now()"_s));
        QVERIFY(trends.answer()->notes.join(u' ').contains(u"this computer"_s));
        // What cannot be kept is said, not forgotten.
        Sampler other;
        QSignalSpy otherFailed(&other, &Sampler::failed);
        other.setDatabase(&database);
        other.setLocalTargets({ m_table.target }, { u"/proc/nowhere/samples.sqlite"_s, u"x"_s });
        QTRY_COMPARE_WITH_TIMEOUT(otherFailed.size(), 1, 20'000);
        trends.setDatabase(nullptr);
        sampler.setDatabase(nullptr);
        other.setDatabase(nullptr);
    }
};

QTEST_GUILESS_MAIN(LocalSamplesTest)
#include "tst_local_samples.moc"
