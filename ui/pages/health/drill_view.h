// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace idemdesk::models {
class ConnectionController;
class DrillController;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class CheckList;
class ContentStack;
class NoticeBar;
class TargetChooser;

/// A drill of one table's service, on a connection for development, test or staging: the statements it would run, and
/// what each test saw.
class DrillView final : public QWidget
{
    Q_OBJECT

public:
    DrillView(models::ConnectionController *connection, models::DrillController *drill, QWidget *parent = nullptr);

private:
    QWidget *buildLines();
    void wire();
    void onTargetsChanged();
    void askStart();
    void save();
    void sync();
    void syncEmpty();
    void showStatements();
    void showReport();

    models::ConnectionController *m_connection;
    models::DrillController *m_drill;
    TargetChooser *m_targets;
    QPushButton *m_start;
    QPushButton *m_stop;
    QPushButton *m_save;
    NoticeBar *m_notice;
    BusyBar *m_busy;
    QLabel *m_summary;
    ContentStack *m_stack;
    CheckList *m_lines;
};

} // namespace idemdesk::ui
