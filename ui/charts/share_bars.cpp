// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/share_bars.h"

#include "models/format/quantities.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_tool_tips.h"

#include <QHelpEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kShareNames = 190; // pixels at most, for the names
constexpr int kShareTexts = 300; // and for the numbers
constexpr int kShareBar = 10; // high
constexpr int kShareSizes = 80; // for how large each is
constexpr int kLeastSize = 3; // pixels: even one row is seen
constexpr double kSizeOpacity = 0.3;
constexpr double kPalePart = 0.22; // of its colour

double rowsOf(const ShareBars::Bar &bar)
{
    return std::accumulate(bar.parts.cbegin(), bar.parts.cend(), 0.0);
}

/// Pixels of each part, which fill the room with a pixel between two. A handful among millions is still seen: the
/// largest part gives what it takes.
QList<int> partWidths(const QList<double> &parts, int room)
{
    const double sum = std::accumulate(parts.cbegin(), parts.cend(), 0.0);
    QList<int> widths(parts.size(), 0);
    if (sum <= 0) {
        return widths;
    }
    const auto seen = std::count_if(parts.cbegin(), parts.cend(), [](double part) { return part > 0; });
    int left = room - int(seen) + 1;
    const int pixels = left;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        widths[i] = parts.at(i) > 0 ? std::max(2, int(std::round(parts.at(i) / sum * pixels))) : 0;
        left -= widths.at(i);
    }
    *std::max_element(widths.begin(), widths.end()) += left;
    return widths;
}

} // namespace

ShareBars::ShareBars(const QString &name, const QList<Part> &parts, QWidget *parent)
    : QWidget(parent)
    , m_parts(parts)
{
    setObjectName(u"shareBars"_s);
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ShareBars::setBars(const QList<Bar> &bars, const QList<double> &sums)
{
    m_bars = bars;
    m_sums = sums;
    QStringList texts;
    for (const Bar &bar : bars) {
        const QString size = bar.size.isEmpty() ? QString() : u"%1 %2, "_s.arg(m_titles.size, bar.size);
        texts += tr("%1: %2", "scope, numbers").arg(bar.name, size + bar.text);
    }
    setAccessibleDescription(texts.join(u"; "_s));
    updateGeometry();
    update();
}

double ShareBars::sum(int part) const
{
    return m_sums.isEmpty() ? std::accumulate(m_bars.cbegin(), m_bars.cend(), 0.0,
               [part](double all, const Bar &bar) { return all + bar.parts.value(part); })
                            : m_sums.value(part);
}

int ShareBars::lineHeight() const
{
    return fontMetrics().height() + kGrid;
}

QRect ShareBars::lineOf(int number) const
{
    return { 0, (number + 1) * lineHeight(), width(), lineHeight() };
}

ShareBars::Columns ShareBars::columnsOf(const QRect &line) const
{
    const bool sized = std::any_of(m_bars.cbegin(), m_bars.cend(), [](const Bar &bar) { return !bar.size.isEmpty(); });
    const int names = std::min(kShareNames, line.width() / 4);
    const int sizes = sized ? Theme::scaled(kShareSizes) : 0;
    const int texts = std::min(kShareTexts, line.width() / 3);
    const int track = line.left() + names + (sized ? sizes + 4 * kGrid : 0);
    Columns columns;
    columns.name = QRect(line.left(), line.top(), names - 2 * kGrid, line.height());
    columns.size = QRect(line.left() + names, line.top(), sizes, line.height());
    columns.text = QRect(line.right() - texts, line.top(), texts, line.height());
    columns.track = QRect(
        track, line.center().y() - kShareBar / 2, std::max(0, columns.text.left() - 4 * kGrid - track), kShareBar);
    return columns;
}

QSize ShareBars::sizeHint() const
{
    return { 2 * kShareNames, m_bars.isEmpty() ? 0 : (int(m_bars.size()) + 1) * lineHeight() };
}

bool ShareBars::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int number = help->pos().y() / lineHeight() - 1;
        if (number >= 0 && number < m_bars.size()) {
            const Bar &bar = m_bars.at(number);
            const QString size = bar.size.isEmpty() ? QString() : u"%1 %2\n"_s.arg(m_titles.size, bar.size);
            PlainToolTips::show(help->globalPos(), bar.name + u'\n' + size + bar.text, this);
        }
        return true;
    }
    return QWidget::event(event);
}

void ShareBars::paintEvent(QPaintEvent *)
{
    if (m_bars.isEmpty()) {
        return;
    }
    QPainter painter(this);
    paintLegend(&painter);
    for (int i = 0; i < m_bars.size(); ++i) {
        paintBar(&painter, m_bars.at(i), lineOf(i));
    }
}

/// Of the parts that occur: over the bars, with the titles of the columns before it, where the line has the room.
void ShareBars::paintLegend(QPainter *painter) const
{
    QList<std::pair<QString, int>> entries;
    int wide = 0;
    for (int part = 0; part < m_parts.size(); ++part) {
        if (const double rows = sum(part); rows > 0) {
            const QString text
                = tr("%1 %2", "what, and how many").arg(m_parts.at(part).name, models::shortCountText(rows));
            entries.append({ text, part });
            wide += fontMetrics().horizontalAdvance(text) + 8 * kGrid;
        }
    }
    const QRect line = lineOf(-1);
    const Columns columns = columnsOf(line);
    int left = columns.track.left();
    painter->setPen(themeColor(Token::MutedText));
    if (columns.size.isEmpty() || left + wide - 5 * kGrid > line.right()) {
        left = line.left();
    } else {
        painter->drawText(columns.name, Qt::AlignLeft | Qt::AlignVCenter, m_titles.name);
        painter->drawText(columns.size, Qt::AlignLeft | Qt::AlignVCenter, m_titles.size);
    }
    for (const auto &[text, part] : std::as_const(entries)) {
        paintPart(painter, QRect(left, lineHeight() / 2 - kGrid, 2 * kGrid, 2 * kGrid), part);
        left += 3 * kGrid;
        const int room = fontMetrics().horizontalAdvance(text);
        painter->drawText(QRect(left, 0, room + 1, lineHeight()), Qt::AlignLeft | Qt::AlignVCenter, text);
        left += room + 5 * kGrid;
    }
}

void ShareBars::paintPart(QPainter *painter, const QRect &place, int part) const
{
    const Part &shown = m_parts.at(part);
    const QColor color = themeColor(shown.token);
    if (shown.pale) {
        drawPanel(painter, place, mixed(themeColor(Token::Window), color, kPalePart), color, 0);
    } else {
        painter->fillRect(place, QBrush(color, shown.hatched ? Qt::BDiagPattern : Qt::SolidPattern));
    }
}

int ShareBars::digitsWidth() const
{
    const QFontMetrics metrics(Theme::figures(font()));
    int wide = 0;
    for (const Bar &bar : m_bars) {
        wide = std::max(wide, metrics.horizontalAdvance(bar.size));
    }
    return wide;
}

/// The number beside a bar, which grows by the square root, for scopes differ by thousands of times.
void ShareBars::paintSize(QPainter *painter, const Bar &bar, const QRect &place) const
{
    if (bar.size.isEmpty()) {
        return;
    }
    double most = 1;
    for (const Bar &each : m_bars) {
        most = std::max(most, rowsOf(each));
    }
    const int digits = std::min(digitsWidth(), place.width());
    const int room = std::max(0, place.width() - digits - kGrid);
    const int wide = std::max(kLeastSize, int(std::round(std::sqrt(rowsOf(bar) / most) * room)));
    painter->save();
    painter->setFont(Theme::figures(font()));
    painter->setPen(themeColor(Token::Text));
    painter->drawText(
        QRect(place.left(), place.top(), digits + 1, place.height()), Qt::AlignRight | Qt::AlignVCenter, bar.size);
    painter->setOpacity(kSizeOpacity);
    drawPanel(painter, QRect(place.left() + digits + kGrid, place.top() + 2, wide, place.height() - 4),
        themeColor(Token::Accent), {}, 3);
    painter->restore();
}

void ShareBars::paintBar(QPainter *painter, const Bar &bar, const QRect &line) const
{
    const Columns columns = columnsOf(line);
    painter->setPen(themeColor(Token::Text));
    painter->drawText(columns.name, Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(bar.name, Qt::ElideMiddle, columns.name.width()));
    paintSize(painter, bar, columns.size);
    const QList<int> widths = partWidths(bar.parts, columns.track.width());
    int left = columns.track.left();
    QList<int> order;
    for (int part = 0; part < m_parts.size(); ++part) {
        order.insert(m_parts.at(part).hatched ? std::min<qsizetype>(1, order.size()) : order.size(), part);
    }
    for (const int part : std::as_const(order)) {
        if (const int wide = widths.value(part); wide > 0) {
            paintPart(painter, QRect(left, columns.track.top(), wide, columns.track.height()), part);
            left += wide + 1;
        }
    }
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(columns.text, Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(bar.text, Qt::ElideRight, columns.text.width()));
}

} // namespace idemdesk::ui
