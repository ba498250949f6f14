// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/small_multiples.h"

#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kPanelHeight = 168; // pixels
constexpr int kMostPanelHeight = 260;
constexpr int kPanelWidth = 300; // at least
constexpr double kPanelPen = 1.6;
constexpr double kPanelDot = 3; // radius in pixels
constexpr double kPanelPin = 4; // half of a triangle, in pixels
constexpr float kPanelBand = 0.2F; // opacity

class LinePanel final : public QAbstractButton
{
public:
    LinePanel(const models::TrendPicture &picture, const models::TrendLine &line, const QColor &color,
        const SmallMultiples::Words &words, QWidget *parent)
        : QAbstractButton(parent)
        , m_line(line)
        , m_color(color)
        , m_numbers(words.numbers(line))
        , m_from(picture.from)
        , m_width(std::max(1.0, picture.to - picture.from))
        , m_top(picture.top)
        , m_openFrom(picture.openFrom)
    {
        setObjectName(u"multiplesPanel"_s);
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
        if (m_numbers.isEmpty()) {
            m_numbers = SmallMultiples::tr("no value");
        }
        m_levels = picture.levels;
        for (const double level : picture.levels) {
            m_axis += words.tick(level);
        }
        setAccessibleName(line.name + u": "_s + m_numbers);
        setToolTip(
            line.name + u'\n' + m_numbers + (line.other ? QString() : u'\n' + SmallMultiples::tr("Show these keys")));
    }

    /// What the numbers of its axis need, which stand beside the lines and not under them; pixels.
    int gutter() const
    {
        const QFontMetrics metrics(font());
        int most = 0;
        for (const QString &label : { m_axis.value(0), m_axis.value(m_axis.size() - 1) }) {
            most = std::max(most, metrics.horizontalAdvance(label) + 2 * kGrid);
        }
        return most;
    }
    /// As all of them have it, so that the same time stands at the same place in each.
    void setGutter(int pixels)
    {
        m_gutter = pixels;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        drawPanel(&painter, rect(), themeColor(Token::Base), themeColor(Token::Border), kRadius);
        const QFontMetrics metrics(font());
        const QRect area = rect().adjusted(3 * kGrid, 2 * kGrid, -3 * kGrid, -2 * kGrid);
        const int line = metrics.height();
        painter.setPen(themeColor(Token::Text));
        painter.setFont(Theme::heading());
        painter.drawText(area, Qt::AlignTop | Qt::AlignLeft,
            QFontMetrics(Theme::heading()).elidedText(m_line.name, Qt::ElideMiddle, area.width()));
        painter.setPen(themeColor(Token::MutedText));
        painter.setFont(font());
        painter.drawText(area.adjusted(0, line, 0, 0), Qt::AlignTop | Qt::AlignLeft,
            metrics.elidedText(m_numbers, Qt::ElideRight, area.width()));
        const int left = std::max(gutter(), m_gutter);
        drawPlot(&painter, QRectF(area).adjusted(left, 2 * line + 3 * kGrid, 0, -line - 2), left, metrics);
        if (hasFocus()) {
            drawFocusRing(&painter, rect(), kRadius);
        }
    }

private:
    void drawPlot(QPainter *painter, const QRectF &plot, int gutter, const QFontMetrics &metrics) const
    {
        const auto place = [&](const QPointF &value) {
            return QPointF(plot.left() + (value.x() - m_from) / m_width * plot.width(),
                plot.bottom() - value.y() / m_top * plot.height());
        };
        if (m_openFrom) {
            painter->fillRect(QRectF(place({ *m_openFrom, m_top }), plot.bottomRight()),
                mixed(themeColor(Token::Base), themeColor(Token::Text), 0.07));
        }
        drawLevels(painter, plot, gutter, metrics);
        drawTimes(painter, plot, metrics);
        QColor ground = m_color;
        ground.setAlphaF(kPanelBand);
        for (const models::TrendBand &band : m_line.bands) {
            QPolygonF area;
            for (const QPointF &point : band.highest) {
                area << place(point);
            }
            for (auto point = band.lowest.crbegin(); point != band.lowest.crend(); ++point) {
                area << place(*point);
            }
            // One bucket between gaps has no width of its own.
            painter->setPen(band.lowest.size() > 1 ? QPen(Qt::NoPen) : QPen(ground, kPanelPin));
            painter->setBrush(ground);
            painter->drawPolygon(area);
        }
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
        painter->setBrush(themeColor(Token::Base));
        if (m_line.open && m_line.open->y() <= m_top) {
            painter->drawEllipse(place(*m_line.open), kPanelDot, kPanelDot);
        } else if (m_line.open) { // above the scale, which is that of the full buckets: its number stands in the panel
            const QPointF tip = place({ m_line.open->x(), m_top });
            painter->drawPolygon(
                QPolygonF { tip, tip + QPointF(kPanelPin, 2 * kPanelPin), tip + QPointF(-kPanelPin, 2 * kPanelPin) });
        }
    }

    /// Lines across, and the numbers of the first and the last in the gutter.
    void drawLevels(QPainter *painter, const QRectF &plot, int gutter, const QFontMetrics &metrics) const
    {
        painter->setPen(themeColor(Token::Border));
        painter->setFont(font());
        for (qsizetype i = 0; i < m_levels.size(); ++i) {
            const double y = plot.bottom() - m_levels.at(i) / m_top * plot.height();
            painter->setPen(themeColor(Token::Border));
            painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
            if (i == 0 || i == m_levels.size() - 1) { // the others are told by these
                painter->setPen(themeColor(Token::MutedText));
                painter->drawText(
                    QRectF(plot.left() - gutter, y - metrics.height() / 2.0, gutter - 2 * kGrid, metrics.height()),
                    Qt::AlignRight | Qt::AlignVCenter, m_axis.at(i));
            }
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
    QString m_numbers;
    QList<models::TrendTick> m_times; ///< first and last
    double m_from;
    double m_width;
    double m_top;
    std::optional<double> m_openFrom;
    QList<double> m_levels;
    QStringList m_axis; ///< what stands at each of them
    int m_gutter = 0;
};

} // namespace

SmallMultiples::SmallMultiples(QWidget *parent)
    : QWidget(parent)
    , m_axis(noteLabel({}, u"multiplesAxis"_s, this))
    , m_same(new QCheckBox(tr("Sa&me scale"), this))
    , m_grid(new QGridLayout)
{
    m_same->setObjectName(u"multiplesSame"_s);
    m_same->setToolTip(tr("Draws all charts up to the same value, so that their heights compare"));
    auto *head = barRow({ m_axis, m_same });
    head->setStretch(0, 1);
    auto *column = tabColumn(this);
    column->addLayout(head);
    column->addLayout(m_grid, 1);
    column->addStretch(0);
    m_grid->setSpacing(2 * kGrid);
    connect(m_same, &QCheckBox::toggled, this, &SmallMultiples::rebuild);
}

void SmallMultiples::setPicture(const models::TrendPicture &picture, const Words &words)
{
    m_picture = picture;
    m_words = words;
    rebuild();
}

void SmallMultiples::rebuild()
{
    qDeleteAll(m_panels);
    m_panels.clear();
    const bool same = m_same->isChecked();
    const QString scale = same
        ? tr("%1; every chart runs from 0 to %2.").arg(m_words.axisTitle, m_words.tick(m_picture.top))
        : tr("%1; every chart has a scale of its own.").arg(m_words.axisTitle);
    QStringList notes { scale };
    if (m_picture.banded()) {
        notes += tr("The band runs from the lowest to the highest hour.");
    }
    if (m_picture.openFrom) {
        const bool sample = m_picture.source == sql::TrendSource::Samples;
        notes += !m_picture.level           ? tr("A hollow mark is still filling.")
            : !sample                       ? tr("A hollow mark is how it is now.")
            : m_picture.sampledAt.isEmpty() ? tr("A hollow mark is the last sample.")
                                            : tr("A hollow mark is the last sample, %1.").arg(m_picture.sampledAt);
    }
    m_axis->setText(notes.join(u' '));
    m_columns = 0;
    QList<LinePanel *> panels;
    int widest = 0;
    for (qsizetype i = 0; i < m_picture.lines.size(); ++i) {
        const models::TrendLine &line = m_picture.lines.at(i);
        const QColor color
            = line.other || line.previous ? themeColor(Token::MutedText) : seriesColor(line.color, themeScheme());
        auto *panel = new LinePanel(same ? m_picture : models::onlyLine(m_picture, i), line, color, m_words, this);
        if (!line.other) {
            connect(panel, &QAbstractButton::clicked, this, [this, i] { emit activated(int(i)); });
        }
        m_panels += panel;
        panels += panel;
        widest = std::max(widest, panel->gutter());
    }
    for (LinePanel *panel : std::as_const(panels)) {
        panel->setGutter(widest);
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
