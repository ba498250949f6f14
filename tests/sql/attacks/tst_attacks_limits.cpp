// SPDX-License-Identifier: GPL-3.0-or-later
// Attacks on what limits an action: how many rows one person may take, what an approval covers, which time is meant.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QTest>

#include <utility>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QString kRegistered = u"\"registered\": true"_s;
/// What becomes of the part p0 of the target "p" when it is detached.
const QString kDetached
    = u"SELECT b ->> 'state' FROM idemdesk.detach_partition($1, 'p', '\"app\".\"p0\"', 'now', 'old', NULL) b"_s;

class AttacksLimitsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

    Connection &root() { return m_console->root(); }
    QString rows() { return root().value(u"SELECT count(*) FROM app.k"_s); }
    QString state(const QString &id)
    {
        return root().value(u"SELECT state FROM idemdesk.action WHERE id = $1"_s, { id });
    }
    void limitTo(int rows)
    {
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": %1}"_s.arg(rows))
                    .contains(kRegistered));
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void init() { m_console->fresh(); }

    /// 1: the operator says that he expects nothing.
    void expectingNothingNeedsApproval()
    {
        limitTo(50);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 0).value(), u"requested"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.purge_batch($1, 1, 10000)"_s, { id }), u"ID005"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.set_action($1, 'running')"_s, { id }), u"ID005"_s);
        QCOMPARE(rows(), u"650"_s);
    }

    /// 1: fewer rows when it was opened than when it runs; resuming past the allowance needs the approval.
    void allowanceHoldsInEachBatch()
    {
        QVERIFY(
            root()
                .run(
                    u"UPDATE app.k SET expires_at = now() - interval '90 days' WHERE status = 'succeeded' AND key <= 'd0040'"_s)
                .ok());
        limitTo(50);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        const QString cutoff = root().value(u"SELECT now() - interval '60 days'"_s);
        QCOMPARE(m_console->openPurge(*op, id, 40, true, cutoff).value(), u"running"_s);
        QVERIFY(
            root().run(u"UPDATE app.k SET expires_at = now() - interval '90 days' WHERE status = 'succeeded'"_s).ok());
        QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.purge_batch($1, 1, 10000) b"_s, { id }), u"paused"_s);
        QCOMPARE(rows(), u"600"_s); // fifty, and no row more
        QCOMPARE(
            op->value(u"SELECT b ->> 'state' FROM idemdesk.set_action($1, 'running') b"_s, { id }), u"requested"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.purge_batch($1, 2, 10000)"_s, { id }), u"ID005"_s);
        QCOMPARE(rows(), u"600"_s);
        QCOMPARE(
            m_console->as(u"appr"_s)->value(u"SELECT b ->> 'state' FROM idemdesk.approve_action($1, true) b"_s, { id }),
            u"running"_s);
        QCOMPARE(op->value(u"SELECT b ->> 'rows' FROM idemdesk.purge_batch($1, 2, 30) b"_s, { id }), u"30"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// A count that cannot be made is more than one person may take.
    void uncountableNeedsApproval()
    {
        limitTo(100'000);
        QVERIFY(
            root()
                .run(
                    u"INSERT INTO app.k (tenant, key, status, expires_at, result) VALUES ('t', 'odd', 'succeeded', now() - interval '1 day', 'x')"_s)
                .ok());
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"(t.expires_at < ($1))"_s,
            u"(t.expires_at < ($1) AND (t.result = 'x' OR (t.result::pg_catalog.int4) > 0))"_s);
        QVERIFY(m_console->registerTarget(compiled, u"{\"approval_above\": 100000}"_s).contains(kRegistered));
        QVERIFY(root().run(u"UPDATE app.k SET result = 'no number' WHERE key = 'odd'"_s).ok());
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(m_console->openPurge(*op, ConsoleFixture::newId(), 0).value(), u"requested"_s);
    }

    /// 2: a cutoff that is in the past when it is checked and in 2030 when it is used.
    void cutoffIsReadOnce_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("cutoff");
        QTest::newRow("day first") << u"SET datestyle = 'ISO, DMY'"_s << u"30-01-25"_s;
        QTest::newRow("another zone's name") << u"SET timezone = 'Pacific/Kiritimati'"_s << u"2030-01-25"_s;
        QTest::newRow("infinity") << u"SELECT 1"_s << u"-infinity"_s;
    }
    void cutoffIsReadOnce()
    {
        QFETCH(QString, settings);
        QFETCH(QString, cutoff);
        QVERIFY(root().run(u"UPDATE app.k SET expires_at = '2029-06-01' WHERE status = 'succeeded'"_s).ok());
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->run(settings).ok());
        const QString id = ConsoleFixture::newId();
        const auto opened = m_console->openPurge(*op, id, 600, true, cutoff);
        if (opened.ok()) {
            op->run(u"SELECT idemdesk.purge_batch($1, 1, 10000)"_s, { id });
        }
        QCOMPARE(rows(), u"650"_s);
        QCOMPARE(opened.state, u"ID005"_s);
    }

    /// 2: "now" is the moment at which it was asked for.
    void nowIsTheMomentOfAsking()
    {
        QVERIFY(
            root().run(u"UPDATE app.k SET expires_at = clock_timestamp() + interval '1 s' WHERE key = 'd0001'"_s).ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        const auto opened = m_console->open(*op, id, u"purge"_s, u"[]"_s,
            u"{\"cutoff\":\"now\",\"states\":[\"succeeded\"],\"scopes\":null,\"images\":true,\"expected\":600}"_s);
        QCOMPARE(opened.value(), u"running"_s);
        QTRY_COMPARE(root().value(u"SELECT expires_at < clock_timestamp() FROM app.k WHERE key = 'd0001'"_s), u"t"_s);
        QVERIFY(op->run(u"SELECT idemdesk.purge_batch($1, 1, 10000)"_s, { id }).ok());
        QCOMPARE(root().value(u"SELECT count(*) FROM app.k WHERE key = 'd0001'"_s), u"1"_s);
        QCOMPARE(rows(), u"51"_s);
    }

    /// 3: whatever the session says of arrays and texts, what comes back is what went.
    void undoGivesBackNulls_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::newRow("NULL in arrays as text") << u"SET array_nulls = off"_s;
        QTest::newRow("= NULL") << u"SET transform_null_equals = on"_s;
        QTest::newRow("few digits") << u"SET extra_float_digits = -15"_s;
        QTest::newRow("names quoted") << u"SET quote_all_identifiers = on"_s;
    }
    void undoGivesBackNulls()
    {
        QFETCH(QString, settings);
        QVERIFY(
            root()
                .run(
                    u"UPDATE app.k SET result = NULL, doc = NULL, price = NULL WHERE key BETWEEN 'd0001' AND 'd0100'; "
                    "UPDATE app.k SET result = '' WHERE key BETWEEN 'd0101' AND 'd0110'; UPDATE app.k SET result = 'NULL' WHERE key = 'd0111'"_s)
                .ok());
        const auto whole = u"SELECT md5(string_agg(t::text, '|' ORDER BY tenant, key)) FROM app.k t"_s;
        const QString before = root().value(whole);
        const auto op = m_console->as(u"op"_s);
        QVERIFY(op->run(settings).ok());
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, id, 1, 700), u"{\"purged\": 600}"_s);
        QCOMPARE(
            op->value(u"SELECT b ->> 'state' FROM idemdesk.set_action($1, 'cancelled') b"_s, { id }), u"cancelled"_s);
        const QString undo = ConsoleFixture::newId();
        QVERIFY(op->run(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { undo, id }).ok());
        QCOMPARE(ConsoleFixture::counts(*op, u"undo_batch"_s, undo, 1, 1000), u"{\"done\": 600}"_s);
        QCOMPARE(root().value(whole), before);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// 5: what was approved is what runs, though the profile's text is the same.
    void otherSqlUnderTheSameProfile()
    {
        limitTo(50);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"requested"_s);
        QCOMPARE(
            m_console->as(u"appr"_s)->value(u"SELECT b ->> 'state' FROM idemdesk.approve_action($1, true) b"_s, { id }),
            u"running"_s);
        QString other = ConsoleFixture::compiled();
        other.replace(u"(t.expires_at < ($1))"_s, u"(t.expires_at < ($1) OR true)"_s)
            .replace(u"\"succeeded\":\"t.status = 'succeeded'\""_s, u"\"succeeded\":\"true\""_s);
        QVERIFY(m_console->registerTarget(other, u"{\"approval_above\": 50}"_s).contains(kRegistered));
        QCOMPARE(op->state(u"SELECT idemdesk.purge_batch($1, 1, 10000)"_s, { id }), u"ID006"_s);
        QCOMPARE(rows(), u"650"_s);
    }

    /// 5: the approval is asked for on one registration and given on another.
    void approvalOfAnotherRegistration()
    {
        limitTo(50);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"requested"_s);
        QVERIFY(
            m_console->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": 40}"_s).contains(kRegistered));
        QCOMPARE(m_console->as(u"appr"_s)->state(u"SELECT idemdesk.approve_action($1, true)"_s, { id }), u"ID006"_s);
        QCOMPARE(state(id), u"requested"_s);
    }

    /// 6: a partition is rows, too.
    void partitionsNeedApproval()
    {
        m_console->cluster().psql(m_console->database(),
            u"SET ROLE app_owner; CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key, "
            u"expires_at)) PARTITION BY RANGE (expires_at);"
            "CREATE TABLE app.p_old PARTITION OF app.p FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');"
            "INSERT INTO app.p (tenant, key, status, expires_at) SELECT 't', 'o' || i, 'succeeded', '2020-06-01' FROM "
            "generate_series(1, 1000) i;"
            "GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p_old TO idemdesk_runner_app_owner; RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner"_s);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"k\\\""_s, u"\\\"p\\\""_s);
        compiled.replace(u"{\"name\":\"key\",\"type\":\"pg_catalog.text\",\"eq\":\"OPERATOR(pg_catalog.=)\"}]"_s,
            u"{\"name\":\"key\",\"type\":\"pg_catalog.text\",\"eq\":\"OPERATOR(pg_catalog.=)\"},"
            "{\"name\":\"expires_at\",\"type\":\"pg_catalog.timestamptz\",\"eq\":\"OPERATOR(pg_catalog.=)\"}]"_s);
        const QString answer = m_console->registerTarget(
            compiled, u"{\"approval_above\": 1, \"undo_window\": \"0\"}"_s, ConsoleFixture::profile(), u"p"_s);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const auto attached = u"SELECT count(*) FROM pg_inherits WHERE inhparent = 'app.p'::regclass"_s;
        const QString id = ConsoleFixture::newId();
        const QList<std::optional<QString>> detach { id };
        const QString call
            = u"SELECT b ->> 'state' FROM idemdesk.detach_partition($1, 'p', '\"app\".\"p_old\"', '2026-01-01T00:00:00Z', 'old', NULL) b"_s;
        QCOMPARE(op->value(call, detach), u"requested"_s);
        QCOMPARE(op->value(call, detach), u"requested"_s); // and asking twice is not an approval
        QCOMPARE(root().value(attached), u"1"_s);
        QCOMPARE(
            m_console->as(u"appr"_s)->value(u"SELECT b ->> 'state' FROM idemdesk.approve_action($1, true) b"_s, { id }),
            u"running"_s);
        // What came since was not shown to whoever approved.
        QVERIFY(root()
                    .run(u"INSERT INTO app.p (tenant, key, status, expires_at) VALUES ('t', 'late', 'succeeded', "
                         "'2020-06-01')"_s)
                    .ok());
        QCOMPARE(op->state(call, detach), u"ID005"_s);
        QCOMPARE(root().value(attached), u"1"_s);
        QVERIFY(root().run(u"DELETE FROM app.p WHERE key = 'late'"_s).ok());
        QCOMPARE(op->value(call, detach), u"finished"_s);
        QCOMPARE(root().value(attached), u"0"_s);
        // Whoever makes the console forget it, so that it is neither attached again nor dropped, is found out.
        const QString noted = u"SELECT count(*) FROM idemdesk.detached_partition"_s;
        QVERIFY(root()
                    .run(u"CREATE TEMPORARY TABLE kept AS SELECT * FROM idemdesk.detached_partition; DELETE FROM "
                         "idemdesk.detached_partition"_s)
                    .ok());
        QCOMPARE(root().value(noted), u"0"_s);
        const QString forgotten = ConsoleFixture::verified(*op);
        QVERIFY2(forgotten.contains(u"the detached partition \"app\".\"p_old\" is gone"_s), qPrintable(forgotten));
        QVERIFY(root().run(u"INSERT INTO idemdesk.detached_partition SELECT * FROM kept"_s).ok());
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        // What is brought back is rows as well, and as many as it holds by now.
        QVERIFY(
            root()
                .run(u"INSERT INTO app.p_old (tenant, key, status, expires_at) SELECT 't', 'more' || i, 'succeeded', "
                     "'2020-06-01' FROM generate_series(1, 500) i"_s)
                .ok());
        const QString back = ConsoleFixture::newId();
        QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.attach_partition($1, 'p', '\"app\".\"p_old\"', 'back', "
                           "NULL) b"_s,
                     { back }),
            u"requested"_s);
        QCOMPARE(root().value(attached), u"0"_s);
        QCOMPARE(root().value(u"SELECT planned_rows FROM idemdesk.action WHERE id = $1"_s, { back }), u"1500"_s);
        QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'cancelled')"_s, { back }).ok());
        QVERIFY(root().run(u"DELETE FROM app.p_old WHERE key LIKE 'more%'"_s).ok());
        const QString drop
            = u"SELECT b ->> 'state' FROM idemdesk.drop_partition($1, 'p', '\"app\".\"p_old\"', 'old', NULL) b"_s;
        QCOMPARE(op->value(drop, { ConsoleFixture::newId() }), u"requested"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.p_old"_s), u"1000"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// Rows that a part's own row security hides are rows.
    void partsAreCountedWhole_data()
    {
        QTest::addColumn<QString>("security");
        const QString on = u"ALTER TABLE app.p_old ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY"_s;
        QTest::newRow("all of them") << on;
        QTest::newRow("those that are needed")
            << on + u"; CREATE POLICY part ON app.p_old USING (status = 'succeeded')"_s;
    }
    void partsAreCountedWhole()
    {
        QFETCH(QString, security);
        m_console->cluster().psql(m_console->database(),
            uR"(SET ROLE app_owner;
            CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key)) PARTITION BY LIST (tenant);
            CREATE TABLE app.p_old PARTITION OF app.p FOR VALUES IN ('t0');
            INSERT INTO app.p SELECT * FROM app.k WHERE tenant = 't0';
            GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p_old TO idemdesk_runner_app_owner;
            RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner;)"_s
                + security);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"k\\\""_s, u"\\\"p\\\""_s);
        const QString answer = m_console->registerTarget(
            compiled, u"{\"approval_above\": 1, \"undo_window\": \"0\"}"_s, ConsoleFixture::profile(), u"p"_s);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        const QString detach = u"SELECT idemdesk.detach_partition($1, 'p', '\"app\".\"p_old\"', 'now', 'old', NULL)"_s;
        QVERIFY(!op->run(detach, { ConsoleFixture::newId() }).ok());
        QCOMPARE(root().value(u"SELECT count(*) FROM pg_inherits WHERE inhparent = 'app.p'::regclass"_s), u"1"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.action WHERE verb = 'detach'"_s), u"0"_s);
    }

    /// The same of a part that was detached, and then filled and hidden.
    void hiddenPartIsNotDropped()
    {
        m_console->cluster().psql(m_console->database(), uR"(SET ROLE app_owner;
            CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key)) PARTITION BY LIST (tenant);
            CREATE TABLE app.p_old PARTITION OF app.p FOR VALUES IN ('t0');
            INSERT INTO app.p SELECT * FROM app.k WHERE tenant = 't0' AND status = 'succeeded';
            GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p_old TO idemdesk_runner_app_owner;
            RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner;)"_s);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"k\\\""_s, u"\\\"p\\\""_s);
        QVERIFY(m_console->registerTarget(compiled, u"{\"undo_window\": \"0\"}"_s, ConsoleFixture::profile(), u"p"_s)
                    .contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.detach_partition($1, 'p', '\"app\".\"p_old\"', 'now', "
                           "'old', NULL) b"_s,
                     { ConsoleFixture::newId() }),
            u"finished"_s);
        QVERIFY(root()
                    .run(u"INSERT INTO app.p_old SELECT * FROM app.k WHERE tenant = 't0' AND status = 'processing'; "
                         "ALTER TABLE app.p_old ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY"_s)
                    .ok());
        op->run(u"SELECT idemdesk.drop_partition($1, 'p', '\"app\".\"p_old\"', 'old', NULL)"_s,
            { ConsoleFixture::newId() });
        QCOMPARE(root().value(u"SELECT count(*) > 0 FROM app.p_old WHERE status = 'processing'"_s), u"t"_s);
    }

    /// An approval is for the partition that was shown, not for the one that took its name.
    void approvedPartitionExchanged()
    {
        m_console->cluster().psql(m_console->database(), uR"(SET ROLE app_owner;
            CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key)) PARTITION BY LIST (tenant);
            CREATE TABLE app.p0 PARTITION OF app.p FOR VALUES IN ('t0');
            CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES IN ('t1');
            INSERT INTO app.p SELECT * FROM app.k WHERE tenant IN ('t0', 't1') AND status = 'succeeded';
            GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p0, app.p1 TO idemdesk_runner_app_owner;
            RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner;)"_s);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"k\\\""_s, u"\\\"p\\\""_s);
        QVERIFY(m_console->registerTarget(compiled, u"{\"approval_above\": 1}"_s, ConsoleFixture::profile(), u"p"_s)
                    .contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        const QString call = u"SELECT b ->> 'state' FROM idemdesk.detach_partition($1, 'p', '\"app\".\"p0\"', "
                             "'2026-11-01T00:00:00Z', 'old', NULL) b"_s;
        QVERIFY(root().run(u"UPDATE app.p SET expires_at = '2026-01-01'"_s).ok());
        QCOMPARE(op->value(call, { id }), u"requested"_s);
        QCOMPARE(
            m_console->as(u"appr"_s)->value(u"SELECT b ->> 'state' FROM idemdesk.approve_action($1, true) b"_s, { id }),
            u"running"_s);
        QVERIFY(root().run(u"ALTER TABLE app.p0 RENAME TO px; ALTER TABLE app.p1 RENAME TO p0"_s).ok());
        op->run(u"SELECT idemdesk.detach_partition($1, 'p', '\"app\".\"p0\"', '2026-11-01T00:00:00Z', 'old', NULL)"_s,
            { id });
        QCOMPARE(root().value(u"SELECT count(*) FROM pg_inherits WHERE inhparent = 'app.p'::regclass"_s), u"2"_s);
    }

    /// Two parts exchange their names while the lock on one of them is waited for: the other one is not taken for it.
    void partitionExchangedUnderItsLock()
    {
        m_console->cluster().psql(m_console->database(), uR"(SET ROLE app_owner;
            CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key)) PARTITION BY LIST (tenant);
            CREATE TABLE app.p0 PARTITION OF app.p FOR VALUES IN ('t0');
            CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES IN ('t1');
            INSERT INTO app.p SELECT * FROM app.k WHERE tenant IN ('t0', 't1') AND status = 'succeeded';
            UPDATE app.p SET expires_at = '2026-01-01';
            GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p0, app.p1 TO idemdesk_runner_app_owner;
            RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner;)"_s);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"k\\\""_s, u"\\\"p\\\""_s);
        QVERIFY(m_console->registerTarget(compiled, u"{}"_s, ConsoleFixture::profile(), u"p"_s).contains(kRegistered));
        const auto owner = m_console->as(u"app_owner"_s);
        QVERIFY(owner
                    ->run(u"BEGIN; ALTER TABLE app.p0 RENAME TO px; ALTER TABLE app.p1 RENAME TO p0; "
                          "ALTER TABLE app.px RENAME TO p1"_s)
                    .ok());
        const auto op = m_console->as(u"op"_s);
        op->send(
            u"SELECT idemdesk.detach_partition('%1', 'p', '\"app\".\"p0\"', '2026-11-01T00:00:00Z', 'old', NULL)"_s.arg(
                ConsoleFixture::newId()));
        QTRY_COMPARE(
            root().value(u"SELECT count(*) FROM pg_locks WHERE pid = %1 AND NOT granted"_s.arg(op->pid())), u"1"_s);
        QVERIFY(owner->run(u"COMMIT"_s).ok());
        op->take();
        QCOMPARE(root().value(u"SELECT count(*) FROM pg_inherits WHERE inhparent = 'app.p'::regclass"_s), u"2"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'detach'"_s), u"0"_s);
    }

    /// Whether the effect happened is for the server to look, also where nobody asks it to.
    void effectIsLookedForUnasked_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<int>("rule");
        QTest::newRow("a recovery") << u"recover"_s << 0;
        QTest::newRow("a requeue") << u"requeue"_s << 3;
    }
    void effectIsLookedForUnasked()
    {
        QFETCH(QString, verb);
        QFETCH(int, rule);
        QVERIFY(root()
                    .run(u"UPDATE app.k SET status = CASE $1 WHEN 'requeue' THEN 'failed' ELSE status END "
                         "WHERE key BETWEEN 'k001' AND 'k003'"_s,
                        { verb })
                    .ok());
        QVERIFY(root()
                    .run(u"INSERT INTO app.eff SELECT 'charge ' || key, tenant, key FROM app.k WHERE key = "
                         "'k001'"_s)
                    .ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        const QString rows = m_console->frozen(u"key BETWEEN 'k001' AND 'k003'"_s, rule);
        const QString before = root().value(u"SELECT k::text FROM app.k WHERE key = 'k001'"_s);
        QCOMPARE(m_console->open(*op, id, verb, rows).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 2, \"evidence\": 1}"_s);
        QCOMPARE(root().value(u"SELECT k::text FROM app.k WHERE key = 'k001'"_s), before);
    }

    /// Batches follow each other as the server counts them, and it alone knows how far it got.
    void noBatchIsSkippedOrRepeated_data()
    {
        QTest::addColumn<QString>("batch");
        for (const char *batch : { "NULL", "0", "-1", "3", "2147483647" }) {
            QTest::newRow(batch) << QString::fromLatin1(batch);
        }
    }
    void noBatchIsSkippedOrRepeated()
    {
        QFETCH(QString, batch);
        const auto op = m_console->as(u"op"_s);
        const QString change = ConsoleFixture::newId();
        const QString purge = ConsoleFixture::newId();
        QCOMPARE(
            m_console->open(*op, change, u"recover"_s, m_console->frozen(u"key LIKE 'k%'"_s)).value(), u"running"_s);
        QCOMPARE(m_console->openPurge(*op, purge, 600).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, change, 1, 10), u"{\"done\": 10}"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, purge, 1, 10), u"{\"purged\": 10}"_s);
        const QString whole = u"SELECT md5(string_agg(t::text, '|' ORDER BY tenant, key)) FROM app.k t"_s;
        const QString before = root().value(whole);
        QVERIFY(!op->run(u"SELECT idemdesk.change_batch('%1', %2, 10)"_s.arg(change, batch)).ok());
        QVERIFY(!op->run(u"SELECT idemdesk.purge_batch('%1', %2, 10)"_s.arg(purge, batch)).ok());
        op->run(u"SELECT idemdesk.note_lost('%1', %2, 10)"_s.arg(change, batch));
        QCOMPARE(root().value(whole), before);
        for (const QString &state : { u"paused"_s, u"running"_s }) {
            QVERIFY(op->run(u"SELECT idemdesk.set_action($1, $2)"_s, { change, state }).ok());
        }
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, change, 2, -5), u"{\"done\": 1}"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, change, 3, 1000), u"{\"done\": 39}"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// A stricter limit holds for what was opened before it, unless another person approved that.
    void stricterLimitHoldsAtOnce_data()
    {
        QTest::addColumn<bool>("undo");
        QTest::addColumn<bool>("resumed");
        QTest::newRow("a recovery") << false << false;
        QTest::newRow("a recovery that was paused") << false << true;
        QTest::newRow("an undo") << true << false;
        QTest::newRow("an undo that was paused") << true << true;
    }
    void stricterLimitHoldsAtOnce()
    {
        QFETCH(bool, undo);
        QFETCH(bool, resumed);
        const auto op = m_console->as(u"op"_s);
        QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key LIKE 'k%'"_s)).value(), u"running"_s);
        if (undo) {
            QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 50}"_s);
            const QString of = std::exchange(id, ConsoleFixture::newId());
            QVERIFY(op->run(u"SELECT idemdesk.open_undo($1, $2, 'back', NULL)"_s, { id, of }).ok());
        }
        if (resumed) {
            QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'paused')"_s, { id }).ok());
        }
        QVERIFY(m_console
                    ->registerTarget(ConsoleFixture::compiled(), u"{\"approval_above\": 2}"_s,
                        ConsoleFixture::profile(), u"second"_s)
                    .contains(u"\"registered\": true"_s));
        const QString failed = u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s;
        const QString before = root().value(failed);
        const QString batch = undo ? u"undo_batch"_s : u"change_batch"_s;
        if (resumed) {
            QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'running')"_s, { id }).ok());
        } else {
            QCOMPARE(ConsoleFixture::counts(*op, batch, id, 1), u"{}"_s);
        }
        QCOMPARE(root().value(u"SELECT state FROM idemdesk.action WHERE id = $1"_s, { id }), u"requested"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.%1($1, 1, 500)"_s.arg(batch), { id }), u"ID005"_s);
        QCOMPARE(root().value(failed), before);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        QVERIFY(m_console->as(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { id }).ok());
        QCOMPARE(ConsoleFixture::counts(*op, batch, id, 1), u"{\"done\": 50}"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// What an undo needs goes at its time, not before: neither a year with five digits nor a name moves that.
    void imagesStayForTheirTime()
    {
        for (const QString &window : { u"9000 years"_s, u"101 years"_s }) {
            const QString said = m_console->registerTarget(
                ConsoleFixture::compiled(), u"{\"approval_above\": 1000, \"undo_window\": \"%1\"}"_s.arg(window));
            QVERIFY2(!said.contains(u"\"registered\": true"_s) && said.contains(u"100 years"_s), qPrintable(said));
        }
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled(), u"{\"undo_window\": \"100 years\"}"_s)
                    .contains(u"\"registered\": true"_s));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, id, 1, 10), u"{\"purged\": 10}"_s);
        const QString part = root().value(u"SELECT max(tableoid::regclass::text) FROM idemdesk.quarantine"_s);
        QVERIFY(root().run(u"ALTER TABLE %1 RENAME TO quarantine_20010101"_s.arg(part)).ok());
        QVERIFY(op->run(u"SELECT idemdesk.maintain()"_s).ok());
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.quarantine"_s), u"1"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// Nor does a shorter time for all items, which one admin may set.
    void itemsStayWhileTheyCanBeUndone_data()
    {
        QTest::addColumn<QString>("until");
        QTest::addColumn<QString>("left");
        QTest::newRow("may be undone") << u"current_date + 10"_s << u"2"_s;
        QTest::newRow("may not be undone any more") << u"DATE '2020-02-01'"_s << u"0"_s;
    }
    void itemsStayWhileTheyCanBeUndone()
    {
        QFETCH(QString, until);
        QFETCH(QString, left);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key IN ('k001', 'k002')"_s)).value(),
            u"running"_s);
        const auto moved = root().run(
            u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_partition('action_item', DATE '2020-01-15'); "
            "UPDATE idemdesk.action SET opened_on = '2020-01-15', keep_until = %2 WHERE id = '%1'; RESET ROLE"_s.arg(
                id, until));
        QVERIFY2(moved.ok(), qPrintable(moved.value()));
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 2}"_s);
        QVERIFY(m_console->as(u"adm"_s)->run(u"SELECT idemdesk.set_kept('items', '30 days')"_s).ok());
        QVERIFY(op->run(u"SELECT idemdesk.maintain()"_s).ok());
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.action_item"_s), left);
    }

    /// 6: a limit is not loosened by whom it limits.
    void looserLimitNeedsApproval_data()
    {
        QTest::addColumn<bool>("anew");
        QTest::newRow("registered over it") << false;
        QTest::newRow("taken out and registered anew") << true;
    }
    void looserLimitNeedsApproval()
    {
        QFETCH(bool, anew);
        limitTo(50);
        if (anew) {
            QVERIFY(m_console->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k')"_s).ok());
        }
        QVERIFY(m_console->registerTarget(ConsoleFixture::compiled()).contains(kRegistered));
        QCOMPARE(root().value(u"SELECT approval_above FROM idemdesk.target"_s), u"50"_s);
        const QString id
            = root().value(u"SELECT id FROM idemdesk.action WHERE verb = 'limit' AND state = 'requested'"_s);
        root().run(u"GRANT idemdesk_approver TO adm"_s);
        const QString own = m_console->as(u"adm"_s)->state(u"SELECT idemdesk.approve_action($1, true)"_s, { id });
        root().run(u"REVOKE idemdesk_approver FROM adm"_s);
        QCOMPARE(own, u"ID008"_s);
        const auto op = m_console->as(u"op"_s);
        const QString purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, purge, 0).value(), u"requested"_s);
        QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'cancelled')"_s, { purge }).ok());
        QCOMPARE(
            m_console->as(u"appr"_s)->value(u"SELECT b ->> 'state' FROM idemdesk.approve_action($1, true) b"_s, { id }),
            u"finished"_s);
        QCOMPARE(root().value(u"SELECT coalesce(approval_above::text, 'none') FROM idemdesk.target"_s), u"none"_s);
        QCOMPARE(m_console->openPurge(*op, ConsoleFixture::newId(), 0).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// 6: neither is one by a table that is made anew, under its name or under the target's, nor by a dump that is
    /// adopted while its table has another name.
    void limitOutlivesItsTable_data()
    {
        QTest::addColumn<QString>("how");
        QTest::newRow("made anew") << u"anew"_s;
        QTest::newRow("made anew after it was taken out") << u"out"_s;
        QTest::newRow("registered before it gets the name") << u"before"_s;
        QTest::newRow("the target goes to another table") << u"target"_s;
        QTest::newRow("renamed while a dump is adopted") << u"adopted"_s;
    }
    void limitOutlivesItsTable()
    {
        QFETCH(QString, how);
        limitTo(30);
        const auto adm = m_console->as(u"adm"_s);
        QString compiled = ConsoleFixture::compiled();
        if (how == u"adopted"_s) {
            const QString id = ConsoleFixture::newId();
            QVERIFY(
                root().run(u"ALTER TABLE app.k RENAME TO away; UPDATE idemdesk.installation SET audit_oid = 1"_s).ok());
            QVERIFY(adm->run(u"SELECT idemdesk.ask_adoption($1, 'restored', NULL)"_s, { id }).ok());
            QVERIFY(m_console->as(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { id }).ok());
            QVERIFY(adm->run(u"SELECT idemdesk.unregister_target('k')"_s).ok());
            QVERIFY(root().run(u"ALTER TABLE app.away RENAME TO k"_s).ok());
        } else {
            const auto made = root().run(
                u"SET ROLE app_owner; CREATE TABLE app.k_new (LIKE app.k INCLUDING ALL); INSERT INTO app.k_new SELECT "
                u"* FROM app.k; GRANT SELECT, INSERT, UPDATE, DELETE ON app.k_new TO idemdesk_runner_app_owner; "
                "GRANT SELECT ON app.k_new TO op; RESET ROLE"_s);
            QVERIFY2(made.ok(), qPrintable(made.value()));
            QString other = compiled;
            other.replace(uR"(\"app\".\"k\")"_s, uR"(\"app\".\"k_new\")"_s);
            if (how == u"before"_s) {
                QVERIFY(m_console->registerTarget(other, u"{}"_s, ConsoleFixture::profile(), u"new"_s)
                            .contains(kRegistered));
            } else if (how == u"out"_s) {
                QVERIFY(adm->run(u"SELECT idemdesk.unregister_target('k')"_s).ok());
            }
            if (how == u"target"_s) {
                compiled = other;
            } else {
                QVERIFY(root().run(u"DROP TABLE app.k; ALTER TABLE app.k_new RENAME TO k"_s).ok());
            }
        }
        QVERIFY(m_console->registerTarget(compiled).contains(kRegistered));
        QCOMPARE(root().value(u"SELECT approval_above FROM idemdesk.target WHERE name = 'k'"_s), u"30"_s);
        const auto op = m_console->as(u"op"_s);
        const QString purge = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, purge, 0).value(), u"requested"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.purge_batch($1, 1, 10000)"_s, { purge }), u"ID005"_s);
        QCOMPARE(
            root().value(u"SELECT count(*) FROM %1"_s.arg(how == u"target"_s ? u"app.k_new"_s : u"app.k"_s)), u"650"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
        QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'cancelled')"_s, { purge }).ok());
        const QString looser
            = root().value(u"SELECT id FROM idemdesk.action WHERE verb = 'limit' AND state = 'requested'"_s);
        QVERIFY(m_console->as(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { looser }).ok());
        QCOMPARE(m_console->openPurge(*op, ConsoleFixture::newId(), 0).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// 16: the type and the id of an effect come from the rule's own query.
    void effectIsTheQuerys()
    {
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"[\"result\",\"$4\"]"_s, u"[\"result\",\"$5 || ' ' || $4\"]"_s);
        QVERIFY(root()
                    .run(u"INSERT INTO app.eff SELECT 'charge ' || key, tenant, key FROM app.k WHERE key = 'k001'"_s)
                    .ok());
        QVERIFY(m_console->registerTarget(compiled).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QString rows = m_console->frozen(u"key = 'k001'"_s, 1, u"charge k001"_s);
        rows.replace(u"\"t\": \"eff\""_s, u"\"t\": \"refund of 9999\""_s);
        QVERIFY(rows.contains(u"9999"_s));
        QCOMPARE(m_console->open(*op, id, u"recover"_s, rows).value(), u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"done\": 1}"_s);
        QCOMPARE(root().value(u"SELECT result FROM app.k WHERE key = 'k001'"_s), u"eff charge k001"_s);
    }
    void effectOfSomethingElseIsNone()
    {
        QVERIFY(root()
                    .run(u"INSERT INTO app.eff SELECT 'charge ' || key, tenant, key FROM app.k WHERE key = 'k001'"_s)
                    .ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s, 1, u"refund of 9999"_s))
                     .value(),
            u"running"_s);
        QCOMPARE(ConsoleFixture::counts(*op, u"change_batch"_s, id, 1), u"{\"evidence\": 1}"_s);
        QCOMPARE(root().value(u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
    }

    /// 17: children that a later foreign key would take along.
    void cascadeMadeLater()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QVERIFY(root()
                    .run(u"CREATE TABLE app.child (tenant text, key text, FOREIGN KEY (tenant, key) REFERENCES app.k "
                         u"ON DELETE CASCADE); "
                         "INSERT INTO app.child SELECT tenant, key FROM app.k WHERE status = 'succeeded'"_s)
                    .ok());
        const auto answer
            = op->run(u"SELECT b ->> 'state', b ->> 'note' FROM idemdesk.purge_batch($1, 1, 10000) b"_s, { id });
        QVERIFY2(answer.ok(), qPrintable(answer.value()));
        QCOMPARE(answer.rows.first().at(0), u"paused"_s);
        QVERIFY2(answer.rows.first().at(1).contains(u"child_tenant_key_fkey of app.child is new"_s),
            qPrintable(answer.rows.first().at(1)));
        QCOMPARE(root().value(u"SELECT count(*) FROM app.child"_s), u"600"_s);
        QCOMPARE(rows(), u"650"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.set_action($1, 'running')"_s, { id }), u"ID006"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// 17: children of a part of the table go with its rows, too.
    void cascadeOnAPart()
    {
        m_console->cluster().psql(m_console->database(), uR"(SET ROLE app_owner;
            CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key)) PARTITION BY LIST (tenant);
            CREATE TABLE app.p0 PARTITION OF app.p FOR VALUES IN ('t0'); INSERT INTO app.p SELECT * FROM app.k WHERE tenant = 't0';
            CREATE TABLE app.child (tenant text, key text, FOREIGN KEY (tenant, key) REFERENCES app.p0 ON DELETE CASCADE);
            GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p0 TO idemdesk_runner_app_owner)"_s);
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"k\\\""_s, u"\\\"p\\\""_s);
        const QString answer = m_console->registerTarget(compiled, u"{}"_s, ConsoleFixture::profile(), u"p"_s);
        QVERIFY2(answer.contains(u"\"registered\": false"_s)
                && answer.contains(u"Deleting a row would delete rows of app.child"_s),
            qPrintable(answer));
    }

    /// 3, 17: a change that other tables follow, and that no undo takes back there.
    void followedOnUpdate_data()
    {
        QTest::addColumn<QString>("act");
        QTest::addColumn<QString>("columns");
        QTest::addColumn<bool>("later");
        QTest::addColumn<bool>("refused");
        QTest::newRow("SET NULL") << u"SET NULL"_s << u"tenant, key, status"_s << false << true;
        QTest::newRow("SET DEFAULT") << u"SET DEFAULT"_s << u"tenant, key, status"_s << false << true;
        QTest::newRow("CASCADE") << u"CASCADE"_s << u"tenant, key, status"_s << false << true;
        QTest::newRow("NO ACTION") << u"NO ACTION"_s << u"tenant, key, status"_s << false << false;
        QTest::newRow("of columns that no rule sets") << u"CASCADE"_s << u"tenant, key"_s << false << false;
        QTest::newRow("made later") << u"SET NULL"_s << u"tenant, key, status"_s << true << true;
    }
    void followedOnUpdate()
    {
        QFETCH(QString, act);
        QFETCH(QString, columns);
        QFETCH(bool, later);
        QFETCH(bool, refused);
        const QString made
            = u"CREATE TABLE app.child (tenant text, key text, status text, FOREIGN KEY (%1) REFERENCES app.k (%1) ON "
              u"UPDATE %2); "
              "INSERT INTO app.child SELECT tenant, key, status FROM app.k WHERE key = 'k001'"_s.arg(columns, act);
        QVERIFY(root().run(u"ALTER TABLE app.k ADD UNIQUE (tenant, key, status)"_s).ok());
        QVERIFY(later || root().run(made).ok());
        const QString answer = m_console->registerTarget(ConsoleFixture::compiled());
        QCOMPARE(answer.contains(kRegistered), later || !refused);
        QVERIFY2(later || !refused || answer.contains(u"no undo could"_s), qPrintable(answer));
        if (later) {
            const auto op = m_console->as(u"op"_s);
            const QString id = ConsoleFixture::newId();
            QCOMPARE(
                m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
            QVERIFY(root().run(made).ok());
            QCOMPARE(op->value(u"SELECT b ->> 'state' FROM idemdesk.change_batch($1, 1, 10) b"_s, { id }), u"paused"_s);
        }
        QCOMPARE(root().value(u"SELECT count(*) FROM app.child WHERE status = 'processing'"_s), u"1"_s);
    }

    /// 2: what was detached and serves again is not dropped, and nothing that is needed again.
    void attachedAgainIsNotDropped_data()
    {
        QTest::addColumn<bool>("attached");
        QTest::newRow("attached") << true;
        QTest::newRow("filled") << false;
    }
    void attachedAgainIsNotDropped()
    {
        QFETCH(bool, attached);
        m_console->cluster().psql(m_console->database(),
            u"SET ROLE app_owner; CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key)) "
            u"PARTITION BY LIST (tenant);"
            "CREATE TABLE app.p0 PARTITION OF app.p FOR VALUES IN ('t0'); INSERT INTO app.p SELECT * FROM app.k WHERE "
            "tenant = 't0' AND status = 'succeeded';"
            "GRANT SELECT, UPDATE, DELETE, INSERT ON app.p, app.p0 TO idemdesk_runner_app_owner; RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner"_s);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"k\\\""_s, u"\\\"p\\\""_s);
        const QString answer
            = m_console->registerTarget(compiled, u"{\"undo_window\": \"0\"}"_s, ConsoleFixture::profile(), u"p"_s);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(op->value(kDetached, { ConsoleFixture::newId() }), u"finished"_s);
        QVERIFY(!attached || root().run(u"ALTER TABLE app.p ATTACH PARTITION app.p0 FOR VALUES IN ('t0')"_s).ok());
        if (!attached) {
            QVERIFY(root()
                        .run(u"INSERT INTO app.p0 SELECT * FROM app.k WHERE tenant = 't0' AND status = 'processing'"_s)
                        .ok());
        }
        const QString before = root().value(u"SELECT count(*) FROM app.p0"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.drop_partition($1, 'p', '\"app\".\"p0\"', 'old', NULL)"_s,
                     { ConsoleFixture::newId() }),
            u"ID005"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.p0"_s), before);
    }

    /// A part is of the table that it was detached from, whatever its target's name is registered for since.
    void aPartBelongsToItsTable_data()
    {
        QTest::addColumn<QString>("call");
        QTest::newRow("attach") << u"SELECT idemdesk.attach_partition($1, 'p', '\"app\".\"p0\"', 'mine', NULL)"_s;
        QTest::newRow("drop") << u"SELECT idemdesk.drop_partition($1, 'p', '\"app\".\"p0\"', 'mine', NULL)"_s;
    }
    void aPartBelongsToItsTable()
    {
        QFETCH(QString, call);
        const auto made
            = u"CREATE TABLE app.%1 (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key)) PARTITION BY LIST "
              "(tenant); GRANT SELECT, UPDATE, DELETE, INSERT ON app.%1 TO idemdesk_runner_app_owner; "_s;
        m_console->cluster().psql(m_console->database(),
            u"SET ROLE app_owner; "_s + made.arg(u"p"_s) + made.arg(u"q"_s)
                + u"CREATE TABLE app.p0 PARTITION OF app.p FOR VALUES IN ('t0'); INSERT INTO app.p SELECT * FROM app.k "
                  "WHERE tenant = 't0' AND status = 'succeeded'; GRANT SELECT, DELETE ON app.p0 TO "
                  "idemdesk_runner_app_owner; RESET ROLE; GRANT app_owner TO idemdesk_runner_app_owner"_s);
        const auto revoked = qScopeGuard([this] { root().run(u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s); });
        const auto registered = [this](const QString &table) {
            QString compiled = ConsoleFixture::compiled();
            compiled.replace(u"\\\"k\\\""_s, u"\\\"%1\\\""_s.arg(table));
            return m_console->registerTarget(
                compiled, u"{\"undo_window\": \"0\"}"_s, ConsoleFixture::profile(), u"p"_s);
        };
        QVERIFY(registered(u"p"_s).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(op->value(kDetached, { ConsoleFixture::newId() }), u"finished"_s);
        const QString before = root().value(u"SELECT count(*) FROM app.p0"_s);
        QVERIFY(m_console->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('p')"_s).ok());
        const QString other = registered(u"q"_s);
        QVERIFY2(other.contains(kRegistered), qPrintable(other));
        const auto refused = op->run(call, { ConsoleFixture::newId() });
        QCOMPARE(refused.state, u"ID006"_s);
        QVERIFY2(refused.message.contains(u"from another table"_s), qPrintable(refused.message));
        QCOMPARE(root().value(u"SELECT count(*) FROM app.p0"_s), before);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.q"_s), u"0"_s);
    }

    /// 17: the same, by an owner who commits while the batch waits for him: it looked at the table before that.
    void tableChangedUnderABatch_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("verb");
        QTest::newRow("a key that takes children along, a purge")
            << u"ALTER TABLE app.child ADD FOREIGN KEY (tenant, key) REFERENCES app.k ON DELETE CASCADE"_s
            << u"purge"_s;
        const auto trigger = u"CREATE TRIGGER later BEFORE UPDATE OR INSERT ON app.k FOR EACH ROW "
                             "EXECUTE FUNCTION app.later()"_s;
        QTest::newRow("a trigger, a recovery") << trigger << u"recover"_s;
        QTest::newRow("a trigger, an undo") << trigger << u"undo"_s;
    }
    void tableChangedUnderABatch()
    {
        QFETCH(QString, change);
        QFETCH(QString, verb);
        QVERIFY(root()
                    .run(u"CREATE TABLE app.child AS SELECT tenant, key FROM app.k WHERE status = 'succeeded'; "
                         "ALTER TABLE app.child OWNER TO app_owner; CREATE FUNCTION app.later() RETURNS trigger "
                         "LANGUAGE plpgsql AS $$ BEGIN NEW.result := 'later'; RETURN NEW; END $$"_s)
                    .ok());
        const auto op = m_console->as(u"op"_s);
        QString id = ConsoleFixture::newId();
        if (verb == u"recover") {
            QCOMPARE(m_console->open(*op, id, verb, m_console->frozen(u"key = 'k001'"_s)).value(), u"running"_s);
        } else {
            QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        }
        if (verb == u"undo") {
            QCOMPARE(ConsoleFixture::counts(*op, u"purge_batch"_s, id, 1, 100), u"{\"purged\": 100}"_s);
            QVERIFY(op->run(u"SELECT idemdesk.set_action($1, 'cancelled')"_s, { id }).ok());
            const QString undo = ConsoleFixture::newId();
            QVERIFY(op->run(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL)"_s, { undo, id }).ok());
            id = undo;
        }
        const auto whole = u"SELECT md5(string_agg(t::text, '|' ORDER BY tenant, key)) FROM app.k t"_s;
        const QString before = root().value(whole);
        const auto owner = m_console->as(u"app_owner"_s);
        QVERIFY(owner->run(u"BEGIN; "_s + change).ok());
        op->send(u"SELECT idemdesk.%1_batch('%2', 1, 10000)"_s.arg(verb == u"recover" ? u"change"_s : verb, id));
        QTRY_COMPARE(
            root().value(u"SELECT count(*) FROM pg_locks WHERE pid = %1 AND NOT granted"_s.arg(op->pid())), u"1"_s);
        QVERIFY(owner->run(u"COMMIT"_s).ok());
        QCOMPARE(op->take().state, u"ID006"_s);
        QCOMPARE(root().value(whole), before);
        QCOMPARE(root().value(u"SELECT count(*) FROM app.child"_s), u"600"_s);
        const QString again = u"SELECT b ->> 'state' FROM idemdesk.%1_batch($1, 1, 10000) b"_s;
        QCOMPARE(op->value(again.arg(verb == u"recover" ? u"change"_s : verb), { id }), u"paused"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// 17: and by an owner who changes the table while it is being registered, so that nobody looks at the change.
    void tableChangedUnderItsRegistration()
    {
        QVERIFY(root()
                    .run(u"CREATE TABLE app.child AS SELECT tenant, key FROM app.k WHERE status = 'succeeded'; "
                         "ALTER TABLE app.child OWNER TO app_owner"_s)
                    .ok());
        const QString before = root().value(u"SELECT t::text FROM idemdesk.target t"_s);
        const auto owner = m_console->as(u"app_owner"_s);
        QVERIFY(owner
                    ->run(u"BEGIN; ALTER TABLE app.child ADD FOREIGN KEY (tenant, key) REFERENCES app.k "
                          "ON DELETE CASCADE"_s)
                    .ok());
        const auto adm = m_console->as(u"adm"_s);
        adm->send(u"SELECT idemdesk.register_target('k', '%1', '%2', ARRAY['app'], '{}', true)"_s.arg(
            ConsoleFixture::profile(), ConsoleFixture::compiled().replace(u'\'', u"''"_s)));
        QTRY_COMPARE(
            root().value(u"SELECT count(*) FROM pg_locks WHERE pid = %1 AND NOT granted"_s.arg(adm->pid())), u"1"_s);
        QVERIFY(owner->run(u"COMMIT"_s).ok());
        QCOMPARE(adm->take().state, u"ID006"_s);
        QCOMPARE(root().value(u"SELECT t::text FROM idemdesk.target t"_s), before);
    }

    /// 23: a target cannot go while somebody is opening an action on it.
    void takenOutWhileAnActionOpens()
    {
        const auto op = m_console->as(u"op"_s);
        const auto adm = m_console->as(u"adm"_s);
        QVERIFY(op->run(u"BEGIN"_s).ok());
        QCOMPARE(m_console->openPurge(*op, ConsoleFixture::newId(), 600).value(), u"running"_s);
        adm->send(u"SELECT idemdesk.unregister_target('k')"_s);
        QTRY_COMPARE(
            root().value(u"SELECT count(*) FROM pg_locks WHERE pid = %1 AND NOT granted"_s.arg(adm->pid())), u"1"_s);
        QVERIFY(op->run(u"COMMIT"_s).ok());
        QCOMPARE(adm->take().state, u"ID005"_s);
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.target"_s), u"1"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksLimitsTest)
#include "tst_attacks_limits.moc"
