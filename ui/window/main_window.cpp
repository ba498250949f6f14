// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "models/actions/action_center.h"
#include "models/alerts/alert_controller.h"
#include "models/cache/cache_controller.h"
#include "models/cache/cache_history.h"
#include "models/cache/cache_place.h"
#include "models/cache/cache_sampler.h"
#include "models/cache/cached_key.h"
#include "models/complaint/complaint_controller.h"
#include "models/connection/connection_controller.h"
#include "models/connection/primary_link.h"
#include "models/filter/filter_parser.h"
#include "models/groups/group_desk.h"
#include "models/keys/key_browser.h"
#include "models/overview/overview_controller.h"
#include "models/preparation.h"
#include "models/runbook/runbook_reader.h"
#include "models/settings.h"
#include "models/trends/trend_controller.h"
#include "models/workspace/workspace.h"
#include "ui/pages/activity/activity_page.h"
#include "ui/pages/audit/audit_page.h"
#include "ui/pages/cache/cache_page.h"
#include "ui/pages/complaints/complaints_page.h"
#include "ui/pages/conflicts/conflicts_page.h"
#include "ui/pages/conflicts/duplicates_view.h"
#include "ui/pages/health/health_page.h"
#include "ui/pages/incident/incident_page.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/pages/preparation/preparation_page.h"
#include "ui/pages/provider/provider_page.h"
#include "ui/pages/purge/purge_page.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/pages/regions/regions_page.h"
#include "ui/pages/runbooks/runbooks_page.h"
#include "ui/pages/trends/trends_page.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/accessible_faces.h"
#include "ui/widgets/command_list.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_tool_tips.h"
#include "ui/widgets/reading_order.h"
#include "ui/window/action_strip.h"
#include "ui/window/connection_band.h"
#include "ui/window/file_drop.h"
#include "ui/window/navigator.h"
#include "ui/window/page_refresher.h"
#include "ui/window/page_stack.h"
#include "ui/window/palette_source.h"
#include "ui/window/rail.h"
#include "ui/window/rail_counts.h"
#include "ui/window/status_line.h"
#include "ui/window/window_dialogs.h"
#include "ui/window/window_menus.h"

#include <QCloseEvent>
#include <QMenuBar>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

MainWindow::MainWindow(const WindowServices &services, QWidget *parent)
    : QMainWindow(parent)
    , m_services(services)
    , m_work(new models::Workspace(services.connection,
          { services.actionJournal, services.anchors, services.localSamples, services.localConflicts }, this))
    , m_dialogs(new WindowDialogs(services, m_work, this))
    , m_band(new ConnectionBand(services.connection, this))
    , m_notice(new NoticeBar(this))
    , m_rail(new Rail(this))
    , m_front(new QStackedWidget(this))
    , m_pages(new PageStack(this))
    , m_preparationPage(new PreparationPage(this))
{
    setObjectName(u"mainWindow"_s);
    PlainToolTips::install();
    installAccessibleFaces();
    setWindowTitle(tr("Idemdesk"));
    setWindowIcon(applicationIcon());
    m_notice->setObjectName(u"connectionNotice"_s);
    buildPages();
    m_strip = new ActionStrip(m_work->actions(), this); // after the pages, as the keyboard goes through them
    m_status = new StatusLine(m_work->browser(), services.settings, this);
    layOut();
    m_commands = new CommandList(services.settings, this);
    m_navigator = new Navigator(this, services.settings, services.takeUp);
    m_palette = new PaletteSource(this, m_commands, services.settings);
    buildMenus(this, services);
    new PageRefresher(this, services.settings);
    new FileDrop(this);
    wire();
    const QByteArray geometry = services.settings->layout(u"window/geometry"_s);
    if (geometry.isEmpty() || !restoreGeometry(geometry)) {
        resize(1280, 800);
    }
    showPage({});
    m_work->follow();
    onConnectionState();
    onPreparation();
    m_pages->whenAnyMade([this](Page *page) { page->setTimeFormat(timeFormat()); });
    m_status->sync();
    applyZoom();
}

MainWindow::~MainWindow() = default;

/// Every page there is, by its place in the rail; a further one is added here. Only what the first look, the menus and
/// the way back need is made at once.
void MainWindow::buildPages()
{
    models::ConnectionController *connection = m_services.connection;
    models::Settings *settings = m_services.settings;
    m_pages->add<IncidentPage>([=, this] {
        return new IncidentPage({ connection, m_work->incident(), m_work->overview() }, settings, this);
    });
    m_pages->add<KeysPage>([=, this] {
        return new KeysPage(connection, m_work->browser(), m_work->detail(), m_work->exporter(), settings, this);
    });
    m_pages->add<RecoveryPage>(
        [=, this] { return new RecoveryPage(connection, m_work->triage(), m_work->actions(), settings, this); });
    m_pages->add<PurgePage>(
        [=, this] { return new PurgePage(connection, m_work->purge(), m_work->actions(), settings, this); });
    m_pages->add<ComplaintsPage>(
        [=, this] { return new ComplaintsPage(connection, m_work->complaint(), settings, this); });
    m_pages->add<ConflictsPage>([=, this] {
        return new ConflictsPage(connection,
            { m_work->conflicts(), m_work->duplicates(), m_work->compare(), m_work->recipes() }, settings, this);
    });
    m_pages->add<TrendsPage>([=, this] { return new TrendsPage(connection, m_work->trends(), settings, this); });
    m_pages->add<ActivityPage>(
        [=, this] { return new ActivityPage(connection, m_work->activity(), m_work->actions(), settings, this); });
    m_pages->add<HealthPage>([=, this] {
        return new HealthPage(
            connection, m_work->health(), m_work->alerts(), m_work->review(), m_work->drill(), settings, this);
    });
    m_pages->add<AuditPage>(
        [=, this] { return new AuditPage(connection, m_work->actions(), m_work->audit(), settings, this); });
    m_pages->add<RunbooksPage>([=, this] { return new RunbooksPage(connection, m_work->runbooks(), this); });
    m_group = new models::GroupDesk(connection, m_services.groups, m_services.secrets, this);
    m_pages->add<RegionsPage>([=, this] { return new RegionsPage(m_group, settings, m_services.actionJournal, this); });
    auto *place = new models::CachePlace(settings, m_services.secrets, this);
    m_pages->add<CachePage>([=, this] {
        return new CachePage(connection,
            { m_work->cache(), m_work->releases(), m_work->cacheHistory(), m_work->actions(), place }, settings, this);
    });
    m_pages->add<ProviderPage>([=, this] {
        return new ProviderPage(connection,
            { m_work->provider(), m_work->statement(), m_work->evidence(), m_work->actions() }, settings, this);
    });
    m_offered = offeredPages();
    for (const Page::Face &face : m_pages->faces()) {
        m_rail->addPage(face.id, face.title, face.icon);
        m_rail->setOffered(face.id, offers(face.id), titleOf(face));
    }
    m_incident = m_pages->page<IncidentPage>();
    m_keys = m_pages->page<KeysPage>();
    m_keys->setOverview(m_work->overview()->model());
    // Of its own: the page's question to the keychain must not take its answer away.
    auto *ownPlace = new models::CachePlace(settings, m_services.secrets, this);
    auto *cached = new models::CachedKey(m_work->detail(), connection, ownPlace, this);
    auto *sampledPlace = new models::CachePlace(settings, m_services.secrets, this);
    auto *cacheSampler = new models::CacheSampler(connection, m_work->sampler(), sampledPlace, this);
    connect(cacheSampler, &models::CacheSampler::sampled, m_work->cacheHistory(), &models::CacheHistory::read);
    m_keys->setCache({ cached, m_work->releases(), m_work->actions(), ownPlace });
}

void MainWindow::layOut()
{
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
}

void MainWindow::wire()
{
    connect(m_dialogs, &WindowDialogs::tableAdded, this, [this](const QString &target) { showKeys(target, {}); });
    models::ConnectionController *connection = m_services.connection;
    connect(connection, &models::ConnectionController::stateChanged, this, &MainWindow::onConnectionState);
    connect(connection, &models::ConnectionController::factsChanged, this, &MainWindow::onConnectionState);
    connect(connection, &models::ConnectionController::factsChanged, this, &MainWindow::applyTimeDisplay);
    connect(connection, &models::ConnectionController::factsChanged, this,
        [this, connection] { alerts()->keepIn(m_services.settings, connection->title()); });
    connect(connection, &models::ConnectionController::databaseChanged, this, &MainWindow::onConnectionState);
    connect(connection, &models::ConnectionController::databaseChanged, this, &MainWindow::onPreparation);
    connect(m_services.settings, &models::Settings::timeDisplayChanged, this, &MainWindow::applyTimeDisplay);
    connect(m_services.settings, &models::Settings::themeChanged, this, [this] {
        if (Theme::instance() != nullptr) {
            Theme::instance()->apply(m_services.settings->theme());
        }
    });
    connect(m_services.settings, &models::Settings::textZoomChanged, this, &MainWindow::applyZoom);
    connect(m_band, &ConnectionBand::connectClicked, this, &MainWindow::openConnect);
    connect(m_band, &ConnectionBand::reconnectClicked, connection, &models::ConnectionController::reconnectNow);
    connect(m_preparationPage, &PreparationPage::connectClicked, this, &MainWindow::openConnect);
    connect(m_rail, &Rail::chosen, this, &MainWindow::showPage);
    connect(m_strip, &ActionStrip::outcomesWanted, this, &MainWindow::showRows);
    connect(m_strip, &ActionStrip::undoWanted, this, [this](const sql::ActionRecord &action) {
        bring<AuditPage>(); // which asks for the reason
        actions()->planUndo(action);
    });
    connect(m_strip, &ActionStrip::actionWanted, this, &MainWindow::showAction);
    connect(m_strip, &ActionStrip::decisionWanted, this, [this](const sql::ActionRecord &action, bool approve) {
        showAction(action.id); // whoever decides sees what it is about
        auditPage()->askDecision(action, approve);
    });
    m_pages->whenMade<AuditPage>(
        [this](AuditPage *page) { connect(page, &AuditPage::decidesOn, m_strip, &ActionStrip::setDecidedOnPage); });
    m_pages->whenAnyMade([this](Page *page) { wirePage(page); });
    wirePages();
    new RailCounts(m_work, m_rail);
    connect(m_work, &models::Workspace::placesChanged, this, &MainWindow::onPlaces);
    connect(alerts(), &models::AlertController::raised, this, &MainWindow::alertRaised);
    connect(actions(), &models::ActionCenter::changed, this, &MainWindow::onActions);
    connect(actions(), &models::ActionCenter::runnerChanged, this, &MainWindow::onActions);
    connect(actions(), &models::ActionCenter::allowanceChanged, this, &MainWindow::onActions);
}

/// Where any page leads to, and the dialogs that several of them ask for.
void MainWindow::wirePage(Page *page)
{
    connect(page, &Page::connectClicked, this, &MainWindow::openConnect);
    connect(page, &Page::addTableClicked, this, &MainWindow::openAddTable);
    connect(page, &Page::installClicked, this, &MainWindow::openInstall);
    connect(page, &Page::registerClicked, this, &MainWindow::openRegister);
    connect(page, &Page::keysWanted, this, &MainWindow::showKeys);
    connect(page, &Page::recoveryWanted, this, &MainWindow::showRecovery);
    connect(page, &Page::chosenRecoveryWanted, this,
        [this](const QString &target, sql::ActionVerb verb, const QList<sql::Cells> &identities) {
            bring<RecoveryPage>()->showChosen(target, verb, identities);
        });
    connect(page, &Page::referenceWanted, this, [this](const QString &reference, const QString &key) {
        bring<ComplaintsPage>()->askReference(reference, key);
    });
    connect(page, &Page::providerWanted, this,
        [this](const QString &target) { bring<ProviderPage>()->showTarget(target); });
    connect(page, &Page::pageWanted, this, &MainWindow::showPage);
    connect(page, &Page::trendWanted, this, &MainWindow::showTrend);
}

/// Leads from one page to another.
void MainWindow::wirePages()
{
    m_pages->whenMade<HealthPage>([this](HealthPage *page) {
        connect(page, &HealthPage::remedyWanted, this,
            [this](const QString &target, const QString &filter, sql::ActionVerb verb) {
                bring<RecoveryPage>()->showTarget(target, filter, verb);
            });
        connect(page, &HealthPage::runbookWanted, this,
            [this](const QString &name, const QString &target) { bring<RunbooksPage>()->showRunbook(name, target); });
    });
    m_pages->whenMade<RunbooksPage>(
        [this](RunbooksPage *page) { connect(page, &RunbooksPage::placeWanted, this, &MainWindow::showPlace); });
    m_pages->whenMade<AuditPage>(
        [this](AuditPage *page) { connect(page, &AuditPage::rowsWanted, this, &MainWindow::showRows); });
    connect(m_incident, &IncidentPage::actionWanted, this, &MainWindow::showRows);
    connect(m_incident, &IncidentPage::alertsWanted, this, [this] { bring<HealthPage>()->showTab(u"alerts"_s); });
    m_pages->whenMade<RecoveryPage>([this](RecoveryPage *page) {
        connect(page, &RecoveryPage::keyWanted, this, [this](const QString &target, const QString &key) {
            showKeys(target, u"key:"_s + models::quoteFilterValue(key));
        });
    });
    connect(m_work, &models::Workspace::actingChanged, this, [this] {
        const models::PrimaryLink *primary = m_work->primary();
        m_band->setActing(primary->elsewhere() && primary->database() != nullptr ? primary->place() : QString());
    });
    wireEvidence();
    wireGroup();
}

void MainWindow::wireGroup()
{
    connect(m_dialogs, &WindowDialogs::groupWanted, this, &MainWindow::openGroup);
    connect(m_group, &models::GroupDesk::sessionChanged, this, &MainWindow::onGroup);
    connect(m_group, &models::GroupDesk::currentChanged, this, &MainWindow::onMember);
    m_pages->whenMade<RegionsPage>([this](RegionsPage *page) {
        connect(page, &RegionsPage::memberWanted, this, &MainWindow::showMember);
        connect(page, &RegionsPage::troubled, this, [this](int ways) {
            m_rail->setCount(RegionsPage::ownFace().id, ways,
                tr("%n way(s) of replication do not work.", nullptr, ways), RailButton::Mood::Firing);
        });
        connect(page, &RegionsPage::memberKeysWanted, this, &MainWindow::showMemberKeys);
        // What this window shows of its member is told anew, as after an action of its own.
        connect(page, &RegionsPage::acted, this, [this](int member, const QString &target) {
            if (member == m_group->current()) {
                emit actions()->actionEnded(target);
                actions()->readLists();
            }
        });
        connect(page, &RegionsPage::memberActionWanted, this, [this](int member, const QString &action) {
            if (showMember(member)) {
                bring<AuditPage>()->showAction(action);
            }
        });
        connect(page, &RegionsPage::memberUndoWanted, this, [this](int member, const QString &action) {
            if (showMember(member)) {
                bring<AuditPage>()->undoAction(action);
            }
        });
    });
    m_pages->whenMade<AuditPage>(
        [this](AuditPage *page) { page->setUndoNote([this] { return RegionsPage::undoNote(m_group->session()); }); });
    connect(m_services.connection, &models::ConnectionController::targetsChanged, this, [this] {
        if (const QStringList offered = offeredPages(); offered != m_offered) {
            m_offered = offered;
            syncOffers();
        }
        if (m_keysWanted && m_services.connection->targetsLoaded()) {
            const auto [target, filter] = *std::exchange(m_keysWanted, std::nullopt);
            showKeys(target, filter);
        }
    });
}

void MainWindow::openGroup(const models::GroupPlaces &places)
{
    if (actions()->busy()) {
        m_dialogs->tellActionRuns();
        return;
    }
    if (staysForGroup()) {
        return;
    }
    m_keysWanted.reset();
    m_group->open(places);
    showPage(RegionsPage::ownFace().id);
}

bool MainWindow::staysForGroup()
{
    const bool aligning = m_group->session() != nullptr && regionsPage()->aligning();
    if (m_group->session() == nullptr || (!aligning && !regionsPage()->acting())) {
        return false;
    }
    showPage(RegionsPage::ownFace().id);
    regionsPage()->showTab(aligning ? u"differences"_s : u"act"_s);
    regionsPage()->say(aligning ? tr("Keys are being aligned.") : tr("An action runs in the members."),
        tr("Stop it beneath, or wait until it has ended."));
    return true;
}

bool MainWindow::offers(const QString &id) const
{
    if (id == CachePage::ownFace().id) {
        return CachePage::isFor(*m_services.connection);
    }
    if (id == ProviderPage::ownFace().id) {
        return ProviderPage::isFor(*m_services.connection);
    }
    return id != RegionsPage::ownFace().id || m_group->session() != nullptr;
}

QString MainWindow::titleOf(const Page::Face &face) const
{
    return face.id == RegionsPage::ownFace().id ? RegionsPage::titleFor(m_group->session()) : face.title;
}

void MainWindow::onGroup()
{
    m_keysWanted.reset();
    onMember();
    syncOffers();
}

QStringList MainWindow::offeredPages() const
{
    QStringList ids;
    for (const Page::Face &face : m_pages->faces()) {
        ids += offers(face.id) ? QStringList { face.id } : QStringList();
    }
    return ids;
}

/// Pages that come and go: with a group, and with a table that has a cache or a provider.
void MainWindow::syncOffers()
{
    for (const Page::Face &face : { RegionsPage::ownFace(), CachePage::ownFace(), ProviderPage::ownFace() }) {
        m_rail->setOffered(face.id, offers(face.id), titleOf(face));
    }
    emit offersChanged();
    if (!offers(currentPage())) {
        showPage({});
    }
}

/// Whoever judges one member's rows knows of the others.
void MainWindow::onMember()
{
    m_work->complaint()->setGroup(m_group->session(), m_group->current());
    m_keys->setCaseGroup(models::caseOfOneMember(m_group->session(), m_group->current()));
}

bool MainWindow::showMember(int member)
{
    m_keysWanted.reset();
    if (member != m_group->current() && actions()->busy()) {
        showPage(RegionsPage::ownFace().id); // which says why
        regionsPage()->say(tr("The window stays where it is: an action is running."),
            tr("Wait until it has ended, or pause it in the strip beneath."));
        return false;
    }
    if (!m_group->show(member)) {
        showPage(RegionsPage::ownFace().id);
        regionsPage()->say(tr("This member does not answer."), tr("The window stays where it is. Try again later."));
        return false;
    }
    return true;
}

void MainWindow::showMemberKeys(int member, const QString &target, const QString &filter)
{
    const bool there = member == m_group->current();
    if (!showMember(member)) {
        return;
    }
    if (there && m_services.connection->targetsLoaded()) {
        showKeys(target, filter);
    } else {
        m_keysWanted = { target, filter };
    }
}

/// Between complaints, conflicts and the keys that they are about.
void MainWindow::wireEvidence()
{
    const auto compare
        = [this](const QList<models::CaseRequest> &requests) { bring<ConflictsPage>()->compareRequests(requests); };
    connect(m_keys, &KeysPage::compareWanted, this, compare);
    m_pages->whenMade<ComplaintsPage>([this, compare](ComplaintsPage *page) {
        connect(page, &ComplaintsPage::memberKeysWanted, this, &MainWindow::showMemberKeys);
        connect(page, &ComplaintsPage::compareWanted, this, compare);
        connect(page, &ComplaintsPage::differencesWanted, this,
            [this](const QString &target, const QString &key, int one, int other) {
                bring<RegionsPage>()->showDifferences(
                    target, u"key:"_s + models::quoteFilterValue(key), { one, other });
            });
        connect(page, &ComplaintsPage::duplicatesWanted, this, [this](int step) {
            auto *conflicts = bring<ConflictsPage>();
            conflicts->showTab(u"duplicates"_s);
            conflicts->duplicatesView()->focusGroups(step);
        });
    });
    m_pages->whenMade<ConflictsPage>([this](ConflictsPage *page) {
        connect(page, &ConflictsPage::conflictVerdictWanted, this,
            [this](const sql::ConflictRecord &conflict) { bring<ComplaintsPage>()->askConflict(conflict); });
        connect(page, &ConflictsPage::verdictWanted, this,
            [this](const QString &target, const QStringList &keys, const QList<sql::Cells> &scopes) {
                bring<ComplaintsPage>()->judgeKeys(target, keys, scopes);
            });
        connect(page, &ConflictsPage::keyWanted, this, [this](const QString &target, const QString &key) {
            // Where the log does not say which table, the one that is shown is searched.
            const QString shown = browser()->hasTarget() ? browser()->target().profile.name : QString();
            const QString table = m_services.connection->target(target) != nullptr ? target : shown;
            showKeys(table, u"key:"_s + models::quoteFilterValue(key));
        });
    });
}

void MainWindow::showKeys(const QString &target, const QString &filter)
{
    m_keys->showTarget(target, filter); // first: the page does not begin with other keys then
    showPage(m_keys->face().id);
}

void MainWindow::showRecovery(const QString &target, const QString &filter)
{
    bring<RecoveryPage>()->showTarget(target, filter);
}

void MainWindow::showAction(const QString &action)
{
    bring<AuditPage>()->showAction(action);
}

void MainWindow::showPlace(const models::RunbookNext &place)
{
    if (place.page == m_keys->face().id) {
        showKeys(place.target, place.filter);
    } else if (place.page == RecoveryPage::ownFace().id) {
        bring<RecoveryPage>()->showTarget(place.target, place.filter, place.verb);
    } else if (place.page == TrendsPage::ownFace().id) {
        const QList<models::TargetEntry> &targets = m_services.connection->targets();
        const bool any = place.target.isEmpty() && !targets.isEmpty();
        showTrend(any ? targets.constFirst().target.profile.name : place.target, place.filter);
    } else if (place.page == AuditPage::ownFace().id && !place.action.isEmpty()) {
        showAction(place.action);
    } else if (place.page == u"duplicates") {
        auto *conflicts = bring<ConflictsPage>();
        conflicts->showTab(place.page);
        if (!place.target.isEmpty()) {
            conflicts->duplicatesView()->showTarget(place.target);
        }
    } else if (place.page == PurgePage::ownFace().id && !place.target.isEmpty()) {
        bring<PurgePage>()->showTarget(place.target);
    } else if (place.page == HealthPage::ownFace().id) {
        auto *health = bring<HealthPage>();
        health->showTab(u"report"_s);
        health->showTarget(place.target);
    } else {
        showPage(place.page);
    }
}

void MainWindow::showTrend(const QString &target, const QString &metric)
{
    bring<TrendsPage>()->showTarget(target);
    models::TrendChoice choice;
    choice.metric = metric;
    // What is told by the minute alone stands in samples.
    choice.source = metric == u"retries" ? sql::TrendSource::Rows : sql::TrendSource::Samples;
    trends()->choose(choice);
}

void MainWindow::onConnectionState()
{
    models::ConnectionController *connection = m_services.connection;
    const bool failed = connection->error().has_value() && connection->state() != sql::LinkState::Connected;
    const QStringList notices = connection->notices();
    if (connection->database() != nullptr && failed && connection->everConnected()) {
        m_notice->showError(*connection->error());
    } else if (!notices.isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Info, notices.first(), notices.mid(1).join(u' '));
    } else {
        m_notice->clear();
    }
    setWindowTitle(connection->database() != nullptr ? tr("%1 – Idemdesk").arg(connection->title()) : tr("Idemdesk"));
    const bool neverConnected = connection->state() == sql::LinkState::Failed && !connection->everConnected();
    if (!m_dialogs->tellConnect() && connection->error() && neverConnected) {
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

void MainWindow::onPlaces()
{
    m_keys->setConflictsKnown(m_work->conflictsKnown());
    m_keys->setConflictsHere(m_work->conflictsHere());
}

void MainWindow::onActions()
{
    const bool mayApprove = actions()->statusKnown() && actions()->status().isApprover && !actions()->standby()
        && !m_services.connection->settings().readOnly;
    m_band->setActions(actions()->statusKnown() && actions()->mayAct(), actions()->secondsAllowed(), mayApprove);
    const bool onlyLooks = actions()->rightsMissing() && !m_services.connection->settings().readOnly;
    m_incident->setOnlyLooks(onlyLooks ? actions()->whyNot() : QString());
}

models::TimeFormat MainWindow::timeFormat() const
{
    return models::TimeFormat(m_services.settings->timeDisplay(), m_services.connection->facts().timeZone);
}

void MainWindow::applyTimeDisplay()
{
    for (Page *page : m_pages->made()) {
        page->setTimeFormat(timeFormat());
    }
    m_status->sync();
}

void MainWindow::applyZoom()
{
    if (Theme::instance() != nullptr) {
        Theme::instance()->setZoom(m_services.settings->textZoom());
    }
}

template <typename P> P *MainWindow::bring()
{
    showPage(P::ownFace().id);
    return m_pages->page<P>();
}

void MainWindow::showPage(const QString &id)
{
    Page *const before = std::exchange(m_page, m_pages->page(offers(id) ? id : QString()));
    if (before != nullptr && before != m_page) {
        before->deactivate();
    }
    m_pages->bringToFront(m_page);
    m_rail->setCurrent(currentPage());
    m_status->setKeysShown(m_page == m_keys);
    m_page->activate();
    emit pageShown(currentPage());
}

QString MainWindow::currentPage() const
{
    return m_page->face().id;
}

void MainWindow::refreshPage()
{
    m_page->refresh();
}

void MainWindow::setKiosk(bool kiosk)
{
    m_kiosk = kiosk;
    showPage(m_incident->face().id);
    m_incident->setKiosk(kiosk);
    m_band->setKiosk(kiosk);
    menuBar()->setVisible(!kiosk);
    m_rail->setVisible(!kiosk);
    m_status->setVisible(!kiosk);
}

void MainWindow::openConnect()
{
    if (staysForGroup()) {
        return;
    }
    m_dialogs->openConnect();
}

void MainWindow::openGroups()
{
    m_dialogs->openGroups();
}

void MainWindow::openAddTable()
{
    m_dialogs->openAddTable();
}

void MainWindow::showRows(const QString &action)
{
    m_dialogs->showRows(action);
}

void MainWindow::openProfileFile()
{
    m_dialogs->openProfileFile();
}

void MainWindow::openInstall()
{
    m_dialogs->openInstall();
}

void MainWindow::openSampling()
{
    m_dialogs->openSampling();
}

void MainWindow::openRoles()
{
    m_dialogs->openRoles();
}

void MainWindow::openRegister(const QString &target)
{
    m_dialogs->openRegister(target);
}

const QList<Page::Face> &MainWindow::faces() const
{
    return m_pages->faces();
}

void MainWindow::makePages()
{
    m_pages->makeAll();
}

void MainWindow::whenPageMade(const std::function<void(Page *)> &then)
{
    m_pages->whenAnyMade(then);
}

RegionsPage *MainWindow::regionsPage() const
{
    return m_pages->page<RegionsPage>();
}

RecoveryPage *MainWindow::recoveryPage() const
{
    return m_pages->page<RecoveryPage>();
}

PurgePage *MainWindow::purgePage() const
{
    return m_pages->page<PurgePage>();
}

TrendsPage *MainWindow::trendsPage() const
{
    return m_pages->page<TrendsPage>();
}

HealthPage *MainWindow::healthPage() const
{
    return m_pages->page<HealthPage>();
}

AuditPage *MainWindow::auditPage() const
{
    return m_pages->page<AuditPage>();
}

RunbooksPage *MainWindow::runbooksPage() const
{
    return m_pages->page<RunbooksPage>();
}

ComplaintsPage *MainWindow::complaintsPage() const
{
    return m_pages->page<ComplaintsPage>();
}

ConflictsPage *MainWindow::conflictsPage() const
{
    return m_pages->page<ConflictsPage>();
}

ConnectDialog *MainWindow::connectDialog() const
{
    return m_dialogs->connectDialog();
}

AddTableDialog *MainWindow::addTableDialog() const
{
    return m_dialogs->addTableDialog();
}

models::AuditController *MainWindow::audit() const
{
    return m_work->audit();
}

models::ActionCenter *MainWindow::actions() const
{
    return m_work->actions();
}

models::TriageController *MainWindow::triage() const
{
    return m_work->triage();
}

models::PurgeController *MainWindow::purge() const
{
    return m_work->purge();
}

models::TrendController *MainWindow::trends() const
{
    return m_work->trends();
}

models::CacheController *MainWindow::cache() const
{
    return m_work->cache();
}

models::StatementController *MainWindow::statement() const
{
    return m_work->statement();
}

ProviderPage *MainWindow::providerPage() const
{
    return m_pages->page<ProviderPage>();
}

void MainWindow::suggestStatement(const QString &path)
{
    m_pages->whenMade<ProviderPage>([path](ProviderPage *page) { page->suggest(path); });
}

models::ConflictController *MainWindow::conflicts() const
{
    return m_work->conflicts();
}

models::AlertController *MainWindow::alerts() const
{
    return m_work->alerts();
}

models::HealthController *MainWindow::health() const
{
    return m_work->health();
}

models::Sampler *MainWindow::sampler() const
{
    return m_work->sampler();
}

models::KeyBrowserController *MainWindow::browser() const
{
    return m_work->browser();
}

models::KeyDetailController *MainWindow::detail() const
{
    return m_work->detail();
}

models::MappingController *MainWindow::mapping() const
{
    return m_work->mapping();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_services.settings->setLayout(u"window/geometry"_s, saveGeometry());
    if (actions()->running()) {
        // The server would keep the action open for somebody to resume; a pause says so in the trail.
        event->ignore();
        m_dialogs->askToPause();
        return;
    }
    if (staysForGroup()) {
        event->ignore();
        return;
    }
    QMainWindow::closeEvent(event);
}

bool MainWindow::focusNextPrevChild(bool next)
{
    const QList<QWidget *> order = tabOrder(this, m_pages);
    const qsizetype from = order.indexOf(focusWidget());
    if (from < 0) {
        return QMainWindow::focusNextPrevChild(next);
    }
    order.at((from + (next ? 1 : order.size() - 1)) % order.size())
        ->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

} // namespace idemdesk::ui
