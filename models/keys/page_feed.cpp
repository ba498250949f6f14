// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/page_feed.h"

#include "models/async.h"
#include "models/keys/page_reading.h"

#include <algorithm>
#include <utility>

namespace idemdesk::models {

namespace {

/// A place this far from a known one is read by skipping; farther ones wait for boundaries.
constexpr qint64 kMaxSkip = 50'000;
/// Wishes kept: what two screens of a fast scroll can touch. Older ones are off the screen by now.
constexpr int kMaxWanted = 4;

} // namespace

PageFeed::PageFeed(PageCache &pages, const RowCounter &counter, ShownPages shown, QObject *parent)
    : QObject(parent)
    , m_pages(pages)
    , m_counter(counter)
    , m_shown(std::move(shown))
{
    m_pump.setSingleShot(true);
    m_pump.setInterval(0);
    connect(&m_pump, &QTimer::timeout, this, &PageFeed::pump);
    connect(&m_scan, &BoundaryScan::ended, this, &PageFeed::takePlaces);
}

void PageFeed::setFetchers(const KeyFetchers &fetchers)
{
    m_fetchers = fetchers;
    m_scan.setAsk(fetchers.boundaries);
}

void PageFeed::clear()
{
    open({}, {});
    m_active = m_firstPending = m_running = false;
    setFetchers({});
}

void PageFeed::open(const sql::Filter &filter, const sql::OrderLabel &order)
{
    ++m_ticket; // before cancelling: answers given up now concern nobody
    m_scan.reset();
    if (m_active && m_fetchers.cancel) {
        m_fetchers.cancel();
    }
    m_active = true;
    m_filter = filter;
    m_order = order;
    m_firstPending = true;
    m_refresh.reset();
    m_refreshWanted = false;
    m_wanted.clear();
    m_pages.dropBoundaries();
    m_now.reset();
}

void PageFeed::readFirst()
{
    send(0, {}, true);
}

void PageFeed::want(qint64 page)
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
    wake();
}

void PageFeed::forgetWishes()
{
    m_wanted.clear();
}

void PageFeed::refresh()
{
    m_refreshWanted = true;
    if (!m_running) {
        startRefresh();
    }
}

void PageFeed::giveUp()
{
    ++m_ticket;
    setRunning(false);
    m_refresh.reset();
}

void PageFeed::cancel()
{
    ++m_ticket;
    if (m_fetchers.cancel) {
        m_fetchers.cancel();
    }
    m_scan.stopWaiting();
    m_refresh.reset();
    m_refreshWanted = false;
    const sql::Error error = sql::makeError(sql::ErrorKind::Cancelled, tr("Reading the list was cancelled."));
    if (m_running) {
        setRunning(false);
        if (m_firstPending) {
            answerFirst(error);
        } else {
            emit pageRead(m_runningPage, {}, error);
        }
    }
    for (const qint64 page : std::exchange(m_wanted, {})) {
        if (m_pages.find(page) == nullptr && m_pages.failure(page) == nullptr) {
            emit pageRead(page, {}, error);
        }
    }
}

void PageFeed::gatherPlaces()
{
    m_scan.start(m_filter, m_order, m_counter.exact(), m_now);
}

sql::Result<sql::Cursor> PageFeed::cursorAtTime(const sql::Timestamp &time) const
{
    if (!m_active || m_firstPending || !m_fetchers.cursorAtTime) {
        return sql::makeError(sql::ErrorKind::Usage, tr("There is no list to jump in yet."));
    }
    return m_fetchers.cursorAtTime(m_order, time);
}

void PageFeed::wake()
{
    if (!m_pump.isActive()) {
        m_pump.start();
    }
}

void PageFeed::dropOutdatedWishes()
{
    m_wanted.removeIf([this](qint64 page) {
        return m_pages.find(page) != nullptr || m_pages.failure(page) != nullptr
            || page < PageCache::pageOf(m_pages.first())
            || page > PageCache::pageOf(std::max(m_pages.first(), m_pages.end() - 1));
    });
}

void PageFeed::pump()
{
    if (!m_active || m_firstPending || m_refresh) {
        return;
    }
    dropOutdatedWishes();
    // A page nobody looks at any more gives way; the lane drops its request when the next one comes.
    if (m_running && (m_wanted.isEmpty() || m_wanted.contains(m_runningPage))) {
        return;
    }
    for (auto it = m_wanted.crbegin(); it != m_wanted.crend(); ++it) {
        const PagePlan plan = m_pages.plan(*it, m_counter.exact());
        if (plan.skip <= kMaxSkip || !m_scan.running()) {
            send(*it, plan, false);
            return;
        }
    }
    if (m_refreshWanted && !m_running) {
        startRefresh();
    }
}

void PageFeed::send(qint64 page, const PagePlan &plan, bool fresh)
{
    sql::PageRequest request = requestOf(plan);
    request.filter = m_filter;
    request.order = m_order;
    if (!fresh) {
        request.now = m_now;
    }
    const quint64 ticket = ++m_ticket;
    m_runningPage = page;
    // Asked before it is told: who hears it may set another filter, whose request must be the newer one.
    auto future = m_fetchers.page(request);
    setRunning(true);
    whenDone(future, this,
        [this, ticket, page, plan](const sql::Result<sql::KeyPage> &result) { accept(ticket, page, plan, result); });
}

void PageFeed::setRunning(bool running)
{
    if (running != m_running) {
        m_running = running;
        emit busyChanged();
    }
}

void PageFeed::accept(quint64 ticket, qint64 page, const PagePlan &plan, const sql::Result<sql::KeyPage> &result)
{
    if (ticket != m_ticket) {
        return; // an answer to a filter, jump or scroll position of before
    }
    setRunning(false);
    if (m_firstPending) {
        answerFirst(result);
    } else if (m_refresh) {
        acceptRefreshed(plan, result);
    } else {
        emit pageRead(page, plan, result);
    }
    if (!m_wanted.isEmpty() || m_refreshWanted) {
        wake();
    }
}

void PageFeed::answerFirst(const sql::Result<sql::KeyPage> &result)
{
    m_firstPending = false;
    if (result.ok()) {
        m_now = result->now;
    }
    emit firstRead(result);
}

void PageFeed::startRefresh()
{
    m_refreshWanted = false;
    m_refresh.emplace(m_shown());
    send(m_refresh->number(), m_pages.plan(m_refresh->number(), -1), true);
}

void PageFeed::acceptRefreshed(const PagePlan &plan, const sql::Result<sql::KeyPage> &result)
{
    if (!result.ok()) {
        m_refresh.reset();
        if (result.error().kind != sql::ErrorKind::Superseded && result.error().kind != sql::ErrorKind::Cancelled) {
            emit refreshFailed(result.error());
        }
        return;
    }
    const PageAnswer answer = answerOf(m_refresh->number(), plan, *result);
    if (readsLead(plan)) {
        m_pages.setEdge(answer.page.number * PageCache::kSize, answer.before);
    }
    if (const auto next = m_refresh->take(answer.page, m_pages.originKnown())) {
        send(m_refresh->number(), *next, true);
        return;
    }
    m_now = result->now;
    const PageRefresh done = *std::exchange(m_refresh, std::nullopt);
    emit refreshed(done, *result);
}

void PageFeed::takePlaces(const sql::Boundaries &found)
{
    if (found.step > 0) {
        m_pages.setBoundaries(found);
    }
    if (!m_wanted.isEmpty()) {
        wake();
    }
}

} // namespace idemdesk::models

#include "moc_page_feed.cpp"
