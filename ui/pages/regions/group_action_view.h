// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/action.h"

#include <QPointer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QDateTimeEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;

namespace idemdesk::models {
class GroupAction;
class GroupSession;
class MemberPlanLines;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ActionDialog;
class BusyBar;
class ContentStack;
class NoticeBar;
class StatesButton;
class TargetChooser;

/// Recovers, requeues or purges in all members of a group at once: their plans beside each other, one review, and how
/// it goes in each of them. What a member does not tell, and who stays as it is, is said.
class GroupActionView final : public QWidget
{
    Q_OBJECT

public:
    /// session: outlives the view. journalPath: where asked actions are noted before they are sent.
    GroupActionView(models::GroupSession *session, models::Settings *settings, const QString &journalPath,
        QWidget *parent = nullptr);

    void plan(); ///< what is chosen, in all members; nothing while it runs
    void refresh(); ///< the same, and members that did not answer are asked, too
    void setVerb(sql::ActionVerb verb); ///< as if chosen
    void setTimeFormat(const models::TimeFormat &format);
    models::GroupAction *action() const { return m_action; }
    ActionDialog *dialog() const; ///< the review while it is open; else null
    void openReview(); ///< of what was planned

signals:
    void actionWanted(int member, const QString &action); ///< show it in its member
    void undoWanted(int member, const QString &action); ///< and ask there whether it is to be undone

private:
    QWidget *buildBar();
    QWidget *buildPurge();
    QWidget *buildMembers();
    QWidget *buildFoot();
    void setUpMembers();
    void wire();
    void onTargets();
    void onChoice(); ///< the plans do not hold any more
    sql::ActionVerb verb() const;
    void sync();
    void syncBar();
    void syncColumns();
    void syncNotices();
    void syncFoot();
    QString idsText() const;
    void syncEmpty();
    void showMember();
    QString whyNotGo() const; ///< a sentence; empty where the review may be opened
    int currentMember() const;

    models::GroupSession *m_session;
    models::GroupAction *m_action;
    models::MemberPlanLines *m_lines;
    TargetChooser *m_targets;
    QComboBox *m_verb;
    QLineEdit *m_filter;
    QWidget *m_purge = nullptr; ///< what only a purge asks
    StatesButton *m_states;
    QCheckBox *m_now;
    QDateTimeEdit *m_before;
    QCheckBox *m_images;
    QPushButton *m_plan;
    QPushButton *m_stop;
    BusyBar *m_busy;
    NoticeBar *m_allow;
    NoticeBar *m_notice;
    NoticeBar *m_warnings;
    QLabel *m_fault; ///< what is wrong with the filter
    QLabel *m_sums;
    ContentStack *m_stack;
    QSplitter *m_split;
    QTableView *m_members;
    QLabel *m_name;
    QLabel *m_told;
    QPushButton *m_undo;
    QPushButton *m_show;
    QTableView *m_plans;
    QLabel *m_id;
    QPushButton *m_copy;
    QPushButton *m_go;
    QPointer<ActionDialog> m_dialog;
    models::TimeFormat m_format;
    QString m_reason; ///< of a review that was left
    QString m_ticket;
    QString m_statesOf; ///< the table whose states are offered
    QString m_shown; ///< which plan of which member is listed
};

} // namespace idemdesk::ui
