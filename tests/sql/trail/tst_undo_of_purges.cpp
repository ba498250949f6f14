// SPDX-License-Identifier: GPL-3.0-or-later
// Purged rows come back in large pieces, and each row's outcome is known all the same: what stands in one row's way
// costs no other row anything but speed.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

constexpr int kPurged = 3'000; ///< rows: more than one large piece

class UndoOfPurgesTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_console;
    std::unique_ptr<Connection> m_op;
    QString m_purge;
    QString m_undo;

    Connection &root() { return m_console->root(); }
    QString number(const QString &sql) { return root().value(u"SELECT count(*) FROM "_s + sql); }

    void change(const QString &sql)
    {
        const auto answer = root().run(sql);
        QVERIFY2(answer.ok(), qPrintable(answer.value()));
    }

    void purge(int limit, const QString &stay = u"0"_s)
    {
        m_purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, m_purge, kPurged).value(), u"running"_s);
        for (int batch = 1; batch < 100; ++batch) {
            const auto answer = m_op->run(u"SELECT b ->> 'state' FROM idemdesk.purge_batch($1, $2, $3) b"_s,
                { m_purge, QString::number(batch), QString::number(limit) });
            QVERIFY2(answer.ok(), qPrintable(answer.value()));
            if (answer.value() == u"finished") {
                break;
            }
        }
        QCOMPARE(number(u"app.k WHERE key LIKE 'p%'"_s), stay);
    }

    /// Batches until it is finished, or so many; gives the totals.
    QString undo(int limit, int batches = 1'000)
    {
        m_undo = ConsoleFixture::newId();
        const auto opened = m_op->run(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { m_undo, m_purge });
        if (!opened.ok()) {
            return opened.value();
        }
        Connection::Answer answer;
        for (int batch = 1; batch <= batches; ++batch) {
            answer = m_op->run(u"SELECT b ->> 'totals', b ->> 'state' FROM idemdesk.undo_batch($1, $2, $3) b"_s,
                { m_undo, QString::number(batch), QString::number(limit) });
            if (!answer.ok() || answer.rows.first().at(1) != u"running") {
                break;
            }
        }
        return answer.value();
    }

    QString trailRows() { return number(u"idemdesk.audit WHERE action = '%1' AND what = 'batch'"_s.arg(m_undo)); }
    /// Rows that are not in the table as they were before the purge.
    QString missing() { return number(u"(SELECT b::text FROM app.before b EXCEPT SELECT k::text FROM app.k k) x"_s); }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase()
    {
        m_op.reset();
        m_console.reset();
    }
    void init()
    {
        m_op.reset();
        m_console->fresh();
        m_op = m_console->as(u"op"_s);
        change(u"DELETE FROM app.k; INSERT INTO app.k SELECT 't' || i % 3, 'p' || lpad(i::text, 4, '0'), 'succeeded', "
               "NULL, 1, 'r' || i, now(), now() - interval '1 day' - i * interval '1 s', 1.50, 'ab', "
               "'{\"a\": 1.00,\"a\":2}' FROM generate_series(1, %1) i; "
               "CREATE TABLE app.before AS SELECT * FROM app.k"_s.arg(kPurged));
    }

    void allComeBackInFewBatches()
    {
        purge(700);
        QCOMPARE(undo(10'000), u"{\"done\": 3000}"_s);
        QCOMPARE(missing(), u"0"_s);
        QCOMPARE(trailRows(), u"1"_s);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
        QCOMPARE(
            m_op->state(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { ConsoleFixture::newId(), m_purge }),
            u"ID005"_s);
    }

    /// The newest is met again where the last batch ended, and once more by the sweep.
    void aRowThatStaysIsToldOnce()
    {
        change(u"SET ROLE app_owner; CREATE FUNCTION app.no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
               "IF OLD.key = 'p0001' THEN RAISE 'not this one'; END IF; RETURN OLD; END $$; "
               "CREATE TRIGGER no BEFORE DELETE ON app.k FOR EACH ROW EXECUTE FUNCTION app.no(); RESET ROLE"_s);
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        purge(10'000, u"1"_s);
        QCOMPARE(root().value(u"SELECT counts FROM idemdesk.action WHERE id = '%1'"_s.arg(m_purge)),
            u"{\"purged\": 2999, \"refused\": 1}"_s);
        QCOMPARE(number(u"idemdesk.action_item WHERE action = '%1'"_s.arg(m_purge)), u"1"_s);
    }

    /// Each row is listed once, page by page, with the image it got back, and the purge's own list names the undo.
    void everyRowIsListed()
    {
        purge(700);
        QCOMPARE(undo(450), u"{\"done\": 3000}"_s);
        QCOMPARE(trailRows(), u"7"_s);
        QSet<QString> seen;
        QString batch = u"0"_s;
        QString ordinal = u"0"_s;
        for (;;) {
            const auto page = m_op->run(u"SELECT i.batch, i.ordinal, i.outcome, i.identity::text, i.after[6] "
                                        "FROM idemdesk.items($1, $2, $3, 190) i"_s,
                { m_undo, batch, ordinal });
            QVERIFY2(page.ok(), qPrintable(page.value()));
            if (page.rows.isEmpty()) {
                break;
            }
            QVERIFY(page.rows.size() <= 190);
            for (const QStringList &row : page.rows) {
                QVERIFY2(!seen.contains(row.at(3)), qPrintable(row.at(3)));
                seen.insert(row.at(3));
                QCOMPARE(row.at(2), u"done"_s);
                QCOMPARE(row.at(4), u"r"_s + QString::number(row.at(3).section(u'p', 1).left(4).toInt()));
            }
            batch = page.rows.constLast().at(0);
            ordinal = page.rows.constLast().at(1);
        }
        QCOMPARE(seen.size(), kPurged);
        QCOMPARE(number(u"(SELECT FROM idemdesk.items('%1', 0, 0, 10000) i WHERE i.restored_by = '%2') x"_s.arg(
                     m_purge, m_undo)),
            u"3000"_s);
        const auto touches = m_op->run(
            u"SELECT verb, outcome, undone_by IS NOT NULL FROM idemdesk.actions_on('k', ARRAY['t0', 'p0003'])"_s);
        QCOMPARE(touches.rows,
            (QList<QStringList> { { u"undo"_s, u"done"_s, u"f"_s }, { u"purge"_s, u"purged"_s, u"t"_s } }));
    }

    void oneRowStopsOnlyItself_data()
    {
        QTest::addColumn<QString>("spoil");
        QTest::addColumn<QString>("totals");
        QTest::addColumn<QString>("missing");
        QTest::addColumn<QString>("detail");
        QTest::newRow("its key exists again")
            << u"INSERT INTO app.k (tenant, key, status) VALUES ('t0', 'p0099', 'processing')"_s
            << u"{\"done\": 2999, \"changed\": 1}"_s << u"1"_s << u"The key exists again."_s;
        QTest::newRow("a check refuses it")
            << u"ALTER TABLE app.k ADD CHECK (key <> 'p0099') NOT VALID"_s << u"{\"done\": 2999, \"check\": 1}"_s
            << u"1"_s << u"violates check constraint"_s;
        QTest::newRow("another unique value is taken")
            << u"CREATE UNIQUE INDEX ON app.k (result); "
               "INSERT INTO app.k (tenant, key, status, result) VALUES ('t9', 'x', 'processing', 'r99')"_s
            << u"{\"done\": 2999, \"unique_conflict\": 1}"_s << u"1"_s << u"duplicate key"_s;
        QTest::newRow("a trigger raises")
            << u"CREATE FUNCTION app.no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
               "IF NEW.key = 'p0099' THEN RAISE 'not this one'; END IF; RETURN NEW; END $$; "
               "CREATE TRIGGER no BEFORE INSERT ON app.k FOR EACH ROW EXECUTE FUNCTION app.no()"_s
            << u"{\"done\": 2999, \"refused\": 1}"_s << u"1"_s << u"not this one"_s;
        QTest::newRow("a trigger raises afterwards")
            << u"CREATE FUNCTION app.no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
               "IF NEW.key = 'p0099' THEN RAISE 'not this one'; END IF; RETURN NULL; END $$; "
               "CREATE TRIGGER no AFTER INSERT ON app.k FOR EACH ROW EXECUTE FUNCTION app.no()"_s
            << u"{\"done\": 2999, \"refused\": 1}"_s << u"1"_s << u"not this one"_s;
        QTest::newRow("a trigger swallows it")
            << u"CREATE FUNCTION app.no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
               "RETURN CASE WHEN NEW.key = 'p0099' THEN NULL ELSE NEW END; END $$; "
               "CREATE TRIGGER no BEFORE INSERT ON app.k FOR EACH ROW EXECUTE FUNCTION app.no()"_s
            << u"{\"done\": 2999, \"refused\": 1}"_s << u"1"_s << u"kept the change away"_s;
        QTest::newRow("a trigger changes it")
            << u"CREATE FUNCTION app.no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
               "IF NEW.key = 'p0099' THEN NEW.attempts := 77; END IF; RETURN NEW; END $$; "
               "CREATE TRIGGER no BEFORE INSERT ON app.k FOR EACH ROW EXECUTE FUNCTION app.no()"_s
            << u"{\"done\": 3000}"_s << u"1"_s << u"A trigger changed more than was put back."_s;
        QTest::newRow("a trigger gives it another key")
            << u"CREATE FUNCTION app.no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
               "IF NEW.key = 'p0099' THEN NEW.key := 'other'; END IF; RETURN NEW; END $$; "
               "CREATE TRIGGER no BEFORE INSERT ON app.k FOR EACH ROW EXECUTE FUNCTION app.no()"_s
            << u"{\"done\": 3000}"_s << u"1"_s << u"A trigger changed more than was put back."_s;
    }
    void oneRowStopsOnlyItself()
    {
        QFETCH(QString, spoil);
        QFETCH(QString, totals);
        QFETCH(QString, missing);
        QFETCH(QString, detail);
        purge(700);
        change(u"SET ROLE app_owner; "_s + spoil + u"; RESET ROLE"_s);
        // A table that changed is looked at anew before anything more is done to it.
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(u"\"registered\": true"_s));
        QCOMPARE(undo(10'000), totals);
        QCOMPARE(this->missing(), missing);
        const auto item = m_op->run(
            u"SELECT i.detail FROM idemdesk.items($1, 0, 0, 10000) i WHERE i.identity = ARRAY['t0', 'p0099']"_s,
            { m_undo });
        QVERIFY2(item.value().contains(detail), qPrintable(item.value()));
        QCOMPARE(number(u"(SELECT FROM idemdesk.items('%1', 0, 0, 10000)) x"_s.arg(m_undo)), u"3000"_s);
        QCOMPARE(trailRows(), u"1"_s);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
    }

    /// What a worker is about to make is waited for a moment, and no other row is left out for it.
    void aRowThatSomebodyIsMakingIsLocked()
    {
        purge(1'000);
        const auto worker = m_console->as(u"service"_s);
        QVERIFY(
            worker->run(u"BEGIN; INSERT INTO app.k (tenant, key, status) VALUES ('t0', 'p0099', 'processing')"_s).ok());
        QCOMPARE(undo(10'000), u"{\"done\": 2999, \"locked\": 1}"_s);
        QVERIFY(worker->run(u"ROLLBACK"_s).ok());
        QCOMPARE(undo(10'000), u"{\"done\": 1}"_s); // the next undo finds what is left
        QCOMPARE(missing(), u"0"_s);
    }

    /// A key that was purged twice in one action comes back as it was last.
    void theNewestOfAKeyComesBack()
    {
        m_purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*m_op, m_purge, kPurged).value(), u"running"_s);
        const auto batch = [this](int number, int limit) {
            return m_op->value(u"SELECT b ->> 'state' FROM idemdesk.purge_batch($1, $2, $3) b"_s,
                { m_purge, QString::number(number), QString::number(limit) });
        };
        QCOMPARE(batch(1, 2'900), u"running"_s);
        change(u"INSERT INTO app.k SELECT * FROM app.before WHERE key = 'p2999'; "
               "UPDATE app.k SET result = 'newer' WHERE key = 'p2999'"_s);
        for (int number = 2; batch(number, 2'900) == u"running"; ++number) { }
        QCOMPARE(number(u"app.k"_s), u"0"_s);
        QCOMPARE(undo(10'000), u"{\"done\": 3000, \"changed\": 1}"_s);
        QCOMPARE(root().value(u"SELECT result FROM app.k WHERE key = 'p2999'"_s), u"newer"_s);
    }

    void aCancelledUndoIsGoneOnWith()
    {
        purge(1'000);
        QCOMPARE(undo(333, 2), u"{\"done\": 666}"_s);
        const QString first = m_undo;
        // The same batch again is only looked at.
        QCOMPARE(
            m_op->value(u"SELECT b ->> 'repeated' FROM idemdesk.undo_batch($1, 2, 333) b"_s, { first }), u"true"_s);
        QVERIFY(m_op->run(u"SELECT idemdesk.set_action($1, 'cancelled', 'enough')"_s, { first }).ok());
        QCOMPARE(number(u"app.k"_s), u"666"_s);
        QCOMPARE(undo(10'000), u"{\"done\": 2334}"_s);
        QCOMPARE(missing(), u"0"_s);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
    }

    void theTrailShowsWhoAltersWhatCameBack_data()
    {
        QTest::addColumn<QString>("tamper");
        QTest::newRow("a run made longer") << u"UPDATE idemdesk.restored SET last = last - 1 WHERE by_row = 1"_s;
        QTest::newRow("a run taken away") << u"DELETE FROM idemdesk.restored WHERE by_row = 1"_s;
        QTest::newRow("a run by somebody else") << u"UPDATE idemdesk.restored SET by = action WHERE by_row = 1"_s;
        QTest::newRow("an item reworded")
            << u"DO $$ DECLARE v text; BEGIN FOR v IN SELECT inhrelid::regclass FROM pg_inherits "
               "WHERE inhparent = 'idemdesk.action_item'::regclass LOOP EXECUTE format("
               "'ALTER TABLE %s DISABLE TRIGGER USER; UPDATE %s SET detail = ''It was well.'' "
               "WHERE outcome = ''changed''', v, v); END LOOP; END $$"_s;
    }
    void theTrailShowsWhoAltersWhatCameBack()
    {
        QFETCH(QString, tamper);
        purge(1'000);
        change(u"INSERT INTO app.k (tenant, key, status) VALUES ('t0', 'p0099', 'processing')"_s);
        QCOMPARE(undo(10'000), u"{\"done\": 2999, \"changed\": 1}"_s);
        QCOMPARE(ConsoleFixture::verified(*m_op), u"t"_s);
        change(u"SET session_replication_role = replica; "_s + tamper);
        QVERIFY(ConsoleFixture::verified(*m_op) != u"t");
    }
};

} // namespace

QTEST_GUILESS_MAIN(UndoOfPurgesTest)
#include "tst_undo_of_purges.moc"
