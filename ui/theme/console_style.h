// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace idemdesk::ui {

/// Fusion, but for the outline of an unchecked box: Fusion darkens the window's colour for it, which a dark window hides.
class ConsoleStyle final : public QProxyStyle
{
    Q_OBJECT

public:
    ConsoleStyle();
    void drawPrimitive(
        PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
};

} // namespace idemdesk::ui
