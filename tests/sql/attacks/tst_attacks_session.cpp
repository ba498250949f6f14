// SPDX-License-Identifier: GPL-3.0-or-later
// Attacks by what a person has in the session: code of the person's own that waits there for the rights of a runner.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

class AttacksSessionTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

    Connection &root() { return m_console->root(); }
    QString finishedRows() { return root().value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s); }
    /// Locks by which code of the person's own says that it ran as somebody else; no rollback takes them back.
    QString flags()
    {
        return root().value(u"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711"_s);
    }
    /// A running action of each verb, opened by op: recover, purge, undo.
    QString opened(const QString &verb)
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        if (verb == u"purge"_s) {
            return m_console->openPurge(*op, id, 600).ok() ? id : QString();
        }
        const bool done = m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).ok();
        if (verb != u"undo"_s) {
            return done ? id : QString();
        }
        const QString undo = ConsoleFixture::newId();
        return done && ConsoleFixture::counts(*op, u"change_batch"_s, id, 1) == u"{\"done\": 1}"_s
                && op->run(u"SELECT idemdesk.open_undo($1, $2, 'back', '')"_s, { undo, id }).ok()
            ? undo
            : QString();
    }
    /// What the person has: a function that deletes what it may not, or says that it came as far as that.
    static QString deletes(const QString &name, const QString &returns, const QString &answer, bool looks = false)
    {
        return u"CREATE FUNCTION %1 RETURNS %2 LANGUAGE plpgsql AS $$ BEGIN "
               "IF current_user <> session_user THEN %4; END IF; RETURN %3; END $$; "_s.arg(name, returns, answer,
                   looks ? u"PERFORM pg_advisory_lock_shared(4711)"_s : u"DELETE FROM app.k WHERE key LIKE 'd%'"_s);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void init() { m_console->fresh(); }

    /// What a deferred trigger of the person's own left to the end of the transaction never runs as a runner.
    void whatWaitsForTheEndActsForNobody_data()
    {
        QTest::addColumn<QString>("login");
        QTest::addColumn<QString>("verb"); // of the action, empty: none
        QTest::addColumn<QString>("call");
        QTest::newRow("a recovery") << u"op"_s << u"recover"_s << u"SELECT idemdesk.change_batch('%1', 1, 5)"_s;
        QTest::newRow("a purge") << u"op"_s << u"purge"_s << u"SELECT idemdesk.purge_batch('%1', 1, 1)"_s;
        QTest::newRow("an undo") << u"op"_s << u"undo"_s << u"SELECT idemdesk.undo_batch('%1', 1, 5)"_s;
        QTest::newRow("a sample, which only looks") << u"op"_s << QString() << u"SELECT idemdesk.take_sample('k')"_s;
        QTest::newRow("a registration")
            << u"adm"_s << QString()
            << u"SELECT idemdesk.register_target('k', '{\"x\":1}', '%2'::jsonb, ARRAY['app'], '{}'::jsonb, true)"_s;
        QTest::newRow("counting for an approval")
            << u"op"_s << QString()
            << u"SELECT idemdesk.open_action('%3', 'k', 'purge', 'why', '', '{\"cutoff\": \"2026-01-01\", \"states\": "
               "[\"succeeded\"], \"expected\": 1}', '%4', '[]')"_s;
    }
    void whatWaitsForTheEndActsForNobody()
    {
        QFETCH(QString, login);
        QFETCH(QString, verb);
        QFETCH(QString, call);
        if (call.contains(u"open_action"_s)) {
            m_console->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": 50}"_s);
        }
        const QString id = verb.isEmpty() ? QString() : opened(verb);
        QCOMPARE(id.isEmpty(), verb.isEmpty());
        call.replace(u"%1"_s, id)
            .replace(u"%2"_s, ConsoleFixture::compiled().replace(u"'"_s, u"''"_s))
            .replace(u"%3"_s, ConsoleFixture::newId())
            .replace(u"%4"_s, ConsoleFixture::profileSha());
        const auto person = m_console->as(login);
        const auto waits = root().run(u"CREATE SCHEMA mine AUTHORIZATION %1; GRANT USAGE ON SCHEMA mine TO PUBLIC; "
                                      "SET ROLE %1; CREATE TABLE mine.x (i int); %2CREATE CONSTRAINT TRIGGER waits "
                                      "AFTER INSERT ON mine.x DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE "
                                      "FUNCTION mine.deletes(); RESET ROLE"_s.arg(login,
                                          deletes(u"mine.deletes()"_s, u"trigger"_s, u"NULL"_s, verb.isEmpty())));
        QVERIFY2(waits.ok(), qPrintable(waits.value()));
        QVERIFY(person->run(u"BEGIN; INSERT INTO mine.x VALUES (1)"_s).ok());
        const auto refused = person->run(call);
        person->run(u"COMMIT"_s);
        QCOMPARE(finishedRows(), u"600"_s);
        QCOMPARE(flags(), u"0"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'batch' AND action = $1"_s,
                     { id.isEmpty() ? ConsoleFixture::newId() : id }),
            u"0"_s);
        QCOMPARE(refused.state, u"ID011"_s);
        // By itself it does what it says.
        const auto done = person->run(call);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        QCOMPARE(ConsoleFixture::verified(*m_console->as(u"op"_s)), u"t"_s);
    }

    /// A trigger that looks for a temporary table of its application's finds nobody's code there.
    void aTemporaryNameMeansNothing_data()
    {
        QTest::addColumn<QString>("makes");
        QTest::newRow("a view") << u"CREATE TEMP VIEW app_context AS SELECT pg_temp.deletes() AS who"_s;
        QTest::newRow("a table with a trigger")
            << u"CREATE TEMP TABLE app_context (who text); CREATE FUNCTION pg_temp.fires() RETURNS trigger LANGUAGE "
               "plpgsql AS $$ BEGIN PERFORM pg_temp.deletes(); RETURN NEW; END $$; CREATE TRIGGER fires BEFORE INSERT "
               "ON app_context FOR EACH ROW EXECUTE FUNCTION pg_temp.fires()"_s;
        QTest::newRow("a default")
            << u"CREATE TEMP TABLE app_context (who text, made text DEFAULT pg_temp.deletes())"_s;
    }
    void aTemporaryNameMeansNothing()
    {
        QFETCH(QString, makes);
        const auto made = root().run(
            u"CREATE TABLE app.log (who text); GRANT INSERT ON app.log TO idemdesk_runner_app_owner; "
            "SET ROLE app_owner; CREATE FUNCTION app.trail() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE v_who "
            "text; BEGIN "
            "IF to_regclass('pg_temp.app_context') IS NOT NULL THEN "
            "IF (SELECT relkind = 'r' FROM pg_class WHERE oid = to_regclass('pg_temp.app_context')) THEN "
            "EXECUTE 'INSERT INTO app_context (who) VALUES (''x'')'; END IF; "
            "EXECUTE 'SELECT max(who) FROM app_context' INTO v_who; END IF; "
            "INSERT INTO app.log VALUES (v_who); RETURN NEW; END $$; "
            "CREATE TRIGGER trail BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.trail(); RESET ROLE"_s);
        QVERIFY2(made.ok(), qPrintable(made.value()));
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        const QString id = opened(u"recover"_s);
        const auto op = m_console->as(u"op"_s);
        const auto own = op->run(deletes(u"pg_temp.deletes()"_s, u"text"_s, u"current_user::text"_s) + makes
            + u"; GRANT ALL ON pg_temp.app_context TO PUBLIC"_s);
        QVERIFY2(own.ok(), qPrintable(own.value()));
        const auto refused = op->run(u"SELECT idemdesk.change_batch($1, 1, 5)"_s, { id });
        QCOMPARE(finishedRows(), u"600"_s);
        QCOMPARE(refused.state, u"ID011"_s);
        QVERIFY(op->run(u"DISCARD TEMP"_s).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        QCOMPARE(finishedRows(), u"600"_s);
    }

    /// A sample belongs to the minute in which it was counted, by the clock of then, however old its transaction is.
    void aSampleIsOfNow()
    {
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->run(u"BEGIN"_s).ok());
        QVERIFY(op->run(u"SELECT 1"_s).ok());
        QVERIFY(root().run(u"UPDATE app.k SET locked_until = clock_timestamp() WHERE status = 'processing'"_s).ok());
        QVERIFY(op->value(u"SELECT idemdesk.take_sample('k')"_s).toInt() > 0);
        QVERIFY(op->run(u"COMMIT"_s).ok());
        QCOMPARE(root().value(u"SELECT sum(value) FROM idemdesk.sample WHERE metric = 'stale'"_s), u"50"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksSessionTest)
#include "tst_attacks_session.moc"
