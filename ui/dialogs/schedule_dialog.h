// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace idemdesk::models {
class ScheduleController;
}

namespace idemdesk::ui {

class BadgeView;
class NoticeBar;

/// Sampling without an open console: whether pg_cron does it, setting it up and ending it, or what an administrator
/// would have to run.
class ScheduleDialog final : public QDialog
{
    Q_OBJECT

public:
    /// The controller becomes the dialog's own. mayAct: else only how it is is shown, with this reason.
    ScheduleDialog(models::ScheduleController *schedule, const QString &whyNot, QWidget *parent = nullptr);

private:
    void sync();

    models::ScheduleController *m_schedule;
    QString m_whyNot;
    NoticeBar *m_notice;
    BadgeView *m_badge;
    QLabel *m_state;
    QPlainTextEdit *m_script;
    QPushButton *m_copy;
    QPushButton *m_set;
};

} // namespace idemdesk::ui
