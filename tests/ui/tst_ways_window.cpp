// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/notifier.h"
#include "app/desktop/window_set.h"
#include "app/translation/translation.h"
#include "models/compare/compare_controller.h"
#include "models/keys/key_detail.h"
#include "models/palette/palette_model.h"
#include "models/table/item_role.h"
#include "models/trends/trend_controller.h"
#include "models/workspace/workspace.h"
#include "tests/support/console_fixture.h"
#include "tests/ui/dialog_support.h"
#include "tests/ui/window_fixture.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/pages/conflicts/conflicts_page.h"
#include "ui/pages/conflicts/conflicts_view.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/pages/page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/command_list.h"
#include "ui/window/command_palette.h"
#include "ui/window/navigator.h"
#include "ui/window/page_refresher.h"
#include "ui/window/palette_source.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QAction>
#include <QDropEvent>
#include <QHeaderView>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableWidget>
#include <QToolButton>
#include <QUrl>

using namespace Qt::StringLiterals;
using namespace idemdesk;

/// The ways through the window: the palette, keys, back and forward, what is let fall on it, and other windows.
class WaysWindowTest final : public QObject
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
        m_cluster->psql(u"postgres"_s,
            u"CREATE ROLE reader LOGIN; GRANT pg_read_all_data TO reader;"
            "INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            "claimed_by, locked_until, attempt_count, created_at, expires_at)"
            " SELECT CASE WHEN n % 2 = 0 THEN 'create_order' ELSE 'refund' END, 'ord-' || lpad(n::text, 5, '0'), "
            "md5(n::text), (CASE WHEN n <= 7 THEN 'processing' WHEN n <= 20 THEN 'failed_final' ELSE 'succeeded' "
            "END)::app.idempotency_status, 'worker-' || n % 5, CASE WHEN n <= 7 THEN now() - interval '10 minutes' "
            "END, 1 + n % 4, now() - interval '1 day', now() + n * interval '1 hour' FROM generate_series(1, 60) n; "
            "ANALYZE"_s);
    }

    void init()
    {
        // The offscreen platform says so of every dialog and popup; all other warnings fail.
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support ).*"_s));
        m_fixture = std::make_unique<tests::WindowFixture>(*m_cluster);
        QVERIFY(QTest::qWaitForWindowActive(m_fixture->window.get()));
    }
    void cleanup()
    {
        m_fixture.reset();
        m_theme->setZoom(100);
    }
    void cleanupTestCase() { m_cluster.reset(); }

    void whatFitsStandsBeforeWhatFitsWorse_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("titles");
        QTest::newRow("the whole before a beginning") << u"keys"_s << QStringList { u"Keys"_s, u"Keys of today"_s };
        QTest::newRow("case does not matter") << u"KEYS"_s << QStringList { u"Keys"_s, u"Keys of today"_s };
        QTest::newRow("words in any order") << u"tod key"_s << QStringList { u"Keys of today"_s };
        QTest::newRow("letters from a word's beginning on") << u"rcv"_s << QStringList { u"Recovery"_s };
        QTest::newRow("letters in the middle of words are no hit") << u"ecv"_s << QStringList {};
        QTest::newRow("a page before an action that fits alike")
            << u"purge"_s << QStringList { u"Purge"_s, u"Purge"_s };
        QTest::newRow("by its name in the database") << u"app.orders"_s << QStringList { u"Payments"_s };
        QTest::newRow("pattern characters are letters") << u"k.*"_s << QStringList {};
        QTest::newRow("nothing fits") << u"zzz"_s << QStringList {};
        QTest::newRow("nothing typed shows all")
            << u"  "_s
            << QStringList { u"Purge"_s, u"Keys of today"_s, u"Keys"_s, u"Purge"_s, u"Recovery"_s, u"Payments"_s };
    }

    void whatFitsStandsBeforeWhatFitsWorse()
    {
        QFETCH(QString, typed);
        QFETCH(QStringList, titles);
        using Kind = models::PaletteEntry::Kind;
        models::PaletteModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setEntries({ { Kind::Action, u"a"_s, u"Purge"_s, u"Actions"_s, {}, {} },
            { Kind::View, u"v"_s, u"Keys of today"_s, {}, {}, {} }, { Kind::Page, u"k"_s, u"Keys"_s, {}, {}, {} },
            { Kind::Page, u"p"_s, u"Purge"_s, {}, {}, {} }, { Kind::Page, u"r"_s, u"Recovery"_s, {}, {}, {} },
            { Kind::Table, u"o"_s, u"Payments"_s, u"app.orders"_s, {}, {} } });
        model.setTyped(typed);
        QStringList shown;
        for (const models::PaletteEntry &entry : model.rows()) {
            shown += entry.title;
        }
        QCOMPARE(shown, titles);
        if (typed == u"purge"_s) {
            QCOMPARE(model.rows().constFirst().kind, Kind::Page);
        }
        model.setKeys({ { Kind::Key, u"t"_s, u"<b>\u202E"_s, {}, {}, {} } });
        if (!typed.trimmed().isEmpty()) {
            QCOMPARE(model.rows().constFirst().kind, Kind::Key); // exactly what was typed
            QCOMPARE(model.index(0, 0).data(models::TitleRole).toString(), u"<b>\\u202E"_s);
        }
    }

    void thePaletteLeadsToPagesTablesKeysAndActions()
    {
        connectReader();
        palette(u"recov"_s);
        QCOMPARE(m_fixture->window->currentPage(), u"recovery"_s);
        palette(u"app.idempotency_req"_s);
        QCOMPARE(m_fixture->window->currentPage(), u"keys"_s);
        QCOMPARE(m_fixture->window->browser()->target().profile.name, u"plpgsql-request"_s);
        m_fixture->settings.saveView({ u"Slow refunds"_s, u"plpgsql-request"_s, u"scope:refund attempts>=3"_s, {} });
        palette(u"slow ref"_s);
        QCOMPARE(m_fixture->window->browser()->filterText(), u"scope:refund attempts>=3"_s);
        palette(u"dark, high"_s);
        QCOMPARE(m_fixture->settings.theme(), models::Theme::ContrastDark);
        // A key is looked up in the database.
        openPalette();
        QTest::keyClicks(typed(), u"ord-00005"_s);
        QTRY_COMPARE_WITH_TIMEOUT(list()->model()->rowCount(), 1, 20'000);
        QVERIFY(list()->currentIndex().data(Qt::AccessibleTextRole).toString().startsWith(u"Key, ord-00005"_s));
        QTest::keyClick(typed(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 1, 20'000);
        QCOMPARE(m_fixture->window->browser()->filterText(), u"key:ord-00005"_s);
    }

    /// Grouped while nothing is typed, with what was taken last in front, and each thing once.
    void thePaletteBeginsWithWhatWasTakenLast()
    {
        connectReader();
        const auto groups = [this] {
            QStringList names;
            for (const models::PaletteEntry &entry : m_fixture->window->palette()->entries()) {
                if (names.isEmpty() || names.constLast() != entry.group) {
                    names += entry.group;
                }
            }
            return names;
        };
        QCOMPARE(groups(), QStringList({ u"Go to"_s, u"Actions"_s }));
        palette(u"recov"_s);
        palette(u"trends"_s);
        QCOMPARE(groups(), QStringList({ u"Recent"_s, u"Go to"_s, u"Actions"_s }));
        const QList<models::PaletteEntry> entries = m_fixture->window->palette()->entries();
        QCOMPARE(entries.at(0).id, u"trends"_s);
        QCOMPARE(entries.at(1).id, u"recovery"_s);
        QSet<std::pair<QString, QString>> each; // what there is changes with the page, but nothing stands twice
        for (const models::PaletteEntry &entry : entries) {
            each.insert({ entry.id, entry.title });
        }
        QCOMPARE(each.size(), entries.size());
        models::PaletteModel model;
        model.setEntries(entries);
        QCOMPARE(model.index(0, 0).data(models::HeadingRole).toString(), u"Recent"_s);
        QVERIFY(!model.index(1, 0).data(models::HeadingRole).isValid());
        QCOMPARE(model.index(2, 0).data(models::HeadingRole).toString(), u"Go to"_s);
        model.setTyped(u"recov"_s); // the best fit first: no groups
        QVERIFY(!model.index(0, 0).data(models::HeadingRole).isValid());
    }

    void thePaletteIsLedByTheKeyboardAlone()
    {
        connectReader();
        openPalette();
        QCOMPARE(test::nameless(dialog()).join(u'\n'), QString());
        QVERIFY(list()->model()->rowCount() > 20);
        QCOMPARE(list()->currentIndex().row(), 0);
        QTest::keyClick(typed(), Qt::Key_Up); // comes in at the other end
        QCOMPARE(list()->currentIndex().row(), list()->model()->rowCount() - 1);
        QTest::keyClick(typed(), Qt::Key_Down);
        QTest::keyClick(typed(), Qt::Key_Down);
        QCOMPARE(list()->currentIndex().row(), 1);
        QCOMPARE(typed()->accessibleDescription(), list()->currentIndex().data(Qt::AccessibleTextRole).toString());
        QTest::keyClicks(typed(), u"qqzzqq"_s);
        auto *note = m_fixture->find<QLabel>(u"paletteNote"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(
            note->text().startsWith(u"Nothing fits “qqzzqq”."_s), qPrintable(note->text()), 20'000);
        QTest::keyClick(typed(), Qt::Key_Return); // there is nothing to take
        QVERIFY(dialog() != nullptr);
        QTest::keyClick(typed(), Qt::Key_Escape);
        QTRY_VERIFY(dialog() == nullptr);
        // What cannot be done now is not offered.
        for (const models::PaletteEntry &entry : m_fixture->window->palette()->entries()) {
            QVERIFY(entry.id != u"forward"_s);
        }
    }

    void everyCommandIsListedWithItsKeysAndNoTwoShareThem()
    {
        QStringList seen;
        for (const ui::Command &command : commands()->all()) {
            for (const QKeySequence &keys : command.action->shortcuts()) {
                QVERIFY2(!seen.contains(keys.toString()), qPrintable(keys.toString()));
                seen += keys.toString();
            }
        }
        ui::ShortcutsDialog dialog(commands());
        const auto *table = test::named<QTableWidget>(&dialog, u"shortcutsTable");
        QStringList listed;
        for (int row = 0; row < table->rowCount(); ++row) {
            listed += table->item(row, 1)->text() + u'|' + table->item(row, 2)->text();
        }
        for (const QAction *action : m_fixture->window->menuBar()->findChildren<QAction *>()) {
            if (action->menu() == nullptr && !action->isSeparator()) {
                const QString line = ui::CommandList::nameOf(action) + u'|'
                    + QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)
                          .replace(u"; "_s, u", "_s);
                QVERIFY2(listed.contains(line), qPrintable(line));
            }
        }
        dialog.open();
        QCOMPARE(test::nameless(&dialog).join(u'\n'), QString());
    }

    void keysAreChangedAndRefusedInWords()
    {
        auto *shown = new ui::ShortcutsDialog(commands(), m_fixture->window.get());
        shown->open();
        auto *table = test::named<QTableWidget>(shown, u"shortcutsTable");
        auto *keys = test::named<QLineEdit>(shown, u"shortcutsKeys");
        const auto *why = test::named<QLabel>(shown, u"shortcutsWhy");
        test::named<QLineEdit>(shown, u"shortcutsSearch")->setText(u"jump"_s);
        QCOMPARE(table->item(table->currentRow(), 1)->text(), u"Jump…"_s);
        QTest::keyClick(keys, Qt::Key_K, Qt::ControlModifier);
        QCOMPARE(why->text(), u"Ctrl+K is the key of “Command palette…” already."_s);
        QTest::keyClick(keys, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(why->text(), u"Ctrl+C is needed in fields and lists."_s);
        QTest::keyClick(keys, Qt::Key_J);
        QCOMPARE(why->text(), u"J alone is for typing. Add Ctrl or Alt."_s);
        QCOMPARE(table->item(table->currentRow(), 2)->text(), u"Ctrl+J"_s);
        QTest::keyClick(keys, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(table->item(table->currentRow(), 2)->text(), u"Ctrl+Shift+J"_s);
        shown->reject();
        // Another window has them, too; so has one after a new start.
        m_fixture->open();
        const QAction *jump = commands()->find(u"keys.jump"_s)->action;
        QCOMPARE(jump->shortcuts(), QList<QKeySequence> { Qt::CTRL | Qt::SHIFT | Qt::Key_J });
        QVERIFY(commands()->setKeys(u"keys.export"_s, Qt::CTRL | Qt::Key_J)); // free now
        commands()->reset(u"keys.jump"_s); // whose usual key is another's by choice
        QVERIFY(jump->shortcuts().isEmpty());
        commands()->resetAll();
        QCOMPARE(jump->shortcuts(), QList<QKeySequence> { Qt::CTRL | Qt::Key_J });
    }

    void backAndForwardGoThroughPagesTablesFiltersAndKeys()
    {
        openKeys();
        m_fixture->window->keysPage()->setFilterText(u"state:failed_final"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 13, 20'000);
        // The next filter is set in the moment in which the row is read: it is where one was all the same.
        QString key;
        const auto reading = connect(
            m_fixture->window->detail(), &models::KeyDetailController::changed, m_fixture->window.get(), [this, &key] {
                if (key.isEmpty()
                    && m_fixture->window->detail()->status() == models::KeyDetailController::Status::Ready) {
                    key = m_fixture->find<QLabel>(u"detailKey"_s)->text();
                    m_fixture->window->keysPage()->setFilterText(u"state:stale"_s);
                }
            });
        m_fixture->window->keysPage()->selectRow(3);
        QTRY_VERIFY_WITH_TIMEOUT(!key.isEmpty(), 20'000);
        disconnect(reading);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 7, 20'000);
        m_fixture->window->showPage(u"health"_s);
        QTRY_VERIFY(m_fixture->window->navigator()->canBack());
        press(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_fixture->window->currentPage(), u"keys"_s);
        QCOMPARE(m_fixture->window->browser()->filterText(), u"state:stale"_s);
        press(Qt::Key_Left, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 13, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->find<QLabel>(u"detailKey"_s)->text(), key, 20'000);
        QTRY_COMPARE(m_fixture->table()->currentIndex().row(), 3);
        press(Qt::Key_Right, Qt::AltModifier);
        QTRY_COMPARE(m_fixture->window->browser()->filterText(), u"state:stale"_s);
        press(Qt::Key_Right, Qt::AltModifier);
        QTRY_COMPARE(m_fixture->window->currentPage(), u"health"_s);
        QTRY_VERIFY(!m_fixture->window->navigator()->canForward());
    }

    void filtersAreUndoneAndRedone()
    {
        openKeys();
        auto *field = m_fixture->find<QLineEdit>(u"filterText"_s);
        m_fixture->find<QToolButton>(u"chip_Failed"_s)->click();
        QTRY_VERIFY(m_fixture->window->navigator()->canUndoFilter());
        m_fixture->find<QToolButton>(u"chip_Stuck"_s)->click();
        const QString both = field->text();
        QTRY_VERIFY(commands()->find(u"filter.undo"_s)->action->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm(), 20'000);
        m_fixture->table()->setFocus();
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field->text(), u"state:failed_final,failed_retryable"_s);
        field->setFocus(); // there is nothing typed to undo: the keys mean the filter here, too
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field->text(), QString());
        QTRY_VERIFY(!m_fixture->window->navigator()->canUndoFilter());
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(field->text(), both);
        // Typing is one step, and the field undoes it itself.
        field->selectAll();
        QTest::keyClicks(field, u"attempts>=3"_s);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(field->isUndoAvailable());
    }

    void textsGrowAndTheSizeIsRemembered()
    {
        const auto *title = m_fixture->find<QLabel>(u"emptyStateTitle"_s);
        const auto *tile = m_fixture->find<QLabel>(u"statusClock"_s);
        const qreal before = title->font().pointSizeF();
        const qreal small = tile->font().pointSizeF();
        press(Qt::Key_Plus, Qt::ControlModifier);
        press(Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(m_fixture->settings.textZoom(), 120);
        QTRY_VERIFY(qAbs(title->font().pointSizeF() - 1.2 * before) < 0.05);
        QTRY_VERIFY2(qAbs(tile->font().pointSizeF() - 1.2 * small) < 0.05, qPrintable(tile->font().toString()));
        m_fixture->open();
        QTRY_VERIFY(qAbs(m_fixture->find<QLabel>(u"emptyStateTitle"_s)->font().pointSizeF() - 1.2 * before) < 0.05);
        press(Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(m_fixture->settings.textZoom(), 100);
        QTRY_VERIFY(qAbs(m_fixture->find<QLabel>(u"statusClock"_s)->font().pointSizeF() - small) < 0.05);
        m_fixture->settings.setTextZoom(100'000);
        QCOMPARE(m_fixture->settings.textZoom(), models::Settings::kMostZoom);
    }

    void theWindowFitsASmallScreenAlsoWithLargeTexts()
    {
        for (const int zoom : { 100, 140 }) {
            m_fixture->settings.setTextZoom(zoom);
            m_fixture->window->resize(1024, 700);
            QTRY_COMPARE(m_fixture->window->size(), QSize(1024, 700));
        }
        // Rows are as high as they are meant to be, and grow with their texts.
        const QHeaderView *rows = m_fixture->table()->verticalHeader();
        QVERIFY(rows->defaultSectionSize() > ui::kRowHeight);
        m_fixture->settings.setTextZoom(100);
        QCOMPARE(rows->defaultSectionSize(), ui::kRowHeight);
    }

    void aNewStartShowsWhatWasLookedAtLast()
    {
        openKeys();
        m_fixture->window->keysPage()->setFilterText(u"state:stale"_s);
        m_fixture->window->browser()->setOrder(u"-attempts"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm(), 20'000);
        const QString order = m_fixture->window->browser()->order();
        const QString connection = m_fixture->connection.title();
        QTRY_COMPARE(m_fixture->settings.lastPlace(connection).filter, u"state:stale"_s);
        m_fixture->connection.disconnectNow();
        m_fixture->open();
        QCOMPARE(m_fixture->window->currentPage(), u"incident"_s);
        connectReader();
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->window->currentPage(), u"keys"_s, 20'000);
        QCOMPARE(m_fixture->window->browser()->target().profile.name, u"plpgsql-request"_s);
        QCOMPARE(m_fixture->window->browser()->filterText(), u"state:stale"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->window->browser()->order(), order, 20'000);
        // Another connection has its own; it begins at the first page.
        QCOMPARE(m_fixture->settings.lastPlace(u"elsewhere"_s), models::SavedPlace());
    }

    void oneControlRefreshesEveryPage()
    {
        connectReader();
        auto *control = m_fixture->find<QToolButton>(u"autoRefresh"_s);
        QVERIFY(control->isVisible());
        auto *timer = m_fixture->find<ui::PageRefresher>({})->findChild<QTimer *>();
        QVERIFY(!timer->isActive());
        QCOMPARE(control->text(), u"Auto-refresh: Off"_s);
        for (QAction *action : control->menu()->actions()) {
            if (action->data().toInt() == 5) {
                action->trigger();
            }
        }
        QCOMPARE(control->text(), u"Auto-refresh: 5 s"_s);
        QCOMPARE(m_fixture->settings.autoRefresh(), 5);
        QCOMPARE(m_fixture->window->browser()->autoRefresh(), 5);
        QCOMPARE(timer->interval(), ui::PageRefresher::kLeastSeconds * 1'000);
        m_fixture->window->showPage(u"trends"_s);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_fixture->window->trends()->answer().has_value() && !m_fixture->window->trends()->busy(), 20'000);
        QSignalSpy read(m_fixture->window->trends(), &models::TrendController::changed);
        timer->setInterval(1);
        QTRY_VERIFY_WITH_TIMEOUT(read.size() > 0, 20'000);
        openPalette(); // a dialog is read; nothing changes behind it
        QTRY_VERIFY_WITH_TIMEOUT(!m_fixture->window->trends()->busy(), 20'000);
        read.clear();
        QVERIFY(!QTest::qWaitFor([&read] { return !read.isEmpty(); }, 200));
        dialog()->reject();
    }

    void filesLetFallAreComparedOrReadAsLogs()
    {
        connectReader();
        const QTemporaryDir folder;
        const auto file = [&folder](const QString &name, const QByteArray &text) {
            QFile written(folder.filePath(name));
            return written.open(QIODevice::WriteOnly) && written.write(text) == text.size() ? written.fileName()
                                                                                            : QString();
        };
        const QString a = file(u"a.json"_s, R"({"total": 1})");
        const QString b = file(u"b.json"_s, R"({"total": 2})");
        drop({ a, b });
        QCOMPARE(m_fixture->window->currentPage(), u"conflicts"_s);
        models::CompareController *compare = m_fixture->window->workspace()->compare();
        QTRY_VERIFY_WITH_TIMEOUT(compare->comparison() != nullptr, 20'000);
        QCOMPARE(compare->name(1), u"b.json"_s);
        m_fixture->window->showPage(u"keys"_s);
        drop({ file(u"app.log"_s, "nothing of interest\n") });
        QCOMPARE(m_fixture->window->currentPage(), u"conflicts"_s);
        auto *notice = m_fixture->window->conflictsPage()->conflictsView()->findChild<QLabel *>(u"noticeWhat"_s);
        QTRY_VERIFY_WITH_TIMEOUT(notice != nullptr && notice->isVisible() && !notice->text().isEmpty(), 20'000);
        // Texts are no files; they stay where they come from.
        QMimeData text;
        text.setText(u"/etc/passwd"_s);
        QDragEnterEvent enter({ 10, 10 }, Qt::CopyAction, &text, Qt::LeftButton, {});
        enter.ignore();
        QCoreApplication::sendEvent(m_fixture->window.get(), &enter);
        QVERIFY(!enter.isAccepted());
    }

    void textsAreLegibleOnThePicturesOfEveryPage()
    {
        connectReader();
        QStringList faint;
        for (const models::Theme theme :
            { models::Theme::Light, models::Theme::Dark, models::Theme::ContrastLight, models::Theme::ContrastDark }) {
            m_fixture->settings.setTheme(theme);
            QTRY_COMPARE(m_fixture->find<QWidget>(u"statusLine"_s)->palette().color(QPalette::Window),
                ui::themeColor(ui::Token::Window));
            for (const ui::Page::Face &face : m_fixture->window->faces()) {
                m_fixture->window->showPage(face.id);
                const QImage picture = m_fixture->window->grab().toImage();
                for (const QWidget *widget : m_fixture->window->findChildren<QWidget *>()) {
                    const double ratio = legible(widget) ? contrastOn(picture, widget) : 21;
                    if (ratio < 4.5) { // WCAG 2.1, 1.4.3; what is disabled is free of it
                        faint += u"%1, %2, theme %3: %4"_s.arg(face.id, widget->objectName())
                                     .arg(int(theme))
                                     .arg(ratio, 0, 'f', 2);
                    }
                }
            }
        }
        m_fixture->settings.setTheme(models::Theme::Light);
        QVERIFY2(faint.isEmpty(), qPrintable(faint.join(u'\n')));
    }

    void aSecondConnectionHasAWindowOfItsOwn()
    {
        connectReader();
        app::Notifier notifier;
        app::WindowSet others(
            { nullptr, &m_fixture->saved, &m_fixture->secrets, &m_fixture->settings, u"15.0"_s, {}, {}, {}, {} },
            QString(), &notifier);
        others.follow(m_fixture->window.get());
        commands()->find(u"connection.window"_s)->action->trigger();
        QPointer<ui::MainWindow> second;
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            auto *window = qobject_cast<ui::MainWindow *>(widget);
            second = window != nullptr && window != m_fixture->window.get() ? window : second.data();
        }
        QVERIFY(second != nullptr && second->isVisible());
        QVERIFY(second->workspace()->connection() != &m_fixture->connection);
        QTRY_VERIFY(second->connectDialog() != nullptr); // it asks where to
        sql::ConnectionSettings to;
        to.conninfo = m_cluster->conninfoAs(u"reader"_s, u"template1"_s);
        second->workspace()->connection()->connectTo(to);
        QTRY_VERIFY_WITH_TIMEOUT(second->workspace()->connection()->targetsLoaded(), 20'000);
        QVERIFY(second->windowTitle() != m_fixture->window->windowTitle());
        QCOMPARE(m_fixture->connection.targets().size() > 0, true); // the first one stays as it was
        second->close();
        QTRY_VERIFY(second == nullptr);
        QCOMPARE(m_fixture->connection.state(), sql::LinkState::Connected);
    }

private:
    ui::CommandList *commands() const { return m_fixture->window->commands(); }
    QDialog *dialog() const { return m_fixture->window->findChild<ui::CommandPalette *>(); }
    QLineEdit *typed() const { return m_fixture->find<QLineEdit>(u"paletteTyped"_s); }
    QListView *list() const { return m_fixture->find<QListView>(u"paletteList"_s); }

    void connectReader()
    {
        m_fixture->connectAs(u"reader"_s, u"postgres"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->connection.targetsLoaded(), 20'000);
    }

    void openKeys()
    {
        connectReader();
        m_fixture->window->showPage(u"keys"_s);
        m_fixture->window->keysPage()->showTarget(u"plpgsql-request"_s, {});
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 60, 20'000);
    }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        m_fixture->window->activateWindow();
        QTRY_VERIFY(m_fixture->window->isActiveWindow());
        QWidget *focus = m_fixture->window->focusWidget();
        QTest::keyClick(focus != nullptr ? focus : m_fixture->window.get(), key, modifiers);
    }

    void openPalette()
    {
        QTRY_VERIFY(dialog() == nullptr);
        press(Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
    }

    /// It shows a text of its own on the ground around it.
    static bool legible(const QWidget *widget)
    {
        const auto *label = qobject_cast<const QLabel *>(widget);
        const auto *button = qobject_cast<const QAbstractButton *>(widget);
        const QString text = label != nullptr ? label->text() : button != nullptr ? button->text() : QString();
        const bool hidden = widget->visibleRegion().boundingRect() != widget->rect();
        const auto *tool = qobject_cast<const QToolButton *>(widget);
        const bool iconAlone = tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly;
        return !hidden && widget->isVisible() && widget->isEnabled() && !iconAlone && text.size() > 2;
    }

    /// Of the pixel that differs most from the most frequent one: the middle of a letter's stroke from its ground.
    double contrastOn(const QImage &picture, const QWidget *widget) const
    {
        const QRect area(widget->mapTo(m_fixture->window.get(), QPoint(0, 0)), widget->size());
        QHash<QRgb, int> counts;
        for (int y = area.top(); y <= area.bottom(); ++y) {
            for (int x = area.left(); x <= area.right(); ++x) {
                ++counts[picture.pixel(x, y)];
            }
        }
        const QRgb ground = std::max_element(counts.cbegin(), counts.cend()).key();
        double most = 1;
        for (auto each = counts.cbegin(); each != counts.cend(); ++each) {
            most = std::max(most, ui::contrast(QColor(each.key()), QColor(ground)));
        }
        return most;
    }

    /// Opens it, types and takes the first entry.
    void palette(const QString &text)
    {
        openPalette();
        QTest::keyClicks(typed(), text);
        QTest::keyClick(typed(), Qt::Key_Return);
        QTRY_VERIFY(dialog() == nullptr);
    }

    void drop(const QStringList &files)
    {
        QList<QUrl> urls;
        for (const QString &file : files) {
            QVERIFY(!file.isEmpty());
            urls += QUrl::fromLocalFile(file);
        }
        QMimeData dragged;
        dragged.setUrls(urls);
        QDragEnterEvent enter({ 200, 200 }, Qt::CopyAction | Qt::MoveAction, &dragged, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_fixture->window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent fall({ 200, 200 }, Qt::CopyAction | Qt::MoveAction, &dragged, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_fixture->window.get(), &fall);
        QCOMPARE(fall.dropAction(), Qt::CopyAction);
    }

    ui::Theme *m_theme = nullptr;
    std::unique_ptr<tests::TestCluster> m_cluster;
    std::unique_ptr<tests::WindowFixture> m_fixture;
};

QTEST_MAIN(WaysWindowTest)
#include "tst_ways_window.moc"
