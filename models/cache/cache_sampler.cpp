// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_sampler.h"

#include "models/async.h"
#include "models/background.h"
#include "models/cache/cache_place.h"
#include "models/connection/connection_controller.h"
#include "models/trends/sampler.h"
#include "sql/cache/cache_sample.h"
#include "sql/lanes/database.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kSamplePatienceMs = 5'000; // for connecting, and for each answer
constexpr int kStoreDeadlineMs = 10'000;

/// Runs on a thread of the pool.
sql::Result<sql::CacheSample> lookAtCache(
    const QString &url, const sql::RedisSession::Options &options, const sql::Profile &profile)
{
    TRY(const auto address, sql::cacheAddress(url));
    TRY(const auto cache, sql::RedisSession::open(address, options));
    return sql::readCacheSample(*cache, profile);
}

} // namespace

CacheSampler::CacheSampler(
    const ConnectionController *connection, const Sampler *sampler, CachePlace *place, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_place(place)
{
    connect(sampler, &Sampler::sampled, this, &CacheSampler::take);
    connect(
        connection, &ConnectionController::databaseChanged, this, [this] { setDatabase(m_connection->database()); });
    setDatabase(connection->database());
}

CacheSampler::~CacheSampler()
{
    m_stop->store(true);
}

void CacheSampler::setDatabase(sql::Database *database)
{
    if (m_storing.setDatabase(database)) {
        m_queue.clear();
    }
}

void CacheSampler::take(const QString &registeredName)
{
    if (m_place->sampled(m_connection->title()) && !m_queue.contains(registeredName)) {
        m_queue += registeredName;
        next();
    }
}

void CacheSampler::next()
{
    const QString url = m_place->address(m_connection->title());
    while (!m_underWay && !m_queue.isEmpty() && !url.isEmpty()) {
        const QString name = m_queue.takeFirst();
        const QList<TargetEntry> &targets = m_connection->targets();
        const auto entry = std::find_if(targets.cbegin(), targets.cend(), [&name](const TargetEntry &one) {
            return one.registration && one.registration->name == name && one.target.profile.cache;
        });
        if (entry == targets.cend()) {
            continue;
        }
        m_underWay = true;
        m_place->fetchPassword(url, [this, url, name, profile = entry->target.profile](const QString &password) {
            sql::RedisSession::Options options;
            options.password = password;
            options.connectTimeoutMs = kSamplePatienceMs;
            options.answerTimeoutMs = kSamplePatienceMs;
            options.stop = [stop = m_stop] { return stop->load(); };
            whenDone(later<sql::CacheSample>([url, options, profile] { return lookAtCache(url, options, profile); }),
                this, [this, name](const sql::Result<sql::CacheSample> &sample) {
                    m_underWay = false;
                    if (!sample) {
                        emit failed(sample.error());
                        next();
                        return;
                    }
                    m_storing.ask(
                        { sql::LaneKind::Write, kStoreDeadlineMs, false },
                        [name, seen = *sample](
                            sql::Session &session) { return sql::storeCacheSample(session, name, seen); },
                        [this, name](const sql::Result<qint64> &stored) {
                            if (!stored) {
                                emit failed(stored.error());
                            } else if (*stored > 0) {
                                emit sampled(name);
                            }
                            next();
                        });
                });
        });
    }
}

} // namespace idemdesk::models

#include "moc_cache_sampler.cpp"
