// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"
#include "ui/pages/page.h"

#include <functional>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabWidget;
class QTableView;

namespace idemdesk::models {
class ActionCenter;
class ApprovalPreview;
class AuditController;
class ConnectionController;
class Settings;
struct Decision;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ContentStack;
class FactGrid;
class GuardView;
class NoticeBar;
struct ReasonQuestion;
class TrailView;

/// What was done and by whom: the history of actions, with undo, approval and resume; the trail itself, with its check;
/// and the health of the guard that protects both.
class AuditPage final : public Page
{
    Q_OBJECT

public:
    AuditPage(models::ConnectionController *connection, models::ActionCenter *center, models::AuditController *audit,
        models::Settings *settings, QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void refresh() override;
    void setTimeFormat(const models::TimeFormat &format) override;
    void activate() override; ///< the page came to the front
    void showTab(const QString &id); ///< "actions", "trail" or "guard"
    void showAction(const QString &id); ///< on the tab of actions, selected
    void undoAction(const QString &id); ///< the same; asks for its undo once it is there, where that may be done
    /// Asked with each undo: a sentence on how far it reaches, or nothing.
    void setUndoNote(std::function<QString()> note) { m_undoNote = std::move(note); }
    void askDecision(const sql::ActionRecord &action, bool approve);
    void verify();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

signals:
    void rowsWanted(const QString &action);
    /// This action, which waits for a decision, is in sight here; empty: none.
    void decidesOn(const QString &action);

private:
    QWidget *buildActions();
    QWidget *buildAction();
    void wire();
    void follow(); ///< what changes elsewhere
    void sync();
    void updateButtons();
    void showFacts();
    void showWarnings(const sql::ActionRecord &action);
    std::optional<sql::ActionRecord> current() const;
    bool decidable(const sql::ActionRecord &action) const; ///< by this person
    int rowToDecide() const; ///< of the newest action that waits for this person's word, or -1
    int rowNewlyAsked() const; ///< of a request that this person made, or decides on, since the last look; or -1
    void tellDecision();
    const sql::ActionRecord *otherSide() const; ///< null: it has none in the list
    std::optional<sql::RegisteredTarget> registrationOf(const QString &target) const;
    std::optional<sql::Target> targetOf(const QString &target) const; ///< as this connection reads it
    QString whyNotUndo(const sql::ActionRecord &action) const; ///< a sentence; empty where it may be tried
    /// Whether the list has its undo, why none is offered, until when it can be.
    QString undoText(const sql::ActionRecord &action) const;
    void askPartition(sql::ActionVerb verb);
    void askUndo();
    void askUndoOf(const sql::ActionRecord &action, qint64 rows);
    void selectAgain();
    void askDecisionOn(const models::Decision &decision, bool approve);
    /// Asks for a reason or a note; handler gets it. Where it acts is filled in here.
    void ask(const ReasonQuestion &question, std::function<void(const QString &)> handler);

    models::ConnectionController *m_connection;
    models::ActionCenter *m_center;
    models::AuditController *m_audit;
    models::Settings *m_settings;
    ContentStack *m_stack;
    QTabWidget *m_tabs;
    NoticeBar *m_notice;
    QTableView *m_actions;
    QString m_chosen; ///< id of the action that the person looks at
    QString m_wanted; ///< id of one that is to be selected as soon as it is in the list
    bool m_missed = false; ///< the list was read, and does not have it
    QString m_undoWanted; ///< id of one whose undo is asked for as soon as it is selected
    std::function<QString()> m_undoNote;
    sql::Timestamp m_seen; ///< when the newest action was asked for that the list had
    QString m_decidesOn; ///< id of the action, as it was told
    QWidget *m_action; ///< all of the one that is selected, with the buttons that act on it
    QLabel *m_actionTitle;
    NoticeBar *m_warnings; ///< of an action that waits for approval
    FactGrid *m_facts;
    QLineEdit *m_search;
    QComboBox *m_verbs;
    QPushButton *m_rows;
    QPushButton *m_other; ///< leads from an action to its undo, and back
    QPushButton *m_undo;
    QPushButton *m_drop;
    QPushButton *m_resume;
    QPushButton *m_approve;
    QPushButton *m_decline;
    models::ApprovalPreview *m_preview;
    TrailView *m_trail;
    GuardView *m_guard;
};

} // namespace idemdesk::ui
