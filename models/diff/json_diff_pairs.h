// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/diff/json_source.h"

#include <vector>

namespace idemdesk::models {

/// Which child of one container is which of another.
struct ChildPairs {
    std::vector<int> partner; ///< for each child of a its row in b, or -1
    std::vector<bool> moved; ///< for each child of a: its place changed (arrays)
    bool reordered = false; ///< members in another order (objects)
};

/// Members by name: written alike, decoded alike, or the same letters; of several of one name the last with the last,
/// as the last is the one that counts.
ChildPairs pairMembers(const JsonSource &a, int nodeA, const JsonSource &b, int nodeB);

/// Elements by identifying member, else by value, else by place between those that fit.
ChildPairs pairElements(const JsonSource &a, int nodeA, const JsonSource &b, int nodeB);

} // namespace idemdesk::models
