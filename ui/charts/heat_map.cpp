// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat_map.h"

#include "models/format/quantities.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_tool_tips.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kLeastHeatCell = 44; // pixels wide
constexpr double kWeakestHeat = 0.12; // of the accent in a cell that is not empty
constexpr double kStrongestHeat = 0.85;
constexpr double kDimmedHeat = 0.45; // share of a ground that is left; texts stay readable
constexpr int kMostHeatHead = 160; // pixels that the rows' names ask for at most, at texts of the usual size
constexpr double kHeatHeadPart = 0.32; // of the width, for the rows' names

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

void HeatMap::setCells(const QStringList &rows, const QStringList &columns, const QList<QList<double>> &values,
    const QList<QList<double>> &trouble, const std::function<QString(int, int)> &textOf)
{
    const bool fits = m_rows == rows && m_columns == columns; // what is marked stays where it means the same keys
    const bool same = fits && m_values == values && m_trouble == trouble;
    m_rows = rows;
    m_columns = columns;
    m_values = values;
    m_trouble = trouble;
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
    const auto most = [](const QList<QList<double>> &cells) {
        double top = 0;
        for (const auto &row : cells) {
            top = std::max(top, row.isEmpty() ? 0 : *std::max_element(row.cbegin(), row.cend()));
        }
        return top;
    };
    const double trouble = most(m_trouble);
    m_troubled = trouble > 0;
    m_top = m_troubled ? trouble : most(m_values);
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
    for (const QString &row : m_rows) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(row));
    }
    return std::min(widest + 2 * kGrid, int(width() * kHeatHeadPart));
}

QSize HeatMap::sizeHint() const
{
    int cell = kLeastHeatCell;
    for (const QString &column : m_columns) {
        cell = std::max(cell, fontMetrics().horizontalAdvance(column) + 2 * kGrid);
    }
    int head = fontMetrics().horizontalAdvance(m_columnsTitle) + 2 * kGrid;
    for (const QString &row : m_rows) {
        head = std::max(head, fontMetrics().horizontalAdvance(row) + 2 * kGrid);
    }
    return { std::min(head, Theme::scaled(kMostHeatHead)) + int(m_columns.size()) * cell,
        (int(m_rows.size()) + 1) * lineHeight() };
}

QRect HeatMap::cellRect(int row, int column) const
{
    const int head = headWidth();
    const int count = std::max(1, int(m_columns.size()));
    const int left = head + (width() - head) * column / count;
    return { left, (row + 1) * lineHeight(), head + (width() - head) * (column + 1) / count - left, lineHeight() };
}

QPoint HeatMap::cellAt(const QPoint &place) const
{
    for (int row = 0; row < m_rows.size(); ++row) {
        for (int column = 0; column < m_columns.size(); ++column) {
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
    if (m_values.value(row).value(column) > 0) { // an empty cell leads to an empty list
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
    for (int column = 0; column < m_columns.size(); ++column) {
        const QRect head = cellRect(-1, column).adjusted(1, 0, -1, 0);
        painter.drawText(
            head, Qt::AlignCenter, fontMetrics().elidedText(m_columns.at(column), Qt::ElideRight, head.width()));
    }
    if (!m_columns.isEmpty() && !m_rows.isEmpty()) {
        paintCorner(&painter);
    }
    for (int row = 0; row < m_rows.size() && cellRect(row, 0).bottom() <= height(); ++row) {
        const QRect head(0, cellRect(row, 0).top(), headWidth() - kGrid, lineHeight());
        painter.setPen(themeColor(Token::Text));
        painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(m_rows.at(row), Qt::ElideMiddle, head.width()));
        for (int column = 0; column < m_columns.size(); ++column) {
            paintCell(&painter, row, column);
        }
    }
    if (hasFocus()) {
        drawFocusRing(&painter, m_row >= 0 ? cellRect(m_row, m_column) : rect(), kRadius / 2);
    }
}

/// What the columns are, and what the shade means.
void HeatMap::paintCorner(QPainter *painter) const
{
    const QRect corner(0, cellRect(-1, 0).top(), headWidth() - 2 * kGrid, lineHeight());
    painter->drawText(corner, Qt::AlignRight | Qt::AlignVCenter, m_columnsTitle);
    const int used = fontMetrics().horizontalAdvance(m_columnsTitle) + 2 * kGrid;
    const int room = corner.width() - used - 3 * kGrid;
    if (!m_troubled || fontMetrics().horizontalAdvance(m_troubleTitle) > room) {
        return;
    }
    painter->fillRect(QRect(0, corner.center().y() - kGrid, 2 * kGrid, 2 * kGrid), themeColor(Token::Stale));
    painter->drawText(corner.adjusted(3 * kGrid, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_troubleTitle);
}

void HeatMap::paintCell(QPainter *painter, int row, int column) const
{
    const QRect place = cellRect(row, column).adjusted(0, 0, -1, -1);
    const double value = m_values.value(row).value(column);
    if (value <= 0) {
        painter->fillRect(place, mixed(themeColor(Token::Window), themeColor(Token::Text), 0.04));
        return;
    }
    // By the root: a scope with a thousand keys leaves one with ten to be seen.
    const double shaded = m_troubled ? m_trouble.value(row).value(column) : value;
    const QColor whole = shaded <= 0
        ? mixed(themeColor(Token::Window), themeColor(Token::Text), kWeakestHeat)
        : mixed(themeColor(Token::Window), themeColor(m_troubled ? Token::Stale : Token::Accent),
            kWeakestHeat + (kStrongestHeat - kWeakestHeat) * std::sqrt(shaded / std::max(1.0, m_top)));
    const QColor ground = m_dimmed ? mixed(themeColor(Token::Window), whole, kDimmedHeat) : whole;
    painter->fillRect(place, ground);
    // Black or white where the theme's own come short: one of the two has 4.5:1 on any ground.
    const QColor inks[] = { themeColor(Token::Text), themeColor(Token::Base), Qt::black, Qt::white };
    painter->setPen(*std::max_element(std::begin(inks), std::end(inks),
        [&ground](const QColor &a, const QColor &b) { return contrast(a, ground) < contrast(b, ground); }));
    painter->drawText(place, Qt::AlignCenter, models::shortCountText(value));
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
    const int rows = int(m_rows.size());
    const int columns = int(m_columns.size());
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
