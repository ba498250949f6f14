// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/boundary_scan.h"
#include "models/keys/page_feed.h"
#include "models/keys/page_merge.h"
#include "models/keys/page_reading.h"
#include "models/keys/row_counter.h"
#include "tests/models/fake_keys.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using models::BoundaryScan;
using models::Page;
using models::PageCache;
using models::PagePlan;
using models::RowCounter;
using tests::FakeKeys;

namespace {

Page pageOf(qint64 number, const QList<int> &ids)
{
    Page page;
    page.number = number;
    for (const int id : ids) {
        page.rows.append(FakeKeys::record(FakeKeys::id(id)));
    }
    page.moreAfter = true;
    return page;
}

QList<int> numbers(int first, int end)
{
    QList<int> all;
    for (int i = first; i < end; ++i) {
        all.append(i);
    }
    return all;
}

sql::KeyPage answer(const QList<int> &ids, bool more)
{
    sql::KeyPage page;
    page.rows = pageOf(0, ids).rows;
    page.more = more;
    return page;
}

QString idOf(const std::optional<sql::Cursor> &cursor)
{
    return cursor ? cursor->identity.constFirst().text : QString();
}

constexpr int kSize = PageCache::kSize;

} // namespace

/// What KeyTableModel is made of, each part by itself.
class KeyPagesTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void placeNextToALoadedPageIsReadAsItIs()
    {
        const PagePlan plan { models::cursorAfter(FakeKeys::record(FakeKeys::id(7))), false, 0, false };
        const auto request = models::requestOf(plan);
        QCOMPARE(request.limit, kSize);
        QCOMPARE(request.skip, 0);
        const auto read = models::answerOf(3, plan, answer(numbers(8, 8 + kSize), true));
        QCOMPARE(read.page.number, 3);
        QCOMPARE(read.page.rows.size(), kSize);
        QVERIFY(!read.before);
        QVERIFY(read.more && read.page.moreAfter);
    }

    void skippedPlaceBringsTheRowInFrontOfThePage()
    {
        const PagePlan plan { {}, false, 600, true };
        const auto request = models::requestOf(plan);
        QCOMPARE(request.skip, 599);
        QCOMPARE(request.limit, kSize + 1);
        const auto read = models::answerOf(3, plan, answer(numbers(599, 600 + kSize), true));
        QCOMPARE(idOf(read.before), FakeKeys::id(599));
        QCOMPARE(read.page.rows.constFirst().identity.constFirst().text, FakeKeys::id(600));
        QVERIFY(read.page.approximate);
    }

    void backwardPageThatBeginsTheListLeavesItsFirstSlotsEmpty()
    {
        const PagePlan plan { models::cursorAfter(FakeKeys::record(FakeKeys::id(50))), true, 0, false };
        QCOMPARE(models::requestOf(plan).limit, kSize + 1);
        const auto read = models::answerOf(-1, plan, answer(numbers(0, 50), false));
        QCOMPARE(read.page.offset, kSize - 50);
        QCOMPARE(read.page.firstRow(), -50);
        QVERIFY(!read.more);
        QVERIFY(!read.before);
    }

    void tailIsCountedFromThePagesFirstSlot()
    {
        const PagePlan plan { {}, true, 0, true, 23 };
        QCOMPARE(models::requestOf(plan).limit, 24);
        const auto read = models::answerOf(5, plan, answer(numbers(999, 1'023), true));
        QCOMPARE(read.page.rows.size(), 23);
        QCOMPARE(read.page.offset, 0);
        QCOMPARE(idOf(read.before), FakeKeys::id(999));
        QVERIFY(!read.page.moreAfter);
    }

    void refreshGoesFromPageToPageUntilTheLast()
    {
        models::PageRefresh refresh({ 2, 3 });
        QCOMPARE(refresh.number(), 2);
        const auto next = refresh.take(pageOf(2, numbers(400, 600)), true);
        QVERIFY(next);
        QCOMPARE(idOf(next->from), FakeKeys::id(599));
        QCOMPARE(refresh.number(), 3);
        QVERIFY(!refresh.take(pageOf(3, numbers(600, 800)), true));
        QVERIFY(!refresh.endSeen());
        QCOMPARE(refresh.end(), 800);
        QVERIFY(refresh.fresh().constLast().approximate); // rows before it may have come or gone
    }

    void refreshEndsWhereTheListDoes()
    {
        models::PageRefresh refresh({ 0, 1, 2 });
        Page last = pageOf(0, numbers(0, 30));
        last.moreAfter = false;
        QVERIFY(!refresh.take(last, true));
        QVERIFY(refresh.endSeen());
        QCOMPARE(refresh.end(), 30);
        QVERIFY(!refresh.fresh().constFirst().approximate);
    }

    void mergeFindsRowsThatMovedCameAndWent()
    {
        PageCache known;
        known.setRange(0, 4);
        known.insert(pageOf(0, { 1, 2, 3, 4 }), 0, 0);
        const auto merge = models::mergeOf(known, { pageOf(0, { 1, 3, 5, 4, 6 }) });
        QVERIFY(merge.moved);
        QCOMPARE(merge.moves.value(0), 0);
        QCOMPARE(merge.moves.value(1), -1);
        QCOMPARE(merge.moves.value(2), 1);
        QCOMPARE(merge.moves.value(3), 3);
        QCOMPARE(merge.changed, QList<qint64> { 4 });
    }

    void mergeOfTheSameRowsIsQuietAndSeesNewContent()
    {
        PageCache known;
        known.setRange(0, 3);
        known.insert(pageOf(0, { 1, 2, 3 }), 0, 0);
        Page fresh = pageOf(0, { 1, 2, 3 });
        QVERIFY(models::mergeOf(known, { fresh }).changed.isEmpty());
        fresh.rows[1].state = sql::KeyState::Succeeded;
        const auto merge = models::mergeOf(known, { fresh });
        QVERIFY(!merge.moved);
        QCOMPARE(merge.changed, QList<qint64> { 1 });
    }

    void runsAreSuccessiveNumbers()
    {
        using Runs = QList<std::pair<qint64, qint64>>;
        QCOMPARE(models::runsOf({}), Runs());
        QCOMPARE(models::runsOf({ 1, 2, 3, 7, 9, 10 }), Runs({ { 1, 3 }, { 7, 7 }, { 9, 10 } }));
    }

    void counterAsksExactlyAfterTheCapAndNotAgainAtOnce()
    {
        FakeKeys keys(12'345);
        RowCounter counter;
        counter.setAsk(keys.fetchers().count);
        QSignalSpy counted(&counter, &RowCounter::counted);
        counter.start({}, {});
        QVERIFY(counter.busy());
        keys.replyCount();
        QCOMPARE(counter.count().kind, sql::RowCount::Kind::AtLeast);
        QCOMPARE(keys.counts.front().cap, 0);
        QElapsedTimer counting; // the exact count takes its time, so that the next one has to wait for 20 times that
        counting.start();
        QTRY_VERIFY(counting.elapsed() > 100);
        keys.replyCount();
        QCOMPARE(counted.size(), 2);
        QCOMPARE(counter.exact(), 12'345);
        QVERIFY(!counter.busy());
        counter.start({}, {});
        keys.replyCount();
        QVERIFY(keys.counts.empty());
        QCOMPARE(counter.count().kind, sql::RowCount::Kind::Estimated);
        QCOMPARE(counter.count().rows, 12'345);
    }

    void counterDropsWhatNobodyWaitsFor()
    {
        FakeKeys keys(300);
        RowCounter counter;
        counter.setAsk(keys.fetchers().count);
        counter.start({}, {});
        counter.set({ sql::RowCount::Kind::Exact, 7 });
        keys.replyCounts();
        QCOMPARE(counter.exact(), 7);
        counter.reset();
        QCOMPARE(counter.count().kind, sql::RowCount::Kind::Unknown);
        QCOMPARE(counter.exact(), -1);
    }

    void placesAreGatheredOnceAndInLongListsOnly()
    {
        FakeKeys keys(60'000);
        BoundaryScan scan;
        scan.setAsk(keys.fetchers().boundaries);
        QSignalSpy ended(&scan, &BoundaryScan::ended);
        scan.start({}, {}, 49'999, {});
        QVERIFY(keys.boundaries.empty());
        scan.start({}, {}, 60'000, {});
        scan.start({}, {}, 60'000, {});
        QCOMPARE(keys.boundaries.size(), std::size_t(1));
        QVERIFY(scan.running());
        keys.replyBoundaries();
        QVERIFY(!scan.running());
        QCOMPARE(ended.size(), 1);
        scan.reset();
        scan.start({}, {}, 60'000, {});
        QCOMPARE(keys.boundaries.size(), std::size_t(1)); // of another list
    }

    void timeIsLookedUpAmongThePlaces_data()
    {
        QTest::addColumn<bool>("descending");
        QTest::addColumn<QString>("time");
        QTest::addColumn<qint64>("row");
        QTest::newRow("before all") << false << u"2026-11-01 00:00:00+00"_s << qint64(0);
        QTest::newRow("between") << false << u"2026-11-20 12:00:00+00"_s << qint64(2'000);
        QTest::newRow("after all") << false << u"2026-12-01 00:00:00+00"_s << qint64(4'000);
        QTest::newRow("newest first") << true << u"2026-11-20 12:00:00+00"_s << qint64(2'000);
    }
    void timeIsLookedUpAmongThePlaces()
    {
        QFETCH(bool, descending);
        QFETCH(QString, time);
        QFETCH(qint64, row);
        sql::Boundaries known;
        known.step = 2'000;
        const QStringList days = descending ? QStringList { u"21"_s, u"19"_s } : QStringList { u"20"_s, u"22"_s };
        for (const QString &day : days) {
            known.cursors.append({ sql::Cell::of(u"2026-11-%1 00:00:00+00"_s.arg(day)), {} });
        }
        QCOMPARE(models::rowAtTime(known, *sql::Timestamp::parse(time), 6'000), row);
    }

    void withoutPlacesATimeIsSoughtHalfWay() { QCOMPARE(models::rowAtTime({}, {}, 1'100), 400); }

    void feedReadsTheNewestWishFirstAndOneAtATime()
    {
        FakeKeys keys(10'000);
        PageCache pages;
        RowCounter counter;
        models::PageFeed feed(pages, counter, [] { return QList<qint64> { 0 }; });
        feed.setFetchers(keys.fetchers());
        QSignalSpy first(&feed, &models::PageFeed::firstRead);
        QSignalSpy read(&feed, &models::PageFeed::pageRead);
        feed.open({}, {});
        feed.want(3); // nothing is known of the list yet
        feed.readFirst();
        keys.replyAll();
        QCOMPARE(first.size(), 1);
        pages.setRange(0, 10'000);
        feed.want(5);
        feed.want(9);
        QTRY_COMPARE(keys.pages.size(), std::size_t(2));
        QCOMPARE(feed.newestPage(), 9);
        QCoreApplication::processEvents();
        QCOMPARE(keys.pages.size(), std::size_t(2));
        keys.replyAll();
        QCOMPARE(read.size(), 1);
        QCOMPARE(read.constFirst().constFirst().toLongLong(), 9);
    }

    void feedGivesUpWhatIsOfAnotherPlace()
    {
        FakeKeys keys(10'000);
        PageCache pages;
        RowCounter counter;
        models::PageFeed feed(pages, counter, [] { return QList<qint64> { 0 }; });
        feed.setFetchers(keys.fetchers());
        feed.open({}, {});
        feed.readFirst();
        keys.replyAll();
        QSignalSpy refreshed(&feed, &models::PageFeed::refreshed);
        feed.refresh();
        QVERIFY(feed.refreshing());
        feed.giveUp();
        keys.replyAll();
        QCOMPARE(refreshed.size(), 0);
        QVERIFY(!feed.busy());
        feed.refresh();
        keys.replyAll();
        QCOMPARE(refreshed.size(), 1);
    }
};

QTEST_GUILESS_MAIN(KeyPagesTest)
#include "tst_key_pages.moc"
