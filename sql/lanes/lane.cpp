// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/lanes/lane.h"

#include "sql/driver/pg_driver.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// A cancelled statement ends within about 10 ms on a healthy server; one that has not after this long is cut off.
constexpr int kCutAfterMs = 1'500;
constexpr int kFirstRetryMs = 250;
constexpr int kLongestRetryMs = 15'000;
constexpr int kShareMs = 30'000;

std::atomic<quint64> nextRequestId = 1;

/// Errors that trying again by itself cannot mend: a person must change something.
bool needsPerson(ErrorKind kind)
{
    return kind == ErrorKind::Authentication || kind == ErrorKind::NoDatabase || kind == ErrorKind::Tls
        || kind == ErrorKind::Usage || kind == ErrorKind::Privilege || kind == ErrorKind::Refused;
}

} // namespace

Lane::Lane(LaneKind kind, const ConnectionSettings &settings, Session::Options options, QObject *parent)
    : QObject(parent)
    , m_kind(kind)
    , m_options(options)
    , m_worker(std::make_unique<LaneWorker>(settings, std::move(options)))
{
    m_worker->moveToThread(&m_thread);
    m_thread.setObjectName(u"lane-%1"_s.arg(static_cast<int>(kind)));
    connect(&m_thread, &QThread::finished, m_worker.get(), &LaneWorker::closeSession);
    connect(m_worker.get(), &LaneWorker::connected, this, &Lane::onConnected);
    connect(m_worker.get(), &LaneWorker::connectFailed, this, &Lane::onConnectFailed);
    connect(m_worker.get(), &LaneWorker::performed, this, &Lane::onPerformed);
    for (QTimer *timer : { &m_deadlineTimer, &m_cutTimer, &m_connectTimer, &m_reconnectTimer }) {
        timer->setSingleShot(true);
    }
    connect(&m_deadlineTimer, &QTimer::timeout, this, &Lane::checkDeadlines);
    connect(&m_reconnectTimer, &QTimer::timeout, this, &Lane::connectNow);
    const auto cut = [this] {
        if (const auto interrupter = m_worker->interrupter()) {
            interrupter->cut();
        }
    };
    connect(&m_cutTimer, &QTimer::timeout, this, cut);
    connect(&m_connectTimer, &QTimer::timeout, this, cut);
    m_thread.start();
}

Lane::~Lane()
{
    close();
}

void Lane::open()
{
    if (m_state == LinkState::Disconnected || m_state == LinkState::Failed) {
        connectNow();
    }
}

void Lane::connectNow()
{
    if (m_closed) {
        return;
    }
    m_reconnectTimer.stop();
    setState(m_everConnected ? LinkState::Reconnecting : LinkState::Connecting);
    // The connect has its own limit; this one is for a server that accepts and then falls silent.
    m_connectTimer.start(m_options.connectTimeoutMs + 1'000);
    QMetaObject::invokeMethod(m_worker.get(), &LaneWorker::connectSession, Qt::QueuedConnection);
}

void Lane::onConnected(const ServerFacts &facts)
{
    m_connectTimer.stop();
    m_failures = 0;
    m_everConnected = true;
    m_sharing = false;
    m_facts = facts;
    m_error.reset();
    setState(LinkState::Connected);
    startNext();
}

void Lane::onConnectFailed(const Error &error)
{
    m_connectTimer.stop();
    if (m_closed) {
        return;
    }
    m_error = error;
    ++m_failures;
    if (error.kind == ErrorKind::TooManyConnections && m_fallback != nullptr && m_fallback->canTake()) {
        m_sharing = true;
        m_shareUntil = QDeadlineTimer(kShareMs);
        auto waiting = std::exchange(m_waiting, {});
        m_state = LinkState::Disconnected;
        for (Request &request : waiting) {
            m_fallback->take(std::move(request));
        }
        emit stateChanged();
        return;
    }
    if (!m_everConnected || needsPerson(error.kind)) {
        // The first connect is the person's to correct; nothing waits behind it for long.
        const auto waiting = std::exchange(m_waiting, {});
        setState(LinkState::Failed);
        for (const Request &request : waiting) {
            request.work.settle(error);
        }
        return;
    }
    scheduleReconnect();
}

void Lane::scheduleReconnect()
{
    const int base = std::min(kLongestRetryMs, kFirstRetryMs << std::min(m_failures, 6));
    // Jitter keeps many consoles from knocking on a restarted server at the same moment.
    m_reconnectTimer.start(base + static_cast<int>(QRandomGenerator::global()->bounded(base / 4 + 1)));
    setState(LinkState::Reconnecting);
}

void Lane::reconnectNow()
{
    if (m_state == LinkState::Failed || m_reconnectTimer.isActive()) {
        m_failures = 0;
        connectNow();
    }
}

int Lane::retryInMs() const
{
    return m_reconnectTimer.isActive() ? m_reconnectTimer.remainingTime() : 0;
}

void Lane::submit(const RequestOptions &options, Work work)
{
    if (m_closed) {
        work.settle(stoppedError(StopReason::Closing));
        return;
    }
    if (!options.view.isEmpty()) {
        stopView(options.view, StopReason::Superseded);
    }
    Request request;
    request.id = nextRequestId++;
    request.options = options;
    request.work = std::move(work);
    request.deadline
        = options.deadlineMs > 0 ? QDeadlineTimer(options.deadlineMs) : QDeadlineTimer(QDeadlineTimer::Forever);
    take(std::move(request));
}

void Lane::take(Request request)
{
    if (m_sharing && !m_shareUntil.hasExpired()) {
        m_fallback->take(std::move(request));
    } else {
        enqueue(std::move(request));
    }
}

bool Lane::canTake() const
{
    return m_state == LinkState::Connected || (m_fallback != nullptr && m_fallback->canTake());
}

void Lane::enqueue(Request request)
{
    m_waiting.push_back(std::move(request));
    armDeadline();
    if (m_state == LinkState::Disconnected || m_state == LinkState::Failed) {
        connectNow();
    } else {
        startNext();
    }
}

void Lane::stopView(const QString &view, StopReason reason)
{
    std::deque<Request> kept;
    std::deque<Request> dropped;
    for (Request &request : m_waiting) {
        (request.options.view == view ? dropped : kept).push_back(std::move(request));
    }
    m_waiting = std::move(kept);
    for (const Request &request : dropped) {
        request.work.settle(stoppedError(reason));
    }
    if (m_running != nullptr && m_running->options.view == view) {
        stopRunning(reason);
    }
}

void Lane::stopRunning(StopReason reason)
{
    if (m_running == nullptr || m_runningShared->reason != StopReason::None) {
        return;
    }
    m_runningShared->reason = reason;
    m_runningShared->stop = true;
    m_cutTimer.start(kCutAfterMs);
    if (m_canceller) {
        ++m_cancelsUnderWay;
        m_canceller(m_running->id, m_facts.backendPid, m_worker->interrupter(), [this] {
            --m_cancelsUnderWay;
            startNext();
        });
    }
}

void Lane::startNext()
{
    // A cancel still under way might reach the server late: the next statement waits until it is settled.
    if (m_closed || m_state != LinkState::Connected || m_running != nullptr || m_cancelsUnderWay > 0
        || m_waiting.empty()) {
        return;
    }
    m_running = std::make_unique<Request>(std::move(m_waiting.front()));
    m_waiting.pop_front();
    m_runningShared = std::make_shared<RunningRequest>();
    const bool mayRetry = m_kind != LaneKind::Write && m_running->options.retry && !m_running->retried;
    QMetaObject::invokeMethod(
        m_worker.get(),
        [worker = m_worker.get(), id = m_running->id, work = m_running->work, shared = m_runningShared, mayRetry] {
            worker->perform(id, work, shared, mayRetry);
        },
        Qt::QueuedConnection);
    armDeadline();
}

void Lane::onPerformed(quint64 id, bool settled, bool alive, const Error &error)
{
    if (m_running == nullptr || m_running->id != id) {
        return;
    }
    m_cutTimer.stop();
    std::unique_ptr<Request> request = std::move(m_running);
    m_runningShared.reset();
    if (!settled) {
        request->retried = true;
        m_waiting.push_front(std::move(*request));
        armDeadline();
    }
    if (!alive && !m_closed) {
        if (error.kind != ErrorKind::None) {
            m_error = error;
        }
        // At once the first time: most lost connections are a restarted server or a cut of our own.
        connectNow();
        return;
    }
    startNext();
}

void Lane::armDeadline()
{
    qint64 soonest = -1;
    const auto look = [&soonest](const QDeadlineTimer &deadline) {
        if (!deadline.isForever()) {
            const qint64 left = deadline.remainingTime();
            soonest = soonest < 0 ? left : std::min(soonest, left);
        }
    };
    for (const Request &request : m_waiting) {
        look(request.deadline);
    }
    if (m_running != nullptr && m_runningShared->reason == StopReason::None) {
        look(m_running->deadline);
    }
    if (soonest < 0) {
        m_deadlineTimer.stop();
    } else {
        m_deadlineTimer.start(static_cast<int>(std::min<qint64>(soonest, 3'600'000)));
    }
}

void Lane::checkDeadlines()
{
    std::deque<Request> kept;
    std::deque<Request> late;
    for (Request &request : m_waiting) {
        (request.deadline.hasExpired() ? late : kept).push_back(std::move(request));
    }
    m_waiting = std::move(kept);
    for (const Request &request : late) {
        request.work.settle(
            m_state == LinkState::Connected || !m_error ? stoppedError(StopReason::Deadline) : *m_error);
    }
    if (m_running != nullptr && m_running->deadline.hasExpired()) {
        stopRunning(StopReason::Deadline);
    }
    armDeadline();
}

void Lane::close()
{
    if (m_closed) {
        return;
    }
    m_closed = true;
    for (QTimer *timer : { &m_deadlineTimer, &m_cutTimer, &m_connectTimer, &m_reconnectTimer }) {
        timer->stop();
    }
    const auto waiting = std::exchange(m_waiting, {});
    for (const Request &request : waiting) {
        request.work.settle(stoppedError(StopReason::Closing));
    }
    const bool busy = m_running != nullptr;
    if (busy) {
        m_runningShared->reason = StopReason::Closing;
        m_runningShared->stop = true;
    }
    m_thread.quit();
    // A change under way gets time to finish and be confirmed; a read is worth none.
    bool joined = m_thread.wait(busy && m_kind == LaneKind::Write ? 2'000 : 100);
    while (!joined) {
        // Again until it ends: a cut between two connects of the worker would be forgotten by the second.
        if (const auto interrupter = m_worker->interrupter()) {
            interrupter->cut();
        }
        joined = m_thread.wait(50);
    }
    setState(LinkState::Disconnected);
}

void Lane::setState(LinkState state)
{
    if (m_state != state) {
        m_state = state;
        emit stateChanged();
    } else if (state == LinkState::Reconnecting) {
        emit stateChanged(); // the time of the next try changed
    }
}

} // namespace idemdesk::sql
