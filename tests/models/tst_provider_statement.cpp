// SPDX-License-Identifier: GPL-3.0-or-later
// A provider's statement without a database: amounts, maps of columns, and how a file becomes lines.
#include "models/provider/exact_amount.h"
#include "models/provider/statement_memory.h"
#include "models/provider/statement_reader.h"
#include "sql/provider/statement_store.h"

#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

struct ReadBack {
    QStringList records; ///< "2: a=1 b=2", or "3! fault"
    QStringList columns;
    sql::Error error;
};

/// Reads bytes in pieces of this size.
ReadBack readBack(const QByteArray &bytes, qsizetype piece)
{
    ReadBack back;
    StatementReader reader(
        [&back](const StatementRecord &record, const QMap<QString, QString> &values) -> sql::Result<bool> {
            QStringList parts;
            for (auto it = values.cbegin(); it != values.cend(); ++it) {
                parts += it.key() + u'=' + *it;
            }
            back.records += QString::number(record.number)
                + (record.fault.isEmpty() ? u": "_s + parts.join(u' ') : u"! "_s + record.fault);
            return true;
        });
    for (qsizetype at = 0; at < bytes.size() && back.error.what.isEmpty(); at += piece) {
        const auto fed = reader.feed(QByteArrayView(bytes).sliced(at, std::min(piece, bytes.size() - at)));
        back.error = fed ? sql::Error() : fed.error();
    }
    if (back.error.what.isEmpty()) {
        const auto ended = reader.finish();
        back.error = ended ? sql::Error() : ended.error();
    }
    back.columns = reader.columns();
    return back;
}

} // namespace

class ProviderStatementTest final : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void amountsAreExact_data()
    {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("exact"); // empty: none
        const auto row = [](const QString &written, const QString &exact) {
            QTest::newRow(qPrintable(written)) << written << exact;
        };
        row(u"10"_s, u"10"_s);
        row(u"10.50"_s, u"10.5"_s);
        row(u"0010.500"_s, u"10.5"_s);
        row(u" -0.10 "_s, u"-0.1"_s);
        row(u"-0.00"_s, u"0"_s);
        row(u"+.5"_s, u"0.5"_s);
        row(u"5."_s, u"5"_s);
        row(u"9007199254740993"_s, u"9007199254740993"_s); // no double has it
        row(u"0.1000000000000000055511151231257827"_s, u"0.1000000000000000055511151231257827"_s);
        row(u"1,000.00"_s, QString());
        row(u"1e3"_s, QString());
        row(u"NaN"_s, QString());
        row(u"."_s, QString());
        row(u"--1"_s, QString());
        row(u"١٠"_s, QString());
        row(QString(61, u'1'), QString());
    }

    void amountsAreExact()
    {
        QFETCH(QString, written);
        QFETCH(QString, exact);
        QCOMPARE(exactAmount(written).value_or(QString()), exact);
    }

    void otherFormsOfAmounts()
    {
        QCOMPARE(exactAmountWithComma(u"1.234,50"_s).value_or(QString()), u"1234.5"_s);
        QCOMPARE(exactAmountWithComma(u"-0,10"_s).value_or(QString()), u"-0.1"_s);
        QVERIFY(!exactAmountWithComma(u"12.34"_s)); // that is twelve and a third, or it is not
        QVERIFY(!exactAmountWithComma(u"1,234.50"_s));
        QCOMPARE(exactAmountOfMinor(u"1050"_s, u"EUR"_s).value_or(QString()), u"10.5"_s);
        QCOMPARE(exactAmountOfMinor(u"5"_s, u"EUR"_s).value_or(QString()), u"0.05"_s);
        QCOMPARE(exactAmountOfMinor(u"-5"_s, u"EUR"_s).value_or(QString()), u"-0.05"_s);
        QCOMPARE(exactAmountOfMinor(u"1050"_s, u"JPY"_s).value_or(QString()), u"1050"_s);
        QCOMPARE(exactAmountOfMinor(u"1050"_s, u"KWD"_s).value_or(QString()), u"1.05"_s);
        QVERIFY(!exactAmountOfMinor(u"10.50"_s, u"EUR"_s));
        QVERIFY(!exactAmountOfMinor(u"1050"_s, QString())); // nothing says how many decimals
        QVERIFY(!exactAmountOfMinor(u"1050"_s, u"EURO"_s));
    }

    void aFileBecomesRecords_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("records");
        QTest::addColumn<QString>("error"); // a part of it
        const auto row = [](const char *name, const QByteArray &bytes, const QString &records,
                             const QString &error = {}) { QTest::newRow(name) << bytes << records << error; };
        row("commas", "a,b\n1,2\n3,\n", u"2: a=1 b=2|3: a=3 b="_s);
        row("semicolons", "a;b\n1,5;2\n", u"2: a=1,5 b=2"_s);
        row("tabs", "a\tb\n1\t2\n", u"2: a=1 b=2"_s);
        row("bars", "a|b\n1|2", u"2: a=1 b=2"_s);
        row("CRLF, a mark of UTF-8, and empty lines",
            "\xEF\xBB\xBF"
            "a,b\r\n\r\n1,2\r\n",
            u"3: a=1 b=2"_s);
        row("quotes", "a,b\n\"x, \"\"y\"\"\nz\",2\n3,4\n", u"2: a=x, \"y\"\nz b=2|4: a=3 b=4"_s);
        row("a quote that is never closed", "a,b\n1,2\n\"x,2\n3,4\n", u"2: a=1 b=2"_s, u"from line 3 on"_s);
        row("too many fields", "a,b\n1,2,3\n4,5\n", u"2! it has 3 fields, and the first line names 2|3: a=4 b=5"_s);
        row("a column without a name", "a,,b\n1,2,3\n", QString(), u"from line 1 on"_s);
        row("JSON", "{\"a\": 1.10, \"b\": {\"c\": \"x\"}, \"d\": null}\n", u"1: /a=1.10 /b/c=x a=1.10"_s);
        row("JSON with a broken line", "{\"a\": 1}\n{\"a\": \n", u"1: /a=1 a=1|2! it is no JSON object"_s);
        row("a number as JSON", "{\"a\": 1}\n7\n", u"1: /a=1 a=1|2! it is no JSON object"_s);
        row("nothing", "", QString());
    }

    void aFileBecomesRecords()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, records);
        QFETCH(QString, error);
        for (const qsizetype piece : { qsizetype(1), qsizetype(3), qsizetype(1'000) }) {
            const ReadBack back = readBack(bytes, piece);
            QCOMPARE(back.records.join(u'|'), records);
            QVERIFY2(error.isEmpty() ? back.error.what.isEmpty() : back.error.what.contains(error),
                qPrintable(back.error.line()));
        }
    }

    /// Longer lines are passed over without being held.
    void aLongLineIsPassedOver()
    {
        const QByteArray bytes = "a,b\n" + QByteArray(3'000'000, 'x') + "\n1,2\n";
        QCOMPARE(readBack(bytes, 65'536).records.join(u'|'), u"2! it is longer than 1 MiB|3: a=1 b=2"_s);
    }

    void mapsAreReadAndWritten()
    {
        const QStringList texts { u"reference=a=b"_s, u"amount_minor=Amount"_s, u"currency_code=EUR"_s,
            u"time_utc=at"_s, u"state=s"_s, u"happened=paid,captured"_s, u"failed=no"_s, u"id=n"_s };
        const auto map = statementMapFrom(texts);
        QVERIFY(map.ok());
        QCOMPARE(map->reference, u"a=b"_s);
        QCOMPARE(map->toTexts(), texts);
        for (const QString &bad :
            { u"reference"_s, u"reference="_s, u"colour=x"_s, u"currency_code=euro"_s, u"happened=x"_s }) {
            const auto read = statementMapFrom({ bad });
            QVERIFY2(!read && read.error().kind == sql::ErrorKind::Usage, qPrintable(bad));
        }
        QTemporaryDir folder;
        QSettings settings(folder.filePath(u"s.ini"_s), QSettings::IniFormat);
        QVERIFY(rememberMap(&settings, u"acme/eu ä"_s, *map));
        QCOMPARE(rememberedMap(settings, u"acme/eu ä"_s).toTexts(), texts);
        QVERIFY(rememberedMap(settings, u"acme"_s).empty());
        settings.setValue(u"providers/acme/map"_s, u"nonsense"_s);
        QVERIFY(rememberedMap(settings, u"acme"_s).empty());
    }

    void timesNameOneMoment_data()
    {
        QTest::addColumn<QString>("written");
        QTest::addColumn<bool>("utc");
        QTest::addColumn<QString>("moment"); // empty: none
        const QString noon = u"2026-11-20T12:00:00.000000Z"_s;
        const auto row = [](const QString &written, bool utc, const QString &moment) {
            QTest::newRow(qPrintable(written + (utc ? u" utc"_s : QString()))) << written << utc << moment;
        };
        row(u"2026-11-20T12:00:00Z"_s, false, noon);
        row(u"2026-11-20 13:00:00+01:00"_s, false, noon);
        row(u"2026-11-20T13:00+0100"_s, false, noon);
        row(u"2026-11-20 12:00:00 UTC"_s, false, noon);
        row(u"2026-11-20 12:00:00"_s, true, noon);
        row(u"2026-11-20 12:00:00"_s, false, QString());
        row(u"2026-11-20T12:00:00.1234567Z"_s, false, u"2026-11-20T12:00:00.123456Z"_s);
        row(u"2026-11-20"_s, true, u"2026-11-20T00:00:00.000000Z"_s);
        row(u"1795176000"_s, false, noon);
        row(u"1795176000000"_s, false, noon);
        row(u"2026-13-20T12:00:00Z"_s, false, QString());
        row(u"20.11.2026"_s, true, QString());
        row(u"infinity"_s, true, QString());
        row(u"20261101000500"_s, true, QString()); // a calendar's digits, not milliseconds
        row(u"202611010005"_s, true, QString());
    }

    void timesNameOneMoment()
    {
        QFETCH(QString, written);
        QFETCH(bool, utc);
        QFETCH(QString, moment);
        StatementMap map;
        map.reference = u"r"_s;
        map.time = u"t"_s;
        map.timeUtc = utc;
        map.allHappened = true;
        const MappedLine mapped = mappedLine(map, { { u"r"_s, u"x"_s }, { u"t"_s, written } });
        QCOMPARE(mapped.line.at ? mapped.line.at->toRfc3339() : QString(), moment);
        QCOMPARE(mapped.fault.isEmpty(), !moment.isEmpty());
    }

    void linesAndRowsComeTogether()
    {
        const auto store = sql::StatementStore::open();
        QVERIFY2(store.ok(), store ? "" : qPrintable(store.error().line()));
        sql::StatementLine line;
        line.text = u"text"_s;
        const auto add = [&](const QString &reference, sql::LineOutcome outcome, const QString &id = {}) {
            ++line.number;
            line.reference = reference;
            line.outcome = outcome;
            line.id = id;
            line.at = sql::Timestamp { sql::Timestamp::Kind::Finite, line.number };
            const auto added = (*store)->addLine(line);
            return added.ok() && *added;
        };
        using Outcome = sql::LineOutcome;
        QVERIFY(add(u"b"_s, Outcome::Failed));
        QVERIFY(add(u"b"_s, Outcome::Happened, u"1"_s));
        QVERIFY(!add(u"b"_s, Outcome::Happened, u"1"_s)); // the same booking once more
        QVERIFY(add(u"d"_s, Outcome::Unclear, u"1"_s)); // of another reference it is another one
        QVERIFY(add(u"a"_s, Outcome::Failed));
        QVERIFY(add(u"c"_s, Outcome::Other));
        QVERIFY((*store)->finishLines().ok());
        QCOMPARE((*store)->references({}, 10)->join(u','), u"a,b"_s);
        QCOMPARE((*store)->references(u"a"_s, 10)->join(u','), u"b"_s);
        using Named = sql::StatementStore::Named;
        QCOMPARE(*(*store)->named(u"a"_s), Named::Yes);
        QCOMPARE(*(*store)->named(u"c"_s), Named::LeftAside);
        QCOMPARE(*(*store)->named(u"d"_s), Named::LeftAside);
        QCOMPARE(*(*store)->named(u" A-"_s), Named::Nearly);
        QCOMPARE(*(*store)->named(u"e"_s), Named::No);
        QCOMPARE(*(*store)->sharedIds(), 1);
        QCOMPARE((*store)->coverage()->to->micros, 6);
        for (const QString &key : { u"k1"_s, u"k2"_s, u"k2"_s }) { // a row that was read twice is one
            const auto added = (*store)->addHere({ u"b"_s, u"[\""_s + key + u"\"]"_s, {}, key, u"1.50"_s, {},
                sql::KeyState::Pending, sql::ProviderState::Sent, key == u"k1" ? std::optional(true) : std::nullopt });
            QVERIFY2(added.ok(), added ? "" : qPrintable(added.error().line() + added.error().detail));
        }
        QVERIFY((*store)->finishHere().ok());
        QStringList pairs;
        QVERIFY((*store)
                    ->pairs([&pairs](const sql::ReferencePair &pair) {
                        pairs += u"%1 %2+%3 line %4, %5 rows, %6 %7 %8%9"_s.arg(pair.reference)
                                     .arg(pair.happened)
                                     .arg(pair.failed)
                                     .arg(pair.line.number)
                                     .arg(pair.rows)
                                     .arg(pair.here.key, pair.here.amount, sql::stateName(pair.here.state),
                                         !pair.here.stale       ? QString()
                                             : *pair.here.stale ? u" stale"_s
                                                                : u" fresh"_s);
                        return true;
                    })
                    .ok());
        QCOMPARE(pairs.join(u'\n'), u"a 0+1 line 5, 0 rows,   unknown\nb 1+1 line 2, 2 rows, k1 1.50 pending stale"_s);
    }

    void columnsAreGuessedByTheirNamesAlone()
    {
        const StatementMap map = guessedStatementMap(
            { u"ID"_s, u"Merchant Reference"_s, u"Gross Amount"_s, u"Currency"_s, u"Created at"_s, u"Status"_s });
        QCOMPARE(map.toTexts().join(u'|'),
            u"reference=Merchant Reference|amount=Gross Amount|currency=Currency|time=Created at|state=Status"_s);
        QVERIFY(guessedStatementMap({ u"a"_s, u"b"_s }).empty());
    }
};

QTEST_GUILESS_MAIN(ProviderStatementTest)
#include "tst_provider_statement.moc"
