// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QFuture>
#include <QPromise>
#include <QRunnable>
#include <QThreadPool>
#include <atomic>

namespace idemdesk::models {

/// A piece of work on its way to a thread of the pool. An atomic of its own hands over what it carries,
/// beside the pool's mutex, which ThreadSanitizer cannot see.
template <typename Work> class BackgroundTask final : public QRunnable
{
public:
    explicit BackgroundTask(Work work)
        : m_work(std::move(work))
    {
        m_given.store(true, std::memory_order_release);
    }

    void run() override
    {
        if (m_given.load(std::memory_order_acquire)) {
            m_work();
        }
    }

private:
    Work m_work;
    std::atomic_bool m_given = false;
};

/// Runs work that asks no database on a thread of the pool.
template <typename Work> void inBackground(Work work)
{
    QThreadPool::globalInstance()->start(new BackgroundTask<Work>(std::move(work))); // the pool deletes it
}

/// The same for work that answers: sql::Result<T>().
template <typename T, typename Work> QFuture<sql::Result<T>> later(Work work)
{
    QPromise<sql::Result<T>> promise;
    promise.start();
    QFuture<sql::Result<T>> future = promise.future();
    inBackground([promise = std::move(promise), work = std::move(work)]() mutable {
        promise.addResult(work());
        promise.finish();
    });
    return future;
}

} // namespace idemdesk::models
