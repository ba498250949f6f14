// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that leaves the console as a table is run by the spreadsheet that opens it: every export and copy, with
// hostile values.
#include "models/audit/audit_export.h"
#include "models/keys/copy_format.h"
#include "models/trends/trend_export.h"
#include "sql/keys/export_writer.h"
#include "sql/keys/page_reader.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QBuffer>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

/// What an attacker would put in front of the formula.
QStringList hostileTexts()
{
    const QStringList fronts { u""_s, u" "_s, u"   "_s, u"\n"_s, u"\r\n"_s, u"\t"_s, u"\v"_s, u"\u0001"_s, u"\u0085"_s,
        u"\u00A0"_s, u"\u2003"_s, u"\u200B"_s, u"\uFEFF"_s, u"\u202E"_s, u"\u00AD"_s, u"\u3000"_s, u"\u0301"_s, u"\""_s,
        u"'"_s, u"\u201C"_s, u"\uFF02"_s, u" \"\u200B\t"_s, u"\u3164"_s };
    const QStringList signs { u"="_s, u"+"_s, u"-"_s, u"@"_s, u"\uFF1D"_s, u"\uFF0B"_s, u"\uFF0D"_s, u"\uFF20"_s };
    QStringList texts;
    for (const QString &front : fronts) {
        for (const QString &sign : signs) {
            texts += front + sign + u"cmd|' /C calc'!A0"_s;
        }
    }
    texts += { u"-5"_s, u"+5"_s, u"-1+2"_s, u"=1"_s, u"|calc"_s, u"%0A"_s };
    return texts;
}

/// The cells of CSV as RFC 4180 has them, or of tab-separated text.
QList<QStringList> cellsOf(const QString &text, QChar separator)
{
    QList<QStringList> rows { {} };
    QString cell;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (separator == u',' && c == u'"') {
            if (quoted && i + 1 < text.size() && text.at(i + 1) == u'"') {
                cell += c;
                ++i;
            } else {
                quoted = !quoted;
            }
        } else if (!quoted && c == separator) {
            rows.last() += cell;
            cell.clear();
        } else if (!quoted && c == u'\n') {
            rows.last() += cell.endsWith(u'\r') ? cell.chopped(1) : cell;
            cell.clear();
            rows.append(QStringList());
        } else {
            cell += c;
        }
    }
    rows.removeLast();
    return rows;
}

/// Only an apostrophe in the very first place makes it a text for sure; nothing else that is harmless begins with a
/// formula's sign.
bool isTame(const QString &cell)
{
    if (cell.startsWith(u'\'')) {
        return true;
    }
    static const QRegularExpression formula(u"^[^\\p{L}\\p{Nd}]*[-=+@|%\uFF1D\uFF0B\uFF0D\uFF20]"_s);
    static const QRegularExpression filler(u"^[\\s\\p{C}]*\u3164+[-=+@\uFF1D\uFF0B\uFF0D\uFF20]"_s);
    return !formula.match(cell).hasMatch() && !filler.match(cell).hasMatch() && !cell.startsWith(u'\n')
        && !cell.startsWith(u'\t');
}

} // namespace

class AttacksExportsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void keysAsCsv();
    void keysOnTheClipboard();
    void trail();
    void trends();

private:
    std::unique_ptr<sql::Session> open() const;
    sql::Target target(sql::Session &session) const;
    std::unique_ptr<tests::TestCluster> m_cluster;
};

void AttacksExportsTest::initTestCase()
{
    m_cluster = std::make_unique<tests::TestCluster>();
    QStringList values;
    for (const QString &text : hostileTexts()) {
        QString literal = text;
        values += u"('"_s + literal.replace(u'\'', u"''"_s) + u"')"_s;
    }
    m_cluster->psql(u"postgres"_s,
        u"CREATE TABLE public.k (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text, tenant text, status text, "
        u"n int, owner text, message text);"
        "INSERT INTO public.k (key, tenant, status, n, owner, message) SELECT v, v, v, -5, v, v FROM (VALUES "_s
            + values.join(u", "_s) + u") AS given (v)"_s);
}

std::unique_ptr<sql::Session> AttacksExportsTest::open() const
{
    sql::ConnectionSettings settings;
    settings.conninfo = m_cluster->conninfo();
    auto session = sql::Session::open(settings, {});
    return session.ok() ? std::move(*session) : nullptr;
}

sql::Target AttacksExportsTest::target(sql::Session &session) const
{
    const auto profile = sql::profileFromJson(R"json({
        "idemdesk_profile": 1, "name": "k", "title": "=k", "kind": "request", "relation": "public.k",
            "identity": ["id"],
        "scope": [{ "label": "tenant", "sql": "t.tenant" }], "key": "t.key",
        "roles": { "status": "t.status", "attempts": "t.n", "owner": "t.owner", "error_message": "t.message" },
        "states": { "*": "pending" }, "stale": null, "guard": ["status"], "actions": { "recover": [],
            "requeue": [] }, "purge": null, "orders": [],
        "aliases": [], "effects": [], "policies": [] })json",
        u"k.json"_s);
    if (!profile.ok()) {
        qFatal("%s", qPrintable(profile.error().line() + profile.error().where));
    }
    const auto bound = sql::bindTarget(session, *profile);
    if (!bound.ok()) {
        qFatal("%s", qPrintable(bound.error().line()));
    }
    return *bound;
}

void AttacksExportsTest::keysAsCsv()
{
    const auto session = open();
    QVERIFY(session != nullptr);
    QBuffer out;
    QVERIFY(out.open(QIODevice::WriteOnly));
    const auto done = sql::exportRows(*session, target(*session), {}, {}, sql::ExportFormat::Csv, out, {});
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().line()));
    const auto rows = cellsOf(QString::fromUtf8(out.data()), u',');
    QCOMPARE(rows.size(), hostileTexts().size() + 1);
    const qsizetype number = rows.constFirst().indexOf(u"attempts"_s);
    QVERIFY(number > 0);
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QCOMPARE(rows.at(i).size(), rows.constFirst().size());
        for (qsizetype column = 0; column < rows.at(i).size(); ++column) {
            const QString cell = rows.at(i).at(column);
            if (i > 0 && column == number) {
                QCOMPARE(cell, u"-5"_s); // a number stays one
            } else {
                QVERIFY2(isTame(cell), cell.toUtf8().toPercentEncoding().constData());
            }
        }
        if (i > 0) { // and the value itself is whole
            QVERIFY(rows.at(i).contains(u'\'' + hostileTexts().at(i - 1)));
        }
    }
}

void AttacksExportsTest::keysOnTheClipboard()
{
    const auto session = open();
    QVERIFY(session != nullptr);
    const sql::Target bound = target(*session);
    sql::PageRequest request;
    const auto page = sql::readPage(*session, bound, request);
    QVERIFY(page.ok());
    const auto rows = cellsOf(copyRecords(CopyFormat::Tsv, page->rows, bound, TimeFormat()), u'\t');
    QCOMPARE(rows.size(), page->rows.size() + 1);
    int numbers = 0;
    for (const QStringList &row : rows) {
        for (const QString &cell : row) {
            numbers += int(cell == u"-5");
            QVERIFY2(cell == u"-5" || isTame(cell), cell.toUtf8().toPercentEncoding().constData());
        }
    }
    QCOMPARE(numbers, page->rows.size()); // those of the column of numbers, and no key
}

void AttacksExportsTest::trail()
{
    QList<sql::AuditRow> written;
    for (const QString &text : hostileTexts()) {
        sql::AuditRow row;
        row.who = row.role = row.address = row.application = row.action = row.what = row.target = text;
        row.factsJson = text.toUtf8();
        row.itemsSha = row.previousHash = row.hash = text;
        written.append(row);
    }
    const auto rows = cellsOf(QString::fromUtf8(auditText(written, AuditFormat::Csv)), u',');
    QCOMPARE(rows.size(), written.size() + 1);
    for (const QStringList &row : rows) {
        QCOMPARE(row.size(), rows.constFirst().size());
        for (const QString &cell : row) {
            QVERIFY2(isTame(cell), cell.toUtf8().toPercentEncoding().constData());
        }
    }
}

void AttacksExportsTest::trends()
{
    sql::TrendAnswer answer;
    answer.buckets = { sql::Timestamp {} };
    for (const QString &text : hostileTexts()) {
        sql::TrendSeries series;
        series.scope = { sql::Cell::of(text) };
        series.values = { std::optional<double>(-5) };
        answer.series.append(series);
    }
    const auto rows = cellsOf(QString::fromUtf8(trendCsv(answer, std::nullopt)), u',');
    QCOMPARE(rows.size(), 2);
    for (const QString &cell : rows.constFirst()) {
        QVERIFY2(isTame(cell), cell.toUtf8().toPercentEncoding().constData());
    }
    QCOMPARE(rows.at(1).count(u"-5"_s), hostileTexts().size());
}

QTEST_GUILESS_MAIN(AttacksExportsTest)
#include "tst_attacks_exports.moc"
