// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/conflict.h"

#include <QHash>

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
    /// How the tables are shown whose names the conflicts carry; others are shown by their name.
    void setTableLabels(const QHash<QString, QString> &labels);

    static std::span<const ColumnSpec> columns();

private:
    QHash<QString, QString> m_tables;
};

} // namespace idemdesk::models
