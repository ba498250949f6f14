// SPDX-License-Identifier: GPL-3.0-or-later
// Workers that complete and extend keys while operators recover and purge them: no work of theirs is ever overwritten.
#include "tests/support/console_fixture.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTest>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

constexpr int kRounds = 10'000;
/// So few that workers and operators often want the same row: a worker comes by each key two and a half times.
constexpr int kKeys = 4'000;

class ActionsRacesTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;
    quint32 m_seed = 20'261'120;

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        const QByteArray seed = qgetenv("IDEMDESK_SEED");
        if (!seed.isEmpty()) {
            m_seed = seed.toUInt();
        }
        qInfo("IDEMDESK_SEED=%u", m_seed);
        m_console = std::make_unique<ConsoleFixture>();
    }

    void init() { m_console->fresh(); }

    /// A worker writes down each key it completed or extended in the same transaction; nothing of that may be lost.
    void workersBesideRecoveryAndPurge()
    {
        Connection &root = m_console->root();
        // Half are stale work, half are finished rows just past their time, which a worker may still extend.
        QVERIFY(
            root.run(u"TRUNCATE app.k; INSERT INTO app.k (tenant, key, status, locked_until, attempts, expires_at) "
                     "SELECT 't', 'k' || i, CASE WHEN i % 2 = 0 THEN 'processing' ELSE 'succeeded' END, now() - "
                     "interval '1 h', 1, now() - interval '1 h' "
                     "FROM generate_series(1, %1) i; ANALYZE app.k; CREATE INDEX ON app.k (expires_at);"
                     "CREATE TABLE app.mine (key text PRIMARY KEY, what text); GRANT ALL ON app.mine TO service"_s.arg(
                         kKeys))
                .ok());
        const QString rows = m_console->frozen(u"status = 'processing'"_s);
        std::atomic<int> rounds = 0;
        const auto work = [&](quint32 seed) {
            QRandomGenerator random(seed);
            const auto service = m_console->as(u"service"_s);
            while (rounds.fetch_add(1) < kRounds) {
                const QString key = u"k%1"_s.arg(random.bounded(1, kKeys + 1));
                const bool finish = random.bounded(2) == 0;
                const auto answer
                    = service->run(u"WITH u AS (UPDATE app.k SET status = CASE WHEN status = 'processing' AND $2 = "
                                   u"'finish' THEN 'succeeded' ELSE status END, result = 'mine', "
                                   "locked_until = now() + interval '1 h', expires_at = now() + interval '1 d' WHERE "
                                   "key = $1 AND status IN ('processing', 'succeeded') RETURNING key) "
                                   "INSERT INTO app.mine SELECT key, $2 FROM u ON CONFLICT DO NOTHING"_s,
                        { key, finish ? u"finish"_s : u"extend"_s });
                if (!answer.ok()) {
                    qFatal("a worker failed: %s", qPrintable(answer.value()));
                }
            }
        };
        std::atomic<int> failures = 0;
        const auto recover = [&] {
            const auto op = m_console->as(u"op"_s);
            const QString id = ConsoleFixture::newId();
            failures += m_console->open(*op, id, u"recover"_s, rows).value() != u"running"_s;
            for (int batch = 1; batch <= kKeys / 2 / 50; ++batch) {
                failures
                    += !op->run(u"SELECT idemdesk.change_batch($1, $2, 50)"_s, { id, QString::number(batch) }).ok();
            }
        };
        const auto purge = [&] {
            const auto op = m_console->as(u"op2"_s);
            const QString id = ConsoleFixture::newId();
            const auto opened
                = op->value(u"SELECT idemdesk.open_action($1, 'k', 'purge', 'old', NULL, $3, $2, '[]') ->> 'state'"_s,
                    { id, ConsoleFixture::profileSha(),
                        u"{\"cutoff\": \"now\", \"states\": [\"succeeded\"], \"scopes\": null, \"images\": true, "
                        "\"expected\": %1}"_s.arg(kKeys / 2) });
            failures += opened != u"running"_s;
            for (int batch = 1; batch < 2000; ++batch) {
                const QString state = op->value(
                    u"SELECT idemdesk.purge_batch($1, $2, 20) ->> 'state'"_s, { id, QString::number(batch) });
                if (state != u"running"_s) {
                    failures += state != u"finished"_s;
                    break;
                }
            }
        };
        QElapsedTimer timer;
        timer.start();
        {
            std::vector<std::jthread> threads;
            threads.emplace_back(work, m_seed);
            threads.emplace_back(work, m_seed + 1);
            threads.emplace_back(recover);
            threads.emplace_back(purge);
        }
        QVERIFY2(timer.elapsed() < 60'000, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(failures.load(), 0);
        QCOMPARE(root.value(u"SELECT count(*) FROM app.mine m WHERE NOT EXISTS (SELECT FROM app.k WHERE key = m.key "
                            u"AND result = 'mine' AND expires_at > now() "
                            "AND status IN ('processing', 'succeeded'))"_s),
            u"0"_s);
        const int mine = root.value(u"SELECT count(*) FROM app.mine"_s).toInt();
        const int recovered = root.value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s).toInt();
        const int purged = kKeys - root.value(u"SELECT count(*) FROM app.k"_s).toInt();
        qInfo("%d keys of workers, %d recovered, %d purged", mine, recovered, purged);
        QVERIFY(mine > 100 && recovered > 100 && purged > 100);
        // What the trail says was done is what the table shows.
        QCOMPARE(root.value(u"SELECT counts ->> 'done' FROM idemdesk.action WHERE verb = 'recover'"_s),
            QString::number(recovered));
        QCOMPARE(root.value(u"SELECT counts ->> 'purged' FROM idemdesk.action WHERE verb = 'purge'"_s),
            QString::number(purged));
        QCOMPARE(ConsoleFixture::verified(*m_console->as(u"op"_s)), u"t"_s);
    }

    void twoOperatorsAndAWorkerOnOneSet()
    {
        Connection &root = m_console->root();
        QVERIFY(root.run(u"TRUNCATE app.k; INSERT INTO app.k (tenant, key, status, locked_until, attempts) SELECT 't', "
                         u"'k' || i, 'processing', now() - interval '1 h', 1 "
                         "FROM generate_series(1, 400) i"_s)
                    .ok());
        const QString rows = m_console->frozen(u"true"_s);
        std::atomic<int> worker = 0;
        std::latch ready(3);
        QStringList failures[2];
        {
            std::vector<std::jthread> threads;
            for (int number = 0; number < 2; ++number) {
                threads.emplace_back([this, rows, &ready, &failed = failures[number], number] {
                    const auto op = m_console->as(number == 0 ? u"op"_s : u"op2"_s);
                    const QString id = ConsoleFixture::newId();
                    const auto opened = m_console->open(*op, id, u"recover"_s, rows);
                    if (!opened.ok()) {
                        failed.append(opened.value());
                    }
                    ready.arrive_and_wait();
                    for (int batch = 1; batch <= 80; ++batch) {
                        const auto answer
                            = op->run(u"SELECT idemdesk.change_batch($1, $2, 5)"_s, { id, QString::number(batch) });
                        if (!answer.ok()) {
                            failed.append(answer.value());
                        }
                    }
                });
            }
            threads.emplace_back([this, &worker, &ready] {
                const auto service = m_console->as(u"service"_s);
                QRandomGenerator random(m_seed);
                ready.arrive_and_wait();
                for (int i = 0; i < 300; ++i) {
                    worker += static_cast<int>(
                        service
                            ->run(
                                u"UPDATE app.k SET status = 'succeeded', result = 'w' WHERE key = $1 AND status = 'processing' RETURNING 1"_s,
                                { u"k%1"_s.arg(random.bounded(1, 401)) })
                            .rows.size());
                }
            });
        }
        for (const QStringList &one : failures) {
            QVERIFY2(one.isEmpty(), qPrintable(one.value(0)));
        }
        const int first
            = root.value(u"SELECT (counts ->> 'done')::integer FROM idemdesk.action WHERE requested_by = 'op'"_s)
                  .toInt();
        const int second
            = root.value(u"SELECT (counts ->> 'done')::integer FROM idemdesk.action WHERE requested_by = 'op2'"_s)
                  .toInt();
        const int left = root.value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s)
                             .toInt(); // locked by the other as it was read
        qInfo("op %d, op2 %d, worker %d, left %d", first, second, worker.load(), left);
        QCOMPARE(first + second + worker + left, 400);
        QCOMPARE(root.value(u"SELECT count(*) FROM app.k WHERE status = 'succeeded' AND result = 'w'"_s),
            QString::number(worker.load()));
        QCOMPARE(
            root.value(
                u"SELECT count(*) FROM idemdesk.action WHERE state = 'finished' AND (SELECT sum(c.value::integer) FROM jsonb_each_text(counts) c) = 400"_s),
            u"2"_s);
        QCOMPARE(ConsoleFixture::verified(*m_console->as(u"op"_s)), u"t"_s);
    }

    void appendersDoNotFork()
    {
        std::atomic<int> failures = 0;
        const QString before = m_console->root().value(u"SELECT max(seq) FROM idemdesk.audit"_s);
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 8; ++i) {
                threads.emplace_back([this, i, &failures] {
                    const auto adm = m_console->as(u"adm"_s);
                    for (int n = 0; n < 250; ++n) {
                        failures += !adm->run(u"SELECT idemdesk.set_shared_login($1, $2::boolean)"_s,
                                            { u"login%1"_s.arg(i), n % 2 ? u"true"_s : u"false"_s })
                                         .ok();
                    }
                });
            }
        }
        QCOMPARE(failures.load(), 0);
        QCOMPARE(m_console->root().value(u"SELECT max(seq) - $1::bigint FROM idemdesk.audit"_s, { before }), u"2000"_s);
        QCOMPARE(m_console->root().value(u"SELECT count(DISTINCT prev_hash) = count(*) FROM idemdesk.audit"_s), u"t"_s);
        QCOMPARE(ConsoleFixture::verified(*m_console->as(u"op"_s)), u"t"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(ActionsRacesTest)
#include "tst_actions_races.moc"
