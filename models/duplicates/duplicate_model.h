// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/duplicate.h"
#include "sql/types/target.h"

namespace idemdesk::models {

/// Groups of keys that look like one intent, the strongest evidence first, one a row.
class DuplicateModel final : public RowModel<DuplicateModel, sql::DuplicateGroup>
{
    Q_OBJECT

public:
    enum Column { Reason, Table, Scope, Shared, Keys, Apart, First, Last, ColumnCount };

    explicit DuplicateModel(QObject *parent = nullptr);
    /// Of what is searched: shown in each row.
    void setTarget(const sql::Target &target) { m_target = target; }
    const sql::Target &target() const { return m_target; } ///< of the groups that are there
    /// Groups that are the same ones keep what is selected.
    void setGroups(const QList<sql::DuplicateGroup> &groups);

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::DuplicateGroup &group, int column, int role) const;

private:
    sql::Target m_target;
    QString timeText(const std::optional<sql::Timestamp> &time) const;
    QString exactTime(const std::optional<sql::Timestamp> &time) const;
};

} // namespace idemdesk::models
