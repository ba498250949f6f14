// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QListView;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QStandardItemModel;
class QTableView;

namespace idemdesk::models {
class MappingController;
}

namespace idemdesk::ui {

class NoticeBar;
class MappingForm;

/// Adds a table in three steps: choose it, map its columns, read the SQL that will run. Nothing is saved
/// before the person says to have read that SQL. The owner starts the detection.
class AddTableDialog final : public QDialog
{
    Q_OBJECT

public:
    enum Step { ChooseStep, MapStep, ConfirmStep };

    /// controller: outlives the dialog.
    explicit AddTableDialog(models::MappingController *controller, QWidget *parent = nullptr);

    Step step() const;

signals:
    void saved(const QString &path);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *choosePage();
    QWidget *confirmPage();
    void buildLayout();
    void addButtons();
    void wire();
    void setStep(Step step);
    void back();
    void next();
    void save();
    void onChosen();
    static QString notCheckedText();
    void onConfirmed(bool checked);
    void showSql();
    void showFindings();
    void showFailure(const sql::Error &error);
    void refresh(); ///< what can be clicked, and what the lines say

    models::MappingController *m_controller;
    QStandardItemModel *m_findings;
    NoticeBar *m_banner;
    QLabel *m_heading;
    QStackedWidget *m_pages;
    QProgressBar *m_progress;
    MappingForm *m_form;
    QTableView *m_proposals = nullptr;
    QLabel *m_proposalNote = nullptr;
    QLabel *m_reasons = nullptr;
    QLineEdit *m_other = nullptr;
    QPlainTextEdit *m_sql = nullptr;
    QListView *m_confirmFindings = nullptr;
    QCheckBox *m_read = nullptr;
    QPushButton *m_back = nullptr;
    QPushButton *m_next = nullptr;
    QPushButton *m_save = nullptr;
    bool m_detected = false;
    bool m_detectFailed = false;
};

} // namespace idemdesk::ui
