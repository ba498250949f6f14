// SPDX-License-Identifier: GPL-3.0-or-later
// Reading around one row on which the profile's expressions fail, beside the same reading of the same rows
// without it. Argument: number of rows (1,000,000). Both tables hold the same bytes but for that row, and the
// profile's status and time are read from JSON texts, so that what is measured is the search for the row and
// not an index that serves only one of them.
#include "sql/actions/triage_reader.h"
#include "sql/keys/count_reader.h"
#include "sql/keys/export_writer.h"
#include "sql/keys/scope_reader.h"
#include "sql/keys/summary_reader.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_snapshot.h"
#include "tests/bench/bench.h"
#include "tests/bench/expect.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QProcess>

#include <memory>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr int kRounds = 5;
constexpr double kBudget = 3;

using bench::demand;
using bench::expect;

const QByteArray kProfile = R"json({
  "idemdesk_profile": 1, "name": "%1", "kind": "request", "relation": "public.%1", "identity": ["id"],
  "scope": [{"label": "tenant", "sql": "t.tenant"}], "key": "t.key",
  "roles": {"status": "t.j::jsonb ->> 'status'", "created_at": "(t.j::jsonb ->> 'at')::timestamptz", "expires_at": "t.expires_at"},
  "states": {"open": "in_progress", "done": "succeeded"},
  "stale": [{"states": ["in_progress"], "by": "t.expires_at", "after": "0s"}],
  "guard": ["j"], "actions": {}, "purge": {"by": "t.expires_at", "after": "0s", "states": ["succeeded"]},
  "orders": [], "effects": [], "policies": [{"match": {}, "effect": "local"}]
})json";

class UnreadableBench
{
public:
    UnreadableBench(bench::Report &report, const QStringList &arguments)
        : m_report(report)
        , m_rows(arguments.isEmpty() ? 1'000'000 : arguments.first().toLongLong())
        , m_cluster(std::make_unique<tests::TestCluster>(QStringList { u"shared_buffers = 1GB"_s }))
    {
        demand(m_rows >= 1'000, u"a number of rows, at least 1000"_s);
        m_cluster->createDatabase(u"bench"_s);
        const QString fill
            = u"CREATE TABLE whole AS SELECT i::int8 AS id, 't' || i % 20 AS tenant, 'key-' || i AS key, "
              "format('{\"status\": \"%s\", \"at\": \"2026-11-%s 10:00Z\"}', CASE WHEN i % 50 = 0 THEN "
              "'open' ELSE 'done' END, 1 + i % 9) AS j, "
              "now() - interval '1 day' AS expires_at FROM generate_series(1, %1) i; ALTER TABLE whole ADD "
              "PRIMARY KEY (id);"
              "CREATE TABLE one AS SELECT id, tenant, key, CASE WHEN id = %2 THEN '{broken' ELSE j END AS j, "
              "expires_at FROM whole;"
              "ALTER TABLE one ADD PRIMARY KEY (id); VACUUM ANALYZE whole; VACUUM ANALYZE one"_s;
        m_cluster->psql(u"bench"_s, fill.arg(m_rows).arg(m_rows / 2));
        sql::ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo(u"bench"_s);
        m_session = expect(sql::Session::open(settings, { .statementTimeoutMs = 0 }));
        m_whole = bound("whole");
        m_one = bound("one");
    }

    void run()
    {
        m_report.note(u"server %1, %2 rows, one of them unreadable"_s.arg(m_session->facts().versionText).arg(m_rows));
        // Parts of a table are not read by several processes, a whole one is: that is said, and not held
        // against the budget.
        for (const bool parallel : { false, true }) {
            demand(
                m_session->run({ u"SET max_parallel_workers_per_gather = "_s + (parallel ? u"2"_s : u"0"_s), {} }).ok(),
                u"no setting"_s);
            readings(parallel ? u", in parallel"_s : QString(), parallel ? std::nullopt : std::optional(kBudget));
        }
    }

private:
    sql::Target bound(const char *table)
    {
        const QByteArray text = QByteArray(kProfile).replace("%1", table);
        return expect(sql::bindTarget(*m_session, expect(sql::profileFromJson(text, u"bench"_s))));
    }

    void measure(
        const QString &what, std::optional<double> budget, const std::function<void(const sql::Target &)> &read)
    {
        const auto times = bench::interleaved({ [&] { read(m_one); }, [&] { read(m_whole); } }, kRounds, 1);
        m_report.ratio(what, bench::median(times.at(0)), u"without it"_s, bench::median(times.at(1)), budget);
    }

    void readings(const QString &how, std::optional<double> budget)
    {
        sql::FilterTerm term;
        term.field = sql::FilterField::State;
        term.values = { u"succeeded"_s };
        const sql::Filter filter { {}, { term } };
        measure(u"count of a state"_s + how, budget,
            [&](const sql::Target &t) { expect(sql::countRows(*m_session, t, filter, 0, std::nullopt)); });
        measure(u"overview"_s + how, budget,
            [&](const sql::Target &t) { expect(sql::readSummary(*m_session, t, 10'000)); });
        measure(u"scopes"_s + how, budget,
            [&](const sql::Target &t) { expect(sql::readScopes(*m_session, t, {}, 50, 10'000)); });
        measure(u"trend of claims by day"_s + how, budget, [&](const sql::Target &t) {
            sql::TrendRequest request;
            request.metric = u"claims"_s;
            request.source = sql::TrendSource::Rows;
            expect(sql::readTrend(*m_session, t, request));
        });
        measure(u"sample"_s + how, budget, [&](const sql::Target &t) { expect(sql::readSnapshot(*m_session, t)); });
        measure(u"plan of a purge"_s + how, budget, [&](const sql::Target &t) {
            expect(sql::planPurge(*m_session, t, { sql::KeyState::Succeeded }, std::nullopt, std::nullopt));
        });
        measure(u"triage"_s + how, budget,
            [&](const sql::Target &t) { expect(sql::readTriage(*m_session, t, {}, true, 200)); });
        measure(u"export to CSV"_s + how, budget, [&](const sql::Target &t) {
            QFile out(QProcess::nullDevice());
            demand(out.open(QIODevice::WriteOnly), u"no null device"_s);
            expect(sql::exportRows(*m_session, t, {}, u"identity"_s, sql::ExportFormat::Csv, out, nullptr));
        });
    }

    bench::Report &m_report;
    const qint64 m_rows;
    std::unique_ptr<tests::TestCluster> m_cluster;
    std::unique_ptr<sql::Session> m_session;
    sql::Target m_whole;
    sql::Target m_one;
};

void runUnreadable(bench::Report &report, const QStringList &arguments)
{
    UnreadableBench(report, arguments).run();
}

const bool registered
    = bench::add({ u"unreadable"_s, u"reading around a row on which the profile fails"_s, runUnreadable });

} // namespace
