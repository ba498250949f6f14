// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_desk.h"
#include "models/groups/group_session.h"
#include "models/groups/group_store.h"
#include "models/groups/group_trends.h"
#include "models/palette/palette_model.h"
#include "tests/support/group_clusters.h"
#include "tests/ui/dialog_support.h"
#include "tests/ui/window_fixture.h"
#include "ui/charts/trend_chart.h"
#include "ui/dialogs/groups_dialog.h"
#include "ui/pages/regions/group_action_view.h"
#include "ui/pages/regions/group_trends_view.h"
#include "ui/pages/regions/regions_page.h"
#include "ui/theme/theme.h"
#include "ui/window/command_palette.h"
#include "ui/window/palette_source.h"
#include "ui/window/rail.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// A window on a group: its page, and the dialog in which groups are made. Two real servers and one that is none.
class RegionsPageTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<GroupClusters> m_clusters;
    std::unique_ptr<WindowFixture> m_window;
    std::unique_ptr<ui::Theme> m_theme; ///< for pictures alone

    models::GroupDesk *desk() const { return m_window->window->group(); }
    void openAll()
    {
        m_window->window->openGroup(
            m_clusters->group({ m_clusters->euPlace(), m_clusters->usPlace(), m_clusters->downPlace() }));
        QTRY_COMPARE_WITH_TIMEOUT(desk()->session()->answeredCount(), 2, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(desk()->session()->state(2), models::GroupSession::MemberState::Failed, 30'000);
    }
    QString cell(QTableView *table, int row, int column) const
    {
        return table->model()->index(row, column).data().toString();
    }
    /// Where IDEMDESK_PICTURES names a folder: for a person to look at; with IDEMDESK_DARK in the dark.
    void picture(QWidget *widget, const QString &name) const
    {
        const QString folder = qEnvironmentVariable("IDEMDESK_PICTURES");
        if (folder.isEmpty()) {
            return;
        }
        QCoreApplication::processEvents(); // what was laid out anew
        QVERIFY(widget->grab().save(folder + u'/' + name + u".png"_s));
    }
    /// The page's first tab has counted the stuck keys of us.
    bool stuckIsCounted() const
    {
        const QAbstractItemModel *members = m_window->find<QTableView>(u"membersTable"_s)->model();
        for (int row = 0; row < members->rowCount(); ++row) {
            if (members->index(row, 0).data(models::TargetNameRole).toString() == u"plpgsql-request") {
                return members->index(row, 5).data(models::RawRole).toInt() > 0;
            }
        }
        return false;
    }
    QString saveConnection(const QString &name, const QString &conninfo)
    {
        models::SavedConnection saved;
        saved.name = name;
        saved.conninfo = conninfo;
        return m_window->saved.save(saved)->id;
    }

private slots:
    void initTestCase()
    {
        test::failOnWarning();
        if (!qEnvironmentVariableIsEmpty("IDEMDESK_PICTURES")) {
            m_theme = std::make_unique<ui::Theme>(qApp);
            m_theme->apply(qEnvironmentVariableIsEmpty("IDEMDESK_DARK") ? models::Theme::Light : models::Theme::Dark);
        }
        m_clusters = std::make_unique<GroupClusters>();
        GroupClusters::fill(m_clusters->eu, 1, 900, 2);
        GroupClusters::fill(m_clusters->us, 2, 900, 2);
        GroupClusters::fill(m_clusters->us, 1, 5, 2, u"processing"_s);
    }
    void init() { m_window = std::make_unique<WindowFixture>(m_clusters->eu); }
    void cleanup() { m_window.reset(); }
    void cleanupTestCase() { m_clusters.reset(); }

    void thePageIsThereOnlyWithAGroup()
    {
        auto *button = m_window->find<ui::RailButton>(u"rail_regions"_s);
        QVERIFY(!button->isVisible());
        m_window->window->showPage(u"regions"_s);
        QCOMPARE(m_window->window->currentPage(), u"incident"_s);
        models::GroupPlaces places = m_clusters->group({ m_clusters->euPlace(), m_clusters->usPlace() });
        places.kind = sql::GroupKind::Shards;
        m_window->window->openGroup(places);
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), u"Shards"_s);
        QCOMPARE(m_window->window->currentPage(), u"regions"_s);
        QTRY_VERIFY_WITH_TIMEOUT(desk()->current() >= 0, 30'000);
        QCOMPARE(m_window->window->currentPage(), u"regions"_s); // connecting leads nowhere else
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 30'000);
        // Another connection leaves the group.
        m_window->connectAs(u"support"_s, u"orders"_s);
        QVERIFY(!button->isVisible());
        QCOMPARE(m_window->window->currentPage(), u"incident"_s);
    }

    void membersStandBesideEachOther()
    {
        openAll();
        m_window->window->resize(1024, 700);
        auto *table = m_window->find<QTableView>(u"membersTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() >= 3, 20'000);
        int row = 0;
        while (row < table->model()->rowCount()
            && table->model()->index(row, 0).data(models::TargetNameRole).toString() != u"plpgsql-request") {
            ++row;
        }
        // What room a short list leaves is no card's.
        auto *card = m_window->find<QWidget>(u"memberCard0"_s);
        QVERIFY2(card->height() <= card->parentWidget()->sizeHint().height() + 1,
            qPrintable(QString::number(card->height())));
        QTRY_COMPARE_WITH_TIMEOUT(cell(table, row, 3), u"450"_s, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(cell(table, row, 6), u"453"_s, 20'000);
        QCOMPARE(cell(table, row, 5), u"3"_s);
        // Where nobody can tell it, that is no 0, and it says so.
        for (int each = 0; each < table->model()->rowCount(); ++each) {
            const QModelIndex stuck = table->model()->index(each, 2);
            const bool told = stuck.data(Qt::ToolTipRole).toString().contains(u"cannot tell what is stuck"_s);
            QCOMPARE(told, stuck.data().toString() == u"–");
        }
        QCOMPARE(cell(table, row, 7), u"No answer"_s);
        QCOMPARE(m_window->find<QLabel>(u"membersTotal"_s)->text(), u"2 of 3 members answered."_s);
        auto *down = m_window->find<QWidget>(u"memberCard2"_s);
        QVERIFY(down->findChild<QPushButton *>(u"memberRetry"_s)->isVisible());
        QVERIFY(down->findChild<QLabel *>(u"memberState"_s)->text().startsWith(u"No answer: "_s));
        QTRY_VERIFY_WITH_TIMEOUT(desk()->current() >= 0, 20'000);
        QVERIFY(m_window->find<QWidget>(u"memberCard"_s + QString::number(desk()->current()))
                    ->findChild<QLabel *>(u"memberCurrent"_s)
                    ->isVisible());
        picture(m_window->window.get(), u"members"_s);
        // From the number of stuck keys to these keys, in the member that has them.
        table->setCurrentIndex(table->model()->index(row, 5));
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->window->currentPage(), u"keys"_s, 20'000);
        QCOMPARE(desk()->current(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm(), 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->model()->rowCount(), 3, 20'000);
        QVERIFY(desk()->session() != nullptr);
    }

    /// Two lists beneath each other would like more room than a low window has; they scroll, and not the page.
    void differencesFitALowWindow()
    {
        openAll();
        m_window->window->resize(1024, 600);
        m_window->window->regionsPage()->showTab(u"differences"_s);
        auto *chooser = m_window->find<QComboBox>(u"differencesTarget"_s);
        QTRY_VERIFY_WITH_TIMEOUT(chooser->findData(u"plpgsql-request"_s) >= 0, 20'000);
        chooser->setCurrentIndex(chooser->findData(u"plpgsql-request"_s));
        m_window->find<QSpinBox>(u"differencesWait"_s)->setValue(0);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->find<QPushButton>(u"differencesCompare"_s)->isEnabled(), 20'000);
        QTest::mouseClick(m_window->find<QPushButton>(u"differencesCompare"_s), Qt::LeftButton);
        auto *table = m_window->find<QTableView>(u"differencesTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 0 && table->isVisible(), 30'000);
        const auto *area = qobject_cast<QScrollArea *>(m_window->window->regionsPage()->parentWidget()->parentWidget());
        QVERIFY(area != nullptr);
        QTRY_VERIFY2(!area->verticalScrollBar()->isVisible(),
            qPrintable(u"%1 of %2"_s.arg(area->viewport()->height()).arg(area->widget()->height())));
        QVERIFY(table->height() > 3 * table->verticalHeader()->defaultSectionSize());
    }

    void keysOfAllStandInOneList()
    {
        openAll();
        m_window->window->resize(1024, 700);
        m_window->window->regionsPage()->showTab(u"keys"_s);
        auto *table = m_window->find<QTableView>(u"groupKeysTable"_s);
        auto *filter = m_window->find<QLineEdit>(u"groupKeysFilter"_s);
        auto *status = m_window->find<QLabel>(u"groupKeysStatus"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->find<QComboBox>(u"groupKeysTarget"_s)->currentText().isEmpty(), 20'000);
        auto *chooser = m_window->find<QComboBox>(u"groupKeysTarget"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stuckIsCounted(), 20'000);
        chooser->setCurrentIndex(chooser->findData(u"plpgsql-request"_s));
        emit chooser->activated(chooser->currentIndex());
        // It opens on what needs somebody; a chip says so, and leads to all the others.
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 3, 20'000);
        QCOMPARE(filter->text(), u"state:stuck"_s);
        auto *stuck = m_window->find<QToolButton>(u"groupKeysStuck"_s);
        QVERIFY(stuck->isChecked());
        QTest::mouseClick(stuck, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 200, 20'000);
        QVERIFY(filter->text().isEmpty() && !stuck->isChecked());
        // A column that says nothing in any row takes no room.
        for (int column = 1; column < table->model()->columnCount(); ++column) {
            bool says = false;
            for (int row = 0; row < 200 && !says; ++row) {
                says = !cell(table, row, column).isEmpty();
            }
            QVERIFY2(says || table->isColumnHidden(column),
                qPrintable(table->model()->headerData(column, Qt::Horizontal).toString()));
        }
        QVERIFY2(status->text().contains(u"2 of 3 members answered."_s), qPrintable(status->text()));
        // Nothing of it is cut: no state, and no column at the end.
        QTRY_VERIFY(!table->horizontalScrollBar()->isVisible());
        QVERIFY(table->columnWidth(0) > 0 && table->horizontalHeader()->length() <= table->viewport()->width() + 1);
        picture(m_window->window.get(), u"keys"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"key:k00003"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, 20'000);
        QCOMPARE(cell(table, 0, 0), u"eu"_s);
        QCOMPARE(cell(table, 1, 0), u"us"_s);
        // A wrong filter says so; the rows stay.
        filter->clear();
        QTest::keyClicks(filter, u"attempts>>x"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QVERIFY(m_window->find<QWidget>(u"groupKeysNotice"_s)->isVisible());
        QCOMPARE(table->model()->rowCount(), 2);
        // Enter opens the key where it is.
        table->setFocus();
        table->setCurrentIndex(table->model()->index(1, 1));
        QTest::keyClick(table, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->window->currentPage(), u"keys"_s, 20'000);
        QCOMPARE(desk()->current(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 20'000);
        QCOMPARE(m_window->model()->record(0)->key.text, u"k00003"_s);
        QCOMPARE(m_window->model()->record(0)->state, sql::KeyState::InProgress);
    }

    /// What nobody counted is not looked for; what was counted may be done by now, or may not be read any more.
    void withoutStuckKeysTheListHasAllKeys_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<int>("rows");
        QTest::newRow("done since it was counted")
            << u"UPDATE app.idempotency_request SET status = 'succeeded', result_ref_type = 'order' "
               "WHERE status = 'processing'"_s
            << u"UPDATE app.idempotency_request SET status = 'processing', result_ref_type = NULL "
               "WHERE locked_until IS NOT NULL"_s
            << 200;
        QTest::newRow("not readable any more")
            << u"REVOKE pg_read_all_data FROM support"_s << u"GRANT pg_read_all_data TO support"_s << 0;
    }

    void withoutStuckKeysTheListHasAllKeys()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(int, rows);
        openAll();
        m_window->window->resize(1024, 700);
        QTRY_VERIFY_WITH_TIMEOUT(stuckIsCounted(), 20'000);
        const auto all = [this](const QString &statement) {
            m_clusters->eu.psql(u"orders"_s, statement);
            m_clusters->us.psql(u"orders"_s, statement);
        };
        all(before);
        const auto back = qScopeGuard([&] { all(after); });
        m_window->window->regionsPage()->showTab(u"keys"_s);
        auto *chooser = m_window->find<QComboBox>(u"groupKeysTarget"_s);
        QTRY_VERIFY_WITH_TIMEOUT(chooser->findData(u"plpgsql-request"_s) >= 0, 20'000);
        auto *filter = m_window->find<QLineEdit>(u"groupKeysFilter"_s);
        chooser->setCurrentIndex(chooser->findData(u"plpgsql-request"_s));
        emit chooser->activated(chooser->currentIndex());
        QCOMPARE(filter->text(), u"state:stuck"_s);
        QTRY_COMPARE_WITH_TIMEOUT(filter->text(), QString(), 20'000);
        auto *table = m_window->find<QTableView>(u"groupKeysTable"_s);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), rows, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->find<QWidget>(u"groupKeysBusy"_s)->isVisible(), 20'000);
        QVERIFY(filter->text().isEmpty());
    }

    void whatNobodyCountedIsNotLookedFor()
    {
        const auto revoked = [this](const QString &statement) {
            m_clusters->eu.psql(u"orders"_s, statement);
            m_clusters->us.psql(u"orders"_s, statement);
        };
        openAll();
        QTRY_VERIFY_WITH_TIMEOUT(stuckIsCounted(), 20'000);
        revoked(u"REVOKE pg_read_all_data FROM support"_s);
        const auto back = qScopeGuard([&] { revoked(u"GRANT pg_read_all_data TO support"_s); });
        m_window->window->regionsPage()->refresh(); // the members' numbers
        QTRY_VERIFY_WITH_TIMEOUT(!stuckIsCounted(), 20'000);
        m_window->window->regionsPage()->showTab(u"keys"_s);
        auto *chooser = m_window->find<QComboBox>(u"groupKeysTarget"_s);
        chooser->setCurrentIndex(chooser->findData(u"plpgsql-request"_s));
        emit chooser->activated(chooser->currentIndex());
        QCOMPARE(m_window->find<QLineEdit>(u"groupKeysFilter"_s)->text(), QString());
    }

    /// A line a member, or their sum; the one that is down has its name in the legend, and no line.
    void numbersOfAllOverTime()
    {
        for (TestCluster *side : { &m_clusters->eu, &m_clusters->us }) {
            side->psql(u"orders"_s,
                u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
                "claimed_at, created_at, updated_at, expires_at) SELECT 'trend', 't' || n, 'h', 'succeeded', at, at, "
                "at, "
                "at + interval '1 year' FROM generate_series(1, %1) n, LATERAL (SELECT now() - interval '90 minutes') "
                "t(at)"_s.arg(side == &m_clusters->eu ? 3 : 4));
        }
        openAll();
        m_window->window->resize(1024, 700);
        m_window->window->regionsPage()->showTab(u"trends"_s);
        auto *view = m_window->find<ui::GroupTrendsView>(u"groupTrendsView"_s);
        auto *chooser = m_window->find<QComboBox>(u"groupTrendsTarget"_s);
        QTRY_VERIFY_WITH_TIMEOUT(chooser->findData(u"plpgsql-request"_s) >= 0, 20'000);
        chooser->setCurrentIndex(chooser->findData(u"plpgsql-request"_s));
        emit chooser->activated(chooser->currentIndex());
        QTRY_VERIFY_WITH_TIMEOUT(!view->trends()->busy() && view->trends()->answered() == 2, 60'000);
        const auto values = [view](qsizetype series) {
            QList<double> seen;
            const auto answer = view->trends()->answer(); // made anew each time, so it is kept while it is read
            for (const auto &value : answer->series.at(series).values) {
                seen += value && *value > 0 ? QList { *value } : QList<double>();
            }
            return seen;
        };
        QCOMPARE(values(0), QList { 3.0 });
        QCOMPARE(values(1), QList { 4.0 });
        QCOMPARE(values(2), QList<double>());
        const QStringList legend = view->chart()->legendTexts();
        // Each line is told from the one that lies on it.
        QCOMPARE(view->chart()->picture().lines.at(0).pattern, Qt::SolidLine);
        QVERIFY(view->chart()->picture().lines.at(0).wide && !view->chart()->picture().lines.at(1).wide);
        QCOMPARE(view->chart()->picture().lines.at(1).pattern, Qt::DashLine);
        QVERIFY2(legend.at(0).startsWith(u"eu"_s) && legend.at(1).startsWith(u"us"_s), qPrintable(legend.join(u'\n')));
        QCOMPARE(legend.at(2), u"ap: no answer"_s);
        QVERIFY(m_window->find<QWidget>(u"groupTrendsNotice"_s)->isVisible());
        picture(m_window->window.get(), u"trends"_s);
        // Summed: of those that answered, and the sum says whose it is.
        auto *sum = m_window->find<QCheckBox>(u"groupTrendsSum"_s);
        sum->setFocus();
        QTest::keyClick(sum, Qt::Key_Space);
        QCOMPARE(values(0), QList { 7.0 });
        const QStringList summed = view->chart()->legendTexts();
        QVERIFY2(summed.at(0).startsWith(u"Sum of eu, us"_s), qPrintable(summed.join(u'\n')));
        QCOMPARE(summed.at(1), u"ap: no answer"_s);
        QVERIFY(view->trends()->notes().contains(
            u"These members hold the same keys: the sum counts a key in each of them."_s));
        picture(m_window->window.get(), u"trends-sum"_s);
        // What cannot be added up is not.
        auto *metric = m_window->find<QComboBox>(u"groupTrendsMetric"_s);
        QVERIFY(metric->findData(u"retry_ratio"_s) >= 0);
        metric->setCurrentIndex(metric->findData(u"retry_ratio"_s));
        emit metric->activated(metric->currentIndex());
        QTRY_VERIFY_WITH_TIMEOUT(!view->trends()->busy() && view->trends()->answered() == 2, 60'000);
        QVERIFY(!sum->isEnabled() && !sum->toolTip().isEmpty());
        QCOMPARE(view->trends()->answer()->series.size(), 3);
    }

    /// The tabs of the group are reached by their names, while there is a group.
    void thePaletteLeadsToTheTabs()
    {
        const auto tabs = [this] {
            QList<models::PaletteEntry> found;
            for (const models::PaletteEntry &entry : m_window->window->findChild<ui::PaletteSource *>()->entries()) {
                found += entry.id.startsWith(u"regions/"_s) ? QList { entry } : QList<models::PaletteEntry>();
            }
            return found;
        };
        QVERIFY(tabs().isEmpty());
        openAll();
        QStringList titles;
        for (const models::PaletteEntry &entry : tabs()) {
            titles += entry.title;
        }
        QVERIFY2(titles.contains(u"Recover and purge"_s) && titles.contains(u"Differences"_s) && titles.size() == 7,
            qPrintable(titles.join(u", "_s)));
        m_window->window->showPage(u"keys"_s);
        m_window->window->findChild<ui::PaletteSource *>()->open();
        auto *palette = m_window->find<ui::CommandPalette>(u"commandPalette"_s);
        QTest::keyClicks(palette->findChild<QLineEdit *>(), u"recover and purge"_s);
        QTest::keyClick(palette->findChild<QLineEdit *>(), Qt::Key_Return);
        QCOMPARE(m_window->window->currentPage(), u"regions"_s);
        QVERIFY(m_window->window->regionsPage()->actionView()->isVisible());
    }

    void aGroupIsMadeByKeyboardAndOpened()
    {
        saveConnection(u"Orders EU"_s, m_clusters->euPlace().settings.conninfo);
        saveConnection(u"Orders US"_s, m_clusters->usPlace().settings.conninfo);
        m_window->window->openGroups();
        auto *dialog = m_window->find<QDialog>(u"groupsDialog"_s);
        QVERIFY2(test::nameless(dialog).isEmpty(), qPrintable(test::nameless(dialog).join(u", "_s)));
        QTest::keyClicks(dialog->focusWidget(), u"payments"_s); // a first group begins in its name
        // From field to field by Tab: kind, then label and connection of both members.
        const auto tab = [dialog] { QTest::keyClick(dialog->focusWidget(), Qt::Key_Tab); };
        tab();
        QCOMPARE(dialog->focusWidget()->objectName(), u"groupKind"_s);
        const QStringList labels { u"eu"_s, u"us"_s };
        for (int member = 1; member <= 2; ++member) {
            tab(); // from the kind, or past the button that takes out the one before
            QCOMPARE(dialog->focusWidget()->objectName(), u"groupLabel%1"_s.arg(member));
            QTest::keyClicks(dialog->focusWidget(), labels.at(member - 1));
            tab();
            QCOMPARE(dialog->focusWidget()->objectName(), u"groupConnection%1"_s.arg(member));
            for (int down = 0; down < member; ++down) {
                QTest::keyClick(dialog->focusWidget(), Qt::Key_Down);
            }
            tab();
            QCOMPARE(dialog->focusWidget()->objectName(), u"groupTakeOut%1"_s.arg(member));
        }
        picture(dialog, u"dialog"_s);
        auto *open = dialog->findChild<QPushButton *>(u"groupsOpen"_s);
        QCOMPARE(open->text(), u"Save and open"_s);
        QTest::keyClick(dialog->findChild<QLineEdit *>(u"groupName"_s), Qt::Key_Return);
        QCOMPARE(m_window->groups.all().size(), 1);
        QCOMPARE(m_window->groups.all().constFirst().members.at(1).label, u"us"_s);
        QTRY_VERIFY_WITH_TIMEOUT(desk()->session() != nullptr, 5'000);
        QTRY_COMPARE_WITH_TIMEOUT(desk()->session()->answeredCount(), 2, 30'000);
        QCOMPARE(m_window->window->currentPage(), u"regions"_s);
    }

    void whatCannotBeSavedSaysWhy()
    {
        m_window->window->openGroups();
        auto *dialog = m_window->find<QDialog>(u"groupsDialog"_s);
        QTest::keyClicks(dialog->findChild<QLineEdit *>(u"groupName"_s), u"payments"_s);
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"groupsOpen"_s), Qt::LeftButton);
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->findChild<QWidget *>(u"groupsNotice"_s)->isVisible());
        QVERIFY(m_window->groups.all().isEmpty());
        QVERIFY(desk()->session() == nullptr);
        dialog->reject();
    }

    void aGroupIsRemovedOnlyWhenAsked()
    {
        QVERIFY(m_window->groups
                    .save({ u"payments"_s, sql::GroupKind::Regions,
                        { { u"eu"_s, {}, u"service=a"_s }, { u"us"_s, {}, u"service=b"_s } }, {} })
                    .ok());
        m_window->window->openGroups();
        auto *dialog = m_window->find<QDialog>(u"groupsDialog"_s);
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"groupsRemove"_s), Qt::LeftButton);
        auto *question = dialog->findChild<QMessageBox *>(u"groupRemoveQuestion"_s);
        QVERIFY(question != nullptr);
        QTest::keyClick(question, Qt::Key_Return); // Cancel is the default
        QCOMPARE(m_window->groups.all().size(), 1);
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"groupsRemove"_s), Qt::LeftButton);
        const auto boxes = dialog->findChildren<QMessageBox *>(u"groupRemoveQuestion"_s);
        QTest::mouseClick(boxes.constLast()->findChild<QPushButton *>(u"groupRemoveYes"_s), Qt::LeftButton);
        QVERIFY(m_window->groups.all().isEmpty());
        dialog->reject();
    }

    void aGroupComesFromAFileAndGoesIntoOne()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"in.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"idemdesk_group":1,"name":"payments","kind":"replicas","members":[)"
                   R"({"label":"a","conninfo":"service=a"},{"label":"b","conninfo":"service=b"}]})");
        file.close();
        m_window->window->openGroups();
        auto *dialog = m_window->find<QDialog>(u"groupsDialog"_s);
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"groupsImport"_s), Qt::LeftButton);
        auto *import = dialog->findChild<QFileDialog *>(u"groupsImportFile"_s);
        emit import->fileSelected(file.fileName());
        import->reject();
        QCOMPARE(m_window->groups.all().size(), 1);
        QCOMPARE(m_window->groups.all().constFirst().kind, sql::GroupKind::Replicas);
        QCOMPARE(dialog->findChild<QListWidget *>(u"groupsList"_s)->currentItem()->text(), u"payments"_s);
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"groupsExport"_s), Qt::LeftButton);
        auto *out = dialog->findChild<QFileDialog *>(u"groupsExportFile"_s);
        emit out->fileSelected(folder.filePath(u"out.json"_s));
        out->reject();
        const auto back = m_window->groups.read(folder.filePath(u"out.json"_s));
        QVERIFY(back.ok());
        QCOMPARE(*back, m_window->groups.all().constFirst());
        dialog->reject();
    }
};

QTEST_MAIN(RegionsPageTest)
#include "tst_regions_page.moc"
