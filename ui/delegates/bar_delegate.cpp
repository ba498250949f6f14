// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/bar_delegate.h"

#include "models/table/item_role.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

void BarDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    CellDelegate::paint(painter, option, index);
    // Beside the number: over it, the bar's end would cut through its digits.
    constexpr double kOpacity = 0.3;
    constexpr int kLeast = 2; // pixels; less is dirt
    const QFontMetrics metrics(Theme::figures(option.font));
    const int digits
        = std::max(metrics.horizontalAdvance(u"00,000"_s), metrics.horizontalAdvance(index.data().toString()));
    const QRect area = option.rect.adjusted(kCellPadding, 2 * kGrid, -kCellPadding - digits - 2 * kGrid, -2 * kGrid);
    const int width = int(area.width() * index.data(models::ShareRole).toDouble());
    if (width >= kLeast) {
        painter->save();
        painter->setOpacity(kOpacity);
        drawPanel(painter, QRect(area.right() + 1 - width, area.top(), width, area.height()), themeColor(Token::Accent),
            {}, 2);
        painter->restore();
    }
}

} // namespace idemdesk::ui
