// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/complaint_controller.h"
#include "models/groups/group_desk.h"
#include "models/groups/group_session.h"
#include "models/workspace/workspace.h"
#include "tests/support/group_clusters.h"
#include "tests/ui/dialog_support.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/complaints/complaints_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// A complaint in a window that belongs to a group: the other members are asked, too. Two real servers and one that is
/// none.
class GroupComplaintsTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<GroupClusters> m_clusters;
    std::unique_ptr<WindowFixture> m_window;
    std::unique_ptr<ui::Theme> m_theme; ///< for pictures alone

    models::GroupDesk *desk() const { return m_window->window->group(); }
    models::ComplaintController *complaint() const { return m_window->window->workspace()->complaint(); }
    QString text(const QString &label) const { return m_window->find<QLabel>(label)->text(); }
    /// One charge of a customer, with its order, as the service that answered stored it.
    static void charge(
        TestCluster &side, const QString &key, const QString &customer, const QString &order, int minutes)
    {
        side.psql(u"orders"_s,
            u"WITH made AS (INSERT INTO app.customer_order (order_id, customer_id, external_cart_id, total_amount) "
            u"VALUES "
            "('%3', gen_random_uuid(), '%1', 10.5) RETURNING order_id), told AS (INSERT INTO app.outbox_event "
            "(event_type, aggregate_type, aggregate_id, idempotency_scope, idempotency_key, payload) SELECT 'made', "
            "'order', order_id, 'order', '%1', '{}' FROM made) INSERT INTO app.idempotency_request (idempotency_scope, "
            "idempotency_key, request_hash, status, claimed_at, created_at, updated_at, expires_at, result_ref_type, "
            "result_ref_id, response_body) SELECT 'order', '%1', md5('%1'), 'succeeded', at, at, at, at + interval '1 "
            "year', 'customer_order', '%3', '{\"customer_id\": \"%2\", \"amount\": \"10.50\", \"currency\": \"EUR\"}' "
            "FROM (SELECT now() - interval '2 hours' + interval '%4 minutes') t(at)"_s.arg(key, customer, order)
                .arg(minutes));
    }
    static QString order(int number) { return u"00000000-0000-4000-8000-%1"_s.arg(number, 12, 10, QChar(u'0')); }
    void open(const QList<models::GroupPlace> &members)
    {
        m_window->window->openGroup(m_clusters->group(members));
        QTRY_COMPARE_WITH_TIMEOUT(desk()->session()->answeredCount(), 2, 60'000);
        QVERIFY(desk()->show(0)); // whichever answered first
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 60'000);
        m_window->window->showPage(u"complaints"_s);
    }
    void ask(const QString &field, const QString &value)
    {
        m_window->window->complaintsPage()->clear();
        auto *line = m_window->find<QLineEdit>(field);
        line->setText(value);
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(complaint()->answered() && !complaint()->busy(), 60'000);
    }
    /// Where IDEMDESK_PICTURES names a folder: for a person to look at; with IDEMDESK_DARK in the dark.
    static void picture(QWidget *widget, const QString &name)
    {
        const QString folder = qEnvironmentVariable("IDEMDESK_PICTURES");
        if (!folder.isEmpty()) {
            QCoreApplication::processEvents(); // what was laid out anew
            QVERIFY(widget->grab().save(folder + u'/' + name + u".png"_s));
        }
    }
    QString judged() const
    {
        const auto *file = complaint()->caseController();
        return QTest::qWaitFor([file] { return file->file().has_value() && !file->busy(); }, 60'000)
            ? text(u"caseSentence"_s)
            : u"no verdict"_s;
    }
    /// Each listed row: "member key", with a mark where it can be ticked.
    QStringList listed() const
    {
        QStringList lines;
        const models::ComplaintModel *model = complaint()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            const bool box = model->index(row, 0).data(Qt::CheckStateRole).isValid();
            const QString there = model->index(row, models::ComplaintModel::Member).data(models::DetailRole).toString();
            lines += box == there.isEmpty() ? QString() : u"without its reason"_s;
            lines += model->index(row, models::ComplaintModel::Member).data().toString() + u' '
                + model->index(row, models::ComplaintModel::Key).data().toString() + (box ? u" []"_s : QString());
        }
        lines.removeAll(QString());
        lines.sort();
        return lines;
    }
    QString across() const
    {
        QStringList said;
        for (const QLabel *label : m_window->find<ui::NoticeBar>(u"complaintAcross"_s)->findChildren<QLabel *>()) {
            said += label->isVisible() ? label->text() : QString();
        }
        return said.join(u'\n');
    }
    QPushButton *acrossCompare() const
    {
        return m_window->find<ui::NoticeBar>(u"complaintAcross"_s)->findChild<QPushButton *>(u"noticePrimary"_s);
    }
    QStringList rules() const
    {
        QStringList sentences;
        for (const models::VerdictRule &rule : complaint()->caseController()->file()->verdict.rules) {
            sentences += rule.sentence;
        }
        return sentences;
    }

private slots:
    void initTestCase()
    {
        test::failOnWarning();
        if (!qEnvironmentVariableIsEmpty("IDEMDESK_PICTURES")) {
            m_theme = std::make_unique<ui::Theme>(qApp);
            m_theme->apply(qEnvironmentVariableIsEmpty("IDEMDESK_DARK") ? models::Theme::Light : models::Theme::Dark);
        }
        m_clusters = std::make_unique<GroupClusters>();
        charge(m_clusters->eu, u"twice-eu"_s, u"cus-7"_s, order(1), 0);
        charge(m_clusters->us, u"twice-us"_s, u"cus-7"_s, order(2), 5);
        for (TestCluster *side : { &m_clusters->eu, &m_clusters->us }) {
            charge(*side, u"replicated"_s, u"cus-8"_s, order(3), 10);
        }
        charge(m_clusters->eu, u"parted"_s, u"cus-9"_s, order(4), 15);
        charge(m_clusters->us, u"parted"_s, u"cus-9"_s, order(5), 15);
        charge(m_clusters->eu, u"alone"_s, u"cus-10"_s, order(6), 20);
        charge(m_clusters->us, u"there"_s, u"cus-11"_s, order(7), 20);
    }
    void cleanupTestCase() { m_clusters.reset(); }
    void init() { m_window = std::make_unique<WindowFixture>(m_clusters->eu); }
    void cleanup() { m_window.reset(); }

    void aSecondChargeInAnotherMemberIsFound()
    {
        open({ m_clusters->euPlace(), m_clusters->usPlace() });
        QAbstractItemModelTester tester(complaint()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        ask(u"complaintText"_s, u"cus-7\""_s);
        QCOMPARE(listed(), QStringList({ u"eu twice-eu []"_s, u"us twice-us"_s }));
        QVERIFY(!complaint()->caseController()->file() && !complaint()->caseController()->busy());
        const QString counted = text(u"complaintCounted"_s);
        QVERIFY2(counted.contains(u"2 of 2 members answered"_s), qPrintable(counted));
        QVERIFY2(across().contains(u"two charges of one customer (cus-7)"_s), qPrintable(across()));
        QVERIFY(!acrossCompare()->isVisible()); // they are two keys
        QVERIFY(!m_window->find<ui::NoticeBar>(u"complaintSilent"_s)->isVisible());
        auto *table = m_window->find<QTableView>(u"complaintTable"_s);
        table->setCurrentIndex(table->model()->index(complaint()->model()->elsewhere(0) ? 0 : 1, 0));
        picture(m_window->window.get(), u"complaint-group"_s);
        // Only the rows of the window's own member are judged, and the verdict knows of the other one.
        for (int row = 0; row < 2; ++row) {
            complaint()->model()->pick(row, true);
        }
        QCOMPARE(complaint()->model()->picked().size(), 1);
        complaint()->judgePicked();
        const QString verdict = judged();
        QVERIFY2(verdict.startsWith(u"In eu: There was one effect."_s), qPrintable(verdict));
        QVERIFY2(verdict.contains(u"With us it looks as if it was done more than once."_s), qPrintable(verdict));
        picture(m_window->window.get(), u"complaint-group-verdict"_s);
        QCOMPARE(complaint()->caseController()->file()->verdict.kind, models::VerdictKind::SeveralIntents);
        QVERIFY2(rules().join(u'\n').contains(u"us holds another charge"_s), qPrintable(rules().join(u'\n')));
    }

    /// What replication brought is no second charge; one key with two results is one.
    void theSameRowIsNoSecondOne()
    {
        open({ m_clusters->euPlace(), m_clusters->usPlace() });
        ask(u"complaintText"_s, u"cus-8\""_s);
        QCOMPARE(listed(), QStringList({ u"eu replicated []"_s, u"us replicated"_s }));
        QVERIFY(!m_window->find<ui::NoticeBar>(u"complaintAcross"_s)->isVisible());
        complaint()->model()->pick(complaint()->model()->elsewhere(0) ? 1 : 0, true);
        complaint()->judgePicked();
        QVERIFY2(judged().startsWith(u"In eu: There was one effect."_s), qPrintable(judged()));
        QCOMPARE(complaint()->caseController()->file()->verdict.kind, models::VerdictKind::OneEffect);
        QVERIFY2(
            rules().join(u'\n').contains(u"us holds the same with the same result"_s), qPrintable(rules().join(u'\n')));
        ask(u"complaintText"_s, u"cus-9\""_s);
        QVERIFY2(across().contains(u"parted has two results"_s), qPrintable(across()));
        complaint()->model()->pick(complaint()->model()->elsewhere(0) ? 1 : 0, true);
        complaint()->judgePicked();
        QVERIFY2(judged().contains(u"With us it looks as if it was done more than once."_s), qPrintable(judged()));
    }

    /// Not the first two of the group.
    void theTwoThatDifferAreCompared()
    {
        open({ m_clusters->euPlace(), m_clusters->downPlace(), m_clusters->usPlace() });
        ask(u"complaintText"_s, u"cus-9\""_s);
        QTRY_VERIFY2(across().contains(u"parted has two results"_s), qPrintable(across()));
        QTest::mouseClick(acrossCompare(), Qt::LeftButton);
        QCOMPARE(m_window->find<QComboBox>(u"differencesSide0"_s)->currentIndex()
                + m_window->find<QComboBox>(u"differencesSide1"_s)->currentIndex(),
            2);
        QCOMPARE(m_window->find<QLineEdit>(u"differencesFilter"_s)->text(), u"key:parted"_s);
    }

    void aMemberThatIsDownIsNamedAndNothingIsClaimedOfIt()
    {
        open({ m_clusters->euPlace(), m_clusters->usPlace(), m_clusters->downPlace() });
        ask(u"complaintText"_s, u"cus-10\""_s);
        // Judged at once, as the one match there is; but never as done once.
        const QString verdict = judged();
        QVERIFY2(verdict.startsWith(u"In eu: There was one effect."_s), qPrintable(verdict));
        QVERIFY2(verdict.contains(u"What ap holds is not known."_s), qPrintable(verdict));
        QCOMPARE(complaint()->caseController()->file()->verdict.kind, models::VerdictKind::EvidenceMissing);
        QCOMPARE(complaint()->caseController()->file()->verdict.certainty, models::Certainty::Open);
        QVERIFY2(
            rules().contains(u"us was searched for the same, without a match."_s), qPrintable(rules().join(u'\n')));
        QTest::mouseClick(m_window->find<QPushButton>(u"complaintBack"_s), Qt::LeftButton);
        auto *silent = m_window->find<ui::NoticeBar>(u"complaintSilent"_s);
        QVERIFY(silent->isVisible());
        QVERIFY(text(u"complaintCounted"_s).contains(u"2 of 3 members answered"_s));
        // Nothing found is said of those that answered alone.
        ask(u"complaintKey"_s, u"no-such-key"_s);
        QVERIFY(silent->isVisible() && listed().isEmpty());
        QString said;
        for (const QLabel *label : m_window->window->complaintsPage()->findChildren<QLabel *>()) {
            said += label->isVisible() ? label->text() + u'\n' : QString();
        }
        QVERIFY2(said.contains(u"No match in the members that answered"_s), qPrintable(said));
        QVERIFY2(said.contains(u"2 of 3 members answered"_s) && said.contains(u"ap: "_s), qPrintable(said));
        picture(m_window->window.get(), u"complaint-group-down"_s);
        // It stays said when it is asked again.
        complaint()->retry();
        QTRY_VERIFY_WITH_TIMEOUT(!complaint()->busy() && complaint()->answered(), 60'000);
        QCOMPARE(complaint()->silent().size(), 1);
    }

    void aMatchLeadsToItsMember()
    {
        open({ m_clusters->euPlace(), m_clusters->usPlace() });
        ask(u"complaintText"_s, u"cus-11\""_s);
        QCOMPARE(listed(), QStringList { u"us there"_s });
        QVERIFY(!complaint()->caseController()->file() && !complaint()->caseController()->busy());
        auto *table = m_window->find<QTableView>(u"complaintTable"_s);
        auto *there = m_window->find<QPushButton>(u"complaintThere"_s);
        table->setCurrentIndex(table->model()->index(0, 0));
        QVERIFY(there->isVisible());
        QCOMPARE(there->text(), u"&Show in us"_s);
        there->setFocus();
        QTest::keyClick(there, Qt::Key_Space);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->window->currentPage(), u"keys"_s, 30'000);
        QCOMPARE(desk()->current(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 30'000);
        QCOMPARE(m_window->model()->record(0)->key.text, u"there"_s);
        // A case that is opened there says so, too: nobody asked eu.
        m_window->window->showPage(u"complaints"_s);
        complaint()->judgeKeys(u"plpgsql-request"_s, { u"there"_s }, { { sql::Cell::of(u"order"_s) } });
        QVERIFY2(judged().startsWith(u"In us: "_s), qPrintable(judged()));
        QVERIFY2(rules().contains(u"eu was not searched."_s), qPrintable(rules().join(u'\n')));
    }

    /// Without a group nothing of one is seen.
    void aWindowAloneSaysNothingOfMembers()
    {
        m_window->connectAs(u"support"_s, u"orders"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 60'000);
        m_window->window->showPage(u"complaints"_s);
        ask(u"complaintText"_s, u"cus-10\""_s);
        QVERIFY2(judged().startsWith(u"There was one effect."_s), qPrintable(judged()));
        QVERIFY(m_window->find<QTableView>(u"complaintTable"_s)->isColumnHidden(models::ComplaintModel::Member));
        QVERIFY(!text(u"complaintCounted"_s).contains(u"members"_s));
    }
};

QTEST_MAIN(GroupComplaintsTest)
#include "tst_group_complaints.moc"
