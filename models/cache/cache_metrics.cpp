// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_metrics.h"

#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Cache = std::pair<QString, sql::CacheReport>;

QByteArray labelText(const QString &text)
{
    QByteArray escaped = text.toUtf8();
    escaped.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    return '"' + escaped + '"';
}

QByteArray familyHead(const QByteArray &name, const QByteArray &help)
{
    const QByteArray kind = name.endsWith("_total") ? "counter" : "gauge";
    return "# HELP " + name + ' ' + help + "\n# TYPE " + name + ' ' + kind + '\n';
}

/// One number of each cache; without any the family is absent.
QByteArray familyText(const QList<Cache> &caches, const QByteArray &name, const QByteArray &help,
    const std::function<std::optional<qint64>(const sql::CacheReport &)> &valueOf)
{
    QByteArray lines;
    for (const auto &[target, report] : caches) {
        if (const auto value = valueOf(report)) {
            lines += name + "{target=" + labelText(target) + "} " + QByteArray::number(*value) + '\n';
        }
    }
    return lines.isEmpty() ? lines : familyHead(name, help) + lines;
}

} // namespace

QByteArray cacheMetricsText(const QList<std::pair<QString, sql::CacheReport>> &caches)
{
    if (caches.isEmpty()) {
        return {};
    }
    QByteArray text
        = familyText(caches, "idempotency_cache_entries", "Entries of the table's cache that were looked at.",
            [](const sql::CacheReport &report) { return std::optional(report.entries); });
    text += familyText(caches, "idempotency_cache_looked_at_whole",
        "1 where every entry and every row in progress was looked at.",
        [](const sql::CacheReport &report) { return std::optional<qint64>(report.complete() ? 1 : 0); });
    const QByteArray findings = "idempotency_cache_findings";
    text += familyHead(findings, "Disagreements between cache and table among what was looked at, by kind.");
    for (const auto &[target, report] : caches) {
        for (const sql::CacheFindingKind kind : sql::kAllOf<sql::CacheFindingKind>) {
            text += findings + "{target=" + labelText(target) + ",kind=\"" + sql::cacheFindingName(kind).toUtf8()
                + "\"} " + QByteArray::number(report.counts.value(kind)) + '\n';
        }
    }
    text += familyText(caches, "idempotency_cache_fullest_minute_entries",
        "Entries that expire in the minute in which the most do.", [](const sql::CacheReport &report) {
            qint64 most = 0;
            for (const sql::CacheMinute &minute : report.minutes) {
                most = std::max(most, minute.entries);
            }
            return std::optional(most);
        });
    text += familyText(caches, "idempotency_cache_memory_bytes", "Memory of the whole Redis in front of the table.",
        [](const sql::CacheReport &report) { return report.facts.usedMemory; });
    text += familyText(caches, "idempotency_cache_server_hits_total",
        "Look-ups that the whole Redis answered since its start, the console's own among them.",
        [](const sql::CacheReport &report) { return report.facts.hits; });
    text += familyText(caches, "idempotency_cache_server_misses_total",
        "Look-ups that the whole Redis did not answer since its start, the console's own among them.",
        [](const sql::CacheReport &report) { return report.facts.misses; });
    return text
        + familyText(caches, "idempotency_cache_evicted_total", "Keys that this Redis threw out for want of memory.",
            [](const sql::CacheReport &report) { return report.facts.evicted; });
}

QByteArray cacheDriftText(const QMap<QString, double> &drift)
{
    const QByteArray name = "idempotency_cache_ttl_drift";
    QByteArray lines;
    for (auto one = drift.cbegin(); one != drift.cend(); ++one) {
        lines += name + "{target=" + labelText(one.key()) + "} " + QByteArray::number(*one, 'g', 6) + '\n';
    }
    return lines.isEmpty() ? lines
                           : familyHead(name,
                                 "Share of the cached entries whose time to live was off its baseline, from samples of "
                                 "the last hour.")
            + lines;
}

} // namespace idemdesk::models
