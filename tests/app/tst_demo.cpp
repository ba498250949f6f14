// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cluster/private_cluster.h"
#include "app/demo/demo.h"
#include "app/demo/demo_link.h"
#include "app/demo/workload.h"
#include "sql/actions/registration.h"
#include "sql/cache/cache_comparison.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

using namespace Qt::StringLiterals;
namespace sql = idemdesk::sql;
using idemdesk::app::Demo;
using idemdesk::app::DemoLink;
using idemdesk::app::DemoStatus;
using idemdesk::app::DemoStep;
using idemdesk::app::PrivateCluster;

namespace {

/// Half of the rows; the other half is made at the same time.
const QString kPayments = u"Making a month of payments"_s;

bool alive(qint64 pid)
{
    return pid > 0 && kill(static_cast<pid_t>(pid), 0) == 0;
}

} // namespace

/// The demo as a whole: one cluster for all tests, each leaves it running with its services.
class DemoTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void everyTableHasItsRows_data();
    void everyTableHasItsRows();
    void noTableIsForgotten();
    void storiesAreThere_data();
    void storiesAreThere();
    void timesLieBehindUs();
    void consoleRoleReadsAndDoesNotWrite();
    void servicesMoveEveryPage_data();
    void servicesMoveEveryPage();
    void troubleReachesTheServerLog_data();
    void troubleReachesTheServerLog();
    void theCacheDisagreesInEveryWay();
    void theProvidersFileIsThere();
    void startAgainChangesNothing();
    void stopLeavesNothingBehind();
    void cutLoadIsMadeAnew();
    void killedStartsAreMadeAnew();
    void stoppedStartLeavesNothing_data();
    void stoppedStartLeavesNothing();
    void dataOfAnotherServerAreMadeAnew();
    void servicesEndWithTheirServer();
    void ownServerOutlivesItsStarterAndIsNeverRoots();
    void strangersFolderIsRefused();
    void withoutRedisItStartsAllTheSame();
    void staleHistoryIsMadeAnew();
    void cleanupTestCase();

private:
    /// Starts a demo, and stops that as soon as it is at a step; why it did not end so, or what is left of it.
    QString stoppedAt(const QString &step, const QString &folder, bool workload = false) const;
    QString value(const QByteArray &sql, const QString &role = u"demo_operator"_s);
    Demo::Options tied(bool workload = true) const
    {
        return { .life = Demo::Life::Tied, .workload = workload, .progress = {} };
    }

    QString m_folder;
};

QString DemoTest::value(const QByteArray &sql, const QString &role)
{
    DemoLink link;
    const QString info = u"host='%1' port=5432 dbname=%2 user=%3"_s.arg(
        m_folder, role.startsWith(u"demo_"_s) ? u"demo"_s : u"postgres"_s, role);
    if (const auto opened = link.open(info, "test"); !opened) {
        return u"error "_s + opened.error().why;
    }
    const auto rows = link.run(sql);
    if (!rows) {
        return u"error "_s + rows.error().sqlState;
    }
    return rows->isEmpty() ? QString() : QString::fromUtf8(rows->first().first());
}

void DemoTest::initTestCase()
{
    m_folder = idemdesk::tests::freshFolder();
    QVERIFY(!Demo(m_folder).status().running);
    QList<DemoStep> said;
    qsizetype most = 0;
    Demo::Options options = tied();
    options.progress = [&](const QList<DemoStep> &steps) {
        said = steps;
        most = std::max(most, std::count_if(steps.cbegin(), steps.cend(), [](const DemoStep &step) {
            return step.state == DemoStep::State::Running;
        }));
    };
    QElapsedTimer timer;
    timer.start();
    const auto started = Demo(m_folder).start(options);
    QVERIFY2(started.ok(),
        started.ok() ? "" : qPrintable(started.error().line() + started.error().where + started.error().detail));
    qInfo("first start took %lld ms", timer.elapsed());
    QVERIFY(started->running && started->loaded && started->workload);
    QVERIFY(alive(started->serverPid) && alive(started->workloadPid));
    QCOMPARE(started->folder, m_folder);
    QVERIFY(said.size() >= 7);
    for (const DemoStep &step : std::as_const(said)) {
        QVERIFY2(step.state == DemoStep::State::Done, qPrintable(step.text));
    }
    QCOMPARE(most, 2); // half of the load beside the other half
    QVERIFY(started->startedHere);
}

void DemoTest::everyTableHasItsRows_data()
{
    QTest::addColumn<QByteArray>("condition");
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<int>("least");
    const auto row = [](const char *name, const char *table, const char *condition, int least) {
        QTest::newRow(name) << QByteArray(condition) << QByteArray(table) << least;
    };
    const char *payments = "seed000.idempotency_keys";
    row("000 pending and fresh", payments, "status = 'pending' AND created_at > now() - interval '10 minutes'", 3);
    row("000 pending and stale", payments, "status = 'pending' AND created_at < now() - interval '1 hour'", 14);
    row("000 completed", payments, "status = 'completed' AND response_payload ? 'amount'", 5000);
    row("000 failed", payments, "status = 'failed' AND response_payload ? 'error'", 50);
    row("000 expired", payments, "expires_at < now()", 5000);
    const char *exports = "seed000.idempotency_keys_heartbeat";
    row("heartbeat alive", exports, "status = 'pending' AND last_heartbeat_at > now() - interval '1 minute'", 3);
    row("heartbeat silent", exports, "status = 'pending' AND last_heartbeat_at < now() - interval '1 hour'", 2);
    row("heartbeat never", exports, "last_heartbeat_at IS NULL", 1);
    row("heartbeat expired", exports, "expires_at < now()", 100);
    const char *request = "app.idempotency_request";
    row("001 all", request, "true", 180'000);
    row("001 lease alive", request, "status = 'processing' AND locked_until > now()", 7);
    row("001 lease past", request, "status = 'processing' AND locked_until < now()", 100);
    row("001 many attempts", request, "attempt_count >= 7", 50);
    row("001 stale with many attempts", request,
        "status = 'processing' AND locked_until < now() AND attempt_count >= 3", 1);
    row("001 succeeded", request, "status = 'succeeded' AND result_ref_id IS NOT NULL AND response_body IS NOT NULL",
        150'000);
    row("001 retryable", request, "status = 'failed_retryable' AND failure_message LIKE '%timeout%'", 20);
    row("001 final", request, "status = 'failed_final' AND failure_code IS NOT NULL", 1000);
    row("001 expired", request, "expires_at < now()", 50'000);
    row("001 uuid keys", request, "idempotency_key ~ '^[0-9a-f-]{36}$'", 1000);
    row("001 order references", request, "idempotency_key LIKE 'ord-%'", 50'000);
    row("001 backlog", "app.outbox_event",
        "status = 'pending' AND created_at < now() - interval '1 hour' AND attempt_count >= 3", 10);
    row("001 published", "app.outbox_event", "status = 'published' AND published_at IS NOT NULL", 10'000);
    row("001 messages", "app.processed_message", "true", 5000);
    row("001 weak keys", "app.idempotency_keys", "true", 1000);
    row("001 orders", "app.customer_order", "true", 50'000);
    const char *keys = "seed002.idempotency_keys";
    row("002 started and fresh", keys, "status = 'started' AND locked_at > now() - interval '5 minutes'", 1);
    row("002 started and stale", keys, "status = 'started' AND locked_at < now() - interval '1 hour'", 16);
    row("002 completed", keys, "status = 'completed' AND response_code = 201", 5000);
    row("002 failed", keys, "status = 'failed'", 100);
    row("002 charges", "seed002.charges", "true", 5000);
    const char *daily = "seed002.idempotency_keys_partitioned";
    row("002 daily stale", daily, "status = 'started' AND locked_at < now() - interval '20 minutes'", 5);
    row("002 daily finished", daily, "status IN ('completed', 'failed')", 3000);
    row("002 daily month", daily, "created_at < now() - interval '25 days'", 100);
    const char *office = "seed003.idempotency_request";
    row("003 lease alive", office, "status = 'IN_PROGRESS' AND locked_until > now()", 3);
    row("003 lease past", office, "status = 'IN_PROGRESS' AND locked_until < now()", 5);
    row("003 completed", office, "status = 'COMPLETED' AND resource_id IS NOT NULL", 10'000);
    row("003 retryable", office, "status = 'FAILED_RETRYABLE'", 10);
    row("003 terminal", office, "status = 'FAILED_TERMINAL' AND error_code IS NOT NULL", 50);
    row("003 expired", office, "expires_at < now()", 5000);
    row("003 without expiry", office, "expires_at IS NULL", 100);
    row("003 message applied", "seed003.processed_message", "result_status = 'APPLIED'", 5000);
    row("003 message ignored", "seed003.processed_message", "result_status = 'IGNORED'", 50);
    row("003 message terminal", "seed003.processed_message", "result_status = 'FAILED_TERMINAL'", 20);
    const char *inbox = "seed003.inbox_message";
    row("003 inbox waiting", inbox, "status = 'RECEIVED'", 1);
    row("003 inbox stale", inbox, "status = 'PROCESSING' AND received_at < now() - interval '1 hour'", 3);
    row("003 inbox poison", inbox, "status = 'FAILED_RETRYABLE' AND attempt_count >= 20", 5);
    row("003 inbox given up", inbox, "status = 'FAILED_TERMINAL'", 10);
    row("003 inbox processed", inbox, "status = 'PROCESSED'", 3000);
    row("003 outbox", "seed003.outbox_event", "true", 2000);
    row("003 command open", "seed003.case_command", "status = 'IN_PROGRESS'", 5);
    row("003 command done", "seed003.case_command", "status = 'COMPLETED'", 2000);
    row("003 transition open", "seed003.case_transition_command", "result_status = 'IN_PROGRESS'", 5);
    row("003 transition rejected", "seed003.case_transition_command", "result_status = 'REJECTED'", 50);
    row("003 work ready", "seed003.work_item", "status = 'READY'", 50);
    row("003 work lease alive", "seed003.work_item", "status = 'PROCESSING' AND lease_until > now()", 5);
    row("003 work lease past", "seed003.work_item", "status = 'PROCESSING' AND lease_until < now()", 5);
    row("003 rows pending", "seed003.import_row_result", "status = 'PENDING'", 50);
    row("003 rows failed", "seed003.import_row_result", "status = 'FAILED' AND error_code IS NOT NULL", 50);
}

void DemoTest::everyTableHasItsRows()
{
    QFETCH(QByteArray, condition);
    QFETCH(QByteArray, table);
    QFETCH(int, least);
    bool number = false;
    const QString count = value("SELECT count(*) FROM " + table + " WHERE " + condition);
    QVERIFY2(count.toInt(&number) >= least && number, qPrintable(count));
}

void DemoTest::noTableIsForgotten()
{
    QCOMPARE(value("SELECT coalesce(string_agg(c.oid::regclass::text, ', '), '') FROM pg_class AS c"
                   " WHERE c.relnamespace IN ('app'::regnamespace, 'seed000'::regnamespace, 'seed002'::regnamespace, "
                   "'seed003'::regnamespace)"
                   " AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.reltuples <= 0"),
        QString());
}

void DemoTest::storiesAreThere_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::newRow("effect exists, key still processing")
        << QByteArray("SELECT count(*) > 5 FROM app.idempotency_request r JOIN app.outbox_event e USING "
                      "(idempotency_scope, idempotency_key)"
                      " JOIN app.customer_order o ON o.order_id = e.aggregate_id WHERE r.status = 'processing' AND "
                      "r.locked_until < now()");
    QTest::newRow("one intent under two keys") << QByteArray(
        "SELECT count(*) >= 8 FROM app.idempotency_request a JOIN app.idempotency_request b USING (idempotency_scope, "
        "request_hash)"
        " WHERE a.idempotency_key < b.idempotency_key AND a.status = 'succeeded' AND b.status = 'succeeded'");
    QTest::newRow("second order after a purge") << QByteArray(
        "SELECT count(*) >= 5 FROM app.customer_order a JOIN app.customer_order b ON b.customer_id = a.customer_id"
        " AND b.total_amount = a.total_amount AND b.external_cart_id = a.external_cart_id || '-b' AND b.created_at > "
        "a.created_at + interval '20 days'");
    QTest::newRow("every fresh success has its order and event")
        << QByteArray("SELECT count(*) = 0 FROM app.idempotency_request r WHERE r.status = 'succeeded' AND "
                      "r.idempotency_scope = 'create_order'"
                      " AND r.created_at > now() - interval '19 days' AND NOT EXISTS (SELECT FROM app.outbox_event e "
                      "JOIN app.customer_order o ON o.order_id = e.aggregate_id"
                      " WHERE e.idempotency_scope = r.idempotency_scope AND e.idempotency_key = r.idempotency_key)");
    QTest::newRow("scopes are skewed") << QByteArray(
        "SELECT max(n) > 10 * min(n) AND count(*) >= 6 FROM (SELECT count(*) AS n FROM app.idempotency_request GROUP "
        "BY idempotency_scope) AS s");
    QTest::newRow("tenants are skewed") << QByteArray(
        "SELECT max(n) > 3 * min(n) AND count(*) >= 5 FROM (SELECT count(*) AS n FROM seed003.idempotency_request "
        "GROUP BY tenant_id) AS s");
    QTest::newRow("days are busier than nights")
        << QByteArray("SELECT max(n) > 3 * min(n) FROM (SELECT count(*) AS n FROM app.idempotency_request"
                      " WHERE created_at BETWEEN now() - interval '28 days' AND now() - interval '7 days' GROUP BY "
                      "extract(hour FROM created_at)) AS h");
    QTest::newRow("a month deep") << QByteArray(
        "SELECT min(created_at) < now() - interval '29 days' FROM app.idempotency_request");
    QTest::newRow("one key in two partitions")
        << QByteArray("SELECT count(*) >= 2 FROM (SELECT idempotency_key FROM seed002.idempotency_keys_partitioned "
                      "GROUP BY 1 HAVING count(*) > 1) AS twice");
    QTest::newRow("a trace of the log leads to a viewer")
        << QByteArray("SELECT count(*) = 1 FROM idemdesk.target WHERE name = 'plpgsql-request' AND "
                      "profile::jsonb #>> '{links,0,url}' = 'http://localhost:16686/trace/{trace}'");
    QTest::newRow("hostile keys") << QByteArray(
        "SELECT count(*) >= 3 FROM app.idempotency_request WHERE idempotency_key ~ '[<\\n\\u202e]' AND "
        "idempotency_scope = 'authorize_payment'");
}

void DemoTest::storiesAreThere()
{
    QFETCH(QByteArray, sql);
    QCOMPARE(value(sql), u"t"_s);
}

void DemoTest::timesLieBehindUs()
{
    for (const char *sql :
        { "SELECT count(*) FROM app.idempotency_request WHERE created_at > clock_timestamp() OR updated_at > "
          "clock_timestamp() OR claimed_at > clock_timestamp()",
            "SELECT count(*) FROM app.idempotency_request WHERE updated_at < created_at OR claimed_at < created_at",
            "SELECT count(*) FROM app.outbox_event WHERE published_at > clock_timestamp() OR published_at < created_at",
            "SELECT count(*) FROM seed000.idempotency_keys WHERE created_at > clock_timestamp()",
            "SELECT count(*) FROM seed002.idempotency_keys WHERE created_at > clock_timestamp() OR updated_at > "
            "clock_timestamp()",
            "SELECT count(*) FROM seed002.idempotency_keys_partitioned WHERE created_at > clock_timestamp()",
            "SELECT count(*) FROM seed003.idempotency_request WHERE created_at > clock_timestamp() OR completed_at > "
            "clock_timestamp()",
            "SELECT count(*) FROM seed003.inbox_message WHERE received_at > clock_timestamp()" }) {
        QVERIFY2(value(sql) == u"0"_s, sql);
    }
}

void DemoTest::consoleRoleReadsAndDoesNotWrite()
{
    QCOMPARE(Demo(m_folder).status().conninfo, u"host='%1' port=5432 dbname=demo user=demo_operator"_s.arg(m_folder));
    QCOMPARE(value("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"), u"f"_s);
    QCOMPARE(value("DELETE FROM app.idempotency_request"), u"error 42501"_s);
    // Other people's sessions are readable, or Activity would show nothing.
    QTRY_VERIFY(
        value("SELECT count(*) FROM pg_stat_activity WHERE usename = 'demo_service' AND state IS NOT NULL").toInt()
        > 3);
}

void DemoTest::servicesMoveEveryPage_data()
{
    QTest::addColumn<QByteArray>("sql");
    const auto fresh = [](const char *table, const char *column) {
        return "SELECT count(*) > 0 FROM " + QByteArray(table) + " WHERE " + column
            + " > now() - interval '15 seconds'";
    };
    QTest::newRow("claims") << fresh("app.idempotency_request", "created_at");
    QTest::newRow("orders") << fresh("app.customer_order", "created_at");
    QTest::newRow("publisher") << fresh("app.outbox_event", "published_at");
    QTest::newRow("inbox") << fresh("seed003.inbox_message", "received_at");
    QTest::newRow("messages") << fresh("seed003.processed_message", "processed_at");
    QTest::newRow("requests") << fresh("seed003.idempotency_request", "created_at");
    QTest::newRow("commands") << fresh("seed003.case_command", "created_at");
    QTest::newRow("transitions") << fresh("seed003.case_transition_command", "created_at");
    QTest::newRow("work items") << fresh("seed003.work_item", "claimed_at");
    QTest::newRow("charges") << fresh("seed002.idempotency_keys", "created_at");
    QTest::newRow("daily charges") << fresh("seed002.idempotency_keys_partitioned", "created_at");
    QTest::newRow("payments") << fresh("seed000.idempotency_keys", "created_at");
    QTest::newRow("heartbeats") << fresh("seed000.idempotency_keys_heartbeat", "last_heartbeat_at");
    QTest::newRow("a backend ended by force, or a claim abandoned") << QByteArray(
        "SELECT (SELECT count(*) FROM app.idempotency_request WHERE status = 'processing' AND claimed_by IN "
        "('orders-1', 'orders-2')"
        " AND created_at > now() - interval '10 minutes' AND claimed_at < now() - interval '6 seconds') > 0");
}

void DemoTest::servicesMoveEveryPage()
{
    QFETCH(QByteArray, sql);
    const auto services = [this] { // what each was at, should one stand still
        return value("SELECT string_agg(concat_ws(' ', application_name, state, wait_event, clock_timestamp() - "
                     "query_start, left(query, 80)), E'\n')"
                     " FROM pg_stat_activity WHERE usename = 'demo_service'");
    };
    QTRY_VERIFY2_WITH_TIMEOUT(value(sql) == u"t"_s, qPrintable(services()), 90'000);
}

void DemoTest::troubleReachesTheServerLog_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a key with another request")
        << QByteArray("this idempotency key already belongs to another request");
    QTest::newRow("a worker ended in mid-work") << QByteArray("terminating connection due to administrator command");
}

void DemoTest::troubleReachesTheServerLog()
{
    QFETCH(QByteArray, text);
    const auto logged = [this, &text] {
        QFile log(PrivateCluster(m_folder).logFile());
        return log.open(QIODevice::ReadOnly) && log.readAll().contains(text);
    };
    QTRY_VERIFY_WITH_TIMEOUT(logged(), 120'000);
}

void DemoTest::startAgainChangesNothing()
{
    const DemoStatus before = Demo(m_folder).status();
    const QString oldest = value("SELECT min(created_at) FROM app.idempotency_request");
    const auto again = Demo(m_folder).start(tied());
    QVERIFY(again.ok());
    QVERIFY(!again->startedHere);
    QCOMPARE(again->serverPid, before.serverPid);
    QCOMPARE(again->workloadPid, before.workloadPid);
    QCOMPARE(value("SELECT min(created_at) FROM app.idempotency_request"), oldest);
}

void DemoTest::theCacheDisagreesInEveryWay()
{
    const DemoStatus status = Demo(m_folder).status();
    QVERIFY(!status.cache.isEmpty());
    sql::ConnectionSettings settings;
    // Whatever the environment says of other servers.
    settings.conninfo = status.conninfo + u" hostaddr='' channel_binding=disable target_session_attrs=any"_s;
    const auto session = sql::Session::open(settings, {});
    QVERIFY2(session.ok(), session ? "" : qPrintable(session.error().line() + session.error().detail));
    const auto targets = sql::readRegisteredTargets(**session);
    QVERIFY(targets);
    const auto largest = std::find_if(targets->cbegin(), targets->cend(),
        [](const sql::RegisteredTarget &one) { return one.name == u"plpgsql-request"; });
    QVERIFY(largest != targets->cend());
    const auto profile = sql::profileFromJson(largest->profileJson, largest->name);
    QVERIFY(profile && profile->cache);
    const auto target = sql::bindTarget(**session, *profile);
    QVERIFY(target);
    const auto address = sql::cacheAddress(status.cache);
    const auto cache = sql::RedisSession::open(*address, {});
    QVERIFY2(cache.ok(), cache ? "" : qPrintable(cache.error().line()));
    const auto report = sql::compareCache(**session, **cache, *target, {});
    QVERIFY2(report.ok(), report ? "" : qPrintable(report.error().line()));
    for (const sql::CacheFindingKind kind : sql::kAllOf<sql::CacheFindingKind>) {
        const qint64 found = report->counts.value(kind);
        QVERIFY2(found > 0 && found < 120, qPrintable(sql::cacheFindingName(kind) + u": "_s + QString::number(found)));
    }
    QVERIFY(report->entries > 2'000);
    QVERIFY(std::any_of(report->minutes.cbegin(), report->minutes.cend(),
        [](const sql::CacheMinute &minute) { return minute.crowded; }));
    QVERIFY(report->facts.hitRatio().has_value());
}

void DemoTest::theProvidersFileIsThere()
{
    const DemoStatus status = Demo(m_folder).status();
    QFile file(status.statement);
    QVERIFY(!status.statement.isEmpty() && file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().count('\n') > 100);
}

void DemoTest::withoutRedisItStartsAllTheSame()
{
    const QByteArray path = qgetenv("PATH");
    const auto restored = qScopeGuard([&path] { qputenv("PATH", path); });
    QVERIFY(Demo(m_folder).stop().ok());
    qputenv("PATH", "/nonexistent");
    QString said;
    Demo::Options options = tied(false);
    options.progress = [&said](const QList<DemoStep> &steps) {
        for (const DemoStep &step : steps) {
            said += step.text + u'\n';
        }
    };
    const auto started = Demo(m_folder).start(options);
    QVERIFY2(started.ok(), started.ok() ? "" : qPrintable(started.error().line()));
    QVERIFY(started->cache.isEmpty());
    QVERIFY2(said.contains(u"redis-server is not installed"), qPrintable(said));
}

void DemoTest::stopLeavesNothingBehind()
{
    const DemoStatus before = Demo(m_folder).status();
    QElapsedTimer timer;
    timer.start();
    const auto stopped = Demo(m_folder).stop();
    QVERIFY2(stopped.ok(), stopped.ok() ? "" : qPrintable(stopped.error().line()));
    QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(!alive(before.serverPid));
    QVERIFY(!alive(before.workloadPid));
    QProcess ps;
    ps.start(u"ps"_s, { u"-eo"_s, u"args"_s });
    QVERIFY(ps.waitForFinished());
    QVERIFY(!ps.readAllStandardOutput().contains(m_folder.toUtf8()));
    const DemoStatus after = Demo(m_folder).status();
    QVERIFY(!after.running && !after.workload && after.conninfo.isEmpty());
    QVERIFY(Demo(m_folder).stop().ok());

    // The rows are still there, and a start without services is quick and quiet.
    const auto again = Demo(m_folder).start(tied(false));
    QVERIFY(again.ok());
    QVERIFY(again->loaded && !again->workload);
    QVERIFY(value("SELECT count(*) FROM app.idempotency_request").toInt() > 180'000);
}

void DemoTest::cutLoadIsMadeAnew()
{
    const QString superuser = PrivateCluster(m_folder).superuser();
    QVERIFY(Demo(m_folder).status().loaded);
    value("DO $body$ BEGIN EXECUTE format('COMMENT ON DATABASE demo IS %L', 'idemdesk demo 5 ' || now()); END $body$",
        superuser);
    QVERIFY(!Demo(m_folder).status().loaded); // another program's
    value("COMMENT ON DATABASE demo IS NULL", superuser);
    QVERIFY(!Demo(m_folder).status().loaded);
    const QString mark = value("SELECT oid FROM pg_database WHERE datname = 'demo'", superuser);
    const auto started = Demo(m_folder).start(tied());
    QVERIFY(started.ok());
    QVERIFY(started->loaded && started->workload);
    const QString now = value("SELECT oid FROM pg_database WHERE datname = 'demo'");
    QVERIFY2(mark.toUInt() > 0 && now.toUInt() > 0 && now != mark, qPrintable(mark + u", now "_s + now));
    QVERIFY(value("SELECT count(*) FROM app.idempotency_request").toInt() > 180'000);
}

/// Killed at three steps, one start after the other: each makes anew what the one before left, and the last one all.
void DemoTest::killedStartsAreMadeAnew()
{
    const QString folder = m_folder + u"-killed"_s;
    const auto processes = [&folder] {
        QProcess ps;
        ps.start(u"ps"_s, { u"-eo"_s, u"pid,ppid,stat,wchan,args"_s });
        return ps.waitForFinished() ? QString::fromUtf8(ps.readAllStandardOutput()).split(u'\n').filter(folder)
                                    : QStringList(u"ps did not end"_s);
    };
    const QByteArray load = kPayments.toUtf8();
    for (const QByteArray &step :
        { QByteArray("Making a private PostgreSQL cluster"), load, QByteArray("Installing the console schema") }) {
        QProcess starter; // this program again, as a console that starts its demo
        starter.start(u"/proc/self/exe"_s, { u"--start-demo"_s, folder });
        QByteArray said;
        while (!said.contains(step)) {
            QVERIFY2(starter.waitForReadyRead(30'000), (step + ": " + said).constData());
            said += starter.readAllStandardOutput();
        }
        starter.kill();
        QVERIFY2(starter.waitForFinished(), step.constData());
        QCOMPARE(starter.exitStatus(), QProcess::CrashExit);
        // What was loaded by a start that was killed is not gone on with.
        QVERIFY2(step != "Installing the console schema" || said.contains(load), said.constData());
        // What it started dies with it.
        QTRY_COMPARE_WITH_TIMEOUT(processes().join(u'\n'), QString(), 20'000);
        QVERIFY2(!Demo(folder).status().loaded, step.constData());
    }
    const auto started = Demo(folder).start(tied(false));
    QVERIFY2(started.ok(), started.ok() ? "" : qPrintable(started.error().line() + started.error().detail));
    QVERIFY(started->loaded);
    const QString usual = std::exchange(m_folder, folder);
    const QString keys = value("SELECT count(*) FROM app.idempotency_request");
    const QString registered = value("SELECT count(*) FROM idemdesk.target");
    m_folder = usual;
    QVERIFY2(keys.toInt() > 180'000 && keys.toInt() < 360'000, qPrintable(keys)); // and not twice
    QVERIFY2(registered.toInt() > 10, qPrintable(registered));
    QVERIFY(Demo(folder).destroy().ok());
}

QString DemoTest::stoppedAt(const QString &step, const QString &folder, bool workload) const
{
    std::stop_source stop;
    Demo::Options options = tied(workload);
    options.stop = stop.get_token();
    options.progress = [&stop, &step](const QList<DemoStep> &steps) {
        if (std::any_of(steps.cbegin(), steps.cend(), [&step](const DemoStep &one) {
                return one.state == DemoStep::State::Running && one.text.startsWith(step);
            })) {
            stop.request_stop();
        }
    };
    const auto started = Demo(folder).start(options);
    if (started.ok()) {
        return u"it started"_s;
    }
    if (!stop.stop_requested() || started.error().kind != idemdesk::sql::ErrorKind::Cancelled) {
        return started.error().line() + started.error().detail;
    }
    return Demo(folder).status().running || PrivateCluster(folder).initialised() ? u"something is left"_s : QString();
}

void DemoTest::stoppedStartLeavesNothing_data()
{
    QTest::addColumn<QString>("step");
    QTest::newRow("while it makes rows") << kPayments;
    QTest::newRow("while it installs") << u"Installing the console schema"_s;
    QTest::newRow("while it registers") << u"Registering the tables of payments"_s;
    QTest::newRow("while it registers the shop beside them") << u"Registering the shop"_s;
}

void DemoTest::stoppedStartLeavesNothing()
{
    QFETCH(QString, step);
    const QString folder = m_folder + u"-stopped"_s;
    QCOMPARE(stoppedAt(step, folder, true), QString());
    QVERIFY(Demo(folder).destroy().ok());
}

/// As after an upgrade of the system, which brings another PostgreSQL.
void DemoTest::dataOfAnotherServerAreMadeAnew()
{
    const QString folder = m_folder + u"-upgraded"_s;
    PrivateCluster cluster(folder);
    QVERIFY(cluster.initialise({}).ok());
    QVERIFY(!cluster.ofAnotherServer());
    QFile version(cluster.dataFolder() + u"/PG_VERSION"_s);
    QVERIFY(version.open(QIODevice::WriteOnly));
    version.write("13\n");
    version.close();
    QVERIFY(cluster.ofAnotherServer());
    QCOMPARE(stoppedAt(kPayments, folder), QString()); // by a server that does not start on such data
    QVERIFY(Demo(folder).destroy().ok());
}

void DemoTest::servicesEndWithTheirServer()
{
    const DemoStatus before = Demo(m_folder).status();
    QVERIFY(before.workload);
    QVERIFY(PrivateCluster(m_folder).stop().ok());
    QTRY_VERIFY_WITH_TIMEOUT(idemdesk::app::workloadPid(m_folder) == 0, 40'000);
    QVERIFY(Demo(m_folder).stop().ok());
}

void DemoTest::ownServerOutlivesItsStarterAndIsNeverRoots()
{
    QVERIFY(Demo(m_folder).stop().ok());
    for (const bool workload : { false, true }) {
        const auto started = Demo(m_folder).start({ .life = Demo::Life::Own, .workload = workload, .progress = {} });
        QVERIFY2(started.ok(), started.ok() ? "" : qPrintable(started.error().why));
        QCOMPARE(started->workload, workload);
        QFile pidFile(m_folder + u"/data/postmaster.pid"_s);
        QVERIFY(pidFile.open(QIODevice::ReadOnly));
        QList<QByteArray> pids { pidFile.readLine().trimmed() };
        if (workload) {
            pids += QByteArray::number(idemdesk::app::workloadPid(m_folder));
        }
        for (const QByteArray &pid : std::as_const(pids)) {
            QFile file(u"/proc/%1/status"_s.arg(QString::fromLatin1(pid)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray status = file.readAll();
            QVERIFY2(!status.contains("\nPPid:\t" + QByteArray::number(getpid()) + '\n'), status.constData());
            QVERIFY2(!status.contains("\nUid:\t0\t"), status.constData());
        }
        QVERIFY(Demo(m_folder).stop().ok());
        QVERIFY(!Demo(m_folder).status().running);
    }
}

void DemoTest::strangersFolderIsRefused()
{
    // A folder that is no folder: whoever made this link must not be able to direct the demo elsewhere.
    const QString link = m_folder + u"-link"_s;
    QVERIFY(QFile::link(m_folder, link));
    const auto started = Demo(link + u"/"_s + u"x"_s + QString(90, u'y')).start(tied(false));
    QVERIFY(!started.ok());
    QVERIFY(!started.error().why.isEmpty());
    QVERIFY(QFile::remove(link));
}

void DemoTest::staleHistoryIsMadeAnew()
{
    QVERIFY(Demo(m_folder).start(tied(false)).ok());
    const QString superuser = PrivateCluster(m_folder).superuser();
    value("DO $body$ BEGIN EXECUTE format('COMMENT ON DATABASE demo IS %L', (SELECT "
          "regexp_replace(shobj_description(oid, 'pg_database'), "
          "'^(idemdesk demo [0-9a-f]+) .*$', '\\1 2020-01-01 00:00:00+00') FROM pg_database WHERE datname = 'demo')); "
          "END $body$",
        superuser);
    const QString mark = value("SELECT oid FROM pg_database WHERE datname = 'demo'");
    QVERIFY(Demo(m_folder).start(tied(false)).ok());
    QCOMPARE(value("SELECT oid FROM pg_database WHERE datname = 'demo'"), mark); // it ran: somebody may be looking
    QVERIFY(Demo(m_folder).stop().ok());
    QCOMPARE(stoppedAt(kPayments, m_folder), QString());
}

void DemoTest::cleanupTestCase()
{
    QVERIFY(Demo(m_folder).destroy().ok());
    QVERIFY(!QFileInfo::exists(m_folder));
}

int main(int argc, char **argv)
{
    // Settings for the person's own servers: the demo must not take one of them.
    qputenv("PGHOST", "/nowhere");
    qputenv("PGHOSTADDR", "127.0.0.1");
    qputenv("PGPORT", "1");
    qputenv("PGOPTIONS", "-c statement_timeout=1");
    qputenv("PGTARGETSESSIONATTRS", "standby");
    if (const auto status = idemdesk::app::runDemoWorkload(argc, argv)) {
        return *status;
    }
    QCoreApplication app(argc, argv);
    if (argc == 3 && QByteArrayView(argv[1]) == "--start-demo") {
        Demo::Options options;
        options.life = Demo::Life::Tied;
        options.progress = [](const QList<DemoStep> &steps) {
            for (const DemoStep &step : steps) {
                if (step.state == DemoStep::State::Running) {
                    std::puts(qPrintable(step.text));
                }
            }
            std::fflush(stdout);
        };
        return Demo(QString::fromLocal8Bit(argv[2])).start(options).ok() ? 0 : 1;
    }
    DemoTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_demo.moc"
