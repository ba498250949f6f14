// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/expiry_bars.h"

#include "models/format/quantities.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_tool_tips.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kExpiryHeight = 132; // pixels, at texts of the usual size
constexpr int kLeastExpiryWidth = 240;
constexpr int kCrowdSign = 7; // pixels
constexpr int kCrowdWidth = 3; // of a minute's own bar
constexpr double kExpiryPart = 0.55; // of the accent in a bar

void paintCrowdSign(QPainter *painter, const QRectF &place)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(themeColor(Token::Stale));
    painter->drawPolygon(
        QPolygonF { { place.bottomLeft(), QPointF(place.center().x(), place.top()), place.bottomRight() } });
    painter->restore();
}

} // namespace

ExpiryBars::ExpiryBars(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(u"expiryBars"_s);
    setAccessibleName(tr("When entries expire"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ExpiryBars::setPicture(const models::ExpiryPicture &picture)
{
    m_picture = picture;
    mark(-1);
    updateGeometry();
}

QSize ExpiryBars::sizeHint() const
{
    return { Theme::scaled(kLeastExpiryWidth), Theme::scaled(kExpiryHeight) }; // and whatever more there is
}

QSize ExpiryBars::minimumSizeHint() const
{
    return sizeHint();
}

int ExpiryBars::axisWidth() const
{
    return fontMetrics().horizontalAdvance(models::countText(m_picture.top)) + kGrid;
}

QRect ExpiryBars::plot() const
{
    const int line = fontMetrics().height();
    const int beyond = m_picture.beyond.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_picture.beyond) + 3 * kGrid;
    return rect().adjusted(kGrid + axisWidth(), line + 2 * kGrid, -2 * kGrid - beyond, -line - 2 * kGrid);
}

QRect ExpiryBars::barRect(int bar) const
{
    const QRect place = plot();
    const int count = std::max(1, bars());
    const int left = place.left() + place.width() * bar / count;
    return { left, place.top(), place.left() + place.width() * (bar + 1) / count - left, place.height() };
}

void ExpiryBars::mark(int bar)
{
    m_marked = bar;
    setAccessibleDescription(
        bar >= 0 ? m_picture.bars.at(bar).text : m_picture.text + u' ' + tr("The arrow keys read each bar."));
    QAccessibleEvent told(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&told);
    update();
}

bool ExpiryBars::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        for (int bar = 0; bar < bars(); ++bar) {
            if (barRect(bar).contains(help->pos())) {
                PlainToolTips::show(help->globalPos(), m_picture.bars.at(bar).text, this, barRect(bar));
            }
        }
        return true;
    }
    return QWidget::event(event);
}

void ExpiryBars::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRect place = plot();
    paintHead(&painter);
    if (bars() > 0) {
        if (m_marked >= 0) {
            painter.fillRect(barRect(m_marked), themeColor(Token::Selection));
        }
        paintAxis(&painter, place);
        paintBars(&painter, place);
        paintCrowds(&painter, place);
        paintTicks(&painter, place);
    }
    if (hasFocus()) {
        drawFocusRing(&painter, rect(), kRadius);
    }
}

/// What is drawn, or what the marked bar holds; and what the sign means, where there is one.
void ExpiryBars::paintHead(QPainter *painter) const
{
    const QRect line(kGrid, kGrid / 2, width() - 3 * kGrid, fontMetrics().height());
    if (m_marked >= 0) {
        painter->setPen(themeColor(Token::Text));
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(m_picture.bars.at(m_marked).text, Qt::ElideRight, line.width()));
        return;
    }
    int room = line.width();
    if (const auto crowds = m_picture.crowds.size(); crowds > 0) {
        painter->setPen(themeColor(Token::Text));
        const QString text
            = crowds == 1 ? m_picture.crowds.constFirst().text : tr("%Ln crowded minute(s)", nullptr, int(crowds));
        const int wide = fontMetrics().horizontalAdvance(text);
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, text);
        const int left = line.right() - wide - kCrowdSign - kGrid;
        paintCrowdSign(painter, QRectF(left, line.center().y() - kCrowdSign / 2.0, kCrowdSign, kCrowdSign));
        room = left - line.left() - kGrid;
    }
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(tr("Entries by expiry"), Qt::ElideRight, room));
}

void ExpiryBars::paintAxis(QPainter *painter, const QRect &plot) const
{
    const int line = fontMetrics().height();
    const auto level = [&](qint64 entries, int y) {
        painter->setPen(themeColor(Token::Border));
        painter->drawLine(plot.left(), y, plot.right(), y);
        painter->setPen(themeColor(Token::MutedText));
        painter->drawText(QRect(0, y - line / 2, plot.left() - kGrid, line), Qt::AlignRight | Qt::AlignVCenter,
            models::countText(entries));
    };
    level(m_picture.top, plot.top() + kCrowdSign + 1);
    level(0, plot.bottom());
}

/// At equal distances, as many as have room.
void ExpiryBars::paintTicks(QPainter *painter, const QRect &plot) const
{
    int widest = 1;
    for (const QString &text : m_picture.ticks) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(text));
    }
    int step = 1;
    while (step < bars() && plot.width() * step / bars() < widest + 2 * kGrid) {
        ++step;
    }
    painter->setPen(themeColor(Token::MutedText));
    const QRect line(0, plot.bottom() + kGrid, width(), fontMetrics().height());
    for (int tick = 0; tick <= bars(); tick += step) {
        const int x = tick < bars() ? barRect(tick).left() : plot.right();
        const int left = std::clamp(x - widest / 2, 0, std::max(0, width() - widest - 1));
        painter->fillRect(QRect(x, plot.bottom(), 1, kGrid / 2), themeColor(Token::ControlBorder));
        painter->drawText(
            QRect(left, line.top(), widest + 1, line.height()), Qt::AlignCenter, m_picture.ticks.at(tick));
    }
    if (!m_picture.beyond.isEmpty()) {
        painter->drawText(
            QRect(plot.right(), plot.bottom() - line.height(), width() - plot.right() - kGrid, line.height()),
            Qt::AlignRight | Qt::AlignVCenter, m_picture.beyond);
    }
}

/// One entry among thousands is still seen.
void ExpiryBars::paintBars(QPainter *painter, const QRect &plot) const
{
    const double most = double(m_picture.top);
    const int room = plot.height() - kCrowdSign - 2;
    for (int i = 0; i < bars() && most > 0; ++i) {
        const auto &bar = m_picture.bars.at(i);
        if (bar.entries <= 0) {
            continue;
        }
        const QRect place = barRect(i).adjusted(0, 0, barRect(i).width() > 3 ? -1 : 0, 0);
        const int height = std::max(1, int(std::lround(double(bar.entries) / most * room)));
        painter->fillRect(QRect(place.left(), plot.bottom() - height, place.width(), height),
            mixed(themeColor(Token::Window), themeColor(Token::Accent), kExpiryPart));
    }
}

/// A crowded minute as high as its own entries, and a triangle above it: not all of its span is in trouble.
void ExpiryBars::paintCrowds(QPainter *painter, const QRect &plot) const
{
    const double most = double(m_picture.top);
    const int room = plot.height() - kCrowdSign - 2;
    for (const auto &crowd : m_picture.crowds) {
        if (crowd.at < 0 || crowd.at > bars() || most <= 0) {
            continue;
        }
        const int x = plot.left() + int(std::lround(plot.width() * crowd.at / bars()));
        const int height = std::max(1, int(std::lround(double(crowd.entries) / most * room)));
        painter->fillRect(
            QRect(x - kCrowdWidth / 2, plot.bottom() - height, kCrowdWidth, height), themeColor(Token::Stale));
        paintCrowdSign(painter,
            QRectF(x + 0.5 - kCrowdSign / 2.0, plot.bottom() - height - kCrowdSign - 1, kCrowdSign, kCrowdSign));
    }
}

void ExpiryBars::keyPressEvent(QKeyEvent *event)
{
    const int last = bars() - 1;
    if (last >= 0 && event->key() == Qt::Key_Left) {
        mark(m_marked < 0 ? last : std::max(0, m_marked - 1));
    } else if (last >= 0 && event->key() == Qt::Key_Right) {
        mark(std::min(last, m_marked + 1));
    } else if (last >= 0 && event->key() == Qt::Key_Home) {
        mark(0);
    } else if (last >= 0 && event->key() == Qt::Key_End) {
        mark(last);
    } else if (event->key() == Qt::Key_Escape && m_marked >= 0) {
        mark(-1);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void ExpiryBars::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void ExpiryBars::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    mark(-1);
}

} // namespace idemdesk::ui
