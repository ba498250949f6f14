// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QToolButton;
class QWidget;

namespace idemdesk::ui {

/// A button that is an icon alone. Its tooltip is also what a screen reader says, without the keys in brackets.
QToolButton *iconButton(const QString &objectName, const QString &icon, const QString &toolTip, QWidget *parent);
/// The same for one that is there already.
void setUpIconButton(QToolButton *button, const QString &objectName, const QString &icon, const QString &toolTip);

} // namespace idemdesk::ui
