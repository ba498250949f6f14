// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/conflict_controller.h"
#include "models/keys/key_browser.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/dialogs/log_fields_dialog.h"
#include "ui/pages/conflicts/conflicts_page.h"
#include "ui/pages/conflicts/conflicts_view.h"
#include "ui/widgets/badge_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// The conflicts page as a person meets it: what services recorded, both requests side by side, the way to the key,
/// and imports.
class ConflictsPageTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;

    models::ConflictController *conflicts() const { return m_window->window->conflicts(); }

    void open(const QString &login, const QString &database)
    {
        m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
        QVERIFY(QTest::qWaitForWindowActive(m_window->window.get()));
        m_window->connectAs(login, database);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
        m_window->window->showPage(u"conflicts"_s);
        QTRY_VERIFY_WITH_TIMEOUT(conflicts()->loaded() && !conflicts()->busy(), 20'000);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_fixture->fresh();
        QVERIFY(m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm"_s)
                    .ok());
    }
    void cleanup() { m_window.reset(); }

    /// Twelve digits of each are enough, from where they can be told apart on.
    void showsShortFingerprintsThatDiffer()
    {
        registerTable(*m_fixture);
        const QString stored = QString(40, u'a') + QString(24, u'c');
        const QString came = QString(40, u'a') + QString(24, u'd');
        QVERIFY(m_fixture->root()
                    .run(u"SET ROLE idemdesk_owner; "
                         "SELECT idemdesk.record_conflict('t1', 'k001', '%1', '%2', NULL, 'checkout', 'k2')"_s.arg(
                             stored, came))
                    .ok());
        open(u"op"_s, m_fixture->database());
        QTRY_COMPARE(conflicts()->model()->rowCount(), 1);
        const auto *hashes = m_window->find<QLabel>(u"conflictHashes"_s);
        QCOMPARE(hashes->text(), u"Fingerprints: stored …aaaaaacccccc…, received …aaaaaadddddd…"_s);
        QVERIFY2(hashes->toolTip().contains(stored) && hashes->toolTip().contains(came), qPrintable(hashes->toolTip()));
        QTest::mouseClick(m_window->find<QToolButton>(u"conflictCopyHashes"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), stored + u'\n' + came);
        // Nothing is recorded of the request, and the table keeps none: there is nothing to compare.
        QTRY_COMPARE(
            m_window->find<QLabel>(u"conflictReceivedWhy"_s)->text(), u"The received request was not recorded."_s);
        QVERIFY(m_window->find<QPlainTextEdit>(u"conflictReceived"_s)->isHidden()); // no empty box
        QVERIFY(!m_window->find<QPushButton>(u"conflictCompare"_s)->isEnabled());
    }

    void showsBothFingerprintsAndLeadsToTheKey()
    {
        registerTable(*m_fixture);
        const QString stored = QString(64, u'a');
        QString came = stored;
        came[7] = u'b';
        QVERIFY(
            m_fixture->root()
                .run(
                    u"SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('t1', 'k001', '%1', '%2', '<img src=x>', 'checkout', 'k2')"_s
                        .arg(stored, came))
                .ok());
        open(u"op"_s, m_fixture->database());
        QAbstractItemModelTester tester(conflicts()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(conflicts()->model()->rowCount(), 1);
        QVERIFY(!conflicts()->keptHere());
        const QString hashes = m_window->find<QLabel>(u"conflictHashes"_s)->text();
        QVERIFY2(hashes.contains(stored.left(12)) && hashes.contains(came.left(12)), qPrintable(hashes));
        // That they differ is seen: no sentence counts their characters.
        QVERIFY(m_window->find<QLabel>(u"conflictHashSentence"_s)->isHidden());
        const auto *storedWhy = m_window->find<QLabel>(u"conflictStoredWhy"_s);
        QTRY_COMPARE(storedWhy->text(), u"The stored request is not kept."_s); // the profile names none
        QVERIFY(storedWhy->isVisible() && m_window->find<QPlainTextEdit>(u"conflictStored"_s)->isHidden());
        QCOMPARE(m_window->find<QPlainTextEdit>(u"conflictReceived"_s)->toPlainText(), u"<img src=x>"_s); // as text
        // One request alone is nothing to compare, and the button says so, as does the line above.
        const auto *compare = m_window->find<QPushButton>(u"conflictCompare"_s);
        QVERIFY(!compare->isEnabled());
        const QString why = u"There is nothing to compare. The stored request is not kept."_s;
        QCOMPARE(compare->toolTip(), why);
        QCOMPARE(conflicts()->model()->index(0, models::ConflictModel::Kind).data(models::TitleRole).toString(),
            u"Reused key"_s);
        QCOMPARE(m_window->find<ui::BadgeView>(u"conflictBadge"_s)->text(), u"Reused key"_s);
        auto *show = m_window->find<QPushButton>(u"conflictShowKey"_s);
        QVERIFY(show->isEnabled());
        show->setFocus();
        QTest::keyClick(show, Qt::Key_Space);
        QCOMPARE(m_window->window->currentPage(), u"keys"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 20'000);
    }

    /// A list beside the comparison leaves it the whole height; where that is too narrow, it has the larger part below.
    void theComparisonHasItsRoom_data()
    {
        QTest::addColumn<QSize>("window");
        QTest::addColumn<bool>("beside");
        QTest::newRow("smallest window") << QSize(1024, 700) << false;
        QTest::newRow("small window") << QSize(1180, 700) << true;
        QTest::newRow("usual window") << QSize(1360, 840) << true;
    }

    void theComparisonHasItsRoom()
    {
        QFETCH(QSize, window);
        QFETCH(bool, beside);
        QStringList fields;
        for (int i = 0; i < 40; ++i) {
            fields += u"\"f%1\": %1"_s.arg(i);
        }
        QVERIFY(m_fixture->root()
                    .run(u"SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('t1', 'k001', 'a', 'b', "
                         "'{%1}', 'checkout', 'k2')"_s.arg(fields.join(u", "_s)))
                    .ok());
        open(u"op"_s, m_fixture->database());
        QTRY_COMPARE(conflicts()->model()->rowCount(), 1);
        m_window->window->resize(window);
        auto *split = m_window->find<QSplitter>(u"conflictsSplit"_s);
        auto *table = m_window->find<QTableView>(u"conflictsTable"_s);
        QTRY_COMPARE(split->orientation(), beside ? Qt::Horizontal : Qt::Vertical);
        QTRY_VERIFY2(split->sizes().at(1) >= split->sizes().at(0) - 2 * split->handleWidth(),
            qPrintable(u"%1 %2"_s.arg(split->sizes().at(0)).arg(split->sizes().at(1))));
        QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0); // no column is cut
        const auto *received = m_window->find<QPlainTextEdit>(u"conflictReceived"_s);
        QTRY_VERIFY2(
            received->height() > 5 * received->fontMetrics().height(), qPrintable(QString::number(received->height())));
    }

    /// A box of four lines is no larger than they are.
    void aShortRequestHasASmallBox()
    {
        QVERIFY(m_fixture->root()
                    .run(u"SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('t1', 'k001', 'a', 'b', "
                         "'{\"a\": 1}', 'checkout', 'k2')"_s)
                    .ok());
        open(u"op"_s, m_fixture->database());
        QTRY_COMPARE(conflicts()->model()->rowCount(), 1);
        const auto *received = m_window->find<QPlainTextEdit>(u"conflictReceived"_s);
        QTRY_VERIFY(received->isVisible() && received->blockCount() == 3);
        QTRY_COMPARE(received->verticalScrollBar()->maximum(), 0); // all of it is seen
        QTRY_VERIFY2(
            received->height() < 7 * received->fontMetrics().height(), qPrintable(QString::number(received->height())));
    }

    void filtersByKindAndKey()
    {
        QVERIFY(
            m_fixture->root()
                .run(
                    u"INSERT INTO idemdesk.conflict (id, kind, source, scope, key, first_at, last_at, n) SELECT "
                    u"sha256(g::text::bytea), CASE WHEN g % 3 = 0 THEN 'deadlock' ELSE 'key_conflict' END, "
                    "'log', 's', CASE WHEN g % 3 <> 0 THEN 'k' || g % 7 END, now() - g * interval '1 minute', now() - g * interval '1 minute', 1 FROM generate_series(1, 450) g"_s)
                .ok());
        open(u"op"_s, m_fixture->database());
        QCOMPARE(conflicts()->model()->rowCount(), 200);
        while (conflicts()->model()->canFetchMore({})) {
            const int before = conflicts()->model()->rowCount();
            conflicts()->model()->fetchMore({});
            QTRY_VERIFY_WITH_TIMEOUT(conflicts()->model()->rowCount() > before, 20'000);
        }
        QCOMPARE(conflicts()->model()->rowCount(), 450);
        auto *kind = m_window->find<QComboBox>(u"conflictsKind"_s);
        kind->setCurrentIndex(kind->findData(u"deadlock"_s));
        emit kind->activated(kind->currentIndex());
        QTRY_COMPARE_WITH_TIMEOUT(conflicts()->model()->rowCount(), 150, 20'000);
        QVERIFY(!m_window->find<QPushButton>(u"conflictShowKey"_s)->isEnabled()); // a deadlock names no key
        // What there is of each kind was counted before one was chosen; a chip chooses, and takes the choice back.
        auto *deadlocks = m_window->find<QToolButton>(u"conflictKind_deadlock"_s);
        auto *reused = m_window->find<QToolButton>(u"conflictKind_key_conflict"_s);
        QVERIFY(deadlocks->isVisible() && deadlocks->isChecked() && !reused->isChecked());
        QCOMPARE(deadlocks->text(), u"Deadlock 150"_s);
        QCOMPARE(reused->text(), u"Reused key 300"_s);
        QTest::mouseClick(reused, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(conflicts()->model()->rowCount(), 200, 20'000);
        QCOMPARE(conflicts()->model()->row(0)->kind, u"key_conflict"_s);
        QCOMPARE(kind->currentData().toString(), u"key_conflict"_s);
        QTest::mouseClick(reused, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!conflicts()->busy(), 20'000);
        QVERIFY(kind->currentData().toString().isEmpty());
        auto *key = m_window->find<QLineEdit>(u"conflictsKey"_s);
        key->setFocus();
        QTest::keyClicks(key, u"k3"_s);
        QTest::keyClick(key, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(conflicts()->model()->rowCount(),
            m_fixture->root().value(u"SELECT count(*) FROM idemdesk.conflict WHERE key = 'k3'"_s).toInt(), 20'000);
        key->clear();
        QVERIFY(
            m_fixture->root()
                .run(u"UPDATE idemdesk.conflict SET attributes = '{\"trace\": \"4bf92f\"}' WHERE id IN (SELECT id FROM "
                     "idemdesk.conflict WHERE key IS NOT NULL AND kind <> 'replay' LIMIT 2)"_s)
                .ok());
        auto *attribute = m_window->find<QLineEdit>(u"conflictsAttribute"_s);
        attribute->setFocus();
        QTest::keyClicks(attribute, u"4bf92f"_s);
        QTest::keyClick(attribute, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(conflicts()->model()->rowCount(), 2, 20'000);
        m_window->find<QTableView>(u"conflictsTable"_s)->selectRow(1);
        QTRY_VERIFY(m_window->find<QPlainTextEdit>(u"conflictMessage"_s)->toPlainText().contains(u"trace 4bf92f"));
    }

    void importsALogWithoutTheSchema()
    {
        m_fixture->cluster().psql(u"postgres"_s,
            u"DO $$ BEGIN IF to_regclass('public.t') IS NULL THEN CREATE TABLE public.t (a int); END IF; END $$"_s);
        open(u"op"_s, u"postgres"_s);
        QVERIFY(conflicts()->keptHere());
        QCOMPARE(conflicts()->model()->rowCount(), 0);
        QTemporaryDir folder;
        QFile log(folder.filePath(u"service.jsonl"_s));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write("{\"idempotency_key\":\"k-1\",\"constraint_status\":\"conflict\",\"operation\":\"pay\",\"time\":"
                  "\"2026-11-20T10:00:00Z\"}\n"
                  "{\"idempotency_key\":\"k-2\",\"constraint_status\":\"conflict_resolved\",\"operation\":\"pay\"}\n"
                  "{\"idempotency_key\":\"k-3\",\"constr\n");
        log.close();
        QSignalSpy imported(conflicts(), &models::ConflictController::imported);
        m_window->window->conflictsPage()->conflictsView()->importFiles({ log.fileName() });
        QTRY_COMPARE_WITH_TIMEOUT(imported.size(), 1, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            !conflicts()->importing() && !conflicts()->busy() && conflicts()->model()->rowCount() == 1, 20'000);
        QCOMPARE(conflicts()->model()->row(0)->key.value_or(QString()), u"k-1"_s);
        QSignalSpy failed(conflicts(), &models::ConflictController::importFailed);
        m_window->window->conflictsPage()->conflictsView()->importFiles({ u"/nowhere/x.log"_s });
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!conflicts()->importing() && !conflicts()->busy(), 20'000);
        QCOMPARE(conflicts()->model()->rowCount(), 1);
    }

    /// A service that calls its fields otherwise: the person says where they are, sees what is read, and it holds for
    /// the next import.
    void aServicesOwnFieldsAreRead()
    {
        open(u"op"_s, u"postgres"_s);
        const QString line
            = u"{\"req\": {\"id\": \"own-1\"}, \"result\": \"REUSED\", \"at\": \"2026-11-20T10:00:00Z\"}"_s;
        const auto openDialog = [this] {
            for (QAction *action : m_window->find<QPushButton>(u"conflictsImport"_s)->menu()->actions()) {
                if (action->text().contains(u"vices' logs"_s)) {
                    action->trigger();
                }
            }
            return m_window->find<ui::LogFieldsDialog>(u"logFieldsDialog"_s);
        };
        ui::LogFieldsDialog *dialog = openDialog();
        auto *read = dialog->findChild<QLabel *>(u"logFieldsRead"_s);
        auto *use = dialog->findChild<QPushButton *>(u"logFieldsUse"_s);
        dialog->findChild<QPlainTextEdit *>(u"logFieldsLine"_s)->setPlainText(line);
        QVERIFY2(read->text().contains(u"No key is found"_s), qPrintable(read->text()));
        auto *key = dialog->findChild<QLineEdit *>(u"logField_key"_s);
        key->setFocus();
        QTest::keyClicks(key, u"req/id"_s);
        QVERIFY2(!use->isEnabled() && read->text().contains(u"begins with a slash"_s), qPrintable(read->text()));
        key->clear();
        QTest::keyClicks(key, u"/nothing /req/id"_s);
        QVERIFY2(read->text().startsWith(u"Neither a conflict"_s), qPrintable(read->text()));
        dialog->findChild<QLineEdit *>(u"logField_outcome"_s)->setText(u"/result"_s);
        dialog->findChild<QLineEdit *>(u"logField_conflict"_s)->setText(u"reused"_s);
        dialog->findChild<QLineEdit *>(u"logField_time"_s)->setText(u"/at"_s);
        QVERIFY2(
            read->text().startsWith(u"A conflict: key own-1; outcome REUSED; time 2026"_s), qPrintable(read->text()));
        QTest::keyClick(dialog, Qt::Key_Return);
        QVERIFY(!dialog->isVisible());
        QGuiApplication::clipboard()->setText(line);
        m_window->find<QLineEdit>(u"conflictsKey"_s)->setText(u"own-1"_s);
        emit m_window->find<QLineEdit>(u"conflictsKey"_s)->editingFinished();
        QSignalSpy imported(conflicts(), &models::ConflictController::imported);
        for (QAction *action : m_window->find<QPushButton>(u"conflictsImport"_s)->menu()->actions()) {
            if (action->text().contains(u"copied"_s)) {
                action->trigger();
            }
        }
        QTRY_COMPARE_WITH_TIMEOUT(imported.size(), 1, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            !conflicts()->importing() && !conflicts()->busy() && conflicts()->model()->rowCount() == 1, 20'000);
        // The fields are kept, and the usual names come back with one button.
        QTRY_VERIFY(m_window->window->findChild<ui::LogFieldsDialog *>() == nullptr);
        dialog = openDialog();
        QCOMPARE(dialog->findChild<QLineEdit *>(u"logField_key"_s)->text(), u"/nothing /req/id"_s);
        dialog->findChild<QPushButton *>(u"logFieldsUsual"_s)->click();
        QVERIFY(dialog->places().isEmpty());
        dialog->reject();
    }
};

QTEST_MAIN(ConflictsPageTest)
#include "tst_conflicts_page.moc"
