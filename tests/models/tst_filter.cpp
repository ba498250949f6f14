// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_completion.h"
#include "models/filter/filter_edit.h"
#include "models/filter/filter_parser.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using sql::FilterField;
using sql::FilterOperator;

namespace {

models::FilterVocabulary vocabulary()
{
    models::FilterVocabulary words;
    words.zone = QTimeZone("Europe/Berlin");
    for (const QString &label : { u"tenant"_s, u"operation"_s, u"user id"_s }) {
        words.own.append({ FilterField::Scope, label, {}, models::FilterValueKind::Text });
    }
    words.own.append({ FilterField::Own, u"queue"_s, {}, models::FilterValueKind::Text });
    words.own.append({ FilterField::Own, u"latency"_s, {}, models::FilterValueKind::Decimal });
    words.own.append({ FilterField::Own, u"due"_s, {}, models::FilterValueKind::Time });
    return words;
}

/// One term in a compact form: "-Owner[label] = a|b".
QString shown(const sql::FilterTerm &term)
{
    static const QStringList fields { u"word"_s, u"state"_s, u"status"_s, u"scope"_s, u"key"_s, u"attempts"_s, u"age"_s,
        u"created"_s, u"updated"_s, u"claimed"_s, u"completed"_s, u"expires"_s, u"lease"_s, u"heartbeat"_s, u"owner"_s,
        u"hash"_s, u"result"_s, u"code"_s, u"error"_s, u"payload"_s, u"amount"_s, u"own"_s };
    static const QStringList operators { u"="_s, u"<"_s, u"<="_s, u">"_s, u">="_s, u"~"_s, u"^"_s };
    QString out = term.negated ? u"-"_s : QString();
    out += fields.at(static_cast<int>(term.field));
    if (!term.label.isEmpty()) {
        out += u'[' + term.label + u']';
    }
    out += operators.at(static_cast<int>(term.op));
    return out + (term.isNull ? u"NULL"_s : term.values.join(u'|'));
}

} // namespace

class FilterTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void reads_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("empty") << u"   "_s << u""_s;
        QTest::newRow("scope, any part") << u"scope:payments"_s << u"scope=payments"_s;
        QTest::newRow("scope by label, any case") << u"Tenant:acme"_s << u"scope[tenant]=acme"_s;
        QTest::newRow("label with a blank") << u"\"user id\":7"_s << u"scope[user id]=7"_s;
        QTest::newRow("states by OR") << u"state:failed_final,failed_retryable"_s
                                      << u"state=failed_final|failed_retryable"_s;
        QTest::newRow("state in capitals") << u"state:STALE"_s << u"state=stale"_s;
        QTest::newRow("the word of the pages") << u"state:Stuck,failed_final"_s << u"state=stale|failed_final"_s;
        QTest::newRow("terms by AND") << u"state:stale attempts>=3"_s << u"state=stale & attempts>=3"_s;
        QTest::newRow("prefix") << u"key:ord-*"_s << u"key^ord-"_s;
        QTest::newRow("escaped star") << u"key:ord-\\*"_s << u"key=ord-*"_s;
        QTest::newRow("escaped star before a star") << u"key:ord-\\**"_s << u"key^ord-*"_s;
        QTest::newRow("star in quotes is literal") << u"key:\"ord-*\""_s << u"key=ord-*"_s;
        QTest::newRow("star after quotes") << u"key:\"a b\"*"_s << u"key^a b"_s;
        QTest::newRow("star alone: any value") << u"owner:*"_s << u"owner^"_s;
        QTest::newRow("attempts with a colon") << u"attempts:>=5"_s << u"attempts>=5"_s;
        QTest::newRow("attempts list") << u"attempts:1,2"_s << u"attempts=1|2"_s;
        QTest::newRow("age") << u"age>10m"_s << u"age>600"_s;
        QTest::newRow("age in two units") << u"age<=1h30m"_s << u"age<=5400"_s;
        QTest::newRow("age with a fraction") << u"age>0.5s"_s << u"age>0.500000"_s;
        QTest::newRow("day in the zone on screen")
            << u"created>=2026-11-01"_s << u"created>=2026-10-31T23:00:00.000000Z"_s;
        QTest::newRow("day in summer time") << u"created>=2026-07-01"_s << u"created>=2026-06-30T22:00:00.000000Z"_s;
        QTest::newRow("until a day includes it")
            << u"created<=2026-11-01"_s << u"created<2026-11-01T23:00:00.000000Z"_s;
        QTest::newRow("after a day excludes it")
            << u"created>2026-11-01"_s << u"created>=2026-11-01T23:00:00.000000Z"_s;
        QTest::newRow("on a day") << u"created:2026-11-01"_s
                                  << u"created=2026-10-31T23:00:00.000000Z/2026-11-01T23:00:00.000000Z"_s;
        QTest::newRow("a day of 25 hours")
            << u"created:2026-10-25"_s << u"created=2026-10-24T22:00:00.000000Z/2026-10-25T23:00:00.000000Z"_s;
        QTest::newRow("time with offset")
            << u"created<2026-11-01T12:30:15.5+02:00"_s << u"created<2026-11-01T10:30:15.500000Z"_s;
        QTest::newRow("time in UTC, microseconds")
            << u"created<2026-11-01T12:30:15.123456Z"_s << u"created<2026-11-01T12:30:15.123456Z"_s;
        QTest::newRow("time with a blank, quoted")
            << u"created<\"2026-11-01 12:30\""_s << u"created<2026-11-01T11:30:00.000000Z"_s;
        QTest::newRow("now") << u"expires<now"_s << u"expires<now"_s;
        QTest::newRow("relative") << u"created>-2h"_s << u"created>now-7200"_s;
        QTest::newRow("relative with now") << u"lease<now+90s"_s << u"lease<now+90"_s;
        QTest::newRow("infinity") << u"expires:infinity"_s << u"expires=infinity"_s;
        QTest::newRow("null") << u"owner:null"_s << u"owner=NULL"_s;
        QTest::newRow("null as a text") << u"owner:\"null\""_s << u"owner=null"_s;
        QTest::newRow("empty text") << u"owner:\"\""_s << u"owner="_s;
        QTest::newRow("contains") << u"error:~timeout"_s << u"error~timeout"_s;
        QTest::newRow("contains keeps a star") << u"error:~a*b"_s << u"error~a*b"_s;
        QTest::newRow("contains, quoted") << u"error:~\"time out\""_s << u"error~time out"_s;
        QTest::newRow("tilde as text") << u"error:\\~x"_s << u"error=~x"_s;
        QTest::newRow("result") << u"result:order/123"_s << u"result=order/123"_s;
        QTest::newRow("fingerprint is hash") << u"fingerprint:ab12*"_s << u"hash^ab12"_s;
        QTest::newRow("payload") << u"payload:~tok_42"_s << u"payload~tok_42"_s;
        QTest::newRow("amounts") << u"amount:10.50,7"_s << u"amount=10.50|7"_s;
        QTest::newRow("conflict among the states") << u"state:conflict,stale"_s << u"state=conflict|stale"_s;
        QTest::newRow("code as a number") << u"code>=500"_s << u"code>=500"_s;
        QTest::newRow("code by prefix") << u"code:5*"_s << u"code^5"_s;
        QTest::newRow("a field of the profile, any case") << u"QUEUE:mail"_s << u"own[queue]=mail"_s;
        QTest::newRow("a field that is a number") << u"latency>=0.25"_s << u"own[latency]>=0.25"_s;
        QTest::newRow("a field that is a time") << u"due<now"_s << u"own[due]<now"_s;
        QTest::newRow("a field without a value") << u"-due:null"_s << u"-own[due]=NULL"_s;
        QTest::newRow("negated") << u"-state:succeeded -owner:null"_s << u"-state=succeeded & -owner=NULL"_s;
        QTest::newRow("bare word") << u"ord-123"_s << u"word=ord-123"_s;
        QTest::newRow("bare word with commas") << u"a,b"_s << u"word=a,b"_s;
        QTest::newRow("bare prefix") << u"ord*"_s << u"word^ord"_s;
        QTest::newRow("bare null is a key") << u"null"_s << u"word=null"_s;
        QTest::newRow("bare quoted colon") << u"\"urn:uuid:1\""_s << u"word=urn:uuid:1"_s;
        QTest::newRow("bare base64") << u"YWJj=="_s << u"word=YWJj=="_s;
        QTest::newRow("bare minus in quotes") << u"\"-x\""_s << u"word=-x"_s;
        QTest::newRow("quotes inside quotes") << u"key:\"a\\\"b\\\\c\""_s << u"key=a\"b\\c"_s;
        QTest::newRow("comma in quotes") << u"key:\"a,b\",c"_s << u"key=a,b|c"_s;
        QTest::newRow("markup in quotes") << u"\"<img src=x>\""_s << u"word=<img src=x>"_s;
        QTest::newRow("bidi marks pass") << u"key:a\u202Eb"_s << u"key=a\u202Eb"_s;
        QTest::newRow("newline in quotes") << u"key:\"a\nb\""_s << u"key=a\nb"_s;
        QTest::newRow("beyond the BMP") << u"key:\U0001F600"_s << u"key=\U0001F600"_s;
        QTest::newRow("10 kB key") << u"key:"_s + QString(10'000, u'x') << u"key="_s + QString(10'000, u'x');
    }
    void reads()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const auto filter = models::parseFilter(text, vocabulary());
        QVERIFY2(filter.ok(), qPrintable(filter.ok() ? QString() : filter.error().line()));
        QStringList terms;
        for (const auto &term : filter->terms) {
            terms += shown(term);
            QCOMPARE(term.valueSpans.size(), term.values.size());
        }
        QCOMPARE(terms.join(u" & "_s), expected);
        QCOMPARE(filter->text, text);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("position");
        QTest::addColumn<int>("length");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const QString &text, int position, int length, const QString &says) {
            QTest::newRow(name) << text << position << length << says;
        };
        row("open quote", u"state:stale \"abc"_s, 12, 4, u"never closed"_s);
        row("open quote in a value", u"key:\"abc def"_s, 4, 8, u"never closed"_s);
        row("backslash at the end", u"key:abc\\"_s, 7, 1, u"backslash"_s);
        row("lone minus", u"a - b"_s, 2, 1, u"after the minus"_s);
        row("unknown field with a near one", u"x ownr:a"_s, 2, 4, u"“owner”"_s);
        row("unknown field, label near", u"tennant:a"_s, 0, 7, u"“tenant”"_s);
        row("unknown field, beginning", u"exp<now"_s, 0, 3, u"“expires”"_s);
        row("unknown field far from all", u"-qqqqqqq:1"_s, 1, 7, u"Fields are"_s);
        row("markup", u"<img src=x>"_s, 5, 3, u"“src”"_s);
        row("bidi in a wrong value is escaped", u"state:\u202Eelats"_s, 6, 6, u"\\u202eelats"_s);
        row("no value", u"owner:"_s, 6, 0, u"missing"_s);
        row("no value after a comma", u"owner:a,"_s, 8, 0, u"missing"_s);
        row("no value after tilde", u"error:~"_s, 7, 0, u"missing"_s);
        row("unknown state with a near one", u"state:succeded"_s, 6, 8, u"“succeeded”"_s);
        row("second state wrong", u"state:stale,nope"_s, 12, 4, u"One of these"_s);
        row("attempts no number", u"attempts>=many"_s, 10, 4, u"whole number"_s);
        row("attempts beyond a bigint", u"attempts>9999999999999999999"_s, 9, 19, u"whole number"_s);
        row("age without a unit", u"age>10"_s, 4, 2, u"unit"_s);
        row("age needs a comparison", u"age:10m"_s, 4, 3, u"needs < or >"_s);
        row("age too large", u"age>99999999y"_s, 4, 9, u"unit"_s);
        row("no such day", u"created>2026-02-30"_s, 8, 10, u"A time is expected"_s);
        row("no such hour", u"created>2026-02-20T25:00"_s, 8, 16, u"A time is expected"_s);
        row("absurd offset", u"created>2026-02-20T05:00+99"_s, 8, 19, u"A time is expected"_s);
        row("seven digits", u"created>2026-02-20T05:00:00.1234567Z"_s, 8, 28, u"A time is expected"_s);
        row("a field that is a number, of a word", u"latency>soon"_s, 8, 4, u"A number is expected"_s);
        row("contains on such a field", u"latency:~5"_s, 8, 1, u"no text"_s);
        row("a field that is a time, of a number", u"due>5"_s, 4, 1, u"A time is expected"_s);
        row("unknown field, field near", u"laency>1"_s, 0, 6, u"“latency”"_s);
        row("text compared", u"owner>a"_s, 5, 1, u"cannot be compared"_s);
        row("star inside", u"key:a*b"_s, 5, 1, u"star"_s);
        row("star and none", u"key:a*,b"_s, 7, 1, u"star"_s);
        row("null beside a value", u"owner:a,null"_s, 6, 6, u"stand alone"_s);
        row("null compared", u"created>null"_s, 8, 4, u"A time is expected"_s);
        row("two values compared", u"attempts>1,2"_s, 11, 1, u"one value"_s);
        row("contains on a number", u"attempts:~5"_s, 9, 1, u"no text"_s);
        row("NUL", u"key:a"_s + QChar(0) + u"b"_s, 5, 1, u"NUL"_s);
        row("half a character", u"key:"_s + QChar(0xD83D) + u"x"_s, 4, 1, u"half"_s);
        row("too long", QString(100'001, u'x'), 100'000, 1, u"too long"_s);
        row("ten thousand open quotes", u"\"\""_s.repeated(5000) + u"\""_s, 10'000, 1, u"never closed"_s);
    }
    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(int, position);
        QFETCH(int, length);
        QFETCH(QString, says);
        const auto filter = models::parseFilter(text, vocabulary());
        QVERIFY(!filter.ok());
        const sql::Error &error = filter.error();
        QCOMPARE(error.kind, sql::ErrorKind::Usage);
        QCOMPARE(error.position, position);
        QCOMPARE(error.length, length);
        QVERIFY2(error.line().contains(says), qPrintable(error.line()));
        QVERIFY(!error.what.isEmpty() && !error.todo.isEmpty());
    }

    void positionsNameTheTerm()
    {
        const auto filter = models::parseFilter(u"  a  -tenant:\"x y\",z"_s, vocabulary());
        QVERIFY(filter.ok());
        QCOMPARE(filter->terms.at(0).position, 2);
        QCOMPARE(filter->terms.at(0).length, 1);
        const auto &term = filter->terms.at(1);
        QCOMPARE(term.position, 5);
        QCOMPARE(term.length, 15);
        QCOMPARE(term.valuePosition, 13);
        QCOMPARE(term.valueSpans, (QList<std::pair<int, int>> { { 13, 5 }, { 19, 1 } }));
    }

    void quotedValueMeansItself_data()
    {
        QTest::addColumn<QString>("value");
        for (const QString &value : { u"plain-1"_s, u""_s, u"null"_s, u"a b"_s, u"a,b"_s, u"a*"_s, u"*"_s, u"~x"_s,
                 u"-x"_s, u"\"q\""_s, u"back\\slash"_s, u"owner:x"_s, u"a<b"_s, u"x=="_s, u"new\nline"_s,
                 u"\u202Ebidi"_s, u"<img src=x>"_s, u"ö/ä"_s, u"\U0001F600"_s }) {
            QTest::newRow(qPrintable(value.isEmpty() ? u"empty"_s : value)) << value;
        }
    }
    void quotedValueMeansItself()
    {
        QFETCH(QString, value);
        for (const QString &field : { u"key:"_s, u"-owner:"_s, QString() }) {
            if (field.isEmpty() && value.isEmpty()) {
                continue;
            }
            const auto filter = models::parseFilter(field + models::quoteFilterValue(value), vocabulary());
            QVERIFY2(filter.ok(), qPrintable(filter.ok() ? QString() : filter.error().line()));
            QCOMPARE(filter->terms.size(), 1);
            QCOMPARE(filter->terms.first().op, FilterOperator::Equal);
            QCOMPARE(filter->terms.first().values, QStringList { value });
        }
    }

    void chips()
    {
        using namespace idemdesk::models;
        QCOMPARE(filterToggled(u""_s, u"state:stale"_s), u"state:stale"_s);
        QCOMPARE(filterToggled(u"a state:stale b"_s, u"state:stale"_s), u"a b"_s);
        QVERIFY(filterHasTerm(u"x state:\"stale\""_s, u"state:stale"_s));
        QVERIFY(!filterHasTerm(u"-state:stale"_s, u"state:stale"_s));
        // One state by two names; a key of that name is none.
        QVERIFY(filterHasTerm(u"state:stale x"_s, u"state:stuck"_s));
        QVERIFY(filterHasTerm(u"state:expired,stuck"_s, u"state:expired,stale"_s));
        QCOMPARE(filterToggled(u"a state:stale"_s, u"state:stuck"_s), u"a"_s);
        QVERIFY(!filterHasTerm(u"key:stuck"_s, u"key:stale"_s));
        QVERIFY(!filterHasTerm(u"key:a\\*"_s, u"key:a*"_s));
        QCOMPARE(filterWithTerm(u"a"_s, u"b"_s), u"a b"_s);
        QCOMPARE(filterWithTerm(u"a b"_s, u"b"_s), u"a b"_s);
        QCOMPARE(filterWithoutTerm(u"key:\"a b\" x x"_s, u"x"_s), u"key:\"a b\""_s);
    }

    void completes_data()
    {
        QTest::addColumn<QString>("text"); // | marks the cursor
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("length");
        QTest::addColumn<QString>("offers");
        QTest::addColumn<bool>("wants");
        QTest::newRow("nothing typed") << u"|"_s << 1 << u""_s << 0 << 0 << u"state:"_s << false;
        QTest::newRow("a name begun") << u"a st|"_s << 1 << u"st"_s << 2 << 2 << u"status:"_s << false;
        QTest::newRow("a negated name") << u"-ow|"_s << 1 << u"ow"_s << 1 << 2 << u"owner:"_s << false;
        QTest::newRow("a label with a blank") << u"us|"_s << 1 << u"us"_s << 0 << 2 << u"\"user id\":"_s << false;
        QTest::newRow("the name before an operator") << u"ow|n:x"_s << 1 << u"ow"_s << 0 << 4 << u"owner:"_s << false;
        QTest::newRow("a state") << u"state:in|"_s << 2 << u"in"_s << 6 << 2 << u"in_progress"_s << false;
        QTest::newRow("second state") << u"state:stale,fa| x"_s << 2 << u"fa"_s << 12 << 2 << u"failed_final"_s
                                      << false;
        QTest::newRow("a state, nothing typed") << u"state:|"_s << 2 << u""_s << 6 << 0 << u"stale"_s << false;
        QTest::newRow("a state by the pages' word")
            << u"state:stu|"_s << 2 << u"stu"_s << 6 << 3 << u"stuck"_s << false;
        QTest::newRow("a scope's value") << u"tenant:ac| x"_s << 2 << u"ac"_s << 7 << 2 << u""_s << true;
        QTest::newRow("in open quotes") << u"tenant:\"a c|"_s << 2 << u"a c"_s << 7 << 4 << u""_s << true;
        QTest::newRow("a time") << u"expires<|"_s << 2 << u""_s << 8 << 0 << u"now"_s << false;
        QTest::newRow("null") << u"owner:nu|"_s << 2 << u"nu"_s << 6 << 2 << u"null"_s << true;
        QTest::newRow("a field of the profile") << u"la|"_s << 1 << u"la"_s << 0 << 2 << u"latency>="_s << false;
        QTest::newRow("its time") << u"due<|"_s << 2 << u""_s << 4 << 0 << u"now"_s << false;
        QTest::newRow("unknown field") << u"nope:a|"_s << 0 << u""_s << 6 << 0 << u""_s << false;
        QTest::newRow("a bare key") << u"ord-1|"_s << 1 << u"ord-1"_s << 0 << 5 << u""_s << true;
    }
    void completes()
    {
        QFETCH(QString, text);
        QFETCH(QString, offers);
        const int cursor = static_cast<int>(text.indexOf(u'|'));
        text.remove(cursor, 1);
        const auto completion = models::completeFilter(text, cursor, vocabulary());
        QTEST(static_cast<int>(completion.kind), "kind");
        QTEST(completion.typed, "typed");
        QTEST(completion.replaceFrom, "from");
        QTEST(completion.replaceLength, "length");
        QTEST(completion.wantsValues, "wants");
        if (!offers.isEmpty()) {
            QVERIFY2(completion.candidates.contains(offers), qPrintable(completion.candidates.join(u' ')));
        }
    }

    void everyCutOfATextIsHandled()
    {
        const QString text = u"-state:stale,x \"a b\"* key:\\*\"q\\\" attempts:>=5 created<=2026-11-01 :<>= ,,~*\\"_s;
        for (int from = 0; from < text.size(); ++from) {
            for (int length = 0; from + length <= text.size(); ++length) {
                const QString cut = text.mid(from, length);
                const auto filter = models::parseFilter(cut, vocabulary());
                if (!filter) {
                    QVERIFY(filter.error().position >= 0);
                    QVERIFY(filter.error().position + filter.error().length <= cut.size());
                }
                models::completeFilter(cut, length / 2, vocabulary());
            }
        }
    }
};

QTEST_GUILESS_MAIN(FilterTest)
#include "tst_filter.moc"
