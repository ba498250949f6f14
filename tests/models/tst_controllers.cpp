// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/connection_controller.h"
#include "models/keys/export_controller.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_detail.h"
#include "models/keys/spread_controller.h"
#include "models/mapping/mapping_controller.h"
#include "models/overview/overview_controller.h"
#include "models/purge/purge_controller.h"
#include "sql/profile/profile_json.h"
#include "tests/support/console_fixture.h"
#include "tests/support/test_cluster.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

/// The controllers together, on a real server.
class ControllersTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<tests::TestCluster>();
        m_cluster->createDatabase(u"keys"_s);
        m_cluster->psqlFile(u"keys"_s, u"sql/demo/schema_000.sql"_s);
        m_cluster->psql(u"keys"_s,
            u"CREATE TABLE public.own_keys (k text PRIMARY KEY, status text NOT NULL, created_at timestamptz NOT NULL "
            u"DEFAULT now(),"
            " body jsonb);"
            "INSERT INTO public.own_keys SELECT 'key-' || lpad(n::text, 6, '0'), CASE WHEN n % 10 = 0 THEN 'odd' ELSE "
            "'done' END,"
            " now() - n * interval '1 minute', '{\"n\":1.00}' FROM generate_series(1, 1234) n;"
            "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA public TO reader; GRANT SELECT ON public.own_keys TO reader;"_s);
        m_profile.name = u"own"_s;
        m_profile.relation = u"public.own_keys"_s;
        m_profile.identity = { u"k"_s };
        m_profile.key = column(u"k"_s);
        m_profile.roles.insert(sql::Role::Status, column(u"status"_s));
        m_profile.roles.insert(sql::Role::CreatedAt, column(u"created_at"_s));
        m_profile.roles.insert(sql::Role::ResponseBody, column(u"body"_s));
        m_profile.states = { { u"done"_s, sql::KeyState::Succeeded } };
    }

    void cleanupTestCase() { m_cluster.reset(); }

    void superusersRunNoUnregisteredProfile()
    {
        ConnectionController connection({});
        connection.connectTo(settings(m_cluster->conninfo(u"keys"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(connection.targetsLoaded(), 20'000);
        QVERIFY(connection.target(u"pending-key"_s) != nullptr);
        QSignalSpy failed(&connection, &ConnectionController::targetFailed);
        connection.addProfile(m_profile, TargetSource::File, {}, true);
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20'000);
        QCOMPARE(failed.at(0).at(1).value<sql::Error>().kind, sql::ErrorKind::Refused);
    }

    /// A profile without a rule for it: no stuck key is drawn, and that none was looked for is said.
    void aSpreadSaysThatStuckKeysCannotBeTold()
    {
        ConnectionController connection({});
        connection.connectTo(settings(m_cluster->conninfoAs(u"reader"_s, u"keys"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(connection.targetsLoaded(), 20'000);
        connection.addProfile(m_profile, TargetSource::File, {}, true);
        QTRY_VERIFY_WITH_TIMEOUT(connection.target(u"own"_s) != nullptr, 20'000);
        KeyBrowserController browser;
        KeySpreadController spread(&browser);
        spread.setWanted(true);
        browser.setDatabase(connection.database());
        browser.setTarget(connection.target(u"own"_s)->target);
        QTRY_VERIFY_WITH_TIMEOUT(spread.told(), 20'000);
        QVERIFY2(spread.noteText().endsWith(u" · Stuck keys cannot be told here"_s), qPrintable(spread.noteText()));
    }

    /// Stop ends the count of what stays, too; the plan is whole without it.
    void aPurgeStopsCountingWhatStays()
    {
        m_cluster->psql(u"keys"_s,
            u"CREATE FUNCTION public.slow_status(text) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN "
            "IF current_query() LIKE '%OVER ()%' THEN PERFORM pg_sleep(60); END IF; RETURN $1; END $$"_s);
        sql::Profile slow = m_profile;
        slow.name = u"slow"_s;
        slow.roles.insert(sql::Role::Status, { u"public.slow_status(t.status)"_s });
        slow.purge = { sql::TimeRule { { sql::KeyState::Succeeded }, {}, column(u"created_at"_s), u"0s"_s, {} } };
        ConnectionController connection({});
        connection.connectTo(settings(m_cluster->conninfoAs(u"reader"_s, u"keys"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(connection.targetsLoaded(), 20'000);
        connection.addProfile(slow, TargetSource::File, {}, true);
        QTRY_VERIFY_WITH_TIMEOUT(connection.target(u"slow"_s) != nullptr, 20'000);
        PurgeController purge;
        purge.setDatabase(connection.database());
        purge.setTarget(*connection.target(u"slow"_s));
        purge.plan({ sql::KeyState::Succeeded }, std::nullopt);
        QTRY_VERIFY_WITH_TIMEOUT(purge.planned() && purge.countingStay(), 20'000);
        purge.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!purge.countingStay(), 10'000);
        QVERIFY2(purge.stayNote().startsWith(u"What stays was not counted"_s), qPrintable(purge.stayNote()));
        QVERIFY(purge.planned()->rows > 1'000);
        QVERIFY(!purge.bars().isEmpty()); // what goes is known
    }

    void aReaderBrowsesFiltersLooksAndExports()
    {
        ConnectionController connection({});
        connection.connectTo(settings(m_cluster->conninfoAs(u"reader"_s, u"keys"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(connection.targetsLoaded(), 20'000);
        QSignalSpy added(&connection, &ConnectionController::targetAdded);
        connection.addProfile(m_profile, TargetSource::File, {}, true);
        QTRY_COMPARE_WITH_TIMEOUT(added.size(), 1, 20'000);
        const sql::Target target = connection.target(u"own"_s)->target;

        KeyBrowserController browser;
        QAbstractItemModelTester tester(browser.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        browser.setDatabase(connection.database());
        browser.setTarget(target);
        QTRY_COMPARE_WITH_TIMEOUT(browser.model()->rowCount(), 1'234, 20'000);
        QTRY_COMPARE(browser.model()->count().kind, sql::RowCount::Kind::Exact);
        QVERIFY(browser.status().rowsText.contains(u"1,234"_s));

        QSignalSpy rejected(&browser, &KeyBrowserController::filterRejected);
        browser.setFilterText(u"key:\"open"_s);
        QCOMPARE(rejected.size(), 1);
        QCOMPARE(browser.model()->rowCount(), 1'234); // the old rows stay
        browser.setFilterText(u"status:odd"_s);
        QTRY_COMPARE_WITH_TIMEOUT(browser.model()->rowCount(), 123, 20'000);
        QCOMPARE(browser.model()->index(0, 0).data(KeyTableModel::StateRole).toInt(), int(sql::KeyState::Unknown));

        KeyDetailController detail;
        detail.setDatabase(connection.database());
        detail.setTarget(target);
        detail.show(*browser.model()->record(5));
        QCOMPARE(detail.status(), KeyDetailController::Status::Loading);
        QTRY_COMPARE_WITH_TIMEOUT(detail.status(), KeyDetailController::Status::Ready, 20'000);
        QCOMPARE(detail.payloads().size(), 1);
        QVERIFY(detail.payloads().constFirst().value.text.contains(u"1.00"_s));
        QCOMPARE(detail.story()->rowCount(), 3); // first seen, silence, now

        QTemporaryDir folder;
        const QString path = folder.filePath(u"out.csv"_s);
        ExportController exporter;
        exporter.setDatabase(connection.database());
        QSignalSpy finished(&exporter, &ExportController::finished);
        QVERIFY(exporter.start(target, browser.filter(), {}, ExportFileFormat::Csv, path));
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 20'000);
        QCOMPARE(finished.at(0).at(1).toLongLong(), 123);
        QCOMPARE(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());

        m_cluster->psql(u"keys"_s, u"ALTER TABLE public.own_keys RENAME TO gone_keys"_s);
        browser.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(browser.error().has_value(), 20'000);
        QCOMPARE(browser.error()->kind, sql::ErrorKind::MissingObject);
        QCOMPARE(browser.model()->rowCount(), 123); // what was read stays readable
        m_cluster->psql(u"keys"_s, u"ALTER TABLE public.gone_keys RENAME TO own_keys"_s);
        browser.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!browser.error().has_value(), 20'000);
    }

    /// Until the cost of a filter is known, the list is of what was asked before: all the while it is said to be read.
    void aListIsBusyWhileItsCostIsAsked()
    {
        ConnectionController connection({});
        connection.connectTo(settings(m_cluster->conninfoAs(u"reader"_s, u"keys"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(connection.targetsLoaded(), 20'000);
        connection.addProfile(m_profile, TargetSource::File, {}, true);
        QTRY_VERIFY_WITH_TIMEOUT(connection.target(u"own"_s) != nullptr, 20'000);
        sql::Target large = connection.target(u"own"_s)->target;
        large.relation.estimatedRows = 1e6; // no small table: its filters are weighed

        KeyBrowserController browser;
        browser.setDatabase(connection.database());
        browser.setTarget(large);
        QTRY_VERIFY_WITH_TIMEOUT(!browser.busy() && browser.model()->rowCount() == 1'234, 20'000);

        tests::Connection holder(m_cluster->conninfo(u"keys"_s));
        QVERIFY(holder.run(u"BEGIN; LOCK TABLE public.own_keys IN ACCESS EXCLUSIVE MODE"_s).ok());
        QSignalSpy told(&browser, &KeyBrowserController::statusChanged);
        browser.setFilterText(u"status:odd"_s);
        QVERIFY(!browser.model()->busy()); // nothing is read yet
        QVERIFY(browser.busy() && browser.status().busy);
        QVERIFY(!told.isEmpty());
        browser.setOrder(u"-created_at"_s);
        QVERIFY(browser.busy());
        QVERIFY(holder.run(u"COMMIT"_s).ok());
        QTRY_VERIFY_WITH_TIMEOUT(!browser.busy(), 20'000);
        QCOMPARE(browser.filter().text, u"status:odd"_s); // the order did not take the filter away
        QCOMPARE(browser.order(), u"-created_at"_s);
        QCOMPARE(browser.model()->rowCount(), 123);

        QVERIFY(holder.run(u"BEGIN; LOCK TABLE public.own_keys IN ACCESS EXCLUSIVE MODE"_s).ok());
        browser.setFilterText(u"status:done"_s);
        QVERIFY(browser.busy());
        browser.cancel();
        QVERIFY(!browser.busy());
        QCOMPARE(browser.filter().text, u"status:done"_s); // never the rows of one filter under the text of another
        QCOMPARE(browser.model()->rowCount(), 0);
        QCOMPARE(browser.error()->kind, sql::ErrorKind::Cancelled);
        QVERIFY(holder.run(u"COMMIT"_s).ok());
        browser.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(browser.model()->rowCount(), 1'111, 20'000);
        QVERIFY(!browser.error());

        // A saved view has both, and its filter does not take its order away either.
        QVERIFY(holder.run(u"BEGIN; LOCK TABLE public.own_keys IN ACCESS EXCLUSIVE MODE"_s).ok());
        browser.setOrder(u"created_at"_s);
        browser.setFilterText(u"status:odd"_s);
        QVERIFY(holder.run(u"COMMIT"_s).ok());
        QTRY_VERIFY_WITH_TIMEOUT(!browser.busy(), 20'000);
        QCOMPARE(browser.order(), u"created_at"_s);
        QCOMPARE(browser.model()->rowCount(), 123);

        // Another table has neither of them.
        browser.setTarget(large);
        QTRY_VERIFY_WITH_TIMEOUT(!browser.busy() && browser.model()->rowCount() == 1'234, 20'000);
        QCOMPARE(browser.order(), QString());
        browser.setOrder({});
        QVERIFY(!browser.busy()); // that is its order already
    }

    void theFormFindsMapsAndSaves()
    {
        QTemporaryDir folder;
        ConnectionController connection(folder.path());
        connection.connectTo(settings(m_cluster->conninfoAs(u"reader"_s, u"keys"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(connection.targetsLoaded(), 20'000);
        MappingController form(folder.path());
        form.setDatabase(connection.database());
        QSignalSpy chosen(&form, &MappingController::chosen);
        form.chooseRelation(u"public.own_keys"_s);
        QTRY_COMPARE_WITH_TIMEOUT(chosen.size(), 1, 20'000);
        form.setName(u"mine"_s);
        QVERIFY(!form.save().ok()); // not confirmed
        QVERIFY(form.sqlToConfirm().contains(u"own_keys"_s));
        form.confirmSql();
        QVERIFY(!form.save().ok()); // not checked
        form.validate();
        QTRY_VERIFY_WITH_TIMEOUT(form.checked(), 20'000);
        const auto saved = form.save();
        QVERIFY2(saved.ok(), saved.ok() ? "" : qPrintable(saved.error().line()));
        QVERIFY(sql::profileFromFile(*saved).ok());
        form.mapping()->setData(form.mapping()->index(0, MappingModel::Sql), u"pg_sleep(1)"_s, Qt::EditRole);
        QVERIFY(!form.sqlConfirmed()); // an edit takes the confirmation back
        QTRY_VERIFY_WITH_TIMEOUT(!form.busy(), 20'000);
        connection.refreshTargets();
        QTRY_VERIFY_WITH_TIMEOUT(connection.target(u"mine"_s) != nullptr, 20'000);
    }

    void theOverviewCountsAndGoesWithItsConnection()
    {
        auto connection = std::make_unique<ConnectionController>(QString());
        connection->connectTo(settings(m_cluster->conninfo(u"keys"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(connection->targetsLoaded(), 20'000);
        OverviewController overview;
        overview.setDatabase(connection->database());
        QList<sql::Target> targets;
        for (const TargetEntry &entry : connection->targets()) {
            targets.append(entry.target);
        }
        QVERIFY(!targets.isEmpty());
        overview.setTargets(targets);
        QTRY_VERIFY_WITH_TIMEOUT(!overview.busy() && overview.model()->rows().constFirst().summary, 20'000);
        overview.refresh();
        connection.reset(); // in the middle of a request: nothing may be called on what is gone
        QCoreApplication::processEvents();
        QVERIFY(overview.model()->rowCount() > 0);
    }

private:
    static sql::Expression column(const QString &name)
    {
        sql::Expression expression;
        expression.sql = u"t.\""_s + name + u'"';
        expression.column = name;
        return expression;
    }
    static sql::ConnectionSettings settings(const QString &conninfo)
    {
        sql::ConnectionSettings settings;
        settings.conninfo = conninfo;
        return settings;
    }

    std::unique_ptr<tests::TestCluster> m_cluster;
    sql::Profile m_profile;
};

QTEST_MAIN(ControllersTest)
#include "tst_controllers.moc"
