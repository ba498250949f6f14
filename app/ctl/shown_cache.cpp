// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/shown_cache.h"

#include "app/ctl/cache_option.h"
#include "models/cache/cache_json.h"
#include "models/cache/cache_words.h"
#include "sql/types/tr.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr qint64 kShownCacheBytes = qint64(64) * 1024; // of a value in the cache

} // namespace

ShownCache::ShownCache(const Context &context, const sql::Target &target)
{
    const bool meant = target.profile.cache.has_value();
    if (meant && !cacheUrl(context).isEmpty()) {
        m_opened.emplace(openCache(context, {}));
    } else if (!meant && context.has(u"cache"_s)) {
        note(Tr::tr("The profile of %1 names no cache.").arg(target.profile.relation));
    }
}

CacheAnswer ShownCache::read(sql::Session &session, const sql::Target &target, const sql::KeyRecord &record)
{
    if (!m_opened) {
        return std::nullopt;
    }
    auto answer = *m_opened ? sql::readCachedRow(session, ***m_opened, target, record, kShownCacheBytes)
                            : sql::Result<sql::CachedRow>(m_opened->error());
    if (answer && answer->name.isEmpty()) {
        answer = sql::makeError(sql::ErrorKind::Refused, Tr::tr("Its entry in the cache is not known."),
            Tr::tr("A part of its scope is NULL, and how the service writes that is not known."));
    }
    if (!answer) {
        note(answer.error().line());
        m_unknown = true;
    }
    return answer;
}

QJsonValue cachedRowJson(const CacheAnswer &answer)
{
    if (!answer) {
        return {};
    }
    if (!*answer) {
        return QJsonObject { { u"error"_s, errorJson(answer->error()) } };
    }
    const sql::CachedRow &row = **answer;
    QJsonArray findings;
    for (const sql::CacheFindingKind kind : row.findings) {
        findings.append(sql::cacheFindingName(kind));
    }
    QJsonObject document = models::cacheEntryJson(row.entry, row.cached);
    document.insert(u"findings"_s, findings);
    return document;
}

void printCachedRow(const CacheAnswer &answer)
{
    if (!answer || !*answer) {
        return;
    }
    const sql::CachedRow &row = **answer;
    print(table({ Tr::tr("CACHE"), Tr::tr("VALUE") },
        { { Tr::tr("entry"), QString::fromUtf8(row.name) }, { Tr::tr("value"), models::cacheValueText(row.entry) },
            { Tr::tr("means"), row.cached ? sql::stateName(*row.cached) : u"–"_s },
            { Tr::tr("time to live"), models::cacheTtlText(row.entry) } },
        true));
    for (const sql::CacheFindingKind kind : row.findings) {
        print(models::cacheFindingText(kind) + u". "_s + models::cacheFindingMeaning(kind) + u'\n');
    }
    print(u"\n"_s);
}

} // namespace idemdesk::app
