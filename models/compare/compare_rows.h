// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/diff/json_diff.h"
#include "models/diff/text_diff.h"

#include <vector>

namespace idemdesk::models {

/// Which nodes of a tree of differences have a row where only differences are shown. All vectors but `shown`
/// go by node.
struct DifferingRows {
    std::vector<int> shown; ///< nodes, those of one parent one after another
    std::vector<int> first; ///< where a node's children begin in `shown`
    std::vector<int> count; ///< how many of its children are shown
    std::vector<int> row; ///< a node's own row among its parent's, or -1
};
DifferingRows differingRows(const JsonDiff &diff);

/// One line of two payloads side by side. It holds no text: payloads may have millions of lines.
struct SideRow {
    enum class Kind : quint8 {
        Value, ///< a node on one line
        Open, ///< the bracket that begins a container
        Close, ///< the one that ends it
        Text ///< a line of a payload that is no JSON
    };
    Kind kind = Kind::Value;
    DiffStatus status = DiffStatus::Same;
    bool lastA = false; ///< no further member follows in the first payload, so that no comma does
    bool lastB = false;
    int node = 0; ///< of JsonDiff::nodes
    int depth = 0;
    int lineA = 0; ///< from 1, with one member a line, in the payload's own order; 0 where it has no such line
    int lineB = 0;
};

/// Rows that follow one another: one as it is, or several unchanged ones folded into one.
struct SideStretch {
    int first = 0;
    int count = 1;
};

/// All lines, and the shorter list in which long unchanged stretches are folded.
struct SideRows {
    static constexpr int kMostUnfolded = 1; ///< unchanged lines in a row that stay as they are

    std::vector<SideRow> rows;
    std::vector<SideStretch> folded;
};
SideRows sideRows(const JsonDiff &diff);
SideRows sideRows(const QList<TextSpan> &lines);

} // namespace idemdesk::models
