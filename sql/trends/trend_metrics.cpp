// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/trend_metrics.h"

#include "sql/keys/state_predicate.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

#include <QMap>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

bool maps(const Profile &profile, KeyState wanted)
{
    for (const auto &[raw, state] : profile.states) {
        if (state == wanted) {
            return true;
        }
    }
    return profile.otherStates == wanted || profile.nullState == wanted;
}

QString noState(const QString &states)
{
    return Tr::tr("The profile maps no status to %1.").arg(states);
}

QString noRole(Role role)
{
    return Tr::tr("The profile names no %1.").arg(roleName(role));
}

/// When a row began, as far as the table keeps it.
void startTime(const Profile &profile, TrendFormula *formula)
{
    if (profile.has(Role::CreatedAt)) {
        formula->time = Role::CreatedAt;
    } else if (profile.has(Role::ClaimedAt)) {
        formula->time = Role::ClaimedAt;
        formula->notes
            += Tr::tr("The table keeps only the time of the last claim, so a row counts where it was claimed last.");
    } else {
        formula->metric.missing
            = Tr::tr("The profile names neither created_at nor claimed_at; samples would provide it.");
    }
}

/// When a row came to its state, as far as the table keeps it.
void endTime(const Profile &profile, TrendFormula *formula)
{
    if (profile.has(Role::CompletedAt)) {
        formula->time = Role::CompletedAt;
    } else if (profile.has(Role::UpdatedAt)) {
        formula->time = Role::UpdatedAt;
        formula->notes += Tr::tr("The table keeps no completed_at, so a row counts where it was last changed.");
    } else {
        formula->metric.missing
            = Tr::tr("The profile names neither completed_at nor updated_at; samples would provide it.");
    }
}

void ofState(Render &render, TrendFormula *formula, const QList<KeyState> &states)
{
    QStringList names;
    bool any = false;
    for (const KeyState state : states) {
        names += stateName(state);
        any = any || maps(render.target().profile, state);
    }
    if (!any) {
        formula->metric.missing = noState(names.join(Tr::tr(" or ")));
    } else {
        formula->condition = holds(stateIn(render, states));
        formula->metric.states = states;
    }
}

void retries(const Profile &profile, TrendFormula *formula)
{
    startTime(profile, formula);
    if (!profile.has(Role::Attempts)) {
        formula->metric.missing = noRole(Role::Attempts);
        return;
    }
    formula->metric.retriedOnly = true;
    formula->numerator
        = u"GREATEST(COALESCE(("_s + profile.role(Role::Attempts).sql + u")::pg_catalog.numeric, 1) - 1, 0)"_s;
    formula->notes += Tr::tr("The table keeps no time for each attempt, so a retry counts where its key began.");
}

void duration(Render &render, TrendFormula *formula, double fraction)
{
    const Profile &profile = render.target().profile;
    const bool apart = profile.has(Role::CreatedAt) && profile.has(Role::CompletedAt)
        && profile.role(Role::CreatedAt) != profile.role(Role::CompletedAt);
    if (!apart) {
        formula->metric.missing = Tr::tr("It needs created_at and completed_at in columns of their own.");
        return;
    }
    ofState(render, formula, { KeyState::Succeeded });
    formula->time = Role::CompletedAt;
    formula->fraction = fraction;
    formula->sample
        = timestamptzSql(profile.role(Role::CompletedAt)) + u" - "_s + timestamptzSql(profile.role(Role::CreatedAt));
}

void oldest(TrendFormula *formula, const QString &since)
{
    if (!since.isEmpty()) {
        formula->sample = u"$now - ("_s + since + u')';
    }
}

void staleGauge(Render &render, TrendFormula *formula, bool age)
{
    const auto condition = staleCondition(render);
    if (!condition) {
        formula->metric.missing = Tr::tr("The profile has no rule by which a row is stuck.");
        return;
    }
    formula->condition = holds(*condition);
    formula->metric.staleOnly = true;
    if (age) {
        oldest(formula, staleSince(render));
    }
}

void backlog(Render &render, TrendFormula *formula, bool age)
{
    const Profile &profile = render.target().profile;
    if (profile.kind == TargetKind::Request || profile.kind == TargetKind::Lease) {
        formula->metric.missing = Tr::tr("Only outboxes, inboxes and jobs have a backlog.");
        return;
    }
    ofState(render, formula, { KeyState::Pending, KeyState::FailedRetryable });
    if (age && formula->metric.available()) {
        if (profile.has(Role::CreatedAt)) {
            oldest(formula, timestamptzSql(profile.role(Role::CreatedAt)));
        } else {
            formula->metric.missing = noRole(Role::CreatedAt);
        }
    }
}

/// What the rows of the table tell.
QList<TrendMetric> metricsOfRows()
{
    using U = TrendUnit;
    return {
        { u"claims"_s, Tr::tr("Claims"), Tr::tr("New keys by start time."), U::Count },
        { u"retries"_s, Tr::tr("Retries"), Tr::tr("Attempts beyond the first."), U::Count },
        { u"retried_keys"_s, Tr::tr("Retried keys"), Tr::tr("Keys with more than one attempt."), U::Count },
        { u"retry_ratio"_s, Tr::tr("Retry ratio"), Tr::tr("Retries per new key."), U::Ratio },
        { u"completions"_s, Tr::tr("Completions"), Tr::tr("Keys that succeeded."), U::Count },
        { u"failures_retryable"_s, Tr::tr("Retryable failures"), Tr::tr("Keys that failed and may be tried again."),
            U::Count },
        { u"failures_final"_s, Tr::tr("Final failures"), Tr::tr("Keys that failed for good."), U::Count },
        { u"time_to_complete_p50"_s, Tr::tr("Time to complete, median"),
            Tr::tr("From beginning to success: half were faster."), U::Seconds },
        { u"time_to_complete_p95"_s, Tr::tr("Time to complete, p95"),
            Tr::tr("From beginning to success: 95 % were faster."), U::Seconds },
        { u"time_to_complete_p99"_s, Tr::tr("Time to complete, p99"),
            Tr::tr("From beginning to success: 99 % were faster."), U::Seconds },
        { u"in_progress"_s, Tr::tr("In progress"), Tr::tr("Keys being worked on."), U::Count, true },
        { u"stale"_s, Tr::tr("Stuck"), Tr::tr("Keys past their lease or age rule, by the server's clock."), U::Count,
            true },
        { u"oldest_stale"_s, Tr::tr("Oldest stuck"),
            Tr::tr("For how long the key that waits longest has been stuck, from the time its rule counts from."),
            U::Seconds, true },
        { u"backlog"_s, Tr::tr("Backlog"), Tr::tr("Messages that wait to be handled, or to be tried again."), U::Count,
            true },
        { u"oldest_backlog"_s, Tr::tr("Oldest in the backlog"), Tr::tr("Age of the oldest message that waits."),
            U::Seconds, true },
        { u"dead"_s, Tr::tr("Dead messages"), Tr::tr("Messages that failed for good."), U::Count, true },
        { u"expired"_s, Tr::tr("Past retention"),
            Tr::tr("Rows that a purge would take now: what the table holds beyond its retention."), U::Count, true },
    };
}

/// What the server tells beside the rows.
QList<TrendMetric> metricsOfServer()
{
    using U = TrendUnit;
    return {
        { u"lock_waits"_s, Tr::tr("Lock waits"), Tr::tr("Sessions that wait for a lock while they work on the table."),
            U::Count, true },
        { u"lock_wait"_s, Tr::tr("Longest lock wait"), Tr::tr("How long the longest of them has waited."), U::Seconds,
            true },
        { u"deadlocks"_s, Tr::tr("Deadlocks"), Tr::tr("Deadlocks of the whole database, as the server counts them."),
            U::Count },
        { u"rollbacks"_s, Tr::tr("Rolled-back transactions"),
            Tr::tr("Transactions of the whole database that were rolled back, as the server counts them."), U::Count },
        { u"standby_lag"_s, Tr::tr("Replication lag"),
            Tr::tr("How far the slowest standby or subscriber is behind, as this server sees it. 0 where none reads."),
            U::Seconds, true },
        { u"slot_log"_s, Tr::tr("Log kept for a slot"),
            Tr::tr("What the replication slot that is furthest behind makes the server keep of its log."), U::Bytes,
            true },
        { u"size"_s, Tr::tr("Size"), Tr::tr("The table with its indexes and large values on disk."), U::Bytes, true },
    };
}

/// What samples of the cache in front of the table tell.
QList<TrendMetric> metricsOfCache()
{
    using U = TrendUnit;
    return {
        { u"cache_lookups"_s, Tr::tr("Look-ups in Redis"),
            Tr::tr("Look-ups of all clients of the Redis in front of the table, as it counts them."), U::Count },
        { u"cache_misses"_s, Tr::tr("Misses in Redis"), Tr::tr("Those of them that found nothing there."), U::Count },
        { u"cache_memory"_s, Tr::tr("Memory of Redis"), Tr::tr("What that Redis uses."), U::Bytes, true },
        { u"cache_ttl_judged"_s, Tr::tr("Cached entries looked at"),
            Tr::tr("Entries of the table whose time to live was compared with its baseline."), U::Count, true },
        { u"cache_ttl_off"_s, Tr::tr("Cached entries off their baseline"),
            Tr::tr("Those of them that never expire, or live over 15 % longer than they should."), U::Count, true },
        { u"cache_crowded"_s, Tr::tr("Cached entries in one minute"),
            Tr::tr("How many expire in the fullest of the crowded minutes. 0 where none is crowded."), U::Count, true },
    };
}

bool isOfCache(const QString &id)
{
    return id == u"cache_lookups" || id == u"cache_misses" || id == u"cache_memory" || id == u"cache_ttl_judged"
        || id == u"cache_ttl_off" || id == u"cache_crowded";
}

/// What services report, and what the trail keeps.
QList<TrendMetric> metricsRecorded()
{
    using U = TrendUnit;
    return {
        { u"replays"_s, Tr::tr("Replays"),
            Tr::tr("Retries that were answered from the stored result, as services report them."), U::Count },
        { u"conflicts"_s, Tr::tr("Conflicts"),
            Tr::tr("Keys that were used again with other data, as services report them."), U::Count },
        { u"violations"_s, Tr::tr("Unique violations"),
            Tr::tr("Writes that a unique index refused (23505), as services report them."), U::Count },
        { u"check_time"_s, Tr::tr("Time of a check"),
            Tr::tr("How long services took to look a key up, on average, as they report it."), U::Seconds },
        { u"check_time_p50"_s, Tr::tr("Time of a check, median"),
            Tr::tr("Half of the look-ups in the database were faster, as services time them, within 5 %."),
            U::Seconds },
        { u"check_time_p95"_s, Tr::tr("Time of a check, p95"),
            Tr::tr("95 % of the look-ups in the database were faster, as services time them, within 5 %."),
            U::Seconds },
        { u"check_time_p99"_s, Tr::tr("Time of a check, p99"),
            Tr::tr("99 % of the look-ups in the database were faster, as services time them, within 5 %."),
            U::Seconds },
        { u"cache_time_p50"_s, Tr::tr("Time of the cache, median"),
            Tr::tr("Half of the look-ups in the cache were faster, as services time them, within 5 %."), U::Seconds },
        { u"cache_time_p95"_s, Tr::tr("Time of the cache, p95"),
            Tr::tr("95 % of the look-ups in the cache were faster, as services time them, within 5 %."), U::Seconds },
        { u"cache_time_p99"_s, Tr::tr("Time of the cache, p99"),
            Tr::tr("99 % of the look-ups in the cache were faster, as services time them, within 5 %."), U::Seconds },
        { u"outbox_replays"_s, Tr::tr("Outbox replays"),
            Tr::tr("Messages of an outbox that were sent once more, as services report them."), U::Count },
        { u"cache_hit_ratio"_s, Tr::tr("Cache hits"),
            Tr::tr("Look-ups that a service answered from its cache, as it reports them."), U::Ratio },
        { u"recoveries"_s, Tr::tr("Recoveries"), Tr::tr("Keys that the console recovered, by the audit log."),
            U::Count },
        { u"purged"_s, Tr::tr("Purged rows"), Tr::tr("Rows that the console purged, by the audit log."), U::Count },
    };
}

TrendMetric described(const QString &id)
{
    const QList<TrendMetric> all = metricsOfRows() + metricsOfServer() + metricsOfCache() + metricsRecorded();
    for (const TrendMetric &metric : all) {
        if (metric.id == id) {
            return metric;
        }
    }
    return {};
}

/// What a sample counts beside the rows.
bool isSampledBesideRows(const QString &id)
{
    return id == u"lock_waits" || id == u"lock_wait" || id == u"deadlocks" || id == u"rollbacks" || id == u"standby_lag"
        || id == u"slot_log" || id == u"size" || isOfCache(id);
}

/// Shares and percentiles of minutes cannot be put together to those of hours.
QString unsampled(const TrendFormula &formula, const Profile &profile)
{
    if (isOfCache(formula.metric.id) && !profile.cache) {
        return Tr::tr("The profile names no cache.");
    }
    if (isSampledBesideRows(formula.metric.id) || isRecordedMetric(formula.metric.id)) {
        return {};
    }
    if (formula.metric.unit == TrendUnit::Ratio || formula.fraction > 0) {
        return Tr::tr("Samples hold counts and ages; this is counted from rows.");
    }
    return formula.metric.missing;
}

} // namespace

bool isRecordedMetric(const QString &id)
{
    return id == u"recoveries" || id == u"purged" || !reportedMetric(id).kinds.isEmpty();
}

ReportedMetric reportedMetric(const QString &id)
{
    const QString percentile = u"_time_p"_s;
    const double fraction = id.contains(percentile) ? id.section(percentile, -1).toInt() / 100.0 : 0;
    if (id == u"check_time" || id.startsWith(u"check_time_p")) {
        return { { u"check"_s }, fraction, true };
    }
    if (id.startsWith(u"cache_time_p")) {
        return { { u"cache_hit"_s, u"cache_miss"_s }, fraction, true };
    }
    if (id == u"cache_hit_ratio") {
        return { { u"cache_hit"_s, u"cache_miss"_s }, 0, true };
    }
    const QMap<QString, QString> counted { { u"replays"_s, u"replay"_s }, { u"conflicts"_s, u"conflict"_s },
        { u"violations"_s, u"violation"_s }, { u"outbox_replays"_s, u"outbox_replay"_s } };
    return { counted.contains(id) ? QStringList { counted.value(id) } : QStringList(), 0, false };
}

QStringList trendMetricIds()
{
    return { u"claims"_s, u"retries"_s, u"retried_keys"_s, u"retry_ratio"_s, u"completions"_s, u"failures_retryable"_s,
        u"failures_final"_s, u"time_to_complete_p50"_s, u"time_to_complete_p95"_s, u"time_to_complete_p99"_s,
        u"in_progress"_s, u"stale"_s, u"oldest_stale"_s, u"backlog"_s, u"oldest_backlog"_s, u"dead"_s, u"expired"_s,
        u"lock_waits"_s, u"lock_wait"_s, u"deadlocks"_s, u"rollbacks"_s, u"standby_lag"_s, u"slot_log"_s, u"replays"_s,
        u"conflicts"_s, u"violations"_s, u"outbox_replays"_s, u"check_time"_s, u"check_time_p50"_s, u"check_time_p95"_s,
        u"check_time_p99"_s, u"cache_time_p50"_s, u"cache_time_p95"_s, u"cache_time_p99"_s, u"cache_hit_ratio"_s,
        u"cache_lookups"_s, u"cache_misses"_s, u"cache_memory"_s, u"cache_ttl_judged"_s, u"cache_ttl_off"_s,
        u"cache_crowded"_s, u"recoveries"_s, u"purged"_s, u"size"_s };
}

bool isSampledFromCache(const QString &id)
{
    return isOfCache(id);
}

bool isToldByRows(const QString &id)
{
    return !isRecordedMetric(id) && !isSampledBesideRows(id);
}

std::optional<QString> sampleAggregate(Render &render, const QString &id)
{
    const TrendFormula formula = trendFormula(render, id);
    if (!formula.metric.missing.isEmpty() || !formula.metric.unsampled.isEmpty()) {
        return std::nullopt;
    }
    QStringList where;
    if (formula.time) { // what happened in the last whole minute
        const Expression time = render.target().profile.role(*formula.time);
        where += compareTime(
            time, u">="_s, u"pg_catalog.date_trunc('minute', $now) - pg_catalog.make_interval(mins => 1)"_s);
        where += compareTime(time, u"<"_s, u"pg_catalog.date_trunc('minute', $now)"_s);
    }
    if (!formula.condition.isEmpty()) {
        where += formula.condition;
    }
    const QString rows = u" FILTER (WHERE "_s + (where.isEmpty() ? u"true"_s : where.join(u" AND "_s)) + u')';
    if (!formula.sample.isEmpty()) {
        return u"pg_catalog.max(EXTRACT(epoch FROM "_s + formula.sample + u"))"_s + rows;
    }
    return formula.numerator == u"1" ? u"pg_catalog.count(*)"_s + rows
                                     : u"COALESCE(pg_catalog.sum("_s + formula.numerator + u')' + rows + u", 0)"_s;
}

TrendFormula trendFormula(Render &render, const QString &id)
{
    const Profile &profile = render.target().profile;
    TrendFormula formula;
    formula.metric = described(id);
    if (id == u"claims") {
        startTime(profile, &formula);
    } else if (id == u"retries" || id == u"retry_ratio") {
        retries(profile, &formula);
        formula.denominator = id == u"retry_ratio" ? u"1"_s : QString();
    } else if (id == u"retried_keys") {
        retries(profile, &formula);
        formula.numerator = u"("_s + formula.numerator + u" > 0)::pg_catalog.int4"_s;
    } else if (id == u"completions") {
        ofState(render, &formula, { KeyState::Succeeded });
        endTime(profile, &formula);
    } else if (id == u"failures_retryable" || id == u"failures_final") {
        endTime(profile, &formula);
        ofState(render, &formula, { id == u"failures_final" ? KeyState::FailedFinal : KeyState::FailedRetryable });
    } else if (id.startsWith(u"time_to_complete_p")) {
        duration(render, &formula, id.right(2).toInt() / 100.0);
    } else if (id == u"in_progress") {
        ofState(render, &formula, { KeyState::InProgress });
    } else if (id == u"stale" || id == u"oldest_stale") {
        staleGauge(render, &formula, id == u"oldest_stale");
    } else if (id == u"backlog" || id == u"oldest_backlog") {
        backlog(render, &formula, id == u"oldest_backlog");
    } else if (id == u"expired") {
        QStringList rules;
        for (const TimeRule &rule : profile.purge) {
            rules += holds(ruleCondition(render, rule));
        }
        formula.condition = u"("_s + rules.join(u" OR "_s) + u")"_s;
        if (rules.isEmpty()) {
            formula.metric.missing = Tr::tr("The profile has no purge rule.");
        }
    } else if (isSampledBesideRows(id)) {
        formula.metric.missing = Tr::tr("No row of the table tells it; samples do.");
    } else if (isRecordedMetric(id)) {
        formula.metric.missing = id == u"recoveries" || id == u"purged"
            ? Tr::tr("No row of the table tells it; the console's audit log does.")
            : Tr::tr("No row of the table tells it; services that call idemdesk.record_event() do.");
    } else if (profile.kind != TargetKind::Inbox && profile.kind != TargetKind::Outbox) {
        formula.metric.missing = Tr::tr("Only inboxes and outboxes have dead messages.");
    } else {
        ofState(render, &formula, { KeyState::FailedFinal });
    }
    formula.metric.time = formula.time;
    formula.metric.unsampled = unsampled(formula, profile);
    return formula;
}

} // namespace idemdesk::sql
