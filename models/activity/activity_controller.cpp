// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/activity/activity_controller.h"

#include "sql/activity/activity_gateway.h"
#include "sql/lanes/database.h"

#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kActivityDeadlineMs = 5'000;
constexpr int kSignalDeadlineMs = 15'000; // the chain's head may be locked by a batch for some seconds

} // namespace

ActivityController::ActivityController(QObject *parent)
    : QObject(parent)
    , m_model(new ActivityModel(this))
{
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (!busy()) {
            refresh();
        }
    });
    connect(&m_reading, &Request::changed, this, &ActivityController::changed);
    connect(&m_signalling, &Request::changed, this, &ActivityController::changed);
}

ActivityController::~ActivityController() = default;

void ActivityController::setDatabase(sql::Database *database)
{
    if (!m_reading.setDatabase(database)) {
        return;
    }
    m_signalling.setDatabase(database);
    m_targets.clear();
    m_model->setReport({});
    emit changed();
}

void ActivityController::setTargets(const QList<sql::Target> &targets)
{
    m_targets = targets;
}

void ActivityController::refresh()
{
    m_reading.ask(
        { sql::LaneKind::Control, kActivityDeadlineMs },
        [targets = m_targets](sql::Session &session) { return sql::readActivity(session, targets); },
        [this](const sql::Result<sql::ActivityReport> &report) {
            if (report) {
                m_model->setReport(*report);
            }
        });
}

void ActivityController::signalBackend(
    const sql::BackendActivity &backend, sql::SignalVerb verb, const QString &reason, const QString &ticket)
{
    if (signalling()) {
        return;
    }
    sql::SignalRequest request { QUuid::createUuid().toString(QUuid::WithoutBraces), verb, backend, reason, ticket };
    m_signalling.ask(
        { sql::LaneKind::Write, kSignalDeadlineMs, false },
        [request](sql::Session &session) { return sql::signalBackend(session, request); },
        [this, pid = backend.pid, verb](const sql::Result<sql::SignalOutcome> &outcome) {
            if (!outcome) {
                emit signalled({}, outcome.error());
            } else if (outcome->kind == sql::SignalOutcome::Kind::Refused) {
                emit signalled({}, outcome->refusal);
            } else if (outcome->kind == sql::SignalOutcome::Kind::Gone) {
                emit signalled(tr("The session %1 was gone already; nothing was sent.").arg(pid), std::nullopt);
            } else {
                emit signalled(verb == sql::SignalVerb::Cancel
                        ? tr("The session %1 was asked to end its statement.").arg(pid)
                        : tr("The session %1 was asked to end.").arg(pid),
                    std::nullopt);
            }
            refresh();
        });
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
