// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "models/actions/action_center.h"
#include "models/activity/activity_controller.h"
#include "models/alerts/alert_controller.h"
#include "models/audit/audit_controller.h"
#include "models/conflicts/conflict_controller.h"
#include "models/connection/connection_controller.h"
#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"
#include "models/console/console_setup.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/health/health_controller.h"
#include "models/keys/export_controller.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_detail.h"
#include "models/keys/key_table_model.h"
#include "models/mapping/mapping_controller.h"
#include "models/overview/glance.h"
#include "models/overview/overview_controller.h"
#include "models/preparation.h"
#include "models/purge/purge_controller.h"
#include "models/settings.h"
#include "models/trends/sampler.h"
#include "models/trends/trend_controller.h"
#include "models/triage/triage_controller.h"
#include "ui/dialogs/add_table_dialog.h"
#include "ui/dialogs/connect_dialog.h"
#include "ui/pages/activity_page.h"
#include "ui/pages/audit_page.h"
#include "ui/pages/conflict_tabs.h"
#include "ui/pages/health_page.h"
#include "ui/pages/keys_page.h"
#include "ui/pages/overview_page.h"
#include "ui/pages/preparation_page.h"
#include "ui/pages/purge_page.h"
#include "ui/pages/recovery_page.h"
#include "ui/pages/trends_page.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_tool_tips.h"
#include "ui/window/action_strip.h"
#include "ui/window/connection_band.h"
#include "ui/window/rail.h"
#include "ui/window/status_line.h"

#include <QCloseEvent>
#include <QStackedWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

MainWindow::MainWindow(const WindowServices &services, QWidget *parent)
    : QMainWindow(parent)
    , m_services(services)
    , m_browser(new models::KeyBrowserController(this))
    , m_detail(new models::KeyDetailController(this))
    , m_exporter(new models::ExportController(this))
    , m_overview(new models::OverviewController(this))
    , m_glance(new models::Glance(this))
    , m_activity(new models::ActivityController(this))
    , m_mapping(new models::MappingController(services.connection->profileFolder(), this))
    , m_actions(new models::ActionCenter(services.actionJournal, this))
    , m_triage(new models::TriageController(this))
    , m_purger(new models::PurgeController(this))
    , m_trends(new models::TrendController(this))
    , m_sampler(new models::Sampler(this))
    , m_conflicts(new models::ConflictController(this))
    , m_health(new models::HealthController(this))
    , m_alerts(new models::AlertController(this))
    , m_audit(new models::AuditController(services.anchors, this))
    , m_setup(new models::ConsoleSetup(this))
    , m_band(new ConnectionBand(services.connection, this))
    , m_notice(new NoticeBar(this))
    , m_rail(new Rail(this))
    , m_front(new QStackedWidget(this))
    , m_pages(new QStackedWidget(this))
    , m_preparationPage(new PreparationPage(this))
    , m_overviewPage(new OverviewPage(services.connection, m_overview, m_glance, services.settings, this))
    , m_keys(new KeysPage(services.connection, m_browser, m_detail, m_exporter, services.settings, this))
    , m_recovery(new RecoveryPage(services.connection, m_triage, m_actions, services.settings, this))
    , m_purge(new PurgePage(services.connection, m_purger, m_actions, services.settings, this))
    , m_conflictTabs(new ConflictTabs(services.connection, m_conflicts, services.settings, this))
    , m_trendsPage(new TrendsPage(services.connection, m_trends, services.settings, this))
    , m_activityPage(new ActivityPage(services.connection, m_activity, m_actions, services.settings, this))
    , m_healthPage(new HealthPage(services.connection, m_health, m_alerts, services.settings, this))
    , m_auditPage(new AuditPage(services.connection, m_actions, m_audit, services.settings, this))
    , m_strip(new ActionStrip(m_actions, this))
    , m_status(new StatusLine(m_browser, this))
{
    setObjectName(u"mainWindow"_s);
    PlainToolTips::install();
    setWindowTitle(tr("Idemdesk"));
    setWindowIcon(applicationIcon());
    m_notice->setObjectName(u"connectionNotice"_s);
    // The numbers belong to the pages, whether or not their neighbours are there.
    const auto addPage = [this](const QString &id, const QString &title, const QString &icon, int number, QWidget *page) {
        m_rail->addPage(id, title, icon, number);
        m_pages->addWidget(page);
        m_pageById.insert(id, page);
    };
    addPage(u"overview"_s, tr("Overview"), u"overview"_s, 1, m_overviewPage);
    addPage(u"keys"_s, tr("Keys"), u"keys"_s, 2, m_keys);
    addPage(u"recovery"_s, tr("Recovery"), u"recovery"_s, 3, m_recovery);
    addPage(u"purge"_s, tr("Purge"), u"purge"_s, 4, m_purge);
    addPage(u"conflicts"_s, tr("Conflicts"), u"conflicts"_s, 5, m_conflictTabs);
    addPage(u"trends"_s, tr("Trends"), u"trends"_s, 6, m_trendsPage);
    addPage(u"activity"_s, tr("Activity"), u"activity"_s, 7, m_activityPage);
    addPage(u"health"_s, tr("Health"), u"health"_s, 8, m_healthPage);
    addPage(u"audit"_s, tr("Audit"), u"audit"_s, 9, m_auditPage);

    auto *paged = new QWidget(this);
    auto *middle = new QHBoxLayout(paged);
    middle->setContentsMargins(0, 0, 0, 0);
    middle->setSpacing(0);
    middle->addWidget(m_rail);
    middle->addWidget(m_pages, 1);
    m_front->addWidget(paged);
    m_front->addWidget(m_preparationPage);
    auto *central = new QWidget(this);
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_band);
    layout->addWidget(m_notice);
    layout->addWidget(m_front, 1);
    layout->addWidget(m_strip);
    layout->addWidget(m_status);
    setCentralWidget(central);
    buildMenus();
    wire();
    const QByteArray geometry = services.settings->layout(u"window/geometry"_s);
    if (geometry.isEmpty() || !restoreGeometry(geometry)) {
        resize(1280, 800);
    }
    showPage(u"overview"_s);
    onDatabaseChanged();
    onTargetsChanged();
    applyTimeDisplay();
}

MainWindow::~MainWindow() = default;

ConflictsPage *MainWindow::conflictsPage() const { return m_conflictTabs->conflictsPage(); }

void MainWindow::wire()
{
    models::ConnectionController *connection = m_services.connection;
    connect(connection, &models::ConnectionController::databaseChanged, this, &MainWindow::onDatabaseChanged);
    connect(connection, &models::ConnectionController::targetsChanged, this, &MainWindow::onTargetsChanged);
    connect(connection, &models::ConnectionController::stateChanged, this, &MainWindow::onConnectionState);
    connect(connection, &models::ConnectionController::factsChanged, this, &MainWindow::onConnectionState);
    connect(connection, &models::ConnectionController::factsChanged, this, &MainWindow::applyTimeDisplay);
    connect(m_services.settings, &models::Settings::timeDisplayChanged, this, &MainWindow::applyTimeDisplay);
    connect(m_services.settings, &models::Settings::autoRefreshChanged, this, &MainWindow::applyAutoRefresh);
    connect(m_services.settings, &models::Settings::themeChanged, this, [this] {
        if (Theme::instance() != nullptr) {
            Theme::instance()->apply(m_services.settings->theme());
        }
    });
    connect(m_band, &ConnectionBand::connectClicked, this, &MainWindow::openConnect);
    connect(m_band, &ConnectionBand::reconnectClicked, connection, &models::ConnectionController::reconnectNow);
    connect(m_rail, &Rail::chosen, this, &MainWindow::showPage);
    connect(m_overviewPage, &OverviewPage::keysWanted, this, [this](const QString &target, const QString &filter) {
        showPage(u"keys"_s);
        m_keys->showTarget(target, filter);
    });
    connect(m_trendsPage, &TrendsPage::keysWanted, this, [this](const QString &target, const QString &filter) {
        showPage(u"keys"_s);
        m_keys->showTarget(target, filter);
    });
    connect(m_trendsPage, &TrendsPage::connectClicked, this, &MainWindow::openConnect);
    connect(m_healthPage, &HealthPage::connectClicked, this, &MainWindow::openConnect);
    const auto showTrend = [this](const QString &target, const QString &metric) {
        showPage(u"trends"_s);
        m_trendsPage->showTarget(target);
        models::TrendChoice choice;
        choice.metric = metric;
        choice.source = metric == u"retries" ? sql::TrendSource::Rows : sql::TrendSource::Samples; // what is told by the minute alone
        m_trends->choose(choice);
    };
    connect(m_healthPage, &HealthPage::trendWanted, this, showTrend);
    connect(m_overviewPage, &OverviewPage::trendWanted, this, showTrend);
    connect(m_health, &models::HealthController::changed, this, &MainWindow::onHealth);
    connect(m_alerts, &models::AlertController::changed, this, &MainWindow::onHealth);
    connect(m_alerts, &models::AlertController::raised, this, &MainWindow::alertRaised);
    connect(m_overviewPage, &OverviewPage::addTableClicked, this, &MainWindow::openAddTable);
    connect(m_overviewPage, &OverviewPage::connectClicked, this, &MainWindow::openConnect);
    connect(m_preparationPage, &PreparationPage::connectClicked, this, &MainWindow::openConnect);
    connect(m_keys, &KeysPage::addTableClicked, this, &MainWindow::openAddTable);
    connect(m_keys, &KeysPage::connectClicked, this, &MainWindow::openConnect);
    connect(m_sampler, &models::Sampler::sampled, this, [this](const QString &target) {
        const models::TargetEntry *entry = m_services.connection->target(m_glance->target());
        if (entry != nullptr && target == (entry->registration ? entry->registration->name : entry->target.profile.name)) {
            m_glance->refresh();
        }
    });
    connect(m_overview, &models::OverviewController::summariesChanged, this, &MainWindow::onSummaries);
    wireActions();
}

void MainWindow::onDatabaseChanged()
{
    sql::Database *database = m_services.connection->database();
    m_browser->setDatabase(database);
    m_detail->setDatabase(database);
    m_exporter->setDatabase(database);
    m_overview->setDatabase(database);
    m_glance->setDatabase(database);
    m_activity->setDatabase(database);
    m_mapping->setDatabase(database);
    m_triage->setDatabase(database);
    m_purger->setDatabase(database);
    m_trends->setDatabase(database);
    m_sampler->setDatabase(database);
    m_conflicts->setDatabase(database);
    m_health->setDatabase(database);
    m_alerts->setDatabase(database);
    m_audit->setDatabase(database);
    m_setup->setDatabase(database);
    const sql::ConnectionSettings &settings = m_services.connection->settings();
    m_actions->setDatabase(database, settings.readOnly, settings.environment == sql::Environment::Production);
    onConnectionState();
    onPreparation();
}

void MainWindow::onTargetsChanged()
{
    QList<sql::Target> targets;
    for (const models::TargetEntry &entry : m_services.connection->targets()) {
        targets += entry.target;
    }
    m_overview->setTargets(targets);
    m_activity->setTargets(targets);
    m_health->setTargets(targets, m_services.connection->problems());
    m_conflicts->setTargets(m_services.connection->targets(), m_services.connection->problems());
    chooseSampled();
    m_alerts->setTargets(m_services.connection->targets(), m_services.connection->problems());
}

void MainWindow::onConnectionState()
{
    models::ConnectionController *connection = m_services.connection;
    const sql::LinkState state = connection->state();
    const QStringList notices = connection->notices();
    if (connection->database() != nullptr && connection->error() && state != sql::LinkState::Connected && connection->everConnected()) {
        m_notice->showError(*connection->error());
    } else if (!notices.isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Info, notices.first(), notices.mid(1).join(u' '));
    } else {
        m_notice->clear();
    }
    setWindowTitle(connection->database() != nullptr ? tr("%1 – Idemdesk").arg(connection->title()) : tr("Idemdesk"));
    if (m_connectDialog != nullptr && connection->database() != nullptr) {
        m_connectDialog->setBusy(state == sql::LinkState::Connecting);
        if (state == sql::LinkState::Connected) {
            m_connectDialog->accept();
        } else if (connection->error() && state == sql::LinkState::Failed) {
            m_connectDialog->showError(*connection->error());
        }
    } else if (connection->error() && state == sql::LinkState::Failed && !connection->everConnected()) {
        m_notice->showError(*connection->error());
    }
}

void MainWindow::showPreparation(models::Preparation *preparation)
{
    m_preparation = preparation;
    m_preparationPage->setPreparation(preparation);
    connect(preparation, &models::Preparation::changed, this, &MainWindow::onPreparation);
    onPreparation();
}

void MainWindow::onPreparation()
{
    // Somebody may connect to something else meanwhile.
    const bool shown
        = m_preparation != nullptr && m_preparation->shown() && m_services.connection->database() == nullptr;
    m_front->setCurrentIndex(shown ? 1 : 0);
}

void MainWindow::onSummaries()
{
    const qint64 stale = m_overview->staleCount();
    m_rail->setCount(u"overview"_s, stale, tr("%n key(s) are stale.", nullptr, static_cast<int>(std::min<qint64>(stale, 1'000'000))));
}

void MainWindow::onHealth()
{
    const qsizetype problems = m_health->model()->problems();
    const qsizetype firing = m_alerts->firing();
    QStringList texts;
    if (firing > 0) {
        texts += tr("%n alert(s) firing.", nullptr, int(firing));
    }
    if (problems > 0) {
        texts += tr("%n problem(s) in the health report.", nullptr, int(problems));
    }
    const bool partly = !m_health->read();
    if (partly) {
        texts += tr("The health report was not made yet for all tables.");
    }
    m_rail->setCount(u"health"_s, problems + firing, texts.join(u' '), partly);
}

void MainWindow::applyTimeDisplay()
{
    const models::TimeFormat format(m_services.settings->timeDisplay(), m_services.connection->facts().timeZone);
    m_browser->setTimeFormat(format);
    m_detail->setTimeFormat(format);
    m_overview->setTimeFormat(format);
    m_purger->setTimeFormat(format);
    m_trends->setTimeFormat(format);
    m_alerts->model()->setTimeFormat(format);
    m_conflictTabs->setTimeFormat(format);
    m_audit->model()->setTimeFormat(format);
    m_actions->history()->setTimeFormat(format);
    m_status->update();
}

void MainWindow::showPage(const QString &id)
{
    m_page = m_pageById.contains(id) ? id : u"overview"_s;
    QWidget *page = m_pageById.value(m_page);
    m_pages->setCurrentWidget(page);
    m_rail->setCurrent(m_page);
    m_status->setKeysShown(page == m_keys);
    m_activity->setAutoRefresh(page == m_activityPage ? 2 : 0);
    applyAutoRefresh();
    if (page == m_activityPage) {
        m_activity->refresh();
    } else if (page == m_recovery) {
        m_recovery->activate();
    } else if (page == m_trendsPage) {
        m_trendsPage->activate();
    } else if (page == m_conflictTabs) {
        m_conflictTabs->activate();
    } else if (page == m_healthPage) {
        m_healthPage->activate();
    } else if (page == m_auditPage) {
        m_auditPage->activate();
    }
}

void MainWindow::applyAutoRefresh()
{
    // The overview counts whole tables: not as often as a list is read.
    const int seconds = m_services.settings->autoRefresh();
    m_overview->setAutoRefresh(seconds > 0 && m_page == u"overview"_s ? std::max(15, seconds) : 0);
}

void MainWindow::refreshPage()
{
    if (m_page == u"keys"_s) {
        m_browser->refresh();
        m_detail->refresh();
    } else if (m_page == u"recovery"_s) {
        m_triage->refresh();
        m_actions->refresh();
    } else if (m_page == u"purge"_s) {
        m_purge->plan();
        m_actions->refresh();
    } else if (m_page == u"audit"_s) {
        m_actions->refresh();
        m_audit->refresh();
    } else if (m_page == u"activity"_s) {
        m_activity->refresh();
    } else if (m_page == u"trends"_s) {
        m_trends->refresh();
    } else if (m_page == u"conflicts"_s) {
        m_conflictTabs->refresh();
    } else if (m_page == u"health"_s) {
        m_health->refresh();
        m_alerts->refresh();
    } else {
        m_overview->refresh();
        m_glance->refresh();
    }
}

ConnectDialog *MainWindow::connectDialog() const
{
    return m_connectDialog;
}

AddTableDialog *MainWindow::addTableDialog() const
{
    return m_addTableDialog;
}

void MainWindow::openConnect()
{
    if (m_connectDialog == nullptr) {
        m_connectDialog = new ConnectDialog(m_services.saved, m_services.secrets, this);
        m_connectDialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_connectDialog, &ConnectDialog::connectRequested, m_services.connection, &models::ConnectionController::connectTo);
        connect(m_connectDialog, &QDialog::rejected, this, [this] {
            if (m_services.connection->state() == sql::LinkState::Connecting) {
                m_services.connection->disconnectNow(); // closing the dialog means giving up
            }
        });
        m_browser->hold();
        m_overview->hold();
        connect(m_connectDialog, &QDialog::finished, this, [this] {
            m_browser->release();
            m_overview->release();
        });
    }
    m_connectDialog->open();
}

void MainWindow::openAddTable()
{
    if (m_services.connection->database() == nullptr) {
        openConnect();
        return;
    }
    if (m_addTableDialog == nullptr) {
        m_addTableDialog = new AddTableDialog(m_mapping, this);
        m_addTableDialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_addTableDialog, &AddTableDialog::saved, this, [this](const QString &path) {
            m_services.connection->addProfileFile(path, true); // the dialog let nothing be saved that was not confirmed
        });
        QList<quint32> known;
        for (const models::TargetEntry &entry : m_services.connection->targets()) {
            known += entry.target.relation.oid;
        }
        m_mapping->detect({}, known);
    }
    m_addTableDialog->open();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_services.settings->setLayout(u"window/geometry"_s, saveGeometry());
    if (m_actions->running()) {
        // The server would keep the action open for somebody to resume; a pause says so in the trail.
        event->ignore();
        askToPause();
        return;
    }
    QMainWindow::closeEvent(event);
}

} // namespace idemdesk::ui
