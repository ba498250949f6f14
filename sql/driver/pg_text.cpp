// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_text.h"

#include <QChar>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Length of the well-formed UTF-8 sequence at `at` (Unicode table 3-7), 0 if there is none.
int sequenceLength(const char *at, const char *end)
{
    const auto byte = [at](qsizetype i) { return static_cast<uchar>(at[i]); };
    const uchar lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    int length = 0;
    uchar low = 0x80;
    uchar high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        low = lead == 0xE0 ? 0xA0 : low;
        high = lead == 0xED ? 0x9F : high;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        low = lead == 0xF0 ? 0x90 : low;
        high = lead == 0xF4 ? 0x8F : high;
    }
    if (length == 0 || end - at < length || byte(1) < low || byte(1) > high) {
        return 0;
    }
    for (int i = 2; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

QString decodeDamaged(const char *bytes, qsizetype size)
{
    QString text;
    const char *at = bytes;
    const char *const end = at + size;
    const char *good = at;
    const auto takeGood = [&] { text += QString::fromUtf8(good, at - good); };
    while (at < end) {
        if (const int length = sequenceLength(at, end)) {
            at += length;
            continue;
        }
        takeGood();
        text += u"\\x"_s + QString::number(static_cast<uchar>(*at), 16).toUpper().rightJustified(2, u'0');
        good = ++at;
    }
    takeGood();
    return text;
}

bool needsEscape(QChar c)
{
    switch (c.category()) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return false;
    }
}

QString escapeOf(char32_t point)
{
    switch (point) {
    case U'\n':
        return u"\\n"_s;
    case U'\r':
        return u"\\r"_s;
    case U'\t':
        return u"\\t"_s;
    default:
        break;
    }
    const QString digits = QString::number(point, 16).toUpper();
    return point > 0xFFFF ? u"\\U"_s + digits.rightJustified(8, u'0') : u"\\u"_s + digits.rightJustified(4, u'0');
}

} // namespace

QString decodeText(const char *bytes, qsizetype size)
{
    QString text = QString::fromUtf8(bytes, size);
    // Only a replacement character tells that something may have been lost; the check is far cheaper than validating.
    return text.contains(QChar(QChar::ReplacementCharacter)) ? decodeDamaged(bytes, size) : text;
}

QString escapeControls(const QString &text)
{
    QString escaped;
    escaped.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (c.isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate()) {
            const char32_t point = QChar::surrogateToUcs4(c, text.at(i + 1));
            if (QChar::category(point) == QChar::Other_Format) { // tag characters, musical format controls
                escaped += escapeOf(point);
            } else {
                escaped += c;
                escaped += text.at(i + 1);
            }
            ++i;
        } else if (needsEscape(c)) {
            escaped += escapeOf(c.unicode());
        } else {
            escaped += c;
        }
    }
    return escaped;
}

} // namespace idemdesk::sql
