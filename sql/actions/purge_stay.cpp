// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/purge_stay.h"

#include "sql/actions/action_json.h"
#include "sql/keys/render.h"
#include "sql/keys/resolve.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/table_sample.h"
#include "sql/keys/unreadable.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kStaySampled = 60'000; // rows of the blocks that a sample reads
constexpr int kMostStayScopes = 1'000; // the largest, with a line of their own; more are no picture

/// The rows that a plan leaves, by scope.
struct StayStatement {
    Statement statement;
    int parts = 0; ///< of the scope, which come first; behind them the counts, the same of all scopes, and all rows
};

StayStatement stayStatement(const Target &target, const PurgePlan &plan, const QString &sampled)
{
    Render render(target);
    QStringList rules;
    for (const TimeRule &rule : target.profile.purge) {
        rules += holds(ruleCondition(render, rule));
    }
    const QString chosen = holds(stateIn(render, plan.states));
    const QString goes = u"("_s + (rules.isEmpty() ? u"false"_s : rules.join(u" OR "_s)) + u") AND "_s + chosen;
    const QString open = holds(stateIn(render, { KeyState::InProgress, KeyState::Pending }));
    QStringList columns;
    QStringList numbers;
    for (const ScopePart &part : partsOf(target)) {
        columns += part.sql;
        numbers += QString::number(columns.size());
    }
    const int parts = int(columns.size());
    QStringList counts;
    for (const QString &why :
        { chosen, u"NOT "_s + chosen + u" AND "_s + open, u"NOT "_s + chosen + u" AND NOT "_s + open }) {
        counts += u"pg_catalog.count(*) FILTER (WHERE "_s + why + u")"_s;
    }
    columns += counts;
    for (const QString &count : std::as_const(counts)) { // reckoned before the limit cuts
        columns += u"(pg_catalog.sum("_s + count + u") OVER ())::pg_catalog.int8"_s;
    }
    const QString sql = u"SELECT "_s + columns.join(u", "_s) + render.from() + sampled + u" WHERE NOT ("_s + goes
        + u")"_s + (numbers.isEmpty() ? QString() : u" GROUP BY "_s + numbers.join(u", "_s))
        + u" ORDER BY pg_catalog.count(*) DESC LIMIT "_s + QString::number(kMostStayScopes);
    return { render.finish(sql, plan.cutoff), parts };
}

/// Gives the rows that were met.
Result<qint64> readStayOnce(Session &session, const StayStatement &asked, double share, PurgeStay *stay)
{
    *stay = {};
    stay->share = share;
    std::array<qint64, 3> all { 0, 0, 0 };
    std::array<qint64, 3> named { 0, 0, 0 };
    TRY(session.each(asked.statement, [&](const Row &row) {
        StayingScope scope;
        for (int i = 0; i < asked.parts; ++i) {
            scope.scope += row.cell(i);
        }
        std::array<qint64, 3> rows { 0, 0, 0 };
        for (int i = 0; i < 3; ++i) {
            rows.at(i) = row.integer(asked.parts + i);
            named.at(i) += rows.at(i);
            all.at(i) = row.integer(asked.parts + 3 + i);
        }
        scope.kept = double(rows.at(0)) / share;
        scope.unfinished = double(rows.at(1)) / share;
        scope.others = double(rows.at(2)) / share;
        stay->scopes += scope;
        return true;
    }));
    stay->rest.kept = double(all.at(0) - named.at(0)) / share;
    stay->rest.unfinished = double(all.at(1) - named.at(1)) / share;
    stay->rest.others = double(all.at(2) - named.at(2)) / share;
    return all.at(0) + all.at(1) + all.at(2);
}

} // namespace

Result<PurgeStay> readPurgeStay(Session &session, const Target &target, const PurgePlan &plan)
{
    AroundReader around(session, target, false);
    PurgeStay stay;
    if (!isSmall(target.relation)) {
        TableSample sample(target.relation, kStaySampled);
        const auto readSampled = [&](const QString &sampled) {
            return readStayOnce(session, stayStatement(around.target(), plan, sampled), sample.share(), &stay);
        };
        TRY(sample.read(session, around, plan.cutoff, readSampled));
        return stay;
    }
    const auto readWhole = [&] { return readStayOnce(session, stayStatement(around.target(), plan, {}), 1, &stay); };
    auto whole = readWhole();
    while (!whole && around.learned(whole.error())) {
        whole = readWhole();
    }
    TRY(whole);
    return stay;
}

Result<QList<PurgedScope>> readPurgedScopes(Session &session, const QString &action)
{
    Statement statement {
        u"SELECT g.value ->> 'scope', pg_catalog.sum((g.value ->> 'rows')::pg_catalog.int8)"
        " FROM idemdesk.action_scopes($1::pg_catalog.uuid) AS s, pg_catalog.jsonb_array_elements(s.scopes) AS g"
        " WHERE s.batch > 0 GROUP BY 1"_s,
        {}
    };
    statement.bind(action);
    QList<PurgedScope> purged;
    TRY(session.each(statement, [&](const Row &row) {
        purged += PurgedScope { cellsFromJson(row.text(0)), row.text(1).toLongLong() };
        return true;
    }));
    return purged;
}

Result<QList<Cells>> readScopesOfPurges(Session &session, const QStringList &actions, int limit)
{
    Statement statement { u"SELECT DISTINCT g.value ->> 'scope'"
                          " FROM pg_catalog.jsonb_array_elements_text($1::pg_catalog.jsonb) AS p (id)"
                          " CROSS JOIN LATERAL idemdesk.action_scopes(p.id::pg_catalog.uuid) AS s"
                          " CROSS JOIN LATERAL pg_catalog.jsonb_array_elements(s.scopes) AS g"
                          " WHERE s.batch > 0 LIMIT "_s
            + QString::number(limit),
        {} };
    statement.bind(QString::fromUtf8(QJsonDocument(QJsonArray::fromStringList(actions)).toJson()));
    QList<Cells> scopes;
    TRY(session.each(statement, [&scopes](const Row &row) {
        scopes += cellsFromJson(row.text(0));
        return true;
    }));
    return scopes;
}

Result<QMap<qsizetype, QList<KeyTouch>>> readTouchesOfRows(
    Session &session, const QString &target, const QList<Cells> &identities)
{
    QStringList lists;
    for (const Cells &identity : identities) {
        lists += cellsToJson(identity);
    }
    Statement statement { u"SELECT x.place, a.action, a.verb, a.who, a.at, a.reason, a.outcome, a.undone_by"
                          " FROM pg_catalog.jsonb_array_elements($2::pg_catalog.jsonb) WITH ORDINALITY AS x (i, place)"
                          " CROSS JOIN LATERAL idemdesk.actions_on($1::pg_catalog.text,"
                          " ARRAY(SELECT e.v FROM pg_catalog.jsonb_array_elements_text(x.i) WITH ORDINALITY AS e (v, n)"
                          " ORDER BY e.n)) AS a ORDER BY x.place, a.at DESC"_s,
        {} };
    statement.bind(target);
    statement.bind(u'[' + lists.join(u',') + u']');
    QMap<qsizetype, QList<KeyTouch>> touches;
    TRY(session.each(statement, [&touches](const Row &row) {
        KeyTouch touch;
        touch.action = row.text(1);
        touch.verb = verbFromName(row.text(2)).value_or(ActionVerb::Recover);
        touch.who = row.text(3);
        touch.at = Timestamp::parse(row.text(4)).value_or(Timestamp());
        touch.reason = row.text(5);
        touch.outcome = row.text(6);
        touch.undoneBy = row.text(7);
        touches[qsizetype(row.integer(0)) - 1] += touch;
        return true;
    }));
    return touches;
}

} // namespace idemdesk::sql
