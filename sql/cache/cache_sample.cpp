// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/cache_sample.h"

#include "sql/cache/cache_judge.h"
#include "sql/cache/cache_reader.h"
#include "sql/types/cache_key.h"
#include "sql/types/tr.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kNoValues = 0; // bytes of a value that are read: only lengths and times are wanted

QJsonValue saidOrNull(const std::optional<qint64> &number)
{
    return number ? QJsonValue(*number) : QJsonValue();
}

Result<void> lookAtTimes(
    RedisSession &cache, const CacheSpec &spec, const CacheKeyForm &form, qsizetype most, CacheSample *sample)
{
    TRY(const auto scan, scanCache(cache, form.pattern(), most));
    TRY(const auto entries, readEntries(cache, scan.names, kNoValues));
    if (entries.isEmpty()) {
        return {};
    }
    const Timestamp now { Timestamp::Kind::Finite, QDateTime::currentMSecsSinceEpoch() * 1'000 };
    // Without its row only what no rewriting explains is off: nothing is said of entries without a row.
    const CacheJudge judge(spec, now, entries.constFirst().atMs, true);
    for (const CacheEntry &entry : entries) {
        const QList<CacheFindingKind> kinds = judge.judge({ entry, {} });
        const bool off = kinds.contains(CacheFindingKind::NeverExpires) || kinds.contains(CacheFindingKind::TtlLong);
        sample->judged += entry.present() && (judge.baselineMs() || off) ? 1 : 0;
        sample->off += off ? 1 : 0;
    }
    const QList<CacheMinute> minutes = judge.minutesOf(entries);
    for (const CacheMinute &minute : minutes) {
        sample->crowded = minute.crowded ? std::max(sample->crowded, minute.entries) : sample->crowded;
    }
    return {};
}

} // namespace

Result<CacheSample> readCacheSample(RedisSession &cache, const Profile &profile, qsizetype most)
{
    const auto form = profile.cache ? CacheKeyForm::read(profile.cache->key, profile) : std::nullopt;
    if (!form) {
        return makeError(ErrorKind::NotSaid, Tr::tr("The profile of %1 names no cache.").arg(profile.relation), {}, {});
    }
    CacheSample sample;
    TRY(sample.before, cache.facts());
    TRY(lookAtTimes(cache, *profile.cache, *form, most, &sample));
    TRY(sample.after, cache.facts());
    return sample;
}

Result<qint64> storeCacheSample(Session &session, const QString &registeredName, const CacheSample &sample)
{
    const QJsonObject seen { { u"run"_s, sample.after.run }, { u"hits"_s, saidOrNull(sample.before.hits) },
        { u"misses"_s, saidOrNull(sample.before.misses) }, { u"hits_after"_s, saidOrNull(sample.after.hits) },
        { u"misses_after"_s, saidOrNull(sample.after.misses) }, { u"memory"_s, saidOrNull(sample.after.usedMemory) },
        { u"judged"_s, sample.judged }, { u"off"_s, sample.off }, { u"crowded"_s, sample.crowded } };
    Statement statement { u"SELECT idemdesk.take_cache_sample($1::pg_catalog.text, $2::pg_catalog.jsonb)"_s, {} };
    statement.bind(registeredName);
    statement.bind(QString::fromUtf8(QJsonDocument(seen).toJson(QJsonDocument::Compact)));
    const auto row = session.one(statement);
    return row ? Result<qint64>(row->constFirst().text.toLongLong())
               : failed(Tr::tr("A sample of the cache could not be kept."), Result<qint64>(row.error()));
}

} // namespace idemdesk::sql
