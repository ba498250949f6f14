// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_keys.h"
#include "models/groups/group_session.h"
#include "tests/support/group_clusters.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using models::GroupKeysModel;
using models::GroupSession;

/// One list over two real servers: in one order, page by page, nothing lost, nothing twice.
class GroupKeysModelTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<GroupClusters> m_clusters;
    std::unique_ptr<GroupSession> m_session;
    std::unique_ptr<GroupKeysModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

    void open(const QList<models::GroupPlace> &members)
    {
        m_session = std::make_unique<GroupSession>(m_clusters->group(members), nullptr, QString());
        m_model = std::make_unique<GroupKeysModel>(m_session.get());
        m_tester = std::make_unique<QAbstractItemModelTester>(
            m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_session->open();
        for (int member = 0; member < m_session->size(); ++member) {
            QTRY_VERIFY_WITH_TIMEOUT(m_session->state(member) != GroupSession::MemberState::Opening, 20'000);
        }
    }
    /// To the end.
    void readAll()
    {
        for (int pages = 0; pages < 50; ++pages) {
            QTRY_VERIFY_WITH_TIMEOUT(!m_model->busy(), 20'000);
            if (!m_model->canFetchMore({})) {
                return;
            }
            m_model->fetchMore({});
        }
        QFAIL("The list has no end.");
    }
    /// "eu k00001" of each row.
    QStringList rows() const
    {
        QStringList rows;
        for (int row = 0; row < m_model->rowCount(); ++row) {
            rows += m_session->label(m_model->row(row)->member) + u' ' + m_model->row(row)->record.key.text;
        }
        return rows;
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_clusters = std::make_unique<GroupClusters>();
        GroupClusters::fill(m_clusters->eu, 1, 1199, 2); // odd numbers
        GroupClusters::fill(m_clusters->us, 2, 600, 2); // even ones
        GroupClusters::fill(m_clusters->us, 1, 5, 2, u"processing"_s); // three keys that both have
    }
    void cleanup()
    {
        m_tester.reset();
        m_model.reset();
        m_session.reset();
    }
    void cleanupTestCase() { m_clusters.reset(); }

    void theOrderIsThatOfOneServer()
    {
        open({ m_clusters->euPlace(), m_clusters->usPlace() });
        QVERIFY(m_model->ask(u"plpgsql-request"_s, {}).ok());
        QTRY_COMPARE_WITH_TIMEOUT(m_model->rowCount(), GroupKeysModel::kPage, 20'000);
        readAll();
        // The same rows of both, put into one order by one server.
        const QString all = u"SELECT member || ' ' || idempotency_key FROM ("
                            "SELECT 'eu' AS member, 'k' || lpad(n::text, 5, '0') AS idempotency_key FROM "
                            "generate_series(1, 1199, 2) n "
                            "UNION ALL SELECT 'us', 'k' || lpad(n::text, 5, '0') FROM generate_series(2, 600, 2) n "
                            "UNION ALL SELECT 'us', 'k' || lpad(n::text, 5, '0') FROM generate_series(1, 5, 2) n) t "
                            "ORDER BY idempotency_key, member"_s;
        QStringList expected = m_clusters->eu.psql(u"orders"_s, all).split(u'\n');
        QStringList got = rows();
        QCOMPARE(got.size(), 903);
        // The list may run the other way: newest first.
        if (got.constFirst().endsWith(u"k01199"_s)) {
            std::stable_sort(expected.begin(), expected.end(),
                [](const QString &a, const QString &b) { return a.mid(3) > b.mid(3); });
        }
        QCOMPARE(got, expected);
        QCOMPARE(m_model->answered(), 2);
        QVERIFY2(m_model->notes().isEmpty(), qPrintable(m_model->notes().join(u'\n')));
        QVERIFY(m_model->complete());
    }

    void oneFilterHoldsForAll()
    {
        open({ m_clusters->euPlace(), m_clusters->usPlace() });
        QVERIFY(m_model->ask(u"plpgsql-request"_s, u"key:k00003"_s).ok());
        readAll();
        QCOMPARE(rows(), (QStringList { u"eu k00003"_s, u"us k00003"_s }));
        QCOMPARE(m_model->filterOf(1), u"key:k00003"_s);
        QCOMPARE(m_model->index(1, 0).data().toString(), u"us"_s);
        QVERIFY(m_model->ask(u"plpgsql-request"_s, u"state:stale"_s).ok());
        readAll();
        QCOMPARE(m_model->rowCount(), 3);
        // A filter that is none changes nothing.
        const auto wrong = m_model->ask(u"plpgsql-request"_s, u"attempts>>x"_s);
        QVERIFY(!wrong.ok());
        QVERIFY(wrong.error().position >= 0);
        QCOMPARE(m_model->rowCount(), 3);
        QCOMPARE(m_model->filter(), u"state:stale"_s);
    }

    /// A row that replication brought is one line; one that differs in what the list tells is two.
    void whatMembersHoldAlikeIsOneRow()
    {
        const auto cleared = qScopeGuard([this] { // a failure here must not fail the others
            for (TestCluster *side : { &m_clusters->eu, &m_clusters->us }) {
                side->psql(u"orders"_s, u"DELETE FROM app.idempotency_request WHERE idempotency_key LIKE 'k0200_'"_s);
            }
        });
        for (TestCluster *side : { &m_clusters->eu, &m_clusters->us }) {
            GroupClusters::fill(*side, 2001, 2003, 1);
        }
        m_clusters->us.psql(
            u"orders"_s, u"UPDATE app.idempotency_request SET attempt_count = 7 WHERE idempotency_key = 'k02002'"_s);
        open({ m_clusters->euPlace(), m_clusters->usPlace() });
        m_model->setPaired(true);
        QVERIFY(m_model->ask(u"plpgsql-request"_s, u"key:k02001,k02002,k02003"_s).ok());
        readAll();
        QStringList seen;
        for (int row = 0; row < m_model->rowCount(); ++row) {
            seen += m_model->index(row, GroupKeysModel::kMemberColumn).data().toString() + u' '
                + m_model->row(row)->record.key.text;
        }
        seen.sort();
        QCOMPARE(seen, (QStringList { u"eu k02002"_s, u"eu, us k02001"_s, u"eu, us k02003"_s, u"us k02002"_s }));
        m_model->setPaired(false);
        m_model->refresh();
        readAll();
        QCOMPARE(m_model->rowCount(), 6);
    }

    /// As the list of one member does.
    void theNewestKeysComeFirst()
    {
        open({ m_clusters->euPlace(), m_clusters->usPlace() });
        QVERIFY(m_model->ask(u"plpgsql-request"_s, {}).ok());
        readAll();
        QVERIFY2(m_model->orderUsed().startsWith(u'-'), qPrintable(m_model->orderUsed()));
        QVERIFY(m_model->orderIsTime()); // by whatever name the profile gives it
        QCOMPARE(m_model->row(0)->record.key.text, u"k01199"_s);
    }

    void aMemberThatIsDownIsNamed()
    {
        open({ m_clusters->euPlace(), m_clusters->downPlace(), m_clusters->usPlace() });
        QVERIFY(m_model->ask(u"plpgsql-request"_s, {}).ok());
        readAll();
        QCOMPARE(m_model->rowCount(), 903);
        QCOMPARE(m_model->answered(), 2);
        QCOMPARE(m_model->asked(), 3);
        QCOMPARE(m_model->notes().size(), 1);
        QVERIFY2(m_model->notes().constFirst().startsWith(u"ap: "_s), qPrintable(m_model->notes().constFirst()));
    }

    void aTableThatIsNotThereIsNamed()
    {
        m_clusters->us.createDatabase(u"bare"_s);
        open({ m_clusters->euPlace(), m_clusters->place(u"us"_s, m_clusters->us.conninfoAs(u"support"_s, u"bare"_s)) });
        QVERIFY(m_model->ask(u"plpgsql-request"_s, {}).ok());
        readAll();
        QCOMPARE(m_model->rowCount(), 600);
        QCOMPARE(m_model->notes(), QStringList { u"us: It has no such table."_s });
    }

    void aMemberThatGoesLeavesTheOthersTheirKeys()
    {
        open({ m_clusters->euPlace(), m_clusters->usPlace() });
        QVERIFY(m_model->ask(u"plpgsql-request"_s, {}).ok());
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->busy() && m_model->rowCount() == GroupKeysModel::kPage, 20'000);
        QVERIFY(m_clusters->us.cluster().stop().ok());
        QTRY_COMPARE_WITH_TIMEOUT(m_session->state(1), GroupSession::MemberState::Failed, 30'000);
        readAll();
        QCOMPARE(m_model->answered(), 1);
        QVERIFY(m_model->notes().constFirst().startsWith(u"us: "_s));
        const QStringList got = rows();
        QCOMPARE(
            std::count_if(got.cbegin(), got.cend(), [](const QString &row) { return row.startsWith(u"eu "_s); }), 600);
        QVERIFY(m_clusters->us.cluster().start(true).ok());
        QVERIFY(!m_model->outdated());
        m_session->refresh(1);
        QTRY_VERIFY_WITH_TIMEOUT(m_model->outdated(), 30'000);
        m_model->refresh();
        readAll();
        QCOMPARE(m_model->rowCount(), 903);
        QVERIFY(!m_model->outdated());
    }
};

QTEST_GUILESS_MAIN(GroupKeysModelTest)
#include "tst_group_keys_model.moc"
