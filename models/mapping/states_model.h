// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"
#include "sql/types/profile.h"

#include <QAbstractTableModel>
#include <optional>

namespace idemdesk::models {

/// Raw status values and the state each stands for. Values that occur but are mapped to none are marked.
class StatesModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Status, Rows, State, ColumnCount };
    enum ItemRole {
        StateRole = Qt::UserRole, ///< int of sql::KeyState; invalid where unmapped. setData() takes it; an invalid value unmaps
        UnmappedRole ///< bool: occurs and is not mapped
    };
    struct Line {
        sql::Cell status; ///< null: SQL NULL
        qint64 rows = -1; ///< in the sample; -1: not seen there
        std::optional<sql::KeyState> state;
        bool anyOther = false; ///< the profile's "*": every value not listed
    };

    explicit StatesModel(QObject *parent = nullptr);
    void setProfile(const sql::Profile &profile);
    void setOccurring(const QList<std::pair<sql::Cell, qint64>> &counts);
    sql::Profile applied(const sql::Profile &base) const;
    const QList<Line> &lines() const { return m_lines; }
    int unmappedCount() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void edited();

private:
    bool unmapped(const Line &line) const;

    QList<Line> m_lines;
};

} // namespace idemdesk::models
