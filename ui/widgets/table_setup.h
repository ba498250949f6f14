// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QList>

class QTableView;
class QTableWidget;
class QTreeView;

namespace idemdesk::models {
class Settings;
}

namespace idemdesk::ui {

/// What tells one table of the console from another.
struct TableSpec {
    QString objectName;
    QString accessibleName;
    QAbstractItemModel *model = nullptr; ///< null: it has one already
    /// Pixels, from the first column on. None is narrower than its title or the times in it, and the last column takes
    /// what is left.
    QList<int> widths;
    QAbstractItemView::SelectionMode selection = QAbstractItemView::SingleSelection;
};

/// What all tables of the console share: whole rows, row heights that follow the settings, quiet lines, no corner.
void setUpTable(QTableView *table, const TableSpec &spec, models::Settings *settings);
/// The same for a few rows in a pane or a dialog. rowHeight: pixels.
void setUpSmallTable(QTableView *table, const TableSpec &spec, int rowHeight = kCompactRowHeight);
/// The same for texts that nobody else keeps; a tooltip says each whole.
QTableWidget *textTable(
    const TableSpec &spec, const QStringList &header, const QList<QStringList> &rows, int rowHeight, QWidget *parent);

/// Rows of two lines, where a cell says beneath what it belongs to or wraps a sentence.
void setTwoLines(QTableView *table, models::Settings *settings);

/// The same for a tree.
void setUpTree(QTreeView *tree, const TableSpec &spec, models::Settings *settings);
/// For a tree of names and values in a pane, such as a JSON document.
void setUpValueTree(QTreeView *tree, const TableSpec &spec);

/// Space ticks or unticks the current row, whichever of its columns is the current one.
void toggleBySpace(QTableView *table);

/// Pixels that a column cannot do without: its title, or a time where it shows times.
int leastColumnWidth(const QTableView *table, int column);

/// Makes a column as wide as the longest of these badges, whatever the size of the texts.
void fitToBadges(QTableView *table, int column, const QStringList &labels);

/// The same for the badges that are listed, as there are wider ones that seldom are; it grows with them. Words that are
/// no badges do not count.
void fitToListedBadges(QTableView *table, int column);

/// Lets these columns share the room that the others leave. Where that were less than `least` pixels for each, they are
/// so wide all the same, and the table scrolls. most: pixels that each takes at most, so that what belongs together
/// stays together; the last column takes the rest. 0: no limit. parts: how many parts of the room each has; empty: they
/// are equally wide.
void shareRoom(QTableView *table, const QList<int> &columns, int least, int most = 0, const QList<int> &parts = {});

/// Makes a column as wide as its title, and at least so wide.
void fitToHeader(QTableView *table, int column, int least);

} // namespace idemdesk::ui
