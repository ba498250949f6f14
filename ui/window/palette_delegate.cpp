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
constexpr int kCapPadding = 6; // pixels, left and right of a key's name on its cap

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

/// The keys to hold and to press, of the first way where there are several: "Ctrl", "K". The plus itself is a key, too.
QStringList keyCaps(const QString &keys)
{
    const QString first = keys.section(u", "_s, 0, 0);
    QStringList caps;
    qsizetype from = 0;
    for (qsizetype plus = first.indexOf(u'+', 1); plus > from; plus = first.indexOf(u'+', from + 1)) {
        caps += first.sliced(from, plus - from);
        from = plus + 1;
    }
    if (from < first.size()) {
        caps += first.sliced(from);
    }
    return caps;
}

int capWidth(const QString &cap, const QFontMetrics &metrics)
{
    return std::max(metrics.horizontalAdvance(cap), metrics.averageCharWidth()) + 2 * kCapPadding;
}

int capsWidth(const QStringList &caps, const QFontMetrics &metrics)
{
    int width = 0;
    for (const QString &cap : caps) {
        width += capWidth(cap, metrics) + (width > 0 ? kGrid : 0);
    }
    return width;
}

void drawCaps(QPainter *painter, const QRect &area, const QStringList &caps, const QFontMetrics &metrics)
{
    int left = area.left();
    const int height = metrics.height() + kGrid;
    for (const QString &cap : caps) {
        const QRect place(left, area.center().y() - height / 2 + 1, capWidth(cap, metrics), height);
        drawPanel(painter, place, themeColor(Token::Base), themeColor(Token::ControlBorder), kGrid);
        painter->setPen(themeColor(Token::MutedText));
        painter->drawText(place, Qt::AlignCenter, cap);
        left = place.right() + 1 + kGrid;
    }
}

/// Gives what is left for the row itself.
QRect drawHead(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const int height = PaletteDelegate::headHeight(index, option.fontMetrics);
    if (height > 0) {
        const QRect head(option.rect.left() + 2 * kGrid,
            option.rect.top() + height - option.fontMetrics.height() - kGrid, option.rect.width() - 4 * kGrid,
            option.fontMetrics.height());
        painter->setFont(Theme::heading());
        painter->setPen(themeColor(Token::MutedText));
        painter->drawText(head, Qt::AlignLeft | Qt::AlignVCenter, index.data(models::HeadingRole).toString());
    }
    return option.rect.adjusted(0, height, 0, 0);
}

} // namespace

int PaletteDelegate::headHeight(const QModelIndex &index, const QFontMetrics &metrics)
{
    if (!index.data(models::HeadingRole).isValid()) {
        return 0;
    }
    return metrics.height() + (index.row() == 0 ? 2 * kGrid : 4 * kGrid);
}

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *model = qobject_cast<const models::PaletteModel *>(index.model());
    const models::PaletteEntry *entry = model == nullptr ? nullptr : model->row(index.row());
    if (entry == nullptr) {
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect whole = drawHead(painter, option, index);
    painter->setFont(option.font);
    if (option.state & QStyle::State_Selected) {
        drawPanel(painter, whole.adjusted(0, 1, 0, -1), themeColor(Token::Selection), {}, kGrid);
    }
    const QRect row = whole.adjusted(2 * kGrid, 0, -2 * kGrid, 0);
    const QRect icon(row.left(), row.center().y() - kPaletteIcon / 2 + 1, kPaletteIcon, kPaletteIcon);
    if (!entry->icon.isEmpty()) {
        themedIcon(entry->icon, Token::MutedText).paint(painter, icon);
    }
    const QFontMetrics metrics(option.font);
    const QStringList caps = keyCaps(entry->keys);
    const int edgeWidth = std::min(capsWidth(caps, metrics), row.width() / kEdgeShare);
    const QRect right(row.right() - edgeWidth, row.top(), edgeWidth + 1, row.height());
    const QRect text(icon.right() + 2 * kGrid, row.top(), right.left() - icon.right() - 4 * kGrid, row.height());
    const bool key = entry->kind == models::PaletteEntry::Kind::Key;
    const int end = drawTyped(painter, text, index.data(models::TitleRole).toString(),
        index.data(models::SpansRole).value<QList<int>>(), key ? Theme::monospace() : option.font);
    painter->setFont(option.font);
    painter->setPen(themeColor(Token::MutedText));
    const QRect rest(end + 2 * kGrid, text.top(), std::max(0, text.right() - end - 2 * kGrid), text.height());
    QStringList about { index.data(models::DetailRole).toString(),
        model->headed(*entry) ? QString() : models::PaletteModel::kindText(entry->kind) };
    about.removeAll(QString());
    painter->drawText(rest, Qt::AlignVCenter, metrics.elidedText(about.join(u" · "_s), Qt::ElideMiddle, rest.width()));
    drawCaps(painter, right, caps, metrics);
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int row = std::max(kRowHeight + kGrid, option.fontMetrics.height() + 3 * kGrid);
    return { option.rect.width(), row + headHeight(index, option.fontMetrics) };
}

} // namespace idemdesk::ui
