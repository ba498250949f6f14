// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>
#include <QStyleOption>

class QAbstractButton;

namespace idemdesk::ui {

/// How much a button asks for attention: one primary button a page or dialog; danger is filled where it acts, and has
/// its outline where it only leads there.
enum class ButtonLook { Plain, Primary, Danger, DangerOutline };
void setLook(QAbstractButton *button, ButtonLook look);
ButtonLook lookOf(const QWidget *button);

/// The console's look: flat, 6 px corners, one accent, a ring where the keyboard is. What it does not draw itself is
/// Fusion's. All colours are tokens, so that it follows light, dark and high contrast at once.
class ConsoleStyle final : public QProxyStyle
{
    Q_OBJECT

public:
    ConsoleStyle();
    void polish(QWidget *widget) override;
    using QProxyStyle::polish;
    void drawPrimitive(
        PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawControl(
        ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
        const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
        const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const override;
    QSize sizeFromContents(
        ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(
        StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *returned) const override;

private:
    /// A tool button that leads to a menu, with room for its arrow; false for any other.
    bool drawMenuButton(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const;
    void drawHeader(const QStyleOptionHeader &header, QPainter *painter, const QWidget *widget) const;
    bool drawList(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const;
};

} // namespace idemdesk::ui
