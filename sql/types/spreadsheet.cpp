// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/spreadsheet.h"

#include <QChar>

namespace idemdesk::sql {

namespace {

/// The character at `at`, which moves on behind it; 0 where the bytes are no UTF-8.
char32_t nextCharacter(const char *text, qsizetype size, qsizetype *at)
{
    const auto byte = [&](qsizetype i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte((*at)++);
    const int more = first < 0x80       ? 0
        : first >= 0xC2 && first < 0xE0 ? 1
        : first >= 0xE0 && first < 0xF0 ? 2
        : first >= 0xF0 && first < 0xF5 ? 3
                                        : -1;
    if (more < 0 || *at + more > size) {
        return 0;
    }
    char32_t character = more == 0 ? first : first & (0x3FU >> more);
    for (int i = 0; i < more; ++i) {
        if ((byte(*at + i) & 0xC0U) != 0x80U) {
            return 0;
        }
        character = (character << 6) | (byte(*at + i) & 0x3FU);
    }
    *at += more;
    return character;
}

/// Nothing of it is seen, or a spreadsheet leaves it out: blanks, control and format characters, quotes, bytes that are
/// no text.
bool isPassedOver(char32_t character)
{
    switch (QChar::category(character)) {
    case QChar::Separator_Space:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Mark_NonSpacing:
    case QChar::Mark_Enclosing:
    case QChar::Punctuation_InitialQuote:
    case QChar::Punctuation_FinalQuote:
        return true;
    default:
        break;
    }
    switch (character) {
    case U'"':
    case U'\'':
    case U'`':
    case 0x201A: // low quotes
    case 0x201E:
    case 0x115F: // fillers of Hangul, which are letters without a shape
    case 0x1160:
    case 0x3164:
    case 0xFFA0:
    case 0xFF02: // wide quotes
    case 0xFF07:
    case 0x2800: // a pattern of Braille without dots
        return true;
    default:
        return false;
    }
}

bool beginsFormula(char32_t character)
{
    switch (character) {
    case U'=':
    case U'+':
    case U'-':
    case U'@':
    case U'|':
    case U'%':
    case 0xFF1D: // the wide forms
    case 0xFF0B:
    case 0xFF0D:
    case 0xFF20:
    case 0xFF5C:
    case 0xFF05:
    case 0xFE66: // the small forms
    case 0xFE62:
    case 0xFE63:
    case 0xFE6B:
    case 0xFE6A:
    case 0x2212: // minus
        return true;
    default:
        return false;
    }
}

} // namespace

bool isFormula(const char *text, qsizetype size)
{
    if (size > 0 && (text[0] == '\t' || text[0] == '\r' || text[0] == '\n')) {
        return true; // some take what follows for a cell of its own
    }
    for (qsizetype at = 0; at < size;) {
        const char32_t character = nextCharacter(text, size, &at);
        if (!isPassedOver(character)) {
            return beginsFormula(character);
        }
    }
    return false;
}

QString neutralCell(const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    return isFormula(bytes.constData(), bytes.size()) ? u'\'' + text : text;
}

void appendCsvCell(QByteArray &out, const char *text, qsizetype size, bool number)
{
    bool quote = size == 0;
    for (qsizetype i = 0; i < size && !quote; ++i) {
        const char c = text[i];
        quote = c == '"' || c == ',' || c == ';' || c == '\n' || c == '\r';
    }
    const bool formula = !number && isFormula(text, size);
    if (!quote) {
        if (formula) {
            out += '\'';
        }
        out.append(text, size);
        return;
    }
    out += '"';
    if (formula) {
        out += '\'';
    }
    for (qsizetype i = 0; i < size; ++i) {
        if (text[i] == '"') {
            out += '"';
        }
        out += text[i];
    }
    out += '"';
}

} // namespace idemdesk::sql
