// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/duplicates/duplicate_search.h"

#include "sql/keys/explain.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/profile/expression_sql.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kMostSample = 10; ///< keys of a group that are named
constexpr qint64 kManyMembers = 1'000; ///< of so many only the first are read, by when they began
constexpr double kClearlyCheaper = 2; ///< times: an estimate is not worth more
constexpr int kRunsEach = 4; ///< near payloads: groups that are looked at for each one wanted, for not all have runs

Cells scopeCells(const QJsonArray &values)
{
    Cells cells;
    for (const QJsonValue &value : values) {
        cells += value.isNull() ? Cell() : Cell::of(value.toString());
    }
    return cells;
}

/// An array with NULLs.
QString candidateArray(const Cells &cells)
{
    QStringList items;
    for (const Cell &cell : cells) {
        items += cell.null ? u"NULL"_s : arrayLiteral({ cell.text }).mid(1).chopped(1);
    }
    return u'{' + items.join(u',') + u'}';
}

std::optional<Timestamp> timeInRow(const Row &row, int column)
{
    return row.isNull(column) ? std::nullopt : Timestamp::parse(row.text(column));
}

QString groupedText(const QString &sql)
{
    return u"("_s + sql + u")::pg_catalog.text COLLATE pg_catalog.\"C\""_s;
}

} // namespace

QString LookSearch::atSql() const
{
    const auto began = duplicateTime(m_target.profile);
    return began ? timestamptzSql(*began) : u"NULL::pg_catalog.timestamptz"_s;
}

QString LookSearch::keySql() const
{
    return groupedText(m_target.profile.key.sql);
}

QStringList LookSearch::scopeSql() const
{
    QStringList parts;
    const QList<ScopePart> all = partsOf(m_target);
    for (const ScopePart &part : all) {
        parts += groupedText(part.sql);
    }
    return parts;
}

QStringList LookSearch::apartSql() const
{
    // The same key in another scope is another intent, whatever is compared.
    return m_request.acrossScopes && !perKey() ? QStringList() : scopeSql();
}

/// No two rows have the same scope and key.
bool LookSearch::oneRowAKey() const
{
    if (!m_look.effect.isEmpty() || m_target.profile.identity.isEmpty()) {
        return false;
    }
    QSet<QString> columns;
    const auto take = [&](const Expression &expression) {
        if (const ColumnFacts *facts = plainColumnFacts(m_target, expression)) {
            columns.insert(facts->name);
        }
    };
    take(m_target.profile.key);
    for (const LabelledExpression &part : m_target.profile.scope) {
        take(part.value);
    }
    const QStringList &identity = m_target.profile.identity;
    return std::all_of(
        identity.begin(), identity.end(), [&columns](const QString &name) { return columns.contains(name); });
}

bool LookSearch::counted() const
{
    return oneRowAKey() && !inRuns();
}

int LookSearch::most() const
{
    return (m_request.limit + 1) * (inRuns() ? kRunsEach : 1);
}

Result<QString> LookSearch::rowsOf(Render &render, const QString &join) const
{
    QStringList conditions { m_look.where };
    if (m_look.succeededOnly) {
        conditions += holds(stateIn(render, { KeyState::Succeeded }));
    }
    if (!m_request.filter.terms.isEmpty()) {
        TRY(const auto condition, filterCondition(render, m_filter));
        conditions += u"("_s + condition + u')';
    }
    if (const auto began = duplicateTime(m_target.profile)) {
        const qint64 span = m_slice && m_slice->seconds > 0 ? std::min(m_slice->seconds, m_request.spanSeconds)
                                                            : m_request.spanSeconds;
        conditions += compareTime(
            *began, u">="_s, u"$now - pg_catalog.make_interval(secs => "_s + QString::number(span) + u')');
    }
    if (m_slice && m_slice->fromBlock > 0) {
        conditions += u"t.ctid >= '("_s + QString::number(m_slice->fromBlock) + u",0)'::pg_catalog.tid"_s;
    }
    const QString effect = m_look.effect.isEmpty() ? QString()
        : m_rowByRow ? u" CROSS JOIN LATERAL (SELECT f.* FROM ("_s + m_look.effect + u") f OFFSET 0) e"_s
                     : u" CROSS JOIN LATERAL ("_s + m_look.effect + u") e"_s;
    return render.from() + effect + join + u" WHERE "_s + conditions.join(u" AND "_s);
}

/// A group costs its values, counts and two times; names of keys are kept of none.
Result<Statement> LookSearch::aggregate(Render &render) const
{
    TRY(const auto rows, rowsOf(render, {}));
    QStringList columns = apartSql();
    for (const SharedPart &part : m_look.shared) {
        columns += part.sql;
    }
    QStringList groups;
    for (qsizetype i = 1; i <= columns.size(); ++i) {
        groups += QString::number(i);
    }
    columns += u"pg_catalog.count(*) AS n"_s;
    columns += m_look.succeededOnly
        ? u"pg_catalog.count(*) AS done"_s
        : u"pg_catalog.count(*) FILTER (WHERE "_s + stateIn(render, { KeyState::Succeeded }) + u") AS done"_s;
    columns += { u"pg_catalog.min("_s + atSql() + u')', u"pg_catalog.max("_s + atSql() + u')' };
    // Those that surely have keys so close to each other come first: of n keys in a span two are as close as its part.
    const QString sure = inRuns() ? u"COALESCE(pg_catalog.max("_s + atSql() + u") <= pg_catalog.min("_s + atSql()
            + u") + LEAST(pg_catalog.count(*) - 1, 100000) * "_s + apart() + u", true) DESC, "_s
                                  : QString();
    return render.finish(u"SELECT "_s + columns.join(u", "_s) + rows + u" GROUP BY "_s + groups.join(u", "_s)
            + u" HAVING "_s + havingSql().join(u" AND "_s) + u" ORDER BY "_s + sure + u"done DESC, n DESC, "_s
            + QString::number(columns.size()) + u" DESC NULLS LAST LIMIT "_s
            + QString::number(most()), // the newest first
        {});
}

QString LookSearch::apart() const
{
    return u"pg_catalog.make_interval(secs => "_s + QString::number(apartSeconds()) + u')';
}

QStringList LookSearch::havingSql() const
{
    QStringList having { u"pg_catalog.count(*) > 1"_s };
    if (!oneRowAKey() && !perKey()) {
        QStringList differ;
        const QStringList parts = QStringList { keySql() } + (m_request.acrossScopes ? scopeSql() : QStringList());
        for (const QString &part : parts) {
            differ += u"pg_catalog.min("_s + part + u") IS DISTINCT FROM pg_catalog.max("_s + part
                + u") OR pg_catalog.count("_s + part + u") NOT IN (0, pg_catalog.count(*))"_s;
        }
        having += u'(' + differ.join(u" OR "_s) + u')';
    }
    if (!m_look.unlike.isEmpty() && !m_look.unlikeLater) {
        const QString differs = u"pg_catalog.min("_s + m_look.unlike + u") <> pg_catalog.max("_s + m_look.unlike + u')';
        having += m_look.unlikeOrNone
            ? u"(pg_catalog.count("_s + m_look.unlike + u") < pg_catalog.count(*) OR "_s + differs + u')'
            : differs;
    }
    if (!m_look.having.isEmpty()) {
        having += m_look.having;
    }
    if (inRuns()) {
        having += u"(pg_catalog.count(*) > 2 OR COALESCE(pg_catalog.max("_s + atSql() + u") <= pg_catalog.min("_s
            + atSql() + u") + "_s + apart() + u", true))"_s;
    }
    return having;
}

/// The groups as rows to join with: their number, values and scope.
QString LookSearch::candidatesOf(Render &render, const QList<qsizetype> &of) const
{
    QStringList arrays;
    QStringList names { u"n"_s };
    QStringList numbers;
    Cells upto;
    for (const qsizetype i : of) {
        numbers += QString::number(i);
        const Candidate &candidate = m_candidates.at(i);
        upto += candidate.upto ? Cell::of(candidate.upto->toRfc3339()) : Cell();
    }
    arrays += render.bindArray(numbers, u"pg_catalog.int8"_s);
    const auto column = [&](const QString &name, const QString &type, const auto &cellOf) {
        Cells cells;
        for (const qsizetype i : of) {
            cells += cellOf(m_candidates.at(i));
        }
        names += name;
        arrays += render.bind(candidateArray(cells), type + u"[]"_s);
    };
    for (qsizetype i = 0; i < m_look.shared.size(); ++i) {
        column(u"v"_s + QString::number(i), m_look.shared.at(i).type,
            [i](const Candidate &candidate) { return candidate.shared.at(i); });
    }
    for (qsizetype i = 0; i < apartSql().size(); ++i) {
        column(u"s"_s + QString::number(i), u"pg_catalog.text"_s,
            [i](const Candidate &candidate) { return candidate.scope.at(i); });
    }
    names += u"upto"_s;
    arrays += render.bind(candidateArray(upto), u"pg_catalog.timestamptz[]"_s);
    return u"ROWS FROM (pg_catalog.unnest("_s + arrays.join(u"), pg_catalog.unnest("_s) + u")) AS c ("_s
        + names.join(u", "_s) + u')';
}

/// n: the group; p: the key in its scope; h: of what the rows of a group must have several; run: keys that began soon
/// after each other.
QString LookSearch::matched(Render &render, const QString &rows) const
{
    QStringList parts { keySql() };
    parts += scopeSql();
    const QString done = m_look.succeededOnly ? u"true"_s : stateIn(render, { KeyState::Succeeded });
    const QString matched = u"SELECT c.n, pg_catalog.json_build_array("_s + parts.join(u", "_s)
        + u")::pg_catalog.text COLLATE pg_catalog.\"C\" AS p, "_s + atSql() + u" AS at, "_s + done + u" AS done, "_s
        + (m_look.unlike.isEmpty() ? u"NULL::pg_catalog.text"_s : m_look.unlike) + u" AS h"_s + rows;
    if (!inRuns()) {
        return u"SELECT r.*, 0 AS run FROM ("_s + matched + u") r"_s;
    }
    // The same order again next month is another intent: each key must have begun soon after the one before it.
    return u"SELECT y.*, pg_catalog.sum(y.gap) OVER (PARTITION BY y.n ORDER BY y.at) AS run FROM (SELECT r.*, CASE "
           "WHEN r.at > pg_catalog.lag(r.at) OVER (PARTITION BY r.n ORDER BY r.at) + "_s
        + apart() + u" THEN 1 ELSE 0 END AS gap FROM ("_s + matched + u") r) y"_s;
}

Result<Statement> LookSearch::members(Render &render, const QList<qsizetype> &of) const
{
    QStringList on;
    for (qsizetype i = 0; i < m_look.shared.size(); ++i) {
        const SharedPart &part = m_look.shared.at(i);
        on += part.sql + (part.maybeNull ? u" IS NOT DISTINCT FROM c.v"_s : u" = c.v"_s) + QString::number(i);
    }
    const QStringList apart = apartSql();
    for (qsizetype i = 0; i < apart.size(); ++i) {
        on += apart.at(i) + u" IS NOT DISTINCT FROM c.s"_s + QString::number(i);
    }
    on += u"(c.upto IS NULL OR "_s + atSql() + u" <= c.upto)"_s;
    TRY(const auto rows, rowsOf(render, u" JOIN "_s + candidatesOf(render, of) + u" ON "_s + on.join(u" AND "_s)));
    const QString rowsRead = u'(' + matched(render, rows) + u") m"_s;
    if (perKey()) {
        return render.finish(
            u"SELECT m.n, 1, pg_catalog.max(CASE WHEN m.done THEN 1 ELSE 0 END), pg_catalog.min(m.at), "
            "pg_catalog.max(m.at), pg_catalog.json_build_array(pg_catalog.min(m.p))::pg_catalog.text, "
            "pg_catalog.count(DISTINCT m.h) FROM "_s
                + rowsRead + u" GROUP BY m.n HAVING pg_catalog.count(DISTINCT m.h) > 1 ORDER BY 7 DESC, 1"_s,
            {});
    }
    QStringList having;
    if (!counted()) {
        having += u"pg_catalog.count(*) > 1"_s;
        if (!m_look.unlike.isEmpty()) {
            having += (m_look.unlikeOrNone ? u"(pg_catalog.sum(x.told) < pg_catalog.sum(x.rows) OR "_s : u"("_s)
                + u"pg_catalog.min(x.least) <> pg_catalog.max(x.most))"_s;
        }
    }
    const QString keys
        = u"SELECT m.n, m.run, m.p, pg_catalog.bool_or(m.done) AS done, pg_catalog.min(m.at) AS first, "
          "pg_catalog.max(m.at) AS last, pg_catalog.count(*) AS rows, pg_catalog.count(m.h) AS told, "
          "pg_catalog.min(m.h) AS least, pg_catalog.max(m.h) AS most, pg_catalog.row_number() OVER (PARTITION BY m.n, "
          "m.run ORDER BY pg_catalog.min(m.at), m.p) AS place FROM "_s
        + rowsRead + u" GROUP BY m.n, m.run, m.p"_s;
    return render.finish(
        u"SELECT x.n, pg_catalog.count(*), pg_catalog.count(*) FILTER (WHERE x.done), "
        "pg_catalog.min(x.first), pg_catalog.max(x.last), pg_catalog.json_agg(x.p ORDER BY x.p) FILTER "
        "(WHERE x.place <= "_s
            + QString::number(kMostSample) + u")::pg_catalog.text, 0 FROM ("_s + keys + u") x GROUP BY x.n, x.run"_s
            + (having.isEmpty() ? QString() : u" HAVING "_s + having.join(u" AND "_s)) + u" ORDER BY x.n, x.run"_s,
        {});
}

/// As one join the planner may not use an index for each side of an OR, as it does where effects are looked up row by
/// row: minutes instead of seconds. Where they are found by equal columns, one join is better. Its costs decide.
Result<void> LookSearch::chooseJoin()
{
    if (m_look.effect.isEmpty() || m_joinChosen) {
        return {};
    }
    m_joinChosen = true;
    double costs[2] = {};
    for (const bool rowByRow : { false, true }) {
        m_rowByRow = rowByRow;
        Render render(m_target);
        TRY_OR(render.located, const auto statement, aggregate(render));
        TRY_OR(render.located, const auto plan, explain(m_session, statement));
        costs[rowByRow ? 1 : 0] = plan.totalCost;
    }
    m_rowByRow = costs[1] * kClearlyCheaper < costs[0];
    return {};
}

Result<void> LookSearch::readCandidates()
{
    TRY(chooseJoin());
    Render render(m_target);
    TRY_OR(render.located, const auto statement, aggregate(render));
    if (m_explaining) {
        TRY_OR(render.located, const auto plan, explain(m_session, statement));
        m_sequential = plan.sequential;
    }
    const int apart = int(apartSql().size());
    const int values = apart + int(m_look.shared.size());
    TRY_OR(render.located, m_session.each(statement, [&](const Row &row) {
        Candidate candidate;
        for (int i = 0; i < values; ++i) {
            (i < apart ? candidate.scope : candidate.shared) += row.cell(i);
        }
        candidate.keys = row.integer(values);
        candidate.succeeded = row.integer(values + 1);
        candidate.first = timeInRow(row, values + 2);
        candidate.last = timeInRow(row, values + 3);
        if (counted() && candidate.keys > kManyMembers && candidate.first && candidate.last && candidate.first->finite()
            && candidate.last->finite()) {
            // Enough of the first ones, if they came evenly; else all of them are read in a second statement.
            const double span = double(candidate.last->micros - candidate.first->micros);
            candidate.upto = candidate.first;
            candidate.upto->micros += qint64(span / double(candidate.keys) * double(kManyMembers));
            candidate.limited = true;
        }
        m_candidates += candidate;
        return true;
    }));
    m_more = m_candidates.size() >= most();
    return {};
}

QString LookSearch::shownValue(const Cells &shared) const
{
    QStringList parts;
    for (qsizetype i = 0; i < shared.size(); ++i) {
        const Cell &cell = shared.at(i);
        if (!cell.null && m_look.shared.at(i).shown) {
            const bool hash = m_look.reason == DuplicateReason::NearPayload;
            parts += hash ? cell.text.mid(2) : cell.text;
        }
    }
    return parts.join(m_look.reason == DuplicateReason::TwoCharges ? u", "_s : u"/"_s);
}

DuplicateGroup LookSearch::groupOf(const Candidate &candidate) const
{
    DuplicateGroup group;
    group.reason = m_look.reason;
    group.scope = m_request.acrossScopes ? Cells() : candidate.scope;
    group.shared = shownValue(candidate.shared);
    group.keys = candidate.keys;
    group.succeeded = candidate.succeeded;
    group.first = candidate.first;
    group.last = candidate.last;
    group.effectType = m_look.effectType;
    group.ignored = m_look.ignored;
    return group;
}

void LookSearch::add(const Row &row, QList<qsizetype> *again)
{
    const Candidate &candidate = m_candidates.at(row.integer(0));
    DuplicateGroup group = groupOf(candidate);
    const QJsonArray members = QJsonDocument::fromJson(row.text(5).toUtf8()).array();
    if (candidate.limited && members.size() < std::min<qint64>(kMostSample, candidate.keys)) {
        again->append(row.integer(0));
        return;
    }
    for (const QJsonValue &one : members) {
        QJsonArray parts = QJsonDocument::fromJson(one.toString().toUtf8()).array();
        group.sample += parts.takeAt(0).toString();
        group.sampleScopes += scopeCells(parts);
    }
    if (!counted()) {
        group.keys = row.integer(1);
        group.succeeded = row.integer(2);
        group.first = timeInRow(row, 3);
        group.last = timeInRow(row, 4);
        group.effects = row.integer(6);
    }
    if (perKey()) {
        group.shared = group.sample.value(0);
    }
    m_groups += group;
}

Result<void> LookSearch::readMembers(const QList<qsizetype> &of, QList<qsizetype> *again)
{
    if (of.isEmpty()) {
        return {};
    }
    Render render(m_target);
    TRY_OR(render.located, const auto statement, members(render, of));
    TRY_OR(render.located, m_session.each(statement, [&](const Row &row) {
        add(row, again);
        return true;
    }));
    return {};
}

Result<QList<DuplicateGroup>> LookSearch::run()
{
    TRY(readCandidates());
    QList<qsizetype> all;
    for (qsizetype i = 0; i < m_candidates.size(); ++i) {
        all += i;
    }
    QList<qsizetype> again;
    TRY(readMembers(all, &again));
    for (const qsizetype i : std::as_const(again)) {
        m_candidates[i].upto.reset();
        m_candidates[i].limited = false;
    }
    TRY(readMembers(again, &again));
    return m_groups;
}

Result<bool> LookSearch::served()
{
    if (m_look.needs.isEmpty()) {
        return true;
    }
    TRY(chooseJoin());
    Render render(m_target);
    TRY_OR(render.located, const auto rows, rowsOf(render, {}));
    const Statement statement = render.finish(u"SELECT EXISTS (SELECT"_s + rows + u" AND "_s + m_look.needs + u')', {});
    TRY_OR(render.located, const auto found, m_session.one(statement));
    return found.constFirst().text == u"t";
}

} // namespace idemdesk::sql
