// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/duplicates/duplicate_controller.h"

#include "sql/duplicates/duplicate_gateway.h"
#include "sql/lanes/database.h"

#include <QMutex>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kDuplicateDeadlineMs = 600'000; // a large table without an index; it can be cancelled
constexpr int kSoFarMs = 200;

} // namespace

struct DuplicateController::SoFar {
    QMutex mutex;
    std::optional<QList<sql::DuplicateGroup>> groups; ///< not yet taken

    void put(const QList<sql::DuplicateGroup> &found)
    {
        const QMutexLocker locker(&mutex);
        groups = found;
    }
    std::optional<QList<sql::DuplicateGroup>> take()
    {
        const QMutexLocker locker(&mutex);
        return std::exchange(groups, std::nullopt);
    }
};

DuplicateController::DuplicateController(QObject *parent)
    : QObject(parent)
    , m_model(new DuplicateModel(this))
{
    connect(&m_searching, &Request::changed, this, &DuplicateController::tellRunning);
    connect(&m_poll, &QTimer::timeout, this, &DuplicateController::take);
    m_poll.setInterval(kSoFarMs);
}

void DuplicateController::setDatabase(sql::Database *database)
{
    if (!m_searching.setDatabase(database)) {
        return;
    }
    m_searched = false;
    m_partly = false;
    m_soFar.reset();
    m_notes.clear();
    m_model->clear(); // before anybody hears that no search runs, and reads on with what was found
    tellRunning();
}

void DuplicateController::search(const sql::Target &target, const sql::DuplicateRequest &request)
{
    const auto soFar = std::make_shared<SoFar>();
    const bool asked = m_searching.ask(
        { sql::LaneKind::Background, kDuplicateDeadlineMs },
        [target, request, soFar](sql::Session &session) {
            return sql::findDuplicates(
                session, target, request, [soFar](const QList<sql::DuplicateGroup> &groups) { soFar->put(groups); });
        },
        [this, target](const sql::Result<sql::DuplicateAnswer> &answer) {
            take(); // what was found before it failed
            m_soFar.reset();
            if (answer) {
                m_searched = true;
                m_partly = false;
                m_notes = answer->notes;
                m_complete = answer->complete;
                m_model->setTarget(target);
                m_model->setGroups(answer->groups);
            }
            tellRunning();
            if (answer) {
                emit found(answer->groups);
            } else {
                emit failed(answer.error());
            }
        });
    if (asked) {
        m_soFar = soFar;
        m_target = target;
        m_poll.start();
    }
}

void DuplicateController::cancel()
{
    take();
    m_soFar.reset();
    m_searching.drop();
    tellRunning();
}

void DuplicateController::take()
{
    if (!m_soFar) {
        m_poll.stop();
        return;
    }
    const auto groups = m_soFar->take();
    if (!groups || groups->isEmpty()) {
        return;
    }
    m_partly = true;
    m_searched = false;
    m_notes.clear();
    m_model->setTarget(m_target);
    m_model->setGroups(*groups);
    emit foundSoFar();
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
