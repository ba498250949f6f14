// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/compare/json_diff_model.h"

namespace idemdesk::tests {

/// Every index of a model in the order a view shows them, first column.
inline QList<QModelIndex> allRows(const QAbstractItemModel &model)
{
    QList<QModelIndex> out;
    QList<QModelIndex> waiting;
    const auto push = [&](const QModelIndex &above) {
        for (int row = model.rowCount(above) - 1; row >= 0; --row) {
            waiting.append(model.index(row, 0, above));
        }
    };
    push({});
    while (!waiting.isEmpty()) {
        out.append(waiting.takeLast());
        push(out.last());
    }
    return out;
}

/// "amount|10|12|changed", indented by depth.
inline QStringList treeLines(const models::JsonDiffModel &model)
{
    QStringList out;
    for (const QModelIndex &index : allRows(model)) {
        QStringList cells;
        for (int column = 0; column < models::JsonDiffModel::ColumnCount; ++column) {
            cells += index.siblingAtColumn(column).data().toString();
        }
        QString indent;
        for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) {
            indent += u' ';
        }
        out += indent + cells.join(u'|');
    }
    return out;
}

} // namespace idemdesk::tests
