// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"
#include "sql/types/console_role.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace idemdesk::models {
class RolesController;
}

namespace idemdesk::ui {

class ButtonRow;
class NoticeBar;

/// Who has which of the console's roles. Gives and takes them: the statement is shown, and run where the own login may;
/// else it is there to be handed on.
class RolesDialog final : public QDialog
{
    Q_OBJECT

public:
    /// The controller becomes the dialog's own.
    RolesDialog(models::RolesController *roles, sql::Environment environment, const QString &connection,
        QWidget *parent = nullptr);

private:
    void layOut(QLabel *band); ///< null: the environment is not marked
    void wire();
    void sync();
    void showSql();
    void run();
    bool grants() const;
    sql::ConsoleRole role() const;
    QString login() const;

    models::RolesController *m_roles;
    NoticeBar *m_notice;
    QComboBox *m_verb;
    QComboBox *m_role;
    QComboBox *m_login;
    QPlainTextEdit *m_sql;
    ButtonRow *m_buttons;
    QLabel *m_to = nullptr; ///< "to login", "from login"
    QLabel *m_help = nullptr; ///< what the chosen role may do
    QPushButton *m_copy = nullptr;
    QPushButton *m_run = nullptr;
};

} // namespace idemdesk::ui
