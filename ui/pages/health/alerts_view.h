// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace idemdesk::models {
class AlertController;
class ConnectionController;
class Settings;
struct AlertEntry;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ContentStack;
class NoticeBar;

/// What the alert rules of the tables say now; a row leads to the metric's chart, and to the keys it is about.
class AlertsView final : public QWidget
{
    Q_OBJECT

public:
    AlertsView(models::ConnectionController *connection, models::AlertController *alerts, models::Settings *settings,
        QWidget *parent = nullptr);

signals:
    void trendWanted(const QString &target, const QString &metric);
    void keysWanted(const QString &target, const QString &filter);

private:
    void wire();
    void sync();
    const models::AlertEntry *current() const; ///< null: none is selected

    models::ConnectionController *m_connection;
    models::AlertController *m_alerts;
    QLabel *m_summary;
    NoticeBar *m_notice;
    ContentStack *m_stack;
    QTableView *m_table;
    QPushButton *m_keys;
    QPushButton *m_chart;
};

} // namespace idemdesk::ui
