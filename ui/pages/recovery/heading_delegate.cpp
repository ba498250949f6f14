// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/recovery/heading_delegate.h"

#include "models/triage/triage_groups.h"
#include "ui/delegates/class_delegate.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace idemdesk::ui {

namespace {

constexpr int kHeadingBox = 36; // pixels: the badges stand right of the boxes, whether there is one or not

} // namespace

void HeadingDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QVariant heading = index.data(models::TriageGroups::HeadingRole);
    if (!heading.isValid()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    cell.text.clear();
    cell.backgroundBrush = themeColor(Token::AlternateBase);
    (cell.widget != nullptr ? cell.widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const Badge badge = classBadge(static_cast<models::TriageClass>(heading.toInt()));
    const QRect area = option.rect.adjusted(kHeadingBox, 0, -kCellPadding, 0);
    paintBadge(painter, area, badge, option.font, themeColor(Token::AlternateBase));
    painter->save();
    painter->setFont(Theme::heading());
    painter->setPen(cell.palette.color(QPalette::Text));
    painter->drawText(
        area.adjusted(badgeWidth(badge, option.font) + 3 * kGrid, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
    painter->restore();
}

} // namespace idemdesk::ui
