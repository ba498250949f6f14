// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/diff/sequence_align.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace idemdesk::models {

namespace {

using LabelSpan = std::span<const quint64>;

/// Rows of the furthest-reaching points, one for each number of edits.
struct Trace {
    std::vector<std::vector<int>> rounds; ///< round d has 2d + 1 entries, diagonal -d first
    int at(int round, int diagonal) const
    {
        return rounds[std::size_t(round)][std::size_t(round) + std::size_t(diagonal)];
    } // wraps back where diagonal < 0
};

bool goesDown(int d, int k, int below, int above)
{
    return k == -d || (k != d && below < above);
}

void backtrack(const Trace &trace, int edits, int n, int m, int offset, std::vector<int> &match, std::size_t first)
{
    int x = n;
    int y = m;
    const auto walk = [&](int toX, int toY) {
        while (x > toX && y > toY) {
            --x;
            --y;
            match[first + std::size_t(x)] = y + offset;
        }
    };
    for (int d = edits; d > 0; --d) {
        const int k = x - y;
        const bool down = k == -d || (k != d && trace.at(d - 1, k - 1) < trace.at(d - 1, k + 1));
        const int before = down ? k + 1 : k - 1;
        const int px = trace.at(d - 1, before);
        walk(px, px - before);
        x = px;
        y = px - before;
    }
    walk(0, 0);
}

/// False if more than `bound` edits are needed.
bool shortestScript(LabelSpan a, LabelSpan b, int bound, int offset, std::vector<int> &match, std::size_t first)
{
    const int n = int(a.size());
    const int m = int(b.size());
    const int most = int(std::min<qint64>(qint64(n) + m, bound));
    std::vector<int> reach(std::size_t(2 * most + 3), 0);
    const auto at = [&reach, most](int k) -> int & { return reach[std::size_t(most) + 1 + std::size_t(k)]; };
    Trace trace;
    for (int d = 0; d <= most; ++d) {
        for (int k = -d; k <= d; k += 2) {
            int x = goesDown(d, k, at(k - 1), at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
            int y = x - k;
            while (x < n && y < m && a[std::size_t(x)] == b[std::size_t(y)]) {
                ++x;
                ++y;
            }
            at(k) = x;
            if (x >= n && y >= m) {
                backtrack(trace, d, n, m, offset, match, first);
                return true;
            }
        }
        trace.rounds.emplace_back(reach.begin() + (most + 1 - d), reach.begin() + (most + 2 + d));
    }
    return false;
}

/// A place for each label, in one block: hundreds of thousands of labels cost QHash a tenth of a whole comparison.
/// LabelSpan are hashes already, with a seed of this run, and spread by themselves.
class Places
{
public:
    explicit Places(std::size_t labels)
        : m_slots(std::bit_ceil(labels + labels / 3 + 1))
    {
    }

    /// Of this label, -1 at first. No more labels than were announced.
    int &operator[](quint64 label)
    {
        Slot &slot = slotOf(label);
        slot.used = true;
        slot.label = label;
        return slot.place;
    }

    int *find(quint64 label)
    {
        Slot &slot = slotOf(label);
        return slot.used ? &slot.place : nullptr;
    }

private:
    struct Slot {
        quint64 label = 0;
        int place = -1;
        bool used = false;
    };

    /// Its own, or the free one where it would stand; there is always a free one.
    Slot &slotOf(quint64 label)
    {
        std::size_t at = std::size_t(label) & (m_slots.size() - 1);
        while (m_slots[at].used && m_slots[at].label != label) {
            at = (at + 1) & (m_slots.size() - 1);
        }
        return m_slots[at];
    }

    std::vector<Slot> m_slots;
};

/// The k-th of a label in a with the k-th of it in b, among those marked free.
std::vector<int> byOccurrence(LabelSpan a, LabelSpan b, const std::vector<bool> &freeA, const std::vector<bool> &freeB)
{
    // By label its first free place in b, and from each place the next of the same label: a list per label would cost
    // an allocation for each of hundreds of thousands.
    Places first(b.size());
    std::vector<int> next(b.size(), -1);
    for (std::size_t j = b.size(); j-- > 0;) {
        if (freeB[j]) {
            next[j] = std::exchange(first[b[j]], int(j));
        }
    }
    std::vector<int> partner(a.size(), -1);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!freeA[i]) {
            continue;
        }
        if (int *const place = first.find(a[i]); place != nullptr && *place >= 0) {
            partner[i] = std::exchange(*place, next[std::size_t(*place)]);
        }
    }
    return partner;
}

void keepLongestRise(std::vector<int> &partner)
{
    std::vector<std::size_t> tails; // by length of run: where the run with the smallest end ends
    std::vector<int> before(partner.size(), -1);
    for (std::size_t i = 0; i < partner.size(); ++i) {
        if (partner[i] < 0) {
            continue;
        }
        const auto place = std::lower_bound(tails.begin(), tails.end(), partner[i],
            [&partner](std::size_t index, int value) { return partner[index] < value; });
        before[i] = place == tails.begin() ? -1 : int(*(place - 1));
        if (place == tails.end()) {
            tails.push_back(i);
        } else {
            *place = i;
        }
    }
    std::vector<int> kept(partner.size(), -1);
    for (int i = tails.empty() ? -1 : int(tails.back()); i >= 0; i = before[std::size_t(i)]) {
        kept[std::size_t(i)] = partner[std::size_t(i)];
    }
    partner = std::move(kept);
}

} // namespace

std::vector<int> alignInOrder(LabelSpan a, LabelSpan b, int bound)
{
    std::vector<int> match(a.size(), -1);
    std::size_t head = 0;
    while (head < a.size() && head < b.size() && a[head] == b[head]) {
        match[head] = int(head);
        ++head;
    }
    std::size_t endA = a.size();
    std::size_t endB = b.size();
    while (endA > head && endB > head && a[endA - 1] == b[endB - 1]) {
        --endA;
        --endB;
        match[endA] = int(endB);
    }
    const LabelSpan coreA = a.subspan(head, endA - head);
    const LabelSpan coreB = b.subspan(head, endB - head);
    if (coreA.empty() || coreB.empty() || shortestScript(coreA, coreB, bound, int(head), match, head)) {
        return match;
    }
    std::vector<int> anchors
        = byOccurrence(coreA, coreB, std::vector<bool>(coreA.size(), true), std::vector<bool>(coreB.size(), true));
    keepLongestRise(anchors);
    for (std::size_t i = 0; i < anchors.size(); ++i) {
        match[head + i] = anchors[i] < 0 ? -1 : anchors[i] + int(head);
    }
    return match;
}

std::vector<int> pairMoved(LabelSpan a, LabelSpan b, const std::vector<int> &inOrder)
{
    std::vector<bool> freeA(a.size(), true);
    std::vector<bool> freeB(b.size(), true);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (inOrder[i] >= 0) {
            freeA[i] = false;
            freeB[std::size_t(inOrder[i])] = false;
        }
    }
    return byOccurrence(a, b, freeA, freeB);
}

} // namespace idemdesk::models
