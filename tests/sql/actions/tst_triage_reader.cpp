// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/triage_reader.h"

#include "sql/actions/action_gateway.h"
#include "sql/actions/evidence_lost.h"
#include "sql/profile/binder.h"
#include "sql/profile/evidence_trial.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using sql::Known;

/// The facts about stale keys, each made by a real session of somebody else; and what a purge would do.
class TriageReaderTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();

    void staleRowsComeOldestFirst();
    void limitSaysThatMoreMatch();
    void locksShow_data();
    void locksShow();
    void lockThatEndedIsNone();
    void lockIsSeenByAPlainViewer();
    void ownersAreLookedUp_data();
    void ownersAreLookedUp();
    void advisoryLockIsFound_data();
    void advisoryLockIsFound();
    void heartbeats_data();
    void heartbeats();
    void evidenceOfEachKind();
    void effectsAreReadWhole();
    void evidenceThatMayNotBeReadIsNotAbsent();
    void evidenceThatFailsOnOneRowSparesTheOthers();
    void anEffectWithoutIdIsFound();
    void writersBehindFunctions_data();
    void writersBehindFunctions();
    void rowsLostBehindAFunction();
    void whatAFunctionReadsMayBeOld();
    void everFindsLooksAllOverTheTable_data();
    void everFindsLooksAllOverTheTable();
    void expressionThatFailsCostsItsRowAlone();
    void firstMatchingPolicyCounts();
    void rowsThatAreGoneAreLeftOut();
    void noStaleRuleIsSaidPlainly();
    void planCountsWhatAPurgeTakes();
    void dueIsTheRulesTimeWithItsSpan();
    void planOfSomeScopesAndOfThePast();
    void planWarns();
    void planWithoutARuleIsRefused();

private:
    sql::TriageFacts factsOf(const QString &key, const QString &login = u"op"_s);

    std::unique_ptr<ConsoleFixture> m_fixture;
    RegisteredTable m_first; ///< as each row begins
    RegisteredTable m_table;
};

void TriageReaderTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void TriageReaderTest::cleanupTestCase()
{
    m_fixture.reset();
}

void TriageReaderTest::init()
{
    m_fixture->fresh([this] {
        m_fixture->cluster().psql(m_fixture->database(),
            u"GRANT USAGE ON SCHEMA app TO viewer, adm; GRANT SELECT ON app.k, app.eff TO viewer, adm, op"_s);
        m_first = registerTable(*m_fixture);
    });
    m_table = m_first;
}

sql::TriageFacts TriageReaderTest::factsOf(const QString &key, const QString &login)
{
    auto session = openSession(*m_fixture, login);
    const auto page = sql::readTriage(*session, m_table.target, {}, true, 1'000);
    if (!page) {
        qWarning("%s %s", qPrintable(page.error().line()), qPrintable(page.error().detail));
        return {};
    }
    for (const sql::TriageFacts &facts : page->rows) {
        if (facts.record.key.text == key) {
            return facts;
        }
    }
    qWarning("%s is not among the %lld rows", qPrintable(key), static_cast<long long>(page->rows.size()));
    return {};
}

void TriageReaderTest::staleRowsComeOldestFirst()
{
    m_fixture->root().run(u"UPDATE app.k SET locked_until = now() - interval '3 days' WHERE key = 'k017'"_s);
    m_fixture->root().run(u"UPDATE app.k SET locked_until = now() + interval '3 days' WHERE key = 'k018'"_s);
    auto session = openSession(*m_fixture, u"op"_s);
    const auto page = sql::readTriage(*session, m_table.target, {}, true, 1'000);
    QVERIFY(page.ok());
    QCOMPARE(page->rows.size(), 49);
    QVERIFY(!page->more);
    QCOMPARE(page->rows.first().record.key.text, u"k017"_s);
    QVERIFY(page->rows.first().staleSince.has_value());
    QCOMPARE(page->rows.first().guard.size(), 3);
    QCOMPARE(page->rows.first().guard.at(0).text, u"processing"_s);
    QCOMPARE(page->rows.first().guard.at(1).text,
        m_fixture->root().value(
            u"SELECT (locked_until AT TIME ZONE 'UTC')::text || '+00' FROM app.k WHERE key = 'k017'"_s));
}

void TriageReaderTest::limitSaysThatMoreMatch()
{
    auto session = openSession(*m_fixture, u"op"_s);
    const auto page = sql::readTriage(*session, m_table.target, {}, true, 50);
    QVERIFY(page.ok() && !page->more);
    const auto part = sql::readTriage(*session, m_table.target, {}, true, 49);
    QVERIFY(part.ok() && part->more);
    QCOMPARE(part->rows.size(), 49);
}

void TriageReaderTest::locksShow_data()
{
    QTest::addColumn<QStringList>("one");
    QTest::addColumn<QStringList>("other");
    const QString update = u"SELECT FROM app.k WHERE key = 'k001' FOR UPDATE"_s;
    const QString share = u"SELECT FROM app.k WHERE key = 'k001' FOR KEY SHARE"_s;
    QTest::newRow("for update") << QStringList { u"BEGIN"_s, update } << QStringList();
    QTest::newRow("key share, as a foreign key takes it") << QStringList { u"BEGIN"_s, share } << QStringList();
    QTest::newRow("two sessions share it") << QStringList { u"BEGIN"_s, share } << QStringList { u"BEGIN"_s, share };
    QTest::newRow("locked inside a savepoint") << QStringList { u"BEGIN"_s, u"SAVEPOINT s"_s, update } << QStringList();
    QTest::newRow("changed and not committed")
        << QStringList { u"BEGIN"_s, u"UPDATE app.k SET attempts = attempts + 1 WHERE key = 'k001'"_s }
        << QStringList();
}

void TriageReaderTest::locksShow()
{
    QFETCH(QStringList, one);
    QFETCH(QStringList, other);
    const auto first = m_fixture->as(u"service"_s);
    const auto second = m_fixture->as(u"service"_s);
    for (const QString &statement : one) {
        QVERIFY(first->run(statement).ok());
    }
    for (const QString &statement : other) {
        QVERIFY(second->run(statement).ok());
    }
    const sql::TriageFacts locked = factsOf(u"k001"_s);
    QCOMPARE(locked.rowLocked, Known::Yes);
    QVERIFY2(locked.lockedBy.contains(QString::number(first->pid()))
            || locked.lockedBy.contains(QString::number(second->pid())),
        qPrintable(locked.lockedBy));
    QCOMPARE(factsOf(u"k002"_s).rowLocked, Known::No);
}

void TriageReaderTest::lockThatEndedIsNone()
{
    const auto one = m_fixture->as(u"service"_s);
    const auto other = m_fixture->as(u"service"_s);
    for (const auto &session : { one.get(), other.get() }) {
        QVERIFY(session->run(u"BEGIN"_s).ok());
        QVERIFY(session->run(u"SELECT FROM app.k WHERE key IN ('k001', 'k002') FOR KEY SHARE"_s).ok());
    }
    QVERIFY(one->run(u"COMMIT"_s).ok());
    QVERIFY(other->run(u"ROLLBACK"_s).ok());
    // Somebody else is busy on the table, so that each row is really looked at.
    QVERIFY(one->run(u"BEGIN"_s).ok());
    QVERIFY(one->run(u"SELECT FROM app.k WHERE key = 'k003' FOR UPDATE"_s).ok());
    QCOMPARE(factsOf(u"k001"_s).rowLocked, Known::No);
    QCOMPARE(factsOf(u"k003"_s).rowLocked, Known::Yes);
}

void TriageReaderTest::lockIsSeenByAPlainViewer()
{
    const auto one = m_fixture->as(u"service"_s);
    QVERIFY(one->run(u"BEGIN"_s).ok());
    QVERIFY(one->run(u"SELECT FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
    QCOMPARE(factsOf(u"k001"_s, u"viewer"_s).rowLocked, Known::Yes);
    QCOMPARE(factsOf(u"k002"_s, u"viewer"_s).rowLocked, Known::No);
}

void TriageReaderTest::ownersAreLookedUp_data()
{
    QTest::addColumn<QString>("owner");
    QTest::addColumn<QString>("claimed");
    QTest::addColumn<Known>("alive");
    QTest::newRow("by its application name") << u"worker-7"_s << u"now()"_s << Known::Yes;
    QTest::newRow("by its process id") << u"(pid)"_s << u"now()"_s << Known::Yes;
    QTest::newRow("nobody of that name") << u"worker-8"_s << u"now()"_s << Known::No;
    QTest::newRow("only a part of the name") << u"worker"_s << u"now()"_s << Known::No;
    QTest::newRow("the name of an older worker, restarted since")
        << u"worker-7"_s << u"now() - interval '1 day'"_s << Known::No;
    QTest::newRow("no owner") << u""_s << u"now()"_s << Known::No;
    QTest::newRow("hostile") << u"' OR true --"_s << u"now()"_s << Known::No;
}

void TriageReaderTest::ownersAreLookedUp()
{
    QFETCH(QString, owner);
    QFETCH(QString, claimed);
    QFETCH(Known, alive);
    m_fixture->cluster().psql(
        m_fixture->database(), u"ALTER TABLE app.k ADD COLUMN worker text, ADD COLUMN claimed timestamptz"_s);
    m_table = registerTable(*m_fixture,
        R"json({"roles": {"status": "t.status", "lease_until": "t.locked_until", "owner": "t.worker", "claimed_at": "t.claimed"}})json",
        u"k3"_s);
    const auto worker = m_fixture->as(u"service"_s);
    QVERIFY(worker->run(u"SET application_name = 'worker-7'"_s).ok());
    const QString name = owner == u"(pid)"_s ? QString::number(worker->pid()) : owner;
    QVERIFY(m_fixture->root()
                .run(u"UPDATE app.k SET worker = $1, claimed = "_s + claimed + u" WHERE key = 'k001'"_s, { name })
                .ok());
    // As a superuser sees it: the beginning of a session is hidden from others, who then go by the name alone.
    m_fixture->cluster().psql(m_fixture->database(), u"GRANT pg_read_all_stats TO op"_s);
    const sql::TriageFacts facts = factsOf(u"k001"_s);
    QCOMPARE(facts.ownerAlive, alive);
    QCOMPARE(facts.ownerSession.isEmpty(), alive != Known::Yes);
}

void TriageReaderTest::advisoryLockIsFound_data()
{
    QTest::addColumn<QString>("form");
    QTest::newRow("hashtext") << u"hashtext(t.key)"_s;
    QTest::newRow("hashtextextended") << u"hashtextextended(t.tenant || ':' || t.key, 0)"_s;
    QTest::newRow("a negative number") << u"-17"_s;
    QTest::newRow("two integers") << u"7, hashtext(t.key)"_s;
    QTest::newRow("two negative integers") << u"-7, -17"_s;
}

void TriageReaderTest::advisoryLockIsFound()
{
    QFETCH(QString, form);
    const bool two = form.contains(u", hashtext"_s) || form.startsWith(u"-7"_s);
    const QString named = two ? u"ARRAY["_s + form + u']' : form;
    m_table = registerTable(*m_fixture, "{\"advisory_lock\": \"" + named.toUtf8() + "\"}", u"k3"_s);
    QCOMPARE(factsOf(u"k001"_s).advisoryHeld, Known::No);
    const auto worker = m_fixture->as(u"service"_s);
    QVERIFY(worker->run(u"SELECT pg_advisory_lock("_s + form + u") FROM app.k t WHERE key = 'k001'"_s).ok());
    QCOMPARE(factsOf(u"k001"_s).advisoryHeld, Known::Yes);
    QCOMPARE(factsOf(u"k002"_s).advisoryHeld, form.endsWith(u"-17"_s) ? Known::Yes : Known::No);
    // The same halves, taken the other way: another lock.
    if (two) {
        QVERIFY(worker->run(u"SELECT pg_advisory_unlock_all()"_s).ok());
        QVERIFY(worker
                    ->run(u"SELECT pg_advisory_lock((p.a::bigint << 32) | (p.b & 4294967295::bigint)) FROM app.k t "
                          u"CROSS JOIN LATERAL (VALUES (%1)) AS p (a, b) WHERE key = 'k001'"_s.arg(form))
                    .ok());
        QCOMPARE(factsOf(u"k001"_s).advisoryHeld, Known::No);
    }
}

void TriageReaderTest::heartbeats_data()
{
    QTest::addColumn<QString>("beat");
    QTest::addColumn<Known>("fresh");
    QTest::newRow("just now") << u"now()"_s << Known::Yes;
    QTest::newRow("an hour ago") << u"now() - interval '1 hour'"_s << Known::No;
    QTest::newRow("never") << u"NULL"_s << Known::No;
    QTest::newRow("infinity") << u"'infinity'"_s << Known::Yes;
}

void TriageReaderTest::heartbeats()
{
    QFETCH(QString, beat);
    QFETCH(Known, fresh);
    QCOMPARE(factsOf(u"k001"_s).heartbeatFresh, Known::Unreadable); // the profile has none
    m_table = registerTable(
        *m_fixture, R"json({"roles": {"status": "t.status", "heartbeat_at": "t.updated_at"}})json", u"k3"_s);
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET updated_at = "_s + beat + u" WHERE key = 'k001'"_s).ok());
    QCOMPARE(factsOf(u"k001"_s).heartbeatFresh, fresh);
}

void TriageReaderTest::evidenceOfEachKind()
{
    QVERIFY(
        m_fixture->root().run(u"INSERT INTO app.eff SELECT 'o-1', tenant, key FROM app.k WHERE key = 'k001'"_s).ok());
    QVERIFY(
        m_fixture->root()
            .run(
                u"INSERT INTO app.eff SELECT 'o-' || n, tenant, key FROM app.k, generate_series(2, 3) n WHERE key = 'k002'"_s)
            .ok());
    const sql::TriageFacts one = factsOf(u"k001"_s);
    QCOMPARE(one.effects.size(), 1);
    QVERIFY(one.effects.first().error.isEmpty() && one.effects.first().proves);
    QCOMPARE(one.effects.first().rows.size(), 1);
    QCOMPARE(one.effects.first().rows.first().id.text, u"o-1"_s);
    QCOMPARE(factsOf(u"k002"_s).effects.first().rows.size(), 2);
    const sql::TriageFacts none = factsOf(u"k003"_s);
    QVERIFY(none.effects.first().error.isEmpty() && none.effects.first().rows.isEmpty());
}

/// A column of the query never stands for its row, however it is called.
void TriageReaderTest::effectsAreReadWhole()
{
    QVERIFY(
        m_fixture->root().run(u"INSERT INTO app.eff SELECT 'o-1', tenant, key FROM app.k WHERE key = 'k001'"_s).ok());
    for (const QString &name : { u"x"_s, u"e"_s, u"y"_s, u"t"_s, u"idemdesk_e"_s }) {
        m_table = registerTable(*m_fixture,
            QJsonDocument(
                QJsonObject { { u"effects"_s,
                    QJsonArray { QJsonObject { { u"type"_s, u"eff"_s }, { u"proves"_s, true },
                        { u"sql"_s,
                            u"SELECT f.id, NULL::timestamptz AS at, NULL::text AS state, NULL::text AS %1 FROM "
                            "app.eff f WHERE f.tenant = t.tenant AND f.key = t.key"_s.arg(name) } } } } })
                .toJson());
        const sql::TriageFacts facts = factsOf(u"k001"_s);
        QVERIFY2(facts.effects.first().error.isEmpty(), qPrintable(name + facts.effects.first().error));
        QCOMPARE(facts.effects.first().rows.size(), 1);
        QCOMPARE(facts.effects.first().rows.first().id.text, u"o-1"_s);
    }
}

void TriageReaderTest::evidenceThatMayNotBeReadIsNotAbsent()
{
    m_fixture->cluster().psql(m_fixture->database(), u"REVOKE SELECT ON app.eff FROM op"_s);
    const sql::TriageFacts facts = factsOf(u"k001"_s);
    QCOMPARE(facts.effects.size(), 1);
    QVERIFY2(facts.effects.first().error.contains(u"permission denied"_s), qPrintable(facts.effects.first().error));
}

void TriageReaderTest::evidenceThatFailsOnOneRowSparesTheOthers()
{
    m_table = registerTable(*m_fixture, R"json({"effects": [{"type": "eff", "proves": true,
        "sql": "SELECT f.id AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.eff f WHERE f.tenant = t.tenant AND f.key = t.key AND 1 / (CASE WHEN t.attempts = 7 THEN 0 ELSE 1 END) = 1"}]})json",
        u"k3"_s);
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET attempts = 7 WHERE key = 'k025'"_s).ok());
    QVERIFY(m_fixture->root()
                .run(u"INSERT INTO app.eff SELECT 'o-' || key, tenant, key FROM app.k WHERE key LIKE 'k02%'"_s)
                .ok());
    QVERIFY(!factsOf(u"k025"_s).effects.first().error.isEmpty());
    QCOMPARE(factsOf(u"k024"_s).effects.first().rows.size(), 1);
    QCOMPARE(factsOf(u"k026"_s).effects.first().rows.size(), 1);
}

/// What has no name yet is there all the same.
void TriageReaderTest::anEffectWithoutIdIsFound()
{
    m_table = registerTable(*m_fixture, R"json({"effects": [{"type": "eff", "proves": true,
        "sql": "SELECT max(f.tenant) AS state, NULL::text AS id, NULL::timestamptz AS at FROM app.eff f WHERE f.tenant = t.tenant AND f.key = t.key HAVING count(*) > 0"}]})json",
        u"k3"_s);
    QVERIFY(
        m_fixture->root().run(u"INSERT INTO app.eff SELECT 'o-1', tenant, key FROM app.k WHERE key = 'k001'"_s).ok());
    const sql::TriageFacts found = factsOf(u"k001"_s);
    QVERIFY2(found.effects.first().error.isEmpty(), qPrintable(found.effects.first().error));
    QCOMPARE(found.effects.first().rows.size(), 1);
    QVERIFY(found.effects.first().rows.first().id.null);
    QCOMPARE(factsOf(u"k002"_s).effects.first().rows.size(), 0);
}

namespace {

/// A function that gives what was done, and the member of a profile that looks there.
QString finder(const QString &language, const QString &body, const QString &name = u"found"_s)
{
    return u"CREATE FUNCTION app.%1() RETURNS TABLE (id text, tenant text, key text) LANGUAGE %2 STABLE AS $$ %3 $$;"_s
        .arg(name, language, body);
}

const QString kFind = u"BEGIN RETURN QUERY SELECT f.id, f.tenant, f.key FROM app.eff f; END"_s;
const QString kFound = u"app.found()"_s;

QByteArray effects(const QString &from, const QString &sameKey = u"x.key = t.key"_s)
{
    return u"{\"effects\": [{\"type\": \"eff\", \"proves\": true, \"sql\": \"SELECT x.id, NULL::timestamptz AS at, "
           "NULL::text AS state FROM %1 x WHERE x.tenant = t.tenant AND %2\"}]}"_s.arg(from, sameKey)
               .toUtf8();
}

} // namespace

/// As the server looks when the action runs: what a query reads behind functions counts as what it reads itself.
void TriageReaderTest::writersBehindFunctions_data()
{
    QTest::addColumn<QString>("made");
    QTest::addColumn<QByteArray>("profile");
    const QByteArray found = effects(kFound);
    const QString atomic
        = u"CREATE FUNCTION app.%1() RETURNS TABLE (id text, tenant text, key text) STABLE SET work_mem "
          "= '5MB' BEGIN ATOMIC SELECT f.id, f.tenant, f.key FROM %2 f; END;"_s;
    QTest::newRow("in PL/pgSQL") << finder(u"plpgsql"_s, kFind) << found;
    QTest::newRow("in SQL that is not inlined")
        << finder(u"sql SET work_mem = '5MB'"_s, u"SELECT f.* FROM app.eff f"_s) << found;
    QTest::newRow("in SQL with a parsed body") << atomic.arg(u"found"_s, u"app.eff"_s) << found;
    QTest::newRow("in a text that it runs")
        << finder(u"plpgsql"_s, u"BEGIN RETURN QUERY EXECUTE 'SELECT id, tenant, key FROM app.EFF'; END"_s) << found;
    QTest::newRow("behind another function") << finder(u"plpgsql"_s, kFind, u"inner_found"_s)
            + finder(u"plpgsql"_s, u"BEGIN RETURN QUERY SELECT f.* FROM app.inner_found() f; END"_s)
                                             << found;
    QTest::newRow("behind a parsed body that calls another")
        << finder(u"plpgsql"_s, kFind, u"inner_found"_s) + atomic.arg(u"atom"_s, u"app.inner_found()"_s)
            + finder(u"plpgsql"_s, u"BEGIN RETURN QUERY SELECT f.* FROM app.atom() f; END"_s)
        << found;
    const QString view = u"CREATE VIEW app.v AS %1; GRANT SELECT ON app.v TO idemdesk_runner_app_owner, op, adm;"_s;
    QTest::newRow("through a view that a function names")
        << view.arg(u"SELECT * FROM app.eff"_s) + finder(u"plpgsql"_s, QString(kFind).replace(u"app.eff"_s, u"app.v"_s))
        << found;
    QTest::newRow("in a view that a function names and that calls another")
        << finder(u"plpgsql"_s, kFind, u"inner_found"_s) + view.arg(u"SELECT * FROM app.inner_found()"_s)
            + finder(u"plpgsql"_s, QString(kFind).replace(u"app.eff"_s, u"app.v"_s))
        << found;
    QTest::newRow("in a view that calls it")
        << finder(u"plpgsql"_s, kFind) + view.arg(u"SELECT * FROM app.found()"_s) << effects(u"app.v"_s);
    QTest::newRow("by an operator")
        << u"CREATE TABLE app.names (id text, tenant text, key text); INSERT INTO app.names VALUES ('1', 't1', "
           u"'k001'); "
           "GRANT SELECT ON app.names TO idemdesk_runner_app_owner, op, adm; CREATE FUNCTION app.same(text, text) "
           "RETURNS "
           "boolean LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN $1 = $2 AND EXISTS (SELECT FROM app.eff f WHERE f.key = "
           "$2); END $$; CREATE OPERATOR app.@@@ (FUNCTION = app.same, LEFTARG = text, RIGHTARG = text);"_s
        << effects(u"app.names"_s, u"x.key OPERATOR(app.@@@) t.key"_s);
}

void TriageReaderTest::writersBehindFunctions()
{
    QFETCH(QString, made);
    QFETCH(QByteArray, profile);
    const auto done = m_fixture->root().run(u"SET ROLE app_owner; "_s + made + u" RESET ROLE"_s);
    QVERIFY2(done.ok(), qPrintable(done.value()));
    m_table = registerTable(*m_fixture, profile, u"k3"_s);
    const auto said = [&] { return factsOf(u"k001"_s).effects.constFirst(); };
    // Somebody who writes elsewhere is in nobody's way.
    const auto elsewhere = m_fixture->as(u"boss"_s);
    QVERIFY(elsewhere->run(u"CREATE TABLE app.apart (n int); BEGIN; INSERT INTO app.apart VALUES (1)"_s).ok());
    QVERIFY2(said().rows.isEmpty() && said().error.isEmpty(), qPrintable(said().error));
    const auto writer = m_fixture->as(u"app_owner"_s);
    QVERIFY(writer->run(u"BEGIN; INSERT INTO app.eff VALUES ('1', 't1', 'k001')"_s).ok());
    const sql::EffectResult during = said();
    QVERIFY(during.unlinked && during.rows.isEmpty());
    QVERIFY2(during.error.contains(u"a transaction writes to eff"_s), qPrintable(during.error));
    QVERIFY(writer->run(u"COMMIT"_s).ok());
    QCOMPARE(said().rows.size(), 1);
}

void TriageReaderTest::rowsLostBehindAFunction()
{
    QVERIFY(
        m_fixture->root()
            .run(u"SET ROLE app_owner; "_s + finder(u"plpgsql"_s, kFind)
                + u"ALTER TABLE app.eff ADD at timestamptz DEFAULT now(), ADD status text DEFAULT 'done'; RESET ROLE; "
                  "GRANT SELECT, UPDATE, DELETE, INSERT ON app.eff TO idemdesk_runner_app_owner"_s)
            .ok());
    registerTable(*m_fixture, R"json({"relation": "app.eff", "identity": ["id"], "scope": [], "key": "t.key",
        "roles": {"status": "t.status", "created_at": "t.at"}, "states": {"done": "succeeded"}, "stale": null,
        "guard": ["status"], "actions": {}, "effects": [], "policies": [],
        "purge": {"by": "t.at", "after": "1d", "states": ["succeeded"]}})json",
        u"effs"_s);
    m_table = registerTable(*m_fixture, effects(kFound), u"k3"_s);
    const sql::EffectResult found = factsOf(u"k001"_s).effects.constFirst();
    QVERIFY2(
        found.unlinked && found.error.contains(u"looked for through “Keys of the tests”"_s), qPrintable(found.error));
    auto session = openSession(*m_fixture, u"op"_s);
    sql::Target target;
    target.relation.oid = m_fixture->root().value(u"SELECT 'app.eff'::regclass::oid"_s).toUInt();
    target.relation.name = u"eff"_s;
    const auto others = sql::provedThrough(*session, target);
    QVERIFY(others.ok());
    QVERIFY2(others->contains(u"k3"_s), qPrintable(others->join(u' ')));
}

void TriageReaderTest::whatAFunctionReadsMayBeOld()
{
    QVERIFY(m_fixture->root()
                .run(u"SET ROLE app_owner; CREATE MATERIALIZED VIEW app.seen AS SELECT * FROM app.eff; GRANT SELECT ON "
                     "app.seen TO idemdesk_runner_app_owner, op, adm; "_s
                    + finder(u"plpgsql"_s, QString(kFind).replace(u"app.eff"_s, u"app.seen"_s)) + u" RESET ROLE"_s)
                .ok());
    m_table = registerTable(*m_fixture, effects(kFound), u"k3"_s);
    const sql::EffectResult found = factsOf(u"k001"_s).effects.constFirst();
    QVERIFY2(found.unlinked && found.error.contains(u"when it was refreshed"_s), qPrintable(found.error));
}

/// One that finds nothing in rows that come first may find much in later ones, whether the table was analysed or not.
void TriageReaderTest::everFindsLooksAllOverTheTable_data()
{
    QTest::addColumn<QString>("which");
    QTest::addColumn<bool>("analysed");
    QTest::addColumn<bool>("finds");
    for (const bool analysed : { false, true }) {
        const char *when = analysed ? "analysed" : "never analysed";
        QTest::addRow("in the later half, %s", when) << u"n > 15000"_s << analysed << true;
        QTest::addRow("in every tenth row behind the first thousand, %s", when)
            << u"n > 1000 AND n % 10 = 0"_s << analysed << true;
        QTest::addRow("in the first rows, %s", when) << u"n < 200"_s << analysed << true;
        QTest::addRow("nowhere, %s", when) << u"false"_s << analysed << false;
    }
}

void TriageReaderTest::everFindsLooksAllOverTheTable()
{
    QFETCH(QString, which);
    QFETCH(bool, analysed);
    QFETCH(bool, finds);
    m_fixture->cluster().psql(m_fixture->database(),
        u"CREATE TABLE app.long (LIKE app.k INCLUDING ALL) WITH (autovacuum_enabled = off); INSERT INTO app.long "
        u"(tenant, "
        "key, status, locked_until, attempts) SELECT 't1', 'n' || n, 'processing', now() - interval '1 h', 1 FROM "
        "generate_series(1, 30000) n; INSERT INTO app.eff SELECT 'e' || n, 't1', 'n' || n FROM generate_series(1, "
        "30000) "
        "n WHERE %1; CREATE INDEX ON app.eff (tenant, key); GRANT SELECT ON app.long TO op; %2"_s.arg(
            which, analysed ? u"ANALYZE app.long"_s : QString()));
    auto session = openSession(*m_fixture, u"op"_s);
    const auto profile = sql::profileFromJson(tableProfile(R"json({"relation": "app.long"})json"), u"test"_s);
    QVERIFY(profile.ok());
    const auto target = sql::bindTarget(*session, *profile);
    QVERIFY2(target.ok(), qPrintable(target.ok() ? QString() : target.error().line()));
    QCOMPARE(target->relation.estimatedRows >= 0, analysed);
    const auto ever = sql::everFinds(*session, *target, 0);
    QVERIFY2(ever.ok(), qPrintable(ever.ok() ? QString() : ever.error().line()));
    QCOMPARE(*ever, finds);
}

void TriageReaderTest::expressionThatFailsCostsItsRowAlone()
{
    m_table = registerTable(*m_fixture,
        R"json({"policies": [{"match": {}, "effect": "local", "max_attempts": "10 / (CASE WHEN t.attempts = 7 THEN 0 ELSE 1 END)"}]})json",
        u"k3"_s);
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET attempts = 7 WHERE key = 'k025'"_s).ok());
    auto session = openSession(*m_fixture, u"op"_s);
    const auto page = sql::readTriage(*session, m_table.target, {}, true, 1'000);
    QVERIFY(page.ok());
    QCOMPARE(page->rows.size(), 49);
    QVERIFY(std::none_of(
        page->rows.cbegin(), page->rows.cend(), [](const auto &facts) { return facts.record.key.text == u"k025"; }));
    QCOMPARE(page->notes.size(), 1);
    QCOMPARE(page->rows.first().maxAttempts, std::optional<qint64>(10));
}

void TriageReaderTest::firstMatchingPolicyCounts()
{
    QCOMPARE(factsOf(u"k002"_s).policy, 0); // tenant t2
    QCOMPARE(factsOf(u"k001"_s).policy, 1);
    QCOMPARE(factsOf(u"k001"_s).maxAttempts, std::optional<qint64>(5));
    QCOMPARE(factsOf(u"k001"_s).attempts, std::optional<qint64>(1));
    QVERIFY(!factsOf(u"k002"_s).maxAttempts.has_value());
}

void TriageReaderTest::rowsThatAreGoneAreLeftOut()
{
    auto session = openSession(*m_fixture, u"op"_s);
    const auto page = sql::readTriageOf(*session, m_table.target,
        { { sql::Cell::of(u"t1"_s), sql::Cell::of(u"k001"_s) }, { sql::Cell::of(u"t1"_s), sql::Cell::of(u"none"_s) },
            { sql::Cell::of(u"t2"_s), sql::Cell::of(u"k002"_s) } });
    QVERIFY(page.ok());
    QCOMPARE(page->rows.size(), 2);
    QCOMPARE(page->rows.at(0).record.key.text, u"k001"_s);
    QCOMPARE(page->rows.at(1).record.key.text, u"k002"_s);
}

void TriageReaderTest::noStaleRuleIsSaidPlainly()
{
    m_table.target.profile.stale.reset();
    auto session = openSession(*m_fixture, u"op"_s);
    const auto page = sql::readTriage(*session, m_table.target, {}, true, 10);
    QVERIFY(!page.ok());
    QCOMPARE(page.error().kind, sql::ErrorKind::NotSaid);
    QVERIFY(page.error().what.contains(u"stuck"_s));
    QVERIFY(sql::readTriage(*session, m_table.target, {}, false, 10).ok());
}

void TriageReaderTest::planCountsWhatAPurgeTakes()
{
    const QString before = m_fixture->root().value(u"SELECT count(*) FROM app.k"_s);
    auto session = openSession(*m_fixture, u"op"_s);
    const auto plan = sql::planPurge(
        *session, m_table.target, { sql::KeyState::Succeeded, sql::KeyState::FailedFinal }, std::nullopt, std::nullopt);
    QVERIFY2(plan.ok(), qPrintable(plan.ok() ? QString() : plan.error().line() + plan.error().detail));
    QCOMPARE(QString::number(plan->rows),
        m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE status = 'succeeded' AND expires_at < now()"_s));
    QCOMPARE(plan->groups.size(), 3);
    for (const sql::PurgeGroup &group : plan->groups) {
        QCOMPARE(group.state, sql::KeyState::Succeeded);
        QCOMPARE(QString::number(group.rows),
            m_fixture->root().value(
                u"SELECT count(*) FROM app.k WHERE status = 'succeeded' AND expires_at < now() AND tenant = $1"_s,
                { group.scope.first().text }));
        QVERIFY(group.oldest && group.newest && *group.oldest < *group.newest);
        QVERIFY(!group.wholeScope); // the keys in progress stay
    }
    QVERIFY(plan->bytes > plan->rows && plan->walBytes > plan->bytes && plan->seconds > 0);
    QVERIFY(!plan->sample.isEmpty());
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.k"_s), before);
}

void TriageReaderTest::dueIsTheRulesTimeWithItsSpan()
{
    auto session = openSession(*m_fixture, u"op"_s);
    sql::Target target = m_table.target;
    QVERIFY(!target.profile.purge.isEmpty());
    target.profile.purge.first().after = u"1h"_s;
    const auto first = sql::Timestamp::parse(m_fixture->root().value(
        u"SELECT min(expires_at) + interval '1 hour' FROM app.k WHERE status = 'succeeded' AND expires_at < now()"_s));
    const auto due = [&]() -> std::optional<sql::Timestamp> {
        std::optional<sql::Timestamp> earliest;
        const auto plan = sql::planPurge(*session, target, { sql::KeyState::Succeeded }, std::nullopt, std::nullopt);
        for (const sql::PurgeGroup &group : plan ? plan->groups : QList<sql::PurgeGroup>()) {
            earliest = !earliest || *group.oldest < *earliest ? group.oldest : earliest;
        }
        return earliest;
    };
    QVERIFY(first);
    QCOMPARE(due(), first);
    // A second rule that would want them gone later says nothing of when they were due.
    target.profile.purge.append(target.profile.purge.first());
    target.profile.purge.last().after = u"90m"_s;
    QCOMPARE(due(), first);
}

void TriageReaderTest::planOfSomeScopesAndOfThePast()
{
    auto session = openSession(*m_fixture, u"op"_s);
    const auto past = sql::Timestamp::parse(m_fixture->root().value(u"SELECT (now() - interval '10 days')::text"_s));
    const auto plan = sql::planPurge(*session, m_table.target, { sql::KeyState::Succeeded },
        QList<sql::Cells> { { sql::Cell::of(u"t1"_s) }, { sql::Cell::of(u"no such"_s) } }, past);
    QVERIFY(plan.ok());
    QCOMPARE(QString::number(plan->rows),
        m_fixture->root().value(
            u"SELECT count(*) FROM app.k WHERE status = 'succeeded' AND expires_at < $1::timestamptz AND tenant = 't1'"_s,
            { past->toRfc3339() }));
    QVERIFY(plan->rows > 0);
    const auto nothing
        = sql::planPurge(*session, m_table.target, { sql::KeyState::FailedFinal }, std::nullopt, std::nullopt);
    QVERIFY(nothing.ok());
    QCOMPARE(nothing->rows, 0);
}

void TriageReaderTest::planWarns()
{
    QVERIFY(m_fixture->root()
                .run(u"UPDATE app.k SET expires_at = now() - interval '1 hour' WHERE key IN ('k001', 'k003')"_s)
                .ok());
    QVERIFY(m_fixture->root().run(u"DELETE FROM app.k WHERE tenant = 't2' AND status = 'processing'"_s).ok());
    auto session = openSession(*m_fixture, u"op"_s);
    const auto plan = sql::planPurge(
        *session, m_table.target, { sql::KeyState::Succeeded, sql::KeyState::FailedFinal }, std::nullopt, std::nullopt);
    QVERIFY(plan.ok());
    const QString warnings = plan->warnings.join(u'\n');
    QVERIFY2(warnings.contains(u"will be emptied"_s), qPrintable(warnings));
    QVERIFY(std::any_of(plan->groups.cbegin(), plan->groups.cend(),
        [](const sql::PurgeGroup &group) { return group.wholeScope && group.scope.constFirst().text == u"t2"; }));
    QVERIFY2(warnings.contains(u"2 key(s) are past their expiry"_s), qPrintable(warnings));
    QVERIFY2(warnings.contains(u"t1: audit needs 365 day"_s) && warnings.contains(u"this purge removes rows after "_s),
        qPrintable(warnings));
}

void TriageReaderTest::planWithoutARuleIsRefused()
{
    m_table.target.profile.purge.clear();
    auto session = openSession(*m_fixture, u"op"_s);
    const auto plan
        = sql::planPurge(*session, m_table.target, { sql::KeyState::Succeeded }, std::nullopt, std::nullopt);
    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().kind, sql::ErrorKind::NotSaid);
}

QTEST_GUILESS_MAIN(TriageReaderTest)
#include "tst_triage_reader.moc"
