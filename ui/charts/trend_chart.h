// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/trends/trend_picture.h"

#include <QtCharts/QChartView>

#include <functional>
#include <optional>

class QGraphicsLineItem;
class QLabel;
class QRubberBand;
class QCategoryAxis;

namespace idemdesk::ui {

/// Draws lines or stacked areas over time on Qt Charts. Lines end at the last full bucket; the one that is still
/// filling is a shaded zone with a hollow dot for what is there so far. Actions and alerts are marks across it. The
/// mouse shows the values of the nearest bucket, a click asks for its keys, and a drag chooses a range; Left and Right
/// move from bucket to bucket, Return asks for the keys.
class TrendChart final : public QChartView
{
    Q_OBJECT

public:
    explicit TrendChart(QWidget *parent = nullptr);

    /// How the numbers of a picture are written.
    struct Words {
        QString axisTitle;
        QString zone; ///< of the times
        std::function<QString(double)> tick; ///< a round value on the axis
        std::function<QString(double)> value; ///< one in the legend
    };
    void setPicture(const models::TrendPicture &picture, const Words &words);
    void clear();
    QStringList markerNames() const; ///< of the kinds of marks that there are
    const models::TrendPicture &picture() const { return m_picture; }
    /// Marks one bucket and shows this text (plain) beside it; empty: none.
    void mark(double x, const QString &text);
    QByteArray png();
    QByteArray svg(const QString &title);

signals:
    void hovered(double x); ///< milliseconds since 1970
    void left();
    void stepped(int buckets); ///< by the keyboard
    void activated(double x, double y, bool byKey); ///< y: of the vertical axis; unknown by key
    void rangeChosen(double from, double to);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void drawBackground(QPainter *painter, const QRectF &rect) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;

private:
    void restyle();
    void setAxes();
    void addLine(const models::TrendLine &line, int number);
    static QColor colorOf(const models::TrendLine &line, int number);
    QString legendText(const models::TrendLine &line) const;
    QPointF placeOf(const QPointF &value) const; ///< in the scene
    void placeMark();
    void paintMarkerLegend(QPainter *painter) const;
    void paintZone(QPainter *painter) const;
    static QPolygonF markerHead(const QPointF &tip, bool alert);
    QPointF valueAt(const QPoint &place) const;

    models::TrendPicture m_picture;
    Words m_words;
    QCategoryAxis *m_times;
    QCategoryAxis *m_values;
    QGraphicsLineItem *m_line;
    QLabel *m_label;
    QRubberBand *m_band;
    std::optional<double> m_marked;
    QPoint m_pressed;
    bool m_dragging = false;
};

} // namespace idemdesk::ui
