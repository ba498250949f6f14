// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/redis_fixture.h"
#include "tests/support/test_cluster.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

const QString kAcme = u"0a000000-0000-4000-8000-00000000000a"_s;
const QString kOther = u"0b000000-0000-4000-8000-00000000000b"_s;

QString name(const QString &key, const QString &tenant = kAcme)
{
    return u"idempotency:%1:%2"_s.arg(tenant, key);
}

} // namespace

/// A table and a real Redis in front of it: each disagreement that was made is found, and none is invented; whatever
/// becomes of Redis, what the table says is not disturbed.
class CtlCacheTest final : public QObject
{
    Q_OBJECT

    static constexpr int kDone = 0;
    static constexpr int kFailed = 1;
    static constexpr int kUsage = 2;
    static constexpr int kUnknown = 5;

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<RedisFixture> m_redis;
    std::unique_ptr<QTemporaryDir> m_folder;
    ProgramRun m_run;

    void psql(const QString &sql) { m_cluster->psql(u"keys"_s, sql); }
    /// A row and its entry, so that they agree.
    void pair(const QString &key, const QString &status, const QString &value, const QString &tenant = kAcme)
    {
        row(key, status, tenant);
        m_redis->ask({ "SET", name(key, tenant).toUtf8(), value.toUtf8(), "EX", "300" });
    }
    void row(const QString &key, const QString &status, const QString &tenant = kAcme)
    {
        psql(u"INSERT INTO seed000.idempotency_keys (tenant_id, idempotency_key, status, expires_at) VALUES "
             "('%1', '%2', '%3', now() + interval '1 day')"_s.arg(tenant, key, status));
    }
    /// The shipped profile with this "cache", and what --trust takes.
    QStringList profile(const QJsonObject &cache)
    {
        QFile shipped(QStringLiteral(IDEMDESK_SOURCE_DIR) + u"/sql/profiles/pending-key.json"_s);
        insist(shipped.open(QIODevice::ReadOnly), shipped.errorString());
        QJsonObject document = QJsonDocument::fromJson(shipped.readAll()).object();
        document.insert(u"name"_s, u"cached-key"_s);
        if (!cache.isEmpty()) {
            document.insert(u"cache"_s, cache);
        }
        const QByteArray text = QJsonDocument(document).toJson();
        QFile file(m_folder->filePath(u"profile.json"_s));
        insist(file.open(QIODevice::WriteOnly) && file.write(text) == text.size(), file.errorString());
        return { u"--target"_s, file.fileName(), u"--trust"_s,
            QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex()) };
    }
    static QJsonObject grammar()
    {
        return { { u"key"_s, u"idempotency:{tenant}:{key}"_s }, { u"ttl"_s, u"300s"_s },
            { u"values"_s,
                QJsonObject { { u"processing"_s, u"in_progress"_s }, { u"completed"_s, u"succeeded"_s },
                    { u"failed"_s, u"failed_retryable"_s } } } };
    }
    QStringList words(const QString &command, const QStringList &more, const QJsonObject &cache = grammar())
    {
        return QStringList { command, u"--connect"_s, m_cluster->conninfoAs(u"support"_s, u"keys"_s), u"--json"_s }
        + profile(cache) + more;
    }
    QProcessEnvironment environment() const { return privateEnvironment(m_folder->path()); }
    int cache(const QStringList &more = {}, const QJsonObject &spec = grammar())
    {
        const QStringList settle = more.contains(u"--settle"_s) ? QStringList() : QStringList { u"--settle"_s, u"0"_s };
        const QStringList where
            = more.contains(u"--cache"_s) ? QStringList() : QStringList { u"--cache"_s, m_redis->url() };
        m_run = runProgram(
            QStringLiteral(IDEMDESKCTL), words(u"cache"_s, where + settle + more, spec), { environment() });
        return m_run.status;
    }
    int show(const QString &key, const QString &url)
    {
        m_run
            = runProgram(QStringLiteral(IDEMDESKCTL), words(u"show"_s, { key, u"--cache"_s, url }), { environment() });
        return m_run.status;
    }
    /// "KIND KEY" of each finding, sorted.
    QStringList found() const
    {
        QStringList lines;
        for (const QJsonValue &item : m_run.items()) {
            lines += item[u"kind"].toString() + u' ' + item[u"key"].toString();
        }
        lines.sort();
        return lines;
    }
    /// A table whose scope may be NULL: its file, and what --trust takes.
    QStringList looseProfile()
    {
        const QByteArray text = QJsonDocument(
            QJsonObject { { u"idemdesk_profile"_s, 1 }, { u"name"_s, u"loose"_s }, { u"title"_s, u"Loose"_s },
                { u"kind"_s, u"request"_s }, { u"relation"_s, u"public.loose"_s },
                { u"identity"_s, QJsonArray { u"id"_s } },
                { u"scope"_s,
                    QJsonArray { QJsonObject { { u"label"_s, u"region"_s }, { u"sql"_s, u"t.region"_s } },
                        QJsonObject { { u"label"_s, u"shop"_s }, { u"sql"_s, u"t.shop"_s } } } },
                { u"key"_s, u"t.key"_s }, { u"roles"_s, QJsonObject { { u"status"_s, u"t.status"_s } } },
                { u"states"_s,
                    QJsonObject { { u"processing"_s, u"in_progress"_s }, { u"completed"_s, u"succeeded"_s } } },
                { u"cache"_s,
                    QJsonObject {
                        { u"key"_s, u"loose:{region}:{shop}:{key}"_s }, { u"values"_s, grammar()[u"values"_s] } } } })
                                    .toJson();
        QFile file(m_folder->filePath(u"loose.json"_s));
        insist(file.open(QIODevice::WriteOnly) && file.write(text) == text.size(), file.errorString());
        return { u"--target"_s, file.fileName(), u"--trust"_s,
            QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex()), u"--connect"_s,
            m_cluster->conninfoAs(u"support"_s, u"keys"_s), u"--json"_s, u"--cache"_s, m_redis->url() };
    }
    void hasItsShape(const QString &command) const
    {
        QFile document(m_folder->filePath(u"documents/"_s + command + u".json"_s));
        QVERIFY(QDir(m_folder->path()).mkpath(u"documents"_s) && document.open(QIODevice::WriteOnly));
        QVERIFY(document.write(m_run.out) == m_run.out.size());
        document.close();
        const ProgramRun check = runProgram(u"/usr/bin/python3"_s,
            { QStringLiteral(CHECK_SHAPES), QStringLiteral(SCHEMAS), QFileInfo(document).path() });
        QVERIFY2(check.status == 0, check.said().constData());
    }
    /// Nothing that is written to 80 columns is wider.
    void fitsEightyColumns()
    {
        QProcessEnvironment narrow = environment();
        narrow.insert(u"COLUMNS"_s, u"80"_s);
        QStringList plain = words(u"cache"_s, { u"--cache"_s, m_redis->url(), u"--settle"_s, u"0"_s });
        plain.removeAll(u"--json"_s);
        const ProgramRun run = runProgram(QStringLiteral(IDEMDESKCTL), plain, { narrow });
        for (const QByteArray &line : run.out.split('\n')) {
            QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
        }
        QVERIFY2(run.out.contains("Retries are held off"), run.said().constData());
    }
    QString error() const { return m_run.json().value(u"error"_s)[u"what"].toString(); }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>();
        m_cluster->psql(u"postgres"_s, u"CREATE ROLE support LOGIN; GRANT pg_read_all_data TO support"_s);
        m_cluster->createDatabase(u"keys"_s);
        m_cluster->psqlFile(u"keys"_s, u"sql/demo/schema_000.sql"_s);
        m_redis = std::make_unique<RedisFixture>();
    }
    void cleanupTestCase()
    {
        m_redis.reset();
        m_cluster.reset();
    }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_redis->clear();
        psql(u"TRUNCATE seed000.idempotency_keys; "
             "ALTER TABLE seed000.idempotency_keys DISABLE ROW LEVEL SECURITY"_s);
    }

    void whatAgreesIsNotTold()
    {
        pair(u"k1"_s, u"pending"_s, u"processing"_s);
        pair(u"k2"_s, u"completed"_s, u"completed"_s);
        pair(u"k3"_s, u"failed"_s, u"failed"_s, kOther);
        row(u"k4"_s, u"completed"_s); // its entry expired: that is how it should be
        m_redis->ask({ "SET", "session:1", "x" }); // of somebody else
        m_redis->ask({ "SET", name(kAcme.toUpper(), u"k"_s).toUtf8(), "x" });
        m_redis->ask({ "DEL", name(kAcme.toUpper(), u"k"_s).toUtf8() });
        // The same tenant, written otherwise.
        row(u"k5"_s, u"pending"_s);
        m_redis->ask({ "SET", name(u"k5"_s, kAcme.toUpper()).toUtf8(), "processing", "EX", "300" });
        m_redis->ask({ "SET", name(u"k5"_s).toUtf8(), "processing", "EX", "300" });
        QCOMPARE(cache(), kDone);
        QCOMPARE(found(), QStringList());
        const QJsonObject document = m_run.json();
        QCOMPARE(document.value(u"complete"_s), QJsonValue(true));
        QCOMPARE(document.value(u"sampled"_s)[u"entries"].toInt(), 5);
        QCOMPARE(document.value(u"sampled"_s)[u"in_progress"].toInt(), 2);
        QCOMPARE(document.value(u"server"_s)[u"keys"].toInt(), 6);
        hasItsShape(u"cache"_s);
    }

    void eachDisagreementIsFound()
    {
        pair(u"fine"_s, u"pending"_s, u"processing"_s);
        pair(u"behind"_s, u"completed"_s, u"processing"_s);
        pair(u"behind a failure"_s, u"failed"_s, u"processing"_s);
        pair(u"ahead"_s, u"pending"_s, u"completed"_s);
        pair(u"odd"_s, u"pending"_s, u"what?"_s);
        row(u"uncached"_s, u"pending"_s);
        m_redis->ask({ "SET", name(u"orphan"_s).toUtf8(), "processing", "EX", "300" });
        m_redis->ask({ "SET", name(u"no tenant"_s, u"acme"_s).toUtf8(), "processing", "EX", "300" });
        pair(u"for ever"_s, u"pending"_s, u"processing"_s);
        m_redis->ask({ "PERSIST", name(u"for ever"_s).toUtf8() });
        pair(u"long"_s, u"pending"_s, u"processing"_s);
        m_redis->ask({ "EXPIRE", name(u"long"_s).toUtf8(), "3600" });
        pair(u"short"_s, u"pending"_s, u"processing"_s);
        m_redis->ask({ "EXPIRE", name(u"short"_s).toUtf8(), "100" });
        row(u"a list"_s, u"pending"_s);
        m_redis->ask({ "LPUSH", name(u"a list"_s).toUtf8(), "x" });
        m_redis->ask({ "EXPIRE", name(u"a list"_s).toUtf8(), "300" });
        pair(u"giant"_s, u"completed"_s, u"x"_s);
        m_redis->ask({ "SETRANGE", name(u"giant"_s).toUtf8(), "20000000", "x" });
        // Two rows of which one name is the entry.
        row(u"k:9"_s, u"pending"_s);
        QCOMPARE(cache(), kDone);
        QCOMPARE(found(),
            QStringList({ u"ahead ahead"_s, u"behind behind"_s, u"behind behind a failure"_s,
                u"never_expires for ever"_s, u"not_cached k:9"_s, u"not_cached uncached"_s, u"ttl_long long"_s,
                u"ttl_short short"_s, u"unknown_value giant"_s, u"unknown_value odd"_s, u"without_row no tenant"_s,
                u"without_row orphan"_s, u"wrong_type a list"_s }));
        hasItsShape(u"cache"_s);
        QCOMPARE(m_run.json().value(u"counts"_s)[u"behind"].toInt(), 2);
        QCOMPARE(m_run.json().value(u"counts"_s)[u"several_rows"].toInt(), 0);
        QCOMPARE(m_run.json().value(u"ttl"_s)[u"histogram"][u"never"].toInt(), 1);
        fitsEightyColumns();
        QCOMPARE(cache({ u"--kind"_s, u"behind"_s }), kDone);
        QCOMPARE(found().size(), 2);
        const QJsonValue behind = m_run.items().at(0);
        QCOMPARE(behind[u"entry"][u"value"].toString(), u"processing"_s);
        QCOMPARE(behind[u"entry"][u"state"].toString(), u"in_progress"_s);
        QCOMPARE(behind[u"scope"][u"tenant"].toString(), kAcme);
        QCOMPARE(cache({ u"--limit"_s, u"1"_s }), kDone);
        QCOMPARE(m_run.items().size(), 9); // one of each kind that there is
        QCOMPARE(m_run.json().value(u"counts"_s)[u"behind"].toInt(), 2);
    }

    /// What a replica that never got its data does not show is not seen; nothing says that it is not there.
    void aReplicaWithoutItsPrimaryIsNotLookedThrough()
    {
        const RedisFixture replica({ u"replicaof 127.0.0.1 1"_s }); // where nothing listens
        row(u"working"_s, u"pending"_s);
        const auto empty = qScopeGuard([this] { psql(u"TRUNCATE seed000.idempotency_keys"_s); });
        QCOMPARE(cache({ u"--cache"_s, replica.url() }), kUnknown);
        QCOMPARE(found(), QStringList());
        QVERIFY2(m_run.err.contains(u"without a link to its primary"_s), m_run.said().constData());
        QCOMPARE(m_run.json().value(u"complete"_s).toBool(true), false);
        QStringList plain = words(u"cache"_s, { u"--cache"_s, replica.url(), u"--settle"_s, u"0"_s });
        plain.removeOne(u"--json"_s);
        m_run = runProgram(QStringLiteral(IDEMDESKCTL), plain, { environment() });
        QVERIFY2(!m_run.out.contains("These are all."), m_run.said().constData());
        show(u"working"_s, replica.url());
        QVERIFY2(m_run.said().contains("without a link to its primary"), m_run.said().constData());
        // An empty cache, or the wrong one of its databases, says so.
        QCOMPARE(cache({ u"--cache"_s, m_redis->url() + u"?db=5"_s }), kUnknown);
        QVERIFY2(m_run.err.contains(u"Is it the right one"_s), m_run.said().constData());
    }

    void aTableIsForPeople()
    {
        pair(u"behind"_s, u"completed"_s, u"processing"_s);
        m_redis->ask({ "SET", name(u"\x1b[31mevil"_s).toUtf8(), "\x1b]0;title\x07", "EX", "300" });
        QStringList plain = words(u"cache"_s, { u"--cache"_s, m_redis->url(), u"--settle"_s, u"0"_s });
        plain.removeOne(u"--json"_s);
        m_run = runProgram(QStringLiteral(IDEMDESKCTL), plain, { environment() });
        QCOMPARE(m_run.status, kDone);
        for (const char *text : { "These are all.", "Held off, though finished",
                 "Retries are held off until the entry expires.", "Hit ratio", "Memory:", "Cached without a row" }) {
            QVERIFY2(m_run.out.contains(text), m_run.said().constData());
        }
        QVERIFY2(!m_run.said().contains('\x1b'), "a name from the cache reaches the terminal as it is");
    }

    void oneEntryForSeveralRowsIsTold()
    {
        // A form that the data defeat: the separator stands in the values.
        psql(u"ALTER TABLE seed000.idempotency_keys ALTER tenant_id TYPE text"_s);
        const auto restore = qScopeGuard([this] {
            psql(u"TRUNCATE seed000.idempotency_keys; "
                 "ALTER TABLE seed000.idempotency_keys ALTER tenant_id TYPE uuid USING tenant_id::uuid"_s);
        });
        row(u"c"_s, u"pending"_s, u"a:b"_s);
        row(u"b:c"_s, u"pending"_s, u"a"_s);
        row(u"e"_s, u"pending"_s, u"d:x"_s); // one row, and two ways to read its name
        m_redis->ask({ "SET", name(u"c"_s, u"a:b"_s).toUtf8(), "processing", "EX", "300" });
        m_redis->ask({ "SET", name(u"e"_s, u"d:x"_s).toUtf8(), "processing", "EX", "300" });
        QCOMPARE(cache(), kDone);
        QCOMPARE(found().size(), 1);
        QVERIFY2(found().constFirst().startsWith(u"several_rows "), qPrintable(found().join(u'\n')));
    }

    void aSampleSaysWhatItIs()
    {
        psql(u"INSERT INTO seed000.idempotency_keys (tenant_id, idempotency_key, status, expires_at) "
             "SELECT '%1', 'k' || n, 'pending', now() + interval '1 day' FROM generate_series(1, 300) n"_s.arg(kAcme));
        QByteArray commands;
        for (int i = 1; i <= 300; ++i) {
            commands += "SET " + name(u"k%1"_s.arg(i)).toUtf8() + " processing EX 300\n";
        }
        m_redis->run(commands);
        QCOMPARE(cache({ u"--entries"_s, u"100"_s }), kUnknown);
        QCOMPARE(m_run.json().value(u"sampled"_s)[u"entries"].toInt(), 100);
        QCOMPARE(m_run.json().value(u"sampled"_s)[u"whole_cache"], QJsonValue(false));
        QCOMPARE(m_run.json().value(u"complete"_s), QJsonValue(false));
        QCOMPARE(found(), QStringList());
        QCOMPARE(cache({ u"--rows"_s, u"100"_s }), kUnknown);
        QCOMPARE(m_run.json().value(u"sampled"_s)[u"all_in_progress"], QJsonValue(false));
        QCOMPARE(cache(), kDone);
        QCOMPARE(m_run.json().value(u"sampled"_s)[u"entries"].toInt(), 300);
    }

    void entriesThatExpireTogetherAreTold()
    {
        psql(u"INSERT INTO seed000.idempotency_keys (tenant_id, idempotency_key, status, expires_at) "
             "SELECT '%1', 'k' || n, 'pending', now() + interval '1 day' FROM generate_series(1, 500) n"_s.arg(kAcme));
        QByteArray commands;
        for (int i = 1; i <= 500; ++i) {
            commands += "SET " + name(u"k%1"_s.arg(i)).toUtf8() + " processing EX "
                + QByteArray::number(i <= 400 ? 1'730 : 18 * (i - 400)) + '\n';
        }
        m_redis->run(commands);
        QJsonObject spec = grammar();
        spec.insert(u"ttl"_s, u"30m"_s);
        QCOMPARE(cache({}, spec), kDone);
        QJsonArray minutes = m_run.json().value(u"ttl"_s)[u"minutes"].toArray();
        int all = 0;
        int crowded = 0;
        for (const QJsonValue &minute : minutes) {
            all += minute[u"entries"].toInt();
            crowded += minute[u"crowded"].toBool() ? 1 : 0;
        }
        QCOMPARE(all, 500);
        const QJsonValue histogram = m_run.json().value(u"ttl"_s)[u"histogram"];
        const QJsonArray spans = histogram[u"entries"].toArray();
        int spread = 0;
        int fullest = 0;
        for (const QJsonValue &span : spans) {
            spread += span.toInt();
            fullest = std::max(fullest, span.toInt());
        }
        QVERIFY(spans.size() > 12 && spans.size() <= 24);
        QCOMPARE(histogram[u"span_seconds"].toInt(), 120); // thirty minutes in at most so many
        QCOMPARE(spread, 500);
        QVERIFY2(fullest > 200, m_run.out.constData());
        QVERIFY2(crowded == 1 || crowded == 2, m_run.out.constData()); // they may stand at the turn of a minute
    }

    void whatChangedMeanwhileIsNoDisagreement()
    {
        pair(u"late"_s, u"pending"_s, u"completed"_s); // the row's commit comes in a moment
        row(u"uncached"_s, u"pending"_s);
        m_redis->ask({ "SET", name(u"orphan"_s).toUtf8(), "processing", "EX", "300" });
        pair(u"behind"_s, u"completed"_s, u"processing"_s); // and this one stays
        QProcess running;
        running.setProcessEnvironment(environment());
        running.start(
            QStringLiteral(IDEMDESKCTL), words(u"cache"_s, { u"--cache"_s, m_redis->url(), u"--settle"_s, u"5"_s }));
        QVERIFY(running.waitForStarted());
        // Its first look is over where it has asked for the entry that is not there.
        QTRY_VERIFY_WITH_TIMEOUT(QRegularExpression(u"name=idemdesk.* idle=[1-9]"_s)
                                     .match(QString::fromUtf8(m_redis->ask({ "CLIENT", "LIST" })))
                                     .hasMatch(),
            30'000);
        psql(u"UPDATE seed000.idempotency_keys SET status = 'completed' WHERE idempotency_key = 'late'"_s);
        row(u"orphan"_s, u"pending"_s);
        m_redis->ask({ "SET", name(u"uncached"_s).toUtf8(), "processing", "EX", "300" });
        QVERIFY(running.waitForFinished(60'000));
        m_run.out = running.readAllStandardOutput();
        QCOMPARE(found(), QStringList { u"behind behind"_s });
        QCOMPARE(m_run.json().value(u"settled"_s).toInt(), 3);
    }

    void hiddenRowsAreNotMissing()
    {
        pair(u"k1"_s, u"pending"_s, u"processing"_s);
        pair(u"behind"_s, u"completed"_s, u"processing"_s);
        psql(u"ALTER TABLE seed000.idempotency_keys ENABLE ROW LEVEL SECURITY; "
             "DROP POLICY IF EXISTS few ON seed000.idempotency_keys; "
             "CREATE POLICY few ON seed000.idempotency_keys USING (idempotency_key <> 'k1')"_s);
        QCOMPARE(cache(), kUnknown);
        QCOMPARE(found(), QStringList { u"behind behind"_s });
        QVERIFY(!m_run.json().value(u"notes"_s).toArray().isEmpty());
    }

    void namesThatAreNoKeysAreCounted()
    {
        pair(u"k1"_s, u"pending"_s, u"processing"_s);
        m_redis->run("SET \"idempotency:\\xff\\xfe:k\" processing\n");
        m_redis->ask({ "SET", ("idempotency:" + QByteArray(8'000, 'x') + ":k"), "processing" });
        QCOMPARE(cache(), kUnknown);
        QCOMPARE(found(), QStringList());
        QVERIFY2(
            m_run.json().value(u"notes"_s).toArray().at(0).toString().startsWith(u"2 names"), m_run.out.constData());
    }

    void aKeyTellsOfItsEntry()
    {
        pair(u"behind"_s, u"completed"_s, u"processing"_s);
        row(u"uncached"_s, u"completed"_s);
        QCOMPARE(show(u"behind"_s, m_redis->url()), kDone);
        hasItsShape(u"show"_s);
        QJsonValue entry = m_run.items().at(0)[u"cache"];
        QCOMPARE(entry[u"name"].toString(), name(u"behind"_s));
        QCOMPARE(entry[u"value"].toString(), u"processing"_s);
        QCOMPARE(entry[u"findings"], QJsonValue(QJsonArray { u"behind"_s }));
        QVERIFY(entry[u"ttl_ms"].toInt() > 200'000);
        QCOMPARE(show(u"uncached"_s, m_redis->url()), kDone);
        entry = m_run.items().at(0)[u"cache"];
        QCOMPARE(entry[u"present"], QJsonValue(false));
        QCOMPARE(entry[u"findings"], QJsonValue(QJsonArray()));
        // A cache that is not there takes nothing away from what the table says.
        QCOMPARE(show(u"behind"_s, u"unix:///nowhere"_s), kUnknown);
        hasItsShape(u"show"_s);
        QCOMPARE(m_run.items().at(0)[u"record"][u"state"].toString(), u"succeeded"_s);
        QVERIFY(!m_run.items().at(0)[u"cache"][u"error"][u"what"].toString().isEmpty());
        m_run = runProgram(QStringLiteral(IDEMDESKCTL), words(u"show"_s, { u"behind"_s }), { environment() });
        QCOMPARE(m_run.status, kDone);
        QCOMPARE(m_run.items().at(0)[u"cache"], QJsonValue());
        hasItsShape(u"show"_s);
    }

    void whoKnowsThePasswordGetsIn()
    {
        pair(u"k1"_s, u"pending"_s, u"processing"_s);
        m_redis->run("ACL SETUSER console on >s3cret ~idempotency:* +scan +get +pttl +type +strlen +exists +info\n");
        const QString url = m_redis->url() + u"?user=console"_s;
        const auto ask = [&](const QString &password) {
            QProcessEnvironment with = environment();
            with.insert(u"IDEMDESK_CACHE"_s, url);
            with.insert(u"IDEMDESK_CACHE_PASSWORD"_s, password);
            m_run = runProgram(QStringLiteral(IDEMDESKCTL), words(u"cache"_s, {}), { with });
            return m_run.status;
        };
        QCOMPARE(ask(u"s3cret"_s), kDone);
        QVERIFY(ask(u"n0thing"_s) != kDone);
        QVERIFY2(!m_run.said().contains("n0thing"), m_run.said().constData());
        m_redis->run("ACL DELUSER console\n");
        QCOMPARE(cache({ u"--cache"_s, u"redis://me:s3cret@localhost/0"_s }), kUsage);
        QVERIFY2(!m_run.said().contains("s3cret"), m_run.said().constData());
    }

    void wrongWordsAreRefused()
    {
        QCOMPARE(cache({ u"--cache"_s, u"http://localhost"_s }), kUsage);
        QCOMPARE(cache({ u"--cache"_s, QString() }), kUsage);
        QCOMPARE(cache({}, QJsonObject()), kUnknown); // the profile names no cache
        QVERIFY2(error().contains(u"names no cache"), m_run.said().constData());
        QCOMPARE(cache({}, { { u"key"_s, u"idempotency:{key}"_s } }), kUsage);
        QVERIFY2(m_run.said().contains("$.cache.key"), m_run.said().constData());
    }

    void aServerThatGoesIsToldInTime()
    {
        row(u"uncached"_s, u"pending"_s);
        QElapsedTimer timer;
        timer.start();
        m_redis->pause();
        const int paused = cache();
        m_redis->go();
        QVERIFY(paused != kDone && paused != kUsage);
        QVERIFY2(error().contains(u"did not answer in time"), m_run.said().constData());
        QVERIFY(timer.elapsed() < 30'000);

        QProcess running; // and one that is killed between the two looks
        running.setProcessEnvironment(environment());
        running.start(
            QStringLiteral(IDEMDESKCTL), words(u"cache"_s, { u"--cache"_s, m_redis->url(), u"--settle"_s, u"4"_s }));
        QVERIFY(running.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(m_redis->ask({ "CLIENT", "LIST" }).contains("name=idemdesk "), 30'000);
        m_redis->kill();
        QVERIFY(running.waitForFinished(60'000));
        m_run.out = running.readAllStandardOutput();
        QVERIFY(running.exitCode() != kDone);
        QVERIFY2(error().contains(u"lost"), m_run.out.constData());
        m_redis = std::make_unique<RedisFixture>();
    }

    /// An entry of a row without a scope is called as its service writes NULL. What nobody can tell is not called
    /// missing.
    void aRowWithoutScopeIsFoundOrNotJudged()
    {
        psql(
            u"CREATE TABLE public.loose (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, region text, shop int, key "
            "text NOT NULL, status text NOT NULL); INSERT INTO public.loose (region, shop, key, status) VALUES "
            "('eu', 1, 'whole', 'processing'), (NULL, 1, 'agrees', 'processing'), ('eu', NULL, 'behind', 'completed'), "
            "(NULL, NULL, 'both', 'completed'), (NULL, 1, 'word', 'completed'), ('us', 1, 'word', 'completed')"_s);
        for (const char *name : { "loose:eu:1:whole", "loose::1:agrees", "loose:eu:null:behind", "loose:None:nil:both",
                 "loose:default:1:word", "loose:default:1:orphan", "loose:us:1:word" }) {
            m_redis->ask({ "SET", name, "processing", "EX", "300" });
        }
        m_run = runProgram(QStringLiteral(IDEMDESKCTL),
            QStringList { u"cache"_s, u"--settle"_s, u"0"_s } + looseProfile(), { environment() });
        QCOMPARE(m_run.status, kUnknown);
        QCOMPARE(
            found(), (QStringList { u"behind behind"_s, u"behind both"_s, u"behind word"_s, u"without_row orphan"_s }));
        const QString notes = m_run.json().value(u"notes"_s).toVariant().toStringList().join(u' ');
        QVERIFY2(notes.contains(u"Whether 1 entry has a row is not known"_s), qPrintable(notes));
        QVERIFY2(!notes.contains(u"have no entry"_s), qPrintable(notes));
        m_run = runProgram(
            QStringLiteral(IDEMDESKCTL), QStringList { u"show"_s, u"agrees"_s } + looseProfile(), { environment() });
        QCOMPARE(m_run.status, kUnknown);
        QVERIFY2(m_run.said().contains("not known"), m_run.said().constData());
    }
};

QTEST_GUILESS_MAIN(CtlCacheTest)
#include "tst_ctl_cache.moc"
