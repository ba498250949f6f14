// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"
#include "models/groups/group_desk.h"
#include "models/groups/group_overview.h"
#include "models/groups/group_session.h"
#include "models/groups/group_store.h"
#include "models/regions/replication_list.h"
#include "sql/lanes/database.h"
#include "tests/support/group_clusters.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using models::GroupSession;
using State = models::GroupSession::MemberState;

namespace {

/// Answers late, as a keychain does that asks a person.
class SlowSecrets final : public models::SecretStore
{
public:
    bool available() const override { return true; }
    void get(
        const QString &id, QObject *context, std::function<void(sql::Result<std::optional<QString>>)> done) override
    {
        asked += id;
        QMetaObject::invokeMethod(
            context,
            [this, done] {
                done(locked ? sql::Result<std::optional<QString>>(
                         sql::makeError(sql::ErrorKind::Other, u"The keychain is locked."_s))
                            : sql::Result<std::optional<QString>>(std::optional(u"secret"_s)));
            },
            Qt::QueuedConnection);
    }
    void set(const QString &, const QString &, QObject *, std::function<void(sql::Result<void>)>) override { }
    void remove(const QString &, QObject *, std::function<void(sql::Result<void>)>) override { }

    QStringList asked;
    bool locked = false;
};

} // namespace

/// The members of a group, real servers: each for itself.
class GroupSessionTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<GroupClusters> m_clusters;

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_clusters = std::make_unique<GroupClusters>();
        GroupClusters::fill(m_clusters->eu, 1, 12, 1);
        GroupClusters::fill(m_clusters->us, 1, 7, 1);
        GroupClusters::fill(m_clusters->us, 101, 103, 1, u"processing"_s);
    }
    void cleanupTestCase() { m_clusters.reset(); }

    void oneThatIsDownDisturbsNoOther()
    {
        GroupSession group(
            m_clusters->group({ m_clusters->euPlace(), m_clusters->downPlace(), m_clusters->usPlace() }), nullptr, {});
        QCOMPARE(group.state(0), State::Opening);
        group.open();
        QTRY_COMPARE_WITH_TIMEOUT(group.answeredCount(), 2, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(group.state(1), State::Failed, 20'000);
        QVERIFY(group.error(1).has_value());
        QVERIFY(!group.error(0).has_value() && !group.error(2).has_value());
        QVERIFY(!group.facts(0).standby);
        QVERIFY(group.targetNames().contains(u"plpgsql-request"_s));
        QVERIFY(group.target(2, u"plpgsql-request"_s) != nullptr);
        QVERIFY(group.target(1, u"plpgsql-request"_s) == nullptr);
        group.close();
        QCOMPARE(group.answeredCount(), 0);
        QVERIFY(group.database(0) == nullptr);
    }

    void oneThatStopsInBetweenIsTakenBack()
    {
        GroupSession group(m_clusters->group({ m_clusters->euPlace(), m_clusters->usPlace() }), nullptr, {});
        models::GroupOverviewModel overview(&group);
        const QAbstractItemModelTester tester(&overview, QAbstractItemModelTester::FailureReportingMode::QtTest);
        group.open();
        const auto cell = [&overview](int member, models::GroupOverviewModel::Part part) {
            int row = 0;
            while (row < overview.rowCount() && overview.target(row) != u"plpgsql-request") {
                ++row;
            }
            return overview.index(row, models::GroupOverviewModel::columnOf(member, part)).data().toString();
        };
        using Overview = models::GroupOverviewModel;
        QTRY_COMPARE_WITH_TIMEOUT(cell(0, Overview::Keys), u"12"_s, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(cell(1, Overview::Keys), u"10"_s, 20'000);
        QCOMPARE(cell(0, Overview::Stuck), u"0"_s);
        QCOMPARE(cell(1, Overview::Stuck), u"3"_s);
        QVERIFY(overview.seesStuck(u"plpgsql-request"_s) && !overview.seesStuck(u"no such table"_s));
        QCOMPARE(overview.total(), u"2 of 2 members answered."_s);
        QVERIFY(m_clusters->us.cluster().stop().ok());
        QTRY_COMPARE_WITH_TIMEOUT(group.state(1), State::Failed, 30'000);
        QCOMPARE(group.state(0), State::Answered);
        QCOMPARE(overview.total(), u"1 of 2 members answered."_s);
        QCOMPARE(cell(1, Overview::Keys), QString()); // what was seen before is not what is there now
        QCOMPARE(cell(1, Overview::States), u"No answer"_s);
        QVERIFY(!overview.seesStuck(u"plpgsql-request"_s)); // nobody tells it now
        QCOMPARE(cell(0, Overview::Keys), u"12"_s);
        QVERIFY(m_clusters->us.cluster().start(true).ok());
        m_clusters->fill(m_clusters->us, 901, 901, 1);
        group.refresh(1);
        QTRY_COMPARE_WITH_TIMEOUT(group.state(1), State::Answered, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(cell(1, Overview::Keys), u"11"_s, 20'000); // counted anew
        // A count that fails leaves none before it standing.
        m_clusters->us.psql(u"orders"_s,
            u"DELETE FROM app.idempotency_request WHERE idempotency_key = 'k00901'; "
            "REVOKE pg_read_all_data FROM support"_s);
        overview.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(cell(1, Overview::States), u"Could not be read"_s, 20'000);
        QCOMPARE(cell(1, Overview::Keys), QString());
        m_clusters->us.psql(u"orders"_s, u"GRANT pg_read_all_data TO support"_s);
        overview.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(cell(1, Overview::Keys), u"10"_s, 20'000);
    }

    void shardsAreSummedAndNothingIsMadeUp()
    {
        models::GroupPlaces places = m_clusters->group({ m_clusters->euPlace(), m_clusters->usPlace() });
        places.kind = sql::GroupKind::Shards;
        GroupSession group(places, nullptr, {});
        models::GroupOverviewModel overview(&group);
        group.open();
        QTRY_COMPARE_WITH_TIMEOUT(overview.total(), u"3 stuck in all shards. 2 of 2 members answered."_s, 20'000);
        places.members += m_clusters->downPlace();
        GroupSession partly(places, nullptr, {});
        models::GroupOverviewModel shown(&partly);
        partly.open();
        QTRY_COMPARE_WITH_TIMEOUT(shown.total(), u"3+ stuck in all shards. 2 of 3 members answered."_s, 20'000);
    }

    /// Labels are hostile text: what looks like a place to fill in is none.
    void aLabelStaysWhatItIsInANote()
    {
        sql::ReplicationSide side;
        side.version = 140000;
        const QStringList notes = models::replicationVerdict({}, { { u"a %2 b"_s, side } }).notes;
        QVERIFY2(notes.join(u'\n').contains(u"a %2 b run(s) 14."_s), qPrintable(notes.join(u'\n')));
        side.version = 170000;
        const QStringList newer = models::replicationVerdict({}, { { u"a %2 b"_s, side } }).notes;
        QVERIFY2(newer.join(u'\n').contains(u"a %2 b run(s) 17."_s), qPrintable(newer.join(u'\n')));
    }

    void passwordsComeFromTheKeychain()
    {
        SlowSecrets secrets;
        models::GroupPlaces places = m_clusters->group({ m_clusters->euPlace(), m_clusters->usPlace() });
        places.members[0].secretId = u"connection/1"_s;
        GroupSession group(places, &secrets, {});
        group.open();
        QVERIFY(group.database(0) == nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(group.answeredCount(), 2, 20'000);
        QCOMPARE(secrets.asked, QStringList { u"connection/1"_s });
        QCOMPARE(group.database(0)->settings().password, u"secret"_s);
        QVERIFY(group.database(1)->settings().password.isEmpty());
        secrets.locked = true;
        group.open();
        QTRY_COMPARE_WITH_TIMEOUT(group.state(0), State::Failed, 20'000);
        QCOMPARE(group.error(0)->what, u"The keychain is locked."_s);
        QTRY_COMPARE_WITH_TIMEOUT(group.state(1), State::Answered, 20'000);
        secrets.locked = false;
        group.refresh(0);
        QTRY_COMPARE_WITH_TIMEOUT(group.state(0), State::Answered, 20'000);
        // A password that comes too late opens nothing.
        group.open();
        group.close();
        QCoreApplication::sendPostedEvents();
        QVERIFY(group.database(0) == nullptr);
    }

    void aMemberWithoutItsConnectionIsNamed()
    {
        models::GroupPlaces places = m_clusters->group({ m_clusters->euPlace(), m_clusters->usPlace() });
        places.members[1].missing = sql::makeError(sql::ErrorKind::Usage, u"us leads nowhere."_s);
        GroupSession group(places, nullptr, {});
        group.open();
        QTRY_COMPARE_WITH_TIMEOUT(group.state(0), State::Answered, 20'000);
        QCOMPARE(group.state(1), State::Failed);
        QCOMPARE(group.error(1)->what, u"us leads nowhere."_s);
    }

    void aWindowIsConnectedToTheOneUsedLast()
    {
        QTemporaryDir folder;
        QSettings settings(folder.filePath(u"s.ini"_s), QSettings::IniFormat);
        models::SavedConnections saved(&settings);
        models::GroupStore store(&settings, &saved);
        const auto eu = m_clusters->euPlace();
        const auto us = m_clusters->usPlace();
        QVERIFY(store
                    .save({ u"payments"_s, sql::GroupKind::Regions,
                        { { u"eu"_s, {}, eu.settings.conninfo }, { u"us"_s, {}, us.settings.conninfo } }, u"us"_s })
                    .ok());
        models::ConnectionController window({});
        models::GroupDesk desk(&window, &store, nullptr);
        desk.open(store.places(*store.find(u"payments"_s)));
        QTRY_COMPARE_WITH_TIMEOUT(desk.current(), 1, 20'000);
        QCOMPARE(window.settings().conninfo, us.settings.conninfo);
        QTRY_VERIFY_WITH_TIMEOUT(desk.show(0), 20'000);
        QCOMPARE(window.settings().conninfo, eu.settings.conninfo);
        QCOMPARE(store.find(u"payments"_s)->lastUsed, u"eu"_s);
        QVERIFY(desk.session() != nullptr);
        // Another connection leaves the group.
        sql::ConnectionSettings other;
        other.conninfo = m_clusters->us.conninfo();
        window.connectTo(other);
        QVERIFY(desk.session() == nullptr);
        QCOMPARE(desk.current(), -1);
        QCOMPARE(window.settings().conninfo, other.conninfo);
    }

    void aWindowTakesTheFirstThatAnswers()
    {
        models::ConnectionController window({});
        models::GroupDesk desk(&window, nullptr, nullptr);
        desk.open(m_clusters->group({ m_clusters->downPlace(), m_clusters->usPlace() }));
        QTRY_COMPARE_WITH_TIMEOUT(desk.current(), 1, 20'000);
        QVERIFY(!desk.show(0));
        QCOMPARE(desk.current(), 1);
    }
};

QTEST_GUILESS_MAIN(GroupSessionTest)
#include "tst_group_session.moc"
