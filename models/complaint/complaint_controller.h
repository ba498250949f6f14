// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_controller.h"
#include "models/complaint/complaint_model.h"
#include "models/complaint/group_complaint.h"
#include "models/connection/connection_controller.h"
#include "models/request/request.h"

#include <QObject>

namespace idemdesk::models {

/// From a complaint to candidates, and from those picked to a case. Where the window belongs to a group, the candidates
/// are those of all members; the case is of the window's own. Lives on the GUI thread.
class ComplaintController final : public QObject
{
    Q_OBJECT

public:
    explicit ComplaintController(QObject *parent = nullptr);

    ComplaintModel *model() const { return m_model; }
    CaseController *caseController() const { return m_case; }
    void setDatabase(sql::Database *database);
    /// problems: tables that are known and could not be read, so that no search finds anything in them.
    void setTargets(const QList<TargetEntry> &targets, const QList<TargetProblem> &problems = {});
    /// The group of the window, and the member it is connected to. null: none.
    void setGroup(GroupSession *session, int own);
    void setConflictsHere(const sql::LocalPlace &place) { m_place = place; }

    /// Looks for candidates; changed() follows. A newer question takes the place of the one under way. One candidate
    /// alone is judged at once.
    void search(const ComplaintQuestion &question);
    /// Looks for the key of a recorded conflict, and judges its intent at once where the record tells which one it is;
    /// where it is none of those found, notes() say so.
    void searchConflict(const sql::ConflictRecord &conflict);
    void cancel(); ///< where the window's own member has answered, its matches stay, and the others are named
    void clear(); ///< drops question, candidates and case
    bool busy() const { return m_searching.busy() || m_members->busy(); }
    bool answered() const { return m_answered; }
    const ComplaintQuestion &question() const { return m_question; } ///< the last one
    const QStringList &notes() const { return m_notes; }
    /// What two members of the window's group seem to have done twice; it stands before all the rest.
    const AcrossSuspicion &across() const { return m_across; }
    const QStringList &brief() const { return m_brief; } ///< of these, what nobody may miss
    /// Which tables were not searched, and why: a sentence a reason.
    const QStringList &notSearched() const { return m_notSearched; }
    /// Finding nothing says that there is nothing: every table was searched, and all of it.
    bool whole() const { return m_whole; }
    int searched() const { return m_searched; } ///< tables
    int unsearched() const { return m_unsearched; } ///< tables that gave no answer, whatever the reason
    /// A table that was not searched may hold a match: not so of one whose keys are of another type than the key.
    bool leavesOut() const { return m_leavesOut; }
    bool cut() const { return m_cut; } ///< some table has more matches than are listed
    bool lastDaysOnly() const { return m_lastDaysOnly; } ///< of some table only the last thirty days were searched
    const QList<TargetProblem> &notRead() const { return m_notRead; } ///< tables that the answer leaves out
    int members() const; ///< of the group that were asked; 0: there is no group
    int membersAnswered() const { return members() - int(m_silent.size()); }
    /// Members that did not answer, each with the reason: what is meant may be there.
    const QStringList &silent() const { return m_silent; }
    /// Asks once more, members that are down as well.
    void retry();
    QString memberLabel(int member) const; ///< hostile
    QString filterOf(int row) const; ///< that finds the candidate in its own member
    const std::optional<sql::Error> &error() const { return m_searching.error(); }

    /// Reads the case of the candidates picked; none: the case shown is dropped.
    void judgePicked();
    /// Reads the case of intents of one target, which need not be candidates: each key with its scope by the profile's
    /// parts.
    void judgeKeys(const QString &target, const QStringList &keys, const QList<sql::Cells> &scopes);

signals:
    void changed();

private:
    void accept(const sql::Result<ComplaintAnswer> &answer, const QList<sql::Target> &targets);
    void drop();
    void complete(); ///< all that were asked have answered
    void takeMember(const GroupAnswer &answer, ComplaintAnswer *all, QList<sql::Target> *targets);
    CaseGroup caseGroup() const;
    void judgeFitting();
    static QString registeredName(const TargetEntry &entry);
    static CaseSubject subjectOf(const TargetEntry &entry, const QString &key, const sql::Cells &scope);

    ComplaintModel *m_model;
    CaseController *m_case;
    GroupComplaint *m_members; ///< the other members of the group
    std::optional<GroupAnswer> m_own; ///< what the window's own member answered
    QStringList m_silent;
    Request m_searching { QStringLiteral("complaint") };
    QList<TargetEntry> m_targets;
    QList<TargetProblem> m_problems;
    QList<TargetProblem> m_notRead;
    sql::LocalPlace m_place;
    ComplaintQuestion m_question;
    std::optional<sql::ConflictRecord> m_conflict; ///< that the question is about
    QStringList m_notes;
    AcrossSuspicion m_across;
    QStringList m_brief;
    QStringList m_notSearched;
    bool m_whole = false;
    bool m_cut = false;
    bool m_lastDaysOnly = false;
    int m_searched = 0;
    int m_unsearched = 0;
    bool m_leavesOut = false;
    bool m_answered = false;
};

} // namespace idemdesk::models
