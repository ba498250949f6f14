// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/triage.h"

namespace idemdesk::models {

/// What a purge would take, by scope and state.
class PurgeGroupsModel final : public RowModel<PurgeGroupsModel, sql::PurgeGroup>
{
    Q_OBJECT

public:
    enum Column { Scope, State, Rows, Oldest, Newest, Left, ColumnCount };

    explicit PurgeGroupsModel(QObject *parent = nullptr);
    void setGroups(const QList<sql::PurgeGroup> &groups) { setRows(groups); }

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::PurgeGroup &group, int column, int role) const;

private:
    QString timeText(const std::optional<sql::Timestamp> &time) const;
};

} // namespace idemdesk::models
