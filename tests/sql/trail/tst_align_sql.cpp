// SPDX-License-Identifier: GPL-3.0-or-later
// An align on the server: what it takes over from another region's row, and what it refuses, whoever calls it.
#include "tests/support/console_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

class AlignSqlTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_console;
    std::unique_ptr<Connection> m_op;

    Connection &root() { return m_console->root(); }

    static QJsonObject alignRule(const QStringList &from, const QString &to, const QStringList &copy)
    {
        return { { u"verb"_s, u"align"_s }, { u"from"_s, QJsonArray::fromStringList(from) },
            { u"status"_s, QJsonArray() }, { u"to"_s, to }, { u"set"_s, QJsonArray() },
            { u"copy"_s, QJsonArray::fromStringList(copy) }, { u"needs"_s, QJsonValue() },
            { u"forbids"_s, QJsonValue() } };
    }
    /// "k" with only these rules. The request of a row is its price.
    static QString compiledWith(const QJsonArray &rules)
    {
        QJsonObject compiled = QJsonDocument::fromJson(ConsoleFixture::compiled().toUtf8()).object();
        compiled.insert(u"rules"_s, rules);
        compiled.insert(u"effects"_s, QJsonArray());
        compiled.insert(u"fingerprint"_s, u"t.price"_s);
        compiled.insert(u"written"_s, u"t.updated_at"_s);
        return QString::fromUtf8(QJsonDocument(compiled).toJson(QJsonDocument::Compact));
    }
    /// Rules 0: to succeeded, 1: to failed_final.
    static QString compiledAlign()
    {
        return compiledWith({ alignRule({ u"in_progress"_s, u"failed_retryable"_s }, u"succeeded"_s,
                                  { u"status"_s, u"result"_s, u"locked_until"_s }),
            alignRule({ u"failed_retryable"_s }, u"failed_final"_s, { u"status"_s }) });
    }
    static QString plan(const QString &winner = u"us"_s)
    {
        return u"{\"winner\":\"%1\",\"group\":{\"id\":\"6f2d1c1e-0000-4000-8000-000000000001\",\"name\":\"payments\",\"member\":\"eu\"}}"_s
            .arg(winner);
    }
    /// The frozen rows with the other region's row beside each.
    QString rows(const QString &where, int rule, const QString &other)
    {
        return root().value(
            u"SELECT jsonb_agg(r || jsonb_build_object('w', $2::jsonb)) FROM jsonb_array_elements($1::jsonb) r"_s,
            { m_console->frozen(where, rule), other });
    }
    static QString succeeded(const QString &fingerprint = u"1.50"_s, const QString &status = u"succeeded"_s)
    {
        return u"{\"state\":\"succeeded\",\"fingerprint\":\"%1\",\"at\":null,\"values\":[\"%2\",\"ch_7\",null]}"_s.arg(
            fingerprint, status);
    }
    QString run(const QString &rows, const QString &plan)
    {
        const QString id = ConsoleFixture::newId();
        const auto opened = m_console->open(*m_op, id, u"align"_s, rows, plan);
        return opened.ok() ? ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1) : opened.value();
    }
    QString shown(const QString &key)
    {
        return root().value(u"SELECT concat_ws(' ', status, coalesce(result, '-'), locked_until IS NULL) FROM app.k "
                            "WHERE key = $1"_s,
            { key });
    }

private slots:
    void initTestCase() { m_console = std::make_unique<ConsoleFixture>(); }
    void init()
    {
        m_console->fresh();
        m_op = m_console->as(u"op"_s);
        root().run(
            u"UPDATE app.k SET status = 'failed', updated_at = '2026-01-02' WHERE key IN ('k001', 'k002', 'k003')"_s);
        const QString said = m_console->registerTarget(compiledAlign());
        QVERIFY2(QJsonDocument::fromJson(said.toUtf8())[u"registered"_s].toBool(), qPrintable(said));
    }
    void cleanup()
    {
        QCOMPARE(ConsoleFixture::verified(root()), u"t"_s);
        m_op.reset();
    }

    void theOtherRowIsTakenOverAndGoesBack()
    {
        const QString id = ConsoleFixture::newId();
        QVERIFY(
            m_console->open(*m_op, id, u"align"_s, rows(u"key IN ('k001', 'k002')"_s, 0, succeeded()), plan()).ok());
        QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1), u"{\"done\": 2}"_s);
        QCOMPARE(shown(u"k001"_s), u"succeeded ch_7 t"_s);
        QCOMPARE(shown(u"k003"_s).section(u' ', 0, 0), u"failed"_s);
        // The trail has the group, and whose row stands; the rows have what was seen of it.
        QCOMPARE(root().value(u"SELECT facts -> 'plan' #>> '{group,id}' || ' ' || (facts -> 'plan' ->> 'winner') FROM "
                              "idemdesk.audit WHERE action = $1 AND what = 'open'"_s,
                     { id }),
            u"6f2d1c1e-0000-4000-8000-000000000001 us"_s);
        QCOMPARE(
            m_op->value(u"SELECT winner -> 'values' ->> 1 FROM idemdesk.rows_asked($1) LIMIT 1"_s, { id }), u"ch_7"_s);
        const QString back = ConsoleFixture::newId();
        QVERIFY(m_op->run(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { back, id }).ok());
        QCOMPARE(ConsoleFixture::counts(*m_op, u"undo_batch"_s, back, 1), u"{\"done\": 2}"_s);
        QCOMPARE(shown(u"k001"_s).section(u' ', 0, 1), u"failed -"_s);
    }

    void aSuccessIsNeverOverwritten()
    {
        const QString before = shown(u"d0001"_s);
        QCOMPARE(run(rows(u"key = 'd0001'"_s, 0, succeeded()), plan()), u"{\"changed\": 1}"_s);
        QCOMPARE(shown(u"d0001"_s), before);
        // One that succeeds after it was asked for.
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->open(*m_op, id, u"align"_s, rows(u"key = 'k001'"_s, 0, succeeded()), plan()).ok());
        root().run(u"UPDATE app.k SET status = 'succeeded', result = 'own' WHERE key = 'k001'"_s);
        QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1), u"{\"changed\": 1}"_s);
        QCOMPARE(shown(u"k001"_s).section(u' ', 1, 1), u"own"_s);
    }

    void whatDoesNotStandIsNotTaken_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<int>("rule");
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("winner");
        QTest::addColumn<QString>("counts");
        const auto final = [](const QString &at) {
            return u"{\"state\":\"failed_final\",\"fingerprint\":\"1.50\",\"at\":%1,\"values\":[\"dead\"]}"_s.arg(at);
        };
        QTest::newRow("another request") << u"k001"_s << 0 << succeeded(u"9.99"_s) << u"us"_s << u"{\"changed\": 1}"_s;
        QTest::newRow("values of another state")
            << u"k001"_s << 0 << succeeded(u"1.50"_s, u"failed"_s) << u"us"_s << u"{\"wrong_state\": 1}"_s;
        QTest::newRow("a lease that runs not out") << u"k004"_s << 0 << succeeded() << u"us"_s << u"{\"done\": 1}"_s;
        QTest::newRow("earlier") << u"k001"_s << 1 << final(u"\"2026-01-01T00:00:00Z\""_s) << u"us"_s
                                 << u"{\"changed\": 1}"_s;
        QTest::newRow("later") << u"k001"_s << 1 << final(u"\"2026-01-03T00:00:00Z\""_s) << u"us"_s
                               << u"{\"done\": 1}"_s;
        QTest::newRow("no time, a label that comes later")
            << u"k001"_s << 1 << final(u"null"_s) << u"us"_s << u"{\"changed\": 1}"_s;
        QTest::newRow("no time, a label that comes first")
            << u"k001"_s << 1 << final(u"null"_s) << u"ap"_s << u"{\"done\": 1}"_s;
    }
    void whatDoesNotStandIsNotTaken()
    {
        QFETCH(QString, key);
        QFETCH(int, rule);
        QFETCH(QString, other);
        QFETCH(QString, winner);
        QFETCH(QString, counts);
        QCOMPARE(run(rows(u"key = '%1'"_s.arg(key), rule, other), plan(winner)), counts);
    }

    void aRunningLeaseIsLeft()
    {
        root().run(u"UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE key = 'k004'"_s);
        QCOMPARE(run(rows(u"key = 'k004'"_s, 0, succeeded()), plan()), u"{\"changed\": 1}"_s);
        QCOMPARE(shown(u"k004"_s).section(u' ', 0, 0), u"processing"_s);
    }

    void aRowThatChangedIsLeft()
    {
        const QString frozen = rows(u"key = 'k001'"_s, 0, succeeded());
        root().run(u"UPDATE app.k SET attempts = 7 WHERE key = 'k001'"_s);
        QCOMPARE(run(frozen, plan()), u"{\"changed\": 1}"_s);
        QCOMPARE(shown(u"k001"_s).section(u' ', 0, 0), u"failed"_s);
    }

    /// What it says it wrote is what stands there, to the last digit.
    void whatCannotBeHeldWholeIsNotWritten_data()
    {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("column");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("counts");
        const QString done = u"{\"done\": 1}"_s;
        const QString wrong = u"{\"wrong_state\": 1}"_s;
        QTest::newRow("it fits") << u"ALTER TABLE app.k ADD part varchar(5)"_s << u"part"_s << u"ch_7"_s << done;
        QTest::newRow("nothing") << u"ALTER TABLE app.k ADD part varchar(5)"_s << u"part"_s << QString() << done;
        QTest::newRow("a longer text") << u"ALTER TABLE app.k ADD part varchar(5)"_s << u"part"_s << u"ch_123"_s
                                       << wrong;
        QTest::newRow("blanks behind it") << u"SELECT 1"_s << u"pad"_s << u"ch_7"_s << done;
        QTest::newRow("longer than char(n)") << u"SELECT 1"_s << u"pad"_s << u"ch_123"_s << wrong;
        QTest::newRow("more digits") << u"ALTER TABLE app.k ADD part numeric(10,1)"_s << u"part"_s << u"1.25"_s
                                     << wrong;
        QTest::newRow("a domain") << u"CREATE DOMAIN app.short AS varchar(3); ALTER TABLE app.k ADD part app.short"_s
                                  << u"part"_s << u"ch_7"_s << wrong;
        QTest::newRow("a trigger's own value")
            << u"CREATE FUNCTION app.own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.pad := 'own'; RETURN NEW; "
               u"END $$; "
               "CREATE TRIGGER own BEFORE UPDATE ON app.k FOR EACH ROW EXECUTE FUNCTION app.own()"_s
            << u"pad"_s << u"ch_7"_s << wrong;
    }
    void whatCannotBeHeldWholeIsNotWritten()
    {
        QFETCH(QString, table);
        QFETCH(QString, column);
        QFETCH(QString, value);
        QFETCH(QString, counts);
        root().run(u"UPDATE app.k SET result = 'ch_7' WHERE key = 'k001'"_s); // a retry is to be answered
        const auto altered = root().run(
            u"SET ROLE app_owner; "_s + table + u"; RESET ROLE; GRANT UPDATE ON app.k TO idemdesk_runner_app_owner"_s);
        QVERIFY2(altered.ok(), qPrintable(altered.message));
        const QString said = m_console->registerTarget(
            compiledWith({ alignRule({ u"failed_retryable"_s }, u"succeeded"_s, { u"status"_s, column }) }));
        QVERIFY2(QJsonDocument::fromJson(said.toUtf8())[u"registered"_s].toBool(), qPrintable(said));
        const QString other
            = u"{\"state\":\"succeeded\",\"fingerprint\":\"1.50\",\"at\":null,\"values\":[\"succeeded\",%1]}"_s.arg(
                value.isEmpty() ? u"null"_s : u"\"%1\""_s.arg(value));
        QCOMPARE(run(rows(u"key = 'k001'"_s, 0, other), plan()), counts);
        QCOMPARE(shown(u"k001"_s).section(u' ', 0, 0), counts.contains(u"done"_s) ? u"succeeded"_s : u"failed"_s);
    }

    /// A rule that renames the key, where another column is the identity, makes it another request.
    void theRequestStaysTheSame()
    {
        QJsonObject compiled = QJsonDocument::fromJson(
            compiledWith({ alignRule({ u"failed_retryable"_s }, u"succeeded"_s, { u"status"_s, u"result"_s }) })
                .toUtf8())
                                   .object();
        compiled.insert(u"key"_s, u"t.result"_s);
        root().run(u"UPDATE app.k SET result = key"_s);
        const QString said
            = m_console->registerTarget(QString::fromUtf8(QJsonDocument(compiled).toJson(QJsonDocument::Compact)));
        QVERIFY2(QJsonDocument::fromJson(said.toUtf8())[u"registered"_s].toBool(), qPrintable(said));
        const auto other = [](const QString &key) {
            return u"{\"state\":\"succeeded\",\"fingerprint\":\"1.50\",\"at\":null,\"values\":[\"succeeded\",\"%1\"]}"_s
                .arg(key);
        };
        QCOMPARE(run(rows(u"key = 'k001'"_s, 0, other(u"stolen"_s)), plan()), u"{\"wrong_state\": 1}"_s);
        QCOMPARE(run(rows(u"key = 'k001'"_s, 0, other(u"k001"_s)), plan()), u"{\"done\": 1}"_s);
    }

    /// Who waits for another person must not put in place what the other region gave up meanwhile.
    void whatWasSeenLongAgoIsNotPutInPlace()
    {
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->open(*m_op, id, u"align"_s, rows(u"key = 'k001'"_s, 0, succeeded()), plan()).ok());
        root().run(
            u"ALTER TABLE idemdesk.action DISABLE TRIGGER ALL; UPDATE idemdesk.action SET requested_at = "
            "requested_at - interval '16 minutes' WHERE id = '%1'; ALTER TABLE idemdesk.action ENABLE TRIGGER ALL"_s
                .arg(id));
        const QString late = m_op->value(u"SELECT idemdesk.change_batch($1, 1, 500)"_s, { id });
        QVERIFY2(late.contains(u"15 minutes"_s), qPrintable(late));
        QCOMPARE(shown(u"k001"_s).section(u' ', 0, 0), u"failed"_s);
        root().run(
            u"ALTER TABLE idemdesk.action DISABLE TRIGGER ALL; UPDATE idemdesk.action SET requested_at = "
            "requested_at + interval '16 minutes' WHERE id = '%1'; ALTER TABLE idemdesk.action ENABLE TRIGGER ALL"_s
                .arg(id));
    }

    void whatCannotBeMeantIsNotOpened_data()
    {
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("plan");
        QTest::newRow("no winner")
            << succeeded()
            << u"{\"group\":{\"id\":\"6f2d1c1e-0000-4000-8000-000000000001\",\"name\":\"p\",\"member\":\"eu\"}}"_s;
        QTest::newRow("itself") << succeeded() << plan(u"eu"_s);
        QTest::newRow("no group") << succeeded() << u"{\"winner\":\"us\"}"_s;
        QTest::newRow("no row") << u"null"_s << plan();
        QTest::newRow("another state")
            << u"{\"state\":\"failed_final\",\"fingerprint\":\"1.50\",\"at\":null,\"values\":[\"a\",\"b\",null]}"_s
            << plan();
        QTest::newRow("too few values")
            << u"{\"state\":\"succeeded\",\"fingerprint\":\"1.50\",\"at\":null,\"values\":[\"succeeded\"]}"_s << plan();
        QTest::newRow("no texts")
            << u"{\"state\":\"succeeded\",\"fingerprint\":\"1.50\",\"at\":null,\"values\":[{\"a\":1},1,null]}"_s
            << plan();
        QTest::newRow("a list in the place of a text")
            << u"{\"state\":\"succeeded\",\"fingerprint\":\"1.50\",\"at\":null,\"values\":[\"succeeded\",[\"abc\"],null]}"_s
            << plan();
        QTest::newRow("a time without end")
            << u"{\"state\":\"succeeded\",\"fingerprint\":\"1.50\",\"at\":\"infinity\",\"values\":[\"a\",\"b\",null]}"_s
            << plan();
        QTest::newRow("more than is asked")
            << u"{\"state\":\"succeeded\",\"fingerprint\":\"1.50\",\"at\":null,\"values\":[\"a\",\"b\",null],\"x\":1}"_s
            << plan();
    }
    void whatCannotBeMeantIsNotOpened()
    {
        QFETCH(QString, other);
        QFETCH(QString, plan);
        const auto said
            = m_console->open(*m_op, ConsoleFixture::newId(), u"align"_s, rows(u"key = 'k001'"_s, 0, other), plan);
        QCOMPARE(said.state, u"ID005"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.action WHERE verb = 'align'"_s), u"0"_s);
    }

    void onlyOperatorsAlign()
    {
        const QString frozen = rows(u"key = 'k001'"_s, 0, succeeded());
        for (const QString &login : { u"viewer"_s, u"appr"_s, u"service"_s }) {
            QVERIFY2(!m_console->open(*m_console->as(login), ConsoleFixture::newId(), u"align"_s, frozen, plan()).ok(),
                qPrintable(login));
        }
    }

    void manyWaitForAnother()
    {
        const QString said = m_console->registerTarget(compiledAlign(), u"{\"approval_above\": 1}"_s);
        QVERIFY2(said.contains(u"\"registered\": true"), qPrintable(said));
        const QString id = ConsoleFixture::newId();
        const QString frozen = rows(u"key IN ('k001', 'k002')"_s, 0, succeeded());
        QCOMPARE(m_console->open(*m_op, id, u"align"_s, frozen, plan()).value(), u"requested"_s);
        QVERIFY(!m_op->run(u"SELECT idemdesk.change_batch($1, 1)"_s, { id }).ok());
        QCOMPARE(shown(u"k001"_s).section(u' ', 0, 0), u"failed"_s);
    }

    void rulesThatTakeASuccessAreNotRegistered_data()
    {
        QTest::addColumn<QJsonObject>("rule");
        QTest::newRow("from succeeded") << alignRule({ u"succeeded"_s }, u"failed_final"_s, { u"status"_s });
        QTest::newRow("nothing copied") << alignRule({ u"failed_retryable"_s }, u"succeeded"_s, {});
        QTest::newRow("the identity") << alignRule(
            { u"failed_retryable"_s }, u"succeeded"_s, { u"status"_s, u"key"_s });
        QTest::newRow("absent") << alignRule({ u"failed_retryable"_s }, u"absent"_s, { u"status"_s });
        QJsonObject requeue = alignRule({ u"failed_retryable"_s }, u"succeeded"_s, { u"status"_s });
        requeue.insert(u"verb"_s, u"requeue"_s);
        QTest::newRow("a copy in another verb") << requeue;
    }
    void rulesThatTakeASuccessAreNotRegistered()
    {
        QFETCH(QJsonObject, rule);
        const QString said = m_console->registerTarget(compiledWith({ rule }));
        QVERIFY2(said.contains(u"\"registered\": false") && said.contains(u"align"), qPrintable(said));
    }
};

} // namespace

QTEST_GUILESS_MAIN(AlignSqlTest)
#include "tst_align_sql.moc"
