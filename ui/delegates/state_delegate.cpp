// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/state_delegate.h"

#include "models/keys/key_table_model.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kPadding = 6;
constexpr int kShape = 9; // pixels, the shape's square

void paintShape(QPainter *painter, const QRectF &box, const Badge &badge, const QColor &color)
{
    painter->setPen(QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    if (badge.stale) {
        painter->setBrush(color);
        painter->drawPolygon(QPolygonF { { box.center().x(), box.top() }, box.bottomRight(), box.bottomLeft() });
        return;
    }
    switch (badge.state) {
    case sql::KeyState::Pending:
        painter->drawEllipse(box);
        break;
    case sql::KeyState::InProgress:
        painter->drawEllipse(box);
        painter->setBrush(color);
        painter->drawPie(box, 90 * 16, -180 * 16);
        break;
    case sql::KeyState::Succeeded:
        painter->drawPolyline(QPolygonF { { box.left(), box.center().y() },
            { box.left() + box.width() * 0.38, box.bottom() - 1 }, { box.right(), box.top() + 1 } });
        break;
    case sql::KeyState::FailedRetryable:
        painter->drawArc(box, 40 * 16, 280 * 16);
        painter->drawLine(QPointF(box.right(), box.top()), QPointF(box.right(), box.top() + box.height() * 0.45));
        break;
    case sql::KeyState::FailedFinal:
        painter->drawLine(box.topLeft(), box.bottomRight());
        painter->drawLine(box.topRight(), box.bottomLeft());
        break;
    case sql::KeyState::Unknown: {
        QFont font = painter->font();
        font.setBold(true);
        painter->setFont(font);
        painter->drawText(box.adjusted(-2, -3, 2, 3), Qt::AlignCenter, u"?"_s);
        break;
    }
    }
}

} // namespace

void paintBadgeSign(QPainter *painter, const QRectF &box, const Badge &badge)
{
    paintShape(painter, box, badge, themeColor(badge.token()));
}

int badgeWidth(const Badge &badge, const QFont &font)
{
    return QFontMetrics(font).horizontalAdvance(badge.text) + kShape + 3 * kPadding;
}

QRect badgeRoom(const QRect &cell)
{
    return cell.adjusted(kCellPadding, 0, -kGrid, 0);
}

void paintBadge(QPainter *painter, const QRect &rect, const Badge &badge, const QFont &font, const QColor &background)
{
    const QFontMetrics metrics(font);
    const QColor color = themeColor(badge.token());
    const int height = std::min(rect.height() - 4, metrics.height() + 4);
    const int whole = badgeWidth(badge, font);
    const int width = std::min(whole, rect.width());
    const QRectF frame(rect.left() + 0.5, rect.center().y() - height / 2 + 0.5, width - 1, height - 1);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(font);
    // An expired row keeps its text's contrast; fill and frame give way.
    painter->setPen(QPen(badgeFrame(color, background, badge.expired ? 0.30 : 0.55, themeScheme()), 1,
        badge.expired ? Qt::DashLine : Qt::SolidLine));
    painter->setBrush(badge.expired ? QBrush(background) : QBrush(badgeFill(color, background, themeScheme())));
    painter->drawRoundedRect(frame, 4, 4);
    const QRectF shape(frame.left() + kPadding, frame.center().y() - kShape / 2.0, kShape, kShape);
    paintShape(painter, shape, badge, color);
    painter->setFont(font);
    painter->setPen(color);
    const QRectF textRect(
        shape.right() + kPadding, frame.top(), frame.right() - shape.right() - kPadding - 3, frame.height());
    painter->drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft,
        width == whole ? badge.text // measured already
                       : metrics.elidedText(badge.text, Qt::ElideRight, static_cast<int>(textRect.width())));
    painter->restore();
}

void StateDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (!index.data(models::StateRole).isValid() && !index.data().toString().isEmpty()) {
        CellDelegate::paint(painter, option, index); // a word that is no state
        return;
    }
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString text = item.text;
    item.text.clear();
    item.icon = {};
    const QStyle *style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    const QVariant state = index.data(models::KeyTableModel::StateRole);
    if (!state.isValid() || text.isEmpty()) {
        return;
    }
    const Badge badge { text, static_cast<sql::KeyState>(state.toInt()),
        index.data(models::KeyTableModel::StaleRole).toBool(),
        index.data(models::KeyTableModel::ExpiredRole).toBool() };
    // On the selection the badge keeps a ground of its own, so that its colours stay legible.
    paintBadge(painter, badgeRoom(item.rect), badge, item.font, themeColor(Token::Base));
}

QSize StateDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize plain = CellDelegate::sizeHint(option, index);
    const Badge badge { index.data().toString() };
    return { badgeWidth(badge, option.font) + kCellPadding + 2 * kGrid, plain.height() };
}

} // namespace idemdesk::ui
