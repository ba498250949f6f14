// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runbook/runbook_reader.h"
#include "ui/pages/page.h"

class QListWidget;
class QPushButton;
class QSplitter;
class QToolButton;

namespace idemdesk::models {
class ConnectionController;
class RunbookController;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class ContentStack;
class NoticeBar;
class RunbookView;
class TargetChooser;

/// The scenarios of an incident, each answered from what is there now: a list of them, and the one that is open.
class RunbooksPage final : public Page
{
    Q_OBJECT

public:
    RunbooksPage(
        models::ConnectionController *connection, models::RunbookController *runbooks, QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void refresh() override;
    void activate() override;
    /// Opens one for a table; an empty name: for all of them.
    void showRunbook(const QString &name, const QString &target);

signals:
    void placeWanted(const idemdesk::models::RunbookNext &place);

private:
    void wire();
    void chooseRow();
    void fillList(); ///< what fires now first, each with its mark
    void selectOpen(); ///< in the list
    void onTargetsChanged();
    void save();
    void sync();

    models::ConnectionController *m_connection;
    models::RunbookController *m_runbooks;
    TargetChooser *m_targets;
    QToolButton *m_refresh;
    QPushButton *m_save;
    NoticeBar *m_notice;
    BusyBar *m_busy;
    ContentStack *m_stack;
    QSplitter *m_split;
    QListWidget *m_list;
    RunbookView *m_view;
};

} // namespace idemdesk::ui
