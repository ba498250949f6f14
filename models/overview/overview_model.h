// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/history.h"
#include "sql/types/overview.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

#include <QHash>
#include <optional>

namespace idemdesk::models {

inline constexpr qint64 kLongStuckSeconds = 3'600; ///< from then on a caller has given up: act now

/// One target's line: the newest summary, or why there is none.
struct OverviewEntry {
    sql::Target target;
    std::optional<sql::TargetSummary> summary;
    std::optional<sql::Error> error; ///< of the newest try; the summary may be older
    bool loading = false;
    std::optional<double> failures; ///< in the last hour; nothing: not known
    bool unusual = false; ///< more of these failures than usual
    int firing = 0; ///< alerts of it that nobody acknowledged
    sql::HistoryValues day; ///< stale keys by the hour, the last hour still filling
};

/// One part of a table's keys, for a bar.
struct StateShare {
    std::optional<sql::KeyState> state; ///< nothing: stale, of any state
    sql::RowCount count;
    QString filter; ///< finds these keys
    QString text; ///< "In progress: 12"
};

/// Every target at a glance, one a row, the worst first.
class OverviewModel final : public RowModel<OverviewModel, OverviewEntry>
{
    Q_OBJECT

public:
    enum Column { Title, States, Stale, OldestStale, Failures, Day, Rows, Expired, Size, ColumnCount };

    explicit OverviewModel(QObject *parent = nullptr);
    void setTargets(const QList<sql::Target> &targets); ///< keeps what is known of those that stay
    void setLoading(int row, bool loading);
    void setResult(int row, const sql::Result<sql::TargetSummary> &result);
    /// What samples tell of a target's last hour and day. unusual: more failures than such an hour has.
    void setRecent(
        const QString &targetName, const std::optional<double> &failures, bool unusual, const sql::HistoryValues &day);
    void setFiring(const QHash<QString, int> &alerts); ///< how many alerts of each table fire; others have none
    /// First what could not be read, then what has alerts or keys stuck for an hour, then by how long they are stuck.
    /// Rows move only where another one became worse.
    void sortWorstFirst();
    int rowOf(const QString &targetName) const;

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const OverviewEntry &entry, int column, int role) const;

    /// The keys of a row by state, stale ones apart, those that are known and not none.
    static QList<StateShare> shares(const OverviewEntry &entry);

private:
    QString toolTip(const OverviewEntry &entry, int column) const;
};

} // namespace idemdesk::models

Q_DECLARE_METATYPE(idemdesk::models::StateShare)
