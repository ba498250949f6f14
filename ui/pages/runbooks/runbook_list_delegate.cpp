// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runbooks/runbook_list_delegate.h"

#include "models/format/quantities.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

/// The style paints the row and its title, in the room that the mark leaves.
void RunbookListDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int firing = index.data(FiringRole).toInt();
    const QVariant answers = index.data(AnswersRole); // invalid: not read
    const int trouble = firing > 0 ? firing : answers.toInt();
    const QString mark = trouble > 0 ? u"▲ "_s + models::countText(qint64(trouble))
        : answers.isValid()          ? u"✓"_s
                                     : tr("not read");
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
