// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/groups/group_place.h"
#include "ui/window/window_services.h"

#include <QObject>
#include <QPointer>

class QWidget;

namespace idemdesk::models {
class Workspace;
}

namespace idemdesk::ui {

class AddTableDialog;
class ConnectDialog;
class GroupsDialog;

/// The dialogs that the window opens itself, from its menu or for several pages.
class WindowDialogs final : public QObject
{
    Q_OBJECT

public:
    /// Each dialog is a child of the window.
    WindowDialogs(const WindowServices &services, models::Workspace *work, QWidget *window);

    void openConnect();
    void openGroups();
    void openAddTable();
    void openProfileFile(); ///< asks which, shows its SQL, and adds its table
    void showRows(const QString &action);
    void openSampling();
    void openRoles();
    void openInstall();
    void openRegister(const QString &target);
    void tellActionRuns(); ///< why the window cannot be connected elsewhere now
    void askToPause(); ///< the window was to be closed while an action runs
    /// The connect dialog follows the connection that it asked for; true where it says the error itself.
    bool tellConnect();

    ConnectDialog *connectDialog() const;
    AddTableDialog *addTableDialog() const;

signals:
    void groupWanted(const idemdesk::models::GroupPlaces &places);
    void tableAdded(const QString &target); ///< from a profile file

private:
    void confirmProfile(const QString &path);

    WindowServices m_services;
    models::Workspace *m_work;
    QWidget *m_window;
    QPointer<ConnectDialog> m_connectDialog;
    bool m_connectAsked = false; ///< by the dialog; others, such as a group, open connections too
    QPointer<AddTableDialog> m_addTableDialog;
    QPointer<GroupsDialog> m_groupsDialog;
};

} // namespace idemdesk::ui
