// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace idemdesk::ui {

/// What Tab reaches in a window, in its order: what stands around the page as it was made, the page as it is read, line
/// by line and from left to right. Pages move their fields when they get narrow, and make some while they run, so no
/// order that was fixed before would last. Only what is visible and enabled; page may be null. UI thread.
QList<QWidget *> tabOrder(QWidget *window, QWidget *page);

} // namespace idemdesk::ui
