// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"
#include "sql/types/key_page.h"

#include <QHash>
#include <QMap>
#include <optional>

namespace idemdesk::models {

/// One loaded page of the list. Rows are numbered by position in the list; where the list was entered in its middle
/// (a jump to a time) the numbers are estimates and may become negative.
struct Page {
    qint64 number = 0; ///< its first slot is row number * PageCache::kSize
    QList<sql::KeyRecord> rows;
    int offset = 0; ///< slots left empty at its beginning: the list begins inside this page
    bool moreAfter = false;
    bool approximate = false; ///< reached by a skip over rows that may have changed, not by its neighbour

    qint64 firstRow() const; ///< number of the first of rows
};

/// How a page is best read from what is known.
struct PagePlan {
    sql::Cursor from;
    bool backward = false;
    qint64 skip = 0;
    bool approximate = false;
    int tail = 0; ///< the list's last page, read from its end: so many rows, counted from the page's first slot
};

/// Loaded pages, the places known between them, and which rows the window shows. No signals, no fetching.
class PageCache
{
public:
    static constexpr int kSize = 200;
    static constexpr int kMaxPages = 24; ///< about 4 KiB a row: 20 MiB
    static constexpr int kMaxEdges = 6'000;

    static qint64 pageOf(qint64 row) { return row >= 0 ? row / kSize : -((-row + kSize - 1) / kSize); }

    void clear();
    /// Forgets pages, edges and failures, and keeps the range shown.
    void clearPages();

    qint64 first() const { return m_first; }
    qint64 end() const { return m_end; }
    void setRange(qint64 first, qint64 end);
    bool originKnown() const { return m_originKnown; }
    void setOriginKnown(bool known) { m_originKnown = known; }

    const Page *find(qint64 number) const;
    /// The page, as the one used last.
    const Page *touch(qint64 number) const;
    const sql::KeyRecord *row(qint64 row) const;
    void insert(const Page &page, qint64 keepFirst, qint64 keepLast);
    void remove(qint64 number);
    QList<qint64> loaded() const { return m_pages.keys(); }

    const sql::Error *failure(qint64 number) const;
    void setFailure(qint64 number, const sql::Error &error);
    QList<qint64> failures() const { return m_failures.keys(); }
    void clearFailure(qint64 number) { m_failures.remove(number); }
    void clearFailures() { m_failures.clear(); }

    void setBoundaries(const sql::Boundaries &boundaries);
    bool hasBoundaries() const { return m_boundaries.step > 0; }
    const sql::Boundaries &boundaries() const { return m_boundaries; }
    void dropBoundaries() { m_boundaries = {}; }

    /// A place between two rows that belongs to none of them (a jump to a time): good in both directions.
    void setAnchor(qint64 row, const sql::Cursor &cursor) { m_anchor = { row, cursor }; }
    /// The place just before this row was learnt with a page; nothing forgets it.
    void setEdge(qint64 row, const std::optional<sql::Cursor> &cursor);
    bool hasEdge(qint64 row, const sql::Cells &identity) const;
    /// Forgets the unbroken run of loaded pages that begins at this one, and the places in it.
    void removeRunFrom(qint64 number);

    /// How to read this page: from its neighbour if that is loaded, else with the least skip from a known place.
    /// `total` is the exact number of rows, or -1.
    PagePlan plan(qint64 number, qint64 total) const;

private:
    void evict(qint64 keepFirst, qint64 keepLast);

    qint64 m_first = 0;
    qint64 m_end = 0;
    bool m_originKnown = true; ///< row 0 is the list's first
    QMap<qint64, Page> m_pages;
    mutable QHash<qint64, quint64> m_used;
    mutable quint64 m_clock = 0;
    QMap<qint64, sql::Cursor> m_edges; ///< row -> the place just before it
    QMap<qint64, sql::Error> m_failures;
    sql::Boundaries m_boundaries;
    std::optional<std::pair<qint64, sql::Cursor>> m_anchor;
};

inline qint64 Page::firstRow() const
{
    return number * PageCache::kSize + offset;
}

/// The place just after this row.
sql::Cursor cursorAfter(const sql::KeyRecord &record);

} // namespace idemdesk::models
