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

/// Whether what protects actions and trail is whole: findings about schema and grants, its version, the login's roles.
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
    models::ActionCenter *m_center;
    models::AuditController *m_audit;
    QLabel *m_text;
    QPushButton *m_upgrade;
    QTableView *m_table;
    QStandardItemModel *m_model;
};

} // namespace idemdesk::ui
