// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chip.h"

#include "ui/theme/theme.h"

namespace idemdesk::ui {

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

void Chip::applyColors()
{
    // The style's own shade for a pressed button is hardly seen on a dark ground.
    QPalette colors;
    if (isChecked()) {
        colors.setColor(QPalette::Button, mixed(themeColor(Token::Base), themeColor(Token::Accent), 0.35));
    }
    setPalette(colors);
}

} // namespace idemdesk::ui
