// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/explain.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/resolve.h"
#include "sql/keys/unreadable.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

static Result<RowCount> countRowsOnce(
    Session &session, const Target &target, const Filter &filter, qint64 cap, std::optional<Timestamp> now)
{
    const auto resolved = resolveFilter(session, target, filter);
    if (!resolved) {
        return resolved.error();
    }
    Render render(target);
    const auto condition = filterCondition(render, *resolved);
    if (!condition) {
        return condition.error();
    }
    const QString where = *condition == u"true" ? QString() : u" WHERE "_s + *condition;
    const QString sql = cap > 0
        ? u"SELECT pg_catalog.count(*) FROM (SELECT 1"_s + render.from() + where + u" LIMIT "_s + QString::number(cap + 1) + u") x"_s
        : u"SELECT pg_catalog.count(*)"_s + render.from() + where;
    const auto row = session.one(render.finish(sql, now));
    if (!row) {
        return render.located(row.error());
    }
    const qint64 rows = row->first().text.toLongLong();
    return cap > 0 && rows > cap ? RowCount { RowCount::Kind::AtLeast, cap } : RowCount { RowCount::Kind::Exact, rows };
}

Result<FilterCost> filterCost(Session &session, const Target &target, const Filter &filter, const OrderLabel &label)
{
    const auto order = resolveOrder(target, label, filter);
    if (!order) {
        return order.error();
    }
    const auto resolved = resolveFilter(session, target, filter);
    if (!resolved) {
        return resolved.error();
    }
    constexpr int kPage = 200;
    const Segment segment = segmentsOf(*order, false).constFirst();
    Render render(target);
    const RowMapper mapper(render, &*order, 0);
    const auto statement
        = segmentStatement(render, mapper.selectList(), { *resolved, *order, segment, {}, false, kPage + 1, 0, std::nullopt });
    if (!statement) {
        return statement.error();
    }
    const auto explained = explain(session, *statement);
    if (!explained) {
        return render.located(explained.error());
    }
    FilterCost cost;
    cost.indexServes = explained->indexConditions && !explained->sequential;
    cost.estimatedRows = explained->rowsRead;
    cost.plan = explained->text;
    // In the planner's units, where a page read in order costs 1: about a third of a second on the machine of the
    // measurements.
    constexpr double kSlowCost = 40'000;
    cost.slow = !isSmall(target.relation) && explained->totalCost > kSlowCost;
    return cost;
}

Result<RowCount> countRows(
    Session &session, const Target &target, const Filter &filter, qint64 cap, std::optional<Timestamp> now)
{
    AroundReader around(session, target, false);
    if (asksForUnknown(filter)) {
        around.learnAll();
    }
    auto count = countRowsOnce(session, around.target(), filter, cap, now);
    while (!count && around.learned(count.error())) {
        count = countRowsOnce(session, around.target(), filter, cap, now);
    }
    return count;
}

} // namespace idemdesk::sql
