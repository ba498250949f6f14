// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format/csv_cell.h"

#include "sql/types/spreadsheet.h"

namespace idemdesk::models {

QByteArray csvCell(const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    QByteArray cell;
    if (!bytes.isEmpty()) {
        sql::appendCsvCell(cell, bytes.constData(), bytes.size(), false);
    }
    return cell;
}

} // namespace idemdesk::models
