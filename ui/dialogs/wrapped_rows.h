// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace idemdesk::ui {

/// Rows as high as their sentences, again whenever a column gets another width. For a few dozen rows: each is measured.
/// leastHeight: pixels, of a row of one line.
void wrapRows(QTableView *table, int leastHeight);

/// The table is no higher than its rows, however much room there is.
void endAtRows(QTableView *table);

} // namespace idemdesk::ui
