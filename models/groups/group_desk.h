// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/groups/group_session.h"

#include <QObject>
#include <QPointer>

namespace idemdesk::models {

class ConnectionController;
class GroupStore;
class SecretStore;

/// The group that a window belongs to, if any, beside the window's own connection, which is to one of its members. A
/// connection to anything else leaves the group. Lives on the GUI thread.
class GroupDesk final : public QObject
{
    Q_OBJECT

public:
    /// All outlive this object; groups and secrets may be null.
    GroupDesk(ConnectionController *connection, GroupStore *groups, SecretStore *secrets, QObject *parent = nullptr);
    ~GroupDesk() override;

    /// Opens all members. The window is connected to the one that was used last, else to the first that answers.
    void open(const GroupPlaces &places);
    void leave();
    GroupSession *session() const { return m_session; } ///< null where the window belongs to no group
    int current() const { return m_current; } ///< the member that the window is connected to; -1: none
    /// Connects the window to this member; false where it has not answered.
    bool show(int member);

signals:
    void sessionChanged(); ///< the one before is there until this was heard, and no longer
    void currentChanged();

private:
    void choose();
    void setCurrent(int member);
    void onDatabase();

    ConnectionController *m_connection;
    GroupStore *m_groups;
    SecretStore *m_secrets;
    QPointer<GroupSession> m_session;
    int m_current = -1;
    int m_last = -1; ///< the member that was used last, while it may still answer
    bool m_connecting = false; ///< it is this object that connects the window
};

} // namespace idemdesk::models
