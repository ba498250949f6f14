// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "sql/types/trend.h"

#include <QObject>

namespace idemdesk::models {

/// Sampling by pg_cron: how it is, and setting it up or ending it. Lives on the GUI thread.
class ScheduleController final : public QObject
{
    Q_OBJECT

public:
    explicit ScheduleController(sql::Database *database, QObject *parent = nullptr);

    void refresh();
    void set(bool on);
    bool busy() const { return m_asking.busy(); }
    const std::optional<sql::SampleSchedule> &schedule() const { return m_schedule; }
    const std::optional<sql::Error> &error() const { return m_asking.error(); }

signals:
    void changed();

private:
    void run(std::optional<bool> on);

    Request m_asking { QStringLiteral("schedule") };
    std::optional<sql::SampleSchedule> m_schedule;
};

} // namespace idemdesk::models
