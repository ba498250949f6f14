// SPDX-License-Identifier: GPL-3.0-or-later
// Code that a target or a profile makes the console run: what it tries stays undone, and altering the guard fells the
// batch.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

/// A function that tries something and writes down in a table of its own how that went. It says that it is stable: a
/// volatile one is refused at registration. What it tries stands in a table, for who exchanged the function would pause
/// the action.
QString evil()
{
    return uR"(
CREATE TABLE app.log (what text); CREATE TABLE app.attempt AS SELECT 'NULL;'::text AS what; GRANT ALL ON app.log, app.attempt TO PUBLIC; GRANT USAGE ON SCHEMA app TO PUBLIC;
CREATE OR REPLACE FUNCTION app.evil_inside() RETURNS text LANGUAGE plpgsql VOLATILE AS $evil$
BEGIN
    BEGIN
        EXECUTE (SELECT format('DO %L', 'BEGIN ' || a.what || ' END') FROM app.attempt a);
        INSERT INTO app.log VALUES ('did it');
    EXCEPTION WHEN OTHERS THEN
        BEGIN
            INSERT INTO app.log VALUES (SQLSTATE);
        EXCEPTION WHEN read_only_sql_transaction THEN
            NULL;
        END;
    END;
    RETURN 'x';
END $evil$;
CREATE OR REPLACE FUNCTION app.evil() RETURNS text LANGUAGE plpgsql STABLE AS $evil$ BEGIN RETURN app.evil_inside(); END $evil$;
CREATE OR REPLACE FUNCTION app.evil_trigger() RETURNS trigger LANGUAGE plpgsql AS $evil$
BEGIN PERFORM app.evil(); RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END; END $evil$;
)"_s;
}

const auto kAppend
    = u"PERFORM idemdesk._append((SELECT max(id::text) FROM idemdesk.action)::uuid, 1, '{}', NULL, NULL, '{\"done\": 1}', '{}', true, '{}');"_s;
/// The text of a statement appears in the caller's context, so it pretends to be the console's own function.
const auto kMimic = u"EXECUTE 'SELECT idemdesk._append((SELECT max(id::text) FROM idemdesk.action)::uuid, 1, ''{}'', "
                    u"NULL, NULL, ''{}'', ''{}'', true, ''{}'') /*\nPL/pgSQL "
                    "function idemdesk.change_batch(uuid,integer,integer) line 1 at assignment */';"_s;
const auto kMimicFirst = u"EXECUTE E'/*\\nPL/pgSQL function idemdesk.change_batch(uuid,integer,integer) line 1 at "
                         u"assignment\\n*/ SELECT idemdesk._begin_batch((SELECT max(id::text) "
                         "FROM idemdesk.action)::uuid, 1, 1)';"_s;

/// A function whose name is the console's but for the dot, in the search path, hence shown without its schema.
const auto kLookAlike
    = u"CREATE FUNCTION pg_temp.idemdeskXchange_batch(uuid) RETURNS jsonb LANGUAGE plpgsql AS 'DECLARE r jsonb; BEGIN "
      u"r := idemdesk._begin_batch($1, 1, 1); "
      "RETURN r; END'; PERFORM pg_temp.idemdeskXchange_batch((SELECT max(id::text) FROM idemdesk.action)::uuid);"_s;

class TrailHostileTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }

    void init() { m_console->fresh(); }

    void attempts_data()
    {
        QTest::addColumn<QString>("attempt");
        QTest::addColumn<QString>("log"); ///< what the attempt met
        QTest::addColumn<QString>("place"); ///< where it runs
        const struct {
            const char *name;
            QString attempt;
            const char16_t *log;
        } cases[] = {
            { "appends a batch", kAppend, u"42501" },
            { "appends a batch under another's name", kMimic, u"42501" },
            { "begins a batch, the name first", kMimicFirst, u"42501" },
            { "begins a batch by a look-alike", kLookAlike, u"42501" },
            { "begins a batch, backslashes plain", u"SET LOCAL standard_conforming_strings = off; "_s + kLookAlike,
                u"42501" },
            { "begins a batch",
                u"PERFORM idemdesk._begin_batch((SELECT max(id::text) FROM idemdesk.action)::uuid, 1, 1);"_s,
                u"42501" },
            { "writes the chain", u"PERFORM idemdesk._chain('open', NULL, NULL, NULL, '{}', NULL);"_s, u"42501" },
            { "registers", u"PERFORM idemdesk._register('x', 1, '', '{}', '', '{}', '{}', '[]', '[]');"_s, u"42501" },
            { "updates the trail", u"UPDATE idemdesk.audit SET who = 'op2';"_s, u"42501" },
            { "deletes from the trail", u"DELETE FROM idemdesk.audit;"_s, u"42501" },
            { "truncates the trail", u"TRUNCATE idemdesk.audit;"_s, u"42501" },
            { "disables triggers", u"ALTER TABLE idemdesk.audit DISABLE TRIGGER ALL;"_s, u"42501" },
            { "becomes the owner", u"SET ROLE idemdesk_owner;"_s, u"42501" },
            { "grants itself", u"GRANT INSERT ON idemdesk.audit TO PUBLIC;"_s, u"42501" },
            { "replaces a function",
                u"CREATE OR REPLACE FUNCTION idemdesk._require_guard() RETURNS void LANGUAGE sql AS 'SELECT NULL::text';"_s,
                u"42501" },
            { "drops the trampoline's settings", u"ALTER FUNCTION idemdesk._run_app_owner RESET ALL;"_s, u"42501" },
            { "grants the trampoline", u"GRANT EXECUTE ON FUNCTION idemdesk._run_app_owner TO PUBLIC;"_s, u"42501" },
            { "drops the trampoline", u"DROP FUNCTION idemdesk._run_app_owner;"_s, u"42501" },
            { "approves",
                u"PERFORM idemdesk.approve_action((SELECT max(id::text) FROM idemdesk.action)::uuid, true);"_s,
                u"42501" },
            { "changes the action", u"UPDATE idemdesk.action SET state = 'finished';"_s, u"42501" },
        };
        for (const char *place : { "trigger", "set", "state", "effect", "purge" }) {
            for (const auto &one : cases) {
                QTest::addRow("%s: %s", place, one.name)
                    << one.attempt << QString::fromUtf16(one.log) << QString::fromLatin1(place);
            }
        }
    }

    void attempts()
    {
        QFETCH(QString, attempt);
        QFETCH(QString, log);
        QFETCH(QString, place);
        m_console->fresh(place, [this, place] {
            const auto planted = plant(place);
            QVERIFY2(planted.ok(), qPrintable(planted.value()));
        });
        const auto op = m_console->as(u"op"_s);
        const auto run = runPlanted(*op, ConsoleFixture::newId(), place, attempt);
        const QString logged = m_console->root().value(u"SELECT string_agg(DISTINCT what, ' ') FROM app.log"_s);
        QVERIFY2(run.ok(), qPrintable(run.value()));
        // Evidence is looked for read-only and taken back: not even the log of the attempt is left.
        QCOMPARE(logged, place == u"effect"_s ? QString() : log);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'batch'"_s), u"1"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red'"_s), u"0"_s);
    }

    /// A runner owns its trampoline, and cannot reach it; a superuser's function can, and the batch that it ran in must
    /// fall.
    void alterations_data()
    {
        QTest::addColumn<QString>("attempt");
        QTest::newRow("drops its settings") << u"ALTER FUNCTION idemdesk._run_app_owner RESET ALL;"_s;
        QTest::newRow("grants it") << u"GRANT EXECUTE ON FUNCTION idemdesk._run_app_owner TO PUBLIC;"_s;
        QTest::newRow("makes it its caller's") << u"ALTER FUNCTION idemdesk._run_app_owner SECURITY INVOKER;"_s;
        QTest::newRow("drops it") << u"DROP FUNCTION idemdesk._run_app_owner;"_s;
        QTest::newRow("skips it for NULL") << u"ALTER FUNCTION idemdesk._run_app_owner STRICT;"_s;
    }

    void alterations()
    {
        QFETCH(QString, attempt);
        const auto op = m_console->as(u"op"_s);
        for (const QString &place : { u"trigger"_s, u"set"_s }) {
            m_console->fresh();
            const auto who = m_console->as(u"op"_s);
            const auto planted = plant(place, u"ALTER FUNCTION app.evil_inside() SECURITY DEFINER"_s);
            QVERIFY2(planted.ok(), qPrintable(planted.value()));
            const auto run = runPlanted(*who, ConsoleFixture::newId(), place, attempt);
            // Where it is gone the row itself cannot end, so that it is taken back alone; the others fell the batch.
            const bool rowAlone = attempt.startsWith(u"DROP"_s);
            QVERIFY2(rowAlone ? run.value().contains(u"\"refused\": 1"_s) && run.value().contains(u"has altered"_s)
                              : run.state == u"ID004"_s,
                qPrintable(place + u": "_s + run.value()));
            QCOMPARE(m_console->root().value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), u"50"_s);
            QCOMPARE(who->value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red'"_s), u"0"_s);
        }
    }

    /// Whatever a session sets or shadows, the trail's content and hashes are the same to every reader.
    void sessions_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::newRow("time zone") << u"SET TimeZone = 'Asia/Kathmandu'"_s;
        QTest::newRow("dates as German") << u"SET DateStyle = 'German, DMY'; SET TimeZone = 'America/St_Johns'"_s;
        QTest::newRow("dates as SQL") << u"SET DateStyle = 'SQL, MDY'"_s;
        QTest::newRow("intervals") << u"SET IntervalStyle = 'iso_8601'"_s;
        QTest::newRow("backslashes") << u"SET standard_conforming_strings = off; SET backslash_quote = on"_s;
        QTest::newRow("bytea and floats") << u"SET bytea_output = 'escape'; SET extra_float_digits = -15"_s;
        QTest::newRow("NULL as text") << u"SET transform_null_equals = on; SET array_nulls = off"_s;
        QTest::newRow("client encoding") << u"SET client_encoding = 'LATIN1'"_s;
        QTest::newRow("an empty search path") << u"SET search_path = ''"_s;
    }
    void sessions()
    {
        QFETCH(QString, settings);
        const auto plain = m_console->as(u"op"_s);
        const auto op = m_console->as(u"op"_s);
        const auto set = op->run(settings);
        QVERIFY2(set.ok(), qPrintable(set.value()));
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key BETWEEN 'k001' AND 'k003'"_s)).value(),
            u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 3}"_s);
        QCOMPARE(m_console->root().value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"3"_s);
        const QString undo = ConsoleFixture::newId();
        QCOMPARE(
            op->value(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL) ->> 'planned_rows'"_s, { undo, id }), u"3"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"undo_batch"_s, undo, 1), u"{\"done\": 3}"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        QCOMPARE(ConsoleFixture::verified(*plain), u"t"_s);
        QCOMPARE(op->value(u"SELECT idemdesk.audit_hash_at(5)"_s), plain->value(u"SELECT idemdesk.audit_hash_at(5)"_s));
        QCOMPARE(m_console->root().value(
                     u"SELECT count(*) FROM app.k WHERE status = 'processing' AND updated_at IS NOT NULL"_s),
            u"50"_s);
        const QString purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, purge, 600).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, purge, 1, 10), u"{\"purged\": 10}"_s);
        QCOMPARE(ConsoleFixture::verified(*plain), u"t"_s);
    }

    /// A session with things of its own acts on nothing until they are gone: the table's code could mean them.
    void sessionsWithThingsOfTheirOwn_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::newRow("a temp table of the trail's name")
            << u"CREATE TEMP TABLE audit (seq bigint); CREATE TEMP TABLE audit_head (seq bigint, hash bytea); SET search_path = pg_temp, idemdesk"_s;
        QTest::newRow("operators and functions in pg_temp")
            << u"CREATE FUNCTION pg_temp.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT ''x''::bytea'; "
               "CREATE FUNCTION pg_temp.eq(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'; CREATE OPERATOR "
               "pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.eq); "
               "SET search_path = pg_temp, pg_catalog"_s;
        QTest::newRow("a temp table of the target's name")
            << u"CREATE TEMP TABLE k (tenant text, key text, status text); SET search_path = pg_temp, app"_s;
    }
    void sessionsWithThingsOfTheirOwn()
    {
        QFETCH(QString, settings);
        const auto plain = m_console->as(u"op"_s);
        const auto op = m_console->as(u"op"_s);
        const auto set = op->run(settings);
        QVERIFY2(set.ok(), qPrintable(set.value()));
        const QString head = plain->value(u"SELECT head_hash FROM idemdesk.verify_audit()"_s);
        const QString said = m_console
                                 ->open(*op, ConsoleFixture::newId(), u"recover"_s,
                                     m_console->frozen(u"key BETWEEN 'k001' AND 'k003'"_s))
                                 .value();
        QVERIFY2(said.contains(u"ID011") && said.contains(u"something of its own"), qPrintable(said));
        QCOMPARE(m_console->root().value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"0"_s);
        QCOMPARE(plain->value(u"SELECT head_hash FROM idemdesk.verify_audit()"_s), head);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s); // reading means the console's own tables, whatever lies before
    }

private:
    /// Registers the target anew, with code at this place that does what app.attempt says.
    Connection::Answer plant(const QString &place, const QString &after = {})
    {
        Connection &root = m_console->root();
        const bool purge = place == u"purge"_s;
        const auto made = root.run(evil() + after);
        if (!made.ok()) {
            return made;
        }
        QString compiled = ConsoleFixture::compiled();
        if (place == u"set"_s) {
            compiled.replace(u"[\"status\",\"'failed'\"],[\"locked_until\",\"NULL\"]"_s,
                u"[\"status\",\"'failed'\"],[\"result\",\"app.evil()\"]"_s);
        } else if (place == u"state"_s) {
            compiled.replace(u"ELSE 'unknown' END"_s, u"WHEN app.evil() THEN 'unknown' ELSE 'unknown' END"_s);
            compiled.replace(u"CASE (t.status) WHEN 'processing'"_s,
                u"CASE (t.status) WHEN app.evil() THEN 'unknown' WHEN 'processing'"_s);
        } else if (place == u"effect"_s) {
            compiled.replace(u"SELECT f.id FROM app.eff f WHERE f.tenant=t.tenant"_s,
                u"SELECT app.evil() AS id FROM app.eff f WHERE app.evil() = 'y' AND f.tenant=t.tenant"_s);
        } else if (purge) {
            compiled.replace(u"(t.expires_at < ($1))"_s, u"(t.expires_at < ($1) AND app.evil() = 'x')"_s);
        }
        if (place == u"effect"_s) { // where it exists no other rule frees the key
            root.run(u"INSERT INTO app.eff SELECT key, tenant, key FROM app.k WHERE key = 'k001'"_s);
        }
        if (place == u"trigger"_s) {
            root.run(
                u"CREATE TRIGGER evil BEFORE UPDATE OR DELETE ON app.k FOR EACH ROW EXECUTE FUNCTION app.evil_trigger()"_s);
        }
        const QString answer = m_console->registerTarget(compiled);
        if (!answer.contains(u"\"registered\": true"_s)) {
            return { u"not registered"_s, answer, {} };
        }
        return made;
    }

    /// Runs one batch in which the code that was planted makes the attempt.
    Connection::Answer runPlanted(Connection &op, const QString &id, const QString &place, const QString &attempt)
    {
        Connection &root = m_console->root();
        const bool purge = place == u"purge"_s;
        const auto opened = purge ? m_console->openPurge(op, id, 600)
                                  : m_console->open(op, id, u"recover"_s,
                                      m_console->frozen(u"key = 'k001'"_s, place == u"effect"_s ? 1 : 0,
                                          place == u"effect"_s ? u"k001"_s : QString()));
        const auto made = root.run(u"UPDATE app.attempt SET what = $1"_s, { attempt });
        if (!opened.ok() || !made.ok() || !root.run(u"TRUNCATE app.log"_s).ok()) {
            return opened.ok() ? made : opened;
        }
        return op.run(u"SELECT idemdesk.%1($1, 1, 5)"_s.arg(purge ? u"purge_batch"_s : u"change_batch"_s), { id });
    }
};

} // namespace

QTEST_GUILESS_MAIN(TrailHostileTest)
#include "tst_trail_hostile.moc"
