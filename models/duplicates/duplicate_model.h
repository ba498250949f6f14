// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/duplicate.h"

namespace idemdesk::models {

/// Groups of keys that look like one intent, the strongest evidence first, one a row.
class DuplicateModel final : public RowModel<DuplicateModel, sql::DuplicateGroup>
{
    Q_OBJECT

public:
    enum Column { Reason, Scope, Shared, Keys, First, Last, ColumnCount };

    explicit DuplicateModel(QObject *parent = nullptr);
    void setGroups(const QList<sql::DuplicateGroup> &groups) { setRows(groups); }

    static std::span<const ColumnSpec> columns();

private:
    QString timeText(const std::optional<sql::Timestamp> &time) const;
    QString exactTime(const std::optional<sql::Timestamp> &time) const;
};

} // namespace idemdesk::models
