// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/health.h"

namespace idemdesk::models {

/// "Problem", "Advice", "Not known", "Good".
QString healthLevelLabel(sql::HealthLevel level);

/// One finding, and the table it is about.
struct HealthEntry {
    QString target; ///< profile name
    QString title; ///< of the target
    sql::HealthFinding finding;
};

/// Findings of the health reports, one a row, of all tables or of one; worst first.
class HealthModel final : public RowModel<HealthModel, HealthEntry>
{
    Q_OBJECT

public:
    enum Column { Level, Table, Question, Seen, ColumnCount };
    using Entry = HealthEntry;

    explicit HealthModel(QObject *parent = nullptr);
    void setReports(const QList<Entry> &entries);
    /// Empty: all tables.
    void setTarget(const QString &target);
    const QString &target() const { return m_target; }
    qsizetype problems() const; ///< of all tables

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const Entry &entry, int column, int role) const;

private:
    void choose();

    QList<Entry> m_all;
    QString m_target;
};

} // namespace idemdesk::models
