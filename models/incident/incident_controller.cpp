// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/incident/incident_controller.h"

#include "models/actions/action_center.h"
#include "models/actions/action_runner.h"
#include "models/actions/action_words.h"
#include "models/alerts/alert_controller.h"
#include "models/format/display_text.h"
#include "models/incident/incident_changes.h"
#include "models/incident/incident_tiles.h"
#include "models/overview/overview_controller.h"
#include "sql/lanes/database.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kIncidentDeadlineMs = 20'000;
constexpr int kMostActions = 6;
constexpr int kNamedTables = 2; // of one alert; the page Health names them all
constexpr int kTableNameChars = 60;

IncidentNote plain(const QString &text, IncidentLevel level = IncidentLevel::Quiet)
{
    return { text, {}, level, {} };
}

IncidentNote noteOf(const sql::ActionRecord &action, const QString &state, const QString &target, const QString &when)
{
    IncidentNote note;
    note.text = IncidentController::tr("%1: %2").arg(verbPhrase(action.verb, action.plannedRows), state);
    // The line may be cut at its end.
    QStringList parts { when, outcomeText(action), target, displayText(action.requestedBy, kTableNameChars) };
    parts.removeAll(QString());
    note.detail = parts.join(u" · "_s);
    note.level = action.state == sql::ActionState::Finished ? IncidentLevel::Quiet : IncidentLevel::Watch;
    note.link = { IncidentLink::Kind::Action, action.target, action.id };
    return note;
}

/// One rule of one or more tables, in one state.
IncidentNote noteOf(const QList<AlertEntry> &alerts)
{
    const AlertEntry &first = alerts.constFirst();
    QStringList tables;
    for (const AlertEntry &entry : alerts) {
        tables += displayText(entry.table(), kTableNameChars);
    }
    IncidentNote note;
    note.text = alerts.size() == 1
        ? IncidentController::tr("%1: %2").arg(first.status.rule.title, alertValueText(first.status))
        : IncidentController::tr("%1: %n table(s)", nullptr, int(alerts.size())).arg(first.status.rule.title);
    note.detail = tables.mid(0, kNamedTables).join(u", "_s);
    if (tables.size() > kNamedTables) {
        note.detail
            = IncidentController::tr("%1 and %n more", nullptr, int(tables.size()) - kNamedTables).arg(note.detail);
    }
    note.level = first.status.state == sql::AlertState::Firing && !first.acknowledged ? IncidentLevel::Act
                                                                                      : IncidentLevel::Watch;
    if (first.acknowledged) {
        note.detail = IncidentController::tr("%1 · acknowledged").arg(note.detail);
    }
    note.link = { IncidentLink::Kind::Alerts, {}, {} };
    return note;
}

/// Whether messages stay: the worst that a rule says of the oldest of them, and not known where no rule says it of one
/// of the tables that have some. What a person acknowledged waits no more than what is not yet for long enough.
sql::AlertState backlogState(const QList<AlertEntry> &judged, const QStringList &tables)
{
    QSet<QString> seen;
    std::optional<sql::AlertState> worst;
    for (const AlertEntry &entry : judged) {
        if (entry.status.rule.metric == u"oldest_backlog") {
            const sql::AlertState state
                = entry.acknowledged ? std::max(entry.status.state, sql::AlertState::Pending) : entry.status.state;
            worst = std::min(worst.value_or(state), state);
            seen.insert(entry.target);
        }
    }
    const bool all
        = std::all_of(tables.cbegin(), tables.cend(), [&seen](const QString &table) { return seen.contains(table); });
    return all ? worst.value_or(sql::AlertState::Unknown)
               : std::min(worst.value_or(sql::AlertState::Unknown), sql::AlertState::Unknown);
}

} // namespace

IncidentController::IncidentController(const Sources &sources, QObject *parent)
    : QObject(parent)
    , m_from(sources)
    , m_changes(new IncidentNotes(this))
    , m_alertNotes(new IncidentNotes(this))
    , m_actionNotes(new IncidentNotes(this))
{
    m_rebuild.setSingleShot(true);
    m_rebuild.setInterval(0);
    connect(&m_rebuild, &QTimer::timeout, this, &IncidentController::rebuild);
    connect(&m_auto, &QTimer::timeout, this, [this] {
        const sql::Database *database = m_asking.database();
        if (m_holds == 0 && !busy() && database != nullptr && database->state() == sql::LinkState::Connected) {
            refresh();
        } else {
            rebuildSoon(); // how old it is grows
        }
    });
    connect(&m_asking, &Request::changed, this, &IncidentController::rebuildSoon);
    connect(m_from.overview, &OverviewController::summariesChanged, this, &IncidentController::rebuildSoon);
    connect(m_from.overview, &OverviewController::busyChanged, this, &IncidentController::rebuildSoon);
    connect(m_from.alerts, &AlertController::changed, this, &IncidentController::rebuildSoon);
    connect(m_from.actions, &ActionCenter::changed, this, &IncidentController::rebuildSoon);
    connect(m_from.actions, &ActionCenter::runnerChanged, this, &IncidentController::rebuildSoon);
    rebuild();
}

IncidentController::~IncidentController() = default;

void IncidentController::setDatabase(sql::Database *database)
{
    if (!m_asking.setDatabase(database)) {
        return;
    }
    m_reading.reset();
    m_lastRead = {};
    setTargets({}, 0);
}

void IncidentController::setTargets(const QList<TargetEntry> &targets, qsizetype notRead)
{
    m_targets.clear();
    std::copy_if(targets.cbegin(), targets.cend(), std::back_inserter(m_targets),
        [](const TargetEntry &entry) { return entry.target.relation.oid != 0; });
    m_notRead = notRead;
    rebuildSoon();
    readDay();
}

void IncidentController::setTimeFormat(const TimeFormat &format)
{
    if (format != m_format) {
        m_format = format;
        rebuildSoon();
    }
}

void IncidentController::refresh()
{
    m_from.overview->refresh();
    readDay();
}

void IncidentController::setAutoRefresh(int seconds)
{
    if (seconds > 0) {
        m_auto.start(seconds * 1'000);
    } else {
        m_auto.stop();
    }
}

bool IncidentController::busy() const
{
    return m_asking.busy() || m_from.overview->busy();
}

void IncidentController::readDay()
{
    if (m_targets.isEmpty()) {
        return;
    }
    m_asking.ask(
        { sql::LaneKind::Background, kIncidentDeadlineMs },
        [targets = m_targets, place = m_place](sql::Session &session) { return readIncident(session, targets, place); },
        [this](const sql::Result<IncidentReading> &reading) {
            if (reading) {
                accept(*reading);
            }
        });
}

void IncidentController::accept(const IncidentReading &reading)
{
    m_reading = reading;
    m_lastRead = QDateTime::currentDateTime();
    OverviewModel *tables = m_from.overview->model();
    for (const TargetEntry &entry : std::as_const(m_targets)) {
        const QString name = entry.target.profile.name;
        const sql::TableHistory history = reading.histories.value(name);
        const bool unusual
            = worstScope({ entry.target, history }, { u"failures_final"_s, u"failures_retryable"_s }).has_value();
        tables->setRecent(name, failuresLastHour(history), unusual, history.day.value(u"stale"_s));
    }
}

void IncidentController::rebuild()
{
    const AlertController *alerts = m_from.alerts;
    const auto &judged = alerts->model()->rows();
    AlertFacts facts;
    facts.judged = alerts->judged() && !alerts->error();
    facts.firing = alerts->firing();
    facts.unknown = std::count_if(judged.cbegin(), judged.cend(),
        [](const AlertEntry &entry) { return entry.status.state == sql::AlertState::Unknown; });
    facts.pending = std::count_if(judged.cbegin(), judged.cend(),
        [](const AlertEntry &entry) { return entry.status.state == sql::AlertState::Pending; });
    facts.rules = judged.size();
    facts.acknowledged = facts.firing - alerts->unacknowledged();
    facts.tablesNotJudged = alerts->notJudged().size();
    QHash<QString, int> firing;
    for (const AlertEntry &entry : judged) {
        if (entry.status.state == sql::AlertState::Firing && !entry.acknowledged) {
            ++firing[entry.target];
        }
    }
    m_from.overview->model()->setFiring(firing);
    if (!m_from.overview->busy()) { // which sorts at its end
        m_from.overview->model()->sortWorstFirst();
    }
    QStringList waiting;
    for (const OverviewEntry &entry : m_from.overview->model()->rows()) {
        if (hasBacklog(entry)) {
            waiting += entry.target.profile.name;
        }
    }
    facts.backlog = backlogState(judged, waiting);
    facts.why = alerts->error() ? alerts->error()->what : tr("No rule was judged yet.");
    m_tiles = incidentTiles(
        { m_from.overview->model()->rows(), m_notRead, m_reading, error() ? error()->what : QString(), facts });
    m_changes->setNotes(changeNotes());
    m_alertNotes->setNotes(alertNotes());
    m_actionNotes->setNotes(actionNotes());
    emit changed();
}

QList<IncidentNote> IncidentController::changeNotes() const
{
    if (!m_reading) {
        return { plain(error() ? error()->what : tr("Not read yet."), IncidentLevel::Unknown) };
    }
    QList<IncidentTable> tables;
    for (const TargetEntry &entry : m_targets) {
        tables.append({ entry.target, m_reading->histories.value(entry.target.profile.name) });
    }
    QList<IncidentNote> notes = incidentChanges(tables, m_format);
    if (const auto reused = reusedKeysChange(m_reading->conflicts, m_reading->conflictsLastHour)) {
        notes.append(*reused);
    }
    const QString compared = comparedSentence(tables);
    if (notes.isEmpty()) {
        const auto compares = [](const IncidentTable &table) { return comparedDays(table) >= kLeastDays; };
        const auto partly = [](const IncidentTable &table) { return table.history.partly; };
        const bool some = std::any_of(tables.cbegin(), tables.cend(), compares);
        const bool all = std::all_of(tables.cbegin(), tables.cend(), compares)
            && std::none_of(tables.cbegin(), tables.cend(), partly) && m_notRead == 0 && !error();
        IncidentNote none = plain(!some ? tr("Nothing to compare with.")
                : all                   ? tr("Nothing is out of the ordinary.")
                                        : tr("Nothing stands out in what was compared."),
            some && all ? IncidentLevel::Quiet : IncidentLevel::Unknown);
        none.detail = compared;
        return { none };
    }
    notes.append({ {}, compared, IncidentLevel::Nothing, {} });
    return notes;
}

QList<IncidentNote> IncidentController::alertNotes() const
{
    const AlertController *alerts = m_from.alerts;
    const IncidentLink link { IncidentLink::Kind::Alerts, {}, {} };
    QList<IncidentNote> notes;
    if (alerts->error()) {
        return { { alerts->error()->what, alerts->error()->why, IncidentLevel::Unknown, link } };
    }
    if (!alerts->judged()) {
        return { plain(tr("No rule was judged yet."), IncidentLevel::Unknown) };
    }
    int unknown = 0;
    QStringList order; // of rules, those that fire first
    QHash<QString, QList<AlertEntry>> byRule;
    for (const AlertEntry &entry : alerts->model()->rows()) {
        const sql::AlertState state = entry.status.state;
        unknown += state == sql::AlertState::Unknown ? 1 : 0;
        if (state == sql::AlertState::Firing || state == sql::AlertState::Pending) {
            const QString rule
                = sql::alertStateName(state) + (entry.acknowledged ? u"!"_s : QString()) + entry.status.rule.title;
            order += byRule.contains(rule) ? QStringList() : QStringList { rule };
            byRule[rule] += entry;
        }
    }
    for (const QString &rule : std::as_const(order)) {
        notes += noteOf(byRule.value(rule));
    }
    if (notes.isEmpty()) {
        notes += plain(unknown == 0 ? tr("No alert fires.") : tr("No alert fires, of those that can be judged."),
            unknown == 0 ? IncidentLevel::Quiet : IncidentLevel::Unknown);
    }
    if (unknown > 0) {
        notes.append({ tr("%n rule(s) cannot be judged", nullptr, unknown), tr("Samples or reports are missing."),
            IncidentLevel::Unknown, link });
    }
    return notes;
}

QList<IncidentNote> IncidentController::actionNotes() const
{
    const ActionCenter *center = m_from.actions;
    if (!center->statusKnown() || !center->status().readable) {
        return { plain(center->statusKnown() && !center->consoleInstalled()
                ? tr("The console schema is not installed, so nobody acts here.")
                : tr("Not looked at: this login may not see actions."),
            IncidentLevel::Unknown) };
    }
    // "20:26" of today, else "11-27 20:26".
    const QString today = QDateTime::currentDateTime().toTimeZone(m_format.zone()).toString(u"yyyy-MM-dd");
    const auto when = [this, &today](const sql::ActionRecord &action) {
        const QString text = m_format.text(action.requestedAt);
        return text.startsWith(today) ? text.mid(11, 5) : text.mid(5, 11);
    };
    QList<IncidentNote> notes;
    QString own;
    if (center->running()) {
        const sql::ActionRecord &action = center->runner()->action();
        own = action.id;
        notes += noteOf(action, tr("running here"), center->titleOf(action.target), when(action));
    }
    for (const sql::ActionRecord &action : center->openElsewhere()) {
        notes += noteOf(action, actionStateLabel(action), center->titleOf(action.target), when(action));
    }
    for (const sql::ActionRecord &action : center->history()->rows()) {
        if (!action.open() && action.id != own && notes.size() < kMostActions) {
            notes += noteOf(action, actionStateLabel(action), center->titleOf(action.target), when(action));
        }
    }
    return notes.isEmpty() ? QList<IncidentNote> { plain(tr("Nobody acted here yet."), IncidentLevel::Nothing) }
                           : notes;
}

} // namespace idemdesk::models

#include "moc_incident_controller.cpp"
