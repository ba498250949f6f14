// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/cause_reader.h"
#include "sql/keys/detail_reader.h"
#include "sql/keys/retry_reader.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/console_fixture.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace idemdesk::sql;
using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

namespace {

const QString kTenant = u"00000000-0000-4000-8000-00000000000a"_s;
const QString kId = u"00000000-0000-4000-8000-0000000000b1"_s;

/// What a claim of each store says in the console's words; some only say that nothing ran.
QSet<QString> outcomesOf(const QString &observed)
{
    return observed == u"skipped" ? QSet<QString> { u"replay"_s, u"wait"_s, u"refused"_s } : QSet<QString> { observed };
}

/// What a service makes of the SQLSTATE that its claim raises.
QString outcomeOfState(const QString &state)
{
    return state == u"P4002" || state == u"P4050" ? u"conflict"_s
        : state == u"P4029"                       ? u"wait"_s
        : state == u"P4030" || state == u"P4099"  ? u"refused"_s
                                                  : u"unexpected "_s + state;
}

// Each claim by a key's words; %1 is the request's hash or payload.
const QString kOrder = u"SELECT app.create_order_once('k', '%1', '%2', 'cart', 12.50, 'retrier'); "
                       "SELECT CASE WHEN claimed_by = 'retrier' THEN 'takes_over' ELSE 'replay' END "
                       "FROM app.idempotency_request WHERE idempotency_key = 'k'"_s;
const QString kConsume = u"SELECT CASE app.consume_case_event_once('billing', 'k', '%1', '{}') WHEN 'processed' "
                         "THEN 'runs_again' ELSE 'replay' END"_s;
const QString kEvent = u"WITH made AS (INSERT INTO app.outbox_event (event_type, aggregate_type, aggregate_id, "
                       "idempotency_scope, idempotency_key, payload) VALUES ('made', 'o', '%2', 's', 'k', "
                       "to_jsonb('%1'::text)) ON CONFLICT ON CONSTRAINT outbox_event_once_per_command DO NOTHING "
                       "RETURNING 1) SELECT CASE WHEN EXISTS (SELECT FROM made) THEN 'runs_again' ELSE 'skipped' END"_s;
const QString kPayment = u"SELECT CASE p.status WHEN 'pending' THEN 'runs_again' WHEN 'completed' THEN 'replay' ELSE "
                         "'refused' END FROM seed000.%3('%2', 'k') AS p"_s;
const QString kCharge = u"SELECT CASE b.outcome WHEN 'new' THEN 'runs_again' WHEN 'completed' THEN 'replay' WHEN "
                        "'busy' THEN 'wait' ELSE 'takes_over' END || ' ' || coalesce(b.code::text, '') "
                        "FROM seed002.begin_operation('k', '%2') AS b"_s;
const QString kChargeByDay
    = u"SELECT CASE seed002.begin_operation_by_day('k', '%2') WHEN 'new' THEN 'runs_again' ELSE 'skipped' END"_s;
const QString kWords = u"CASE %4 WHEN 'new' THEN 'runs_again' WHEN 'again' THEN 'takes_over' WHEN 'done' THEN 'replay' "
                       "WHEN 'failed' THEN 'refused' WHEN 'different_request' THEN 'conflict' ELSE 'wait' END"_s;
const QString kRequest = u"SELECT "_s + QString(kWords).replace(u"%4"_s, u"c.outcome"_s)
    + u" || ' ' || coalesce(c.code::text, '') FROM seed003.claim_request('%2', 'CreateCase', 'k', '%1') AS c"_s;
const QString kCommand = u"SELECT "_s + QString(kWords).replace(u"%4"_s, u"seed003.%3('%2', '%5', '%1')"_s);
const QString kMessage = u"SELECT CASE WHEN seed003.consume_message('intake', 'portal', 'k', '%1') THEN 'runs_again' "
                         "ELSE 'skipped' END"_s;
const QString kInbox = u"SELECT CASE WHEN seed003.receive_message('portal', 'k', to_jsonb('%1'::text)) THEN "
                       "'runs_again' ELSE 'skipped' END"_s;
const QString kSent
    = u"WITH made AS (INSERT INTO seed003.outbox_event VALUES (gen_random_uuid(), 'Case', '%2', 'e', 1, "
      "to_jsonb('%1'::text)) ON CONFLICT DO NOTHING RETURNING 1) "
      "SELECT CASE WHEN EXISTS (SELECT FROM made) THEN 'runs_again' ELSE 'skipped' END"_s;
const QString kWork
    = u"SELECT CASE WHEN seed003.claim_work_item('%5', 'retrier') THEN 'takes_over' ELSE 'skipped' END"_s;
const QString kImport = u"SELECT CASE WHEN seed003.resume_import_row('%5', 7) THEN 'takes_over' ELSE 'skipped' END"_s;

QString claimText(const QString &claim, const QString &hash, const QString &function)
{
    return QString(claim)
        .replace(u"%1"_s, hash)
        .replace(u"%2"_s, kTenant)
        .replace(u"%3"_s, function)
        .replace(u"%5"_s, kId);
}

} // namespace

/// What the console says of a retry, against what the store's own claim does then: with the same request and with
/// another one, on rows of each kind of every shipped profile. Each claim really runs, and is taken back.
class RetryTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Connection> m_service;

    QString psql(const QString &sql) { return m_cluster->psql(u"shop"_s, sql); }

    Target bound(const Profile &profile)
    {
        const auto target = bindTarget(*m_session, profile);
        if (!target) {
            qFatal("%s", qPrintable(target.error().line()));
        }
        return *target;
    }
    Target shipped(const QString &name)
    {
        for (const Profile &profile : shippedProfiles()) {
            if (profile.name == name) {
                return bound(profile);
            }
        }
        qFatal("no profile %s", qPrintable(name));
    }
    KeyDetail detailOf(const Target &target, const QString &key)
    {
        const auto rows = rowsWithKey(*m_session, target, key, {});
        if (!rows || rows->size() != 1) {
            qFatal("not one row of %s: %s", qPrintable(key), rows ? "" : qPrintable(rows.error().line()));
        }
        const auto detail = readDetail(*m_session, target, rows->first().identity, 1'000);
        if (!detail) {
            qFatal("%s", qPrintable(detail.error().line()));
        }
        return *detail;
    }
    /// An order's row; `set` are further columns with their values.
    void makeOrder(const QString &status, const QString &columns = {}, const QString &values = {})
    {
        psql(u"DELETE FROM app.idempotency_request; INSERT INTO app.idempotency_request (idempotency_scope, "
             "idempotency_key, request_hash, status, claimed_by, created_at, expires_at%2) VALUES ('create_order', "
             "'k', 'h', '%1', 'first', now() - interval '10 days', now() + interval '1 day'%3)"_s.arg(status,
                 columns.isEmpty() ? QString() : u", "_s + columns, values.isEmpty() ? QString() : u", "_s + values));
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>();
        m_cluster->createDatabase(u"shop"_s);
        for (const char *file : { "schema_000", "schema_001", "schema_002", "schema_003" }) {
            m_cluster->psqlFile(u"shop"_s, u"sql/demo/%1.sql"_s.arg(QString::fromLatin1(file)));
        }
        psql(u"SELECT seed002.ensure_daily_partitions((now() - interval '3 days')::date, (now() + interval "
             "'1 day')::date)"_s);
        ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo(u"shop"_s);
        auto session = Session::open(settings, {});
        QVERIFY2(session.ok(), session ? "" : qPrintable(session.error().line()));
        m_session = std::move(*session);
        m_service = std::make_unique<Connection>(m_cluster->conninfo(u"shop"_s));
    }
    void cleanupTestCase()
    {
        m_service.reset();
        m_session.reset();
        m_cluster.reset();
    }

    void answersAsTheStoreDoes_data();
    void answersAsTheStoreDoes();
    void everyShippedProfileAnswersEveryState();
    void leaseEndsAtItsOwnMoment();
    void anExpiredRowStillAnswers();
    void attemptsOverTheLimitAreTold();
    void aWorkerThatComesLateIsRefused();
    void whatIsNotSaidCannotBeKnown();
    void oneRowsFaultIsItsOwn();
};

void RetryTest::answersAsTheStoreDoes_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QString>("function"); // %3 of the claim
    QTest::addColumn<QString>("insert");
    QTest::addColumn<QString>("claim");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("same");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("sqlStates"); // of the same request, and of another one
    const auto row
        = [](const char *name, const QString &profile, const QString &function, const QString &insert,
              const QString &claim, const QString &key, const char *same, const char *other, const char *states = " ") {
              QTest::addRow("%s: %s", qPrintable(profile), name)
                  << profile << function << claimText(insert, u"h"_s, function) << claim << key
                  << QString::fromLatin1(same) << QString::fromLatin1(other) << QString::fromLatin1(states);
          };
    const auto order = [&row](const char *name, const char *status, const char *lease, const char *same,
                           const char *states) {
        row(name, u"plpgsql-request"_s, {},
            u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            "locked_until, claimed_by, response_body, failure_code, expires_at) VALUES ('create_order', 'k', 'h', "
            "'%4', %6, 'first', '{}', 'E', now() + interval '1 day')"_s.replace(u"%4"_s, QString::fromLatin1(status))
                .replace(u"%6"_s, QString::fromLatin1(lease)),
            kOrder, u"k"_s, same, "conflict", states);
    };
    order("done", "succeeded", "NULL", "replay", " P4002");
    order("failed for good", "failed_final", "NULL", "refused", "P4030 P4002");
    order("may retry", "failed_retryable", "NULL", "takes_over", " P4002");
    order("under a lease", "processing", "now() + interval '5 minutes'", "wait", "P4029 P4002");
    order("its lease over", "processing", "now() - interval '1 second'", "takes_over", " P4002");
    order("without a lease", "processing", "NULL", "refused", "P4099 P4002");

    row("known", u"plpgsql-message"_s, {},
        u"INSERT INTO app.processed_message (consumer_name, message_id, message_hash) VALUES ('billing', 'k', 'h')"_s,
        kConsume, u"k"_s, "replay", "conflict", " P4050");
    for (const auto &[status, outcome] : { std::pair { "pending", "wait" }, std::pair { "published", "replay" } }) {
        row(status, u"plpgsql-outbox"_s, {},
            u"INSERT INTO app.outbox_event (event_type, aggregate_type, aggregate_id, idempotency_scope, "
            "idempotency_key, payload, status) VALUES ('made', 'o', '%2', 's', 'k', '\"h\"', '%4')"_s.replace(
                u"%4"_s, QString::fromLatin1(status)),
            kEvent, u"k"_s, outcome, outcome);
    }

    for (const auto &[profile, table, function] : { std::tuple { "pending-key", "idempotency_keys", "begin_payment" },
             std::tuple { "pending-key-heartbeat", "idempotency_keys_heartbeat", "begin_export" } }) {
        for (const auto &[status, outcome] : { std::pair { "pending", "replay" }, std::pair { "completed", "replay" },
                 std::pair { "failed", "refused" } }) {
            row(status, QString::fromLatin1(profile), QString::fromLatin1(function),
                u"INSERT INTO seed000.%6 (tenant_id, idempotency_key, status, response_payload, expires_at) VALUES "
                "('%2', 'k', '%4', '{\"a\": 1}', now() + interval '1 day')"_s
                    .replace(u"%4"_s, QString::fromLatin1(status))
                    .replace(u"%6"_s, QString::fromLatin1(table)),
                kPayment, u"k"_s, outcome, outcome);
        }
    }

    const auto charge = [&row](const char *name, const char *status, const char *locked, const char *outcome) {
        const QString values = u"(idempotency_key, status, user_id, locked_at, response_code) VALUES ('k', '%4', "
                               "'%2', %6, 201)"_s.replace(u"%4"_s, QString::fromLatin1(status))
                                   .replace(u"%6"_s, QString::fromLatin1(locked));
        row(name, u"started-key"_s, {}, u"INSERT INTO seed002.idempotency_keys "_s + values, kCharge, u"k"_s, outcome,
            outcome);
        row(name, u"started-key-partitioned"_s, {}, u"INSERT INTO seed002.idempotency_keys_partitioned "_s + values,
            kChargeByDay, u"k"_s, "runs_again", "runs_again");
    };
    charge("done", "completed", "NULL", "replay");
    charge("failed", "failed", "NULL", "takes_over");
    charge("locked", "started", "now() - interval '4 minutes 50 seconds'", "wait");
    charge("its lock old", "started", "now() - interval '5 minutes 1 second'", "takes_over");
    charge("without a lock", "started", "NULL", "takes_over");

    const auto request = [&row](const char *name, const char *status, const char *lease, const char *same) {
        row(name, u"command-request"_s, {},
            u"INSERT INTO seed003.idempotency_request (tenant_id, operation_name, idempotency_key, request_hash, "
            "status, locked_until, response_code) VALUES ('%2', 'CreateCase', 'k', 'h', '%4', %6, CASE WHEN '%4' IN "
            "('COMPLETED', 'FAILED_TERMINAL') THEN 222 END)"_s.replace(u"%4"_s, QString::fromLatin1(status))
                .replace(u"%6"_s, QString::fromLatin1(lease)),
            kRequest, u"k"_s, same, "conflict");
    };
    request("done", "COMPLETED", "NULL", "replay");
    request("failed for good", "FAILED_TERMINAL", "NULL", "refused");
    request("may retry", "FAILED_RETRYABLE", "NULL", "takes_over");
    request("under a lease", "IN_PROGRESS", "now() + interval '1 minute'", "wait");
    request("its lease over", "IN_PROGRESS", "now() - interval '1 second'", "wait");
    request("without a lease", "IN_PROGRESS", "NULL", "wait");

    for (const auto &[status, outcome] : { std::pair { "REQUESTED", "wait" }, std::pair { "IN_PROGRESS", "wait" },
             std::pair { "SENT_TO_PROVIDER", "wait" }, std::pair { "CONFIRMED", "replay" },
             std::pair { "APPLIED", "replay" }, std::pair { "COMPLETED", "replay" },
             std::pair { "REJECTED", "refused" }, std::pair { "FAILED_TERMINAL", "refused" },
             std::pair { "FAILED", "takes_over" }, std::pair { "FAILED_RETRYABLE", "takes_over" } }) {
        row(status, u"case-command"_s, u"claim_command"_s,
            u"INSERT INTO seed003.case_command (tenant_id, command_id, command_type, request_hash, status) VALUES "
            "('%2', '%5', 'CreateCase', 'h', '%4')"_s.replace(u"%4"_s, QString::fromLatin1(status)),
            kCommand, kId, outcome, "conflict");
    }
    for (const auto &[status, outcome] : { std::pair { "IN_PROGRESS", "wait" }, std::pair { "APPLIED", "replay" },
             std::pair { "REJECTED", "refused" }, std::pair { "FAILED_RETRYABLE", "takes_over" } }) {
        row(status, u"case-transition"_s, u"claim_transition"_s,
            u"INSERT INTO seed003.case_transition_command (tenant_id, command_id, case_id, from_status, to_status, "
            "requested_by, request_hash, result_status) VALUES ('%2', '%5', '%5', 'OPEN', 'CLOSED', '%5', 'h', "
            "'%4')"_s.replace(u"%4"_s, QString::fromLatin1(status)),
            kCommand, kId, outcome, "conflict");
    }
    for (const auto &[status, outcome] : { std::pair { "APPLIED", "replay" }, std::pair { "IGNORED", "replay" },
             std::pair { "FAILED_TERMINAL", "refused" } }) {
        row(status, u"command-message"_s, {},
            u"INSERT INTO seed003.processed_message (consumer_name, message_source, message_id, message_hash, "
            "result_status) VALUES ('intake', 'portal', 'k', 'h', '%4')"_s.replace(
                u"%4"_s, QString::fromLatin1(status)),
            kMessage, u"k"_s, outcome, outcome);
    }
    for (const auto &[status, outcome] : { std::pair { "RECEIVED", "wait" }, std::pair { "PROCESSING", "wait" },
             std::pair { "FAILED_RETRYABLE", "wait" }, std::pair { "PROCESSED", "replay" },
             std::pair { "FAILED_TERMINAL", "refused" } }) {
        row(status, u"command-inbox"_s, {},
            u"INSERT INTO seed003.inbox_message (inbox_id, source_system, message_id, message_type, payload, status, "
            "next_attempt_at) VALUES ('%5', 'portal', 'k', 'x', '\"h\"', '%4', now() + interval '1 hour')"_s.replace(
                u"%4"_s, QString::fromLatin1(status)),
            kInbox, u"k"_s, outcome, outcome);
    }
    row("sent", u"command-outbox"_s, {},
        u"INSERT INTO seed003.outbox_event VALUES ('%5', 'Case', '%2', 'e', 1, '\"h\"')"_s, kSent, kId, "runs_again",
        "runs_again");
    const auto work = [&row](const char *name, const char *status, const char *available, const char *lease,
                          const char *outcome) {
        row(name, u"work-item"_s, {},
            u"INSERT INTO seed003.work_item (work_item_id, status, available_at, lease_until) VALUES ('%5', '%4', %6, "
            "%7)"_s.replace(u"%4"_s, QString::fromLatin1(status))
                .replace(u"%6"_s, QString::fromLatin1(available))
                .replace(u"%7"_s, QString::fromLatin1(lease)),
            kWork, kId, outcome, outcome);
    };
    work("ready", "READY", "now() - interval '1 second'", "NULL", "takes_over");
    work("ready later", "READY", "now() + interval '1 hour'", "NULL", "wait");
    work("under a lease", "PROCESSING", "now()", "now() + interval '1 minute'", "wait");
    work("its lease over", "PROCESSING", "now()", "now() - interval '1 minute'", "wait");
    work("failed", "FAILED_RETRYABLE", "now()", "NULL", "wait");
    work("done", "COMPLETED", "now()", "NULL", "replay");
    work("failed for good", "FAILED_TERMINAL", "now()", "NULL", "refused");
    for (const auto &[status, outcome] : { std::pair { "PENDING", "takes_over" }, std::pair { "APPLIED", "replay" },
             std::pair { "SKIPPED", "replay" }, std::pair { "FAILED", "wait" } }) {
        row(status, u"import-row"_s, {},
            u"INSERT INTO seed003.import_job VALUES ('%5', '%2', 'register', 'RUNNING'); INSERT INTO "
            "seed003.import_row_result (import_job_id, row_number, source_row_hash, status) VALUES ('%5', 7, 'h', "
            "'%4')"_s.replace(u"%4"_s, QString::fromLatin1(status)),
            kImport, u"7"_s, outcome, outcome);
    }
}

void RetryTest::answersAsTheStoreDoes()
{
    QFETCH(QString, profile);
    QFETCH(QString, function);
    QFETCH(QString, insert);
    QFETCH(QString, claim);
    QFETCH(QString, key);
    QFETCH(QString, same);
    QFETCH(QString, other);
    QFETCH(QString, sqlStates);
    const Target target = shipped(profile);
    psql(u"TRUNCATE %1 CASCADE"_s.arg(target.relation.sql));
    psql(u"TRUNCATE seed003.import_job CASCADE"_s);
    psql(insert);
    const KeyDetail detail = detailOf(target, key);
    const std::tuple<const RetryAnswer *, QString, QString, QString> asked[] { { &detail.retry.same, u"h"_s, same,
                                                                                   sqlStates.section(u' ', 0, 0) },
        { &detail.retry.other, u"another"_s, other, sqlStates.section(u' ', 1, 1) } };
    for (const auto &[answer, hash, expected, state] : asked) {
        QVERIFY2(answer->outcome, qPrintable(hash + u": "_s + answer->unknown));
        QCOMPARE(retryOutcomeName(*answer->outcome), expected);
        QCOMPARE(answer->sqlState, state);
        QVERIFY(!answer->reason.isEmpty());
        QVERIFY(m_service->run(u"BEGIN"_s).ok());
        const Connection::Answer claimed = m_service->run(claimText(claim, hash, function));
        QVERIFY(m_service->run(u"ROLLBACK"_s).ok());
        QCOMPARE(claimed.state, answer->sqlState);
        const QString observed = claimed.ok() ? claimed.value() : outcomeOfState(claimed.state);
        QVERIFY2(outcomesOf(observed.section(u' ', 0, 0)).contains(expected),
            qPrintable(observed + u" and not "_s + expected));
        if (const QString code = observed.section(u' ', 1, 1); !code.isEmpty()) {
            QCOMPARE(QString::number(answer->http.value_or(-1)), code);
        }
    }
    const auto causes = readCauses(*m_session, target, kCauseRows);
    QVERIFY2(causes, causes ? "" : qPrintable(causes.error().line()));
    const KeyState state = detail.record.state;
    if (state == KeyState::FailedFinal || state == KeyState::FailedRetryable) {
        QCOMPARE(causes->groups.size(), 1);
        QCOMPARE(causes->groups.first().retries, (QMap<RetryOutcome, qint64> { { *detail.retry.same.outcome, 1 } }));
    } else {
        QVERIFY(causes->groups.isEmpty());
    }
}

/// A row of a state that no rule fits would be told as unknown, which nobody would miss in the rows above.
void RetryTest::everyShippedProfileAnswersEveryState()
{
    for (const Profile &profile : shippedProfiles()) {
        QVERIFY2(profile.retry, qPrintable(profile.name));
        QVERIFY(bound(profile).profile.retry.has_value());
        QSet<KeyState> states { profile.otherStates.value_or(KeyState::Unknown) };
        for (const auto &[raw, state] : profile.states) {
            states.insert(state);
        }
        states.remove(KeyState::Unknown);
        for (const KeyState state : states) {
            const bool answered
                = std::any_of(profile.retry->cbegin(), profile.retry->cend(), [state](const RetryRule &rule) {
                      return (rule.states.isEmpty() || rule.states.contains(state)) && rule.status.isEmpty()
                          && rule.facts.isEmpty() && rule.when.isEmpty() && rule.payload != RetryPayload::Other;
                  });
            QVERIFY2(answered, qPrintable(profile.name + u' ' + stateName(state)));
        }
    }
}

/// The claim takes over at the very moment the lease names; stuck the key is only after it.
void RetryTest::leaseEndsAtItsOwnMoment()
{
    const QString moment = u"2026-01-01 12:00:00.000005+00"_s;
    makeOrder(u"processing"_s, u"locked_until"_s, u"'%1'"_s.arg(moment));
    const Target target = shipped(u"plpgsql-request"_s);
    const KeyRecord record = detailOf(target, u"k"_s).record;
    const Timestamp end = *Timestamp::parse(moment);
    Timestamp before = end;
    before.micros -= 1;
    const auto atEnd = readRetry(*m_session, target, record, end);
    const auto justBefore = readRetry(*m_session, target, record, before);
    QVERIFY(atEnd.ok() && justBefore.ok());
    QCOMPARE(*justBefore->same.outcome, RetryOutcome::Wait);
    QCOMPARE(justBefore->same.until->micros, end.micros);
    QCOMPARE(justBefore->same.sqlState, u"P4029"_s);
    QCOMPARE(*atEnd->same.outcome, RetryOutcome::TakesOver);
}

void RetryTest::anExpiredRowStillAnswers()
{
    makeOrder(u"succeeded"_s, u"response_body"_s, u"'{\"orderId\": 7}'"_s);
    psql(u"UPDATE app.idempotency_request SET expires_at = now() - interval '1 hour'"_s);
    const KeyDetail detail = detailOf(shipped(u"plpgsql-request"_s), u"k"_s);
    QCOMPARE(*detail.retry.same.outcome, RetryOutcome::Replay);
    QVERIFY(detail.retry.expired);
    QVERIFY(m_service->run(u"BEGIN"_s).ok());
    QCOMPARE(m_service->value(u"SELECT app.create_order_once('k', 'h', '%1', 'cart', 1)"_s.arg(kTenant)),
        u"{\"orderId\": 7}"_s);
    QVERIFY(m_service->run(u"ROLLBACK"_s).ok());
}

void RetryTest::attemptsOverTheLimitAreTold()
{
    makeOrder(u"processing"_s, u"locked_until, attempt_count"_s, u"now() - interval '1 minute', 9"_s);
    const KeyDetail detail = detailOf(shipped(u"plpgsql-request"_s), u"k"_s);
    QCOMPARE(*detail.retry.same.outcome, RetryOutcome::TakesOver); // as the store's claim, which knows no limit
    QVERIFY(detail.retry.attemptsSpent());
    QCOMPARE(*detail.retry.maxAttempts, 5);

    Profile strict = shipped(u"plpgsql-request"_s).profile;
    RetryRule rule;
    rule.facts = { RetryFact::AttemptsSpent };
    rule.outcome = RetryOutcome::Refused;
    strict.retry->prepend(rule);
    QCOMPARE(*detailOf(bound(strict), u"k"_s).retry.same.outcome, RetryOutcome::Refused);
    psql(u"UPDATE app.idempotency_request SET attempt_count = 4"_s);
    QCOMPARE(*detailOf(bound(strict), u"k"_s).retry.same.outcome, RetryOutcome::TakesOver);
}

/// What the rule for failed keys says of earlier workers.
void RetryTest::aWorkerThatComesLateIsRefused()
{
    makeOrder(u"failed_retryable"_s);
    const KeyDetail detail = detailOf(shipped(u"plpgsql-request"_s), u"k"_s);
    QVERIFY(detail.retry.same.reason.contains(u"P4010 or P4011"_s));
    QCOMPARE(
        m_service->state(u"SELECT app.mark_idempotency_succeeded('create_order', 'k', 'o', NULL, NULL)"_s), u"P4010"_s);
    QCOMPARE(
        m_service->state(u"SELECT app.mark_idempotency_failed('create_order', 'k', true, 'e', 'm')"_s), u"P4011"_s);
}

void RetryTest::whatIsNotSaidCannotBeKnown()
{
    makeOrder(u"succeeded"_s);
    Profile silent = shipped(u"plpgsql-request"_s).profile;
    silent.retry.reset();
    const RetryAnswers none = detailOf(bound(silent), u"k"_s).retry;
    QVERIFY(!none.same.outcome && !none.other.outcome);
    QVERIFY(none.same.unknown.contains(u"does not say"_s));

    Profile wrong = shipped(u"plpgsql-request"_s).profile;
    (*wrong.retry)[0].when = u"t.no_such_column"_s;
    const RetryAnswers broken = detailOf(bound(wrong), u"k"_s).retry;
    QVERIFY(!broken.same.outcome);
    QVERIFY2(broken.same.unknown.contains(u"$.retry[0].when"_s), qPrintable(broken.same.unknown));

    Profile partial = shipped(u"plpgsql-request"_s).profile;
    partial.retry = QList<RetryRule> { partial.retry->at(2) }; // failed for good alone
    const RetryAnswers unfit = detailOf(bound(partial), u"k"_s).retry;
    QVERIFY(!unfit.same.outcome);
    QVERIFY(unfit.same.unknown.contains(u"No rule"_s));
}

/// A rule that fails on a row makes its answer unknown and costs the row nothing else; a row that cannot be read at all
/// is unknown, whatever its status says.
void RetryTest::oneRowsFaultIsItsOwn()
{
    makeOrder(u"succeeded"_s, u"response_body"_s, u"'{\"code\": \"none\"}'"_s);
    Profile failing = shipped(u"plpgsql-request"_s).profile;
    (*failing.retry)[1].http = u"(t.response_body ->> 'code')::integer"_s;
    const KeyDetail detail = detailOf(bound(failing), u"k"_s);
    QVERIFY(!detail.retry.same.outcome);
    QVERIFY(detail.retry.same.unknown.contains(u"fails on this row"_s));
    QCOMPARE(detail.record.state, KeyState::Succeeded);

    psql(u"UPDATE app.idempotency_request SET status = 'failed_final', failure_code = 'E'"_s);
    RetryRule rule;
    rule.when = u"(t.response_body ->> 'code')::integer > 0"_s;
    failing.retry->prepend(rule);
    const auto causes = readCauses(*m_session, bound(failing), kCauseRows);
    QVERIFY2(causes, causes ? "" : qPrintable(causes.error().line()));
    QCOMPARE(causes->groups.size(), 1);
    QCOMPARE(causes->groups.first().final, 1);
    QVERIFY(causes->groups.first().retries.isEmpty());
    QVERIFY2(causes->retryNote.contains(u"fails on a row"_s), qPrintable(causes->retryNote));
    psql(u"UPDATE app.idempotency_request SET status = 'succeeded', failure_code = NULL"_s);

    Profile unreadable = shipped(u"plpgsql-request"_s).profile;
    unreadable.roles[Role::Attempts].sql = u"(t.response_body ->> 'code')::integer"_s;
    unreadable.roles[Role::Attempts].column.clear();
    const KeyDetail unknown = detailOf(bound(unreadable), u"k"_s);
    QCOMPARE(unknown.record.state, KeyState::Unknown);
    QVERIFY(!unknown.retry.same.outcome);
    QVERIFY(unknown.retry.same.unknown.contains(u"cannot be read"_s));
}

QTEST_GUILESS_MAIN(RetryTest)
#include "tst_retry.moc"
