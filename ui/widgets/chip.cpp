// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chip.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace idemdesk::ui {

namespace {

constexpr int kMarkSide = 12; // pixels

} // namespace

Chip::Chip(const QString &objectName, QWidget *parent)
    : QToolButton(parent)
{
    setObjectName(objectName);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QToolButton::toggled, this, &Chip::applyColors);
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, &Chip::applyColors);
    }
}

void Chip::setMark(const Badge &mark)
{
    m_mark = mark;
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize({ kMarkSide, kMarkSide });
    applyColors();
}

void Chip::applyColors()
{
    if (m_mark) {
        QPixmap sign(QSize(kMarkSide, kMarkSide) * devicePixelRatioF());
        sign.setDevicePixelRatio(devicePixelRatioF());
        sign.fill(Qt::transparent);
        QPainter painter(&sign);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setFont(font());
        paintBadgeSign(&painter, QRectF(0.5, 1.5, kMarkSide - 3, kMarkSide - 3), *m_mark);
        setIcon(sign);
    }
    // The style's own shade for a pressed button is hardly seen on a dark ground.
    QPalette colors;
    if (isChecked()) {
        colors.setColor(QPalette::Button, mixed(themeColor(Token::Base), themeColor(Token::Accent), 0.35));
    }
    setPalette(colors);
}

} // namespace idemdesk::ui
