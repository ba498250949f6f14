// SPDX-License-Identifier: GPL-3.0-or-later
// What PgDriver does by itself: values, statements, transactions, errors.
#include "tests/sql/driver/driver_fixture.h"

#include <QSqlRecord>
#include <QTimeZone>
#include <QUuid>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using tests::Link;

class DriverTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_cluster = std::make_unique<tests::TestCluster>(); }
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void values_data();
    void values();
    void bindings_data();
    void bindings();
    void refusals_data();
    void refusals();
    void forwardOnlyAndBufferedAgree();
    void rowsAffected();
    void abandonedRowsAreAnError();
    void errorKeepsAllFields();
    void noticesAreEscapedAndCapped();
    void recordNamesColumns();
    void asciiDatabase();
    void bindingsDoNotOutliveTheirStatement();

private:
    std::unique_ptr<tests::TestCluster> m_cluster;
};

void DriverTest::values_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("text");
    QTest::newRow("numeric keeps its digits") << u"SELECT 12345678901234567.8900"_s << u"12345678901234567.8900"_s;
    QTest::newRow("timestamptz to the microsecond")
        << u"SELECT '2026-11-01 10:00:00.123456+00'::timestamptz"_s << u"2026-11-01 10:00:00.123456+00"_s;
    QTest::newRow("infinity") << u"SELECT 'infinity'::timestamptz"_s << u"infinity"_s;
    QTest::newRow("boolean") << u"SELECT true"_s << u"t"_s;
    QTest::newRow("bigint") << u"SELECT 9223372036854775807"_s << u"9223372036854775807"_s;
    QTest::newRow("json text untouched") << u"SELECT '{\"a\": 1.00, \"a\":2}'::json"_s << u"{\"a\": 1.00, \"a\":2}"_s;
    QTest::newRow("bytea") << u"SELECT '\\x00ff'::bytea"_s << u"\\x00ff"_s;
    QTest::newRow("NULL") << u"SELECT NULL::text"_s << u"NULL"_s;
    QTest::newRow("empty text") << u"SELECT ''::text"_s << QString();
    QTest::newRow("beyond the BMP") << u"SELECT U&'\\+01F511'"_s << u"🔑"_s;
    QTest::newRow("real U+FFFD stays") << u"SELECT U&'a\\FFFDb'"_s << u"a\uFFFDb"_s;
    QTest::newRow("casts and slices") << u"SELECT ((ARRAY[1,2,3])[1:2])::text"_s << u"{1,2}"_s;
    QTest::newRow("jsonb ? operator") << u"SELECT '{\"a\":1}'::jsonb ? 'a'"_s << u"t"_s;
    QTest::newRow("jsonb ?| operator") << u"SELECT '{\"a\":1}'::jsonb ?| ARRAY['b','a']"_s << u"t"_s;
    QTest::newRow("colon word in a text") << u"SELECT 'x:y ?'"_s << u"x:y ?"_s;
    QTest::newRow("two commands") << u"SELECT 1; SELECT 2"_s
                                  << u"error 42601: cannot insert multiple commands into a prepared statement"_s;
}

void DriverTest::values()
{
    QFETCH(QString, sql);
    QFETCH(QString, text);
    const Link link = Link::ours(m_cluster->conninfo(), { { "options", "-c timezone=UTC" } });
    QCOMPARE(link.ask(sql), text);
    QCOMPARE(link.ask(sql, {}, true), text);
}

void DriverTest::bindings_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QVariant>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("invalid is NULL") << u"SELECT $1::text"_s << QVariant() << u"NULL"_s;
    QTest::newRow("null QString is NULL") << u"SELECT $1::text"_s << QVariant(QString()) << u"NULL"_s;
    QTest::newRow("empty QString is empty") << u"SELECT quote_nullable($1::text)"_s << QVariant(u""_s) << u"''"_s;
    QTest::newRow("null bytes are NULL") << u"SELECT $1::bytea"_s << QVariant(QByteArray()) << u"NULL"_s;
    QTest::newRow("empty bytes are empty") << u"SELECT length($1::bytea)"_s << QVariant(QByteArray("")) << u"0"_s;
    QTest::newRow("bytes with a zero") << u"SELECT encode($1::bytea, 'hex')"_s << QVariant(QByteArray("\0\xff", 2))
                                       << u"00ff"_s;
    QTest::newRow("quote and backslash") << u"SELECT $1::text"_s << QVariant(u"\\'; DROP TABLE t; --"_s)
                                         << u"\\'; DROP TABLE t; --"_s;
    QTest::newRow("bool") << u"SELECT $1::bool"_s << QVariant(true) << u"t"_s;
    QTest::newRow("int") << u"SELECT $1::bigint"_s << QVariant(-7) << u"-7"_s;
    QTest::newRow("qulonglong") << u"SELECT $1::numeric"_s << QVariant(Q_UINT64_C(18446744073709551615))
                                << u"18446744073709551615"_s;
    QTest::newRow("double, all digits") << u"SELECT $1::float8"_s << QVariant(0.1 + 0.2) << u"0.30000000000000004"_s;
    QTest::newRow("double, infinite") << u"SELECT $1::float8"_s << QVariant(-std::numeric_limits<double>::infinity())
                                      << u"-Infinity"_s;
    QTest::newRow("double, no number") << u"SELECT $1::float8"_s << QVariant(std::nan("")) << u"NaN"_s;
    QTest::newRow("uuid") << u"SELECT $1::uuid"_s << QVariant(QUuid(u"{0f0e0d0c-0b0a-0908-0706-050403020100}"_s))
                          << u"0f0e0d0c-0b0a-0908-0706-050403020100"_s;
    QTest::newRow("date-time in UTC") << u"SELECT $1::timestamptz AT TIME ZONE 'UTC'"_s
                                      << QVariant(QDateTime(QDate(2026, 1, 2), QTime(3, 4, 5, 6), QTimeZone(3600)))
                                      << u"2026-01-02 02:04:05.006"_s;
    QTest::newRow("exact timestamptz text") << u"SELECT $1::timestamptz = '2026-01-02 03:04:05.123456+00'"_s
                                            << QVariant(u"2026-01-02 03:04:05.123456+00"_s) << u"t"_s;
}

void DriverTest::bindings()
{
    QFETCH(QString, sql);
    QFETCH(QVariant, value);
    QFETCH(QString, text);
    const Link link = Link::ours(m_cluster->conninfo());
    QCOMPARE(link.ask(sql, { value }), text);
}

void DriverTest::refusals_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QVariantList>("values");
    QTest::addColumn<QString>("says");
    QTest::newRow("NUL in the statement")
        << u"DELETE FROM victim WHERE true"_s + QChar(0) + u" AND false"_s << QVariantList() << u"NUL"_s;
    QTest::newRow("NUL in a value") << u"DELETE FROM victim WHERE k <> $1"_s
                                    << QVariantList { u"a"_s + QChar(0) + u"b"_s } << u"NUL"_s;
    QTest::newRow("half a surrogate pair")
        << u"DELETE FROM victim WHERE k <> $1"_s << QVariantList { QString(QChar(0xD800)) } << u"surrogate"_s;
    QTest::newRow("only white space") << u" \n"_s << QVariantList() << u"empty"_s;
    QTest::newRow("only a comment") << u"-- nothing"_s << QVariantList() << u"empty"_s;
    QTest::newRow("COPY out") << u"COPY victim TO STDOUT"_s << QVariantList() << u"COPY"_s;
    QTest::newRow("COPY in") << u"COPY victim FROM STDIN"_s << QVariantList() << u"COPY"_s;
    QTest::newRow("a type without a text")
        << u"DELETE FROM victim WHERE k <> $1"_s << QVariantList { QVariant(QVariantList { 1 }) } << u"type"_s;
}

void DriverTest::refusals()
{
    QFETCH(QString, sql);
    QFETCH(QVariantList, values);
    QFETCH(QString, says);
    m_cluster->psql(u"postgres"_s, u"DROP TABLE IF EXISTS victim; CREATE TABLE victim AS SELECT 'x'::text AS k"_s);
    Link link = Link::ours(m_cluster->conninfo());
    for (const bool forwardOnly : { false, true }) {
        QSqlQuery query = link.query(forwardOnly);
        query.prepare(sql);
        for (const QVariant &value : values) {
            query.addBindValue(value);
        }
        QVERIFY(!query.exec());
        QVERIFY2(query.lastError().text().contains(says), qPrintable(query.lastError().text()));
        QCOMPARE(query.lastError().nativeErrorCode(), QString());
        QVERIFY(link.driver().lastFailure().byDriver);
        QVERIFY(!link.driver().lastFailure().connectionLost);
        QCOMPARE(link.ask(u"SELECT count(*) FROM victim"_s), u"1"_s); // nothing happened, and the connection goes on
    }
    QSqlQuery named = link.query();
    named.prepare(u"SELECT $1::text"_s);
    named.bindValue(u":x"_s, 1);
    QVERIFY(!named.exec());
    QVERIFY(named.lastError().text().contains(u"position"_s));
}

void DriverTest::forwardOnlyAndBufferedAgree()
{
    const Link link = Link::ours(m_cluster->conninfo());
    const QString sql = u"SELECT g, nullif(g, 3) FROM generate_series(1, 5) g"_s;
    QList<QStringList> seen;
    for (const bool forwardOnly : { false, true }) {
        QSqlQuery query = link.query(forwardOnly);
        QVERIFY(query.exec(sql));
        QCOMPARE(query.size(), forwardOnly ? -1 : 5);
        QStringList rows;
        while (query.next()) {
            QCOMPARE(query.at(), rows.size());
            rows.append(query.value(0).toString() + (query.isNull(1) ? u"-"_s : u"+"_s));
        }
        QVERIFY(!query.lastError().isValid());
        QVERIFY(!query.next());
        seen.append(rows);
    }
    QCOMPARE(seen.at(0), QStringList({ u"1+"_s, u"2+"_s, u"3-"_s, u"4+"_s, u"5+"_s }));
    QCOMPARE(seen.at(1), seen.at(0));
    QSqlQuery buffered = link.query();
    QVERIFY(buffered.exec(sql));
    QVERIFY(buffered.last() && buffered.value(0) == u"5"_s);
    QVERIFY(buffered.previous() && buffered.value(0) == u"4"_s);
    QVERIFY(buffered.seek(1) && buffered.value(0) == u"2"_s);
    QVERIFY(!buffered.seek(5));
    QVERIFY(link.ask(u"SELECT 1 WHERE false"_s, {}, true).isEmpty());
}

void DriverTest::rowsAffected()
{
    const Link link = Link::ours(m_cluster->conninfo());
    QSqlQuery query = link.query();
    QVERIFY(query.exec(u"CREATE TEMP TABLE counted AS SELECT generate_series(1, 7) g"_s));
    QVERIFY(query.exec(u"UPDATE counted SET g = g + 1"_s));
    QCOMPARE(query.numRowsAffected(), 7);
    QVERIFY(!query.isSelect());
    QSqlQuery returning = link.query(true);
    QVERIFY(returning.exec(u"DELETE FROM counted WHERE g > 5 RETURNING g"_s));
    int rows = 0;
    while (returning.next()) {
        ++rows;
    }
    QCOMPARE(rows, 3);
    QCOMPARE(returning.numRowsAffected(), 3);
}

void DriverTest::abandonedRowsAreAnError()
{
    const Link link = Link::ours(m_cluster->conninfo());
    QSqlQuery first = link.query(true);
    QVERIFY(first.exec(u"SELECT generate_series(1, 1000)"_s));
    QVERIFY(first.next());
    QCOMPARE(link.ask(u"SELECT 'second'"_s), u"second"_s);
    while (first.next()) { }
    QVERIFY(first.lastError().isValid()); // never a short answer that looks whole
    QSqlQuery divided = link.query(true);
    QVERIFY(divided.exec(u"SELECT 1 / (500 - g) FROM generate_series(1, 1000) g"_s));
    int rows = 0;
    while (divided.next()) {
        ++rows;
    }
    QCOMPARE(rows, 499);
    QCOMPARE(divided.lastError().nativeErrorCode(), u"22012"_s);
    QSqlQuery left = link.query(true);
    QVERIFY(left.exec(u"SELECT generate_series(1, 1000)"_s));
    QVERIFY(left.next());
    left.finish();
    QCOMPARE(link.ask(u"SELECT 1"_s), u"1"_s);
}

void DriverTest::errorKeepsAllFields()
{
    m_cluster->psql(u"postgres"_s,
        u"DROP TABLE IF EXISTS parts; CREATE TABLE parts (id int CONSTRAINT parts_pk PRIMARY KEY, n int CHECK (n > 0));"
        "INSERT INTO parts VALUES (1, 1)"_s);
    Link link = Link::ours(m_cluster->conninfo());
    QVERIFY(link.ask(u"INSERT INTO parts VALUES (1, 1)"_s).startsWith(u"error 23505"_s));
    const sql::PgFailure failure = link.driver().lastFailure();
    QCOMPARE(failure.severity, u"ERROR"_s);
    QCOMPARE(failure.sqlState, u"23505"_s);
    QCOMPARE(failure.schema, u"public"_s);
    QCOMPARE(failure.table, u"parts"_s);
    QCOMPARE(failure.constraint, u"parts_pk"_s);
    QVERIFY(failure.detail.contains(u"(id)=(1)"_s));
    QVERIFY(!failure.byDriver && !failure.connectionLost);
    QVERIFY(link.ask(u"SELECT 'ä', nothere"_s).startsWith(u"error 42703"_s));
    QCOMPARE(link.driver().lastFailure().statementPosition, 13); // in characters, not bytes
}

void DriverTest::noticesAreEscapedAndCapped()
{
    Link link = Link::ours(m_cluster->conninfo());
    QVERIFY(link.ask(u"DO $$ BEGIN RAISE NOTICE '%', E'a\\nb\\x1b[31m' || U&'\\202E\\200Bz'; END $$"_s).isEmpty());
    const QList<sql::PgFailure> notices = link.driver().takeNotices();
    QCOMPARE(notices.size(), 1);
    QCOMPARE(notices.at(0).severity, u"NOTICE"_s);
    QCOMPARE(notices.at(0).message, u"a\\nb\\u001B[31m\\u202E\\u200Bz"_s);
    QVERIFY(link.driver().takeNotices().isEmpty());
    QVERIFY(link.ask(u"DO $$ BEGIN FOR i IN 1..3000 LOOP RAISE NOTICE 'n %', i; END LOOP; END $$"_s).isEmpty());
    QCOMPARE(link.driver().takeNotices().size(), 1000);
    QVERIFY(link.ask(u"DO $$ BEGIN RAISE EXCEPTION '%', U&'x\\202Ey' USING HINT = E'h\\x07'; END $$"_s)
                .contains(u"x\\u202Ey"_s));
    QCOMPARE(link.driver().lastFailure().hint, u"h\\u0007"_s);
}

void DriverTest::recordNamesColumns()
{
    const Link link = Link::ours(m_cluster->conninfo());
    for (const bool forwardOnly : { false, true }) {
        QSqlQuery query = link.query(forwardOnly);
        QVERIFY(query.exec(u"SELECT 1 AS \"a.b\", 2 AS \"ü\""_s) && query.next());
        QCOMPARE(query.record().count(), 2);
        QCOMPARE(query.value(u"a.b"_s).toString(), u"1"_s);
        QCOMPARE(query.record().fieldName(1), u"ü"_s);
        QVERIFY(!query.value(2).isValid() || query.value(2).isNull());
    }
}

void DriverTest::asciiDatabase()
{
    const QString conninfo
        = m_cluster->createDatabase(u"ascii"_s, u"ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'"_s);
    m_cluster->psql(u"ascii"_s, u"CREATE TABLE t AS SELECT convert_from('\\x636166e9'::bytea, 'SQL_ASCII') AS v"_s);
    Link link = Link::ours(conninfo);
    QCOMPARE(link.ask(u"SELECT v FROM t"_s), u"caf\\xE9"_s);
    QCOMPARE(link.ask(u"SELECT $1::text || v FROM t"_s, { u"né "_s }), u"né caf\\xE9"_s); // good and bad side by side
    QVERIFY(link.ask(u"SELECT 'ä', nothere"_s).startsWith(u"error 42703"_s));
    QCOMPARE(link.driver().lastFailure().statementPosition, 13);
    QVERIFY(link.ask(u"DO $$ BEGIN RAISE EXCEPTION '%', (SELECT v FROM t); END $$"_s).contains(u"caf\\xE9"_s));
}

void DriverTest::bindingsDoNotOutliveTheirStatement()
{
    const Link link = Link::ours(m_cluster->conninfo());
    QSqlQuery query = link.query();
    query.prepare(u"SELECT $1::int + $2::int"_s);
    query.addBindValue(1);
    query.addBindValue(2);
    QVERIFY(query.exec() && query.next());
    QCOMPARE(query.value(0).toString(), u"3"_s);
    query.addBindValue(10); // from the first again
    query.addBindValue(20);
    QVERIFY(query.exec() && query.next());
    QCOMPARE(query.value(0).toString(), u"30"_s);
    query.bindValue(1, 5);
    QVERIFY(query.exec() && query.next());
    QCOMPARE(query.value(0).toString(), u"15"_s);
    query.prepare(u"SELECT $1::text"_s);
    query.addBindValue(u"alone"_s);
    QVERIFY(query.exec() && query.next());
    QCOMPARE(query.value(0).toString(), u"alone"_s);
    QVERIFY(query.exec(u"SELECT 'no values'"_s));
}

QTEST_GUILESS_MAIN(DriverTest)
#include "tst_driver.moc"
