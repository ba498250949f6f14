// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/overview.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

#include <QAbstractTableModel>
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
class OverviewModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Title, Rows, Pending, InProgress, Stale, OldestStale, Succeeded, FailedRetryable, FailedFinal, Unknown, Expired, Size, Refreshed, ColumnCount };
    enum ItemRole {
        RawRole = Qt::UserRole, ///< qint64 of a count, invalid where unknown
        CountKindRole, ///< int of sql::RowCount::Kind
        StateRole, ///< int of sql::KeyState for the columns of a state
        FilterTextRole, ///< what a click on this cell filters by: "state:stale"; "" for all rows
        ErrorRole, ///< QString, whole message
        LoadingRole, ///< bool
        TargetNameRole ///< profile's name
    };

    explicit OverviewModel(QObject *parent = nullptr);
    void setTargets(const QList<sql::Target> &targets); ///< keeps what is known of those that stay
    void setLoading(int row, bool loading);
    void setResult(int row, const sql::Result<sql::TargetSummary> &result);
    void setTimeFormat(const TimeFormat &format);
    const QList<OverviewEntry> &entries() const { return m_entries; }
    int rowOf(const QString &targetName) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<OverviewEntry> m_entries;
    TimeFormat m_timeFormat;
};

} // namespace idemdesk::models
