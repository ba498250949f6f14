// SPDX-License-Identifier: GPL-3.0-or-later
// A provider's statement compared with a large table, beside the same by hand: COPY into a table and one join.
// Arguments: number of lines (1,000,000) and of rows (10,000,000).
#include "models/provider/statement_comparison.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/bench/bench.h"
#include "tests/bench/expect.h"
#include "tests/bench/large_table.h"
#include "tests/support/test_cluster.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <memory>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr qint64 kWrong = 100; // lines of another amount
constexpr double kMostMiB = 64;

const QByteArray kProfile = R"json({
  "idemdesk_profile": 1, "name": "payment", "kind": "request", "relation": "public.payment", "identity": ["id"],
  "key": "t.id", "roles": {"status": "t.status", "created_at": "t.created_at"},
  "states": {"done": "succeeded", "sent": "in_progress"},
  "provider": {"reference": "t.ref", "amount": "t.amount", "currency": "t.currency", "status": "t.status",
               "states": {"done": "confirmed", "sent": "sent"}}
})json";

using bench::demand;
using bench::expect;

class ProviderBench
{
public:
    ProviderBench(bench::Report &report, const QStringList &arguments)
        : m_report(report)
        , m_lines(arguments.isEmpty() ? 1'000'000 : arguments.first().toLongLong())
        , m_rows(arguments.size() < 2 ? 10'000'000 : arguments.at(1).toLongLong())
        , m_cluster(std::make_unique<tests::TestCluster>(bench::largeTableSettings()))
    {
        demand(m_lines >= kWrong && m_rows >= m_lines, u"numbers of lines and, not fewer, of rows"_s);
        m_cluster->createDatabase(u"pay"_s);
        m_cluster->psql(u"pay"_s,
            u"CREATE TABLE payment (id bigint PRIMARY KEY, ref text, amount numeric(12,2), currency text, status text, "
            "created_at timestamptz); INSERT INTO payment SELECT n, 'ref-' || n, (n % 100000) / 100.0, 'EUR', 'done', "
            "timestamptz '2026-11-01 00:00+00' + n * interval '100 ms' FROM generate_series(1, %1) n; "
            "CREATE INDEX ON payment (ref); CREATE INDEX ON payment (created_at)"_s.arg(m_rows));
        m_cluster->psql(u"pay"_s, u"VACUUM ANALYZE"_s);
        writeStatement();
    }

    void run()
    {
        m_report.note(u"%1 lines against %2 rows, %3 of another amount"_s.arg(m_lines).arg(m_rows).arg(kWrong));
        const double before = bench::residentMiB(QCoreApplication::applicationPid());
        double most = 0;
        qint64 wrong = 0;
        const auto times = bench::interleaved(
            { [&] {
                 wrong = compare();
                 most = std::max(most, bench::residentMiB(QCoreApplication::applicationPid()) - before);
             },
                [&] { byHand(); } },
            1, 0);
        demand(wrong == kWrong, u"%1 differences instead of %2"_s.arg(wrong).arg(kWrong));
        m_report.ratio(u"statement compared"_s, bench::median(times.at(0)), u"COPY and one join in psql"_s,
            bench::median(times.at(1)), std::nullopt);
        m_report.figure(u"memory over before"_s, most, u"MiB"_s, kMostMiB);
    }

private:
    /// The newest rows, oldest first, as a statement has them.
    void writeStatement()
    {
        QFile file(path());
        demand(file.open(QIODevice::WriteOnly), u"a folder for the statement"_s);
        file.write("reference,amount,currency,time\n");
        const QDateTime start = QDateTime::fromString(u"2026-11-01T00:00:00Z"_s, Qt::ISODate);
        const qint64 step = m_lines / kWrong;
        for (qint64 n = m_rows - m_lines + 1; n <= m_rows; ++n) {
            const qint64 cents = n % 100'000 + ((n - (m_rows - m_lines + 1)) % step == 0 ? 1 : 0);
            file.write("ref-" + QByteArray::number(n) + ',' + QByteArray::number(cents / 100) + '.'
                + QByteArray::number(cents % 100).rightJustified(2, '0') + ",EUR,"
                + start.addMSecs(n * 100).toString(Qt::ISODateWithMs).toUtf8() + '\n');
        }
    }
    QString path() const { return m_folder.filePath(u"statement.csv"_s); }

    qint64 compare()
    {
        sql::ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo(u"pay"_s);
        sql::Session::Options options;
        options.statementTimeoutMs = 60'000;
        const auto session = expect(sql::Session::open(settings, options));
        const auto target = expect(sql::bindTarget(*session, expect(sql::profileFromJson(kProfile, u"bench"_s))));
        const auto provider = expect(sql::ProviderTarget::bind(*session, target, true));
        const auto store = expect(sql::StatementStore::open());
        QElapsedTimer timer;
        timer.start();
        models::StatementMap map; // by the names of the columns
        map.allHappened = true;
        const auto facts = expect(models::readStatement(path(), map, provider, store.get()));
        m_report.note(u"the file alone: %1 ms"_s.arg(timer.elapsed()));
        const auto answer = expect(models::compareStatement(*session, provider, facts, store.get(), {},
            [](const models::StatementFinding &) { return sql::Result<void>(); }));
        demand(answer.complete, answer.notes.join(u' '));
        return answer.counts.of(models::StatementFindingKind::AmountDiffers);
    }

    void byHand()
    {
        m_cluster->psql(u"pay"_s,
            u"CREATE TEMP TABLE s (reference text, amount numeric, currency text, at timestamptz);\n"
            "\\copy s FROM '%1' CSV HEADER\n"
            "SELECT count(*) FILTER (WHERE p.id IS NULL), count(*) FILTER (WHERE p.amount <> s.amount) FROM s LEFT "
            "JOIN "
            "payment p ON p.ref = s.reference;\n"
            "SELECT count(*) FROM payment p WHERE created_at BETWEEN (SELECT min(at) FROM s) AND (SELECT max(at) FROM "
            "s) "
            "AND NOT EXISTS (SELECT FROM s WHERE s.reference = p.ref)"_s.arg(path()));
    }

    bench::Report &m_report;
    const qint64 m_lines;
    const qint64 m_rows;
    QTemporaryDir m_folder;
    std::unique_ptr<tests::TestCluster> m_cluster;
};

void runProvider(bench::Report &report, const QStringList &arguments)
{
    ProviderBench(report, arguments).run();
}

const bool registered
    = bench::add({ u"provider"_s, u"a provider's statement beside the keys, over COPY and a join"_s, runProvider });

} // namespace
