// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

#include <QWidget>
#include <functional>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTabWidget;
class QTableView;

namespace idemdesk::models {
class ActionCenter;
class AuditController;
class ConnectionController;
class Settings;
}

namespace idemdesk::ui {

class EmptyState;
class NoticeBar;
class TrailView;

/// What was done and by whom: the history of actions, with undo, approval and resume; the trail itself, with its check; and the
/// health of the guard that protects both.
class AuditPage final : public QWidget
{
    Q_OBJECT

public:
    AuditPage(models::ConnectionController *connection, models::ActionCenter *center, models::AuditController *audit, models::Settings *settings,
        QWidget *parent = nullptr);

    void activate(); ///< the page came to the front
    void showTab(const QString &id); ///< "actions", "trail" or "guard"
    void verify();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

signals:
    void connectClicked();
    void installClicked();
    void rowsWanted(const QString &action);

private:
    QWidget *buildActions();
    QWidget *buildGuard();
    void wire();
    void update();
    void updateGuard();
    void updateButtons();
    std::optional<sql::ActionRecord> current() const;
    void askPartition(sql::ActionVerb verb);
    void askUndo();
    void askUndoOf(const sql::ActionRecord &action, qint64 rows);
    void askDecision(bool approve);
    /// A line of text with a verb; the handler gets it. toType: what must be typed on production, as everywhere else; empty: nothing.
    void askText(const QString &title, const QString &label, const QString &verb, bool required, const QString &toType, std::function<void(const QString &)> handler);

    models::ConnectionController *m_connection;
    models::ActionCenter *m_center;
    models::AuditController *m_audit;
    models::Settings *m_settings;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    QTabWidget *m_tabs;
    NoticeBar *m_notice;
    QTableView *m_actions;
    QString m_chosen; ///< id of the action that the person looks at
    QLineEdit *m_search;
    QComboBox *m_verbs;
    QPushButton *m_rows;
    QPushButton *m_undo;
    QPushButton *m_drop;
    QPushButton *m_resume;
    QPushButton *m_approve;
    QPushButton *m_decline;
    TrailView *m_trail;
    QWidget *m_guard;
    QLabel *m_guardText;
    QTableView *m_findings;
    QPushButton *m_upgrade;
};

} // namespace idemdesk::ui
