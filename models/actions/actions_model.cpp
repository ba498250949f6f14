// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/actions_model.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

ActionsModel::ActionsModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void ActionsModel::setActions(const QList<sql::ActionRecord> &actions)
{
    const auto sameId = [](const sql::ActionRecord &a, const sql::ActionRecord &b) { return a.id == b.id; };
    if (std::equal(actions.cbegin(), actions.cend(), m_actions.cbegin(), m_actions.cend(), sameId)) {
        m_actions = actions;
        if (!m_actions.isEmpty()) {
            emit dataChanged(index(0, 0), index(int(m_actions.size()) - 1, ColumnCount - 1));
        }
        return;
    }
    beginResetModel();
    m_actions = actions;
    endResetModel();
}

void ActionsModel::setTimeFormat(const TimeFormat &format)
{
    if (m_format == format) {
        return;
    }
    m_format = format;
    if (!m_actions.isEmpty()) {
        emit dataChanged(index(0, AskedAt), index(int(m_actions.size()) - 1, AskedAt));
    }
}

int ActionsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_actions.size()); }

int ActionsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ActionsModel::text(const sql::ActionRecord &action, int column) const
{
    switch (column) {
    case AskedAt:
        return m_format.text(action.requestedAt);
    case Who:
        return action.requestedBy;
    case What:
        return verbLabel(action.verb);
    case Target:
        return action.target;
    case State:
        return actionStateLabel(action.state);
    case Planned:
        return countText(action.plannedRows);
    case Outcome:
        return countsText(action.counts);
    case ApprovedBy:
        return action.approvedBy;
    case Reason:
        return action.reason;
    case Ticket:
        return action.ticket;
    default:
        return {};
    }
}

QVariant ActionsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::ActionRecord &action = m_actions.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayText(text(action, index.column()));
    case Qt::ToolTipRole:
        return index.column() == AskedAt ? m_format.exact(action.requestedAt)
            : index.column() == State && !action.note.isEmpty() ? displayText(action.note, kToolTipChars)
                                                                : displayText(text(action, index.column()), kToolTipChars);
    case Qt::TextAlignmentRole:
        return index.column() == Planned ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::UserRole:
        return action.id;
    default:
        return {};
    }
}

QVariant ActionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole && section == Planned) {
        return int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case AskedAt:
        return tr("Asked at");
    case Who:
        return tr("By");
    case What:
        return tr("Action");
    case Target:
        return tr("Target");
    case State:
        return tr("State");
    case Planned:
        return tr("Planned");
    case Outcome:
        return tr("Outcome");
    case ApprovedBy:
        return tr("Approved by");
    case Reason:
        return tr("Reason");
    case Ticket:
        return tr("Ticket");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_actions_model.cpp"
