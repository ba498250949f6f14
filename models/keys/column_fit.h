// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

namespace idemdesk::models {

/// A column that wants room, in pixels.
struct FittingColumn {
    int wanted = 0;
    int least = 0; ///< narrower it says nothing
    int rank = 0; ///< 0: always there; else the highest goes first
    bool chosen = false; ///< a person chose it, or its width: it stays as it is
};

/// The width of each column in the room given, 0 for those that have none. Columns shrink first, then the least
/// important ones go. Wider than the room only where what stays in any case is.
QList<int> fitColumns(const QList<FittingColumn> &columns, int room);

} // namespace idemdesk::models
