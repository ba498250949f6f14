// SPDX-License-Identifier: GPL-3.0-or-later
// A table compared with a Redis in front of it.
// Argument: number of entries (100,000), each with its row; every hundredth disagrees.
#include "sql/cache/cache_comparison.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/bench/bench.h"
#include "tests/bench/expect.h"
#include "tests/bench/large_table.h"
#include "tests/support/redis_fixture.h"
#include "tests/support/test_cluster.h"

#include <memory>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr int kRounds = 3;
constexpr double kMostMemory = 100; // MiB
constexpr int kEachDisagrees = 100;

using bench::demand;
using bench::expect;

class CacheBench
{
public:
    CacheBench(bench::Report &report, const QStringList &arguments)
        : m_report(report)
        , m_entries(arguments.isEmpty() ? 100'000 : arguments.first().toInt())
        , m_cluster(bench::largeTableSettings())
    {
        demand(m_entries >= kEachDisagrees, u"a number of entries, at least 100"_s);
        m_cluster.createDatabase(u"keys"_s);
        m_cluster.psqlFile(u"keys"_s, u"sql/demo/schema_001.sql"_s);
        m_cluster.psql(u"keys"_s,
            u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            "attempt_count, claimed_at, created_at, updated_at, expires_at) SELECT 'order', 'k' || n, md5(n::text), "
            "'succeeded', 1, at, at, at, now() + interval '1 day' FROM generate_series(1, %1) n, LATERAL (SELECT "
            "now() - interval '1 hour') t(at)"_s.arg(m_entries));
        m_cluster.psql(u"keys"_s, u"VACUUM ANALYZE"_s);
        QByteArray commands;
        for (int i = 1; i <= m_entries; ++i) {
            commands += "SET idempotency:order:k" + QByteArray::number(i)
                + (i % kEachDisagrees == 0 ? " processing" : " done") + " EX " + QByteArray::number(2'000 + i % 1'600)
                + '\n';
        }
        m_redis.run(commands);
    }

    void run()
    {
        const double before = bench::residentMiB(::getpid());
        sql::CacheReport found;
        const auto times = bench::interleaved({ [&] { found = compare(); } }, kRounds, 1);
        const qint64 behind = found.counts.value(sql::CacheFindingKind::Behind);
        demand(behind == m_entries / kEachDisagrees && found.counts.size() == 1,
            u"%1 entries behind instead of %2"_s.arg(behind).arg(m_entries / kEachDisagrees));
        demand(found.complete() && found.entries == m_entries, u"not every entry was looked at"_s);
        m_report.note(u"%1 entries, each with its row; %2 of them disagree"_s.arg(m_entries).arg(behind));
        m_report.figure(u"compared"_s, bench::median(times.at(0)) / 1'000, u"s"_s, {});
        m_report.figure(u"memory, over before"_s, bench::residentMiB(::getpid()) - before, u"MiB"_s, kMostMemory);
    }

private:
    sql::CacheReport compare()
    {
        sql::ConnectionSettings settings;
        settings.conninfo = m_cluster.conninfo(u"keys"_s);
        const auto session = expect(sql::Session::open(settings, {}));
        sql::Profile profile = *sql::shippedProfile(u"plpgsql-request"_s);
        profile.cache = sql::CacheSpec { u"idempotency:{scope}:{key}"_s, u"1h"_s, {},
            { { u"processing"_s, sql::KeyState::InProgress }, { u"done"_s, sql::KeyState::Succeeded } }, {} };
        const sql::Target target = expect(sql::bindTarget(*session, profile));
        const auto cache = expect(sql::RedisSession::open(expect(sql::cacheAddress(m_redis.url())), {}));
        sql::CacheRequest request;
        request.mostEntries = m_entries + 1;
        request.settleMs = 0;
        return expect(sql::compareCache(*session, *cache, target, request));
    }

    bench::Report &m_report;
    const int m_entries;
    tests::TestCluster m_cluster;
    tests::RedisFixture m_redis;
};

void runCache(bench::Report &report, const QStringList &arguments)
{
    CacheBench(report, arguments).run();
}

const bool registered = bench::add({ u"cache"_s, u"a table compared with the Redis in front of it"_s, runCache });

} // namespace
