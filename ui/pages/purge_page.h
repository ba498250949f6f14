// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDateTimeEdit;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace idemdesk::models {
class ActionCenter;
class ConnectionController;
class PurgeController;
class Settings;
class TimeFormat;
}

namespace idemdesk::ui {

class ActionDialog;
class EmptyState;
class NoticeBar;

/// Removes finished keys past their retention: choose states and a cutoff, look at the plan, run it.
class PurgePage final : public QWidget
{
    Q_OBJECT

public:
    PurgePage(models::ConnectionController *connection, models::PurgeController *purge, models::ActionCenter *center,
        models::Settings *settings, QWidget *parent = nullptr);

    void showTarget(const QString &name);
    void plan();
    void openDialog();
    ActionDialog *dialog() const { return m_dialog; }
    void setTimeFormat(const models::TimeFormat &format);

signals:
    void connectClicked();
    void installClicked();
    void registerClicked(const QString &target);

private:
    void buildBar();
    QWidget *buildPlan();
    QWidget *buildFoot();
    void wire();
    void onTargetsChanged();
    void chooseTarget(const QString &name);
    void fillStates();
    QList<sql::KeyState> chosenStates() const;
    void update();
    void updateDetach(const QString &why);
    void updateEmpty();
    void copyScript();
    void askDetach();

    models::ConnectionController *m_connection;
    models::PurgeController *m_purge;
    models::ActionCenter *m_center;
    models::Settings *m_settings;
    QComboBox *m_targets;
    QHBoxLayout *m_stateRow;
    QCheckBox *m_now;
    QDateTimeEdit *m_before;
    QPushButton *m_plan;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    NoticeBar *m_rights;
    NoticeBar *m_warnings;
    QLabel *m_summary;
    QStackedWidget *m_stack;
    QSplitter *m_splitter;
    QTableView *m_groups;
    QWidget *m_partitionPane;
    QTableView *m_partitions;
    QPushButton *m_script;
    QPushButton *m_detach;
    NoticeBar *m_asked; ///< a partition whose detaching waits for approval, or was approved
    EmptyState *m_empty;
    QCheckBox *m_images;
    QPushButton *m_go;
    ActionDialog *m_dialog = nullptr;
};

} // namespace idemdesk::ui
