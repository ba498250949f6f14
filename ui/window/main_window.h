// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/connection.h"

#include <QHash>
#include <QMainWindow>
#include <QPointer>

class QLabel;
class QStackedWidget;

namespace idemdesk::models {
class ActionCenter;
class ActivityController;
class AlertController;
class AuditController;
class ConflictController;
class ConnectionController;
class ConsoleSetup;
class ExportController;
class Glance;
class HealthController;
class KeyBrowserController;
class KeyDetailController;
class MappingController;
class OverviewController;
class Preparation;
class PurgeController;
class SavedConnections;
class SecretStore;
class Settings;
class Sampler;
class TrendController;
class TriageController;
}

namespace idemdesk::ui {

class ActionStrip;
class ActivityPage;
class AddTableDialog;
class AuditPage;
class ConnectDialog;
class ConflictTabs;
class ConflictsPage;
class ConnectionBand;
class HealthPage;
class KeysPage;
class NoticeBar;
class OverviewPage;
class PreparationPage;
class PurgePage;
class TrendsPage;
class Rail;
class RecoveryPage;
class StatusLine;

/// What the window works with; all of it outlives the window.
struct WindowServices {
    models::ConnectionController *connection = nullptr;
    models::SavedConnections *saved = nullptr;
    models::SecretStore *secrets = nullptr;
    models::Settings *settings = nullptr;
    QString libpqVersion; ///< for the About dialog
    QString actionJournal; ///< file that remembers what was asked of servers
    QString anchors; ///< file with the newest row of each trail this computer has seen
    QString localSamples; ///< file with samples of tables that are not registered; empty: none are taken
    QString localConflicts; ///< file with what logs told of databases without the console schema
};

/// The console's window, one per connection set: puts the parts together and leads from one to the other.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const WindowServices &services, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// "overview", "keys", "recovery", "purge", "conflicts", "trends", "activity", "health" or "audit".
    void showPage(const QString &id);
    QString currentPage() const { return m_page; }
    /// While it is under way, failed or cancelled, its page stands in front of all others; a connection ends that.
    void showPreparation(models::Preparation *preparation);
    void openConnect();
    void openAddTable();
    void showRows(const QString &action); ///< what an action did, row by row
    void openInstall();
    void openSampling();
    void openRegister(const QString &target);

    KeysPage *keysPage() const { return m_keys; }
    OverviewPage *overviewPage() const { return m_overviewPage; }
    RecoveryPage *recoveryPage() const { return m_recovery; }
    PurgePage *purgePage() const { return m_purge; }
    TrendsPage *trendsPage() const { return m_trendsPage; }
    HealthPage *healthPage() const { return m_healthPage; }
    AuditPage *auditPage() const { return m_auditPage; }
    models::AuditController *audit() const { return m_audit; }
    models::ActionCenter *actions() const { return m_actions; }
    models::TriageController *triage() const { return m_triage; }
    models::PurgeController *purge() const { return m_purger; }
    models::TrendController *trends() const { return m_trends; }
    models::ConflictController *conflicts() const { return m_conflicts; }
    ConflictTabs *conflictTabs() const { return m_conflictTabs; }
    ConflictsPage *conflictsPage() const;
    models::AlertController *alerts() const { return m_alerts; }
    models::HealthController *health() const { return m_health; }
    models::Sampler *sampler() const { return m_sampler; }
    ConnectDialog *connectDialog() const;
    AddTableDialog *addTableDialog() const;
    models::KeyBrowserController *browser() const { return m_browser; }
    models::KeyDetailController *detail() const { return m_detail; }
    models::MappingController *mapping() const { return m_mapping; }

signals:
    /// An alert rule began to fire, for a notification of the desktop. Plain text; may hold names from the database.
    void alertRaised(const QString &title, const QString &text);

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    void buildMenus();
    void wireActions();
    void wire();
    void onDatabaseChanged();
    void onTargetsChanged();
    void onConnectionState();
    void onPreparation();
    void onSummaries();
    void onHealth();
    void applyTimeDisplay();
    void applyAutoRefresh();
    void refreshPage();
    void onActions();
    void chooseSampled();
    void askToPause();

    WindowServices m_services;
    models::KeyBrowserController *m_browser;
    models::KeyDetailController *m_detail;
    models::ExportController *m_exporter;
    models::OverviewController *m_overview;
    models::Glance *m_glance;
    models::ActivityController *m_activity;
    models::MappingController *m_mapping;
    models::ActionCenter *m_actions;
    models::TriageController *m_triage;
    models::PurgeController *m_purger;
    models::TrendController *m_trends;
    models::Sampler *m_sampler;
    models::ConflictController *m_conflicts;
    models::HealthController *m_health;
    models::AlertController *m_alerts;
    models::AuditController *m_audit;
    models::ConsoleSetup *m_setup;
    ConnectionBand *m_band;
    NoticeBar *m_notice;
    Rail *m_rail;
    QStackedWidget *m_front; ///< the pages with their rail, or what must be made before them
    QStackedWidget *m_pages;
    PreparationPage *m_preparationPage;
    QPointer<models::Preparation> m_preparation;
    OverviewPage *m_overviewPage;
    KeysPage *m_keys;
    RecoveryPage *m_recovery;
    PurgePage *m_purge;
    ConflictTabs *m_conflictTabs;
    TrendsPage *m_trendsPage;
    ActivityPage *m_activityPage;
    HealthPage *m_healthPage;
    AuditPage *m_auditPage;
    ActionStrip *m_strip;
    QHash<QString, QWidget *> m_pageById;
    StatusLine *m_status;
    QPointer<ConnectDialog> m_connectDialog;
    QPointer<AddTableDialog> m_addTableDialog;
    QString m_page;
};

} // namespace idemdesk::ui
