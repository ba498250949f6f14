// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/lanes/lane_worker.h"

#include "sql/driver/pg_driver.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

Error stoppedError(StopReason reason)
{
    Error error;
    switch (reason) {
    case StopReason::Superseded:
        error.kind = ErrorKind::Superseded;
        error.what = Tr::tr("A newer request took the place of this one.");
        break;
    case StopReason::Deadline:
        error.kind = ErrorKind::Timeout;
        error.what = Tr::tr("The server did not answer in time.");
        error.why = Tr::tr("The request passed its time limit and was stopped.");
        error.todo = Tr::tr("Try again, narrow the filter, or choose an order that an index serves.");
        break;
    case StopReason::Closing:
        error.kind = ErrorKind::Cancelled;
        error.what = Tr::tr("The connection was closed.");
        break;
    case StopReason::Cancelled:
    case StopReason::None:
        error.kind = ErrorKind::Cancelled;
        error.what = Tr::tr("The request was cancelled.");
        break;
    }
    return error;
}

LaneWorker::LaneWorker(ConnectionSettings settings, Session::Options options)
    : m_settings(std::move(settings))
    , m_options(std::move(options))
{
    m_options.onSocket = [this](std::shared_ptr<PgInterrupter> interrupter) {
        const std::scoped_lock lock(m_mutex);
        m_interrupter = std::move(interrupter);
    };
}

LaneWorker::~LaneWorker() = default;

std::shared_ptr<PgInterrupter> LaneWorker::interrupter() const
{
    const std::scoped_lock lock(m_mutex);
    return m_interrupter;
}

void LaneWorker::connectSession()
{
    closeSession();
    auto opened = Session::open(m_settings, m_options);
    if (!opened) {
        closeSession();
        emit connectFailed(opened.error());
        return;
    }
    m_session = std::move(*opened);
    emit connected(m_session->facts());
}

void LaneWorker::closeSession()
{
    m_session.reset();
    const std::scoped_lock lock(m_mutex);
    m_interrupter.reset();
}

void LaneWorker::perform(quint64 id, const Work &work, const std::shared_ptr<RunningRequest> &running, bool mayRetry)
{
    if (m_session == nullptr) {
        emit performed(id, false, false, Error());
        return;
    }
    if (running->stop) {
        work.settle(stoppedError(running->reason));
        emit performed(id, true, true, Error());
        return;
    }
    // The marker names this request in pg_stat_activity, so that a cancel can never hit the one after it.
    m_session->setMarker(u"idemdesk "_s + QString::number(id));
    m_session->setCancelFlag(&running->stop);
    const std::optional<Error> error = work.perform(*m_session);
    m_session->setCancelFlag(nullptr);
    m_session->setMarker({});
    const bool alive = m_session->alive();
    if (alive && m_session->driver().inTransaction()) {
        m_session->rollback(); // a job must not leave one open; its locks would outlive the request
    }
    bool settled = true;
    if (error && running->reason != StopReason::None) {
        work.settle(stoppedError(running->reason));
    } else if (error && !alive && mayRetry) {
        settled = false;
    } else {
        work.settle(std::nullopt);
    }
    if (!alive) {
        closeSession();
    }
    emit performed(id, settled, alive, error.value_or(Error()));
}

} // namespace idemdesk::sql
