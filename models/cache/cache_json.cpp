// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_json.h"

#include "models/cache/cache_words.h"
#include "sql/keys/key_json.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QJsonValue numberOrNull(const std::optional<qint64> &number)
{
    return number ? QJsonValue(*number) : QJsonValue();
}

QJsonValue filledOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonValue orNull(const sql::Cell &cell)
{
    return cell.null ? QJsonValue() : QJsonValue(cell.text);
}

QJsonObject cacheFactsJson(const sql::CacheFacts &facts)
{
    const auto ratio = facts.hitRatio();
    return { { u"version"_s, filledOrNull(facts.version) }, { u"role"_s, filledOrNull(facts.role) },
        { u"keys"_s, numberOrNull(facts.keys) }, { u"hits"_s, numberOrNull(facts.hits) },
        { u"misses"_s, numberOrNull(facts.misses) }, { u"hit_ratio"_s, ratio ? QJsonValue(*ratio) : QJsonValue() },
        { u"expired"_s, numberOrNull(facts.expired) }, { u"evicted"_s, numberOrNull(facts.evicted) },
        { u"used_memory"_s, numberOrNull(facts.usedMemory) }, { u"max_memory"_s, numberOrNull(facts.mostMemory) },
        { u"policy"_s, filledOrNull(facts.policy) } };
}

} // namespace

QJsonObject cacheEntryJson(const sql::CacheEntry &entry, const std::optional<sql::KeyState> &cached)
{
    const bool text = entry.kind == sql::CacheEntry::Kind::Text;
    return { { u"name"_s, QString::fromUtf8(entry.name) }, { u"present"_s, entry.present() },
        { u"type"_s, text ? QJsonValue(u"string"_s) : filledOrNull(entry.type) },
        { u"value"_s, text && entry.read ? QJsonValue(entry.value) : QJsonValue() },
        { u"bytes"_s, text ? QJsonValue(entry.bytes) : QJsonValue() },
        { u"state"_s, cached ? QJsonValue(sql::stateName(*cached)) : QJsonValue() },
        { u"ttl_ms"_s, numberOrNull(entry.ttlMs) } };
}

QJsonObject cacheFindingJson(const sql::CacheFinding &finding, const sql::Target &target)
{
    QJsonObject scope;
    const QList<sql::LabelledExpression> &parts = target.profile.scope;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        scope.insert(parts.at(i).label, orNull(finding.scope.value(i)));
    }
    QJsonArray rows;
    for (const sql::KeyRecord &row : finding.rows) {
        rows.append(QJsonDocument::fromJson(sql::keyToJson(target, row)).object());
    }
    return { { u"kind"_s, sql::cacheFindingName(finding.kind) }, { u"scope"_s, scope },
        { u"key"_s, orNull(finding.key) }, { u"entry"_s, cacheEntryJson(finding.entry, finding.cached) },
        { u"written_ttl_ms"_s, numberOrNull(finding.writtenTtlMs) }, { u"rows"_s, rows },
        { u"meaning"_s, cacheFindingMeaning(finding.kind) } };
}

QJsonObject cacheReportJson(const sql::CacheReport &report)
{
    QJsonObject counts;
    for (const sql::CacheFindingKind kind : sql::kAllOf<sql::CacheFindingKind>) {
        counts.insert(sql::cacheFindingName(kind), report.counts.value(kind));
    }
    QJsonArray minutes;
    for (const sql::CacheMinute &minute : report.minutes) {
        minutes.append(QJsonObject { { u"from"_s, minute.from.toRfc3339() }, { u"entries"_s, minute.entries },
            { u"crowded"_s, minute.crowded } });
    }
    QJsonArray spans;
    for (const qint64 entries : report.spread.entries) {
        spans.append(entries);
    }
    const QJsonObject histogram { { u"span_seconds"_s, report.spread.widthSeconds }, { u"entries"_s, spans },
        { u"later"_s, report.spread.later }, { u"never"_s, report.spread.never } };
    const QJsonObject sampled { { u"entries"_s, report.entries }, { u"whole_cache"_s, report.wholeCache },
        { u"in_progress"_s, report.inProgress }, { u"all_in_progress"_s, report.allInProgress },
        { u"recent"_s, report.recent }, { u"recent_order"_s, filledOrNull(report.recentOrder) } };
    return { { u"server"_s, cacheFactsJson(report.facts) }, { u"sampled"_s, sampled }, { u"counts"_s, counts },
        { u"settled"_s, report.settled },
        { u"ttl"_s,
            QJsonObject { { u"baseline_seconds"_s, numberOrNull(report.baselineSeconds) },
                { u"judged_by_row"_s, report.ttlChecked }, { u"minutes"_s, minutes }, { u"histogram"_s, histogram } } },
        { u"notes"_s, QJsonArray::fromStringList(report.notes) }, { u"complete"_s, report.complete() } };
}

} // namespace idemdesk::models
