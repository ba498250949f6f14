// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/action_gateway.h"

#include "sql/actions/action_json.h"
#include "sql/actions/purge_stay.h"
#include "sql/actions/triage_reader.h"
#include "tests/support/registered_table.h"

#include <QScopeGuard>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

constexpr int kRetry = 0; // place of the rules in the test profile
constexpr int kFinal = 1;

} // namespace

/// Actions through the console's own gateway, on the real functions of the database.
class ActionGatewayTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();

    void hostileKeysGoThroughUnchanged_data();
    void hostileKeysGoThroughUnchanged();
    void sameRequestObserves();
    void otherRequestWithTheIdIsRefused();
    void repeatedBatchChangesNothing();
    void changedRowsAreLeftAlone();
    void undoPutsBack();
    void purgeKeepsItsRows();
    void pausedActionTakesNoBatch();
    void approvalNeedsAnother();
    void viewersAreToldWhichRoleTheyLack_data();
    void viewersAreToldWhichRoleTheyLack();
    void historyIsFiltered();
    void actionThatNeverWasIsNothing();
    void pressureHoldsOff_data();
    void pressureHoldsOff();
    void jsonKeepsNullsAndTexts();
    void partitionsComeAndGo();

private:
    sql::ActionRequest request(const QString &where, int rule = kRetry);
    sql::ActionRecord finished(const sql::ActionRequest &request);
    QString value(const QString &sql) { return m_fixture->root().value(sql); }

    std::unique_ptr<ConsoleFixture> m_fixture;
    RegisteredTable m_table;
    std::unique_ptr<sql::Session> m_op;
};

void ActionGatewayTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void ActionGatewayTest::cleanupTestCase()
{
    m_op.reset();
    m_fixture.reset();
}

void ActionGatewayTest::init()
{
    m_op.reset();
    m_fixture->fresh([this] {
        m_fixture->cluster().psql(
            m_fixture->database(), u"GRANT USAGE ON SCHEMA app TO adm; GRANT SELECT ON app.k, app.eff TO adm, op"_s);
        m_table = registerTable(*m_fixture);
    });
    m_op = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
}

/// The frozen set of the rows of app.k that a condition picks, with the guard as the console reads it.
sql::ActionRequest ActionGatewayTest::request(const QString &where, int rule)
{
    QList<sql::Cells> identities;
    for (const QStringList &row :
        m_fixture->root().run(u"SELECT tenant, key FROM app.k WHERE "_s + where + u" ORDER BY key"_s).rows) {
        identities.append({ sql::Cell::of(row.at(0)), sql::Cell::of(row.at(1)) });
    }
    sql::ActionRequest request;
    request.id = ConsoleFixture::newId();
    request.target = u"k2"_s;
    request.reason = u"because"_s;
    request.ticket = u"T-1"_s;
    request.profileSha = m_table.registered.profileSha;
    const auto page = sql::readTriageOf(*m_op, m_table.target, identities);
    for (const sql::TriageFacts &facts : page.ok() ? page->rows : QList<sql::TriageFacts>()) {
        request.rows.append({ facts.record.identity, facts.guard, rule, {}, {} });
    }
    return request;
}

sql::ActionRecord ActionGatewayTest::finished(const sql::ActionRequest &request)
{
    const auto opened = sql::openAction(*m_op, request);
    if (!opened) {
        qWarning("%s", qPrintable(opened.error().line()));
        return {};
    }
    sql::ActionRecord action = *opened;
    while (action.state == sql::ActionState::Running) {
        const auto batch = sql::runBatch(*m_op, action, action.lastBatch + 1, 20);
        if (!batch) {
            qWarning("%s %s", qPrintable(batch.error().line()), qPrintable(batch.error().detail));
            return action;
        }
        action.lastBatch = batch->batch;
        action.state = batch->state;
        action.counts = batch->totals;
    }
    return action;
}

void ActionGatewayTest::hostileKeysGoThroughUnchanged_data()
{
    QTest::addColumn<QString>("key");
    QTest::newRow("quotes and backslashes") << u"a'b\"c\\d"_s;
    QTest::newRow("braces and commas, as arrays have") << u"{a,\"b\",NULL}"_s;
    QTest::newRow("line feeds and tabs") << u"a\nb\tc\r"_s;
    QTest::newRow("empty") << u""_s;
    QTest::newRow("the word NULL") << u"NULL"_s;
    QTest::newRow("bidi marks and a surrogate pair") << u"\u202Eabc\u200B😀"_s;
    QTest::newRow("markup") << u"<img src=/etc/passwd>"_s;
    QTest::newRow("2 kB") << QString(2'000, u'x');
    QTest::newRow("a placeholder") << u"$1 %1 :x"_s;
}

void ActionGatewayTest::hostileKeysGoThroughUnchanged()
{
    QFETCH(QString, key);
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET key = $1 WHERE key = 'k001'"_s, { key }).ok());
    const sql::ActionRequest wanted = request(u"key NOT LIKE 'd%' AND key NOT LIKE 'k0__'"_s);
    QCOMPARE(wanted.rows.size(), 1);
    const sql::ActionRecord action = finished(wanted);
    // An effect is looked for by the key, and by an empty one none can be known.
    const QString outcome = key.isEmpty() ? u"evidence"_s : u"done"_s;
    QCOMPARE(action.counts.value(u"done"_s), key.isEmpty() ? 0 : 1);
    QCOMPARE(m_fixture->root().value(u"SELECT status FROM app.k WHERE key = $1"_s, { key }),
        key.isEmpty() ? u"processing"_s : u"failed"_s);
    const auto items = sql::readItems(*m_op, wanted.id, 0, 0, 10);
    QVERIFY(items.ok());
    QCOMPARE(items->size(), 1);
    QCOMPARE(items->first().identity.at(1).text, key);
    const auto touches = sql::readTouches(*m_op, u"k2"_s, wanted.rows.first().identity);
    QVERIFY(touches.ok());
    QCOMPARE(touches->size(), 1);
    QCOMPARE(touches->first().who, u"op"_s);
    QCOMPARE(touches->first().reason, u"because"_s);
    QCOMPARE(touches->first().outcome, outcome);
}

void ActionGatewayTest::sameRequestObserves()
{
    const sql::ActionRequest wanted = request(u"key IN ('k001', 'k002')"_s);
    const auto first = sql::openAction(*m_op, wanted);
    const auto second = sql::openAction(*m_op, wanted);
    QVERIFY(first.ok() && second.ok());
    QCOMPARE(second->id, first->id);
    QCOMPARE(second->requestedAt, first->requestedAt);
    QCOMPARE(second->plannedRows, 2);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"1"_s);
}

void ActionGatewayTest::otherRequestWithTheIdIsRefused()
{
    sql::ActionRequest wanted = request(u"key IN ('k001', 'k002')"_s);
    QVERIFY(sql::openAction(*m_op, wanted).ok());
    wanted.reason = u"another reason"_s;
    const auto other = sql::openAction(*m_op, wanted);
    QVERIFY(!other.ok());
    QCOMPARE(other.error().kind, sql::ErrorKind::Refused);
    QCOMPARE(other.error().sqlState, u"ID007"_s);
}

void ActionGatewayTest::repeatedBatchChangesNothing()
{
    const sql::ActionRequest wanted = request(u"key LIKE 'k00_'"_s);
    const auto action = sql::openAction(*m_op, wanted);
    QVERIFY(action.ok());
    const auto once = sql::runBatch(*m_op, *action, 1, 4);
    const auto again = sql::runBatch(*m_op, *action, 1, 4);
    QVERIFY(once.ok() && again.ok());
    QVERIFY(!once->repeated && again->repeated);
    QCOMPARE(again->counts, once->counts);
    QCOMPARE(again->outcomes.size(), once->outcomes.size());
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"4"_s);
}

void ActionGatewayTest::changedRowsAreLeftAlone()
{
    const sql::ActionRequest wanted = request(u"key IN ('k001', 'k002', 'k003')"_s);
    // By a microsecond: the guard is compared as it was seen.
    QVERIFY(m_fixture->root()
                .run(u"UPDATE app.k SET locked_until = locked_until + interval '1 microsecond' WHERE key = 'k002'"_s)
                .ok());
    const sql::ActionRecord action = finished(wanted);
    QCOMPARE(action.state, sql::ActionState::Finished);
    QCOMPARE(action.counts, (QMap<QString, qint64> { { u"changed"_s, 1 }, { u"done"_s, 2 } }));
    QCOMPARE(value(u"SELECT status FROM app.k WHERE key = 'k002'"_s), u"processing"_s);
}

void ActionGatewayTest::undoPutsBack()
{
    const QString before = value(u"SELECT md5(string_agg(t::text, '|' ORDER BY key)) FROM app.k t"_s);
    const sql::ActionRequest wanted = request(u"key LIKE 'k%'"_s, kFinal);
    QCOMPARE(finished(wanted).counts.value(u"done"_s), 50);
    QVERIFY(value(u"SELECT md5(string_agg(t::text, '|' ORDER BY key)) FROM app.k t"_s) != before);
    const auto undo = sql::openUndo(*m_op, { ConsoleFixture::newId(), wanted.id, u"wrong filter"_s, {} });
    QVERIFY2(undo.ok(), qPrintable(undo.ok() ? QString() : undo.error().line()));
    QCOMPARE(undo->verb, sql::ActionVerb::Undo);
    QCOMPARE(undo->undoOf, wanted.id);
    QCOMPARE(undo->plannedRows, 50);
    auto batch = sql::runBatch(*m_op, *undo, 1, 60);
    QVERIFY(batch.ok());
    QCOMPARE(batch->state, sql::ActionState::Finished);
    QCOMPARE(value(u"SELECT md5(string_agg(t::text, '|' ORDER BY key)) FROM app.k t"_s), before);
    const auto items = sql::readItems(*m_op, wanted.id, 0, 0, 100);
    QVERIFY(items.ok() && items->size() == 50);
    QCOMPARE(items->first().restoredBy, undo->id);
    QCOMPARE(items->first().columns.size(), items->first().before.size());
}

void ActionGatewayTest::purgeKeepsItsRows()
{
    const auto plan = sql::planPurge(
        *m_op, m_table.target, { sql::KeyState::Succeeded, sql::KeyState::FailedFinal }, std::nullopt, std::nullopt);
    QVERIFY(plan.ok());
    sql::ActionRequest wanted = request(u"false"_s);
    wanted.verb = sql::ActionVerb::Purge;
    wanted.purge = *plan;
    const sql::ActionRecord action = finished(wanted);
    QCOMPARE(action.state, sql::ActionState::Finished);
    QCOMPARE(action.counts.value(u"purged"_s), plan->rows);
    // By scope, as the plan names them: what is gone belongs to those that were to go.
    const auto gone = sql::readPurgedScopes(*m_op, action.id);
    QVERIFY2(gone.ok(), qPrintable(gone ? QString() : gone.error().line()));
    QHash<QString, qint64> planned;
    for (const sql::PurgeGroup &group : plan->groups) {
        planned[sql::cellsToJson(group.scope)] += group.rows;
    }
    QHash<QString, qint64> purged;
    for (const sql::PurgedScope &scope : *gone) {
        purged[sql::cellsToJson(scope.scope)] += scope.rows;
    }
    QVERIFY(planned.size() > 1);
    QCOMPARE(purged, planned);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s), u"0"_s);
    const auto items = sql::readItems(*m_op, wanted.id, 0, 0, 1'000);
    QVERIFY(items.ok());
    QCOMPARE(items->size(), plan->rows);
    const auto undo = sql::openUndo(*m_op, { ConsoleFixture::newId(), wanted.id, u"too early"_s, {} });
    QVERIFY(undo.ok());
    QCOMPARE(undo->plannedRows, plan->rows);
    QVERIFY(sql::runBatch(*m_op, *undo, 1, 10'000).ok());
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s), QString::number(plan->rows));
}

void ActionGatewayTest::pausedActionTakesNoBatch()
{
    const auto action = sql::openAction(*m_op, request(u"key LIKE 'k00_'"_s));
    QVERIFY(action.ok());
    QCOMPARE(sql::setAction(*m_op, action->id, sql::ActionState::Paused, u"lunch"_s)->state, sql::ActionState::Paused);
    const auto batch = sql::runBatch(*m_op, *action, 1, 10);
    QVERIFY(!batch.ok());
    QCOMPARE(batch.error().kind, sql::ErrorKind::Refused);
    QCOMPARE(sql::readAction(*m_op, action->id)->value().note, u"lunch"_s);
    QCOMPARE(sql::setAction(*m_op, action->id, sql::ActionState::Running, {})->state, sql::ActionState::Running);
    QVERIFY(sql::runBatch(*m_op, *action, 1, 10).ok());
    QVERIFY(!sql::setAction(*m_op, action->id, sql::ActionState::Cancelled, {}).ok()); // it finished
}

void ActionGatewayTest::approvalNeedsAnother()
{
    m_fixture->root().run(u"UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s);
    const auto action = sql::openAction(*m_op, request(u"key LIKE 'k00_'"_s));
    QVERIFY(action.ok());
    QCOMPARE(action->state, sql::ActionState::Requested);
    QVERIFY(!sql::runBatch(*m_op, *action, 1, 10).ok());
    const auto self = sql::approveAction(*m_op, action->id, true, {});
    QVERIFY(!self.ok());
    QVERIFY(self.error().why.contains(u"idemdesk_approver"_s));
    const auto approver = openSession(*m_fixture, u"appr"_s, sql::LaneKind::Write);
    const auto approved = sql::approveAction(*approver, action->id, true, u"seen"_s);
    QVERIFY(approved.ok());
    QCOMPARE(approved->state, sql::ActionState::Running);
    QCOMPARE(approved->approvedBy, u"appr"_s);
    QVERIFY(approved->approvedAt.has_value());
    QVERIFY(sql::runBatch(*m_op, *action, 1, 10).ok());
}

void ActionGatewayTest::viewersAreToldWhichRoleTheyLack_data()
{
    QTest::addColumn<QString>("call");
    for (const auto &call : { u"open"_s, u"undo"_s, u"set"_s }) {
        QTest::newRow(qPrintable(call)) << call;
    }
}

void ActionGatewayTest::viewersAreToldWhichRoleTheyLack()
{
    QFETCH(QString, call);
    const sql::ActionRequest wanted = request(u"key = 'k001'"_s);
    const auto viewer = openSession(*m_fixture, u"viewer"_s, sql::LaneKind::Write);
    const auto result = call == u"open" ? sql::openAction(*viewer, wanted)
        : call == u"undo"               ? sql::openUndo(*viewer, { ConsoleFixture::newId(), wanted.id, u"x"_s, {} })
                                        : sql::setAction(*viewer, wanted.id, sql::ActionState::Paused, {});
    QVERIFY(!result.ok());
    QCOMPARE(result.error().kind, sql::ErrorKind::Privilege);
    QVERIFY2(result.error().why.contains(u"idemdesk_operator"_s), qPrintable(result.error().line()));
    QVERIFY(!result.error().what.isEmpty() && !result.error().todo.isEmpty());
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
}

void ActionGatewayTest::historyIsFiltered()
{
    sql::ActionRequest first = request(u"key = 'k001'"_s);
    first.reason = u"Deploy went wrong"_s;
    QVERIFY(sql::openAction(*m_op, first).ok());
    sql::ActionRequest second = request(u"key = 'k002'"_s);
    second.ticket = u"OPS-77"_s;
    QVERIFY(sql::openAction(*m_op, second).ok());
    QVERIFY(sql::setAction(*m_op, second.id, sql::ActionState::Cancelled, {}).ok());
    const auto ids = [this](const sql::ActionFilter &filter) {
        QStringList found;
        const auto actions = sql::readActions(*m_op, filter);
        for (const sql::ActionRecord &action : actions.ok() ? *actions : QList<sql::ActionRecord>()) {
            found += action.id;
        }
        return found;
    };
    sql::ActionFilter filter;
    QCOMPARE(ids(filter), (QStringList { second.id, first.id }));
    filter.reasonOrTicket = u"deploy"_s;
    QCOMPARE(ids(filter), QStringList { first.id });
    filter.reasonOrTicket = u"ops-77"_s;
    QCOMPARE(ids(filter), QStringList { second.id });
    filter.reasonOrTicket = u"100%"_s;
    QCOMPARE(ids(filter), QStringList());
    filter = {};
    filter.state = sql::ActionState::Cancelled;
    QCOMPARE(ids(filter), QStringList { second.id });
    filter = {};
    filter.person = u"op2"_s;
    QCOMPARE(ids(filter), QStringList());
    filter = {};
    filter.limit = 1;
    QCOMPARE(ids(filter), QStringList { second.id });
}

void ActionGatewayTest::actionThatNeverWasIsNothing()
{
    const auto found = sql::readAction(*m_op, ConsoleFixture::newId());
    QVERIFY(found.ok());
    QVERIFY(!found->has_value());
}

void ActionGatewayTest::pressureHoldsOff_data()
{
    QTest::addColumn<QStringList>("holder");
    QTest::addColumn<QString>("waiter");
    QTest::addColumn<bool>("hold");
    QTest::newRow("quiet") << QStringList() << QString() << false;
    QTest::newRow("readers and writers at work")
        << QStringList { u"BEGIN"_s, u"UPDATE app.k SET attempts = 9 WHERE key = 'k001'"_s } << QString() << false;
    QTest::newRow("somebody waits for the table")
        << QStringList { u"BEGIN"_s, u"SELECT FROM app.k LIMIT 1"_s } << u"LOCK TABLE app.k"_s << true;
    QTest::newRow("vacuum is on it") << QStringList { u"BEGIN"_s, u"LOCK TABLE app.k IN SHARE UPDATE EXCLUSIVE MODE"_s }
                                     << QString() << true;
}

void ActionGatewayTest::pressureHoldsOff()
{
    QFETCH(QStringList, holder);
    QFETCH(QString, waiter);
    QFETCH(bool, hold);
    const auto action = sql::openAction(*m_op, request(u"key = 'k001'"_s));
    QVERIFY(action.ok());
    const auto one = m_fixture->as(m_fixture->superuser());
    const auto other = m_fixture->as(m_fixture->superuser());
    for (const QString &statement : holder) {
        QVERIFY(one->run(statement).ok());
    }
    if (!waiter.isEmpty()) {
        QVERIFY(other->run(u"BEGIN"_s).ok());
        other->send(waiter);
        QTRY_COMPARE(value(u"SELECT count(*) FROM pg_locks WHERE NOT granted"_s), u"1"_s);
    }
    const auto pressure = sql::readPressure(*m_op, action->id);
    QVERIFY2(pressure.ok(), qPrintable(pressure.ok() ? QString() : pressure.error().detail));
    QCOMPARE(pressure->hold, hold);
    QCOMPARE(pressure->reasons.isEmpty(), !hold);
    one->drop();
    other->drop();
}

void ActionGatewayTest::jsonKeepsNullsAndTexts()
{
    const sql::Cells cells { sql::Cell::of(u"null"_s), sql::Cell(), sql::Cell::of(u"\"\\\n"_s) };
    QCOMPARE(sql::cellsFromJson(sql::cellsToJson(cells)), cells);
    QVERIFY(sql::cellsFromJson(u"not json"_s).isEmpty());
    QVERIFY(sql::actionFromJson(u"[]"_s).id.isEmpty());
    QCOMPARE(sql::batchFromJson(u"{\"state\":\"no such\"}"_s).state, sql::ActionState::Finding);
}

void ActionGatewayTest::partitionsComeAndGo()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"SET ROLE app_owner; CREATE TABLE app.p (LIKE app.k INCLUDING DEFAULTS, PRIMARY KEY (tenant, key, "
        u"expires_at)) PARTITION BY RANGE (expires_at);"
        "CREATE TABLE app.p_old PARTITION OF app.p FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');"
        "CREATE TABLE app.p_mixed PARTITION OF app.p FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');"
        "CREATE TABLE app.p_new PARTITION OF app.p DEFAULT;"
        "INSERT INTO app.p (tenant, key, status, expires_at) SELECT 't', 'o' || i, 'succeeded', '2020-06-01' FROM "
        "generate_series(1, 7) i;"
        "INSERT INTO app.p (tenant, key, status, expires_at) VALUES ('t', 'm1', 'succeeded', '2021-06-01'), ('t', "
        "'m2', 'processing', '2021-06-01');"
        "GRANT SELECT, UPDATE (status, locked_until, updated_at, result), DELETE, INSERT ON app.p TO idemdesk_runner_app_owner; GRANT SELECT ON app.p, app.p_old, app.p_mixed, app.p_new TO op, adm, idemdesk_runner_app_owner"_s);
    const RegisteredTable table
        = registerTable(*m_fixture, R"({"relation": "app.p", "identity": ["tenant", "key", "expires_at"]})", u"p"_s);
    const auto now = sql::Timestamp::parse(value(u"SELECT now()"_s));
    const auto partitions = sql::readPartitions(*m_op, table.target, *now);
    QVERIFY2(partitions.ok(), qPrintable(partitions.ok() ? QString() : partitions.error().detail));
    QCOMPARE(partitions->size(), 3);
    for (const sql::PartitionFacts &partition : *partitions) {
        QCOMPARE(partition.onlyPurgeable, partition.name == u"\"app\".\"p_old\"");
        QVERIFY(partition.script.contains(u"DETACH PARTITION"_s));
    }
    const auto change = [&](sql::ActionVerb verb, const QString &partition) {
        return sql::changePartition(
            *m_op, { verb, ConsoleFixture::newId(), u"p"_s, partition, *now, u"because"_s, {} });
    };
    const auto noOwner = change(sql::ActionVerb::Detach, u"\"app\".\"p_old\""_s);
    QVERIFY(!noOwner.ok());
    QCOMPARE(noOwner.error().kind, sql::ErrorKind::Refused);
    QVERIFY2(noOwner.error().why.contains(u"does not own"_s), qPrintable(noOwner.error().why));
    m_fixture->cluster().psql(m_fixture->database(), u"GRANT app_owner TO idemdesk_runner_app_owner"_s);
    const auto revoked = qScopeGuard([this] {
        m_fixture->cluster().psql(m_fixture->database(), u"REVOKE app_owner FROM idemdesk_runner_app_owner"_s);
    });
    const auto mixed = change(sql::ActionVerb::Detach, u"\"app\".\"p_mixed\""_s);
    QVERIFY(!mixed.ok());
    QVERIFY2(mixed.error().why.contains(u"1 of 2 rows"_s), qPrintable(mixed.error().why));
    QVERIFY(!change(sql::ActionVerb::Detach, u"\"app\".\"k\""_s).ok()); // another table
    const auto detached = change(sql::ActionVerb::Detach, u"\"app\".\"p_old\""_s);
    QVERIFY2(detached.ok(), qPrintable(detached.ok() ? QString() : detached.error().line()));
    QCOMPARE(detached->state, sql::ActionState::Finished);
    QCOMPARE(detached->counts.value(u"detach"_s), 7);
    QCOMPARE(value(u"SELECT count(*) FROM app.p"_s), u"2"_s);
    QCOMPARE(value(u"SELECT count(*) FROM app.p_old"_s), u"7"_s);
    const auto kept = sql::readDetached(*m_op, u"p"_s);
    QVERIFY(kept.ok());
    QCOMPARE(kept->size(), 1);
    QCOMPARE(kept->first().rows, 7);
    const auto early = change(sql::ActionVerb::Drop, u"\"app\".\"p_old\""_s);
    QVERIFY(!early.ok());
    QVERIFY2(early.error().why.contains(u"held until"_s), qPrintable(early.error().why));
    QVERIFY(change(sql::ActionVerb::Attach, u"\"app\".\"p_old\""_s).ok());
    QCOMPARE(value(u"SELECT count(*) FROM app.p"_s), u"9"_s);
    QVERIFY(change(sql::ActionVerb::Detach, u"\"app\".\"p_old\""_s).ok());
    QVERIFY(
        m_fixture->root().run(u"UPDATE idemdesk.detached_partition SET drop_after = now() - interval '1 s'"_s).ok());
    QVERIFY(change(sql::ActionVerb::Drop, u"\"app\".\"p_old\""_s).ok());
    QCOMPARE(value(u"SELECT to_regclass('app.p_old') IS NULL"_s), u"t"_s);
    QVERIFY(sql::readDetached(*m_op, u"p"_s)->isEmpty());
    QCOMPARE(
        value(
            u"SELECT string_agg(what, ',' ORDER BY seq) FROM idemdesk.audit WHERE what IN ('detach', 'attach', 'drop')"_s),
        u"detach,attach,detach,drop"_s);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
}

QTEST_GUILESS_MAIN(ActionGatewayTest)
#include "tst_action_gateway.moc"
