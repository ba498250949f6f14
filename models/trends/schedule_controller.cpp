// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/schedule_controller.h"

#include "sql/lanes/database.h"
#include "sql/trends/sample_schedule.h"

namespace idemdesk::models {

namespace {

constexpr int kScheduleDeadlineMs = 15'000;

} // namespace

ScheduleController::ScheduleController(sql::Database *database, QObject *parent)
    : QObject(parent)
{
    m_asking.setDatabase(database);
    connect(&m_asking, &Request::changed, this, &ScheduleController::changed);
}

void ScheduleController::refresh()
{
    run(std::nullopt);
}

void ScheduleController::set(bool on)
{
    run(on);
}

void ScheduleController::run(std::optional<bool> on)
{
    if (busy()) {
        return;
    }
    m_asking.ask(
        { on ? sql::LaneKind::Write : sql::LaneKind::Read, kScheduleDeadlineMs, !on },
        [on](sql::Session &session) -> sql::Result<sql::SampleSchedule> {
            if (on) {
                TRY(sql::setSampleSchedule(session, *on));
            }
            return sql::readSampleSchedule(session);
        },
        [this](const sql::Result<sql::SampleSchedule> &schedule) {
            if (schedule) {
                m_schedule = *schedule;
            }
        });
}

} // namespace idemdesk::models

#include "moc_schedule_controller.cpp"
