// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/capture_stops.h"

#include "app/desktop/capture_beside.h"
#include "app/desktop/capture_evidence.h"
#include "app/desktop/capture_regions.h"
#include "app/desktop/capture_standby.h"
#include "models/actions/action_center.h"
#include "models/actions/action_runner.h"
#include "models/actions/action_words.h"
#include "models/actions/actions_model.h"
#include "models/alerts/alert_controller.h"
#include "models/audit/approval_preview.h"
#include "models/audit/audit_controller.h"
#include "models/complaint/complaint_controller.h"
#include "models/connection/connection_controller.h"
#include "models/filter/filter_parser.h"
#include "models/groups/group_action.h"
#include "models/groups/group_duplicates.h"
#include "models/groups/group_file.h"
#include "models/groups/group_place.h"
#include "models/health/health_controller.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_detail.h"
#include "models/keys/key_table_model.h"
#include "models/mapping/mapping_controller.h"
#include "models/mapping/proposal_model.h"
#include "models/overview/overview_controller.h"
#include "models/purge/purge_controller.h"
#include "models/regions/region_controller.h"
#include "models/regions/replication_controller.h"
#include "models/review/review_controller.h"
#include "models/runbook/runbook_controller.h"
#include "models/settings.h"
#include "models/trends/trend_controller.h"
#include "models/triage/triage_controller.h"
#include "models/workspace/workspace.h"
#include "sql/types/utc.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/add_table_dialog.h"
#include "ui/dialogs/connect_dialog.h"
#include "ui/dialogs/field_help.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/pages/audit/audit_page.h"
#include "ui/pages/complaints/complaints_page.h"
#include "ui/pages/health/health_page.h"
#include "ui/pages/incident/incident_page.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/pages/purge/purge_page.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/pages/regions/differences_view.h"
#include "ui/pages/regions/group_action_view.h"
#include "ui/pages/regions/group_duplicates_view.h"
#include "ui/pages/regions/regions_page.h"
#include "ui/pages/regions/replication_view.h"
#include "ui/pages/runbooks/runbooks_page.h"
#include "ui/pages/trends/trends_page.h"
#include "ui/widgets/command_list.h"
#include "ui/window/main_window.h"
#include "ui/window/palette_source.h"
#include "ui/window/tour.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <iterator>
#include <memory>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kGroupListMs = 1'500; // until a list of a group has come

/// The stops of one theme; `suffix` is "-light" or "-dark".
class Stops
{
public:
    Stops(CaptureScript &script, ui::MainWindow &window, models::ConnectionController &connection,
        models::Settings &settings, std::shared_ptr<CaptureStandby> standby, std::shared_ptr<CaptureRegions> regions,
        QString suffix)
        : m_script(script)
        , m_window(window)
        , m_connection(connection)
        , m_settings(settings)
        , m_standby(std::move(standby))
        , m_regions(std::move(regions))
        , m_suffix(std::move(suffix))
    {
        window.makePages(); // steps fill in fields of pages that are shown later
    }

    void window(const QString &name, std::function<void()> act, std::function<bool()> ready)
    {
        ui::MainWindow *window = &m_window;
        m_script.add({ name.isEmpty() ? QString() : name + m_suffix, std::move(act), std::move(ready),
            [window] { return window; } });
    }

    void keys(const QString &name, const QString &target, const QString &filter, bool rows)
    {
        ui::MainWindow *window = &m_window;
        this->window(
            name,
            [window, target, filter] {
                window->showPage(u"keys"_s);
                window->keysPage()->showTarget(target, filter);
            },
            [window, rows] {
                const auto *browser = window->browser();
                return !browser->busy() && !browser->model()->countBusy()
                    && (!rows || browser->model()->rowCount() > 0);
            });
    }

    /// Opens the first row's detail at a tab.
    void detail(const QString &name, const QString &tab)
    {
        ui::MainWindow *window = &m_window;
        this->window(
            name,
            [window, tab] {
                window->keysPage()->selectRow(0);
                window->keysPage()->detailPane()->showTab(tab);
            },
            [window] { return window->detail()->status() == models::KeyDetailController::Status::Ready; });
    }

    using FindDialog = std::function<QDialog *()>;

    FindDialog named(const QString &name) const
    {
        return [window = &m_window, name] { return window->findChild<QDialog *>(name); };
    }

    /// A picture of a dialog, once it is there and ready.
    void dialog(const QString &name, std::function<void()> open, const FindDialog &find,
        const std::function<bool()> &ready = {})
    {
        m_script.add(
            { name + m_suffix, std::move(open), [find, ready] { return find() != nullptr && (!ready || ready()); },
                [find] { return static_cast<QWidget *>(find()); } });
    }

    /// A dialog that never opened made its own stop fail already.
    void close(const FindDialog &find, const std::function<void()> &after = {})
    {
        m_script.add({ {},
            [find, after] {
                if (QDialog *dialog = find()) {
                    dialog->reject();
                }
                if (after) {
                    after();
                }
            },
            [find] { return find() == nullptr; }, {} });
    }

    void recovery()
    {
        ui::MainWindow *window = &m_window;
        this->window(
            u"recovery"_s,
            [window] {
                window->showPage(u"recovery"_s);
                window->recoveryPage()->showTarget(u"plpgsql-request"_s);
            },
            [window] {
                return window->triage()->loaded() && !window->triage()->busy() && window->actions()->statusKnown();
            });
        const FindDialog find = [window] { return window->recoveryPage()->dialog(); };
        dialog(
            u"recovery-dialog"_s,
            [window] {
                window->triage()->model()->checkAll(true);
                window->recoveryPage()->openDialog();
            },
            find);
        close(find);
        this->window(
            u"recovery-review"_s, [window] { window->recoveryPage()->showTarget(u"started-key"_s); },
            [window] { return window->triage()->loaded() && !window->triage()->busy(); });
    }

    void purge()
    {
        ui::MainWindow *window = &m_window;
        this->window(
            u"purge"_s,
            [window] {
                window->showPage(u"purge"_s);
                window->purgePage()->showTarget(u"plpgsql-request"_s);
                window->purgePage()->plan();
            },
            [window] { return window->purge()->planned().has_value(); });
        const FindDialog find = [window] { return window->purgePage()->dialog(); };
        dialog(
            u"purge-dialog"_s, [window] { window->purgePage()->openDialog(); }, find);
        close(find);
        this->window(
            u"purge-partitions"_s,
            [window] {
                window->purgePage()->showTarget(u"started-key-partitioned"_s);
                window->purgePage()->plan();
            },
            [window] { return window->purge()->planned().has_value(); });
        runningPurge();
    }

    /// A purge of the demo's table under way, cancelled, and put back, so that the next theme finds the same rows.
    void runningPurge()
    {
        constexpr qint64 kSomeRows = 1'500; // more than one batch
        ui::MainWindow *window = &m_window;
        this->window(
            {},
            [window] {
                window->purgePage()->showTarget(u"started-key"_s);
                window->purgePage()->plan();
            },
            [window] { return window->purge()->planned().has_value(); });
        this->window(
            u"purge-running"_s,
            [window] {
                window->purgePage()->openDialog();
                if (auto *dialog = window->purgePage()->dialog()) {
                    dialog->findChild<QLineEdit *>(u"actionReason"_s)
                        ->setText(QCoreApplication::translate("Demo", "Keys past their day, agreed with the owners"));
                    dialog->findChild<QPushButton *>(u"actionGo"_s)->click();
                }
            },
            [window] {
                const auto *runner = window->actions()->runner();
                return runner != nullptr && models::rowsDone(runner->action().counts) >= kSomeRows;
            });
        const auto over = [window] { return !window->actions()->running(); };
        this->window(
            u"purge-cancelled"_s,
            [window] {
                if (window->actions()->running()) {
                    window->actions()->runner()->cancel();
                }
            },
            [window, over] { return over() && window->purge()->ended(); });
        this->window(
            {},
            [window] {
                if (const auto *runner = window->actions()->runner()) {
                    const sql::ActionRecord purge = runner->action();
                    window->actions()->undo(purge, QCoreApplication::translate("Demo", "Purged too early"), {});
                }
            },
            over);
        const FindDialog find = named(u"actionRowsDialog"_s);
        dialog(
            u"action-outcomes"_s,
            [window] {
                if (const auto *runner = window->actions()->runner()) {
                    window->showRows(runner->action().id);
                }
            },
            find, [find] { return find()->findChild<QTableView *>(u"actionRowsTable"_s)->model()->rowCount() > 0; });
        close(find, [window] { window->actions()->dismiss(); });
    }

    std::function<bool()> trendsReady() const
    {
        return [window = &m_window] { return window->trends()->answer().has_value() && !window->trends()->busy(); };
    }

    void trends()
    {
        ui::MainWindow *window = &m_window;
        const auto ready = trendsReady();
        this->window(
            u"trends"_s,
            [window] {
                window->showPage(u"trends"_s);
                window->trendsPage()->showTarget(u"plpgsql-request"_s);
                models::TrendChoice choice;
                choice.spanSeconds = 7 * 86'400;
                choice.byScope = true;
                window->trends()->choose(choice);
            },
            ready);
        this->window(
            u"trends-scopes"_s, [window] { window->trendsPage()->showTab(u"scopes"_s); }, ready);
        this->window({}, [window] { window->trendsPage()->showTab(u"chart"_s); }, {});
        this->window(
            u"trends-stacked"_s, [window] { window->findChild<QCheckBox *>(u"trendsStacked"_s)->setChecked(true); },
            ready);
        this->window(
            u"trends-compare"_s,
            [window] {
                window->findChild<QCheckBox *>(u"trendsStacked"_s)->setChecked(false);
                models::TrendChoice choice;
                choice.metric = u"retry_ratio"_s;
                choice.spanSeconds = 7 * 86'400;
                choice.bucket = u"6h"_s;
                choice.compare = true;
                window->trends()->choose(choice);
            },
            ready);
        this->window(
            u"trends-table"_s, [window] { window->trendsPage()->showTab(u"table"_s); }, ready);
        this->window(
            u"trends-samples"_s,
            [window] {
                window->trendsPage()->showTab(u"chart"_s);
                models::TrendChoice choice;
                choice.metric = u"stale"_s;
                choice.source = sql::TrendSource::Samples;
                choice.spanSeconds = 30 * 86'400;
                choice.byScope = true;
                window->trends()->choose(choice);
            },
            ready);
        oddTrends();
        const FindDialog find = named(u"scheduleDialog"_s);
        dialog(
            u"sampling"_s, [window] { window->openSampling(); }, find,
            [find] { return !find()->findChild<QLabel *>(u"scheduleState"_s)->text().endsWith(u'…'); });
        close(find);
    }

    /// What is shown of trends while they are read, and where there is nothing to show.
    void oddTrends()
    {
        ui::MainWindow *window = &m_window;
        const auto ready = trendsReady();
        this->window(
            u"trends-error"_s,
            [window] {
                models::TrendChoice choice; // what a metric of an older console would be
                choice.metric = u"gone"_s;
                window->trends()->choose(choice);
            },
            [window] { return window->trends()->error().has_value(); });
        m_script.add({ u"trends-loading"_s + m_suffix,
            [window] {
                models::TrendChoice choice;
                choice.metric = u"time_to_complete_p99"_s;
                choice.spanSeconds = 90 * 86'400;
                window->trends()->choose(choice);
                window->trendsPage()->showTarget(u"plpgsql-outbox"_s);
            },
            [window] { return window->trends()->busy(); }, [window] { return window; }, true });
        this->window(
            {}, [] {}, ready);
        this->window(
            u"trends-empty"_s,
            [window] {
                window->trendsPage()->showTab(u"chart"_s);
                models::TrendChoice choice;
                choice.since = sql::Timestamp::fromDateTime(QDateTime(QDate(2020, 1, 1), QTime(0, 0), sql::kUtc));
                choice.until = sql::Timestamp::fromDateTime(QDateTime(QDate(2020, 1, 8), QTime(0, 0), sql::kUtc));
                window->trends()->choose(choice);
            },
            ready);
        this->window(
            {}, [window] { window->trends()->choose({}); }, ready);
    }

    void health()
    {
        ui::MainWindow *window = &m_window;
        const auto ready = [window] { return window->health()->read() && !window->health()->busy(); };
        this->window(
            u"health"_s, [window] { window->showPage(u"health"_s); }, ready);
        this->window(
            u"health-table"_s, [window] { window->healthPage()->showTarget(u"started-key"_s); }, ready);
        this->window(
            u"alerts"_s,
            [window] {
                window->healthPage()->showTarget({});
                window->healthPage()->showTab(u"alerts"_s);
                window->alerts()->refresh();
            },
            [window] { return window->alerts()->judged(); });
        this->window(
            u"review"_s, [window] { window->healthPage()->showTab(u"review"_s); },
            [window] {
                const models::ReviewController *review = window->workspace()->review();
                return review->report().has_value() && !review->busy();
            });
        this->window(
            u"drill"_s, [window] { window->healthPage()->showTab(u"drill"_s); }, [] { return true; });
        this->window(
            {}, [window] { window->healthPage()->showTab(u"report"_s); }, ready);
    }

    void runbooks()
    {
        ui::MainWindow *window = &m_window;
        const auto ready = [window] {
            const models::RunbookController *books = window->workspace()->runbooks();
            return books->report().has_value() && !books->busy();
        };
        for (const QString &name : { u"orphaned-keys"_s, u"outbox-stuck"_s, u"purge-wrong"_s }) {
            this->window(
                u"runbook-"_s + name,
                [window, name] {
                    window->showPage(u"runbooks"_s);
                    window->runbooksPage()->showRunbook(name, {});
                },
                ready);
        }
    }

    void audit()
    {
        ui::MainWindow *window = &m_window;
        this->window(
            u"audit-actions"_s,
            [window] {
                window->showPage(u"audit"_s);
                window->auditPage()->showTab(u"actions"_s);
            },
            [window] { return window->actions()->statusKnown() && window->audit()->loaded(); });
        this->window(
            u"audit-trail"_s,
            [window] {
                window->auditPage()->showTab(u"trail"_s);
                window->auditPage()->verify();
            },
            [window] { return window->audit()->check() && window->audit()->check()->walked; });
        this->window(
            u"audit-guard"_s, [window] { window->auditPage()->showTab(u"guard"_s); }, [] { return true; });
    }

    void activity()
    {
        ui::MainWindow *window = &m_window;
        // Two of the demo's services are in each other's way every other moment.
        const auto somebodyWaits = [window] {
            const auto *tree = window->findChild<QTreeView *>(u"activityTree"_s);
            return tree != nullptr && tree->model()->rowCount() > 0
                && tree->model()->hasChildren(tree->model()->index(0, 0));
        };
        this->window(
            u"activity"_s, [window] { window->showPage(u"activity"_s); }, somebodyWaits);
        this->window(
            {},
            [window] {
                auto *tree = window->findChild<QTreeView *>(u"activityTree"_s);
                tree->setCurrentIndex(tree->model()->index(0, 0));
            },
            [window] { return window->findChild<QPushButton *>(u"activityTerminate"_s)->isEnabled(); });
        const FindDialog find = named(u"signalDialog"_s);
        dialog(
            u"activity-end"_s, [window] { window->findChild<QPushButton *>(u"activityTerminate"_s)->click(); }, find);
        close(find);
    }

    void connecting()
    {
        ui::MainWindow *window = &m_window;
        const FindDialog connect = [window] { return window->connectDialog(); };
        dialog(
            u"connect"_s, [window] { window->openConnect(); }, connect);
        close(connect);
        const FindDialog add = [window] { return window->addTableDialog(); };
        dialog(
            u"add-table"_s, [window] { window->openAddTable(); }, add, [window] { return !window->mapping()->busy(); });
        dialog(
            u"add-table-mapping"_s, [window] { window->mapping()->choose(0); }, add,
            [window] { return !window->mapping()->busy() && window->mapping()->relation().oid != 0; });
        dialog(
            u"add-table-rules"_s,
            [add] {
                if (auto *next = add()->findChild<QPushButton *>(u"addTableGo"_s)) {
                    next->click();
                }
            },
            add);
        close(add);
        const FindDialog registered = named(u"registerDialog"_s);
        dialog(
            u"register"_s, [window] { window->openRegister(u"plpgsql-request"_s); }, registered);
        close(registered);
    }

    /// The help, what is said of a field, and the walk for newcomers.
    void explaining()
    {
        ui::MainWindow *window = &m_window;
        models::Settings *settings = &m_settings;
        const FindDialog help = [window] { return window->findChild<ui::HelpDialog *>(); };
        for (const QString &topic : { u"concepts"_s, u"filter"_s, u"profile"_s }) {
            dialog(
                u"help-"_s + topic, [window, topic] { ui::HelpDialog::showTopic(window, topic); }, help);
        }
        dialog(
            u"help-search"_s, [help] { help()->findChild<QLineEdit *>(u"helpSearch"_s)->setText(u"lease"_s); }, help);
        close(help);
        const auto said = []() -> QWidget * {
            const QWidgetList windows = QApplication::topLevelWidgets();
            for (QWidget *one : windows) {
                if (one->inherits("QWhatsThat") && one->isVisible()) {
                    return one;
                }
            }
            return nullptr;
        };
        m_script.add({ u"whats-this"_s + m_suffix,
            [window] {
                window->showPage(u"complaints"_s);
                ui::FieldHelp::explain(window->findChild<QLineEdit *>(u"complaintAmount"_s));
            },
            [said] { return said() != nullptr; }, said });
        m_script.add({ {}, [said] { said()->close(); }, {}, {} });
        for (int step = 0; step < ui::Tour::stepCount(); ++step) {
            this->window(
                u"tour-%1"_s.arg(step + 1),
                [window, settings, step] {
                    if (step == 0) {
                        ui::Tour::begin(window, settings);
                    } else {
                        window->findChild<ui::Tour *>(u"tour"_s)->next();
                    }
                },
                [window] { // what a step is about may still be looked for, as keys that can be freed are
                    const auto *tour = window->findChild<ui::Tour *>(u"tour"_s);
                    return tour != nullptr && !tour->looking() && !window->triage()->busy()
                        && !window->browser()->busy();
                });
        }
        this->window({}, [window] { window->findChild<ui::Tour *>(u"tour"_s)->close(); }, {});
    }

    /// The first page of other connections: production, a login that may only look, a standby, and a database without
    /// a table.
    void others()
    {
        models::ConnectionController *connection = &m_connection;
        ui::MainWindow *window = &m_window;
        const auto demo = std::make_shared<sql::ConnectionSettings>(); // known once it is connected
        const std::shared_ptr<CaptureStandby> standby = m_standby;
        this->window({},
            [demo, standby, connection] {
                *demo = connection->settings();
                standby->start();
            },
            {});
        approvals(demo);
        other(u"incident-production"_s, demo, u"incident"_s, [](sql::ConnectionSettings &settings) {
            settings.name = QCoreApplication::translate("Demo", "Orders");
            settings.environment = sql::Environment::Production;
        });
        other(u"incident-no-rights"_s, demo, u"incident"_s,
            [](sql::ConnectionSettings &settings) { settings.conninfo += u" user=demo_viewer"_s; });
        const auto elsewhere = [](sql::ConnectionSettings &settings) { settings.conninfo += u" dbname=postgres"_s; };
        other(u"incident-no-table"_s, demo, u"incident"_s, elsewhere);
        other(u"audit-no-console"_s, demo, u"audit"_s, elsewhere);
        const FindDialog find = named(u"installWizard"_s);
        dialog(
            u"install"_s, [window] { window->openInstall(); }, find);
        dialog(
            u"install-sql"_s,
            [window] {
                if (auto *next = window->findChild<QPushButton *>(u"installGo"_s)) {
                    next->click();
                }
            },
            find);
        close(find);
        this->window({}, {}, [standby] { return standby->ready(); });
        other(u"recovery-standby"_s, demo, u"recovery"_s, [standby](sql::ConnectionSettings &settings) {
            settings = {};
            settings.name = QCoreApplication::translate("Demo", "Orders, standby");
            settings.conninfo = standby->conninfo();
            settings.environment = sql::Environment::Production;
        });
        other({}, demo, u"incident"_s, [](sql::ConnectionSettings &) {});
        this->window(
            u"incident-kiosk"_s, [window] { window->setKiosk(true); },
            [window] { return window->incidentPage()->complete(); });
        this->window({}, [window] { window->setKiosk(false); }, {});
    }

    /// The page of a group: two regions that differ.
    void regions()
    {
        models::ConnectionController *connection = &m_connection;
        ui::MainWindow *window = &m_window;
        const std::shared_ptr<CaptureRegions> regions = m_regions;
        const auto demo = std::make_shared<sql::ConnectionSettings>();
        this->window(
            {},
            [demo, regions, connection] {
                *demo = connection->settings();
                regions->start();
            },
            readyOrLate(regions));
        // Two servers and their replication take a busy machine longer than one step may.
        this->window({}, {}, readyOrLate(regions));
        this->window({}, {}, [regions] { return regions->ready(); });
        this->window(
            u"regions-members"_s,
            [window, regions] {
                const auto group = models::groupFromFile(regions->groupFile());
                if (!group) {
                    return; // they were not made in time: no picture shows what it should
                }
                models::GroupPlaces places { group->name, group->kind, {} };
                for (const sql::GroupMember &member : group->members) {
                    models::GroupPlace place;
                    place.label = place.settings.name = member.label;
                    place.settings.conninfo = member.conninfo;
                    place.settings.environment = sql::Environment::Staging;
                    places.members += place;
                }
                window->openGroup(places);
                window->showPage(u"regions"_s);
            },
            [connection, window] {
                return connection->targetsLoaded() && window->findChild<ui::DifferencesView *>() != nullptr;
            });
        regionTab(u"regions-keys"_s, u"keys"_s);
        regionTab(u"regions-trends"_s, u"trends"_s);
        differences();
        regionTab(u"regions-replication"_s, u"replication"_s);
        this->window({}, {}, [window] {
            const auto *view = window->findChild<ui::ReplicationView *>();
            return view->controller()->loaded() && !view->controller()->busy();
        });
        actionsOfAll();
        complaintOfAll();
        other({}, demo, u"incident"_s, [](sql::ConnectionSettings &) {});
    }

    /// True once they are there, and after a while in any case.
    static std::function<bool()> readyOrLate(const std::shared_ptr<CaptureRegions> &regions)
    {
        constexpr int kWaitMs = 15'000;
        return [regions, since = std::make_shared<QDeadlineTimer>(QDeadlineTimer::Forever)] {
            if (since->isForever()) {
                since->setRemainingTime(kWaitMs);
            }
            return regions->ready() || since->hasExpired();
        };
    }

    /// The plans of both regions, the review, what became of it, and what a purge would take.
    void actionsOfAll()
    {
        ui::MainWindow *window = &m_window;
        const auto view = [window] { return window->regionsPage()->actionView(); };
        const auto planned = [view] { return view()->action()->planned(); };
        const auto plan = [window, view](sql::ActionVerb verb, const QString &filter = {}) {
            window->regionsPage()->showTab(u"act"_s);
            auto *targets = window->findChild<QComboBox *>(u"groupActionTarget"_s);
            targets->setCurrentIndex(targets->findData(u"plpgsql-request"_s));
            view()->setVerb(verb);
            window->findChild<QLineEdit *>(u"groupActionFilter"_s)->setText(filter);
            view()->plan();
        };
        this->window(
            u"regions-recovery"_s, [plan] { plan(sql::ActionVerb::Recover); }, planned);
        const FindDialog find = [view] { return view()->dialog(); };
        dialog(
            u"regions-recovery-dialog"_s, [view] { view()->openReview(); }, find);
        if (m_suffix == u"-dark") { // the last one: no theme after it finds these keys stuck
            recoverAll(find);
        } else { // a few of them, so that the others are stuck still
            close(find);
            this->window(
                {},
                [view, plan] {
                    QStringList keys;
                    for (const models::FrozenKey &key : view()->action()->member(0).plan().change.set.keys.mid(0, 4)) {
                        keys += models::quoteFilterValue(key.key.text);
                    }
                    plan(sql::ActionVerb::Recover, u"key:"_s + keys.join(u','));
                },
                planned);
            this->window(
                {}, [view] { view()->openReview(); }, [find] { return find() != nullptr; });
            recoverAll(find);
        }
        this->window(
            u"regions-purge"_s, [plan] { plan(sql::ActionVerb::Purge); }, planned);
        duplicatesOfAll();
    }

    void recoverAll(const FindDialog &find)
    {
        const auto view = [window = &m_window] { return window->regionsPage()->actionView(); };
        this->window(
            u"regions-recovery-done"_s,
            [find] {
                if (QDialog *dialog = find()) {
                    dialog->findChild<QLineEdit *>(u"actionReason"_s)
                        ->setText(QCoreApplication::translate("Demo", "Workers of both regions were killed"));
                    dialog->findChild<QPushButton *>(u"actionGo"_s)->click();
                }
            },
            [view] { return view()->action()->acted() && !view()->action()->running(); });
    }

    void duplicatesOfAll()
    {
        ui::MainWindow *window = &m_window;
        const auto duplicates = [window] { return window->findChild<ui::GroupDuplicatesView *>()->duplicates(); };
        this->window(
            u"regions-duplicates"_s,
            [window] {
                window->regionsPage()->showTab(u"duplicates"_s);
                auto *targets = window->findChild<QComboBox *>(u"groupDuplicatesTarget"_s);
                targets->setCurrentIndex(targets->findData(u"plpgsql-request"_s));
                window->findChild<ui::GroupDuplicatesView *>()->search();
            },
            [duplicates] { return !duplicates()->running() && duplicates()->answered() > 0; });
    }

    /// A payment that both regions carried out under one key.
    void complaintOfAll()
    {
        ui::MainWindow *window = &m_window;
        this->window(
            u"regions-complaint"_s,
            [window] {
                window->showPage(u"complaints"_s);
                window->complaintsPage()->clear();
                window->findChild<QLineEdit *>(u"complaintAmount"_s)->setText(u"7.20"_s);
                window->complaintsPage()->ask();
            },
            [window] {
                const auto *complaint = window->workspace()->complaint();
                return complaint->answered() && !complaint->busy();
            });
        this->window({}, [window] { window->complaintsPage()->clear(); }, {});
    }

    void regionTab(const QString &name, const QString &tab)
    {
        ui::MainWindow *window = &m_window;
        this->window(
            name,
            [window, tab] {
                window->regionsPage()->showTab(tab);
                for (QComboBox *targets : window->regionsPage()->findChildren<QComboBox *>()) {
                    const int request = targets->findData(u"plpgsql-request"_s);
                    if (targets->isVisible() && request >= 0 && targets->currentIndex() != request) {
                        targets->setCurrentIndex(request);
                        emit targets->activated(request);
                    }
                }
            },
            settled());
    }

    /// True some time after it was asked first.
    static std::function<bool()> settled()
    {
        return [since = std::make_shared<QDeadlineTimer>(QDeadlineTimer::Forever)] {
            if (since->isForever()) {
                since->setRemainingTime(kGroupListMs);
            }
            return since->hasExpired();
        };
    }

    /// What differs, and one key that was done twice; the same in a small window.
    void differences()
    {
        ui::MainWindow *window = &m_window;
        const auto compared = [window] {
            const auto *regions = window->findChild<ui::DifferencesView *>()->controller();
            return regions->stage() == models::RegionController::Stage::Done && !regions->detail()->busy();
        };
        this->window(
            u"regions-differences"_s,
            [window] {
                window->regionsPage()->showTab(u"differences"_s);
                auto *targets = window->findChild<QComboBox *>(u"differencesTarget"_s);
                targets->setCurrentIndex(targets->findData(u"plpgsql-request"_s));
                window->findChild<ui::DifferencesView *>()->compare();
            },
            compared);
        this->window(
            u"regions-differences-detail"_s,
            [window] { window->findChild<QToolButton *>(u"difference_results"_s)->click(); }, compared);
        this->window(
            u"regions-differences-small"_s, [window] { window->resize(1024, 700); }, settled());
        this->window({}, [window] { window->resize(1360, 840); }, {});
    }

    /// A page of another connection, once its tables are known.
    void other(const QString &name, const std::shared_ptr<sql::ConnectionSettings> &demo, const QString &page,
        const std::function<void(sql::ConnectionSettings &)> &change)
    {
        models::ConnectionController *connection = &m_connection;
        ui::MainWindow *window = &m_window;
        this->window(
            name,
            [window, connection, demo, change, page] {
                sql::ConnectionSettings settings = *demo;
                change(settings);
                connection->connectTo(settings);
                window->showPage(page);
            },
            [window, connection] {
                const models::TriageController *triage = window->triage();
                const bool keys = (triage->loaded() || triage->error()) && !triage->busy();
                return connection->targetsLoaded() && window->actions()->statusKnown()
                    && (connection->targets().isEmpty() || window->currentPage() != u"recovery"_s || keys)
                    && (connection->targets().isEmpty() || window->currentPage() != u"incident"_s
                        || window->incidentPage()->complete());
            });
    }

    /// An action above the limit of its table: what its operator sees, and what the one sees who decides.
    void approvals(const std::shared_ptr<sql::ConnectionSettings> &demo)
    {
        ui::MainWindow *window = &m_window;
        this->window(
            {},
            [window] {
                window->showPage(u"purge"_s);
                window->purgePage()->showTarget(u"plpgsql-request"_s);
                window->purgePage()->plan();
            },
            [window] { return window->purge()->planned().has_value(); });
        this->window(
            u"approval-asked"_s,
            [window] {
                window->purgePage()->openDialog();
                if (auto *dialog = window->purgePage()->dialog()) {
                    dialog->findChild<QLineEdit *>(u"actionReason"_s)
                        ->setText(QCoreApplication::translate("Demo", "Keys past their retention"));
                    dialog->findChild<QPushButton *>(u"actionGo"_s)->click();
                }
                window->showPage(u"audit"_s);
                window->auditPage()->showTab(u"actions"_s);
            },
            [window] { return requested(window) != nullptr; });
        other({}, demo, u"audit"_s,
            [](sql::ConnectionSettings &settings) { settings.conninfo += u" user=demo_approver"_s; });
        this->window(
            u"approval-given"_s,
            [window] {
                auto *actions = window->findChild<QTableView *>(u"auditActions"_s);
                actions->selectRow(0);
            },
            [window] { return requested(window) != nullptr && counted(window); });
        this->window(
            {},
            [window] {
                if (const sql::ActionRecord *asked = requested(window)) {
                    window->actions()->decide(asked->id, false, QCoreApplication::translate("Demo", "Next week"));
                }
            },
            [window] { return requested(window) == nullptr; });
    }

    /// What the approver decides on is there: the rows as they are now.
    static bool counted(ui::MainWindow *window)
    {
        const auto *preview = window->auditPage()->findChild<models::ApprovalPreview *>();
        return preview != nullptr && !preview->counting();
    }

    /// The action that waits for approval, or null.
    static const sql::ActionRecord *requested(ui::MainWindow *window)
    {
        for (const sql::ActionRecord &action : window->actions()->history()->rows()) {
            if (action.state == sql::ActionState::Requested) {
                return &action;
            }
        }
        return nullptr;
    }

    void ways()
    {
        ui::MainWindow *window = &m_window;
        const FindDialog palette = named(u"commandPalette"_s);
        dialog(
            u"palette"_s, [window] { window->palette()->open(); }, palette);
        dialog(
            u"palette-search"_s, [palette] { palette()->findChild<QLineEdit *>(u"paletteTyped"_s)->setText(u"re"_s); },
            palette);
        close(palette);
        const FindDialog shortcuts = named(u"shortcutsDialog"_s);
        dialog(
            u"shortcuts"_s, [window] { window->commands()->find(u"help.shortcuts"_s)->action->trigger(); }, shortcuts);
        close(shortcuts);
        const FindDialog roles = named(u"rolesDialog"_s);
        dialog(
            u"roles"_s, [window] { window->openRoles(); }, roles,
            [roles] { return roles()->findChild<QTableView *>(u"rolesTable"_s)->model()->rowCount() > 0; });
        close(roles);
    }

    /// The pages that are looked at most, on a small screen, on a dense one, with large text and in high contrast.
    void screens(models::Settings &settings, models::Theme theme, models::Theme contrast)
    {
        ui::MainWindow *window = &m_window;
        const QSize usual = window->size();
        models::Settings *kept = &settings;
        const auto walk = [this, window](const QString &ending, int scale) {
            for (const QString &page : { u"incident"_s, u"keys"_s, u"recovery"_s, u"cache"_s, u"provider"_s }) {
                m_script.add({ page + ending + m_suffix, [window, page] { window->showPage(page); },
                    [window] { return !window->triage()->busy() && !window->browser()->busy(); },
                    [window] { return window; }, false, scale });
            }
        };
        walk(u"-scale2"_s, 2);
        this->window({}, [window] { window->resize(1024, 700); }, {});
        walk(u"-1024"_s, 1);
        this->window({},
            [window, usual, kept] {
                window->resize(usual);
                kept->setTextZoom(140);
            },
            {});
        walk(u"-large-text"_s, 1);
        this->window({},
            [kept, contrast] {
                kept->setTextZoom(100);
                kept->setTheme(contrast);
            },
            {});
        walk(u"-contrast"_s, 1);
        this->window({}, [kept, theme] { kept->setTheme(theme); }, {});
    }

    void incident()
    {
        ui::MainWindow *window = &m_window;
        models::ConnectionController *connection = &m_connection;
        this->window(
            u"incident"_s, [window] { window->showPage(u"incident"_s); },
            [window, connection] {
                return connection->targetsLoaded() && window->incidentPage()->complete() && window->alerts()->judged();
            });
        const auto *overview = window->workspace()->overview();
        this->window(
            u"incident-scopes"_s,
            [window] {
                auto *tables = window->findChild<QTableView *>(u"incidentTables"_s);
                emit tables->activated(tables->model()->index(0, 0));
            },
            [overview] { return overview->scopes()->rowCount() > 0 && !overview->busy(); });
        this->window({}, [window] { window->findChild<QToolButton *>(u"scopesClose"_s)->click(); }, {});
    }

    void list()
    {
        ui::MainWindow *window = &m_window;
        keys(u"keys"_s, u"plpgsql-request"_s, {}, true);
        keys(u"keys-stale"_s, u"plpgsql-request"_s, u"state:stuck attempts>=3"_s, true);
        detail(u"detail-story"_s, u"story"_s);
        detail(u"detail-record"_s, u"record"_s);
        const FindDialog find = named(u"caseDialog"_s);
        dialog(
            u"verdict"_s, [window] { window->keysPage()->openCase(); }, find,
            [find] { return find()->findChild<QLabel *>(u"caseFact"_s) != nullptr; });
        close(find);
        keys({}, u"plpgsql-request"_s, u"state:succeeded"_s, true);
        detail(u"detail-json"_s, u"json"_s);
        keys(u"keys-filter-error"_s, u"plpgsql-request"_s, u"state:stuck attempts>=many"_s, false);
        keys(u"keys-no-match"_s, u"plpgsql-request"_s, u"key:no-such-key-anywhere"_s, false);
        keys(u"keys-inbox-failed"_s, u"command-inbox"_s, u"state:failed_final,failed_retryable"_s, true);
        keys(u"keys-outbox"_s, u"plpgsql-outbox"_s, u"state:pending"_s, false);
    }

    /// What every walk begins with, pictures or not: a window whose tables are known.
    void ready()
    {
        ui::MainWindow *window = &m_window;
        models::ConnectionController *connection = &m_connection;
        this->window(
            {}, [window] { window->showPage(u"incident"_s); },
            [connection, window] { return connection->targetsLoaded() && window->incidentPage()->complete(); });
    }

    void conflicts() { addConflictStops(m_script, m_window, m_suffix); }
    void complaints() { addComplaintStops(m_script, m_window, m_suffix); }

    void cache() { addCacheStops(m_script, m_window, m_suffix); }
    void provider() { addProviderStops(m_script, m_window, m_suffix); }

    void screens()
    {
        const bool dark = m_suffix == u"-dark";
        screens(m_settings, dark ? models::Theme::Dark : models::Theme::Light,
            dark ? models::Theme::ContrastDark : models::Theme::ContrastLight);
    }

private:
    CaptureScript &m_script;
    ui::MainWindow &m_window;
    models::ConnectionController &m_connection;
    models::Settings &m_settings;
    std::shared_ptr<CaptureStandby> m_standby;
    std::shared_ptr<CaptureRegions> m_regions;
    QString m_suffix;
};

/// A page or a few that belong together, in the order of the walk.
struct CapturePart {
    const char *name;
    void (Stops::*add)();
};

constexpr CapturePart kCaptureParts[] {
    { "incident", &Stops::incident },
    { "keys", &Stops::list },
    { "recovery", &Stops::recovery },
    { "purge", &Stops::purge },
    { "conflicts", &Stops::conflicts },
    { "complaints", &Stops::complaints },
    { "trends", &Stops::trends },
    { "health", &Stops::health },
    { "runbooks", &Stops::runbooks },
    { "audit", &Stops::audit },
    { "activity", &Stops::activity },
    { "cache", &Stops::cache },
    { "provider", &Stops::provider },
    { "connecting", &Stops::connecting },
    { "help", &Stops::explaining },
    { "palette", &Stops::ways },
    { "screens", &Stops::screens },
    { "others", &Stops::others },
    { "regions", &Stops::regions },
};

} // namespace

QStringList captureParts()
{
    QStringList names { u"light"_s, u"dark"_s };
    for (const CapturePart &part : kCaptureParts) {
        names += QString::fromLatin1(part.name);
    }
    return names;
}

void addDemoStops(CaptureScript &script, ui::MainWindow &window, models::ConnectionController &connection,
    models::Settings &settings, const QStringList &parts)
{
    const std::pair<models::Theme, QString> themes[]
        = { { models::Theme::Light, u"light"_s }, { models::Theme::Dark, u"dark"_s } };
    const auto oneTheme = [&parts] { return parts.contains(u"light") || parts.contains(u"dark"); };
    const auto onePart = [&parts] {
        return std::any_of(std::begin(kCaptureParts), std::end(kCaptureParts),
            [&parts](const CapturePart &part) { return parts.contains(QLatin1StringView(part.name)); });
    };
    const auto standby = std::make_shared<CaptureStandby>(); // one for both: it has one place
    const auto regions = std::make_shared<CaptureRegions>();
    for (const auto &[theme, name] : themes) {
        if (oneTheme() && !parts.contains(name)) {
            continue;
        }
        script.add({ {}, [&settings, chosen = theme] { settings.setTheme(chosen); }, {}, {} });
        Stops stops(script, window, connection, settings, standby, regions, u'-' + name);
        stops.ready();
        for (const CapturePart &part : kCaptureParts) {
            if (!onePart() || parts.contains(QLatin1StringView(part.name))) {
                (stops.*part.add)();
            }
        }
    }
}

} // namespace idemdesk::app
