// SPDX-License-Identifier: GPL-3.0-or-later
// Two databases with the same large table compared, beside reading both once with one aggregate each. Argument: number
// of rows (10,000,000). The second one is a copy in which 1,000 rows were changed by hand.
#include "models/regions/region_compare.h"
#include "sql/lanes/database.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/bench/bench.h"
#include "tests/bench/expect.h"
#include "tests/bench/large_table.h"
#include "tests/support/test_cluster.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <array>
#include <memory>
#include <thread>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr int kRounds = 3;
constexpr double kBudget = 1.5;
constexpr int kChanged = 1'000;

using bench::demand;
using bench::expect;

class CompareBench
{
public:
    CompareBench(bench::Report &report, const QStringList &arguments)
        : m_report(report)
        , m_rows(arguments.isEmpty() ? 10'000'000 : arguments.first().toLongLong())
        , m_cluster(std::make_unique<tests::TestCluster>(bench::largeTableSettings()))
    {
        demand(m_rows >= 10 * kChanged, u"a number of rows, at least 10000"_s);
        m_cluster->createDatabase(u"eu"_s);
        m_cluster->psqlFile(u"eu"_s, u"sql/demo/schema_001.sql"_s);
        m_cluster->psql(u"eu"_s, bench::largeTableSql(m_rows));
        m_cluster->psql(u"eu"_s, u"VACUUM ANALYZE"_s);
        m_cluster->createDatabase(u"us"_s, u"TEMPLATE eu STRATEGY file_copy"_s);
        m_cluster->psql(u"us"_s,
            u"UPDATE app.idempotency_request SET request_hash = 'other' WHERE ctid IN (SELECT ctid FROM "
            "(SELECT ctid, row_number() OVER () AS n FROM app.idempotency_request) x WHERE n %% %1 = 0)"_s
                .replace(u"%%"_s, u"%"_s)
                .arg(m_rows / kChanged));
        m_cluster->psql(u"us"_s, u"VACUUM app.idempotency_request"_s); // so that no reading pays for hint bits
    }

    void run()
    {
        m_report.note(
            u"%1 rows a side, %2 of them changed, both sides at once on one server"_s.arg(m_rows).arg(kChanged));
        openSides();
        int found = 0;
        const auto times = bench::interleaved({ [&] { found = compare(); }, [&] { readOnce(); } }, kRounds, 1);
        demand(found == kChanged, u"%1 differences instead of %2"_s.arg(found).arg(kChanged));
        m_report.ratio(u"compare"_s, bench::median(times.at(0)), u"one aggregate over each side"_s,
            bench::median(times.at(1)), kBudget);
        m_report.note(u"phases of the last one: "_s + m_phases);
    }

private:
    void openSides()
    {
        for (std::size_t i = 0; i < m_sides.size(); ++i) {
            sql::ConnectionSettings settings;
            settings.conninfo = m_cluster->conninfo(i == 0 ? u"eu"_s : u"us"_s);
            m_databases.at(i) = std::make_unique<sql::Database>(settings);
            m_databases.at(i)->open();
            m_sides.at(i) = { i == 0 ? u"eu"_s : u"us"_s, m_databases.at(i).get(), [](sql::Session &session) {
                                 return sql::bindTarget(session, *sql::shippedProfile(u"plpgsql-request"_s));
                             } };
        }
    }
    int compare()
    {
        models::RegionCompare compare(m_sides, { {}, 0 });
        QEventLoop loop;
        int found = -1;
        QObject::connect(
            &compare, &models::RegionCompare::finished, &loop, [&](const sql::Result<models::CompareOutcome> &outcome) {
                found = int(expect(outcome).differences.size());
                loop.quit();
            });
        QElapsedTimer timer;
        QStringList phases;
        QObject::connect(
            &compare, &models::RegionCompare::phaseChanged, &loop, [&](models::RegionCompare::Phase phase) {
                phases += u"%1 at %2 ms"_s.arg(int(phase)).arg(timer.elapsed());
            });
        timer.start();
        compare.start();
        loop.exec();
        m_phases = phases.join(u", "_s) + u", end at %1 ms"_s.arg(timer.elapsed());
        return found;
    }
    void readOnce()
    {
        const auto read = [this](const QString &database) {
            m_cluster->psql(database,
                u"SET max_parallel_workers_per_gather = 0; SELECT sum(hash_record_extended(ROW(idempotency_scope, "
                "idempotency_key, status::text, request_hash, result_ref_type, result_ref_id::text), 0)) FROM "
                "app.idempotency_request"_s);
        };
        std::thread other([&] { read(u"us"_s); });
        read(u"eu"_s);
        other.join();
    }

    bench::Report &m_report;
    const qint64 m_rows;
    std::unique_ptr<tests::TestCluster> m_cluster;
    std::array<std::unique_ptr<sql::Database>, 2> m_databases;
    std::array<models::CompareSide, 2> m_sides;
    QString m_phases;
};

void runCompare(bench::Report &report, const QStringList &arguments)
{
    CompareBench(report, arguments).run();
}

const bool registered
    = bench::add({ u"compare"_s, u"two databases compared key by key, beside one aggregate over each"_s, runCompare });

} // namespace
