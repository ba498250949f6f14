// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class AlertController;
class ConnectionController;
class HealthController;
class Settings;
}

namespace idemdesk::ui {

class AlertsView;
class EmptyState;
class NoticeBar;

/// What the review checklists ask, answered for each table: what was seen, why it matters, and the SQL that would mend it,
/// to be copied and never run here.
class HealthPage final : public QWidget
{
    Q_OBJECT

public:
    HealthPage(models::ConnectionController *connection, models::HealthController *health, models::AlertController *alerts, models::Settings *settings,
        QWidget *parent = nullptr);

    void activate(); ///< the page was shown
    void showTarget(const QString &name); ///< empty: all
    void showTab(const QString &name); ///< "report" or "alerts"

signals:
    void connectClicked();
    void trendWanted(const QString &target, const QString &metric);

private:
    QWidget *buildBar();
    QWidget *buildReport();
    QWidget *buildDetail();
    void onTargetsChanged();
    void update();
    void showFinding();

    models::ConnectionController *m_connection;
    models::HealthController *m_health;
    models::AlertController *m_alarms;
    QComboBox *m_targets;
    QProgressBar *m_progress;
    QPushButton *m_stop;
    QToolButton *m_refresh;
    NoticeBar *m_notice;
    QLabel *m_summary;
    QTabWidget *m_tabs;
    AlertsView *m_alerts;
    QStackedWidget *m_stack;
    QSplitter *m_split;
    QTableView *m_table;
    QLabel *m_question;
    QLabel *m_seen;
    QLabel *m_why;
    QLabel *m_sqlTitle;
    QPlainTextEdit *m_sql;
    QPushButton *m_copy;
    EmptyState *m_empty;
};

} // namespace idemdesk::ui
