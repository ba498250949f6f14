// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/table/item_role.h"
#include "sql/types/overview.h"
#include "sql/types/target.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// The scopes of one target with their keys by state, page after page: a view that reaches the end calls fetchMore(),
/// which only asks through moreWanted().
class ScopesModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Columns are the scope's parts first, then these.
    enum Column {
        Pending,
        InProgress,
        Stale,
        OldestStale,
        Succeeded,
        FailedRetryable,
        FailedFinal,
        Unknown,
        Expired,
        FixedColumns
    };
    using enum ItemRole;

    explicit ScopesModel(QObject *parent = nullptr);
    void reset(const sql::Target &target);
    void clear();
    void append(const sql::ScopePage &page);
    /// Replaces what is shown from the beginning; rows keep their place by scope.
    void replace(const sql::ScopePage &page);
    void setMoreUnderWay(bool underWay) { m_underWay = underWay; }
    void setTimeFormat(const TimeFormat &format);
    const QList<sql::ScopeCounts> &scopes() const { return m_scopes; }
    const sql::Cells &next() const { return m_next; }
    bool more() const { return m_more; }
    int partCount() const { return int(m_target.profile.scope.size()); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

signals:
    void moreWanted();

private:
    sql::Target m_target;
    QList<sql::ScopeCounts> m_scopes;
    sql::Cells m_next;
    bool m_more = false;
    bool m_underWay = false;
    sql::Timestamp m_now;
    TimeFormat m_timeFormat;
};

} // namespace idemdesk::models
