// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/cell.h"
#include "sql/types/profile.h"

#include <optional>

namespace idemdesk::models {

/// One raw status value and what it stands for.
struct StateLine {
    sql::Cell status; ///< null: SQL NULL
    qint64 rows = -1; ///< in the sample; -1: not seen there
    std::optional<sql::KeyState> state;
    bool anyOther = false; ///< the profile's "*": every value not listed
};

/// Raw status values and the state each stands for. Values that occur but are mapped to none are marked. StateRole is
/// taken by setData(), too, where an invalid value unmaps.
class StatesModel final : public RowModel<StatesModel, StateLine>
{
    Q_OBJECT

public:
    enum Column { Status, Rows, State, ColumnCount };
    using Line = StateLine;

    explicit StatesModel(QObject *parent = nullptr);
    void setProfile(const sql::Profile &profile);
    void setOccurring(const QList<std::pair<sql::Cell, qint64>> &counts);
    sql::Profile applied(const sql::Profile &base) const;
    int unmappedCount() const;
    bool counted() const { return m_counted; } ///< what occurs in the sample is known

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const Line &line, int column, int role) const;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
    void edited();

private:
    bool unmapped(const Line &line) const;
    QString stateText(const Line &line) const;

    bool m_counted = false;
    bool m_mapped = true; ///< rows have a status
};

} // namespace idemdesk::models
