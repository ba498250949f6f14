// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format/display_text.h"

#include "models/format/quantities.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// Characters that change how their neighbours look, or that cannot be seen.
bool hidden(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format: // bidi marks and isolates, zero-width joiners, the byte order mark, tags
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    case QChar::Separator_Space:
        return c != U' ';
    default:
        break;
    }
    // Blank or joining although their category is a letter or a mark: Hangul fillers, the grapheme joiner, variation
    // selectors.
    return c == 0x034F || c == 0x115F || c == 0x1160 || c == 0x17B4 || c == 0x17B5 || c == 0x2800 || c == 0x3164
        || c == 0xFFA0 || c == 0xFFFC || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
}

void appendEscape(QString &out, char32_t c)
{
    switch (c) {
    case U'\n':
        out += "\\n"_L1;
        return;
    case U'\r':
        out += "\\r"_L1;
        return;
    case U'\t':
        out += "\\t"_L1;
        return;
    default:
        break;
    }
    const bool wide = c > 0xFFFF;
    out += wide ? "\\U"_L1 : "\\u"_L1;
    out += QString::number(uint(c), 16).toUpper().rightJustified(wide ? 8 : 4, u'0');
}

struct CodePoint {
    char32_t value;
    int units;
};

CodePoint at(const QString &text, qsizetype index)
{
    const QChar first = text.at(index);
    if (first.isHighSurrogate() && index + 1 < text.size() && text.at(index + 1).isLowSurrogate()) {
        return { QChar::surrogateToUcs4(first, text.at(index + 1)), 2 };
    }
    return { first.unicode(), 1 };
}

QString escaped(const QString &text, qsizetype maxChars, bool keepBreaks)
{
    QString out;
    out.reserve(qMin(text.size(), maxChars) + 16);
    for (qsizetype i = 0; i < text.size();) {
        if (out.size() >= maxChars) {
            out += u'…';
            return out;
        }
        const CodePoint point = at(text, i);
        if (hidden(point.value) && !(keepBreaks && (point.value == U'\n' || point.value == U'\t'))) {
            appendEscape(out, point.value);
        } else {
            out += QStringView(text).mid(i, point.units);
        }
        i += point.units;
    }
    return out;
}

} // namespace

QString displayText(const QString &text, qsizetype maxChars)
{
    return escaped(text, maxChars, false);
}

QString displayBlock(const QString &text)
{
    return escaped(text, std::numeric_limits<qsizetype>::max() / 4, true);
}

bool hasHiddenCharacters(const QString &text)
{
    for (qsizetype i = 0; i < text.size();) {
        const CodePoint point = at(text, i);
        if (hidden(point.value)) {
            return true;
        }
        i += point.units;
    }
    return false;
}

QString middleElided(const QString &text, qsizetype maxChars)
{
    if (text.size() <= maxChars) {
        return text;
    }
    if (maxChars <= 1) {
        return maxChars == 1 ? u"…"_s : QString();
    }
    qsizetype head = maxChars / 2;
    qsizetype tail = maxChars - 1 - head;
    if (head > 0 && text.at(head - 1).isHighSurrogate()) {
        --head;
    }
    if (tail > 0 && text.at(text.size() - tail).isLowSurrogate()) {
        --tail;
    }
    return text.left(head) + u'…' + text.right(tail);
}

QString cellText(const sql::Cell &cell, qsizetype maxChars)
{
    if (cell.failed()) {
        return displayText(cell.error, maxChars);
    }
    if (cell.null) {
        return {};
    }
    QString text = displayText(cell.text, maxChars);
    if (cell.partial() && !text.endsWith(u'…')) {
        text += u'…';
    }
    return text;
}

QString cellToolTip(const sql::Cell &cell)
{
    if (cell.failed()) {
        return Tr::tr("This value could not be read: %1").arg(displayText(cell.error, kToolTipChars));
    }
    if (cell.null) {
        return Tr::tr("No value (NULL)");
    }
    if (cell.text.isEmpty()) {
        return Tr::tr("Empty text");
    }
    const QString text = displayText(cell.text, kToolTipChars);
    return cell.partial() ? Tr::tr("%1\n(the beginning of %2)").arg(text, bytesText(cell.fullBytes)) : text;
}

} // namespace idemdesk::models
