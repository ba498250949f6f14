// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/record_delegate.h"

#include "models/keys/record_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QTableView>
#include <QTextLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kMostRecordLines = 4; // of one value
constexpr qsizetype kMostChars = 600; // that are laid out; more would not be seen
constexpr qsizetype kReferenceChars = 16; // a word so long is a key, a hash or an id
constexpr int kLinePadding = 5; // pixels, above and below a value
constexpr int kCopySize = 16; // pixels

bool isReference(const QString &text)
{
    return text.size() >= kReferenceChars && !text.contains(u' ');
}

QFont valueFont(const QModelIndex &value, const QFont &font)
{
    if (!isReference(value.data().toString())) {
        return font;
    }
    QFont mono = Theme::monospace();
    mono.setPointSizeF(font.pointSizeF() > 0 ? font.pointSizeF() : mono.pointSizeF());
    return mono;
}

int captionHeight(const QModelIndex &index, const QFont &font)
{
    return index.data(models::TitleRole).isValid() ? QFontMetrics(font).height() + 3 * kGrid : 0;
}

/// The lines of a value; where there are more, the last one ends with "…".
QStringList linesOf(const QString &text, const QFont &font, int width)
{
    QTextLayout layout(text.left(kMostChars), font);
    QTextOption wrap;
    // A key is one word: broken at a hyphen it reads like two.
    wrap.setWrapMode(isReference(text) ? QTextOption::WrapAnywhere : QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(wrap);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(1, width));
        if (lines.size() == kMostRecordLines - 1) {
            lines += QFontMetrics(font).elidedText(text.mid(line.textStart(), kMostChars), Qt::ElideRight, width);
            break;
        }
        lines += text.mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return lines.isEmpty() ? QStringList { QString() } : lines;
}

/// Where a value is written: what is left of its column.
int valueWidth(int column)
{
    return column - kCellPadding - kCopySize - 3 * kGrid;
}

QRect copyRect(const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const int top = option.rect.top() + captionHeight(index, option.font) + kLinePadding;
    return { option.rect.right() - kCopySize - 2 * kGrid, top, kCopySize, kCopySize };
}

/// The name of a group, over both columns: each cell paints its part.
void paintCaption(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index, int height)
{
    const auto *table = qobject_cast<const QTableView *>(option.widget);
    const int left = table != nullptr ? table->columnViewportPosition(models::RecordModel::Name) : option.rect.left();
    const QRect place(option.rect.left(), option.rect.top(), option.rect.width(), height);
    painter->save();
    painter->setClipRect(place, Qt::IntersectClip);
    painter->fillRect(place, themeColor(Token::Base)); // a selection is of the line alone
    if (index.row() > 0) {
        painter->setPen(themeColor(Token::Border));
        painter->drawLine(place.left(), place.top() + kGrid, place.right(), place.top() + kGrid);
    }
    painter->setFont(Theme::heading());
    painter->setPen(themeColor(Token::Text));
    painter->drawText(
        QRect(left + kCellPadding, place.top() + 2 * kGrid, option.rect.right() + 1 - left, height - 2 * kGrid),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, index.data(models::TitleRole).toString());
    painter->restore();
}

} // namespace

QSize CompactDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return { QStyledItemDelegate::sizeHint(option, index).width(), Theme::scaled(kCompactRowHeight) };
}

int RecordDelegate::heightOf(const QModelIndex &value, int width, const QFont &font)
{
    const QFont written = valueFont(value, font);
    const auto lines = linesOf(value.data().toString(), written, valueWidth(width)).size();
    return captionHeight(value, font) + int(lines) * QFontMetrics(written).height() + 2 * kLinePadding;
}

void RecordDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    cell.text.clear();
    const int caption = captionHeight(index, option.font);
    cell.rect.setTop(cell.rect.top() + caption); // what is selected is the line, not the name of its group
    (cell.widget != nullptr ? cell.widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    painter->save();
    if (caption > 0) {
        paintCaption(painter, option, index, caption);
    }
    painter->setFont(cell.font);
    painter->setPen(cell.palette.color(QPalette::Text));
    const QFontMetrics metrics(cell.font);
    QRect line(cell.rect.left() + kCellPadding, cell.rect.top() + kLinePadding, 0, metrics.height());
    if (index.column() == models::RecordModel::Value) {
        line.setWidth(valueWidth(cell.rect.width()));
        for (const QString &part : linesOf(text, cell.font, line.width())) {
            painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, part);
            line.translate(0, metrics.height());
        }
        const bool near
            = option.state.testFlag(QStyle::State_MouseOver) || option.state.testFlag(QStyle::State_Selected);
        if (near && index.data(models::RawRole).isValid()) {
            themedIcon(u"copy"_s, Token::MutedText).paint(painter, copyRect(option, index));
        }
    } else {
        line.setWidth(cell.rect.width() - kCellPadding - kGrid);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
            metrics.elidedText(text, Qt::ElideMiddle, line.width()));
    }
    painter->restore();
}

bool RecordDelegate::editorEvent(
    QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    if (event->type() == QEvent::MouseButtonRelease && index.column() == models::RecordModel::Value) {
        const auto *click = static_cast<const QMouseEvent *>(event);
        if (click->button() == Qt::LeftButton
            && copyRect(option, index).adjusted(-kGrid, -kGrid, kGrid, kGrid).contains(click->position().toPoint())) {
            emit copyClicked(index);
            return true;
        }
    }
    return CompactDelegate::editorEvent(event, model, option, index);
}

void RecordDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    CompactDelegate::initStyleOption(option, index);
    const bool raw = index.data(models::RecordModel::SectionRole).toInt() == 1;
    switch (index.column()) {
    case models::RecordModel::Name:
        option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
        if (raw) {
            option->font = Theme::monospace();
        }
        break;
    case models::RecordModel::Value:
        option->font = valueFont(index, option->font);
        if (index.data(models::RecordModel::FailedRole).toBool()) {
            option->palette.setColor(QPalette::Text, themeColor(Token::Danger));
        } else if (index.data(models::RecordModel::NullRole).toBool()) {
            option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
            option->font.setItalic(true);
        }
        break;
    default:
        option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
        break;
    }
    option->fontMetrics = QFontMetrics(option->font);
}

} // namespace idemdesk::ui
