// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_group.h"
#include "models/complaint/complaint.h"
#include "models/request/request.h"

#include <QObject>
#include <QPointer>
#include <array>
#include <memory>
#include <vector>

namespace idemdesk::models {

class GroupSession;

/// What one member of a group answered to a complaint.
struct GroupAnswer {
    int member = -1; ///< its place in the group
    QString label; ///< hostile
    QList<sql::Target> targets; ///< that were searched; candidates name them by their place
    ComplaintAnswer answer;
    QList<TargetProblem> problems; ///< its known tables that could not be read
    std::optional<sql::Error> error; ///< why there is no answer
};

/// Asks the other members of the window's group what the window's own was asked: each on a connection of its own, all
/// at once. A member that does not answer is named, and holds nobody up once it is known to be gone. Lives on the GUI
/// thread.
class GroupComplaint final : public QObject
{
    Q_OBJECT

public:
    explicit GroupComplaint(QObject *parent = nullptr);
    ~GroupComplaint() override;

    /// null: there is no group. own: the member that is asked elsewhere; -1: none. What was answered is dropped.
    void setGroup(GroupSession *session, int own);
    GroupSession *session() const;
    int own() const { return m_own; }

    void search(const ComplaintQuestion &question); ///< finished() follows, unless there is nobody to ask
    void stop(); ///< whoever has not answered by now is said to be stopped; finished() follows
    void clear(); ///< drops question and answers
    bool busy() const { return m_pending > 0; }
    QList<GroupAnswer> answers() const; ///< of the others, in the group's order; none before a search

signals:
    void finished(); ///< all have answered, or are known not to

private:
    struct Part {
        GroupAnswer said;
        std::unique_ptr<Request> request;
        bool asked = false;
        bool done = false;
    };

    void onMember(int member);
    void ask(std::size_t number);
    void end(std::size_t number);
    void fail(std::size_t number, const sql::Error &error);

    QPointer<GroupSession> m_session;
    int m_own = -1;
    ComplaintQuestion m_question;
    std::vector<Part> m_parts;
    int m_pending = 0;
};

/// A member's answer as a case says it. What the question leaves out is not said here.
ElsewhereMember elsewhereOf(const GroupAnswer &answer);

/// A case of the member `own` alone: the others were not searched. session null: there is no group.
CaseGroup caseOfOneMember(const GroupSession *session, int own);

/// Two matches in different members that look like one thing done twice.
struct AcrossSuspicion {
    QString text; ///< a sentence; empty: there are none. Safe to show
    QString target; ///< profile's name, where it is one key of one table with two results
    QString key; ///< hostile
    std::array<int, 2> members { -1, -1 }; ///< that have the two, by their places in the group
};
/// One key with two results, else two charges of one customer and amount within an hour.
AcrossSuspicion suspicionAcross(const QList<GroupAnswer> &answers);

} // namespace idemdesk::models
