// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/story_view.h"

#include "models/keys/story_model.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kTimeWidth = 148;
constexpr int kLineAt = kTimeWidth + 12;
constexpr int kTextAt = kLineAt + 16;

Token tokenFor(models::StoryEvent::Kind kind)
{
    using Kind = models::StoryEvent::Kind;
    switch (kind) {
    case Kind::Created:
        return Token::Pending;
    case Kind::Claimed:
    case Kind::Heartbeat:
    case Kind::Updated:
        return Token::InProgress;
    case Kind::LeaseEnds:
    case Kind::Expires:
        return Token::Stale;
    case Kind::Completed:
    case Kind::Effect:
        return Token::Succeeded;
    case Kind::EffectMissing:
        return Token::FailedRetryable;
    case Kind::EffectUnreadable:
        return Token::Unknown;
    case Kind::Now:
        return Token::Accent;
    }
    return Token::Pending;
}

int lines(const QModelIndex &index)
{
    int count = 1;
    for (const int role : { models::StoryModel::DetailRole, models::StoryModel::SourceRole }) {
        count += index.data(role).toString().isEmpty() ? 0 : 1;
    }
    return std::max(count, 2);
}

} // namespace

StoryView::StoryView(QWidget *parent)
    : QListView(parent)
{
    setObjectName(u"storyView"_s);
    setAccessibleName(tr("Story of the key"));
    setItemDelegate(new StoryDelegate(this));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::SingleSelection);
}

QSize StoryDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return { 200, lines(index) * (option.fontMetrics.height() + 1) + 3 * kGrid };
}

void StoryDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text.clear();
    const QStyle *style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool active = option.state.testFlag(QStyle::State_Active);
    const QPalette::ColorGroup group = active ? QPalette::Active : QPalette::Inactive;
    const QColor text = selected ? option.palette.color(group, QPalette::HighlightedText) : themeColor(Token::Text);
    const QColor muted = selected ? text : themeColor(Token::MutedText);
    const auto kind = static_cast<models::StoryEvent::Kind>(index.data(models::StoryModel::KindRole).toInt());
    const bool future = index.data(models::StoryModel::FutureRole).toBool();
    const QColor mark = themeColor(tokenFor(kind));
    const QRect rect = option.rect;
    const QFontMetrics &metrics = option.fontMetrics;
    const int lineHeight = metrics.height() + 1;
    const int top = rect.top() + kGrid + kGrid / 2;

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(themeColor(Token::Border), 2, future ? Qt::DotLine : Qt::SolidLine));
    const int x = rect.left() + kLineAt;
    painter->drawLine(x, index.row() == 0 ? top + lineHeight / 2 : rect.top(), x,
        index.row() + 1 == index.model()->rowCount() ? top + lineHeight / 2 : rect.bottom());
    painter->setPen(QPen(mark, 2));
    painter->setBrush(future ? QBrush(themeColor(Token::Base)) : QBrush(mark));
    painter->drawEllipse(QPointF(x, top + lineHeight / 2.0), 4.5, 4.5);

    const auto line = [&](int left, int width, int number, const QString &value, const QColor &color, bool bold) {
        QFont font = option.font;
        font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        painter->setPen(color);
        painter->drawText(QRect(left, top + number * lineHeight, width, lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(font).elidedText(value, Qt::ElideRight, width));
    };
    const int left = rect.left() + 2 * kGrid;
    line(left, kTimeWidth - 2 * kGrid, 0, index.data(models::StoryModel::TimeTextRole).toString(), text, false);
    line(left, kTimeWidth - 2 * kGrid, 1, index.data(models::StoryModel::AgeTextRole).toString(), muted, false);
    const int width = rect.right() - rect.left() - kTextAt - kGrid;
    int number = 0;
    line(rect.left() + kTextAt, width, number++, index.data(models::StoryModel::TitleRole).toString(), text, true);
    for (const int role : { models::StoryModel::DetailRole, models::StoryModel::SourceRole }) {
        const QString value = index.data(role).toString();
        if (!value.isEmpty()) {
            line(rect.left() + kTextAt, width, number++, value, muted, false);
        }
    }
    painter->restore();
}

} // namespace idemdesk::ui
