// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/activity.h"
#include "ui/pages/page.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QTreeView;

namespace idemdesk::models {
class ActionCenter;
class ActivityController;
class ConnectionController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ContentStack;
class NoticeBar;

/// Sessions that hold or await locks on the tables, as a tree of who waits for whom; one can be stopped, which the
/// trail keeps.
class ActivityPage final : public Page
{
    Q_OBJECT

public:
    ActivityPage(models::ConnectionController *connection, models::ActivityController *activity,
        models::ActionCenter *center, models::Settings *settings, QWidget *parent = nullptr);

    void activate() override;
    void deactivate() override;
    void refresh() override;
    void refreshByItself() override { } // it always does

private:
    QWidget *buildFoot();
    QWidget *buildStatement();
    void showStatement();
    static QString countersText(const sql::ActivityReport &report);
    void sync();
    void rememberSelection();
    void restoreSelection();
    void fitTree(); ///< as tall as its rows, until a person has moved the line beneath
    void ask(sql::SignalVerb verb);
    void onSignalled(const QString &text, const std::optional<sql::Error> &error);

    models::ConnectionController *m_connection;
    models::ActivityController *m_activity;
    models::ActionCenter *m_center;
    ContentStack *m_stack;
    QSplitter *m_split;
    QTreeView *m_tree;
    QLabel *m_locks;
    QPlainTextEdit *m_statement;
    NoticeBar *m_notice;
    QLabel *m_counters;
    QLabel *m_waiting; ///< how many are held up
    QPushButton *m_cancel;
    QPushButton *m_terminate;
    bool m_splitByHand = false;
    int m_selected = 0; ///< pid, across a refresh that moves rows
    bool m_told = false; ///< the notice says what came of a signal
};

} // namespace idemdesk::ui
