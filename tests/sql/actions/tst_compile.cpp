// SPDX-License-Identifier: GPL-3.0-or-later
// Every shipped profile that can act becomes SQL that the server's registration accepts.
#include "sql/actions/compile.h"
#include "sql/actions/registration.h"
#include "sql/audit/audit_gateway.h"
#include "sql/console/console_schema.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::TestCluster;

class CompileTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void cleanupTestCase();
    void shippedRegister_data();
    void shippedRegister();
    void readsBackWhatItWrote();
    void valuesStayConstants();
    void anotherVersionIsRefused();
    void registrationIsReadBackAndInTheTrail();
    void missingGrantsAreNamed();
    void onlyAnAdminRegisters();
    void cutTrailIsSeen();

private:
    std::unique_ptr<Session> open(const QString &conninfo, bool readOnly);

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Session> m_admin;
};

std::unique_ptr<Session> CompileTest::open(const QString &conninfo, bool readOnly)
{
    ConnectionSettings settings;
    settings.conninfo = conninfo;
    Session::Options options;
    options.readOnly = readOnly;
    auto session = Session::open(settings, options);
    if (!session) {
        qFatal("%s", qPrintable(session.error().line()));
    }
    return std::move(*session);
}

void CompileTest::initTestCase()
{
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->createDatabase(u"seeds"_s, u"TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"_s);
    for (const int seed : { 0, 1, 2, 3 }) {
        m_cluster->psqlFile(u"seeds"_s, u"sql/demo/schema_00%1.sql"_s.arg(seed));
    }
    m_cluster->psql(u"seeds"_s, u"SELECT seed002.ensure_daily_partitions('2026-11-01', '2026-11-03')"_s);
    m_session = open(m_cluster->conninfo(u"seeds"_s), false);
    const auto installed = installConsole(*m_session);
    if (!installed) {
        qFatal("%s", qPrintable(installed.error().line() + installed.error().detail));
    }
    // What each table's owner gives; which grants are needed is another test's matter.
    m_cluster->psql(u"seeds"_s,
        u"CREATE ROLE adm LOGIN; GRANT idemdesk_admin TO adm; "
        "DO $$ DECLARE s text; r CONSTANT text := idemdesk.make_runner(current_user::text); BEGIN FOR s IN SELECT "
        "nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema|idemdesk)' LOOP "
        "EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I, adm', s, r); "
        "EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO %I', s, r); "
        "EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO adm', s); END LOOP; END $$"_s);
    m_admin = open(m_cluster->conninfoAs(u"adm"_s, u"seeds"_s), false);
}

void CompileTest::cleanupTestCase()
{
    m_admin.reset();
    m_session.reset();
}

void CompileTest::shippedRegister_data()
{
    QTest::addColumn<QString>("name");
    for (const Profile &profile : shippedProfiles()) {
        if (!profile.recover.isEmpty() || !profile.requeue.isEmpty() || !profile.reclassify.isEmpty()
            || !profile.purge.isEmpty()) {
            QTest::newRow(qPrintable(profile.name)) << profile.name;
        }
    }
}

void CompileTest::shippedRegister()
{
    QFETCH(QString, name);
    const auto target = bindTarget(*m_session, *shippedProfile(name));
    QVERIFY2(target.ok(), qPrintable(target.ok() ? QString() : target.error().line()));
    const auto compiled = compileTarget(*m_session, *target);
    QVERIFY2(compiled.ok(), qPrintable(compiled.ok() ? QString() : compiled.error().line() + compiled.error().detail));
    Statement statement {
        u"SELECT idemdesk.register_target($1::pg_catalog.text, '{}', $2::pg_catalog.jsonb, ARRAY[$3::pg_catalog.text], '{}', true)"_s,
        {}
    };
    statement.bind(name);
    statement.bind(QString::fromUtf8(compiled->json));
    statement.bind(target->relation.schema);
    const auto answer = m_admin->one(statement);
    QVERIFY2(answer.ok(), qPrintable(answer.ok() ? QString() : answer.error().line() + answer.error().detail));
    const QString text = answer->constFirst().text;
    const QJsonObject json = QJsonDocument::fromJson(text.toUtf8()).object();
    QVERIFY2(json.value(u"registered"_s).toBool(), qPrintable(text));
    Statement sample { u"SELECT idemdesk.take_sample($1::pg_catalog.text)"_s, {} };
    sample.bind(name);
    const auto sampled = m_admin->one(sample);
    QVERIFY2(sampled.ok(), qPrintable(sampled.ok() ? QString() : sampled.error().line() + sampled.error().detail));
    QVERIFY(sampled->constFirst().text.toInt() >= 2); // size and lock waits at least
    // Every condition is real SQL over the table, whether or not a row was there to try.
    const QJsonObject written = QJsonDocument::fromJson(compiled->json).object();
    QStringList conditions { u"("_s + written.value(u"state"_s).toString() + u") IS NULL"_s,
        u"("_s + written.value(u"scope_text"_s).toString() + u") IS NULL"_s };
    for (const QString &key : { u"stale"_s, u"empty_replay"_s }) {
        if (written.value(key).isString()) {
            conditions += written.value(key).toString();
        }
    }
    const QJsonArray purge = written.value(u"purge"_s).toArray();
    for (const QJsonValue &rule : purge) {
        conditions += rule[u"where"_s].toString();
    }
    const QJsonObject finished = written.value(u"in_state"_s).toObject();
    QCOMPARE(finished.size(), 3);
    for (const QJsonValue &condition : finished) {
        conditions += condition.toString();
    }
    for (const QString &condition : std::as_const(conditions)) {
        const auto planned = m_session->describe(u"SELECT FROM "_s + written.value(u"relation"_s).toString()
            + u" AS t WHERE ("_s + condition + u") AND $1::pg_catalog.timestamptz IS NOT NULL"_s);
        QVERIFY2(planned.ok(), qPrintable(condition + u": "_s + (planned.ok() ? QString() : planned.error().detail)));
        QVERIFY2(planned->parameterTypes.size() == 1, qPrintable(condition));
    }
}

void CompileTest::readsBackWhatItWrote()
{
    const auto target = bindTarget(*m_session, *shippedProfile(u"plpgsql-request"_s));
    QVERIFY(target.ok());
    const auto compiled = compileTarget(*m_session, *target);
    QVERIFY(compiled.ok());
    const Profile &profile = target->profile;
    QCOMPARE(compiled->rules.size(),
        profile.recover.size() + profile.requeue.size() + profile.reclassify.size() + profile.align.size());
    for (qsizetype i = 0; i < profile.align.size(); ++i) { // the last ones
        const CompiledRule &rule = compiled->rules.at(compiled->rules.size() - profile.align.size() + i);
        QCOMPARE(rule.verb, ActionVerb::Align);
        QCOMPARE(rule.copy, profile.align.at(i).copy);
    }
    for (int i = 0; i < profile.recover.size(); ++i) {
        QCOMPARE(compiled->rules.at(i).verb, ActionVerb::Recover);
        QCOMPARE(compiled->rules.at(i).from, profile.recover.at(i).from);
        QCOMPARE(compiled->rules.at(i).to, profile.recover.at(i).to);
        QCOMPARE(compiled->rules.at(i).needsEffect, profile.recover.at(i).needsEffect);
    }
    QCOMPARE(compiled->purgeBy.size(), profile.purge.size());
}

void CompileTest::valuesStayConstants()
{
    const auto target = bindTarget(*m_session, *shippedProfile(u"plpgsql-request"_s));
    QVERIFY(target.ok());
    Target hostile = *target;
    hostile.profile.states.append({ u"x' OR $now IS NULL --"_s, KeyState::Succeeded });
    hostile.profile.states.append({ u"back\\slash $reason"_s, KeyState::Succeeded });
    const auto compiled = compileTarget(*m_session, hostile);
    QVERIFY(compiled.ok());
    const QString state = QJsonDocument::fromJson(compiled->json).object().value(u"state"_s).toString();
    QVERIFY2(state.contains(u"'x'' OR $now IS NULL --'"_s), qPrintable(state));
    QVERIFY2(state.contains(u"back\\\\slash $reason"_s), qPrintable(state));
    QVERIFY2(!state.contains(u"($1"_s) && !state.contains(u"($2"_s), qPrintable(state));
}

void CompileTest::anotherVersionIsRefused()
{
    QVERIFY(!compiledFromJson("{\"version\": 2}").ok());
    QVERIFY(!compiledFromJson("no JSON").ok());
}

void CompileTest::registrationIsReadBackAndInTheTrail()
{
    const auto target = bindTarget(*m_session, *shippedProfile(u"plpgsql-request"_s));
    QVERIFY(target.ok());
    const QByteArray json = profileToJson(target->profile);
    RegistrationSettings settings;
    settings.approvalAbove = 100;
    settings.undoWindow = u"3 days"_s;
    const auto before = readAnchor(*m_admin);
    QVERIFY(before.ok());
    const auto tried = registerTarget(*m_admin, *target, json, settings, false);
    QVERIFY2(tried.ok(), qPrintable(tried.ok() ? QString() : tried.error().line() + tried.error().detail));
    QVERIFY(!tried->registered);
    QCOMPARE(readAnchor(*m_admin)->seq, before->seq);
    const auto done = registerTarget(*m_admin, *target, json, settings, true);
    QVERIFY(done.ok());
    QVERIFY(done->registered);
    QCOMPARE(readAnchor(*m_admin)->seq, before->seq + 1);
    const auto targets = readRegisteredTargets(*m_admin);
    QVERIFY(targets.ok());
    const auto found = std::find_if(targets->cbegin(), targets->cend(),
        [](const RegisteredTarget &one) { return one.name == u"plpgsql-request"_s; });
    QVERIFY(found != targets->cend());
    QCOMPARE(found->profileJson, json);
    QCOMPARE(found->relation, target->profile.relation);
    QCOMPARE(found->approvalAbove, std::optional<qint64>(100));
    QCOMPARE(found->undoWindow, u"3 days"_s);
    QCOMPARE(found->registeredBy, u"adm"_s);
    QVERIFY(compiledFromJson(found->compiledJson).ok());
    // What is shown is what holds: the strictest limit that the table has under any name.
    Target stricter = *target;
    stricter.profile.name = u"stricter"_s;
    settings.approvalAbove = 10;
    QVERIFY(registerTarget(*m_admin, stricter, profileToJson(stricter.profile), settings, true)->registered);
    const auto again = readRegisteredTargets(*m_admin);
    QVERIFY(again.ok());
    for (const RegisteredTarget &one : *again) {
        QVERIFY2(one.relation != target->profile.relation || one.approvalAbove == 10, qPrintable(one.name));
    }
    QVERIFY(unregisterTarget(*m_admin, stricter.profile.name).ok());
    AuditFilter filter;
    filter.target = u"plpgsql-request"_s;
    filter.person = u"adm"_s;
    filter.limit = 1;
    const auto rows = readAudit(*m_admin, filter);
    QVERIFY(rows.ok());
    QCOMPARE(rows->size(), 1);
    QCOMPARE(rows->constFirst().what, u"register"_s);
    QCOMPARE(readHashAt(*m_admin, rows->constFirst().seq).value(), rows->constFirst().hash);
    QVERIFY(verifyAudit(*m_admin)->intact);
    filter.person = u"x' OR true --"_s;
    QCOMPARE(readAudit(*m_admin, filter)->size(), 0);
}

void CompileTest::missingGrantsAreNamed()
{
    const auto target = bindTarget(*m_session, *shippedProfile(u"plpgsql-request"_s));
    QVERIFY(target.ok());
    m_cluster->psql(u"seeds"_s,
        u"REVOKE DELETE ON "_s + target->relation.sql + u" FROM idemdesk_runner_"_s + m_session->facts().user);
    const auto done = registerTarget(*m_admin, *target, profileToJson(target->profile), {}, true);
    m_cluster->psql(
        u"seeds"_s, u"GRANT DELETE ON "_s + target->relation.sql + u" TO idemdesk_runner_"_s + m_session->facts().user);
    QVERIFY(done.ok());
    QVERIFY(!done->registered);
    QVERIFY(std::any_of(done->findings.cbegin(), done->findings.cend(), [](const Registration::Item &item) {
        return item.severity == u"grant"_s && item.sql.startsWith(u"GRANT DELETE"_s);
    }));
}

void CompileTest::onlyAnAdminRegisters()
{
    m_cluster->psql(u"seeds"_s, u"CREATE ROLE looker LOGIN; GRANT idemdesk_viewer TO looker"_s);
    const auto looker = open(m_cluster->conninfoAs(u"looker"_s, u"seeds"_s), false);
    const auto target = bindTarget(*m_session, *shippedProfile(u"plpgsql-request"_s));
    QVERIFY(target.ok());
    Target given = *target;
    given.profile.purge.clear(); // a viewer of the console need not read the table
    const auto done = registerTarget(*looker, given, "{}", {}, true);
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Privilege);
}

void CompileTest::cutTrailIsSeen()
{
    const auto newest = readAnchor(*m_admin);
    QVERIFY(newest.ok());
    QVERIFY(newest->seq > 0);
    m_cluster->psql(u"seeds"_s,
        u"ALTER TABLE idemdesk.audit DISABLE TRIGGER ALL; DELETE FROM idemdesk.audit WHERE seq = %1; "
        "ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows, ENABLE ALWAYS TRIGGER keep_table"_s.arg(
            newest->seq));
    const auto verdict = verifyAudit(*m_admin);
    QVERIFY(verdict.ok());
    QVERIFY(!verdict->intact);
    QCOMPARE(verdict->problems.constFirst().seq, newest->seq);
    QVERIFY(readHashAt(*m_admin, newest->seq)->isEmpty());
}

QTEST_GUILESS_MAIN(CompileTest)
#include "tst_compile.moc"
