// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/hit_delegate.h"

#include "models/complaint/complaint_model.h"
#include "models/table/item_role.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace idemdesk::ui {

namespace {

constexpr int kBefore = 12; // characters before the hit, where not all have room

} // namespace

void HitDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    cell.text.clear();
    (cell.widget != nullptr ? cell.widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const QFontMetrics &metrics = option.fontMetrics;
    const QRect area = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    const QString below = index.data(models::DetailRole).toString();
    const int lines = below.isEmpty() ? 1 : 2;
    const QRect top(area.left(), area.center().y() + 1 - lines * metrics.height() / 2, area.width(), metrics.height());
    const QString hit = index.data(models::ComplaintModel::HitRole).toString();
    QString shown = metrics.elidedText(text, Qt::ElideRight, top.width());
    qsizetype at = hit.isEmpty() ? -1 : shown.indexOf(hit, 0, Qt::CaseInsensitive);
    const qsizetype place = hit.isEmpty() ? -1 : text.indexOf(hit, 0, Qt::CaseInsensitive);
    if (shown != text && place > kBefore) { // what stands before it gives way, the hit never
        shown = metrics.elidedText(u'…' + text.mid(place - kBefore), Qt::ElideRight, top.width());
        at = shown.indexOf(hit, 0, Qt::CaseInsensitive);
    }
    painter->save();
    painter->setFont(option.font);
    if (at >= 0) {
        const int left = top.left() + metrics.horizontalAdvance(shown.left(at));
        const int width = metrics.horizontalAdvance(shown.mid(at, hit.size()));
        const QColor ground
            = cell.state.testFlag(QStyle::State_Selected) ? themeColor(Token::Selection) : themeColor(Token::Base);
        painter->fillRect(QRect(left - 1, top.top(), width + 2, top.height()),
            badgeFill(themeColor(Token::Warning), ground, themeScheme()));
        painter->fillRect(QRect(left - 1, top.bottom(), width + 2, 2), themeColor(Token::Warning));
    }
    painter->setPen(cell.palette.color(QPalette::Text));
    painter->drawText(top, Qt::AlignLeft | Qt::AlignVCenter, shown);
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(top.translated(0, top.height()), Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(below, Qt::ElideRight, top.width()));
    painter->restore();
}

QSize HitDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize one = CellDelegate::sizeHint(option, index);
    return { one.width(), std::max(one.height(), 2 * option.fontMetrics.height() + kGrid) };
}

} // namespace idemdesk::ui
