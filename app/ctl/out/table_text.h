// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace idemdesk::app {

/// What a table is fitted to.
struct TableFit {
    int width = 0; ///< in characters; 0: as wide as it is
    bool colours = false;
    QStringList columns; ///< only these, in this order; empty: all
    QStringList texts; ///< titles of columns that hold text to read, beside the last one of a table with sentences
};

struct FittedTable {
    QString text; ///< lines; empty where none of the columns asked for is here
    QStringList leftOut; ///< columns that found no room
    QStringList found; ///< which of the columns asked for are here
};

/// An aligned table. Where it is too wide, long cells keep their beginning and end, then the last columns are left out.
/// Columns without any content go first of all. With `sentences` the last column holds text to read: it is broken into
/// lines and never cut, and where it would be a thin strip it stands below its row; so are the columns of `texts`, for
/// which the others give way. Cells have no line breaks.
FittedTable tableText(const QStringList &header, const QList<QStringList> &rows, bool sentences, const TableFit &fit);

/// How a column is called on the command line: "APPROVAL ABOVE" is approval-above.
QString columnWord(const QString &title);

} // namespace idemdesk::app
