// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/palette_delegate.h"

#include "models/palette/palette_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"

#include <QPainter>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kPaletteIcon = 16; // pixels
constexpr int kEdgeShare = 3; // the right edge takes at most one of so many parts

/// The letters that were typed stand out by weight and colour. Gives where the text ends.
int drawTyped(QPainter *painter, const QRect &area, const QString &text, const QList<int> &typed, const QFont &font)
{
    QFont strong = font;
    strong.setWeight(QFont::DemiBold);
    int left = area.left();
    for (qsizetype at = 0; at < text.size();) {
        const bool marked = typed.contains(int(at));
        qsizetype end = at + 1;
        while (end < text.size() && (typed.contains(int(end)) == marked || text.at(end).isLowSurrogate())) {
            ++end;
        }
        const QFont &used = marked ? strong : font;
        const QString run = QFontMetrics(used).elidedText(
            text.sliced(at, end - at), Qt::ElideRight, std::max(0, area.right() - left));
        painter->setFont(used);
        painter->setPen(themeColor(marked ? Token::Accent : Token::Text));
        painter->drawText(QRect(left, area.top(), area.right() - left, area.height()), Qt::AlignVCenter, run);
        left += QFontMetrics(used).horizontalAdvance(run);
        at = end;
    }
    return left;
}

} // namespace

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *model = qobject_cast<const models::PaletteModel *>(index.model());
    const models::PaletteEntry *entry = model == nullptr ? nullptr : model->row(index.row());
    if (entry == nullptr) {
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected) {
        drawPanel(painter, option.rect.adjusted(0, 1, 0, -1), themeColor(Token::Selection), {}, kGrid);
    }
    const QRect row = option.rect.adjusted(2 * kGrid, 0, -2 * kGrid, 0);
    const QRect icon(row.left(), row.center().y() - kPaletteIcon / 2 + 1, kPaletteIcon, kPaletteIcon);
    if (!entry->icon.isEmpty()) {
        themedIcon(entry->icon, Token::MutedText).paint(painter, icon);
    }
    const QFontMetrics metrics(option.font);
    const QString edge = entry->keys.isEmpty() ? models::PaletteModel::kindText(entry->kind) : entry->keys;
    const int edgeWidth = std::min(metrics.horizontalAdvance(edge), row.width() / kEdgeShare);
    const QRect right(row.right() - edgeWidth, row.top(), edgeWidth + 1, row.height());
    const QRect text(icon.right() + 2 * kGrid, row.top(), right.left() - icon.right() - 4 * kGrid, row.height());
    const bool key = entry->kind == models::PaletteEntry::Kind::Key;
    const int end = drawTyped(painter, text, index.data(models::TitleRole).toString(),
        index.data(models::SpansRole).value<QList<int>>(), key ? Theme::monospace() : option.font);
    painter->setFont(option.font);
    painter->setPen(themeColor(Token::MutedText));
    const QRect rest(end + 2 * kGrid, text.top(), std::max(0, text.right() - end - 2 * kGrid), text.height());
    painter->drawText(rest, Qt::AlignVCenter,
        metrics.elidedText(index.data(models::DetailRole).toString(), Qt::ElideMiddle, rest.width()));
    painter->drawText(
        right, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(edge, Qt::ElideRight, edgeWidth + 1));
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return { option.rect.width(), std::max(kRowHeight + kGrid, option.fontMetrics.height() + 3 * kGrid) };
}

} // namespace idemdesk::ui
