// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"
#include "ui/widgets/wizard.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QListView;
class QPlainTextEdit;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace idemdesk::models {
class MappingController;
}

namespace idemdesk::ui {

class MappingForm;

/// Adds a table in three steps: choose it, map its columns, read the SQL that will run. Of several chosen ones each
/// goes through the other two in turn. A table that has a mapping already shows that one, to be changed or removed.
/// Nothing is saved before the person says to have read that SQL, and the check finds no problem. The owner starts the
/// detection.
class AddTableDialog final : public Wizard
{
    Q_OBJECT

public:
    enum Step { ChooseStep, MapStep, ConfirmStep };

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
    static QString shortened(const QString &reasons);
    /// Why the step's button cannot be pressed; empty where it can.
    QString whyNot() const;

    models::MappingController *m_controller;
    QStandardItemModel *m_findings;
    MappingForm *m_form;
    QTableView *m_proposals = nullptr;
    QLabel *m_proposalNote = nullptr;
    QLabel *m_reasons = nullptr;
    QLineEdit *m_other = nullptr;
    QPushButton *m_remove = nullptr;
    QList<int> m_waiting; ///< rows of proposals that are still to be mapped
    int m_chosen = 0; ///< how many were selected
    QPlainTextEdit *m_sql = nullptr;
    QListView *m_confirmFindings = nullptr;
    QCheckBox *m_read = nullptr;
    bool m_detected = false;
    bool m_detectFailed = false;
};

} // namespace idemdesk::ui
