// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_parser.h"
#include "models/table/item_role.h"
#include "models/trends/prometheus.h"
#include "models/trends/scope_colors.h"
#include "models/trends/trend_controller.h"
#include "models/trends/trend_export.h"
#include "models/trends/trend_merge.h"
#include "models/trends/trend_picture.h"
#include "models/trends/trend_table_model.h"
#include "models/trends/trend_words.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

constexpr qint64 kHourMicros = 3'600'000'000;
const sql::Timestamp kBegin = sql::Timestamp::parse(u"2026-11-20 00:00:00+00"_s).value();

sql::Timestamp hour(int number)
{
    return { kBegin.kind, kBegin.micros + number * kHourMicros };
}

using Values = QList<std::optional<double>>;

sql::TrendAnswer answer(const QList<Values> &series, bool lastOpen = false)
{
    sql::TrendAnswer answer;
    answer.metric.id = u"claims"_s;
    answer.metric.title = u"Claims"_s;
    answer.metric.time = sql::Role::CreatedAt;
    const int buckets = series.isEmpty() ? 0 : int(series.constFirst().size());
    for (int i = 0; i < buckets; ++i) {
        answer.buckets.append(hour(i));
    }
    answer.end = lastOpen ? sql::Timestamp { kBegin.kind, hour(buckets - 1).micros + kHourMicros / 4 } : hour(buckets);
    answer.lastOpen = lastOpen;
    for (qsizetype i = 0; i < series.size(); ++i) {
        answer.series.append({ { sql::Cell::of(u"scope %1"_s.arg(i)) }, false, series.at(i) });
    }
    return answer;
}

QList<double> ys(const QList<QPointF> &points)
{
    QList<double> values;
    for (const QPointF &point : points) {
        values.append(point.y());
    }
    return values;
}

} // namespace

/// What a chart draws of the numbers, and what its axes and its table say.
class TrendPictureTest final : public QObject
{
    Q_OBJECT

private slots:
    void limitsAreDrawnWhereTheyFit()
    {
        TrendPicture picture = trendPicture(answer({ { 10.0, 30.0, 20.0 } }), nullptr, false, TimeFormat());
        const double before = picture.top;
        addLimits(&picture, { { 50, u"near"_s }, { 5'000, u"far"_s } });
        QCOMPARE(picture.limits.size(), 1);
        QCOMPARE(picture.limits.first().label, u"near"_s);
        QVERIFY(picture.top > before && picture.top >= 50);
        TrendPicture empty;
        addLimits(&empty, { { 5, u"near"_s } });
        QVERIFY(empty.limits.isEmpty());
    }

    void aScopeKeepsItsColourInEveryMetric()
    {
        const auto of = [](const QStringList &scopes) {
            sql::TrendAnswer one = answer(QList<Values>(scopes.size(), { 1.0 }));
            for (qsizetype i = 0; i < scopes.size(); ++i) {
                one.series[i].scope = { sql::Cell::of(scopes.at(i)) };
            }
            return one;
        };
        ScopeColors colors;
        sql::TrendAnswer all = answer({ { 1.0 } });
        all.series[0].scope.clear();
        QCOMPARE(colors.of(u"orders"_s, all), QList<int> { 0 });
        // The largest stands first; the colour goes by the name.
        QCOMPARE(colors.of(u"orders"_s, of({ u"order"_s, u"import"_s, u"refund"_s })), (QList<int> { 1, 0, 2 }));
        QCOMPARE(colors.of(u"orders"_s, of({ u"refund"_s, u"order"_s })), (QList<int> { 2, 1 }));
        QCOMPARE(colors.of(u"orders"_s, of({ u"audit"_s, u"refund"_s })), (QList<int> { 3, 2 }));
        QCOMPARE(colors.of(u"others"_s, of({ u"refund"_s })), QList<int> { 0 });
        // Ten scopes share eight colours, but never within one answer.
        QCOMPARE(
            colors.of(u"orders"_s, of({ u"v"_s, u"w"_s, u"x"_s, u"y"_s, u"z"_s })), (QList<int> { 4, 5, 6, 7, 0 }));
        const QList<int> both = colors.of(u"orders"_s, of({ u"z"_s, u"import"_s }));
        QVERIFY(both.at(0) != both.at(1));

        sql::TrendAnswer named = of({ u"order"_s, u"import"_s });
        TrendPicture picture = trendPicture(named, nullptr, false, {});
        bindColors(&picture, colors.of(u"orders"_s, named));
        QCOMPARE(picture.lines.at(0).color, 1);
        QCOMPARE(onlyLine(picture, 1).lines.first().color, 0);
    }

    void newestBucketsAreReadOverTheOlder()
    {
        sql::TrendAnswer older = answer({ { 1.0, 2.0, 3.0, 4.0, 5.0 }, { 7.0, 7.0, 7.0, 7.0, 7.0 } }, true);
        QCOMPARE(mergeFrom(older), std::optional(hour(3)));
        sql::TrendAnswer fresh = answer({ { 40.0, 50.0, 6.0 } }, true);
        fresh.buckets = { hour(3), hour(4), hour(5) };
        fresh.end = { kBegin.kind, hour(5).micros + kHourMicros / 4 };
        const auto merged = mergedTrend(older, fresh, 5 * 3'600);
        QVERIFY(merged);
        // An hour has gone by: the first bucket is out, the closed ones are as they were, and scope 1 had no row in the
        // new ones.
        QCOMPARE(merged->buckets, (QList<sql::Timestamp> { hour(0), hour(1), hour(2), hour(3), hour(4), hour(5) }));
        QCOMPARE(merged->series.size(), 2);
        QCOMPARE(merged->series.at(0).values, (Values { 1.0, 2.0, 3.0, 40.0, 50.0, 6.0 }));
        QCOMPARE(merged->series.at(1).values, (Values { 7.0, 7.0, 7.0, 0.0, 0.0, 0.0 }));
        QCOMPARE(mergedTrend(older, fresh, 4 * 3'600)->buckets.first(), hour(1));
        QVERIFY(merged->lastOpen);
    }

    void whatCannotBeMergedIsReadAsAWhole_data()
    {
        QTest::addColumn<QString>("what");
        for (const char *what : { "another metric", "from samples", "a scope that was not there",
                 "others folded together", "buckets that do not meet" }) {
            QTest::newRow(what) << QString::fromLatin1(what);
        }
    }
    void whatCannotBeMergedIsReadAsAWhole()
    {
        QFETCH(QString, what);
        sql::TrendAnswer older = answer({ { 1.0, 2.0, 3.0, 4.0, 5.0 } }, true);
        sql::TrendAnswer fresh = answer({ { 4.0, 5.0 } }, true);
        fresh.buckets = { hour(3), hour(4) };
        QVERIFY(mergedTrend(older, fresh, 3'600));
        if (what == u"another metric") {
            fresh.metric.id = u"retries"_s;
        } else if (what == u"from samples") {
            fresh.source = sql::TrendSource::Samples;
            older.source = sql::TrendSource::Samples;
            QVERIFY(!mergeFrom(older));
            older.source = sql::TrendSource::Rows;
        } else if (what == u"a scope that was not there") {
            fresh.series.append({ { sql::Cell::of(u"new"_s) }, false, { 1.0, 1.0 } });
        } else if (what == u"others folded together") {
            older.series.append({ {}, true, { 1.0, 1.0, 1.0, 1.0, 1.0 } });
            QVERIFY(!mergeFrom(older));
        } else {
            fresh.buckets = { hour(8), hour(9) };
        }
        QVERIFY(!mergedTrend(older, fresh, 3'600));
    }

    void gapsAreNotDrawn()
    {
        const TrendPicture picture = trendPicture(
            answer({ { 1.0, 0.0, std::nullopt, std::nullopt, 5.0, std::nullopt, 7.0 } }), nullptr, false, {});
        QCOMPARE(picture.lines.size(), 1);
        const auto &runs = picture.lines.first().runs;
        QCOMPARE(runs.size(), 3);
        QCOMPARE(ys(runs.at(0)), (QList<double> { 1, 0 }));
        QCOMPARE(ys(runs.at(1)), QList<double> { 5 });
        QCOMPARE(ys(runs.at(2)), QList<double> { 7 });
        QCOMPARE(runs.at(1).first().x(), double(hour(4).micros / 1000));
        QVERIFY(!picture.lines.first().open);
        QVERIFY(!picture.openFrom);
        QCOMPARE(picture.top, 8.0);
    }

    void theFillingBucketIsApart()
    {
        const TrendPicture picture = trendPicture(answer({ { 4.0, 6.0, 1.0 } }, true), nullptr, false, {});
        QCOMPARE(ys(picture.lines.first().runs.constFirst()), (QList<double> { 4, 6 }));
        QCOMPARE(picture.lines.first().open, std::optional(QPointF(double(hour(2).micros / 1000), 1)));
        QCOMPARE(picture.openFrom, std::optional(double(hour(2).micros / 1000)));
        // What is half there is neither the last nor the highest.
        QCOMPARE(picture.lines.first().last, std::optional(6.0));
        QCOMPARE(trendPicture(answer({ { 4.0, 6.0, 9.0 } }, true), nullptr, false, {}).lines.first().highest,
            std::optional(6.0));
        QCOMPARE(picture.to, double(hour(2).micros + kHourMicros / 4) / 1000);
        const TrendPicture alone = trendPicture(answer({ { std::nullopt, 1.0 } }, true), nullptr, false, {});
        QCOMPARE(alone.lines.first().runs.size(), 0);
        QCOMPARE(alone.lines.first().open->y(), 1.0);
        QVERIFY(!alone.empty());
    }

    void fullBucketsSetTheAxis()
    {
        using U = sql::TrendUnit;
        const auto topOf = [](const QList<Values> &values, U unit = U::Count, bool stacked = false) {
            auto given = answer(values, true);
            given.metric.unit = unit;
            return trendPicture(given, nullptr, stacked, {}).top;
        };
        QCOMPARE(topOf({ { 111.0, 365.0, 905.0 } }), 400.0); // with some room above, round
        QCOMPARE(topOf({ { 111.0, 390.0, 905.0 } }), 500.0);
        QCOMPARE(topOf({ { 111.0, 365.0, 905.0 }, { 90.0, 300.0, 0.0 } }, U::Count, true), 800.0);
        QCOMPARE(topOf({ { 0.5, 0.98, 1.0 } }, U::Ratio), 1.0); // no share is above all
        // Where full buckets hold nothing, or nothing is known of them, what there is so far is drawn.
        QVERIFY(topOf({ { 0.0, 0.0, 5.0 } }) >= 5);
        QVERIFY(topOf({ { std::nullopt, std::nullopt, 5.0 } }) >= 5);
        // It is still known, and drawn by itself.
        const TrendPicture picture = trendPicture(answer({ { 111.0, 365.0, 905.0 } }, true), nullptr, false, {});
        QCOMPARE(ys(picture.lines.first().runs.constFirst()), (QList<double> { 111, 365 }));
        QCOMPARE(picture.lines.first().open->y(), 905.0);
        QCOMPARE(picture.lines.first().soFar, std::optional(905.0));
    }

    void aLineByItselfHasItsOwnAxis()
    {
        const TrendPicture all
            = trendPicture(answer({ { 111.0, 365.0, 905.0 }, { 3.0, 7.0, 1.0 } }, true), nullptr, false, {});
        const TrendPicture small = onlyLine(all, 1);
        QCOMPARE(all.top, 400.0);
        QCOMPARE(small.top, 8.0);
        QCOMPARE(small.levels.constLast(), 8.0);
        QCOMPARE(small.lines.size(), 1);
        QCOMPARE(small.lines.first().name, all.lines.at(1).name);
        QCOMPARE(small.openFrom, all.openFrom);
    }

    void linesAreToldInNumbers()
    {
        const auto text = [](const Values &values, bool lastOpen, const QString &bucket = u"1h"_s) {
            const auto given = answer({ values }, lastOpen);
            return trendLineText(trendPicture(given, nullptr, false, {}).lines.first(), given, bucket);
        };
        QCOMPARE(text({ 365.0, 111.0, 905.0 }, true), u"111 last full hour · 905 so far · max 365"_s);
        QCOMPARE(text({ 365.0, 111.0, 905.0 }, true, u"1d"_s), u"111 last full day · 905 so far · max 365"_s);
        QCOMPARE(text({ 365.0, 111.0, 905.0 }, true, u"5m"_s), u"111 last full 5 min · 905 so far · max 365"_s);
        // Nothing is said of an hour that is not known, and a range of the past may cut its last one.
        QCOMPARE(text({ 365.0, std::nullopt, 905.0 }, true), u"– last full hour · 905 so far · max 365"_s);
        QCOMPARE(text({ std::nullopt, std::nullopt, 905.0 }, true), u"905 so far"_s);
        QCOMPARE(text({ 365.0, 111.0 }, false), u"111 at the end · max 365"_s);
        QCOMPARE(text({ std::nullopt, std::nullopt }, true), QString());
        // Stacked, a line is told by its own numbers.
        const auto stack = answer({ { 1.0, 2.0, 3.0 }, { 10.0, 20.0, 30.0 } }, true);
        QCOMPARE(trendLineText(trendPicture(stack, nullptr, true, {}).lines.at(1), stack, u"1h"_s),
            u"20 last full hour · 30 so far · max 20"_s);
    }

    /// A mean since midnight reads as if half of the stuck keys were gone: a level's open bucket is its newest sample.
    void aLevelIsToldAsItIsNow()
    {
        auto days = answer({ { 57.0, 57.0, 32.0 }, { 10.0, 10.0, 5.0 } }, true);
        days.metric.gauge = true;
        days.series.last() = { {}, true, days.series.last().values };
        auto minutes = answer({ { 80.0, 81.0, std::nullopt }, { 4.0, 3.0, std::nullopt }, { 1.0, 2.0, std::nullopt } });
        const auto now = withNewestSample(days, minutes);
        QCOMPARE(now.series.at(0).values, (Values { 57.0, 57.0, 81.0 }));
        QCOMPARE(now.series.at(1).values, (Values { 10.0, 10.0, 5.0 })); // those that do not stand apart, together
        const TrendPicture picture = trendPicture(now, nullptr, false, {});
        QCOMPARE(picture.lines.first().open, std::optional(QPointF(picture.to, 81))); // where now is
        QCOMPARE(trendLineText(picture.lines.first(), now, u"1d"_s), u"81 now · 57 mean yesterday · max 57"_s);
        // Who recovered keys a moment ago must not read an older number as that of now.
        auto sampled = now;
        sampled.source = sql::TrendSource::Samples;
        const TrendPicture sampledPicture = trendPicture(sampled, nullptr, false, {});
        QCOMPARE(sampledPicture.source, sql::TrendSource::Samples);
        QCOMPARE(trendLineText(sampledPicture.lines.first(), sampled, u"1d"_s),
            u"81 last sample · 57 mean yesterday · max 57"_s);
        TrendTableModel table;
        table.setAnswer(sampled, std::nullopt);
        QVERIFY(table.index(1, 0).data().toString().endsWith(u", last sample"_s));
        QCOMPARE(newestSample(minutes), std::optional(hour(1)));
        QCOMPARE(newestSample(answer({ { std::nullopt } })), std::nullopt);
        auto ages = days;
        ages.metric.unit = sql::TrendUnit::Seconds;
        QCOMPARE(withNewestSample(ages, minutes).series.at(1).values.last(), std::optional(3.0)); // the oldest one
        // Where nothing was sampled of late, it is not known.
        minutes = answer({ { std::nullopt, std::nullopt } });
        QCOMPARE(withNewestSample(days, minutes).series.at(0).values.last(), std::nullopt);
        days.lastOpen = false;
        QCOMPARE(withNewestSample(days, minutes).series.at(0).values.last(), std::optional(32.0));
    }

    void levelsAreRound_data()
    {
        QTest::addColumn<double>("highest");
        QTest::addColumn<int>("unit");
        QTest::addColumn<QString>("labels");
        using U = sql::TrendUnit;
        QTest::newRow("few") << 3.0 << int(U::Count) << u"0 1 2 3"_s;
        QTest::newRow("six") << 6.0 << int(U::Count) << u"0 2 4 6"_s;
        QTest::newRow("many") << 1'420.0 << int(U::Count) << u"0 500 1,000 1,500"_s;
        QTest::newRow("a share") << 0.225 << int(U::Ratio) << u"0 % 5 % 10 % 15 % 20 % 25 %"_s;
        QTest::newRow("seconds") << 0.045 << int(U::Seconds) << u"0 10 ms 20 ms 30 ms 40 ms 50 ms"_s;
        QTest::newRow("minutes") << 150.0 << int(U::Seconds) << u"0 30 s 1 min 1 min 30 s 2 min 2 min 30 s"_s;
        QTest::newRow("days") << 2'500'000.0 << int(U::Seconds) << u"0 7 d 14 d 21 d 28 d 35 d"_s;
        QTest::newRow("nothing") << 0.0 << int(U::Count) << u"0 1"_s;
    }
    void levelsAreRound()
    {
        QFETCH(double, highest);
        QFETCH(int, unit);
        QFETCH(QString, labels);
        sql::TrendMetric metric;
        metric.unit = static_cast<sql::TrendUnit>(unit);
        QStringList seen;
        for (const double level : valueLevels(highest, metric.unit)) {
            seen += trendTickText(metric, level);
        }
        QCOMPARE(seen.join(u' '), labels);
    }

    void whatHappenedIsMarkedInItsRange()
    {
        TrendPicture picture = trendPicture(answer({ { 4.0, 6.0 } }), nullptr, false, {});
        addMarkers(&picture,
            { { hour(1), u"a"_s, u"Purge"_s, false }, { hour(1), u"b"_s, u"of another"_s, false },
                { hour(-1), u"a"_s, u"before"_s, false }, { hour(1), {}, u"everywhere"_s, true } },
            u"a"_s);
        QCOMPARE(picture.markers.size(), 2);
        QCOMPARE(picture.markers.first().text, u"Purge"_s);
        QVERIFY(picture.markers.last().alert);
    }

    void stackedLinesStandOnEachOther()
    {
        const auto given = answer({ { 1.0, 2.0 }, { 10.0, 20.0 }, { 100.0, std::nullopt } });
        const TrendPicture picture = trendPicture(given, nullptr, true, {});
        QVERIFY(picture.stacked);
        QCOMPARE(ys(picture.lines.at(1).runs.first()), (QList<double> { 11, 22 }));
        QCOMPARE(ys(picture.lines.at(1).floors.first()), (QList<double> { 1, 2 }));
        QCOMPARE(ys(picture.lines.at(2).runs.first()), QList<double> { 111 });
        auto seconds = given;
        seconds.metric.unit = sql::TrendUnit::Seconds; // durations of several scopes do not add up
        QVERIFY(!trendPicture(seconds, nullptr, true, {}).stacked);
        QVERIFY(!trendPicture(answer({ { 1.0 } }), nullptr, true, {}).stacked);
    }

    void thePeriodBeforeLiesOverThisOne()
    {
        auto before = answer({ { 3.0, 2.0 } });
        for (sql::Timestamp &time : before.buckets) {
            time.micros -= 48 * kHourMicros;
        }
        const TrendPicture picture = trendPicture(answer({ { 1.0, 1.0 } }), &before, false, {});
        QCOMPARE(picture.lines.size(), 2);
        QVERIFY(picture.lines.at(1).previous);
        QCOMPARE(picture.lines.at(1).runs.first().first(), QPointF(double(hour(0).micros / 1000), 3));
        // Both lines name the same bucket: the last one that is full in this period.
        const auto now = answer({ { 4.0, 5.0, 1.0 } }, true);
        before = answer({ { 3.0, 2.0, 9.0 } });
        for (sql::Timestamp &time : before.buckets) {
            time.micros -= 48 * kHourMicros;
        }
        const TrendPicture filling = trendPicture(now, &before, false, {});
        QCOMPARE(filling.lines.at(0).last, std::optional(5.0));
        QCOMPARE(filling.lines.at(1).last, std::optional(2.0));
        QCOMPARE(ys(filling.lines.at(1).runs.first()), (QList<double> { 3, 2 })); // a part is not compared with a whole
        QCOMPARE(trendLineText(filling.lines.at(1), now, u"1h"_s), u"2 in the same time before · max 3"_s);
        QCOMPARE(trendLineText(filling.lines.at(0), now, u"1h"_s), u"5 last full hour · +150 % · 1 so far · max 5"_s);
        auto share = now;
        share.metric.unit = sql::TrendUnit::Ratio;
        QCOMPARE(trendChangeText(share.metric, 0.128, 0.195), u"−6.7 points"_s);
        QCOMPARE(trendChangeText(share.metric, std::nullopt, 0.195), QString());
        QCOMPARE(trendChangeText(now.metric, 5, 0), QString()); // no share of nothing
    }

    void nothingIsEmpty()
    {
        QVERIFY(trendPicture({}, nullptr, false, {}).empty());
        QVERIFY(trendPicture(answer({ { std::nullopt, std::nullopt } }), nullptr, true, {}).empty());
        QVERIFY(!trendPicture(answer({ { 0.0, 0.0 } }), nullptr, false, {}).empty()); // a known zero is something
        QCOMPARE(trendPicture(answer({ { 0.0, 0.0 } }), nullptr, false, {}).top, 1.0);
    }

    void ticks_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QByteArray>("zone");
        QTest::addColumn<QString>("labels");
        QTest::newRow("an hour") << u"2026-11-20 10:02:00Z"_s << u"2026-11-20 11:02:00Z"_s << QByteArray("UTC")
                                 << u"10:10 10:20 10:30 10:40 10:50 11:00"_s;
        QTest::newRow("a day over midnight")
            << u"2026-11-19 10:00:00Z"_s << u"2026-11-20 10:00:00Z"_s << QByteArray("UTC")
            << u"12:00 15:00 18:00 21:00 20 Nov 03:00 06:00 09:00"_s;
        QTest::newRow("the day that loses an hour")
            << u"2026-03-28 23:00:00Z"_s << u"2026-03-29 22:00:00Z"_s << QByteArray("Europe/Berlin")
            << u"29 Mar 03:00 06:00 09:00 12:00 15:00 18:00 21:00 30 Mar"_s;
        QTest::newRow("a skipped time has no mark")
            << u"2026-03-29 00:30:00Z"_s << u"2026-03-29 04:00:00Z"_s << QByteArray("Europe/Berlin")
            << u"01:30 03:00 03:30 04:00 04:30 05:00 05:30 06:00"_s;
        QTest::newRow("the day that gains one")
            << u"2026-10-24 22:00:00Z"_s << u"2026-10-25 23:00:00Z"_s << QByteArray("Europe/Berlin")
            << u"25 Oct 03:00 06:00 09:00 12:00 15:00 18:00 21:00 26 Oct"_s;
        QTest::newRow("a month") << u"2026-10-20 00:00:00Z"_s << u"2026-11-19 00:00:00Z"_s << QByteArray("UTC")
                                 << u"20 Oct 27 Oct 3 Nov 10 Nov 17 Nov"_s;
        QTest::newRow("half an hour off") << u"2026-11-20 00:00:00Z"_s << u"2026-11-20 06:00:00Z"_s
                                          << QByteArray("Asia/Kolkata") << u"06:00 07:00 08:00 09:00 10:00 11:00"_s;
    }

    void ticks()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QByteArray, zone);
        QFETCH(QString, labels);
        const auto millis
            = [](const QString &text) { return sql::Timestamp::parse(text.chopped(1) + u"+00"_s)->micros / 1000; };
        const auto ticks = timeTicks(millis(from), millis(to), QTimeZone(zone), 9);
        QStringList seen;
        double last = 0;
        for (const TrendTick &tick : ticks) {
            seen += tick.label;
            QVERIFY(tick.x > last && tick.x >= double(millis(from)) && tick.x <= double(millis(to)));
            last = tick.x;
        }
        QCOMPARE(seen.join(u' '), labels);
    }

    void tableSaysTheSame()
    {
        TrendTableModel model;
        QAbstractItemModelTester tester(&model);
        model.setAnswer(answer({ { 1.0, std::nullopt, 1'234.0 }, { 0.0, 2.0, 3.0 } }, true), std::nullopt);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.columnCount(), 4);
        const auto cell = [&model](int row, int column) { return model.index(row, column).data().toString(); };
        // What sums it up stands first.
        QCOMPARE(cell(0, 0), u"Total"_s);
        QCOMPARE(cell(0, 1), u"1,235"_s);
        QCOMPARE(cell(0, 3), u"1,240"_s);
        QCOMPARE(cell(1, 0), u"2026-11-20 02:00:00, still filling"_s); // then the newest
        QCOMPARE(cell(1, 1), u"1,234"_s);
        QCOMPARE(cell(1, 3), u"1,237"_s); // of all scopes
        QCOMPARE(cell(2, 1), u"–"_s);
        QCOMPARE(cell(3, 2), u"0"_s);
        // Bars are told by each other: series by the highest of them, the sum by the highest sum; the total is none.
        const auto share
            = [&model](int row, int column) { return model.index(row, column).data(ShareRole).toDouble(); };
        QCOMPARE(share(1, 1), 1.0);
        QCOMPARE(share(1, 2), 3.0 / 1'234.0);
        QCOMPARE(share(1, 3), 1.0);
        QCOMPARE(share(2, 1), 0.0);
        QCOMPARE(share(0, 1), 0.0);
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), u"scope 0 (keys)"_s);
        QCOMPARE(model.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(), u"All scopes (keys)"_s);
        QCOMPARE(model.bucketAt(0), -1);
        QCOMPARE(model.bucketAt(1), 2);
        QCOMPARE(model.seriesAt(2), 1);
        QCOMPARE(model.seriesAt(3), -1);
        model.setAnswer(answer({ { 1.0 } }), answer({ { 9.0 } }));
        QCOMPARE(model.columnCount(), 4); // one series is its own sum
        QCOMPARE(cell(1, 2), u"9"_s);
        QCOMPARE(cell(1, 3), u"−8"_s);
        QCOMPARE(model.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(), u"Change (keys)"_s);
        model.setAnswer(answer({ { 5.0, 1.0 } }, true), answer({ { 3.0, 9.0 } }));
        QCOMPARE(cell(1, 3), u"–"_s); // a part is not compared with a whole
        QVERIFY(model.index(1, 0).data(Qt::FontRole).value<QFont>().italic());
        QCOMPARE(cell(2, 3), u"+2"_s);
        QCOMPARE(cell(0, 3), u"+2"_s);
        model.setAnswer(answer({ { 1.0 } }), answer({ { 9.0 } }));
        model.setTimeFormat(TimeFormat(TimeDisplay::Server, u"Asia/Kolkata"_s));
        QCOMPARE(cell(1, 0), u"2026-11-20 05:30:00"_s);
        // What does not add up has its highest value there, and one unit for all, so that digits stand over digits.
        auto times = answer({ { 0.24, 90.0 } });
        times.metric.unit = sql::TrendUnit::Seconds;
        model.setAnswer(times, std::nullopt);
        QCOMPARE(cell(0, 0), u"Highest"_s);
        QCOMPARE(cell(0, 1), u"90.0"_s);
        QCOMPARE(cell(2, 1), u"0.2"_s);
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), u"scope 0 (s)"_s);
        times.metric.unit = sql::TrendUnit::Ratio;
        model.setAnswer(times, std::nullopt);
        QCOMPARE(cell(2, 1), u"24.00"_s);
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void csvKeepsGapsAndNeutralisesNames()
    {
        auto given = answer({ { 0.1, std::nullopt } }, true);
        given.series.first().scope = { sql::Cell::of(u"=cmd|' /C calc'!A0"_s) };
        const QByteArray csv = trendCsv(given, std::nullopt);
        QCOMPARE(csv,
            QByteArray(
                "from,to,open,'=cmd|' /C "
                "calc'!A0\r\n2026-11-20T00:00:00.000000Z,2026-11-20T01:00:00.000000Z,false,0.10000000000000001\r\n"
                "2026-11-20T01:00:00.000000Z,2026-11-20T01:15:00.000000Z,true,\r\n"));
    }

    void pointsLeadToTheirKeys()
    {
        sql::TrendMetric metric;
        metric.time = sql::Role::CompletedAt;
        metric.states = { sql::KeyState::Succeeded };
        const sql::Cells scope { sql::Cell::of(u"odd \"one\" -x"_s), sql::Cell() };
        const QString text = trendFilter(metric, hour(0), hour(1), { u"tenant"_s, u"operation"_s }, scope);
        FilterVocabulary vocabulary;
        for (const QString &label : { u"tenant"_s, u"operation"_s }) {
            vocabulary.own.append({ sql::FilterField::Scope, label, {}, FilterValueKind::Text });
        }
        const auto filter = parseFilter(text, vocabulary);
        QVERIFY2(filter.ok(), qPrintable(text));
        QCOMPARE(filter->terms.size(), 5);
        metric = {};
        metric.staleOnly = true;
        QCOMPARE(trendFilter(metric, hour(0), hour(1), {}, {}), u"state:stuck"_s);
    }

    void prometheusTextIsWellFormed()
    {
        const QByteArray text
            = prometheusText({ { u"a\"b\\c\nd"_s, { u"tenant-id"_s, u"state"_s },
                                 { { u"stale"_s, { sql::Cell::of(u"x"_s), sql::Cell() }, false, 3 },
                                     { u"state_succeeded"_s, {}, true, 7 },
                                     { u"oldest_stale"_s, { sql::Cell(), sql::Cell::of(u"y"_s) }, false, 0.5 } } } },
                { { u"replay"_s, 12, 0, 0 }, { u"cache_hit"_s, 3, 0, 0 }, { u"cache_miss"_s, 1, 0, 0 },
                    { u"od\"d"_s, 2, 0, 0 } },
                { { { u"a\"b"_s, 3, 4 } }, 5, 6 });
        QCOMPARE(text,
            QByteArray(
                "# HELP idempotency_table_readable 1 where the table could be read; 0 where nothing below is about "
                "it.\n"
                "# TYPE idempotency_table_readable gauge\nidempotency_table_readable{target=\"a\\\"b\\\\c\\nd\"} 1\n"
                "# HELP idempotency_keys Keys by state.\n# TYPE idempotency_keys gauge\n"
                "idempotency_keys{target=\"a\\\"b\\\\c\\nd\",scopes=\"other\",state=\"succeeded\"} 7\n"
                "# HELP idempotency_stale_keys Keys past their lease or age rule, by the server's clock.\n# TYPE "
                "idempotency_stale_keys gauge\n"
                "idempotency_stale_keys{target=\"a\\\"b\\\\c\\nd\",tenant_id=\"x\"} 3\n"
                "# HELP idempotency_oldest_stale_seconds For how long the longest stuck key has been stuck.\n# TYPE "
                "idempotency_oldest_stale_seconds gauge\n"
                "idempotency_oldest_stale_seconds{target=\"a\\\"b\\\\c\\nd\",scope_state=\"y\"} 0.5\n"
                "# pg_lock_wait_seconds is absent: no sample has seen a session that waits for a lock.\n"
                "# HELP idempotency_recoveries_total Keys that the console recovered.\n# TYPE "
                "idempotency_recoveries_total counter\n"
                "idempotency_recoveries_total{target=\"a\\\"b\"} 3\n"
                "# HELP idempotency_purged_rows_total Rows that the console purged.\n# TYPE "
                "idempotency_purged_rows_total counter\n"
                "idempotency_purged_rows_total{target=\"a\\\"b\"} 4\n"
                "# HELP pg_deadlocks_total Deadlocks of the database.\n# TYPE pg_deadlocks_total "
                "counter\npg_deadlocks_total 5\n"
                "# HELP pg_rollbacks_total Transactions of the database that were rolled back.\n# TYPE "
                "pg_rollbacks_total counter\npg_rollbacks_total 6\n"
                "# idempotency_db_violations_total is absent: no service calls idemdesk.record_event('violation').\n"
                "# idempotency_conflicts_total is absent: no service calls idemdesk.record_conflict().\n"
                "# HELP idempotency_duplicates_served_total Duplicate requests answered from what was stored, as "
                "services reported them.\n"
                "# TYPE idempotency_duplicates_served_total counter\nidempotency_duplicates_served_total 12\n"
                "# idempotency_outbox_replays_total is absent: no service calls "
                "idemdesk.record_event('outbox_replay').\n"
                "# HELP idempotency_cache_hits_total Look-ups that a cache answered, as services reported them.\n"
                "# TYPE idempotency_cache_hits_total counter\nidempotency_cache_hits_total 3\n"
                "# HELP idempotency_cache_misses_total Look-ups that a cache did not answer, as services reported "
                "them.\n"
                "# TYPE idempotency_cache_misses_total counter\nidempotency_cache_misses_total 1\n"
                "# idempotency_dedup_latency_seconds{source=\"database\"} is absent: no service calls "
                "idemdesk.record_event('check') with a duration.\n"
                "# idempotency_dedup_latency_seconds{source=\"cache\"} is absent: no service calls "
                "idemdesk.record_event('cache_hit') with a duration.\n"
                "# HELP idempotency_cache_hit_ratio Cache hits over look-ups, as services reported them.\n# TYPE "
                "idempotency_cache_hit_ratio gauge\n"
                "idempotency_cache_hit_ratio 0.75\n"
                "# HELP idempotency_events_total Events that services reported, by kind.\n# TYPE "
                "idempotency_events_total counter\n"
                "idempotency_events_total{kind=\"od\\\"d\"} 2\n"));
        QVERIFY(!prometheusText({}, {}).contains("\nidempotency")); // a metric without a source is absent, never 0
    }

    void bandsHoldTheHoursOfTheirBucket()
    {
        sql::TrendAnswer days = answer({ { 5.0, std::nullopt, 7.0, 6.0, 1.0 }, { 1.0, 1.0, 1.0, 1.0, 1.0 } }, true);
        days.metric.gauge = true;
        for (qsizetype i = 0; i < days.buckets.size(); ++i) {
            days.buckets[i] = hour(int(i) * 24);
        }
        days.end = hour(97);
        Values hourly(97, std::nullopt);
        hourly[3] = 2;
        hourly[20] = 8;
        hourly[30] = 99; // of a day in which the line has a gap
        hourly[48] = 7;
        hourly[71] = 7;
        hourly[72] = 3;
        hourly[95] = 61;
        hourly[96] = 500; // of the day that is still filling
        const sql::TrendAnswer hours = answer({ hourly });
        TrendPicture picture = trendPicture(days, nullptr, false, {});
        QVERIFY(!picture.banded());
        addBands(&picture, days, hours);
        QVERIFY(picture.banded());
        const TrendLine &line = picture.lines.at(0);
        QCOMPARE(line.bands.size(), 2); // before the gap, and after it
        QCOMPARE(ys(line.bands.at(0).lowest), QList<double> { 2 });
        QCOMPARE(ys(line.bands.at(1).lowest), (QList<double> { 7, 3 }));
        QCOMPARE(ys(line.bands.at(1).highest), (QList<double> { 7, 61 }));
        const auto x = [](int number) { return double(hour(number).micros / 1000); };
        QCOMPARE(bandAt(line, x(0)), std::optional(std::pair(2.0, 8.0)));
        QVERIFY(!bandAt(line, x(24)) && !bandAt(line, x(96)));
        // The axis holds the band, and the legend's highest is that of the picture.
        QCOMPARE(line.highest, std::optional(61.0));
        QVERIFY(picture.top >= 61);
        QCOMPARE(onlyLine(picture, 0).lines.at(0).bands.size(), 2);
        QVERIFY(picture.lines.at(1).bands.isEmpty()); // a scope of which the hours tell nothing
        TrendPicture stack = trendPicture(days, nullptr, true, {});
        QVERIFY(stack.stacked);
        addBands(&stack, days, hours);
        QVERIFY(!stack.banded());
    }

    void theFootnoteSaysWhatTheBandIs_data()
    {
        QTest::addColumn<int>("unit");
        QTest::addColumn<QString>("bucket");
        QTest::addColumn<QString>("text");
        using U = sql::TrendUnit;
        QTest::newRow("a level by the day")
            << int(U::Count) << u"1d"_s
            << u"The line is the mean of each day; the band runs from its lowest to its highest hour."_s;
        QTest::newRow("an age by the week") << int(
            U::Seconds) << u"1w"_s << u"The line is the highest of each week; the band begins at its lowest hour."_s;
        QTest::newRow("a level by a quarter of a day")
            << int(U::Count) << u"6h"_s
            << u"The line is the mean of every 6 h; the band runs from its lowest to its highest hour."_s;
    }
    void theFootnoteSaysWhatTheBandIs()
    {
        QFETCH(int, unit);
        QFETCH(QString, bucket);
        sql::TrendMetric metric;
        metric.unit = static_cast<sql::TrendUnit>(unit);
        QTEST(trendBandText(metric, bucket), "text");
    }

    void bucketsFitTheRange_data()
    {
        QTest::addColumn<qint64>("seconds");
        QTest::addColumn<QString>("bucket");
        QTest::newRow("an hour") << qint64(3'600) << u"1m"_s;
        QTest::newRow("a day") << qint64(86'400) << u"5m"_s;
        QTest::newRow("a week") << qint64(7 * 86'400) << u"1h"_s;
        QTest::newRow("two weeks") << qint64(14 * 86'400) << u"1h"_s;
        // Hours, and quarters of a day, would draw each day's rhythm as a sawtooth.
        QTest::newRow("more than two weeks") << qint64(14 * 86'400 + 1) << u"1d"_s;
        QTest::newRow("a month") << qint64(30 * 86'400) << u"1d"_s;
        QTest::newRow("a quarter") << qint64(90 * 86'400) << u"1d"_s;
        QTest::newRow("a year") << qint64(365 * 86'400) << u"1d"_s;
        QTest::newRow("ten years") << qint64(3'650) * 86'400 << u"1w"_s;
    }

    void bucketsFitTheRange()
    {
        QFETCH(qint64, seconds);
        QTEST(TrendController::bucketFor(seconds), "bucket");
    }

    void valuesHaveTheirUnit()
    {
        sql::TrendMetric metric;
        metric.title = u"Claims"_s;
        QCOMPARE(trendValueText(metric, 1'204.4), u"1,204"_s);
        QCOMPARE(trendAxisText(metric, u"1h"_s), u"Claims per hour"_s);
        QCOMPARE(trendAxisText(metric, u"5m"_s), u"Claims per 5 min"_s);
        metric.unit = sql::TrendUnit::Ratio;
        QCOMPARE(trendValueText(metric, 0.5), u"50.0 %"_s);
        QCOMPARE(trendValueText(metric, 0.0), u"0 %"_s);
        QCOMPARE(trendValueText(metric, 0.00011), u"0.01 %"_s);
        metric.unit = sql::TrendUnit::Seconds;
        QCOMPARE(trendValueText(metric, 0.0123), u"12.3 ms"_s);
        QCOMPARE(trendValueText(metric, 3'700), u"1 h 1 min"_s);
        QCOMPARE(trendValueText(metric, std::nullopt), u"–"_s);
    }
};

QTEST_GUILESS_MAIN(TrendPictureTest)
#include "tst_trend_picture.moc"
