// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/diff_delegate.h"

#include "models/compare/json_diff_model.h"
#include "models/diff/text_diff.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::DiffStatus;
using models::JsonDiffModel;

namespace {

constexpr double kLine = 0.16; ///< share of the colour in a line's ground
constexpr double kMark = 0.45; ///< and behind the characters that differ

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
        return { true, index.data(JsonDiffModel::FormOnlyRole).toBool() ? Token::Pending : Token::Warning, u"≠"_s };
    case DiffStatus::Moved:
        return { true, Token::Accent, u"↕"_s };
    default:
        return {};
    }
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
    if (index.data(JsonDiffModel::IgnoredRole).toBool() || line) {
        option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
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
    const auto spans = first || index.column() == m_columns.second
        ? index.data(JsonDiffModel::SpansRole).value<QList<models::TextSpan>>()
        : QList<models::TextSpan>();
    if (spans.isEmpty()) {
        CompactDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
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
                range.format.setBackground(mixed(themeColor(Token::Base), themeColor(lookOf(index).token), kMark));
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
}

} // namespace idemdesk::ui
