// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/activity.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// Sessions at work on the targets, one a row.
class ActivityModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Pid, User, Application, Client, State, Wait, Transaction, Statement, Locks, BlockedBy, ColumnCount };
    enum ItemRole { RawRole = Qt::UserRole, BlockedRole ///< bool: waits for another session
    };

    explicit ActivityModel(QObject *parent = nullptr);
    /// Rows keep their place by pid.
    void setReport(const sql::ActivityReport &report);
    const sql::ActivityReport &report() const { return m_report; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    sql::ActivityReport m_report;
};

} // namespace idemdesk::models
