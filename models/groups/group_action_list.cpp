// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_action_list.h"

#include "models/actions/action_words.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using sql::HealthLevel;
using MemberStage = MemberAction::Stage;

/// A word or two, and how grave it is.
struct StateWord {
    HealthLevel level = HealthLevel::Unknown;
    QString text;
};

StateWord plannedWord(const MemberAction &action)
{
    const qsizetype warnings = action.rows() > 0 && action.plan().purge ? action.plan().purge->warnings.size() : 0;
    if (warnings > 0 && !action.needsApproval()) {
        return { HealthLevel::Advice, GroupActionList::tr("Ready, %Ln warning(s)", nullptr, int(warnings)) };
    }
    if (action.plan().rows() == 0) {
        return action.plan().partly() ? StateWord { HealthLevel::Unknown, GroupActionList::tr("Not all seen") }
                                      : StateWord { HealthLevel::Nothing, GroupActionList::tr("Nothing to do") };
    }
    return action.rows() == 0    ? StateWord { HealthLevel::Advice, GroupActionList::tr("Stays as it is") }
        : action.needsApproval() ? StateWord { HealthLevel::Good, GroupActionList::tr("Needs approval") }
                                 : StateWord { HealthLevel::Good, GroupActionList::tr("Ready") };
}

StateWord runnerWord(const MemberAction &action)
{
    using RunStage = ActionRunner::Stage;
    switch (action.runner()->stage()) {
    case RunStage::Ended:
        return { action.done() ? HealthLevel::Good : HealthLevel::Advice,
            action.done()                                  ? GroupActionList::tr("Done")
                : !action.runner()->begun().value_or(true) ? GroupActionList::tr("Not begun")
                                                           : actionStateLabel(action.runner()->action().state) };
    case RunStage::Asking:
        return { HealthLevel::Nothing, GroupActionList::tr("Approval asked") };
    case RunStage::Paused:
    case RunStage::Stopped:
        if (!action.runner()->begun() || action.runner()->lost()) {
            return { HealthLevel::Unknown, GroupActionList::tr("Not known") };
        }
        return { HealthLevel::Problem,
            *action.runner()->begun() ? GroupActionList::tr("Paused") : GroupActionList::tr("Failed") };
    case RunStage::Idle:
    case RunStage::Starting:
    case RunStage::Running:
    case RunStage::Holding:
    case RunStage::Pausing:
        break;
    case RunStage::Finding:
        return { HealthLevel::Unknown, GroupActionList::tr("No answer") };
    case RunStage::Cancelling:
        return { HealthLevel::Nothing, GroupActionList::tr("Stopping") };
    }
    return { HealthLevel::Nothing, GroupActionList::tr("Running") };
}

StateWord stateWord(const MemberAction &action)
{
    switch (action.stage()) {
    case MemberStage::Idle:
        return { HealthLevel::Nothing, GroupActionList::tr("Not planned") };
    case MemberStage::Planning:
        return { HealthLevel::Nothing, GroupActionList::tr("Planning") };
    case MemberStage::Failed:
        return { HealthLevel::Problem, GroupActionList::tr("No plan") };
    case MemberStage::Planned:
        return plannedWord(action);
    case MemberStage::Running:
    case MemberStage::Over:
        return runnerWord(action);
    }
    return {};
}

void takePlan(const MemberAction &action, MemberActionRow *row)
{
    const MemberPlan &plan = action.plan();
    row->known = row->stage == MemberStage::Planned;
    row->rows = plan.rows();
    row->left = plan.change.set.skipped.size();
    row->classes.clear();
    for (const FrozenGroup &group : plan.change.set.groups) {
        row->classes[group.cls.value_or(TriageClass::NeedsReview)] += group.rows;
    }
    for (const SkippedKey &key : plan.change.set.skipped) {
        ++row->classes[key.cls];
    }
    row->bytes = plan.purge ? plan.purge->bytes : 0;
    row->oldest.reset();
    for (const sql::PurgeGroup &group : plan.purge ? plan.purge->groups : QList<sql::PurgeGroup>()) {
        if (group.oldest && (!row->oldest || *group.oldest < *row->oldest)) {
            row->oldest = group.oldest;
        }
    }
}

QString numberText(const MemberActionRow &row, qint64 rows)
{
    return row.known ? countText(rows) : u"–"_s;
}

} // namespace

GroupActionList::GroupActionList(const QStringList &labels, QObject *parent)
    : RowModel(parent)
{
    QList<MemberActionRow> rows;
    for (const QString &label : labels) {
        MemberActionRow row;
        row.label = label;
        row.level = HealthLevel::Nothing;
        row.state = tr("Not planned");
        rows += row;
    }
    setRows(rows);
}

void GroupActionList::take(int member, const MemberAction &action)
{
    MemberActionRow row = m_rows.at(member);
    row.stage = action.stage();
    row.done.reset();
    if (row.stage != MemberStage::Running && row.stage != MemberStage::Over) { // while it runs the plan stays
        takePlan(action, &row);
    }
    if (const ActionRunner *runner = action.runner()) {
        row.done = rowsDone(runner->action().counts);
        row.asked = row.rows;
    }
    const StateWord word = stateWord(action);
    row.level = word.level;
    row.state = word.text;
    // What the state says already is said once.
    const bool ready = row.stage == MemberStage::Planned && action.rows() > 0 && !action.needsApproval();
    row.said = ready || action.done() || action.said() == word.text ? QString() : action.said();
    m_rows[member] = row;
    sayRowAnew(member);
}

bool GroupActionList::says(int column) const
{
    static constexpr TriageClass classes[] = { TriageClass::SafeToRetry, TriageClass::EffectHappened,
        TriageClass::Abandoned, TriageClass::NeedsReview, TriageClass::Running };
    return std::any_of(m_rows.cbegin(), m_rows.cend(), [column](const MemberActionRow &row) {
        return column == Note                  ? !row.said.isEmpty()
            : column >= Safe && column <= Busy ? row.known && row.classes.value(classes[column - Safe]) > 0
                                               : true;
    });
}

template <TriageClass cls> QString GroupActionList::classText(const GroupActionList &, const MemberActionRow &row)
{
    return numberText(row, row.classes.value(cls));
}

std::span<const GroupActionList::ColumnSpec> GroupActionList::columns()
{
    using Model = GroupActionList;
    using Row = MemberActionRow;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Member"); }, .text = [](const Model &, const Row &row) { return row.label; } },
        { .title = [] { return triageClassLabel(TriageClass::SafeToRetry); },
            .text = &Model::classText<TriageClass::SafeToRetry>,
            .alignment = kNumber },
        { .title = [] { return triageClassLabel(TriageClass::EffectHappened); },
            .text = &Model::classText<TriageClass::EffectHappened>,
            .alignment = kNumber },
        { .title = [] { return triageClassLabel(TriageClass::Abandoned); },
            .text = &Model::classText<TriageClass::Abandoned>,
            .alignment = kNumber },
        { .title = [] { return triageClassLabel(TriageClass::NeedsReview); },
            .text = &Model::classText<TriageClass::NeedsReview>,
            .alignment = kNumber },
        { .title = [] { return triageClassLabel(TriageClass::Running); },
            .text = &Model::classText<TriageClass::Running>,
            .alignment = kNumber },
        { .title = [] { return tr("Would change"); },
            .text = [](const Model &, const Row &row) { return numberText(row, row.rows); },
            .alignment = kNumber },
        { .title = [] { return tr("Skipped"); },
            .text = [](const Model &, const Row &row) { return numberText(row, row.left); },
            .alignment = kNumber },
        { .title = [] { return tr("Size"); },
            .text = [](const Model &, const Row &row) { return row.known ? bytesText(row.bytes) : u"–"_s; },
            .alignment = kNumber },
        { .title = [] { return tr("Expired since"); },
            .text = [](const Model &model,
                        const Row &row) { return row.oldest ? model.timeFormat().text(*row.oldest) : u"–"_s; },
            .time = true },
        { .title = [] { return tr("Done"); },
            .text =
                [](const Model &, const Row &row) {
                    return row.done ? tr("%1 of %2").arg(countText(*row.done), countText(row.asked)) : u"–"_s;
                },
            .alignment = kNumber },
        { .title = [] { return tr("State"); }, .text = [](const Model &, const Row &row) { return row.state; } },
        { .title = [] { return tr("Note"); }, .text = [](const Model &, const Row &row) { return row.said; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant GroupActionList::itemData(const MemberActionRow &row, int column, int role) const
{
    switch (role) {
    case ShareRole:
        return column == Done && row.done && row.asked > 0
            ? QVariant(std::clamp(double(*row.done) / double(row.asked), 0.0, 1.0))
            : QVariant();
    case LevelRole:
        return column == State ? QVariant(int(row.level)) : QVariant();
    default:
        return {};
    }
}

MemberPlanLines::MemberPlanLines(QObject *parent)
    : RowModel(parent)
{
}

void MemberPlanLines::show(const MemberAction &action)
{
    QList<MemberPlanLine> lines;
    const MemberPlan &plan = action.plan();
    for (const FrozenGroup &group : plan.change.set.groups) {
        const auto to = sql::stateFromName(group.to);
        MemberPlanLine line;
        line.rows = group.rows;
        line.scope = group.scope;
        line.cls = group.cls;
        line.becomes = to ? stateLabel(*to) : tr("Deleted");
        line.to = to;
        lines += line;
    }
    QMap<std::tuple<QString, TriageClass, QString>, qint64> left;
    for (const SkippedKey &key : plan.change.set.skipped) {
        ++left[{ scopeText(key.record.scope), key.cls, key.why }];
    }
    QList<MemberPlanLine> leftLines;
    for (auto it = left.cbegin(); it != left.cend(); ++it) {
        MemberPlanLine line;
        line.rows = it.value();
        line.scope = std::get<0>(it.key());
        line.cls = std::get<1>(it.key());
        line.why = std::get<2>(it.key());
        line.left = true;
        leftLines += line;
    }
    std::stable_sort(leftLines.begin(), leftLines.end(),
        [](const MemberPlanLine &a, const MemberPlanLine &b) { return a.rows > b.rows; });
    for (const sql::PurgeGroup &group : plan.purge ? plan.purge->groups : QList<sql::PurgeGroup>()) {
        MemberPlanLine line;
        line.rows = group.rows;
        line.scope = scopeText(group.scope);
        line.state = group.state;
        line.becomes = tr("Deleted");
        line.why = group.wholeScope ? tr("Empties the scope") : QString();
        lines += line;
    }
    setRows(lines + leftLines);
}

bool MemberPlanLines::says(int column) const
{
    return std::any_of(m_rows.cbegin(), m_rows.cend(), [column](const MemberPlanLine &line) {
        return column == Class ? line.cls.has_value()
            : column == State  ? line.state.has_value()
            : column == Why    ? !line.why.isEmpty()
                               : true;
    });
}

std::span<const MemberPlanLines::ColumnSpec> MemberPlanLines::columns()
{
    using Model = MemberPlanLines;
    using Line = MemberPlanLine;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Rows"); },
            .text = [](const Model &, const Line &line) { return countText(line.rows); },
            .alignment = kNumber },
        { .title = [] { return tr("Scope"); }, .text = [](const Model &, const Line &line) { return line.scope; } },
        { .title = [] { return tr("Class"); },
            .text
            = [](const Model &, const Line &line) { return line.cls ? triageClassLabel(*line.cls) : QString(); } },
        { .title = [] { return tr("State"); },
            .text = [](const Model &, const Line &line) { return line.state ? stateLabel(*line.state) : QString(); } },
        { .title = [] { return tr("Becomes"); },
            .text = [](const Model &, const Line &line) { return line.left ? tr("Skipped") : line.becomes; } },
        { .title = [] { return tr("Why"); }, .text = [](const Model &, const Line &line) { return line.why; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant MemberPlanLines::itemData(const MemberPlanLine &line, int column, int role) const
{
    if (role == ClassRole) {
        return column == Class && line.cls ? QVariant(int(*line.cls)) : QVariant();
    }
    if (role == StateRole) {
        const std::optional<sql::KeyState> state = column == State ? line.state
            : column == Becomes                                    ? line.to
                                                                   : std::nullopt;
        return state ? QVariant(int(*state)) : QVariant();
    }
    return role == ShareRole && column == Rows && m_rows.size() > 1 // one bar says nothing
        ? QVariant(double(line.rows) / double(std::max(m_rows.constFirst().rows, line.rows)))
        : QVariant();
}

} // namespace idemdesk::models

#include "moc_group_action_list.cpp"
