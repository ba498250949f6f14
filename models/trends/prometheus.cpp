// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/prometheus.h"

#include <QMap>

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
    { u"retry_count", "idempotency_retry_count", "Attempts beyond the first of all rows in the table." },
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
    { u"lock_wait", "pg_lock_wait_seconds", "For how long the longest of them has waited." },
};

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

QByteArray eventText(const QList<sql::EventTotal> &events)
{
    QMap<QString, sql::EventTotal> byKind;
    for (const sql::EventTotal &event : events) {
        byKind.insert(event.kind, event);
    }
    QByteArray text;
    const std::tuple<QString, QByteArray, QByteArray> counters[] = {
        { u"violation"_s, "idempotency_db_violations_total", "Unique violations (23505) that services reported." },
        { u"conflict"_s, "idempotency_conflicts_total",
            "Keys that were used again with other data, as services reported them." },
        { u"replay"_s, "idempotency_duplicates_served_total",
            "Duplicate requests answered from what was stored, as services reported them." },
    };
    for (const auto &[kind, name, help] : counters) {
        const auto found = byKind.constFind(kind);
        if (found == byKind.constEnd()) {
            const QByteArray call
                = kind == u"conflict" ? QByteArray("record_conflict()") : "record_event('" + kind.toUtf8() + "')";
            text += "# " + name + " is absent: no service calls idemdesk." + call + ".\n";
        } else {
            text += head(name, help, "counter") + name + ' ' + QByteArray::number(found->count) + '\n';
        }
    }
    const double hits = double(byKind.value(u"cache_hit"_s).count);
    const double lookups = hits + double(byKind.value(u"cache_miss"_s).count);
    if (lookups <= 0) {
        text += "# idempotency_cache_hit_ratio is absent: no service calls idemdesk.record_event('cache_hit') and "
                "('cache_miss').\n";
    } else {
        text += head("idempotency_cache_hit_ratio", "Cache hits over look-ups, as services reported them.", "gauge")
            + "idempotency_cache_hit_ratio " + number(hits / lookups) + '\n';
    }
    bool named = false;
    for (const sql::EventTotal &event : events) {
        if (event.kind == u"violation" || event.kind == u"replay" || event.kind == u"conflict"
            || event.kind == u"cache_hit" || event.kind == u"cache_miss") {
            continue;
        }
        if (!named) {
            text += head("idempotency_events_total", "Events that services reported, by kind.", "counter");
            named = true;
        }
        text += "idempotency_events_total{kind=\"" + escaped(event.kind) + "\"} " + QByteArray::number(event.count)
            + '\n';
    }
    return text;
}

} // namespace

namespace {

QByteArray totalsText(const sql::CounterTotals &totals)
{
    QByteArray text;
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

QByteArray prometheusText(
    const QList<ScrapedTarget> &targets, const QList<sql::EventTotal> &events, const sql::CounterTotals &totals)
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
    return text + totalsText(totals) + eventText(events);
}

} // namespace idemdesk::models
