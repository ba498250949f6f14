// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/prometheus.h"

#include <QLocale>
#include <QMap>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct Family {
    const char16_t *metric;
    const char *name;
    const char *help;
};

// HELP texts are read by machines' keepers, in English as the names are.
constexpr Family kFamilies[] = {
    { u"claims", "idempotency_claims_last_minute", "Keys that began in the last whole minute." },
    { u"retries", "idempotency_retries_last_minute",
        "Attempts beyond the first, of keys that began in the last whole minute." },
    { u"retried_keys", "idempotency_retried_keys_last_minute",
        "Keys with more than one attempt, of those that began in the last whole minute." },
    { u"completions", "idempotency_completions_last_minute", "Keys that succeeded in the last whole minute." },
    { u"failures_retryable", "idempotency_retryable_failures_last_minute",
        "Keys that failed in the last whole minute and may be tried again." },
    { u"failures_final", "idempotency_final_failures_last_minute",
        "Keys that failed for good in the last whole minute." },
    { u"retry_count", "idempotency_retry_count",
        "Attempts beyond the first of the rows that are there: a gauge, for a purge takes rows away." },
    { u"stale", "idempotency_stale_keys", "Keys past their lease or age rule, by the server's clock." },
    { u"oldest_stale", "idempotency_oldest_stale_seconds", "For how long the longest stuck key has been stuck." },
    { u"backlog", "idempotency_backlog", "Messages that wait to be handled, or to be tried again." },
    { u"oldest_backlog", "idempotency_oldest_backlog_seconds", "Age of the oldest message that waits." },
    { u"dead", "idempotency_dead_messages", "Messages that failed for good." },
    { u"expired", "idempotency_expired_rows", "Rows that a purge would take now." },
    { u"unreadable", "idempotency_unreadable_rows",
        "Rows on which an expression of the profile fails; they count as unknown." },
    { u"size", "idempotency_table_size_bytes", "The table with its indexes and large values on disk." },
    { u"lock_waits", "idempotency_lock_waits", "Sessions that wait for a lock while they work on the table." },
    { u"lock_wait", "idempotency_longest_lock_wait_seconds", "For how long the longest of them has waited." },
    { u"standby_lag", "idempotency_replication_lag_seconds",
        "How far the slowest standby or subscriber is behind; missing where this login may not see it." },
    { u"slot_log", "idempotency_slot_log_bytes", "Log that the server keeps for the slot that is furthest behind." },
};

// Only what samples count can be a counter: rows come and go.
constexpr Family kSampledCounters[] = {
    { u"claims", "idempotency_claims_total", "Keys that began in the minutes that were sampled." },
    { u"retries", "idempotency_retries_total",
        "Attempts beyond the first, of keys that began in the minutes that were sampled." },
    { u"retried_keys", "idempotency_retried_keys_total",
        "Keys with more than one attempt, of those that began in the minutes that were sampled." },
    { u"completions", "idempotency_completions_total", "Keys that succeeded in the minutes that were sampled." },
    { u"failures_retryable", "idempotency_retryable_failures_total",
        "Keys that failed in the minutes that were sampled and may be tried again." },
    { u"failures_final", "idempotency_final_failures_total",
        "Keys that failed for good in the minutes that were sampled." },
};

// What services report, by the kind of event.
constexpr Family kEventCounters[] = {
    { u"violation", "idempotency_db_violations_total", "Unique violations (23505) that services reported." },
    { u"conflict", "idempotency_conflicts_total",
        "Keys that were used again with other data, as services reported them." },
    { u"replay", "idempotency_duplicates_served_total",
        "Duplicate requests answered from what was stored, as services reported them." },
    { u"outbox_replay", "idempotency_outbox_replays_total",
        "Messages of an outbox that were sent once more, as services reported them." },
    { u"cache_hit", "idempotency_cache_hits_total", "Look-ups that a cache answered, as services reported them." },
    { u"cache_miss", "idempotency_cache_misses_total",
        "Look-ups that a cache did not answer, as services reported them." },
};

/// In seconds, and each of two digits in milliseconds: bounds of bins, so that the counts are exact.
constexpr double kLatencyBounds[]
    = { 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60 };
constexpr double kLockBounds[] = { 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1'800 };

/// A value between quotes: backslash, quote and line feed are escaped, and nothing else may be.
QByteArray escaped(const QString &text)
{
    QByteArray bytes = text.toUtf8();
    return bytes.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
}

/// A label's name as the format allows it; "target", "state" and "scopes" are taken.
QByteArray labelName(const QString &label)
{
    QByteArray name;
    for (const QChar c : label) {
        const bool letter = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_';
        const bool digit = c >= u'0' && c <= u'9';
        name += letter || (digit && !name.isEmpty()) ? char(c.unicode()) : '_';
    }
    return name == "target" || name == "state" || name == "scopes" || name.isEmpty() || name.startsWith("__")
        ? "scope_" + name
        : name;
}

QByteArray number(double value)
{
    return QByteArray::number(value, 'g', 17);
}

QByteArray labels(const ScrapedTarget &target, const sql::SnapshotValue &value, const QByteArray &state)
{
    QByteArrayList list { "target=\"" + escaped(target.name) + '"' };
    for (qsizetype i = 0; i < value.scope.size() && i < target.scopeLabels.size(); ++i) {
        if (!value.scope.at(i).null) { // an absent label is how the format says NULL
            list.append(labelName(target.scopeLabels.at(i)) + "=\"" + escaped(value.scope.at(i).text) + '"');
        }
    }
    if (value.other) {
        list.append("scopes=\"other\"");
    }
    if (!state.isEmpty()) {
        list.append("state=\"" + state + '"');
    }
    return '{' + list.join(',') + '}';
}

QByteArray head(const QByteArray &name, const QByteArray &help, const QByteArray &type)
{
    return "# HELP " + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
}

QByteArray boundText(double bound)
{
    return std::isinf(bound) ? QByteArray("+Inf") : QByteArray::number(bound, 'g', QLocale::FloatingPointShortest);
}

/// The lines of one histogram. `label` is of all of them, as `target="x"`; upTo tells how many are at most so large.
template <typename UpTo>
QByteArray histogramLines(const QByteArray &name, const QByteArray &label, std::span<const double> bounds,
    const UpTo &upTo, double sum, double count)
{
    QByteArray text;
    for (const double bound : bounds) {
        text += name + "_bucket{" + label + ",le=\"" + boundText(bound) + "\"} " + number(upTo(bound)) + '\n';
    }
    text += name + "_bucket{" + label + ",le=\"+Inf\"} " + number(count) + '\n';
    return text + name + "_sum{" + label + "} " + number(sum) + '\n' + name + "_count{" + label + "} " + number(count)
        + '\n';
}

/// How long look-ups took, by where they were answered.
QByteArray latencyText(const QMap<QString, sql::EventTotal> &byKind)
{
    const QByteArray name = "idempotency_dedup_latency_seconds";
    const std::pair<QByteArray, QStringList> sources[]
        = { { "database", { u"check"_s } }, { "cache", { u"cache_hit"_s, u"cache_miss"_s } } };
    QByteArray lines;
    QByteArray absent;
    for (const auto &[source, kinds] : sources) {
        sql::LatencySketch sketch;
        double milliseconds = 0;
        for (const QString &kind : kinds) {
            sketch.add(byKind.value(kind).latency);
            milliseconds += byKind.value(kind).milliseconds;
        }
        if (sketch.empty()) {
            absent += "# " + name + "{source=\"" + source + "\"} is absent: no service calls idemdesk.record_event('"
                + kinds.constFirst().toUtf8() + "') with a duration.\n";
        } else {
            lines += histogramLines(
                name, "source=\"" + source + '"', kLatencyBounds,
                [&sketch](double bound) { return sketch.upTo(bound * 1'000); }, milliseconds / 1'000, sketch.count());
        }
    }
    return (lines.isEmpty()
                   ? QByteArray()
                   : head(name, "How long services took to look a key up, as they reported it.", "histogram") + lines)
        + absent;
}

bool hasFamily(const QString &kind)
{
    return std::any_of(std::begin(kEventCounters), std::end(kEventCounters),
        [&](const Family &one) { return kind == QStringView(one.metric); });
}

/// As services reported it; else as their Redis has it.
QByteArray hitRatioText(double hits, double misses, std::optional<double> ofServer)
{
    const QByteArray name = "idempotency_cache_hit_ratio";
    if (hits + misses > 0) {
        return head(name, "Cache hits over look-ups, as services reported them.", "gauge") + name + ' '
            + number(hits / (hits + misses)) + '\n';
    }
    if (ofServer) {
        return head(name,
                   "Cache hits over look-ups of the whole Redis: of the last hour where samples are taken, else since "
                   "its start.",
                   "gauge")
            + name + ' ' + number(*ofServer) + '\n';
    }
    return "# " + name + " is absent: no service calls idemdesk.record_event('cache_hit') and ('cache_miss').\n";
}

QByteArray eventText(const QList<sql::EventTotal> &events, std::optional<double> cacheHitRatio)
{
    QMap<QString, sql::EventTotal> byKind;
    for (const sql::EventTotal &event : events) {
        byKind.insert(event.kind, event);
    }
    QByteArray text;
    for (const Family &family : kEventCounters) {
        const QByteArray kind = QStringView(family.metric).toUtf8();
        const QByteArray name = family.name;
        const auto found = byKind.constFind(QString::fromLatin1(kind));
        if (found == byKind.constEnd()) {
            const QByteArray call
                = kind == "conflict" ? QByteArray("record_conflict()") : "record_event('" + kind + "')";
            text += "# " + name + " is absent: no service calls idemdesk." + call + ".\n";
        } else {
            text += head(name, family.help, "counter") + name + ' ' + number(found->count) + '\n';
        }
    }
    text += latencyText(byKind);
    text += hitRatioText(byKind.value(u"cache_hit"_s).count, byKind.value(u"cache_miss"_s).count, cacheHitRatio);
    bool named = false;
    for (const sql::EventTotal &event : events) {
        if (hasFamily(event.kind)) {
            continue;
        }
        if (!named) {
            text += head("idempotency_events_total", "Events that services reported, by kind.", "counter");
            named = true;
        }
        text += "idempotency_events_total{kind=\"" + escaped(event.kind) + "\"} " + number(event.count) + '\n';
    }
    return text;
}

} // namespace

namespace {

/// For how long sessions had waited when a sample saw them.
QByteArray lockText(const QList<sql::SampledTotal> &sampled)
{
    struct Waits {
        QMap<double, double> counts;
        double sum = 0;
    };
    QMap<QString, Waits> byTarget;
    for (const sql::SampledTotal &total : sampled) {
        if (total.metric == u"lock_wait") {
            byTarget[total.target].counts[total.bound] += total.value;
        } else if (total.metric == u"lock_wait_sum") {
            byTarget[total.target].sum += total.value;
        }
    }
    const QByteArray name = "pg_lock_wait_seconds";
    if (byTarget.isEmpty()) {
        return "# " + name + " is absent: no sample has seen a session that waits for a lock.\n";
    }
    QByteArray text = head(name,
        "For how long sessions at work on the table had waited for a lock, whenever a sample looked.", "histogram");
    for (auto waits = byTarget.cbegin(); waits != byTarget.cend(); ++waits) {
        const auto upTo = [&waits](double bound) {
            double sum = 0;
            for (auto one = waits->counts.cbegin(); one != waits->counts.cend() && one.key() <= bound; ++one) {
                sum += *one;
            }
            return sum;
        };
        text += histogramLines(name, "target=\"" + escaped(waits.key()) + '"', kLockBounds, upTo, waits->sum,
            upTo(std::numeric_limits<double>::infinity()));
    }
    return text;
}

QByteArray sampledText(const QList<sql::SampledTotal> &sampled)
{
    QByteArray text;
    for (const Family &family : kSampledCounters) {
        QByteArray lines;
        for (const sql::SampledTotal &total : sampled) {
            if (total.metric == QStringView(family.metric)) {
                lines += QByteArray(family.name) + "{target=\"" + escaped(total.target) + "\"} " + number(total.value)
                    + '\n';
            }
        }
        text += lines.isEmpty() ? lines : head(family.name, family.help, "counter") + lines;
    }
    return text + lockText(sampled);
}

QByteArray totalsText(const sql::CounterTotals &totals)
{
    QByteArray text = sampledText(totals.sampled);
    if (!totals.actions.isEmpty()) {
        const std::tuple<QByteArray, QByteArray, qint64 sql::ActionTotal::*> counters[] = {
            { "idempotency_recoveries_total", "Keys that the console recovered.", &sql::ActionTotal::recovered },
            { "idempotency_purged_rows_total", "Rows that the console purged.", &sql::ActionTotal::purged },
        };
        for (const auto &[name, help, member] : counters) {
            text += head(name, help, "counter");
            for (const sql::ActionTotal &action : totals.actions) {
                text += name + "{target=\"" + escaped(action.target) + "\"} " + QByteArray::number(action.*member)
                    + '\n';
            }
        }
    }
    text += head("pg_deadlocks_total", "Deadlocks of the database.", "counter") + "pg_deadlocks_total "
        + QByteArray::number(totals.deadlocks) + '\n';
    return text + head("pg_rollbacks_total", "Transactions of the database that were rolled back.", "counter")
        + "pg_rollbacks_total " + QByteArray::number(totals.rollbacks) + '\n';
}

} // namespace

QByteArray prometheusText(const QList<ScrapedTarget> &targets, const QList<sql::EventTotal> &events,
    const sql::CounterTotals &totals, std::optional<double> cacheHitRatio)
{
    QByteArray text;
    QByteArray states;
    QByteArray readable;
    for (const ScrapedTarget &target : targets) {
        const QByteArray name = escaped(target.name);
        if (!target.notRead.isEmpty()) {
            text += "# The table of \"" + name + "\" could not be read: " + escaped(target.notRead) + '\n';
        }
        readable
            += "idempotency_table_readable{target=\"" + name + "\"} " + (target.notRead.isEmpty() ? "1" : "0") + '\n';
        for (const sql::SnapshotValue &value : target.values) {
            if (value.metric.startsWith(u"state_")) {
                states += "idempotency_keys" + labels(target, value, value.metric.mid(6).toUtf8()) + ' '
                    + number(value.value) + '\n';
            }
        }
    }
    if (targets.isEmpty()) {
        text += "# No table is registered, so none was looked at.\n";
    } else {
        text += head("idempotency_table_readable",
                    "1 where the table could be read; 0 where nothing below is about it.", "gauge")
            + readable;
    }
    if (!states.isEmpty()) {
        text += head("idempotency_keys", "Keys by state.", "gauge") + states;
    }
    for (const Family &family : kFamilies) {
        QByteArray lines;
        for (const ScrapedTarget &target : targets) {
            for (const sql::SnapshotValue &value : target.values) {
                if (value.metric == QStringView(family.metric)) {
                    lines += QByteArray(family.name) + labels(target, value, {}) + ' ' + number(value.value) + '\n';
                }
            }
        }
        if (!lines.isEmpty()) {
            text += head(family.name, family.help, "gauge") + lines;
        }
    }
    return text + totalsText(totals) + eventText(events, cacheHitRatio);
}

} // namespace idemdesk::models
