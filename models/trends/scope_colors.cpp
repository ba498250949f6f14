// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/scope_colors.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace idemdesk::models {

namespace {

/// No text of the database holds what stands between the parts.
QString keyOfScope(const sql::TrendSeries &series)
{
    QString key;
    for (const sql::Cell &part : series.scope) {
        key += (part.null ? QString(QChar(1)) : part.text) + QChar(0);
    }
    return key;
}

/// The colour that fewest known scopes have, of those that are free in this answer; the first of several.
int leastUsed(const QHash<QString, int> &known, const std::array<bool, ScopeColors::kColors> &taken)
{
    std::array<int, ScopeColors::kColors> uses {};
    for (const int color : known) {
        ++uses.at(std::size_t(color));
    }
    const bool full = std::all_of(taken.cbegin(), taken.cend(), [](bool one) { return one; });
    int best = -1;
    for (int color = 0; color < ScopeColors::kColors; ++color) {
        const bool free = full || !taken.at(std::size_t(color));
        if (free && (best < 0 || uses.at(std::size_t(color)) < uses.at(std::size_t(best)))) {
            best = color;
        }
    }
    return best;
}

} // namespace

QList<int> ScopeColors::of(const QString &target, const sql::TrendAnswer &answer)
{
    QHash<QString, int> &known = m_known[target];
    QStringList keys;
    for (const sql::TrendSeries &series : answer.series) {
        keys += keyOfScope(series);
    }
    QList<qsizetype> order(answer.series.size());
    std::iota(order.begin(), order.end(), 0);
    // Those with a colour first: a new scope takes none from them.
    std::sort(order.begin(), order.end(), [&](qsizetype a, qsizetype b) {
        const bool first = known.contains(keys.at(a));
        return first != known.contains(keys.at(b)) ? first : keys.at(a) < keys.at(b);
    });
    QList<int> colors(answer.series.size(), 0);
    std::array<bool, kColors> taken {};
    for (const qsizetype place : std::as_const(order)) {
        if (answer.series.at(place).other || answer.series.at(place).scope.isEmpty()) {
            continue; // no scope: it takes none from them
        }
        const auto own = known.constFind(keys.at(place));
        const bool mine = own != known.constEnd() && !taken.at(std::size_t(*own));
        const int color = mine ? *own : leastUsed(known, taken);
        colors[place] = color;
        taken.at(std::size_t(color)) = true;
        if (own == known.constEnd()) {
            known.insert(keys.at(place), color);
        }
    }
    return colors;
}

} // namespace idemdesk::models
