// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_driver.h"
#include "sql/session/session.h"
#include "tests/support/pgbouncer_fixture.h"
#include "tests/support/test_cluster.h"

#include <QSqlDatabase>
#include <QTest>

using namespace idemdesk::sql;
using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

class SessionTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;

    std::unique_ptr<Session> open(const QString &conninfo, Session::Options options = {})
    {
        ConnectionSettings settings;
        settings.conninfo = conninfo;
        auto opened = Session::open(settings, options);
        if (!opened) {
            qCritical("%s", qPrintable(opened.error().line() + opened.error().detail));
            return nullptr;
        }
        return std::move(*opened);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>();
        m_cluster->psql(u"postgres"_s,
            u"CREATE ROLE reader LOGIN; CREATE TABLE public.t (id int PRIMARY KEY, note text); "
            "INSERT INTO public.t SELECT i, 'row ' || i FROM generate_series(1, 1000) AS i; "
            "CREATE TABLE public.secret (id int); GRANT SELECT ON public.t TO reader; "
            "ALTER DATABASE postgres SET default_transaction_isolation = 'repeatable read'; "
            "ALTER DATABASE postgres SET search_path = public; "
            "ALTER DATABASE postgres SET DateStyle = 'German'; ALTER DATABASE postgres SET TimeZone = 'Asia/Kolkata'"_s);
    }
    void cleanupTestCase() { m_cluster.reset(); }

    /// What one table's code left behind does not reach another's; the session's own settings stay.
    void settingsEndWithTheirTarget()
    {
        Session::Options options;
        options.readOnly = false;
        const auto opened = open(m_cluster->conninfo(), options);
        QVERIFY(opened);
        Session &session = *opened;
        const auto told = [&session](const QString &name) {
            const auto row = session.one({ u"SELECT pg_catalog.current_setting('%1', true)"_s.arg(name), {} });
            return row.ok() ? row->constFirst().text : row.error().line();
        };
        QVERIFY(session.actFor(u"one"_s).ok());
        QVERIFY(session.run({ u"SELECT pg_catalog.set_config('app.user', 'carol', false)"_s, {} }).ok());
        QVERIFY(session.run({ u"LISTEN heard"_s, {} }).ok());
        QVERIFY(session.actFor(u"one"_s).ok());
        QCOMPARE(told(u"app.user"_s), u"carol"_s);
        QVERIFY(session.actFor(u"other"_s).ok());
        QCOMPARE(told(u"app.user"_s), QString());
        QCOMPARE(told(u"statement_timeout"_s), u"15s"_s);
        QCOMPARE(told(u"search_path"_s), u"pg_catalog, pg_temp"_s);
        const auto heard = session.all({ u"SELECT pg_catalog.pg_listening_channels()"_s, {} });
        QVERIFY(heard.ok() && heard->isEmpty());
    }

    void settingsHold_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("expected");
        QTest::newRow("catalogue only") << u"search_path"_s << u"pg_catalog, pg_temp"_s;
        QTest::newRow("read only") << u"transaction_read_only"_s << u"on"_s;
        QTest::newRow("read committed, whatever the database says")
            << u"transaction_isolation"_s << u"read committed"_s;
        QTest::newRow("lock timeout") << u"lock_timeout"_s << u"500ms"_s;
        QTest::newRow("statement timeout") << u"statement_timeout"_s << u"15s"_s;
        QTest::newRow("idle in transaction") << u"idle_in_transaction_session_timeout"_s << u"10s"_s;
        QTest::newRow("application name") << u"application_name"_s << u"idemdesk"_s;
        QTest::newRow("time zone") << u"TimeZone"_s << u"UTC"_s;
        QTest::newRow("date style") << u"DateStyle"_s << u"ISO, YMD"_s;
    }
    void settingsHold()
    {
        QFETCH(QString, setting);
        QFETCH(QString, expected);
        const auto session = open(m_cluster->conninfo());
        QVERIFY(session);
        Statement ask { u"SELECT pg_catalog.current_setting($1)"_s, {} };
        ask.bind(setting);
        const auto outside = session->one(ask);
        QVERIFY(outside.ok());
        QCOMPARE(outside->first().text, expected);
        QVERIFY(session->begin().ok());
        const auto inside = session->one(ask);
        QVERIFY(inside.ok());
        QCOMPARE(inside->first().text, expected);
        QVERIFY(session->commit().ok());
    }

    void factsTellTheServer()
    {
        const auto session = open(m_cluster->conninfo());
        QVERIFY(session);
        const ServerFacts &facts = session->facts();
        QCOMPARE(facts.database, u"postgres"_s);
        QVERIFY(facts.versionNumber >= 140000);
        QCOMPARE(facts.encoding, u"UTF8"_s);
        QCOMPARE(facts.timeZone, u"Asia/Kolkata"_s);
        QVERIFY(facts.unixSocket);
        QVERIFY(facts.tls.isEmpty());
        QVERIFY(facts.superuser);
        QVERIFY(!facts.pooled);
        QVERIFY(!facts.standby);
        QVERIFY(qAbs(facts.clockSkewMicros) < 5'000'000);
    }

    void writeIsRefusedWhereReadOnly()
    {
        const auto session = open(m_cluster->conninfo());
        QVERIFY(session);
        const auto written = session->run({ u"INSERT INTO public.t VALUES (5000, 'no')"_s, {} });
        QVERIFY(!written.ok());
        QCOMPARE(written.error().kind, ErrorKind::ReadOnly);
        QCOMPARE(written.error().sqlState, u"25006"_s);
        QCOMPARE(m_cluster->psql(u"postgres"_s, u"SELECT count(*) FROM public.t WHERE id = 5000"_s), u"0"_s);
    }

    void writeLaneWrites()
    {
        Session::Options options;
        options.readOnly = false;
        const auto session = open(m_cluster->conninfo(), options);
        QVERIFY(session);
        QVERIFY(session->begin().ok());
        const auto written = session->run({ u"INSERT INTO public.t VALUES (6000, 'yes')"_s, {} });
        QVERIFY(written.ok());
        QCOMPARE(*written, 1);
        QVERIFY(session->commit().ok());
        QCOMPARE(m_cluster->psql(u"postgres"_s, u"DELETE FROM public.t WHERE id = 6000 RETURNING id"_s), u"6000"_s);
    }

    void errorsInPlainWords_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("sqlState");
        QTest::newRow("no such table") << u"SELECT 1 FROM public.gone"_s << int(ErrorKind::MissingObject) << u"42P01"_s;
        QTest::newRow("no such column") << u"SELECT gone FROM public.t"_s << int(ErrorKind::MissingObject)
                                        << u"42703"_s;
        QTest::newRow("syntax") << u"SELEC 1"_s << int(ErrorKind::Syntax) << u"42601"_s;
        QTest::newRow("value") << u"SELECT 'x'::pg_catalog.uuid"_s << int(ErrorKind::InvalidValue) << u"22P02"_s;
        QTest::newRow("division in mid-stream")
            << u"SELECT 1 / (500 - id) FROM public.t ORDER BY id"_s << int(ErrorKind::InvalidValue) << u"22012"_s;
        QTest::newRow("two statements") << u"SELECT 1; DROP TABLE public.t"_s << int(ErrorKind::Syntax) << u"42601"_s;
        QTest::newRow("copy") << u"COPY public.t TO STDOUT"_s << -1 << QString();
    }
    void errorsInPlainWords()
    {
        QFETCH(QString, sql);
        QFETCH(int, kind);
        QFETCH(QString, sqlState);
        const auto session = open(m_cluster->conninfo());
        QVERIFY(session);
        const auto read = session->all({ sql, {} });
        QVERIFY(!read.ok());
        if (kind >= 0) {
            QCOMPARE(int(read.error().kind), kind);
            QCOMPARE(read.error().sqlState, sqlState);
        }
        QVERIFY(!read.error().what.isEmpty());
        QVERIFY(!read.error().why.isEmpty());
        // The session goes on.
        const auto next = session->one({ u"SELECT 1"_s, {} });
        QVERIFY(next.ok());
        QCOMPARE(m_cluster->psql(u"postgres"_s, u"SELECT count(*) FROM public.t"_s), u"1000"_s);
    }

    void rightsAreNamed()
    {
        const auto session = open(m_cluster->conninfoAs(u"reader"_s));
        QVERIFY(session);
        QVERIFY(!session->facts().superuser);
        const auto read = session->all({ u"SELECT id FROM public.secret"_s, {} });
        QVERIFY(!read.ok());
        QCOMPARE(read.error().kind, ErrorKind::Privilege);
        QVERIFY(read.error().todo.contains(u"SELECT"_s));
    }

    void refusedParameterIsNumbered()
    {
        const auto session = open(m_cluster->conninfo());
        QVERIFY(session);
        Statement statement { u"SELECT $1::pg_catalog.text, $2::pg_catalog.uuid"_s, {} };
        statement.bind(u"fine"_s);
        statement.bind(u"not a uuid"_s);
        const auto read = session->all(statement);
        QVERIFY(!read.ok());
        QCOMPARE(read.error().parameter, 2);
    }

    void connectFailures_data()
    {
        QTest::addColumn<QString>("conninfo");
        QTest::addColumn<int>("kind");
        const QString folder = m_cluster->cluster().folder();
        QTest::newRow("no such database")
            << u"host=%1 dbname=absent user=%2"_s.arg(folder, m_cluster->cluster().superuser())
            << int(ErrorKind::NoDatabase);
        QTest::newRow("no such user") << u"host=%1 dbname=postgres user=absent"_s.arg(folder)
                                      << int(ErrorKind::Authentication);
        QTest::newRow("nothing listens") << u"host=/tmp/idemdesk-no-such-folder dbname=postgres"_s
                                         << int(ErrorKind::Unreachable);
        QTest::newRow("port closed") << u"host=127.0.0.1 port=1 dbname=postgres"_s << int(ErrorKind::Unreachable);
        QTest::newRow("unknown option") << u"hots=127.0.0.1"_s << int(ErrorKind::Usage);
        QTest::newRow("no TLS on offer") << u"host=127.0.0.1 port=1 sslmode=nonsense"_s << int(ErrorKind::Usage);
    }
    void connectFailures()
    {
        QFETCH(QString, conninfo);
        QFETCH(int, kind);
        ConnectionSettings settings;
        settings.conninfo = conninfo;
        const auto opened = Session::open(settings, {});
        QVERIFY(!opened.ok());
        QVERIFY2(
            int(opened.error().kind) == kind, qPrintable(opened.error().line() + u" | "_s + opened.error().detail));
        QVERIFY(!opened.error().why.isEmpty());
        QVERIFY(!opened.error().todo.isEmpty());
    }

    void environmentDoesNotRedirect()
    {
        qputenv("PGHOSTADDR", "127.0.0.1");
        qputenv("PGOPTIONS", "-c search_path=public");
        const auto session = open(m_cluster->conninfo());
        qunsetenv("PGHOSTADDR");
        qunsetenv("PGOPTIONS");
        QVERIFY(session);
        QVERIFY(session->facts().unixSocket);
        const auto path = session->one({ u"SELECT pg_catalog.current_setting('search_path')"_s, {} });
        QVERIFY(path.ok());
        QCOMPARE(path->first().text, u"pg_catalog, pg_temp"_s);
    }

    void nullDiffersFromEmpty()
    {
        const auto session = open(m_cluster->conninfo());
        QVERIFY(session);
        Statement statement {
            u"SELECT $1::pg_catalog.text IS NULL, $2::pg_catalog.text = '', $1::pg_catalog.text, $2::pg_catalog.text"_s,
            {}
        };
        statement.bind(Cell());
        statement.bind(QString());
        const auto row = session->one(statement);
        QVERIFY(row.ok());
        QCOMPARE(row->at(0).text, u"t"_s);
        QCOMPARE(row->at(1).text, u"t"_s);
        QVERIFY(row->at(2).null);
        QVERIFY(!row->at(3).null);
    }

    void describePlansWithoutRunning()
    {
        Session::Options options;
        options.readOnly = false;
        const auto session = open(m_cluster->conninfo(), options);
        QVERIFY(session);
        const auto plan = session->describe(u"DELETE FROM public.t WHERE id = $1 RETURNING id, note"_s);
        QVERIFY(plan.ok());
        QCOMPARE(plan->columnNames, QStringList({ u"id"_s, u"note"_s }));
        QCOMPARE(plan->columnTypes, QList<quint32>({ 23, 25 }));
        QCOMPARE(plan->parameterTypes, QList<quint32>({ 23 }));
        QCOMPARE(m_cluster->psql(u"postgres"_s, u"SELECT count(*) FROM public.t"_s), u"1000"_s);
        QVERIFY(!session->describe(u"SELECT nothing FROM public.t"_s).ok());
    }

    /// Traps 10: the application that shares the pool finds its settings as they were.
    void poolIsLeftAsItWas()
    {
        const PgBouncerFixture pooler(*m_cluster, 1);
        const auto settingsSeen = [&] {
            const auto application = QSqlDatabase::addDatabase(new PgDriver, u"application"_s);
            auto *driver = static_cast<PgDriver *>(application.driver());
            QString seen = u"not connected"_s;
            if (driver->openConninfo(pooler.conninfo(), {}, {}, QDeadlineTimer(5'000))) {
                QSqlQuery query(application);
                query.setForwardOnly(true);
                if (query.exec(u"SELECT pg_catalog.string_agg(name || '=' || setting, ' ' ORDER BY name) FROM "
                               u"pg_catalog.pg_settings "
                               "WHERE name IN ('search_path', 'default_transaction_read_only', 'statement_timeout', "
                               "'lock_timeout', "
                               "'idle_in_transaction_session_timeout', 'DateStyle', 'bytea_output')"_s)
                    && query.next()) {
                    seen = query.value(0).toString();
                }
            }
            return seen;
        };
        const QString before = settingsSeen();
        QSqlDatabase::removeDatabase(u"application"_s);
        QVERIFY(before.contains(u"search_path=public"_s));
        {
            const auto session = open(pooler.conninfo());
            QVERIFY(session);
            QVERIFY(session->facts().pooled);
            const auto path = session->one({ u"SELECT pg_catalog.current_setting('search_path'), "
                                             "pg_catalog.current_setting('transaction_read_only'), "
                                             "pg_catalog.current_setting('transaction_isolation'), "
                                             "pg_catalog.current_setting('statement_timeout')"_s,
                {} });
            QVERIFY2(path.ok(), qPrintable(path.ok() ? QString() : path.error().detail));
            QCOMPARE(path->at(0).text, u"pg_catalog, pg_temp"_s);
            QCOMPARE(path->at(1).text, u"on"_s);
            QCOMPARE(path->at(2).text, u"read committed"_s);
            QCOMPARE(path->at(3).text, u"15s"_s);
            const auto refused = session->run({ u"DELETE FROM public.t"_s, {} });
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().kind, ErrorKind::ReadOnly);
            QVERIFY(session->begin().ok());
            QVERIFY(session->one({ u"SELECT pg_catalog.count(*) FROM public.t"_s, {} }).ok());
            QVERIFY(session->commit().ok());
            QCOMPARE(settingsSeen(), before); // while the console's session is open
            QSqlDatabase::removeDatabase(u"application"_s);
        }
        QCOMPARE(settingsSeen(), before);
        QSqlDatabase::removeDatabase(u"application"_s);
    }
};

QTEST_GUILESS_MAIN(SessionTest)
#include "tst_session.moc"
