// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/purge_groups_model.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/triage/frozen_set.h"

namespace idemdesk::models {

PurgeGroupsModel::PurgeGroupsModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void PurgeGroupsModel::setGroups(const QList<sql::PurgeGroup> &groups)
{
    beginResetModel();
    m_groups = groups;
    endResetModel();
}

void PurgeGroupsModel::setTimeFormat(const TimeFormat &format)
{
    m_format = format;
    if (!m_groups.isEmpty()) {
        emit dataChanged(index(0, Oldest), index(int(m_groups.size()) - 1, Newest));
    }
}

int PurgeGroupsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_groups.size()); }

int PurgeGroupsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString PurgeGroupsModel::text(const sql::PurgeGroup &group, int column) const
{
    switch (column) {
    case Scope:
        return scopeText(group.scope);
    case State:
        return stateLabel(group.state);
    case Rows:
        return countText(group.rows);
    case Oldest:
        return group.oldest ? m_format.text(*group.oldest) : QString();
    case Newest:
        return group.newest ? m_format.text(*group.newest) : QString();
    case Left:
        return group.wholeScope ? tr("Nothing") : tr("Rows remain");
    default:
        return {};
    }
}

QVariant PurgeGroupsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::PurgeGroup &group = m_groups.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayText(text(group, index.column()));
    case Qt::ToolTipRole:
        return displayText(text(group, index.column()), kToolTipChars);
    case Qt::TextAlignmentRole:
        return index.column() == Rows ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case StateRole:
        return static_cast<int>(group.state);
    case StaleRole:
    case ExpiredRole:
        return false;
    default:
        return {};
    }
}

QVariant PurgeGroupsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole && section == Rows) {
        return int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Scope:
        return tr("Scope");
    case State:
        return tr("State");
    case Rows:
        return tr("Rows");
    case Oldest:
        return tr("Retention ended from");
    case Newest:
        return tr("Until");
    case Left:
        return tr("Left of the scope");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_purge_groups_model.cpp"
