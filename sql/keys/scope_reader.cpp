// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/scope_reader.h"

#include "sql/keys/counting.h"
#include "sql/keys/explain.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/resolve.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/session/server_clock.h"

#include <QElapsedTimer>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Reads the scopes of one page, then their counts in as few and as bounded statements as the indexes allow.
class ScopeReader
{
public:
    ScopeReader(Session &session, const Target &target, qint64 cap)
        : m_session(session)
        , m_target(target)
        , m_parts(partsOf(target))
        , m_cap(qMax<qint64>(1, cap))
    {
    }

    Result<ScopePage> read(const Cells &after, int limit)
    {
        QElapsedTimer timer;
        timer.start();
        TRY(m_page.now, serverNow(m_session));
        TRY(list(after, qMax(1, limit)));
        if (!m_page.scopes.isEmpty()) {
            TRY(isSmall(m_target.relation) ? countExactly() : countBounded());
        }
        m_page.tookMicros = timer.nsecsElapsed() / 1000;
        return m_page;
    }

private:
    Result<void> list(const Cells &after, int limit)
    {
        if (m_parts.isEmpty()) {
            m_page.scopes.append(ScopeCounts {});
            return {};
        }
        const QList<qsizetype> order = indexOrder(m_target, m_parts);
        Render render(m_target);
        const QString sql = order.isEmpty() ? distinctSql(render, after, limit) : jumpSql(render, order, after, limit);
        TRY(const auto rows, m_session.all(render.finish(sql, m_page.now)));
        for (const Cells &row : rows) {
            if (m_page.scopes.size() == limit) {
                m_page.more = true;
                break;
            }
            ScopeCounts counts;
            counts.scope = Cells(m_parts.size());
            for (qsizetype i = 0; i < row.size(); ++i) {
                counts.scope[order.isEmpty() ? i : order.at(i)] = row.at(i);
            }
            m_page.scopes.append(counts);
        }
        if (m_page.more) {
            m_page.next = m_page.scopes.last().scope;
        }
        return {};
    }

    /// Parts in sort order with NULLs last; strictly after `after`.
    QString afterSql(Render &render, const QList<qsizetype> &order, const Cells &after) const
    {
        if (after.isEmpty()) {
            return {};
        }
        QString condition;
        for (qsizetype at = order.size() - 1; at >= 0; --at) {
            const ScopePart &part = m_parts.at(order.at(at));
            const Cell value = after.value(order.at(at));
            const bool nullable = part.facts == nullptr || !part.facts->notNull;
            QString greater = u"false"_s;
            QString equal = part.sql + u" IS NULL"_s;
            if (!value.null) {
                const QString bound = render.bind(value, part.type.castType);
                greater = part.sql + operatorSql(part.type.operatorSchema, u">"_s) + bound;
                if (nullable) {
                    greater = u"("_s + greater + u" OR "_s + part.sql + u" IS NULL)"_s;
                }
                equal = part.sql + operatorSql(part.type.operatorSchema, u"="_s) + bound;
            }
            condition = condition.isEmpty() ? greater
                                            : u"("_s + greater + u" OR ("_s + equal + u" AND "_s + condition + u"))"_s;
            if (at == 0 && !value.null && !nullable) {
                condition = part.sql + operatorSql(part.type.operatorSchema, u">="_s)
                    + render.bind(value, part.type.castType) + u" AND "_s + condition;
            }
        }
        return condition;
    }

    QString jumpSql(Render &render, const QList<qsizetype> &order, const Cells &after, int limit) const
    {
        QStringList columns;
        for (const qsizetype part : order) {
            columns += m_parts.at(part).facts->name;
        }
        return u"SELECT * FROM ("_s + looseScan(m_target, columns, afterSql(render, order, after)) + u") l LIMIT "_s
            + QString::number(limit + 1);
    }

    QString distinctSql(Render &render, const Cells &after, int limit) const
    {
        QStringList columns;
        QList<qsizetype> order;
        for (qsizetype i = 0; i < m_parts.size(); ++i) {
            columns += m_parts.at(i).sql;
            order += i;
        }
        const QString condition = afterSql(render, order, after);
        return u"SELECT DISTINCT "_s + columns.join(u", "_s) + render.from()
            + (condition.isEmpty() ? QString() : u" WHERE "_s + condition) + u" ORDER BY "_s + columns.join(u", "_s)
            + u" LIMIT "_s + QString::number(limit + 1);
    }

    /// The scopes of this page as a relation w(n, s0, s1, …), and the condition that joins t to it.
    QString wanted(Render &render, QString *join) const
    {
        QStringList arrays;
        QStringList names;
        QStringList matches;
        for (qsizetype i = 0; i < m_parts.size(); ++i) {
            QString literal = u"{"_s;
            bool anyNull = false;
            for (const ScopeCounts &counts : m_page.scopes) {
                const Cell &cell = counts.scope.at(i);
                anyNull = anyNull || cell.null;
                literal += (literal.size() > 1 ? u","_s : QString())
                    + (cell.null ? u"NULL"_s : arrayLiteral({ cell.text }).mid(1).chopped(1));
            }
            arrays += render.bind(literal + u'}', m_parts.at(i).type.castType + u"[]"_s);
            const QString name = u"s"_s + QString::number(i);
            names += name;
            const QString equal
                = m_parts.at(i).sql + operatorSql(m_parts.at(i).type.operatorSchema, u"="_s) + u"w."_s + name;
            matches += anyNull
                ? u"("_s + equal + u" OR ("_s + m_parts.at(i).sql + u" IS NULL AND w."_s + name + u" IS NULL))"_s
                : equal;
        }
        if (m_parts.isEmpty()) {
            *join = u"true"_s;
            return u"(VALUES (1)) w(n)"_s;
        }
        *join = matches.join(u" AND "_s);
        // Unqualified: only so does the parser take several arrays. The session's search_path is the catalogue alone.
        return u"unnest("_s + arrays.join(u", "_s) + u") WITH ORDINALITY AS w("_s + names.join(u", "_s) + u", n)"_s;
    }

    /// Everything counted in one pass: for small tables.
    Result<void> countExactly()
    {
        Render render(m_target);
        QString join;
        const QString scopes = wanted(render, &join);
        const CountColumns columns(render);
        const QString sql = u"SELECT w.n, "_s + columns.aggregates() + u" FROM "_s + scopes + u" JOIN "_s
            + m_target.relation.sql + u" t ON "_s + join + u" GROUP BY w.n"_s;
        return apply(render, columns, sql, 0);
    }

    /// Large tables: how many rows a scope has up to the cap, from an index alone; the states of its first rows, which
    /// are all where it has few; then states and staleness that an index finds, counted across scopes.
    Result<void> countBounded()
    {
        // Rows fetched by chance of their key cost the most, so all scopes of the page share this many.
        constexpr qint64 kSampled = 2'000;
        constexpr qint64 kLeastSampled = 50;
        const qint64 sampled = qMin(m_cap, qMax(kLeastSampled, kSampled / m_page.scopes.size()));
        if (const auto counted = countTotals(); !counted) {
            return counted;
        }
        Render render(m_target);
        QString join;
        const QString scopes = wanted(render, &join);
        const CountColumns columns(render);
        const QString sql = u"SELECT w.n, x.* FROM "_s + scopes + u" CROSS JOIN LATERAL (SELECT "_s
            + columns.aggregatesOf(u"y"_s) + u" FROM (SELECT "_s + columns.flags() + render.from() + u" WHERE "_s + join
            + u" LIMIT "_s + QString::number(sampled + 1) + u") y) x"_s;
        if (const auto bounded = apply(render, columns, sql, sampled); !bounded) {
            return bounded;
        }
        if (std::all_of(m_page.scopes.cbegin(), m_page.scopes.cend(), allExact)) {
            return {};
        }
        const auto refined = refine();
        for (qsizetype i = 0; i < m_page.scopes.size(); ++i) {
            deduce(&m_page.scopes[i], m_totals.at(i));
        }
        return refined;
    }

    Result<void> countTotals()
    {
        Render render(m_target);
        QString join;
        const QString scopes = wanted(render, &join);
        m_totals = QList<RowCount>(m_page.scopes.size());
        const QString sql = u"SELECT w.n, x.c FROM "_s + scopes
            + u" CROSS JOIN LATERAL (SELECT pg_catalog.count(*) FROM (SELECT 1"_s + render.from() + u" WHERE "_s + join
            + u" LIMIT "_s + QString::number(m_cap + 1) + u") y) x(c)"_s;
        TRY(const auto rows, m_session.all(render.finish(sql, m_page.now)));
        for (const Cells &row : rows) {
            const qsizetype index = row.first().text.toLongLong() - 1;
            const qint64 found = row.at(1).text.toLongLong();
            if (index >= 0 && index < m_totals.size()) {
                m_totals[index] = found > m_cap ? RowCount { RowCount::Kind::AtLeast, m_cap }
                                                : RowCount { RowCount::Kind::Exact, found };
            }
        }
        return {};
    }

    /// Where all states but one are known exactly, the rest of the scope's rows are in that one.
    static void deduce(ScopeCounts *counts, const RowCount &total)
    {
        RowCount *open = nullptr;
        qint64 known = 0;
        for (RowCount &count : counts->states) {
            if (count.kind == RowCount::Kind::Exact) {
                known += count.rows;
            } else if (open != nullptr) {
                return;
            } else {
                open = &count;
            }
        }
        if (open != nullptr && total.rows - known > open->rows) {
            *open = { total.kind, total.rows - known };
        }
    }

    static bool allExact(const ScopeCounts &counts)
    {
        return std::all_of(counts.states.cbegin(), counts.states.cend(),
            [](const RowCount &count) { return count.kind == RowCount::Kind::Exact; });
    }

    /// Runs a statement of (n, counts…) rows. bound > 0: rows were looked at up to bound + 1 only.
    Result<void> apply(Render &render, const CountColumns &columns, const QString &sql, qint64 bound)
    {
        for (ScopeCounts &counts : m_page.scopes) {
            columns.fillZero(&counts, RowCount::Kind::Exact);
        }
        TRY(const auto rows, m_session.all(render.finish(sql, m_page.now)));
        for (const Cells &row : rows) {
            const qsizetype index = row.first().text.toLongLong() - 1;
            if (index >= 0 && index < m_page.scopes.size()) {
                columns.fill(&m_page.scopes[index], row.mid(1), bound);
            }
        }
        return {};
    }

    Result<void> refine()
    {
        // In the planner's units; staleness is what a person comes for, so it may cost more.
        constexpr double kStateCost = 25'000;
        constexpr double kStaleCost = 50'000;
        const ScopeLookup lookup(m_page.scopes);
        for (const KeyState state : kAllStates) {
            // Which rows cannot be read no index tells: there may be more that are unknown than the status says.
            const bool hidden = state == KeyState::Unknown && !m_target.trial.isEmpty();
            if (hidden || !m_page.scopes.first().states.contains(state)) {
                continue;
            }
            const auto counted = refineOne(
                lookup, kStateCost, [&](Render &render) { return stateIn(render, { state }); }, false,
                [&](ScopeCounts &counts) -> RowCount & { return counts.states[state]; });
            if (!counted) {
                return counted;
            }
        }
        if (m_target.profile.stale) {
            return refineOne(
                lookup, kStaleCost, [](Render &render) { return *staleCondition(render); }, true,
                [](ScopeCounts &counts) -> RowCount & { return counts.stale; });
        }
        return {};
    }

    /// Rows of a condition by scope, `limit` of them at most.
    template <typename Condition> Statement groupedStatement(const Condition &condition, bool since, qint64 limit) const
    {
        Render render(m_target);
        QStringList columns;
        QStringList names;
        for (qsizetype i = 0; i < m_parts.size(); ++i) {
            columns += m_parts.at(i).sql;
            names += u"s"_s + QString::number(i);
        }
        columns += since ? staleSince(render) : u"NULL::pg_catalog.timestamptz"_s;
        names += u"since"_s;
        const QString group
            = m_parts.isEmpty() ? QString() : u" GROUP BY "_s + names.mid(0, m_parts.size()).join(u", "_s);
        const QString sql = u"SELECT pg_catalog.count(*), pg_catalog.min(x.since)"_s
            + (m_parts.isEmpty() ? QString() : u", "_s + names.mid(0, m_parts.size()).join(u", "_s))
            + u" FROM (SELECT "_s + columns.join(u", "_s) + render.from() + u" WHERE "_s + condition(render)
            + u" LIMIT "_s + QString::number(limit) + u") x("_s + names.join(u", "_s) + u")"_s + group;
        return render.finish(sql, m_page.now);
    }

    template <typename Condition, typename Which>
    Result<void> refineOne(
        const ScopeLookup &lookup, double mostCost, const Condition &condition, bool since, const Which &which)
    {
        // Far more rows than the cap cannot be counted out: some of them give a lower bound as well as ten thousand.
        constexpr qint64 kHopeless = 2'000;
        Statement statement = groupedStatement(condition, since, m_cap + 1);
        const auto explained = explain(m_session, statement);
        if (!explained || explained->totalCost >= mostCost) {
            return explained ? Result<void>() : Result<void>(explained.error());
        }
        qint64 cap = m_cap;
        if (explained->rowsRead > 2.0 * double(m_cap) && kHopeless < m_cap) {
            cap = kHopeless;
            statement = groupedStatement(condition, since, cap + 1);
        }
        TRY(const auto rows, m_session.all(statement));
        qint64 total = 0;
        for (const Cells &row : rows) {
            total += row.first().text.toLongLong();
        }
        const bool whole = total <= cap;
        if (whole) {
            for (ScopeCounts &counts : m_page.scopes) {
                which(counts) = { RowCount::Kind::Exact, 0 };
            }
        }
        for (const Cells &row : rows) {
            ScopeCounts *counts = lookup.find(m_page.scopes, row.mid(2));
            if (counts == nullptr) {
                continue;
            }
            RowCount &count = which(*counts);
            const qint64 found = row.first().text.toLongLong();
            if (whole) {
                count = { RowCount::Kind::Exact, found };
            } else if (count.kind != RowCount::Kind::Exact && found > count.rows) {
                count = { RowCount::Kind::AtLeast, found };
            }
            if (since && !row.at(1).null) {
                const auto oldest = Timestamp::parse(row.at(1).text);
                if (oldest && (!counts->oldestStale || *oldest < *counts->oldestStale)) {
                    counts->oldestStale = oldest;
                }
            }
        }
        return {};
    }

    Session &m_session;
    const Target &m_target;
    const QList<ScopePart> m_parts;
    const qint64 m_cap;
    ScopePage m_page;
    QList<RowCount> m_totals; ///< by m_page.scopes, up to the cap
};

} // namespace

Result<ScopePage> readScopes(Session &session, const Target &target, const Cells &after, int limit, qint64 cap)
{
    QString note;
    auto page = readAround(session, target, false, &note,
        [&](const Target &readable) { return ScopeReader(session, readable, cap).read(after, limit); });
    if (page) {
        page->notes += unseenNotes(target);
        if (!note.isEmpty()) {
            page->notes += note;
        }
        page->partly = !page->notes.isEmpty();
    }
    return page;
}

} // namespace idemdesk::sql
