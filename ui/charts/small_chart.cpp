// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/small_chart.h"

#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionFocusRect>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSmallHeight = 84; // pixels
constexpr double kSmallPen = 1.4;
constexpr double kPointSize = 2; // radius of a point that has no neighbour

} // namespace

SmallChart::SmallChart(QWidget *parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize SmallChart::sizeHint() const
{
    return { 420, kSmallHeight };
}

QSize SmallChart::minimumSizeHint() const
{
    return { 200, kSmallHeight };
}

void SmallChart::setPicture(
    const QString &title, const models::TrendPicture &picture, const QString &newest, const QString &highest)
{
    m_title = title;
    m_picture = picture;
    m_newest = newest;
    m_highest = highest;
    m_why.clear();
    setAccessibleName(tr("%1 in the last 24 hours: %2 in the latest hour, at most %3").arg(title, newest, highest));
    setToolTip(tr("Show this chart"));
    update();
}

void SmallChart::setReason(const QString &title, const QString &why)
{
    m_title = title;
    m_picture = {};
    m_why = why;
    setAccessibleName(title + u": "_s + why);
    setToolTip({});
    update();
}

void SmallChart::drawLines(QPainter &painter, const QRectF &plot) const
{
    const double width = std::max(1.0, m_picture.to - m_picture.from);
    const auto place = [&](const QPointF &point) {
        return QPointF(plot.left() + (point.x() - m_picture.from) / width * plot.width(),
            plot.bottom() - point.y() / m_picture.top * plot.height());
    };
    const QColor color = seriesColor(0, themeScheme());
    for (const models::TrendLine &drawn : m_picture.lines) {
        painter.setPen(QPen(color, kSmallPen));
        for (const QList<QPointF> &run : drawn.runs) {
            QPolygonF points;
            for (const QPointF &point : run) {
                points.append(place(point));
            }
            painter.setBrush(Qt::NoBrush);
            painter.drawPolyline(points);
            if (points.size() == 1) {
                painter.setBrush(color);
                painter.drawEllipse(points.first(), kPointSize, kPointSize);
            }
        }
        if (!drawn.tail.isEmpty()) {
            painter.setPen(QPen(color, kSmallPen, Qt::DashLine));
            QPolygonF points;
            for (const QPointF &point : drawn.tail) {
                points.append(place(point));
            }
            painter.drawPolyline(points);
            painter.setBrush(color);
            painter.drawEllipse(points.last(), kPointSize, kPointSize);
        }
    }
}

void SmallChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(themeColor(Token::Border));
    painter.setBrush(themeColor(Token::Base));
    painter.drawRoundedRect(frame, 4, 4);
    const QFontMetrics metrics(font());
    const QRect head = rect().adjusted(2 * kGrid, kGrid, -2 * kGrid, 0);
    const QRect line(head.left(), head.top(), head.width(), metrics.height() + kGrid);
    painter.setPen(themeColor(Token::Text));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_title);
    if (!m_why.isEmpty() || m_picture.empty()) {
        painter.setPen(themeColor(Token::MutedText));
        painter.drawText(rect().adjusted(2 * kGrid, line.bottom(), -2 * kGrid, -kGrid),
            Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_why);
    } else {
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, tr("latest hour %1").arg(m_newest));
        painter.setPen(themeColor(Token::MutedText));
        const int label = metrics.horizontalAdvance(m_highest) + 2 * kGrid;
        const QRectF plot = QRectF(rect()).adjusted(2 * kGrid + label, line.bottom() + kGrid, -2 * kGrid, -2 * kGrid);
        painter.drawText(QRectF(2 * kGrid, plot.top() - metrics.height() / 2.0, label, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, m_highest);
        painter.drawText(QRectF(2 * kGrid, plot.bottom() - metrics.height() / 2.0, label, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, u"0"_s);
        painter.setPen(themeColor(Token::Border));
        painter.drawLine(plot.bottomLeft(), plot.bottomRight());
        painter.drawLine(plot.topLeft(), plot.topRight());
        drawLines(painter, plot);
    }
    if (hasFocus()) {
        QStyleOptionFocusRect focus;
        focus.initFrom(this);
        focus.rect = rect().adjusted(2, 2, -2, -2);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, this);
    }
}

void SmallChart::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) {
        emit activated();
    }
}

void SmallChart::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) {
        emit activated();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace idemdesk::ui
