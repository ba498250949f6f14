// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat_map.h"

#include "models/format/quantities.h"
#include "ui/charts/outliers.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_tool_tips.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kLeastHeatCell = 44; // pixels wide
constexpr double kWeakestHeat = 0.12; // of the accent in a cell that is not empty
constexpr double kStrongestHeat = 0.85;
constexpr double kDimmedHeat = 0.45; // share of a ground that is left; texts stay readable
constexpr int kMostHeatHead = 160; // pixels that the rows' names ask for at most, at texts of the usual size
constexpr double kHeatHeadPart = 0.32; // of the width, for the rows' names
constexpr int kTroubleCorner = 7; // pixels
constexpr int kMostCorners = 5;

/// In the upper right corner, with an edge that parts it from any ground.
void paintTroubleCorner(QPainter *painter, const QRect &cell)
{
    const QPoint corner = cell.topRight() + QPoint(1, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(themeColor(Token::Base), 1));
    painter->setBrush(themeColor(Token::Stale));
    painter->drawPolygon(QPolygon { corner, corner - QPoint(kTroubleCorner, 0), corner + QPoint(0, kTroubleCorner) });
    painter->restore();
}

void paintUnseen(QPainter *painter, const QRect &cell)
{
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(cell, Qt::AlignCenter, u"?"_s);
}

} // namespace

HeatMap::HeatMap(const QString &name, const QString &columnsTitle, QWidget *parent)
    : QWidget(parent)
    , m_columnsTitle(columnsTitle)
{
    setObjectName(u"heatMap"_s);
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void HeatMap::setCells(const Cells &cells, const std::function<QString(int, int)> &textOf)
{
    // What is marked stays where it means the same keys.
    const bool fits = m_cells.rows == cells.rows && m_cells.columns == cells.columns;
    const bool same = m_cells == cells;
    m_cells = cells;
    findTop();
    m_textOf = textOf;
    if (same) {
        return;
    }
    mark(fits ? m_row : -1, fits ? m_column : -1);
    updateGeometry();
}

void HeatMap::findTop()
{
    m_top = 0;
    m_unseen = false;
    const int columns = int(m_cells.columns.size());
    QList<double> values;
    QList<double> trouble;
    for (int row = 0; row < m_cells.rows.size(); ++row) {
        for (int column = 0; column < columns; ++column) {
            values += m_cells.values.value(row).value(column);
            trouble += m_cells.trouble.value(row).value(column);
            m_top = std::max(m_top, values.constLast());
            m_unseen = m_unseen || unseen(row, column);
        }
    }
    m_corners.clear();
    for (const int place : outliers(trouble, values, kMostCorners)) {
        m_corners += { place % columns, place / columns };
    }
}

bool HeatMap::unseen(int row, int column) const
{
    return m_cells.sampled && column >= m_cells.counted && m_cells.values.value(row).value(column) <= 0;
}

void HeatMap::setDimmed(bool dimmed)
{
    m_dimmed = dimmed;
    update();
}

int HeatMap::lineHeight() const
{
    return fontMetrics().height() + 1;
}

int HeatMap::headWidth() const
{
    int widest = fontMetrics().horizontalAdvance(m_columnsTitle);
    for (const QString &row : m_cells.rows) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(row));
    }
    return std::min(widest + 2 * kGrid, int(width() * kHeatHeadPart));
}

QSize HeatMap::sizeHint() const
{
    int cell = kLeastHeatCell;
    for (const QString &column : m_cells.columns) {
        cell = std::max(cell, fontMetrics().horizontalAdvance(column) + 2 * kGrid);
    }
    int head = fontMetrics().horizontalAdvance(m_columnsTitle) + 2 * kGrid;
    for (const QString &row : m_cells.rows) {
        head = std::max(head, fontMetrics().horizontalAdvance(row) + 2 * kGrid);
    }
    return { std::min(head, Theme::scaled(kMostHeatHead)) + int(m_cells.columns.size()) * cell,
        (int(m_cells.rows.size()) + 1) * lineHeight() + (hasLegend() ? lineHeight() + kGrid : 0) };
}

QRect HeatMap::cellRect(int row, int column) const
{
    const int head = headWidth();
    const int count = std::max(1, int(m_cells.columns.size()));
    const int left = head + (width() - head) * column / count;
    return { left, (row + 1) * lineHeight(), head + (width() - head) * (column + 1) / count - left, lineHeight() };
}

QPoint HeatMap::cellAt(const QPoint &place) const
{
    for (int row = 0; row < shownRows(); ++row) {
        for (int column = 0; column < m_cells.columns.size(); ++column) {
            if (cellRect(row, column).contains(place)) {
                return { column, row };
            }
        }
    }
    return { -1, -1 };
}

void HeatMap::mark(int row, int column)
{
    m_row = row;
    m_column = column;
    setAccessibleDescription(m_row >= 0 && m_textOf ? tr("%1. Enter shows these keys alone.").arg(m_textOf(row, column))
                                                    : tr("The arrow keys lead from cell to cell."));
    QAccessibleEvent told(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&told);
    update();
}

void HeatMap::choose(int row, int column)
{
    if (unseen(row, column) || m_cells.values.value(row).value(column) > 0) { // an empty cell leads to an empty list
        emit chosen(row, column);
    }
}

bool HeatMap::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QPoint cell = cellAt(help->pos());
        if (cell.y() >= 0 && m_textOf) {
            PlainToolTips::show(help->globalPos(), m_textOf(cell.y(), cell.x()), this, cellRect(cell.y(), cell.x()));
        }
        return true;
    }
    return QWidget::event(event);
}

void HeatMap::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(themeColor(Token::MutedText));
    for (int column = 0; column < m_cells.columns.size(); ++column) {
        const QRect head = cellRect(-1, column).adjusted(1, 0, -1, 0);
        painter.drawText(
            head, Qt::AlignCenter, fontMetrics().elidedText(m_cells.columns.at(column), Qt::ElideRight, head.width()));
    }
    if (!m_cells.columns.isEmpty() && !m_cells.rows.isEmpty()) {
        const QRect corner(0, cellRect(-1, 0).top(), headWidth() - 2 * kGrid, lineHeight());
        painter.drawText(corner, Qt::AlignRight | Qt::AlignVCenter, m_columnsTitle);
    }
    for (int row = 0; row < shownRows(); ++row) {
        const QRect head(0, cellRect(row, 0).top(), headWidth() - kGrid, lineHeight());
        painter.setPen(themeColor(Token::Text));
        painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(m_cells.rows.at(row), Qt::ElideMiddle, head.width()));
        for (int column = 0; column < m_cells.columns.size(); ++column) {
            paintCell(&painter, row, column);
        }
    }
    paintLegend(&painter);
    if (hasFocus()) {
        drawFocusRing(&painter, m_row >= 0 ? cellRect(m_row, m_column) : rect(), kRadius / 2);
    }
}

int HeatMap::shownRows() const
{
    const int room = height() - lineHeight() - (hasLegend() ? lineHeight() + kGrid : 0);
    return std::clamp(room / lineHeight(), 0, int(m_cells.rows.size()));
}

/// Below the cells, from the right: what a marked corner and a question mark mean.
void HeatMap::paintLegend(QPainter *painter) const
{
    if (!hasLegend() || m_cells.rows.isEmpty()) {
        return;
    }
    const QRect line(0, height() - lineHeight(), width() - 1, lineHeight());
    int right = line.right();
    const auto entry = [&](const QString &text, const auto &paint) {
        const int wide = std::min(fontMetrics().horizontalAdvance(text), std::max(0, right - 4 * kGrid));
        painter->setPen(themeColor(Token::MutedText));
        painter->drawText(QRect(right - wide, line.top(), wide + 1, line.height()), Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(text, Qt::ElideRight, wide + 1));
        right -= wide + 4 * kGrid;
        paint(painter, QRect(right, line.center().y() - kGrid, 3 * kGrid, 2 * kGrid + 1));
        right -= 3 * kGrid;
    };
    if (m_unseen) {
        entry(tr("not in the sample"), paintUnseen);
    }
    if (!m_corners.isEmpty()) {
        entry(m_troubleTitle, paintTroubleCorner);
    }
}

void HeatMap::paintCell(QPainter *painter, int row, int column) const
{
    const QRect place = cellRect(row, column).adjusted(0, 0, -1, -1);
    const double value = m_cells.values.value(row).value(column);
    if (value <= 0) {
        painter->fillRect(place, mixed(themeColor(Token::Window), themeColor(Token::Text), 0.04));
        if (unseen(row, column)) {
            paintUnseen(painter, place);
        }
        return;
    }
    // By the root: a scope with a thousand keys leaves one with ten to be seen.
    const QColor whole = mixed(themeColor(Token::Window), themeColor(Token::Accent),
        kWeakestHeat + (kStrongestHeat - kWeakestHeat) * std::sqrt(value / std::max(1.0, m_top)));
    const QColor ground = m_dimmed ? mixed(themeColor(Token::Window), whole, kDimmedHeat) : whole;
    painter->fillRect(place, ground);
    // Black or white where the theme's own come short: one of the two has 4.5:1 on any ground.
    const QColor inks[] = { themeColor(Token::Text), themeColor(Token::Base), Qt::black, Qt::white };
    painter->setPen(*std::max_element(std::begin(inks), std::end(inks),
        [&ground](const QColor &a, const QColor &b) { return contrast(a, ground) < contrast(b, ground); }));
    painter->drawText(place, Qt::AlignCenter, models::shortCountText(value));
    if (m_corners.contains(QPoint(column, row))) {
        paintTroubleCorner(painter, place);
    }
}

void HeatMap::mouseReleaseEvent(QMouseEvent *event)
{
    const QPoint cell = cellAt(event->pos());
    if (event->button() == Qt::LeftButton && cell.y() >= 0) {
        choose(cell.y(), cell.x());
    }
}

void HeatMap::keyPressEvent(QKeyEvent *event)
{
    const int rows = int(m_cells.rows.size());
    const int columns = int(m_cells.columns.size());
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool arrow = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right || event->key() == Qt::Key_Up
        || event->key() == Qt::Key_Down;
    if (rows == 0 || columns == 0 || (!enter && !arrow)) {
        QWidget::keyPressEvent(event);
    } else if (m_row < 0) {
        mark(0, 0);
    } else if (enter) {
        choose(m_row, m_column);
    } else {
        const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
        const int right = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
        mark(std::clamp(m_row + down, 0, rows - 1), std::clamp(m_column + right, 0, columns - 1));
    }
}

void HeatMap::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

} // namespace idemdesk::ui
