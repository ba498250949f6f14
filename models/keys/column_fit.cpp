// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/column_fit.h"

#include <algorithm>
#include <numeric>

namespace idemdesk::models {

QList<int> fitColumns(const QList<FittingColumn> &columns, int room)
{
    QList<int> widths;
    for (const FittingColumn &column : columns) {
        widths += column.chosen ? column.wanted : std::min(column.least, column.wanted);
    }
    const auto used = [&widths] { return std::accumulate(widths.cbegin(), widths.cend(), 0); };
    while (used() > room) {
        qsizetype last = -1;
        for (qsizetype i = 0; i < columns.size(); ++i) {
            const bool may = !columns.at(i).chosen && columns.at(i).rank > 0 && widths.at(i) > 0;
            last = may && (last < 0 || columns.at(i).rank >= columns.at(last).rank) ? i : last;
        }
        if (last < 0) {
            return widths;
        }
        widths[last] = 0;
    }
    int slack = 0;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        slack += widths.at(i) > 0 ? columns.at(i).wanted - widths.at(i) : 0;
    }
    const double share = slack > 0 ? std::min(1.0, double(room - used()) / slack) : 0.0;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        widths[i] += widths.at(i) > 0 ? int((columns.at(i).wanted - widths.at(i)) * share) : 0;
    }
    return widths;
}

} // namespace idemdesk::models
