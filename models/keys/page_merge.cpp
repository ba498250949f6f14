// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/page_merge.h"

#include <algorithm>

namespace idemdesk::models {

namespace {

size_t identityHash(const sql::Cells &identity)
{
    size_t seed = 0;
    for (const sql::Cell &cell : identity) {
        seed = qHashMulti(seed, cell.null, cell.text);
    }
    return seed;
}

bool sameContent(const sql::KeyRecord &a, const sql::KeyRecord &b)
{
    return a.state == b.state && a.stale == b.stale && a.expired == b.expired && a.key == b.key && a.scope == b.scope
        && a.roles == b.roles && a.orderValue == b.orderValue;
}

/// Rows of pages that follow one another, by number and by identity.
class FreshRows
{
public:
    explicit FreshRows(const QList<Page> &pages)
        : m_pages(pages)
    {
        for (const Page &page : pages) {
            for (int i = 0; i < page.rows.size(); ++i) {
                m_places.insert(identityHash(page.rows.at(i).identity), page.firstRow() + i);
            }
        }
    }

    const sql::KeyRecord &at(qint64 row) const
    {
        const Page &page = m_pages.at(PageCache::pageOf(row) - m_pages.constFirst().number);
        return page.rows.at(row - page.firstRow());
    }

    /// The row of this identity, or -1.
    qint64 find(const sql::Cells &identity) const
    {
        qint64 found = -1;
        const auto [begin, end] = m_places.equal_range(identityHash(identity));
        for (auto it = begin; it != end; ++it) {
            if (at(it.value()).identity == identity) {
                found = it.value();
            }
        }
        return found;
    }

private:
    const QList<Page> &m_pages;
    QMultiHash<size_t, qint64> m_places;
};

} // namespace

PageRefresh::PageRefresh(const QList<qint64> &pages)
    : m_pages(pages)
{
}

std::optional<PagePlan> PageRefresh::take(Page page, bool originKnown)
{
    page.approximate = page.number != 0 || !originKnown;
    m_endSeen = !page.moreAfter;
    m_fresh.append(page);
    if (m_endSeen || page.rows.isEmpty() || m_fresh.size() == m_pages.size()) {
        return std::nullopt;
    }
    return PagePlan { cursorAfter(page.rows.constLast()), false, 0, page.approximate };
}

qint64 PageRefresh::end() const
{
    return m_fresh.constLast().firstRow() + m_fresh.constLast().rows.size();
}

PageMerge mergeOf(const PageCache &known, const QList<Page> &fresh)
{
    const FreshRows rows(fresh);
    PageMerge merge;
    for (const Page &page : fresh) {
        const Page *old = known.find(page.number);
        const qsizetype before = old == nullptr ? 0 : old->rows.size();
        for (qsizetype i = 0; i < before; ++i) {
            const qint64 from = old->firstRow() + i;
            const qint64 to = rows.find(old->rows.at(i).identity);
            merge.moves.insert(from, to);
            merge.moved = merge.moved || to != from;
            if (to == from && !sameContent(old->rows.at(i), rows.at(to))) {
                merge.changed.append(from);
            }
        }
        for (qsizetype i = before; i < page.rows.size(); ++i) {
            merge.changed.append(page.firstRow() + i); // rows this page did not have
        }
    }
    std::sort(merge.changed.begin(), merge.changed.end());
    return merge;
}

QList<std::pair<qint64, qint64>> runsOf(const QList<qint64> &numbers)
{
    QList<std::pair<qint64, qint64>> runs;
    for (const qint64 number : numbers) {
        if (!runs.isEmpty() && runs.constLast().second + 1 == number) {
            runs.last().second = number;
        } else {
            runs.append({ number, number });
        }
    }
    return runs;
}

} // namespace idemdesk::models
