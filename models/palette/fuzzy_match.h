// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <optional>

namespace idemdesk::models {

/// How what was typed fits a text, best first.
enum class Fit {
    Whole, ///< it is the text
    Beginning, ///< the text begins with it
    Words, ///< each word typed begins one of the text's, in any order
    Inside, ///< it stands in the text
    Letters ///< its letters stand there in their order, the first one at the beginning of a word
};

struct FuzzyMatch {
    Fit fit = Fit::Letters;
    int gaps = 0; ///< characters passed over between its letters
    QList<int> places; ///< of the text's characters that were typed, ascending

    /// Of two matches the better one: by how it fits, then by the fewer characters passed over.
    friend bool operator<(const FuzzyMatch &a, const FuzzyMatch &b)
    {
        return a.fit != b.fit ? a.fit < b.fit : a.gaps < b.gaps;
    }
};

/// Upper and lower case are one. Nothing where it does not fit; what is blank fits nothing.
std::optional<FuzzyMatch> fuzzyMatch(const QString &typed, const QString &text);

} // namespace idemdesk::models
