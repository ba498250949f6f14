// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/translation/translation.h"
#include "models/format/quantities.h"
#include "models/json/json_tree_model.h"
#include "models/keys/key_cells.h"
#include "models/keys/key_detail.h"
#include "models/keys/spread_controller.h"
#include "models/overview/overview_model.h"
#include "sql/types/utc.h"
#include "tests/support/console_fixture.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/theme/theme.h"
#include "ui/widgets/utc_edit.h"
#include "ui/window/rail.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QDialog>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace idemdesk;

/// What a person does with the window, by keyboard, on a real server.
class KeysWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        app::installTranslations();
        m_theme = new ui::Theme(qApp);
        m_theme->apply(models::Theme::Light);
        m_cluster = std::make_unique<tests::TestCluster>();
        m_cluster->psqlFile(u"postgres"_s, u"sql/demo/schema_001.sql"_s);
        m_cluster->psqlFile(u"postgres"_s, u"sql/demo/schema_003.sql"_s);
        m_cluster->psql(u"postgres"_s,
            u"INSERT INTO seed003.work_item (work_item_id, priority, available_at) SELECT "
            "('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, i % 5, '2026-11-01 12:00Z'::timestamptz + i "
            "* interval '1 hour' FROM generate_series(1, 40) i"_s);
        m_cluster->psql(u"postgres"_s,
            u"CREATE ROLE reader LOGIN; GRANT pg_read_all_data TO reader;"
            "INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            "claimed_by, locked_until,"
            " attempt_count, created_at, expires_at, response_body, failure_code)"
            " SELECT CASE WHEN n % 2 = 0 THEN 'create_order' ELSE 'refund' END, 'ord-' || lpad(n::text, 5, '0'), "
            "md5(n::text),"
            " (CASE WHEN n <= 7 THEN 'processing' WHEN n <= 20 THEN 'failed_final' ELSE 'succeeded' "
            "END)::app.idempotency_status,"
            " 'worker-' || n % 5, CASE WHEN n <= 7 THEN now() - interval '10 minutes' END, 1 + n % 4, now() - interval "
            "'1 day',"
            " now() + n * interval '1 hour', CASE WHEN n > 20 THEN '{\"total\": 12345678901234567890.10}'::jsonb END,"
            " CASE WHEN n > 7 AND n <= 20 THEN 'declined' END FROM generate_series(1, 1500) n; ANALYZE"_s);
    }

    void init()
    {
        // The offscreen platform says so of every dialog and popup; all other warnings fail.
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support ).*"_s));
        m_fixture = std::make_unique<tests::WindowFixture>(*m_cluster);
        QVERIFY(QTest::qWaitForWindowActive(m_fixture->window.get()));
    }

    void cleanup() { m_fixture.reset(); }
    void cleanupTestCase() { m_cluster.reset(); }

    void withoutAConnectionThePagesSayTheNextStep()
    {
        key(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(m_fixture->window->currentPage(), u"keys"_s);
        auto *title = m_fixture->window->keysPage()->findChild<QLabel *>(u"emptyStateTitle"_s);
        QCOMPARE(title->text(), u"Not connected"_s);
        auto *button = m_fixture->window->keysPage()->findChild<QPushButton *>(u"emptyStateButton"_s);
        QVERIFY(button->isVisible());
        button->click();
        QTRY_VERIFY(dialog(u"connectDialog"_s) != nullptr);
        escapeFrom(u"connectDialog"_s);
    }

    void theKeyboardAloneLeadsFromTheTableToAKeysStory()
    {
        openKeys();
        key(Qt::Key_L, Qt::ControlModifier);
        QTRY_COMPARE(m_fixture->window->focusWidget(), static_cast<QWidget *>(filter()));
        QTest::keyClicks(filter(), u"state:stale"_s);
        enter();
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 7, 20'000);
        QTRY_COMPARE(rowsText(), u"1–7 of 7"_s);
        QVERIFY(m_fixture->find<QToolButton>(u"chip_Stuck"_s)->isChecked());

        QTest::keyClick(filter(), Qt::Key_Escape);
        QCOMPARE(m_fixture->window->focusWidget(), static_cast<QWidget *>(m_fixture->table()));
        auto *pane = m_fixture->find<QWidget>(u"detailPane"_s);
        QVERIFY(!pane->isVisible());
        key(Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->window->detail()->status(), models::KeyDetailController::Status::Ready, 20'000);
        QVERIFY(pane->isVisible());
        QCOMPARE(m_fixture->find<QLabel>(u"detailRetryTwice"_s)->isVisible(),
            models::retryMayRepeat(m_fixture->window->detail()->detail()));
        // Why a retry does so is shown on demand, by keyboard, too.
        auto *why = m_fixture->find<QToolButton>(u"detailWhy"_s);
        auto *reasons = m_fixture->find<QLabel>(u"detailRetryWhy"_s);
        QVERIFY(!reasons->isVisible());
        if (why->isVisible()) {
            why->setFocus();
            QTest::keyClick(why, Qt::Key_Space);
            QTRY_VERIFY_WITH_TIMEOUT(reasons->isVisible(), 20'000);
            QTest::keyClick(why, Qt::Key_Space);
            m_fixture->table()->setFocus();
        }
        const QString shown = m_fixture->find<QLabel>(u"detailKey"_s)->text();
        QVERIFY2(shown.startsWith(u"ord-0000"_s), qPrintable(shown));
        QVERIFY(m_fixture->find<QAbstractItemView>(u"storyView"_s)->model()->rowCount() > 3);
        key(Qt::Key_Space);
        QVERIFY(!pane->isVisible());
        key(Qt::Key_Space);
        QVERIFY(pane->isVisible());

        key(Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().contains(shown));
    }

    /// Once the counts are known the page begins with what is stuck; what was asked for is never changed.
    void thePageBeginsWithWhatIsStuck()
    {
        connectReader();
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->find<ui::RailButton>(u"rail_recovery"_s)->count(), u"7"_s, 20'000);
        key(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(filter()->text(), u"state:stuck"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 7, 20'000);
        filter()->clear();
        enter();
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 1'500, 20'000);
        key(Qt::Key_1, Qt::ControlModifier);
        key(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(filter()->text(), QString());
    }

    void slashIsTheWayToTheFilterAndAQuestionMarkToTheShortcuts()
    {
        openKeys();
        m_fixture->table()->setFocus();
        key(Qt::Key_Slash);
        QTRY_COMPARE(m_fixture->window->focusWidget(), static_cast<QWidget *>(filter()));
        QTest::keyClicks(filter(), u"a/b?c"_s); // typed there, they are characters
        QCOMPARE(filter()->text(), u"a/b?c"_s);
        QVERIFY(dialog(u"shortcutsDialog"_s) == nullptr);
        m_fixture->table()->setFocus();
        key(Qt::Key_Question, Qt::ShiftModifier);
        QTRY_VERIFY(dialog(u"shortcutsDialog"_s) != nullptr);
        escapeFrom(u"shortcutsDialog"_s);
    }

    void staleKeysComeLongestStaleFirst()
    {
        openKeys();
        auto *orders = m_fixture->find<QComboBox>(u"orderChooser"_s);
        QCOMPARE(orders->currentData().toString(), u"expiry"_s);
        // The heading of the order shows it, the usual one, too.
        const QHeaderView *heads = m_fixture->table()->horizontalHeader();
        QVERIFY(heads->isSortIndicatorShown());
        QCOMPARE(heads->sortIndicatorSection(), m_fixture->model()->columnOf(models::KeyColumn::Expires));
        type(u"state:stale"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 7, 20'000);
        QCOMPARE(orders->currentData().toString(), u"lease_until"_s);
        QCOMPARE(orders->currentText(), u"Lease"_s); // served: not marked as slow
        QCOMPARE(heads->sortIndicatorSection(), m_fixture->model()->columnOf(models::KeyColumn::Lease));
        QCOMPARE(m_fixture->window->browser()->order(), QString());
        // Errors that this filter brought have their room, which rows without any had not asked for.
        const int error = m_fixture->model()->columnOf(models::KeyColumn::Error);
        const auto errorWidth = [this, error] { return m_fixture->table()->columnWidth(error); };
        type(u"state:failed_final"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 13, 20'000);
        const QString said = m_fixture->model()->index(0, error).data().toString();
        const int wanted = std::min(160, m_fixture->table()->fontMetrics().horizontalAdvance(said));
        QVERIFY(!said.isEmpty());
        QTRY_VERIFY2(!m_fixture->table()->isColumnHidden(error) && errorWidth() > wanted,
            qPrintable(u"%1 of %2"_s.arg(errorWidth()).arg(wanted)));
        type(u"state:stale"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 7, 20'000);
        // Turned by hand it stays so, whatever the filter is.
        m_fixture->window->browser()->setOrder(u"-lease_until"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->orderUsed(), u"lease_until"_s, 20'000);
        type(u"state:failed_final"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 13, 20'000);
        QCOMPARE(m_fixture->window->browser()->effectiveOrder(), u"-lease_until"_s);
        m_fixture->window->browser()->setOrder({});
        QTRY_COMPARE_WITH_TIMEOUT(orders->currentData().toString(), u"expiry"_s, 20'000);
    }

    void aWrongFilterIsMarkedAndTakenBackByEscape()
    {
        openKeys();
        type(u"state:stale"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 7, 20'000);
        type(u"state:stale attempts>=many"_s);
        auto *error = m_fixture->find<QLabel>(u"filterError"_s);
        QVERIFY(error->isVisible());
        QVERIFY2(error->text().contains(u"character 23"_s), qPrintable(error->text()));
        QCOMPARE(m_fixture->model()->rowCount(), 7); // the old rows stay, and say that they do
        QVERIFY2(error->text().endsWith(u"Showing the previous result: state:stale"_s), qPrintable(error->text()));
        // No chip speaks of rows that are not shown.
        auto *stuck = m_fixture->find<QToolButton>(u"chip_Stuck"_s);
        QVERIFY(!stuck->isChecked() && !stuck->isEnabled());
        QVERIFY2(stuck->toolTip().contains(u"mistake"_s), qPrintable(stuck->toolTip()));
        QTest::keyClick(filter(), Qt::Key_Escape);
        QVERIFY(!error->isVisible());
        QCOMPARE(filter()->text(), u"state:stale"_s);
        QVERIFY(stuck->isChecked() && stuck->isEnabled());
        // Orders are named as the headings of their columns.
        const auto *orders = m_fixture->find<QComboBox>(u"orderChooser"_s);
        QCOMPARE(orders->itemText(orders->findData(u"expiry"_s)), u"Expires"_s);
    }

    void onlyFiltersThatWereMeantAreRemembered()
    {
        openKeys();
        filter()->setFocus();
        filter()->selectAll();
        QTest::keyClicks(filter(), u"ord-00042"_s); // a pause runs it
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 1, 20'000);
        QVERIFY(m_fixture->settings.filterHistory(u"plpgsql-request"_s).isEmpty());
        enter();
        QCOMPARE(m_fixture->settings.filterHistory(u"plpgsql-request"_s), QStringList { u"ord-00042"_s });
    }

    void completionOffersAndInsertsByKeyboard()
    {
        openKeys();
        filter()->setFocus();
        QTest::keyClicks(filter(), u"sta"_s);
        auto *popup = QApplication::activePopupWidget();
        QTRY_VERIFY((popup = QApplication::activePopupWidget()) != nullptr);
        QCOMPARE(popup->objectName(), u"filterCandidates"_s);
        QTest::keyClick(popup, Qt::Key_Down);
        QTest::keyClick(popup, Qt::Key_Return);
        QTRY_VERIFY2(filter()->text() == u"state:"_s || filter()->text() == u"status:"_s, qPrintable(filter()->text()));
    }

    /// Until one of them was chosen Enter takes what was typed, and Tab leaves it so.
    void whatNobodyChoseIsNotInserted()
    {
        openKeys();
        filter()->setFocus();
        QTest::keyClicks(filter(), u"sta"_s);
        QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
        QTRY_VERIFY(QApplication::activePopupWidget() == nullptr);
        QCOMPARE(filter()->text(), u"sta"_s);
    }

    /// A time typed as it is read, with its separators or without them, is that time.
    void aTimeIsWhatWasTyped_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("with all separators") << u"2026-11-10 12:05:09"_s;
        QTest::newRow("as in a log") << u"2026-11-10T12:05:09"_s;
        QTest::newRow("digits alone") << u"20261110120509"_s;
        QTest::newRow("one digit, then its separator") << u"2026-11-10 12:5:9"_s;
    }
    void aTimeIsWhatWasTyped()
    {
        QFETCH(QString, typed);
        QDateTimeEdit edit;
        edit.setDisplayFormat(u"yyyy-MM-dd HH:mm:ss"_s);
        ui::showInUtc(&edit);
        edit.setDateTime(QDateTime(QDate(2001, 2, 3), QTime(4, 5, 6), sql::kUtc));
        edit.show();
        edit.setFocus();
        edit.setSelectedSection(QDateTimeEdit::YearSection);
        QTest::keyClicks(&edit, typed);
        QTest::keyClick(&edit, Qt::Key_Tab); // what is half typed is taken
        QCOMPARE(edit.dateTime().toString(u"yyyy-MM-dd HH:mm:ss"_s), u"2026-11-10 12:05:09"_s);
    }

    /// The worst of what a filter finds stands first, and is what is seen first.
    void anotherFilterBeginsAtItsFirstRow()
    {
        openKeys();
        auto *table = m_fixture->find<QTableView>(u"keysTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->model()->rowCount() > 60, 20'000);
        table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum());
        QVERIFY(table->verticalScrollBar()->value() > 0);
        filter()->setFocus();
        filter()->selectAll();
        QTest::keyClicks(filter(), u"state:succeeded"_s);
        enter();
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() > 60, 20'000);
        QCOMPARE(m_fixture->window->browser()->filter().text, u"state:succeeded"_s);
        QTRY_COMPARE(table->verticalScrollBar()->value(), 0);
    }

    void chipsWriteTheFilter()
    {
        openKeys();
        auto *stale = m_fixture->find<QToolButton>(u"chip_Stuck"_s);
        auto *failed = m_fixture->find<QToolButton>(u"chip_Failed"_s);
        failed->click();
        QCOMPARE(filter()->text(), u"state:failed_final,failed_retryable"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 13, 20'000);
        failed->click();
        QCOMPARE(filter()->text(), QString());
        stale->click();
        QCOMPARE(filter()->text(), u"state:stuck"_s); // by the word of the chip; both mean the same
        type(u"state:stale"_s);
        QVERIFY(stale->isChecked());
        auto *conflicts = m_fixture->find<QToolButton>(u"chip_Conflicts"_s);
        QVERIFY(!conflicts->isEnabled());
        QVERIFY(!conflicts->toolTip().isEmpty());
        // A table without stale rule or attempts says why, too.
        m_fixture->window->keysPage()->showTarget(u"plpgsql-message"_s, {});
        QCOMPARE(filter()->text(), QString());
        QVERIFY(!m_fixture->find<QToolButton>(u"chip_Many_attempts"_s)->isEnabled());
        QVERIFY(!m_fixture->find<QToolButton>(u"chip_Many_attempts"_s)->toolTip().isEmpty());
    }

    void theIncidentPageLeadsToTheKeysItCounts()
    {
        connectReader();
        auto *tables = m_fixture->find<QTableView>(u"incidentTables"_s);
        QTRY_VERIFY_WITH_TIMEOUT(tables->model()->rowCount() > 0, 20'000);
        const QModelIndexList found
            = tables->model()->match(tables->model()->index(0, 0), models::DetailRole, u"app.idempotency_request"_s);
        QCOMPARE(found.size(), 1);
        const QPersistentModelIndex stale = found.first().siblingAtColumn(models::OverviewModel::Stale);
        QTRY_COMPARE_WITH_TIMEOUT(stale.data().toString(), u"7"_s, 20'000);
        tables->setCurrentIndex(stale);
        tables->setFocus();
        QTest::keyClick(tables, Qt::Key_Return);
        QCOMPARE(m_fixture->window->currentPage(), u"keys"_s);
        QCOMPARE(filter()->text(), u"state:stuck"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 7, 20'000);
        // "7+" until every table was counted.
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->find<ui::RailButton>(u"rail_recovery"_s)->count(), u"7"_s, 20'000);
    }

    void theDetailIsOfTheHighlightedRowAfterAJumpWhileItWasHidden()
    {
        openKeys();
        m_fixture->window->keysPage()->selectRow(0);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->window->detail()->status(), models::KeyDetailController::Status::Ready, 20'000);
        m_fixture->table()->setFocus();
        key(Qt::Key_Space);
        QVERIFY(!m_fixture->find<QWidget>(u"detailPane"_s)->isVisible());
        QVERIFY(!m_fixture->model()->record(1'233).has_value()); // a page that was not read yet
        jumpToRow(1'234);
        m_fixture->table()->setFocus();
        key(Qt::Key_Space);
        QVERIFY(m_fixture->find<QWidget>(u"detailPane"_s)->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->model()->record(1'233).has_value(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(detailKey(), m_fixture->model()->record(1'233)->key.text, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->window->detail()->status(), models::KeyDetailController::Status::Ready, 20'000);
        QCOMPARE(highlighted(), QList<int> { 1'233 });
        QCOMPARE(detailKey(), m_fixture->model()->record(1'233)->key.text);
    }

    void whileARowIsReadItsDetailIsOfNoOtherKey()
    {
        openKeys();
        m_fixture->window->keysPage()->selectRow(0);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->window->detail()->status(), models::KeyDetailController::Status::Ready, 20'000);
        const QString before = detailKey();
        // The page that the jump needs waits behind a lock of somebody else.
        tests::Connection blocker(m_cluster->conninfo(u"postgres"_s));
        QVERIFY(blocker.run(u"BEGIN; LOCK TABLE app.idempotency_request IN ACCESS EXCLUSIVE MODE"_s).ok());
        m_fixture->window->keysPage()->selectRow(1'233);
        QVERIFY(detailKey() != before);
        QVERIFY(m_fixture->find<QLabel>(u"detailSummary"_s)->text().contains(u"Reading"_s));
        QCOMPARE(m_fixture->find<QAbstractItemView>(u"storyView"_s)->model()->rowCount(), 0);
        QVERIFY(blocker.run(u"ROLLBACK"_s).ok());
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->model()->record(1'233).has_value(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(detailKey(), m_fixture->model()->record(1'233)->key.text, 20'000);
    }

    void ctrlHomeAndEndMoveTheHighlightToo()
    {
        openKeys();
        m_fixture->window->keysPage()->selectRow(30);
        m_fixture->table()->setFocus();
        key(Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(highlighted(), QList<int> { 0 });
        QTRY_COMPARE_WITH_TIMEOUT(detailKey(), m_fixture->model()->record(0)->key.text, 20'000);
        key(Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(highlighted(), QList<int> { 1'499 });
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->model()->record(1'499).has_value(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(detailKey(), m_fixture->model()->record(1'499)->key.text, 20'000);
        // Ctrl+Up moves the current row alone, as in every list: what is highlighted stays what is shown.
        key(Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(highlighted(), QList<int> { 1'499 });
        QCOMPARE(detailKey(), m_fixture->model()->record(1'499)->key.text);
    }

    void thePositionIsToldAfterEachJump()
    {
        openKeys();
        for (const int row : { 1'234, 301, 1'100 }) {
            jumpToRow(row);
            const QString told = QLocale().toString(row) + u'–';
            QTRY_VERIFY2_WITH_TIMEOUT(rowsText().startsWith(told), qPrintable(rowsText()), 20'000);
        }
    }

    void theServersClockKeepsItsTimeAfterAJump()
    {
        openKeys();
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->window->browser()->status().dataAgeMs > 2'500, 20'000);
        jumpToRow(1'234);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->model()->record(1'233).has_value(), 20'000);
        // The same computer's clock. On a busy one the next tick may be late, but a clock set back stays behind.
        const auto behind = [this] {
            const auto shown = m_fixture->window->browser()->status().serverNow;
            return shown ? QDateTime::currentMSecsSinceEpoch() - shown->micros / 1'000 : qint64(1) << 40;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(qAbs(behind()) < 1'500, qPrintable(QString::number(behind())), 20'000);
        // Its rows are called expired and stuck by the time of the first page, and so old they are said to be.
        QVERIFY(m_fixture->window->browser()->status().dataAgeMs > 2'500);
    }

    void refreshKeepsSelectionAndPlace()
    {
        openKeys();
        m_fixture->table()->scrollTo(m_fixture->model()->index(700, 0), QAbstractItemView::PositionAtTop);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->model()->record(700).has_value(), 20'000);
        m_fixture->window->keysPage()->selectRow(700);
        const sql::Cells identity = m_fixture->model()->record(700)->identity;
        const int first = m_fixture->table()->rowAt(0);
        QSignalSpy merged(m_fixture->model(), &models::KeyTableModel::merged);
        key(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(merged.size(), 1, 20'000);
        QCOMPARE(m_fixture->table()->rowAt(0), first);
        QCOMPARE(m_fixture->window->browser()->selection(), QList<sql::Cells> { identity });
        QVERIFY(m_fixture->table()->selectionModel()->isRowSelected(700));
    }

    void hiddenColumnsStayHidden()
    {
        openKeys();
        const int owner = m_fixture->model()->columnOf(models::KeyColumn::Owner);
        m_fixture->table()->setColumnHidden(owner, true);
        m_fixture->table()->setColumnWidth(m_fixture->model()->columnOf(models::KeyColumn::Key), 333);
        m_fixture->open();
        m_fixture->window->showPage(u"keys"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->window->browser()->hasTarget(), 20'000); // it takes a table up by itself
        m_fixture->window->keysPage()->showTarget(u"plpgsql-request"_s, {});
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->model()->rowCount() > 0, 20'000);
        QVERIFY(m_fixture->table()->isColumnHidden(owner));
        QCOMPARE(m_fixture->table()->columnWidth(m_fixture->model()->columnOf(models::KeyColumn::Key)), 333);
    }

    void lettersTypedIntoTheTableReadNoRows()
    {
        openKeys();
        m_fixture->table()->setFocus();
        m_fixture->window->keysPage()->selectRow(0);
        QTest::keyClicks(m_fixture->table(), u"zzz"_s);
        QCOMPARE(m_fixture->table()->currentIndex().row(), 0);
        QVERIFY(!m_fixture->model()->record(1'400).has_value());
    }

    void jumpAndExportOpenByKeyboard()
    {
        openKeys();
        key(Qt::Key_J, Qt::ControlModifier);
        QTRY_VERIFY(dialog(u"jumpDialog"_s) != nullptr);
        escapeFrom(u"jumpDialog"_s);
        key(Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(dialog(u"exportDialog"_s) != nullptr);
        escapeFrom(u"exportDialog"_s);
    }

    void aTableThatWentAwayIsSaidOnThePageAndRetried()
    {
        openKeys();
        m_cluster->psql(u"postgres"_s, u"ALTER TABLE app.idempotency_request RENAME TO gone"_s);
        key(Qt::Key_F5);
        auto *notice = m_fixture->find<QWidget>(u"keysNotice"_s);
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), 20'000);
        QVERIFY(m_fixture->model()->rowCount() > 0); // the rows read before stay
        m_cluster->psql(u"postgres"_s, u"ALTER TABLE app.gone RENAME TO idempotency_request"_s);
        notice->findChild<QPushButton *>(u"noticePrimary"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!notice->isVisible() && m_fixture->calm(), 20'000);
    }

    void everythingThatTakesTheFocusHasAName()
    {
        openKeys();
        m_fixture->window->keysPage()->selectRow(30);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->window->detail()->status(), models::KeyDetailController::Status::Ready, 20'000);
        QStringList nameless;
        for (const QWidget *widget : m_fixture->window->findChildren<QWidget *>()) {
            if ((widget->focusPolicy() & Qt::TabFocus) == 0 || !widget->isVisible()
                || widget->objectName().startsWith(u"qt_"_s)) {
                continue;
            }
            QAccessibleInterface *face = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
            if (face != nullptr && face->text(QAccessible::Name).isEmpty()
                && qobject_cast<const QLabel *>(widget) == nullptr) {
                nameless += QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName();
            }
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u", "_s)));
    }

    /// By keyboard and by mouse: what is marked over time narrows the filter, and it can be taken back.
    void theStripNarrowsTheFilter()
    {
        openKeys();
        auto *strip = m_fixture->find<QWidget>(u"keysStrip"_s);
        QVERIFY(strip->isVisible());
        // A small window has its room for the list: one line is left, with the bars beside the note.
        auto *cells = m_fixture->find<QWidget>(u"heatMap"_s);
        m_fixture->window->resize(1024, 700);
        QTRY_VERIFY(!cells->isVisible());
        QVERIFY(strip->isVisible());
        QTRY_VERIFY(strip->height() <= ui::kRowHeight + 2 * ui::kGrid);
        m_fixture->window->resize(1280, 800);
        QTRY_VERIFY(cells->isVisible());
        auto *note = m_fixture->find<QLabel>(u"keysStripNote"_s);
        QTRY_COMPARE_WITH_TIMEOUT(note->text(), u"1500 keys"_s, 20'000);
        auto *bars = strip->findChild<QWidget *>(u"timeBars"_s);
        bars->setFocus();
        QTest::keyClick(bars, Qt::Key_Home); // all were made a day ago
        QVERIFY2(bars->accessibleDescription().contains(u"1500 keys, 7 stuck, 13 failed"_s),
            qPrintable(bars->accessibleDescription()));
        QTest::keyClick(bars, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(bars, Qt::Key_Return);
        QVERIFY2(filter()->text().startsWith(u"created>="_s) && filter()->text().contains(u" created<"_s),
            qPrintable(filter()->text()));
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 1'500, 20'000);
        auto *whole = m_fixture->find<QToolButton>(u"keysStripWhole"_s);
        QTRY_VERIFY_WITH_TIMEOUT(whole->isVisible(), 20'000);
        QTest::mouseClick(whole, Qt::LeftButton);
        QCOMPARE(filter()->text(), QString());
        // A later range holds nothing, and says so.
        QTRY_COMPARE_WITH_TIMEOUT(note->text(), u"1500 keys"_s, 20'000);
        QTest::mousePress(bars, Qt::LeftButton, {}, { bars->width() / 2, bars->height() / 2 });
        QTest::mouseMove(bars, { bars->width() - 2, bars->height() / 2 });
        QTest::mouseRelease(bars, Qt::LeftButton, {}, { bars->width() - 2, bars->height() / 2 });
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 0, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(note->text(), u"0 keys"_s, 20'000);
    }

    /// Fewer than ten keys are a list that needs no chart, unless somebody asks for it.
    void aFewKeysNeedNoChart()
    {
        openKeys();
        auto *cells = m_fixture->find<QWidget>(u"heatMap"_s);
        auto *note = m_fixture->find<QLabel>(u"keysStripNote"_s);
        QTRY_VERIFY(cells->isVisible());
        type(u"state:stuck"_s);
        QTRY_COMPARE_WITH_TIMEOUT(note->text(), u"7 keys"_s, 20'000);
        QTRY_VERIFY(!cells->isVisible());
        QVERIFY(m_fixture->find<QWidget>(u"keysStrip"_s)->isVisible());
        filter()->clear();
        enter();
        QTRY_VERIFY_WITH_TIMEOUT(cells->isVisible(), 20'000);
        type(u"state:stuck"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!cells->isVisible(), 20'000);
        m_fixture->window->keysPage()->toggleStrip();
        QVERIFY(cells->isVisible());
    }

    /// Nothing below the filter moves while it has a mistake, and what is of the filter before says so.
    void aMistakeMovesNothing()
    {
        openKeys();
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->find<QLabel>(u"keysStripNote"_s)->text(), u"1500 keys"_s, 20'000);
        const auto top = [this] { return m_fixture->table()->mapToGlobal(QPoint(0, 0)).y(); };
        const int before = top();
        type(u"attempts>=many"_s);
        auto *error = m_fixture->find<QLabel>(u"filterError"_s);
        QVERIFY(error->isVisible());
        QVERIFY2(error->text().startsWith(u"attempts needs a whole number. Write it as attempts>=5 (character 11)."_s),
            qPrintable(error->text()));
        QTest::qWait(50); // a layout that moved would have by then
        QCOMPARE(top(), before);
        QTest::keyClick(filter(), Qt::Key_Escape);
        QVERIFY(m_fixture->find<QWidget>(u"chip_Stuck"_s)->isVisible());
    }

    /// A key that is not here may be in another table.
    void aKeyThatIsNotHereIsSearchedElsewhere()
    {
        openKeys();
        type(u"key:no-such-key"_s);
        const QWidget *page = m_fixture->window->keysPage();
        auto *first = page->findChild<QPushButton *>(u"emptyStateButton"_s);
        auto *second = page->findChild<QPushButton *>(u"emptyStateSecond"_s);
        QTRY_VERIFY_WITH_TIMEOUT(second->isVisible(), 20'000);
        QCOMPARE(first->text(), u"Search all tables"_s); // before the way out
        second->click();
        QCOMPARE(filter()->text(), QString());
        type(u"owner:nobody"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && first->isVisible() && !second->isVisible(), 20'000);
        QCOMPARE(first->text(), u"Clear the filter"_s);
        type(u"owner:nobody key:no-such-key"_s); // which says of the key alone nothing
        QTRY_VERIFY_WITH_TIMEOUT(second->isVisible(), 20'000);
        QCOMPARE(page->findChild<QLabel *>(u"emptyStateTitle"_s)->text(), u"No key matches"_s);
        type(u"key:no-such-key"_s);
        QTRY_VERIFY_WITH_TIMEOUT(second->isVisible() && first->text() == u"Search all tables", 20'000);
        first->click();
        QCOMPARE(m_fixture->window->currentPage(), u"complaints"_s);
    }

    void aCellOfTheHeatMapFilters()
    {
        openKeys();
        auto *cells = m_fixture->find<QWidget>(u"heatMap"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->find<QLabel>(u"keysStripNote"_s)->text(), u"1500 keys"_s, 20'000);
        cells->setFocus();
        for (int step = 0; step < 4; ++step) { // to the first scope's keys of one to seven days
            QTest::keyClick(cells, Qt::Key_Right);
        }
        QVERIFY2(cells->accessibleDescription().contains(u"750 keys"_s), qPrintable(cells->accessibleDescription()));
        QTest::keyClick(cells, Qt::Key_Return);
        QVERIFY2(filter()->text().startsWith(u"scope:"_s) && filter()->text().endsWith(u"age>=1d age<7d"_s),
            qPrintable(filter()->text()));
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 750, 20'000);
        // Hidden, it asks nothing; the choice is remembered.
        m_fixture->window->keysPage()->toggleStrip();
        QVERIFY(!m_fixture->find<QWidget>(u"keysStrip"_s)->isVisible());
        m_fixture->open();
        connectReader();
        m_fixture->window->showPage(u"keys"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->window->browser()->hasTarget(), 20'000);
        QVERIFY(!m_fixture->find<QWidget>(u"keysStrip"_s)->isVisible());
    }

    /// Refreshing the list takes the picture along; one that is older than the list says so.
    void theStripFollowsTheList()
    {
        openKeys();
        auto *spread = m_fixture->window->keysPage()->findChild<models::KeySpreadController *>();
        auto *note = m_fixture->find<QLabel>(u"keysStripNote"_s);
        QTRY_COMPARE_WITH_TIMEOUT(note->text(), u"1500 keys"_s, 20'000);
        spread->setLeastPause(3'600'000);
        m_cluster->psql(u"postgres"_s,
            u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            u"created_at,"
            " expires_at, attempt_count) SELECT idempotency_scope, 'more', request_hash, status, created_at, "
            "expires_at,"
            " 1 FROM app.idempotency_request WHERE idempotency_key = 'ord-00500'"_s);
        const auto clean = qScopeGuard([this] {
            m_cluster->psql(u"postgres"_s, u"DELETE FROM app.idempotency_request WHERE idempotency_key = 'more'"_s);
        });
        auto *refresh = m_fixture->find<QWidget>(u"keysToolbar"_s)->findChild<QToolButton *>(u"refreshButton"_s);
        QTest::mouseClick(refresh, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(note->text().startsWith(u"1501 keys"_s), 20'000); // the list's own count may be older
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm(), 20'000);
        // The list alone, as it refreshes by itself.
        m_cluster->psql(u"postgres"_s,
            u"DELETE FROM app.idempotency_request WHERE idempotency_key = 'more'; SELECT pg_sleep(1.1)"_s);
        m_fixture->window->browser()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(note->text().startsWith(u"1501 keys · as of "_s), 20'000);
        spread->setLeastPause(3'000); // at its end it is read again by itself
        QTRY_COMPARE_WITH_TIMEOUT(note->text(), u"1500 keys"_s, 20'000);
    }

    /// The pane is read anew with its key: where the row beside it is older, that is said.
    void theListThatIsOlderSaysSo()
    {
        openKeys();
        const QString set = u"UPDATE app.idempotency_request SET status = '%1' WHERE idempotency_key = 'ord-00500'"_s;
        type(u"key:ord-00500"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 1, 20'000);
        const QString before = m_fixture->model()->record(0)->role(sql::Role::Status).text;
        const auto restore = qScopeGuard([&] { m_cluster->psql(u"postgres"_s, set.arg(before)); });
        m_fixture->window->keysPage()->selectRow(0);
        auto *detail = m_fixture->window->detail();
        const auto *summary = m_fixture->find<QLabel>(u"detailSummary"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!summary->text().isEmpty() && !summary->text().contains(u"Reading"_s), 20'000);
        QVERIFY2(!summary->text().contains(u"the list still says"_s), qPrintable(summary->text()));
        m_cluster->psql(u"postgres"_s, set.arg(before == u"failed_final" ? u"succeeded"_s : u"failed_final"_s));
        detail->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(summary->text().contains(u"the list still says"_s), 20'000);
        m_fixture->window->browser()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!summary->text().contains(u"the list still says"_s), 20'000);
    }

    /// What is marked stays while the picture is read again: a drag is not lost to a refresh.
    void aMarkSurvivesARefresh()
    {
        openKeys();
        auto *note = m_fixture->find<QLabel>(u"keysStripNote"_s);
        QTRY_COMPARE_WITH_TIMEOUT(note->text(), u"1500 keys"_s, 20'000);
        auto *spread = m_fixture->window->keysPage()->findChild<models::KeySpreadController *>();
        auto *bars = m_fixture->find<QWidget>(u"timeBars"_s);
        auto *cells = m_fixture->find<QWidget>(u"heatMap"_s);
        QTest::keyClick(cells, Qt::Key_Right);
        QTest::keyClick(cells, Qt::Key_Right);
        const QString cell = cells->accessibleDescription();
        QTest::mousePress(bars, Qt::LeftButton, {}, { 2, bars->height() / 2 });
        QTest::mouseMove(bars, { bars->width() / 2, bars->height() / 2 });
        const QString marked = bars->accessibleDescription();
        spread->refresh();
        QVERIFY(spread->busy());
        QTRY_VERIFY_WITH_TIMEOUT(!spread->busy(), 20'000);
        QCOMPARE(bars->accessibleDescription(), marked);
        QCOMPARE(cells->accessibleDescription(), cell);
        QTest::mouseRelease(bars, Qt::LeftButton, {}, { bars->width() / 2, bars->height() / 2 });
        QVERIFY2(filter()->text().startsWith(u"created>="_s), qPrintable(filter()->text()));
    }

    /// At 1024 by 700 the list has the page for itself, and the columns that fit; each can be had back.
    void aSmallWindowShowsTheColumnsThatFit()
    {
        openKeys();
        QTableView *table = m_fixture->table();
        const auto usual = qScopeGuard([this] { m_fixture->window->browser()->setOrder({}); });
        m_fixture->window->browser()->setOrder(u"lease_until"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() > 0, 20'000);
        const auto column = [this](models::KeyColumn of) { return m_fixture->model()->columnOf(of); };
        const auto scrolls = [table] { return table->horizontalScrollBar()->maximum() > 0; };
        m_fixture->window->keysPage()->selectRow(0);
        auto *detail = m_fixture->find<QWidget>(u"detailPane"_s);
        QTRY_VERIFY_WITH_TIMEOUT(detail->isVisible(), 20'000);
        QVERIFY(!scrolls());
        m_fixture->window->resize(1024, 700);
        QTRY_VERIFY(!detail->isVisible());
        QTRY_VERIFY(!scrolls());
        QVERIFY(!table->isColumnHidden(column(models::KeyColumn::State)));
        QTRY_VERIFY(!table->isColumnHidden(column(models::KeyColumn::Age)));
        QVERIFY(table->isColumnHidden(column(models::KeyColumn::Expires))); // goes first
        // Unless the rows stand in its order, which nobody would see without it.
        m_fixture->window->browser()->setOrder(u"expiry"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!table->isColumnHidden(column(models::KeyColumn::Expires)), 20'000);
        m_fixture->window->browser()->setOrder(u"lease_until"_s);
        QTRY_VERIFY_WITH_TIMEOUT(table->isColumnHidden(column(models::KeyColumn::Expires)), 20'000);
        // A time is shown whole: "29 d 2…" may be 29 days and two hours, or twenty-two.
        const QFontMetrics figures(ui::Theme::figures(table->font()));
        QVERIFY(table->columnWidth(column(models::KeyColumn::Age))
            > figures.horizontalAdvance(models::durationText(24 * 3'600 - 60)));
        // The detail is a key away, and takes its room from columns, not from a scroll bar.
        table->setFocus();
        key(Qt::Key_Space);
        QTRY_VERIFY(detail->isVisible());
        QTRY_VERIFY(!scrolls());
        QVERIFY(!table->isColumnHidden(column(models::KeyColumn::Key)));
        QVERIFY(table->isColumnHidden(column(models::KeyColumn::Expires)));
        key(Qt::Key_Space);
        // What a person wants to see is seen, though the list scrolls then; wider, all are there again.
        emit table->horizontalHeader()->customContextMenuRequested({ 5, 5 });
        auto *menu = table->findChild<QMenu *>(u"columnMenu"_s);
        QVERIFY(menu != nullptr);
        auto *expires = menu->findChild<QAction *>(u"column_expires"_s);
        QVERIFY(expires != nullptr && !expires->isChecked());
        QVERIFY2(expires->text().contains(u"no room"_s), qPrintable(expires->text()));
        expires->trigger();
        menu->close();
        QVERIFY(!table->isColumnHidden(column(models::KeyColumn::Expires)));
        m_fixture->window->resize(1900, 800);
        QTRY_VERIFY(!table->isColumnHidden(column(models::KeyColumn::Owner)));
        // The scope is as wide as what it shows.
        const int scope = column(models::KeyColumn::ScopePart);
        const int text = table->fontMetrics().horizontalAdvance(u"create_order"_s);
        QVERIFY2(table->columnWidth(scope) > text && table->columnWidth(scope) < 2 * text,
            qPrintable(QString::number(table->columnWidth(scope))));
    }

    /// Random numbers as an identity order nothing: who waits longest stands first where sorting costs little.
    void whatWaitsIsSortedByAge_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("order"); ///< by which it is read
        QTest::newRow("those that wait") << u"state:pending"_s << u"created_at"_s;
        QTest::newRow("those that wait, of one scope") << u"state:pending scope:create_order"_s << u"created_at"_s;
        QTest::newRow("a scope") << u"scope:create_order"_s << u"identity"_s;
    }

    void whatWaitsIsSortedByAge()
    {
        QFETCH(QString, filter);
        QFETCH(QString, order);
        m_cluster->psql(u"postgres"_s,
            u"INSERT INTO app.outbox_event (outbox_id, event_type, aggregate_type, aggregate_id, idempotency_scope, "
            "idempotency_key, payload, created_at) SELECT ('0000000' || i || '-0000-4000-8000-000000000000')::uuid, "
            "'order.created', 'customer_order', gen_random_uuid(), 'create_order', 'out-' || i, '{}', "
            "now() - interval '1 hour' * (ARRAY[3, 9, 6])[i] FROM generate_series(1, 3) i; ANALYZE app.outbox_event"_s);
        const auto clean = qScopeGuard([this] { m_cluster->psql(u"postgres"_s, u"DELETE FROM app.outbox_event"_s); });
        connectReader();
        key(Qt::Key_2, Qt::ControlModifier);
        m_fixture->window->keysPage()->showTarget(u"plpgsql-outbox"_s, filter);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 3, 20'000);
        const auto *browser = m_fixture->window->browser();
        QCOMPARE(browser->effectiveOrder(), order);
        QStringList keys;
        for (int row = 0; row < 3; ++row) {
            keys += m_fixture->model()->record(row)->key.text;
        }
        QCOMPARE(keys,
            order == u"identity" ? QStringList({ u"out-1"_s, u"out-2"_s, u"out-3"_s })
                                 : QStringList({ u"out-2"_s, u"out-3"_s, u"out-1"_s }));
        const auto &orders = browser->orders();
        QVERIFY(std::any_of(orders.cbegin(), orders.cend(),
            [](const auto &one) { return one.label == u"identity" && one.title == u"Unsorted"; }));
        // Its arrow is of what the column shows: the oldest first, the ages fall.
        const QHeaderView *heads = m_fixture->table()->horizontalHeader();
        if (order != u"identity") {
            QCOMPARE(heads->sortIndicatorSection(), m_fixture->model()->columnOf(models::KeyColumn::Age));
            QCOMPARE(heads->sortIndicatorOrder(), Qt::DescendingOrder);
        }
        // As it is read again, so it stays.
        m_fixture->window->browser()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm(), 20'000);
        QCOMPARE(m_fixture->model()->record(0)->key.text, keys.constFirst());
    }

    /// What the profile names further is a column, an order by its heading, a filter, and a line of the record.
    void fieldsOfTheProfileAreColumns()
    {
        connectReader();
        key(Qt::Key_2, Qt::ControlModifier);
        m_fixture->window->keysPage()->showTarget(u"work-item"_s, u"priority>=4"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 8, 20'000);
        const models::KeyTableModel *model = m_fixture->model();
        const auto &columns = model->columns();
        const auto named = [&columns](const QString &id) {
            return int(std::find_if(columns.cbegin(), columns.cend(), [&id](const auto &spec) { return spec.id == id; })
                - columns.cbegin());
        };
        const int priority = named(u"field:priority"_s);
        const int available = named(u"field:available"_s);
        QVERIFY(priority < columns.size() && available < columns.size());
        QCOMPARE(model->headerData(priority, Qt::Horizontal, Qt::DisplayRole).toString(), u"Priority"_s);
        QCOMPARE(model->index(0, priority).data().toString(), u"4"_s);
        QCOMPARE(model->index(0, priority).data(Qt::TextAlignmentRole).toInt(), int(Qt::AlignRight | Qt::AlignVCenter));
        const auto first
            = [model, available] { return model->index(0, available).data(models::KeyTableModel::RawRole).toString(); };
        emit m_fixture->table()->horizontalHeader()->sectionClicked(available);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && first().startsWith(u"2026-11-01 16:00"), 20'000);
        emit m_fixture->table()->horizontalHeader()->sectionClicked(available);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && first().startsWith(u"2026-11-03 03:00"), 20'000);
        m_fixture->window->keysPage()->selectRow(0);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->window->detail()->status(), models::KeyDetailController::Status::Ready, 20'000);
        const auto *record = m_fixture->window->detail()->record();
        QStringList names;
        for (int i = 0; i < record->rowCount(); ++i) {
            names += record->index(i, 0).data().toString();
        }
        QCOMPARE(names.count(u"Priority"_s), 1);
        QCOMPARE(names.count(u"priority"_s), 0); // not once more among the columns without a role
    }

    /// With texts twice as large nothing is cut or laid over: lines wrap, headings have their room.
    void largeTextsHaveTheirRoom()
    {
        openKeys();
        const auto usual = qScopeGuard([this] { m_fixture->settings.setTextZoom(100); });
        for (const int zoom : { 150, 200 }) {
            m_fixture->settings.setTextZoom(zoom);
            m_fixture->window->keysPage()->toggleStrip(); // folded by itself: whole now
            auto *cells = m_fixture->find<QWidget>(u"heatMap"_s);
            QTRY_VERIFY(cells->isVisible());
            QTRY_VERIFY2(cells->width() >= cells->sizeHint().width(),
                qPrintable(u"%1: %2 of %3"_s.arg(zoom).arg(cells->width()).arg(cells->sizeHint().width())));
            const auto *bars = m_fixture->find<QWidget>(u"timeBars"_s);
            QVERIFY(bars->height() > 3 * bars->fontMetrics().height());
            const QTableView *table = m_fixture->table();
            QVERIFY(table->verticalHeader()->defaultSectionSize() > table->fontMetrics().height());
            QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
            const QWidget *page = m_fixture->window->keysPage();
            QVERIFY2(page->width() <= page->parentWidget()->width(), qPrintable(QString::number(page->width())));
            for (const char16_t *name : { u"chip_Stuck", u"chip_Conflicts", u"orderChooser", u"detailButton" }) {
                const auto *control = page->findChild<QWidget *>(QString::fromUtf16(name));
                QVERIFY(control->width() >= control->minimumSizeHint().width());
                QVERIFY(page->rect().contains(QRect(control->mapTo(page, QPoint(0, 0)), control->size())));
            }
            m_fixture->window->keysPage()->toggleStrip();
            m_fixture->settings.setLayout(u"keys/strip"_s, {});
        }
    }

    void aCellsMenuFiltersByItsValue()
    {
        openKeys();
        type(u"state:failed_final"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 13, 20'000);
        const int owner = m_fixture->model()->columnOf(models::KeyColumn::Owner);
        const QString worker = m_fixture->model()->record(0)->role(sql::Role::Owner).text;
        rowMenu(0, owner, u"filterByValue"_s);
        QCOMPARE(filter()->text(), u"state:failed_final owner:"_s + worker);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() < 13, 20'000);
        const int few = m_fixture->model()->rowCount();
        QVERIFY(few > 0);
        rowMenu(0, owner, u"filterWithoutValue"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 0, 20'000); // both at once hold for none
        type(u"state:failed_final"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 13, 20'000);
        rowMenu(0, owner, u"filterWithoutValue"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 13 - few, 20'000);
    }

    /// Up to a column they stay while the others are scrolled; the choice is remembered by table.
    void columnsAreFrozen()
    {
        openKeys();
        auto *frozen = m_fixture->find<QTableView>(u"frozenColumns"_s);
        QVERIFY(!frozen->isVisible());
        QTableView *table = m_fixture->table();
        const int keys = m_fixture->model()->columnOf(models::KeyColumn::Key);
        const auto choose = [table, keys](const QString &entry) {
            const QHeaderView *header = table->horizontalHeader();
            emit table->horizontalHeader()->customContextMenuRequested(
                { header->sectionViewportPosition(keys) + 5, header->height() / 2 });
            auto *menu = table->findChild<QMenu *>(u"columnMenu"_s);
            QVERIFY(menu != nullptr && menu->findChild<QAction *>(entry) != nullptr);
            menu->findChild<QAction *>(entry)->trigger();
            menu->close();
            QTRY_VERIFY(table->findChild<QMenu *>(u"columnMenu"_s) == nullptr);
        };
        choose(u"freezeColumns"_s);
        QVERIFY(frozen->isVisible());
        QVERIFY(!frozen->isColumnHidden(keys));
        QVERIFY(frozen->isColumnHidden(m_fixture->model()->columnOf(models::KeyColumn::Owner)));
        m_fixture->window->resize(700, 700);
        table->horizontalScrollBar()->setValue(table->horizontalScrollBar()->maximum());
        table->verticalScrollBar()->setValue(40);
        QTRY_COMPARE(frozen->verticalScrollBar()->value(), 40);
        QCOMPARE(frozen->rowAt(5), table->rowAt(5));
        // A row is chosen there as here.
        m_fixture->window->resize(1280, 800);
        table->verticalScrollBar()->setValue(0);
        QTRY_VERIFY(frozen->isVisible());
        QTest::mouseClick(
            frozen->viewport(), Qt::LeftButton, {}, frozen->visualRect(m_fixture->model()->index(2, keys)).center());
        QCOMPARE(highlighted(), QList<int> { 2 });
        m_fixture->window->keysPage()->showTarget(u"plpgsql-message"_s, {});
        QVERIFY(!frozen->isVisible());
        m_fixture->window->keysPage()->showTarget(u"plpgsql-request"_s, {});
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && frozen->isVisible(), 20'000);
        choose(u"releaseColumns"_s);
        QVERIFY(!frozen->isVisible());
    }

    void numbersOfPayloadsAreExact()
    {
        openKeys();
        type(u"key:ord-00042"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 1, 20'000);
        m_fixture->window->keysPage()->detailPane()->showTab(u"json"_s);
        m_fixture->window->keysPage()->selectRow(0);
        auto *tree = m_fixture->find<QAbstractItemView>(u"jsonTree"_s);
        QTRY_COMPARE_WITH_TIMEOUT(tree->model()->rowCount(), 1, 20'000);
        const QModelIndex root = tree->model()->index(0, 0);
        QCOMPARE(tree->model()->index(0, 1, root).data().toString(), u"12345678901234567890.10"_s);
        QCOMPARE(root.siblingAtColumn(1).data().toString(), u"1 member"_s);
        // The tree or the text has the whole room; which one is remembered.
        auto *text = m_fixture->find<QPlainTextEdit>(u"jsonText"_s);
        QVERIFY(tree->isVisible() && !text->isVisible());
        QTest::mouseClick(m_fixture->find<QToolButton>(u"payloadText"_s), Qt::LeftButton);
        QVERIFY(text->isVisible() && !tree->isVisible());
        QVERIFY(text->toPlainText().contains(u"12345678901234567890.10"_s));
        QCOMPARE(m_fixture->settings.layout(u"keys/payload"_s), QByteArray("text"));
    }

    void countsAreInEnglish()
    {
        QCOMPARE(models::JsonTreeModel::tr("%n member(s)", nullptr, 1), u"1 member"_s);
        QCOMPARE(models::JsonTreeModel::tr("%n member(s)", nullptr, 4), u"4 members"_s);
        QFile forms(QStringLiteral(IDEMDESK_SOURCE_DIR "/resources/translations/idemdesk_en.ts"));
        QVERIFY(forms.open(QIODevice::ReadOnly));
        QVERIFY(!forms.readAll().contains("unfinished"));
    }

private:
    QLineEdit *filter() const { return m_fixture->find<QLineEdit>(u"filterText"_s); }
    QString rowsText() const { return m_fixture->find<QLabel>(u"statusRows"_s)->text(); }

    QString detailKey() const { return m_fixture->find<QLabel>(u"detailKey"_s)->text(); }

    QList<int> highlighted() const
    {
        QList<int> rows;
        for (const QModelIndex &index : m_fixture->table()->selectionModel()->selectedRows()) {
            rows += index.row();
        }
        return rows;
    }

    /// By Ctrl+J, as a person does; the first row is 1.
    void jumpToRow(int number)
    {
        key(Qt::Key_J, Qt::ControlModifier);
        QTRY_VERIFY(dialog(u"jumpDialog"_s) != nullptr);
        auto *row = dialog(u"jumpDialog"_s)->findChild<QSpinBox *>(u"jumpRow"_s);
        for (auto *way : dialog(u"jumpDialog"_s)->findChildren<QRadioButton *>()) {
            if (!way->isChecked() && !row->isEnabled()) {
                way->click();
            }
        }
        QVERIFY(row->isEnabled());
        row->setValue(number);
        dialog(u"jumpDialog"_s)->findChild<QPushButton *>(u"jumpGo"_s)->click();
        QTRY_VERIFY(dialog(u"jumpDialog"_s) == nullptr);
    }

    static QDialog *dialog(const QString &objectName)
    {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (widget->objectName() == objectName && widget->isVisible()) {
                return qobject_cast<QDialog *>(widget);
            }
        }
        return nullptr;
    }

    static void activate(QWidget *window)
    {
        window->activateWindow();
        QTRY_VERIFY(window->isActiveWindow());
    }

    static void escapeFrom(const QString &objectName)
    {
        activate(dialog(objectName));
        QTest::keyClick(dialog(objectName), Qt::Key_Escape);
        QTRY_VERIFY2(dialog(objectName) == nullptr, qPrintable(objectName));
    }

    /// To whatever has the focus, as a keyboard does.
    void key(Qt::Key which, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        // The offscreen platform does not give the activation back when a popup goes.
        activate(m_fixture->window.get());
        QWidget *target = m_fixture->window->focusWidget();
        QTest::keyClick(target != nullptr ? target : m_fixture->window.get(), which, modifiers);
    }

    void enter() { QTest::keyClick(filter(), Qt::Key_Return); }

    /// The context menu of a cell, and one of its entries.
    void rowMenu(int row, int column, const QString &entry)
    {
        QTableView *table = m_fixture->table();
        const QRect cell = table->visualRect(m_fixture->model()->index(row, column));
        emit table->customContextMenuRequested(cell.center());
        auto *menu = table->findChild<QMenu *>(u"rowMenu"_s);
        QVERIFY(menu != nullptr);
        auto *action = menu->findChild<QAction *>(entry);
        QVERIFY(action != nullptr && action->isEnabled());
        action->trigger();
        menu->close();
        QTRY_VERIFY(table->findChild<QMenu *>(u"rowMenu"_s) == nullptr);
    }

    void type(const QString &text)
    {
        filter()->setFocus();
        filter()->selectAll();
        QTest::keyClicks(filter(), text);
        enter();
    }

    void connectReader()
    {
        m_fixture->connectAs(u"reader"_s, u"postgres"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->connection.targetsLoaded(), 20'000);
    }

    void openKeys()
    {
        connectReader();
        key(Qt::Key_2, Qt::ControlModifier);
        m_fixture->window->keysPage()->showTarget(u"plpgsql-request"_s, {});
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 1'500, 20'000);
    }

    ui::Theme *m_theme = nullptr;
    std::unique_ptr<tests::TestCluster> m_cluster;
    std::unique_ptr<tests::WindowFixture> m_fixture;
};

QTEST_MAIN(KeysWindowTest)
#include "tst_keys_window.moc"
