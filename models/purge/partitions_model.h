// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/triage.h"

namespace idemdesk::models {

/// The partitions of a target: what is in them, and which hold nothing but rows that may go.
class PartitionsModel final : public RowModel<PartitionsModel, sql::PartitionFacts>
{
    Q_OBJECT

public:
    enum Column { Name, Bounds, Rows, Purgeable, Size, Verdict, ColumnCount };

    explicit PartitionsModel(QObject *parent = nullptr);
    void setPartitions(const QList<sql::PartitionFacts> &partitions) { setRows(partitions); }

    static std::span<const ColumnSpec> columns();
};

} // namespace idemdesk::models
