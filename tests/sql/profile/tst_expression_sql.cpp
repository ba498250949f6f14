// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/expression_sql.h"
#include "sql/profile/relation_name.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;

class ExpressionSqlTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void nowIsReplacedOutsideQuotes_data();
    void nowIsReplacedOutsideQuotes();
    void faults_data();
    void faults();
    void plainColumns_data();
    void plainColumns();
    void relationNames_data();
    void relationNames();
    void variables();
};

void ExpressionSqlTest::nowIsReplacedOutsideQuotes_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("rendered");
    QTest::newRow("variable") << u"$now - t.a"_s << u"(N) - t.a"_s;
    QTest::newRow("a longer variable") << u"$nowhere"_s << u"$nowhere"_s;
    QTest::newRow("cast") << u"$now::date"_s << u"(N)::date"_s;
    QTest::newRow("in a constant") << u"'$now' || $now"_s << u"'$now' || (N)"_s;
    QTest::newRow("quotes doubled") << u"'it''s $now'"_s << u"'it''s $now'"_s;
    QTest::newRow("escape constant") << u"E'\\' $now' || $now"_s << u"E'\\' $now' || (N)"_s;
    QTest::newRow("backslash in a plain constant") << u"'\\' || $now"_s << u"'\\' || (N)"_s;
    QTest::newRow("dollar quotes") << u"$a$ $now $a$ || $now"_s << u"$a$ $now $a$ || (N)"_s;
    QTest::newRow("bare dollar quotes") << u"$$ now() $$"_s << u"$$ now() $$"_s;
    QTest::newRow("quoted name") << u"t.\"$now\""_s << u"t.\"$now\""_s;
    QTest::newRow("block comment, nested") << u"/* $now /* x */ now() */ $now"_s << u"/* $now /* x */ now() */ (N)"_s;
    QTest::newRow("line comment") << u"1 -- now()\n + $now"_s << u"1 -- now()\n + (N)"_s;
    QTest::newRow("now()") << u"now() > t.a"_s << u"(N) > t.a"_s;
    QTest::newRow("now with spaces") << u"NOW ( ) > t.a"_s << u"(N) > t.a"_s;
    QTest::newRow("pg_catalog.now()") << u"pg_catalog.now() > t.a"_s << u"(N) > t.a"_s;
    QTest::newRow("clock_timestamp()") << u"clock_timestamp()"_s << u"(N)"_s;
    QTest::newRow("current_timestamp") << u"CURRENT_TIMESTAMP - t.a"_s << u"(N) - t.a"_s;
    QTest::newRow("current_timestamp with digits") << u"current_timestamp(3)"_s << u"current_timestamp(3)"_s;
    QTest::newRow("another schema's now") << u"app.now()"_s << u"app.now()"_s;
    QTest::newRow("a column called now") << u"t.now"_s << u"t.now"_s;
    QTest::newRow("dollar inside a name") << u"t.a$now"_s << u"t.a$now"_s;
    QTest::newRow("characters beyond ASCII") << u"t.größe || $now"_s << u"t.größe || (N)"_s;
}

void ExpressionSqlTest::nowIsReplacedOutsideQuotes()
{
    QFETCH(QString, sql);
    QFETCH(QString, rendered);
    QCOMPARE(renderNow(sql, u"N"_s), rendered);
}

void ExpressionSqlTest::faults_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<bool>("good");
    QTest::newRow("column") << u"t.a"_s << true;
    QTest::newRow("subquery") << u"(SELECT max(x[1]) FROM b WHERE y = ')')"_s << true;
    QTest::newRow("comment closed by a line end") << u"t.a -- why\n"_s << true;
    QTest::newRow("semicolon in a constant") << u"';'"_s << true;
    QTest::newRow("empty") << u"  "_s << false;
    QTest::newRow("closing bracket first") << u"t.a) , (t.b"_s << false;
    QTest::newRow("brackets crossed") << u"(a[1)]"_s << false;
    QTest::newRow("missing bracket") << u"lower(t.a"_s << false;
    QTest::newRow("semicolon") << u"t.a; SELECT 1"_s << false;
    QTest::newRow("open constant") << u"'abc"_s << false;
    QTest::newRow("open name") << u"t.\"abc"_s << false;
    QTest::newRow("open comment") << u"t.a /*"_s << false;
    QTest::newRow("line comment at the end") << u"t.a --"_s << false;
    QTest::newRow("open dollar quote") << u"$x$ abc"_s << false;
    QTest::newRow("numbered parameter") << u"t.a = $1"_s << false;
    QTest::newRow("NUL") << u"t.a"_s + QChar(0) << false;
}

void ExpressionSqlTest::faults()
{
    QFETCH(QString, sql);
    QFETCH(bool, good);
    QCOMPARE(expressionFault(sql).isEmpty(), good);
}

void ExpressionSqlTest::plainColumns_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("column");
    QTest::newRow("plain") << u"t.status"_s << u"status"_s;
    QTest::newRow("folded") << u" t.Status "_s << u"status"_s;
    QTest::newRow("quoted") << u"t.\"My \"\"Key\"\"\""_s << u"My \"Key\""_s;
    QTest::newRow("cast") << u"t.status::text"_s << QString();
    QTest::newRow("another alias") << u"u.status"_s << QString();
    QTest::newRow("whole row") << u"t.*"_s << QString();
    QTest::newRow("field of a column") << u"t.a.b"_s << QString();
}

void ExpressionSqlTest::plainColumns()
{
    QFETCH(QString, sql);
    QFETCH(QString, column);
    QCOMPARE(plainColumn(sql), column);
}

void ExpressionSqlTest::relationNames_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QString>("name");
    QTest::newRow("qualified") << u"App.Orders"_s << u"app"_s << u"orders"_s;
    QTest::newRow("alone") << u"orders"_s << QString() << u"orders"_s;
    QTest::newRow("quoted") << u"sales.\"Inbox.State\"\"x\""_s << u"sales"_s << u"Inbox.State\"x"_s;
    QTest::newRow("spaces around") << u" a . b "_s << u"a"_s << u"b"_s;
    QTest::newRow("three parts") << u"a.b.c"_s << QString() << QString();
    QTest::newRow("empty") << QString() << QString() << QString();
    QTest::newRow("ends in a dot") << u"a."_s << QString() << QString();
    QTest::newRow("injection") << u"a; DROP TABLE b"_s << QString() << QString();
    QTest::newRow("a subquery") << u"(SELECT 1)"_s << QString() << QString();
}

void ExpressionSqlTest::relationNames()
{
    QFETCH(QString, text);
    QFETCH(QString, schema);
    QFETCH(QString, name);
    const auto parsed = parseRelationName(text);
    QCOMPARE(parsed.has_value(), !name.isEmpty());
    if (parsed) {
        QCOMPARE(parsed->schema, schema);
        QCOMPARE(parsed->name, name);
    }
}

void ExpressionSqlTest::variables()
{
    QCOMPARE(variablesIn(u"$reason || '$no' || $now || $reason"_s), (QStringList { u"reason"_s, u"now"_s }));
    QCOMPARE(renderVariables(u"$effect_id::uuid, $now"_s, { { u"effect_id"_s, u"$7"_s } }), u"($7)::uuid, $now"_s);
    QCOMPARE(intervalSql(u"2h"_s), u"'7200 seconds'::pg_catalog.interval"_s);
    QCOMPARE(intervalSql(u"t.lease"_s), u"(t.lease)"_s);
}

QTEST_GUILESS_MAIN(ExpressionSqlTest)
#include "tst_expression_sql.moc"
