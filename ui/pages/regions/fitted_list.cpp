// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/fitted_list.h"

#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>

namespace idemdesk::ui {

void fitToRows(QTableView *table, int rows)
{
    constexpr int kMostRows = 12;
    const int shown = std::clamp(rows, 1, kMostRows);
    table->setMaximumHeight(table->horizontalHeader()->sizeHint().height() + 2 * table->frameWidth()
        + shown * table->verticalHeader()->defaultSectionSize() + 2 * kGrid);
}

} // namespace idemdesk::ui
