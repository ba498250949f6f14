// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/comparison.h"
#include "models/compare/json_diff_model.h"
#include "models/compare/side_by_side_model.h"
#include "models/format/display_text.h"
#include "tests/models/calm_pool.h"
#include "tests/models/compare_lines.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

namespace {

using Shared = std::shared_ptr<const Comparison>;

/// Once it is given up the pool frees it; with that done, nothing of it is under way beside what the test
/// does next.
Shared compared(const QByteArray &a, const QByteArray &b, const QStringList &ignore = {})
{
    CompareInput input;
    input.a = a;
    input.b = b;
    input.nameA = u"stored"_s;
    input.nameB = u"retry"_s;
    input.ignore = ignore;
    const auto made = comparePayloads(input, std::make_shared<std::atomic_bool>(false));
    if (!made) {
        return nullptr;
    }
    return Shared(made->get(), [kept = *made](const Comparison *) mutable {
        kept.reset();
        QThreadPool::globalInstance()->waitForDone();
    });
}

/// "2|  amount: 10|2|  amount: 12".
QStringList sideLines(const SideBySideModel &model)
{
    QStringList out;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < SideBySideModel::ColumnCount; ++column) {
            cells += model.index(row, column).data().toString();
        }
        out += cells.join(u'|');
    }
    return out;
}

QString sideText(const SideBySideModel &model, int column)
{
    QString text;
    for (int row = 0; row < model.rowCount(); ++row) {
        text += model.index(row, column).data(Qt::ToolTipRole).toString() + u'\n';
    }
    return text;
}

/// The stretches of text that differ, "a>b" joined by spaces, after a check that the spans cover both cells
/// as shown.
QString differing(const QModelIndex &index, int first, int second, int role)
{
    const QString a = index.siblingAtColumn(first).data().toString();
    const QString b = index.siblingAtColumn(second).data().toString();
    QStringList out;
    qsizetype nextA = 0;
    qsizetype nextB = 0;
    for (const TextSpan &span : index.data(role).value<QList<TextSpan>>()) {
        const QString left = a.mid(span.a, span.aLength);
        const QString right = b.mid(span.b, span.bLength);
        if (span.a != nextA || span.b != nextB || left.size() != span.aLength || right.size() != span.bLength
            || (span.same && left != right)) {
            return u"spans do not fit"_s;
        }
        nextA += span.aLength;
        nextB += span.bLength;
        if (!span.same) {
            out += left + u'>' + right;
        }
    }
    return nextA == a.size() && nextB == b.size() ? out.join(u' ') : u"spans do not cover"_s;
}

QByteArray randomValue(QRandomGenerator &random, int depth)
{
    static const QByteArrayList scalars { "1", "1.0", "2", "null", "true", "\"x\"", "\"\\u0078\"", "\"y\"",
        "\"caf\xC3\xA9\"", "-0" };
    const int kind = depth > 0 ? int(random.bounded(4)) : 0;
    if (kind < 2) {
        return scalars[random.bounded(int(scalars.size()))];
    }
    QByteArrayList parts;
    QByteArrayList names { "a", "b", "c", "a/b", "~", "\\u0064" };
    std::shuffle(names.begin(), names.end(), random);
    for (int i = int(random.bounded(4)); i >= 0; --i) {
        parts += (kind == 2 ? '"' + names[i] + "\":" : QByteArray()) + randomValue(random, depth - 1);
    }
    return (kind == 2 ? '{' : '[') + parts.join(random.bounded(3) == 0 ? " ,\n" : ",") + (kind == 2 ? '}' : ']');
}

} // namespace

class CompareModelsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        calmPool();
    }

    void treeShowsDifferencesOnly()
    {
        JsonDiffModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        const Shared shared = compared(
            R"({"amount":10,"rate":1.0,"to":{"iban":"DE1","bank":"x"},"at":1,"gone":[1,2],"kept":{"x":1}})",
            R"({"amount":12,"rate":1,"to":{"iban":"DE2","bank":"x"},"at":2,"new":null,"kept":{"x":1}})", { u"/at"_s });
        model.setComparison(shared);
        QCOMPARE(treeLines(model),
            QStringList({ u"root|6 members|6 members|contains changes"_s, u" amount|10|12|changed"_s,
                u" rate|1.0|1|written differently: how numbers are written"_s,
                u" to|2 members|2 members|contains changes"_s, u"  iban|\"DE1\"|\"DE2\"|changed"_s,
                u" at|1|2|ignored by a rule"_s, u" new||null|added"_s, u" gone|[1,2]||removed"_s }));
        model.setOnlyDifferences(false);
        QCOMPARE(treeLines(model).filter(u" bank|\"x\"|\"x\"|"_s).size(), 1);
        QCOMPARE(treeLines(model).filter(u" kept|{\"x\":1}|{\"x\":1}|"_s).size(), 1);
        QCOMPARE(model.headerData(JsonDiffModel::First, Qt::Horizontal, Qt::DisplayRole).toString(), u"stored"_s);
        model.setOnlyDifferences(true);
        const QModelIndex amount = model.index(0, 0, model.index(0, 0));
        QCOMPARE(amount.data(JsonDiffModel::PointerRole).toString(), u"/amount"_s);
        QCOMPARE(differing(amount, JsonDiffModel::First, JsonDiffModel::Second, JsonDiffModel::SpansRole), u"10>12"_s);
        QVERIFY(!model.index(0, 0).data(JsonDiffModel::SpansRole).isValid());
        QVERIFY(model.index(1, 0, model.index(0, 0)).data(JsonDiffModel::FormOnlyRole).toBool());
        QVERIFY(model.index(3, 0, model.index(0, 0)).data(JsonDiffModel::IgnoredRole).toBool());
        QCOMPARE(model.index(5, 0, model.index(0, 0)).data(JsonDiffModel::PointerRole).toString(), u"/gone"_s);
        QVERIFY2(shared->why.contains(u"different request"_s), qPrintable(shared->why));
        model.setComparison(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void movedElementsAreNamed()
    {
        JsonDiffModel model;
        model.setComparison(compared(R"([{"id":1,"q":1},{"id":2},{"id":3}])", R"([{"id":2},{"id":3},{"id":1,"q":2}])"));
        QCOMPARE(treeLines(model).filter(u"|moved from [0] to [2]"_s).size(), 1);
        QCOMPARE(treeLines(model).filter(u"  q|1|2|changed"_s).size(), 1);
    }

    /// What belongs together stands beside each other, and each line has its own payload's number.
    void linesHaveTheNumbersOfTheirPayload_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<QStringList>("numbers");
        QTest::addColumn<QString>("moved");
        QTest::newRow("an element moved")
            << QByteArray(R"([{"id":1,"q":1},{"id":2},{"id":3}])")
            << QByteArray(R"([{"id":2},{"id":3},{"id":1,"q":2}])")
            << QStringList { u"1|1"_s, u"6|2"_s, u"7|3"_s, u"2|4"_s, u"3|5"_s, u"4|6"_s, u"5|7"_s, u"8|8"_s }
            << u"moved from [0] to [2]"_s;
        QTest::newRow("members in another order")
            << QByteArray(R"({"a":{"x":1,"y":2},"b":1})") << QByteArray(R"({"b":2,"a":{"y":2,"x":1}})")
            << QStringList { u"1|1"_s, u"6|2"_s, u"2|3"_s, u"4|4"_s, u"3|5"_s, u"5|6"_s, u"7|7"_s } << QString();
        QTest::newRow("nothing moved") << QByteArray(R"({"a":1,"b":1})") << QByteArray(R"({"a":1,"b":2})")
                                       << QStringList { u"1|1"_s, u"2|2"_s, u"3|3"_s, u"4|4"_s } << QString();
    }

    void linesHaveTheNumbersOfTheirPayload()
    {
        QFETCH(const QByteArray, a);
        QFETCH(const QByteArray, b);
        QFETCH(const QStringList, numbers);
        QFETCH(const QString, moved);
        SideBySideModel model;
        model.setComparison(compared(a, b));
        QStringList shown;
        QStringList told;
        for (int row = 0; row < model.rowCount(); ++row) {
            shown += model.index(row, SideBySideModel::LineA).data().toString() + u'|'
                + model.index(row, SideBySideModel::LineB).data().toString();
            told += model.index(row, SideBySideModel::Second).data(SideBySideModel::DetailRole).toString();
        }
        told.removeAll(QString());
        QCOMPARE(shown, numbers);
        QCOMPARE(told.join(u'/'), moved);
    }

    void sidesStandLineByLine()
    {
        SideBySideModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setComparison(compared(
            R"({"n":10,"to":{"iban":"DE1"},"gone":[1, 2]})", R"({"n":10,"to":{"iban":"DE2"},"new":{},"z":1})"));
        QCOMPARE(sideLines(model),
            QStringList({ u"1|{|1|{"_s, u"2|  \"n\": 10,|2|  \"n\": 10,"_s, u"3|  \"to\": {|3|  \"to\": {"_s,
                u"4|    \"iban\": \"DE1\"|4|    \"iban\": \"DE2\""_s, u"5|  },|5|  },"_s, u"||6|  \"new\": {},"_s,
                u"||7|  \"z\": 1"_s, u"6|  \"gone\": [1,2]||"_s, u"7|}|8|}"_s }));
        QCOMPARE(
            differing(model.index(3, 0), SideBySideModel::First, SideBySideModel::Second, SideBySideModel::SpansRole),
            u"DE1>DE2"_s);
        QVERIFY(!model.index(0, 0).data(SideBySideModel::SpansRole).isValid());
        QCOMPARE(model.index(7, 0).data(SideBySideModel::StatusRole).toInt(), int(DiffStatus::Removed));
    }

    void unchangedStretchesFold()
    {
        QByteArray a;
        for (int i = 0; i < 20; ++i) {
            a += "line " + QByteArray::number(i) + "\r\n";
        }
        QByteArray b = a;
        b.replace("line 12", "line twelve");
        SideBySideModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const Shared shared = compared(a, b + "end");
        model.setComparison(shared);
        QCOMPARE(shared->summary, u"2 lines differ."_s);
        QCOMPARE(model.rowCount(), 21);
        model.setOnlyDifferences(true);
        QCOMPARE(sideLines(model),
            QStringList({ u"|12 unchanged lines||12 unchanged lines"_s, u"13|line 12\\r|13|line twelve\\r"_s,
                u"|7 unchanged lines||7 unchanged lines"_s, u"||21|end"_s }));
        QCOMPARE(
            differing(model.index(1, 0), SideBySideModel::First, SideBySideModel::Second, SideBySideModel::SpansRole)
                .left(2),
            u"12"_s);
        // A click opens one such row, and only that one.
        QVERIFY(model.canFold() && model.folds(0) && !model.folds(1));
        model.unfold(1);
        QCOMPARE(model.rowCount(), 4);
        model.unfold(0);
        QCOMPARE(model.rowCount(), 15);
        QCOMPARE(sideLines(model).at(11), u"12|line 11\\r|12|line 11\\r"_s);
        QCOMPARE(sideLines(model).at(13), u"|7 unchanged lines||7 unchanged lines"_s);
        model.setOnlyDifferences(false);
        QCOMPARE(model.rowCount(), 21);
    }

    void aMissingLastBreakIsVisible()
    {
        SideBySideModel model;
        model.setComparison(compared("a\n", "a"));
        QCOMPARE(sideLines(model), QStringList { u"1|a\\n|1|a"_s });
    }

    void oneSideMayBeNoJson()
    {
        const Shared shared = compared("{\"a\":1}", "a=1");
        QVERIFY(!shared->json());
        QVERIFY2(shared->notJson.contains(u"retry"_s) && !shared->notJson.contains(u"stored"_s),
            qPrintable(shared->notJson));
        QCOMPARE(shared->summary, u"1 lines differ."_s);
        QVERIFY(shared->why.isEmpty());
        JsonDiffModel tree;
        tree.setComparison(shared);
        QCOMPARE(tree.rowCount(), 0);
        SideBySideModel sides;
        sides.setComparison(shared);
        QCOMPARE(sideLines(sides), QStringList { u"1|{\"a\":1}|1|a=1"_s });
    }

    void equalAndEmptyPayloads()
    {
        JsonDiffModel tree;
        SideBySideModel sides;
        const Shared same = compared("[1,2]", "[1,2]");
        tree.setComparison(same);
        sides.setComparison(same);
        QCOMPARE(treeLines(tree), QStringList { u"root|[1,2]|[1,2]|"_s });
        QCOMPARE(sideLines(sides), QStringList { u"1|[1,2]|1|[1,2]"_s });
        QCOMPARE(same->summary, u"Both payloads are the same, byte for byte."_s);
        const Shared empty = compared("", "");
        tree.setComparison(empty);
        sides.setComparison(empty);
        QCOMPARE(tree.rowCount(), 0);
        QCOMPARE(sides.rowCount(), 0);
        QCOMPARE(empty->summary, u"Both payloads are the same, byte for byte."_s);
        QVERIFY(!empty->notJson.isEmpty());
    }

    void hostilePayloadsAreHarmless_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<bool>("json");
        const QByteArray deep = QByteArray(20'000, '[') + QByteArray(20'000, ']');
        const auto nested
            = [](const QByteArray &core) { return QByteArray(9'000, '[') + core + QByteArray(9'000, ']'); };
        QTest::newRow("deeper than a tree bears") << deep << QByteArray("[]") << false;
        QTest::newRow("deep, and differs at its bottom") << nested("1") << nested("2") << true;
        QTest::newRow("no UTF-8") << QByteArray("a\xFF\n") << QByteArray("a\xFE\xC3\n") << false;
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("{\"a\":\"\0\"}", 9) << false;
        QTest::newRow("huge numbers") << QByteArray("[1e999999999999, " + QByteArray(5'000, '9') + "]")
                                      << QByteArray("[1e-999999999999999999, 0]") << true;
        QTest::newRow("bidi") << QByteArray("{\"\xE2\x80\xAE x\":\"\xE2\x80\xAE\"}")
                              << QByteArray("{\"\xE2\x80\xAE x\":\"\xE2\x80\x8B\"}") << true;
        QTest::newRow("bidi text") << QByteArray("\xE2\x80\xAE x\x1B[31m") << QByteArray("\xE2\x80\x8B x") << false;
        QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF=") << QByteArray("=") << false;
        QTest::newRow("long lines") << QByteArray(100'000, 'x') << QByteArray(100'000, 'x') + "\xF0\x9F\x98\x80"
                                    << false;
        QTest::newRow("pairs at the cut") << '"' + QByteArray("\xF0\x9F\x98\x80").repeated(500) + "a\""
                                          << '"' + QByteArray("\xF0\x9F\x98\x80").repeated(500) + "b\"" << true;
    }

    void hostilePayloadsAreHarmless()
    {
        QFETCH(const QByteArray, a);
        QFETCH(const QByteArray, b);
        QFETCH(const bool, json);
        const Shared shared = compared(a, b);
        QCOMPARE(shared->json(), json);
        JsonDiffModel tree;
        SideBySideModel sides;
        const QAbstractItemModelTester tester(&sides, QAbstractItemModelTester::FailureReportingMode::QtTest);
        tree.setComparison(shared);
        sides.setComparison(shared);
        bool visible = false;
        for (const QAbstractItemModel *model :
            { static_cast<const QAbstractItemModel *>(&tree), static_cast<const QAbstractItemModel *>(&sides) }) {
            for (const QModelIndex &index : allRows(*model)) {
                for (int column = 0; column < model->columnCount(); ++column) {
                    const QString shown = index.siblingAtColumn(column).data().toString();
                    QVERIFY2(!hasHiddenCharacters(shown) && shown.size() <= 2 * kCellChars + 100,
                        qPrintable(shown.left(300)));
                }
                if (index.data(JsonDiffModel::SpansRole).isValid() && model == &tree) {
                    visible = visible
                        || !differing(index, JsonDiffModel::First, JsonDiffModel::Second, JsonDiffModel::SpansRole)
                                .isEmpty();
                } else if (index.data(SideBySideModel::SpansRole).isValid() && model == &sides) {
                    const QString what
                        = differing(index, SideBySideModel::First, SideBySideModel::Second, SideBySideModel::SpansRole);
                    QVERIFY2(!what.startsWith(u"spans"_s), qPrintable(what));
                    visible = visible || !what.isEmpty();
                }
            }
        }
        QVERIFY2(visible, "no cell shows what differs");
    }

    void bytesThatLookAlikeAreNotCalledTheSame()
    {
        const Shared shared = compared("a\xFF", "a\\xFF");
        QVERIFY2(shared->summary.contains(u"bytes differ"_s), qPrintable(shared->summary));
    }

    void theTreeAgreesWithTheListOfChanges()
    {
        QRandomGenerator random(20'26);
        int withDifferences = 0;
        for (int round = 0; round < 400; ++round) {
            const QByteArray a = randomValue(random, 4);
            const QByteArray b = random.bounded(2) == 0 ? randomValue(random, 4)
                                                        : QByteArray(a).replace("1.0", "1").replace("true", "2");
            const Shared shared = compared(a, b, { u"/a"_s });
            QVERIFY(shared->json());
            JsonDiffModel tree;
            const QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::QtTest);
            tree.setComparison(shared);
            QStringList shown;
            for (const QModelIndex &index : allRows(tree)) {
                const auto status = DiffStatus(index.data(JsonDiffModel::StatusRole).toInt());
                const bool formOnly = index.data(JsonDiffModel::FormOnlyRole).toBool();
                if (status != DiffStatus::Same && (status != DiffStatus::Within || formOnly)) {
                    shown += u"%1 %2 %3 %4"_s.arg(index.data(JsonDiffModel::PointerRole).toString())
                                 .arg(int(status))
                                 .arg(formOnly)
                                 .arg(index.data(JsonDiffModel::IgnoredRole).toBool());
                }
            }
            QStringList listed;
            for (const JsonChange &change : changesOf(shared->diff, *shared->a, *shared->b)) {
                listed += u"%1 %2 %3 %4"_s.arg(change.pointer)
                              .arg(int(change.status))
                              .arg(change.formOnly)
                              .arg(change.ignored);
            }
            QCOMPARE(shown, listed);
            withDifferences += shown.isEmpty() ? 0 : 1;

            SideBySideModel sides;
            sides.setComparison(shared);
            const auto second = JsonSource::read(sideText(sides, SideBySideModel::Second).toUtf8());
            QVERIFY2(second.ok(), (a + '\n' + b).constData());
            QCOMPARE(second->compact(0), shared->b->compact(0));
            const auto first = JsonSource::read(sideText(sides, SideBySideModel::First).toUtf8());
            QVERIFY2(first.ok(), (a + '\n' + b).constData());
            QCOMPARE(first->nodeCount(), shared->a->nodeCount());
        }
        QVERIFY(withDifferences > 100);
    }
};

QTEST_GUILESS_MAIN(CompareModelsTest)
#include "tst_compare_models.moc"
