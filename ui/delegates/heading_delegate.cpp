// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/heading_delegate.h"

#include "models/table/item_role.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QTableView>
#include <algorithm>

namespace idemdesk::ui {

namespace {

constexpr int kHeadingBox = 36; // pixels: the badges stand right of the boxes, whether there is one or not
constexpr int kArrow = 12; // pixels
constexpr int kUnderHeading = 20; // pixels, of a heading beneath another one

/// Right of the arrow; where a column holds the boxes alone, over the texts of the next one.
int badgeLeft(const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const auto *table = qobject_cast<const QTableView *>(option.widget);
    const int width = table == nullptr ? 0 : table->columnWidth(index.column());
    return width > 0 && width <= Theme::scaled(kHeadingBox) ? width + kCellPadding : kHeadingBox;
}

} // namespace

HeadingDelegate::HeadingDelegate(BadgeOf badgeOf, QAbstractItemDelegate *ofRows, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_badgeOf(badgeOf)
    , m_ofRows(ofRows)
{
}

void HeadingDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QVariant heading = index.data(models::HeadingRole);
    if (!heading.isValid()) {
        m_ofRows != nullptr ? m_ofRows->paint(painter, option, index)
                            : QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    cell.text.clear();
    cell.backgroundBrush = themeColor(Token::GroupHead);
    const QStyle *style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    if (index.row() > 0) {
        painter->fillRect(
            QRect(option.rect.left(), option.rect.top(), option.rect.width(), 1), themeColor(Token::Border));
    }
    const Badge badge = m_badgeOf(heading.toInt());
    const int under = badge.text.isEmpty() ? kUnderHeading : 0; // a heading before it has the badge
    if (const QVariant folded = index.data(models::FoldedRole); folded.isValid()) {
        QStyleOption arrow = option;
        arrow.rect = QRect(option.rect.left() + under + (kHeadingBox - kArrow) / 2,
            option.rect.center().y() - kArrow / 2 + 1, kArrow, kArrow);
        style->drawPrimitive(
            folded.toBool() ? QStyle::PE_IndicatorArrowRight : QStyle::PE_IndicatorArrowDown, &arrow, painter);
    }
    QRect area = option.rect.adjusted(badgeLeft(option, index) + under, 0, -kCellPadding, 0);
    if (!badge.text.isEmpty()) {
        paintBadge(painter, area, badge, option.font, themeColor(Token::Base));
        area.adjust(badgeWidth(badge, option.font) + 3 * kGrid, 0, 0, 0);
    }
    painter->save();
    painter->setFont(Theme::heading());
    painter->setPen(cell.palette.color(QPalette::Text));
    const QFontMetrics metrics(Theme::heading());
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, area.width()));
    if (const QString detail = index.data(models::DetailRole).toString(); !detail.isEmpty()) {
        area.adjust(metrics.horizontalAdvance(text) + 4 * kGrid, 0, 0, 0);
        painter->setFont(option.font);
        painter->setPen(themeColor(Token::MutedText));
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(detail, Qt::ElideRight, std::max(0, area.width())));
    }
    painter->restore();
}

QSize HeadingDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return m_ofRows != nullptr ? m_ofRows->sizeHint(option, index) : QStyledItemDelegate::sizeHint(option, index);
}

} // namespace idemdesk::ui
