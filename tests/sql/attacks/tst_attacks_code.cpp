// SPDX-License-Identifier: GPL-3.0-or-later
// Attacks by code that a table or a profile makes the server run, and on what those may read who act or look.
#include "tests/support/console_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QString kRegistered = u"\"registered\": true"_s;
const QString kArchived = u"{\"version\":1,\"history\":{\"relation\":\"\\\"app\\\".\\\"arch\\\"\",\"columns\":[%1]},"_s;

class AttacksCodeTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

    Connection &root() { return m_console->root(); }
    QString reds(const QString &login)
    {
        return m_console->as(login)->value(
            u"SELECT coalesce(string_agg(DISTINCT code, ' '), '') FROM idemdesk.guard_findings() WHERE severity = 'red'"_s);
    }
    /// A purge that waits for approval; gives its id.
    QString requested()
    {
        m_console->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": 50}"_s);
        const QString id = ConsoleFixture::newId();
        m_console->openPurge(*m_console->as(u"op2"_s), id, 600);
        return id;
    }
    QString stateOf(const QString &id)
    {
        return root().value(u"SELECT state FROM idemdesk.action WHERE id = $1"_s, { id });
    }
    /// app.p in two parts; gives nothing away.
    void parted()
    {
        m_console->cluster().psql(m_console->database(), uR"(SET ROLE app_owner;
            CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key)) PARTITION BY LIST (tenant);
            CREATE TABLE app.p0 PARTITION OF app.p FOR VALUES IN ('t0'); CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES IN ('t1');
            INSERT INTO app.p SELECT * FROM app.k WHERE tenant IN ('t0', 't1');
            GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p0, app.p1 TO idemdesk_runner_app_owner)"_s);
    }
    /// The compiled profile with another text in the place of one of them.
    static QString withText(const QString &key, const QString &text)
    {
        QJsonObject all = QJsonDocument::fromJson(ConsoleFixture::compiled().toUtf8()).object();
        const QString first = key.section(u'.', 0, 0);
        const QString second = key.section(u'.', 1);
        if (first == u"in_state") {
            all[first] = QJsonObject { { second, text } };
        } else if (first == u"scope") {
            all[first] = QJsonArray { text };
        } else if (first == u"samples") {
            all[first] = QJsonArray { QJsonValue(QJsonArray { u"dead"_s, text }) };
        } else if (second.isEmpty()) {
            all[first] = text;
        } else {
            QJsonArray list = all[first].toArray();
            QJsonObject one = list[0].toObject();
            one[second] = second == u"set" ? QJsonValue(QJsonArray { QJsonValue(QJsonArray { u"status"_s, text }) })
                                           : QJsonValue(text);
            list[0] = one;
            all[first] = list;
        }
        return QString::fromUtf8(QJsonDocument(all).toJson(QJsonDocument::Compact));
    }
    static QString partedCompiled() { return ConsoleFixture::compiled().replace(u"\\\"k\\\""_s, u"\\\"p\\\""_s); }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void init() { m_console->fresh(); }

    /// 4: a trigger that waits for COMMIT would approve in the name of whoever recovers a key.
    void deferredTriggerIsRefused()
    {
        QVERIFY(
            root()
                .run(u"CREATE FUNCTION app.late() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE "
                     u"CONSTRAINT TRIGGER late "
                     "AFTER UPDATE ON app.k DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.late()"_s)
                .ok());
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled());
        QVERIFY2(answer.contains(u"\"registered\": false"_s) && answer.contains(u"may wait for COMMIT"_s),
            qPrintable(answer));
    }

    /// A trigger asks for the approval, of the table itself or of another one that its trigger writes to: whenever it
    /// runs and as whom, it gives none. Each row says as whom it tried, and with what answer.
    void triggerApproves_data()
    {
        QTest::addColumn<QString>("triggers");
        QTest::addColumn<QString>("session");
        QTest::addColumn<QString>("tried");
        const auto on = u"CREATE %1 AFTER %2 %3 FOR EACH ROW EXECUTE FUNCTION app.%4(); "_s;
        const QString writes = on.arg(u"TRIGGER writes"_s, u"UPDATE ON app.k"_s, QString(), u"writes"_s);
        const QString runner = u"idemdesk_runner_app_owner 42501 permission denied for schema idemdesk"_s;
        // From 18 on a trigger runs as whoever its row was queued by; before, as whoever waits for it at COMMIT.
        const QString person = root().value(u"SELECT current_setting('server_version_num')::int >= 180000"_s) == u"t"_s
            ? runner
            : u"appr ID011 idemdesk.approve_action acts only as a statement of its own."_s;
        QTest::newRow("at once") << on.arg(u"TRIGGER asks"_s, u"UPDATE ON app.k"_s, QString(), u"asks"_s)
                                 << u"SELECT 1"_s << runner;
        QTest::newRow("of another table, to be at COMMIT") << writes
                + on.arg(u"CONSTRAINT TRIGGER asks"_s, u"INSERT ON app.log"_s, u"DEFERRABLE INITIALLY DEFERRED"_s,
                    u"asks"_s) << u"SELECT 1"_s << runner;
        QTest::newRow("of another table, made to wait by the session")
            << writes + on.arg(u"CONSTRAINT TRIGGER asks"_s, u"INSERT ON app.log"_s, u"DEFERRABLE"_s, u"asks"_s)
            << u"BEGIN; SET CONSTRAINTS ALL DEFERRED"_s << runner;
        // As long as the runner runs it, it waits anew: what is made to run with the row runs, and the next one waits.
        const QString chain = writes
            + on.arg(
                u"CONSTRAINT TRIGGER asks"_s, u"INSERT ON app.log"_s, u"DEFERRABLE INITIALLY DEFERRED"_s, u"again"_s);
        QTest::newRow("at COMMIT, having waited anew each time") << chain << u"SELECT 1"_s << person;
        QTest::newRow("at the COMMIT of a transaction") << chain << u"BEGIN"_s << person;
    }
    void triggerApproves()
    {
        QFETCH(QString, triggers);
        QFETCH(QString, session);
        QFETCH(QString, tried);
        const QString id = ConsoleFixture::newId();
        const auto made = root().run(uR"(CREATE TABLE app.log (key text); CREATE TABLE app.tried (what text);
            GRANT INSERT ON app.log, app.tried TO PUBLIC;
            GRANT SELECT ON app.log TO PUBLIC;
            CREATE FUNCTION app.asks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM idemdesk.approve_action('%1', true); INSERT INTO app.tried VALUES ('approved'); RETURN NULL;
            EXCEPTION WHEN OTHERS THEN
                INSERT INTO app.tried VALUES (concat_ws(' ', current_user, SQLSTATE, SQLERRM)); RETURN NULL; END $$;
            CREATE FUNCTION app.writes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO app.log VALUES (NEW.key); RETURN NULL; END $$;
            CREATE FUNCTION app.again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF starts_with(current_user, 'idemdesk_runner') AND (SELECT count(*) FROM app.log) < 9 THEN
                    SET CONSTRAINTS ALL DEFERRED; INSERT INTO app.log VALUES (NEW.key); RETURN NULL;
                END IF;
                PERFORM idemdesk.approve_action('%1', true); INSERT INTO app.tried VALUES ('approved'); RETURN NULL;
            EXCEPTION WHEN OTHERS THEN
                INSERT INTO app.tried VALUES (concat_ws(' ', current_user, SQLSTATE, SQLERRM)); RETURN NULL; END $$;)"_s
                                         .arg(id)
            + triggers);
        QVERIFY2(made.ok(), qPrintable(made.value()));
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": 50}"_s);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        QCOMPARE(m_console->openPurge(*m_console->as(u"op2"_s), id, 600).value(), u"requested"_s);
        root().run(u"GRANT idemdesk_operator TO appr; " // the approver, who also recovers a key
                   "GRANT SELECT ON app.k TO appr; GRANT USAGE ON SCHEMA app TO appr"_s);
        const auto back = qScopeGuard([this] { root().run(u"REVOKE idemdesk_operator FROM appr"_s); });
        const auto appr = m_console->as(u"appr"_s);
        const QString recovery = ConsoleFixture::newId();
        QCOMPARE(
            m_console->open(*appr, recovery, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QVERIFY(root().run(u"TRUNCATE app.tried"_s).ok());
        QVERIFY(appr->run(session).ok());
        QCOMPARE(ConsoleFixture::counts(*appr, u"change_batch"_s, recovery, 1), u"{\"done\": 1}"_s);
        if (session.startsWith(u"BEGIN"_s)) {
            QVERIFY(appr->run(u"COMMIT"_s).ok());
        }
        QCOMPARE(root().value(u"SELECT string_agg(what, ', ') FROM app.tried"_s), tried);
        QCOMPARE(stateOf(id), u"requested"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'approve'"_s), u"0"_s);
    }

    /// A cursor WITH HOLD runs at COMMIT, as the person, and ts_stat() leaves no trace of who called: what a trigger
    /// declares ends with its row.
    void heldCursorActsForNobody_data()
    {
        QTest::addColumn<QString>("query");
        QTest::newRow("another action")
            << u"SELECT count(*) FROM ts_stat('SELECT to_tsvector(''x'' || x.b::text) FROM (SELECT "
               "idemdesk.change_batch((SELECT id FROM app.plan), 1, 100) AS b OFFSET 0) x')"_s;
        QTest::newRow("what the person may") << u"SELECT app.late()"_s;
    }
    void heldCursorActsForNobody()
    {
        QFETCH(QString, query);
        const QString quoted = QString(query).replace(u"'"_s, u"''"_s);
        QVERIFY(root()
                    .run(u"CREATE TABLE app.plan (id uuid); GRANT SELECT ON app.plan TO PUBLIC; CREATE TABLE app.own "
                         u"(x int); "
                         "INSERT INTO app.own VALUES (1); GRANT SELECT, DELETE ON app.own TO op; CREATE FUNCTION "
                         "app.late() RETURNS int LANGUAGE sql AS "
                         "'DELETE FROM app.own RETURNING x'; CREATE FUNCTION app.holds() RETURNS trigger LANGUAGE "
                         "plpgsql AS $$ BEGIN IF OLD.key = 'k001' THEN "
                         "EXECUTE 'DECLARE c CURSOR WITH HOLD FOR %1'; END IF; RETURN NEW; END $$; "
                         "CREATE TRIGGER holds BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.holds()"_s.arg(
                             quoted))
                    .ok());
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled());
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString other = ConsoleFixture::newId();
        QCOMPARE(m_console
                     ->open(*m_console->as(u"op2"_s), other, u"recover"_s,
                         m_console->frozen(u"key BETWEEN 'k010' AND 'k040'"_s))
                     .value(),
            u"running"_s);
        QVERIFY(root().run(u"INSERT INTO app.plan VALUES ($1)"_s, { other }).ok());
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        // The person's own query does run: but for the cursor's end, it would do what it says.
        const auto own = op->run(u"BEGIN; "_s + query);
        QCOMPARE(own.state, query.contains(u"app.late"_s) ? QString() : u"ID011"_s);
        QVERIFY(op->run(u"ROLLBACK"_s).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"refused\": 1}"_s);
        const QString said = op->value(u"SELECT detail FROM idemdesk.items($1)"_s, { id });
        QVERIFY2(said.contains(u"set the open cursors to something else"_s), qPrintable(said)); // there was one
        QCOMPARE(root().value(
                     u"SELECT count(*) FROM app.k WHERE status <> 'processing' AND key BETWEEN 'k010' AND 'k040'"_s),
            u"0"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.own"_s), u"1"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.action_batch WHERE action = $1"_s, { other }), u"0"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM pg_cursors WHERE is_holdable"_s), u"0"_s);
    }

    /// What finds the rows of a purge leaves no cursor behind: it would run at COMMIT, while the person's statement is
    /// a purge, and act on another one.
    void heldCursorOfPlaces_data()
    {
        QTest::addColumn<QString>("query");
        QTest::newRow("another purge") << u"SELECT count(*) FROM ts_stat('SELECT to_tsvector(''x'' || x.b::text) FROM "
                                          "(SELECT idemdesk.purge_batch((SELECT id FROM app.plan), 1, 100) AS b "
                                          "OFFSET 0) x')"_s;
        QTest::newRow("what the person may") << u"SELECT app.late()"_s;
    }
    void heldCursorOfPlaces()
    {
        QFETCH(QString, query);
        const QString other = ConsoleFixture::newId();
        QVERIFY(root()
                    .run(uR"(CREATE TABLE app.plan (id uuid); GRANT SELECT ON app.plan TO PUBLIC;
            CREATE TABLE app.own (x int); INSERT INTO app.own VALUES (1); GRANT SELECT, DELETE ON app.own TO op;
            CREATE FUNCTION app.late() RETURNS int LANGUAGE sql AS 'DELETE FROM app.own RETURNING x';
            CREATE FUNCTION app.declares() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
                IF EXISTS (SELECT FROM app.plan) AND NOT EXISTS (SELECT FROM pg_cursors WHERE name = 'c') THEN
                    EXECUTE 'DECLARE c CURSOR WITH HOLD FOR %1';
                END IF;
            END $$;
            CREATE FUNCTION app.holds(text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$ BEGIN
                PERFORM app.declares(); RETURN true; END $$;
            ALTER FUNCTION app.holds(text) OWNER TO app_owner)"_s.arg(query.replace(u"'"_s, u"''"_s)))
                    .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"(t.expires_at < ($1))"_s, u"(t.expires_at < ($1) AND app.holds(t.key))"_s);
        for (const QString &name : { u"k"_s, u"k2"_s }) {
            const QString answer = m_console->registerTarget(compiled, u"{}"_s, ConsoleFixture::profile(), name);
            QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        }
        const auto op = m_console->as(u"op"_s);
        const auto opened = m_console->as(u"op2"_s)->run(
            u"SELECT idemdesk.open_action($1, 'k2', 'purge', 'because', NULL, $2, $3, '[]')"_s,
            { other,
                u"{\"cutoff\":\"now\",\"states\":[\"succeeded\"],\"scopes\":null,\"images\":true,"
                "\"expected\":9}"_s,
                ConsoleFixture::profileSha() });
        QVERIFY2(opened.ok(), qPrintable(opened.value()));
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QVERIFY(root().run(u"INSERT INTO app.plan VALUES ($1)"_s, { other }).ok());
        op->run(u"SELECT idemdesk.purge_batch($1, 1, 100)"_s, { id });
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k"_s), u"650"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.own"_s), u"1"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.action_batch WHERE action = $1"_s, { other }), u"0"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM pg_cursors WHERE is_holdable"_s), u"0"_s);
    }

    /// A statement that a row's code prepares stays in the session, whatever is rolled back: it is forgotten, with the
    /// row.
    void preparedStatementsAreForgotten_data()
    {
        QTest::addColumn<QString>("code");
        QTest::newRow("one more") << u"EXECUTE 'PREPARE later AS SELECT 1'"_s;
        QTest::newRow("the person's own gone") << u"DEALLOCATE ALL"_s;
        QTest::newRow("a cursor of this transaction") << u"EXECUTE 'DECLARE later CURSOR FOR SELECT 1'"_s;
    }
    void preparedStatementsAreForgotten()
    {
        QFETCH(QString, code);
        QVERIFY(root()
                    .run(u"CREATE FUNCTION app.leaves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                         "IF NEW.key = 'k040' THEN %1; END IF; RETURN NEW; END $$; CREATE TRIGGER leaves BEFORE "
                         "UPDATE "
                         "ON app.k FOR EACH ROW EXECUTE FUNCTION app.leaves()"_s.arg(code))
                    .ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->run(u"PREPARE mine AS SELECT 1"_s).ok());
        const QString id = ConsoleFixture::newId();
        const QString rows = m_console->frozen(u"key BETWEEN 'k038' AND 'k042'"_s);
        QCOMPARE(m_console->open(*op, id, u"recover"_s, rows).value(), u"running"_s);
        QVERIFY(op->run(u"BEGIN"_s).ok());
        const auto batch = op->run(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
        QCOMPARE(op->value(u"SELECT count(*) FROM pg_cursors WHERE name = 'later'"_s), u"0"_s);
        op->run(u"COMMIT"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM pg_prepared_statements WHERE name = 'later'"_s), u"0"_s);
        QCOMPARE(root().value(u"SELECT status FROM app.k WHERE key = 'k040'"_s), u"processing"_s);
        QVERIFY2(batch.ok(), qPrintable(batch.value()));
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"4"_s);
    }

    /// Who writes to what an effect is read from is looked for also where a function reads it.
    void writersBehindAFunction_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("effect");
        const QString reads = u"CREATE FUNCTION app.find(text, text) RETURNS text LANGUAGE %1 STABLE AS $$ %2 $$"_s;
        const QString plain = u"BEGIN RETURN (SELECT f.id FROM app.eff f WHERE f.tenant = $1 AND f.key = $2); END"_s;
        QTest::newRow("in PL/pgSQL") << reads.arg(
            u"plpgsql"_s, plain) << u"SELECT x.id FROM app.find(t.tenant, t.key) AS x (id) WHERE x.id IS NOT NULL"_s;
        QTest::newRow("in SQL that is not inlined")
            << reads.arg(
                   u"sql SET work_mem = '5MB'"_s, u"SELECT f.id FROM app.eff f WHERE f.tenant = $1 AND f.key = $2"_s)
            << u"SELECT x.id FROM app.find(t.tenant, t.key) AS x (id) WHERE x.id IS NOT NULL"_s;
        QTest::newRow("in its text")
            << reads.arg(u"plpgsql"_s,
                   u"DECLARE found text; BEGIN EXECUTE 'SELECT id FROM app.eff WHERE tenant = $1 AND key = $2' INTO "
                   u"found "
                   "USING $1, $2; RETURN found; END"_s)
            << u"SELECT x.id FROM app.find(t.tenant, t.key) AS x (id) WHERE x.id IS NOT NULL"_s;
        QTest::newRow("behind another function")
            << reads.arg(u"plpgsql"_s, plain)
                + u"; CREATE FUNCTION app.outer_find(text, text) RETURNS text LANGUAGE "
                  "plpgsql STABLE AS $$ BEGIN RETURN app.find($1, $2); END $$"_s
            << u"SELECT x.id FROM app.outer_find(t.tenant, t.key) AS x (id) WHERE x.id IS NOT NULL"_s;
        QTest::newRow("through a view")
            << u"CREATE VIEW app.v AS SELECT * FROM app.eff; GRANT SELECT ON app.v TO idemdesk_runner_app_owner; "_s
                + reads.arg(u"plpgsql"_s, QString(plain).replace(u"app.eff"_s, u"app.v"_s))
            << u"SELECT x.id FROM app.find(t.tenant, t.key) AS x (id) WHERE x.id IS NOT NULL"_s;
        const QString outer
            = u"; CREATE FUNCTION app.outer_find(text, text) RETURNS text LANGUAGE plpgsql STABLE AS $$ "
              "BEGIN RETURN %1; END $$"_s;
        QTest::newRow("behind a parsed body that calls another")
            << reads.arg(u"plpgsql"_s, plain)
                + u"; CREATE FUNCTION app.atom(text, text) RETURNS text STABLE RETURN app.find($1, $2)"_s
                + outer.arg(u"app.atom($1, $2)"_s)
            << u"SELECT x.id FROM app.outer_find(t.tenant, t.key) AS x (id) WHERE x.id IS NOT NULL"_s;
        QTest::newRow("in a view that a function names, and that calls another")
            << reads.arg(u"plpgsql"_s, plain)
                + u"; CREATE VIEW app.v AS SELECT k.tenant, k.key, app.find(k.tenant, k.key) AS id FROM app.k; GRANT "
                  "SELECT ON app.v TO idemdesk_runner_app_owner"_s
                + outer.arg(u"(SELECT v.id FROM app.v v WHERE v.tenant = $1 AND v.key = $2)"_s)
            << u"SELECT x.id FROM app.outer_find(t.tenant, t.key) AS x (id) WHERE x.id IS NOT NULL"_s;
        QTest::newRow("in a view that calls it")
            << reads.arg(u"plpgsql"_s, plain)
                + u"; CREATE VIEW app.v AS SELECT k.tenant, k.key, app.find(k.tenant, "
                  "k.key) "
                  "AS id FROM app.k; GRANT SELECT ON app.v TO idemdesk_runner_app_owner"_s
            << u"SELECT v.id FROM app.v v WHERE v.tenant = t.tenant AND v.key = t.key"_s;
    }
    void writersBehindAFunction()
    {
        QFETCH(QString, made);
        QFETCH(QString, effect);
        const auto done = root().run(u"SET ROLE app_owner; "_s + made + u"; RESET ROLE"_s);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"SELECT f.id FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s, effect);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto writer = m_console->as(u"app_owner"_s);
        QVERIFY(writer->run(u"BEGIN; INSERT INTO app.eff VALUES ('1', 't1', 'k001')"_s).ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        const QString rows = m_console->frozen(u"key = 'k001'"_s).replace(u"\"e\": null"_s, u"\"e\": \"\""_s);
        QCOMPARE(m_console->open(*op, id, u"recover"_s, rows).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"evidence\": 1}"_s);
        QVERIFY(writer->run(u"COMMIT"_s).ok());
        QCOMPARE(root().value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
    }

    /// What an extension brought along is told: whoever updates that changes what runs here.
    void extensionsAreTold()
    {
        QVERIFY(root()
                    .run(u"CREATE FUNCTION app.f(text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true'; "
                         "ALTER EXTENSION plpgsql ADD FUNCTION app.f(text)"_s)
                    .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"(t.expires_at < ($1))"_s, u"(t.expires_at < ($1) AND app.f(t.key))"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered) && answer.contains(u"of the extension plpgsql"_s), qPrintable(answer));
        const QString amber = u"SELECT count(*) FROM idemdesk.guard_findings() WHERE code = 'extension' AND severity "
                              "= 'amber'"_s;
        QCOMPARE(m_console->as(u"op"_s)->value(amber), u"1"_s);
        QCOMPARE(reds(u"op"_s), QString());
    }

    /// 4, 9: an entry function is the client's own statement, or refuses.
    void notTheClientsOwnStatement_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::newRow("in a block") << u"DO $$ BEGIN PERFORM idemdesk.approve_action('%1', true); END $$"_s;
        QTest::newRow("in a view") << u"SELECT * FROM app.v"_s;
        QTest::newRow("by an inlined function") << u"SELECT app.inlined()"_s;
        QTest::newRow("beside another") << u"SELECT idemdesk.approve_action('%1', true), 1"_s;
        QTest::newRow("with another behind it") << u"SELECT idemdesk.approve_action('%1', true); SELECT 1"_s;
        QTest::newRow("in a subquery") << u"SELECT (SELECT idemdesk.approve_action('%1', true))"_s;
        QTest::newRow("with its answer taken apart") << u"SELECT (idemdesk.approve_action('%1', true)) ->> app.key()"_s;
        QTest::newRow("by an operator over itself")
            << u"SELECT app.passes('x') || (idemdesk.approve_action('%1', true))::text"_s;
        QTest::newRow("by a default")
            << u"CREATE TEMP TABLE d (a jsonb DEFAULT idemdesk.approve_action('%1', true), b int); INSERT INTO d (b) VALUES (1)"_s;
        QTest::newRow("through a cursor")
            << u"BEGIN; DECLARE c CURSOR FOR SELECT idemdesk.approve_action('%1', true); FETCH c"_s;
        QTest::newRow("through COPY") << u"COPY (SELECT idemdesk.approve_action('%1', true)) TO STDOUT"_s;
        QTest::newRow("prepared in SQL") << u"PREPARE p AS SELECT idemdesk.approve_action('%1', true); EXECUTE p"_s;
        QTest::newRow("in a check")
            << u"CREATE TEMP TABLE d (a int CHECK (idemdesk.approve_action('%1', true) IS NOT NULL)); INSERT INTO d VALUES (1)"_s;
    }
    void notTheClientsOwnStatement()
    {
        QFETCH(QString, sql);
        const QString id = requested();
        QVERIFY(
            root()
                .run(
                    u"CREATE VIEW app.v AS SELECT idemdesk.approve_action('%1', true); "
                    "CREATE FUNCTION app.inlined() RETURNS jsonb LANGUAGE sql AS $$ SELECT "
                    "idemdesk.approve_action('%1', true) $$; "
                    "CREATE FUNCTION app.key() RETURNS text LANGUAGE sql AS $$ SELECT (idemdesk.approve_action('%1', "
                    "true))::text $$; "
                    "CREATE FUNCTION app.passes(text) RETURNS text LANGUAGE sql AS $$ SELECT $1 $$; "
                    "GRANT USAGE ON SCHEMA app TO appr; GRANT SELECT ON app.v TO appr; ALTER VIEW app.v OWNER TO appr"_s
                        .arg(id))
                .ok());
        const auto appr = m_console->as(u"appr"_s);
        const auto answer = appr->run(sql.contains(u"%1"_s) ? sql.arg(id) : sql);
        appr->run(u"COMMIT"_s);
        QVERIFY2(!answer.ok() || sql.contains(u"COPY"_s), qPrintable(answer.value()));
        QCOMPARE(stateOf(id), u"requested"_s);
        QCOMPARE(
            m_console->as(u"appr"_s)->value(u"SELECT b ->> 'state' FROM idemdesk.approve_action($1, true) b"_s, { id }),
            u"running"_s);
    }

    /// 7: what a table makes the server run cannot alter the console; who alters it turns the guard red.
    void functionMadeStrict()
    {
        QVERIFY(root()
                    .run(uR"(CREATE TABLE app.log (what text); GRANT ALL ON app.log TO PUBLIC;
            CREATE FUNCTION app.alters() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN BEGIN
                ALTER FUNCTION idemdesk._evidence STRICT; INSERT INTO app.log VALUES ('did it');
            EXCEPTION WHEN OTHERS THEN INSERT INTO app.log VALUES (SQLSTATE); END; RETURN NEW; END $$;
            CREATE TRIGGER alters BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.alters())"_s)
                    .ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        QCOMPARE(root().value(u"SELECT string_agg(DISTINCT what, ' ') FROM app.log"_s), u"42501"_s);
        QCOMPARE(reds(u"op"_s), QString());
        QVERIFY(root().run(u"ALTER FUNCTION idemdesk._evidence STRICT"_s).ok());
        QCOMPARE(reds(u"op"_s), u"function"_s);
    }

    /// 8: code of one owner's table reaches no table of another owner.
    void tablesOfAnotherOwner()
    {
        m_console->cluster().psql(m_console->database(), uR"(
            DO $$ BEGIN IF to_regrole('other_owner') IS NULL THEN CREATE ROLE other_owner LOGIN; END IF; END $$;
            CREATE SCHEMA other AUTHORIZATION other_owner;
            SELECT idemdesk.make_runner('other_owner');
            SET ROLE other_owner;
            CREATE TABLE other.k AS SELECT * FROM (VALUES ('a', 'b')) v (tenant, key);
            GRANT USAGE ON SCHEMA other TO idemdesk_runner_other_owner; GRANT ALL ON other.k TO idemdesk_runner_other_owner;
            RESET ROLE;
            CREATE TABLE app.log (what text); GRANT ALL ON app.log TO PUBLIC;
            CREATE FUNCTION app.reaches() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN BEGIN
                DELETE FROM other.k; INSERT INTO app.log VALUES ('did it');
            EXCEPTION WHEN OTHERS THEN INSERT INTO app.log VALUES (SQLSTATE); END; RETURN NEW; END $$;
            CREATE TRIGGER reaches BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.reaches())"_s);
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        QCOMPARE(root().value(u"SELECT string_agg(DISTINCT what, ' ') FROM app.log"_s), u"42501"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM other.k"_s), u"1"_s);
    }

    /// What a runner is made a member of, or made to own, turns the guard red.
    void runnerWithMore_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("back");
        QTest::addColumn<QString>("code");
        QTest::newRow("a member of another role") << u"GRANT service TO idemdesk_runner_app_owner"_s
                                                  << u"REVOKE service FROM idemdesk_runner_app_owner"_s << u"member"_s;
        QTest::newRow("an owner of a table")
            << u"ALTER TABLE app.eff OWNER TO idemdesk_runner_app_owner"_s << QString() << u"owner"_s;
        QTest::newRow("with a login") << u"ALTER ROLE idemdesk_runner_app_owner LOGIN"_s
                                      << u"ALTER ROLE idemdesk_runner_app_owner NOLOGIN"_s << u"role"_s;
        QTest::newRow("in the console's schema")
            << u"GRANT USAGE ON SCHEMA idemdesk TO idemdesk_runner_app_owner"_s << QString() << u"grant"_s;
        QTest::newRow("with a member") << u"GRANT idemdesk_runner_app_owner TO service"_s
                                       << u"REVOKE idemdesk_runner_app_owner FROM service"_s << u"member"_s;
    }
    void runnerWithMore()
    {
        QFETCH(QString, sql);
        QFETCH(QString, back);
        QFETCH(QString, code);
        QVERIFY(root().run(sql).ok());
        const QString seen = reds(u"op"_s);
        root().run(back);
        QCOMPARE(seen, code);
    }

    /// 10, 19: what the catalogue cannot vouch for is not run before it is consented to, and volatile code never.
    void expressionsAreJudged_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("expression"); ///< of a purge rule
        QTest::newRow("volatile")
            << u"CREATE FUNCTION app.f(text) RETURNS text LANGUAGE sql AS $$ DELETE FROM app.eff; SELECT $1 $$"_s
            << u"app.f(t.key) IS NOT NULL"_s;
        QTest::newRow("volatile, built in") << u"SELECT 1"_s << u"pg_catalog.random() >= 0"_s;
        QTest::newRow("in a domain's check")
            << u"CREATE FUNCTION app.f(text) RETURNS boolean LANGUAGE sql AS $$ DELETE FROM app.eff; SELECT true $$; "
               "CREATE DOMAIN app.d AS text CHECK (app.f(VALUE))"_s
            << u"(t.key)::app.d IS NOT NULL"_s;
        QTest::newRow("behind an operator")
            << u"CREATE FUNCTION app.f(text, text) RETURNS boolean LANGUAGE sql AS $$ DELETE FROM app.eff; SELECT true "
               u"$$; "
               "CREATE OPERATOR app.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = app.f)"_s
            << u"t.key OPERATOR(app.===) 'x'"_s;
        QTest::newRow("behind a cast") << u"CREATE TYPE app.y AS (a text); CREATE FUNCTION app.f(text) RETURNS app.y "
                                          u"LANGUAGE sql AS $$ DELETE FROM app.eff; SELECT ROW($1)::app.y $$; "
                                          "CREATE CAST (text AS app.y) WITH FUNCTION app.f(text)"_s
                                       << u"(t.key)::app.y IS NOT NULL"_s;
        QTest::newRow("somebody else's")
            << u"SET ROLE service; CREATE FUNCTION pg_temp.x() RETURNS int LANGUAGE sql AS 'SELECT 1'; RESET ROLE; "
               "CREATE FUNCTION app.f(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1'; ALTER FUNCTION app.f(text) OWNER TO service"_s
            << u"app.f(t.key) IS NOT NULL"_s;
        // Each is the service's own, and deletes wherever it may.
        const QString deletes
            = u"AS $$ BEGIN BEGIN DELETE FROM app.eff; EXCEPTION WHEN read_only_sql_transaction THEN NULL; END; RETURN "_s;
        const QString checked = u"CREATE FUNCTION app.g(text) RETURNS boolean LANGUAGE plpgsql "_s + deletes
            + u"true; END $$; ALTER FUNCTION app.g(text) OWNER TO service; CREATE DOMAIN app.d AS text CHECK (app.g(VALUE)); "_s;
        const QString called = u"CREATE FUNCTION app.f(text) RETURNS text LANGUAGE plpgsql "_s + deletes
            + u"$1; END $$; ALTER FUNCTION app.f(text) OWNER TO service; "_s;
        QTest::newRow("an array of a domain") << checked << u"((ARRAY[t.key])::app.d[]) IS NOT NULL"_s;
        QTest::newRow("a composite that holds a domain")
            << checked + u"CREATE TYPE app.comp AS (a app.d)"_s
            << u"(pg_catalog.jsonb_populate_record(NULL::app.comp, pg_catalog.jsonb_build_object('a', t.key))) IS NOT NULL"_s;
        QTest::newRow("an array of such composites")
            << checked + u"CREATE TYPE app.comp AS (a app.d)"_s
            << u"(SELECT r.x[1] IS NOT NULL FROM pg_catalog.jsonb_to_record(pg_catalog.jsonb_build_object('x', pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('a', 1)))) AS r (x app.comp[]))"_s;
        QTest::newRow("a range over a domain")
            << u"CREATE FUNCTION app.g(int) RETURNS boolean LANGUAGE plpgsql "_s + deletes
                + u"true; END $$; ALTER FUNCTION app.g(int) OWNER TO service; CREATE DOMAIN app.d AS int CHECK "
                  u"(app.g(VALUE)); "
                  "CREATE TYPE app.r AS RANGE (SUBTYPE = app.d)"_s
            << u"('[1,' || t.attempts + 1 || ']')::app.r IS NOT NULL"_s;
        QTest::newRow("in an aggregate") << u"CREATE FUNCTION app.acc(int, text) RETURNS int LANGUAGE plpgsql "_s
                + deletes
                + u"1; END $$; ALTER FUNCTION app.acc(int, text) OWNER TO service; CREATE AGGREGATE app.agg(text) (SFUNC = app.acc, STYPE = int)"_s
                                         << u"(SELECT app.agg(x.v) FROM (VALUES (t.key)) AS x (v)) IS NOT NULL"_s;
        QTest::newRow("at the end of an aggregate")
            << u"CREATE FUNCTION app.fin(text) RETURNS text LANGUAGE plpgsql "_s + deletes
                + u"$1; END $$; ALTER FUNCTION app.fin(text) OWNER TO service; CREATE AGGREGATE app.agg(text) (SFUNC = pg_catalog.textcat, STYPE = text, FINALFUNC = app.fin)"_s
            << u"(SELECT app.agg(x.v) FROM (VALUES (t.key)) AS x (v)) IS NULL"_s;
        QTest::newRow("in a view") << called
                + u"CREATE VIEW app.v AS SELECT app.f('x') AS a; GRANT SELECT ON app.v TO PUBLIC"_s
                                   << u"(SELECT v.a FROM app.v v) IS NOT NULL"_s;
        QTest::newRow("in a view of a view") << called
                + u"CREATE VIEW app.w AS SELECT app.f('x') AS a; CREATE VIEW app.v AS SELECT w.a FROM app.w; GRANT SELECT ON app.v, app.w TO PUBLIC"_s
                                             << u"(SELECT v.a FROM app.v v) IS NOT NULL"_s;
        QTest::newRow("in a policy of another table") << called
                + u"CREATE TABLE app.o (a int); INSERT INTO app.o VALUES (1); ALTER TABLE app.o ENABLE ROW LEVEL "
                  u"SECURITY, OWNER TO service; "
                  "CREATE POLICY p ON app.o USING (app.f('x') IS NOT NULL); GRANT SELECT ON app.o TO PUBLIC"_s
                                                      << u"(SELECT o.a FROM app.o o) IS NOT NULL"_s;
        // Built-in functions through which a value names the code: a domain, a table, a query.
        for (const char *text : { "pg_catalog.domain_in('x'::pg_catalog.cstring, t.tableoid, -1)",
                 "pg_catalog.array_in('{}'::pg_catalog.cstring, t.tableoid, -1)",
                 "pg_catalog.record_in('()'::pg_catalog.cstring, t.tableoid, -1)",
                 "pg_catalog.range_in('[]'::pg_catalog.cstring, t.tableoid, -1)",
                 "pg_catalog.regtypein('text'::pg_catalog.cstring)", "pg_catalog.to_regclass('app.' || t.key)",
                 "('app.' || t.key)::pg_catalog.regclass",
                 "pg_catalog.table_to_xml('app.eff'::pg_catalog.regclass, true, false, '')",
                 "pg_catalog.table_to_xmlschema('app.eff'::pg_catalog.regclass, true, false, '')",
                 "pg_catalog.table_to_xml_and_xmlschema('app.eff'::pg_catalog.regclass, true, false, '')",
                 "pg_catalog.query_to_xml('SELECT ' || t.key, true, false, '')",
                 "pg_catalog.query_to_xml_and_xmlschema('SELECT ' || t.key, true, false, '')",
                 "pg_catalog.cursor_to_xml(t.key::pg_catalog.refcursor, 1, true, false, '')",
                 "pg_catalog.schema_to_xml('app', true, false, '')", "pg_catalog.database_to_xml(true, false, '')",
                 "pg_catalog.satisfies_hash_partition(t.tableoid, 1, 0, 1)" }) {
            QTest::newRow(text) << u"SELECT 1"_s << QString::fromUtf8(text) + u" IS NOT NULL"_s;
        }
        QTest::newRow("behind a parameter") << called << u"CASE WHEN ($6) IS NULL THEN app.f(t.key) END IS NULL"_s;
    }
    void expressionsAreJudged()
    {
        QFETCH(QString, made);
        QFETCH(QString, expression);
        const auto done = root().run(made);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        root().run(
            u"INSERT INTO app.eff VALUES ('1', 't', 'k'); GRANT DELETE ON app.eff TO idemdesk_runner_app_owner"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"(t.expires_at < ($1))"_s, u"(t.expires_at < ($1) AND "_s + expression + u')');
        for (const bool store : { false, true }) {
            const QString answer
                = m_console->registerTarget(compiled, u"{}"_s, ConsoleFixture::profile(), u"k"_s, store);
            QVERIFY2(answer.contains(u"\"registered\": false"_s), qPrintable(answer));
            QVERIFY2(!store || answer.contains(u"An expression of the profile calls"_s), qPrintable(answer));
            QCOMPARE(root().value(u"SELECT count(*) FROM app.eff"_s), u"1"_s);
        }
    }

    /// 5, 17: what was consented to is what runs: a function that the profile or the table reaches cannot be exchanged
    /// unseen.
    void whatIsReachedIsExchanged_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("expression"); ///< of a purge rule
        QTest::addColumn<QString>("exchange");
        QTest::addColumn<QString>("named");
        const QString function
            = u"CREATE FUNCTION app.f(text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true'"_s;
        const QString other
            = u"CREATE OR REPLACE FUNCTION app.f(text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT NULL::boolean'"_s;
        QTest::newRow("its body") << function << u"app.f(t.key)"_s << other << u"the function app.f is another"_s;
        QTest::newRow("its owner") << function << u"app.f(t.key)"_s << u"ALTER FUNCTION app.f(text) OWNER TO service"_s
                                   << u"the function app.f is another"_s;
        QTest::newRow("a setting of it") << function << u"app.f(t.key)"_s
                                         << u"ALTER FUNCTION app.f(text) SET datestyle = 'SQL'"_s
                                         << u"the function app.f is another"_s;
        QTest::newRow("dropped and made again")
            << function << u"app.f(t.key)"_s << u"DROP FUNCTION app.f(text); "_s + other
            << u"the function app.f is another"_s;
        QTest::newRow("another that fits better")
            << u"CREATE FUNCTION app.f(text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true'"_s
            << u"app.f(t.tenant::varchar)"_s
            << u"CREATE FUNCTION app.f(varchar) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT NULL::boolean'"_s
            << u"the function app.f is another"_s;
        QTest::newRow("one that shadows a built-in one")
            << u"SELECT 1"_s << u"lower(t.tenant::varchar) IS NOT NULL"_s
            << u"CREATE FUNCTION app.lower(varchar) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT NULL::text'"_s
            << u"the function lower is another"_s;
        QTest::newRow("an operator that shadows a built-in one")
            << u"SELECT 1"_s << u"t.tenant::varchar < 'zzz'::varchar"_s
            << u"CREATE FUNCTION app.less(varchar, varchar) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT "
               u"NULL::boolean'; "
               "CREATE OPERATOR app.< (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = app.less)"_s
            << u"the operator < is another"_s;
        QTest::newRow("behind an operator")
            << function
                + u"; CREATE FUNCTION app.g(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true'; "
                  "CREATE OPERATOR app.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = app.g)"_s
            << u"t.key OPERATOR(app.===) 'x'"_s
            << u"CREATE OR REPLACE FUNCTION app.g(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT false'"_s
            << u"the function app.g is another"_s;
        QTest::newRow("in a domain's check")
            << function + u"; CREATE DOMAIN app.d AS text CHECK (app.f(VALUE))"_s << u"(t.key)::app.d IS NOT NULL"_s
            << other << u"the function app.f is another"_s;
        QTest::newRow("the domain's check itself")
            << u"CREATE DOMAIN app.d AS text"_s << u"(t.key)::app.d IS NOT NULL"_s
            << u"ALTER DOMAIN app.d ADD CHECK (VALUE <> 'd0001')"_s << u"the type app.d is another"_s;
        QTest::newRow("what it calls in turn")
            << function
                + u"; CREATE FUNCTION app.outer_f(text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE "
                  "AS $$ BEGIN RETURN app.F($1); END $$"_s
            << u"app.outer_f(t.key)"_s << other << u"the function app.f is another"_s;
        QTest::newRow("what its SQL body calls") << function
                + u"; CREATE FUNCTION app.outer_f(text) RETURNS boolean LANGUAGE sql IMMUTABLE "
                  "RETURN app.f($1)"_s << u"app.outer_f(t.key)"_s
                                                 << other << u"the function app.f is another"_s;
        QTest::newRow("of a column's default")
            << u"CREATE FUNCTION app.f() RETURNS int LANGUAGE sql AS 'SELECT 1'; "
               "ALTER TABLE app.k ADD extra int DEFAULT app.f()"_s
            << u"true"_s << u"CREATE OR REPLACE FUNCTION app.f() RETURNS int LANGUAGE sql AS 'SELECT 2'"_s
            << u"the function app.f is another"_s;
        QTest::newRow("of a check of the table") << function + u"; ALTER TABLE app.k ADD CHECK (app.f(key))"_s
                                                 << u"true"_s << other << u"the function app.f is another"_s;
        QTest::newRow("what a trigger's function calls") << function
                + u"; CREATE FUNCTION app.fires() RETURNS trigger LANGUAGE plpgsql AS "
                  "$$ BEGIN PERFORM app.f(OLD.key); RETURN OLD; END $$; "
                  "CREATE TRIGGER fires BEFORE DELETE ON app.k FOR EACH ROW EXECUTE FUNCTION app.fires()"_s
                                                         << u"true"_s << other << u"the function app.f is another"_s;
        // Whoever owns a type owns neither the table nor anything that a profile names.
        const QString strangers
            = u"RESET ROLE; CREATE SCHEMA ty AUTHORIZATION service; GRANT USAGE ON SCHEMA ty TO PUBLIC; SET ROLE "
              "service; CREATE TYPE ty.region AS ENUM ('a', 'b'); RESET ROLE; ALTER TABLE app.%1 ADD region ty.region"_s;
        const QString cast = u"RESET ROLE; SET ROLE service; CREATE FUNCTION ty.said(ty.region) RETURNS text LANGUAGE "
                             u"sql IMMUTABLE AS "
                             "'SELECT NULL::text'; CREATE CAST (ty.region AS text) WITH FUNCTION ty.said(ty.region)"_s;
        QTest::newRow("a cast of what is read, brought later")
            << strangers.arg(u"k"_s) << u"(t.region)::pg_catalog.text IS NULL"_s << cast
            << u"the type ty.region of its columns is another"_s;
        QTest::newRow("the labels of a state, exchanged") << strangers.arg(u"k"_s) << u"t.region IS DISTINCT FROM 'a'"_s
                                                          << u"RESET ROLE; SET ROLE service; ALTER TYPE ty.region "
                                                             u"RENAME VALUE 'a' TO 'c'; ALTER TYPE ty.region RENAME "
                                                             u"VALUE 'b' TO 'a'"_s
                                                          << u"the type ty.region of its columns is another"_s;
        QTest::newRow("a cast where effects are looked for")
            << strangers.arg(u"eff"_s) << u"true"_s << cast << u"the type ty.region of app.eff is another"_s;
        QTest::newRow("the effects' table made anew")
            << u"SELECT 1"_s << u"true"_s
            << u"ALTER TABLE app.eff RENAME TO eff_2025; CREATE TABLE app.eff (LIKE app.eff_2025 INCLUDING ALL); GRANT "
               u"SELECT ON app.eff TO idemdesk_runner_app_owner"_s
            << u"the table or view app.eff is another"_s;
        QTest::newRow("their column exchanged")
            << u"SELECT 1"_s << u"true"_s
            << u"ALTER TABLE app.eff RENAME key TO key_2025; ALTER TABLE app.eff ADD key text"_s
            << u"the column app.eff.key that is read is another"_s;
    }
    void whatIsReachedIsExchanged()
    {
        QFETCH(QString, made);
        QFETCH(QString, expression);
        QFETCH(QString, exchange);
        QFETCH(QString, named);
        const auto done = root().run(u"SET ROLE app_owner; "_s + made + u"; RESET ROLE"_s);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"(t.expires_at < ($1))"_s, u"(t.expires_at < ($1) AND "_s + expression + u')');
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        const qsizetype took = ConsoleFixture::counts(*op, u"purge_batch"_s, id, 1, 10).size();
        QVERIFY(took > 2);
        const QString left = root().value(u"SELECT count(*) FROM app.k"_s);
        const auto exchanged = root().run(u"SET ROLE app_owner; SET search_path = pg_catalog; "_s
            + (exchange.contains(u"OWNER TO"_s) ? u"RESET ROLE; "_s : QString()) + exchange
            + u"; RESET ROLE; RESET search_path"_s);
        QVERIFY2(exchanged.ok(), qPrintable(exchanged.value()));
        const auto batch = op->run(u"SELECT idemdesk.purge_batch($1, 2, 10)"_s, { id });
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k"_s), left);
        const QString note
            = root().value(u"SELECT state || ': ' || coalesce(note, '') FROM idemdesk.action WHERE id = $1"_s, { id });
        QVERIFY2(note.startsWith(u"paused: "_s) && note.contains(named), qPrintable(note + u" / "_s + batch.value()));
        const auto opened = m_console->openPurge(*m_console->as(u"op2"_s), ConsoleFixture::newId(), 600);
        QCOMPARE(opened.state, u"ID006"_s);
        // An admin looks at the change and registers again: a new action may begin.
        QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'cancelled')"_s, { id }).ok());
        const QString again = m_console->registerTarget(compiled);
        const bool strange = exchange.contains(u"OWNER TO service"_s)
            || (exchange.contains(u"CREATE CAST"_s) && expression.contains(u"region"_s));
        if (!strange) {
            QVERIFY2(again.contains(kRegistered), qPrintable(again));
            QCOMPARE(m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s))
                         .value(),
                u"running"_s);
        } else {
            QVERIFY2(again.contains(u"which service could change"_s), qPrintable(again));
        }
    }

    /// A column more where effects are looked for is ordinary work: it was not read before, and is not now.
    void aColumnMoreIsNoChange()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key IN ('k001', 'k002')"_s)).value(),
            u"running"_s);
        QVERIFY(root().run(u"ALTER TABLE app.eff ADD note text"_s).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 2}"_s);
    }

    /// 10: a preview runs nothing of the table's.
    void previewRunsNothing()
    {
        QVERIFY(root()
                    .run(u"CREATE SEQUENCE app.fired; GRANT ALL ON app.fired TO PUBLIC; "
                         "CREATE FUNCTION app.fires() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM "
                         "nextval('app.fired'); RETURN NEW; END $$; "
                         "CREATE TRIGGER fires BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.fires()"_s)
                    .ok());
        m_console->registerTarget(ConsoleFixture::compiled(), u"{}"_s, ConsoleFixture::profile(), u"k"_s, false);
        QCOMPARE(
            root().value(u"SELECT is_called FROM app.fired"_s), u"f"_s); // what a sequence gave no rollback takes back
    }

    /// Evidence changes nothing, whatever it calls.
    void evidenceIsReadOnly()
    {
        QVERIFY(
            root()
                .run(
                    u"CREATE FUNCTION app.inner() RETURNS text LANGUAGE plpgsql AS $$ BEGIN DELETE FROM app.k WHERE "
                    u"status = 'succeeded'; RETURN 'x'; END $$; "
                    "CREATE FUNCTION app.outer() RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN app.inner(); END $$"_s)
                .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"SELECT f.id FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s,
            u"SELECT app.outer() AS id WHERE t.key IS NOT NULL"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s, 2)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"evidence\": 1}"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k"_s), u"650"_s);
    }

    /// 10, 19: what could not be judged is refused, whatever lies in the way of judging.
    void whatIsNotJudgedIsRefused()
    {
        QVERIFY(
            root()
                .run(
                    u"CREATE FUNCTION app.f(text) RETURNS text LANGUAGE sql AS $$ DELETE FROM app.eff; SELECT $1 $$; GRANT DELETE ON app.eff TO idemdesk_runner_app_owner"_s)
                .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"(t.expires_at < ($1))"_s, u"(t.expires_at < ($1) AND app.f(t.key) IS NOT NULL)"_s);
        const auto adm = m_console->as(u"adm"_s);
        QVERIFY(
            adm->run(
                   u"CREATE FUNCTION pg_temp.idemdesk_reach(timestamptz, text, text, text, text) RETURNS void LANGUAGE sql AS ''"_s)
                .ok());
        const QString call
            = u"SELECT idemdesk.register_target('k', '{\"x\":1}', $1::jsonb, ARRAY['app'], '{}', true)"_s;
        QVERIFY(adm->value(call, { compiled }).contains(u"ID011")); // a session with code of its own
        QVERIFY(adm->run(u"DROP FUNCTION pg_temp.idemdesk_reach"_s).ok());
        const QString answer = adm->value(call, { compiled });
        QVERIFY2(
            answer.contains(u"\"registered\": false"_s) && answer.contains(u"An expression of the profile calls"_s),
            qPrintable(answer));
        // One text that is two statements where it is judged, and something else where it is used.
        for (const QString &broken :
            { u"nosuch IS NULL"_s, u"true) FROM app.k t; END --"_s, u"true) FROM app.k t; SELECT (true"_s }) {
            compiled = ConsoleFixture::compiled();
            compiled.replace(u"(t.expires_at < ($1))"_s, broken);
            const QString said = m_console->registerTarget(compiled);
            QVERIFY2(
                said.contains(u"\"registered\": false"_s) && said.contains(u"could not be judged"_s), qPrintable(said));
        }
        // What only this session has would be something else in the next.
        QVERIFY(adm->run(u"CREATE TEMP TABLE own (a text)"_s).ok());
        compiled = ConsoleFixture::compiled();
        compiled.replace(u"(t.expires_at < ($1))"_s, u"(t.expires_at < ($1) AND NOT EXISTS (SELECT FROM own))"_s);
        QVERIFY(adm->value(call, { compiled }).contains(u"ID011"));
    }

    /// Every text of a profile is judged, wherever it stands.
    void everyTextIsJudged_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *key : { "state", "status", "stale", "leased", "empty_replay", "readable", "key", "scope_text",
                 "scope", "in_state.succeeded", "purge.where", "purge.by", "rules.set", "effects.missing" }) {
            QTest::newRow(key) << u"app.f()"_s;
        }
        QTest::newRow("samples") << u"pg_catalog.count(app.f())"_s;
        QTest::newRow("effects.sql") << u"SELECT app.f() AS id"_s;
        QTest::newRow("purge.by_type") << u"app.d"_s;
    }
    void everyTextIsJudged()
    {
        QFETCH(QString, text);
        QVERIFY(root()
                    .run(u"CREATE FUNCTION app.f() RETURNS boolean LANGUAGE sql AS 'SELECT true'; "
                         "CREATE DOMAIN app.d AS text CHECK (app.f())"_s)
                    .ok());
        const QString answer = m_console->registerTarget(withText(QString::fromUtf8(QTest::currentDataTag()), text));
        QVERIFY2(answer.contains(u"\"registered\": false"_s) && answer.contains(u"profile calls app.f()"_s),
            qPrintable(answer));
        // What is built from is in that test: whoever adds a text adds a row.
        const QStringList judged { u"state"_s, u"status"_s, u"stale"_s, u"empty_replay"_s, u"scope_text"_s, u"scope"_s,
            u"in_state"_s, u"purge"_s, u"rules"_s, u"effects"_s };
        const QStringList data { u"version"_s, u"relation"_s, u"identity"_s, u"guard"_s };
        for (const QString &key : QJsonDocument::fromJson(ConsoleFixture::compiled().toUtf8()).object().keys()) {
            QVERIFY2(judged.contains(key) || data.contains(key), qPrintable(key));
        }
    }

    /// Each text of a rule alone is a column and a number; put together they would call a function of that name.
    void twoTextsAreNotOneCall()
    {
        QVERIFY(
            root()
                .run(u"CREATE SCHEMA t; GRANT USAGE ON SCHEMA t TO PUBLIC; CREATE FUNCTION t.result(int) RETURNS text "
                     "LANGUAGE plpgsql AS $$ BEGIN DELETE FROM app.eff; RETURN 'x'; END $$"_s)
                .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(uR"x(["status","'failed'"],["locked_until","NULL"])x"_s,
            uR"x(["status","'failed'"],["result","t.result --"],["locked_until","\n(1)"])x"_s);
        QVERIFY(compiled.contains(u"t.result --"_s));
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(u"could not be judged"_s), qPrintable(answer));
    }

    /// Programs show by the profile what the compiled SQL then does: both must be about one table.
    void theProfileIsOfAnotherTable_data()
    {
        QTest::addColumn<QString>("profile");
        QTest::newRow("another table") << u"{\"relation\": \"app.eff\"}"_s;
        QTest::newRow("none that is there") << u"{\"relation\": \"app.nowhere\"}"_s;
        QTest::newRow("no name") << u"{\"relation\": \"a.b.c.d\"}"_s;
        QTest::newRow("an open quote") << u"{\"relation\": \"app.\\\"k\"}"_s;
    }
    void theProfileIsOfAnotherTable()
    {
        QFETCH(QString, profile);
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled(), u"{}"_s, profile);
        QVERIFY2(answer.contains(u"about another table"_s), qPrintable(answer));
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled(), u"{}"_s, u"{\"relation\": \"app.k\"}"_s)
                    .contains(u"\"registered\": true"_s));
    }

    /// What is judged is not run, and a failure tells no value to whoever may not read the table.
    void judgingRunsNothing_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("a quote that ends in the second copy")
            << u"pg_catalog.text' IS NULL) FROM app.k u; END;\nSELECT (SELECT result FROM app.k WHERE result LIKE "
               "$q$iban%$q$ LIMIT 1)::pg_catalog.int4;\nCREATE FUNCTION pg_temp.y() RETURNS pg_catalog.void LANGUAGE "
               "sql BEGIN ATOMIC --"_s;
        QTest::newRow("a check that raises") << u"'{x}'::app.d[] IS NULL"_s;
        QTest::newRow("closes, and more columns") << u"t.status), (t.key"_s;
        QTest::newRow("a comment to the end") << u"t.status --"_s;
        QTest::newRow("an open text") << u"'abc"_s;
    }
    void judgingRunsNothing()
    {
        QFETCH(QString, text);
        QVERIFY(root()
                    .run(uR"(UPDATE app.k SET result = 'iban DE02' WHERE key = 'd0001';
            CREATE FUNCTION app.f() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', (SELECT result
                FROM app.k WHERE result LIKE 'iban%') USING ERRCODE = '42501'; END $$;
            CREATE DOMAIN app.d AS text CHECK (app.f()))"_s)
                    .ok());
        const QString answer = m_console->registerTarget(withText(u"status"_s, text));
        QVERIFY2(!answer.contains(u"DE02"_s), qPrintable(answer));
        QVERIFY2(answer.contains(u"could not be judged"_s), qPrintable(answer));
        QVERIFY2(answer.contains(u"\"registered\": false"_s), qPrintable(answer));
    }

    /// What a table's code made in the session would be what the person's next statement means.
    void nothingIsLeftInTheSession_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("runs");
        const QString domain = u"CREATE DOMAIN pg_temp.uuid AS pg_catalog.uuid CHECK (app.wrap(VALUE))"_s;
        const QString view = u"CREATE TEMP VIEW pg_type AS SELECT 1 AS a"_s;
        const QString function = u"CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS ''SELECT 1''"_s;
        QTest::newRow("a domain") << domain << QString();
        QTest::newRow("a view") << view << QString();
        QTest::newRow("a function") << function << QString();
        QTest::newRow("a domain of the table's owner") << domain << u"SECURITY DEFINER"_s;
        QTest::newRow("a view of the table's owner") << view << u"SECURITY DEFINER"_s;
    }
    void nothingIsLeftInTheSession()
    {
        QFETCH(QString, made);
        QFETCH(QString, runs);
        QVERIFY(root()
                    .run(uR"(CREATE FUNCTION app.wrap(pg_catalog.uuid) RETURNS boolean LANGUAGE sql AS 'SELECT true';
            CREATE FUNCTION app.trig() RETURNS trigger LANGUAGE plpgsql %1 AS $$ BEGIN
                IF session_user = 'op' THEN EXECUTE '%2'; END IF; RETURN NEW; END $$;
            ALTER FUNCTION app.trig() OWNER TO app_owner;
            CREATE TRIGGER touch BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.trig())"_s.arg(runs, made))
                    .ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"refused\": 1}"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM pg_catalog.pg_depend WHERE refclassid = "
                           "'pg_catalog.pg_namespace'::pg_catalog.regclass AND refobjid = "
                           "pg_catalog.pg_my_temp_schema() AND refobjid <> 0"_s),
            u"0"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// What a trigger leaves in the session has its row refused; that it will is said before anything is registered.
    void whatLeavesSomethingIsTold_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("leaves");
        QTest::newRow("a table") << u"CREATE TEMP TABLE IF NOT EXISTS seen (x int) ON COMMIT DROP"_s << true;
        QTest::newRow("a view") << u"CREATE OR REPLACE\n  TEMPORARY VIEW seen AS SELECT 1 AS x"_s << true;
        QTest::newRow("a domain") << u"CREATE DOMAIN pg_temp.seen AS int"_s << true;
        QTest::newRow("nothing") << u"NEW.result := 'create a template'"_s << false;
    }
    void whatLeavesSomethingIsTold()
    {
        QFETCH(QString, body);
        QFETCH(bool, leaves);
        QVERIFY(
            root()
                .run(u"CREATE FUNCTION app.trig() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %1; RETURN NEW; END $$; "
                     "ALTER FUNCTION app.trig() OWNER TO app_owner; "
                     "CREATE TRIGGER touch BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.trig()"_s.arg(body))
                .ok());
        const QString told = u"The function of the trigger touch makes temporary tables"_s;
        const QString looked
            = m_console->registerTarget(ConsoleFixture::compiled(), u"{}"_s, ConsoleFixture::profile(), u"k"_s, false);
        QCOMPARE(looked.contains(told), leaves);
        QCOMPARE(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered), !leaves); // it is tried
        // Where there is no row to try it on, the word is all that tells.
        QVERIFY(root().run(u"DELETE FROM app.k WHERE status = 'processing'"_s).ok());
        const QString untried = m_console->registerTarget(ConsoleFixture::compiled());
        QVERIFY2(untried.contains(kRegistered), qPrintable(untried));
        QCOMPARE(untried.contains(told), leaves);
    }

    /// A cast in the person's own statement may run somebody's check, which then has that very statement around it.
    void castsActForNobody_data()
    {
        QTest::addColumn<QString>("before"); ///< in the approver's session
        QTest::newRow("a type that only this session has") << u"SELECT app.makes()"_s;
        QTest::newRow("a type of the search path") << u"SET search_path = app, pg_catalog"_s;
    }
    void castsActForNobody()
    {
        QFETCH(QString, before);
        m_console->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": 10}"_s);
        const auto op = m_console->as(u"op"_s);
        const QString shown = ConsoleFixture::newId();
        const QString other = ConsoleFixture::newId();
        QCOMPARE(
            m_console->open(*op, shown, u"recover"_s, m_console->frozen(u"key LIKE 'k%'"_s)).value(), u"requested"_s);
        QCOMPARE(m_console->openPurge(*op, other, 600).value(), u"requested"_s);
        QVERIFY(root()
                    .run(uR"(CREATE FUNCTION app.wrap(pg_catalog.uuid) RETURNS boolean LANGUAGE sql
                AS $$ SELECT idemdesk.approve_action('%1', true) IS NOT NULL $$;
            CREATE FUNCTION app.makes() RETURNS void LANGUAGE sql SECURITY DEFINER
                AS 'CREATE DOMAIN pg_temp.uuid AS pg_catalog.uuid CHECK (app.wrap(VALUE))';
            ALTER FUNCTION app.makes() OWNER TO app_owner; CREATE DOMAIN app.uuid AS pg_catalog.uuid CHECK (app.wrap(VALUE));
            GRANT USAGE ON SCHEMA app TO appr)"_s.arg(other))
                    .ok());
        const auto appr = m_console->as(u"appr"_s);
        QVERIFY(appr->run(before).ok());
        QCOMPARE(appr->state(u"SELECT idemdesk.approve_action('%1'::uuid, true)"_s.arg(shown)), u"ID011"_s);
        QCOMPARE(stateOf(other), u"requested"_s);
        QCOMPARE(stateOf(shown), u"requested"_s);
        QCOMPARE(m_console->as(u"appr"_s)->state(u"SELECT idemdesk.approve_action('%1'::uuid, true)"_s.arg(shown)),
            QString());
        QCOMPARE(stateOf(other), u"requested"_s);
    }

    /// A lock that a table's code takes for the session would stay with the person; one for the transaction is no harm.
    void locksDoNotStay_data()
    {
        QTest::addColumn<QString>("lock");
        QTest::addColumn<bool>("stays");
        QTest::newRow("for the session") << u"pg_advisory_lock(-4711)"_s << true;
        QTest::newRow("for the session, shared") << u"pg_advisory_lock_shared(-1, 2)"_s << true;
        QTest::newRow("for the transaction") << u"pg_advisory_xact_lock(4711)"_s << false;
    }
    void locksDoNotStay()
    {
        QFETCH(QString, lock);
        QFETCH(bool, stays);
        const QString locks = u"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"_s;
        const QString made = uR"(CREATE OR REPLACE FUNCTION app.trig() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF %1 THEN PERFORM %2; END IF; RETURN NEW; END $$)"_s;
        QVERIFY(root().run(made.arg(u"true"_s, lock)).ok());
        QVERIFY(
            root().run(u"CREATE TRIGGER touch BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.trig()"_s).ok());
        const auto adm = m_console->as(u"adm"_s);
        const QString call
            = u"SELECT idemdesk.register_target('k', '{\"x\":1}', $1::jsonb, ARRAY['app'], '{}', true)"_s;
        QCOMPARE(adm->value(call, { ConsoleFixture::compiled() }).contains(kRegistered), !stays);
        QCOMPARE(adm->value(locks), u"0"_s);
        QVERIFY(root().run(made.arg(u"session_user = 'op'"_s, lock)).ok());
        QVERIFY(adm->value(call, { ConsoleFixture::compiled() }).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        op->run(u"SELECT pg_advisory_lock(12)"_s); // the person's own stays
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id }), stays ? u"ID013"_s : QString());
        QCOMPARE(op->value(locks), u"1"_s);
    }

    /// Nor does what is taken while a table is only looked at.
    void looksLeaveNoLock()
    {
        QVERIFY(root()
                    .run(uR"(CREATE FUNCTION app.holds(text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$ BEGIN
                        IF session_user = 'op' THEN PERFORM pg_advisory_lock(4711); END IF; RETURN true; END $$;
                        ALTER FUNCTION app.holds(text) OWNER TO app_owner)"_s)
                    .ok());
        const QString answer = m_console->registerTarget(
            withText(u"samples"_s, u"pg_catalog.count(*) FILTER (WHERE app.holds(t.key))"_s));
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->run(u"SELECT idemdesk.take_sample('k')"_s).ok());
        QCOMPARE(op->value(u"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"_s),
            u"0"_s);
    }

    /// What the profile reaches and which function runs a table's code: neither is exchanged behind the trail.
    void registrationIsVerified_data()
    {
        QTest::addColumn<QString>("change");
        QTest::newRow("what it reaches")
            << u"UPDATE idemdesk.target SET reached = '[[\"function\", \"app\", \"f\"]]'"_s;
        QTest::newRow("the function that runs its code") << u"UPDATE idemdesk.runner SET trampoline = 'idemdesk.x'"_s;
    }
    void registrationIsVerified()
    {
        QFETCH(QString, change);
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        QVERIFY(root().run(change).ok());
        QVERIFY(ConsoleFixture::verified(*op) != u"t");
    }

    /// 19: the operators and types by which rows are found are expressions, too.
    void identityIsJudged_data()
    {
        QTest::addColumn<QString>("eq");
        QTest::addColumn<QString>("type");
        QTest::newRow("more than an operator") << u"= app.f(t.key) AND t.key ="_s << u"pg_catalog.text"_s;
        QTest::newRow("an operator of somebody") << u"OPERATOR(app.===)"_s << u"pg_catalog.text"_s;
        QTest::newRow("a type that checks") << u"OPERATOR(pg_catalog.=)"_s << u"app.d"_s;
        QTest::newRow("more than a type")
            << u"OPERATOR(pg_catalog.=)"_s << u"pg_catalog.text AND app.f(t.key) IS NOT NULL"_s;
    }
    void identityIsJudged()
    {
        QFETCH(QString, eq);
        QFETCH(QString, type);
        const QString deletes
            = u"LANGUAGE plpgsql AS $$ BEGIN BEGIN DELETE FROM app.eff; EXCEPTION WHEN read_only_sql_transaction THEN NULL; END; RETURN "_s;
        const auto made = root().run(u"CREATE FUNCTION app.f(text) RETURNS text "_s + deletes
            + u"$1; END $$; CREATE FUNCTION app.g(text) RETURNS boolean "_s + deletes
            + u"true; END $$; CREATE DOMAIN app.d AS text CHECK (app.g(VALUE)); CREATE FUNCTION app.same(text, text) RETURNS boolean "_s
            + deletes
            + u"$1 = $2; END $$; CREATE OPERATOR app.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = app.same); INSERT INTO app.eff VALUES ('1', 't', 'k'); GRANT DELETE ON app.eff TO idemdesk_runner_app_owner"_s);
        QVERIFY2(made.ok(), qPrintable(made.value()));
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"{\"name\":\"key\",\"type\":\"pg_catalog.text\",\"eq\":\"OPERATOR(pg_catalog.=)\"}"_s,
            u"{\"name\":\"key\",\"type\":\"%1\",\"eq\":\"%2\"}"_s.arg(type, eq));
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(u"\"registered\": false"_s), qPrintable(answer));
        QCOMPARE(root().value(u"SELECT count(*) FROM app.eff"_s), u"1"_s);
    }

    /// 8, 10: what only reads a table changes nothing, whatever the table's own functions call.
    void readsChangeNothing_data()
    {
        QTest::addColumn<QString>("what");
        for (const char *what :
            { "a sample", "a count", "a registration that is refused", "an effect", "a partition" }) {
            QTest::newRow(what) << QString::fromLatin1(what);
        }
    }
    void readsChangeNothing()
    {
        QFETCH(QString, what);
        const QString relation = what == u"a partition"_s ? u"p"_s : u"k"_s;
        m_console->cluster().psql(m_console->database(), uR"(SET ROLE app_owner;
            CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key, expires_at)) PARTITION BY RANGE (expires_at);
            CREATE TABLE app.p_old PARTITION OF app.p FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
            INSERT INTO app.p (tenant, key, status, expires_at) SELECT 't', 'o' || i, 'succeeded', '2020-06-01' FROM generate_series(1, 9) i;
            GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p_old TO idemdesk_runner_app_owner;
            CREATE TABLE app.go (one int); GRANT SELECT ON app.go TO PUBLIC;
            CREATE FUNCTION app.deletes() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
                IF EXISTS (SELECT FROM app.go) THEN DELETE FROM app.eff; END IF; END $$;
            CREATE FUNCTION app.norm(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM app.deletes(); RETURN $1; END $$;
            INSERT INTO app.eff VALUES ('1', 't', 'k');
            GRANT DELETE ON app.eff TO idemdesk_runner_app_owner;
            RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner)"_s);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        // Where nothing holds it, the runner deletes by it.
        QCOMPARE(root().value(u"BEGIN; INSERT INTO app.go VALUES (1); SET LOCAL ROLE idemdesk_runner_app_owner; "
                              "SELECT app.norm('x'); SELECT count(*) FROM app.eff"_s),
            u"0"_s);
        QVERIFY(root().run(u"ROLLBACK"_s).ok());
        QString compiled = ConsoleFixture::compiled();
        if (what == u"an effect"_s) {
            compiled.replace(u"SELECT f.id FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s,
                u"SELECT f.id FROM app.eff f WHERE app.norm('x') = 'y'"_s);
            compiled.replace(u"\"needs\":\"eff\""_s, u"\"needs\":null"_s)
                .replace(u"\"forbids\":\"eff\""_s, u"\"forbids\":null"_s)
                .replace(u"\"$4\""_s, u"\"'x'\""_s);
        } else if (what == u"a registration that is refused"_s) { // after what its rule has deleted
            compiled.replace(u"[\"updated_at\",\"($1)\"]"_s,
                u"[\"updated_at\",\"(app.norm('no time') || t.key)::pg_catalog.timestamptz\"]"_s);
        } else {
            compiled.replace(u"CASE (t.status) WHEN"_s, u"CASE (app.norm(t.status)) WHEN"_s)
                .replace(u"\"t.status = '"_s, u"\"app.norm(t.status) = '"_s);
        }
        compiled.replace(u"\\\"k\\\""_s, u"\\\"%1\\\""_s.arg(relation));
        if (relation == u"p"_s) {
            compiled.replace(u"{\"name\":\"key\",\"type\":\"pg_catalog.text\",\"eq\":\"OPERATOR(pg_catalog.=)\"}]"_s,
                u"{\"name\":\"key\",\"type\":\"pg_catalog.text\",\"eq\":\"OPERATOR(pg_catalog.=)\"},"
                "{\"name\":\"expires_at\",\"type\":\"pg_catalog.timestamptz\",\"eq\":\"OPERATOR(pg_catalog.=)\"}]"_s);
        }
        const QString call
            = u"SELECT idemdesk.register_target($1, '{\"x\":1}', $2::jsonb, ARRAY['app'], $3::jsonb, true)"_s;
        const bool registers = what == u"a registration that is refused"_s || what == u"an effect"_s;
        const auto adm = m_console->as(u"adm"_s);
        const auto op = m_console->as(u"op"_s);
        // Each answers as one does whose code came as far as the rows, and was held there.
        if (registers) {
            QVERIFY(root().run(u"INSERT INTO app.go VALUES (1)"_s).ok());
            const QString answer = adm->value(call, { relation, compiled, u"{}"_s });
            QVERIFY2(answer.contains(u"\"registered\": false"_s), qPrintable(answer));
            QVERIFY2(answer.contains(
                         what == u"an effect"_s ? u"cannot execute DELETE in a read-only transaction"_s : u"(22007)"_s),
                qPrintable(answer));
        } else {
            const QString answer = adm->value(call, { relation, compiled, u"{\"approval_above\": 1000}"_s });
            QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
            QVERIFY(root().run(u"INSERT INTO app.go VALUES (1)"_s).ok());
            if (what == u"a sample"_s) {
                QVERIFY(op->run(u"SELECT idemdesk.take_sample('k')"_s).ok());
                QCOMPARE(root().value(u"SELECT sum(value) FROM idemdesk.sample WHERE metric = 'unreadable'"_s),
                    root().value(u"SELECT count(*) FROM app.k"_s));
            } else if (what == u"a count"_s) { // which failed, so that it counts as one more than the limit
                const auto opened = m_console->openPurge(*op, ConsoleFixture::newId(), 0);
                QCOMPARE(opened.value(), u"requested"_s);
                QCOMPARE(root().value(u"SELECT planned_rows FROM idemdesk.action"_s), u"1001"_s);
            } else {
                QCOMPARE(
                    op->state(
                        u"SELECT idemdesk.detach_partition($1, 'p', '\"app\".\"p_old\"', '2026-01-01T00:00:00Z', 'old', NULL)"_s,
                        { ConsoleFixture::newId() }),
                    u"25006"_s);
            }
        }
        QCOMPARE(root().value(u"SELECT count(*) FROM app.eff"_s), u"1"_s);
    }

    /// 15: a sample runs the profile's expressions as an action does, and under the same conditions.
    void samplesLookFirst_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("said");
        QTest::newRow("the schema was opened")
            << u"GRANT CREATE ON SCHEMA app TO service"_s << u"service may create functions"_s;
        QTest::newRow("and used") << u"GRANT CREATE ON SCHEMA app TO service; SELECT 1"_s
                                  << u"the function lower is another"_s;
        QTest::newRow("the table was changed")
            << u"CREATE POLICY p ON app.k USING (true)"_s << u"the policy p is new"_s;
    }
    void samplesLookFirst()
    {
        QFETCH(QString, made);
        QFETCH(QString, said);
        QVERIFY(root().run(u"ALTER TABLE app.k ALTER status TYPE varchar"_s).ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"CASE (t.status) WHEN"_s, u"CASE (lower(t.status)) WHEN"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        QVERIFY(root().run(made).ok());
        if (made.contains(u"SELECT"_s)) {
            QVERIFY(m_console->as(u"service"_s)
                        ->run(u"CREATE FUNCTION app.lower(varchar) RETURNS text LANGUAGE plpgsql AS $$ BEGIN "
                              "RAISE EXCEPTION 'it ran' USING ERRCODE = '54321'; END $$"_s)
                        .ok());
        }
        const auto sample = m_console->as(u"op"_s)->run(u"SELECT idemdesk.take_sample('k')"_s);
        QCOMPARE(sample.state, u"ID006"_s);
        QVERIFY2(sample.message.contains(said), qPrintable(sample.message));
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.sample_run"_s), u"0"_s);
    }

    /// 8: the code of a part that belongs to somebody else would run as the runner of the whole.
    void partsOfAnotherOwner_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("said");
        const QString deletes
            = u"CREATE FUNCTION app.m() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM app.p1 WHERE status = 'succeeded'; RETURN NULL; END $$; "_s;
        QTest::newRow("a part of another owner") << deletes
                + u"CREATE TRIGGER m AFTER UPDATE ON app.p0 FOR EACH ROW EXECUTE FUNCTION app.m(); ALTER FUNCTION app.m() OWNER TO service; ALTER TABLE app.p0 OWNER TO service"_s
                                                 << u"app.p0 belongs to service"_s;
        QTest::newRow("a part's trigger that may wait") << deletes
                + u"CREATE CONSTRAINT TRIGGER m AFTER UPDATE ON app.p0 DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.m()"_s
                                                        << u"may wait for COMMIT"_s;
        QTest::newRow("a part's rule") << u"CREATE RULE r AS ON UPDATE TO app.p0 DO ALSO DELETE FROM app.p1"_s
                                       << u"The rule r"_s;
        QTest::newRow("a rule") << u"CREATE RULE r AS ON UPDATE TO app.p DO ALSO DELETE FROM app.eff"_s
                                << u"The rule r"_s;
    }
    void partsOfAnotherOwner()
    {
        QFETCH(QString, made);
        QFETCH(QString, said);
        parted();
        const auto done = root().run(made);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        const QString answer = m_console->registerTarget(partedCompiled(), u"{}"_s, ConsoleFixture::profile(), u"p"_s);
        QVERIFY2(answer.contains(u"\"registered\": false"_s) && answer.contains(said), qPrintable(answer));
    }
    void partGivenAwayLater()
    {
        parted();
        const QString answer = m_console->registerTarget(partedCompiled(), u"{}"_s, ConsoleFixture::profile(), u"p"_s);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        QVERIFY(
            root()
                .run(
                    u"CREATE TABLE app.p2 PARTITION OF app.p FOR VALUES IN ('t2'); ALTER TABLE app.p2 OWNER TO app_owner"_s)
                .ok()); // changes nothing
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        const QString rows = root().value(
            u"SELECT jsonb_agg(jsonb_build_object('i', jsonb_build_array(tenant, key), 'g', jsonb_build_array(status, locked_until, attempts::text), 'r', 0)) FROM app.p WHERE tenant = 't0'"_s);
        QCOMPARE(op->run(u"SELECT idemdesk.open_action($1, 'p', 'recover', 'because', NULL, '{}', $2, $3::jsonb)"_s,
                       { id, ConsoleFixture::profileSha(), rows })
                     .state,
            QString());
        QVERIFY(root().run(u"ALTER TABLE app.p0 OWNER TO service"_s).ok());
        QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.change_batch($1, 1, 10) b"_s, { id }), u"paused"_s);
    }

    /// 8, 17: the archive is part of the table.
    void archiveOfAnotherOwner_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("said"); ///< at registration; empty: made after it
        const QString code
            = u"CREATE FUNCTION app.m() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM app.k WHERE status = 'processing'; RETURN NULL; END $$; "_s;
        QTest::newRow("of another owner")
            << u"ALTER TABLE app.arch OWNER TO service"_s << u"app.arch belongs to service"_s;
        QTest::newRow("a rule") << u"CREATE RULE r AS ON INSERT TO app.arch DO ALSO DELETE FROM app.eff"_s
                                << u"The rule r"_s;
        QTest::newRow("a trigger that may wait") << code
                + u"CREATE CONSTRAINT TRIGGER m AFTER INSERT ON app.arch DEFERRABLE FOR EACH ROW EXECUTE FUNCTION app.m()"_s
                                                 << u"may wait for COMMIT"_s;
        QTest::newRow("children that an undo would delete")
            << u"ALTER TABLE app.arch ADD PRIMARY KEY (tenant, key); CREATE TABLE app.child (tenant text, key text, FOREIGN KEY (tenant, key) REFERENCES app.arch ON DELETE CASCADE)"_s
            << u"app.child"_s;
        QTest::newRow("a trigger made later")
            << code + u"CREATE TRIGGER m AFTER INSERT ON app.arch FOR EACH STATEMENT EXECUTE FUNCTION app.m()"_s
            << QString();
        QTest::newRow("given away later") << u"ALTER TABLE app.arch OWNER TO service"_s << QString();
        QTest::newRow("another one later") << u"ALTER TABLE app.arch RENAME TO was; CREATE TABLE app.arch (LIKE "
                                              u"app.was); ALTER TABLE app.arch OWNER TO app_owner; "
                                              "GRANT ALL ON app.arch TO idemdesk_runner_app_owner"_s
                                           << QString();
    }
    void archiveOfAnotherOwner()
    {
        QFETCH(QString, made);
        QFETCH(QString, said);
        QVERIFY(
            root()
                .run(
                    u"CREATE TABLE app.arch (tenant text, key text, status text); ALTER TABLE app.arch OWNER TO app_owner; GRANT ALL ON app.arch TO idemdesk_runner_app_owner"_s)
                .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"{\"version\":1,"_s, kArchived.arg(u"\"tenant\",\"key\",\"status\""_s));
        if (!said.isEmpty()) {
            QVERIFY(root().run(made).ok());
            const QString answer = m_console->registerTarget(compiled);
            QVERIFY2(answer.contains(u"\"registered\": false"_s) && answer.contains(said), qPrintable(answer));
            return;
        }
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QVERIFY(root().run(made).ok());
        QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.purge_batch($1, 1, 100) b"_s, { id }), u"paused"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k"_s), u"650"_s);
    }

    /// An undo that would touch two rows touches none.
    void undoOfADoubledRow_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("doubles");
        QTest::newRow("by a child")
            << u"CREATE TABLE app.child () INHERITS (app.k); ALTER TABLE app.child OWNER TO app_owner"_s
            << u"INSERT INTO app.child SELECT * FROM app.k WHERE key = 'k001'"_s;
        QTest::newRow("without its index")
            << u"ALTER TABLE app.k DROP CONSTRAINT k_pkey; CREATE UNIQUE INDEX kk ON app.k (tenant, key)"_s
            << u"DROP INDEX app.kk; INSERT INTO app.k SELECT * FROM app.k WHERE key = 'k001'"_s;
    }
    void undoOfADoubledRow()
    {
        QFETCH(QString, before);
        QFETCH(QString, doubles);
        QVERIFY(root().run(before).ok());
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled());
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        const QString undo = ConsoleFixture::newId();
        QVERIFY(op->run(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { undo, id }).ok());
        QVERIFY(root().run(doubles).ok());
        const auto batch
            = op->run(u"SELECT b ->> 'state', b -> 'counts' FROM idemdesk.undo_batch($1, 1, 10) b"_s, { undo });
        QVERIFY2(batch.ok() && !batch.rows.first().at(1).contains(u"done"_s), qPrintable(batch.value()));
        QCOMPARE(root().value(u"SELECT string_agg(DISTINCT status, ' ') FROM app.k WHERE key = 'k001'"_s), u"failed"_s);
        if (doubles.startsWith(u"DROP"_s)) {
            QCOMPARE(batch.rows.first().at(0), u"paused"_s);
        }
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }
    /// What a trigger did before it kept the row away is taken back with the row.
    void undoThatIsRefusedLeavesNothing()
    {
        QVERIFY(root()
                    .run(u"CREATE TABLE app.log (what text); GRANT ALL ON app.log TO PUBLIC; CREATE FUNCTION "
                         u"app.keeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                         "IF NEW.status = 'processing' AND NEW.key = 'k001' THEN INSERT INTO app.log VALUES ('was "
                         "here'); RETURN NULL; END IF; RETURN NEW; END $$; "
                         "CREATE TRIGGER keeps BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.keeps()"_s)
                    .ok());
        QString compiled = ConsoleFixture::compiled();
        QVERIFY(m_console->registerTarget(compiled).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        const QString undo = ConsoleFixture::newId();
        QVERIFY(op->run(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { undo, id }).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"undo_batch"_s, undo, 1), u"{\"refused\": 1}"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.log"_s), u"0"_s);
    }

    /// 3: a key that lived twice has two copies in the archive; an undo takes back the one that its purge wrote.
    void archiveOfTwoLives_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<QString>("second"); ///< the value in the second life
        QTest::newRow("one row") << 1 << u"second"_s;
        QTest::newRow("a piece") << 600 << u"second"_s;
        QTest::newRow("no difference between them") << 5 << u"first"_s;
    }
    void archiveOfTwoLives()
    {
        QFETCH(int, rows);
        QFETCH(QString, second);
        QVERIFY(root()
                    .run(u"CREATE TABLE app.arch (tenant text, key text, status text, result text); ALTER TABLE "
                         u"app.arch OWNER TO app_owner; "
                         "GRANT ALL ON app.arch TO idemdesk_runner_app_owner; DELETE FROM app.k WHERE status = "
                         "'processing' OR key > 'd' || lpad(%1::text, 4, '0'); "
                         "UPDATE app.k SET result = 'first'; CREATE TABLE app.lives AS SELECT * FROM app.k"_s.arg(rows))
                    .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"{\"version\":1,"_s, kArchived.arg(u"\"tenant\",\"key\",\"status\",\"result\""_s));
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        QString id;
        for (int life = 0; life < 2; ++life) {
            id = ConsoleFixture::newId();
            QCOMPARE(m_console->openPurge(*op, id, rows).value(), u"running"_s);
            for (int batch = 1; stateOf(id) == u"running"_s; ++batch) {
                QVERIFY(op->run(u"SELECT idemdesk.purge_batch($1, %1, 1000)"_s.arg(batch), { id }).ok());
            }
            QVERIFY(life == 1
                || root()
                       .run(u"INSERT INTO app.k SELECT * FROM app.lives; UPDATE app.k SET result = '%1'"_s.arg(second))
                       .ok());
        }
        QCOMPARE(root().value(u"SELECT count(*) FROM app.arch"_s), QString::number(2 * rows));
        const QString undo = ConsoleFixture::newId();
        QVERIFY(op->run(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { undo, id }).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"undo_batch"_s, undo, 1, 1000), u"{\"done\": %1}"_s.arg(rows));
        QCOMPARE(root().value(u"SELECT count(*) || ' ' || string_agg(DISTINCT result, ' ') FROM app.arch"_s),
            QString::number(rows) + u" first"_s);
        QCOMPARE(root().value(u"SELECT count(*) || ' ' || string_agg(DISTINCT result, ' ') FROM app.k"_s),
            QString::number(rows) + u' ' + second);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// 15: who owns a schema may create functions in it, whatever was granted.
    void schemaOfSomebodyElse()
    {
        QVERIFY(root().run(u"CREATE SCHEMA mal AUTHORIZATION service; GRANT USAGE ON SCHEMA mal TO PUBLIC"_s).ok());
        const QString call
            = u"SELECT idemdesk.register_target('k', '{\"x\":1}', $1::jsonb, ARRAY['app', 'mal'], '{}', true)"_s;
        const QString answer = m_console->as(u"adm"_s)->value(call, { ConsoleFixture::compiled() });
        QVERIFY2(
            answer.contains(u"\"registered\": false"_s) && answer.contains(u"ALTER SCHEMA mal OWNER TO app_owner"_s),
            qPrintable(answer));
        QVERIFY(root().run(u"ALTER SCHEMA mal OWNER TO app_owner"_s).ok());
        QVERIFY(m_console->as(u"adm"_s)->value(call, { ConsoleFixture::compiled() }).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QVERIFY(root().run(u"ALTER SCHEMA mal OWNER TO service"_s).ok());
        QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.change_batch($1, 1, 10) b"_s, { id }), u"paused"_s);
    }

    /// 2: a setting that the code of a row leaves behind takes that row back.
    void settingsLeftBehind_data()
    {
        QTest::addColumn<QString>("set");
        for (const char *set : { "datestyle = 'ISO, DMY'", "array_nulls = off", "search_path = app, pg_catalog",
                 "timezone = 'Asia/Kolkata'", "transform_null_equals = on", "extra_float_digits = 0",
                 "bytea_output = 'escape'", "quote_all_identifiers = on" }) {
            QTest::newRow(set) << QString::fromLatin1(set);
        }
    }
    void settingsLeftBehind()
    {
        QFETCH(QString, set);
        QVERIFY(
            root()
                .run(u"CREATE FUNCTION app.sets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.key = 'k001' "
                     u"THEN SET %1; END IF; RETURN NEW; END $$; "
                     "CREATE TRIGGER sets BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.sets()"_s.arg(set))
                .ok());
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        if (answer.contains(kRegistered)) {
            QCOMPARE(
                m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
            QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"refused\": 1}"_s);
            QVERIFY(op->value(u"SELECT detail FROM idemdesk.items($1)"_s, { id }).contains(u"to something else"_s));
        } else {
            QVERIFY2(answer.contains(u"to something else"_s), qPrintable(answer));
        }
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), u"50"_s);
    }

    /// Every function that a login may call, and every trampoline, pins what _require_settings() compares.
    void settingsArePinnedEverywhere()
    {
        const QStringList names { u"search_path"_s, u"DateStyle"_s, u"IntervalStyle"_s, u"TimeZone"_s, u"array_nulls"_s,
            u"standard_conforming_strings"_s, u"transform_null_equals"_s, u"quote_all_identifiers"_s, u"xmloption"_s,
            u"xmlbinary"_s, u"bytea_output"_s, u"extra_float_digits"_s, u"row_security"_s, u"lc_monetary"_s,
            u"lc_numeric"_s, u"lc_time"_s, u"gin_fuzzy_search_limit"_s };
        const auto functions
            = root().run(u"SELECT p.proname, coalesce(array_to_string(p.proconfig, '|'), ''), p.prosrc FROM pg_proc p "
                         "WHERE p.pronamespace = 'idemdesk'::regnamespace AND p.prosecdef"_s);
        QVERIFY(functions.rows.size() > 25);
        for (const QStringList &row : functions.rows) {
            for (const QString &name : names) {
                QVERIFY2((u'|' + row.at(1)).contains(u'|' + name + u'=', Qt::CaseInsensitive),
                    qPrintable(row.at(0) + u": "_s + name));
            }
        }
        const QString compared = root().value(u"SELECT prosrc FROM pg_proc WHERE proname = '_require_settings'"_s);
        for (const QString &name : names) {
            QVERIFY2(compared.contains(u"'"_s + name + u"'"_s), qPrintable(name));
        }
        // What acts is owned by the owner or is the one function of a runner, and nobody else may call it.
        QCOMPARE(
            root().value(
                u"SELECT count(*) FROM pg_proc p WHERE p.pronamespace = 'idemdesk'::regnamespace AND pg_get_userbyid(p.proowner) <> 'idemdesk_owner'"_s),
            u"1"_s);
        QCOMPARE(
            root().value(u"SELECT string_agg(p.proname, ' ') FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) x "
                         "WHERE p.pronamespace = 'idemdesk'::regnamespace AND starts_with(p.proname, '_run_') AND "
                         "x.grantee <> p.proowner "
                         "AND pg_get_userbyid(x.grantee) <> 'idemdesk_owner'"_s),
            QString());
    }

    /// 11, 12: images belong to the table they came from, whatever is registered under its name now.
    void imagesFollowTheirTable()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, id, 1, 10), u"{\"purged\": 10}"_s);
        QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'cancelled')"_s, { id }).ok());
        m_console->forgetBare();
        m_console->cluster().psql(m_console->database(),
            u"CREATE SCHEMA own; CREATE TABLE own.k (LIKE app.k INCLUDING ALL); ALTER TABLE own.k OWNER TO adm; "
            "SELECT idemdesk.make_runner('adm'); GRANT USAGE ON SCHEMA own, app TO adm, idemdesk_runner_adm; GRANT ALL "
            "ON own.k TO idemdesk_runner_adm; "
            "GRANT SELECT ON app.eff TO idemdesk_runner_adm; ALTER SCHEMA own OWNER TO adm"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"app\\\".\\\"k\\\""_s, u"\\\"own\\\".\\\"k\\\""_s);
        const QString own = m_console->as(u"adm"_s)->value(
            u"SELECT idemdesk.register_target('k', '{\"x\":1}', $1::jsonb, ARRAY['own'], '{}', true)"_s, { compiled });
        QVERIFY2(own.contains(kRegistered), qPrintable(own));
        const auto items = m_console->as(u"adm"_s)->run(u"SELECT identity, before FROM idemdesk.items($1)"_s, { id });
        QVERIFY2(items.ok() && items.rows.size() == 10, qPrintable(items.value()));
        for (const QStringList &row : items.rows) {
            QVERIFY2(row.at(0).isEmpty() && !row.at(1).contains(u"succeeded"_s), qPrintable(row.join(u' ')));
        }
        QCOMPARE(
            m_console->as(u"adm"_s)->value(u"SELECT count(*) FROM idemdesk.actions_on('k', '{t1,d0001}')"_s), u"0"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { ConsoleFixture::newId(), id }),
            u"ID006"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM own.k"_s), u"0"_s);
    }

    /// 13: where row security applies to the login there are no images, and no actions.
    void rowSecurityHolds()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        QVERIFY(
            root()
                .run(u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY tenants ON app.k TO op USING (tenant "
                     u"= 't0'); "
                     "CREATE POLICY idemdesk ON app.k TO idemdesk_runner_app_owner USING (true) WITH CHECK (true)"_s)
                .ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        const auto items = op->run(u"SELECT identity, before, after FROM idemdesk.items($1)"_s, { id });
        QVERIFY2(items.ok() && items.rows.size() == 1 && items.rows.first().join(QString()).isEmpty(),
            qPrintable(items.value()));
        QCOMPARE(op->value(u"SELECT count(*) FROM idemdesk.actions_on('k', '{t1,k001}')"_s), u"0"_s);
        QCOMPARE(
            m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k004'"_s)).state,
            u"ID003"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { ConsoleFixture::newId(), id }),
            u"ID003"_s);
        QCOMPARE(root().value(u"SELECT status FROM app.k WHERE key = 'k004'"_s), u"processing"_s);
    }

    /// A policy that is "true" hides nothing, unless another one takes rows away beside it.
    void aPolicyThatShowsEveryRowHidesNone()
    {
        const auto op = m_console->as(u"op"_s);
        QVERIFY(
            root()
                .run(u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY every ON app.k USING (true); "
                     "CREATE POLICY idemdesk ON app.k TO idemdesk_runner_app_owner USING (true) WITH CHECK (true)"_s)
                .ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key IN ('k001', 'k004')"_s)).value(),
            u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1, 1), u"{\"done\": 1}"_s);
        QCOMPARE(op->value(u"SELECT before[3] FROM idemdesk.items($1)"_s, { id }), u"processing"_s);
        QVERIFY(root().run(u"CREATE POLICY less ON app.k AS RESTRICTIVE TO op USING (tenant <> 't2')"_s).ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        QCOMPARE(op->value(u"SELECT before FROM idemdesk.items($1)"_s, { id }), QString());
        QCOMPARE(
            m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k007'"_s)).state,
            u"ID003"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.change_batch($1, 2, 500)"_s, { id }), u"ID006"_s);
        QCOMPARE(root().value(u"SELECT status FROM app.k WHERE key = 'k004'"_s), u"processing"_s);
    }

    /// 14: who may not read the table reads none of its values here.
    void viewerReadsNoScopes()
    {
        QVERIFY(root()
                    .run(u"UPDATE app.k SET tenant = 'secret tenant' WHERE key <= 'd0300' AND status = 'succeeded'"_s)
                    .ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 300, true, u"now"_s, u"[[\"secret tenant\"]]"_s).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, id, 1, 10), u"{\"purged\": 10}"_s);
        const auto viewer = m_console->as(u"viewer"_s);
        const auto tables = root().run(
            u"SELECT c.oid::regclass FROM pg_class c WHERE c.relnamespace = 'idemdesk'::regnamespace AND c.relkind IN ('r', 'p')"_s);
        for (const QStringList &table : tables.rows) {
            const auto said
                = viewer->run(u"SELECT coalesce(string_agg(t::text, ' '), '') FROM %1 t"_s.arg(table.first()));
            QVERIFY2(!said.value().contains(u"secret tenant"_s), qPrintable(table.first()));
        }
        for (const QString &sql :
            { u"SELECT * FROM idemdesk.action_scopes('%1')"_s, u"SELECT idemdesk.action_state('%1')"_s,
                u"SELECT identity, before, after, detail FROM idemdesk.items('%1')"_s }) {
            const auto said = viewer->run(sql.arg(id));
            for (const QStringList &row : said.rows) {
                QVERIFY2(!row.join(u' ').contains(u"secret tenant"_s), qPrintable(sql));
            }
        }
        // Who may read the table reads them.
        QVERIFY(op->value(u"SELECT scopes FROM idemdesk.action_scopes('%1') WHERE batch = 1"_s.arg(id))
                    .contains(u"secret tenant"_s));
    }

    /// 15: schemas in which others may create functions are refused, and looked at again in each batch.
    void openSchemas()
    {
        QVERIFY(root().run(u"GRANT CREATE ON SCHEMA app TO PUBLIC"_s).ok());
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled());
        QVERIFY2(answer.contains(u"\"registered\": false"_s)
                && answer.contains(u"REVOKE CREATE ON SCHEMA app FROM PUBLIC"_s),
            qPrintable(answer));
        QVERIFY(root().run(u"REVOKE CREATE ON SCHEMA app FROM PUBLIC"_s).ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QVERIFY(root().run(u"GRANT CREATE ON SCHEMA app TO service"_s).ok());
        const auto batch
            = op->run(u"SELECT b ->> 'state', b ->> 'note' FROM idemdesk.change_batch($1, 1, 10) b"_s, { id });
        QVERIFY2(batch.ok() && batch.rows.first().at(0) == u"paused"_s
                && batch.rows.first().at(1).contains(u"service may create functions"_s),
            qPrintable(batch.value()));
        QCOMPARE(root().value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// A replaced trigger function leaves pg_trigger as it was.
    void triggerFunctionReplaced()
    {
        QVERIFY(root()
                    .run(u"CREATE FUNCTION app.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; "
                         "CREATE TRIGGER f BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.f()"_s)
                    .ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QVERIFY(
            root()
                .run(
                    u"CREATE OR REPLACE FUNCTION app.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.price := 0; RETURN NEW; END'"_s)
                .ok());
        QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.change_batch($1, 1, 10) b"_s, { id }), u"paused"_s);
        QCOMPARE(root().value(u"SELECT price FROM app.k WHERE key = 'k001'"_s), u"1.50"_s);
    }

    /// What the types of columns are made of may get a check later, by whoever owns them.
    void typesBelowColumns_data()
    {
        QTest::addColumn<QString>("change");
        QTest::newRow("a domain below a domain")
            << u"ALTER DOMAIN types.inner_ ADD CHECK (types.runs(VALUE)) NOT VALID"_s;
        QTest::newRow("a part of a composite") << u"ALTER TYPE types.pair ADD ATTRIBUTE c types.checked"_s;
        QTest::newRow("what a check below a domain calls")
            << u"CREATE OR REPLACE FUNCTION types.had(text) RETURNS boolean LANGUAGE sql AS 'SELECT types.runs($1)'"_s;
    }
    void typesBelowColumns()
    {
        QFETCH(QString, change);
        const auto made
            = root().run(uR"(DO $$ BEGIN IF to_regrole('typist') IS NULL THEN CREATE ROLE typist; END IF; END $$;
            CREATE SCHEMA types AUTHORIZATION typist; GRANT USAGE ON SCHEMA types TO PUBLIC; SET ROLE typist;
            CREATE FUNCTION types.had(text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
            CREATE DOMAIN types.inner_ AS text; CREATE DOMAIN types.outer_ AS types.inner_;
            CREATE DOMAIN types.had AS text CHECK (types.had(VALUE)); CREATE DOMAIN types.has AS types.had;
            CREATE TYPE types.pair AS (a int, b text);
            CREATE FUNCTION types.runs(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                DELETE FROM app.k WHERE status = 'succeeded'; RETURN true; END $$;
            CREATE DOMAIN types.checked AS text CHECK (types.runs(VALUE));
            RESET ROLE; ALTER TABLE app.k ADD COLUMN o types.outer_, ADD COLUMN h types.has, ADD COLUMN p types.pair;
            GRANT UPDATE (o, h) ON app.k TO idemdesk_runner_app_owner)"_s);
        QVERIFY2(made.ok(), qPrintable(made.value()));
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(
            u"[\"locked_until\",\"NULL\"]"_s, u"[\"locked_until\",\"NULL\"],[\"o\",\"'a'\"],[\"h\",\"'b'\"]"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        const auto changed = root().run(u"SET ROLE typist; %1; RESET ROLE"_s.arg(change));
        QVERIFY2(changed.ok(), qPrintable(changed.value()));
        op->run(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k"_s), u"650"_s);
        QCOMPARE(root().value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
        QCOMPARE(stateOf(id), u"paused"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// A plain part changes nothing, unless it brings code of its own.
    void partsWithCodeOfTheirOwn_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<bool>("pauses");
        QTest::newRow("a condition") << u"ALTER TABLE app.p1 ADD CHECK (app.runs(status))"_s << true;
        QTest::newRow("a default") << u"ALTER TABLE app.p1 ALTER COLUMN result SET DEFAULT app.says('x')"_s << true;
        QTest::newRow("an index") << u"CREATE INDEX ON app.p1 (app.says(status))"_s << true;
        QTest::newRow("a condition of built-in functions")
            << u"ALTER TABLE app.p1 ADD CHECK (length(status) > 0)"_s << false;
        QTest::newRow("a new part") << u"CREATE TABLE app.p2 PARTITION OF app.p FOR VALUES IN ('t2')"_s << false;
        QTest::newRow("a new part made like the whole")
            << u"CREATE TABLE app.p2 (LIKE app.p INCLUDING ALL); ALTER TABLE app.p ATTACH PARTITION app.p2 FOR VALUES "
               "IN ('t2')"_s
            << false;
    }
    void partsWithCodeOfTheirOwn()
    {
        QFETCH(QString, change);
        QFETCH(bool, pauses);
        parted();
        m_console->cluster().psql(m_console->database(), uR"(SET ROLE app_owner;
            CREATE FUNCTION app.says(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1';
            CREATE FUNCTION app.holds(text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
            CREATE FUNCTION app.runs(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                DELETE FROM app.p0; RETURN true; END $$;
            ALTER TABLE app.p ADD CHECK (app.holds(status)), ALTER COLUMN doc SET DEFAULT app.says('{}')::json;
            CREATE INDEX ON app.p (app.says(key)))"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(uR"(\"k\")"_s, uR"(\"p\")"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        const QString rows
            = root().value(u"SELECT jsonb_agg(jsonb_build_object('i', jsonb_build_array(tenant, key), 'g', "
                           "jsonb_build_array(status, locked_until::text, attempts::text), 'r', 0)) FROM "
                           "app.p WHERE key = 'k001'"_s);
        QCOMPARE(m_console->open(*op, id, u"recover"_s, rows).value(), u"running"_s);
        const QString before = root().value(u"SELECT count(*) FROM app.p0"_s);
        const auto changed = root().run(u"SET ROLE app_owner; %1; RESET ROLE"_s.arg(change));
        root().run(u"RESET ROLE"_s);
        // A check is tried on the rows that are there, by whoever makes it.
        root().run(u"INSERT INTO app.p0 SELECT * FROM app.k WHERE tenant = 't0' ON CONFLICT DO NOTHING"_s);
        QVERIFY2(changed.ok(), qPrintable(changed.value()));
        op->run(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
        QCOMPARE(root().value(u"SELECT count(*) FROM app.p0"_s), before);
        QCOMPARE(
            root().value(u"SELECT status FROM app.p WHERE key = 'k001'"_s), pauses ? u"processing"_s : u"failed"_s);
    }

    /// 25: a constraint that only one row violates stops that row.
    void deferredConstraintStopsItsRow_data()
    {
        QTest::addColumn<bool>("purge");
        QTest::newRow("a recovery") << false;
        QTest::newRow("a purge") << true;
    }
    void deferredConstraintStopsItsRow()
    {
        QFETCH(bool, purge);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        if (purge) {
            QVERIFY(root()
                        .run(u"CREATE TABLE app.child (tenant text, key text, FOREIGN KEY (tenant, key) REFERENCES "
                             u"app.k DEFERRABLE INITIALLY DEFERRED); "
                             "INSERT INTO app.child SELECT tenant, key FROM app.k WHERE key = 'd0007'"_s)
                        .ok());
            QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
            QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
            QString state = u"running"_s;
            for (int batch = 1; batch < 100 && state == u"running"_s; ++batch) {
                state = op->value(u"SELECT b ->> 'state' FROM idemdesk.purge_batch($1, $2, 1000) b"_s,
                    { id, QString::number(batch) });
            }
            QCOMPARE(state, u"finished"_s);
            QCOMPARE(root().value(u"SELECT string_agg(key, ' ') FROM app.k WHERE status = 'succeeded'"_s), u"d0007"_s);
            QCOMPARE(root().value(u"SELECT counts FROM idemdesk.action WHERE id = $1"_s, { id }),
                u"{\"check\": 1, \"purged\": 599}"_s);
            QCOMPARE(
                op->value(
                    u"SELECT DISTINCT outcome FROM idemdesk.items($1, 0, 0, 10000) WHERE identity = '{t1,d0007}'"_s,
                    { id }),
                u"check"_s);
        } else {
            QVERIFY(root()
                        .run(u"ALTER TABLE app.k ADD ref text REFERENCES app.eff (id) DEFERRABLE INITIALLY DEFERRED; "
                             "GRANT UPDATE (ref) ON app.k TO idemdesk_runner_app_owner"_s)
                        .ok());
            QString compiled = ConsoleFixture::compiled();
            compiled.replace(u"[\"status\",\"'failed'\"],[\"locked_until\",\"NULL\"]"_s,
                u"[\"status\",\"'failed'\"],[\"ref\",\"CASE WHEN t.key = 'k002' THEN 'nobody' END\"]"_s);
            const QString answer = m_console->registerTarget(compiled);
            QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
            QCOMPARE(
                m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key BETWEEN 'k001' AND 'k003'"_s)).value(),
                u"running"_s);
            QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 2, \"check\": 1}"_s);
            QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"2"_s);
        }
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksCodeTest)
#include "tst_attacks_code.moc"
