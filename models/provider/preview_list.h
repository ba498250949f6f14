// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_map.h"
#include "models/table/row_model.h"

namespace idemdesk::models {

/// The first lines of a statement, as its map reads them.
class PreviewList final : public RowModel<PreviewList, MappedLine>
{
    Q_OBJECT

public:
    enum Column { Line, Reference, Amount, Time, Outcome, ColumnCount };

    explicit PreviewList(QObject *parent = nullptr);
    void setLines(const QList<MappedLine> &lines) { setRows(lines); }

    static std::span<const ColumnSpec> columns();
};

} // namespace idemdesk::models
