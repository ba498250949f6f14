// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/binder.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::TestCluster;

class BinderTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void cleanupTestCase() { m_session.reset(); }
    void shippedBindWithoutAFinding_data();
    void shippedBindWithoutAFinding();
    void typesAreLearned();
    void catalogueOfOneTable();
    void catalogueOfAll();
    void whichNamesAreThereIsOneQuestion();
    void relationNamesThatDoNotFit_data();
    void relationNamesThatDoNotFit();
    void brokenExpressionsAreDropped_data();
    void brokenExpressionsAreDropped();
    void brokenExtrasAreFoundAndKept();
    void essentialPartsAreErrors_data();
    void essentialPartsAreErrors();
    void oddTable();
    void rights();
    void rightsAreToldAtOnceAsStatementsThatRun();
    void rowSecurityAndViews();
    void droppedTable();
    void timeFormsCompareOnTheColumn_data();
    void timeFormsCompareOnTheColumn();
    void nothingVolatileHidesInAnEmptyPartitionedTable();

private:
    std::unique_ptr<Session> open(const QString &conninfo);

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;
};

std::unique_ptr<Session> BinderTest::open(const QString &conninfo)
{
    ConnectionSettings settings;
    settings.conninfo = conninfo;
    auto session = Session::open(settings, {});
    if (!session) {
        qFatal("%s", qPrintable(session.error().line()));
    }
    return std::move(*session);
}

void BinderTest::initTestCase()
{
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->createDatabase(u"seeds"_s, u"TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"_s);
    for (const int seed : { 0, 1, 2, 3 }) {
        m_cluster->psqlFile(u"seeds"_s, u"sql/demo/schema_00%1.sql"_s.arg(seed));
    }
    m_cluster->psql(u"seeds"_s, u"SELECT seed002.ensure_daily_partitions('2026-11-01', '2026-11-03')"_s);
    m_cluster->psql(u"seeds"_s,
        QString::fromUtf8(R"sql(
        CREATE SCHEMA "Odd Schema";
        CREATE SCHEMA ext;
        CREATE EXTENSION citext SCHEMA ext;
        CREATE TYPE "Odd Schema"."St atus" AS ENUM ('b', 'a"x', 'it''s');
        CREATE DOMAIN "Odd Schema".short AS varchar(10) CHECK (VALUE <> 'bad');
        CREATE TABLE "Odd Schema"."In""box; DROP TABLE x--" (
            "Key" ext.citext NOT NULL, "Group" text COLLATE "de_DE" , "C" text COLLATE "C", status "Odd Schema"."St atus",
            d "Odd Schema".short, "createdMs" bigint, naive timestamp, iso text, secs int, doc json, tags text[],
            gen int GENERATED ALWAYS AS (secs + 1) STORED, num numeric,
            PRIMARY KEY ("Key"));
        CREATE INDEX "odd ix" ON "Odd Schema"."In""box; DROP TABLE x--" (lower("C") DESC NULLS LAST, secs) INCLUDE (naive) WHERE secs > 1;
        INSERT INTO "Odd Schema"."In""box; DROP TABLE x--" ("Key", "createdMs", naive, iso, secs)
            SELECT 'k' || i, i::bigint * 1000 + 7, to_timestamp(i) AT TIME ZONE 'UTC', to_char(to_timestamp(i) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), i
              FROM generate_series(1763000000, 1763000400) AS i;
        CREATE INDEX ON "Odd Schema"."In""box; DROP TABLE x--" ("createdMs");
        CREATE INDEX ON "Odd Schema"."In""box; DROP TABLE x--" (naive);
        CREATE INDEX ON "Odd Schema"."In""box; DROP TABLE x--" (secs);
        ANALYZE "Odd Schema"."In""box; DROP TABLE x--";
        CREATE SCHEMA twice;
        CREATE TABLE twice.charges (id int PRIMARY KEY);
        CREATE FUNCTION public.leaky(text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$ BEGIN PERFORM set_config('application_name', 'pwned', false); RETURN $1; END $$;
        CREATE FUNCTION public.fine(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1';
        CREATE OPERATOR public.## (FUNCTION = public.leaky, RIGHTARG = text);
        CREATE SEQUENCE public.seq;
        CREATE TABLE app.nopart (k text NOT NULL, PRIMARY KEY (k)) PARTITION BY RANGE (k);
        CREATE VIEW app.request_view AS SELECT * FROM app.idempotency_request;
        CREATE VIEW app.grouped AS SELECT idempotency_scope, idempotency_key, count(*) AS n FROM app.outbox_event GROUP BY 1, 2;
        CREATE UNLOGGED TABLE app.fleeting (LIKE app.idempotency_request INCLUDING ALL);
        CREATE ROLE nobody LOGIN;
        CREATE ROLE clerk LOGIN;
        GRANT USAGE ON SCHEMA app TO clerk;
        GRANT SELECT (idempotency_scope, idempotency_key, status, locked_until, attempt_count, expires_at, request_hash) ON app.idempotency_request TO clerk;
        GRANT SELECT ON app.outbox_event, app.fleeting TO clerk;
        ALTER TABLE app.outbox_event ENABLE ROW LEVEL SECURITY;
        CREATE POLICY only_pending ON app.outbox_event USING (status = 'pending');
    )sql")
            .replace(u"COLLATE \"de_DE\""_s, u"COLLATE \"und-x-icu\""_s));
    m_session = open(m_cluster->conninfo(u"seeds"_s));
}

void BinderTest::shippedBindWithoutAFinding_data()
{
    QTest::addColumn<QString>("name");
    for (const Profile &profile : shippedProfiles()) {
        QTest::newRow(qPrintable(profile.name)) << profile.name;
    }
}

void BinderTest::shippedBindWithoutAFinding()
{
    QFETCH(QString, name);
    const Profile profile = *shippedProfile(name);
    const auto target = bindTarget(*m_session, profile);
    QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().line() + target.error().detail));
    for (const Finding &finding : target->findings) {
        QFAIL(qPrintable(finding.jsonPath + u": "_s + finding.text));
    }
    QVERIFY(target->identityUnique);
    QCOMPARE(target->roleTypes.size(), profile.roles.size());
    QCOMPARE(target->scopeTypes.size(), profile.scope.size());
    QCOMPARE(target->identityTypes.size(), profile.identity.size());
    QVERIFY(!target->keyType.castType.isEmpty());
    QCOMPARE(profileToJson(target->profile), profileToJson(profile));
}

void BinderTest::typesAreLearned()
{
    const auto target = bindTarget(*m_session, *shippedProfile(u"plpgsql-request"_s));
    QVERIFY(target.ok());
    const ExpressionType status = target->roleTypes.value(Role::Status);
    QCOMPARE(status.castType, u"app.idempotency_status"_s);
    QCOMPARE(status.category, QChar(u'E'));
    QCOMPARE(
        status.enumLabels, (QStringList { u"processing"_s, u"succeeded"_s, u"failed_retryable"_s, u"failed_final"_s }));
    QCOMPARE(target->keyType.castType, u"pg_catalog.text"_s);
    QCOMPARE(target->keyType.codePointOrder, true); // the database's own C.UTF-8
    QCOMPARE(target->roleTypes.value(Role::LeaseUntil).castType, u"pg_catalog.timestamptz"_s);
    QCOMPARE(target->roleTypes.value(Role::ResultId).typeName, u"uuid"_s);
    const auto tenant = bindTarget(*m_session, *shippedProfile(u"pending-key"_s));
    QCOMPARE(tenant->keyType.castType, u"pg_catalog.\"varchar\""_s);
    QCOMPARE(tenant->keyType.operatorSchema, u"pg_catalog"_s);
}

void BinderTest::catalogueOfOneTable()
{
    const auto request = readRelation(*m_session, u"App.Idempotency_Request"_s);
    QVERIFY2(request.ok(), request.ok() ? "" : qPrintable(request.error().line() + request.error().detail));
    QCOMPARE(request->sql, u"\"app\".\"idempotency_request\""_s);
    QCOMPARE(request->columns.size(), 16);
    QCOMPARE(request->checks.size(), 5);
    QCOMPARE(request->indexes.first().primary, true);
    QCOMPARE(request->indexes.first().columns, (QStringList { u"idempotency_scope"_s, u"idempotency_key"_s }));
    QVERIFY(request->bytes > 0);
    const auto rows = readRelation(*m_session, u"seed003.import_row_result"_s);
    QCOMPARE(rows->foreignKeys.size(), 1);
    QCOMPARE(rows->foreignKeys.first().table, u"seed003.import_job"_s);
    QCOMPARE(rows->foreignKeys.first().incoming, false);
    const auto job = readRelation(*m_session, u"seed003.import_job"_s);
    QCOMPARE(job->foreignKeys.first().incoming, true);
    QCOMPARE(job->foreignKeys.first().columns, QStringList { u"import_job_id"_s });
    const auto split = readRelation(*m_session, u"seed002.idempotency_keys_partitioned"_s);
    QCOMPARE(split->kind, QChar(u'p'));
    QCOMPARE(split->partitionKey, u"RANGE (created_at)"_s);
    QVERIFY(split->bytes > 0);
    const auto part = readRelation(*m_session, u"seed002.idempotency_keys_y2026m11d01"_s);
    QCOMPARE(part->parent, u"seed002.idempotency_keys_partitioned"_s);
}

void BinderTest::catalogueOfAll()
{
    const auto all = readRelations(*m_session);
    QVERIFY2(all.ok(), all.ok() ? "" : qPrintable(all.error().line() + all.error().detail));
    QStringList names;
    for (const RelationFacts &facts : *all) {
        names.append(facts.sql);
        QVERIFY(!facts.columns.isEmpty());
    }
    QVERIFY(names.contains(u"\"app\".\"request_view\""_s));
    QVERIFY(names.contains(u"\"Odd Schema\".\"In\"\"box; DROP TABLE x--\""_s));
    QVERIFY(!names.contains(u"\"seed002\".\"idempotency_keys_y2026m11d01\""_s));
    const auto one = readRelations(*m_session, u"seed002"_s);
    QCOMPARE(one->size(), 3);
    QCOMPARE(readRelations(*m_session, u"no such"_s)->size(), 0);
}

/// What readRelation() would find, and nothing else, also for whoever may read nothing.
void BinderTest::whichNamesAreThereIsOneQuestion()
{
    const QStringList there { u"app.idempotency_request"_s, u"\"Odd Schema\".\"In\"\"box; DROP TABLE x--\""_s,
        u"app.nopart"_s, u"app.request_view"_s, u"nopart"_s, u"APP.NoPart"_s, u"app.idempotency_request"_s };
    const QStringList notThere { u"app.charges"_s, u"twice.nopart"_s, u"public.seq"_s, u"\"Odd Schema\".\"odd ix\""_s,
        u"App.\"NoPart\""_s, u"gone.nopart"_s, u"app."_s, u"{\",\\"_s, QString() };
    QStringList mixed;
    for (qsizetype i = 0; i < notThere.size(); ++i) {
        mixed += notThere.at(i);
        mixed += there.mid(i, 1);
    }
    const auto session = open(m_cluster->conninfoAs(u"nobody"_s, u"seeds"_s));
    const auto found = namesOfRelations(*session, mixed);
    QVERIFY2(found.ok(), found.ok() ? "" : qPrintable(found.error().line()));
    QCOMPARE(*found, there);
    for (const QString &name : mixed) {
        QCOMPARE(readRelation(*session, name).ok(), there.contains(name));
    }
    QCOMPARE(*namesOfRelations(*session, {}), QStringList());
}

void BinderTest::relationNamesThatDoNotFit_data()
{
    QTest::addColumn<QString>("relation");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("none of that name") << u"app.nothing"_s << ErrorKind::MissingObject << u"app.nothing"_s;
    QTest::newRow("two of that name") << u"charges"_s << ErrorKind::Usage
                                      << u"\"seed002\".\"charges\", \"twice\".\"charges\""_s;
    QTest::newRow("not a name") << u"app.x; DROP TABLE app.customer_order"_s << ErrorKind::Usage << u"DROP"_s;
    QTest::newRow("a catalogue table") << u"pg_catalog.pg_authid"_s << ErrorKind::MissingObject << u"pg_authid"_s;
    QTest::newRow("empty") << QString() << ErrorKind::Usage << u"“”"_s;
}

void BinderTest::relationNamesThatDoNotFit()
{
    QFETCH(QString, relation);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, says);
    const auto read = readRelation(*m_session, relation);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().kind, kind);
    QVERIFY2(read.error().line().contains(says), qPrintable(read.error().line()));
}

void BinderTest::brokenExpressionsAreDropped_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("says");
    QTest::newRow("no such column") << u"t.nothing"_s << u"nothing"_s;
    QTest::newRow("not SQL") << u"t.claimed_by ||"_s << u"not one expression"_s;
    QTest::newRow("no such function") << u"app.nothing(t.claimed_by)"_s << u"nothing"_s;
    QTest::newRow("two columns") << u"t.claimed_by) AS a, (t.claimed_by"_s << u"closes"_s;
    QTest::newRow("another table") << u"(SELECT o.x FROM app.nothing o)"_s << u"nothing"_s;
    QTest::newRow("volatile function") << u"public.leaky(t.claimed_by)"_s << u"volatile"_s;
    QTest::newRow("volatile operator") << u"OPERATOR(public.##) t.claimed_by"_s << u"volatile"_s;
    QTest::newRow("volatile in a subquery")
        << u"(SELECT public.leaky(o.status) FROM app.customer_order o LIMIT 1)"_s << u"volatile"_s;
    QTest::newRow("volatile behind a constant")
        << u"CASE WHEN false THEN public.leaky('x') ELSE t.claimed_by END"_s << u"volatile"_s;
    QTest::newRow("a sequence") << u"nextval('public.seq')"_s << u"volatile"_s;
    QTest::newRow("set_config") << u"set_config('role', 'x', false)"_s << u"volatile"_s;
    QTest::newRow("large object") << u"lo_create(0)"_s << u"volatile"_s;
    QTest::newRow("advisory lock") << u"pg_advisory_lock(1)"_s << u"volatile"_s;
    QTest::newRow("sleep") << u"pg_sleep(100)"_s << u"volatile"_s;
    QTest::newRow("random") << u"random()"_s << u"volatile"_s;
    QTest::newRow("an aggregate") << u"max(t.claimed_by)"_s << u"aggregate"_s;
    QTest::newRow("several rows") << u"generate_series(1, 3)"_s << u"set-returning"_s;
}

void BinderTest::brokenExpressionsAreDropped()
{
    QFETCH(QString, sql);
    QFETCH(QString, says);
    Profile profile = *shippedProfile(u"plpgsql-request"_s);
    profile.roles[Role::Owner].sql = sql;
    profile.roles[Role::Owner].column.clear();
    profile.roles[Role::ErrorCode].sql = u"NULL::text"_s; // a constant beside it must not hide it
    profile.roles[Role::ErrorCode].column.clear();
    const auto target = bindTarget(*m_session, profile);
    QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().line() + target.error().detail));
    QVERIFY(!target->profile.has(Role::Owner));
    QVERIFY(!target->roleTypes.contains(Role::Owner));
    QVERIFY(target->profile.has(Role::Status));
    QCOMPARE(target->findings.size(), 1);
    QCOMPARE(target->findings.first().jsonPath, u"$.roles.owner"_s);
    QCOMPARE(target->findings.first().severity, Finding::Severity::Problem);
    QVERIFY2(target->findings.first().text.contains(says), qPrintable(target->findings.first().text));
    // What is stable stays: the clock is read as $now, and a harmless function is let through.
    profile.roles[Role::Owner].sql = u"public.fine(t.claimed_by) || (clock_timestamp() > t.claimed_at)::text"_s;
    QVERIFY(bindTarget(*m_session, profile)->findings.isEmpty());
}

void BinderTest::brokenExtrasAreFoundAndKept()
{
    Profile profile = *shippedProfile(u"plpgsql-request"_s);
    profile.businessReferences = { u"t.claimed_by"_s, u"public.leaky(t.claimed_by)"_s };
    profile.fingerprintRecipe = StoredRecipe { u"sha256(key + client + body as raw)"_s,
        { { u"key"_s, { true, u"t.nothing"_s } }, { u"client"_s, { true, u"t.claimed_by"_s } } } };
    const auto target = bindTarget(*m_session, profile);
    QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().line() + target.error().detail));
    QMap<QString, QString> found;
    for (const Finding &finding : target->findings) {
        found.insert(finding.jsonPath, finding.text);
    }
    QCOMPARE(found.keys(), (QStringList { u"$.business_reference[1]"_s, recipePartPath(u"key"_s) }));
    QVERIFY2(found.first().contains(u"volatile"_s), qPrintable(found.first()));
    QVERIFY2(found.last().contains(u"nothing"_s), qPrintable(found.last()));
    QCOMPARE(target->profile.businessReferences.size(), 2); // what cannot be planned must be seen to be missing
}

void BinderTest::essentialPartsAreErrors_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("where");
    QTest::newRow("key") << u"key"_s << ErrorKind::MissingObject << u"$.key"_s;
    QTest::newRow("key of a type without order") << u"json"_s << ErrorKind::Usage << u"$.key"_s;
    QTest::newRow("scope") << u"scope"_s << ErrorKind::MissingObject << u"$.scope[0]"_s;
    QTest::newRow("identity") << u"identity"_s << ErrorKind::MissingObject << u"$.identity"_s;
}

void BinderTest::essentialPartsAreErrors()
{
    QFETCH(QString, what);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, where);
    Profile profile = *shippedProfile(u"plpgsql-request"_s);
    if (what == u"key") {
        profile.key.sql = u"t.\"<img src=x>\""_s;
    } else if (what == u"json") {
        profile.key.sql = u"t.response_body::json"_s;
    } else if (what == u"scope") {
        profile.scope[0].value.sql = u"t.nothing"_s;
    } else {
        profile.identity = QStringList { u"gone"_s };
    }
    const auto target = bindTarget(*m_session, profile);
    QVERIFY(!target.ok());
    QCOMPARE(target.error().kind, kind);
    QCOMPARE(target.error().where, where);
    QVERIFY(!target.error().why.isEmpty() && !target.error().todo.isEmpty());
}

void BinderTest::oddTable()
{
    Profile profile;
    profile.name = u"odd"_s;
    profile.relation = u"\"Odd Schema\".\"In\"\"box; DROP TABLE x--\""_s;
    profile.identity = QStringList { u"Key"_s };
    profile.key.sql = u"t.\"Key\""_s;
    profile.roles[Role::Status].sql = u"t.status"_s;
    profile.roles[Role::CreatedAt] = { u"t.\"createdMs\""_s, TimeForm::EpochMs, {}, {}, {}, {} };
    profile.roles[Role::UpdatedAt].sql = u"t.naive"_s; // no form: wrong
    profile.roles[Role::ClaimedAt] = { u"t.naive"_s, TimeForm::Zone, u"Europe/Berlin"_s, {}, {}, {} };
    profile.roles[Role::Fingerprint].sql = u"t.d"_s;
    profile.roles[Role::Owner].sql = u"t.\"C\""_s;
    profile.roles[Role::ErrorCode].sql = u"t.\"Group\""_s;
    const auto target = bindTarget(*m_session, profile);
    QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().line() + target.error().detail));
    QCOMPARE(target->keyType.castType, u"ext.citext"_s);
    QCOMPARE(target->keyType.operatorSchema, u"ext"_s);
    QCOMPARE(target->identityTypes.first().operatorSchema, u"ext"_s);
    QCOMPARE(target->profile.key.column, u"Key"_s);
    QVERIFY(target->identityUnique);
    QCOMPARE(target->roleTypes.value(Role::Status).castType, u"\"Odd Schema\".\"St atus\""_s);
    QCOMPARE(target->roleTypes.value(Role::Status).enumLabels, (QStringList { u"b"_s, u"a\"x"_s, u"it's"_s }));
    QCOMPARE(target->roleTypes.value(Role::CreatedAt).typeName, u"int8"_s);
    QCOMPARE(target->roleTypes.value(Role::Fingerprint).castType, u"pg_catalog.\"varchar\""_s); // below the domain
    QCOMPARE(target->roleTypes.value(Role::Owner).codePointOrder, true);
    QCOMPARE(target->roleTypes.value(Role::ErrorCode).codePointOrder, false);
    QVERIFY(!target->profile.has(Role::UpdatedAt));
    QCOMPARE(target->findings.size(), 1);
    QVERIFY2(target->findings.first().text.contains(u"utc"), qPrintable(target->findings.first().text));
    for (const IndexFacts &index : target->relation.indexes) {
        if (index.name == u"odd ix") {
            QCOMPARE(index.columnNumbers.first(), 0);
            QCOMPARE(index.descending.first(), true);
            QCOMPARE(index.nullsFirst.first(), false);
            QCOMPARE(index.keyColumns, 2);
            QCOMPARE(index.columns.size(), 3);
            QVERIFY(!index.predicate.isEmpty());
        }
    }
    QVERIFY(target->relation.column(u"gen"_s)->generated);
}

void BinderTest::rights()
{
    const auto nobody = open(m_cluster->conninfoAs(u"nobody"_s, u"seeds"_s));
    const auto refused = bindTarget(*nobody, *shippedProfile(u"plpgsql-request"_s));
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Privilege);
    QVERIFY(refused.error().todo.contains(u"GRANT"));
    QCOMPARE(readRelations(*nobody)->size(), 0);

    const auto clerk = open(m_cluster->conninfoAs(u"clerk"_s, u"seeds"_s));
    const auto part = bindTarget(*clerk, *shippedProfile(u"plpgsql-request"_s));
    QVERIFY2(part.ok(), part.ok() ? "" : qPrintable(part.error().line() + part.error().detail));
    QVERIFY(part->profile.has(Role::Status));
    QVERIFY(!part->profile.has(Role::Owner));
    QVERIFY(!part->profile.has(Role::ResponseBody));
    QVERIFY(!part->profile.effects.isEmpty()); // customer_order may not be read, and each reading says so
    QVERIFY(part->profile.stale);
    const bool said = std::any_of(part->findings.begin(), part->findings.end(), [](const Finding &finding) {
        return finding.jsonPath == u"$.roles.owner" && finding.text.contains(u"may not read");
    });
    QVERIFY(said);
    QVERIFY(!part->relation.column(u"claimed_by"_s)->selectable);

    Profile other = *shippedProfile(u"plpgsql-request"_s);
    other.identity = QStringList { u"claimed_by"_s };
    const auto identity = bindTarget(*clerk, other);
    QVERIFY(!identity.ok());
    QCOMPARE(identity.error().kind, ErrorKind::Privilege);
}

void BinderTest::rightsAreToldAtOnceAsStatementsThatRun()
{
    m_cluster->psql(u"seeds"_s, uR"sql(
        CREATE SCHEMA "Odd side"; CREATE SCHEMA "Odd ""types"; CREATE SCHEMA calls;
        CREATE TYPE "Odd ""types".code AS ENUM ('a', 'b');
        CREATE FUNCTION calls.plain(text) RETURNS text IMMUTABLE LANGUAGE sql RETURN $1;
        REVOKE EXECUTE ON FUNCTION calls.plain(text) FROM PUBLIC;
        CREATE TABLE "Odd side"."Keys" (k text PRIMARY KEY, code "Odd ""types".code NOT NULL, at timestamptz);
        CREATE TABLE "Odd side"."The effect" (k text, id text);
        CREATE ROLE "Some-one" LOGIN)sql"_s);
    Profile profile;
    profile.name = u"odd"_s;
    profile.relation = u"\"Odd side\".\"Keys\""_s;
    profile.identity = QStringList { u"k"_s };
    profile.key.sql = u"t.k"_s;
    profile.roles[Role::Status].sql = u"t.code"_s;
    profile.roles[Role::ErrorCode].sql = u"calls.plain(t.k)"_s;
    profile.otherStates = KeyState::Unknown;
    profile.effects = { { u"eff"_s, true,
        u"SELECT e.id, NULL::timestamptz AS at, NULL::text AS state FROM \"Odd side\".\"The effect\" e WHERE e.k = t.k"_s,
        {} } };
    const auto login = open(m_cluster->conninfoAs(u"Some-one"_s, u"seeds"_s));
    const auto refused = bindTarget(*login, profile);
    QVERIFY(!refused.ok());
    const QString told = refused.error().todo;
    for (const QString &grant : { u"GRANT USAGE ON SCHEMA \"Odd side\" TO \"Some-one\";"_s,
             u"GRANT USAGE ON SCHEMA \"Odd \"\"types\" TO \"Some-one\";"_s,
             u"GRANT USAGE ON SCHEMA calls TO \"Some-one\";"_s,
             u"GRANT SELECT ON \"Odd side\".\"Keys\" TO \"Some-one\";"_s,
             u"GRANT SELECT ON \"Odd side\".\"The effect\" TO \"Some-one\";"_s,
             u"GRANT EXECUTE ON FUNCTION calls.plain(text) TO \"Some-one\";"_s }) {
        QVERIFY2(told.contains(grant), qPrintable(told));
    }
    // Where the table itself may be read, the same list stands among the findings, but for what was given.
    m_cluster->psql(u"seeds"_s,
        u"GRANT USAGE ON SCHEMA \"Odd side\" TO \"Some-one\"; GRANT SELECT ON \"Odd side\".\"Keys\" TO \"Some-one\""_s);
    const auto part = bindTarget(*login, profile);
    QVERIFY2(part.ok(), part.ok() ? "" : qPrintable(part.error().line()));
    const auto list = [](const Target &target) {
        for (const Finding &finding : target.findings) {
            if (finding.jsonPath == kRightsPath) {
                return finding.text;
            }
        }
        return QString();
    };
    const QString rest = list(*part);
    QVERIFY2(rest.contains(u"The effect"_s) && rest.contains(u"calls.plain"_s) && rest.contains(u"types"_s)
            && !rest.contains(u"\"Keys\""_s),
        qPrintable(rest));
    // It runs as it stands, and nothing lacks any more.
    m_cluster->psql(u"seeds"_s, rest.sliced(rest.indexOf(u"GRANT"_s)));
    const auto all = bindTarget(*login, profile);
    QVERIFY(all.ok());
    QVERIFY2(list(*all).isEmpty(), qPrintable(list(*all)));
    // All expressions can be planned, and yet values could not be cast to a column's type.
    m_cluster->psql(u"seeds"_s, u"REVOKE USAGE ON SCHEMA \"Odd \"\"types\" FROM \"Some-one\""_s);
    const auto types = bindTarget(*login, profile);
    QVERIFY(types.ok());
    QVERIFY2(
        list(*types).contains(u"GRANT USAGE ON SCHEMA \"Odd \"\"types\" TO \"Some-one\";"_s), qPrintable(list(*types)));
}

void BinderTest::rowSecurityAndViews()
{
    const auto clerk = open(m_cluster->conninfoAs(u"clerk"_s, u"seeds"_s));
    Profile outbox = *shippedProfile(u"plpgsql-outbox"_s);
    outbox.effects.clear();
    const auto hidden = bindTarget(*clerk, outbox);
    QVERIFY(hidden.ok());
    QVERIFY(hidden->relation.rowSecurity);
    QCOMPARE(hidden->findings.size(), 1);
    QVERIFY(hidden->findings.first().text.contains(u"part of its rows"));

    Profile view = *shippedProfile(u"plpgsql-request"_s);
    view.relation = u"app.request_view"_s;
    const auto read = bindTarget(*m_session, view);
    QVERIFY(read.ok());
    QVERIFY(!read->identityUnique);
    QCOMPARE(read->findings.size(), 2);
    Profile grouped = view;
    grouped.relation = u"app.grouped"_s;
    grouped.roles.clear();
    grouped.stale.reset();
    grouped.purge.clear();
    grouped.orders.clear();
    grouped.effects.clear();
    grouped.guard.clear();
    QVERIFY(bindTarget(*m_session, grouped).ok());
    Profile fleeting = *shippedProfile(u"plpgsql-request"_s);
    fleeting.relation = u"app.fleeting"_s;
    QVERIFY(bindTarget(*m_session, fleeting)->findings.first().text.contains(u"unlogged"));
}

void BinderTest::droppedTable()
{
    m_cluster->psql(u"seeds"_s, u"CREATE TABLE app.soon_gone (LIKE app.idempotency_request INCLUDING ALL)"_s);
    Profile profile = *shippedProfile(u"plpgsql-request"_s);
    profile.relation = u"app.soon_gone"_s;
    QVERIFY(bindTarget(*m_session, profile).ok());
    m_cluster->psql(u"seeds"_s, u"ALTER TABLE app.soon_gone DROP COLUMN locked_until"_s);
    const auto altered = bindTarget(*m_session, profile);
    QVERIFY(altered.ok());
    QVERIFY(!altered->profile.stale); // rather silent than wrong
    QVERIFY(!altered->profile.has(Role::LeaseUntil));
    m_cluster->psql(u"seeds"_s, u"DROP TABLE app.soon_gone"_s);
    const auto gone = bindTarget(*m_session, profile);
    QVERIFY(!gone.ok());
    QCOMPARE(gone.error().kind, ErrorKind::MissingObject);
}

void BinderTest::timeFormsCompareOnTheColumn_data()
{
    QTest::addColumn<Expression>("expression");
    QTest::addColumn<QString>("op");
    const QList<std::pair<const char *, Expression>> forms {
        { "epoch_ms", { u"t.\"createdMs\""_s, TimeForm::EpochMs, {}, {}, {}, {} } },
        { "epoch_s", { u"t.secs"_s, TimeForm::EpochS, {}, {}, {}, {} } },
        { "utc", { u"t.naive"_s, TimeForm::Utc, {}, {}, {}, {} } },
        { "zone", { u"t.naive"_s, TimeForm::Zone, u"America/New_York"_s, {}, {}, {} } },
        { "iso", { u"t.iso"_s, TimeForm::Iso, {}, {}, {}, {} } },
        { "epoch_ms later", { u"t.\"createdMs\""_s, TimeForm::EpochMs, {}, u"90s"_s, {}, {} } },
        { "utc earlier, with a condition", { u"t.naive"_s, TimeForm::Utc, {}, u"-2m"_s, u"t.secs % 2 = 0"_s, {} } },
    };
    for (const auto &[name, expression] : forms) {
        for (const QString &op : { u"<"_s, u"<="_s, u">"_s, u">="_s }) {
            QTest::addRow("%s %s", name, qPrintable(op)) << expression << op;
        }
    }
}

void BinderTest::timeFormsCompareOnTheColumn()
{
    QFETCH(Expression, expression);
    QFETCH(QString, op);
    // The rewritten comparison and the plain one must agree on every row, at moments between and on the stored ones.
    const QString table = u"\"Odd Schema\".\"In\"\"box; DROP TABLE x--\""_s;
    const QStringList moments { u"2025-11-13 02:16:00+00"_s, u"2025-11-13 02:15:00.007+00"_s,
        u"2025-11-13 02:15:00.0070001+00"_s, u"2025-11-13 07:16:40+00"_s, u"infinity"_s, u"-infinity"_s };
    for (const QString &moment : moments) {
        Statement statement;
        const QString at = statement.bind(moment) + u"::pg_catalog.timestamptz"_s;
        statement.sql
            = u"SELECT count(*) FILTER (WHERE a IS DISTINCT FROM b), count(*) FILTER (WHERE a) FROM (SELECT coalesce("_s
            + compareTime(expression, op, at) + u", false) AS a, coalesce(("_s + timestamptzSql(expression) + u") "_s
            + op + u" "_s + at + u", false) AS b FROM "_s + table + u" AS t) AS x"_s;
        const auto row = m_session->one(statement);
        QVERIFY2(row.ok(), row.ok() ? "" : qPrintable(row.error().detail));
        QCOMPARE(row->at(0).text, u"0"_s);
    }
    if (expression.form == TimeForm::Iso) {
        return;
    }
    QVERIFY(m_session->begin().ok());
    QVERIFY(m_session->run({ u"SET LOCAL enable_seqscan = off"_s, {} }).ok());
    const auto plan = m_session->all({ u"EXPLAIN SELECT 1 FROM "_s + table + u" AS t WHERE "_s
            + compareTime(expression, op, u"'2025-11-13 02:15:01+00'::timestamptz"_s),
        {} });
    m_session->rollback();
    QVERIFY(plan.ok());
    QString text;
    for (const Cells &line : *plan) {
        text += line.first().text + u'\n';
    }
    QVERIFY2(text.contains(u"Index Cond"), qPrintable(text));
}

void BinderTest::nothingVolatileHidesInAnEmptyPartitionedTable()
{
    Profile profile;
    profile.name = u"empty"_s;
    profile.relation = u"app.nopart"_s;
    profile.identity = QStringList { u"k"_s };
    profile.key.sql = u"t.k"_s;
    QVERIFY(bindTarget(*m_session, profile)->findings.isEmpty());
    profile.roles[Role::Owner].sql = u"public.leaky(t.k)"_s;
    const auto target = bindTarget(*m_session, profile);
    QVERIFY(target.ok());
    QCOMPARE(target->findings.size(), 1);
    QVERIFY(!target->profile.has(Role::Owner));
    profile.roles.clear();
    profile.key.sql = u"public.leaky(t.k)"_s;
    QVERIFY(!bindTarget(*m_session, profile).ok());
}

QTEST_GUILESS_MAIN(BinderTest)
#include "tst_binder.moc"
