// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/lanes/lane_worker.h"

#include <QDeadlineTimer>
#include <QThread>
#include <QTimer>
#include <deque>

namespace idemdesk::sql {

/// One lane as the GUI thread sees it: its queue, deadlines, cancelling and reconnecting. Nothing here blocks.
class Lane final : public QObject
{
    Q_OBJECT

public:
    /// How a running request is cancelled on the server: (request id, backend pid, interrupter, done). `done` must be
    /// called on the GUI thread when the cancel has been delivered or given up: until then no next request starts.
    using Canceller = std::function<void(quint64, int, std::shared_ptr<PgInterrupter>, std::function<void()>)>;

    Lane(LaneKind kind, const ConnectionSettings &settings, Session::Options options, QObject *parent);
    ~Lane() override;

    void setCanceller(Canceller canceller) { m_canceller = std::move(canceller); }
    /// The lane that takes this one's requests while the server has no slot left for it (53300). It may have one, too.
    void setFallback(Lane *fallback) { m_fallback = fallback; }
    bool sharing() const { return m_sharing; }

    void open();
    void submit(const RequestOptions &options, Work work);
    void stopView(const QString &view, StopReason reason);
    void reconnectNow();
    /// Stops everything and joins the thread; may wait up to about 3 s.
    void close();

    LaneKind kind() const { return m_kind; }
    LinkState state() const { return m_state; }
    const ServerFacts &facts() const { return m_facts; }
    const std::optional<Error> &error() const { return m_error; }
    int retryInMs() const;
    bool idle() const { return m_running == nullptr && m_waiting.empty(); }

signals:
    void stateChanged();

private:
    struct Request {
        quint64 id = 0;
        RequestOptions options;
        Work work;
        QDeadlineTimer deadline;
        bool retried = false;
    };

    void take(Request request); ///< here, or where this lane has no slot on its fallback
    bool canTake() const; ///< it is connected, or a fallback is
    void enqueue(Request request);
    void connectNow();
    void onConnected(const ServerFacts &facts);
    void onConnectFailed(const Error &error);
    void onPerformed(quint64 id, bool settled, bool alive, const Error &error);
    void startNext();
    void stopRunning(StopReason reason);
    void checkDeadlines();
    void armDeadline();
    void scheduleReconnect();
    void setState(LinkState state);

    LaneKind m_kind;
    Session::Options m_options;
    Canceller m_canceller;
    Lane *m_fallback = nullptr;
    bool m_sharing = false;
    QDeadlineTimer m_shareUntil; ///< then this lane tries for a slot of its own again
    QThread m_thread;
    const std::unique_ptr<LaneWorker> m_worker; ///< lives on m_thread; goes when that has ended, as close() asks it
    LinkState m_state = LinkState::Disconnected;
    ServerFacts m_facts;
    std::optional<Error> m_error;
    std::deque<Request> m_waiting;
    std::unique_ptr<Request> m_running;
    std::shared_ptr<RunningRequest> m_runningShared;
    int m_cancelsUnderWay = 0;
    int m_failures = 0; ///< connects failed in a row, for the back-off
    bool m_everConnected = false;
    bool m_closed = false;
    QTimer m_deadlineTimer;
    QTimer m_cutTimer; ///< a stopped request that does not end is cut
    QTimer m_connectTimer; ///< the same for a connect that hangs after the socket is up
    QTimer m_reconnectTimer;
};

} // namespace idemdesk::sql
