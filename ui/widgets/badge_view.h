// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/state_delegate.h"

#include <QWidget>

namespace idemdesk::ui {

/// A badge that stands by itself: the state of the key shown, how certain a verdict is.
class BadgeView final : public QWidget
{
    Q_OBJECT

public:
    BadgeView(const QString &objectName, QWidget *parent);
    void setBadge(const Badge &badge);
    QString text() const { return m_badge.text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Badge m_badge;
};

} // namespace idemdesk::ui
