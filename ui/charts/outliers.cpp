// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/outliers.h"

#include <algorithm>
#include <numeric>

namespace idemdesk::ui {

namespace {

constexpr double kFarMore = 2; // times what is to be expected
constexpr int kFew = 3; // at most one in so many places stands out

} // namespace

QList<int> outliers(const QList<double> &trouble, const QList<double> &rows, int most)
{
    const double all = std::accumulate(rows.cbegin(), rows.cend(), 0.0);
    const double share = all > 0 ? std::accumulate(trouble.cbegin(), trouble.cend(), 0.0) / all : 0;
    QList<int> places;
    for (int i = 0; i < std::min(trouble.size(), rows.size()); ++i) {
        if (trouble.at(i) > 0 && trouble.at(i) >= kFarMore * share * rows.at(i)) {
            places += i;
        }
    }
    const auto excess = [&](int i) { return trouble.at(i) - share * rows.at(i); };
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return excess(a) > excess(b); });
    if (places.size() <= most) {
        return places;
    }
    // Those that are as bad as the first one left out stand out with it, or do not either where they are many.
    const double left = excess(places.at(most));
    const auto used = std::count_if(rows.cbegin(), rows.cend(), [](double count) { return count > 0; });
    const auto asBad = std::count_if(places.cbegin(), places.cend(), [&](int i) { return excess(i) >= left; });
    const bool tied = excess(places.at(most - 1)) <= left;
    if (!tied) {
        places.resize(most);
    } else if (asBad * kFew <= used) {
        places.resize(asBad);
    } else {
        places.removeIf([&](int i) { return excess(i) <= left; });
    }
    return places;
}

} // namespace idemdesk::ui
