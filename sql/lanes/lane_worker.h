// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/lanes/work.h"

#include <QObject>
#include <memory>
#include <mutex>

namespace idemdesk::sql {

class PgInterrupter;

/// A lane's half on the lane's own thread: owns the Session, and runs one request at a time. Only interrupter() may be
/// called from another thread.
class LaneWorker final : public QObject
{
    Q_OBJECT

public:
    LaneWorker(ConnectionSettings settings, Session::Options options);
    ~LaneWorker() override;

    void connectSession();
    void closeSession();
    /// mayRetry: if the connection breaks, do not settle the work but report it as unfinished.
    void perform(quint64 id, const Work &work, const std::shared_ptr<RunningRequest> &running, bool mayRetry);

    std::shared_ptr<PgInterrupter> interrupter() const;

signals:
    void connected(const idemdesk::sql::ServerFacts &facts);
    void connectFailed(const idemdesk::sql::Error &error);
    /// settled false: the connection broke and the request may be tried again. alive: the session can go on.
    void performed(quint64 id, bool settled, bool alive, const idemdesk::sql::Error &error);

private:
    ConnectionSettings m_settings;
    Session::Options m_options;
    std::unique_ptr<Session> m_session;
    mutable std::mutex m_mutex;
    std::shared_ptr<PgInterrupter> m_interrupter; ///< guarded by m_mutex
};

/// What a stopped request's own error becomes for its asker.
Error stoppedError(StopReason reason);

} // namespace idemdesk::sql
