// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

class QFrame;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSplitter;
class QTabWidget;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class AlertController;
class ConnectionController;
class DrillController;
class HealthController;
class HealthGroups;
class ReviewController;
class Settings;
struct HealthEntry;
struct HealthRecovery;
} // namespace idemdesk::models

namespace idemdesk::ui {

class Chip;
class AlertsView;
class ContentStack;
class DrillView;
class NoticeBar;
class ReviewView;
class TargetChooser;

/// What the review checklists ask, answered for each table: what was seen, why it matters, and the SQL that would mend
/// it, to be copied and never run here. Further tabs have the alerts, and the answers that people sign, and drills.
class HealthPage final : public Page
{
    Q_OBJECT

public:
    HealthPage(models::ConnectionController *connection, models::HealthController *health,
        models::AlertController *alerts, models::ReviewController *review, models::DrillController *drill,
        models::Settings *settings, QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void refresh() override;
    void setTimeFormat(const models::TimeFormat &format) override;
    void activate() override; ///< the page was shown
    void showTarget(const QString &name); ///< empty: all
    void showTab(const QString &name); ///< "report", "alerts", "review" or "drill"

signals:
    /// Show these keys on the page Recovery, under this verb.
    void remedyWanted(const QString &target, const QString &filter, idemdesk::sql::ActionVerb verb);
    void runbookWanted(const QString &name, const QString &target); ///< empty: for all tables

private:
    void wire();
    QWidget *buildBar();
    QWidget *buildReport();
    QWidget *buildDetail();
    QLayout *buildLevels();
    void syncColumns();
    void syncRowHeight();
    void syncLevels();
    void updateEmpty();
    void onTargetsChanged();
    void sync();
    void showFinding();
    const models::HealthEntry *currentEntry() const;
    models::HealthRecovery recovery() const; ///< of the finding shown

    models::ConnectionController *m_connection;
    models::HealthController *m_health;
    models::AlertController *m_alarms;
    models::ReviewController *m_reviews;
    models::Settings *m_settings;
    TargetChooser *m_targets;
    QProgressBar *m_progress;
    QPushButton *m_stop;
    QToolButton *m_refresh;
    NoticeBar *m_notice;
    QList<Chip *> m_levels; ///< in the order of sql::HealthLevel
    QTabWidget *m_tabs;
    AlertsView *m_alerts;
    ReviewView *m_review;
    DrillView *m_drill;
    ContentStack *m_stack;
    QSplitter *m_split;
    models::HealthGroups *m_groups;
    QTableView *m_table;
    QLabel *m_question;
    QLabel *m_seen;
    QLabel *m_why;
    QLabel *m_sqlTitle;
    QPlainTextEdit *m_sql;
    QFrame *m_sqlBox;
    QPushButton *m_copy;
    QPushButton *m_keys;
    QPushButton *m_recover;
    QPushButton *m_runbook;
};

} // namespace idemdesk::ui
