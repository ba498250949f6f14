// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_failure.h"
#include "sql/driver/pg_interrupter.h"

#include <functional>

namespace idemdesk::sql {

class PgExchange;

/// One libpq connection in non-blocking mode, shared by the driver and its results (which may outlive the driver's
/// close()). All waiting happens here, in poll(2) on the socket, so that PgInterrupter::cut() ends it. One thread.
class PgLink
{
public:
    PgLink();
    ~PgLink();
    PgLink(const PgLink &) = delete;
    PgLink &operator=(const PgLink &) = delete;

    PGconn *connection() const { return m_connection; }
    /// Takes over an established connection.
    void adopt(PGconn *connection);
    /// Ends the connection at once, without waiting for anything.
    void drop();

    bool alive() const { return m_connection != nullptr && PQstatus(m_connection) == CONNECTION_OK; }
    PGTransactionStatusType transactionStatus() const { return PQtransactionStatus(m_connection); }

    /// An explicit transaction is open (also while one of its statements is being read).
    bool inTransaction() const;

    /// Sends what is queued; reads meanwhile, because a server may block on its answers. False if the connection broke.
    bool flush();
    /// The next PGresult, waiting for it; null at the end of a statement or of a lost connection.
    PgResultPtr next();
    /// Waits until the socket can be read and reads from it; false if the connection broke.
    bool readMore();

    /// Reads a pipeline's remaining results up to its sync point and leaves pipeline mode. good(number, result) gets
    /// each successful one, `number` counting the statements from `first`. The first error goes to *trouble unless it
    /// already holds one. An answer out of order drops the connection.
    void readPipeline(int first, const std::function<void(int, PGresult *)> &good, PgFailure *trouble);

    /// Ends the result set that is still being read row by row, if any.
    void abandonStream();
    /// To be called after each exchange: tells about a loss, hands out notifications.
    void settled();

    PgFailure failure; ///< of the last failed call
    PgEnvelope envelope;
    PgExchange *stream = nullptr; ///< the exchange under way
    PGTransactionStatusType statusBefore = PQTRANS_IDLE; ///< when the exchange under way was sent
    std::shared_ptr<PgSocketInterrupter> interrupter;
    std::function<void()> onLoss; ///< called once per connection; the descriptor is still open
    std::function<void()> onSettled;
    QList<PgFailure> notices;

private:
    static void receiveNotice(void *self, const PGresult *notice);
    void tellLoss();

    PGconn *m_connection = nullptr;
    bool m_lossTold = false;
};

} // namespace idemdesk::sql
