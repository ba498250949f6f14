// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/local_place.h"

#include <QObject>
#include <QPointer>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

class ActionCenter;
class ActivityController;
class AlertController;
class AuditController;
class CacheController;
class CacheHistory;
class ReleaseController;
class CompareController;
class ComplaintController;
class ConflictController;
class ConnectionController;
class ConsoleSetup;
class DrillController;
class DuplicateController;
class EvidenceController;
class ExportController;
class HealthController;
class IncidentController;
class KeyBrowserController;
class KeyDetailController;
class MappingController;
class OverviewController;
class PrimaryLink;
class ProviderController;
class PurgeController;
class RecipeKeeper;
class ReviewController;
class RunbookController;
class Sampler;
class StatementController;
class TrendController;
class TriageController;

/// The controllers of one connection set, without a window: gives each the database and the tables, and lets those hear
/// of each other that must. A page is given those it shows. Lives on the GUI thread.
class Workspace final : public QObject
{
    Q_OBJECT

public:
    /// What is kept on this computer; an empty name: is not kept.
    struct Files {
        QString actionJournal; ///< what was asked of servers
        QString anchors; ///< the newest row of each trail this computer has seen
        QString samples; ///< of tables that are not registered
        QString conflicts; ///< what logs told of databases without the console schema
    };

    /// connection outlives the workspace.
    Workspace(ConnectionController *connection, Files files, QObject *parent = nullptr);
    ~Workspace() override;

    /// From now on follows the connection: once all that show something are there.
    void follow();

    ConnectionController *connection() const { return m_connection; }
    /// Where actions go, and what they go by is read: the connection itself, or where that is a standby, its primary.
    /// Null without a connection.
    sql::Database *acting() const;
    const PrimaryLink *primary() const { return m_primary; }
    KeyBrowserController *browser() const { return m_browser; }
    KeyDetailController *detail() const { return m_detail; }
    ExportController *exporter() const { return m_exporter; }
    OverviewController *overview() const { return m_overview; }
    IncidentController *incident() const { return m_incident; }
    ActivityController *activity() const { return m_activity; }
    MappingController *mapping() const { return m_mapping; }
    ActionCenter *actions() const { return m_actions; }
    TriageController *triage() const { return m_triage; }
    PurgeController *purge() const { return m_purge; }
    TrendController *trends() const { return m_trends; }
    Sampler *sampler() const { return m_sampler; }
    ConflictController *conflicts() const { return m_conflicts; }
    ComplaintController *complaint() const { return m_complaint; }
    DuplicateController *duplicates() const { return m_duplicates; }
    CompareController *compare() const { return m_compare; }
    RecipeKeeper *recipes() const { return m_recipes; }
    HealthController *health() const { return m_health; }
    AlertController *alerts() const { return m_alerts; }
    DrillController *drill() const { return m_drill; }
    ReviewController *review() const { return m_review; }
    RunbookController *runbooks() const { return m_runbooks; }
    AuditController *audit() const { return m_audit; }
    CacheController *cache() const { return m_cache; }
    ProviderController *provider() const { return m_provider; }
    StatementController *statement() const { return m_statement; }
    EvidenceController *evidence() const { return m_evidence; }
    CacheHistory *cacheHistory() const { return m_cacheHistory; }
    ReleaseController *releases() const { return m_releases; }
    ConsoleSetup *setup() const { return m_setup; }
    const sql::LocalPlace &conflictsHere() const
    {
        return m_conflictsHere;
    } ///< where imports are kept on this computer
    bool conflictsKnown() const; ///< the server keeps conflicts, and this login may read them

signals:
    void actingChanged(); ///< acting() is another one, or what is known of the primary
    void placesChanged(); ///< conflictsHere() or conflictsKnown()

private:
    void takeDatabase();
    void takeActing(); ///< where actions go from now on
    void act(sql::Database *database);
    void takeTargets();
    void takeActions();
    void chooseSampled();
    void takeEvents();

    ConnectionController *m_connection;
    PrimaryLink *m_primary;
    QPointer<sql::Database> m_acting;
    Files m_files;
    sql::LocalPlace m_conflictsHere;
    KeyBrowserController *m_browser;
    KeyDetailController *m_detail;
    ExportController *m_exporter;
    OverviewController *m_overview;
    ActivityController *m_activity;
    MappingController *m_mapping;
    ActionCenter *m_actions;
    TriageController *m_triage;
    PurgeController *m_purge;
    TrendController *m_trends;
    Sampler *m_sampler;
    ConflictController *m_conflicts;
    ComplaintController *m_complaint;
    DuplicateController *m_duplicates;
    CompareController *m_compare;
    RecipeKeeper *m_recipes;
    HealthController *m_health;
    AlertController *m_alerts;
    ReviewController *m_review;
    DrillController *m_drill;
    RunbookController *m_runbooks;
    IncidentController *m_incident;
    AuditController *m_audit;
    CacheController *m_cache;
    ProviderController *m_provider;
    StatementController *m_statement;
    EvidenceController *m_evidence;
    CacheHistory *m_cacheHistory;
    ReleaseController *m_releases;
    ConsoleSetup *m_setup;
};

} // namespace idemdesk::models
