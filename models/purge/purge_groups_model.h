// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/purge_stay.h"
#include "sql/types/triage.h"

#include <QHash>

namespace idemdesk::models {

/// What a purge would take, by scope and state; while it runs, and after it: how much of that it took.
class PurgeGroupsModel final : public RowModel<PurgeGroupsModel, sql::PurgeGroup>
{
    Q_OBJECT

public:
    enum Column { Scope, State, Rows, Purged, Oldest, Newest, Left, ColumnCount };

    explicit PurgeGroupsModel(QObject *parent = nullptr);
    void setGroups(const QList<sql::PurgeGroup> &groups); ///< nothing is purged of them
    /// What the batches took by now. complete: they name every scope; else no number is no zero.
    void setPurged(const QList<sql::PurgedScope> &purged, bool complete);

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::PurgeGroup &group, int column, int role) const;

private:
    QString timeText(const std::optional<sql::Timestamp> &time) const;
    QString purgedText(const sql::PurgeGroup &group) const;

    QHash<QString, qint64> m_purged; ///< rows by the scope, as JSON
    QHash<QString, qint64> m_rowsOf; ///< planned rows by the scope
    QHash<QString, int> m_groupsOf; ///< of a scope, whose batches do not tell the states apart
    bool m_complete = false;
};

} // namespace idemdesk::models
