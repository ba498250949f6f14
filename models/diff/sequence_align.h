// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <span>
#include <vector>

namespace idemdesk::models {

/// How many edits the exact alignment looks for before it takes anchors instead; bounds its time and memory.
inline constexpr int kAlignBound = 1'000;

/// For each label of a the place of its partner in b, or -1. Partners have the same label and rise. A shortest edit
/// script (Myers) up to `bound` edits; beyond, the longest rising run of equal labels paired by occurrence (n log n).
std::vector<int> alignInOrder(std::span<const quint64> a, std::span<const quint64> b, int bound = kAlignBound);

/// Pairs what alignInOrder() left over, label by label, first with first: elements that moved. -1 where nothing fits.
std::vector<int> pairMoved(std::span<const quint64> a, std::span<const quint64> b, const std::vector<int> &inOrder);

} // namespace idemdesk::models
