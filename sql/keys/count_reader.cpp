// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/count_reader.h"

#include "sql/keys/bounded_count.h"
#include "sql/keys/explain.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/resolve.h"
#include "sql/keys/unreadable.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

Result<RowCount> countEveryRow(
    Session &session, const Target &target, const ResolvedFilter &filter, const std::optional<Timestamp> &now)
{
    Render render(target);
    TRY(const auto condition, filterCondition(render, filter));
    const QString where = condition == u"true" ? QString() : u" WHERE "_s + condition;
    TRY_OR(render.located, const auto row,
        session.one(render.finish(u"SELECT pg_catalog.count(*)"_s + render.from() + where, now)));
    return RowCount { RowCount::Kind::Exact, row.first().text.toLongLong() };
}

/// The terms that no row can defeat; nothing where each could.
ResolvedFilter firmTerms(const Target &target, const ResolvedFilter &filter)
{
    ResolvedFilter firm = filter;
    firm.filter.terms.clear();
    for (const FilterTerm &term : filter.filter.terms) {
        ResolvedFilter one = filter;
        one.filter.terms = { term };
        Render render(target);
        const auto condition = filterCondition(render, one);
        if (term.field != FilterField::State && condition && !mayFail(target, *condition)) {
            firm.filter.terms += term;
        }
    }
    return firm;
}

Result<RowCount> countUpTo(qint64 cap, AroundReader &around, Session &session, const ResolvedFilter &filter,
    const std::optional<Timestamp> &now)
{
    CountedRows rows;
    rows.condition = [&](Render &render) { return filterCondition(render, filter); };
    rows.unknown = asksForUnknown(filter.filter);
    const ResolvedFilter firm = firmTerms(around.whole(), filter);
    if (!firm.filter.terms.isEmpty()) {
        rows.narrow = [&](Render &render) { return filterCondition(render, firm); };
    }
    TRY(const auto counted, BoundedCounter(session, around, cap, now).count(rows));
    return counted.count;
}

} // namespace

Result<FilterCost> filterCost(Session &session, const Target &target, const Filter &filter, const OrderLabel &label)
{
    TRY(const auto order, resolveOrder(target, label, filter));
    TRY(const auto resolved, resolveFilter(session, target, filter));
    constexpr int kPage = 200;
    const Segment segment = segmentsOf(order, false).constFirst();
    Render render(target);
    const RowMapper mapper(render, &order, 0);
    TRY(const auto statement,
        segmentStatement(
            render, mapper.selectList(), { resolved, order, segment, {}, false, kPage + 1, 0, std::nullopt }));
    TRY_OR(render.located, const auto explained, explain(session, statement));
    FilterCost cost;
    cost.indexServes = explained.indexConditions && !explained.sequential;
    cost.estimatedRows = explained.rowsRead;
    cost.plan = explained.text;
    // In the planner's units, where a page read in order costs 1: about a third of a second on the machine of the
    // measurements.
    constexpr double kSlowCost = 40'000;
    cost.slow = !isSmall(target.relation) && explained.totalCost > kSlowCost;
    return cost;
}

Result<RowCount> countRows(
    Session &session, const Target &target, const Filter &filter, qint64 cap, std::optional<Timestamp> now)
{
    AroundReader around(session, target, false);
    if (cap <= 0) {
        around.prepare(filter);
    }
    const auto read = [&]() -> Result<RowCount> {
        TRY(const auto resolved, resolveFilter(session, around.target(), filter));
        return cap > 0 ? countUpTo(cap, around, session, resolved, now)
                       : countEveryRow(session, around.target(), resolved, now);
    };
    auto count = read();
    while (!count && around.learned(count.error())) {
        count = read();
    }
    return count;
}

} // namespace idemdesk::sql
