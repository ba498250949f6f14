// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/lanes/work.h"

#include <QFuture>
#include <QObject>
#include <QPromise>
#include <memory>
#include <optional>

namespace idemdesk::sql {

/// The console's connections to one server: the lanes read, background, write and control (DESIGN 2), each a thread
/// with one Session. Background work without a deadline has a lane of its own, which connects when it is first needed:
/// it may take minutes, and nothing else shall wait behind it. Lives on the GUI thread; every call returns at once.
/// Futures finish on the caller's side through QFuture::then(context, …). Requests asked while a lane reconnects wait
/// for it until their deadline.
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
    bool singleConnection() const; ///< too few slots (53300): some lane shares the read lane's connection
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
        auto kept = std::make_shared<std::optional<R>>();
        Work work;
        work.perform = [kept, job = std::move(job)](Session &session) -> std::optional<Error> {
            kept->emplace(job(session));
            return (*kept)->ok() ? std::nullopt : std::optional<Error>((*kept)->error());
        };
        work.settle = [promise, kept](const std::optional<Error> &error) {
            promise->addResult(error ? R(*error) : std::move(**kept));
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
    void submit(LaneKind lane, const RequestOptions &options, Work work);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace idemdesk::sql
