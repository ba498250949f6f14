// SPDX-License-Identifier: GPL-3.0-or-later
// How KeyTableModel reads its pages: what data() asked for, one request at a time, newest wish first.
#include "models/async.h"
#include "models/keys/key_table_model.h"

#include <algorithm>
#include <utility>

namespace idemdesk::models {

namespace {

/// Wishes kept: what two screens of a fast scroll can touch. Older ones are off the screen by now.
constexpr int kMaxWanted = 4;

bool leads(const PagePlan &plan) { return plan.backward || plan.skip > 0; }

} // namespace

KeyTableModel::Answer KeyTableModel::answerOf(qint64 number, const PagePlan &plan, const sql::KeyPage &result) const
{
    Answer answer;
    answer.page.number = number;
    answer.page.approximate = plan.approximate;
    QList<sql::KeyRecord> rows = result.rows;
    const qsizetype wanted = plan.tail > 0 ? plan.tail : PageCache::kSize;
    if (plan.backward) {
        if (rows.size() > wanted) {
            answer.before = cursorAfter(rows.at(rows.size() - wanted - 1));
            rows = rows.mid(rows.size() - wanted);
        }
        answer.more = answer.before.has_value();
        answer.page.moreAfter = plan.tail == 0;
        answer.page.offset = plan.tail > 0 ? 0 : int(PageCache::kSize - rows.size());
    } else {
        if (leads(plan) && !rows.isEmpty()) {
            answer.before = cursorAfter(rows.takeFirst());
        }
        rows = rows.mid(0, PageCache::kSize);
        answer.more = result.more && rows.size() == PageCache::kSize;
        answer.page.moreAfter = answer.more;
    }
    answer.page.rows = std::move(rows);
    return answer;
}

void KeyTableModel::want(qint64 page) const
{
    if (m_firstPending || !m_active || m_pages.failure(page) != nullptr) {
        return;
    }
    if (!m_wanted.isEmpty() && m_wanted.constLast() == page) {
        return;
    }
    m_wanted.removeOne(page);
    m_wanted.append(page);
    if (m_wanted.size() > kMaxWanted) {
        m_wanted.removeFirst();
    }
    if (!m_pump.isActive()) {
        m_pump.start();
    }
}

void KeyTableModel::pump()
{
    if (!m_active || m_firstPending || m_refreshing) {
        return;
    }
    m_wanted.removeIf([this](qint64 page) {
        return m_pages.find(page) != nullptr || m_pages.failure(page) != nullptr || page < PageCache::pageOf(m_pages.first())
            || page > PageCache::pageOf(std::max(m_pages.first(), m_pages.end() - 1));
    });
    if (m_running) {
        // A page nobody looks at any more gives way; the lane drops its request when the next one comes.
        if (m_wanted.isEmpty() || m_wanted.contains(m_runningPage)) {
            return;
        }
    }
    for (auto it = m_wanted.crbegin(); it != m_wanted.crend(); ++it) {
        const PagePlan plan = m_pages.plan(*it, exactTotal());
        if (!waitsForBoundaries(plan)) {
            send(*it, plan, false);
            return;
        }
    }
    if (m_refreshWanted && !m_running) {
        startRefresh();
    }
}

void KeyTableModel::send(qint64 page, const PagePlan &plan, bool fresh)
{
    sql::PageRequest request;
    request.filter = m_filter;
    request.order = m_order;
    request.from = plan.from;
    request.backward = plan.backward;
    // One row more in front, wherever the place is not next to a loaded page: it is the place this page is read anew from.
    const bool lead = leads(plan);
    request.skip = lead && !plan.backward ? plan.skip - 1 : plan.skip;
    request.limit = (plan.tail > 0 ? plan.tail : PageCache::kSize) + (lead ? 1 : 0);
    if (!fresh) {
        request.now = m_now;
    }
    const quint64 ticket = ++m_ticket;
    m_runningPage = page;
    // Asked before it is told: who hears it may set another filter, whose request must be the newer one.
    auto future = m_fetchers.page(request);
    setRunning(true);
    whenDone(future, this, [this, ticket, page, plan](const sql::Result<sql::KeyPage> &result) {
        onPage(ticket, page, plan, result);
    });
}

void KeyTableModel::setRunning(bool running)
{
    if (running != m_running) {
        m_running = running;
        emit busyChanged();
    }
}

void KeyTableModel::onPage(quint64 ticket, qint64 page, const PagePlan &plan, const sql::Result<sql::KeyPage> &result)
{
    if (ticket != m_ticket) {
        return; // an answer to a filter, jump or scroll position of before
    }
    setRunning(false);
    if (m_firstPending) {
        result.ok() ? acceptFirst(*result) : failFirst(result.error());
    } else if (m_refreshing) {
        continueRefresh(result, plan);
    } else if (result.ok()) {
        acceptPage(page, plan, *result);
    } else if (result.error().kind == sql::ErrorKind::Superseded) {
        emitRows(page * PageCache::kSize, page * PageCache::kSize + PageCache::kSize - 1); // the view asks again if it still shows it
    } else {
        failPage(page, result.error());
    }
    if ((!m_wanted.isEmpty() || m_refreshWanted) && !m_pump.isActive()) {
        m_pump.start();
    }
}

void KeyTableModel::acceptFirst(const sql::KeyPage &result)
{
    beginResetModel();
    m_firstPending = false;
    m_outdated = false;
    m_pages.clear();
    Page page;
    page.rows = result.rows.mid(0, PageCache::kSize);
    page.moreAfter = result.more && page.rows.size() == PageCache::kSize;
    const qint64 rows = page.rows.size();
    m_endKnown = !page.moreAfter;
    m_pages.setRange(0, page.moreAfter ? rows + PageCache::kSize : rows);
    const bool more = page.moreAfter;
    m_pages.insert(std::move(page), 0, 0);
    m_visibleFirst = m_visibleLast = -1;
    noteFacts(result);
    endResetModel();
    if (more) {
        startCount();
    } else {
        setCount({ sql::RowCount::Kind::Exact, rows });
    }
    emit pageLoaded();
    if (std::exchange(m_jumpTo, std::nullopt) && rows > 0) {
        emit jumped(0);
    }
}

void KeyTableModel::failFirst(const sql::Error &error)
{
    m_firstPending = false;
    m_failing = true;
    m_outdated = false;
    m_pages.clear();
    reset(0, 0);
    emit failed(error);
}

void KeyTableModel::acceptPage(qint64 number, const PagePlan &plan, const sql::KeyPage &result)
{
    Answer answer = answerOf(number, plan, result);
    noteFacts(result);
    if (leads(plan)) {
        m_pages.setEdge(number * PageCache::kSize, answer.before);
    }
    if (plan.tail > 0) {
        acceptForward(std::move(answer.page), false);
    } else if (plan.backward) {
        acceptBackward(std::move(answer.page), answer.more);
    } else {
        acceptForward(std::move(answer.page), answer.more);
    }
    emitRows(number * PageCache::kSize, number * PageCache::kSize + PageCache::kSize - 1);
    emit pageLoaded();
    if (m_jumpTo && PageCache::pageOf(*m_jumpTo) == number) {
        const qint64 row = std::clamp(*m_jumpTo, m_pages.first(), std::max(m_pages.first(), m_pages.end() - 1));
        m_jumpTo.reset();
        emit jumped(int(row - m_pages.first()));
    }
}

void KeyTableModel::acceptForward(Page page, bool more)
{
    const qint64 number = page.number;
    const qint64 end = number * PageCache::kSize + page.rows.size();
    const bool joins = !page.rows.isEmpty() && m_pages.hasEdge((number + 1) * PageCache::kSize, page.rows.constLast().identity);
    if (!joins && m_pages.find(number + 1) != nullptr) {
        // The pages behind were read from another place: rows in the seam could be lost or shown twice.
        m_pages.removeRunFrom(number + 1);
    }
    const auto visible = visiblePages();
    m_pages.insert(std::move(page), visible.constFirst(), visible.constLast());
    if (!more) {
        m_endKnown = true;
        setEnd(end);
    } else if (end >= m_pages.end() && end - m_pages.first() < kMaxWindow) {
        m_endKnown = false;
        setEnd(std::min(end + PageCache::kSize, m_pages.first() + kMaxWindow));
    }
}

void KeyTableModel::acceptBackward(Page page, bool more)
{
    const qint64 number = page.number;
    page.offset = int(PageCache::kSize - page.rows.size());
    const qint64 begin = number * PageCache::kSize + page.offset;
    if (!more && m_pages.originKnown() && begin > 0) {
        // Fewer rows than the count said: what is known of positions is wrong. Start over from the front.
        m_pages.clearPages();
        m_endKnown = false;
        setEnd(std::max<qint64>(PageCache::kSize, m_pages.end() - begin));
        emitRows(m_pages.first(), m_pages.end() - 1);
        startCount();
        return;
    }
    const auto visible = visiblePages();
    m_pages.insert(std::move(page), visible.constFirst(), visible.constLast());
    if (m_pages.originKnown()) {
        return;
    }
    if (!more) {
        setFirst(begin);
    } else if (begin <= m_pages.first() && m_pages.end() - m_pages.first() < kMaxWindow) {
        setFirst(m_pages.first() - PageCache::kSize);
    }
}

void KeyTableModel::failPage(qint64 number, const sql::Error &error)
{
    m_pages.setFailure(number, error);
    emitRows(number * PageCache::kSize, number * PageCache::kSize + PageCache::kSize - 1);
    m_failing = true;
    emit failed(error);
}

void KeyTableModel::noteFacts(const sql::KeyPage &page)
{
    if (!m_now) {
        m_now = page.now;
    }
    m_tookMicros = page.tookMicros;
    m_notes = page.notes;
    m_orderUsed = page.order;
    if (m_failing && m_pages.failures().isEmpty()) {
        m_failing = false;
        emit recovered();
    }
}

void KeyTableModel::reset(qint64 first, qint64 end)
{
    beginResetModel();
    m_wanted.clear();
    m_pages.setRange(first, end);
    m_visibleFirst = m_visibleLast = -1;
    endResetModel();
}

void KeyTableModel::setEnd(qint64 end)
{
    end = std::clamp(end, m_pages.first(), m_pages.first() + kMaxWindow);
    const int before = rowCount();
    const int after = int(end - m_pages.first());
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_pages.setRange(m_pages.first(), end);
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_pages.setRange(m_pages.first(), end);
        endRemoveRows();
    }
}

void KeyTableModel::setFirst(qint64 first)
{
    const qint64 moved = first - m_pages.first();
    if (moved == 0) {
        return;
    }
    const int visible = m_visibleFirst;
    if (moved > 0) {
        beginRemoveRows({}, 0, int(std::min<qint64>(moved, rowCount())) - 1);
        m_pages.setRange(first, m_pages.end());
        endRemoveRows();
    } else {
        beginInsertRows({}, 0, int(-moved) - 1);
        m_pages.setRange(first, m_pages.end());
        endInsertRows();
    }
    if (visible >= 0) {
        // What the person looked at keeps its place on the screen.
        const int row = std::clamp(int(visible - moved), 0, std::max(0, rowCount() - 1));
        setVisibleRows(row, row + m_visibleLast - visible);
        emit jumped(row);
    }
}

void KeyTableModel::emitRows(qint64 firstRow, qint64 lastRow)
{
    const qint64 first = std::max(firstRow, m_pages.first());
    const qint64 last = std::min(lastRow, m_pages.end() - 1);
    if (first <= last && !m_columns.isEmpty()) {
        emit dataChanged(index(int(first - m_pages.first()), 0),
            index(int(last - m_pages.first()), int(m_columns.size()) - 1));
    }
}

QList<qint64> KeyTableModel::visiblePages() const
{
    QList<qint64> pages;
    if (m_visibleFirst < 0) {
        pages.append(m_running || m_jumpTo ? m_runningPage : PageCache::pageOf(m_pages.first()));
        return pages;
    }
    const qint64 lastRow = std::max<qint64>(m_pages.first(), m_pages.end() - 1);
    const qint64 first = PageCache::pageOf(std::min(m_pages.first() + m_visibleFirst, lastRow));
    const qint64 last = PageCache::pageOf(std::min(m_pages.first() + m_visibleLast, lastRow));
    for (qint64 page = first; page <= last && pages.size() < PageCache::kMaxPages / 2; ++page) {
        pages.append(page);
    }
    return pages;
}

} // namespace idemdesk::models
