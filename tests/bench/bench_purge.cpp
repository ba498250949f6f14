// SPDX-License-Identifier: GPL-3.0-or-later
// Purging through the console's functions beside bare DELETEs of the same batches, and what workers feel of a purge
// that pauses as long as it works. Arguments: number of rows (200,000).
#include "tests/bench/bench.h"
#include "tests/bench/large_table.h"
#include "tests/support/console_fixture.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

using bench::demand;
constexpr int kBatch = 10'000; // where the pace ends up with pauses off (models/actions/batch_pace.h)

class PurgeBench
{
public:
    PurgeBench(bench::Report &report, qint64 rows)
        : m_report(report)
        , m_console({ u"shared_buffers = '512MB'"_s, u"max_wal_size = '8GB'"_s, u"fsync = on"_s,
              u"full_page_writes = on"_s, u"synchronous_commit = on"_s })
        , m_rows(rows)
    {
    }

    void run()
    {
        const double bare = rate([this] { return bareDelete(); });
        const double audited = rate([this] { return purge(false, kBatch); });
        const double imaged = rate([this] { return purge(true, kBatch); });
        m_report.note(u"%1 rows, batches of %2, no wait between"_s.arg(m_rows).arg(kBatch));
        m_report.figure(u"bare DELETE in batches, rows per second"_s, bare, u"/s"_s, std::nullopt);
        // At least 0.7 and 0.4 of its rows a second: at most 1 / 0.7 and 1 / 0.4 of its time.
        m_report.ratio(
            u"purge with its trail, ms per 1,000 rows"_s, 1e6 / audited, u"bare DELETE"_s, 1e6 / bare, 1 / 0.7);
        m_report.ratio(
            u"purge with images for undo, ms per 1,000 rows"_s, 1e6 / imaged, u"bare DELETE"_s, 1e6 / bare, 1 / 0.4);
        // The budget: at least half of the purge's own rows a second.
        m_report.ratio(
            u"undo of that purge, ms per 1,000 rows"_s, 1e6 / undoRate(), u"the purge itself"_s, 1e6 / imaged, 2.0);
        workers();
    }

private:
    /// The median of three runs, each on a table of its own.
    double rate(const std::function<qint64()> &work)
    {
        QList<double> rates;
        for (int round = 0; round < 3; ++round) {
            fill();
            QElapsedTimer timer;
            timer.start();
            const qint64 rows = work();
            rates.append(double(rows) * 1e9 / double(timer.nsecsElapsed()));
        }
        std::sort(rates.begin(), rates.end());
        return bench::median(rates);
    }

    /// The median of three undos, each of a purge of its own; every row must be back as it was.
    double undoRate()
    {
        QList<double> rates;
        for (int round = 0; round < 3; ++round) {
            fill();
            demand(m_console.root().run(u"CREATE TABLE app.before AS SELECT * FROM app.k"_s).ok(), u"copy"_s);
            purge(true, kBatch);
            const auto op = m_console.as(u"op"_s);
            const QString id = tests::ConsoleFixture::newId();
            const auto opened = op->run(u"SELECT idemdesk.open_undo($1, $2, 'taken back', NULL)"_s, { id, m_purge });
            demand(opened.ok(), opened.value());
            QElapsedTimer timer;
            timer.start();
            for (int batch = 1;; ++batch) {
                const auto answer = op->run(u"SELECT b ->> 'state' FROM idemdesk.undo_batch($1, $2, $3) b"_s,
                    { id, QString::number(batch), QString::number(kBatch) });
                demand(answer.ok(), answer.value());
                if (answer.value() != u"running") {
                    break;
                }
            }
            rates.append(double(m_rows) * 1e9 / double(timer.nsecsElapsed()));
            const QString same = m_console.root().value(
                u"SELECT (SELECT count(*) FROM app.k) || ' ' || "
                "(SELECT count(*) FROM (SELECT * FROM app.before EXCEPT SELECT * FROM app.k) x)"_s);
            demand(same == u"%1 0"_s.arg(m_rows), u"not every row came back as it was: "_s + same);
        }
        std::sort(rates.begin(), rates.end());
        return bench::median(rates);
    }

    void fill()
    {
        m_console.fresh();
        const auto made = m_console.root().run(
            u"TRUNCATE app.k; ALTER TABLE app.k DROP price, DROP pad, DROP doc, ADD hash text, ADD owner text, ADD "
            u"body jsonb; "
            "INSERT INTO app.k SELECT 't' || i % 20, md5(i::text), 'succeeded', NULL, 1, 'x', now(), now() - interval "
            "'1 day' - i * interval '1 s', md5(i::text), "
            "'worker-7', jsonb_build_object('order', i, 'pad', repeat('x', 150)) FROM generate_series(1, %1) i; "
            "CREATE INDEX ON app.k (expires_at); CREATE INDEX ON app.k (status, locked_until)"_s.arg(m_rows));
        demand(made.ok(), made.value());
        demand(m_console.root().run(u"VACUUM ANALYZE app.k"_s).ok() && m_console.root().run(u"CHECKPOINT"_s).ok(),
            u"vacuum"_s);
        demand(m_console.registerTarget(tests::ConsoleFixture::compiled()).contains(u"\"registered\": true"_s),
            u"not registered"_s);
    }

    /// A loop as operators write it by hand: the same bound, the same batch, keys by their identity.
    qint64 bareDelete()
    {
        const auto service = m_console.as(u"service"_s);
        QString bound = u"-infinity"_s;
        qint64 all = 0;
        for (;;) {
            const auto answer = service->run(
                u"WITH gone AS (DELETE FROM app.k WHERE (tenant, key) IN (SELECT tenant, key FROM app.k WHERE "
                u"expires_at >= $1::timestamptz AND expires_at < now() "
                "AND status = 'succeeded' ORDER BY expires_at LIMIT %1) RETURNING expires_at) SELECT count(*), coalesce(max(expires_at), $1::timestamptz) FROM gone"_s
                    .arg(kBatch),
                { bound });
            demand(answer.ok(), answer.value());
            const qint64 rows = answer.rows.first().first().toLongLong();
            bound = answer.rows.first().at(1);
            all += rows;
            if (rows < kBatch) {
                demand(all == m_rows, u"not all rows were deleted"_s);
                return all;
            }
        }
    }

    qint64 purge(bool images, int limit, const std::function<bool(qint64 nanoseconds)> &goOn = {})
    {
        const auto op = m_console.as(u"op"_s);
        const QString id = m_purge = tests::ConsoleFixture::newId();
        const auto opened = m_console.openPurge(*op, id, static_cast<int>(m_rows), images);
        demand(opened.ok(), opened.value());
        qint64 all = 0;
        for (int batch = 1;; ++batch) {
            QElapsedTimer timer;
            timer.start();
            const auto answer = op->run(u"SELECT b ->> 'state', b ->> 'rows' FROM idemdesk.purge_batch($1, $2, $3) b"_s,
                { id, QString::number(batch), QString::number(limit) });
            demand(answer.ok(), answer.value());
            all += answer.rows.first().at(1).toLongLong();
            if (answer.rows.first().first() != u"running"_s) {
                demand(all == m_rows, u"not all rows were purged"_s);
                return all;
            }
            if (goOn && !goOn(timer.nsecsElapsed())) {
                return all;
            }
        }
    }

    /// Claims of one worker for this long, in milliseconds, sorted.
    QList<double> claims(const std::atomic<bool> &stop, int milliseconds)
    {
        const auto service = m_console.as(u"service"_s);
        QList<double> times;
        QElapsedTimer whole;
        whole.start();
        for (int i = 0; !stop && whole.elapsed() < milliseconds; ++i) {
            QElapsedTimer timer;
            timer.start();
            const auto answer = service->run(
                u"INSERT INTO app.k (tenant, key, status, locked_until, attempts, expires_at) VALUES ('w', $1, "
                u"'processing', now() + interval '1 min', 1, "
                "now() + interval '1 day') ON CONFLICT (tenant, key) DO UPDATE SET attempts = k.attempts + 1 RETURNING status"_s,
                { u"c%1-%2"_s.arg(m_run).arg(i) });
            demand(answer.ok(), answer.value());
            times.append(double(timer.nsecsElapsed()) / 1e6);
            QThread::usleep(500); // a worker does something between its claims
        }
        ++m_run;
        std::sort(times.begin(), times.end());
        return times;
    }

    /// A purge of small batches that pauses after each as the runner does: as long as it took and 50 to 250 ms more;
    /// beside the same claims alone.
    void workers()
    {
        fill();
        const std::atomic<bool> never = false;
        claims(never, 1'000);
        const QList<double> idle = claims(never, 8'000);
        std::atomic<bool> stop = false;
        QList<double> busy;
        std::jthread worker([&] { busy = claims(stop, 60'000); });
        QElapsedTimer timer;
        timer.start();
        purge(true, 1'000, [&](qint64 nanoseconds) {
            QThread::usleep(
                static_cast<unsigned long>(nanoseconds / 1000 + 50'000 + QRandomGenerator::global()->bounded(200'000)));
            return timer.elapsed() < 8'000;
        });
        stop = true;
        worker.join();
        m_report.ratio(u"p99 of claims during a purge that pauses"_s, bench::percentile(busy, 0.99), u"p99 without"_s,
            bench::percentile(idle, 0.99), 2.0);
    }

    bench::Report &m_report;
    tests::ConsoleFixture m_console;
    const qint64 m_rows;
    QString m_purge; ///< the newest
    int m_run = 0;
};

void runPurge(bench::Report &report, const QStringList &arguments)
{
    PurgeBench(report, arguments.isEmpty() ? 200'000 : arguments.first().toLongLong()).run();
}

const bool registered = bench::add({ u"purge"_s, u"purging through the trail, and workers beside it"_s, runPurge });

} // namespace
