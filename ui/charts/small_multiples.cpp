// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/small_multiples.h"

#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QAbstractButton>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kPanelHeight = 148; // pixels
constexpr int kMostPanelHeight = 260;
constexpr int kPanelWidth = 260; // at least
constexpr double kPanelPen = 1.6;
constexpr double kPanelDot = 3; // radius in pixels

class LinePanel final : public QAbstractButton
{
public:
    LinePanel(const models::TrendPicture &picture, const models::TrendLine &line, const QColor &color,
        const std::function<QString(double)> &valueText, const std::function<QString(double)> &axisText,
        QWidget *parent)
        : QAbstractButton(parent)
        , m_line(line)
        , m_color(color)
        , m_from(picture.from)
        , m_width(std::max(1.0, picture.to - picture.from))
        , m_top(picture.top)
        , m_openFrom(picture.openFrom)
    {
        setMinimumSize(Theme::scaled(kPanelWidth), Theme::scaled(kPanelHeight));
        setMaximumHeight(Theme::scaled(kMostPanelHeight));
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
        if (!picture.ticks.isEmpty()) {
            m_times = { picture.ticks.constFirst(), picture.ticks.constLast() };
        }
        if (!line.other) { // many scopes at once are no filter
            setFocusPolicy(Qt::StrongFocus);
            setCursor(Qt::PointingHandCursor);
        }
        m_numbers = line.last && line.highest
            ? SmallMultiples::tr("last %1 · max %2").arg(valueText(*line.last), valueText(*line.highest))
            : SmallMultiples::tr("no value");
        m_levels = picture.levels;
        for (const double level : picture.levels) {
            m_axis += axisText(level);
        }
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
        const double line = metrics.height();
        drawPlot(&painter, QRectF(area).adjusted(0, 2 * line + 2 * kGrid, 0, -line - 2), metrics);
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
        painter->setFont(font());
        for (qsizetype i = 0; i < m_levels.size(); ++i) {
            const double y = place({ m_from, m_levels.at(i) }).y();
            painter->setPen(themeColor(Token::Border));
            painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
            if (i == m_levels.size() - 1) { // the others are told by it
                painter->setPen(themeColor(Token::MutedText));
                painter->drawText(QRectF(plot.left(), y - metrics.height(), plot.width(), metrics.height()),
                    Qt::AlignLeft, m_axis.at(i));
            }
        }
        drawTimes(painter, plot, metrics);
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

    /// The first and the last of the axis: those between are told by them.
    void drawTimes(QPainter *painter, const QRectF &plot, const QFontMetrics &metrics) const
    {
        painter->setPen(themeColor(Token::MutedText));
        for (qsizetype i = 0; i < m_times.size(); ++i) {
            const double x = plot.left() + (m_times.at(i).x - m_from) / m_width * plot.width();
            const double wide = metrics.horizontalAdvance(m_times.at(i).label);
            if (i > 0 && m_times.at(i).x <= m_times.constFirst().x) {
                return;
            }
            painter->drawText(QRectF(std::clamp(x - wide / 2, plot.left(), plot.right() - wide), plot.bottom() + 2,
                                  wide + 1, metrics.height()),
                Qt::AlignLeft | Qt::AlignTop, m_times.at(i).label);
        }
    }

    models::TrendLine m_line;
    QColor m_color;
    QList<models::TrendTick> m_times; ///< first and last
    double m_from;
    double m_width;
    double m_top;
    std::optional<double> m_openFrom;
    QString m_numbers;
    QList<double> m_levels;
    QStringList m_axis; ///< what stands at each of them
};

} // namespace

SmallMultiples::SmallMultiples(QWidget *parent)
    : QWidget(parent)
    , m_axis(noteLabel({}, u"multiplesAxis"_s, this))
    , m_grid(new QGridLayout)
{
    auto *column = tabColumn(this);
    column->addWidget(m_axis);
    column->addLayout(m_grid, 1);
    column->addStretch(0);
    m_grid->setSpacing(2 * kGrid);
}

void SmallMultiples::setPicture(const models::TrendPicture &picture, const QString &axisTitle,
    const std::function<QString(double)> &valueText, const std::function<QString(double)> &axisText)
{
    qDeleteAll(m_panels);
    m_panels.clear();
    m_axis->setText(tr("%1; every chart runs from 0 to %2.").arg(axisTitle, axisText(picture.top)));
    m_columns = 0;
    for (qsizetype i = 0; i < picture.lines.size(); ++i) {
        const models::TrendLine &line = picture.lines.at(i);
        const QColor color
            = line.other || line.previous ? themeColor(Token::MutedText) : seriesColor(int(i), themeScheme());
        auto *panel = new LinePanel(picture, line, color, valueText, axisText, this);
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
    const int columns = std::clamp(width() / (Theme::scaled(kPanelWidth) + 2 * kGrid), 1, 3);
    if (columns == m_columns) {
        return;
    }
    m_columns = columns;
    for (int i = 0; i < m_panels.size(); ++i) {
        m_grid->addWidget(m_panels.at(i), i / columns, i % columns);
    }
}

} // namespace idemdesk::ui
