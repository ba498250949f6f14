// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/diff/text_diff.h"

#include "models/diff/sequence_align.h"

#include <QHash>

namespace idemdesk::models {

namespace {

/// Partners in order into spans without gaps. Equal labels are equal texts here.
QList<TextSpan> spansOf(const std::vector<int> &partner, qsizetype sizeA, qsizetype sizeB)
{
    QList<TextSpan> spans;
    qsizetype nextA = 0;
    qsizetype nextB = 0;
    const auto changedUpTo = [&](qsizetype a, qsizetype b) {
        if (a > nextA || b > nextB) {
            spans.append({ false, nextA, a - nextA, nextB, b - nextB });
        }
        nextA = a;
        nextB = b;
    };
    for (qsizetype row = 0; row < sizeA; ++row) {
        const int other = partner[std::size_t(row)];
        if (other < 0) {
            continue;
        }
        changedUpTo(row, other);
        if (!spans.isEmpty() && spans.last().same && spans.last().a + spans.last().aLength == row
            && spans.last().b + spans.last().bLength == other) {
            ++spans.last().aLength;
            ++spans.last().bLength;
        } else {
            spans.append({ true, row, 1, other, 1 });
        }
        ++nextA;
        ++nextB;
    }
    changedUpTo(sizeA, sizeB);
    return spans;
}

} // namespace

QList<QStringView> linesOf(const QString &text)
{
    QList<QStringView> lines;
    const QStringView view(text);
    for (qsizetype at = 0; at < view.size();) {
        const qsizetype end = view.indexOf(u'\n', at);
        const qsizetype next = end < 0 ? view.size() : end + 1;
        lines.append(view.sliced(at, next - at));
        at = next;
    }
    return lines;
}

QList<TextSpan> diffLines(const QString &a, const QString &b)
{
    const QList<QStringView> linesA = linesOf(a);
    const QList<QStringView> linesB = linesOf(b);
    QHash<QStringView, quint64> known; // numbers instead of hashes: equal numbers are equal lines
    const auto labels = [&known](const QList<QStringView> &lines) {
        std::vector<quint64> numbers;
        numbers.reserve(std::size_t(lines.size()));
        for (const QStringView line : lines) {
            const auto found = known.constFind(line);
            numbers.push_back(found == known.cend() ? *known.insert(line, quint64(known.size())) : *found);
        }
        return numbers;
    };
    const std::vector<quint64> numbersA = labels(linesA);
    const std::vector<quint64> numbersB = labels(linesB);
    return spansOf(alignInOrder(numbersA, numbersB), linesA.size(), linesB.size());
}

QList<TextSpan> diffCharacters(const QString &a, const QString &b)
{
    constexpr int mostEdits = 200; // beyond, marking single letters helps nobody
    const auto labels = [](const QString &text) {
        std::vector<quint64> units;
        std::vector<qsizetype> starts;
        for (qsizetype i = 0; i < text.size(); ++i) {
            const bool pair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
            starts.push_back(i);
            units.push_back(pair ? QChar::surrogateToUcs4(text[i], text[i + 1]) : text[i].unicode());
            i += pair ? 1 : 0;
        }
        starts.push_back(text.size());
        return std::pair(std::move(units), std::move(starts));
    };
    const auto [unitsA, startsA] = labels(a);
    const auto [unitsB, startsB] = labels(b);
    std::size_t head = 0;
    const std::size_t shorter = std::min(unitsA.size(), unitsB.size());
    while (head < shorter && unitsA[head] == unitsB[head]) {
        ++head;
    }
    std::size_t tail = 0;
    while (tail < shorter - head && unitsA[unitsA.size() - 1 - tail] == unitsB[unitsB.size() - 1 - tail]) {
        ++tail;
    }
    std::vector<int> partner(unitsA.size(), -1);
    for (std::size_t i = 0; i < head; ++i) {
        partner[i] = int(i);
    }
    for (std::size_t i = 0; i < tail; ++i) {
        partner[unitsA.size() - 1 - i] = int(unitsB.size() - 1 - i);
    }
    constexpr std::size_t mostUnits = 4'000;
    const std::span<const quint64> coreA(unitsA.data() + head, unitsA.size() - tail - head);
    const std::span<const quint64> coreB(unitsB.data() + head, unitsB.size() - tail - head);
    if (coreA.size() <= mostUnits && coreB.size() <= mostUnits) {
        const std::vector<int> core = alignInOrder(coreA, coreB, mostEdits);
        for (std::size_t i = 0; i < core.size(); ++i) {
            partner[head + i] = core[i] < 0 ? -1 : core[i] + int(head);
        }
    }
    QList<TextSpan> spans = spansOf(partner, qsizetype(unitsA.size()), qsizetype(unitsB.size()));
    for (TextSpan &span : spans) {
        const TextSpan units = span;
        span.a = startsA[std::size_t(units.a)];
        span.aLength = startsA[std::size_t(units.a + units.aLength)] - span.a;
        span.b = startsB[std::size_t(units.b)];
        span.bLength = startsB[std::size_t(units.b + units.bLength)] - span.b;
    }
    return spans;
}

QString applyLineSpans(const QString &a, const QString &b, const QList<TextSpan> &spans)
{
    const QList<QStringView> linesA = linesOf(a);
    const QList<QStringView> linesB = linesOf(b);
    QString out;
    for (const TextSpan &span : spans) {
        const QList<QStringView> &lines = span.same ? linesA : linesB;
        const qsizetype first = span.same ? span.a : span.b;
        for (qsizetype i = 0; i < (span.same ? span.aLength : span.bLength); ++i) {
            out += lines[first + i];
        }
    }
    return out;
}

} // namespace idemdesk::models
