// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/registration.h"
#include "sql/detect/detect.h"
#include "sql/profile/binder.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::ConsoleFixture;
using idemdesk::tests::openSession;

namespace {

/// The profile without blanks, then confidence and doubts, to look for pieces in.
QString told(const Proposal &proposal)
{
    const QString json = QString::fromUtf8(profileToJson(proposal.profile)).remove(u' ').remove(u'\n');
    return json + u" confidence=%1 "_s.arg(proposal.confidence) + proposal.doubts.join(u' ');
}

const QString kLease
    = u"CREATE TABLE app.x (tenant_id uuid NOT NULL, idempotency_key text NOT NULL, request_hash text "
      "NOT NULL, status text NOT NULL %1, locked_until timestamptz, attempt_count int NOT NULL, "
      "response_body jsonb, created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, "
      "PRIMARY KEY (tenant_id, idempotency_key)); INSERT INTO app.x SELECT gen_random_uuid(), 'k' || i, "
      "md5(i::text), (ARRAY['processing', 'succeeded', 'failed_retryable', 'failed_final'])[1 + i % 4], "
      "now(), 1, NULL, now(), now() FROM generate_series(1, 40) i"_s;
const QString kWords = u"CHECK (status IN ('processing', 'succeeded', 'failed_retryable', 'failed_final'))"_s;

} // namespace

/// What detection promises of every proposal, and that what it proposes can be registered.
class DetectRulesTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_fixture = std::make_unique<ConsoleFixture>(); }
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void cleanupTestCase() { m_fixture.reset(); }
    void rules_data();
    void rules();
    void hiddenRowsAreSaid();
    void hardShapesRegister_data();
    void hardShapesRegister();

private:
    void make(const QString &sql);
    std::unique_ptr<ConsoleFixture> m_fixture;
};

/// In a fresh database, as the owner of the other tables.
void DetectRulesTest::make(const QString &sql)
{
    m_fixture->fresh();
    const auto made = m_fixture->root().run(u"SET ROLE app_owner; "_s + sql
        + u"; GRANT USAGE ON SCHEMA app TO adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO adm; RESET ROLE; ANALYZE"_s);
    QVERIFY2(made.ok(), qPrintable(made.message));
}

void DetectRulesTest::rules_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QStringList>("has");
    QTest::addColumn<QStringList>("lacks");
    const auto row = [](const char *name, const QString &sql, const QStringList &has, const QStringList &lacks = {}) {
        QTest::newRow(name) << sql << has << lacks;
    };
    const QString inbox = u"CREATE TABLE app.x (consumer text NOT NULL, message_id uuid NOT NULL, %1 processed_at "
                          "timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, message_id)); INSERT INTO app.x "
                          "SELECT 'c', gen_random_uuid() FROM generate_series(1, 20)"_s;
    row("an inbox of ids is freed by deleting", inbox.arg(QString()), { u"\"delete\":true"_s });
    row("never where the row holds the payload", inbox.arg(u"payload jsonb NOT NULL DEFAULT '{}',"_s), {},
        { u"\"delete\":true"_s });
    row("nor where it may be one", inbox.arg(u"envelope bytea NOT NULL DEFAULT '',"_s), {}, { u"\"delete\":true"_s });
    row("nor where that would cascade",
        inbox.arg(QString())
            + u"; CREATE TABLE app.y (consumer text, message_id uuid, FOREIGN KEY (consumer, message_id) REFERENCES "
              "app.x ON DELETE CASCADE)"_s,
        { u"Deleting its rows would delete or change rows of app.y"_s }, { u"\"delete\":true"_s, u"90d"_s });
    row("a purge is proposed otherwise",
        inbox.arg(QString())
            + u"; CREATE TABLE app.y (consumer text, message_id uuid, FOREIGN KEY (consumer, message_id) REFERENCES "
              "app.x)"_s,
        { u"90d"_s });
    const QString states
        = u"CREATE TYPE app.st AS ENUM (%1); CREATE TABLE app.x (id bigint GENERATED ALWAYS AS IDENTITY "
          "PRIMARY KEY, state app.st NOT NULL, attempts int NOT NULL, payload jsonb NOT NULL, picked_at "
          "timestamptz, finished_at timestamptz %2); INSERT INTO app.x (state, attempts, payload) SELECT "
          "'queued', 1, '{}' FROM generate_series(1, 20)"_s;
    row("every label of an enum is mapped",
        states.arg(u"'queued', 'running', 'done', 'mystery', 'failed'"_s, QString()),
        { u"\"mystery\":\"unknown\""_s, u"What these statuses mean is not known: mystery."_s });
    row("failed may be tried again", states.arg(u"'queued', 'running', 'done', 'failed'"_s, QString()),
        { u"\"failed\":\"failed_retryable\""_s, u"may be tried again is an assumption"_s });
    row("failed is final beside retry", states.arg(u"'queued', 'running', 'done', 'retry', 'failed'"_s, QString()),
        { u"\"failed\":\"failed_final\""_s, u"\"retry\":\"failed_retryable\""_s });
    row("what was cancelled is not requeued",
        states.arg(u"'queued', 'running', 'done', 'cancelled', 'dead'"_s, QString()),
        { u"\"from\":[\"failed_final\"],\"status\":[\"dead\"],\"to\":\"pending\""_s });
    row("what a CHECK ties is written",
        states.arg(u"'queued', 'running', 'done', 'retry', 'dead'"_s,
            u", CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'dead')))"_s),
        { u"\"state\":\"'dead'\",\"picked_at\":\"NULL\",\"finished_at\":\"$now\""_s,
            u"\"state\":\"'retry'\",\"picked_at\":\"NULL\",\"finished_at\":\"NULL\""_s });
    row("columns such as abandoned_at make a state",
        u"CREATE TABLE app.x (request_id uuid PRIMARY KEY, body jsonb NOT NULL, attempts int NOT NULL, taken_at "
        "timestamptz, processed_at timestamptz, failed_at timestamptz, abandoned_at timestamptz)"_s,
        { u"WHENt.\\\"abandoned_at\\\"ISNOTNULLTHEN'abandoned'"_s, u"\"abandoned\":\"failed_final\""_s,
            u"\"failed\":\"failed_retryable\""_s, u"\"claimed\":\"in_progress\""_s, u"\"failed_at\":\"NULL\""_s });
    row("a fence is changed by who recovers",
        u"CREATE TABLE app.x (idempotency_key text PRIMARY KEY, status text NOT NULL CHECK (status IN ('processing', "
        "'done', 'failed')), token uuid NOT NULL, row_version int NOT NULL, locked_at timestamptz)"_s,
        { u"\"token\":\"$action::uuid\""_s, u"\"row_version\":\"t.row_version+1\""_s,
            u"\"guard\":[\"status\",\"locked_at\",\"token\",\"row_version\"]"_s });
    row("all is proven", kLease.arg(kWords), { u"confidence=99"_s }, { u"assumption"_s, u"Nothing limits"_s });
    row("a word nobody limits", kLease.arg(QString()), { u"confidence=95"_s, u"Nothing limits status"_s });
    row("no row to look at", kLease.arg(kWords).section(u';', 0, 0), { u"confidence=90"_s, u"no rows to look at"_s });
    row("a key that only some rows have",
        u"CREATE TABLE app.x (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, unique_key bytea, state text NOT "
        u"NULL "
        "CHECK (state IN ('queued', 'running', 'done')), attempts int NOT NULL); CREATE UNIQUE INDEX ON app.x "
        "(unique_key) WHERE state <> 'done'"_s,
        { u"\"key\":\"t.id\""_s, u"\"aliases\":[{\"label\":\"unique_key\",\"sql\":\"t.unique_key\"}]"_s });
    row("what a job is about, and when",
        u"CREATE TABLE app.x (job_id uuid PRIMARY KEY, state text NOT NULL CHECK (state IN ('queued', 'running', "
        "'done')), attempts int NOT NULL, payload jsonb NOT NULL, \"Owner\" text, queue_name text, priority int, "
        "next_attempt_at timestamptz, \"odd name\" int, note text, picked_at timestamptz, picked_by text)"_s,
        { u"\"fields\":[{\"label\":\"queue_name\",\"sql\":\"t.queue_name\"},{\"label\":\"priority\",\"sql\":"
          "\"t.priority\",\"type\":\"number\"},{\"label\":\"next_attempt_at\",\"sql\":\"t.next_attempt_at\",\"type\":"
          "\"time\"}]"_s },
        { u"odd name"_s, u"t.note"_s });
    row("numbers that times explain",
        u"CREATE TABLE app.x (uuid uuid PRIMARY KEY, topic text, status int NOT NULL DEFAULT 4, payload bytea NOT "
        u"NULL, "
        "errors_count int NOT NULL, processed_at timestamptz); INSERT INTO app.x SELECT gen_random_uuid(), 'o', s, '', "
        "0, CASE WHEN s = 6 THEN now() END FROM (SELECT (ARRAY[4, 6, 9])[1 + i % 3] AS s FROM generate_series(1, 60) "
        "i) "
        "z"_s,
        { u"\"4\":\"pending\""_s, u"\"6\":\"succeeded\""_s, u"\"*\":\"unknown\""_s, u"is taken from times set"_s },
        { u"\"9\":"_s });
    row("a span that nothing limits is no time",
        u"CREATE TABLE app.x (idempotency_key text PRIMARY KEY, status text NOT NULL CHECK (status IN ('started', "
        "'done')), timeout_ms bigint, created_at bigint)"_s,
        {}, { u"timeout_ms\",\"as\""_s });
}

void DetectRulesTest::rules()
{
    QFETCH(QString, sql);
    QFETCH(QStringList, has);
    QFETCH(QStringList, lacks);
    make(sql);
    auto session = openSession(*m_fixture, u"adm"_s);
    const auto relation = readRelation(*session, u"app.x"_s);
    QVERIFY2(relation.ok(), relation.ok() ? "" : qPrintable(relation.error().line()));
    const auto proposal = proposeFor(*session, *relation);
    QVERIFY2(proposal.ok(), proposal.ok() ? "" : qPrintable(proposal.error().line()));
    const QString text = told(*proposal);
    for (const QString &piece : std::as_const(has)) {
        QVERIFY2(text.contains(piece), qPrintable(piece + u" is not in "_s + text));
    }
    for (const QString &piece : std::as_const(lacks)) {
        QVERIFY2(!text.contains(piece), qPrintable(piece + u" is in "_s + text));
    }
}

void DetectRulesTest::hiddenRowsAreSaid()
{
    make(kLease.arg(kWords) + u"; ALTER TABLE app.x ENABLE ROW LEVEL SECURITY"_s);
    auto session = openSession(*m_fixture, u"adm"_s);
    const auto relation = readRelation(*session, u"app.x"_s);
    QVERIFY(relation.ok());
    const auto hidden = proposeFor(*session, *relation);
    QVERIFY(hidden.ok());
    const QString doubts = hidden->doubts.join(u'\n');
    QVERIFY2(doubts.contains(u"Row security hides rows from this login"), qPrintable(doubts));
    QVERIFY2(!doubts.contains(u"no rows to look at"), qPrintable(doubts));
    QVERIFY(hidden->confidence <= 90);
    // The policy that is named shows them all, in the check as here.
    const QString policy = QRegularExpression(u"CREATE POLICY [^\\n]+;"_s).match(doubts).captured();
    const auto target = bindTarget(*session, hidden->profile);
    QVERIFY(target.ok());
    QVERIFY(std::any_of(target->findings.cbegin(), target->findings.cend(),
        [&policy](const Finding &finding) { return finding.text.contains(policy); }));
    const auto given = m_fixture->root().run(u"SET ROLE app_owner; "_s + policy + u" RESET ROLE"_s);
    QVERIFY2(given.ok(), qPrintable(given.message + policy));
    const auto again = readRelation(*session, u"app.x"_s);
    QVERIFY(again.ok());
    const auto shown = proposeFor(*session, *again);
    QVERIFY(shown.ok());
    QVERIFY2(!shown->doubts.join(u'\n').contains(u"Row security"), qPrintable(shown->doubts.join(u'\n')));
    QCOMPARE(shown->confidence, 99);
}

void DetectRulesTest::hardShapesRegister_data()
{
    QTest::addColumn<QString>("sql");
    QTest::newRow("the status decides where a row lies")
        << u"CREATE TABLE app.x (status text NOT NULL, message_id uuid NOT NULL, topic text NOT NULL, payload jsonb "
           u"NOT "
           "NULL, attempts int NOT NULL, created_at timestamptz NOT NULL, PRIMARY KEY (status, message_id)) PARTITION "
           "BY "
           "LIST (status); CREATE TABLE app.x_open PARTITION OF app.x FOR VALUES IN ('PENDING', 'SENDING'); CREATE "
           "TABLE "
           "app.x_done PARTITION OF app.x FOR VALUES IN ('SENT', 'FAILED'); INSERT INTO app.x SELECT (ARRAY['PENDING', "
           "'SENDING', 'SENT', 'FAILED'])[1 + i % 4], gen_random_uuid(), 'orders', '{}', 1, now() FROM "
           "generate_series(1, 40) i"_s;
    QTest::newRow("an enum of eight, tied to a time")
        << u"CREATE TYPE app.st AS ENUM ('available', 'cancelled', 'completed', 'discarded', 'pending', 'retryable', "
           "'running', 'scheduled'); CREATE TABLE app.x (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state "
           "app.st "
           "NOT NULL DEFAULT 'available', attempt smallint NOT NULL DEFAULT 0, attempted_at timestamptz, created_at "
           "timestamptz NOT NULL DEFAULT now(), finalized_at timestamptz, args jsonb NOT NULL DEFAULT '{}', CHECK "
           "((finalized_at IS NOT NULL) = (state IN ('cancelled', 'completed', 'discarded')))); INSERT INTO app.x "
           "(state, "
           "attempted_at, finalized_at) SELECT s, now() - interval '2 h', CASE WHEN s IN ('completed', 'discarded') "
           "THEN "
           "now() END FROM (SELECT (ARRAY['available', 'running', 'completed', 'discarded', 'retryable'])[1 + i % "
           "5]::app.st AS s FROM generate_series(1, 50) i) z"_s;
    QTest::newRow("booleans and times for a state")
        << u"CREATE TABLE app.x (message_id uuid NOT NULL, consumer text NOT NULL, is_processed boolean NOT NULL "
           u"DEFAULT "
           "false, is_failed boolean NOT NULL DEFAULT false, locked_at timestamptz, payload jsonb NOT NULL, "
           "received_at "
           "timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (consumer, message_id)); INSERT INTO app.x (message_id, "
           "consumer, is_processed, is_failed, locked_at, payload) SELECT gen_random_uuid(), 'c', i % 4 = 0, i % 4 = "
           "1, "
           "CASE WHEN i % 4 = 2 THEN now() - interval '1 h' END, '{}' FROM generate_series(1, 40) i"_s;
    QTest::newRow("milliseconds, MixedCase, a fence and numbers")
        << u"CREATE TABLE app.x (\"Id\" varchar(64) PRIMARY KEY, \"IdempotencyKey\" varchar(64) NOT NULL UNIQUE, "
           "\"Status\" smallint NOT NULL, \"Token\" uuid NOT NULL, \"LockedAtMs\" bigint, \"CreatedAtMs\" bigint NOT "
           "NULL, "
           "\"Response\" text); COMMENT ON COLUMN app.x.\"Status\" IS '0 = processing, 1 = done, 2 = failed'; INSERT "
           "INTO "
           "app.x SELECT 'i' || i, 'k' || i, i % 3, gen_random_uuid(), 1764000000000, 1764000000000, NULL FROM "
           "generate_series(1, 30) i"_s;
    QTest::newRow("a key of bytes and an own limit in each row")
        << u"CREATE TABLE app.x (dedupe_hash bytea PRIMARY KEY, status text NOT NULL CHECK (status IN ('claimed', "
           u"'done', "
           "'failed')), claimed_at timestamp NOT NULL DEFAULT (now() AT TIME ZONE 'utc'), lease_seconds int NOT NULL); "
           "INSERT INTO app.x SELECT sha256(i::text::bytea), (ARRAY['claimed', 'done', 'failed'])[1 + i % 3], now() AT "
           "TIME ZONE 'utc' - interval '1 h', 30 FROM generate_series(1, 30) i"_s;
}

void DetectRulesTest::hardShapesRegister()
{
    QFETCH(QString, sql);
    make(sql);
    auto reader = openSession(*m_fixture, u"adm"_s);
    const auto relation = readRelation(*reader, u"app.x"_s);
    QVERIFY(relation.ok());
    const auto proposal = proposeFor(*reader, *relation);
    QVERIFY(proposal.ok());
    QVERIFY2(!proposal->profile.recover.isEmpty() || !proposal->profile.requeue.isEmpty(), qPrintable(told(*proposal)));
    auto admin = openSession(*m_fixture, u"adm"_s, LaneKind::Write);
    const QByteArray json = profileToJson(proposal->profile);
    const auto profile = profileFromJson(json, u"proposal.json"_s);
    QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().line()));
    QString said;
    for (int round = 0; round < 4; ++round) { // an owner's grants may show what lacks next
        const auto target = bindTarget(*admin, *profile);
        QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().line()));
        const auto done = registerTarget(*admin, *target, json, {}, true);
        QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().line() + done.error().detail));
        if (done->registered) {
            return;
        }
        said.clear();
        for (const Registration::Item &item : done->findings) {
            said += item.severity + u' ' + item.text + u' ' + item.sql + u'\n';
            if (!item.sql.isEmpty() && item.severity == u"grant") {
                m_fixture->root().run(item.sql);
            }
        }
    }
    QFAIL(qPrintable(said + QString::fromUtf8(json)));
}

QTEST_GUILESS_MAIN(DetectRulesTest)
#include "tst_detect_rules.moc"
