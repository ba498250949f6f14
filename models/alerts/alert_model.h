// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/alert.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// "Firing", "Over its limit", "Not known", "Quiet".
QString alertStateLabel(sql::AlertState state);
/// "12 min", "3.2 times as many", "0.4 %"; a dash where it is not known.
QString alertValueText(const sql::AlertStatus &status);
/// "over 2 s for 1 min", "3 times the day before, in 15 min", …
QString alertLimitText(const sql::AlertRule &rule);

/// What the alert rules of all targets say, those that fire first.
class AlertModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { State, Table, What, Value, Limit, Since, ColumnCount };
    enum ItemRole { LevelRole = Qt::UserRole ///< int of sql::HealthLevel, for the badge
    };

    struct Entry {
        QString target; ///< profile name
        QString title;
        sql::AlertStatus status;
    };

    explicit AlertModel(QObject *parent = nullptr);
    void setEntries(const QList<Entry> &entries);
    void setTimeFormat(const TimeFormat &format);
    const Entry *entry(int row) const; ///< null where there is no such row
    const QList<Entry> &entries() const { return m_entries; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<Entry> m_entries;
    TimeFormat m_format;
};

} // namespace idemdesk::models
