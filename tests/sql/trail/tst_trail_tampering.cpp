// SPDX-License-Identifier: GPL-3.0-or-later
// What is done to the trail behind the console's back: refused, or named by verify_audit(), by an anchor, or by the
// guard.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

/// Writes the chain again from row p_from on, as an owner with time on their hands would.
const auto kRewrite = uR"(
DO $$ DECLARE r idemdesk.audit; prev bytea; h bytea; BEGIN
    SELECT coalesce((SELECT a.hash FROM idemdesk.audit a WHERE a.seq = %1 - 1), sha256('idemdesk')) INTO prev;
    FOR r IN SELECT * FROM idemdesk.audit WHERE seq >= %1 ORDER BY seq LOOP
        h := idemdesk._row_hash(r, prev);
        UPDATE idemdesk.audit SET prev_hash = prev, hash = h WHERE seq = r.seq;
        prev := h;
    END LOOP;
    UPDATE idemdesk.audit_head SET seq = (SELECT max(seq) FROM idemdesk.audit), hash = prev;
END $$)"_s;

class TrailTamperingTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;
    QString m_action;
    QString m_purge;
    QStringList m_anchor; ///< seq, hash of the head
    QString m_middle; ///< hash of row 7, anchored earlier

    /// A trail with a little of everything; the anchor taken at its end.
    void fill()
    {
        const auto op = m_console->as(u"op"_s);
        m_action = ConsoleFixture::newId();
        QCOMPARE(
            m_console->open(*op, m_action, u"recover"_s, m_console->frozen(u"key BETWEEN 'k001' AND 'k006'"_s)).value(),
            u"running"_s);
        for (int batch = 1; batch <= 3; ++batch) {
            QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, m_action, batch, 2), u"{\"done\": 2}"_s);
        }
        m_purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, m_purge, 600).value(), u"running"_s);
        for (int batch = 1; batch <= 3; ++batch) {
            QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, m_purge, batch, 20), u"{\"purged\": 20}"_s);
        }
        QCOMPARE(op->value(u"SELECT idemdesk.set_action($1, 'paused', 'tea') ->> 'state'"_s, { m_purge }), u"paused"_s);
        m_anchor = op->run(u"SELECT seq, hash FROM idemdesk.audit_anchor()"_s).rows.first();
        QCOMPARE(m_anchor.first(), u"12"_s);
        m_middle = op->value(u"SELECT idemdesk.audit_hash_at(7)"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// The root's own login is red on its own account; an operator's view is what counts.
    QString reds(Connection &op)
    {
        const auto answer
            = op.run(u"SELECT DISTINCT code FROM idemdesk.guard_findings() WHERE severity = 'red' ORDER BY 1"_s);
        QStringList out;
        for (const QStringList &row : answer.rows) {
            out.append(row.first());
        }
        return answer.ok() ? out.join(u' ') : answer.value();
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".?")));
        m_console = std::make_unique<ConsoleFixture>();
    }

    void init()
    {
        m_console->fresh([this] { fill(); });
    }

    void refused_data()
    {
        QTest::addColumn<QString>("role");
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("state");
        for (const char *table : { "audit", "action_batch", "action_item", "quarantine" }) {
            const QString name = QString::fromLatin1(table);
            const QString column = name == u"audit"_s ? u"seq"_s : u"action"_s;
            for (const char *role : { "op", "idemdesk_owner", "boss" }) {
                const QString who = QString::fromLatin1(role);
                const QString state = who == u"op"_s ? u"42501"_s : u"ID012"_s;
                QTest::addRow("%s updates %s", role, table)
                    << who << u"UPDATE idemdesk.%1 SET %2 = %2"_s.arg(name, column) << state;
                QTest::addRow("%s deletes from %s", role, table)
                    << who << u"DELETE FROM idemdesk.%1"_s.arg(name) << state;
                QTest::addRow("%s truncates %s", role, table) << who << u"TRUNCATE idemdesk.%1"_s.arg(name) << state;
            }
            QTest::addRow("a superuser as a replica deletes from %s", table)
                << u"boss"_s << u"SET session_replication_role = replica; DELETE FROM idemdesk.%1"_s.arg(name)
                << u"ID012"_s;
            QTest::addRow("a superuser as a replica truncates %s", table)
                << u"boss"_s << u"SET session_replication_role = replica; TRUNCATE idemdesk.%1"_s.arg(name)
                << u"ID012"_s;
        }
        QTest::newRow("an operator forges a row")
            << u"op"_s << u"INSERT INTO idemdesk.audit SELECT * FROM idemdesk.audit"_s << u"42501"_s;
        QTest::newRow("an operator moves the head")
            << u"op"_s << u"UPDATE idemdesk.audit_head SET seq = 1"_s << u"42501"_s;
        QTest::newRow("a partition of the items is truncated")
            << u"boss"_s << u"TRUNCATE idemdesk.action_item_%1"_s << u"ID012"_s;
        QTest::newRow("a partition of the items as a replica")
            << u"boss"_s << u"SET session_replication_role = replica; DELETE FROM idemdesk.action_item_%1"_s
            << u"ID012"_s;
    }

    void refused()
    {
        QFETCH(QString, role);
        QFETCH(QString, sql);
        QFETCH(QString, state);
        const auto who = m_console->as(role == u"op"_s ? role : u"boss"_s);
        if (role == u"idemdesk_owner"_s) {
            QCOMPARE(who->state(u"SET ROLE idemdesk_owner"_s), QString());
        }
        if (sql.contains(u"%1"_s)) {
            sql = sql.arg(
                m_console->root().value(u"SELECT to_char(date_trunc('month', timezone('UTC', now())), 'YYYYMMDD')"_s));
        }
        const auto answer = who->run(sql);
        QVERIFY2(answer.state == state, qPrintable(answer.value()));
        QCOMPARE(ConsoleFixture::verified(*m_console->as(u"op"_s)), u"t"_s);
    }

    /// Triggers off, something changed, triggers on again: nothing but the content shows it.
    void found_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("verified"); ///< "t": only the anchor can tell
        QTest::addColumn<bool>("anchorDiffers");
        const QString edit = u"UPDATE idemdesk.audit SET %1 WHERE seq = 7"_s;
        const struct {
            const char *name;
            const char16_t *set;
        } fields[] = { { "at, by a microsecond", u"at = at + interval '1 us'" }, { "who", u"who = 'op2'" },
            { "role", u"role = 'x'" }, { "pid", u"pid = pid + 1" }, { "address", u"address = '10.0.0.1'" },
            { "application", u"application = application || ' '" }, { "action", u"action = gen_random_uuid()" },
            { "batch", u"batch = batch + 100" }, { "what", u"what = 'open'" }, { "target", u"target = 'K'" },
            { "facts", u"facts = facts || '{\"x\": 1}'" }, { "items_sha", u"items_sha = sha256('x')" },
            { "items_sha dropped", u"items_sha = NULL" }, { "hash", u"hash = sha256('x')" },
            { "prev_hash", u"prev_hash = sha256('x')" } };
        for (const auto &field : fields) {
            QTest::addRow("field %s", field.name)
                << edit.arg(QString::fromUtf16(field.set)) << u"7: "_s << (QByteArray(field.name) == "hash");
        }
        QTest::newRow("a number of the facts in another form")
            << u"UPDATE idemdesk.audit SET facts = jsonb_set(facts, '{totals,done}', '8.0') WHERE seq = 7"_s << u"7: "_s
            << false;
        QTest::newRow("two bodies swapped")
            << u"UPDATE idemdesk.audit a SET facts = b.facts FROM idemdesk.audit b WHERE a.seq + b.seq = 13 AND a.seq IN (6, 7)"_s
            << u"6: "_s << false;
        QTest::newRow("two rows swapped whole")
            << u"UPDATE idemdesk.audit SET seq = 1000 WHERE seq = 6; UPDATE idemdesk.audit SET seq = 6 WHERE seq = 7; "
               "UPDATE idemdesk.audit SET seq = 7 WHERE seq = 1000"_s
            << u"6: "_s << true;
        QTest::newRow("a middle row deleted")
            << u"DELETE FROM idemdesk.audit WHERE seq = 7"_s << u"row 7 is missing"_s << true;
        QTest::newRow("the first row deleted")
            << u"DELETE FROM idemdesk.audit WHERE seq = 1"_s << u"row 1 is missing"_s << false;
        QTest::newRow("the tail cut, the head left")
            << u"DELETE FROM idemdesk.audit WHERE seq > 10"_s << u"11"_s << true;
        QTest::newRow("the tail of pauses cut, the head put back")
            << u"DELETE FROM idemdesk.audit WHERE seq > 11; "
               "UPDATE idemdesk.audit_head SET seq = 11, hash = (SELECT hash FROM idemdesk.audit WHERE seq = 11)"_s
            << u"is not what was asked for"_s << true;
        QTest::newRow("the tail rewritten, each hash anew")
            << u"UPDATE idemdesk.audit SET facts = '{\"note\": \"milk\"}' WHERE seq = 12;"_s + kRewrite.arg(12)
            << u"is not what was asked for"_s << true;
        QTest::newRow("the whole trail rewritten")
            << u"UPDATE idemdesk.audit SET who = 'op2';"_s + kRewrite.arg(1) << u"is not what was asked for"_s << true;
        QTest::newRow("the whole trail rewritten, and all that it vouches for")
            << u"UPDATE idemdesk.audit SET who = 'op2'; UPDATE idemdesk.action SET requested_by = 'op2'; "
               "UPDATE idemdesk.target SET registered_by = 'op2';"_s
                + kRewrite.arg(1)
            << u"t"_s << true;
        QTest::newRow("a batch's items_sha and all hashes rewritten")
            << u"UPDATE idemdesk.audit SET items_sha = sha256('x') WHERE seq = 6;"_s + kRewrite.arg(6) << u"6: "_s
            << true;
        QTest::newRow("an item's outcome")
            << u"UPDATE idemdesk.action_item SET outcome = 'gone' WHERE batch = 2 AND ordinal = 3"_s << u"6: "_s
            << false;
        QTest::newRow("an item's before-image")
            << u"UPDATE idemdesk.action_item SET before[3] = 'x' WHERE batch = 2 AND ordinal = 3"_s << u"6: "_s
            << false;
        QTest::newRow("an item gone") << u"DELETE FROM idemdesk.action_item WHERE batch = 2 AND ordinal = 3"_s
                                      << u"6: "_s << false;
        QTest::newRow("an item too many") << u"INSERT INTO idemdesk.action_item SELECT opened_on, action, batch, 99, "
                                             u"identity, identity_hash, before, after, outcome, detail "
                                             "FROM idemdesk.action_item WHERE batch = 2 AND ordinal = 3"_s
                                          << u"6: "_s << false;
        QTest::newRow("a purged image") << u"UPDATE idemdesk.quarantine SET images[1] = images[2] WHERE batch = 2"_s
                                        << u"10: "_s << false;
        QTest::newRow("a purged identity")
            << u"UPDATE idemdesk.quarantine SET identities[1] = '{t0,other}' WHERE batch = 2"_s << u"10: "_s << false;
        QTest::newRow("a quarantine row gone")
            << u"DELETE FROM idemdesk.quarantine WHERE batch = 2"_s << u"10: "_s << false;
        QTest::newRow("a batch row gone")
            << u"DELETE FROM idemdesk.action_batch WHERE batch = 2 AND audit_seq = 6"_s << u"6: "_s << false;
        QTest::newRow("scopes of no batch")
            << u"INSERT INTO idemdesk.action_scope (action, batch, scopes) SELECT id, 77, '[]' FROM idemdesk.action "
               u"LIMIT 1"_s
            << u"which is no batch of it"_s << false;
        QTest::newRow("a looser limit") << u"UPDATE idemdesk.target_limit SET approval_above = 999999"_s
                                        << u"the limit of the table"_s << false;
        QTest::newRow("a limit of somebody else")
            << u"UPDATE idemdesk.target_limit SET set_by = 'x'"_s << u"the limit of the table"_s << false;
        QTest::newRow("a limit gone") << u"DELETE FROM idemdesk.target_limit"_s << u"the limit of the table"_s << false;
        QTest::newRow("a note") << u"UPDATE idemdesk.action SET note = 'forged'"_s << u"is not what was asked for"_s
                                << false;
        QTest::newRow("when it finished")
            << u"UPDATE idemdesk.action SET finished_at = coalesce(finished_at, now()) - interval '1 day'"_s
            << u"is not what was asked for"_s << false;
        QTest::newRow("where a purge goes on")
            << u"UPDATE idemdesk.action SET cursor = '{\"x\": 1}'"_s << u"is not what was asked for"_s << false;
        QTest::newRow("a row of the frozen set gone")
            << u"DELETE FROM idemdesk.action_row WHERE ordinal = 1"_s << u"is not what was asked for"_s << false;
        QTest::newRow("another guard in the frozen set")
            << u"UPDATE idemdesk.action_row SET guard[1] = 'x' WHERE ordinal = 1"_s << u"is not what was asked for"_s
            << false;
    }

    void found()
    {
        QFETCH(QString, sql);
        QFETCH(QString, verified);
        QFETCH(bool, anchorDiffers);
        const QString tables[] = { u"audit"_s, u"action_batch"_s, u"action_item"_s, u"quarantine"_s };
        Connection &root = m_console->root();
        QString off;
        for (const QString &table : tables) {
            off += u"ALTER TABLE idemdesk.%1 DISABLE TRIGGER USER;"_s.arg(table);
        }
        const auto done = root.run(off + sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        const auto op = m_console->as(u"op"_s);
        const QString got = ConsoleFixture::verified(*op);
        QVERIFY2(verified == u"t"_s ? got == verified : got != u"t"_s && got.contains(verified), qPrintable(got));
        const QString head = op->value(u"SELECT idemdesk.audit_hash_at($1)"_s, { m_anchor.first() });
        const QString middle = op->value(u"SELECT idemdesk.audit_hash_at(7)"_s);
        QCOMPARE(head != m_anchor.last() || middle != m_middle, anchorDiffers);
        // And the guard says that triggers are off.
        QCOMPARE(reds(*op), u"trigger"_s);
    }

    /// Each weakening of the guard turns red and no action starts.
    void red_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("back"); ///< for what belongs to the cluster
        QTest::newRow("trigger disabled")
            << u"ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows"_s << u"trigger"_s << QString();
        QTest::newRow("trigger not ALWAYS")
            << u"ALTER TABLE idemdesk.audit ENABLE TRIGGER keep_table"_s << u"trigger"_s << QString();
        QTest::newRow("trigger dropped") << u"DROP TRIGGER keep_rows ON idemdesk.quarantine"_s << u"trigger"_s
                                         << QString();
        QTest::newRow("trigger added")
            << u"CREATE TRIGGER x BEFORE INSERT ON idemdesk.audit FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()"_s
            << u"trigger"_s << QString();
        QTest::newRow("trigger function replaced")
            << u"CREATE OR REPLACE FUNCTION idemdesk._refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'"_s
            << u"function"_s << QString();
        QTest::newRow("verify replaced")
            << u"CREATE OR REPLACE FUNCTION idemdesk.audit_hash_at(p_seq bigint) RETURNS text LANGUAGE sql AS 'SELECT NULL::text'"_s
            << u"function"_s << QString();
        QTest::newRow("function's settings dropped")
            << u"ALTER FUNCTION idemdesk.change_batch(uuid, integer, integer) RESET ALL"_s << u"function"_s
            << QString();
        QTest::newRow("function given another owner")
            << u"ALTER FUNCTION idemdesk.change_batch(uuid, integer, integer) OWNER TO boss"_s << u"function"_s
            << QString();
        QTest::newRow("function added") << u"CREATE FUNCTION idemdesk.extra() RETURNS int LANGUAGE sql AS 'SELECT 1'"_s
                                        << u"function grant"_s << QString();
        QTest::newRow("function dropped")
            << u"DROP FUNCTION idemdesk.set_shared_login(text, boolean)"_s << u"function"_s << QString();
        QTest::newRow("inner function granted")
            << u"GRANT EXECUTE ON FUNCTION idemdesk._chain(text, text, uuid, integer, jsonb, bytea) TO op"_s
            << u"function grant"_s << QString();
        QTest::newRow("rule on the trail")
            << u"CREATE RULE x AS ON INSERT TO idemdesk.audit DO INSTEAD NOTHING"_s << u"rule"_s << QString();
        QTest::newRow("child of the trail")
            << u"CREATE TABLE app.child () INHERITS (idemdesk.audit)"_s << u"inherits"_s << QString();
        QTest::newRow("trail renamed, an empty one in its place")
            << u"ALTER TABLE idemdesk.audit RENAME TO old; CREATE TABLE idemdesk.audit (LIKE idemdesk.old INCLUDING "
               u"ALL); "
               "ALTER TABLE idemdesk.audit OWNER TO idemdesk_owner; GRANT SELECT ON idemdesk.audit TO idemdesk_viewer"_s
            << u"function grant table trigger"_s << QString();
        QTest::newRow("trail given away")
            << u"ALTER TABLE idemdesk.audit OWNER TO app_owner"_s << u"owner"_s << QString();
        QTest::newRow("INSERT granted") << u"GRANT INSERT ON idemdesk.audit TO op"_s << u"grant"_s << QString();
        QTest::newRow("TRIGGER granted") << u"GRANT TRIGGER ON idemdesk.audit TO op"_s << u"grant"_s << QString();
        QTest::newRow("a column granted")
            << u"GRANT UPDATE (facts) ON idemdesk.audit TO op"_s << u"grant"_s << QString();
        QTest::newRow("SELECT on the quarantine granted")
            << u"GRANT SELECT ON idemdesk.quarantine TO PUBLIC"_s << u"grant"_s << QString();
        QTest::newRow("CREATE granted") << u"GRANT CREATE ON SCHEMA idemdesk TO op"_s << u"grant"_s << QString();
        const QString part
            = u"DO $$ BEGIN EXECUTE format('ALTER TABLE %s %1', (SELECT min(tableoid::regclass::text) FROM "
              "idemdesk.%2)); END $$"_s;
        QTest::newRow("a part of the items unlogged")
            << part.arg(u"SET UNLOGGED"_s, u"action_item"_s) << u"table"_s << QString();
        QTest::newRow("a part of the items that hides rows")
            << part.arg(u"ENABLE ROW LEVEL SECURITY"_s, u"action_item"_s) << u"table"_s << QString();
        QTest::newRow("a part of the quarantine that takes no more")
            << part.arg(u"ADD CHECK (batch < 4)"_s, u"quarantine"_s) << u"table"_s << QString();
        QTest::newRow("a materialized view")
            << u"CREATE MATERIALIZED VIEW idemdesk.m AS SELECT * FROM idemdesk.audit"_s << u"extra"_s << QString();
        QTest::newRow("a type") << u"CREATE TYPE idemdesk.t AS ENUM ('a')"_s << u"extra"_s << QString();
        QTest::newRow("an operator")
            << u"CREATE OPERATOR idemdesk.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = int4ne)"_s << u"extra"_s
            << QString();
        QTest::newRow("a member of the owner")
            << u"GRANT idemdesk_owner TO service"_s << u"member"_s << u"REVOKE idemdesk_owner FROM service"_s;
        QTest::newRow("the owner may log in")
            << u"ALTER ROLE idemdesk_owner LOGIN"_s << u"role"_s << u"ALTER ROLE idemdesk_owner NOLOGIN"_s;
        if (m_console->root().value(u"SELECT to_regclass('pg_catalog.pg_parameter_acl') IS NOT NULL"_s)
            == u"t"_s) { // from 15 on
            QTest::newRow("SET of session_replication_role")
                << u"GRANT SET ON PARAMETER session_replication_role TO service"_s << u"parameter"_s
                << u"REVOKE SET ON PARAMETER session_replication_role FROM service"_s;
        }
        QTest::newRow("pg_write_all_data")
            << u"GRANT pg_write_all_data TO service"_s << u"member"_s << u"REVOKE pg_write_all_data FROM service"_s;
    }

    void red()
    {
        QFETCH(QString, sql);
        QFETCH(QString, code);
        QFETCH(QString, back);
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(reds(*op), QString());
        const auto weakened = m_console->root().run(sql);
        QVERIFY2(weakened.ok(), qPrintable(weakened.value()));
        const QString codes = reds(*op);
        const auto opened
            = m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s));
        if (!back.isEmpty()) {
            m_console->root().run(back);
        }
        QCOMPARE(codes, code);
        QVERIFY2(opened.state == u"ID004"_s, qPrintable(opened.value()));
    }

    void amber_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("finding");
        QTest::addColumn<QString>("back"); ///< for what belongs to the cluster
        QTest::newRow("a publication of purged rows")
            << u"CREATE PUBLICATION x FOR TABLE idemdesk.quarantine"_s << u"publication x"_s << QString();
        QTest::newRow("a publication of everything")
            << u"CREATE PUBLICATION x FOR ALL TABLES"_s << u"publication x"_s << QString();
        QTest::newRow("a replica identity")
            << u"ALTER TABLE idemdesk.action REPLICA IDENTITY NOTHING"_s << u"idemdesk.action"_s << QString();
        QTest::newRow("operators who all approve")
            << u"GRANT idemdesk_approver TO idemdesk_operator"_s << u"idemdesk_operator is in idemdesk_approver"_s
            << u"REVOKE idemdesk_approver FROM idemdesk_operator"_s;
    }

    void amber()
    {
        QFETCH(QString, sql);
        QFETCH(QString, finding);
        QFETCH(QString, back);
        const auto op = m_console->as(u"op"_s);
        const auto told = [&] {
            return op->value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'amber' AND "
                             "finding LIKE '%' || $1 || '%'"_s,
                { finding });
        };
        QCOMPARE(told(), u"0"_s);
        const auto done = m_console->root().run(sql);
        const QString count = told();
        const QString red = reds(*op);
        if (!back.isEmpty()) {
            m_console->root().run(back);
        }
        QVERIFY2(done.ok(), qPrintable(done.value()));
        QCOMPARE(count, u"1"_s);
        QCOMPARE(red, QString());
    }

    /// A schema given away takes the guard's own rights with it: nothing works any more, which is as good as red.
    void schemaGivenAway()
    {
        const auto op = m_console->as(u"op"_s);
        QVERIFY(m_console->root().run(u"ALTER SCHEMA idemdesk OWNER TO app_owner"_s).ok());
        QCOMPARE(op->state(u"SELECT * FROM idemdesk.guard_findings()"_s), u"42501"_s);
        QCOMPARE(
            m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).state,
            u"42501"_s);
    }

    /// Behind an open action, so that no red guard stops it first: the batch must fall with its audit row.
    void swallowed_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("state");
        QTest::newRow("by a rule") << u"CREATE RULE x AS ON INSERT TO idemdesk.audit DO INSTEAD NOTHING"_s
                                   << u"ID010"_s;
        QTest::newRow("by a rule into another table")
            << u"CREATE TABLE app.bin (LIKE idemdesk.audit); GRANT ALL ON app.bin TO PUBLIC; GRANT USAGE ON SCHEMA app "
               u"TO PUBLIC; "
               "CREATE RULE x AS ON INSERT TO idemdesk.audit DO INSTEAD INSERT INTO app.bin VALUES (NEW.*)"_s
            << u"ID010"_s;
        QTest::newRow("by a trigger")
            << u"CREATE FUNCTION app.swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
               "CREATE TRIGGER x BEFORE INSERT ON idemdesk.audit FOR EACH ROW EXECUTE FUNCTION app.swallow()"_s
            << u"ID010"_s;
        QTest::newRow("by a trigger that changes it")
            << u"CREATE FUNCTION app.alter_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.hash := ''''; RETURN "
               u"NEW; END'; "
               "CREATE TRIGGER x BEFORE INSERT ON idemdesk.audit FOR EACH ROW EXECUTE FUNCTION app.alter_row()"_s
            << u"ID010"_s;
        QTest::newRow("by a trigger that deletes it at once")
            << u"ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows; GRANT USAGE ON SCHEMA app TO PUBLIC; "
               "CREATE FUNCTION app.remove_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM idemdesk.audit "
               "WHERE seq = NEW.seq; RETURN NULL; END'; "
               "CREATE TRIGGER x AFTER INSERT ON idemdesk.audit FOR EACH ROW EXECUTE FUNCTION app.remove_row()"_s
            << u"ID010"_s;
        QTest::newRow("by a table of another name") << u"ALTER TABLE idemdesk.audit RENAME TO old"_s << u"42704"_s;
        QTest::newRow("its items by a rule")
            << u"CREATE RULE x AS ON INSERT TO idemdesk.action_item DO INSTEAD NOTHING"_s << u"ID010"_s;
        QTest::newRow("its batch by a rule")
            << u"CREATE RULE x AS ON INSERT TO idemdesk.action_batch DO INSTEAD NOTHING"_s << u"ID010"_s;
        QTest::newRow("the head by a rule")
            << u"CREATE RULE x AS ON UPDATE TO idemdesk.audit_head DO INSTEAD NOTHING"_s << u"ID010"_s;
    }

    void swallowed()
    {
        QFETCH(QString, sql);
        QFETCH(QString, state);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key BETWEEN 'k011' AND 'k013'"_s)).value(),
            u"running"_s);
        const auto weakened = m_console->root().run(sql);
        QVERIFY2(weakened.ok(), qPrintable(weakened.value()));
        const auto answer = op->run(u"SELECT idemdesk.change_batch($1, 1, 100)"_s, { id });
        QVERIFY2(answer.state == state, qPrintable(answer.value()));
        const QString stuck
            = u"SELECT count(*) FROM app.k WHERE status = 'processing' AND key BETWEEN 'k011' AND 'k013'"_s;
        QCOMPARE(m_console->root().value(stuck), u"3"_s);
        QCOMPARE(m_console->root().value(u"SELECT last_batch FROM idemdesk.action WHERE id = $1"_s, { id }), u"0"_s);
        QVERIFY(reds(*op).size() > 3);
    }

    /// A child's row with a number of the trail's neither hides nor doubles one.
    void childIsNotRead()
    {
        const auto op = m_console->as(u"op"_s);
        QVERIFY(
            m_console->root()
                .run(
                    u"CREATE TABLE app.child () INHERITS (idemdesk.audit); INSERT INTO app.child SELECT * FROM ONLY idemdesk.audit WHERE seq = 7"_s)
                .ok());
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        QCOMPARE(op->value(u"SELECT idemdesk.audit_hash_at(7) IS NOT NULL"_s), u"t"_s);
        QCOMPARE(reds(*op), u"inherits"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TrailTamperingTest)
#include "tst_trail_tampering.moc"
