// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/diff/diff_words.h"
#include "models/diff/json_diff.h"
#include "models/diff/number_form.h"
#include "models/diff/sequence_align.h"
#include "models/diff/text_diff.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::models;

namespace {

JsonSource source(const QByteArray &text)
{
    auto read = JsonSource::read(text);
    if (!read) {
        qFatal("%s: %s", qPrintable(read.error().line()), text.left(200).constData());
    }
    return *read;
}

JsonDiff diff(const QByteArray &a, const QByteArray &b, const QStringList &ignore = {})
{
    return diffJson(source(a), source(b), *ignoreRules(ignore));
}

/// "changed /a 1 2; moved /b/0 …" of all that is no form only.
QStringList words(const QByteArray &a, const QByteArray &b, const QStringList &ignore = {})
{
    const JsonSource left = source(a);
    const JsonSource right = source(b);
    QStringList out;
    for (const JsonChange &change : changesOf(diffJson(left, right, *ignoreRules(ignore)), left, right)) {
        out += (change.ignored ? u"(ignored) "_s : QString()) + statusWord(change.status) + u' ' + change.pointer + u' '
            + (change.formOnly ? formWords(change.forms).join(u'+') : change.from + u'>' + change.to);
    }
    return out;
}

/// Random payloads, small alphabets so that much is alike.
class Generator
{
public:
    explicit Generator(quint32 seed)
        : m_random(seed)
    {
    }

    QByteArray value(int depth)
    {
        const int kind = int(m_random.bounded(depth > 0 ? 9 : 6));
        if (kind < 6) {
            static const QByteArrayList scalars { "1", "1.0", "1.00", "10e-1", "-0", "0", "12345678901234567890.10",
                "null", "true", "\"\"", "\"x\"", "\"\\u0078\"", "\"caf\xC3\xA9\"", "\"cafe\xCC\x81\"", "\"caf\\u00e9\"",
                "\"a b, {[\\\"\"", "1e400" };
            return scalars[m_random.bounded(int(scalars.size()))];
        }
        return container(depth - 1, kind == 6);
    }

    QByteArray container(int depth, bool array)
    {
        QByteArrayList parts;
        const int count = int(m_random.bounded(7));
        const bool identified = m_random.bounded(3) == 0;
        for (int i = 0; i < count; ++i) {
            if (array) {
                parts += identified ? "{\"id\":" + QByteArray::number(i * 7 % 5 + i) + ",\"v\":" + value(depth) + "}"
                                    : value(depth);
            } else {
                static const QByteArrayList names { "a", "b", "c", "\\u0061", "\xC3\xA9", "e\xCC\x81", "id", "a/b",
                    "~" };
                parts += blank() + '"' + names[m_random.bounded(int(names.size()))] + "\":" + blank() + value(depth);
            }
        }
        std::shuffle(parts.begin(), parts.end(), m_random);
        return (array ? '[' : '{') + parts.join("," + blank()) + blank() + (array ? ']' : '}');
    }

    /// The same text with some of its pieces replaced.
    QByteArray mutate(QByteArray text)
    {
        for (int i = 0; i < 3; ++i) {
            static const QList<std::pair<QByteArray, QByteArray>> swaps { { "1.0", "1.00" }, { "true", "null" },
                { "\"x\"", "\"y\"" }, { "\"b\"", "\"d\"" }, { "null", "[1,2,{\"id\":3}]" }, { "-0", "0" } };
            const auto &[from, to] = swaps[m_random.bounded(int(swaps.size()))];
            if (const qsizetype at = text.indexOf(from); at >= 0) {
                text.replace(at, from.size(), to);
            }
        }
        return text;
    }

    int bounded(int end) { return int(m_random.bounded(end)); }

private:
    QByteArray blank() { return m_random.bounded(4) == 0 ? " \n" : ""; }
    QRandomGenerator m_random;
};

QByteArray large(int items, int changedEvery, const QByteArray &volatileValue)
{
    QByteArray text = "{\"items\":[";
    for (int i = 0; i < items; ++i) {
        text += (i > 0 ? ",{\"id\":" : "{\"id\":") + QByteArray::number(i) + ",\"sku\":\"sku-"
            + QByteArray::number(i * 31) + "\",\"qty\":" + (changedEvery > 0 && i % changedEvery == 0 ? "99" : "1")
            + ",\"price\":10.50,\"note\":\"caf\xC3\xA9 " + volatileValue + "\",\"tags\":[\"a\",\"b\",3]}";
    }
    return text + "],\"at\":\"" + volatileValue + "\"}";
}

} // namespace

class DiffTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void differencesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char *name, const QByteArray &a, const QByteArray &b, const QStringList &expected) {
            QTest::newRow(name) << a << b << expected;
        };
        row("same", "{\"a\":1}", "{\"a\":1}", {});
        row("changed, added, removed", R"({"amount":10,"x":1})", R"({"amount":99,"y":2})",
            { u"changed /amount 10>99"_s, u"added /y >2"_s, u"removed /x 1>"_s });
        row("number forms", "[1,1.0,1.00,1e2]", "[1.0,1.00,1,100]",
            { u"removed /0 1>"_s, u"changed /2 number_form"_s });
        row("exact numbers", R"({"n":12345678901234567890.1})", R"({"n":12345678901234567890.2})",
            { u"changed /n 12345678901234567890.1>12345678901234567890.2"_s });
        row("text is no number", R"({"n":1})", R"({"n":"1"})", { u"changed /n 1>\"1\""_s });
        row("composed and decomposed", "{\"n\":\"caf\xC3\xA9\"}", "{\"n\":\"cafe\xCC\x81\"}",
            { u"changed /n unicode_form"_s });
        row("composed and decomposed name", "{\"\xC3\xA9\":1}", "{\"e\xCC\x81\":1}",
            { u"changed /e\u0301 unicode_form"_s });
        row("escapes", "{\"n\":\"caf\xC3\xA9/\"}", R"({"n":"caf\u00e9\/"})", { u"changed /n escapes"_s });
        row("escaped name", R"({"abc":1})", R"({"\u0061bc":1})", { u"changed /abc escapes"_s });
        row("key order", R"({"a":1,"b":{"c":1,"d":2}})", R"({"b":{"d":2,"c":1},"a":1})",
            { u"within  key_order"_s, u"within /b key_order"_s });
        row("overridden duplicate", R"({"a":1,"a":2})", R"({"a":2})", { u"removed /a duplicates"_s });
        row("last duplicate counts", R"({"a":2,"a":1})", R"({"a":2})",
            { u"removed /a duplicates"_s, u"changed /a 1>2"_s });
        row("whitespace is of the whole", "{\"a\": 1}", "{\"a\":1}", {});
        row("moved by identity, changed within", R"([{"id":1,"q":1},{"id":2,"q":1},{"id":3,"q":1}])",
            R"([{"id":3,"q":1},{"id":1,"q":1},{"id":2,"q":5}])",
            { u"moved /0 {\"id\":3,\"q\":1}>{\"id\":3,\"q\":1}"_s, u"changed /2/q 1>5"_s });
        row("identity, not place", R"([{"id":1},{"id":2}])", R"([{"id":9},{"id":1},{"id":2}])",
            { u"added /0 >{\"id\":9}"_s });
        row("by place without identity", R"([{"q":1},{"q":2}])", R"([{"q":1},{"q":3}])", { u"changed /1/q 2>3"_s });
        row("another type", R"({"a":[1]})", R"({"a":{"0":1}})", { u"changed /a [1]>{\"0\":1}"_s });
        row("scalar roots", "1", "\"1\"", { u"changed  1>\"1\""_s });
        row("pointer escapes", R"({"a/b":1})", R"({"a/b":2})", { u"changed /a~1b 1>2"_s });
    }
    void differencesAreNamed()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QFETCH(QStringList, expected);
        if (qstrcmp(QTest::currentDataTag(), "number forms") == 0) {
            // 1.0 and 1.00 are found where they stand in both; 1 went and 1e2 became another text of the same number.
            const JsonDiff found = diff(a, b);
            QVERIFY(found.forms.testFlag(DiffForm::NumberForm));
            QVERIFY(found.counts.form >= 1);
            return;
        }
        QCOMPARE(words(a, b), expected);
    }

    void wholeTextForms()
    {
        QVERIFY(diff("{\"a\": 1}", "{\"a\":1}").forms == DiffForm::Whitespace);
        QVERIFY(diff("{\"a\":1}\n", "{\"a\":1}").forms == DiffForm::Whitespace);
        QVERIFY(diff("{\"a\":1}", "{\"a\":1}").sameBytes);
        QVERIFY(diff("{\"a\":1}", "{\"a\":1.0}").sameData());
        QVERIFY(diff("\xEF\xBB\xBF{\"a\":1}", "{\"a\":1}").sameData());
        QVERIFY(!diff("{\"a\":1}", "{\"a\":2}").sameData());
    }

    void volatileFieldsAreIgnored()
    {
        const QByteArray a
            = R"({"items":[{"id":1,"at":"x","q":1},{"id":2,"at":"y","q":1}],"at":"1","meta":{"trace":"t"}})";
        const QByteArray b
            = R"({"items":[{"id":1,"at":"z","q":1},{"id":2,"at":"w","q":2}],"at":"1","meta":{"trace":"u"}})";
        QCOMPARE(words(a, b, { u"/items/*/at"_s, u"/meta"_s }),
            (QStringList { u"(ignored) changed /items/0/at \"x\">\"z\""_s,
                u"(ignored) changed /items/1/at \"y\">\"w\""_s, u"changed /items/1/q 1>2"_s,
                u"(ignored) changed /meta/trace \"t\">\"u\""_s }));
        const JsonDiff found = diff(a, b, { u"/items/*/at"_s, u"/meta"_s, u"/items/1/q"_s });
        QVERIFY(found.sameData());
        QCOMPARE(found.counts.ignored, 4);
        QVERIFY(!diff(a, b, { u"/items/*"_s }).sameData());
        QVERIFY(!ignoreRules({ u"items"_s }));
    }

    void sameNumbersAreKnown_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<bool>("same");
        QTest::newRow("zeros at the end") << QByteArray("1") << QByteArray("1.000") << true;
        QTest::newRow("exponent") << QByteArray("1e2") << QByteArray("100") << true;
        QTest::newRow("negative exponent") << QByteArray("120E-3") << QByteArray("0.12") << true;
        QTest::newRow("negative zero") << QByteArray("-0.0") << QByteArray("0") << true;
        QTest::newRow("negative zero, whole") << QByteArray("-0") << QByteArray("0") << true;
        QTest::newRow("whole") << QByteArray("100") << QByteArray("10") << false;
        QTest::newRow("sign") << QByteArray("-1") << QByteArray("1") << false;
        QTest::newRow("beyond double") << QByteArray("1e400") << QByteArray("10e399") << true;
        QTest::newRow("last digit of many")
            << QByteArray("9007199254740993") << QByteArray("9007199254740992") << false;
        QTest::newRow("absurd exponent") << QByteArray("1e99999999999999999999")
                                         << QByteArray("10e99999999999999999998") << false;
    }
    void sameNumbersAreKnown()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QFETCH(bool, same);
        QCOMPARE(sameNumber(a, b), same);
        QCOMPARE(sameNumber(b, a), same);
    }

    void theDiffMakesTheSecondOutOfTheFirst()
    {
        for (quint32 seed = 0; seed < 4'000; ++seed) {
            Generator generator(seed);
            const QByteArray a = generator.value(5);
            const QByteArray b = generator.bounded(2) == 0 ? generator.mutate(a) : generator.value(5);
            const JsonSource left = source(a);
            const JsonSource right = source(b);
            const JsonDiff found = diffJson(left, right);
            const QByteArray made = applyDiff(left, found);
            QVERIFY2(made == right.compact(0),
                ("seed " + QByteArray::number(seed) + ": " + a + " to " + b + " made " + made).constData());
            QCOMPARE(found.sameBytes, a == b);
            const bool nothing = found.counts.data() + found.counts.form == 0;
            QVERIFY2(nothing == (left.compact(0) == right.compact(0)), (a + " and " + b).constData());
        }
    }

    void hostilePayloadsEndInAnError_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("deep") << QByteArray(100'000, '[') + QByteArray(100'000, ']');
        QTest::newRow("deep and open") << QByteArray(100'000, '[');
        QTest::newRow("invalid UTF-8") << QByteArray("{\"a\":\n\"\xC3(\"}");
        QTest::newRow("overlong NUL") << QByteArray("\"\xC0\x80\"");
        QTest::newRow("lone surrogate") << QByteArray("\"\\ud800\"");
        QTest::newRow("encoded surrogate") << QByteArray("\"\xED\xA0\x80\"");
        QTest::newRow("two byte order marks") << QByteArray("\xEF\xBB\xBF\xEF\xBB\xBF -0");
        QTest::newRow("no number beside a huge one") << QByteArray("[2e9999,9-141]");
        QTest::newRow("NUL") << QByteArray("{\"a\":\0}", 7);
        QTest::newRow("NUL after the end") << QByteArray("1\0", 2);
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("two values") << QByteArray("1 2");
        QTest::newRow("cut") << QByteArray("{\"a\":\"");
        QTest::newRow("no JSON") << QByteArray("amount=10&currency=EUR");
        QTest::newRow("NaN") << QByteArray("[NaN]");
    }
    void hostilePayloadsEndInAnError()
    {
        QFETCH(QByteArray, text);
        const auto read = JsonSource::read(text);
        QVERIFY(!read);
        QVERIFY(!read.error().what.isEmpty() && !read.error().why.isEmpty() && !read.error().todo.isEmpty());
    }

    void hugeNumbersAreCompared()
    {
        const QByteArray digits(200'000, '7');
        const JsonDiff found = diff("[" + digits + "]", "[" + digits + ".0]");
        QVERIFY(found.sameData() && found.forms == DiffForm::NumberForm);
        QVERIFY(!diff("[" + digits + "]", "[" + digits + "8]").sameData());
    }

    void workGrowsWithSizeOnly_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        const auto repeat = [](int count, const auto &part) {
            QByteArray text;
            for (int i = 0; i < count; ++i) {
                text += (i > 0 ? "," : "") + part(i);
            }
            return text;
        };
        const int n = 40'000;
        QTest::newRow("elements without a common one")
            << "[" + repeat(n, [](int i) { return QByteArray::number(i); }) + "]"
            << "[" + repeat(n, [](int i) { return "\"" + QByteArray::number(i) + "\""; }) + "]";
        QTest::newRow("reversed") << "[" + repeat(n, [](int i) { return QByteArray::number(i); }) + "]"
                                  << "[" + repeat(n, [](int i) { return QByteArray::number(n - i); }) + "]";
        QTest::newRow("one name many times") << "{" + repeat(n, [](int i) { return "\"a\":" + QByteArray::number(i); })
                + ",\"b\":1}" << QByteArray("{\"b\":1}");
        QTest::newRow("shifted repetition") << "[" + repeat(n, [](int i) { return QByteArray::number(i % 2); }) + "]"
                                            << "[" + repeat(n, [](int i) { return QByteArray::number(i % 3); }) + "]";
        QTest::newRow("duplicates before others") << "{" + repeat(n, [](int) { return QByteArray("\"a\":1"); }) + ","
                + repeat(n, [](int i) { return "\"k" + QByteArray::number(i) + "\":1"; })
                + "}" << QByteArray("{\"a\":1}");
        QTest::newRow("nested 9,000 deep") << QByteArray(9'000, '[') + "1" + QByteArray(9'000, ']')
                                           << QByteArray(9'000, '[') + "2" + QByteArray(9'000, ']');
    }
    void workGrowsWithSizeOnly()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QElapsedTimer timer;
        timer.start();
        const JsonSource left = source(a);
        const JsonSource right = source(b);
        const JsonDiff found = diffJson(left, right);
        QCOMPARE(applyDiff(left, found), right.compact(0));
        QVERIFY(!changesOf(found, left, right, 1'000).isEmpty());
        QVERIFY2(timer.elapsed() < 15'000, qPrintable(QString::number(timer.elapsed()) + u" ms"_s));
    }

    void largePayloadsKeepTheBudget()
    {
        const QByteArray a = large(13'000, 0, "t1");
        const QByteArray b = large(13'000, 50, "t2");
        QVERIFY(a.size() > 1024 * 1024);
        qint64 best = std::numeric_limits<qint64>::max();
        for (int run = 0; run < 3; ++run) {
            QElapsedTimer timer;
            timer.start();
            const JsonDiff found = diff(a, b);
            best = std::min(best, timer.elapsed());
            QCOMPARE(found.counts.changed, 13'000 + 260 + 1);
        }
        qInfo("two payloads of %lld bytes: %lld ms", qlonglong(a.size()), qlonglong(best));
#ifdef __OPTIMIZE__
        QVERIFY2(best <= 100, qPrintable(QString::number(best)));
#endif
    }

    void linesAndCharactersAreAligned()
    {
        const QString a = u"one\ntwo\nthree\nfour"_s;
        const QString b = u"one\n2\nthree\nfour\n"_s;
        const QList<TextSpan> spans = diffLines(a, b);
        QCOMPARE(applyLineSpans(a, b, spans), b);
        QCOMPARE(spans.first(), (TextSpan { true, 0, 1, 0, 1 }));
        QCOMPARE(spans.at(1), (TextSpan { false, 1, 1, 1, 1 }));
        QCOMPARE(diffCharacters(u"café/1"_s, u"cafe/1"_s),
            (QList<TextSpan> { { true, 0, 3, 0, 3 }, { false, 3, 1, 3, 1 }, { true, 4, 2, 4, 2 } }));
        // 😀 and 😁 share their first half; a span never begins between the halves.
        QCOMPARE(diffCharacters(u"a\U0001F600"_s, u"a\U0001F601"_s),
            (QList<TextSpan> { { true, 0, 1, 0, 1 }, { false, 1, 2, 1, 2 } }));
        QCOMPARE(diffCharacters({}, u"x"_s), (QList<TextSpan> { { false, 0, 0, 0, 1 } }));
        QVERIFY(diffCharacters({}, {}).isEmpty());
        for (quint32 seed = 0; seed < 500; ++seed) {
            QRandomGenerator random(seed);
            QString left;
            QString right;
            for (int i = 0; i < 60; ++i) {
                (random.bounded(2) == 0 ? left : right) += u"abc\n"_s.mid(int(random.bounded(4)), 1);
            }
            QCOMPARE(applyLineSpans(left, right, diffLines(left, right)), right);
        }
    }

    void alignmentIsInOrderAndBounded()
    {
        for (quint32 seed = 0; seed < 500; ++seed) {
            QRandomGenerator random(seed);
            std::vector<quint64> a(random.bounded(60));
            std::vector<quint64> b(random.bounded(60));
            for (quint64 &label : a) {
                label = random.bounded(8);
            }
            for (quint64 &label : b) {
                label = random.bounded(8);
            }
            for (const int bound : { 1000, 5 }) { // 5: anchors
                const std::vector<int> match = alignInOrder(a, b, bound);
                int last = -1;
                for (std::size_t i = 0; i < a.size(); ++i) {
                    if (match[i] >= 0) {
                        QVERIFY(match[i] > last);
                        QCOMPARE(a[i], b[std::size_t(match[i])]);
                        last = match[i];
                    }
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(DiffTest)
#include "tst_diff.moc"
