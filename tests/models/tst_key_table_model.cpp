// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/fake_keys.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using models::KeyTableModel;
using tests::FakeKeys;

/// The model against a table whose every answer the test gives by itself: late, wrong, cancelled, empty.
class KeyTableModelTest final : public QObject
{
    Q_OBJECT

private:
    struct Bench {
        FakeKeys keys;
        KeyTableModel model;
        QAbstractItemModelTester tester { &model, QAbstractItemModelTester::FailureReportingMode::QtTest };

        explicit Bench(int rows)
            : keys(rows)
        {
            model.setSource(FakeKeys::target(), keys.fetchers());
        }
        void open()
        {
            model.setQuery({}, {});
            keys.replyAll();
            keys.replyCounts();
        }
        /// Looks at rows as a view does, until all of them are there.
        bool load(int first, int last)
        {
            model.setVisibleRows(first, last);
            for (int turn = 0; turn < 20; ++turn) {
                bool whole = true;
                for (int row = first; row <= last; ++row) {
                    whole = model.index(row, 1).data(KeyTableModel::RecordRole).isValid() && whole;
                }
                if (whole) {
                    return true;
                }
                QCoreApplication::processEvents();
                keys.replyAll();
            }
            return false;
        }
        QString idAt(int row) const
        {
            const auto record = model.record(row);
            return record ? record->identity.constFirst().text : QString();
        }
        void answerAll()
        {
            for (int turn = 0; turn < 5; ++turn) {
                QCoreApplication::processEvents();
                keys.replyAll();
                keys.replyCounts();
            }
        }
    };

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void emptyTableHasNoRowsAndAnExactCount()
    {
        Bench bench(0);
        bench.open();
        QCOMPARE(bench.model.rowCount(), 0);
        QCOMPARE(bench.model.count().kind, sql::RowCount::Kind::Exact);
        QVERIFY(!bench.model.busy());
    }

    void oneRow()
    {
        Bench bench(1);
        bench.open();
        QCOMPARE(bench.model.rowCount(), 1);
        QCOMPARE(bench.model.count().rows, 1);
        QVERIFY(bench.keys.counts.empty()); // nothing to ask: the page is the whole list
    }

    void countGrowsFromAtLeastToExact()
    {
        Bench bench(12'345);
        bench.model.setQuery({}, {});
        bench.keys.replyAll();
        QCOMPARE(bench.model.rowCount(), 400); // a page, and one more that must exist
        QCOMPARE(bench.keys.counts.size(), std::size_t(1));
        QCOMPARE(bench.keys.counts.front().cap, KeyTableModel::kCountCap);
        auto bounded = bench.keys.counts.front();
        bench.keys.counts.pop_front();
        FakeKeys::finish(
            *bounded.promise, sql::Result<sql::RowCount>(sql::RowCount { sql::RowCount::Kind::AtLeast, 10'000 }));
        QCOMPARE(bench.model.rowCount(), 10'000);
        QCOMPARE(bench.model.count().kind, sql::RowCount::Kind::AtLeast);
        bench.keys.replyCounts();
        QCOMPARE(bench.model.rowCount(), 12'345);
        QCOMPARE(bench.model.count().kind, sql::RowCount::Kind::Exact);
    }

    void neighbourPagesFollowByKeysetNotBySkip()
    {
        Bench bench(1'000);
        bench.open();
        QVERIFY(bench.load(150, 250));
        const auto &request = bench.keys.pages.back().request;
        QCOMPARE(request.skip, 0);
        QCOMPARE(request.from.identity.constFirst().text, FakeKeys::id(199));
        QCOMPARE(bench.idAt(250), FakeKeys::id(250));
        QCOMPARE(bench.model.index(250, 1).data(KeyTableModel::ApproximateRole).toBool(), false);
    }

    void everyRowIsShownOnceInBothDirections()
    {
        Bench bench(5'137);
        bench.open();
        QList<QString> down;
        for (int row = 0; row < bench.model.rowCount(); row += 50) {
            QVERIFY(bench.load(row, qMin(row + 49, bench.model.rowCount() - 1)));
            for (int i = row; i < qMin(row + 50, bench.model.rowCount()); ++i) {
                down.append(bench.idAt(i));
            }
        }
        QCOMPARE(down, bench.keys.ids);
        for (int row = bench.model.rowCount() - 1; row >= 0; row -= 40) {
            QVERIFY(bench.load(qMax(0, row - 39), row));
            QCOMPARE(bench.idAt(row), bench.keys.ids.at(row));
        }
    }

    void farJumpWaitsForBoundariesThenSkipsLittle()
    {
        Bench bench(200'000);
        bench.open();
        QCOMPARE(bench.keys.boundaries.size(), std::size_t(1));
        bench.answerAll(); // what the model tester looked at
        const int row = bench.model.jumpToRow(120'500);
        QCOMPARE(row, 120'500);
        const std::size_t before = bench.keys.pages.size();
        bench.model.index(row, 1).data(Qt::DisplayRole);
        QCoreApplication::processEvents();
        QCOMPARE(bench.keys.pages.size(), before);
        bench.keys.replyBoundaries();
        QTRY_COMPARE(bench.keys.pages.size(), before + 1);
        QVERIFY(bench.keys.pages.back().request.skip <= 2'000);
        bench.keys.replyAll();
        QCOMPARE(bench.idAt(row), FakeKeys::id(120'500));
        QVERIFY(bench.model.index(row, 1).data(KeyTableModel::ApproximateRole).toBool());
    }

    void lastPageIsReadFromTheEnd()
    {
        Bench bench(200'123);
        bench.open();
        const int last = bench.model.rowCount() - 1;
        QCOMPARE(last, 200'122);
        QVERIFY(bench.load(last - 30, last));
        QVERIFY(bench.keys.pages.back().request.backward);
        QCOMPARE(bench.idAt(last), FakeKeys::id(200'122));
        QVERIFY(bench.load(last - 300, last - 200)); // and its neighbour from it
        QCOMPARE(bench.idAt(last - 300), FakeKeys::id(199'822));
    }

    void windowHoldsAtMostAMillionRowsAndMoves()
    {
        FakeKeys keys(400);
        KeyTableModel model;
        model.setSource(FakeKeys::target(), keys.fetchers());
        model.setQuery({}, {});
        keys.replyAll();
        const auto bounded = keys.counts.front();
        keys.counts.pop_front();
        FakeKeys::finish(
            *bounded.promise, sql::Result<sql::RowCount>(sql::RowCount { sql::RowCount::Kind::AtLeast, 10'000 }));
        const auto exact = keys.counts.front();
        keys.counts.pop_front();
        FakeKeys::finish(
            *exact.promise, sql::Result<sql::RowCount>(sql::RowCount { sql::RowCount::Kind::Exact, 10'000'000 }));
        QCOMPARE(model.rowCount(), int(KeyTableModel::kMaxWindow));
        QSignalSpy moved(&model, &KeyTableModel::windowMoved);
        const int row = model.jumpToRow(7'654'321);
        QCOMPARE(moved.size(), 1);
        QCOMPARE(model.numberOf(row), 7'654'321);
        QCOMPARE(model.rowCount(), int(KeyTableModel::kMaxWindow));
        const int end = model.jumpToRow(9'999'999);
        QCOMPARE(model.numberOf(end), 9'999'999);
        QCOMPARE(model.jumpToRow(10'000'000), -1);
        QCOMPARE(model.jumpToRow(-1), -1);
    }

    void lateAnswersOfAnOlderFilterAreDropped()
    {
        Bench bench(500);
        bench.model.setQuery({}, {});
        auto late = bench.keys.pages.front();
        sql::Filter filter;
        filter.terms.append(sql::FilterTerm());
        bench.keys.fill(3);
        bench.model.setQuery(filter, {});
        bench.keys.reply(bench.keys.pages.back());
        QCOMPARE(bench.model.rowCount(), 3);
        bench.keys.fill(500);
        bench.keys.reply(late);
        QCOMPARE(bench.model.rowCount(), 3);
        QVERIFY(bench.keys.cancels >= 1);
    }

    void oldRowsStayOutdatedUntilTheNewOnesCome()
    {
        Bench bench(30);
        bench.open();
        QSignalSpy resets(&bench.model, &KeyTableModel::modelReset);
        bench.model.setQuery({}, u"-identity"_s);
        QCOMPARE(bench.model.rowCount(), 30);
        QCOMPARE(bench.model.index(3, 1).data(KeyTableModel::LoadStateRole).toInt(),
            int(KeyTableModel::LoadState::Outdated));
        QCOMPARE(resets.size(), 0);
        bench.keys.replyAll();
        QCOMPARE(resets.size(), 1);
        QCOMPARE(
            bench.model.index(3, 1).data(KeyTableModel::LoadStateRole).toInt(), int(KeyTableModel::LoadState::Loaded));
    }

    void firstPageFailureEmptiesTheListAndRetryReads()
    {
        Bench bench(30);
        bench.open();
        QSignalSpy failed(&bench.model, &KeyTableModel::failed);
        QSignalSpy recovered(&bench.model, &KeyTableModel::recovered);
        bench.model.setQuery({}, {});
        bench.keys.fail(bench.keys.pages.back(), sql::ErrorKind::ConnectionLost, u"gone"_s);
        QCOMPARE(failed.size(), 1);
        QCOMPARE(bench.model.rowCount(), 0);
        bench.model.retry();
        bench.keys.replyAll();
        QCOMPARE(bench.model.rowCount(), 30);
        QCOMPARE(recovered.size(), 1);
    }

    void laterPageFailureIsMarkedOnItsRowsOnly()
    {
        Bench bench(1'000);
        bench.open();
        bench.model.index(250, 1).data(Qt::DisplayRole);
        QTRY_VERIFY(!bench.keys.pages.back().answered);
        bench.keys.fail(bench.keys.pages.back(), sql::ErrorKind::Timeout, u"too slow <b>\u202E"_s);
        const auto failedIndex = bench.model.index(250, 1);
        QCOMPARE(failedIndex.data(KeyTableModel::LoadStateRole).toInt(), int(KeyTableModel::LoadState::Failed));
        QCOMPARE(failedIndex.data(Qt::DisplayRole).toString(), u"too slow <b>\\u202E"_s);
        QCOMPARE(
            bench.model.index(10, 1).data(KeyTableModel::LoadStateRole).toInt(), int(KeyTableModel::LoadState::Loaded));
        const std::size_t asked = bench.keys.pages.size();
        failedIndex.data(Qt::DisplayRole);
        QCoreApplication::processEvents();
        QCOMPARE(bench.keys.pages.size(), asked); // a failed page is not hammered
        bench.model.retry(250);
        QVERIFY(bench.load(240, 260));
    }

    void abandonedFutureEndsTheRequest()
    {
        Bench bench(1'000);
        bench.open();
        bench.model.index(250, 1).data(Qt::DisplayRole);
        QTRY_VERIFY(!bench.keys.pages.back().answered);
        bench.keys.pages.back().answered = true;
        bench.keys.pages.back().promise->future().cancel();
        bench.keys.pages.back().promise->finish();
        QTRY_VERIFY(!bench.model.busy());
        QCOMPARE(bench.model.index(250, 1).data(KeyTableModel::LoadStateRole).toInt(),
            int(KeyTableModel::LoadState::Failed));
    }

    void cancelMarksLoadingRows()
    {
        Bench bench(1'000);
        bench.open();
        bench.model.index(250, 1).data(Qt::DisplayRole);
        QTRY_VERIFY(bench.model.busy());
        bench.model.cancel();
        QVERIFY(!bench.model.busy());
        QCOMPARE(bench.model.index(250, 1).data(KeyTableModel::LoadStateRole).toInt(),
            int(KeyTableModel::LoadState::Failed));
        bench.keys.replyAll(); // the answer that comes all the same changes nothing
        QCOMPARE(bench.model.index(250, 1).data(KeyTableModel::LoadStateRole).toInt(),
            int(KeyTableModel::LoadState::Failed));
    }

    void refreshMergesByIdentityAndKeepsTheSelection()
    {
        Bench bench(50);
        bench.open();
        QPersistentModelIndex chosen = bench.model.index(20, 1);
        QPersistentModelIndex doomed = bench.model.index(30, 1);
        const QString id = bench.idAt(20);
        bench.keys.ids.removeAt(30);
        bench.keys.ids.insert(0, u"0000000000a"_s.left(10) + u"5"_s);
        std::sort(bench.keys.ids.begin(), bench.keys.ids.end());
        QSignalSpy resets(&bench.model, &KeyTableModel::modelReset);
        QSignalSpy merged(&bench.model, &KeyTableModel::merged);
        bench.model.refresh();
        bench.keys.replyAll();
        QCOMPARE(merged.size(), 1);
        QCOMPARE(resets.size(), 0);
        QCOMPARE(bench.model.rowCount(), 50);
        QVERIFY(chosen.isValid());
        QCOMPARE(bench.idAt(chosen.row()), id);
        QVERIFY(!doomed.isValid());
    }

    void refreshWithoutChangesSaysNothing()
    {
        Bench bench(50);
        bench.open();
        QSignalSpy changed(&bench.model, &KeyTableModel::dataChanged);
        QSignalSpy layout(&bench.model, &KeyTableModel::layoutChanged);
        bench.model.refresh();
        bench.keys.replyAll();
        QCOMPARE(changed.size(), 0);
        QCOMPARE(layout.size(), 0);
    }

    void refreshShrinksAndGrowsTheList_data()
    {
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::newRow("to nothing") << 40 << 0;
        QTest::newRow("from nothing") << 0 << 40;
        QTest::newRow("over a page") << 150 << 250;
        QTest::newRow("under a page") << 250 << 150;
        QTest::newRow("exactly a page") << 100 << 200;
    }
    void refreshShrinksAndGrowsTheList()
    {
        QFETCH(int, before);
        QFETCH(int, after);
        Bench bench(before);
        bench.open();
        bench.keys.fill(after);
        bench.model.refresh();
        bench.answerAll();
        QCOMPARE(bench.model.rowCount(), after);
        if (after > 0) {
            QVERIFY(bench.load(0, after - 1));
            QCOMPARE(bench.idAt(after - 1), FakeKeys::id(after - 1));
        }
    }

    void rowsInsertedAboveAreNeitherLostNorDoubledWhenScrollingBack()
    {
        Bench bench(3'000);
        bench.open();
        QVERIFY(bench.load(1'000, 1'040));
        for (int i = 0; i < 7; ++i) {
            bench.keys.ids.append(FakeKeys::id(i) + u"x"_s);
        }
        std::sort(bench.keys.ids.begin(), bench.keys.ids.end());
        bench.model.refresh();
        bench.answerAll();
        QSet<QString> seen;
        for (int row = 1'000; row >= 0; row -= 20) {
            QVERIFY(bench.load(row, row + 19));
        }
        for (int row = 0; row < 400; row += 40) {
            QVERIFY(bench.load(row, row + 39));
            for (int i = row; i < row + 40; ++i) {
                QCOMPARE(bench.idAt(i), bench.keys.ids.at(i));
                QVERIFY(!seen.contains(bench.idAt(i)));
                seen.insert(bench.idAt(i));
            }
        }
    }

    void failedRefreshKeepsTheRows()
    {
        Bench bench(50);
        bench.open();
        QSignalSpy failed(&bench.model, &KeyTableModel::failed);
        bench.model.refresh();
        bench.keys.fail(bench.keys.pages.back(), sql::ErrorKind::ConnectionLost, u"gone"_s);
        QCOMPARE(failed.size(), 1);
        QCOMPARE(bench.model.rowCount(), 50);
        bench.model.refresh();
        bench.keys.replyAll();
        QVERIFY(!bench.model.failing());
    }

    void jumpToTimeFindsBeginningAndEnd()
    {
        Bench bench(3'000);
        bench.open();
        QSignalSpy jumped(&bench.model, &KeyTableModel::jumped);
        QVERIFY(bench.model.jumpToTime({ sql::Timestamp::Kind::Finite, 7'005 }).ok()); // just before row 701
        for (int turn = 0; turn < 5 && jumped.isEmpty(); ++turn) {
            QCoreApplication::processEvents();
            bench.keys.replyAll();
        }
        QCOMPARE(jumped.size(), 1);
        const int row = jumped.at(0).at(0).toInt();
        QCOMPARE(bench.idAt(row), FakeKeys::id(701));
        QVERIFY(bench.model.numbersApproximate() && bench.model.numbersUnknown()); // nobody counted up to there
        // Up to the beginning, whatever number it turns out to have.
        QString first;
        for (int turn = 0; turn < 60; ++turn) {
            bench.model.setVisibleRows(0, 10);
            bench.load(0, 10);
            first = bench.idAt(0);
            if (first == FakeKeys::id(0)) {
                break;
            }
            for (int at = bench.model.rowCount() - 1; at >= 0; --at) {
                if (bench.model.record(at) && at > 0 && !bench.model.record(at - 1)) {
                    bench.load(qMax(0, at - 100), at);
                }
            }
        }
        QCOMPARE(first, FakeKeys::id(0));
        // From the beginning on the numbers are true again.
        QVERIFY(!bench.model.numbersApproximate() && !bench.model.numbersUnknown());
        QCOMPARE(bench.model.numberOf(0), 0);
        QCOMPARE(bench.model.index(0, 0).data(KeyTableModel::RowNumberRole).toLongLong(), 1);
        QVERIFY(bench.load(0, 2'000));
        QCOMPARE(bench.model.numberOf(1'500), 1'500);
        QCOMPARE(bench.idAt(1'500), FakeKeys::id(1'500));
    }

    void aJumpPastTheLastRowShowsTheLastOnes()
    {
        Bench bench(61);
        bench.open();
        QSignalSpy jumped(&bench.model, &KeyTableModel::jumped);
        QVERIFY(bench.model.jumpToTime({ sql::Timestamp::Kind::Finite, 1'000'000 }).ok());
        bench.answerAll();
        QCOMPARE(bench.model.rowCount(), 61);
        QCOMPARE(bench.idAt(0), FakeKeys::id(0));
        QCOMPARE(jumped.constLast().at(0).toInt(), 60);
        // Nor does one in a table that has no row any more wait for ever.
        bench.keys.ids.clear();
        QVERIFY(bench.model.jumpToTime({ sql::Timestamp::Kind::Finite, 1'000'000 }).ok());
        bench.answerAll();
        QCOMPARE(bench.model.rowCount(), 0);
        QVERIFY(!bench.model.busy());
    }

    void fromAJumpToTheFront()
    {
        Bench bench(3'000);
        bench.open();
        QVERIFY(!bench.model.jumpToFront()); // it is there
        QVERIFY(bench.model.jumpToTime({ sql::Timestamp::Kind::Finite, 7'005 }).ok());
        QSignalSpy jumped(&bench.model, &KeyTableModel::jumped);
        for (int turn = 0; turn < 5 && jumped.isEmpty(); ++turn) {
            QCoreApplication::processEvents();
            bench.keys.replyAll();
        }
        QVERIFY(bench.model.numbersApproximate());
        jumped.clear();
        QVERIFY(bench.model.jumpToFront());
        for (int turn = 0; turn < 5 && jumped.isEmpty(); ++turn) {
            QCoreApplication::processEvents();
            bench.keys.replyAll();
        }
        QCOMPARE(jumped.size(), 1);
        QCOMPARE(jumped.at(0).at(0).toInt(), 0);
        QCOMPARE(bench.idAt(0), FakeKeys::id(0));
        QVERIFY(!bench.model.numbersApproximate());
    }

    void hostileCellsAreShownAsEscapes()
    {
        Bench bench(1);
        bench.keys.ids[0] = u"<img src=x>\n\u202E\u200B"_s;
        bench.open();
        const auto index = bench.model.index(0, bench.model.columnOf(models::KeyColumn::Key));
        QCOMPARE(index.data(Qt::DisplayRole).toString(), u"key-<img src=x>\\n\\u202E\\u200B"_s);
        QCOMPARE(index.data(KeyTableModel::RawRole).toString(), u"key-"_s + bench.keys.ids.at(0));
        const auto scope = bench.model.index(0, 0);
        QVERIFY(!scope.data(KeyTableModel::RawRole).isValid()); // NULL, not the empty text
        QCOMPARE(scope.data(Qt::DisplayRole).toString(), QString());
    }

    void paintingAsksForNoPageTwice()
    {
        Bench bench(1'000);
        bench.open();
        for (int paint = 0; paint < 3; ++paint) {
            for (int row = 190; row < 230; ++row) {
                bench.model.index(row, 1).data(Qt::DisplayRole);
            }
        }
        const std::size_t before = bench.keys.pages.size();
        QTRY_COMPARE(bench.keys.pages.size(), before + 1);
        QCoreApplication::processEvents();
        QCOMPARE(bench.keys.pages.size(), before + 1);
    }

    void anotherTargetDropsEverything()
    {
        Bench bench(1'000);
        bench.open();
        bench.model.index(250, 1).data(Qt::DisplayRole);
        QTRY_VERIFY(bench.model.busy());
        auto late = bench.keys.pages.back();
        bench.model.setSource(FakeKeys::target(), bench.keys.fetchers());
        bench.keys.reply(late);
        QCOMPARE(bench.model.rowCount(), 0);
        QVERIFY(!bench.model.busy());
    }
};

QTEST_MAIN(KeyTableModelTest)
#include "tst_key_table_model.moc"
