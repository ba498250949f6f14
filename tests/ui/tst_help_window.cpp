// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_controller.h"
#include "models/complaint/complaint_controller.h"
#include "models/help/help_pages.h"
#include "models/triage/triage_controller.h"
#include "models/workspace/workspace.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/field_help.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/dialogs/log_fields_dialog.h"
#include "ui/dialogs/range_dialog.h"
#include "ui/dialogs/reason_dialog.h"
#include "ui/dialogs/signal_dialog.h"
#include "ui/pages/page.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/theme/theme.h"
#include "ui/window/rail.h"
#include "ui/window/tour.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

/// Whether a person enters something here; what belongs to another field, as the line of a spin box, is none by itself.
bool isField(const QWidget *widget)
{
    const QWidget *parent = widget->parentWidget();
    if (qobject_cast<const QComboBox *>(parent) != nullptr || qobject_cast<const QAbstractSpinBox *>(parent) != nullptr
        || widget->objectName().startsWith(u"qt_"_s)) {
        return false;
    }
    const auto *line = qobject_cast<const QLineEdit *>(widget);
    const auto *text = qobject_cast<const QPlainTextEdit *>(widget);
    return (line != nullptr && !line->isReadOnly()) || (text != nullptr && !text->isReadOnly())
        || qobject_cast<const QComboBox *>(widget) != nullptr
        || qobject_cast<const QAbstractSpinBox *>(widget) != nullptr
        || qobject_cast<const QCheckBox *>(widget) != nullptr || qobject_cast<const QRadioButton *>(widget) != nullptr;
}

/// The fields in it of which nothing is said.
QStringList unexplained(const QWidget *part, int *fields)
{
    QStringList found;
    const QList<QWidget *> widgets = part->findChildren<QWidget *>();
    for (const QWidget *widget : widgets) {
        if (isField(widget)) {
            ++*fields;
            if (ui::FieldHelp::textOf(widget).isEmpty()) {
                found += u"%1 “%2” in %3"_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                    widget->objectName(), widget->window()->objectName());
            }
        }
    }
    return found;
}

QDialog *dialogNamed(const QString &name)
{
    const QWidgetList windows = QApplication::topLevelWidgets();
    for (QWidget *window : windows) {
        if (window->isVisible() && window->objectName() == name) {
            return qobject_cast<QDialog *>(window);
        }
    }
    return nullptr;
}

/// What Qt shows beside a field; it has no name of its own.
QWidget *shownHelp()
{
    const QWidgetList windows = QApplication::topLevelWidgets();
    for (QWidget *window : windows) {
        if (window->isVisible() && window->inherits("QWhatsThat")) {
            return window;
        }
    }
    return nullptr;
}

} // namespace

/// Help where a person is: of the page, of the dialog, of the field; and a walk for who is here for the first time.
class HelpWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init() { open(); }
    void cleanup() { m_window.reset(); }

    void everyFieldSaysWhatItIsFor();
    void f1OpensThePageInFront();
    void f1InADialogOpensItsPage();
    void shiftF1ExplainsTheField();
    void theHelpIsSearchedByKeyboard();
    void linksAndBack();
    void theTourPointsAtWhatIsThere();
    void aClosedTourComesBackOnlyOnDemand();
    void theTourWaitsForTheConnection();
    void escapeEndsTheTourWhereverTheKeyboardIs();
    void theTourAsksBehindAVerdict();
    void theTourTurnsToATableWithKeysToFree();

private:
    void open();
    void connected();
    ui::MainWindow *window() const { return m_window->window.get(); }
    ui::HelpDialog *help() const { return window()->findChild<ui::HelpDialog *>(); }
    ui::Tour *tour() const { return window()->findChild<ui::Tour *>(u"tour"_s); }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
};

void HelpWindowTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
    m_fixture->fresh();
    const auto done = m_fixture->root().run(
        u"TRUNCATE app.k; INSERT INTO app.k (tenant, key, status, locked_until) SELECT 'acme', 'stuck-' || i, "
        "'processing', now() - interval '5 hours' FROM generate_series(1, 7) i;"
        "INSERT INTO app.eff VALUES ('e-1', 'acme', 'stuck-1');" // so that one may be freed: what it did is there
        "GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, "
        "idemdesk_runner_app_owner"_s);
    QVERIFY2(done.ok(), qPrintable(done.value()));
    registerTable(*m_fixture);
    m_fixture->forgetBare();
}

void HelpWindowTest::open()
{
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
    QVERIFY(QTest::qWaitForWindowActive(window()));
}

void HelpWindowTest::connected()
{
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targets().size() == 1, 20'000);
    window()->showPage(u"keys"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->model()->rowCount(), 7, 20'000);
}

void HelpWindowTest::everyFieldSaysWhatItIsFor()
{
    connected();
    int fields = 0;
    QStringList found;
    for (const ui::Page::Face &face : window()->faces()) {
        window()->showPage(face.id);
        found += unexplained(window()->page(), &fields);
    }
    QVERIFY2(fields > 45, qPrintable(QString::number(fields)));
    window()->showPage(u"keys"_s);
    window()->openConnect();
    window()->openAddTable();
    window()->openRegister(m_window->connection.targets().constFirst().target.profile.name);
    window()->openInstall();
    window()->openSampling();
    window()->keysPage()->openJump();
    ui::ActionQuestion question;
    question.target = u"k2"_s;
    question.environment = sql::Environment::Production;
    question.undoable = false;
    question.throttle = true;
    ui::ActionDialog action(question);
    const ui::ReasonDialog reason(
        { u"?"_s, u"Why"_s, u"Do"_s, true, u"k2"_s, sql::Environment::Production, {} }, nullptr);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const ui::RangeDialog range(now.addSecs(-60), now, {});
    const ui::SignalDialog signal(sql::BackendActivity(), sql::SignalVerb::Cancel, u"1 s"_s, u"No session"_s, u"x"_s,
        sql::Environment::Production);
    const ui::LogFieldsDialog logs(QStringList {});
    const int onPages = fields;
    for (const QDialog *dialog : std::initializer_list<const QDialog *> { &action, &reason, &range, &signal, &logs }) {
        found += unexplained(dialog, &fields);
    }
    for (const QString &name : { u"connectDialog"_s, u"addTableDialog"_s, u"registerDialog"_s, u"installWizard"_s,
             u"scheduleDialog"_s, u"jumpDialog"_s }) {
        const auto *dialog = window()->findChild<QDialog *>(name);
        QVERIFY2(dialog != nullptr, qPrintable(name));
        found += unexplained(dialog, &fields);
        QVERIFY2(models::dialogTopic(name) != u"start", qPrintable(name));
    }
    QVERIFY2(fields - onPages > 40, qPrintable(QString::number(fields - onPages)));
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

void HelpWindowTest::f1OpensThePageInFront()
{
    for (const ui::Page::Face &face : window()->faces()) {
        const QString id = face.id;
        QVERIFY2(models::helpTopic(id) != nullptr, qPrintable(id));
        if (!window()->offers(id)) {
            continue; // it cannot be brought to the front now
        }
        window()->showPage(id);
        window()->activateWindow();
        QTRY_VERIFY(window()->isActiveWindow());
        QTest::keyClick(window(), Qt::Key_F1);
        QTRY_VERIFY(help() != nullptr && help()->isVisible());
        QCOMPARE(help()->topic(), id);
        QVERIFY(help()->findChild<QTextBrowser *>(u"helpPage"_s)->toPlainText().contains(face.title));
    }
    QCOMPARE(window()->findChildren<ui::HelpDialog *>().size(), 1); // one, that follows
    QTest::keyClick(help(), Qt::Key_Escape);
    QTRY_VERIFY(help() == nullptr);
}

void HelpWindowTest::f1InADialogOpensItsPage()
{
    window()->openConnect();
    QTRY_VERIFY(dialogNamed(u"connectDialog"_s) != nullptr);
    QDialog *dialog = dialogNamed(u"connectDialog"_s);
    auto *host = dialog->findChild<QLineEdit *>(u"connectHost"_s);
    QTest::keyClick(host, Qt::Key_F1);
    QTRY_VERIFY(dialogNamed(u"helpDialog"_s) != nullptr);
    QCOMPARE(dialog->findChild<ui::HelpDialog *>()->topic(), u"tables"_s);
    // In the help itself it asks for nothing more.
    QTest::keyClick(dialogNamed(u"helpDialog"_s), Qt::Key_F1);
    QCOMPARE(dialog->findChildren<ui::HelpDialog *>().size(), 1);
    QVERIFY(dialog->isVisible());
}

void HelpWindowTest::shiftF1ExplainsTheField()
{
    window()->openConnect();
    QTRY_VERIFY(dialogNamed(u"connectDialog"_s) != nullptr);
    auto *host = dialogNamed(u"connectDialog"_s)->findChild<QLineEdit *>(u"connectHost"_s);
    QCOMPARE(host->whatsThis(), models::fieldHelp(u"connectHost"_s)); // for a screen reader, and for a click
    QTest::keyClick(host, Qt::Key_F1, Qt::ShiftModifier);
    QTRY_VERIFY(shownHelp() != nullptr);
    QTest::keyClick(shownHelp(), Qt::Key_Escape);
    QTRY_VERIFY(shownHelp() == nullptr);
    dialogNamed(u"connectDialog"_s)->reject();
    window()->showPage(u"complaints"_s);
    auto *amount = m_window->find<QLineEdit>(u"complaintAmount"_s);
    window()->activateWindow();
    amount->setFocus();
    QTRY_VERIFY(amount->hasFocus());
    QTest::keyClick(amount, Qt::Key_F1, Qt::ShiftModifier);
    QTRY_VERIFY(shownHelp() != nullptr);
    QTest::keyClick(shownHelp(), Qt::Key_Escape);
    QVERIFY(help() == nullptr);
    QTRY_VERIFY(shownHelp() == nullptr);
    QTest::keyClick(amount, Qt::Key_F1, Qt::ShiftModifier);
    QTRY_VERIFY(shownHelp() != nullptr);
    QTest::keyClick(shownHelp(), Qt::Key_F1); // more of it, as the note says
    QTRY_VERIFY(help() != nullptr && shownHelp() == nullptr);
    QCOMPARE(help()->topic(), u"complaints"_s);
}

void HelpWindowTest::theHelpIsSearchedByKeyboard()
{
    ui::HelpDialog *dialog = ui::HelpDialog::showTopic(window(), u"keys"_s);
    auto *search = dialog->findChild<QLineEdit *>(u"helpSearch"_s);
    auto *list = dialog->findChild<QListWidget *>(u"helpList"_s);
    auto *page = dialog->findChild<QTextBrowser *>(u"helpPage"_s);
    const auto *found = dialog->findChild<QLabel *>(u"helpFound"_s);
    const auto topics = [list] { // the groups' names stand between them, and cannot be chosen
        qsizetype count = 0;
        for (int row = 0; row < list->count(); ++row) {
            count += list->item(row)->flags() == Qt::NoItemFlags ? 0 : 1;
        }
        return count;
    };
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    QCOMPARE(topics(), models::helpTopics().size());
    QCOMPARE(list->count() - topics(), 3);
    QVERIFY(!found->isVisible());
    QCOMPARE(list->currentItem()->text(), u"Keys"_s);
    QTRY_VERIFY(list->hasFocus());
    QTest::keyClick(list, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(search->hasFocus());
    QTest::keyClicks(search, u"record_conflict"_s);
    QTRY_VERIFY(list->count() > 0 && list->item(0)->text() == u"record_conflict");
    // The first hit is shown while one types, and marked; of all that passed, one step back leads to what was read.
    QCOMPARE(list->currentRow(), 0);
    QVERIFY(search->hasFocus());
    QCOMPARE(dialog->topic(), u"services"_s);
    QVERIFY(!page->extraSelections().isEmpty());
    QCOMPARE(page->extraSelections().constFirst().cursor.selectedText(), u"record_conflict"_s);
    QVERIFY2(found->text().startsWith(QString::number(list->count())), qPrintable(found->text()));
    QTest::keyClick(search, Qt::Key_Down);
    QTRY_VERIFY(list->hasFocus());
    QCOMPARE(dialog->topic(), u"services"_s);
    QVERIFY(page->textCursor().block().text().startsWith(u"record_conflict"_s)); // scrolled to its heading
    dialog->findChild<QLineEdit *>(u"helpSearch"_s)->setText(u"xyzzy"_s);
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->flags(), Qt::NoItemFlags);
    QCOMPARE(dialog->topic(), u"services"_s); // what is read stays
    search->clear();
    QCOMPARE(topics(), models::helpTopics().size());
    QCOMPARE(list->currentItem()->text(), u"Guide for services"_s);
    QVERIFY(page->extraSelections().isEmpty());
    dialog->findChild<QPushButton *>(u"helpBack"_s)->click();
    QCOMPARE(dialog->topic(), u"keys"_s);
}

void HelpWindowTest::linksAndBack()
{
    ui::HelpDialog *dialog = ui::HelpDialog::showTopic(window(), u"start"_s);
    auto *page = dialog->findChild<QTextBrowser *>(u"helpPage"_s);
    auto *back = dialog->findChild<QPushButton *>(u"helpBack"_s);
    QVERIFY(!back->isEnabled());
    emit page->anchorClicked(QUrl(u"tables.md"_s));
    QCOMPARE(dialog->topic(), u"tables"_s);
    emit page->anchorClicked(QUrl(u"file:///etc/passwd"_s)); // opens nothing
    QCOMPARE(dialog->topic(), u"tables"_s);
    QVERIFY(back->isEnabled());
    back->click();
    QCOMPARE(dialog->topic(), u"start"_s);
    QVERIFY(!back->isEnabled());
    QVERIFY(!page->toPlainText().contains(u"**"_s));
}

void HelpWindowTest::theTourPointsAtWhatIsThere()
{
    connected();
    ui::Tour *walk = ui::Tour::begin(window(), &m_window->settings);
    QStringList targets;
    QStringList pages;
    for (int step = 0; step < ui::Tour::stepCount(); ++step) {
        QCOMPARE(walk->step(), step);
        auto *card = m_window->find<QWidget>(u"tourCard"_s);
        auto *ring = m_window->find<QWidget>(u"tourRing"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(walk->pointedAt() != nullptr, qPrintable(QString::number(step)), 20'000);
        QVERIFY(walk->pointedAt()->isVisible());
        QTRY_VERIFY2(window()->rect().contains(card->geometry()), qPrintable(QString::number(step)));
        const QRect target(walk->pointedAt()->mapTo(window(), QPoint()), walk->pointedAt()->size());
        QTRY_VERIFY(ring->isVisible() && ring->geometry().intersects(target));
        QTRY_VERIFY2(!card->geometry().intersects(ring->geometry()), qPrintable(QString::number(step)));
        QVERIFY(!m_window->find<QLabel>(u"tourText"_s)->text().isEmpty());
        // Of the list of pages the one that is told of stays clear; the others step back with the page.
        const QWidget *shade = m_window->find<QWidget>(u"tourShade"_s);
        const QImage picture = window()->grab().toImage();
        const qreal ratio = picture.devicePixelRatio();
        for (const ui::RailButton *button : window()->findChildren<ui::RailButton *>()) {
            const QRect place(button->mapTo(window(), QPoint()), button->size());
            if (!button->isVisible() || card->geometry().intersects(place) || ring->geometry().intersects(place)) {
                continue;
            }
            QVERIFY(shade->geometry().contains(place.center()));
            double darkest = 255;
            for (int x = place.left(); x < place.left() + 8 * ui::kGrid; ++x) { // its icon
                for (int y = place.top(); y < place.bottom(); ++y) {
                    darkest = std::min(darkest, double(qGray(picture.pixel(int(x * ratio), int(y * ratio)))));
                }
            }
            QCOMPARE(darkest < 100, button->isChecked());
        }
        targets += walk->pointedAt()->objectName();
        pages += window()->currentPage();
        if (step + 1 < ui::Tour::stepCount()) {
            QTRY_VERIFY(m_window->find<QPushButton>(u"tourNext"_s)->hasFocus());
            QTest::keyClick(m_window->find<QPushButton>(u"tourNext"_s), Qt::Key_Return);
        }
    }
    QCOMPARE(targets,
        QStringList({ u"tileRow"_s, u"filterBar"_s, u"detailPane"_s, u"recoveryTable"_s, u"complaintForm"_s,
            window()->menuBar()->objectName() }));
    QCOMPARE(walk->pointedAt(), window()->menuBar());
    QVERIFY(pages.contains(u"recovery"_s) && pages.contains(u"complaints"_s));
    // It follows a window that becomes small, and the card stays inside.
    window()->resize(1024, 700);
    QTRY_VERIFY(window()->rect().contains(m_window->find<QWidget>(u"tourCard"_s)->geometry()));
    m_window->find<QPushButton>(u"tourBack"_s)->click();
    QCOMPARE(walk->step(), ui::Tour::stepCount() - 2);
    walk->next();
    m_window->find<QPushButton>(u"tourNext"_s)->click();
    QTRY_VERIFY(window()->findChild<QWidget *>(u"tourCard"_s) == nullptr);
}

void HelpWindowTest::aClosedTourComesBackOnlyOnDemand()
{
    ui::Tour::begin(window(), &m_window->settings);
    QTest::keyClick(m_window->find<QPushButton>(u"tourNext"_s), Qt::Key_Escape);
    QTRY_VERIFY(tour() == nullptr);
    ui::Tour::offer(window(), &m_window->connection, &m_window->settings);
    connected();
    QVERIFY(tour() == nullptr);
    m_window->open(); // another start
    ui::Tour::offer(window(), &m_window->connection, &m_window->settings);
    connected();
    QVERIFY(tour() == nullptr);
    ui::Tour::begin(window(), &m_window->settings);
    QVERIFY(tour() != nullptr);
    ui::Tour::begin(window(), &m_window->settings); // asked for again: from the start, and one alone
    QTRY_COMPARE(window()->findChildren<QWidget *>(u"tourCard"_s).size(), 1);
}

void HelpWindowTest::theTourWaitsForTheConnection()
{
    ui::Tour::offer(window(), &m_window->connection, &m_window->settings);
    QVERIFY(tour() == nullptr);
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(tour() != nullptr, 20'000);
    QCOMPARE(tour()->step(), 0);
}

void HelpWindowTest::escapeEndsTheTourWhereverTheKeyboardIs()
{
    connected();
    ui::Tour::begin(window(), &m_window->settings);
    auto *rail = m_window->find<QAbstractButton>(u"rail_recovery"_s);
    rail->setFocus();
    QTest::keyClick(rail, Qt::Key_Escape);
    QTRY_VERIFY(tour() == nullptr);
    QTRY_VERIFY(window()->findChild<QWidget *>(u"tourCard"_s) == nullptr);
}

/// A verdict fills the page; the form that the step is about comes to the front, and nothing of the verdict is hidden.
void HelpWindowTest::theTourAsksBehindAVerdict()
{
    connected();
    window()->showPage(u"complaints"_s);
    auto *form = m_window->find<QWidget>(u"complaintForm"_s);
    m_window->find<QLineEdit>(u"complaintKey"_s)->setText(u"stuck-1"_s);
    QTest::keyClick(m_window->find<QLineEdit>(u"complaintKey"_s), Qt::Key_Return);
    auto *table = m_window->find<QTableView>(u"complaintTable"_s);
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 0 || !form->isVisible(), 20'000);
    if (form->isVisible()) {
        emit table->activated(table->model()->index(0, 0));
    }
    QTRY_VERIFY_WITH_TIMEOUT(!form->isVisible(), 20'000);
    const auto *file = window()->workspace()->complaint()->caseController();
    QTRY_VERIFY_WITH_TIMEOUT(file->file().has_value(), 20'000);
    ui::Tour *walk = ui::Tour::begin(window(), &m_window->settings);
    while (window()->currentPage() != u"complaints") {
        walk->next();
    }
    QTRY_COMPARE_WITH_TIMEOUT(walk->pointedAt(), form, 20'000);
    QVERIFY(form->isVisible());
    walk->next();
    window()->showPage(u"complaints"_s);
    QTRY_VERIFY(!form->isVisible()); // the verdict is in front again
}

/// Of the first table no key can be ticked; the step about ticking shows the one whose keys can.
void HelpWindowTest::theTourTurnsToATableWithKeysToFree()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"CREATE TABLE app.calm (LIKE app.k INCLUDING ALL); GRANT SELECT ON app.calm TO op, adm"_s);
    connected();
    sql::Profile calm = m_window->connection.targets().constFirst().target.profile;
    calm.name = u"calm"_s;
    calm.title = u"A calm table"_s;
    calm.relation = u"app.calm"_s;
    m_window->connection.addProfile(calm, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"calm"_s) != nullptr, 20'000);
    window()->showPage(u"recovery"_s);
    window()->recoveryPage()->showTarget(u"calm"_s);
    QTRY_VERIFY_WITH_TIMEOUT(window()->triage()->loaded() && !window()->triage()->busy(), 20'000);
    QCOMPARE(window()->triage()->model()->mayCount(), 0);
    ui::Tour *walk = ui::Tour::begin(window(), &m_window->settings);
    while (window()->currentPage() != u"recovery") {
        walk->next();
    }
    QTRY_COMPARE_WITH_TIMEOUT(window()->triage()->target().target.profile.name, u"k2"_s, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(window()->triage()->model()->mayCount() > 0, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(walk->pointedAt() != nullptr, 20'000);
    m_fixture->cluster().psql(m_fixture->database(), u"DROP TABLE app.calm"_s);
}

QTEST_MAIN(HelpWindowTest)
#include "tst_help_window.moc"
