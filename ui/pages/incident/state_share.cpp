// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/state_share.h"

#include "models/overview/summary_cells.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSwatch = 10; // pixels
constexpr int kBetweenItems = 4 * kGrid;

struct ShareLook {
    double strength; ///< of the colour in the ground
    Qt::BrushStyle pattern; ///< over it, in the full colour
};

ShareLook lookOf(const std::optional<sql::KeyState> &state)
{
    if (!state) { // stuck
        return { 0.35, Qt::BDiagPattern };
    }
    switch (*state) {
    case sql::KeyState::Pending:
        return { 0.10, Qt::NoBrush };
    case sql::KeyState::InProgress:
        return { 0.65, Qt::NoBrush };
    case sql::KeyState::Succeeded:
        return { 0.35, Qt::NoBrush };
    case sql::KeyState::FailedRetryable:
        return { 0.25, Qt::VerPattern };
    case sql::KeyState::FailedFinal:
        break;
    case sql::KeyState::Unknown:
        return { 0.25, Qt::DiagCrossPattern };
    }
    return { 1, Qt::NoBrush };
}

/// The order of the bars.
constexpr models::SummaryColumn kLegendOrder[] = { models::SummaryColumn::Stale, models::SummaryColumn::FailedFinal,
    models::SummaryColumn::FailedRetryable, models::SummaryColumn::Unknown, models::SummaryColumn::InProgress,
    models::SummaryColumn::Pending, models::SummaryColumn::Succeeded };

} // namespace

void paintShare(QPainter *painter, const QRectF &place, const std::optional<sql::KeyState> &state)
{
    const QColor color = themeColor(state ? tokenOf(*state, false) : Token::Stale);
    const ShareLook look = lookOf(state);
    painter->save();
    painter->fillRect(place, mixed(themeColor(Token::Base), color, look.strength));
    if (look.pattern != Qt::NoBrush) {
        painter->fillRect(place, QBrush(color, look.pattern));
    }
    if (look.strength < 0.3
        || isStrong(themeScheme())) { // what is pale needs an edge, and who asked for contrast gets one around all
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(color, 1));
        painter->drawRect(place.toRect().adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

QSize shareIconSize()
{
    return { kSwatch + kGrid, kSwatch };
}

QIcon shareIcon(const std::optional<sql::KeyState> &state, qreal ratio)
{
    QPixmap square(shareIconSize() * ratio);
    square.setDevicePixelRatio(ratio);
    square.fill(Qt::transparent);
    QPainter painter(&square);
    paintShare(&painter, QRectF(0, 0, kSwatch, kSwatch), state);
    return QIcon(square);
}

StateLegend::StateLegend(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(u"tableLegend"_s);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void StateLegend::setShares(const QList<models::StateShare> &shares)
{
    QList<Item> items;
    for (const models::SummaryColumn column : kLegendOrder) {
        const std::optional<sql::KeyState> state = models::summaryState(column);
        if (std::any_of(shares.cbegin(), shares.cend(),
                [&state](const models::StateShare &share) { return share.state == state; })) {
            items.append({ state, models::summaryTitle(column) });
        }
    }
    if (items == m_items) {
        return;
    }
    m_items = items;
    QStringList texts;
    for (const Item &item : std::as_const(m_items)) {
        texts += item.text;
    }
    setAccessibleName(tr("States in the bars: %1").arg(texts.join(u", "_s)));
    updateGeometry();
    update();
}

/// From the left on; a further line where one is full.
QList<QRect> StateLegend::places(int width) const
{
    const QFontMetrics metrics(font());
    QList<QRect> places;
    QPoint at;
    for (const Item &item : m_items) {
        const int needed = kSwatch + kGrid + 2 + metrics.horizontalAdvance(item.text);
        if (at.x() > 0 && at.x() + needed > width) {
            at = { 0, at.y() + metrics.height() + kGrid };
        }
        places.append({ at, QSize(needed, metrics.height()) });
        at.rx() += needed + kBetweenItems;
    }
    return places;
}

int StateLegend::heightForWidth(int width) const
{
    const QList<QRect> all = places(width);
    return all.isEmpty() ? 0 : all.constLast().bottom() + 1;
}

QSize StateLegend::sizeHint() const
{
    const QList<QRect> all = places(QWIDGETSIZE_MAX);
    return all.isEmpty() ? QSize() : QSize(all.constLast().right() + 1, all.constLast().height());
}

QSize StateLegend::minimumSizeHint() const
{
    return { 0, sizeHint().height() };
}

void StateLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QList<QRect> all = places(width());
    for (qsizetype i = 0; i < all.size(); ++i) {
        const QRect &place = all.at(i);
        paintShare(&painter, QRectF(place.left(), place.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch),
            m_items.at(i).state);
        painter.setPen(themeColor(Token::MutedText));
        painter.drawText(
            place.adjusted(kSwatch + kGrid + 2, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_items.at(i).text);
    }
}

} // namespace idemdesk::ui
