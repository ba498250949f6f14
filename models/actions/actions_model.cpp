// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/actions_model.h"

#include "models/actions/action_words.h"
#include "models/format/quantities.h"

namespace idemdesk::models {

ActionsModel::ActionsModel(QObject *parent)
    : RowModel(parent)
{
}

void ActionsModel::setActions(const QList<sql::ActionRecord> &actions)
{
    updateRows(actions, [](const sql::ActionRecord &a, const sql::ActionRecord &b) { return a.id == b.id; });
}

std::span<const ActionsModel::ColumnSpec> ActionsModel::columns()
{
    using Model = ActionsModel;
    using Action = sql::ActionRecord;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Asked at"); },
            .text
            = [](const Model &model, const Action &action) { return model.timeFormat().text(action.requestedAt); },
            .toolTip
            = [](const Model &model, const Action &action) { return model.timeFormat().exact(action.requestedAt); },
            .time = true },
        { .title = [] { return tr("By"); },
            .text = [](const Model &, const Action &action) { return action.requestedBy; } },
        { .title = [] { return tr("Action"); },
            .text = [](const Model &, const Action &action) { return verbLabel(action.verb); } },
        { .title = [] { return tr("Target"); },
            .text = [](const Model &, const Action &action) { return action.target; } },
        { .title = [] { return tr("State"); },
            .text = [](const Model &, const Action &action) { return actionStateLabel(action); },
            .toolTip
            = [](const Model &,
                  const Action &action) { return action.note.isEmpty() ? actionStateLabel(action) : action.note; } },
        { .title = [] { return tr("Planned"); },
            .text = [](const Model &, const Action &action) { return countText(action.plannedRows); },
            .alignment = kNumber },
        { .title = [] { return tr("Outcome"); },
            .text = [](const Model &, const Action &action) { return countsText(action.counts); } },
        { .title = [] { return tr("Approved by"); },
            .text = [](const Model &, const Action &action) { return action.approvedBy; } },
        { .title = [] { return tr("Reason"); },
            .text = [](const Model &, const Action &action) { return action.reason; } },
        { .title = [] { return tr("Ticket"); },
            .text = [](const Model &, const Action &action) { return action.ticket; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant ActionsModel::itemData(const sql::ActionRecord &action, int, int role) const
{
    return role == ActionIdRole ? QVariant(action.id) : QVariant();
}

} // namespace idemdesk::models

#include "moc_actions_model.cpp"
