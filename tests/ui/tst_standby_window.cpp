// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "models/triage/triage_controller.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/recovery/recovery_page.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// A window on a standby: it reads, says that actions go to the primary, and offers nothing that would have to write.
class StandbyWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanup() { m_window.reset(); }
    void cleanupTestCase()
    {
        m_standby.reset();
        m_fixture.reset();
    }

    void withoutTheConsoleSchemaNothingIsOffered();
    void whoMayActElsewhereIsSentToThePrimary();

private:
    /// Of everything that the primary holds by now.
    void open(const QString &login)
    {
        m_standby.reset();
        m_standby = std::make_unique<TestCluster>(m_fixture->cluster(), false, QStringList());
        m_window = std::make_unique<WindowFixture>(*m_standby);
        m_window->connectAs(login, m_fixture->database());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    }
    /// What a bar says, and none of its buttons.
    void says(QWidget *bar, const QString &text) const
    {
        QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), 20'000);
        const QString said = bar->findChild<QLabel *>(u"noticeWhy"_s)->text();
        QVERIFY2(said.contains(text), qPrintable(said));
        QVERIFY(!bar->findChild<QPushButton *>(u"noticePrimary"_s)->isVisible());
    }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<TestCluster> m_standby;
    std::unique_ptr<WindowFixture> m_window;
};

void StandbyWindowTest::withoutTheConsoleSchemaNothingIsOffered()
{
    m_fixture->fresh();
    QVERIFY(m_fixture->root()
                .run(u"GRANT USAGE ON SCHEMA app TO op; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op; "
                     "DROP SCHEMA idemdesk CASCADE"_s)
                .ok());
    open(u"op"_s);
    const auto profile = sql::profileFromJson(tableProfile(), u"test"_s);
    m_window->connection.addProfile(*profile, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"k2"_s) != nullptr, 20'000);
    m_window->window->showPage(u"recovery"_s);
    says(m_window->find<QWidget>(u"recoveryRights"_s), u"is a standby"_s);
    m_window->window->showPage(u"purge"_s);
    says(m_window->find<QWidget>(u"purgeRights"_s), u"primary"_s);
    m_window->window->showPage(u"audit"_s);
    const auto buttons = m_window->find<QWidget>(u"auditPage"_s)->findChildren<QPushButton *>();
    for (const QPushButton *button : buttons) {
        QVERIFY2(!button->isVisible() || !button->text().contains(u"Install"_s), qPrintable(button->text()));
    }
    QVERIFY(!m_window->window->actions()->mayBeAllowed());
}

void StandbyWindowTest::whoMayActElsewhereIsSentToThePrimary()
{
    m_fixture->fresh();
    QVERIFY(m_fixture->root()
                .run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, "
                     "idemdesk_runner_app_owner"_s)
                .ok());
    registerTable(*m_fixture);
    m_fixture->forgetBare();
    open(u"op"_s);
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showTarget(u"k2"_s, {});
    says(m_window->find<QWidget>(u"recoveryRights"_s), u"is a standby"_s);
    auto *triage = m_window->window->triage();
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 20'000);
    QVERIFY(!m_window->find<QPushButton>(u"recoveryGo"_s)->isEnabled());
    for (const QLabel *label : m_window->find<QWidget>(u"recoveryNotice"_s)->findChildren<QLabel *>()) {
        QVERIFY2(!label->text().contains(u"together"_s), qPrintable(label->text())); // nothing can be, alone neither
    }
    // An administrator of the console is not told to register there, and nobody gives roles there.
    m_window->window->openRoles();
    auto *roles = m_window->find<QDialog>(u"rolesDialog"_s);
    QTest::keyClicks(roles->findChild<QLineEdit *>(u"rolesLoginText"_s), u"op2"_s);
    const auto labels = roles->findChildren<QLabel *>();
    const auto told = [&labels] {
        return std::any_of(labels.cbegin(), labels.cend(),
            [](const QLabel *label) { return label->isVisible() && label->text().contains(u"is a standby"_s); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(told(), 20'000);
    QVERIFY(!roles->findChild<QPushButton *>(u"rolesRun"_s)->isEnabled());
    roles->reject();
}

QTEST_MAIN(StandbyWindowTest)
#include "tst_standby_window.moc"
