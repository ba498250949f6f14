// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/groups/member_action.h"

#include <QDeadlineTimer>
#include <memory>
#include <vector>

namespace idemdesk::models {

class GroupActionList;

/// What one member is about to do, or why it is not known.
struct MemberSum {
    QString label;
    std::optional<qint64> rows; ///< nothing: there is no plan
    bool answered = false; ///< without a plan: it said why there is none
};
/// "20 keys (36 rows): 16 in eu, 20 in us; asia did not answer." keys: different ones, where it is known.
QString groupSums(const QList<MemberSum> &sums, std::optional<qint64> keys = {});

/// One action over all members of a group: planned in each of them, confirmed once, with one reason, ticket and id that
/// all their trails record. A member that fails leaves the others as they are, and nothing is sent twice. Lives on the
/// GUI thread.
class GroupAction final : public QObject
{
    Q_OBJECT

public:
    /// How long a production member may be acted on once a person said so, in minutes.
    static constexpr int kAllowedMinutes = 15;

    /// group: outlives it. journalPath: where asked actions are noted before they are sent.
    GroupAction(GroupSession *group, const QString &journalPath, QObject *parent = nullptr);
    ~GroupAction() override;

    void plan(const GroupChoice &choice); ///< in all members at once; nothing while it runs
    void stopPlanning(); ///< in those that have not answered
    void forget(); ///< the choice changed: no plan holds any more; nothing while it runs
    /// Begins everywhere where it may be done. Nothing without rows.
    void run(const QString &reason, const QString &ticket, bool throttled);
    void setFreshFor(int milliseconds); ///< see MemberAction
    void cancel(); ///< everywhere; what is done stays

    const GroupChoice &choice() const { return m_choice; } ///< of the plans
    int size() const { return int(m_members.size()); }
    const MemberAction &member(int number) const { return *m_members.at(std::size_t(number)); }
    GroupActionList *list() const { return m_list; } ///< a member a row

    bool planning() const;
    bool planned() const; ///< asked, and each member has a plan or failed
    bool running() const { return m_running; }
    bool acted() const { return !m_id.isEmpty(); } ///< since it was planned
    bool failed() const; ///< somewhere it did not go as planned, once it is over
    int answered() const; ///< members that said something: a plan, or why there is none
    int plans() const; ///< members that have a plan
    qint64 rows() const; ///< that run() would ask for, in all members
    bool partly() const; ///< some member has no plan, or could not look at all
    qint64 done() const; ///< rows that were changed, in all members
    std::optional<qint64> keys() const; ///< different ones among rows(); nothing where they are not listed
    std::optional<qint64> doneKeys() const; ///< among done(); nothing where a member did only some of its rows
    QString sums() const;
    QString doneSums() const; ///< the same of what was done: "20 in us, 16 in eu"
    int planNumber() const { return m_plans; } ///< another one for each plan: who reviews one acts on no other
    const QString &id() const { return m_id; } ///< of the action over the group; empty until it ran
    /// Of the members that would act, the one that needs most care.
    sql::Environment environment() const;

    /// A member that would act is production, and nobody allowed it of late.
    bool mustBeAllowed() const;
    void allow();

signals:
    void changed();
    void memberEnded(int member); ///< what it holds is another one now, or may be
    void ended(); ///< no member acts any more

private:
    void onMember(int number);
    void refuseTwice();
    void takeAll();
    template <typename Counts> std::optional<qint64> keysWhere(Counts counts) const;

    GroupSession *m_group;
    GroupChoice m_choice;
    std::vector<std::unique_ptr<MemberAction>> m_members;
    GroupActionList *m_list;
    QString m_id;
    QDeadlineTimer m_allowed;
    int m_plans = 0;
    QList<int> m_ended; ///< members that have ended
    bool m_asked = false;
    bool m_running = false;
    bool m_starting = false;
};

} // namespace idemdesk::models
