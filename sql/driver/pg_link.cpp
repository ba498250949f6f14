// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_link.h"

#include "sql/driver/pg_exchange.h"

#include <cerrno>
#include <poll.h>

namespace idemdesk::sql {

namespace {

constexpr qsizetype maximumNotices = 1000; // a server may send them without end

/// False if the socket is gone. A signal is no reason to stop waiting.
bool waitFor(const PGconn *connection, short events, short *seen)
{
    pollfd entry { PQsocket(connection), events, 0 };
    if (entry.fd < 0) {
        return false;
    }
    int ready = 0;
    do {
        ready = ::poll(&entry, 1, -1);
    } while (ready < 0 && errno == EINTR);
    *seen = entry.revents;
    return ready > 0;
}

} // namespace

PgLink::PgLink()
    : interrupter(std::make_shared<PgSocketInterrupter>())
{
}

PgLink::~PgLink()
{
    onLoss = {};
    drop();
}

void PgLink::adopt(PGconn *connection)
{
    drop();
    m_connection = connection;
    m_lossTold = false;
    PQsetnonblocking(connection, 1);
    PQsetNoticeReceiver(connection, &PgLink::receiveNotice, this);
}

void PgLink::drop()
{
    if (m_connection == nullptr) {
        return;
    }
    tellLoss();
    interrupter->disarm();
    PQfinish(m_connection); // the socket is non-blocking: this waits for nobody
    m_connection = nullptr;
}

bool PgLink::inTransaction() const
{
    const PGTransactionStatusType now = transactionStatus();
    const PGTransactionStatusType status = now == PQTRANS_ACTIVE ? statusBefore : now;
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

bool PgLink::flush()
{
    for (;;) {
        const int left = PQflush(m_connection);
        if (left <= 0) {
            return left == 0;
        }
        short seen = 0;
        if (!waitFor(m_connection, POLLIN | POLLOUT, &seen)) {
            return false;
        }
        if ((seen & POLLIN) != 0 && PQconsumeInput(m_connection) == 0) {
            return false;
        }
    }
}

bool PgLink::readMore()
{
    short seen = 0;
    return waitFor(m_connection, POLLIN, &seen) && PQconsumeInput(m_connection) == 1;
}

PgResultPtr PgLink::next()
{
    if (m_connection == nullptr) {
        return {};
    }
    while (PQisBusy(m_connection) == 1 && readMore()) { }
    return PgResultPtr(PQgetResult(m_connection)); // after a failed read it gives the error
}

void PgLink::readPipeline(int first, const std::function<void(int, PGresult *)> &good, PgFailure *trouble)
{
    int number = first;
    bool synchronised = false;
    bool expected = true;
    bool endSeen = false; // two ends in a row: libpq has nothing more to wait for
    while (m_connection != nullptr && expected && !synchronised) {
        const PgResultPtr result = next();
        if (!result) {
            expected = !endSeen && alive();
            endSeen = true;
            ++number;
            continue;
        }
        endSeen = false;
        switch (PQresultStatus(result.get())) {
        case PGRES_COMMAND_OK:
        case PGRES_TUPLES_OK:
            good(number, result.get());
            break;
        case PGRES_FATAL_ERROR:
            if (!trouble->present()) {
                *trouble = failureOf(result.get());
            }
            break;
        case PGRES_PIPELINE_ABORTED:
        case PGRES_EMPTY_QUERY:
            break;
        case PGRES_PIPELINE_SYNC:
            synchronised = true;
            break;
        default:
            expected = false;
            break;
        }
    }
    if (!synchronised || PQexitPipelineMode(m_connection) != 1) {
        if (!trouble->present()) {
            *trouble = alive() ? outOfOrder() : connectionGone();
        }
        trouble->connectionLost = true;
        drop();
    }
}

void PgLink::abandonStream()
{
    if (stream != nullptr) {
        stream->abandon();
    }
}

void PgLink::settled()
{
    if (m_connection != nullptr && PQstatus(m_connection) == CONNECTION_BAD) {
        tellLoss();
        interrupter->disarm();
    } else if (m_connection != nullptr && onSettled) {
        onSettled();
    }
}

void PgLink::tellLoss()
{
    if (!m_lossTold) {
        m_lossTold = true;
        if (onLoss) {
            onLoss();
        }
    }
}

void PgLink::receiveNotice(void *self, const PGresult *notice)
{
    auto *link = static_cast<PgLink *>(self);
    if (link->notices.size() < maximumNotices) {
        link->notices.append(failureOf(notice));
    }
}

} // namespace idemdesk::sql
