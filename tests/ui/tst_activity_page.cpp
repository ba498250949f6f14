// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "models/activity/activity_model.h"
#include "models/keys/key_browser.h"
#include "sql/lanes/database.h"
#include "sql/types/health.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/delegates/state_delegate.h"
#include "ui/dialogs/signal_dialog.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTreeView>
#include <algorithm>
#include <poll.h>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// Has the server sent something to this connection?
bool answers(const Connection &connection)
{
    pollfd entry { connection.socket(), POLLIN, 0 };
    return ::poll(&entry, 1, 0) > 0;
}

/// The activity page as a person meets it: who waits for whom, and stopping one of them by keyboard, with a reason.
class ActivityPageTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;

    QTreeView *tree() const { return m_window->find<QTreeView>(u"activityTree"_s); }
    models::ActivityModel *model() const { return qobject_cast<models::ActivityModel *>(tree()->model()); }

    /// Of the page's or its pane's empty state, whichever is seen.
    QString shownTitle() const
    {
        const auto all = m_window->find<QWidget>(u"activityPage"_s)->findChildren<QLabel *>(u"emptyStateTitle"_s);
        const auto shown = std::find_if(all.cbegin(), all.cend(), [](const QLabel *one) { return one->isVisible(); });
        return shown != all.cend() ? (*shown)->text() : QString();
    }

    /// From here on this program has been in the database.
    void registerKeys()
    {
        QVERIFY(m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO op, adm, service; "
                         "GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA app TO service; "
                         "GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, viewer; "
                         "GRANT USAGE ON SCHEMA app TO viewer; GRANT pg_read_all_stats, pg_signal_backend TO op"_s)
                    .ok());
        registerTable(*m_fixture);
    }

    void open(const QString &login, sql::Environment environment = sql::Environment::Unmarked)
    {
        m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
        QVERIFY(QTest::qWaitForWindowActive(m_window->window.get()));
        m_window->connectAs(login, m_fixture->database(), environment);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->connection.targetsLoaded() && !m_window->connection.targets().isEmpty(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 20'000);
        m_window->window->showPage(u"activity"_s);
    }

    ui::SignalDialog *ask(int pid, const QString &button)
    {
        if (!QTest::qWaitFor([&] { return model()->indexOfPid(pid).isValid(); }, 20'000)) {
            return nullptr;
        }
        tree()->setCurrentIndex(model()->indexOfPid(pid));
        auto *push = m_window->find<QPushButton>(button);
        if (!QTest::qWaitFor([push] { return push->isEnabled(); }, 5'000)) {
            return nullptr;
        }
        push->setFocus();
        QTest::keyClick(push, Qt::Key_Space);
        return m_window->window->findChild<ui::SignalDialog *>();
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
        m_fixture->fresh([this] { registerKeys(); });
    }
    void cleanup() { m_window.reset(); }

    void endsTheSessionThatTheOthersWaitFor()
    {
        const auto holder = m_fixture->as(u"service"_s);
        const auto waiter = m_fixture->as(u"service"_s);
        QVERIFY(holder->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
        waiter->send(u"UPDATE app.k SET attempts = attempts WHERE key = 'k001'"_s);
        open(u"op"_s);
        QTRY_VERIFY_WITH_TIMEOUT(model()->indexOfPid(waiter->pid()).parent() == model()->indexOfPid(holder->pid())
                && model()->indexOfPid(holder->pid()).isValid(),
            20'000);
        QVERIFY(tree()->isExpanded(model()->indexOfPid(holder->pid())));
        QVERIFY(m_window->find<QLabel>(u"activityWaiting"_s)->text().startsWith(u"1 session"_s));
        const QModelIndex first = model()->indexOfPid(holder->pid());
        const QModelIndex second = model()->indexOfPid(waiter->pid());
        QCOMPARE(first.siblingAtColumn(models::ActivityModel::Blocks).data().toString(), u"1"_s);
        QCOMPARE(second.siblingAtColumn(models::ActivityModel::Blocks).data().toString(), QString());
        QCOMPARE(first.siblingAtColumn(models::ActivityModel::State).data(models::LevelRole).toInt(),
            int(sql::HealthLevel::Advice)); // idle in transaction
        QCOMPARE(second.siblingAtColumn(models::ActivityModel::Wait).data(models::LevelRole).toInt(),
            int(sql::HealthLevel::Problem)); // a lock
        // Who holds the others up is shown by itself; nothing is begun by that.
        QTRY_COMPARE(tree()->currentIndex().siblingAtColumn(0), first.siblingAtColumn(0));
        QVERIFY(m_window->window->findChild<ui::SignalDialog *>() == nullptr);
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.backend_signal"_s), u"0"_s);
        QCOMPARE(first.siblingAtColumn(models::ActivityModel::Standing).data().toString(), u"Blocks 1 session(s)"_s);
        QCOMPARE(second.siblingAtColumn(models::ActivityModel::Standing).data().toString(),
            u"Blocked by %1"_s.arg(holder->pid()));
        auto *statement = m_window->find<QPlainTextEdit>(u"activityStatement"_s);
        QVERIFY(statement->isVisible() && statement->toPlainText().contains(u"FOR UPDATE"_s));
        QCOMPARE(m_window->find<QLabel>(u"activitySession"_s)->text(), u"Session %1"_s.arg(holder->pid()));
        // Two rows need less room than what is read of one, but the list has two fifths of it.
        const auto *pane = m_window->find<QWidget>(u"activityPane"_s);
        QTRY_VERIFY(pane->height() > tree()->height());
        QTRY_VERIFY2(5 * tree()->height() >= 2 * (tree()->height() + pane->height()),
            qPrintable(u"%1 beside %2"_s.arg(tree()->height()).arg(pane->height())));
        // Whom it waits for is said in words, not by the server's name of it.
        const auto says = [](const QWidget *part, const QString &text) {
            const auto labels = part->findChildren<QLabel *>();
            return std::any_of(
                labels.cbegin(), labels.cend(), [&](const QLabel *label) { return label->text() == text; });
        };
        QVERIFY(says(pane, u"its client to send the next statement"_s));
        ui::SignalDialog *dialog = ask(holder->pid(), u"activityTerminate"_s);
        QVERIFY(dialog != nullptr);
        QVERIFY(says(dialog, u"Blocks"_s) && !says(dialog, u"Locks"_s));
        QVERIFY(statement->isVisible() && statement->toPlainText().contains(u"FOR UPDATE"_s));
        QCOMPARE(m_window->find<QLabel>(u"activitySession"_s)->text(), u"Session %1"_s.arg(holder->pid()));
        QVERIFY(m_window->find<QLabel>(u"activityLocks"_s)->text().contains(u"app.k"_s));
        auto *go = dialog->findChild<QPushButton *>(u"signalGo"_s);
        QVERIFY(!go->isEnabled() && dialog->findChild<QPushButton *>(u"signalLeave"_s)->isDefault());
        QTest::keyClicks(dialog->findChild<QLineEdit *>(u"signalReason"_s), u"holds a claim for hours"_s);
        QVERIFY(go->isEnabled());
        QTest::keyClick(go, Qt::Key_Space);
        // Nobody is in its way any more. Not by a blocking wait: the window's thread has its part in ending the
        // session.
        QTRY_VERIFY_WITH_TIMEOUT(answers(*waiter), 20'000);
        QVERIFY(waiter->take().ok());
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->root().value(
                u"SELECT string_agg(what, ' ' ORDER BY seq) FROM idemdesk.audit WHERE what LIKE 'signal%'"_s),
            u"signal signal_end"_s, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!model()->indexOfPid(holder->pid()).isValid(), 20'000);
    }

    void anEmptyListSaysWhatWasLookedAtAndWhen()
    {
        open(u"op"_s);
        QTRY_COMPARE_WITH_TIMEOUT(shownTitle(), u"No session waits for a lock"_s, 20'000);
        const auto texts = m_window->find<QWidget>(u"activityPage"_s)->findChildren<QLabel *>(u"emptyStateText"_s);
        const auto shown
            = std::find_if(texts.cbegin(), texts.cend(), [](const QLabel *one) { return one->isVisible(); });
        QVERIFY(shown != texts.cend());
        static const QRegularExpression told(
            u"^No session holds or awaits a lock on \\d+ table\\(s\\)\\.\nLooked at \\d\\d:\\d\\d:\\d\\d.*, and again "
            "every 2 seconds\\.$"_s);
        QVERIFY2(told.match((*shown)->text()).hasMatch(), qPrintable((*shown)->text()));
        QVERIFY(!m_window->find<QPushButton>(u"activityTerminate"_s)->isVisible());
        // One that ends while it is selected says so, and leaves no other one selected.
        const auto holder = m_fixture->as(u"service"_s);
        const auto stays = m_fixture->as(u"service"_s);
        QVERIFY(holder->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
        QVERIFY(stays->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k002' FOR UPDATE"_s).ok());
        QTRY_VERIFY_WITH_TIMEOUT(
            model()->indexOfPid(holder->pid()).isValid() && model()->indexOfPid(stays->pid()).isValid(), 20'000);
        tree()->setCurrentIndex(model()->indexOfPid(holder->pid()));
        QVERIFY(holder->run(u"COMMIT"_s).ok());
        QTRY_COMPARE_WITH_TIMEOUT(shownTitle(), u"Session %1 has left the list"_s.arg(holder->pid()), 20'000);
        QVERIFY(!tree()->currentIndex().isValid());
        QVERIFY(stays->run(u"COMMIT"_s).ok());
    }

    void noBadgeIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("usual") << QSize(1280, 800);
        QTest::newRow("small") << QSize(1024, 700);
        QTest::newRow("wide and low") << QSize(1180, 700);
    }
    void noBadgeIsCut()
    {
        QFETCH(QSize, size);
        const auto holder = m_fixture->as(u"service"_s);
        const auto waiter = m_fixture->as(u"service"_s);
        QVERIFY(holder->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
        waiter->send(u"UPDATE app.k SET attempts = attempts WHERE key = 'k001'"_s);
        open(u"op"_s);
        m_window->window->resize(size);
        QTRY_VERIFY_WITH_TIMEOUT(
            model()->indexOfPid(waiter->pid()).parent() == model()->indexOfPid(holder->pid()), 20'000);
        QTRY_COMPARE(tree()->horizontalScrollBar()->maximum(), 0);
        for (const int column : { models::ActivityModel::Standing, models::ActivityModel::State }) {
            for (const int pid : { holder->pid(), waiter->pid() }) {
                const QString text = model()->indexOfPid(pid).siblingAtColumn(column).data().toString();
                QTRY_VERIFY2(tree()->columnWidth(column) >= ui::badgeWidth({ text }, tree()->font()) + ui::kCellPadding,
                    qPrintable(text));
            }
        }
        QTRY_VERIFY(tree()->columnWidth(models::ActivityModel::Statement) >= 150);
        QVERIFY(holder->run(u"COMMIT"_s).ok());
        QTRY_VERIFY_WITH_TIMEOUT(answers(*waiter), 20'000);
        QVERIFY(waiter->take().ok());
    }

    void leavingItDoesNothing()
    {
        const auto holder = m_fixture->as(u"service"_s);
        QVERIFY(holder->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
        open(u"op"_s);
        ui::SignalDialog *dialog = ask(holder->pid(), u"activityTerminate"_s);
        QVERIFY(dialog != nullptr);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!m_window->find<QPushButton>(u"activityCancel"_s)->isEnabled()); // it runs no statement
        QVERIFY(holder->run(u"COMMIT"_s).ok());
        QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.backend_signal"_s), u"0"_s);
    }

    void productionAsksForThePid()
    {
        const auto holder = m_fixture->as(u"service"_s);
        QVERIFY(holder->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
        open(u"op"_s, sql::Environment::Production);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->mayBeAllowed(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(model()->indexOfPid(holder->pid()).isValid(), 20'000);
        tree()->setCurrentIndex(model()->indexOfPid(holder->pid()));
        QVERIFY(!m_window->find<QPushButton>(u"activityTerminate"_s)->isEnabled()); // nobody allowed it yet
        m_window->window->actions()->allow();
        ui::SignalDialog *dialog = ask(holder->pid(), u"activityTerminate"_s);
        QVERIFY(dialog != nullptr);
        QTest::keyClicks(dialog->findChild<QLineEdit *>(u"signalReason"_s), u"why"_s);
        auto *go = dialog->findChild<QPushButton *>(u"signalGo"_s);
        QVERIFY(!go->isEnabled());
        QTest::keyClicks(dialog->findChild<QLineEdit *>(u"signalTyped"_s), QString::number(holder->pid()));
        QVERIFY(go->isEnabled());
        dialog->reject();
        QVERIFY(holder->run(u"COMMIT"_s).ok());
    }

    /// Profiles that do not fit, lists that are given up and looks that are taken back are the console's, not the
    /// services'.
    void theConsolesOwnRollbacksAreNotCounted()
    {
        const auto counted = [this] {
            return m_fixture->root()
                .value(u"SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()"_s)
                .toLongLong();
        };
        m_fixture->fresh(); // the program looks from its first session on, and has had none here
        {
            const auto service = m_fixture->as(u"service"_s);
            for (int i = 0; i < 5; ++i) { // as an earlier run of the console would have left them
                QVERIFY(service->run(u"BEGIN; SELECT 1; ROLLBACK"_s).ok());
            }
        }
        QTRY_VERIFY_WITH_TIMEOUT(counted() >= 5, 20'000);
        registerKeys();
        open(u"op"_s);
        const auto line = [this] { return m_window->find<QLabel>(u"activityCounters"_s)->text(); };
        QTRY_VERIFY2_WITH_TIMEOUT(line().contains(u"Whole database, watched for "_s)
                && line().contains(u", 0 rollback(s) by other sessions"_s),
            qPrintable(line()), 20'000);
        {
            const auto service = m_fixture->as(u"service"_s);
            for (int i = 0; i < 3; ++i) {
                QVERIFY(service->run(u"BEGIN; SELECT 1; ROLLBACK"_s).ok());
            }
        }
        for (int i = 0; i < 40; ++i) { // as a person who types a filter
            m_window->window->keysPage()->showTarget(u"k2"_s, u"key:x%1"_s.arg(i));
            m_window->window->browser()->setFilterText(u"attempts>=%1 status:nonsense"_s.arg(i));
        }
        auto *database = m_window->connection.database();
        for (int i = 0; i < 20; ++i) {
            auto broken = database->run(sql::LaneKind::Background, { {}, 5'000, false }, [](sql::Session &session) {
                return session.run({ u"SELECT 1 / 0"_s, {} });
            });
            QTRY_VERIFY_WITH_TIMEOUT(broken.isFinished(), 10'000);
        }
        // A session may keep its numbers back for a minute (PGSTAT_MAX_INTERVAL); only then do all of them add up.
        constexpr int kReportedMs = 90'000;
        QTRY_VERIFY_WITH_TIMEOUT(counted() >= 20, kReportedMs);
        QTRY_VERIFY2_WITH_TIMEOUT(
            line().contains(u", 3 rollback(s) by other sessions"_s), qPrintable(line()), kReportedMs);
        // Counters that were set back are a new beginning, and the server says since when.
        QVERIFY(m_fixture->root().run(u"SELECT pg_stat_reset()"_s).ok());
        QTRY_VERIFY2_WITH_TIMEOUT(line().contains(u" since its counters were reset: 0 deadlock(s), 0 statement(s)"_s),
            qPrintable(line()), 20'000);
        QVERIFY2(line().contains(u": 0 rollback(s) by other sessions"_s), qPrintable(line()));
    }

    void aViewerIsToldWhyNot()
    {
        const auto holder = m_fixture->as(u"service"_s);
        QVERIFY(holder->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
        open(u"viewer"_s);
        QTRY_VERIFY_WITH_TIMEOUT(model()->indexOfPid(holder->pid()).isValid(), 20'000);
        tree()->setCurrentIndex(model()->indexOfPid(holder->pid()));
        auto *button = m_window->find<QPushButton>(u"activityTerminate"_s);
        QVERIFY(!button->isEnabled() && !button->toolTip().isEmpty());
        QVERIFY(holder->run(u"COMMIT"_s).ok());
    }
};

QTEST_MAIN(ActivityPageTest)
#include "tst_activity_page.moc"
