// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/duplicate.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// Groups of keys that look like one intent, the strongest evidence first, one a row.
class DuplicateModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Reason, Scope, Shared, Keys, First, Last, ColumnCount };

    explicit DuplicateModel(QObject *parent = nullptr);
    void setGroups(const QList<sql::DuplicateGroup> &groups);
    void setTimeFormat(const TimeFormat &format);
    const QList<sql::DuplicateGroup> &groups() const { return m_groups; }
    const sql::DuplicateGroup *group(int row) const; ///< null where there is no such row

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString timeText(const std::optional<sql::Timestamp> &time, bool exact) const;

    QList<sql::DuplicateGroup> m_groups;
    TimeFormat m_format;
};

} // namespace idemdesk::models
