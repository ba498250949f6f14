// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/purge_controller.h"

#include "models/format/quantities.h"
#include "sql/actions/triage_reader.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kPurgePlanDeadlineMs = 600'000; // an exact count of ten million rows on a busy server

struct Planned {
    sql::PurgePlan plan;
    QList<sql::PartitionFacts> partitions;
};

} // namespace

PurgeController::PurgeController(QObject *parent)
    : QObject(parent)
    , m_groups(new PurgeGroupsModel(this))
    , m_partitions(new PartitionsModel(this))
{
    connect(&m_planning, &Request::changed, this, &PurgeController::changed);
}

PurgeController::~PurgeController() = default;

void PurgeController::setDatabase(sql::Database *database)
{
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
    m_plan.reset();
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
}

void PurgeController::cancel()
{
    m_planning.cancel();
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
