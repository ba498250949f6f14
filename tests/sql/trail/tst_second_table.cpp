// SPDX-License-Identifier: GPL-3.0-or-later
// Rules that change a row of a second table, because it holds the lock as well: both rows or neither, with both images.
#include "app/cluster/private_cluster.h"
#include "tests/support/console_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

const QString kRegistered = u"\"registered\": true"_s;
const QString kLane = u"\"app\".\"lane\""_s;
/// A dump needs a client of the server's version: packages of other servers come without clients (tests/versions).
constexpr char kNoDump[] = "No pg_dump of this server's version is installed.";
const QString kLastBefore = u"SELECT coalesce(before[cardinality(columns)], 'hidden') FROM idemdesk.items($1)"_s;
const QString kChangedParts
    = u"SELECT coalesce(idemdesk._changed_parts(t.fingerprint, idemdesk._fingerprint(t)), 'none') "
      u"FROM idemdesk.target t WHERE t.name = 'k'"_s;

/// How "k" is registered in most of these tests: its first rule clears the lane of a key, too.
QString compiled(
    const QJsonObject &second = { { u"match"_s, u"s.name = t.key AND s.locked_by = 'w1'"_s },
        { u"set"_s, QJsonArray { QJsonArray { u"locked_by"_s, u"NULL"_s }, QJsonArray { u"freed"_s, u"($1)"_s } } } },
    const QJsonValue &relation = kLane)
{
    QJsonObject json = QJsonDocument::fromJson(ConsoleFixture::compiled().toUtf8()).object();
    QJsonArray rules = json.value(u"rules"_s).toArray();
    QJsonObject first = rules.at(0).toObject();
    first.insert(u"second"_s, second);
    rules.replace(0, first);
    json.insert(u"rules"_s, rules);
    json.insert(u"second"_s, QJsonObject { { u"relation"_s, relation } });
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

} // namespace

class SecondTableTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void bothRowsChangeAndGoBack();
    void aRowIsLeftAlone_data();
    void aRowIsLeftAlone();
    void aHeldRowIsLeftAlone();
    void aTriggerThatKeepsTheChangeAway();
    void anUndoIsRefused_data();
    void anUndoIsRefused();
    void aTableThatIsNotWhatItWas_data();
    void aTableThatIsNotWhatItWas();
    void isNotRegistered_data();
    void isNotRegistered();
    void itsImageIsForItsReaders();
    void itsFailuresTellNothing();
    void whoseRowsAreHiddenDoesNotAct();
    void itsLimitHolds();
    void itsLimitOutlivesIt();
    void codeBehindItIsKnown();
    void partsOfOneNameAreBothLookedAt();
    void whatIsReadIsWritten();
    void anUndoLooksAfterTriggers();
    void otherRulesOfTheBatchLeaveItAlone();
    void anUndoComparesAsItsIndexDoes_data();
    void anUndoComparesAsItsIndexDoes();
    void imagesFollowItThroughADump();
    void whoTakesItsNameIsNotIt();
    void anAdoptionTakesNothingElse_data();
    void anAdoptionTakesNothingElse();
    void aDumpThatBringsTheSameNumberIsRestored();
    void columnsExchangedBeforeADump();
    void aTableRenamedBeforeADump();
    void whatWaitedTooLongIsNotDone();
    void cleanupTestCase() { m_console.reset(); }

private:
    Connection &root() { return m_console->root(); }
    void demand(const QString &sql);
    void registerLanes(); ///< app.lane itself, above one row with another person
    QString recover(const QString &where, int rule = 0);
    QString undo(const QString &of, const QString &expected);
    QString outcome(const QString &action);
    QString status(const QString &key) { return root().value(u"SELECT status FROM app.k WHERE key = $1"_s, { key }); }
    QString lane(const QString &key)
    {
        return root().value(
            u"SELECT coalesce(locked_by, 'free') || ' ' || (freed IS NOT NULL) FROM app.lane WHERE name = $1"_s,
            { key });
    }
    /// Is there a pg_dump that this server lets dump it? One that is older than the server is refused.
    static bool dumps();
    /// Dumps m_restored into a database of another name, runs SQL there, and adopts its tables. m_restored is its name.
    void restore(const QString &meanwhile = {});
    std::unique_ptr<Connection> there(const QString &login) const
    {
        return std::make_unique<Connection>(m_console->cluster().conninfoAs(login, m_restored));
    }

    std::unique_ptr<ConsoleFixture> m_console;
    std::unique_ptr<Connection> m_op;
    QString m_restored;
    QString m_adoption;
};

void SecondTableTest::demand(const QString &sql)
{
    const auto answer = root().run(sql);
    QVERIFY2(answer.ok(), qPrintable(answer.value()));
}

void SecondTableTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".?"_s));
    m_console = std::make_unique<ConsoleFixture>();
}

void SecondTableTest::init()
{
    m_console->fresh([this] {
        demand(
            u"SET ROLE app_owner; CREATE TABLE app.lane (id integer PRIMARY KEY, name text NOT NULL, locked_by text, "
            "freed timestamptz, worth numeric NOT NULL DEFAULT 1.50, spare text, busy boolean GENERATED ALWAYS AS "
            "(locked_by IS "
            "NOT NULL) STORED); "
            "INSERT INTO app.lane SELECT i, 'k' || lpad(i::text, 3, '0'), CASE WHEN i = 9 THEN 'w2' WHEN i < 10 THEN "
            "'w1' END "
            "FROM generate_series(1, 10) i; GRANT SELECT, UPDATE (locked_by, freed) ON app.lane TO "
            "idemdesk_runner_app_owner; "
            "GRANT SELECT ON app.lane TO op; RESET ROLE"_s);
        const QString answer = m_console->registerTarget(compiled());
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    });
    m_op = m_console->as(u"op"_s);
}

QString SecondTableTest::recover(const QString &where, int rule)
{
    const QString id = ConsoleFixture::newId();
    const auto opened = m_console->open(*m_op, id, u"recover"_s, m_console->frozen(where, rule));
    if (!opened.ok()) {
        return opened.value();
    }
    ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1);
    return id;
}

QString SecondTableTest::undo(const QString &of, const QString &expected)
{
    const QString id = ConsoleFixture::newId();
    const QString planned
        = m_op->value(u"SELECT idemdesk.open_undo($1, $2, 'oops', NULL) ->> 'planned_rows'"_s, { id, of });
    ConsoleFixture::counts(*m_op, u"undo_batch"_s, id, 1);
    return planned == expected ? id : planned;
}

QString SecondTableTest::outcome(const QString &action)
{
    return m_op->value(
        u"SELECT string_agg(outcome || coalesce(': ' || detail, ''), '; ' ORDER BY ordinal) FROM idemdesk.items($1)"_s,
        { action });
}

void SecondTableTest::bothRowsChangeAndGoBack()
{
    const QString id = recover(u"key IN ('k001', 'k002')"_s);
    QCOMPARE(outcome(id), u"done; done"_s);
    QCOMPARE(status(u"k001"_s), u"failed"_s);
    QCOMPARE(lane(u"k001"_s), u"free true"_s);
    QCOMPARE(lane(u"k003"_s), u"w1 false"_s); // nobody asked
    // What it was and became stands beside the row's own columns, under the table's name, exact as the server has it.
    const QString read
        = u"SELECT columns[cardinality(columns)] || ' ' || (before[cardinality(columns)]::jsonb ->> 'locked_by') "
          "|| ' ' || coalesce(after[cardinality(columns)]::jsonb ->> 'locked_by', 'NULL') || ' ' || "
          "(after[cardinality(columns)]::jsonb ->> 'worth') || ' ' || (after[cardinality(columns)]::jsonb ? 'busy') "
          "FROM idemdesk.items($1) WHERE ordinal = 1"_s;
    QCOMPARE(m_op->value(read, { id }), kLane + u" w1 NULL 1.50 false"_s);
    QCOMPARE(ConsoleFixture::verified(root()), u"t"_s);
    const QString back = undo(id, u"2"_s);
    QCOMPARE(outcome(back), u"done; done"_s);
    QCOMPARE(status(u"k001"_s), u"processing"_s);
    QCOMPARE(lane(u"k001"_s), u"w1 false"_s);
    QCOMPARE(
        m_op->value(
            u"SELECT (after[cardinality(columns)]::jsonb ->> 'locked_by') FROM idemdesk.items($1) LIMIT 1"_s, { back }),
        u"w1"_s);
    QCOMPARE(ConsoleFixture::verified(root()), u"t"_s);
    // The trail notices a word changed in that image.
    demand(u"ALTER TABLE idemdesk.action_item DISABLE TRIGGER USER; UPDATE idemdesk.action_item SET "
           u"before[cardinality(before)] = "
           "replace(before[cardinality(before)], 'w1', 'w7'); ALTER TABLE idemdesk.action_item ENABLE TRIGGER USER"_s);
    QVERIFY(ConsoleFixture::verified(root()) != u"t"_s);
}

void SecondTableTest::aRowIsLeftAlone_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("before"); // what somebody did
    QTest::addColumn<QString>("outcome");
    const QString none = u"changed: "_s + kLane + u" has no row for it as the rule needs it, or somebody holds that."_s;
    const QString notOne = u"error: It has not just one row of "_s + kLane + u", or that kept the change away."_s;
    QTest::newRow("another worker holds the lane") << u"k009"_s << QString() << none;
    QTest::newRow("the lane is free already") << u"k010"_s << QString() << none;
    QTest::newRow("it has no lane") << u"k011"_s << QString() << none;
    QTest::newRow("two lanes") << u"k001"_s << u"INSERT INTO app.lane VALUES (99, 'k001', 'w1')"_s << notOne;
}

void SecondTableTest::aRowIsLeftAlone()
{
    QFETCH(QString, key);
    QFETCH(QString, before);
    QFETCH(QString, outcome);
    if (!before.isEmpty()) {
        demand(before);
    }
    const QString lanes = root().value(u"SELECT string_agg(l::text, ',' ORDER BY id) FROM app.lane l"_s);
    QCOMPARE(this->outcome(recover(u"key = '%1'"_s.arg(key))), outcome);
    QCOMPARE(status(key), u"processing"_s);
    QCOMPARE(root().value(u"SELECT string_agg(l::text, ',' ORDER BY id) FROM app.lane l"_s), lanes);
    QCOMPARE(ConsoleFixture::verified(root()), u"t"_s);
}

void SecondTableTest::aHeldRowIsLeftAlone()
{
    const auto worker = m_console->as(u"app_owner"_s);
    QVERIFY(worker->run(u"BEGIN; SELECT FROM app.lane WHERE name = 'k001' FOR UPDATE"_s).ok());
    const QString id = recover(u"key IN ('k001', 'k002')"_s);
    QVERIFY2(outcome(id).startsWith(u"changed: "_s) && outcome(id).endsWith(u"; done"_s), qPrintable(outcome(id)));
    QVERIFY(worker->run(u"COMMIT"_s).ok());
    QCOMPARE(status(u"k001"_s) + lane(u"k001"_s), u"processingw1 false"_s);
    QCOMPARE(status(u"k002"_s) + lane(u"k002"_s), u"failedfree true"_s);
}

void SecondTableTest::aTriggerThatKeepsTheChangeAway()
{
    demand(
        u"SET ROLE app_owner; CREATE FUNCTION app.no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN CASE WHEN "
        "OLD.name <> 'k001' THEN NEW END; END $$; CREATE TRIGGER no BEFORE UPDATE ON app.lane FOR EACH ROW EXECUTE "
        "FUNCTION "
        "app.no(); RESET ROLE"_s);
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    const QString id = recover(u"key IN ('k001', 'k002')"_s);
    QCOMPARE(outcome(id), u"error: It has not just one row of "_s + kLane + u", or that kept the change away.; done"_s);
    QCOMPARE(status(u"k001"_s), u"processing"_s);
}

void SecondTableTest::anUndoIsRefused_data()
{
    QTest::addColumn<QString>("meanwhile");
    QTest::addColumn<QString>("outcome");
    const QString since = u"changed: Somebody changed or holds its row of "_s + kLane + u" since."_s;
    const QString other
        = u"schema_changed: The second table that was changed with it is another one now, or has other columns."_s;
    QTest::newRow("a worker took the lane") << u"UPDATE app.lane SET locked_by = 'w3' WHERE id = 1"_s << since;
    QTest::newRow("the lane is gone") << u"DELETE FROM app.lane WHERE id = 1"_s << since;
    QTest::newRow("the key was taken") << u"UPDATE app.k SET status = 'processing' WHERE key = 'k001'"_s
                                       << u"changed: Somebody changed the row since."_s;
    QTest::newRow("the lane has a column more") << u"ALTER TABLE app.lane ADD region text"_s << other;
    QTest::newRow("two columns changed names")
        << u"ALTER TABLE app.lane RENAME name TO x; ALTER TABLE app.lane RENAME "
           "spare TO name; ALTER TABLE app.lane RENAME x TO spare; UPDATE app.lane "
           "SET name = spare"_s
        << other;
    QTest::newRow("the lane lost a column") << u"ALTER TABLE app.lane DROP worth"_s << other;
    QTest::newRow("the lanes were made anew")
        << u"ALTER TABLE app.lane RENAME TO lane_old; CREATE TABLE app.lane (LIKE "
           "app.lane_old INCLUDING ALL); INSERT INTO app.lane (id, name, locked_by, freed, worth) SELECT "
           "id, name, locked_by, freed, worth FROM app.lane_old; ALTER TABLE app.lane OWNER TO app_owner; GRANT "
           "SELECT, "
           "UPDATE ON app.lane TO idemdesk_runner_app_owner"_s
        << other;
}

/// The table is registered again after the change, so that nothing but the undo's own look stands in the way.
void SecondTableTest::anUndoIsRefused()
{
    QFETCH(QString, meanwhile);
    QFETCH(QString, outcome);
    const QString id = recover(u"key = 'k001'"_s);
    QCOMPARE(this->outcome(id), u"done"_s);
    demand(meanwhile);
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    const QString was
        = status(u"k001"_s) + root().value(u"SELECT string_agg(l::text, ',' ORDER BY id) FROM app.lane l"_s);
    QCOMPARE(this->outcome(undo(id, u"1"_s)), outcome);
    QCOMPARE(status(u"k001"_s) + root().value(u"SELECT string_agg(l::text, ',' ORDER BY id) FROM app.lane l"_s), was);
}

void SecondTableTest::aTableThatIsNotWhatItWas_data()
{
    QTest::addColumn<QString>("changed");
    const QString asOwner = u"SET ROLE app_owner; %1; RESET ROLE"_s;
    QTest::newRow("a trigger") << asOwner.arg(
        u"CREATE FUNCTION app.no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER no "
        "BEFORE UPDATE ON app.lane FOR EACH ROW EXECUTE FUNCTION app.no()"_s);
    QTest::newRow("a rule") << asOwner.arg(u"CREATE RULE r AS ON UPDATE TO app.lane DO ALSO DELETE FROM app.eff"_s);
    QTest::newRow("a default") << asOwner.arg(u"ALTER TABLE app.lane ALTER freed SET DEFAULT now()"_s);
    QTest::newRow("a column that compares otherwise") << asOwner.arg(
        u"CREATE COLLATION app.loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false); ALTER TABLE "
        u"app.lane ALTER name TYPE text COLLATE app.loose"_s);
    QTest::newRow("another table of that name")
        << asOwner.arg(u"ALTER TABLE app.lane RENAME TO lane_old; CREATE TABLE app.lane (LIKE app.lane_old INCLUDING "
                       u"ALL); GRANT SELECT, UPDATE ON "
                       "app.lane TO idemdesk_runner_app_owner"_s);
    QTest::newRow("another owner") << u"GRANT CREATE ON SCHEMA app TO service; ALTER TABLE app.lane OWNER TO service"_s;
    QTest::newRow("a key that goes on to other rows") << asOwner.arg(
        u"ALTER TABLE app.lane ADD UNIQUE (name); CREATE TABLE app.child (name text REFERENCES app.lane (name) ON UPDATE CASCADE)"_s);
}

void SecondTableTest::aTableThatIsNotWhatItWas()
{
    QFETCH(QString, changed);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).ok());
    demand(changed);
    const auto batch = m_op->run(u"SELECT idemdesk.change_batch($1, 1, 500)"_s, { id });
    QVERIFY2(batch.ok() && batch.value().contains(u"\"state\": \"paused\""_s), qPrintable(batch.value()));
    QCOMPARE(status(u"k001"_s), u"processing"_s);
}

void SecondTableTest::isNotRegistered_data()
{
    QTest::addColumn<QString>("made");
    QTest::addColumn<QJsonObject>("second");
    QTest::addColumn<QString>("relation");
    QTest::addColumn<QString>("says");
    const auto setting = [](const QString &column, const QString &value, const QString &match) {
        return QJsonObject { { u"match"_s, match },
            { u"set"_s, QJsonArray { QJsonValue(QJsonArray { column, value }) } } };
    };
    const QString fits = u"s.name = t.key"_s;
    const QJsonObject good = setting(u"locked_by"_s, u"NULL"_s, fits);
    QTest::newRow("no such table") << QString() << good << u"\"app\".\"none\""_s << u"There is no second table"_s;
    QTest::newRow("the target itself") << QString() << good << u"\"app\".\"k\""_s << u"is not one plain table"_s;
    QTest::newRow("a view") << u"CREATE VIEW app.v AS SELECT * FROM app.lane; ALTER VIEW app.v OWNER TO app_owner"_s
                            << good << u"\"app\".\"v\""_s << u"is not one plain table"_s;
    QTest::newRow("no primary key") << u"ALTER TABLE app.lane DROP CONSTRAINT lane_pkey"_s << good << kLane
                                    << u"has no primary key"_s;
    QTest::newRow("of another owner") << u"ALTER TABLE app.lane OWNER TO boss"_s << good << kLane
                                      << u"would run with the rights"_s;
    QTest::newRow("the console's own") << QString() << good << u"\"idemdesk\".\"target\""_s
                                       << u"would run with the rights"_s;
    QTest::newRow("a generated column") << QString() << setting(u"busy"_s, u"false"_s, fits) << kLane
                                        << u"is no column of it, is generated"_s;
    QTest::newRow("its key") << QString() << setting(u"id"_s, u"7"_s, fits) << kLane << u"part of its primary key"_s;
    QTest::newRow("no right")
        << u"REVOKE UPDATE ON app.lane FROM idemdesk_runner_app_owner; REVOKE UPDATE (locked_by, freed) ON app.lane FROM idemdesk_runner_app_owner"_s
        << good << kLane << u"GRANT UPDATE (locked_by) ON app.lane"_s;
    QTest::newRow("row security") << u"ALTER TABLE app.lane ENABLE ROW LEVEL SECURITY"_s << good << kLane
                                  << u"CREATE POLICY idemdesk ON app.lane"_s;
    QTest::newRow("a function that changes something")
        << QString() << setting(u"locked_by"_s, u"NULL"_s, u"s.name = t.key AND nextval('x') > 0"_s) << kLane
        << u"could not be judged"_s;
    QTest::newRow("a volatile function") << QString() << setting(u"locked_by"_s, u"random()::text"_s, fits) << kLane
                                         << u"may change something"_s;
    QTest::newRow("two statements") << QString()
                                    << setting(u"locked_by"_s, u"NULL"_s, u"true); DELETE FROM app.k; SELECT (true"_s)
                                    << kLane << u"could not be judged"_s;
    QTest::newRow("on the way to other rows") << u"UPDATE app.lane SET locked_by = locked_by || id; ALTER TABLE "
                                                 u"app.lane ADD UNIQUE (locked_by); CREATE TABLE app.child "
                                                 u"(w text REFERENCES app.lane (locked_by) "
                                                 "ON UPDATE CASCADE); ALTER TABLE app.child OWNER TO app_owner"_s
                                              << good << kLane << u"would change rows of app.child"_s;
    QTest::newRow("no table named") << QString() << good << QString() << u"does not say which"_s;
}

void SecondTableTest::isNotRegistered()
{
    QFETCH(QString, made);
    QFETCH(QJsonObject, second);
    QFETCH(QString, relation);
    QFETCH(QString, says);
    if (!made.isEmpty()) {
        demand(made);
    }
    const QString answer
        = m_console->registerTarget(compiled(second, relation.isEmpty() ? QJsonValue() : QJsonValue(relation)));
    QVERIFY2(!answer.contains(kRegistered), qPrintable(answer));
    QVERIFY2(answer.contains(says), qPrintable(answer));
    QCOMPARE(root().value(u"SELECT count(*) FROM app.k"_s), u"650"_s);
}

/// Who may read the keys need not be one who may read the lanes.
void SecondTableTest::itsImageIsForItsReaders()
{
    const QString id = recover(u"key = 'k001'"_s);
    const QString last
        = u"SELECT coalesce(before[cardinality(columns)], 'hidden') || ' ' || coalesce(before[3], 'hidden') FROM idemdesk.items($1)"_s;
    QVERIFY(m_op->value(last, { id }).contains(u"\"w1\""_s));
    demand(u"REVOKE SELECT ON app.lane FROM op"_s);
    QCOMPARE(m_op->value(last, { id }), u"hidden processing"_s);
    demand(u"GRANT SELECT (id, name) ON app.lane TO op"_s); // a part of its columns is not its row
    QCOMPARE(m_op->value(last, { id }), u"hidden processing"_s);
    demand(
        u"GRANT SELECT ON app.lane TO op; ALTER TABLE app.lane ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON app.lane USING (id > 0)"_s);
    QCOMPARE(m_op->value(last, { id }), u"hidden processing"_s);
    demand(u"ALTER POLICY p ON app.lane USING (true)"_s); // it shows every row, and says so
    QVERIFY(m_op->value(last, { id }).contains(u"\"w1\""_s));
}

void SecondTableTest::itsFailuresTellNothing()
{
    demand(u"REVOKE SELECT ON app.lane FROM op; ALTER TABLE app.lane ADD CONSTRAINT kept CHECK (locked_by IS NOT NULL "
           u"OR name <> 'k002'); "
           "UPDATE app.lane SET worth = 77.10 WHERE name = 'k002'"_s);
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    const QString id = recover(u"key IN ('k001', 'k002')"_s);
    QCOMPARE(outcome(id), u"done; check: Its row of "_s + kLane + u" could not be changed (23514)"_s);
    QCOMPARE(status(u"k002"_s), u"processing"_s);
    QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.action_item WHERE detail LIKE '%77.10%'"_s), u"0"_s);
}

void SecondTableTest::whoseRowsAreHiddenDoesNotAct()
{
    demand(u"ALTER TABLE app.lane ENABLE ROW LEVEL SECURITY; CREATE POLICY r ON app.lane TO idemdesk_runner_app_owner "
           u"USING "
           "(true); CREATE POLICY o ON app.lane TO op USING (id = 99)"_s);
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    const auto rows = m_console->frozen(u"key = 'k001'"_s);
    QCOMPARE(m_console->open(*m_op, ConsoleFixture::newId(), u"recover"_s, rows).state, u"ID003"_s);
    demand(u"ALTER POLICY o ON app.lane USING (true)"_s);
    const QString again = m_console->registerTarget(compiled());
    QVERIFY2(again.contains(kRegistered), qPrintable(again));
    QCOMPARE(outcome(recover(u"key = 'k001'"_s)), u"done"_s);
}

/// What was agreed on for the second table holds for whoever changes it by way of another one.
void SecondTableTest::registerLanes()
{
    QJsonObject lanes = QJsonDocument::fromJson(ConsoleFixture::compiled().toUtf8()).object();
    lanes.insert(u"relation"_s, kLane);
    lanes.insert(u"identity"_s,
        QJsonArray { QJsonObject {
            { u"name"_s, u"id"_s }, { u"type"_s, u"pg_catalog.int4"_s }, { u"eq"_s, u"OPERATOR(pg_catalog.=)"_s } } });
    for (const char16_t *none : { u"rules", u"purge", u"effects", u"guard", u"scope" }) {
        lanes.insert(QString::fromUtf16(none), QJsonArray());
    }
    lanes.insert(u"in_state"_s, QJsonObject());
    lanes.insert(u"scope_text"_s, u"'[]'"_s);
    lanes.insert(u"state"_s, u"'succeeded'"_s);
    for (const char16_t *none : { u"status", u"stale", u"empty_replay" }) {
        lanes.insert(QString::fromUtf16(none), QJsonValue());
    }
    const QString answer
        = m_console->registerTarget(QString::fromUtf8(QJsonDocument(lanes).toJson(QJsonDocument::Compact)),
            uR"({"approval_above": 1})"_s, ConsoleFixture::profile(), u"lanes"_s);
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
}

void SecondTableTest::itsLimitHolds()
{
    registerLanes();
    const auto both = m_console->frozen(u"key IN ('k001', 'k002')"_s);
    const QString id = ConsoleFixture::newId();
    QCOMPARE(m_console->open(*m_op, id, u"recover"_s, both).value(), u"requested"_s);
    QCOMPARE(outcome(recover(u"key = 'k003'"_s)), u"done"_s);
    // Whoever agreed on that limit is no other person: the action waits because of it. (adm wrote "k" itself, too.)
    demand(
        u"UPDATE idemdesk.target SET registered_by = 'boss' WHERE name = 'k'; UPDATE idemdesk.target_limit SET set_by "
        u"= "
        "'boss' WHERE relation = 'app.k'::regclass; UPDATE idemdesk.target_limit SET set_by = 'appr' WHERE relation = "
        "'app.lane'::regclass"_s);
    QCOMPARE(m_console->as(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { id }).state, u"ID008"_s);
}

/// A migration makes it anew, with another oid: what was agreed on holds for the table of that name.
void SecondTableTest::itsLimitOutlivesIt()
{
    registerLanes();
    demand(
        u"SET ROLE app_owner; ALTER TABLE app.lane RENAME TO lane_old; CREATE TABLE app.lane (LIKE app.lane_old "
        "INCLUDING ALL); INSERT INTO app.lane (id, name, locked_by) SELECT id, name, locked_by FROM app.lane_old; "
        "GRANT "
        "SELECT, UPDATE (locked_by, freed) ON app.lane TO idemdesk_runner_app_owner; GRANT SELECT ON app.lane TO op; "
        "RESET ROLE"_s);
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered) && answer.contains(u"\"limit_requested\": true"_s), qPrintable(answer));
    const auto both = m_console->frozen(u"key IN ('k001', 'k002')"_s);
    QCOMPARE(m_console->open(*m_op, ConsoleFixture::newId(), u"recover"_s, both).value(), u"requested"_s);
}

void SecondTableTest::codeBehindItIsKnown()
{
    demand(u"CREATE SCHEMA lib AUTHORIZATION service; GRANT USAGE ON SCHEMA lib TO PUBLIC; SET ROLE service; CREATE "
           u"FUNCTION "
           "lib.ok(t text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN true; END $$; RESET ROLE; SET ROLE "
           "app_owner; "
           "ALTER TABLE app.lane ADD CHECK (lib.ok(locked_by)); RESET ROLE"_s);
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).ok());
    demand(u"SET ROLE service; CREATE OR REPLACE FUNCTION lib.ok(t text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN "
           u"DELETE "
           "FROM app.k WHERE key = 'k050'; RETURN true; END $$; RESET ROLE"_s);
    const auto batch = m_op->run(u"SELECT idemdesk.change_batch($1, 1, 500)"_s, { id });
    QVERIFY2(batch.value().contains(u"\"state\": \"paused\""_s) && batch.value().contains(u"lib.ok"_s),
        qPrintable(batch.value()));
    QCOMPARE(status(u"k050"_s), u"processing"_s);
}

void SecondTableTest::partsOfOneNameAreBothLookedAt()
{
    const QString on = u"CREATE TRIGGER %1 BEFORE UPDATE ON app.%2 FOR EACH ROW EXECUTE FUNCTION app.f%3();"_s;
    const QString odd = u"\"tt of the second table\""_s;
    demand(u"SET ROLE app_owner; CREATE FUNCTION app.f1() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; "
           u"CREATE "
           "FUNCTION app.f2() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.result := ''unseen''; RETURN NEW; END'; "
           "CREATE "
           "FUNCTION app.f3() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; "_s
        + on.arg(odd, u"k"_s, u"1"_s) + on.arg(u"tt"_s, u"lane"_s, u"3"_s) + u"RESET ROLE"_s);
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).ok());
    demand(u"SET ROLE app_owner; DROP TRIGGER "_s + odd + u" ON app.k; "_s + on.arg(odd, u"k"_s, u"2"_s)
        + u"RESET ROLE"_s);
    const auto batch = m_op->run(u"SELECT idemdesk.change_batch($1, 1, 500)"_s, { id });
    QVERIFY2(batch.value().contains(u"\"state\": \"paused\""_s), qPrintable(batch.value()));
}

/// Another row that fits by the time of the write is not changed in the name of the one that was read.
void SecondTableTest::whatIsReadIsWritten()
{
    demand(
        u"SET ROLE app_owner; INSERT INTO app.lane VALUES (99, 'k001', 'w1'); CREATE FUNCTION app.no() RETURNS trigger "
        "LANGUAGE plpgsql AS $$ BEGIN RETURN CASE WHEN OLD.id <> 1 THEN NEW END; END $$; CREATE TRIGGER no BEFORE "
        "UPDATE ON "
        "app.lane FOR EACH ROW EXECUTE FUNCTION app.no(); RESET ROLE"_s);
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    const auto worker = m_console->as(u"app_owner"_s);
    QVERIFY(worker->run(u"BEGIN; SELECT FROM app.lane WHERE id = 99 FOR UPDATE"_s).ok());
    const QString id = recover(u"key = 'k001'"_s);
    QVERIFY2(outcome(id).startsWith(u"changed: "_s), qPrintable(outcome(id)));
    QVERIFY(worker->run(u"COMMIT"_s).ok());
    QCOMPARE(root().value(u"SELECT string_agg(locked_by, ',') FROM app.lane WHERE name = 'k001'"_s), u"w1,w1"_s);
    QCOMPARE(status(u"k001"_s), u"processing"_s);
}

void SecondTableTest::anUndoLooksAfterTriggers()
{
    demand(
        u"SET ROLE app_owner; CREATE FUNCTION app.t() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.locked_by IS "
        u"NOT "
        "NULL THEN UPDATE app.k SET attempts = attempts + 41 WHERE key = NEW.name; END IF; RETURN NULL; END $$; CREATE "
        "TRIGGER t AFTER UPDATE ON app.lane FOR EACH ROW EXECUTE FUNCTION app.t(); RESET ROLE"_s);
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    const QString back = undo(recover(u"key = 'k001'"_s), u"1"_s);
    QCOMPARE(outcome(back), u"done: A trigger changed more than was put back."_s);
    QCOMPARE(m_op->value(u"SELECT after[5] FROM idemdesk.items($1)"_s, { back }), u"42"_s);
}

void SecondTableTest::otherRulesOfTheBatchLeaveItAlone()
{
    demand(u"INSERT INTO app.eff SELECT 'e1', tenant, key FROM app.k WHERE key = 'k002'"_s);
    const QString id = ConsoleFixture::newId();
    const QString rows = root().value(u"SELECT $1::jsonb || $2::jsonb"_s,
        { m_console->frozen(u"key = 'k001'"_s), m_console->frozen(u"key = 'k002'"_s, 1) });
    QVERIFY(m_console->open(*m_op, id, u"recover"_s, rows).ok());
    QCOMPARE(ConsoleFixture::counts(*m_op, u"change_batch"_s, id, 1), u"{\"done\": 2}"_s);
    QCOMPARE(lane(u"k001"_s), u"free true"_s);
    QCOMPARE(lane(u"k002"_s), u"w1 false"_s);
    QCOMPARE(outcome(undo(id, u"2"_s)), u"done; done"_s);
    QCOMPARE(lane(u"k001"_s), u"w1 false"_s);
    QCOMPARE(status(u"k002"_s), u"processing"_s);
    QCOMPARE(ConsoleFixture::verified(root()), u"t"_s);
}

void SecondTableTest::anUndoComparesAsItsIndexDoes_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("type");
    QTest::newRow("not by an operator of the search path") << QString() << u"varchar"_s;
    // A type whose operators lie in the owner's schema, as those of many extensions do.
    QString base = u"CREATE TYPE app.base; CREATE FUNCTION app.base_in(cstring) RETURNS app.base LANGUAGE internal "
                   "IMMUTABLE STRICT AS 'textin'; CREATE FUNCTION app.base_out(app.base) RETURNS cstring LANGUAGE "
                   "internal IMMUTABLE STRICT AS 'textout'; CREATE TYPE app.base (INPUT = app.base_in, OUTPUT = "
                   "app.base_out, LIKE = text, COLLATABLE = true); CREATE CAST (integer AS app.base) WITH INOUT AS "
                   "ASSIGNMENT; CREATE FUNCTION app.base_cmp(app.base, app.base) RETURNS integer LANGUAGE internal "
                   "IMMUTABLE STRICT AS 'bttextcmp'; "_s;
    QString members;
    const QStringList operators { u"<"_s, u"<="_s, u"="_s, u">="_s, u">"_s };
    const QStringList functions { u"text_lt"_s, u"text_le"_s, u"texteq"_s, u"text_ge"_s, u"text_gt"_s };
    for (qsizetype i = 0; i < operators.size(); ++i) {
        base
            += u"CREATE FUNCTION app.base_%1(app.base, app.base) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT AS "
               "'%1'; CREATE OPERATOR app.%2 (LEFTARG = app.base, RIGHTARG = app.base, FUNCTION = app.base_%1); "_s.arg(
                   functions.at(i), operators.at(i));
        members += u"OPERATOR %1 app.%2, "_s.arg(i + 1).arg(operators.at(i));
    }
    base += u"CREATE OPERATOR CLASS app.base_ops DEFAULT FOR TYPE app.base USING btree AS %1FUNCTION 1 "
            "app.base_cmp(app.base, app.base); CREATE DOMAIN app.lane_id AS app.base; "_s.arg(members);
    QTest::newRow("not by one that fits a domain better") << base << u"app.lane_id"_s;
    QTest::newRow("as many characters as there are") << QString() << u"char(4)"_s;
    QTest::newRow("as an enum, whose index compares any")
        << u"CREATE TYPE app.one AS ENUM ('1', '2', '3', '4', '5', '6', "
           "'7', '8', '9', '10'); ALTER TYPE app.one OWNER TO app_owner; "_s
        << u"app.one USING id::text::app.one"_s;
}

/// An "=" of the owner's own, in a schema of the search path, finds no other row and hides none.
void SecondTableTest::anUndoComparesAsItsIndexDoes()
{
    QFETCH(QString, before);
    QFETCH(QString, type);
    demand(before
        + u"SET ROLE app_owner; ALTER TABLE app.lane ALTER id TYPE %1; CREATE FUNCTION app.never(%2, %2) RETURNS "
          u"boolean "
          "LANGUAGE sql IMMUTABLE AS 'SELECT false'; CREATE OPERATOR app.= (LEFTARG = %2, RIGHTARG = %2, FUNCTION = "
          "app.never); RESET ROLE"_s.arg(type, type.section(u' ', 0, 0)));
    const QString answer = m_console->registerTarget(compiled());
    QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
    const QString id = recover(u"key = 'k001'"_s);
    QCOMPARE(outcome(id), u"done"_s);
    QCOMPARE(outcome(undo(id, u"1"_s)), u"done"_s);
    QCOMPARE(lane(u"k001"_s), u"w1 false"_s);
}

bool SecondTableTest::dumps()
{
    QProcess process;
    process.start(app::PrivateCluster::program(u"pg_dump"_s), { u"--version"_s });
    process.waitForFinished(30'000);
    static const QRegularExpression number(u"\\) (\\d+)"_s);
    return number.match(QString::fromUtf8(process.readAllStandardOutput())).captured(1).toInt()
        >= TestCluster::majorVersion();
}

void SecondTableTest::restore(const QString &meanwhile)
{
    const QTemporaryDir folder;
    const QString dump = folder.filePath(u"dump"_s);
    const auto run = [](const QString &program, const QStringList &arguments) {
        QProcess process;
        process.start(app::PrivateCluster::program(program), arguments);
        const bool done = process.waitForFinished(60'000) && process.exitCode() == 0;
        QVERIFY2(done, process.readAllStandardError().constData());
    };
    run(u"pg_dump"_s, { u"-Fc"_s, u"-f"_s, dump, u"-d"_s, m_console->cluster().conninfo(m_restored) });
    m_restored += u"_again"_s;
    m_console->cluster().createDatabase(m_restored);
    // Something in front, so that no oid is the old one by chance.
    m_console->cluster().psql(m_restored, u"CREATE TABLE public.%1 (id int PRIMARY KEY, note text)"_s.arg(m_restored));
    run(u"pg_restore"_s, { u"--exit-on-error"_s, u"-d"_s, m_console->cluster().conninfo(m_restored), dump });
    if (!meanwhile.isEmpty()) {
        m_console->cluster().psql(m_restored, meanwhile);
    }
    m_adoption = ConsoleFixture::newId();
    QCOMPARE(there(u"adm"_s)->value(
                 u"SELECT idemdesk.ask_adoption($1, 'the disk died', NULL) ->> 'state'"_s, { m_adoption }),
        u"requested"_s);
    const auto approved = there(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { m_adoption });
    QVERIFY2(approved.ok(), qPrintable(approved.value()));
    QCOMPARE(ConsoleFixture::verified(*there(u"boss"_s)), u"t"_s);
}

/// In a restored database tables have other oids. What was kept of this one is for those who may read it there, and not
/// for the readers of a table that took its name since.
void SecondTableTest::imagesFollowItThroughADump()
{
    if (!dumps()) {
        QSKIP(kNoDump);
    }
    const QString id = recover(u"key = 'k001'"_s);
    m_restored = m_console->database();
    for (int time = 1; time <= 2; ++time) { // also where nothing was done between two dumps
        restore();
        const auto op = there(u"op"_s);
        QVERIFY2(op->value(kLastBefore, { id }).contains(u"\"w1\""_s), qPrintable(op->value(kLastBefore, { id })));
        // The target is what it was: no part of it is called another one for its oid.
        QCOMPARE(there(u"boss"_s)->value(kChangedParts), u"none"_s);
    }
    const auto swapped = there(u"boss"_s)->run(u"ALTER TABLE app.lane RENAME TO lane_then; REVOKE SELECT ON "
                                               u"app.lane_then FROM op; CREATE TABLE app.lane (LIKE "
                                               u"app.lane_then INCLUDING ALL); GRANT SELECT ON app.lane TO op"_s);
    QVERIFY2(swapped.ok(), qPrintable(swapped.value()));
    QCOMPARE(there(u"op"_s)->value(kLastBefore, { id }), u"hidden"_s);
}

/// Whoever takes its free name before the adoption is not its owner, and reads nothing of it.
void SecondTableTest::whoTakesItsNameIsNotIt()
{
    if (!dumps()) {
        QSKIP(kNoDump);
    }
    const QString id = recover(u"key = 'k001'"_s);
    m_restored = m_console->database();
    restore(
        u"GRANT USAGE, CREATE ON SCHEMA app TO viewer; DROP TABLE app.lane; SET ROLE viewer; CREATE TABLE app.lane ()"_s);
    QCOMPARE(there(u"viewer"_s)->value(kLastBefore, { id }), u"hidden"_s);
    QCOMPARE(
        there(u"appr"_s)->value(u"SELECT (r ->> 'is') || ' ' || (r ->> 'owner') || ' ' || (r ->> 'owner_now') FROM "
                                u"idemdesk.action a, jsonb_array_elements(a.plan -> 'relations') r WHERE a.id = $1 "
                                u"AND r ->> 'table' = $2"_s,
            { m_adoption, kLane }),
        u"0 app_owner viewer"_s);
}

/// A fresh cluster may give the audit table of a dump the number that it had, and other tables other ones.
void SecondTableTest::aDumpThatBringsTheSameNumberIsRestored()
{
    if (!dumps()) {
        QSKIP(kNoDump);
    }
    const QString id = recover(u"key = 'k001'"_s);
    m_restored = m_console->database();
    QCOMPARE(root().value(u"SELECT idemdesk._at_home()"_s), u"t"_s);
    restore(u"UPDATE idemdesk.installation SET audit_oid = 'idemdesk.audit'::regclass; "
            "VACUUM FULL idemdesk.migration"_s); // which asks for an adoption, and has it
    QVERIFY(there(u"op"_s)->value(kLastBefore, { id }).contains(u"\"w1\""_s));
    // Neither a rewritten table nor a later version of the console makes it another one.
    const auto boss = there(u"boss"_s);
    QVERIFY(boss->run(u"VACUUM (FULL, FREEZE) idemdesk.migration"_s).ok());
    QVERIFY(boss->run(u"INSERT INTO idemdesk.migration (version, name) VALUES (9999, 'later')"_s).ok());
    QCOMPARE(boss->value(u"SELECT idemdesk._at_home()"_s), u"t"_s);
}

/// In a restored table nobody can tell which column a name means, from the first on that is not where it was.
void SecondTableTest::columnsExchangedBeforeADump()
{
    if (!dumps()) {
        QSKIP(kNoDump);
    }
    const QString read = u"SELECT array_to_string(before[1:11], '|', '-') || ' ' || (identity IS NOT NULL) FROM "
                         u"idemdesk.items($1)"_s;
    const QString id = recover(u"key = 'k001'"_s);
    const QString before = m_op->value(read, { id });
    QVERIFY2(before.contains(u"|ab   |"_s) && before.endsWith(u"true"_s), qPrintable(before));
    demand(u"ALTER TABLE app.k RENAME pad TO spare; ALTER TABLE app.k RENAME result TO pad"_s);
    // At home the numbers tell.
    QCOMPARE(m_op->value(read, { id }), before);
    m_restored = m_console->database();
    restore();
    const QString after = there(u"op"_s)->value(read, { id });
    QVERIFY2(after.startsWith(before.section(u'|', 0, 4) + u"|-|-|-|-|-|- "_s), qPrintable(after + u'\n' + before));
    QVERIFY2(after.endsWith(u"true"_s), qPrintable(after)); // tenant and key are where they were
}

/// What took the name of a renamed table is not it, where the console saw the new name before the dump.
void SecondTableTest::aTableRenamedBeforeADump()
{
    if (!dumps()) {
        QSKIP(kNoDump);
    }
    const QString id = recover(u"key = 'k001'"_s);
    demand(u"ALTER TABLE app.k RENAME TO k_old; CREATE TABLE app.k (LIKE app.k_old INCLUDING ALL); ALTER TABLE app.k "
           "OWNER TO app_owner; GRANT SELECT ON app.k TO viewer"_s);
    const QString told = u"SELECT string_agg((facts ->> 'table') || ' of ' || (facts ->> 'owner'), ', ') FROM "
                         u"idemdesk.audit WHERE what = 'renamed'"_s;
    for (int time = 1; time <= 2; ++time) {
        m_op->value(u"SELECT idemdesk.maintain()"_s);
        QCOMPARE(root().value(told), u"\"app\".\"k_old\" of app_owner"_s); // once
    }
    // Back again, and away again.
    demand(u"ALTER TABLE app.k RENAME TO other; ALTER TABLE app.k_old RENAME TO k"_s);
    m_op->value(u"SELECT idemdesk.maintain()"_s);
    demand(u"ALTER TABLE app.k RENAME TO k_old; ALTER TABLE app.other RENAME TO k"_s);
    m_op->value(u"SELECT idemdesk.maintain()"_s);
    QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'renamed'"_s), u"3"_s);
    m_restored = m_console->database();
    restore();
    QCOMPARE(there(u"boss"_s)->value(u"SELECT relation::regclass FROM idemdesk.action WHERE id = $1"_s, { id }),
        u"app.k_old"_s);
    QCOMPARE(
        there(u"viewer"_s)->value(u"SELECT array_to_string(before, '') FROM idemdesk.items($1)"_s, { id }), QString());
}

/// An adoption takes oids anew, and nothing else: what changed before it is a change.
void SecondTableTest::anAdoptionTakesNothingElse_data()
{
    QTest::addColumn<QString>("changed");
    QTest::newRow("row security that hides effects")
        << u"SET ROLE app_owner; ALTER TABLE app.eff ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY"_s;
    QTest::newRow("a view in place of the effects")
        << u"SET ROLE app_owner; ALTER TABLE app.eff RENAME TO eff_old; CREATE VIEW app.eff AS SELECT * FROM "
           u"app.eff_old "
           u"WHERE false; GRANT SELECT ON app.eff TO idemdesk_runner_app_owner"_s;
    QTest::newRow("another owner of the effects") << u"ALTER TABLE app.eff OWNER TO service"_s;
}

void SecondTableTest::anAdoptionTakesNothingElse()
{
    if (!dumps()) {
        QSKIP(kNoDump);
    }
    QFETCH(QString, changed);
    m_restored = m_console->database();
    restore(changed);
    const QString parts = there(u"boss"_s)->value(kChangedParts);
    QVERIFY2(parts.contains(u"the definition of app.eff is another"_s), qPrintable(parts));
}

/// The time to undo counts from the asking. Who waits until most of it is over does nothing any more.
void SecondTableTest::whatWaitedTooLongIsNotDone()
{
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_console->open(*m_op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s)).ok());
    demand(u"UPDATE idemdesk.action SET requested_at = requested_at - interval '4 days'"_s);
    const auto batch = m_op->run(u"SELECT idemdesk.change_batch($1, 1, 500)"_s, { id });
    QVERIFY2(batch.value().contains(u"\"state\": \"paused\""_s)
            && batch.value().contains(u"half of the time to undo it is over"_s),
        qPrintable(batch.value()));
    QCOMPARE(status(u"k001"_s), u"processing"_s);
    // Nor is it approved.
    demand(u"UPDATE idemdesk.action SET state = 'requested'"_s);
    QCOMPARE(m_console->as(u"appr"_s)->state(u"SELECT idemdesk.approve_action($1, true)"_s, { id }), u"ID006"_s);
}

QTEST_GUILESS_MAIN(SecondTableTest)
#include "tst_second_table.moc"
