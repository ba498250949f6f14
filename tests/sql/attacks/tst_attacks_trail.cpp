// SPDX-License-Identifier: GPL-3.0-or-later
// Attacks on the trail itself: what it vouches for, who may own it, and who could stop it.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

class AttacksTrailTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;
    std::unique_ptr<ConsoleFixture> m_story; ///< a server with actions of each kind

    Connection &root() { return m_console->root(); }

    /// Actions of each kind, so that every table that tells of them has rows. A hundred tests begin with it, so it is
    /// done once and its database copied.
    void actOfEachKind()
    {
        const auto op = m_story->as(u"op"_s);
        const auto adm = m_story->as(u"adm"_s);
        const QString recovery = ConsoleFixture::newId();
        QCOMPARE(
            m_story->open(*op, recovery, u"recover"_s, m_story->frozen(u"key BETWEEN 'k001' AND 'k003'"_s)).value(),
            u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, recovery, 1), u"{\"done\": 3}"_s);
        QVERIFY(m_story->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": 50}"_s)
                    .contains(u"\"registered\": true"_s));
        const QString purge = ConsoleFixture::newId();
        QCOMPARE(m_story->openPurge(*op, purge, 600).value(), u"requested"_s);
        QVERIFY(m_story->as(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { purge }).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, purge, 1, 20), u"{\"purged\": 20}"_s);
        QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'cancelled')"_s, { purge }).ok());
        const QString bare = ConsoleFixture::newId();
        QCOMPARE(m_console
                     ->open(*op, bare, u"purge"_s, u"[]"_s,
                         u"{\"cutoff\":\"now\",\"states\":[\"succeeded\"],"
                         "\"scopes\":null,\"images\":false,\"expected\":1}"_s,
                         u"no images"_s)
                     .value(),
            u"requested"_s);
        QVERIFY(m_story->as(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { bare }).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, bare, 1, 20), u"{\"purged\": 20}"_s);
        QVERIFY(adm->run(u"SELECT idemdesk.set_shared_login('team', true)"_s).ok());
        QVERIFY(
            op->run(
                  u"SELECT idemdesk.import_conflicts('server.log', '[{\"id\": \"aa\", \"kind\": \"deadlock\", \"key\": \"k1\"}, {\"id\": \"bb\", \"kind\": \"deadlock\"}]')"_s)
                .ok());
        QVERIFY(op->run(u"SELECT idemdesk.open_signal($1, 1, NULL, 'cancel', 'stuck', NULL, '{}')"_s,
                      { ConsoleFixture::newId() })
                    .ok());
        QVERIFY(adm->run(u"SELECT idemdesk.set_kept('hours', '300 days')"_s).ok());
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void init() { m_console->fresh(); }

    /// 20, 21: as a superuser, triggers off: what is changed beside the chain is told, too.
    void alteredBesideTheChain_data()
    {
        QTest::addColumn<QString>("sql");
        const struct {
            const char *name;
            const char16_t *sql;
        } rows[] = {
            { "when an action was opened", u"UPDATE idemdesk.action SET opened_on = opened_on - 500" },
            { "who approved", u"UPDATE idemdesk.action SET approved_by = 'op2' WHERE approved_by IS NOT NULL" },
            { "an approval that nobody gave",
                u"UPDATE idemdesk.action SET approved_by = 'appr', approved_at = now() WHERE verb = 'recover'" },
            { "who asked", u"UPDATE idemdesk.action SET requested_by = 'op2'" },
            { "what was asked", u"UPDATE idemdesk.action SET reason = 'another'" },
            { "how many", u"UPDATE idemdesk.action SET planned_rows = planned_rows + 1" },
            { "how many more it may take", u"UPDATE idemdesk.action SET allowance = 1000000" },
            { "the cutoff", u"UPDATE idemdesk.action SET cutoff = cutoff + interval '1 day' WHERE cutoff IS NOT NULL" },
            { "the table", u"UPDATE idemdesk.action SET relation = 'app.eff'::regclass" },
            { "until when it can be undone", u"UPDATE idemdesk.action SET keep_until = keep_until - 30" },
            { "its state", u"UPDATE idemdesk.action SET state = 'finished', finished_at = now() WHERE verb = 'purge'" },
            { "its outcomes", u"UPDATE idemdesk.action SET counts = '{\"done\": 1}'" },
            { "opened earlier, items gone",
                u"UPDATE idemdesk.action SET opened_on = opened_on - 500 WHERE verb = 'recover'; DELETE FROM "
                u"idemdesk.action_item" },
            { "columns of a batch's images", u"UPDATE idemdesk.action_batch SET columns[1] = 'key'" },
            { "a batch's answer", u"UPDATE idemdesk.action_batch SET result = result || '{\"planned\": 1}'" },
            { "what a batch took by scope", u"UPDATE idemdesk.action_scope SET scopes = '[]' WHERE batch > 0" },
            { "where an item is found", u"UPDATE idemdesk.action_item SET identity_hash = 1" },
            { "where a purged row is found", u"UPDATE idemdesk.quarantine SET hashes[1] = 1" },
            { "when a table was registered", u"UPDATE idemdesk.target SET registered_at = now()" },
            { "how long items are kept", u"UPDATE idemdesk.installation SET items_kept = '7 days'" },
            { "how long conflicts are kept", u"UPDATE idemdesk.installation SET conflicts_kept = '1 day'" },
            { "the limit of a target", u"UPDATE idemdesk.target SET approval_above = 1000000" },
            { "the SQL of a target", u"UPDATE idemdesk.target SET compiled = compiled || '{\"stale\": \"true\"}'" },
            { "who registered it", u"UPDATE idemdesk.target SET registered_by = 'op2'" },
            { "a target gone", u"DELETE FROM idemdesk.target" },
            { "a shared login gone", u"DELETE FROM idemdesk.shared_login" },
            { "a shared login more", u"INSERT INTO idemdesk.shared_login VALUES ('op')" },
            { "an imported conflict", u"UPDATE idemdesk.conflict SET key = 'another'" },
            { "an imported conflict gone", u"DELETE FROM idemdesk.conflict" },
            { "a conflict that nobody imported",
                u"INSERT INTO idemdesk.conflict (id, kind, source, first_at, last_at, n) VALUES ('x', 'deadlock', "
                u"'log', now(), now(), 1)" },
            { "a signal", u"UPDATE idemdesk.backend_signal SET reason = 'another'" },
            { "a signal gone", u"DELETE FROM idemdesk.backend_signal" },
        };
        for (const auto &row : rows) {
            QTest::newRow(row.name) << QString::fromUtf16(row.sql);
        }
        // A superuser may take NOT NULL away; what is not known is not equal.
        const struct {
            const char *name;
            const char16_t *table;
            const char16_t *column;
        } nulls[] = {
            { "where an item is found, to NULL", u"action_item", u"identity_hash" },
            { "where a purged row is found, to NULL", u"quarantine", u"hashes" },
            { "a row's hash, to NULL", u"audit", u"hash" },
            { "the newest hash, to NULL", u"audit_head", u"hash" },
            { "the newest number, to NULL", u"audit_head", u"seq" },
            { "a batch's digest, to NULL", u"action_batch", u"items_sha" },
            { "when a batch was made, to NULL", u"action_batch", u"at" },
            { "a batch's answer, to NULL", u"action_batch", u"result" },
            { "who asked, to NULL", u"action", u"requested_by" },
            { "its state, to NULL", u"action", u"state" },
            { "who registered it, to NULL", u"target", u"registered_by" },
            { "which session got a signal, to NULL", u"backend_signal", u"pid" },
        };
        for (const auto &row : nulls) {
            QTest::newRow(row.name) << u"ALTER TABLE idemdesk.%1 ALTER %2 DROP NOT NULL; UPDATE idemdesk.%1 SET %2 = "
                                       "NULL"_s.arg(QString::fromUtf16(row.table), QString::fromUtf16(row.column));
        }
        QTest::newRow("the trail's own count gone") << u"DELETE FROM idemdesk.audit_head"_s;
        QTest::newRow("a function, and what is remembered of it")
            << u"ALTER FUNCTION idemdesk._require(text) STRICT; DELETE FROM idemdesk.definition; "
               "INSERT INTO idemdesk.definition SELECT * FROM idemdesk._definitions()"_s;
        QTest::newRow("how long things are kept gone") << u"DELETE FROM idemdesk.installation"_s;
        QTest::newRow("what was seen of a signalled session") << u"UPDATE idemdesk.signal_note SET seen = '{\"x\": "
                                                                 "1}'"_s;
        QTest::newRow("that gone") << u"DELETE FROM idemdesk.signal_note"_s;
        QTest::newRow("how far a purge went") << u"UPDATE idemdesk.action_mark SET by = '2020-01-01'"_s;
        const QString forged = u"INSERT INTO idemdesk.action_item (opened_on, action, batch, ordinal, identity, "
                               "identity_hash, "
                               "outcome) SELECT opened_on, id, %1, 99, '{t0,forged}', hashtextextended('{t0,forged}', "
                               "0), "
                               "'done' FROM idemdesk.action WHERE %2"_s;
        QTest::newRow("an item of a batch that has others") << forged.arg(u"1"_s, u"verb = 'recover'"_s);
        QTest::newRow("an item of a batch without images") << forged.arg(u"1"_s, u"reason = 'no images'"_s);
        QTest::newRow("an item of a batch that never was") << forged.arg(u"77"_s, u"verb = 'recover'"_s);
        QTest::newRow("an image of a batch without images")
            << u"INSERT INTO idemdesk.quarantine SELECT q.keep_until, a.id, 1, q.identities, q.hashes, q.images FROM "
               "idemdesk.quarantine q, idemdesk.action a WHERE a.reason = 'no images' LIMIT 1"_s;
        QTest::newRow("an action that nobody asked for")
            << u"CREATE TEMP TABLE x AS SELECT * FROM idemdesk.action LIMIT 1; UPDATE x SET id = gen_random_uuid(), verb = 'recover'; INSERT INTO idemdesk.action SELECT * FROM x"_s;
    }

    void alteredBesideTheChain()
    {
        QFETCH(QString, sql);
        if (!m_story) {
            m_story = std::make_unique<ConsoleFixture>();
        }
        m_story->fresh([this] { actOfEachKind(); });
        if (QTest::currentTestFailed()) {
            return;
        }
        const auto op = m_story->as(u"op"_s);
        QString off;
        for (const QString &table : { u"audit"_s, u"action_batch"_s, u"action_item"_s, u"quarantine"_s }) {
            off += u"ALTER TABLE idemdesk.%1 DISABLE TRIGGER USER;"_s.arg(table);
        }
        const auto done = m_story->root().run(off + sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        const QString told = ConsoleFixture::verified(*op);
        QVERIFY2(told != u"t"_s && !told.contains(u"ERROR"_s), qPrintable(told));
    }

    /// The story of an action is its own: whoever signals a session chooses that id.
    void aSignalStandsInNoActionsStory()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        const QString signal = u"SELECT idemdesk.open_signal($1, 1, NULL, 'cancel', 'stuck', NULL, '{}')"_s;
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        m_console->as(u"op2"_s)->run(signal, { id });
        QCOMPARE(
            root().value(u"SELECT string_agg(what || ' ' || who, ',') FROM idemdesk.audit WHERE action = $1"_s, { id }),
            u"open op"_s);
        const QString other = ConsoleFixture::newId();
        QVERIFY(op->run(signal, { other }).ok());
        QCOMPARE(m_console->open(*op, other, u"recover"_s, m_console->frozen(u"key = 'k002'"_s)).state, u"ID007"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// What a plan says stays for good, and whoever reads the trail reads it whole.
    void aPlanIsNoLongerThanItNeedsToBe()
    {
        const auto op = m_console->as(u"op"_s);
        const auto opened = m_console->openPurge(
            *op, ConsoleFixture::newId(), 5, true, u"2026-01-01"_s + QString(100'000, u' ') + u"00:00:00+00"_s);
        QCOMPARE(opened.state, u"ID005"_s);
        QVERIFY(root().value(u"SELECT max(length(facts::text)) FROM idemdesk.audit"_s).toInt() < 10'000);
    }

    /// 21: bounds of what is kept.
    void keptWithinBounds()
    {
        for (const QString &kept : { u"-1 day"_s, u"0"_s, u"1000 years"_s }) {
            QVERIFY(!root().run(u"UPDATE idemdesk.installation SET items_kept = '%1'"_s.arg(kept)).ok());
            QVERIFY(!m_console->as(u"adm"_s)->run(u"SELECT idemdesk.set_kept('items', $1)"_s, { kept }).ok());
        }
        QCOMPARE(ConsoleFixture::verified(*m_console->as(u"op"_s)), u"t"_s);
    }

    /// 21: definitions are compared as a whole.
    void guardComparesWholeDefinitions_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::newRow("a trigger with a condition")
            << u"DROP TRIGGER keep_rows ON idemdesk.audit; CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON "
               u"idemdesk.audit "
               "FOR EACH ROW WHEN (false) EXECUTE FUNCTION idemdesk._refuse_change(); ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows"_s;
        QTest::newRow("a trigger of less")
            << u"DROP TRIGGER keep_rows ON idemdesk.audit; CREATE TRIGGER keep_rows BEFORE DELETE ON idemdesk.audit "
               "FOR EACH ROW EXECUTE FUNCTION idemdesk._refuse_change(); ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows"_s;
        QTest::newRow("a strict function") << u"ALTER FUNCTION idemdesk._evidence STRICT"_s;
        QTest::newRow("a function of other settings") << u"ALTER FUNCTION idemdesk._chain SET lock_timeout = '1ms'"_s;
        QTest::newRow("a function of other rights")
            << u"REVOKE EXECUTE ON FUNCTION idemdesk.verify_audit FROM idemdesk_viewer"_s;
        QTest::newRow("a bound dropped")
            << u"ALTER TABLE idemdesk.installation DROP CONSTRAINT installation_items_kept_check"_s;
        QTest::newRow("a default changed")
            << u"ALTER TABLE idemdesk.installation ALTER items_kept SET DEFAULT '8 days'"_s;
        QTest::newRow("an index dropped") << u"DROP INDEX idemdesk.action_one_open_purge"_s;
        QTest::newRow("a type of the console's own") << u"ALTER TYPE idemdesk.item ADD ATTRIBUTE hidden text"_s;
        QTest::newRow("a column that compares otherwise")
            << u"ALTER TABLE idemdesk.action ALTER ticket TYPE text COLLATE \"C\""_s;
        QTest::newRow("a version that was never installed")
            << u"INSERT INTO idemdesk.migration (version, name) VALUES (99, 'x')"_s;
        QTest::newRow("an installation by somebody else") << u"UPDATE idemdesk.migration SET applied_by = 'op'"_s;
        QTest::newRow("rights on what the owner makes later")
            << u"ALTER DEFAULT PRIVILEGES FOR ROLE idemdesk_owner GRANT SELECT ON TABLES TO op2"_s;
        QTest::newRow("rights on what the owner makes here later")
            << u"ALTER DEFAULT PRIVILEGES FOR ROLE idemdesk_owner IN SCHEMA idemdesk GRANT INSERT ON TABLES TO op2"_s;
        QTest::newRow("a column added") << u"ALTER TABLE idemdesk.target ADD hidden text"_s;
        QTest::newRow("a function elsewhere that acts as the owner")
            << u"CREATE FUNCTION app.back() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'SELECT'; ALTER FUNCTION "
               "app.back OWNER TO idemdesk_owner"_s;
        QTest::newRow("a table whose readers see the trail")
            << u"CREATE TABLE app.above (seq bigint NOT NULL); ALTER TABLE idemdesk.audit INHERIT app.above"_s;
        QTest::newRow("row security on the trail") << u"ALTER TABLE idemdesk.audit ENABLE ROW LEVEL SECURITY"_s;
    }
    void guardComparesWholeDefinitions()
    {
        QFETCH(QString, sql);
        const auto done = root().run(sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red'"_s).toInt() > 0);
        QCOMPARE(
            m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).state,
            u"ID004"_s);
    }

    /// 22: whoever could own the trail may not act.
    void powerfulLogins_data()
    {
        QTest::addColumn<QString>("give");
        QTest::addColumn<QString>("take");
        const auto grant = [](const QString &role) {
            return std::pair { u"GRANT %1 TO op2"_s.arg(role), u"REVOKE %1 FROM op2"_s.arg(role) };
        };
        QTest::newRow("CREATEROLE") << u"ALTER ROLE op2 CREATEROLE"_s << u"ALTER ROLE op2 NOCREATEROLE"_s;
        QTest::newRow("REPLICATION") << u"ALTER ROLE op2 REPLICATION"_s << u"ALTER ROLE op2 NOREPLICATION"_s;
        QTest::newRow("BYPASSRLS") << u"ALTER ROLE op2 BYPASSRLS"_s << u"ALTER ROLE op2 NOBYPASSRLS"_s;
        QTest::newRow("a member of one who may create roles")
            << u"CREATE ROLE maker CREATEROLE; GRANT maker TO op2"_s << u"DROP ROLE maker"_s;
        QTest::newRow("a member that inherits nothing")
            << u"CREATE ROLE maker CREATEROLE; CREATE ROLE between NOINHERIT; GRANT maker TO between; GRANT between TO op2"_s
            << u"DROP ROLE between; DROP ROLE maker"_s;
        QTest::newRow("a member at two removes")
            << u"CREATE ROLE maker CREATEROLE; CREATE ROLE between; GRANT maker TO between; GRANT between TO op2"_s
            << u"DROP ROLE between; DROP ROLE maker"_s;
        for (const QString &role : { u"boss"_s, u"idemdesk_owner"_s, u"idemdesk_runner_app_owner"_s,
                 u"pg_write_all_data"_s, u"pg_read_all_data"_s, u"pg_read_server_files"_s, u"pg_write_server_files"_s,
                 u"pg_execute_server_program"_s }) {
            const auto [give, take] = grant(role);
            QTest::addRow("a member of %s", qPrintable(role)) << give << take;
        }
        QTest::newRow("who may hand out a role of the console")
            << u"GRANT idemdesk_approver TO op2 WITH ADMIN OPTION"_s << u"REVOKE idemdesk_approver FROM op2"_s;
    }
    void powerfulLogins()
    {
        QFETCH(QString, give);
        QFETCH(QString, take);
        QVERIFY(root().run(give).ok());
        const auto op = m_console->as(u"op2"_s);
        const auto answer
            = m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s));
        const QString red
            = op->value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE code = 'login' AND severity = 'red'"_s);
        QVERIFY(root().run(take).ok());
        QVERIFY2(answer.state == u"ID003"_s, qPrintable(answer.value()));
        QCOMPARE(red, u"1"_s);
    }
    void anotherSessionUser()
    {
        const auto boss = m_console->as(u"boss"_s);
        QVERIFY(boss->run(u"SET SESSION AUTHORIZATION op"_s).ok());
        QCOMPARE(
            m_console->open(*boss, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).state,
            u"ID003"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
    }
    void triggersSwitchedOff()
    {
        QVERIFY(root().run(u"ALTER ROLE op2 SET session_replication_role = 'replica'"_s).ok());
        const auto op = m_console->as(u"op2"_s);
        const auto answer
            = m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s));
        QVERIFY(root().run(u"ALTER ROLE op2 RESET ALL"_s).ok());
        QVERIFY2(answer.state == u"ID002"_s, qPrintable(answer.value()));
    }

    /// 24: an advisory lock that anybody may take holds nobody up.
    void advisoryLocksHoldNobodyUp()
    {
        const auto service = m_console->as(u"service"_s);
        const QString month
            = root().value(u"SELECT to_char(date_trunc('month', timezone('UTC', now())), 'YYYYMMDD')"_s);
        const QString day = root().value(u"SELECT to_char(timezone('UTC', now()), 'YYYYMMDD')"_s);
        for (const QString &name : { u"action_item_"_s + month, u"sample_minute_"_s + day, u"event_"_s + day }) {
            QVERIFY(service->run(u"SELECT pg_advisory_lock(hashtextextended('idemdesk partition %1', 0))"_s.arg(name))
                        .ok());
        }
        QVERIFY(service->run(u"SELECT pg_advisory_lock(hashtextextended('idemdesk roll-up', 0))"_s).ok());
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->run(u"SET statement_timeout = '3s'"_s).ok());
        QCOMPARE(
            m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(),
            u"running"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QVERIFY(op->run(u"SELECT idemdesk.maintain()"_s).ok());
    }

    /// 24: who begins and waits is ended soon, and is named to whom it holds up.
    void idleHolderIsNamedAndEnded()
    {
        const auto op = m_console->as(u"op"_s);
        const auto op2 = m_console->as(u"op2"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key BETWEEN 'k001' AND 'k003'"_s)).value(),
            u"running"_s);
        QVERIFY(op2->run(u"BEGIN"_s).ok());
        QCOMPARE(
            m_console->open(*op2, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k010'"_s)).value(),
            u"running"_s);
        QCOMPARE(op2->value(u"SHOW idle_in_transaction_session_timeout"_s), u"10s"_s);
        const auto held = op->run(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
        QCOMPARE(held.state, u"55P03"_s);
        QVERIFY2(held.message.contains(u"op2 (process %1"_s.arg(op2->pid())), qPrintable(held.message));
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"0"_s);
        // Ten seconds after its last statement the holder is gone, and the batch goes on.
        QTRY_COMPARE_WITH_TIMEOUT(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 3}"_s, 30'000);
    }

    /// As a superuser: rows that decide who acts, what a lost connection left, and who may read, against the trail.
    void alteredOrGoneBesideTheChain_data()
    {
        QTest::addColumn<QString>("sql");
        const struct {
            const char *name;
            const char16_t *sql;
        } rows[] = {
            { "a runner gone", u"DELETE FROM idemdesk.runner" },
            { "a lost connection gone", u"DELETE FROM idemdesk.action_lost" },
            { "how far rows are tried one by one", u"UPDATE idemdesk.action_lost SET until = until + 1" },
            { "the table of imported conflicts",
                u"UPDATE idemdesk.conflict SET relation = 'app.eff'::regclass WHERE target = 'k'" },
            { "no table of imported conflicts", u"UPDATE idemdesk.conflict SET relation = NULL WHERE target = 'k'" },
            { "a table for conflicts of none",
                u"UPDATE idemdesk.conflict SET relation = 'app.eff'::regclass WHERE target IS NULL" },
            { "the hash of a profile", u"UPDATE idemdesk.target SET profile_sha = '\\x00'" },
            { "when a partition was detached",
                u"UPDATE idemdesk.detached_partition SET detached_at = detached_at - interval '1 day'" },
            { "when a signal was asked for",
                u"UPDATE idemdesk.backend_signal SET requested_at = requested_at - interval '1 day'" },
        };
        for (const auto &row : rows) {
            QTest::newRow(row.name) << QString::fromUtf16(row.sql);
        }
    }
    void alteredOrGoneBesideTheChain()
    {
        QFETCH(QString, sql);
        m_console->cluster().psql(m_console->database(), uR"(SET ROLE app_owner;
            CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key)) PARTITION BY LIST (tenant);
            CREATE TABLE app.p_old PARTITION OF app.p FOR VALUES IN ('t0');
            INSERT INTO app.p SELECT * FROM app.k WHERE tenant = 't0' AND status = 'succeeded';
            GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p_old TO idemdesk_runner_app_owner;
            RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner;)"_s);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(uR"(\"k\")"_s, uR"(\"p\")"_s);
        m_console->registerTarget(compiled, u"{}"_s, ConsoleFixture::profile(), u"p"_s);
        const auto op = m_console->as(u"op"_s);
        const auto detached
            = op->run(u"SELECT idemdesk.detach_partition($1, 'p', '\"app\".\"p_old\"', 'now', 'old', NULL)"_s,
                { ConsoleFixture::newId() });
        QVERIFY2(detached.ok(), qPrintable(detached.value()));
        QCOMPARE(op->value(u"SELECT idemdesk.import_conflicts('server.log', '[{\"id\": \"aa\", \"kind\": \"deadlock\", "
                           "\"target\": \"k\"}, {\"id\": \"bb\", \"kind\": \"deadlock\"}]')"_s),
            u"2"_s);
        QVERIFY(op->run(u"SELECT idemdesk.open_signal($1, 1, NULL, 'cancel', 'stuck', NULL, '{}')"_s,
                      { ConsoleFixture::newId() })
                    .ok());
        for (const bool gaveUp : { false, true }) {
            const QString id = ConsoleFixture::newId();
            QCOMPARE(
                m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key LIKE 'k%'"_s)).value(), u"running"_s);
            QVERIFY(op->run(u"SELECT idemdesk.note_lost($1, 1, 10)"_s, { id }).ok());
            if (gaveUp) {
                QVERIFY(op->run(u"SELECT idemdesk.note_lost($1, 1, 1)"_s, { id }).ok());
            }
        }
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        const auto altered = root().run(sql);
        QVERIFY2(altered.ok(), qPrintable(altered.value()));
        const QString verified = ConsoleFixture::verified(*op);
        QVERIFY2(verified != u"t"_s, qPrintable(sql));
    }

    /// A conflict that never was, or lies ahead, stands on no list and ends no proof.
    void conflictsHaveATime_data()
    {
        QTest::addColumn<QString>("at");
        QTest::newRow("never") << u"-infinity"_s;
        QTest::newRow("for good") << u"infinity"_s;
        QTest::newRow("ahead") << u"2999-01-01"_s;
    }
    void conflictsHaveATime()
    {
        QFETCH(QString, at);
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.import_conflicts('server.log', '[{\"id\": \"aa\", \"kind\": "
                           "\"deadlock\"}, {\"id\": \"bb\", \"kind\": \"deadlock\", \"at\": \"%1\"}]')"_s.arg(at)),
            u"ID005"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.conflict"_s), u"0"_s);
    }

    /// 24: a reader of yesterday's counters does not cost a service today's.
    void readerCostsNoEvent()
    {
        root().run(u"GRANT idemdesk_reporter TO service"_s);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE idemdesk_reporter FROM service"_s); });
        const auto viewer = m_console->as(u"viewer"_s);
        QVERIFY(viewer->run(u"BEGIN; SELECT count(*) FROM idemdesk.event_seen"_s).ok());
        QVERIFY(m_console->as(u"service"_s)->run(u"SELECT idemdesk.record_event('replay')"_s).ok());
        QCOMPARE(root().value(u"SELECT sum(n) FROM idemdesk.event_seen"_s), u"1"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksTrailTest)
#include "tst_attacks_trail.moc"
