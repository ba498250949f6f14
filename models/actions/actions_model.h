// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/action.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// The history of actions, newest first, one a row.
class ActionsModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { AskedAt, Who, What, Target, State, Planned, Outcome, ApprovedBy, Reason, Ticket, ColumnCount };

    explicit ActionsModel(QObject *parent = nullptr);
    /// Rows that stay keep their place in the selection where nothing came or went.
    void setActions(const QList<sql::ActionRecord> &actions);
    void setTimeFormat(const TimeFormat &format);
    const QList<sql::ActionRecord> &actions() const { return m_actions; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const sql::ActionRecord &action, int column) const;

    QList<sql::ActionRecord> m_actions;
    TimeFormat m_format;
};

} // namespace idemdesk::models
