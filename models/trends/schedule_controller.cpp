// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/schedule_controller.h"

#include "models/async.h"
#include "sql/lanes/database.h"
#include "sql/trends/sample_schedule.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kScheduleDeadlineMs = 15'000;

} // namespace

ScheduleController::ScheduleController(sql::Database *database, QObject *parent)
    : QObject(parent)
    , m_database(database)
{
}

void ScheduleController::refresh() { run(std::nullopt); }

void ScheduleController::set(bool on) { run(on); }

void ScheduleController::run(std::optional<bool> on)
{
    if (m_busy || m_database == nullptr) {
        return;
    }
    m_busy = true;
    auto future = m_database->run(on ? sql::LaneKind::Write : sql::LaneKind::Read, { u"schedule"_s, kScheduleDeadlineMs, !on }, [on](sql::Session &session) -> sql::Result<sql::SampleSchedule> {
        if (on) {
            if (const auto done = sql::setSampleSchedule(session, *on); !done) {
                return done.error();
            }
        }
        return sql::readSampleSchedule(session);
    });
    whenDone(future, this, [this](const sql::Result<sql::SampleSchedule> &schedule) {
        m_busy = false;
        m_error.reset();
        if (schedule) {
            m_schedule = *schedule;
        } else {
            m_error = schedule.error();
        }
        emit changed();
    });
    emit changed();
}

} // namespace idemdesk::models

#include "moc_schedule_controller.cpp"
