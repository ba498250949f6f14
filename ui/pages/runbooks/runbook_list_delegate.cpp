// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runbooks/runbook_list_delegate.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

/// Each number with its unit: an alert and an answer are not of one weight.
QString RunbookListDelegate::markOf(const QModelIndex &index)
{
    const QVariant answers = index.data(AnswersRole); // invalid: not read
    if (const int firing = index.data(FiringRole).toInt(); firing > 0) {
        return u"▲ "_s + tr("%Ln alert(s)", nullptr, firing);
    }
    return answers.toInt() > 0 ? u"▲ "_s + tr("%Ln answer(s)", nullptr, answers.toInt())
        : answers.isValid()    ? u"✓"_s
                               : tr("not read");
}

/// The style paints the row and its title, in the room that the mark leaves.
void RunbookListDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int firing = index.data(FiringRole).toInt();
    const QVariant answers = index.data(AnswersRole); // invalid: not read
    const int trouble = firing > 0 ? firing : answers.toInt();
    const QString mark = markOf(index);
    QFont strong = option.font;
    strong.setWeight(trouble > 0 ? QFont::DemiBold : QFont::Normal);
    const int wide = QFontMetrics(strong).horizontalAdvance(mark) + 4 * kGrid;
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    row.text = option.fontMetrics.elidedText(row.text, Qt::ElideRight, option.rect.width() - wide - 4 * kGrid);
    const QStyle *style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &row, painter, option.widget);
    painter->save();
    painter->setFont(strong);
    painter->setPen(themeColor(firing > 0 ? Token::Danger
            : trouble > 0                 ? Token::Warning
            : answers.isValid()           ? Token::Succeeded
                                          : Token::MutedText));
    painter->drawText(option.rect.adjusted(0, 0, -2 * kGrid, 0), Qt::AlignRight | Qt::AlignVCenter, mark);
    painter->restore();
}

} // namespace idemdesk::ui
