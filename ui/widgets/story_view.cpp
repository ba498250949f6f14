// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/story_view.h"

#include "models/keys/story_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/story_scale_view.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kTimeWidth = 148;
constexpr int kLineAt = kTimeWidth + 12;
constexpr int kTextAt = kLineAt + 16;
constexpr int kTop = 6;
constexpr int kMostTextLines = 6; // of one part, a doubt has four: longer texts are in the record

/// What stands right of the line: title and detail, each wrapped to the width there is. The tooltip says the source.
struct Part {
    QString text;
    bool title = false;
};

bool isSilence(const QModelIndex &index)
{
    return index.data(models::StoryModel::KindRole).toInt() == int(models::StoryEvent::Kind::Silence);
}

QList<Part> partsOf(const QModelIndex &index)
{
    QList<Part> parts { { index.data(models::StoryModel::TitleRole).toString(), !isSilence(index) } };
    if (const QString text = index.data(models::StoryModel::DetailRole).toString(); !text.isEmpty()) {
        parts.append({ text, false });
    }
    return parts;
}

QFont fontOf(const Part &part, QFont font)
{
    font.setWeight(part.title ? QFont::DemiBold : QFont::Normal);
    return font;
}

/// Lays the part out in the width, at word boundaries where it can; gives its height.
qreal layOut(QTextLayout &layout, const Part &part, const QFont &font, int width)
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.setFont(fontOf(part, font));
    layout.setText(part.text);
    qreal height = 0;
    layout.beginLayout();
    for (int number = 0; number < kMostTextLines; ++number) {
        QTextLine line = layout.createLine();
        if (!line.isValid()) {
            break;
        }
        line.setLineWidth(std::max(width, 40));
        line.setPosition({ 0, height });
        height += line.height();
    }
    layout.endLayout();
    return height;
}

int textWidth(int rowWidth)
{
    return rowWidth - kTextAt - 2 * kGrid;
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
    setResizeMode(QListView::Adjust); // heights follow the width
    setWordWrap(true); // else a list from top to bottom is laid out anew only where its height changes
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::SingleSelection);
}

QSize StoryDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const int width = view != nullptr ? view->viewport()->width() : option.rect.width();
    qreal height = 0;
    for (const Part &part : partsOf(index)) {
        QTextLayout layout;
        height += layOut(layout, part, option.font, textWidth(width));
    }
    const int least = (isSilence(index) ? 1 : 2) * option.fontMetrics.lineSpacing();
    return { 200, std::max(static_cast<int>(std::ceil(height)), least) + 2 * kTop };
}

void StoryDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text.clear();
    const QStyle *style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    painter->save();
    paintLine(painter, option, index);
    paintTexts(painter, option, index);
    painter->restore();
}

void StoryDelegate::paintLine(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const bool future = index.data(models::StoryModel::FutureRole).toBool();
    const QRect &rect = option.rect;
    const int x = rect.left() + kLineAt;
    const int y = rect.top() + kTop + option.fontMetrics.lineSpacing() / 2;
    painter->setRenderHint(QPainter::Antialiasing);
    const bool silence = isSilence(index);
    painter->setPen(QPen(themeColor(Token::Border), 2, future || silence ? Qt::DotLine : Qt::SolidLine));
    painter->drawLine(
        x, index.row() == 0 ? y : rect.top(), x, index.row() + 1 == index.model()->rowCount() ? y : rect.bottom());
    if (silence) {
        return;
    }
    paintStorySign(painter, QPointF(x, y),
        static_cast<models::StoryEvent::Kind>(index.data(models::StoryModel::KindRole).toInt()), future);
}

void StoryDelegate::paintTexts(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QPalette::ColorGroup group
        = option.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
    const QColor text = selected ? option.palette.color(group, QPalette::HighlightedText) : themeColor(Token::Text);
    const QColor muted = selected ? text : themeColor(Token::MutedText);
    const QRect &rect = option.rect;
    const int lineHeight = option.fontMetrics.lineSpacing();

    painter->setFont(option.font);
    const QRect times(rect.left() + 2 * kGrid, rect.top() + kTop, kTimeWidth - 2 * kGrid, lineHeight);
    painter->setPen(text);
    painter->drawText(times, Qt::AlignLeft | Qt::AlignTop, index.data(models::StoryModel::TimeTextRole).toString());
    painter->setPen(muted);
    painter->drawText(times.translated(0, lineHeight), Qt::AlignLeft | Qt::AlignTop,
        index.data(models::StoryModel::AgeTextRole).toString());

    const int width = textWidth(rect.width());
    QPointF place(rect.left() + kTextAt, rect.top() + kTop);
    for (const Part &part : partsOf(index)) {
        QTextLayout layout;
        const qreal height = layOut(layout, part, option.font, width);
        painter->setPen(part.title ? text : muted);
        layout.draw(painter, place);
        place.ry() += height;
    }
}

} // namespace idemdesk::ui
