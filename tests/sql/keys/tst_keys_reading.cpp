// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_parser.h"
#include "sql/keys/key_json.h"
#include "tests/sql/keys/keys_fixture.h"

#include <QBuffer>
#include <QJsonDocument>
#include <QJsonObject>

using namespace idemdesk;
using namespace Qt::StringLiterals;
using sql::KeyState;
using sql::Role;
using sql::RowCount;

class KeysReadingTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<tests::KeysFixture> m_fixture;
    sql::Target m_plain;

    sql::Session &session() { return m_fixture->session(); }

    static QByteArray small(const QString &relation, const QString &rest)
    {
        return u"{\"idemdesk_profile\": 1, \"name\": \"small\", \"title\": \"Small\", \"kind\": \"request\", \"relation\": \"%1\", \"guard\": [], %2}"_s
            .arg(relation, rest)
            .toUtf8();
    }

    QByteArray exported(
        const sql::Target &target, const sql::Filter &filter, const QString &order, sql::ExportFormat format)
    {
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        const auto done = sql::exportRows(session(), target, filter, order, format, buffer, nullptr);
        return done ? buffer.data() : (u"ERROR "_s + done.error().line() + done.error().detail).toUtf8();
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<tests::KeysFixture>();
        m_plain = m_fixture->torture(u"plain"_s, u"[\"id\"]"_s);
        for (const char *seed : { "000", "001", "002", "003" }) {
            m_fixture->cluster().psqlFile(u"postgres"_s, u"sql/demo/schema_%1.sql"_s.arg(QLatin1String(seed)));
        }
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void everyShippedProfileReads_data()
    {
        QTest::addColumn<QString>("name");
        for (const sql::Profile &profile : sql::shippedProfiles()) {
            QTest::newRow(qPrintable(profile.name)) << profile.name;
        }
    }
    void everyShippedProfileReads()
    {
        QFETCH(QString, name);
        const auto target = m_fixture->bind(*sql::shippedProfile(name));
        for (const auto &choice : sql::orderChoices(target)) {
            const auto page = sql::readPage(session(), target, { .order = choice.label });
            QVERIFY2(page.ok(), page.ok() ? "" : qPrintable(page.error().detail));
        }
        const auto scopes = sql::readScopes(session(), target, {}, 10, 100);
        QVERIFY2(scopes.ok(), scopes.ok() ? "" : qPrintable(scopes.error().detail));
        const auto summary = sql::readSummary(session(), target, 100);
        QVERIFY2(summary.ok(), summary.ok() ? "" : qPrintable(summary.error().detail));
        QVERIFY(exported(target, {}, {}, sql::ExportFormat::Csv)
                    .startsWith(target.profile.scope.isEmpty() ? "key" : target.profile.scope.first().label.toUtf8()));
        QCOMPARE(exported(target, {}, {}, sql::ExportFormat::JsonLines), QByteArray());
    }

    void rowsAreWhole()
    {
        const auto page = sql::readPage(session(), m_plain, { .order = u"identity"_s });
        QVERIFY(page.ok());
        QCOMPARE(page->rows.at(0).key.text, u""_s);
        QVERIFY(!page->rows.at(0).key.null);
        QCOMPARE(page->rows.at(1).key.text.size(), 5 * 2048);
        QCOMPARE(page->rows.at(2).key.text, u"line\nfeed\u202E<img src=x>"_s);
        const auto &third = page->rows.at(2); // error message of 400 characters
        QCOMPARE(third.role(Role::ErrorMessage).text.size(), 300);
        QCOMPARE(third.role(Role::ErrorMessage).fullBytes, 400);
        QVERIFY(!third.roles.contains(Role::ResponseBody));
        QCOMPARE(page->rows.at(3).role(Role::ErrorMessage).null, true);
        for (const auto &record : page->rows) {
            const QString number = record.role(Role::ErrorCode).text;
            const QStringList facts
                = m_fixture
                      ->lines(u"SELECT coalesce(status = 'busy' AND lease < now() AT TIME ZONE 'UTC' OR status = "
                              u"'open' AND created_at + patience < now(), false), "
                              "coalesce(expires_at < now(), false), to_char(to_timestamp(updated_ms / 1000.0) AT TIME "
                              "ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') "
                              "FROM torture.plain WHERE rowno = '%1'"_s.arg(number))
                      .first()
                      .split(u'|');
            QCOMPARE(record.stale, std::optional<bool>(facts.at(0) == u"t"));
            QCOMPARE(record.expired, std::optional<bool>(facts.at(1) == u"t"));
            QCOMPARE(record.time(Role::UpdatedAt) ? record.time(Role::UpdatedAt)->toRfc3339() : QString(), facts.at(2));
        }
    }

    void detailShowsEverything()
    {
        m_fixture->psql(
            u"UPDATE torture.plain SET body = jsonb_build_object('big', repeat('y', 5000000), 'n', 123456789012345678901234567890.10) WHERE id = 20"_s);
        const auto detail = sql::readDetail(session(), m_plain, { sql::Cell::of(u"20"_s) }, 1000);
        QVERIFY2(detail.ok(), detail.ok() ? "" : qPrintable(detail.error().detail));
        QCOMPARE(detail->columns.size(), m_plain.relation.columns.size());
        const auto body = std::find_if(
            detail->columns.cbegin(), detail->columns.cend(), [](const auto &one) { return one.name == u"body"; });
        QCOMPARE(body->value.text.size(), 1000);
        QVERIFY(body->value.fullBytes > 5'000'000);
        QVERIFY(detail->record.role(Role::ResponseBody).partial());
        QBuffer whole;
        whole.open(QIODevice::WriteOnly);
        const auto saved = sql::saveColumn(session(), m_plain, { sql::Cell::of(u"20"_s) }, u"body"_s, whole);
        QVERIFY(saved.ok());
        QCOMPARE(*saved, body->value.fullBytes);
        QCOMPARE(QString::fromUtf8(whole.data()), m_fixture->psql(u"SELECT body FROM torture.plain WHERE id = 20"_s));
        QVERIFY(whole.data().contains("123456789012345678901234567890.10"));
        QVERIFY(!sql::saveColumn(session(), m_plain, { sql::Cell::of(u"20"_s) }, u"nope"_s, whole));
        const auto gone = sql::readDetail(session(), m_plain, { sql::Cell::of(u"999"_s) }, 1000);
        QVERIFY(!gone.ok());
        QCOMPARE(gone.error().kind, sql::ErrorKind::MissingObject);
    }

    void effectsAreEvidence()
    {
        m_fixture->psql(
            u"CREATE TABLE torture.effects (key text, at timestamptz); "
            "INSERT INTO torture.effects VALUES ('ord-0005', '2026-11-01 12:00:00.5Z'), ('ord-0005', 'infinity')"_s);
        sql::Profile profile = m_plain.profile;
        profile.effects
            = { { u"order"_s, true,
                    u"SELECT e.key AS id, e.at, 'made' AS state FROM torture.effects e WHERE e.key = t.key"_s },
                  { u"broken"_s, true,
                      u"SELECT (1 / (t.id - t.id))::text AS id, NULL::timestamptz AS at, NULL::text AS state"_s },
                  { u"gone"_s, false, u"SELECT x.id FROM torture.no_such_table x"_s } };
        sql::Target target = m_plain;
        target.profile = profile;
        const auto detail = sql::readDetail(session(), target, { sql::Cell::of(u"50"_s) }, 1000);
        QVERIFY(detail.ok());
        QCOMPARE(detail->effects.size(), 3);
        QCOMPARE(detail->effects.at(0).rows.size(), 2);
        QCOMPARE(detail->effects.at(0).rows.at(0).id.text, u"ord-0005"_s);
        QCOMPARE(detail->effects.at(0).rows.at(0).at.text, u"2026-11-01T12:00:00.500000Z"_s);
        QVERIFY(detail->effects.at(0).rows.at(0).proves);
        QVERIFY(!detail->effects.at(1).error.isEmpty());
        QVERIFY(detail->effects.at(2).error.contains(u"no_such_table"_s));
    }

    void oneIntentInSeveralRows()
    {
        m_fixture->psql(
            u"SELECT seed002.ensure_daily_partitions(current_date - 2, current_date); "
            "INSERT INTO seed002.idempotency_keys_partitioned (idempotency_key, status, user_id, created_at) "
            "SELECT 'same', 'started', '00000000-0000-0000-0000-000000000001', now() - d * interval '1 day' FROM generate_series(0, 1) d"_s);
        const auto target = m_fixture->bind(*sql::shippedProfile(u"started-key-partitioned"_s));
        const auto found = sql::rowsWithKey(
            session(), target, u"same"_s, { { u"user"_s, u"00000000-0000-0000-0000-000000000001"_s } });
        QVERIFY2(found.ok(), found.ok() ? "" : qPrintable(found.error().detail));
        QCOMPARE(found->size(), 2);
        const auto detail = sql::readDetail(session(), target, found->first().identity, 100);
        QVERIFY(detail.ok());
        QCOMPARE(detail->rowsOfIntent, 2);
        QVERIFY(
            sql::rowsWithKey(session(), target, u"same"_s, { { u"user"_s, u"00000000-0000-0000-0000-000000000002"_s } })
                ->isEmpty());
        QVERIFY(!sql::rowsWithKey(session(), target, u"same"_s, { { u"user"_s, u"no uuid"_s } }));
    }

    void brokenCellsDoNotTakeThePageDown()
    {
        m_fixture->psql(
            u"CREATE TABLE torture.texts (id int PRIMARY KEY, key text, doc text, made text); "
            "INSERT INTO torture.texts SELECT i, 'k' || i, '{\"state\": \"done\"}', '2026-11-01T00:00:00Z' FROM "
            "generate_series(1, 300) i; "
            "UPDATE torture.texts SET doc = 'not json' WHERE id IN (7, 150); UPDATE torture.texts SET made = 'yesterday-ish' WHERE id = 8"_s);
        const auto target = m_fixture->bind(small(u"torture.texts"_s,
            u"\"identity\": [\"id\"], \"scope\": [], \"key\": \"t.key\", \"roles\": {\"status\": "
            u"\"(t.doc::json)->>'state'\", "
            "\"created_at\": {\"column\": \"made\", \"as\": \"iso\"}}, \"states\": {\"done\": \"in_progress\"}, "
            "\"stale\": [{\"states\": [\"in_progress\"], \"by\": {\"column\": \"made\", \"as\": \"iso\"}, \"after\": \"1h\"}]"_s));
        for (const bool asked : { false, true }) {
            const auto page = sql::readPage(session(), target, { .order = u"identity"_s, .salvage = asked });
            QVERIFY2(page.ok(), page.ok() ? "" : qPrintable(page.error().detail));
            QCOMPARE(page->rows.size(), 200);
            QVERIFY(page->more);
            int bad = 0;
            for (const auto &record : page->rows) {
                const QString id = record.identity.first().text;
                const bool brokenStatus = id == u"7" || id == u"150";
                QCOMPARE(record.role(Role::Status).failed(), brokenStatus);
                // A row on which any expression fails is unknown, whatever its status says.
                QCOMPARE(record.state, brokenStatus || id == u"8" ? KeyState::Unknown : KeyState::InProgress);
                QCOMPARE(record.role(Role::CreatedAt).failed(), id == u"8");
                QCOMPARE(record.stale.has_value(), !(brokenStatus || id == u"8"));
                bad += record.role(Role::Status).failed() || record.role(Role::CreatedAt).failed();
            }
            QCOMPARE(bad, 3);
            QCOMPARE(page->notes.size(), 1);
        }
        const auto detail = sql::readDetail(session(), target, { sql::Cell::of(u"7"_s) }, 100);
        QVERIFY2(detail.ok(), detail.ok() ? "" : qPrintable(detail.error().detail));
        QVERIFY(detail->record.role(Role::Status).failed());
        QCOMPARE(detail->columns.at(2).value.text, u"not json"_s);
    }

    void rowSecurityIsSaid()
    {
        m_fixture->psql(
            u"CREATE ROLE clerk LOGIN; CREATE TABLE torture.guarded (id int PRIMARY KEY, key text); "
            "INSERT INTO torture.guarded SELECT i, 'k' || i FROM generate_series(1, 10) i; ALTER TABLE torture.guarded "
            "ENABLE ROW LEVEL SECURITY; "
            "CREATE POLICY p ON torture.guarded USING (id <= 3); GRANT USAGE ON SCHEMA torture TO clerk; GRANT SELECT ON torture.guarded TO clerk"_s);
        const auto profile = sql::profileFromJson(
            small(u"torture.guarded"_s,
                u"\"identity\": [\"id\"], \"scope\": [], \"key\": \"t.key\", \"roles\": {}, \"states\": {\"*\": \"succeeded\"}"_s),
            u"x"_s);
        QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().line()));
        const auto clerk = m_fixture->open(m_fixture->cluster().conninfoAs(u"clerk"_s));
        const auto target = m_fixture->bind(*clerk, *profile);
        const auto page = sql::readPage(*clerk, target, {});
        QVERIFY(page.ok());
        QCOMPARE(page->rows.size(), 3);
        QVERIFY(page->notes.join(u' ').contains(u"part of the rows"_s));
        QCOMPARE(page->rows.first().state, KeyState::Succeeded);
        QVERIFY(!page->rows.first().stale && !page->rows.first().expired);
    }

    void viewWithGroupBy()
    {
        m_fixture->psql(
            u"CREATE VIEW torture.grouped AS SELECT owner AS key, count(*) AS attempts, max(created_at) AS made FROM torture.plain GROUP BY owner"_s);
        const auto target = m_fixture->bind(small(u"torture.grouped"_s,
            u"\"identity\": [\"key\"], \"scope\": [], \"key\": \"t.key\", \"roles\": {\"attempts\": \"t.attempts\", \"created_at\": \"t.made\"}, \"states\": {\"*\": \"succeeded\"}"_s));
        QStringList keys;
        sql::PageRequest request { .limit = 2 };
        for (bool more = true; more;) {
            const auto page = sql::readPage(session(), target, request);
            QVERIFY2(page.ok(), page.ok() ? "" : qPrintable(page.error().detail));
            for (const auto &record : page->rows) {
                keys += record.key.null ? u"NULL"_s : record.key.text;
            }
            more = page->more;
            request.from = { page->rows.last().orderValue, page->rows.last().identity };
        }
        QCOMPARE(keys.size(), 5);
        QCOMPARE(QSet<QString>(keys.cbegin(), keys.cend()).size(), 5);
    }

    void scopesPageWithNulls()
    {
        QStringList seen;
        qint64 rows = 0;
        sql::Cells after;
        for (bool more = true; more;) {
            const auto page = sql::readScopes(session(), m_plain, after, 2, 1000);
            QVERIFY2(page.ok(), page.ok() ? "" : qPrintable(page.error().detail));
            for (const auto &counts : page->scopes) {
                seen += (counts.scope.at(0).null ? u"NULL"_s : counts.scope.at(0).text) + u'|'
                    + (counts.scope.at(1).null ? u"NULL"_s : counts.scope.at(1).text);
                for (const RowCount &count : counts.states) {
                    QCOMPARE(count.kind, RowCount::Kind::Exact);
                    rows += count.rows;
                }
            }
            more = page->more;
            after = page->next;
        }
        QCOMPARE(rows, 45);
        QCOMPARE(seen,
            m_fixture
                ->lines(u"SELECT DISTINCT coalesce(tenant, 'NULL') || '|' || coalesce(user_id::text, 'NULL'), tenant, "
                        u"user_id FROM torture.plain "
                        "ORDER BY tenant, user_id"_s)
                .replaceInStrings(QRegularExpression(u"^([^|]*\\|[^|]*)\\|.*$"_s), u"\\1"_s));
    }

    void countsOfLargeTablesAreBounded()
    {
        m_fixture->psqlStatusTable();
        m_fixture->psql(
            u"INSERT INTO torture.indexed SELECT * FROM torture.make_rows(120000) r WHERE r.id > 200000; "
            "UPDATE torture.indexed SET tenant = coalesce(tenant, ''), status = CASE WHEN id > 2000 THEN 'done' ELSE "
            "status END; "
            "ALTER TABLE torture.indexed ALTER tenant SET NOT NULL; CREATE INDEX ON torture.indexed (tenant); VACUUM ANALYZE torture.indexed"_s);
        QByteArray json = tests::KeysFixture::tortureJson(u"indexed"_s, u"[\"id\"]"_s);
        json.replace(", { \"label\": \"user\", \"sql\": \"t.user_id\" }", "");
        const auto target = m_fixture->bind(json);
        QVERIFY(target.relation.estimatedRows > 50'000);
        const auto page = sql::readScopes(session(), target, {}, 20, 1'000);
        QVERIFY2(page.ok(), page.ok() ? "" : qPrintable(page.error().detail));
        QCOMPARE(page->scopes.size(), 4);
        for (const auto &counts : page->scopes) {
            const QString tenant = counts.scope.first().text;
            QCOMPARE(counts.states.value(KeyState::Succeeded).kind, RowCount::Kind::AtLeast);
            const auto busy = counts.states.value(KeyState::InProgress);
            QCOMPARE(busy.kind, RowCount::Kind::Exact);
            QCOMPARE(busy.rows,
                m_fixture
                    ->psql(
                        u"SELECT count(*) FROM torture.indexed WHERE status = 'busy' AND tenant = '%1'"_s.arg(tenant))
                    .toLongLong());
        }
        const auto summary = sql::readSummary(session(), target, 1'000);
        QVERIFY(summary.ok());
        QCOMPARE(summary->rows.kind, RowCount::Kind::Estimated);
        QVERIFY(summary->states.value(KeyState::Succeeded).rows > 100'000);
        QCOMPARE(summary->states.value(KeyState::Succeeded).kind, RowCount::Kind::Estimated);
        QCOMPARE(summary->states.value(KeyState::InProgress).kind, RowCount::Kind::Exact);
        QVERIFY(summary->bytes > 0);
        const auto exact = sql::readSummary(session(), m_plain, 1'000);
        QVERIFY(exact.ok());
        QCOMPARE(exact->rows.rows, 45);
        QCOMPARE(exact->stale.rows,
            m_fixture
                ->psql(u"SELECT count(*) FROM torture.plain WHERE status = 'busy' AND lease < now() AT TIME ZONE 'UTC' "
                       "OR status = 'open' AND created_at + patience < now()"_s)
                .toLongLong());
        QVERIFY(exact->oldestStale);
    }

    void suggestions_data()
    {
        QTest::addColumn<int>("field");
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("prefix");
        QTest::addColumn<QStringList>("expected");
        using sql::FilterField;
        QTest::newRow("enum") << int(FilterField::Status) << QString() << u"o"_s << QStringList { u"open"_s, u"odd"_s };
        QTest::newRow("scope part") << int(FilterField::Scope) << u"tenant"_s << u"TEN"_s
                                    << QStringList { u"tenant-0"_s, u"tenant-1"_s, u"tenant-2"_s };
        QTest::newRow("key") << int(FilterField::Key) << QString() << u"ord-004"_s
                             << QStringList { u"ord-0040"_s, u"ord-0041"_s, u"ord-0042"_s, u"ord-0043"_s, u"ord-0044"_s,
                                    u"ord-0045"_s };
        QTest::newRow("hostile") << int(FilterField::Owner) << QString() << u"' OR 1=1 --"_s << QStringList {};
        QTest::newRow("nothing to suggest") << int(FilterField::Age) << QString() << QString() << QStringList {};
    }
    void suggestions()
    {
        QFETCH(int, field);
        QFETCH(QString, label);
        QFETCH(QString, prefix);
        const auto values
            = sql::suggestValues(session(), m_plain, static_cast<sql::FilterField>(field), label, prefix, 10);
        QVERIFY2(values.ok(), values.ok() ? "" : qPrintable(values.error().detail));
        QStringList sorted = *values;
        QFETCH(QStringList, expected);
        sorted.sort();
        expected.sort();
        QCOMPARE(sorted, expected);
    }

    void exportsCsv()
    {
        m_fixture->psql(u"CREATE TABLE torture.sheet (id int PRIMARY KEY, key text, n numeric, made timestamptz, owner "
                        u"text, note text); "
                        "INSERT INTO torture.sheet VALUES (1, '=HYPERLINK(\"http://x\")', -5.10, '2026-11-01 "
                        "12:00:00.25Z', NULL, ''), "
                        "(2, E'a,\"b\"\\nc', NULL, 'infinity', '@x', '-1'), (3, E'\\tt', 7, NULL, '+1', 'plain')"_s);
        const auto target = m_fixture->bind(small(u"torture.sheet"_s,
            u"\"identity\": [\"id\"], \"scope\": [], \"key\": \"t.key\", \"roles\": {\"attempts\": \"t.n\", "
            u"\"created_at\": \"t.made\", \"owner\": \"t.owner\", "
            "\"error_message\": \"t.note\"}, \"states\": {\"*\": \"succeeded\"}"_s));
        QCOMPARE(exported(target, {}, u"identity"_s, sql::ExportFormat::Csv),
            QByteArray("key,state,attempts,owner,created_at,error_message\r\n"
                       "\"'=HYPERLINK(\"\"http://x\"\")\",succeeded,-5.10,,2026-11-01T12:00:00.250000Z,\"\"\r\n"
                       "\"a,\"\"b\"\"\nc\",succeeded,,'@x,infinity,'-1\r\n"
                       "'\tt,succeeded,7,'+1,,plain\r\n"));
    }

    void exportsJsonLines()
    {
        const QByteArray lines = exported(m_plain, {}, u"created"_s, sql::ExportFormat::JsonLines);
        const QList<QByteArray> all = lines.split('\n');
        QCOMPARE(all.size(), 46);
        QVERIFY(all.last().isEmpty());
        QStringList numbers;
        for (const QByteArray &line : all.mid(0, 45)) {
            QJsonParseError error;
            const QJsonObject object = QJsonDocument::fromJson(line, &error).object();
            QVERIFY2(error.error == QJsonParseError::NoError, line.constData());
            QCOMPARE(object.value(u"scope"_s).toObject().keys(), (QStringList { u"tenant"_s, u"user"_s }));
            for (const char *name : { "key", "state", "status", "stale", "expired", "attempts", "response_body" }) {
                QVERIFY2(object.contains(QLatin1String(name)), name);
            }
            numbers += object.value(u"error_code"_s).toString();
        }
        QCOMPARE(numbers,
            m_fixture->lines(u"SELECT rowno FROM torture.plain ORDER BY created_at DESC NULLS LAST, id DESC"_s));
        QVERIFY2(lines.contains("\"n\": 1.00"), "numbers of payloads keep their text");
    }

    void exportStops()
    {
        m_fixture->psql(
            u"CREATE TABLE IF NOT EXISTS torture.many AS SELECT * FROM torture.make_rows(30000); ALTER TABLE torture.many ADD PRIMARY KEY (id)"_s);
        const auto target = m_fixture->torture(u"many"_s, u"[\"id\"]"_s);
        for (const auto format : { sql::ExportFormat::Csv, sql::ExportFormat::JsonLines }) {
            QBuffer buffer;
            buffer.open(QIODevice::WriteOnly);
            std::atomic_bool cancel = true;
            session().setCancelFlag(&cancel);
            const auto done = sql::exportRows(session(), target, {}, u"identity"_s, format, buffer, nullptr);
            session().setCancelFlag(nullptr);
            QVERIFY(!done.ok());
            QCOMPARE(done.error().kind, sql::ErrorKind::Cancelled);
            QVERIFY(buffer.size() < 1'000'000);
            QBuffer closed; // not open: every write fails
            const auto refused = sql::exportRows(
                session(), target, {}, u"identity"_s, format, closed, [](const sql::ExportProgress &) { return true; });
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().kind, sql::ErrorKind::File);
            QBuffer all;
            all.open(QIODevice::WriteOnly);
            qint64 told = 0;
            const auto whole = sql::exportRows(
                session(), target, {}, u"created"_s, format, all, [&](const sql::ExportProgress &progress) {
                    told = progress.rows;
                    return true;
                });
            QVERIFY2(whole.ok(), whole.ok() ? "" : qPrintable(whole.error().line() + whole.error().detail));
            QCOMPARE(whole->rows, 30'000);
            QCOMPARE(told, 30'000);
            QCOMPARE(whole->bytes, all.data().size());
        }
        const auto wrong = sql::exportRows(
            session(), target, {}, u"nope"_s, sql::ExportFormat::Csv, *std::make_unique<QBuffer>(), nullptr);
        QVERIFY(!wrong.ok());
        QVERIFY(sql::readPage(session(), target, {}).ok());
    }

    void jsonOfOneKey()
    {
        sql::KeyRecord record;
        record.key = sql::Cell::of(u"a\u0001\"<"_s);
        record.scope = { sql::Cell::of(u"x"_s), {} };
        record.identity = { sql::Cell::of(u"1"_s) };
        record.roles.insert(Role::Attempts, sql::Cell::of(u"3"_s));
        record.roles.insert(Role::CreatedAt, sql::Cell::of(u"2026-11-20 12:34:56.5+00"_s));
        sql::Cell body = sql::Cell::of(u"{\"a\": 1.10,\n \"a\": 2}"_s);
        record.roles.insert(Role::ResponseBody, body);
        sql::Cell bad;
        bad.error = u"division by zero"_s;
        record.roles.insert(Role::Owner, bad);
        record.fields = { sql::Cell::of(u"12.50"_s), sql::Cell::of(u"2026-11-20 12:34:56.5+00"_s), {} };
        QCOMPARE(sql::keyToJson(m_plain, record),
            QByteArray("{\"scope\":{\"tenant\":\"x\",\"user\":null},\"key\":\"a\\u0001\\\"<\",\"identity\":{\"id\":"
                       "\"1\"},\"state\":\"unknown\","
                       "\"status\":null,\"stale\":null,\"expired\":null,"
                       "\"attempts\":3,\"owner\":{\"error\":\"division by "
                       "zero\"},\"created_at\":\"2026-11-20T12:34:56.500000Z\","
                       "\"response_body\":{\"a\": 1.10,  \"a\": 2},\"fields\":{\"worth\":12.50,"
                       "\"begun\":\"2026-11-20T12:34:56.500000Z\",\"shouted\":null}}"));
        body.fullBytes = 99999;
        record.roles = { { Role::ResponseBody, body } };
        QVERIFY(sql::keyToJson(m_plain, record).contains("\"response_body\":\"{\\\"a\\\": 1.10"));
    }
};

QTEST_GUILESS_MAIN(KeysReadingTest)
#include "tst_keys_reading.moc"
