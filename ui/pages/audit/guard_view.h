// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/health.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace idemdesk::models {
class ActionCenter;
class AuditController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class NoticeBar;

/// Whether what protects actions and audit log is whole, a check a row; beneath, each finding with what to do.
class GuardView final : public QWidget
{
    Q_OBJECT

public:
    GuardView(models::ActionCenter *center, models::AuditController *audit, models::Settings *settings,
        QWidget *parent = nullptr);

    void sync();
    int findings() const;

signals:
    void upgradeClicked();

private:
    void setUpChecks(models::Settings *settings);
    void syncChecks();
    void addLogin();
    /// A row of what was checked.
    struct Check {
        QString what;
        sql::HealthLevel level = sql::HealthLevel::Unknown;
        QString result;
        QString compared;
        QString against; ///< what it guards against
    };

    void showVerdict();
    void addCheck(const Check &check);

    models::ActionCenter *m_center;
    models::AuditController *m_audit;
    NoticeBar *m_notice;
    QLabel *m_checkedAt;
    QPushButton *m_check;
    QTableView *m_checks;
    QStandardItemModel *m_checkModel;
    QPushButton *m_upgrade;
    QTableView *m_table;
    QStandardItemModel *m_model;
};

} // namespace idemdesk::ui
