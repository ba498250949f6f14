// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QStackedWidget;
class QTableView;

namespace idemdesk::models {
class ActivityController;
class ConnectionController;
class Settings;
}

namespace idemdesk::ui {

class EmptyState;
class NoticeBar;

/// Sessions that hold or await locks on the tables, and whom they wait for.
class ActivityPage final : public QWidget
{
    Q_OBJECT

public:
    ActivityPage(models::ConnectionController *connection, models::ActivityController *activity, models::Settings *settings,
        QWidget *parent = nullptr);

private:
    void update();

    models::ConnectionController *m_connection;
    models::ActivityController *m_activity;
    QStackedWidget *m_stack;
    QTableView *m_table;
    EmptyState *m_empty;
    NoticeBar *m_notice;
};

} // namespace idemdesk::ui
