// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/window/window_services.h"

#include <QList>
#include <QMainWindow>
#include <QPointer>
#include <functional>
#include <optional>
#include <utility>

class QStackedWidget;

namespace idemdesk::models {
class ActionCenter;
class AlertController;
class AuditController;
class CacheController;
class ConflictController;
class GroupDesk;
class HealthController;
class KeyBrowserController;
class KeyDetailController;
class MappingController;
class Preparation;
class PurgeController;
class Sampler;
class StatementController;
class TimeFormat;
class TrendController;
class TriageController;
class Workspace;
struct GroupPlaces;
struct RunbookNext;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ActionStrip;
class AddTableDialog;
class AuditPage;
class CommandList;
class ComplaintsPage;
class ConflictsPage;
class ConnectDialog;
class ConnectionBand;
class HealthPage;
class IncidentPage;
class KeysPage;
class NoticeBar;
class PageStack;
class PreparationPage;
class ProviderPage;
class PurgePage;
class Rail;
class Navigator;
class PaletteSource;
class RecoveryPage;
class RegionsPage;
class RunbooksPage;
class StatusLine;
class TrendsPage;
class WindowDialogs;

/// The console's window, one per connection set: puts the parts together and leads from one to the other.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const WindowServices &services, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// By the id of its face: "incident", "keys", …; what is no page shows the first one.
    void showPage(const QString &id);
    QString currentPage() const;
    void refreshPage();
    /// While it is under way, failed or cancelled, its page stands in front of all others; a connection ends that.
    void showPreparation(models::Preparation *preparation);
    /// For a screen on a wall: the first page alone, and it reads by itself.
    void setKiosk(bool kiosk);
    bool kiosk() const { return m_kiosk; }
    void openConnect();
    void openGroups();
    bool hasGroups() const { return m_services.groups != nullptr; }
    /// Opens the members of a group, and the window on one of them.
    void openGroup(const models::GroupPlaces &places);
    void openAddTable();
    void openProfileFile();
    void showRows(const QString &action); ///< what an action did, row by row
    void openInstall();
    void openSampling();
    void openRoles(); ///< who has which of the console's roles
    void openRegister(const QString &target);

    const QList<Page::Face> &faces() const; ///< of the pages, by their numbers in the rail
    /// Whether there is anything for the page to show; else the window shows it nowhere. offersChanged() says when.
    bool offers(const QString &id) const;
    QString titleOf(const Page::Face &face) const; ///< as the rail has it; new with offersChanged()
    /// Calls with each page as soon as there is one: most are made when they are first shown or asked for.
    void whenPageMade(const std::function<void(Page *)> &then);
    void makePages(); ///< all of them now, for who looks into pages that nobody has shown
    Page *page() const { return m_page; } ///< the one in front
    CommandList *commands() const { return m_commands; }
    Navigator *navigator() const { return m_navigator; }
    PaletteSource *palette() const { return m_palette; }
    KeysPage *keysPage() const { return m_keys; }
    IncidentPage *incidentPage() const { return m_incident; }
    RecoveryPage *recoveryPage() const;
    PurgePage *purgePage() const;
    TrendsPage *trendsPage() const;
    HealthPage *healthPage() const;
    AuditPage *auditPage() const;
    RunbooksPage *runbooksPage() const;
    ComplaintsPage *complaintsPage() const;
    ConflictsPage *conflictsPage() const;
    RegionsPage *regionsPage() const;
    ProviderPage *providerPage() const;
    void suggestStatement(const QString &path); ///< a provider's file to begin with, on the page Provider
    /// Something runs in the members of the group: the window stays with it, and says so.
    bool staysForGroup();
    models::GroupDesk *group() const { return m_group; } ///< the group of the window, if any
    ConnectDialog *connectDialog() const;
    AddTableDialog *addTableDialog() const;

    models::Workspace *workspace() const { return m_work; }
    models::AuditController *audit() const;
    models::ActionCenter *actions() const;
    models::TriageController *triage() const;
    models::PurgeController *purge() const;
    models::TrendController *trends() const;
    models::CacheController *cache() const;
    models::StatementController *statement() const;
    models::ConflictController *conflicts() const;
    models::AlertController *alerts() const;
    models::HealthController *health() const;
    models::Sampler *sampler() const;
    models::KeyBrowserController *browser() const;
    models::KeyDetailController *detail() const;
    models::MappingController *mapping() const;

signals:
    void offersChanged(); ///< a page has something to show now, or has it no longer
    /// An alert rule began to fire, for a notification of the desktop. Plain text; may hold names from the database.
    void alertRaised(const QString &title, const QString &text);
    void pageShown(const QString &id);
    void windowWanted(); ///< another one, for another connection

protected:
    void closeEvent(QCloseEvent *event) override;
    bool focusNextPrevChild(bool next) override; ///< Tab goes as the page is read, see tabOrder()

private:
    void buildPages();
    void layOut();
    void wire();
    void wirePage(Page *page);
    void wirePages();
    void wireEvidence();
    void wireGroup();
    void onGroup(); ///< the window belongs to another group, or to none
    QStringList offeredPages() const;
    void syncOffers();
    void onMember();
    /// Connects the window to a member of its group; false where it could not be, which is said then.
    bool showMember(int member);
    void showMemberKeys(int member, const QString &target, const QString &filter);
    template <typename P> P *bring(); ///< brings the page of this class to the front
    void showKeys(const QString &target, const QString &filter);
    void showRecovery(const QString &target, const QString &filter);
    void showTrend(const QString &target, const QString &metric);
    void showAction(const QString &action);
    void showPlace(const models::RunbookNext &place); ///< where a runbook leads to
    void onConnectionState();
    void onPreparation();
    void onPlaces();
    void onActions();
    models::TimeFormat timeFormat() const;
    void applyTimeDisplay();
    void applyZoom();

    WindowServices m_services;
    models::Workspace *m_work;
    WindowDialogs *m_dialogs;
    ConnectionBand *m_band;
    NoticeBar *m_notice;
    Rail *m_rail;
    QStackedWidget *m_front; ///< the pages with their rail, or what must be made before them
    PageStack *m_pages;
    PreparationPage *m_preparationPage;
    QPointer<models::Preparation> m_preparation;
    IncidentPage *m_incident;
    KeysPage *m_keys;
    models::GroupDesk *m_group;
    Page *m_page = nullptr; ///< in front
    ActionStrip *m_strip;
    StatusLine *m_status;
    CommandList *m_commands;
    Navigator *m_navigator;
    PaletteSource *m_palette;
    QStringList m_offered; ///< ids of the pages that the rail shows
    std::optional<std::pair<QString, QString>> m_keysWanted; ///< target and filter, once the member's tables are known
    bool m_kiosk = false;
};

} // namespace idemdesk::ui
