// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cache/expiry_picture.h"

#include <QWidget>

namespace idemdesk::ui {

/// How many entries of a cache expire in which span from now on. A crowded minute stands in its bar, with a
/// triangle above it.
/// The arrow keys go from bar to bar, and what each holds is read aloud.
class ExpiryBars final : public QWidget
{
    Q_OBJECT

public:
    explicit ExpiryBars(QWidget *parent = nullptr);

    void setPicture(const models::ExpiryPicture &picture);
    const models::ExpiryPicture &picture() const { return m_picture; }
    QRect barRect(int bar) const; ///< the place of one, over the whole height

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    int bars() const { return int(m_picture.bars.size()); }
    int axisWidth() const; ///< of the numbers left of the bars
    QRect plot() const;
    void mark(int bar);
    void paintAxis(QPainter *painter, const QRect &plot) const;
    void paintTicks(QPainter *painter, const QRect &plot) const;
    void paintBars(QPainter *painter, const QRect &plot) const;
    void paintCrowds(QPainter *painter, const QRect &plot) const;
    void paintHead(QPainter *painter) const;

    models::ExpiryPicture m_picture;
    int m_marked = -1; ///< bar; -1: none
};

} // namespace idemdesk::ui
