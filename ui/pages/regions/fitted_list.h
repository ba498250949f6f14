// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace idemdesk::ui {

/// Makes a list of few rows no taller than these need, so that what is said of one has the room; beyond a dozen it
/// scrolls.
void fitToRows(QTableView *table, int rows);

/// The same for a list that takes what room there is: a longer one is as tall as it can be.
void fitIfShort(QTableView *table, int rows);

} // namespace idemdesk::ui
