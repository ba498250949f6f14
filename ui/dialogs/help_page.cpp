// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help_page.h"

#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFragment>
#include <QTextFrame>
#include <QTextList>
#include <QTextTable>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr qsizetype kShortestMark = 2; // characters; of a letter a page is full
constexpr qsizetype kMostMarks = 500;
constexpr int kListIndent = 2 * kGrid; // of the signs of lists, from the text's edge

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
        head.setBackground(themeColor(Token::GroupHead));
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

/// What stands as it would be typed: the window's own monospace font.
QTextCharFormat typedFormat()
{
    QFont typed = Theme::monospace();
    typed.setStyleStrategy(QFont::PreferNoShaping); // ">=" and "--" as they are typed, not as one sign
    QTextCharFormat code;
    code.setFont(typed, QTextCharFormat::FontPropertiesSpecifiedOnly);
    return code;
}

void styleTyped(QTextCursor cursor, const QTextBlock &block)
{
    QList<std::pair<int, int>> pieces;
    for (auto it = block.begin(); !it.atEnd(); ++it) {
        const QTextFragment fragment = it.fragment();
        if (fragment.charFormat().fontFixedPitch()) {
            pieces.append({ fragment.position(), fragment.length() });
        }
    }
    for (const auto &[at, length] : pieces) {
        cursor.setPosition(at);
        cursor.setPosition(at + length, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(typedFormat());
    }
}

/// Lines of one example, from the first character to the end of the last line.
struct HelpExample {
    int from = 0;
    int to = 0;
};

QList<HelpExample> examplesOf(const QTextDocument *page)
{
    QList<HelpExample> examples;
    for (QTextBlock block = page->begin(); block.isValid(); block = block.next()) {
        if (isCode(block)) {
            const int end = block.position() + block.length() - 1;
            if (!examples.isEmpty() && isCode(block.previous())) {
                examples.last().to = end;
            } else {
                examples.append({ block.position(), end });
            }
        }
    }
    return examples;
}

/// Examples stand on a ground of their own with a line around. Of all that a text holds only tables have one.
void boxExample(QTextDocument *page, const HelpExample &example)
{
    QTextCursor cursor(page);
    cursor.setPosition(example.from);
    cursor.setPosition(example.to, QTextCursor::KeepAnchor);
    const QString lines = cursor.selectedText();
    cursor.removeSelectedText();
    cursor.setBlockFormat(QTextBlockFormat());
    QTextTableFormat format;
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(themeColor(Token::Border));
    format.setBorderCollapse(true);
    format.setCellPadding(2 * kGrid);
    format.setCellSpacing(0);
    format.setTopMargin(kGrid);
    format.setBottomMargin(3 * kGrid);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    QTextTableCell cell = cursor.insertTable(1, 1, format)->cellAt(0, 0);
    QTextTableCellFormat ground = cell.format().toTableCellFormat();
    ground.setBackground(themeColor(Token::Sunken));
    cell.setFormat(ground);
    cell.firstCursorPosition().insertText(lines, typedFormat());
}

/// Signs of lists begin in one line, whether they are dots or numbers.
void styleListLine(QTextCursor cursor, const QTextBlock &block)
{
    const QTextList *list = block.textList();
    const QFontMetrics metrics(block.document()->defaultFont());
    const bool numbered = list->format().style() == QTextListFormat::ListDecimal;
    // Qt puts a sign a blank left of the text; a dot is a third of a line wide.
    int more = 0;
    if (numbered) {
        more = metrics.horizontalAdvance(list->itemText(list->item(list->count() - 1))) - metrics.lineSpacing() / 3;
    }
    QTextBlockFormat format = block.blockFormat();
    format.setLeftMargin(std::max(0, more));
    cursor.setPosition(block.position());
    cursor.setBlockFormat(format);
}

} // namespace

void styleHelpPage(QTextDocument *page)
{
    page->setDocumentMargin(4 * kGrid);
    const QFontMetrics metrics(page->defaultFont());
    page->setIndentWidth(kListIndent + metrics.lineSpacing() / 3 + metrics.horizontalAdvance(u' '));
    layOutTables(page->rootFrame());
    const QTextCursor cursor(page);
    for (QTextBlock block = page->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0) {
            styleHeading(cursor, block);
        } else if (!isCode(block)) {
            styleBold(cursor, block);
            styleTyped(cursor, block);
            if (block.textList() != nullptr) {
                styleListLine(cursor, block);
            }
        }
    }
    const QList<HelpExample> examples = examplesOf(page);
    for (auto example = examples.crbegin(); example != examples.crend(); ++example) { // places before stay
        boxExample(page, *example);
    }
}

QList<QTextEdit::ExtraSelection> helpMarks(QTextDocument *page, const QString &words)
{
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    format.setBackground(badgeFill(themeColor(Token::Warning), themeColor(Token::Base), themeScheme()));
    format.setUnderlineStyle(QTextCharFormat::SingleUnderline); // not by the ground's colour alone
    format.setUnderlineColor(themeColor(Token::Warning));
    const QStringList wanted = words.simplified().split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : wanted) {
        if (word.size() < kShortestMark) {
            continue;
        }
        // As the search ranks them: a word that begins so, before one that only holds it.
        const QRegularExpression start(
            u"\\b"_s + QRegularExpression::escape(word), QRegularExpression::CaseInsensitiveOption);
        const QRegularExpression anywhere(QRegularExpression::escape(word), QRegularExpression::CaseInsensitiveOption);
        const QRegularExpression &wantedAt = page->find(start).isNull() ? anywhere : start;
        for (QTextCursor at = page->find(wantedAt); !at.isNull() && marks.size() < kMostMarks;
             at = page->find(wantedAt, at)) {
            marks.append({ at, format });
        }
    }
    return marks;
}

} // namespace idemdesk::ui
