// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/busy_bar.h"

#include "ui/theme/theme.h"

namespace idemdesk::ui {

namespace {

constexpr int kBesideButtons = 120; // pixels: enough to see it move

} // namespace

BusyBar::BusyBar(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : QProgressBar(parent)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setRange(0, 0);
    setTextVisible(false);
    setMaximumWidth(kBesideButtons);
    hide();
}

void BusyBar::keepItsPlace()
{
    setMaximumWidth(QWIDGETSIZE_MAX);
    setFixedHeight(2 * kGrid);
    QSizePolicy policy = sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    setSizePolicy(policy);
}

} // namespace idemdesk::ui
