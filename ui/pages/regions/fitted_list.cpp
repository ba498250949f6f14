// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/fitted_list.h"

#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>

namespace idemdesk::ui {

namespace {

constexpr int kMostRows = 12;

} // namespace

void fitToRows(QTableView *table, int rows)
{
    const int shown = std::clamp(rows, 1, kMostRows);
    table->setMaximumHeight(table->horizontalHeader()->sizeHint().height() + 2 * table->frameWidth()
        + shown * table->verticalHeader()->defaultSectionSize() + 2 * kGrid);
}

void fitIfShort(QTableView *table, int rows)
{
    if (rows <= kMostRows) {
        fitToRows(table, rows);
    } else {
        table->setMaximumHeight(QWIDGETSIZE_MAX);
    }
}

} // namespace idemdesk::ui
