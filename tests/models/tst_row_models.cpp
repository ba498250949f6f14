// SPDX-License-Identifier: GPL-3.0-or-later
// What all flat lists share: columns from a table, hostile text made safe, times in one format, more rows asked for
// once.
#include "models/actions/action_rows.h"
#include "models/actions/actions_model.h"
#include "models/alerts/alert_model.h"
#include "models/audit/audit_model.h"
#include "models/complaint/complaint_model.h"
#include "models/conflicts/conflict_model.h"
#include "models/connection/connection_controller.h"
#include "models/duplicates/duplicate_keys.h"
#include "models/duplicates/duplicate_model.h"
#include "models/health/health_model.h"
#include "models/keys/record_model.h"
#include "models/keys/touches_model.h"
#include "models/mapping/mapping_model.h"
#include "models/mapping/proposal_model.h"
#include "models/mapping/states_model.h"
#include "models/overview/overview_model.h"
#include "models/purge/partitions_model.h"
#include "models/purge/purge_groups_model.h"
#include "models/triage/triage_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

const QString kHostile = u"a\n\u202Eb"_s;

/// One line of this file's own list.
struct Line {
    QString id;
    QString text;
    sql::Timestamp at;
    qint64 number = 0;
};

/// The smallest list of rows.
class LinesModel final : public RowModel<LinesModel, Line>
{
public:
    enum Column { Text, At, Number, ColumnCount };
    using RowModel::appendRows;
    using RowModel::RowModel;
    using RowModel::setRows;
    void update(const QList<Line> &lines)
    {
        updateRows(lines, [](const Line &a, const Line &b) { return a.id == b.id; });
    }

    static std::span<const ColumnSpec> columns()
    {
        static constexpr ColumnSpec specs[] = {
            { .title = [] { return u"Text"_s; },
                .text = [](const LinesModel &, const Line &line) { return line.text; },
                .help = [] { return u"help"_s; } },
            { .title = [] { return u"At"_s; },
                .text = [](const LinesModel &model, const Line &line) { return model.timeFormat().text(line.at); },
                .toolTip = [](const LinesModel &model, const Line &line) { return model.timeFormat().exact(line.at); },
                .time = true },
            { .title = [] { return u"Number"_s; },
                .text = [](const LinesModel &, const Line &line) { return QString::number(line.number); },
                .alignment = kNumber },
        };
        static_assert(std::size(specs) == ColumnCount);
        return specs;
    }
    QVariant itemData(const Line &line, int, int role) const
    {
        return role == RawRole ? QVariant(line.id) : QVariant();
    }
};

QList<Line> lines(const QStringList &ids)
{
    QList<Line> made;
    for (const QString &id : ids) {
        made.append({ id, id + kHostile, sql::Timestamp {}, made.size() });
    }
    return made;
}

/// Each title, cell and tooltip of a model: there, and on one line unless the model says several on purpose.
void checkCells(const QAbstractItemModel &model, int rows, bool linesInToolTips = false)
{
    QCOMPARE(model.rowCount(), rows);
    for (int column = 0; column < model.columnCount(); ++column) {
        QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        QVERIFY(!model.headerData(column, Qt::Vertical, Qt::DisplayRole).isValid());
        for (int row = 0; row < rows; ++row) {
            const QModelIndex index = model.index(row, column);
            for (const int role : { int(Qt::DisplayRole), int(Qt::AccessibleTextRole), int(Qt::ToolTipRole),
                     int(TitleRole), int(DetailRole) }) {
                const QString text = index.data(role).toString();
                QVERIFY2(!text.contains(u'\u202E'), qPrintable(text));
                QVERIFY2(!text.contains(u'\n') || (linesInToolTips && role == Qt::ToolTipRole), qPrintable(text));
            }
        }
    }
    QVERIFY(!model.headerData(model.columnCount(), Qt::Horizontal, Qt::DisplayRole).isValid());
}

sql::Profile hostileProfile()
{
    sql::Profile profile;
    profile.name = u"p"_s;
    profile.title = kHostile;
    profile.relation = kHostile;
    profile.key.sql = kHostile;
    profile.scope.append({ kHostile, {} });
    profile.states.append({ kHostile, sql::KeyState::Succeeded });
    return profile;
}

sql::Target hostileTarget()
{
    sql::Target target;
    target.profile = hostileProfile();
    return target;
}

sql::KeyRecord hostileRecord()
{
    sql::KeyRecord record;
    record.key = sql::Cell::of(kHostile);
    record.scope = { sql::Cell::of(kHostile) };
    return record;
}

} // namespace

class RowModelsTest final : public QObject
{
    Q_OBJECT

private slots:
    void columnsComeFromTheirTable()
    {
        LinesModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows(lines({ u"a"_s, u"b"_s }));
        checkCells(model, 2);
        QCOMPARE(model.index(1, LinesModel::Text).data().toString(), u"ba\\n\\u202Eb"_s);
        QCOMPARE(model.index(1, LinesModel::Text).data(Qt::ToolTipRole).toString(), u"ba\\n\\u202Eb"_s);
        QVERIFY(model.index(0, LinesModel::At).data().toString()
            != model.index(0, LinesModel::At).data(Qt::ToolTipRole).toString());
        QCOMPARE(model.index(0, LinesModel::Number).data(Qt::TextAlignmentRole).toInt(),
            int(Qt::AlignRight | Qt::AlignVCenter));
        QCOMPARE(model.headerData(LinesModel::Number, Qt::Horizontal, Qt::TextAlignmentRole).toInt(),
            int(Qt::AlignRight | Qt::AlignVCenter));
        QVERIFY(!model.index(0, LinesModel::Text).data(Qt::TextAlignmentRole).isValid());
        QCOMPARE(model.headerData(LinesModel::Text, Qt::Horizontal, Qt::ToolTipRole).toString(), u"help"_s);
        QVERIFY(!model.headerData(LinesModel::At, Qt::Horizontal, Qt::ToolTipRole).isValid());
        QCOMPARE(model.index(1, LinesModel::At).data(RawRole).toString(), u"b"_s);
        QVERIFY(model.row(-1) == nullptr && model.row(2) == nullptr);
        QCOMPARE(model.row(1)->id, u"b"_s);
    }

    void rowsThatAreTheSameKeepTheirPlace()
    {
        LinesModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows(lines({ u"a"_s, u"b"_s }));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy said(&model, &QAbstractItemModel::dataChanged);
        QList<Line> newer = lines({ u"a"_s, u"b"_s });
        newer[1].text = u"newer"_s;
        model.update(newer);
        QVERIFY(reset.isEmpty() && said.size() == 1);
        QCOMPARE(model.index(1, 0).data().toString(), u"newer"_s);
        model.update(lines({ u"b"_s, u"a"_s }));
        QCOMPARE(reset.size(), 1);
        model.update({});
        QCOMPARE(reset.size(), 2);
        model.update({}); // nothing stays nothing, and no cell is said anew
        QCOMPARE(reset.size(), 2);
        QCOMPARE(said.size(), 1);
    }

    void onlyTimesAreSaidAnewInAnotherFormat()
    {
        LinesModel model;
        QSignalSpy said(&model, &QAbstractItemModel::dataChanged);
        model.setTimeFormat(TimeFormat(TimeDisplay::Server, u"Europe/Berlin"_s));
        QVERIFY(said.isEmpty()); // there is no row
        model.setRows(lines({ u"a"_s, u"b"_s }));
        const QString before = model.index(0, LinesModel::At).data().toString();
        model.setTimeFormat(TimeFormat(TimeDisplay::Server, u"Asia/Tokyo"_s));
        QCOMPARE(said.size(), 1);
        QCOMPARE(said.first().at(0).toModelIndex(), model.index(0, LinesModel::At));
        QCOMPARE(said.first().at(1).toModelIndex(), model.index(1, LinesModel::At));
        QVERIFY(model.index(0, LinesModel::At).data().toString() != before);
        model.setTimeFormat(TimeFormat(TimeDisplay::Server, u"Asia/Tokyo"_s));
        QCOMPARE(said.size(), 1);
    }

    void moreRowsAreAskedForOnce()
    {
        LinesModel model; // without the tester, which fetches rows itself
        QSignalSpy wanted(&model, &LinesModel::moreWanted);
        model.fetchMore({});
        QVERIFY(wanted.isEmpty()); // none are known of
        model.setRows(lines({ u"a"_s }), true);
        QVERIFY(model.canFetchMore({}) && !model.canFetchMore(model.index(0, 0)));
        model.fetchMore({});
        model.fetchMore({});
        QCOMPARE(wanted.size(), 1);
        model.moreFailed();
        model.fetchMore({});
        QCOMPARE(wanted.size(), 2);
        // Whoever asks while rows go in would get them twice.
        connect(&model, &QAbstractItemModel::rowsInserted, &model, [&] { QVERIFY(!model.canFetchMore({})); });
        model.appendRows(lines({ u"b"_s, u"c"_s }), true);
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(model.canFetchMore({}));
        model.appendRows({}, false);
        QVERIFY(!model.canFetchMore({}) && model.rowCount() == 3);
    }

    void actionsAndTheirRows()
    {
        ActionsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::ActionRecord action;
        action.id = u"1"_s;
        action.target = action.requestedBy = action.approvedBy = action.reason = action.ticket = action.note = kHostile;
        model.setActions({ action });
        checkCells(model, 1);
        QCOMPARE(model.index(0, 0).data(ActionIdRole).toString(), u"1"_s);
        QVERIFY(
            model.index(0, ActionsModel::State).data() != model.index(0, ActionsModel::State).data(Qt::ToolTipRole));
        // What stands beneath is read aloud, too, and what waits for a person is amber.
        action.target = u"k2"_s;
        action.requestedBy = u"op"_s;
        action.state = sql::ActionState::Requested;
        model.setActions({ action });
        TargetEntry titled;
        titled.target.profile.name = u"k2"_s;
        titled.target.profile.title = u"Payments"_s;
        titled.target.profile.relation = u"app.keys"_s;
        model.setTitles(TargetTitles({ titled }));
        const QModelIndex table = model.index(0, ActionsModel::Target);
        QCOMPARE(table.data().toString(), u"Payments"_s);
        QCOMPARE(table.data(Qt::AccessibleTextRole).toString(), u"Payments, app.keys"_s);
        QVERIFY(model.index(0, ActionsModel::AskedAt).data(Qt::AccessibleTextRole).toString().endsWith(u", op"_s));
        QVERIFY(model.index(0, ActionsModel::State).data(StaleRole).toBool());
        QCOMPARE(model.titles().nameFor(u"payments"_s), u"k2"_s); // as a person types it
        QCOMPARE(model.titles().nameFor(u"APP.KEYS"_s), u"k2"_s);
        QCOMPARE(model.titles().nameFor(u"gone"_s), u"gone"_s);
        // One profile for two tables: neither a question nor a filter may mean the wrong one.
        TargetEntry second = titled;
        second.target.profile.name = u"k3"_s;
        const TargetTitles both({ titled, second });
        QCOMPARE(both.title(u"k3"_s), u"Payments (k3)"_s);
        QCOMPARE(both.nameFor(u"Payments"_s), u"Payments"_s);
        QCOMPARE(both.nameFor(u"payments (k2)"_s), u"k2"_s);
        ActionRows rows(nullptr, u"1"_s);
        QAbstractItemModelTester rowsTester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        checkCells(rows, 0);
        // A row that went or came back says what is in it beside its key, long values in part.
        sql::ActionItem item;
        item.identity = { sql::Cell::of(u"k-1"_s) };
        item.columns = { u"key"_s, u"status"_s, u"owner"_s, u"body"_s };
        const sql::Cells values { sql::Cell::of(u"k-1"_s), sql::Cell::of(u"done"_s), sql::Cell(),
            sql::Cell::of(QString(100, u'x')) };
        const QString held = u"status done · body "_s + QString(40, u'x') + u'…';
        item.before = values;
        QCOMPARE(valuesText(item), held);
        std::swap(item.before, item.after);
        QCOMPARE(valuesText(item), held);
        item.before = values;
        item.before[1] = sql::Cell::of(u"open"_s);
        QCOMPARE(valuesText(item), u"status: open → done"_s);
        rows.fetchMore({}); // without a database they stay to be asked for
        QVERIFY(rows.canFetchMore({}) && !rows.busy());
    }

    void theTrailAndConflicts()
    {
        AuditModel trail;
        QAbstractItemModelTester tester(&trail, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::AuditRow row;
        row.who = row.target = row.address = row.what = row.action = row.hash = kHostile;
        row.factsJson = QByteArrayLiteral("{\"reason\": \"x\\ny\"}");
        trail.replace({ row }, true);
        trail.append({ row }, false);
        checkCells(trail, 2);
        QVERIFY(!trail.canFetchMore({}));
        ConflictModel conflicts;
        QAbstractItemModelTester conflictsTester(&conflicts, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::ConflictRecord record;
        record.kind = record.target = record.scope = record.keyHash = record.caller = kHostile;
        conflicts.setPage({ { record }, true });
        record.key = kHostile;
        conflicts.append({ { record }, false });
        TargetEntry titled;
        titled.target.profile.name = kHostile;
        titled.target.profile.title = kHostile + u"label"_s;
        conflicts.setTitles(TargetTitles({ titled }));
        checkCells(conflicts, 2);
        QVERIFY(conflicts.index(0, ConflictModel::Table).data().toString().endsWith(u"label"_s));
    }

    void healthAlertsAndDuplicates()
    {
        HealthModel health;
        QAbstractItemModelTester tester(&health, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::HealthFinding finding;
        finding.title = finding.seen = kHostile;
        finding.level = sql::HealthLevel::Problem;
        health.setReports({ { u"p"_s, kHostile, finding } });
        checkCells(health, 1);
        health.setTarget(u"another"_s);
        QCOMPARE(health.rowCount(), 0);
        AlertModel alerts;
        QAbstractItemModelTester alertsTester(&alerts, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::AlertStatus status;
        status.rule.title = status.why = kHostile;
        status.since = sql::Timestamp {};
        alerts.setEntries({ { u"p"_s, kHostile, status } });
        checkCells(alerts, 1);
        QVERIFY(alerts.index(0, 0).data(LevelRole).isValid());
        DuplicateModel duplicates;
        QAbstractItemModelTester duplicatesTester(&duplicates, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::DuplicateGroup group;
        group.shared = kHostile;
        group.scope = { sql::Cell::of(kHostile) };
        duplicates.setGroups({ group });
        checkCells(duplicates, 1);
        DuplicateKeyModel keys;
        QAbstractItemModelTester keysTester(&keys, QAbstractItemModelTester::FailureReportingMode::QtTest);
        group.sample = { kHostile };
        group.sampleScopes = { group.scope };
        keys.setGroup({}, group);
        checkCells(keys, 1);
    }

    void oneKeyAndWhoTouchedIt()
    {
        RecordModel record;
        QAbstractItemModelTester tester(&record, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::KeyDetail detail;
        detail.record = hostileRecord();
        detail.columns.append({ kHostile, kHostile, sql::Cell::of(kHostile) });
        record.setDetail(hostileTarget(), detail);
        checkCells(record, record.rowCount(), true);
        QVERIFY(record.rowCount() > 2);
        record.clear();
        checkCells(record, 0);
        TouchesModel touches;
        QAbstractItemModelTester touchesTester(&touches, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::KeyTouch touch;
        touch.who = touch.approvedBy = touch.reason = touch.ticket = touch.outcome = touch.detail = kHostile;
        touches.setTouches({ touch });
        checkCells(touches, 1);
    }

    void tablesAndTheirMapping()
    {
        OverviewModel overview;
        QAbstractItemModelTester tester(&overview, QAbstractItemModelTester::FailureReportingMode::QtTest);
        overview.setTargets({ hostileTarget() });
        sql::Error error;
        error.what = error.why = kHostile;
        overview.setResult(0, error);
        checkCells(overview, 1);
        QVERIFY(!overview.headerData(OverviewModel::Stale, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        overview.setLoading(0, true);
        QVERIFY(overview.index(0, 0).data(LoadingRole).toBool());
        ProposalModel proposals;
        QAbstractItemModelTester proposalsTester(&proposals, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::Proposal proposal;
        proposal.relation.oid = 7;
        proposal.relation.schema = proposal.relation.name = kHostile;
        proposal.reasons = proposal.doubts = QStringList { kHostile };
        proposals.setProposals({ proposal }, { 7 });
        checkCells(proposals, 1, true);
        QVERIFY(proposals.index(0, 0).data(KnownRole).toBool());
        MappingModel mapping;
        QAbstractItemModelTester mappingTester(&mapping, QAbstractItemModelTester::FailureReportingMode::QtTest);
        mapping.setProfile(hostileProfile(), {});
        checkCells(mapping, mapping.rowCount(), true);
        StatesModel states;
        QAbstractItemModelTester statesTester(&states, QAbstractItemModelTester::FailureReportingMode::QtTest);
        states.setProfile(hostileProfile());
        states.setOccurring({ { sql::Cell::of(kHostile + u"2"_s), 3 } });
        checkCells(states, 2, true);
        QVERIFY(states.index(1, 0).data(UnmappedRole).toBool());
    }

    void whatWouldBePurgedOrRecovered()
    {
        PurgeGroupsModel groups;
        QAbstractItemModelTester tester(&groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::PurgeGroup group;
        group.scope = { sql::Cell::of(kHostile) };
        group.oldest = sql::Timestamp {};
        groups.setGroups({ group });
        checkCells(groups, 1);
        QVERIFY(groups.index(0, 0).data(StateRole).isValid());
        PartitionsModel partitions;
        QAbstractItemModelTester partitionsTester(&partitions, QAbstractItemModelTester::FailureReportingMode::QtTest);
        sql::PartitionFacts facts;
        facts.name = facts.bounds = kHostile;
        partitions.setPartitions({ facts });
        checkCells(partitions, 1);
        TriageModel triage;
        QAbstractItemModelTester triageTester(&triage, QAbstractItemModelTester::FailureReportingMode::QtTest);
        TriageRow row;
        row.facts.record = hostileRecord();
        row.judgement.reasons = { kHostile };
        row.may = row.checked = true;
        triage.setJudged({ row }, {});
        checkCells(triage, 1);
        QVERIFY(triage.index(0, TriageModel::Pick).data(Qt::CheckStateRole).isValid());
    }

    void candidatesCanBePicked()
    {
        ComplaintModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ComplaintAnswer answer;
        answer.candidates = { { 0, hostileRecord() }, { 0, hostileRecord() } };
        model.setAnswer(answer, { hostileTarget() });
        checkCells(model, 2);
        QVERIFY(model.setData(model.index(1, 0), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(!model.setData(model.index(1, 1), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(model.picked(), QList<int> { 1 });
        model.setAnswer(answer, { hostileTarget() });
        QVERIFY(model.picked().isEmpty() && model.candidate(2) == nullptr);
    }
};

QTEST_GUILESS_MAIN(RowModelsTest)

#include "tst_row_models.moc"
