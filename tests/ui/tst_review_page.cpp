// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/connection_controller.h"
#include "models/drill/drill_controller.h"
#include "models/review/review_controller.h"
#include "models/workspace/workspace.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/health/health_page.h"
#include "ui/widgets/badge_view.h"

#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using models::ReviewStand;

/// The review as a person goes through it: opened, a question answered by the keyboard, and saved.
class ReviewPageTest final : public QObject
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

    void aQuestionIsAnsweredByTheKeyboard();
    void whatIsRefusedIsSaid();
    void everyRowSaysWhetherItCanBeSigned();
    void withoutTheSchemaNothingCanBeSigned();
    void notConnectedSaysSo();
    void savesWhatIsShown();
    void aDrillIsShownAskedForAndRun();

private:
    models::ReviewController *review() const { return m_window->window->workspace()->review(); }
    void open()
    {
        m_window->window->showPage(u"health"_s);
        m_window->find<ui::HealthPage>(u"healthPage"_s)->showTab(u"review"_s);
    }
    void openAs(const QString &login)
    {
        m_window->connectAs(login, m_fixture->database());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
        open();
        QTRY_VERIFY_WITH_TIMEOUT(!review()->busy() && review()->report(), 30'000);
    }
    QString line(const QString &objectName) const { return m_window->find<QLabel>(objectName)->text(); }
    QDialog *dialog() const { return m_window->window->findChild<QDialog *>(u"signDialog"_s); }
    /// The row of a question; a heading has none.
    void select(const QString &question)
    {
        auto *table = m_window->find<QTableView>(u"reviewTable"_s);
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            if (table->model()->index(row, 0).data().toString() == question) {
                table->setCurrentIndex(table->model()->index(row, 0));
                return;
            }
        }
        qFatal("no such question");
    }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
};

void ReviewPageTest::init()
{
    m_fixture->fresh([this] {
        m_fixture->root().run(u"GRANT USAGE ON SCHEMA app TO op, adm, viewer; GRANT SELECT ON ALL TABLES IN SCHEMA app "
                              "TO op, adm, viewer"_s);
        registerTable(*m_fixture, R"({"title": "<b>Keys</b> of the tests"})");
        m_fixture->forgetBare();
    });
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
}

void ReviewPageTest::aQuestionIsAnsweredByTheKeyboard()
{
    openAs(u"op"_s);
    const auto *open = m_window->find<ui::BadgeView>(u"reviewStand_%1"_s.arg(int(models::ReviewStand::Open)));
    QVERIFY2(open->isVisible() && open->text().endsWith(u" open"_s), qPrintable(open->text()));
    QVERIFY(line(u"reviewSettled"_s).endsWith(u" settled"_s));
    const auto *progress = m_window->find<QProgressBar>(u"reviewProgress"_s);
    QCOMPARE(progress->value(), int(review()->report()->count(models::ReviewStand::Settled)));
    QCOMPARE(progress->maximum(),
        int(review()->report()->items.size() - review()->report()->count(models::ReviewStand::NotApplicable)));
    select(u"Is it settled who makes the key?"_s);
    QCOMPARE(line(u"reviewQuestion"_s), u"Is it settled who makes the key?"_s);
    QVERIFY(line(u"reviewFound"_s).contains(u"key_source"_s));
    auto *table = m_window->find<QTableView>(u"reviewTable"_s);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
    auto *verdict = dialog()->findChild<QComboBox *>(u"signVerdict"_s);
    auto *note = dialog()->findChild<QPlainTextEdit *>(u"signNote"_s);
    auto *go = dialog()->findChild<QPushButton *>(u"signGo"_s);
    QVERIFY(!go->isEnabled() && !go->isDefault()); // a note is missing
    QCOMPARE(dialog()->focusWidget(), static_cast<QWidget *>(verdict));
    QTest::keyClick(verdict, Qt::Key_Down);
    QTest::keyClick(verdict, Qt::Key_Down);
    QTest::keyClick(verdict, Qt::Key_Tab);
    QCOMPARE(dialog()->focusWidget(), static_cast<QWidget *>(note));
    QTest::keyClicks(note, u"two clients take a counter"_s);
    QVERIFY(go->isEnabled());
    QTest::keyClick(note, Qt::Key_Tab);
    QCOMPARE(dialog()->focusWidget(), static_cast<QWidget *>(go));
    QTest::keyClick(go, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(line(u"reviewSignature"_s).contains(u"signed by op"_s), 20'000);
    QCOMPARE(review()->report()->item(u"key_source"_s)->stand, ReviewStand::Gap);
    QCOMPARE(line(u"reviewQuestion"_s), u"Is it settled who makes the key?"_s); // it stays the one that is looked at
    QCOMPARE(
        m_fixture->root().value(u"SELECT who || ' ' || (facts ->> 'note') FROM idemdesk.audit WHERE what = 'review'"_s),
        u"op two clients take a counter"_s);
}

void ReviewPageTest::whatIsRefusedIsSaid()
{
    openAs(u"viewer"_s);
    select(u"Is it settled who makes the key?"_s);
    m_window->find<QPushButton>(u"reviewSign"_s)->click();
    QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
    QVERIFY(dialog()->findChild<QLabel *>(u"signTable"_s)->text().contains(u"<b>Keys</b>"_s)); // as text
    dialog()->findChild<QPlainTextEdit *>(u"signNote"_s)->setPlainText(u"because"_s);
    QVERIFY(!dialog()->findChild<QPushButton *>(u"signGo"_s)->isEnabled()); // no answer is chosen yet
    dialog()->findChild<QComboBox *>(u"signVerdict"_s)->setCurrentIndex(0);
    QSignalSpy failed(review(), &models::ReviewController::signFailed);
    dialog()->findChild<QPushButton *>(u"signGo"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 20'000);
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.audit WHERE what = 'review'"_s), u"0"_s);
    // What was typed is offered again.
    QTRY_VERIFY(dialog() == nullptr);
    m_window->find<QPushButton>(u"reviewSign"_s)->click();
    QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
    QCOMPARE(dialog()->findChild<QPlainTextEdit *>(u"signNote"_s)->toPlainText(), u"because"_s);
    dialog()->reject();
    bool said = false;
    for (const QLabel *label : m_window->find<ui::HealthPage>(u"healthPage"_s)->findChildren<QLabel *>()) {
        said = said || (label->isVisible() && label->text().contains(u"The answer was not signed."_s));
    }
    QVERIFY(said);
}

/// Whichever row is the current one, be it a heading, which has no question.
void ReviewPageTest::everyRowSaysWhetherItCanBeSigned()
{
    openAs(u"op"_s);
    auto *table = m_window->find<QTableView>(u"reviewTable"_s);
    QModelIndex cell;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const QModelIndex answer = table->model()->index(row, models::ReviewModel::Answer);
        cell = answer.data().toString() == u"–" ? answer : cell;
    }
    QVERIFY(cell.isValid());
    const auto painted = [table, cell] {
        table->scrollTo(cell);
        return table->viewport()->grab(table->visualRect(cell)).toImage();
    };
    table->setCurrentIndex(table->model()->index(1, 0));
    QVERIFY(cell.row() != 1 && m_window->find<QPushButton>(u"reviewSign"_s)->isEnabled());
    const QImage question = painted();
    table->setCurrentIndex(table->model()->index(0, 0));
    QVERIFY(!m_window->find<QPushButton>(u"reviewSign"_s)->isEnabled());
    QCOMPARE(painted(), question);
}

void ReviewPageTest::withoutTheSchemaNothingCanBeSigned()
{
    QVERIFY(m_fixture->root().run(u"DROP SCHEMA idemdesk CASCADE; DROP SCHEMA app CASCADE"_s).ok());
    m_fixture->cluster().psqlFile(m_fixture->database(), u"sql/demo/schema_001.sql"_s); // a shipped profile knows it
    QVERIFY(m_fixture->root()
                .run(u"GRANT USAGE ON SCHEMA app TO op; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op"_s)
                .ok());
    openAs(u"op"_s);
    QVERIFY(review()->report()->noAnswers);
    auto *sign = m_window->find<QPushButton>(u"reviewSign"_s);
    QVERIFY(sign->isVisible() && !sign->isEnabled() && sign->toolTip().contains(u"Install"_s));
    QVERIFY(m_window->find<QPushButton>(u"reviewSave"_s)->isEnabled()); // what the catalogue answers is there
    QTest::keyClick(m_window->find<QTableView>(u"reviewTable"_s), Qt::Key_Return);
    QVERIFY(dialog() == nullptr);
}

void ReviewPageTest::notConnectedSaysSo()
{
    open();
    QVERIFY(!m_window->find<QTableView>(u"reviewTable"_s)->isVisible());
    QVERIFY(!m_window->find<QPushButton>(u"reviewSave"_s)->isEnabled());
}

void ReviewPageTest::savesWhatIsShown()
{
    openAs(u"op"_s);
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"review.html"_s);
    QSignalSpy written(review(), &models::ReviewController::written);
    review()->write(path);
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 20'000);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString html = QString::fromUtf8(file.readAll());
    QVERIFY(
        html.contains(u"Review: &lt;b&gt;Keys&lt;/b&gt;"_s) && html.contains(u"Is it settled who makes the key?"_s));
}

void ReviewPageTest::aDrillIsShownAskedForAndRun()
{
    const QString database = m_fixture->database();
    QVERIFY(m_fixture->root()
                .run(u"GRANT INSERT, DELETE ON app.k TO op; COMMENT ON DATABASE %1 IS 'idemdesk: test'"_s.arg(database))
                .ok());
    registerTable(*m_fixture, R"json({"drill": {
        "perform": ["INSERT INTO app.k (tenant, key, status) VALUES ('drill', $key, 'succeeded') ON CONFLICT DO NOTHING"],
        "effects": "SELECT count(*) FROM app.k WHERE tenant = 'drill' AND key = $key",
        "cleanup": ["DELETE FROM app.k WHERE tenant = 'drill' AND key = $key"]}})json");
    m_window->connectAs(u"op"_s, database, sql::Environment::Test);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    m_window->window->showPage(u"health"_s);
    m_window->find<ui::HealthPage>(u"healthPage"_s)->showTab(u"drill"_s);
    QVERIFY(m_window->find<QPlainTextEdit>(u"drillStatement"_s)->toPlainText().contains(u"INSERT INTO app.k"_s));
    auto *tests = m_window->find<QTableView>(u"drillTests"_s);
    const auto told = [tests](const char *name, int column) {
        const auto all = models::drillTests();
        const auto test = std::find_if(all.begin(), all.end(),
            [name](const models::DrillTest &each) { return QLatin1StringView(each.name) == QLatin1StringView(name); });
        return tests->model()->index(int(test - all.begin()), column).data().toString();
    };
    QCOMPARE(tests->model()->rowCount(), int(models::drillTests().size()));
    QCOMPARE(told("at_once", 2), u"Not run"_s);
    QVERIFY(tests->isColumnHidden(3)); // what was seen
    auto *start = m_window->find<QPushButton>(u"drillStart"_s);
    QVERIFY2(start->isEnabled(), qPrintable(start->toolTip()));
    start->click();
    auto *box = m_window->window->findChild<QMessageBox *>(u"drillAsk"_s);
    QTRY_VERIFY(box != nullptr && box->isVisible());
    QVERIFY(box->defaultButton() != nullptr && box->defaultButton()->objectName() != u"drillAskGo"_s);
    box->findChild<QPushButton *>(u"drillAskGo"_s)->click();
    models::DrillController *drill = m_window->window->workspace()->drill();
    QTRY_VERIFY_WITH_TIMEOUT(!drill->busy() && drill->report(), 60'000);
    QVERIFY2(told("at_once", 2) != u"Not run", qPrintable(told("at_once", 2)));
    QVERIFY2(told("at_once", 3).contains(u"1 effect"_s), qPrintable(told("at_once", 3)));
    QVERIFY(!tests->isColumnHidden(3));
    QVERIFY2(line(u"drillSummary"_s).startsWith(u"Last run 2"_s) && line(u"drillSummary"_s).contains(u"failed"_s)
            && line(u"drillSummary"_s).contains(u"Writes to "_s),
        qPrintable(line(u"drillSummary"_s)));
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE tenant = 'drill'"_s), u"0"_s);
}

QTEST_MAIN(ReviewPageTest)
#include "tst_review_page.moc"
