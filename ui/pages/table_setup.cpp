// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/table_setup.h"

#include "models/settings.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTreeView>
#include <algorithm>

namespace idemdesk::ui {

namespace {

/// A tree has no row height of its own: its delegate says it.
class RowHeightDelegate final : public QStyledItemDelegate
{
public:
    RowHeightDelegate(models::Settings *settings, QObject *parent)
        : QStyledItemDelegate(parent)
        , m_settings(settings)
    {
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return { QStyledItemDelegate::sizeHint(option, index).width(), m_settings->compactRows() ? kCompactRowHeight : kRowHeight };
    }

private:
    models::Settings *m_settings;
};

} // namespace

void setUpTree(QTreeView *tree, models::Settings *settings)
{
    tree->setSelectionBehavior(QAbstractItemView::SelectRows);
    tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree->setAlternatingRowColors(true);
    tree->setUniformRowHeights(true);
    tree->setWordWrap(false);
    tree->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree->header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    tree->header()->setMinimumSectionSize(40);
    tree->header()->setMinimumHeight(kCompactRowHeight + 2);
    tree->header()->setTextElideMode(Qt::ElideRight);
    tree->setItemDelegate(new RowHeightDelegate(settings, tree));
    QObject::connect(settings, &models::Settings::compactRowsChanged, tree, [tree] { tree->doItemsLayout(); });
}

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

void setColumnWidths(QTableView *table, std::initializer_list<int> widths)
{
    int column = 0;
    for (const int width : widths) {
        table->setColumnWidth(column++, width);
    }
    table->horizontalHeader()->setStretchLastSection(true);
}

void fitToHeader(QTableView *table, int column, int least)
{
    const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
    table->setColumnWidth(column, std::max(least, table->horizontalHeader()->fontMetrics().horizontalAdvance(title) + 2 * kGrid));
}

} // namespace idemdesk::ui
