// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace idemdesk::sql {

/// One value exactly as PostgreSQL printed it. NULL differs from the empty text.
struct Cell {
    QString text;
    bool null = true;
    qint64 fullBytes = -1; ///< size of the whole value in bytes where text is only its beginning, else -1
    QString error; ///< the server's message where the expression failed on this row, else empty

    bool partial() const { return fullBytes >= 0; }
    bool failed() const { return !error.isEmpty(); }

    static Cell of(QString value)
    {
        Cell cell;
        cell.text = std::move(value);
        cell.null = false;
        return cell;
    }

    friend bool operator==(const Cell &a, const Cell &b) { return a.null == b.null && a.text == b.text; }
};

using Cells = QList<Cell>;

} // namespace idemdesk::sql
