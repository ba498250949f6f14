// SPDX-License-Identifier: GPL-3.0-or-later
// What the server's functions do to keys: outcomes row by row, repeats, approvals, undo, purges, and what registration
// refuses.
#include "tests/support/console_fixture.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

class ActionsSqlTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;
    std::unique_ptr<Connection> m_op;

    Connection &root() { return m_console->root(); }

    void change(const QString &sql)
    {
        const auto answer = root().run(sql);
        QVERIFY2(answer.ok(), qPrintable(answer.value()));
    }

    /// All batches of an action; gives "state rows".
    QString runPurge(Connection &who, const QString &id, int limit)
    {
        qint64 rows = 0;
        for (int batch = 1; batch < 1000; ++batch) {
            const auto answer = who.run(u"SELECT b ->> 'state', b ->> 'rows' FROM idemdesk.purge_batch($1, $2, $3) b"_s,
                { id, QString::number(batch), QString::number(limit) });
            if (!answer.ok()) {
                return answer.value();
            }
            rows += answer.rows.first().at(1).toLongLong();
            if (answer.rows.first().first() != u"running"_s) {
                return answer.rows.first().first() + u' ' + QString::number(rows);
            }
        }
        return u"no end"_s;
    }

    QString undo(const QString &of, const QString &expected)
    {
        const QString id = ConsoleFixture::newId();
        const QString planned
            = m_op->value(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL) ->> 'planned_rows'"_s, { id, of });
        return planned == expected ? ConsoleFixture::counts(*m_op, u"undo_batch"_s, id, 1, 10'000) : planned;
    }

    QString allRows()
    {
        return root().value(u"SELECT md5(string_agg(k::text, '|' ORDER BY tenant, key)) FROM app.k"_s);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }

    void init()
    {
        m_op.reset();
        m_console->fresh();
        m_op = m_console->as(u"op"_s);
    }

    /// Everybody may read the id of an action over a group: nobody else puts an action of his own under it.
    void aGroupIdIsOfOneAction()
    {
        const QString plan
            = u"{\"expected\":1,\"group\":{\"id\":\"6f2d1c1e-0000-4000-8000-000000000001\",\"name\":\"p\","
              "\"member\":\"eu\"}}"_s;
        const auto asked = [&](Connection &who, const QString &key, const QString &reason) {
            return m_console->open(
                who, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = '%1'"_s.arg(key)), plan, reason);
        };
        const auto op2 = m_console->as(u"op2"_s);
        QVERIFY(asked(*op2, u"k001"_s, u"a"_s).ok());
        QCOMPARE(asked(*m_op, u"k002"_s, u"a"_s).state, u"ID007"_s);
        QCOMPARE(asked(*op2, u"k003"_s, u"another reason"_s).state, u"ID007"_s);
        QVERIFY(asked(*op2, u"k004"_s, u"a"_s).ok());
    }

    void outcomes_data()
    {
        QTest::addColumn<int>("rule");
        QTest::addColumn<QString>("effect");
        QTest::addColumn<QString>(
            "between"); ///< what happens after the preview; "before: " what was there when it was registered
        QTest::addColumn<QString>("outcome");
        const auto trigger
            = u"before: CREATE FUNCTION app.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN %1 END'; "
              "CREATE TRIGGER t BEFORE UPDATE ON app.k FOR EACH ROW WHEN (OLD.key = 'k013') EXECUTE FUNCTION app.f()"_s;
        const auto effect = u"INSERT INTO app.eff SELECT 'x', tenant, key FROM app.k WHERE key = 'k013'"_s;
        QTest::newRow("done") << 0 << QString() << u"SELECT 1"_s << u"done"_s;
        QTest::newRow("another microsecond of the lease")
            << 0 << QString() << u"UPDATE app.k SET locked_until = locked_until + interval '1 us' WHERE key = 'k013'"_s
            << u"changed"_s;
        QTest::newRow("extended lease")
            << 0 << QString() << u"UPDATE app.k SET locked_until = now() + interval '1 h' WHERE key = 'k013'"_s
            << u"changed"_s;
        QTest::newRow("another attempt") << 0 << QString() << u"UPDATE app.k SET attempts = 2 WHERE key = 'k013'"_s
                                         << u"changed"_s;
        QTest::newRow("completed") << 0 << QString()
                                   << u"UPDATE app.k SET status = 'succeeded', result = 'r' WHERE key = 'k013'"_s
                                   << u"changed"_s;
        QTest::newRow("deleted") << 0 << QString() << u"DELETE FROM app.k WHERE key = 'k013'"_s << u"gone"_s;
        QTest::newRow("unique conflict")
            << 0 << QString()
            << u"UPDATE app.k SET status = 'failed' WHERE key = 'k002'; CREATE UNIQUE INDEX ON app.k (status) WHERE status = 'failed'"_s
            << u"unique_conflict"_s;
        QTest::newRow("check") << 0 << QString()
                               << u"before: ALTER TABLE app.k ADD CHECK (status <> 'failed' OR key <> 'k013')"_s
                               << u"check"_s;
        QTest::newRow("privilege") << 0 << QString()
                                   << u"REVOKE UPDATE (status) ON app.k FROM idemdesk_runner_app_owner"_s
                                   << u"privilege"_s;
        QTest::newRow("trigger raises") << 0 << QString() << trigger.arg(u"RAISE EXCEPTION ''no'';"_s) << u"refused"_s;
        QTest::newRow("trigger drops the change") << 0 << QString() << trigger.arg(u"RETURN NULL;"_s) << u"refused"_s;
        QTest::newRow("trigger writes another state")
            << 0 << QString() << trigger.arg(u"NEW.status := ''dead''; RETURN NEW;"_s) << u"wrong_state"_s;
        QTest::newRow("wrong state") << 5 << QString() << u"SELECT 1"_s << u"wrong_state"_s;
        QTest::newRow("nothing to replay") << 6 << QString() << effect << u"empty_replay"_s;
        QTest::newRow("needs an effect, none") << 1 << u"x"_s << u"SELECT 1"_s << u"evidence"_s;
        QTest::newRow("needs an effect, another") << 1 << u"z"_s << effect << u"evidence"_s;
        QTest::newRow("needs an effect, there") << 1 << u"x"_s << effect << u"done"_s;
        QTest::newRow("forbids an effect, there") << 2 << QString() << effect << u"evidence"_s;
        QTest::newRow("forbids an effect, none") << 2 << QString() << u"SELECT 1"_s << u"done"_s;
        QTest::newRow("needs evidence, unreadable")
            << 1 << u"x"_s << u"REVOKE SELECT ON app.eff FROM idemdesk_runner_app_owner"_s << u"evidence"_s;
        QTest::newRow("forbids evidence, unreadable")
            << 2 << QString() << u"REVOKE SELECT ON app.eff FROM idemdesk_runner_app_owner"_s << u"evidence"_s;
    }

    void outcomes()
    {
        QFETCH(int, rule);
        QFETCH(QString, effect);
        QFETCH(QString, between);
        QFETCH(QString, outcome);
        if (between.startsWith(u"before: "_s)) {
            change(between.mid(8));
            QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        }
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key = 'k013'"_s, rule, effect)).value(),
            u"running"_s);
        if (!between.startsWith(u"before: "_s)) {
            change(between);
        }
        const QString before = allRows();
        QCOMPARE(
            m_op->value(
                u"SELECT b -> 'outcomes' -> 0 ->> 'outcome' || ' ' || (b ->> 'state') FROM idemdesk.change_batch($1, 1, 10) b"_s,
                { id }),
            outcome + u" finished"_s);
        QCOMPARE(allRows() == before, outcome != u"done"_s);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
    }

    void lockedWithinHalfASecond_data()
    {
        QTest::addColumn<QString>("lock");
        QTest::newRow("row") << u"SELECT FROM app.k WHERE key = 'k001' FOR UPDATE"_s;
        QTest::newRow("table") << u"LOCK TABLE app.k IN EXCLUSIVE MODE"_s;
    }

    void lockedWithinHalfASecond()
    {
        QFETCH(QString, lock);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        change(u"BEGIN; "_s + lock);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1), u"{\"locked\": 1}"_s);
        QVERIFY2(timer.elapsed() < 1500, qPrintable(QString::number(timer.elapsed())));
        change(u"ROLLBACK"_s);
    }

    void repeatsObserve()
    {
        const QString id = ConsoleFixture::newId();
        const QString rows = m_console->frozen(u"key BETWEEN 'k001' AND 'k004'"_s);
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, rows).value(), u"running"_s);
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, rows).value(), u"running"_s);
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, rows, u"{}"_s, u"another reason"_s).state, u"ID007"_s);
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).state, u"ID007"_s);
        QCOMPARE(m_console->open(*m_console->as(u"op2"_s), id, u"recover"_s, rows).state, u"ID007"_s);
        QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 2),
            u"ID005"_s + ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 2).mid(5));
        const QString first = m_op->value(u"SELECT b - 'state' FROM idemdesk.change_batch($1, 1, 2) b"_s, { id });
        const QString after = allRows();
        QCOMPARE(
            m_op->value(u"SELECT b - 'state' - 'repeated' FROM idemdesk.change_batch($1, 1, 2) b"_s, { id }), first);
        QCOMPARE(m_op->value(u"SELECT b ->> 'repeated' FROM idemdesk.change_batch($1, 1, 4) b"_s, { id }), u"true"_s);
        QCOMPARE(allRows(), after);
        QCOMPARE(m_op->value(u"SELECT idemdesk.action_state($1) ->> 'last_batch'"_s, { id }), u"1"_s);
        QCOMPARE(m_op->value(u"SELECT idemdesk.action_state($1) IS NULL"_s, { ConsoleFixture::newId() }), u"t"_s);
    }

    void openRefuses_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("rows");
        QTest::addColumn<QString>("plan");
        QTest::addColumn<QString>("sha");
        const QString row = u"{\"i\":[\"t1\",\"k001\"],\"g\":[\"processing\",null,\"1\"],\"r\":0}"_s;
        const QString sha = ConsoleFixture::profileSha();
        const QString plan = u"{\"cutoff\":\"%1\",\"states\":%2,\"scopes\":null,\"images\":true,\"expected\":1}"_s;
        QTest::newRow("no reason") << u"recover"_s << u""_s << u"[%1]"_s.arg(row) << u"{}"_s << sha;
        QTest::newRow("a blank reason") << u"recover"_s << u" \t\n"_s << u"[%1]"_s.arg(row) << u"{}"_s << sha;
        QTest::newRow("a reason that nobody sees")
            << u"recover"_s << QString(QString(QChar(0x200B)) + QChar(0xFEFF) + QChar(0x3164)) << u"[%1]"_s.arg(row)
            << u"{}"_s << sha;
        QTest::newRow("no key") << u"recover"_s << u"because"_s << u"[]"_s << u"{}"_s << sha;
        QTest::newRow("the same key twice") << u"recover"_s << u"because"_s << u"[%1,%1]"_s.arg(row) << u"{}"_s << sha;
        QTest::newRow("another verb's rule") << u"requeue"_s << u"because"_s << u"[%1]"_s.arg(row) << u"{}"_s << sha;
        QTest::newRow("no such verb") << u"undo"_s << u"because"_s << u"[%1]"_s.arg(row) << u"{}"_s << sha;
        QTest::newRow("another profile") << u"recover"_s << u"because"_s << u"[%1]"_s.arg(row) << u"{}"_s
                                         << QString(64, u'0');
        QTest::newRow("a purge without a cutoff")
            << u"purge"_s << u"because"_s << u"[]"_s << u"{\"states\":[],\"expected\":1}"_s << sha;
        QTest::newRow("a purge into the future")
            << u"purge"_s << u"because"_s << u"[]"_s << plan.arg(u"2999-01-01"_s, u"[\"succeeded\"]"_s) << sha;
        QTest::newRow("a purge of work in progress")
            << u"purge"_s << u"because"_s << u"[]"_s << plan.arg(u"2020-01-01"_s, u"[\"in_progress\"]"_s) << sha;
    }

    void openRefuses()
    {
        QFETCH(QString, verb);
        QFETCH(QString, reason);
        QFETCH(QString, rows);
        QFETCH(QString, plan);
        QFETCH(QString, sha);
        const auto answer = m_op->run(u"SELECT idemdesk.open_action($1, 'k', $2, $3, NULL, $4::jsonb, $5, $6::jsonb)"_s,
            { ConsoleFixture::newId(), verb, reason, plan, sha, rows });
        QVERIFY2(answer.state == u"ID005"_s || (answer.state == u"ID006"_s && sha.startsWith(u'0')),
            qPrintable(answer.value()));
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
    }

    void changedUnderAnOpenAction()
    {
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled(), u"{}"_s, u"{\"x\":2}"_s)
                    .contains(u"\"registered\": true"_s));
        QCOMPARE(m_op->state(u"SELECT idemdesk.change_batch($1, 1)"_s, { id }), u"ID006"_s);
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        change(
            u"ALTER TABLE app.k RENAME TO old; CREATE TABLE app.k (LIKE app.old INCLUDING ALL); GRANT ALL ON app.k TO idemdesk_runner_app_owner"_s);
        QCOMPARE(m_op->state(u"SELECT idemdesk.change_batch($1, 1)"_s, { id }), u"ID006"_s);
        QCOMPARE(m_op->value(u"SELECT idemdesk.set_action($1, 'cancelled') ->> 'state'"_s, { id }), u"cancelled"_s);
    }

    void fourEyes()
    {
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": 1}"_s)
                    .contains(u"\"registered\": true"_s));
        change(u"GRANT idemdesk_approver TO op"_s);
        const auto appr = m_console->as(u"appr"_s);
        const auto adm = m_console->as(u"adm"_s);
        const auto approve = u"SELECT idemdesk.approve_action($1, true, 'fine') ->> 'state'"_s;
        QCOMPARE(
            m_console->open(*m_op, ConsoleFixture::newId(), u"recover"_s, m_console->frozen(u"key = 'k009'"_s)).value(),
            u"running"_s);
        QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key IN ('k001', 'k002')"_s)).value(),
            u"requested"_s);
        QCOMPARE(m_op->state(u"SELECT idemdesk.change_batch($1, 1)"_s, { id }), u"ID005"_s);
        QCOMPARE(m_op->state(approve, { id }), u"ID008"_s);
        const auto share = u"SELECT idemdesk.set_shared_login($1, $2::boolean)"_s;
        for (const QString &login : { u"appr"_s, u"op"_s }) {
            QVERIFY(adm->run(share, { login, u"true"_s }).ok());
            QCOMPARE(appr->state(approve, { id }), u"ID008"_s);
            if (login == u"op"_s) {
                QCOMPARE(m_console
                             ->open(*m_op, ConsoleFixture::newId(), u"recover"_s,
                                 m_console->frozen(u"key IN ('k003', 'k004')"_s))
                             .state,
                    u"ID008"_s);
            }
            QVERIFY(adm->run(share, { login, u"false"_s }).ok());
        }
        // What was asked for while one of them was shared is asked for anew.
        QCOMPARE(appr->state(approve, { id }), u"ID008"_s);
        QCOMPARE(m_op->value(u"SELECT idemdesk.set_action($1, 'cancelled') ->> 'state'"_s, { id }), u"cancelled"_s);
        id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key IN ('k001', 'k002')"_s)).value(),
            u"requested"_s);
        QCOMPARE(appr->value(approve, { id }), u"running"_s);
        QCOMPARE(appr->state(approve, { id }), u"ID005"_s);
        QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1), u"{\"done\": 2}"_s);
        const QString declined = ConsoleFixture::newId();
        QCOMPARE(
            m_console->open(*m_op, declined, u"recover"_s, m_console->frozen(u"key IN ('k003', 'k004')"_s)).value(),
            u"requested"_s);
        QCOMPARE(
            appr->value(u"SELECT idemdesk.approve_action($1, false, 'no') ->> 'state'"_s, { declined }), u"declined"_s);
        QCOMPARE(m_op->state(u"SELECT idemdesk.change_batch($1, 1)"_s, { declined }), u"ID005"_s);
        change(u"REVOKE idemdesk_approver FROM op"_s);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
    }

    void undoPutsBackWhatNobodyTouched()
    {
        const QString before = allRows();
        const QString id = ConsoleFixture::newId();
        QCOMPARE(
            m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key BETWEEN 'k001' AND 'k005'"_s)).value(),
            u"running"_s);
        QCOMPARE(m_op->state(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { ConsoleFixture::newId(), id }),
            u"ID005"_s);
        QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1), u"{\"done\": 5}"_s);
        change(u"UPDATE app.k SET status = 'processing' WHERE key = 'k002'; DELETE FROM app.k WHERE key = 'k003'"_s);
        QCOMPARE(undo(id, u"5"_s), u"{\"done\": 3, \"changed\": 2}"_s);
        QCOMPARE(undo(id, u"2"_s), u"{\"changed\": 2}"_s);
        QCOMPARE(
            root().value(
                u"SELECT string_agg(key, ' ' ORDER BY key) FROM app.k WHERE key LIKE 'k%' AND key < 'k006' AND locked_until IS NOT NULL"_s),
            u"k001 k004 k005"_s);
        QVERIFY(allRows() != before);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
    }

    void deletingFreesTheKeyAndComesBack()
    {
        change(u"UPDATE app.k SET status = 'failed' WHERE key IN ('k001', 'k002')"_s);
        const QString before = allRows();
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*m_op, id, u"requeue"_s, m_console->frozen(u"status = 'failed'"_s, 3)).value(),
            u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1), u"{\"done\": 2}"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE key IN ('k001', 'k002')"_s), u"0"_s);
        QCOMPARE(undo(id, u"2"_s), u"{\"done\": 2}"_s);
        QCOMPARE(allRows(), before);
        const QString again = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*m_op, again, u"requeue"_s, m_console->frozen(u"status = 'failed'"_s, 3)).value(),
            u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, again, 1), u"{\"done\": 2}"_s);
        change(u"INSERT INTO app.k (tenant, key, status) VALUES ('t1', 'k001', 'processing')"_s);
        QCOMPARE(undo(again, u"2"_s), u"{\"done\": 1, \"changed\": 1}"_s);
        QCOMPARE(root().value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
    }

    /// Each value comes back as the server prints it: digits, blanks, order and doubles of JSON members.
    void purgedRowsComeBackExactly()
    {
        change(
            u"CREATE EXTENSION hstore SCHEMA app; "
            "ALTER TABLE app.k ADD n numeric DEFAULT 1.00, ADD j json DEFAULT '{\"b\": 1.00,\"a\":2 ,\"b\":3}', ADD jb "
            "jsonb DEFAULT '{\"a\": 1.00}', ADD c char(5) DEFAULT 'x', "
            "ADD h app.hstore DEFAULT '\"a\"=>NULL, \"b\"=>\"\\\"q\"', ADD r tstzrange DEFAULT '[2020-01-01, "
            "infinity)', ADD i timestamptz DEFAULT 'infinity', "
            "ADD f float8 DEFAULT 0.1 + 0.2, ADD y bytea DEFAULT '\\x00ff', ADD a text[] DEFAULT ARRAY['a,b', NULL, "
            "'\"', ''], ADD v interval DEFAULT '1 mon -2 days', "
            "ADD d bigint GENERATED ALWAYS AS IDENTITY, ADD g integer GENERATED ALWAYS AS (attempts * 2) STORED, ADD u text DEFAULT E'\\t\\n\\\\ \u00e9 \"'''"_s);
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        const QString before = allRows();
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_op->run(u"SET DateStyle = 'German'; SET IntervalStyle = 'iso_8601'; SET extra_float_digits = -10"_s)
                    .ok());
        QCOMPARE(m_console->openPurge(*m_op, id, 600).value(), u"running"_s);
        QCOMPARE(runPurge(*m_op, id, 100), u"finished 600"_s);
        QVERIFY(allRows() != before);
        QCOMPARE(undo(id, u"600"_s), u"{\"done\": 600}"_s);
        QCOMPARE(allRows(), before);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
    }

    void schemaChangedSince()
    {
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, id, 600).value(), u"running"_s);
        QCOMPARE(runPurge(*m_op, id, 1000), u"finished 600"_s);
        change(u"ALTER TABLE app.k ADD extra text DEFAULT 'new'; ALTER TABLE app.k DROP pad"_s);
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        QCOMPARE(undo(id, u"600"_s), u"{\"schema_changed\": 600}"_s);
        // Another column of the same name is not the one that was: it may be read by others.
        change(u"ALTER TABLE app.k ADD pad char(5)"_s);
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        QCOMPARE(undo(id, u"600"_s), u"{\"schema_changed\": 600}"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE status = 'succeeded'"_s), u"0"_s);
    }

    /// A column more hinders no undo, and neither does another name.
    void schemaGrewSince()
    {
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, id, 600).value(), u"running"_s);
        QCOMPARE(runPurge(*m_op, id, 1000), u"finished 600"_s);
        change(u"ALTER TABLE app.k ADD extra text DEFAULT 'new'; ALTER TABLE app.k RENAME pad TO filler"_s);
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        QCOMPARE(undo(id, u"600"_s), u"{\"done\": 600}"_s);
        QCOMPARE(root().value(
                     u"SELECT count(*) FROM app.k WHERE status = 'succeeded' AND extra = 'new' AND filler = 'ab   '"_s),
            u"600"_s);
    }

    void purgeTakesWhatItsPlanSays_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("scopes");
        QTest::addColumn<int>("limit");
        QTest::addColumn<int>("expected");
        QTest::newRow("all, one batch") << u"SELECT 1"_s << u"null"_s << 10'000 << 600;
        QTest::newRow("all, one row at a time over ties")
            << u"DELETE FROM app.k WHERE key > 'd0040' AND key < 'k'"_s << u"null"_s << 1 << 40;
        QTest::newRow("all of one time") << u"UPDATE app.k SET expires_at = '2020-01-01' WHERE status = 'succeeded'"_s
                                         << u"null"_s << 7 << 600;
        QTest::newRow("one scope") << u"SELECT 1"_s << u"[[\"t1\"]]"_s << 100 << 200;
        QTest::newRow("no scope matches") << u"SELECT 1"_s << u"[[\"T1\"],[\"t1\\\",\\\"t2\"]]"_s << 100 << 0;
        QTest::newRow("never without a time")
            << u"UPDATE app.k SET expires_at = NULL WHERE key < 'd0101'"_s << u"null"_s << 100 << 500;
        QTest::newRow("never at infinity")
            << u"UPDATE app.k SET expires_at = 'infinity' WHERE key < 'd0101'"_s << u"null"_s << 100 << 500;
        QTest::newRow("at minus infinity")
            << u"UPDATE app.k SET expires_at = '-infinity' WHERE key < 'd0101'"_s << u"null"_s << 30 << 600;
        QTest::newRow("never in another state")
            << u"UPDATE app.k SET status = 'processing' WHERE key < 'd0101'; UPDATE app.k SET status = 'odd' WHERE key BETWEEN 'd0101' AND 'd0200'"_s
            << u"null"_s << 100 << 400;
        QTest::newRow("of a table that others inherit from")
            << u"CREATE TABLE app.child () INHERITS (app.k); ALTER TABLE app.child OWNER TO app_owner; INSERT INTO "
               u"app.child SELECT * FROM app.k WHERE key BETWEEN 'd0101' AND 'd0150' AND status = 'succeeded'; "
               "DELETE FROM ONLY app.k WHERE key BETWEEN 'd0101' AND 'd0150' AND status = 'succeeded'"_s
            << u"null"_s << 40 << 600;
        QTest::newRow("under a plan of nested loops")
            << u"ALTER ROLE op SET enable_hashjoin = off; ALTER ROLE op SET enable_mergejoin = off"_s << u"null"_s << 50
            << 600;
    }

    void purgeTakesWhatItsPlanSays()
    {
        QFETCH(QString, before);
        QFETCH(QString, scopes);
        QFETCH(int, limit);
        QFETCH(int, expected);
        change(before);
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        m_op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, id, 600, true, u"now"_s, scopes).value(), u"running"_s);
        const QString all = root().value(u"SELECT count(*) FROM app.k"_s);
        QCOMPARE(runPurge(*m_op, id, limit), u"finished %1"_s.arg(expected));
        QCOMPARE(root().value(u"SELECT $1::bigint - count(*) FROM app.k"_s, { all }), QString::number(expected));
        QCOMPARE(
            root().value(
                u"SELECT coalesce(max((result ->> 'rows')::integer), 0) <= $1::integer FROM idemdesk.action_batch"_s,
                { QString::number(limit) }),
            u"t"_s);
        change(u"ALTER ROLE op RESET ALL"_s);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
    }

    void purgeWithoutATimeToWalkBy()
    {
        QVERIFY(m_console
                    ->registerTarget(ConsoleFixture::compiled().replace(
                        u"\"by\":\"t.expires_at\",\"by_type\":\"timestamptz\""_s, u"\"by\":null,\"by_type\":null"_s))
                    .contains(u"\"registered\": true"_s));
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, id, 600).value(), u"running"_s);
        QCOMPARE(runPurge(*m_op, id, 70), u"finished 600"_s);
        QCOMPARE(undo(id, u"600"_s), u"{\"done\": 600}"_s);
    }

    /// Of ten million rows a batch must read its own: neither its choice nor its deletion may walk the whole table.
    void purgeBatchReadsNoMoreThanItTakes()
    {
        change(
            u"INSERT INTO app.k (tenant, key, status, attempts, expires_at) SELECT 't1', 'many' || i, CASE WHEN i % 9 = 0 THEN 'dead' ELSE 'succeeded' END, 1, now() - i * interval '1 s' FROM generate_series(1, 40000) i"_s);
        change(u"CREATE INDEX ON app.k (expires_at)"_s);
        change(u"ANALYZE app.k"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, id, 40'600).value(), u"running"_s);
        QVERIFY(m_op->run(u"BEGIN"_s).ok());
        const QString scans = u"SELECT pg_stat_get_xact_numscans('app.k'::regclass)"_s;
        const QString before = m_op->value(scans);
        QCOMPARE(m_op->value(u"SELECT b ->> 'rows' FROM idemdesk.purge_batch($1, 1, 2000) b"_s, { id }), u"2000"_s);
        QCOMPARE(m_op->value(scans), before);
        QVERIFY(m_op->run(u"ROLLBACK"_s).ok());
    }

    void purgeSweepsForLockedRows()
    {
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, id, 600).value(), u"running"_s);
        change(u"BEGIN; SELECT FROM app.k WHERE key IN ('d0010', 'd0020', 'd0030') FOR UPDATE"_s);
        int batch = 0;
        QString sweep;
        while (sweep != u"true"_s && ++batch < 50) {
            sweep = m_op->value(
                u"SELECT b ->> 'sweep' FROM idemdesk.purge_batch($1, $2, 100) b"_s, { id, QString::number(batch) });
        }
        QCOMPARE(sweep, u"true"_s);
        change(u"UPDATE app.k SET expires_at = now() + interval '1 h' WHERE key = 'd0010'; COMMIT"_s);
        QString state;
        while (state != u"finished"_s && ++batch < 60) {
            state = m_op->value(
                u"SELECT b ->> 'state' FROM idemdesk.purge_batch($1, $2, 100) b"_s, { id, QString::number(batch) });
        }
        QCOMPARE(root().value(u"SELECT string_agg(key, ' ') FROM app.k WHERE status = 'succeeded'"_s), u"d0010"_s);
    }

    void purgeWithoutImagesHasNoUndo()
    {
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, id, 600, false).value(), u"running"_s);
        QCOMPARE(runPurge(*m_op, id, 200), u"finished 600"_s);
        QCOMPARE(m_op->state(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { ConsoleFixture::newId(), id }),
            u"ID005"_s);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
    }

    void purgePausesOverItsPlanAndGoesOnByAnother()
    {
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, id, 100).value(), u"running"_s);
        QCOMPARE(runPurge(*m_op, id, 150), u"paused 205"_s); // 100 + 5 % + 100, and no row more
        const auto op2 = m_console->as(u"op2"_s);
        const auto second = m_console->openPurge(*op2, ConsoleFixture::newId(), 600);
        QCOMPARE(second.state, u"ID009"_s);
        QVERIFY(second.message.contains(u"op has an open purge"_s));
        QCOMPARE(op2->state(u"SELECT idemdesk.purge_batch($1, 3)"_s, { id }), u"ID005"_s);
        QCOMPARE(op2->value(u"SELECT idemdesk.set_action($1, 'running') ->> 'state'"_s, { id }), u"running"_s);
        QCOMPARE(op2->value(u"SELECT b ->> 'rows' FROM idemdesk.purge_batch($1, 3, 10) b"_s, { id }), u"10"_s);
        QCOMPARE(op2->value(u"SELECT idemdesk.set_action($1, 'cancelled') ->> 'state'"_s, { id }), u"cancelled"_s);
        QCOMPARE(op2->state(u"SELECT idemdesk.set_action($1, 'running')"_s, { id }), u"ID005"_s);
        QCOMPARE(undo(id, u"215"_s), u"{\"done\": 215}"_s);
        QCOMPARE(m_console->openPurge(*op2, ConsoleFixture::newId(), 600).value(), u"running"_s);
    }

    void maintenanceKeepsTheTrailWhole()
    {
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, id, 600).value(), u"running"_s);
        QCOMPARE(runPurge(*m_op, id, 200), u"finished 600"_s);
        // Nine days later: what was written then said so, in a chain that is whole.
        change(uR"(DO $$ DECLARE a idemdesk.audit; prev bytea := sha256('idemdesk'); part text; BEGIN
            ALTER TABLE idemdesk.audit DISABLE TRIGGER USER;
            UPDATE idemdesk.action SET keep_until = keep_until - 9;
            FOR a IN SELECT * FROM idemdesk.audit ORDER BY seq LOOP
                IF a.facts ? 'keep_until' THEN
                    a.facts := a.facts || jsonb_build_object('keep_until', (a.facts ->> 'keep_until')::date - 9);
                END IF;
                a.prev_hash := prev;
                a.hash := idemdesk._row_hash(a, prev);
                UPDATE idemdesk.audit x SET facts = a.facts, prev_hash = a.prev_hash, hash = a.hash WHERE x.seq = a.seq;
                prev := a.hash;
            END LOOP;
            UPDATE idemdesk.audit_head SET hash = prev;
            ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows, ENABLE ALWAYS TRIGGER keep_table;
            SELECT relname INTO part FROM pg_class WHERE relname ~ '^quarantine_[0-9]{8}$' AND relispartition;
            EXECUTE format('ALTER TABLE idemdesk.quarantine DETACH PARTITION idemdesk.%I', part);
            EXECUTE format('UPDATE idemdesk.%I SET keep_until = keep_until - 9', part);
            EXECUTE format('ALTER TABLE idemdesk.quarantine ATTACH PARTITION idemdesk.%I FOR VALUES FROM (%L) TO (%L)',
                part, (SELECT max(c.keep_until) FROM idemdesk.action c), (SELECT max(c.keep_until) + 1 FROM idemdesk.action c));
            EXECUTE format('ALTER TABLE idemdesk.%I ENABLE ALWAYS TRIGGER keep_rows', part);
            END $$)"_s);
        QCOMPARE(m_op->state(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { ConsoleFixture::newId(), id }),
            u"ID005"_s);
        QCOMPARE(m_op->value(u"SELECT cardinality(idemdesk.maintain())"_s), u"1"_s);
        QCOMPARE(m_op->value(u"SELECT cardinality(idemdesk.maintain())"_s), u"0"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.quarantine"_s), u"0"_s);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
    }

    void readersSeeOnlyTheirColumns()
    {
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        const auto items = u"SELECT identity, before FROM idemdesk.items($1)"_s;
        const auto touched = u"SELECT count(*) FROM idemdesk.actions_on('k', '{t1,k001}')"_s;
        QVERIFY(m_op->run(items, { id }).rows.first().at(1).contains(u"processing"_s));
        QCOMPARE(m_op->value(touched), u"1"_s);
        const auto viewer = m_console->as(u"viewer"_s);
        const auto masked = viewer->run(items, { id });
        QVERIFY2(masked.ok(), qPrintable(masked.value()));
        QCOMPARE(masked.rows.first(),
            (QStringList { QString(), u"{NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL}"_s }));
        QCOMPARE(viewer->value(touched), u"0"_s);
        change(u"GRANT SELECT (tenant, key, status) ON app.k TO viewer"_s);
        QCOMPARE(viewer->run(items, { id }).rows.first(),
            (QStringList { u"{t1,k001}"_s, u"{t1,k001,processing,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL}"_s }));
        QCOMPARE(viewer->value(touched), u"1"_s);
        change(u"ALTER TABLE app.k RENAME tenant TO lodger"_s);
        // It is the column itself that may be read, whatever it is called; a new one of its former name may not.
        QCOMPARE(viewer->run(items, { id }).rows.first(),
            (QStringList { u"{t1,k001}"_s, u"{t1,k001,processing,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL}"_s }));
        change(
            u"REVOKE SELECT (lodger) ON app.k FROM viewer; ALTER TABLE app.k ADD tenant text; GRANT SELECT (tenant) ON app.k TO viewer"_s);
        QCOMPARE(viewer->run(items, { id }).rows.first(),
            (QStringList { QString(), u"{NULL,k001,processing,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL}"_s }));
    }

    void registrationRefuses_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("from"); ///< replaced in the compiled profile
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("code"); ///< empty: it is registered
        const QString same = u"\"version\":1"_s;
        QTest::newRow("as it is") << u"SELECT 1"_s << same << same << QString();
        QTest::newRow("a view") << u"ALTER TABLE app.k RENAME TO base; CREATE VIEW app.k AS SELECT * FROM app.base"_s
                                << same << same << u"not_a_table"_s;
        QTest::newRow("a generated column")
            << u"ALTER TABLE app.k DROP updated_at; ALTER TABLE app.k ADD updated_at integer GENERATED ALWAYS AS (attempts + 1) STORED"_s
            << same << same << u"generated grant"_s;
        QTest::newRow("no such column") << u"ALTER TABLE app.k DROP updated_at"_s << same << same << u"no_column"_s;
        QTest::newRow("no guard") << u"SELECT 1"_s << u"[\"status\",\"locked_until\",\"attempts\"]"_s << u"[]"_s
                                  << u"no_guard"_s;
        QTest::newRow("no unique index") << u"ALTER TABLE app.k DROP CONSTRAINT k_pkey"_s << same << same
                                         << u"identity"_s;
        QTest::newRow("a partial unique index")
            << u"ALTER TABLE app.k DROP CONSTRAINT k_pkey; CREATE UNIQUE INDEX ON app.k (tenant, key) WHERE attempts > 0"_s
            << same << same << u"identity"_s;
        QTest::newRow("row security without a policy")
            << u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY"_s << same << same << u"row_security"_s;
        QTest::newRow("row security with one")
            << u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON app.k TO idemdesk_runner_app_owner USING (true)"_s
            << same << same << QString();
        QTest::newRow("a cascade")
            << u"CREATE TABLE app.child (tenant text, key text, FOREIGN KEY (tenant, key) REFERENCES app.k ON DELETE CASCADE)"_s
            << same << same << u"foreign_key"_s;
        QTest::newRow("no right to update")
            << u"REVOKE UPDATE (status) ON app.k FROM idemdesk_runner_app_owner"_s << same << same << u"grant"_s;
        QTest::newRow("no right to delete")
            << u"REVOKE DELETE ON app.k FROM idemdesk_runner_app_owner"_s << same << same << u"grant"_s;
        QTest::newRow("no right to read an effect")
            << u"REVOKE SELECT ON app.eff FROM idemdesk_runner_app_owner"_s << same << same << u"effect"_s;
        QTest::newRow("no right to the schema")
            << u"REVOKE USAGE ON SCHEMA app FROM idemdesk_runner_app_owner"_s << same << same << u"grant"_s;
        QTest::newRow("SQL that fails") << u"SELECT 1"_s << u"'failed'\""_s << u"1 / 0\""_s << u"expression"_s;
    }

    void registrationRefuses()
    {
        QFETCH(QString, before);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, code);
        change(before);
        QString compiled = ConsoleFixture::compiled();
        const QString answer = m_console->registerTarget(compiled.replace(from, to), u"{}"_s, u"{\"x\":9}"_s);
        QCOMPARE(
            root().value(u"SELECT $1::jsonb ->> 'registered'"_s, { answer }), code.isEmpty() ? u"true"_s : u"false"_s);
        QCOMPARE(root().value(u"SELECT coalesce(string_agg(DISTINCT f ->> 'code', ' '), '') FROM "
                              u"jsonb_array_elements($1::jsonb -> 'findings') f "
                              "WHERE f ->> 'severity' IN ('problem', 'grant')"_s,
                     { answer }),
            code);
        QCOMPARE(root().value(u"SELECT profile FROM idemdesk.target"_s),
            code.isEmpty() ? u"{\"x\":9}"_s : ConsoleFixture::profile());
    }
};

} // namespace

QTEST_GUILESS_MAIN(ActionsSqlTest)
#include "tst_actions_sql.moc"
