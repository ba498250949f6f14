// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QFrame;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QTableView;

namespace idemdesk::models {
class GroupSession;
class ReplicationController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BadgeView;
class BusyBar;
class ContentStack;
class FactGrid;
class NoticeBar;

/// How logical replication between the members of a group does: a verdict, each way with its lag and errors, and what
/// both ends of it say.
class ReplicationView final : public QWidget
{
    Q_OBJECT

public:
    /// group: outlives the view.
    ReplicationView(models::GroupSession *group, models::Settings *settings, QWidget *parent = nullptr);

    void activate(); ///< reads what was never read
    void refresh();
    void readNew(int member); ///< where it answers now and was not asked
    models::ReplicationController *controller() const { return m_replication; }

private:
    QWidget *buildHead();
    QWidget *buildDetail();
    void setUpList(models::Settings *settings);
    void sync();
    void showAge();
    void showWay();

    models::GroupSession *m_group;
    models::ReplicationController *m_replication;
    BadgeView *m_badge;
    QLabel *m_verdict;
    QLabel *m_age;
    BusyBar *m_busy;
    NoticeBar *m_alarm; ///< a way that does not work
    QLabel *m_advice;
    QLabel *m_unseen; ///< what a version does not tell
    NoticeBar *m_notice;
    ContentStack *m_stack;
    QSplitter *m_split;
    QTableView *m_table;
    QLabel *m_todo;
    QFrame *m_fixBox;
    QPlainTextEdit *m_fix;
    FactGrid *m_facts;
    QTimer m_ticking; ///< of the age
};

} // namespace idemdesk::ui
