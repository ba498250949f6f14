// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/table_delegates.h"

#include "ui/charts/sparkline.h"
#include "ui/pages/incident/state_share.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_tool_tips.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// In the selected row, too: one fact has one look.
void beQuiet(QStyleOptionViewItem *option)
{
    for (const QPalette::ColorRole role : { QPalette::Text, QPalette::HighlightedText }) {
        option->palette.setColor(role, themeColor(Token::MutedText));
    }
}

constexpr int kBarHeight = 14; // pixels
constexpr int kLeastShare = 16; // pixels with the gap: its pattern is told from the others, and a mouse hits it
constexpr int kBarGap = 2;

/// The ground, selection and focus of a cell, without its text.
void paintGround(QPainter *painter, const QStyleOptionViewItem &option, QStyleOptionViewItem item)
{
    item.text.clear();
    item.icon = {};
    const QStyle *style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, option.widget);
}

/// A triangle and how many, in the colour of danger.
void paintAlerts(QPainter *painter, const QRect &place, const QString &alerts, const QFont &font)
{
    const int side = QFontMetrics(font).height() * 2 / 3;
    const QRectF sign(place.left(), place.center().y() - side / 2.0 + 1, side, side);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(themeColor(Token::Danger));
    painter->drawPolygon(
        QPolygonF { { sign.bottomLeft(), QPointF(sign.center().x(), sign.top()), sign.bottomRight() } });
    painter->setFont(font);
    painter->setPen(themeColor(Token::Danger));
    painter->drawText(place.adjusted(side + kGrid, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, alerts);
    painter->restore();
}

struct BarSection {
    QRectF place;
    models::StateShare share;
};

/// Each part by its number; what is too small for the eye is made wider, and all that are larger give the room.
QList<double> shareWidths(const QList<models::StateShare> &shares, double room)
{
    const double least = std::min<double>(kLeastShare, room / double(std::max<qsizetype>(1, shares.size())));
    double total = 0;
    for (const models::StateShare &share : shares) {
        total += double(share.count.rows);
    }
    QList<double> widths(shares.size(), 0.0);
    for (bool again = true; again;) { // what one is given may leave another too small
        again = false;
        for (qsizetype i = 0; i < shares.size(); ++i) {
            const auto rows = double(shares.at(i).count.rows);
            if (widths.at(i) == 0 && room * rows < least * total) {
                widths[i] = least;
                room -= least;
                total -= rows;
                again = true;
            }
        }
    }
    for (qsizetype i = 0; i < shares.size(); ++i) {
        if (widths.at(i) == 0) {
            widths[i] = room * double(shares.at(i).count.rows) / total;
        }
    }
    return widths;
}

QList<BarSection> partsOf(const QRect &cell, const QModelIndex &index)
{
    const auto shares = index.data(models::SharesRole).value<QList<models::StateShare>>();
    const QRectF bar(
        cell.left() + kCellPadding, cell.center().y() - kBarHeight / 2.0, cell.width() - 2 * kCellPadding, kBarHeight);
    const QList<double> widths = shareWidths(shares, bar.width());
    QList<BarSection> parts;
    double left = bar.left();
    for (qsizetype i = 0; i < shares.size(); ++i) {
        parts.append({ QRectF(left, bar.top(), std::max(1.0, widths.at(i) - kBarGap), bar.height()), shares.at(i) });
        left += widths.at(i);
    }
    return parts;
}

const BarSection *partAt(const QList<BarSection> &parts, const QPoint &place)
{
    for (const BarSection &part : parts) {
        if (place.x() >= part.place.left() && place.x() <= part.place.right() + kBarGap) {
            return &part;
        }
    }
    return nullptr;
}

} // namespace

void TableTitleDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    paintGround(painter, option, item);
    const QRect text = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    const QFont strong = Theme::heading();
    const QFontMetrics metrics(option.font);
    const QFontMetrics strongMetrics(strong);
    const int height = metrics.height() + strongMetrics.height();
    const int top = text.center().y() - height / 2 + 1;
    painter->save();
    painter->setFont(strong);
    painter->setPen(themeColor(Token::Text));
    QString alerts = index.data(models::AlertsRole).toString();
    const auto wide = [&metrics](const QString &said) {
        return said.isEmpty() ? 0 : metrics.horizontalAdvance(said) + metrics.height() + 2 * kGrid;
    };
    if (strongMetrics.horizontalAdvance(item.text) + wide(alerts) > text.width()) {
        alerts = alerts.section(u' ', 0, 0); // the title is what one looks for
    }
    const int beside = wide(alerts);
    const int room = text.width() - beside;
    painter->drawText(QRect(text.left(), top, room, strongMetrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
        strongMetrics.elidedText(item.text, Qt::ElideMiddle, room));
    if (beside > 0) {
        paintAlerts(painter, QRect(text.right() - beside + 2 * kGrid, top, beside, strongMetrics.height()), alerts,
            option.font);
    }
    const bool failed = !index.data(models::ErrorRole).toString().isEmpty();
    painter->setFont(option.font);
    painter->setPen(themeColor(failed ? Token::Danger : Token::MutedText));
    painter->drawText(QRect(text.left(), top + strongMetrics.height(), text.width(), metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(index.data(models::DetailRole).toString(), Qt::ElideMiddle, text.width()));
    painter->restore();
}

void StateBarDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    paintGround(painter, option, item);
    const QList<BarSection> parts = partsOf(option.rect, index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (!parts.isEmpty()) {
        QPainterPath shape;
        shape.addRoundedRect(parts.first().place.united(parts.last().place), 3, 3);
        painter->setClipPath(shape);
    }
    for (const BarSection &part : parts) {
        paintShare(painter, part.place, part.share.state);
    }
    painter->restore();
}

bool StateBarDelegate::helpEvent(
    QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const QList<BarSection> parts = partsOf(option.rect, index);
    const BarSection *part = event->type() == QEvent::ToolTip ? partAt(parts, event->pos()) : nullptr;
    if (part == nullptr) {
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    }
    QStringList lines { part->share.text };
    for (const BarSection &other : parts) {
        if (other.share.text != part->share.text) {
            lines += other.share.text;
        }
    }
    PlainToolTips::show(event->globalPos(), lines.join(u'\n'), view);
    return true;
}

bool StateBarDelegate::editorEvent(
    QEvent *event, QAbstractItemModel *, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    if (event->type() != QEvent::MouseButtonRelease || static_cast<QMouseEvent *>(event)->button() != Qt::LeftButton) {
        return false;
    }
    const QList<BarSection> parts = partsOf(option.rect, index);
    if (const BarSection *part = partAt(parts, static_cast<QMouseEvent *>(event)->position().toPoint())) {
        emit shareClicked(index, part->share.filter);
    }
    return true;
}

void QuietNumberDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->font = Theme::figures(option->font);
    beQuiet(option);
}

void FigureDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->font = Theme::figures(option->font);
    const QString &text = option->text;
    if (text == u"–" || text == u"0" || text.startsWith(u"0 ")) { // of bytes, with their unit
        beQuiet(option);
    }
}

void DayDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const auto day = index.data(models::DayRole).value<sql::HistoryValues>();
    if (day.isEmpty()) {
        item.palette.setColor(QPalette::Text, themeColor(Token::MutedText));
        const QStyle *style = option.widget != nullptr ? option.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &item, painter, option.widget);
        return;
    }
    paintGround(painter, option, item);
    const int inset = option.rect.height() / 4;
    paintSparkline(painter, QRectF(option.rect).adjusted(kCellPadding, inset, -kCellPadding - 2, -inset), day,
        themeColor(Token::Stale));
}

} // namespace idemdesk::ui
