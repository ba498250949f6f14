// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/tile_row.h"

#include "ui/theme/theme.h"

#include <QResizeEvent>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kNarrowTile = 118; // pixels; below it a figure is cut

} // namespace

TileRow::TileRow(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    setObjectName(u"tileRow"_s);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(2 * kGrid);
}

void TileRow::add(QWidget *tile)
{
    m_tiles += tile;
    m_columns = 0;
    place(int(m_tiles.size()));
}

void TileRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int count = int(m_tiles.size());
    const bool fits = event->size().width() >= count * (Theme::scaled(kNarrowTile) + 2 * kGrid);
    place(fits ? count : (count + 1) / 2);
}

void TileRow::place(int columns)
{
    if (columns == m_columns) {
        return;
    }
    m_columns = columns;
    for (int i = 0; i < m_tiles.size(); ++i) {
        m_grid->addWidget(m_tiles.at(i), i / columns, i % columns);
    }
    for (int column = 0; column < m_tiles.size(); ++column) {
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
    }
}

} // namespace idemdesk::ui
