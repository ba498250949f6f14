// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"
#include "sql/types/trend.h"

#include <QObject>
#include <QPointer>
#include <optional>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

/// Sampling by pg_cron: how it is, and setting it up or ending it. Lives on the GUI thread.
class ScheduleController final : public QObject
{
    Q_OBJECT

public:
    explicit ScheduleController(sql::Database *database, QObject *parent = nullptr);

    void refresh();
    void set(bool on);
    bool busy() const { return m_busy; }
    const std::optional<sql::SampleSchedule> &schedule() const { return m_schedule; }
    const std::optional<sql::Error> &error() const { return m_error; }

signals:
    void changed();

private:
    void run(std::optional<bool> on);

    QPointer<sql::Database> m_database;
    std::optional<sql::SampleSchedule> m_schedule;
    std::optional<sql::Error> m_error;
    bool m_busy = false;
};

} // namespace idemdesk::models
