// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/actions/action_plan.h"
#include "models/actions/action_runner.h"
#include "models/connection/primary_link.h"
#include "models/groups/other_regions.h"
#include "models/request/request.h"
#include "sql/types/triage.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimeZone>
#include <memory>

namespace idemdesk::models {

class GroupSession;
struct TargetEntry;

/// What is to be done in every member of a group.
struct GroupChoice {
    QString target; ///< profile's name
    sql::ActionVerb verb = sql::ActionVerb::Recover; ///< or Requeue, or Purge
    QString filter; ///< of a recovery or requeue, as a person types it
    QTimeZone zone = QTimeZone::utc(); ///< in which its times are meant
    QList<sql::KeyState> states {}; ///< of a purge; empty: all that a member's profile lets go
    std::optional<sql::Timestamp> before {}; ///< of a purge: nothing is each server's now
    bool images = true; ///< of a purge: its rows are kept for undo
};

/// What one member would do: its keys, or its rows past their retention.
struct MemberPlan {
    ChangePlan change; ///< of a recovery or requeue
    sql::CompiledTarget compiled; ///< by whose rules
    std::optional<sql::PurgePlan> purge;
    QString database; ///< which one it is, whatever the labels say
    QString place; ///< "orders on eu:5432 as op": where it would be done; hostile
    QString whyNot; ///< a sentence: this login may not do it there; empty where it may
    QStringList notes; ///< what could not be looked at

    qint64 rows() const { return purge ? purge->rows : change.set.rows.size(); }
    bool partly() const { return change.partly || !notes.isEmpty(); }
};

/// One member's part of an action over a group: planned and carried out by its own rights, limits and trail, on its
/// primary. What fails here disturbs no other member. Of regions the others are asked what they hold of the keys, for
/// the plan and again where that is old: one that succeeded there is not freed here. Lives on the GUI thread.
class MemberAction final : public QObject
{
    Q_OBJECT

public:
    enum class Stage {
        Idle, ///< nothing was asked
        Planning,
        Planned, ///< plan() is there; nothing was done
        Failed, ///< there is no plan: error() says why
        Running, ///< so is runner()
        Over ///< runner() tells how far it came
    };

    /// group: outlives it.
    MemberAction(GroupSession *group, int member, QString journalPath, QObject *parent = nullptr);
    ~MemberAction() override;

    void plan(const GroupChoice &choice); ///< nothing while it runs
    void stopPlanning(); ///< it ends as Failed
    void forget(); ///< the plan and what became of it; nothing while it runs
    /// Nothing is done here, whatever was planned: it would be done twice.
    void refuse(const QString &why) { m_plan.whyNot = why; }
    /// Carries out the plan where it may be, and has rows. Failed where it could not even be begun. group: the id and
    /// name that each member's trail records.
    void run(const sql::ActionGroup &group, const QString &reason, const QString &ticket, bool throttled);
    /// What is done stays. Where an answer was lost, looking it up ends soon: it is left to who connects there next.
    void cancel();

    /// How long what the other regions said of a plan stands; then run() asks them again. A minute, if not told.
    void setFreshFor(int milliseconds) { m_freshMs = milliseconds; }

    Stage stage() const { return m_stage; }
    const MemberPlan &plan() const { return m_plan; }
    const std::optional<sql::Error> &error() const { return m_error; }
    const ActionRunner *runner() const { return m_runner.get(); } ///< null: nothing was begun
    /// Rows that run() would ask for; 0 without a plan, or where it may not be done.
    qint64 rows() const;
    bool needsApproval() const; ///< another person decides first
    const std::optional<sql::RegisteredTarget> &registered() const { return m_registered; }
    const sql::Target &target() const { return m_target; } ///< as it was planned
    /// It came to its end, and every row went as planned.
    bool done() const;
    /// The member said something: a plan, or why there is none. False: nobody knows what it holds.
    bool answered() const;
    qint64 rowsDone() const; ///< that are known to be changed
    bool mayBeBegun() const; ///< run() was called, and it is not known that nothing was begun: its trail may have it
    QString said() const; ///< how it stands, in a line; hostile texts are made safe

signals:
    void changed();

private:
    void start();
    void ask(const TargetEntry &entry);
    void take(const sql::Result<MemberPlan> &plan);
    void drop();
    void hear(const QList<RegionWord> &words);
    void fail(const sql::Error &error);
    void endUnbegun(const sql::Error &error);
    void onRunner();
    QString plannedText() const;
    QString overText() const;

    GroupSession *m_group;
    const int m_member;
    const QString m_journalPath;
    PrimaryLink m_primary;
    Request m_planning { QStringLiteral("group/plan") };
    OtherRegions m_others;
    GroupChoice m_choice;
    Stage m_stage = Stage::Idle;
    bool m_waiting = false; ///< for the member, or its primary, to answer
    QElapsedTimer m_othersAsked; ///< for the plan; invalid: it needed nothing of them
    int m_freshMs = 60'000;
    bool m_asksOthers = false; ///< its plan is there, made or to be run; the other regions are asked for its keys
    MemberPlan m_plan;
    std::optional<sql::Error> m_error;
    sql::Target m_target;
    std::optional<sql::RegisteredTarget> m_registered;
    sql::ActionRequest m_request; ///< of run()
    std::unique_ptr<ActionRunner> m_runner;
};

} // namespace idemdesk::models
