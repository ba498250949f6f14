// SPDX-License-Identifier: GPL-3.0-or-later
// Charts: thirty days by hour and scope from samples, and from rows beside the same aggregate on bare libpq; and a
// refresh, which counts only what was open. Arguments as LargeServer takes them.
#include "sql/console/console_schema.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/trends/trend_gateway.h"
#include "tests/bench/bench.h"
#include "tests/bench/expect.h"
#include "tests/bench/large_table.h"
#include "tests/support/test_cluster.h"

#include <libpq-fe.h>
#include <memory>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

using bench::demand;
using bench::expect;

constexpr double kSamplesBudgetMs = 50; // DESIGN 7
constexpr int kRounds = 11;
constexpr int kRowRounds = 3;
constexpr qint64 kDay = 86'400;

std::unique_ptr<sql::Session> openSession(const QString &conninfo, bool readOnly)
{
    sql::ConnectionSettings settings;
    settings.conninfo = conninfo;
    sql::Session::Options options;
    options.lane = readOnly ? sql::LaneKind::Background : sql::LaneKind::Write;
    options.readOnly = readOnly;
    options.statementTimeoutMs = 0;
    return expect(sql::Session::open(settings, options));
}

/// A month of hours of fifteen metrics in twenty scopes, as a sampler leaves it, and the minutes of the newest three
/// hours.
void fillSamples(PGconn *connection)
{
    const char *sql = "SET ROLE idemdesk_owner; SET TimeZone = 'UTC'; TRUNCATE idemdesk.sample, idemdesk.sample_run; "
                      "SELECT idemdesk._ensure_span('sample_hour', 'month', m) FROM generate_series(now() - interval "
                      "'31 days', now(), interval '1 day') m; "
                      "SELECT idemdesk._ensure_span('sample_minute', 'day', m) FROM generate_series(now() - interval "
                      "'1 day', now(), interval '1 day') m; "
                      "INSERT INTO idemdesk.sample SELECT 'hour', h, 'large', 'm' || m, '[\"s' || s || '\"]', s * m, "
                      "s, s * m * 2, 60 "
                      "FROM generate_series(date_trunc('hour', now()) - interval '30 days', date_trunc('hour', now()) "
                      "- interval '3 hours', interval '1 hour') h, "
                      "generate_series(1, 14) m, generate_series(1, 20) s; "
                      "INSERT INTO idemdesk.sample SELECT resolution, bucket_start, target, 'stale', scope, value, "
                      "lowest, highest, samples FROM idemdesk.sample WHERE metric = 'm7'; "
                      "INSERT INTO idemdesk.sample SELECT resolution, bucket_start, target, 'size', '[]', 1e9, 1e9, "
                      "1e9, samples FROM idemdesk.sample WHERE metric = 'm1' AND scope = '[\"s1\"]'; "
                      "INSERT INTO idemdesk.sample SELECT 'minute', h, 'large', 'size', '[]', 1e9, 1e9, 1e9, 1 FROM "
                      "generate_series(date_trunc('hour', now()) - interval '2 hours', now(), interval '1 minute') h; "
                      "INSERT INTO idemdesk.sample SELECT 'minute', h, 'large', x, '[\"s' || s || '\"]', s, s, s, 1 "
                      "FROM generate_series(date_trunc('hour', now()) - interval '2 hours', now(), interval '1 "
                      "minute') h, unnest(ARRAY['stale', 'm1', 'm2', 'm3']) x, generate_series(1, 20) s; "
                      "RESET ROLE; ANALYZE idemdesk.sample";
    PGresult *result = PQexec(connection, sql);
    demand(PQresultStatus(result) == PGRES_COMMAND_OK, QString::fromUtf8(PQerrorMessage(connection)));
    PQclear(result);
}

void runTrends(bench::Report &report, const QStringList &arguments)
{
    const bench::LargeServer server(report, arguments);
    const auto writer = openSession(server.conninfo(), false);
    expect(sql::installConsole(*writer));
    const std::unique_ptr<PGconn, decltype(&PQfinish)> bare(
        PQconnectdb(server.conninfo().toUtf8().constData()), &PQfinish);
    demand(PQstatus(bare.get()) == CONNECTION_OK, u"no connection"_s);
    fillSamples(bare.get());
    const auto session = openSession(server.conninfo(), true);
    const sql::Target target
        = expect(sql::bindTarget(*session, sql::shippedProfile(u"plpgsql-request"_s).value_or(sql::Profile())));
    sql::TrendRequest samples;
    samples.metric = u"stale"_s;
    samples.source = sql::TrendSource::Samples;
    samples.registeredName = u"large"_s;
    samples.bucket = u"1h"_s;
    samples.spanSeconds = 30 * kDay;
    samples.byScope = true;
    qsizetype points = 0;
    const auto times = bench::interleaved(
        { [&] { points = expect(sql::readTrend(*session, target, samples)).buckets.size(); } }, kRounds);
    report.note(u"%1 buckets, 20 scopes, 15 metrics"_s.arg(points));
    report.figure(
        u"30 days by hour and scope, from samples"_s, bench::median(times.first()), u"ms"_s, kSamplesBudgetMs);

    sql::TrendRequest rows = samples;
    rows.metric = u"claims"_s;
    rows.source = sql::TrendSource::Rows;
    sql::TrendRequest open = rows;
    open.spanSeconds = 2 * 3'600;
    const char *same = "SELECT date_trunc('hour', t.created_at), t.idempotency_scope, count(*) FROM "
                       "app.idempotency_request t WHERE t.created_at >= now() - interval '30 days' GROUP BY 1, 2";
    const auto counted = bench::interleaved(
        { [&] { expect(sql::readTrend(*session, target, rows)); },
            [&] {
                PGresult *result = PQexec(bare.get(), same);
                demand(PQresultStatus(result) == PGRES_TUPLES_OK, QString::fromUtf8(PQerrorMessage(bare.get())));
                PQclear(result);
            },
            [&] { expect(sql::readTrend(*session, target, open)); } },
        kRowRounds, 1);
    report.ratio(u"30 days by hour and scope, from rows"_s, bench::median(counted.at(0)),
        u"the same aggregate on libpq"_s, bench::median(counted.at(1)), std::nullopt);
    report.ratio(u"a refresh, which counts the open bucket and the one before"_s, bench::median(counted.at(2)),
        u"counting all"_s, bench::median(counted.at(0)), std::nullopt);
}

const bool registered = bench::add({ u"trends"_s, u"charts from samples and from rows"_s, runTrends });

} // namespace
