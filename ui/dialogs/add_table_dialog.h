// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"
#include "ui/widgets/wizard.h"

class QCheckBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace idemdesk::models {
class MappingController;
class OfferedProposals;
} // namespace idemdesk::models

namespace idemdesk::ui {

class CheckList;
class MappingForm;
class RulesEditor;

/// Adds a table in four steps: choose it, map its columns, set its rules, read the SQL that will run. Of several chosen
/// ones each goes through the other three in turn. Tables that have a mapping already are hidden at first; one of them
/// shows that mapping, to be changed or removed.
/// Nothing is saved before the person says to have read that SQL, and the check finds no problem. The owner starts the
/// detection.
class AddTableDialog final : public Wizard
{
    Q_OBJECT

public:
    enum Step { ChooseStep, MapStep, RulesStep, ConfirmStep };

    /// controller: outlives the dialog.
    explicit AddTableDialog(models::MappingController *controller, QWidget *parent = nullptr);

public slots:
    void reject() override; ///< asks first where something was changed

signals:
    void saved(const QString &path);
    void removed(const QString &profileName); ///< its file is gone

protected:
    void entered(int step) override;
    void go(int step) override;

private:
    QWidget *choosePage();
    QLayout *chooseFoot(QWidget *page); ///< the tables added already, and the one that the list does not have
    QWidget *confirmPage();
    void wire();
    void save();
    void chooseNext(); ///< of those that were selected
    void askRemove();
    void onChosen();
    static QString notCheckedText();
    void onConfirmed(bool checked);
    void showSql();
    void showFindings();
    void showFailure(const sql::Error &error);
    void refresh(); ///< what can be clicked, and what the lines say
    void refreshProposals();
    void showReasons(const QString &reasons); ///< a line each; those that speak for the table begin with "+"
    QString proposalNoteText() const;
    /// Why the step's button cannot be pressed; empty where it can.
    QString whyNot() const;

    models::MappingController *m_controller;
    QStandardItemModel *m_findings;
    models::OfferedProposals *m_offered;
    MappingForm *m_form;
    RulesEditor *m_rules;
    QTableView *m_proposals = nullptr;
    QLabel *m_proposalNote = nullptr;
    CheckList *m_reasons = nullptr;
    QPushButton *m_showAdded = nullptr;
    QLineEdit *m_other = nullptr;
    QPushButton *m_remove = nullptr;
    QList<int> m_waiting; ///< proposals that are still to be mapped, by their rows in the controller's model
    int m_chosen = 0; ///< how many were selected
    QPlainTextEdit *m_sql = nullptr;
    QWidget *m_found = nullptr; ///< the findings, once there are some
    QCheckBox *m_read = nullptr;
    bool m_detected = false;
    bool m_detectFailed = false;
    bool m_rulesBehind = false; ///< the rules' fields offer what the mapping had before it was edited
};

} // namespace idemdesk::ui
