// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_controller.h"

#include "sql/duplicates/duplicate_gateway.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kDuplicateDeadlineMs = 600'000; // a large table without an index; it can be cancelled

} // namespace

DuplicateController::DuplicateController(QObject *parent)
    : QObject(parent)
    , m_model(new DuplicateModel(this))
{
    connect(&m_searching, &Request::changed, this, &DuplicateController::tellRunning);
}

void DuplicateController::setDatabase(sql::Database *database)
{
    if (!m_searching.setDatabase(database)) {
        return;
    }
    tellRunning();
    m_searched = false;
    m_notes.clear();
    m_model->setGroups({});
}

void DuplicateController::search(const sql::Target &target, const sql::DuplicateRequest &request)
{
    m_searching.ask(
        { sql::LaneKind::Background, kDuplicateDeadlineMs },
        [target, request](sql::Session &session) { return sql::findDuplicates(session, target, request); },
        [this](const sql::Result<sql::DuplicateAnswer> &answer) {
            if (answer) {
                m_searched = true;
                m_notes = answer->notes;
                m_complete = answer->complete;
                m_model->setGroups(answer->groups);
            }
            tellRunning();
            if (answer) {
                emit found(answer->groups);
            } else {
                emit failed(answer.error());
            }
        });
}

void DuplicateController::cancel()
{
    m_searching.drop();
    tellRunning();
}

void DuplicateController::tellRunning()
{
    if (m_toldRunning != running()) {
        m_toldRunning = running();
        emit runningChanged(m_toldRunning);
    }
}

} // namespace idemdesk::models

#include "moc_duplicate_controller.cpp"
