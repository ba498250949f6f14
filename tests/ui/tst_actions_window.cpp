// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "models/actions/action_words.h"
#include "models/audit/approval_preview.h"
#include "models/audit/audit_controller.h"
#include "models/complaint/complaint_controller.h"
#include "models/complaint/complaint_model.h"
#include "models/connection/connection_controller.h"
#include "models/health/health_controller.h"
#include "models/keys/key_detail.h"
#include "models/keys/story_model.h"
#include "models/keys/touches_model.h"
#include "models/purge/purge_controller.h"
#include "models/triage/triage_controller.h"
#include "models/triage/triage_groups.h"
#include "models/verdict/verdict.h"
#include "models/workspace/workspace.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/charts/share_bars.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/pages/audit/audit_page.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/pages/purge/purge_page.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/command_list.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialog>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// Recovery, purge, undo, approval and the trail through the window, as a person goes: with a reason, by keyboard, on a
/// real server.
class ActionsWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();

    void recoversWithAReason();
    void nothingHappensOnCancel();
    void enterOnTheActionButtonActs();
    void whatWasTakenOutStaysOutAfterAnAction();
    void chipsFilterAndBoxesSelect();
    void classesStandUnderHeadings();
    void whatIsTooFreshStandsApart();
    void linesAreReadWholeInASmallWindow_data();
    void linesAreReadWholeInASmallWindow();
    void nothingToSelectSaysWhy();
    void aStuckKeyLeadsToItsRecovery();
    void selectedKeysLeadToTheirRecovery();
    void chosenKeysStayThoseThatWereChosen();
    void aFilterMeansTheSameOnBothPages();
    void aChoiceEndsWithItsConnection_data();
    void aChoiceEndsWithItsConnection();
    void aChoiceTooLargeSaysSo();
    void theMenuIsAboutTheKeyItWasOpenedFor();
    void keysOfAnyStateSayTheirs();
    void aTableWithoutTheRuleOffersWaysOn();
    void unreadableKeysAreNotGone();
    void healthLeadsToItsKeys();
    void theMenuCountsWhatItPassesOn();
    void spaceTicksWhicheverColumnIsCurrent();
    void noAllowanceIsOfferedForAnUnregisteredTable();
    void connectingAgainKeepsTheTable();
    void aRowLeadsToOtherPrograms();
    void keepUrl(const QUrl &url) { m_opened += url; }
    void anArchiveIsOnlySearched();
    void cancelNeverTakesThePlaceOfPause();
    void theTrailShowsWhatWasDoneSince();
    void needsReviewGoesAlone();
    void oneOfSeveralRowsOfAKeyGoesAlone();
    void productionAsksForTheName();
    void purgePlansThenRuns();
    void aPausedPurgeIsNotBegunAgain();
    void aStoppedPurgeSaysWhatIsGoneAndOffersTheWayBack();
    void anActionOnAServerThatWentAwayIsGivenUp();
    void purgeWithoutCopiesAsksForTheName();
    void changedChoiceVoidsThePlan();
    void undoFromTheHistory();
    void requestIsApprovedBySomebodyElse();
    void approversSeeWhatTheyDecideOn_data();
    void approversSeeWhatTheyDecideOn();
    void eachRequestHasItsOwnWarnings();
    void aKeyDoesNotPassForTwo();
    void theApproverDecidesFromTheStrip();
    void assistiveTechnologySwitchesChipsAndBoxes();
    void leftOpenActionIsResumed();
    void viewerLooksOnly();
    void trailIsCheckedAndTamperingShows();
    void detailSaysWhoTouchedTheKey();
    void theStorySaysWhatTriageDoubts();
    void connectingEndsUndoWindowsThatAreOver();
    void thousandsOfKeysAreRecovered();

private:
    void theApproverCountsAnew(const QString &expected);
    void planLongPurge(); ///< of 60,000 rows, so that there is time to stop it
    void connectAs(const QString &login, sql::Environment environment = sql::Environment::Unmarked);
    void showRecovery();
    void selectAll(); ///< on the page recovery, by keyboard
    void decideInMenu(const QString &state); ///< of the selected key, once its menu was filled
    ui::ActionDialog *openedDialog();
    void showChosen(const QStringList &keys, sql::ActionVerb verb = sql::ActionVerb::Recover);
    QString said(const QString &widget); ///< what its labels say
    void answer(ui::ActionDialog *dialog, const QString &reason);
    QString value(const QString &sql) { return m_fixture->root().value(sql); }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
    RegisteredTable m_table;
    QList<QUrl> m_opened; ///< what the desktop was asked to open
};

void ActionsWindowTest::initTestCase()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support).*"_s)); // the offscreen platform says so of dialogs
    m_fixture = std::make_unique<ConsoleFixture>();
}

void ActionsWindowTest::cleanupTestCase()
{
    m_fixture.reset();
}

void ActionsWindowTest::init()
{
    m_fixture->fresh([this] {
        m_fixture->cluster().psql(m_fixture->database(),
            u"GRANT USAGE ON SCHEMA app TO adm, appr, viewer; GRANT SELECT ON app.k, app.eff TO adm, appr, viewer, op, op2"_s);
        // A query that finds the effect of a key that succeeded may say that there is none.
        QVERIFY(m_fixture->root()
                    .run(u"INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0001'"_s)
                    .ok());
        m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k')"_s);
        m_table = registerTable(*m_fixture);
    });
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
}

void ActionsWindowTest::cleanup()
{
    m_window.reset();
}

void ActionsWindowTest::connectAs(const QString &login, sql::Environment environment)
{
    m_window->connectAs(login, m_fixture->database(), environment);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
}

void ActionsWindowTest::showRecovery()
{
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showTarget(u"k2"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->triage()->loaded(), 10'000);
}

void ActionsWindowTest::decideInMenu(const QString &state)
{
    auto *menu = m_window->find<QToolButton>(u"recoveryOne"_s)->menu();
    auto *action = menu->findChild<QAction *>(u"decide_"_s + state);
    QVERIFY(action != nullptr);
    action->trigger();
}

void ActionsWindowTest::selectAll()
{
    auto *all = m_window->find<QCheckBox>(u"recoveryAll"_s);
    QTRY_VERIFY(all->isVisible());
    QTest::keyClick(all, Qt::Key_Space);
    const models::TriageModel *model = m_window->window->triage()->model();
    QCOMPARE(model->checkedCount(), model->mayCount());
}

ui::ActionDialog *ActionsWindowTest::openedDialog()
{
    return m_window->window->recoveryPage()->dialog() != nullptr ? m_window->window->recoveryPage()->dialog()
                                                                 : m_window->window->purgePage()->dialog();
}

void ActionsWindowTest::answer(ui::ActionDialog *dialog, const QString &reason)
{
    auto *go = dialog->findChild<QPushButton *>(u"actionGo"_s);
    QVERIFY(!go->isEnabled());
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actionReason"_s), reason);
    QVERIFY(go->isEnabled());
    QTest::mouseClick(go, Qt::LeftButton);
}

void ActionsWindowTest::recoversWithAReason()
{
    QVERIFY(m_fixture->root()
                .run(u"INSERT INTO app.eff SELECT 'o-' || key, tenant, key FROM app.k WHERE key IN ('k001', 'k003')"_s)
                .ok());
    connectAs(u"op"_s);
    showRecovery();
    // Tenant t2 is external: 17 keys need review; two effects happened; the others are safe to retry.
    auto *model = m_window->window->triage()->model();
    QCOMPARE(model->rowCount(), 50);
    const QList<models::TriageTally> tallies = model->tallies();
    QCOMPARE(tallies.at(1).group, models::TriageGroup::EffectHappened);
    QCOMPARE(tallies.at(1).keys, 2);
    QCOMPARE(tallies.at(4).group, models::TriageGroup::NeedsReview);
    QCOMPARE(tallies.at(4).keys, 17);
    auto *go = m_window->find<QPushButton>(u"recoveryGo"_s);
    QCOMPARE(model->checkedCount(), 0); // nothing goes that nobody selected
    QVERIFY(!go->isEnabled());
    selectAll();
    QCOMPARE(model->checkedCount(), 33);
    QTRY_VERIFY2(go->isEnabled(), qPrintable(go->toolTip()));
    QTest::mouseClick(go, Qt::LeftButton);
    ui::ActionDialog *dialog = openedDialog();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->findChild<QPushButton *>(u"actionCancel"_s)->isDefault());
    QVERIFY(dialog->findChild<QPushButton *>(u"actionGo"_s)->text().contains(u"33"_s));
    QCOMPARE(dialog->findChild<QTableWidget *>(u"actionSkipped"_s)->rowCount(), 17);
    const QString left = dialog->findChild<QLabel *>(u"actionLeft"_s)->text();
    QVERIFY2(left.startsWith(u"17 key(s) skipped. "_s), qPrintable(left));
    qint64 going = 0;
    const auto *plan = dialog->findChild<QTableWidget *>(u"actionPlan"_s);
    for (int row = 0; row < plan->rowCount(); ++row) {
        going += plan->item(row, 0)->text().toLongLong();
    }
    QVERIFY(going > 1);
    QCOMPARE(dialog->findChild<QTableWidget *>(u"actionKeys"_s)->rowCount(), going);
    answer(dialog, u"worker crashed"_s);
    QTRY_COMPARE_WITH_TIMEOUT(
        value(u"SELECT count(*) FROM app.k WHERE key LIKE 'k%' AND status = 'failed'"_s), u"31"_s, 10'000);
    QCOMPARE(
        value(u"SELECT string_agg(result, ',' ORDER BY key) FROM app.k WHERE key LIKE 'k%' AND status = 'succeeded'"_s),
        u"o-k001,o-k003"_s);
    QCOMPARE(value(u"SELECT reason FROM idemdesk.action"_s), u"worker crashed"_s);
    auto *strip = m_window->find<QLabel>(u"actionStripText"_s);
    QTRY_VERIFY(strip->text().contains(u"33 done"_s));
    QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(), 17, 10'000); // read again by itself
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
}

void ActionsWindowTest::nothingHappensOnCancel()
{
    connectAs(u"op"_s);
    showRecovery();
    selectAll();
    m_window->window->recoveryPage()->openDialog();
    ui::ActionDialog *dialog = openedDialog();
    QVERIFY(dialog != nullptr);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actionReason"_s), u"because"_s);
    QTest::keyClick(dialog, Qt::Key_Return); // Cancel is the default
    QTRY_VERIFY(openedDialog() == nullptr);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
}

void ActionsWindowTest::enterOnTheActionButtonActs()
{
    connectAs(u"op"_s);
    showRecovery();
    selectAll();
    m_window->window->recoveryPage()->openDialog();
    ui::ActionDialog *dialog = openedDialog();
    QVERIFY(dialog != nullptr);
    auto *reason = dialog->findChild<QLineEdit *>(u"actionReason"_s);
    auto *ticket = dialog->findChild<QLineEdit *>(u"actionTicket"_s);
    auto *go = dialog->findChild<QPushButton *>(u"actionGo"_s);
    reason->setFocus();
    QTest::keyClick(reason, Qt::Key_Return); // nothing is said yet, and nothing is lost
    QCOMPARE(dialog->focusWidget(), static_cast<QWidget *>(ticket));
    QTest::keyClick(ticket, Qt::Key_Return);
    QCOMPARE(dialog->focusWidget(), static_cast<QWidget *>(reason));
    QTest::keyClicks(reason, u"worker crashed"_s);
    QTest::keyClick(reason, Qt::Key_Return);
    QTest::keyClick(ticket, Qt::Key_Enter);
    QVERIFY(dialog->isVisible());
    QCOMPARE(reason->text(), u"worker crashed"_s);
    QCOMPARE(dialog->focusWidget(), static_cast<QWidget *>(go));
    QTest::keyClick(go, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT reason FROM idemdesk.action"_s), u"worker crashed"_s, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s, 10'000);
}

void ActionsWindowTest::whatWasTakenOutStaysOutAfterAnAction()
{
    connectAs(u"op"_s);
    showRecovery();
    auto *triage = m_window->window->triage();
    selectAll();
    QStringList out;
    for (int row = 0; row < triage->model()->rowCount() && out.size() < 2; ++row) {
        if (triage->model()->rows().at(row).may) {
            out += triage->model()->rows().at(row).facts.record.key.text;
            const QModelIndex box = triage->model()->index(row, 0);
            QVERIFY(triage->model()->setData(box, Qt::Unchecked, Qt::CheckStateRole));
        }
    }
    const int checked = triage->model()->checkedCount();
    QTest::mouseClick(m_window->find<QPushButton>(u"recoveryGo"_s), Qt::LeftButton);
    answer(openedDialog(), u"worker crashed"_s);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(triage->model()->rowCount(), 50 - checked, 10'000); // read again by itself
    QCOMPARE(triage->model()->checkedCount(), 0);
    for (const models::TriageModel::Row &row : triage->model()->rows()) {
        QCOMPARE(row.may && !row.checked, out.contains(row.facts.record.key.text));
    }
    // Another table is another question.
    selectAll();
    QCOMPARE(triage->model()->checkedCount(), 2);
    m_window->window->recoveryPage()->showTarget(u"k2"_s);
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 10'000);
    QCOMPARE(triage->model()->checkedCount(), 0);
}

void ActionsWindowTest::chipsFilterAndBoxesSelect()
{
    connectAs(u"op"_s);
    showRecovery();
    const models::TriageModel *model = m_window->window->triage()->model();
    auto *table = m_window->find<QTableView>(u"recoveryTable"_s);
    auto *all = m_window->find<QCheckBox>(u"recoveryAll"_s);
    const auto *groups = qobject_cast<models::TriageGroups *>(table->model());
    QVERIFY(groups != nullptr);
    const auto shown = [groups] {
        int rows = 0;
        for (int row = 0; row < groups->rowCount(); ++row) {
            rows += groups->isHeading(row) ? 0 : 1;
        }
        return rows;
    };
    const int may = model->mayCount();
    QVERIFY(may > 0 && may < model->rowCount());
    QCOMPARE(shown(), model->rowCount());
    QVERIFY(table->isColumnHidden(models::TriageModel::State)); // all of them are stuck
    // What can be acted on stands first; the rest cannot be selected, and the same numbers are said everywhere.
    QVERIFY(model->rows().first().may && !model->rows().last().may);
    QTRY_COMPARE(m_window->find<QLabel>(u"recoveryChosen"_s)->text(), u"0 of %1 selected"_s.arg(may));
    QVERIFY2(all->text().endsWith(QString::number(may)) && all->checkState() == Qt::Unchecked, qPrintable(all->text()));
    selectAll();
    const QString expected = u"%1 of %1 selected"_s.arg(may);
    QTRY_COMPARE(m_window->find<QLabel>(u"recoveryChosen"_s)->text(), expected);
    QCOMPARE(m_window->find<QLabel>(u"recoveryBecomes"_s)->text(), u"%1 → Failed, retryable"_s.arg(may));
    QVERIFY2(all->text().endsWith(QString::number(may)) && all->checkState() == Qt::Checked, qPrintable(all->text()));
    auto *review = m_window->find<QToolButton>(u"class_needs_review"_s);
    QVERIFY2(review->isEnabled() && review->text().contains(u"17"_s), qPrintable(review->text()));
    QTest::mouseClick(review, Qt::LeftButton);
    QCOMPARE(shown(), 17);
    QCOMPARE(model->checkedCount(), may); // to look at some changes nothing of what is selected
    // What is ticked and not shown is said, and would go along.
    const QString hidden = u"%1 of %1 selected · %1 of them not shown"_s.arg(may);
    QCOMPARE(m_window->find<QLabel>(u"recoveryChosen"_s)->text(), hidden);
    QVERIFY(m_window->find<QPushButton>(u"recoveryGo"_s)->text().contains(QString::number(may)));
    QTest::mouseClick(review, Qt::LeftButton);
    QCOMPARE(shown(), model->rowCount());
    // The rest is said, and leads to its keys.
    auto *rest = m_window->find<QToolButton>(u"recoveryRest"_s);
    QVERIFY2(rest->isVisible() && rest->text() == u"17 key(s) need a person"_s, qPrintable(rest->text()));
    QTest::mouseClick(rest, Qt::LeftButton);
    QCOMPARE(shown(), 17);
    QTest::mouseClick(review, Qt::LeftButton);
    QCOMPARE(shown(), model->rowCount());
    QTest::keyClick(all, Qt::Key_Space);
    QCOMPARE(model->checkedCount(), 0);
    QVERIFY(!m_window->find<QPushButton>(u"recoveryGo"_s)->isEnabled());
    QTest::keyClick(all, Qt::Key_Space);
    QCOMPARE(model->checkedCount(), may);
    m_window->window->recoveryPage()->openDialog();
    QVERIFY(openedDialog() != nullptr);
    const QString picture = openedDialog()->findChild<QWidget *>(u"flowView"_s)->accessibleName();
    QVERIFY2(picture.contains(u"Stuck becomes"_s) && picture.contains(u"these may run again"_s), qPrintable(picture));
    openedDialog()->reject();
}

/// Each class has a heading with its numbers, which ticks all of it; those to act on come first.
void ActionsWindowTest::classesStandUnderHeadings()
{
    connectAs(u"op"_s);
    showRecovery();
    auto *table = m_window->find<QTableView>(u"recoveryTable"_s);
    auto *triage = m_window->window->triage();
    auto *groups = qobject_cast<models::TriageGroups *>(table->model());
    QAbstractItemModelTester tester(groups, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(groups->isHeading(0) && table->columnSpan(0, 0) == models::TriageModel::ColumnCount);
    const auto heading = [groups](int row) { return groups->index(row, 0).data().toString(); };
    QVERIFY2(heading(0).startsWith(u"0 of 33 selected → Failed, retryable"_s), qPrintable(heading(0)));
    QVERIFY2(heading(34).startsWith(u"17 key(s), decided one at a time"_s), qPrintable(heading(34)));
    // A heading says it for its rows; they keep it for who reads them.
    QCOMPARE(groups->index(1, models::TriageModel::Proposed).data().toString(), u"Failed, retryable"_s);
    QVERIFY(table->isColumnHidden(models::TriageModel::Class) && table->isColumnHidden(models::TriageModel::Proposed));
    QVERIFY(!groups->index(34, 0).data(Qt::CheckStateRole).isValid());
    // By keyboard, as a key's row.
    table->setFocus();
    table->setCurrentIndex(groups->index(1, 0));
    QTest::keyClick(table, Qt::Key_Space);
    QVERIFY2(heading(0).startsWith(u"1 of 33 selected"_s), qPrintable(heading(0)));
    QCOMPARE(groups->index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::PartiallyChecked));
    table->setCurrentIndex(groups->index(0, 0));
    QVERIFY(!m_window->find<QToolButton>(u"recoveryOne"_s)->isEnabled()); // a heading is no key
    QTest::keyClick(table, Qt::Key_Space);
    QCOMPARE(triage->model()->checkedCount(), 33);
    QTest::keyClick(table, Qt::Key_Space);
    QCOMPARE(triage->model()->checkedCount(), 0);
}

/// Its worker may be finishing: nothing that takes many takes it, its badge calls it nothing safe, and it says why.
void ActionsWindowTest::whatIsTooFreshStandsApart()
{
    QVERIFY(m_fixture->root()
                .run(u"UPDATE app.k SET locked_until = now() - interval '1 second' WHERE key = 'k001'"_s)
                .ok());
    connectAs(u"op"_s);
    showRecovery();
    auto *model = m_window->window->triage()->model();
    const models::TriageTally fresh = model->tallies().at(3);
    QCOMPARE(fresh.keys, 1);
    auto *groups = qobject_cast<models::TriageGroups *>(m_window->find<QTableView>(u"recoveryTable"_s)->model());
    int heading = 0;
    while (heading < groups->rowCount()
        && !(groups->isHeading(heading) && groups->groupAt(heading) == int(models::TriageGroup::TooFresh))) {
        ++heading;
    }
    QVERIFY(heading < groups->rowCount());
    QVERIFY(!groups->index(heading, 0).data(Qt::CheckStateRole).isValid());
    QVERIFY(m_window->find<QToolButton>(u"class_too_fresh"_s)->isVisible());
    auto *all = m_window->find<QCheckBox>(u"recoveryAll"_s);
    const QString together = QString::number(model->mayCount() - 1);
    QCOMPARE(all->text(), u"Select all "_s + together); // which are others than the fresh one
    const auto *chosen = m_window->find<QLabel>(u"recoveryChosen"_s);
    QCOMPARE(chosen->text(), u"0 of %1 selected · 1 too fresh"_s.arg(together));
    all->setFocus();
    QTest::keyClick(all, Qt::Key_Space);
    QCOMPARE(model->checkedCount(), model->mayCount() - 1);
    QCOMPARE(chosen->text(), u"%1 of %1 selected · 1 too fresh"_s.arg(together));
    m_window->window->recoveryPage()->selectRow(groups->sourceRow(heading + 1));
    const QString why = m_window->find<QLabel>(u"recoveryWhy"_s)->text();
    QVERIFY2(why.startsWith(u"Stuck for under a minute: its worker may be finishing."_s), qPrintable(why));
    const bool ticked = groups->setData(groups->index(heading + 1, 0), Qt::Checked, Qt::CheckStateRole);
    QVERIFY(ticked && model->checkedCount() == model->mayCount());
    QCOMPARE(chosen->text(), u"%1 selected, 1 of them too fresh"_s.arg(model->mayCount()));
}

void ActionsWindowTest::linesAreReadWholeInASmallWindow_data()
{
    QTest::addColumn<QSize>("window");
    QTest::newRow("smallest window") << QSize(1024, 700);
    QTest::newRow("small window") << QSize(1180, 700);
}

/// A line for each key, no column beyond the edge, and beneath all about the selected one.
void ActionsWindowTest::linesAreReadWholeInASmallWindow()
{
    QFETCH(QSize, window);
    connectAs(u"op"_s);
    m_window->window->showPage(u"recovery"_s);
    m_window->window->resize(window);
    showRecovery();
    auto *table = m_window->find<QTableView>(u"recoveryTable"_s);
    QCOMPARE(table->verticalHeader()->defaultSectionSize(), ui::Theme::scaled(ui::kRowHeight));
    QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
    for (const int column : { int(models::TriageModel::Key), int(models::TriageModel::StaleFor) }) {
        QVERIFY(!table->isColumnHidden(column));
    }
    m_window->window->recoveryPage()->selectRow(0);
    const models::TriageModel *model = m_window->window->triage()->model();
    QCOMPARE(m_window->find<QLabel>(u"recoveryOneName"_s)->text(), model->rows().first().facts.record.key.text);
    const QString facts = m_window->find<QLabel>(u"recoveryOneFacts"_s)->text();
    QVERIFY2(facts.contains(u"stuck for "_s + model->index(0, models::TriageModel::StaleFor).data().toString()),
        qPrintable(facts));
    QVERIFY(m_window->find<QLabel>(u"recoveryWhy"_s)->isVisible());
}

void ActionsWindowTest::nothingToSelectSaysWhy()
{
    connectAs(u"op"_s);
    m_window->window->showPage(u"recovery"_s);
    showRecovery();
    const models::TriageModel *model = m_window->window->triage()->model();
    m_window->window->recoveryPage()->showTarget(u"k2"_s, u"key:"_s + model->rows().last().facts.record.key.text);
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->window->triage()->busy() && model->rowCount() == 1, 10'000);
    QCOMPARE(model->mayCount(), 0);
    const QString why = model->tallies().at(4).whyNot;
    QVERIFY(!why.isEmpty());
    QStringList said;
    for (const QLabel *label : m_window->find<QWidget>(u"recoveryPage"_s)->findChildren<QLabel *>()) {
        said += label->isVisible() ? label->text() : QString();
    }
    QVERIFY2(
        said.contains(why) && !m_window->find<QCheckBox>(u"recoveryAll"_s)->isVisible(), qPrintable(said.join(u'\n')));
    // What is left to do is to decide on this key: by buttons beside its name, not by a menu.
    const QString key = model->rows().first().facts.record.key.text;
    auto *decide = m_window->find<QPushButton>(u"recoveryDecide0"_s);
    QTRY_VERIFY(decide->isVisible());
    // To look comes first, what may do the work twice comes last; and each says what it leads to. None is red: what
    // follows is a question, and can be undone.
    auto *look = m_window->find<QPushButton>(u"recoveryLook"_s);
    auto *retry = m_window->find<QPushButton>(u"recoveryDecide1"_s);
    QVERIFY(look->isVisible() && retry->isVisible() && look->x() < decide->x() && decide->x() < retry->x());
    QCOMPARE(retry->text(), u"Retry…"_s);
    QCOMPARE(ui::lookOf(retry), ui::ButtonLook::Plain);
    QCOMPARE(ui::lookOf(decide), ui::ButtonLook::Plain);
    const QString leads = m_window->find<QLabel>(u"recoveryLeads"_s)->text();
    QVERIFY2(
        leads.contains(u"twice if the effect happened"_s) && leads.contains(u"“Failed, final”"_s), qPrintable(leads));
    QVERIFY(!m_window->find<QToolButton>(u"recoveryOne"_s)->isVisible());
    QVERIFY(!m_window->find<QPushButton>(u"recoveryDecide2"_s)->isVisible()); // of a state that no rule leads to
    QCOMPARE(m_window->find<QLabel>(u"recoveryOneName"_s)->text(), key);
    QCOMPARE(decide->text(), u"Nothing happened…"_s);
    decide->setFocus();
    QTest::keyClick(decide, Qt::Key_Space);
    QVERIFY(openedDialog() != nullptr);
    QCOMPARE(openedDialog()->findChild<QTableWidget *>(u"actionPlan"_s)->item(0, 0)->text(), key);
    openedDialog()->reject();
    QTest::mouseClick(look, Qt::LeftButton);
    QCOMPARE(m_window->window->currentPage(), u"keys"_s);
}

/// From the key, and from its verdict, which no longer tells anybody to wait.
void ActionsWindowTest::aStuckKeyLeadsToItsRecovery()
{
    connectAs(u"op"_s);
    const auto open = [this] {
        m_window->window->showPage(u"keys"_s);
        m_window->window->keysPage()->showTarget(u"k2"_s, u"key:k001"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 10'000);
        m_window->window->keysPage()->selectRow(0);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->window->detail()->status() == models::KeyDetailController::Status::Ready, 10'000);
    };
    const auto arrived = [this] {
        const models::TriageModel *model = m_window->window->triage()->model();
        return m_window->window->currentPage() == u"recovery" && !m_window->window->triage()->busy()
            && model->rowCount() == 1 && model->rows().first().facts.record.key.text == u"k001";
    };
    open();
    QVERIFY2(m_window->find<QLabel>(u"detailSummary"_s)->text().startsWith(u"stuck for "_s),
        qPrintable(m_window->find<QLabel>(u"detailSummary"_s)->text()));
    QTest::mouseClick(m_window->find<QPushButton>(u"detailRecover"_s), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(arrived(), 10'000);
    m_window->window->triage()->read(u"key:nothing"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!arrived(), 10'000);
    open();
    m_window->window->keysPage()->openCase();
    auto *dialog = m_window->find<QDialog>(u"caseDialog"_s);
    QTRY_VERIFY_WITH_TIMEOUT(
        dialog->findChild<QLabel *>(u"caseSentence"_s)->text().startsWith(u"Stuck for "_s), 10'000);
    const QString settle = u"caseSettle%1"_s.arg(int(models::SettledBy::Recovery));
    QTest::mouseClick(dialog->findChild<QPushButton *>(settle), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(arrived(), 10'000);
}

/// A time without a zone means one moment, on whichever page it is typed: else another set of keys would be freed.
void ActionsWindowTest::aFilterMeansTheSameOnBothPages()
{
    const QString database = m_fixture->database();
    QVERIFY(m_fixture->root().run(u"ALTER DATABASE %1 SET timezone TO 'Asia/Tokyo'"_s.arg(database)).ok());
    const auto back = qScopeGuard([&] { m_fixture->root().run(u"ALTER DATABASE %1 RESET timezone"_s.arg(database)); });
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET updated_at = now() - interval '1 day' WHERE key > 'k003'"_s).ok());
    connectAs(u"op"_s);
    const QString filter = u"state:in_progress updated>="_s
        + value(u"SELECT to_char((now() - interval '30 minutes') AT TIME ZONE 'Asia/Tokyo', "
                "'YYYY-MM-DD\"T\"HH24:MI:SS')"_s);
    m_window->window->showPage(u"keys"_s);
    m_window->window->keysPage()->showTarget(u"k2"_s, filter);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() > 0, 10'000);
    const int found = m_window->model()->rowCount();
    QCOMPARE(found, 3);
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showTarget(u"k2"_s, filter);
    models::TriageController *triage = m_window->window->triage();
    QTRY_VERIFY_WITH_TIMEOUT(!triage->busy() && triage->loaded(), 10'000);
    QVERIFY2(!triage->error(), triage->error() ? qPrintable(triage->error()->line()) : "");
    QCOMPARE(triage->model()->rowCount(), found);
}

/// Exactly those that were selected are shown and ticked, whatever the page showed before.
void ActionsWindowTest::selectedKeysLeadToTheirRecovery()
{
    connectAs(u"op"_s);
    showRecovery();
    auto *triage = m_window->window->triage();
    QVERIFY(triage->model()->setData(triage->model()->index(0, 0), Qt::Checked, Qt::CheckStateRole));
    m_window->window->showPage(u"keys"_s);
    m_window->window->keysPage()->showTarget(u"k2"_s, u"state:stale tenant:t1"_s);
    const int stuck = value(u"SELECT count(*) FROM app.k WHERE tenant = 't1' AND key LIKE 'k%'"_s).toInt();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == stuck, 10'000);
    QTableView *table = m_window->table();
    QStringList chosen;
    table->clearSelection();
    for (const int row : { 0, 2, 3 }) {
        table->selectionModel()->select(
            m_window->model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        chosen += m_window->model()->record(row)->key.text;
    }
    chosen.sort();
    emit table->customContextMenuRequested({ 5, 5 });
    auto *menu = table->findChild<QMenu *>(u"rowMenu"_s);
    QVERIFY(menu != nullptr);
    QVERIFY2(menu->findChild<QAction *>(u"recoverSelected"_s)->text().contains(u"3 key"_s),
        qPrintable(menu->findChild<QAction *>(u"recoverSelected"_s)->text()));
    menu->findChild<QAction *>(u"recoverSelected"_s)->trigger();
    menu->close();
    QCOMPARE(m_window->window->currentPage(), u"recovery"_s);
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy() && triage->model()->rowCount() == 3, 10'000);
    const auto keys = [triage](bool checked) {
        QStringList texts;
        for (const models::TriageModel::Row &row : triage->model()->rows()) {
            if (!checked || row.checked) {
                texts += row.facts.record.key.text;
            }
        }
        texts.sort();
        return texts;
    };
    QCOMPARE(keys(false), chosen);
    QCOMPARE(keys(true), chosen);
    QTRY_COMPARE(m_window->find<QLabel>(u"recoveryChosen"_s)->text(), u"3 of 3 selected"_s);
    auto *all = m_window->find<QWidget>(u"recoveryNotice"_s)->findChild<QPushButton *>(u"noticeSecondary"_s);
    QVERIFY(all->isVisible());
    QTest::mouseClick(all, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(triage->model()->rowCount(), 50, 10'000);
}

void ActionsWindowTest::showChosen(const QStringList &keys, sql::ActionVerb verb)
{
    QList<sql::Cells> identities;
    for (const QString &key : keys) {
        const QString tenant = m_fixture->root().value(u"SELECT tenant FROM app.k WHERE key = $1"_s, { key });
        identities += sql::Cells { sql::Cell::of(tenant), sql::Cell::of(key) };
    }
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showChosen(u"k2"_s, verb, identities);
    auto *triage = m_window->window->triage();
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 10'000);
}

QString ActionsWindowTest::said(const QString &widget)
{
    QStringList texts;
    for (const QLabel *label : m_window->find<QWidget>(widget)->findChildren<QLabel *>()) {
        texts += label->isVisible() ? label->text() : QString();
    }
    return texts.join(u' ');
}

/// Neither another verb nor a new registration makes them all keys of the table.
void ActionsWindowTest::chosenKeysStayThoseThatWereChosen()
{
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET status = 'dead' WHERE key IN ('k003', 'k006', 'k009')"_s).ok());
    connectAs(u"op"_s);
    showRecovery();
    showChosen({ u"k003"_s, u"k004"_s });
    auto *triage = m_window->window->triage();
    QCOMPARE(triage->model()->rowCount(), 2);
    auto *verbs = m_window->find<QComboBox>(u"recoveryVerb"_s);
    verbs->setCurrentIndex(verbs->findData(int(sql::ActionVerb::Requeue)));
    emit verbs->activated(verbs->currentIndex());
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 10'000);
    QCOMPARE(triage->model()->rowCount(), 2);
    QCOMPARE(triage->model()->checkedCount(), 1); // the failed one, of three that are
    QVERIFY2(said(u"recoveryNotice"_s).contains(u"Only the 2 selected"_s), qPrintable(said(u"recoveryNotice"_s)));
    const sql::Timestamp before = triage->target().registeredAt().value_or(sql::Timestamp());
    QVERIFY(triage->model()->setData(triage->model()->index(0, 0), Qt::Unchecked, Qt::CheckStateRole)
        || triage->model()->setData(triage->model()->index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
    registerTable(*m_fixture, R"({"title": "The same, anew"})");
    m_window->connection.refreshTargets();
    QTRY_VERIFY_WITH_TIMEOUT(triage->target().registeredAt().value_or(sql::Timestamp()) != before, 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 10'000);
    QCOMPARE(triage->chosenElsewhere(), 2);
    QCOMPARE(triage->model()->rowCount(), 2);
    QCOMPARE(triage->model()->checkedCount(), 0); // it was taken out
}

void ActionsWindowTest::aChoiceEndsWithItsConnection_data()
{
    QTest::addColumn<bool>("picked"); // on the keys page; else selected among what a filter found
    QTest::addColumn<bool>("requeue");
    QTest::newRow("keys picked elsewhere") << true << false;
    QTest::newRow("keys picked elsewhere, to requeue") << true << true;
    QTest::newRow("a key selected") << false << false;
}

/// Who chose some keys meant no others: nothing is read and checked in their place unasked.
void ActionsWindowTest::aChoiceEndsWithItsConnection()
{
    QFETCH(bool, picked);
    QFETCH(bool, requeue);
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET status = 'dead' WHERE key IN ('k003', 'k006', 'k009')"_s).ok());
    connectAs(u"op"_s);
    showRecovery();
    auto *triage = m_window->window->triage();
    if (picked) {
        showChosen({ u"k003"_s, u"k004"_s }, requeue ? sql::ActionVerb::Requeue : sql::ActionVerb::Recover);
    } else {
        QVERIFY(triage->model()->setData(triage->model()->index(0, 0), Qt::Checked, Qt::CheckStateRole));
    }
    m_window->connection.disconnectNow();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.database() == nullptr, 20'000);
    connectAs(u"op"_s);
    QTRY_COMPARE_WITH_TIMEOUT(triage->target().target.profile.name, u"k2"_s, 10'000);
    m_window->window->recoveryPage()->activate();
    m_window->window->recoveryPage()->refresh(); // as the clock does
    QVERIFY(!triage->busy() && !triage->loaded());
    QCOMPARE(triage->model()->rowCount(), 0);
    QVERIFY2(said(u"recoveryPage"_s).contains(u"Your selection has ended"_s), qPrintable(said(u"recoveryPage"_s)));
    QTest::mouseClick(
        m_window->find<QWidget>(u"recoveryPage"_s)->findChild<QPushButton *>(u"emptyStateButton"_s), Qt::LeftButton);
    // To requeue, only what has failed, and never all that there is.
    QTRY_COMPARE_WITH_TIMEOUT(triage->model()->rowCount(), requeue ? 3 : 47, 10'000);
    m_window->window->recoveryPage()->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 10'000);
}

void ActionsWindowTest::aChoiceTooLargeSaysSo()
{
    connectAs(u"op"_s);
    showRecovery();
    QList<sql::Cells> identities { { sql::Cell::of(u"t1"_s), sql::Cell::of(u"k003"_s) } };
    while (identities.size() <= models::TriageController::kMostKeys) {
        identities += sql::Cells { sql::Cell::of(u"t1"_s), sql::Cell::of(u"none-%1"_s.arg(identities.size())) };
    }
    m_window->window->recoveryPage()->showChosen(u"k2"_s, sql::ActionVerb::Recover, identities);
    auto *triage = m_window->window->triage();
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 20'000);
    QVERIFY2(
        said(u"recoveryNotice"_s).contains(u"The first 5,000 of the 5,001"_s), qPrintable(said(u"recoveryNotice"_s)));
}

/// An answer that comes while it is open orders the rows anew.
void ActionsWindowTest::theMenuIsAboutTheKeyItWasOpenedFor()
{
    connectAs(u"op"_s);
    showRecovery();
    auto *triage = m_window->window->triage();
    auto *table = m_window->find<QTableView>(u"recoveryTable"_s);
    auto *groups = qobject_cast<models::TriageGroups *>(table->model());
    auto *one = m_window->find<QToolButton>(u"recoveryOne"_s);
    const int row = triage->model()->rowCount() - 3;
    const QString key = triage->model()->rows().at(row).facts.record.key.text;
    const QString first = triage->model()->rows().first().facts.record.key.text;
    const QString second = triage->model()->rows().at(1).facts.record.key.text;
    QVERIFY(key != triage->model()->rows().at(row + 1).facts.record.key.text);
    m_window->window->recoveryPage()->selectRow(row);
    QTRY_VERIFY(one->isEnabled());
    const auto answerWithout = [&](const QString &gone, int rows) {
        QVERIFY(m_fixture->root().run(u"DELETE FROM app.k WHERE key = $1"_s, { gone }).ok());
        triage->refresh();
        QTRY_COMPARE_WITH_TIMEOUT(triage->model()->rowCount(), rows, 10'000);
    };
    emit one->menu()->aboutToShow();
    answerWithout(first, 49);
    for (int shown = 0; shown < groups->rowCount(); ++shown) { // a heading leaves no trace where it was
        QCOMPARE(table->rowHeight(shown) == table->verticalHeader()->defaultSectionSize(), !groups->isHeading(shown));
    }
    decideInMenu(u"failed_final"_s);
    QVERIFY(openedDialog() != nullptr);
    QCOMPARE(openedDialog()->findChild<QTableWidget *>(u"actionPlan"_s)->item(0, 0)->text(), key);
    openedDialog()->reject();
    QTRY_VERIFY(openedDialog() == nullptr);
    // One that is gone by then stands for no other.
    QCOMPARE(triage->model()->rows().at(groups->sourceRow(table->currentIndex().row())).facts.record.key.text, key);
    emit one->menu()->aboutToShow();
    answerWithout(key, 48);
    decideInMenu(u"failed_final"_s);
    QVERIFY(openedDialog() == nullptr);
    auto *refused = m_window->window->findChild<QMessageBox *>(u"recoveryRefused"_s);
    QVERIFY(refused != nullptr && refused->text().contains(key));
    refused->reject();
    answerWithout(second, 47);
}

/// Only where all are stuck is there no need for a column of states.
void ActionsWindowTest::keysOfAnyStateSayTheirs()
{
    connectAs(u"op"_s);
    showRecovery();
    auto *table = m_window->find<QTableView>(u"recoveryTable"_s);
    QVERIFY(table->isColumnHidden(models::TriageModel::State));
    showChosen({ u"d0001"_s, u"d0002"_s });
    QCOMPARE(m_window->window->triage()->model()->rowCount(), 2);
    QVERIFY(!table->isColumnHidden(models::TriageModel::State));
    const QString notice = said(u"recoveryNotice"_s);
    QVERIFY2(notice.contains(u"None of these 2"_s) && notice.contains(u"Only the 2 selected"_s), qPrintable(notice));
}

/// That nobody said when a key is stuck is no fault of the reading, and not to be tried again.
void ActionsWindowTest::aTableWithoutTheRuleOffersWaysOn()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"CREATE TABLE app.norule (LIKE app.k INCLUDING ALL); GRANT SELECT ON app.norule TO op;"
        "INSERT INTO app.norule (tenant, key, status) VALUES ('t1', 'x1', 'dead')"_s);
    connectAs(u"op"_s);
    const auto profile = sql::profileFromJson(
        tableProfile(R"({"relation": "app.norule", "name": "norule", "stale": null})"), u"test"_s);
    QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().line()));
    m_window->connection.addProfile(*profile, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"norule"_s) != nullptr, 20'000);
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showTarget(u"norule"_s);
    auto *triage = m_window->window->triage();
    QTRY_VERIFY_WITH_TIMEOUT(triage->error().has_value(), 20'000);
    QVERIFY2(!said(u"recoveryPage"_s).contains(u"Press Enter"_s), qPrintable(said(u"recoveryPage"_s)));
    auto *notice = m_window->find<QWidget>(u"recoveryNotice"_s);
    QCOMPARE(notice->findChild<QPushButton *>(u"noticePrimary"_s)->text(), u"Define when keys are stuck…"_s);
    auto *requeue = notice->findChild<QPushButton *>(u"noticeSecondary"_s);
    QCOMPARE(requeue->text(), u"Requeue by filter"_s);
    QTest::mouseClick(requeue, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 20'000);
    QCOMPARE(triage->verb(), sql::ActionVerb::Requeue);
    QCOMPARE(triage->model()->rowCount(), 1);
}

void ActionsWindowTest::unreadableKeysAreNotGone()
{
    registerTable(*m_fixture,
        R"json({"roles": {"status": "t.status", "lease_until": "t.locked_until", "updated_at": "t.updated_at",
            "expires_at": "t.expires_at", "result_id": "t.result",
            "attempts": "t.attempts / (CASE WHEN t.key = 'k007' THEN 0 ELSE 1 END)"}})json");
    connectAs(u"op"_s);
    showRecovery();
    showChosen({ u"k007"_s, u"nowhere"_s });
    auto *triage = m_window->window->triage();
    QCOMPARE(triage->unreadable(), 1);
    QCOMPARE(triage->model()->rowCount(), 0);
    QVERIFY2(said(u"recoveryNotice"_s).contains(u"1 of them is gone"_s), qPrintable(said(u"recoveryNotice"_s)));
    QVERIFY2(said(u"recoveryPage"_s).contains(u"The selected keys could not be read"_s),
        qPrintable(said(u"recoveryPage"_s)));
}

/// A filter that names states is not narrowed to what is stuck, and the verb fits the finding.
void ActionsWindowTest::healthLeadsToItsKeys()
{
    QVERIFY(
        m_fixture->root()
            .run(u"UPDATE app.k SET status = 'dead', result = CASE key WHEN 'k003' THEN '40P01' ELSE 'declined' END "
                 "WHERE key IN ('k003', 'k006')"_s)
            .ok());
    QVERIFY(m_fixture->root().run(u"UPDATE app.k SET status = 'failed' WHERE key IN ('k009', 'k012')"_s).ok());
    registerTable(*m_fixture,
        R"({"roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until",
            "updated_at": "t.updated_at", "expires_at": "t.expires_at", "error_code": "t.result"}})");
    connectAs(u"op"_s);
    m_window->window->showPage(u"health"_s);
    models::HealthController *health = m_window->window->health();
    QTRY_VERIFY_WITH_TIMEOUT(!health->busy() && health->model()->problems() > 0, 20'000);
    auto *table = m_window->find<QTableView>(u"healthTable"_s);
    for (int row = 0; row < health->model()->rowCount(); ++row) {
        if (health->model()->row(row)->finding.id == u"retryable_final"_s) {
            const auto *groups = qobject_cast<models::HeadedRows *>(table->model());
            table->setCurrentIndex(groups->index(groups->rowOf(row), models::HealthModel::Question));
        }
    }
    QTest::mouseClick(m_window->find<QPushButton>(u"healthRecover"_s), Qt::LeftButton);
    QCOMPARE(m_window->window->currentPage(), u"recovery"_s);
    auto *triage = m_window->window->triage();
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 10'000);
    QCOMPARE(triage->verb(), sql::ActionVerb::Requeue);
    QCOMPARE(triage->model()->rowCount(), 1); // and not the one that was declined
    QCOMPARE(triage->model()->rows().first().facts.record.key.text, u"k003"_s);
    QCOMPARE(triage->model()->mayCount(), 1);
    QCOMPARE(triage->model()->checkedCount(), 0); // a filter is no selection
    m_window->window->recoveryPage()->showTarget(u"k2"_s, u"state:in_progress,failed_retryable"_s);
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 10'000);
    QCOMPARE(triage->model()->rowCount(), 48);
    QVERIFY(!m_window->find<QTableView>(u"recoveryTable"_s)->isColumnHidden(models::TriageModel::State));
}

/// Keys whose rows are no longer held are passed on as well; a case is made of those that are.
void ActionsWindowTest::theMenuCountsWhatItPassesOn()
{
    connectAs(u"op"_s);
    m_window->window->showPage(u"keys"_s);
    m_window->window->keysPage()->showTarget(u"k2"_s, u"state:stale tenant:t1"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() > 3, 10'000);
    const int rows = m_window->model()->rowCount();
    QTableView *table = m_window->table();
    table->clearSelection();
    for (const int row : { 0, 2, 3 }) {
        table->selectionModel()->select(
            m_window->model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    const QString gone = m_window->model()->record(2)->key.text;
    QVERIFY(m_fixture->root().run(u"DELETE FROM app.k WHERE key = $1"_s, { gone }).ok());
    m_window->window->browser()->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(m_window->model()->rowCount(), rows - 1, 10'000);
    QTRY_COMPARE(m_window->window->browser()->selectedRecords().size(), 2);
    QCOMPARE(m_window->window->browser()->selection().size(), 3);
    emit table->customContextMenuRequested({ 5, 5 });
    auto *menu = table->findChild<QMenu *>(u"rowMenu"_s);
    QVERIFY(menu != nullptr);
    QVERIFY2(menu->findChild<QAction *>(u"recoverSelected"_s)->text().contains(u"3 key"_s),
        qPrintable(menu->findChild<QAction *>(u"recoverSelected"_s)->text()));
    menu->findChild<QAction *>(u"caseSelected"_s)->trigger();
    menu->close();
    QVERIFY2(
        said(u"keysPage"_s).contains(u"2 of 3 selected keys are in the case file."_s), qPrintable(said(u"keysPage"_s)));
    auto *dialog = m_window->find<QDialog>(u"caseDialog"_s);
    QVERIFY(dialog != nullptr);
    dialog->reject();
}

void ActionsWindowTest::spaceTicksWhicheverColumnIsCurrent()
{
    connectAs(u"op"_s);
    showRecovery();
    auto *triage = m_window->window->triage();
    auto *table = m_window->find<QTableView>(u"recoveryTable"_s);
    int row = 0;
    while (!triage->model()->rows().at(row).may) {
        ++row;
    }
    table->setFocus();
    const int shown = qobject_cast<models::TriageGroups *>(table->model())->rowOf(row);
    for (const int column :
        { int(models::TriageModel::Pick), int(models::TriageModel::Key), int(models::TriageModel::Owner) }) {
        const bool before = triage->model()->rows().at(row).checked;
        table->setCurrentIndex(table->model()->index(shown, column));
        QTest::keyClick(table, Qt::Key_Space);
        QVERIFY2(triage->model()->rows().at(row).checked != before, qPrintable(QString::number(column)));
        QTest::keyClick(table, Qt::Key_Space);
        QCOMPARE(triage->model()->rows().at(row).checked, before);
    }
}

void ActionsWindowTest::noAllowanceIsOfferedForAnUnregisteredTable()
{
    m_fixture->cluster().psql(
        m_fixture->database(), u"CREATE TABLE app.later (LIKE app.k INCLUDING ALL); GRANT SELECT ON app.later TO op"_s);
    connectAs(u"op"_s, sql::Environment::Production);
    const auto later = sql::profileFromJson(
        tableProfile(R"({"relation": "app.later", "name": "later", "effects": [], "actions": {}})"), u"test"_s);
    QVERIFY2(later.ok(), later.ok() ? "" : qPrintable(later.error().line()));
    m_window->connection.addProfile(*later, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"later"_s) != nullptr, 20'000);
    showRecovery();
    auto *offered = m_window->find<QWidget>(u"recoveryRights"_s)->findChild<QPushButton *>(u"noticePrimary"_s);
    QVERIFY2(offered->isVisible() && offered->text().contains(u"15 minutes"_s), qPrintable(offered->text()));
    m_window->window->recoveryPage()->showTarget(u"later"_s);
    QVERIFY(!m_window->window->triage()->target().registration);
    QVERIFY2(!offered->isVisible() || !offered->text().contains(u"Allow"_s), qPrintable(offered->text()));
    m_window->window->purgePage()->showTarget(u"later"_s);
    m_window->window->showPage(u"purge"_s);
    auto *purge = m_window->find<QWidget>(u"purgePage"_s);
    for (const QPushButton *button : purge->findChildren<QPushButton *>(u"noticePrimary"_s)) {
        QVERIFY2(!button->isVisible() || !button->text().contains(u"Allow"_s), qPrintable(button->text()));
    }
}

void ActionsWindowTest::connectingAgainKeepsTheTable()
{
    // The other table comes first by its name, so that it is what a page without a choice shows.
    m_fixture->cluster().psql(m_fixture->database(),
        u"CREATE TABLE app.another (LIKE app.k INCLUDING ALL); ALTER TABLE app.another OWNER TO app_owner; "
        "GRANT SELECT, INSERT, UPDATE, DELETE ON app.another TO idemdesk_runner_app_owner; "
        "GRANT SELECT ON app.another TO op, adm"_s);
    registerTable(*m_fixture, R"({"relation": "app.another", "title": "A"})", u"another"_s);
    connectAs(u"op"_s);
    showRecovery();
    m_window->window->showPage(u"purge"_s);
    m_window->window->purgePage()->showTarget(u"k2"_s);
    for (const QString &page : { u"recovery"_s, u"purge"_s }) {
        m_window->window->showPage(page);
        m_window->connection.disconnectNow();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.database() == nullptr, 20'000);
        connectAs(u"op"_s);
        auto *chooser = m_window->find<QComboBox>(page + u"Target"_s);
        QTRY_COMPARE_WITH_TIMEOUT(chooser->currentData().toString(), u"k2"_s, 20'000);
        QVERIFY2(page != u"recovery"_s || m_window->window->triage()->target().target.profile.name == u"k2"_s,
            "shown, and not meant");
    }
}

/// The profile's links are filled in from the row and opened by the desktop, where a person asks for it.
void ActionsWindowTest::aRowLeadsToOtherPrograms()
{
    registerTable(*m_fixture,
        R"({"links": [{"label": "Tr&ace", "url": "https://trace.example/{tenant}/{key}"},
                      {"label": "Result", "url": "https://shop.example/{result_id}"}]})");
    connectAs(u"op"_s);
    m_window->window->showPage(u"keys"_s);
    m_window->window->keysPage()->showTarget(u"k2"_s, u"key:k001"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->model()->rowCount(), 1, 20'000);
    m_window->window->keysPage()->selectRow(0);
    auto *open = m_window->find<QPushButton>(u"detailLinks"_s);
    QTRY_VERIFY_WITH_TIMEOUT(open->isVisible(), 20'000);
    QCOMPARE(open->menu()->actions().size(), 1); // the key has no result yet
    QAction *trace = open->menu()->actions().constFirst();
    QCOMPARE(trace->text(), u"Tr&&ace"_s);
    QCOMPARE(trace->toolTip(), u"https://trace.example/t1/k001"_s);
    QVERIFY(m_opened.isEmpty());
    QDesktopServices::setUrlHandler(u"https"_s, this, "keepUrl");
    trace->trigger();
    QDesktopServices::unsetUrlHandler(u"https"_s);
    QCOMPARE(m_opened, QList<QUrl> { QUrl(u"https://trace.example/t1/k001"_s) });
    m_window->window->keysPage()->setFilterText(u"key:none"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->model()->rowCount(), 0, 20'000);
    QVERIFY(!open->isVisible());
}

/// An archive is a place to look for keys, and none where something is stuck, charted, purged or recovered.
void ActionsWindowTest::anArchiveIsOnlySearched()
{
    QVERIFY(
        m_fixture->root()
            .run(u"SET ROLE app_owner; CREATE TABLE app.k_old (tenant text, key text, status text, PRIMARY KEY "
                 "(tenant, key)); INSERT INTO app.k_old VALUES ('t1', 'moved', 'succeeded'); GRANT SELECT, INSERT, "
                 "DELETE ON app.k_old TO idemdesk_runner_app_owner; GRANT SELECT ON app.k_old TO op, adm; RESET ROLE"_s)
            .ok());
    registerTable(*m_fixture,
        R"({"title": "Payments", "history": {"relation": "app.k_old", "columns": ["tenant", "key", "status"]}})");
    connectAs(u"op"_s);
    const QString archive = u"k2.history"_s;
    QVERIFY(m_window->connection.target(archive) != nullptr);
    for (const QString &page : { u"recovery"_s, u"purge"_s, u"trends"_s, u"health"_s, u"runbooks"_s }) {
        m_window->window->showPage(page);
        for (const QComboBox *chooser : m_window->window->findChildren<QComboBox *>()) {
            QVERIFY2(!chooser->isVisible() || chooser->findData(archive) < 0, qPrintable(page));
        }
    }
    m_window->window->showPage(u"keys"_s);
    m_window->window->keysPage()->showTarget(archive, {});
    QTRY_COMPARE_WITH_TIMEOUT(m_window->model()->rowCount(), 1, 20'000);
    const auto *chooser = m_window->find<QComboBox>(u"targetChooser"_s);
    QCOMPARE(chooser->currentText(), u"Payments (history) – app.k_old"_s);
    m_window->window->showPage(u"complaints"_s);
    models::ComplaintQuestion question;
    question.key = u"moved"_s;
    m_window->window->workspace()->complaint()->search(question);
    const auto *found = m_window->window->workspace()->complaint()->model();
    QTRY_COMPARE_WITH_TIMEOUT(found->rowCount(), 1, 20'000);
    QStringList cells;
    for (int column = 0; column < found->columnCount(); ++column) {
        cells += found->index(0, column).data().toString();
    }
    QVERIFY2(cells.join(u'|').contains(u"(history)"), qPrintable(cells.join(u'|')));
}

void ActionsWindowTest::cancelNeverTakesThePlaceOfPause()
{
    QVERIFY(m_fixture->root()
                .run(u"INSERT INTO app.k (tenant, key, status, locked_until, attempts, expires_at) SELECT 't1', 'm' || "
                     u"i, 'processing', "
                     "now() - interval '2 hours', 1, now() + interval '1 day' FROM generate_series(1, 3000) i"_s)
                .ok());
    connectAs(u"op"_s);
    showRecovery();
    selectAll();
    m_window->window->recoveryPage()->openDialog();
    answer(openedDialog(), u"worker crashed"_s);
    auto *strip = m_window->find<QWidget>(u"actionStrip"_s);
    auto *pause = m_window->find<QPushButton>(u"actionStripPause"_s);
    QTRY_VERIFY_WITH_TIMEOUT(pause->isVisible() && pause->isEnabled(), 10'000);
    // A connection is not left while something runs on it; the menu, the keys and the palette agree.
    const QAction *leave = m_window->window->commands()->find(u"connection.leave"_s)->action;
    QVERIFY(m_window->window->actions()->busy() && !leave->isEnabled());
    pause->setFocus();
    const QPoint place = strip->mapFromGlobal(pause->mapToGlobal(pause->rect().center()));
    // Whatever the action does meanwhile: where Pause was there is Pause or Resume, and it keeps the focus.
    const auto there = [&] { return strip->childAt(place) == pause && m_window->window->focusWidget() == pause; };
    QVERIFY(there());
    bool always = true;
    connect(m_window->window->actions(), &models::ActionCenter::runnerChanged, strip, [&] {
        strip->layout()->activate();
        always = always && there();
    });
    QTest::mouseClick(pause, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(pause->text(), u"Resume"_s, 10'000);
    QVERIFY(always && there());
    QCOMPARE(value(u"SELECT state FROM idemdesk.action"_s), u"paused"_s);
    QCOMPARE(m_window->find<QPushButton>(u"actionStripCancel"_s)->text(), u"Stop recovery"_s);
    QCOMPARE(m_window->find<QPushButton>(u"actionStripClose"_s)->text(), u"Hide"_s);
    QTest::mouseClick(strip->childAt(place), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s, 120'000);
    disconnect(m_window->window->actions(), nullptr, strip, nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->window->actions()->busy() && leave->isEnabled(), 20'000);
}

void ActionsWindowTest::theTrailShowsWhatWasDoneSince()
{
    connectAs(u"op"_s);
    m_window->window->showPage(u"audit"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->audit()->loaded(), 10'000);
    auto *trail = m_window->find<QTableView>(u"auditTrail"_s);
    const auto rows = [&] { return value(u"SELECT count(*) FROM idemdesk.audit"_s).toInt(); };
    QTRY_COMPARE_WITH_TIMEOUT(trail->model()->rowCount(), rows(), 10'000);
    const int before = rows();
    showRecovery();
    selectAll();
    m_window->window->recoveryPage()->openDialog();
    answer(openedDialog(), u"worker crashed"_s);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s, 10'000);
    QVERIFY(rows() > before);
    m_window->window->showPage(u"audit"_s);
    QTRY_COMPARE_WITH_TIMEOUT(trail->model()->rowCount(), rows(), 10'000); // without F5
}

void ActionsWindowTest::needsReviewGoesAlone()
{
    connectAs(u"op"_s);
    showRecovery();
    auto *triage = m_window->window->triage();
    int row = -1;
    for (int i = 0; i < triage->model()->rowCount(); ++i) {
        row = triage->model()->rows().at(i).judgement.cls == models::TriageClass::NeedsReview ? i : row;
    }
    QVERIFY(row >= 0);
    const QString key = triage->model()->rows().at(row).facts.record.key.text;
    m_window->window->recoveryPage()->selectRow(row);
    QVERIFY(m_window->find<QLabel>(u"recoveryWhy"_s)->text().contains(u"outside the database"_s));
    auto *one = m_window->find<QToolButton>(u"recoveryOne"_s);
    QTRY_VERIFY(one->isEnabled());
    emit one->menu()->aboutToShow();
    // To look at it, a line, failed final and failed retryable; no effect proves success.
    QCOMPARE(one->menu()->actions().size(), 4);
    QCOMPARE(one->menu()->actions().last()->text(), u"Retry… → Failed, retryable"_s);
    decideInMenu(u"failed_final"_s);
    ui::ActionDialog *dialog = openedDialog();
    QVERIFY(dialog != nullptr);
    answer(dialog, u"asked the bank"_s);
    QTRY_COMPARE_WITH_TIMEOUT(
        m_fixture->root().value(u"SELECT status FROM app.k WHERE key = $1"_s, { key }), u"dead"_s, 10'000);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'dead'"_s), u"1"_s);
}

void ActionsWindowTest::oneOfSeveralRowsOfAKeyGoesAlone()
{
    QVERIFY(m_fixture->root()
                .run(u"INSERT INTO app.k (tenant, key, status, locked_until) SELECT t, 'k001', 'processing', "
                     u"now() - interval '2 hours' "
                     "FROM unnest(ARRAY['t0', 't2']) t"_s)
                .ok());
    connectAs(u"op"_s);
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showTarget(u"k2"_s, u"key:k001"_s);
    auto *triage = m_window->window->triage();
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && triage->model()->rowCount() == 3, 10'000);
    int row = -1;
    for (int i = 0; i < 3; ++i) {
        row = triage->model()->rows().at(i).facts.record.identity.at(0).text == u"t0" ? i : row;
    }
    QVERIFY(row >= 0);
    m_window->window->recoveryPage()->selectRow(row);
    auto *one = m_window->find<QToolButton>(u"recoveryOne"_s);
    QTRY_VERIFY(one->isEnabled());
    emit one->menu()->aboutToShow();
    decideInMenu(u"failed_final"_s);
    QVERIFY(openedDialog() != nullptr);
    answer(openedDialog(), u"this one"_s);
    QTRY_COMPARE_WITH_TIMEOUT(
        value(u"SELECT string_agg(tenant || key, ',') FROM app.k WHERE status = 'dead'"_s), u"t0k001"_s, 10'000);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE key = 'k001' AND status = 'processing'"_s), u"2"_s);
}

void ActionsWindowTest::productionAsksForTheName()
{
    connectAs(u"op"_s, sql::Environment::Production);
    showRecovery();
    selectAll();
    auto *button = m_window->find<QPushButton>(u"recoveryGo"_s);
    QVERIFY(!button->isEnabled());
    QVERIFY(button->toolTip().contains(u"production"_s));
    QCOMPARE(m_window->window->actions()->secondsAllowed(), 0);
    m_window->window->actions()->allow();
    QVERIFY(m_window->window->actions()->secondsAllowed() > 14 * 60);
    QTRY_VERIFY(button->isEnabled());
    m_window->window->actions()->disallow();
    QVERIFY(!button->isEnabled());
    m_window->window->actions()->allow();
    m_window->window->recoveryPage()->openDialog();
    ui::ActionDialog *dialog = openedDialog();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->findChild<QLabel *>(u"actionEnvironment"_s)->text().contains(u"PRODUCTION"_s));
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actionReason"_s), u"because"_s);
    auto *go = dialog->findChild<QPushButton *>(u"actionGo"_s);
    QVERIFY(!go->isEnabled());
    auto *typed = dialog->findChild<QLineEdit *>(u"actionTyped"_s);
    QTest::keyClicks(typed, u"k"_s);
    QVERIFY(!go->isEnabled());
    QTest::keyClicks(typed, u"2"_s);
    QVERIFY(go->isEnabled());
    dialog->reject();
}

void ActionsWindowTest::theApproverCountsAnew(const QString &expected)
{
    const auto *purge = m_window->window->purge();
    // Whoever would have to approve it counts the same anew, whatever the request says.
    models::ApprovalPreview preview;
    preview.setDatabase(m_window->window->workspace()->connection()->database());
    sql::ActionRecord asked;
    asked.id = u"asked"_s;
    asked.verb = sql::ActionVerb::Purge;
    asked.state = sql::ActionState::Requested;
    asked.plannedRows = 1;
    asked.planJson = QJsonDocument(QJsonObject { { u"cutoff"_s, purge->planned()->cutoff.toRfc3339() },
                                       { u"states"_s, QJsonArray { u"succeeded"_s } }, { u"scopes"_s, QJsonValue() } })
                         .toJson();
    preview.look(asked, purge->target().target);
    QTRY_VERIFY_WITH_TIMEOUT(preview.lines({}).size() > 3, 10'000);
    QCOMPARE(preview.lines({}).at(0).at(1), u"%1; the request says 1"_s.arg(expected));
    QCOMPARE(preview.lines({}).at(1), (QStringList { u"By state"_s, u"Succeeded "_s + expected }));
    QVERIFY2(preview.lines({}).at(3).at(1).startsWith(u"from 2"_s), qPrintable(preview.lines({}).at(3).at(1)));
    QVERIFY(!preview.warnings(asked.id).isEmpty() && preview.lines({}).size() == 4); // whoever asked was warned, too
    QCOMPARE(preview.warnings(u"another"_s), QStringList());
    // That the request says so many, too, is no line of its own.
    asked.id = u"asked again"_s;
    asked.plannedRows = expected.toLongLong();
    preview.look(asked, purge->target().target);
    QTRY_VERIFY_WITH_TIMEOUT(preview.lines({}).size() == 3, 10'000);
    QCOMPARE(preview.lines({}).at(0), (QStringList { u"By state"_s, u"Succeeded "_s + expected }));
    asked.state = sql::ActionState::Declined;
    preview.look(asked, purge->target().target);
    QVERIFY(preview.lines({}).isEmpty());
}

void ActionsWindowTest::purgePlansThenRuns()
{
    connectAs(u"op"_s);
    m_window->window->showPage(u"purge"_s);
    m_window->window->purgePage()->showTarget(u"k2"_s);
    auto *go = m_window->find<QPushButton>(u"purgeGo"_s);
    QVERIFY(!go->isVisible());
    QTest::mouseClick(m_window->find<QPushButton>(u"purgePlan"_s), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->purge()->planned().has_value(), 10'000);
    const QString expected = value(u"SELECT count(*) FROM app.k WHERE status = 'succeeded' AND expires_at < now()"_s);
    QCOMPARE(QString::number(m_window->window->purge()->planned()->rows), expected);
    QCOMPARE(m_window->window->purge()->groups()->rowCount(), 3);
    QCOMPARE(m_window->find<QTableView>(u"purgeGroups"_s)->isColumnHidden(models::PurgeGroupsModel::Left),
        m_window->window->purge()->emptiedScopes() == 0); // a note that no row has
    QVERIFY(m_window->find<QLabel>(u"purgeSummary"_s)->text().contains(expected));
    // What stays is said beside what goes: by scope, with why.
    const auto *purge = m_window->window->purge();
    QTRY_VERIFY_WITH_TIMEOUT(!purge->bars().isEmpty() && purge->stayNote().isEmpty(), 10'000);
    double goes = 0;
    double rows = 0;
    double unfinished = 0;
    for (const models::PurgeScopeBar &bar : purge->bars()) {
        goes += bar.goes;
        rows += bar.rows();
        unfinished += bar.unfinished;
    }
    QCOMPARE(QString::number(goes), expected);
    QCOMPARE(QString::number(rows), value(u"SELECT count(*) FROM app.k"_s));
    QCOMPARE(QString::number(unfinished), value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s));
    QVERIFY(m_window->find<QWidget>(u"shareBars"_s)->accessibleDescription().contains(u" to purge"_s));
    theApproverCountsAnew(expected);
    // The keys it leaves are asked for by its own time, whenever they are looked at.
    QVERIFY(purge->unfinishedFilter().startsWith(u"expires<"_s + purge->planned()->cutoff.toRfc3339()));
    QTRY_VERIFY(go->isEnabled());
    QTest::mouseClick(go, Qt::LeftButton);
    ui::ActionDialog *dialog = openedDialog();
    QVERIFY(dialog != nullptr);
    dialog->findChild<QCheckBox *>(u"actionFast"_s)->setChecked(true);
    answer(dialog, u"monthly"_s);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT count(*) FROM app.k WHERE key LIKE 'd%'"_s), u"0"_s, 10'000);
    QTRY_VERIFY(m_window->find<QLabel>(u"actionStripText"_s)->text().contains(expected + u" purged"_s));
    QVERIFY(!m_window->window->purge()->planned().has_value()); // the plan was of before
    // The page says what happened, too, until it is put away.
    auto *progress = m_window->find<QWidget>(u"purgeProgress"_s);
    QVERIFY(progress->isVisible());
    const QString told = progress->accessibleDescription();
    QVERIFY2(told.contains(expected + u" of "_s + expected + u" planned rows; Skipped: 0"_s), qPrintable(told));
    QTest::mouseClick(m_window->find<QPushButton>(u"actionStripClose"_s), Qt::LeftButton);
    QTRY_VERIFY(!m_window->find<QWidget>(u"actionStrip"_s)->isVisible());
    QVERIFY(!progress->isVisible());
}

void ActionsWindowTest::planLongPurge()
{
    QVERIFY(m_fixture->root()
                .run(u"INSERT INTO app.k (tenant, key, status, expires_at) SELECT 'bulk', 'b' || g, 'succeeded', "
                     "now() - interval '1 day' FROM generate_series(1, 60000) g; ANALYZE app.k"_s)
                .ok());
    connectAs(u"op"_s);
    m_window->window->showPage(u"purge"_s);
    m_window->window->purgePage()->showTarget(u"k2"_s);
    m_window->window->purgePage()->plan();
    const auto *purge = m_window->window->purge();
    QTRY_VERIFY_WITH_TIMEOUT(purge->planned().has_value() && !purge->bars().isEmpty(), 20'000);
}

/// While it runs the bars follow and the time left is said or looked for; once it was stopped the page says how many
/// rows are gone, and undoes them by the same way as the Audit page.
void ActionsWindowTest::aStoppedPurgeSaysWhatIsGoneAndOffersTheWayBack()
{
    planLongPurge();
    const auto *purge = m_window->window->purge();
    QVERIFY(purge->planned().has_value() && !purge->bars().isEmpty());
    const qint64 planned = purge->planned()->rows;
    m_window->window->purgePage()->openDialog();
    answer(openedDialog(), u"monthly"_s); // with its pauses
    auto *progress = m_window->find<QWidget>(u"purgeProgress"_s);
    QTRY_VERIFY_WITH_TIMEOUT(progress->isVisible(), 10'000);
    QTRY_VERIFY2(progress->accessibleDescription().contains(u"Time left: About "_s), // from the first batch on
        qPrintable(progress->accessibleDescription()));
    const auto gone = [purge] {
        double rows = 0;
        for (const models::PurgeScopeBar &bar : purge->bars()) {
            rows += bar.gone;
        }
        return rows;
    };
    QTRY_VERIFY_WITH_TIMEOUT(gone() > 0, 20'000);
    const auto *bars = m_window->find<ui::ShareBars>(u"shareBars"_s);
    QVERIFY(bars->accessibleDescription().contains(u" purged"_s));
    // The legend goes with the figures; the scopes are read behind, which is said.
    QCOMPARE(bars->sum(0), double(models::rowsDone(m_window->window->actions()->runner()->action().counts)));
    QCOMPARE(bars->sum(0) + bars->sum(1), double(planned));
    // The bars draw as many as the legend says, those of which the scope is not known yet among them.
    double drawn = 0;
    for (const ui::ShareBars::Bar &bar : bars->bars()) {
        drawn += bar.parts.at(0) + bar.parts.at(5);
    }
    QVERIFY2(std::abs(drawn - bars->sum(0)) < 1, qPrintable(QString::number(drawn)));
    QVERIFY(gone() <= bars->sum(0));
    QVERIFY(m_window->find<QLabel>(u"purgeStayNote"_s)->text().contains(u"The bars show the scopes of "_s));
    m_window->window->actions()->runner()->cancel();
    auto *undo = m_window->find<QPushButton>(u"actionStripUndo"_s);
    QTRY_VERIFY_WITH_TIMEOUT(undo->isVisible(), 20'000);
    const qint64 purged = planned
        - value(u"SELECT count(*) FROM app.k WHERE status = 'succeeded' AND expires_at < now()"_s).toLongLong();
    QVERIFY(purged > 0 && purged < planned);
    const QString title = m_window->find<QLabel>(u"actionStripTitle"_s)->text();
    QVERIFY2(title.contains(u"Stopped after %L1 of %L2 rows"_s.arg(purged).arg(planned)), qPrintable(title));
    const QString words = m_window->find<QLabel>(u"actionStripText"_s)->text();
    QVERIFY2(words.contains(u"The rest is untouched. Undo possible for "_s), qPrintable(words));
    // What was planned and what went of it stays to be seen, to the last row; the plan is void.
    QTRY_COMPARE_WITH_TIMEOUT(gone(), double(purged), 20'000);
    QVERIFY(m_window->find<QWidget>(u"shareBars"_s)->isVisible());
    QVERIFY(purge->ended() && !purge->planned() && !m_window->find<QPushButton>(u"purgeGo"_s)->isVisible());
    auto *groups = m_window->find<QTableView>(u"purgeGroups"_s);
    QVERIFY(groups->isVisible() && groups->model()->rowCount() > 0);
    QVERIFY(!groups->isColumnHidden(models::PurgeGroupsModel::Purged));
    qint64 told = 0;
    for (const sql::PurgeGroup &group : purge->groups()->rows()) {
        told += group.rows;
    }
    QCOMPARE(told, planned);
    auto *again = m_window->find<QPushButton>(u"purgePlan"_s);
    QVERIFY(again->isVisible() && again->isEnabled());
    QCOMPARE(again->text(), u"&Plan again"_s);
    QVERIFY2(!progress->accessibleDescription().contains(u"Undo"_s), // said once, beside its button
        qPrintable(progress->accessibleDescription()));
    QCOMPARE(ui::lookOf(undo), ui::ButtonLook::Primary);
    QTest::mouseClick(undo, Qt::LeftButton);
    QCOMPARE(m_window->window->currentPage(), u"audit"_s);
    const auto asked = [] {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (widget->objectName() == u"auditAsk"_s && widget->isVisible()) {
                return true;
            }
        }
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(asked(), 10'000);
}

/// The server goes down amid a purge: the strip says so, and its button ends the looking-up. Once the server is there
/// again, the purge is found and goes on.
void ActionsWindowTest::anActionOnAServerThatWentAwayIsGivenUp()
{
    planLongPurge();
    m_window->window->purgePage()->openDialog();
    answer(openedDialog(), u"monthly"_s);
    auto *runner = m_window->window->actions()->runner();
    QVERIFY(runner != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(models::rowsDone(runner->action().counts) > 0, 20'000);
    m_fixture->forgetRoot();
    QVERIFY(m_fixture->cluster().cluster().stop().ok());
    auto again = qScopeGuard([this] { m_fixture->cluster().cluster().start(true).ok(); });
    const auto *text = m_window->find<QLabel>(u"actionStripText"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(text->text().contains(u"it has been looked up for"_s)
            && text->text().contains(u"“Stop purge” ends the looking-up."_s),
        qPrintable(text->text()), 60'000);
    QTest::mouseClick(m_window->find<QPushButton>(u"actionStripCancel"_s), Qt::LeftButton);
    auto *box = m_window->find<QMessageBox>(u"cancelActionBox"_s);
    QVERIFY2(box->informativeText().contains(u"The server does not answer."_s), qPrintable(box->informativeText()));
    QTest::mouseClick(box->findChild<QPushButton *>(u"cancelActionGo"_s), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), models::ActionRunner::Stage::Stopped, 20'000);
    QVERIFY2(text->text().startsWith(u"How far it came is not known."_s), qPrintable(text->text()));
    auto *resume = m_window->find<QPushButton>(u"actionStripPause"_s);
    QVERIFY(resume->isVisible() && resume->text() == u"Resume"_s);
    again.dismiss();
    QVERIFY(m_fixture->cluster().cluster().start(true).ok());
    QTest::mouseClick(resume, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(runner->stage(), models::ActionRunner::Stage::Ended, 60'000);
    QCOMPARE(runner->action().state, sql::ActionState::Finished);
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.action WHERE verb = 'purge'"_s), u"1"_s); // nothing was sent twice
}

/// A purge that stands still is not begun a second time: the plan stays in sight, its button does not.
void ActionsWindowTest::aPausedPurgeIsNotBegunAgain()
{
    planLongPurge();
    const auto *purge = m_window->window->purge();
    QVERIFY(purge->planned().has_value() && !purge->bars().isEmpty());
    auto *go = m_window->find<QPushButton>(u"purgeGo"_s);
    auto *summary = m_window->find<QLabel>(u"purgeSummary"_s);
    QVERIFY(go->isVisible() && summary->text().contains(u"at the default pace"_s));
    m_window->window->purgePage()->openDialog();
    answer(openedDialog(), u"monthly"_s);
    const auto *actions = m_window->window->actions();
    QTRY_VERIFY_WITH_TIMEOUT(
        actions->runner() != nullptr && models::rowsDone(actions->runner()->action().counts) > 0, 20'000);
    const auto locked = [&] {
        return !go->isVisible() && !go->isEnabled() && !m_window->find<QCheckBox>(u"purgeImages"_s)->isVisible()
            && !m_window->find<QCheckBox>(u"purgeNow"_s)->isEnabled()
            && m_window->find<QTableView>(u"purgeGroups"_s)->isVisible();
    };
    QVERIFY(locked());
    QVERIFY2(!summary->text().contains(u"pace"_s), qPrintable(summary->text()));
    actions->runner()->pause();
    QTRY_VERIFY_WITH_TIMEOUT(actions->runner()->stage() == models::ActionRunner::Stage::Paused, 20'000);
    QVERIFY(locked());
    m_window->window->purgePage()->openDialog();
    QVERIFY(openedDialog() == nullptr);
    actions->runner()->cancel();
    QTRY_VERIFY_WITH_TIMEOUT(purge->ended(), 20'000);
    QVERIFY(m_window->find<QCheckBox>(u"purgeNow"_s)->isEnabled());
}

void ActionsWindowTest::purgeWithoutCopiesAsksForTheName()
{
    connectAs(u"op"_s);
    m_window->window->showPage(u"purge"_s);
    m_window->window->purgePage()->showTarget(u"k2"_s);
    m_window->window->purgePage()->plan();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->purge()->planned().has_value(), 10'000);
    QTest::mouseClick(m_window->find<QCheckBox>(u"purgeImages"_s), Qt::LeftButton, {}, QPoint(5, 5));
    QVERIFY(!m_window->window->purge()->planned()->images);
    m_window->window->purgePage()->openDialog();
    ui::ActionDialog *dialog = openedDialog();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->findChild<QLineEdit *>(u"actionTyped"_s) != nullptr);
    QVERIFY(dialog->findChild<QLabel *>(u"actionFacts"_s)->text().contains(u"cannot be undone"_s));
    dialog->reject();
}

void ActionsWindowTest::changedChoiceVoidsThePlan()
{
    connectAs(u"op"_s);
    m_window->window->showPage(u"purge"_s);
    m_window->window->purgePage()->showTarget(u"k2"_s);
    m_window->window->purgePage()->plan();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->purge()->planned().has_value(), 10'000);
    m_window->find<QCheckBox>(u"purgeState_failed_final"_s)->setChecked(false);
    QVERIFY(!m_window->window->purge()->planned().has_value());
    QVERIFY(!m_window->find<QPushButton>(u"purgeGo"_s)->isVisible());
    m_window->find<QCheckBox>(u"purgeState_succeeded"_s)->setChecked(false);
    QVERIFY(!m_window->find<QPushButton>(u"purgePlan"_s)->isEnabled()); // nothing is chosen
}

void ActionsWindowTest::undoFromTheHistory()
{
    connectAs(u"op"_s);
    showRecovery();
    selectAll();
    m_window->window->recoveryPage()->openDialog();
    answer(openedDialog(), u"worker crashed"_s);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s, 10'000);
    m_window->window->showPage(u"audit"_s);
    auto *undo = m_window->find<QPushButton>(u"auditUndo"_s);
    QTRY_VERIFY_WITH_TIMEOUT(undo->isEnabled(), 10'000);
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->findChild<QDialog *>(u"auditAsk"_s) != nullptr, 10'000);
    auto *dialog = m_window->find<QDialog>(u"auditAsk"_s);
    auto *go = dialog->findChild<QPushButton *>(u"auditAskGo"_s);
    QVERIFY(!go->isEnabled());
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"auditAskText"_s), u"the worker lives"_s);
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), u"50"_s, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->window->actions()->history()->rowCount(), 2, 10'000);
    // The list no longer says only that its keys were recovered, and leads from each of the two to the other.
    const auto *history = m_window->window->actions()->history();
    const auto outcome
        = [history](int role) { return history->index(1, models::ActionsModel::Outcome).data(role).toString(); };
    QTRY_VERIFY2_WITH_TIMEOUT(
        outcome(models::DetailRole).startsWith(u"undone "_s), qPrintable(outcome(models::DetailRole)), 10'000);
    auto *table = m_window->find<QTableView>(u"auditActions"_s);
    for (const int from : { 1, 0 }) {
        table->setCurrentIndex(history->index(from, 0));
        QTest::mouseClick(m_window->find<QPushButton>(u"auditOther"_s), Qt::LeftButton);
        QTRY_COMPARE(table->currentIndex().row(), 1 - from);
    }
}

void ActionsWindowTest::requestIsApprovedBySomebodyElse()
{
    // As a registration with this limit leaves both: what the console says, and what the server holds to.
    QVERIFY(m_fixture->root()
                .run(u"UPDATE idemdesk.target SET approval_above = 3 WHERE name = 'k2';"
                     "UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s)
                .ok());
    connectAs(u"op"_s);
    showRecovery();
    selectAll();
    m_window->window->recoveryPage()->openDialog();
    QVERIFY(openedDialog()->findChild<QPushButton *>(u"actionGo"_s)->text().startsWith(u"Request approval to"_s));
    answer(openedDialog(), u"worker crashed"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->find<QLabel>(u"actionStripText"_s)->text().contains(u"approval"_s), 10'000);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"0"_s);
    WindowFixture other(m_fixture->cluster());
    other.connectAs(u"appr"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(other.window->actions()->statusKnown(), 10'000);
    other.window->showPage(u"audit"_s);
    auto *approve = other.find<QPushButton>(u"auditApprove"_s);
    QTRY_VERIFY_WITH_TIMEOUT(approve->isVisible() && approve->isEnabled(), 10'000);
    QTest::mouseClick(approve, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(other.window->findChild<QDialog *>(u"auditAsk"_s) != nullptr, 10'000);
    QTest::mouseClick(other.find<QDialog>(u"auditAsk"_s)->findChild<QPushButton *>(u"auditAskGo"_s), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"running"_s, 10'000);
    QCOMPARE(value(u"SELECT approved_by FROM idemdesk.action"_s), u"appr"_s);
    // Who asked for it is told at the next look, and runs it.
    m_window->window->actions()->refresh();
    auto *begin = m_window->find<QPushButton>(u"actionStripPause"_s);
    QTRY_VERIFY_WITH_TIMEOUT(begin->isVisible() && begin->text() == u"Begin"_s, 10'000);
    QCOMPARE(m_window->find<QLabel>(u"actionStripText"_s)->text(),
        u"appr approved it. Nothing is done yet: begin it here."_s);
    QTest::mouseClick(begin, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s, 10'000);
    // So does its undo, which says so before it is asked for.
    m_window->window->showPage(u"audit"_s);
    auto *undo = m_window->find<QPushButton>(u"auditUndo"_s);
    QTRY_VERIFY_WITH_TIMEOUT(undo->isEnabled(), 10'000);
    QTest::mouseClick(undo, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->findChild<QDialog *>(u"auditAsk"_s) != nullptr, 10'000);
    QCOMPARE(m_window->find<QDialog>(u"auditAsk"_s)->findChild<QPushButton *>(u"auditAskGo"_s)->text(),
        u"Request approval"_s);
}

void ActionsWindowTest::approversSeeWhatTheyDecideOn_data()
{
    QTest::addColumn<QString>("request");
    QTest::addColumn<QStringList>("facts");
    QTest::addColumn<QStringList>("details"); // parts of what the server runs, and a row that the facts leave out
    QTest::newRow("keys to recover")
        << u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'worker died', 'INC-7', '{}', $2, $3::jsonb)"_s
        << QStringList { u"k2 (app.k)"_s, u"9"_s, u"t1 / k001 becomes Failed"_s, u"and 6 more"_s,
               u"In progress becomes Failed"_s, u"above 3 rows"_s, u"op2"_s, u"worker died"_s, u"INC-7"_s }
        << QStringList { u"locked_until"_s, u"t0 / k009"_s };
    QTest::newRow("a purge that keeps no rows")
        << u"SELECT idemdesk.open_action($1, 'k2', 'purge', 'too old', NULL, '{\"cutoff\": \"2026-01-02 03:04:05+00\", "
           "\"states\": [\"succeeded\"], \"scopes\": null, \"expected\": 1234, \"images\": false}', $2, $3::jsonb)"_s
        << QStringList { u"1,234"_s, u"2026-01-02"_s, u"succeeded"_s, u"every scope"_s, u"NOT kept"_s }
        << QStringList { u"expires_at"_s };
}

/// Whoever approves answers for it: the plan, the rules and the SQL stand in the question.
void ActionsWindowTest::approversSeeWhatTheyDecideOn()
{
    QFETCH(QString, request);
    QFETCH(QStringList, facts);
    QFETCH(QStringList, details);
    QVERIFY(m_fixture->root()
                .run(u"GRANT USAGE ON SCHEMA app TO appr; GRANT SELECT ON app.k TO appr;"
                     "UPDATE idemdesk.target SET approval_above = 3 WHERE name = 'k2';"
                     "UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s)
                .ok());
    const auto asked = m_fixture->as(u"op2"_s)->run(request,
        { ConsoleFixture::newId(), m_table.registered.profileSha,
            request.contains(u"purge"_s) ? u"[]"_s : m_fixture->frozen(u"key LIKE 'k00%'"_s) });
    QVERIFY2(asked.ok(), qPrintable(asked.value()));
    connectAs(u"appr"_s);
    m_window->window->showPage(u"audit"_s);
    auto *approve = m_window->find<QPushButton>(u"auditApprove"_s);
    QTRY_VERIFY_WITH_TIMEOUT(approve->isVisible() && approve->isEnabled(), 10'000);
    QTest::mouseClick(approve, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->findChild<QDialog *>(u"auditAsk"_s) != nullptr, 10'000);
    const QString told = said(u"auditAskFacts"_s);
    for (const QString &fact : facts) {
        QVERIFY2(told.contains(fact), qPrintable(fact + u" is not in "_s + told));
    }
    const QString runs = m_window->find<QPlainTextEdit>(u"auditAskDetails"_s)->toPlainText();
    for (const QString &detail : details) {
        QVERIFY2(runs.contains(detail), qPrintable(runs));
    }
    m_window->find<QDialog>(u"auditAsk"_s)->reject();
}

/// What a purge was warned of is not said of the request that is selected after it, nor the other way round.
void ActionsWindowTest::eachRequestHasItsOwnWarnings()
{
    QVERIFY(m_fixture->root()
                .run(u"GRANT USAGE ON SCHEMA app TO appr; GRANT SELECT ON app.k TO appr;"
                     "UPDATE idemdesk.target SET approval_above = 3 WHERE name = 'k2';"
                     "UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s)
                .ok());
    const auto ask = [this](const QString &verb, const QString &plan, const QString &rows) {
        const QString id = ConsoleFixture::newId();
        const auto asked = m_fixture->as(u"op2"_s)->run(
            u"SELECT idemdesk.open_action($1, 'k2', $4, 'because', NULL, $5::jsonb, $2, $3::jsonb)"_s,
            { id, m_table.registered.profileSha, rows, verb, plan });
        return asked.ok() ? id : asked.value();
    };
    const QString purge = ask(u"purge"_s,
        u"{\"cutoff\": \"%1\", \"states\": [\"succeeded\"], \"scopes\": null, \"expected\": 100, \"images\": true}"_s
            .arg(value(u"SELECT now() - interval '1 s'"_s)),
        u"[]"_s);
    const QString recovery = ask(u"recover"_s, u"{}"_s, m_fixture->frozen(u"key LIKE 'k00%'"_s));
    connectAs(u"appr"_s);
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"actions"_s);
    auto *table = m_window->find<QTableView>(u"auditActions"_s);
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, 10'000);
    const auto select = [table](const QString &id) {
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            if (table->model()->index(row, 0).data(models::ActionIdRole).toString() == id) {
                table->setCurrentIndex(table->model()->index(row, 0));
                return true;
            }
        }
        return false;
    };
    const auto *warnings = m_window->find<QWidget>(u"auditWarnings"_s);
    for (int again = 0; again < 2; ++again) {
        QVERIFY2(select(purge), qPrintable(purge));
        QTRY_VERIFY_WITH_TIMEOUT(warnings->isVisible(), 10'000);
        QVERIFY2(select(recovery), qPrintable(recovery));
        QVERIFY2(!warnings->isVisible(), qPrintable(said(u"auditWarnings"_s))); // at once: nothing paints it again
    }
}

/// Line feeds in a key would show rows that nobody asked for.
void ActionsWindowTest::aKeyDoesNotPassForTwo()
{
    QVERIFY(m_fixture->root()
                .run(u"GRANT USAGE ON SCHEMA app TO appr; GRANT SELECT ON app.k TO appr;"
                     "UPDATE app.k SET key = E'k001\\nt9 / k999' WHERE key = 'k001';"
                     "UPDATE idemdesk.target SET approval_above = 0 WHERE name = 'k2';"
                     "UPDATE idemdesk.target_limit SET approval_above = 0 WHERE relation = 'app.k'::regclass"_s)
                .ok());
    const auto asked = m_fixture->as(u"op2"_s)->run(
        u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'r', NULL, '{}', $2, $3::jsonb)"_s,
        { ConsoleFixture::newId(), m_table.registered.profileSha, m_fixture->frozen(u"key LIKE 'k001%'"_s) });
    QVERIFY2(asked.ok(), qPrintable(asked.value()));
    connectAs(u"appr"_s);
    m_window->window->showPage(u"audit"_s);
    auto *approve = m_window->find<QPushButton>(u"auditApprove"_s);
    QTRY_VERIFY_WITH_TIMEOUT(approve->isVisible() && approve->isEnabled(), 10'000);
    QTest::mouseClick(approve, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->findChild<QDialog *>(u"auditAsk"_s) != nullptr, 10'000);
    const QString details = m_window->find<QPlainTextEdit>(u"auditAskDetails"_s)->toPlainText();
    QVERIFY2(details.section(u'\n', 0, 0).contains(u"k999"_s), qPrintable(details));
    m_window->find<QDialog>(u"auditAsk"_s)->reject();
}

/// The strip is where an approver meets a request: it leads to the very action, and to the dialog of the page Audit.
void ActionsWindowTest::theApproverDecidesFromTheStrip()
{
    QVERIFY(m_fixture->root()
                .run(u"UPDATE idemdesk.target SET approval_above = 3 WHERE name = 'k2';"
                     "UPDATE idemdesk.target_limit SET approval_above = 3 WHERE relation = 'app.k'::regclass"_s)
                .ok());
    const auto open = [this](const QString &reason, const QString &keys) {
        const QString id = ConsoleFixture::newId();
        const auto op2 = m_fixture->as(u"op2"_s);
        const auto opened
            = op2->run(u"SELECT idemdesk.open_action($1, 'k2', 'recover', $4, NULL, '{}', $2, $3::jsonb) ->> 'state'"_s,
                { id, m_table.registered.profileSha, m_fixture->frozen(keys), reason });
        if (!opened.ok()) {
            qWarning("%s", qPrintable(opened.message));
        }
        return id;
    };
    const QString asked = open(u"asked for"_s, u"key LIKE 'k00%'"_s); // many: it waits
    const QString newer = open(u"newer"_s, u"key = 'k012'"_s);
    const auto closed = m_fixture->as(u"op2"_s)->run(u"SELECT idemdesk.set_action($1, 'cancelled', 'x')"_s, { newer });
    QVERIFY2(closed.ok(), qPrintable(closed.message));
    // Who asked for it waits, and may take it back.
    WindowFixture requester(m_fixture->cluster());
    requester.connectAs(u"op2"_s, m_fixture->database());
    auto *said = requester.find<QLabel>(u"actionStripText"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(said->text().contains(u"waits for another person"_s), qPrintable(said->text()), 10'000);
    QVERIFY(!requester.find<QPushButton>(u"actionStripApprove"_s)->isVisible());
    QVERIFY(requester.find<QPushButton>(u"actionStripCancel"_s)->isVisible());
    QCOMPARE(requester.find<QPushButton>(u"actionStripCancel"_s)->text(), u"Withdraw request"_s);

    connectAs(u"appr"_s);
    auto *approve = m_window->find<QPushButton>(u"actionStripApprove"_s);
    QTRY_VERIFY_WITH_TIMEOUT(approve->isVisible(), 10'000);
    QVERIFY(m_window->find<QPushButton>(u"actionStripDecline"_s)->isVisible());
    QVERIFY(!m_window->find<QPushButton>(u"actionStripCancel"_s)->isVisible());
    auto *table = m_window->find<QTableView>(u"auditActions"_s);
    const auto selected = [table] { return table->currentIndex().data(models::ActionIdRole).toString(); };
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, 10'000);
    QTest::mouseClick(m_window->find<QPushButton>(u"actionStripShow"_s), Qt::LeftButton);
    QCOMPARE(m_window->window->currentPage(), u"audit"_s);
    QCOMPARE(selected(), asked); // not the newest one
    auto *here = m_window->find<QPushButton>(u"auditApprove"_s);
    const auto once = [&] { return here->isVisible() && !approve->isVisible(); }; // of two, nobody knows which counts
    QTRY_VERIFY(once());
    QVERIFY(!m_window->find<QPushButton>(u"actionStripDecline"_s)->isVisible());
    // A filter that hides it gives way.
    m_window->find<QLineEdit>(u"auditSearch"_s)->setText(u"newer"_s);
    QTest::keyClick(m_window->find<QLineEdit>(u"auditSearch"_s), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, 10'000);
    QTRY_VERIFY(approve->isVisible() && !here->isVisible()); // another one is selected
    QTest::mouseClick(m_window->find<QPushButton>(u"actionStripShow"_s), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(selected(), asked, 10'000);
    QTRY_VERIFY(once());
    m_window->window->showPage(u"keys"_s);
    QTRY_VERIFY(approve->isVisible());
    QTest::mouseClick(approve, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->findChild<QDialog *>(u"auditAsk"_s) != nullptr, 10'000);
    QTest::mouseClick(
        m_window->find<QDialog>(u"auditAsk"_s)->findChild<QPushButton *>(u"auditAskGo"_s), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(
        value(u"SELECT state FROM idemdesk.action WHERE approved_by = 'appr'"_s), u"running"_s, 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(!approve->isVisible(), 10'000);
}

/// A screen reader switches a chip or a box without a click.
void ActionsWindowTest::assistiveTechnologySwitchesChipsAndBoxes()
{
    connectAs(u"op"_s);
    const auto toggle = [](QWidget *widget) {
        QAccessibleInterface *face = QAccessible::queryAccessibleInterface(widget);
        return face != nullptr && face->actionInterface() != nullptr
            && (face->actionInterface()->doAction(QAccessibleActionInterface::toggleAction()), true);
    };
    m_window->window->showPage(u"keys"_s);
    m_window->window->keysPage()->showTarget(u"k2"_s, {});
    QTRY_VERIFY_WITH_TIMEOUT(m_window->calm(), 10'000);
    const auto chips = m_window->window->keysPage()->findChildren<ui::Chip *>();
    const auto stuck = std::find_if(
        chips.cbegin(), chips.cend(), [](const ui::Chip *chip) { return chip->objectName() == u"chip_Stuck"; });
    QVERIFY(stuck != chips.cend() && (*stuck)->text().startsWith(u"Stuck"_s)); // and how many, once they are counted
    auto *filter = m_window->find<QLineEdit>(u"filterText"_s);
    QVERIFY(toggle(*stuck));
    QCOMPARE(filter->text(), u"state:stuck"_s);
    QVERIFY((*stuck)->isChecked());
    QVERIFY(toggle(*stuck));
    QCOMPARE(filter->text(), QString());

    showRecovery();
    auto *all = m_window->find<QCheckBox>(u"recoveryAll"_s);
    auto *model = m_window->window->triage()->model();
    QTRY_VERIFY(all->isVisible());
    QCOMPARE(model->checkedCount(), 0);
    QVERIFY(toggle(all));
    const int selected = model->checkedCount();
    QVERIFY(selected > 0);
    QVERIFY(toggle(all));
    QCOMPARE(model->checkedCount(), 0);
    QVERIFY(toggle(all));
    QVERIFY(model->checkedCount() >= selected);

    m_window->window->showPage(u"purge"_s);
    m_window->window->purgePage()->showTarget(u"k2"_s);
    QTest::mouseClick(m_window->find<QPushButton>(u"purgePlan"_s), Qt::LeftButton);
    auto *images = m_window->find<QCheckBox>(u"purgeImages"_s);
    QTRY_VERIFY_WITH_TIMEOUT(images->isVisible(), 20'000);
    const bool kept = m_window->window->purge()->planned()->images;
    QVERIFY(toggle(images));
    QCOMPARE(m_window->window->purge()->planned()->images, !kept);
}

void ActionsWindowTest::leftOpenActionIsResumed()
{
    const QString id = ConsoleFixture::newId();
    const auto op2 = m_fixture->as(u"op2"_s);
    QCOMPARE(
        op2->run(u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'left', NULL, '{}', $2, $3::jsonb) ->> 'state'"_s,
               { id, m_table.registered.profileSha, m_fixture->frozen(u"key LIKE 'k00%'"_s) })
            .value(),
        u"running"_s);
    connectAs(u"op"_s);
    auto *text = m_window->find<QLabel>(u"actionStripText"_s);
    QTRY_VERIFY_WITH_TIMEOUT(text->text().contains(u"op2"_s), 10'000);
    QTest::mouseClick(m_window->find<QPushButton>(u"actionStripPause"_s), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s, 10'000);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s), u"9"_s);
}

void ActionsWindowTest::viewerLooksOnly()
{
    connectAs(u"viewer"_s);
    showRecovery();
    QVERIFY(!m_window->find<QPushButton>(u"recoveryGo"_s)->isEnabled());
    QVERIFY(m_window->find<QPushButton>(u"recoveryGo"_s)->toolTip().contains(u"idemdesk_operator"_s));
    QVERIFY(!m_window->find<QToolButton>(u"recoveryOne"_s)->isEnabled());
    m_window->window->recoveryPage()->openDialog();
    QVERIFY(openedDialog() == nullptr);
    m_window->window->showPage(u"audit"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->audit()->loaded(), 10'000);
    QVERIFY(m_window->window->audit()->model()->rowCount() > 0);
    QVERIFY(!m_window->find<QPushButton>(u"auditUndo"_s)->isEnabled());
}

void ActionsWindowTest::trailIsCheckedAndTamperingShows()
{
    // As it was: what is kept agrees with the row before the newest one, too.
    QVERIFY(m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.set_kept('items', '400 days')"_s).ok());
    connectAs(u"viewer"_s);
    m_window->window->showPage(u"audit"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->audit()->check().has_value(), 10'000); // on connecting, by itself
    QCOMPARE(m_window->window->audit()->check()->anchorState, models::AnchorState::None);
    QVERIFY(!m_window->window->audit()->check()->walked);
    m_window->window->auditPage()->verify();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->audit()->check()->walked, 10'000);
    QVERIFY(m_window->window->audit()->check()->whole());
    QCOMPARE(m_window->window->audit()->check()->anchorState, models::AnchorState::Matches);
    const auto ground
        = [this] { return m_window->find<QWidget>(u"auditVerdict"_s)->palette().color(QPalette::Window); };
    const auto fill = [](ui::Token token) {
        return ui::badgeFill(ui::themeColor(token), ui::themeColor(ui::Token::Window), ui::themeScheme());
    };
    QTRY_COMPARE(ground(), fill(ui::Token::Succeeded)); // verified is good, and not merely said
    // The newest row is cut off, and the head put back: by itself the chain is whole.
    m_fixture->cluster().psql(m_fixture->database(),
        u"BEGIN; ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows; DELETE FROM idemdesk.audit WHERE seq = (SELECT "
        u"max(seq) FROM idemdesk.audit);"
        "ALTER TABLE idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows;"
        "UPDATE idemdesk.audit_head h SET seq = a.seq, hash = a.hash FROM (SELECT seq, hash FROM idemdesk.audit ORDER BY seq DESC LIMIT 1) a; COMMIT"_s);
    m_window->window->auditPage()->verify();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->window->audit()->verifying()
            && m_window->window->audit()->check()->anchorState != models::AnchorState::Matches,
        10'000);
    QCOMPARE(m_window->window->audit()->check()->anchorState, models::AnchorState::CutOff);
    QVERIFY(m_window->window->audit()->check()->chain.intact);
    QVERIFY(!m_window->window->audit()->check()->whole());
    QTRY_COMPARE(ground(), fill(ui::Token::Danger));
}

void ActionsWindowTest::detailSaysWhoTouchedTheKey()
{
    connectAs(u"op"_s);
    showRecovery();
    selectAll();
    m_window->window->recoveryPage()->openDialog();
    answer(openedDialog(), u"worker crashed"_s);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s, 10'000);
    m_window->window->showPage(u"keys"_s);
    m_window->window->keysPage()->showTarget(u"k2"_s, u"key:k001"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 10'000);
    m_window->window->keysPage()->selectRow(0);
    auto *audit = m_window->find<QTableView>(u"detailAudit"_s);
    QTRY_COMPARE_WITH_TIMEOUT(audit->model()->rowCount(), 1, 10'000);
    QCOMPARE(audit->model()->index(0, models::TouchesModel::Who).data().toString(), u"op"_s);
    QVERIFY(audit->model()->index(0, models::TouchesModel::Why).data().toString().contains(u"worker crashed"_s));
}

void ActionsWindowTest::theStorySaysWhatTriageDoubts()
{
    const auto story = [this] {
        QStringList lines;
        const auto *model
            = m_window->window->keysPage()->detailPane()->findChild<QAbstractItemView *>(u"storyView"_s)->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            lines += model->index(row, 0).data(models::StoryModel::TitleRole).toString() + u": "_s
                + model->index(row, 0).data(models::StoryModel::DetailRole).toString();
        }
        return lines.filter(u"eff"_s).join(u'\n');
    };
    const auto open = [this](const QString &key) {
        m_window->window->showPage(u"keys"_s);
        m_window->window->keysPage()->showTarget(u"k2"_s, u"key:"_s + key);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1 && m_window->model()->record(0)
                && m_window->model()->record(0)->key.text == key,
            10'000);
        m_window->window->keysPage()->selectRow(0);
    };
    connectAs(u"op"_s);
    open(u"k001"_s);
    QTRY_COMPARE_WITH_TIMEOUT(story(), u"No effect eff was found: "_s, 10'000);
    // Somebody writes where the effect would be.
    const auto worker
        = m_fixture->root().run(u"GRANT ALL ON app.eff TO service"_s).ok() ? m_fixture->as(u"service"_s) : nullptr;
    QVERIFY(worker
        && worker->run(u"BEGIN; INSERT INTO app.eff SELECT 'late', tenant, key FROM app.k WHERE key = 'k003'"_s).ok());
    open(u"k003"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(story().startsWith(u"No eff found, which proves nothing"_s)
            && story().contains(u"a transaction writes to eff"_s),
        qPrintable(story()), 10'000);
    QVERIFY(worker->run(u"ROLLBACK"_s).ok());
    // A query that never finds anything says nothing by that, here as on the page Recovery.
    QVERIFY(m_fixture->root().run(u"DELETE FROM app.eff"_s).ok());
    open(u"k005"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(story().contains(u"never found an effect here"_s), qPrintable(story()), 10'000);
    showRecovery();
    for (const models::TriageModel::Row &row : m_window->window->triage()->model()->rows()) {
        if (row.facts.record.key.text == u"k005"_s) {
            QVERIFY2(row.judgement.reasons.join(u' ').contains(u"never found an effect here"_s),
                qPrintable(row.judgement.reasons.join(u' ')));
        }
    }
}

void ActionsWindowTest::connectingEndsUndoWindowsThatAreOver()
{
    const QString made
        = u"SET ROLE idemdesk_owner; SELECT idemdesk._ensure_partition('quarantine', current_date - 3), idemdesk._ensure_partition('quarantine', current_date)"_s;
    m_fixture->cluster().psql(m_fixture->database(), made);
    const QString count = u"SELECT count(*) FROM pg_inherits WHERE inhparent = 'idemdesk.quarantine'::regclass"_s;
    QCOMPARE(value(count), u"2"_s);
    connectAs(u"viewer"_s);
    QCOMPARE(value(count), u"2"_s); // a viewer changes nothing
    m_window->connection.disconnectNow();
    connectAs(u"op"_s);
    QTRY_COMPARE_WITH_TIMEOUT(value(count), u"1"_s, 10'000); // today's stays
    QCOMPARE(value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'maintain'"_s), u"1"_s);
}

void ActionsWindowTest::thousandsOfKeysAreRecovered()
{
    QVERIFY(m_fixture->root()
                .run(u"INSERT INTO app.k (tenant, key, status, locked_until, attempts, expires_at) SELECT 't1', 'm' || "
                     u"i, 'processing', "
                     "now() - interval '2 hours', 1, now() + interval '1 day' FROM generate_series(1, 6000) i"_s)
                .ok());
    connectAs(u"op"_s);
    m_window->window->showPage(u"recovery"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->triage()->loaded(), 20'000);
    m_window->window->recoveryPage()->showTarget(u"k2"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->triage()->loaded() && !m_window->window->triage()->busy(), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(
        m_window->window->triage()->model()->rowCount(), models::TriageController::kMostKeys, 20'000);
    selectAll();
    m_window->window->recoveryPage()->openDialog();
    QTRY_VERIFY(openedDialog() != nullptr);
    QVERIFY(m_window->window->triage()->more());
    answer(openedDialog(), u"worker crashed"_s);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"finished"_s, 180'000);
    QCOMPARE(value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s),
        QString::number(models::TriageController::kMostKeys));
}

QTEST_MAIN(ActionsWindowTest)
#include "tst_actions_window.moc"
