// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/trend_chart.h"

#include "models/trends/trend_words.h"
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
#include <QtCharts/QLineSeries>
#include <QtMath>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kFewPoints = 40; // of a run: then each is marked
constexpr int kDragPixels = 6;
constexpr double kOpenDot = 3.5; // radius in pixels
constexpr float kOpenZone = 0.07F; // opacity
constexpr double kMarkerSize = 5; // pixels, half of a mark's head
constexpr double kPen = 1.6;
constexpr double kLegendMark = 12; // pixels wide
constexpr double kLegendPart = 0.4; // of the width at most
constexpr int kMostLegend = 240; // pixels at texts of the usual size; longer numbers take two lines
constexpr double kLegendPen = 3;
constexpr double kDotsApart = 12; // pixels: nearer ones would melt into a bar
constexpr float kAreaOpacity = 0.55F;
constexpr float kBandOpacity = 0.1F;
constexpr double kPreviousPen = 1.5;
constexpr double kWider = 1.5; // of a line that is to be seen beneath another one
constexpr double kNearLine = 24; // pixels from the mouse: then its band is shown
constexpr float kTextGround = 0.85F; // opacity, beneath a text on the plot
constexpr double kZoneMargin = 30; // pixels; half a time of the axis stands there
constexpr double kLeastZoneMargin = 20; // where the numbers of the other axis are narrow

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
    chart()->legend()->hide(); // it knows no marks, and stands at half height
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
    connect(chart(), &QChart::plotAreaChanged, this, [this] {
        placeMark();
        viewport()->update(); // marks and legend follow the plot
    });
    restyle();
}

void TrendChart::restyle()
{
    chart()->setBackgroundVisible(false); // the open bucket's zone lies behind the lines
    setBackgroundBrush(themeColor(Token::Base));
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

QColor TrendChart::colorOf(const models::TrendLine &line)
{
    return line.other || line.previous ? themeColor(Token::MutedText) : seriesColor(line.color, themeScheme());
}

QPen TrendChart::penOf(const models::TrendLine &line)
{
    const double width = (line.previous ? kPreviousPen : kPen) + (line.wide ? kWider : 0);
    return { colorOf(line), width, line.previous ? Qt::DashLine : line.pattern };
}

QPen TrendChart::limitPen()
{
    return { themeColor(Token::Danger), 1, Qt::DashDotLine };
}

void TrendChart::add(QAbstractSeries *series)
{
    chart()->addSeries(series);
    series->attachAxis(m_times);
    series->attachAxis(m_values);
}

/// Of a bucket by itself, too, which is a bar as wide as a pen.
void TrendChart::addBands(const models::TrendLine &line, int number)
{
    QColor ground = colorOf(line);
    ground.setAlphaF(kBandOpacity);
    for (const models::TrendBand &band : line.bands) {
        if (band.lowest.size() == 1) {
            QLineSeries *bar = lineOf({ band.lowest.constFirst(), band.highest.constFirst() });
            bar->setPen(QPen(ground, 2 * kMarkerSize, Qt::SolidLine, Qt::FlatCap));
            add(bar);
            m_bandSeries.append({ number, bar });
            continue;
        }
        auto *area = new QAreaSeries(lineOf(band.highest), lineOf(band.lowest));
        area->upperSeries()->setParent(area);
        area->lowerSeries()->setParent(area);
        area->setBrush(ground);
        area->setPen(Qt::NoPen);
        add(area);
        m_bandSeries.append({ number, area });
    }
}

void TrendChart::addLine(const models::TrendLine &line)
{
    const QPen pen = penOf(line);
    for (qsizetype i = 0; i < line.runs.size(); ++i) {
        QLineSeries *upper = lineOf(line.runs.at(i));
        upper->setPen(pen);
        if (m_picture.stacked && !line.previous) {
            auto *area = new QAreaSeries(upper, lineOf(line.floors.at(i)));
            upper->setParent(area);
            area->lowerSeries()->setParent(area);
            QColor color = pen.color();
            color.setAlphaF(kAreaOpacity);
            area->setBrush(color);
            area->setPen(QPen(themeColor(Token::Base), 1)); // a gap: outlines of all would darken the thin ones
            add(area);
            continue;
        }
        const qsizetype points = line.runs.at(i).size();
        upper->setPointsVisible(line.previous ? points == 1 : points <= kFewPoints && dotsApart(line.runs.at(i)));
        upper->setMarkerSize(5);
        add(upper);
    }
}

/// Would the dots of this run stand by themselves?
bool TrendChart::dotsApart(const QList<QPointF> &run) const
{
    if (run.size() < 2) {
        return true;
    }
    const double step = (run.constLast().x() - run.constFirst().x()) / double(run.size() - 1);
    return step / std::max(1.0, m_picture.to - m_picture.from) * width() >= kDotsApart;
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
    m_bandSeries.clear();
    chart()->removeAllSeries();
    restyle();
    setAxes();
    for (qsizetype i = 0; i < m_picture.lines.size(); ++i) {
        addBands(m_picture.lines.at(i), int(i)); // behind all lines
    }
    for (qsizetype i = 0; i < m_picture.lines.size(); ++i) {
        addLine(m_picture.lines.at(i));
    }
    for (const models::TrendLimit &limit : std::as_const(m_picture.limits)) {
        QLineSeries *line = lineOf({ QPointF(m_picture.from, limit.y), QPointF(m_picture.to, limit.y) });
        line->setPen(limitPen());
        add(line);
    }
    showBandOf(-1);
    makeRoomForLegend();
    mark(0, {});
    viewport()->update();
}

/// Several bands over each other tell nothing: one at a time, of the line that the mouse is at, else of the first.
void TrendChart::showBandOf(int line)
{
    const auto has = [line](const auto &band) { return band.first == line; };
    const bool own = std::any_of(m_bandSeries.cbegin(), m_bandSeries.cend(), has);
    const int shown = own || m_bandSeries.isEmpty() ? line : m_bandSeries.constFirst().first;
    for (const auto &[of, series] : std::as_const(m_bandSeries)) {
        series->setVisible(of == shown);
    }
    if (shown != m_shownBand) {
        m_shownBand = shown;
        viewport()->update(); // the legend names its line
    }
}

/// -1 where none is near.
int TrendChart::lineAt(const QPointF &place) const
{
    int nearest = -1;
    double distance = kNearLine;
    const double x = valueAt(place.toPoint()).x();
    for (qsizetype i = 0; i < m_picture.lines.size(); ++i) {
        for (const QList<QPointF> &run : m_picture.lines.at(i).runs) {
            const auto after = std::lower_bound(
                run.cbegin(), run.cend(), x, [](const QPointF &point, double at) { return point.x() < at; });
            const QPointF next = after == run.cend() ? run.constLast() : *after;
            const QPointF before = after == run.cbegin() ? next : *(after - 1);
            const double part = next.x() > before.x() ? (x - before.x()) / (next.x() - before.x()) : 1;
            const double y = before.y() + std::clamp(part, 0.0, 1.0) * (next.y() - before.y());
            const double off = std::abs(placeOf({ x, y }).y() - place.y());
            if (off < distance && x >= run.constFirst().x() && x <= run.constLast().x()) {
                distance = off;
                nearest = int(i);
            }
        }
    }
    return nearest;
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

/// What Qt Charts has no series for: hollow dots of the open bucket, marks across the chart, and a legend of all.
void TrendChart::drawForeground(QPainter *painter, const QRectF &rect)
{
    QChartView::drawForeground(painter, rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(font());
    paintMarkers(painter);
    paintZone(painter);
    paintOpen(painter);
    paintLegend(painter);
    painter->restore();
}

void TrendChart::paintMarkers(QPainter *painter) const
{
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
        // An alert's head stands above the plot, an action's hangs beneath its edge: neither lies on the other.
        painter->drawPolygon(markerHead(marker.alert ? head - QPointF(0, 2 * kMarkerSize) : head, marker.alert));
    }
}

/// The axis is that of the full buckets: what is above it stands at the edge with its number.
void TrendChart::paintOpen(QPainter *painter) const
{
    const auto &lines = m_picture.lines;
    qsizetype whole = lines.size() - 1; // the open bucket of a stack stands on all others
    while (whole > 0 && !lines.at(whole).open) {
        --whole;
    }
    const double step = std::max(QFontMetricsF(font()).height(), 2 * kMarkerSize) + 2;
    double down = m_picture.markers.isEmpty() ? 0 : 2 * kMarkerSize + 2; // beneath the heads of marks
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const auto &open = lines.at(i).open;
        if (m_picture.stacked && i != whole) {
            continue; // the sum of all says it: one dot
        }
        if (open && open->y() <= m_picture.top) {
            painter->setPen(m_picture.stacked ? QPen(themeColor(Token::Text), kPen) : penOf(lines.at(i)));
            painter->setBrush(themeColor(Token::Base));
            painter->drawEllipse(placeOf(*open), kOpenDot, kOpenDot);
        } else if (open) {
            const QPointF tip = placeOf({ open->x(), m_picture.top }) + QPointF(0, down);
            paintPinned(painter, tip, penOf(lines.at(i)), open->y());
            down += step;
        }
    }
}

void TrendChart::paintPinned(QPainter *painter, const QPointF &tip, const QPen &pen, double value) const
{
    if (m_words.value) {
        const QString number = m_words.value(value);
        const QString text
            = m_picture.level ? models::trendNowText(m_picture.source, number) : tr("%1 so far").arg(number);
        const QFontMetricsF metrics(font());
        const double wide = metrics.horizontalAdvance(text) + 1;
        const QRectF place(tip.x() - kMarkerSize - 2 * kGrid - wide, tip.y() + kMarkerSize - metrics.height() / 2, wide,
            metrics.height());
        QColor ground = themeColor(Token::Base);
        ground.setAlphaF(kTextGround);
        painter->fillRect(place, ground);
        painter->setPen(themeColor(Token::Text));
        painter->drawText(place, Qt::AlignRight | Qt::AlignVCenter, text);
    }
    painter->setPen(pen);
    painter->setBrush(themeColor(Token::Base));
    painter->drawPolygon(markerHead(tip, true));
}

/// An alert stands on its base, an action on its tip: told apart without their colours.
QPolygonF TrendChart::markerHead(const QPointF &tip, bool alert)
{
    const double half = kMarkerSize;
    return alert ? QPolygonF { tip, tip + QPointF(half, 2 * half), tip + QPointF(-half, 2 * half) }
                 : QPolygonF { tip + QPointF(-half, 0), tip + QPointF(half, 0), tip + QPointF(0, 2 * half) };
}

QString TrendChart::LegendEntry::text() const
{
    return numbers.isEmpty() ? name : name + u" · "_s + numbers;
}

QStringList TrendChart::legendTexts() const
{
    QStringList texts;
    for (const LegendEntry &entry : legendEntries()) {
        texts += entry.text();
    }
    return texts;
}

/// Of what the chart holds, each once.
QList<TrendChart::LegendEntry> TrendChart::legendEntries() const
{
    using Mark = LegendEntry::Mark;
    QList<LegendEntry> entries;
    const auto &lines = m_picture.lines;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const models::TrendLine &line = lines.at(i);
        entries.append({ m_picture.stacked && !line.previous ? Mark::Area : Mark::Line, penOf(line), line.name,
            m_words.numbers ? m_words.numbers(line) : QString() });
    }
    if (const auto total = m_picture.stackedTotal(); total && m_words.numbers) {
        entries.append({ Mark::None, {}, tr("Total"), m_words.numbers(*total) });
    }
    if (m_picture.banded()) {
        const models::TrendLine *shown
            = m_shownBand >= 0 && m_shownBand < lines.size() ? &lines.at(m_shownBand) : nullptr;
        entries.append({ Mark::Band, shown != nullptr ? penOf(*shown) : QPen(themeColor(Token::MutedText), kPen),
            tr("lowest to highest hour"), shown != nullptr && lines.size() > 1 ? shown->name : QString() });
    }
    for (const models::TrendLimit &limit : m_picture.limits) {
        entries.append({ Mark::Line, limitPen(), limit.label, {} });
    }
    for (const bool alert : { false, true }) {
        if (std::any_of(m_picture.markers.cbegin(), m_picture.markers.cend(),
                [alert](const models::TrendMarker &marker) { return marker.alert == alert; })) {
            entries.append({ alert ? Mark::Alert : Mark::Action, themeColor(alert ? Token::Danger : Token::MutedText),
                alert ? tr("alert began") : tr("action"), {} });
        }
    }
    if (std::any_of(
            lines.cbegin(), lines.cend(), [](const models::TrendLine &line) { return line.open.has_value(); })) {
        const bool sample = m_picture.source == sql::TrendSource::Samples;
        entries.append({ Mark::Open, QPen(themeColor(Token::MutedText), kPen),
            !m_picture.level                    ? tr("still filling")
                : !sample                       ? tr("now")
                : m_picture.sampledAt.isEmpty() ? tr("last sample")
                                                : tr("last sample, %1", "time of day").arg(m_picture.sampledAt),
            {} });
    }
    return entries;
}

/// The numbers of a line in as many lines as they need, parted where a number ends.
QStringList TrendChart::numberLines(const QString &numbers, double room) const
{
    const QFontMetricsF metrics(font());
    QStringList lines;
    for (const QString &part : numbers.split(u" · "_s, Qt::SkipEmptyParts)) {
        const QString longer = lines.isEmpty() ? part : lines.constLast() + u" · "_s + part;
        if (lines.isEmpty() || metrics.horizontalAdvance(longer) > room) {
            lines += part;
        } else {
            lines.last() = longer;
        }
    }
    return lines;
}

void TrendChart::makeRoomForLegend()
{
    const QFontMetricsF metrics(font());
    QMargins margins;
    m_legendWidth = 0;
    if (legendBeside()) {
        const double mark = kLegendMark + 2 * kGrid;
        const double most = std::min(kLegendPart * width(), double(Theme::scaled(kMostLegend)) + mark);
        for (const LegendEntry &entry : legendEntries()) {
            for (const QString &text : QStringList { entry.name } + numberLines(entry.numbers, most - mark)) {
                m_legendWidth = std::max(m_legendWidth, metrics.horizontalAdvance(text) + 1);
            }
        }
        m_legendWidth = std::min(m_legendWidth + mark, most);
        margins.setRight(qCeil(m_legendWidth) + 4 * kGrid);
    } else if (!m_picture.lines.isEmpty()) {
        margins.setTop(qCeil(metrics.height()) + kGrid);
    }
    chart()->setMargins(margins);
}

/// From the top of the plot down, numbers beneath their names; names alone where the window is too low for all.
void TrendChart::paintLegend(QPainter *painter) const
{
    const QFontMetricsF metrics(font());
    const double line = metrics.height();
    const auto entries = legendEntries();
    const bool beside = legendBeside();
    const double room = m_legendWidth - kLegendMark - 2 * kGrid;
    double needed = 0;
    for (const LegendEntry &entry : entries) {
        needed += line * double(1 + numberLines(entry.numbers, room).size()) + 2 * kGrid;
    }
    const QRectF plot(placeOf({ m_picture.from, m_picture.top }), placeOf({ m_picture.to, 0 }));
    const bool whole = needed <= plot.height();
    const double right = chart()->size().width() - kGrid;
    QPointF at = beside ? QPointF(right - m_legendWidth, plot.top()) : QPointF(plot.left(), kGrid);
    for (const LegendEntry &entry : entries) {
        paintLegendMark(painter, entry, at + QPointF(kLegendMark / 2, line / 2));
        const double left = at.x() + kLegendMark + 2 * kGrid;
        const auto write = [&](const QString &text, double y, Token token) {
            const QRectF place(left, y, std::max(0.0, right - left), line);
            painter->setPen(themeColor(token));
            painter->drawText(
                place, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, place.width()));
        };
        write(beside ? entry.name : entry.text(), at.y(), Token::Text);
        if (!beside) {
            at.setX(left + metrics.horizontalAdvance(entry.text()) + 4 * kGrid);
            continue;
        }
        at.ry() += line;
        for (const QString &numbers : whole ? numberLines(entry.numbers, room) : QStringList()) {
            write(numbers, at.y(), Token::MutedText);
            at.ry() += line;
        }
        at.ry() += whole ? 2 * kGrid : kGrid;
    }
}

void TrendChart::paintLegendMark(QPainter *painter, const LegendEntry &entry, const QPointF &center)
{
    using Mark = LegendEntry::Mark;
    const QPointF half(kLegendMark / 2, 0);
    QColor ground = entry.pen.color();
    painter->setPen(entry.pen);
    switch (entry.mark) {
    case Mark::None:
        return;
    case Mark::Line: {
        QPen pen = entry.pen;
        pen.setWidthF(std::max(pen.widthF(), pen.style() == Qt::SolidLine ? kLegendPen : 0));
        painter->setPen(pen);
        painter->drawLine(center - half, center + half);
        return;
    }
    case Mark::Area:
        ground.setAlphaF(kAreaOpacity);
        painter->setBrush(ground);
        painter->drawRect(QRectF(center.x() - kMarkerSize, center.y() - kMarkerSize, 2 * kMarkerSize, 2 * kMarkerSize));
        return;
    case Mark::Band:
        ground.setAlphaF(3 * kBandOpacity);
        painter->fillRect(
            QRectF(center.x() - half.x(), center.y() - kMarkerSize, kLegendMark, 2 * kMarkerSize), ground);
        painter->drawLine(center - half, center + half);
        return;
    case Mark::Action:
    case Mark::Alert:
        painter->setPen(Qt::NoPen);
        painter->setBrush(ground);
        painter->drawPolygon(markerHead(center - QPointF(0, kMarkerSize), entry.mark == Mark::Alert));
        return;
    case Mark::Open:
        painter->setBrush(themeColor(Token::Base));
        painter->drawEllipse(center, kOpenDot, kOpenDot);
        return;
    }
}

/// In the corner of the axes, where no label of either stands.
void TrendChart::paintZone(QPainter *painter) const
{
    if (m_picture.lines.isEmpty() || m_words.zone.isEmpty()) {
        return;
    }
    const QFontMetricsF metrics(font());
    const QPointF corner = placeOf({ m_picture.from, 0 });
    const double room = std::max(
        corner.x() - kZoneMargin, std::min(metrics.horizontalAdvance(m_words.zone) + 1, corner.x() - kLeastZoneMargin));
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(QRectF(0, corner.y() + kGrid, room, metrics.height()), Qt::AlignRight | Qt::AlignTop,
        metrics.elidedText(m_words.zone, Qt::ElideRight, room));
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
    showBandOf(plot.contains(event->pos()) ? lineAt(event->pos()) : -1);
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
    showBandOf(-1);
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
    makeRoomForLegend(); // it takes a part of the width at most
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
