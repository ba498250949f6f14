// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/outliers.h"

#include <algorithm>
#include <numeric>

namespace idemdesk::ui {

namespace {

constexpr double kFarMore = 2; // times what is to be expected

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
    if (places.size() > most) {
        // Those that are no worse than the first one left out do not stand out either.
        const double left = trouble.at(places.at(most));
        places.resize(most);
        places.removeIf([&](int i) { return trouble.at(i) <= left; });
    }
    return places;
}

} // namespace idemdesk::ui
