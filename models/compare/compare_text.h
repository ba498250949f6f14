// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/compare/comparison.h"

#include <QVariant>

namespace idemdesk::models {

/// Two texts as cells show them: escaped, cut, and where they are long, from shortly before their first
/// difference.
struct ShownPair {
    QString first;
    QString second;

    /// What differs in them, as a QList<TextSpan> over the characters shown.
    QVariant spans() const;
};

/// The values of a node of the tree of differences; empty where a payload has none.
ShownPair shownValues(const Comparison &comparison, int node, qsizetype maxChars);
/// A line side by side, with names, brackets, commas and indent.
ShownPair shownLines(const Comparison &comparison, const SideRow &row, qsizetype maxChars);
/// True if the node is a scalar in both payloads, and they are not written alike.
bool differsInside(const Comparison &comparison, int node);
/// "changed", "written differently: how numbers are written"; empty for what is the same.
QString differenceInWords(const DiffNode &node);
/// The same, and of what moved from where to where: "moved from [0] to [1]".
QString differenceInWords(const Comparison &comparison, int node);
/// "12 unchanged lines".
QString unchangedInWords(int lines);

} // namespace idemdesk::models
