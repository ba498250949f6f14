// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/target_titles.h"
#include "models/table/row_model.h"
#include "sql/types/action.h"

namespace idemdesk::models {

/// The history of actions, newest first, one a row.
class ActionsModel final : public RowModel<ActionsModel, sql::ActionRecord>
{
    Q_OBJECT

public:
    enum Column { AskedAt, Who, What, Target, State, Planned, Outcome, ApprovedBy, Reason, Ticket, ColumnCount };

    explicit ActionsModel(QObject *parent = nullptr);
    /// Rows that stay keep their place in the selection where nothing came or went.
    void setActions(const QList<sql::ActionRecord> &actions);
    void setTitles(const TargetTitles &titles);
    const TargetTitles &titles() const { return m_titles; }

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::ActionRecord &action, int column, int role) const;

private:
    QString detailOf(const sql::ActionRecord &action, int column) const;

    TargetTitles m_titles;
};

} // namespace idemdesk::models
