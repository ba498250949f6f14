// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/busy_bar.h"

#include "ui/theme/theme.h"

#include <QEvent>

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

void BusyBar::lieBelow(QWidget *above)
{
    setMaximumWidth(QWIDGETSIZE_MAX);
    setFixedHeight(2 * kGrid);
    above->installEventFilter(this);
}

bool BusyBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Move || event->type() == QEvent::Resize || event->type() == QEvent::Show) {
        const QRect place = static_cast<QWidget *>(watched)->geometry();
        setGeometry(place.left(), place.bottom() + 1, place.width(), height());
        raise();
    }
    return QProgressBar::eventFilter(watched, event);
}

} // namespace idemdesk::ui
