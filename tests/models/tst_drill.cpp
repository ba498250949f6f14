// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/background.h"
#include "models/connection/connection_controller.h"
#include "models/drill/drill_controller.h"
#include "models/drill/drill_report.h"
#include "models/mapping/sql_to_confirm.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/console_fixture.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <atomic>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using models::DrillReport;
using models::DrillTestId;
using models::DrillVerdict;

Q_DECLARE_METATYPE(idemdesk::sql::Environment)
Q_DECLARE_METATYPE(idemdesk::sql::DrillSpec)

namespace {

/// Looks first and inserts then, compares no hash, and has no rule of the business: what a drill is there to find.
const QString kBroken = uR"(
CREATE TABLE app.loose_order (order_id uuid DEFAULT gen_random_uuid(), cart text);
CREATE FUNCTION app.create_order_loosely(p_key text, p_hash text, p_cart text) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE
    held app.idempotency_request;
    made uuid;
BEGIN
    SELECT r.* INTO held FROM app.idempotency_request r WHERE r.idempotency_scope = 'loose' AND r.idempotency_key = p_key;
    IF FOUND THEN
        RETURN held.response_body;
    END IF;
    PERFORM pg_sleep(0.05);
    INSERT INTO app.loose_order (cart) VALUES (p_cart) RETURNING order_id INTO made;
    INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, response_body, expires_at)
    VALUES ('loose', p_key, p_hash, 'succeeded', jsonb_build_object('orderId', made), now() + interval '1 day')
        ON CONFLICT DO NOTHING;
    RETURN jsonb_build_object('orderId', made);
END
$body$;
CREATE FUNCTION app.create_order_blindly(p_key text, p_hash text, p_cart text) RETURNS void LANGUAGE sql AS $body$
    INSERT INTO app.loose_order (cart) VALUES (p_cart);
    INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, expires_at)
    VALUES ('loose', p_key, p_hash, 'succeeded', now() + interval '1 day') ON CONFLICT DO NOTHING;
$body$;
CREATE TABLE app.fact (fact text PRIMARY KEY);
CREATE TABLE app.fact_key (key text PRIMARY KEY, fact text NOT NULL REFERENCES app.fact);)"_s;

sql::DrillSpec looseSpec()
{
    sql::DrillSpec spec;
    spec.perform = { u"SELECT app.create_order_loosely($key, $hash, $fact)"_s };
    spec.effects = u"SELECT count(*) FROM app.loose_order o WHERE o.cart = $fact"_s;
    spec.expire = u"DELETE FROM app.idempotency_request r WHERE r.idempotency_key = $key"_s;
    spec.cleanup = { u"DELETE FROM app.loose_order o WHERE o.cart = $fact"_s,
        u"DELETE FROM app.idempotency_request r WHERE r.idempotency_key = $key"_s };
    return spec;
}

/// The claim of the case office says how it ended; the work is the client's.
sql::DrillSpec claimSpec()
{
    const QString row = u"tenant_id = '00000000-0000-4000-8000-000000000001' AND operation_name = 'drill' AND "
                        "idempotency_key = $key"_s;
    sql::DrillSpec spec;
    spec.claim = u"SELECT * FROM seed003.claim_request('00000000-0000-4000-8000-000000000001', 'drill', $key, $hash)"_s;
    spec.claimed = { u"new"_s, u"again"_s };
    spec.perform = { u"INSERT INTO seed003.ledger_entry (ledger_entry_id, tenant_id, account_id, source_system, "
                     "source_operation_id, direction, amount_cents, currency_code) VALUES (gen_random_uuid(), "
                     "'00000000-0000-4000-8000-000000000001', $fact::uuid, 'drill', $fact, 'CREDIT', 100, 'EUR')"_s,
        u"UPDATE seed003.idempotency_request SET status = 'COMPLETED', response_code = 201, response_body = "
        "jsonb_build_object('for', $key), completed_at = now() WHERE "_s
            + row };
    spec.effects
        = u"SELECT count(*) FROM seed003.ledger_entry WHERE source_system = 'drill' AND source_operation_id = $fact"_s;
    spec.cleanup
        = { u"DELETE FROM seed003.ledger_entry WHERE source_system = 'drill' AND source_operation_id = $fact"_s,
              u"DELETE FROM seed003.idempotency_request WHERE "_s + row };
    return spec;
}

} // namespace

/// Drills on the services of the demo's schemas, and on one that is built wrong.
class DrillRunTest final : public QObject
{
    Q_OBJECT

private slots:
    void whatItRunsIsShownBefore();
    void initTestCase();
    void cleanupTestCase() { m_cluster.reset(); }
    void init() { comment(u"'Orders of the shop\nidemdesk: staging'"_s); }

    void theServicesOfTheSeedsPass_data();
    void theServicesOfTheSeedsPass();
    void whatIsBuiltWrongIsFound();
    void whatIsAllowedAfterExpiryIsNoFault();
    void noDrillRunsInProduction_data();
    void noDrillRunsInProduction();
    void withoutTheRightNothingIsDone();
    void aCleanupThatTakesTooMuchTakesNothing();
    void whoStopsItLeavesNothing();
    void whatAKilledOneLeftIsTold();
    void aLostConnectionIsTidiedUp();
    void aProfileDoesNotActForAPerson();
    void noPromiseIsSaidToHoldThatDoesNot_data();
    void noPromiseIsSaidToHoldThatDoesNot();
    void whatOthersMadeStays_data();
    void whatOthersMadeStays();
    void theWorkOfOneCommandIsBounded();
    void anotherDatabaseIsLeftAlone_data();
    void anotherDatabaseIsLeftAlone();
    void whatEndsTheTransactionEndsTheDrill_data();
    void whatEndsTheTransactionEndsTheDrill();
    void rowsThatOthersReferToGoLast();
    void aServiceThatWaitsForNobodyPasses();
    void whereNothingIsCountedNoDrillRuns();
    void reportsSayTheSame();
    void theControllerRunsOne();
    void whatALeftDrillLeftIsTold();
    void aDrillKeepsNoOtherWorkWaiting();

private:
    void comment(const QString &text) { m_cluster->psql(u"postgres"_s, u"COMMENT ON DATABASE postgres IS "_s + text); }
    QString value(const QString &sql) const { return Connection(m_cluster->conninfo(u"postgres"_s)).value(sql); }
    sql::ConnectionSettings settings(const QString &login = u"service"_s) const
    {
        sql::ConnectionSettings to;
        to.conninfo = m_cluster->conninfoAs(login, u"postgres"_s);
        return to;
    }
    sql::Target target(const QString &profile) const
    {
        sql::Session::Options options;
        const auto session = sql::Session::open(settings(), options);
        const auto bound = sql::bindTarget(**session, *sql::shippedProfile(profile));
        if (!bound) {
            qFatal("%s", qPrintable(bound.error().line() + bound.error().detail));
        }
        return *bound;
    }
    sql::Result<DrillReport> run(const QString &profile, const sql::DrillSpec &spec)
    {
        return models::DrillRunner(settings(), target(profile), spec).run({}, [](const models::DrillTest &) {});
    }
    static models::DrillResult result(const DrillReport &report, DrillTestId id)
    {
        for (const models::DrillResult &one : report.results) {
            if (one.test->id == id) {
                return one;
            }
        }
        qFatal("no such test");
        return {};
    }
    static void connectDrill(models::ConnectionController *connection, models::DrillController *drill)
    {
        connect(connection, &models::ConnectionController::databaseChanged, drill,
            [=] { drill->setDatabase(connection->database()); });
        connect(connection, &models::ConnectionController::targetsChanged, drill,
            [=] { drill->setTargets(connection->targets()); });
    }
    /// Connected to a database that is marked, with a table that has a drill.
    bool readyToRun(models::ConnectionController *connection, models::DrillController *drill) const
    {
        sql::ConnectionSettings marked = settings();
        marked.environment = sql::Environment::Development;
        drill->choose(u"plpgsql-request"_s);
        connection->connectTo(marked);
        return QTest::qWaitFor(
            [=] { return connection->targetsLoaded() && drill->whyNot().isEmpty() && drill->spec(); }, 20'000);
    }
    /// Whatever a drill could leave.
    QString left() const
    {
        return value(u"SELECT (SELECT count(*) FROM app.idempotency_request) + (SELECT count(*) FROM "
                     "app.customer_order) + (SELECT count(*) FROM app.outbox_event) + (SELECT count(*) FROM "
                     "app.processed_message) + (SELECT count(*) FROM app.loose_order) + (SELECT count(*) FROM "
                     "seed003.idempotency_request) + (SELECT count(*) FROM seed003.ledger_entry)"_s);
    }

    std::unique_ptr<TestCluster> m_cluster;
};

void DrillRunTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->psqlFile(u"postgres"_s, u"sql/demo/schema_001.sql"_s);
    m_cluster->psqlFile(u"postgres"_s, u"sql/demo/schema_003.sql"_s);
    m_cluster->psql(u"postgres"_s, kBroken);
    m_cluster->psql(u"postgres"_s,
        u"CREATE ROLE service LOGIN; CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA app, seed003 TO service, reader; "
        "GRANT SELECT ON ALL TABLES IN SCHEMA app, seed003 TO service, reader; GRANT INSERT, UPDATE, DELETE ON ALL "
        "TABLES IN SCHEMA app, seed003 TO service"_s);
}

void DrillRunTest::theServicesOfTheSeedsPass_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<bool>("claims");
    QTest::addColumn<int>("passed");
    QTest::newRow("orders that are made once") << u"plpgsql-request"_s << false << 7;
    QTest::newRow("messages that are taken once") << u"plpgsql-message"_s << false << 6;
    QTest::newRow("a claim, and the client's own work") << u"command-request"_s << true << 6;
}

void DrillRunTest::theServicesOfTheSeedsPass()
{
    QFETCH(QString, profile);
    QFETCH(bool, claims);
    QFETCH(int, passed);
    const auto report = run(profile, claims ? claimSpec() : *sql::shippedProfile(profile)->drill);
    QVERIFY2(report.ok(), report ? "" : qPrintable(report.error().line() + report.error().detail));
    QCOMPARE(report->results.size(), qsizetype(8));
    QString said;
    for (const models::DrillResult &one : report->results) {
        said += QString::fromLatin1(one.test->name) + u": "_s + models::drillVerdictName(one.verdict) + u": "_s
            + one.seen + u'\n';
    }
    QVERIFY2(report->count(DrillVerdict::Failed) == 0, qPrintable(said));
    QVERIFY2(report->count(DrillVerdict::Passed) == passed, qPrintable(said));
    QVERIFY2(report->left.isEmpty(), qPrintable(report->left.join(u'\n')));
    QCOMPARE(report->environment, sql::Environment::Staging);
    QCOMPARE(left(), u"0"_s);
}

void DrillRunTest::whatIsBuiltWrongIsFound()
{
    const auto report = run(u"plpgsql-request"_s, looseSpec());
    QVERIFY2(report.ok(), report ? "" : qPrintable(report.error().line()));
    const auto verdict = [&report](DrillTestId id) { return result(*report, id).verdict; };
    QVERIFY2(verdict(DrillTestId::Twice) == DrillVerdict::Passed, qPrintable(result(*report, DrillTestId::Twice).seen));
    QCOMPARE(verdict(DrillTestId::AtOnce), DrillVerdict::Failed);
    QVERIFY2(!result(*report, DrillTestId::AtOnce).seen.contains(u" 1 effect."_s),
        qPrintable(result(*report, DrillTestId::AtOnce).seen));
    QCOMPARE(verdict(DrillTestId::OtherPayload), DrillVerdict::Failed);
    QVERIFY(result(*report, DrillTestId::OtherPayload).seen.contains(u"answer of the first payload"_s));
    QCOMPARE(verdict(DrillTestId::Crash), DrillVerdict::Passed);
    QCOMPARE(verdict(DrillTestId::Replay), DrillVerdict::Passed);
    QCOMPARE(verdict(DrillTestId::Expiry), DrillVerdict::Failed);
    QCOMPARE(verdict(DrillTestId::TwoKeys), DrillVerdict::Failed);
    QCOMPARE(left(), u"0"_s); // the doubles, too
}

void DrillRunTest::whatIsAllowedAfterExpiryIsNoFault()
{
    sql::DrillSpec spec = looseSpec();
    spec.runsAgain = true;
    auto report = run(u"plpgsql-request"_s, spec);
    QVERIFY(report.ok());
    QCOMPARE(result(*report, DrillTestId::Expiry).verdict, DrillVerdict::Passed);
    spec.expire.clear();
    report = run(u"plpgsql-request"_s, spec);
    QCOMPARE(result(*report, DrillTestId::Expiry).verdict, DrillVerdict::NotApplicable);
}

void DrillRunTest::noDrillRunsInProduction_data()
{
    QTest::addColumn<QString>("comment");
    QTest::addColumn<sql::Environment>("environment");
    QTest::addColumn<bool>("readOnly");
    const QString staging = u"'idemdesk: staging'"_s;
    QTest::newRow("where the owner says nothing") << u"NULL"_s << sql::Environment::Development << false;
    QTest::newRow("where the owner says production")
        << u"'idemdesk: production'"_s << sql::Environment::Development << false;
    QTest::newRow("where the word stands in another sentence")
        << u"'not idemdesk: staging'"_s << sql::Environment::Development << false;
    QTest::newRow("on a connection marked so") << staging << sql::Environment::Production << false;
    QTest::newRow("where two lines say it")
        << u"'idemdesk: production\nidemdesk: staging'"_s << sql::Environment::Development << false;
    QTest::newRow("on a connection that only reads") << staging << sql::Environment::Staging << true;
}

void DrillRunTest::noDrillRunsInProduction()
{
    QFETCH(QString, comment);
    QFETCH(sql::Environment, environment);
    QFETCH(bool, readOnly);
    this->comment(comment);
    sql::ConnectionSettings to = settings();
    to.environment = environment;
    to.readOnly = readOnly;
    bool began = false;
    const auto report = models::DrillRunner(to, target(u"plpgsql-request"_s), looseSpec())
                            .run({}, [&began](const models::DrillTest &) { began = true; });
    QVERIFY(!report.ok() && !began);
    QCOMPARE(report.error().what, u"No drill runs here."_s);
    QVERIFY(!report.error().why.isEmpty() && !report.error().todo.isEmpty());
    QCOMPARE(left(), u"0"_s);
}

void DrillRunTest::withoutTheRightNothingIsDone()
{
    const auto report = models::DrillRunner(settings(u"reader"_s), target(u"plpgsql-request"_s), looseSpec())
                            .run({}, [](const auto &) {});
    QVERIFY(!report.ok()); // no promise is broken
    QCOMPARE(report.error().kind, sql::ErrorKind::Refused);
    QVERIFY2(report.error().why.contains(u"42501"_s) && report.error().todo.contains(u"login"_s),
        qPrintable(report.error().line()));
    QCOMPARE(left(), u"0"_s);
}

void DrillRunTest::aCleanupThatTakesTooMuchTakesNothing()
{
    m_cluster->psql(u"postgres"_s, u"INSERT INTO app.loose_order (cart) SELECT 'kept' FROM generate_series(1, 2000)"_s);
    const auto tidy = qScopeGuard([this] {
        m_cluster->psql(u"postgres"_s, u"DELETE FROM app.loose_order; DELETE FROM app.idempotency_request"_s);
    });
    sql::DrillSpec spec = looseSpec();
    spec.cleanup = { u"DELETE FROM app.loose_order o WHERE o.cart IN ('kept', $fact)"_s };
    const auto report = run(u"plpgsql-request"_s, spec);
    QVERIFY(report.ok());
    QVERIFY(!report->left.isEmpty());
    QVERIFY2(report->left.constFirst().contains(u"took none"_s), qPrintable(report->left.constFirst()));
    QVERIFY(report->left.constFirst().contains(u"idemdesk-drill-"_s + report->run));
    QCOMPARE(value(u"SELECT count(*) FROM app.loose_order WHERE cart = 'kept'"_s), u"2000"_s);
}

void DrillRunTest::whoStopsItLeavesNothing()
{
    std::stop_source stop;
    const auto report = models::DrillRunner(settings(), target(u"plpgsql-request"_s), looseSpec())
                            .run(stop.get_token(), [&stop](const models::DrillTest &test) {
                                if (test.id == DrillTestId::AtOnce) {
                                    stop.request_stop();
                                }
                            });
    QVERIFY(report.ok());
    QVERIFY(report->stopped);
    QCOMPARE(report->results.size(), qsizetype(2));
    QCOMPARE(left(), u"0"_s);
}

void DrillRunTest::whatAKilledOneLeftIsTold()
{
    m_cluster->psql(u"postgres"_s,
        u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, expires_at) "
        "VALUES ('old', 'idemdesk-drill-0a1b2c3d-twice', 'x', 'succeeded', now() + interval '1 day')"_s);
    const auto tidy = qScopeGuard([this] { m_cluster->psql(u"postgres"_s, u"DELETE FROM app.idempotency_request"_s); });
    const auto report = run(u"plpgsql-request"_s, looseSpec());
    QVERIFY(report.ok());
    QVERIFY2(report->left.value(0).contains(u"An earlier drill left 1 row"_s), qPrintable(report->left.join(u'\n')));
    QCOMPARE(left(), u"1"_s); // another's rows are not its own
}

void DrillRunTest::aLostConnectionIsTidiedUp()
{
    sql::DrillSpec spec = looseSpec();
    // The first command is committed; counting its effects then ends the session.
    spec.effects = u"SELECT count(*) FROM app.loose_order o, (SELECT pg_terminate_backend(pg_backend_pid())) x WHERE "
                   "o.cart = $fact AND NOT EXISTS (SELECT FROM app.customer_order)"_s;
    auto report = run(u"plpgsql-request"_s, spec);
    QVERIFY(!report.ok());
    QCOMPARE(report.error().kind, sql::ErrorKind::ConnectionLost);
    QVERIFY2(report.error().todo.contains(u"idemdesk-drill-"_s), qPrintable(report.error().line()));
    QCOMPARE(left(), u"0"_s); // only whether all is gone could not be counted
}

void DrillRunTest::aProfileDoesNotActForAPerson()
{
    // As the console's own functions do: what stands within another statement is refused.
    m_cluster->psql(u"postgres"_s,
        u"CREATE OR REPLACE FUNCTION app.acts() RETURNS text LANGUAGE plpgsql AS $body$ BEGIN RETURN CASE WHEN "
        "current_query() ~* '^\\s*(/[*][^*]*[*]/\\s*)?SELECT\\s' THEN 'acted' ELSE 'refused' END; END $body$"_s);
    sql::DrillSpec spec = looseSpec();
    spec.perform = { u"SELECT app.acts()"_s };
    sql::Session::Options options;
    options.lane = sql::LaneKind::Write;
    options.readOnly = false;
    const auto session = sql::Session::open(settings(), options);
    QVERIFY(session.ok());
    const auto answer = sql::drillPerform(**session, spec, { u"k"_s, u"f"_s, u"{}"_s });
    QVERIFY(answer.ok());
    QCOMPARE(answer->text, u"refused"_s);
}

void DrillRunTest::noPromiseIsSaidToHoldThatDoesNot_data()
{
    QTest::addColumn<sql::DrillSpec>("spec");
    QTest::addColumn<int>("test");
    const sql::DrillSpec good = *sql::shippedProfile(u"plpgsql-request"_s)->drill;
    sql::DrillSpec spec = good;
    spec.expire = u"DELETE FROM app.idempotency_request r WHERE r.idempotency_key = $key || 'x'"_s;
    QTest::newRow("a key that never expired") << spec << int(DrillTestId::Expiry);
    spec = good;
    spec.perform = { u"SELECT app.create_order_once('p:' || $key, $hash, gen_random_uuid(), $fact, 10.00, 'drill')"_s };
    spec.cleanup += u"DELETE FROM app.outbox_event e WHERE e.idempotency_key = 'p:' || $key"_s;
    spec.cleanup += u"DELETE FROM app.idempotency_request r WHERE r.idempotency_key = 'p:' || $key"_s;
    QTest::newRow("a key that the table does not hold") << spec << -1;
    spec = looseSpec();
    spec.effects = u"SELECT count(*) FROM app.idempotency_request r WHERE r.idempotency_key = $key"_s;
    QTest::newRow("two effects that are counted by their keys") << spec << int(DrillTestId::TwoKeys);
    spec = looseSpec();
    spec.claim = u"SELECT CASE WHEN EXISTS (SELECT FROM app.idempotency_request r WHERE r.idempotency_key = $key) THEN "
                 "'replay' ELSE 'new' END"_s;
    spec.claimed = { u"new"_s };
    QTest::newRow("a claim that compares no payload") << spec << int(DrillTestId::OtherPayload);
    spec = looseSpec();
    spec.perform = {
        u"SELECT CASE WHEN coalesce(current_setting('drill.seen', true), '') NOT LIKE '%' || $key || '%' "
        "THEN app.create_order_blindly($key, $hash, $fact) END"_s,
        u"SELECT pg_catalog.set_config('drill.seen', coalesce(current_setting('drill.seen', true), '') || $key, false)"_s
    };
    QTest::newRow("a service that remembers in its session") << spec << int(DrillTestId::Twice);
}

void DrillRunTest::noPromiseIsSaidToHoldThatDoesNot()
{
    QFETCH(sql::DrillSpec, spec);
    QFETCH(int, test);
    const auto tidy = qScopeGuard([this] {
        m_cluster->psql(u"postgres"_s, u"DELETE FROM app.loose_order; DELETE FROM app.idempotency_request"_s);
    });
    const auto report = run(u"plpgsql-request"_s, spec);
    QVERIFY2(report.ok() == (test >= 0), report ? "" : qPrintable(report.error().line() + report.error().detail));
    if (test < 0) {
        QVERIFY(!report.ok());
        QCOMPARE(report.error().what, u"No test was run."_s);
        return;
    }
    const models::DrillResult found = result(*report, static_cast<DrillTestId>(test));
    QVERIFY2(found.verdict == DrillVerdict::Failed, qPrintable(found.seen));
}

void DrillRunTest::whatOthersMadeStays_data()
{
    QTest::addColumn<QStringList>("cleanup");
    QTest::addColumn<QString>("expire");
    const QStringList own = looseSpec().cleanup;
    QTest::newRow("taken within a query") << QStringList {
        u"WITH d AS (DELETE FROM app.loose_order o WHERE o.cart IN ('kept', $fact) RETURNING 1) SELECT "
        "count(*) FROM d"_s
    } << QString();
    QTest::newRow("taken by a function") << QStringList { u"SELECT app.take_all($fact)"_s } << QString();
    // TRUNCATE sets the counters of the transaction back.
    QTest::newRow("taken as a whole") << QStringList { u"SELECT app.empty_it()"_s } << QString();
    QTest::newRow("taken when keys expire")
        << own << u"DELETE FROM app.loose_order o WHERE o.cart IN ('kept', $fact)"_s;
}

void DrillRunTest::whatOthersMadeStays()
{
    QFETCH(QStringList, cleanup);
    QFETCH(QString, expire);
    m_cluster->psql(u"postgres"_s,
        u"INSERT INTO app.loose_order (cart) SELECT 'kept' FROM generate_series(1, 60); CREATE OR REPLACE FUNCTION "
        "app.take_all(p_fact text) RETURNS void LANGUAGE sql AS 'DELETE FROM app.loose_order'; CREATE OR REPLACE "
        "FUNCTION app.empty_it() "
        "RETURNS void LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM app.loose_order; TRUNCATE app.loose_order'"_s);
    const auto tidy = qScopeGuard([this] {
        m_cluster->psql(u"postgres"_s, u"DELETE FROM app.loose_order; DELETE FROM app.idempotency_request"_s);
    });
    sql::DrillSpec spec = looseSpec();
    spec.cleanup = cleanup;
    spec.expire = expire.isEmpty() ? spec.expire : expire;
    const auto report = run(u"plpgsql-request"_s, spec);
    const QString said = report ? report->left.join(u' ') : report.error().line();
    QVERIFY2(said.contains(u"took none"_s) || said.contains(u"taken 6"_s), qPrintable(said));
    QCOMPARE(value(u"SELECT count(*) FROM app.loose_order WHERE cart = 'kept'"_s), u"60"_s);
}

void DrillRunTest::theWorkOfOneCommandIsBounded()
{
    m_cluster->psql(u"postgres"_s, u"INSERT INTO app.loose_order (cart) SELECT 'kept' FROM generate_series(1, 200)"_s);
    const auto tidy = qScopeGuard([this] {
        m_cluster->psql(u"postgres"_s, u"DELETE FROM app.loose_order; DELETE FROM app.idempotency_request"_s);
    });
    sql::DrillSpec spec = looseSpec();
    spec.perform += u"DELETE FROM app.loose_order o WHERE o.cart = 'kept' AND $key IS NOT NULL"_s;
    const auto report = run(u"plpgsql-request"_s, spec);
    const QString said = report ? report->left.join(u' ') : report.error().line();
    QVERIFY2(said.contains(u"changed 200 rows, so nothing was kept"_s), qPrintable(said));
    QCOMPARE(value(u"SELECT count(*) FROM app.loose_order WHERE cart = 'kept'"_s), u"200"_s);
}

/// What a foreign table takes is counted elsewhere.
void DrillRunTest::anotherDatabaseIsLeftAlone_data()
{
    QTest::addColumn<bool>("cleanup");
    QTest::newRow("by the cleanup") << true;
    QTest::newRow("by the work") << false;
}

void DrillRunTest::anotherDatabaseIsLeftAlone()
{
    QFETCH(bool, cleanup);
    m_cluster->psql(u"postgres"_s, u"CREATE DATABASE elsewhere"_s);
    m_cluster->psql(
        u"elsewhere"_s, u"CREATE TABLE pay AS SELECT i FROM generate_series(1, 50) i; GRANT ALL ON pay TO service"_s);
    m_cluster->psql(u"postgres"_s,
        u"CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%1', port "
        "'%2', dbname 'elsewhere'); CREATE USER MAPPING FOR service SERVER far OPTIONS (user 'service', "
        "password_required 'false'); CREATE FOREIGN TABLE app.far_pay (i int) SERVER far OPTIONS (schema_name "
        "'public', table_name 'pay'); GRANT ALL ON app.far_pay TO service"_s.arg(
            value(u"SHOW unix_socket_directories"_s), value(u"SHOW port"_s)));
    const auto tidy = qScopeGuard([this] {
        m_cluster->psql(u"postgres"_s,
            u"DELETE FROM app.loose_order; DELETE FROM app.idempotency_request; DROP EXTENSION postgres_fdw CASCADE"_s);
        m_cluster->psql(u"postgres"_s, u"DROP DATABASE elsewhere WITH (FORCE)"_s);
    });
    sql::DrillSpec spec = looseSpec();
    (cleanup ? spec.cleanup : spec.perform) += u"DELETE FROM app.far_pay WHERE $key IS NOT NULL"_s;
    const auto report = run(u"plpgsql-request"_s, spec);
    const QString said = report ? report->left.join(u' ') : report.error().line();
    QVERIFY2(said.contains(u"writes to another database (app.far_pay)"_s), qPrintable(said));
    QCOMPARE(Connection(m_cluster->conninfo(u"elsewhere"_s)).value(u"SELECT count(*) FROM pay"_s), u"50"_s);
}

void DrillRunTest::whatEndsTheTransactionEndsTheDrill_data()
{
    QTest::addColumn<bool>("claim");
    QTest::newRow("in the claim") << true;
    QTest::newRow("in the work") << false;
}

void DrillRunTest::whatEndsTheTransactionEndsTheDrill()
{
    const auto tidy = qScopeGuard([this] {
        m_cluster->psql(u"postgres"_s, u"DELETE FROM app.loose_order; DELETE FROM app.idempotency_request"_s);
    });
    QFETCH(bool, claim);
    sql::DrillSpec spec = looseSpec();
    if (claim) {
        spec.claim = u"COMMIT"_s;
        spec.claimed = { QString() };
    } else {
        spec.perform += u"COMMIT"_s;
    }
    const auto report = run(u"plpgsql-request"_s, spec);
    QVERIFY(!report.ok());
    QVERIFY2(report.error().what.contains(u"ended the transaction"_s), qPrintable(report.error().line()));
    QCOMPARE(left(), u"0"_s);
}

/// Two keys of one fact: the row of the fact can go only when both keys are gone.
void DrillRunTest::rowsThatOthersReferToGoLast()
{
    sql::DrillSpec spec;
    spec.perform = { u"INSERT INTO app.fact VALUES ($fact) ON CONFLICT DO NOTHING"_s,
        u"INSERT INTO app.fact_key VALUES ($key, $fact) ON CONFLICT DO NOTHING"_s,
        u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, expires_at) "
        "VALUES ('fact', $key, $hash, 'succeeded', now() + interval '1 day') ON CONFLICT DO NOTHING"_s };
    spec.effects = u"SELECT count(*) FROM app.fact f WHERE f.fact = $fact"_s;
    spec.cleanup
        = { u"DELETE FROM app.fact_key k WHERE k.key = $key"_s, u"DELETE FROM app.fact f WHERE f.fact = $fact"_s,
              u"DELETE FROM app.idempotency_request r WHERE r.idempotency_key = $key"_s };
    const auto report = run(u"plpgsql-request"_s, spec);
    QVERIFY2(report.ok(), report ? "" : qPrintable(report.error().line()));
    QVERIFY2(report->left.isEmpty(), qPrintable(report->left.join(u'\n')));
    QCOMPARE(result(*report, DrillTestId::TwoKeys).verdict, DrillVerdict::Passed);
    QCOMPARE(value(u"SELECT (SELECT count(*) FROM app.fact) + (SELECT count(*) FROM app.fact_key)"_s), u"0"_s);
    QCOMPARE(left(), u"0"_s);
}

/// A client that is gone is rolled back before its retry comes.
void DrillRunTest::aServiceThatWaitsForNobodyPasses()
{
    sql::DrillSpec spec = *sql::shippedProfile(u"plpgsql-request"_s)->drill;
    spec.perform.prepend(u"SELECT 1 / pg_try_advisory_xact_lock(hashtext($key))::int"_s);
    const auto report = run(u"plpgsql-request"_s, spec);
    QVERIFY2(report.ok(), report ? "" : qPrintable(report.error().line()));
    const models::DrillResult crash = result(*report, DrillTestId::Crash);
    QVERIFY2(crash.verdict == DrillVerdict::Passed, qPrintable(crash.seen));
    QCOMPARE(left(), u"0"_s);
}

void DrillRunTest::whereNothingIsCountedNoDrillRuns()
{
    m_cluster->psql(u"postgres"_s, u"ALTER DATABASE postgres SET track_counts TO off"_s);
    const auto back
        = qScopeGuard([this] { m_cluster->psql(u"postgres"_s, u"ALTER DATABASE postgres RESET track_counts"_s); });
    const auto report = run(u"plpgsql-request"_s, looseSpec());
    QVERIFY(!report.ok());
    QVERIFY2(report.error().todo.contains(u"track_counts"_s), qPrintable(report.error().line()));
    QCOMPARE(left(), u"0"_s);
}

void DrillRunTest::reportsSayTheSame()
{
    const auto report = run(u"plpgsql-request"_s, looseSpec());
    QVERIFY(report.ok());
    const QString html = models::drillHtml(*report);
    const QJsonObject json = models::drillJson(*report);
    QCOMPARE(json.value(u"tests"_s).toArray().size(), qsizetype(8));
    QCOMPARE(json.value(u"failed"_s).toInteger(), report->count(DrillVerdict::Failed));
    for (const models::DrillResult &one : report->results) {
        QVERIFY2(html.contains(models::drillText(one.test->title).toHtmlEscaped()), one.test->name);
    }
    const QTemporaryDir folder;
    for (const char *name : { "d.pdf", "d.html", "d.json" }) {
        const QString path = folder.filePath(QString::fromLatin1(name));
        QVERIFY(models::writeDrill(*report, path).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly) && file.size() > 1'000);
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }
}

void DrillRunTest::theControllerRunsOne()
{
    models::ConnectionController connection({});
    models::DrillController drill;
    connectDrill(&connection, &drill);
    QVERIFY(!drill.whyNot().isEmpty());
    connection.connectTo(settings());
    QTRY_VERIFY_WITH_TIMEOUT(connection.targetsLoaded(), 20'000);
    drill.choose(u"plpgsql-request"_s);
    QVERIFY(drill.spec());
    QVERIFY2(drill.whyNot().contains(u"not marked"_s), qPrintable(drill.whyNot()));
    drill.start();
    QVERIFY(!drill.busy()); // an unmarked connection may be anything
    QVERIFY(readyToRun(&connection, &drill));
    drill.start();
    QVERIFY(drill.busy());
    QTRY_VERIFY_WITH_TIMEOUT(!drill.busy(), 60'000);
    QVERIFY2(drill.report().has_value(), drill.error() ? qPrintable(drill.error()->line()) : "");
    QCOMPARE(drill.report()->count(DrillVerdict::Failed), qsizetype(0));
    drill.choose(u"plpgsql-message"_s);
    QVERIFY(!drill.report()); // it was another table's
    // The owner's word counts for the window, too.
    comment(u"NULL"_s);
    drill.start();
    QTRY_VERIFY_WITH_TIMEOUT(!drill.busy(), 60'000);
    QVERIFY(drill.error());
    QCOMPARE(left(), u"0"_s);
}

/// The person went to another database while it ran: what it could not take away is still told.
void DrillRunTest::whatALeftDrillLeftIsTold()
{
    const auto tidy = qScopeGuard([this] {
        m_cluster->psql(u"postgres"_s,
            u"DROP TRIGGER stays ON app.customer_order; DELETE FROM app.outbox_event; DELETE FROM app.customer_order; "
            "DELETE FROM app.idempotency_request"_s);
    });
    m_cluster->psql(u"postgres"_s,
        u"CREATE OR REPLACE FUNCTION app.stays() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN RAISE EXCEPTION "
        "'orders stay'; END $body$; CREATE TRIGGER stays BEFORE DELETE ON app.customer_order FOR EACH ROW EXECUTE "
        "FUNCTION app.stays()"_s);
    models::ConnectionController connection({});
    models::DrillController drill;
    connectDrill(&connection, &drill);
    QVERIFY(readyToRun(&connection, &drill));
    drill.start();
    QTRY_VERIFY_WITH_TIMEOUT(drill.running() != nullptr, 20'000); // it has begun
    drill.setDatabase(nullptr);
    QVERIFY(!drill.busy());
    QTRY_VERIFY_WITH_TIMEOUT(!drill.leftBehind().isEmpty(), 60'000);
    const QString told = drill.leftBehind().join(u'\n');
    QVERIFY2(told.contains(u"orders stay"_s) && told.contains(u"idemdesk-drill-"_s), qPrintable(told));
    QVERIFY(!drill.report() && !drill.error()); // that is of the database that is shown
}

void DrillRunTest::aDrillKeepsNoOtherWorkWaiting()
{
    models::ConnectionController connection({});
    models::DrillController drill;
    connectDrill(&connection, &drill);
    QVERIFY(readyToRun(&connection, &drill));
    QThreadPool *pool = QThreadPool::globalInstance();
    const int threads = pool->maxThreadCount();
    const auto back = qScopeGuard([pool, threads] { pool->setMaxThreadCount(threads); });
    pool->setMaxThreadCount(1);
    Connection other(m_cluster->conninfo(u"postgres"_s));
    QVERIFY(other.run(u"BEGIN; LOCK TABLE app.idempotency_request"_s).ok());
    drill.start();
    QTRY_COMPARE_WITH_TIMEOUT(
        value(u"SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name LIKE 'idemdesk drill%' AND "
              "wait_event_type = 'Lock'"_s),
        u"t"_s, 20'000);
    std::atomic_bool done = false;
    models::inBackground([&done] { done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(done.load(), 20'000);
    QVERIFY(drill.busy());
    drill.stop();
    QVERIFY(other.run(u"ROLLBACK"_s).ok());
    QTRY_VERIFY_WITH_TIMEOUT(!drill.busy(), 60'000);
    QVERIFY2(drill.report() && drill.report()->stopped, drill.error() ? qPrintable(drill.error()->line()) : "");
    QVERIFY(drill.report()->results.size() < qsizetype(models::drillTests().size()));
    QCOMPARE(left(), u"0"_s);
}

/// Whoever opens a profile's file confirms all of its SQL, and this is run for good.
void DrillRunTest::whatItRunsIsShownBefore()
{
    for (const sql::Profile &profile : sql::shippedProfiles()) {
        if (!profile.drill) {
            continue;
        }
        const QStringList shown = models::expressionsOf(profile);
        const sql::DrillSpec &drill = *profile.drill;
        const QStringList statements
            = QStringList { drill.claim, drill.effects, drill.expire } + drill.perform + drill.cleanup;
        for (const QString &statement : statements) {
            QVERIFY2(statement.isEmpty() || shown.contains(statement), qPrintable(statement));
            QVERIFY(models::confirmationText(profile).contains(u"drill, run and committed"_s));
        }
    }
}

QTEST_MAIN(DrillRunTest)

#include "tst_drill.moc"
