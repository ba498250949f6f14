// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/purge_controller.h"

#include "models/actions/action_plan.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/actions/action_gateway.h"
#include "sql/actions/purge_stay.h"
#include "sql/actions/registered_profile.h"
#include "sql/actions/triage_reader.h"
#include "sql/lanes/database.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kPurgePlanDeadlineMs = 600'000; // an exact count of ten million rows on a busy server

constexpr int kPurgeStayDeadlineMs = 20'000; // the plan is complete without it
constexpr int kMostPurgeBars = 5;
constexpr int kPurgedDeadlineMs = 5'000;
constexpr int kLeastPurgedPauseMs = 250; // between two looks at what a purge took
constexpr int kMostPurgedPauseMs = 1'000;
constexpr int kPurgedPauseShare = 10; // times what a look took: with thousands of batches it takes long

/// What became of each scope by now.
sql::Result<PurgedBars> barsOf(
    sql::Session &session, const QString &action, const sql::PurgePlan &plan, const std::optional<sql::PurgeStay> &stay)
{
    TRY(const auto purged, sql::readPurgedScopes(session, action));
    TRY(const auto record, sql::readAction(session, action));
    const qint64 rows = record ? rowsDone(record->counts) : 0;
    return PurgedBars { purgeBars(plan, stay, kMostPurgeBars, purged, rows), purged, rows };
}

struct Planned {
    sql::PurgePlan plan;
    QList<sql::PartitionFacts> partitions;
};

/// Put together on the lane's thread: scopes come by the ten thousand.
struct Staying {
    sql::PurgeStay stay;
    QList<PurgeScopeBar> bars;
};

} // namespace

PurgeController::PurgeController(QObject *parent)
    : QObject(parent)
    , m_groups(new PurgeGroupsModel(this))
    , m_partitions(new PartitionsModel(this))
{
    connect(&m_planning, &Request::changed, this, &PurgeController::changed);
    connect(&m_staying, &Request::changed, this, &PurgeController::changed);
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &PurgeController::askPurged);
}

PurgeController::~PurgeController() = default;

void PurgeController::setDatabase(sql::Database *database)
{
    m_staying.setDatabase(database);
    m_following.setDatabase(database);
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
    m_partitions->setTimeFormat(format);
}

QList<sql::KeyState> PurgeController::possibleStates() const
{
    return purgeableStates(m_target.target.profile);
}

void PurgeController::forget()
{
    m_planning.drop();
    m_staying.drop();
    m_staying.clearError();
    m_plan.reset();
    m_stay.reset();
    follow({});
    m_following.drop();
    m_ended = false;
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
        [target = m_target.target, registration = m_target.registration, states, cutoff, parts = partitioned()](
            sql::Session &session) -> sql::Result<Planned> {
            if (registration) {
                TRY(sql::requireAsProfiled(session, target, *registration));
            }
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
            return Staying { stay, purgeBars(plan, stay, kMostPurgeBars) };
        },
        [this](const sql::Result<Staying> &result) {
            if (result) {
                m_stay = result->stay;
                m_bars = result->bars;
                m_following.drop(); // of a purge that began before: it is looked anew, with what stays
                m_read.reset();
                m_told = 0;
                m_stayExact = result->stay.exact();
                m_stayCut = result->stay.cut();
            } else if (m_plan) {
                m_bars = purgeBars(*m_plan, std::nullopt, kMostPurgeBars);
            }
        });
}

void PurgeController::follow(const QString &action, qint64 done, bool runs)
{
    if (m_ended) { // its record may still be shown elsewhere; what it took is told once, by conclude()
        return;
    }
    if (m_followed != action) {
        m_followed = action;
        m_following.drop();
        m_again.stop();
        m_read.reset();
        m_told = 0;
        m_pauseMs = kLeastPurgedPauseMs;
    }
    m_done = done;
    m_runs = runs;
    takePurged();
    awaitPurged();
}

/// Never ahead of whoever runs it: a batch may be read before its answer has come.
void PurgeController::takePurged()
{
    if (m_read && m_read->rows <= m_done) {
        showPurged(*m_read);
        m_read.reset();
    }
}

void PurgeController::showPurged(const PurgedBars &purged)
{
    qint64 named = 0;
    for (const sql::PurgedScope &scope : purged.scopes) {
        named += scope.rows;
    }
    m_bars = purged.bars;
    m_told = purged.rows;
    m_groups->setPurged(purged.scopes, named == purged.rows);
}

void PurgeController::awaitPurged()
{
    if (follows() && m_plan && m_told < m_done && !m_again.isActive() && !m_following.busy()) {
        m_again.start(m_pauseMs);
    }
}

void PurgeController::conclude(const QString &action, qint64 done)
{
    const std::optional<sql::PurgePlan> plan = m_plan;
    if (!plan || m_following.database() == nullptr) {
        forget();
        return;
    }
    m_planning.drop();
    m_staying.drop();
    m_staying.clearError();
    m_plan.reset();
    m_partitions->setPartitions({}); // whose numbers are of before
    follow({});
    m_ended = true;
    m_done = done;
    emit changed();
    m_following.ask(
        { sql::LaneKind::Background, kPurgedDeadlineMs },
        [action, plan, stay = m_stay](sql::Session &session) { return barsOf(session, action, *plan, stay); },
        [this](const sql::Result<PurgedBars> &result) {
            if (result && m_ended) { // else the figures above say how many rows went, and the bars by scope lag behind
                showPurged(*result);
                emit changed();
            }
        });
}

void PurgeController::askPurged()
{
    if (m_followed.isEmpty() || !m_plan) {
        return;
    }
    m_sinceAsked.start();
    m_following.ask(
        { sql::LaneKind::Background, kPurgedDeadlineMs },
        [id = m_followed, plan = *m_plan, stay = m_stay](
            sql::Session &session) { return barsOf(session, id, plan, stay); },
        [this](const sql::Result<PurgedBars> &result) {
            m_pauseMs = int(std::clamp<qint64>(
                kPurgedPauseShare * m_sinceAsked.elapsed(), kLeastPurgedPauseMs, kMostPurgedPauseMs));
            if (result && m_plan) {
                m_read = *result;
                takePurged();
                emit changed();
            }
            awaitPurged(); // what could not be read now may be next time; the bars stay as they are
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
    return tr("%1, about %2. About %3 at the default pace, and %4 of write-ahead log.")
        .arg(rowsText(m_plan->rows), bytesText(m_plan->bytes), durationText(m_plan->seconds),
            bytesText(m_plan->walBytes));
}

} // namespace idemdesk::models

#include "moc_purge_controller.cpp"
