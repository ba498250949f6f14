// SPDX-License-Identifier: GPL-3.0-or-later
// Attacks on those who want to work: rows that would stop a batch, and sessions that would hold up everybody.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>
#include <vector>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QString kRegistered = u"\"registered\": true"_s;

class AttacksDenialTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

    Connection &root() { return m_console->root(); }
    /// Code of app.k's owner that runs before each update and delete.
    void trigger(const QString &body)
    {
        const auto made = root().run(
            u"SET ROLE app_owner; CREATE FUNCTION app.tr() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %1; "
            "IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $$; RESET ROLE; "
            "CREATE TRIGGER tr BEFORE UPDATE OR DELETE ON app.k FOR EACH ROW EXECUTE FUNCTION app.tr()"_s.arg(body));
        QVERIFY2(made.ok(), qPrintable(made.value()));
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled());
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    }
    QString recovery(Connection &op)
    {
        const QString id = ConsoleFixture::newId();
        const auto opened = m_console->open(op, id, u"recover"_s, m_console->frozen(u"key LIKE 'k%'"_s));
        return opened.value() == u"running"_s ? id : opened.value();
    }
    QString undo(Connection &op, const QString &of)
    {
        const QString id = ConsoleFixture::newId();
        const auto opened = op.run(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { id, of });
        return opened.ok() ? id : opened.value();
    }
    /// Runs a purge to its end; gives its counts.
    QString purged(Connection &op, const QString &id)
    {
        QString state = u"running"_s;
        for (int batch = 1; batch < 40 && state == u"running"_s; ++batch) {
            state = op.value(
                u"SELECT b ->> 'state' FROM idemdesk.purge_batch($1, $2, 1000) b"_s, { id, QString::number(batch) });
        }
        return state == u"finished"_s ? root().value(u"SELECT counts FROM idemdesk.action WHERE id = $1"_s, { id })
                                      : state;
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        QStringList settings { u"max_prepared_transactions = 5"_s };
        if (TestCluster::majorVersion() >= 17) {
            settings += u"max_notify_queue_pages = 64"_s;
        }
        m_console = std::make_unique<ConsoleFixture>(settings);
        root().run(u"CREATE ROLE rep LOGIN; GRANT idemdesk_reporter TO rep"_s);
    }
    void init() { m_console->fresh(); }

    /// 25: one row's code fails, under whatever name; that row alone is left, in each kind of action.
    void oneRowFails_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("outcome");
        const struct {
            const char *state;
            const char *outcome;
        } rows[] = { { "45000", "refused" }, { "AB123", "refused" }, { "54000", "error" }, { "55000", "refused" },
            { "0A000", "refused" }, { "25006", "refused" }, { "40001", "locked" }, { "40P01", "locked" },
            { "55P03", "locked" }, { "57014", "refused" }, { "42501", "privilege" }, { "53100", "refused" },
            { "XX000", "refused" }, { "ID013", "refused" }, { "ID020", "refused" } };
        for (const auto &row : rows) {
            QTest::newRow(row.state) << u"RAISE EXCEPTION 'no' USING ERRCODE = '%1'"_s.arg(QLatin1String(row.state))
                                     << QString::fromLatin1(row.outcome);
        }
        QTest::newRow("ASSERT") << u"ASSERT false"_s << u"refused"_s;
        QTest::newRow("a library that is not there") << u"LOAD '$libdir/plugins/nope'"_s << u"refused"_s;
        QTest::newRow("the transaction made READ ONLY") << u"SET TRANSACTION READ ONLY"_s << u"refused"_s;
        QTest::newRow("a large object left behind") << u"PERFORM lo_create(0)"_s << u"refused"_s;
        QTest::newRow("everything dropped that the runner owns") << u"DROP OWNED BY CURRENT_USER"_s << u"refused"_s;
    }
    void oneRowFails()
    {
        QFETCH(QString, code);
        QFETCH(QString, outcome);
        trigger(u"IF (TG_OP = 'UPDATE' AND NEW.status = 'failed' AND NEW.key = 'k013') OR (TG_OP = 'UPDATE' AND "
                u"NEW.status = 'processing' AND NEW.key = 'k014') "
                "OR (TG_OP = 'DELETE' AND OLD.key = 'd0013') THEN %1; END IF"_s.arg(code));
        const auto op = m_console->as(u"op"_s);
        const QString id = recovery(*op);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 49, \"%1\": 1}"_s.arg(outcome));
        QCOMPARE(root().value(u"SELECT string_agg(key, ' ') FROM app.k WHERE status = 'processing'"_s), u"k013"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"undo_batch"_s, undo(*op, id), 1),
            u"{\"done\": 48, \"%1\": 1}"_s.arg(outcome));
        QCOMPARE(root().value(u"SELECT string_agg(key, ' ') FROM app.k WHERE status = 'failed'"_s), u"k014"_s);
        const QString purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, purge, 600).value(), u"running"_s);
        const QString counts = purged(*op, purge);
        QVERIFY2(
            counts.contains(u"\"purged\": 599"_s) && counts.contains(u"\"%1\": 1"_s.arg(outcome)), qPrintable(counts));
        QCOMPARE(root().value(u"SELECT string_agg(key, ' ') FROM app.k WHERE status = 'succeeded'"_s), u"d0013"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red'"_s), u"0"_s);
    }

    /// 25: a purge's rows that cannot come back do not keep their neighbours away.
    void oneRowCannotComeBack()
    {
        const auto op = m_console->as(u"op"_s);
        QVERIFY(root()
                    .run(u"SET ROLE app_owner; CREATE FUNCTION app.back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                         u"IF NEW.key = 'd0013' THEN "
                         "RAISE EXCEPTION 'no' USING ERRCODE = '57014'; END IF; RETURN NEW; END $$; RESET ROLE; "
                         "CREATE TRIGGER back BEFORE INSERT ON app.k FOR EACH ROW EXECUTE FUNCTION app.back()"_s)
                    .ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        const QString purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, purge, 600).value(), u"running"_s);
        QCOMPARE(purged(*op, purge), u"{\"purged\": 600}"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"undo_batch"_s, undo(*op, purge), 1, 1000),
            u"{\"done\": 599, \"refused\": 1}"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// 25: a value too large for an index, without any trigger.
    void oneRowTooLarge()
    {
        QVERIFY(root().run(u"CREATE INDEX ON app.k (result)"_s).ok());
        trigger(
            u"IF TG_OP = 'UPDATE' AND NEW.key = 'k013' THEN NEW.result := (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 2000)); END IF"_s);
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, recovery(*op), 1), u"{\"done\": 49, \"error\": 1}"_s);
    }

    /// 25: an expression that fails on one row, however it calls that, is counted around.
    void oneRowUnreadable()
    {
        QVERIFY(root()
                    .run(u"SET ROLE app_owner; CREATE FUNCTION app.reads(text, text) RETURNS text LANGUAGE plpgsql "
                         u"STABLE AS $$ BEGIN IF $2 = 'd0500' THEN "
                         "RAISE EXCEPTION 'bad' USING ERRCODE = 'AB123'; END IF; RETURN $1; END $$; RESET ROLE"_s)
                    .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"CASE (t.status) WHEN"_s, u"CASE app.reads(t.status, t.key) WHEN"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QCOMPARE(root().value(u"SELECT sum(value) FROM idemdesk.sample WHERE metric = 'unknown'"_s), u"1"_s);
        const QString purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, purge, 600).value(), u"running"_s);
        QCOMPARE(purged(*op, purge), u"{\"purged\": 599}"_s);
    }

    /// A row whose code ends the connection is tried, marked, and passed by; it stops neither its neighbours nor the
    /// action.
    void oneRowEndsTheConnection_data()
    {
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("counts");
        QTest::newRow("a recovery") << u"change_batch"_s << u"{\"done\": 49, \"broke\": 1}"_s;
        QTest::newRow("a purge") << u"purge_batch"_s << u"{\"broke\": 1, \"purged\": 599}"_s;
        QTest::newRow("an undo") << u"undo_batch"_s << u"{\"done\": 49, \"broke\": 1}"_s;
    }
    void oneRowEndsTheConnection()
    {
        QFETCH(QString, function);
        QFETCH(QString, counts);
        trigger(u"IF (TG_OP = 'UPDATE' AND current_setting('x.go', true) = '1' AND NEW.key = 'k013') OR (TG_OP = "
                "'DELETE' AND "
                "OLD.key = 'd0013') THEN SET exit_on_error = on; RAISE EXCEPTION 'the end'; END IF"_s);
        auto op = m_console->as(u"op"_s);
        QString id = function == u"purge_batch"_s ? ConsoleFixture::newId() : recovery(*op);
        if (function == u"purge_batch"_s) {
            QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        } else if (function == u"undo_batch"_s) {
            QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 50}"_s);
            id = undo(*op, id);
        }
        const QString where = u"SELECT last_batch + 1, state FROM idemdesk.action WHERE id = $1"_s;
        int lost = 0;
        for (int call = 0; call < 120 && lost < 9; ++call) {
            const QStringList now = root().run(where, { id }).rows.value(0);
            if (now.value(1) != u"running"_s) {
                break;
            }
            op->run(u"SET x.go = '1'"_s);
            const auto batch = op->run(u"SELECT idemdesk.%1($1, %2, 50)"_s.arg(function, now.value(0)), { id });
            if (!batch.ok()) {
                ++lost;
                op = m_console->as(u"op"_s);
                op->run(u"SELECT idemdesk.note_lost($1, %1, 50)"_s.arg(now.value(0)), { id });
            }
        }
        QCOMPARE(root().run(where, { id }).rows.value(0).value(1), u"finished"_s);
        QCOMPARE(lost, 2);
        QCOMPARE(root().value(u"SELECT counts FROM idemdesk.action WHERE id = $1"_s, { id }), counts);
        QCOMPARE(root().value(u"SELECT identity FROM idemdesk.action_item WHERE outcome = 'broke'"_s),
            function == u"purge_batch"_s ? u"{t1,d0013}"_s : u"{t1,k013}"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// Who neither asked for an action nor ran its batches cannot say that one of them was lost.
    void othersReportNoLoss()
    {
        const auto op = m_console->as(u"op"_s);
        const auto op2 = m_console->as(u"op2"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key LIKE 'k%'"_s)).value(), u"running"_s);
        const QString lost = u"SELECT idemdesk.note_lost($1, %1, 500)"_s;
        const QString batch = u"SELECT last_batch FROM idemdesk.action WHERE id = $1"_s;
        for (int call = 0; call < 2; ++call) {
            QCOMPARE(op2->state(lost.arg(1), { id }), u"ID001"_s);
        }
        QCOMPARE(root().value(batch, { id }), u"0"_s);
        for (int call = 0; call < 2; ++call) {
            QCOMPARE(op->state(lost.arg(1), { id }), QString());
        }
        QCOMPARE(root().value(batch, { id }), u"1"_s);
        QVERIFY(root().value(u"SELECT detail FROM idemdesk.action_item WHERE action = $1"_s, { id }).contains(u"op"_s));
        QCOMPARE(op2->state(u"SELECT idemdesk.change_batch($1, 2, 1)"_s, { id }), QString());
        QCOMPARE(op2->state(lost.arg(3), { id }), QString()); // it ran the last one
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// The same of a row whose code wants more room than the session has.
    void oneRowNeedsTooMuch_data()
    {
        QTest::addColumn<QString>("code");
        QTest::newRow("temporary space") << u"PERFORM set_config('work_mem', '64kB', true); PERFORM count(*) FROM "
                                            "(SELECT g FROM generate_series(1, 200000) g ORDER BY md5(g::text)) x"_s;
        // As a request for more memory than any server grants is, which takes long to make: XX000.
        QTest::newRow("what the server calls its own error") << u"PERFORM array_in('{}', 0, -1)"_s;
    }
    void oneRowNeedsTooMuch()
    {
        QFETCH(QString, code);
        trigger(u"IF TG_OP = 'UPDATE' AND NEW.key = 'k013' THEN %1; END IF"_s.arg(code));
        root().run(u"ALTER ROLE op2 SET temp_file_limit = '64kB'"_s);
        const auto op = m_console->as(u"op2"_s);
        root().run(u"ALTER ROLE op2 RESET ALL"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, recovery(*op), 1), u"{\"done\": 49, \"refused\": 1}"_s);
    }

    /// An event trigger runs as whoever makes or drops something, and that is the owner of the console.
    void eventTriggersRunNothing_data()
    {
        QTest::addColumn<QString>("login");
        QTest::addColumn<QString>("sql");
        QTest::addColumn<bool>("refused");
        QTest::newRow("an action") << u"op"_s
                                   << u"SELECT idemdesk.open_action('%2', 'k', 'recover', 'because', NULL, "
                                      "'{}', '%3', '%4')"_s
                                   << true;
        QTest::newRow("a batch") << u"op"_s << u"SELECT idemdesk.change_batch('%1', 1, 5)"_s << true;
        QTest::newRow("a sample") << u"op"_s << u"SELECT idemdesk.take_sample('k')"_s << true;
        QTest::newRow("upkeep") << u"op"_s << u"SELECT idemdesk.maintain()"_s << true;
        QTest::newRow("a setting") << u"adm"_s << u"SELECT idemdesk.set_kept('hours', '300 days')"_s << false;
        QTest::newRow("an event") << u"rep"_s << u"SELECT idemdesk.record_event('x', 's')"_s << false;
        QTest::newRow("a conflict") << u"rep"_s << u"SELECT idemdesk.record_conflict('s', 'k', 'a', 'b')"_s << false;
    }
    void eventTriggersRunNothing()
    {
        QFETCH(QString, login);
        QFETCH(QString, sql);
        QFETCH(bool, refused);
        const auto op = m_console->as(u"op"_s);
        const QString id = sql.contains(u"%1"_s) ? recovery(*op) : QString();
        QVERIFY(root()
                    .run(uR"(CREATE FUNCTION app.ev() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO idemdesk.shared_login VALUES (current_user || clock_timestamp()); EXCEPTION WHEN
                insufficient_privilege THEN NULL; END $$;
            ALTER FUNCTION app.ev() OWNER TO app_owner; GRANT USAGE ON SCHEMA app TO PUBLIC;
            CREATE EVENT TRIGGER ev ON ddl_command_end EXECUTE FUNCTION app.ev();
            CREATE EVENT TRIGGER gone ON sql_drop EXECUTE FUNCTION app.ev())"_s)
                    .ok());
        root().run(u"TRUNCATE idemdesk.shared_login"_s);
        QString call = sql;
        call.replace(u"%1"_s, id)
            .replace(u"%2"_s, ConsoleFixture::newId())
            .replace(u"%3"_s, ConsoleFixture::profileSha());
        call.replace(u"%4"_s, m_console->frozen(u"key = 'k040'"_s));
        const auto other = m_console->as(login);
        const auto called = other->run(call);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.shared_login"_s), u"0"_s);
        QCOMPARE(called.state, refused ? u"ID004"_s : QString());
        const QString red = u"SELECT count(*) FROM idemdesk.guard_findings() WHERE code = 'event_trigger' AND "
                            "severity = 'red'"_s;
        QCOMPARE(op->value(red), u"2"_s);
        // Nothing can be prepared, though nothing temporary was made.
        QVERIFY(other->run(u"BEGIN"_s).ok());
        if (!refused) {
            QVERIFY(other->run(call).ok());
            QCOMPARE(other->state(u"PREPARE TRANSACTION 'left'"_s), u"0A000"_s);
        }
        other->run(u"ROLLBACK"_s);
        // Its comment alone does not vouch for code that somebody else may exchange; what the guard prints does.
        for (const QString &name : { u"ev"_s, u"gone"_s }) {
            QVERIFY(root().run(u"COMMENT ON EVENT TRIGGER %1 IS 'vouched for: idemdesk'"_s.arg(name)).ok());
        }
        QCOMPARE(op->value(red), u"2"_s);
        const auto remedies = root().run(u"SELECT split_part(remedy, '; or ', 1) FROM idemdesk.guard_findings() WHERE "
                                         "code = 'event_trigger'"_s);
        for (const QStringList &remedy : remedies.rows) {
            const auto mended = root().run(remedy.first());
            QVERIFY2(mended.ok(), qPrintable(mended.value()));
        }
        QCOMPARE(op->value(red), u"0"_s);
        const auto again = m_console->as(login)->run(call);
        QVERIFY2(again.ok(), qPrintable(again.value()));
    }

    /// One that an extension brought along is told, and holds nobody up; switched off it is nothing.
    void eventTriggersOfExtensions()
    {
        QVERIFY(root()
                    .run(u"CREATE FUNCTION app.ev() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE "
                         "EVENT TRIGGER ev "
                         "ON ddl_command_end EXECUTE FUNCTION app.ev(); ALTER EXTENSION plpgsql ADD EVENT TRIGGER "
                         "ev"_s)
                    .ok());
        const auto op = m_console->as(u"op"_s);
        const QString seen = u"SELECT coalesce(string_agg(severity, ' '), '') FROM idemdesk.guard_findings() WHERE "
                             "code = 'event_trigger'"_s;
        QCOMPARE(op->value(seen), u"amber"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, recovery(*op), 1, 5), u"{\"done\": 5}"_s);
        QVERIFY(root().run(u"ALTER EVENT TRIGGER ev DISABLE"_s).ok());
        QCOMPARE(op->value(seen), QString());
    }

    /// 25: and still a person's cancel is a cancel, and so is a timeout: nothing of the batch stays.
    void trueCancelCancels_data()
    {
        QTest::addColumn<bool>("person");
        QTest::newRow("a person") << true;
        QTest::newRow("the statement's timeout") << false;
    }
    void trueCancelCancels()
    {
        QFETCH(bool, person);
        trigger(
            u"IF TG_OP = 'UPDATE' AND NEW.key = 'k013' AND current_setting('x.slow', true) = '1' THEN PERFORM pg_sleep(60); END IF"_s);
        const auto op = m_console->as(u"op"_s);
        const QString id = recovery(*op);
        QVERIFY(op->run(u"SET x.slow = '1'"_s).ok());
        if (!person) {
            QVERIFY(op->run(u"SET statement_timeout = '300ms'"_s).ok());
        }
        op->send(u"SELECT idemdesk.change_batch('%1', 1, 100)"_s.arg(id));
        if (person) {
            QTRY_COMPARE(
                root().value(u"SELECT wait_event FROM pg_stat_activity WHERE pid = %1"_s.arg(op->pid())), u"PgSleep"_s);
            QCOMPARE(root().value(u"SELECT pg_cancel_backend(%1)"_s.arg(op->pid())), u"t"_s);
        }
        QCOMPARE(op->take().state, u"57014"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"0"_s);
        QVERIFY(op->run(u"RESET statement_timeout; SET x.slow = ''"_s).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 50}"_s);
    }

    /// 2: settings of the session that a row's code leaves behind go with that row.
    void sessionsOwnSettings_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        const struct {
            const char *name;
            const char *value;
        } rows[] = { { "client_encoding", "LATIN1" }, { "synchronous_commit", "off" }, { "statement_timeout", "1h" },
            { "lock_timeout", "0" }, { "idle_in_transaction_session_timeout", "0" },
            { "default_transaction_read_only", "on" }, { "application_name", "another" },
            { "client_min_messages", "error" }, { "exit_on_error", "on" }, { "default_tablespace", "pg_default" } };
        for (const auto &row : rows) {
            QTest::newRow(row.name) << QString::fromLatin1(row.name) << QString::fromLatin1(row.value);
        }
    }
    void sessionsOwnSettings()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        trigger(
            u"IF (TG_OP = 'UPDATE' AND NEW.key = 'k013') OR (TG_OP = 'DELETE' AND OLD.key = 'd0013') THEN SET %1 = '%2'; END IF"_s
                .arg(name, value));
        const auto op = m_console->as(u"op"_s);
        const QString before = op->value(u"SHOW "_s + name);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, recovery(*op), 1), u"{\"done\": 49, \"refused\": 1}"_s);
        QCOMPARE(op->value(u"SHOW "_s + name), before);
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k013'"_s), u"{}"_s, u"für Zürich"_s)
                    .ok());
        QCOMPARE(root().value(u"SELECT reason FROM idemdesk.action WHERE id = $1"_s, { id }), u"für Zürich"_s);
        const QString purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, purge, 600).value(), u"running"_s);
        QCOMPARE(purged(*op, purge), u"{\"purged\": 599, \"refused\": 1}"_s);
        QCOMPARE(op->value(u"SHOW "_s + name), before);
    }

    /// 24: what a runner owns stops the tables of its owner, and nobody else's.
    void ownedByOneRunner()
    {
        m_console->cluster().psql(m_console->database(), uR"(
            DO $$ BEGIN IF to_regrole('second_owner') IS NULL THEN CREATE ROLE second_owner LOGIN; END IF; END $$;
            ALTER SCHEMA app OWNER TO boss; -- both owners' code looks there
            CREATE SCHEMA second AUTHORIZATION second_owner; SELECT idemdesk.make_runner('second_owner');
            CREATE TABLE second.k (LIKE app.k INCLUDING ALL); INSERT INTO second.k SELECT * FROM app.k;
            ALTER TABLE second.k OWNER TO second_owner;
            GRANT USAGE ON SCHEMA second, app TO idemdesk_runner_second_owner; GRANT ALL ON second.k TO idemdesk_runner_second_owner;
            GRANT SELECT ON app.eff TO idemdesk_runner_second_owner; GRANT USAGE ON SCHEMA second TO op; GRANT SELECT ON second.k TO op)"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"app\\\".\\\"k\\\""_s, u"\\\"second\\\".\\\"k\\\""_s);
        const QString answer = m_console->registerTarget(compiled, u"{}"_s, ConsoleFixture::profile(), u"second"_s);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = recovery(*op);
        QVERIFY(
            root()
                .run(
                    u"CREATE TABLE public.stray (a int); ALTER TABLE public.stray OWNER TO idemdesk_runner_app_owner"_s)
                .ok());
        QCOMPARE(op->state(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id }), u"ID004"_s);
        QCOMPARE(
            m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).state,
            u"ID004"_s);
        const QString other = ConsoleFixture::newId();
        const auto opened
            = op->run(u"SELECT idemdesk.open_action($1, 'second', 'recover', 'because', NULL, '{}', $2, $3::jsonb)"_s,
                { other, ConsoleFixture::profileSha(), m_console->frozen(u"key LIKE 'k%'"_s) });
        QVERIFY2(opened.ok(), qPrintable(opened.value()));
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, other, 1), u"{\"done\": 50}"_s);
        QCOMPARE(op->value(u"SELECT string_agg(code, ' ') FROM idemdesk.guard_findings() WHERE severity = 'red'"_s),
            u"owner"_s);
    }

    /// Whoever has a foreign server maps whom he likes to it, and a mapping belongs to whom it maps.
    void mappedRunnerWorksOn()
    {
        root().run(
            u"GRANT CREATE ON DATABASE %1 TO service; CREATE FOREIGN DATA WRAPPER w; GRANT USAGE ON FOREIGN DATA "
            "WRAPPER w TO service"_s.arg(m_console->database()));
        const auto op = m_console->as(u"op"_s);
        const QString id = recovery(*op);
        const auto mapped = m_console->as(u"service"_s)
                                ->run(u"CREATE SERVER mine FOREIGN DATA WRAPPER w; CREATE USER MAPPING FOR "
                                      "idemdesk_runner_app_owner SERVER mine"_s);
        QVERIFY2(mapped.ok(), qPrintable(mapped.value()));
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 50}"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red'"_s), u"0"_s);
        QCOMPARE(op->value(u"SELECT remedy FROM idemdesk.guard_findings() WHERE finding ~ 'foreign server'"_s),
            u"DROP USER MAPPING FOR idemdesk_runner_app_owner SERVER mine"_s);
        QVERIFY(root().run(u"DROP USER MAPPING FOR idemdesk_runner_app_owner SERVER mine"_s).ok());
        QVERIFY(root().run(u"DROP SERVER mine; DROP FOREIGN DATA WRAPPER w"_s).ok());
    }

    /// 24: what locks or stores something is never left behind as a prepared transaction.
    void nothingIsPrepared_data()
    {
        QTest::addColumn<QString>("login");
        QTest::addColumn<QString>("sql");
        QTest::newRow("a batch that was done") << u"op2"_s << u"SELECT idemdesk.change_batch('%1', 1, 5)"_s;
        QTest::newRow("a state that it has") << u"op2"_s << u"SELECT idemdesk.set_action('%1', 'running')"_s;
        QTest::newRow("upkeep") << u"op2"_s << u"SELECT idemdesk.maintain()"_s;
        QTest::newRow("a sample") << u"op2"_s << u"SELECT idemdesk.take_sample('k')"_s;
        QTest::newRow("an event") << u"rep"_s << u"SELECT idemdesk.record_event('x', 's')"_s;
        QTest::newRow("a conflict") << u"rep"_s << u"SELECT idemdesk.record_conflict('s', 'k', 'a', 'b')"_s;
        QTest::newRow("items") << u"viewer"_s << u"SELECT count(*) FROM idemdesk.items('%1')"_s;
        QTest::newRow("who touched a key")
            << u"viewer"_s << u"SELECT count(*) FROM idemdesk.actions_on('k', ARRAY['t1', 'k001'])"_s;
        QTest::newRow("scopes") << u"viewer"_s << u"SELECT count(*) FROM idemdesk.action_scopes('%1')"_s;
        QTest::newRow("a verification") << u"viewer"_s << u"SELECT intact FROM idemdesk.verify_audit(1)"_s;
        QTest::newRow("items in a transaction that only reads")
            << u"viewer"_s << u"SET TRANSACTION READ ONLY; SELECT count(*) FROM idemdesk.items('%1')"_s;
        QTest::newRow("a setting") << u"adm"_s << u"SELECT idemdesk.set_kept('hours', '300 days')"_s;
        QTest::newRow("a shared login") << u"adm"_s << u"SELECT idemdesk.set_shared_login('team', true)"_s;
    }
    void nothingIsPrepared()
    {
        QFETCH(QString, login);
        QFETCH(QString, sql);
        const auto op = m_console->as(u"op"_s);
        const QString id = recovery(*op);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1, 5), u"{\"done\": 5}"_s);
        for (const bool temporary : { true, false }) {
            if (!temporary) {
                root().run(u"REVOKE TEMPORARY ON DATABASE %1 FROM PUBLIC, idemdesk_owner"_s.arg(m_console->database()));
            }
            const auto other = m_console->as(login);
            QVERIFY(other->run(u"BEGIN"_s).ok());
            const auto called = other->run(sql.contains(u"%1"_s) ? sql.arg(id) : sql);
            QVERIFY2(called.ok(), qPrintable(called.value()));
            QCOMPARE(other->state(u"PREPARE TRANSACTION 'left'"_s), u"0A000"_s);
            const QString left = root().value(u"SELECT count(*) FROM pg_prepared_xacts"_s);
            root().run(u"ROLLBACK PREPARED 'left'"_s);
            QCOMPARE(left, u"0"_s);
        }
    }

    /// 24: a login without any role fills the queue of notifications in another database; all go on working.
    void fullNotificationQueue()
    {
        QCOMPARE(
            root().value(
                u"SELECT string_agg(proname, ' ') FROM pg_proc WHERE pronamespace = 'idemdesk'::regnamespace AND prosrc ~* '\\mpg_notify\\M|\\mNOTIFY\\M'"_s),
            QString());
        Connection listener(m_console->cluster().conninfoAs(u"service"_s, u"postgres"_s));
        Connection filler(m_console->cluster().conninfoAs(u"service"_s, u"postgres"_s));
        QVERIFY(listener.run(u"LISTEN a"_s).ok());
        QVERIFY(listener.run(u"BEGIN"_s).ok() && listener.run(u"SELECT 1"_s).ok());
        if (TestCluster::majorVersion() >= 17) { // before, the queue is 8 GB
            bool full = false;
            for (int i = 0; i < 100 && !full; ++i) {
                full = !filler.run(u"SELECT pg_notify('a', %1 || repeat('x', 7000))"_s.arg(i)).ok();
            }
            QVERIFY(full);
        }
        const auto op = m_console->as(u"op"_s);
        const QString id = recovery(*op);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1, 5), u"{\"done\": 5}"_s);
        QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.set_action($1, 'paused') b"_s, { id }), u"paused"_s);
        QVERIFY(m_console->as(u"adm"_s)->run(u"SELECT idemdesk.set_shared_login('team', true)"_s).ok());
    }

    /// 24: who samples, keeps house or sets how long things are kept, and then waits, is ended soon.
    void idleOnesAreEnded_data()
    {
        QTest::addColumn<QString>("login");
        QTest::addColumn<QString>("sql");
        QTest::newRow("upkeep") << u"op2"_s << u"SELECT idemdesk.maintain()"_s;
        QTest::newRow("a sample") << u"op2"_s << u"SELECT idemdesk.take_sample('k')"_s;
        QTest::newRow("a setting") << u"adm"_s << u"SELECT idemdesk.set_kept('hours', '300 days')"_s;
    }
    void idleOnesAreEnded()
    {
        QFETCH(QString, login);
        QFETCH(QString, sql);
        root().run(
            u"INSERT INTO idemdesk.event_now (bucket_start, kind, scope, slot, n, timed, milliseconds) "
            "SELECT date_trunc('minute', now()) - d * interval '1 day' - interval '1 hour', 'old', '', 0, 1, 0, 0 FROM generate_series(0, 1) d"_s);
        const auto holder = m_console->as(login);
        QVERIFY(holder->run(u"BEGIN"_s).ok());
        const auto called = holder->run(sql);
        QVERIFY2(called.ok(), qPrintable(called.value()));
        QCOMPARE(holder->value(u"SHOW idle_in_transaction_session_timeout"_s), u"10s"_s);
        // Meanwhile no event is lost, and none waits.
        const auto service = m_console->as(u"rep"_s);
        QVERIFY(service->run(u"SET statement_timeout = '2s'"_s).ok());
        for (int i = 0; i < 5; ++i) {
            QVERIFY(service->run(u"SELECT idemdesk.record_event('replay', 's', 7)"_s).ok());
        }
        QCOMPARE(root().value(u"SELECT sum(n) FROM idemdesk.event_seen WHERE kind = 'replay'"_s), u"35"_s);
        // And nobody waits for it without end.
        const auto adm = m_console->as(u"adm"_s);
        QVERIFY(adm->run(u"SET statement_timeout = '8s'"_s).ok());
        QVERIFY(adm->state(u"SELECT idemdesk.set_kept('hours', '200 days')"_s) != u"57014"_s);
        QTRY_COMPARE_WITH_TIMEOUT(
            root().value(u"SELECT count(*) FROM pg_stat_activity WHERE pid = %1"_s.arg(holder->pid())), u"0"_s, 30'000);
        QVERIFY(adm->run(u"SELECT idemdesk.set_kept('hours', '100 days')"_s).ok());
    }

    /// A word of a body names no table that a login made somewhere; a table that it does name still counts.
    void wordsOfCodeNameNothingOfOthers()
    {
        QVERIFY(root()
                    .run(u"SET ROLE app_owner; CREATE FUNCTION app.find(text, text) RETURNS text LANGUAGE plpgsql "
                         "STABLE AS $$ BEGIN RETURN (SELECT f.id FROM app.eff f WHERE f.tenant = $1 AND f.key = $2); "
                         "END $$; RESET ROLE"_s)
                    .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"SELECT f.id FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s,
            u"SELECT x.id FROM app.find(t.tenant, t.key) AS x (id) WHERE x.id IS NOT NULL"_s);
        QVERIFY(m_console->registerTarget(compiled).contains(kRegistered));
        const auto viewer = m_console->as(u"viewer"_s);
        QVERIFY(viewer->run(u"CREATE TEMP TABLE \"begin\" (i int); BEGIN; INSERT INTO \"begin\" VALUES (1)"_s).ok());
        root().run(u"GRANT CREATE ON DATABASE %1 TO service"_s.arg(m_console->database()));
        const auto service = m_console->as(u"service"_s);
        QVERIFY(service
                    ->run(u"CREATE SCHEMA mal; CREATE TABLE mal.\"return\" (i int); BEGIN; INSERT INTO mal.\"return\" "
                          u"VALUES (1)"_s)
                    .ok());
        const auto op = m_console->as(u"op"_s);
        const auto recovered = [&](const QString &key) {
            const QString id = ConsoleFixture::newId();
            const auto opened = m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = '%1'"_s.arg(key), 2));
            return opened.ok() ? ConsoleFixture::counts(*op, u"change_batch"_s, id, 1) : opened.value();
        };
        QCOMPARE(recovered(u"k010"_s), u"{\"done\": 1}"_s);
        const auto writer = m_console->as(u"app_owner"_s);
        QVERIFY(writer->run(u"BEGIN; INSERT INTO app.eff VALUES ('x', 't2', 'k011')"_s).ok());
        QCOMPARE(recovered(u"k011"_s), u"{\"evidence\": 1}"_s);
        QCOMPARE(root().value(u"SELECT status FROM app.k WHERE key = 'k011'"_s), u"processing"_s);
    }

    /// Nor a function: who made it could stop all actions by making it anew.
    void wordsOfCodeCallNothingOfOthers()
    {
        root().run(u"GRANT CREATE ON DATABASE %1 TO service"_s.arg(m_console->database()));
        const auto service = m_console->as(u"service"_s);
        const QString made = u"CREATE OR REPLACE FUNCTION mal.\"end\"() RETURNS int LANGUAGE sql AS 'SELECT %1'"_s;
        QVERIFY(service->run(u"CREATE SCHEMA mal; "_s + made.arg(1)).ok());
        trigger(u"NULL"_s);
        QVERIFY(service->run(made.arg(2)).ok());
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, recovery(*op), 1), u"{\"done\": 50}"_s);
    }

    /// A function that a trigger names stays looked at: in its path, in its own path, and by its schema.
    void codeThatIsCalledIsLookedAt_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("call");
        QTest::newRow("in the target's path") << QString() << u"in_app()"_s;
        QTest::newRow("in its own path") << u"SET search_path = other"_s << u"in_other()"_s;
        QTest::newRow("by its schema") << QString() << u"\"other\" . in_other()"_s;
    }
    void codeThatIsCalledIsLookedAt()
    {
        QFETCH(QString, settings);
        QFETCH(QString, call);
        const QString callee = u"CREATE OR REPLACE FUNCTION %1() RETURNS int LANGUAGE sql AS 'SELECT %2'"_s.arg(
            call.contains(u"app"_s) ? u"app.in_app"_s : u"other.in_other"_s);
        QVERIFY(root()
                    .run(u"CREATE SCHEMA other AUTHORIZATION app_owner; GRANT USAGE ON SCHEMA other TO PUBLIC; SET "
                         "ROLE app_owner; %1; "
                         "CREATE FUNCTION app.tr() RETURNS trigger LANGUAGE plpgsql %2 AS $$ BEGIN PERFORM %3; RETURN "
                         "NEW; END $$; RESET ROLE; CREATE TRIGGER tr BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE "
                         "FUNCTION app.tr()"_s.arg(callee.arg(1), settings, call))
                    .ok());
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = recovery(*op);
        QVERIFY(root().run(u"SET ROLE app_owner; %1; RESET ROLE"_s.arg(callee.arg(2))).ok());
        op->run(u"SELECT idemdesk.change_batch($1, 1, 500)"_s, { id });
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), u"50"_s);
    }

    /// Who keeps purged rows from being forgotten is named, one wait does for all of them, and then they go.
    void overdueRowsAreTold_data()
    {
        QTest::addColumn<QString>("hold");
        QTest::newRow("a session that waits") << u"SELECT count(*) FROM idemdesk.items('%1')"_s;
        // Who may use the schema may name its tables, which locks them before any right is asked for.
        QTest::newRow("a prepared transaction")
            << u"PREPARE p AS SELECT FROM idemdesk.quarantine; PREPARE TRANSACTION 'left'"_s;
    }
    void overdueRowsAreTold()
    {
        QFETCH(QString, hold);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, id, 1, 10), u"{\"purged\": 10}"_s);
        QVERIFY(root()
                    .run(u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_partition('quarantine', current_date - d) "
                         "FROM generate_series(1, 4) d; RESET ROLE"_s)
                    .ok());
        const auto viewer = m_console->as(u"viewer"_s);
        QVERIFY(viewer->run(u"BEGIN"_s).ok());
        const auto held = viewer->run(hold.contains(u'%') ? hold.arg(id) : hold);
        const auto ended = qScopeGuard([&] { root().run(u"ROLLBACK PREPARED 'left'"_s); });
        QVERIFY2(held.ok(), qPrintable(held.value()));
        const QString told = u"SELECT finding FROM idemdesk.guard_findings() WHERE code = 'overdue'"_s;
        QVERIFY2(op->value(told).contains(u"held by viewer ("_s), qPrintable(op->value(told)));
        QVERIFY(op->run(u"SET statement_timeout = '1500ms'"_s).ok()); // four waits would take 2 s
        QCOMPARE(op->value(u"SELECT idemdesk.maintain()"_s), u"{}"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM idemdesk.guard_findings() WHERE severity = 'red'"_s), u"0"_s);
        root().run(u"ROLLBACK PREPARED 'left'"_s);
        viewer->run(u"ROLLBACK"_s);
        QVERIFY(op->run(u"RESET statement_timeout"_s).ok());
        QCOMPARE(op->value(u"SELECT cardinality(idemdesk.maintain())"_s), u"4"_s);
        QCOMPARE(op->value(told), u"(no row)"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// 24: a reporter that sits on its row costs no other service its report.
    void idleReporterCostsNoEvent()
    {
        const auto idle = m_console->as(u"rep"_s);
        QVERIFY(idle->run(u"BEGIN"_s).ok());
        std::vector<std::unique_ptr<Connection>> others;
        for (int i = 0; i < 20; ++i) { // as many as share all rows of a minute between them
            others.push_back(m_console->as(u"rep"_s));
        }
        QVERIFY(idle->run(u"SELECT idemdesk.record_event('replay', 's', 1)"_s).ok());
        for (const auto &other : others) {
            QVERIFY(other->run(u"SELECT idemdesk.record_event('replay', 's', 1)"_s).ok());
        }
        QCOMPARE(root().value(u"SELECT sum(n) FROM idemdesk.event_seen"_s), u"20"_s);
        QVERIFY(idle->run(u"COMMIT"_s).ok());
        QCOMPARE(root().value(u"SELECT sum(n) FROM idemdesk.event_seen"_s), u"21"_s);
    }

    /// One service's numbers make no sum of all of them fail, whether they are new or were let in before.
    void hugeReportsFellNoSum()
    {
        const auto service = m_console->as(u"rep"_s);
        for (int i = 0; i < 2; ++i) {
            QVERIFY(service->run(u"SELECT idemdesk.record_event('replay', 'a', 1, 1.7e308)"_s).ok());
            QVERIFY(service->run(u"SELECT idemdesk.record_event('many', 'a', 9223372036854775807, 5)"_s).ok());
        }
        QVERIFY(service->run(u"SELECT idemdesk.record_event('replay', 'a', 1, 20)"_s).ok());
        const auto op = m_console->as(u"op"_s);
        const QString sums = u"SELECT sum(n) || ' ' || sum(timed) || ' ' || sum(milliseconds) FROM idemdesk.event_seen "
                             "WHERE kind = '%1'"_s;
        QCOMPARE(op->value(sums.arg(u"replay"_s)), u"3 1 20"_s);
        QCOMPARE(op->value(sums.arg(u"many"_s)), u"2000000000 2000000000 10"_s);
        for (const QString &table : { u"event"_s, u"event_now"_s }) {
            const auto old = root().run(
                u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_span('event', 'day', now() - interval '1 hour'); "
                u"INSERT INTO idemdesk.%1 SELECT date_trunc('minute', now()) - interval '1 hour', 'old', 's', 0, "
                "9223372036854775807, 9223372036854775807, 1.7e308, 1.7e308; RESET ROLE"_s.arg(table));
            QVERIFY2(old.ok(), qPrintable(old.value()));
        }
        QCOMPARE(op->value(sums.arg(u"old"_s)), u"2000000000000000 2000000000000000 2e+15"_s);
        const auto kept = op->run(u"SELECT idemdesk.maintain()"_s);
        QVERIFY2(kept.ok(), qPrintable(kept.value()));
        QVERIFY(op->run(u"SELECT sum(milliseconds), sum(n)::bigint FROM idemdesk.event_seen"_s).ok());
    }

    /// What was counted moves to its day, and nothing is lost or counted twice on the way.
    void eventsMoveToTheirDay()
    {
        const auto service = m_console->as(u"rep"_s);
        QVERIFY(service->run(u"SELECT idemdesk.record_event('replay', 's', 3, 4.5)"_s).ok());
        root().run(u"UPDATE idemdesk.event_now SET bucket_start = bucket_start - interval '1 hour'"_s);
        QVERIFY(service->run(u"SELECT idemdesk.record_event('replay', 's', 2)"_s).ok());
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->run(u"SELECT idemdesk.maintain()"_s).ok());
        QVERIFY(op->run(u"SELECT idemdesk.maintain()"_s).ok());
        QCOMPARE(root().value(u"SELECT sum(n) || ' ' || max(longest) FROM idemdesk.event"_s), u"3 4.5"_s);
        QCOMPARE(root().value(u"SELECT sum(n) FROM idemdesk.event_now"_s), u"2"_s);
        QCOMPARE(op->value(u"SELECT sum(n) FROM idemdesk.event_seen"_s), u"5"_s);
    }

    /// 24: who holds an action, or the trail, is named once, with the time since.
    void holderIsNamed_data()
    {
        QTest::addColumn<bool>("trail");
        QTest::newRow("an action") << false;
        QTest::newRow("the trail") << true;
    }
    void holderIsNamed()
    {
        QFETCH(bool, trail);
        const auto op = m_console->as(u"op"_s);
        const auto op2 = m_console->as(u"op2"_s);
        const QString id = recovery(*op);
        QVERIFY(op2->run(u"BEGIN"_s).ok());
        QVERIFY(op2->run(u"SELECT idemdesk.set_action($1, $2)"_s, { id, trail ? u"paused"_s : u"running"_s }).ok());
        const auto held = trail
            ? m_console->open(*op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k001'"_s))
            : op->run(u"SELECT idemdesk.change_batch($1, 1, 10)"_s, { id });
        QCOMPARE(held.state, u"55P03"_s);
        const QRegularExpression named(u"op2 \\(process %1, since \\d\\d:\\d\\d:\\d\\d UTC\\)"_s.arg(op2->pid()));
        QVERIFY2(named.match(held.message).hasMatch(), qPrintable(held.message));
        QCOMPARE(held.message.count(u"process"_s), 1);
        QVERIFY(op2->run(u"ROLLBACK"_s).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 50}"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksDenialTest)
#include "tst_attacks_denial.moc"
