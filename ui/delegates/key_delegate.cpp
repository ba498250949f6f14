// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/key_delegate.h"

#include "ui/theme/theme.h"

namespace idemdesk::ui {

KeyDelegate::KeyDelegate(QObject *parent)
    : CellDelegate(parent)
    , m_font(Theme::monospace())
{
}

void KeyDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    CellDelegate::initStyleOption(option, index);
    const bool italic = option->font.italic();
    const qreal size = option->font.pointSizeF(); // the person may have chosen larger texts since
    option->font = m_font;
    option->font.setPointSizeF(size);
    option->font.setItalic(italic);
    option->fontMetrics = QFontMetrics(option->font);
    option->textElideMode = Qt::ElideMiddle;
}

} // namespace idemdesk::ui
