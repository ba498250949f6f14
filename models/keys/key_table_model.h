// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/keys/key_columns.h"
#include "models/keys/page_cache.h"
#include "sql/types/key_page.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QFuture>
#include <QTimer>
#include <functional>
#include <optional>

namespace idemdesk::models {

/// Where the model's rows come from. Each call returns at once; the future ends on the GUI thread's side. A newer page
/// request may supersede an older one (its future then ends with ErrorKind::Superseded).
struct KeyFetchers {
    std::function<QFuture<sql::Result<sql::KeyPage>>(const sql::PageRequest &)> page;
    /// cap 0: to the end.
    std::function<QFuture<sql::Result<sql::RowCount>>(const sql::Filter &, qint64 cap, std::optional<sql::Timestamp> now)> count;
    std::function<QFuture<sql::Result<sql::Boundaries>>(
        const sql::Filter &, const sql::OrderLabel &, qint64 step, std::optional<sql::Timestamp> now)>
        boundaries;
    std::function<sql::Result<sql::Cursor>(const sql::OrderLabel &, const sql::Timestamp &)> cursorAtTime;
    std::function<void()> cancel; ///< stops what is under way; may be empty
};

/// Rows of one target in keyset pages, asked for by data() and gathered by a 0 ms timer. Lives on the GUI thread; data()
/// never waits. Shows a window of at most kMaxWindow rows (a QTableView costs 8 bytes a row); jumpToRow() moves it.
class KeyTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr qint64 kMaxWindow = 1'000'000;
    static constexpr qint64 kCountCap = 10'000;

    enum ItemRole {
        RawRole = Qt::UserRole, ///< the value itself: QString, invalid for NULL
        RecordRole, ///< sql::KeyRecord; invalid while loading
        StateRole, ///< int of sql::KeyState; invalid while loading
        StaleRole, ///< bool; invalid where the profile cannot say
        ExpiredRole, ///< bool; invalid where the profile cannot say
        LoadStateRole, ///< int of LoadState
        ApproximateRole, ///< bool: the row's number is an estimate, or the row lies beyond the known part
        ErrorRole, ///< QString, plain: why this cell or this page could not be read
        RowNumberRole ///< qint64, 1-based, of the whole list
    };
    enum class LoadState { Loaded, Loading, Outdated, Failed };
    Q_ENUM(LoadState)

    explicit KeyTableModel(QObject *parent = nullptr);
    ~KeyTableModel() override;

    /// Another table: columns change and the model is empty until setQuery(). Results of the old one are dropped.
    void setSource(const sql::Target &target, KeyFetchers fetchers);
    /// Other ways to the same rows, for the queries from now on.
    void setFetchers(KeyFetchers fetchers);
    void clearSource();
    /// Another filter or order. The old rows stay, marked Outdated, until the first new page is in; then one reset.
    void setQuery(const sql::Filter &filter, const sql::OrderLabel &order);
    /// Reads the visible pages and the count again and merges rows by identity; selection and scroll stay.
    void refresh();
    /// Stops what is under way; rows still loading become Failed with ErrorKind::Cancelled.
    void cancel();
    /// Asks again for the page of this row after it failed; -1: for all that failed.
    void retry(int row = -1);

    /// Rows the view shows now; what refresh() reads again first. Views call it when they scroll or resize.
    void setVisibleRows(int first, int last);
    int firstVisibleRow() const { return m_visibleFirst; }
    int lastVisibleRow() const { return m_visibleLast; }

    /// Moves the window so that the row with this 0-based number of the whole list is in it; gives its row in the model,
    /// or -1 where there is no such row.
    int jumpToRow(qint64 number);
    /// Moves to the first row at or after this time in an order by time. The rows' numbers are estimates afterwards.
    /// jumped() follows when the place is known.
    sql::Result<void> jumpToTime(const sql::Timestamp &time);
    /// To the first row of all where the rows' numbers are not known, as after a jump to a time: what is shown first is then not
    /// the beginning. False where it is, and there is nothing to read.
    bool jumpToFront();

    void setTimeFormat(const TimeFormat &format);
    const TimeFormat &timeFormat() const { return m_timeFormat; }

    const sql::Target &target() const { return m_target; }
    const QList<KeyColumnSpec> &columns() const { return m_columns; }
    int columnOf(KeyColumn column) const; ///< -1 where the target has none
    const sql::Filter &filter() const { return m_filter; }
    const sql::OrderLabel &order() const { return m_order; }
    const sql::RowCount &count() const { return m_count; } ///< rows that match
    /// The planner's estimate where the filter is empty, else Unknown.
    sql::RowCount estimate() const;
    qint64 numberOf(int row) const; ///< 0-based number in the whole list of a row of the model
    bool numbersApproximate() const { return !m_pages.originKnown(); }
    std::optional<sql::Timestamp> serverNow() const { return m_now; } ///< of the newest page
    qint64 tookMicros() const { return m_tookMicros; } ///< the newest page
    QString orderUsed() const { return m_orderUsed; }
    const QStringList &notes() const { return m_notes; }
    bool busy() const { return m_running || m_firstPending; } ///< a page is under way
    bool failing() const { return m_failing; } ///< failed() was the last word
    bool countBusy() const { return m_countRunning; }
    std::optional<sql::KeyRecord> record(int row) const;
    /// Row of this identity among the loaded pages, or -1.
    int rowOf(const sql::Cells &identity) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

signals:
    void busyChanged();
    void countChanged();
    void pageLoaded(); ///< now, took, notes and order are new
    void failed(const idemdesk::sql::Error &error); ///< the first page: nothing to show, or a later one
    void recovered(); ///< a page came after failed()
    void merged(); ///< a refresh is through
    void jumped(int row); ///< scroll to this row
    void windowMoved(); ///< another part of the list is in the window

private:
    /// The visible pages being read anew; merged when the last one is in.
    struct Refreshing {
        QList<qint64> pages;
        QList<Page> fresh;
        bool endSeen = false;
    };

    struct Answer {
        Page page;
        std::optional<sql::Cursor> before; ///< the place in front of the page, where one row more was asked
        bool more = false; ///< rows follow in the direction read
    };

    void want(qint64 page) const;
    Answer answerOf(qint64 number, const PagePlan &plan, const sql::KeyPage &result) const;
    void pump();
    bool waitsForBoundaries(const PagePlan &plan) const;
    void send(qint64 page, const PagePlan &plan, bool fresh);
    void onPage(quint64 ticket, qint64 page, const PagePlan &plan, const sql::Result<sql::KeyPage> &result);
    void acceptFirst(const sql::KeyPage &result);
    void failFirst(const sql::Error &error);
    void acceptPage(qint64 number, const PagePlan &plan, const sql::KeyPage &result);
    void acceptForward(Page page, bool more);
    void acceptBackward(Page page, bool more);
    void failPage(qint64 number, const sql::Error &error);
    void noteFacts(const sql::KeyPage &page);
    void setRunning(bool running);
    void reset(qint64 first, qint64 end);
    void setEnd(qint64 end);
    void setFirst(qint64 first);
    void emitRows(qint64 firstRow, qint64 lastRow);
    QList<qint64> visiblePages() const;

    void startRefresh();
    void continueRefresh(const sql::Result<sql::KeyPage> &result, const PagePlan &plan);
    void merge(const Refreshing &refreshing);
    void replacePages(const QList<Page> &fresh);

    void startCount();
    void startExactCount();
    void onCount(const sql::Result<sql::RowCount> &result, bool exact);
    void setCount(const sql::RowCount &count);
    void startBoundaries();
    qint64 estimateRowAt(const sql::Timestamp &time) const;
    qint64 exactTotal() const;
    QVariant absentData(qint64 page, const KeyColumnSpec &spec, int role) const;

    sql::Target m_target;
    KeyFetchers m_fetchers;
    QList<KeyColumnSpec> m_columns;
    TimeFormat m_timeFormat;
    sql::Filter m_filter;
    sql::OrderLabel m_order;
    sql::RowCount m_count;
    std::optional<sql::Timestamp> m_now;
    qint64 m_tookMicros = 0;
    QString m_orderUsed;
    QStringList m_notes;

    quint64 m_generation = 0; ///< of filter and order; results of older ones are dropped
    quint64 m_ticket = 0; ///< of the page request under way; an answer to another one is dropped
    bool m_active = false; ///< setQuery() was called for this source
    bool m_firstPending = false;
    bool m_outdated = false; ///< rows shown belong to the query before
    bool m_running = false;
    qint64 m_runningPage = 0;
    bool m_failing = false;
    bool m_endKnown = false; ///< the list's last row was seen
    std::optional<qint64> m_jumpTo; ///< row to announce by jumped() once its page is in
    bool m_countRunning = false;
    quint64 m_countTicket = 0;
    QElapsedTimer m_sinceExact;
    qint64 m_exactTookMs = -1; ///< how long the exact count took last
    qint64 m_lastExact = -1;
    bool m_boundariesRunning = false;
    bool m_boundariesTried = false;
    std::optional<Refreshing> m_refreshing;
    bool m_refreshWanted = false;

    PageCache m_pages;
    mutable QList<qint64> m_wanted; ///< pages data() asked for, the newest last
    mutable QTimer m_pump;
    int m_visibleFirst = -1;
    int m_visibleLast = -1;
};

} // namespace idemdesk::models
