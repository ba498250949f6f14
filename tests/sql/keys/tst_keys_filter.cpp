// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_parser.h"
#include "sql/keys/predicate_payload.h"
#include "tests/sql/keys/keys_fixture.h"

using namespace idemdesk;
using namespace Qt::StringLiterals;

class KeysFilterTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<tests::KeysFixture> m_fixture;
    sql::Target m_plain;

    sql::Filter parsed(const QString &text) const
    {
        const auto filter = models::parseFilter(text, models::vocabularyOf(m_plain.profile));
        if (!filter) {
            qFatal("%s", qPrintable(text + u": "_s + filter.error().line()));
        }
        return *filter;
    }

    QStringList matching(
        const sql::Target &target, const sql::Filter &filter, const std::optional<sql::Timestamp> &now = {})
    {
        sql::PageRequest request;
        request.filter = filter;
        request.order = u"identity"_s;
        request.limit = 1000;
        request.now = now;
        const auto page = sql::readPage(m_fixture->session(), target, request);
        if (!page) {
            return { page.error().line() + page.error().detail };
        }
        QStringList numbers;
        for (const auto &record : page->rows) {
            numbers += record.role(sql::Role::ErrorCode).text;
        }
        return numbers;
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<tests::KeysFixture>();
        m_plain = m_fixture->torture(u"plain"_s, u"[\"id\"]"_s);
        // A table large enough for the console to mind how it finds keys.
        m_fixture->psql(
            u"CREATE TABLE torture.large (tenant text NOT NULL, op text NOT NULL, key text COLLATE \"C\" NOT NULL, "
            "status text, made timestamptz, PRIMARY KEY (tenant, op, key)); "
            "INSERT INTO torture.large SELECT 'tenant-' || i % 7, 'op-' || i % 3, 'k' || md5(i::text), 'done', now() "
            "FROM generate_series(1, 80000) i; VACUUM ANALYZE torture.large"_s);
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void agreesWithSql_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        const auto row
            = [](const QString &text, const QString &where) { QTest::newRow(qPrintable(text)) << text << where; };
        row(u"tenant:tenant-2"_s, u"tenant = 'tenant-2'"_s);
        row(u"tenant:\"\""_s, u"tenant = ''"_s);
        row(u"tenant:null"_s, u"tenant IS NULL"_s);
        row(u"tenant:tenant*"_s, u"tenant LIKE 'tenant%'"_s);
        row(u"scope:tenant-2"_s, u"tenant = 'tenant-2'"_s); // no user has that as its uuid
        row(u"scope:00000000-0000-0000-0000-000000000003"_s, u"user_id = '00000000-0000-0000-0000-000000000003'"_s);
        row(u"user:00000000-0000-0000-0000-000000000003,00000000-0000-0000-0000-000000000001"_s,
            u"user_id IN ('00000000-0000-0000-0000-000000000003','00000000-0000-0000-0000-000000000001')"_s);
        row(u"user:00000000-0000-0000-0000-000000000003"_s, u"user_id = '00000000-0000-0000-0000-000000000003'"_s);
        row(u"user:0000*"_s, u"user_id IS NOT NULL"_s);
        row(u"user:~0002"_s, u"user_id::text LIKE '%0002%'"_s);
        row(u"scope:null"_s, u"tenant IS NULL OR user_id IS NULL"_s);
        row(u"worth>=40.5"_s, u"amount * 2 >= 40.5"_s);
        row(u"worth<100"_s, u"amount * 2 < 100"_s);
        row(u"worth:null"_s, u"amount IS NULL"_s);
        row(u"worth:20,21"_s, u"amount * 2 IN (20, 21)"_s);
        row(u"BEGUN<-1h"_s, u"created_at < now() - interval '1 hour'"_s);
        row(u"begun:null"_s, u"created_at IS NULL"_s);
        row(u"shouted:WORKER-1,WORKER-2"_s, u"upper(owner) IN ('WORKER-1', 'WORKER-2')"_s);
        row(u"shouted:~ORKER-2"_s, u"upper(owner) ILIKE '%ORKER-2%'"_s);
        row(u"shouted:WORK*"_s, u"upper(owner) LIKE 'WORK%'"_s);
        row(u"shouted:null"_s, u"owner IS NULL"_s);
        row(u"state:pending"_s, u"status = 'open'"_s);
        row(u"state:unknown"_s, u"status = 'odd' OR status IS NULL"_s);
        row(u"state:succeeded,failed_final"_s, u"status IN ('done', 'broken')"_s);
        row(u"state:failed_retryable"_s, u"false"_s);
        row(u"state:stale"_s,
            u"status = 'busy' AND lease < $now AT TIME ZONE 'UTC' OR status = 'open' AND created_at + patience < $now"_s);
        row(u"state:expired"_s, u"expires_at < $now"_s);
        row(u"state:stale,succeeded"_s,
            u"status = 'done' OR status = 'busy' AND lease < $now AT TIME ZONE 'UTC' OR status = 'open' AND created_at + patience < $now"_s);
        row(u"status:odd"_s, u"status = 'odd'"_s);
        row(u"status:o*"_s, u"status::text LIKE 'o%'"_s);
        row(u"status:null"_s, u"status IS NULL"_s);
        row(u"key:ord-0007"_s, u"key = 'ord-0007'"_s);
        row(u"key:ord-000*"_s, u"key LIKE 'ord-000%'"_s);
        row(u"key:\"\""_s, u"key = ''"_s);
        row(u"key:*"_s, u"true"_s);
        row(u"key:100%_\\\\*"_s, u"key LIKE '100!%!_\\%' ESCAPE '!'"_s);
        row(u"key:1__*"_s, u"false"_s);
        row(u"key:~<img"_s, u"key LIKE '%<img%'"_s);
        row(u"key:\"line\nfeed\u202E<img src=x>\""_s, u"id = 30"_s);
        row(u"attempts>=1"_s, u"attempts >= 1"_s);
        row(u"attempts:1,2"_s, u"attempts IN (1, 2)"_s);
        row(u"attempts<99999999999999"_s, u"attempts IS NOT NULL"_s);
        row(u"attempts:null"_s, u"attempts IS NULL"_s);
        row(u"age>3h"_s, u"$now - interval '3h' > created_at"_s);
        row(u"age<=3h"_s, u"$now - interval '3h' <= created_at"_s);
        row(u"created>-2h"_s, u"created_at > $now - interval '2h'"_s);
        row(u"created:infinity"_s, u"created_at = 'infinity'"_s);
        row(u"created:null"_s, u"created_at IS NULL"_s);
        row(u"created<=2026-11-20"_s, u"created_at < '2026-11-21 00:00:00Z'"_s);
        row(u"updated>=2023-11-14T22:13:20.004Z"_s, u"updated_ms >= 1700000000004"_s);
        row(u"updated>2023-11-14T22:13:20.004Z"_s, u"updated_ms > 1700000000004"_s);
        row(u"updated<2023-11-14T22:13:20.0045Z"_s, u"updated_ms <= 1700000000004"_s);
        row(u"updated:2023-11-14T22:13:20Z"_s, u"updated_ms IS NOT NULL"_s);
        row(u"updated:null"_s, u"updated_ms IS NULL"_s);
        row(u"lease<now"_s, u"lease < $now AT TIME ZONE 'UTC'"_s);
        row(u"lease>now"_s, u"lease > $now AT TIME ZONE 'UTC'"_s);
        row(u"expires<now+10d"_s, u"expires_at < $now + interval '240 hours'"_s);
        row(u"owner:worker-a"_s, u"owner = 'worker-a'"_s);
        row(u"owner:null"_s, u"owner IS NULL"_s);
        row(u"owner:\"b,c\\\"d\""_s, u"owner = 'b,c\"d'"_s);
        row(u"owner:worker-a,Worker-A,\"b,c\\\"d\""_s, u"owner IN ('worker-a', 'Worker-A', 'b,c\"d')"_s);
        row(u"hash:c4ca*"_s, u"hash LIKE 'c4ca%'"_s);
        row(u"result:order/12"_s, u"result_type = 'order' AND result_id = '12'"_s);
        row(u"result:order/"_s, u"result_type = 'order'"_s);
        row(u"result:12"_s, u"result_id = '12'"_s);
        row(u"result:null"_s, u"result_id IS NULL AND result_type IS NULL"_s);
        row(u"code:OK"_s, u"code = 'OK'"_s);
        row(u"code>=300"_s, u"CASE WHEN code ~ '^\\d+$' THEN code::int >= 300 END"_s);
        row(u"error:~timeout"_s, u"message ILIKE '%timeout%'"_s);
        row(u"error:12"_s, u"rowno = '12'"_s);
        row(u"ord-0008"_s, u"key = 'ord-0008'"_s);
        row(u"c4ca4238a0b923820dcc509a6f75849b"_s, u"hash = 'c4ca4238a0b923820dcc509a6f75849b'"_s);
        row(u"key:\"' OR 1=1 --\""_s, u"false"_s);
        row(u"key:\"$1\",\"{a}\",\"\\\\\""_s, u"false"_s);
        row(u"owner:worker-a attempts>=1"_s, u"owner = 'worker-a' AND attempts >= 1"_s);
    }
    void agreesWithSql()
    {
        QFETCH(QString, text);
        QFETCH(QString, where);
        const QString moment = m_fixture->psql(u"SELECT now()"_s);
        const auto now = sql::Timestamp::parse(moment);
        where.replace(u"$now"_s, u"'"_s + moment + u"'::timestamptz"_s);
        const QString select = u"SELECT rowno FROM torture.plain WHERE (%1) IS %2TRUE ORDER BY id"_s;
        const QStringList expected = m_fixture->lines(select.arg(where, QString()));
        const sql::Filter filter = parsed(text);
        QCOMPARE(matching(m_plain, filter, now), expected);
        const auto count = sql::countRows(m_fixture->session(), m_plain, filter, 0, now);
        QVERIFY(count.ok());
        QCOMPARE(count->rows, expected.size());
        QCOMPARE(count->kind, sql::RowCount::Kind::Exact);
        if (filter.terms.size() == 1 && filter.terms.first().field != sql::FilterField::BareWord) {
            // A negation takes all the others: no NULL drops a row silently.
            QCOMPARE(matching(m_plain, parsed(u'-' + text), now), m_fixture->lines(select.arg(where, u"NOT "_s)));
        }
    }

    void refusesWithPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("position");
        QTest::addColumn<int>("length");
        QTest::addColumn<QString>("says");
        QTest::newRow("no uuid") << u"attempts>1 user:abc"_s << 16 << 3 << u"uuid"_s;
        QTest::newRow("second uuid") << u"user:00000000-0000-0000-0000-000000000003,xyz"_s << 42 << 3 << u"uuid"_s;
        QTest::newRow("no such label") << u"status:opem"_s << 7 << 4 << u"open, busy"_s;
        QTest::newRow("role not mapped") << u"claimed<now"_s << 0 << 11 << u"claimed_at"_s;
        QTest::newRow("role not mapped, negated") << u"x -heartbeat:null"_s << 2 << 15 << u"heartbeat_at"_s;
    }
    void refusesWithPlace()
    {
        QFETCH(QString, text);
        sql::PageRequest request;
        request.filter = parsed(text);
        const auto page = sql::readPage(m_fixture->session(), m_plain, request);
        QVERIFY(!page.ok());
        QTEST(page.error().position, "position");
        QTEST(page.error().length, "length");
        QFETCH(QString, says);
        QVERIFY2(page.error().line().contains(says), qPrintable(page.error().line()));
        QVERIFY(!sql::countRows(m_fixture->session(), m_plain, request.filter, 100, {}));
    }

    void serverRefusesAValueAtItsPlace()
    {
        // A type whose texts the console does not know: the server's refusal is led back to the term.
        m_fixture->psql(u"CREATE TABLE torture.nets (id int PRIMARY KEY, key text, owner inet)"_s);
        sql::Profile profile = m_plain.profile;
        profile.relation = u"torture.nets"_s;
        profile.identity = QStringList { u"id"_s };
        profile.scope.clear();
        profile.orders.clear();
        profile.aliases.clear();
        profile.stale.reset();
        sql::Expression owner;
        owner.sql = u"t.owner"_s;
        profile.roles = { { sql::Role::Owner, owner } };
        profile.otherStates = sql::KeyState::Succeeded;
        profile.states.clear();
        const sql::Target target = m_fixture->bind(profile);
        sql::PageRequest request;
        request.filter = parsed(u"key:x owner:not-a-net"_s);
        const auto page = sql::readPage(m_fixture->session(), target, request);
        QVERIFY(!page.ok());
        QCOMPARE(page.error().kind, sql::ErrorKind::InvalidValue);
        QCOMPARE(page.error().position, 12);
        QCOMPARE(page.error().length, 9);
    }

    void payloadsAreSearched_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("found");
        const auto row
            = [](const QString &text, const QStringList &found) { QTest::newRow(qPrintable(text)) << text << found; };
        row(u"amount:10.5"_s, { u"1"_s, u"2"_s, u"3"_s, u"5"_s });
        row(u"amount:\"10,50\""_s, { u"1"_s, u"2"_s, u"3"_s, u"5"_s });
        row(u"amount:1050"_s, { u"3"_s }); // nobody writes 10.50 for it
        row(u"amount:7"_s, { u"6"_s });
        row(u"amount:7,1050"_s, { u"3"_s, u"6"_s });
        row(u"payload:TOK_9"_s, { u"4"_s, u"5"_s }); // in request or response, in any case
        row(u"payload:~tok_9"_s, { u"4"_s, u"5"_s });
        row(u"payload:100%"_s, { u"7"_s });
        row(u"payload:\"' OR true --\""_s, {});
        row(u"payload:null"_s, { u"8"_s });
        row(u"-payload:tok_9"_s, { u"1"_s, u"2"_s, u"3"_s, u"6"_s, u"7"_s, u"8"_s });
    }
    void payloadsAreSearched()
    {
        m_fixture->psql(u"CREATE TABLE IF NOT EXISTS torture.paid (id int PRIMARY KEY, request jsonb, response bytea); "
                        u"TRUNCATE torture.paid; "
                        "INSERT INTO torture.paid VALUES (1, '{\"amount\": 10.5}', NULL), (2, '{\"amount\": "
                        "\"10.50\"}', NULL), (3, '{\"cents\": 1050}', NULL), "
                        "(4, '{\"id\": \"tok_9\", \"n\": 110.5, \"m\": -10.5, \"o\": 10.501, \"p\": 21050}', NULL), "
                        "(5, NULL, '{\"sum\":10.500,\"by\":\"tok_9\"}'), "
                        "(6, '[7.00]', '\\x00ff'), (7, '\"100%\"', NULL), (8, NULL, NULL)"_s);
        const auto target
            = m_fixture->bind("{\"idemdesk_profile\": 1, \"name\": \"paid\", \"title\": \"Paid\", \"kind\": \"inbox\", "
                              "\"relation\": \"torture.paid\", \"identity\": [\"id\"], "
                              "\"scope\": [], \"key\": \"t.id\", \"roles\": {\"request_payload\": \"t.request\", "
                              "\"response_body\": \"t.response\", \"error_code\": \"t.id::text\"}, "
                              "\"states\": {\"*\": \"succeeded\"}, \"guard\": []}");
        QFETCH(QString, text);
        QTEST(matching(target, parsed(text)), "found");
    }

    void amountsThatAreNone()
    {
        for (const char16_t *text :
            { u"", u"-1", u"1e3", u"10.", u".5", u"10 EUR", u"1.000.000", u"12345678901234567", u"(", u"NaN" }) {
            QVERIFY2(sql::amountPattern(QString::fromUtf16(text)).isEmpty(), qPrintable(QString::fromUtf16(text)));
        }
        sql::PageRequest request;
        request.filter = parsed(u"key:a amount:ten"_s);
        const auto page = sql::readPage(m_fixture->session(), m_plain, request);
        QVERIFY(!page.ok());
        QCOMPARE(page.error().kind, sql::ErrorKind::InvalidValue);
        QCOMPARE(page.error().position, 6);
        request.filter = parsed(u"payload:x"_s);
        sql::Profile without = m_plain.profile;
        without.roles.remove(sql::Role::ResponseBody);
        const auto none = sql::readPage(m_fixture->session(), m_fixture->bind(without), request);
        QVERIFY(!none.ok() && none.error().kind == sql::ErrorKind::NotSaid);
    }

    void conflictsNeedTheConsolesSchema()
    {
        sql::PageRequest request;
        request.filter = parsed(u"state:conflict"_s);
        const auto page = sql::readPage(m_fixture->session(), m_plain, request);
        QVERIFY(!page.ok());
        QVERIFY2(page.error().line().contains(u"console"_s), qPrintable(page.error().line()));
    }

    void booleanAndExpressionStatus()
    {
        m_fixture->psql(
            u"CREATE TABLE torture.flags AS SELECT i AS id, 'k' || i AS key, (ARRAY[true, false, NULL])[1 + i % 3] AS "
            u"done, "
            "i::text AS rowno FROM generate_series(1, 9) i; ALTER TABLE torture.flags ADD PRIMARY KEY (id)"_s);
        const auto json = [](const QString &status, const QString &states) {
            return u"{\"idemdesk_profile\": 1, \"name\": \"flags\", \"title\": \"Flags\", \"kind\": \"inbox\", "
                   u"\"relation\": \"torture.flags\", "
                   "\"identity\": [\"id\"], \"scope\": [], \"key\": \"t.key\", \"roles\": {\"status\": \"%1\", "
                   "\"error_code\": \"t.rowno\"}, "
                   "\"states\": %2, \"guard\": []}"_s.arg(status, states)
                       .toUtf8();
        };
        const auto target = m_fixture->bind(
            json(u"t.done"_s, u"{\"true\": \"succeeded\", \"false\": \"pending\", \"null\": \"failed_final\"}"_s));
        QCOMPARE(matching(target, parsed(u"state:succeeded"_s)),
            m_fixture->lines(u"SELECT id FROM torture.flags WHERE done ORDER BY id"_s));
        QCOMPARE(matching(target, parsed(u"state:failed_final"_s)),
            m_fixture->lines(u"SELECT id FROM torture.flags WHERE done IS NULL ORDER BY id"_s));
        QCOMPARE(matching(target, parsed(u"-state:pending"_s)),
            m_fixture->lines(u"SELECT id FROM torture.flags WHERE done IS DISTINCT FROM false ORDER BY id"_s));
        const auto page = sql::readPage(m_fixture->session(), target, {});
        QVERIFY(page.ok());
        QCOMPARE(page->rows.at(0).state, sql::KeyState::Pending); // id 1: false
        QCOMPARE(page->rows.at(1).state, sql::KeyState::FailedFinal);
        QCOMPARE(page->rows.at(2).state, sql::KeyState::Succeeded);
        const auto cased = m_fixture->bind(json(u"CASE WHEN t.done THEN 'yes' ELSE 'no' || t.id END"_s,
            u"{\"yes\": \"succeeded\", \"*\": \"in_progress\"}"_s));
        QCOMPARE(matching(cased, parsed(u"state:in_progress"_s)),
            m_fixture->lines(u"SELECT id FROM torture.flags WHERE done IS NOT TRUE ORDER BY id"_s));
        QCOMPARE(matching(cased, parsed(u"status:no1"_s)), QStringList { u"1"_s });
    }

    void citextComparesWithItsOwnOperator()
    {
        m_fixture->psql(u"CREATE TABLE torture.ci (scope ext.citext NOT NULL, key ext.citext NOT NULL, rowno text, "
                        u"PRIMARY KEY (scope, key)); "
                        "INSERT INTO torture.ci VALUES ('S', 'Ord-1', '1'), ('S', 'ord-2', '2'), ('t', 'x', '3')"_s);
        const auto target = m_fixture->bind(
            "{\"idemdesk_profile\": 1, \"name\": \"ci\", \"title\": \"Ci\", \"kind\": \"inbox\", \"relation\": "
            "\"torture.ci\", "
            "\"identity\": [\"scope\", \"key\"], \"scope\": [{\"label\": \"scope\", \"sql\": \"t.scope\"}], \"key\": "
            "\"t.key\", "
            "\"roles\": {\"error_code\": \"t.rowno\"}, \"states\": {\"*\": \"succeeded\"}, \"guard\": []}");
        QCOMPARE(matching(target, parsed(u"key:ORD-1"_s)), QStringList { u"1"_s });
        QCOMPARE(matching(target, parsed(u"key:ORD-1,ORD-2"_s)), (QStringList { u"1"_s, u"2"_s }));
        QCOMPARE(matching(target, parsed(u"key:ORD*"_s)), (QStringList { u"1"_s, u"2"_s }));
        QCOMPARE(matching(target, parsed(u"scope:s"_s)), (QStringList { u"1"_s, u"2"_s }));
        const auto scopes = sql::readScopes(m_fixture->session(), target, {}, 10, 100);
        QVERIFY2(scopes.ok(), scopes.ok() ? "" : qPrintable(scopes.error().detail));
        QCOMPARE(scopes->scopes.size(), 2);
        QCOMPARE(scopes->scopes.first().states.value(sql::KeyState::Succeeded).rows, 2);
    }

    void keysOfUnknownScope()
    {
        const auto target
            = m_fixture->bind("{\"idemdesk_profile\": 1, \"name\": \"large\", \"title\": \"Large\", \"kind\": "
                              "\"inbox\", \"relation\": \"torture.large\", "
                              "\"identity\": [\"tenant\", \"op\", \"key\"], \"scope\": [{\"label\": \"tenant\", "
                              "\"sql\": \"t.tenant\"}, {\"label\": \"op\", \"sql\": \"t.op\"}], "
                              "\"key\": \"t.key\", \"roles\": {\"status\": \"t.status\", \"created_at\": \"t.made\"}, "
                              "\"states\": {\"done\": \"succeeded\"}, \"guard\": []}");
        const QString key = m_fixture->psql(u"SELECT key FROM torture.large OFFSET 4321 LIMIT 1"_s);
        struct Case {
            QString text;
            QString where;
            bool prefix;
        };
        for (const auto &[text, where, prefix] : { Case { u"key:"_s + key, u"key = '%1'"_s.arg(key), false },
                 Case { key, u"key = '%1'"_s.arg(key), false }, Case { u"key:k12*"_s, u"key LIKE 'k12%'"_s, false },
                 Case { key.left(5), u"key LIKE '%1%'"_s.arg(key.left(5)), true },
                 Case { u"tenant:tenant-3 key:k12*"_s, u"tenant = 'tenant-3' AND key LIKE 'k12%'"_s, false } }) {
            sql::PageRequest request;
            request.filter = parsed(text);
            request.limit = 500;
            const auto page = sql::readPage(m_fixture->session(), target, request);
            QVERIFY2(page.ok(), page.ok() ? "" : qPrintable(page.error().detail));
            QCOMPARE(
                page->rows.size(), m_fixture->psql(u"SELECT count(*) FROM torture.large WHERE "_s + where).toInt());
            QCOMPARE(page->notes.size(), prefix ? 1 : 0);
            const auto count = sql::countRows(m_fixture->session(), target, request.filter, 0, {});
            QVERIFY(count.ok());
            QCOMPARE(count->rows, page->rows.size());
            const auto cost = sql::filterCost(m_fixture->session(), target, request.filter, {});
            QVERIFY(cost.ok());
            QVERIFY2(cost->indexServes && !cost->slow, qPrintable(cost->plan));
            QVERIFY2(cost->plan.contains(u"key = "_s) || cost->plan.contains(u"key >= "_s), qPrintable(cost->plan));
        }
        const auto nothing = sql::readPage(m_fixture->session(), target, { .filter = parsed(u"zzz"_s) });
        QVERIFY(nothing.ok());
        QCOMPARE(nothing->rows.size(), 0);
        const auto full = sql::filterCost(m_fixture->session(), target, parsed(u"status:nope"_s), {});
        QVERIFY(full.ok());
        QVERIFY2(!full->indexServes, qPrintable(full->plan));
    }

    void statusIndexServes()
    {
        m_fixture->psqlStatusTable();
        const auto target = m_fixture->bind(tests::KeysFixture::tortureJson(u"indexed"_s, u"[\"id\"]"_s));
        for (const QString &text : { u"state:in_progress"_s, u"state:stale"_s, u"status:busy"_s,
                 u"updated>=2023-11-14T22:13:20.004Z updated<2023-11-14T22:13:20.006Z"_s }) {
            const auto cost = sql::filterCost(m_fixture->session(), target, parsed(text), u"identity"_s);
            QVERIFY2(cost.ok(), cost.ok() ? "" : qPrintable(cost.error().detail));
            QVERIFY2(cost->plan.contains(u"Index Cond"_s), qPrintable(text + u'\n' + cost->plan));
        }
    }

    void defaultOrderSuitsTheFilter_data()
    {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("sorted");
        const QString byTime = u"created_at DESC NULLS LAST, id DESC"_s;
        QTest::newRow("no filter") << u"plain"_s << u""_s << u"created"_s << byTime;
        QTest::newRow("a time that an index serves")
            << u"plain"_s << u"updated>=2023-11-14T22:13:20.004Z"_s << u"updated_at"_s << u"updated_ms, id"_s;
        QTest::newRow("age is the profile's own order") << u"plain"_s << u"age>2h"_s << u"created"_s << byTime;
        QTest::newRow("a time without an index") << u"plain"_s << u"expires>now"_s << u"created"_s << byTime;
        QTest::newRow("expired without an index") << u"plain"_s << u"state:expired"_s << u"created"_s << byTime;
        QTest::newRow("not before: NULLs match")
            << u"plain"_s << u"-updated<2023-11-14T22:13:20.004Z"_s << u"created"_s << byTime;
        QTest::newRow("no time at all") << u"plain"_s << u"updated:null"_s << u"created"_s << byTime;
        QTest::newRow("stale by two rules") << u"plain"_s << u"state:stale"_s << u"created"_s << byTime;
        QTest::newRow("stale, index on status and lease")
            << u"both"_s << u"state:stale"_s << u"lease_until"_s << u"lease, id"_s;
        QTest::newRow("stale and more") << u"both"_s << u"attempts<5 state:stale"_s << u"lease_until"_s
                                        << u"lease, id"_s;
        QTest::newRow("stale or failed") << u"both"_s << u"state:stale,failed_final"_s << u"identity"_s << u"id"_s;
        QTest::newRow("not stale") << u"both"_s << u"-state:stale"_s << u"identity"_s << u"id"_s;
        QTest::newRow("stale, partial index") << u"part"_s << u"state:stale"_s << u"lease_until"_s << u"lease, id"_s;
        QTest::newRow("stale, another status's partial index")
            << u"other"_s << u"state:stale"_s << u"identity"_s << u"id"_s;
    }
    void defaultOrderSuitsTheFilter()
    {
        QFETCH(QString, table);
        QFETCH(QString, text);
        QFETCH(QString, label);
        QFETCH(QString, sorted);
        QByteArray json = tests::KeysFixture::tortureJson(table, u"[\"id\"]"_s);
        if (table != u"plain") {
            const QString index = table == u"both"
                ? u"(status, lease)"_s
                : u"(lease) WHERE status = '%1'"_s.arg(table == u"part" ? u"busy"_s : u"done"_s);
            m_fixture->psql(
                u"DROP TABLE IF EXISTS torture.%1; CREATE TABLE torture.%1 AS SELECT * FROM torture.make_rows(90); "
                "ALTER TABLE torture.%1 ADD PRIMARY KEY (id); CREATE INDEX ON torture.%1 %2; ANALYZE torture.%1"_s.arg(
                    table, index));
            json.replace(R"(,
             { "states": ["pending"], "by": "t.created_at", "after": "t.patience" })",
                "");
        }
        const auto target = m_fixture->bind(json);
        QCOMPARE(target.profile.stale->size(), table == u"plain" ? 2 : 1);
        const sql::Filter filter = parsed(text);
        QCOMPARE(sql::defaultOrder(target, filter), label);

        // Pages by the default order give the rows of the filter, in that order, whichever way they are read.
        const QString moment = m_fixture->psql(u"SELECT now()"_s);
        const auto now = sql::Timestamp::parse(moment);
        QStringList ids = matching(target, filter, now);
        QVERIFY(!ids.isEmpty());
        for (QString &id : ids) {
            id = u'\'' + id + u'\'';
        }
        const QStringList expected = m_fixture->lines(
            u"SELECT rowno FROM torture.%1 WHERE rowno IN (%2) ORDER BY %3"_s.arg(table, ids.join(u','), sorted));
        for (const bool backward : { false, true }) {
            QStringList seen;
            sql::PageRequest request { .filter = filter, .backward = backward, .limit = 3, .now = now };
            for (bool more = true; more;) {
                const auto page = sql::readPage(m_fixture->session(), target, request);
                QVERIFY2(page.ok(), page.ok() ? "" : qPrintable(page.error().detail));
                QCOMPARE(page->order, label);
                QVERIFY(!page->rows.isEmpty());
                QStringList numbers;
                for (const auto &record : page->rows) {
                    numbers += record.role(sql::Role::ErrorCode).text;
                }
                seen = backward ? numbers + seen : seen + numbers;
                const auto &edge = backward ? page->rows.first() : page->rows.last();
                request.from = { edge.orderValue, edge.identity };
                more = page->more;
            }
            QCOMPARE(seen, expected);
        }
    }

    void countsAreCapped()
    {
        const auto capped = sql::countRows(m_fixture->session(), m_plain, {}, 10, {});
        QVERIFY(capped.ok());
        QCOMPARE(capped->kind, sql::RowCount::Kind::AtLeast);
        QCOMPARE(capped->rows, 10);
        const auto exact = sql::countRows(m_fixture->session(), m_plain, {}, 45, {});
        QCOMPARE(exact->kind, sql::RowCount::Kind::Exact);
        QCOMPARE(exact->rows, 45);
    }
};

QTEST_GUILESS_MAIN(KeysFilterTest)
#include "tst_keys_filter.moc"
