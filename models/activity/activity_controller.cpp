// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/activity/activity_controller.h"

#include "models/async.h"
#include "sql/activity/activity_gateway.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

ActivityController::ActivityController(QObject *parent)
    : QObject(parent)
    , m_model(new ActivityModel(this))
{
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (!m_running) {
            refresh();
        }
    });
}

ActivityController::~ActivityController() = default;

void ActivityController::setDatabase(sql::Database *database)
{
    if (m_database == database) {
        return;
    }
    m_database = database;
    ++m_ticket;
    m_running = false;
    m_targets.clear();
    m_error.reset();
    m_model->setReport({});
    emit changed();
}

void ActivityController::setTargets(const QList<sql::Target> &targets) { m_targets = targets; }

void ActivityController::refresh()
{
    if (m_database == nullptr) {
        return;
    }
    m_running = true;
    const quint64 ticket = ++m_ticket;
    auto future = m_database->run(sql::LaneKind::Control, { u"activity"_s, 5'000, true },
        [targets = m_targets](sql::Session &session) { return sql::readActivity(session, targets); });
    whenDone(future, this, [this, ticket](const sql::Result<sql::ActivityReport> &report) {
        if (ticket != m_ticket) {
            return;
        }
        m_running = false;
        if (report.ok()) {
            m_error.reset();
            m_model->setReport(*report);
        } else {
            m_error = report.error();
        }
        emit changed();
    });
    emit changed();
}

void ActivityController::setAutoRefresh(int seconds)
{
    if (seconds > 0) {
        m_timer.start(seconds * 1'000);
    } else {
        m_timer.stop();
    }
}

} // namespace idemdesk::models

#include "moc_activity_controller.cpp"
