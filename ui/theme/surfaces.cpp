// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/surfaces.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace idemdesk::ui {

namespace {

constexpr double kDisabledBox = 0.5; // of the disabled text's colour

/// Leaves the painter as it was found.
class Kept final
{
public:
    explicit Kept(QPainter *painter)
        : m_painter(painter)
    {
        m_painter->save();
        m_painter->setRenderHint(QPainter::Antialiasing);
    }
    ~Kept() { m_painter->restore(); }
    Q_DISABLE_COPY_MOVE(Kept)

private:
    QPainter *m_painter;
};

bool has(const QStyleOption &option, QStyle::StateFlag flag)
{
    return option.state.testFlag(flag);
}

/// What the mouse does to a ground: a little of the text's colour over it.
QColor touched(const QStyleOption &option, const QColor &ground)
{
    if (!has(option, QStyle::State_Enabled)) {
        return ground;
    }
    const QColor text = themeColor(Token::Text);
    return has(option, QStyle::State_Sunken)   ? mixed(ground, text, 0.14)
        : has(option, QStyle::State_MouseOver) ? mixed(ground, text, 0.07)
                                               : ground;
}

Token fillOf(ButtonLook look)
{
    return look == ButtonLook::Primary ? Token::AccentFill : Token::DangerFill;
}

bool isFilled(ButtonLook look)
{
    return look == ButtonLook::Primary || look == ButtonLook::Danger;
}

QColor faint()
{
    return themeColor(Token::DisabledText);
}

/// Around a control. One that is disabled has no line that could be taken for that of one that is not: where all lines
/// are strong, its own is dashed, too.
QPen controlPen(bool enabled, const QColor &border)
{
    if (enabled) {
        return { border, 1 };
    }
    return { themeColor(Token::DisabledBorder), 1, isStrong(themeScheme()) ? Qt::DashLine : Qt::SolidLine };
}

/// Around a box that can be ticked: beside a control's pen, as nothing but its line tells of it. One that is disabled
/// is still seen (2:1), and one in a selected row has a ground of its own to be told from.
QPen boxPen(const QStyleOption &option)
{
    const bool enabled = has(option, QStyle::State_Enabled);
    if (!enabled && !isStrong(themeScheme())) {
        return { mixed(themeColor(Token::Base), themeColor(Token::DisabledText), kDisabledBox), 1 };
    }
    const bool selected = has(option, QStyle::State_Selected);
    return controlPen(enabled, themeColor(selected ? Token::MutedText : Token::ControlBorder));
}

void drawPanelWith(QPainter *painter, const QRect &rect, const QColor &ground, const QPen &pen, int radius)
{
    const Kept kept(painter);
    painter->setPen(pen);
    painter->setBrush(ground.isValid() ? QBrush(ground) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

} // namespace

void drawPanel(QPainter *painter, const QRect &rect, const QColor &ground, const QColor &border, int radius)
{
    drawPanelWith(painter, rect, ground, border.isValid() ? QPen(border, 1) : QPen(Qt::NoPen), radius);
}

void drawFocusRing(QPainter *painter, const QRect &rect, int radius)
{
    const Kept kept(painter);
    painter->setPen(QPen(themeColor(Token::Accent), 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), radius, radius);
}

QColor buttonText(const QStyleOption &option, ButtonLook look)
{
    if (!has(option, QStyle::State_Enabled)) {
        return faint();
    }
    switch (look) {
    case ButtonLook::Plain:
        return themeColor(has(option, QStyle::State_On) ? Token::Accent : Token::Text);
    case ButtonLook::Primary:
        return themeColor(Token::OnAccent);
    case ButtonLook::Danger:
        return themeColor(Token::OnDanger);
    case ButtonLook::DangerOutline:
        return themeColor(Token::Danger);
    }
    return themeColor(Token::Text);
}

void drawButton(QPainter *painter, const QStyleOption &option, ButtonLook look)
{
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool on = has(option, QStyle::State_On);
    QColor ground = themeColor(on ? Token::Selection : Token::Base);
    QColor border = themeColor(on ? Token::Accent : Token::ControlBorder);
    if (!enabled) {
        ground = themeColor(Token::Window);
    } else if (isFilled(look)) {
        ground = themeColor(fillOf(look));
        border = ground;
    } else if (look == ButtonLook::DangerOutline) {
        border = themeColor(Token::Danger);
    }
    drawPanelWith(painter, option.rect, touched(option, ground), controlPen(enabled, border), kRadius);
    if (has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange)) {
        if (isFilled(look)) {
            drawPanel(painter, option.rect.adjusted(2, 2, -2, -2), {}, buttonText(option, look), kRadius - 2);
        } else {
            drawFocusRing(painter, option.rect, kRadius);
        }
    }
}

void drawFlatButton(QPainter *painter, const QStyleOption &option)
{
    const bool on = has(option, QStyle::State_On);
    const QColor ground = touched(option, themeColor(on ? Token::Selection : Token::Window));
    if (on || ground != themeColor(Token::Window)) {
        drawPanel(painter, option.rect, ground, {}, kRadius);
    }
    if (has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange)) {
        drawFocusRing(painter, option.rect, kRadius);
    }
}

void drawField(QPainter *painter, const QStyleOption &option)
{
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool focus = enabled && has(option, QStyle::State_HasFocus);
    drawPanelWith(painter, option.rect, themeColor(enabled ? Token::Base : Token::Window),
        controlPen(enabled, themeColor(Token::ControlBorder)), kRadius);
    if (focus) {
        drawFocusRing(painter, option.rect, kRadius);
    }
}

void drawCheckBox(QPainter *painter, const QStyleOption &option)
{
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool marked = has(option, QStyle::State_On) || has(option, QStyle::State_NoChange);
    const int side = std::min(option.rect.width(), option.rect.height());
    QRect box(0, 0, side, side);
    box.moveCenter(option.rect.center());
    const QColor fill = enabled ? themeColor(Token::AccentFill) : faint();
    drawPanelWith(painter, box, marked ? fill : touched(option, themeColor(enabled ? Token::Base : Token::Window)),
        marked ? QPen(fill, 1) : boxPen(option), kGrid);
    if (!marked) {
        return;
    }
    const Kept kept(painter);
    painter->setPen(QPen(themeColor(Token::OnAccent), 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QRectF area(box);
    const auto at = [&area](double x, double y) {
        return QPointF(area.left() + area.width() * x, area.top() + area.height() * y);
    };
    if (has(option, QStyle::State_NoChange)) {
        painter->drawLine(at(0.28, 0.5), at(0.72, 0.5));
    } else {
        painter->drawPolyline(QPolygonF { at(0.25, 0.52), at(0.43, 0.70), at(0.76, 0.31) });
    }
}

void drawRadio(QPainter *painter, const QStyleOption &option)
{
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool on = has(option, QStyle::State_On);
    const Kept kept(painter);
    const QRectF circle = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor accent = enabled ? themeColor(Token::AccentFill) : faint();
    painter->setPen(on ? QPen(accent, 1) : boxPen(option));
    painter->setBrush(on ? accent : touched(option, themeColor(enabled ? Token::Base : Token::Window)));
    painter->drawEllipse(circle);
    if (on) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(themeColor(Token::OnAccent));
        painter->drawEllipse(circle.center(), circle.width() * 0.2, circle.width() * 0.2);
    }
}

void drawChevron(QPainter *painter, const QRect &rect, Qt::ArrowType direction, const QColor &color)
{
    const Kept kept(painter);
    painter->setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->translate(QRectF(rect).center());
    painter->rotate(direction == Qt::UpArrow ? 180
            : direction == Qt::LeftArrow     ? 90
            : direction == Qt::RightArrow    ? -90
                                             : 0);
    const double half = std::min({ rect.width() / 2.0, rect.height() / 2.0, 4.0 });
    painter->drawPolyline(QPolygonF { { -half, -half / 2 }, { 0, half / 2 }, { half, -half / 2 } });
}

void drawTab(QPainter *painter, const QStyleOptionTab &option)
{
    const bool selected = has(option, QStyle::State_Selected);
    if (!selected && has(option, QStyle::State_MouseOver)) {
        drawPanel(painter, option.rect.adjusted(2, 2, -2, -4), touched(option, themeColor(Token::Window)), {}, kRadius);
    }
    if (selected) {
        painter->fillRect(option.rect.left() + kGrid, option.rect.bottom() - 1, option.rect.width() - 2 * kGrid, 2,
            themeColor(Token::Accent));
    }
    if (has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange)) {
        drawFocusRing(painter, option.rect.adjusted(2, 2, -2, -4), kRadius);
    }
}

void drawHeaderSection(QPainter *painter, const QStyleOptionHeader &option)
{
    const QRect rect = option.rect;
    painter->fillRect(rect, touched(option, themeColor(Token::Window)));
    painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, themeColor(Token::Border));
}

void drawProgress(QPainter *painter, const QStyleOptionProgressBar &option)
{
    constexpr int kHeight = 6;
    QRect bar = option.rect;
    bar.setTop(option.rect.center().y() - kHeight / 2);
    bar.setHeight(kHeight);
    drawPanel(painter, bar, mixed(themeColor(Token::Window), themeColor(Token::Text), 0.12), {}, kHeight / 2);
    const qint64 range = qint64(option.maximum) - option.minimum;
    QRect done = bar;
    if (range > 0) {
        const double part = std::clamp(double(option.progress - option.minimum) / double(range), 0.0, 1.0);
        done.setWidth(int(bar.width() * part));
    } else { // nobody knows how much there is: half the groove, so that it is seen to be at work
        done.setWidth(bar.width() / 2);
    }
    if (done.width() > 0) {
        drawPanel(painter, done, themeColor(Token::AccentFill), {}, kHeight / 2);
    }
}

void drawScrollBar(QPainter *painter, const QStyleOptionSlider &option, const QRect &slider)
{
    if (option.maximum <= option.minimum || slider.isEmpty()) {
        return;
    }
    const bool active = option.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider)
        && (has(option, QStyle::State_MouseOver) || has(option, QStyle::State_Sunken));
    const QColor color = mixed(themeColor(Token::Base), themeColor(Token::Text), active ? 0.55 : 0.30);
    const QRect thumb
        = option.orientation == Qt::Vertical ? slider.adjusted(3, 1, -3, -1) : slider.adjusted(1, 3, -1, -3);
    drawPanel(painter, thumb, color, {}, std::min(thumb.width(), thumb.height()) / 2);
}

} // namespace idemdesk::ui
