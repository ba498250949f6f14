// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/trends/trend_picture.h"

#include <QPen>
#include <QtCharts/QChartView>

#include <functional>
#include <optional>
#include <utility>

class QGraphicsLineItem;
class QLabel;
class QRubberBand;
class QAbstractSeries;
class QCategoryAxis;

namespace idemdesk::ui {

/// Draws lines or stacked areas over time on Qt Charts. Lines end at the last full bucket; the one that is still
/// filling is a shaded zone with a hollow dot for what is there so far, or a hollow triangle at the edge where that is
/// above the axis. Actions and alerts are marks across it. The legend stands beside the plot, that of one line above
/// it. The mouse shows the values of the nearest bucket, a click asks for its keys, and a drag chooses a range; Left
/// and Right move from bucket to bucket, Return asks for the keys.
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
        std::function<QString(double)> value; ///< one that is above the axis
        std::function<QString(const models::TrendLine &)> numbers; ///< of a line, for the legend
    };
    void setPicture(const models::TrendPicture &picture, const Words &words);
    void clear();
    QStringList legendTexts() const; ///< of the lines, their bands, the limits, and the kinds of marks that there are
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
    /// What one mark of the chart stands for.
    struct LegendEntry {
        enum class Mark { None, Line, Area, Band, Action, Alert, Open };
        Mark mark;
        QPen pen;
        QString name;
        QString numbers;
        QString text() const;
    };

    void restyle();
    void setAxes();
    void addLine(const models::TrendLine &line);
    void showBandOf(int line); ///< of the lines; where only one has a band, always that one's
    int lineAt(const QPointF &place) const; ///< near this place of the viewport
    bool dotsApart(const QList<QPointF> &run) const;
    void addBands(const models::TrendLine &line, int number);
    void add(QAbstractSeries *series);
    static QColor colorOf(const models::TrendLine &line);
    static QPen penOf(const models::TrendLine &line);
    static QPen limitPen();
    QList<LegendEntry> legendEntries() const;
    QStringList numberLines(const QString &numbers, double room) const;
    void makeRoomForLegend();
    bool legendBeside() const { return m_picture.lines.size() > 1; } ///< else above, in one row
    QPointF placeOf(const QPointF &value) const; ///< in the scene
    void placeMark();
    void paintMarkers(QPainter *painter) const;
    void paintOpen(QPainter *painter) const;
    void paintPinned(QPainter *painter, const QPointF &tip, const QPen &pen, double value) const;
    void paintLegend(QPainter *painter) const;
    static void paintLegendMark(QPainter *painter, const LegendEntry &entry, const QPointF &center);
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
    QList<std::pair<int, QAbstractSeries *>> m_bandSeries; ///< by line
    int m_shownBand = -1; ///< whose band is shown
    std::optional<double> m_marked;
    double m_legendWidth = 0; ///< pixels, beside the plot
    QPoint m_pressed;
    bool m_dragging = false;
};

} // namespace idemdesk::ui
