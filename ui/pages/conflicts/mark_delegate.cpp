// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflicts/mark_delegate.h"

#include "models/conflicts/conflict_words.h"
#include "models/format/display_text.h"
#include "models/table/item_role.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

MarkDelegate::MarkDelegate(BadgeOf badgeOf, QObject *parent)
    : CellDelegate(parent)
    , m_badgeOf(badgeOf)
{
}

void MarkDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    cell.text.clear();
    (cell.widget != nullptr ? cell.widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    Badge badge = m_badgeOf(index);
    badge.text = index.data(models::TitleRole).toString();
    const QString second = index.data(models::DetailRole).toString();
    const QFontMetrics metrics(option.font);
    const QRect area = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    // What paintBadge() takes, with its margins, and less where rows are compact. The second line stands where those of
    // the other columns stand.
    const int badgeHeight = std::min(metrics.height() + 2 * kGrid, option.rect.height() / 2 + 2);
    const int foot = area.center().y() + (second.isEmpty() ? badgeHeight / 2 : kGrid / 2 + 1);
    const QRect above(area.left(), foot - badgeHeight + 1, area.width(), badgeHeight);
    paintBadge(painter, above, badge, option.font, themeColor(Token::Base));
    if (!second.isEmpty()) {
        painter->save();
        painter->setFont(option.font);
        painter->setPen(themeColor(Token::MutedText));
        const QRect below(area.left(), area.center().y() + 2, area.width(), metrics.height());
        painter->drawText(
            below, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(second, Qt::ElideRight, below.width()));
        painter->restore();
    }
}

QSize MarkDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize one = CellDelegate::sizeHint(option, index);
    return { one.width(), std::max(one.height(), 2 * option.fontMetrics.height() + 2 * kGrid) };
}

Badge conflictBadge(const QString &kind)
{
    Badge badge;
    badge.text = models::displayText(models::conflictKindMark(kind), 60);
    if (kind == "key_conflict"_L1 || kind == "message_conflict"_L1 || kind == "application"_L1) {
        badge.state = sql::KeyState::FailedFinal;
    } else if (kind == "deadlock"_L1 || kind == "serialization_failure"_L1) {
        badge.state = sql::KeyState::FailedRetryable; // a retry is right
        badge.tone = Token::Pending;
    } else if (kind == "refused"_L1) {
        badge.state = sql::KeyState::FailedFinal;
        badge.tone = Token::Warning;
    } else if (kind == sql::kReplayKind) {
        badge.state = sql::KeyState::Succeeded; // what the key is for
    } else {
        badge.state = sql::KeyState::Unknown;
    }
    return badge;
}

} // namespace idemdesk::ui
