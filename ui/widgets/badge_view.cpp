// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/badge_view.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace idemdesk::ui {

BadgeView::BadgeView(const QString &objectName, QWidget *parent)
    : QWidget(parent)
{
    setObjectName(objectName);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void BadgeView::setBadge(const Badge &badge)
{
    m_badge = badge;
    setAccessibleName(badge.text);
    setVisible(!badge.text.isEmpty());
    updateGeometry();
    update();
}

QSize BadgeView::sizeHint() const
{
    return { badgeWidth(m_badge, font()) + 1, fontMetrics().height() + 2 * kGrid };
}

void BadgeView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintBadge(&painter, rect(), m_badge, font(), themeColor(Token::Base));
}

} // namespace idemdesk::ui
