// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/retries/cause_controller.h"

#include "sql/keys/cause_reader.h"
#include "sql/lanes/database.h"

namespace idemdesk::models {

namespace {

constexpr int kCausesDeadlineMs = 30'000;

} // namespace

CauseController::CauseController(QObject *parent)
    : QObject(parent)
    , m_model(new CauseModel(this))
{
    connect(&m_reading, &Request::changed, this, &CauseController::changed);
}

void CauseController::setDatabase(sql::Database *database)
{
    if (m_reading.setDatabase(database)) {
        forget();
    }
}

void CauseController::setTarget(const sql::Target &target)
{
    m_target = target;
    forget();
}

void CauseController::forget()
{
    m_reading.drop();
    m_reading.clearError();
    m_loaded = false;
    m_page = {};
    m_model->setPage(m_page);
    emit changed();
}

void CauseController::read()
{
    if (m_target.relation.oid == 0) {
        return;
    }
    m_reading.ask(
        { sql::LaneKind::Background, kCausesDeadlineMs },
        [target = m_target](sql::Session &session) { return sql::readCauses(session, target); },
        [this](const sql::Result<sql::CausePage> &page) {
            if (page) {
                m_loaded = true;
                m_page = *page;
                m_model->setPage(m_page);
            }
        });
}

} // namespace idemdesk::models

#include "moc_cause_controller.cpp"
