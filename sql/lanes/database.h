// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <QFuture>
#include <QObject>
#include <QPromise>
#include <memory>
#include <optional>

namespace idemdesk::sql {

/// How one request is to be run.
struct RequestOptions {
    QString view; ///< a newer request of the same view (on the same lane) supersedes this one; empty: never
    int deadlineMs = 20'000; ///< from being asked to being answered; 0: none. Past it the server is told to cancel, then the socket is cut
};

/// The console's connections to one server: the lanes read, background, write and control (DESIGN 2), each a thread with
/// one Session. Lives on the GUI thread; every call returns at once. Futures finish on the caller's side through
/// QFuture::then(context, …). Requests asked while a lane reconnects wait for it until their deadline.
class Database final : public QObject
{
    Q_OBJECT

public:
    explicit Database(ConnectionSettings settings, QObject *parent = nullptr);
    /// Cancels what runs, closes the lanes and joins their threads; at most about 3 s, cutting sockets of silent peers.
    ~Database() override;

    void open();
    const ConnectionSettings &settings() const;
    LinkState state() const;
    const ServerFacts &facts() const; ///< of the read lane's newest connection
    std::optional<Error> linkError() const; ///< why it is not connected
    bool singleConnection() const; ///< too few slots (53300): all lanes share one connection
    int retryInMs() const; ///< time to the next try to reconnect, 0 if none is due
    void reconnectNow();

    /// Runs a job on a lane's thread. Job: Result<T>(Session &).
    template <typename Job>
    auto run(LaneKind lane, const RequestOptions &options, Job job) -> QFuture<std::invoke_result_t<Job, Session &>>
    {
        using R = std::invoke_result_t<Job, Session &>;
        auto promise = std::make_shared<QPromise<R>>();
        promise->start();
        QFuture<R> future = promise->future();
        Work work;
        work.perform = [promise, job = std::move(job)](Session &session) -> std::optional<Error> {
            R result = job(session);
            std::optional<Error> error;
            if (!result.ok()) {
                error = result.error();
            }
            promise->addResult(std::move(result));
            promise->finish();
            return error;
        };
        work.refuse = [promise](const Error &error) {
            promise->addResult(R(error));
            promise->finish();
        };
        submit(lane, options, std::move(work));
        return future;
    }

    /// Cancels what this view has waiting or running on any lane; its future ends with ErrorKind::Cancelled.
    void cancel(const QString &view);

signals:
    void stateChanged(idemdesk::sql::LinkState state);
    void factsChanged();

private:
    struct Work {
        std::function<std::optional<Error>(Session &)> perform; ///< runs the job and settles the promise
        std::function<void(const Error &)> refuse; ///< settles the promise without running
    };
    void submit(LaneKind lane, const RequestOptions &options, Work work);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace idemdesk::sql
