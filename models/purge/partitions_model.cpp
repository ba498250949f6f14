// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/partitions_model.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"

namespace idemdesk::models {

PartitionsModel::PartitionsModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void PartitionsModel::setPartitions(const QList<sql::PartitionFacts> &partitions)
{
    beginResetModel();
    m_partitions = partitions;
    endResetModel();
}

int PartitionsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_partitions.size()); }

int PartitionsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant PartitionsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return index.column() == Rows || index.column() == Purgeable || index.column() == Size ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole) {
        return {};
    }
    const sql::PartitionFacts &partition = m_partitions.at(index.row());
    switch (index.column()) {
    case Name:
        return displayText(role == Qt::ToolTipRole ? partition.name : QString(partition.name).remove(u'"'));
    case Bounds:
        return displayText(partition.bounds.startsWith(u"FOR VALUES ") ? partition.bounds.mid(11) : partition.bounds);
    case Rows:
        return countText(partition.rows);
    case Purgeable:
        return countText(partition.purgeable);
    case Size:
        return bytesText(partition.bytes);
    case Verdict:
        return partition.onlyPurgeable ? tr("May go whole") : partition.rows == 0 ? tr("Empty") : tr("Still needed");
    default:
        return {};
    }
}

QVariant PartitionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole && (section == Rows || section == Purgeable || section == Size)) {
        return int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name:
        return tr("Partition");
    case Bounds:
        return tr("Holds");
    case Rows:
        return tr("Rows");
    case Purgeable:
        return tr("May go");
    case Size:
        return tr("Size");
    case Verdict:
        return tr("Verdict");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_partitions_model.cpp"
