// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"
#include "sql/types/target.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLayout;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QStandardItemModel;
class QTableView;

namespace idemdesk::models {
class ConsoleSetup;
}

namespace idemdesk::ui {

class EmptyState;
class NoticeBar;

/// Registers a table so that actions may run on it: what speaks for and against it, each rule tried on one row and
/// taken back; the GRANTs that its owner must give first; from how many rows on another person must approve.
class RegisterDialog final : public QDialog
{
    Q_OBJECT

public:
    /// setup outlives the dialog. environment and connection: for the line on top that says where it acts.
    RegisterDialog(models::ConsoleSetup *setup, const sql::Target &target, QWidget *parent = nullptr,
        sql::Environment environment = sql::Environment::Unmarked, const QString &connection = {});

private:
    QTableView *buildFindings();
    QWidget *buildGrants();
    QWidget *buildChoices();
    QWidget *buildButtons();
    void wire();
    void showFindings();
    QString requestText() const;
    bool showDenied(); ///< true where this login may not register
    void refresh();

    models::ConsoleSetup *m_setup;
    sql::Target m_target;
    NoticeBar *m_notice;
    EmptyState *m_denied;
    QStandardItemModel *m_findings;
    QLabel *m_findingsTitle;
    QTableView *m_findingsTable = nullptr;
    QWidget *m_first = nullptr; ///< what must be run before, where something lacks
    QPlainTextEdit *m_grants;
    QPushButton *m_copy;
    QCheckBox *m_approval;
    QSpinBox *m_above;
    QSpinBox *m_days;
    QWidget *m_safeguards = nullptr; ///< only for who may register
    QPushButton *m_again = nullptr;
    QPushButton *m_go = nullptr;
    QPushButton *m_stay = nullptr;
};

} // namespace idemdesk::ui
