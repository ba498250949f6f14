// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/record_delegate.h"

#include "models/keys/record_model.h"
#include "ui/theme/theme.h"

namespace idemdesk::ui {

QSize CompactDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return { QStyledItemDelegate::sizeHint(option, index).width(), Theme::scaled(kCompactRowHeight) };
}

void RecordDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    CompactDelegate::initStyleOption(option, index);
    const bool raw = index.data(models::RecordModel::SectionRole).toInt() == 1;
    switch (index.column()) {
    case models::RecordModel::Name:
        if (raw) {
            option->font = Theme::monospace();
            option->fontMetrics = QFontMetrics(option->font);
        }
        break;
    case models::RecordModel::Value:
        if (index.data(models::RecordModel::FailedRole).toBool()) {
            option->palette.setColor(QPalette::Text, themeColor(Token::Danger));
        } else if (index.data(models::RecordModel::NullRole).toBool()) {
            option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
            option->font.setItalic(true);
        }
        break;
    default:
        option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
        break;
    }
}

} // namespace idemdesk::ui
