// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"

#include <QWidget>

class QFrame;
class QLabel;
class QToolButton;

namespace idemdesk::models {
class ConnectionController;
}

namespace idemdesk::ui {

/// The thin band on top: where this window is connected, in the environment's colour; unmistakable on production.
class ConnectionBand final : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectionBand(models::ConnectionController *connection, QWidget *parent = nullptr);

    /// Whether this login may run actions here; else the band says that the connection only reads, or that the person
    /// may approve what others ask. secondsLeft: for how long still, 0 for as long as one likes.
    void setActions(bool allowed, int secondsLeft, bool mayApprove = false);

    void setActing(const QString &place); ///< of actions, where they go to another server; hostile
    void setKiosk(bool kiosk); ///< on a wall nothing is to be pressed

signals:
    void connectClicked();
    void reconnectClicked();

private:
    void sync();
    void syncColors();
    bool acts() const; ///< rows may be changed over this connection
    void buildReadOnly();

    models::ConnectionController *m_connection;
    bool m_actions = false;
    bool m_approves = false;
    QString m_acting;
    int m_actionSeconds = 0;
    bool m_kiosk = false;
    QLabel *m_environment;
    QFrame *m_readOnly; ///< a lock and a word, where nothing can be changed from here
    QLabel *m_title;
    QLabel *m_facts;
    QLabel *m_state;
    QToolButton *m_retry;
    QToolButton *m_change;
};

} // namespace idemdesk::ui
