// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/heading_delegate.h"

class QTableView;

namespace idemdesk::models {
class HeadedRows;
}

namespace idemdesk::ui {

/// Shows a table's rows under headings that go over the whole width. A click, Enter, Space or an arrow key to the side
/// folds and unfolds a heading whose rows can be hidden.
void setUpHeadings(QTableView *table, models::HeadedRows *rows, HeadingDelegate::BadgeOf badgeOf,
    QAbstractItemDelegate *ofRows = nullptr);

} // namespace idemdesk::ui
