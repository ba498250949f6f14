// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/detect.h"
#include "sql/profile/binder.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::TestCluster;

namespace {

/// Rows for tables whose words are not in their definition, and for business tables that use such words too.
const QString kRows = uR"sql(
INSERT INTO seed000.idempotency_keys (tenant_id, idempotency_key, status, expires_at)
  SELECT gen_random_uuid(), 'k' || i, (ARRAY['pending', 'completed', 'failed'])[1 + i % 3], now() FROM generate_series(1, 300) i;
INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, claimed_by, expires_at)
  SELECT 'create_order', 'k' || i, encode(sha256(i::text::bytea), 'hex'), (enum_range(NULL::app.idempotency_status))[1 + i % 4], 'w', now() + interval '1 day' FROM generate_series(1, 300) i;
INSERT INTO app.outbox_event (event_type, aggregate_type, aggregate_id, idempotency_scope, idempotency_key, payload, status, published_at)
  SELECT 'order.created', 'customer_order', gen_random_uuid(), 'create_order', 'k' || i, '{}', CASE WHEN i % 3 = 0 THEN 'pending' ELSE 'published' END, CASE WHEN i % 3 > 0 THEN now() END FROM generate_series(1, 300) i;
INSERT INTO app.processed_message (consumer_name, message_id, message_hash) SELECT 'billing', 'm' || i, md5(i::text) FROM generate_series(1, 300) i;
INSERT INTO app.idempotency_keys SELECT 'k' || i FROM generate_series(1, 50) i;
INSERT INTO app.customer_order (customer_id, external_cart_id, status, total_amount) SELECT gen_random_uuid(), 'c' || i, (ARRAY['created', 'completed', 'processing', 'failed'])[1 + i % 4], i FROM generate_series(1, 100) i;
INSERT INTO seed002.charges SELECT 'txn_' || i, gen_random_uuid(), i FROM generate_series(1, 50) i;
INSERT INTO seed003.case_command (tenant_id, command_id, command_type, request_hash, status) SELECT gen_random_uuid(), gen_random_uuid(), 'CreateCase', md5(i::text), (ARRAY['IN_PROGRESS', 'COMPLETED', 'REJECTED'])[1 + i % 3] FROM generate_series(1, 90) i;
INSERT INTO seed003.import_job (import_job_id, tenant_id, source_name, status) SELECT gen_random_uuid(), gen_random_uuid(), 'crm', (ARRAY['RUNNING', 'COMPLETED', 'FAILED'])[1 + i % 3] FROM generate_series(1, 30) i;
INSERT INTO seed003.enforcement_case (case_id, tenant_id, source_system, external_complaint_id, status) SELECT gen_random_uuid(), gen_random_uuid(), 'portal', 'EXT-' || i, (ARRAY['OPEN', 'UNDER_REVIEW', 'CLOSED'])[1 + i % 3] FROM generate_series(1, 60) i;
INSERT INTO seed003.ledger_transaction SELECT gen_random_uuid(), gen_random_uuid(), 'psp', 'op-' || i FROM generate_series(1, 60) i;
INSERT INTO seed003.external_case_reference SELECT gen_random_uuid(), 'crm', 'ref-' || i, gen_random_uuid() FROM generate_series(1, 60) i;
INSERT INTO ordinary.users (email, name) SELECT 'u' || i || '@example.org', 'U' FROM generate_series(1, 60) i;
INSERT INTO ordinary.sessions SELECT md5(i::text), i, '{}', now(), now() FROM generate_series(1, 60) i;
INSERT INTO ordinary.refresh_tokens SELECT encode(sha256(i::text::bytea), 'hex'), i, NULL, now(), now() FROM generate_series(1, 60) i;
INSERT INTO ordinary.schema_migrations SELECT 'V' || i, md5(i::text), true, now() FROM generate_series(1, 60) i;
INSERT INTO ordinary.cache SELECT md5(i::text), '\x00', now() FROM generate_series(1, 60) i;
ANALYZE;
)sql"_s;

const QStringList kBusiness { u"customer_order"_s, u"charges"_s, u"enforcement_case"_s, u"case_sla_timer"_s,
    u"import_job"_s, u"user_notification"_s, u"ledger_entry"_s, u"ledger_transaction"_s, u"external_case_reference"_s };

QString bare(QString relation)
{
    return relation.remove(u'"');
}

QStringList lines(const Proposal &proposal)
{
    return QStringList { u"%1 %2%"_s.arg(proposal.relation.sql).arg(proposal.confidence) } + proposal.reasons
        + proposal.doubts;
}

QStringList scopeOf(const Profile &profile)
{
    QStringList parts;
    for (const LabelledExpression &part : profile.scope) {
        parts.append(part.label + u'=' + part.value.sql);
    }
    return parts;
}

Result<QList<Proposal>> proposalsIn(Session &session, const QString &schema = {})
{
    const auto detected = detectTargets(session, schema);
    return detected ? Result<QList<Proposal>>(detected->proposals) : Result<QList<Proposal>>(detected.error());
}

} // namespace

class DetectTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void cleanupTestCase() { m_sessions.clear(); }
    void justTheKeyStores_data();
    void justTheKeyStores();
    void sameAsShipped_data();
    void sameAsShipped();
    void proposalsBindAndValidate();
    void otherShapes_data();
    void otherShapes();
    void misleadingNames();
    void views();
    void oneTableHoweverWeak();
    void onlyWhatMayBeRead();
    void previewShowsEachFault();
    void statusesAreCounted();
    void anIndexDoesNotChooseTheSample();
    void aLockedTableStopsNothing();

private:
    Session &session(const QString &database);
    std::unique_ptr<TestCluster> m_cluster;
    std::map<QString, std::unique_ptr<Session>> m_sessions;
};

Session &DetectTest::session(const QString &database)
{
    auto &entry = m_sessions[database];
    if (!entry) {
        ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo(database);
        auto opened = Session::open(settings, {});
        if (!opened) {
            qFatal("%s", qPrintable(opened.error().line()));
        }
        entry = std::move(*opened);
    }
    return *entry;
}

void DetectTest::initTestCase()
{
    m_cluster = std::make_unique<TestCluster>();
    for (const QString &name : { u"empty"_s, u"filled"_s }) {
        m_cluster->createDatabase(name);
        for (const int seed : { 0, 1, 2, 3 }) {
            m_cluster->psqlFile(name, u"sql/demo/schema_00%1.sql"_s.arg(seed));
        }
        m_cluster->psqlFile(name, u"tests/support/ordinary_tables.sql"_s);
        m_cluster->psql(name, u"SELECT seed002.ensure_daily_partitions('2026-11-01', '2026-11-03')"_s);
    }
    m_cluster->psql(u"filled"_s, kRows);
    // The same tables under names that say nothing.
    m_cluster->createDatabase(u"renamed"_s, u"TEMPLATE filled"_s);
    QString renames = u"CREATE SCHEMA z; CREATE SCHEMA zb;"_s;
    int n = 0;
    for (const Profile &profile : shippedProfiles()) {
        if (profile.name == u"started-key-partitioned") {
            continue; // LIKE does not copy partitioning
        }
        renames
            += u"CREATE TABLE z.tab_%1 (LIKE %2 INCLUDING ALL); INSERT INTO z.tab_%1 SELECT * FROM %2; COMMENT ON TABLE z.tab_%1 IS '%3';"_s
                   .arg(n++)
                   .arg(profile.relation, profile.name);
    }
    for (const QString &name : kBusiness) {
        const QString schema = name == u"customer_order" ? u"app"_s : name == u"charges" ? u"seed002"_s : u"seed003"_s;
        renames += u"CREATE TABLE zb.tab_%1 (LIKE %2.%3 INCLUDING ALL); INSERT INTO zb.tab_%1 SELECT * FROM %2.%3;"_s
                       .arg(n++)
                       .arg(schema, name);
    }
    m_cluster->psql(u"renamed"_s, renames);
    m_cluster->createDatabase(u"shapes"_s);
    m_cluster->psql(u"shapes"_s, uR"sql(
        CREATE TABLE "IdemRecords" ("Key" bytea PRIMARY KEY, "RequestFingerprint" text, "State" text NOT NULL CHECK ("State" IN ('Processing', 'Succeeded', 'Dead')),
            "LockedAt" timestamptz, "Response" jsonb, "CreatedAt" timestamptz NOT NULL);
        CREATE TABLE workflow ("workflowUuid" text PRIMARY KEY, status text NOT NULL, "recoveryAttempts" int NOT NULL, "createdAtMs" bigint NOT NULL, "updatedAtMs" bigint NOT NULL, result text, error text, "executorOwner" text);
        INSERT INTO workflow SELECT gen_random_uuid()::text, (ARRAY['PENDING', 'SUCCESS', 'ERROR'])[1 + i % 3], 1, 1763000000000 + i, 1763000000000 + i FROM generate_series(1, 50) i;
        CREATE TABLE brighter (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, messageid varchar(255) NOT NULL UNIQUE, topic varchar(255), messagetype varchar(32), "timestamp" timestamptz, correlationid varchar(255), dispatched timestamptz, headerbag text, body text);
        CREATE TABLE rides (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id bigint NOT NULL, idempotency_key text NOT NULL CHECK (char_length(idempotency_key) <= 100), recovery_point text NOT NULL, locked_at timestamptz, request_params jsonb NOT NULL, response_code int, response_body jsonb, created_at timestamptz NOT NULL DEFAULT now(), last_run_at timestamptz NOT NULL DEFAULT now(), UNIQUE (user_id, idempotency_key));
        INSERT INTO rides (user_id, idempotency_key, recovery_point, request_params) SELECT i, 'k' || i, (ARRAY['started', 'ride_created', 'charge_created', 'finished'])[1 + i % 4], '{}' FROM generate_series(1, 40) i;
        CREATE TABLE webhook_events (id uuid PRIMARY KEY, "webhookId" text NOT NULL, source text NOT NULL, processed boolean NOT NULL DEFAULT false, payload json NOT NULL, received_at timestamp NOT NULL, attempts int NOT NULL DEFAULT 0, UNIQUE (source, "webhookId"));
        CREATE TYPE "JobState" AS ENUM ('available', 'scheduled', 'executing', 'retryable', 'completed', 'discarded', 'cancelled');
        CREATE TABLE jobs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state "JobState" NOT NULL DEFAULT 'available', attempt int NOT NULL DEFAULT 0, max_attempts int NOT NULL, args jsonb NOT NULL, attempted_at timestamp, inserted_at timestamp NOT NULL, scheduled_at timestamp NOT NULL, completed_at timestamp, errors jsonb[]);
        CREATE TABLE outbox_int (uuid uuid PRIMARY KEY, event_name text NOT NULL, event_key text NOT NULL, status int NOT NULL DEFAULT 0, errors_count int NOT NULL DEFAULT 0, payload bytea NOT NULL, created_at timestamptz NOT NULL, processed_at timestamptz);
        CREATE TABLE misleading (idempotency_key text PRIMARY KEY, request_hash text, received_at text, locked_until integer, status text CHECK (status IN ('processing', 'succeeded')), expires_at interval);
        CREATE TABLE empty_nothing ();
    )sql"_s);
}

void DetectTest::justTheKeyStores_data()
{
    QTest::addColumn<QString>("database");
    QTest::newRow("without a row") << u"empty"_s;
    QTest::newRow("with rows") << u"filled"_s;
}

void DetectTest::justTheKeyStores()
{
    QFETCH(QString, database);
    const auto proposals = proposalsIn(session(database));
    QVERIFY2(proposals.ok(), proposals.ok() ? "" : qPrintable(proposals.error().line() + proposals.error().detail));
    QStringList expected { u"app.idempotency_keys"_s };
    for (const Profile &profile : shippedProfiles()) {
        expected.append(profile.relation);
    }
    QStringList found;
    QStringList said;
    int last = 100;
    for (const Proposal &proposal : *proposals) {
        found.append(bare(proposal.relation.sql));
        said += lines(proposal);
        QVERIFY(proposal.confidence <= last);
        last = proposal.confidence;
        QVERIFY(!proposal.reasons.isEmpty());
        if (found.last() == u"app.idempotency_keys") {
            QVERIFY2(proposal.confidence < 50, qPrintable(lines(proposal).join(u'\n')));
        } else {
            QVERIFY2(proposal.confidence >= 50, qPrintable(lines(proposal).join(u'\n')));
        }
    }
    expected.sort();
    found.sort();
    if (found != expected) {
        qInfo("%s", qPrintable(said.join(u'\n')));
    }
    QCOMPARE(found, expected);
}

void DetectTest::sameAsShipped_data()
{
    QTest::addColumn<QString>("database");
    QTest::addColumn<QString>("name");
    for (const QString &database : { u"empty"_s, u"filled"_s, u"renamed"_s }) {
        for (const Profile &profile : shippedProfiles()) {
            if (database == u"renamed" && profile.name == u"started-key-partitioned") {
                continue;
            }
            QTest::addRow("%s %s", qPrintable(database), qPrintable(profile.name)) << database << profile.name;
        }
    }
}

void DetectTest::sameAsShipped()
{
    QFETCH(QString, database);
    QFETCH(QString, name);
    const Profile shipped = *shippedProfile(name);
    const auto proposals = proposalsIn(session(database));
    QVERIFY(proposals.ok());
    for (const Proposal &proposal : *proposals) {
        const bool same = database == u"renamed" ? proposal.relation.comment == name && proposal.relation.schema == u"z"
                                                 : bare(proposal.relation.sql) == shipped.relation;
        if (!same) {
            continue;
        }
        const Profile &p = proposal.profile;
        QCOMPARE(p.identity, shipped.identity);
        QCOMPARE(scopeOf(p), scopeOf(shipped));
        QCOMPARE(p.key.sql, shipped.key.sql);
        QCOMPARE(p.role(Role::Status).sql, shipped.role(Role::Status).sql);
        for (int i = 0; i < kRoleCount; ++i) {
            const Role role = static_cast<Role>(i);
            QVERIFY2(!isTimeRole(role) || p.role(role).sql == shipped.role(role).sql,
                qPrintable(roleName(role) + u": "_s + p.role(role).sql + u" instead of "_s + shipped.role(role).sql));
        }
        QCOMPARE(p.role(Role::Fingerprint).sql, shipped.role(Role::Fingerprint).sql);
        QCOMPARE(p.role(Role::Attempts).sql, shipped.role(Role::Attempts).sql);
        if (database != u"renamed") {
            QCOMPARE(kindName(p.kind), kindName(shipped.kind));
        }
        // Every word the table itself shows must mean what the shipped profile says; a free text without rows shows
        // none.
        for (const auto &[raw, state] : p.states) {
            QVERIFY2(shipped.stateOf(raw) == state, qPrintable(raw + u" is "_s + stateName(state)));
        }
        const bool free = name == u"case-command" || name == u"plpgsql-outbox";
        QVERIFY(free || p.states.size() == shipped.states.size());
        QCOMPARE(p.otherStates.has_value() && !free, shipped.otherStates.has_value());
        QCOMPARE(p.stale.has_value() || free, shipped.stale.has_value() || free);
        return;
    }
    QFAIL(qPrintable(name + u" is not proposed"_s));
}

void DetectTest::proposalsBindAndValidate()
{
    for (const QString &database : { u"filled"_s, u"shapes"_s }) {
        const auto proposals = proposalsIn(session(database));
        QVERIFY(proposals.ok());
        for (const Proposal &proposal : *proposals) {
            // It must survive being written to a file, too.
            const auto profile = profileFromJson(profileToJson(proposal.profile), u"proposal.json"_s);
            QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().where + profile.error().line()));
            const auto findings = validateTarget(session(database), *profile);
            QVERIFY2(findings.ok(), findings.ok() ? "" : qPrintable(proposal.relation.sql + findings.error().line()));
            for (const Finding &finding : *findings) {
                QVERIFY2(finding.severity != Finding::Severity::Problem,
                    qPrintable(proposal.relation.sql + finding.jsonPath + finding.text));
            }
        }
    }
}

void DetectTest::otherShapes_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QStringList>("scope");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("states");
    QTest::addColumn<QString>("created");
    QTest::newRow("MixedCase and bytea") << u"IdemRecords"_s << u"t.\"Key\""_s << QStringList() << u"t.\"State\""_s
                                         << u"Processing=in_progress Succeeded=succeeded Dead=failed_final"_s
                                         << u"t.\"CreatedAt\" 0"_s;
    QTest::newRow("epoch milliseconds") << u"workflow"_s << u"t.\"workflowUuid\""_s << QStringList() << u"t.status"_s
                                        << u"ERROR=failed_retryable PENDING=in_progress SUCCESS=succeeded"_s
                                        << u"t.\"createdAtMs\" 1"_s;
    QTest::newRow("state from a time") << u"brighter"_s << u"t.messageid"_s << QStringList()
                                       << u"CASE WHEN t.\"dispatched\" IS NOT NULL THEN 'done' ELSE 'open' END"_s
                                       << u"done=succeeded open=pending"_s << u"t.timestamp 0"_s;
    QTest::newRow("open vocabulary") << u"rides"_s << u"t.idempotency_key"_s << QStringList { u"user=t.user_id"_s }
                                     << u"t.recovery_point"_s << u"finished=succeeded *=in_progress"_s
                                     << u"t.created_at 0"_s;
    QTest::newRow("state from a boolean, naive time")
        << u"webhook_events"_s << u"t.\"webhookId\""_s << QStringList { u"source=t.source"_s }
        << u"CASE WHEN t.processed THEN 'done' ELSE 'open' END"_s << u"done=succeeded open=pending"_s
        << u"t.\"received_at\" 3"_s;
    QTest::newRow("enum of a queue")
        << u"jobs"_s << u"t.id"_s << QStringList() << u"t.state"_s
        << u"available=pending scheduled=pending executing=in_progress retryable=failed_retryable completed=succeeded discarded=failed_final cancelled=failed_final"_s
        << u"t.\"inserted_at\" 3"_s;
    QTest::newRow("numbers for states") << u"outbox_int"_s << u"t.uuid"_s << QStringList() << u"t.status"_s
                                        << u"*=unknown"_s << u"t.created_at 0"_s;
}

void DetectTest::otherShapes()
{
    QFETCH(QString, table);
    QFETCH(QString, key);
    QFETCH(QStringList, scope);
    QFETCH(QString, status);
    QFETCH(QString, states);
    QFETCH(QString, created);
    const auto proposals = proposalsIn(session(u"shapes"_s));
    QVERIFY2(proposals.ok(), proposals.ok() ? "" : qPrintable(proposals.error().line() + proposals.error().detail));
    for (const Proposal &proposal : *proposals) {
        if (proposal.relation.name != table) {
            continue;
        }
        const Profile &p = proposal.profile;
        QCOMPARE(p.key.sql, key);
        QCOMPARE(scopeOf(p), scope);
        QCOMPARE(p.role(Role::Status).sql, status);
        QStringList mapped;
        for (const auto &[raw, state] : p.states) {
            mapped.append(raw + u'=' + stateName(state));
        }
        if (p.otherStates) {
            mapped.append(u"*="_s + stateName(*p.otherStates));
        }
        QStringList wanted = states.split(u' ');
        mapped.sort();
        wanted.sort();
        QCOMPARE(mapped, wanted);
        const Expression time = p.role(Role::CreatedAt);
        QCOMPARE(time.sql + u' ' + QString::number(static_cast<int>(time.form)), created);
        return;
    }
    QStringList all;
    for (const Proposal &proposal : *proposals) {
        all += lines(proposal);
    }
    const auto relation = readRelation(session(u"shapes"_s), u"public.\"%1\""_s.arg(table));
    const auto weak = proposeFor(session(u"shapes"_s), *relation);
    QFAIL(qPrintable(table + u" is not proposed: "_s + lines(*weak).join(u'\n')));
}

void DetectTest::misleadingNames()
{
    const auto relation = readRelation(session(u"shapes"_s), u"public.misleading"_s);
    QVERIFY(relation.ok());
    const auto proposal = proposeFor(session(u"shapes"_s), *relation);
    QVERIFY(proposal.ok());
    QVERIFY(!proposal->profile.has(Role::CreatedAt)); // an address, not a time
    QVERIFY(!proposal->profile.has(Role::LeaseUntil)); // a number
    QVERIFY(!proposal->profile.has(Role::ExpiresAt)); // a length of time
    QVERIFY(!proposal->profile.stale);
    QVERIFY(proposal->profile.has(Role::Fingerprint));
}

void DetectTest::views()
{
    m_cluster->psql(u"filled"_s,
        u"CREATE SCHEMA v; CREATE VIEW v.requests AS SELECT * FROM app.idempotency_request; CREATE VIEW v.orders AS "
        u"SELECT * FROM app.customer_order;"
        "CREATE VIEW v.slow AS SELECT r.*, pg_sleep(10)::text AS nap FROM app.idempotency_request r"_s);
    const auto proposals = proposalsIn(session(u"filled"_s), u"v"_s);
    QVERIFY2(proposals.ok(), proposals.ok() ? "" : qPrintable(proposals.error().line() + proposals.error().detail));
    QCOMPARE(proposals->size(), 2); // the slow one by its definition alone
    for (const Proposal &proposal : *proposals) {
        QVERIFY(proposal.confidence < 65);
        QCOMPARE(proposal.profile.identity, (QStringList { u"idempotency_scope"_s, u"idempotency_key"_s }));
        QVERIFY(proposal.profile.recover.isEmpty());
        QVERIFY(proposal.doubts.join(u' ').contains(u"view"));
    }
    m_cluster->psql(u"filled"_s, u"DROP SCHEMA v CASCADE"_s);
}

void DetectTest::oneTableHoweverWeak()
{
    for (const QString &name : { u"ordinary.users"_s, u"ordinary.audit_log"_s, u"app.idempotency_keys"_s }) {
        const auto relation = readRelation(session(u"filled"_s), name);
        QVERIFY(relation.ok());
        const auto proposal = proposeFor(session(u"filled"_s), *relation);
        QVERIFY(proposal.ok());
        QVERIFY(proposal->confidence < 50);
        QVERIFY(proposal->profile.key.present());
        QCOMPARE(proposal->sample.size(), relation->columns.size());
        QVERIFY(bindTarget(session(u"filled"_s), proposal->profile).ok());
    }
    const auto nothing = readRelation(session(u"shapes"_s), u"public.empty_nothing"_s);
    QVERIFY(nothing.ok());
    const auto proposal = proposeFor(session(u"shapes"_s), *nothing);
    QVERIFY(proposal.ok());
    QCOMPARE(proposal->confidence, 0);
}

void DetectTest::onlyWhatMayBeRead()
{
    m_cluster->psql(u"filled"_s,
        u"CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA app, seed000 TO reader; GRANT SELECT (idempotency_scope, idempotency_key, status, locked_until, request_hash) ON app.idempotency_request TO reader"_s);
    ConnectionSettings settings;
    settings.conninfo = m_cluster->conninfoAs(u"reader"_s, u"filled"_s);
    const auto opened = Session::open(settings, {});
    QVERIFY(opened.ok());
    const auto proposals = proposalsIn(**opened);
    QVERIFY2(proposals.ok(), proposals.ok() ? "" : qPrintable(proposals.error().line() + proposals.error().detail));
    QCOMPARE(proposals->size(), 1);
    QCOMPARE(proposals->first().profile.key.sql, u"t.idempotency_key"_s);
    QVERIFY(!proposals->first().profile.has(Role::Owner));
}

void DetectTest::previewShowsEachFault()
{
    const auto relation = readRelation(session(u"filled"_s), u"app.idempotency_request"_s);
    const auto preview = previewExpressions(session(u"filled"_s), *relation,
        { u"t.idempotency_key"_s, u"t.nothing"_s, u"t.idempotency_key::int"_s, u"pg_sleep(1)"_s, u"t.failure_code"_s,
            u"repeat('x', 100000)"_s, u"$now > t.claimed_at"_s },
        3);
    QVERIFY2(preview.ok(), preview.ok() ? "" : qPrintable(preview.error().line() + preview.error().detail));
    QCOMPARE(preview->size(), 7);
    for (const Cells &column : *preview) {
        QCOMPARE(column.size(), 3);
    }
    QVERIFY(preview->at(0).first().text.startsWith(u'k'));
    QVERIFY(preview->at(1).first().error.contains(u"nothing"));
    QVERIFY(preview->at(2).first().error.contains(u"integer"));
    QVERIFY(preview->at(3).first().failed());
    QVERIFY(preview->at(4).first().null && !preview->at(4).first().failed());
    QCOMPARE(preview->at(5).first().fullBytes, 100'000);
    QCOMPARE(preview->at(6).first().text, u"true"_s);
}

void DetectTest::statusesAreCounted()
{
    const auto relation = readRelation(session(u"filled"_s), u"app.outbox_event"_s);
    const auto counts = sampleStatuses(session(u"filled"_s), *relation, u"t.status"_s);
    QVERIFY(counts.ok());
    QCOMPARE(counts->size(), 2);
    QCOMPARE(counts->first().status.text, u"published"_s);
    QCOMPARE(counts->first().rows, 200);
    const auto nulls = sampleStatuses(session(u"filled"_s), *relation, u"NULL::text"_s);
    QVERIFY(nulls->first().status.null);
    const auto broken = sampleStatuses(session(u"filled"_s), *relation, u"t.nothing"_s);
    QVERIFY(!broken.ok());
    QVERIFY(broken.error().why.contains(u"nothing"));
}

/// The first rows of an index over the status have one status.
void DetectTest::anIndexDoesNotChooseTheSample()
{
    m_cluster->createDatabase(u"indexed"_s);
    m_cluster->psql(u"indexed"_s,
        u"CREATE TABLE public.intents (id bigint PRIMARY KEY, status text NOT NULL, pad text DEFAULT repeat('x', "
        u"200)); "
        "INSERT INTO public.intents SELECT i, (ARRAY['aborted', 'done', 'open'])[1 + i % 3] FROM generate_series(1, "
        "30000) "
        "i; CREATE INDEX ON public.intents (status)"_s);
    m_cluster->psql(u"indexed"_s, u"VACUUM ANALYZE public.intents"_s);
    const auto relation = readRelation(session(u"indexed"_s), u"public.intents"_s);
    const auto counts = sampleStatuses(session(u"indexed"_s), *relation, u"t.status"_s);
    QVERIFY(counts.ok());
    QCOMPARE(counts->size(), 3);
    QVERIFY2(counts->first().rows < 2 * counts->last().rows, qPrintable(QString::number(counts->first().rows)));
}

void DetectTest::aLockedTableStopsNothing()
{
    ConnectionSettings settings;
    settings.conninfo = m_cluster->conninfo(u"filled"_s);
    Session::Options options;
    options.lane = LaneKind::Write;
    options.readOnly = false;
    const auto holder = Session::open(settings, options);
    QVERIFY(holder.ok());
    QVERIFY((*holder)->begin().ok());
    QVERIFY((*holder)->run({ u"LOCK TABLE app.idempotency_request IN ACCESS EXCLUSIVE MODE"_s, {} }).ok());
    const auto proposals = proposalsIn(session(u"filled"_s), u"app"_s);
    (*holder)->rollback();
    QVERIFY2(proposals.ok(), proposals.ok() ? "" : qPrintable(proposals.error().line() + proposals.error().detail));
    const bool doubted = std::any_of(proposals->begin(), proposals->end(), [](const Proposal &proposal) {
        return proposal.relation.name == u"idempotency_request"
            && proposal.doubts.join(u' ').contains(u"could not be looked at");
    });
    QVERIFY(doubted);
}

QTEST_GUILESS_MAIN(DetectTest)
#include "tst_detect.moc"
