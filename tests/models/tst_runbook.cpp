// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_rules.h"
#include "models/runbook/runbook_marks.h"
#include "models/runbook/runbook_report.h"
#include "sql/actions/action_gateway.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using models::RunbookAnswer;
using models::RunbookReport;
using models::RunbookStepResult;

Q_DECLARE_METATYPE(idemdesk::models::RunbookAnswer)

namespace {

const QByteArray kQueue = R"json({"relation": "app.outbox", "identity": ["id"], "scope": [], "key": "t.id",
  "roles": {"status": "t.status", "attempts": "t.attempts", "created_at": "t.made", "completed_at": "t.done",
            "lease_until": "t.lease"},
  "states": {"new": "pending", "sending": "in_progress", "sent": "succeeded", "dead": "failed_final"},
  "stale": [{"states": ["in_progress"], "by": "t.lease", "after": "0s"}], "guard": ["status"],
  "actions": {"recover": [], "requeue": [], "reclassify": []}, "effects": [], "policies": [],
  "purge": {"by": "t.done", "after": "7d", "states": ["succeeded"]}})json";

} // namespace

/// Each runbook on rows that are so, and on rows that are not.
class RunbookTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void cleanup() { m_op.reset(); }

    void namesAndLinksHold();
    void whatFiresNowStandsFirst();
    void deadlocksAndWaits();
    void passingFailuresAreNamedWithTheirRemedy();
    void orphanedKeysAfterACrash();
    void stuckKeysByWhatIsKnownOfThem();
    void stampedeSeesTheConstraint();
    void retriesOfOneScope();
    void effectsOutside();
    void queuesThatStand_data();
    void queuesThatStand();
    void purgesThatWentWrong();
    void reuseOfKeys();
    void standbyThatIsBehind();
    void growthBeyondRetention();
    void whatCannotBeReadIsNoGoodAnswer();
    void onlyWhatCanBeStuckIsAskedFor();
    void commandsAreSafeToPaste();
    void reportsSayTheSame();

private:
    RunbookReport read(const QString &name) { return read(name, { { m_table.target, u"k2"_s, m_table.compiled } }); }
    RunbookReport read(const QString &name, const QList<models::RunbookSubject> &subjects,
        const QList<models::TargetProblem> &problems = {}, sql::Session *session = nullptr)
    {
        const auto report
            = models::readRunbook(session != nullptr ? *session : *m_op, *models::runbook(name), subjects, problems);
        if (!report) {
            qFatal("%s", qPrintable(report.error().line() + report.error().detail));
        }
        return *report;
    }
    static RunbookStepResult step(const RunbookReport &report, const char *id)
    {
        for (const RunbookStepResult &result : report.steps) {
            if (QByteArray(result.step->id) == id) {
                return result;
            }
        }
        qFatal("no step %s", id);
        return {};
    }
    RunbookAnswer answer(const QString &name, const char *id) { return step(read(name), id).answer; }
    QString seen(const QString &name, const char *id) { return step(read(name), id).leading()->seen; }
    static QStringList commands(const RunbookReport &report)
    {
        QStringList all;
        for (const models::RunbookNext &next : report.next) {
            all += next.command;
        }
        return all;
    }
    static QStringList todos(const RunbookReport &report)
    {
        QStringList all;
        for (const models::RunbookNext &next : report.next) {
            all += next.text;
        }
        return all;
    }
    void run(const QString &sql)
    {
        const auto done = m_fixture->root().run(sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
    }
    /// The queue's profile as a target of this kind, not registered.
    models::RunbookSubject queue(const QString &kind)
    {
        QJsonObject json = QJsonDocument::fromJson(tableProfile(kQueue)).object();
        json.insert(u"kind"_s, kind);
        json.insert(u"name"_s, u"queue"_s);
        const auto profile = sql::profileFromJson(QJsonDocument(json).toJson(), u"test"_s);
        if (!profile) {
            qFatal("%s", qPrintable(profile.error().line()));
        }
        const auto target = sql::bindTarget(*m_op, *profile);
        if (!target) {
            qFatal("%s", qPrintable(target.error().line()));
        }
        return { *target, {}, {} };
    }

    std::unique_ptr<ConsoleFixture> m_fixture;
    RegisteredTable m_table;
    std::unique_ptr<sql::Session> m_op;
};

void RunbookTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void RunbookTest::init()
{
    m_fixture->fresh([this] {
        const auto done = m_fixture->root().run(
            u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm; "
            "GRANT pg_monitor, pg_read_all_stats TO op; GRANT idemdesk_reporter TO service; "
            "CREATE TABLE app.outbox (id integer PRIMARY KEY, status text NOT NULL, attempts integer NOT NULL DEFAULT "
            "0,"
            " made timestamptz NOT NULL DEFAULT now(), done timestamptz, lease timestamptz); "
            "GRANT SELECT ON app.outbox TO op, adm; ALTER TABLE app.k ADD code text"_s);
        if (!done.ok()) {
            qFatal("%s", qPrintable(done.value()));
        }
        m_table = registerTable(*m_fixture,
            R"({"roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until",
                "updated_at": "t.updated_at", "expires_at": "t.expires_at", "result_id": "t.result",
                "error_code": "t.code"}})");
        m_fixture->forgetBare();
    });
    m_op = openSession(*m_fixture, u"op"_s);
}

void RunbookTest::namesAndLinksHold()
{
    QSet<QString> names;
    for (const models::Runbook &book : models::runbooks()) {
        const QString name = QString::fromLatin1(book.name);
        QVERIFY2(!names.contains(name), book.name);
        names.insert(name);
        QCOMPARE(models::runbook(name), &book);
        QSet<QByteArray> ids;
        for (const models::RunbookStep &one : book.steps) {
            QVERIFY2(!ids.contains(one.id), one.id);
            ids.insert(one.id);
        }
        QVERIFY2(ids.size() >= 4, book.name);
    }
    QVERIFY(models::runbook(u"no such"_s) == nullptr);
    const auto rules = models::defaultAlertRules();
    for (const sql::AlertRule &rule : rules) {
        QVERIFY2(names.contains(models::runbookForMetric(rule.metric, std::nullopt)), qPrintable(rule.id));
    }
    QCOMPARE(models::runbookForMetric(u"oldest_backlog"_s, sql::TargetKind::Outbox), u"outbox-stuck"_s);
    QCOMPARE(models::runbookForMetric(u"oldest_backlog"_s, sql::TargetKind::Inbox), u"inbox-stuck"_s);
    sql::HealthFinding finding { u"unique_key"_s, sql::HealthLevel::Problem, {}, {}, {}, {} };
    QVERIFY(names.contains(models::runbookForFinding(finding)));
    finding.level = sql::HealthLevel::Good;
    QVERIFY(models::runbookForFinding(finding).isEmpty());
}

/// By the alerts that lead to each: those that fire first; one that is acknowledged is known, and is not counted.
void RunbookTest::whatFiresNowStandsFirst()
{
    const auto alert = [](const QString &target, const QString &metric, sql::AlertState state, bool known = false) {
        models::AlertEntry entry;
        entry.target = target;
        entry.title = target;
        entry.status.state = state;
        entry.status.rule.metric = metric;
        entry.status.rule.title = u"Too many of "_s + metric;
        if (known) {
            entry.acknowledged = models::SavedAcknowledgement();
        }
        return entry;
    };
    using S = sql::AlertState;
    const QList<models::AlertEntry> alerts { alert(u"k"_s, u"expired"_s, S::Firing),
        alert(u"k"_s, u"rows"_s, S::Firing), alert(u"out"_s, u"backlog"_s, S::Firing),
        alert(u"k"_s, u"conflicts"_s, S::Firing, true), alert(u"k"_s, u"stale"_s, S::Quiet) };
    const QHash<QString, sql::TargetKind> kinds { { u"k"_s, sql::TargetKind::Request },
        { u"out"_s, sql::TargetKind::Outbox } };
    const auto marks = models::runbookMarks(alerts, kinds);
    QCOMPARE(marks.value(u"growth"_s).firing, 2);
    QVERIFY(marks.value(u"growth"_s).alerts.constFirst().startsWith(u"Too many of expired: k"_s));
    QCOMPARE(marks.value(u"outbox-stuck"_s).firing, 1);
    QCOMPARE(marks.value(u"key-reuse"_s).firing, 0);
    QCOMPARE(marks.value(u"key-reuse"_s).known, 1);
    QVERIFY(!marks.contains(u"orphaned-keys"_s));
    const QStringList order = models::runbooksByUrgency(marks);
    QCOMPARE(order.mid(0, 4), QStringList({ u"growth"_s, u"outbox-stuck"_s, u"key-reuse"_s, u"deadlock"_s }));
    QCOMPARE(order.size(), qsizetype(models::runbooks().size()));
    QCOMPARE(models::runbooksByUrgency({}).constFirst(), u"deadlock"_s);
    // Of one table alone.
    QVERIFY(!models::runbookMarks(alerts, kinds, u"out"_s).contains(u"growth"_s));
}

void RunbookTest::deadlocksAndWaits()
{
    QCOMPARE(answer(u"deadlock"_s, "waits"), RunbookAnswer::Fine);
    QCOMPARE(answer(u"deadlock"_s, "counted"), RunbookAnswer::Fine);
    QCOMPARE(answer(u"deadlock"_s, "advisory"), RunbookAnswer::Fine);
    QCOMPARE(answer(u"deadlock"_s, "logged"), RunbookAnswer::Unknown); // nothing was imported
    const auto one = m_fixture->as(u"boss"_s);
    const auto two = m_fixture->as(u"boss"_s);
    one->run(u"SET deadlock_timeout = '50ms'; BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
    two->run(u"SET deadlock_timeout = '1h'; BEGIN; SELECT 1 FROM app.k WHERE key = 'k002' FOR UPDATE"_s);
    two->send(u"SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s);
    QTRY_COMPARE(answer(u"deadlock"_s, "waits"), RunbookAnswer::Trouble);
    const RunbookReport waiting = read(u"deadlock"_s);
    QVERIFY2(step(waiting, "waits").leading()->seen.contains(QString::number(one->pid())),
        qPrintable(step(waiting, "waits").leading()->seen));
    QVERIFY(commands(waiting).contains(u"idemdeskctl activity terminate %1 --reason REASON"_s.arg(one->pid())));
    QCOMPARE(step(waiting, "long_transaction").answer, RunbookAnswer::Fine); // none is a minute old
    one->send(u"SELECT 1 FROM app.k WHERE key = 'k002' FOR UPDATE"_s);
    QCOMPARE(one->take().state, u"40P01"_s);
    QVERIFY(two->take().ok());
    two->run(u"ROLLBACK"_s);
    one->run(u"ROLLBACK"_s); // a session tells what it counted once its transaction is over
    QTRY_COMPARE_WITH_TIMEOUT(answer(u"deadlock"_s, "counted"), RunbookAnswer::Trouble, 60'000);
    QCOMPARE(answer(u"deadlock"_s, "waits"), RunbookAnswer::Fine);
    one->run(u"BEGIN; SELECT pg_advisory_xact_lock(7)"_s);
    two->send(u"SELECT pg_advisory_xact_lock(7)"_s);
    QTRY_COMPARE(answer(u"deadlock"_s, "advisory"), RunbookAnswer::Trouble);
    one->run(u"ROLLBACK"_s);
    two->take();
}

void RunbookTest::passingFailuresAreNamedWithTheirRemedy()
{
    run(u"UPDATE app.k SET status = 'dead', code = '23514' WHERE key = 'k001'"_s);
    QCOMPARE(answer(u"deadlock"_s, "stored"), RunbookAnswer::Fine);
    run(u"UPDATE app.k SET code = '40P01' WHERE key = 'k001'"_s);
    const RunbookReport report = read(u"deadlock"_s);
    QCOMPARE(step(report, "stored").answer, RunbookAnswer::Trouble);
    const QStringList found
        = commands(report).filter(u"idemdeskctl requeue --target k2 --filter 'state:failed_final"_s);
    QCOMPARE(found.size(), 1);
    QVERIFY(found.constFirst().contains(u"40P01"_s));
}

void RunbookTest::orphanedKeysAfterACrash()
{
    RunbookReport report = read(u"orphaned-keys"_s);
    QCOMPARE(step(report, "stuck").answer, RunbookAnswer::Trouble); // fifty claims whose lease has lapsed
    QVERIFY2(
        step(report, "stuck").leading()->seen.contains(u"50"_s), qPrintable(step(report, "stuck").leading()->seen));
    QCOMPARE(step(report, "worker_gone").answer, RunbookAnswer::Trouble);
    // "Start with these" would be void: there are no others.
    QVERIFY(step(report, "worker_gone").leading()->all);
    QVERIFY(!todos(report).contains(u"Start with the keys that have no live worker."_s));
    // No effect was found; of keys that a person has to look at that says nothing.
    QCOMPARE(step(report, "effect_happened").answer, RunbookAnswer::Unknown);
    QVERIFY2(step(report, "effect_happened").leading()->seen.contains(u"it cannot be known."_s),
        qPrintable(step(report, "effect_happened").leading()->seen));
    QVERIFY(commands(report).contains(u"idemdeskctl triage --target k2 --filter state:stale"_s));
    run(u"INSERT INTO app.eff SELECT 'e1', tenant, key FROM app.k WHERE key = 'k001'"_s);
    report = read(u"orphaned-keys"_s);
    QCOMPARE(step(report, "effect_happened").answer, RunbookAnswer::Trouble);
    QVERIFY(step(report, "effect_happened").leading()->seen.startsWith(u"1 of 50"_s));
    QVERIFY(commands(report).contains(u"idemdeskctl recover --target k2 --filter state:stale --dry-run"_s));

    // None is lost; but the server of this test has counted for minutes only.
    QCOMPARE(step(report, "crashes").answer, RunbookAnswer::Unknown);
    QVERIFY(step(report, "crashes").leading()->seen.endsWith(u"That is too short to tell."_s));
    const auto dying = m_fixture->as(u"service"_s);
    dying->run(u"SELECT 1"_s);
    dying->drop();
    QTRY_COMPARE_WITH_TIMEOUT(answer(u"orphaned-keys"_s, "crashes"), RunbookAnswer::Trouble, 60'000);

    run(u"UPDATE app.k SET status = 'succeeded', locked_until = NULL WHERE status = 'processing'"_s);
    report = read(u"orphaned-keys"_s);
    for (const char *id : { "stuck", "worker_gone", "effect_happened", "safe_to_retry", "needs_review", "heartbeat" }) {
        QCOMPARE(step(report, id).answer, RunbookAnswer::Fine);
    }
}

void RunbookTest::stuckKeysByWhatIsKnownOfThem()
{
    QCOMPARE(answer(u"stuck-keys"_s, "running"), RunbookAnswer::Fine);
    QCOMPARE(answer(u"stuck-keys"_s, "attempts"), RunbookAnswer::Fine);
    const auto worker = m_fixture->as(u"service"_s);
    worker->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k003' FOR UPDATE"_s);
    RunbookReport report = read(u"stuck-keys"_s);
    QCOMPARE(step(report, "running").answer, RunbookAnswer::Trouble);
    QVERIFY(step(report, "running").leading()->seen.startsWith(u"1 of 50"_s));
    worker->run(u"ROLLBACK"_s);
    QCOMPARE(answer(u"stuck-keys"_s, "running"), RunbookAnswer::Fine);
    run(u"UPDATE app.k SET attempts = 7 WHERE key = 'k004'"_s);
    report = read(u"stuck-keys"_s);
    QCOMPARE(step(report, "attempts").answer, RunbookAnswer::Trouble);
    QVERIFY(commands(report).contains(
        u"idemdeskctl keys --target k2 --filter 'state:pending,in_progress,failed_retryable attempts>=5'"_s));
}

void RunbookTest::stampedeSeesTheConstraint()
{
    QCOMPARE(answer(u"stampede"_s, "one_winner"), RunbookAnswer::Fine);
    QCOMPARE(answer(u"stampede"_s, "slow"), RunbookAnswer::Unknown); // no service reports it
    run(u"ALTER TABLE app.k DROP CONSTRAINT k_pkey"_s);
    const auto target = sql::bindTarget(*m_op, m_table.target.profile);
    QVERIFY(target.ok());
    const RunbookReport report = read(u"stampede"_s, { { *target, u"k2"_s, m_table.compiled } });
    QCOMPARE(step(report, "one_winner").answer, RunbookAnswer::Trouble);
    QVERIFY(commands(report).contains(u"idemdeskctl check --target k2"_s));
}

void RunbookTest::retriesOfOneScope()
{
    run(u"UPDATE app.k SET attempts = 3 WHERE key LIKE 'd%'"_s); // of all three tenants alike
    QCOMPARE(answer(u"retry-storm"_s, "one_scope"), RunbookAnswer::Fine);
    run(u"UPDATE app.k SET attempts = 1 WHERE tenant <> 't1'"_s);
    QCOMPARE(answer(u"retry-storm"_s, "one_scope"), RunbookAnswer::Trouble);
    QVERIFY(seen(u"retry-storm"_s, "one_scope").contains(u"t1"_s));
    // It has most keys, of which no more are retried than of the others'.
    run(u"UPDATE app.k SET attempts = 3"_s);
    run(u"INSERT INTO app.k (tenant, key, status, attempts) SELECT 't1', 'large' || i, 'succeeded', 3 "
        "FROM generate_series(1, 500) i"_s);
    QCOMPARE(answer(u"retry-storm"_s, "one_scope"), RunbookAnswer::Fine);
}

void RunbookTest::effectsOutside()
{
    QCOMPARE(answer(u"external-effect"_s, "external"), RunbookAnswer::Trouble); // tenant t2
    QVERIFY(seen(u"external-effect"_s, "external").startsWith(u"17 of 50"_s));
    run(u"UPDATE app.k SET status = 'succeeded' WHERE tenant = 't2'"_s);
    QCOMPARE(answer(u"external-effect"_s, "external"), RunbookAnswer::Fine);
}

void RunbookTest::queuesThatStand_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("book");
    QTest::newRow("outbox") << u"outbox"_s << u"outbox-stuck"_s;
    QTest::newRow("inbox") << u"inbox"_s << u"inbox-stuck"_s;
}

void RunbookTest::queuesThatStand()
{
    QFETCH(QString, kind);
    QFETCH(QString, book);
    run(u"INSERT INTO app.outbox VALUES (1, 'sent', 1, now() - interval '1 min', now()), (2, 'new', 0, now(), NULL)"_s);
    RunbookReport report = read(book, { queue(kind), { m_table.target, u"k2"_s, m_table.compiled } });
    for (const char *id : { "backlog", "silent", "dead", "poison", "claimed" }) {
        QCOMPARE(step(report, id).answer, RunbookAnswer::Fine);
        QCOMPARE(step(report, id).sightings.size(), 1); // the table of requests is none of its business
    }
    run(u"UPDATE app.outbox SET made = now() - interval '1 hour', done = done - interval '20 min'; "
        "UPDATE app.outbox SET attempts = 9 WHERE id = 2; INSERT INTO app.outbox VALUES (3, 'dead', 5, now(), NULL, "
        "NULL), "
        "(4, 'sending', 1, now(), NULL, now() - interval '2 min')"_s);
    report = read(book, { queue(kind) });
    for (const char *id : { "backlog", "silent", "dead", "poison", "claimed" }) {
        QVERIFY2(step(report, id).answer == RunbookAnswer::Trouble, id);
    }
    // The first one leads to the questions that it names.
    QCOMPARE(todos(report).constFirst(), u"Read questions 2 to 5: they say why."_s);
    QCOMPARE(QByteArray(report.steps.at(1).step->id), QByteArray("silent"));
    QCOMPARE(QByteArray(report.steps.at(4).step->id), QByteArray("claimed"));
    QVERIFY(commands(report).contains(u"idemdeskctl requeue --target queue --filter state:failed_final --dry-run"_s));
    const RunbookReport none = read(book, { { m_table.target, u"k2"_s, m_table.compiled } });
    QCOMPARE(step(none, "backlog").answer, RunbookAnswer::Nothing); // no such table is no good news
}

void RunbookTest::purgesThatWentWrong()
{
    RunbookReport report = read(u"purge-wrong"_s);
    QCOMPARE(step(report, "purge_paused").answer, RunbookAnswer::Fine);
    QCOMPARE(step(report, "incomplete").answer, RunbookAnswer::Nothing);
    QCOMPARE(step(report, "undo").answer, RunbookAnswer::Nothing);
    // Without a policy it is not known when a retry may come; that is no "yes".
    models::RunbookStepResult retention = step(read(u"purge-wrong"_s, { queue(u"inbox"_s) }), "retention");
    QVERIFY2(retention.leading()->seen.startsWith(u"No policy says"_s), qPrintable(retention.leading()->seen));
    QCOMPARE(retention.answer, RunbookAnswer::Unknown);
    retention.answer = RunbookAnswer::Trouble;
    const models::RunbookSighting unknown = retention.sightings.constFirst();
    models::RunbookSighting trouble = unknown;
    trouble.answer = RunbookAnswer::Trouble;
    retention.sightings = { trouble, trouble, unknown };
    RunbookReport mixed;
    mixed.steps = { retention };
    QCOMPARE(mixed.headline(), u"Keys are purged too early in 2 table(s); unknown in 1 table(s)"_s);
    for (const models::Runbook &book : models::runbooks()) { // none falls back on its question
        for (const models::RunbookStep &step : book.steps) {
            QVERIFY2(models::isOfDatabase(step.fact) || !models::runbookHolds(step).isEmpty(), step.id);
        }
    }

    auto writer = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
    const auto open = [&](bool images) {
        sql::ActionRequest request { ConsoleFixture::newId(), u"k2"_s, sql::ActionVerb::Purge, u"retention"_s, {},
            m_table.registered.profileSha, {}, {} };
        sql::PurgePlan plan;
        plan.cutoff = *sql::Timestamp::parse(m_fixture->root().value(u"SELECT now() - interval '1 s'"_s));
        plan.states = { sql::KeyState::Succeeded, sql::KeyState::FailedFinal };
        plan.images = images;
        plan.rows = m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE expires_at < now()"_s).toLongLong();
        request.purge = plan;
        const auto action = sql::openAction(*writer, request);
        if (!action) {
            qFatal("%s", qPrintable(action.error().line() + action.error().detail));
        }
        return *action;
    };
    const sql::ActionRecord first = open(true);
    QVERIFY(sql::runBatch(*writer, first, 1, 100).ok());
    QVERIFY(sql::setAction(*writer, first.id, sql::ActionState::Paused, u"lag"_s).ok());
    report = read(u"purge-wrong"_s);
    QCOMPARE(step(report, "purge_paused").answer, RunbookAnswer::Trouble);
    QCOMPARE(step(report, "purge_paused").leading()->action, first.id);
    QVERIFY(commands(report).contains(u"idemdeskctl actions show "_s + first.id));
    QCOMPARE(step(report, "undo").answer, RunbookAnswer::Fine);
    QVERIFY(commands(report).contains(u"idemdeskctl actions undo %1 --reason REASON"_s.arg(first.id)));
    QVERIFY(sql::setAction(*writer, first.id, sql::ActionState::Cancelled, u"enough"_s).ok());
    report = read(u"purge-wrong"_s);
    QCOMPARE(step(report, "purge_paused").answer, RunbookAnswer::Fine);
    QCOMPARE(step(report, "incomplete").answer, RunbookAnswer::Trouble); // 100 rows of 600
    QVERIFY2(step(report, "incomplete").leading()->seen.contains(u"100 of 600"_s),
        qPrintable(step(report, "incomplete").leading()->seen));

    // What came back is no trouble any more; both questions say so, with its time.
    const auto undo = sql::openUndo(*writer, { ConsoleFixture::newId(), first.id, u"too early"_s, {} });
    QVERIFY(undo.ok());
    report = read(u"purge-wrong"_s);
    QCOMPARE(step(report, "incomplete").answer, RunbookAnswer::Trouble);
    QCOMPARE(step(report, "undo").answer, RunbookAnswer::Nothing);
    QVERIFY2(step(report, "undo").leading()->seen.startsWith(u"It is being undone by op, since 2"_s),
        qPrintable(step(report, "undo").leading()->seen));
    QVERIFY(sql::runBatch(*writer, *undo, 1, 10'000).ok());
    report = read(u"purge-wrong"_s);
    QCOMPARE(step(report, "incomplete").answer, RunbookAnswer::Fine);
    QVERIFY2(step(report, "incomplete").text().startsWith(u"It did, and was undone at 2"_s),
        qPrintable(step(report, "incomplete").text()));
    QVERIFY(step(report, "incomplete").leading()->seen.contains(u"100 of 600"_s));
    QVERIFY2(step(report, "undo").leading()->seen.startsWith(u"It was undone by op at 2"_s)
            && step(report, "undo").leading()->seen.contains(u"100 of 100 rows"_s),
        qPrintable(step(report, "undo").leading()->seen));

    const sql::ActionRecord second = open(false);
    QVERIFY(sql::runBatch(*writer, second, 1, 100).ok());
    report = read(u"purge-wrong"_s);
    QCOMPARE(step(report, "undo").answer, RunbookAnswer::Trouble); // of the newest nothing is kept
    QVERIFY(commands(report).filter(u"actions undo"_s).isEmpty());
}

void RunbookTest::reuseOfKeys()
{
    QCOMPARE(answer(u"key-reuse"_s, "reuse"), RunbookAnswer::Unknown); // silence of services is no answer
    QCOMPARE(answer(u"key-reuse"_s, "one_caller"), RunbookAnswer::Nothing);
    const auto service = m_fixture->as(u"service"_s);
    const auto record = [&](const QString &key, const QString &caller) {
        const auto done
            = service->run(u"SELECT idemdesk.record_conflict('t1', $1, 'aa', 'bb', '{}', $2, 'k2')"_s, { key, caller });
        QVERIFY2(done.ok(), qPrintable(done.value()));
    };
    record(u"one"_s, u"<img src=x> checkout"_s);
    record(u"two"_s, u"<img src=x> checkout"_s);
    record(u"three"_s, u"<img src=x> checkout"_s);
    record(u"four"_s, u"billing"_s);
    RunbookReport report = read(u"key-reuse"_s);
    QCOMPARE(step(report, "reuse").answer, RunbookAnswer::Trouble);
    QVERIFY(step(report, "reuse").leading()->seen.startsWith(u"4 "_s));
    QCOMPARE(step(report, "one_caller").answer, RunbookAnswer::Trouble);
    QVERIFY(step(report, "one_caller").leading()->seen.contains(u"checkout"_s));
    QCOMPARE(step(report, "more").answer, RunbookAnswer::Fine); // four are less than ten
    QVERIFY(!models::runbookHtml(report).contains(u"<img"_s));
    for (int i = 0; i < 12; ++i) {
        record(u"more %1"_s.arg(i), u"billing"_s);
    }
    QCOMPARE(answer(u"key-reuse"_s, "more"), RunbookAnswer::Trouble);
    for (int i = 0; i < 4; ++i) {
        record(u"other %1"_s.arg(i), u"caller %1"_s.arg(i));
        record(u"another %1"_s.arg(i), u"<img src=x> checkout"_s);
        record(u"third %1"_s.arg(i), u"another %1"_s.arg(i));
    }
    QCOMPARE(answer(u"key-reuse"_s, "one_caller"), RunbookAnswer::Fine); // 13 of 28
    m_fixture->root().run(u"REVOKE SELECT ON app.k FROM op"_s);
    QCOMPARE(answer(u"key-reuse"_s, "reuse"), RunbookAnswer::Unknown);
}

void RunbookTest::standbyThatIsBehind()
{
    RunbookReport report = read(u"standby-behind"_s);
    for (const char *id : { "lag", "paused", "slots", "sync", "cancelled" }) {
        QCOMPARE(step(report, id).answer, RunbookAnswer::Nothing); // there is none
    }
    run(u"SELECT pg_create_physical_replication_slot('gone', true)"_s);
    report = read(u"standby-behind"_s);
    QCOMPARE(step(report, "slots").answer, RunbookAnswer::Trouble);
    QVERIFY(step(report, "slots").leading()->seen.contains(u"gone"_s));
    run(u"SELECT pg_drop_replication_slot('gone')"_s);

    TestCluster standby(m_fixture->cluster(), false, {});
    QTRY_COMPARE_WITH_TIMEOUT(answer(u"standby-behind"_s, "lag"), RunbookAnswer::Fine, 60'000);
    sql::ConnectionSettings settings;
    settings.conninfo = standby.conninfoAs(u"op"_s, m_fixture->database());
    const auto there = sql::Session::open(settings, {});
    QVERIFY(there.ok());
    const auto onStandby = [&](const char *id) {
        return step(read(u"standby-behind"_s, { { m_table.target, u"k2"_s, m_table.compiled } }, {}, there->get()), id)
            .answer;
    };
    QCOMPARE(onStandby("paused"), RunbookAnswer::Fine);
    QTRY_COMPARE_WITH_TIMEOUT(onStandby("lag"), RunbookAnswer::Fine, 60'000);
    Connection boss(standby.conninfoAs(u"boss"_s, m_fixture->database()));
    run(u"CREATE TABLE app.early (x int)"_s); // before its first transaction a standby cannot say how far it is
    QTRY_COMPARE_WITH_TIMEOUT(boss.value(u"SELECT pg_last_xact_replay_timestamp() IS NOT NULL"_s), u"t"_s, 60'000);
    QVERIFY(boss.run(u"SELECT pg_wal_replay_pause()"_s).ok());
    run(u"CREATE TABLE app.late AS SELECT repeat(md5(g::text), 60) AS x FROM generate_series(1, 12000) g"_s);
    QTRY_COMPARE(onStandby("paused"), RunbookAnswer::Trouble);
    QTRY_COMPARE_WITH_TIMEOUT(onStandby("lag"), RunbookAnswer::Trouble, 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(answer(u"standby-behind"_s, "lag"), RunbookAnswer::Trouble, 60'000); // seen from above
    QVERIFY(boss.run(u"SELECT pg_wal_replay_resume()"_s).ok());
    QTRY_COMPARE_WITH_TIMEOUT(onStandby("lag"), RunbookAnswer::Fine, 60'000);
    QCOMPARE(onStandby("paused"), RunbookAnswer::Fine);
}

void RunbookTest::growthBeyondRetention()
{
    RunbookReport report = read(u"growth"_s);
    QCOMPARE(step(report, "expired").answer, RunbookAnswer::Trouble);
    QVERIFY(step(report, "expired").leading()->seen.contains(u"600"_s));
    QVERIFY(commands(report).contains(u"idemdeskctl purge --target k2 --dry-run"_s));
    QCOMPARE(step(report, "rule").answer, RunbookAnswer::Fine);
    QCOMPARE(step(report, "partitions").answer, RunbookAnswer::Nothing); // the table has none
    run(u"DELETE FROM app.k WHERE expires_at < now()"_s);
    QCOMPARE(answer(u"growth"_s, "expired"), RunbookAnswer::Fine);
}

void RunbookTest::whatCannotBeReadIsNoGoodAnswer()
{
    run(u"UPDATE app.k SET status = 'succeeded', expires_at = now() + interval '1 day'"_s);
    QCOMPARE(answer(u"stuck-keys"_s, "stuck"), RunbookAnswer::Fine);
    run(u"REVOKE SELECT ON app.k FROM op"_s);
    RunbookReport report = read(u"stuck-keys"_s);
    QCOMPARE(step(report, "stuck").answer, RunbookAnswer::Unknown);
    QVERIFY(step(report, "stuck").leading()->seen.startsWith(u"Could not be read"_s));
    QVERIFY(report.next.constLast().text.contains(u"nothing is known"_s));
    // One good table beside one that could not be read.
    run(u"GRANT SELECT ON app.k TO op"_s);
    const models::TargetProblem problem { u"other"_s, {}, sql::makeError(sql::ErrorKind::Privilege, u"no right"_s) };
    report = read(u"stuck-keys"_s, { { m_table.target, u"k2"_s, m_table.compiled } }, { problem });
    QCOMPARE(step(report, "stuck").answer, RunbookAnswer::Unknown);
    QCOMPARE(step(report, "stuck").sightings.size(), 2);
    QCOMPARE(step(report, "long_transaction").answer, RunbookAnswer::Unknown); // its sessions were not looked at
    report = read(u"growth"_s, {}, { problem });
    QVERIFY(report.nothingLookedAt() && report.partly()); // that purges were seen says nothing of the tables
    report = read(u"stuck-keys"_s, {}, { problem });
    QVERIFY(report.nothingLookedAt());
    report = read(u"stuck-keys"_s, {});
    QVERIFY(report.nothingLookedAt());
}

void RunbookTest::onlyWhatCanBeStuckIsAskedFor()
{
    using K = sql::KeyState;
    const auto stuck = [this](const sql::Target &target) {
        return step(read(u"stuck-keys"_s, { { target, u"k2"_s, m_table.compiled } }), "stuck").answer;
    };
    // What waits for too long is stuck by its rule, though nothing is ever in progress.
    sql::Target target = m_table.target;
    for (auto &[raw, state] : target.profile.states) {
        state = state == K::InProgress ? K::Pending : state;
    }
    for (sql::TimeRule &rule : *target.profile.stale) {
        rule.states = { K::Pending };
    }
    QCOMPARE(stuck(target), RunbookAnswer::Trouble);
    // Without a rule nobody can say, unless nothing is ever in progress.
    target.profile.stale.reset();
    QCOMPARE(stuck(target), RunbookAnswer::Nothing);
    target.profile.otherStates = K::InProgress;
    QCOMPARE(stuck(target), RunbookAnswer::Unknown);
    target = m_table.target;
    target.profile.stale.reset();
    QCOMPARE(stuck(target), RunbookAnswer::Unknown);
    const RunbookReport report = read(u"stuck-keys"_s, { { target, u"k2"_s, m_table.compiled } });
    for (const char *id : { "stuck", "running" }) { // in words of the question, not of a filter that nobody typed
        QCOMPARE(step(report, id).leading()->seen, u"No rule says when its keys are stuck."_s);
    }
}

void RunbookTest::commandsAreSafeToPaste()
{
    const RunbookReport report
        = read(u"stuck-keys"_s, { { m_table.target, u"a'b $(touch x) {filter}"_s, m_table.compiled } });
    QVERIFY2(
        commands(report).contains(u"idemdeskctl triage --target 'a'\\''b $(touch x) {filter}' --filter state:stale"_s),
        qPrintable(commands(report).join(u'\n')));
}

void RunbookTest::reportsSayTheSame()
{
    const RunbookReport report = read(u"orphaned-keys"_s);
    // What holds, in one line.
    QCOMPARE(QByteArray(report.first()->step->id), QByteArray("stuck"));
    QVERIFY2(report.headline().contains(u" stuck in "_s), qPrintable(report.headline()));
    QCOMPARE(report.headline().endsWith(u"; no live worker found"_s),
        step(report, "worker_gone").answer == RunbookAnswer::Trouble);
    const QJsonObject json = models::runbookJson(report);
    const QString html = models::runbookHtml(report);
    QCOMPARE(json.value(u"steps"_s).toArray().size(), report.steps.size());
    for (const RunbookStepResult &result : report.steps) {
        QVERIFY(html.contains(models::runbookText(result.step->question).toHtmlEscaped()));
        QVERIFY(html.contains(result.text().toHtmlEscaped()));
    }
    for (const models::RunbookNext &next : report.next) {
        QVERIFY(html.contains(next.command.toHtmlEscaped()));
    }
    const QTemporaryDir folder;
    for (const char *name : { "r.pdf", "r.html", "r.json" }) {
        const QString path = folder.filePath(QString::fromLatin1(name));
        QVERIFY(models::writeRunbook(report, path).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly) && file.size() > 1'000);
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    }
    QFile pdf(folder.filePath(u"r.pdf"_s));
    QVERIFY(pdf.open(QIODevice::ReadOnly) && pdf.read(5) == "%PDF-");
}

QTEST_MAIN(RunbookTest)
#include "tst_runbook.moc"
