// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/story.h"
#include "sql/types/target.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// Every role and then every raw column of one row: Name, Value, Source (the role's SQL, or the column's type).
class RecordModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Value, Source, ColumnCount };
    enum ItemRole {
        RawRole = Qt::UserRole, ///< whole text, invalid for NULL
        SectionRole, ///< int: 0 roles, 1 raw columns
        NullRole, ///< bool
        PartialRole, ///< bool: only the beginning of the value is here
        ColumnNameRole, ///< raw column's name, for saveColumn(); invalid for a role
        FailedRole ///< bool: the expression failed on this row
    };

    explicit RecordModel(QObject *parent = nullptr);
    void setDetail(const sql::Target &target, const sql::KeyDetail &detail);
    void setTimeFormat(const TimeFormat &format);
    void clear();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Line {
        QString name;
        sql::Cell value;
        QString source;
        bool raw = false;
        bool time = false;
    };
    QList<Line> m_lines;
    sql::Timestamp m_now;
    TimeFormat m_timeFormat;
};

} // namespace idemdesk::models
