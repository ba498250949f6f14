// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sql/keys/keys_fixture.h"

using namespace idemdesk;
using namespace Qt::StringLiterals;

class KeysPagingTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<tests::KeysFixture> m_fixture;

    static QString numberOf(const sql::KeyRecord &record) { return record.role(sql::Role::ErrorCode).text; }
    static sql::Cursor after(const sql::KeyRecord &record) { return { record.orderValue, record.identity }; }

    /// All row numbers in the order the pages give them.
    QStringList walk(const sql::Target &target, const QString &order, int limit, bool backward, bool wholeGroups)
    {
        QStringList seen;
        sql::PageRequest request;
        request.order = order;
        request.limit = limit;
        request.backward = backward;
        for (int page = 0; page < 200; ++page) {
            const auto read = sql::readPage(m_fixture->session(), target, request);
            if (!read) {
                return { read.error().line() + read.error().detail };
            }
            if (!wholeGroups && read->rows.size() > limit) {
                return { u"page too large"_s };
            }
            QStringList numbers;
            for (const auto &record : read->rows) {
                numbers += numberOf(record);
            }
            seen = backward ? numbers + seen : seen + numbers;
            if (!read->more) {
                return seen;
            }
            if (read->rows.isEmpty()) {
                return { u"more, but no rows"_s };
            }
            const auto cursor = after(backward ? read->rows.first() : read->rows.last());
            const auto again = sql::Cursor::fromText(cursor.toText()); // as --after does
            if (!again || !(*again == cursor)) {
                return { u"cursor text differs"_s };
            }
            request.from = *again;
            request.now = read->now;
        }
        return { u"no end"_s };
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<tests::KeysFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void everyRowOnce_data()
    {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("identity");
        QTest::newRow("plain primary key") << u"plain"_s << u"[\"id\"]"_s;
        QTest::newRow("citext and uuid") << u"folded"_s << u"[\"name\", \"part\"]"_s;
        QTest::newRow("identity in another order than its index") << u"folded"_s << u"[\"part\", \"name\"]"_s;
        QTest::newRow("identity neither unique nor NOT NULL") << u"loose"_s << u"[\"name\", \"part\"]"_s;
        QTest::newRow("one column of an identity that is none") << u"loose"_s << u"[\"part\"]"_s;
    }
    void everyRowOnce()
    {
        QFETCH(QString, table);
        QFETCH(QString, identity);
        const sql::Target target = m_fixture->torture(table, identity);
        QCOMPARE(target.identityUnique, table != u"loose"_s);
        QStringList orders;
        for (const auto &choice : sql::orderChoices(target)) {
            orders << choice.label << u"-"_s + choice.label;
        }
        QVERIFY(orders.size() >= 20);
        QStringList expected = m_fixture->lines(u"SELECT rowno FROM torture."_s + table);
        expected.sort();
        QCOMPARE(expected.size(), 45);
        for (const QString &order : std::as_const(orders)) {
            QStringList first;
            for (const int limit : { 1, 2, 7, 200 }) {
                for (const bool backward : { false, true }) {
                    const QStringList walked = walk(target, order, limit, backward, !target.identityUnique);
                    QStringList sorted = walked;
                    sorted.sort();
                    QVERIFY2(sorted == expected,
                        qPrintable(u"%1 limit %2 backward %3: %4"_s.arg(order).arg(limit).arg(backward).arg(
                            walked.join(u' '))));
                    if (target.identityUnique) {
                        first = first.isEmpty() ? walked : first;
                        QVERIFY2(walked == first,
                            qPrintable(u"%1 limit %2 backward %3 differs"_s.arg(order).arg(limit).arg(backward)));
                    }
                }
            }
        }
    }

    void orderIsPostgres_data()
    {
        QTest::addColumn<QString>("order");
        QTest::addColumn<QString>("sorted");
        QTest::newRow("descending, NULLs last") << u"created"_s << u"created_at DESC NULLS LAST, id DESC"_s;
        QTest::newRow("turned") << u"-created"_s << u"created_at ASC NULLS FIRST, id"_s;
        QTest::newRow("NULLs first") << u"real"_s << u"\"real\" NULLS FIRST, id"_s;
        QTest::newRow("numeric") << u"amount"_s << u"amount, id"_s;
        QTest::newRow("expression") << u"lowered"_s << u"lower(owner), id"_s;
        QTest::newRow("epoch") << u"-updated_at"_s << u"updated_ms DESC NULLS FIRST, id DESC"_s;
        QTest::newRow("identity") << u"identity"_s << u"id"_s;
        QTest::newRow("default: the first that an index serves") << u""_s << u"created_at DESC NULLS LAST, id DESC"_s;
    }
    void orderIsPostgres()
    {
        QFETCH(QString, order);
        QFETCH(QString, sorted);
        const sql::Target target = m_fixture->torture(u"plain"_s, u"[\"id\"]"_s);
        QCOMPARE(walk(target, order, 7, false, false),
            m_fixture->lines(u"SELECT rowno FROM torture.plain ORDER BY "_s + sorted));
    }

    void skipPassesSegments()
    {
        const sql::Target target = m_fixture->torture(u"plain"_s, u"[\"id\"]"_s);
        for (const QString &order : { u"created"_s, u"real"_s, u"identity"_s }) {
            const QStringList all = walk(target, order, 200, false, false);
            for (const int skip : { 0, 1, 30, 37, 38, 39, 44, 45, 100 }) {
                sql::PageRequest request;
                request.order = order;
                request.limit = 5;
                request.skip = skip;
                const auto page = sql::readPage(m_fixture->session(), target, request);
                QVERIFY(page.ok());
                QStringList numbers;
                for (const auto &record : page->rows) {
                    numbers += numberOf(record);
                }
                QCOMPARE(numbers, all.mid(skip, 5));
                QCOMPARE(page->more, all.size() > skip + 5);
            }
        }
    }

    void boundariesLeadToTheirRows()
    {
        for (const auto &[table, identity] :
            { std::pair { u"plain"_s, u"[\"id\"]"_s }, std::pair { u"folded"_s, u"[\"name\", \"part\"]"_s } }) {
            const sql::Target target = m_fixture->torture(table, identity);
            for (const QString &order : { u"created"_s, u"-real"_s, u"identity"_s, u"amount"_s }) {
                const QStringList all = walk(target, order, 200, false, false);
                const auto boundaries = sql::readBoundaries(m_fixture->session(), target, {}, order, 7, std::nullopt);
                QVERIFY2(boundaries.ok(), boundaries.ok() ? "" : qPrintable(boundaries.error().detail));
                QCOMPARE(boundaries->rows, 45);
                QCOMPARE(boundaries->cursors.size(), 6);
                for (int i = 0; i < boundaries->cursors.size(); ++i) {
                    sql::PageRequest request;
                    request.order = order;
                    request.limit = 2;
                    request.from = boundaries->cursors.at(i);
                    const auto page = sql::readPage(m_fixture->session(), target, request);
                    QVERIFY(page.ok());
                    QCOMPARE(numberOf(page->rows.first()), all.at((i + 1) * 7));
                }
            }
        }
    }

    void jumpsToATime_data()
    {
        QTest::addColumn<QString>("order");
        QTest::addColumn<QString>("sql");
        QTest::newRow("timestamptz, newest first")
            << u"created"_s << u"created_at <= $ ORDER BY created_at DESC, id DESC"_s;
        QTest::newRow("timestamptz, oldest first") << u"-created"_s << u"created_at >= $ ORDER BY created_at, id"_s;
        QTest::newRow("epoch milliseconds")
            << u"updated_at"_s << u"to_timestamp(updated_ms / 1000.0) >= $ ORDER BY updated_ms, id"_s;
        QTest::newRow("naive UTC") << u"lease_until"_s << u"lease AT TIME ZONE 'UTC' >= $ ORDER BY lease, id"_s;
    }
    void jumpsToATime()
    {
        QFETCH(QString, order);
        QFETCH(QString, sql);
        const sql::Target target = m_fixture->torture(u"plain"_s, u"[\"id\"]"_s);
        const QString moment
            = m_fixture->psql(order == u"updated_at"_s ? u"SELECT to_timestamp(1700000000007 / 1000.0)"_s
                                                       : u"SELECT now() - interval '3 hours 10 minutes'"_s);
        const auto time = sql::Timestamp::parse(moment);
        QVERIFY(time);
        const auto cursor = sql::cursorAtTime(target, order, *time);
        QVERIFY(cursor.ok());
        QVERIFY(!cursor->atEdge());
        sql::PageRequest request;
        request.order = order;
        request.limit = 3;
        request.from = *cursor;
        const auto page = sql::readPage(m_fixture->session(), target, request);
        QVERIFY2(page.ok(), page.ok() ? "" : qPrintable(page.error().detail));
        QStringList numbers;
        for (const auto &record : page->rows) {
            numbers += numberOf(record);
        }
        sql.replace(u"$"_s, u"'"_s + moment + u"'::timestamptz"_s);
        QCOMPARE(numbers, m_fixture->lines(u"SELECT rowno FROM torture.plain WHERE "_s + sql + u" LIMIT 3"_s));
        QVERIFY(!sql::cursorAtTime(target, u"identity"_s, *time));
    }

    void emptyTableAndOneRow()
    {
        const sql::Target target = m_fixture->torture(u"none"_s, u"[\"id\"]"_s);
        for (const bool backward : { false, true }) {
            sql::PageRequest request;
            request.backward = backward;
            const auto page = sql::readPage(m_fixture->session(), target, request);
            QVERIFY(page.ok());
            QVERIFY(page->rows.isEmpty() && !page->more);
            QVERIFY(page->now.micros > 0);
        }
        m_fixture->psql(u"INSERT INTO torture.none SELECT * FROM torture.plain LIMIT 1"_s);
        const auto page = sql::readPage(m_fixture->session(), target, {});
        QCOMPARE(page->rows.size(), 1);
        QVERIFY(!page->more);
        m_fixture->psql(u"TRUNCATE torture.none"_s);
    }

    void wrongRequests()
    {
        const sql::Target target = m_fixture->torture(u"plain"_s, u"[\"id\"]"_s);
        sql::PageRequest request;
        request.order = u"no such"_s;
        const auto page = sql::readPage(m_fixture->session(), target, request);
        QVERIFY(!page.ok());
        QCOMPARE(page.error().kind, sql::ErrorKind::Usage);
        QVERIFY(page.error().todo.contains(u"created"_s));
        for (const QString &text : { u""_s, u"!"_s, u"e30"_s, u"W10"_s, u"WzFd"_s, QString(u"A"_s).repeated(10'000) }) {
            QVERIFY2(!sql::Cursor::fromText(text), qPrintable(text));
        }
    }

    void tableChangesBetweenPages()
    {
        m_fixture->psql(
            u"CREATE TABLE torture.changing AS SELECT * FROM torture.plain; ALTER TABLE torture.changing ADD PRIMARY KEY (id)"_s);
        const sql::Target target = m_fixture->torture(u"changing"_s, u"[\"id\"]"_s);
        sql::PageRequest request;
        request.limit = 5;
        request.order = u"identity"_s;
        const auto first = sql::readPage(m_fixture->session(), target, request);
        QVERIFY(first.ok());
        m_fixture->psql(u"ALTER TABLE torture.changing DROP COLUMN owner"_s);
        request.from = after(first->rows.last());
        auto page = sql::readPage(m_fixture->session(), target, request);
        QVERIFY(!page.ok());
        QCOMPARE(page.error().kind, sql::ErrorKind::MissingObject);
        QVERIFY(page.error().why.contains(u"owner"_s));
        m_fixture->psql(u"ALTER TABLE torture.changing ADD COLUMN owner text, ALTER COLUMN id TYPE text"_s);
        page = sql::readPage(m_fixture->session(), target, request);
        QVERIFY(!page.ok()); // text compared with bigint
        QVERIFY(!page.error().what.isEmpty());
        m_fixture->psql(u"DROP TABLE torture.changing"_s);
        page = sql::readPage(m_fixture->session(), target, request);
        QVERIFY(!page.ok());
        QCOMPARE(page.error().kind, sql::ErrorKind::MissingObject);
        QVERIFY(sql::readPage(m_fixture->session(), m_fixture->torture(u"plain"_s, u"[\"id\"]"_s), {}).ok());
    }
};

QTEST_GUILESS_MAIN(KeysPagingTest)
#include "tst_keys_paging.moc"
