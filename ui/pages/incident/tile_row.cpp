// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/tile_row.h"

#include "ui/theme/theme.h"

#include <QResizeEvent>
#include <algorithm>
#include <utility>

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
    arrange();
}

void TileRow::setShown(QWidget *tile, bool shown)
{
    if (m_left.contains(tile) == shown) {
        if (shown) {
            m_left.remove(tile);
        } else {
            m_left.insert(tile);
        }
        tile->setVisible(shown);
        m_columns = 0;
        arrange();
    }
}

void TileRow::arrange()
{
    const int count = int(m_tiles.size() - m_left.size());
    const bool fits = width() >= count * (Theme::scaled(kNarrowTile) + 2 * kGrid);
    place(std::max(1, fits ? count : (count + 1) / 2));
}

void TileRow::place(int columns)
{
    if (columns == m_columns) {
        return;
    }
    m_columns = columns;
    int at = 0;
    for (QWidget *tile : std::as_const(m_tiles)) {
        if (!m_left.contains(tile)) {
            m_grid->addWidget(tile, at / columns, at % columns);
            ++at;
        }
    }
    for (int column = 0; column < m_tiles.size(); ++column) {
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
    }
}

} // namespace idemdesk::ui
