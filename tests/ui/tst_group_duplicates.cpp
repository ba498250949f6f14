// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/translation/translation.h"
#include "models/groups/group_duplicates.h"
#include "models/groups/group_session.h"
#include "models/settings.h"
#include "tests/support/group_clusters.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/regions/group_duplicates_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using models::GroupDuplicateList;

/// Duplicates in each member of a group: two real servers, and a member that is none. Each group of keys names its
/// member, and who was not searched is said.
class GroupDuplicatesTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        app::installTranslations();
        m_clusters = std::make_unique<GroupClusters>();
        // In eu two keys led to one order; in us two other keys came with one request, and a third one is alone.
        add(m_clusters->eu, u"'twice-a', md5('1'), 'succeeded', 'order', md5('o1')::uuid"_s);
        add(m_clusters->eu, u"'twice-b', md5('2'), 'succeeded', 'order', md5('o1')::uuid"_s);
        add(m_clusters->us, u"'again-a', md5('9'), 'succeeded', 'order', md5('o7')::uuid"_s);
        add(m_clusters->us, u"'again-b', md5('9'), 'succeeded', 'order', md5('o8')::uuid"_s);
        add(m_clusters->us, u"'twice-a', md5('1'), 'succeeded', 'order', md5('o1')::uuid"_s);
    }
    void cleanupTestCase() { m_clusters.reset(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_store = std::make_unique<QSettings>(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat);
        m_settings = std::make_unique<models::Settings>(m_store.get());
    }
    void cleanup()
    {
        m_window.reset();
        m_group.reset();
    }

    void eachMemberIsSearched();
    void whoMayNotReadIsNamed();
    void aFilterThatCannotBeReadSaysSo();
    void nothingIsFoundOnlyWhereAllWasSearched();
    void anotherChoiceForgetsWhatWasFound();
    void whatMembersHoldAlikeIsOneRow();
    void whatWasNotComparedIsNotClaimed();

private:
    static void add(TestCluster &side, const QString &values)
    {
        side.psql(u"orders"_s,
            u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            "result_ref_type, result_ref_id, claimed_at, created_at, updated_at, expires_at) SELECT 'order', %1, "
            "now(), "
            "now() - interval '1 hour', now(), now() + interval '1 day'"_s.arg(values));
    }
    void open(const QList<models::GroupPlace> &places, int answering)
    {
        m_group = std::make_unique<models::GroupSession>(
            models::GroupPlaces { u"payments"_s, sql::GroupKind::Regions, places }, nullptr,
            m_folder->filePath(u"profiles"_s));
        m_window = std::make_unique<QWidget>();
        m_view = new ui::GroupDuplicatesView(m_group.get(), m_settings.get(), m_window.get());
        (new QVBoxLayout(m_window.get()))->addWidget(m_view);
        new QAbstractItemModelTester(list(), QAbstractItemModelTester::FailureReportingMode::QtTest, m_window.get());
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_group->open();
        QTRY_COMPARE_WITH_TIMEOUT(m_group->answeredCount(), answering, 60'000);
        auto *targets = find<QComboBox>(u"groupDuplicatesTarget"_s);
        QTRY_VERIFY_WITH_TIMEOUT(targets->findData(u"plpgsql-request"_s) >= 0, 20'000);
        targets->setCurrentIndex(targets->findData(u"plpgsql-request"_s));
    }
    template <typename Widget> Widget *find(const QString &name) const
    {
        auto *widget = m_window->findChild<Widget *>(name);
        insist(widget != nullptr, u"There is no %1."_s.arg(name));
        return widget;
    }
    GroupDuplicateList *list() const { return m_view->duplicates()->list(); }
    void search()
    {
        QTest::mouseClick(find<QPushButton>(u"groupDuplicatesSearch"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!m_view->duplicates()->running(), 60'000);
    }
    QString notice() const
    {
        QStringList said;
        for (const QLabel *label : find<QWidget>(u"groupDuplicatesNotice"_s)->findChildren<QLabel *>()) {
            said += label->text();
        }
        return said.join(u'\n');
    }

    std::unique_ptr<GroupClusters> m_clusters;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<models::Settings> m_settings;
    std::unique_ptr<models::GroupSession> m_group;
    std::unique_ptr<QWidget> m_window;
    ui::GroupDuplicatesView *m_view = nullptr;
};

void GroupDuplicatesTest::eachMemberIsSearched()
{
    open({ m_clusters->euPlace(), m_clusters->usPlace(), m_clusters->downPlace() }, 2);
    // By the keyboard alone: Enter in the filter searches.
    find<QLineEdit>(u"groupDuplicatesFilter"_s)->setFocus();
    QTest::keyClick(find<QLineEdit>(u"groupDuplicatesFilter"_s), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(m_view->duplicates()->answered(), 2, 60'000);
    QVERIFY(!m_view->duplicates()->complete());
    QVERIFY2(notice().contains(u"2 of 3 members were searched."_s), qPrintable(notice()));
    QMap<QString, QStringList> found;
    for (const models::MemberDuplicate &row : list()->rows()) {
        found[row.label] += row.group.sample;
    }
    QCOMPARE(found.value(u"eu"_s), QStringList({ u"twice-a"_s, u"twice-b"_s }));
    QCOMPARE(found.value(u"us"_s), QStringList({ u"again-a"_s, u"again-b"_s }));
    QVERIFY2(find<QLabel>(u"groupDuplicatesTotal"_s)->text().startsWith(u"2 groups"_s),
        qPrintable(find<QLabel>(u"groupDuplicatesTotal"_s)->text()));
    // The keys are read in the member that has them, and shown there.
    QSignalSpy wanted(m_view, &ui::GroupDuplicatesView::keysWanted);
    auto *table = find<QTableView>(u"groupDuplicatesTable"_s);
    for (int row = 0; row < list()->rowCount(); ++row) {
        table->setCurrentIndex(list()->index(row, GroupDuplicateList::Reason));
        const models::MemberDuplicate &of = *list()->row(row);
        const auto *keys = find<QTableView>(u"groupDuplicateKeys"_s)->model();
        QCOMPARE(keys->rowCount(), 2);
        QTRY_VERIFY_WITH_TIMEOUT(keys->index(0, 2).data().toString() == u"Succeeded"_s, 20'000);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(wanted.last().at(0).toInt(), of.member);
        QCOMPARE(wanted.last().at(2).toString(), u"key:"_s + of.group.sample.join(u','));
    }
    QCOMPARE(wanted.size(), 2);
}

void GroupDuplicatesTest::whoMayNotReadIsNamed()
{
    m_clusters->us.psql(u"postgres"_s, u"CREATE ROLE narrow LOGIN"_s);
    m_clusters->us.psql(u"orders"_s, u"GRANT USAGE ON SCHEMA app TO narrow"_s); // and to none of its tables
    open({ m_clusters->euPlace(), m_clusters->place(u"us"_s, m_clusters->us.conninfoAs(u"narrow"_s, u"orders"_s)) }, 2);
    search();
    QCOMPARE(m_view->duplicates()->answered(), 1);
    QVERIFY2(
        notice().contains(u"1 of 2 members were searched."_s) && notice().contains(u"us: "_s), qPrintable(notice()));
    QCOMPARE(list()->rowCount(), 1); // what eu holds is told all the same
}

void GroupDuplicatesTest::aFilterThatCannotBeReadSaysSo()
{
    open({ m_clusters->euPlace(), m_clusters->usPlace() }, 2);
    find<QLineEdit>(u"groupDuplicatesFilter"_s)->setText(u"age>>x"_s);
    search();
    QCOMPARE(m_view->duplicates()->answered(), 0);
    QCOMPARE(list()->rowCount(), 0);
    auto *fault = find<QLabel>(u"groupDuplicatesFault"_s);
    QVERIFY2(fault->isVisible() && fault->text().contains(u"(character "_s), qPrintable(fault->text()));
    QVERIFY(!find<QWidget>(u"groupDuplicatesNotice"_s)->isVisible()); // no member failed
    QTest::keyClick(find<QLineEdit>(u"groupDuplicatesFilter"_s), Qt::Key_Backspace);
    QVERIFY(!fault->isVisible());
}

void GroupDuplicatesTest::nothingIsFoundOnlyWhereAllWasSearched()
{
    const auto said = [this] {
        QStringList texts;
        for (const QLabel *label : m_view->findChildren<QLabel *>()) {
            texts += label->isVisible() ? label->text() : QString();
        }
        return texts.join(u'\n');
    };
    for (const bool down : { false, true }) {
        open(QList<models::GroupPlace> { m_clusters->euPlace(), m_clusters->usPlace() }
                + (down ? QList<models::GroupPlace> { m_clusters->downPlace() } : QList<models::GroupPlace>()),
            2);
        find<QLineEdit>(u"groupDuplicatesFilter"_s)->setText(u"key:nothing-like-it"_s);
        search();
        QCOMPARE(said().contains(u"Nothing looks like a duplicate"_s), !down);
        QCOMPARE(said().contains(u"Not all could be looked at"_s), down);
        cleanup();
    }
}

/// What was found is no answer of another table.
void GroupDuplicatesTest::anotherChoiceForgetsWhatWasFound()
{
    open({ m_clusters->euPlace(), m_clusters->usPlace() }, 2);
    search();
    QCOMPARE(list()->rowCount(), 2);
    // It is said what was compared, and where the rest stands.
    auto *reach = find<QLabel>(u"groupDuplicatesReach"_s);
    QCOMPARE(reach->text(), u"Compares keys within each member. Keys done in two members are under Differences."_s);
    QVERIFY(find<QLabel>(u"groupDuplicatesTotal"_s)->text().endsWith(u"2 of 2 members searched"_s));
    const int left = int(m_view->duplicates()->notes().size());
    QVERIFY(left > 0);
    QVERIFY(find<QPushButton>(u"groupDuplicatesAbout"_s)->text().contains(QString::number(left)));
    // What was not looked for stands there for who asks, a line each.
    auto *reasons = find<QLabel>(u"groupDuplicatesReasons"_s);
    QVERIFY(!reasons->isVisible());
    QTest::mouseClick(find<QPushButton>(u"groupDuplicatesAbout"_s), Qt::LeftButton);
    QVERIFY(reasons->isVisible());
    QCOMPARE(reasons->text().split(u'\n'), m_view->duplicates()->notes());
    QVERIFY(!find<QWidget>(u"groupDuplicatesNotice"_s)->isVisible());
    QSignalSpy differences(m_view, &ui::GroupDuplicatesView::differencesWanted);
    QTest::mouseClick(find<QPushButton>(u"groupDuplicatesDifferences"_s), Qt::LeftButton);
    QCOMPARE(differences.size(), 1);
    QCOMPARE(differences.constFirst().constFirst().toString(), u"plpgsql-request"_s);
    auto *targets = find<QComboBox>(u"groupDuplicatesTarget"_s);
    targets->setFocus();
    const int before = targets->currentIndex();
    QTest::keyClick(targets, before == 0 ? Qt::Key_Down : Qt::Key_Up);
    QVERIFY(targets->currentIndex() != before);
    QCOMPARE(list()->rowCount(), 0);
    QVERIFY(m_view->duplicates()->choice().target.isEmpty());
    QVERIFY(!find<QLabel>(u"groupDuplicatesTotal"_s)->isVisible());
}

/// It was done once, and copied; a group that only one of them has stays its own.
void GroupDuplicatesTest::whatMembersHoldAlikeIsOneRow()
{
    const auto cleared = qScopeGuard([this] { // a failure here must not fail the others
        for (TestCluster *side : { &m_clusters->eu, &m_clusters->us }) {
            side->psql(u"orders"_s, u"DELETE FROM app.idempotency_request WHERE idempotency_key LIKE 'copied-%'"_s);
        }
    });
    for (TestCluster *side : { &m_clusters->eu, &m_clusters->us }) {
        add(*side, u"'copied-a', md5('5'), 'succeeded', 'order', md5('o5')::uuid"_s);
        add(*side, u"'copied-b', md5('6'), 'succeeded', 'order', md5('o5')::uuid"_s);
    }
    open({ m_clusters->euPlace(), m_clusters->usPlace() }, 2);
    find<QLineEdit>(u"groupDuplicatesFilter"_s)->setText(u"key:copied-a,copied-b,again-a,again-b"_s);
    search();
    QStringList found;
    for (const models::MemberDuplicate &row : list()->rows()) {
        found += row.label + u": "_s + row.group.sample.join(u' ');
    }
    found.sort();
    QCOMPARE(found, (QStringList { u"eu, us: copied-a copied-b"_s, u"us: again-a again-b"_s }));
    QVERIFY(find<QLabel>(u"groupDuplicatesTotal"_s)->text().startsWith(u"2 groups"_s));
    // The button asks in which of them they are to be shown.
    QSignalSpy wanted(m_view, &ui::GroupDuplicatesView::keysWanted);
    auto *table = find<QTableView>(u"groupDuplicatesTable"_s);
    const int row = list()->rows().constFirst().others.isEmpty() ? 1 : 0;
    table->setCurrentIndex(list()->index(row, GroupDuplicateList::Reason));
    const QMenu *menu = find<QPushButton>(u"groupDuplicateShow"_s)->menu();
    QVERIFY(menu != nullptr && menu->actions().size() == 2);
    emit find<QPushButton>(u"groupDuplicateShow"_s)->clicked(); // as its shortcut does, beside opening the menu
    QCOMPARE(wanted.size(), 0);
    menu->actions().at(1)->trigger();
    QCOMPARE(wanted.constFirst().at(0).toInt(), 1);
    table->setCurrentIndex(list()->index(1 - row, GroupDuplicateList::Reason));
    QVERIFY(find<QPushButton>(u"groupDuplicateShow"_s)->menu() == nullptr);
}

/// A table without effects, results and payloads says nothing of them.
void GroupDuplicatesTest::whatWasNotComparedIsNotClaimed()
{
    open({ m_clusters->euPlace(), m_clusters->usPlace() }, 2);
    auto *targets = find<QComboBox>(u"groupDuplicatesTarget"_s);
    targets->setCurrentIndex(targets->findData(u"plpgsql-message"_s));
    search();
    QVERIFY(m_view->duplicates()->complete() && !m_view->duplicates()->notes().isEmpty());
    QStringList said;
    for (const QLabel *label : m_view->findChildren<QLabel *>()) {
        said += label->isVisible() ? label->text() : QString();
    }
    const QString all = said.join(u'\n');
    QVERIFY2(all.contains(u"Nothing looks like a duplicate"_s)
            && all.contains(u"What was not compared is said above."_s) && !all.contains(u"share a result, an effect"_s),
        qPrintable(all));
    QVERIFY2(find<QLabel>(u"groupDuplicatesReasons"_s)->text().contains(m_view->duplicates()->notes().constFirst()),
        qPrintable(all));
}

QTEST_MAIN(GroupDuplicatesTest)
#include "tst_group_duplicates.moc"
