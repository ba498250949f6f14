// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/request/request.h"

#include "sql/lanes/database.h"

#include <utility>

namespace idemdesk::models {

Request::Request(const QString &name, QObject *parent)
    : QObject(parent)
    , m_view(name + u'/' + ownerName(this))
{
}

Request::~Request()
{
    if (m_busy && m_stop) {
        m_stop();
    }
}

bool Request::setDatabase(sql::Database *database)
{
    if (m_database == database) {
        return false;
    }
    drop();
    m_error.reset();
    m_database = database;
    return true;
}

sql::Database *Request::database() const
{
    return m_database;
}

void Request::fail(const sql::Error &error)
{
    m_error = error;
    emit changed();
}

void Request::cancel()
{
    if (m_busy) {
        stop();
    }
}

void Request::drop()
{
    ++m_ticket; // before stopping: a request that still waits is answered at once
    if (std::exchange(m_busy, false)) {
        stop();
    }
}

quint64 Request::begin(std::function<void()> stop)
{
    ++m_ticket;
    const std::function<void()> older = std::exchange(m_stop, std::move(stop));
    if (m_busy && older) {
        older(); // the lanes supersede a statement by themselves
    }
    m_busy = true;
    return m_ticket;
}

bool Request::end(quint64 ticket, const std::optional<sql::Error> &error)
{
    if (ticket != m_ticket) {
        return false;
    }
    m_busy = false;
    m_stop = nullptr;
    m_error = error;
    return true;
}

void Request::stop()
{
    if (m_stop) {
        std::exchange(m_stop, nullptr)();
    } else if (m_database != nullptr) {
        m_database->cancel(m_view);
    }
}

} // namespace idemdesk::models

#include "moc_request.cpp"
