// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help_page.h"

#include "ui/theme/theme.h"

#include <QTextBlock>
#include <QTextDocument>
#include <QTextFragment>
#include <QTextFrame>
#include <QTextTable>
#include <algorithm>

namespace idemdesk::ui {

namespace {

/// The longest text of each column, in characters: what its width goes by.
QList<int> columnLengths(const QTextTable *table)
{
    constexpr int kShortest = 10;
    constexpr int kLongest = 50;
    QList<int> lengths(table->columns(), kShortest);
    for (int row = 0; row < table->rows(); ++row) {
        for (int column = 0; column < table->columns(); ++column) {
            const QTextTableCell cell = table->cellAt(row, column);
            const int length = cell.lastCursorPosition().position() - cell.firstCursorPosition().position();
            lengths[column] = std::clamp(length, lengths.at(column), kLongest);
        }
    }
    return lengths;
}

/// Markdown's tables come without room between their cells, and as wide as their text.
void layOutTable(QTextTable *table)
{
    const QList<int> lengths = columnLengths(table);
    int together = 0;
    for (const int length : lengths) {
        together += length;
    }
    QList<QTextLength> widths;
    for (const int length : lengths) {
        widths += QTextLength(QTextLength::PercentageLength, 100.0 * length / together);
    }
    QTextTableFormat format = table->format();
    format.setTopMargin(kGrid);
    format.setBottomMargin(3 * kGrid);
    format.setCellPadding(1.5 * kGrid);
    format.setCellSpacing(0);
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(themeColor(Token::Border));
    format.setBorderCollapse(true);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    format.setColumnWidthConstraints(widths);
    table->setFormat(format);
    for (int column = 0; column < table->columns(); ++column) {
        QTextTableCell cell = table->cellAt(0, column);
        QTextTableCellFormat head = cell.format().toTableCellFormat();
        head.setBackground(themeColor(Token::AlternateBase));
        cell.setFormat(head);
        // Left, as the text below it is.
        QTextCursor cursor = cell.firstCursorPosition();
        QTextBlockFormat left = cursor.blockFormat();
        left.setAlignment(Qt::AlignLeft);
        cursor.setBlockFormat(left);
    }
}

void layOutTables(QTextFrame *frame)
{
    const QList<QTextFrame *> children = frame->childFrames();
    for (QTextFrame *child : children) {
        if (auto *table = qobject_cast<QTextTable *>(child)) {
            layOutTable(table);
        }
        layOutTables(child);
    }
}

/// Headings in the sizes of the window: Markdown's own are those of a book.
void styleHeading(QTextCursor cursor, const QTextBlock &block)
{
    QTextBlockFormat format = block.blockFormat();
    const bool first = format.headingLevel() == 1;
    format.setTopMargin(first ? 0 : 5 * kGrid);
    format.setBottomMargin(2 * kGrid);
    const int level = format.headingLevel();
    cursor.setPosition(block.position());
    cursor.setBlockFormat(format);
    cursor.setPosition(block.position() + block.length() - 1, QTextCursor::KeepAnchor);
    QTextCharFormat text;
    text.setFont(first ? Theme::title() : Theme::heading(), QTextCharFormat::FontPropertiesAll);
    cursor.setCharFormat(text);
    QTextBlockFormat kept = cursor.blockFormat();
    kept.setHeadingLevel(level);
    cursor.setBlockFormat(kept);
}

/// A line of an example: Markdown's indented code.
bool isCode(const QTextBlock &block)
{
    return block.isValid() && block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

/// Bold as the window's own headings are: the fonts have no heavier face.
void styleBold(QTextCursor cursor, const QTextBlock &block)
{
    QList<std::pair<int, int>> pieces;
    for (auto it = block.begin(); !it.atEnd(); ++it) {
        if (it.fragment().charFormat().fontWeight() >= QFont::Bold) {
            pieces.append({ it.fragment().position(), it.fragment().length() });
        }
    }
    QTextCharFormat bold;
    bold.setFontWeight(QFont::DemiBold);
    for (const auto &[at, length] : pieces) {
        cursor.setPosition(at);
        cursor.setPosition(at + length, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(bold);
    }
}

/// What stands as it would be typed: the window's own monospace font, on a ground of its own.
void styleCode(QTextCursor cursor, const QTextBlock &block)
{
    const bool whole = isCode(block);
    QList<std::pair<int, int>> pieces;
    for (auto it = block.begin(); !it.atEnd(); ++it) {
        const QTextFragment fragment = it.fragment();
        if (whole || fragment.charFormat().fontFixedPitch()) {
            pieces.append({ fragment.position(), fragment.length() });
        }
    }
    QFont typed = Theme::monospace();
    typed.setStyleStrategy(QFont::PreferNoShaping); // ">=" and "--" as they are typed, not as one sign
    QTextCharFormat code;
    code.setFont(typed, QTextCharFormat::FontPropertiesSpecifiedOnly);
    for (const auto &[at, length] : pieces) {
        cursor.setPosition(at);
        cursor.setPosition(at + length, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(code);
    }
    if (whole) {
        QTextBlockFormat format = block.blockFormat();
        format.setBackground(themeColor(Token::AlternateBase));
        format.setLeftMargin(2 * kGrid);
        format.setTopMargin(isCode(block.previous()) ? 0 : 2 * kGrid);
        format.setBottomMargin(isCode(block.next()) ? 0 : 2 * kGrid);
        format.setNonBreakableLines(false); // a long one wraps instead of making the page wider
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
}

} // namespace

void styleHelpPage(QTextDocument *page)
{
    page->setDocumentMargin(4 * kGrid);
    page->setIndentWidth(5 * kGrid); // of lists
    layOutTables(page->rootFrame());
    const QTextCursor cursor(page);
    for (QTextBlock block = page->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0) {
            styleHeading(cursor, block);
        } else {
            styleBold(cursor, block);
            styleCode(cursor, block);
        }
    }
}

} // namespace idemdesk::ui
