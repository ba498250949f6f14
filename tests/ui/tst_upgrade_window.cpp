// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "tests/support/console_fixture.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/audit/audit_page.h"

#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// A schema that an older program installed: this one brings an upgrade more (see the resource beside it).
class UpgradeWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void olderSchemaIsUpgraded();
};

void UpgradeWindowTest::initTestCase()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support).*"_s)); // the offscreen platform says so of dialogs
}

void UpgradeWindowTest::olderSchemaIsUpgraded()
{
    ConsoleFixture fixture;
    WindowFixture window(fixture.cluster());
    const auto psql = [&fixture](const QString &sql) { return fixture.cluster().psql(fixture.database(), sql); };
    const QString before = psql(u"SELECT max(version) FROM idemdesk.migration"_s);
    window.connectAs(fixture.superuser(), fixture.database());
    QTRY_VERIFY_WITH_TIMEOUT(window.window->actions()->statusKnown(), 10'000);
    QVERIFY2(window.window->actions()->whyNot().contains(u"older"_s), qPrintable(window.window->actions()->whyNot()));
    window.window->showPage(u"audit"_s);
    window.window->auditPage()->showTab(u"guard"_s);
    auto *upgrade = window.find<QPushButton>(u"guardUpgrade"_s);
    QTRY_VERIFY_WITH_TIMEOUT(upgrade->isVisible(), 10'000);
    QTest::mouseClick(upgrade, Qt::LeftButton);
    auto *wizard = window.find<QDialog>(u"installWizard"_s);
    QVERIFY(wizard->windowTitle().contains(u"Upgrade"_s));
    QStringList said;
    for (const QLabel *line : wizard->findChildren<QLabel *>(u"installLine"_s)) {
        said += line->text();
    }
    const QString versions = u"from version %1 to version 900"_s.arg(before);
    QVERIFY2(said.join(u'\n').contains(versions), qPrintable(said.join(u'\n'))); // what changes, not what is made
    QVERIFY2(!said.join(u'\n').contains(u"Five roles"_s), qPrintable(said.join(u'\n')));
    auto *go = wizard->findChild<QPushButton *>(u"installGo"_s);
    go->click();
    const QString shown = wizard->findChild<QPlainTextEdit *>(u"installSql"_s)->toPlainText();
    QVERIFY2(
        shown.contains(u"only_in_this_test"_s) && !shown.contains(u"CREATE TABLE idemdesk.audit"_s), qPrintable(shown));
    QTest::mouseClick(go, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(psql(u"SELECT to_regclass('idemdesk.only_in_this_test') IS NOT NULL"_s), u"t"_s, 20'000);
    QCOMPARE(
        psql(u"SELECT string_agg(version::text, ',' ORDER BY version) FROM idemdesk.migration"_s), before + u",900"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!upgrade->isVisible(), 10'000);
    wizard->close();
}

QTEST_MAIN(UpgradeWindowTest)
#include "tst_upgrade_window.moc"
