// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/settings.h"
#include "models/table/row_model.h"
#include "sql/types/alert.h"
#include "sql/types/history.h"

namespace idemdesk::models {

/// "Firing", "Over its limit", "Not known", "Quiet".
QString alertStateLabel(sql::AlertState state);
/// "12 min", "3.2 times as many", "0.4 %"; a dash where it is not known.
QString alertValueText(const sql::AlertStatus &status);
/// "over 2 s for 1 min", "3 times the day before, in 15 min", …
QString alertLimitText(const sql::AlertRule &rule);
/// A metric's last 24 hours out of its minutes, or where they are gone as put together by the hour: of an age the
/// highest of each hour, else the mean.
sql::HistoryValues alertDay(const sql::AlertRule &rule, const sql::MinuteSet &minutes);
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
    sql::HistoryValues day = {}; ///< of its metric, by the hour, the last one still filling; empty: no samples
    std::optional<SavedAcknowledgement> acknowledged = {}; ///< only of one that fires, or is over its limit
    sql::Timestamp judged = {}; ///< by the server's clock: in the last hour of `day`

    AlertGroup group() const;
    bool beyond() const; ///< its limit: it fires, or has not been so for long enough
    /// "Payments (app.idempotency_keys)": what tells the table from another one of the same title.
    QString table() const;
};

/// Since when an alert is beyond its limit does not move with the samples: what was told of it before stays while that
/// lasts. Where a rule was changed, it is told anew.
void keepSince(const QList<AlertEntry> &before, QList<AlertEntry> *entries);

/// What the alert rules of all targets say, by their groups.
class AlertModel final : public RowModel<AlertModel, AlertEntry>
{
    Q_OBJECT

public:
    enum Column { State, Table, What, Value, Limit, Day, Since, ColumnCount };
    using Entry = AlertEntry;

    explicit AlertModel(QObject *parent = nullptr);
    void setEntries(const QList<Entry> &entries);

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const Entry &entry, int column, int role) const;

private:
    QString acknowledgedText(const SavedAcknowledgement &by) const;
    QString unsampledText(const Entry &entry) const;
};

} // namespace idemdesk::models
