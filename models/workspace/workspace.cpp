// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/workspace/workspace.h"

#include "models/actions/action_center.h"
#include "models/actions/action_journal.h"
#include "models/actions/action_words.h"
#include "models/activity/activity_controller.h"
#include "models/alerts/alert_controller.h"
#include "models/audit/audit_controller.h"
#include "models/cache/cache_controller.h"
#include "models/cache/cache_history.h"
#include "models/cache/release_controller.h"
#include "models/compare/compare_controller.h"
#include "models/compare/recipe_keeper.h"
#include "models/complaint/complaint_controller.h"
#include "models/conflicts/conflict_controller.h"
#include "models/connection/connection_controller.h"
#include "models/connection/primary_link.h"
#include "models/console/console_setup.h"
#include "models/drill/drill_controller.h"
#include "models/duplicates/duplicate_controller.h"
#include "models/format/display_text.h"
#include "models/health/health_controller.h"
#include "models/incident/incident_controller.h"
#include "models/keys/export_controller.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_detail.h"
#include "models/mapping/mapping_controller.h"
#include "models/overview/overview_controller.h"
#include "models/provider/evidence_controller.h"
#include "models/provider/provider_controller.h"
#include "models/provider/statement_controller.h"
#include "models/purge/purge_controller.h"
#include "models/review/review_controller.h"
#include "models/runbook/runbook_controller.h"
#include "models/trends/sampler.h"
#include "models/trends/trend_controller.h"
#include "models/triage/triage_controller.h"
#include "sql/lanes/database.h"

#include <utility>

namespace idemdesk::models {

Workspace::Workspace(ConnectionController *connection, Files files, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_primary(new PrimaryLink(this))
    , m_files(std::move(files))
    , m_browser(new KeyBrowserController(this))
    , m_detail(new KeyDetailController(this))
    , m_exporter(new ExportController(this))
    , m_overview(new OverviewController(this))
    , m_activity(new ActivityController(this))
    , m_mapping(new MappingController(connection->profileFolder(), this))
    , m_actions(new ActionCenter(m_files.actionJournal, this))
    , m_triage(new TriageController(this))
    , m_purge(new PurgeController(this))
    , m_trends(new TrendController(this))
    , m_sampler(new Sampler(this))
    , m_conflicts(new ConflictController(this))
    , m_complaint(new ComplaintController(this))
    , m_duplicates(new DuplicateController(this))
    , m_compare(new CompareController(this))
    , m_recipes(new RecipeKeeper(this))
    , m_health(new HealthController(this))
    , m_alerts(new AlertController(this))
    , m_review(new ReviewController(this))
    , m_drill(new DrillController(this))
    , m_runbooks(new RunbookController(this))
    , m_incident(new IncidentController({ m_overview, m_alerts, m_actions }, this))
    , m_audit(new AuditController(m_files.anchors, this))
    , m_cache(new CacheController(this))
    , m_provider(new ProviderController(this))
    , m_statement(new StatementController(this))
    , m_evidence(new EvidenceController(this))
    , m_cacheHistory(new CacheHistory(this))
    , m_releases(new ReleaseController(this))
    , m_setup(new ConsoleSetup(this))
{
}

Workspace::~Workspace() = default;

void Workspace::follow()
{
    m_runbooks->watch(m_alerts);
    connect(m_connection, &ConnectionController::databaseChanged, this, &Workspace::takeDatabase);
    connect(m_connection, &ConnectionController::targetsChanged, this, &Workspace::takeTargets);
    connect(m_primary, &PrimaryLink::changed, this, &Workspace::takeActing);
    connect(m_actions, &ActionCenter::changed, this, &Workspace::takeActions);
    connect(m_actions, &ActionCenter::runnerChanged, this, &Workspace::takeActions);
    connect(m_actions, &ActionCenter::allowanceChanged, this, &Workspace::takeActions);
    connect(m_actions, &ActionCenter::actionEnded, this, [this] {
        m_browser->refresh();
        m_overview->refresh();
        m_audit->glance(); // what was done from here is noted outside the database at once
    });
    connect(m_audit, &AuditController::changed, this, &Workspace::takeActions);
    connect(m_releases, &ReleaseController::released, m_actions, &ActionCenter::refresh);
    connect(m_alerts, &AlertController::changed, this, &Workspace::takeEvents);
    connect(m_actions, &ActionCenter::changed, this, &Workspace::takeEvents);
    connect(m_review, &ReviewController::signedAnswer, m_actions, &ActionCenter::refresh);
    connect(m_evidence, &EvidenceController::ended, m_actions, &ActionCenter::refresh);
    connect(m_setup, &ConsoleSetup::installed, m_actions, &ActionCenter::refresh);
    connect(m_setup, &ConsoleSetup::registered, m_connection, &ConnectionController::refreshTargets);
    connect(m_setup, &ConsoleSetup::registered, m_actions, &ActionCenter::refresh);
    // Whatever has the actions read again has also written rows of the trail.
    connect(m_actions->history(), &QAbstractItemModel::modelReset, this, [this] {
        if (m_audit->loaded()) {
            m_audit->refresh();
        }
    });
    takeDatabase();
    takeTargets();
}

bool Workspace::conflictsKnown() const
{
    return m_actions->statusKnown() && m_actions->status().readable;
}

void Workspace::takeDatabase()
{
    sql::Database *database = m_connection->database();
    m_browser->setDatabase(database);
    m_detail->setDatabase(database);
    m_exporter->setDatabase(database);
    m_overview->setDatabase(database);
    m_mapping->setDatabase(database);
    m_trends->setDatabase(database);
    m_complaint->setDatabase(database);
    m_duplicates->setDatabase(database);
    m_recipes->setDatabase(database);
    m_health->setDatabase(database);
    m_alerts->setDatabase(database);
    m_runbooks->setDatabase(database);
    m_incident->setDatabase(database);
    m_cache->setDatabase(database);
    m_provider->setDatabase(database);
    m_statement->setDatabase(database);
    m_cacheHistory->setDatabase(database);
    act(database); // first: nobody asks the primary of another connection for anything while it closes
    m_primary->follow(database);
}

sql::Database *Workspace::acting() const
{
    return m_acting;
}

void Workspace::takeActing()
{
    m_actions->setPrimaryNote(m_primary->looking() ? tr("Its primary is being looked for.") : m_primary->whyNone());
    sql::Database *primary = m_primary->elsewhere() ? m_primary->database() : nullptr;
    sql::Database *acting = primary != nullptr ? primary : m_connection->database();
    if (acting != m_acting) {
        act(acting);
        if (acting != nullptr) {
            m_connection->refreshTargets(); // whoever acts forgot its table with the server it was read on
        }
    }
    emit actingChanged();
}

/// What is decided on is read where it is done: a standby knows neither the locks nor who is still at work there.
void Workspace::act(sql::Database *database)
{
    m_acting = database;
    m_activity->setDatabase(database);
    m_triage->setDatabase(database);
    m_purge->setDatabase(database);
    m_sampler->setDatabase(database);
    m_conflicts->setDatabase(database);
    m_review->setDatabase(database);
    m_drill->setDatabase(database);
    m_audit->setDatabase(database);
    m_evidence->setDatabase(database);
    m_releases->setDatabase(database);
    m_setup->setDatabase(database);
    const sql::ConnectionSettings &settings = m_connection->settings();
    m_actions->setDatabase(database, settings.readOnly, settings.environment == sql::Environment::Production);
}

void Workspace::takeTargets()
{
    QList<sql::Target> targets;
    QStringList cached;
    for (const TargetEntry &entry : m_connection->targets()) {
        targets += entry.target;
        if (entry.registration && entry.target.profile.cache) {
            cached += entry.registration->name;
        }
    }
    m_overview->setTargets(targets);
    m_activity->setTargets(targets);
    m_health->setTargets(targets, m_connection->problems());
    m_review->setTargets(m_connection->targets());
    m_drill->setTargets(m_connection->targets());
    m_runbooks->setTargets(m_connection->targets(), m_connection->problems(), m_connection->targetsLoaded());
    m_conflicts->setTargets(m_connection->targets(), m_connection->problems());
    m_complaint->setTargets(m_connection->searched(), m_connection->problems());
    const TargetTitles titles(m_connection->targets());
    m_actions->setTitles(titles);
    m_actions->setCached(cached);
    m_audit->model()->setTitles(titles);
    chooseSampled();
    m_alerts->setTargets(m_connection->targets(), m_connection->problems());
    m_incident->setTargets(m_connection->targets(), m_connection->problems().size());
}

void Workspace::takeActions()
{
    m_sampler->setHeld(m_actions->running());
    chooseSampled();
    if (conflictsKnown() && !m_audit->glanced()) {
        m_audit->glance();
    }
}

/// Charts are marked where somebody acted and where an alert began.
void Workspace::takeEvents()
{
    QList<TrendEvent> events;
    for (const sql::ActionRecord &action : m_actions->history()->rows()) {
        events.append({ action.requestedAt, action.target,
            tr("%1, by %2").arg(verbPhrase(action.verb, action.plannedRows), displayText(action.requestedBy)), false });
    }
    for (const AlertEntry &alert : m_alerts->model()->rows()) {
        if (alert.status.state == sql::AlertState::Firing && alert.status.since) {
            events.append({ *alert.status.since, alert.target, alert.status.rule.title, true });
        }
    }
    m_trends->setEvents(events);
}

/// A login that may act samples what is registered; on a connection marked as read-only nothing is written. Other
/// tables are sampled for this computer alone.
void Workspace::chooseSampled()
{
    QStringList names;
    QList<sql::Target> local;
    const sql::ConsoleStatus &status = m_actions->status();
    const bool mayWrite = status.isOperator && !status.superuser && status.installedVersion == status.knownVersion
        && !m_connection->settings().readOnly;
    for (const TargetEntry &entry : m_connection->targets()) {
        if (entry.registration && mayWrite) {
            names += entry.registration->name;
        } else if (!entry.registration && entry.target.relation.oid != 0) {
            local += entry.target;
        }
    }
    m_sampler->setTargets(names);
    const sql::ServerFacts &facts = m_connection->facts();
    const QString server = facts.database.isEmpty() ? QString() : ActionJournal::serverOf(facts);
    const sql::LocalPlace place { m_files.samples, server };
    m_sampler->setLocalTargets(m_actions->statusKnown() ? local : QList<sql::Target>(), place);
    m_trends->setLocalPlace(place);
    m_incident->setLocalPlace(place);
    m_alerts->setLocalPlace(place);
    m_conflictsHere = { m_files.conflicts, server };
    m_conflicts->setLocalPlace(m_conflictsHere);
    m_complaint->setConflictsHere(m_conflictsHere);
    emit placesChanged();
}

} // namespace idemdesk::models

#include "moc_workspace.cpp"
