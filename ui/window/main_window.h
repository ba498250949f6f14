// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/connection.h"

#include <QMainWindow>
#include <QPointer>

class QLabel;
class QStackedWidget;

namespace idemdesk::models {
class ActivityController;
class ConnectionController;
class ExportController;
class KeyBrowserController;
class KeyDetailController;
class MappingController;
class OverviewController;
class SavedConnections;
class SecretStore;
class Settings;
}

namespace idemdesk::ui {

class ActivityPage;
class AddTableDialog;
class ConnectDialog;
class ConnectionBand;
class KeysPage;
class NoticeBar;
class OverviewPage;
class Rail;
class StatusLine;

/// What the window works with; all of it outlives the window.
struct WindowServices {
    models::ConnectionController *connection = nullptr;
    models::SavedConnections *saved = nullptr;
    models::SecretStore *secrets = nullptr;
    models::Settings *settings = nullptr;
    QString libpqVersion; ///< for the About dialog
};

/// The console's window, one per connection set: puts the parts together and leads from one to the other.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const WindowServices &services, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// "overview", "keys" or "activity".
    void showPage(const QString &id);
    QString currentPage() const { return m_page; }
    void openConnect();
    void openAddTable();

    KeysPage *keysPage() const { return m_keys; }
    OverviewPage *overviewPage() const { return m_overviewPage; }
    ConnectDialog *connectDialog() const;
    AddTableDialog *addTableDialog() const;
    models::KeyBrowserController *browser() const { return m_browser; }
    models::KeyDetailController *detail() const { return m_detail; }
    models::MappingController *mapping() const { return m_mapping; }

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    void buildMenus();
    void wire();
    void onDatabaseChanged();
    void onTargetsChanged();
    void onConnectionState();
    void onSummaries();
    void applyTimeDisplay();
    void applyAutoRefresh();
    void refreshPage();

    WindowServices m_services;
    models::KeyBrowserController *m_browser;
    models::KeyDetailController *m_detail;
    models::ExportController *m_exporter;
    models::OverviewController *m_overview;
    models::ActivityController *m_activity;
    models::MappingController *m_mapping;
    ConnectionBand *m_band;
    NoticeBar *m_notice;
    Rail *m_rail;
    QStackedWidget *m_pages;
    OverviewPage *m_overviewPage;
    KeysPage *m_keys;
    ActivityPage *m_activityPage;
    StatusLine *m_status;
    QPointer<ConnectDialog> m_connectDialog;
    QPointer<AddTableDialog> m_addTableDialog;
    QString m_page;
};

} // namespace idemdesk::ui
