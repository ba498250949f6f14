// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/summary_reader.h"

#include "sql/keys/bounded_count.h"
#include "sql/keys/counting.h"
#include "sql/keys/explain.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/resolve.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/catalogue.h"
#include "sql/session/server_clock.h"

#include <QElapsedTimer>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// What counting one condition on a large table may cost, in the planner's units.
constexpr double kMostCost = 50'000;

class SummaryReader
{
public:
    SummaryReader(Session &session, AroundReader &around, qint64 cap)
        : m_session(session)
        , m_around(around)
        , m_cap(qMax<qint64>(1, cap))
    {
    }

    Result<TargetSummary> read()
    {
        QElapsedTimer timer;
        timer.start();
        TRY(m_summary.now, serverNow(m_session));
        const RelationFacts &relation = m_around.whole().relation;
        const auto bytes = readRelationBytes(m_session, relation.oid); // a table grows while it is looked at
        if (!bytes) {
            return bytes.error();
        }
        m_summary.bytes = bytes->value_or(-1);
        TRY(isSmall(relation) ? exactly() : bounded());
        m_summary.tookMicros = timer.nsecsElapsed() / 1000;
        return m_summary;
    }

private:
    Result<void> exactly()
    {
        Render render(m_around.target());
        const CountColumns columns(render);
        TRY(const auto row,
            m_session.one(render.finish(u"SELECT "_s + columns.aggregates() + render.from(), m_summary.now)));
        ScopeCounts counts;
        columns.fill(&counts, row, 0);
        m_summary.rows = { RowCount::Kind::Exact, CountColumns::total(row) };
        m_summary.states = counts.states;
        m_summary.stale = counts.stale;
        m_summary.expired = counts.expired;
        m_summary.oldestStale = counts.oldestStale;
        return {};
    }

    Result<void> bounded()
    {
        const RelationFacts &relation = m_around.whole().relation;
        m_counter.emplace(m_session, m_around, m_cap, m_summary.now);
        if (relation.estimatedRows >= 0) {
            m_summary.rows = { RowCount::Kind::Estimated, static_cast<qint64>(relation.estimatedRows) };
        } else if (const auto rows = countOne([](Render &) { return u"true"_s; }, &m_summary.rows, nullptr); !rows) {
            return rows;
        }
        if (m_around.whole().profile.stale) {
            const auto counted = countOne(
                [](Render &render) { return *staleCondition(render); }, &m_summary.stale, &m_summary.oldestStale);
            if (!counted) {
                return counted;
            }
        }
        if (m_around.whole().profile.has(Role::ExpiresAt)) {
            const auto counted
                = countOne([](Render &render) { return *expiredCondition(render); }, &m_summary.expired, nullptr);
            if (!counted) {
                return counted;
            }
        }
        QList<KeyState> states(std::begin(kAllStates), std::end(kAllStates));
        states.removeAll(KeyState::Unknown);
        states.append(KeyState::Unknown); // the others find rows that cannot be read, which are among these
        for (const KeyState state : states) {
            RowCount count;
            const auto counted = countOne([&](Render &render) { return stateIn(render, { state }); }, &count, nullptr);
            if (!counted) {
                return counted;
            }
            // Which rows cannot be read no index tells: there may be more that are unknown than the status says.
            if (state == KeyState::Unknown && !m_around.whole().trial.isEmpty()
                && count.kind == RowCount::Kind::Exact) {
                count.kind = count.rows > 0 ? RowCount::Kind::AtLeast : RowCount::Kind::Unknown;
            }
            if (count.kind != RowCount::Kind::Unknown) {
                m_summary.states.insert(state, count);
            }
        }
        return {};
    }

    /// Up to the cap where that is cheap; beyond it, and where it is not, the planner's estimate.
    template <typename Condition>
    Result<void> countOne(const Condition &condition, RowCount *out, std::optional<Timestamp> *oldest)
    {
        Render render(m_around.target());
        const QString where = condition(render);
        if (where == u"false") {
            return {};
        }
        TRY(const auto cheap,
            cheaperThan(m_session,
                render.finish(u"SELECT pg_catalog.count(*) FROM (SELECT 1"_s + render.from() + u" WHERE "_s + where
                        + u" LIMIT "_s + QString::number(m_cap + 1) + u") x"_s,
                    m_summary.now),
                kMostCost));
        if (cheap) {
            CountedRows rows;
            rows.condition = [&](Render &counted) -> Result<QString> { return condition(counted); };
            rows.since = oldest != nullptr ? staleSince : std::function<QString(Render &)>();
            TRY(const auto found, m_counter->count(rows));
            *out = found.count;
            if (oldest != nullptr && found.since) {
                *oldest = found.since;
            }
            if (out->kind == RowCount::Kind::Exact) {
                return {};
            }
        }
        return estimate(condition, out);
    }

    template <typename Condition> Result<void> estimate(const Condition &condition, RowCount *out)
    {
        Render render(m_around.target());
        const QString where = condition(render);
        TRY(const auto explained,
            explain(m_session, render.finish(u"SELECT 1"_s + render.from() + u" WHERE "_s + where, m_summary.now)));
        if (explained.rows > static_cast<double>(m_cap) || out->kind == RowCount::Kind::Unknown) {
            *out = { RowCount::Kind::Estimated, static_cast<qint64>(explained.rows) };
        }
        return {};
    }

    Session &m_session;
    AroundReader &m_around;
    const qint64 m_cap;
    std::optional<BoundedCounter> m_counter;
    TargetSummary m_summary;
};

} // namespace

Result<TargetSummary> readSummary(Session &session, const Target &target, qint64 cap)
{
    AroundReader around(session, target, false);
    auto summary = SummaryReader(session, around, cap).read();
    while (!summary && around.learned(summary.error())) {
        summary = SummaryReader(session, around, cap).read();
    }
    if (summary && !around.note().isEmpty()) {
        summary->notes += around.note();
    }
    return summary;
}

} // namespace idemdesk::sql
