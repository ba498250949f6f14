// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/background.h"
#include "models/compare/compare_controller.h"
#include "tests/models/calm_pool.h"
#include "tests/models/compare_lines.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSemaphore>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

namespace {

/// While it lives no other work begins on the pool's threads, so that what was started is still under way.
class BusyPool
{
public:
    BusyPool()
    {
        for (int i = 0; i < m_waiting; ++i) {
            inBackground([this] { m_held.acquire(); });
        }
    }
    ~BusyPool() { release(); }
    /// Lets all work run to its end, and its answers arrive.
    void release()
    {
        m_held.release(std::exchange(m_waiting, 0));
        QVERIFY(QThreadPool::globalInstance()->waitForDone(20'000));
        QCoreApplication::processEvents();
    }

private:
    QSemaphore m_held;
    int m_waiting = QThreadPool::globalInstance()->maxThreadCount();
};

} // namespace

class CompareControllerTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        calmPool();
    }

    void theControllerComparesWhenBothAreThere()
    {
        CompareController controller;
        const QAbstractItemModelTester tester(
            controller.treeModel(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        controller.setSide(0, u"stored request of ord-1"_s, "{\"a\":1}");
        QVERIFY(!controller.busy());
        QVERIFY(controller.has(0) && !controller.has(1));
        BusyPool pool;
        controller.setSide(1, u"retry"_s, "{\"a\":2}");
        QVERIFY(controller.busy());
        pool.release();
        QVERIFY(!controller.busy());
        QVERIFY(controller.comparison() != nullptr);
        QCOMPARE(controller.size(1), 7);
        QCOMPARE(controller.treeModel()->rowCount(controller.treeModel()->index(0, 0)), 1);
        QCOMPARE(controller.sideModel()->rowCount(), 3);
        controller.swap();
        QCOMPARE(controller.name(0), u"retry"_s);
        QTRY_VERIFY(!controller.busy());
        QCOMPARE(controller.comparison()->nameA, u"retry"_s);
        QCOMPARE(treeLines(*controller.treeModel()).last(), u" a|2|1|changed"_s);
        controller.clear();
        QVERIFY(controller.comparison() == nullptr && !controller.has(0) && !controller.busy());
        QCOMPARE(controller.treeModel()->rowCount(), 0);
    }

    void aWrongRuleKeepsTheComparison()
    {
        CompareController controller;
        controller.setSide(0, u"a"_s, "{\"at\":1}");
        controller.setSide(1, u"b"_s, "{\"at\":2}");
        QTRY_VERIFY(controller.comparison() != nullptr);
        const auto before = controller.comparison();
        controller.setIgnore({ u"at"_s });
        QVERIFY(controller.error() && !controller.busy());
        QVERIFY(controller.comparison() == before && controller.ignore().isEmpty());
        controller.setIgnore({ u"/at"_s });
        QVERIFY(!controller.error());
        QTRY_VERIFY(!controller.busy());
        QVERIFY(controller.comparison()->diff.sameData());
        QCOMPARE(controller.comparison()->diff.counts.ignored, 1);
    }

    void aFingerprintIsTracedToItsPayload()
    {
        const QByteArray body = "{\"amount\":1050,\"currency\":\"EUR\",\"Note\":\"caf\xC3\xA9/"
                                "1\",\"items\":[{\"sku\":\"b\",\"qty\":2}],\"rate\":1.0}";
        CompareController controller;
        controller.setSide(0, u"retry"_s, "{\"amount\":1}");
        controller.setSide(1, u"stored"_s, body);
        RequestParts parts;
        parts.values = { { u"method"_s, "POST" }, { u"path"_s, "/v1/charges" } };
        controller.setFingerprint(
            u"7511e10eb29617a0aa087f41a53796ab166682e361f39e602953d10ce150b65a"_s, parts, PayloadOrigin::Bytes);
        QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 20'000);
        QCOMPARE(controller.comparison()->recipeOf, u"stored"_s);
        QVERIFY(controller.comparison()->recipe && controller.comparison()->recipe->recipe);
        QVERIFY2(controller.comparison()->recipeSentence.contains(u"“stored”"_s),
            qPrintable(controller.comparison()->recipeSentence));
        controller.setFingerprint(QString(64, u'0'), {}, PayloadOrigin::Unknown);
        QTRY_VERIFY_WITH_TIMEOUT(!controller.busy(), 20'000);
        QVERIFY(controller.comparison()->recipeOf.isEmpty() && !controller.comparison()->recipe->recipe);
        QVERIFY2(controller.comparison()->recipeSentence.startsWith(u"No recipe was found"_s),
            qPrintable(controller.comparison()->recipeSentence));
        controller.setFingerprint(u"no hash!"_s, {}, PayloadOrigin::Unknown);
        QTRY_VERIFY(!controller.busy());
        QVERIFY(!controller.comparison()->recipe && !controller.comparison()->recipeSentence.isEmpty());
    }

    void theNewestPayloadWins()
    {
        CompareController controller;
        QStringList seen;
        connect(&controller, &CompareController::changed, this, [&] {
            if (controller.comparison() != nullptr
                && (seen.isEmpty() || seen.last() != controller.comparison()->nameB)) {
                seen += controller.comparison()->nameB;
            }
        });
        BusyPool pool;
        controller.setSide(0, u"a"_s, "[1]");
        controller.setSide(1, u"old"_s, "[2]");
        controller.setSide(1, u"new"_s, "[]");
        pool.release();
        QVERIFY(!controller.busy() && !controller.error());
        QCOMPARE(seen, QStringList { u"new"_s });
    }

    void cancelStopsAndCompareStartsAgain()
    {
        auto controller = std::make_unique<CompareController>();
        {
            const BusyPool pool;
            controller->setSide(0, u"a"_s, "[1]");
            controller->setSide(1, u"b"_s, "[2]");
            QVERIFY(controller->busy());
            controller->cancel();
            QVERIFY(!controller->busy());
        }
        QVERIFY(controller->comparison() == nullptr && !controller->error());
        controller->compare();
        QTRY_VERIFY(controller->comparison() != nullptr);
        const BusyPool pool;
        controller->compare();
        controller->openFile(0, u"/none"_s);
        controller.reset(); // gone before the answers
    }

    void filesAreRead()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"retry.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[1]");
        file.close();
        CompareController controller;
        controller.setSide(0, u"a"_s, "[1]");
        controller.openFile(1, file.fileName());
        QTRY_VERIFY(controller.comparison() != nullptr);
        QCOMPARE(controller.name(1), u"retry.json"_s);
        QVERIFY(controller.comparison()->diff.sameBytes);
        for (const QString &path : { folder.filePath(u"none.json"_s), folder.path() }) {
            controller.openFile(0, path);
            QTRY_VERIFY(!controller.busy());
            QVERIFY(controller.error().has_value());
            QCOMPARE(controller.error()->kind, sql::ErrorKind::File);
            QVERIFY(!controller.error()->why.isEmpty() && !controller.error()->todo.isEmpty());
            QCOMPARE(controller.name(0), u"a"_s);
            QVERIFY(controller.comparison() != nullptr);
        }
        BusyPool pool;
        controller.openFile(0, file.fileName());
        controller.setSide(0, u"typed"_s, "[2]"); // newer than the file
        pool.release();
        QVERIFY(!controller.busy() && !controller.error());
        QCOMPARE(controller.name(0), u"typed"_s);
    }
};

QTEST_GUILESS_MAIN(CompareControllerTest)
#include "tst_compare_controller.moc"
