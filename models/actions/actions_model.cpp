// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/actions_model.h"

#include "models/actions/action_words.h"
#include "models/format/quantities.h"
#include "models/table/item_role.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// An action's state in the shapes and colours of a key's: what they mean is the same.
sql::KeyState shapeOf(const sql::ActionRecord &action)
{
    switch (action.state) {
    case sql::ActionState::Finished:
        return sql::KeyState::Succeeded;
    case sql::ActionState::Declined:
        return sql::KeyState::FailedFinal;
    case sql::ActionState::Cancelled:
        return sql::KeyState::Pending;
    case sql::ActionState::Finding:
        return sql::KeyState::Unknown;
    case sql::ActionState::Requested:
    case sql::ActionState::Running:
    case sql::ActionState::Paused:
        break;
    }
    return sql::KeyState::InProgress;
}

/// Nothing goes on until somebody does something: the amber of what is stuck.
bool waitsForPerson(const sql::ActionRecord &action)
{
    return action.state == sql::ActionState::Requested || action.state == sql::ActionState::Paused;
}

} // namespace

ActionsModel::ActionsModel(QObject *parent)
    : RowModel(parent)
{
}

void ActionsModel::setActions(const QList<sql::ActionRecord> &actions)
{
    updateRows(actions, [](const sql::ActionRecord &a, const sql::ActionRecord &b) { return a.id == b.id; });
}

void ActionsModel::setTitles(const TargetTitles &titles)
{
    m_titles = titles;
    sayAnew(Target, Target);
}

std::span<const ActionsModel::ColumnSpec> ActionsModel::columns()
{
    using Model = ActionsModel;
    using Action = sql::ActionRecord;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Requested"); },
            .text
            = [](const Model &model, const Action &action) { return model.timeFormat().text(action.requestedAt); },
            .toolTip
            = [](const Model &model, const Action &action) { return model.timeFormat().exact(action.requestedAt); },
            .time = true },
        { .title = [] { return tr("By"); },
            .text = [](const Model &, const Action &action) { return action.requestedBy; } },
        { .title = [] { return tr("Action"); },
            .text = [](const Model &, const Action &action) { return verbLabel(action.verb); } },
        { .title = [] { return tr("Table"); },
            .text = [](const Model &model, const Action &action) { return model.m_titles.title(action.target); } },
        { .title = [] { return tr("State"); },
            .text = [](const Model &, const Action &action) { return actionStateLabel(action); },
            .toolTip
            = [](const Model &,
                  const Action &action) { return action.note.isEmpty() ? actionStateLabel(action) : action.note; } },
        { .title = [] { return tr("Planned"); },
            .text = [](const Model &, const Action &action) { return countText(action.plannedRows); },
            .alignment = kNumber },
        { .title = [] { return tr("Outcome"); },
            .text = [](const Model &, const Action &action) { return outcomeText(action); } },
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

/// What stands muted beneath, and needs no column of its own.
QString ActionsModel::detailOf(const sql::ActionRecord &action, int column) const
{
    switch (column) {
    case AskedAt:
        return action.requestedBy;
    case Target:
        return m_titles.place(action.target);
    case Outcome: {
        QStringList said { undoneText(action, m_rows, timeFormat()) };
        said += action.approvedBy.isEmpty()              ? QString()
            : action.state == sql::ActionState::Declined ? tr("declined by %1").arg(action.approvedBy)
                                                         : tr("approved by %1").arg(action.approvedBy);
        said.removeAll(QString());
        return said.join(u" · "_s);
    }
    case Reason:
        return action.ticket;
    default:
        return {};
    }
}

QVariant ActionsModel::itemData(const sql::ActionRecord &action, int column, int role) const
{
    if (role == ActionIdRole) {
        return action.id;
    }
    if (column == State && (role == StateRole || role == StaleRole)) {
        return role == StateRole ? QVariant(int(shapeOf(action))) : QVariant(waitsForPerson(action));
    }
    return role == DetailRole ? QVariant(displayText(detailOf(action, column))) : QVariant();
}

} // namespace idemdesk::models

#include "moc_actions_model.cpp"
