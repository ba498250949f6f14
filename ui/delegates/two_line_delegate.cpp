// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/two_line_delegate.h"

#include "models/table/item_role.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace idemdesk::ui {

namespace {

/// Both as one text where its lines have the room; else the sentence alone.
QString runningOn(const QString &sentence, const QString &second, const QStyleOptionViewItem &option)
{
    const QString both = TwoLineDelegate::tr("%1 · %2").arg(sentence, second);
    const QRect needed = option.fontMetrics.boundingRect(
        QRect(0, 0, option.rect.width() - 2 * kCellPadding, 10'000), Qt::TextWordWrap, both);
    return needed.height() <= option.rect.height() ? both : sentence;
}

} // namespace

TwoLineDelegate::TwoLineDelegate(First first, QObject *parent)
    : CellDelegate(parent)
    , m_first(first)
{
}

void TwoLineDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QVariant title = index.data(models::TitleRole);
    const QString second = index.data(models::DetailRole).toString();
    const bool key = m_first == First::Key;
    if (!key && second.isEmpty() && !title.isValid()) {
        CellDelegate::paint(painter, option, index); // one text may take both lines
        return;
    }
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString first = title.isValid() ? title.toString() : cell.text;
    const int width = option.rect.width() - 2 * kCellPadding;
    const bool runsOn = m_first == First::Sentence && option.fontMetrics.horizontalAdvance(first) > width;
    cell.text = runsOn ? runningOn(first, second, option) : QString();
    cell.features.setFlag(QStyleOptionViewItem::WrapText, runsOn);
    (cell.widget != nullptr ? cell.widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    if (runsOn) {
        return;
    }
    const QFont font = key ? Theme::monospace() : option.font;
    const QRect area = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    const int firstHeight = QFontMetrics(font).height();
    const int secondHeight = second.isEmpty() ? 0 : QFontMetrics(option.font).height();
    const QRect top(area.left(), area.center().y() + 1 - (firstHeight + secondHeight) / 2, area.width(), firstHeight);
    painter->save();
    painter->setFont(font);
    painter->setPen(cell.palette.color(QPalette::Text));
    painter->drawText(top, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(font).elidedText(first, key ? Qt::ElideMiddle : Qt::ElideRight, top.width()));
    painter->setFont(option.font);
    painter->setPen(themeColor(Token::MutedText));
    const QRect below(top.left(), top.bottom() + 1, top.width(), secondHeight);
    painter->drawText(
        below, Qt::AlignLeft | Qt::AlignVCenter, option.fontMetrics.elidedText(second, Qt::ElideRight, below.width()));
    painter->restore();
}

QSize TwoLineDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize one = CellDelegate::sizeHint(option, index);
    return { one.width(), std::max(one.height(), 2 * option.fontMetrics.height() + kGrid) };
}

} // namespace idemdesk::ui
