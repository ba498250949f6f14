// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_controller.h"
#include "models/duplicates/duplicate_words.h"
#include "sql/lanes/database.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

const char *const kProfile = R"json({
    "idemdesk_profile": 1, "name": "intent", "kind": "request", "relation": "public.intent", "identity": ["tenant", "key"],
    "scope": [ { "label": "tenant", "sql": "t.tenant" } ], "key": "t.key",
    "roles": { "fingerprint": "t.hash", "status": "t.status", "created_at": "t.created_at" },
    "states": { "done": "succeeded" }, "stale": null, "guard": ["status"], "actions": {}, "orders": [],
    "effects": [ { "type": "slow", "proves": true, "sql": "SELECT count(*) AS id, now() AS at, '' AS state FROM generate_series(1, 10000000000) g WHERE t.key <> ''" } ],
    "policies": [ { "match": {}, "effect": "local" } ]
})json";

sql::DuplicateGroup group(sql::DuplicateReason reason, qint64 keys, qint64 succeeded)
{
    sql::DuplicateGroup made;
    made.reason = reason;
    made.keys = keys;
    made.succeeded = succeeded;
    made.shared = u"order\n77"_s;
    return made;
}

} // namespace

/// How long anything is waited for that must come: other programs may have the processors.
constexpr int kPatienceMs = 60'000;

class DuplicateControllerTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<tests::TestCluster>();
        m_cluster->psql(u"postgres"_s,
            u"CREATE TABLE public.intent (tenant text, key text, status text NOT NULL DEFAULT 'done', hash text, "
            u"created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (tenant, key));"
            "INSERT INTO public.intent (tenant, key, hash) VALUES ('acme', 'k-1', E'<b>\\nh'), ('acme', 'k-2', E'<b>\\nh'), ('acme', 'k-3', 'other')"_s);
        sql::ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo();
        m_database = std::make_unique<sql::Database>(settings);
        m_database->open();
        QTRY_COMPARE_WITH_TIMEOUT(m_database->state(), sql::LinkState::Connected, kPatienceMs);
        auto session = sql::Session::open(settings, {});
        QVERIFY(session.ok());
        const auto slow = sql::bindTarget(**session, *sql::profileFromJson(kProfile, u"intent.json"_s));
        QVERIFY2(slow.ok(), slow.ok() ? "" : qPrintable(slow.error().line()));
        m_slow = *slow;
        m_target = *slow;
        m_target.profile.effects.clear();
    }

    void cleanupTestCase()
    {
        m_database.reset();
        m_cluster.reset();
    }

    void whatIsFoundIsShown()
    {
        DuplicateController controller;
        QAbstractItemModelTester tester(controller.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy found(&controller, &DuplicateController::found);
        QSignalSpy running(&controller, &DuplicateController::runningChanged);
        controller.search(m_target, {}); // no database: nothing happens
        QVERIFY(!controller.running());
        controller.setDatabase(m_database.get());
        controller.search(m_target, {});
        QVERIFY(controller.running() && !controller.searched());
        QTRY_COMPARE_WITH_TIMEOUT(found.size(), 1, kPatienceMs);
        QCOMPARE(found.first().first().value<QList<sql::DuplicateGroup>>().size(), 1);
        QVERIFY(controller.searched() && !controller.running());
        QCOMPARE(running.size(), 2);
        QVERIFY2(controller.notes().join(u' ').contains(u"no effect that proves"_s),
            qPrintable(controller.notes().join(u' ')));
        const DuplicateModel &model = *controller.model();
        QCOMPARE(model.rowCount(), 1);
        const auto cell = [&model](DuplicateModel::Column column, int role = Qt::DisplayRole) {
            return model.index(0, column).data(role).toString();
        };
        QCOMPARE(cell(DuplicateModel::Reason), u"Same fingerprint"_s);
        QCOMPARE(cell(DuplicateModel::Scope), u"acme"_s);
        QCOMPARE(cell(DuplicateModel::Shared), u"<b>\\nh"_s);
        QCOMPARE(cell(DuplicateModel::Keys), u"2"_s);
        QVERIFY(!cell(DuplicateModel::Apart).isEmpty()); // there are two, and both times are known
        QVERIFY(!cell(DuplicateModel::First).isEmpty()
            && cell(DuplicateModel::First, Qt::ToolTipRole).size() > cell(DuplicateModel::First).size());
        QVERIFY2(cell(DuplicateModel::Reason, Qt::ToolTipRole).contains(u"2 of them succeeded"_s),
            qPrintable(cell(DuplicateModel::Reason, Qt::ToolTipRole)));
        QCOMPARE(model.row(0)->sample, (QStringList { u"k-1"_s, u"k-2"_s }));
        QVERIFY(model.row(1) == nullptr && model.row(-1) == nullptr);
        for (int column = 0; column < DuplicateModel::ColumnCount; ++column) {
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        }
        controller.setDatabase(nullptr);
        QVERIFY(model.rowCount() == 0 && controller.notes().isEmpty() && !controller.searched());
    }

    void aSearchCanBeCancelled()
    {
        DuplicateController controller;
        controller.setDatabase(m_database.get());
        QSignalSpy found(&controller, &DuplicateController::found);
        QSignalSpy failed(&controller, &DuplicateController::failed);
        controller.search(m_slow, {});
        // At work for a while: being parsed it is active, too, and then idle again for a moment.
        const auto busy = [this] {
            return m_cluster->psql(u"postgres"_s,
                u"SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%10000000000%' AND pid "
                u"<> "
                "pg_backend_pid() AND query_start < clock_timestamp() - interval '0.5 s'"_s);
        };
        QTRY_COMPARE_WITH_TIMEOUT(busy(), u"1"_s, kPatienceMs);
        controller.cancel();
        QVERIFY(!controller.running());
        QTRY_COMPARE_WITH_TIMEOUT(busy(), u"0"_s, kPatienceMs);
        // The next search is answered, and the cancelled one stays silent.
        controller.search(m_target, {});
        QTRY_COMPARE_WITH_TIMEOUT(found.size(), 1, kPatienceMs);
        QCOMPARE(failed.size(), 0);
        QCOMPARE(controller.model()->rowCount(), 1);
    }

    /// What one reason found is there while the next one is still looked at, and stays when somebody stops.
    void groupsComeWhileTheSearchGoesOn()
    {
        QByteArray json(kProfile);
        json.replace(R"("created_at": "t.created_at" })", R"("created_at": "t.created_at", "result_id": "t.hash" })");
        json.replace(json.mid(json.indexOf("\"effects\""), json.indexOf("\"policies\"") - json.indexOf("\"effects\"")),
            R"json("business_reference": "CASE WHEN t.hash IS NULL THEN (SELECT count(*)::text FROM generate_series(1, 10000000000) g WHERE t.key <> '') END",
            "effects": [], )json");
        // Only the search by business reference comes to the row without a hash, and stays there.
        m_cluster->psql(u"postgres"_s,
            u"INSERT INTO public.intent (tenant, key, status, created_at) VALUES ('a', 'slow', 'done', now())"_s);
        const auto gone = qScopeGuard(
            [this] { m_cluster->psql(u"postgres"_s, u"DELETE FROM public.intent WHERE key = 'slow'"_s); });
        auto session = sql::Session::open(m_database->settings(), {});
        QVERIFY(session.ok());
        const auto profile = sql::profileFromJson(json, u"intent.json"_s);
        QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().line()));
        const auto target = sql::bindTarget(**session, *profile);
        QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().line()));
        DuplicateController controller;
        QAbstractItemModelTester tester(controller.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        controller.setDatabase(m_database.get());
        QSignalSpy soFar(&controller, &DuplicateController::foundSoFar);
        controller.search(*target, {});
        QTRY_COMPARE_WITH_TIMEOUT(soFar.size(), 1, kPatienceMs);
        QVERIFY(controller.running() && controller.partly() && !controller.searched());
        QCOMPARE(controller.model()->rowCount(), 1);
        QCOMPARE(controller.model()->row(0)->sample, (QStringList { u"k-1"_s, u"k-2"_s }));
        controller.cancel();
        QVERIFY(!controller.running() && controller.partly());
        QCOMPARE(controller.model()->rowCount(), 1);
        QSignalSpy found(&controller, &DuplicateController::found);
        controller.search(m_target, {});
        QTRY_COMPARE_WITH_TIMEOUT(found.size(), 1, kPatienceMs);
        QVERIFY(controller.searched() && !controller.partly());
    }

    void aFailureIsToldAndKeepsWhatWasFound()
    {
        DuplicateController controller;
        controller.setDatabase(m_database.get());
        QSignalSpy found(&controller, &DuplicateController::found);
        QSignalSpy failed(&controller, &DuplicateController::failed);
        controller.search(m_target, {});
        QTRY_COMPARE_WITH_TIMEOUT(found.size(), 1, kPatienceMs);
        m_cluster->psql(u"postgres"_s, u"ALTER TABLE public.intent RENAME TO away"_s);
        controller.search(m_target, {});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatienceMs);
        QCOMPARE(failed.first().first().value<sql::Error>().kind, sql::ErrorKind::MissingObject);
        QCOMPARE(controller.model()->rowCount(), 1);
        QVERIFY(!controller.running());
        m_cluster->psql(u"postgres"_s, u"ALTER TABLE public.away RENAME TO intent"_s);
    }

    void everyReasonSaysWhy_data()
    {
        QTest::addColumn<int>("reason");
        QTest::addColumn<int>("succeeded");
        QTest::addColumn<QString>("says");
        using Reason = sql::DuplicateReason;
        QTest::newRow("effects")
            << int(Reason::SeveralEffects) << 1
            << u"2 effect(s) of the type “charge”: what it asks for was probably done more than once."_s;
        QTest::newRow("result") << int(Reason::SameResult) << 2
                                << u"3 key(s) led to the same result, order\\n77. It exists once"_s;
        QTest::newRow("one effect") << int(Reason::SameBusinessReference) << 2
                                    << u"reached the same effect of the type “charge”, order\\n77. It exists once"_s;
        QTest::newRow("fingerprint, twice done")
            << int(Reason::SameFingerprint) << 2
            << u"their fingerprints are equal. 2 of them succeeded, so it was probably done more than once."_s;
        QTest::newRow("fingerprint, once done") << int(Reason::SameFingerprint) << 1 << u"One of them succeeded"_s;
        QTest::newRow("fingerprint, not done") << int(Reason::SameFingerprint) << 0 << u"None of them has succeeded."_s;
        QTest::newRow("payload") << int(Reason::NearPayload) << 0 << u"the same but for /sent_at, /trace."_s;
    }
    void everyReasonSaysWhy()
    {
        QFETCH(int, reason);
        QFETCH(int, succeeded);
        QFETCH(QString, says);
        sql::DuplicateGroup made = group(sql::DuplicateReason(reason), 3, succeeded);
        made.effects = 2;
        made.effectType = u"charge"_s;
        made.ignored = { u"/sent_at"_s, u"/trace"_s };
        QVERIFY2(duplicateWhy(made).contains(says), qPrintable(duplicateWhy(made)));
        made.effectType.clear();
        if (made.reason == sql::DuplicateReason::SameBusinessReference) {
            QVERIFY2(duplicateWhy(made).contains(u"the same business matter, order\\n77. 2 of them succeeded"_s),
                qPrintable(duplicateWhy(made)));
        }
        QCOMPARE(duplicateScope(made), QString());
        made.sampleScopes = { sql::Cells { sql::Cell::of(u"acme"_s) } };
        QCOMPARE(duplicateScope(made), u"all"_s);
    }

    /// One verdict for each group, whatever gave it away.
    void everyGroupHasAVerdict_data()
    {
        QTest::addColumn<int>("reason");
        QTest::addColumn<int>("succeeded");
        QTest::addColumn<QString>("verdict");
        using Reason = sql::DuplicateReason;
        QTest::newRow("one key, several effects") << int(Reason::SeveralEffects) << 1 << u"Probably done 3 times"_s;
        QTest::newRow("the result exists once") << int(Reason::SameResult) << 2 << u"Done once"_s;
        QTest::newRow("one matter, twice done") << int(Reason::SameBusinessReference) << 2 << u"Probably done twice"_s;
        QTest::newRow("one request, thrice done") << int(Reason::SameFingerprint) << 3 << u"Probably done 3 times"_s;
        QTest::newRow("one request, once done") << int(Reason::SameFingerprint) << 1 << u"Done once"_s;
        QTest::newRow("one request, not done") << int(Reason::NearPayload) << 0 << u"Not done"_s;
        QTest::newRow("two charges") << int(Reason::TwoCharges) << 2 << u"Maybe charged twice"_s;
    }
    void everyGroupHasAVerdict()
    {
        QFETCH(int, reason);
        QFETCH(int, succeeded);
        QFETCH(QString, verdict);
        sql::DuplicateGroup made = group(sql::DuplicateReason(reason), 3, succeeded);
        made.effects = 3;
        QCOMPARE(duplicateVerdictText(made), verdict);
    }

private:
    std::unique_ptr<tests::TestCluster> m_cluster;
    std::unique_ptr<sql::Database> m_database;
    sql::Target m_target;
    sql::Target m_slow;
};

QTEST_GUILESS_MAIN(DuplicateControllerTest)
#include "tst_duplicate_controller.moc"
