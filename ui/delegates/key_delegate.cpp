// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/key_delegate.h"

#include "ui/theme/theme.h"

namespace idemdesk::ui {

KeyDelegate::KeyDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
    , m_font(Theme::monospace())
{
}

void KeyDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->font = m_font;
    option->fontMetrics = QFontMetrics(m_font);
    option->textElideMode = Qt::ElideMiddle;
}

} // namespace idemdesk::ui
