// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/member_action.h"

#include "models/actions/action_rights.h"
#include "models/actions/action_words.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/groups/group_session.h"
#include "sql/actions/compile.h"
#include "sql/actions/registered_profile.h"
#include "sql/actions/triage_reader.h"
#include "sql/console/console_schema.h"
#include "sql/keys/unseen.h"
#include "sql/lanes/database.h"
#include "sql/regions/side_reader.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using RunStage = ActionRunner::Stage;

constexpr int kMemberPlanMs = 600'000; // an exact count of ten million rows on a busy server

/// What the lane's thread needs to plan one member.
struct MemberQuestion {
    TargetEntry entry;
    GroupChoice choice;
    sql::Filter filter;
    bool readOnly = false; ///< the person marked the connection so
};

sql::Result<void> planRows(sql::Session &session, const MemberQuestion &question, MemberPlan *plan)
{
    const sql::Target &target = question.entry.target;
    const GroupChoice &choice = question.choice;
    if (choice.verb != sql::ActionVerb::Purge) {
        if (!hasRuleFor(plan->compiled, choice.verb)) {
            return sql::makeError(sql::ErrorKind::Refused,
                MemberAction::tr("The profile there has no rule to %1 a key.").arg(sql::verbName(choice.verb)));
        }
        TRY(plan->change,
            planChange(session, target, plan->compiled, { choice.verb, question.filter, {}, kGraceMicros }));
        plan->notes = plan->change.notes;
        return {};
    }
    const QList<sql::KeyState> possible = purgeableStates(target.profile);
    QList<sql::KeyState> states = choice.states.isEmpty() ? possible : choice.states;
    states.removeIf([&possible](sql::KeyState state) { return !possible.contains(state); });
    if (states.isEmpty()) {
        return sql::makeError(
            sql::ErrorKind::Refused, MemberAction::tr("The profile there lets no key in these states go."));
    }
    TRY(plan->purge, sql::planPurge(session, target, states, std::nullopt, choice.before));
    plan->purge->images = choice.images;
    plan->notes = sql::unseenNotes(target);
    const auto &registration = question.entry.registration;
    if (plan->whyNot.isEmpty() && registration && choice.images && plan->purge->rows > registration->imageLimit) {
        plan->whyNot = MemberAction::tr("Rows are kept for undo up to %1 there. Purge fewer, or do not keep them.")
                           .arg(countText(registration->imageLimit));
    }
    return {};
}

/// On the lane's thread. It changes nothing.
sql::Result<MemberPlan> planMember(sql::Session &session, const MemberQuestion &question)
{
    const TargetEntry &entry = question.entry;
    MemberPlan plan;
    plan.place = placeText(session.facts());
    TRY(const auto status, sql::readConsoleStatus(session));
    plan.whyNot = whyNotAct(status, question.readOnly, session.facts().user);
    if (plan.whyNot.isEmpty() && !entry.registration) {
        plan.whyNot = MemberAction::tr("The table is not registered there, so no action can run on it.");
    }
    TRY(plan.database, sql::databaseIdentity(session));
    plan.compiled = entry.compiled;
    if (plan.compiled.json.isEmpty()) {
        TRY(plan.compiled, sql::compileTarget(session, entry.target));
    }
    if (entry.registration) {
        TRY(sql::requireAsProfiled(session, entry.target, *entry.registration));
    }
    TRY(planRows(session, question, &plan));
    return plan;
}

} // namespace

MemberAction::MemberAction(GroupSession *group, int member, QString journalPath, QObject *parent)
    : QObject(parent)
    , m_group(group)
    , m_member(member)
    , m_journalPath(std::move(journalPath))
    , m_others(group, member)
{
    connect(&m_others, &OtherRegions::answered, this, &MemberAction::hear);
    connect(group, &GroupSession::memberChanged, this, [this](int changed) {
        if (changed != m_member) {
            return;
        }
        if (m_stage == Stage::Planning && m_group->state(m_member) == GroupSession::MemberState::Failed) {
            drop(); // a lane would wait for its server, and the other members with it
            m_plan = {};
            m_waiting = true;
        }
        if (m_waiting) {
            start();
        }
    });
    connect(&m_primary, &PrimaryLink::changed, this, [this] {
        if (m_waiting) {
            start();
        }
    });
}

MemberAction::~MemberAction() = default;

void MemberAction::plan(const GroupChoice &choice)
{
    if (m_stage == Stage::Running) {
        return;
    }
    drop();
    m_runner.reset();
    m_choice = choice;
    m_plan = {};
    m_othersAsked.invalidate();
    m_error.reset();
    m_stage = Stage::Planning;
    m_primary.retry();
    start();
}

/// Once the member has answered and its primary is found; else it waits for them.
void MemberAction::start()
{
    using State = GroupSession::MemberState;
    m_waiting = false;
    if (m_group->state(m_member) == State::Failed) {
        fail(*m_group->error(m_member));
        return;
    }
    if (m_group->state(m_member) == State::Opening) {
        m_waiting = true;
        emit changed();
        return;
    }
    const TargetEntry *entry = m_group->target(m_member, m_choice.target);
    if (entry == nullptr) {
        fail(m_group->whyNoTarget(m_member, m_choice.target));
        return;
    }
    m_waiting = true; // of what follow() tells, this is called again
    m_primary.follow(m_group->database(m_member));
    if (m_stage != Stage::Planning || !m_waiting) {
        return; // it was
    }
    if (m_primary.looking()) {
        emit changed();
        return;
    }
    m_waiting = false;
    if (m_primary.database() == nullptr) {
        fail(sql::makeError(sql::ErrorKind::Refused, tr("It is a standby, so nothing can be changed on it."),
            m_primary.whyNone(), tr("Connect this member to the primary, or name both servers in it.")));
        return;
    }
    ask(*entry);
}

void MemberAction::ask(const TargetEntry &entry)
{
    const auto filter = parseFilter(m_choice.filter, vocabularyOf(entry.target.profile, m_choice.zone));
    if (!filter) {
        fail(filter.error());
        return;
    }
    m_target = entry.target;
    m_registered = entry.registration;
    m_planning.setDatabase(m_primary.database());
    m_planning.ask(
        { sql::LaneKind::Background, kMemberPlanMs },
        [question = MemberQuestion { entry, m_choice, *filter, m_group->place(m_member).settings.readOnly }](
            sql::Session &session) { return planMember(session, question); },
        [this](const sql::Result<MemberPlan> &plan) { take(plan); });
    emit changed();
}

void MemberAction::take(const sql::Result<MemberPlan> &plan)
{
    if (!plan) {
        fail(plan.error());
        return;
    }
    m_plan = *plan;
    const FrozenSet &set = m_plan.change.set;
    if (m_group->kind() == sql::GroupKind::Regions && !set.rows.isEmpty()) {
        m_asksOthers = true;
        m_othersAsked.start();
        m_others.ask(m_choice.target, m_target.profile, set.keys);
        emit changed();
        return;
    }
    m_stage = Stage::Planned;
    emit changed();
}

void MemberAction::hear(const QList<RegionWord> &words)
{
    if (!m_asksOthers || (m_stage != Stage::Planning && m_stage != Stage::Running)) {
        return; // nobody waits for it any more
    }
    m_asksOthers = false;
    const qsizetype before = m_plan.change.set.rows.size();
    leaveToRegions(&m_plan.change.set, m_plan.compiled, words);
    if (m_stage == Stage::Planning) {
        m_stage = Stage::Planned;
        emit changed();
        return;
    }
    if (const qsizetype held = before - m_plan.change.set.rows.size(); held > 0) {
        endUnbegun(sql::makeError(sql::ErrorKind::Refused, tr("It was not begun; nothing was changed."),
            tr("Since it was planned the other regions hold %Ln key(s) back.", nullptr, int(held)),
            tr("Plan it again to see why.")));
        return;
    }
    m_runner->start(m_request);
    emit changed();
}

/// It was asked for, and ends before the server heard of it.
void MemberAction::endUnbegun(const sql::Error &error)
{
    drop();
    m_runner.reset();
    fail(error);
}

void MemberAction::fail(const sql::Error &error)
{
    m_error = error;
    m_stage = Stage::Failed;
    emit changed();
}

/// Nobody waits for a plan any more.
void MemberAction::drop()
{
    m_planning.drop();
    m_others.stop();
    m_asksOthers = false;
}

void MemberAction::stopPlanning()
{
    if (m_stage == Stage::Planning) {
        m_waiting = false;
        m_planning.cancel();
        drop();
        m_plan = {};
        fail(sql::makeError(sql::ErrorKind::Cancelled, tr("It was stopped before it was planned.")));
    }
}

void MemberAction::forget()
{
    if (m_stage == Stage::Running) {
        return;
    }
    m_waiting = false;
    drop();
    m_runner.reset();
    m_plan = {};
    m_error.reset();
    m_stage = Stage::Idle;
    emit changed();
}

qint64 MemberAction::rows() const
{
    return m_stage == Stage::Planned && m_plan.whyNot.isEmpty() && m_registered ? m_plan.rows() : 0;
}

bool MemberAction::needsApproval() const
{
    return m_registered && m_registered->approvalAbove && m_plan.rows() > *m_registered->approvalAbove;
}

void MemberAction::run(const sql::ActionGroup &group, const QString &reason, const QString &ticket, bool throttled)
{
    if (rows() == 0) {
        return;
    }
    if (m_primary.database() == nullptr) { // no runner would ever come to an end
        endUnbegun(sql::makeError(sql::ErrorKind::ConnectionLost, tr("It was not begun; nothing was changed."),
            tr("The connection to its primary was closed after it was planned."), tr("Plan it again.")));
        return;
    }
    m_request = newAction(*m_registered, m_choice.verb, reason, ticket);
    m_request.rows = m_plan.change.set.rows;
    m_request.purge = m_plan.purge;
    m_request.group = group;
    m_request.group->member = m_group->label(m_member);
    m_stage = Stage::Running;
    m_runner = std::make_unique<ActionRunner>(m_primary.database(), m_journalPath);
    m_runner->setThrottled(throttled);
    connect(m_runner.get(), &ActionRunner::changed, this, &MemberAction::onRunner, Qt::QueuedConnection);
    connect(m_runner.get(), &ActionRunner::ended, this, &MemberAction::onRunner, Qt::QueuedConnection);
    const FrozenSet &set = m_plan.change.set;
    if (m_othersAsked.isValid() && m_othersAsked.elapsed() > m_freshMs) {
        m_asksOthers = true; // a plan may be looked at for long, and another region ends the keys meanwhile
        m_others.ask(m_choice.target, m_target.profile, set.keys);
    } else {
        m_runner->start(m_request);
    }
    emit changed();
}

/// What a person is asked to approve is over for here; what was stopped stays as it is, and is resent by nobody.
void MemberAction::onRunner()
{
    if (m_stage != Stage::Running || m_runner == nullptr) {
        return;
    }
    switch (m_runner->stage()) {
    case RunStage::Asking:
    case RunStage::Paused:
    case RunStage::Stopped:
    case RunStage::Ended:
        m_stage = Stage::Over;
        break;
    case RunStage::Idle:
    case RunStage::Starting:
    case RunStage::Running:
    case RunStage::Holding:
    case RunStage::Finding:
    case RunStage::Pausing:
    case RunStage::Cancelling:
        break;
    }
    emit changed();
}

void MemberAction::cancel()
{
    if (m_runner == nullptr || m_stage != Stage::Running) {
        return;
    }
    if (m_asksOthers) {
        endUnbegun(
            sql::makeError(sql::ErrorKind::Cancelled, tr("It was stopped before it was begun; nothing was changed.")));
        return;
    }
    m_runner->cancelOrGiveUp();
}

bool MemberAction::done() const
{
    return m_stage == Stage::Over && m_runner->stage() == RunStage::Ended
        && m_runner->action().state == sql::ActionState::Finished && rowsSkipped(m_runner->action().counts) == 0;
}

bool MemberAction::answered() const
{
    switch (m_stage) {
    case Stage::Idle:
    case Stage::Planning:
        return false;
    case Stage::Failed:
        return m_group->answered(m_member) && !sql::answerLost(*m_error);
    case Stage::Planned:
    case Stage::Running:
    case Stage::Over:
        break;
    }
    return true;
}

qint64 MemberAction::rowsDone() const
{
    return m_runner != nullptr ? models::rowsDone(m_runner->action().counts) : 0;
}

bool MemberAction::mayBeBegun() const
{
    return m_runner != nullptr && m_runner->begun().value_or(true);
}

QString MemberAction::said() const
{
    switch (m_stage) {
    case Stage::Idle:
        return {};
    case Stage::Planning:
        return m_asksOthers               ? tr("Asking the other regions…")
            : m_group->answered(m_member) ? tr("Planning…")
                                          : tr("Connecting…");
    case Stage::Failed:
        return displayText(m_error->line(), kToolTipChars);
    case Stage::Planned:
        return plannedText();
    case Stage::Running:
        return m_asksOthers ? tr("Asking the other regions…") : overText();
    case Stage::Over:
        return overText();
    }
    return {};
}

QString MemberAction::plannedText() const
{
    if (m_plan.rows() == 0) {
        return m_plan.partly() ? tr("Nothing to do in what could be looked at") : tr("Nothing to do");
    }
    return !m_plan.whyNot.isEmpty() ? tr("Stays as it is. %1").arg(displayText(m_plan.whyNot, kToolTipChars))
        : needsApproval()           ? tr("Another person must approve it first")
                                    : tr("Ready");
}

QString MemberAction::overText() const
{
    const sql::ActionRecord &action = m_runner->action();
    const QString why = m_runner->error() ? u' ' + displayText(m_runner->error()->line(), kToolTipChars) : QString();
    switch (m_runner->stage()) {
    case RunStage::Ended:
        if (!m_runner->begun().value_or(true)) {
            return tr("Not begun; nothing was changed.");
        }
        return tr("%1: %2", "state of an action, its outcome").arg(actionStateLabel(action.state), outcomeText(action));
    case RunStage::Asking:
        return tr("Waits for another person's approval");
    case RunStage::Paused:
    case RunStage::Stopped:
        if (!m_runner->begun()) {
            return tr("Whether it was begun is not known. Look it up there by its id.") + why;
        }
        if (m_runner->lost()) {
            return tr("How far it came is not known. Look it up there by its id.") + why;
        }
        return *m_runner->begun() ? tr("Paused there: %1.").arg(outcomeText(action)) + why
                                  : tr("Not begun; nothing was changed.") + why;
    case RunStage::Holding:
        return tr("Waits, as the server is under pressure");
    case RunStage::Finding:
        return lookUpText(*m_runner);
    case RunStage::Cancelling:
        return tr("Stopping…");
    case RunStage::Idle:
    case RunStage::Starting:
    case RunStage::Running:
    case RunStage::Pausing:
        break;
    }
    return tr("Running");
}

} // namespace idemdesk::models

#include "moc_member_action.cpp"
