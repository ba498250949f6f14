// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/purge_controller.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/actions/purge_stay.h"
#include "sql/actions/triage_reader.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kPurgePlanDeadlineMs = 600'000; // an exact count of ten million rows on a busy server

constexpr int kPurgeStayDeadlineMs = 20'000; // the plan is complete without it
constexpr int kMostPurgeBars = 5;

struct Planned {
    sql::PurgePlan plan;
    QList<sql::PartitionFacts> partitions;
};

/// Put together on the lane's thread: scopes come by the ten thousand.
struct Staying {
    QList<PurgeScopeBar> bars;
    bool exact = true;
    bool cut = false;
};

} // namespace

PurgeController::PurgeController(QObject *parent)
    : QObject(parent)
    , m_groups(new PurgeGroupsModel(this))
    , m_partitions(new PartitionsModel(this))
{
    connect(&m_planning, &Request::changed, this, &PurgeController::changed);
    connect(&m_staying, &Request::changed, this, &PurgeController::changed);
}

PurgeController::~PurgeController() = default;

void PurgeController::setDatabase(sql::Database *database)
{
    m_staying.setDatabase(database);
    if (m_planning.setDatabase(database)) {
        setTarget({});
    }
}

void PurgeController::setTarget(const TargetEntry &entry)
{
    m_target = entry;
    m_planning.clearError();
    forget();
}

void PurgeController::setTimeFormat(const TimeFormat &format)
{
    m_groups->setTimeFormat(format);
}

QList<sql::KeyState> PurgeController::possibleStates() const
{
    QList<sql::KeyState> states;
    for (const sql::TimeRule &rule : m_target.target.profile.purge) {
        for (const sql::KeyState state : rule.states) {
            if (!states.contains(state)) {
                states.append(state);
            }
        }
    }
    return states;
}

void PurgeController::forget()
{
    m_planning.drop();
    m_staying.drop();
    m_staying.clearError();
    m_plan.reset();
    m_bars.clear();
    m_emptied = 0;
    m_groups->setGroups({});
    m_partitions->setPartitions({});
    emit changed();
}

void PurgeController::plan(const QList<sql::KeyState> &states, const std::optional<sql::Timestamp> &cutoff)
{
    if (m_planning.database() == nullptr || m_target.target.relation.oid == 0) {
        return;
    }
    forget();
    m_planning.clearError();
    m_planning.ask(
        { sql::LaneKind::Background, kPurgePlanDeadlineMs },
        [target = m_target.target, states, cutoff, parts = partitioned()](
            sql::Session &session) -> sql::Result<Planned> {
            TRY(const auto plan, sql::planPurge(session, target, states, std::nullopt, cutoff));
            Planned planned { plan, {} };
            if (parts) {
                TRY(planned.partitions, sql::readPartitions(session, target, plan.cutoff));
            }
            return planned;
        },
        [this](const sql::Result<Planned> &result) {
            if (result) {
                accept(result->plan, result->partitions);
            }
        });
}

void PurgeController::accept(const sql::PurgePlan &plan, const QList<sql::PartitionFacts> &partitions)
{
    m_plan = plan;
    m_plan->images = !imagesAskedFor();
    m_groups->setGroups(m_plan->groups);
    m_partitions->setPartitions(partitions);
    m_emptied = models::emptiedScopes(*m_plan);
    if (m_plan->rows > 0) {
        askStay();
    }
}

/// Behind the plan, which is complete without it.
void PurgeController::askStay()
{
    m_staying.ask(
        { sql::LaneKind::Background, kPurgeStayDeadlineMs },
        [target = m_target.target, plan = *m_plan](sql::Session &session) -> sql::Result<Staying> {
            TRY(const auto stay, sql::readPurgeStay(session, target, plan));
            return Staying { purgeBars(plan, stay, kMostPurgeBars), stay.exact(), stay.cut() };
        },
        [this](const sql::Result<Staying> &result) {
            if (result) {
                m_bars = result->bars;
                m_stayExact = result->exact;
                m_stayCut = result->cut;
            } else if (m_plan) {
                m_bars = purgeBars(*m_plan, std::nullopt, kMostPurgeBars);
            }
        });
}

QString PurgeController::stayNote() const
{
    if (!m_plan || m_plan->rows == 0) {
        return {};
    }
    if (m_staying.busy()) {
        return tr("Counting what stays…");
    }
    if (m_staying.error()) {
        return tr("What stays was not counted: %1").arg(displayText(m_staying.error()->line(), 300));
    }
    QStringList notes;
    if (!m_stayExact) {
        notes += tr("What stays is estimated from a sample.");
    }
    if (m_stayCut) {
        notes += tr("Only the largest scopes are told apart. What the others keep stands with “Other scopes”.");
    }
    return notes.join(u' ');
}

QString PurgeController::unfinishedFilter() const
{
    return m_plan ? u"expires<%1 state:in_progress,pending"_s.arg(m_plan->cutoff.toRfc3339()) : QString();
}

void PurgeController::cancel()
{
    m_planning.cancel();
    m_staying.cancel();
}

void PurgeController::setImages(bool images)
{
    if (m_plan && m_plan->images != images) {
        m_plan->walBytes += (images ? 2 : -2) * m_plan->bytes; // as the planner reckons
        m_plan->images = images;
        emit changed();
    }
}

bool PurgeController::imagesAskedFor() const
{
    return m_plan && m_target.registration && m_plan->rows > m_target.registration->imageLimit;
}

QString PurgeController::summary() const
{
    if (!m_plan) {
        return {};
    }
    if (m_plan->rows == 0) {
        return tr("Nothing to purge now: no finished key is past its retention.");
    }
    return tr("%1 rows, about %2. About %3 at the default pace, and %4 of write-ahead log.")
        .arg(countText(m_plan->rows), bytesText(m_plan->bytes), durationText(m_plan->seconds),
            bytesText(m_plan->walBytes));
}

} // namespace idemdesk::models

#include "moc_purge_controller.cpp"
