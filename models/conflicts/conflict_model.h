// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/target_titles.h"
#include "models/table/row_model.h"
#include "sql/types/conflict.h"

namespace idemdesk::models {

/// Conflicts, newest first, one a row; older ones are asked for as they are scrolled to.
class ConflictModel final : public RowModel<ConflictModel, sql::ConflictRecord>
{
    Q_OBJECT

public:
    enum Column { At, Kind, Table, Scope, Key, Times, By, ColumnCount };

    explicit ConflictModel(QObject *parent = nullptr);
    void setPage(const sql::ConflictPage &page) { setRows(page.rows, page.more); }
    void append(const sql::ConflictPage &page) { appendRows(page.rows, page.more); }
    void setTitles(const TargetTitles &titles);

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::ConflictRecord &record, int column, int role) const;

private:
    TargetTitles m_titles;
};

} // namespace idemdesk::models
