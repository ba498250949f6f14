// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/cell_delegate.h"

#include "models/keys/key_table_model.h"
#include "ui/theme/theme.h"

namespace idemdesk::ui {

void CellDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    using LoadState = models::KeyTableModel::LoadState;
    QStyledItemDelegate::initStyleOption(option, index);
    if (m_figures) {
        option->font = Theme::figures(option->font);
        option->fontMetrics = QFontMetrics(option->font);
    }
    const auto state = static_cast<LoadState>(index.data(models::KeyTableModel::LoadStateRole).toInt());
    const bool failed
        = state == LoadState::Failed || !index.data(models::KeyTableModel::ErrorRole).toString().isEmpty();
    if (failed) {
        option->palette.setColor(QPalette::Text, themeColor(Token::Danger));
    } else if (state != LoadState::Loaded) {
        option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
    }
    if (index.data(models::KeyTableModel::ApproximateRole).toBool() && !failed) {
        option->font.setItalic(true);
    }
}

} // namespace idemdesk::ui
