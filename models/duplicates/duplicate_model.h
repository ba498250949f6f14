// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/duplicate.h"
#include "sql/types/target.h"

#include <QHash>

namespace idemdesk::models {

/// Groups of keys that look like one intent, the strongest evidence first, one a row.
class DuplicateModel final : public RowModel<DuplicateModel, sql::DuplicateGroup>
{
    Q_OBJECT

public:
    enum Column { Reason, Table, Scope, Shared, Keys, Apart, First, Last, Amount, FirstKeys, ColumnCount };

    explicit DuplicateModel(QObject *parent = nullptr);
    /// Of what is searched: shown in each row.
    void setTarget(const sql::Target &target);
    const sql::Target &target() const { return m_target; } ///< of the groups that are there
    /// Groups that are the same ones keep what is selected.
    void setGroups(const QList<sql::DuplicateGroup> &groups);
    void clear(); ///< another database comes: no group is left, nor how much one was about
    /// How much groups are about, by their order in the list; they are kept for as long as the target is the same.
    void addAmounts(const QList<sql::DuplicateGroup> &groups, const QStringList &amounts);
    bool anyAmount() const;
    bool onlyDigests() const; ///< what the keys of each group share is a hash, which tells a reader nothing

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::DuplicateGroup &group, int column, int role) const;

private:
    sql::Target m_target;
    QHash<QString, QString> m_amounts; ///< by what names a group
    QString timeText(const std::optional<sql::Timestamp> &time) const;
    QString exactTime(const std::optional<sql::Timestamp> &time) const;
};

} // namespace idemdesk::models
