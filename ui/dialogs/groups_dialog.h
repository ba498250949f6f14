// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/groups/group_store.h"

#include <QDialog>
#include <functional>

class QLabel;
class QListWidget;
class QPushButton;

namespace idemdesk::models {
class SavedConnections;
}

namespace idemdesk::ui {

class ButtonRow;
class GroupForm;
class NoticeBar;

/// The saved groups: makes, edits, removes, imports and exports them, and opens one.
class GroupsDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Both outlive the dialog.
    GroupsDialog(models::GroupStore *groups, models::SavedConnections *connections, QWidget *parent = nullptr);

signals:
    void openRequested(const idemdesk::models::GroupPlaces &places); ///< the dialog closes

private:
    void layOut();
    void wire();
    void fillList();
    void showGroup(const QString &name); ///< empty: a new group
    /// Goes on at once, or once what was edited is saved or dropped.
    void leaveForm(const std::function<void()> &next);
    bool save(); ///< false where it failed, which is shown then
    void openGroup();
    void remove();
    void importFile();
    void exportFile();
    void sync();

    models::GroupStore *m_groups;
    models::SavedConnections *m_connections;
    QListWidget *m_list;
    QLabel *m_none; ///< stands where the list would, as long as there is none
    GroupForm *m_form;
    NoticeBar *m_notice;
    ButtonRow *m_buttons;
    QPushButton *m_new;
    QPushButton *m_remove;
    QPushButton *m_import;
    QPushButton *m_export;
    QPushButton *m_save = nullptr;
    QPushButton *m_open = nullptr;
    QString m_shown; ///< name of the group in the form as it is saved; empty: a new one
};

} // namespace idemdesk::ui
