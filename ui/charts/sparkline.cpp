// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/sparkline.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace idemdesk::ui {

namespace {

constexpr double kSparkPen = 1.5;
constexpr double kSparkDot = 2.5; // radius in pixels
constexpr float kSparkGround = 0.14F; // opacity

} // namespace

void paintSparkline(QPainter *painter, const QRectF &place, const sql::HistoryValues &day, const QColor &color)
{
    double top = 0;
    for (const auto &value : day) {
        top = std::max(top, value.value_or(0));
    }
    if (day.size() < 2) {
        return;
    }
    const auto at = [&](qsizetype hour) {
        return QPointF(place.left() + place.width() * double(hour) / double(day.size() - 1),
            place.bottom() - (top > 0 ? *day.at(hour) / top * place.height() : 0));
    };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QColor ground = color;
    ground.setAlphaF(kSparkGround);
    QPolygonF run;
    const auto draw = [&] {
        if (run.size() > 1) {
            QPolygonF area = run;
            area << QPointF(run.last().x(), place.bottom()) << QPointF(run.first().x(), place.bottom());
            painter->setPen(Qt::NoPen);
            painter->setBrush(ground);
            painter->drawPolygon(area);
            painter->setPen(QPen(color, kSparkPen));
            painter->drawPolyline(run);
        } else if (run.size() == 1) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(color);
            painter->drawEllipse(run.first(), kSparkPen, kSparkPen);
        }
        run.clear();
    };
    for (qsizetype hour = 0; hour + 1 < day.size(); ++hour) {
        if (day.at(hour)) {
            run << at(hour);
        } else {
            draw();
        }
    }
    draw();
    if (day.constLast()) {
        if (day.at(day.size() - 2)) { // what is not whole yet hangs on what was
            painter->setPen(QPen(color, kSparkPen, Qt::DotLine));
            painter->drawLine(at(day.size() - 2), at(day.size() - 1));
        }
        painter->setPen(QPen(color, kSparkPen));
        painter->setBrush(Qt::NoBrush);
        painter->drawEllipse(at(day.size() - 1), kSparkDot, kSparkDot);
    }
    painter->restore();
}

} // namespace idemdesk::ui
