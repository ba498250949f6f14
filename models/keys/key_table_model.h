// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/keys/key_columns.h"
#include "models/keys/page_feed.h"
#include "models/keys/page_reading.h"
#include "models/table/item_role.h"
#include "sql/types/target.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// Rows of one target in keyset pages, as a table: which rows there are, and what each cell shows. PageFeed reads the
/// pages that data() asks for, RowCounter counts, PageCache keeps. Lives on the GUI thread; data() never waits. Shows a
/// window of at most kMaxWindow rows (a QTableView costs 8 bytes a row); jumpToRow() moves it.
class KeyTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr qint64 kMaxWindow = 1'000'000;
    static constexpr qint64 kCountCap = RowCounter::kCap;

    using enum ItemRole;
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

    /// Moves the window so that the row with this 0-based number of the whole list is in it; gives its row in the
    /// model, or -1 where there is no such row.
    int jumpToRow(qint64 number);
    /// Moves to the first row at or after this time in an order by time. The rows' numbers are estimates afterwards.
    /// jumped() follows when the place is known.
    sql::Result<void> jumpToTime(const sql::Timestamp &time);
    /// To the first row of all where the rows' numbers are not known, as after a jump to a time: what is shown first is
    /// then not the beginning. False where it is, and there is nothing to read.
    bool jumpToFront();

    void setTimeFormat(const TimeFormat &format);
    const TimeFormat &timeFormat() const { return m_timeFormat; }

    const sql::Target &target() const { return m_target; }
    const QList<KeyColumnSpec> &columns() const { return m_columns; }
    int columnOf(KeyColumn column) const; ///< -1 where the target has none
    const sql::Filter &filter() const { return m_feed.filter(); }
    const sql::OrderLabel &order() const { return m_feed.order(); }
    const sql::RowCount &count() const { return m_counter.count(); } ///< rows that match
    /// The planner's estimate where the filter is empty, else Unknown.
    sql::RowCount estimate() const;
    qint64 numberOf(int row) const; ///< 0-based number in the whole list of a row of the model
    /// Whether numberOf() is only near the truth, as after a jump to a time until the list's first or last row is seen.
    bool numbersApproximate() const { return !front(); }
    /// Whether numberOf() says nothing at all: the list was entered where nobody has counted.
    bool numbersUnknown() const { return numbersApproximate() && m_guessed; }
    std::optional<sql::Timestamp> serverNow() const { return m_feed.now(); } ///< of the newest page
    qint64 tookMicros() const { return m_tookMicros; } ///< the newest page
    QString orderUsed() const { return m_orderUsed; }
    const QStringList &notes() const { return m_notes; }
    bool busy() const { return m_feed.busy(); } ///< a page is under way
    bool failing() const { return m_failing; } ///< failed() was the last word
    bool countBusy() const { return m_counter.busy(); }
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
    void acceptFirst(const sql::KeyPage &result);
    void failFirst(const sql::Error &error);
    void takePage(qint64 number, const PagePlan &plan, const sql::Result<sql::KeyPage> &result);
    void acceptPage(qint64 number, const PagePlan &plan, const sql::KeyPage &result);
    void acceptForward(Page page, bool more);
    void acceptBackward(Page page, bool more);
    void failPage(qint64 number, const sql::Error &error);
    void noteFacts(const sql::KeyPage &page);
    void merge(const PageRefresh &refresh);
    void replacePages(const QList<Page> &fresh);
    void followMoves(const QHash<qint64, qint64> &moves);
    void takeCount();

    std::optional<qint64> front() const; ///< number that the cache gives the list's first row; nothing: not known
    void reset(qint64 first, qint64 end);
    void setEnd(qint64 end);
    void setFirst(qint64 first);
    void emitRows(qint64 firstRow, qint64 lastRow);
    void emitPage(qint64 number);
    QList<qint64> visiblePages() const;
    QVariant recordData(const sql::KeyRecord &record, const KeyColumnSpec &spec, int role) const;
    QVariant absentData(qint64 page, const KeyColumnSpec &spec, int role) const;

    sql::Target m_target;
    QList<KeyColumnSpec> m_columns;
    TimeFormat m_timeFormat;
    PageCache m_pages;
    RowCounter m_counter;
    mutable PageFeed m_feed; ///< data() tells it what is looked at
    qint64 m_tookMicros = 0;
    QString m_orderUsed;
    QStringList m_notes;
    bool m_outdated = false; ///< rows shown belong to the query before
    bool m_failing = false;
    bool m_endKnown = false; ///< the list's last row was seen
    bool m_guessed = false; ///< where the list was entered is a guess
    std::optional<qint64> m_seenFront; ///< numbers of the list's first row and of the one after its last, where the
    std::optional<qint64> m_seenBack; ///< list was entered in its middle and they were read since
    std::optional<qint64> m_jumpTo; ///< row to announce by jumped() once its page is in
    int m_visibleFirst = -1;
    int m_visibleLast = -1;
};

} // namespace idemdesk::models
