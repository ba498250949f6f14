// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_controller.h"
#include "models/connection/connection_controller.h"
#include "models/health/health_controller.h"
#include "models/runbook/runbook_controller.h"
#include "models/workspace/workspace.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/health/health_page.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/pages/runbooks/runbook_list_delegate.h"
#include "ui/pages/runbooks/runbook_view.h"
#include "ui/pages/runbooks/runbooks_page.h"
#include "ui/widgets/target_chooser.h"

#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// Runbooks as a person goes through them: opened from the list, from a finding, and left by a step's button.
class RunbooksPageTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void cleanup() { m_window.reset(); }

    void answersAndLeadsOn();
    void whatFiresIsMarkedAndStandsFirst();
    void theResultLeadsOn();
    void tablesAsideAreOneLine();
    void findingLeadsToItsRunbook();
    void notConnectedSaysSo();
    void savesWhatIsShown();

private:
    models::RunbookController *books() const { return m_window->window->workspace()->runbooks(); }
    void open(const QString &name)
    {
        m_window->window->showPage(u"runbooks"_s);
        m_window->window->runbooksPage()->showRunbook(name, {});
        QTRY_VERIFY_WITH_TIMEOUT(
            !books()->busy() && books()->report() && QLatin1StringView(books()->report()->book->name) == name, 30'000);
    }
    QString line(const QString &objectName) const { return m_window->find<QLabel>(objectName)->text(); }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
};

void RunbooksPageTest::init()
{
    m_fixture->fresh([this] {
        m_fixture->root().run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, "
                              "adm; GRANT pg_monitor TO op"_s);
        registerTable(*m_fixture, R"({"title": "<b>Keys</b> of the tests"})");
        m_fixture->forgetBare();
    });
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
}

void RunbooksPageTest::answersAndLeadsOn()
{
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    open(u"stuck-keys"_s);
    QVERIFY2(line(u"runbookAnswer_stuck"_s).startsWith(u"Yes."_s), qPrintable(line(u"runbookAnswer_stuck"_s)));
    QVERIFY(line(u"runbookAnswer_stuck"_s).contains(u"<b>Keys</b>"_s)); // as text
    QCOMPARE(m_window->find<QLabel>(u"runbookAnswer_stuck"_s)->textFormat(), Qt::PlainText);
    QVERIFY(line(u"runbookAnswer_running"_s).startsWith(u"No."_s));
    // A finding warns: a cross would read as "no". Its button stands in the line of the question.
    const auto beside = [](const QWidget *widget) { return widget->parentWidget()->findChild<QLabel *>()->text(); };
    QCOMPARE(beside(m_window->find<QLabel>(u"runbookAnswer_stuck"_s)), u"▲"_s);
    QCOMPARE(beside(m_window->find<QLabel>(u"runbookAnswer_running"_s)), u"✓"_s);
    QVERIFY(beside(m_window->find<QPushButton>(u"runbookOpen_stuck"_s)).startsWith(u"1. "_s));
    QTest::mouseClick(m_window->find<QPushButton>(u"runbookOpen_stuck"_s), Qt::LeftButton);
    QCOMPARE(m_window->window->currentPage(), u"recovery"_s);
    QCOMPARE(m_window->find<ui::TargetChooser>(u"recoveryTarget"_s)->target(), u"k2"_s);

    // By the list, with the keyboard.
    m_window->window->showPage(u"runbooks"_s);
    auto *list = m_window->find<QListWidget>(u"runbooksList"_s);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Home);
    const auto chosen = [list] { return list->currentItem()->data(Qt::UserRole).toString(); };
    for (int row = 1; row < list->count() && chosen() != u"deadlock"; ++row) { // what fires stands before it
        QTest::keyClick(list, Qt::Key_Down);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!books()->busy() && books()->report(), 30'000);
    QCOMPARE(QByteArray(books()->report()->book->name), QByteArray("deadlock"));
    QVERIFY(line(u"runbookAnswer_waits"_s).startsWith(u"No, nobody waits."_s));
    // Once nothing is stuck any more, the same question is answered otherwise.
    m_fixture->root().run(u"UPDATE app.k SET status = 'succeeded' WHERE status = 'processing'"_s);
    open(u"stuck-keys"_s);
    QTRY_VERIFY_WITH_TIMEOUT(line(u"runbookAnswer_stuck"_s).startsWith(u"No key is stuck."_s), 30'000);
    QVERIFY(m_window->window->findChild<QPushButton *>(u"runbookOpen_stuck"_s) == nullptr
        || !m_window->window->findChild<QPushButton *>(u"runbookOpen_stuck"_s)->isVisible());
}

/// The list leads to what fires; the one that is open stays so, wherever it stands by then.
void RunbooksPageTest::whatFiresIsMarkedAndStandsFirst()
{
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    auto *alerts = m_window->window->workspace()->alerts();
    QTRY_VERIFY_WITH_TIMEOUT(alerts->judged(), 20'000);
    open(u"deadlock"_s);
    auto *list = m_window->find<QListWidget>(u"runbooksList"_s);
    models::AlertEntry entry;
    entry.target = u"k2"_s;
    entry.title = u"<b>Keys</b>"_s;
    entry.status.state = sql::AlertState::Firing;
    entry.status.rule.metric = u"expired"_s;
    entry.status.rule.title = u"Too many expired"_s;
    alerts->model()->setEntries({ entry });
    emit alerts->changed();
    QCOMPARE(list->item(0)->data(Qt::UserRole).toString(), u"growth"_s);
    const QModelIndex first = list->model()->index(0, 0);
    QCOMPARE(ui::RunbookListDelegate::markOf(first), u"▲ 1 alert(s)"_s); // not a bare number: answers have one, too
    list->item(0)->setData(ui::RunbookListDelegate::FiringRole, 0);
    list->item(0)->setData(ui::RunbookListDelegate::AnswersRole, 11);
    QCOMPARE(ui::RunbookListDelegate::markOf(first), u"▲ 11 answer(s)"_s);
    list->item(0)->setData(ui::RunbookListDelegate::AnswersRole, 0);
    QCOMPARE(ui::RunbookListDelegate::markOf(first), u"✓"_s);
    const QString read = list->item(0)->data(Qt::AccessibleTextRole).toString();
    QVERIFY2(read.contains(u"1 alert(s) firing"_s), qPrintable(read));
    QVERIFY2(list->item(0)->toolTip().contains(u"Too many expired: "_s), qPrintable(list->item(0)->toolTip()));
    QCOMPARE(list->currentItem()->data(Qt::UserRole).toString(), u"deadlock"_s);
    QCOMPARE(QByteArray(books()->book()->name), QByteArray("deadlock"));
    alerts->model()->setEntries({});
    emit alerts->changed();
    QCOMPARE(list->item(0)->data(Qt::UserRole).toString(), u"deadlock"_s);
    const auto marked = [list](const QString &name) {
        for (int row = 0; row < list->count(); ++row) {
            if (list->item(row)->data(Qt::UserRole).toString() == name) {
                return list->item(row)->data(Qt::AccessibleTextRole).toString();
            }
        }
        return QString();
    };
    QVERIFY2(marked(u"growth"_s).contains(u"Not read yet"_s), qPrintable(marked(u"growth"_s)));
    QCOMPARE(marked(u"deadlock"_s).contains(u"no answer needs a person"_s),
        books()->report()->count(models::RunbookAnswer::Trouble) == 0);
    // One that was read is marked by its answers, whether an alert fires or not; it keeps its place, and its mark when
    // another one is opened.
    QVERIFY(marked(u"stuck-keys"_s).contains(u"Not read yet"_s));
    open(u"stuck-keys"_s);
    QVERIFY2(marked(u"stuck-keys"_s).contains(u" answer(s) need a person"_s), qPrintable(marked(u"stuck-keys"_s)));
    QCOMPARE(list->item(0)->data(Qt::UserRole).toString(), u"deadlock"_s);
    open(u"deadlock"_s);
    QVERIFY(marked(u"stuck-keys"_s).contains(u" answer(s) need a person"_s));
}

/// What holds stands on top with the one way to act; what several tables end with is said once.
void RunbooksPageTest::theResultLeadsOn()
{
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    open(u"orphaned-keys"_s);
    QCOMPARE(line(u"runbookHeadline"_s), books()->report()->headline());
    auto *act = m_window->find<QPushButton>(u"runbookAct"_s);
    QVERIFY(act->isVisible());
    QTest::mouseClick(act, Qt::LeftButton);
    QCOMPARE(m_window->window->currentPage(), u"recovery"_s);

    using A = models::RunbookAnswer;
    models::RunbookReport report;
    report.book = models::runbook(u"purge-wrong"_s);
    const models::RunbookStep &step = report.book->steps.front();
    const auto seen = [](const QString &title) {
        return models::RunbookSighting { .target = title,
            .title = title,
            .answer = A::Trouble,
            .seen = title + u" goes early. Later is better."_s,
            .why = u"Later is better."_s };
    };
    report.steps = { { &step, A::Trouble, { seen(u"one"_s), seen(u"two"_s) } } };
    ui::RunbookView view(nullptr);
    view.setReport(*report.book, &report);
    const QString id = u"runbookSeen_"_s + QString::fromLatin1(step.id);
    QCOMPARE(view.findChild<QLabel *>(id + u"_0"_s)->text(), u"one goes early. Later is better."_s);
    QCOMPARE(view.findChild<QLabel *>(id + u"_1"_s)->text(), u"two goes early."_s);
}

void RunbooksPageTest::tablesAsideAreOneLine()
{
    using A = models::RunbookAnswer;
    const auto seen = [](const QString &title, A answer) {
        return models::RunbookSighting { .target = title, .title = title, .answer = answer, .seen = u"It is so."_s };
    };
    models::RunbookReport report;
    report.book = models::runbook(u"purge-wrong"_s);
    const models::RunbookStep &step = report.book->steps.front();
    report.steps = { { &step, A::Trouble,
        { seen(u"one"_s, A::Trouble), seen(u"two"_s, A::Nothing), seen(u"three"_s, A::Nothing) } } };
    ui::RunbookView view(nullptr);
    view.setReport(*report.book, &report);
    const QString id = QString::fromLatin1(step.id);
    const auto *one = view.findChild<QLabel *>(u"runbookSeen_"_s + id + u"_0"_s);
    QCOMPARE(one->text(), u"It is so."_s); // beneath its table, and read aloud with it
    QCOMPARE(one->accessibleName(), u"Needs a person: one: It is so."_s);
    QVERIFY(view.findChild<QLabel *>(u"runbookSeen_"_s + id + u"_1"_s) == nullptr);
    const auto *aside = view.findChild<QLabel *>(u"runbookAside_"_s + id);
    QVERIFY(aside != nullptr);
    QCOMPARE(aside->text(), u"2 table(s): does not apply"_s);
    QVERIFY2(
        aside->toolTip().contains(u"two"_s) && aside->toolTip().contains(u"three"_s), qPrintable(aside->toolTip()));
}

void RunbooksPageTest::findingLeadsToItsRunbook()
{
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    m_window->window->showPage(u"health"_s);
    models::HealthController *health = m_window->window->health();
    QTRY_VERIFY_WITH_TIMEOUT(health->read() && !health->busy(), 60'000);
    // The table stores no fingerprint.
    auto *button = m_window->find<QPushButton>(u"healthRunbook"_s);
    auto *table = m_window->find<QTableView>(u"healthTable"_s);
    int row = 0;
    for (; row < table->model()->rowCount(); ++row) {
        table->setCurrentIndex(table->model()->index(row, models::HealthModel::Question));
        if (line(u"healthQuestion"_s) == u"No request fingerprint is stored") {
            break;
        }
    }
    QVERIFY(row < table->model()->rowCount());
    QVERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(m_window->window->currentPage(), u"runbooks"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!books()->busy() && books()->report(), 30'000);
    QCOMPARE(QByteArray(books()->report()->book->name), QByteArray("key-reuse"));
    QCOMPARE(m_window->find<ui::TargetChooser>(u"runbooksTarget"_s)->target(), u"k2"_s);
    QVERIFY(line(u"runbookAnswer_fingerprint"_s).startsWith(u"Yes:"_s));
}

void RunbooksPageTest::notConnectedSaysSo()
{
    m_window->window->showPage(u"runbooks"_s);
    QVERIFY(!m_window->find<QListWidget>(u"runbooksList"_s)->isVisible());
    QVERIFY(!m_window->find<QPushButton>(u"runbooksSave"_s)->isEnabled());
}

void RunbooksPageTest::savesWhatIsShown()
{
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    open(u"purge-wrong"_s);
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"purge.html"_s);
    QSignalSpy written(books(), &models::RunbookController::written);
    books()->write(path);
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 20'000);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(QString::fromUtf8(file.readAll()).contains(u"A purge went wrong"_s));
}

QTEST_MAIN(RunbooksPageTest)
#include "tst_runbooks_page.moc"
