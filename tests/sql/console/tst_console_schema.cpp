// SPDX-License-Identifier: GPL-3.0-or-later
// Installing, upgrading, watching and removing the console's own schema.
#include "sql/console/console_schema.h"
#include "sql/console/console_script.h"
#include "tests/support/console_fixture.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;
using idemdesk::tests::Connection;
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
    void eachThingIsMadeOnce();
    void installsAndSaysSo();
    void installedAgainChangesNothing();
    void installsWithoutSuperuser();
    void scriptForTheAdministrator();
    void refusesANewerSchema();
    void refusesAPreRelease_data();
    void refusesAPreRelease();
    void scriptRefusesWhatIsThere();
    void upgradesAreInARow();
    void releasesUpgradeToTheSame();
    void upgradeThatDiffersIsSeen_data();
    void upgradeThatDiffersIsSeen();
    void upgradesNothingTamperedWith();
    void seesAChangedBody_data();
    void seesAChangedBody();
    void repairPutsBackAndSaysSo_data();
    void repairPutsBackAndSaysSo();
    void repairBlessesNothing_data();
    void repairBlessesNothing();
    void unreadableIsNotMissing();
    void refusedInstallLeavesNothing();
    void runsNoEventTrigger();
    void uninstallKeepsTheTrail();
    void uninstallWithTheTrail();
    void uninstallsWithoutSuperuser_data();
    void uninstallsWithoutSuperuser();

private:
    std::unique_ptr<Session> open(const QString &user = {});
    QString psql(const QString &statement) { return m_cluster->psql(m_database, statement); }
    void install();
    QString installedByMaker();
    QStringList differences(const QString &older, const ConsoleSchema &schema);

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
    m_cluster->psql(
        u"postgres"_s, u"CREATE ROLE plain LOGIN; CREATE ROLE looker LOGIN; CREATE ROLE maker LOGIN CREATEROLE"_s);
    // Nobody here is a superuser who could have made the roles: on a managed server the first who installs makes them.
    m_database = u"first"_s;
    m_cluster->createDatabase(m_database);
    const QString wrong = installedByMaker();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

/// Installs as a login that may create roles and is no superuser. Gives what went wrong.
QString ConsoleSchemaTest::installedByMaker()
{
    psql(u"GRANT CREATE ON DATABASE %1 TO maker"_s.arg(m_database));
    const auto session = open(u"maker"_s);
    const auto version = installConsole(*session);
    return version.ok() ? QString() : version.error().line() + version.error().detail;
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
    QTest::newRow("a semicolon in a constant")
        << u"SELECT ';'; SELECT E'\\';'"_s << QStringList { u"SELECT ';'"_s, u"SELECT E'\\';'"_s };
    QTest::newRow("a semicolon in a name") << u"SELECT 1 AS \";\";"_s << QStringList { u"SELECT 1 AS \";\""_s };
    QTest::newRow("dollar quotes within dollar quotes")
        << u"DO $a$ BEGIN; $b$;$b$ END $a$; SELECT 1;"_s
        << QStringList { u"DO $a$ BEGIN; $b$;$b$ END $a$"_s, u"SELECT 1"_s };
    QTest::newRow("a semicolon in comments")
        << u"SELECT 1 /* ; /* ; */ ; */ + 1; -- ; no\nSELECT 2"_s
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
    const QStringList there = psql(
        u"SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'idemdesk'::regnamespace ORDER BY p.proname COLLATE \"C\""_s)
                                  .split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(there.size() > 30);
    QCOMPARE(consoleFunctionBodies().keys(), there);
}

/// A reader of the schema's files finds each thing in one place, as it is.
void ConsoleSchemaTest::eachThingIsMadeOnce()
{
    const QString whole = consoleSchema().whole;
    static const QRegularExpression made(
        u"^CREATE (?:OR REPLACE )?(?:FUNCTION|TABLE|TYPE|(?:UNIQUE )?INDEX) (?:idemdesk\\.)?(\\w+)"_s,
        QRegularExpression::MultilineOption);
    QStringList names;
    auto matches = made.globalMatch(whole);
    while (matches.hasNext()) {
        const QString name = matches.next().captured(1);
        QVERIFY2(!names.contains(name), qPrintable(name));
        names += name;
    }
    QVERIFY(names.size() > 60);
    static const QRegularExpression again(
        u"CREATE OR REPLACE|^ALTER FUNCTION|^ALTER TABLE .*(?:ADD|DROP|RENAME)"_s, QRegularExpression::MultilineOption);
    const auto found = again.match(whole);
    QVERIFY2(!found.hasMatch(), qPrintable(found.captured()));
}

void ConsoleSchemaTest::installsAndSaysSo()
{
    const auto session = open();
    auto status = readConsoleStatus(*session);
    QVERIFY(status.ok());
    QCOMPARE(status->installedVersion, 0);
    QCOMPARE(status->knownVersion, newestConsoleVersion());
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
    QCOMPARE(psql(u"SELECT string_agg(version || ' ' || name, ',') FROM idemdesk.migration"_s),
        QString::number(newestConsoleVersion()) + u" install"_s);
}

void ConsoleSchemaTest::installedAgainChangesNothing()
{
    install();
    psql(u"CREATE OR REPLACE FUNCTION idemdesk.audit_hash_at(p_seq bigint) RETURNS text LANGUAGE sql STABLE SECURITY "
         u"DEFINER "
         "SET search_path = pg_catalog, pg_temp AS 'SELECT NULL::text'"_s);
    const QString digests = psql(u"SELECT md5(string_agg(d::text, '' ORDER BY name)) FROM idemdesk.definition d"_s);
    install();
    // Installing again must not take a replaced function for the right one.
    QCOMPARE(psql(u"SELECT md5(string_agg(d::text, '' ORDER BY name)) FROM idemdesk.definition d"_s), digests);
    QCOMPARE(psql(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE code = 'function'"_s), u"1"_s);
}

void ConsoleSchemaTest::installsWithoutSuperuser()
{
    const QString wrong = installedByMaker();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    // From PostgreSQL 16 on the server itself leaves a role's creator an ADMIN membership, which nobody here can
    // revoke.
    const bool creatorKeepsAdmin = psql(u"SELECT current_setting('server_version_num')::int >= 160000"_s) == u"t";
    QCOMPARE(
        psql(
            u"SELECT count(*) FROM pg_auth_members m WHERE m.roleid IN ('idemdesk_owner'::regrole, "
            u"to_regrole('idemdesk_runner_maker')) "
            "AND (to_jsonb(m) ->> 'set_option' IS DISTINCT FROM 'false' OR to_jsonb(m) ->> 'inherit_option' IS DISTINCT FROM 'false')"_s),
        u"0"_s);
    // The same login makes the role that runs a table's code, and keeps no right of it.
    Connection installer(m_cluster->conninfoAs(u"maker"_s, m_database));
    QVERIFY(installer.run(u"GRANT idemdesk_viewer TO maker"_s).ok());
    QCOMPARE(installer.value(u"SELECT idemdesk.make_runner('maker')"_s), u"idemdesk_runner_maker"_s);
    QCOMPARE(
        psql(
            u"SELECT string_agg(p.proname, ' ') FROM pg_proc p WHERE pg_get_userbyid(p.proowner) = 'idemdesk_runner_maker'"_s),
        u"_run_maker"_s);
    psql(u"GRANT idemdesk_operator TO looker"_s);
    const QString openSql
        = u"SELECT idemdesk.open_action('00000000-0000-0000-0000-00000000000a', 'none', 'recover', 'because', '', '{}', '', '[]')"_s;
    Connection looker(m_cluster->conninfoAs(u"looker"_s, m_database));
    QCOMPARE(looker.value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red'"_s), u"0"_s);
    QCOMPARE(
        looker.value(
            u"SELECT count(*) FROM idemdesk.guard_findings() WHERE code = 'member' AND severity = 'amber' AND finding LIKE 'maker %'"_s),
        u"1"_s); // before 16 because it may create roles, since then because it was given ADMIN
    QCOMPARE(looker.state(openSql), u"ID005"_s); // it may act; there is no such target
    if (creatorKeepsAdmin) {
        // Who could make itself the owner of the trail looks, and does not act.
        Connection maker(m_cluster->conninfoAs(u"maker"_s, m_database));
        QVERIFY(maker.run(u"GRANT idemdesk_operator TO maker"_s).ok());
        QCOMPARE(maker.value(u"SELECT string_agg(code, ',') FROM idemdesk.guard_findings() WHERE severity = 'red'"_s),
            u"login"_s);
        QCOMPARE(maker.state(openSql), u"ID003"_s);
        QVERIFY(maker.run(u"REVOKE idemdesk_operator FROM maker GRANTED BY maker"_s).ok());
    }
    // Who may act as the owner is red, and the printed statement mends it.
    Connection root(m_cluster->conninfo(m_database));
    QVERIFY(root.run(u"GRANT idemdesk_owner TO plain"_s).ok());
    const QString remedy
        = looker.value(u"SELECT remedy FROM idemdesk.guard_findings() WHERE code = 'member' AND severity = 'red'"_s);
    QVERIFY2(remedy.startsWith(u"REVOKE idemdesk_owner FROM plain"_s), qPrintable(remedy));
    QCOMPARE(looker.state(openSql), u"ID004"_s);
    QVERIFY(root.run(remedy).ok());
    QCOMPARE(looker.state(openSql), u"ID005"_s);
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

void ConsoleSchemaTest::refusesAPreRelease_data()
{
    QTest::addColumn<QString>("rows");
    QTest::newRow("the last one") << u"(1, 'tables'), (2, 'audit'), (11, 'conflicts')"_s;
    QTest::newRow("one whose number is today's") << u"(1, 'tables')"_s;
}

/// What was never released counted its files as versions.
void ConsoleSchemaTest::refusesAPreRelease()
{
    QFETCH(QString, rows);
    install();
    psql(u"DELETE FROM idemdesk.migration; INSERT INTO idemdesk.migration (version, name) VALUES "_s + rows);
    const auto session = open();
    const auto status = readConsoleStatus(*session);
    QVERIFY(status.ok());
    QCOMPARE(status->installedVersion, ConsoleStatus::kPreRelease);
    for (const Error &error : { installConsole(*session).error(), repairConsole(*session).error() }) {
        QCOMPARE(error.kind, ErrorKind::Refused);
        QVERIFY2(error.why.contains(u"pre-release"_s), qPrintable(error.why));
        QVERIFY2(error.todo.contains(u"uninstall"_s), qPrintable(error.todo));
    }
    QVERIFY(uninstallConsole(*session, false).ok());
    install();
    QCOMPARE(readConsoleStatus(*session)->installedVersion, newestConsoleVersion());
}

void ConsoleSchemaTest::scriptRefusesWhatIsThere()
{
    install();
    psql(u"SET ROLE idemdesk_owner; INSERT INTO idemdesk.shared_login (login) VALUES ('team')"_s);
    Connection root(m_cluster->conninfo(m_database));
    const auto answer = root.run(consoleScript(0));
    QCOMPARE(answer.state, u"ID005"_s);
    QVERIFY2(answer.message.contains(u"installed in this database already"_s), qPrintable(answer.message));
    QCOMPARE(psql(u"SELECT login FROM idemdesk.shared_login"_s), u"team"_s);
}

namespace {

QString releasedScript(int version)
{
    QFile file(
        QStringLiteral(IDEMDESK_SOURCE_DIR "/tests/sql/console/released/%1.sql").arg(version, 3, 10, QChar(u'0')));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// A program that brings one version more, whose subject is `more`; the upgrade to it says `upgrade`.
ConsoleSchema nextSchema(const QString &more, const QString &upgrade)
{
    ConsoleSchema next = consoleSchema();
    next.upgrades.append({ next.version() + 1, u"more"_s, upgrade });
    next.whole += more;
    return next;
}

const QString kMore = uR"(SET LOCAL ROLE idemdesk_owner;
CREATE TABLE idemdesk.more (id bigint PRIMARY KEY, kept text NOT NULL DEFAULT 'x' CHECK (kept <> ''));
CREATE INDEX more_by_kept ON idemdesk.more (kept);
CREATE FUNCTION idemdesk.more() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $fn$
    SELECT count(*) FROM idemdesk.more
$fn$;
CREATE TRIGGER keep_rows BEFORE DELETE ON idemdesk.more FOR EACH ROW EXECUTE FUNCTION idemdesk._refuse_change();
ALTER TABLE idemdesk.more ENABLE ALWAYS TRIGGER keep_rows;
GRANT EXECUTE ON FUNCTION idemdesk.more() TO idemdesk_viewer;
RESET ROLE;
)"_s;

} // namespace

/// Upgrades the database, which holds an older schema, and says what is then another than in a fresh one.
QStringList ConsoleSchemaTest::differences(const QString &older, const ConsoleSchema &schema)
{
    QFile file(QStringLiteral(IDEMDESK_SOURCE_DIR "/tests/sql/console/catalogue.sql"));
    if (!file.open(QIODevice::ReadOnly)) {
        return { u"no catalogue.sql"_s };
    }
    const QString catalogue = QString::fromUtf8(file.readAll());
    psql(older);
    psql(u"SET ROLE idemdesk_owner; INSERT INTO idemdesk.shared_login (login) VALUES ('team')"_s);
    QStringList found[2];
    for (QStringList &lines : found) {
        const auto session = open();
        const auto version = installConsole(*session, schema);
        if (!version.ok()) {
            return { version.error().line() + version.error().detail };
        }
        if (psql(u"SELECT max(version) FROM idemdesk.migration"_s) != QString::number(schema.version())) {
            return { u"another version"_s };
        }
        const auto status = readConsoleStatus(*session, schema);
        if (!status.ok()) {
            return { status.error().line() };
        }
        for (const GuardFinding &finding : status->findings) {
            if (finding.red && finding.code != u"superuser") {
                return { finding.finding };
            }
        }
        lines = psql(catalogue).split(u'\n');
        if (&lines == &found[0]) {
            if (psql(u"SELECT login FROM idemdesk.shared_login"_s) != u"team") {
                return { u"rows were lost"_s };
            }
            m_database += u"fresh"_s;
            m_cluster->createDatabase(m_database);
        }
    }
    QStringList out;
    for (const auto &[from, to, word] : { std::tuple { 0, 1, u"upgraded: "_s }, std::tuple { 1, 0, u"fresh: "_s } }) {
        for (const QString &line : std::as_const(found[from])) {
            if (!found[to].contains(line)) {
                out += word + line;
            }
        }
    }
    return out;
}

void ConsoleSchemaTest::upgradesAreInARow()
{
    int version = 1;
    for (const ConsoleUpgrade &upgrade : consoleSchema().upgrades) {
        QVERIFY2(!releasedScript(version).isEmpty(),
            qPrintable(u"tests/sql/console/released/ has no version %1"_s.arg(version)));
        QCOMPARE(upgrade.version, ++version);
    }
}

/// Also the newest version, once it is released: then the schema does not change without an upgrade.
void ConsoleSchemaTest::releasesUpgradeToTheSame()
{
    const QString database = m_database;
    for (int version = 1; version <= newestConsoleVersion(); ++version) {
        if (const QString older = releasedScript(version); !older.isEmpty()) {
            m_database = u"%1v%2"_s.arg(database).arg(version);
            m_cluster->createDatabase(m_database);
            QCOMPARE(differences(older, consoleSchema()), QStringList());
        }
    }
}

void ConsoleSchemaTest::upgradeThatDiffersIsSeen_data()
{
    QTest::addColumn<QString>("in");
    QTest::addColumn<QString>("instead");
    QTest::addColumn<QString>("seen"); // empty: nothing differs
    const auto other = [](const char *name, const QString &in, const QString &instead, const QString &seen) {
        QTest::newRow(name) << in << instead << seen;
    };
    other("nothing", u"RESET ROLE"_s, u"RESET ROLE"_s, QString());
    other("columns in another order", u"(id bigint PRIMARY KEY, kept text NOT NULL DEFAULT 'x' CHECK (kept <> ''))"_s,
        u"(kept text NOT NULL DEFAULT 'x' CHECK (kept <> ''), id bigint PRIMARY KEY)"_s, QString());
    other("a column's type", u"id bigint"_s, u"id integer"_s, u"column more.id"_s);
    other("a default", u"DEFAULT 'x'"_s, QString(), u"column more.kept"_s);
    other("NOT NULL", u"text NOT NULL"_s, u"text"_s, u"column more.kept"_s);
    other("a constraint", u"CHECK (kept <> '')"_s, QString(), u"constraint idemdesk.more"_s);
    other("an index", u"CREATE INDEX more_by_kept ON idemdesk.more (kept);"_s, QString(), u"more_by_kept"_s);
    other("another index", u"(kept);"_s, u"(kept DESC);"_s, u"more_by_kept"_s);
    other("a function's text", u"SELECT count(*)"_s, u"SELECT  count(*)"_s, u"idemdesk.more is not the one"_s);
    other("a function's setting", u"pg_catalog, pg_temp"_s, u"pg_catalog"_s, u"function idemdesk.more()"_s);
    other("a function's rights", u" SECURITY DEFINER"_s, QString(), u"function idemdesk.more()"_s);
    other("a grant", u"GRANT EXECUTE ON FUNCTION idemdesk.more() TO idemdesk_viewer;"_s, QString(),
        u"function idemdesk.more()"_s);
    other("an owner", u"RESET ROLE;"_s, u"RESET ROLE; ALTER FUNCTION idemdesk.more() OWNER TO idemdesk_viewer;"_s,
        u"function idemdesk.more()"_s);
    other("a trigger", u"BEFORE DELETE"_s, u"BEFORE UPDATE"_s, u"trigger: "_s);
    other("how a trigger is enabled", u"ENABLE ALWAYS"_s, u"DISABLE"_s, u"trigger: "_s);
    other(
        "more than is fresh", u"RESET ROLE;"_s, u"CREATE TABLE idemdesk.other (); RESET ROLE;"_s, u"relation other"_s);
}

void ConsoleSchemaTest::upgradeThatDiffersIsSeen()
{
    QFETCH(QString, in);
    QFETCH(QString, instead);
    QFETCH(QString, seen);
    QVERIFY(kMore.contains(in));
    const QStringList said = differences(consoleScript(0), nextSchema(kMore, QString(kMore).replace(in, instead)));
    if (seen.isEmpty()) {
        QCOMPARE(said, QStringList());
    } else {
        QVERIFY2(said.join(u'\n').contains(seen), qPrintable(said.join(u'\n')));
    }
}

void ConsoleSchemaTest::upgradesNothingTamperedWith()
{
    install();
    psql(u"ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows"_s);
    const auto session = open();
    const auto version = installConsole(*session, nextSchema(kMore, kMore));
    QVERIFY(!version.ok());
    QCOMPARE(version.error().kind, ErrorKind::Refused);
    QVERIFY2(version.error().why.contains(u"keep_rows"_s), qPrintable(version.error().why));
    QCOMPARE(psql(u"SELECT to_regclass('idemdesk.more') IS NULL"_s), u"t"_s);
}

void ConsoleSchemaTest::seesAChangedBody_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("name");
    const QString replaced = u"CREATE OR REPLACE FUNCTION idemdesk.audit_hash_at(p_seq bigint) RETURNS text LANGUAGE "
                             u"sql STABLE SECURITY DEFINER "
                             "SET search_path = pg_catalog, pg_temp AS 'SELECT NULL::text';"_s;
    QTest::newRow("replaced") << replaced << u"audit_hash_at"_s;
    QTest::newRow("replaced, and the server's own digests with it") << replaced
            + u"DELETE FROM idemdesk.definition; INSERT INTO idemdesk.definition SELECT * FROM idemdesk._definitions();"_s
                                                                    << u"audit_hash_at"_s;
    QTest::newRow("added beside them") << u"CREATE FUNCTION idemdesk.extra() RETURNS int LANGUAGE sql AS 'SELECT 1'"_s
                                       << u"extra"_s;
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
    QTest::newRow("a body") << u"CREATE OR REPLACE FUNCTION idemdesk._refuse_change() RETURNS trigger LANGUAGE plpgsql "
                               u"SET search_path = pg_catalog, pg_temp AS $$ BEGIN "
                               "RETURN OLD; END $$"_s
                            << u"_refuse_change"_s;
    QTest::newRow("a body, and its digest too")
        << u"CREATE OR REPLACE FUNCTION idemdesk._require_guard() RETURNS void LANGUAGE plpgsql SET search_path = "
           u"pg_catalog, pg_temp "
           "AS $$ BEGIN END $$; DELETE FROM idemdesk.definition; INSERT INTO idemdesk.definition SELECT * FROM idemdesk._definitions()"_s
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
    QCOMPARE(
        psql(
            u"SELECT coalesce(string_agg(f ->> 'function', ','), '') FROM idemdesk.audit, jsonb_array_elements(facts -> 'functions') f WHERE what = 'repair'"_s),
        named);
    QCOMPARE(psql(u"SELECT intact FROM idemdesk.verify_audit()"_s), u"t"_s);
}

void ConsoleSchemaTest::repairBlessesNothing_data()
{
    QTest::addColumn<QString>("tamper");
    QTest::newRow("a stray grant") << u"GRANT INSERT ON idemdesk.audit TO PUBLIC"_s;
    QTest::newRow("a rule on the trail") << u"CREATE RULE r AS ON INSERT TO idemdesk.action DO ALSO NOTHING"_s;
    QTest::newRow("another trigger")
        << u"CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; "
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

void ConsoleSchemaTest::runsNoEventTrigger()
{
    psql(u"CREATE TABLE public.log (who text); GRANT ALL ON public.log TO PUBLIC; CREATE FUNCTION public.ev() RETURNS "
         "event_trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.log SELECT current_user WHERE current_user = "
         "'idemdesk_owner'; END $$; ALTER FUNCTION public.ev() OWNER TO plain; "
         "CREATE EVENT TRIGGER ev ON ddl_command_start EXECUTE FUNCTION public.ev()"_s);
    const auto session = open();
    const auto version = installConsole(*session);
    QVERIFY(!version.ok());
    const QString said = version.error().line() + version.error().detail;
    QVERIFY2(said.contains(u"event trigger ev"_s), qPrintable(said));
    QCOMPARE(psql(u"SELECT to_regnamespace('idemdesk') IS NULL"_s), u"t"_s);
    psql(u"ALTER EVENT TRIGGER ev DISABLE"_s);
    install();
    psql(u"ALTER EVENT TRIGGER ev ENABLE"_s);
    const auto repaired = repairConsole(*open());
    QVERIFY(!repaired.ok());
    QVERIFY(readConsoleStatus(*open())->red());
    QCOMPARE(psql(u"SELECT count(*) FROM public.log"_s), u"0"_s);
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
                  "('audit', 'audit_head', 'action', 'action_item', 'action_batch', 'quarantine')"_s.arg(kept)),
        u"6"_s);
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

void ConsoleSchemaTest::uninstallsWithoutSuperuser_data()
{
    QTest::addColumn<bool>("trailToo");
    QTest::newRow("the trail stays") << false;
    QTest::newRow("and the trail") << true;
}

void ConsoleSchemaTest::uninstallsWithoutSuperuser()
{
    QFETCH(bool, trailToo);
    QCOMPARE(installedByMaker(), QString());
    const QString members = u"SELECT count(*) FROM pg_auth_members WHERE roleid = 'idemdesk_owner'::regrole"_s;
    const QString before = psql(members);
    const auto done = uninstallConsole(*open(u"maker"_s), trailToo);
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().line() + done.error().detail));
    QCOMPARE(psql(u"SELECT to_regnamespace('idemdesk') IS NULL"_s), u"t"_s);
    QCOMPARE(psql(u"SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'idemdesk\\_trail\\_%'"_s),
        trailToo ? u"0"_s : u"1"_s);
    QCOMPARE(psql(members), before);
}

QTEST_GUILESS_MAIN(ConsoleSchemaTest)
#include "tst_console_schema.moc"
