// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::TestCluster;

class ValidatorTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void cleanupTestCase() { m_session.reset(); }
    void shippedHaveNoProblem_data();
    void shippedHaveNoProblem();
    void unmappedStatesAreListed();
    void findings_data();
    void findings();
    void doublesAreFoundWithoutAnIndex();
    void unusableIsAnError();
    void changesNothing();

private:
    QStringList texts(const Profile &profile, Finding::Severity least);
    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;
};

void ValidatorTest::initTestCase()
{
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->createDatabase(u"seeds"_s);
    for (const int seed : { 0, 1, 2, 3 }) {
        m_cluster->psqlFile(u"seeds"_s, u"sql/demo/schema_00%1.sql"_s.arg(seed));
    }
    m_cluster->psql(u"seeds"_s,
        u"SELECT seed002.ensure_daily_partitions('2026-11-01', '2026-11-03');"
        "INSERT INTO app.outbox_event (event_type, aggregate_type, aggregate_id, idempotency_scope, idempotency_key, "
        "payload, status)"
        " SELECT 'e', 'a', gen_random_uuid(), 's', 'k' || i, '{}', CASE WHEN i % 7 = 0 THEN '<img src=x>' ELSE "
        "'pending' END"
        " FROM generate_series(1, 30000) AS i; ANALYZE app.outbox_event;"
        "CREATE TABLE app.loose (k text, s text); INSERT INTO app.loose VALUES ('a', NULL), ('a', 'x'), ('b', 'x');"
        "CREATE TABLE app.parent (k text PRIMARY KEY, v int, g int GENERATED ALWAYS AS (v + 1) STORED, status text);"
        "CREATE TABLE app.child (k text REFERENCES app.parent ON DELETE CASCADE)"_s);
    ConnectionSettings settings;
    settings.conninfo = m_cluster->conninfo(u"seeds"_s);
    auto session = Session::open(settings, {});
    QVERIFY(session.ok());
    m_session = std::move(*session);
}

QStringList ValidatorTest::texts(const Profile &profile, Finding::Severity least)
{
    QStringList lines;
    const auto findings = validateTarget(*m_session, profile);
    if (!findings) {
        return { u"ERROR "_s + findings.error().line() + findings.error().detail };
    }
    for (const Finding &finding : *findings) {
        if (finding.severity >= least) {
            lines.append(finding.jsonPath + u": "_s + finding.text);
        }
    }
    return lines;
}

void ValidatorTest::shippedHaveNoProblem_data()
{
    QTest::addColumn<QString>("name");
    for (const Profile &profile : shippedProfiles()) {
        QTest::newRow(qPrintable(profile.name)) << profile.name;
    }
}

void ValidatorTest::shippedHaveNoProblem()
{
    QFETCH(QString, name);
    if (name == u"plpgsql-outbox") {
        return; // has rows with an unmapped status here: see unmappedStatesAreListed
    }
    const Profile profile = *shippedProfile(name);
    QCOMPARE(texts(profile, Finding::Severity::Warning), QStringList());
    for (const QString &line : texts(profile, Finding::Severity::Note)) {
        // Orders are all served by an index; these tables are empty.
        QVERIFY2(
            line.startsWith(u"$.stale") || (line.startsWith(u"$.effects") && line.contains(u"the table has no row")),
            qPrintable(line));
    }
}

void ValidatorTest::unmappedStatesAreListed()
{
    const QStringList lines = texts(*shippedProfile(u"plpgsql-outbox"_s), Finding::Severity::Warning);
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines.first().contains(u"“<img src=x>”"), qPrintable(lines.first()));
    Profile told = *shippedProfile(u"plpgsql-outbox"_s);
    ProviderSpec provider;
    provider.reference = u"t.idempotency_key"_s;
    provider.status = u"t.status"_s;
    provider.states = { { u"pending"_s, ProviderState::Requested } };
    told.provider = provider;
    const QStringList both = texts(told, Finding::Severity::Warning);
    QCOMPARE(both.size(), 2);
    QVERIFY2(both.last().startsWith(u"$.provider.states"_s) && both.last().contains(u"not settled"_s),
        qPrintable(both.last()));
}

void ValidatorTest::findings_data()
{
    QTest::addColumn<QByteArray>("old");
    QTest::addColumn<QByteArray>("put");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const char *old, const QByteArray &put, const char *path, const char *says) {
        QTest::newRow(name) << QByteArray(old) << put << QString::fromLatin1(path)
                            << QString::fromUtf8(says);
    };
    row("a label the type lacks", "\"processing\": \"in_progress\"",
        "\"processing\": \"in_progress\", \"done\": \"succeeded\"", "$.states.done", "no label");
    row("a label that is not mapped", "\"failed_final\": \"failed_final\"", "\"*\": \"unknown\"",
        "$.actions.recover[1].set.status", "the key becomes failed_final");
    row("label not mapped", ",\n    \"failed_final\": \"failed_final\"", "", "$.states",
        "“failed_final” is not mapped");
    row("set of no column", "\"failure_code\": \"'abandoned'\"", "\"reason\": \"'abandoned'\"",
        "$.actions.recover[1].set.reason", "no column");
    row("set of a wrong type", "\"failure_code\": \"'abandoned'\"", "\"attempt_count\": \"'many'\"",
        "$.actions.recover[1].set.attempt_count", "integer");
    row("set of a wrong label", "\"status\": \"'failed_final'\"", "\"status\": \"'dead'\"",
        "$.actions.recover[1].set.status", "enum");
    row("set that reaches another state", "\"status\": \"'failed_final'\"", "\"status\": \"'failed_retryable'\"",
        "$.actions.recover[1].set.status", "the key becomes failed_final");
    row("masking of nothing", "\"attempt_count\"]",
        "\"attempt_count\"], \"masking\": [\"attempt_count\", \"result_id\", \"e-mail\"]", "$.masking[2]",
        "leave nothing out");
    row("masking of the key", "\"attempt_count\"]", "\"attempt_count\"], \"masking\": [\"key\"]", "$.masking[0]",
        "names the case");
    const QByteArray provider = "\"attempt_count\"], \"provider\": {\"status\": \"t.status\", \"states\": "
                                "{\"processing\": \"sent\"}, \"reference\": ";
    row("a provider's reference without an index", "\"attempt_count\"]", provider + "\"t.claimed_by\"}",
        "$.provider.reference", "No index leads");
    row("a provider's reference of no column", "\"attempt_count\"]", provider + "\"t.psp\"}", "$.provider.reference",
        "psp");
    row("a provider's reference that differs each time", "\"attempt_count\"]", provider + "\"random()::text\"}",
        "$.provider.reference", "volatile");
    row("an amount that is no number", "\"attempt_count\"]",
        provider + "\"t.idempotency_key\", \"amount\": \"t.claimed_by\"}", "$.provider.amount", "");
    row("guard of no column", "\"attempt_count\"]", "\"version\"]", "$.guard[2]", "no column");
    row("order without an index", "\"sql\": \"t.expires_at\"", "\"sql\": \"t.claimed_by\"", "$.orders[0]",
        "No index serves");
    row("order that can be NULL", "\"sql\": \"t.expires_at\"", "\"sql\": \"t.claimed_by\"", "$.orders[0]",
        "can be NULL");
    row("stale by a text", "\"by\": \"t.locked_until\"", "\"by\": \"t.claimed_by\"", "$.stale[0].by",
        "not timestamptz");
    row("stale after a number", "\"by\": \"t.locked_until\", \"after\": \"0s\"",
        "\"by\": \"t.locked_until\", \"after\": \"t.attempt_count\"", "$.stale[0].after", "not an interval");
    row("purge when a text", "\"purge\": {", "\"purge\": { \"when\": \"t.claimed_by\",", "$.purge[0].when",
        "not true or false");
    row("effect that is no query", "SELECT o.order_id::text AS id,", "SELECT o.nothing AS id,", "$.effects[0].sql",
        "nothing");
    row("effect without its columns", "o.status AS state", "o.status AS status", "$.effects[0].sql", "state");
    row("rule whose effect is gone", "SELECT o.order_id::text AS id,", "SELECT o.nothing AS id,",
        "$.actions.recover[2]", "cannot be read");
    row("zone that does not exist", "\"created_at\": \"t.created_at\"",
        "\"created_at\": { \"sql\": \"t.created_at::timestamp\", \"as\": \"zone:Moon/Base\" }", "$.roles", "Moon/Base");
    row("attempts that are a text", "\"attempts\": \"t.attempt_count\"", "\"attempts\": \"t.claimed_by\"",
        "$.roles.attempts", "not a number");
    row("lock that is a text", "\"effects\": [", "\"advisory_lock\": \"t.claimed_by\", \"effects\": [",
        "$.advisory_lock", "not a whole number");
    row("most attempts that are a text", "\"max_attempts\": 5", "\"max_attempts\": \"t.claimed_by\"",
        "$.policies[0].max_attempts", "not a number");
}

void ValidatorTest::findings()
{
    QFETCH(QByteArray, old);
    QFETCH(QByteArray, put);
    QFETCH(QString, path);
    QFETCH(QString, says);
    QFile file(QStringLiteral(IDEMDESK_SOURCE_DIR) + u"/sql/profiles/plpgsql-request.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray json = file.readAll();
    QVERIFY2(json.contains(old), old.constData());
    json.replace(json.indexOf(old), old.size(), put);
    const auto profile = profileFromJson(json, u"changed.json"_s);
    QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().where + profile.error().line()));
    const QStringList lines = texts(*profile, Finding::Severity::Note);
    const bool found = std::any_of(lines.begin(), lines.end(),
        [&](const QString &line) { return line.startsWith(path + u": "_s) && line.contains(says); });
    QVERIFY2(found, qPrintable(lines.join(u'\n')));
}

void ValidatorTest::doublesAreFoundWithoutAnIndex()
{
    Profile profile;
    profile.name = u"loose"_s;
    profile.relation = u"app.loose"_s;
    profile.identity = QStringList { u"k"_s };
    profile.key.sql = u"t.k"_s;
    profile.roles[Role::Status].sql = u"t.s"_s;
    profile.states = { { u"x"_s, KeyState::Succeeded } };
    const QString all = texts(profile, Finding::Severity::Warning).join(u'\n');
    QVERIFY2(all.contains(u"not unique"), qPrintable(all));
    QVERIFY2(all.contains(u"No valid unique index"), qPrintable(all));
    QVERIFY2(all.contains(u"NULL in 1 sampled"), qPrintable(all));

    Profile parent;
    parent.name = u"parent"_s;
    parent.relation = u"app.parent"_s;
    parent.identity = QStringList { u"k"_s };
    parent.key.sql = u"t.k"_s;
    parent.roles[Role::Status].sql = u"t.status"_s;
    parent.otherStates = KeyState::Succeeded;
    parent.purge = { TimeRule { { KeyState::Succeeded }, {}, {}, {}, u"t.v > 3"_s } };
    ActionRule rule;
    rule.from = { KeyState::Succeeded };
    rule.to = KeyState::Succeeded;
    rule.set = { { u"g"_s, u"1"_s } };
    parent.reclassify = { rule };
    const QString about = texts(parent, Finding::Severity::Note).join(u'\n');
    QVERIFY2(about.contains(u"app.child"), qPrintable(about));
    QVERIFY2(about.contains(u"generated"), qPrintable(about));
    QVERIFY2(about.contains(u"no bound to walk by"), qPrintable(about));
}

void ValidatorTest::unusableIsAnError()
{
    Profile profile = *shippedProfile(u"plpgsql-request"_s);
    profile.relation = u"app.gone"_s;
    const auto findings = validateTarget(*m_session, profile);
    QVERIFY(!findings.ok());
    QCOMPARE(findings.error().kind, ErrorKind::MissingObject);
}

void ValidatorTest::changesNothing()
{
    const QString before = m_cluster->psql(u"seeds"_s,
        u"SELECT n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables WHERE relname = 'outbox_event' AND schemaname = 'app'"_s);
    QVERIFY(validateTarget(*m_session, *shippedProfile(u"plpgsql-outbox"_s)).ok());
    QCOMPARE(
        m_cluster->psql(u"seeds"_s,
            u"SELECT n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables WHERE relname = 'outbox_event' AND schemaname = 'app'"_s),
        before);
}

QTEST_GUILESS_MAIN(ValidatorTest)
#include "tst_validator.moc"
