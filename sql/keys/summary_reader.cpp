// SPDX-License-Identifier: GPL-3.0-or-later
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
    SummaryReader(Session &session, const Target &target, qint64 cap)
        : m_session(session)
        , m_target(target)
        , m_cap(qMax<qint64>(1, cap))
    {
    }

    Result<TargetSummary> read()
    {
        QElapsedTimer timer;
        timer.start();
        const auto now = serverNow(m_session);
        if (!now) {
            return now.error();
        }
        m_summary.now = *now;
        const auto bytes = readRelationBytes(m_session, m_target.relation.oid); // a table grows while it is looked at
        if (!bytes) {
            return bytes.error();
        }
        m_summary.bytes = bytes->value_or(-1);
        const auto counted = isSmall(m_target.relation) ? exactly() : bounded();
        if (!counted) {
            return counted.error();
        }
        m_summary.tookMicros = timer.nsecsElapsed() / 1000;
        return m_summary;
    }

private:
    Result<void> exactly()
    {
        Render render(m_target);
        const CountColumns columns(render);
        const auto row = m_session.one(render.finish(u"SELECT "_s + columns.aggregates() + render.from(), m_summary.now));
        if (!row) {
            return row.error();
        }
        ScopeCounts counts;
        columns.fill(&counts, *row, 0);
        m_summary.rows = { RowCount::Kind::Exact, CountColumns::total(*row) };
        m_summary.states = counts.states;
        m_summary.stale = counts.stale;
        m_summary.expired = counts.expired;
        m_summary.oldestStale = counts.oldestStale;
        return {};
    }

    Result<void> bounded()
    {
        if (m_target.relation.estimatedRows >= 0) {
            m_summary.rows = { RowCount::Kind::Estimated, static_cast<qint64>(m_target.relation.estimatedRows) };
        } else if (const auto rows = countOne([](Render &) { return u"true"_s; }, &m_summary.rows, nullptr); !rows) {
            return rows;
        }
        for (const KeyState state : kAllStates) {
            RowCount count;
            const auto counted = countOne([&](Render &render) { return stateIn(render, { state }); }, &count, nullptr);
            if (!counted) {
                return counted;
            }
            if (count.kind != RowCount::Kind::Unknown) {
                m_summary.states.insert(state, count);
            }
        }
        if (m_target.profile.stale) {
            const auto counted = countOne([](Render &render) { return *staleCondition(render); }, &m_summary.stale, &m_summary.oldestStale);
            if (!counted) {
                return counted;
            }
        }
        if (m_target.profile.has(Role::ExpiresAt)) {
            return countOne([](Render &render) { return *expiredCondition(render); }, &m_summary.expired, nullptr);
        }
        return {};
    }


    /// Up to the cap where that is cheap; beyond it, and where it is not, the planner's estimate.
    template <typename Condition>
    Result<void> countOne(const Condition &condition, RowCount *out, std::optional<Timestamp> *oldest)
    {
        Render render(m_target);
        const QString where = condition(render);
        if (where == u"false") {
            return {};
        }
        const QString since = oldest != nullptr ? staleSince(render) : u"NULL::pg_catalog.timestamptz"_s;
        const QString rows = u"SELECT "_s + since + u" AS since"_s + render.from() + u" WHERE "_s + where;
        const Statement statement = render.finish(
            u"SELECT pg_catalog.count(*), pg_catalog.min(x.since) FROM ("_s + rows + u" LIMIT "_s + QString::number(m_cap + 1) + u") x"_s, m_summary.now);
        const auto cheap = cheaperThan(m_session, statement, kMostCost);
        if (!cheap) {
            return cheap.error();
        }
        if (*cheap) {
            const auto row = m_session.one(statement);
            if (!row) {
                return row.error();
            }
            const qint64 found = row->first().text.toLongLong();
            *out = { found > m_cap ? RowCount::Kind::AtLeast : RowCount::Kind::Exact, qMin(found, m_cap) };
            if (oldest != nullptr && !row->at(1).null) {
                *oldest = Timestamp::parse(row->at(1).text);
            }
            if (out->kind == RowCount::Kind::Exact) {
                return {};
            }
        }
        return estimate(condition, out);
    }

    template <typename Condition>
    Result<void> estimate(const Condition &condition, RowCount *out)
    {
        Render render(m_target);
        const QString where = condition(render);
        const auto explained = explain(m_session, render.finish(u"SELECT 1"_s + render.from() + u" WHERE "_s + where, m_summary.now));
        if (!explained) {
            return explained.error();
        }
        if (explained->rows > static_cast<double>(m_cap) || out->kind == RowCount::Kind::Unknown) {
            *out = { RowCount::Kind::Estimated, static_cast<qint64>(explained->rows) };
        }
        return {};
    }

    Session &m_session;
    const Target &m_target;
    const qint64 m_cap;
    TargetSummary m_summary;
};

} // namespace

Result<TargetSummary> readSummary(Session &session, const Target &target, qint64 cap)
{
    QString note;
    auto summary = readAround(session, target, false, &note,
        [&](const Target &readable) { return SummaryReader(session, readable, cap).read(); });
    if (summary && !note.isEmpty()) {
        summary->notes += note;
    }
    return summary;
}

} // namespace idemdesk::sql
