// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/console_style.h"

#include <QPainter>
#include <QStyleOption>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ConsoleStyle::ConsoleStyle()
    : QProxyStyle(u"Fusion"_s)
{
}

void ConsoleStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck) {
        return;
    }
    QColor outline = option->palette.color(QPalette::Text);
    outline.setAlphaF(option->state & State_Enabled ? 0.6F : 0.3F);
    painter->save();
    painter->setPen(outline);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    painter->restore();
}

} // namespace idemdesk::ui
