// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace idemdesk::models {
class GroupSession;
class ReplicationList;
} // namespace idemdesk::models

namespace idemdesk::ui {

/// One member of a group: its label, what its server is, and whether it answers; else why not.
class MemberCard final : public QFrame
{
    Q_OBJECT

public:
    MemberCard(models::GroupSession *session, int member, QWidget *parent);

    /// How rows come to it from the others, a line a way; hidden where none is known.
    void showWays(const models::ReplicationList &ways);
    void sync(bool current); ///< current: the window is connected to it

signals:
    void retryClicked();
    void showClicked(); ///< connect the window to it

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    models::GroupSession *m_session;
    int m_member;
    QLabel *m_mark;
    QLabel *m_state;
    QLabel *m_where;
    QLabel *m_ways;
    QPushButton *m_retry;
    QPushButton *m_show;
};

} // namespace idemdesk::ui
