// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/icon_button.h"

#include "ui/theme/icons.h"

#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

QToolButton *iconButton(const QString &objectName, const QString &icon, const QString &toolTip, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    setUpIconButton(button, objectName, icon, toolTip);
    return button;
}

void setUpIconButton(QToolButton *button, const QString &objectName, const QString &icon, const QString &toolTip)
{
    button->setObjectName(objectName);
    button->setIcon(themedIcon(icon));
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip.section(u" ("_s, 0, 0));
    button->setFocusPolicy(Qt::StrongFocus);
}

} // namespace idemdesk::ui
