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
    constexpr int kBarHeight = 3; // pixels, under the number
    const QRect area = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    const int width = int(area.width() * index.data(models::ShareRole).toDouble());
    if (width > 0) {
        const QRect bar(area.right() + 1 - width, option.rect.bottom() - kBarHeight, width, kBarHeight);
        drawPanel(painter, bar, themeColor(Token::Accent), {}, 1);
    }
}

} // namespace idemdesk::ui
