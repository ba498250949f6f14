// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/translation/translation.h"
#include "models/actions/action_center.h"
#include "models/alerts/alert_controller.h"
#include "models/audit/audit_controller.h"
#include "models/health/health_controller.h"
#include "models/mapping/mapping_controller.h"
#include "models/overview/overview_controller.h"
#include "models/triage/triage_controller.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/dialogs/add_table_dialog.h"
#include "ui/dialogs/signal_dialog.h"
#include "ui/pages/audit/audit_page.h"
#include "ui/pages/incident/incident_page.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/window/rail.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTabWidget>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// What somebody met who used the window for the first time: wrong words, lost words, and Enter that did something
/// else.
class NewcomerWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void cleanup() { m_window.reset(); }

    void theChosenTableStaysChosen();
    void enterOnAButtonIsThatButton();
    void enterInTheSignalDialogGoesOn();
    void aStatementThatWrapsIsShownWhole();
    void enterOnInstallInstalls();
    void disconnectsFromTheMenu();
    void theTrailGrowsWhileItIsOpen();
    void healthCountsWhatWasLookedAt();
    void eachStatementNamesWhoRunsIt();
    void whoMakesRolesIsNotSentForAGrant();
    void aFilterIsNotAllThereIs();
    void aChangedMappingFitsNoMore();
    void undoOnProductionAsksForTheName();
    void cancellingAsksFirst();
    void aProfileFileIsReadBeforeItsSqlRuns();
    void aProfileFileThatCannotBeUsedSaysWhy();

private:
    void connectAs(const QString &login, sql::Environment environment = sql::Environment::Unmarked);
    void recover(const QString &frozen);
    QDialog *openUndo();
    /// Chooses it in the file dialog.
    void openProfile(const QString &path);
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    template <typename Widget> Widget *in(QWidget *dialog, const QString &name)
    {
        return dialog->findChild<Widget *>(name);
    }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
    RegisteredTable m_table;
    QString m_action;
};

void NewcomerWindowTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    app::installTranslations();
    m_fixture = std::make_unique<ConsoleFixture>();
}

void NewcomerWindowTest::init()
{
    m_fixture->fresh([this] {
        m_fixture->cluster().psql(m_fixture->database(),
            u"GRANT USAGE ON SCHEMA app TO adm, viewer; GRANT SELECT ON app.k, app.eff TO adm, viewer, op, op2"_s);
        m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k')"_s);
        m_table = registerTable(*m_fixture);
    });
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
    QVERIFY(QTest::qWaitForWindowActive(m_window->window.get()));
}

void NewcomerWindowTest::connectAs(const QString &login, sql::Environment environment)
{
    m_window->connectAs(login, m_fixture->database(), environment);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 20'000);
}

/// Runs to its end, as another client would.
void NewcomerWindowTest::recover(const QString &frozen)
{
    const auto op2 = m_fixture->as(u"op2"_s);
    m_action = ConsoleFixture::newId();
    QCOMPARE(
        op2->run(
               u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'elsewhere', NULL, '{}', $2, $3::jsonb) ->> 'state'"_s,
               { m_action, m_table.registered.profileSha, frozen })
            .value(),
        u"running"_s);
    QVERIFY(m_fixture->counts(*op2, u"change_batch"_s, m_action, 1, 100).contains(u"done"_s));
}

QDialog *NewcomerWindowTest::openUndo()
{
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"actions"_s);
    auto *undo = m_window->find<QPushButton>(u"auditUndo"_s);
    if (!QTest::qWaitFor([undo] { return undo->isEnabled(); }, 20'000)) {
        return nullptr;
    }
    QTest::mouseClick(undo, Qt::LeftButton);
    if (!QTest::qWaitFor([this] { return m_window->window->findChild<QDialog *>(u"auditAsk"_s) != nullptr; }, 20'000)) {
        return nullptr;
    }
    return m_window->find<QDialog>(u"auditAsk"_s);
}

void NewcomerWindowTest::theChosenTableStaysChosen()
{
    m_fixture->cluster().psql(m_fixture->database(),
        u"CREATE TABLE app.later (LIKE app.k INCLUDING ALL); GRANT SELECT ON app.later TO op;"
        "INSERT INTO app.later (tenant, key, status, expires_at) SELECT 'other', 'x' || i, 'succeeded', now() FROM generate_series(1, 9) i"_s);
    connectAs(u"op"_s);
    const auto later = sql::profileFromJson(
        tableProfile(R"({"relation": "app.later", "name": "later", "title": "A", "effects": [], "actions": {}})"),
        u"test"_s);
    QVERIFY2(later.ok(), later.ok() ? "" : qPrintable(later.error().line()));
    m_window->connection.addProfile(*later, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"later"_s) != nullptr, 20'000);
    m_window->window->showPage(u"incident"_s);
    auto *tables = m_window->find<QTableView>(u"incidentTables"_s);
    auto *scopes = m_window->find<QTableView>(u"scopesTable"_s)->model();
    auto *title = m_window->find<QLabel>(u"scopesTitle"_s);
    QTRY_COMPARE_WITH_TIMEOUT(tables->model()->rowCount(), 2, 20'000);
    for (int round = 0; round < 2; ++round) {
        const int chosen = 1 - round;
        tables->setCurrentIndex(tables->model()->index(chosen, 0));
        if (round == 0) { // from then on the scopes go with the table
            QTest::keyClick(tables, Qt::Key_Return);
        }
        const QString name = tables->currentIndex().data(models::OverviewModel::TargetNameRole).toString();
        const QString tenant = name == u"later" ? u"other"_s : u"t1"_s; // the one with the most stuck keys
        const auto shown = [&] { return scopes->rowCount() > 0 ? scopes->index(0, 0).data().toString() : QString(); };
        QTRY_COMPARE_WITH_TIMEOUT(shown(), tenant, 20'000);
        QSignalSpy reset(tables->model(), &QAbstractItemModel::modelReset);
        m_window->connection.refreshTargets();
        QTRY_VERIFY_WITH_TIMEOUT(reset.size() >= 2 && m_window->window->incidentPage()->complete(), 20'000);
        QCOMPARE(tables->currentIndex().data(models::OverviewModel::TargetNameRole).toString(), name);
        QVERIFY2(title->text().contains(name == u"later" ? u"app.later"_s : u"app.k"_s), qPrintable(title->text()));
        QTRY_COMPARE_WITH_TIMEOUT(shown(), tenant, 20'000);
        for (const QLabel *label : m_window->find<QWidget>(u"incidentPage"_s)->findChildren<QLabel *>()) {
            QVERIFY2(
                !label->isVisible() || !label->text().contains(u"no key in this table"_s), qPrintable(label->text()));
        }
    }
}

void NewcomerWindowTest::enterOnAButtonIsThatButton()
{
    recover(m_fixture->frozen(u"status = 'processing'"_s));
    connectAs(u"op"_s);
    QDialog *dialog = openUndo();
    QVERIFY(dialog != nullptr);
    auto *text = in<QLineEdit>(dialog, u"auditAskText"_s);
    auto *go = in<QPushButton>(dialog, u"auditAskGo"_s);
    QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget *>(text));
    QTest::keyClick(text, Qt::Key_Return); // nothing is said yet, and nothing is lost
    QVERIFY(dialog->isVisible());
    QTest::keyClicks(text, u"the worker lives"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QVERIFY(dialog->isVisible());
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(go));
    QTest::keyClick(go, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), u"50"_s, 20'000);
    QCOMPARE(value(u"SELECT reason FROM idemdesk.action WHERE verb = 'undo'"_s), u"the worker lives"_s);

    // Registering: Enter in a list or a field loses nothing, on "Look again" it looks, and with nothing focused it
    // gives up.
    m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k2')"_s);
    m_window->connection.disconnectNow();
    connectAs(u"adm"_s);
    m_window->connection.addProfile(m_table.target.profile, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"k2"_s) != nullptr, 20'000);
    m_window->window->openRegister(u"k2"_s);
    auto *registering = m_window->find<QDialog>(u"registerDialog"_s);
    auto *findings = in<QTableView>(registering, u"registerFindings"_s);
    auto *registerGo = in<QPushButton>(registering, u"registerGo"_s);
    QTRY_VERIFY_WITH_TIMEOUT(registerGo->isEnabled(), 20'000);
    findings->setFocus();
    QTest::keyClick(findings, Qt::Key_Return);
    QVERIFY(registering->isVisible());
    registerGo->setFocus();
    QTest::keyClick(registerGo, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT count(*) FROM idemdesk.target WHERE name = 'k2'"_s), u"1"_s, 20'000);
}

void NewcomerWindowTest::enterInTheSignalDialogGoesOn()
{
    sql::BackendActivity backend;
    backend.pid = 4711;
    backend.user = u"service"_s;
    backend.query = u"SELECT 1"_s;
    ui::SignalDialog dialog(
        backend, sql::SignalVerb::Terminate, u"5 min"_s, u"No session"_s, u"here"_s, sql::Environment::Production);
    dialog.open();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto *reason = in<QLineEdit>(&dialog, u"signalReason"_s);
    auto *ticket = in<QLineEdit>(&dialog, u"signalTicket"_s);
    auto *typed = in<QLineEdit>(&dialog, u"signalTyped"_s);
    auto *go = in<QPushButton>(&dialog, u"signalGo"_s);
    auto *leave = in<QPushButton>(&dialog, u"signalLeave"_s);
    auto *statement = in<QPlainTextEdit>(&dialog, u"signalStatement"_s);
    QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget *>(reason));
    QTest::keyClicks(reason, u"holds a claim"_s);
    QTest::keyClick(reason, Qt::Key_Return);
    QVERIFY(dialog.isVisible());
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(ticket));
    QTest::keyClick(ticket, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(typed));
    QTest::keyClicks(typed, u"4711"_s);
    for (QWidget *next : std::initializer_list<QWidget *> { go, leave, statement, reason }) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), next);
    }
    statement->setFocus();
    QTest::keyClick(statement, Qt::Key_Return);
    QVERIFY(dialog.isVisible());
    go->setFocus();
    QTest::keyClick(go, Qt::Key_Return);
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
}

/// What is about to be ended must be readable: as one long line it takes several lines of its box.
void NewcomerWindowTest::aStatementThatWrapsIsShownWhole()
{
    sql::BackendActivity backend;
    backend.pid = 4711;
    backend.query = u"SELECT 1 FROM app.idempotency_request WHERE idempotency_scope = 'create_order' AND status = "
                    "'succeeded' FOR UPDATE"_s;
    ui::SignalDialog dialog(backend, sql::SignalVerb::Terminate, u"5 min"_s, u"No session"_s, u"here"_s, {});
    dialog.open();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto *statement = in<QPlainTextEdit>(&dialog, u"signalStatement"_s);
    QTRY_VERIFY(statement->viewport()->height() >= 2 * statement->fontMetrics().lineSpacing());
    QTRY_COMPARE(statement->verticalScrollBar()->maximum(), 0);
}

void NewcomerWindowTest::enterOnInstallInstalls()
{
    m_fixture->cluster().psql(u"postgres"_s, u"DROP DATABASE IF EXISTS newcomer"_s);
    m_fixture->cluster().psql(u"postgres"_s, u"CREATE DATABASE newcomer"_s);
    m_window->connectAs(m_fixture->superuser(), u"newcomer"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 20'000);
    m_window->window->openInstall();
    auto *wizard = m_window->find<QDialog>(u"installWizard"_s);
    auto *go = in<QPushButton>(wizard, u"installGo"_s);
    go->click();
    QTRY_VERIFY(in<QPushButton>(wizard, u"installCancel"_s)->isDefault());
    QVERIFY(QApplication::focusWidget() != go); // or a second Enter for Next would install
    go->setFocus();
    QTest::keyClick(go, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(
        m_fixture->cluster().psql(u"newcomer"_s, u"SELECT to_regnamespace('idemdesk') IS NOT NULL"_s), u"t"_s, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->consoleInstalled(), 20'000);
    QVERIFY(in<QLabel>(wizard, u"installAdvice"_s)->text().contains(u"Not to this login"_s));
    wizard->close();
    m_window->connection.disconnectNow();
    m_fixture->cluster().psql(u"postgres"_s, u"DROP DATABASE newcomer WITH (FORCE)"_s);
}

void NewcomerWindowTest::disconnectsFromTheMenu()
{
    auto *leave = m_window->find<QAction>(u"command_connection.leave"_s);
    QVERIFY(!leave->isEnabled()); // there is nothing to leave
    connectAs(u"op"_s);
    QVERIFY(leave->isEnabled());
    leave->trigger();
    QCOMPARE(m_window->connection.state(), sql::LinkState::Disconnected);
    QVERIFY(m_window->connection.database() == nullptr);
    QVERIFY(!leave->isEnabled());
}

void NewcomerWindowTest::theTrailGrowsWhileItIsOpen()
{
    recover(m_fixture->frozen(u"key = 'k001'"_s));
    connectAs(u"op"_s);
    m_window->window->showPage(u"audit"_s);
    m_window->window->auditPage()->showTab(u"trail"_s);
    auto *trail = m_window->find<QTableView>(u"auditTrail"_s);
    auto *actions = m_window->find<QTableView>(u"auditActions"_s);
    const auto rows = [this] { return value(u"SELECT count(*) FROM idemdesk.audit"_s).toInt(); };
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->audit()->loaded() && trail->model()->rowCount() == rows()
            && actions->model()->rowCount() == 1,
        20'000);
    const QString looked = m_action;
    recover(m_fixture->frozen(u"key = 'k002'"_s)); // somebody else acts
    QTRY_COMPARE_WITH_TIMEOUT(trail->model()->rowCount(), rows(), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(actions->model()->rowCount(), 2, 20'000);
    // What the person looked at is still what the buttons mean.
    QCOMPARE(actions->currentIndex().data(models::ActionIdRole).toString(), looked);
}

void NewcomerWindowTest::healthCountsWhatWasLookedAt()
{
    connectAs(u"op"_s);
    const auto *badge = m_window->find<ui::RailButton>(u"rail_health"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->alerts()->judged(), 20'000);
    const QString before = badge->count();
    m_window->window->showPage(u"health"_s);
    models::HealthController *health = m_window->window->health();
    QTRY_VERIFY_WITH_TIMEOUT(health->read() && !health->busy(), 20'000);
    const int found = health->model()->rowCount();
    QVERIFY(found > 0);
    const QString count = badge->count();
    QCOMPARE(count, before); // no number grows because somebody looked
    QSignalSpy told(&m_window->connection, &models::ConnectionController::targetsChanged);
    m_window->connection.refreshTargets();
    QTRY_VERIFY_WITH_TIMEOUT(told.size() >= 2, 20'000);
    QVERIFY(health->read());
    QCOMPARE(health->model()->rowCount(), found);
    QCOMPARE(badge->count(), count);
    // Another table comes: what was found stays, and it is said that not all was looked at.
    m_fixture->cluster().psql(
        m_fixture->database(), u"CREATE TABLE app.later (LIKE app.k INCLUDING ALL); GRANT SELECT ON app.later TO op"_s);
    const auto later = sql::profileFromJson(
        tableProfile(R"({"relation": "app.later", "name": "later", "effects": [], "actions": {}})"), u"test"_s);
    QVERIFY(later.ok());
    m_window->connection.addProfile(*later, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"later"_s) != nullptr, 20'000);
    QVERIFY(!health->read());
    QCOMPARE(health->model()->rowCount(), found);
    QCOMPARE(badge->count(), count);
}

/// The table's owner, who installed the console and the owner of the evidence are three people: each is told their own
/// part, at once.
void NewcomerWindowTest::eachStatementNamesWhoRunsIt()
{
    m_fixture->cluster().psql(u"postgres"_s,
        u"DROP ROLE IF EXISTS shop_owner; DROP ROLE IF EXISTS books_owner; CREATE ROLE shop_owner; CREATE ROLE books_owner"_s);
    m_fixture->cluster().psql(m_fixture->database(),
        u"GRANT idemdesk_operator TO adm; CREATE SCHEMA shop AUTHORIZATION shop_owner; CREATE SCHEMA books "
        u"AUTHORIZATION books_owner;"
        "CREATE TABLE shop.k (LIKE app.k INCLUDING ALL); ALTER TABLE shop.k OWNER TO shop_owner;"
        "CREATE TABLE books.eff (id text, tenant text, key text); ALTER TABLE books.eff OWNER TO books_owner;"
        "GRANT USAGE ON SCHEMA shop, books TO adm; GRANT SELECT ON shop.k, books.eff TO adm"_s);
    const auto profile = sql::profileFromJson(
        tableProfile(R"({"relation": "shop.k", "name": "shop", "effects": [{"type": "eff", "proves": true,
        "sql": "SELECT f.id AS id, NULL::timestamptz AS at, NULL::text AS state FROM books.eff f WHERE f.tenant = t.tenant AND f.key = t.key"}]})"),
        u"test"_s);
    QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().line()));
    connectAs(u"adm"_s);
    m_window->connection.addProfile(*profile, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"shop"_s) != nullptr, 20'000);
    m_window->window->openRegister(u"shop"_s);
    auto *dialog = m_window->find<QDialog>(u"registerDialog"_s);
    auto *grants = in<QPlainTextEdit>(dialog, u"registerGrants"_s);
    QTRY_VERIFY_WITH_TIMEOUT(grants->toPlainText().contains(u"make_runner"_s), 20'000);
    const QString told = grants->toPlainText();
    const QStringList parts = told.split(u"\n\n"_s);
    QVERIFY2(parts.size() == 3, qPrintable(told));
    QVERIFY2(parts.at(0).startsWith(u"-- A superuser, or who installed the console, runs:\n"_s)
            && parts.at(0).contains(u"make_runner('shop_owner')"_s),
        qPrintable(told));
    for (const auto &[role, thing] :
        { std::pair { u"shop_owner"_s, u"shop.k"_s }, std::pair { u"books_owner"_s, u"books.eff"_s } }) {
        const QString caption = u"-- The owner, %1, runs:\n"_s.arg(role);
        const auto part = std::find_if(
            parts.cbegin(), parts.cend(), [&caption](const QString &text) { return text.startsWith(caption); });
        QVERIFY2(part != parts.cend() && part->contains(thing), qPrintable(told));
    }
    // As those people, in that order; and one round is all.
    m_fixture->cluster().psql(m_fixture->database(), parts.at(0));
    for (const QString &part : parts.mid(1)) {
        const QString role = part.section(u"-- The owner, "_s, 1).section(u',', 0, 0);
        m_fixture->cluster().psql(m_fixture->database(), u"SET ROLE "_s + role + u";\n"_s + part);
    }
    for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
        if (button->text().contains(u"again"_s)) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    QTRY_VERIFY2_WITH_TIMEOUT(
        in<QPushButton>(dialog, u"registerGo"_s)->isEnabled(), qPrintable(grants->toPlainText()), 20'000);
    dialog->reject();
    m_window->connection.disconnectNow();
}

void NewcomerWindowTest::whoMakesRolesIsNotSentForAGrant()
{
    m_fixture->cluster().psql(u"postgres"_s, u"DROP ROLE IF EXISTS maker; CREATE ROLE maker LOGIN CREATEROLE"_s);
    for (const QString &grant :
        { QString(), u"GRANT idemdesk_viewer TO maker"_s, u"GRANT idemdesk_operator TO maker"_s }) {
        if (!grant.isEmpty()) {
            m_fixture->cluster().psql(m_fixture->database(), grant);
        }
        connectAs(u"maker"_s);
        const QString why = m_window->window->actions()->whyNot();
        QVERIFY2(!why.contains(u"GRANT"_s) && why.contains(u"may create roles"_s) && why.contains(u"another login"_s),
            qPrintable(why));
        m_window->connection.disconnectNow();
    }
    m_fixture->cluster().psql(u"postgres"_s, u"DROP ROLE maker"_s);
}

void NewcomerWindowTest::aFilterIsNotAllThereIs()
{
    connectAs(u"op"_s);
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showTarget(u"k2"_s, u"key:nowhere"_s);
    auto *title = m_window->find<QWidget>(u"recoveryPage"_s)->findChild<QLabel *>(u"emptyStateTitle"_s);
    auto *text = m_window->find<QWidget>(u"recoveryPage"_s)->findChild<QLabel *>(u"emptyStateText"_s);
    QTRY_COMPARE_WITH_TIMEOUT(title->text(), u"No stuck key matches the filter"_s, 20'000);
    QVERIFY2(!text->text().contains(u"Every key"_s), qPrintable(text->text()));
    QVERIFY(m_fixture->root().run(u"DELETE FROM app.k WHERE status = 'processing'"_s).ok());
    m_window->window->recoveryPage()->showTarget(u"k2"_s);
    QTRY_COMPARE_WITH_TIMEOUT(title->text(), u"Nothing is stuck"_s, 20'000);
}

void NewcomerWindowTest::aChangedMappingFitsNoMore()
{
    connectAs(u"op"_s);
    m_window->window->openAddTable();
    ui::AddTableDialog *dialog = m_window->window->addTableDialog();
    models::MappingController *mapping = m_window->window->mapping();
    QTRY_VERIFY_WITH_TIMEOUT(!mapping->busy(), 20'000);
    mapping->chooseRelation(u"app.k"_s);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->step() == ui::AddTableDialog::MapStep && !mapping->busy(), 20'000);
    const auto *found = in<QAbstractItemView>(dialog, u"mappingFindings"_s);
    QVERIFY(!found->isVisible()); // nothing was checked, so there is nothing to say
    mapping->confirmSql();
    QTRY_VERIFY_WITH_TIMEOUT(!mapping->busy(), 20'000);
    mapping->validate();
    QTRY_VERIFY_WITH_TIMEOUT(mapping->checked() && !mapping->busy(), 20'000);
    QVERIFY(found->isVisible());
    const auto *findings = found->model();
    const auto first = [findings] { return findings->index(0, 0).data().toString(); };
    QVERIFY2(!first().startsWith(u"Not checked"_s), qPrintable(first()));
    auto *lines = mapping->mapping();
    int status = -1;
    for (int row = 0; row < lines->rows().size(); ++row) {
        status = lines->rows().at(row).id == u"created_at" ? row : status;
    }
    QVERIFY(status >= 0);
    QVERIFY(lines->setData(lines->index(status, models::MappingModel::Sql), u"t.no_such_column"_s, Qt::EditRole));
    QVERIFY2(first().startsWith(u"Not checked"_s) && findings->rowCount() == 1, qPrintable(first()));
    QVERIFY(!found->isVisible());
    mapping->confirmSql();
    mapping->validate();
    QTRY_VERIFY_WITH_TIMEOUT(mapping->checked() && !mapping->busy(), 20'000);
    QStringList all;
    for (int row = 0; row < findings->rowCount(); ++row) {
        all += findings->index(row, 0).data().toString();
    }
    QVERIFY2(all.join(u'\n').contains(u"“%1”"_s.arg(lines->rows().at(status).title)), qPrintable(all.join(u'\n')));
    // What the check found red is not kept.
    in<QPushButton>(dialog, u"addTableGo"_s)->click(); // to the rules
    QTest::mouseClick(in<QPushButton>(dialog, u"addTableGo"_s), Qt::LeftButton);
    QCOMPARE(dialog->step(), ui::AddTableDialog::ConfirmStep);
    auto *read = in<QCheckBox>(dialog, u"confirmRead"_s);
    auto *save = in<QPushButton>(dialog, u"addTableGo"_s);
    read->setChecked(true);
    QTRY_VERIFY_WITH_TIMEOUT(mapping->checked() && !mapping->busy(), 20'000);
    QVERIFY(read->isChecked() && !save->isEnabled()
        && in<QLabel>(dialog, u"buttonReason"_s)->text().contains(u"problem"_s));
    QVERIFY(lines->setData(lines->index(status, models::MappingModel::Sql), u"t.updated_at"_s, Qt::EditRole));
    read->setChecked(true);
    QTRY_VERIFY_WITH_TIMEOUT(mapping->checked() && !mapping->busy() && save->isEnabled(), 20'000);
    dialog->reject();
}

void NewcomerWindowTest::undoOnProductionAsksForTheName()
{
    recover(m_fixture->frozen(u"status = 'processing'"_s));
    const QString first = m_action;
    // Somebody has put back a part of it, and was stopped.
    const auto op2 = m_fixture->as(u"op2"_s);
    const QString partly = ConsoleFixture::newId();
    QVERIFY(op2->run(u"SELECT idemdesk.open_undo($1, $2, 'partly', NULL)"_s, { partly, first }).ok());
    QVERIFY(m_fixture->counts(*op2, u"undo_batch"_s, partly, 1, 20).contains(u"20"_s));
    QVERIFY(op2->run(u"SELECT idemdesk.set_action($1, 'cancelled', 'enough')"_s, { partly }).ok());
    connectAs(u"op"_s, sql::Environment::Production);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->mayBeAllowed(), 20'000);
    m_window->window->actions()->allow();
    m_window->window->showPage(u"audit"_s);
    auto *actions = m_window->find<QTableView>(u"auditActions"_s);
    QTRY_COMPARE_WITH_TIMEOUT(actions->model()->rowCount(), 2, 20'000);
    for (int row = 0; row < 2; ++row) {
        if (actions->model()->index(row, 0).data(models::ActionIdRole).toString() == first) {
            actions->setCurrentIndex(actions->model()->index(row, 0));
        }
    }
    QDialog *dialog = openUndo();
    QVERIFY(dialog != nullptr);
    auto *go = in<QPushButton>(dialog, u"auditAskGo"_s);
    QVERIFY2(go->text().contains(u"30"_s), qPrintable(go->text())); // of 50, 20 are back
    auto *band = in<QLabel>(dialog, u"dialogEnvironment"_s);
    QVERIFY(band != nullptr && band->isVisible() && band->text().startsWith(u"PRODUCTION"_s));
    QTest::keyClicks(in<QLineEdit>(dialog, u"auditAskText"_s), u"the worker lives"_s);
    QVERIFY(!go->isEnabled());
    QTest::keyClicks(in<QLineEdit>(dialog, u"auditAskTyped"_s), u"k2"_s);
    QVERIFY(go->isEnabled());
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT count(*) FROM app.k WHERE status = 'processing'"_s), u"50"_s, 20'000);
}

void NewcomerWindowTest::cancellingAsksFirst()
{
    const auto op2 = m_fixture->as(u"op2"_s);
    m_action = ConsoleFixture::newId();
    QVERIFY(op2->run(u"SELECT idemdesk.open_action($1, 'k2', 'recover', 'left', NULL, '{}', $2, $3::jsonb)"_s,
                   { m_action, m_table.registered.profileSha, m_fixture->frozen(u"key LIKE 'k00%'"_s) })
                .ok());
    connectAs(u"op"_s);
    auto *cancel = m_window->find<QPushButton>(u"actionStripCancel"_s);
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible() && cancel->isEnabled(), 20'000);
    QCOMPARE(cancel->text(), u"Stop recovery"_s);
    QTest::mouseClick(cancel, Qt::LeftButton);
    auto *box = m_window->find<QMessageBox>(u"cancelActionBox"_s);
    QTest::keyClick(box, Qt::Key_Return); // leaving it is the default
    QTRY_VERIFY(m_window->window->findChild<QMessageBox *>(u"cancelActionBox"_s) == nullptr);
    QCOMPARE(value(u"SELECT state FROM idemdesk.action"_s), u"running"_s);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTest::mouseClick(m_window->find<QMessageBox>(u"cancelActionBox"_s)->findChild<QPushButton *>(u"cancelActionGo"_s),
        Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(value(u"SELECT state FROM idemdesk.action"_s), u"cancelled"_s, 20'000);
}

void NewcomerWindowTest::openProfile(const QString &path)
{
    m_window->window->openProfileFile();
    auto *choice = m_window->find<QFileDialog>(u"profileFileChoice"_s);
    emit choice->fileSelected(path);
    choice->close();
}

void NewcomerWindowTest::aProfileFileIsReadBeforeItsSqlRuns()
{
    m_fixture->cluster().psql(
        m_fixture->database(), u"CREATE TABLE app.later (LIKE app.k INCLUDING ALL); GRANT SELECT ON app.later TO op"_s);
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"later.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        tableProfile(R"({"relation": "app.later", "name": "later", "title": "A", "effects": [], "actions": {}})"));
    file.close();
    connectAs(u"op"_s);
    openProfile(file.fileName());
    auto *dialog = m_window->find<QDialog>(u"profileFileDialog"_s);
    auto *add = in<QPushButton>(dialog, u"profileFileAdd"_s);
    QVERIFY(!add->isEnabled());
    QVERIFY(in<QPlainTextEdit>(dialog, u"profileFileSql"_s)->toPlainText().contains(u"relation: app.later"_s));
    QVERIFY(m_window->connection.target(u"later"_s) == nullptr);
    QVERIFY(file.remove()); // what was read is what is added
    in<QCheckBox>(dialog, u"profileFileRead"_s)->click();
    QTRY_VERIFY(add->isEnabled());
    add->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"later"_s) != nullptr, 20'000);
    QTRY_COMPARE(m_window->window->currentPage(), u"keys"_s);
    QTRY_VERIFY(m_window->window->findChild<QDialog *>(u"profileFileDialog"_s) == nullptr);
}

void NewcomerWindowTest::aProfileFileThatCannotBeUsedSaysWhy()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"gone.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(tableProfile(R"({"relation": "app.gone", "name": "gone", "effects": [], "actions": {}})"));
    file.close();
    connectAs(u"op"_s);
    openProfile(file.fileName());
    auto *dialog = m_window->find<QDialog>(u"profileFileDialog"_s);
    auto *add = in<QPushButton>(dialog, u"profileFileAdd"_s);
    in<QCheckBox>(dialog, u"profileFileRead"_s)->click();
    add->click();
    auto *notice = in<QWidget>(dialog, u"profileFileNotice"_s);
    QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible() && notice->accessibleDescription().contains(u"gone"_s), 20'000);
    QVERIFY(add->isEnabled() && m_window->connection.target(u"gone"_s) == nullptr);
    dialog->reject();

    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{ \"idemdesk_profile\": 1,");
    file.close();
    openProfile(file.fileName());
    auto *box = m_window->find<QMessageBox>(u"profileFileError"_s);
    QVERIFY2(box->informativeText().contains(u"line 1"_s), qPrintable(box->informativeText()));
    box->reject();
}

QTEST_MAIN(NewcomerWindowTest)
#include "tst_newcomer_window.moc"
