// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/page_reader.h"

#include "sql/keys/resolve.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QElapsedTimer>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Rows of one segment and, where the identity is not unique, the group of ties each belongs to.
struct SegmentRows {
    QList<KeyRecord> rows;
    QList<qint64> groups;
};

/// Reads the segments of an order one after another until the page is full.
class PageReader
{
public:
    /// cells: the target that reads the rows' values, where `target` reads around some that cannot be
    /// filtered.
    PageReader(
        Session &session, const Target &target, const PageRequest &request, const Target *cells = nullptr)
        : m_session(session)
        , m_target(target)
        , m_cells(cells != nullptr ? *cells : target)
        , m_request(request)
        , m_salvage(request.salvage || cells != nullptr)
        , m_now(request.now)
    {
    }

    Result<KeyPage> read()
    {
        QElapsedTimer timer;
        timer.start();
        auto order = resolveOrder(m_target, m_request.order, m_request.filter);
        if (!order) {
            return order.error();
        }
        m_order = *order;
        auto filter = resolveFilter(m_session, m_target, m_request.filter);
        if (!filter) {
            return filter.error();
        }
        m_filter = std::move(*filter);
        m_page.order = m_order.label;
        m_page.notes = m_filter.notes;
        if (const auto rows = fill(); !rows) {
            return rows.error();
        }
        if (!m_now) {
            const auto now = serverNow(m_session);
            if (!now) {
                return now.error();
            }
            m_now = *now;
        }
        if (m_request.backward) {
            std::reverse(m_page.rows.begin(), m_page.rows.end());
        }
        m_page.now = *m_now;
        if (m_target.relation.rowSecurity) {
            m_page.notes += rowsHiddenNote();
        }
        m_page.tookMicros = timer.nsecsElapsed() / 1000;
        return m_page;
    }

private:
    Result<void> fill()
    {
        const int limit = qMax(1, m_request.limit);
        const QList<Segment> segments = segmentsOf(m_order, m_request.backward);
        const qsizetype first = qMax<qsizetype>(0, firstSegment(segments, m_request.from));
        qint64 skip = m_request.skip;
        for (qsizetype i = first; i < segments.size() && !m_page.more; ++i) {
            SegmentRequest segment { m_filter, m_order, segments.at(i), i == first ? m_request.from : Cursor(), m_request.backward,
                qMax<qint64>(1, limit - m_page.rows.size() + 1), skip, m_now };
            auto rows = segmentRows(segment);
            if (!rows) {
                return rows.error();
            }
            if (skip > 0 && rows->rows.isEmpty() && i + 1 < segments.size()) {
                const auto passed = countSkipped(segment);
                if (!passed) {
                    return passed.error();
                }
                skip -= *passed;
                continue;
            }
            skip = 0;
            if (const auto taken = take(std::move(*rows), limit, segment); !taken) {
                return taken.error();
            }
        }
        return {};
    }

    Result<SegmentRows> segmentRows(const SegmentRequest &request)
    {
        if (!m_salvage) {
            auto rows = plainRows(request);
            // A value the filter brought is the filter's fault; else some row's own value defeated an expression.
            if (rows || !isRowsFault(rows.error())) {
                return rows;
            }
            auto saved = salvaged(request);
            return saved ? saved : rows;
        }
        return salvaged(request);
    }

    Result<SegmentRows> salvaged(SegmentRequest request)
    {
        if (!m_now) {
            const auto now = serverNow(m_session);
            if (!now) {
                return now.error();
            }
            m_now = *now;
        }
        request.now = m_now;
        auto rows = salvageRows(m_session, m_cells, m_target, request, *m_now);
        if (!rows) {
            return rows.error();
        }
        SegmentRows out { std::move(*rows), {} };
        const QString note = Tr::tr("Some cells could not be read; they show the server's message.");
        if (!m_page.notes.contains(note)) {
            m_page.notes += note;
        }
        return out;
    }

    Result<SegmentRows> plainRows(const SegmentRequest &request)
    {
        Render render(m_target);
        RowMapper mapper(render, &m_order, 0);
        int group = -1;
        if (!m_target.identityUnique) {
            group = mapper.add(u"pg_catalog.rank() OVER (ORDER BY "_s + sortList(m_order, request.segment, request.backward) + u")"_s);
        }
        const auto statement = segmentStatement(render, mapper.selectList(), request);
        if (!statement) {
            return statement.error();
        }
        SegmentRows out;
        out.rows.reserve(request.limit);
        const auto read = m_session.each(*statement, [&](const Row &row) {
            out.rows.append(mapper.record(row));
            if (group >= 0) {
                out.groups.append(row.integer(group));
            }
            if (!m_now) {
                m_now = Timestamp::parse(row.text(mapper.nowColumn()));
            }
            return true;
        });
        if (!read) {
            return render.located(read.error());
        }
        return out;
    }

    /// Takes over the rows that fit, whole groups of ties only.
    Result<void> take(SegmentRows segment, int limit, const SegmentRequest &request)
    {
        QList<KeyRecord> &rows = segment.rows;
        qsizetype keep = limit - m_page.rows.size();
        if (rows.size() <= keep) {
            m_page.rows += rows;
            return {};
        }
        m_page.more = true;
        if (keep <= 0) {
            return {};
        }
        if (!segment.groups.isEmpty() && segment.groups.at(keep - 1) == segment.groups.last()) {
            // The group at the end began before it. It is complete: rows that tie came along.
            const qsizetype start = segment.groups.indexOf(segment.groups.last());
            if (start > 0 || !m_page.rows.isEmpty()) {
                keep = start;
            } else {
                keep = rows.size();
                const auto further = anyAfter(rows.last(), request);
                if (!further) {
                    return further.error();
                }
                m_page.more = *further;
            }
        }
        m_page.rows += rows.mid(0, keep);
        return {};
    }

    /// Does anything follow this row? Asked only when one group of ties fills the page.
    Result<bool> anyAfter(const KeyRecord &last, SegmentRequest request)
    {
        const QList<Segment> segments = segmentsOf(m_order, m_request.backward);
        for (qsizetype i = segments.indexOf(request.segment); i < segments.size(); ++i) {
            Render render(m_target);
            request.from = segments.at(i) == request.segment ? Cursor { last.orderValue, last.identity } : Cursor();
            request.segment = segments.at(i);
            request.limit = 1;
            request.skip = 0;
            const auto statement = segmentStatement(render, u"1"_s, request);
            if (!statement) {
                return statement.error();
            }
            const auto rows = m_session.all(*statement);
            if (!rows) {
                return rows.error();
            }
            if (!rows->isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /// How many rows of the segment the skip passed over, when it passed over all of them.
    Result<qint64> countSkipped(SegmentRequest request)
    {
        Render render(m_target);
        request.limit = request.skip;
        request.skip = 0;
        const auto statement = segmentStatement(render, u"1"_s, request);
        if (!statement) {
            return statement.error();
        }
        Statement counted = *statement;
        counted.sql = u"SELECT pg_catalog.count(*) FROM ("_s + counted.sql + u") x"_s;
        const auto count = m_session.one(counted);
        return count ? Result<qint64>(count->first().text.toLongLong()) : Result<qint64>(count.error());
    }

    Session &m_session;
    const Target &m_target;
    const Target &m_cells;
    const PageRequest &m_request;
    const bool m_salvage;
    std::optional<Timestamp> m_now;
    ResolvedOrder m_order;
    ResolvedFilter m_filter;
    KeyPage m_page;
};

} // namespace

Result<Statement> segmentStatement(Render &render, const QString &selectList, const SegmentRequest &request)
{
    const auto condition = filterCondition(render, request.filter);
    if (!condition) {
        return condition.error();
    }
    QStringList where;
    if (*condition != u"true") {
        where += *condition;
    }
    if (const QString after = afterCursor(render, request.order, request.segment, request.from, request.backward); after != u"true") {
        where += after;
    }
    QString sql = u"SELECT "_s + selectList + render.from();
    if (!where.isEmpty()) {
        sql += u" WHERE "_s + where.join(u" AND "_s);
    }
    if (const QString sorted = sortList(request.order, request.segment, request.backward); !sorted.isEmpty()) {
        sql += u" ORDER BY "_s + sorted;
        if (request.skip > 0) {
            sql += u" OFFSET "_s + render.bindNumber(request.skip);
        }
        if (request.limit > 0) {
            // A literal: a planner that knows the limit chooses the index in the page's order.
            sql += render.target().identityUnique ? u" LIMIT "_s + QString::number(request.limit)
                                                  : u" FETCH FIRST "_s + QString::number(request.limit) + u" ROWS WITH TIES"_s;
        }
    }
    return render.finish(sql, request.now);
}

Result<KeyPage> readPage(Session &session, const Target &target, const PageRequest &request)
{
    // Where the filter or the order itself fails on some row, such rows are in no page but that of unknown
    // ones.
    AroundReader around(session, target, false);
    if (asksForUnknown(request.filter)) {
        around.learnAll();
    }
    const auto read = [&] {
        const bool whole = &around.target() == &target;
        return PageReader(session, around.target(), request, whole ? nullptr : &target).read();
    };
    auto page = read();
    while (!page && around.learned(page.error())) {
        page = read();
    }
    if (page && !around.note().isEmpty()) {
        page->notes += around.note();
    }
    return page;
}

Result<Statement> pageStatement(const Target &target, const PageRequest &request)
{
    const auto order = resolveOrder(target, request.order, request.filter);
    if (!order) {
        return order.error();
    }
    ResolvedFilter filter;
    filter.filter = request.filter;
    const QList<Segment> segments = segmentsOf(*order, request.backward);
    Render render(target);
    RowMapper mapper(render, &*order, 0);
    if (!target.identityUnique) {
        mapper.add(u"pg_catalog.rank() OVER (ORDER BY "_s + sortList(*order, segments.first(), request.backward) + u")"_s);
    }
    const qsizetype first = qMax<qsizetype>(0, firstSegment(segments, request.from));
    return segmentStatement(render, mapper.selectList(),
        { filter, *order, segments.at(first), request.from, request.backward, request.limit + 1, request.skip, request.now });
}

} // namespace idemdesk::sql
