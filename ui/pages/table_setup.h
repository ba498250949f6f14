// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

class QTableView;
class QTreeView;

namespace idemdesk::models {
class Settings;
}

namespace idemdesk::ui {

/// What all tables of the console share: whole rows, fixed row heights that follow the settings, quiet lines, no corner.
void setUpTable(QTableView *table, models::Settings *settings);

/// The same for a tree.
void setUpTree(QTreeView *tree, models::Settings *settings);

/// Widths in pixels, from the first column on; the last column takes what is left.
void setColumnWidths(QTableView *table, std::initializer_list<int> widths);

/// Makes a column as wide as its title, and at least so wide.
void fitToHeader(QTableView *table, int column, int least);

} // namespace idemdesk::ui
