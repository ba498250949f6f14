// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/health/health_report.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace idemdesk::sql;
using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

namespace {

const QByteArray kProfile = R"json({
  "idemdesk_profile": 1, "name": "k", "title": "Keys", "kind": "request", "relation": "app.k",
  "identity": ["tenant", "key"], "scope": [{"label": "tenant", "sql": "t.tenant"}], "key": "t.key",
  "roles": {"fingerprint": "t.hash", "status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until", "created_at": "t.created_at",
            "completed_at": "t.completed_at", "expires_at": "t.expires_at", "error_code": "t.code"},
  "states": {"processing": "in_progress", "succeeded": "succeeded", "failed": "failed_retryable", "dead": "failed_final"},
  "stale": [{"states": ["in_progress"], "by": "t.locked_until", "after": "0s"}],
  "guard": ["status"],
  "purge": {"by": "t.expires_at", "after": "0s", "states": ["succeeded", "failed_final"]},
  "effects": [{"type": "order", "proves": true, "sql": "SELECT o.id::text AS id, o.made AS at, 'x' AS state FROM app.orders o WHERE o.tenant = t.tenant AND o.key = t.key"}],
  "policies": [{"match": {"tenant": "b"}, "effect": "external"},
               {"match": {}, "effect": "local", "windows": {"client_retry": "24h", "redelivery": "2d"}}]
})json";

const QString kTable = QStringLiteral(R"sql(
DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app;
CREATE TABLE app.k (tenant text NOT NULL, key text NOT NULL, hash text NOT NULL, status text NOT NULL, attempts int NOT NULL DEFAULT 1, locked_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(), completed_at timestamptz, expires_at timestamptz, code text, PRIMARY KEY (tenant, key));
CREATE INDEX k_stale ON app.k (status, locked_until);
CREATE INDEX k_expiry ON app.k (expires_at);
CREATE INDEX k_key ON app.k (key);
CREATE INDEX k_newest ON app.k (created_at);
CREATE TABLE app.orders (id int PRIMARY KEY, tenant text NOT NULL, key text NOT NULL, made timestamptz DEFAULT now());
CREATE UNIQUE INDEX orders_once ON app.orders (tenant, key);
INSERT INTO app.k SELECT 'a', 'k' || g, 'h', CASE g % 3 WHEN 0 THEN 'succeeded' WHEN 1 THEN 'processing' ELSE 'dead' END, 1, now(),
    now() - interval '1 hour', CASE WHEN g % 3 <> 1 THEN now() END, now() + interval '3 days', CASE WHEN g % 3 = 2 THEN '23514' END FROM generate_series(1, 60) g;
INSERT INTO app.orders SELECT g, 'a', 'k' || g FROM generate_series(3, 60, 3) g;
)sql");

} // namespace

/// One table that answers every question well, and each question with a table that does not.
class HealthTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;
    QHash<QString, QString> m_goodTitles; ///< by finding, of a table without a defect

    Result<HealthReport> report(const QByteArray &changes, const QString &user = {})
    {
        QJsonObject json = QJsonDocument::fromJson(kProfile).object();
        const QJsonObject over = QJsonDocument::fromJson(changes).object();
        for (auto it = over.begin(); it != over.end(); ++it) {
            json.insert(it.key(), it.value());
        }
        const auto profile = profileFromJson(QJsonDocument(json).toJson(), u"test"_s);
        if (!profile) {
            return profile.error();
        }
        ConnectionSettings settings;
        settings.conninfo = user.isEmpty() ? m_cluster->conninfo(u"shop"_s) : m_cluster->conninfoAs(user, u"shop"_s);
        auto session = Session::open(settings, {});
        if (!session) {
            return session.error();
        }
        m_session = std::move(*session);
        const auto target = bindTarget(*m_session, *profile);
        return target ? readHealth(*m_session, *target) : Result<HealthReport>(target.error());
    }

    static const HealthFinding *worst(const HealthReport &report, const QString &id)
    {
        for (const HealthFinding &finding : report.findings) { // worst first
            if (finding.id == id) {
                return &finding;
            }
        }
        return nullptr;
    }

    static inline const QString kLoseCounters = u"as a crash does"_s;
    /// Rows that the counters know of after they were emptied. A session that is still ending may tell its own only
    /// now.
    QString liveAfterReset()
    {
        m_cluster->psql(u"shop"_s, u"SELECT pg_stat_reset_single_table_counters('app.k'::regclass)"_s);
        return m_cluster->psql(
            u"shop"_s, u"SELECT n_live_tup FROM pg_stat_all_tables WHERE relid = 'app.k'::regclass"_s);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>(QStringList { u"autovacuum = on"_s });
        m_cluster->createDatabase(u"shop"_s);
        m_cluster->psql(u"shop"_s, u"CREATE ROLE reader LOGIN"_s);
    }
    void init() { m_cluster->psql(u"shop"_s, kTable); }
    void cleanup() { m_session.reset(); }

    void wellBuiltTableHasNoProblem()
    {
        const auto answer = report("{}");
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        for (const HealthFinding &finding : answer->findings) {
            QVERIFY2(finding.level == HealthLevel::Good, qPrintable(finding.id + u": "_s + finding.seen));
            QVERIFY2(finding.sql.isEmpty() && finding.why.isEmpty(), qPrintable(finding.id));
        }
        for (const char *id : { "unique_key", "fingerprint", "business_unique", "effects", "atomic", "retryable_final",
                 "states", "stale_rule", "purge_rule", "retention", "index_stale", "index_expiry", "index_key",
                 "index_order", "index_use", "vacuum", "crash", "metrics" }) {
            QVERIFY2(worst(*answer, QString::fromLatin1(id)) != nullptr, id);
            m_goodTitles.insert(QString::fromLatin1(id), worst(*answer, QString::fromLatin1(id))->title);
        }
    }

    void findsWhatIsWrong_data()
    {
        QTest::addColumn<QString>("break_"); // SQL that makes it wrong
        QTest::addColumn<QByteArray>("profile");
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("level");
        QTest::addColumn<QString>("seen"); // part of what the report says
        QTest::addColumn<QString>("mend"); // part of the SQL
        const int problem = int(HealthLevel::Problem);
        const int advice = int(HealthLevel::Advice);
        const int unknown = int(HealthLevel::Unknown);
        const QByteArray same = "{}";
        QTest::newRow("no unique index") << "ALTER TABLE app.k DROP CONSTRAINT k_pkey" << same << "unique_key"
                                         << problem << "No valid unique index"
                                         << R"(CREATE UNIQUE INDEX CONCURRENTLY ON "app"."k" ("tenant", "key"))";
        QTest::newRow("unique only where a condition holds")
            << "ALTER TABLE app.k DROP CONSTRAINT k_pkey; CREATE UNIQUE INDEX ON app.k (tenant, key) WHERE status = "
               "'processing'"
            << same << "unique_key" << problem << "No valid unique index"
            << "UNIQUE";
        QTest::newRow("unique over more than the key")
            << "ALTER TABLE app.k DROP CONSTRAINT k_pkey; ALTER TABLE app.k ADD PRIMARY KEY (tenant, key, created_at)"
            << QByteArray(R"({"identity": ["tenant", "key", "created_at"]})") << "unique_key" << advice << "created_at"
            << "";
        QTest::newRow("unique over the key alone")
            << "ALTER TABLE app.k DROP CONSTRAINT k_pkey; ALTER TABLE app.k ADD PRIMARY KEY (key)"
            << QByteArray(R"({"identity": ["key"]})") << "unique_key" << advice << "key alone"
            << "";
        const QString loose
            = u"ALTER TABLE app.k DROP CONSTRAINT k_pkey; ALTER TABLE app.k ALTER tenant DROP NOT NULL; "_s;
        QTest::newRow("two winners where the scope is NULL") << loose
                + u"CREATE UNIQUE INDEX ON app.k (tenant, key); "
                  "INSERT INTO app.k (key, hash, status) VALUES ('x', 'h', 'dead'), ('x', 'h', 'dead')"_s
                                                             << same << "unique_key" << problem << "tenant may be NULL"
                                                             << R"("tenant" SET NOT NULL)";
        QTest::newRow("refused at COMMIT only") << "ALTER TABLE app.k DROP CONSTRAINT k_pkey; ALTER TABLE app.k ADD "
                                                   "UNIQUE (tenant, key) DEFERRABLE INITIALLY DEFERRED"
                                                << same << "unique_key" << problem << "deferrable"
                                                << "CREATE UNIQUE INDEX";
        QTest::newRow("fingerprint sometimes missing")
            << "ALTER TABLE app.k ALTER hash DROP NOT NULL; UPDATE app.k SET hash = NULL WHERE key = 'k7'" << same
            << "fingerprint" << advice << "1 have none"
            << "";
        QTest::newRow("no fingerprint at all")
            << "" << QByteArray(R"({"roles": {"status": "t.status", "created_at": "t.created_at"}})") << "fingerprint"
            << problem << "No column with a hash of the request"
            << "ADD COLUMN request_hash";
        QTest::newRow("an effect may happen twice")
            << "DROP INDEX app.orders_once" << same << "business_unique" << advice << "\"app\".\"orders\""
            << "CREATE UNIQUE INDEX";
        QTest::newRow("a unique index that takes NULL") << "ALTER TABLE app.orders ALTER key DROP NOT NULL" << same
                                                        << "business_unique" << advice << "NOT NULL unique index"
                                                        << "CREATE UNIQUE INDEX";
        QTest::newRow("no effect declared")
            << "" << QByteArray(R"({"effects": []})") << "effects" << advice << "names no effect"
            << "";
        QTest::newRow("marker without effect")
            << "DELETE FROM app.orders WHERE key = 'k3'" << same << "atomic" << problem << "1 have no"
            << "";
        QTest::newRow("effect without marker") << "INSERT INTO app.orders VALUES (1000, 'a', 'k1')" << same << "atomic"
                                               << problem << "not marked succeeded"
                                               << "";
        QTest::newRow("deadlocks stored as final") << "UPDATE app.k SET code = '40P01' WHERE key IN ('k2', 'k5')"
                                                   << same << "retryable_final" << problem << "2 "
                                                   << "";
        QTest::newRow("a status nobody mapped")
            << "UPDATE app.k SET status = 'paused' WHERE key = 'k9'" << same << "states" << problem << "paused"
            << "";
        QTest::newRow("no stale rule") << "" << QByteArray(R"({"stale": null})") << "stale_rule" << problem << "no rule"
                                       << "";
        QTest::newRow("stale by age alone")
            << ""
            << QByteArray(
                   R"({"roles": {"fingerprint": "t.hash", "status": "t.status", "created_at": "t.created_at"}, "stale": [{"states": ["in_progress"], "by": "t.created_at", "after": "5m"}]})")
            << "stale_rule" << advice << "key's age"
            << "locked_until";
        QTest::newRow("a purge takes open work")
            << ""
            << QByteArray(R"({"purge": {"by": "t.expires_at", "after": "0s", "states": ["succeeded", "in_progress"]}})")
            << "purge_rule" << problem << "In progress"
            << "";
        QTest::newRow("a purge takes failures that may be retried")
            << ""
            << QByteArray(
                   R"({"purge": {"by": "t.expires_at", "after": "0s", "states": ["succeeded", "failed_retryable"]}})")
            << "purge_rule" << advice << "Failed, retryable"
            << "";
        QTest::newRow("kept shorter than a redelivery")
            << "UPDATE app.k SET expires_at = created_at + interval '25 hours'" << same << "retention" << problem
            << "redelivery"
            << "";
        QTest::newRow("no index for stale")
            << "DROP INDEX app.k_stale" << same << "index_stale" << advice << "locked_until"
            << R"(CREATE INDEX CONCURRENTLY ON "app"."k" ("locked_until") WHERE "status" IN ('processing'))";
        QTest::newRow("no index for expiry")
            << "DROP INDEX app.k_expiry" << same << "index_expiry" << advice << "expires_at"
            << R"(("expires_at");)";
        QTest::newRow("no index for a key alone") << "DROP INDEX app.k_key" << same << "index_key" << advice << "key"
                                                  << R"(("key");)";
        QTest::newRow("no index for newest first")
            << "DROP INDEX app.k_newest" << same << "index_order" << advice << "created_at"
            << R"(("created_at");)";
        QTest::newRow("a missing index on a large table") << "DROP INDEX app.k_expiry; UPDATE pg_class SET reltuples = "
                                                             "200000, relpages = 5000 WHERE oid = 'app.k'::regclass"
                                                          << same << "index_expiry" << problem << "expires_at"
                                                          << "CREATE INDEX";
        QTest::newRow("an index left invalid")
            << "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'app.k_key'::regclass" << same << "index_use"
            << problem << "k_key"
            << "REINDEX INDEX CONCURRENTLY \"app\".\"k_key\"";
        QTest::newRow("an index frozen in time")
            << "CREATE INDEX k_frozen ON app.k (key) WHERE expires_at > '2026-01-01 00:00+00'" << same << "index_use"
            << advice << "k_frozen"
            << "";
        QTest::newRow("autovacuum off") << "ALTER TABLE app.k SET (autovacuum_enabled = off)" << same << "vacuum"
                                        << problem << "off for this table"
                                        << "RESET (autovacuum_enabled)";
        QTest::newRow("counters lost in a crash") << kLoseCounters << same << "vacuum" << unknown << "is not known"
                                                  << "ANALYZE";
        QTest::newRow("unlogged") << "ALTER TABLE app.k SET UNLOGGED" << same << "crash" << problem << "unlogged"
                                  << "SET LOGGED";
        QTest::newRow("a view") << "CREATE VIEW app.v AS SELECT * FROM app.k" << QByteArray(R"({"relation": "app.v"})")
                                << "unique_key" << unknown << "view"
                                << "";
    }
    void findsWhatIsWrong()
    {
        QFETCH(QString, break_);
        QFETCH(QByteArray, profile);
        QFETCH(QString, id);
        QFETCH(int, level);
        QFETCH(QString, seen);
        QFETCH(QString, mend);
        if (break_ == kLoseCounters) {
            m_cluster->psql(u"shop"_s, u"ANALYZE app.k"_s);
            QTRY_COMPARE_WITH_TIMEOUT(liveAfterReset(), u"0"_s, 20'000);
            m_cluster->psql(u"shop"_s, u"UPDATE app.k SET code = code"_s); // counted anew, yet not all there is
        } else if (!break_.isEmpty()) {
            m_cluster->psql(u"shop"_s, break_);
        }
        const auto answer = report(profile);
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        const HealthFinding *finding = worst(*answer, id);
        QVERIFY(finding != nullptr);
        QVERIFY2(int(finding->level) == level, qPrintable(finding->seen));
        QVERIFY2(finding->seen.contains(seen), qPrintable(finding->seen));
        QVERIFY2(!finding->why.isEmpty(), qPrintable(finding->seen));
        QVERIFY2(finding->sql.contains(mend), qPrintable(finding->sql));
        QVERIFY(answer->findings.first().level <= finding->level);
        // The title of what is bad says the defect, not what would be good.
        QVERIFY2(finding->level == HealthLevel::Unknown || finding->title != m_goodTitles.value(id),
            qPrintable(finding->title));
    }

    void nullsThatAreAlikeLeaveOneWinner()
    {
        if (TestCluster::majorVersion() < 15) {
            return; // there is no such index
        }
        m_cluster->psql(u"shop"_s,
            u"ALTER TABLE app.k DROP CONSTRAINT k_pkey; ALTER TABLE app.k ALTER tenant DROP NOT NULL; "
            "CREATE UNIQUE INDEX ON app.k (tenant, key) NULLS NOT DISTINCT"_s);
        const auto answer = report("{}");
        QVERIFY(answer.ok());
        QVERIFY2(worst(*answer, u"unique_key"_s)->level == HealthLevel::Good,
            qPrintable(worst(*answer, u"unique_key"_s)->seen));
    }

    /// A table without rows has nothing that could be good, and one that shows none is not known.
    void nothingToLookAtIsNotGood_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<int>("level");
        QTest::addColumn<QStringList>("of");
        const QStringList all { u"fingerprint"_s, u"atomic"_s, u"retryable_final"_s, u"states"_s };
        const QString rights
            = u"GRANT USAGE ON SCHEMA app TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA app TO reader; "_s;
        QTest::newRow("no row") << rights + u"DELETE FROM app.k"_s << int(HealthLevel::Nothing) << all;
        QTest::newRow("none that failed for good") << rights + u"DELETE FROM app.k WHERE status = 'dead'"_s
                                                   << int(HealthLevel::Nothing) << QStringList { u"retryable_final"_s };
        QTest::newRow("all hidden") << rights + u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY"_s
                                    << int(HealthLevel::Unknown) << all;
        QTest::newRow("some hidden") << rights
                + u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON app.k USING (key <> 'k7')"_s
                                     << int(HealthLevel::Unknown) << all;
        QTest::newRow("hidden below a view") << rights
                + u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE VIEW app.w AS SELECT * FROM app.k; "
                  "ALTER VIEW app.w OWNER TO reader; ALTER TABLE app.k RENAME TO below; ALTER VIEW app.w RENAME TO k"_s
                                             << int(HealthLevel::Unknown) << all;
        QTest::newRow("a policy that shows every row")
            << rights + u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON app.k USING (true)"_s
            << int(HealthLevel::Good) << QStringList { u"fingerprint"_s, u"retryable_final"_s, u"states"_s };
        // What proves or disproves is read with row security off, where the server refuses whatever the policy says.
        QTest::newRow("evidence under such a policy")
            << rights + u"ALTER TABLE app.k ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON app.k USING (true)"_s
            << int(HealthLevel::Unknown) << QStringList { u"atomic"_s };
    }
    void nothingToLookAtIsNotGood()
    {
        QFETCH(QString, change);
        QFETCH(int, level);
        QFETCH(QStringList, of);
        m_cluster->psql(u"shop"_s, u"ALTER TABLE app.k ALTER hash DROP NOT NULL; "_s + change);
        const auto answer = report("{}", u"reader"_s);
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        for (const QString &id : std::as_const(of)) {
            const HealthFinding *finding = worst(*answer, id);
            QVERIFY2(finding != nullptr && int(finding->level) == level,
                qPrintable(id + u": "_s + (finding != nullptr ? finding->seen : QString())));
            QCOMPARE(finding->notRead, level == int(HealthLevel::Unknown));
        }
    }

    /// What the report says would mend it does: run as it stands, the finding is gone.
    void itsSqlMends_data()
    {
        QTest::addColumn<QString>("break_");
        QTest::addColumn<QString>("id");
        QTest::newRow("unique index") << "ALTER TABLE app.k DROP CONSTRAINT k_pkey"
                                      << "unique_key";
        QTest::newRow("a nullable scope") << "ALTER TABLE app.k DROP CONSTRAINT k_pkey; ALTER TABLE app.k ALTER tenant "
                                             "DROP NOT NULL; CREATE UNIQUE INDEX ON app.k (tenant, key)"
                                          << "unique_key";
        QTest::newRow("a deferrable constraint")
            << "ALTER TABLE app.k DROP CONSTRAINT k_pkey; ALTER TABLE app.k ADD UNIQUE (tenant, key) DEFERRABLE"
            << "unique_key";
        QTest::newRow("stale") << "DROP INDEX app.k_stale"
                               << "index_stale";
        QTest::newRow("expiry") << "DROP INDEX app.k_expiry"
                                << "index_expiry";
        QTest::newRow("invalid index")
            << "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'app.k_key'::regclass"
            << "index_use";
        QTest::newRow("autovacuum") << "ALTER TABLE app.k SET (autovacuum_enabled = off)"
                                    << "vacuum";
        QTest::newRow("unlogged") << "ALTER TABLE app.k SET UNLOGGED"
                                  << "crash";
    }
    void itsSqlMends()
    {
        QFETCH(QString, break_);
        QFETCH(QString, id);
        m_cluster->psql(u"shop"_s, break_);
        const auto before = report("{}");
        QVERIFY(before.ok());
        const HealthFinding *finding = worst(*before, id);
        QVERIFY(finding != nullptr && finding->level != HealthLevel::Good);
        m_cluster->psql(u"shop"_s, finding->sql);
        const auto after = report("{}");
        QVERIFY(after.ok());
        const HealthFinding *mended = worst(*after, id);
        QVERIFY(mended != nullptr);
        QVERIFY2(mended->level == HealthLevel::Good, qPrintable(mended->seen));
    }

    void partitionOfTomorrow_data()
    {
        QTest::addColumn<QString>("parts");
        QTest::addColumn<int>("level");
        QTest::newRow("there")
            << "CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES FROM (current_date - 5) TO (current_date + 3)"
            << int(HealthLevel::Good);
        QTest::newRow("missing")
            << "CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES FROM (current_date - 5) TO (current_date + 1)"
            << int(HealthLevel::Problem);
        QTest::newRow("none at all") << "" << int(HealthLevel::Problem);
        QTest::newRow("a default takes it")
            << "CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES FROM (current_date - 5) TO (current_date + 1); "
               "CREATE TABLE app.p0 PARTITION OF app.p DEFAULT"
            << int(HealthLevel::Advice);
        QTest::newRow("open at its end")
            << "CREATE TABLE app.p1 PARTITION OF app.p FOR VALUES FROM (current_date - 5) TO (MAXVALUE)"
            << int(HealthLevel::Good);
    }
    void partitionOfTomorrow()
    {
        QFETCH(QString, parts);
        QFETCH(int, level);
        m_cluster->psql(u"shop"_s,
            u"CREATE TABLE app.p (tenant text NOT NULL, key text NOT NULL, status text, hash text, day date NOT NULL, PRIMARY KEY (tenant, key, day)) PARTITION BY RANGE (day);"_s
                + parts);
        const QByteArray profile
            = R"({"relation": "app.p", "identity": ["tenant", "key", "day"], "roles": {"status": "t.status", "fingerprint": "t.hash"}, "stale": null, "effects": [],
            "purge": {"when": "t.day < current_date - 30", "states": ["succeeded"]}, "guard": ["status"]})";
        const auto answer = report(profile);
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        const HealthFinding *finding = worst(*answer, u"partitions"_s);
        QVERIFY(finding != nullptr);
        QVERIFY2(int(finding->level) == level, qPrintable(finding->seen));
        if (level == int(HealthLevel::Problem)) {
            m_cluster->psql(u"shop"_s, finding->sql);
            const auto after = report(profile);
            QVERIFY(after.ok());
            QCOMPARE(worst(*after, u"partitions"_s)->level, HealthLevel::Good);
        }
    }

    void whatMayNotBeReadIsNotKnown()
    {
        m_cluster->psql(u"shop"_s, u"GRANT USAGE ON SCHEMA app TO reader; GRANT SELECT ON app.k TO reader"_s);
        const auto answer = report("{}", u"reader"_s);
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line()));
        for (const char *id : { "business_unique", "atomic" }) {
            const HealthFinding *finding = worst(*answer, QString::fromLatin1(id));
            QVERIFY2(finding != nullptr && finding->level == HealthLevel::Unknown, id);
        }
        QCOMPARE(worst(*answer, u"unique_key"_s)->level, HealthLevel::Good);
    }

    void emptyTable()
    {
        m_cluster->psql(u"shop"_s, u"TRUNCATE app.k"_s);
        const auto answer = report("{}");
        QVERIFY(answer.ok());
        QCOMPARE(worst(*answer, u"retention"_s)->level, HealthLevel::Unknown);
        QCOMPARE(answer->count(HealthLevel::Problem), 0);
    }

    void shippedProfiles_data()
    {
        QTest::addColumn<QString>("schema");
        QTest::addColumn<QString>("profile");
        QTest::newRow("request") << "001"
                                 << "plpgsql-request";
        QTest::newRow("message") << "001"
                                 << "plpgsql-message";
        QTest::newRow("outbox") << "001"
                                << "plpgsql-outbox";
    }
    void shippedProfiles()
    {
        QFETCH(QString, schema);
        QFETCH(QString, profile);
        m_cluster->psqlFile(u"shop"_s, u"sql/demo/schema_%1.sql"_s.arg(schema));
        ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo(u"shop"_s);
        auto session = Session::open(settings, {});
        QVERIFY(session.ok());
        const auto target = bindTarget(**session, shippedProfile(profile).value_or(Profile()));
        QVERIFY(target.ok());
        const auto answer = readHealth(**session, *target);
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
        for (const HealthFinding &finding : answer->findings) {
            QVERIFY2(finding.level != HealthLevel::Unknown || finding.id == u"retention",
                qPrintable(finding.id + u": "_s + finding.seen));
        }
    }
};

QTEST_GUILESS_MAIN(HealthTest)
#include "tst_health.moc"
