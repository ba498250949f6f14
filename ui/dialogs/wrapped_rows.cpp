// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/wrapped_rows.h"

#include <QHeaderView>
#include <QTableView>
#include <QTimer>

namespace idemdesk::ui {

void wrapRows(QTableView *table, int leastHeight)
{
    table->setWordWrap(true);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->verticalHeader()->setMinimumSectionSize(leastHeight);
    // The header measures rows when they come, which may be long before the last column has its width. Once for all
    // columns that change together.
    auto *later = new QTimer(table);
    later->setSingleShot(true);
    later->setInterval(0);
    QObject::connect(later, &QTimer::timeout, table, &QTableView::resizeRowsToContents);
    QObject::connect(table->horizontalHeader(), &QHeaderView::sectionResized, later, [later] { later->start(); });
}

void endAtRows(QTableView *table)
{
    const auto fit = [table] {
        const int rows = table->verticalHeader()->length() + table->horizontalHeader()->sizeHint().height();
        table->setMaximumHeight(rows + 2 * table->frameWidth());
    };
    QObject::connect(table->verticalHeader(), &QHeaderView::sectionResized, table, fit);
    QObject::connect(table->verticalHeader(), &QHeaderView::sectionCountChanged, table, fit);
    fit();
}

} // namespace idemdesk::ui
