// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_link.h"
#include "sql/driver/pg_parameters.h"

namespace idemdesk::sql {

/// One statement on its way to the server and its answer on its way back, inside an envelope or not. Reads the answer
/// to its very end (a deferred constraint or COMMIT may still fail after the last row), on destruction too.
class PgExchange
{
public:
    explicit PgExchange(std::shared_ptr<PgLink> link);
    ~PgExchange();
    PgExchange(const PgExchange &) = delete;
    PgExchange &operator=(const PgExchange &) = delete;

    /// Sends the statement. rowByRow: libpq's single-row mode. The envelope is sent around it in the same round trip if
    /// it is active. False: see failure().
    bool send(const QByteArray &sql, const PgParameters &parameters, bool rowByRow, const PgEnvelope &envelope = {});
    /// The next good result (one row, all rows, or a command's tag); null when all is read, or on an error.
    PgResultPtr next();
    void drain();
    /// Reads the rest because another statement needs the connection; whoever still wants rows gets an error.
    void abandon();

    bool running() const { return m_running; }
    bool failed() const { return m_failure.present(); }
    const PgFailure &failure() const { return m_failure; }
    const QByteArray &tag() const { return m_tag; } ///< command tag, such as "COMMIT" or "SELECT 5"

private:
    bool queue(const QByteArray &sql, const PgParameters &parameters, const PgEnvelope &envelope);
    bool readPrologue(qsizetype statements);
    bool take(PGresult *result);
    void refuseCopy(ExecStatusType status);
    void drainCopyOut();
    void fail(const PgFailure &failure);
    void finish();
    void rollBack();

    std::shared_ptr<PgLink> m_link;
    PgFailure m_failure;
    QByteArray m_sql;
    QByteArray m_tag;
    bool m_running = false;
    bool m_pipelined = false;
    bool m_commits = false; ///< a statement follows in the envelope
    bool m_answered = false;
    int m_refusedCopies = 0;
};

} // namespace idemdesk::sql
