// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

class CheckList;

/// Whether what protects actions and audit log is whole, point by point; beneath, each finding with what to do.
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
    void syncChecks();

    models::ActionCenter *m_center;
    models::AuditController *m_audit;
    QLabel *m_text;
    CheckList *m_checks;
    QPushButton *m_upgrade;
    QTableView *m_table;
    QStandardItemModel *m_model;
};

} // namespace idemdesk::ui
