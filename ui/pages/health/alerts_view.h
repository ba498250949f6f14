// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace idemdesk::models {
class AlertController;
class AlertGroups;
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
    void runbookWanted(const QString &name, const QString &target);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; ///< Enter in the note of an acknowledgement

private:
    void wire();
    void sync();
    void syncButtons();
    void syncColumns();
    void selectAgain();
    void askAcknowledge();
    const models::AlertEntry *current() const; ///< null: none is selected
    QString runbook() const; ///< of the one that is selected; empty: none

    models::ConnectionController *m_connection;
    models::AlertController *m_alerts;
    QLabel *m_summary;
    NoticeBar *m_notice;
    ContentStack *m_stack;
    models::AlertGroups *m_groups;
    QTableView *m_table;
    QString m_chosenTarget; ///< of the alert that the person looks at
    QString m_chosenRule;
    QLabel *m_chosen; ///< the alert that the buttons are about
    QPushButton *m_acknowledge; ///< or takes that back
    QPushButton *m_keys;
    QPushButton *m_chart;
    QPushButton *m_runbook;
};

} // namespace idemdesk::ui
