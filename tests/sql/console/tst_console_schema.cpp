// SPDX-License-Identifier: GPL-3.0-or-later
// Installing, upgrading, watching and removing the console's own schema.
#include "sql/console/console_schema.h"
#include "sql/console/console_script.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::TestCluster;

class ConsoleSchemaTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void splits_data();
    void splits();
    void everyBodyIsKnown();
    void installsAndSaysSo();
    void installedAgainChangesNothing();
    void installsWithoutSuperuser();
    void scriptForTheAdministrator();
    void refusesANewerSchema();
    void upgradesFromEachVersion_data();
    void upgradesFromEachVersion();
    void upgradesNothingTamperedWith();
    void seesAChangedBody_data();
    void seesAChangedBody();
    void repairPutsBackAndSaysSo_data();
    void repairPutsBackAndSaysSo();
    void repairBlessesNothing_data();
    void repairBlessesNothing();
    void unreadableIsNotMissing();
    void refusedInstallLeavesNothing();
    void uninstallKeepsTheTrail();
    void uninstallWithTheTrail();

private:
    std::unique_ptr<Session> open(const QString &user = {});
    QString psql(const QString &statement) { return m_cluster->psql(m_database, statement); }
    void install();

    std::unique_ptr<TestCluster> m_cluster;
    QString m_database;
    int m_number = 0;
};

std::unique_ptr<Session> ConsoleSchemaTest::open(const QString &user)
{
    ConnectionSettings settings;
    settings.conninfo = user.isEmpty() ? m_cluster->conninfo(m_database) : m_cluster->conninfoAs(user, m_database);
    Session::Options options;
    options.readOnly = false;
    auto session = Session::open(settings, options);
    if (!session) {
        qFatal("%s", qPrintable(session.error().line()));
    }
    return std::move(*session);
}

void ConsoleSchemaTest::install()
{
    const auto session = open();
    const auto version = installConsole(*session);
    QVERIFY2(version.ok(), qPrintable(version.ok() ? QString() : version.error().line() + version.error().detail));
    QCOMPARE(*version, newestConsoleVersion());
}

void ConsoleSchemaTest::initTestCase()
{
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->psql(u"postgres"_s, u"CREATE ROLE plain LOGIN; CREATE ROLE looker LOGIN; CREATE ROLE maker LOGIN CREATEROLE"_s);
}

void ConsoleSchemaTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_database = u"d%1"_s.arg(++m_number);
    m_cluster->createDatabase(m_database);
}

void ConsoleSchemaTest::splits_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QStringList>("statements");
    QTest::newRow("two") << u"SELECT 1; SELECT 2"_s << QStringList { u"SELECT 1"_s, u"SELECT 2"_s };
    QTest::newRow("a semicolon in a constant") << u"SELECT ';'; SELECT E'\\';'"_s << QStringList { u"SELECT ';'"_s, u"SELECT E'\\';'"_s };
    QTest::newRow("a semicolon in a name") << u"SELECT 1 AS \";\";"_s << QStringList { u"SELECT 1 AS \";\""_s };
    QTest::newRow("dollar quotes within dollar quotes") << u"DO $a$ BEGIN; $b$;$b$ END $a$; SELECT 1;"_s
                                                        << QStringList { u"DO $a$ BEGIN; $b$;$b$ END $a$"_s, u"SELECT 1"_s };
    QTest::newRow("a semicolon in comments") << u"SELECT 1 /* ; /* ; */ ; */ + 1; -- ; no\nSELECT 2"_s
                                             << QStringList { u"SELECT 1 /* ; /* ; */ ; */ + 1"_s, u"-- ; no\nSELECT 2"_s };
    QTest::newRow("nothing but comments") << u"-- one;\n/* two; */ ;;"_s << QStringList();
}

void ConsoleSchemaTest::splits()
{
    QFETCH(QString, script);
    QFETCH(QStringList, statements);
    QCOMPARE(scriptStatements(script), statements);
}

void ConsoleSchemaTest::everyBodyIsKnown()
{
    install();
    const QStringList there = psql(u"SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'idemdesk'::regnamespace ORDER BY p.proname COLLATE \"C\""_s)
                                  .split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(there.size() > 30);
    QCOMPARE(consoleFunctionBodies().keys(), there);
}

void ConsoleSchemaTest::installsAndSaysSo()
{
    const auto session = open();
    auto status = readConsoleStatus(*session);
    QVERIFY(status.ok());
    QCOMPARE(status->installedVersion, 0);
    QVERIFY(status->knownVersion >= 9);
    install();
    psql(u"GRANT idemdesk_operator TO looker"_s);
    const auto looker = open(u"looker"_s);
    status = readConsoleStatus(*looker);
    QVERIFY2(status.ok(), qPrintable(status.ok() ? QString() : status.error().line()));
    QCOMPARE(status->installedVersion, status->knownVersion);
    QVERIFY(status->readable && status->isOperator && !status->isApprover && !status->isAdmin && !status->superuser);
    for (const GuardFinding &finding : status->findings) {
        QVERIFY2(!finding.red, qPrintable(finding.finding));
    }
    status = readConsoleStatus(*session);
    QVERIFY(status.ok());
    QVERIFY(status->red()); // a superuser's login
    QCOMPARE(psql(u"SELECT count(*) = max(version) FROM idemdesk.migration"_s), u"t"_s);
}

void ConsoleSchemaTest::installedAgainChangesNothing()
{
    install();
    psql(u"CREATE OR REPLACE FUNCTION idemdesk.audit_hash_at(p_seq bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER "
         "SET search_path = pg_catalog, pg_temp AS 'SELECT NULL::text'"_s);
    const QString digests = psql(u"SELECT md5(string_agg(d::text, '' ORDER BY name)) FROM idemdesk.function_digest d"_s);
    install();
    // Installing again must not take a replaced function for the right one.
    QCOMPARE(psql(u"SELECT md5(string_agg(d::text, '' ORDER BY name)) FROM idemdesk.function_digest d"_s), digests);
    QCOMPARE(psql(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE code = 'function'"_s), u"1"_s);
}

void ConsoleSchemaTest::installsWithoutSuperuser()
{
    psql(u"GRANT CREATE ON DATABASE %1 TO maker"_s.arg(m_database));
    // Roles are the cluster's: an earlier test made them, which is the harder case.
    const auto session = open(u"maker"_s);
    const auto version = installConsole(*session);
    QVERIFY2(version.ok(), qPrintable(version.ok() ? QString() : version.error().line() + version.error().detail));
    QCOMPARE(psql(u"SELECT count(*) FROM pg_auth_members WHERE roleid IN ('idemdesk_owner'::regrole, 'idemdesk_runner'::regrole)"_s), u"0"_s);
    QCOMPARE(psql(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red' AND code <> 'superuser'"_s), u"0"_s);
}

void ConsoleSchemaTest::scriptForTheAdministrator()
{
    m_cluster->psql(m_database, consoleScript(0));
    const auto session = open();
    const auto status = readConsoleStatus(*session);
    QVERIFY(status.ok());
    QCOMPARE(status->installedVersion, newestConsoleVersion());
    for (const GuardFinding &finding : status->findings) {
        QVERIFY2(!finding.red || finding.code == u"superuser"_s, qPrintable(finding.finding));
    }
}

void ConsoleSchemaTest::refusesANewerSchema()
{
    install();
    psql(u"INSERT INTO idemdesk.migration (version, name) VALUES (1000, 'future')"_s);
    const auto session = open();
    const auto version = installConsole(*session);
    QVERIFY(!version.ok());
    QCOMPARE(version.error().kind, ErrorKind::Refused);
    QVERIFY(version.error().why.contains(u"1000"_s));
}

void ConsoleSchemaTest::upgradesFromEachVersion_data()
{
    QTest::addColumn<int>("from");
    constexpr int kFirstWithGuard = 3; // before it a schema cannot say whether it is whole
    for (int version = kFirstWithGuard; version < newestConsoleVersion(); ++version) {
        QTest::addRow("from %d", version) << version;
    }
}

void ConsoleSchemaTest::upgradesFromEachVersion()
{
    QFETCH(int, from);
    QString older = u"BEGIN; SET LOCAL search_path = pg_catalog, pg_temp;"_s + consoleText(u"prepare.sql"_s);
    for (const Migration &migration : consoleMigrations()) {
        if (migration.version <= from) {
            older += migration.sql + u"SET LOCAL ROLE idemdesk_owner; INSERT INTO idemdesk.migration (version, name) VALUES (%1, '%2'); RESET ROLE;"_s.arg(migration.version).arg(migration.name);
        }
    }
    m_cluster->psql(m_database, older + consoleText(u"finish.sql"_s) + u"COMMIT;"_s);
    psql(u"SET ROLE idemdesk_owner; INSERT INTO idemdesk.shared_login (login) VALUES ('team')"_s);
    const auto session = open();
    const auto before = readConsoleStatus(*session);
    QVERIFY2(before.ok(), qPrintable(before.ok() ? QString() : before.error().line()));
    QCOMPARE(before->installedVersion, from);
    for (const GuardFinding &finding : before->findings) {
        QVERIFY2(!finding.red || finding.code == u"superuser"_s, qPrintable(finding.finding));
    }
    const auto version = installConsole(*session);
    QVERIFY2(version.ok(), qPrintable(version.ok() ? QString() : version.error().line()));
    QCOMPARE(*version, newestConsoleVersion());
    const auto after = readConsoleStatus(*session);
    QVERIFY(after.ok());
    for (const GuardFinding &finding : after->findings) {
        QVERIFY2(!finding.red || finding.code == u"superuser"_s, qPrintable(finding.finding));
    }
    QCOMPARE(psql(u"SELECT login FROM idemdesk.shared_login"_s), u"team"_s);
    // What was upgraded is what would have been installed.
    const QString functions = u"SELECT string_agg(p.oid::regprocedure || ' ' || md5(prosrc) || pg_get_userbyid(proowner) || coalesce(proacl::text, ''), '; ' ORDER BY p.oid::regprocedure::text) FROM pg_proc p WHERE pronamespace = 'idemdesk'::regnamespace"_s;
    const QString upgraded = psql(functions);
    psql(u"DROP SCHEMA idemdesk CASCADE"_s);
    QVERIFY(installConsole(*session).ok());
    QCOMPARE(psql(functions), upgraded);
}

void ConsoleSchemaTest::upgradesNothingTamperedWith()
{
    install();
    psql(u"DELETE FROM idemdesk.migration WHERE version = (SELECT max(version) FROM idemdesk.migration); "
         "ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows"_s);
    const auto session = open();
    const auto version = installConsole(*session);
    QVERIFY(!version.ok());
    QCOMPARE(version.error().kind, ErrorKind::Refused);
    QVERIFY2(version.error().why.contains(u"keep_rows"_s), qPrintable(version.error().why));
}

void ConsoleSchemaTest::seesAChangedBody_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("name");
    const QString replaced = u"CREATE OR REPLACE FUNCTION idemdesk.audit_hash_at(p_seq bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER "
                             "SET search_path = pg_catalog, pg_temp AS 'SELECT NULL::text';"_s;
    QTest::newRow("replaced") << replaced << u"audit_hash_at"_s;
    QTest::newRow("replaced, and the server's own digests with it")
        << replaced + u"DELETE FROM idemdesk.function_digest; INSERT INTO idemdesk.function_digest SELECT * FROM idemdesk._function_digests();"_s
        << u"audit_hash_at"_s;
    QTest::newRow("added beside them") << u"CREATE FUNCTION idemdesk.extra() RETURNS int LANGUAGE sql AS 'SELECT 1'"_s << u"extra"_s;
    QTest::newRow("dropped") << u"DROP FUNCTION idemdesk.audit_hash_at(bigint)"_s << u"audit_hash_at"_s;
}

void ConsoleSchemaTest::seesAChangedBody()
{
    QFETCH(QString, sql);
    QFETCH(QString, name);
    install();
    psql(sql);
    psql(u"GRANT idemdesk_viewer TO looker"_s);
    const auto session = open(u"looker"_s);
    const auto status = readConsoleStatus(*session);
    QVERIFY(status.ok());
    int seen = 0;
    for (const GuardFinding &finding : status->findings) {
        seen += finding.red && finding.code == u"function"_s && finding.finding.contains(name) ? 1 : 0;
    }
    QCOMPARE(seen, 1);
}

void ConsoleSchemaTest::repairPutsBackAndSaysSo_data()
{
    QTest::addColumn<QString>("tamper");
    QTest::addColumn<QString>("named");
    QTest::newRow("nothing changed") << QString() << QString();
    QTest::newRow("a body") << u"CREATE OR REPLACE FUNCTION idemdesk._refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$ BEGIN "
                               "RETURN OLD; END $$"_s << u"_refuse_change"_s;
    QTest::newRow("a body, and its digest too") << u"CREATE OR REPLACE FUNCTION idemdesk._require_guard() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp "
                               "AS $$ BEGIN END $$; DELETE FROM idemdesk.function_digest; INSERT INTO idemdesk.function_digest SELECT * FROM idemdesk._function_digests()"_s
                            << u"_require_guard"_s;
    QTest::newRow("a setting") << u"ALTER FUNCTION idemdesk.maintain() RESET search_path"_s << QString();
    QTest::newRow("a trigger switched off") << u"ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows"_s << QString();
}

void ConsoleSchemaTest::repairPutsBackAndSaysSo()
{
    QFETCH(QString, tamper);
    QFETCH(QString, named);
    install();
    if (!tamper.isEmpty()) {
        psql(tamper);
        QVERIFY(readConsoleStatus(*open())->red());
    }
    const auto repaired = repairConsole(*open());
    QVERIFY2(repaired.ok(), qPrintable(repaired.ok() ? QString() : repaired.error().line() + repaired.error().detail));
    QCOMPARE(repaired->join(u','), named);
    const auto status = readConsoleStatus(*open());
    QVERIFY(status.ok());
    for (const GuardFinding &finding : status->findings) {
        QVERIFY2(!finding.red || finding.code == u"superuser", qPrintable(finding.finding));
    }
    QCOMPARE(psql(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'repair'"_s), u"1"_s);
    QCOMPARE(psql(u"SELECT coalesce(string_agg(f ->> 'function', ','), '') FROM idemdesk.audit, jsonb_array_elements(facts -> 'functions') f WHERE what = 'repair'"_s), named);
    QCOMPARE(psql(u"SELECT intact FROM idemdesk.verify_audit()"_s), u"t"_s);
}

void ConsoleSchemaTest::repairBlessesNothing_data()
{
    QTest::addColumn<QString>("tamper");
    QTest::newRow("a stray grant") << u"GRANT INSERT ON idemdesk.audit TO PUBLIC"_s;
    QTest::newRow("a rule on the trail") << u"CREATE RULE r AS ON INSERT TO idemdesk.action DO ALSO NOTHING"_s;
    QTest::newRow("another trigger") << u"CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; "
                                        "CREATE TRIGGER evil BEFORE INSERT ON idemdesk.action FOR EACH ROW EXECUTE FUNCTION public.f()"_s;
}

void ConsoleSchemaTest::repairBlessesNothing()
{
    QFETCH(QString, tamper);
    install();
    psql(tamper);
    const auto repaired = repairConsole(*open());
    QVERIFY(!repaired.ok());
    QCOMPARE(repaired.error().kind, ErrorKind::Refused);
    QVERIFY(!repaired.error().why.isEmpty() && !repaired.error().todo.isEmpty());
    QVERIFY(readConsoleStatus(*open())->red());
    QCOMPARE(psql(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'repair'"_s), u"0"_s);
}

void ConsoleSchemaTest::unreadableIsNotMissing()
{
    install();
    const auto session = open(u"plain"_s);
    const auto status = readConsoleStatus(*session);
    QVERIFY2(status.ok(), qPrintable(status.ok() ? QString() : status.error().line()));
    QCOMPARE(status->installedVersion, -1);
    QVERIFY(!status->readable);
    const auto version = installConsole(*session);
    QVERIFY(!version.ok());
    QCOMPARE(version.error().kind, ErrorKind::Privilege);
}

void ConsoleSchemaTest::refusedInstallLeavesNothing()
{
    const auto session = open(u"plain"_s);
    const auto version = installConsole(*session);
    QVERIFY(!version.ok());
    QCOMPARE(version.error().kind, ErrorKind::Privilege);
    QCOMPARE(psql(u"SELECT to_regnamespace('idemdesk') IS NULL"_s), u"t"_s);
}

void ConsoleSchemaTest::uninstallKeepsTheTrail()
{
    install();
    const auto session = open();
    const auto done = uninstallConsole(*session, false);
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().line() + done.error().detail));
    const QString kept = psql(u"SELECT nspname FROM pg_namespace WHERE nspname LIKE 'idemdesk\\_trail\\_%'"_s);
    QVERIFY(!kept.isEmpty() && !kept.contains(u'\n'));
    QCOMPARE(psql(u"SELECT count(*) FROM pg_class WHERE relnamespace = '%1'::regnamespace AND relname IN "
                  "('audit', 'audit_head', 'action', 'action_item', 'action_batch', 'quarantine')"_s.arg(kept)), u"6"_s);
    QCOMPARE(psql(u"SELECT count(*) FROM pg_proc WHERE pronamespace = '%1'::regnamespace"_s.arg(kept)), u"0"_s);
    QCOMPARE(readConsoleStatus(*session)->installedVersion, 0);
    install();
}

void ConsoleSchemaTest::uninstallWithTheTrail()
{
    install();
    const auto session = open();
    QVERIFY(uninstallConsole(*session, true).ok());
    QCOMPARE(psql(u"SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'idemdesk%'"_s), u"0"_s);
    QCOMPARE(psql(u"SELECT count(*) FROM pg_roles WHERE rolname = 'idemdesk_owner'"_s), u"1"_s);
}

QTEST_GUILESS_MAIN(ConsoleSchemaTest)
#include "tst_console_schema.moc"
