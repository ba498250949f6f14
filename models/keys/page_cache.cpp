// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/page_cache.h"

#include <QCoreApplication>
#include <QTimer>
#include <algorithm>
#include <memory>

namespace idemdesk::models {

namespace {

constexpr int kFreedAtOnce = 4;

/// Freeing tens of thousands of texts takes as long as several frames, and nobody waits for it: a few pages a turn of
/// the event loop.
void freeBitByBit(const std::shared_ptr<QMap<qint64, Page>> &pages)
{
    for (int i = 0; i < kFreedAtOnce && !pages->isEmpty(); ++i) {
        pages->erase(pages->cbegin());
    }
    if (!pages->isEmpty()) {
        QTimer::singleShot(0, QCoreApplication::instance(), [pages] { freeBitByBit(pages); });
    }
}

} // namespace

sql::Cursor cursorAfter(const sql::KeyRecord &record)
{
    return { record.orderValue, record.identity };
}

void PageCache::clear()
{
    clearPages();
    m_boundaries = {};
    m_first = 0;
    m_end = 0;
    m_originKnown = true;
}

void PageCache::clearPages()
{
    if (QCoreApplication::instance() != nullptr && m_pages.size() > kFreedAtOnce) {
        freeBitByBit(std::make_shared<QMap<qint64, Page>>(std::exchange(m_pages, {})));
    }
    m_pages.clear();
    m_used.clear();
    m_edges.clear();
    m_failures.clear();
    m_anchor.reset();
}

void PageCache::setEdge(qint64 row, const std::optional<sql::Cursor> &cursor)
{
    if (cursor) {
        m_edges.insert(row, *cursor);
    } else {
        m_edges.remove(row);
    }
}

bool PageCache::hasEdge(qint64 row, const sql::Cells &identity) const
{
    const auto it = m_edges.constFind(row);
    return it != m_edges.cend() && it->identity == identity;
}

void PageCache::removeRunFrom(qint64 number)
{
    while (m_pages.contains(number)) {
        remove(number);
        m_edges.remove((number + 1) * kSize);
        ++number;
    }
}

void PageCache::setRange(qint64 first, qint64 end)
{
    m_first = first;
    m_end = std::max(first, end);
}

const Page *PageCache::find(qint64 number) const
{
    const auto it = m_pages.constFind(number);
    return it == m_pages.cend() ? nullptr : &*it;
}

const Page *PageCache::touch(qint64 number) const
{
    const Page *page = find(number);
    if (page != nullptr) {
        m_used[number] = ++m_clock;
    }
    return page;
}

const sql::KeyRecord *PageCache::row(qint64 row) const
{
    const qint64 number = pageOf(row);
    const Page *page = find(number);
    if (page == nullptr) {
        return nullptr;
    }
    const qint64 slot = row - page->firstRow();
    return slot >= 0 && slot < page->rows.size() ? &page->rows.at(slot) : nullptr;
}

void PageCache::insert(const Page &page, qint64 keepFirst, qint64 keepLast)
{
    const qint64 number = page.number;
    const bool full = page.offset + page.rows.size() == kSize;
    if (full && !page.rows.isEmpty()) {
        m_edges.insert((number + 1) * kSize, cursorAfter(page.rows.constLast()));
        if (m_edges.size() > kMaxEdges) {
            // The place farthest away is the one least likely to be needed.
            const bool firstIsFarther = number * kSize - m_edges.firstKey() > m_edges.lastKey() - number * kSize;
            m_edges.erase(firstIsFarther ? m_edges.cbegin() : std::prev(m_edges.cend()));
        }
    }
    m_failures.remove(number);
    m_pages.insert(number, page);
    m_used[number] = ++m_clock;
    evict(keepFirst, keepLast);
}

void PageCache::evict(qint64 keepFirst, qint64 keepLast)
{
    while (m_pages.size() > kMaxPages) {
        qint64 oldest = -1;
        quint64 when = std::numeric_limits<quint64>::max();
        bool found = false;
        for (auto it = m_pages.cbegin(); it != m_pages.cend(); ++it) {
            const bool visible = it.key() >= keepFirst && it.key() <= keepLast;
            const quint64 used = m_used.value(it.key());
            if (!visible && used < when) {
                oldest = it.key();
                when = used;
                found = true;
            }
        }
        if (!found) {
            return;
        }
        remove(oldest);
    }
}

void PageCache::remove(qint64 number)
{
    m_pages.remove(number);
    m_used.remove(number);
}

const sql::Error *PageCache::failure(qint64 number) const
{
    const auto it = m_failures.constFind(number);
    return it == m_failures.cend() ? nullptr : &*it;
}

void PageCache::setFailure(qint64 number, const sql::Error &error)
{
    m_failures.insert(number, error);
}

void PageCache::setBoundaries(const sql::Boundaries &boundaries)
{
    m_boundaries = boundaries;
}

PagePlan PageCache::plan(qint64 number, qint64 total) const
{
    const qint64 wanted = number * kSize;
    if (m_originKnown && number <= 0) {
        return {};
    }
    if (const Page *before = find(number - 1);
        before != nullptr && !before->rows.isEmpty() && before->offset + before->rows.size() == kSize) {
        return { cursorAfter(before->rows.constLast()), false, 0, before->approximate };
    }
    if (const Page *after = find(number + 1); after != nullptr && after->offset == 0 && !after->rows.isEmpty()) {
        return { cursorAfter(after->rows.constFirst()), true, 0, after->approximate };
    }
    PagePlan best;
    best.skip = std::numeric_limits<qint64>::max();
    const auto consider = [&best](const sql::Cursor &from, bool backward, qint64 skip) {
        if (skip >= 0 && skip < best.skip) {
            best = { from, backward, skip, skip > 0 || backward };
        }
    };
    if (m_originKnown) {
        consider({}, false, wanted);
        if (total >= 0) {
            const qint64 behind = total - wanted - kSize; // rows after this page
            consider({}, true, behind);
            if (behind < 0 && behind > -kSize && best.skip > 0) {
                best = { {}, true, 0, true, int(total - wanted) };
            }
        }
        if (m_boundaries.step > 0 && !m_boundaries.cursors.isEmpty()) {
            const qint64 index = std::min<qint64>(wanted / m_boundaries.step, m_boundaries.cursors.size()) - 1;
            if (index >= 0) {
                consider(m_boundaries.cursors.at(index), false, wanted - (index + 1) * m_boundaries.step);
            }
        }
    }
    if (m_anchor) {
        consider(m_anchor->second, false, wanted - m_anchor->first);
        consider(m_anchor->second, true, m_anchor->first - wanted - kSize);
    }
    auto edge = m_edges.upperBound(wanted);
    if (edge != m_edges.cbegin()) {
        --edge;
        consider(*edge, false, wanted - edge.key());
    }
    auto page = m_pages.upperBound(number);
    if (page != m_pages.cend() && page->offset == 0 && !page->rows.isEmpty()) {
        consider(cursorAfter(page->rows.constFirst()), true, page.key() * kSize - wanted - kSize);
    }
    if (m_boundaries.step > 0) {
        best.approximate = true; // the table moved on since the boundaries were gathered
    }
    return best;
}

} // namespace idemdesk::models
