// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/bounded_count.h"

#include "sql/keys/counting.h"
#include "sql/keys/explain.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// What looking for rows by a plan of the server's own may cost, in the planner's units.
constexpr double kMostLooked = 50'000;
/// Readings of the same rows; somebody may break further ones meanwhile.
constexpr int kTimesRead = 3;

} // namespace

QString BoundedCounter::FirstBlocks::where() const
{
    return all ? u"t.ctid >= '(0,0)'::pg_catalog.tid"_s : u"t.ctid < '(%1,0)'::pg_catalog.tid"_s.arg(end);
}

Result<BoundedCount> BoundedCounter::count(const CountedRows &rows)
{
    // No plan for unknown rows meets those that cannot be read: they are looked for.
    const bool hidden = rows.unknown && !m_around.whole().trial.isEmpty();
    Result<BoundedCount> counted = hidden ? Result<BoundedCount>(Error()) : once(rows, {}, {});
    if (!hidden && (counted || !isRowsFault(counted.error()))) {
        return counted;
    }
    const auto blocks = blocksOf(m_session, m_around.whole());
    if (!blocks || *blocks < 0) { // a view's rows have no places
        return !blocks ? Result<BoundedCount>(blocks.error()) : hidden ? once(rows, {}, {}) : counted;
    }
    TRY(const auto few, amongFew(rows));
    if (few) {
        return *few;
    }
    if (!m_first) {
        TRY(const auto first, firstBlocks(*blocks));
        m_first = first;
    }
    const qsizetype before = m_around.found().count;
    auto some = amongFirst(rows, *m_first);
    if (!some || m_first->all || some->count.rows >= m_cap) {
        return some;
    }
    some->count.kind = RowCount::Kind::AtLeast;
    if (hidden) {
        const auto named = cheapUnknown(rows);
        some->count.rows = named ? qMax(some->count.rows, *named) : some->count.rows;
        return named || isRowsFault(named.error()) ? some : Result<BoundedCount>(named.error());
    }
    if (m_around.found().count > before) { // most often it was the only one
        counted = once(rows, {}, {});
        return counted || !isRowsFault(counted.error()) ? counted : some;
    }
    return some;
}

/// from: what stands behind FROM, t among it; empty: the target.
Result<BoundedCount> BoundedCounter::once(const CountedRows &rows, const QString &from, const QString &where)
{
    Render render(m_around.target());
    TRY(const auto condition, rows.condition(render));
    const QString since = rows.since ? rows.since(render) : u"NULL::pg_catalog.timestamptz"_s;
    QString narrowed = from;
    if (from == u"narrowed") {
        TRY(const auto narrow, rows.narrow(render));
        // OFFSET 0 keeps what may fail from being asked of other rows.
        narrowed
            = u" FROM (SELECT t.*, t.tableoid, t.ctid"_s + render.from() + u" WHERE "_s + narrow + u" OFFSET 0) t"_s;
    }
    const QString limited = (where.isEmpty() ? QString() : where + u" AND "_s) + u"("_s + condition + u")"_s;
    const auto row = m_session.one(render.finish(u"SELECT pg_catalog.count(*), pg_catalog.min(x.since) FROM (SELECT "_s
            + since + u" AS since"_s + (narrowed.isEmpty() ? render.from() : narrowed) + u" WHERE "_s + limited
            + u" LIMIT "_s + QString::number(m_cap + 1) + u") x"_s,
        m_now));
    if (!row) {
        return render.located(row.error());
    }
    const qint64 found = row->first().text.toLongLong();
    BoundedCount counted;
    counted.count
        = found > m_cap ? RowCount { RowCount::Kind::AtLeast, m_cap } : RowCount { RowCount::Kind::Exact, found };
    counted.since = row->at(1).null ? std::nullopt : Timestamp::parse(row->at(1).text);
    return counted;
}

/// Where few rows pass what cannot fail, these are all that can count. Nothing where they are many, or costly to find.
Result<std::optional<BoundedCount>> BoundedCounter::amongFew(const CountedRows &rows)
{
    using Nothing = std::optional<BoundedCount>;
    if (!rows.narrow) {
        return Nothing();
    }
    Render render(m_around.whole());
    TRY(const auto narrow, rows.narrow(render));
    const Statement statement = render.finish(u"SELECT t.tableoid, t.ctid"_s + render.from() + u" WHERE "_s + narrow
            + u" LIMIT "_s + QString::number(looked() + 1),
        m_now);
    const auto cheap = cheaperThan(m_session, statement, kMostLooked);
    if (!cheap || !*cheap) {
        return cheap ? Result<Nothing>(Nothing()) : Result<Nothing>(cheap.error());
    }
    for (int times = 0; times < kTimesRead; ++times) {
        TRY(const auto found, m_session.all(statement));
        if (found.size() > looked()) {
            return Nothing();
        }
        RowPlaces places;
        for (const Cells &row : found) {
            places[row.at(0).text.toUInt()] += row.at(1).text;
        }
        TRY(m_around.learnAmong(places));
        const auto counted = once(rows, u"narrowed"_s, {});
        if (counted) {
            return Nothing(*counted);
        }
        if (!isRowsFault(counted.error())) {
            return Nothing(); // an expression over the row as a whole does not fit it in this form
        }
    }
    return Nothing();
}

Result<BoundedCount> BoundedCounter::amongFirst(const CountedRows &rows, const FirstBlocks &first)
{
    Result<BoundedCount> some = Error();
    for (int times = 0; times < kTimesRead; ++times) {
        if (!m_searched || times > 0) {
            TRY(m_around.learnFirst(first.all ? -1 : first.end));
            m_searched = true;
        }
        some = once(rows, {}, first.where());
        if (some || !isRowsFault(some.error())) {
            return some;
        }
    }
    // Rows break faster than they are found.
    return BoundedCount { { RowCount::Kind::AtLeast, 0 }, std::nullopt };
}

/// How many blocks hold about as many rows as are looked at.
Result<BoundedCounter::FirstBlocks> BoundedCounter::firstBlocks(qint64 size)
{
    constexpr qint64 kMostInBlock = 300; // rows of no more than their headers
    qint64 low = 0;
    qint64 high = qMax<qint64>(1, looked() / kMostInBlock);
    for (;; low = high, high *= 2) {
        if (high >= size) {
            high = size;
        }
        TRY(const auto rows, rowsBefore(high));
        if (high == size && rows <= 2 * looked()) {
            return FirstBlocks { size, true };
        }
        if (rows >= looked()) {
            break;
        }
    }
    // Behind many empty blocks may lie full ones.
    while (high - low > 1) {
        TRY(const auto rows, rowsBefore(high));
        if (rows <= 2 * looked()) {
            break;
        }
        const qint64 middle = (low + high) / 2;
        TRY(const auto half, rowsBefore(middle));
        (half < looked() ? low : high) = middle;
    }
    return FirstBlocks { high, false };
}

/// Up to what is too many; no expression is asked.
Result<qint64> BoundedCounter::rowsBefore(qint64 block)
{
    Render render(m_around.whole());
    const auto row = m_session.one(render.finish(u"SELECT pg_catalog.count(*) FROM (SELECT 1"_s + render.from()
            + u" WHERE t.ctid < '(%1,0)'::pg_catalog.tid LIMIT "_s.arg(block) + QString::number(2 * looked() + 1)
            + u") x"_s,
        m_now));
    return row ? Result<qint64>(row->constFirst().text.toLongLong()) : Result<qint64>(row.error());
}

/// Rows whose status says no known state, where an index finds them.
Result<qint64> BoundedCounter::cheapUnknown(const CountedRows &rows)
{
    Render render(m_around.whole());
    TRY(const auto condition, rows.condition(render));
    const Statement statement = render.finish(u"SELECT pg_catalog.count(*) FROM (SELECT 1"_s + render.from()
            + u" WHERE ("_s + condition + u") LIMIT "_s + QString::number(m_cap) + u") x"_s,
        m_now);
    const auto planned = explain(m_session, statement);
    if (!planned || planned->sequential || planned->totalCost >= kMostLooked) {
        return planned ? Result<qint64>(0) : Result<qint64>(planned.error());
    }
    const auto row = m_session.one(statement);
    return row ? Result<qint64>(row->constFirst().text.toLongLong()) : Result<qint64>(row.error());
}

} // namespace idemdesk::sql
