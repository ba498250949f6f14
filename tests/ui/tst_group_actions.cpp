// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/translation/translation.h"
#include "models/actions/action_center.h"
#include "models/actions/action_journal.h"
#include "models/groups/group_action.h"
#include "models/groups/group_action_list.h"
#include "models/groups/group_desk.h"
#include "models/groups/group_session.h"
#include "models/settings.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/connect_dialog.h"
#include "ui/pages/audit/audit_page.h"
#include "ui/pages/regions/group_action_view.h"
#include "ui/pages/regions/regions_page.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using models::GroupActionList;
using models::MemberAction;

/// Recovery, requeue and purge over all members of a group in the window: two real clusters with a console each, and a
/// third member that is down. Each plans and acts by its own rights, limits and trail; who fails disturbs nobody.
class GroupActionsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();

    void plansStandBesideEachOther();
    void oneReviewActsInAll();
    void poisonIsTriedAgainInAll();
    void aMemberWithoutRightsIsNamed();
    void aMemberThatFailsLeavesTheOthers();
    void approvalIsAMembersOwn();
    void aTableThatIsNotRegisteredStays();
    void anotherProfileIsAskedByItsOwnRules();
    void aCacheThatHoldsOffIsNamed();
    void oneDatabaseUnderTwoLabelsStays();
    void productionIsAllowedAndTyped();
    void purgeGoesThroughAll();
    void purgeWithoutCopiesIsTyped();
    void moreThanCopiesAreKeptForStays();
    void aLostConnectionIsLookedUp();
    void aMemberThatGoesAwayIsGivenUp();
    void stoppingLeavesTheRest();
    void aReviewThatIsLeftKeepsItsReason();
    void aFilterThatCannotBeReadSaysWhere();
    void anotherChoiceForgetsThePlan();
    void theWindowStaysWhileItActsAndLeadsToWhatWasDone();
    void whatAnotherRegionHasIsLeftAlone();
    void whatAnotherRegionEndsAfterThePlanStays();
    void aRegionThatIsNotAskedHoldsAllBack();

private:
    enum Sides { Two, WithOneDown };
    static models::GroupPlace place(const QString &label, ConsoleFixture &side, const QString &login)
    {
        models::GroupPlace place;
        place.label = label;
        place.settings.conninfo = side.cluster().conninfoAs(login, side.database());
        return place;
    }
    void open(Sides sides = Two, const QString &usLogin = u"op"_s);
    void openPlaces(const QList<models::GroupPlace> &places, int answering);
    static QString in(ConsoleFixture &side, const QString &sql) { return side.root().value(sql); }
    template <typename Widget> Widget *find(const QString &name) const
    {
        auto *widget = m_window->findChild<Widget *>(name);
        insist(widget != nullptr, u"There is no %1."_s.arg(name));
        return widget;
    }
    models::GroupAction *action() const { return m_view->action(); }
    const MemberAction &member(int number) const { return action()->member(number); }
    QString cell(int row, int column) const { return action()->list()->index(row, column).data().toString(); }
    void plan()
    {
        QTest::mouseClick(find<QPushButton>(u"groupActionPlanNow"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(action()->planned(), 60'000);
    }
    QString notice() const
    {
        QStringList said;
        for (const QLabel *label : find<QWidget>(u"groupActionNotice"_s)->findChildren<QLabel *>()) {
            said += label->text();
        }
        return said.join(u'\n');
    }
    QDialog *review() const
    {
        QTest::mouseClick(find<QPushButton>(u"groupActionGo"_s), Qt::LeftButton);
        return m_view->dialog();
    }
    void confirm(const QString &typed = {})
    {
        QDialog *dialog = review();
        QVERIFY(dialog != nullptr);
        auto *go = dialog->findChild<QPushButton *>(u"actionGo"_s);
        QVERIFY(!go->isEnabled()); // not without a reason
        dialog->findChild<QLineEdit *>(u"actionReason"_s)->setText(u"worker died"_s);
        dialog->findChild<QLineEdit *>(u"actionTicket"_s)->setText(u"OPS-7"_s);
        QCOMPARE(go->isEnabled(), typed.isEmpty());
        if (!typed.isEmpty()) {
            dialog->findChild<QLineEdit *>(u"actionTyped"_s)->setText(typed);
        }
        QTest::mouseClick(go, Qt::LeftButton);
        QVERIFY(action()->running());
    }
    void awaitEnd() { QTRY_VERIFY_WITH_TIMEOUT(!action()->running(), 60'000); }
    static QStringList cells(const QTableWidget *table)
    {
        QStringList lines;
        for (int row = 0; row < table->rowCount(); ++row) {
            QStringList line;
            for (int column = 0; column < table->columnCount(); ++column) {
                line += table->item(row, column)->text();
            }
            lines += line.join(u'|');
        }
        return lines;
    }
    static void picture(QWidget *widget, const QString &name)
    {
        const QString folder = qEnvironmentVariable("IDEMDESK_PICTURES");
        if (!folder.isEmpty()) {
            QCoreApplication::processEvents(); // what was laid out anew
            QVERIFY(widget->grab().save(folder + u'/' + name + u".png"_s));
        }
    }

    sql::GroupKind m_kind = sql::GroupKind::Regions; ///< of the group that is opened next
    std::unique_ptr<ConsoleFixture> m_eu;
    std::unique_ptr<ConsoleFixture> m_us;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<models::Settings> m_settings;
    std::unique_ptr<models::GroupSession> m_group;
    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<ui::Theme> m_theme; ///< for pictures alone
    ui::GroupActionView *m_view = nullptr;
};

namespace {

const QString kStuck = u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s;
const QString kFreed = u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s;
const QString kRows = u"SELECT count(*) FROM app.k"_s;
const QString kActions = u"SELECT count(*) FROM idemdesk.action"_s;
const QString kAsked = u"SELECT string_agg(concat_ws(' ', plan #>> '{group,id}', plan #>> '{group,name}', plan #>> "
                       "'{group,member}', verb, reason, ticket), ',') FROM idemdesk.action"_s;

} // namespace

void GroupActionsTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    if (!qEnvironmentVariableIsEmpty("IDEMDESK_PICTURES")) {
        m_theme = std::make_unique<ui::Theme>(qApp);
        m_theme->apply(qEnvironmentVariableIsEmpty("IDEMDESK_DARK") ? models::Theme::Light : models::Theme::Dark);
    }
    app::installTranslations();
    m_eu = std::make_unique<ConsoleFixture>();
    m_us = std::make_unique<ConsoleFixture>();
}

void GroupActionsTest::cleanupTestCase()
{
    m_us.reset();
    m_eu.reset();
}

/// 50 stuck keys, of which those of the tenant t2 have an effect that nobody can look up; k010 of eu lapsed just now.
void GroupActionsTest::init()
{
    m_kind = sql::GroupKind::Regions;
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<QSettings>(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat);
    m_settings = std::make_unique<models::Settings>(m_store.get());
    for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
        side->fresh([side] {
            side->cluster().psql(side->database(),
                u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, "
                "op, op2; INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0001';"
                "SET ROLE app_owner; CREATE TABLE app.slow (seconds double precision); GRANT SELECT ON app.slow TO "
                "idemdesk_runner_app_owner;"
                "CREATE FUNCTION app.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(s.seconds) "
                "FROM app.slow s; RETURN NULL; END $$;"
                "CREATE TRIGGER slow BEFORE DELETE ON app.k FOR EACH STATEMENT EXECUTE FUNCTION app.slow()"_s);
            registerTable(*side);
            side->forgetBare();
        });
    }
    m_eu->root().run(u"UPDATE app.k SET locked_until = now() - interval '5 s' WHERE key = 'k010'"_s);
}

void GroupActionsTest::cleanup()
{
    m_window.reset();
    m_group.reset();
}

void GroupActionsTest::openPlaces(const QList<models::GroupPlace> &places, int answering)
{
    m_group = std::make_unique<models::GroupSession>(
        models::GroupPlaces { u"payments"_s, m_kind, places }, nullptr, m_folder->filePath(u"profiles"_s));
    m_window = std::make_unique<QWidget>();
    m_view = new ui::GroupActionView(
        m_group.get(), m_settings.get(), m_folder->filePath(u"actions.json"_s), m_window.get());
    (new QVBoxLayout(m_window.get()))->addWidget(m_view);
    new QAbstractItemModelTester(
        action()->list(), QAbstractItemModelTester::FailureReportingMode::QtTest, m_window.get());
    new QAbstractItemModelTester(find<QTableView>(u"groupActionPlan"_s)->model(),
        QAbstractItemModelTester::FailureReportingMode::QtTest, m_window.get());
    m_window->resize(1200, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_group->open();
    QTRY_COMPARE_WITH_TIMEOUT(m_group->answeredCount(), answering, 60'000);
    auto *targets = find<QComboBox>(u"groupActionTarget"_s);
    QTRY_VERIFY_WITH_TIMEOUT(targets->findData(u"k2"_s) >= 0, 20'000);
    targets->setCurrentIndex(targets->findData(u"k2"_s));
}

void GroupActionsTest::open(Sides sides, const QString &usLogin)
{
    QList<models::GroupPlace> places { place(u"eu"_s, *m_eu, u"op"_s), place(u"us"_s, *m_us, usLogin) };
    if (sides == WithOneDown) {
        models::GroupPlace down;
        down.label = u"asia"_s;
        down.settings.conninfo = u"host=/nowhere dbname=x"_s;
        places += down;
    }
    openPlaces(places, 2);
}

void GroupActionsTest::plansStandBesideEachOther()
{
    m_kind = sql::GroupKind::Shards; // no key of one is another one's
    open(WithOneDown);
    QVERIFY(!find<QPushButton>(u"groupActionGo"_s)->isVisible()); // nothing was planned
    // By the keyboard alone: Enter in the filter plans.
    find<QLineEdit>(u"groupActionFilter"_s)->setFocus();
    QTest::keyClick(find<QLineEdit>(u"groupActionFilter"_s), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(action()->planned(), 60'000);
    QCOMPARE(action()->answered(), 2);
    QVERIFY2(notice().contains(u"2 of 3 members answered."_s) && notice().contains(u"asia: "_s), qPrintable(notice()));
    QCOMPARE(cell(0, GroupActionList::Member), u"eu"_s);
    QCOMPARE(cell(0, GroupActionList::State), u"Ready"_s);
    QCOMPARE(cell(2, GroupActionList::State), u"No plan"_s);
    QCOMPARE(cell(2, GroupActionList::Rows), u"–"_s); // not "0": it was not looked
    const int us = cell(1, GroupActionList::Rows).toInt();
    QCOMPARE(us, in(*m_us, kStuck + u" AND tenant <> 't2'"_s).toInt());
    QCOMPARE(cell(0, GroupActionList::Rows).toInt(), us - 1); // its worker may be finishing k010
    QCOMPARE(cell(1, GroupActionList::Left).toInt() + us, 50);
    QCOMPARE(cell(1, GroupActionList::Review).toInt(), 50 - us);
    const QString sums = find<QLabel>(u"groupActionSums"_s)->text();
    // Both hold the same keys.
    QCOMPARE(
        sums, u"%2 keys (%1 rows): %3 in eu, %2 in us; asia did not answer."_s.arg(2 * us - 1).arg(us).arg(us - 1));
    // What the selected member would do, and why the rest stays.
    auto *lines = find<QTableView>(u"groupActionPlan"_s)->model();
    QStringList whys;
    for (int row = 0; row < lines->rowCount(); ++row) {
        whys += lines->index(row, models::MemberPlanLines::Why).data().toString();
    }
    QVERIFY2(whys.join(u' ').contains(u"its worker may be finishing"_s), qPrintable(whys.join(u'\n')));
    picture(m_window.get(), u"group-plan"_s);
    QTest::keyClick(find<QTableView>(u"groupActionMembers"_s), Qt::Key_End, Qt::ControlModifier);
    QVERIFY2(find<QLabel>(u"groupActionName"_s)->text().startsWith(u"asia"_s),
        qPrintable(find<QLabel>(u"groupActionName"_s)->text()));
    QCOMPARE(in(*m_eu, kActions), u"0"_s);
    QCOMPARE(in(*m_eu, kStuck), u"50"_s);
}

void GroupActionsTest::oneReviewActsInAll()
{
    open();
    plan();
    const qint64 rows = action()->rows();
    const int us = int(member(1).rows());
    QDialog *dialog = review();
    QVERIFY(dialog->findChild<QPushButton *>(u"actionCancel"_s)->isDefault());
    const QStringList planned = cells(dialog->findChild<QTableWidget *>(u"actionPlan"_s));
    QVERIFY2(
        planned.filter(u"eu|"_s).size() == 2 && planned.filter(u"us|"_s).size() == 2, qPrintable(planned.join(u'\n')));
    QCOMPARE(cells(dialog->findChild<QTableWidget *>(u"actionKeys"_s)).size(), rows);
    // One thing is counted in one way: a key of both is one key, and two rows.
    const QString counted = u"%1 keys (%2 rows)"_s.arg(us).arg(rows);
    QCOMPARE(find<QPushButton>(u"groupActionGo"_s)->text(), u"Recover %1…"_s.arg(counted));
    QCOMPARE(dialog->findChild<QPushButton *>(u"actionGo"_s)->text(), u"Recover "_s + counted);
    const auto *tabs = dialog->findChild<QTabWidget *>();
    QCOMPARE(tabs->tabText(1), u"Rows (%1)"_s.arg(rows));
    const QString flow = dialog->findChild<QWidget *>(u"flowView"_s)->accessibleName();
    QVERIFY2(flow.startsWith(u"%1 rows: "_s.arg(rows)), qPrintable(flow));
    // What becomes of which state, over all members; how far it reaches; and that nobody said where this is.
    QVERIFY(dialog->findChild<QWidget *>(u"flowView"_s) != nullptr);
    QVERIFY(dialog->findChild<QLabel *>(u"actionFacts"_s)->text().contains(u"reach the other regions"_s));
    QVERIFY(dialog->findChild<QLabel *>(u"actionEnvironment"_s)->text().startsWith(u"NOT MARKED · eu: "_s));
    picture(dialog, u"group-review"_s);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QCOMPARE(in(*m_eu, kActions), u"0"_s);
    QTRY_VERIFY(m_view->dialog() == nullptr);
    confirm();
    // The button went: what has the focus now is harmless to who pressed twice.
    QCOMPARE(m_window->focusWidget()->objectName(), u"groupActionMembers"_s);
    awaitEnd();
    QVERIFY2(notice().contains(u"%3 keys (%1 rows) recovered: %2 in eu, %3 in us"_s.arg(rows).arg(us - 1).arg(us)),
        qPrintable(notice()));
    const QString id = action()->id();
    QCOMPARE(in(*m_eu, kAsked), id + u" payments eu recover worker died OPS-7"_s);
    QCOMPARE(in(*m_us, kAsked), id + u" payments us recover worker died OPS-7"_s);
    QCOMPARE(in(*m_us, kFreed).toInt(), us);
    QCOMPARE(in(*m_eu, kFreed).toInt(), us - 1);
    QCOMPARE(cell(1, GroupActionList::Done), u"%1 of %1"_s.arg(us));
    QCOMPARE(cell(1, GroupActionList::State), u"Done"_s);
    QVERIFY(find<QTableView>(u"groupActionMembers"_s)->isColumnHidden(GroupActionList::Note)); // it says no more
    for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
        QCOMPARE(ConsoleFixture::verified(side->root()), u"t"_s);
    }
    picture(m_window.get(), u"group-done"_s);
    // Where to undo it, and the id to look it up by.
    const QString told = find<QLabel>(u"groupActionTold"_s)->text();
    QVERIFY2(
        told.contains(u"Can be undone for 7 days"_s) && !told.contains(u"Finished"_s), qPrintable(told)); // said once
    QSignalSpy undo(m_view, &ui::GroupActionView::undoWanted);
    QTest::mouseClick(find<QPushButton>(u"groupActionUndo"_s), Qt::LeftButton);
    QCOMPARE(undo.size(), 1);
    QCOMPARE(undo.constFirst().at(1).toString(), member(0).runner()->action().id);
    QTest::mouseClick(find<QPushButton>(u"groupActionCopy"_s), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), id);
    const QString ids = find<QLabel>(u"groupActionId"_s)->text();
    QCOMPARE(ids, u"In every audit log: %1 · in eu alone: %2"_s.arg(id, member(0).runner()->action().id));
    // The same is not done again: it is planned anew, and nothing is left.
    QVERIFY(!find<QPushButton>(u"groupActionGo"_s)->isVisible());
    plan();
    QCOMPARE(action()->rows(), 0);
    QVERIFY(!find<QPushButton>(u"groupActionGo"_s)->isEnabled());
    QCOMPARE(cell(1, GroupActionList::State), u"Nothing to do"_s);
}

void GroupActionsTest::poisonIsTriedAgainInAll()
{
    for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
        side->root().run(u"UPDATE app.k SET status = 'dead', locked_until = NULL WHERE key IN ('k001', 'k003')"_s);
    }
    open();
    m_view->setVerb(sql::ActionVerb::Requeue);
    plan();
    QCOMPARE(cell(0, GroupActionList::Rows), u"2"_s);
    confirm();
    awaitEnd();
    QVERIFY(!action()->failed());
    QCOMPARE(in(*m_eu, kFreed), u"2"_s);
    QCOMPARE(in(*m_us, kAsked), action()->id() + u" payments us requeue worker died OPS-7"_s);
}

void GroupActionsTest::aMemberWithoutRightsIsNamed()
{
    m_kind = sql::GroupKind::Shards; // who is down holds back no region's keys here
    open(WithOneDown, u"viewer"_s);
    plan();
    QCOMPARE(cell(1, GroupActionList::State), u"Stays as it is"_s);
    QVERIFY2(
        cell(1, GroupActionList::Note).contains(u"idemdesk_operator"_s), qPrintable(cell(1, GroupActionList::Note)));
    QVERIFY(cell(1, GroupActionList::Rows).toInt() > 0); // it could look, and says how much there is
    QDialog *dialog = review();
    const QStringList planned = cells(dialog->findChild<QTableWidget *>(u"actionPlan"_s));
    QVERIFY2(planned.filter(u"us|"_s).isEmpty(), qPrintable(planned.join(u'\n')));
    QStringList said;
    for (const QLabel *label : dialog->findChildren<QLabel *>()) {
        said += label->text();
    }
    QVERIFY2(said.join(u'\n').contains(u"us stays as it is"_s), qPrintable(said.join(u'\n')));
    dialog->reject();
    QTRY_VERIFY(m_view->dialog() == nullptr);
    confirm();
    awaitEnd();
    QVERIFY(in(*m_eu, kFreed).toInt() > 0);
    QCOMPARE(in(*m_us, kActions), u"0"_s);
    QCOMPARE(in(*m_us, kStuck), u"50"_s);
    QVERIFY2(notice().contains(u"asia: "_s), qPrintable(notice())); // nobody takes it for done
}

void GroupActionsTest::aMemberThatFailsLeavesTheOthers()
{
    open();
    plan();
    // Planned, and then refused by that member's own guard.
    QVERIFY(m_us->root().run(u"CREATE ROLE intruder; GRANT idemdesk_owner TO intruder"_s).ok());
    confirm();
    awaitEnd();
    const QString us = in(*m_us, kStuck);
    m_us->root().run(u"REVOKE idemdesk_owner FROM intruder; DROP ROLE intruder"_s);
    QCOMPARE(us, u"50"_s);
    QVERIFY(member(0).done() && !member(1).done());
    QVERIFY2(notice().contains(u"Not all members did what was planned."_s) && notice().contains(u"us: Not begun"_s),
        qPrintable(notice()));
    QCOMPARE(cell(1, GroupActionList::State), u"Failed"_s);
    QVERIFY(in(*m_eu, kFreed).toInt() > 0);
    // There is nothing to show where nothing was begun.
    auto *members = find<QTableView>(u"groupActionMembers"_s);
    members->setCurrentIndex(members->model()->index(1, 0));
    QVERIFY(!find<QPushButton>(u"groupActionShow"_s)->isVisible());
    members->setCurrentIndex(members->model()->index(0, 0));
    QVERIFY(find<QPushButton>(u"groupActionShow"_s)->isVisible());
}

void GroupActionsTest::approvalIsAMembersOwn()
{
    QVERIFY(m_us->root()
                .run(u"UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s)
                .ok());
    open();
    plan();
    QCOMPARE(cell(1, GroupActionList::State), u"Needs approval"_s);
    confirm();
    awaitEnd();
    QCOMPARE(in(*m_us, kStuck), u"50"_s);
    QCOMPARE(in(*m_us, u"SELECT state FROM idemdesk.action"_s), u"requested"_s);
    QCOMPARE(cell(1, GroupActionList::State), u"Approval asked"_s);
    QVERIFY(member(0).done());
}

void GroupActionsTest::aTableThatIsNotRegisteredStays()
{
    m_kind = sql::GroupKind::Shards; // no key of one is another one's
    m_us->root().run(u"DELETE FROM idemdesk.target WHERE name = 'k2'"_s);
    open();
    plan();
    QVERIFY2(cell(1, GroupActionList::State) != u"Ready"_s, qPrintable(cell(1, GroupActionList::State)));
    QVERIFY2(!cell(1, GroupActionList::Note).isEmpty(), "nobody says why");
    confirm();
    awaitEnd();
    QCOMPARE(in(*m_us, kStuck), u"50"_s);
    QVERIFY(member(0).done());
}

void GroupActionsTest::anotherProfileIsAskedByItsOwnRules()
{
    m_kind = sql::GroupKind::Shards; // no key of one is another one's
    registerTable(*m_us, R"json({"actions": {"recover": [
        {"from": ["in_progress"], "to": "failed_final", "set": {"status": "'dead'", "locked_until": "NULL"}}],
        "requeue": [], "reclassify": []}, "stale": [{"states": ["in_progress"], "by": "t.locked_until",
        "after": "2h"}]})json");
    open();
    plan();
    QVERIFY(cell(0, GroupActionList::Rows).toInt() > 0);
    QCOMPARE(cell(1, GroupActionList::Rows), u"0"_s); // there nothing is stuck yet
    m_view->setVerb(sql::ActionVerb::Requeue);
    QVERIFY(!action()->planned()); // the plan was of another verb
    plan();
    QCOMPARE(cell(1, GroupActionList::State), u"No plan"_s);
    QVERIFY2(
        cell(1, GroupActionList::Note).contains(u"no rule to requeue"_s), qPrintable(cell(1, GroupActionList::Note)));
    // It answered, and asking again would not help.
    QVERIFY2(notice().contains(u"1 of 2 members have a plan."_s), qPrintable(notice()));
    QVERIFY2(find<QLabel>(u"groupActionSums"_s)->text().contains(u"no plan for us"_s),
        qPrintable(find<QLabel>(u"groupActionSums"_s)->text()));
    QVERIFY(!find<QWidget>(u"groupActionNotice"_s)->findChild<QPushButton *>(u"noticePrimary"_s)->isVisible());
}

/// As the page of one member says it: a claim in the cache outlives a recovery in the table.
void GroupActionsTest::aCacheThatHoldsOffIsNamed()
{
    registerTable(
        *m_us, R"({"cache": {"key": "idem:{tenant}:{key}", "ttl": "300s", "values": {"processing": "in_progress"}}})");
    open();
    plan();
    QVERIFY(member(0).rows() > 0 && member(1).rows() > 0);
    QString said;
    for (const QLabel *label : review()->findChildren<QLabel *>()) {
        said += label->text() + u'\n';
    }
    QVERIFY2(said.contains(u"retries in: us. Release such claims on the page Cache there."_s), qPrintable(said));
    QTest::keyClick(m_view->dialog(), Qt::Key_Escape);
    QTRY_VERIFY(m_view->dialog() == nullptr);
}

void GroupActionsTest::oneDatabaseUnderTwoLabelsStays()
{
    openPlaces({ place(u"eu"_s, *m_eu, u"op"_s), place(u"west"_s, *m_eu, u"op2"_s) }, 2);
    plan();
    QCOMPARE(action()->rows(), 0);
    QVERIFY2(cell(1, GroupActionList::Note).contains(u"lead to the same database"_s),
        qPrintable(cell(1, GroupActionList::Note)));
    QVERIFY(!find<QPushButton>(u"groupActionGo"_s)->isEnabled());
}

void GroupActionsTest::productionIsAllowedAndTyped()
{
    models::GroupPlace us = place(u"us"_s, *m_us, u"op"_s);
    us.settings.environment = sql::Environment::Production;
    openPlaces({ place(u"eu"_s, *m_eu, u"op"_s), us }, 2);
    plan();
    QVERIFY(!find<QPushButton>(u"groupActionGo"_s)->isEnabled());
    auto *allow = find<QWidget>(u"groupActionAllow"_s)->findChild<QPushButton *>(u"noticePrimary"_s);
    QVERIFY(allow->isVisible());
    QTest::mouseClick(allow, Qt::LeftButton);
    QVERIFY(find<QPushButton>(u"groupActionGo"_s)->isEnabled());
    confirm(u"k2"_s);
    awaitEnd();
    QVERIFY(member(0).done() && member(1).done());
}

void GroupActionsTest::purgeGoesThroughAll()
{
    open(WithOneDown);
    m_view->setVerb(sql::ActionVerb::Purge);
    QVERIFY(!find<QLineEdit>(u"groupActionFilter"_s)->isVisible());
    QVERIFY(!find<QWidget>(u"groupActionWarnings"_s)->isVisible());
    plan();
    // A warning stands above the members, once for all of them, and none of them is simply ready.
    const auto warned = find<QWidget>(u"groupActionWarnings"_s)->findChildren<QLabel *>();
    QVERIFY(std::any_of(warned.cbegin(), warned.cend(),
        [](const QLabel *label) { return label->isVisible() && label->text().endsWith(u"(eu, us)."_s); }));
    QVERIFY(member(0).plan().purge->warnings.size() > 1);
    QCOMPARE(cell(0, GroupActionList::State), u"Ready, %1 warnings"_s.arg(member(0).plan().purge->warnings.size()));
    QCOMPARE(action()->list()->index(0, GroupActionList::State).data(models::LevelRole).toInt(),
        int(sql::HealthLevel::Advice));
    const QString expired
        = u"SELECT count(*) FROM app.k WHERE expires_at < now() AND status IN ('succeeded', 'dead')"_s;
    QCOMPARE(cell(0, GroupActionList::Rows), in(*m_eu, expired));
    QCOMPARE(cell(1, GroupActionList::Rows), in(*m_us, expired));
    QVERIFY(cell(0, GroupActionList::Size) != u"–"_s && cell(0, GroupActionList::Oldest) != u"–"_s);
    picture(m_window.get(), u"group-purge"_s);
    // The way out of what is warned of: an earlier time, for which it is planned anew.
    QVERIFY(!find<QDateTimeEdit>(u"groupActionBefore"_s)->isVisible());
    QTest::mouseClick(
        find<QWidget>(u"groupActionWarnings"_s)->findChild<QPushButton *>(u"noticePrimary"_s), Qt::LeftButton);
    QVERIFY(find<QDateTimeEdit>(u"groupActionBefore"_s)->isVisible() && !action()->planned());
    find<QCheckBox>(u"groupActionNow"_s)->setChecked(true);
    plan();
    const int rows = in(*m_eu, kRows).toInt();
    confirm();
    awaitEnd();
    QCOMPARE(in(*m_eu, kRows).toInt(), rows - cell(0, GroupActionList::Rows).toInt());
    QCOMPARE(in(*m_us, kRows), in(*m_eu, kRows));
    QCOMPARE(in(*m_us, kAsked), action()->id() + u" payments us purge worker died OPS-7"_s);
    QVERIFY(in(*m_us, u"SELECT count(*) FROM idemdesk.quarantine"_s) != u"0"_s); // it can be put back
    QVERIFY2(notice().contains(u"2 of 3 members answered."_s), qPrintable(notice()));
    QCOMPARE(ConsoleFixture::verified(m_us->root()), u"t"_s);
}

void GroupActionsTest::purgeWithoutCopiesIsTyped()
{
    open();
    m_view->setVerb(sql::ActionVerb::Purge);
    find<QCheckBox>(u"groupActionImages"_s)->setChecked(false);
    plan();
    confirm(u"k2"_s); // it cannot be undone
    awaitEnd();
    QVERIFY(!action()->failed());
    QCOMPARE(in(*m_us, u"SELECT count(*) FROM idemdesk.quarantine"_s), u"0"_s);
}

void GroupActionsTest::moreThanCopiesAreKeptForStays()
{
    QVERIFY(m_us->root().run(u"UPDATE idemdesk.target SET image_limit = 10"_s).ok());
    open();
    m_view->setVerb(sql::ActionVerb::Purge);
    plan();
    QCOMPARE(cell(1, GroupActionList::State), u"Stays as it is"_s);
    QVERIFY2(cell(1, GroupActionList::Note).contains(u"10"_s), qPrintable(cell(1, GroupActionList::Note)));
    QCOMPARE(member(1).rows(), 0);
    QVERIFY(member(0).rows() > 0);
}

void GroupActionsTest::aLostConnectionIsLookedUp()
{
    m_us->cluster().psql(m_us->database(), u"INSERT INTO app.slow VALUES (60)"_s);
    open();
    m_view->setVerb(sql::ActionVerb::Purge);
    plan();
    confirm();
    const QString busy = u"SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%purge_batch%' AND wait_event = "
                         "'PgSleep' AND pid <> pg_backend_pid()"_s;
    QTRY_COMPARE_WITH_TIMEOUT(in(*m_us, busy), u"1"_s, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(member(0).done(), 60'000); // the other one does not wait for it
    m_us->cluster().psql(m_us->database(), u"DELETE FROM app.slow"_s);
    in(*m_us, QString(busy).replace(u"count(*)"_s, u"pg_terminate_backend(pid)"_s));
    awaitEnd();
    QVERIFY2(member(1).done(), qPrintable(member(1).said()));
    QCOMPARE(in(*m_us, kActions), u"1"_s); // nothing was sent twice
    QCOMPARE(in(*m_us, kRows), in(*m_eu, kRows));
}

/// A region goes down between review and press: the others are done, and nobody is locked up with it.
void GroupActionsTest::aMemberThatGoesAwayIsGivenUp()
{
    open();
    plan();
    QSignalSpy ended(action(), &models::GroupAction::memberEnded);
    m_us->forgetRoot();
    QVERIFY(m_us->cluster().cluster().stop().ok());
    const auto again = qScopeGuard([this] { m_us->cluster().cluster().start(true).ok(); });
    confirm();
    QTRY_VERIFY_WITH_TIMEOUT(member(0).done(), 60'000);
    QCOMPARE(ended.size(), 1); // what eu holds is told at once
    QCOMPARE(ended.constFirst().constFirst().toInt(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(notice().contains(u"us: An answer was lost; it has been looked up for"_s), 60'000);
    QVERIFY2(notice().contains(u"Stop ends the looking-up."_s), qPrintable(notice()));
    QCOMPARE(cell(1, GroupActionList::State), u"No answer"_s);
    QVERIFY(!find<QLineEdit>(u"groupActionFilter"_s)->isEnabled());
    QTest::mouseClick(find<QPushButton>(u"groupActionStop"_s), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!action()->running(), 20'000);
    QVERIFY2(member(1).said().startsWith(u"Whether it was begun is not known. Look it up there by its id."_s),
        qPrintable(member(1).said()));
    QCOMPARE(cell(1, GroupActionList::State), u"Not known"_s);
    QVERIFY(!member(1).runner()->lookUpError() && member(1).runner()->lookingSeconds() == 0);
    QVERIFY2(notice().contains(u"us: Whether it was begun is not known"_s), qPrintable(notice()));
    const QString id = member(1).runner()->action().id;
    auto *members = find<QTableView>(u"groupActionMembers"_s);
    members->setCurrentIndex(members->model()->index(1, 0));
    QVERIFY(find<QLabel>(u"groupActionId"_s)->text().contains(id));
    QVERIFY(find<QPushButton>(u"groupActionShow"_s)->isVisible()); // it may be there
    // The journal keeps it for whoever connects there next.
    const models::ActionJournal journal(m_folder->filePath(u"actions.json"_s));
    QVERIFY(std::any_of(journal.entries().cbegin(), journal.entries().cend(),
        [&id](const models::JournalEntry &entry) { return entry.id == id; }));
    // The others are worked on meanwhile.
    QVERIFY(find<QLineEdit>(u"groupActionFilter"_s)->isEnabled());
    plan();
    QCOMPARE(cell(0, GroupActionList::State), u"Nothing to do"_s);
    QVERIFY2(notice().contains(u"1 of 2 members answered."_s), qPrintable(notice()));
}

/// Esc to look at something first.
void GroupActionsTest::aReviewThatIsLeftKeepsItsReason()
{
    open();
    plan();
    QDialog *dialog = review();
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actionReason"_s), u"worker died"_s);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actionTicket"_s), u"OPS-7"_s);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(m_view->dialog() == nullptr);
    dialog = review();
    QCOMPARE(dialog->findChild<QLineEdit *>(u"actionReason"_s)->text(), u"worker died"_s);
    QCOMPARE(dialog->findChild<QLineEdit *>(u"actionTicket"_s)->text(), u"OPS-7"_s);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(m_view->dialog() == nullptr);
    m_view->setVerb(sql::ActionVerb::Purge); // another thing has another reason
    plan();
    QVERIFY(review()->findChild<QLineEdit *>(u"actionReason"_s)->text().isEmpty());
}

void GroupActionsTest::aFilterThatCannotBeReadSaysWhere()
{
    open();
    auto *filter = find<QLineEdit>(u"groupActionFilter"_s);
    filter->setFocus();
    QTest::keyClicks(filter, u"foo:bar"_s);
    QTest::keyClick(filter, Qt::Key_Return);
    auto *fault = find<QLabel>(u"groupActionFault"_s);
    QVERIFY(fault->isVisible() && !action()->planning() && !action()->planned());
    QVERIFY2(fault->text().startsWith(u"There is no field “foo”"_s) && fault->text().contains(u"(character 1)"_s),
        qPrintable(fault->text()));
    QCOMPARE(fault->text().count(QRegularExpression(u"\\bscope\\b"_s)), 1);
    QTest::keyClick(filter, Qt::Key_Backspace);
    QVERIFY(!fault->isVisible());
    filter->clear();
    QTest::keyClicks(filter, u"state:a%2b"_s); // what is typed is no place for the number
    QTest::keyClick(filter, Qt::Key_Return);
    QVERIFY2(
        fault->text().contains(u"a%2b"_s) && fault->text().contains(u"(character 7)"_s), qPrintable(fault->text()));
    filter->clear();
    plan();
    QVERIFY(action()->rows() > 0 && !fault->isVisible());
}

void GroupActionsTest::stoppingLeavesTheRest()
{
    m_us->cluster().psql(m_us->database(), u"INSERT INTO app.slow VALUES (60)"_s);
    open();
    m_view->setVerb(sql::ActionVerb::Purge);
    plan();
    const QString rows = in(*m_us, kRows);
    confirm();
    QTRY_VERIFY_WITH_TIMEOUT(member(0).done(), 60'000);
    QTest::mouseClick(find<QPushButton>(u"groupActionStop"_s), Qt::LeftButton);
    awaitEnd();
    QVERIFY(!member(1).done());
    QCOMPARE(in(*m_us, kRows), rows);
    QCOMPARE(in(*m_us, u"SELECT state FROM idemdesk.action"_s), u"cancelled"_s);
    QVERIFY2(notice().contains(u"us: "_s), qPrintable(notice()));
}

/// A review that is open while the plan goes acts on nothing.
void GroupActionsTest::anotherChoiceForgetsThePlan()
{
    open();
    plan();
    QDialog *dialog = review();
    dialog->findChild<QLineEdit *>(u"actionReason"_s)->setText(u"late"_s);
    m_view->setVerb(sql::ActionVerb::Purge);
    dialog->findChild<QPushButton *>(u"actionGo"_s)->click();
    QVERIFY(!action()->running());
    QCOMPARE(in(*m_eu, kActions), u"0"_s);
}

/// Neither closing it nor another group or connection cuts off what is under way. Then each part is found in its
/// member's audit log, and what the window shows of its own member is told anew.
void GroupActionsTest::theWindowStaysWhileItActsAndLeadsToWhatWasDone()
{
    m_us->cluster().psql(m_us->database(), u"INSERT INTO app.slow VALUES (60)"_s);
    WindowFixture fixture(m_eu->cluster());
    ui::MainWindow *window = fixture.window.get();
    const models::GroupPlaces places { u"payments"_s, sql::GroupKind::Regions,
        { place(u"eu"_s, *m_eu, u"op"_s), place(u"us"_s, *m_us, u"op"_s) } };
    window->openGroup(places);
    const models::GroupSession *session = window->group()->session();
    QTRY_COMPARE_WITH_TIMEOUT(session->answeredCount(), 2, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(window->group()->current() == 0 || window->group()->show(0), 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(window->group()->current() == 0 && window->actions()->statusKnown(), 60'000);
    window->regionsPage()->showTab(u"act"_s);
    ui::GroupActionView *view = window->regionsPage()->actionView();
    auto *targets = fixture.find<QComboBox>(u"groupActionTarget"_s);
    targets->setCurrentIndex(targets->findData(u"k2"_s));
    view->setVerb(sql::ActionVerb::Purge);
    view->plan();
    QTRY_VERIFY_WITH_TIMEOUT(view->action()->planned(), 60'000);
    QSignalSpy told(window->actions(), &models::ActionCenter::actionEnded);
    view->openReview();
    fixture.find<QLineEdit>(u"actionReason"_s)->setText(u"region clean-up"_s);
    QTest::mouseClick(fixture.find<QPushButton>(u"actionGo"_s), Qt::LeftButton);
    QVERIFY(view->action()->running());
    window->showPage(u"keys"_s);
    QVERIFY(!window->close() && window->isVisible());
    QCOMPARE(window->currentPage(), u"regions"_s); // which shows what is under way
    window->openGroup(places);
    window->openConnect();
    QVERIFY(window->connectDialog() == nullptr || !window->connectDialog()->isVisible());
    QCOMPARE(window->group()->session(), session);
    QTRY_VERIFY_WITH_TIMEOUT(view->action()->member(0).done(), 60'000);
    QCOMPARE(fixture.find<QLabel>(u"bandEnvironment"_s)->text(), u"NOT MARKED"_s);
    QVERIFY(view->action()->running());
    QCOMPARE(told.size(), 1); // the window's own member is told anew, however long another one takes
    auto *said = fixture.find<QWidget>(u"regionsNotice"_s);
    QVERIFY(said->isVisible());
    m_us->cluster().psql(m_us->database(), u"DELETE FROM app.slow"_s);
    in(*m_us, u"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!view->action()->running(), 60'000);
    QVERIFY(!said->isVisible()); // nothing runs any more
    QCOMPARE(told.size(), 1);
    QCOMPARE(told.constFirst().constFirst().toString(), u"k2"_s);
    auto *members = fixture.find<QTableView>(u"groupActionMembers"_s);
    members->setCurrentIndex(members->model()->index(1, 0));
    const QString id = view->action()->member(1).runner()->action().id;
    QTest::mouseClick(fixture.find<QPushButton>(u"groupActionShow"_s), Qt::LeftButton);
    QCOMPARE(window->currentPage(), u"audit"_s);
    QCOMPARE(window->group()->current(), 1);
    auto *actions = fixture.find<QTableView>(u"auditActions"_s);
    QTRY_COMPARE_WITH_TIMEOUT(actions->currentIndex().data(models::ActionIdRole).toString(), id, 30'000);
    // The undo is asked for where it is done, and says how far it reaches.
    window->showPage(u"regions"_s);
    members->setCurrentIndex(members->model()->index(0, 0));
    QTest::mouseClick(fixture.find<QPushButton>(u"groupActionUndo"_s), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window->findChild<QDialog *>(u"auditAsk"_s) != nullptr, 30'000);
    QCOMPARE(window->group()->current(), 0);
    auto *ask = window->findChild<QDialog *>(u"auditAsk"_s);
    const auto labels = ask->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
        [](const QLabel *label) { return label->text().contains(u"reach the other regions"_s); }));
    ask->reject();
    // What was never begun there is not passed over in silence.
    auto *page = window->auditPage();
    page->showAction(u"00000000-0000-4000-8000-000000000000"_s);
    window->actions()->readLists();
    const auto *notice = page->findChild<QWidget *>(u"auditNotice"_s);
    QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), 30'000);
    QVERIFY(window->close());
}

/// What is stuck in one region may have been done in the other: freeing it would do it twice.
void GroupActionsTest::whatAnotherRegionHasIsLeftAlone()
{
    m_eu->root().run(u"UPDATE app.k SET status = 'succeeded', locked_until = NULL, result = 'r' WHERE key = 'k001';"
                     "UPDATE app.k SET status = 'dead', locked_until = NULL WHERE key = 'k003'"_s);
    open();
    plan();
    QStringList left;
    for (const models::SkippedKey &key : member(1).plan().change.set.skipped) {
        left += key.record.key.text + u' ' + key.why;
    }
    QVERIFY2(left.contains(u"k001 Already succeeded in eu: align the key instead."_s)
            && left.contains(u"k003 Failed for good in eu."_s),
        qPrintable(left.join(u'\n')));
    QCOMPARE(cell(1, GroupActionList::Rows).toInt(), in(*m_us, kStuck + u" AND tenant <> 't2'"_s).toInt() - 2);
    QCOMPARE(cell(1, GroupActionList::Left).toInt() + cell(1, GroupActionList::Rows).toInt(), 50);
    confirm();
    awaitEnd();
    QCOMPARE(in(*m_us, u"SELECT string_agg(status, ' ') FROM app.k WHERE key IN ('k001', 'k003')"_s),
        u"processing processing"_s);
    // What failed for good is requeued where the other has it so, too, and else not.
    m_view->setVerb(sql::ActionVerb::Requeue);
    m_us->root().run(u"UPDATE app.k SET status = 'dead', locked_until = NULL WHERE key IN ('k001', 'k003')"_s);
    find<QLineEdit>(u"groupActionFilter"_s)->setText(u"state:failed_final"_s);
    plan();
    QCOMPARE(member(1).rows(), 1);
    QCOMPARE(member(1).plan().change.set.keys.value(0).key.text, u"k003"_s);
}

/// A review is read for minutes, while the other region goes on: what was confirmed is not what would be done now.
void GroupActionsTest::whatAnotherRegionEndsAfterThePlanStays()
{
    open();
    m_view->action()->setFreshFor(-1); // as if it were read for minutes
    plan();
    QVERIFY(member(1).rows() > 0);
    const QString stuck = in(*m_us, kStuck);
    m_eu->root().run(u"UPDATE app.k SET status = 'succeeded', locked_until = NULL, result = 'r' WHERE key = 'k001'"_s);
    confirm();
    awaitEnd();
    QCOMPARE(member(1).stage(), models::MemberAction::Stage::Failed);
    QCOMPARE(in(*m_us, kStuck), stuck);
    QCOMPARE(in(*m_us, u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
    QVERIFY2(notice().contains(u"us: It was not begun; nothing was changed."_s)
            && notice().contains(u"the other regions hold"_s),
        qPrintable(notice()));
    plan(); // which can be done then
    confirm();
    awaitEnd();
    QCOMPARE(in(*m_us, u"SELECT status FROM app.k WHERE key = 'k001'"_s), u"processing"_s);
    QVERIFY(member(1).rowsDone() > 0);
}

void GroupActionsTest::aRegionThatIsNotAskedHoldsAllBack()
{
    open(WithOneDown);
    plan();
    QCOMPARE(action()->rows(), 0);
    QVERIFY(!find<QPushButton>(u"groupActionGo"_s)->isEnabled());
    const QList<models::SkippedKey> &skipped = member(1).plan().change.set.skipped;
    QCOMPARE(skipped.size(), 50);
    const bool told = std::any_of(skipped.cbegin(), skipped.cend(),
        [](const models::SkippedKey &key) { return key.why.startsWith(u"asia was not asked: "_s); });
    QVERIFY2(told, qPrintable(skipped.constFirst().why));
}

QTEST_MAIN(GroupActionsTest)
#include "tst_group_actions.moc"
