// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/table_setup.h"

#include "models/settings.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>

namespace idemdesk::ui {

void setUpTable(QTableView *table, models::Settings *settings)
{
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setWordWrap(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setCornerButtonEnabled(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    // Fixed heights: anything that measures rows asks every one of a million.
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setMinimumSectionSize(40);
    table->horizontalHeader()->setMinimumHeight(kCompactRowHeight + 2);
    table->horizontalHeader()->setSectionsClickable(false); // a click would select a million cells
    table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    const auto applyHeight = [table, settings] {
        table->verticalHeader()->setDefaultSectionSize(settings->compactRows() ? kCompactRowHeight : kRowHeight);
    };
    applyHeight();
    QObject::connect(settings, &models::Settings::compactRowsChanged, table, applyHeight);
}

void fitToHeader(QTableView *table, int column, int least)
{
    const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
    table->setColumnWidth(column, std::max(least, table->horizontalHeader()->fontMetrics().horizontalAdvance(title) + 2 * kGrid));
}

} // namespace idemdesk::ui
