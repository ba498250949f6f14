// SPDX-License-Identifier: GPL-3.0-or-later
// How KeyTableModel stays fresh: merging visible pages by identity, counts, and boundaries for far jumps.
#include "models/async.h"
#include "models/keys/key_table_model.h"

#include <QHash>
#include <algorithm>

namespace idemdesk::models {

namespace {

/// Lists shorter than this are reached by skipping well enough.
constexpr qint64 kBoundariesFrom = 50'000;
constexpr qint64 kMaxBoundaries = 5'000;
/// An exact count may take at most this share of the time between two of them.
constexpr qint64 kExactShare = 20;

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

} // namespace

void KeyTableModel::refresh()
{
    if (!m_active || m_firstPending || m_refreshing) {
        return;
    }
    if (m_failing && m_pages.end() == m_pages.first()) {
        setQuery(m_filter, m_order);
        return;
    }
    m_refreshWanted = true;
    if (!m_running) {
        startRefresh();
    }
}

void KeyTableModel::startRefresh()
{
    m_refreshWanted = false;
    Refreshing refreshing;
    refreshing.pages = visiblePages();
    const qint64 first = refreshing.pages.constFirst();
    const PagePlan plan = m_pages.plan(first, -1);
    m_refreshing = std::move(refreshing);
    send(first, plan, true);
}

void KeyTableModel::continueRefresh(const sql::Result<sql::KeyPage> &result, const PagePlan &plan)
{
    if (!result.ok()) {
        m_refreshing.reset();
        if (result.error().kind != sql::ErrorKind::Superseded && result.error().kind != sql::ErrorKind::Cancelled) {
            m_failing = true;
            emit failed(result.error());
        }
        return;
    }
    const Answer answer = answerOf(m_refreshing->pages.at(m_refreshing->fresh.size()), plan, *result);
    Page page = answer.page;
    page.approximate = page.number != 0 || !m_pages.originKnown();
    if (plan.backward || plan.skip > 0) {
        m_pages.setEdge(page.number * PageCache::kSize, answer.before);
    }
    const bool more = page.moreAfter && !page.rows.isEmpty();
    const bool last = m_refreshing->fresh.size() + 1 == m_refreshing->pages.size();
    m_refreshing->endSeen = !page.moreAfter;
    m_refreshing->fresh.append(page);
    if (more && !last) {
        send(m_refreshing->pages.at(m_refreshing->fresh.size()), { cursorAfter(page.rows.constLast()), false, 0, page.approximate }, true);
        return;
    }
    m_now = result->now;
    noteFacts(*result);
    const Refreshing done = *std::exchange(m_refreshing, std::nullopt);
    merge(done);
    emit pageLoaded();
    emit merged();
}

void KeyTableModel::merge(const Refreshing &refreshing)
{
    const Page &last = refreshing.fresh.constLast();
    const qint64 end = last.number * PageCache::kSize + last.offset + last.rows.size();
    // Grown before the rows come, shrunk after they went: each signal describes a state that holds.
    if (end > m_pages.end()) {
        setEnd(end);
    }
    replacePages(refreshing.fresh);
    if (refreshing.endSeen) {
        m_endKnown = true;
        setEnd(end);
    } else if (end >= m_pages.end()) {
        m_endKnown = false;
        setEnd(end + PageCache::kSize);
    }
    const bool whole = refreshing.endSeen && refreshing.fresh.constFirst().number == 0 && m_pages.originKnown();
    if (whole) {
        ++m_countTicket;
        m_countRunning = false;
        setCount({ sql::RowCount::Kind::Exact, end });
    } else {
        startCount();
    }
}

void KeyTableModel::replacePages(const QList<Page> &fresh)
{
    QMultiHash<size_t, qint64> places; ///< of the fresh rows, by identity
    const auto freshRow = [&fresh](qint64 row) -> const sql::KeyRecord & {
        const Page &page = fresh.at(int(PageCache::pageOf(row) - fresh.constFirst().number));
        return page.rows.at(row - page.number * PageCache::kSize - page.offset);
    };
    for (const Page &page : fresh) {
        for (int i = 0; i < page.rows.size(); ++i) {
            places.insert(identityHash(page.rows.at(i).identity), page.number * PageCache::kSize + page.offset + i);
        }
    }
    QHash<qint64, qint64> moves; ///< old row -> new row, -1 where it left these pages
    QList<qint64> changed;
    bool moved = false;
    for (const Page &page : fresh) {
        const Page *old = m_pages.find(page.number);
        for (int i = 0; old != nullptr && i < old->rows.size(); ++i) {
            const qint64 from = page.number * PageCache::kSize + old->offset + i;
            qint64 to = -1;
            const auto [begin, end] = places.equal_range(identityHash(old->rows.at(i).identity));
            for (auto it = begin; it != end; ++it) {
                if (freshRow(it.value()).identity == old->rows.at(i).identity) {
                    to = it.value();
                }
            }
            moves.insert(from, to);
            moved = moved || to != from;
            if (to == from && !sameContent(old->rows.at(i), freshRow(to))) {
                changed.append(from);
            }
        }
        const qsizetype before = old == nullptr ? 0 : old->rows.size();
        for (qsizetype i = before; i < page.rows.size(); ++i) {
            changed.append(page.number * PageCache::kSize + page.offset + i); // rows this page did not have
        }
    }
    if (moved) {
        emit layoutAboutToBeChanged();
    }
    // Pages out of sight are read again when they are looked at.
    const qint64 keepFirst = fresh.constFirst().number;
    const qint64 keepLast = fresh.constLast().number;
    for (const qint64 number : m_pages.loaded()) {
        if (number < keepFirst || number > keepLast) {
            m_pages.remove(number);
        }
    }
    for (const Page &page : fresh) {
        m_pages.insert(page, keepFirst, keepLast);
    }
    m_pages.clearFailures();
    if (moved) {
        const QModelIndexList before = persistentIndexList();
        QModelIndexList after;
        after.reserve(before.size());
        for (const QModelIndex &index : before) {
            const qint64 from = m_pages.first() + index.row();
            const qint64 to = moves.value(from, from);
            after.append(to < 0 ? QModelIndex() : this->index(int(to - m_pages.first()), index.column()));
        }
        changePersistentIndexList(before, after);
        emit layoutChanged();
        return;
    }
    std::sort(changed.begin(), changed.end());
    for (qsizetype i = 0; i < changed.size();) {
        qsizetype run = i;
        while (run + 1 < changed.size() && changed.at(run + 1) == changed.at(run) + 1) {
            ++run;
        }
        emitRows(changed.at(i), changed.at(run));
        i = run + 1;
    }
}

void KeyTableModel::startCount()
{
    if (!m_fetchers.count) {
        return;
    }
    m_countRunning = true;
    const quint64 ticket = ++m_countTicket;
    auto future = m_fetchers.count(m_filter, kCountCap, m_now);
    emit countChanged(); // after asking: who hears it may set another filter
    whenDone(future, this, [this, ticket](const sql::Result<sql::RowCount> &result) {
        if (ticket == m_countTicket) {
            onCount(result, false);
        }
    });
}

void KeyTableModel::startExactCount()
{
    m_countRunning = true;
    const quint64 ticket = ++m_countTicket;
    m_sinceExact.start();
    whenDone(m_fetchers.count(m_filter, 0, m_now), this, [this, ticket](const sql::Result<sql::RowCount> &result) {
        if (ticket == m_countTicket) {
            onCount(result, true);
        }
    });
}

void KeyTableModel::onCount(const sql::Result<sql::RowCount> &result, bool exact)
{
    m_countRunning = false;
    if (!result.ok()) {
        emit countChanged(); // the list stays usable with the count it has
        return;
    }
    if (exact) {
        m_exactTookMs = m_sinceExact.elapsed();
        m_lastExact = result->rows;
    }
    if (result->kind == sql::RowCount::Kind::AtLeast && !exact) {
        const bool fresh = m_lastExact < 0 || m_sinceExact.elapsed() > m_exactTookMs * kExactShare;
        if (fresh) {
            setCount(*result);
            startExactCount();
        } else {
            setCount({ sql::RowCount::Kind::Estimated, m_lastExact });
        }
        return;
    }
    setCount(*result);
    if (m_count.kind == sql::RowCount::Kind::Exact && m_count.rows >= kBoundariesFrom && !m_boundariesTried) {
        startBoundaries();
    }
}

void KeyTableModel::setCount(const sql::RowCount &count)
{
    m_count = count;
    if (m_active && !m_firstPending && !m_endKnown && m_pages.originKnown() && count.kind != sql::RowCount::Kind::Unknown) {
        qint64 end = count.rows;
        for (const qint64 number : m_pages.loaded()) {
            const Page *page = m_pages.find(number);
            end = std::max(end, number * PageCache::kSize + page->offset + page->rows.size());
        }
        if (count.kind == sql::RowCount::Kind::Exact || end > m_pages.end()) {
            setEnd(end);
        }
    }
    emit countChanged();
}

void KeyTableModel::startBoundaries()
{
    if (!m_fetchers.boundaries) {
        return;
    }
    m_boundariesTried = true;
    m_boundariesRunning = true;
    const qint64 pages = std::max<qint64>(10, m_count.rows / kMaxBoundaries / PageCache::kSize + 1);
    const quint64 generation = m_generation;
    whenDone(m_fetchers.boundaries(m_filter, m_order, pages * PageCache::kSize, m_now), this,
        [this, generation](const sql::Result<sql::Boundaries> &result) {
            if (generation != m_generation) {
                return;
            }
            m_boundariesRunning = false;
            if (result.ok() && result->step > 0) {
                m_pages.setBoundaries(*result);
            }
            if (!m_wanted.isEmpty() && !m_pump.isActive()) {
                m_pump.start();
            }
        });
}

qint64 KeyTableModel::exactTotal() const { return m_count.kind == sql::RowCount::Kind::Exact ? m_count.rows : -1; }

qint64 KeyTableModel::estimateRowAt(const sql::Timestamp &time) const
{
    const sql::Boundaries &known = m_pages.boundaries();
    QList<std::pair<qint64, sql::Timestamp>> places;
    for (qint64 i = 0; i < known.cursors.size(); ++i) {
        const sql::Cell &value = known.cursors.at(i).orderValue;
        if (const auto at = value.null ? std::nullopt : sql::Timestamp::parse(value.text)) {
            places.append({ (i + 1) * known.step, *at });
        }
    }
    qint64 row = std::max(m_count.rows, m_pages.end()) / 2;
    if (!places.isEmpty()) {
        const bool descending = places.constLast().second < places.constFirst().second;
        row = 0;
        for (const auto &[place, at] : places) {
            if (descending ? at >= time : at <= time) {
                row = place;
            }
        }
    }
    return row - row % PageCache::kSize;
}

} // namespace idemdesk::models
