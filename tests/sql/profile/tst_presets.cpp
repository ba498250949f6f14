// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/compile.h"
#include "sql/detect/detect.h"
#include "sql/duplicates/duplicate_gateway.h"
#include "sql/health/health_report.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/retry_reader.h"
#include "sql/keys/unseen.h"
#include "sql/profile/binder.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::TestCluster;

namespace {

// The columns that matter of what the libraries make, in the versions that the presets name.
const QString kLibraries = uR"(
CREATE SCHEMA graphile_worker;
CREATE TABLE graphile_worker._private_tasks (id integer PRIMARY KEY, identifier text NOT NULL UNIQUE);
CREATE TABLE graphile_worker._private_job_queues (id integer PRIMARY KEY, queue_name text NOT NULL UNIQUE,
    locked_at timestamptz, locked_by text);
CREATE TABLE graphile_worker._private_jobs (id bigint PRIMARY KEY, job_queue_id integer, task_id integer NOT NULL,
    payload json NOT NULL DEFAULT '{}', priority smallint NOT NULL DEFAULT 0, run_at timestamptz NOT NULL DEFAULT now(),
    attempts smallint NOT NULL DEFAULT 0, max_attempts smallint NOT NULL DEFAULT 25, last_error text,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), key text UNIQUE,
    locked_at timestamptz, locked_by text, revision integer NOT NULL DEFAULT 0, flags jsonb);
INSERT INTO graphile_worker._private_tasks VALUES (1, 'send_mail');
INSERT INTO graphile_worker._private_job_queues VALUES (1, 'mail', now() - interval '5 hours', 'pool-b');
INSERT INTO graphile_worker._private_jobs (id, job_queue_id, task_id, attempts, last_error, locked_at, locked_by) VALUES
    (1, NULL, 1, 0, NULL, NULL, NULL), (2, NULL, 1, 1, 'no route', NULL, NULL), (3, NULL, 1, 25, 'no route', NULL, NULL),
    (4, NULL, 1, 25, NULL, NULL, NULL), (5, NULL, 1, 1, NULL, now(), 'pool-a'),
    (6, NULL, 1, 1, NULL, now() - interval '5 hours', 'pool-b'), (7, 1, 1, 1, NULL, now() - interval '5 hours', 'pool-b');
CREATE SCHEMA pgboss;
CREATE TYPE pgboss.job_state AS ENUM ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
CREATE TABLE pgboss.job (id uuid DEFAULT gen_random_uuid(), name text NOT NULL, priority integer NOT NULL DEFAULT 0, data jsonb,
    state pgboss.job_state NOT NULL DEFAULT 'created', retry_limit integer NOT NULL DEFAULT 2, retry_count integer NOT NULL DEFAULT 0,
    retry_delay integer NOT NULL DEFAULT 0, retry_backoff boolean NOT NULL DEFAULT false, retry_delay_max integer NOT NULL DEFAULT 3600,
    start_after timestamptz NOT NULL DEFAULT now(), started_on timestamptz, singleton_key text, %1
    created_on timestamptz NOT NULL DEFAULT now(), completed_on timestamptz, keep_until timestamptz NOT NULL DEFAULT now() + interval '14 days',
    output jsonb, dead_letter text, policy text, PRIMARY KEY (name, id));
INSERT INTO pgboss.job (name, state, started_on) VALUES ('quick', 'created', NULL), ('quick', 'active', now()),
    ('quick', 'active', now() - interval '5 hours');)"_s;
const QString kBoss10 = u"expire_in interval NOT NULL DEFAULT '15 minutes',"_s;
const QString kBoss12 = u"expire_seconds integer NOT NULL DEFAULT 900, deletion_seconds integer NOT NULL DEFAULT "
                        u"604800, heartbeat_on timestamptz, "
                        "heartbeat_seconds integer, blocked boolean NOT NULL DEFAULT false, upsert_by_key text,"_s;

} // namespace

/// Profiles of tables around the documents' own: of the business, and of libraries that keep jobs.
class PresetsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_cluster.reset(); }
    void namesAreNobodyElses();
    void eachFitsItsTable_data();
    void eachFitsItsTable();
    void aJobIsStuckWhenItsLibrarySaysSo_data();
    void aJobIsStuckWhenItsLibrarySaysSo();
    void whatTheLibraryKeepsForItselfHasNoRule();
    void aLibraryIsKnownInAnySchema_data();
    void aLibraryIsKnownInAnySchema();
    void aTableOfThatNameAloneIsNone();
    void doublesOfTheBusinessAreFound();
    void aTimerMayStartWhereNoneRuns();
    void whatRowSecurityHidesBesideIsSaid();
    void anImportSaysHowFarItIs();
    void theReportGivesNoAdviceForStoresOfKeys();
    void keysThatMustBeKnownForGoodAreKept_data();
    void keysThatMustBeKnownForGoodAreKept();

private:
    std::unique_ptr<Session> open(const QString &database = u"postgres"_s)
    {
        ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo(database);
        auto session = Session::open(settings, {});
        if (!session) {
            qFatal("%s", qPrintable(session.error().line()));
        }
        return std::move(*session);
    }
    static Target bound(Session &session, const Profile &profile)
    {
        const auto target = bindTarget(session, profile);
        if (!target) {
            qFatal("%s", qPrintable(target.error().line() + target.error().detail));
        }
        return *target;
    }
    static QString databaseOf(const QString &preset) { return preset == u"pg-boss-10" ? u"boss10"_s : u"postgres"_s; }

    std::unique_ptr<TestCluster> m_cluster;
};

void PresetsTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->psqlFile(u"postgres"_s, u"sql/demo/schema_003.sql"_s);
    m_cluster->psql(u"postgres"_s, kLibraries.arg(kBoss12));
    m_cluster->createDatabase(u"boss10"_s);
    m_cluster->psql(u"boss10"_s, kLibraries.arg(kBoss10));
    m_cluster->psql(u"postgres"_s,
        u"INSERT INTO seed003.ledger_entry VALUES (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', "
        "'00000000-0000-4000-8000-0000000000aa', 'fees', 'op-1', 'CREDIT', 1500, 'EUR', '2026-11-01 10:01Z'),"
        "(gen_random_uuid(), '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000aa', 'fees', "
        "'op-2', 'CREDIT', 1500, 'EUR', '2026-11-01 10:02Z'),"
        "(gen_random_uuid(), '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000aa', 'fees', "
        "'op-3', 'DEBIT', 1500, 'EUR', '2026-11-01 10:02Z');"
        "UPDATE seed003.ledger_entry SET posted_at = date_trunc('hour', now()) - interval '1 hour';"
        "INSERT INTO seed003.external_case_reference (tenant_id, source_system, external_case_ref, case_id) VALUES "
        "('00000000-0000-4000-8000-000000000001', 'police', 'X-17 4', gen_random_uuid()),"
        "('00000000-0000-4000-8000-000000000001', 'police', 'x17/4', gen_random_uuid()),"
        "('00000000-0000-4000-8000-000000000001', 'police', 'X-175', gen_random_uuid());"
        "DROP INDEX seed003.uq_active_case_sla_timer;"
        "INSERT INTO seed003.case_sla_timer SELECT gen_random_uuid(), '00000000-0000-4000-8000-000000000001', "
        "'00000000-0000-4000-8000-0000000000bb', 'first_answer', s, now() FROM unnest(ARRAY['ACTIVE', 'ACTIVE', "
        "'STOPPED']) s;"
        "INSERT INTO seed003.import_job VALUES ('00000000-0000-4000-8000-0000000000cc', "
        "'00000000-0000-4000-8000-000000000001', 'monthly', 'RUNNING');"
        "INSERT INTO seed003.import_row_result (import_job_id, row_number, source_row_hash, status) SELECT "
        "'00000000-0000-4000-8000-0000000000cc', i, md5(i::text), CASE WHEN i <= 6 THEN 'APPLIED' WHEN i = 7 THEN "
        "'FAILED' "
        "ELSE 'PENDING' END FROM generate_series(1, 10) i"_s);
}

void PresetsTest::namesAreNobodyElses()
{
    QStringList names;
    for (const Profile &profile : offeredProfiles()) {
        QVERIFY2(!names.contains(profile.name), qPrintable(profile.name));
        names += profile.name;
        QVERIFY2(shippedProfile(profile.name), qPrintable(profile.name));
        const auto again = profileFromJson(profileToJson(profile), u"again.json"_s);
        QVERIFY2(again.ok(), again ? "" : qPrintable(again.error().where));
    }
    QVERIFY(presetProfiles().size() >= 7);
}

void PresetsTest::eachFitsItsTable_data()
{
    QTest::addColumn<QString>("name");
    for (const Profile &profile : presetProfiles()) {
        QTest::newRow(qPrintable(profile.name)) << profile.name;
    }
}

/// Without a finding, with pages, and with statements for its rules.
void PresetsTest::eachFitsItsTable()
{
    QFETCH(QString, name);
    const auto session = open(databaseOf(name));
    const Target target = bound(*session, *shippedProfile(name));
    for (const Finding &finding : target.findings) {
        QVERIFY2(finding.severity != Finding::Severity::Problem, qPrintable(finding.jsonPath + u": "_s + finding.text));
    }
    QVERIFY(target.identityUnique);
    const auto page = readPage(*session, target, {});
    QVERIFY2(page.ok() && !page->rows.isEmpty(), page ? "no row" : qPrintable(page.error().detail));
    for (const KeyRecord &row : page->rows) {
        QVERIFY2(row.state != KeyState::Unknown, qPrintable(row.role(Role::Status).text));
    }
    const auto compiled = compileTarget(*session, target);
    QVERIFY2(compiled.ok(), compiled ? "" : qPrintable(compiled.error().line() + compiled.error().detail));
}

void PresetsTest::aJobIsStuckWhenItsLibrarySaysSo_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("stuck");
    QTest::addColumn<int>("running");
    QTest::newRow("graphile-worker") << u"graphile-worker"_s << 2 << 1;
    QTest::newRow("pg-boss 12") << u"pg-boss"_s << 1 << 1;
    QTest::newRow("pg-boss 10") << u"pg-boss-10"_s << 1 << 1;
}

void PresetsTest::aJobIsStuckWhenItsLibrarySaysSo()
{
    QFETCH(QString, name);
    QFETCH(int, stuck);
    QFETCH(int, running);
    const auto session = open(databaseOf(name));
    const auto page = readPage(*session, bound(*session, *shippedProfile(name)), {});
    QVERIFY(page.ok());
    int isStuck = 0;
    int isRunning = 0;
    for (const KeyRecord &row : page->rows) {
        isStuck += row.stale.value_or(false) ? 1 : 0;
        isRunning += row.state == KeyState::InProgress && !row.stale.value_or(true) ? 1 : 0;
    }
    QCOMPARE(isStuck, stuck);
    QCOMPARE(isRunning, running);
}

/// A queue's lock stands in another table, and goes with the job's; given-up jobs may have been replaced, and are left.
void PresetsTest::whatTheLibraryKeepsForItselfHasNoRule()
{
    const Profile graphile = *shippedProfile(u"graphile-worker"_s);
    for (const ActionRule &rule : graphile.recover) {
        QCOMPARE(rule.status.size(), 1);
        QCOMPARE(rule.second.has_value(), rule.status.constFirst().contains(u"queue"));
    }
    for (const ActionRule &rule : graphile.requeue) {
        QVERIFY(!rule.status.contains(u"given up"_s) && !rule.status.isEmpty());
    }
    QVERIFY(graphile.purge.isEmpty());
    for (const char16_t *name : { u"pg-boss", u"pg-boss-10" }) {
        const Profile boss = *shippedProfile(QString::fromUtf16(name));
        for (const ActionRule &rule : boss.recover) {
            QVERIFY(!rule.status.contains(u"active, last attempt, then dead letter"_s) && !rule.status.isEmpty());
            for (const auto &[column, value] : rule.set) {
                QVERIFY(column != u"started_on"); // the library counts attempts by it
            }
        }
    }
    QVERIFY(shippedProfile(u"pg-boss-10"_s)->purge.isEmpty()); // its archive comes first
}

void PresetsTest::aLibraryIsKnownInAnySchema_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("schema");
    for (const char16_t *name : { u"graphile-worker", u"pg-boss", u"pg-boss-10" }) {
        const QString preset = QString::fromUtf16(name);
        QTest::addRow("%s in another schema", qPrintable(preset)) << preset << u"background"_s;
        QTest::addRow("%s in one that needs quotes", qPrintable(preset)) << preset << u"Back \"ground\\'s jobs"_s;
    }
}

/// Both libraries let their users choose the schema. Guessed rules would free what the library counts by.
void PresetsTest::aLibraryIsKnownInAnySchema()
{
    QFETCH(QString, preset);
    QFETCH(QString, schema);
    const Profile shipped = *shippedProfile(preset);
    const QString usual = shipped.relation.section(u'.', 0, 0);
    const QString database = databaseOf(preset);
    const QString quoted = quoteIdentifier(schema);
    m_cluster->psql(database, u"ALTER SCHEMA %1 RENAME TO %2"_s.arg(usual, quoted));
    const auto back
        = qScopeGuard([&] { m_cluster->psql(database, u"ALTER SCHEMA %2 RENAME TO %1"_s.arg(usual, quoted)); });
    const auto session = open(database);
    const auto detected = detectTargets(*session, schema);
    QVERIFY2(detected.ok(), detected ? "" : qPrintable(detected.error().line()));
    QVERIFY2(detected->proposals.size() == 1, qPrintable(QString::number(detected->proposals.size())));
    const Proposal &proposal = detected->proposals.constFirst();
    QVERIFY(proposal.reasons.constFirst().contains(shipped.title) && proposal.confidence == 95);
    QCOMPARE(proposal.profile.states, shipped.states);
    const Target target = bound(*session, proposal.profile);
    for (const Finding &finding : target.findings) {
        QVERIFY2(finding.severity != Finding::Severity::Problem, qPrintable(finding.jsonPath + u": "_s + finding.text));
    }
    const auto page = readPage(*session, target, {});
    QVERIFY2(page.ok() && !page->rows.isEmpty(), page ? "no row" : qPrintable(page.error().detail));
    const auto compiled = compileTarget(*session, target);
    QVERIFY2(compiled.ok(), compiled ? "" : qPrintable(compiled.error().line() + compiled.error().detail));
    QVERIFY2(!compiled->json.contains((usual + u'.').toUtf8()), compiled->json.constData());
    // A profile that somebody may save, with a name that is not the preset's.
    const auto again = profileFromJson(profileToJson(proposal.profile), u"again.json"_s);
    QVERIFY2(again.ok(), again ? "" : qPrintable(again.error().where));
    QVERIFY(again->name != preset && again->name.startsWith(preset));
}

void PresetsTest::aTableOfThatNameAloneIsNone()
{
    const auto session = open();
    m_cluster->psql(u"postgres"_s,
        u"CREATE SCHEMA shop; CREATE TABLE shop.job (id uuid PRIMARY KEY, name text NOT NULL, state text NOT NULL "
        u"CHECK "
        "(state IN ('created', 'active', 'completed')), started_on timestamptz, created_on timestamptz NOT NULL "
        "DEFAULT "
        "now()); INSERT INTO shop.job SELECT gen_random_uuid(), 'n', 'active', now() FROM generate_series(1, 9)"_s);
    const auto relation = readRelation(*session, u"shop.job"_s);
    QVERIFY(relation.ok());
    const auto proposal = proposeFor(*session, *relation);
    QVERIFY(proposal.ok());
    QVERIFY2(!proposal->profile.name.startsWith(u"pg-boss"), qPrintable(proposal->profile.name));
}

void PresetsTest::doublesOfTheBusinessAreFound()
{
    const auto session = open();
    for (const char16_t *name : { u"ledger-entry", u"case-reference", u"case-timer" }) {
        DuplicateRequest request;
        request.reasons = { DuplicateReason::SameBusinessReference };
        const auto answer
            = findDuplicates(*session, bound(*session, *shippedProfile(QString::fromUtf16(name))), request);
        QVERIFY2(answer.ok(), answer ? "" : qPrintable(answer.error().line() + answer.error().detail));
        QVERIFY2(answer->groups.size() == 1 && answer->groups.constFirst().keys == 2,
            qPrintable(QString::fromUtf16(name) + u": "_s + QString::number(answer->groups.size())));
    }
}

/// What another row holds counts as well: the unique index is over all of them.
void PresetsTest::aTimerMayStartWhereNoneRuns()
{
    m_cluster->psql(u"postgres"_s,
        u"INSERT INTO seed003.case_sla_timer VALUES (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', "
        "'00000000-0000-4000-8000-0000000000bd', 'first_answer', 'STOPPED', now())"_s);
    const auto session = open();
    const Target timers = bound(*session, *shippedProfile(u"case-timer"_s));
    const auto page = readPage(*session, timers, {});
    QVERIFY2(page.ok(), page ? "" : qPrintable(page.error().line()));
    QMap<RetryOutcome, int> outcomes;
    for (const KeyRecord &record : page->rows) {
        if (record.state != KeyState::Succeeded) {
            continue;
        }
        const auto answers = readRetry(*session, timers, record, page->now);
        QVERIFY(answers.ok() && answers->same.outcome);
        ++outcomes[*answers->same.outcome];
    }
    QCOMPARE(outcomes, (QMap<RetryOutcome, int> { { RetryOutcome::Refused, 1 }, { RetryOutcome::RunsAgain, 1 } }));
}

/// The library closes all of its tables. A policy on the jobs alone leaves the names of tasks and queues empty.
void PresetsTest::whatRowSecurityHidesBesideIsSaid()
{
    m_cluster->psql(u"postgres"_s,
        u"CREATE ROLE looker LOGIN; GRANT USAGE ON SCHEMA graphile_worker TO looker; "
        "GRANT SELECT ON ALL TABLES IN SCHEMA graphile_worker TO looker; "
        "ALTER TABLE graphile_worker._private_jobs ENABLE ROW LEVEL SECURITY; "
        "ALTER TABLE graphile_worker._private_tasks ENABLE ROW LEVEL SECURITY; "
        "ALTER TABLE graphile_worker._private_job_queues ENABLE ROW LEVEL SECURITY; "
        "CREATE POLICY jobs ON graphile_worker._private_jobs FOR SELECT TO looker USING (true); "
        "CREATE POLICY tasks ON graphile_worker._private_tasks FOR SELECT TO looker USING (true)"_s);
    const auto open = qScopeGuard([this] {
        m_cluster->psql(u"postgres"_s,
            u"ALTER TABLE graphile_worker._private_jobs DISABLE ROW LEVEL SECURITY; "
            "ALTER TABLE graphile_worker._private_tasks DISABLE ROW LEVEL SECURITY; "
            "ALTER TABLE graphile_worker._private_job_queues DISABLE ROW LEVEL SECURITY; DROP OWNED BY looker; "
            "DROP ROLE looker"_s);
    });
    ConnectionSettings settings;
    settings.conninfo = m_cluster->conninfo(u"postgres"_s) + u" user=looker"_s;
    const auto session = Session::open(settings, {});
    QVERIFY2(session.ok(), session ? "" : qPrintable(session.error().line()));
    const Target jobs = bound(**session, *shippedProfile(u"graphile-worker"_s));
    QCOMPARE(jobs.hiddenBeside, QStringList { u"graphile_worker._private_job_queues"_s });
    QVERIFY(!jobs.relation.rowSecurity);
    const QStringList notes = unseenNotes(jobs);
    QVERIFY2(notes.size() == 1 && notes.first().contains(u"_private_job_queues"_s), qPrintable(notes.join(u'|')));
    const bool told = std::any_of(jobs.findings.cbegin(), jobs.findings.cend(), [](const Finding &finding) {
        return finding.text.contains(u"ON graphile_worker._private_job_queues FOR SELECT TO \"looker\" USING (true)"_s);
    });
    QVERIFY(told);
}

void PresetsTest::anImportSaysHowFarItIs()
{
    const auto session = open();
    const Target target = bound(*session, *shippedProfile(u"import-job"_s));
    const auto page = readPage(*session, target, {});
    QVERIFY(page.ok() && page->rows.size() == 1);
    QStringList fields;
    for (const Cell &field : page->rows.constFirst().fields) {
        fields += field.text;
    }
    QCOMPARE(fields, (QStringList { u"monthly"_s, u"7 of 10"_s, u"1"_s }));
}

void PresetsTest::theReportGivesNoAdviceForStoresOfKeys()
{
    for (const Profile &profile : presetProfiles()) {
        const auto session = open(databaseOf(profile.name));
        const auto report = readHealth(*session, bound(*session, profile));
        QVERIFY2(report.ok(), report ? "" : qPrintable(report.error().line()));
        QVERIFY2(!report->findings.isEmpty(), qPrintable(profile.name));
        for (const HealthFinding &finding : report->findings) {
            const bool ofStores = finding.id.startsWith(u"index_") || finding.id == u"fingerprint"
                || finding.id == u"unique_key" || finding.id == u"stale_rule" || finding.id == u"purge_rule";
            QVERIFY2(!ofStores || finding.id == u"index_use",
                qPrintable(profile.name + u": "_s + finding.id + u' ' + finding.seen));
        }
    }
}

void PresetsTest::keysThatMustBeKnownForGoodAreKept_data()
{
    QTest::addColumn<DedupWindow>("dedup");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("window");
    QTest::addColumn<HealthLevel>("level");
    QTest::newRow("for good, and nothing takes them")
        << DedupWindow::Permanent << QString() << QString() << HealthLevel::Good;
    QTest::newRow("for good, and a purge takes them")
        << DedupWindow::Permanent << u"400d"_s << QString() << HealthLevel::Problem;
    QTest::newRow("a long window that is long enough")
        << DedupWindow::Long << u"30d"_s << QString() << HealthLevel::Good;
    QTest::newRow("a long window that is not") << DedupWindow::Long << u"29d"_s << QString() << HealthLevel::Problem;
    QTest::newRow("a short window") << DedupWindow::Short << u"2d"_s << u"1d"_s << HealthLevel::Good;
    QTest::newRow("a short window for late redeliveries")
        << DedupWindow::Short << u"2d"_s << u"30d"_s << HealthLevel::Problem;
}

void PresetsTest::keysThatMustBeKnownForGoodAreKept()
{
    QFETCH(DedupWindow, dedup);
    QFETCH(QString, after);
    QFETCH(QString, window);
    QFETCH(HealthLevel, level);
    const auto session = open();
    Target target = bound(*session, *shippedProfile(u"ledger-entry"_s));
    PolicySpec &policy = target.profile.policies.first();
    policy.dedup = dedup;
    if (!window.isEmpty()) {
        policy.windows.insert(u"redelivery"_s, window);
    }
    if (!after.isEmpty()) {
        TimeRule rule;
        rule.states = { KeyState::Succeeded };
        rule.by.sql = u"t.posted_at"_s;
        rule.after = after;
        target.profile.purge = { rule };
    }
    const auto report = readHealth(*session, target, { u"dedup"_s });
    QVERIFY2(report.ok(), report ? "" : qPrintable(report.error().line()));
    QVERIFY(!report->findings.isEmpty());
    QCOMPARE(int(report->findings.constFirst().level), int(level));
}

QTEST_MAIN(PresetsTest)

#include "tst_presets.moc"
