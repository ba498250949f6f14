// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/catalogue.h"
#include "sql/profile/profile_json.h"
#include "sql/session/session.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/program_run.h"
#include "tests/support/test_cluster.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

constexpr int kOldest = 14;

struct Server {
    QString folder;
    int major = 0;
};

struct Run : ProgramRun {
    QByteArray all() const { return QByteArray::number(status) + ": " + out + err.toUtf8(); }
};

/// Those that IDEMDESK_PG_BINS names, else those installed; one that is named and not there has the version 0.
QList<Server> servers()
{
    QList<Server> found;
    const QStringList named
        = qEnvironmentVariable("IDEMDESK_PG_BINS").split(QRegularExpression(u"[:\\s]+"_s), Qt::SkipEmptyParts);
    for (const QString &folder : named) {
        found.append({ folder, TestCluster::majorVersion(folder) });
    }
    const QDir installed(u"/usr/lib/postgresql"_s);
    for (const QString &version :
        named.isEmpty() ? installed.entryList(QDir::Dirs | QDir::NoDotAndDotDot) : QStringList()) {
        const QString folder = installed.filePath(version) + u"/bin"_s;
        if (QFileInfo(folder + u"/initdb"_s).isExecutable()) {
            found.append({ folder, TestCluster::majorVersion(folder) });
        }
    }
    return found;
}

} // namespace

/// The console from its installation to an undone purge, as its administrators and operators do it, on each server.
/// Each test runs once for each of them.
class EndToEndTest final : public QObject
{
    Q_OBJECT

    /// A cluster of one server with its demo tables, its logins and the console, which manager installed, who is no
    /// superuser.
    struct Place {
        std::unique_ptr<TestCluster> cluster;
        QTemporaryDir home;
    };
    std::map<QString, std::unique_ptr<Place>> m_places;

    static int major()
    {
        QFETCH_GLOBAL(int, version);
        return version;
    }
    Place &place()
    {
        QFETCH_GLOBAL(QString, folder);
        auto &place = m_places[folder];
        if (place == nullptr) {
            qputenv("IDEMDESK_PG_BIN", folder.toUtf8());
            place = std::make_unique<Place>();
            place->cluster = std::make_unique<TestCluster>();
            fill(*place->cluster);
        }
        return *place;
    }

    /// The tables of all kinds, owned by manager, who may create roles and owns the database, as managed services have
    /// it.
    static void fill(TestCluster &cluster)
    {
        cluster.psql(u"postgres"_s,
            u"CREATE ROLE manager LOGIN CREATEROLE CREATEDB; CREATE DATABASE shop OWNER manager;"
            "CREATE ROLE op LOGIN; CREATE ROLE adm LOGIN"_s);
        const QString source = QStringLiteral(IDEMDESK_SOURCE_DIR) + u"/sql/demo/schema_00%1.sql"_s;
        for (const int seed : { 0, 1, 2, 3 }) {
            QFile file(source.arg(seed));
            if (!file.open(QIODevice::ReadOnly)) {
                qFatal("%s cannot be read", qPrintable(file.fileName()));
            }
            cluster.psql(u"shop"_s, u"SET ROLE manager;\n"_s + QString::fromUtf8(file.readAll()));
        }
        cluster.psql(u"shop"_s, uR"(SET ROLE manager;
            INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, attempt_count, locked_until, claimed_by,
                claimed_at, created_at, expires_at, response_body, result_ref_type, result_ref_id)
            SELECT 'create_order', 'key-' || lpad(i::text, 4, '0'), md5(i::text),
                (CASE WHEN i <= 40 THEN 'processing' WHEN i <= 340 THEN 'succeeded' ELSE 'failed_retryable' END)::app.idempotency_status, 1,
                CASE WHEN i <= 40 THEN now() - interval '10 minutes' END, 'worker-1', now() - interval '2 days', now() - interval '2 days',
                now() + CASE WHEN i BETWEEN 41 AND 240 THEN interval '-1 day' ELSE interval '1 day' END,
                CASE WHEN i > 40 THEN jsonb_build_object('total', i) END, NULL, NULL
              FROM generate_series(1, 400) AS i;
            -- A query that never finds anything proves nothing: one key that succeeded has its order.
            WITH made AS (INSERT INTO app.customer_order (customer_id, external_cart_id, total_amount)
                          VALUES (gen_random_uuid(), 'cart-1', 1) RETURNING order_id)
            INSERT INTO app.outbox_event (event_type, aggregate_type, aggregate_id, idempotency_scope, idempotency_key, payload, status, published_at)
            SELECT 'order_created', 'customer_order', order_id, 'create_order', 'key-0300', '{}', 'published', now() FROM made;
            GRANT USAGE ON SCHEMA app, seed000, seed002, seed003 TO op, adm;
            GRANT SELECT ON ALL TABLES IN SCHEMA app, seed000, seed002, seed003 TO op, adm)"_s);
    }

    Run ctl(const QStringList &arguments, const QString &login = u"op"_s)
    {
        Place &here = place();
        return { runProgram(QStringLiteral(IDEMDESKCTL),
            arguments + QStringList { u"--connect"_s, here.cluster->conninfoAs(login, u"shop"_s) },
            { privateEnvironment(here.home.path()), {}, {}, 120'000 }) };
    }
    QString value(const QString &sql) { return place().cluster->psql(u"shop"_s, sql); }
    QString count(const QString &where)
    {
        return value(u"SELECT count(*) FROM app.idempotency_request WHERE "_s + where);
    }
    QString picture()
    {
        return value(u"SELECT md5(string_agg(t::text, '|' ORDER BY idempotency_key)) FROM app.idempotency_request t"_s);
    }

private slots:
    void initTestCase_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("version");
        for (const Server &server : servers()) {
            if (server.major == 0 || server.major >= kOldest) { // older ones are for olderOnesAreRefusedByName()
                QTest::newRow(qPrintable(QString::number(server.major))) << server.folder << server.major;
            }
        }
    }
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        const QList<Server> found = servers();
        QVERIFY2(
            std::any_of(found.cbegin(), found.cend(), [](const Server &server) { return server.major >= kOldest; }),
            "No PostgreSQL server from 14 up was found.");
        for (const Server &server : found) {
            QVERIFY2(server.major > 0 && QFileInfo(server.folder + u"/initdb"_s).isExecutable(),
                qPrintable(u"There is no PostgreSQL server in "_s + server.folder));
        }
    }
    void cleanupTestCase() { m_places.clear(); }

    void theServerIsTheOneThatIsMeant()
    {
        QCOMPARE(value(u"SELECT current_setting('server_version_num')::int / 10000"_s), QString::number(major()));
    }

    void aManagerWhoIsNoSuperuserInstalls()
    {
        const Run none = ctl({ u"check"_s }, u"manager"_s);
        QCOMPARE(none.status, 5); // nothing was looked at
        const Run installed = ctl({ u"console"_s, u"install"_s }, u"manager"_s);
        QVERIFY2(installed.status == 0, installed.all().constData());
        place().cluster->psql(u"shop"_s, u"GRANT idemdesk_operator TO op; GRANT idemdesk_admin TO adm"_s);
        const Run status = ctl({ u"console"_s, u"status"_s, u"--json"_s });
        QVERIFY2(status.status == 0, status.all().constData());
        QVERIFY2(status.json().value(u"can_act"_s).toBool(), status.out.constData());
    }

    void everyShippedProfileFitsItsTable()
    {
        for (const sql::Profile &profile : sql::shippedProfiles()) {
            if (value(u"SELECT to_regclass('%1') IS NULL"_s.arg(profile.relation)) == u"t") {
                continue;
            }
            const Run run = ctl({ u"targets"_s, u"check"_s, profile.name, u"--json"_s }, u"manager"_s);
            QVERIFY2(run.json().contains(u"items"_s) && !run.out.contains("\"problem\""),
                (profile.name.toUtf8() + run.all()).constData());
        }
        const Run detected = ctl({ u"detect"_s, u"--schema"_s, u"app"_s, u"--json"_s });
        QVERIFY2(detected.status == 0 && detected.items().size() >= 3, detected.all().constData());
    }

    void targetsAreRegisteredAfterTheirGrants()
    {
        const Run missing = ctl({ u"targets"_s, u"add"_s, u"plpgsql-request"_s, u"--json"_s }, u"adm"_s);
        QVERIFY2(missing.status == 3, missing.all().constData());
        QString grants
            = u"SET ROLE manager; GRANT idemdesk_viewer TO manager;"_s; // who installed it makes the runner, too
        for (const QJsonValue &finding : missing.json().value(u"findings"_s).toArray()) {
            grants += finding[u"sql"_s].isString() ? finding[u"sql"_s].toString() + u";\n"_s : QString();
        }
        value(grants
            + u"GRANT SELECT ON app.customer_order, app.outbox_event TO idemdesk_runner_manager"_s); // what its
                                                                                                     // evidence reads
        const Run added = ctl({ u"targets"_s, u"add"_s, u"plpgsql-request"_s }, u"adm"_s);
        QVERIFY2(added.status == 0, added.all().constData());
    }

    void keysAreReadAndFound()
    {
        const Run stale
            = ctl({ u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s, u"state:stale"_s, u"--json"_s });
        QVERIFY2(stale.status == 0 && stale.items().size() == 40, stale.all().constData());
        const Run prefix
            = ctl({ u"keys"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s, u"key:key-03*"_s, u"--json"_s });
        QVERIFY2(prefix.status == 0 && prefix.items().size() == 100, prefix.all().constData());
        const Run shown = ctl({ u"show"_s, u"key-0041"_s, u"--target"_s, u"plpgsql-request"_s });
        QVERIFY2(shown.status == 0 && shown.out.contains("key-0041"), shown.all().constData());
        const Run scopes = ctl({ u"scopes"_s, u"--target"_s, u"plpgsql-request"_s, u"--json"_s });
        QVERIFY2(scopes.status == 0 && scopes.items().size() == 1, scopes.all().constData());
        const Run triage = ctl({ u"triage"_s, u"--target"_s, u"plpgsql-request"_s, u"--json"_s });
        QVERIFY2(triage.status == 0 && triage.items().size() == 40, triage.all().constData());
        const Run duplicates = ctl({ u"duplicates"_s, u"--target"_s, u"plpgsql-request"_s, u"--json"_s });
        QVERIFY2(duplicates.status == 0, duplicates.all().constData());
        const QString file = place().home.filePath(u"rows.csv"_s);
        const Run exported
            = ctl({ u"export"_s, u"--target"_s, u"plpgsql-request"_s, u"--format"_s, u"csv"_s, u"-o"_s, file });
        QVERIFY2(exported.status == 0, exported.all().constData());
        QFile rows(file);
        QVERIFY(rows.open(QIODevice::ReadOnly));
        QCOMPARE(rows.readAll().count("\r\n"), 401);
    }

    void recoversAndUndoes()
    {
        const QString before = picture();
        const Run done = ctl(
            { u"recover"_s, u"--target"_s, u"plpgsql-request"_s, u"--reason"_s, u"workers crashed"_s, u"--json"_s });
        QVERIFY2(done.status == 0, done.all().constData());
        QCOMPARE(count(u"status = 'processing'"_s), u"0"_s);
        const Run undone
            = ctl({ u"actions"_s, u"undo"_s, done.json().value(u"id"_s).toString(), u"--reason"_s, u"too early"_s });
        QVERIFY2(undone.status == 0, undone.all().constData());
        QCOMPARE(picture(), before);
    }

    void purgesAndUndoes()
    {
        const QString before = picture();
        const Run dry = ctl({ u"purge"_s, u"--target"_s, u"plpgsql-request"_s, u"--dry-run"_s, u"--json"_s });
        QVERIFY2(dry.status == 0 && dry.json().value(u"rows"_s).toInt() == 200, dry.all().constData());
        const Run done = ctl({ u"purge"_s, u"--target"_s, u"plpgsql-request"_s, u"--reason"_s, u"retention"_s,
            u"--no-pauses"_s, u"--json"_s });
        QVERIFY2(done.status == 0, done.all().constData());
        QCOMPARE(count(u"true"_s), u"200"_s);
        const Run undone
            = ctl({ u"actions"_s, u"undo"_s, done.json().value(u"id"_s).toString(), u"--reason"_s, u"wrong table"_s });
        QVERIFY2(undone.status == 0, undone.all().constData());
        QCOMPARE(picture(), before);
    }

    void theTrailIsWhole()
    {
        const Run listed = ctl({ u"audit"_s, u"--json"_s });
        QVERIFY2(listed.status == 0 && listed.items().size() >= 8, listed.all().constData());
        const Run verified = ctl({ u"audit"_s, u"verify"_s });
        QVERIFY2(verified.status == 0, verified.all().constData());
        // And a row that was changed by a superuser shows.
        value(
            u"ALTER TABLE idemdesk.audit DISABLE TRIGGER USER; UPDATE idemdesk.audit SET who = 'nobody' WHERE seq = 2"_s);
        const Run broken = ctl({ u"audit"_s, u"verify"_s });
        QVERIFY2(broken.status != 0, broken.all().constData());
    }

    void samplesTrendsAndMetrics()
    {
        const Run sampled = ctl({ u"sample"_s });
        QVERIFY2(sampled.status == 0, sampled.all().constData());
        const Run rows = ctl({ u"trends"_s, u"--target"_s, u"plpgsql-request"_s, u"--metric"_s, u"claims"_s,
            u"--since"_s, u"3d"_s, u"--json"_s });
        QVERIFY2(rows.status == 0, rows.all().constData());
        double claims = 0;
        for (const QJsonValue &point : rows.items().first()[u"points"_s].toArray()) {
            claims += point[u"value"_s].toDouble();
        }
        QCOMPARE(claims, 400.0);
        const Run samples = ctl({ u"trends"_s, u"--target"_s, u"plpgsql-request"_s, u"--metric"_s, u"stale"_s,
            u"--source"_s, u"samples"_s, u"--json"_s });
        QVERIFY2(samples.status == 0, samples.all().constData());
        const Run metrics = ctl({ u"metrics"_s });
        QVERIFY2(metrics.status == 0
                && metrics.out.contains(
                    "idempotency_stale_keys{target=\"plpgsql-request\",scope=\"create_order\"} 40\n"),
            metrics.all().constData());
    }

    void healthAndAlerts()
    {
        const Run check = ctl({ u"check"_s, u"--json"_s });
        QVERIFY2(check.status == 0 || check.status == 1, check.all().constData());
        QVERIFY2(
            check.items().size() >= 12 && !check.err.contains(u"could not be answered"_s), check.all().constData());
        const Run alerts = ctl({ u"check"_s, u"--alerts"_s, u"--json"_s });
        QVERIFY2(alerts.json().value(u"not_read"_s).toArray().isEmpty() && (alerts.status <= 1 || alerts.status == 5),
            alerts.all().constData());
        const Run activity = ctl({ u"activity"_s, u"--json"_s });
        QVERIFY2(activity.status == 0, activity.all().constData());
    }

    void complaintsAndCases()
    {
        const Run complaint = ctl({ u"complaint"_s, u"--key"_s, u"key-0041"_s, u"--json"_s });
        QVERIFY2(complaint.items().size() == 1 && complaint.status == 0, complaint.all().constData());
        const QString file = place().home.filePath(u"case.json"_s);
        const Run made = ctl({ u"case"_s, u"key-0041"_s, u"--target"_s, u"plpgsql-request"_s, u"-o"_s, file });
        QVERIFY2(made.status == 0 && QFile::exists(file), made.all().constData());
        const Run conflicts = ctl({ u"conflicts"_s, u"--json"_s });
        QVERIFY2(conflicts.status == 0, conflicts.all().constData());
    }

    /// Prefixes are searched as ranges only where texts order by code point; which collations do is said otherwise in
    /// each version.
    void collationsThatOrderByCodePointAreKnown()
    {
        TestCluster &cluster = *place().cluster;
        struct Case {
            QString name;
            QString options; ///< of the database
            QString collation; ///< of the column
            bool expected;
            int since;
        };
        const Case cases[] = {
            { u"libc"_s, u"LOCALE 'C.UTF-8'"_s, {}, true, 14 },
            { u"c"_s, u"LOCALE 'C'"_s, {}, true, 14 },
            { u"libc_c_column"_s, u"LOCALE 'C.UTF-8'"_s, u"COLLATE \"C\""_s, true, 14 },
            { u"libc_icu_column"_s, u"LOCALE 'C.UTF-8'"_s, u"COLLATE \"en-x-icu\""_s, false, 14 },
            { u"libc_ucs_column"_s, u"LOCALE 'C.UTF-8'"_s, u"COLLATE ucs_basic"_s, true, 14 },
            { u"icu"_s, u"LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'"_s, {}, false, 15 },
            { u"icu_c_column"_s, u"LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'"_s, u"COLLATE \"C\""_s, true,
                15 },
            { u"builtin"_s, u"LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"_s, {}, true, 17 },
            { u"builtin_c"_s, u"LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C' LOCALE 'C'"_s, {}, true, 17 },
            { u"builtin_column"_s, u"LOCALE 'C.UTF-8'"_s, u"COLLATE pg_c_utf8"_s, true, 17 },
            { u"builtin_unicode"_s, u"LOCALE_PROVIDER builtin BUILTIN_LOCALE 'PG_UNICODE_FAST' LOCALE 'C'"_s, {}, true,
                18 },
        };
        for (const Case &one : cases) {
            if (major() < one.since) {
                continue; // this server knows no such database
            }
            cluster.createDatabase(one.name, u"TEMPLATE template0 ENCODING 'UTF8' "_s + one.options);
            cluster.psql(one.name, u"CREATE TABLE public.k (key text %1 PRIMARY KEY)"_s.arg(one.collation));
            sql::ConnectionSettings settings;
            settings.conninfo = cluster.conninfo(one.name);
            const auto session = sql::Session::open(settings, {});
            QVERIFY2(session.ok(), session.ok() ? "" : qPrintable(session.error().line()));
            const auto relation = sql::readRelation(**session, u"public.k"_s);
            QVERIFY2(relation.ok(), relation.ok() ? "" : qPrintable(relation.error().line() + relation.error().detail));
            QVERIFY2(relation->column(u"key"_s)->codePointOrder == one.expected, qPrintable(one.name));
        }
    }

    void olderAndNewerOnesAreToldApart()
    {
        // The server's own words on its way to the console, with another number in them.
        const QString number = value(u"SHOW server_version_num"_s);
        FaultProxy proxy(place().cluster->cluster().folder());
        sql::ConnectionSettings settings;
        settings.conninfo = proxy.conninfo(u"op"_s, u"shop"_s);
        proxy.replace(number.toLatin1(), "130023");
        const auto old = sql::Session::open(settings, {});
        QVERIFY(!old.ok());
        QCOMPARE(old.error().kind, sql::ErrorKind::Refused);
        QVERIFY2(old.error().line().contains(u"PostgreSQL 14 or later"_s), qPrintable(old.error().line()));
        proxy.replace(number.toLatin1(), "190001");
        const auto newer = sql::Session::open(settings, {});
        QVERIFY2(newer.ok(), newer.ok() ? "" : qPrintable(newer.error().line()));
        QVERIFY2((*newer)->facts().warnings.join(u' ').contains(u"PostgreSQL 19"_s),
            qPrintable((*newer)->facts().warnings.join(u' ')));
        proxy.replace({}, {});
        const auto plain = sql::Session::open(settings, {});
        QVERIFY(plain.ok() && (*plain)->facts().warnings.isEmpty());
    }

    /// Where the list names one before 14, it is met for real.
    void olderOnesAreRefusedByName()
    {
        for (const Server &server : servers()) {
            if (server.major >= kOldest) {
                continue;
            }
            qputenv("IDEMDESK_PG_BIN", server.folder.toUtf8());
            TestCluster cluster;
            sql::ConnectionSettings settings;
            settings.conninfo = cluster.conninfo();
            const auto opened = sql::Session::open(settings, {});
            QVERIFY(!opened.ok());
            QVERIFY2(
                opened.error().what.contains(u"PostgreSQL %1."_s.arg(server.major)), qPrintable(opened.error().line()));
            QVERIFY2(opened.error().todo.contains(u"upgraded"_s), qPrintable(opened.error().line()));
        }
    }
};

QTEST_GUILESS_MAIN(EndToEndTest)
#include "tst_end_to_end.moc"
