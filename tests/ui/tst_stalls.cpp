// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"
#include "models/triage/triage_controller.h"
#include "tests/support/registered_table.h"
#include "tests/support/stall_watch.h"
#include "tests/ui/window_fixture.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/pages/recovery/recovery_page.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr qint64 kStallMs = 200; // every access is checked: about four times slower
#else
constexpr qint64 kStallMs = 50; // the budget, in a debug build too
#endif

} // namespace

/// The window answers within its budget while a page fills with thousands of keys. Runs with nothing beside it.
class StallsTest final : public QObject
{
    Q_OBJECT

private slots:
    void thousandsOfKeysStallNothing();
};

void StallsTest::thousandsOfKeysStallNothing()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support).*"_s)); // the offscreen platform says so of dialogs
    ConsoleFixture fixture;
    fixture.fresh();
    fixture.cluster().psql(fixture.database(),
        u"GRANT USAGE ON SCHEMA app TO adm; GRANT SELECT ON app.k, app.eff TO adm, op;"
        "INSERT INTO app.k (tenant, key, status, locked_until, attempts, expires_at) SELECT 't1', 'm' || i, "
        "'processing', now() - interval '2 hours', 1, now() + interval '1 day' FROM generate_series(1, 6000) i"_s);
    // A query that finds the effect of a key that succeeded may say that there is none.
    QVERIFY(fixture.root()
                .run(u"INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0001'"_s)
                .ok());
    fixture.as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k')"_s);
    registerTable(fixture);
    WindowFixture window(fixture.cluster());
    window.connectAs(u"op"_s, fixture.database());
    QTRY_VERIFY_WITH_TIMEOUT(window.connection.targetsLoaded(), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(window.window->actions()->statusKnown(), 20'000);
    auto *page = window.window->recoveryPage();
    window.window->showPage(u"recovery"_s);
    QTRY_VERIFY_WITH_TIMEOUT(window.window->triage()->loaded(), 20'000);
    qint64 longest = 0;
    {
        tests::StallWatch watch;
        page->showTarget(u"k2"_s);
        QTRY_VERIFY_WITH_TIMEOUT(window.window->triage()->loaded() && !window.window->triage()->busy(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(
            window.window->triage()->model()->rowCount(), models::TriageController::kMostKeys, 20'000);
        window.window->triage()->model()->checkAll(true);
        page->openDialog();
        QTRY_VERIFY(page->dialog() != nullptr);
        longest = watch.longest();
    }
    QVERIFY2(longest <= kStallMs, qPrintable(u"%1 ms"_s.arg(longest)));
    QVERIFY(window.window->triage()->more());
}

QTEST_MAIN(StallsTest)
#include "tst_stalls.moc"
