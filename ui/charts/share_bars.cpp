// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/share_bars.h"

#include "models/format/quantities.h"
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
        texts += tr("%1: %2", "scope, numbers").arg(bar.name, bar.text);
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
            PlainToolTips::show(help->globalPos(), m_bars.at(number).name + u'\n' + m_bars.at(number).text, this);
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
        paintBar(&painter, i, { 0, (i + 1) * lineHeight(), width(), lineHeight() });
    }
}

/// Of the parts that occur.
void ShareBars::paintLegend(QPainter *painter) const
{
    int left = 0;
    for (int part = 0; part < m_parts.size(); ++part) {
        const double rows = sum(part);
        if (rows <= 0) {
            continue;
        }
        const QString text = tr("%1 %2", "what, and how many").arg(m_parts.at(part).name, models::shortCountText(rows));
        painter->fillRect(
            QRect(left, lineHeight() / 2 - kGrid, 2 * kGrid, 2 * kGrid), themeColor(m_parts.at(part).token));
        left += 3 * kGrid;
        painter->setPen(themeColor(Token::MutedText));
        const int wide = fontMetrics().horizontalAdvance(text);
        painter->drawText(QRect(left, 0, wide + 1, lineHeight()), Qt::AlignLeft | Qt::AlignVCenter, text);
        left += wide + 5 * kGrid;
    }
}

void ShareBars::paintBar(QPainter *painter, int number, const QRect &line) const
{
    const Bar &bar = m_bars.at(number);
    const int names = std::min(kShareNames, line.width() / 4);
    const int texts = std::min(kShareTexts, line.width() / 3);
    painter->setPen(themeColor(Token::Text));
    painter->drawText(QRect(line.left(), line.top(), names - 2 * kGrid, line.height()),
        Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(bar.name, Qt::ElideMiddle, names - 2 * kGrid));
    const QRect track(names, line.center().y() - kShareBar / 2, line.width() - names - texts - 6 * kGrid, kShareBar);
    const QList<int> widths = partWidths(bar.parts, track.width());
    int left = track.left();
    for (int part = 0; part < m_parts.size(); ++part) {
        if (const int wide = widths.value(part); wide > 0) {
            painter->fillRect(QRect(left, track.top(), wide, track.height()), themeColor(m_parts.at(part).token));
            left += wide + 1;
        }
    }
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(QRect(line.right() - texts, line.top(), texts, line.height()), Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(bar.text, Qt::ElideRight, texts));
}

} // namespace idemdesk::ui
