// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layouts.h"

#include "ui/theme/theme.h"

#include <QDialog>
#include <QSplitter>

namespace idemdesk::ui {

namespace {

QVBoxLayout *column(QWidget *widget, const QMargins &margins, int spacing)
{
    auto *layout = new QVBoxLayout(widget);
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    return layout;
}

} // namespace

QVBoxLayout *pageColumn(QWidget *page)
{
    return column(page, { 3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid }, 2 * kGrid);
}

QVBoxLayout *tabColumn(QWidget *tab)
{
    return column(tab, { 0, 2 * kGrid, 0, 0 }, 2 * kGrid);
}

QVBoxLayout *dialogColumn(QDialog *dialog)
{
    return column(dialog, { 4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid }, 2 * kGrid);
}

QVBoxLayout *partColumn(QWidget *part)
{
    return column(part, {}, 2 * kGrid);
}

QVBoxLayout *lowerColumn(QWidget *part)
{
    return column(part, { 0, 2 * kGrid, 0, 0 }, kGrid);
}

QHBoxLayout *barRow(std::initializer_list<QWidget *> widgets, QWidget *bar)
{
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * kGrid);
    for (QWidget *widget : widgets) {
        if (widget == nullptr) {
            row->addStretch(1);
        } else {
            row->addWidget(widget);
        }
    }
    return row;
}

void splitInTwo(QSplitter *split, QWidget *first, QWidget *second, int firstShare, int secondShare)
{
    split->addWidget(first);
    split->addWidget(second);
    split->setStretchFactor(0, firstShare);
    split->setStretchFactor(1, secondShare);
    split->setChildrenCollapsible(false);
}

} // namespace idemdesk::ui
