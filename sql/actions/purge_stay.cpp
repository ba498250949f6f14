// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/purge_stay.h"

#include "sql/keys/render.h"
#include "sql/keys/resolve.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr double kStaySampled = 60'000; // rows of the blocks that a sample reads
constexpr int kMostStayScopes = 1'000; // the largest; more are no picture

Result<PurgeStay> readStayOnce(Session &session, const Target &target, const PurgePlan &plan, double share)
{
    Render render(target);
    QStringList rules;
    for (const TimeRule &rule : target.profile.purge) {
        rules += holds(ruleCondition(render, rule));
    }
    const QString chosen = holds(stateIn(render, plan.states));
    const QString goes = u"("_s + (rules.isEmpty() ? u"false"_s : rules.join(u" OR "_s)) + u") AND "_s + chosen;
    const QString open = holds(stateIn(render, { KeyState::InProgress, KeyState::Pending }));
    const auto counted
        = [](const QString &condition) { return u"pg_catalog.count(*) FILTER (WHERE "_s + condition + u")"_s; };
    QStringList columns;
    QStringList numbers;
    for (const ScopePart &part : partsOf(target)) {
        columns += part.sql;
        numbers += QString::number(columns.size());
    }
    const int parts = int(columns.size());
    columns += { counted(chosen), counted(u"NOT "_s + chosen + u" AND "_s + open),
        counted(u"NOT "_s + chosen + u" AND NOT "_s + open) };
    const QString sampled = share < 1
        ? u" TABLESAMPLE SYSTEM ("_s + QString::number(share * 100, 'g', 8) + u") REPEATABLE (1)"_s
        : QString();
    const QString sql = u"SELECT "_s + columns.join(u", "_s) + render.from() + sampled + u" WHERE NOT ("_s + goes
        + u")"_s + (numbers.isEmpty() ? QString() : u" GROUP BY "_s + numbers.join(u", "_s))
        + u" ORDER BY pg_catalog.count(*) DESC LIMIT "_s + QString::number(kMostStayScopes);
    PurgeStay stay;
    stay.share = share;
    TRY(session.each(render.finish(sql, plan.cutoff), [&](const Row &row) {
        StayingScope scope;
        for (int i = 0; i < parts; ++i) {
            scope.scope += row.cell(i);
        }
        scope.kept = double(row.integer(parts)) / share;
        scope.unfinished = double(row.integer(parts + 1)) / share;
        scope.others = double(row.integer(parts + 2)) / share;
        stay.scopes += scope;
        return true;
    }));
    return stay;
}

} // namespace

Result<PurgeStay> readPurgeStay(Session &session, const Target &target, const PurgePlan &plan)
{
    double share = 1;
    if (!isSmall(target.relation)) {
        if (target.relation.isView()) {
            return makeError(ErrorKind::Refused, Tr::tr("A view has no sample to reckon from."));
        }
        share = std::clamp(kStaySampled / std::max(1.0, target.relation.estimatedRows), 1e-7, 0.999);
    }
    return readAround(session, target, false, nullptr,
        [&](const Target &readable) { return readStayOnce(session, readable, plan, share); });
}

} // namespace idemdesk::sql
