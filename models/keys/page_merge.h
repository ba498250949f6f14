// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/page_cache.h"

#include <utility>

namespace idemdesk::models {

/// The pages that a view shows, read anew one after the other, from the first on.
class PageRefresh
{
public:
    explicit PageRefresh(const QList<qint64> &pages); ///< numbers in a row; at least one

    qint64 number() const { return m_pages.at(m_fresh.size()); } ///< of the page that is read next
    /// Takes that page, and says how the one after it is read; nothing where it was the last, or the list ended in it.
    std::optional<PagePlan> take(Page page, bool originKnown);

    const QList<Page> &fresh() const { return m_fresh; }
    bool endSeen() const { return m_endSeen; } ///< the list ended in the last of them
    qint64 end() const; ///< the row behind the last one read

private:
    QList<qint64> m_pages;
    QList<Page> m_fresh;
    bool m_endSeen = false;
};

/// How rows that were read anew lie to those that were known, by identity.
struct PageMerge {
    QHash<qint64, qint64> moves; ///< old row -> new row, -1 where it left these pages
    QList<qint64> changed; ///< ascending: rows in their place with another content, or that the page did not have
    bool moved = false;
};
PageMerge mergeOf(const PageCache &known, const QList<Page> &fresh);

/// First and last of each run of successive numbers in an ascending list.
QList<std::pair<qint64, qint64>> runsOf(const QList<qint64> &numbers);

} // namespace idemdesk::models
