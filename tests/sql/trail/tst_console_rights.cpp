// SPDX-License-Identifier: GPL-3.0-or-later
// Who may do what in the console's schema: every role beside every table and function, and who is written down as the
// actor.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QStringList kViewerTables { u"migration"_s, u"installation"_s, u"target"_s, u"action"_s, u"action_batch"_s,
    u"audit"_s, u"audit_head"_s, u"shared_login"_s, u"detached_partition"_s, u"sample_run"_s, u"backend_signal"_s,
    u"cache_sample_run"_s, u"runner"_s, u"target_limit"_s };
const QStringList kViewer { u"verify_audit"_s, u"audit_anchor"_s, u"audit_hash_at"_s, u"guard_findings"_s,
    u"action_state"_s, u"items"_s, u"actions_on"_s, u"action_scopes"_s, u"rows_asked"_s, u"make_runner"_s,
    u"limit_of"_s, u"limits_over"_s, u"readable_targets"_s, u"reads_everything"_s, u"known_tables"_s,
    u"readable_tables"_s, u"public_metrics"_s, u"known_kinds"_s, u"signal_seen"_s };
const QStringList kOperator { u"open_action"_s, u"open_undo"_s, u"set_action"_s, u"change_batch"_s, u"undo_batch"_s,
    u"purge_batch"_s, u"maintain"_s, u"detach_partition"_s, u"attach_partition"_s, u"drop_partition"_s,
    u"take_sample"_s, u"take_cache_sample"_s, u"open_signal"_s, u"close_signal"_s, u"note_schedule"_s,
    u"import_conflicts"_s, u"note_lost"_s, u"sign_review"_s, u"record_provider_words"_s, u"open_release"_s,
    u"close_release"_s };
const QStringList kApprover { u"approve_action"_s, u"sign_review"_s };
const QStringList kAdmin { u"register_target"_s, u"unregister_target"_s, u"set_shared_login"_s, u"set_kept"_s,
    u"maintain"_s, u"take_sample"_s, u"take_cache_sample"_s, u"ask_adoption"_s, u"sign_review"_s };

class ConsoleRightsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".?")));
        m_console = std::make_unique<ConsoleFixture>();
    }

    void init() { m_console->fresh(); }

    void functionsOfEachLogin_data()
    {
        QTest::addColumn<QString>("login");
        QTest::addColumn<QStringList>("allowed");
        QTest::newRow("an operator looks and acts") << u"op"_s << kViewer + kOperator;
        QTest::newRow("an approver looks and approves") << u"appr"_s << kViewer + kApprover;
        QTest::newRow("an admin looks and registers") << u"adm"_s << kViewer + kAdmin;
        QTest::newRow("a viewer only looks") << u"viewer"_s << kViewer;
        QTest::newRow("the service itself has nothing") << u"service"_s << QStringList();
        QTest::newRow("the owner of the table has nothing") << u"app_owner"_s << QStringList();
    }

    void functionsOfEachLogin()
    {
        QFETCH(QString, login);
        QFETCH(QStringList, allowed);
        const auto functions
            = m_console->root().run(u"SELECT p.proname, has_function_privilege('%1', p.oid, 'EXECUTE') AND "
                                    u"has_schema_privilege('%1', 'idemdesk', 'USAGE') "
                                    "FROM pg_proc p WHERE p.pronamespace = 'idemdesk'::regnamespace"_s.arg(login));
        QVERIFY2(functions.rows.size() > 30, qPrintable(functions.message));
        for (const QStringList &row : functions.rows) {
            QVERIFY2(
                (row.at(1) == u"t"_s) == allowed.contains(row.at(0)), qPrintable(login + u": "_s + row.join(u' ')));
        }
    }

    /// Each table of the schema, each privilege, by trying: what is refused must be refused for want of the right.
    void tablesOfEachLogin_data()
    {
        QTest::addColumn<QString>("login");
        for (const char *login : { "op", "appr", "adm", "viewer", "service", "app_owner" }) {
            QTest::newRow(login) << QString::fromLatin1(login);
        }
    }

    void tablesOfEachLogin()
    {
        QFETCH(QString, login);
        const auto who = m_console->as(login);
        const bool reads = login != u"service"_s && login != u"app_owner"_s;
        const auto tables
            = m_console->root().run(u"SELECT c.relname, (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid "
                                    u"AND a.attnum = 1) FROM pg_class c "
                                    "WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relkind IN ('r', 'p')"_s);
        QVERIFY(tables.rows.size() >= 14);
        for (const QStringList &table : tables.rows) {
            const QString name = u"idemdesk."_s + table.at(0);
            QCOMPARE(who->state(u"SELECT * FROM "_s + name),
                reads && kViewerTables.contains(table.at(0)) ? QString() : u"42501"_s);
            for (const QString &sql :
                { u"INSERT INTO %1 DEFAULT VALUES"_s.arg(name), u"UPDATE %1 SET %2 = %2"_s.arg(name, table.at(1)),
                    u"DELETE FROM %1"_s.arg(name), u"TRUNCATE %1"_s.arg(name),
                    u"ALTER TABLE %1 DISABLE TRIGGER ALL"_s.arg(name),
                    u"CREATE TRIGGER x BEFORE INSERT ON %1 FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()"_s
                        .arg(name),
                    u"CREATE RULE x AS ON INSERT TO %1 DO INSTEAD NOTHING"_s.arg(name), u"DROP TABLE %1"_s.arg(name),
                    u"LOCK TABLE %1 IN ROW EXCLUSIVE MODE"_s.arg(name),
                    u"CREATE TEMP TABLE child () INHERITS (%1)"_s.arg(name) }) {
                const auto answer = who->run(u"BEGIN; "_s + sql);
                // Nothing inherits from a partitioned table, whoever asks.
                QVERIFY2(answer.state == u"42501"_s || answer.state == u"42809"_s,
                    qPrintable(login + u": "_s + sql + u": "_s + answer.value()));
                who->run(u"ROLLBACK"_s);
            }
        }
    }

    void operatorHasNoOtherPath_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("state");
        QTest::newRow("change the target") << u"UPDATE app.k SET status = 'failed'"_s << u"42501"_s;
        QTest::newRow("delete from the target") << u"DELETE FROM app.k"_s << u"42501"_s;
        QTest::newRow("lock rows of the target") << u"SELECT FROM app.k FOR UPDATE"_s << u"42501"_s;
        QTest::newRow("become the owner of the trail") << u"SET ROLE idemdesk_owner"_s << u"42501"_s;
        QTest::newRow("become the runner") << u"SET ROLE idemdesk_runner_app_owner"_s << u"42501"_s;
        QTest::newRow("pretend a login") << u"SET SESSION AUTHORIZATION op2"_s << u"42501"_s;
        QTest::newRow("switch triggers off") << u"SET session_replication_role = replica"_s << u"42501"_s;
        QTest::newRow("create a function beside the console's")
            << u"CREATE FUNCTION idemdesk.x() RETURNS int LANGUAGE sql AS 'SELECT 1'"_s << u"42501"_s;
        QTest::newRow("replace a function")
            << u"CREATE OR REPLACE FUNCTION idemdesk.audit_hash_at(p_seq bigint) RETURNS text LANGUAGE sql AS 'SELECT NULL::text'"_s
            << u"42501"_s;
        QTest::newRow("alter a function") << u"ALTER FUNCTION idemdesk.verify_audit(bigint) RESET ALL"_s << u"42501"_s;
        QTest::newRow("give a function away")
            << u"GRANT EXECUTE ON FUNCTION idemdesk.open_undo(uuid, uuid, text, text) TO PUBLIC"_s << QString();
        QTest::newRow("call the inner append")
            << u"SELECT idemdesk._append(gen_random_uuid(), 1, '{}', NULL, NULL, '{}', '{}', true, '{}')"_s
            << u"42501"_s;
        QTest::newRow("call the inner begin")
            << u"SELECT idemdesk._begin_batch(gen_random_uuid(), 1, 1)"_s << u"42501"_s;
        QTest::newRow("call the chain") << u"SELECT idemdesk._chain('open', NULL, NULL, NULL, '{}', NULL)"_s
                                        << u"42501"_s;
        QTest::newRow("call the inner registration")
            << u"SELECT idemdesk._register('x', 1, '', '{}', '', '{}', '{}', '[]', '[]')"_s << u"42501"_s;
        QTest::newRow("purge through the runner's SQL")
            << u"SELECT idemdesk._purge_sql('{}', '{}', true, false, 'x')"_s << u"42501"_s;
        QTest::newRow("run a statement as the runner")
            << u"SELECT * FROM idemdesk._run_app_owner(true, 'SELECT 1', 'pg_catalog', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) AS r (a integer)"_s
            << u"42501"_s;
        QTest::newRow("make a runner") << u"SELECT idemdesk.make_runner('op2')"_s << u"42501"_s;
        QTest::newRow("register") << u"SELECT idemdesk.register_target('x', '{}', '{}', '{}', '{}', true)"_s
                                  << u"42501"_s;
        QTest::newRow("approve") << u"SELECT idemdesk.approve_action(gen_random_uuid(), true)"_s << u"42501"_s;
    }

    void operatorHasNoOtherPath()
    {
        QFETCH(QString, sql);
        QFETCH(QString, state);
        const auto op = m_console->as(u"op"_s);
        const auto answer = op->run(sql);
        QVERIFY2(answer.state == state, qPrintable(answer.value()));
        // A GRANT that was not one's to give only warns.
        QCOMPARE(
            m_console->root().value(
                u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red' AND code <> 'superuser'"_s),
            u"0"_s);
    }

    void writersPastTheConsoleAreNamed_data()
    {
        QTest::addColumn<QString>("grant");
        QTest::addColumn<QString>("named"); // by the guard; empty: nobody
        QTest::newRow("nobody") << QString() << QString();
        QTest::newRow("a service that is no operator") << u"GRANT UPDATE ON app.k TO service"_s << QString();
        QTest::newRow("an operator who may delete") << u"GRANT DELETE ON app.k TO op"_s << u"op"_s;
        QTest::newRow("an approver who may insert") << u"GRANT INSERT ON app.k TO appr"_s << u"appr"_s;
        QTest::newRow("one column") << u"GRANT UPDATE (status) ON app.k TO op2"_s << u"op2"_s;
        QTest::newRow("a group that it may become")
            << u"CREATE ROLE writers; GRANT writers TO op; ALTER ROLE op NOINHERIT; GRANT TRUNCATE ON app.k TO writers"_s
            << u"op"_s;
        QTest::newRow("the owner's role") << u"GRANT app_owner TO op2"_s << u"op2"_s;
        QTest::newRow("a part of the table")
            << u"CREATE TABLE app.p (LIKE app.k) PARTITION BY RANGE (expires_at); CREATE TABLE app.p1 PARTITION OF "
               "app.p DEFAULT; GRANT DELETE ON app.p1 TO op; UPDATE idemdesk.target SET relation = 'app.p'::regclass"_s
            << u"op"_s;
        QTest::newRow("another table") << u"CREATE TABLE app.other (x int); GRANT DELETE ON app.other TO op"_s
                                       << QString();
    }

    /// Whoever may write to a table needs no console, and leaves nothing in its audit log.
    void writersPastTheConsoleAreNamed()
    {
        QFETCH(QString, grant);
        QFETCH(QString, named);
        m_console->cluster().psql(m_console->database(), grant);
        QCOMPARE(m_console->as(u"viewer"_s)
                     ->value(u"SELECT coalesce(string_agg(severity || ': ' || finding, '; '), '') FROM "
                             "idemdesk.guard_findings() WHERE code = 'write'"_s),
            named.isEmpty()
                ? QString()
                : u"amber: %1 may change rows of app.%2 past the console, which nobody would see in its audit log."_s
                      .arg(named, grant.contains(u"app.p1"_s) ? u"p"_s : u"k"_s));
        if (grant.contains(u"writers"_s)) {
            m_console->cluster().psql(
                m_console->database(), u"DROP OWNED BY writers; DROP ROLE writers; ALTER ROLE op INHERIT"_s);
        }
        if (grant.contains(u"app_owner"_s)) {
            m_console->cluster().psql(m_console->database(), u"REVOKE app_owner FROM op2"_s);
        }
    }

    void publicHasNothing()
    {
        Connection &root = m_console->root();
        QCOMPARE(
            root.value(
                u"SELECT count(*) FROM pg_class c, aclexplode(c.relacl) x WHERE c.relnamespace = 'idemdesk'::regnamespace AND x.grantee = 0"_s),
            u"0"_s);
        QCOMPARE(
            root.value(u"SELECT count(*) FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x "
                       "WHERE p.pronamespace = 'idemdesk'::regnamespace AND x.grantee = 0"_s),
            u"0"_s);
        QCOMPARE(
            root.value(
                u"SELECT count(*) FROM pg_namespace n, aclexplode(n.nspacl) x WHERE n.nspname = 'idemdesk' AND x.grantee = 0"_s),
            u"0"_s);
        // What acts with other rights than its caller's looks names up in no schema that others may write.
        QCOMPARE(root.value(u"SELECT coalesce(string_agg(p.proname, ','), '') FROM pg_proc p WHERE p.pronamespace = "
                            u"'idemdesk'::regnamespace AND p.prosecdef "
                            "AND NOT coalesce(p.proconfig @> ARRAY['search_path=pg_catalog, pg_temp'], false)"_s),
            QString());
        // Compiling what a person's act runs takes ten times as long as running it: the guard took 400 ms for 40.
        QCOMPARE(root.value(u"SELECT coalesce(string_agg(p.proname, ','), '') FROM pg_proc p WHERE p.pronamespace = "
                            u"'idemdesk'::regnamespace AND (p.prosrc LIKE '%idemdesk.\\_enter(%' OR p.proname = "
                            "'guard_findings') AND NOT coalesce(p.proconfig @> ARRAY['jit=off'], false)"_s),
            QString());
    }

    void theLoginItselfIsWrittenDown_data()
    {
        QTest::addColumn<QString>("prepare");
        QTest::addColumn<QString>("role");
        QTest::addColumn<QString>("application");
        QTest::newRow("plain") << u"SELECT 1"_s << u"none"_s << QString();
        QTest::newRow("application_name claims another") << u"SET application_name = 'op2'"_s << u"none"_s << u"op2"_s;
        QTest::newRow("SET ROLE to a group") << u"SET ROLE idemdesk_operator"_s << u"idemdesk_operator"_s << QString();
        QTest::newRow("a setting named like a function")
            << u"SET idemdesk.who = 'op2'; SET application_name = E'x\\n\"op2\"'"_s << u"none"_s << u"x%1\"op2\""_s;
    }

    void theLoginItselfIsWrittenDown()
    {
        QFETCH(QString, prepare);
        QFETCH(QString, role);
        QFETCH(QString, application);
        const auto op = m_console->as(u"op"_s);
        op->run(prepare);
        // How the server keeps a line feed in application_name: from PostgreSQL 16 on as its code.
        application.replace(u"%1"_s,
            op->value(u"SELECT CASE WHEN current_setting('server_version_num')::int < 160000 THEN '?' "
                      "ELSE '\\x0a' END"_s));
        QCOMPARE(
            m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(),
            u"running"_s);
        const auto row = m_console->root().run(
            u"SELECT who, role, application, pid FROM idemdesk.audit ORDER BY seq DESC LIMIT 1"_s);
        QCOMPARE(row.rows, (QList<QStringList> { { u"op"_s, role, application, QString::number(op->pid()) } }));
        QCOMPARE(m_console->root().value(u"SELECT requested_by FROM idemdesk.action"_s), u"op"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    void whoMayNotAct_data()
    {
        QTest::addColumn<QString>("login");
        QTest::addColumn<QString>("prepare");
        QTest::addColumn<QString>("undo");
        QTest::addColumn<QString>("state");
        QTest::newRow("a superuser") << u"boss"_s << u"SELECT 1"_s << QString() << u"ID003"_s;
        QTest::newRow("a superuser in an operator's clothes")
            << u"boss"_s << u"SELECT 1"_s << u"SET ROLE op"_s << u"ID003"_s;
        QTest::newRow("a member of the trail's owner")
            << u"op2"_s << u"GRANT idemdesk_owner TO op2"_s << QString() << u"ID003"_s;
        QTest::newRow("a member of the runner")
            << u"op2"_s << u"GRANT idemdesk_runner_app_owner TO op2"_s << QString() << u"ID003"_s;
        QTest::newRow("a viewer") << u"viewer"_s << u"SELECT 1"_s << QString() << u"42501"_s;
        QTest::newRow("a viewer given the function by name")
            << u"viewer"_s
            << u"GRANT EXECUTE ON FUNCTION idemdesk.open_action(uuid, text, text, text, text, jsonb, text, jsonb) TO viewer"_s
            << QString() << u"ID001"_s;
        QTest::newRow("nobody's member") << u"service"_s << u"SELECT 1"_s << QString() << u"42501"_s;
        QTest::newRow("REPEATABLE READ") << u"op"_s << u"SELECT 1"_s
                                         << u"SET default_transaction_isolation = 'repeatable read'"_s << u"ID002"_s;
        QTest::newRow("SERIALIZABLE") << u"op"_s << u"SELECT 1"_s
                                      << u"SET default_transaction_isolation = 'serializable'"_s << u"ID002"_s;
    }

    void whoMayNotAct()
    {
        QFETCH(QString, login);
        QFETCH(QString, prepare);
        QFETCH(QString, undo);
        QFETCH(QString, state);
        m_console->root().run(prepare);
        const auto who = m_console->as(login);
        if (!undo.isEmpty()) {
            QCOMPARE(who->state(undo), QString());
        }
        const auto answer
            = m_console->open(*who, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s));
        m_console->root().run(u"REVOKE idemdesk_owner FROM op2; REVOKE idemdesk_runner_app_owner FROM op2"_s);
        QVERIFY2(answer.state == state, qPrintable(answer.value()));
        QCOMPARE(m_console->root().value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(ConsoleRightsTest)
#include "tst_console_rights.moc"
