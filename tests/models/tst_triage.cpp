// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_words.h"
#include "models/actions/actions_model.h"
#include "models/actions/batch_pace.h"
#include "models/purge/partitions_model.h"
#include "models/purge/purge_groups_model.h"
#include "models/triage/frozen_set.h"
#include "models/triage/triage_groups.h"
#include "models/triage/triage_model.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using sql::Cell;
using sql::KeyState;
using sql::Known;

namespace {

sql::TriageFacts stale(const QString &key, KeyState state = KeyState::InProgress, const QString &scope = u"orders"_s)
{
    sql::TriageFacts facts;
    facts.record.identity = { Cell::of(scope), Cell::of(key) };
    facts.record.scope = { Cell::of(scope) };
    facts.record.key = Cell::of(key);
    facts.record.state = state;
    facts.record.stale = state == KeyState::InProgress;
    facts.record.roles.insert(sql::Role::Status, Cell::of(u"x"_s));
    facts.guard = { Cell::of(u"x"_s), Cell() };
    facts.policy = 0;
    facts.effects = { { u"order"_s, true, {}, {} } };
    return facts;
}

sql::Target target()
{
    sql::Target target;
    target.profile.effects = { { u"order"_s, true, u"SELECT 1"_s } };
    sql::PolicySpec local;
    local.effect = u"local"_s;
    target.profile.policies = { local };
    return target;
}

sql::CompiledRule rule(sql::ActionVerb verb, KeyState from, std::optional<KeyState> to, const QString &needs = {},
    const QString &forbids = {})
{
    sql::CompiledRule made;
    made.verb = verb;
    made.from = { from };
    made.to = to;
    made.needsEffect = needs;
    made.forbidsEffect = forbids;
    return made;
}

sql::CompiledTarget compiled()
{
    sql::CompiledTarget compiled;
    compiled.rules = { rule(sql::ActionVerb::Recover, KeyState::InProgress, KeyState::FailedRetryable),
        rule(sql::ActionVerb::Recover, KeyState::InProgress, KeyState::Succeeded, u"order"_s),
        rule(sql::ActionVerb::Requeue, KeyState::FailedFinal, KeyState::FailedRetryable, {}, u"order"_s),
        rule(sql::ActionVerb::Recover, KeyState::InProgress, std::nullopt) };
    return compiled;
}

sql::EffectRow order(const QString &id)
{
    return { u"order"_s, true, Cell::of(id), {}, {} };
}

} // namespace

/// The frozen set of an action, and the models of the recovery and purge pages.
class TriageTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void bulkTakesWhatIsProposed();
    void requeueFollowsItsRules();
    void oneKeyGoesWhereAPersonSays();
    void runningKeyIsNeverTaken();
    void modelChecksOnlyWhatMayGo();
    void checksOutliveAReading();
    void headingsSayWhatIsTheSame();
    void aKeyJustStuckIsTickedByItself();
    void emptyModels();
    void actionsKeepTheirRows();
    void paceFollowsTheTime_data();
    void paceFollowsTheTime();
    void paceShrinksAfterTimeouts();
    void paceHoldsWhereSmallerBatchesDoNotHelp_data();
    void paceHoldsWhereSmallerBatchesDoNotHelp();
    void countsAreSaidInWords();
    void undoSaysHowLongAndThatItWasDone_data();
    void undoSaysHowLongAndThatItWasDone();
};

void TriageTest::bulkTakesWhatIsProposed()
{
    sql::TriagePage page;
    page.rows = { stale(u"a"_s), stale(u"b"_s), stale(u"c"_s, KeyState::InProgress, u"payments"_s), stale(u"d"_s) };
    page.rows[1].effects.first().rows = { order(u"o-1"_s) };
    page.rows[3].effects.first().error = u"permission denied"_s;
    const FrozenSet set = freeze(target(), compiled(), page, sql::ActionVerb::Recover);
    QCOMPARE(set.rows.size(), 3);
    QCOMPARE(set.keys.size(), 3);
    QCOMPARE(set.rows.at(0).rule, 0);
    // Freed because no effect was found: the empty id says so, and the server looks again. Of no type, so none is its
    // result.
    QVERIFY(!set.rows.at(0).effectId.null);
    QCOMPARE(set.rows.at(0).effectId.text, QString());
    QCOMPARE(set.rows.at(0).effectType, QString());
    QCOMPARE(set.rows.at(0).guard, page.rows.at(0).guard);
    QCOMPARE(set.rows.at(1).rule, 1);
    QCOMPARE(set.rows.at(1).effectId.text, u"o-1"_s);
    QCOMPARE(set.rows.at(1).effectType, u"order"_s);
    QCOMPARE(set.skipped.size(), 1);
    QCOMPARE(set.skipped.first().record.key.text, u"d"_s);
    QVERIFY(set.skipped.first().why.contains(u"permission denied"_s));
    QCOMPARE(set.groups.size(), 3);
    QCOMPARE(set.groups.at(0).rows, 1);
    QVERIFY(set.groups.at(0).cls.has_value());
}

void TriageTest::requeueFollowsItsRules()
{
    sql::TriagePage page;
    page.rows = { stale(u"a"_s, KeyState::FailedFinal), stale(u"b"_s, KeyState::Succeeded),
        stale(u"c"_s, KeyState::FailedFinal), stale(u"d"_s, KeyState::FailedFinal),
        stale(u"e"_s, KeyState::FailedFinal) };
    page.rows[2].rowLocked = Known::Yes;
    page.rows[3].effects.first().rows = { order(u"o-1"_s) }; // the rule forbids it
    page.rows[4].effects.first().error = u"gone"_s; // unreadable is not absent
    const FrozenSet set = freeze(target(), compiled(), page, sql::ActionVerb::Requeue);
    QCOMPARE(set.rows.size(), 1);
    QCOMPARE(set.keys.first().key.text, u"a"_s);
    QCOMPARE(set.rows.first().rule, 2);
    QCOMPARE(set.skipped.size(), 4);
    QVERIFY(std::all_of(
        set.skipped.cbegin(), set.skipped.cend(), [](const SkippedKey &key) { return !key.why.isEmpty(); }));
}

void TriageTest::oneKeyGoesWhereAPersonSays()
{
    sql::Target external = target();
    external.profile.policies.first().effect = u"external"_s;
    const sql::TriageFacts facts = stale(u"a"_s);
    QVERIFY(freeze(external, compiled(), { { facts }, false, {}, {} }, sql::ActionVerb::Recover).rows.isEmpty());
    const auto choices = choicesFor(external, compiled(), facts, sql::ActionVerb::Recover);
    QCOMPARE(choices.size(), 2); // no effect exists, so it cannot be made succeeded
    QCOMPARE(choices.at(0), std::optional(KeyState::FailedRetryable));
    QCOMPARE(choices.at(1), std::optional<KeyState>());
    const FrozenSet set = freezeOne(external, compiled(), facts, sql::ActionVerb::Recover, std::nullopt);
    QCOMPARE(set.rows.size(), 1);
    QCOMPARE(set.rows.first().rule, 3);
    QCOMPARE(set.groups.first().to, u"absent"_s);
    QVERIFY(freezeOne(external, compiled(), facts, sql::ActionVerb::Recover, KeyState::Succeeded).rows.isEmpty());
}

void TriageTest::runningKeyIsNeverTaken()
{
    sql::TriageFacts facts = stale(u"a"_s);
    facts.ownerAlive = Known::Yes;
    QVERIFY(choicesFor(target(), compiled(), facts, sql::ActionVerb::Recover).isEmpty());
    const FrozenSet one = freezeOne(target(), compiled(), facts, sql::ActionVerb::Recover, KeyState::FailedRetryable);
    QVERIFY(one.rows.isEmpty());
    QCOMPARE(one.skipped.first().cls, TriageClass::Running);
    facts = stale(u"a"_s);
    facts.record.stale = false; // and what is not stale is nobody's to recover
    QVERIFY(freezeOne(target(), compiled(), facts, sql::ActionVerb::Recover, KeyState::FailedRetryable).rows.isEmpty());
}

void TriageTest::modelChecksOnlyWhatMayGo()
{
    TriageModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QList<TriageModel::Row> rows;
    for (const QString &key : { u"a"_s, u"b"_s, u"<img src=x>\u202E"_s }) {
        TriageModel::Row row { stale(key), {}, key != u"b", false };
        row.judgement.cls = key == u"b" ? TriageClass::NeedsReview : TriageClass::SafeToRetry;
        row.judgement.reasons = { u"Because."_s };
        rows.append(row);
    }
    QSignalSpy checks(&model, &TriageModel::checksChanged);
    model.setJudged(rows, {});
    QCOMPARE(model.checkedCount(), 0); // nobody selected any
    QVERIFY(!model.anyChosen());
    model.checkAll(true);
    QVERIFY(model.anyChosen());
    QCOMPARE(model.checkedCount(), 2);
    QCOMPARE(model.mayCount(), 2);
    const QList<TriageTally> tallies = model.tallies();
    QCOMPARE(tallies.first().group, TriageGroup::SafeToRetry); // what can be acted on stands first
    QVERIFY(tallies.first().keys == 2 && tallies.first().may == 2 && tallies.first().checked == 2);
    QVERIFY(tallies.at(4).group == TriageGroup::NeedsReview && tallies.at(4).may == 0);
    QCOMPARE(tallies.at(4).whyNot, u"Because."_s);
    const QModelIndex may = model.index(0, TriageModel::Pick);
    const QModelIndex mayNot = model.index(1, TriageModel::Pick);
    QVERIFY(may.flags() & Qt::ItemIsUserCheckable);
    QVERIFY(!(mayNot.flags() & Qt::ItemIsUserCheckable));
    QVERIFY(!mayNot.data(Qt::CheckStateRole).isValid());
    QVERIFY(!model.setData(mayNot, Qt::Checked, Qt::CheckStateRole));
    QVERIFY(model.setData(may, Qt::Unchecked, Qt::CheckStateRole));
    QCOMPARE(model.checkedFacts().size(), 1);
    model.checkGroup(TriageGroup::SafeToRetry, true);
    model.checkGroup(TriageGroup::NeedsReview, true);
    QCOMPARE(model.checkedCount(), 2);
    model.checkAll(false);
    QCOMPARE(model.checkedCount(), 0);
    QVERIFY(checks.size() >= 4);
    // What nobody has seen does not go with what they chose.
    rows.append({ stale(u"new"_s), {}, true, false });
    model.setJudged(rows, {});
    QCOMPARE(model.checkedCount(), 0);
    model.checkGroup(TriageGroup::SafeToRetry, true);
    const int seen = model.checkedCount();
    rows.append({ stale(u"newer"_s), {}, true, false });
    model.setJudged(rows, {});
    QCOMPARE(model.checkedCount(), seen);
    rows.resize(3);
    model.setJudged(rows, {});
    const QString shown = model.index(2, TriageModel::Key).data().toString();
    QVERIFY2(shown.contains(u"\\u202E"_s), qPrintable(shown));
    for (int column = 0; column < TriageModel::ColumnCount; ++column) {
        QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
    }
    sortByGroup(&rows);
    QCOMPARE(rows.last().judgement.cls, TriageClass::NeedsReview);
    QCOMPARE(rows.first().facts.record.key.text, u"a"_s);
}

/// What a person checked stays so in the next reading, and what they did not see is not checked by itself.
void TriageTest::checksOutliveAReading()
{
    TriageModel model;
    QList<TriageModel::Row> rows;
    for (const QString &key : { u"a"_s, u"b"_s, u"c"_s }) {
        rows.append({ stale(key), {}, key != u"b", false });
    }
    model.setJudged(rows, {});
    model.checkAll(true);
    // What went out of sight is not checked by itself when it comes back; no reading in between takes nothing back.
    model.setJudged({}, {});
    model.setJudged(rows, {});
    QCOMPARE(model.checkedCount(), 2);
    model.setJudged({ rows.at(1) }, {});
    model.setJudged(rows, {});
    QCOMPARE(model.checkedCount(), 0);
    // Keys that were picked one by one come checked, but for those taken out since.
    TriageModel picked;
    for (TriageModel::Row &row : rows) {
        row.checked = row.may;
    }
    picked.setJudged(rows, {});
    QVERIFY(picked.checkedCount() == picked.mayCount() && !picked.anyChosen());
    QVERIFY(picked.setData(picked.index(0, TriageModel::Pick), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(picked.anyChosen());
    picked.setJudged(rows, {});
    QCOMPARE(picked.checkedCount(), picked.mayCount() - 1);
}

/// What becomes of each key of a class, and why, is said once; where two differ, each row says its own.
void TriageTest::headingsSayWhatIsTheSame()
{
    TriageModel model;
    TriageGroups groups(&model);
    const QAbstractItemModelTester tester(&groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QList<TriageModel::Row> rows;
    const auto add = [&rows](const QString &key, TriageClass cls, KeyState to, const QString &why) {
        TriageModel::Row row { stale(key), {}, true, true };
        row.judgement.cls = cls;
        row.judgement.rule = 0;
        row.judgement.proposed = to;
        row.judgement.reasons = { u"First."_s, why };
        rows.append(row);
    };
    add(u"a"_s, TriageClass::SafeToRetry, KeyState::FailedRetryable, u"Nothing happened."_s);
    add(u"b"_s, TriageClass::SafeToRetry, KeyState::FailedRetryable, u"Nothing happened."_s);
    add(u"c"_s, TriageClass::EffectHappened, KeyState::Succeeded, u"“order” 1 exists."_s);
    add(u"d"_s, TriageClass::EffectHappened, KeyState::Succeeded, u"“order” 2 exists."_s);
    add(u"e"_s, TriageClass::Abandoned, KeyState::FailedFinal, u"It is past its expiry."_s);
    model.setJudged(rows, {});
    const auto text = [&groups](int row, int column) { return groups.index(row, column).data().toString(); };
    QCOMPARE(text(0, 0), u"2 of 2 selected → Failed, retryable"_s);
    QCOMPARE(groups.index(0, 0).data(DetailRole).toString(), u"Nothing happened."_s);
    QCOMPARE(groups.index(0, 0).data(Qt::AccessibleTextRole).toString(),
        u"Safe to retry: 2 of 2 selected → Failed, retryable. Nothing happened."_s);
    // The rows keep what becomes of them, for who has the column shown; why is not repeated, but what led there is
    // said.
    QCOMPARE(text(1, TriageModel::Proposed), u"Failed, retryable"_s);
    QCOMPARE(text(1, TriageModel::Why), u"First."_s);
    QVERIFY(groups.saidAboveRow(0) && !groups.saidAboveRow(2));
    QCOMPARE(text(3, 0), u"2 of 2 selected → Succeeded"_s);
    QCOMPARE(text(4, TriageModel::Why), u"“order” 1 exists."_s);
    QCOMPARE(text(6, 0), u"1 of 1 selected → Failed, final"_s);
    QCOMPARE(text(7, TriageModel::Why), u"It is past its expiry."_s); // which one row says itself
    QVERIFY(!groups.saidAbove(TriageModel::Why) && groups.saidAbove(TriageModel::Proposed));
    groups.setShown({ TriageGroup::SafeToRetry }, true);
    QVERIFY(!groups.saidAbove(TriageModel::Why) && groups.saidAbove(TriageModel::Proposed));
    groups.setShown({ TriageGroup::SafeToRetry }, true, false); // the page says why
    QCOMPARE(text(1, TriageModel::Why), u"Nothing happened."_s);
    groups.setShown({ TriageGroup::SafeToRetry }, false);
    QCOMPARE(text(0, TriageModel::Why), u"Nothing happened."_s);
    // Beside a column of scopes the keys do not say them again.
    QCOMPARE(groups.index(0, TriageModel::Key).data(DetailRole).toString(), u"orders"_s);
    groups.setApart(true);
    QVERIFY(!groups.index(0, TriageModel::Key).data(DetailRole).isValid());
    QCOMPARE(groups.headerData(TriageModel::Key, Qt::Horizontal, Qt::DisplayRole).toString(), u"Key"_s);
    QCOMPARE(text(0, TriageModel::Scope), u"orders"_s);
    // And of all that is selected it is said what becomes of how many.
    QCOMPARE(model.becomesText(), u"2 → Failed, retryable · 2 → Succeeded · 1 → Failed, final"_s);
    // Where most have one reason, it is said of these, and the others say their own.
    TriageModel::Row other = rows.first();
    other.judgement.reasons = { u"First."_s, u"Something happened."_s };
    model.setJudged({ rows.at(0), other, rows.at(1) }, {});
    groups.setShown({ TriageGroup::SafeToRetry }, true);
    QCOMPARE(groups.index(0, 0).data(DetailRole).toString(), u"2 of them: Nothing happened."_s);
    QVERIFY(groups.saidAboveRow(0) && !groups.saidAboveRow(1) && groups.saidAboveRow(2));
    QCOMPARE(text(2, TriageModel::Why), u"Something happened."_s);
    QVERIFY(!groups.saidAbove(TriageModel::Why));
    // Where one reason is all that there is, the rows need no column for it.
    for (TriageModel::Row &row : rows) {
        row.judgement.reasons = { u"Nothing happened."_s };
    }
    model.setJudged(rows.first(2), {});
    groups.setShown({ TriageGroup::SafeToRetry }, true);
    QVERIFY(groups.saidAbove(TriageModel::Why));
    QCOMPARE(text(1, TriageModel::Why), QString());
}

/// Its worker may be finishing: it is not taken with all others, nor called safe, and its heading says so.
void TriageTest::aKeyJustStuckIsTickedByItself()
{
    TriageModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    TriageGroups groups(&model);
    QList<TriageModel::Row> rows;
    for (const QString &key : { u"old"_s, u"older"_s, u"fresh"_s }) {
        TriageModel::Row row { stale(key), {}, true, false, key == u"fresh" };
        row.judgement.cls = TriageClass::SafeToRetry;
        row.judgement.reasons = { u"No order exists."_s, u"Nothing is left behind."_s };
        row.facts.staleSince
            = sql::Timestamp { sql::Timestamp::Kind::Finite, (key == u"fresh" ? 48 : 0) * sql::kMicros };
        rows.append(row);
    }
    model.setJudged(rows, { sql::Timestamp::Kind::Finite, 60 * sql::kMicros });
    model.checkAll(true);
    QCOMPARE(model.checkedCount(), 2);
    const TriageTally tally = model.tallies().first();
    QVERIFY(tally.may == 2 && tally.together == 2 && tally.open == 0 && tally.checked == 2);
    const TriageTally fresh = model.tallies().at(3);
    QVERIFY(fresh.group == TriageGroup::TooFresh && fresh.may == 1 && fresh.together == 0 && fresh.checked == 0);
    QCOMPARE(groups.index(0, TriageModel::Pick).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
    // Its heading has no box that would take it with others.
    QVERIFY(groups.isHeading(3) && !groups.index(3, TriageModel::Pick).data(Qt::CheckStateRole).isValid());
    QVERIFY(!groups.setData(groups.index(3, TriageModel::Pick), Qt::Checked, Qt::CheckStateRole));
    const QString said = groups.index(3, TriageModel::Pick).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(said.startsWith(u"Too fresh: 0 of 1 selected"_s) && said.contains(u"under a minute"_s), qPrintable(said));
    QCOMPARE(groups.index(4, TriageModel::Why).data().toString(), u"Nothing is left behind."_s);
    // Whatever else is too fresh stands with it, and needs no column of its own for what becomes of it.
    TriageModel happenedModel;
    TriageGroups happenedGroups(&happenedModel);
    TriageModel::Row happened = rows.last();
    happened.judgement.cls = TriageClass::EffectHappened;
    happened.judgement.rule = 0;
    happened.judgement.proposed = KeyState::Succeeded;
    TriageModel::Row retry = rows.last();
    retry.judgement.rule = 0;
    retry.judgement.proposed = KeyState::FailedRetryable;
    happenedModel.setJudged({ retry, happened, retry, happened }, {});
    QCOMPARE(happenedGroups.index(0, 0).data().toString(), u"0 of 4 selected → Failed, retryable / Succeeded"_s);
    QVERIFY(happenedGroups.saidAbove(TriageModel::Proposed));
    // The others say what led to what their heading says.
    QCOMPARE(groups.index(1, TriageModel::Why).data().toString(), u"No order exists."_s);
    QVERIFY(!groups.saidAbove(TriageModel::Why));
    // By itself it is ticked, and stays so when all are; with all it is taken out.
    QVERIFY(model.setData(model.index(2, TriageModel::Pick), Qt::Checked, Qt::CheckStateRole));
    model.checkGroup(TriageGroup::SafeToRetry, true);
    QCOMPARE(model.checkedCount(), 3);
    model.checkAll(false);
    model.checkGroup(TriageGroup::SafeToRetry, true);
    QCOMPARE(model.checkedCount(), 2);
}

void TriageTest::emptyModels()
{
    TriageModel triage;
    PurgeGroupsModel groups;
    PartitionsModel partitions;
    ActionsModel actions;
    for (QAbstractItemModel *model :
        { static_cast<QAbstractItemModel *>(&triage), static_cast<QAbstractItemModel *>(&groups),
            static_cast<QAbstractItemModel *>(&partitions), static_cast<QAbstractItemModel *>(&actions) }) {
        const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model->rowCount(), 0);
    }
    const QAbstractItemModelTester tester(&groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
    groups.setGroups({ { { Cell::of(u"orders"_s) }, KeyState::Succeeded, 12'345, {}, {}, {}, true } });
    QCOMPARE(groups.index(0, PurgeGroupsModel::Rows).data().toString(), u"12,345"_s);
    QCOMPARE(groups.index(0, PurgeGroupsModel::Left).data().toString(), u"Empties the scope"_s);
    // Batches tell the scope, not the state; a scope that none of them names is no zero.
    const auto group = [](const QString &scope, KeyState state) {
        return sql::PurgeGroup { { Cell::of(scope) }, state, 10, {}, {}, {}, false };
    };
    groups.setGroups({ group(u"a"_s, KeyState::Succeeded), group(u"b"_s, KeyState::Succeeded),
        group(u"b"_s, KeyState::FailedFinal), group(u"c"_s, KeyState::Succeeded) });
    const auto purged = [&groups](int row) { return groups.index(row, PurgeGroupsModel::Purged).data().toString(); };
    groups.setPurged({ { { Cell::of(u"a"_s) }, 1'200 }, { { Cell::of(u"b"_s) }, 7 } }, false);
    QCOMPARE(purged(0), u"1,200"_s);
    QCOMPARE(purged(1), u"7 of 20"_s);
    QCOMPARE(purged(3), u"–"_s);
    groups.setPurged({ { { Cell::of(u"a"_s) }, 1'200 } }, true);
    QCOMPARE(purged(3), u"0"_s);
    groups.setGroups({ group(u"a"_s, KeyState::Succeeded) });
    QCOMPARE(purged(0), u"–"_s);
    const QAbstractItemModelTester other(&partitions, QAbstractItemModelTester::FailureReportingMode::QtTest);
    partitions.setPartitions({ { u"\"a\".\"b\""_s, u"FOR VALUES FROM (1) TO (2)"_s, 5, 5, 1024, true, {} } });
    QCOMPARE(partitions.index(0, PartitionsModel::Name).data().toString(), u"a.b"_s);
    QCOMPARE(partitions.index(0, PartitionsModel::Bounds).data().toString(), u"FROM (1) TO (2)"_s);
}

void TriageTest::actionsKeepTheirRows()
{
    ActionsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    sql::ActionRecord action;
    action.id = u"1"_s;
    action.verb = sql::ActionVerb::Purge;
    action.plannedRows = 1'000;
    model.setActions({ action });
    action.counts.insert(u"purged"_s, 999);
    model.setActions({ action }); // the same one, further on
    QCOMPARE(resets.size(), 1);
    QCOMPARE(model.index(0, ActionsModel::Outcome).data().toString(), u"999 purged"_s);
    model.setActions({});
    QCOMPARE(model.rowCount(), 0);
}

void TriageTest::paceFollowsTheTime_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<qint64>("micros");
    QTest::addColumn<int>("next");
    QTest::newRow("as wished") << 1'000 << qint64(100'000) << 1'000;
    QTest::newRow("quick: a fifth more at most") << 1'000 << qint64(1'000) << 1'200;
    QTest::newRow("a little slow") << 1'000 << qint64(200'000) << 500;
    QTest::newRow("over the ceiling: half at once") << 1'000 << qint64(2'000'000) << 500;
    QTest::newRow("never under a hundred") << 150 << qint64(9'000'000) << 100;
    QTest::newRow("never over ten thousand") << 9'500 << qint64(1'000) << 10'000;
    QTest::newRow("took no time at all") << 1'000 << qint64(0) << 1'000;
}

void TriageTest::paceFollowsTheTime()
{
    QFETCH(int, first);
    QFETCH(qint64, micros);
    BatchPace pace(first);
    pace.took(micros);
    QTEST(pace.rows(), "next");
    QVERIFY(pace.pauseMs() >= micros / 1'000 + 50);
    QVERIFY(pace.pauseMs() <= micros / 1'000 + 250);
}

void TriageTest::paceShrinksAfterTimeouts()
{
    BatchPace pace(1'000);
    pace.timedOut();
    QCOMPARE(pace.rows(), 500);
    for (int i = 0; i < 20; ++i) {
        pace.took(1'000);
    }
    QCOMPARE(pace.rows(), 500); // for the rest of the run
}

void TriageTest::paceHoldsWhereSmallerBatchesDoNotHelp_data()
{
    QTest::addColumn<double>("fixed"); // milliseconds of each batch, whatever its size
    QTest::addColumn<double>("perRow");
    QTest::addColumn<bool>("dear"); // every third batch is slow by chance
    QTest::addColumn<int>("atLeast"); // rows of a batch, on average
    QTest::addColumn<int>("atMost");
    QTest::newRow("a row costs what it costs") << 5.0 << 1.0 << false << 100 << 130;
    QTest::newRow("each batch waits for a busy server") << 150.0 << 0.1 << false << 600 << 2'000;
    QTest::newRow("each batch waits long") << 400.0 << 0.1 << false << 600 << 2'000;
    QTest::newRow("every third batch is slow") << 30.0 << 0.08 << true << 600 << 10'000;
    QTest::newRow("an idle server") << 10.0 << 0.04 << false << 1'500 << 2'500;
}

/// An undo came to 100 rows a batch beside a purge's thousands, only because every batch waited for the processor.
void TriageTest::paceHoldsWhereSmallerBatchesDoNotHelp()
{
    QFETCH(double, fixed);
    QFETCH(double, perRow);
    QFETCH(bool, dear);
    QFETCH(int, atLeast);
    QFETCH(int, atMost);
    BatchPace pace(1'000);
    constexpr int kBatches = 90;
    qint64 rows = 0;
    for (int i = 0; i < kBatches; ++i) {
        rows += i >= 15 ? pace.rows() : 0; // once it has settled
        pace.took(qint64(1'000 * (fixed + perRow * pace.rows() + (dear && i % 3 == 0 ? 300 : 0))));
    }
    const qint64 average = rows / (kBatches - 15);
    QVERIFY2(average >= atLeast && average <= atMost, qPrintable(QString::number(average)));
}

void TriageTest::countsAreSaidInWords()
{
    QCOMPARE(countsText({ { u"done"_s, 412 }, { u"locked"_s, 1 }, { u"changed"_s, 3 } }),
        u"412 done, 3 changed meanwhile, 1 locked"_s);
    QCOMPARE(countsText({}), u"nothing yet"_s);
    sql::ActionRecord action;
    action.state = sql::ActionState::Running;
    QCOMPARE(outcomeText(action), u"nothing yet"_s);
    action.state = sql::ActionState::Declined;
    QCOMPARE(outcomeText(action), u"nothing done"_s);
    action.counts = { { u"done"_s, 2 } };
    QCOMPARE(outcomeText(action), u"2 done"_s);
    action.verb = sql::ActionVerb::Undo;
    QCOMPARE(outcomeText(action), u"2 restored"_s);
    QCOMPARE(countsText({ { u"new outcome"_s, 1 } }), u"1 new outcome"_s);
    QCOMPARE(rowsDone({ { u"purged"_s, 5 }, { u"refused"_s, 2 } }), 5);
    QCOMPARE(rowsSkipped({ { u"purged"_s, 5 }, { u"refused"_s, 2 } }), 2);
}

void TriageTest::undoSaysHowLongAndThatItWasDone_data()
{
    QTest::addColumn<sql::ActionVerb>("verb");
    QTest::addColumn<QByteArray>("plan");
    QTest::addColumn<QString>("until");
    QTest::newRow("what can be undone") << sql::ActionVerb::Purge << QByteArray("{}")
                                        << u"Can be undone for 7 day(s), until 2026-12-06"_s;
    QTest::newRow("a purge that keeps no rows")
        << sql::ActionVerb::Purge << QByteArray(R"({"images":false})") << u"Cannot be undone: the rows are not kept"_s;
    QTest::newRow("an undo") << sql::ActionVerb::Undo << QByteArray("{}") << u"Cannot be undone"_s;
    QTest::newRow("a dropped partition") << sql::ActionVerb::Drop << QByteArray("{}") << u"Cannot be undone"_s;
}

/// Whoever approves is told before; whoever reads the list sees that rows which "were purged" stand there again.
void TriageTest::undoSaysHowLongAndThatItWasDone()
{
    QFETCH(sql::ActionVerb, verb);
    QFETCH(QByteArray, plan);
    sql::ActionRecord action;
    action.id = u"a"_s;
    action.verb = verb;
    action.planJson = plan;
    action.requestedAt = sql::Timestamp::parse(u"2026-11-29 02:07:22+00"_s).value();
    action.keepUntil = u"2026-12-06"_s;
    action.counts = { { u"purged"_s, 5 } };
    QTEST(undoUntilText(action), "until");
    sql::ActionRecord undo;
    undo.verb = sql::ActionVerb::Undo;
    undo.undoOf = action.id;
    undo.plannedRows = 5;
    undo.counts = { { u"done"_s, 3 } };
    QCOMPARE(undoneText(action, { undo }, TimeFormat()), QString()); // it is not over
    undo.finishedAt = sql::Timestamp::parse(u"2026-11-29 02:07:23+00"_s);
    QCOMPARE(undoneText(action, { undo }, TimeFormat()), u"partly undone 2026-11-29 02:07:23"_s);
    undo.counts = { { u"done"_s, 5 } };
    QCOMPARE(undoneText(action, { action, undo }, TimeFormat()), u"undone 2026-11-29 02:07:23"_s);
    QCOMPARE(actionTitle(undo, nullptr), u"Undo 5 row(s): 5 row(s) restored"_s);
}

QTEST_GUILESS_MAIN(TriageTest)
#include "tst_triage.moc"
