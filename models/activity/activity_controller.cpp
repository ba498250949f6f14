// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/activity/activity_controller.h"

#include "models/async.h"
#include "sql/activity/activity_gateway.h"
#include "sql/lanes/database.h"

#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kSignalDeadlineMs = 15'000; // the chain's head may be locked by a batch for some seconds

} // namespace

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

void ActivityController::signalBackend(const sql::BackendActivity &backend, sql::SignalVerb verb, const QString &reason, const QString &ticket)
{
    if (m_database == nullptr || m_signalling) {
        return;
    }
    m_signalling = true;
    sql::SignalRequest request { QUuid::createUuid().toString(QUuid::WithoutBraces), verb, backend, reason, ticket };
    auto future = m_database->run(sql::LaneKind::Write, { u"signal"_s, kSignalDeadlineMs, false }, [request](sql::Session &session) { return sql::signalBackend(session, request); });
    whenDone(future, this, [this, request](const sql::Result<sql::SignalOutcome> &outcome) {
        m_signalling = false;
        const int pid = request.backend.pid;
        if (!outcome) {
            emit signalled({}, outcome.error());
        } else if (outcome->kind == sql::SignalOutcome::Kind::Refused) {
            emit signalled({}, outcome->refusal);
        } else if (outcome->kind == sql::SignalOutcome::Kind::Gone) {
            emit signalled(tr("The session %1 was gone already; nothing was sent.").arg(pid), std::nullopt);
        } else {
            emit signalled(request.verb == sql::SignalVerb::Cancel ? tr("The session %1 was asked to end its statement.").arg(pid) : tr("The session %1 was asked to end.").arg(pid), std::nullopt);
        }
        refresh();
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
