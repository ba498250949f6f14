// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_desk.h"
#include "models/groups/group_session.h"
#include "models/regions/region_controller.h"
#include "models/settings.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/regions/align_bar.h"
#include "ui/pages/regions/differences_view.h"
#include "ui/pages/regions/regions_page.h"
#include "ui/theme/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// From a difference between two regions to the change that mends it, in the window: two real clusters with a console
/// each.
class RegionsAlignTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_eu;
    std::unique_ptr<ConsoleFixture> m_us;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<models::Settings> m_settings;
    std::unique_ptr<models::GroupSession> m_group;
    std::unique_ptr<QWidget> m_window;
    ui::DifferencesView *m_view = nullptr;
    std::unique_ptr<ui::Theme> m_theme; ///< for pictures alone

    static models::GroupPlace place(const QString &label, const ConsoleFixture &side, const QString &login)
    {
        models::GroupPlace place;
        place.label = label;
        place.settings.conninfo
            = const_cast<ConsoleFixture &>(side).cluster().conninfoAs(login, side.database()); // starts nothing
        return place;
    }
    static void change(ConsoleFixture &side, const QString &sql)
    {
        const auto answer = side.root().run(sql);
        QVERIFY2(answer.ok(), qPrintable(answer.value()));
    }
    static QString row(ConsoleFixture &side, const QString &key)
    {
        return side.root().value(u"SELECT status || ' ' || coalesce(result, '-') FROM app.k WHERE key = $1"_s, { key });
    }
    static QByteArray alignRules()
    {
        return R"json({"roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until",
            "updated_at": "t.updated_at", "expires_at": "t.expires_at", "result_id": "t.result", "fingerprint": "t.price"},
          "actions": {"recover": [], "requeue": [], "reclassify": [], "align": [
            {"from": ["in_progress", "failed_retryable", "failed_final"], "to": "succeeded",
             "copy": ["status", "result", "locked_until"], "set": {"updated_at": "$now"}}]}})json";
    }
    template <typename Widget> Widget *find(const QString &name) const
    {
        auto *widget = m_window->findChild<Widget *>(name);
        insist(widget != nullptr, u"There is no %1."_s.arg(name));
        return widget;
    }
    models::RegionController *regions() const { return m_view->controller(); }
    /// Where IDEMDESK_PICTURES names a folder: for a person to look at; with IDEMDESK_DARK in the dark.
    static void picture(QWidget *widget, const QString &name)
    {
        const QString folder = qEnvironmentVariable("IDEMDESK_PICTURES");
        if (!folder.isEmpty()) {
            QCoreApplication::processEvents(); // what was laid out anew
            QVERIFY(widget->grab().save(folder + u'/' + name + u".png"_s));
        }
    }
    QString told() const { return find<QLabel>(u"alignText"_s)->text(); }
    void open(const QString &usLogin = u"op"_s, bool usReadOnly = false)
    {
        models::GroupPlace us = place(u"us"_s, *m_us, usLogin);
        us.settings.readOnly = usReadOnly;
        m_group = std::make_unique<models::GroupSession>(
            models::GroupPlaces { u"payments"_s, sql::GroupKind::Regions, { place(u"eu"_s, *m_eu, u"op"_s), us } },
            nullptr, m_folder->filePath(u"profiles"_s));
        m_window = std::make_unique<QWidget>();
        m_view = new ui::DifferencesView(
            m_group.get(), m_settings.get(), m_window.get(), m_folder->filePath(u"actions.json"_s));
        (new QVBoxLayout(m_window.get()))->addWidget(m_view);
        m_window->resize(1200, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_group->open();
        QTRY_COMPARE_WITH_TIMEOUT(m_group->answeredCount(), 2, 60'000);
        auto *targets = find<QComboBox>(u"differencesTarget"_s);
        targets->setCurrentIndex(targets->findData(u"k2"_s));
        QVERIFY(!find<QPushButton>(u"differencesAlign"_s)->isEnabled()); // nothing was compared
        QTest::mouseClick(find<QPushButton>(u"differencesCompare"_s), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(regions()->stage(), models::RegionController::Stage::Done, 60'000);
    }
    /// The review, once it is asked for.
    QDialog *review()
    {
        QTest::mouseClick(find<QPushButton>(u"differencesAlign"_s), Qt::LeftButton);
        return m_window->findChild<QDialog *>(u"actionDialog"_s);
    }
    void confirm(QDialog *dialog)
    {
        auto *go = dialog->findChild<QPushButton *>(u"actionGo"_s);
        QVERIFY(!go->isEnabled()); // not without a reason
        dialog->findChild<QLineEdit *>(u"actionReason"_s)->setText(u"replication was off"_s);
        dialog->findChild<QLineEdit *>(u"actionTicket"_s)->setText(u"OPS-9"_s);
        QTest::mouseClick(go, Qt::LeftButton);
        QVERIFY(m_view->alignBar()->aligner()->running());
        QTRY_VERIFY_WITH_TIMEOUT(!m_view->alignBar()->aligner()->running(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!regions()->running(), 60'000); // it compares again by itself
    }
    static QStringList cells(const QTableWidget *table)
    {
        QStringList lines;
        for (int row = 0; row < table->rowCount(); ++row) {
            QStringList line;
            for (int column = 0; column < table->columnCount(); ++column) {
                line += table->item(row, column)->text();
            }
            lines += line.join(u'|');
        }
        return lines;
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        if (!qEnvironmentVariableIsEmpty("IDEMDESK_PICTURES")) {
            m_theme = std::make_unique<ui::Theme>(qApp);
            m_theme->apply(qEnvironmentVariableIsEmpty("IDEMDESK_DARK") ? models::Theme::Light : models::Theme::Dark);
        }
        m_eu = std::make_unique<ConsoleFixture>();
        m_us = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase()
    {
        m_us.reset();
        m_eu.reset();
    }
    /// k001 stands in us, k002 in eu; d0001 succeeded twice.
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_store = std::make_unique<QSettings>(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat);
        m_settings = std::make_unique<models::Settings>(m_store.get());
        for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
            side->fresh([side] {
                side->forgetBare();
                side->root().run(u"GRANT USAGE ON SCHEMA app TO adm, op, viewer; "
                                 "GRANT SELECT ON app.k, app.eff TO adm, op, viewer"_s);
                registerTable(*side, alignRules());
            });
            change(*side, u"UPDATE app.k SET updated_at = '2026-11-01'"_s);
        }
        change(*m_eu, uR"(UPDATE app.k SET status = 'failed' WHERE key = 'k001';
            UPDATE app.k SET status = 'succeeded', result = 'ch_2', locked_until = NULL WHERE key = 'k002')"_s);
        change(*m_us, uR"(UPDATE app.k SET status = 'succeeded', result = 'ch_1', locked_until = NULL
            WHERE key = 'k001'; UPDATE app.k SET result = 'twice' WHERE key = 'd0001')"_s);
    }
    void cleanup()
    {
        m_window.reset();
        m_group.reset();
    }

    void theReviewLeadsToTheChangeInBoth()
    {
        open();
        QDialog *dialog = review();
        QVERIFY(dialog != nullptr);
        QCOMPARE(cells(dialog->findChild<QTableWidget *>(u"actionPlan"_s)),
            QStringList({ u"1|eu|Failed, retryable|Succeeded"_s, u"1|us|In progress|Succeeded"_s }));
        const QStringList keys = cells(dialog->findChild<QTableWidget *>(u"actionKeys"_s));
        QCOMPARE(keys.size(), 2);
        const QStringList skipped = cells(dialog->findChild<QTableWidget *>(u"actionSkipped"_s));
        QVERIFY2(skipped.size() == 1 && skipped.constFirst().contains(u"d0001"_s), qPrintable(skipped.join(u'\n')));
        picture(dialog, u"align-review"_s);
        // Escape leaves all as it is.
        QVERIFY(dialog->findChild<QPushButton *>(u"actionCancel"_s)->isDefault());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QCOMPARE(row(*m_eu, u"k001"_s), u"failed -"_s);
        QTRY_VERIFY(m_window->findChild<QDialog *>(u"actionDialog"_s) == nullptr);
        confirm(review());
        QVERIFY2(told().startsWith(u"Aligned."_s), qPrintable(told()));
        picture(m_window.get(), u"align-done"_s);
        QCOMPARE(row(*m_eu, u"k001"_s), u"succeeded ch_1"_s);
        QCOMPARE(row(*m_us, u"k002"_s), u"succeeded ch_2"_s);
        QCOMPARE(row(*m_us, u"d0001"_s), u"succeeded twice"_s);
        QCOMPARE(regions()->list()->all().size(), 1);
        // One id, reason and ticket in both trails, which hold.
        const QString asked = u"SELECT concat_ws(' ', plan #>> '{group,id}', plan #>> '{group,name}', plan #>> "
                              "'{group,member}', plan ->> 'winner', reason, ticket) FROM idemdesk.action"_s;
        const QString id = m_eu->root().value(u"SELECT plan #>> '{group,id}' FROM idemdesk.action"_s);
        QVERIFY(id.size() > 30);
        QCOMPARE(m_eu->root().value(asked), id + u" payments eu us replication was off OPS-9"_s);
        QCOMPARE(m_us->root().value(asked), id + u" payments us eu replication was off OPS-9"_s);
        for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
            QCOMPARE(ConsoleFixture::verified(side->root()), u"t"_s);
        }
    }

    void aSideThatRefusesIsNamedAndTheOtherIsDone()
    {
        open(u"viewer"_s);
        confirm(review());
        QVERIFY2(told().startsWith(u"Not all keys were aligned."_s), qPrintable(told()));
        QVERIFY2(told().contains(u"\nus: "_s), qPrintable(told()));
        QCOMPARE(row(*m_eu, u"k001"_s), u"succeeded ch_1"_s);
        QCOMPARE(row(*m_us, u"k002"_s), u"processing -"_s);
    }

    void aRowThatChangedSinceIsLeft()
    {
        open();
        change(*m_us, u"UPDATE app.k SET result = 'other', updated_at = now() WHERE key = 'k001'"_s);
        confirm(review());
        QCOMPARE(row(*m_eu, u"k001"_s), u"failed -"_s);
        QCOMPARE(row(*m_us, u"k002"_s), u"succeeded ch_2"_s);
        QVERIFY2(told().contains(u"eu: nothing was done"_s), qPrintable(told()));
    }

    /// Nothing that may be changed: no review, and the reason.
    void whatMayNotBeChangedSaysWhy()
    {
        change(
            *m_eu, u"UPDATE app.k SET status = 'succeeded', result = 'ch_1', locked_until = NULL WHERE key = 'k001'"_s);
        change(*m_us, u"UPDATE app.k SET result = 'x' WHERE key = 'd0001'"_s);
        open(u"op"_s, true); // what is left loses in us, whose connection is marked
        QVERIFY(review() == nullptr);
        QCOMPARE(row(*m_us, u"k002"_s), u"processing -"_s);
        QVERIFY2(told().contains(u"No key of the list may be aligned."_s)
                && told().contains(u"The connection to us is marked as read-only."_s),
            qPrintable(told()));
    }

    /// Neither closing it nor another group cuts off what is under way.
    void theWindowStaysWhileItAligns()
    {
        WindowFixture fixture(m_eu->cluster());
        ui::MainWindow *window = fixture.window.get();
        const models::GroupPlaces places { u"payments"_s, sql::GroupKind::Regions,
            { place(u"eu"_s, *m_eu, u"op"_s), place(u"us"_s, *m_us, u"op"_s) } };
        window->openGroup(places);
        const models::GroupSession *session = window->group()->session();
        QTRY_COMPARE_WITH_TIMEOUT(session->answeredCount(), 2, 60'000);
        window->regionsPage()->showTab(u"differences"_s);
        auto *targets = fixture.find<QComboBox>(u"differencesTarget"_s);
        targets->setCurrentIndex(targets->findData(u"k2"_s));
        auto *view = fixture.find<ui::DifferencesView>(u"differencesView"_s);
        view->compare();
        QTRY_COMPARE_WITH_TIMEOUT(view->controller()->stage(), models::RegionController::Stage::Done, 60'000);
        QTest::mouseClick(fixture.find<QPushButton>(u"differencesAlign"_s), Qt::LeftButton);
        fixture.find<QLineEdit>(u"actionReason"_s)->setText(u"replication was off"_s);
        QTest::mouseClick(fixture.find<QPushButton>(u"actionGo"_s), Qt::LeftButton);
        QVERIFY(view->alignBar()->aligner()->running());
        QVERIFY(!window->close() && window->isVisible());
        window->openGroup(places);
        QCOMPARE(window->group()->session(), session);
        QTRY_VERIFY_WITH_TIMEOUT(!view->alignBar()->aligner()->running(), 60'000);
        QCOMPARE(row(*m_eu, u"k001"_s), u"succeeded ch_1"_s);
        QVERIFY(window->close());
    }

    void theCommandIsCopied()
    {
        open();
        find<QAction>(u"differencesCopy"_s)->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(),
            u"idemdeskctl align --group payments --between eu,us --target k2 --settle 10 --dry-run"_s);
    }
};

QTEST_MAIN(RegionsAlignTest)
#include "tst_regions_align.moc"
