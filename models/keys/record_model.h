// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/story.h"
#include "sql/types/target.h"

namespace idemdesk::models {

/// What a line of a record is about; lines of one group stand together, in this order.
enum class RecordGroup { Identity, Work, Times, Outcome, Fields, Columns };

/// One role, or one raw column, of a row.
struct RecordLine {
    QString name;
    sql::Cell value;
    QString source;
    bool raw = false;
    bool time = false;
    RecordGroup group = RecordGroup::Identity;
};

/// Every role of one row, and then the raw columns that no role shows as they stand: Name, Value, Source (the role's
/// SQL, or the column's type). The first line of each group has the group's name as TitleRole.
class RecordModel final : public RowModel<RecordModel, RecordLine>
{
    Q_OBJECT

public:
    enum Column { Name, Value, Source, ColumnCount };

    explicit RecordModel(QObject *parent = nullptr);
    void setDetail(const sql::Target &target, const sql::KeyDetail &detail);
    void clear() { setRows({}); }

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const RecordLine &line, int column, int role) const;

private:
    std::optional<sql::Timestamp> timeOf(const RecordLine &line) const;
    QString valueText(const RecordLine &line) const;
    QString valueToolTip(const RecordLine &line) const;
    bool beginsGroup(const RecordLine &line) const;

    sql::Timestamp m_now;
};

} // namespace idemdesk::models
