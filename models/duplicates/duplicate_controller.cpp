// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_controller.h"

#include "models/async.h"
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
}

QString DuplicateController::viewName() const { return u"duplicates"_s + ownerName(this); }

void DuplicateController::setDatabase(sql::Database *database)
{
    if (m_database == database) {
        return;
    }
    cancel();
    m_database = database;
    m_searched = false;
    m_notes.clear();
    m_model->setGroups({});
}

void DuplicateController::search(const sql::Target &target, const sql::DuplicateRequest &request)
{
    if (m_database == nullptr) {
        return;
    }
    const quint64 ticket = ++m_ticket;
    auto future = m_database->run(
        sql::LaneKind::Background, { viewName(), kDuplicateDeadlineMs, true }, [target, request](sql::Session &session) { return sql::findDuplicates(session, target, request); });
    whenDone(future, this, [this, ticket](const sql::Result<sql::DuplicateAnswer> &answer) {
        if (ticket != m_ticket) {
            return;
        }
        if (answer) {
            m_searched = true;
            m_notes = answer->notes;
            m_complete = answer->complete;
            m_model->setGroups(answer->groups);
        }
        setRunning(false);
        if (answer) {
            emit found(answer->groups);
        } else {
            emit failed(answer.error());
        }
    });
    setRunning(true);
}

void DuplicateController::cancel()
{
    ++m_ticket;
    if (m_running && m_database != nullptr) {
        m_database->cancel(viewName());
    }
    setRunning(false);
}

void DuplicateController::setRunning(bool running)
{
    if (m_running != running) {
        m_running = running;
        emit runningChanged(running);
    }
}

} // namespace idemdesk::models

#include "moc_duplicate_controller.cpp"
