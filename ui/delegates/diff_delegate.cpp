// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/diff_delegate.h"

#include "models/compare/json_diff_model.h"
#include "models/diff/text_diff.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::DiffStatus;
using models::JsonDiffModel;

namespace {

constexpr double kLine = 0.16; ///< share of the colour in a line's ground
constexpr double kMark = 0.45; ///< and behind the characters that differ, at most
constexpr double kMarkStep = 0.05;
constexpr double kReadable = 4.5; ///< contrast of text (WCAG AA)
constexpr int kNoteGap = 4 * kGrid;

struct Look {
    bool tinted = false;
    Token token = Token::MutedText;
    QString sign; ///< on the side that has the line
};

Look lookOf(const QModelIndex &index)
{
    if (index.data(JsonDiffModel::IgnoredRole).toBool()) {
        return {};
    }
    switch (static_cast<DiffStatus>(index.data(JsonDiffModel::StatusRole).toInt())) {
    case DiffStatus::Added:
        return { true, Token::Succeeded, u"+"_s };
    case DiffStatus::Removed:
        return { true, Token::FailedFinal, u"−"_s };
    case DiffStatus::Changed:
        return index.data(JsonDiffModel::FormOnlyRole).toBool() ? Look { true, Token::Pending, u"≈"_s }
                                                                : Look { true, Token::Warning, u"≠"_s };
    case DiffStatus::Moved:
        return { true, Token::Accent, u"↕"_s };
    case DiffStatus::Within:
        return { false, Token::MutedText, index.data(JsonDiffModel::FormOnlyRole).toBool() ? u"≈"_s : QString() };
    default:
        return {};
    }
}

/// As strong as the text on it can still be read.
QColor markColor(const QColor &text, Token token)
{
    const QColor base = themeColor(Token::Base);
    double part = kMark;
    while (part > kMarkStep && contrast(text, mixed(base, themeColor(token), part)) < kReadable) {
        part -= kMarkStep;
    }
    return mixed(base, themeColor(token), part);
}

/// Several unchanged lines in one row: a dashed line on both sides of what it says, and a click opens it.
void paintFold(QPainter *painter, QStyleOptionViewItem cell)
{
    const QString text = std::exchange(cell.text, {});
    (cell.widget != nullptr ? cell.widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const QRect area = cell.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    const int end = area.left() + cell.fontMetrics.horizontalAdvance(text) + kNoteGap;
    painter->save();
    painter->setFont(cell.font);
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, text);
    painter->setPen(QPen(themeColor(Token::ControlBorder), 1, Qt::DashLine));
    if (end < area.right()) {
        painter->drawLine(end, area.center().y(), area.right(), area.center().y());
    }
    painter->restore();
}

/// Muted at the cell's end, where the text leaves it room.
void paintNote(QPainter *painter, const QStyleOptionViewItem &cell, const QString &text, const QString &note)
{
    const QFont font = cell.widget != nullptr ? cell.widget->font() : cell.font;
    const QRect area = cell.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    const int used = cell.fontMetrics.horizontalAdvance(text) + kNoteGap;
    if (note.isEmpty() || used + QFontMetrics(font).horizontalAdvance(note) > area.width()) {
        return; // a screen reader tells it, and so does the tree
    }
    painter->save();
    painter->setFont(font);
    painter->setPen(
        cell.palette.color(cell.state.testFlag(QStyle::State_Selected) ? QPalette::HighlightedText : QPalette::Text));
    painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, note);
    painter->restore();
}

} // namespace

DiffDelegate::DiffDelegate(const Columns &columns, QObject *parent)
    : CompactDelegate(parent)
    , m_columns(columns)
{
}

void DiffDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    CompactDelegate::initStyleOption(option, index);
    const int column = index.column();
    const bool ofFirst = column == m_columns.first || column == m_columns.firstLine;
    const bool ofSecond = column == m_columns.second || column == m_columns.secondLine;
    const bool line = column == m_columns.firstLine || column == m_columns.secondLine;
    const Look look = lookOf(index);
    if (ofFirst || ofSecond) {
        option->font = Theme::monospace();
        option->fontMetrics = QFontMetrics(option->font);
    }
    const bool within = column == m_columns.difference && !look.tinted;
    if (index.data(JsonDiffModel::IgnoredRole).toBool() || line || within) {
        option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
    }
    if (column == m_columns.difference && !look.sign.isEmpty()) {
        option->text = look.sign + u' ' + option->text;
    }
    const bool absent = (look.token == Token::Succeeded && ofFirst) || (look.token == Token::FailedFinal && ofSecond);
    if (look.tinted && (ofFirst || ofSecond) && !absent) {
        option->backgroundBrush = mixed(themeColor(Token::Base), themeColor(look.token), kLine);
        if (line && !option->text.isEmpty()) {
            option->text = look.sign + u' ' + option->text;
        }
    }
}

void DiffDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool first = index.column() == m_columns.first;
    if (index.data(JsonDiffModel::FoldedRole).toBool()) {
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        paintFold(painter, cell);
        return;
    }
    const auto spans = first || index.column() == m_columns.second
        ? index.data(JsonDiffModel::SpansRole).value<QList<models::TextSpan>>()
        : QList<models::TextSpan>();
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    if (spans.isEmpty()) {
        CompactDelegate::paint(painter, option, index);
        paintNote(painter, cell, cell.text, index.data(JsonDiffModel::DetailRole).toString());
        return;
    }
    QStyle *style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
    const QRect place = style->subElementRect(QStyle::SE_ItemViewItemText, &cell, cell.widget);
    const QString text = cell.text;
    cell.text.clear();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const bool selected = cell.state.testFlag(QStyle::State_Selected);
    QList<QTextLayout::FormatRange> formats;
    for (const models::TextSpan &span : spans) {
        const qsizetype length = first ? span.aLength : span.bLength;
        if (!span.same && length > 0) {
            QTextLayout::FormatRange range;
            range.start = int(first ? span.a : span.b);
            range.length = int(length);
            range.format.setFontUnderline(true); // the selection's colour hides any ground
            if (!selected) {
                range.format.setBackground(markColor(cell.palette.color(QPalette::Text), lookOf(index).token));
            }
            formats += range;
        }
    }
    QTextLayout layout(text, cell.font);
    QTextOption one(Qt::AlignLeft | Qt::AlignVCenter);
    one.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(one);
    layout.setFormats(formats);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    painter->save();
    painter->setClipRect(place);
    painter->setPen(cell.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
    layout.draw(painter,
        { qreal(place.left() + style->pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, cell.widget) + 1),
            place.top() + (place.height() - layout.boundingRect().height()) / 2 });
    painter->restore();
    paintNote(painter, cell, text, index.data(JsonDiffModel::DetailRole).toString());
}

} // namespace idemdesk::ui
