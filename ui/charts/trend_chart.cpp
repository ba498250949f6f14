// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/trend_chart.h"

#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QBuffer>
#include <QGraphicsLineItem>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QRubberBand>
#include <QSvgGenerator>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QLegendMarker>
#include <QtCharts/QLineSeries>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kFewPoints = 40; // of a run: then each is marked
constexpr int kDragPixels = 6;
constexpr double kOpenDot = 3.5; // radius in pixels
constexpr float kOpenZone = 0.07F; // opacity
constexpr double kMarkerSize = 5; // pixels, half of a mark's head
constexpr double kPen = 1.6;
constexpr double kZoneMargin = 30; // pixels; half a time of the axis stands there

QLineSeries *lineOf(const QList<QPointF> &points)
{
    auto *series = new QLineSeries;
    series->replace(points); // one call: point by point would take seconds (style 2.4)
    return series;
}

} // namespace

TrendChart::TrendChart(QWidget *parent)
    : QChartView(parent)
    , m_times(new QCategoryAxis)
    , m_values(new QCategoryAxis)
    , m_line(new QGraphicsLineItem)
    , m_label(plainLabel({}, this))
    , m_band(new QRubberBand(QRubberBand::Rectangle, this))
{
    setObjectName(u"trendChart"_s);
    setFocusPolicy(Qt::StrongFocus);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setMargins(QMargins(0, 0, 0, 0));
    chart()->setBackgroundRoundness(0);
    chart()->legend()->setShowToolTips(false);
    for (QCategoryAxis *axis : { m_times, m_values }) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    }
    chart()->addAxis(m_times, Qt::AlignBottom);
    chart()->addAxis(m_values, Qt::AlignLeft);
    chart()->scene()->addItem(m_line);
    m_line->setZValue(20);
    m_line->hide();
    m_label->setObjectName(u"trendMark"_s);
    m_label->setAutoFillBackground(true);
    m_label->setFrameShape(QFrame::StyledPanel);
    m_label->setMargin(kGrid);
    m_label->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_label->hide();
    if (Theme::instance() != nullptr) {
        connect(Theme::instance(), &Theme::changed, this, [this] { setPicture(m_picture, m_words); });
    }
    connect(chart(), &QChart::plotAreaChanged, this, &TrendChart::placeMark);
    restyle();
}

void TrendChart::restyle()
{
    const QColor text = themeColor(Token::Text);
    chart()->setBackgroundVisible(false); // the open bucket's zone lies behind the lines
    setBackgroundBrush(themeColor(Token::Base));
    chart()->legend()->setLabelColor(text);
    chart()->legend()->setFont(font());
    for (QAbstractAxis *axis : { static_cast<QAbstractAxis *>(m_times), static_cast<QAbstractAxis *>(m_values) }) {
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
        axis->setLabelsBrush(themeColor(Token::MutedText));
        axis->setTitleBrush(themeColor(Token::MutedText));
        axis->setGridLineColor(themeColor(Token::Border));
        axis->setLinePenColor(themeColor(Token::Border));
    }
    m_line->setPen(QPen(themeColor(Token::MutedText), 1, Qt::DotLine));
}

QColor TrendChart::colorOf(const models::TrendLine &line, int number)
{
    return line.other || line.previous ? themeColor(Token::MutedText) : seriesColor(number, themeScheme());
}

QString TrendChart::legendText(const models::TrendLine &line) const
{
    return !line.last || !line.highest || !m_words.value
        ? line.name
        : tr("%1 · last %2 · max %3").arg(line.name, m_words.value(*line.last), m_words.value(*line.highest));
}

void TrendChart::addLine(const models::TrendLine &line, int number)
{
    QColor color = colorOf(line, number);
    QPen pen(color, kPen);
    if (line.previous) {
        pen.setStyle(Qt::DotLine);
    }
    bool named = false;
    // One name in the legend, however many gaps a line has.
    const auto add = [&](QAbstractSeries *series) {
        series->setName(legendText(line));
        chart()->addSeries(series);
        series->attachAxis(m_times);
        series->attachAxis(m_values);
        const auto markers = chart()->legend()->markers(series);
        for (QLegendMarker *marker : markers) {
            marker->setVisible(!named);
        }
        named = true;
    };
    for (qsizetype i = 0; i < line.runs.size(); ++i) {
        QLineSeries *upper = lineOf(line.runs.at(i));
        upper->setPen(pen);
        if (m_picture.stacked && !line.previous) {
            auto *area = new QAreaSeries(upper, lineOf(line.floors.at(i)));
            upper->setParent(area);
            area->lowerSeries()->setParent(area);
            color.setAlphaF(0.55F);
            area->setBrush(color);
            area->setPen(pen);
            add(area);
            continue;
        }
        upper->setPointsVisible(line.runs.at(i).size() <= kFewPoints);
        upper->setMarkerSize(5);
        add(upper);
    }
}

void TrendChart::setAxes()
{
    for (QCategoryAxis *axis : { m_times, m_values }) {
        const QStringList labels = axis->categoriesLabels();
        for (const QString &label : labels) {
            axis->remove(label);
        }
    }
    m_times->setRange(m_picture.from, std::max(m_picture.to, m_picture.from + 1));
    m_values->setRange(0, m_picture.top);
    m_values->setTitleText(m_words.axisTitle);
    // An axis knows its labels by their texts: a blank more tells two alike apart.
    const auto append = [](QCategoryAxis *axis, QString label, double value) {
        while (axis->categoriesLabels().contains(label)) {
            label += QChar(0x200a);
        }
        axis->append(label, value);
    };
    for (const models::TrendTick &tick : std::as_const(m_picture.ticks)) {
        append(m_times, tick.label, tick.x);
    }
    for (const double level : m_words.tick ? m_picture.levels : QList<double>()) {
        append(m_values, m_words.tick(level), level);
    }
}

void TrendChart::setPicture(const models::TrendPicture &picture, const Words &words)
{
    m_picture = picture;
    m_words = words;
    chart()->removeAllSeries();
    restyle();
    setAxes();
    for (qsizetype i = 0; i < m_picture.lines.size(); ++i) {
        addLine(m_picture.lines.at(i), int(i));
    }
    for (const models::TrendLimit &limit : std::as_const(m_picture.limits)) {
        QLineSeries *line = lineOf({ QPointF(m_picture.from, limit.y), QPointF(m_picture.to, limit.y) });
        line->setPen(QPen(themeColor(Token::Danger), 1, Qt::DashDotLine));
        line->setName(limit.label);
        chart()->addSeries(line);
        line->attachAxis(m_times);
        line->attachAxis(m_values);
    }
    chart()->legend()->setVisible(!m_picture.lines.isEmpty() || !m_picture.limits.isEmpty());
    // Beneath each other they are read whole; a single one takes no room from the plot.
    chart()->legend()->setAlignment(m_picture.lines.size() > 1 ? Qt::AlignRight : Qt::AlignBottom);
    mark(0, {});
    viewport()->update();
}

QPointF TrendChart::placeOf(const QPointF &value) const
{
    const QRectF plot = chart()->plotArea();
    const double x = (value.x() - m_picture.from) / std::max(1.0, m_picture.to - m_picture.from);
    return chart()->mapToScene(
        QPointF(plot.left() + x * plot.width(), plot.bottom() - value.y() / m_picture.top * plot.height()));
}

void TrendChart::drawBackground(QPainter *painter, const QRectF &rect)
{
    QChartView::drawBackground(painter, rect);
    if (m_picture.openFrom && !m_picture.lines.isEmpty()) {
        QColor zone = themeColor(Token::Text);
        zone.setAlphaF(kOpenZone);
        painter->fillRect(QRectF(placeOf({ *m_picture.openFrom, m_picture.top }), placeOf({ m_picture.to, 0 })), zone);
    }
}

/// What Qt Charts has no series for: hollow dots of the open bucket, and marks across the chart.
void TrendChart::drawForeground(QPainter *painter, const QRectF &rect)
{
    QChartView::drawForeground(painter, rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    std::optional<double> drawn[2]; // of actions and of alerts: what lies on one place is one mark
    for (const models::TrendMarker &marker : std::as_const(m_picture.markers)) {
        const QPointF head = placeOf({ marker.x, m_picture.top });
        std::optional<double> &last = drawn[marker.alert ? 1 : 0];
        if (last && std::abs(head.x() - *last) < 2 * kMarkerSize) {
            continue;
        }
        last = head.x();
        const QColor color = themeColor(marker.alert ? Token::Danger : Token::MutedText);
        painter->setPen(QPen(color, 1, Qt::DashLine));
        painter->drawLine(head, placeOf({ marker.x, 0 }));
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        painter->drawPolygon(markerHead(head, marker.alert));
    }
    paintMarkerLegend(painter);
    paintZone(painter);
    for (qsizetype i = 0; i < m_picture.lines.size(); ++i) {
        if (const auto &open = m_picture.lines.at(i).open) {
            painter->setPen(QPen(colorOf(m_picture.lines.at(i), int(i)), kPen));
            painter->setBrush(themeColor(Token::Base));
            painter->drawEllipse(placeOf(*open), kOpenDot, kOpenDot);
        }
    }
    painter->restore();
}

/// An alert stands on its base, an action on its tip: told apart without their colours.
QPolygonF TrendChart::markerHead(const QPointF &tip, bool alert)
{
    const double half = kMarkerSize;
    return alert ? QPolygonF { tip, tip + QPointF(half, 2 * half), tip + QPointF(-half, 2 * half) }
                 : QPolygonF { tip + QPointF(-half, 0), tip + QPointF(half, 0), tip + QPointF(0, 2 * half) };
}

QStringList TrendChart::markerNames() const
{
    QStringList names;
    for (const bool alert : { false, true }) {
        if (std::any_of(m_picture.markers.cbegin(), m_picture.markers.cend(),
                [alert](const models::TrendMarker &marker) { return marker.alert == alert; })) {
            names += alert ? tr("alert began") : tr("action");
        }
    }
    return names;
}

/// In the corner of the axes, where no label of either stands.
void TrendChart::paintZone(QPainter *painter) const
{
    if (m_picture.lines.isEmpty() || m_words.zone.isEmpty()) {
        return;
    }
    const QFontMetricsF metrics(font());
    const QPointF corner = placeOf({ m_picture.from, 0 });
    const double room = corner.x() - kZoneMargin;
    painter->setPen(themeColor(Token::MutedText));
    painter->setFont(font());
    painter->drawText(QRectF(0, corner.y() + kGrid, room, metrics.height()), Qt::AlignRight | Qt::AlignTop,
        metrics.elidedText(m_words.zone, Qt::ElideRight, room));
}

/// What the marks across the chart are, of those that there are; in the corner of the plot.
void TrendChart::paintMarkerLegend(QPainter *painter) const
{
    const QStringList names = markerNames();
    if (names.isEmpty()) {
        return;
    }
    const QFontMetricsF metrics(font());
    constexpr double kHead = 2 * kMarkerSize;
    double wide = 0;
    for (const QString &name : names) {
        wide += kHead + kGrid + metrics.horizontalAdvance(name) + 4 * kGrid;
    }
    QPointF at = placeOf({ m_picture.from, m_picture.top }) + QPointF(2 * kGrid, kGrid);
    QColor ground = themeColor(Token::Base);
    ground.setAlphaF(0.85F);
    painter->fillRect(QRectF(at - QPointF(kGrid, 0), QSizeF(wide, metrics.height())), ground);
    for (const QString &name : names) {
        const bool alert = name == tr("alert began");
        painter->setPen(Qt::NoPen);
        painter->setBrush(themeColor(alert ? Token::Danger : Token::MutedText));
        painter->drawPolygon(markerHead(at + QPointF(kMarkerSize, (metrics.height() - kHead) / 2), alert));
        painter->setPen(themeColor(Token::MutedText));
        painter->setFont(font());
        at.rx() += kHead + kGrid;
        painter->drawText(QRectF(at, QSizeF(metrics.horizontalAdvance(name) + 1, metrics.height())),
            Qt::AlignLeft | Qt::AlignVCenter, name);
        at.rx() += metrics.horizontalAdvance(name) + 4 * kGrid;
    }
}

void TrendChart::clear()
{
    setPicture({}, {});
}

void TrendChart::mark(double x, const QString &text)
{
    m_marked = text.isEmpty() ? std::nullopt : std::optional(x);
    m_label->setText(text);
    m_label->adjustSize();
    placeMark();
}

void TrendChart::placeMark()
{
    m_line->setVisible(m_marked.has_value());
    m_label->setVisible(m_marked.has_value());
    if (!m_marked) {
        return;
    }
    const QRectF plot = chart()->plotArea();
    const double part = (*m_marked - m_picture.from) / std::max(1.0, m_picture.to - m_picture.from);
    const double x = plot.left() + part * plot.width();
    m_line->setLine(x, plot.top(), x, plot.bottom());
    const bool right = x + m_label->width() + 3 * kGrid < plot.right();
    m_label->move(int(right ? x + 2 * kGrid : x - m_label->width() - 2 * kGrid), int(plot.top()) + kGrid);
}

QPointF TrendChart::valueAt(const QPoint &place) const
{
    const QRectF plot = chart()->plotArea();
    const double x = std::clamp((place.x() - plot.left()) / std::max(1.0, plot.width()), 0.0, 1.0);
    const double y = std::clamp((plot.bottom() - place.y()) / std::max(1.0, plot.height()), 0.0, 1.0);
    return { m_picture.from + x * (m_picture.to - m_picture.from), y * m_picture.top };
}

void TrendChart::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && chart()->plotArea().contains(event->pos())) {
        m_pressed = event->pos();
        m_dragging = true;
    }
}

void TrendChart::mouseMoveEvent(QMouseEvent *event)
{
    const QRect plot = chart()->plotArea().toRect();
    if (m_dragging && std::abs(event->pos().x() - m_pressed.x()) >= kDragPixels) {
        const int x = std::clamp(event->pos().x(), plot.left(), plot.right());
        m_band->setGeometry(QRect(QPoint(m_pressed.x(), plot.top()), QPoint(x, plot.bottom())).normalized());
        m_band->show();
    }
    if (plot.contains(event->pos()) && !m_picture.lines.isEmpty()) {
        emit hovered(valueAt(event->pos()).x());
    } else {
        emit left();
    }
}

void TrendChart::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_dragging || event->button() != Qt::LeftButton) {
        return;
    }
    m_dragging = false;
    if (m_band->isVisible()) {
        m_band->hide();
        const double from = valueAt(m_pressed).x();
        const double to = valueAt(event->pos()).x();
        emit rangeChosen(std::min(from, to), std::max(from, to));
    } else if (!m_picture.lines.isEmpty()) {
        const QPointF value = valueAt(event->pos());
        emit activated(value.x(), value.y(), false);
    }
}

void TrendChart::leaveEvent(QEvent *event)
{
    QChartView::leaveEvent(event);
    emit left();
}

void TrendChart::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        emit stepped(-1);
        break;
    case Qt::Key_Right:
        emit stepped(1);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_marked) {
            emit activated(*m_marked, 0, true);
        }
        break;
    case Qt::Key_Escape:
        emit left();
        event->ignore();
        break;
    default:
        QChartView::keyPressEvent(event);
    }
}

void TrendChart::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    placeMark();
}

QByteArray TrendChart::png()
{
    QPixmap picture(size() * 2); // sharp in a document
    picture.setDevicePixelRatio(2);
    picture.fill(themeColor(Token::Base));
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    render(&painter);
    painter.end();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return buffer.data();
}

QByteArray TrendChart::svg(const QString &title)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size());
    generator.setViewBox(QRect(QPoint(0, 0), size()));
    generator.setTitle(title);
    QPainter painter(&generator);
    render(&painter);
    painter.end();
    return buffer.data();
}

} // namespace idemdesk::ui
