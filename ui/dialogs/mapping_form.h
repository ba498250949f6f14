// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAbstractItemModel;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class MappingController;
}

namespace idemdesk::ui {

/// The second step of adding a table: what it is called, which expression plays which role, and what each status stands
/// for. Edits go to the controller at once. What the check found stands below once it was made.
class MappingForm final : public QWidget
{
    Q_OBJECT

public:
    /// findings: the list that the dialog keeps.
    MappingForm(models::MappingController *controller, QAbstractItemModel *findings, QWidget *parent = nullptr);

    void reload(); ///< from the controller's profile
    void refreshState(); ///< counts, hints and what can be clicked
    void focusName();
    bool nameValid() const;

signals:
    void nameEdited();
    void sqlWanted(); ///< a check was asked for that runs SQL which is not confirmed yet

private:
    QWidget *nameRow();
    QWidget *identityRow();
    QWidget *scopeRow(QWidget *parent);
    QWidget *rolesPart();
    QWidget *statesPart();
    QWidget *findingsPart(QAbstractItemModel *findings);
    QWidget *checkRow();
    QTableView *table(const QString &objectName, const QString &accessibleName, QAbstractItemModel *model);
    void addScopePart();
    void removeScopePart();
    void showIdentity();
    void showNotes();
    QString statesText() const;
    void offerColumns(); ///< fills the menu of identity columns

    models::MappingController *m_controller;
    QLineEdit *m_name = nullptr;
    QLineEdit *m_title = nullptr;
    QComboBox *m_kind = nullptr;
    QLabel *m_identity = nullptr;
    QToolButton *m_identityChoice = nullptr;
    QTableView *m_roles = nullptr;
    QLineEdit *m_scope = nullptr;
    QPushButton *m_addScope = nullptr;
    QPushButton *m_removeScope = nullptr;
    QLabel *m_sampleNote = nullptr;
    QTableView *m_states = nullptr;
    QWidget *m_statesPart = nullptr; ///< hidden while no status is mapped
    QWidget *m_lower = nullptr; ///< states and findings
    QLabel *m_unmapped = nullptr;
    QWidget *m_findings = nullptr; ///< hidden until there is something to say
    QLabel *m_checkNote = nullptr;
    QPushButton *m_check = nullptr;
};

} // namespace idemdesk::ui
