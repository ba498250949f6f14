// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/page_reader.h"

#include "sql/keys/resolve.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QElapsedTimer>
#include <algorithm>

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
    /// bare: the target that tries no row, by which rows are found where reading cell by cell tries them anyway.
    PageReader(Session &session, const AroundReader &around, const Target &bare, const PageRequest &request)
        : m_session(session)
        , m_target(around.target())
        , m_cells(around.whole())
        , m_request(request)
        , m_ofStates(asksForStates(request.filter) && !asksForUnknown(request.filter))
        , m_bare(around.around() || (m_ofStates && request.skip > 0) ? nullptr : &bare)
        , m_salvage(request.salvage || around.around())
        , m_now(request.now)
    {
    }

    Result<KeyPage> read()
    {
        QElapsedTimer timer;
        timer.start();
        TRY(m_order, resolveOrder(m_target, m_request.order, m_request.filter));
        TRY(m_filter, resolveFilter(m_session, m_target, m_request.filter));
        m_page.order = m_order.label;
        m_page.notes = m_filter.notes;
        TRY(fill());
        if (!m_now) {
            TRY(m_now, serverNow(m_session));
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
            SegmentRequest segment { m_filter, m_order, segments.at(i), i == first ? m_request.from : Cursor(),
                m_request.backward, qMax<qint64>(1, limit - m_page.rows.size() + 1), skip, m_now };
            TRY(auto rows, segmentRows(segment));
            if (skip > 0 && rows.rows.isEmpty() && i + 1 < segments.size()) {
                TRY(const auto passed, countSkipped(segment));
                skip -= passed;
                continue;
            }
            skip = 0;
            TRY(take(std::move(rows), limit, segment));
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
            TRY(m_now, serverNow(m_session));
        }
        request.now = m_now;
        SegmentRows out;
        for (const qint64 wanted = request.limit;;) {
            TRY(const auto saved,
                salvageRows(m_session, m_cells, m_bare != nullptr ? *m_bare : m_target, request, *m_now));
            // A row that cannot be read is in no state that is asked for, whatever its status says.
            const bool leaveOut = m_bare != nullptr && m_ofStates;
            if (leaveOut && saved.gaveUp) {
                return makeError(ErrorKind::InvalidValue, Tr::tr("Too many rows of this page cannot be read."));
            }
            for (qsizetype i = 0; i < saved.rows.size(); ++i) {
                if (!leaveOut || !saved.broken.at(i)) {
                    out.rows.append(saved.rows.at(i));
                }
            }
            if (!leaveOut || saved.rows.size() < request.limit || out.rows.size() >= wanted) {
                break;
            }
            request.from = { saved.rows.constLast().orderValue, saved.rows.constLast().identity };
            request.skip = 0;
            request.limit = wanted - out.rows.size();
        }
        const QString note = Tr::tr("Some cells could not be read; they show the server's message.");
        const bool shown = std::any_of(
            out.rows.cbegin(), out.rows.cend(), [](const KeyRecord &row) { return !row.fault.isEmpty(); });
        if (shown && !m_page.notes.contains(note)) {
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
            group = mapper.add(
                u"pg_catalog.rank() OVER (ORDER BY "_s + sortList(m_order, request.segment, request.backward) + u")"_s);
        }
        TRY(const auto statement, segmentStatement(render, mapper.selectList(), request));
        SegmentRows out;
        out.rows.reserve(request.limit);
        TRY_OR(render.located, m_session.each(statement, [&](const Row &row) {
            out.rows.append(mapper.record(row));
            if (group >= 0) {
                out.groups.append(row.integer(group));
            }
            if (!m_now) {
                m_now = Timestamp::parse(row.text(mapper.nowColumn()));
            }
            return true;
        }));
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
                TRY(m_page.more, anyAfter(rows.last(), request));
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
            TRY(const auto statement, segmentStatement(render, u"1"_s, request));
            TRY(const auto rows, m_session.all(statement));
            if (!rows.isEmpty()) {
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
        TRY(const auto statement, segmentStatement(render, u"1"_s, request));
        Statement counted = statement;
        counted.sql = u"SELECT pg_catalog.count(*) FROM ("_s + counted.sql + u") x"_s;
        TRY(const auto count, m_session.one(counted));
        return count.first().text.toLongLong();
    }

    Session &m_session;
    const Target &m_target;
    const Target &m_cells;
    const PageRequest &m_request;
    const bool m_ofStates; ///< asks for states of which unknown is none
    const Target *m_bare;
    const bool m_salvage;
    std::optional<Timestamp> m_now;
    ResolvedOrder m_order;
    ResolvedFilter m_filter;
    KeyPage m_page;
};

} // namespace

Result<Statement> segmentStatement(Render &render, const QString &selectList, const SegmentRequest &request)
{
    TRY(const auto condition, filterCondition(render, request.filter));
    QStringList where;
    if (condition != u"true") {
        where += condition;
    }
    if (const QString after = afterCursor(render, request.order, request.segment, request.from, request.backward);
        after != u"true") {
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
            sql += render.target().identityUnique
                ? u" LIMIT "_s + QString::number(request.limit)
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
    around.prepare(request.filter);
    auto page = PageReader(session, around, target, request).read();
    while (!page && around.learned(page.error())) {
        page = PageReader(session, around, target, request).read();
    }
    if (page && !around.note().isEmpty()) {
        page->notes += around.note();
    }
    return page;
}

Result<Statement> pageStatement(const Target &bare, const PageRequest &request)
{
    const Target target = tryingEach(bare);
    TRY(const auto order, resolveOrder(target, request.order, request.filter));
    ResolvedFilter filter;
    filter.filter = request.filter;
    const QList<Segment> segments = segmentsOf(order, request.backward);
    Render render(target);
    RowMapper mapper(render, &order, 0);
    if (!target.identityUnique) {
        mapper.add(
            u"pg_catalog.rank() OVER (ORDER BY "_s + sortList(order, segments.first(), request.backward) + u")"_s);
    }
    const qsizetype first = qMax<qsizetype>(0, firstSegment(segments, request.from));
    return segmentStatement(render, mapper.selectList(),
        { filter, order, segments.at(first), request.from, request.backward, request.limit + 1, request.skip,
            request.now });
}

} // namespace idemdesk::sql
