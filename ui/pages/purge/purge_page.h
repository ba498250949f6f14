// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"
#include "sql/types/profile.h"
#include "ui/pages/page.h"

class QCheckBox;
class QDateTimeEdit;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSplitter;
class QTableView;

namespace idemdesk::models {
class ActionCenter;
class ActionRunner;
class ConnectionController;
class PurgeController;
class Settings;
class TimeFormat;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ActionDialog;
class ContentStack;
class NoticeBar;
class PartitionsPane;
class RightsNotice;
class ShareBars;
class TargetChooser;

/// Removes finished keys past their retention: choose states and a cutoff, look at the plan, run it.
class PurgePage final : public Page
{
    Q_OBJECT

public:
    PurgePage(models::ConnectionController *connection, models::PurgeController *purge, models::ActionCenter *center,
        models::Settings *settings, QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void refresh() override;
    void refreshByItself() override; ///< never the plan, which is read and decided on
    void showTarget(const QString &name);
    void plan();
    void openDialog();
    ActionDialog *dialog() const;
    void setTimeFormat(const models::TimeFormat &format) override;

private:
    QWidget *buildHeader();
    QWidget *buildPlan();
    QWidget *buildFoot();
    void wire();
    void onTargetsChanged();
    void chooseTarget(const QString &name);
    void fillStates();
    QList<sql::KeyState> chosenStates() const;
    void sync();
    void syncChoices();
    void syncFoot(const QString &whyNot); ///< what begins the purge; whyNot: empty where this login may
    void syncGroups();
    QString summaryText() const;
    const models::ActionRunner *openRun() const; ///< of a purge of this table that runs or is paused, or null
    QString whyNotBegin() const; ///< a sentence; empty where nothing is open in this window
    void showWarnings();
    void followRun();
    void showBars(); ///< what goes and what stays, by scope
    QString emptiedText() const;
    QString otherStatesText() const;
    QString barsNote() const; ///< how much of it is known
    void showEmptied(); ///< only the scopes of which nothing would be left, or all again
    void showUnfinished(); ///< the keys that a purge leaves
    void updateEmpty();

    models::ConnectionController *m_connection;
    models::PurgeController *m_purge;
    models::ActionCenter *m_center;
    models::Settings *m_settings;
    TargetChooser *m_targets;
    QHBoxLayout *m_stateRow = nullptr;
    QCheckBox *m_now;
    QDateTimeEdit *m_before;
    QPushButton *m_plan;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    RightsNotice *m_rights;
    NoticeBar *m_warnings;
    NoticeBar *m_unfinished; ///< keys that a purge leaves, because nobody finished them
    QLabel *m_summary;
    ShareBars *m_bars;
    QLabel *m_stayNote;
    ContentStack *m_stack;
    QSplitter *m_splitter;
    QTableView *m_groups;
    PartitionsPane *m_partitions;
    QCheckBox *m_images;
    QPushButton *m_go;
    ActionDialog *m_dialog = nullptr;
    bool m_onlyEmptied = false;
};

} // namespace idemdesk::ui
