// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/audit/audit_page.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/command_list.h"
#include "ui/window/rail.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QTabWidget>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// The console's schema and a table get into a database through the window; without rights or schema the pages say what
/// is missing.
class InstallWindowTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
    RegisteredTable m_table;

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void cleanup() { m_window.reset(); }

    void withoutSchemaThePagesTeach();
    void installsFromTheWizard();
    void rolesAreGivenFromTheWindowByWhoMay();
    void installWithoutRightsChangesNothing();
    void missingRightsAreNamedWithWhatGivesThem();
    void nothingIsInstalledTwice();
    void registersFromThePage();
    void allRightsAreToldAtOnceAndRun();
    void aRegisteredTableIsThereOnce();
    void afterInstallingTheMissingRightIsNamed();

private:
    QStringList choices(const QString &chooser) const;
    int shownTables(const QString &relation) const;
};

void InstallWindowTest::initTestCase()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support).*"_s)); // the offscreen platform says so of dialogs
    m_fixture = std::make_unique<ConsoleFixture>();
}

void InstallWindowTest::init()
{
    m_fixture->fresh([this] {
        m_fixture->cluster().psql(
            m_fixture->database(), u"GRANT USAGE ON SCHEMA app TO adm; GRANT SELECT ON app.k, app.eff TO adm"_s);
        // A query that finds the effect of a key that succeeded may say that there is none.
        QVERIFY(m_fixture->root()
                    .run(u"INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0001'"_s)
                    .ok());
        m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k')"_s);
        m_table = registerTable(*m_fixture);
    });
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
}

void InstallWindowTest::withoutSchemaThePagesTeach()
{
    m_window->connectAs(u"op"_s, u"postgres"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->window->showPage(u"audit"_s);
    QVERIFY(!m_window->find<QTabWidget>(u"auditTabs"_s)->isVisible());
    QVERIFY(!m_window->window->actions()->mayAct());
    QVERIFY(m_window->window->actions()->whyNot().contains(u"not installed"_s));
}

void InstallWindowTest::installsFromTheWizard()
{
    m_fixture->cluster().psql(u"postgres"_s, u"DROP DATABASE IF EXISTS bare"_s);
    m_fixture->cluster().psql(u"postgres"_s, u"CREATE DATABASE bare"_s);
    m_window->connectAs(m_fixture->superuser(), u"bare"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->window->openInstall();
    auto *wizard = m_window->find<QDialog>(u"installWizard"_s);
    auto *go = wizard->findChild<QPushButton *>(u"installGo"_s);
    go->click();
    QVERIFY(
        wizard->findChild<QPlainTextEdit *>(u"installSql"_s)->toPlainText().contains(u"CREATE TABLE idemdesk.audit"_s));
    // A comment is told from what runs, also where it wraps.
    const QTextDocument *script = wizard->findChild<QPlainTextEdit *>(u"installSql"_s)->document();
    QCOMPARE(script->begin().text(), u"BEGIN;"_s);
    QVERIFY(script->begin().layout()->formats().isEmpty());
    QVERIFY(!script->find(u"-- SPDX"_s).block().layout()->formats().isEmpty());
    QCOMPARE(m_fixture->cluster().psql(u"bare"_s, u"SELECT to_regnamespace('idemdesk') IS NULL"_s),
        u"t"_s); // not before Install
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(
        m_fixture->cluster().psql(u"bare"_s, u"SELECT to_regnamespace('idemdesk') IS NOT NULL"_s), u"t"_s, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->consoleInstalled(), 10'000);
    wizard->close();
    m_window->connection.disconnectNow();
    m_fixture->cluster().psql(u"postgres"_s, u"DROP DATABASE bare WITH (FORCE)"_s);
}

void InstallWindowTest::rolesAreGivenFromTheWindowByWhoMay()
{
    m_fixture->cluster().psql(
        u"postgres"_s, u"DROP ROLE IF EXISTS \"new \"\"one\"; CREATE ROLE \"new \"\"one\" LOGIN"_s);
    const auto isMember = [this] {
        return m_fixture->cluster().psql(
            u"postgres"_s, u"SELECT pg_has_role('new \"one', 'idemdesk_viewer', 'MEMBER')"_s);
    };
    const auto ask = [this](const QString &login) {
        m_window->connectAs(login, m_fixture->database());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 20'000);
        m_window->window->commands()->find(u"actions.roles"_s)->action->trigger();
        auto *logins = m_window->find<QComboBox>(u"rolesLogin"_s);
        QTRY_VERIFY_WITH_TIMEOUT(logins->count() > 0, 20'000);
        auto *role = m_window->find<QComboBox>(u"rolesRole"_s);
        role->setCurrentIndex(role->findText(u"Viewer"_s));
        logins->setEditText(u"new \"one"_s);
        QCOMPARE(m_window->find<QPlainTextEdit>(u"rolesSql"_s)->toPlainText(),
            u"GRANT \"idemdesk_viewer\" TO \"new \"\"one\";"_s);
    };
    ask(u"op"_s); // may not: the SQL is there to be handed on
    auto *run = m_window->find<QPushButton>(u"rolesRun"_s);
    QVERIFY(!run->isEnabled());
    QVERIFY(
        m_window->find<QDialog>(u"rolesDialog"_s)->findChild<QLabel *>(u"buttonReason"_s)->text().contains(u"DBA"_s));
    m_window->find<QPushButton>(u"rolesCopy"_s)->click();
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(u"GRANT"_s));
    delete m_window->find<QDialog>(u"rolesDialog"_s);
    ask(m_fixture->superuser());
    run = m_window->find<QPushButton>(u"rolesRun"_s);
    QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), 20'000);
    QCOMPARE(isMember(), u"f"_s);
    // As who typed the name does: Enter goes on to the button, and never to the one that closes.
    QTest::keyClick(m_window->find<QLineEdit>(u"rolesLoginText"_s), Qt::Key_Return);
    QVERIFY(m_window->find<QDialog>(u"rolesDialog"_s)->isVisible());
    QCOMPARE(m_window->find<QDialog>(u"rolesDialog"_s)->focusWidget(), run);
    QTest::keyClick(run, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(isMember(), u"t"_s, 20'000);
    auto *model = m_window->find<QTableView>(u"rolesTable"_s)->model();
    const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QTRY_VERIFY(!model->match(model->index(0, 0), Qt::DisplayRole, u"new \"one"_s).isEmpty());
    m_window->find<QComboBox>(u"rolesVerb"_s)->setCurrentIndex(1);
    m_window->find<QComboBox>(u"rolesLogin"_s)->setEditText(u"new \"one"_s);
    m_window->find<QComboBox>(u"rolesRole"_s)->setCurrentText(u"Viewer"_s);
    QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), 20'000);
    run->click();
    QTRY_COMPARE_WITH_TIMEOUT(isMember(), u"f"_s, 20'000);
}

void InstallWindowTest::installWithoutRightsChangesNothing()
{
    // Its rights go between the look at them and the press: what is known to fail cannot be pressed at all.
    m_fixture->cluster().psql(u"postgres"_s, u"DROP ROLE IF EXISTS late; CREATE ROLE late LOGIN"_s);
    const auto dropped
        = qScopeGuard([this] { m_fixture->cluster().psql(u"postgres"_s, u"DROP OWNED BY late; DROP ROLE late"_s); });
    m_window->connectAs(u"late"_s, u"postgres"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->window->openInstall();
    auto *wizard = m_window->find<QDialog>(u"installWizard"_s);
    auto *go = wizard->findChild<QPushButton *>(u"installGo"_s);
    const auto *statements = wizard->findChild<QPlainTextEdit *>(u"installMissingSql"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!statements->toPlainText().isEmpty(), 10'000);
    m_fixture->cluster().psql(u"postgres"_s, statements->toPlainText());
    wizard->findChild<QPushButton *>(u"installLookAgain"_s)->click();
    const auto there = [wizard] {
        const auto lines = wizard->findChildren<QLabel *>(u"installRight"_s);
        return std::any_of(lines.cbegin(), lines.cend(),
            [](const QLabel *line) { return line->accessibleName().startsWith(u"There: "_s); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(there(), 10'000);
    go->click();
    QTRY_VERIFY(go->isEnabled());
    m_fixture->cluster().psql(u"postgres"_s,
        u"REVOKE CREATE ON DATABASE postgres FROM late; REVOKE idemdesk_owner, idemdesk_viewer FROM late"_s);
    QTest::mouseClick(go, Qt::LeftButton);
    const auto *advice = wizard->findChild<QLabel *>(u"installAdvice"_s);
    QTRY_VERIFY_WITH_TIMEOUT(advice->text().contains(u"Nothing was changed"_s), 10'000);
    // It is a right on roles that is missing, and whoever has it is asked; no table has a part in that.
    QString told;
    for (const QLabel *label : wizard->findChildren<QLabel *>()) {
        told += label->isVisibleTo(wizard) ? label->text() + u'\n' : QString();
    }
    QVERIFY2(told.contains(u"This user lacks a right"_s), qPrintable(told));
    QVERIFY2(told.contains(u"Ask an administrator"_s), qPrintable(told));
    QVERIFY2(!told.contains(u"the owner of the table"_s), qPrintable(told));
    QCOMPARE(m_fixture->cluster().psql(u"postgres"_s, u"SELECT to_regnamespace('idemdesk') IS NULL"_s), u"t"_s);
    wizard->close();
}

/// Each right stands there with its sign; the statements that give those that lack run as they are shown.
void InstallWindowTest::missingRightsAreNamedWithWhatGivesThem()
{
    m_fixture->cluster().psql(u"postgres"_s, u"DROP DATABASE IF EXISTS rights"_s);
    m_fixture->cluster().psql(u"postgres"_s, u"CREATE DATABASE rights"_s);
    m_fixture->cluster().psql(u"postgres"_s, u"DROP ROLE IF EXISTS maker; CREATE ROLE maker LOGIN"_s);
    m_window->connectAs(u"maker"_s, u"rights"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->window->openInstall();
    auto *wizard = m_window->find<QDialog>(u"installWizard"_s);
    auto *statements = wizard->findChild<QPlainTextEdit *>(u"installMissingSql"_s);
    const auto rights = [wizard] {
        QStringList said;
        for (const QLabel *line : wizard->findChildren<QLabel *>(u"installRight"_s)) {
            said += line->isVisibleTo(wizard) ? line->accessibleName() : QString();
        }
        said.removeAll(QString());
        return said;
    };
    QTRY_VERIFY_WITH_TIMEOUT(
        statements->toPlainText().contains(u"GRANT CREATE ON DATABASE \"rights\" TO \"maker\""_s), 10'000);
    QVERIFY(statements->isVisible());
    QTRY_VERIFY2(!rights().isEmpty() && rights().filter(u"Missing: "_s) == rights(), qPrintable(rights().join(u'\n')));
    wizard->findChild<QPushButton *>(u"installMissingCopy"_s)->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), statements->toPlainText());
    auto *go = wizard->findChild<QPushButton *>(u"installGo"_s);
    const QStringList missing = rights();
    go->click();
    auto *warning = wizard->findChild<QLabel *>(u"noticeWhat"_s);
    QVERIFY2(warning->isVisible() && warning->text().contains(u"maker"_s), qPrintable(warning->text()));
    const QString why = wizard->findChild<QLabel *>(u"noticeWhy"_s)->text();
    for (const QString &right : missing) { // the page before names as many
        QVERIFY2(why.contains(QString(right).remove(u"Missing: "_s)), qPrintable(why));
    }
    QVERIFY(!go->isEnabled()); // it would fail
    wizard->findChild<QPushButton *>(u"installBack"_s)->click();
    m_fixture->cluster().psql(u"rights"_s, statements->toPlainText());
    wizard->findChild<QPushButton *>(u"installLookAgain"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(!rights().isEmpty() && rights().filter(u"There: "_s) == rights(), 10'000);
    QVERIFY(!statements->isVisible());
    go->click();
    QVERIFY(!warning->isVisible());
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(
        m_fixture->cluster().psql(u"rights"_s, u"SELECT to_regnamespace('idemdesk') IS NOT NULL"_s), u"t"_s, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->consoleInstalled(), 10'000);
    wizard->close();
    m_window->connection.disconnectNow();
    m_fixture->cluster().psql(u"postgres"_s, u"DROP DATABASE rights WITH (FORCE)"_s);
    m_fixture->cluster().psql(u"postgres"_s, u"DROP OWNED BY maker; DROP ROLE maker"_s);
}

void InstallWindowTest::nothingIsInstalledTwice()
{
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->window->openInstall();
    auto *wizard = m_window->find<QDialog>(u"installWizard"_s);
    QVERIFY(!wizard->windowTitle().contains(u"Install"_s) && !wizard->windowTitle().contains(u"Upgrade"_s));
    auto *go = wizard->findChild<QPushButton *>(u"installGo"_s);
    go->click();
    QVERIFY(!go->isEnabled());
    QVERIFY(wizard->findChild<QLabel *>(u"buttonReason"_s)->text().contains(u"nothing to do"_s));
    wizard->close();
}

void InstallWindowTest::registersFromThePage()
{
    m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k2')"_s);
    m_fixture->cluster().psql(m_fixture->database(),
        u"REVOKE DELETE ON app.k FROM idemdesk_runner_app_owner; GRANT idemdesk_operator TO adm"_s);
    m_window->connectAs(u"adm"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->connection.addProfile(m_table.target.profile, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"k2"_s) != nullptr, 10'000);
    m_window->window->openRegister(u"k2"_s);
    auto *dialog = m_window->find<QDialog>(u"registerDialog"_s);
    auto *go = dialog->findChild<QPushButton *>(u"registerGo"_s);
    auto *grants = dialog->findChild<QPlainTextEdit *>(u"registerGrants"_s);
    QTRY_VERIFY_WITH_TIMEOUT(grants->toPlainText().contains(u"GRANT DELETE"_s), 10'000);
    QVERIFY(!go->isEnabled());
    m_fixture->cluster().psql(m_fixture->database(), grants->toPlainText());
    for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
        if (button->text().contains(u"again"_s)) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    QTRY_VERIFY_WITH_TIMEOUT(go->isEnabled(), 10'000);
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(
        m_fixture->root().value(u"SELECT count(*) FROM idemdesk.target WHERE name = 'k2'"_s), u"1"_s, 10'000);
}

QStringList InstallWindowTest::choices(const QString &chooser) const
{
    const auto *box = m_window->find<QComboBox>(chooser);
    QStringList found;
    for (int i = 0; i < box->count(); ++i) {
        if (box->itemText(i).contains(u"app.k"_s)) {
            found += box->itemText(i);
        }
    }
    return found;
}

int InstallWindowTest::shownTables(const QString &relation) const
{
    const auto *tables = m_window->find<QTableView>(u"incidentTables"_s)->model();
    return int(tables->match(tables->index(0, 0), models::DetailRole, relation, -1, Qt::MatchExactly).size());
}

/// An effect in another schema, by a function and a type of their own: one look names all that is missing, and what it
/// names runs.
void InstallWindowTest::allRightsAreToldAtOnceAndRun()
{
    m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k2')"_s);
    m_fixture->cluster().psql(m_fixture->database(),
        u"GRANT idemdesk_operator TO adm; CREATE SCHEMA ledger; CREATE SCHEMA \"Odd types\"; CREATE DOMAIN \"Odd "
        u"types\".code AS text; REVOKE USAGE ON TYPE \"Odd types\".code FROM PUBLIC;"
        "CREATE TABLE ledger.\"Entry\" (id \"Odd types\".code, tenant text, key text, secret text); CREATE TABLE "
        "ledger.side (id text);"
        "CREATE FUNCTION ledger.plain(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1'; REVOKE EXECUTE ON "
        "FUNCTION ledger.plain(text) FROM PUBLIC;"
        "GRANT USAGE ON SCHEMA ledger, \"Odd types\" TO adm; GRANT SELECT ON ledger.\"Entry\", ledger.side TO adm; "
        "GRANT EXECUTE ON FUNCTION ledger.plain(text) TO adm;"
        "GRANT USAGE ON TYPE \"Odd types\".code TO adm; REVOKE DELETE, INSERT ON app.k FROM idemdesk_runner_app_owner; REVOKE USAGE ON SCHEMA app FROM idemdesk_runner_app_owner"_s);
    const auto profile = sql::profileFromJson(tableProfile(R"json({"effects": [{"type": "eff", "proves": true, "sql":
        "SELECT ledger.plain(f.id::\"Odd types\".code::text) AS id, NULL::timestamptz AS at, NULL::text AS state FROM ledger.\"Entry\" f WHERE f.tenant = t.tenant AND f.key = t.key AND EXISTS (SELECT FROM ledger.side)"}]})json"),
        u"test"_s);
    QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().line()));
    m_window->connectAs(u"adm"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 10'000);
    m_window->connection.addProfile(*profile, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"k2"_s) != nullptr, 10'000);
    m_window->window->openRegister(u"k2"_s);
    auto *dialog = m_window->find<QDialog>(u"registerDialog"_s);
    auto *go = dialog->findChild<QPushButton *>(u"registerGo"_s);
    auto *grants = dialog->findChild<QPlainTextEdit *>(u"registerGrants"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!grants->toPlainText().isEmpty(), 10'000);
    QVERIFY(!go->isEnabled());
    const QString told = grants->toPlainText();
    for (const QString &part :
        { u"ON SCHEMA app"_s, u"ON SCHEMA ledger"_s, u"ON SCHEMA \"Odd types\""_s,
            u"SELECT (id, tenant, key) ON ledger.\"Entry\""_s, u"SELECT ON ledger.side"_s,
            u"EXECUTE ON FUNCTION ledger.plain"_s, u"USAGE ON TYPE \"Odd types\".code"_s, u"GRANT DELETE, INSERT"_s }) {
        QVERIFY2(told.contains(part), qPrintable(part + u" in\n"_s + told));
    }
    QVERIFY2(!told.contains(u"secret"_s), qPrintable(told)); // no more than is read
    m_fixture->cluster().psql(m_fixture->database(), told); // with ON_ERROR_STOP
    // The lines can be taken away, too, and each is read whole: at once, and in a narrow dialog.
    auto *findings = dialog->findChild<QTableView *>(u"registerFindings"_s);
    const auto whole = [findings] {
        for (int row = 0; row < findings->model()->rowCount(); ++row) {
            const QString text = findings->model()->index(row, 1).data().toString();
            const QRect room(0, 0, findings->columnWidth(1) - 2 * ui::kGrid, 10'000);
            if (findings->fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height()
                > findings->rowHeight(row)) {
                return false;
            }
        }
        return findings->model()->rowCount() > 0;
    };
    for (const int width : { dialog->width(), dialog->minimumWidth(), dialog->width() }) {
        dialog->resize(width, dialog->height());
        QTRY_VERIFY2(whole(), qPrintable(QString::number(width)));
    }
    findings->setFocus(); // the keys work where the person is
    findings->selectAll();
    QTest::keyClick(findings, Qt::Key_C, Qt::ControlModifier);
    QVERIFY2(QGuiApplication::clipboard()->text().contains(u"may not call ledger.plain"_s),
        qPrintable(QGuiApplication::clipboard()->text()));
    for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
        if (button->text().contains(u"again"_s)) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    QTRY_VERIFY_WITH_TIMEOUT(go->isEnabled(), 10'000); // one round
    QVERIFY(!grants->isVisible());
}

/// A profile that the person saved, the same one registered, and a chooser of each page: one table all the time.
void InstallWindowTest::aRegisteredTableIsThereOnce()
{
    m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k2')"_s);
    m_fixture->cluster().psql(m_fixture->database(), u"GRANT idemdesk_operator TO adm"_s);
    const QString folder = m_window->connection.profileFolder();
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + u"/k2.json"_s);
    const QByteArray json = sql::profileToJson(m_table.target.profile);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(json) == json.size());
    file.close();
    m_window->connectAs(u"adm"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->connection.addProfileFile(file.fileName(), true); // as the Add form does once it saved
    auto *stale = m_window->find<ui::RailButton>(u"rail_recovery"_s);
    QTRY_COMPARE_WITH_TIMEOUT(stale->count(), u"50"_s, 10'000);
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showTarget(u"k2"_s);
    auto *rights = m_window->find<QWidget>(u"recoveryRights"_s);
    QTRY_VERIFY_WITH_TIMEOUT(rights->isVisible(), 10'000);
    QVERIFY(rights->findChild<QLabel *>(u"noticeWhy"_s)->text().contains(u"not registered"_s));

    QTest::mouseClick(rights->findChild<QPushButton *>(u"noticePrimary"_s), Qt::LeftButton);
    auto *dialog = m_window->find<QDialog>(u"registerDialog"_s);
    auto *go = dialog->findChild<QPushButton *>(u"registerGo"_s);
    QTRY_VERIFY_WITH_TIMEOUT(go->isEnabled(), 10'000);
    QTest::mouseClick(go, Qt::LeftButton);
    // The page that was open knows it by itself, and may act.
    QTRY_VERIFY_WITH_TIMEOUT(!rights->isVisible(), 10'000);
    auto *all = m_window->find<QCheckBox>(u"recoveryAll"_s);
    QTRY_VERIFY_WITH_TIMEOUT(all->isVisible(), 10'000);
    QTest::keyClick(all, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->find<QPushButton>(u"recoveryGo"_s)->isEnabled(), 10'000);
    for (int start = 0; start < 2; ++start) {
        QVERIFY(m_window->connection.target(u"k2"_s) != nullptr && m_window->connection.target(u"k2"_s)->registration);
        QTRY_COMPARE_WITH_TIMEOUT(stale->count(), u"50"_s, 10'000);
        QCOMPARE(shownTables(u"app.k"_s), 1);
        for (const QString &chooser : { u"targetChooser"_s, u"recoveryTarget"_s, u"purgeTarget"_s, u"trendsTarget"_s,
                 u"healthTarget"_s, u"duplicatesTarget"_s }) {
            QCOMPARE(choices(chooser), QStringList { u"Keys of the tests – app.k"_s });
        }
        if (start == 0) { // and at the next connection
            m_window->connection.disconnectNow();
            m_window->connectAs(u"adm"_s, m_fixture->database());
            QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 10'000);
        }
    }
    QVERIFY(m_window->connection.problems().isEmpty());
}

void InstallWindowTest::afterInstallingTheMissingRightIsNamed()
{
    m_fixture->cluster().psql(u"postgres"_s, u"DROP DATABASE IF EXISTS bare"_s);
    m_fixture->cluster().psql(u"postgres"_s, u"CREATE DATABASE bare"_s);
    m_fixture->cluster().psql(u"bare"_s,
        u"CREATE SCHEMA app; CREATE TABLE app.keys (k text PRIMARY KEY, status text NOT NULL, locked_until timestamptz, created_at timestamptz DEFAULT now())"_s);
    m_window->connectAs(m_fixture->superuser(), u"bare"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->window->openInstall();
    auto *wizard = m_window->find<QDialog>(u"installWizard"_s);
    auto *go = wizard->findChild<QPushButton *>(u"installGo"_s);
    go->click();
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->consoleInstalled(), 20'000);
    wizard->close();
    m_window->connection.disconnectNow();
    // A login that is not in any of the roles: the schema is there, and the one grant that lacks runs as it is shown.
    m_window->connectAs(u"service"_s, u"bare"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->window->showPage(u"audit"_s);
    auto *title = m_window->window->auditPage()->findChild<QLabel *>(u"emptyStateTitle"_s);
    auto *text = m_window->window->auditPage()->findChild<QLabel *>(u"emptyStateText"_s);
    QTRY_VERIFY(title->isVisible());
    QVERIFY2(!(title->text() + text->text()).contains(u"not installed"_s), qPrintable(text->text()));
    const QString grant = text->text().mid(text->text().indexOf(u"GRANT"_s));
    QVERIFY2(grant.startsWith(u"GRANT idemdesk_operator TO "_s), qPrintable(text->text()));
    m_fixture->cluster().psql(u"bare"_s, grant);
    auto *again = m_window->window->auditPage()->findChild<QPushButton *>(u"emptyStateButton"_s);
    QCOMPARE(again->text(), u"Check again"_s);
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->mayAct(), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(!title->isVisible(), 10'000);
    m_window->connection.disconnectNow();
    m_fixture->cluster().psql(
        u"postgres"_s, u"REVOKE idemdesk_operator FROM service; DROP DATABASE bare WITH (FORCE)"_s);
}

QTEST_MAIN(InstallWindowTest)
#include "tst_install_window.moc"
