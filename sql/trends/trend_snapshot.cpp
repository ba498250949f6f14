// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/trend_snapshot.h"

#include "sql/activity/replication.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/regions/replication_link.h"
#include "sql/trends/trend_metrics.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>
#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kMostScopesSampled = 100; // where each user is a scope there may be a million

/// What the table is, beside its rows: its size, and who waits while at work on it. Who waits for a row waits for its
/// writer's transaction; that it is about this table shows in the lock it holds here.
const QString kTable = uR"(
WITH r AS (SELECT $1::pg_catalog.oid AS oid
           UNION SELECT x.relid FROM pg_catalog.pg_partition_tree($1::pg_catalog.oid::pg_catalog.regclass) x)
SELECT (SELECT pg_catalog.sum(pg_catalog.pg_total_relation_size(r.oid::pg_catalog.regclass)) FROM r),
       pg_catalog.count(DISTINCT w.pid),
       COALESCE(EXTRACT(epoch FROM pg_catalog.clock_timestamp() - pg_catalog.min(w.waitstart)), 0)
  FROM pg_catalog.pg_locks w
 WHERE NOT w.granted AND EXISTS (
    SELECT FROM pg_catalog.pg_locks l JOIN r ON r.oid = l.relation
     WHERE l.pid = w.pid AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d
                                            WHERE d.datname = pg_catalog.current_database())))"_s;

/// What is counted of the rows of each scope: its names beside the SQL of each.
struct CountedMetrics {
    QStringList names;
    QStringList aggregates;
};

CountedMetrics countedMetrics(Render &render)
{
    const Target &target = render.target();
    CountedMetrics counted;
    for (const KeyState state : kAllStates) {
        counted.names += u"state_"_s + stateName(state);
        counted.aggregates += u"pg_catalog.count(*) FILTER (WHERE "_s + stateIn(render, { state }) + u')';
    }
    const QStringList ids = trendMetricIds();
    for (const QString &id : ids) {
        Render probe(target); // what is bound and not used would have no type
        if (sampleAggregate(probe, id)) {
            counted.names += id;
            counted.aggregates += sampleAggregate(render, id).value_or(QString());
        }
    }
    if (target.profile.has(Role::Attempts)) {
        counted.names += u"retry_count"_s;
        counted.aggregates += u"pg_catalog.sum(GREATEST(COALESCE(("_s + target.profile.role(Role::Attempts).sql
            + u")::pg_catalog.numeric, 1) - 1, 0))"_s;
    }
    return counted;
}

/// Puts the numbers of scopes together: the largest each by itself, the others as one.
class ScopeValues
{
public:
    explicit ScopeValues(QStringList metrics)
        : m_metrics(std::move(metrics))
    {
    }

    /// A scope, its numbers in the order of the metrics from column 1 on; the largest come first.
    void take(const Row &row)
    {
        Cells cells;
        const QJsonArray json = QJsonDocument::fromJson(row.text(0).toUtf8()).array();
        for (const QJsonValue &part : json) {
            cells += part.isNull() ? Cell() : Cell::of(part.toString());
        }
        const bool apart = ++m_scopes <= kMostScopesSampled;
        for (qsizetype i = 0; i < m_metrics.size(); ++i) {
            if (row.isNull(int(i) + 1)) {
                continue;
            }
            const QString &metric = m_metrics.at(i);
            const double value = row.text(int(i) + 1).toDouble();
            if (apart) {
                m_values.append({ metric, cells, false, value });
            } else {
                double &sum = m_others[metric];
                sum = metric.startsWith(u"oldest") ? std::max(sum, value) : sum + value;
            }
        }
    }

    QList<SnapshotValue> values() const
    {
        QList<SnapshotValue> all = m_values;
        for (auto other = m_others.cbegin(); other != m_others.cend(); ++other) {
            all.append({ other.key(), {}, true, *other });
        }
        return all;
    }

private:
    QStringList m_metrics;
    QList<SnapshotValue> m_values;
    QMap<QString, double> m_others;
    int m_scopes = 0;
};

Result<QList<SnapshotValue>> readCounts(Session &session, const Target &target)
{
    Render render(target);
    const CountedMetrics counted = countedMetrics(render);
    QStringList parts;
    const QList<ScopePart> all = partsOf(target);
    for (const ScopePart &part : all) {
        parts += u"("_s + part.sql + u")::pg_catalog.text"_s;
    }
    const QString scope = u"pg_catalog.json_build_array("_s + parts.join(u", "_s) + u")::pg_catalog.text"_s;
    TRY(const auto now, session.one({ u"SELECT pg_catalog.now()"_s, {} }));
    const QString sql = u"SELECT "_s + scope + u", "_s + counted.aggregates.join(u", "_s) + render.from()
        + u" GROUP BY 1 ORDER BY pg_catalog.count(*) DESC"_s;
    ScopeValues values(counted.names);
    const Statement statement = render.finish(sql, Timestamp::parse(now.constFirst().text));
    TRY_OR(render.located, session.each(statement, [&values](const Row &row) {
        values.take(row);
        return true;
    }));
    return values.values();
}

Result<QList<SnapshotValue>> readTableFacts(Session &session, const Target &target)
{
    Statement table { kTable, {} };
    table.bind(QString::number(target.relation.oid));
    TRY(const auto facts, session.one(table));
    QList<SnapshotValue> values;
    values.append({ u"size"_s, {}, false, facts.at(0).text.toDouble() });
    values.append({ u"lock_waits"_s, {}, false, facts.at(1).text.toDouble() });
    values.append({ u"lock_wait"_s, {}, false, facts.at(2).text.toDouble() });
    TRY(const auto lag, readReplicationLag(session));
    if (lag.seconds || (!lag.standby && lag.standbys == 0)) { // else it is not known, and no number
        values.append({ u"standby_lag"_s, {}, false, lag.seconds.value_or(0) });
    }
    TRY(const auto held, readHeldSlots(session));
    qint64 most = 0;
    for (const HeldSlot &slot : held) {
        most = std::max(most, slot.keptBytes);
    }
    values.append({ u"slot_log"_s, {}, false, double(most) });
    return values;
}

} // namespace

namespace {

/// Is this view of the console's schema there, and may this login read it?
Result<bool> mayReadView(Session &session, const QString &view)
{
    Statement statement { u"SELECT COALESCE(pg_catalog.has_table_privilege(pg_catalog.to_regclass("
                          "$1::pg_catalog.text), 'SELECT'), false)"_s,
        {} };
    statement.bind(view);
    TRY(const auto there, session.one(statement));
    return there.constFirst().text == u"t";
}

Result<QList<SampledTotal>> readSampledTotals(Session &session)
{
    QList<SampledTotal> totals;
    TRY(const bool there, mayReadView(session, u"idemdesk.counter_told"_s));
    if (!there) {
        return totals;
    }
    TRY(session.each({ u"SELECT c.target, c.metric, c.bound::pg_catalog.float8, c.value::pg_catalog.float8 FROM "
                       "idemdesk.counter_told c ORDER BY 1, 2, 3"_s,
                         {} },
        [&totals](const Row &row) {
            const bool beyond = row.text(2) == u"Infinity";
            totals.append({ row.text(0), row.text(1),
                beyond ? std::numeric_limits<double>::infinity() : row.text(2).toDouble(), row.text(3).toDouble() });
            return true;
        }));
    return totals;
}

} // namespace

Result<QList<EventTotal>> readEventTotals(Session &session)
{
    QList<EventTotal> totals;
    TRY(const bool there, mayReadView(session, u"idemdesk.event_told"_s));
    if (!there) {
        return totals;
    }
    QMap<QString, EventTotal> byKind;
    TRY(session.each({ u"SELECT e.kind, e.n::pg_catalog.float8, e.timed::pg_catalog.float8, e.milliseconds, e.bins "
                       "FROM idemdesk.event_told e"_s,
                         {} },
        [&byKind](const Row &row) {
            EventTotal &total = byKind[row.text(0)];
            total.kind = row.text(0);
            total.count += row.text(1).toDouble();
            total.timed += row.text(2).toDouble();
            total.milliseconds += row.text(3).toDouble();
            total.latency.addJson(row.text(4));
            return true;
        }));
    return byKind.values();
}

Result<CounterTotals> readCounterTotals(Session &session)
{
    CounterTotals totals;
    TRY(const auto database,
        session.one(
            { u"SELECT d.deadlocks, d.xact_rollback, "
              u"COALESCE(pg_catalog.has_table_privilege(pg_catalog.to_regclass('idemdesk.action'), 'SELECT'), false) "
              "FROM pg_catalog.pg_stat_database d WHERE d.datname = pg_catalog.current_database()"_s,
                {} }));
    totals.deadlocks = database.at(0).text.toLongLong();
    totals.rollbacks = database.at(1).text.toLongLong();
    TRY(totals.sampled, readSampledTotals(session));
    if (database.at(2).text != u"t") {
        return totals;
    }
    TRY(session.each(
        { u"SELECT t.name, COALESCE(pg_catalog.sum((a.counts ->> 'done')::pg_catalog.int8) FILTER (WHERE a.verb = "
          u"'recover'), 0), "
          "COALESCE(pg_catalog.sum((a.counts ->> 'purged')::pg_catalog.int8) FILTER (WHERE a.verb = 'purge'), 0) "
          "FROM idemdesk.target t LEFT JOIN idemdesk.action a ON a.target = t.name GROUP BY t.name ORDER BY t.name"_s,
            {} },
        [&totals](const Row &row) {
            totals.actions.append({ row.text(0), row.integer(1), row.integer(2) });
            return true;
        }));
    return totals;
}

Result<QList<SnapshotValue>> readSnapshot(Session &session, const Target &target)
{
    QList<SnapshotValue> values;
    if (target.relation.rowSecurity) {
        values.append({ u"hidden"_s, {}, false, 1 });
    } else {
        // A sample is taken each minute: it asks of a row only what it counts, as take_sample() does, and says how many
        // failed there.
        AroundReader around(session, target, false);
        auto counts = readCounts(session, target);
        while (!counts && around.learned(counts.error())) {
            Target counted = around.target();
            counted.trial.clear();
            counts = readCounts(session, counted);
        }
        if (!counts) {
            return counts;
        }
        values = *counts;
        if (around.found().count > 0) {
            // Of "100 or more" nobody counted how many: no expression was used, so that it is every row.
            double all = 0;
            for (const SnapshotValue &value : std::as_const(values)) {
                all += value.metric.startsWith(u"state_") ? value.value : 0;
            }
            values.append({ u"unreadable"_s, {}, false, around.found().many ? all : double(around.found().count) });
        }
    }
    const auto facts = readTableFacts(session, target);
    return facts ? Result<QList<SnapshotValue>>(values + *facts) : facts;
}

} // namespace idemdesk::sql
