// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/words.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;

class WordsTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void names_data();
    void names();
    void checks_data();
    void checks();
    void states_data();
    void states();
    void defaults();
};

void WordsTest::names_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("snake") << u"locked_until"_s << QStringList { u"locked"_s, u"until"_s };
    QTest::newRow("camel") << u"idempotencyKey"_s << QStringList { u"idempotency"_s, u"key"_s };
    QTest::newRow("pascal") << u"LockId"_s << QStringList { u"lock"_s, u"id"_s };
    QTest::newRow("acronym") << u"HTTPStatusCode"_s << QStringList { u"http"_s, u"status"_s, u"code"_s };
    QTest::newRow("spaces and signs") << u"Created  at!"_s << QStringList { u"created"_s, u"at"_s };
    QTest::newRow("upper") << u"REQUEST_HASH"_s << QStringList { u"request"_s, u"hash"_s };
    QTest::newRow("glued") << u"messageid"_s << QStringList { u"message"_s, u"id"_s };
    QTest::newRow("not glued") << u"paid"_s << QStringList { u"paid"_s };
    QTest::newRow("empty") << QString() << QStringList();
}

void WordsTest::names()
{
    QFETCH(QString, name);
    QFETCH(QStringList, words);
    QCOMPARE(wordsOf(name), words);
}

void WordsTest::checks_data()
{
    QTest::addColumn<QString>("definition");
    QTest::addColumn<QString>("column");
    QTest::addColumn<QStringList>("values");
    const QStringList ab { u"a"_s, u"b c"_s };
    QTest::newRow("text") << u"CHECK ((status = ANY (ARRAY['a'::text, 'b c'::text])))"_s << u"status"_s << ab;
    QTest::newRow("varchar")
        << u"CHECK (((status)::text = ANY ((ARRAY['a'::character varying, 'b c'::character varying])::text[])))"_s
        << u"status"_s << ab;
    QTest::newRow("or") << u"CHECK (((\"St\" = 'a'::text) OR (\"St\" = 'b c'::text)))"_s << u"St"_s << ab;
    QTest::newRow("quotes in a value") << u"CHECK ((s = ANY (ARRAY['it''s'::text])))"_s << u"s"_s
                                       << QStringList { u"it's"_s };
    QTest::newRow("not empty") << u"CHECK ((key <> ''::text))"_s << u"key"_s << QStringList();
    QTest::newRow("another column too") << u"CHECK (((status = 'a'::text) OR (done_at IS NOT NULL)))"_s << u"status"_s
                                        << QStringList();
    QTest::newRow("another column") << u"CHECK ((kind = ANY (ARRAY['a'::text])))"_s << u"status"_s << QStringList();
    QTest::newRow("a range") << u"CHECK ((amount > 0))"_s << u"amount"_s << QStringList();
}

void WordsTest::checks()
{
    QFETCH(QString, definition);
    QFETCH(QString, column);
    QFETCH(QStringList, values);
    QCOMPARE(valuesOfCheck(definition, column), values);
}

void WordsTest::states_data()
{
    QTest::addColumn<QString>("raw");
    QTest::addColumn<int>("state");
    QTest::newRow("COMPLETE") << u"COMPLETE"_s << int(KeyState::Succeeded);
    QTest::newRow("Succeeded") << u"Succeeded"_s << int(KeyState::Succeeded);
    QTest::newRow("IN_PROGRESS") << u"IN_PROGRESS"_s << int(KeyState::InProgress);
    QTest::newRow("inProgress") << u"inProgress"_s << int(KeyState::InProgress);
    QTest::newRow("failed-terminal") << u"failed-terminal"_s << int(KeyState::FailedFinal);
    QTest::newRow("failed") << u"failed"_s << int(KeyState::FailedRetryable);
    QTest::newRow("active") << u"active"_s << -1;
    QTest::newRow("paid") << u"paid"_s << -1;
    QTest::newRow("empty") << QString() << -1;
    QTest::newRow("a sentence") << u"the order is completed"_s << -1;
}

void WordsTest::states()
{
    QFETCH(QString, raw);
    QFETCH(int, state);
    const auto known = stateOfWord(raw);
    QCOMPARE(known ? int(*known) : -1, state);
}

void WordsTest::defaults()
{
    QCOMPARE(constantOfDefault(u"'pending'::text"_s), u"pending"_s);
    QCOMPARE(constantOfDefault(u"'it''s'::character varying"_s), u"it's"_s);
    QCOMPARE(constantOfDefault(u"now()"_s), QString());
    QCOMPARE(constantOfDefault(QString()), QString());
}

QTEST_GUILESS_MAIN(WordsTest)
#include "tst_words.moc"
