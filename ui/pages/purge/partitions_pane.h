// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace idemdesk::models {
class ActionCenter;
class PartitionChange;
class ConnectionController;
class PurgeController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ActionDialog;
class NoticeBar;
class PartitionCalendar;

/// The partitions of a purge's plan: which may go whole, the script for their owner, and detaching one.
class PartitionsPane final : public QWidget
{
    Q_OBJECT

public:
    PartitionsPane(models::ConnectionController *connection, models::PurgeController *purge,
        models::ActionCenter *center, models::Settings *settings, QWidget *parent = nullptr);

    void setWhyNot(const QString &why); ///< why no action can run; empty: one can
    void setTimeFormat(const models::TimeFormat &format);
    ActionDialog *dialog() const { return m_dialog; }

private:
    void fillCalendar();
    void sync(); ///< the selected partition; what was asked for about one is said even where none is selected
    void showChange(const models::PartitionChange &change);
    void copyScript();
    void askDetach();

    models::ConnectionController *m_connection;
    models::PurgeController *m_purge;
    models::ActionCenter *m_center;
    QTableView *m_table;
    PartitionCalendar *m_calendar;
    QPushButton *m_script;
    QPushButton *m_detach;
    QLabel *m_detachNote; ///< why nothing can be detached right now
    NoticeBar *m_asked; ///< a partition whose detaching waits for approval, or was approved
    ActionDialog *m_dialog = nullptr;
    QString m_why;
    models::TimeFormat m_format; ///< in whose zone the calendar stands
};

} // namespace idemdesk::ui
