// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace idemdesk::models {
class CaseController;
}

namespace idemdesk::ui {

class NoticeBar;

/// The verdict about one key with the rules it follows, and what would settle what is open; and a case file to take away.
class CaseDialog final : public QDialog
{
    Q_OBJECT

public:
    /// The controller becomes the dialog's own; it reads already.
    explicit CaseDialog(models::CaseController *controller, QWidget *parent = nullptr);

private:
    void update();
    void askFile(const QString &suffix);

    models::CaseController *m_controller;
    NoticeBar *m_notice;
    QLabel *m_sentence;
    QLabel *m_certainty;
    QPlainTextEdit *m_rules;
    QLineEdit *m_complaint;
    QPushButton *m_save;
};

} // namespace idemdesk::ui
