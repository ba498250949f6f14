// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_model.h"

#include "models/duplicates/duplicate_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"

namespace idemdesk::models {

DuplicateModel::DuplicateModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void DuplicateModel::setGroups(const QList<sql::DuplicateGroup> &groups)
{
    beginResetModel();
    m_groups = groups;
    endResetModel();
}

void DuplicateModel::setTimeFormat(const TimeFormat &format)
{
    m_format = format;
    if (!m_groups.isEmpty()) {
        emit dataChanged(index(0, First), index(int(m_groups.size()) - 1, Last));
    }
}

const sql::DuplicateGroup *DuplicateModel::group(int row) const { return row >= 0 && row < m_groups.size() ? &m_groups.at(row) : nullptr; }

int DuplicateModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_groups.size()); }

int DuplicateModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString DuplicateModel::timeText(const std::optional<sql::Timestamp> &time, bool exact) const
{
    return !time ? QString() : exact ? m_format.exact(*time) : m_format.text(*time);
}

QVariant DuplicateModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::DuplicateGroup &group = m_groups.at(index.row());
    if (role == Qt::TextAlignmentRole) {
        return index.column() == Keys ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole) {
        return {};
    }
    const bool tip = role == Qt::ToolTipRole;
    QString full;
    switch (index.column()) {
    case Reason: full = tip ? duplicateWhy(group) : duplicateReasonLabel(group.reason); break;
    case Scope: full = duplicateScope(group); break;
    case Shared: full = group.shared; break;
    case Keys: full = countText(group.keys); break;
    case First: full = timeText(group.first, tip); break;
    case Last: full = timeText(group.last, tip); break;
    default: break;
    }
    return tip ? displayText(full, kToolTipChars) : displayText(full);
}

QVariant DuplicateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Reason: return tr("Why");
    case Scope: return tr("Scope");
    case Shared: return tr("What they share");
    case Keys: return tr("Keys");
    case First: return tr("First");
    case Last: return tr("Last");
    default: return {};
    }
}

} // namespace idemdesk::models

#include "moc_duplicate_model.cpp"
