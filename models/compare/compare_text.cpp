// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/compare_text.h"

#include "models/diff/diff_words.h"
#include "models/format/display_text.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kIndent = 2;
constexpr int kMostIndented = 32; ///< deeper levels stay there: 10,000 would leave no room for the text

/// Where two texts are to be shown from: their beginning, or shortly before a first difference that a cell
/// would cut off.
template <typename View> qsizetype windowStart(View first, View second, qsizetype maxChars)
{
    const qsizetype before = maxChars / 4;
    if (first.isEmpty() || second.isEmpty() || std::max(first.size(), second.size()) <= maxChars) {
        return 0;
    }
    const auto differ = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
    const qsizetype start = qsizetype(differ.first - first.begin()) - before;
    return differ.first == first.end() && differ.second == second.end() ? 0 : start > before ? start : 0;
}

QString shownFrom(QStringView text, qsizetype start, qsizetype maxChars)
{
    start -= start > 0 && text[start].isLowSurrogate() ? 1 : 0;
    const QString part = text.sliced(start, std::min(text.size() - start, maxChars + 1)).toString();
    return displayText((start > 0 ? u"…"_s : QString()) + part, maxChars);
}

QString shownFrom(QByteArrayView utf8, qsizetype start, qsizetype maxChars)
{
    while (start > 0 && (uchar(utf8[start]) & 0xC0) == 0x80) {
        --start;
    }
    // Four bytes a character at most: what the last cut may split is beyond what is shown.
    const QString text = QString::fromUtf8(utf8.sliced(start, std::min(utf8.size() - start, maxChars * 4)));
    return displayText((start > 0 ? u"…"_s : QString()) + text, maxChars);
}

QString countInWords(const JsonSource &source, int node)
{
    const int count = source.document().childCount(node);
    return source.type(node) == JsonDocument::Type::Object ? Tr::tr("%n members", nullptr, count)
                                                           : Tr::tr("%n items", nullptr, count);
}

/// A container on one line. Only so much of it is read as can be shown.
QString containerText(const JsonSource &source, int node, qsizetype maxChars)
{
    const QByteArrayView raw = source.rawText(node);
    const qsizetype most = maxChars * 16;
    QByteArray text;
    bool inString = false;
    bool escaped = false;
    for (qsizetype at = 0; at < std::min(raw.size(), most) && text.size() <= maxChars * 4; ++at) {
        const char c = raw[at];
        if (!inString && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) {
            continue;
        }
        text += c;
        if (c == '"' && !escaped) {
            inString = !inString;
        }
        escaped = inString && !escaped && c == '\\';
    }
    const bool whole = raw.size() <= most && text.size() <= maxChars * 4;
    const QString shown = QString::fromUtf8(text);
    if (whole && shown.size() <= maxChars) {
        return displayText(shown, maxChars);
    }
    return displayText(shown.left(maxChars - 1), maxChars) + u"… ("_s + countInWords(source, node) + u')';
}

QString nameText(const JsonSource &source, int node, qsizetype maxChars)
{
    const QByteArrayView raw = source.rawName(node);
    return raw.isEmpty()
        ? QString()
        : displayText(QString::fromUtf8(raw.first(std::min(raw.size(), maxChars * 4))), maxChars) + u": "_s;
}

QString bracket(const JsonSource &source, int node, SideRow::Kind kind)
{
    const bool object = source.type(node) == JsonDocument::Type::Object;
    return kind == SideRow::Kind::Open ? (object ? u"{"_s : u"["_s) : (object ? u"}"_s : u"]"_s);
}

/// A line of a text without its line feed, unless that is all that differs.
ShownPair shownTextLines(const Comparison &comparison, const SideRow &row, qsizetype maxChars)
{
    QStringView first = row.lineA > 0 ? comparison.linesA[row.lineA - 1] : QStringView();
    QStringView second = row.lineB > 0 ? comparison.linesB[row.lineB - 1] : QStringView();
    const auto without = [](QStringView line) { return line.endsWith(u'\n') ? line.chopped(1) : line; };
    if (row.status != DiffStatus::Changed || without(first) != without(second)) {
        first = without(first);
        second = without(second);
    }
    const qsizetype start = windowStart(first, second, maxChars);
    return { shownFrom(first, start, maxChars), shownFrom(second, start, maxChars) };
}

bool isOfToken(QChar character)
{
    return character.isLetterOrNumber() || character == u'.' || character == u'_' || character == u'-';
}

void appendDifferent(QList<TextSpan> *spans, const TextSpan &span)
{
    if (span.aLength + span.bLength == 0) {
        return;
    }
    if (!spans->isEmpty() && !spans->constLast().same) {
        spans->last().aLength += span.aLength;
        spans->last().bLength += span.bLength;
    } else {
        spans->append(span);
    }
}

/// A number or a word that differs is marked as a whole: one digit inside of 10.50 is hardly seen. text: the first of
/// the two.
QList<TextSpan> byTokens(const QString &text, const QList<TextSpan> &spans)
{
    QList<TextSpan> whole;
    for (qsizetype i = 0; i < spans.size(); ++i) {
        const TextSpan &span = spans.at(i);
        if (!span.same) {
            appendDifferent(&whole, span);
            continue;
        }
        qsizetype head = 0;
        while (i > 0 && head < span.aLength && isOfToken(text.at(span.a + head))) {
            ++head;
        }
        qsizetype tail = 0;
        while (i + 1 < spans.size() && tail < span.aLength - head
            && isOfToken(text.at(span.a + span.aLength - 1 - tail))) {
            ++tail;
        }
        appendDifferent(&whole, { false, span.a, head, span.b, head });
        if (const qsizetype rest = span.aLength - head - tail; rest > 0) {
            whole.append({ true, span.a + head, rest, span.b + head, rest });
        }
        appendDifferent(&whole, { false, span.a + span.aLength - tail, tail, span.b + span.bLength - tail, tail });
    }
    return whole;
}

} // namespace

QVariant ShownPair::spans() const
{
    return QVariant::fromValue(byTokens(first, diffCharacters(first, second)));
}

ShownPair shownValues(const Comparison &comparison, int node, qsizetype maxChars)
{
    const DiffNode &pair = comparison.diff.nodes[std::size_t(node)];
    const qsizetype start = differsInside(comparison, node)
        ? windowStart(comparison.a->rawText(pair.a), comparison.b->rawText(pair.b), maxChars)
        : 0;
    const auto text = [&](const JsonSource &source, int own) {
        return own < 0                ? QString()
            : pair.childCount > 0     ? countInWords(source, own)
            : source.isContainer(own) ? containerText(source, own, maxChars)
                                      : shownFrom(source.rawText(own), start, maxChars);
    };
    return { text(*comparison.a, pair.a), text(*comparison.b, pair.b) };
}

ShownPair shownLines(const Comparison &comparison, const SideRow &row, qsizetype maxChars)
{
    if (row.kind == SideRow::Kind::Text) {
        return shownTextLines(comparison, row, maxChars);
    }
    const DiffNode &pair = comparison.diff.nodes[std::size_t(row.node)];
    const ShownPair values
        = row.kind == SideRow::Kind::Value ? shownValues(comparison, row.node, maxChars) : ShownPair();
    const auto line = [&](const JsonSource &source, int own, const QString &value, bool last) {
        if (own < 0) {
            return QString();
        }
        const QString name = row.kind == SideRow::Kind::Close ? QString() : nameText(source, own, maxChars);
        const QString text = row.kind == SideRow::Kind::Value ? value : bracket(source, own, row.kind);
        const bool comma = !last && row.kind != SideRow::Kind::Open;
        return QString(std::min(row.depth, kMostIndented) * kIndent, u' ') + name + text + (comma ? u","_s : QString());
    };
    return { line(*comparison.a, pair.a, values.first, row.lastA),
        line(*comparison.b, pair.b, values.second, row.lastB) };
}

bool differsInside(const Comparison &comparison, int node)
{
    const DiffNode &pair = comparison.diff.nodes[std::size_t(node)];
    return pair.a >= 0 && pair.b >= 0 && pair.childCount == 0 && pair.status != DiffStatus::Same
        && !comparison.a->isContainer(pair.a) && !comparison.b->isContainer(pair.b);
}

QString differenceInWords(const DiffNode &node)
{
    if (node.ignored && node.status != DiffStatus::Same
        && (node.status != DiffStatus::Within || node.forms.toInt() != 0)) {
        return Tr::tr("ignored by a rule");
    }
    if (node.formOnly()) {
        return Tr::tr("written differently: %1").arg(formsInWords(node.forms));
    }
    switch (node.status) {
    case DiffStatus::Changed:
        return Tr::tr("changed");
    case DiffStatus::Added:
        return Tr::tr("added");
    case DiffStatus::Removed:
        return Tr::tr("removed");
    case DiffStatus::Moved:
        return Tr::tr("moved");
    case DiffStatus::Within:
        return Tr::tr("contains changes");
    case DiffStatus::Same:
        break;
    }
    return {};
}

QString differenceInWords(const Comparison &comparison, int node)
{
    const DiffNode &pair = comparison.diff.nodes[std::size_t(node)];
    return pair.status == DiffStatus::Moved && !pair.ignored ? Tr::tr("moved from [%1] to [%2]")
                                                                   .arg(comparison.a->document().row(pair.a))
                                                                   .arg(comparison.b->document().row(pair.b))
                                                             : differenceInWords(pair);
}

QString unchangedInWords(int lines)
{
    return Tr::tr("%n unchanged lines", nullptr, lines);
}

} // namespace idemdesk::models
