// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/settings.h"
#include "models/table/row_model.h"
#include "sql/types/alert.h"

namespace idemdesk::models {

/// "Firing", "Over its limit", "Not known", "Quiet".
QString alertStateLabel(sql::AlertState state);
/// "12 min", "3.2 times as many", "0.4 %"; a dash where it is not known.
QString alertValueText(const sql::AlertStatus &status);
/// "over 2 s for 1 min", "3 times the day before, in 15 min", …
QString alertLimitText(const sql::AlertRule &rule);
/// The keys that the rule is about, as a filter; empty where none says it.
QString alertFilter(const sql::AlertRule &rule);

/// How bad it is beyond its limit: 0 up to its double, 1 up to four times it, and so on.
int alertGrade(const sql::AlertStatus &status);

/// What a person has to do about an alert, the most urgent first.
enum class AlertGroup { Firing, OverLimit, Acknowledged, Unknown, Quiet };

/// What one rule says of one table.
struct AlertEntry {
    QString target; ///< profile name
    QString title; ///< of the target, or of all
    sql::AlertStatus status;
    QString place = {}; ///< the table's name in the database; empty where the title says it, or where it is about all
    std::optional<SavedAcknowledgement> acknowledged = {}; ///< only of one that fires, or is over its limit

    AlertGroup group() const;
    /// "Payments (app.idempotency_keys)": what tells the table from another one of the same title.
    QString table() const;
};

/// What the alert rules of all targets say, by their groups.
class AlertModel final : public RowModel<AlertModel, AlertEntry>
{
    Q_OBJECT

public:
    enum Column { State, Table, What, Value, Limit, Since, ColumnCount };
    using Entry = AlertEntry;

    explicit AlertModel(QObject *parent = nullptr);
    void setEntries(const QList<Entry> &entries);

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const Entry &entry, int column, int role) const;

private:
    QString acknowledgedText(const SavedAcknowledgement &by) const;
};

} // namespace idemdesk::models
