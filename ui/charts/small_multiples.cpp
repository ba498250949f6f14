// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/small_multiples.h"

#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QGridLayout>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kPanelHeight = 132; // pixels
constexpr int kPanelWidth = 260; // at least
constexpr double kPanelPen = 1.6;
constexpr double kPanelDot = 3; // radius in pixels

class LinePanel final : public QAbstractButton
{
public:
    LinePanel(const models::TrendPicture &picture, const models::TrendLine &line, const QColor &color,
        const std::function<QString(double)> &valueText, QWidget *parent)
        : QAbstractButton(parent)
        , m_line(line)
        , m_color(color)
        , m_from(picture.from)
        , m_width(std::max(1.0, picture.to - picture.from))
        , m_top(picture.top)
        , m_openFrom(picture.openFrom)
    {
        setMinimumSize(kPanelWidth, kPanelHeight);
        if (!line.other) { // many scopes at once are no filter
            setFocusPolicy(Qt::StrongFocus);
            setCursor(Qt::PointingHandCursor);
        }
        m_numbers = line.last && line.highest
            ? SmallMultiples::tr("last %1 · max %2").arg(valueText(*line.last), valueText(*line.highest))
            : SmallMultiples::tr("no value");
        m_axis = valueText(picture.top);
        setAccessibleName(line.name + u": "_s + m_numbers);
        setToolTip(line.other ? line.name : line.name + u'\n' + SmallMultiples::tr("Show these keys"));
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        drawPanel(&painter, rect(), themeColor(Token::Base), themeColor(Token::Border), kRadius);
        const QFontMetrics metrics(font());
        const QRect area = rect().adjusted(3 * kGrid, 2 * kGrid, -3 * kGrid, -2 * kGrid);
        painter.setPen(themeColor(Token::MutedText));
        painter.setFont(font());
        painter.drawText(area, Qt::AlignTop | Qt::AlignRight, m_numbers);
        const int left = area.width() - metrics.horizontalAdvance(m_numbers) - 2 * kGrid;
        painter.setPen(themeColor(Token::Text));
        painter.setFont(Theme::heading());
        painter.drawText(area, Qt::AlignTop | Qt::AlignLeft,
            QFontMetrics(Theme::heading()).elidedText(m_line.name, Qt::ElideMiddle, left));
        drawPlot(&painter, QRectF(area).adjusted(0, metrics.height() + 3 * kGrid, 0, 0), metrics);
        if (hasFocus()) {
            drawFocusRing(&painter, rect(), kRadius);
        }
    }

private:
    void drawPlot(QPainter *painter, const QRectF &plot, const QFontMetrics &metrics) const
    {
        const auto place = [&](const QPointF &value) {
            return QPointF(plot.left() + (value.x() - m_from) / m_width * plot.width(),
                plot.bottom() - value.y() / m_top * plot.height());
        };
        if (m_openFrom) {
            painter->fillRect(QRectF(place({ *m_openFrom, m_top }), plot.bottomRight()),
                mixed(themeColor(Token::Base), themeColor(Token::Text), 0.07));
        }
        painter->setPen(themeColor(Token::Border));
        painter->drawLine(plot.topLeft(), plot.topRight());
        painter->drawLine(plot.bottomLeft(), plot.bottomRight());
        painter->setFont(font());
        painter->setPen(themeColor(Token::MutedText));
        painter->drawText(QRectF(plot.left(), plot.top(), plot.width(), metrics.height()), Qt::AlignLeft, m_axis);
        painter->setPen(QPen(m_color, kPanelPen));
        for (const QList<QPointF> &run : m_line.runs) {
            QPolygonF points;
            for (const QPointF &point : run) {
                points << place(point);
            }
            painter->setBrush(m_color);
            if (points.size() == 1) {
                painter->drawEllipse(points.first(), 1, 1);
            } else {
                painter->drawPolyline(points);
            }
        }
        if (m_line.open) {
            painter->setBrush(themeColor(Token::Base));
            painter->drawEllipse(place(*m_line.open), kPanelDot, kPanelDot);
        }
    }

    models::TrendLine m_line;
    QColor m_color;
    double m_from;
    double m_width;
    double m_top;
    std::optional<double> m_openFrom;
    QString m_numbers;
    QString m_axis;
};

} // namespace

SmallMultiples::SmallMultiples(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 2 * kGrid, 0, 0);
    m_grid->setSpacing(2 * kGrid);
}

void SmallMultiples::setPicture(const models::TrendPicture &picture, const std::function<QString(double)> &valueText)
{
    qDeleteAll(m_panels);
    m_panels.clear();
    m_columns = 0;
    for (qsizetype i = 0; i < picture.lines.size(); ++i) {
        const models::TrendLine &line = picture.lines.at(i);
        const QColor color
            = line.other || line.previous ? themeColor(Token::MutedText) : seriesColor(int(i), themeScheme());
        auto *panel = new LinePanel(picture, line, color, valueText, this);
        if (!line.other) {
            connect(panel, &QAbstractButton::clicked, this, [this, i] { emit activated(int(i)); });
        }
        m_panels += panel;
    }
    place();
}

void SmallMultiples::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

void SmallMultiples::place()
{
    const int columns = std::clamp(width() / (kPanelWidth + 2 * kGrid), 1, 3);
    if (columns == m_columns) {
        return;
    }
    m_columns = columns;
    for (int i = 0; i < m_panels.size(); ++i) {
        m_grid->addWidget(m_panels.at(i), i / columns, i % columns);
    }
    m_grid->setRowStretch(int(m_panels.size()) / columns + 1, 1);
}

} // namespace idemdesk::ui
