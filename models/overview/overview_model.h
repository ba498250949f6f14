// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/overview.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

#include <QDateTime>
#include <optional>

namespace idemdesk::models {

/// One target's line: the newest summary, or why there is none.
struct OverviewEntry {
    sql::Target target;
    std::optional<sql::TargetSummary> summary;
    std::optional<sql::Error> error; ///< of the newest try; the summary may be older
    bool loading = false;
    QDateTime refreshed; ///< local time of the summary
};

/// Every target at a glance, one a row.
class OverviewModel final : public RowModel<OverviewModel, OverviewEntry>
{
    Q_OBJECT

public:
    enum Column {
        Title,
        Rows,
        Pending,
        InProgress,
        Stale,
        OldestStale,
        Succeeded,
        FailedRetryable,
        FailedFinal,
        Unknown,
        Expired,
        Size,
        Refreshed,
        ColumnCount
    };

    explicit OverviewModel(QObject *parent = nullptr);
    void setTargets(const QList<sql::Target> &targets); ///< keeps what is known of those that stay
    void setLoading(int row, bool loading);
    void setResult(int row, const sql::Result<sql::TargetSummary> &result);
    int rowOf(const QString &targetName) const;

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const OverviewEntry &entry, int column, int role) const;

private:
    QString toolTip(const OverviewEntry &entry, int column) const;
};

} // namespace idemdesk::models
