// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/heading_delegate.h"

#include "models/table/item_role.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace idemdesk::ui {

namespace {

constexpr int kHeadingBox = 36; // pixels: the badges stand right of the boxes, whether there is one or not
constexpr int kArrow = 12; // pixels

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
    cell.backgroundBrush = themeColor(Token::AlternateBase);
    const QStyle *style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    if (const QVariant folded = index.data(models::FoldedRole); folded.isValid()) {
        QStyleOption arrow = option;
        arrow.rect = QRect(
            option.rect.left() + (kHeadingBox - kArrow) / 2, option.rect.center().y() - kArrow / 2 + 1, kArrow, kArrow);
        style->drawPrimitive(
            folded.toBool() ? QStyle::PE_IndicatorArrowRight : QStyle::PE_IndicatorArrowDown, &arrow, painter);
    }
    const Badge badge = m_badgeOf(heading.toInt());
    const QRect area = option.rect.adjusted(kHeadingBox, 0, -kCellPadding, 0);
    paintBadge(painter, area, badge, option.font, themeColor(Token::AlternateBase));
    painter->save();
    painter->setFont(Theme::heading());
    painter->setPen(cell.palette.color(QPalette::Text));
    const QRect room = area.adjusted(badgeWidth(badge, option.font) + 3 * kGrid, 0, 0, 0);
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(Theme::heading()).elidedText(text, Qt::ElideRight, room.width()));
    painter->restore();
}

QSize HeadingDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return m_ofRows != nullptr ? m_ofRows->sizeHint(option, index) : QStyledItemDelegate::sizeHint(option, index);
}

} // namespace idemdesk::ui
