// SPDX-License-Identifier: GPL-3.0-or-later
// Attacks on what is known of an effect, and on what is written down of the row: by the client's word, by a lock that
// the session took before, by time that passes within a batch.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QString kRegistered = u"\"registered\": true"_s;
const QString kEffect = u"SELECT f.id FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s;

class AttacksEvidenceTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

    Connection &root() { return m_console->root(); }
    void demand(const QString &sql)
    {
        const auto answer = root().run(sql);
        QVERIFY2(answer.ok(), qPrintable(answer.value()));
    }
    /// What became of one row, and what is said of it.
    QString outcome(const QString &action, const QString &key)
    {
        return m_console->as(u"op"_s)->value(
            u"SELECT outcome || coalesce(': ' || detail, '') FROM idemdesk.items($1) WHERE identity[2] = $2"_s,
            { action, key });
    }
    QString status(const QString &key) { return root().value(u"SELECT status FROM app.k WHERE key = $1"_s, { key }); }
    QString recover(Connection &op, const QString &where, int rule = 0)
    {
        const QString id = ConsoleFixture::newId();
        const auto opened = m_console->open(op, id, u"recover"_s, m_console->frozen(where, rule));
        return opened.ok() ? id : opened.value();
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void init()
    {
        m_console->fresh();
        demand(u"GRANT SELECT ON app.eff TO op"_s);
    }

    /// A payment has its provider's reference only once it is settled; it is a payment before.
    void anEffectWithoutIdIsAnEffect()
    {
        demand(u"ALTER TABLE app.eff ADD ref text; INSERT INTO app.eff SELECT 'e1', tenant, key FROM app.k WHERE key = "
               "'k001'"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(
            kEffect, u"SELECT f.ref AS id, 'paid' AS state FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString freed = recover(*op, u"key IN ('k001', 'k002')"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, freed, 1), u"{\"done\": 1, \"evidence\": 1}"_s);
        QCOMPARE(outcome(freed, u"k001"_s), u"evidence: The effect \"eff\" exists."_s);
        QCOMPARE(status(u"k001"_s), u"processing"_s);
        // Nor is it recorded as the result: there is nothing yet that a retry could be answered with.
        const QString settled = recover(*op, u"key = 'k001'"_s, 1);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, settled, 1), u"{\"evidence\": 1}"_s);
        QCOMPARE(
            outcome(settled, u"k001"_s), u"evidence: The effect \"eff\" exists, but its query gives it no id yet."_s);
    }

    /// A payment that has no reference yet leaves it open what it is.
    void aRowWithoutAnyValue_data()
    {
        QTest::addColumn<QString>("effect");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("outcome");
        const QString where = u" FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s;
        const QString open = u"{\"evidence\": 1}"_s;
        const QString freed = u"{\"done\": 1}"_s;
        QTest::newRow("a payment without its reference")
            << QString(u"SELECT f.ref AS id"_s + where) << u"k001"_s << open;
        QTest::newRow("no payment") << QString(u"SELECT f.ref AS id"_s + where) << u"k002"_s << freed;
        const QString last = u"SELECT max(f.ref) AS id"_s + where + u" HAVING count(*) > 0"_s;
        QTest::newRow("an aggregate over a payment without its reference") << last << u"k001"_s << open;
        QTest::newRow("an aggregate that says where there is nothing") << last << u"k002"_s << freed;
        QTest::newRow("a function that found nothing")
            << u"SELECT x.id FROM app.find(t.tenant, t.key) AS x (id) WHERE x.id IS NOT NULL"_s << u"k002"_s << freed;
    }
    void aRowWithoutAnyValue()
    {
        QFETCH(QString, effect);
        QFETCH(QString, key);
        QFETCH(QString, outcome);
        demand(u"ALTER TABLE app.eff ADD ref text; INSERT INTO app.eff SELECT 'e1', tenant, key FROM app.k WHERE key = "
               "'k001'; SET ROLE app_owner; CREATE FUNCTION app.find(text, text) RETURNS text LANGUAGE sql STABLE AS "
               "'SELECT f.id FROM app.eff f WHERE f.tenant = $1 AND f.key = $2'; RESET ROLE"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(kEffect, effect);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, recover(*op, u"key = '%1'"_s.arg(key)), 1), outcome);
    }

    /// Of a payment without a value it gives the same row as of none, so such a key would be freed.
    void aQueryThatGivesARowOfAnything_data()
    {
        QTest::addColumn<QString>("effect");
        const QString where = u" FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"_s;
        QTest::newRow("an aggregate") << QString(u"SELECT max(f.ref) AS id"_s + where);
        QTest::newRow("a single value") << QString(u"SELECT (SELECT f.ref"_s + where + u") AS id"_s);
        QTest::newRow("a function") << u"SELECT app.find(t.tenant, t.key) AS id"_s;
        QTest::newRow("a constant") << u"SELECT 'paid' AS id"_s;
        QTest::newRow("the rows of others") << u"SELECT f.id FROM app.eff f"_s;
        QTest::newRow("an aggregate that reads a column of the system's own")
            << QString(u"SELECT coalesce(max(f.ref), 'none') AS id"_s + where + u" AND t.ctid IS NOT NULL"_s);
    }
    void aQueryThatGivesARowOfAnything()
    {
        QFETCH(QString, effect);
        demand(u"ALTER TABLE app.eff ADD ref text; INSERT INTO app.eff SELECT 'e1', tenant, key FROM app.k WHERE key = "
               "'k001'; SET ROLE app_owner; CREATE FUNCTION app.find(text, text) RETURNS text LANGUAGE sql STABLE AS "
               "'SELECT f.ref FROM app.eff f WHERE f.tenant = $1 AND f.key = $2'; RESET ROLE"_s);
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled().replace(kEffect, effect));
        QVERIFY2(answer.contains(u"gives a row of a key that does not exist"_s), qPrintable(answer));
        QVERIFY2(!answer.contains(kRegistered), qPrintable(answer));
    }

    /// What cannot be tried on a key that does not exist was not seen to find none.
    void aQueryThatFailsOnNothing()
    {
        demand(u"SET ROLE app_owner; CREATE FUNCTION app.find(text, text) RETURNS SETOF text LANGUAGE plpgsql STABLE "
               u"AS $$ "
               "BEGIN IF $2 IS NULL THEN RAISE 'no key'; END IF; RETURN QUERY SELECT f.id FROM app.eff f WHERE f.key = "
               "$2; "
               "END $$; RESET ROLE"_s);
        const QString answer = m_console->registerTarget(
            ConsoleFixture::compiled().replace(kEffect, u"SELECT x.id FROM app.find(t.tenant, t.key) AS x (id)"_s));
        QVERIFY2(answer.contains(u"fails on a key that does not exist"_s), qPrintable(answer));
        QVERIFY2(!answer.contains(kRegistered), qPrintable(answer));
    }

    /// A batch may take its time; who begins to write meanwhile is seen before the rows that follow.
    void aWriterThatComesDuringTheBatchIsSeen()
    {
        demand(u"SET ROLE app_owner; CREATE FUNCTION app.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF "
               "OLD.key = 'k001' THEN PERFORM pg_sleep(2.5); END IF; RETURN NEW; END $$; CREATE TRIGGER slow BEFORE "
               "UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.slow(); RESET ROLE"_s);
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled());
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = recover(*op, u"key IN ('k001', 'k002')"_s);
        op->send(u"SELECT idemdesk.change_batch('%1', 1, 500)"_s.arg(id));
        QTRY_COMPARE_WITH_TIMEOUT(
            root().value(u"SELECT coalesce(max(wait_event), '') FROM pg_stat_activity WHERE pid = $1"_s,
                { QString::number(op->pid()) }),
            u"PgSleep"_s, 10'000);
        const auto writer = m_console->as(u"app_owner"_s);
        QVERIFY(
            writer->run(u"BEGIN; INSERT INTO app.eff SELECT 'e2', tenant, key FROM app.k WHERE key = 'k002'"_s).ok());
        const auto batch = op->take();
        QVERIFY2(batch.ok(), qPrintable(batch.value()));
        QVERIFY(writer->run(u"COMMIT"_s).ok());
        QCOMPARE(status(u"k001"_s), u"failed"_s);
        QCOMPARE(status(u"k002"_s), u"processing"_s);
        QVERIFY2(outcome(id, u"k002"_s).contains(u"cannot be known yet"_s), qPrintable(outcome(id, u"k002"_s)));
    }

    /// What the caller's transaction has locked already is looked at all the same.
    void locksOfTheCallerHideNoWriter()
    {
        const auto writer = m_console->as(u"app_owner"_s);
        QVERIFY(writer->run(u"BEGIN; INSERT INTO app.eff VALUES ('e1', 'nobody', 'none')"_s).ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = recover(*op, u"key = 'k002'"_s);
        QVERIFY(op->run(u"BEGIN"_s).ok());
        QVERIFY(op->run(u"SELECT 1 FROM app.eff LIMIT 0"_s).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"evidence\": 1}"_s);
        QVERIFY(op->run(u"COMMIT"_s).ok());
        QCOMPARE(status(u"k002"_s), u"processing"_s);
    }

    /// What was there at a refresh, or counts on while it is read, says nothing of an effect that is not in it.
    void whatIsNotOfThisMomentProvesNothing_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("effect");
        QTest::addColumn<QString>("why");
        const QString refreshed
            = u"CREATE MATERIALIZED VIEW app.paid AS SELECT id, tenant, key FROM app.eff; GRANT SELECT "
              "ON app.paid TO idemdesk_runner_app_owner"_s;
        const QString then = u"cannot be known: app.paid shows what was there when it was refreshed."_s;
        QTest::newRow("a materialized view")
            << refreshed << QString(kEffect).replace(u"app.eff"_s, u"app.paid"_s) << then;
        QTest::newRow("one behind a view") << QString(refreshed
            + u"; CREATE VIEW app.seen AS SELECT * FROM app.paid; GRANT SELECT ON app.seen TO "
              "idemdesk_runner_app_owner"_s)
                                           << QString(kEffect).replace(u"app.eff"_s, u"app.seen"_s) << then;
        QTest::newRow("one behind a function") << QString(refreshed
            + u"; CREATE FUNCTION app.paid_for(text, text) RETURNS SETOF text LANGUAGE sql STABLE AS $$ SELECT id "
              "FROM app.paid WHERE tenant = $1 AND key = $2 $$"_s)
                                               << u"SELECT f.id FROM app.paid_for(t.tenant, t.key) AS f(id)"_s << then;
        QTest::newRow("an unlogged table")
            << u"CREATE UNLOGGED TABLE app.lost AS SELECT * FROM app.eff; GRANT SELECT ON app.lost TO "
               "idemdesk_runner_app_owner"_s
            << QString(kEffect).replace(u"app.eff"_s, u"app.lost"_s)
            << u"cannot be known: app.lost is unlogged: a crash empties it."_s;
        QTest::newRow("a table that another server fills")
            << u"RESET ROLE; INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate) VALUES (1, "
               "'app.eff'::regclass, 'r')"_s
            << kEffect << u"cannot be known: app.eff is filled from another server, and may be behind."_s;
        QTest::newRow("a table whose name a function makes up")
            << u"CREATE FUNCTION app.paid_for(text, text) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $$ BEGIN "
               u"RETURN "
               "QUERY EXECUTE format('SELECT id FROM app.%I WHERE tenant = $1 AND key = $2', 'e' || 'ff') USING $1, "
               "$2; "
               "END $$"_s
            << u"SELECT f.id FROM app.paid_for(t.tenant, t.key) AS f(id)"_s
            << u"cannot be known: what app.paid_for reads could not be told."_s;
        QTest::newRow("the table of the keys")
            << u"SELECT 1"_s << u"SELECT f.key AS id FROM app.k f WHERE f.tenant=t.tenant AND f.key=t.key || '-done'"_s
            << u"cannot be known: its query reads \"app\".\"k\" again, the table of the keys."_s;
        QTest::newRow("the table of the keys, behind a view")
            << u"CREATE VIEW app.done AS SELECT * FROM app.k; GRANT SELECT ON app.done TO idemdesk_runner_app_owner"_s
            << u"SELECT f.key AS id FROM app.done f WHERE f.tenant=t.tenant AND f.key=t.key || '-done'"_s
            << u"cannot be known: its query reads \"app\".\"k\" again, the table of the keys."_s;
        QTest::newRow("a sequence")
            << u"CREATE SEQUENCE app.next; GRANT SELECT ON app.next TO idemdesk_runner_app_owner"_s
            << u"SELECT f.id FROM app.eff f, app.next n WHERE f.tenant=t.tenant AND f.key=t.key AND n.last_value > 0"_s
            << u"cannot be known: what app.next shows changes while it is read."_s;
    }
    void whatIsNotOfThisMomentProvesNothing()
    {
        QFETCH(QString, made);
        QFETCH(QString, effect);
        QFETCH(QString, why);
        demand(u"SET ROLE app_owner; "_s + made + u"; RESET ROLE"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(kEffect, effect);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString id = recover(*op, u"key = 'k001'"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"evidence\": 1}"_s);
        QCOMPARE(status(u"k001"_s), u"processing"_s);
        QVERIFY2(outcome(id, u"k001"_s).endsWith(why), qPrintable(outcome(id, u"k001"_s)));
    }

    /// Who asks, or with which settings, must not decide whether an effect is there.
    void evidenceIsTheSameForAll_data()
    {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("effect");
        QTest::addColumn<QString>("word");
        const QString view = u"CREATE VIEW app.mine AS SELECT * FROM app.eff WHERE %1; GRANT SELECT ON app.mine TO "
                             "idemdesk_runner_app_owner"_s;
        const QString mine = QString(kEffect).replace(u"app.eff"_s, u"app.mine"_s);
        QTest::newRow("a setting, in a view")
            << view.arg(u"tenant = current_setting('app.tenant', true)"_s) << mine << u"current_setting"_s;
        QTest::newRow("the role, in a view") << view.arg(u"current_user = 'service'"_s) << mine << u"current_user"_s;
        QTest::newRow("the login, in the query")
            << u"SELECT 1"_s << QString(kEffect + u" AND session_user = 'service'"_s) << u"session_user"_s;
        QTest::newRow("a setting, in a function")
            << u"CREATE FUNCTION app.mine(text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN $1 = "
               "current_setting('app.tenant', true); END $$"_s
            << QString(kEffect + u" AND app.mine(f.tenant)"_s) << u"current_setting"_s;
    }
    void evidenceIsTheSameForAll()
    {
        QFETCH(QString, made);
        QFETCH(QString, effect);
        QFETCH(QString, word);
        demand(u"SET ROLE app_owner; "_s + made + u"; RESET ROLE"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(kEffect, effect);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(!answer.contains(kRegistered) && answer.contains(u"depends on who asks, or on the session: "_s + word),
            qPrintable(answer));
    }

    /// What a rule forbids is waited for as what proves an effect is.
    void aForbiddenEffectUnderWayIsSeen()
    {
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\"proves\":true"_s, u"\"proves\":false"_s);
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto writer = m_console->as(u"app_owner"_s);
        QVERIFY(
            writer->run(u"BEGIN; INSERT INTO app.eff SELECT 'e1', tenant, key FROM app.k WHERE key = 'k001'"_s).ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = recover(*op, u"key = 'k001'"_s, 2);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"evidence\": 1}"_s);
        QVERIFY(writer->run(u"COMMIT"_s).ok());
        QCOMPARE(status(u"k001"_s), u"processing"_s);
    }

    /// The same of a table that is made to inherit, until that is committed; not of one that is vacuumed meanwhile.
    void anHeirUnderWayIsSeen()
    {
        demand(u"SET ROLE app_owner; CREATE TABLE app.eff_new (LIKE app.eff INCLUDING ALL); INSERT INTO app.eff_new "
               u"SELECT "
               "'e1', tenant, key FROM app.k WHERE key = 'k001'; RESET ROLE"_s);
        const auto owner = m_console->as(u"app_owner"_s);
        QVERIFY(owner->run(u"BEGIN; ALTER TABLE app.eff_new INHERIT app.eff"_s).ok());
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(
            ConsoleFixture::counts(*op, u"change_batch"_s, recover(*op, u"key = 'k001'"_s), 1), u"{\"evidence\": 1}"_s);
        QVERIFY(owner->run(u"COMMIT"_s).ok());
        QCOMPARE(status(u"k001"_s), u"processing"_s);
    }

    /// A part that is being brought in has effects that nobody sees yet.
    void aPartUnderWayIsSeen()
    {
        demand(
            u"SET ROLE app_owner; CREATE TABLE app.pe (LIKE app.eff) PARTITION BY LIST (tenant); CREATE TABLE app.pe1 "
            "(LIKE app.eff); INSERT INTO app.pe1 SELECT 'e1', tenant, key FROM app.k WHERE key = 'k001'; GRANT SELECT "
            "ON app.pe TO idemdesk_runner_app_owner; RESET ROLE"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(kEffect, QString(kEffect).replace(u"app.eff"_s, u"app.pe"_s));
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto owner = m_console->as(u"app_owner"_s);
        QVERIFY(owner->run(u"BEGIN; ALTER TABLE app.pe ATTACH PARTITION app.pe1 DEFAULT"_s).ok());
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(
            ConsoleFixture::counts(*op, u"change_batch"_s, recover(*op, u"key = 'k001'"_s), 1), u"{\"evidence\": 1}"_s);
        QVERIFY(owner->run(u"COMMIT"_s).ok());
        QCOMPARE(status(u"k001"_s), u"processing"_s);
    }

    /// Whether the effect is looked for is not the client's to say, whatever the verb.
    void reclassifyingLooksForTheEffect()
    {
        demand(u"UPDATE app.k SET status = 'failed' WHERE key = 'k001'; INSERT INTO app.eff SELECT 'e1', tenant, key "
               "FROM app.k WHERE key = 'k001'"_s);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(
            m_console->open(*op, id, u"reclassify"_s, m_console->frozen(u"key = 'k001'"_s, 4)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"evidence\": 1}"_s);
        QCOMPARE(status(u"k001"_s), u"failed"_s);
    }

    /// Who asks what was done to a row finds it, whatever the client called the row.
    void aRowIsNamedAsTheTableNamesIt()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QString rows = m_console->frozen(u"key = 'k001'"_s);
        QVERIFY(rows.contains(u"\"k001\"]"_s));
        rows.replace(u"\"k001\"]"_s, u"\"k001\", \"junk\"]"_s);
        QCOMPARE(m_console->open(*op, id, u"recover"_s, rows).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        const QString identity = root().value(u"SELECT ARRAY[tenant, key] FROM app.k WHERE key = 'k001'"_s);
        QCOMPARE(op->value(u"SELECT count(*) FROM idemdesk.actions_on('k', $1)"_s, { identity }), u"1"_s);
        QCOMPARE(op->value(u"SELECT identity FROM idemdesk.items($1)"_s, { id }), identity);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// A later profile with a shorter identity shows nobody what the rows of then were called.
    void aShorterIdentityShowsNoMore()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = recover(*op, u"key = 'k001'"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        demand(u"GRANT USAGE ON SCHEMA app TO viewer; GRANT SELECT (tenant) ON app.k TO viewer; CREATE UNIQUE INDEX ON "
               "app.k (key)"_s);
        const QString seen = u"SELECT coalesce(identity::text, 'hidden') FROM idemdesk.items($1)"_s;
        QCOMPARE(m_console->as(u"viewer"_s)->value(seen, { id }), u"hidden"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(
            u"{\"name\":\"tenant\",\"type\":\"pg_catalog.text\",\"eq\":\"OPERATOR(pg_catalog.=)\"},"_s, QString());
        const QString answer = m_console->registerTarget(compiled);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        QCOMPARE(m_console->as(u"viewer"_s)->value(seen, { id }), u"hidden"_s);
        QVERIFY(op->value(seen, { id }).contains(u"k001"_s));
    }

    /// What is written stays for good: nobody makes the audit log too long to be read.
    void nobodyFillsTheAuditLog_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("plan");
        QTest::addColumn<QString>("state"); // SQLSTATE; empty: it is taken
        const QString plan = u"{\"cutoff\":\"2026-01-01 00:00:00+00\",\"states\":[%1],\"scopes\":null,\"images\":true,"
                             "\"expected\":5}"_s;
        const QString usual = plan.arg(u"\"succeeded\""_s);
        QTest::newRow("a reason of 4,000 characters") << QString(4'000, u'x') << usual << QString();
        QTest::newRow("a longer one") << QString(4'001, u'x') << usual << u"ID005"_s;
        QTest::newRow("states that are none") << u"because"_s << plan.arg(u"\"succeeded\",\"x\""_s) << u"ID005"_s;
    }
    void nobodyFillsTheAuditLog()
    {
        QFETCH(QString, reason);
        QFETCH(QString, plan);
        QFETCH(QString, state);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        const auto opened = m_console->open(*op, id, u"purge"_s, u"[]"_s, plan, reason);
        QVERIFY2(opened.state == state, qPrintable(opened.value()));
        if (state.isEmpty()) {
            const auto noted
                = op->run(u"SELECT idemdesk.set_action($1, 'cancelled', $2)"_s, { id, QString(4'001, u'x') });
            QCOMPARE(noted.state, u"ID005"_s);
            QCOMPARE(root().value(u"SELECT state FROM idemdesk.action"_s), u"running"_s);
        }
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksEvidenceTest)

#include "tst_attacks_evidence.moc"
