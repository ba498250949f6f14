// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/time_bars.h"

#include "models/format/quantities.h"
#include "ui/charts/outliers.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_tool_tips.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kBarsHeight = 48; // pixels, between its legend and its times
constexpr double kDimmedBars = 0.45; // opacity
constexpr double kBarPart = 0.55; // of the accent in a bar that needs nobody
constexpr double kSeenTrouble = 2; // pixels of what is stuck or failed; of less a sign above the bar may tell
constexpr int kMostSigned = 5; // bars, for each kind of trouble
constexpr int kSignSize = 5; // pixels
constexpr int kSignStep = kSignSize + 1;

struct BarPart {
    double rows;
    Token token;
    QString name;
};

/// The first parts of a bar are those that need a person.
constexpr std::size_t kTroubleParts = 2;

/// From the foot up.
std::array<BarPart, 3> barPartsOf(const sql::SpreadCount &count)
{
    const double failed = std::min(count.failed, std::max(0.0, count.rows - count.stuck));
    return { BarPart { count.stuck, Token::Stale, TimeBars::tr("stuck") },
        BarPart { failed, Token::FailedFinal, TimeBars::tr("failed") },
        BarPart { std::max(0.0, count.rows - count.stuck - failed), Token::Accent, TimeBars::tr("other") } };
}

/// A triangle for what is stuck, a dot for what failed: told apart without their colours.
void paintSign(QPainter *painter, const QRectF &place, Token token)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(themeColor(token));
    if (token == Token::Stale) {
        painter->drawPolygon(
            QPolygonF { { place.bottomLeft(), QPointF(place.center().x(), place.top()), place.bottomRight() } });
    } else {
        painter->drawEllipse(place);
    }
    painter->restore();
}

QColor barColorOf(Token token)
{
    return token == Token::Accent ? mixed(themeColor(Token::Window), themeColor(token), kBarPart) : themeColor(token);
}

} // namespace

TimeBars::TimeBars(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(u"timeBars"_s);
    setAccessibleName(tr("Keys over time"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::CrossCursor);
}

void TimeBars::setBars(const QList<sql::SpreadCount> &bars, const QStringList &edges, bool lastFills, bool exact,
    const std::function<QString(int, int)> &textOf)
{
    const bool same = m_bars == bars && m_edges == edges && m_lastFills == lastFills && m_exact == exact;
    // What is marked stays where it means the same time: a list that refreshes by itself would lose each drag.
    const bool fits = m_bars.size() == bars.size() && m_edges.value(0) == edges.value(0);
    m_bars = bars;
    m_edges = edges;
    m_lastFills = lastFills;
    m_exact = exact;
    m_textOf = textOf;
    findSigned();
    if (same) {
        return;
    }
    m_dragging = m_dragging && fits;
    mark(fits ? m_from : -1, fits ? m_to : -1);
    updateGeometry();
}

QSize TimeBars::sizeHint() const
{
    const int line = fontMetrics().height();
    return { 60 * 2 * kGrid, m_plain ? line + 2 * kGrid : kBarsHeight + 2 * (line + kGrid) };
}

void TimeBars::setTicks(const QList<Tick> &ticks)
{
    if (m_ticks != ticks) {
        m_ticks = ticks;
        update();
    }
}

void TimeBars::setPlain(bool plain)
{
    if (m_plain != plain) {
        m_plain = plain;
        updateGeometry();
        update();
    }
}

void TimeBars::setDimmed(bool dimmed)
{
    m_dimmed = dimmed;
    update();
}

QRect TimeBars::plot() const
{
    if (m_plain) {
        return rect().adjusted(sideWidth(0), 0, -sideWidth(1), 0);
    }
    const int line = fontMetrics().height() + kGrid;
    return rect().adjusted(0, line, 0, -line);
}

/// What the time at this end takes where it stands beside the bars.
int TimeBars::sideWidth(int edge) const
{
    const QString text = m_edges.value(edge);
    return text.isEmpty() ? 0 : fontMetrics().horizontalAdvance(text) + 2 * kGrid;
}

QRect TimeBars::barRect(int bar) const
{
    const QRect place = plot();
    const int count = std::max(1, bars());
    const int left = place.left() + place.width() * bar / count;
    return { left, place.top(), place.left() + place.width() * (bar + 1) / count - left, place.height() };
}

int TimeBars::barAt(int x) const
{
    const QRect place = plot();
    return m_bars.isEmpty() ? -1 : std::clamp((x - place.left()) * bars() / std::max(1, place.width()), 0, bars() - 1);
}

void TimeBars::mark(int from, int to)
{
    m_from = from;
    m_to = to;
    const bool marked = m_to >= 0 && m_textOf;
    setAccessibleDescription(marked
            ? tr("%1. Enter shows these keys alone.").arg(m_textOf(std::min(m_from, m_to), std::max(m_from, m_to)))
            : tr("The arrow keys mark a time, with Shift a range."));
    QAccessibleEvent told(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&told);
    update();
}

bool TimeBars::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int bar = barAt(help->pos().x());
        if (bar >= 0 && m_textOf) {
            PlainToolTips::show(help->globalPos(), m_textOf(bar, bar), this, barRect(bar));
        }
        return true;
    }
    return QWidget::event(event);
}

void TimeBars::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRect place = plot();
    const int line = fontMetrics().height();
    painter.setPen(themeColor(Token::Border));
    painter.drawLine(place.bottomLeft(), place.bottomRight());
    if (m_bars.isEmpty()) {
        return;
    }
    if (m_to >= 0) {
        const QRect marked = barRect(std::min(m_from, m_to)).united(barRect(std::max(m_from, m_to)));
        painter.fillRect(marked, themeColor(Token::Selection));
    }
    painter.setOpacity(m_dimmed ? kDimmedBars : 1); // words are to be read all the same
    paintBars(&painter, place);
    painter.setOpacity(1);
    if (m_plain) {
        paintSides(&painter);
    } else {
        paintTimes(&painter);
        paintLegend(&painter, { 0, 0, width(), line });
    }
    if (hasFocus()) {
        drawFocusRing(&painter, rect(), kRadius);
    }
}

/// At the two ends, or what is marked.
void TimeBars::paintTimes(QPainter *painter) const
{
    const int line = fontMetrics().height();
    painter->setPen(themeColor(Token::MutedText));
    const QRect times(0, height() - line, width(), line);
    if (m_to >= 0 && m_textOf) {
        painter->setPen(themeColor(Token::Text));
        painter->drawText(times, Qt::AlignCenter,
            fontMetrics().elidedText(
                m_textOf(std::min(m_from, m_to), std::max(m_from, m_to)), Qt::ElideRight, times.width()));
    } else {
        painter->drawText(times, Qt::AlignLeft | Qt::AlignVCenter, m_edges.value(0));
        painter->drawText(times, Qt::AlignRight | Qt::AlignVCenter, m_edges.value(1));
        paintTicks(painter, times);
    }
}

void TimeBars::paintTicks(QPainter *painter, const QRect &times) const
{
    const QRect place = plot();
    int taken = times.left() + fontMetrics().horizontalAdvance(m_edges.value(0)) + 2 * kGrid;
    const int end = times.right() - fontMetrics().horizontalAdvance(m_edges.value(1)) - 2 * kGrid;
    for (const Tick &tick : m_ticks) {
        const int x = place.left() + int(std::lround(tick.at * place.width()));
        const int wide = fontMetrics().horizontalAdvance(tick.text);
        if (x - wide / 2 < taken || x + wide / 2 > end) {
            continue;
        }
        painter->fillRect(QRect(x, place.bottom(), 1, kGrid), themeColor(Token::ControlBorder));
        painter->drawText(QRect(x - wide / 2, times.top(), wide + 1, times.height()), Qt::AlignCenter, tick.text);
        taken = x + wide / 2 + 2 * kGrid;
    }
}

void TimeBars::paintSides(QPainter *painter) const
{
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, m_edges.value(0));
    painter->drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, m_edges.value(1));
}

double TimeBars::top() const
{
    double top = 0;
    for (const sql::SpreadCount &count : m_bars) {
        top = std::max(top, count.rows);
    }
    return top;
}

/// By the height that a plot has without signs and beside its legend: whether there are any must not depend on their
/// room.
void TimeBars::findSigned()
{
    const double most = top();
    QList<double> rows;
    std::array<QList<double>, kTroubleParts> trouble;
    for (const sql::SpreadCount &count : std::as_const(m_bars)) {
        rows += count.rows;
        const auto parts = barPartsOf(count);
        for (std::size_t i = 0; i < kTroubleParts; ++i) {
            trouble.at(i) += parts.at(i).rows;
        }
    }
    for (std::size_t i = 0; i < kTroubleParts; ++i) {
        m_signed.at(i) = outliers(trouble.at(i), rows, kMostSigned);
        m_signed.at(i).removeIf([&](int bar) { return trouble.at(i).at(bar) / most * kBarsHeight >= kSeenTrouble; });
    }
}

std::array<bool, 2> TimeBars::signs() const
{
    return { !m_signed.at(0).isEmpty(), !m_signed.at(1).isEmpty() };
}

/// Each part as high as it is: a few keys among thousands are told by a sign above their bar, not by a higher part.
void TimeBars::paintBars(QPainter *painter, const QRect &plot) const
{
    const double most = top();
    const std::array<bool, kTroubleParts> shown = signs();
    const int room = plot.height() - kSignStep * int(std::count(shown.cbegin(), shown.cend(), true));
    for (int i = 0; i < bars() && most > 0; ++i) {
        const QRect place = barRect(i).adjusted(0, 0, barRect(i).width() > 3 ? -1 : 0, 0);
        const bool fills = m_lastFills && i == bars() - 1;
        const auto parts = barPartsOf(m_bars.at(i));
        double sum = 0;
        int height = 0;
        for (const BarPart &part : parts) {
            sum += part.rows;
            const bool last = part.token == Token::Accent;
            const int upTo = std::max(int(std::lround(sum / most * room)), last && sum > 0 ? 1 : 0);
            painter->fillRect(QRect(place.left(), plot.bottom() - upTo, place.width(), upTo - height),
                QBrush(barColorOf(part.token), fills ? Qt::Dense4Pattern : Qt::SolidPattern));
            height = upTo;
        }
        int foot = plot.bottom() - height;
        for (std::size_t part = 0; part < kTroubleParts; ++part) {
            if (m_signed.at(part).contains(i)) {
                paintSign(painter,
                    QRectF(place.center().x() + 0.5 - kSignSize / 2.0, foot - kSignStep, kSignSize, kSignSize),
                    parts.at(part).token);
                foot -= kSignStep;
            }
        }
    }
}

/// What the colours mean, of those that are there; and how high the highest bar is.
void TimeBars::paintLegend(QPainter *painter, const QRect &line) const
{
    std::array<BarPart, 3> sums = barPartsOf({});
    for (const sql::SpreadCount &count : m_bars) {
        const auto parts = barPartsOf(count);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            sums.at(i).rows += parts.at(i).rows;
        }
    }
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
        (m_exact ? tr("max %1") : tr("max about %1")).arg(models::shortCountText(top())));
    if (sums.at(0).rows <= 0 && sums.at(1).rows <= 0) {
        return; // one colour needs no legend
    }
    int right = line.right();
    for (auto part = sums.crbegin(); part != sums.crend(); ++part) {
        if (part->rows <= 0) {
            continue;
        }
        const QString text = !m_exact
            ? part->name
            : tr("%1 %2", "what, and how many").arg(part->name, models::shortCountText(part->rows));
        const int wide = fontMetrics().horizontalAdvance(text);
        painter->drawText(
            QRect(right - wide, line.top(), wide + 1, line.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        right -= wide + kGrid + 2 * kGrid;
        painter->fillRect(QRect(right, line.center().y() - kGrid, 2 * kGrid, 2 * kGrid), barColorOf(part->token));
        right -= 3 * kGrid;
    }
    paintSignLegend(painter, line, right);
}

void TimeBars::paintSignLegend(QPainter *painter, const QRect &line, int right) const
{
    const std::array<bool, kTroubleParts> shown = signs();
    const int count = int(std::count(shown.cbegin(), shown.cend(), true));
    const QString text = tr("more than elsewhere");
    const int wide = fontMetrics().horizontalAdvance(text);
    int left = right - wide - kGrid - count * 2 * kSignStep;
    if (count == 0 || left < fontMetrics().horizontalAdvance(tr("max about %1")) + 8 * kGrid) {
        return;
    }
    painter->drawText(QRect(right - wide, line.top(), wide + 1, line.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    const auto parts = barPartsOf({});
    for (std::size_t part = 0; part < kTroubleParts; ++part) {
        if (shown.at(part)) {
            paintSign(
                painter, QRectF(left, line.center().y() - kSignSize / 2.0, kSignSize, kSignSize), parts.at(part).token);
            left += 2 * kSignStep;
        }
    }
}

void TimeBars::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !m_bars.isEmpty()) {
        m_dragging = true;
        mark(barAt(event->pos().x()), barAt(event->pos().x()));
    }
}

void TimeBars::mouseMoveEvent(QMouseEvent *event)
{
    if (m_dragging) {
        mark(m_from, barAt(event->pos().x()));
    }
}

void TimeBars::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_dragging) {
        m_dragging = false;
        emit rangeChosen(std::min(m_from, m_to), std::max(m_from, m_to));
    }
}

bool TimeBars::moveMark(const QKeyEvent &event)
{
    const int last = bars() - 1;
    int to = m_to < 0 ? last : m_to;
    switch (event.key()) {
    case Qt::Key_Left:
        to = m_to < 0 ? last : std::max(0, m_to - 1);
        break;
    case Qt::Key_Right:
        to = m_to < 0 ? 0 : std::min(last, m_to + 1);
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = last;
        break;
    default:
        return false;
    }
    const bool extend = event.modifiers().testFlag(Qt::ShiftModifier) && m_to >= 0;
    mark(extend ? m_from : to, to);
    return true;
}

void TimeBars::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (m_bars.isEmpty()) {
        QWidget::keyPressEvent(event);
    } else if (enter && m_to >= 0) {
        emit rangeChosen(std::min(m_from, m_to), std::max(m_from, m_to));
    } else if (event->key() == Qt::Key_Escape && m_to >= 0) {
        m_dragging = false;
        mark(-1, -1);
    } else if (!moveMark(*event)) {
        QWidget::keyPressEvent(event);
    }
}

void TimeBars::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

} // namespace idemdesk::ui
