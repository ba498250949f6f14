// SPDX-License-Identifier: GPL-3.0-or-later
// A profile holds expressions, and the server's own parser says what one is: no text reaches beyond its place.
#include "sql/profile/binder.h"
#include "sql/profile/expression_judge.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using namespace idemdesk::tests;

namespace {

const QByteArray kPlainProfile = R"json({
    "idemdesk_profile": 1, "name": "k", "title": "K", "kind": "request", "relation": "app.k",
            "identity": ["id"], "scope": [], "key": "t.key",
    "roles": { "status": "t.status", "owner": "t.owner", "created_at": "t.at" }, "states": { "open": "pending",
            "shut": "succeeded" }, "stale": null,
    "guard": ["status"], "actions": { "recover": [{ "from": ["pending"], "to": "succeeded",
            "set": { "status": "'shut'" } }], "requeue": [] },
    "purge": null, "orders": [], "aliases": [],
    "effects": [{ "type": "e", "proves": true,
            "sql": "SELECT k.key AS id, k.at AS at, k.status AS state FROM app.k k WHERE k.id = t.id" }],
            "policies": [] })json";

} // namespace

class AttacksExpressionsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void hostileTexts_data();
    void hostileTexts();
    void honestTexts_data();
    void honestTexts();
    void queries_data();
    void queries();
    void judgingNeedsNoRightAndDoesNothing();
    void bindingLeavesNothingBehind_data();
    void bindingLeavesNothingBehind();

private:
    std::unique_ptr<Session> open(const QString &user) const
    {
        ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfoAs(user);
        auto session = Session::open(settings, {});
        return session.ok() ? std::move(*session) : nullptr;
    }
    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;
    Profile m_profile;
};

void AttacksExpressionsTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->psql(u"postgres"_s,
        u"CREATE SCHEMA app; CREATE TABLE app.k (id int PRIMARY KEY, key text NOT NULL, status text, owner text, at "
        u"timestamptz); "
        "INSERT INTO app.k VALUES (1, 'a', 'open', 'me', now()); CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA app "
        "TO reader; "
        "GRANT SELECT ON app.k TO reader; CREATE ROLE nobody_at_all LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC; "
        "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC; "
        "CREATE FUNCTION app.writes() RETURNS boolean LANGUAGE sql SECURITY DEFINER AS $$ INSERT INTO app.k VALUES "
        "(99, 'z') RETURNING true $$; "
        "CREATE FUNCTION app.leaves(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN "
        "PERFORM set_config('app.left', 'behind', false); PERFORM lo_create(0); RETURN $1; EXCEPTION WHEN "
        "read_only_sql_transaction THEN RETURN $1; END $$; "
        "CREATE FUNCTION app.erase() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM app.k RETURNING key'; "
        "CREATE FUNCTION app.erases(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN app.erase(); END "
        "$$; "
        "CREATE DOMAIN app.trap AS text CHECK (app.writes())"_s);
    m_session = open(u"reader"_s);
    QVERIFY(m_session != nullptr);
    const auto profile = profileFromJson(kPlainProfile, u"k.json"_s);
    QVERIFY2(profile.ok(), qPrintable(profile.ok() ? QString() : profile.error().line() + profile.error().where));
    m_profile = *profile;
}

void AttacksExpressionsTest::hostileTexts_data()
{
    QTest::addColumn<QString>("text");
    // One thing for whoever takes the second constant for one without escapes, another for PostgreSQL.
    QTest::newRow("a continued constant") << u"E'a'\n'\\'' || (SELECT 1) || ' '"_s;
    QTest::newRow("a continued constant that swallows what follows") << u"E'a'\n'\\'' || '"_s;
    QTest::newRow("a continued constant that reaches out") << u"E'a'\n'\\') FROM app.k AS t; --'"_s;
    QTest::newRow("a continued constant with the clock in it") << u"E'a'\n'\\' || $now || '"_s;
    QTest::newRow("continued behind a comment") << u"E'a' -- b\n'\\'' || ' '"_s;
    QTest::newRow("continued behind a carriage return") << u"E'a'\r'\\'' || ' '"_s;
    QTest::newRow("continued plain constant") << u"'a'\n'b'"_s;
    QTest::newRow("closes and opens") << u"1) + (2"_s;
    QTest::newRow("closes, and more columns") << u"t.owner) , (t.key"_s;
    QTest::newRow("a list") << u"t.owner, t.key"_s;
    QTest::newRow("an alias") << u"t.owner AS x"_s;
    QTest::newRow("a FROM") << u"1 FROM app.k"_s;
    QTest::newRow("a query without parentheses") << u"SELECT 1"_s;
    QTest::newRow("a second statement") << u"1; DROP TABLE app.k"_s;
    QTest::newRow("a semicolon") << u"t.owner;"_s;
    QTest::newRow("a comment to the end") << u"t.owner --"_s;
    QTest::newRow("an open comment") << u"t.owner /* "_s;
    QTest::newRow("a nested comment left open") << u"t.owner /* /* */"_s;
    QTest::newRow("an open text") << u"'abc"_s;
    QTest::newRow("an open dollar text") << u"$a$ abc $b$"_s;
    QTest::newRow("a number and a dollar text") << u"1$$ ' $$"_s;
    QTest::newRow("a parameter") << u"$1"_s;
    QTest::newRow("an argument by name") << u"a => 1"_s;
    QTest::newRow("a WHERE") << u"t.owner WHERE true"_s;
    QTest::newRow("DISTINCT") << u"DISTINCT t.owner"_s;
    QTest::newRow("a star") << u"*"_s;
    QTest::newRow("an escape that is none") << u"E'\\uD800'"_s;
    QTest::newRow("nothing but a comment") << u"/* */"_s;
}

void AttacksExpressionsTest::hostileTexts()
{
    QFETCH(QString, text);
    const QString rendered = renderVariables(renderNow(text, u"pg_catalog.now()"_s), {});
    const auto wrong = judgeSql(*m_session, rendered);
    QVERIFY2(wrong.ok(), qPrintable(wrong.ok() ? QString() : wrong.error().line()));
    QVERIFY2(!wrong->isEmpty(), qPrintable(rendered));
    // In a profile that was put together by other hands than the reader's.
    Profile profile = m_profile;
    profile.roles[Role::Owner].sql = text;
    profile.roles[Role::Owner].column.clear();
    const auto bound = bindTarget(*m_session, profile);
    QVERIFY2(bound.ok(), qPrintable(bound.ok() ? QString() : bound.error().line()));
    QVERIFY(!bound->profile.has(Role::Owner));
    profile = m_profile;
    profile.recover[0].set = { { u"status"_s, text } };
    const auto ruled = bindTarget(*m_session, profile);
    QVERIFY(ruled.ok());
    const auto named = [](const Finding &finding) {
        return finding.severity == Finding::Severity::Problem && finding.jsonPath == u"$.actions.recover[0].set.status";
    };
    QVERIFY(std::any_of(ruled->findings.cbegin(), ruled->findings.cend(), named)); // registration refuses it
    profile = m_profile;
    profile.key.sql = text;
    profile.key.column.clear();
    QVERIFY(!bindTarget(*m_session, profile).ok());
}

void AttacksExpressionsTest::honestTexts_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : { "t.owner", "t.\"Owner\"", "CASE WHEN t.at IS NULL THEN 'open' ELSE 'done' END",
             "(SELECT max(o.key) FROM app.k o WHERE o.id = t.id)", "lower(t.owner) || ' it''s'",
             "E'a\\'b' || $now::text", "$a$ ' \" -- $a$", "t.owner /* why /* not */ */", "t.owner -- why not\n",
             "t.at + interval '1 day'", "ARRAY[1, 2]", "(t.x).y", "- 5", "EXTRACT(epoch FROM t.at)",
             "t.at AT TIME ZONE 'UTC'", "'2026-01-01'::timestamptz < $now", "t.owner COLLATE \"C\"", "t.a IN (1, 2)",
             "t.owner LIKE 'a%' ESCAPE '\\'", "U&'d\\0061t'", "'a' || \n 'b'", "t.j ->> 'a'",
             "COALESCE(t.owner, 'x')" }) {
        QTest::newRow(text) << QString::fromUtf8(text);
    }
}

void AttacksExpressionsTest::honestTexts()
{
    QFETCH(QString, text);
    for (int i = 0; i < 2; ++i) { // asked, and remembered
        const auto wrong = judgeSql(*m_session, renderNow(text, u"pg_catalog.now()"_s));
        QVERIFY2(wrong.ok() && wrong->isEmpty(),
            qPrintable(wrong.ok() ? *wrong : wrong.error().line() + wrong.error().detail));
    }
}

void AttacksExpressionsTest::queries_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");
    QTest::newRow("a query") << u"SELECT k.key AS id, k.at, k.status AS state FROM app.k k WHERE k.id = t.id"_s << true;
    QTest::newRow("with a WITH") << u"WITH x AS (SELECT 1 AS id) SELECT id FROM x"_s << true;
    QTest::newRow("UNION") << u"SELECT 1 UNION ALL SELECT 2"_s << true;
    QTest::newRow("ordered") << u"SELECT 1 AS id ORDER BY 1 LIMIT 1"_s << true;
    QTest::newRow("closes and opens") << u"SELECT 1) AS e, (SELECT 2"_s << false;
    QTest::newRow("an expression") << u"t.owner"_s << false;
    QTest::newRow("a view's option") << u"SELECT 1 WITH CHECK OPTION"_s << false;
    QTest::newRow("a second statement") << u"SELECT 1; SELECT 2"_s << false;
    QTest::newRow("a change") << u"DELETE FROM app.k RETURNING key AS id"_s << false;
    QTest::newRow("a comment to the end") << u"SELECT 1 -- "_s << false;
    QTest::newRow("a continued constant") << u"SELECT E'a'\n'\\'' AS id, ' '"_s << false;
}

void AttacksExpressionsTest::queries()
{
    QFETCH(QString, text);
    QFETCH(bool, good);
    const auto wrong = judgeSql(*m_session, text, SqlForm::Query);
    QVERIFY2(wrong.ok(), qPrintable(wrong.ok() ? QString() : wrong.error().line()));
    QVERIFY2(wrong->isEmpty() == good, qPrintable(*wrong));
    Profile profile = m_profile;
    profile.effects[0].sql = text;
    const auto bound = bindTarget(*m_session, profile);
    QVERIFY(bound.ok());
    const auto judged = [](const Finding &finding) {
        return finding.jsonPath == u"$.effects[0].sql" && finding.text.contains(u"not one"_s);
    };
    QCOMPARE(std::any_of(bound->findings.cbegin(), bound->findings.cend(), judged), !good);
}

/// Where a constant of a domain is parsed, its CHECK runs; judging parses so little that it does not.
void AttacksExpressionsTest::judgingNeedsNoRightAndDoesNothing()
{
    const auto session = open(u"nobody_at_all"_s);
    QVERIFY(session != nullptr);
    for (const QString &text :
        { u"'x'::app.trap"_s, u"'{x}'::app.trap[]"_s, u"app.writes()"_s, u"(SELECT app.writes())"_s }) {
        const auto wrong = judgeSql(*session, text);
        QVERIFY2(wrong.ok() && wrong->isEmpty(), qPrintable(wrong.ok() ? *wrong : wrong.error().line()));
    }
    const QString left = m_cluster->psql(u"postgres"_s,
        u"SELECT (SELECT count(*) FROM app.k), (SELECT count(*) FROM pg_proc WHERE proname LIKE "
        "'idemdesk%'), (SELECT count(*) FROM pg_class WHERE relname LIKE 'idemdesk%')"_s);
    QCOMPARE(left, u"1|0|0"_s);
    const auto alive = session->one({ u"SELECT pg_catalog.current_setting('transaction_read_only')"_s, {} });
    QVERIFY(alive.ok());
    QCOMPARE(alive->first().text, u"on"_s);
}

void AttacksExpressionsTest::bindingLeavesNothingBehind_data()
{
    QTest::addColumn<bool>("writes"); // a session that may
    QTest::addColumn<QString>("text");
    for (const bool writes : { false, true }) {
        QTest::addRow("settings, large objects, %s", writes ? "read-write" : "read-only")
            << writes << u"app.leaves('x')"_s;
        QTest::addRow("rows, %s", writes ? "read-write" : "read-only") << writes << u"app.erases('x')"_s;
        QTest::addRow("a domain's check, %s", writes ? "read-write" : "read-only")
            << writes << u"('{x}'::app.trap[])[1]::text"_s;
    }
}

/// The planner runs what says that it changes nothing; whatever it did is taken back.
void AttacksExpressionsTest::bindingLeavesNothingBehind()
{
    QFETCH(bool, writes);
    QFETCH(QString, text);
    ConnectionSettings settings;
    settings.conninfo = m_cluster->conninfoAs(u"reader"_s);
    Session::Options options;
    options.readOnly = !writes;
    const auto session = Session::open(settings, options);
    QVERIFY(session.ok());
    Profile profile = m_profile;
    profile.roles[Role::Owner].sql = text;
    profile.roles[Role::Owner].column.clear();
    QVERIFY(bindTarget(**session, profile).ok());
    QCOMPARE(m_cluster->psql(u"postgres"_s,
                 u"SELECT (SELECT count(*) FROM app.k), (SELECT count(*) FROM pg_largeobject_metadata)"_s),
        u"1|0"_s);
    const auto left = (*session)->one({ u"SELECT COALESCE(pg_catalog.current_setting('app.left', true), '')"_s, {} });
    QVERIFY(left.ok());
    QCOMPARE(left->first().text, QString());
}

QTEST_GUILESS_MAIN(AttacksExpressionsTest)
#include "tst_attacks_expressions.moc"
