// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/health.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// "Problem", "Advice", "Not known", "Good".
QString healthLevelLabel(sql::HealthLevel level);

/// Findings of the health reports, one a row, of all tables or of one; worst first.
class HealthModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Level, Table, Question, Seen, ColumnCount };
    enum ItemRole { LevelRole = Qt::UserRole ///< int of sql::HealthLevel
    };

    struct Entry {
        QString target; ///< profile name
        QString title; ///< of the target
        sql::HealthFinding finding;
    };

    explicit HealthModel(QObject *parent = nullptr);
    void setReports(const QList<Entry> &entries);
    /// Empty: all tables.
    void setTarget(const QString &target);
    const QString &target() const { return m_target; }
    const Entry *entry(int row) const; ///< null where there is no such row
    qsizetype problems() const; ///< of all tables

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void choose();

    QList<Entry> m_all;
    QList<Entry> m_shown;
    QString m_target;
};

} // namespace idemdesk::models
