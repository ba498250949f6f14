// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/async.h"
#include "sql/types/connection.h"

#include <QObject>
#include <QPointer>
#include <functional>
#include <optional>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

/// Where and for how long a question is asked.
struct RequestWay {
    sql::LaneKind lane = sql::LaneKind::Background;
    int deadlineMs = 20'000; ///< from being asked to being answered; 0: none
    bool retry = true; ///< once more on a fresh connection where the first one broke; never for what writes
};

/// One question at a time: the newest wins, and no older answer is delivered. Holds the database, whether somebody
/// waits, and why there was no answer; what an answer means stays with the controller that asks. The type of an answer
/// belongs to each question, so that it may be known where it is asked alone. Lives on the GUI thread.
class Request final : public QObject
{
    Q_OBJECT

public:
    /// name: for the lanes, which tell requests apart by it; objects of one name do not disturb each other.
    explicit Request(const QString &name, QObject *parent = nullptr);
    /// Background work is stopped. A statement goes on: what is written must not end half-way with its dialog.
    ~Request() override;

    /// Drops what is under way and the error, and gives true, where it is another one than before.
    bool setDatabase(sql::Database *database);
    sql::Database *database() const;
    bool busy() const { return m_busy; }
    /// Why the newest answer was none. It stays until the next answer, so that a banner does not flicker.
    const std::optional<sql::Error> &error() const { return m_error; }
    void clearError() { m_error.reset(); }
    void fail(const sql::Error &error); ///< what was wrong before it could be asked; an answer on its way still counts
    void cancel(); ///< asks for an end: the answer is an error of the kind Cancelled, unless it was faster
    void drop(); ///< nobody waits any more: ends it, and delivers no answer. The error stays; changed() does not follow

    /// Asks the database: job is Result<T>(sql::Session &) on the lane's thread, accept(const Result<T> &) gets the
    /// answer here, when busy() and error() are of it already. False without a database. Who asks includes
    /// sql/lanes/database.h.
    template <typename Job, typename Accept, typename Server = sql::Database>
    bool ask(const RequestWay &way, Job job, Accept accept)
    {
        Server *server = database();
        if (server == nullptr) {
            return false;
        }
        const quint64 ticket = begin({}); // first: the older one may be answered while the newer one is handed over
        deliver(
            ticket, server->run(way.lane, { m_view, way.deadlineMs, way.retry }, std::move(job)), std::move(accept));
        return true;
    }

    /// The same for work that asks no database, and ends early when `stop` is called.
    template <typename T, typename Accept>
    void follow(QFuture<sql::Result<T>> future, std::function<void()> stop, Accept accept)
    {
        const quint64 ticket = begin(std::move(stop));
        deliver(ticket, std::move(future), std::move(accept));
    }

signals:
    void changed(); ///< asked, answered, or failed; last of all, so who hears it may ask again

private:
    quint64 begin(std::function<void()> stop);
    bool end(quint64 ticket, const std::optional<sql::Error> &error); ///< false: nobody waits for that one
    void stop();

    template <typename T, typename Accept> void deliver(quint64 ticket, QFuture<sql::Result<T>> future, Accept accept)
    {
        whenDone(std::move(future), this, [this, ticket, accept](const sql::Result<T> &result) {
            if (!end(ticket, result ? std::nullopt : std::optional<sql::Error>(result.error()))) {
                return;
            }
            const QPointer<Request> self(this); // whoever hears the answer may end its owner
            accept(result);
            if (self != nullptr) {
                emit changed();
            }
        });
        emit changed();
    }

    QString m_view;
    QPointer<sql::Database> m_database;
    std::function<void()> m_stop; ///< of background work; a statement is cancelled by its view
    std::optional<sql::Error> m_error;
    bool m_busy = false;
    quint64 m_ticket = 0;
};

} // namespace idemdesk::models
