// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/triage.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// The partitions of a target: what is in them, and which hold nothing but rows that may go.
class PartitionsModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Bounds, Rows, Purgeable, Size, Verdict, ColumnCount };

    explicit PartitionsModel(QObject *parent = nullptr);
    void setPartitions(const QList<sql::PartitionFacts> &partitions);
    const QList<sql::PartitionFacts> &partitions() const { return m_partitions; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<sql::PartitionFacts> m_partitions;
};

} // namespace idemdesk::models
