// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "models/groups/group_action.h"
#include "models/groups/group_session.h"
#include "models/triage/triage_controller.h"
#include "sql/lanes/database.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/recovery/recovery_page.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
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
    void actionsGoToThePrimary();
    void withoutItsPrimaryNothingIsDone();
    void aMemberOfAGroupActsOnItsPrimary();

private:
    /// Registered, and one key has its effect: that none is found says something then.
    void registered()
    {
        m_fixture->fresh();
        QVERIFY(m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, "
                         "idemdesk_runner_app_owner; INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k "
                         "WHERE key = 'd0001'"_s)
                    .ok());
        registerTable(*m_fixture);
        m_fixture->forgetBare();
        m_standby.reset();
        m_standby = std::make_unique<TestCluster>(m_fixture->cluster(), false, QStringList());
    }
    /// Both servers in one conninfo, the standby preferred; or a place where nobody is instead of the primary.
    QString either(const QString &primary = {}) const
    {
        const auto host = [](const QString &conninfo) { return conninfo.section(u' ', 0, 0).section(u'=', 1); };
        const QString standby = m_standby->conninfoAs(u"op"_s, m_fixture->database());
        const QString other
            = primary.isEmpty() ? host(m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database())) : primary;
        return QString(standby).replace(host(standby), host(standby) + u',' + other)
            + u" target_session_attrs=prefer-standby"_s;
    }
    void connectTo(const QString &conninfo)
    {
        m_window = std::make_unique<WindowFixture>(*m_standby);
        sql::ConnectionSettings settings;
        settings.conninfo = conninfo;
        m_window->connection.connectTo(settings);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
        QVERIFY(m_window->connection.facts().standby);
    }
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

/// Read on the standby, judged and done on the primary, which the review and the band name.
void StandbyWindowTest::actionsGoToThePrimary()
{
    registered();
    connectTo(either());
    models::ActionCenter *center = m_window->window->actions();
    QTRY_VERIFY2_WITH_TIMEOUT(center->mayAct(), qPrintable(center->whyNot()), 20'000);
    QCOMPARE(m_window->connection.database()->facts().standby, true);
    QCOMPARE(center->database()->facts().standby, false);
    const QString folder = m_fixture->cluster().cluster().folder();
    const QString band = m_window->find<QLabel>(u"bandFacts"_s)->text();
    QVERIFY2(band.contains(u"reads from a standby, acts on "_s + folder), qPrintable(band));
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showTarget(u"k2"_s, {});
    auto *triage = m_window->window->triage();
    QTRY_VERIFY_WITH_TIMEOUT(triage->loaded() && !triage->busy(), 20'000);
    QVERIFY(!m_window->find<QWidget>(u"recoveryRights"_s)->isVisible());
    triage->model()->checkAll(true);
    const int checked = triage->model()->checkedCount();
    QVERIFY(checked > 0);
    m_window->window->recoveryPage()->openDialog();
    QDialog *dialog = m_window->find<QDialog>(u"actionDialog"_s);
    const auto labels = dialog->findChildren<QLabel *>();
    QVERIFY(std::any_of(
        labels.cbegin(), labels.cend(), [&folder](const QLabel *label) { return label->text().contains(folder); }));
    dialog->findChild<QLineEdit *>(u"actionReason"_s)->setText(u"from a standby"_s);
    dialog->findChild<QPushButton *>(u"actionGo"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(center->runner() != nullptr && !center->running(), 30'000);
    QCOMPARE(
        m_fixture->root().value(u"SELECT reason || ' ' || state FROM idemdesk.action"_s), u"from a standby finished"_s);
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s).toInt(), checked);
    QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
}

/// The standby is read all the same, and what stands against actions is said.
void StandbyWindowTest::withoutItsPrimaryNothingIsDone()
{
    registered();
    QVERIFY(m_fixture->root().run(u"GRANT pg_read_all_stats TO op"_s).ok());
    const QString position = m_fixture->root().value(u"SELECT pg_current_wal_lsn()"_s);
    QTRY_COMPARE_WITH_TIMEOUT(
        m_standby->psql(u"postgres"_s, u"SELECT pg_last_wal_replay_lsn() >= '%1'::pg_lsn"_s.arg(position)), u"t"_s,
        30'000);
    connectTo(either(u"/nowhere"_s));
    models::ActionCenter *center = m_window->window->actions();
    const QString folder = m_fixture->cluster().cluster().folder();
    QTRY_VERIFY2_WITH_TIMEOUT(
        center->statusKnown() && center->whyNot().contains(folder), qPrintable(center->whyNot()), 30'000);
    QVERIFY2(center->whyNot().contains(u"does not answer"_s), qPrintable(center->whyNot()));
    QVERIFY(!center->mayAct());
    m_window->window->showPage(u"recovery"_s);
    m_window->window->recoveryPage()->showTarget(u"k2"_s, {});
    says(m_window->find<QWidget>(u"recoveryRights"_s), u"is a standby"_s);
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
}

void StandbyWindowTest::aMemberOfAGroupActsOnItsPrimary()
{
    registered();
    models::GroupPlaces places { u"replicas"_s, sql::GroupKind::Replicas, {} };
    for (const auto &[label, conninfo] : { std::pair(u"both"_s, either()),
             std::pair(u"copy"_s, m_standby->conninfoAs(u"op"_s, m_fixture->database())) }) {
        models::GroupPlace place;
        place.label = label;
        place.settings.conninfo = conninfo;
        places.members += place;
    }
    models::GroupSession group(places, nullptr, {});
    const QTemporaryDir folder;
    models::GroupAction action(&group, folder.filePath(u"actions.json"_s));
    group.open();
    QTRY_COMPARE_WITH_TIMEOUT(group.answeredCount(), 2, 20'000);
    action.plan({ u"k2"_s });
    QTRY_VERIFY_WITH_TIMEOUT(action.planned(), 30'000);
    QVERIFY2(action.member(0).rows() > 0, qPrintable(action.member(0).said()));
    QVERIFY2(action.member(0).plan().place.contains(m_fixture->cluster().cluster().folder()),
        qPrintable(action.member(0).plan().place));
    QVERIFY2(action.member(1).said().contains(u"It is a standby"_s), qPrintable(action.member(1).said()));
    const qint64 rows = action.rows();
    action.run(u"over a group"_s, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(!action.running(), 30'000);
    QVERIFY2(action.member(0).done(), qPrintable(action.member(0).said()));
    QCOMPARE(m_fixture->root().value(u"SELECT count(*) FROM app.k WHERE status = 'failed'"_s).toLongLong(), rows);
}

QTEST_MAIN(StandbyWindowTest)
#include "tst_standby_window.moc"
