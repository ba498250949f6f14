// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrap_row.h"

#include "ui/theme/theme.h"

#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace idemdesk::ui {

WrapRow::WrapRow(QWidget *parent)
    : QLayout(parent)
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(2 * kGrid);
}

WrapRow::~WrapRow()
{
    while (!m_items.isEmpty()) { // a layout within takes itself out of this one when it is deleted
        delete m_items.takeFirst().item;
    }
}

void WrapRow::add(QWidget *widget, int stretch)
{
    addWidget(widget);
    m_items.last().stretch = stretch;
}

void WrapRow::add(QLayout *layout)
{
    addChildLayout(layout);
    addItem(layout);
}

void WrapRow::insert(int index, QWidget *widget)
{
    addWidget(widget);
    m_items.move(m_items.size() - 1, index);
}

void WrapRow::addRoom()
{
    addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding, QSizePolicy::Minimum));
    m_items.last().stretch = 1;
}

void WrapRow::addItem(QLayoutItem *item)
{
    m_items.append({ item });
    invalidate();
}

QLayoutItem *WrapRow::itemAt(int index) const
{
    return m_items.value(index, { nullptr }).item;
}

QLayoutItem *WrapRow::takeAt(int index)
{
    if (index < 0 || index >= m_items.size()) {
        return nullptr;
    }
    invalidate();
    return m_items.takeAt(index).item;
}

/// Which items stand in which line, each at its least width.
QList<WrapRow::Line> WrapRow::lines(int width) const
{
    QList<Line> lines { Line() };
    int used = 0;
    for (int i = 0; i < m_items.size(); ++i) {
        QLayoutItem *item = m_items.at(i).item;
        const bool room = item->spacerItem() != nullptr;
        if (item->isEmpty() && !room) {
            continue; // hidden
        }
        const int least = item->minimumSize().width();
        if (!room && used > 0 && used + spacing() + least > width) {
            lines.append(Line());
            used = 0;
        }
        used += room ? 0 : least + (used > 0 ? spacing() : 0);
        lines.last().items += i;
        lines.last().height = std::max(lines.last().height, item->sizeHint().height());
    }
    return lines;
}

/// From the least width to the usual one, and what is left by the stretches.
QList<int> WrapRow::widths(const Line &line, int width) const
{
    QList<int> result;
    int gaps = -1;
    int left = width;
    int wanted = 0;
    int stretches = 0;
    for (const int i : line.items) {
        QLayoutItem *item = m_items.at(i).item;
        const int least = item->minimumSize().width();
        result += least;
        left -= least;
        gaps += item->spacerItem() != nullptr ? 0 : 1;
        wanted += std::max(0, item->sizeHint().width() - least);
        stretches += m_items.at(i).stretch;
    }
    const bool anyone = stretches == 0; // then what would like more gets it
    const auto stretchOf = [&](int i) {
        const bool expands = m_items.at(i).item->expandingDirections().testFlag(Qt::Horizontal);
        return anyone ? int(expands) : m_items.at(i).stretch;
    };
    for (const int i : line.items) {
        stretches += anyone ? stretchOf(i) : 0;
    }
    left -= std::max(0, gaps) * spacing();
    const double share = wanted > 0 ? std::clamp(double(left) / wanted, 0.0, 1.0) : 0.0;
    for (qsizetype place = 0; place < result.size(); ++place) {
        QLayoutItem *item = m_items.at(line.items.at(place)).item;
        const int more = int(std::max(0, item->sizeHint().width() - result.at(place)) * share);
        result[place] += more;
        left -= more;
    }
    for (qsizetype place = 0; place < result.size() && left > 0 && stretches > 0; ++place) {
        const int stretch = stretchOf(line.items.at(place));
        const int most = m_items.at(line.items.at(place)).item->maximumSize().width();
        const int more = std::min(left * stretch / stretches, std::max(0, most - result.at(place)));
        stretches -= stretch;
        result[place] += more;
        left -= more;
    }
    return result;
}

int WrapRow::heightForWidth(int width) const
{
    int height = -spacing();
    const auto all = lines(width);
    for (const Line &line : all) {
        height += line.height + spacing();
    }
    return std::max(0, height);
}

QSize WrapRow::sizeHint() const
{
    QSize size(0, 0);
    int shown = 0;
    for (const Item &entry : m_items) {
        if (!entry.item->isEmpty()) {
            const QSize of = entry.item->sizeHint();
            size = { size.width() + of.width(), std::max(size.height(), of.height()) };
            ++shown;
        }
    }
    return { size.width() + std::max(0, shown - 1) * spacing(), size.height() };
}

QSize WrapRow::minimumSize() const
{
    QSize size(0, 0);
    for (const Item &entry : m_items) {
        if (!entry.item->isEmpty()) {
            size = size.expandedTo(entry.item->minimumSize());
        }
    }
    return size;
}

void WrapRow::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    const auto all = lines(rect.width());
    int top = rect.top();
    for (const Line &line : all) {
        const QList<int> wide = widths(line, rect.width());
        int left = rect.left();
        for (qsizetype place = 0; place < wide.size(); ++place) {
            QLayoutItem *item = m_items.at(line.items.at(place)).item;
            const int height = std::min(line.height, item->sizeHint().height());
            item->setGeometry(
                QStyle::visualRect(parentWidget() != nullptr ? parentWidget()->layoutDirection() : Qt::LeftToRight,
                    rect, QRect(left, top + (line.height - height) / 2, wide.at(place), height)));
            left += wide.at(place) + (item->spacerItem() != nullptr ? 0 : spacing());
        }
        top += line.height + spacing();
    }
}

} // namespace idemdesk::ui
