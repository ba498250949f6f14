// SPDX-License-Identifier: GPL-3.0-or-later
// `idemdeskctl release` between a real database and a real Redis: what holds retries off for nothing goes, nothing else
// does, and the trail knows of each of them beforehand.
#include "sql/cache/cache_reader.h"
#include "sql/cache/cache_release.h"
#include "tests/support/program_run.h"
#include "tests/support/redis_fixture.h"
#include "tests/support/registered_table.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

const QByteArray kCache = R"({"cache": {"key": "idem:{tenant}:{key}", "ttl": "300s",
    "values": {"processing": "in_progress", "completed": "succeeded"}}})";
const QString kWhy = u"the worker died"_s;

} // namespace

class CtlReleaseTest final : public QObject
{
    Q_OBJECT

    static constexpr int kDone = 0;
    static constexpr int kFailed = 1;
    static constexpr int kUsage = 2;
    static constexpr int kRefused = 3;
    static constexpr int kSkipped = 4;
    static constexpr int kUnknown = 5;

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<RedisFixture> m_redis;
    std::unique_ptr<QTemporaryDir> m_home;

    ProgramRun ctl(const QStringList &arguments, const QString &login = u"op"_s, const QString &cache = {}) const
    {
        QProcessEnvironment environment = privateEnvironment(m_home->path());
        environment.insert(u"IDEMDESK_CACHE"_s, cache.isEmpty() ? m_redis->url() : cache);
        return runProgram(QStringLiteral(IDEMDESKCTL),
            arguments + QStringList { u"--connect"_s, m_fixture->cluster().conninfoAs(login, m_fixture->database()) },
            { environment, {} });
    }
    ProgramRun release(const QStringList &arguments, const QString &login = u"op"_s, const QString &cache = {}) const
    {
        return ctl(
            QStringList { u"release"_s, u"--target"_s, u"cached"_s, u"--json"_s, u"--reason"_s, kWhy } + arguments,
            login, cache);
    }
    /// As old as what is left of its five minutes says: by default over a minute and a half.
    void claim(const QByteArray &key, const QByteArray &value = "processing", const QByteArray &left = "200") const
    {
        m_redis->ask({ "SET", "idem:t1:" + key, value, "EX", left });
    }
    bool cached(const QByteArray &key) const { return m_redis->ask({ "EXISTS", "idem:t1:" + key }).trimmed() == "1"; }
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    QString outcomes()
    {
        return value(u"SELECT coalesce(string_agg(coalesce(outcome, 'not known'), ',' ORDER BY requested_at), '') FROM "
                     "idemdesk.cache_release"_s);
    }
    QString told()
    {
        return value(u"SELECT string_agg(what, ',' ORDER BY seq) FROM idemdesk.audit WHERE what LIKE 'release%'"_s);
    }
    QString verified() { return ConsoleFixture::verified(m_fixture->root()); }
    static QString whole(const ProgramRun &run) { return QString::fromUtf8(run.said()); }
    static QString outcomeOf(const ProgramRun &run) { return run.items().at(0)[u"outcome"].toString(); }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
        m_redis = std::make_unique<RedisFixture>();
    }
    void cleanupTestCase()
    {
        m_redis.reset();
        m_fixture.reset();
    }
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        m_redis->clear();
        m_fixture->fresh([this] {
            m_fixture->cluster().psql(m_fixture->database(),
                u"GRANT USAGE ON SCHEMA app TO adm, viewer; GRANT SELECT ON app.k, app.eff TO adm, op, op2, viewer; "
                "INSERT INTO app.k (tenant, key, status) VALUES ('t1', 'done', 'succeeded'), ('t1', 'live', "
                "'processing'), ('t1', 'other', 'failed')"_s);
            registerTable(*m_fixture, kCache, u"cached"_s);
            m_fixture->forgetBare();
        });
    }

    void aWrongClaimIsReleased()
    {
        claim("done");
        const ProgramRun run = release({ u"done"_s, u"--ticket"_s, u"INC-7"_s });
        QVERIFY2(run.status == kDone, qPrintable(whole(run)));
        QCOMPARE(outcomeOf(run), u"deleted"_s);
        QCOMPARE(run.items().at(0)[u"rows"].toArray(), QJsonArray { u"succeeded"_s });
        QVERIFY(!cached("done"));
        QCOMPARE(told(), u"release,release_end"_s);
        QCOMPARE(value(u"SELECT requested_by || ' ' || reason || ' ' || ticket || ' ' || entry || ' ' || value || ' ' "
                       "|| outcome FROM idemdesk.cache_release"_s),
            u"op the worker died INC-7 idem:t1:done processing deleted"_s);
        QCOMPARE(verified(), u"t"_s);
    }

    void anEntryWithoutARowIsReleasedByItsName()
    {
        claim("orphan");
        QVERIFY(release({ u"orphan"_s }).status != kDone); // no key of the table
        QVERIFY(cached("orphan"));
        // What it has lived of its time tells nothing where there is no row beside it.
        const ProgramRun refused = release({ u"--entry"_s, u"idem:t1:orphan"_s });
        QVERIFY2(refused.status == kRefused, qPrintable(whole(refused)));
        QVERIFY2(whole(refused).contains(u"--any-age"_s), qPrintable(whole(refused)));
        QVERIFY(cached("orphan"));
        const ProgramRun run = release({ u"--entry"_s, u"idem:t1:orphan"_s, u"--any-age"_s });
        QVERIFY2(run.status == kDone, qPrintable(whole(run)));
        QVERIFY(!cached("orphan"));
    }

    void whatMayBeRightStays_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("held");
        QTest::addColumn<QString>("login");
        QTest::newRow("a live claim") << QByteArray("live") << QByteArray("processing") << u"op"_s;
        QTest::newRow("an answer") << QByteArray("done") << QByteArray("completed") << u"op"_s;
        QTest::newRow("what nobody knows") << QByteArray("done") << QByteArray("Processing") << u"op"_s;
        QTest::newRow("asked for by a viewer") << QByteArray("done") << QByteArray("processing") << u"viewer"_s;
    }

    void whatMayBeRightStays()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, held);
        QFETCH(QString, login);
        claim(key, held);
        const ProgramRun run = release({ QString::fromUtf8(key) }, login);
        QVERIFY2(run.status == kRefused, qPrintable(whole(run)));
        QVERIFY(run.items().at(0)[u"error"].isObject());
        QVERIFY(cached(key));
        QCOMPARE(outcomes(), QString());
        QCOMPARE(verified(), u"t"_s);
    }

    void nothingIsDoneByADryRun()
    {
        claim("done");
        claim("live");
        const ProgramRun run
            = ctl({ u"release"_s, u"done"_s, u"live"_s, u"--target"_s, u"cached"_s, u"--dry-run"_s, u"--json"_s });
        QVERIFY2(run.status == kSkipped, qPrintable(whole(run))); // one of the two would stay
        QCOMPARE(run.items().at(0)[u"wrong_claim"].toBool(), true);
        QVERIFY(run.items().at(0)[u"least_age_ms"].toInt() >= 100'000);
        QCOMPARE(run.items().at(1)[u"wrong_claim"].toBool(), false);
        QVERIFY(cached("done") && cached("live"));
        QCOMPARE(outcomes(), QString());
    }

    /// A claim comes before its row: until that is committed there is none to see.
    void aClaimThatWasJustMadeStays()
    {
        claim("new", "processing", "298");
        const auto service = m_fixture->as(u"service"_s);
        QVERIFY(
            service->run(u"BEGIN; INSERT INTO app.k (tenant, key, status) VALUES ('t1', 'new', 'processing')"_s).ok());
        const QStringList entry { u"--entry"_s, u"idem:t1:new"_s };
        for (const QStringList &more : { QStringList(), QStringList { u"--any-age"_s } }) {
            const ProgramRun run = release(entry + more);
            QVERIFY2(run.status == kRefused, qPrintable(whole(run)));
            QVERIFY2(run.items().at(0)[u"error"][u"what"].toString().contains(u"under a minute old"_s)
                    && run.items().at(0)[u"error"][u"todo"].toString().contains(u"again in"_s),
                qPrintable(whole(run)));
            QVERIFY(cached("new"));
        }
        QVERIFY(service->run(u"COMMIT"_s).ok());
        QCOMPARE(release(entry).status, kRefused);
        QVERIFY(cached("new"));
        QCOMPARE(outcomes(), QString());
        const QStringList dry { u"release"_s, u"--target"_s, u"cached"_s, u"--dry-run"_s };
        claim("orphan", "processing", "299");
        const ProgramRun plan = ctl(dry + QStringList { u"--entry"_s, u"idem:t1:orphan"_s });
        QCOMPARE(plan.status, kSkipped);
        QVERIFY2(plan.out.contains("may be under a minute old"), qPrintable(whole(plan)));
    }

    /// What lives for ever, or for longer than the profile says, does not tell when it was made.
    void aClaimWhoseAgeNothingTellsIsConfirmed()
    {
        claim("done");
        m_redis->ask({ "PERSIST", "idem:t1:done" });
        claim("other", "processing", "9000");
        for (const QString &key : { u"done"_s, u"other"_s }) {
            const ProgramRun refused = release({ key });
            QVERIFY2(refused.status == kRefused, qPrintable(whole(refused)));
            QVERIFY2(whole(refused).contains(u"--any-age"_s), qPrintable(whole(refused)));
            QVERIFY(refused.items().at(0)[u"least_age_ms"].isNull());
            QCOMPARE(ctl({ u"release"_s, key, u"--target"_s, u"cached"_s, u"--dry-run"_s }).status, kSkipped);
            QVERIFY(cached(key.toUtf8()));
            QCOMPARE(release({ key, u"--any-age"_s }).status, kDone);
            QVERIFY(!cached(key.toUtf8()));
        }
        QCOMPARE(outcomes(), u"deleted,deleted"_s);
    }

    void aReasonIsAskedFor()
    {
        claim("done");
        QCOMPARE(ctl({ u"release"_s, u"done"_s, u"--target"_s, u"cached"_s }).status, kUsage);
        QCOMPARE(release({}).status, kUsage);
        QCOMPARE(release({ u"done"_s, u"--ticket"_s, QString(201, u'x') }).status, kUsage);
        QCOMPARE(release({ u"--entry"_s, u"session:1"_s }).status, kUsage);
        QVERIFY(cached("done"));
    }

    void whatIsNotThereIsSkipped()
    {
        const ProgramRun run = release({ u"done"_s });
        QVERIFY2(run.status == kSkipped, qPrintable(whole(run)));
        QCOMPARE(outcomes(), QString());
    }

    /// A user that may read, but not delete: said, written down, and nothing is gone.
    void aUserWithoutTheRightIsRefused()
    {
        m_redis->ask({ "ACL", "SETUSER", "reader", "on", "nopass", "~idem:*", "+scan", "+get", "+pttl", "+type",
            "+strlen", "+exists", "+info", "+select" });
        claim("done");
        const ProgramRun run = release({ u"done"_s }, u"op"_s, m_redis->url() + u"?user=reader"_s);
        QVERIFY2(run.status == kRefused, qPrintable(whole(run)));
        QVERIFY2(whole(run).contains(u"EVAL, GET, PTTL and DEL"_s), qPrintable(whole(run)));
        QVERIFY(cached("done"));
        QCOMPARE(outcomes(), u"refused"_s);
        // Its id says what came of it, and no more.
        const QString id = value(u"SELECT id FROM idemdesk.cache_release"_s);
        for (const QStringList &asked : { QStringList { u"show"_s, id }, QStringList { u"undo"_s, id } }) {
            const ProgramRun told = ctl(QStringList { u"actions"_s, u"--reason"_s, kWhy } + asked);
            QCOMPARE(told.status, kRefused);
            QVERIFY2(told.err.contains(u"The cache refused it") && told.err.contains(u"idem:t1:done")
                    && !told.err.contains(u"is gone"),
                qPrintable(whole(told)));
        }
        // One that may run scripts, but delete nothing.
        m_redis->ask({ "ACL", "SETUSER", "reader", "+eval" });
        QCOMPARE(release({ u"done"_s }, u"op"_s, m_redis->url() + u"?user=reader"_s).status, kRefused);
        QVERIFY(cached("done"));
        QCOMPARE(outcomes(), u"refused,refused"_s);
        QCOMPARE(verified(), u"t"_s);
        m_redis->ask({ "ACL", "DELUSER", "reader" });
    }

    void aReplicaAndARedisWithoutScriptsAreNamed()
    {
        claim("done");
        const RedisFixture bare({ u"rename-command EVAL \"\""_s });
        bare.ask({ "SET", "idem:t1:done", "processing", "EX", "200" });
        const ProgramRun run = release({ u"done"_s }, u"op"_s, bare.url());
        QVERIFY2(run.status == kRefused, qPrintable(whole(run)));
        QVERIFY2(whole(run).contains(u"runs no scripts"_s), qPrintable(whole(run)));
        m_redis->ask({ "REPLICAOF", "127.0.0.1", "1" });
        const ProgramRun replica = release({ u"done"_s });
        m_redis->ask({ "REPLICAOF", "NO", "ONE" });
        QVERIFY2(replica.status == kRefused, qPrintable(whole(replica)));
        QVERIFY2(whole(replica).contains(u"replica"_s), qPrintable(whole(replica)));
        QCOMPARE(outcomes(), u"refused"_s); // what a replica is asked for is not even written down
    }

    /// It would answer "deleted", and the primary would still have the claim, and send it again.
    void aReplicaThatTakesChangesIsRefused()
    {
        const int port = freePort();
        const RedisFixture primary({ u"bind 127.0.0.1"_s, u"port "_s + QString::number(port) });
        primary.ask({ "SET", "idem:t1:done", "processing", "EX", "200" });
        const RedisFixture replica({ u"replicaof 127.0.0.1 "_s + QString::number(port), u"replica-read-only no"_s });
        QTRY_COMPARE_WITH_TIMEOUT(replica.ask({ "GET", "idem:t1:done" }), "processing", 20'000);
        const ProgramRun run = release({ u"done"_s }, u"op"_s, replica.url());
        QVERIFY2(run.status == kRefused, qPrintable(whole(run)));
        QVERIFY2(whole(run).contains(u"Connect to the primary, which it says is 127.0.0.1:%1"_s.arg(port)),
            qPrintable(whole(run)));
        QCOMPARE(replica.ask({ "EXISTS", "idem:t1:done" }), "1");
        QCOMPARE(outcomes(), QString());
        QCOMPARE(release({ u"done"_s }, u"op"_s, primary.url()).status, kDone);
        QCOMPARE(primary.ask({ "EXISTS", "idem:t1:done" }), "0");
        QCOMPARE(outcomes(), u"deleted"_s);
    }

    /// Whoever may not ask what the server is cannot know whether it is the one that counts.
    void whatDoesNotSayWhatItIsIsRefused()
    {
        m_redis->ask({ "ACL", "SETUSER", "blind", "on", "nopass", "~idem:*", "+scan", "+get", "+pttl", "+type",
            "+strlen", "+exists", "+select", "+eval", "+del" });
        claim("done");
        const ProgramRun run = release({ u"done"_s }, u"op"_s, m_redis->url() + u"?user=blind"_s);
        QVERIFY2(run.status == kRefused, qPrintable(whole(run)));
        QVERIFY2(whole(run).contains(u"Allow INFO"_s), qPrintable(whole(run)));
        QVERIFY(cached("done"));
        QCOMPARE(outcomes(), QString());
        m_redis->ask({ "ACL", "DELUSER", "blind" });
    }

    /// The trail may be waited for, and another server be made the primary meanwhile.
    void whatBecameAReplicaMeanwhileIsNotKnown()
    {
        claim("done");
        Connection holder(m_fixture->cluster().conninfo(m_fixture->database()));
        QVERIFY(holder.run(u"BEGIN"_s).ok());
        QVERIFY(holder.run(u"SELECT FROM idemdesk.audit_head FOR UPDATE"_s).ok());
        std::optional<sql::Result<sql::ReleaseAnswer>> answer;
        const std::unique_ptr<QThread> thread(QThread::create([&] {
            const auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
            const auto cache = sql::RedisSession::open(*sql::cacheAddress(m_redis->url()), {});
            const auto seen = sql::readEntries(**cache, { "idem:t1:done" }, 1'000);
            answer.emplace(sql::releaseClaim(
                *session, **cache, { ConsoleFixture::newId(), u"cached"_s, seen->constFirst(), kWhy, {} }));
        }));
        thread->start();
        QTRY_COMPARE_WITH_TIMEOUT(
            value(u"SELECT count(*) FROM pg_stat_activity WHERE usename = 'op' AND wait_event_type = 'Lock'"_s), u"1"_s,
            20'000);
        m_redis->ask({ "CONFIG", "SET", "replica-read-only", "no" });
        m_redis->ask({ "REPLICAOF", "127.0.0.1", "1" });
        QVERIFY(holder.run(u"ROLLBACK"_s).ok());
        QVERIFY(thread->wait(20'000));
        m_redis->ask({ "REPLICAOF", "NO", "ONE" });
        m_redis->ask({ "CONFIG", "SET", "replica-read-only", "yes" });
        QVERIFY2(answer->ok(), qPrintable(answer->ok() ? QString() : answer->error().line()));
        QCOMPARE((*answer)->outcome, sql::ReleaseOutcome::Unknown);
        QVERIFY2((*answer)->why.line().contains(u"no longer says"_s), qPrintable((*answer)->why.line()));
        QCOMPARE(outcomes(), u"unknown"_s);
    }

    void recoverPointsToIt()
    {
        m_fixture->cluster().psql(
            m_fixture->database(), u"UPDATE app.k SET locked_until = now() - interval '1 hour' WHERE key = 'live'"_s);
        claim("live");
        const QStringList words { u"recover"_s, u"--target"_s, u"cached"_s, u"--key"_s, u"live"_s, u"--to"_s,
            u"failed_retryable"_s, u"--reason"_s, kWhy };
        const ProgramRun run = ctl(words);
        QVERIFY2(run.status == kDone, qPrintable(whole(run)));
        QVERIFY2(run.err.contains(u"idemdeskctl release KEY"_s), qPrintable(run.err)); // named a cache or not
        const ProgramRun released = release({ u"live"_s });
        QVERIFY2(released.status == kDone, qPrintable(whole(released)));
        QVERIFY(!cached("live"));
        QCOMPARE(verified(), u"t"_s);
    }

    /// What was done to a key tells of its releases, too; who may not see them is told that.
    void itStandsInTheKeysOwnStory()
    {
        claim("done");
        QCOMPARE(release({ u"done"_s, u"--ticket"_s, u"INC-7"_s }).status, kDone);
        const QStringList words { u"show"_s, u"done"_s, u"--target"_s, u"cached"_s, u"--json"_s };
        const ProgramRun run = ctl(words);
        const QJsonValue shown = run.items().at(0);
        const QJsonArray actions = shown[u"actions"].toArray();
        QVERIFY2(actions.size() == 1, qPrintable(whole(run).right(700)));
        const QJsonValue told = actions.at(0);
        QCOMPARE(told[u"verb"].toString(), u"release"_s);
        QCOMPARE(told[u"by"].toString(), u"op"_s);
        QCOMPARE(told[u"reason"].toString(), kWhy);
        QCOMPARE(told[u"ticket"].toString(), u"INC-7"_s);
        QCOMPARE(told[u"outcome"].toString(), u"deleted"_s);
        QCOMPARE(shown[u"releases_known"].toBool(), true);
        const QString story = QString::fromUtf8(QJsonDocument(shown[u"story"].toArray()).toJson());
        QVERIFY2(story.contains(u"Release in the cache by op"_s), qPrintable(story));
        // Another key has none of it, and its case file has the rows of the trail.
        QCOMPARE(
            ctl({ u"show"_s, u"other"_s, u"--target"_s, u"cached"_s, u"--json"_s }).items().at(0)[u"actions"].toArray(),
            QJsonArray());
        const QString file = m_home->filePath(u"case.json"_s);
        QCOMPARE(ctl({ u"case"_s, u"done"_s, u"--target"_s, u"cached"_s, u"-o"_s, file }).status, kDone);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray text = written.readAll();
        QVERIFY2(text.contains("\"release_end\"") && text.contains("\"releases_known\": true"), text.constData());
        QVERIFY(m_fixture->root()
                    .run(u"REVOKE SELECT ON app.k FROM viewer; GRANT SELECT (tenant, key, status, "
                         "locked_until, attempts, result) ON app.k TO viewer"_s)
                    .ok());
        const ProgramRun partly = ctl(words, u"viewer"_s); // who may not read all of the row
        QCOMPARE(partly.status, kDone);
        QCOMPARE(partly.items().at(0)[u"releases_known"].toBool(true), false);
    }

    void undoIsRefusedKindly()
    {
        claim("done");
        const QString id = release({ u"done"_s }).items().at(0)[u"id"].toString();
        const ProgramRun run = ctl({ u"actions"_s, u"undo"_s, id, u"--reason"_s, kWhy });
        QVERIFY(run.status != kDone);
        QVERIFY2(whole(run).contains(u"cannot be undone"_s), qPrintable(whole(run)));
    }

    void severalAreReleasedOneByOne()
    {
        claim("done");
        claim("live");
        claim("other");
        const ProgramRun run = release({ u"done"_s, u"live"_s, u"other"_s });
        QCOMPARE(run.status, kRefused); // the worst of them
        QVERIFY(!cached("done") && cached("live") && !cached("other"));
        QCOMPARE(outcomes(), u"deleted,deleted"_s);
    }

    /// Hit ratio and drift come from samples, of all clients but the console itself.
    void theCacheIsSampled()
    {
        claim("done");
        claim("live");
        m_redis->ask({ "PERSIST", "idem:t1:live" });
        const ProgramRun first = ctl({ u"sample"_s });
        QVERIFY2(first.status == kDone, qPrintable(whole(first)));
        const QString taken = u"SELECT string_agg(metric || '=' || value, ',' ORDER BY metric) FROM idemdesk.sample "
                              "WHERE metric LIKE 'cache%' AND metric <> 'cache_memory'"_s;
        QCOMPARE(value(taken), u"cache_crowded=0,cache_ttl_judged=2,cache_ttl_off=1"_s);
        QVERIFY(m_fixture->root()
                    .run(u"UPDATE idemdesk.counter_seen SET at = at - interval '2 min'; DELETE FROM idemdesk.sample"_s)
                    .ok());
        m_redis->run(QByteArray("GET idem:t1:done\n").repeated(30) + QByteArray("GET idem:t1:none\n").repeated(10));
        QCOMPARE(ctl({ u"sample"_s }).status, kDone);
        QCOMPARE(value(u"SELECT string_agg(metric || '=' || value * round(extract(epoch FROM bucket_start - "
                       "(bucket_start - interval '2 min')) / 60), ',' ORDER BY metric) FROM idemdesk.sample WHERE "
                       "metric IN ('cache_lookups', 'cache_misses')"_s),
            u"cache_lookups=40,cache_misses=10"_s);
        const ProgramRun metrics = ctl({ u"metrics"_s });
        QVERIFY2(metrics.out.contains("idempotency_cache_hit_ratio 0.75\n"), metrics.out.constData());
        QVERIFY2(metrics.out.contains("idempotency_cache_ttl_drift{target=\"cached\"} 0.5\n"), metrics.out.constData());
        // A cache that is not there takes no sample of the table away.
        const ProgramRun down = ctl({ u"sample"_s }, u"op"_s, u"unix:///nowhere"_s);
        QCOMPARE(down.status, kFailed);
        QVERIFY2(down.err.contains(u"cannot be reached"_s), qPrintable(down.err));
    }

    /// What was seen is what is deleted: not what somebody wrote meanwhile, even with the same value.
    void whatChangedSinceStays_data()
    {
        QTest::addColumn<QByteArrayList>("meanwhile");
        QTest::addColumn<QString>("outcome");
        using List = QByteArrayList;
        QTest::newRow("nothing") << List { "PING" } << u"deleted"_s;
        QTest::newRow("an answer") << List { "SET", "idem:t1:done", "completed", "EX", "300" } << u"changed"_s;
        QTest::newRow("claimed anew") << List { "SET", "idem:t1:done", "processing", "EX", "900" } << u"changed"_s;
        QTest::newRow("without an end now") << List { "PERSIST", "idem:t1:done" } << u"changed"_s;
        QTest::newRow("something else") << List { "EVAL",
            "redis.call('DEL', KEYS[1]) return redis.call('LPUSH', KEYS[1], 'x')", "1", "idem:t1:done" }
                                        << u"changed"_s;
        QTest::newRow("gone") << List { "DEL", "idem:t1:done" } << u"gone"_s;
    }

    void whatChangedSinceStays()
    {
        QFETCH(QByteArrayList, meanwhile);
        QFETCH(QString, outcome);
        claim("done");
        const auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
        const auto cache = sql::RedisSession::open(*sql::cacheAddress(m_redis->url()), {});
        const auto seen = sql::readEntries(**cache, { "idem:t1:done" }, 1'000);
        m_redis->ask(meanwhile);
        const auto answer = sql::releaseClaim(
            *session, **cache, { ConsoleFixture::newId(), u"cached"_s, seen->constFirst(), kWhy, {} });
        QVERIFY2(answer.ok(), qPrintable(answer ? QString() : answer.error().line()));
        QCOMPARE(sql::releaseOutcomeName(answer->outcome), outcome);
        QCOMPARE(outcomes(), outcome);
        QCOMPARE(cached("done"), outcome == u"changed");
        QCOMPARE(verified(), u"t"_s);
    }

    /// Redis stands still once it was told: nobody knows, and that is what is said and written.
    void anAnswerThatNeverCameIsNotKnown()
    {
        claim("done");
        const auto session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Write);
        sql::RedisSession::Options options;
        options.answerTimeoutMs = 300;
        const auto cache = sql::RedisSession::open(*sql::cacheAddress(m_redis->url()), options);
        const auto seen = sql::readEntries(**cache, { "idem:t1:done" }, 1'000);
        m_redis->ask({ "CLIENT", "PAUSE", "60000", "WRITE" }); // it still says what it is
        const auto answer = sql::releaseClaim(
            *session, **cache, { ConsoleFixture::newId(), u"cached"_s, seen->constFirst(), kWhy, {} });
        m_redis->ask({ "CLIENT", "UNPAUSE" });
        QVERIFY2(answer.ok(), qPrintable(answer ? QString() : answer.error().line()));
        QCOMPARE(answer->outcome, sql::ReleaseOutcome::Unknown);
        QVERIFY2(answer->why.line().contains(u"not known"_s), qPrintable(answer->why.line()));
        QCOMPARE(outcomes(), u"unknown"_s);
        QCOMPARE(verified(), u"t"_s);
    }

    /// A Redis that cannot even be looked at: nothing is asked of the trail.
    void aSilentRedisIsToldApart()
    {
        claim("done");
        m_redis->pause();
        const ProgramRun run = release({ u"done"_s });
        m_redis->go();
        QVERIFY2(run.status == kFailed, qPrintable(whole(run))); // it could not even be looked at
        QVERIFY(cached("done"));
        QCOMPARE(outcomes(), QString());
    }
};

QTEST_GUILESS_MAIN(CtlReleaseTest)
#include "tst_ctl_release.moc"
