// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/async.h"
#include "models/json/payload_text.h"
#include "tests/models/calm_pool.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

class PayloadTextTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        tests::calmPool();
    }

    void jsonIsPrettyAndATree()
    {
        const PayloadText shown = payloadText(u"{\"b\":[1,2],\"a\":\"\u202Ex\"}"_s, true);
        QVERIFY(shown.json && shown.whole && shown.fault.isEmpty());
        QVERIFY2(shown.lines.startsWith(u"{\n"_s) && shown.lines.contains(u"\\u202E"_s), qPrintable(shown.lines));
        QVERIFY(!shown.lines.contains(QChar(0x202E)));
    }

    void otherTextSaysWhyItIsNone()
    {
        const PayloadText shown = payloadText(u"{\"a\":"_s, true);
        QVERIFY(!shown.json && !shown.fault.isEmpty());
        QCOMPARE(shown.lines, u"{\"a\":"_s);
        const PayloadText part = payloadText(u"{\"a\":"_s, false); // only the beginning of a value
        QVERIFY(!part.json && part.fault.isEmpty());
    }

    void aTextViewCanBearIt()
    {
        const QString body = u"y"_s.repeated(2'500);
        const PayloadText folded = payloadText(body, true);
        QVERIFY(folded.whole);
        QCOMPARE(folded.lines.count(u'\n'), 2);
        QCOMPARE(QString(folded.lines).remove(u'\n'), body);
        const QString pairs = u"y"_s + u"\U0001F600"_s.repeated(1'000);
        const auto lines = payloadText(pairs, true).lines.split(u'\n');
        for (const QString &line : lines) {
            QVERIFY(line.size() <= 1'001 && !line.front().isLowSurrogate()); // a pair stays together
        }
        const PayloadText most = payloadText(u"y\n"_s.repeated(PayloadText::kMostLines - 1), true);
        QVERIFY(most.whole);
        const PayloadText cut = payloadText(u"y\n"_s.repeated(PayloadText::kMostLines), true);
        QVERIFY(!cut.whole);
        QCOMPARE(cut.lines.count(u'\n'), PayloadText::kMostLines - 1);
    }

    void manyAtOnceComeBackEachWithItsOwn()
    {
        constexpr int count = 50;
        QStringList seen;
        for (int i = 0; i < count; ++i) {
            whenDone(payloadTextLater(QString::number(i), true), this, [&seen](const sql::Result<PayloadText> &shown) {
                QVERIFY(shown && shown->json);
                seen += shown->lines;
            });
        }
        QTRY_COMPARE(seen.size(), count);
        for (int i = 0; i < count; ++i) {
            QVERIFY(seen.contains(QString::number(i)));
        }
    }
};

QTEST_GUILESS_MAIN(PayloadTextTest)
#include "tst_payload_text.moc"
