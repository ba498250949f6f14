// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"

#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTest>
#include <QWizard>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// The console's schema and a table get into a database through the window; without rights or schema the pages say what is missing.
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
    void installWithoutRightsChangesNothing();
    void registersFromThePage();
};

void InstallWindowTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s)); // the offscreen platform says so of dialogs
    m_fixture = std::make_unique<ConsoleFixture>();
}

void InstallWindowTest::init()
{
    m_fixture->fresh();
    m_fixture->cluster().psql(m_fixture->database(), u"GRANT USAGE ON SCHEMA app TO adm; GRANT SELECT ON app.k, app.eff TO adm"_s);
    m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k')"_s);
    m_table = registerTable(*m_fixture);
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
    auto *wizard = m_window->find<QWizard>(u"installWizard"_s);
    wizard->next();
    QVERIFY(wizard->findChild<QPlainTextEdit *>(u"installSql"_s)->toPlainText().contains(u"CREATE TABLE idemdesk.audit"_s));
    QCOMPARE(m_fixture->cluster().psql(u"bare"_s, u"SELECT to_regnamespace('idemdesk') IS NULL"_s), u"t"_s); // not before Install
    QTest::mouseClick(wizard->button(QWizard::CommitButton), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_fixture->cluster().psql(u"bare"_s, u"SELECT to_regnamespace('idemdesk') IS NOT NULL"_s), u"t"_s, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->consoleInstalled(), 10'000);
    wizard->close();
    m_window->connection.disconnectNow();
    m_fixture->cluster().psql(u"postgres"_s, u"DROP DATABASE bare WITH (FORCE)"_s);
}

void InstallWindowTest::installWithoutRightsChangesNothing()
{
    m_window->connectAs(u"op"_s, u"postgres"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 10'000);
    m_window->window->openInstall();
    auto *wizard = m_window->find<QWizard>(u"installWizard"_s);
    wizard->next();
    QTest::mouseClick(wizard->button(QWizard::CommitButton), Qt::LeftButton);
    const auto said = [wizard] {
        QString all;
        for (const QLabel *label : wizard->currentPage()->findChildren<QLabel *>()) {
            all += label->text();
        }
        return all;
    };
    QTRY_VERIFY_WITH_TIMEOUT(said().contains(u"Nothing was changed"_s), 10'000);
    QCOMPARE(m_fixture->cluster().psql(u"postgres"_s, u"SELECT to_regnamespace('idemdesk') IS NULL"_s), u"t"_s);
    wizard->close();
}

void InstallWindowTest::registersFromThePage()
{
    m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k2')"_s);
    m_fixture->cluster().psql(m_fixture->database(), u"REVOKE DELETE ON app.k FROM idemdesk_runner; GRANT idemdesk_operator TO adm"_s);
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
    QTRY_COMPARE_WITH_TIMEOUT(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.target WHERE name = 'k2'"_s), u"1"_s, 10'000);
}

QTEST_MAIN(InstallWindowTest)
#include "tst_install_window.moc"
