// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/bar_delegate.h"

#include "models/table/item_role.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace idemdesk::ui {

void BarDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    CellDelegate::paint(painter, option, index);
    // Over the number, and so thin that its contrast stays: beneath, the row's own ground would cover it.
    constexpr double kOpacity = 0.16;
    constexpr int kLeast = 2; // pixels; less is dirt
    const QRect area = option.rect.adjusted(kCellPadding / 2, kGrid + 1, -kCellPadding / 2, -kGrid - 1);
    const int width = int(area.width() * index.data(models::ShareRole).toDouble());
    if (width >= kLeast) {
        painter->save();
        painter->setOpacity(kOpacity);
        drawPanel(painter, QRect(area.right() + 1 - width, area.top(), width, area.height()), themeColor(Token::Accent),
            {}, 3);
        painter->restore();
    }
}

} // namespace idemdesk::ui
