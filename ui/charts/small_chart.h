// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/trends/trend_picture.h"

#include <QWidget>

namespace idemdesk::ui {

/// One line over a day in the height of a few rows: its name, its newest value, its highest, and a click that leads to
/// the whole chart. Without values it says why. Gaps are gaps.
class SmallChart final : public QWidget
{
    Q_OBJECT

public:
    explicit SmallChart(QWidget *parent = nullptr);

    /// newest, highest: with their units.
    void setPicture(
        const QString &title, const models::TrendPicture &picture, const QString &newest, const QString &highest);
    void setReason(const QString &title, const QString &why);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void activated();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void drawLines(QPainter &painter, const QRectF &plot) const;

    QString m_title;
    QString m_newest;
    QString m_highest;
    QString m_why;
    models::TrendPicture m_picture;
};

} // namespace idemdesk::ui
