// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/palette/fuzzy_match.h"

#include <QStringList>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

bool beginsWord(const QString &text, qsizetype at)
{
    return text.at(at).isLetterOrNumber() && (at == 0 || !text.at(at - 1).isLetterOrNumber());
}

void addPlaces(QList<int> *places, qsizetype from, qsizetype count)
{
    for (qsizetype at = from; at < from + count; ++at) {
        places->append(int(at));
    }
}

/// Where a word of the text begins with this one, beyond those taken already; -1: nowhere.
qsizetype wordBeginningWith(const QString &text, const QString &word, const QList<int> &taken)
{
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        if (beginsWord(text, at) && !taken.contains(int(at))) {
            return at;
        }
    }
    return -1;
}

std::optional<FuzzyMatch> byWords(const QString &typed, const QString &text)
{
    FuzzyMatch match { Fit::Words, 0, {} };
    const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words) {
        const qsizetype at = wordBeginningWith(text, word, match.places);
        if (at < 0) {
            return std::nullopt;
        }
        addPlaces(&match.places, at, word.size());
    }
    std::sort(match.places.begin(), match.places.end());
    return match;
}

std::optional<FuzzyMatch> byLetters(const QString &typed, const QString &text, qsizetype from)
{
    FuzzyMatch match { Fit::Letters, 0, {} };
    qsizetype at = from;
    for (const QChar letter : typed) {
        if (letter.isSpace()) {
            continue;
        }
        at = text.indexOf(letter, at);
        if (at < 0) {
            return std::nullopt;
        }
        match.places.append(int(at++));
    }
    match.gaps = match.places.constLast() - match.places.constFirst() + 1 - int(match.places.size());
    return match;
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString &typed, const QString &text)
{
    // Not toCaseFolded(): the places are those of the text's own characters, so its length must stay.
    QString asked = typed.simplified();
    QString where = text;
    const auto small = [](QChar letter) { return letter.toLower(); };
    std::transform(asked.begin(), asked.end(), asked.begin(), small);
    std::transform(where.begin(), where.end(), where.begin(), small);
    if (asked.isEmpty()) {
        return std::nullopt;
    }
    if (where.startsWith(asked)) {
        FuzzyMatch match { where.size() == asked.size() ? Fit::Whole : Fit::Beginning, 0, {} };
        addPlaces(&match.places, 0, asked.size());
        return match;
    }
    if (auto match = byWords(asked, where)) {
        return match;
    }
    if (const qsizetype at = where.indexOf(asked); at >= 0) {
        FuzzyMatch match { Fit::Inside, 0, {} };
        addPlaces(&match.places, at, asked.size());
        return match;
    }
    std::optional<FuzzyMatch> best;
    for (qsizetype at = where.indexOf(asked.at(0)); at >= 0; at = where.indexOf(asked.at(0), at + 1)) {
        const auto match = beginsWord(where, at) ? byLetters(asked, where, at) : std::nullopt;
        if (match && (!best || *match < *best)) {
            best = match;
        }
    }
    return best;
}

} // namespace idemdesk::models
