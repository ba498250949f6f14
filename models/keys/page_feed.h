// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/boundary_scan.h"
#include "models/keys/page_merge.h"
#include "models/keys/row_counter.h"

#include <QTimer>

namespace idemdesk::models {

/// Where a list's rows come from. Each call returns at once; the future ends on the GUI thread's side. A newer page
/// request may supersede an older one (its future then ends with ErrorKind::Superseded).
struct KeyFetchers {
    std::function<QFuture<sql::Result<sql::KeyPage>>(const sql::PageRequest &)> page;
    RowCounter::Ask count;
    BoundaryScan::Ask boundaries;
    std::function<sql::Result<sql::Cursor>(const sql::OrderLabel &, const sql::Timestamp &)> cursorAtTime;
    std::function<void()> cancel; ///< stops what is under way; may be empty
};

/// Asks for the pages of one list, one at a time: the first page, then the newest wish, then a refresh of what is
/// shown. Answers to older questions are dropped. What an answer does to the list is its owner's matter. Lives on the
/// GUI thread.
class PageFeed final : public QObject
{
    Q_OBJECT

public:
    using ShownPages = std::function<QList<qint64>()>;

    /// pages: what is known of the list; counter: how long it is; shown: the pages that a refresh reads, in a row.
    PageFeed(PageCache &pages, const RowCounter &counter, ShownPages shown, QObject *parent = nullptr);

    void setFetchers(const KeyFetchers &fetchers);
    bool canRead() const { return bool(m_fetchers.page); }
    void clear(); ///< no list
    void open(const sql::Filter &filter, const sql::OrderLabel &order); ///< another list; nothing is read of it yet
    void readFirst();

    void want(qint64 page); ///< somebody looks at it
    void forgetWishes();
    void refresh(); ///< once nothing else is to be read
    void giveUp(); ///< what is under way is of another place in the list
    void cancel(); ///< stops what is under way; all that was asked for fails with ErrorKind::Cancelled
    void gatherPlaces(); ///< for far jumps, once the list's length is known

    const sql::Filter &filter() const { return m_filter; }
    const sql::OrderLabel &order() const { return m_order; }
    const std::optional<sql::Timestamp> &now() const { return m_now; } ///< the list's $now: of the first or newest page
    bool active() const { return m_active; } ///< there is a list
    bool firstPending() const { return m_firstPending; }
    bool refreshing() const { return m_refresh.has_value(); }
    bool busy() const { return m_running || m_firstPending; }
    qint64 newestPage() const { return m_runningPage; } ///< asked for last

    /// The place just before a time, or what is wrong with asking for it.
    sql::Result<sql::Cursor> cursorAtTime(const sql::Timestamp &time) const;

signals:
    void busyChanged();
    void firstRead(const idemdesk::sql::Result<idemdesk::sql::KeyPage> &result);
    void pageRead(qint64 page, const idemdesk::models::PagePlan &plan,
        const idemdesk::sql::Result<idemdesk::sql::KeyPage> &result);
    void refreshed(const idemdesk::models::PageRefresh &refresh, const idemdesk::sql::KeyPage &newest);
    void refreshFailed(const idemdesk::sql::Error &error);

private:
    void pump();
    void wake();
    void dropOutdatedWishes();
    void send(qint64 page, const PagePlan &plan, bool fresh);
    void accept(quint64 ticket, qint64 page, const PagePlan &plan, const sql::Result<sql::KeyPage> &result);
    void acceptRefreshed(const PagePlan &plan, const sql::Result<sql::KeyPage> &result);
    void answerFirst(const sql::Result<sql::KeyPage> &result);
    void startRefresh();
    void takePlaces(const sql::Boundaries &found);
    void setRunning(bool running);

    PageCache &m_pages;
    const RowCounter &m_counter;
    ShownPages m_shown;
    KeyFetchers m_fetchers;
    BoundaryScan m_scan;
    sql::Filter m_filter;
    sql::OrderLabel m_order;
    std::optional<sql::Timestamp> m_now;
    bool m_active = false;
    bool m_firstPending = false;
    bool m_running = false;
    qint64 m_runningPage = 0;
    quint64 m_ticket = 0; ///< of the request under way
    std::optional<PageRefresh> m_refresh; ///< the one under way
    bool m_refreshWanted = false;
    QList<qint64> m_wanted; ///< the newest last
    QTimer m_pump; ///< gathers the wishes of one turn of the event loop
};

} // namespace idemdesk::models
