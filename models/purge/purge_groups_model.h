// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/keys/key_table_model.h"
#include "sql/types/triage.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// What a purge would take, by scope and state.
class PurgeGroupsModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Scope, State, Rows, Oldest, Newest, Left, ColumnCount };
    enum ItemRole { StateRole = KeyTableModel::StateRole, StaleRole = KeyTableModel::StaleRole, ExpiredRole = KeyTableModel::ExpiredRole };

    explicit PurgeGroupsModel(QObject *parent = nullptr);
    void setGroups(const QList<sql::PurgeGroup> &groups);
    void setTimeFormat(const TimeFormat &format);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const sql::PurgeGroup &group, int column) const;

    QList<sql::PurgeGroup> m_groups;
    TimeFormat m_format;
};

} // namespace idemdesk::models
