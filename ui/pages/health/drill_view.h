// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace idemdesk::models {
class ConnectionController;
class DrillController;
struct DrillTest;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
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
    QWidget *buildContent();
    void wire();
    void onTargetsChanged();
    void askStart();
    void save();
    void sync();
    void syncEmpty();
    void showTests();
    void addTest(const models::DrillTest &test);
    void showStatements();

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
    QTableView *m_tests;
    QStandardItemModel *m_model;
    QPlainTextEdit *m_statements;
};

} // namespace idemdesk::ui
